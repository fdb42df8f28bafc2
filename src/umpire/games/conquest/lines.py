"""Sight lines worked out exactly: from a point, or from anywhere on an edge, to any point of an area past blockers.

What can be seen changes only where a line passes a corner, so that one line between each two corners settles it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from umpire.space.shapes import Point

Area = Sequence[Point]

STEP = 0.05
"""Places on an edge nearer to each other than this are taken for one."""
HAIR = 1e-6


def crosses(p: Point, q: Point, area: Area) -> bool:
    """Does the way from one point to another lead through an area? To graze it does not count."""
    if inside(((p[0] + q[0]) / 2, (p[1] + q[1]) / 2), area):
        return True
    a = area[-1]
    here = _side(p, q, a)
    for b in area:
        there = _side(p, q, b)
        if here * there < -HAIR and _side(a, b, p) * _side(a, b, q) < -HAIR:
            return True
        a, here = b, there
    return False


def _side(a: Point, b: Point, p: Point) -> float:
    """On which side of the line through two points a third one lies, and how far."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def inside(point: Point, area: Area) -> bool:
    x, y = point
    odd = False
    ax, ay = area[-1]
    for bx, by in area:
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
        ax, ay = bx, by
    return odd


def first_hit(p: Point, dx: float, dy: float, area: Area) -> Point | None:
    """Where a ray first meets an area."""
    best = math.inf
    ax, ay = area[-1]
    for bx, by in area:
        ex, ey = bx - ax, by - ay
        across = dx * ey - dy * ex
        if abs(across) > 1e-12:
            t = ((ax - p[0]) * ey - (ay - p[1]) * ex) / across
            u = ((ax - p[0]) * dy - (ay - p[1]) * dx) / across
            if 0.0 <= u <= 1.0 and 0.0 < t < best:
                best = t
        ax, ay = bx, by
    return (p[0] + dx * best, p[1] + dy * best) if best < math.inf else None


def seen_from(p: Point, target: Area, blockers: Sequence[Area]) -> bool:
    """Is there a free line from a point to an area?"""
    if len(target) < 3:
        return any(not any(crosses(p, q, area) for area in blockers) for q in target)
    if inside(p, target):
        return True
    middle = math.atan2(
        math.fsum(y for _, y in target) / len(target) - p[1], math.fsum(x for x, _ in target) / len(target) - p[0]
    )

    def angle(q: Point) -> float:
        return (math.atan2(q[1] - p[1], q[0] - p[0]) - middle + math.pi) % (2 * math.pi) - math.pi

    own = [angle(q) for q in target]
    low, high = min(own), max(own)
    corners = sorted({*own, *(a for area in blockers for q in area if low < (a := angle(q)) < high)})
    for one, other in itertools.pairwise(corners):
        if other - one < 1e-9:
            continue
        at = middle + (one + other) / 2
        q = first_hit(p, math.cos(at), math.sin(at), target)
        if q is not None and not any(crosses(p, q, area) for area in blockers):
            return True
    return False


def seen_from_edge(a: Point, b: Point, target: Area, blockers: Sequence[Area]) -> bool:
    """Is there a free line from anywhere on an edge to an area?"""
    tried: dict[int, None] = {}
    long = math.dist(a, b)
    for part in _parts(a, b, target, blockers):
        key = round(part * long / STEP)
        if key in tried:
            continue
        tried[key] = None
        if seen_from((a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part), target, blockers):
            return True
    return False


def _parts(a: Point, b: Point, target: Area, blockers: Sequence[Area]) -> Iterator[float]:
    """Places on an edge where what can be seen from it may change, and just beside them."""
    nudge = STEP / max(STEP, math.dist(a, b))
    yield from (HAIR, 1.0 - HAIR, 0.5)
    corners = [q for area in blockers for q in area]
    for k, u in enumerate(corners):
        for v in (*corners[k + 1 :], *target):
            one, other = _side(u, v, a), _side(u, v, b)
            if one * other < 0:
                at = one / (one - other)
                yield from (part for part in (at - nudge, at + nudge) if 0.0 < part < 1.0)
