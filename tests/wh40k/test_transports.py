"""Transports and Aircraft: aboard, ashore, in the air and wrecked."""

from __future__ import annotations

import pytest

from umpire.engine.rulings import standing
from wh40k.builder import (
    STAY,
    alive,
    at,
    cites,
    do,
    fire,
    gun,
    kinds,
    options,
    prompt,
    refused,
    rolls,
    row,
    scene,
    told,
    unit,
)

FAR = unit("b1", (40, 28))


def truck(key: str, x: float, y: float, capacity: int = 10, **more):
    """A Transport on a base of 2 inches."""
    more.setdefault("keywords", ["vehicle", "transport"])
    return unit(key, (x, y), base=[50.8], m=10, w=8, carries={"capacity": capacity}, **more)


def aboard(key: str, count: int, vessel: str = "a1", **more):
    spots = [(0.0, 0.0)] * count
    return unit(key, *spots, where="aboard", aboard=vessel, **more)


def moving(*units, **more):
    return scene(*units, phase="movement", **more)


@pytest.mark.rule("wh40k.move.transport-embark", "wh40k.move.transport-off-table")
def test_a_unit_goes_aboard_when_all_of_it_is_within_three_inches() -> None:
    battle = moving(truck("a1", 10, 10), unit("a2", (14, 10), (15.5, 10)), FAR)
    do(battle, "normal:a2", at(a2_2=(14.3, 11.1)))
    assert prompt(battle) == "ask.embark"
    do(battle, "a1")
    a2 = battle.state.unit("a2")
    assert (a2.where, a2.aboard) == ("aboard", "a1")
    late = moving(truck("a1", 10, 10), unit("a2", (14, 10), (15.6, 10)), FAR)
    do(late, "normal:a2", STAY)
    assert prompt(late) != "ask.embark"  # one of them is 3.1 away


@pytest.mark.rule("wh40k.move.transport-capacity", "wh40k.move.transport-definition")
def test_capacity_and_keywords() -> None:
    from umpire.games.wh40k.transports import boarding_objections

    def rules(*units, who: str = "a2") -> list[str]:
        state = moving(*units, FAR).state
        return [r.rule for r in standing(state, boarding_objections(state, state.unit(who), state.unit("a1")))]

    full = aboard("a3", 6)
    assert rules(truck("a1", 10, 10), full, unit("a2", *row(20, 10, 4))) == []
    assert rules(truck("a1", 10, 10), full, unit("a2", *row(20, 10, 5))) == ["wh40k.move.transport-capacity"]
    assert rules(truck("a1", 10, 10), unit("a2", (20, 10), keywords=["biker"])) == ["wh40k.move.transport-capacity"]
    assert rules(unit("a1", (10, 10)), unit("a2", (20, 10))) == ["wh40k.move.transport-definition"]


@pytest.mark.rule("wh40k.move.transport-embark-needs-move")
def test_only_who_has_moved_goes_aboard() -> None:
    from umpire.games.wh40k.transports import embark_objections

    battle = moving(truck("a1", 10, 10), unit("a2", (12.5, 10)), FAR)
    state = battle.state
    assert [r.rule for r in standing(state, embark_objections(state, state.unit("a2"), state.unit("a1")))] == [
        "wh40k.move.transport-embark-needs-move"
    ]
    do(battle, "normal:a2", STAY)
    assert prompt(battle) == "ask.embark"  # a Normal Move of 0 inches will do


@pytest.mark.rule("wh40k.move.transport-embark")
def test_nobody_boards_an_engaged_transport() -> None:
    battle = moving(truck("a1", 10, 10), unit("a2", (10, 7.5)), unit("b1", (10, 11.9)))
    do(battle, "normal:a2", STAY)
    assert prompt(battle) != "ask.embark"


@pytest.mark.rule("wh40k.move.transport-disembark", "wh40k.core.wholly-within")
def test_passengers_get_out_wholly_within_three_inches() -> None:
    battle = moving(truck("a1", 10, 10), aboard("a2", 2), FAR)
    do(battle, "disembark:a2")
    assert refused(battle, {"models": {"a2.1": {"x": 13.5, "y": 10}, "a2.2": {"x": 13.2, "y": 11.2}}}) == []
    assert refused(battle, {"models": {"a2.1": {"x": 13.6, "y": 10}, "a2.2": {"x": 13.2, "y": 11.2}}}) == [
        "wh40k.move.transport-disembark"
    ]
    near = moving(truck("a1", 10, 10), aboard("a2", 1), unit("b1", (14.5, 10)))
    do(near, "disembark:a2")
    assert refused(near, {"models": {"a2.1": {"x": 12.5, "y": 10}}}) == ["wh40k.core.engagement-entry"]


@pytest.mark.rule("wh40k.move.transport-disembark-act", "wh40k.move.transport-disembark-moved")
def test_who_got_out_may_move_and_has_moved() -> None:
    battle = moving(truck("a1", 10, 10), aboard("a2", 1), FAR)
    do(battle, "disembark:a2", {"models": {"a2.1": {"x": 13, "y": 10}}})
    assert {"normal:a2", "advance:a2", "normal:a1"} <= set(options(battle))
    do(battle, "normal:a2", at(a2_1=(16, 10)))
    assert cites(battle, "wh40k.move.transport-disembark-act")
    stays = moving(
        truck("a1", 10, 10), aboard("a2", 1, weapons=[gun()]), unit("b1", (10, 22)), sides=[{"cp": 0}, {"cp": 0}]
    )
    do(stays, "disembark:a2", {"models": {"a2.1": {"x": 13, "y": 10}}}, "done")
    assert stays.state.unit("a2").move != "stationary"


@pytest.mark.rule("wh40k.move.transport-disembark")
def test_a_transport_that_has_moved_keeps_its_passengers() -> None:
    battle = moving(truck("a1", 10, 10), aboard("a2", 1), unit("a3", (30, 5)), FAR)
    do(battle, "normal:a1", at(a1_1=(11, 10)))
    assert refused(battle, "disembark:a2") == ["wh40k.move.transport-disembark"]


@pytest.mark.rule("wh40k.move.transport-disembark")
def test_that_there_is_no_place_is_proved() -> None:
    ring = [(10 + 2.6, 10), (10 - 2.6, 10), (10, 12.6), (10, 7.4), (11.9, 11.9), (8.1, 8.1), (11.9, 8.1), (8.1, 11.9)]
    shut = moving(truck("a1", 10, 10), aboard("a2", 1), unit("a3", (30, 5)), unit("b1", *ring))
    assert refused(shut, "disembark:a2") == ["wh40k.move.transport-disembark"]
    friends = moving(truck("a1", 10, 10), aboard("a2", 1), unit("a3", *ring), FAR)
    assert "disembark:a2" in options(friends)  # behind them there is room


@pytest.mark.rule("wh40k.move.transport-no-disembark-embark")
def test_not_out_and_in_again() -> None:
    from umpire.games.wh40k.transports import embark_objections

    battle = moving(truck("a1", 10, 10), truck("a4", 16, 10), aboard("a2", 1), FAR)
    do(battle, "disembark:a2", {"models": {"a2.1": {"x": 13, "y": 10}}}, "normal:a2", at(a2_1=(13, 10.5)))
    assert prompt(battle) != "ask.embark"
    said = unit("a2", (13, 10.5), marks=["disembarked"])  # a scene says the same in its own words
    state = moving(truck("a1", 10, 10), truck("a4", 16, 10), {**said, "move": "normal"}, FAR).state
    against = standing(state, embark_objections(state, state.unit("a2"), state.unit("a4")))
    assert [reason.rule for reason in against] == ["wh40k.move.transport-no-disembark-embark"]


@pytest.mark.rule("wh40k.move.transport-no-interaction", "wh40k.core.on-the-battlefield")
def test_who_is_aboard_does_nothing_and_who_is_in_reserve_is_not_there() -> None:
    battle = moving(truck("a1", 10, 10), aboard("a2", 1), unit("a3", (0, 0), where="reserve"), FAR)
    assert refused(battle, "normal:a2") == ["wh40k.move.transport-no-interaction"]
    assert refused(battle, "normal:a3") == ["wh40k.core.on-the-battlefield"]


@pytest.mark.rule("wh40k.move.transport-inherit-move")
def test_passengers_have_made_the_move_of_their_transport() -> None:
    battle = moving(truck("a1", 10, 10), aboard("a2", 1), unit("a3", (30, 5)), FAR, dice=[3])
    do(battle, "advance:a1", STAY)
    assert battle.state.unit("a2").move == "advance"


# -- wrecks ------------------------------------------------------------------------------------------------------------


def wrecked(*units, dice, explodes=None, cp: int = 0, capacity: int = 10, **more):
    """The opponent shoots a Transport of one wound that hits and wounds without fail."""
    vessel = unit(
        "b1", (10, 20), base=[50.8], w=1, sv=7, t=1, keywords=["vehicle", "transport"], carries={"capacity": capacity},
        **({"explodes": explodes} if explodes else {}),
    )  # fmt: skip
    shooter = unit("a1", (10, 10), weapons=[gun(type="assault", s="16", ap=-6, rules=["auto-hit"])])
    battle = scene(shooter, vessel, *units, phase="shooting", dice=dice, sides=[{"cp": 0}, {"cp": cp}], **more)
    do(battle, "a1")
    return fire(battle, "b1") if prompt(battle) == "ask.declare" else battle


@pytest.mark.rule("wh40k.move.transport-destroyed-order", "wh40k.move.transport-destroyed-rolls")
def test_passengers_leave_a_wreck_and_dice_take_some() -> None:
    battle = wrecked(aboard("b2", 4, "b1"), dice=[6, 1, 1, 3, 1, 5])
    for _ in range(9):
        if rolls(battle, "wreck"):
            break
        do(battle, battle.decision.suggest())
    assert [len(faces) for faces in rolls(battle, "wreck")] == [4]
    while battle.decision is not None and prompt(battle) == "ask.lost":
        do(battle, battle.decision.suggest())
    assert battle.state.unit("b1").where == "gone"
    assert alive(battle, "b2") == 4 - sum(face == 1 for face in rolls(battle, "wreck")[0])


@pytest.mark.rule("wh40k.move.transport-destroyed-no-explosion")
def test_the_explosion_spares_those_who_were_aboard() -> None:
    battle = wrecked(
        aboard("b2", 2, "b1"),
        unit("b3", (13, 20), w=9),
        explodes={"roll": 2, "range": 6, "wounds": "1"},
        dice=[6, 6, 6, 6, 6, 6],
    )
    for _ in range(9):
        if rolls(battle, "wreck"):
            break
        do(battle, battle.decision.suggest())
    assert told(battle, "explosion")[0].facts["units"] == ["b3"]
    assert cites(battle, "wh40k.move.transport-destroyed-no-explosion")


@pytest.mark.rule("wh40k.move.transport-destroyed-unplaceable")
def test_who_finds_no_room_is_lost() -> None:
    ring = [(12.6, 20), (7.4, 20), (10, 22.6), (10, 17.4), (11.9, 21.9), (8.1, 18.1), (11.9, 18.1), (8.1, 21.9)]
    battle = wrecked(aboard("b2", 2, "b1"), unit("a2", *ring), dice=[6, 1, 6, 6])
    assert cites(battle, "wh40k.move.transport-destroyed-unplaceable")
    assert battle.state.unit("b2").where == "gone"


@pytest.mark.rule(
    "wh40k.stratagem.emergency-disembarkation",
    "wh40k.stratagem.emergency-disembarkation.losses",
    "wh40k.stratagem.emergency-disembarkation.no-charge",
)
def test_an_emergency_reaches_farther_and_costs_more() -> None:
    battle = wrecked(aboard("b2", 2, "b1"), dice=[6, 1, 2, 6], cp=1)
    assert prompt(battle) == "ask.emergency"
    do(battle, True)
    assert refused(battle, {"models": {"b2.1": {"x": 16.5, "y": 20}, "b2.2": {"x": 15, "y": 20}}}) == []
    assert refused(battle, {"models": {"b2.1": {"x": 16.6, "y": 20}, "b2.2": {"x": 15, "y": 20}}}) != []
    do(battle, {"models": {"b2.1": {"x": 14, "y": 20}, "b2.2": {"x": 15.5, "y": 20}}})
    if prompt(battle) == "ask.lost":
        do(battle, battle.decision.suggest())
    assert alive(battle, "b2") == 1  # the 2 costs a model too
    assert "emergency" in battle.state.unit("b2").marks


# -- Aircraft ----------------------------------------------------------------------------------------------------------


def plane(key: str, x: float, y: float, low: int = 20, high: int = 60, **more):
    more.setdefault("keywords", ["vehicle", "aircraft"])
    return unit(key, (x, y), m=high, m_min=low, w=12, **more)


@pytest.mark.rule("wh40k.move.aircraft-minimum")
def test_an_aircraft_moves_between_its_two_figures() -> None:
    battle = moving(plane("a1", 10, 15, 20, 30), unit("b1", (2, 28)))
    do(battle, "normal:a1")
    assert refused(battle, at(a1_1=(29.9, 15))) == ["wh40k.move.aircraft-minimum"]
    assert refused(battle, at(a1_1=(30, 15))) == []
    assert refused(battle, at(a1_1=(40, 15))) == []
    assert refused(battle, at(a1_1=(40.1, 15))) == ["wh40k.move.normal"]


@pytest.mark.rule("wh40k.move.aircraft-two-moves")
def test_what_changes_m_changes_both_figures() -> None:
    from umpire.games.wh40k.aircraft import least

    slow = {"id": "drag", "does": [{"name": "modify", "what": "m", "op": "multiply", "value": 0.5}]}
    state = moving(plane("a1", 10, 15, abilities=[slow]), FAR).state
    assert least(state, state.unit("a1")) == 10.0


@pytest.mark.rule("wh40k.move.aircraft-has-fly", "wh40k.detachment.flyer-vs-fly")
def test_an_aircraft_flies_and_a_flyer_is_none() -> None:
    battle = moving(plane("a1", 10, 15, 5, 30), unit("a2", (15, 15)), unit("b1", (20, 15)))
    do(battle, "normal:a1")
    assert refused(battle, at(a1_1=(30, 15))) == []  # over friend and foe
    flyer = moving(unit("a1", (10, 15), m=12, role="flyer"), unit("a2", (15, 15)), FAR)
    do(flyer, "normal:a1")
    assert refused(flyer, at(a1_1=(20, 15))) == ["wh40k.move.no-crossing-models"]


@pytest.mark.rule("wh40k.reserves.aircraft.leave", "wh40k.move.aircraft-leaves")
def test_an_aircraft_may_leave_by_any_edge_in_reach() -> None:
    battle = moving(
        plane("a1", 22, 15, 5, 16, keywords=["vehicle", "aircraft", "transport"], carries={"capacity": 5}),
        aboard("a2", 1), unit("a3", (5, 5)), FAR, sides=[{"cp": 3}, {"cp": 0}],
    )  # fmt: skip
    assert "leave:a1" in options(battle)
    do(battle, "leave:a1")
    a1 = battle.state.unit("a1")
    assert (a1.where, a1.left, battle.state.sides[0].cp) == ("reserve", "1.0", 3)
    far = moving(plane("a1", 22, 15, 5, 14), unit("a3", (5, 5)), FAR)
    assert refused(far, "leave:a1") == ["wh40k.reserves.aircraft.leave"]  # 14.5 to the edge


@pytest.mark.rule("wh40k.reserves.aircraft.passengers", "wh40k.reserves.aircraft.return")
def test_who_is_aboard_goes_along_and_it_comes_back_next_turn() -> None:
    battle = moving(
        plane("a1", 22, 15, 5, 16, keywords=["vehicle", "aircraft", "transport"], carries={"capacity": 5}),
        aboard("a2", 1), unit("a3", (5, 5)), FAR,
    )  # fmt: skip
    do(battle, "leave:a1")
    assert cites(battle, "wh40k.reserves.aircraft.passengers")
    assert battle.state.unit("a2").where == "aboard"  # not lost
    from umpire.games.wh40k.reinforcements import objections

    battle.state.step = "reinforcements"
    assert [r.rule for r in objections(battle.state, battle.state.unit("a1"))] == ["wh40k.reserves.aircraft.return"]
    battle.state.round = 4
    assert list(objections(battle.state, battle.state.unit("a1"))) == []


@pytest.mark.rule("wh40k.reserves.aircraft.forced", "wh40k.move.aircraft-leaves")
def test_who_cannot_complete_its_minimum_is_forced_off() -> None:
    battle = moving(plane("a1", 5, 15, 50, 60), unit("a3", (5, 5)), FAR)
    do(battle, "normal:a1")
    assert battle.state.unit("a1").where == "reserve"
    assert cites(battle, "wh40k.reserves.aircraft.forced")
    corner = moving(plane("a1", 1, 1, 50, 60), unit("a3", (5, 5)), FAR)
    do(corner, "normal:a1")
    assert prompt(corner) == "ask.move"  # the opposite corner is far enough away


@pytest.mark.rule("wh40k.move.aircraft-no-reserves-mission")
def test_where_there_are_no_reserves_it_is_destroyed_with_all_aboard() -> None:
    battle = moving(
        plane("a1", 5, 15, 50, 60, keywords=["aircraft", "transport"], carries={"capacity": 5}), aboard("a2", 1),
        unit("a3", (5, 5)), FAR, mission={"reserves": False},
    )  # fmt: skip
    do(battle, "normal:a1")
    assert [battle.state.unit(key).where for key in ("a1", "a2")] == ["gone", "gone"]


@pytest.mark.rule("wh40k.move.aircraft-others-pass", "wh40k.move.aircraft-others-end")
def test_others_pass_below_an_aircraft_and_end_clear_of_it() -> None:
    battle = moving(unit("a1", (10, 10), m=9), plane("b1", 14, 10))
    do(battle, "normal:a1")
    assert refused(battle, at(a1_1=(18, 10))) == []
    assert refused(battle, at(a1_1=(15.8, 10))) == ["wh40k.move.aircraft-others-end"]


@pytest.mark.rule("wh40k.move.aircraft-engaged-move", "wh40k.move.engaged-by-aircraft-only")
def test_aircraft_hold_nobody_and_nobody_holds_them() -> None:
    battle = moving(plane("a1", 10, 15, 5, 30), unit("a2", (30, 10)), unit("b1", (11.5, 15)), plane("b2", 31.5, 10))
    there = options(battle)
    assert {"normal:a1", "advance:a1", "normal:a2", "advance:a2"} <= set(there)
    held = moving(unit("a2", (30, 10)), unit("a3", (5, 5)), plane("b2", 31.5, 10), unit("b3", (30, 11.5)))
    assert refused(held, "normal:a2") == ["wh40k.move.options-engaged"]


def test_kinds_are_told() -> None:
    battle = moving(truck("a1", 10, 10), FAR)
    assert "movement" in kinds(battle)
