"""Whether a straight line leads from an edge to a convex polygon past others: found if there is one, and only then.

The lines that nothing is in the way of are a closed set; if there is any, one of them passes through two corners of
what bounds them: ends of the edge, corners of the goal and of what is in the way, or one corner at the widest angle
allowed. So it is enough to look at those.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from .angles import sin_cos
from .shapes import Point, convex_hull
from .spans import Ring, gap

TINY = 1e-9


class Line(NamedTuple):
    """From a point of the edge to the nearest point of the goal on that line."""

    start: Point
    end: Point


class Screen(NamedTuple):
    """What is in the way: no line goes through it; or with `enter` none goes through and out again."""

    ring: Ring
    enter: bool = False


def through(ring: Ring, ax: float, ay: float, dx: float, dy: float) -> tuple[float, float] | None:
    """Between which parts of a line (from a point along a vector) it lies inside a convex polygon; touching is not."""
    area = 0.0
    px, py = ring[-1]
    for qx, qy in ring:
        area += px * qy - qx * py
        px, py = qx, qy
    sign = 1.0 if area > 0 else -1.0
    low, high = float("-inf"), float("inf")
    px, py = ring[-1]
    for qx, qy in ring:
        ex, ey = (qx - px) * sign, (qy - py) * sign
        side = ex * (ay - py) - ey * (ax - px)
        rate = ex * dy - ey * dx
        if abs(rate) < 1e-12:
            if side <= TINY:
                return None
        elif rate > 0:
            low = max(low, -side / rate)
        else:
            high = min(high, -side / rate)
        px, py = qx, qy
    return (low, high) if high > low + TINY else None


def meets(ring: Ring, ax: float, ay: float, dx: float, dy: float) -> float | None:
    """How far along a line it first meets a convex polygon, its border included; None if not ahead."""
    best: float | None = None
    inside = through(ring, ax, ay, dx, dy)
    if inside is not None:
        return max(0.0, inside[0]) if inside[1] >= -TINY else None
    square = dx * dx + dy * dy
    for qx, qy in ring:
        # It may still run along an edge or touch a corner.
        across = dx * (qy - ay) - dy * (qx - ax)
        if abs(across) <= 1e-7 * square**0.5:
            t = ((qx - ax) * dx + (qy - ay) * dy) / square
            if t >= -TINY and (best is None or t < best):
                best = max(0.0, t)
    return best


def clear(screens: Sequence[Screen], ax: float, ay: float, dx: float, dy: float, upto: float) -> bool:
    """Is nothing in the way of a line up to that part of it?"""
    for screen in screens:
        inside = through(screen.ring, ax, ay, dx, dy)
        if inside is None or inside[1] <= TINY:
            continue
        if screen.enter:
            if inside[1] < upto - TINY:
                return False
        elif inside[0] < upto - TINY:
            return False
    return True


def glimpse(
    edge: tuple[Point, Point],
    goals: Sequence[Ring],
    screens: Sequence[Screen],
    ahead: Point | None = None,
    spread: float = 45.0,
) -> Line | None:
    """A line from an edge to one of the goals, at most so many degrees off straight `ahead` (None: any way)."""
    for goal in goals:
        found = _glimpse(edge, goal, screens, ahead, spread)
        if found is not None:
            return found
    return None


def _glimpse(
    edge: tuple[Point, Point], goal: Ring, screens: Sequence[Screen], ahead: Point | None, spread: float
) -> Line | None:
    (ax, ay), (bx, by) = edge
    middle = ((ax + bx) / 2, (ay + by) / 2)
    limit = sin_cos(90.0 - spread)[0] if ahead is not None else -2.0
    corners = list(goal)
    gx, gy = sum(p[0] for p in corners) / len(corners), sum(p[1] for p in corners) / len(corners)
    hull = convex_hull([edge[0], edge[1], *goal])
    low_x, high_x = min(p[0] for p in hull), max(p[0] for p in hull)
    low_y, high_y = min(p[1] for p in hull), max(p[1] for p in hull)
    near = [
        screen
        for screen in screens
        if max(p[0] for p in screen.ring) > low_x
        and min(p[0] for p in screen.ring) < high_x
        and max(p[1] for p in screen.ring) > low_y
        and min(p[1] for p in screen.ring) < high_y
        and gap(hull, screen.ring) < 0.0
    ]

    def look(px: float, py: float, qx: float, qy: float) -> Line | None:
        dx, dy = qx - px, qy - py
        far = (dx * dx + dy * dy) ** 0.5
        if far < TINY:
            return Line((px, py), (qx, qy))
        dx, dy = dx / far, dy / far
        if ahead is not None and dx * ahead[0] + dy * ahead[1] < limit - 1e-9:
            return None
        at = meets(goal, px, py, dx, dy)
        if at is None or not clear(near, px, py, dx, dy, at):
            return None
        return Line((px, py), (px + dx * at, py + dy * at))

    for start in (middle, edge[0], edge[1]):
        for end in ((gx, gy), *corners):
            if (found := look(*start, *end)) is not None:
                return found
    turns = []
    if ahead is not None:
        s, c = sin_cos(spread)
        ux, uy = ahead
        turns = [(ux * c + uy * s, uy * c - ux * s), (ux * c - uy * s, uy * c + ux * s)]
        for start in edge:
            for vx, vy in turns:
                if (found := look(*start, start[0] + vx, start[1] + vy)) is not None:
                    return found
    marks = [p for screen in near for p in screen.ring]
    if edge[0] == edge[1]:
        return next((found for q in marks if (found := look(*edge[0], *q)) is not None), None)
    points = [edge[0], edge[1], *corners, *marks]
    for p, q in itertools.combinations(points, 2):
        for line in _lines(edge, p, q):
            if (found := look(*line)) is not None:
                return found
    for x, y in (*corners, *marks):
        for vx, vy in turns:
            for line in _lines(edge, (x, y), (x + vx, y + vy)):
                if (found := look(*line)) is not None:
                    return found
    return None


def _lines(edge: tuple[Point, Point], p: Point, q: Point) -> list[tuple[float, float, float, float]]:
    """The line through two points, from where it crosses an edge, both ways."""
    (ax, ay), (bx, by) = edge
    ex, ey = bx - ax, by - ay
    dx, dy = q[0] - p[0], q[1] - p[1]
    across = ex * dy - ey * dx
    if abs(across) < 1e-12:
        return []
    t = ((p[0] - ax) * dy - (p[1] - ay) * dx) / across
    if t < -TINY or t > 1.0 + TINY:
        return []
    t = min(max(t, 0.0), 1.0)
    x, y = ax + ex * t, ay + ey * t
    return [(x, y, x + dx, y + dy), (x, y, x - dx, y - dy)]
