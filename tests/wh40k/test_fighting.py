"""The Fight phase: who fights when, piling in, who may attack whom, consolidating."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.rulings import standing
from wh40k.builder import (
    STAY,
    ability,
    area,
    at,
    cites,
    do,
    gun,
    kinds,
    options,
    prompt,
    refused,
    row,
    scene,
    solid,
    strike,
    sword,
    told,
    unit,
)

TOUGH = {"w": 9, "t": 9, "sv": 2}
EFFECT = {"what": "ability", "op": "add"}


def fight(*units, dice=None, **more):
    more.setdefault("sides", [{"cp": 0}, {"cp": 0}])
    return scene(*units, phase="fight", dice=dice, **more)


def finish(battle, most: int = 80):
    """Everybody stays, strikes and stays, until the phase is over."""
    for _ in range(most):
        if battle.decision is None or battle.state.phase != "fight":
            break
        key = prompt(battle)
        if key in ("ask.pile-in", "ask.consolidate"):
            battle.answer(STAY)
        else:
            battle.answer(battle.decision.suggest())
    return battle


def order(battle) -> list[str]:
    return [e.facts["unit"] for e in finish(battle).events if e.kind == "fights"]


def pairs(n: int, **more):
    """n fights side by side: a1 against b1, a2 against b2, …"""
    units = []
    for k in range(n):
        a = {**TOUGH, **more.get(f"a{k + 1}", {})}
        b = {**TOUGH, **more.get(f"b{k + 1}", {})}
        units += [unit(f"a{k + 1}", (5 + 6 * k, 10), **a), unit(f"b{k + 1}", (5 + 6 * k, 11.2), **b)]
    return units


CHARGED = {"marks": ["charged"]}


@pytest.mark.rule("wh40k.fight.phase", "wh40k.fight.order.normal-group")
def test_both_sides_fight_the_other_player_first() -> None:
    assert order(fight(*pairs(2), seed=1))[0][0] == "b"
    alternating = [key[0] for key in order(fight(*pairs(2), seed=1))]
    assert alternating == ["b", "a", "b", "a"]


@pytest.mark.rule("wh40k.fight.order.first-group", "wh40k.fight.order.first-group.alternate")
def test_who_charged_fights_first_and_by_turns_with_who_fights_first() -> None:
    first = ability("fights-first")
    units = pairs(3, a1={**CHARGED, "targets": ["b1"]}, a2={**CHARGED, "targets": ["b2"]}, b3={"abilities": [first]})
    sides = [key[0] for key in order(fight(*units, seed=1))]
    assert sides[:3] == ["a", "b", "a"]
    only = pairs(2, b2={"abilities": [first]})
    assert order(fight(*only, seed=1))[0] == "b2"


@pytest.mark.rule("wh40k.fight.order.run-out")
def test_who_has_more_goes_on_alone() -> None:
    units = [
        unit("a1", (10, 10), **TOUGH),
        unit("a2", (12, 10), **TOUGH),
        unit("a3", (11, 12.4), **TOUGH),
        unit("b1", (11, 11.2), w=30, t=9, sv=2),
    ]
    assert [key[0] for key in order(fight(*units, seed=1))] == ["b", "a", "a", "a"]


@pytest.mark.rule("wh40k.fight.fights-last", "wh40k.fight.fights-last.alternate")
def test_who_fights_last_waits_for_all_others() -> None:
    last = {"abilities": [ability("fights-last")]}
    assert order(fight(*pairs(2, b1=last), seed=1))[-1] == "b1"
    both = order(fight(*pairs(3, a1=last, b2=last, b3=last), seed=1))
    assert [key[0] for key in both[-3:]] == ["a", "b", "b"]


@pytest.mark.rule("wh40k.fight.first-and-last-cancel", "wh40k.fight.fights-first")
def test_first_and_last_make_neither() -> None:
    from umpire.games.wh40k.fighting import FIRST, LAST, NORMAL, group_of

    one, other = ability("fights-first"), ability("fights-last")
    battle = fight(
        *pairs(
            4,
            a1={"abilities": [one, other]},
            a2={**CHARGED, "abilities": [other]},
            a3={"abilities": [one]},
            a4={"abilities": [other]},
        )
    )
    state = battle.state
    assert [group_of(state, state.unit(f"a{n}")) for n in (1, 2, 3, 4)] == [NORMAL, NORMAL, FIRST, LAST]


@pytest.mark.rule("wh40k.fight.eligible.charged", "wh40k.fight.eligible.engaged")
def test_who_charged_fights_though_nobody_is_near() -> None:
    from umpire.games.wh40k.fighting import eligible, objections

    battle = fight(
        unit("a1", (10, 10), **CHARGED),
        unit("a2", (20, 10)),
        unit("b1", (10, 20)),
        unit("b2", (20, 12.1)),
        *pairs(1)[:0],
    )
    state = scene(
        unit("a1", (10, 10), **CHARGED),
        unit("a2", (20, 10)),
        unit("b1", (10, 20)),
        unit("b2", (20, 12.1)),
        phase="movement",
    ).state
    assert eligible(state, state.unit("a1"))
    assert [r.rule for r in objections(state, state.unit("a2"))] == ["wh40k.fight.eligible.engaged"]  # 1.1 inches
    assert battle is not None


@pytest.mark.rule("wh40k.fight.once-per-phase", "wh40k.fight.mandatory")
def test_each_fights_once_and_nobody_passes() -> None:
    battle = fight(*pairs(2), seed=1)
    assert prompt(battle) == "ask.fight"
    assert refused(battle, "pass") == ["wh40k.fight.mandatory"]
    do(battle, "b1")
    for _ in range(9):
        if prompt(battle) == "ask.fight":
            break
        do(battle, battle.decision.suggest())
    assert prompt(battle) == "ask.fight"
    assert battle.decision.side == 0
    counts = order(battle)
    assert sorted(counts) == sorted(set(counts))


@pytest.mark.rule("wh40k.fight.eligible.reevaluate", "wh40k.fight.consolidate.direction")
def test_who_is_consolidated_into_must_fight_too() -> None:
    units = [
        unit("a1", (10, 10), **TOUGH, **CHARGED, targets=["b1"]),
        unit("b1", (10, 11.2), **TOUGH),
        unit("b2", (12.05, 10), **TOUGH),
    ]
    battle = fight(*units, seed=2)
    while prompt(battle) != "ask.consolidate":
        do(battle, STAY if prompt(battle) == "ask.pile-in" else battle.decision.suggest())
    do(battle, at(a1_1=(10.1, 10.15)))
    assert cites(battle, "wh40k.fight.consolidate.direction")
    assert "b2" in order(battle)
    assert cites(battle, "wh40k.fight.eligible.reevaluate")


@pytest.mark.rule(
    "wh40k.fight.again.complete-first", "wh40k.fight.again.counts-as-two-units", "wh40k.fight.again.targets"
)
def test_a_second_fight_is_a_second_unit() -> None:
    again = {"abilities": [ability("fight-again")]}
    keys = order(fight(*pairs(2, a1=again), seed=1))
    assert keys.count("a1") == 2
    assert [key[0] for key in keys[:4]] == ["b", "a", "b", "a"]


@pytest.mark.rule("wh40k.fight.again.both-first", "wh40k.fight.again.charge-restriction")
def test_both_fights_of_a_charger_come_first() -> None:
    again = {"abilities": [ability("fight-again")], **CHARGED, "targets": ["b1"]}
    battle = fight(*pairs(2, a1=again), seed=1)
    assert order(battle)[:2] == ["a1", "a1"]
    assert cites(battle, "wh40k.fight.again.charge-restriction")
    from umpire.games.wh40k.melee import may_target

    twice = scene(
        unit("a1", (10, 10), fights=2, **CHARGED, targets=["b1"]),
        unit("b1", (10, 11.2)),
        unit("b2", (11.2, 10)),
        phase="movement",
    ).state
    assert not may_target(twice, twice.unit("a1"), twice.unit("b2"))


@pytest.mark.rule("wh40k.fight.again.needs-eligible")
def test_nobody_fights_again_whom_nobody_is_near() -> None:
    from umpire.games.wh40k.fighting import objections

    state = scene(
        unit("a1", (10, 10), fights=1, abilities=[ability("fight-again")]), unit("b1", (10, 20)), phase="movement"
    ).state
    assert [r.rule for r in standing(state, objections(state, state.unit("a1")))] == [
        "wh40k.fight.again.needs-eligible"
    ]


@pytest.mark.rule("wh40k.fight.sequence", "wh40k.fight.term.round-vs-attack")
def test_pile_in_attacks_consolidate() -> None:
    battle = fight(unit("a1", (10, 10), **TOUGH), unit("b1", (10, 11.5), **TOUGH), seed=1)
    seen = []
    while battle.decision is not None and battle.state.phase == "fight" and len(seen) < 3:
        seen.append(prompt(battle))
        do(battle, STAY if seen[-1] in ("ask.pile-in", "ask.consolidate") else battle.decision.suggest())
    assert seen[0] == "ask.pile-in"
    assert "ask.consolidate" in seen or "consolidate" in kinds(battle)
    assert told(battle, "fights")[0].rules[1] == "wh40k.fight.term.round-vs-attack"


# -- pile in and consolidate -------------------------------------------------------------------------------------------


def piling(*units, **more):
    battle = fight(*units, **more)
    while prompt(battle) not in ("ask.pile-in",) or battle.decision.about != "a1":
        do(battle, STAY if prompt(battle) in ("ask.pile-in", "ask.consolidate") else battle.decision.suggest())
    return battle


READY = {**CHARGED, "targets": ["b1"]}


@pytest.mark.rule("wh40k.fight.pile-in.distance", "wh40k.fight.pile-in.closer")
def test_piling_in_goes_three_inches_and_nearer_to_the_nearest() -> None:
    battle = piling(unit("a1", (10, 10), **READY), unit("b1", (10, 14.5)), unit("b2", (14.6, 11)))
    assert refused(battle, at(a1_1=(10, 13))) == []
    assert refused(battle, at(a1_1=(10, 13.1))) == ["wh40k.fight.pile-in.distance"]
    assert refused(battle, at(a1_1=(12, 10.2))) == ["wh40k.fight.pile-in.closer"]  # nearer to the other
    assert refused(battle, at(a1_1=(10.4, 10.2))) == []  # however little


@pytest.mark.rule("wh40k.fight.pile-in.coherency")
def test_piling_in_keeps_the_unit_together() -> None:
    battle = piling(unit("a1", (10, 10), (10, 7), **READY), unit("b1", (10, 14)))
    assert refused(battle, at(a1_1=(10, 11))) == ["wh40k.fight.pile-in.coherency"]


@pytest.mark.rule("wh40k.fight.pile-in.base-contact", "wh40k.fight.pile-in.optional")
def test_who_touches_an_enemy_stays() -> None:
    battle = piling(unit("a1", (10, 10), (11.2, 9.5), **READY), unit("b1", (10, 11)))
    assert refused(battle, at(a1_1=(10.1, 9.99))) == ["wh40k.fight.pile-in.base-contact"]
    assert refused(battle, at(a1_2=(11, 10.2))) == []
    assert refused(battle, STAY) == []


@pytest.mark.rule("wh40k.fight.pile-in.direction", "wh40k.fight.target.charged")
def test_a_charger_may_pile_into_others_but_not_attack_them() -> None:
    battle = piling(
        unit("a1", (10, 10), **READY, **TOUGH), unit("b1", (10, 11.9), **TOUGH), unit("b2", (12.4, 10.8), **TOUGH)
    )
    do(battle, at(a1_1=(10.6, 10.4)))
    assert cites(battle, "wh40k.fight.pile-in.direction")
    assert prompt(battle) == "ask.strike"
    rows = battle.decision.rows
    assert [o.id for o in rows["a1.1"].choices["target"]] == ["b1"]


@pytest.mark.rule("wh40k.move.aircraft-closest-ignored")
def test_aircraft_are_not_the_nearest_but_for_fly() -> None:
    from umpire.games.wh40k.closing import nearest_enemies

    plane, foot = unit("b1", (10, 12), keywords=["aircraft"]), unit("b2", (13.5, 10))
    for keywords, nearest in (([], "b2.1"), (["fly"], "b1.1")):
        state = scene(unit("a1", (10, 10), keywords=keywords), plane, foot, phase="movement").state
        a1 = state.unit("a1")
        assert [m.id for m in nearest_enemies(state, a1, a1.models[0])] == [nearest]


@pytest.mark.rule("wh40k.fight.single-model")
def test_where_one_model_fights_the_others_stay() -> None:
    from umpire.games.wh40k.closing import Closer

    state = scene(unit("a1", (10, 10), (11.5, 10)), unit("b1", (10, 12.5)), phase="movement").state
    closer = Closer(state, state.unit("a1"), "pile-in", "a1.1")
    assert closer.judge(at(a1_1=(10, 10.5))) == []
    assert [r.rule for r in closer.judge(at(a1_2=(11.4, 10.5)))] == ["wh40k.fight.single-model"]


@pytest.mark.rule("wh40k.fight.consolidate.distance", "wh40k.fight.consolidate.closer")
def test_consolidating_is_bound_like_piling_in() -> None:
    from umpire.games.wh40k.closing import Closer

    state = scene(unit("a1", (10, 10)), unit("b1", (10, 15)), phase="movement").state
    closer = Closer(state, state.unit("a1"), "consolidate")
    assert closer.judge(at(a1_1=(10, 13))) == []
    assert [r.rule for r in standing(state, closer.judge(at(a1_1=(10, 13.1))))] == ["wh40k.fight.consolidate.distance"]
    assert [r.rule for r in standing(state, closer.judge(at(a1_1=(9, 9))))] == ["wh40k.fight.consolidate.closer"]


@pytest.mark.rule(
    "wh40k.fight.consolidate.coherency", "wh40k.fight.consolidate.base-contact", "wh40k.fight.consolidate.optional"
)
def test_consolidating_keeps_together_and_leaves_contact_alone() -> None:
    from umpire.games.wh40k.closing import Closer

    state = scene(unit("a1", (10, 10), (10, 7.5)), unit("b1", (10, 11)), phase="movement").state
    closer = Closer(state, state.unit("a1"), "consolidate")
    assert [r.rule for r in standing(state, closer.judge(at(a1_1=(10.1, 10))))] == [
        "wh40k.fight.consolidate.base-contact"
    ]
    apart = scene(unit("a1", (10, 10), (10, 7)), unit("b1", (10, 13)), phase="movement").state
    free = Closer(apart, apart.unit("a1"), "consolidate")
    assert [r.rule for r in standing(apart, free.judge(at(a1_1=(10, 11))))] == ["wh40k.fight.consolidate.coherency"]
    assert free.judge(STAY) == []


# -- who attacks whom --------------------------------------------------------------------------------------------------


def reach(*units, **more) -> dict[str, list[str]]:
    from umpire.games.wh40k.melee import reach_of

    state = scene(*units, phase="movement", **more).state
    return {key: [foe.id for foe in foes] for key, foes in reach_of(state, state.unit("a1")).items()}


@pytest.mark.rule("wh40k.fight.models.front", "wh40k.core.engagement-range")
def test_models_in_engagement_range_attack() -> None:
    found = reach(unit("a1", (10, 10), (12.1, 10)), unit("b1", (10, 12)))
    assert found == {"a1.1": ["b1"]}  # exactly an inch; the other is 1.9 away and not behind
    floor = {"kind": "floor", "points": [(-2, -2), (2, -2), (2, 2), (-2, 2)], "floor": 4.9, "top": 5.0}
    high = {**floor, "floor": 5.4, "top": 5.5}
    for part, met in ((floor, True), (high, False)):
        ruin = area("ruins", 10, 12, 4, 4, parts=[part])
        above = unit("b1", (10, 11.5, part["top"]), keywords=["infantry"])
        assert bool(reach(unit("a1", (10, 9.6)), above, terrain=[ruin])) is met


@pytest.mark.rule("wh40k.fight.models.second-rank")
def test_a_second_rank_strikes_past_the_first_and_no_third_does() -> None:
    found = reach(unit("a1", (10, 10), (10, 8.5), (10, 7)), unit("b1", (10, 11.9)))
    assert list(found) == ["a1.1", "a1.2"]
    assert list(reach(unit("a1", (10, 10), (10, 8.4)), unit("b1", (10, 11.9)))) == ["a1.1"]


@pytest.mark.rule("wh40k.terrain.trait.defence-line.fight")
def test_a_defence_line_is_fought_across() -> None:
    line = solid("barricades", 10, 11.2, 8, 1.2, 1.2)
    found = reach(unit("a1", (10, 10)), unit("b1", (10, 12.5)), terrain=[line])
    assert found == {"a1.1": ["b1"]}  # 1.5 between them
    wide = solid("barricades", 10, 11.5, 8, 1.6, 1.2)
    assert reach(unit("a1", (10, 10)), unit("b1", (10, 13.1)), terrain=[wide]) == {}  # 2.1
    assert reach(unit("a1", (10, 10)), unit("b1", (10, 12.5))) == {}


@pytest.mark.rule("wh40k.fight.target.not-charged", "wh40k.fight.attack.steps")
def test_who_did_not_charge_may_divide_its_attacks() -> None:
    battle = fight(
        unit("a1", (10, 10), a=3, **TOUGH, fights=0),
        unit("b1", (10, 11), fights=1),
        unit("b2", (11, 10), fights=1),
        seed=1,
    )
    while prompt(battle) != "ask.strike":
        do(battle, STAY)
    two = strike("a1.1:2 close-combat-weapon/strike>b1", "a1.1:1 close-combat-weapon/strike>b2")
    assert refused(battle, two) == []


@pytest.mark.rule("wh40k.fight.attacks.must-use-all", "wh40k.fight.attacks.number")
def test_all_attacks_are_used_and_no_more() -> None:
    battle = fight(unit("a1", (10, 10), a=3, **TOUGH), unit("b1", (10, 11), fights=1), seed=1)
    assert prompt(battle) == "ask.strike"
    blow = "close-combat-weapon/strike>b1"
    assert refused(battle, strike(f"a1.1:2 {blow}")) != []
    assert refused(battle, strike(f"a1.1:4 {blow}")) != []
    assert refused(battle, strike(f"a1.1:3 {blow}")) == []


@pytest.mark.rule("wh40k.fight.attacks.split-weapons", "wh40k.fight.attacks.split-profiles")
def test_attacks_are_divided_over_weapons_and_profiles() -> None:
    blades = {
        "id": "blade",
        "profiles": [{"id": "cut", "type": "melee", "s": "user"}, {"id": "sweep", "type": "melee", "s": "user"}],
    }
    battle = fight(
        unit("a1", (10, 10), a=3, weapons=[sword(), blades], **TOUGH), unit("b1", (10, 11), fights=1, w=30), seed=1
    )
    both = strike("a1.1:2 sword/shot>b1", "a1.1:1 blade/cut>b1")
    assert refused(battle, both) == []
    assert refused(battle, strike("a1.1:3 sword/shot>b1", "a1.1:3 blade/cut>b1")) != []
    profiles = battle.fork()
    do(profiles, strike("a1.1:2 blade/cut>b1", "a1.1:1 blade/sweep>b1"))
    assert cites(profiles, "wh40k.fight.attacks.split-profiles")
    do(battle, both)
    assert cites(battle, "wh40k.fight.attacks.split-weapons")


@pytest.mark.rule("wh40k.fight.default-weapon", "wh40k.fight.default-weapon.profile")
def test_who_has_no_melee_weapon_fights_with_a_plain_one() -> None:
    from umpire.games.wh40k.profiles import CLOSE_COMBAT

    battle = fight(unit("a1", (10, 10), **TOUGH), unit("b1", (10, 11), fights=1, w=30), seed=1)
    assert [o.id for o in battle.decision.rows["a1.1"].choices["weapon"]] == ["close-combat-weapon/strike"]
    do(battle, battle.decision.suggest())
    assert cites(battle, "wh40k.fight.default-weapon")
    plain = CLOSE_COMBAT.profiles[0]
    assert (plain.s, plain.ap, plain.d, plain.rules) == ("user", 0, "1", ())
    armed = fight(unit("a1", (10, 10), weapons=[sword()], **TOUGH), unit("b1", (10, 11), fights=1), seed=1)
    assert refused(armed, strike("a1.1:1 close-combat-weapon/strike>b1")) != []


@pytest.mark.rule("wh40k.fight.resolve.like-shooting")
def test_melee_is_resolved_like_shooting_with_ws() -> None:
    battle = fight(
        unit("a1", (10, 10), a=3, ws=3, weapons=[sword()], **TOUGH),
        unit("b1", (10, 11), fights=1, w=30),
        dice=[1, 3, 6, 1, 1],
        seed=1,
    )
    do(battle, strike("a1.1:3 sword/shot>b1"))
    assert told(battle, "hits")[0].facts["hits"] == 2


@pytest.mark.rule("wh40k.stratagem.counter-offensive")
def test_counter_offensive_pulls_a_unit_forward() -> None:
    units = pairs(2, a1={**CHARGED, "targets": ["b1"]}, a2={**CHARGED, "targets": ["b2"]})
    battle = fight(*units, seed=1, sides=[{"cp": 0}, {"cp": 2}])
    for _ in range(20):
        if prompt(battle) == "ask.counter-offensive":
            break
        do(battle, STAY if prompt(battle) in ("ask.pile-in", "ask.consolidate") else battle.decision.suggest())
    assert prompt(battle) == "ask.counter-offensive"
    assert set(options(battle)) == {"b1", "b2", "pass"}
    do(battle, "b2")
    keys = order(battle)
    assert [key[0] for key in keys[:3]] == ["a", "b", "a"]
    assert keys[1] == "b2"


def test_rows_stand_side_by_side() -> None:
    assert row(0, 0, 2) == [(0.0, 0), (1.5, 0)]


@pytest.mark.rule("wh40k.fight.resolve.allocate-anywhere", "wh40k.fight.resolve.simultaneous")
def test_models_out_of_reach_may_be_lost_and_attacks_go_on() -> None:
    foes = unit("b1", (10, 11.5), (10, 13), (10, 14.5), fights=1, sv=7)
    battle = fight(
        unit("a1", (10, 10), a=2, ws=2, weapons=[sword(s="9", ap=-6)], **TOUGH),
        foes,
        dice=[6, 6, 6, 6] + [1] * 9,
        seed=1,
    )
    while prompt(battle) != "ask.strike":
        do(battle, STAY)
    do(battle, strike("a1.1:2 sword/shot>b1"))
    assert prompt(battle) == "ask.lost"
    do(battle, ["b1.2", "b1.3"])  # those behind, whom nobody reaches
    assert cites(battle, "wh40k.fight.resolve.allocate-anywhere")


@pytest.mark.rule("wh40k.fight.again.as-if-phase")
def test_a_fight_outside_the_fight_phase() -> None:
    now = ability("fight-now", when="command")
    battle = scene(
        unit("a1", (10, 10), abilities=[now], **TOUGH), unit("b1", (10, 11), **TOUGH), phase="command", round=2, seed=1
    )
    for _ in range(4):
        if "fights" in kinds(battle) or battle.decision is None or battle.state.phase != "command":
            break
        do(battle, battle.decision.suggest())
    assert "fights-now" in kinds(battle)


@pytest.mark.rule("wh40k.fight.again.not-consecutive", "wh40k.fight.again.interrupt-between")
def test_between_two_fights_others_fight_and_the_order_may_change() -> None:
    from umpire.games.wh40k.fighting import FIRST, NORMAL, group_of

    again = {"abilities": [ability("fight-again")]}
    battle = fight(*pairs(2, a1=again), seed=1)
    keys = order(battle)
    assert keys.index("a1") + 1 < len(keys) - 1 - keys[::-1].index("a1")
    assert cites(battle, "wh40k.fight.again.not-consecutive")
    late = pairs(1, a1={**CHARGED, "targets": ["b1"], "abilities": [ability("fight-again"), ability("fights-last")]})
    state = fight(*late, seed=1).state
    plain = fight(*pairs(1, a1=CHARGED), seed=1).state
    assert (group_of(plain, plain.unit("a1")), group_of(state, state.unit("a1"))) == (FIRST, NORMAL)


@pytest.mark.rule("wh40k.terrain.trait.defensible.set-to-defend")
def test_who_has_set_to_defend_hits_better_in_the_fight_phase() -> None:
    from umpire.games.wh40k.attacks import hit_need

    def need(phase: str = "fight", weapon: dict | None = None, **more: Any) -> tuple[int, int]:
        mine = unit("b1", (10, 11.2), ws=4, bs=4, weapons=[weapon or sword()], marks=["set-to-defend"], **more)
        state = scene(unit("a1", (10, 10)), mine, phase=phase).state
        b = state.unit("b1")
        found = hit_need(state, b, b.models[0], state.unit("a1"), b.sheet.weapons[0].profiles[0])
        return found.skill, found.modifier

    assert need() == (4, 1)
    assert need(abilities=[ability("modify", what="hit", value=1)]) == (4, 1)
    assert need(weapon=gun()) == (4, 0)
