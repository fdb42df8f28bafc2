"""The place nearest to a wish to which a unit can be brought as it stands: worked out, not tried about.

Where the middle of the unit can be is bounded by circles and lines: where a model would touch another, come into a
range, stand at the edge of ground or table, go as far as it may, or pass what stands before it. The nearest place is
the wish itself, its foot on one of these, where two of them cross, or the end of the shortest way that leads straight
for it from some corner. Each is looked at by the judge, none that is no nearer than what was found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from umpire.space.havens import Disc, corners_by_ring, round_about, tangents
from umpire.space.packs import Floats
from umpire.space.paths import Reach
from umpire.space.plates import Segment
from umpire.space.shapes import Point

HAIR = 0.0028
"""Places are looked for so far on the good side of an edge, where rounding to thousandths does no harm."""
TRIED = 10
"""So many places are judged with ways round things for one wish at most, and five times as many straight."""


CROSSED = 120
"""Of more circles and lines than these, those that are nearest to the wish are crossed with one another."""


class Bounds(NamedTuple):
    """What bounds the places of a unit's middle."""

    solid: list[Disc]
    """What nobody may end in, nor pass."""
    ended: list[Disc]
    """What may be passed, but not ended in."""
    rims: list[Disc]
    """Other circles at which something changes."""
    lines: list[Segment]
    box: tuple[float, float, float, float]
    """Between which places it is on the table."""
    barred: list[Disc]
    """Ranges that may not be entered on the way either."""
    passing: bool = False
    """May it pass what is solid?"""


def ground_lines(points: Sequence[Point], radius: float) -> tuple[list[Disc], list[Segment]]:
    """What bounds the places of a round base at the edges of ground: beside it, and wholly in it."""
    return round_about(points, radius + HAIR)


def nearest(
    start: Point,
    far: float,
    wish: Point,
    best: float,
    bounds: Bounds,
    ground: Reach | None,
    fits: Callable[[float, float], bool | None],
) -> Point | None:
    """A place of the unit's middle that fits and is nearer to a wish than `best`: the nearest of all that can be. What
    is soon told not to fit is None."""
    found: Point | None = None
    seen: set[Point] = set()
    tried = 0
    nearness = [best]
    for spots in _spots(start, far, wish, bounds, ground, nearness):
        away = np.hypot(spots[:, 0] - wish[0], spots[:, 1] - wish[1])
        spots = spots[away < nearness[0] - HAIR / 2]
        if len(spots):
            spots = spots[_open(spots, start, far, bounds, ground)]
        order = np.argsort(np.hypot(spots[:, 0] - wish[0], spots[:, 1] - wish[1]), kind="stable")
        for x, y in np.round(spots[order], 3).tolist():
            if (x, y) in seen:
                continue
            if tried >= TRIED or len(seen) >= 5 * TRIED:
                return found
            seen.add((x, y))
            good = fits(x, y)
            tried += good is not None
            if good:
                found, nearness[0] = (x, y), math.dist((x, y), wish)
                break
    return found


def _spots(
    start: Point, far: float, wish: Point, bounds: Bounds, ground: Reach | None, nearness: list[float]
) -> Iterator[Floats]:
    """Places that can be the nearest, those first that are sooner found; of the others only what is nearer than the
    nearest that was found so far."""
    rings = [*bounds.solid, *bounds.ended, *bounds.rims, (*start, far - HAIR / 2)]
    first = [wish, *(ground.towards(*wish) if ground is not None else ())]
    yield np.array(first, dtype=np.float64).reshape(-1, 2)
    shadows = [line for ring in bounds.solid for line in tangents(*start, (*ring[:2], ring[2] + HAIR / 2), far)]
    lines = [*bounds.lines, *([] if bounds.passing else shadows)]
    circles, straight = np.array(rings).reshape(-1, 3), np.array(lines).reshape(-1, 4)
    toward = np.array(wish) - circles[:, :2]
    away = np.hypot(toward[:, 0], toward[:, 1])
    from_rings = np.abs(away - circles[:, 2])
    unit = np.where(away[:, None] > 0.0, toward / np.maximum(away, 1e-12)[:, None], (1.0, 0.0))
    a, b = straight[:, :2], straight[:, 2:]
    along = b - a
    part = ((np.array(wish) - a) * along).sum(axis=1) / np.maximum((along * along).sum(axis=1), 1e-18)
    feet = a + np.clip(part, 0.0, 1.0)[:, None] * along
    from_lines = np.hypot(feet[:, 0] - wish[0], feet[:, 1] - wish[1])
    yield np.concatenate((circles[:, :2] + unit * circles[:, 2:], feet))
    far_off = np.sort(np.concatenate((from_rings, from_lines)))[:CROSSED][-1]
    within = min(nearness[0], float(far_off) + HAIR)
    near_rings = circles[from_rings < within]
    near_lines = [((ax, ay), (bx, by)) for ax, ay, bx, by in straight[from_lines < within].tolist()]
    crossing = list(corners_by_ring([(x, y, r) for x, y, r in near_rings.tolist()], near_lines))
    yield np.concatenate(crossing) if crossing else np.empty((0, 2))
    if ground is not None:
        yield _ends_of_reach(
            circles[from_rings < nearness[0]], straight[from_lines < nearness[0]], wish, nearness[0], bounds, ground
        )


APART = 0.12
"""So far apart are the points of a circle or line between which it is looked where what is in reach ends."""


def _ends_of_reach(circles: Floats, straight: Floats, wish: Point, best: float, bounds: Bounds, ground: Reach) -> Any:
    """Where circles and lines leave the ground that can be reached."""
    firsts, lasts = [], []
    for x, y, radius in circles.tolist():
        turns = np.linspace(0.0, 2 * math.pi, max(12, int(2 * math.pi * radius / APART)))
        points = np.stack((x + radius * np.cos(turns), y + radius * np.sin(turns)), axis=1)
        firsts.append(points[:-1])
        lasts.append(points[1:])
    arcs = sum(map(len, firsts))
    for ax, ay, bx, by in straight.tolist():
        count = max(2, int(math.dist((ax, ay), (bx, by)) / APART))
        points = np.linspace((ax, ay), (bx, by), count)
        firsts.append(points[:-1])
        lasts.append(points[1:])
    if not firsts:
        return np.empty((0, 2))
    a, b = np.concatenate(firsts), np.concatenate(lasts)
    middle = (
        np.concatenate(
            [np.repeat(circles, [len(f) for f in firsts[: len(circles)]], axis=0)[:arcs], np.zeros((len(a) - arcs, 3))]
        )
        if len(circles)
        else np.zeros((len(a), 3))
    )
    near = np.minimum(np.hypot(*(a - wish).T), np.hypot(*(b - wish).T)) < best
    near &= np.minimum(np.hypot(*(a - ground.base_at).T), np.hypot(*(b - ground.base_at).T)) < ground.budget
    a, b, middle = a[near], b[near], middle[near]
    if not len(a):
        return np.empty((0, 2))
    inside, outside = np.isfinite(ground.costs(a)), np.isfinite(ground.costs(b))
    change = inside != outside
    a, b, middle, first = a[change], b[change], middle[change], inside[change]
    low, high = np.where(first[:, None], a, b), np.where(first[:, None], b, a)
    for _ in range(9):
        half = (low + high) / 2
        off = half - middle[:, :2]
        far = np.hypot(off[:, 0], off[:, 1])
        on = np.where(middle[:, 2:] > 0.0, middle[:, :2] + off * (middle[:, 2] / np.maximum(far, 1e-9))[:, None], half)
        good = np.isfinite(ground.costs(on))[:, None]
        low, high = np.where(good, on, low), np.where(good, high, on)
    return low


def _open(spots: Floats, start: Point, far: float, bounds: Bounds, ground: Reach | None) -> Any:
    """Which places are clear of everything that is round, on the table and not too far off; and, where a way round
    things is known for certain, can be got to by one, or straight."""
    x, y = spots[:, :1], spots[:, 1:]
    x0, y0, x1, y1 = bounds.box
    good: Any = ((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))[:, 0]
    good = good & (np.hypot(x[:, 0] - start[0], y[:, 0] - start[1]) <= far + HAIR)
    discs = np.array([*bounds.solid, *bounds.ended]).reshape(-1, 3)
    good = good & (np.hypot(x - discs[:, 0], y - discs[:, 1]) >= discs[:, 2] - HAIR / 2).all(axis=1)
    if ground is not None and not bounds.passing and good.any():
        some = np.flatnonzero(good)
        solid = np.array([*bounds.solid, *bounds.barred]).reshape(-1, 3)
        free = np.ones(len(some), dtype=bool)
        if len(solid):
            dx, dy = x[some] - start[0], y[some] - start[1]
            wx, wy = solid[:, 0] - start[0], solid[:, 1] - start[1]
            t = np.clip((wx * dx + wy * dy) / np.maximum(dx * dx + dy * dy, 1e-18), 0.0, 1.0)
            free &= (np.hypot(wx - t * dx, wy - t * dy) >= solid[:, 2] - HAIR).all(axis=1)
        free[~free] = np.isfinite(ground.costs(spots[some[~free]]))
        good[some] = free
    return good
