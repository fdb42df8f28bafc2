"""Shortest paths against hand-worked figures and a visibility graph."""

import heapq
import itertools
import math
import random
from collections.abc import Sequence

import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from umpire import space as sp

from .strategies import box, clear, shapely_of

MAN = sp.Base(sp.Round(0.5), 0, 0, 0, 0, 1)


def along(base: sp.Base, points: Sequence[tuple[float, float]]) -> tuple[sp.Go, ...]:
    """Straight legs through points."""
    stops = [base.centre, *points]
    return tuple(sp.Go(bx - ax, by - ay) for (ax, ay), (bx, by) in itertools.pairwise(stops))


WALL = box(5, -1, 6, 1, 0, 3)

some = st.builds(
    sp.Base,
    st.one_of(st.builds(sp.Round, st.floats(0.3, 1.5)), st.builds(sp.Rect, st.floats(0.4, 4), st.floats(0.4, 4))),
    st.floats(1, 11),
    st.floats(-3, 3),
    st.just(0.0),
    st.floats(0, 360),
    st.just(2.0),
)


spots_near = st.tuples(st.floats(-7, 7), st.floats(-7, 7))


def around_the_corner() -> float:
    first = math.sqrt(26 - 0.25) + 0.5 * (math.atan2(1, 5) + math.asin(0.5 / math.sqrt(26)))
    second = math.sqrt(17 - 0.25) + 0.5 * (math.atan2(1, 4) + math.asin(0.5 / math.sqrt(17)))
    return first + 1 + second


def test_straight_where_nothing_is_in_the_way() -> None:
    route = sp.path(MAN, 3, 4, [WALL])
    assert route == sp.Route(5.0, ((0, 0), (3, 4)))


def test_round_two_corners_exactly() -> None:
    route = sp.path(MAN, 10, 0, [WALL])
    assert route is not None
    assert route.length == pytest.approx(around_the_corner(), abs=1e-9)
    swept = sp.sweep(MAN, along(MAN, route.points[1:]), [WALL])
    assert swept.free
    assert math.fsum(math.hypot(leg.dx, leg.dy) for leg in swept.legs) == pytest.approx(route.length, abs=1e-3)


def test_a_gap_of_exactly_the_base_is_wide_enough() -> None:
    gate = [box(5, -9, 6, -0.5, 0, 3), box(5, 0.5, 6, 9, 0, 3)]
    route = sp.path(MAN, 10, 0, gate)
    assert route is not None
    assert route.length == pytest.approx(10.0)
    tight = [box(5, -9, 6, -0.5, 0, 3), box(5, 0.498, 6, 9, 0, 3)]
    assert sp.path(MAN, 10, 0, tight, table=None, limit=12) is None


def test_no_way_out_of_a_ring_and_no_place_in_a_wall() -> None:
    ring = [box(-3, 2, 3, 3), box(-3, -3, 3, -2), box(-3, -3, -2, 3), box(2, -3, 3, 3)]
    assert sp.path(MAN, 10, 0, ring) is None
    assert sp.path(MAN, 5.5, 0, [WALL]) is None
    assert sp.path(MAN, 4.6, 0, [WALL]) is None


def test_the_table_bounds_it() -> None:
    man = MAN.at(1, 1)
    wall = [box(4, 0.9, 5, 30)]
    assert sp.path(man, 8, 1, wall, table=(20, 20)) is None
    assert sp.path(man, 8, 1, wall) is not None


def test_clearance_and_start_too_near() -> None:
    away = sp.path(MAN, 10, 0, [WALL], 1.0)
    close = sp.path(MAN, 10, 0, [WALL])
    assert away is not None
    assert close is not None
    assert away.length > close.length + 0.5
    near = MAN.at(4.2, 0)
    assert sp.path(near, 0, 0, [WALL], 1.0) is not None
    assert sp.path(near, 4.4, 0, [WALL], 1.0) is None


def test_a_rectangle_keeps_its_facing() -> None:
    cart = sp.Base(sp.Rect(2, 1), 0, 0, 0, 90, 1)
    route = sp.path(cart, 10, 0, [WALL])
    assert route is not None
    # Facing east its 2 inches of width lie along y: the centre passes the corners (4.5, 2) and (6.5, 2).
    assert route.length == pytest.approx(math.hypot(4.5, 2) + 2 + math.hypot(3.5, 2), abs=1e-6)


def oracle(obstacles: list[sp.Base], radius: float, goal: tuple[float, float]) -> float:
    """A visibility graph over finely polygonal grown obstacles."""
    grown = [shapely.simplify(shapely_of(o).buffer(radius, 12), 0.005) for o in obstacles]
    inner = shapely.union_all([g.buffer(-1e-6) for g in grown])
    nodes = [(0.0, 0.0), goal, *(p for g in grown for p in g.exterior.coords[:-1])]
    cost = {0: 0.0}
    heap = [(0.0, 0)]
    done: set[int] = set()
    shapely.prepare(inner)
    while heap:
        d, k = heapq.heappop(heap)
        if k == 1:
            return d
        if k in done:
            continue
        done.add(k)
        rest = [m for m in range(len(nodes)) if m not in done]
        lines = shapely.linestrings([[nodes[k], nodes[m]] for m in rest])
        for m, hit in zip(rest, shapely.relate_pattern(lines, inner, "T********"), strict=True):
            there = d + math.dist(nodes[k], nodes[m])
            if not hit and there < cost.get(m, math.inf):
                cost[m] = there
                heapq.heappush(heap, (there, m))
    return math.inf


@settings(max_examples=20, deadline=None)
@given(st.lists(some, min_size=1, max_size=4), st.floats(-3, 3))
def test_against_a_visibility_graph(obstacles: list[sp.Base], y: float) -> None:
    goal = (12.0, y)
    assume(clear(MAN, obstacles, 0.02))
    assume(clear(MAN.at(*goal), obstacles, 0.02))
    route = sp.path(MAN, *goal, obstacles)
    assert route is not None
    # The graph's curves are coarse: it may go through a gap a hair too narrow, but not when a hair is added.
    assert oracle(obstacles, 0.5, goal) - 0.02 <= route.length
    assert route.length <= oracle(obstacles, 0.51, goal) + 0.02


@settings(max_examples=40, deadline=None)
@given(
    st.lists(some, min_size=1, max_size=6),
    st.lists(st.tuples(st.floats(-7, 7), st.floats(-7, 7)), min_size=5, max_size=5),
)
def test_reach_agrees_with_the_path_finder(obstacles: list[sp.Base], spots: list[tuple[float, float]]) -> None:
    assume(clear(MAN, obstacles, 0.01))
    reach = sp.reach(MAN, 6.0, obstacles)
    for spot in spots:
        route = sp.path(MAN, *spot, obstacles, limit=6.0)
        assert (spot in reach) == (route is not None)
        if route is not None:
            assert reach.cost(*spot) == pytest.approx(route.length, abs=1e-6)
            swept = sp.sweep(MAN, along(MAN, route.points[1:]), obstacles)
            assert swept.free


def test_reach_polygons_hold_what_can_be_reached() -> None:
    reach = sp.reach(MAN, 6.0, [WALL.placed(-3, 0)])
    rings = reach.polygons()
    area = shapely.Polygon(rings[0]).symmetric_difference(shapely.Polygon(rings[1]))
    assert len(rings) == 2
    assert area.is_valid
    for k in range(24):
        for r in (1.0, 3.0, 5.5, 6.2):
            x, y = r * math.cos(k * 0.2618), r * math.sin(k * 0.2618)
            if abs(area.boundary.distance(shapely.Point(x, y))) > 0.1:
                assert ((x, y) in reach) == area.contains(shapely.Point(x, y))


@pytest.mark.parametrize("turn", range(0, 360, 30))
def test_a_way_round_what_the_base_touches_stays_clear_of_it_when_it_is_rounded(turn: int) -> None:
    """The base stands against another and goes to its far side; the other is met on the very edge all the way."""
    s, c = math.sin(math.radians(turn)), math.cos(math.radians(turn))
    other = sp.Base(sp.Round(0.5), math.ceil(1000 * s) / 1000, math.ceil(1000 * c) / 1000, 0, 0, 1)
    found = sp.path(MAN, 2.2 * other.x, 2.2 * other.y, [other], 0.005)
    assert found is not None
    rounded = [(round(x, 3), round(y, 3)) for x, y in found.points[1:]]
    assert sp.sweep(MAN, along(MAN, rounded), [other]).free


def test_a_round_base_finds_by_compiled_code_the_ways_that_others_find() -> None:
    """With a fence far away its ground is made as that of every other base is."""
    away = [((200.0, 200.0), (201.0, 200.0))]
    rng = random.Random(11)
    ways = 0
    for _ in range(60):
        things: list[sp.Base | sp.Prism] = [
            sp.Base(
                rng.choice((sp.Round(0.6), sp.Oval(0.7, 1.2))),
                rng.uniform(2, 18),
                rng.uniform(2, 18),
                0.0,
                rng.uniform(0, 360),
            )
            for _ in range(9)
        ]
        things += [box(x, y, x + 2.0, y + 1.5, 0.0, 3.0) for x, y in ((rng.uniform(2, 16), rng.uniform(2, 16)),)]
        clearance = [rng.choice((0.0, 0.0005, 0.5)) for _ in things]
        base = sp.Base(sp.Round(0.5), rng.uniform(1, 19), rng.uniform(1, 19))
        x, y = rng.uniform(1, 19), rng.uniform(1, 19)
        found = sp.path(base, x, y, things, clearance, (20.0, 20.0), 30.0)
        assert found == sp.path(base, x, y, things, clearance, (20.0, 20.0), 30.0, away)
        ways += found is not None and len(found.points) > 2
    assert ways > 10
