"""Terrain: stairs, what a line crosses, and polygons in convex parts."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from umpire import space as sp

from .strategies import bases, box, places, shapely_of


def test_stairs_rise_in_equal_steps() -> None:
    steps = sp.stairs((0, 0), (4, 0), 2, 0, 2, 4)
    assert [(step.floor, step.top) for step in steps] == [(0, 0.5), (0, 1.0), (0, 1.5), (0, 2.0)]
    assert [sp.covers(step, 1.5, 0.9) for step in steps] == [False, True, False, False]


def test_crossings_of_a_line() -> None:
    things = [box(2, -1, 4, 1, 0, 2), sp.Base(sp.Round(1), 7, 0), box(0, 0, 10, 1, 0, 1)]
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
