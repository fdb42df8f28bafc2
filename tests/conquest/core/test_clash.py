"""Clashes."""

import pytest

from conquest.builder import (
    allowed,
    do,
    events,
    fired,
    hero,
    last,
    offered,
    profile,
    r,
    refused,
    regiment,
    rolled,
    scene,
)
from umpire.engine.effects import Effect
from umpire.games.conquest import characters, clash, formation

FIGHTERS = profile(a=4, c=3)
TOUGH = profile(d=5, e=0, w=20, r=5)


def melee(mine=FIGHTERS, theirs=TOUGH, stands=(3, 3), files=(3, 3), dice="seed", *others, **more):
    script = [*dice, *([1] * 40)] if dice != "seed" else "seed"
    return scene(
        regiment("a", 0, (36, 20), stands=stands[0], files=files[0], of=mine),
        regiment("b", 1, (36, 20), stands=stands[1], files=files[1], of=theirs),
        *others,
        dice=script,
        **more,
    )


@pytest.mark.rule("conquest.clash.eligibility")
def test_contact_of_one_corner_is_enough():
    corner = scene(regiment("a", 0, (36, 20)), regiment("b", 1, (43.5, 20)))
    assert "clash" in offered(corner)
    apart = scene(regiment("a", 0, (36, 20)), regiment("b", 1, (43.6, 20)))
    refused(apart, "clash", "conquest.action.list.in-combat")
    fired(do(corner, "clash"), "conquest.clash.eligibility")


@pytest.mark.rule("conquest.clash.engaged-unengaged")
def test_engaged_stands_touch_an_enemy():
    battle = scene(
        regiment("a", 0, (36, 20), stands=6, files=3), regiment("b", 1, (34.75, 20), stands=1, of=TOUGH), dice="seed"
    )
    do(battle, "clash")
    facts = last(battle, "attacks")
    assert (facts["engaged"], facts["support"]) == (2, 4)


@pytest.mark.rule("conquest.clash.attacks.engaged")
def test_engaged_stands_make_their_attacks():
    battle = scene(
        regiment("a", 0, (36, 20), stands=3, wounds={2: 3}, of=FIGHTERS), regiment("b", 1, (36, 20), of=TOUGH)
    )
    assert last(do(battle, "clash"), "attacks")["attacks"] == 12


@pytest.mark.rule("conquest.clash.attacks.bonus")
def test_bonus_attacks_are_for_engaged_stands():
    given = (Effect("a", "attacks", "add", 1, "conquest.draw-event.flux-powered", until="round"),)
    battle = melee(stands=(6, 3), effects=given)
    assert last(do(battle, "clash"), "attacks")["attacks"] == 15 + 3


@pytest.mark.rule("conquest.clash.attacks.support")
def test_unengaged_stands_support():
    assert last(do(melee(stands=(6, 3)), "clash"), "attacks")["attacks"] == 15
    many = melee(profile(a=4, rules=["support 2"]), stands=(6, 3))
    assert last(do(many, "clash"), "attacks")["attacks"] == 18
    none = melee(profile(a=0, c=3), stands=(3, 3))
    assert last(do(none, "clash"), "attacks")["attacks"] == 0, "an engaged stand never supports instead"


@pytest.mark.rule("conquest.clash.attacks.incomplete-ranks")
def test_gaps_of_an_incomplete_rank_are_ignored_in_the_rear():
    battle = scene(
        regiment("a", 0, (36, 20), stands=3, of=FIGHTERS),
        regiment("b", 1, (36, 25), facing=0.0, stands=4, places=((0, 0), (0, 1), (0, 2), (1, 0)), of=TOUGH),
    )
    do(battle, "clash")
    assert last(battle, "attacks")["engaged"] == 3
    back = scene(
        regiment("a", 0, (36, 20), stands=3, of=TOUGH),
        regiment("b", 1, (36, 25), facing=0.0, stands=4, places=((0, 0), (0, 1), (0, 2), (1, 0)), of=FIGHTERS),
        who="b",
    )
    do(back, "clash")
    assert (last(back, "attacks")["engaged"], last(back, "attacks")["support"]) == (1, 3)
    apart = scene(
        regiment("a", 0, (42, 20), stands=1),
        regiment("b", 1, (36, 25), facing=0.0, stands=4, places=((0, 0), (0, 1), (0, 2), (1, 0))),
    )
    assert not formation.in_contact(apart.state, r(apart, "a")), "the rectangle makes no contact"


def between_two(**more):
    """a touches x with stands 1 and 2, and y with stands 2 and 3."""
    return scene(
        regiment("a", 0, (36, 20), stands=6, files=3, of=profile(a=4, rules=more.pop("rules", ()))),
        regiment("x", 1, (34.0, 20), stands=1, files=1, of=TOUGH),
        regiment("y", 1, (37.4, 20), stands=1, files=1, of=TOUGH),
        **more,
    )


@pytest.mark.rule("conquest.clash.targets.engaged")
def test_a_stand_touching_two_enemies_chooses_one():
    battle = between_two()
    do(battle, "clash")
    assert battle.decision.prompt.key == "ask.clash-target"
    assert offered(battle) == ["x", "y"]
    middle = battle.decision.about
    assert r(battle, "a").stand(middle).file == 1
    do(battle, "x")
    shares = battle.decision
    do(battle, {"x": 3, "y": 0})
    do(battle, ["x", "y"])
    while battle.decision and battle.decision.prompt.key == "ask.casualty-end":
        battle.answer("left")
    found = {e.facts["target"]: e.facts["attacks"] for e in events(battle, "attacks")}
    assert shares.total == 3
    assert found == {"x": 8 + 3, "y": 4}


@pytest.mark.rule("conquest.clash.targets.support")
def test_support_attacks_of_a_stand_are_not_divided():
    battle = do(between_two(rules=["support 2"]), "clash", "x")
    assert (battle.decision.kind, battle.decision.total) == ("split", 3), "three stands, not six attacks"
    allowed(battle, {"x": 2, "y": 1})
    refused(battle, {"x": 2, "z": 1})
    do(battle, {"x": 2, "y": 1}, ["x", "y"])
    found = {e.facts["target"]: e.facts["attacks"] for e in events(battle, "attacks")}
    assert found.get("x") == 8 + 4


@pytest.mark.rule("conquest.clash.targets.support")
def test_an_unengaged_character_aims_his_own_support_attack():
    battle = scene(
        regiment("a", 0, (36, 20), stands=4, files=5, of=profile(a=4)),
        regiment("x", 1, (32.5, 20), stands=1, files=1, of=TOUGH),
        regiment("y", 1, (35.9, 20), stands=1, files=1, of=TOUGH),
        characters=[hero("h", 0, "a")],
    )
    his = next(s for s in r(battle, "a").stands if s.character)
    r(battle, "a").stands = characters.changed_places(r(battle, "a").stands, his.id, 4)
    do(battle, "clash")
    while battle.decision.about != "h":
        do(battle, "x")
    assert (battle.decision.prompt.key, offered(battle)) == ("ask.clash-target", ["x", "y"])
    do(battle, "y")
    assert battle.decision.kind == "split"
    assert battle.decision.total == 1, "the others are shared out without him"
    while not events(battle, "deactivated"):
        do(battle, "pass" if battle.decision.prompt.key == "ask.action" else battle.decision.suggest())
    assert [e.facts["target"] for e in events(battle, "hits") if e.facts["attacker"] == "h"] == ["y"]


@pytest.mark.rule("conquest.clash.targets.resolve-separately")
def test_each_group_is_finished_before_the_next():
    battle = do(between_two(), "clash", "x", {"x": 3, "y": 0}, ["y", "x"])
    while battle.decision and battle.decision.prompt.key == "ask.casualty-end":
        battle.answer("left")
    order = [e.facts["target"] for e in events(battle, "hits")]
    assert order == ["y", "x"]
    hits = [k for k, e in enumerate(battle.events) if e.kind == "hits"]
    tests = [k for k, e in enumerate(battle.events) if e.kind == "morale-test" and e.facts["regiment"] == "y"]
    assert all(hits[0] < k < hits[1] for k in tests)


@pytest.mark.rule("conquest.clash.hit")
def test_clash_hits():
    battle = melee(profile(c=1, a=4), dice=[1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6])
    do(battle, "clash")
    assert rolled(battle, "hit") == [12]
    assert last(battle, "hits")["hits"] == 2


@pytest.mark.rule("conquest.clash.relentless")
def test_clash_six_gains_relentless_blows():
    def hits(c, inspired=0, rules=()):
        battle = scene(
            regiment("a", 0, (36, 20), stands=1, inspired=inspired, of=profile(c=c, a=4, rules=rules)),
            regiment("b", 1, (36, 20), of=TOUGH),
            dice=[1, 1, 5, 6, *([1] * 20)],
        )
        return last(do(battle, "clash"), "hits")["hits"]

    assert hits(6) == 5
    assert hits(5) == 3
    assert hits(6, rules=["relentless-blows"]) == 5, "not twice"


@pytest.mark.rule("conquest.clash.flank-rear")
def test_flank_and_rear_attacks_reroll_passed_morale_dice():
    def morale(facing, target_y, dice):
        battle = scene(
            regiment("a", 0, (36, 20), stands=3, of=profile(a=1, c=5)),
            regiment("b", 1, (36, target_y), facing=facing, of=profile(d=0, e=0, w=20, r=3)),
            dice=[1, 1, 1, 6, 6, 6, *dice, *([6] * 9)],
        )
        do(battle, "clash")
        while battle.decision and battle.decision.prompt.key == "ask.casualty-end":
            battle.answer("left")
        return [e.roll for e in battle.events if e.kind == "reroll"], last(battle, "morale-test")

    again, _ = morale(0.0, 22.5, [1, 3, 5, 2, 6])
    assert again[0].first == [1, 3, 0]
    assert again[0].faces == [2, 6, 5], "a die that succeeds again is a success"
    front, _ = morale(180.0, 20.0, [1, 3, 5])
    assert front == []
    flank = scene(
        regiment("a", 0, (36, 20), stands=3, of=profile(a=1, c=5)),
        regiment("b", 1, (38.5, 23.75), facing=90.0, of=profile(d=0, e=0, w=20, r=3)),
        dice=[1] * 3 + [6] * 3 + [1, 3, 5, 2, 6, *([6] * 9)],
    )
    assert formation.side_hit(r(flank, "b"), r(flank, "a")) == "right"
    do(flank, "clash")
    while flank.decision and flank.decision.prompt.key == "ask.casualty-end":
        flank.answer("left")
    assert [e.roll.faces for e in flank.events if e.kind == "reroll"], "in the flank too"


@pytest.mark.rule("conquest.clash.defense")
def test_one_die_against_both_values():
    def wounds(d, e, dice, rules=()):
        battle = scene(
            regiment("a", 0, (36, 20), stands=1, of=profile(a=6, c=5, rules=rules)),
            regiment("b", 1, (36, 20), of=profile(d=d, e=e, w=20, r=5)),
            dice=[2] * 6 + dice + [1] * 20,
        )
        do(battle, "clash")
        return last(battle, "defended")["failed"]

    assert wounds(3, 0, [1, 1, 2, 4, 4, 5]) == 3
    assert wounds(1, 2, [1, 2, 2, 3, 3, 5]) == 3
    assert wounds(4, 1, [1, 2, 3, 4, 5, 6], ["smite"]) == 5
    assert wounds(2, 3, [1, 2, 3, 4, 5, 6], ["cleave 2"]) == 3, "Cleave never lowers Evasion"


@pytest.mark.rule("conquest.clash.defense.zero")
def test_a_one_does_not_save_in_a_clash_at_nothing():
    battle = scene(
        regiment("a", 0, (36, 20), stands=1, of=profile(a=1, c=5, rules=["cleave 2"])),
        regiment("b", 1, (36, 20), of=profile(d=2, e=0, w=20, r=5)),
        dice=[2, 1, 1],
    )
    do(battle, "clash")
    assert last(battle, "defended")["failed"] == 1
    fired(battle, "conquest.clash.defense.zero")


@pytest.mark.rule("conquest.clash.casualties-and-morale", "conquest.wounds.then-morale")
def test_morale_follows_the_casualties():
    battle = scene(
        regiment("a", 0, (36, 20), stands=3, of=profile(a=3, c=5)),
        regiment("b", 1, (36, 20), stands=6, files=3, of=profile(d=0, e=0, w=4, r=3)),
        dice=[1] * 9 + [6] * 9 + [1] * 9,
    )
    do(battle, "clash", "left")
    assert rolled(battle, "morale") == [9]
    kinds = [e.kind for e in battle.events]
    assert kinds.index("allocated") < kinds.index("morale-test")
    assert last(battle, "morale-test")["resolve"] == 4, "4 stands left are counted after the casualties"


def test_engaged_stands_are_told_by_contact():
    battle = between_two()
    enemies = formation.enemies_in_contact(battle.state, r(battle, "a"))
    engaged = [len(clash.engaged_with(battle.state, r(battle, "a"), s, enemies)) for s in r(battle, "a").stands]
    assert engaged == [1, 2, 1, 0, 0, 0]
