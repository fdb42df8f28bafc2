"""Free intervals against brute force and Shapely."""

from __future__ import annotations

import math
import random

import pytest
from shapely import affinity
from shapely.geometry import Polygon

from umpire.space import spans
from umpire.space.spans import Bar, Span

from .strategies import turned


def rectangle(rng: random.Random, spread: float = 6.0) -> tuple[tuple[float, float], ...]:
    w, d = rng.uniform(0.5, 5), rng.uniform(0.5, 3)
    x, y, a = rng.uniform(-spread, spread), rng.uniform(-spread, spread), rng.uniform(0, 360)
    ring = ((-w / 2, d / 2), (w / 2, d / 2), (w / 2, -d / 2), (-w / 2, -d / 2))
    return spans.shift(turned(ring, a), x, y)


def apart(a: tuple[tuple[float, float], ...], b: tuple[tuple[float, float], ...]) -> float:
    return float(Polygon(a).distance(Polygon(b)))


def test_free_leaves_what_no_bar_covers() -> None:
    bars = [Bar(1, 2, "a"), Bar(1.5, 3, "b"), Bar(5, 9, "c")]
    assert spans.free(0, 8, bars) == [Span(0, 1, "", "a"), Span(3, 5, "b", "c")]
    assert spans.free(1.2, 2.8, bars) == []
    assert spans.free(0, 3, bars) == [Span(0, 1, "", "a"), Span(3, 3, "b", "")]
    assert spans.free(0, 3, bars, apart=0.1) == [Span(0, 0.9, "", "a")]
    assert spans.free(0, 4, [Bar(0, 2), Bar(2, 4)])[1] == Span(2, 2), "to touch both is free"
    assert spans.free(0.5, 3.5, [Bar(0, 2), Bar(2, 4)], apart=1e-6) == []
    found = spans.free(0, 8, bars)
    assert (spans.nearest(found, 1.9), spans.least(found, 1.5), spans.greatest(found, 2.5)) == (1, 3, 1)
    assert spans.nearest([], 1) is None


@pytest.mark.parametrize("seed", range(60))
def test_gap_is_the_distance(seed: int) -> None:
    rng = random.Random(seed)
    a, b = rectangle(rng), rectangle(rng)
    found, true = spans.gap(a, b), apart(a, b)
    assert found == pytest.approx(true, abs=1e-9) if true > 0 else found <= 1e-9


@pytest.mark.parametrize("clearance", [0.0, 0.5])
@pytest.mark.parametrize("seed", range(40))
def test_along_is_where_a_straight_move_is_too_near(seed: int, clearance: float) -> None:
    rng = random.Random(seed)
    a, b, angle = rectangle(rng), rectangle(rng), rng.uniform(0, 2 * math.pi)
    ux, uy = math.sin(angle), math.cos(angle)
    found = spans.along(a, ux, uy, b, clearance)
    for k in range(-150, 151):
        t = k / 10
        near = spans.gap(spans.shift(a, ux * t, uy * t), b)
        if abs(near - clearance) > 1e-6:
            assert (near < clearance) == (found is not None and found[0] < t < found[1])
    if clearance == 0.0:
        touch = spans.first_touch(a, ux, uy, b)
        if found is None or found[1] < 0:
            assert touch is None
        else:
            assert touch == pytest.approx(max(0.0, found[0]), abs=1e-9)


@pytest.mark.parametrize("clearance", [0.0, 0.5])
@pytest.mark.parametrize("seed", range(40))
def test_around_is_where_a_turn_is_too_near(seed: int, clearance: float) -> None:
    rng = random.Random(seed)
    a, b = rectangle(rng, 3), rectangle(rng, 4)
    px, py = a[rng.randrange(4)] if rng.random() < 0.7 else (0.0, 0.0)
    bars = spans.around(a, px, py, b, clearance)
    for k in range(720):
        degrees = k / 2 + 0.123
        turned = affinity.rotate(Polygon(a), -degrees, origin=(px, py))
        near = turned.distance(Polygon(b))
        overlap = turned.intersection(Polygon(b)).area
        if clearance:
            if abs(near - clearance) > 1e-6:
                assert (near < clearance) == any(low < degrees < high for low, high in bars)
        elif near > 1e-9 or overlap > 1e-9:
            assert (overlap > 0) == any(low < degrees < high for low, high in bars)


def test_first_angle_stops_at_the_first_obstacle_on_either_side() -> None:
    front = ((0.0, 0.0), (5.0, 0.0))
    stone = ((-0.5, 2.8), (1.2, 2.8), (1.2, 4.0), (-0.5, 4.0))
    free, which = spans.first_angle(front, 5.0, 0.0, [(stone, 0.0)], 90.0)
    assert which == 0
    assert 30.0 < free < 40.0
    assert spans.first_angle(front, 5.0, 0.0, [(stone, 0.0)], 30.0) == (30.0, -1)
    left, which = spans.first_angle(front, 0.0, 0.0, [(stone, 0.0)], 90.0, -1.0)
    assert which == 0
    assert left == pytest.approx(math.degrees(math.atan2(2.8, 1.2)), abs=1e-9)


def test_the_only_gap_is_found_and_that_there_is_none() -> None:
    def leaves(value: float, half: float) -> bool:
        # Free at 0.3 to 0.3001 only, where the second number may be 1.
        near = max(0.0, abs(value - 0.30005) - 0.00005 - half)
        return bool(spans.free(0.0, 1.5, [Bar(-1, 2)] if near > 0 else [Bar(-1, 0.9), Bar(1.1, 2)]))

    found = next(spans.free_values(0.0, 1.0, 1e-5, leaves))
    assert 0.3 <= found <= 0.3001
    assert not list(spans.free_values(0.0, 1.0, 1e-5, lambda value, half: False))


@pytest.mark.parametrize("seed", range(60))
def test_the_kernel_leaves_what_bars_leave(seed: int) -> None:
    """What is to be kept off, taken together by the kernel, bars a straight move as one after the other does."""
    rng = random.Random(seed)
    body, less, limit = rectangle(rng), rng.choice((0.0, 0.02, 0.7)), rng.uniform(0.5, 9)
    rings = [(rectangle(rng), rng.choice((0.0, 0.5, 1.0))) for _ in range(rng.randrange(6))]
    ends, stops = rings[::2], rings[1::2]
    angle = rng.uniform(0, math.tau)
    ux, uy = math.sin(angle), math.cos(angle)
    bars = [Bar(limit - 0.25, math.inf)]
    for things, stop in ((ends, False), (stops, True)):
        for ring, room in things:
            keep = min(room, spans.gap(body, ring) if stop else math.inf) - less - 0.0005
            smaller = spans.less(ring, -keep) if keep < 0.0 else ring
            bar = spans.along(body, ux, uy, smaller, max(0.0, keep)) if smaller else None
            if bar is not None and bar[1] > 0.0:
                bars.append(Bar(bar[0], math.inf if stop else bar[1]))
    found = spans.Kept(ends, stops).leave([body], ux, uy, less, 0.0005, bars[:1], limit)
    assert found == bool(spans.free(0.0, limit, bars))
