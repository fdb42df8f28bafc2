"""Moves: walking, jumping, climbing, flying, falling, impact; doors, stairs, ladders; the path finder."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.games.warcry.falling import impact_points
from umpire.games.warcry.legs import Tracer
from umpire.games.warcry.terrain import FLOOR, is_low, is_platform
from warcry.builder import BOX, act, ask, fighter, fired, kinds, last, path, piece, refused, scene, walk, weapon

R = 0.5
FOE = fighter("b1", 28, 20)


def moving(who: dict[str, Any], *others: dict[str, Any], **more: Any) -> Battle[Any]:
    """The fighter a1 is asked for the path of a move action."""
    battle = scene(who, *(others or (FOE,)), active="a1", **more)
    return act(battle, "move")


def box(*fighters: dict[str, Any], **more: Any) -> Battle[Any]:
    """A block from (13, 9) to (17, 13), 3 inches high."""
    return moving(*fighters, pieces=[BOX], **more)


@pytest.mark.rule("warcry.move.action", "warcry.move.pivot")
def test_the_path_is_measured_along_its_bends() -> None:
    battle = moving(fighter("a1", 5, 5))
    assert battle.check(walk((10, 5))).legal
    assert refused(battle, walk((10.1, 5))) == ("warcry.move.action",)
    assert battle.check(path(("walk", 8, 5), ("walk", 8, 7))).legal
    ruling = battle.check(path(("walk", 8, 5), ("walk", 8, 7.1)))
    assert ruling.rules == ("warcry.move.action",)
    assert ruling.reasons[0].facts == {"moved": 5.1, "allowed": 5.0}


@pytest.mark.rule("warcry.move.action")
def test_unused_inches_are_lost() -> None:
    battle = moving(fighter("a1", 5, 5))
    act(battle, walk((6, 5)), "move")
    assert refused(battle, walk((11.1, 5))) == ("warcry.move.action",)


@pytest.mark.rule("warcry.move.through-fighters")
def test_nobody_is_walked_through_but_fliers_fly_over() -> None:
    battle = moving(fighter("a1", 5, 5), fighter("a2", 7.5, 5), FOE)
    assert refused(battle, walk((9.5, 5))) == ("warcry.move.through-fighters",)
    assert battle.check(path(("walk", 6, 6.3), ("walk", 9, 6.3))).legal
    wings = moving(fighter("a1", 5, 5, runemarks=["fly"]), fighter("a2", 7.5, 5), FOE)
    assert wings.check(path(("fly", 9.5, 5, 0))).legal


@pytest.mark.rule("warcry.move.through-terrain", "warcry.terrain.obstacle")
def test_walls_from_an_inch_up_stop_a_walk() -> None:
    assert is_low(0.9)
    assert not is_low(1.0)
    for height, legal in ((1.0, False), (0.9, True)):
        wall = piece({"rect": [0, 0, 0.3, 3], "top": height})
        battle = moving(fighter("a1", 13, 11), pieces=[wall])
        assert battle.check(walk((17, 11))).legal is legal


@pytest.mark.rule("warcry.terrain.low")
def test_low_terrain_costs_nothing_and_counts_as_floor() -> None:
    rubble = piece({"rect": [0, 0, 2, 2], "top": 0.8})
    battle = moving(fighter("a1", 13, 11), pieces=[rubble])
    assert battle.check(walk((18, 11))).legal
    act(battle, walk((15, 11)))
    assert last(battle, "moved")["moved"] == 2.0
    assert battle.state.fighter("a1").z == 0


@pytest.mark.rule("warcry.terrain.platform")
def test_a_platform_holds_more_than_a_square_inch() -> None:
    def square(w: float, d: float) -> tuple[tuple[float, float], ...]:
        return ((0, 0), (w, 0), (w, d), (0, d))

    assert not is_platform(square(1, 1))
    assert is_platform(square(1.2, 1.5))
    assert not is_platform(square(5, 0.8))


@pytest.mark.rule("warcry.move.board-edge")
def test_no_part_of_a_base_crosses_the_edge() -> None:
    battle = moving(fighter("a1", 3, 5))
    assert battle.check(walk((0.5, 5))).legal
    assert refused(battle, walk((0.45, 5))) == ("warcry.move.board-edge",)


@pytest.mark.rule("warcry.move.engaged", "warcry.core.within")
def test_no_move_within_an_inch_of_an_enemy_but_into_it() -> None:
    near = scene(fighter("a1", 5, 5), fighter("b1", 7.0, 5), active="a1")
    assert refused(near, "move") == ("warcry.move.engaged",)
    free = scene(fighter("a1", 5, 5), fighter("b1", 7.01, 5), active="a1")
    act(free, "move")
    assert free.check(walk((6, 5))).legal


@pytest.mark.rule("warcry.move.normal", "warcry.move.overhang")
def test_the_centre_stays_on_the_platform_while_the_base_may_overhang() -> None:
    battle = box(fighter("a1", 15, 11, 3, base=50.8))
    assert battle.check(walk((13.1, 11))).legal
    assert refused(battle, walk((12.9, 11))) == ("warcry.move.normal",)
    act(battle, walk((13.1, 11)))
    assert battle.state.fighter("a1").z == 3
    assert "fell" not in kinds(battle)


@pytest.mark.rule("warcry.move.two-platforms")
def test_a_base_on_two_platforms_stands_on_the_one_under_its_centre() -> None:
    two = piece({"rect": [-2, 0, 4, 4], "top": 3}, {"rect": [2, 0, 4, 4], "top": 2.5})
    state = scene(fighter("a1", 14.3, 11, 3, base=50.8), FOE, pieces=[two]).state
    assert state.ground.surface(14.3, 11, 3) == "t0.0"
    assert state.ground.surface(15.7, 11, 3) is None
    assert state.ground.surface(15.7, 11, 2.5) == "t0.1"
    assert not state.ground.wholly_on(state.fighters[0].base)


# -- jumping -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("warcry.move.jump", "warcry.move.jump-distance")
def test_a_jump_is_straight_level_or_down_and_only_the_way_across_counts() -> None:
    battle = box(fighter("a1", 13.2, 11, 3))
    assert battle.check(path(("jump", 8.2, 11, 0))).legal
    assert refused(battle, path(("jump", 8.1, 11, 0))) == ("warcry.move.action",)
    up = box(fighter("a1", 12, 11))
    assert "warcry.move.jump" in refused(up, path(("jump", 13.5, 11, 3)))
    bent = path(("jump", 11.5, 11, 2.5), ("jump", 11.5, 9, 0))
    assert refused(battle, bent) == ("warcry.move.jump",)


@pytest.mark.rule("warcry.core.battlefield-floor", "warcry.move.jump", "warcry.move.climb")
def test_nobody_goes_below_the_floor() -> None:
    for legs in (("jump", 10, 11, -1), ("climb", FOOT, 11, -0.4)):
        battle = box(fighter("a1", FOOT, 11))
        assert refused(battle, path(legs)) == ("warcry.core.battlefield-floor",)


@pytest.mark.rule("warcry.move.jump-over")
def test_one_may_jump_over_a_head_but_not_onto_it() -> None:
    battle = box(fighter("a1", 13.2, 11, 3), fighter("b1", 11.5, 11, height=2), FOE | {"id": "b9"})
    assert battle.check(path(("jump", 9.5, 11, 0))).legal
    assert "warcry.move.jump-over" in refused(battle, path(("jump", 11.5, 11, 0)))
    act(battle, path(("jump", 9.5, 11, 2)))
    assert "warcry.move.jump-over" in fired(battle)
    tall = box(fighter("a1", 13.2, 11, 3), fighter("b1", 11.2, 11, height=4), FOE | {"id": "b9"})
    assert "warcry.move.jump-over" in refused(tall, path(("jump", 9.5, 11, 0)))


@pytest.mark.rule("warcry.move.jump-impact", "warcry.move.impact-damage")
@pytest.mark.parametrize(("top", "rolls"), [(2.0, 0), (2.1, 1)])
def test_more_than_two_inches_down_in_a_jump_is_an_impact(top: float, rolls: int) -> None:
    block = piece({"rect": [0, 0, 4, 4], "top": top})
    battle = moving(fighter("a1", 13.2, 11, top), pieces=[block], dice=[1])
    act(battle, path(("jump", 12, 11, 0), ("walk", 11, 11)))
    assert kinds(battle).count("impact") == rolls
    assert battle.state.fighter("a1").damage == 3 * rolls
    assert battle.state.fighter("a1").x == 11


@pytest.mark.rule("warcry.move.jump-impact")
def test_the_drops_of_separate_jumps_are_not_added() -> None:
    steps = piece({"rect": [0, 0, 2, 4], "top": 3}, {"rect": [2.2, 0, 2, 4], "top": 1.5})
    battle = moving(fighter("a1", 15.8, 11, 3), pieces=[steps], dice=[1])
    act(battle, path(("jump", 17.2, 11, 1.5), ("jump", 19, 11, 0)))
    assert "impact" not in kinds(battle)


@pytest.mark.rule("warcry.move.jump-impact")
def test_each_deep_jump_of_an_action_has_an_impact_of_its_own() -> None:
    steps = piece({"rect": [0, 0, 2, 4], "top": 5}, {"rect": [2.2, 0, 2, 4], "top": 2.5})
    battle = moving(fighter("a1", 15.8, 11, 5), pieces=[steps], dice=[2, 1])
    act(battle, path(("jump", 17.2, 11, 2.5), ("jump", 19, 11, 0)))
    assert kinds(battle).count("impact") == 2
    assert battle.state.fighter("a1").damage == 4


@pytest.mark.rule("warcry.move.impact-damage")
def test_the_table_of_impact_damage() -> None:
    assert [impact_points(face) for face in range(1, 7)] == [3, 1, 1, 0, 0, 0]


@pytest.mark.rule("warcry.move.mid-air-drop")
@pytest.mark.parametrize(("top", "at", "rolls"), [(2.0, 2.0, 1), (1.9, 1.9, 0), (2.5, 1.0, 1), (2.0, 1.0, 0)])
def test_ending_in_mid_air_drops_the_fighter(top: float, at: float, rolls: int) -> None:
    block = piece({"rect": [0, 0, 4, 4], "top": top})
    battle = moving(fighter("a1", 13.2, 11, top), pieces=[block], dice=[6] * rolls)
    act(battle, path(("jump", 12, 11, at)))
    assert battle.state.fighter("a1").z == 0
    assert kinds(battle).count("impact") == rolls
    assert "mid-air" in kinds(battle)


@pytest.mark.rule("warcry.move.mid-air-drop", "warcry.move.fall-triggers")
def test_a_drop_that_ends_on_a_rim_is_a_fall() -> None:
    # Jumping a little way off a high block, the base comes to rest on a thin wall beside it.
    pair = piece({"rect": [0, 0, 2, 4], "top": 3}, {"rect": [1.9, 0, 0.3, 4], "top": 1.5})
    battle = moving(fighter("a1", 15.9, 11, 3), pieces=[pair], dice=[6, 6])
    act(battle, path(("jump", 17.3, 11, 2.9)))
    assert ask(battle).prompt.key == "ask.fall"
    assert battle.state.fighter("a1").z == 1.5


# -- climbing ----------------------------------------------------------------------------------------------------

FOOT = 13 - R


@pytest.mark.rule("warcry.move.climb", "warcry.move.climb-distance", "warcry.move.climb-end")
def test_climbing_a_wall_costs_its_height_and_ends_on_the_platform() -> None:
    battle = box(fighter("a1", FOOT, 11))
    act(battle, path(("climb", FOOT, 11, 3), ("climb", 13.1, 11, 3)))
    moved = last(battle, "moved")
    assert moved["moved"] == pytest.approx(3.6)
    a1 = battle.state.fighter("a1")
    assert (a1.z, a1.climbing) == (3.0, "")
    stop = box(fighter("a1", FOOT, 11))
    act(stop, path(("climb", FOOT, 11, 3)))
    assert last(stop, "moved")["moved"] == 3.0
    assert stop.state.fighter("a1").climbing == "t0.0"


@pytest.mark.rule("warcry.move.climb")
def test_a_climb_begins_in_contact_and_keeps_within_half_an_inch() -> None:
    away = box(fighter("a1", 12, 11))
    assert refused(away, path(("climb", 12, 11, 2))) == ("warcry.move.climb",)
    battle = box(fighter("a1", FOOT, 11))
    assert battle.check(path(("climb", FOOT - 0.5, 11, 2))).legal
    ruling = battle.check(path(("climb", FOOT - 0.6, 11, 2)))
    assert ruling.rules == ("warcry.move.climb",)
    assert ruling.reasons[0].facts["distance"] == pytest.approx(0.6)


@pytest.mark.rule("warcry.move.types")
def test_climbing_three_and_jumping_two_uses_five() -> None:
    trees = piece({"rect": [0, 0, 0.8, 0.8], "top": 6}, {"rect": [0, 3.4, 3, 3], "top": 2.9})
    battle = moving(fighter("a1", 15, 10.1), pieces=[trees])
    # Up the trunk, round it by climbing, and across: more than five inches in all.
    assert battle.check(path(("climb", 15, 10.1, 3))).legal
    start = moving(fighter("a1", 15, 11.9), pieces=[trees])
    assert start.check(path(("climb", 15, 11.9, 3), ("jump", 15, 13.9, 2.9))).legal
    assert refused(start, path(("climb", 15, 11.9, 3), ("jump", 15, 14, 2.9))) == ("warcry.move.action",)


@pytest.mark.rule("warcry.move.climb-end", "warcry.move.climb-attack", "warcry.move.fall-triggers")
def test_a_climber_attacks_from_the_wall_and_falls_when_its_activation_ends() -> None:
    battle = box(
        fighter("a1", FOOT, 11, weapons=[weapon(range=3)]),
        fighter("b1", 10.4, 11, wounds=50, activations=1),
        fighter("b2", 28, 20),
        dice=[5, 5, 5, 6],
    )
    act(battle, path(("climb", FOOT, 11, 2)))
    assert "fell" not in kinds(battle)
    act(battle, "attack-0-b1")
    told = kinds(battle)
    assert told.index("hits") > told.index("moved")
    assert "warcry.move.climb-attack" in fired(battle)
    assert ask(battle).prompt.key == "ask.fall"
    assert ask(battle).side == 1
    act(battle, {"x": FOOT, "y": 11, "z": 0})
    assert last(battle, "fell")["depth"] == 2.0
    assert kinds(battle).count("impact") == 1


@pytest.mark.rule("warcry.move.fall-impact")
def test_a_fall_of_less_than_two_inches_hurts_nobody() -> None:
    battle = box(fighter("a1", FOOT, 11), dice=[])
    act(battle, path(("climb", FOOT, 11, 1.9)), "wait")
    act(battle, {"x": FOOT, "y": 11, "z": 0})
    assert "impact" not in kinds(battle)
    deep = box(fighter("a1", FOOT, 11), dice=[2])
    act(deep, path(("climb", FOOT, 11, 2)), "wait")
    act(deep, {"x": FOOT, "y": 11, "z": 0})
    assert deep.state.fighter("a1").damage == 1


@pytest.mark.rule("warcry.move.fall-placement", "warcry.move.fall-blocked")
def test_without_a_landing_point_a_climber_is_lost_and_who_stands_on_a_platform_stays() -> None:
    # Under the climber stands a friend, and big ones fill the rest of the floor.
    crowd = [fighter("a2", 10.5, 9, base=101.6), fighter("a3", 10.5, 13.1, base=101.6), fighter("a4", FOOT, 11)]
    shelf = {"id": "box", "name": {"zh": "箱", "en": "box"}, "parts": [{"rect": [0, 0, 4, 12], "top": 6}]}
    battle = scene(fighter("a1", FOOT, 11, 2.2, climbing="t0.0"), *crowd, FOE, active="a1", pieces=[shelf])
    act(battle, "move", {"path": []}, "wait")
    assert battle.state.fighter("a1").where == "down"
    assert "warcry.move.fall-blocked" in fired(battle)


@pytest.mark.rule("warcry.move.fall-blocked")
def test_a_fall_passes_through_neither_walls_nor_floors() -> None:
    wall = piece({"rect": [0, 0, 0.3, 6], "top": 6})
    battle = moving(fighter("a1", 14.35, 11), pieces=[wall], dice=[6])
    act(battle, path(("climb", 14.35, 11, 2)), "wait")
    assert battle.check({"x": 13, "y": 11, "z": 0}).legal
    assert refused(battle, {"x": 15.7, "y": 11, "z": 0}) == ("warcry.move.fall-blocked",)
    # Off the upper deck, not through it to the floor beneath.
    deck = piece({"rect": [0, 0, 6, 6], "floor": 2.8, "top": 3})
    pair = (fighter("a1", 14, 11, 3), fighter("b1", 12.5, 11, 3, activations=1))
    high = scene(*pair, active="a1", pieces=[deck], dice=[2, 2, 2, 1, 6])
    act(high, "attack-0-b1")
    assert refused(high, {"x": 13, "y": 11, "z": 0}) == ("warcry.move.fall-blocked",)
    assert high.check({"x": 11.4, "y": 11, "z": 0}).legal


@pytest.mark.rule("warcry.move.fall-blocked")
def test_a_narrow_gap_is_room_enough_to_fall_into() -> None:
    # Friends fill the floor along the wall but for 0.05 inches more than the climber's base, aside of where it hangs.
    shelf = {"id": "box", "name": {"zh": "箱", "en": "box"}, "parts": [{"rect": [0, 0, 4, 12], "top": 6}]}
    big = [fighter(f"a{n}", 10.5, y, base=101.6) for n, y in ((2, 9), (3, 13.1))]
    small = [fighter(f"a{n}", FOOT, y) for n, y in ((4, 10.55), (5, 14.7))]
    battle = scene(
        fighter("a1", FOOT, 12.9, 2.2, climbing="t0.0"), *big, *small, FOE, active="a1", pieces=[shelf], dice=[6]
    )
    act(battle, "move", {"path": []}, "wait")
    assert ask(battle).prompt.key == "ask.fall"
    act(battle, {"x": FOOT, "y": 11.58, "z": 0})
    assert battle.state.fighter("a1").where == "field"


@pytest.mark.rule("warcry.move.fall-blocked")
@pytest.mark.parametrize(("wider", "lands"), [(0.02, True), (-0.02, False)])
def test_a_gap_two_hundredths_wider_than_the_base_is_a_landing(wider: float, lands: bool) -> None:
    shelf = {"id": "box", "name": {"zh": "箱", "en": "box"}, "parts": [{"rect": [0, 0, 4, 12], "top": 6}]}
    big = [fighter(f"a{n}", 10.5, y, base=101.6) for n, y in ((2, 9), (3, 13.1))]
    small = [fighter(f"a{n}", FOOT, y) for n, y in ((4, 10.6 - wider), (5, 14.7))]  # a3 ends it at 11.6
    battle = scene(
        fighter("a1", FOOT, 12.9, 2.2, climbing="t0.0"), *big, *small, FOE, active="a1", pieces=[shelf], dice=[6]
    )
    act(battle, "move", {"path": []}, "wait")
    if lands:
        assert ask(battle).prompt.key == "ask.fall"
        spot = battle.suggest()
        assert (spot["x"], spot["y"]) == (pytest.approx(FOOT, abs=0.03), pytest.approx(11.59, abs=0.03))
    else:
        assert battle.state.fighter("a1").where == "down"


@pytest.mark.rule("warcry.move.fall-blocked")
def test_a_fighter_on_a_platform_with_nowhere_to_fall_stays() -> None:
    tower = piece({"rect": [0, 0, 1.4, 1.4], "top": 3})
    around = ((17.85, 11), (12.15, 11), (15, 13.85), (15, 8.15))
    crowd = [fighter(f"b{n}", x, y, base=101.6, height=2) for n, (x, y) in enumerate(around, 2)]
    bow = [weapon(range=20)]
    battle = scene(
        fighter("a1", 5, 11, weapons=bow),
        fighter("b1", 15, 11, 3, activations=1),
        *crowd,
        active="a1",
        pieces=[tower],
        dice=[2, 2, 2, 1],
    )
    act(battle, "attack-0-b1")
    assert kinds(battle).count("fall-blocked") == 1
    b1 = battle.state.fighter("b1")
    assert (b1.where, b1.z, b1.damage) == ("field", 3.0, 0)


@pytest.mark.rule("warcry.move.mount-climb", "warcry.terrain.stairs-mount")
def test_mounts_climb_stairs_and_ladders_only() -> None:
    stairs = piece(
        {"rect": [0, 1, 4, 3], "top": 2},
        {"rect": [0, -1.5, 2, 2], "top": 2, "kind": "stairs"},
        {"rect": [2.1, 1, 0.2, 1], "top": 2, "kind": "ladder"},
    )
    at = [{"piece": "piece", "x": 15, "y": 11}]
    wall = moving(fighter("a1", 12.5, 12, runemarks=["mount"]), pieces=[stairs], terrain=at)
    assert refused(wall, path(("climb", 12.5, 12, 2))) == ("warcry.move.mount-climb",)
    foot = moving(fighter("a1", 15, 8, runemarks=["mount"]), pieces=[stairs], terrain=at)
    assert foot.check(path(("climb", 15, 10.6, 2))).legal
    rungs = moving(fighter("a1", 17.7, 12, runemarks=["mount"]), pieces=[stairs], terrain=at)
    assert rungs.check(path(("climb", 17.7, 12, 2))).legal


@pytest.mark.rule("warcry.move.climb-distance", "warcry.terrain.stairs-stay")
def test_stairs_are_measured_aslant_and_one_may_stop_on_them() -> None:
    stairs = piece({"rect": [0, 1, 4, 3], "top": 2}, {"rect": [0, -1.5, 2, 2], "top": 2, "kind": "stairs"})
    battle = moving(fighter("a1", 15, 8), pieces=[stairs])
    act(battle, path(("climb", 15, 9.3, 1.0)), "wait")
    assert last(battle, "moved")["moved"] == pytest.approx((1.3**2 + 1) ** 0.5, abs=0.001)
    assert "on-steps" in kinds(battle)
    assert battle.state.fighter("a1").z == 1.0


# -- flying ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("warcry.move.types")
def test_only_who_may_fly_is_offered_flight() -> None:
    offered = [manner.id for manner in ask(moving(fighter("a1", 5, 5))).form.manners]
    assert offered == ["walk", "jump", "climb"]
    wings = ask(moving(fighter("a1", 5, 5, runemarks=["fly"])))
    assert [manner.id for manner in wings.form.manners] == [*offered, "fly"]


@pytest.mark.rule("warcry.move.fly", "warcry.move.fly-end")
def test_flying_counts_the_way_across_and_ends_on_a_surface() -> None:
    tower = piece({"rect": [0, 0, 2, 2], "top": 6})
    battle = moving(fighter("a1", 12.5, 11, runemarks=["fly"]), fighter("a2", 16.9, 13), FOE, pieces=[tower])
    assert battle.check(path(("fly", 17.5, 11, 0))).legal
    assert battle.check(path(("fly", 15, 11, 6))).legal
    assert refused(battle, path(("fly", 14.5, 13, 2))) == ("warcry.move.fly-end",)
    assert "warcry.move.fly-end" in refused(battle, path(("fly", 16.5, 12.7, 0)))
    assert refused(battle, path(("fly", 17.6, 11, 0))) == ("warcry.move.action",)
    lame = moving(fighter("a1", 12.5, 11), pieces=[tower])
    assert refused(lame, path(("fly", 12.5, 14, 0))) == ("warcry.move.fly",)


@pytest.mark.rule("warcry.move.illegal")
def test_an_illegal_move_leaves_nothing_behind_and_costs_nothing() -> None:
    battle = moving(fighter("a1", 5, 5), treasures=[{"id": "g0", "kind": "skull", "x": 7, "y": 5}])
    before = battle.digest
    with pytest.raises(Exception, match=r"warcry\.move\.action"):
        battle.answer(walk((12, 5)))
    assert battle.digest == before
    assert battle.state.active.left == 1
    assert ask(battle).prompt.key == "ask.move"


@pytest.mark.rule("warcry.move.illegal")
def test_every_broken_rule_is_named_with_its_leg() -> None:
    battle = box(fighter("a1", 12, 11, move=3), fighter("b1", 15, 4), FOE | {"id": "b9"})
    ruling = battle.check(path(("walk", 18, 11), ("walk", 40, 11)))
    assert set(ruling.rules) >= {"warcry.move.through-terrain", "warcry.move.board-edge", "warcry.move.action"}
    assert ruling.reasons[0].facts["leg"] == 1


# -- terrain kinds -----------------------------------------------------------------------------------------------


@pytest.mark.rule("warcry.terrain.deadly-climb")
def test_climbing_deadly_terrain_hurts_first() -> None:
    fence = piece({"rect": [0, 0, 0.2, 4], "top": 2, "kind": "deadly"})
    battle = moving(fighter("a1", 14.4, 11, damage=7), pieces=[fence], dice=[5])
    act(battle, path(("climb", 14.4, 11, 1)))
    a1 = battle.state.fighter("a1")
    assert a1.where == "down"
    assert a1.z == 0
    tough = moving(fighter("a1", 14.4, 11), pieces=[fence], dice=[5])
    act(tough, path(("climb", 14.4, 11, 1)))
    assert tough.state.fighter("a1").damage == 5
    assert tough.state.fighter("a1").z == 1.0


@pytest.mark.rule("warcry.terrain.deadly-climb", "warcry.move.climb-end")
def test_a_climb_that_goes_on_in_the_next_action_hurts_no_more() -> None:
    fence = piece({"rect": [0, 0, 0.2, 4], "top": 4, "kind": "deadly"})
    battle = moving(fighter("a1", 14.4, 11), pieces=[fence], dice=[1, 6, 6, 6])
    act(battle, path(("climb", 14.4, 11, 1)), "move", path(("climb", 14.4, 11, 1.8)))
    assert ask(battle).prompt.key == "ask.fall"
    assert battle.state.fighter("a1").damage == 1


@pytest.mark.rule("warcry.terrain.deadly-fall")
def test_falling_beside_deadly_terrain_hurts_besides_the_impact() -> None:
    pair = piece({"rect": [0, 0, 4, 4], "top": 3}, {"rect": [-4, 0, 0.2, 4], "top": 2, "kind": "deadly"})
    battle = moving(fighter("a1", FOOT, 11), pieces=[pair], dice=[2, 4])
    act(battle, path(("climb", FOOT, 11, 2)), "wait", {"x": 11.7, "y": 11, "z": 0})
    assert battle.state.fighter("a1").damage == 5
    assert {"warcry.terrain.deadly-fall", "warcry.move.fall-impact"} <= fired(battle)


@pytest.mark.rule("warcry.terrain.deadly-fall", "warcry.core.within")
@pytest.mark.parametrize(("x", "hurt"), [(12.6, 4), (12.61, 0)])
def test_deadly_terrain_hurts_the_fallen_within_an_inch(x: float, hurt: int) -> None:
    # The fence's face is at x = 11.1; the wall that is climbed begins at x = 13.5.
    pair = piece({"rect": [0.5, 0, 4, 4], "top": 3}, {"rect": [-4, 0, 0.2, 4], "top": 2, "kind": "deadly"})
    battle = moving(fighter("a1", 13, 11), pieces=[pair], dice=[6, 4])
    act(battle, path(("climb", 13, 11, 2)), "wait", {"x": x, "y": 11, "z": 0})
    assert battle.state.fighter("a1").damage == hurt


@pytest.mark.rule("warcry.terrain.unclimbable")
def test_statues_are_neither_climbed_nor_walked_on() -> None:
    statue = piece({"rect": [0, 0, 3, 3], "top": 2, "kind": "unclimbable"}, {"rect": [4, 0, 4, 4], "top": 2})
    battle = moving(fighter("a1", 13, 11), pieces=[statue])
    assert refused(battle, path(("climb", 13, 11, 2))) == ("warcry.terrain.unclimbable",)
    state = battle.state
    assert state.ground.surface(15, 11, 2) is None
    beside = moving(fighter("a1", 17.5, 11, 2), pieces=[statue])
    assert "warcry.move.normal" in refused(beside, walk((15, 11)))


@pytest.mark.rule("warcry.terrain.unclimbable-end")
def test_ending_on_a_statue_is_an_impact_and_then_a_fall() -> None:
    pair = piece({"rect": [0, 0, 3, 3], "top": 2.2, "kind": "unclimbable"}, {"rect": [4, 0, 4, 4], "top": 3})
    battle = moving(fighter("a1", 17.2, 11, 3), pieces=[pair], dice=[2, 3])
    act(battle, path(("jump", 15.5, 11, 2.2)))
    assert kinds(battle).count("impact") == 1
    assert ask(battle).prompt.key == "ask.fall"
    act(battle, {"x": 15.0, "y": 13.1, "z": 0})
    assert battle.state.fighter("a1").damage == 2
    rules = [e.rules for e in battle.events if e.kind == "impact"]
    assert "warcry.terrain.unclimbable-end" in rules[0]
    assert "warcry.move.fall-impact" in rules[1]


GATE = piece(
    {"rect": [-2, 0, 3, 0.3], "top": 3},
    {"rect": [2, 0, 3, 0.3], "top": 3},
    {"rect": [0, 0, 1, 0.3], "top": 2.5, "kind": "arch"},
)
SHUT = piece(
    {"rect": [-2, 0, 3, 0.3], "top": 3},
    {"rect": [2, 0, 3, 0.3], "top": 3},
    {"rect": [0, 0, 1, 0.3], "top": 2.5, "kind": "closed-door"},
)
THROUGH: tuple[Any, ...] = ("walk", 15, 11.7, {"through": "t0.2"})


@pytest.mark.rule("warcry.terrain.door-pass")
def test_one_passes_an_archway_through_its_middle_if_there_is_move_left() -> None:
    battle = moving(fighter("a1", 15, 10.35), pieces=[GATE])
    assert battle.check(path(THROUGH)).legal
    assert refused(battle, walk((15, 11.7))) == ("warcry.move.through-terrain",)
    assert "warcry.terrain.door-pass" in refused(battle, path(("walk", 15, 11.3, {"through": "t0.2"})))
    aside = moving(fighter("a1", 15.3, 10.35), pieces=[GATE])
    assert "warcry.terrain.door-pass" in refused(aside, path(("walk", 15.3, 11.7, {"through": "t0.2"})))
    far = moving(fighter("a1", 15, 10), pieces=[GATE])
    assert "warcry.terrain.door-pass" in refused(far, path(THROUGH))
    slow = moving(fighter("a1", 15, 10.35, move=1), pieces=[GATE])
    assert refused(slow, path(THROUGH)) == ("warcry.move.action",)


@pytest.mark.rule("warcry.terrain.door-other-rules", "warcry.move.through-terrain")
def test_a_wall_behind_an_archway_is_in_the_way() -> None:
    yard = piece(*GATE["parts"], {"rect": [0, 2, 6, 0.3], "top": 3})
    battle = moving(fighter("a1", 15, 10.35), pieces=[yard])
    assert battle.check(path(THROUGH)).legal
    assert refused(battle, path(("walk", 15, 14, {"through": "t0.2"}))) == ("warcry.move.through-terrain",)
    # A base wider than the opening passes the walls that frame it, and only those.
    wide = moving(fighter("a1", 15, 9.85, base=50.8), pieces=[GATE])
    assert wide.check(path(("walk", 15, 12.2, {"through": "t0.2"}))).legal


@pytest.mark.rule("warcry.terrain.door-pass", "warcry.terrain.door-other-rules")
def test_a_fighter_behind_the_door_bars_it_and_so_does_a_disengage() -> None:
    barred = moving(fighter("a1", 15, 10.35), fighter("a2", 15, 12), FOE, pieces=[GATE])
    assert "warcry.move.through-fighters" in refused(barred, path(THROUGH))
    battle = scene(fighter("a1", 15, 10.35), fighter("b1", 15, 8.9, activations=1), active="a1", pieces=[GATE])
    act(battle, "disengage")
    assert "warcry.terrain.door-pass" in refused(battle, path(THROUGH))


@pytest.mark.rule("warcry.terrain.arch-limits", "warcry.terrain.closed-door-limits")
@pytest.mark.parametrize(
    ("mark", "gate", "legal"),
    [
        ("monster", GATE, False),
        ("mount", GATE, False),
        ("beast", GATE, True),
        ("monster", SHUT, False),
        ("mount", SHUT, False),
        ("beast", SHUT, False),
        ("hero", SHUT, True),
    ],
)
def test_who_passes_archways_and_closed_doors(mark: str, gate: dict[str, Any], legal: bool) -> None:
    battle = moving(fighter("a1", 15, 10.35, runemarks=[mark]), pieces=[gate])
    if legal:
        assert battle.check(path(THROUGH)).legal
    else:
        rule = "warcry.terrain.arch-limits" if gate is GATE else "warcry.terrain.closed-door-limits"
        assert refused(battle, path(THROUGH)) == (rule,)


# -- the path finder ---------------------------------------------------------------------------------------------


def test_a_click_on_a_platform_is_enough() -> None:
    battle = box(fighter("a1", 11, 11, move=6))
    act(battle, {"to": {"x": 14, "y": 11, "z": 3}})
    a1 = battle.state.fighter("a1")
    assert (a1.x, a1.y, a1.z) == (14, 11, 3)
    moved = last(battle, "moved")
    assert moved["how"] == ["walk", "climb", "climb", "walk"]
    assert moved["moved"] == pytest.approx(3 + 3, abs=0.02)


def test_the_finder_goes_round_walls_through_doors_and_up_stairs() -> None:
    wall = piece({"rect": [0, 0, 0.3, 3], "top": 9})
    round_it = moving(fighter("a1", 13.5, 11, move=8), pieces=[wall])
    act(round_it, {"to": {"x": 16.5, "y": 11}})
    assert 3.0 < last(round_it, "moved")["moved"] < 5.6
    through = moving(fighter("a1", 15, 9, move=4), pieces=[GATE])
    act(through, {"to": {"x": 15, "y": 12.5}})
    assert last(through, "moved")["moved"] == pytest.approx(3.5, abs=0.01)
    stairs = piece({"rect": [0, 1, 4, 3], "top": 2}, {"rect": [0, -1.5, 2, 2], "top": 2, "kind": "stairs"})
    up = moving(fighter("a1", 15, 7.5, move=5, runemarks=["mount"]), pieces=[stairs])
    act(up, {"to": {"x": 15, "y": 11, "z": 2}})
    assert "climb" in last(up, "moved")["how"]


def test_the_found_climb_is_where_the_straight_way_crosses_the_wall() -> None:
    battle = box(fighter("a1", 11, 9.5, move=9))
    act(battle, {"to": {"x": 15, "y": 12.5, "z": 3}})
    # Straight across it is 5 inches, and 3 inches up.
    assert last(battle, "moved")["moved"] == pytest.approx(8.0, abs=0.15)


def test_the_finder_refuses_what_is_too_far_and_offers_the_way_there() -> None:
    battle = box(fighter("a1", 9, 11, move=4))
    ruling = battle.check({"to": {"x": 14, "y": 11, "z": 3}})
    assert ruling.rules == ("warcry.move.illegal",)
    assert battle.check(ruling.nearest).legal
    act(battle, ruling.nearest)
    assert battle.state.fighter("a1").x > 12


def stops(battle: Battle[Any], wish: dict[str, Any]) -> tuple[float, float]:
    """Where the fighter stands after the furthest legal part of a refused move."""
    ruling = battle.check(wish)
    assert not ruling.legal
    act(battle, ruling.nearest)
    return battle.state.fighter("a1").x, battle.state.fighter("a1").y


@pytest.mark.parametrize("wish", [walk((10, 5)), walk((7.5, 5)), {"to": {"x": 7.5, "y": 5}}])
def test_who_is_dragged_into_another_stops_beside_it(wish: dict[str, Any]) -> None:
    battle = moving(fighter("a1", 5, 5), fighter("a2", 7.5, 5), FOE)
    assert stops(battle, wish) == (pytest.approx(6.5, abs=0.02), pytest.approx(5, abs=0.01))


def test_who_is_dragged_past_its_move_or_into_a_wall_stops_where_it_must() -> None:
    assert stops(moving(fighter("a1", 5, 5)), walk((25, 5)))[0] == pytest.approx(10, abs=0.01)
    assert stops(box(fighter("a1", 11, 11)), walk((14, 11)))[0] == pytest.approx(12.5, abs=0.02)
    assert stops(moving(fighter("a1", 5, 5)), walk((1, 5), (-3, 5)))[0] == pytest.approx(0.5, abs=0.02)


def test_wings_stop_before_those_that_they_would_land_on() -> None:
    wings = moving(fighter("a1", 5, 5, runemarks=["fly"]), fighter("a2", 9.5, 5), FOE)
    assert stops(wings, {"to": {"x": 9.5, "y": 5}})[0] == pytest.approx(8.5, abs=0.02)
    far = moving(fighter("a1", 5, 5, runemarks=["fly"]))
    assert stops(far, {"to": {"x": 25, "y": 5}})[0] == pytest.approx(10, abs=0.01)


def test_a_refused_disengage_offers_one_that_gets_away() -> None:
    battle = act(scene(fighter("a1", 5, 5), fighter("b1", 3.5, 5), active="a1"), "disengage", "pass")
    assert stops(battle, walk((12, 5)))[0] == pytest.approx(8, abs=0.01)
    near = act(scene(fighter("a1", 5, 5), fighter("b1", 3.5, 5), active="a1"), "disengage", "pass")
    assert near.check(walk((5.2, 5))).nearest is None


def test_a_path_to_a_fighter_ends_beside_it() -> None:
    battle = box(fighter("a1", 10, 11, move=8), fighter("b1", 20, 11))
    assert not battle.check({"to": {"beside": "b1"}}).legal
    near = box(fighter("a1", 15, 7, move=8), fighter("b1", 19, 11))
    act(near, {"to": {"beside": "b1"}})
    a1, b1 = near.state.fighter("a1"), near.state.fighter("b1")
    assert ((a1.x - b1.x) ** 2 + (a1.y - b1.y) ** 2) ** 0.5 - 1 <= 1.0


def test_reach_shows_upper_floors_and_risky_jumps() -> None:
    low = box(fighter("a1", 12, 11, move=6))
    assert {region.z for region in ask(low).reach()} == {0.0, 3.0}
    high = box(fighter("a1", 15, 11, 3, move=6))
    assert {(r.kind, r.z) for r in ask(high).reach()} >= {("reach", 3.0), ("risk", 0.0)}


def test_jumping_down_is_found_where_it_is_cheapest() -> None:
    block = piece({"rect": [0, 0, 4, 4], "top": 2})
    battle = moving(fighter("a1", 13.5, 11, 2, move=3), pieces=[block])
    act(battle, {"to": {"x": 11.5, "y": 11, "z": 0}})
    assert "jump" in last(battle, "moved")["how"]
    assert last(battle, "moved")["moved"] == pytest.approx(2.0, abs=0.05)


def test_found_paths_are_legal_wherever_they_lead() -> None:
    from umpire.engine.rng import Rng
    from umpire.games.warcry.paths import find

    rng = Rng(4)
    battle = scene(fighter("a1", 11, 11, move=6), fighter("b1", 18, 9), active="a1", terrain="sunken-court")
    state = battle.state
    tracer = Tracer(state, state.fighter("a1"), 6.0)
    found = 0
    for _ in range(25):
        wish = {"x": rng.uniform(6, 16), "y": rng.uniform(6, 16)}
        result = find(tracer, wish, 6.0)
        if result is not None:
            found += 1
            trace = tracer.run(result[0])
            assert not trace.reasons
            assert trace.cost == pytest.approx(result[1], abs=0.01)
    assert found > 5
    assert state.ground.surface(11, 11, 0) == FLOOR
