"""The nearest place that will do, against a fine grid: what is there is found, and nothing else."""

from __future__ import annotations

import math

import numpy as np
import pytest

from umpire.engine.rng import Rng
from umpire.space.havens import has_haven, haven
from umpire.space.paths import reach
from umpire.space.shapes import Base, Prism, Round


def crowd(seed: int) -> tuple[list[tuple[float, float, float]], list[tuple[float, float, float]], float]:
    """A base at the origin hemmed in by others, some of which keep a ring of 1 inch."""
    rng = Rng(seed)
    bodies: list[tuple[float, float, float]] = []
    for _ in range(60):
        far, angle = rng.uniform(1.02, 4.5), rng.uniform(0, 2 * math.pi)
        disc = (far * math.cos(angle), far * math.sin(angle), rng.uniform(0.4, 0.8))
        clear = math.hypot(disc[0], disc[1]) >= disc[2] + 0.5
        if clear and all(math.hypot(disc[0] - b[0], disc[1] - b[1]) >= disc[2] + b[2] for b in bodies):
            bodies.append(disc)
        if len(bodies) >= 5 + seed % 9:
            break
    foes = bodies[: 1 + seed % 4]
    return bodies, [(x, y, r + 1.0 + 0.5) for x, y, r in foes], rng.uniform(1.5, 5.0)


@pytest.mark.parametrize("seed", range(40))
def test_a_way_out_is_found_where_a_fine_grid_finds_one(seed: int) -> None:
    bodies, rings, budget = crowd(seed)
    found = haven(0.0, 0.0, 0.5, budget, bodies, outside=rings)
    ground = reach(Base(Round(0.5), 0.0, 0.0), budget, [Base(Round(r), x, y) for x, y, r in bodies])
    axis = np.arange(-budget, budget, 0.06)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    good = np.ones(len(grid), dtype=bool)
    for x, y, r in rings:
        good &= np.hypot(grid[:, 0] - x, grid[:, 1] - y) > r
    costs = ground.costs(grid[good])
    best = float(np.min(costs)) if len(costs) else math.inf
    if found is None:
        assert not math.isfinite(best)
        return
    x, y, cost = found
    assert cost <= best + 1e-3
    assert all(math.hypot(x - a, y - b) > r - 0.001 for a, b, r in rings)
    assert all(math.hypot(x - a, y - b) >= r + 0.5 - 0.001 for a, b, r in bodies)


@pytest.mark.parametrize("seed", range(40))
def test_whether_there_is_a_place_is_told_as_it_is_found(seed: int) -> None:
    bodies, rings, budget = crowd(seed)
    for table in (None, (2.5, 2.5)):
        for inside in ((), ((*bodies[-1][:2], bodies[-1][2] + 0.7),)):
            for part in (0.3, 1.0):
                found = haven(1.0, 1.0, 0.3, budget * part, bodies[1:], inside, rings, table)
                assert has_haven(1.0, 1.0, 0.3, budget * part, bodies[1:], inside, rings, table) == (found is not None)


def test_the_edge_of_the_budget() -> None:
    foe = (2.0, 0.0, 0.5)
    ring = (2.0, 0.0, 2.0)
    assert haven(0.5, 0.0, 0.5, 0.49, [foe], outside=[ring]) is None
    assert haven(0.5, 0.0, 0.5, 0.501, [foe], outside=[ring]) is not None


def test_a_ring_of_bases_holds_whoever_is_inside() -> None:
    ring = [(2.0 * math.cos(k * math.pi / 4), 2.0 * math.sin(k * math.pi / 4), 0.5) for k in range(8)]
    assert haven(0.0, 0.0, 0.5, 9.0, ring, outside=[(x, y, 2.01) for x, y, _ in ring]) is None
    opened = ring[1:]
    assert haven(0.0, 0.0, 0.5, 9.0, opened, outside=[(x, y, 2.01) for x, y, _ in opened]) is not None


def test_reaching_into_a_disc_past_others() -> None:
    target = (8.0, 0.0, 0.5)
    into = (8.0, 0.0, 2.0)
    assert haven(0.0, 0.0, 0.5, 6.01, [target], inside=[into]) is not None
    assert haven(0.0, 0.0, 0.5, 5.98, [target], inside=[into]) is None
    screen = (4.0, 0.0, 0.5)
    there = haven(0.0, 0.0, 0.5, 7.0, [target, screen], inside=[into])
    assert there is not None
    assert 6.05 < there[2] < 6.5


@pytest.mark.parametrize("seed", range(24))
def test_the_nearest_place_past_blocks_is_found_where_a_fine_grid_finds_one(seed: int) -> None:
    rng = Rng(seed + 100)
    bodies, rings, budget = crowd(seed)
    x, y, w, d = rng.uniform(-3, 3), (seed % 2 * 2 - 1) * rng.uniform(1.2, 2.5), rng.uniform(0.5, 3), 0.5
    block = ((x - w, y), (x + w, y), (x + w, y + d), (x - w, y + d))
    into = (2.0 * x, 2.5 * y, 1.4)
    found = haven(0.0, 0.0, 0.5, budget + 2, bodies, [into], rings, None, [block])
    things = [*(Base(Round(r), bx, by) for bx, by, r in bodies), Prism(block)]
    ground = reach(Base(Round(0.5), 0.0, 0.0), budget + 2, things)
    axis = np.arange(-1.4, 1.4, 0.05)
    grid = np.stack(np.meshgrid(into[0] + axis, into[1] + axis), axis=-1).reshape(-1, 2)
    good = np.hypot(grid[:, 0] - into[0], grid[:, 1] - into[1]) <= 1.4
    for bx, by, r in rings:
        good &= np.hypot(grid[:, 0] - bx, grid[:, 1] - by) > r
    best = float(min(ground.costs(grid[good]), default=math.inf))
    assert (math.inf if found is None else found[2]) <= best + 1e-3
    assert found is None or ground.cost(found[0], found[1]) <= budget + 2
    assert has_haven(0.0, 0.0, 0.5, budget + 2, bodies, [into], rings, None, [block]) == (found is not None)
