"""Single points and convex polygons in plain Python, against Shapely."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, MultiPoint, Point, Polygon

from umpire.space.plain import anticlockwise, clip, clip_circle, inside, point_polygon, point_segment, sweep_over

coordinate = st.integers(-400, 400).map(lambda n: n / 20)
point = st.tuples(coordinate, coordinate)


@st.composite
def convex(draw: st.DrawFn) -> tuple[tuple[float, float], ...]:
    hull = MultiPoint(draw(st.lists(point, min_size=3, max_size=9))).convex_hull
    if hull.geom_type != "Polygon" or hull.area < 0.5:
        hull = Polygon([(0, 0), (3, 0), (2, 4)])
    return anticlockwise(list(hull.exterior.coords)[:-1])


@given(point, point, point)
def test_point_to_segment(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> None:
    expected = Point(p).distance(LineString([a, b]) if a != b else Point(a))
    assert point_segment(*p, *a, *b) ** 0.5 == pytest.approx(expected, abs=1e-9)


@given(convex(), point)
def test_point_to_polygon(ring: tuple[tuple[float, float], ...], p: tuple[float, float]) -> None:
    expected = Polygon(ring).distance(Point(p))
    assert point_polygon(ring, *p) == pytest.approx(expected, abs=1e-6)
    assert inside(ring, *p) == (expected < 1e-9)


@given(convex(), point, point)
def test_the_part_of_a_segment_in_a_polygon(
    ring: tuple[tuple[float, float], ...], a: tuple[float, float], b: tuple[float, float]
) -> None:
    line = LineString([a, b])
    span = clip(ring, *a, *b)
    got = (span[1] - span[0]) * line.length if span else 0.0
    expected = line.intersection(Polygon(ring)).length
    if not Polygon(ring).exterior.intersection(line).length:
        assert got == pytest.approx(expected, abs=1e-6)


@given(point, st.integers(1, 100).map(lambda n: n / 20), point, point)
def test_the_part_of_a_segment_in_a_circle(
    c: tuple[float, float], r: float, a: tuple[float, float], b: tuple[float, float]
) -> None:
    span = clip_circle(*c, r, *a, *b)
    touches = Point(c).distance(LineString([a, b])) < r
    assert (span is not None) == touches or abs(Point(c).distance(LineString([a, b])) - r) < 1e-9


@given(convex(), st.integers(1, 60).map(lambda n: n / 20), point, point)
def test_a_round_base_swept_over_a_polygon(
    ring: tuple[tuple[float, float], ...], r: float, a: tuple[float, float], b: tuple[float, float]
) -> None:
    gap = Polygon(ring).distance(LineString([a, b]) if a != b else Point(a))
    if abs(gap - r) > 0.002:
        assert (sweep_over(ring, r, *a, *b) is not None) == (gap < r)
