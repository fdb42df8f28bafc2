"""Strategic reserves, units that come later, those set up again, and the deployment."""

from __future__ import annotations

import msgspec
import pytest

from umpire.engine.rulings import standing
from wh40k.builder import (
    STAY,
    ability,
    area,
    at,
    cites,
    do,
    kinds,
    options,
    prompt,
    refused,
    row,
    scene,
    solid,
    told,
    unit,
)

SIDES = [{"cp": 6, "points": 200, "units": 4}, {"cp": 6, "points": 200, "units": 4}]
FAR = unit("b1", (22, 15))


def place(**models: tuple[float, float]) -> dict:
    return at(**models)


# -- declaring -----------------------------------------------------------------------------------------------------


def reasons(keys, *units, sides=SIDES) -> list[str]:
    from umpire.games.wh40k.reserves import declaration_reasons

    state = scene(*units, unit("b1", (22, 25)), phase="movement", sides=sides).state
    return [r.rule for r in standing(state, declaration_reasons(state, 0, keys))]


def waiting(key: str, count: int = 1, **more):
    more.setdefault("points", 20)
    power = more.pop("power", 5)
    points = more.pop("points")
    return unit(key, *[(0.0, 0.0)] * count, where=more.pop("where", "muster"), _points=points, _power=power, **more)


@pytest.mark.rule("wh40k.reserves.cp-cost")
def test_what_reserves_cost() -> None:
    from umpire.games.wh40k.reserves import cost

    assert [cost(power) for power in (1, 9, 10, 19, 20, 50)] == [1, 1, 2, 2, 3, 6]
    poor = [{"cp": 1, "points": 200, "units": 4}, SIDES[1]]
    assert reasons(["a1", "a2"], waiting("a1"), waiting("a2"), sides=poor) == ["wh40k.reserves.cp-cost"]
    assert reasons(["a1"], waiting("a1"), waiting("a2"), sides=poor) == []


@pytest.mark.rule("wh40k.reserves.limit.points", "wh40k.reserves.limit.units")
def test_at_most_half_of_the_points_and_of_the_units() -> None:
    assert reasons(["a1"], waiting("a1", points=100)) == []
    assert reasons(["a1"], waiting("a1", points=101)) == ["wh40k.reserves.limit.points"]
    three = [waiting(f"a{n}", points=10) for n in (1, 2, 3)]
    assert reasons(["a1", "a2"], *three) == []
    assert reasons(["a1", "a2", "a3"], *three) == ["wh40k.reserves.limit.units"]


@pytest.mark.rule("wh40k.reserves.limit.transports", "wh40k.reserves.own-rule-units-free")
def test_passengers_count_and_units_of_their_own_rule_count_but_cost_nothing() -> None:
    vessel = waiting("a1", keywords=["transport"], carries={"capacity": 9}, power=4)
    load = [waiting("a2", where="aboard", aboard="a1", power=6), waiting("a3", where="aboard", aboard="a1", power=1)]
    assert reasons(["a1"], vessel, *load) == ["wh40k.reserves.limit.units"]
    assert reasons(["a1"], vessel, load[0]) == []
    poor = [{"cp": 1, "points": 200, "units": 4}, SIDES[1]]
    assert reasons(["a1"], vessel, load[0], sides=poor) == ["wh40k.reserves.cp-cost"]  # 10 in all
    own = waiting("a4", abilities=[ability("orbit")], power=50)
    assert reasons(["own:a4"], own, sides=poor) == []
    assert reasons(["own:a4", "a5", "a6"], own, waiting("a5"), waiting("a6")) == ["wh40k.reserves.limit.units"]


@pytest.mark.rule("wh40k.reserves.definition")
def test_a_unit_waits_by_one_rule_or_the_other() -> None:
    own = waiting("a4", abilities=[ability("orbit")])
    assert reasons(["own:a4"], own) == []
    assert reasons(["own:a5"], waiting("a5")) == ["wh40k.reserves.definition"]
    assert reasons(["own:a4", "a4"], own) == ["wh40k.reserves.definition"]


@pytest.mark.rule("wh40k.reserves.eligible", "wh40k.detachment.fortification.no-reserves")
def test_no_fortification_waits() -> None:
    assert reasons(["a1"], waiting("a1", role="fortification")) == [
        "wh40k.reserves.eligible", "wh40k.detachment.fortification.no-reserves",
    ]  # fmt: skip
    assert reasons(["a1"], waiting("a1", keywords=["vehicle"])) == []


@pytest.mark.rule("wh40k.reserves.declare.when", "wh40k.reserves.declare.once")
def test_reserves_are_declared_once_before_anybody_is_set_up() -> None:
    assert reasons(["a1"], waiting("a1"), unit("a2", (5, 5))) == ["wh40k.reserves.declare.when"]
    twice = [{**SIDES[0], "reserved": True}, SIDES[1]]
    assert reasons(["a1"], waiting("a1"), sides=twice) == ["wh40k.reserves.declare.once"]


# -- arriving ------------------------------------------------------------------------------------------------------


def arriving(*units, round: int = 2, **more):
    """The Reinforcements step of round 2 has come."""
    battle = scene(*units, phase="movement", round=round, **more)
    while battle.decision is not None and prompt(battle) == "ask.move-unit":
        do(battle, "done")
    return battle


RESERVE = {"where": "reserve"}


@pytest.mark.rule("wh40k.move.reinforcements-not-round-one", "wh40k.reserves.arrive.not-round-1")
def test_nobody_arrives_in_the_first_round() -> None:
    from umpire.games.wh40k.reinforcements import objections

    early = arriving(unit("a1", (0, 0), **RESERVE), unit("a2", (5, 5)), FAR, round=1)
    assert "arrived" not in kinds(early)
    state = scene(unit("a1", (0, 0), **RESERVE), FAR, phase="movement", round=1).state
    state.phase, state.step, state.active, state.round = "movement", "reinforcements", 0, 1
    assert [r.rule for r in objections(state, state.unit("a1"))] == [
        "wh40k.move.reinforcements-not-round-one", "wh40k.reserves.arrive.not-round-1",
    ]  # fmt: skip
    later = arriving(unit("a1", (0, 0), **RESERVE), unit("a2", (5, 5)), FAR)
    assert options(later) == ["a1", "done"]


@pytest.mark.rule("wh40k.move.reinforcements-only-here", "wh40k.reserves.arrive.step", "wh40k.move.reinforcements-step")
def test_units_arrive_in_the_reinforcements_step_alone() -> None:
    from umpire.games.wh40k.reinforcements import objections

    battle = scene(unit("a1", (0, 0), **RESERVE), unit("a2", (5, 5)), FAR, phase="movement", round=2)
    assert [r.rule for r in objections(battle.state, battle.state.unit("a1"))] == [
        "wh40k.move.reinforcements-only-here", "wh40k.reserves.arrive.step",
    ]  # fmt: skip
    do(battle, "done")
    assert prompt(battle) == "ask.reinforcements"
    do(battle, "done")  # it may be kept back
    assert battle.state.unit("a1").where == "reserve"


@pytest.mark.rule("wh40k.reserves.place.round-2", "wh40k.reserves.place.nine-inches")
def test_by_an_edge_that_is_not_the_enemys_and_nine_inches_away() -> None:
    battle = arriving(unit("a1", (0, 0), **RESERVE), unit("a2", (40, 2)), unit("b1", (10, 11)))
    do(battle, "a1")
    assert refused(battle, place(a1_1=(30, 5.5))) == []
    assert refused(battle, place(a1_1=(30, 5.6))) == ["wh40k.reserves.place.round-2"]
    assert refused(battle, place(a1_1=(30, 28))) == ["wh40k.reserves.place.round-2"]  # the enemy's edge
    assert refused(battle, place(a1_1=(3, 24))) == ["wh40k.reserves.place.round-2"]  # the enemy's zone
    assert refused(battle, place(a1_1=(16.2, 3))) == []
    assert refused(battle, place(a1_1=(15, 2.4))) == ["wh40k.reserves.place.nine-inches"]


@pytest.mark.rule("wh40k.reserves.place.nine-inches")
def test_nine_inches_exactly_are_too_near() -> None:
    battle = arriving(unit("a1", (0, 0), **RESERVE), unit("a2", (40, 2)), unit("b1", (12.5, 5)))
    do(battle, "a1")
    assert refused(battle, place(a1_1=(22.5, 5))) == ["wh40k.reserves.place.nine-inches"]
    assert refused(battle, place(a1_1=(22.51, 5))) == []


@pytest.mark.rule("wh40k.reserves.place.round-3")
def test_in_round_three_the_enemys_zone_is_open() -> None:
    battle = arriving(unit("a1", (0, 0), **RESERVE), unit("a2", (40, 2)), FAR, round=3)
    do(battle, "a1")
    assert refused(battle, place(a1_1=(3, 24))) == []
    assert refused(battle, place(a1_1=(30, 28))) == ["wh40k.reserves.place.round-3"]


@pytest.mark.rule("wh40k.reserves.place.round-2")
def test_a_unit_comes_by_one_edge() -> None:
    battle = arriving(unit("a1", (0, 0), (0, 0), (0, 0), **RESERVE), unit("a2", (40, 2)), FAR)
    do(battle, "a1")
    corner = place(a1_1=(5, 7.5), a1_2=(6.5, 5.5), a1_3=(7.8, 5))
    assert refused(battle, corner) == ["wh40k.reserves.place.round-2"]


@pytest.mark.rule(
    "wh40k.reserves.place.own-edge-exception",
    "wh40k.reserves.place.engaged-counts-as-charge",
    "wh40k.reserves.place.engaged-free-targets",
)
def test_at_the_own_edge_enemies_may_be_near() -> None:
    battle = arriving(unit("a1", (0, 0), **RESERVE), unit("a2", (40, 2)), unit("b1", (10, 3)))
    do(battle, "a1")
    assert refused(battle, place(a1_1=(10, 1.5))) == []  # engaged, and within an inch of the edge
    assert refused(battle, place(a1_1=(12, 1.6))) == ["wh40k.reserves.place.nine-inches"]
    do(battle, place(a1_1=(10, 1.2)))
    a1 = battle.state.unit("a1")
    assert {"charged", "free-targets"} <= set(a1.marks)
    assert a1.targets == ("b1",)


@pytest.mark.rule("wh40k.reserves.oversized", "wh40k.reserves.oversized.limits")
def test_what_is_too_large_touches_its_own_edge() -> None:
    big = unit("a1", (0, 0), base=[170.0], where="reserve")
    battle = arriving(big, unit("a2", (40, 2)), FAR)
    do(battle, "a1")
    half = 170.0 / 50.8
    assert refused(battle, place(a1_1=(22, round(half, 3)))) == []
    assert refused(battle, place(a1_1=(22, 4))) == ["wh40k.reserves.oversized"]
    do(battle, place(a1_1=(8, round(half, 3))))
    assert told(battle, "oversized")[0].rules[1] == "wh40k.reserves.oversized.limits"


@pytest.mark.rule("wh40k.reserves.aircraft.place")
def test_aircraft_come_anywhere_nine_inches_from_enemies() -> None:
    battle = arriving(
        unit("a1", (0, 0), where="reserve", keywords=["aircraft"], m=40, m_min=10),
        unit("a2", (40, 2)),
        unit("b1", (10, 15)),
    )
    do(battle, "a1")
    assert refused(battle, place(a1_1=(20.6, 15))) == []
    assert refused(battle, place(a1_1=(20, 15))) == ["wh40k.reserves.aircraft.place"]
    do(battle, place(a1_1=(30, 25)))
    assert told(battle, "flew-in")


@pytest.mark.rule(
    "wh40k.move.reinforcements-no-move",
    "wh40k.reserves.reinforcement-restrictions",
    "wh40k.move.reinforcements-counts-moved",
)
def test_who_arrived_moves_no_more_and_has_moved() -> None:
    battle = scene(unit("a1", (10, 5), marks=["arrived"]), unit("a2", (20, 5)), FAR, phase="movement", round=2)
    assert refused(battle, "normal:a1") == [
        "wh40k.move.reinforcements-no-move", "wh40k.reserves.reinforcement-restrictions",
    ]  # fmt: skip
    do(battle, "done")
    assert battle.state.unit("a1").move == ""
    came = arriving(unit("a1", (0, 0), **RESERVE), unit("a2", (40, 2)), FAR)
    do(came, "a1", place(a1_1=(10, 3)))
    assert cites(came, "wh40k.move.reinforcements-counts-moved")


@pytest.mark.rule("wh40k.move.reinforcements-may-act")
def test_who_arrived_may_charge() -> None:
    battle = arriving(unit("a1", (0, 0), **RESERVE), unit("a2", (40, 2)), unit("b1", (22, 14.2)))
    do(battle, "a1", place(a1_1=(22, 4)))
    for _ in range(20):
        if prompt(battle) == "ask.charge":
            break
        do(battle, "done" if "done" in options(battle) else battle.decision.suggest())
    assert "a1" in options(battle)


@pytest.mark.rule("wh40k.move.reinforcements-definition")
def test_units_of_their_own_rule_come_by_it() -> None:
    battle = arriving(unit("a1", (0, 0), where="orbit"), unit("a2", (40, 2)), unit("b1", (10, 15)))
    do(battle, "a1")
    assert refused(battle, place(a1_1=(22, 15))) == []
    assert refused(battle, place(a1_1=(20, 15))) == ["wh40k.move.reinforcements-definition"]  # exactly 9


@pytest.mark.rule(
    "wh40k.move.reinforcements-deadline",
    "wh40k.reserves.arrive.lost-after-round-3",
    "wh40k.reserves.arrive.passengers-lost",
)
def test_who_has_not_come_by_the_end_of_round_three_never_comes() -> None:
    battle = scene(
        unit("a1", (0, 0), where="reserve", keywords=["transport"], carries={"capacity": 5}),
        unit("a3", (0, 0), where="aboard", aboard="a1"), unit("a2", (40, 2)), FAR,
        phase="morale", round=3, half=1, active=1, mission={"rounds": 5},
    )  # fmt: skip
    assert battle.state.round == 4
    assert [(battle.state.unit(key).where, battle.state.unit(key).by) for key in ("a1", "a3")] == [
        ("gone", ""),
        ("gone", ""),
    ]


@pytest.mark.rule("wh40k.move.reinforcements-left-table")
def test_who_left_in_the_battle_is_spared() -> None:
    battle = scene(
        unit("a1", (0, 0), where="reserve", left="3.0"), unit("a2", (40, 2)), FAR,
        phase="morale", round=3, half=1, active=1,
    )  # fmt: skip
    assert battle.state.unit("a1").where == "reserve"


# -- set up again --------------------------------------------------------------------------------------------------


def teleport(target: dict, fresh: bool = False, **more):
    """The Command phase, in which a unit's own rule sets it up again."""
    name = "replace" if fresh else "redeploy"
    target = {**target, "profile": {**target["profile"], "abilities": [ability(name, when="command")]}}
    battle = scene(target, unit("a2", (40, 2)), more.pop("foe", FAR), phase="command", round=2, **more)
    for _ in range(9):
        if battle.decision is None or prompt(battle) == "ask.redeploy":
            break
        do(battle, battle.decision.suggest())
    return battle


@pytest.mark.rule("wh40k.move.redeploy-triggers", "wh40k.move.redeploy-counts-moved", "wh40k.move.redeploy-no-move")
def test_a_unit_set_up_again_has_moved() -> None:
    battle = teleport(unit("a1", (10, 5)))
    assert refused(battle, place(a1_1=(22, 4.9))) == []
    assert refused(battle, place(a1_1=(22, 5))) != []
    do(battle, place(a1_1=(5, 25)))
    assert cites(battle, "wh40k.move.redeploy-triggers")
    assert "redeployed" in battle.state.unit("a1").marks
    assert "wh40k.move.redeploy-no-move" in refused(battle, "normal:a1")


@pytest.mark.rule("wh40k.move.no-ending-on-models")
def test_models_set_up_on_a_roof_do_not_stand_in_each_other() -> None:
    box = solid("debris", 10, 24, 6, 4, 3)
    battle = teleport(unit("a1", (10, 5), (12, 5)), terrain=[box])
    for x, rules in ((10.5, ["wh40k.move.no-ending-on-models"]), (11.2, [])):
        spots = {"a1.1": {"x": 10, "y": 24, "z": 3}, "a1.2": {"x": x, "y": 24, "z": 3}}
        assert refused(battle, {"models": spots}) == rules, x


@pytest.mark.rule("wh40k.move.redeploy-not-fell-back", "wh40k.move.redeploy-wounds")
def test_a_unit_taken_out_of_a_fight_has_not_fallen_back() -> None:
    battle = teleport(unit("a1", (10, 5), w=5, wounds=[2]), foe=unit("b1", (10, 6.5)))
    do(battle, place(a1_1=(30, 25)))
    a1 = battle.state.unit("a1")
    assert (a1.move, a1.models[0].wounds) == ("", 2)
    assert cites(battle, "wh40k.move.redeploy-not-fell-back")
    hurt = teleport(unit("a1", (10, 5), w=5, wounds=[2]))
    do(hurt, place(a1_1=(30, 27)))
    assert cites(hurt, "wh40k.move.redeploy-wounds")


@pytest.mark.rule("wh40k.move.redeploy-advanced", "wh40k.move.redeploy-model-losses")
def test_an_advance_and_losses_are_not_forgotten() -> None:
    battle = teleport(unit("a1", (10, 5), _move="advance"))
    do(battle, place(a1_1=(30, 27)))
    assert battle.state.unit("a1").move == "advance"
    fewer = teleport(unit("a1", (10, 5), dead=2, died=2))
    do(fewer, place(a1_1=(30, 27)))
    assert cites(fewer, "wh40k.move.redeploy-model-losses")
    assert len(fewer.state.unit("a1").died) == 2


@pytest.mark.rule("wh40k.move.redeploy-effects")
def test_what_lasts_on_a_unit_goes_with_it() -> None:
    curse = {"on": "a1", "what": "hit", "op": "add", "value": -1.0, "rule": "", "source": "b1", "until": "battle"}
    battle = teleport(unit("a1", (10, 5)), effects=[curse])
    do(battle, place(a1_1=(30, 27)))
    assert [e.source for e in battle.state.effects] == ["b1"]
    assert cites(battle, "wh40k.move.redeploy-effects")


@pytest.mark.rule("wh40k.move.replacement-unit")
def test_a_fresh_unit_forgets_everything() -> None:
    battle = teleport(unit("a1", (10, 5), w=3, wounds=[1], dead=2, died=2, _move="advance"), fresh=True)
    old = battle.state.unit("a1")
    assert ([m.wounds for m in old.models], old.move) == ([1], "advance")  # whoever fell stands nowhere until placed
    do(battle, place(a1_1=(30, 27), a1_2=(31.5, 27), a1_3=(33, 27)))
    a1 = battle.state.unit("a1")
    assert ([m.wounds for m in a1.models], a1.move, a1.died) == ([3, 3, 3], "", ())


# -- the deployment ------------------------------------------------------------------------------------------------


def deploying(*units, **more):
    battle = scene(*units, phase="deployment", sides=more.pop("sides", SIDES), **more)
    for _ in range(12):
        if battle.decision is None or prompt(battle) in ("ask.deploy", "ask.deploy-next"):
            break
        do(battle, [] if prompt(battle) in ("ask.wishes", "ask.reserves") else battle.decision.suggest())
    return battle


@pytest.mark.rule("wh40k.move.transport-one-drop", "wh40k.move.transport-deploy-embarked")
def test_a_transport_and_its_load_are_one_drop() -> None:
    vessel = waiting("a1", keywords=["transport"], carries={"capacity": 9})
    battle = scene(vessel, waiting("a2"), waiting("b1"), waiting("b2"), phase="deployment", sides=SIDES)
    for _ in range(12):
        if prompt(battle) == "ask.aboard":
            break
        do(battle, [] if prompt(battle) == "ask.wishes" else battle.decision.suggest())
    assert options(battle) == ["a2>a1"]
    do(battle, ["a2>a1"])
    for _ in range(9):
        if battle.decision is None or "deployed" in kinds(battle):
            break
        do(battle, [] if prompt(battle) == "ask.reserves" else battle.decision.suggest())
    while battle.decision is not None and prompt(battle) in ("ask.deploy", "ask.deploy-next"):
        do(battle, battle.decision.suggest())
    drops = [e.facts["unit"] for e in told(battle, "deployed")]
    assert sorted(drops) == ["a1", "b1", "b2"]
    assert battle.state.unit("a2").where == "aboard"


@pytest.mark.rule("wh40k.terrain.hill")
def test_a_hill_is_ground_without_traits() -> None:
    hill = {"kind": "hill", "x": 20, "y": 15}
    battle = scene(waiting("a1"), waiting("b1"), phase="deployment", sides=SIDES, terrain=[hill])
    assert (battle.state.terrain[0].category, battle.state.terrain[0].traits) == ("hill", ())
    assert cites(battle, "wh40k.terrain.hill")


@pytest.mark.rule("wh40k.detachment.fortification.setup-distance", "wh40k.terrain.hill")
def test_a_fortification_stands_more_than_three_inches_from_terrain() -> None:
    from umpire.games.wh40k.deployment import clear_of_terrain

    ruin = area("ruins", 20, 5, 4, 4)
    state = scene(waiting("a1", role="fortification"), FAR, phase="movement", terrain=[ruin]).state
    hill = scene(
        waiting("a1", role="fortification"), FAR, phase="movement", terrain=[{**ruin, "category": "hill", "traits": []}]
    ).state
    for x, barred in ((25.5, True), (25.6, False)):  # 3.0 and 3.1
        model = msgspec.structs.replace(state.unit("a1").models[0], x=x, y=5)
        why = [clear_of_terrain(state, state.unit("a1"))(model)]
        assert bool(list(standing(state, [r for r in why if r is not None]))) is barred
        assert clear_of_terrain(hill, hill.unit("a1"))(model) is None


@pytest.mark.rule("wh40k.detachment.fortification.own-terrain")
def test_pieces_of_one_fortification_may_touch() -> None:
    from umpire.games.wh40k.deployment import clear_of_terrain

    state = scene(
        waiting("a1", role="fortification"), FAR, phase="movement", terrain=[area("ruins", 20, 5, 4, 4)]
    ).state
    state.terrain = tuple(msgspec.structs.replace(f, unit="a1") for f in state.terrain)
    beside = msgspec.structs.replace(state.unit("a1").models[0], x=22.6, y=5)
    assert clear_of_terrain(state, state.unit("a1"))(beside) is None


@pytest.mark.rule("wh40k.detachment.fortification.cannot-deploy")
def test_a_fortification_without_a_place_is_lost() -> None:
    wide = area("ruins", 22, 4, 44, 7)
    battle = deploying(
        waiting("a1", role="fortification"),
        waiting("b1", role="fortification"),
        terrain=[wide, area("ruins", 22, 26, 44, 7)],
    )
    while battle.decision is not None and prompt(battle) in ("ask.deploy", "ask.deploy-next"):
        do(battle, STAY if prompt(battle) == "ask.deploy" else battle.decision.suggest())
    assert cites(battle, "wh40k.detachment.fortification.cannot-deploy")


@pytest.mark.rule("wh40k.core.battlefield-size", "wh40k.core.measure-inches")
def test_the_battlefield_is_as_large_as_the_mission_says() -> None:
    battle = scene(waiting("a1"), waiting("b1"), phase="deployment", sides=SIDES, width=60, depth=44)
    event = told(battle, "battlefield")[0]
    assert (event.facts["width"], event.facts["depth"]) == (60, 44)


@pytest.mark.rule("wh40k.unit.coherency-when")
def test_units_are_set_up_together_in_their_zone() -> None:
    battle = deploying(waiting("a1", 2), waiting("b1", 2))
    while prompt(battle) != "ask.deploy" or battle.decision.about != "a1":
        do(battle, battle.decision.suggest())
    zone = battle.state.sides[0].zone
    y = 5 if zone == 0 else 25
    assert refused(battle, place(a1_1=(10, y), a1_2=(13, y))) == []
    assert refused(battle, place(a1_1=(10, y), a1_2=(13.1, y))) == ["wh40k.unit.coherency-when"]
    assert refused(battle, place(a1_1=(10, 15), a1_2=(11.5, 15))) != []


def test_rows() -> None:
    assert len(row(0, 0, 3)) == 3


@pytest.mark.rule("wh40k.unit.membership", "wh40k.unit.starting-strength")
def test_every_model_is_in_one_unit_and_losses_change_no_starting_strength() -> None:
    from umpire.games.wh40k.units import below_half, take_away

    battle = scene(waiting("a1", 8), waiting("a2"), waiting("b1"), phase="deployment", sides=SIDES)
    assert told(battle, "army")[0].facts["models"] == 9
    ids = [m.id for u in battle.state.units.values() for m in u.models]
    assert len(ids) == len(set(ids))
    a1 = battle.state.unit("a1")
    take_away(a1, [m.id for m in a1.models[:5]])
    assert (a1.starting, below_half(battle.state, a1)) == (8, True)
