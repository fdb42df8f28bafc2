"""Chapter 11: special rules that change numbers, re-roll dice, or add and spare results."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conquest.builder import (
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
    rule,
    scene,
    wood,
)

from umpire.engine.battle import Battle
from umpire.games.conquest import hooks, morale
from umpire.games.conquest.hooks import Query, stacked
from umpire.games.conquest.profiles import Profile, Rule
from umpire.games.conquest.state import State


def settle(battle: Battle[State], *answers: Any) -> Battle[State]:
    """Give the answers, and take casualties from the left."""
    for answer in answers:
        do(battle, answer)
        while battle.decision is not None and battle.decision.prompt.key == "ask.casualty-end":
            battle.answer("left")
    return battle


def fight(
    attacker: Profile | None = None,
    defender: Profile | None = None,
    dice: Any = "seed",
    own: dict[str, Any] | None = None,
    theirs: dict[str, Any] | None = None,
    **more: Any,
) -> Battle[State]:
    """One stand "a" in contact with "b"."""
    return scene(
        regiment("a", of=attacker, **{"stands": 1, **(own or {})}),
        regiment("b", 1, of=defender, **{"stands": 3, **(theirs or {})}),
        dice=dice,
        **more,
    )


def defense(
    foe: list[str], own: list[str], context: str = "clash", d: int = 3, side: str = "front",
    shots: list[str] | None = None, theirs: dict[str, Any] | None = None, **more: Any,
) -> float:  # fmt: skip
    """The Defense of "b" against "a"."""
    battle = fight(profile(rules=foe), profile(d=d, rules=own), theirs=theirs, **more)
    barrage = Rule("barrage", 1, False, 20, tuple(rule(s) for s in shots)) if shots else None
    query = Query(battle.state, r(battle, "b"), "defense", d, context, r(battle, "a"), side=side, barrage=barrage)
    return hooks.number(query).total


FLANKING = {"at": (36.0, 10.0), "facing": 270.0}


# -- stacking ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.stacking")
def test_the_same_rule_works_once_and_a_plus_is_added() -> None:
    def of(*texts: str) -> int:
        found = stacked([rule(text) for text in texts])
        assert found is not None
        return found.value

    assert of("cleave 1", "cleave 1") == 1
    assert of("cleave 1", "cleave +1") == 2
    assert of("cleave 1", "cleave 3") == 3
    assert of("cleave +1") == 1
    assert defense([], ["shield", "phalanx"]) == 5
    assert defense(["cleave 1", "cleave +1"], []) == 1


# -- Defense -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.armor-piercing")
def test_armor_piercing_works_in_a_volley_on_defense_alone() -> None:
    assert defense([], [], "volley", shots=["armor-piercing 1"]) == 2
    assert defense([], [], "clash", shots=["armor-piercing 1"]) == 3
    battle = scene(
        regiment("a", stands=1, of=profile(v=3, rules=["barrage 1 20", "armor-piercing 3"])),
        regiment("b", 1, at=(36, 25), of=profile(d=2, e=1)),
        dice=[1, 1],
    )
    settle(battle, "volley", "b")
    assert (last(battle, "defended")["defense"], last(battle, "defended")["evasion"]) == (0, 1)
    none = scene(
        regiment("a", stands=1, of=profile(v=3, rules=["barrage 1 20", "armor-piercing 1"])),
        regiment("b", 1, at=(36, 25), of=profile(d=1, e=0)),
        dice=[1, 1],
    )
    settle(none, "volley", "b")
    assert last(none, "defended")["failed"] == 1, "not even a 1 saves"


@pytest.mark.rule("conquest.rule.cleave", "conquest.rule.brutal-impact")
def test_cleave_works_in_clash_and_duel_and_brutal_impact_on_impact() -> None:
    assert [defense(["cleave 2"], [], c) for c in ("clash", "duel", "impact", "volley")] == [1, 1, 3, 3]
    assert [defense(["brutal-impact 2"], [], c) for c in ("clash", "impact")] == [3, 1]
    assert defense(["cleave 4"], ["shield"]) == 0, "after all bonuses"


@pytest.mark.rule("conquest.rule.hardened")
def test_hardened_lessens_but_never_raises() -> None:
    assert defense(["cleave 2"], ["hardened 1"]) == 2
    assert defense(["cleave 1"], ["hardened 2"]) == 3
    assert defense(["brutal-impact 2"], ["hardened 1"], "impact") == 2
    assert defense([], ["hardened 1"], "volley", shots=["armor-piercing 2"]) == 2
    battle = fight(profile(a=1, rules=["smite"]), profile(d=4, e=0, rules=["hardened 2"]), dice=[1, 1, 1])
    settle(battle, "clash")
    assert last(battle, "defended")["defense"] == 0


@pytest.mark.rule("conquest.rule.shield", "conquest.rule.phalanx.defence")
def test_shield_and_phalanx_help_against_the_front() -> None:
    for context in ("clash", "volley", "impact", "spell"):
        assert defense([], ["shield"], context) == 4
        assert defense([], ["phalanx"], context) == 4
        assert defense([], ["shield", "phalanx"], context, side="flank") == 3
        assert defense([], ["shield"], context, side="rear") == 3


@pytest.mark.rule("conquest.rule.shield.garrison", "conquest.terrain.garrison.defence")
def test_shield_does_not_help_inside_and_the_walls_do() -> None:
    tower = wood("t", 34, 10, 38, 14, "tower", kind="garrison", size=3, defense=1)
    inside = {"where": "garrison", "garrison": "t"}
    assert defense([], ["shield"], d=2, theirs=inside, terrain=[tower]) == 3
    assert defense(["cleave 1"], [], d=2, theirs=inside, terrain=[tower]) == 2


@pytest.mark.rule("conquest.rule.linebreaker", "conquest.draw-event.bastion")
def test_linebreaker_ignores_shield_and_bastion_but_not_phalanx() -> None:
    def value(rules: list[str], context: str) -> float:
        battle = scene(
            regiment("b", of=profile(d=2, rules=["shield", "phalanx"], events=["bastion 1"])),
            regiment("a", 1, of=profile(rules=rules)),
            moment="activation",
        )
        query = Query(battle.state, r(battle, "b"), "defense", 2, context, r(battle, "a"))
        return hooks.number(query).total

    assert value([], "clash") == 5
    assert value(["linebreaker"], "clash") == 3
    assert value(["linebreaker"], "impact") == 3
    assert value(["linebreaker"], "volley") == 5


@pytest.mark.rule("conquest.rule.smite")
def test_smite_counts_defense_as_nothing() -> None:
    battle = fight(profile(a=2, rules=["smite"]), profile(d=4, e=2, rules=["shield"], w=9), dice=[1, 1, 2, 3, 1])
    settle(battle, "clash")
    assert last(battle, "defended")["defense"] == 0
    assert last(battle, "defended")["failed"] == 1, "Evasion 2 still works"
    bare = fight(profile(a=1, rules=["smite"]), profile(d=4, e=0, w=9), dice=[1, 1, 1])
    settle(bare, "clash")
    assert last(bare, "defended")["failed"] == 1


@pytest.mark.rule("conquest.rule.flawless-strikes")
def test_flawless_strikes_meet_defense_zero() -> None:
    """Dice 1,1,3: two hits against Defense 0 and one against 3."""
    battle = fight(
        profile(a=3, c=3, rules=["flawless-strikes"]), profile(d=3, e=0, w=9, rules=["hardened 2"]),
        dice=[1, 1, 3, 3, 1, 1, 1, 1],
    )  # fmt: skip
    settle(battle, "clash")
    assert [(e.facts["hits"], e.facts["defense"], e.facts["failed"]) for e in events(battle, "defended")] == [
        (1, 3, 0),
        (2, 0, 2),
    ]
    both = fight(
        profile(a=1, c=3, rules=["flawless-strikes", "relentless-blows"]), profile(d=3, e=0, w=9), dice=[1, 3, 1, 1]
    )
    settle(both, "clash")
    assert [(e.facts["hits"], e.facts["defense"]) for e in events(both, "defended")] == [(1, 3), (1, 0)]


@pytest.mark.rule("conquest.rule.precise-shot")
def test_precise_shot_meets_defense_zero() -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(v=2, rules=["barrage 3 20", "precise-shot"])),
        regiment("b", 1, at=(36, 25), of=profile(d=3, e=1, w=9)),
        dice=[1, 1, 2, 3, 1, 2],
    )
    settle(battle, "volley", "b")
    assert [(e.facts["hits"], e.facts["defense"], e.facts["failed"]) for e in events(battle, "defended")] == [
        (1, 3, 0),
        (2, 0, 1),
    ]


# -- to hit --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.flurry", "conquest.rule.parry")
def test_flurry_rerolls_failures_and_cancels_with_parry() -> None:
    battle = fight(profile(a=2, c=3, rules=["flurry"]), profile(d=9, e=9), dice=[5, 6, 2, 3, 1, 1])
    do(battle, "clash", True)
    assert last(battle, "hits")["hits"] == 2
    against = fight(profile(a=2, c=3, rules=["flurry"]), profile(d=5, rules=["parry"]), dice=[1, 6, 1])
    do(against, "clash")
    assert not events(against, "reroll")
    fired(against, "conquest.dice.reroll.cancel")


@pytest.mark.rule("conquest.rule.parry")
def test_parry_makes_ones_be_rolled_again_once() -> None:
    battle = fight(profile(a=2, c=3), profile(d=5, rules=["parry"]), dice=[1, 2, 1, 1, 1])
    do(battle, "clash")
    assert last(battle, "hits")["hits"] == 2, "a 1 again stands and hits"
    charge = scene(
        regiment("a", stands=1, of=profile(c=3, rules=["impact 1"])),
        regiment("b", 1, at=(36, 14), of=profile(d=5, rules=["parry"])),
        dice=[1, 1, 1],
    )
    do(charge, "charge", "b")
    assert not events(charge, "reroll"), "not against Impact attacks"


@pytest.mark.rule("conquest.rule.flurry")
def test_flurry_does_not_work_on_impact() -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(c=3, rules=["impact 1", "flurry"])),
        regiment("b", 1, at=(36, 14)),
        dice=[1, 6],
    )
    do(battle, "charge", "b")
    assert not events(battle, "reroll")


@pytest.mark.rule("conquest.rule.fiend-hunter")
@pytest.mark.parametrize(
    ("kind", "again"), [("brute", True), ("monster", True), ("infantry", False), ("cavalry", False)]
)
def test_fiend_hunter_rerolls_against_brutes_and_monsters(kind: str, again: bool) -> None:
    hunter = profile(a=1, c=3, v=2, rules=["fiend-hunter", "barrage 1 20"])
    battle = fight(hunter, profile(kind, d=9), dice=[6, 6, 6], theirs={"stands": 1})
    do(battle, "clash")
    assert (battle.decision is not None and battle.decision.prompt.key == "ask.reroll") is again
    shot = scene(
        regiment("a", stands=1, of=hunter), regiment("b", 1, stands=1, at=(36, 25), of=profile(kind)), dice=[6, 6]
    )
    do(shot, "volley", "b")
    assert (shot.decision is not None and shot.decision.prompt.key == "ask.reroll") is again


@pytest.mark.rule("conquest.rule.opportunists")
@pytest.mark.parametrize(("facing", "again"), [(180.0, False), (90.0, True), (0.0, True)])
def test_opportunists_strike_flank_and_rear(facing: float, again: bool) -> None:
    at = {180.0: (36.0, 10.0), 90.0: (37.25, 11.25), 0.0: (36.0, 12.5)}[facing]
    battle = fight(
        profile(a=1, c=3, rules=["opportunists"]), dice=[6, 6, 6], theirs={"stands": 1, "at": at, "facing": facing}
    )
    do(battle, "clash")
    assert (battle.decision is not None and battle.decision.prompt.key == "ask.reroll") is again


@pytest.mark.rule("conquest.rule.relentless-blows")
def test_relentless_blows_make_one_hit_more_of_each_one() -> None:
    """Clash 2, dice 1,2,1,6: five hits; rules of the defence roll apply to the extra ones too."""
    battle = fight(
        profile(a=4, c=2, rules=["relentless-blows", "cleave 1"]), profile(d=2, e=0, w=9), dice=[1, 2, 1, 6, *[1] * 5]
    )
    settle(battle, "clash")
    assert last(battle, "hits")["hits"] == 5
    assert last(battle, "defended")["defense"] == 1
    impact = scene(
        regiment("a", stands=1, of=profile(c=2, rules=["impact 2", "relentless-blows"])),
        regiment("b", 1, at=(36, 14)),
        dice=[1, 1, 1, 1, 1],
    )
    do(impact, "charge", "b")
    assert last(impact, "hits")["hits"] == 2


@pytest.mark.rule("conquest.rule.rapid-volley", "conquest.rule.rapid-volley.character")
def test_rapid_volley_is_not_for_characters() -> None:
    """Volley 3 with 1,1,3,5 is five hits; a Character's 1s are plain hits."""
    battle = scene(
        regiment("a", stands=2, files=3, of=profile(v=3, rules=["barrage 2 20", "rapid-volley"])),
        regiment("b", 1, at=(36, 25), of=profile(d=5)),
        characters=[hero("h", regiment="a", of=profile(v=3, rules=["barrage 2 20", "rapid-volley"]))],
        dice=[1, 1, 3, 5, 1, 1, *[1] * 7],
    )
    settle(battle, "volley", "b")
    assert [e.facts["hits"] for e in events(battle, "hits")] == [5, 2]
    fired(battle, "conquest.rule.rapid-volley.character")


@pytest.mark.rule("conquest.rule.torrential-fire")
@pytest.mark.parametrize(("at", "hits"), [(20.0, 2), (20.1, 1)])
def test_torrential_fire_doubles_hits_within_half_range(at: float, hits: int) -> None:
    """Half of 20 inches is 10, and exactly 10 is within."""
    battle = scene(
        regiment("a", stands=1, of=profile(v=3, rules=["barrage 1 20", "torrential-fire"])),
        regiment("b", 1, at=(36, at), of=profile(d=5)),
        dice=[2, *[1] * hits],
    )
    settle(battle, "volley", "b")
    assert last(battle, "hits")["hits"] == hits


@pytest.mark.rule("conquest.rule.torrential-fire", "conquest.rule.rapid-volley")
def test_extra_hits_are_not_doubled() -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(v=2, rules=["barrage 1 20", "torrential-fire", "rapid-volley"])),
        regiment("b", 1, at=(36, 18), of=profile(d=5)),
        dice=[1, 2, *[1] * 5],
    )
    settle(battle, "volley", "b")
    assert last(battle, "hits")["hits"] == 5


@pytest.mark.rule("conquest.rule.deadshot", "conquest.action.take-aim")
def test_deadshot_always_aims() -> None:
    shooter = profile(v=2, rules=["barrage 1 20", "deadshot"])
    for first in ((), ("take-aim",)):
        battle = scene(regiment("a", stands=1, of=shooter), regiment("b", 1, at=(36, 25)), dice=[6, 6])
        settle(battle, *first, "volley", "b")
        assert last(battle, "hits")["value"] == 3


@pytest.mark.rule("conquest.rule.glorious-charge")
def test_glorious_charge_raises_impact_alone() -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(c=2, a=1, rules=["impact 1", "glorious-charge", "terrifying 1"])),
        regiment("b", 1, at=(36, 14), of=profile(d=0, e=0, w=9, r=4)),
        dice=[1, 3, 3, 1, 6, 6],
    )
    settle(battle, "charge", "b")
    assert last(battle, "hits")["value"] == 3
    assert last(battle, "morale-test")["resolve"] == 2, "Terrifying (1) and (+1)"
    settle(battle, "clash")
    assert last(battle, "hits")["value"] == 3, "Clash 2, Inspired, and nothing more"


@pytest.mark.rule("conquest.rule.barrage")
def test_one_barrage_entry_is_chosen() -> None:
    two = profile(v=2, rules=["barrage 3 10", "barrage 1 24"])
    battle = scene(regiment("a", stands=2, files=2, of=two), regiment("b", 1, at=(36, 17)), dice=[6] * 8)
    do(battle, "volley", "b")
    assert battle.decision is not None
    assert battle.decision.prompt.key == "ask.barrage"
    do(battle, "0")
    assert rolled(battle, "hit") == [6]


@pytest.mark.rule("conquest.rule.loose-formation.volley", "conquest.rule.sureshot", "conquest.terrain.zonal.obscuring")
@pytest.mark.parametrize(
    ("shooter", "target", "veiled", "dice"),
    [
        ([], [], False, 3),
        ([], [], True, 2),
        ([], ["loose-formation"], False, 2),
        ([], ["loose-formation"], True, 2),
        (["sureshot"], [], True, 3),
        (["sureshot"], ["loose-formation"], True, 2),
    ],
)
def test_obscured_shots_are_halved_once(shooter: list[str], target: list[str], veiled: bool, dice: int) -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(v=2, rules=["barrage 3 20", *shooter])),
        regiment("b", 1, at=(36, 25), of=profile(rules=target)),
        terrain=[wood("w", 20, 15, 52, 18, "obscuring", "passable")] if veiled else [],
        dice=[6] * dice,
    )
    do(battle, "volley", "b")
    assert rolled(battle, "hit") == [dice]


# -- attacks -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.support")
def test_support_gives_more_attacks_unless_beset() -> None:
    """Three engaged stands with Attack 4 and three behind with Support (2): 18."""
    spears = profile(rules=["support 2"])
    battle = fight(spears, own={"stands": 6, "files": 3}, dice=[6] * 18)
    do(battle, "clash")
    assert rolled(battle, "hit") == [18]
    beset = scene(
        regiment("a", stands=6, files=3, of=spears),
        regiment("b", 1),
        regiment("c", 1, at=(39.75, 8), facing=270.0, stands=1),
        dice=[6] * 40,
    )
    do(beset, "clash")
    while beset.decision is not None and beset.decision.prompt.key == "ask.clash-target":
        beset.answer("b")
    query = Query(beset.state, r(beset, "a"), "support", 1.0, "clash", r(beset, "b"))
    assert hooks.number(query).total == 1


@pytest.mark.rule("conquest.rule.iron-discipline.support", "conquest.rule.iron-discipline.morale")
def test_iron_discipline_keeps_support_and_its_morale() -> None:
    drilled = profile(d=0, e=0, w=9, rules=["support 2", "iron-discipline"])
    beset = scene(regiment("a", stands=6, files=3, of=drilled), regiment("b", 1, at=(39.75, 8), facing=270.0, stands=1))
    assert hooks.number(Query(beset.state, r(beset, "a"), "support", 1.0, "clash")).total == 2
    rear = {"at": (36.0, 12.5), "facing": 0.0, "stands": 1}
    kept = fight(profile(a=6, c=3), drilled, theirs=rear, dice=[1] * 6 + [6] * 6 + [1, 1, 1, 1, 5, 5])
    settle(kept, "clash")
    assert last(kept, "morale-failed")["wounds"] == 2
    plain = fight(
        profile(a=6, c=3), profile(d=0, e=0, w=20), theirs=rear, dice=[1] * 6 + [6] * 6 + [1, 1, 1, 1, 5, 5] + [6] * 4
    )
    settle(plain, "clash")
    assert last(plain, "morale-failed")["wounds"] == 6


@pytest.mark.rule("conquest.rule.impact", "conquest.rule.loose-formation.no-impact")
def test_every_stand_with_impact_attacks_and_loose_ones_do_not() -> None:
    def impact(rules: list[str]) -> list[int]:
        battle = scene(
            regiment("a", stands=4, files=2, of=profile(rules=rules)), regiment("b", 1, at=(36, 14)), dice=[1] + [6] * 8
        )
        do(battle, "charge", "b")
        return rolled(battle, "hit")

    assert impact(["impact 2"]) == [8]
    assert impact(["impact 2", "loose-formation"]) == []


# -- defence and morale --------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.deadly-blades", "conquest.rule.tenacious")
def test_deadly_blades_and_tenacious() -> None:
    """Failed dice 4,5,6,6 cause 1+1+2+2 wounds and as many Morale dice; Tenacious takes a 6 off."""
    blades = profile(a=4, c=3, rules=["deadly-blades"])
    battle = fight(blades, profile(d=1, e=0, w=20), dice=[1] * 4 + [4, 5, 6, 6] + [1] * 6)
    settle(battle, "clash")
    assert rolled(battle, "morale") == [6]
    spared = fight(blades, profile(d=1, e=0, w=20, rules=["tenacious"]), dice=[1] * 4 + [4, 5, 6, 6] + [1] * 4)
    settle(spared, "clash")
    assert rolled(spared, "morale") == [4]
    impact = scene(
        regiment("a", stands=1, of=profile(c=3, rules=["impact 2", "deadly-blades"])),
        regiment("b", 1, at=(36, 14), of=profile(d=1, e=0, w=20)),
        dice=[1, 1, 1, 6, 6, 1, 1],
    )
    settle(impact, "charge", "b")
    assert rolled(impact, "morale") == [2]


@pytest.mark.rule("conquest.rule.deadly-shot")
def test_deadly_shot() -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(v=3, rules=["barrage 2 20", "deadly-shot"])),
        regiment("b", 1, at=(36, 25), of=profile(d=1, e=0, w=9)),
        dice=[1, 1, 5, 6],
    )
    settle(battle, "volley", "b")
    assert sum(s.wounds for s in r(battle, "b").stands) == 3


@pytest.mark.rule("conquest.rule.tenacious")
def test_tenacious_spares_one_die_of_the_whole_batch() -> None:
    """The regiment's hits and the Character's are one batch; the die does not become a 1."""
    battle = scene(
        regiment("a", stands=1, files=2, of=profile(a=3, c=3)),
        regiment("b", 1, stands=3, of=profile(d=1, e=0, w=20, rules=["tenacious", "counter-attack"])),
        characters=[hero("h", regiment="a", of=profile(a=2, c=3))],
        dice=[1] * 3 + [1] * 2 + [4, 4, 4] + [4, 4] + [1] * 4,
    )
    settle(battle, "clash")
    assert rolled(battle, "morale") == [4]
    assert not events(battle, "counter-attack")


@pytest.mark.rule("conquest.rule.untouchable", "conquest.rule.deadly-blades")
def test_untouchable_rerolls_sixes_once() -> None:
    battle = fight(
        profile(a=4, c=3, rules=["deadly-blades"]), profile(d=2, e=0, w=20, rules=["untouchable"]),
        dice=[1] * 4 + [1, 6, 6, 4] + [2, 6] + [1] * 3,
    )  # fmt: skip
    settle(battle, "clash", True)
    assert rolled(battle, "morale") == [3], "the 4, and a 6 that stands and counts double"


@pytest.mark.rule("conquest.rule.indomitable", "conquest.rule.oblivious")
@pytest.mark.parametrize(
    ("rules", "faces", "taken"),
    [
        (["indomitable"], [5, 5, 5, 1, 1], 2),
        (["indomitable"], [1, 1, 1, 1, 1], 0),
        (["oblivious"], [5, 5, 5, 5, 5], 3),
        (["oblivious"], [5, 5, 5, 5, 1], 2),
        (["oblivious"], [5, 1, 1, 1, 1], 1),
        (["oblivious", "indomitable"], [5, 5, 5, 5, 5], 2),
    ],
)
def test_indomitable_and_oblivious(rules: list[str], faces: list[int], taken: int) -> None:
    battle = fight(profile(a=5, c=3), profile(d=0, e=0, w=20, rules=rules), dice=[1] * 5 + [6] * 5 + faces)
    settle(battle, "clash")
    found = events(battle, "morale-failed")
    assert (found[-1].facts["wounds"] if found else 0) == taken


@pytest.mark.rule("conquest.rule.terrifying", "conquest.rule.fearless", "conquest.rule.bravery")
def test_terrifying_lowers_resolve_of_those_who_fear() -> None:
    def resolve(own: list[str], *foes: list[str]) -> float:
        battle = scene(
            regiment("a", stands=5, files=5, of=profile(r=3, rules=own)),
            *(
                regiment(f"b{k}", 1, stands=2, at=(33.5 + 5 * k, 10), of=profile(rules=rules))
                for k, rules in enumerate(foes)
            ),
        )
        return morale.resolve(battle, r(battle, "a"), "morale").value

    assert resolve([], []) == 4
    assert resolve([], ["terrifying 2"]) == 2
    assert resolve([], ["terrifying 1"], ["terrifying 1"]) == 3
    assert resolve([], ["terrifying 1", "terrifying +1"]) == 2
    assert resolve(["fearless"], ["terrifying 2"]) == 4
    assert resolve(["bravery"], ["terrifying 2"]) == 4


@pytest.mark.rule("conquest.rule.terrifying")
def test_a_terrifying_character_must_be_touched() -> None:
    def resolve(places: tuple[tuple[int, int], ...]) -> float:
        battle = scene(
            regiment("a", stands=1, of=profile(r=3), at=(38.5, 10)),
            regiment("b", 1, stands=2, files=3, at=(36, 10), places=places),
            characters=[hero("f", 1, "b", of=profile(rules=["terrifying 1"]))],
        )
        return morale.resolve(battle, r(battle, "a"), "morale").value

    assert resolve(((0, 1), (0, 2), (0, 0))) == 2
    assert resolve(((0, 0), (0, 1), (0, 2))) == 3


@pytest.mark.rule("conquest.rule.dauntless")
def test_dauntless_is_never_broken() -> None:
    battle = fight(
        profile(a=8, c=3), profile(d=0, e=0, w=2, r=5, rules=["dauntless"]),
        theirs={"stands": 6, "files": 3}, dice=[1] * 8 + [6] * 8 + [1] * 8,
    )  # fmt: skip
    settle(battle, "clash")
    assert len(r(battle, "b").stands) == 2
    assert not r(battle, "b").broken


@pytest.mark.rule("conquest.rule.dauntless.inspired", "conquest.rule.dauntless.priority")
def test_dauntless_is_always_inspired_whatever_says_no() -> None:
    def values(own: list[str], foe: list[str], hero_rules: list[str] | None = None) -> list[float]:
        characters = [] if hero_rules is None else [hero("h", regiment="a", of=profile(c=2, rules=hero_rules))]
        battle = fight(
            profile(a=1, c=2, rules=own), profile(d=5, rules=foe), own={"stands": 1, "files": 1 + len(characters)},
            characters=characters, dice=[6] * 20,
        )  # fmt: skip
        do(battle, "clash")
        return [e.facts["value"] for e in events(battle, "hits")]

    assert values(["dauntless"], []) == [3]
    assert values(["dauntless"], ["dread"]) == [3]
    assert values(["dauntless", "phalanx"], []) == [3]
    assert values(["dauntless"], [], []) == [3, 2]
    assert values(["dauntless"], [], ["dauntless"]) == [3, 3]


@pytest.mark.rule("conquest.rule.dread", "conquest.rule.phalanx.no-inspired")
def test_dread_and_phalanx_take_inspired_away() -> None:
    def value(own: list[str], foe: list[str]) -> float:
        battle = fight(profile(a=1, c=2, rules=own), profile(d=5, rules=foe), dice=[6] * 9)
        do(battle, "inspire", "clash")
        return float(last(battle, "hits")["value"])

    assert value([], []) == 3
    assert value([], ["dread"]) == 2
    assert value(["phalanx"], []) == 2


@pytest.mark.rule("conquest.rule.inspired", "conquest.rule.inspired.reroll", "conquest.terrain.zonal.water")
def test_inspired_is_worked_out_last() -> None:
    def hits(clash: int, wet: bool, faces: list[int], more: tuple[Any, ...] = ()) -> tuple[float, int]:
        battle = fight(
            profile(a=2, c=clash), profile(d=5), dice=faces,
            terrain=[wood("w", 30, 5, 40, 9, "water")] if wet else [],
        )  # fmt: skip
        do(battle, "inspire", "clash", *more)
        return last(battle, "hits")["value"], last(battle, "hits")["hits"]

    assert hits(3, False, [4, 6, 1, 1]) == (4, 1)
    assert hits(4, True, [4, 6, 1, 1]) == (4, 1), "4 less 1 for the water, then +1"
    assert hits(4, False, [2, 6, 6, 1], (True,)) == (4, 1), "a 6 again is a miss"
    assert hits(5, False, [2, 6, 3, 1, 1], (True,)) == (5, 2)


@pytest.mark.rule("conquest.rule.inspired")
def test_inspired_ends_with_the_activation() -> None:
    battle = fight(profile(a=1, c=2), dice=[6] * 9)
    do(battle, "inspire", "pass")
    assert r(battle, "a").inspired == 0


@pytest.mark.rule("conquest.rule.shock")
@pytest.mark.parametrize(("clash", "value", "again"), [(2, 4, False), (3, 4, True), (4, 4, True)])
def test_shock_inspires_twice(clash: int, value: int, again: bool) -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(c=clash, a=1, rules=["shock"])),
        regiment("b", 1, at=(36, 14), of=profile(d=5)),
        dice=[1, 6, 6, 6],
    )
    settle(battle, "charge", "b", "clash", *([True] if again else []))
    assert last(battle, "hits")["value"] == value
    assert bool(events(battle, "reroll")) is again
    inspired = fight(profile(a=1, c=2, rules=["shock"]), dice=[6] * 9)
    do(inspired, "inspire", "clash")
    assert last(inspired, "hits")["value"] == 3


@pytest.mark.rule("conquest.rule.phalanx.charge", "conquest.rule.unstoppable")
def test_a_phalanx_charges_march_and_three_without_a_die() -> None:
    def ready(gap: float) -> Battle[State]:
        return scene(
            regiment("a", of=profile(m=5, rules=["phalanx", "unstoppable"])),
            regiment("b", 1, at=(36, 10 + gap)),
            dice=[],
        )

    battle = ready(8.0)
    do(battle, "charge", "b")
    assert last(battle, "charge-roll")["success"]
    assert not rolled(battle, "charge")
    refused(ready(8.1), "charge", "conquest.charge.declare")


@pytest.mark.rule("conquest.rule.unstoppable")
def test_unstoppable_rerolls_a_failed_charge_once() -> None:
    fast = profile(m=5, rules=["unstoppable"])
    battle = scene(regiment("a", of=fast), regiment("b", 1, at=(36, 19)), dice=[2, 4])
    do(battle, "charge", "b", True)
    assert last(battle, "charge-roll")["success"]
    again = scene(regiment("a", of=fast), regiment("b", 1, at=(36, 19)), dice=[2, 3])
    do(again, "charge", "b", True)
    assert not last(again, "charge-roll")["success"]
    made = scene(regiment("a", of=fast), regiment("b", 1, at=(36, 19)), dice=[4])
    do(made, "charge", "b")
    assert not events(made, "reroll")


@pytest.mark.rule("conquest.rule.fly")
def test_flying_regiments_march_over_others_if_all_their_stands_fly() -> None:
    wings = profile(m=9, rules=["fly"])

    def march(own: Profile, characters: list[Any]) -> Battle[State]:
        battle = scene(
            regiment("a", stands=2, files=2, of=own),
            regiment("b", 1, at=(36, 12), stands=2, files=2),
            characters=characters,
        )
        return do(battle, "march")

    over = {"path": [{"how": "forward", "inches": 8.5}]}
    flying = march(wings, [])
    assert flying.check(over).legal
    refused(flying, {"path": [{"how": "forward", "inches": 3.0}]})
    refused(flying, {"path": [{"how": "forward", "inches": 7.8}]})
    refused(march(profile(m=9), []), over)
    refused(march(wings, [hero("h", regiment="a", of=profile(m=9))]), over)


@pytest.mark.rule("conquest.rule.arcing-fire", "conquest.rule.arcing-fire.no-aim-bonus")
def test_arcing_fire_needs_take_aim_and_a_friend_who_sees() -> None:
    """A friend in between hides the target from the engines and sees it himself."""
    engines = profile(v=2, rules=["barrage 1 24", "arcing-fire"])

    def ready(*others: Any, x: float = 36.0) -> Battle[State]:
        return scene(regiment("a", stands=1, of=engines), *others, regiment("b", 1, at=(x, 25), stands=1), dice=[6, 6])

    wall = wood("w", 20, 14, 52, 15, "los-blocking", "passable")
    blind = ready(regiment("f", at=(36, 13), stands=5, files=5))
    refused(blind, "volley", "conquest.volley.target")
    do(blind, "take-aim", "volley", "b")
    assert last(blind, "hits")["value"] == 2
    alone = scene(
        regiment("a", stands=1, of=engines, aimed=True), regiment("b", 1, at=(36, 25), stands=1), terrain=[wall]
    )
    assert "volley" not in offered(alone)
    seen = ready()
    do(seen, "take-aim", "volley", "b")
    assert last(seen, "hits")["value"] == 3


@pytest.mark.rule("conquest.rule.arcing-fire.garrison", "conquest.terrain.garrison.volley.special-rules")
def test_no_arcing_fire_from_inside() -> None:
    tower = wood("t", 34, 6, 38, 10, "tower", kind="garrison", size=3)
    wall = wood("w", 10, 14, 62, 15, "los-blocking", "passable")
    engines = profile(v=2, rules=["barrage 1 24", "arcing-fire"])
    inside = scene(
        regiment("a", stands=1, of=engines, where="garrison", garrison="t", aimed=True),
        regiment("b", 1, at=(36, 25), stands=1),
        regiment("f", at=(60, 20), stands=1, facing=300.0),
        terrain=[tower, wall],
    )
    assert "volley" not in offered(inside)
