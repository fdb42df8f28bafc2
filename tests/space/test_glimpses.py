"""Lines past obstacles: the figures worked out by hand, slits, and dense rays."""

from __future__ import annotations

import math
import random

import pytest
from shapely.geometry import LineString, Polygon

from umpire.space.glimpses import Screen, glimpse
from umpire.space.spans import shift

from .strategies import turned


def square(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


EDGE = ((2.0, 0.0), (3.0, 0.0))
GOAL = square(-1, 12, 1, 14)
AHEAD = (0.0, 1.0)


def test_one_line_is_enough_and_none_is_none() -> None:
    walls = [Screen(square(-6, 5, -0.5, 6)), Screen(square(0.4, 7, 6, 8))]
    found = glimpse(EDGE, [GOAL], walls, AHEAD)
    assert found is not None
    assert glimpse(EDGE, [GOAL], [*walls, Screen(square(-0.5, 5, 2, 6))], AHEAD) is None


def test_two_slits_in_line_are_seen_through() -> None:
    """A hundredth of an inch wide each, at an angle that no grid of lines has."""
    p, q = (2.345, 0.0), (0.123, 12.0)
    walls = []
    for part in (0.4, 0.8):
        x, y = p[0] + (q[0] - p[0]) * part, p[1] + (q[1] - p[1]) * part
        walls += [Screen(square(x - 9, y, x - 0.005, y + 0.01)), Screen(square(x + 0.005, y, x + 9, y + 0.01))]
    assert glimpse(EDGE, [GOAL], walls, AHEAD) is not None
    shut = [*walls, Screen(square(-9, 6, 9, 6.01))]
    assert glimpse(EDGE, [GOAL], shut, AHEAD) is None


def test_forty_five_degrees_and_no_more() -> None:
    assert glimpse(((0, 0), (1, 0)), [square(6, 5, 7, 6)], [], AHEAD) is not None
    assert glimpse(((0, 0), (1, 0)), [square(6.01, 4, 7, 5)], [], AHEAD) is None
    assert glimpse(((0, 0), (1, 0)), [square(6.01, 4, 7, 5)], [], None) is not None
    assert glimpse(((0, 0), (1, 0)), [square(0, -5, 1, -4)], [], AHEAD) is None


def test_what_may_be_entered_may_not_be_left_again() -> None:
    hill = Screen(square(-9, 5, 9, 8), enter=True)
    assert glimpse(EDGE, [square(1, 6, 3, 7)], [hill], AHEAD) is not None
    assert glimpse(EDGE, [square(1, 7, 3, 10)], [hill], AHEAD) is not None
    assert glimpse(EDGE, [square(1, 9, 3, 10)], [hill], AHEAD) is None


@pytest.mark.parametrize("seed", range(40))
def test_against_dense_rays(seed: int) -> None:
    rng = random.Random(seed)
    goal = shift(turned(square(-2, -1, 2, 1), rng.uniform(0, 360)), rng.uniform(-5, 5), rng.uniform(9, 14))
    walls = []
    for _ in range(rng.randrange(2, 8)):
        ring = square(-rng.uniform(0.3, 3), -0.4, rng.uniform(0.3, 3), 0.4)
        walls.append(shift(turned(ring, rng.uniform(0, 360)), rng.uniform(-5, 5), rng.uniform(1.5, 7.5)))
    found = glimpse(((-1, 0), (1, 0)), [goal], [Screen(w) for w in walls], AHEAD)
    polygons = [Polygon(w) for w in walls]
    if found is not None:
        line = LineString([found.start, found.end])
        assert all(p.buffer(-1e-6).intersection(line).length < 1e-6 for p in polygons)
        assert Polygon(goal).distance(line) < 1e-6
        return
    target = Polygon(goal)
    for k in range(41):
        x = -1 + k / 20
        for degrees in range(-45, 46):
            a = math.radians(degrees)
            ray = LineString([(x, 0), (x + 30 * math.sin(a), 30 * math.cos(a))])
            seen = ray.intersection(target)
            if not seen.is_empty:
                to = LineString([(x, 0), min(seen.coords if hasattr(seen, "coords") else [], key=lambda p: p[1])])
                assert any(p.intersection(to).length > 1e-9 for p in polygons)
