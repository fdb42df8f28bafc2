"""Charges, pile-ins, the order of fighting, Power Through, combat range and sight."""

from __future__ import annotations

import math
from typing import Any

import pytest

from aos.builder import (
    STAY,
    ask,
    at,
    block,
    cites,
    do,
    kinds,
    melee,
    options,
    refused,
    rolls,
    row,
    scene,
    to,
    told,
    unit,
)
from umpire.engine.battle import Battle
from umpire.games.aos.hero import overpowered
from umpire.miniatures.loose.groups import distance_to

QUIET = {"sides": [{"command": 0}, {"command": 0}]}


@pytest.mark.rule("aos.charge.charge")
def test_a_charge_ends_within_half_an_inch() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 18.5)), phase="charge", dice=[3, 4], **QUIET)
    do(battle, "charge:a1")
    assert refused(battle, to(10, 17)) == []  # 7.5 inches away, ends 0.5 inches away
    assert refused(battle, to(10, 16.99)) == ["aos.charge.charge"]
    do(battle, to(10, 17))
    assert battle.state.unit("a1").charged
    short = scene(
        unit("a1", (10, 10)), unit("a2", (40, 2)), unit("b1", (10, 18.6)), phase="charge", dice=[3, 4], **QUIET
    )
    do(short, "charge:a1")
    assert "charge-fails" in kinds(short)
    assert not short.state.unit("a1").charged
    assert short.state.unit("a1").core


@pytest.mark.rule("aos.charge.charge")
def test_who_may_charge() -> None:
    battle = scene(
        unit("a1", (10, 10)),
        unit("a2", (20, 10), keywords_turn=["run"]),
        unit("a3", (30, 10)),
        unit("b1", (10, 12)),
        phase="charge",
    )
    assert refused(battle, "charge:a1") == ["aos.core.combat-range"]
    assert refused(battle, "charge:a2") == ["aos.charge.charge"]
    assert "charge:a3" in options(battle)  # no maximum distance to declare


@pytest.mark.rule("aos.charge.charge", "aos.core.visibility")
def test_the_enemy_charged_must_be_visible() -> None:
    wall = block(10, 14.25, 20, 0.3, 6)
    battle = scene(
        unit("a1", (10, 10), keywords=["fly"]),
        unit("b1", (10, 15)),
        phase="charge",
        dice=[6, 6],
        terrain=[wall],
        **QUIET,
    )
    do(battle, "charge:a1")
    assert refused(battle, to(10, 13.55)) == ["aos.charge.charge"]  # 0.45 inches off, behind the wall
    assert refused(battle, to(10, 16.3)) == []


@pytest.mark.rule("aos.core.visibility")
def test_own_models_never_block_sight_but_others_do() -> None:
    from umpire.games.aos.units import sees, unit_visible

    tall = {"height": 9, "base": [130]}
    battle = scene(unit("a1", (10, 10)), unit("a2", (10, 14), **tall), unit("b1", (10, 18)))
    state = battle.state
    a, b = state.unit("a1"), state.unit("b1")
    assert not unit_visible(state, a, b)
    assert sees(state, a, a.models[0], a, a.models[0])
    one = scene(unit("a1", (10, 10), (10, 12.5), height=9, base=[60]), unit("b1", (10, 18)))
    assert unit_visible(one.state, one.state.unit("a1"), one.state.unit("b1"))
    low = scene(unit("a1", (10, 10)), unit("a2", (10, 14)), unit("b1", (10, 18)))
    assert unit_visible(low.state, low.state.unit("a1"), low.state.unit("b1"))  # over heads no higher than one's own


@pytest.mark.rule("aos.core.combat-range")
def test_combat_range_is_horizontal_and_needs_sight() -> None:
    def in_combat(distance: float, **more: object) -> bool:
        return bool(scene(unit("a1", (10, 10)), unit("b1", (10, 11 + distance)), **more).state.unit("a1").fights)

    assert in_combat(3.0)
    assert not in_combat(3.01)
    assert in_combat(3.0, terrain=[block(10, 16, 10, 5, 10, type="area")])  # 10 inches higher
    assert not in_combat(3.0, terrain=[block(10, 12.5, 30, 0.5, 9)])  # a wall between
    whole = scene(unit("a1", *row(10, 10, 4)), unit("b1", (10, 13), (10, 14.2)))
    assert whole.state.unit("b1").fights == ("a1",)


@pytest.mark.rule("aos.command.counter-charge")
def test_counter_charge() -> None:
    battle = scene(
        unit("a1", (10, 10)),
        unit("b1", (10, 16)),
        unit("b2", (20, 16), keywords_turn=["move", "run"]),
        phase="charge",
        stage=1,
        dice=[3, 3],
        sides=[{}, {"command": 2}],
    )
    assert refused(battle, "counter-charge:b2") == ["aos.charge.charge"]
    fighting = scene(unit("a1", (10, 10)), unit("b1", (10, 12)), unit("b2", (20, 16)), phase="charge", stage=1)
    assert refused(fighting, "counter-charge:b1") == ["aos.core.combat-range"]
    own = scene(unit("a1", (10, 10)), unit("b1", (10, 20)), phase="charge")
    assert refused(own, "counter-charge:a1") == ["aos.round.phases"]
    do(battle, "counter-charge:b1")
    assert rolls(battle, "charge") == [[3, 3]]
    do(battle, to(10, 11.2))
    assert battle.state.unit("b1").charged
    assert battle.state.sides[1].command == 0


@pytest.mark.rule("aos.core.charge-on-terrain")
def test_charging_a_unit_on_a_feature_that_has_no_room() -> None:
    ring = [[1.75 * math.cos(math.pi * k / 12), 1.75 * math.sin(math.pi * k / 12)] for k in range(24)]
    tower = {"x": 10, "y": 16, "points": ring, "top": 2, "type": "area"}
    units = (unit("a1", (10, 10)), unit("b1", (10, 16), base=[70]))  # it fills the top
    battle = scene(*units, phase="charge", dice=[4, 3], terrain=[tower], **QUIET)
    do(battle, "charge:a1")
    assert refused(battle, at(a1_1=(10, 13.2))) == ["aos.charge.charge"]  # 0.55 inches from the feature
    do(battle, at(a1_1=(10, 13.65)))  # 0.1 inches from it, and in combat with the unit on it
    assert cites(battle, "aos.core.charge-on-terrain")
    assert battle.state.unit("a1").charged
    short = scene(*units, phase="charge", dice=[1, 3], terrain=[tower], **QUIET)  # 4.3 inches from the unit
    do(short, "charge:a1", at(a1_1=(10, 13.6)))  # but within reach of the feature
    assert short.state.unit("a1").charged
    roomy = block(10, 16, 8, 3, 2, type="area")
    for dice in ([6, 4], [2, 2]):  # there is a place beside it, whether or not the roll is enough to climb up there
        room = scene(unit("a1", (10, 10)), unit("b1", (10, 16)), phase="charge", dice=dice, terrain=[roomy], **QUIET)
        do(room, "charge:a1")
        assert refused(room, to(10, 13.9)) == ["aos.charge.charge"]


@pytest.mark.rule("aos.charge.charge", "aos.core.measuring")
def test_half_an_inch_is_measured_to_where_the_enemy_stands() -> None:
    hill = block(10, 16, 8, 4, 2, type="area")
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 14.6)), phase="charge", dice=[6, 6], terrain=[hill], **QUIET)
    do(battle, "charge:a1")
    assert refused(battle, at(a1_1=(10, 13.4))) == ["aos.charge.charge"]  # 0.2 inches off, but 2 inches below it
    assert refused(battle, at(a1_1=(11.2, 14.6))) == []  # beside it on the hill


@pytest.mark.rule("aos.fight.fight", "aos.core.pile-in")
def test_pile_in_ends_no_farther_from_the_target() -> None:
    battle = scene(unit("a1", (10, 10), (11.2, 10)), unit("b1", (10, 12)), phase="combat", dice=[1, 1], **QUIET)
    assert refused(battle, at(a1_2=(11.2, 9.9))) == ["aos.core.pile-in"]
    assert refused(battle, at(a1_2=(11.2, 10.5))) == []
    alone = scene(unit("a1", (10, 10)), unit("b1", (10, 11.5)), phase="combat", **QUIET)
    assert (
        refused(alone, {"models": {"a1.1": {"x": 8.5, "y": 11.5, "path": [[8.6, 10.4]]}}}) == []
    )  # circling is allowed
    far = scene(unit("a1", (10, 10), (10, 8.7), (10, 7.4)), unit("b1", (10, 12)), phase="combat", **QUIET)
    assert refused(far, at(a1_3=(11.2, 10.9))) == ["aos.core.pile-in"]  # more than 3 inches


@pytest.mark.rule("aos.core.pile-in")
def test_after_a_pile_in_all_combats_go_on() -> None:
    battle = scene(
        unit("a1", (10, 10)), unit("b1", (10, 13)), unit("b2", (6.2, 10)), phase="combat", dice=[1] * 9, **QUIET
    )
    do(battle, "b1")
    assert refused(battle, at(a1_1=(10.5, 11.5))) == ["aos.core.pile-in"]  # leaves b2
    assert refused(battle, at(a1_1=(9.7, 11))) == []
    more = scene(
        unit("a1", (10, 10)), unit("b1", (10, 13)), unit("b2", (14.4, 11)), phase="combat", dice=[1] * 9, **QUIET
    )
    do(more, at(a1_1=(10.9, 11)))
    assert set(more.state.unit("a1").fights) == {"b1", "b2"}  # a pile-in may bring further enemies in


@pytest.mark.rule("aos.fight.fight", "aos.core.pile-in-free")
def test_a_unit_that_charged_may_pile_in_out_of_combat() -> None:
    battle = scene(unit("a1", (10, 10), charged=True), unit("b1", (10, 15)), phase="combat", dice=[1, 1], **QUIET)
    assert options(battle) == ["fight:a1", "pass"]  # it need not
    do(battle, "fight:a1")
    assert refused(battle, at(a1_1=(10, 6.9))) == ["aos.core.pile-in-free"]
    do(battle, at(a1_1=(10, 12)))
    assert rolls(battle, "hit")[0] == [1]
    assert cites(battle, "aos.core.pile-in-free")
    still = scene(unit("a1", (10, 10)), unit("b1", (10, 15)), phase="combat")
    assert "fight" not in kinds(still)


@pytest.mark.rule("aos.fight.fight", "aos.ability.sequence")
def test_the_pile_in_comes_before_reactions() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 12)), phase="combat", dice=[1, 1])
    assert ask(battle).prompt.key == "ask.pile-in"
    do(battle, STAY)
    assert ask(battle).prompt.key == "ask.react"


@pytest.mark.rule("aos.core.fight-order")
def test_sides_take_turns_and_nobody_in_combat_may_decline() -> None:
    battle = scene(
        unit("a1", (10, 10)),
        unit("a2", (20, 10)),
        unit("b1", (10, 11.5)),
        unit("b2", (20, 11.5)),
        phase="combat",
        dice=[1] * 8,
        **QUIET,
    )
    assert (ask(battle).side, options(battle)) == (0, ["fight:a1", "fight:a2"])
    assert refused(battle, "pass") == ["aos.core.fight-order"]
    do(battle, "fight:a1", STAY)
    assert (ask(battle).side, options(battle)) == (1, ["fight:b1", "fight:b2"])
    do(battle, "fight:b2", STAY)
    assert ask(battle).about == "a2"
    do(battle, STAY)
    assert ask(battle).about == "b1"


@pytest.mark.rule("aos.core.fight-order")
def test_other_abilities_come_before_fighting_and_pulled_in_units_may_fight() -> None:
    rage = {"id": "rage", "timing": "any combat", "per": "turn", "does": [{"do": "modify", "what": "hit", "value": 1}]}
    battle = scene(
        unit("a1", (10, 10), abilities=[rage]),
        unit("b1", (10, 11.5), abilities=[rage]),
        phase="combat",
        dice=[1] * 4,
        **QUIET,
    )
    assert (ask(battle).side, options(battle)) == (0, ["scene-a1.rage:a1", "done"])
    do(battle, "done")
    assert (ask(battle).side, options(battle)) == (1, ["scene-b1.rage:b1", "done"])
    do(battle, "done")
    assert ask(battle).prompt.key == "ask.pile-in"
    pulled = scene(
        unit("a1", (10, 10)), unit("b1", (10, 13)), unit("b2", (14.4, 11)), phase="combat", dice=[1] * 9, **QUIET
    )
    do(pulled, at(a1_1=(10.9, 11)))
    if ask(pulled).prompt.key == "ask.target":
        do(pulled, "b1")
    assert options(pulled) == ["fight:b1", "fight:b2"]


FIRST = {"id": "first", "timing": "passive", "does": [{"do": "strike-first"}]}
LAST = {"id": "last", "timing": "passive", "does": [{"do": "strike-last"}]}


@pytest.mark.rule("aos.core.strike-first")
def test_strike_first_goes_before_all_others_and_then_the_active_player() -> None:
    battle = scene(
        unit("a1", (10, 10)),
        unit("a2", (20, 10)),
        unit("b1", (10, 11.5), abilities=[FIRST]),
        unit("b2", (20, 11.5)),
        phase="combat",
        dice=[1] * 8,
        **QUIET,
    )
    assert ask(battle).about == "b1"
    do(battle, STAY)
    assert (ask(battle).side, options(battle)) == (0, ["fight:a1", "fight:a2"])
    late = scene(
        unit("a1", (10, 10)),
        unit("b1", (10, 13)),
        unit("b2", (14.4, 11), abilities=[FIRST]),
        phase="combat",
        dice=[1] * 9,
        **QUIET,
    )
    do(late, at(a1_1=(10.9, 11)))
    if ask(late).prompt.key == "ask.target":
        do(late, "b1")
    assert options(late) == ["fight:b1", "fight:b2"]  # it came later: no precedence


@pytest.mark.rule("aos.core.strike-last")
def test_strike_last_waits_and_both_cancel() -> None:
    battle = scene(
        unit("a1", (10, 10), abilities=[LAST]),
        unit("a2", (20, 10), abilities=[FIRST, LAST]),
        unit("b1", (10, 11.5)),
        unit("b2", (20, 11.5)),
        phase="combat",
        dice=[1] * 8,
        **QUIET,
    )
    assert ask(battle).about == "a2"  # a1 must wait, a2 has neither
    do(battle, STAY, "fight:b1", STAY)
    assert ask(battle).about == "b2"
    do(battle, STAY)
    assert ask(battle).about == "a1"


@pytest.mark.rule("aos.command.power-through")
def test_power_through() -> None:
    def setting(health: int, foe: int = 3) -> Battle[Any]:
        return scene(
            unit("a1", (10, 10), health=health, charged=True, move=6),
            unit("b1", (10, 11.5), health=foe),
            unit("b2", (16, 17)),
            phase="end",
            dice=[6],
        )

    equal = scene(unit("a1", (10, 10), health=3, charged=True), unit("b1", (10, 11.5), health=3), phase="movement")
    assert overpowered(equal.state, equal.state.unit("a1")) == []
    battle = setting(4)
    do(battle, "power-through:a1")
    assert battle.state.pools == {"b1": 3}
    assert refused(battle, at(a1_1=(10, 12.6))) == ["aos.core.movement"]  # not through it
    assert refused(battle, {"models": {"a1.1": {"x": 11.2, "y": 13, "path": [[11.2, 10.5]]}}}) == []
    new = {"models": {"a1.1": {"x": 13.3, "y": 14.2, "path": [[11.2, 10.5], [11.5, 12.8]]}}}
    assert refused(battle, new) == ["aos.command.power-through"]  # within 3 inches of another enemy unit
    do(battle, to(10, 9))
    assert battle.state.unit("b1").where == "gone"


@pytest.mark.rule("aos.core.warscroll")
def test_melee_weapons_reach_the_combat_range_and_ranged_ones_their_range() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[melee()]),
        unit("a2", (20, 10), weapons=[]),
        unit("b1", (10, 14)),
        unit("b2", (20, 12), weapons=[]),
        phase="combat",
        dice=[1] * 4,
        **QUIET,
    )
    profile = battle.state.unit("a1").profile
    assert (profile.melee[0].range, profile.missiles) == (0.0, ())
    do(battle, STAY)
    assert told(battle, "attacks")
    assert refused(
        scene(
            unit("a1", (10, 10)),
            unit(
                "a2",
                (20, 10),
                weapons=[{"id": "b", "attacks": "1", "hit": 4, "wound": 4, "rend": 0, "damage": "1", "range": 30.0}],
            ),
            unit("b1", (10, 20)),
            phase="shooting",
        ),
        "shoot:a1",
    ) == ["aos.core.warscroll"]


def test_refused_charges_and_pile_ins_name_legal_ones() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 15)), phase="charge", dice=[3, 4], **QUIET)
    do(battle, "charge:a1")
    ruling = ask(battle).check(to(2, 10))
    assert not ruling
    assert refused(battle, ruling.nearest) == []
    do(battle, ruling.nearest)
    assert battle.state.unit("a1").charged
    fight = scene(unit("a1", (10, 10)), unit("b1", (10, 13)), phase="combat", **QUIET)
    ruling = ask(fight).check(at(a1_1=(10, 8)))
    assert not ruling
    assert refused(fight, ruling.nearest) == []
    assert ruling.nearest != STAY


@pytest.mark.parametrize(
    "spots",
    [
        [(10 + 1.2 * (n % 3), 10 - 1.2 * (n // 3)) for n in range(12)],  # a column of four ranks
        [(6 + 1.2 * (n % 10), 10 - 1.2 * (n // 10)) for n in range(20)],  # two long ranks
        [(10 + 1.2 * n, 10) for n in range(6)],  # a thin line past its enemy
    ],
    ids=["column", "ranks", "line"],
)
def test_a_proposed_pile_in_brings_models_up(spots: list[tuple[float, float]]) -> None:
    battle = scene(unit("a1", *spots), unit("b1", (11.2, 11.3), weapons=[]), phase="combat", dice=[1] * 40, **QUIET)

    def fighting() -> int:
        foe = battle.state.unit("b1")
        return sum(distance_to(m, foe.models) <= 3.0 for m in battle.state.unit("a1").models)

    before = fighting()
    assert before < len(spots)
    answer = ask(battle).suggest()
    assert refused(battle, answer) == []
    do(battle, answer)
    assert fighting() > before
    assert battle.state.unit("a1").fights == ("b1",)


@pytest.mark.rule("aos.core.pile-in", "aos.core.measuring")
def test_a_pile_in_counts_heights_too() -> None:
    hill = block(10, 14, 6, 4, 3, type="area")
    battle = scene(
        unit("a1", (11.9, 13.2)), unit("b1", (10, 12.6)), phase="combat", terrain=[hill], dice=[1] * 9, **QUIET
    )
    assert battle.state.unit("a1").models[0].z == 3
    assert refused(battle, at(a1_1=(11.3, 12.6))) == []
    assert refused(battle, at(a1_1=(11.2, 11.48))) == ["aos.core.pile-in"]  # nearer, but 3 inches below the enemy


@pytest.mark.rule("aos.command.power-through")
def test_only_who_charged_powers_through_and_unseen_enemies_bar_the_way_too() -> None:
    weak = unit("b1", (10, 11.5), health=1)
    calm = scene(
        unit("a1", (10, 10), health=5),
        unit("a2", (10, 13), health=5, charged=True),
        weak,
        phase="end",
    )
    assert refused(calm, "power-through:a1") == ["aos.command.power-through"]
    assert "power-through:a2" in options(calm)
    wall = block(16, 12.5, 6, 0.5, 9)
    battle = scene(
        unit("a1", (12, 10), health=5, charged=True, move=6),
        unit("b1", (12, 11.2), health=1),
        unit("b2", (16, 14), weapons=[]),
        phase="end",
        terrain=[wall],
        dice=[1],
    )
    assert battle.state.unit("a1").fights == ("b1",)
    do(battle, "power-through:a1")
    assert refused(battle, at(a1_1=(16, 11))) == ["aos.command.power-through"]  # 2 inches from b2, behind the wall


@pytest.mark.rule("aos.core.charge-on-terrain")
def test_a_charge_to_a_feature_must_bring_the_unit_into_combat() -> None:
    wall = block(20, 16, 10, 1.1, 2, type="area")
    battle = scene(
        unit("a1", (22, 10)),
        unit("a2", (16.65, 16)),  # takes the only place beside b1
        unit("b1", (15.6, 16)),
        phase="charge",
        dice=[6, 6],
        terrain=[wall],
        **QUIET,
    )
    do(battle, "charge:a1")
    assert refused(battle, at(a1_1=(22, 14.85))) == ["aos.charge.charge"]  # beside the wall, but far from the enemy
    assert refused(battle, at(a1_1=(16.5, 14.85))) == []


@pytest.mark.rule("aos.core.strike-first", "aos.core.strike-last")
def test_after_its_own_strike_first_units_the_active_player_picks_again() -> None:
    foes = [unit("b1", (10, 11.5)), unit("b2", (20, 11.5))]
    battle = scene(unit("a1", (10, 10), abilities=[FIRST]), unit("a2", (20, 10)), *foes, phase="combat", dice=[1] * 8)
    battle.state.sides[0].command = battle.state.sides[1].command = 0
    assert ask(battle).about == "a1"
    do(battle, STAY)
    assert ask(battle).about == "a2"  # not one of b's
    idle = scene(
        unit("a1", (30, 10), abilities=[LAST], charged=True),  # out of combat: Strike-last does not bind it
        unit("a2", (20, 10)),
        *foes,
        phase="combat",
        dice=[1] * 8,
        **QUIET,
    )
    assert options(idle) == ["fight:a1", "fight:a2"]


@pytest.mark.rule("aos.core.charge-on-terrain", "aos.core.terrain-wholly-on")
def test_who_stands_only_partly_on_a_feature_is_not_charged_at_its_foot() -> None:
    ring = [[1.75 * math.cos(math.pi * k / 12), 1.75 * math.sin(math.pi * k / 12)] for k in range(24)]
    tower = {"x": 10, "y": 16, "points": ring, "top": 2, "type": "area"}
    for mm, stands in ((80, True), (90, False)):  # 1.57 and 1.77 inches: this one hangs over the edge
        giant = unit("b1", (10, 16), base=[mm])
        battle = scene(unit("a1", (10, 10)), giant, phase="charge", dice=[4, 3], terrain=[tower], **QUIET)
        do(battle, "charge:a1")
        assert (refused(battle, at(a1_1=(10, 13.7))) == []) is stands


@pytest.mark.rule("aos.command.power-through", "aos.command.cost")
def test_power_through_is_for_any_turn_and_costs_a_point() -> None:
    battle = scene(
        unit("a1", (10, 10), health=4, charged=True), unit("b1", (10, 11.5), health=1), phase="end", active=1, dice=[1]
    )
    assert ask(battle).side == 0  # in the enemy's turn
    do(battle, "power-through:a1")
    assert battle.state.sides[0].command == 3


@pytest.mark.rule("aos.core.strike-first", "aos.core.persisting")
def test_strike_first_may_be_lent_for_a_while() -> None:
    lent = [{"on": "b1", "what": "strike-first", "op": "add", "source": "1:haste", "until": "turn"}]
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 11.5)), phase="combat", dice=[1] * 4, effects=lent, **QUIET)
    assert ask(battle).about == "b1"
    slow = [{"on": "a1", "what": "strike-last", "op": "add", "source": "1:chill", "until": "turn"}]
    late = scene(unit("a1", (10, 10)), unit("b1", (10, 11.5)), phase="combat", dice=[1] * 4, effects=slow, **QUIET)
    assert ask(late).about == "b1"


@pytest.mark.rule("aos.core.strike-first")
def test_who_enters_combat_late_waits_for_those_who_were_there_with_strike_first() -> None:
    battle = scene(
        unit("a1", (10, 10), abilities=[FIRST]),
        unit("a2", (30, 10), abilities=[FIRST]),
        unit("b1", (10, 13)),
        unit("b2", (14.4, 11), abilities=[FIRST]),
        unit("b3", (30, 11.5)),
        phase="combat",
        dice=[1] * 9,
        **QUIET,
    )
    do(battle, "fight:a1", at(a1_1=(10.9, 11)))
    if ask(battle).prompt.key == "ask.target":
        do(battle, "b1")
    assert ask(battle).about == "a2"  # b2 was drawn in, but a2 was there
