"""Charges."""

import math

import pytest

from conquest.builder import (
    do,
    events,
    fired,
    forward,
    hero,
    last,
    offered,
    profile,
    r,
    refused,
    regiment,
    rolled,
    scene,
    wood,
)
from umpire.engine.effects import Effect
from umpire.games.conquest import contact, formation, ranked
from umpire.space.ranks import fronts
from umpire.space.ranks.fronts import world


def charging(*others, at=(36, 10), target=(36, 18), dice=(6,), of=None, foe=None, stands=3, **more):
    return scene(
        regiment("a", 0, at, stands=stands, of=of or profile(m=5)),
        regiment("t", 1, target, of=foe or profile(), **more.pop("enemy", {})),
        *others,
        dice=list(dice) if not isinstance(dice, str) else dice,
        **more,
    )


@pytest.mark.rule("conquest.charge.declare")
def test_one_target_in_front_and_in_sight():
    battle = do(charging(regiment("u", 1, (50, 18)), regiment("s", 1, (20, 8))), "charge")
    assert offered(battle) == ["t", "u"]
    refused(battle, "s", "conquest.regiment.line-of-sight.front-arc")
    refused(battle, ["t", "u"])
    hidden = scene(
        regiment("a", 0, (36, 10)),
        regiment("f", 0, (36, 14), stands=6, files=6),
        regiment("t", 1, (36, 18), stands=2),
    )
    refused(hidden, "charge", "conquest.charge.declare")


@pytest.mark.rule("conquest.charge.roll")
def test_die_plus_lowest_march():
    good = do(charging(target=(36, 18), dice=[3]), "charge", "t")
    assert last(good, "charge-roll")["success"], "5 + 3 reaches 8.0"
    short = do(charging(target=(36, 18.1), dice=[3]), "charge", "t")
    assert not last(short, "charge-roll")["success"]
    joined = charging(of=profile(m=6), characters=[hero("h", 0, "a", profile(m=5))], dice=[4])
    assert last(do(joined, "charge", "t"), "charge-roll")["charge"] == 9


@pytest.mark.rule("conquest.charge.max-range")
def test_the_greatest_charge_distance():
    assert "charge" in offered(charging(target=(36, 21.0)))
    assert "charge" not in offered(charging(target=(36, 21.1)))
    swift = (Effect("a", "march", "add", 2, "conquest.draw-event.burnout", until="round"),)
    assert "charge" in offered(charging(target=(36, 23.0), effects=swift))
    assert "charge" not in offered(charging(target=(36, 23.1), effects=swift))
    two = do(charging(regiment("u", 1, (36, 23)), target=(36, 15)), "charge")
    refused(two, "u", "conquest.charge.max-range")


@pytest.mark.rule("conquest.charge.move", "conquest.charge.align")
def test_the_charger_ends_flush_with_the_target():
    battle = do(charging(target=(38, 18), dice=[5]), "charge", "t")
    while battle.decision and battle.decision.prompt.key == "ask.contact":
        battle.answer("0")
    a, t = r(battle, "a"), r(battle, "t")
    assert a.facing == pytest.approx(0.0)
    assert a.y == pytest.approx(18.0, abs=0.002)
    assert formation.touches(battle.state, a, t)
    turned = do(charging(target=(36, 17), enemy={"facing": 200.0}, dice=[6]), "charge", "t")
    while turned.decision and turned.decision.prompt.key == "ask.contact":
        turned.answer("0")
    assert r(turned, "a").facing == pytest.approx(20.0), "parallel to the side it charged"
    assert formation.touches(turned.state, r(turned, "a"), r(turned, "t"))


@pytest.mark.rule("conquest.charge.move.free-wheel")
def test_the_wheel_is_free_and_brings_most_stands_into_contact():
    battle = charging(target=(44, 17), dice=[6])
    found = contact.contacts(battle.state, r(battle, "a"), r(battle, "t"), "front")
    most = max(c.stands for c in found)
    assert all(c.stands == most for c in contact.best(found, "front"))
    assert all(abs(c.wheel) <= 90 for c in found)
    assert all(sum(type(leg).__name__ == "Turn" for leg in c.legs) <= 1 for c in found), "one wheel at most"
    battle.answer("charge")
    battle.answer("t")
    ways = [option.data for option in battle.decision.options.values()]
    assert len(ways) > 1
    assert {way["stands"] for way in ways} == {3}, "the player chooses among ways that do as well"
    battle.answer("1")
    assert last(battle, "charged")["stands"] == most == 3
    assert r(battle, "a").x == pytest.approx(ways[1]["x"], abs=0.002)
    aside = scene(regiment("a", 0, (36, 10)), regiment("t", 1, (40.4, 14.5), stands=1, of=profile(size=(0.4, 2.5))))
    own, target = r(aside, "a"), r(aside, "t")
    ground = contact.approach(aside.state, own, target, "front")
    free = contact.Quick(ground).free(contact.wheels_by(1))
    every = [c for wheel in free if (c := contact.wheeled(ground, wheel.degrees))]
    assert contact.best(contact.contacts(aside.state, own, target, "front"), "front")[0].stands == max(
        c.stands for c in every if c.clean and c.side == "front"
    )


@pytest.mark.rule("conquest.charge.move.through-friends", "conquest.charge.through")
def test_a_charge_passes_through_friends_that_fight_nobody():
    friend = regiment("f", 0, (36, 13.0), of=profile("cavalry", m=1), stands=2, files=2)
    battle = charging(
        friend, of=profile("cavalry", m=8), target=(36, 20), foe=profile("monster"), enemy={"stands": 1}, dice=[4]
    )
    do(battle, "charge", "t")
    while battle.decision and battle.decision.prompt.key == "ask.contact":
        battle.answer("0")
    assert formation.touches(battle.state, r(battle, "a"), r(battle, "t"))
    march_first = charging(
        regiment("f", 0, (36, 14), of=profile(m=1)), target=(36, 24.0), of=profile(m=5), foe=profile("monster"),
        enemy={"stands": 1}, dice=[6],
    )  # fmt: skip
    do(march_first, "march", forward(3))
    assert set(offered(march_first)) <= {"march", "charge"}
    do(march_first, "charge", "t")
    assert formation.touches(march_first.state, r(march_first, "a"), r(march_first, "t")), "out of the friend again"
    assert not r(march_first, "f").broken
    held = charging(
        regiment("f", 0, (36, 13.0), stands=20, files=20),
        regiment("x", 1, (36, 13.0), stands=1),
        of=profile("cavalry", m=8), target=(36, 20), foe=profile("monster"), enemy={"stands": 1}, dice=[6],
    )  # fmt: skip
    fired(do(held, "charge", "t"), "conquest.charge.blocked")


@pytest.mark.rule("conquest.charge.through.fail")
def test_a_failed_charge_through_breaks_both():
    def start(**more):
        return charging(
            regiment("f", 0, (36, 14), of=profile(m=1)), target=(36, 24.0), of=profile(m=5), foe=profile("monster"),
            enemy={"stands": 1}, dice=[1], **more,
        )  # fmt: skip

    battle = do(start(), "march", forward(3))
    assert "charge" in offered(battle)
    do(battle, "charge", "t")
    assert (r(battle, "a").x, r(battle, "a").y) == (36.0, 10.0), "back to where it stood before the March"
    assert r(battle, "a").broken
    assert r(battle, "f").broken
    assert not events(battle, "charged")
    beyond = charging(
        regiment("f", 0, (36, 19.0), of=profile(m=1)), target=(36, 20.0), of=profile(m=5), foe=profile("monster"),
        enemy={"stands": 1}, dice=[6],
    )  # fmt: skip
    do(beyond, "charge", "t")
    assert (r(beyond, "a").x, r(beyond, "a").y) == (36.0, 10.0), "there is no room behind the friend"
    assert r(beyond, "a").broken
    assert r(beyond, "f").broken
    one = do(start(options={"charge_through": "break-charger"}), "march", forward(3), "charge", "t")
    assert r(one, "a").broken
    assert not r(one, "f").broken


@pytest.mark.rule("conquest.charge.blocked")
def test_a_blocked_charge_fails():
    wall = wood("rock", 20, 14, 52, 15, "impassable")
    battle = charging(terrain=[wall], dice=[6])
    do(battle, "charge", "t")
    fired(battle, "conquest.charge.blocked", "conquest.charge.failed.move")
    assert not events(battle, "charged")
    held = charging(
        regiment("f", 0, (36, 14), stands=8, files=8),
        regiment("x", 1, (51, 14), stands=4, files=4),
        of=profile("cavalry"),
        dice=[6],
    )
    do(held, "charge", "t")
    fired(held, "conquest.charge.blocked")


@pytest.mark.rule("conquest.charge.one-inch-waived")
def test_a_charge_may_pass_near_another_enemy():
    near = regiment("n", 1, (44.05, 14), facing=180.0)
    battle = do(charging(near, dice=[6]), "charge", "t")
    while battle.decision and battle.decision.prompt.key == "ask.contact":
        battle.answer("0")
    assert events(battle, "charged"), "0.3 inch from a second enemy is legal"
    assert not formation.touches(battle.state, r(battle, "a"), r(battle, "n"))


@pytest.mark.rule("conquest.charge.align.target-turns")
def test_the_target_turns_if_the_charger_cannot():
    rocks = [wood("l", 28, 4, 32, 19.5, "impassable"), wood("r", 40, 4, 44, 17.5, "impassable")]
    battle = charging(target=(36, 19.5), enemy={"facing": 200.0}, terrain=rocks, dice=[6])
    do(battle, "charge", "t")
    while battle.decision and battle.decision.prompt.key == "ask.contact":
        battle.answer("0")
    fired(battle, "conquest.charge.align.target-turns")
    assert r(battle, "t").facing != 200.0
    assert formation.touches(battle.state, r(battle, "a"), r(battle, "t"))


def crowded(*others, **more):
    """The target is a single stand with another enemy 0.2 inch beside it, and at its other side a rock."""
    rock = wood("rock", 30.0, 12.0, 36.0, 22.0, "impassable")
    beside = regiment("n", 1, (39.95, 18), stands=1)
    more |= {"at": (39.8, 10), "target": (37.25, 18), "enemy": {"stands": 1}}
    return charging(beside, *others, terrain=[rock], dice=[6], **more)


@pytest.mark.rule("conquest.charge.align.push-interferer")
def test_an_interfering_enemy_is_moved_an_inch_away():
    aloof = regiment("m", 1, (48.0, 18.0), stands=1)
    battle = do(crowded(aloof), "charge", "t")
    a, n = r(battle, "a"), r(battle, "n")
    assert [e.facts["regiment"] for e in events(battle, "pushed-aside")] == ["n"], "only who interferes is moved"
    assert (r(battle, "m").x, r(battle, "m").y) == (48.0, 18.0)
    assert formation.touches(battle.state, a, r(battle, "t"))
    assert formation.distance(battle.state, a, n) == pytest.approx(1.0, abs=0.01)
    assert n.facing == 180.0
    assert math.hypot(n.x - 39.95, n.y - 18) < 1.01, "the shortest way"


@pytest.mark.rule("conquest.charge.align.push-interferer", "conquest.charge.one-inch-waived")
def test_nobody_is_pushed_aside_if_the_target_alone_can_be_touched():
    beside = regiment("n", 1, (42.7, 18), stands=2, files=2)
    battle = do(charging(beside, target=(37.5, 18), enemy={"stands": 2, "files": 2}, dice=[6]), "charge", "t")
    assert not events(battle, "pushed-aside")
    assert (r(battle, "n").x, r(battle, "n").y) == (42.7, 18.0)
    assert not formation.touches(battle.state, r(battle, "a"), r(battle, "n"))
    assert events(battle, "charged")
    house = wood("house", 39.3, 14.0, 44.0, 17.0, "building", kind="garrison", size=2)
    passing = do(charging(terrain=[house], target=(34.0, 18), dice=[6]), "charge", "t")
    walls = formation.piece_thing(passing.state, "house")
    assert fronts.gap(ranked.blocks(r(passing, "a")), (walls,)) > formation.TOUCH, "nor may a garrison be touched"


@pytest.mark.rule("conquest.charge.facing")
def test_the_side_is_that_of_the_arc_with_most_stands():
    flank = scene(regiment("a", 0, (26, 20), facing=90), regiment("t", 1, (36, 22), stands=4, files=2), dice=[6])
    assert contact.majority_side(r(flank, "t"), r(flank, "a"))[0] == "right"
    do(flank, "charge", "t")
    while flank.decision and flank.decision.prompt.key == "ask.contact":
        flank.answer("0")
    assert last(flank, "charged")["side"] == "right"
    assert formation.side_hit(r(flank, "t"), r(flank, "a")) == "right"
    border = scene(
        regiment("a", 0, (25.75, 34.5), facing=45.0, stands=2, files=2),
        regiment("t", 1, (36, 28), facing=180.0, stands=4, files=2),
    )
    a, t = r(border, "a"), r(border, "t")
    edge = world(ranked.pose(t), 5.0, 2.5)
    a.x, a.y = edge
    assert ranked.on_arc_line(t, a.x, a.y)
    assert not ranked.on_arc_line(t, a.x + 0.1, a.y)
    straddling = scene(regiment("a", 0, (33.0, 30), facing=0), regiment("t", 1, (36, 40), facing=180.0))
    assert contact.majority_side(r(straddling, "t"), r(straddling, "a"))[0] == "front"


@pytest.mark.rule("conquest.charge.facing")
def test_the_side_given_goes_before_more_stands_against_another():
    way = contact.Contact(0.0, 5.0, (30.0, 20.0, 0.0), "front", 2, ())
    more = way._replace(side="left", stands=3, end=(28.0, 22.0, 90.0))
    assert contact.best([way, more], "front") == [way]
    assert contact.best([way, more], "left") == [more]
    assert contact.best([way, more], "rear") == [more], "if that side cannot be reached, the most stands"
    deep = scene(
        regiment("a", 0, (24, 18), facing=40, stands=2, files=2),
        regiment("t", 1, (36, 24), stands=12, files=2),
        dice=[6],
    )
    assert contact.majority_side(r(deep, "t"), r(deep, "a"))[0] == "right"
    ground = contact.approach(deep.state, r(deep, "a"), r(deep, "t"), "right")
    free = contact.Quick(ground).free(contact.wheels_by(3))
    every = [(wheel, c) for wheel in free if (c := contact.wheeled(ground, wheel.degrees))]
    assert {c.side for _, c in every} == {"right", "front"}
    for wheel, c in every:
        assert (wheel.side, wheel.stands) == (c.side, c.stands), "the quick look sees what is measured"
        assert (wheel.x, wheel.y) == pytest.approx(c.end[:2], abs=1e-6)
        assert wheel.clear
        assert wheel.alone
        assert not wheel.overlaps
    deep.answer("charge")
    deep.answer("t")
    assert {option.data["side"] for option in deep.decision.options.values()} == {"right"}


@pytest.mark.rule("conquest.charge.facing")
def test_on_the_border_the_side_is_rolled_off():
    def start(*rolls):
        battle = scene(
            regiment("a", 0, (30.5, 35), facing=45.0, stands=2, files=2),
            regiment("t", 1, (36, 38), facing=180.0, stands=4, files=2),
            dice=[*rolls, 6],
        )
        assert contact.majority_side(r(battle, "t"), r(battle, "a")) == ("front", True)
        return do(battle, "charge", "t")

    assert rolled(start(2, 5), "roll-off") == [1, 1]
    won, lost = start(2, 5), start(5, 2)
    assert last(won, "charged")["side"] == "right", "the charging player won, and takes the flank"
    assert last(lost, "charged")["side"] == "front"


@pytest.mark.rule("conquest.charge.inspired")
def test_a_successful_charge_inspires_but_not_the_impact():
    battle = charging(of=profile("cavalry", c=3, rules=["impact 1"]), dice=[6, 6, 6, 6], target=(36, 14))
    do(battle, "charge", "t")
    assert events(battle, "hits")[0].facts["value"] == 3, "Impact at the plain Clash"
    do(battle, "clash")
    assert events(battle, "hits")[1].facts["value"] == 4
    late = charging(of=profile(c=3), dice=[6], target=(36, 19), taken=("march",))
    do(late, "charge", "t")
    assert r(late, "a").inspired == 0, "without an action left it is lost"


@pytest.mark.rule("conquest.charge.failed.move")
def test_a_failed_charge_advances_by_the_die():
    battle = do(charging(target=(36, 18.5), dice=[2]), "charge", "t")
    assert r(battle, "a").y == 12.0
    aside = do(charging(target=(42, 19.5), dice=[3]), "charge", "t")
    assert r(aside, "a").facing == 0.0, "it slides without turning"
    rock = charging(terrain=[wood("rock", 20, 14, 52, 15, "impassable")], dice=[6])
    do(rock, "charge", "t")
    assert r(rock, "a").y == pytest.approx(13.0, abs=0.01), "it keeps an inch from the rock"
    wall = charging(
        regiment("x", 1, (36, 14), stands=14, files=14), target=(36, 18), foe=profile("monster"), enemy={"stands": 1}
    )
    do(wall, "charge", "t")
    fired(wall, "conquest.charge.blocked")
    assert r(wall, "a").y == pytest.approx(13.0, abs=0.01), "and from another enemy"
    brink = scene(
        regiment("a", 0, (2.752, 10), facing=315, of=profile(m=1)), regiment("t", 1, (2.7, 16), stands=2), dice=[2]
    )
    do(brink, "charge", "t")
    assert events(brink, "charge-failed")
    assert r(brink, "a").x == pytest.approx(2.652, abs=0.002), "as far as the edge of the table lets it"
    assert 11.0 < r(brink, "a").y < 12.0


@pytest.mark.rule("conquest.charge.failed.ends-activation")
def test_a_failed_charge_ends_the_activation():
    battle = do(charging(target=(36, 20), dice=[1], stacks=((), ("t",))), "charge", "t")
    assert last(battle, "deactivated")["regiment"] == "a"
    assert r(battle, "a").inspired == 0


@pytest.mark.rule("conquest.charge.impact.timing", "conquest.charge.impact.attacks")
def test_every_stand_with_impact_attacks():
    battle = scene(
        regiment("a", 0, (36, 10), stands=4, files=2, of=profile("cavalry", rules=["impact 2"])),
        regiment("t", 1, (36, 15)),
        dice=[4] + [6] * 8,
        characters=[hero("h", 0, "a", profile("cavalry"))],
    )
    do(battle, "charge", "t")
    assert last(battle, "impact")["attacks"] == 8
    kinds = [e.kind for e in battle.events]
    assert kinds.index("charged") < kinds.index("impact") < kinds.index("inspired")
    failed = scene(
        regiment("a", 0, (36, 10), of=profile("cavalry", m=3, rules=["impact 2"])), regiment("t", 1, (36, 18)), dice=[1]
    )
    do(failed, "charge", "t")
    assert not events(failed, "impact")


@pytest.mark.rule("conquest.charge.impact.resolution")
def test_impact_is_resolved_like_a_clash():
    battle = scene(
        regiment("a", 0, (36, 10), stands=3, of=profile("cavalry", c=2, rules=["impact 2"])),
        regiment("t", 1, (36, 15), of=profile(d=3, e=0, r=3)),
        dice=[4, 1, 1, 2, 3, 4, 6, 4, 4, 1, 1, 2],
    )
    do(battle, "charge", "t")
    assert last(battle, "hits")["hits"] == 3
    assert rolled(battle, "defence") == [3]
    do(battle, "left")
    assert rolled(battle, "morale") == [2]
    rear = scene(
        regiment("a", 0, (36, 10), of=profile("cavalry", c=5, rules=["impact 1"])),
        regiment("t", 1, (36, 17.5), facing=0.0, of=profile(d=0, e=0, r=3)),
        dice=[4, 1, 6, 6, 6, 1, 4],
    )
    do(rear, "charge", "t")
    while rear.decision.prompt.key in ("ask.contact", "ask.casualty-end"):
        rear.answer(offered(rear)[0])
    assert [e.roll.faces for e in rear.events if e.kind == "reroll"] == [[4]], "a passed morale die is re-rolled"


@pytest.mark.rule("conquest.charge.impact.not-clash")
def test_clash_rules_do_not_help_impact():
    plain = ["impact 1", "cleave 2", "flurry", "relentless-blows"]
    battle = scene(
        regiment("a", 0, (36, 10), of=profile("cavalry", c=3, rules=plain), inspired=1),
        regiment("t", 1, (36, 15), of=profile(d=3, e=0)),
        dice=[4, 1, 6, 6, 1],
    )
    do(battle, "charge", "t")
    assert last(battle, "hits")["hits"] == 1, "no Relentless Blows, no Flurry"
    assert last(battle, "defended")["defense"] == 3, "no Cleave"
    brutal = scene(
        regiment("a", 0, (36, 10), of=profile("cavalry", c=3, rules=["impact 1", "brutal-impact 2"])),
        regiment("t", 1, (36, 15), of=profile(d=3, e=0)),
        dice=[4, 1, 6, 6, 1],
    )
    do(brutal, "charge", "t")
    assert last(brutal, "defended")["defense"] == 1
