"""Moves: how far, through what, over what ground, where they end."""

from __future__ import annotations

import pytest

from wh40k.builder import (
    STAY,
    ability,
    area,
    at,
    cites,
    do,
    options,
    prompt,
    refused,
    row,
    scene,
    solid,
    to,
    told,
    unit,
)

TOGETHER = ["wh40k.move.end-in-coherency", "wh40k.unit.coherency-illegal"]
FAR = unit("b1", (40, 28))


def moving(*units, kind: str = "normal", who: str = "a1", **more):
    battle = scene(*units, phase="movement", **more)
    return do(battle, f"{kind}:{who}")


def path(key: str, x: float, y: float, *points: tuple[float, float], **more: float) -> dict:
    return {"models": {key: {"x": x, "y": y, "path": [list(p) for p in points], **more}}}


@pytest.mark.rule("wh40k.move.normal", "wh40k.core.measure-inches")
def test_each_model_moves_up_to_its_m() -> None:
    battle = moving(unit("a1", (10, 10), m=6), FAR)
    assert refused(battle, at(a1_1=(16, 10))) == []
    assert refused(battle, at(a1_1=(16.1, 10))) == ["wh40k.move.normal"]
    assert refused(battle, path("a1.1", 10, 10, (13, 10))) == []  # 3 out and 3 back are 6
    assert refused(battle, path("a1.1", 10, 10, (13.1, 10))) == ["wh40k.move.normal"]
    do(battle, STAY)
    assert told(battle, "moved")[0].facts["move"].key == "move.normal"  # 0 inches are a Normal Move


@pytest.mark.rule("wh40k.move.select-unit", "wh40k.move.any-models")
def test_a_unit_moves_once_and_some_of_its_models_may_stay() -> None:
    battle = moving(unit("a1", *row(10, 10, 3), m=6), unit("a2", (20, 10)), FAR)
    do(battle, at(a1_1=(10, 11)))
    assert cites(battle, "wh40k.move.any-models")
    assert refused(battle, "normal:a1") == ["wh40k.move.select-unit"]
    assert "normal:a2" in options(battle)


@pytest.mark.rule("wh40k.move.phase-steps", "wh40k.move.remain-stationary-default", "wh40k.move.remain-stationary")
def test_who_is_not_selected_has_remained_stationary() -> None:
    battle = scene(unit("a1", (10, 10)), unit("a2", (20, 10)), FAR, phase="movement")
    do(battle, "normal:a1", to(11, 10), "done")
    assert told(battle, "stood")[0].facts["units"] == ["a2"]


@pytest.mark.rule("wh40k.move.options-not-engaged", "wh40k.move.options-engaged")
def test_engaged_units_fall_back_or_stay() -> None:
    battle = scene(unit("a1", *row(10, 10, 3)), unit("a2", (30, 10)), unit("b1", (10, 11.9)), phase="movement")
    assert refused(battle, "normal:a1") == ["wh40k.move.options-engaged"]
    assert refused(battle, "advance:a1") == ["wh40k.move.options-engaged"]
    assert refused(battle, "fall-back:a2") == ["wh40k.move.options-not-engaged"]
    assert "fall-back:a1" in options(battle)


@pytest.mark.rule("wh40k.move.advance", "wh40k.move.advance-no-engagement")
def test_an_advance_adds_one_die_for_the_whole_unit() -> None:
    battle = scene(unit("a1", (10, 10), m=6), unit("b1", (22, 10)), phase="movement", dice=[4])
    do(battle, "advance:a1")
    assert refused(battle, at(a1_1=(20, 8))) == ["wh40k.move.advance"]
    assert refused(battle, at(a1_1=(20, 10))) == ["wh40k.move.advance-no-engagement"]  # exactly 1 inch
    assert refused(battle, at(a1_1=(19.98, 10))) == []
    do(battle, STAY)
    assert told(battle, "moved")[0].facts["move"].key == "move.advance"


@pytest.mark.rule("wh40k.move.normal-no-engagement", "wh40k.core.engagement-entry", "wh40k.core.engagement-range")
def test_a_normal_move_keeps_out_of_engagement_range_all_the_way() -> None:
    battle = moving(unit("a1", (10, 10), m=9), unit("b1", (14, 12)))
    assert refused(battle, at(a1_1=(18, 10.1))) == ["wh40k.move.normal-no-engagement"]
    assert refused(battle, at(a1_1=(18, 9.98))) == []  # it passes at more than an inch
    assert refused(battle, at(a1_1=(14, 10.5))) == ["wh40k.move.normal-no-engagement"]


@pytest.mark.rule("wh40k.move.fall-back", "wh40k.move.fall-back-no-advance")
def test_a_fall_back_passes_through_engagement_range_but_not_through_models() -> None:
    battle = moving(unit("a1", (10, 10), m=6), unit("b1", (10, 11.5), (12, 11.5)), kind="fall-back")
    assert refused(battle, at(a1_1=(14.6, 10))) == []
    assert refused(battle, at(a1_1=(12, 10))) == ["wh40k.move.fall-back"]
    assert refused(battle, at(a1_1=(10, 14))) == ["wh40k.move.no-crossing-models"]
    assert refused(battle, at(a1_1=(10, 3.9))) == ["wh40k.move.fall-back"]  # M and no die more
    do(battle, at(a1_1=(10, 4)))
    assert cites(battle, "wh40k.move.fall-back-no-advance")


@pytest.mark.rule("wh40k.move.fall-back")
def test_a_fall_back_takes_every_model_out_of_engagement_range() -> None:
    """One is named and gets away, the other stays where it stands, 0.9 inches from the enemy."""
    battle = moving(unit("a1", (10, 10), (11.5, 10), m=6), unit("b1", (11.5, 11.9)), kind="fall-back")
    assert refused(battle, at(a1_1=(10, 9))) == ["wh40k.move.fall-back"]
    assert refused(battle, at(a1_1=(10, 9), a1_2=(11.5, 9))) == []


def ring(x: float, y: float, gap: float) -> list[tuple[float, float]]:
    """Eight bases of an inch round one, their middles so far away from its own."""
    side = gap * 0.7071
    return [
        (x + gap, y), (x - gap, y), (x, y + gap), (x, y - gap),
        (x + side, y + side), (x + side, y - side), (x - side, y + side), (x - side, y - side),
    ]  # fmt: skip


@pytest.mark.rule("wh40k.move.fall-back-all-or-none")
def test_who_is_ringed_in_cannot_fall_back_and_that_is_proved() -> None:
    shut = scene(unit("a1", (20, 15), m=6), unit("a2", (5, 5)), unit("b1", *ring(20, 15, 1.5)), phase="movement")
    assert refused(shut, "fall-back:a1") == ["wh40k.move.fall-back-all-or-none"]
    for far, out in ((1.41, False), (1.42, True)):  # a gap of 0.994 inches, and one of 1.008
        gap = ring(20, 15, far)[1:]
        opened = scene(unit("a1", (20, 15), m=6), unit("a2", (5, 5)), unit("b1", *gap), phase="movement")
        assert ("fall-back:a1" in options(opened)) is out
    flying = scene(unit("a1", (20, 15), m=6, keywords=["fly"]), unit("b1", *ring(20, 15, 1.5)), phase="movement")
    assert "fall-back:a1" in options(flying)
    two = unit("a1", (20, 15), (23.4, 15), m=6)
    assert refused(
        scene(two, unit("a2", (5, 5)), unit("b1", *ring(20, 15, 1.5)), phase="movement"), "fall-back:a1"
    ) == ["wh40k.move.fall-back-all-or-none"]


@pytest.mark.rule("wh40k.move.fall-back-all-or-none")
def test_a_narrow_way_out_is_found() -> None:
    foes = ring(20, 15, 1.6)[1:4] + ring(20, 15, 1.6)[6:]
    battle = scene(unit("a1", (20, 15), m=6), unit("b1", *foes), phase="movement")
    assert "fall-back:a1" in options(battle)
    do(battle, "fall-back:a1")
    answer = battle.decision.default
    assert answer != STAY
    do(battle, answer)
    assert battle.state.unit("a1").engaged == ()


@pytest.mark.rule("wh40k.move.no-crossing-models", "wh40k.move.no-ending-on-models")
def test_models_are_neither_passed_nor_stood_on() -> None:
    battle = moving(unit("a1", (10, 10), m=6), unit("a2", (13, 10)), FAR)
    assert refused(battle, at(a1_1=(16, 10))) == ["wh40k.move.no-crossing-models"]
    assert refused(battle, at(a1_1=(13.5, 10.5))) == ["wh40k.move.no-ending-on-models"]
    assert refused(battle, at(a1_1=(12, 10))) == []  # touching
    narrow = moving(unit("a1", (10, 10), m=6), unit("a2", (13, 9.1), (13, 10.9)), FAR)
    assert refused(narrow, at(a1_1=(15, 10))) == ["wh40k.move.no-crossing-models"]


@pytest.mark.rule("wh40k.core.battlefield-edge")
def test_no_part_of_a_base_leaves_the_battlefield() -> None:
    battle = moving(unit("a1", (1, 10), m=6), FAR)
    assert refused(battle, at(a1_1=(0.4, 10))) == ["wh40k.core.battlefield-edge"]
    assert refused(battle, at(a1_1=(0.5, 10))) == []
    assert refused(battle, path("a1.1", 1, 12, (0.4, 11))) == ["wh40k.core.battlefield-edge"]


@pytest.mark.rule("wh40k.terrain.trait.breachable", "wh40k.move.terrain-vertical")
@pytest.mark.parametrize(("kind", "free"), [("ruins", True), ("barricades", False)])
def test_a_waypoint_inside_a_wall_costs_what_the_straight_way_costs(kind: str, free: bool) -> None:
    """Who may move through it is on the ground there, not on its top 3 inches up; who may not has climbed it."""
    battle = moving(unit("a1", (10, 10), m=9), FAR, terrain=[solid(kind, 12, 10, 1, 4, 3)])
    for x, legal in ((13.02, True), (18.9, free), (19.1, False)):
        straight, bent = refused(battle, at(a1_1=(x, 10))), refused(battle, path("a1.1", x, 10, (12, 10)))
        assert straight == bent, x
        assert (straight == []) is (legal and free), x


@pytest.mark.rule("wh40k.move.terrain-vertical", "wh40k.terrain.trait.scaleable.others")
def test_a_waypoint_over_what_nobody_stands_on_is_as_high_as_it_is() -> None:
    """Over a wall 3 inches high and back down are 10 inches, wherever the way is told to lead over it; a giant that may
    not climb it is not carried over it either."""
    giant = {"keywords": ["monster"]}
    wall = solid("ruined-walls", 12, 10, 1, 4, 3)
    battle = moving(unit("a1", (10, 10), m=10, **giant), FAR, terrain=[wall])
    for points in ((), ((12, 10),), ((12.9, 10),), ((12, 10), (12.4, 10))):
        assert refused(battle, path("a1.1", 14, 10, *points)) == [], points
        assert refused(battle, path("a1.1", 14.01, 10, *points)) == ["wh40k.move.normal"], points
    far = moving(unit("a1", (10, 10), m=20, **giant), FAR, terrain=[{**wall, "type": "ruins"}])
    for points in ((), ((12, 10),), ((12.9, 10),)):
        assert refused(far, path("a1.1", 14, 10, *points)) == ["wh40k.terrain.trait.scaleable.others"]


@pytest.mark.rule("wh40k.move.distance-furthest-part", "wh40k.move.rotate-freely")
def test_turning_a_hull_is_moving_its_corners() -> None:
    tank = {"hull": True, "base": [6.0, 3.0], "height": 2.0}
    battle = moving(unit("a1", (20, 15), m=5, **tank), FAR)
    turned = {"models": {"a1.1": {"x": 20, "y": 15, "facing": 180}}}
    assert refused(battle, turned) == ["wh40k.move.distance-furthest-part"]
    assert refused(battle, {"models": {"a1.1": {"x": 21, "y": 15, "facing": 30}}}) == []
    round_base = moving(unit("a1", (20, 15), m=5), FAR)
    assert refused(round_base, {"models": {"a1.1": {"x": 25, "y": 15, "facing": 180}}}) == []


@pytest.mark.rule("wh40k.move.end-in-coherency", "wh40k.unit.coherency-when", "wh40k.unit.coherency-small")
def test_a_unit_ends_its_move_together() -> None:
    battle = moving(unit("a1", *row(10, 10, 3, 2.0), m=6), FAR)
    assert refused(battle, at(a1_1=(9.9, 10))) == TOGETHER
    assert refused(battle, at(a1_1=(10, 10.1))) == TOGETHER
    assert refused(battle, at(a1_1=(10.2, 10.4))) == []
    alone = moving(unit("a1", (10, 10), m=6), FAR)
    assert refused(alone, at(a1_1=(15, 10))) == []


@pytest.mark.rule("wh40k.unit.coherency-large")
def test_seven_models_need_two_comrades_each() -> None:
    line = moving(unit("a1", *row(10, 10, 7, 2.0), m=6), FAR)
    assert refused(line, at(a1_4=(19, 10.2))) == TOGETHER
    six = moving(unit("a1", *row(10, 10, 6, 1.9), m=6), FAR)
    assert refused(six, at(a1_4=(18.7, 10.2))) == []


@pytest.mark.rule("wh40k.unit.coherency-illegal")
def test_a_broken_unit_that_does_not_come_together_remains_stationary() -> None:
    battle = moving(unit("a1", (10, 10), (20, 10), m=3), FAR)
    assert refused(battle, at(a1_1=(12, 10))) == TOGETHER
    do(battle, STAY)
    assert battle.state.unit("a1").move == "stationary"
    assert told(battle, "stays")[0].rules == ("wh40k.unit.coherency-illegal",)


# -- Fly and moving through models ------------------------------------------------------------------------------------


@pytest.mark.rule("wh40k.move.fly-over-models", "wh40k.move.fly-end")
def test_fly_crosses_models_and_ranges_and_ends_clear_of_both() -> None:
    battle = moving(unit("a1", (10, 10), m=9, keywords=["fly"]), unit("b1", *row(11, 12, 3)))
    assert refused(battle, at(a1_1=(12, 14.6))) == []
    assert refused(battle, at(a1_1=(12, 13.7))) == ["wh40k.move.fly-end"]
    walking = moving(unit("a1", (10, 10), m=9), unit("b1", *row(11, 12, 3)))
    assert refused(walking, at(a1_1=(12.4, 14.6))) != []


@pytest.mark.rule("wh40k.move.fly-vertical")
def test_fly_pays_nothing_for_height() -> None:
    tower = solid("armoured-containers", 14, 10, 4, 4, 9)
    battle = moving(unit("a1", (10, 10), m=6, keywords=["fly", "infantry"]), FAR, terrain=[tower])
    assert refused(battle, {"models": {"a1.1": {"x": 15, "y": 10, "z": 9}}}) == []
    walking = moving(unit("a1", (10, 10), m=6, keywords=["infantry"]), FAR, terrain=[tower])
    assert refused(walking, {"models": {"a1.1": {"x": 15, "y": 10, "z": 9}}}) == ["wh40k.move.normal"]


@pytest.mark.rule("wh40k.move.through-models-scope", "wh40k.move.through-models-no-end")
def test_a_rule_to_move_through_models_holds_for_the_moves_that_it_names() -> None:
    def phased(**does):
        return moving(
            unit("a1", (10, 10), m=6, abilities=[ability("through-models", **does)]), unit("a2", (13, 10)), FAR
        )

    assert refused(phased(), at(a1_1=(16, 10))) == []
    assert refused(phased(), at(a1_1=(13.5, 10))) == ["wh40k.move.through-models-no-end"]
    assert refused(phased(what="charge"), at(a1_1=(16, 10))) == ["wh40k.move.no-crossing-models"]


@pytest.mark.rule("wh40k.move.through-models-engagement")
def test_moving_through_models_passes_engagement_range() -> None:
    battle = moving(unit("a1", (10, 10), m=9, abilities=[ability("through-models")]), unit("b1", (14, 10)))
    assert refused(battle, at(a1_1=(16.2, 10))) == []
    assert refused(battle, at(a1_1=(15.5, 10))) == ["wh40k.move.normal-no-engagement"]


# -- terrain -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("wh40k.move.terrain-vertical", "wh40k.move.terrain-no-through", "wh40k.terrain.obstacle.definition")
def test_a_container_is_climbed_up_across_and_down() -> None:
    box = solid("debris", 12, 10, 3, 6, 3)
    battle = moving(unit("a1", (10, 10), m=10), FAR, terrain=[box])
    assert refused(battle, at(a1_1=(14, 10))) == []  # 3 up, 4 across, 3 down
    assert refused(battle, at(a1_1=(14.1, 10))) == ["wh40k.move.normal"]
    on_top = moving(unit("a1", (10, 10), m=5), FAR, terrain=[box])
    assert refused(on_top, {"models": {"a1.1": {"x": 12, "y": 10, "z": 3}}}) == []  # 2 across and 3 up
    do(on_top, {"models": {"a1.1": {"x": 12, "y": 10, "z": 3}}})
    assert on_top.state.unit("a1").models[0].z == 3.0
    assert cites(on_top, "wh40k.move.terrain-vertical")


@pytest.mark.rule("wh40k.move.terrain-no-mid-climb")
def test_no_move_ends_half_way_up() -> None:
    battle = moving(unit("a1", (10, 10), m=9), FAR, terrain=[solid("debris", 12, 10, 3, 6, 3)])
    assert refused(battle, {"models": {"a1.1": {"x": 12, "y": 10, "z": 1.5}}}) == ["wh40k.move.terrain-no-mid-climb"]


@pytest.mark.rule("wh40k.move.terrain-low")
def test_what_is_lower_than_an_inch_is_walked_over() -> None:
    for top, rules in ((0.9, []), (1.0, ["wh40k.move.normal"])):
        battle = moving(unit("a1", (10, 10), m=4), FAR, terrain=[solid("debris", 12, 10, 1, 6, top)])
        assert refused(battle, at(a1_1=(14, 10))) == rules


@pytest.mark.rule("wh40k.terrain.trait.breachable")
def test_infantry_walks_through_the_walls_of_a_ruin() -> None:
    wall = {"kind": "wall", "points": [(-0.2, -3), (0.2, -3), (0.2, 3), (-0.2, 3)], "top": 5}
    ruin = area("ruins", 12, 10, 6, 6, parts=[wall])
    soldier = moving(unit("a1", (10, 10), m=6, keywords=["infantry"]), FAR, terrain=[ruin])
    assert refused(soldier, at(a1_1=(16, 10))) == []
    biker = moving(unit("a1", (10, 10), m=6, keywords=["biker"]), FAR, terrain=[ruin])
    assert refused(biker, at(a1_1=(16, 10))) != []
    low_wall = {**wall, "top": 1.5}
    over = moving(
        unit("a1", (10, 10), m=9, keywords=["biker"]),
        FAR,
        terrain=[area("ruined-walls", 12, 10, 0.4, 6, parts=[low_wall])],
    )
    assert refused(over, at(a1_1=(16, 10))) == []  # 6 across and 3 for the wall: no Scaleable feature


@pytest.mark.rule("wh40k.terrain.trait.scaleable", "wh40k.terrain.trait.scaleable.others")
def test_upper_floors_are_for_infantry_beasts_swarms_and_fly() -> None:
    floor = {"kind": "floor", "points": [(-2, -2), (2, -2), (2, 2), (-2, 2)], "floor": 2.9, "top": 3.0}
    ruin = area("ruins", 13, 10, 6, 6, parts=[floor])
    up = {"models": {"a1.1": {"x": 13, "y": 10, "z": 3}}}
    soldier = moving(unit("a1", (10, 10), m=6, keywords=["infantry"]), FAR, terrain=[ruin])
    assert refused(soldier, up) == []  # 3 across and 3 up
    assert refused(soldier, {"models": {"a1.1": {"x": 13.1, "y": 10, "z": 3}}}) == ["wh40k.move.normal"]
    monster = moving(unit("a1", (10, 10), m=9, keywords=["monster"]), FAR, terrain=[ruin])
    assert refused(monster, up) == ["wh40k.terrain.trait.scaleable.others"]
    assert refused(monster, at(a1_1=(13, 10))) == []  # the ground floor is free
    box = solid("armoured-containers", 12, 10, 2, 9, 2)
    tank = moving(unit("a1", (9, 10), m=12, keywords=["vehicle"]), FAR, terrain=[box])
    assert refused(tank, at(a1_1=(15, 10))) == ["wh40k.terrain.trait.scaleable.others"]


@pytest.mark.rule("wh40k.move.no-ending-on-models")
def test_a_unit_moved_as_one_comes_down_beside_itself_not_on_itself() -> None:
    floor = {"kind": "floor", "points": [(-2, -2), (2, -2), (2, 2), (-2, 2)], "floor": 2.9, "top": 3.0}
    ruin = area("ruins", 13, 10, 6, 6, parts=[floor])
    battle = moving(unit("a1", (13, 10, 3), (13.2, 10), m=12, keywords=["infantry"]), FAR, terrain=[ruin])
    do(battle, {"to": {"x": 18.1, "y": 10}})
    one, two = battle.state.unit("a1").models
    assert (one.z, two.z) == (0, 0)
    assert two.x - one.x >= 0.98
    stacked = {"models": {"a1.1": {"x": 18, "y": 10}, "a1.2": {"x": 18.2, "y": 10}}}
    again = moving(unit("a1", (13, 10, 3), (13.2, 10), m=12, keywords=["infantry"]), FAR, terrain=[ruin])
    assert refused(again, stacked) == ["wh40k.move.no-ending-on-models"]


@pytest.mark.rule("wh40k.terrain.area.definition")
def test_area_terrain_is_entered_and_crossed() -> None:
    battle = moving(unit("a1", (10, 10), m=6, keywords=["infantry"]), FAR, terrain=[area("ruins", 13, 10, 4, 4)])
    do(battle, at(a1_1=(13, 10)))
    assert cites(battle, "wh40k.terrain.area.definition")


@pytest.mark.rule("wh40k.terrain.trait.difficult-ground", "wh40k.terrain.trait.difficult-ground.low")
def test_difficult_ground_takes_two_inches_from_all() -> None:
    crater = area("craters", 10, 13, 4, 2, height=1.0)
    battle = moving(unit("a1", *row(10, 10, 2, 1.0), m=6), FAR, terrain=[crater])
    both = {"models": {"a1.1": {"x": 10, "y": 12.5}, "a1.2": {"x": 12, "y": 14.1}}}
    assert refused(battle, both) == ["wh40k.terrain.trait.difficult-ground"]  # the other goes 4.1 past it
    assert refused(battle, {"models": {"a1.1": {"x": 10, "y": 12.5}, "a1.2": {"x": 12.3, "y": 13.8}}}) == []
    aside = moving(unit("a1", (20, 10), m=6), FAR, terrain=[crater])
    assert refused(aside, at(a1_1=(26, 10))) == []


@pytest.mark.rule("wh40k.terrain.trait.difficult-ground.fly")
def test_difficult_ground_is_nothing_to_fly() -> None:
    crater = area("craters", 10, 13, 4, 2, height=0.5)
    battle = moving(unit("a1", (10, 10), m=6, keywords=["fly"]), FAR, terrain=[crater])
    assert refused(battle, at(a1_1=(10, 16))) == []
    walker = moving(unit("a1", (10, 10), m=6), FAR, terrain=[crater])
    assert refused(walker, at(a1_1=(10, 16))) == [
        "wh40k.terrain.trait.difficult-ground",
        "wh40k.terrain.trait.difficult-ground.low",
    ]


@pytest.mark.rule("wh40k.terrain.trait.unstable-position")
def test_nobody_ends_on_an_unstable_top() -> None:
    battle = moving(unit("a1", (10, 10), m=9), FAR, terrain=[solid("statuary", 12, 10, 2, 4, 2)])
    assert refused(battle, {"models": {"a1.1": {"x": 12, "y": 10, "z": 2}}}) == [
        "wh40k.terrain.trait.unstable-position"
    ]
    assert refused(battle, at(a1_1=(14.5, 10))) == []  # crossing it is legal


def test_the_question_says_so() -> None:
    battle = moving(unit("a1", (10, 10)), FAR)
    assert prompt(battle) == "ask.move"


def test_a_way_may_have_as_many_points_as_the_umpires_own_ways_have() -> None:
    """A charge round two large bases in turn bends at more than sixty points."""
    battle = scene(unit("a1", (10, 10)), unit("b1", (40, 28)))
    do(battle, "normal:a1")
    way = [[10, 10 + 0.05 * n] for n in range(1, 100)]
    assert battle.check({"models": {"a1.1": {"x": 10, "y": 15, "path": way}}}).legal


@pytest.mark.rule("wh40k.move.normal")
def test_one_model_dragged_past_others_stops_nearest_to_the_wish_not_before_them() -> None:
    row_of = unit("a2", *((7 + 1.1 * n, 13) for n in range(6)))
    battle = scene(unit("a1", (10, 10), m=10), row_of, unit("b1", (40, 28)), phase="movement")
    battle.answer("normal:a1")
    ruling = battle.check({"to": {"x": 10, "y": 29}})
    assert not ruling.legal
    assert ruling.nearest is not None
    assert battle.check(ruling.nearest).legal
    assert ruling.nearest["to"]["y"] > 17.5  # 12 is where the straight way is barred
