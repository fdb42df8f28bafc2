"""Moving: normal, run, retreat, redeploy, flying, coherency, measuring, terrain under foot."""

from __future__ import annotations

import math

import pytest

from aos.builder import STAY, ask, at, block, cites, do, options, refused, rolls, row, scene, to, unit
from umpire.engine.rng import Rng
from umpire.games.aos.state import Model
from umpire.games.aos.units import book
from umpire.miniatures.loose.bodies import gap, near, true_gap, wholly_in
from umpire.miniatures.loose.coherency import coherent
from umpire.miniatures.loose.groups import unit_gap


@pytest.mark.rule("aos.core.measuring", "aos.core.within")
def test_distances_are_between_the_closest_points_of_bases() -> None:
    a, b = Model("a", 0, 0, r=0.63, q=0.63), Model("b", 5, 0, r=0.63, q=0.63)
    assert math.isclose(gap(a, b), 3.74)
    assert near(a, b, 3.74)
    assert not near(a, b, 3.738)
    oval = Model("c", 0, 5, r=1.18, q=0.69)  # its long side towards a
    assert math.isclose(gap(a, oval), 5 - 0.63 - 1.18, abs_tol=1e-6)
    high = Model("d", 5, 0, 3.0, r=0.63, q=0.63)
    assert math.isclose(true_gap(a, high), math.hypot(3.74, 3))
    battle = scene(unit("a1", (10, 10), (11.2, 10)), unit("b1", (15, 10), (16.2, 10)))
    assert math.isclose(unit_gap(battle.state.unit("a1"), battle.state.unit("b1")), 2.8)


@pytest.mark.rule("aos.core.within", "aos.deploy.unit")
def test_one_base_outside_makes_the_unit_not_wholly_within() -> None:
    battle = scene(unit("a1", where="roster", size=2), unit("b1", (20, 25)), phase="deployment")
    do(battle, "deploy-unit:a1")
    assert refused(battle, at(a1_1=(10, 5), a1_2=(11.2, 5))) == []
    assert refused(battle, at(a1_1=(10, 9.5), a1_2=(11.2, 9.5))) == []
    assert refused(battle, at(a1_1=(10, 9.5), a1_2=(11.2, 9.6))) == ["aos.deploy.unit"]


@pytest.mark.rule("aos.move.normal", "aos.core.combat-range")
def test_normal_move_may_not_come_within_three_inches_of_an_enemy() -> None:
    battle = scene(unit("a1", (10, 10), move=9), unit("b1", (14, 13)), phase="movement")
    do(battle, "normal-move:a1")
    assert refused(battle, at(a1_1=(18, 10))) == ["aos.move.normal"]  # dips to 2 inches on the way
    assert refused(battle, to(1, 10)) == []
    assert refused(battle, to(0.99, 10)) == ["aos.move.normal"]
    assert refused(battle, at(a1_1=(10, 13))) == ["aos.move.normal"]  # exactly 3.0 inches
    assert refused(battle, at(a1_1=(9.99, 13))) == []


@pytest.mark.rule("aos.move.normal", "aos.move.retreat")
def test_who_is_in_combat_must_retreat() -> None:
    battle = scene(unit("a1", (10, 10)), unit("a2", (30, 10)), unit("b1", (10, 14)), phase="movement")
    assert refused(battle, "normal-move:a1") == ["aos.core.combat-range"]
    assert refused(battle, "run:a1") == ["aos.core.combat-range"]
    assert "retreat:a1" in options(battle)
    assert refused(battle, "retreat:a2") == ["aos.move.retreat"]


@pytest.mark.rule("aos.move.run", "aos.shoot.shoot")
def test_a_run_adds_its_roll_and_costs_shooting_and_charging() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (40, 28)), phase="movement", dice=[4])
    do(battle, "run:a1", "pass")
    assert rolls(battle, "run") == [[4]]
    assert refused(battle, to(19, 10)) == []
    assert refused(battle, to(19.01, 10)) == ["aos.move.run"]
    do(battle, to(19, 10))
    assert {"run", "move", "core"} <= set(battle.state.unit("a1").keywords_turn)
    bows = [{"id": "bow", "attacks": "1", "hit": 4, "wound": 4, "rend": 0, "damage": "1", "range": 20.0}]
    shooting = scene(
        unit("a1", (10, 10), weapons=bows, keywords_turn=["run"]),
        unit("a2", (14, 10), weapons=bows),
        unit("b1", (10, 20)),
        phase="shooting",
    )
    assert refused(shooting, "shoot:a1") == ["aos.shoot.shoot"]
    assert "shoot:a2" in options(shooting)


@pytest.mark.rule("aos.move.retreat", "aos.core.damage-sequence", "aos.charge.charge")
def test_a_retreat_hurts_after_the_move_and_bars_charging() -> None:
    battle = scene(unit("a1", *row(10, 10, 4, 0.2), move=6), unit("b1", (10, 13)), phase="movement", dice=[6])
    do(battle, "retreat:a1")
    assert battle.state.pools == {"a1": 3}
    assert len(battle.state.unit("a1").models) == 4  # all of them move
    near = {"models": {f"a1.{n + 1}": {"x": 10 + 1.2 * n, "y": 9} for n in range(4)}}
    assert refused(battle, near) == ["aos.move.retreat"]  # still within 3 inches
    mover = {"models": {f"a1.{n + 1}": {"x": 10 + 1.2 * n, "y": 5} for n in range(4)}}
    do(battle, mover)
    assert ask(battle).prompt.key == "ask.slain"
    assert battle.state.unit("a1").cy == 5
    do(battle, ["a1.1", "a1.2", "a1.3"])
    assert "retreat" in battle.state.unit("a1").keywords_turn
    charging = scene(
        unit("a1", (10, 10), keywords_turn=["retreat"]), unit("a2", (30, 10)), unit("b1", (10, 20)), phase="charge"
    )
    assert refused(charging, "charge:a1") == ["aos.charge.charge"]


@pytest.mark.rule("aos.move.retreat")
def test_a_retreat_ends_out_of_combat_or_stays() -> None:
    battle = scene(unit("a1", (10, 10), health=5, move=6), unit("b1", (10, 13)), phase="movement", dice=[1])
    do(battle, "retreat:a1")
    assert refused(battle, at(a1_1=(10, 9))) == ["aos.move.retreat"]  # 3.0 inches away
    assert refused(battle, at(a1_1=(10, 8.99))) == []
    do(battle, STAY)
    assert battle.state.unit("a1").damage == 1


@pytest.mark.rule("aos.command.redeploy")
def test_redeploy_rolls_one_die_for_the_unit() -> None:
    battle = scene(unit("a1", (10, 8)), unit("b1", *row(10, 25, 3)), phase="movement", stage=1, dice=[2])
    do(battle, "redeploy:b1")
    assert rolls(battle, "redeploy") == [[2]]
    fighting = scene(unit("a1", (10, 10)), unit("b1", (10, 12)), unit("b2", (30, 20)), phase="movement", stage=1)
    assert refused(fighting, "redeploy:b1") == ["aos.core.combat-range"]
    assert refused(battle, to(11.5, 23)) == []
    assert refused(battle, to(11.5, 22.9)) == ["aos.command.redeploy"]


@pytest.mark.rule("aos.move.fly", "aos.core.cannot-wins")
def test_a_flyer_crosses_enemies_but_may_not_end_among_them() -> None:
    battle = scene(unit("a1", (10, 10), move=12, keywords=["infantry", "fly"]), unit("b1", (10, 16)), phase="movement")
    do(battle, "normal-move:a1")
    assert refused(battle, to(10, 22)) == []
    assert refused(battle, to(10, 19.9)) == ["aos.move.normal"]
    do(battle, to(10, 22))
    assert cites(battle, "aos.move.fly")


@pytest.mark.rule("aos.move.fly")
def test_a_flyer_ignores_heights() -> None:
    wall = block(10, 13, 6, 1, 3)
    walker = scene(unit("a1", (10, 10)), unit("b1", (10, 28)), terrain=[wall])
    do(walker, "normal-move:a1")
    assert refused(walker, to(10, 15)) == ["aos.move.normal"]
    flyer = scene(unit("a1", (10, 10), keywords=["fly"]), unit("b1", (10, 28)), terrain=[wall])
    do(flyer, "normal-move:a1")
    assert refused(flyer, to(10, 15)) == []


@pytest.mark.rule("aos.core.movement")
def test_models_move_through_nobody_and_stay_on_the_battlefield() -> None:
    battle = scene(unit("a1", (1, 10)), unit("a2", (4, 10)), unit("b1", (30, 28)))
    do(battle, "normal-move:a1")
    assert refused(battle, to(6, 10)) == ["aos.core.movement"]  # through a2
    assert refused(battle, to(3.2, 10)) == ["aos.core.movement"]  # onto a2
    assert refused(battle, to(3, 10)) == []  # touching it
    assert refused(battle, to(0.4, 10)) == ["aos.core.movement"]
    assert refused(battle, {"models": {"a1.1": {"x": 6, "y": 10, "path": [[1.5, 12], [5, 12]]}}}) == ["aos.move.normal"]
    assert refused(battle, {"models": {"a1.1": {"x": 5, "y": 11, "path": [[2, 11.5], [4, 11.5]]}}}) == []
    assert refused(battle, STAY) == []


@pytest.mark.rule("aos.core.movement")
def test_turning_a_long_base_counts_how_far_its_tip_travels() -> None:
    battle = scene(unit("a1", (10, 10, 0), base=[60, 35], move=5), unit("b1", (30, 28)))
    do(battle, "normal-move:a1")
    straight = {"models": {"a1.1": {"x": 10, "y": 15}}}
    turned = {"models": {"a1.1": {"x": 10, "y": 15, "facing": 90}}}
    tip = math.pi / 2 * 60 / 50.8
    assert refused(battle, straight) == []
    assert refused(battle, turned) == ["aos.move.normal"]
    assert ask(battle).check(turned).reasons[0].facts["moved"] == pytest.approx(5 + tip, abs=0.001)


@pytest.mark.rule("aos.core.coherency")
def test_coherency_with_six_and_with_seven() -> None:
    def line(count: int, gap: float = 0.5) -> list[Model]:
        return [Model(str(n), n * (1 + gap), 0, r=0.5, q=0.5) for n in range(count)]

    anybody = scene(unit("a1", (10, 10)), unit("b1", (30, 28))).state.unit("a1")
    assert coherent(line(6), book(anybody))
    assert not coherent(line(7), book(anybody))
    assert not coherent(line(6, 0.51), book(anybody))
    pairs = [Model(str(n), x, 0, r=0.5, q=0.5) for n, x in enumerate((0, 1.2, 10, 11.2))]
    assert not coherent(pairs, book(anybody))
    ranks = [Model(str(n), 1.2 * (n % 4) + 0.6 * (n // 4), 1.2 * (n // 4), r=0.5, q=0.5) for n in range(7)]
    assert coherent(ranks, book(anybody))
    assert coherent(line(1), book(anybody))


@pytest.mark.rule("aos.core.coherency-move")
def test_a_move_that_breaks_the_unit_is_refused_whole() -> None:
    battle = scene(unit("a1", *row(10, 10, 3)), unit("b1", (30, 28)))
    do(battle, "normal-move:a1")
    assert refused(battle, at(a1_3=(13.1, 10))) == ["aos.core.coherency-move"]
    assert refused(battle, at(a1_3=(12.6, 10.8))) == []  # moving some of them is enough
    assert battle.state.unit("a1").models[2].x == 13


@pytest.mark.rule("aos.core.move-terrain")
def test_climbing_costs_up_and_down_and_low_things_cost_nothing() -> None:
    battle = scene(unit("a1", (10, 10), move=10), unit("b1", (30, 28)), terrain=[block(10, 12, 8, 1, 3)])
    do(battle, "normal-move:a1")
    assert refused(battle, to(10, 14)) == []  # 4 inches on, 3 up, 3 down
    assert refused(battle, to(10, 14.01)) == ["aos.move.normal"]
    low = scene(unit("a1", (10, 10), move=5), unit("b1", (30, 28)), terrain=[block(10, 12, 8, 1, 1)])
    do(low, "normal-move:a1")
    assert refused(low, to(10, 15)) == []


@pytest.mark.rule("aos.core.jump-down")
def test_a_jump_is_free_and_ends_the_move() -> None:
    hill = block(10, 10, 6, 6, 4, type="area")
    battle = scene(unit("a1", (10, 12), move=2), unit("b1", (30, 28)), terrain=[hill])
    assert battle.state.unit("a1").models[0].z == 4
    do(battle, "normal-move:a1")
    assert refused(battle, to(10, 13.52)) == []  # just clear of the edge at 13
    assert refused(battle, to(10, 13.9)) == ["aos.move.normal"]  # no inch may be moved after it
    do(battle, to(10, 13.52))
    assert battle.state.unit("a1").models[0].z == 0
    assert cites(battle, "aos.core.jump-down")


@pytest.mark.rule("aos.core.stand-level")
def test_a_base_needs_a_surface_that_carries_it() -> None:
    hill = block(10, 13, 6, 4, 2, type="area")
    battle = scene(unit("a1", (10, 10), move=9), unit("b1", (30, 28)), terrain=[hill])
    do(battle, "normal-move:a1")
    assert refused(battle, to(10, 10.8)) == ["aos.core.stand-level"]  # would cut into the slope
    assert refused(battle, to(10, 11.1)) == []  # its rim hangs over the edge
    do(battle, to(10, 11.1))
    assert battle.state.unit("a1").models[0].z == 2


@pytest.mark.rule("aos.terrain.unstable")
def test_unstable_parts_may_be_crossed_but_not_stood_on() -> None:
    battle = scene(unit("a1", (10, 10), move=14), unit("b1", (30, 28)), terrain=[block(10, 13, 6, 3, 3)])
    do(battle, "normal-move:a1")
    assert refused(battle, to(10, 13)) == ["aos.terrain.unstable"]
    assert refused(battle, to(10, 16)) == []
    low = scene(unit("a1", (10, 10), move=14), unit("b1", (30, 28)), terrain=[block(10, 13, 6, 3, 1)])
    do(low, "normal-move:a1")
    assert refused(low, to(10, 13)) == []
    high = scene(unit("a1", (10, 10), move=14), unit("b1", (30, 28)), terrain=[block(10, 13, 6, 3, 1.05)])
    do(high, "normal-move:a1")
    assert refused(high, to(10, 13)) == ["aos.terrain.unstable"]


@pytest.mark.rule("aos.terrain.impassable")
def test_impassable_ground_is_neither_crossed_nor_stood_on() -> None:
    chasm = block(10, 13, 6, 2, 0, type="impassable")
    walker = scene(unit("a1", (10, 10), move=9), unit("b1", (30, 28)), terrain=[chasm])
    do(walker, "normal-move:a1")
    assert refused(walker, to(10, 16)) == ["aos.terrain.impassable"]
    assert refused(walker, to(10, 13)) == ["aos.terrain.impassable"]
    flyer = scene(unit("a1", (10, 10), move=9, keywords=["fly"]), unit("b1", (30, 28)), terrain=[chasm])
    do(flyer, "normal-move:a1")
    assert refused(flyer, to(10, 16)) == []
    assert refused(flyer, to(10, 13)) == ["aos.terrain.impassable"]


def test_a_formation_is_fitted_round_obstacles() -> None:
    battle = scene(unit("a1", *row(10, 10, 5, 0.2), move=6), unit("a2", (12.4, 14)), unit("b1", (30, 28)))
    do(battle, "normal-move:a1")
    answer = to(12.4, 14.5)
    assert refused(battle, answer) == []
    do(battle, answer)
    moved = battle.state.unit("a1").models
    assert coherent(moved, book(battle.state.unit("a1")))
    assert abs(battle.state.unit("a1").cy - 14.5) < 1.5


def test_refused_moves_name_the_nearest_legal_one() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (30, 28)))
    do(battle, "normal-move:a1")
    ruling = ask(battle).check(to(10, 25))
    assert not ruling
    assert ruling.nearest == to(10.0, 15.0)
    assert ask(battle).suggest(Rng(1))


def test_who_is_dragged_into_others_stops_before_them() -> None:
    enemy = scene(unit("a1", (10, 10)), unit("b1", (10, 16.26)))
    do(enemy, "normal-move:a1")
    stopped = ask(enemy).check(to(10, 15)).nearest["to"]
    assert (stopped["x"], stopped["y"]) == (10, pytest.approx(12.26, abs=0.03))  # outside the combat range
    models = ask(enemy).check(at(a1_1=(10, 30))).nearest["models"]["a1.1"]
    assert (models["x"], models["y"]) == (10, pytest.approx(12.26, abs=0.03))


@pytest.mark.rule("aos.core.set-up")
def test_a_unit_that_arrives_may_not_move_but_may_charge() -> None:
    battle = scene(unit("a1", (10, 10), arrived=True), unit("a2", (30, 10)), unit("b1", (10, 20)), phase="movement")
    assert refused(battle, "normal-move:a1") == ["aos.core.set-up"]
    assert refused(battle, "run:a1") == ["aos.core.set-up"]
    charging = scene(unit("a1", (10, 10), arrived=True), unit("b1", (10, 20)), phase="charge")
    assert "charge:a1" in options(charging)


@pytest.mark.rule("aos.core.within")
def test_oval_bases_are_measured_as_they_stand() -> None:
    half = 35 / 50.8
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    rider = Model("m", half, 5, 0, 0, 60 / 50.8, half)
    assert wholly_in(rider, square)
    assert not wholly_in(Model("m", half - 0.01, 5, 0, 0, 60 / 50.8, half), square)
    assert not wholly_in(Model("m", half, 5, 0, 90, 60 / 50.8, half), square)  # its length lies across the edge
    battle = scene(
        unit("a1", (10, 10, 0), base=[60, 35], move=9), unit("b1", (30, 28)), terrain=[block(12, 14, 1, 4, 3)]
    )
    do(battle, "normal-move:a1")
    assert refused(battle, {"models": {"a1.1": {"x": 11.5 - half, "y": 14}}}) == []  # beside the wall
    assert "aos.terrain.unstable" in refused(battle, {"models": {"a1.1": {"x": 11.5 - half + 0.01, "y": 14}}})


def test_a_formation_goes_round_what_blocks_the_straight_way() -> None:
    battle = scene(unit("a1", (10, 10), move=9), unit("a2", (10, 13), base=[60]), unit("b1", (30, 28)))
    do(battle, "normal-move:a1")
    assert refused(battle, to(10, 16)) == []
    assert refused(battle, at(a1_1=(10, 16))) == ["aos.core.movement"]  # told model by model, the way is the player's
    slow = scene(unit("a1", (10, 10), move=6), unit("a2", (10, 13), base=[60]), unit("b1", (30, 28)))
    do(slow, "normal-move:a1")
    assert refused(slow, to(10, 16)) == ["aos.core.movement"]  # too far for that


@pytest.mark.rule("aos.move.retreat", "aos.command.redeploy", "aos.move.fly")
def test_combat_ranges_bar_moves_also_where_no_enemy_sees_the_unit() -> None:
    wall = block(14, 12.5, 8, 0.5, 9)  # hides what stands behind it

    def moving(move: str, **more: object) -> list[str]:
        me = unit("a1", (10, 10), **{"move": 9, "health": 5, **more})
        foes = [unit("b1", (14, 14), weapons=[])]
        if move == "retreat":
            foes.append(unit("b2", (10, 7.5), weapons=[]))
        enemy_turn = {"active": 1, "stage": 1} if move == "redeploy" else {}
        battle = scene(me, *foes, phase="movement", dice=[6], terrain=[wall], **enemy_turn)
        do(battle, f"{move}:a1")
        return refused(battle, at(a1_1=(14, 11)))  # 2 inches from b1, behind the wall

    assert moving("normal-move") == []  # it would not be in combat
    assert moving("retreat") == ["aos.move.retreat"]
    assert moving("redeploy") == ["aos.command.redeploy"]
    assert moving("normal-move", keywords=["fly"]) == ["aos.move.normal"]


@pytest.mark.rule("aos.move.normal")
def test_a_way_that_is_seen_only_in_part_may_still_lead_into_combat() -> None:
    wall = block(12, 12, 1.6, 0.5, 9)
    battle = scene(unit("a1", (8, 10.5), move=9), unit("b1", (12, 13)), phase="movement", terrain=[wall])
    do(battle, "normal-move:a1")
    assert refused(battle, at(a1_1=(16, 10.5))) == ["aos.move.normal"]  # hidden where it is nearest, seen before that
    hidden = scene(
        unit("a1", (8, 10.5), move=9),
        unit("b1", (12, 13)),
        phase="movement",
        terrain=[block(12, 12, 12, 0.5, 9)],
    )
    do(hidden, "normal-move:a1")
    assert refused(hidden, at(a1_1=(16, 10.5))) == []


@pytest.mark.rule("aos.core.faction-terrain", "aos.core.move-terrain")
def test_faction_terrain_is_climbed_like_other_terrain_but_blocks_charges() -> None:
    tower = {
        "kind": "terrain",
        "move": 0,
        "health": 4,
        "base": [76.2],
        "height": 1.5,
        "features": ["cover", "unstable"],
    }
    units = (unit("a1", (10, 10), move=12), unit("b1", (10, 14), weapons=[], **tower), unit("b2", (20, 28)))
    battle = scene(*units, phase="movement")
    do(battle, "normal-move:a1")
    assert refused(battle, at(a1_1=(10, 18.9))) == []  # 8.9 inches on, 1.5 up and down
    assert refused(battle, at(a1_1=(10, 19.1))) == ["aos.move.normal"]
    charging = scene(
        unit("a1", (10, 8)), units[1], unit("b2", (10, 18)), phase="charge", dice=[6, 6], sides=[{"command": 0}, {}]
    )
    do(charging, "charge:a1")
    assert refused(charging, at(a1_1=(10, 16.6))) == ["aos.core.movement"]


@pytest.mark.rule("aos.core.jump-down", "aos.terrain.impassable")
def test_oval_bases_climb_and_jump_as_long_and_wide_as_they_are() -> None:
    half = 60 / 50.8
    hill = block(10, 10, 6, 8, 4, type="area")
    battle = scene(unit("a1", (10, 12, 0), base=[60, 35], move=4), unit("b1", (30, 28)), terrain=[hill])
    do(battle, "normal-move:a1")
    assert refused(battle, to(10, 14 + half + 0.02)) == []  # lengthwise, just clear of the edge at 14
    assert refused(battle, to(10, 14 + half + 0.2)) == ["aos.move.normal"]
    chasm = block(14, 11.2, 2, 1, 0, type="impassable")
    broad = scene(unit("a1", (10, 10, 0), base=[60, 35], move=9), unit("b1", (30, 28)), terrain=[chasm])
    do(broad, "normal-move:a1")
    assert refused(broad, at(a1_1=(18, 10))) == ["aos.terrain.impassable"]  # its end passes over
    slim = scene(unit("a1", (10, 10, 90), base=[60, 35], move=9), unit("b1", (30, 28)), terrain=[chasm])
    do(slim, "normal-move:a1")
    assert refused(slim, at(a1_1=(18, 10))) == []


def test_a_formation_finds_a_way_with_many_bends() -> None:
    maze = [
        unit("a2", *[(12, 6.5 + 1.1 * n) for n in range(6)]),  # a wall of friends with its gap above
        unit("a3", *[(15, 9.5 + 1.1 * n) for n in range(6)]),  # another with its gap below
    ]
    battle = scene(unit("a1", (10, 10), move=16), *maze, unit("b1", (40, 28)))
    do(battle, "normal-move:a1")
    assert refused(battle, to(18, 12)) == []
    assert refused(battle, at(a1_1=(18, 12))) == ["aos.core.movement"]
    round_foe = scene(unit("a1", (10, 10), move=16), unit("b1", (15, 10)))
    do(round_foe, "normal-move:a1")
    assert refused(round_foe, to(20, 10)) == []  # keeping out of its combat range all the way
    do(round_foe, to(20, 10))
    assert round_foe.state.unit("a1").fights == ()
    walled = scene(unit("a1", (10, 10), move=9), unit("b1", (40, 28)), terrain=[block(13, 10, 1, 4, 6)])
    do(walled, "normal-move:a1")
    assert refused(walled, to(16, 10)) == []  # round the wall, not over it


@pytest.mark.rule("aos.core.terrain-behind")
def test_long_bases_are_seen_past_the_end_of_a_feature() -> None:
    from umpire.games.aos.terrain import behind

    wall = block(10, 15, 2.4, 0.5, 2)
    for facing, hidden in ((0, True), (90, False)):
        battle = scene(unit("a1", (10, 10)), unit("b1", (10, 20, facing), base=[120, 25]), terrain=[wall])
        assert behind(battle.state.terrain[0], battle.state.unit("a1"), battle.state.unit("b1")) is hidden


@pytest.mark.rule("aos.move.retreat", "aos.ability.one-core")
def test_a_retreat_is_a_core_ability() -> None:
    battle = scene(
        unit("a1", (10, 10), move=9, health=5), unit("a2", (30, 10)), unit("b1", (10, 13)), phase="movement", dice=[1]
    )
    do(battle, "retreat:a1", at(a1_1=(10, 5)))
    assert refused(battle, "normal-move:a1") == ["aos.ability.one-core"]


@pytest.mark.rule("aos.core.jump-down", "aos.core.move-terrain")
def test_a_jump_down_ends_the_move() -> None:
    """Over a wall 3 inches high: by the foot of the wall and on from there the way down is climbed."""
    battle = scene(unit("a1", (10, 10), move=8), unit("b1", (40, 28)), terrain=[block(12, 10, 1, 4, 3)])
    do(battle, "normal-move:a1")
    foot = (13.02, 10)
    assert refused(battle, at(a1_1=foot)) == []  # 3.02 across, 3 up, and the jump is free
    on = {"models": {"a1.1": {"x": 14.5, "y": 10, "path": [list(foot)]}}}
    assert refused(battle, on) == ["aos.move.normal"]  # 4.5 across, 3 up and 3 down


@pytest.mark.rule("aos.core.move-terrain")
def test_a_waypoint_over_a_wall_is_as_high_as_the_wall() -> None:
    battle = scene(
        unit("a1", (10, 10), move=10), unit("b1", (40, 28)), terrain=[block(12, 10, 1, 4, 3, type="obstacle")]
    )
    do(battle, "normal-move:a1")
    over = {"models": {"a1.1": {"x": 14, "y": 10, "path": [[12, 10]]}}}
    assert refused(battle, over) == []  # 4 across, 3 up, 3 down: neither more nor less than straight over
    assert refused(battle, at(a1_1=(14, 10))) == []
    assert refused(battle, {"models": {"a1.1": {"x": 14.1, "y": 10, "path": [[12, 10]]}}}) == ["aos.move.normal"]


@pytest.mark.rule("aos.core.movement")
def test_no_way_leaves_the_table() -> None:
    battle = scene(unit("a1", (1, 10), move=9), unit("b1", (40, 28)))
    do(battle, "normal-move:a1")
    assert refused(battle, {"models": {"a1.1": {"x": 2, "y": 12, "path": [[0.2, 11]]}}}) == ["aos.core.movement"]
    assert refused(battle, {"models": {"a1.1": {"x": 2, "y": 12, "path": [[0.5, 11]]}}}) == []


@pytest.mark.rule("aos.move.retreat")
def test_a_retreat_takes_every_model_out_of_combat() -> None:
    spots = row(10, 10, 2, 0.2)
    battle = scene(unit("a1", *spots, move=9, health=9), unit("b1", (10, 13)), phase="movement", dice=[1])
    do(battle, "retreat:a1")
    assert refused(battle, at(a1_1=(11.2, 8.6))) == ["aos.move.retreat"]  # 3.56 inches off, the other still 2.23
    assert refused(battle, {"models": {"a1.1": {"x": 10, "y": 8}, "a1.2": {"x": 11.2, "y": 8}}}) == []
    assert refused(battle, {"stay": True}) == []  # the move is optional


def test_what_is_no_truth_value_is_no_stay() -> None:
    battle = scene(unit("a1", (10, 10), move=9), unit("b1", (40, 28)))
    do(battle, "normal-move:a1")
    assert refused(battle, {"stay": True}) == []
    assert refused(battle, {"stay": 1}) != []


@pytest.mark.parametrize(("away", "vain"), [(10, False), (16, False), (16.1, True)])
def test_a_charge_at_nobody_within_the_best_roll_is_told_to_be_vain_and_may_be_tried(away: float, vain: bool) -> None:
    """Twelve inches, and three more to an enemy on terrain; the bases are an inch across."""
    charging = scene(unit("a1", (10, 10)), unit("b1", (10, 10 + away)), phase="charge")
    assert ask(charging).check("charge:a1").legal
    assert ask(charging).options["charge:a1"].vain is vain


@pytest.mark.rule("aos.core.movement")
def test_one_model_dragged_past_others_stops_nearest_to_the_wish_not_before_them() -> None:
    """Straight on it is left 2 inches from where it stood; round the row's end it comes within 12.2 of the wish."""
    row_of = unit("a2", *((7 + 1.1 * n, 13) for n in range(6)))
    battle = scene(unit("a1", (10, 10), move=10), row_of, unit("b1", (40, 28)), phase="movement")
    battle.answer("normal-move:a1")
    ruling = battle.check({"to": {"x": 10, "y": 30}})
    assert not ruling.legal
    assert ruling.nearest is not None
    assert battle.check(ruling.nearest).legal
    end = ruling.nearest["to"]
    assert math.hypot(end["x"] - 10, end["y"] - 30) < 12.2
