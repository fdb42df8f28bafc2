"""Manoeuvres that lead to a place, and the part of them that comes nearest to it."""

import math
import random

import pytest

from conquest.builder import profile, r, regiment, scene
from umpire.games.conquest import ranked
from umpire.games.conquest.drill import legs_of, longest, manoeuvres_to, ways_to
from umpire.games.conquest.manoeuvres import furthest


@pytest.mark.parametrize("seed", range(40))
def test_every_way_found_leads_there(seed):
    rng = random.Random(seed)
    where = (rng.uniform(0, 40), rng.uniform(0, 40), rng.uniform(0, 360))
    x, y, wide = rng.uniform(0, 40), rng.uniform(0, 40), rng.uniform(1, 9)
    facing = rng.uniform(0, 360) if seed % 2 else None
    for way in manoeuvres_to(where, wide, x, y, facing):
        end = legs_of(where, wide, way)[1]
        # Half a thousandth of a degree or an inch in each manoeuvre, over the inches that are left.
        assert math.hypot(end[0] - x, end[1] - y) < 0.005
        assert facing is None or abs((end[2] - facing + 180) % 360 - 180) < 0.002


@pytest.mark.parametrize("seed", range(20))
def test_ways_that_are_not_looked_at_would_have_come_no_nearer(seed):
    unit = r(scene(regiment("a", 0, (20, 20), of=profile()), regiment("b", 1, (40, 40))), "a")
    rng = random.Random(seed)
    where, wide = (20.0, 20.0, rng.uniform(0, 360)), ranked.width(unit)
    x, y, limit = rng.uniform(0, 40), rng.uniform(0, 40), rng.uniform(1, 12)
    bx, by, far = rng.uniform(10, 30), rng.uniform(10, 30), rng.uniform(1, 8)

    def fits(path):
        end = legs_of(where, wide, path)[1]
        return math.hypot(end[0] - bx, end[1] - by) >= far

    def short_of_it(path):
        end = legs_of(where, wide, path)[1]
        return math.hypot(end[0] - x, end[1] - y)

    found = furthest(wide, where, {"to": {"x": x, "y": y}}, limit, fits)
    parts = [part for way in list(ways_to(where, wide, x, y, None))[:4] if (part := longest(way, wide, limit, fits))]
    assert found is not None or not parts
    assert all(short_of_it(found["path"]) <= short_of_it(part) + 1e-6 for part in parts)
