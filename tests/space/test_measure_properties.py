"""Measuring against Shapely, and the laws that distances obey."""

import math

import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from umpire import space as sp

from .strategies import COARSE, bases, facings, places, rect_bases, shapely_of, turned_about_origin

often = settings(max_examples=150, deadline=None)


@often
@given(bases, bases)
def test_distance_is_shapelys(a: sp.Base, b: sp.Base) -> None:
    assert sp.distance(a, b) == pytest.approx(shapely_of(a).distance(shapely_of(b)), abs=COARSE)


@often
@given(bases, bases)
def test_overlap_is_shapelys(a: sp.Base, b: sp.Base) -> None:
    s = sp.separation(a, b)
    assume(abs(s) > 0.001)
    assert sp.overlap(a, b) == (shapely_of(a).intersection(shapely_of(b)).area > 0)


@often
@given(bases, bases)
def test_depth_of_overlap_is_the_least_shift_apart(a: sp.Base, b: sp.Base) -> None:
    s = sp.separation(a, b)
    assume(s < -0.01)
    (ax, ay), (bx, by) = sp.closest_points(a, b)
    assert math.dist((ax, ay), (bx, by)) == pytest.approx(-s, abs=1e-3)
    assert sp.separation(a.moved(bx - ax, by - ay), b) == pytest.approx(0.0, abs=1e-3)


@often
@given(bases, bases)
def test_closest_points_lie_on_both(a: sp.Base, b: sp.Base) -> None:
    d = sp.distance(a, b)
    assume(d > 0.001)
    p, q = sp.closest_points(a, b)
    assert math.dist(p, q) == pytest.approx(d, abs=1e-6)
    assert sp.distance(sp.dot(*p), a) == pytest.approx(0.0, abs=1e-4)
    assert sp.distance(sp.dot(*q), b) == pytest.approx(0.0, abs=1e-4)


@often
@given(bases, bases, facings, places, places)
def test_distance_does_not_care_where_or_how_the_table_stands(
    a: sp.Base, b: sp.Base, turn: float, x: float, y: float
) -> None:
    moved = sp.distance(turned_about_origin(a, turn).moved(x, y), turned_about_origin(b, turn).moved(x, y))
    assert moved == pytest.approx(sp.distance(a, b), abs=1e-6)
    assert sp.distance(b, a) == pytest.approx(sp.distance(a, b), abs=1e-9)


@often
@given(bases, bases, bases)
def test_triangle_inequality_over_a_thing_between(a: sp.Base, b: sp.Base, c: sp.Base) -> None:
    through = sp.distance(a, b) + sp.distance(b, c) + 2 * sp.extent(b)
    assert sp.distance(a, c) <= through + 1e-6


@often
@given(bases, bases)
def test_furthest_is_the_hausdorff_distance(a: sp.Base, b: sp.Base) -> None:
    edge = shapely_of(a).exterior
    target = shapely_of(b)
    expected = max(target.distance(shapely.Point(p)) for p in edge.coords)
    assert sp.furthest(a, b) == pytest.approx(expected, abs=1e-3)


@often
@given(bases, bases)
def test_inside_is_containment(a: sp.Base, b: sp.Base) -> None:
    excess = sp.furthest(a, b)
    assume(excess == 0.0 or excess > 0.002)
    if excess == 0.0:
        assert sp.inside(a, b)
        assert shapely_of(b).buffer(0.001).contains(shapely_of(a))
    else:
        assert not sp.inside(a, b)
        assert not shapely_of(b).contains(shapely_of(a))


@often
@given(bases, bases, st.floats(0.0, 2.0))
def test_moving_apart_along_the_closest_line_adds_up(a: sp.Base, b: sp.Base, gap: float) -> None:
    d = sp.distance(a, b)
    assume(d > 0.01)
    (ax, ay), (bx, by) = sp.closest_points(a, b)
    ux, uy = (bx - ax) / d, (by - ay) / d
    for exact in (gap, 0.0, 3.0):
        shift = exact - d
        moved = b.moved(ux * shift, uy * shift)
        assert sp.distance(a, moved) == pytest.approx(exact, abs=1e-5)
        assert sp.within(sp.distance(a, moved), exact)
        assert not sp.within(sp.distance(a, moved.moved(ux * 0.001, uy * 0.001)), exact)


@often
@given(rect_bases)
def test_flush_neighbours_touch_without_overlapping(a: sp.Base) -> None:
    assert isinstance(a.shape, sp.Rect)
    b = a.ahead(0.0, a.shape.width)
    assert sp.distance(a, b) == pytest.approx(0.0, abs=1e-9)
    assert not sp.overlap(a, b)
    corner = a.ahead(a.shape.depth, a.shape.width)
    assert not sp.overlap(a, corner)


CONCAVE = ((0.0, 0.0), (6.0, 0.0), (6.0, 2.0), (2.0, 2.0), (2.0, 6.0), (0.0, 6.0))


@often
@given(bases)
def test_concave_regions_are_shapelys(a: sp.Base) -> None:
    region = sp.Prism(CONCAVE, 0, 1)
    polygon = shapely.Polygon(CONCAVE)
    assert sp.distance(a, region) == pytest.approx(polygon.distance(shapely_of(a)), abs=COARSE)
    whole = polygon.buffer(-0.001).contains(shapely_of(a))
    beyond = not polygon.buffer(0.001).contains(shapely_of(a))
    if whole:
        assert sp.inside(a, region)
    if beyond:
        assert not sp.inside(a, region)


@settings(max_examples=30, deadline=None)
@given(bases, bases, bases)
def test_furthest_of_any_is_no_more_than_of_each(a: sp.Base, b: sp.Base, c: sp.Base) -> None:
    union = shapely_of(b).union(shapely_of(c))
    sampled = max(union.distance(shapely.Point(p)) for p in shapely_of(a).exterior.coords)
    found = sp.furthest_of_any(a, [b, c])
    assert found >= sampled - 1e-3
    assert found <= min(sp.furthest(a, b), sp.furthest(a, c)) + 1e-3
