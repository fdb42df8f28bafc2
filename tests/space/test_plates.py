"""Plates: what several outlines cover together, and a fence round them that nothing slips out of."""

from __future__ import annotations

import math

import pytest
import shapely
from shapely.ops import unary_union

from umpire.engine.rng import Rng
from umpire.space.boxes import Boxes
from umpire.space.paths import path, reach
from umpire.space.plates import narrowest, plate, rim, stays
from umpire.space.shapes import Base, Prism, Round

SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
BESIDE = ((4.0, 1.0), (8.0, 1.0), (8.0, 3.0), (4.0, 3.0))


def test_the_rim_of_two_adjoining_squares_leaves_out_what_they_share() -> None:
    ends = rim([SQUARE, BESIDE])
    length = math.fsum(math.dist(a, b) for a, b in ends)
    assert length == pytest.approx(unary_union([shapely.Polygon(SQUARE), shapely.Polygon(BESIDE)]).length, abs=0.01)
    assert stays([plate(SQUARE), plate(BESIDE)], 1.0, 2.0, 7.0, 2.0) == 1.0
    assert stays([plate(SQUARE), plate(BESIDE)], 1.0, 2.0, 9.0, 2.0) == pytest.approx(7 / 8, abs=1e-3)
    assert narrowest(BESIDE) == 2.0


def test_no_way_leads_out_over_the_corner_of_a_fence() -> None:
    """Just inside a corner, and near an inner one: all that can be reached lies on the plates."""
    for x, y in ((3.99, 3.97), (4.2, 1.1), (0.02, 0.01)):
        base = Base(Round(0.5), x, y, 2.0, 0.0, 1.0)
        ground = reach(base, 3.0, [], 0.0, None, rim([SQUARE, BESIDE]))
        both = unary_union([shapely.Polygon(SQUARE), shapely.Polygon(BESIDE)]).buffer(0.005)
        spots = [(x + dx / 10, y + dy / 10) for dx in range(-30, 31) for dy in range(-30, 31)]
        for spot, cost in zip(spots, ground.costs(spots).tolist(), strict=True):
            assert not math.isfinite(cost) or both.covers(shapely.Point(spot)), spot
    assert path(Base(Round(0.5), 3.0, 3.5, 2.0, 0.0, 1.0), 5.0, 2.5, [], fence=rim([SQUARE, BESIDE])) is not None


def test_boxes_along_a_line_leave_out_nothing_that_is_near_it() -> None:
    rng = Rng(3)
    for _ in range(200):
        x, y = rng.uniform(0, 20), rng.uniform(0, 20)
        turn, wide = rng.uniform(0, math.pi), rng.uniform(0.2, 3)
        corners = [
            (x + wide * math.cos(turn + k * math.pi / 2), y + wide * math.sin(turn + k * math.pi / 2)) for k in range(4)
        ]
        prism = Prism(tuple(corners), rng.uniform(0, 2), rng.uniform(2.1, 5))
        a, b = (rng.uniform(0, 20), rng.uniform(0, 20)), (rng.uniform(0, 20), rng.uniform(0, 20))
        reach_, low = rng.uniform(0.1, 2), rng.uniform(0, 4)
        found = Boxes([[(7, prism)]]).along(*a, *b, reach_, low, low + 1)
        near = shapely.LineString([a, b]).distance(shapely.Polygon(corners)) <= reach_
        if near and prism.floor < low + 1 and prism.top > low:
            assert [tag for tag, _, _ in found] == [7]
