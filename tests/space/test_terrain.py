"""Terrain: surfaces, edges, crossings, and pieces made of prisms."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from umpire import space as sp

from .strategies import bases, places, shapely_of

SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))


def test_the_surface_under_a_point() -> None:
    pieces = [sp.block(SQUARE, 2.0), sp.platform(SQUARE, 5.0)]
    assert sp.surface_under(pieces, 2, 2) == (5.0, 1)
    assert sp.surface_under(pieces, 2, 2, 4.9) == (2.0, 0)
    assert sp.surface_under(pieces, 2, 2, 5.0) == (5.0, 1)
    assert sp.surface_under(pieces, 4, 4, 3.0) == (2.0, 0)
    assert sp.surface_under(pieces, 4.01, 4, 3.0) == (0.0, None)
    assert [s.z for s in sp.surfaces_at(pieces, 1, 1)] == [0, 2, 5]


def test_a_ramp_rises_and_turns_with_its_piece() -> None:
    ramp = sp.ramp((0, 0), (4, 0), 2, 0, 2)
    assert ramp.surface(1, 0) == pytest.approx(0.5)
    turned = ramp.placed(10, 10, 1, 90)
    assert turned.surface(10, 9) == pytest.approx(1.5)
    assert sp.surface_under([turned], 10, 6.001).z == pytest.approx(3.0, abs=1e-3)


def test_stairs_walls_and_doors() -> None:
    steps = sp.stairs((0, 0), (4, 0), 2, 0, 2, 4)
    assert [sp.surface_under(steps, x, 0).z for x in (0.5, 1.5, 2.5, 3.5)] == [0.5, 1.0, 1.5, 2.0]
    arch = sp.doorway((0, 0), (6, 0), 4, (2, 4), 2.5)
    man = sp.Base(sp.Round(0.5), 3, -3, 0, 0, 1.5)
    assert sp.slide(man, 3, 3, arch).free
    assert not sp.slide(man.at(1, -3), 1, 3, arch).free
    assert not sp.slide(man, 3, 3, sp.doorway((0, 0), (6, 0), 4, (2, 4), 2.5, closed=True)).free
    assert not sp.slide(sp.Base(sp.Round(0.5), 3, -3, 0, 0, 3), 3, 3, arch).free


def test_edges_of_platforms_open_or_walled() -> None:
    wall = sp.wall((0, 0), (4, 0), 1, 0.2, floor=3)
    edges = sp.platform_edges([sp.block(SQUARE, 3.0), wall, sp.box(4, 0, 8, 4, 0, 1)], 0)
    by_side = {e.outward: e for e in edges}
    assert by_side[180.0].walled
    assert not by_side[0.0].walled
    assert by_side[90.0].drop == pytest.approx(2.0)
    assert by_side[270.0].drop == pytest.approx(3.0)


def test_crossings_of_a_line() -> None:
    things = [sp.box(2, -1, 4, 1, 0, 2), sp.Base(sp.Round(1), 7, 0), sp.box(0, 0, 10, 1, 0, 1)]
    found = sp.crossings((0, 0), (10, 0), things)
    assert [(c.thing, round(c.length, 6)) for c in found] == [(0, 2.0), (1, 2.0), (2, 10.0)]
    over = sp.crossings((0, 0), (10, 0), things[:1], heights=(2.5, 2.5))
    assert over == []
    into = sp.crossings((0, 0), (10, 0), things[:1], heights=(5, 0))
    assert into == []
    through = sp.crossings((0, 0), (10, 0), things[:1], heights=(2.5, 0.0))
    assert through[0].length == pytest.approx(2.0)
    assert sp.crossings((0, 1), (10, 1), things[:1]) == [] or sp.crossings((0, 1), (10, 1), things[:1])[0].length > 0


@settings(max_examples=80, deadline=None)
@given(bases, places, places, places, places)
def test_crossing_lengths_are_shapelys(thing: sp.Base, ax: float, ay: float, bx: float, by: float) -> None:
    import shapely

    line = shapely.LineString([(ax, ay), (bx, by)])
    expected = shapely_of(thing).intersection(line).length
    found = sum(c.length for c in sp.crossings((ax, ay), (bx, by), [thing]))
    assert found == pytest.approx(expected, abs=0.03)


def test_pieces_are_placed_and_stacked() -> None:
    hut = sp.Piece("hut", (sp.block(SQUARE, 2.0),), (sp.Ladder(2, 0, 0, 2),))
    crate = sp.Piece("crate", (sp.block(((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)), 1.0),))
    stacked = sp.stack(crate, [hut.placed(10, 10)], 12, 12)
    assert (stacked.prisms[0].floor, stacked.top) == (2.0, 3.0)
    turned = hut.placed(10, 10, 1, 90)
    assert (turned.ladders[0].x, turned.ladders[0].y) == pytest.approx((10, 8))
    assert turned.ladders[0].high == 3
    area = sp.area_terrain(SQUARE)
    assert sp.solids([hut, area]) == hut.prisms
    assert sp.blockers([area]) == ()


def test_support_is_the_part_of_a_base_held_up() -> None:
    man = sp.Base(sp.Round(0.5), 2, 2, 2.0)
    hut = [sp.block(SQUARE, 2.0)]
    assert sp.support_under(hut, man) == 1.0
    assert sp.support_under(hut, man.at(4, 2)) == pytest.approx(0.5, abs=0.1)
    assert sp.support_under(hut, man.at(9, 9)) == 0.0
    assert sp.support_under([], man.at(9, 9, 0.0)) == 1.0


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 6.3), st.floats(0.5, 3))
def test_concave_polygons_are_cut_into_convex_parts(turn: float, inner: float) -> None:
    from umpire.space.shapes import convex_parts, signed_area

    star = tuple(
        (r * math.cos(turn + k * math.pi / 5), r * math.sin(turn + k * math.pi / 5))
        for k, r in ((k, 3.5 if k % 2 else inner) for k in range(10))
    )
    parts = convex_parts(star)
    assert sum(signed_area(p) for p in parts) == pytest.approx(signed_area(star))
