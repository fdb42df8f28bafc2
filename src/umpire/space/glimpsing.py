"""The compiled kernel for glimpses: whether a straight line leads from an edge to a convex polygon past others, and
which polygons a line runs through.

Polygons are rows of one array: where each begins, and how many corners it has.
"""

import math
from typing import Any

import numpy as np

from .compiling import entry, inner
from .rings import hull

TINY = 1e-9


@inner("Aiiffff")
def _through(points: Any, first: int, count: int, ax: float, ay: float, dx: float, dy: float) -> Any:
    """Between which parts of a line (from a point along a vector) it lies inside a convex polygon; touching is not, and
    is told as (1, 0)."""
    area = 0.0
    px, py = points[first + count - 1, 0], points[first + count - 1, 1]
    for k in range(first, first + count):
        qx, qy = points[k, 0], points[k, 1]
        area += px * qy - qx * py
        px, py = qx, qy
    sign = 1.0 if area > 0 else -1.0
    low, high = -np.inf, np.inf
    px, py = points[first + count - 1, 0], points[first + count - 1, 1]
    for k in range(first, first + count):
        qx, qy = points[k, 0], points[k, 1]
        ex, ey = (qx - px) * sign, (qy - py) * sign
        side = ex * (ay - py) - ey * (ax - px)
        rate = ex * dy - ey * dx
        if abs(rate) < 1e-12:
            if side <= TINY:
                return 1.0, 0.0
        elif rate > 0:
            low = max(low, -side / rate)
        else:
            high = min(high, -side / rate)
        px, py = qx, qy
    return (low, high) if high > low + TINY else (1.0, 0.0)


@inner("Affff")
def _meets(goal: Any, ax: float, ay: float, dx: float, dy: float) -> float:
    """How far along a line it first meets a convex polygon, its border included; -1 if not ahead."""
    low, high = _through(goal, 0, len(goal), ax, ay, dx, dy)
    if high > low:
        return max(0.0, low) if high >= -TINY else -1.0
    best = -1.0
    square = dx * dx + dy * dy
    for k in range(len(goal)):
        # It may still run along an edge or touch a corner.
        qx, qy = goal[k, 0], goal[k, 1]
        across = dx * (qy - ay) - dy * (qx - ax)
        if abs(across) <= 1e-7 * math.sqrt(square):
            t = ((qx - ax) * dx + (qy - ay) * dy) / square
            if t >= -TINY and (best < 0.0 or t < best):
                best = max(0.0, t)
    return best


@inner("AIIIIifffff")
def _clear(
    points: Any, firsts: Any, counts: Any, enters: Any, near: Any, many: int,
    ax: float, ay: float, dx: float, dy: float, upto: float,
) -> bool:  # fmt: skip
    """Is nothing in the way of a line up to that part of it?"""
    for n in range(many):
        k = near[n]
        low, high = _through(points, firsts[k], counts[k], ax, ay, dx, dy)
        if high <= low or high <= TINY:
            continue
        if (high if enters[k] else low) < upto - TINY:
            return False
    return True


@inner("AAiiff")
def _shadows(hull: Any, points: Any, first: int, count: int, nx: float, ny: float) -> Any:
    """How far apart the shadows of two polygons on a line lie; negative: by how much they overlap."""
    a0 = a1 = hull[0, 0] * nx + hull[0, 1] * ny
    for k in range(1, len(hull)):
        h = hull[k, 0] * nx + hull[k, 1] * ny
        a0, a1 = min(a0, h), max(a1, h)
    b0 = b1 = points[first, 0] * nx + points[first, 1] * ny
    for k in range(first + 1, first + count):
        h = points[k, 0] * nx + points[k, 1] * ny
        b0, b1 = min(b0, h), max(b1, h)
    return max(b0 - a1, a0 - b1)


@inner("AAii")
def _overlap(hull: Any, points: Any, first: int, count: int) -> bool:
    """Do two convex polygons overlap? Touching is not."""
    for which in range(2):
        start, size = (0, len(hull)) if which == 0 else (first, count)
        ring = hull if which == 0 else points
        ax, ay = ring[start + size - 1, 0], ring[start + size - 1, 1]
        for k in range(start, start + size):
            bx, by = ring[k, 0], ring[k, 1]
            ex, ey = bx - ax, by - ay
            n = math.sqrt(ex * ex + ey * ey)
            if n > 1e-12:
                if _shadows(hull, points, first, count, ey / n, -ex / n) >= 0.0:
                    return False
                if size == 2 and _shadows(hull, points, first, count, ex / n, ey / n) >= 0.0:
                    return False
            ax, ay = bx, by
    return True


@inner("AffffAIIIIibfff")
def _look(
    goal: Any, px: float, py: float, qx: float, qy: float,
    points: Any, firsts: Any, counts: Any, enters: Any, near: Any, many: int,
    aimed: bool, ux: float, uy: float, limit: float,
) -> float:  # fmt: skip
    """How far the goal is along the line through two points, if nothing is in its way; else -1."""
    dx, dy = qx - px, qy - py
    far = math.sqrt(dx * dx + dy * dy)
    if far < TINY:
        return 0.0
    dx, dy = dx / far, dy / far
    if aimed and dx * ux + dy * uy < limit - 1e-9:
        return -1.0
    at = _meets(goal, px, py, dx, dy)
    if at < 0.0 or not _clear(points, firsts, counts, enters, near, many, px, py, dx, dy, at):
        return -1.0
    return at


@inner("AAIIIIiibI")
def _nearby(
    hull: Any, points: Any, firsts: Any, counts: Any, owners: Any, raised: Any, one: int, other: int, high: bool,
    near: Any,
) -> int:  # fmt: skip
    """What reaches into the hull of an edge and a goal, those left out that are never in the way."""
    low_x, high_x, low_y, high_y = hull[0, 0], hull[0, 0], hull[0, 1], hull[0, 1]
    for k in range(1, len(hull)):
        low_x, high_x = min(low_x, hull[k, 0]), max(high_x, hull[k, 0])
        low_y, high_y = min(low_y, hull[k, 1]), max(high_y, hull[k, 1])
    many = 0
    for n in range(len(firsts)):
        if owners[n] >= 0 and (owners[n] == one or owners[n] == other or (high and not raised[n])):
            continue
        first, count = firsts[n], counts[n]
        x0, x1, y0, y1 = points[first, 0], points[first, 0], points[first, 1], points[first, 1]
        for k in range(first + 1, first + count):
            x0, x1 = min(x0, points[k, 0]), max(x1, points[k, 0])
            y0, y1 = min(y0, points[k, 1]), max(y1, points[k, 1])
        if x1 > low_x and x0 < high_x and y1 > low_y and y0 < high_y and _overlap(hull, points, first, count):
            near[many] = n
            many += 1
    return many


@entry("ffffAAIIIIIiibbfffffff")
def glimpse(
    ax: float, ay: float, bx: float, by: float, goal: Any, points: Any, firsts: Any, counts: Any, enters: Any,
    owners: Any, raised: Any, one: int, other: int, high: bool, aimed: bool, ux: float, uy: float, limit: float,
    rx: float, ry: float, lx: float, ly: float,
) -> Any:  # fmt: skip
    """A line from an edge to a goal: found, its start, its end. `r` and `l` are the widest directions allowed."""
    goals = len(goal)
    both = np.empty((goals + 2, 2))
    both[0, 0], both[0, 1], both[1, 0], both[1, 1] = ax, ay, bx, by
    gx, gy = 0.0, 0.0
    for k in range(goals):
        both[k + 2, 0], both[k + 2, 1] = goal[k, 0], goal[k, 1]
        gx += goal[k, 0]
        gy += goal[k, 1]
    gx, gy = gx / goals, gy / goals
    near = np.empty(len(firsts), dtype=np.int64)
    many = _nearby(hull(both), points, firsts, counts, owners, raised, one, other, high, near)
    sx, sy, qx, qy, at = 0.0, 0.0, 0.0, 0.0, -1.0
    for k in range(3):
        if k == 0:
            sx, sy = (ax + bx) / 2, (ay + by) / 2
        else:
            sx, sy = both[k - 1, 0], both[k - 1, 1]
        for j in range(goals + 1):
            qx, qy = (gx, gy) if j == 0 else (goal[j - 1, 0], goal[j - 1, 1])
            at = _look(goal, sx, sy, qx, qy, points, firsts, counts, enters, near, many, aimed, ux, uy, limit)
            if at >= 0.0:
                return True, sx, sy, qx, qy, at
    if aimed:
        for k in range(2):
            sx, sy = both[k, 0], both[k, 1]
            for j in range(2):
                qx, qy = (sx + rx, sy + ry) if j == 0 else (sx + lx, sy + ly)
                at = _look(goal, sx, sy, qx, qy, points, firsts, counts, enters, near, many, aimed, ux, uy, limit)
                if at >= 0.0:
                    return True, sx, sy, qx, qy, at
    total = goals + 2
    for n in range(many):
        total += counts[near[n]]
    marks = np.empty((total, 2))
    marks[: goals + 2] = both
    total = goals + 2
    for n in range(many):
        for k in range(firsts[near[n]], firsts[near[n]] + counts[near[n]]):
            marks[total, 0], marks[total, 1] = points[k, 0], points[k, 1]
            total += 1
    if ax == bx and ay == by:
        for k in range(goals + 2, total):
            qx, qy = marks[k, 0], marks[k, 1]
            at = _look(goal, ax, ay, qx, qy, points, firsts, counts, enters, near, many, aimed, ux, uy, limit)
            if at >= 0.0:
                return True, ax, ay, qx, qy, at
        return False, ax, ay, ax, ay, 0.0
    ex, ey = bx - ax, by - ay
    for stage in range(2):
        if stage == 1 and not aimed:
            break
        for i in range(2 * stage, total):
            px, py = marks[i, 0], marks[i, 1]
            for j in range(i + 1 if stage == 0 else 0, total if stage == 0 else 2):
                if stage == 0:
                    dx, dy = marks[j, 0] - px, marks[j, 1] - py
                elif j == 0:
                    dx, dy = px + rx - px, py + ry - py
                else:
                    dx, dy = px + lx - px, py + ly - py
                across = ex * dy - ey * dx
                if abs(across) < 1e-12:
                    continue
                t = ((px - ax) * dy - (py - ay) * dx) / across
                if t < -TINY or t > 1.0 + TINY:
                    continue
                t = min(max(t, 0.0), 1.0)
                sx, sy = ax + ex * t, ay + ey * t
                for back in range(2):
                    qx, qy = (sx - dx, sy - dy) if back else (sx + dx, sy + dy)
                    at = _look(goal, sx, sy, qx, qy, points, firsts, counts, enters, near, many, aimed, ux, uy, limit)
                    if at >= 0.0:
                        return True, sx, sy, qx, qy, at
    return False, ax, ay, ax, ay, 0.0


@entry("AIIffff")
def crossed(points: Any, firsts: Any, counts: Any, ax: float, ay: float, bx: float, by: float) -> bool:
    """Does a segment run through the open interior of any of these convex polygons?"""
    for k in range(len(firsts)):
        low, high = _through(points, firsts[k], counts[k], ax, ay, bx - ax, by - ay)
        if high > low and min(high, 1.0) - max(low, 0.0) > 1e-9:
            return True
    return False
