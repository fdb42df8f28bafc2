"""Room for loose models: what is left out where only some places can be legal is never missed."""

from __future__ import annotations

import math
import random

import pytest

from umpire.miniatures.loose.room import Bounds, spots


@pytest.mark.parametrize("seed", range(12))
def test_no_legal_place_is_missed_by_looking_only_where_there_can_be_one(seed: int) -> None:
    rng = random.Random(seed)

    def disc(least: float, most: float) -> tuple[float, float, float]:
        return rng.uniform(0, 30), rng.uniform(0, 20), rng.uniform(least, most)

    def point() -> tuple[float, float]:
        return rng.uniform(0, 30), rng.uniform(0, 20)

    rings = tuple(disc(0.2, 4.0) for _ in range(16))
    bounds = Bounds(rings, tuple((point(), point()) for _ in range(6)))
    around = [disc(1.0, 5.0) for _ in range(3)]
    shut = [disc(1.0, 6.0) for _ in range(3)]

    def legal(x: float, y: float) -> bool:
        near = any(math.hypot(x - a, y - b) <= far for a, b, far in around)
        return near and all(math.hypot(x - a, y - b) > far for a, b, far in shut)

    everywhere = [spot for spot in spots(bounds) if legal(*spot)]
    assert [spot for spot in spots(bounds, around, shut) if legal(*spot)] == everywhere
    assert everywhere or seed
