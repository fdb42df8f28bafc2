"""Points, segments and convex polygons, one at a time and in plain Python.

The kernels measure many things at once; the questions here are asked of single points by the hundred in every move,
where handing them to compiled code costs more than the answer. Polygons are convex and go anticlockwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from umpire.space.angles import sin_cos
from umpire.space.shapes import TOLERANCE

Point: TypeAlias = tuple[float, float]
_SIXTY_FOUR = tuple(sin_cos(360.0 / 64 * k) for k in range(64))


def point_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Squared distance of a point from a segment."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    if square > 0.0:
        t = ((px - ax) * dx + (py - ay) * dy) / square
        t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
        ax += t * dx
        ay += t * dy
    return (px - ax) * (px - ax) + (py - ay) * (py - ay)


def inside(points: Sequence[Point], x: float, y: float) -> bool:
    """Does a point lie in a convex anticlockwise polygon, its edge included?"""
    ax, ay = points[-1]
    for bx, by in points:
        if (bx - ax) * (y - ay) - (by - ay) * (x - ax) < -1e-9:
            return False
        ax, ay = bx, by
    return True


def point_polygon(points: Sequence[Point], x: float, y: float) -> float:
    """Distance of a point from a convex polygon; 0 inside."""
    ax, ay = points[-1]
    best, out = math.inf, False
    for bx, by in points:  # `inside` and `point_segment`, written out: it is asked more often than anything
        dx, dy, px, py = bx - ax, by - ay, x - ax, y - ay
        if dx * py - dy * px < -1e-9:
            out = True
        square = dx * dx + dy * dy
        if square > 0.0:
            t = (px * dx + py * dy) / square
            if t >= 1.0:
                px, py = x - (ax + dx), y - (ay + dy)
            elif t > 0.0:
                px, py = x - (ax + t * dx), y - (ay + t * dy)
        far = px * px + py * py
        if far < best:
            best = far
        ax, ay = bx, by
    return math.sqrt(best) if out else 0.0


def clip(points: Sequence[Point], ax: float, ay: float, bx: float, by: float) -> tuple[float, float] | None:
    """The part of a segment inside a convex anticlockwise polygon, from 0 to 1; touching it is not inside."""
    t0, t1 = 0.0, 1.0
    dx, dy = bx - ax, by - ay
    px, py = points[-1]
    for qx, qy in points:
        ex, ey = qx - px, qy - py
        side = ex * (ay - py) - ey * (ax - px)
        rate = ex * dy - ey * dx
        if rate == 0.0:
            if side <= 0.0:
                return None
        else:
            t = -side / rate
            if rate < 0.0:
                if t < t1:
                    t1 = t
            elif t > t0:
                t0 = t
        if t1 <= t0:
            return None
        px, py = qx, qy
    return t0, t1


def overlapping(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """Do two convex anticlockwise polygons overlap by more than a hair? No edge of either then parts them."""
    for one, other in ((a, b), (b, a)):
        px, py = one[-1]
        for qx, qy in one:
            ex, ey = qx - px, qy - py
            deepest = max([ex * (y - py) - ey * (x - px) for x, y in other])
            if deepest <= 0.0 or deepest * deepest <= TOLERANCE * TOLERANCE * (ex * ex + ey * ey):
                return False
            px, py = qx, qy
    return True


def clip_circle(x: float, y: float, r: float, ax: float, ay: float, bx: float, by: float) -> tuple[float, float] | None:
    """The part of a segment inside a circle."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    if square == 0.0:
        return (0.0, 1.0) if (ax - x) ** 2 + (ay - y) ** 2 < r * r else None
    half = (ax - x) * dx + (ay - y) * dy
    root = half * half - square * ((ax - x) ** 2 + (ay - y) ** 2 - r * r)
    if root <= 0.0:
        return None
    root = math.sqrt(root)
    t0, t1 = max(0.0, (-half - root) / square), min(1.0, (-half + root) / square)
    return (t0, t1) if t1 > t0 else None


def sweep_over(
    points: Sequence[Point], r: float, ax: float, ay: float, bx: float, by: float
) -> tuple[float, float] | None:
    """Between which parts of a straight move a round base stands over a convex polygon; touching is not standing over.

    The polygon grown by the radius is the polygon, a strip along each edge and a circle at each corner; it is convex.
    """
    r -= TOLERANCE
    px, py = points[-1]
    for qx, qy in points:  # most moves pass by: both ends lie beyond one edge by the radius
        ex, ey = qx - px, qy - py
        one = ex * (ay - py) - ey * (ax - px)
        if one < 0.0:
            other = ex * (by - py) - ey * (bx - px)
            nearer = one if one > other else other
            if nearer < 0.0 and nearer * nearer >= r * r * (ex * ex + ey * ey):
                return None
        px, py = qx, qy
    spans = [clip(points, ax, ay, bx, by)]
    px, py = points[-1]
    for qx, qy in points:
        spans.append(clip_circle(qx, qy, r, ax, ay, bx, by))
        ex, ey = qx - px, qy - py
        length = math.sqrt(ex * ex + ey * ey)
        nx, ny = ey / length, -ex / length
        # The strip begins a hair inside: who stands on the very edge is neither inside the polygon nor beyond it.
        ox, oy, hx, hy = nx * r, ny * r, nx * TOLERANCE, ny * TOLERANCE
        strip = ((px - hx, py - hy), (px + ox, py + oy), (qx + ox, qy + oy), (qx - hx, qy - hy))
        spans.append(clip(strip, ax, ay, bx, by))
        px, py = qx, qy
    found = [span for span in spans if span is not None]
    if not found:
        return None
    return min(span[0] for span in found), max(span[1] for span in found)


def cut(points: Sequence[Point], nx: float, ny: float, far: float) -> tuple[Point, ...]:
    """The part of a convex polygon on the side of a line towards which (nx, ny) points: nx x + ny y >= far."""
    out: list[Point] = []
    ax, ay = points[-1]
    a = nx * ax + ny * ay - far
    for bx, by in points:
        b = nx * bx + ny * by - far
        if (a < 0.0) != (b < 0.0):
            t = a / (a - b)
            out.append((ax + (bx - ax) * t, ay + (by - ay) * t))
        if b >= 0.0:
            out.append((bx, by))
        ax, ay, a = bx, by, b
    return tuple(out) if len(out) >= 3 else ()


def outside_circle(points: Sequence[Point], x: float, y: float, r: float) -> list[tuple[Point, ...]]:
    """What of a convex polygon lies outside a circle (the polygon of 64 sides round it), in convex pieces."""
    if point_polygon(points, x, y) >= r:
        return [tuple(points)]
    rest = tuple(points)
    found = []
    for s, c in _SIXTY_FOUR:
        piece = cut(rest, s, c, s * x + c * y + r)
        if piece:
            found.append(piece)
        rest = cut(rest, -s, -c, -(s * x + c * y + r))
        if not rest:
            break
    return found


def anticlockwise(points: Sequence[Point]) -> tuple[Point, ...]:
    """The same polygon, its corners in the order that the questions here want."""
    n = len(points)
    area = math.fsum(points[i][0] * points[(i + 1) % n][1] - points[(i + 1) % n][0] * points[i][1] for i in range(n))
    return tuple(points) if area > 0 else tuple(reversed(points))


def overhang(points: Sequence[Point], width: float, depth: float) -> float:
    """How far a polygon reaches beyond a table: 0 where it lies on it."""
    return max([0.0, *[max(-x, -y, x - width, y - depth) for x, y in points]])
