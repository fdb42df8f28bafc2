"""The nearest place for a body, or none: against a fine grid."""

from __future__ import annotations

import math
import random

import pytest
from shapely.geometry import Polygon

from umpire.space.places import Keep, nearest_place, room
from umpire.space.spans import shift

from .strategies import turned

AREA = ((0.0, 0.0), (12.0, 0.0), (12.0, 8.0), (0.0, 8.0))


def block(w: float, d: float) -> tuple[tuple[float, float], ...]:
    return (-w / 2, -d / 2), (w / 2, -d / 2), (w / 2, d / 2), (-w / 2, d / 2)


def test_room_in_an_area() -> None:
    assert sorted(room(block(4, 2), AREA)) == [pytest.approx(p) for p in ((2, 1), (2, 7), (10, 1), (10, 7))]
    assert room(block(13, 2), AREA) == []


def test_a_slit_just_wide_enough_is_found_and_a_narrower_one_is_not() -> None:
    left, right = ((0, 0), (4, 0), (4, 8), (0, 8)), ((8.02, 0), (12, 0), (12, 8), (8.02, 8))
    found = nearest_place(block(2, 2), AREA, [Keep(left, 1.0), Keep(right, 1.0)], (1, 1))
    assert found is not None
    assert 6 <= found[0] <= 6.02
    shut = ((7.98, 0), (12, 0), (12, 8), (7.98, 8))
    assert nearest_place(block(2, 2), AREA, [Keep(left, 1.0), Keep(shut, 1.0)], (1, 1)) is None


@pytest.mark.parametrize("seed", range(30))
def test_against_a_fine_grid(seed: int) -> None:
    rng = random.Random(seed)
    body = turned(block(rng.uniform(1, 6), rng.uniform(1, 4)), rng.choice((0, 90, rng.uniform(0, 90))))
    keeps = []
    for _ in range(rng.randrange(1, 7)):
        ring = turned(block(rng.uniform(0.5, 5), rng.uniform(0.5, 3)), rng.uniform(0, 360))
        keeps.append(Keep(shift(ring, rng.uniform(0, 12), rng.uniform(0, 8)), rng.choice((0.0, 1.0))))
    wish = (rng.uniform(0, 12), rng.uniform(0, 8))
    found = nearest_place(body, AREA, keeps, wish)
    area, others = Polygon(AREA), [(Polygon(k.ring), k.clearance) for k in keeps]

    def legal(x: float, y: float, slack: float) -> bool:
        there = Polygon(shift(body, x, y))
        if not area.buffer(slack).contains(there):
            return False
        return all(
            there.distance(o) >= c - slack if c else there.intersection(o).area <= max(slack, 0.0) for o, c in others
        )

    if found is not None:
        assert legal(*found, 1e-4)
    for i in range(61):
        for j in range(41):
            x, y = i / 5, j / 5
            if legal(x, y, -1e-4):
                assert found is not None, (x, y)
                assert math.dist((x, y), wish) >= math.dist(found, wish) - 1e-6
