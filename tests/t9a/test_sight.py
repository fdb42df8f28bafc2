"""Line of sight and cover."""

import pytest

from t9a.builder import do, hero, offered, piece, quiet, refused, scene, u, unit
from umpire.games.t9a import sight
from umpire.games.t9a.formation import layout


def looking(*others, at=(36, 32), mine=None, theirs=None, terrain=(), a=None, b=None, without=()):
    """Unit a, five wide with its front at (36, 20), looks up the table at b."""
    battle = scene(
        unit("a", of=mine or quiet(), models=10, **(a or {})),
        unit("b", 1, at=at, of=theirs or quiet(), models=5, **(b or {})),
        *others,
        terrain=terrain,
        without=without,
    )
    return battle.state


def sees(state):
    return sight.sees(state, state.unit("a"), state.unit("b"))


def cover(state, face="front", cell=2):
    a = state.unit("a")
    return sight.best_cover(state, a, state.unit("b"), face, layout(state, a).cells[cell])


WALL = unit("w", 1, at=(36, 26), of=quiet(), models=20, files=20)


@pytest.mark.rule("t9a.def.los", "t9a.def.los.unit", "t9a.def.los.blockers")
def test_one_free_line_is_enough_and_units_as_high_as_both_block():
    assert sees(looking())
    assert not sees(looking(WALL))
    assert sees(looking(WALL, without=["t9a.def.los.blockers"]))
    gap = (
        unit("w", 1, at=(32.95, 26), of=quiet(), models=6, files=6),
        unit("v", 1, at=(39.05, 26), of=quiet(), models=6, files=6),
    )
    assert sees(looking(*gap)), "a slit of a tenth of an inch between them"
    high = unit("w", 1, at=(36, 26), of=quiet(height=2), models=20, files=20)
    assert not sees(looking(high))
    assert sees(looking(high, theirs=quiet(height=3))), "lower than the target"
    assert not sees(looking(unit("w", 1, at=(36, 26), of=quiet(height=3), models=20, files=20), mine=quiet(height=3)))


@pytest.mark.rule("t9a.def.los.arc")
def test_forty_five_degrees_to_either_side():
    """The right end of the front is at 38.5: a target whose near corner lies 10 out and 10 on is seen just so."""
    away = {"facing": 0.0}
    assert sees(looking(at=(51, 30), b=dict(away)))
    assert not sees(looking(at=(51.1, 30), b=dict(away)))
    assert not sees(looking(at=(36, 15), b={"facing": 180.0}))
    assert sees(looking(at=(51.1, 30), b=dict(away), without=["t9a.def.los.arc"]))


@pytest.mark.rule("t9a.def.los.origin", "t9a.def.los.own-unit")
def test_rear_models_look_from_the_front_of_their_file():
    state = looking(terrain=[piece("h", "impassable", 30, 22, 37.4, 23)], at=(38, 32))
    a, b = state.unit("a"), state.unit("b")
    cells = layout(state, a).cells
    rear = next(c for c in cells if (c.file, c.rank) == (4, 1))
    left = next(c for c in cells if (c.file, c.rank) == (0, 1))
    assert sight.sees(state, a, b, [rear]), "past its own first rank"
    seen = sight.sight_point(state, a, b, [rear])
    assert 37.5 <= seen[0] <= 38.5
    assert not sight.sees(state, a, b, [left])


@pytest.mark.rule("t9a.def.los.boundary-target")
def test_the_empty_corner_of_a_boundary_is_seen_but_not_shot_at():
    """Of the target's last rank only the left half is filled; the house hides all but the empty rear corner."""
    target = {"facing": 0.0, "files": 5}
    house = [piece("h", "impassable", 20, 25, 38.2, 31.5)]
    battle = scene(
        unit("a", of=quiet(), models=5), unit("b", 1, at=(36, 34), of=quiet(), models=6, **target), terrain=house
    )
    a, b = u(battle, "a"), u(battle, "b")
    assert sight.sees(battle.state, a, b)
    hidden = [piece("h", "impassable", 20, 25, 52, 31.5)]
    shut = scene(
        unit("a", of=quiet(), models=5), unit("b", 1, at=(36, 34), of=quiet(), models=6, **target), terrain=hidden
    )
    assert not sight.sees(shut.state, u(shut, "a"), u(shut, "b"))


@pytest.mark.rule("t9a.terrain.opaque", "t9a.terrain.hill")
def test_sight_goes_into_and_out_of_hills_but_not_across():
    hill = [piece("h", "hill", 20, 24, 52, 29)]
    assert not sees(looking(terrain=hill))
    assert sees(looking(terrain=hill, at=(36, 26)))
    assert sees(looking(terrain=[piece("h", "hill", 20, 15, 52, 22)])), "out of the own hill"
    assert sees(looking(terrain=hill, without=["t9a.terrain.hill"]))
    house = [piece("h", "impassable", 20, 24, 52, 29)]
    assert not sees(looking(terrain=house, without=["t9a.terrain.hill"]))
    assert sees(looking(terrain=house, without=["t9a.terrain.opaque"]))


@pytest.mark.rule("t9a.terrain.hill.elevated")
def test_from_a_hill_one_looks_over_those_below():
    hill = [piece("h", "hill", 30, 15, 42, 21)]
    tall = unit("w", 1, at=(36, 27), of=quiet(height=3), models=20, files=20)
    assert sees(looking(tall, terrain=hill))
    assert not sees(looking(tall, terrain=[piece("h", "hill", 30, 19.2, 42, 21)])), "only partly on it"
    ridge = looking(tall, terrain=[piece("h", "hill", 34, 15, 42, 21)])
    assert sees(ridge), "four models of five are wholly on it"
    assert (cover(ridge, cell=0), cover(ridge, cell=1)) == (None, ""), "each model for itself"
    beyond = looking(tall, terrain=[piece("h", "hill", 30, 31, 36, 34)])
    assert sees(beyond), "models of the target that are wholly on a hill are seen"
    assert not sees(looking(tall, terrain=hill, without=["t9a.terrain.hill.elevated"]))
    assert cover(looking(tall, terrain=hill)) == ""


@pytest.mark.rule("t9a.rule.emplaced.los")
def test_emplaced_models_look_all_round():
    gun = quiet("emplaced")
    assert sees(looking(mine=gun, at=(36, 12), b={"facing": 0.0}))
    assert not sees(looking(at=(36, 12), b={"facing": 0.0}))


@pytest.mark.rule("t9a.def.los.point")
def test_a_point_has_no_height():
    def spot(height):
        low = unit("w", 1, at=(36, 26), of=quiet(height=height), models=20, files=20)
        state = looking(low, at=(60, 40))
        a = state.unit("a")
        return sight.sees_point(state, a, layout(state, a).cells[:5], 36, 32)

    assert not spot(1)
    assert spot(0)


@pytest.mark.rule("t9a.shoot.cover.lines", "t9a.shoot.cover.result", "t9a.terrain.covering")
def test_two_of_three_lines():
    """Interaction 25, cover from the point that was looked from: the lines go from (36, 20) to (38.5, 32), (33.5, 32)
    and (36, 32)."""
    one = looking(terrain=[piece("f", "forest", 37.4, 28, 39, 30)])
    assert cover(one) == ""
    two = looking(terrain=[piece("f", "forest", 35.0, 26, 39, 30)])
    assert cover(two) == "soft"
    assert cover(looking(terrain=[piece("f", "forest", 35.0, 26, 39, 30)], without=["t9a.shoot.cover.result"])) == ""
    mixed = looking(terrain=[piece("h", "impassable", 37.4, 28, 39, 30), piece("f", "forest", 35.5, 26, 36.9, 28)])
    assert cover(mixed) == "soft", "one through hard, one through soft"
    hard = looking(terrain=[piece("h", "impassable", 35.2, 27, 39, 29)])
    assert cover(hard) == "hard"


@pytest.mark.rule("t9a.shoot.cover.sources")
def test_models_between_give_cover_by_their_height():
    def between(mine, theirs, height):
        other = unit("w", 1, at=(36, 26), of=quiet(height=height), models=4, files=4)
        return cover(looking(other, mine=quiet(height=mine), theirs=quiet(height=theirs)))

    assert between(1, 3, 2) == "soft"
    assert between(3, 4, 2) == ""


@pytest.mark.rule("t9a.terrain.covering.contact-only", "t9a.terrain.covering.height")
def test_walls_cover_those_who_touch_them():
    wall = [piece("w", "wall", 30, 31.5, 42, 32)]
    assert cover(looking(terrain=wall)) == "hard"
    assert cover(looking(terrain=wall, at=(36, 35))) == ""
    assert cover(looking(terrain=wall, theirs=quiet(height=4))) == ""
    assert cover(looking(terrain=[piece("w", "field", 30, 31.5, 42, 32)])) == "soft"


@pytest.mark.rule("t9a.terrain.covering.own")
def test_the_own_wood_is_no_cover_for_others():
    wood = [piece("w", "forest", 30, 19, 42, 31)]
    assert cover(looking(terrain=wood)) == ""
    assert cover(looking(terrain=wood, without=["t9a.terrain.covering.own"])) == "soft"


@pytest.mark.rule("t9a.shoot.facing")
def test_the_facing_shot_at_by_the_middle_of_the_front():
    from umpire.games.t9a.shooting import target_facing

    state = looking(at=(26, 24), b={"facing": 180.0})
    assert target_facing(state, state.unit("a"), state.unit("b")) == "left"


@pytest.mark.rule("t9a.charge.declare.los")
def test_a_charge_is_declared_on_whom_the_front_rank_sees():
    battle = scene(
        unit("a", of=quiet(cha=8), models=10),
        unit("b", 1, at=(36, 30), of=quiet(), models=5),
        unit("c", 1, at=(50, 24), of=quiet(), models=5),
        hero("h", at=(8, 8), of=quiet()),
    )
    assert offered(battle)[0] == "a"
    do(battle, "a")
    refused(battle, "c", "t9a.charge.declare.los")
