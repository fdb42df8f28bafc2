"""Terrain: pieces made of prisms, the surfaces that one can stand on, and what a line crosses."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from .measure import floor_of
from .packs import packed
from .shapes import TOLERANCE, Point, Prism, Thing, convex_parts


def strip(start: Point, end: Point, thickness: float) -> tuple[Point, ...]:
    """The four corners of a straight strip between two points."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.sqrt(dx * dx + dy * dy)
    nx, ny = -dy / length * thickness / 2, dx / length * thickness / 2
    return (
        (start[0] + nx, start[1] + ny), (start[0] - nx, start[1] - ny),
        (end[0] - nx, end[1] - ny), (end[0] + nx, end[1] + ny),
    )  # fmt: skip


def stairs(start: Point, end: Point, width: float, low: float, high: float, steps: int) -> tuple[Prism, ...]:
    """Steps of equal height that rise from one point to another, each solid down to the foot."""
    out = []
    for k in range(steps):
        a = tuple(start[i] + (end[i] - start[i]) * k / steps for i in (0, 1))
        b = tuple(start[i] + (end[i] - start[i]) * (k + 1) / steps for i in (0, 1))
        top = low + (high - low) * (k + 1) / steps
        out.append(Prism(strip((a[0], a[1]), (b[0], b[1]), width), low, top, tags=("stairs",)))
    return tuple(out)


class Crossing(NamedTuple):
    """A stretch of a line over one thing: from which part of the line to which, and how long it is."""

    thing: int
    start: float
    end: float
    length: float


def _clip(points: tuple[Point, ...], a: Point, b: Point) -> tuple[float, float] | None:
    """The part of a segment inside a convex anticlockwise polygon."""
    t0, t1 = 0.0, 1.0
    dx, dy = b[0] - a[0], b[1] - a[1]
    for (px, py), (qx, qy) in zip(points, points[1:] + points[:1], strict=True):
        ex, ey = qx - px, qy - py
        side = ex * (a[1] - py) - ey * (a[0] - px)
        rate = ex * dy - ey * dx
        if rate == 0.0:
            if side < 0.0:
                return None
        elif rate > 0.0:
            t0 = max(t0, -side / rate)
        else:
            t1 = min(t1, -side / rate)
    return (t0, t1) if t1 > t0 else None


def crossings(
    a: Point, b: Point, things: Sequence[Thing], heights: tuple[float, float] | None = None
) -> list[Crossing]:
    """What a line passes over, in the order given, and for how long; with heights, only what it passes through.

    Touching an edge is not crossing. A concave thing may be crossed several times.
    """
    length = math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2)
    out: list[Crossing] = []
    for k, thing in enumerate(things):
        spans = _spans(thing, a, b)
        if heights is not None:
            spans = [s for s in (_at_height(thing, span, heights) for span in spans) if s is not None]
        spans.sort()
        merged: list[tuple[float, float]] = []
        for t0, t1 in spans:
            if merged and t0 <= merged[-1][1] + 1e-9:
                merged[-1] = (merged[-1][0], max(t1, merged[-1][1]))
            else:
                merged.append((t0, t1))
        out += [Crossing(k, t0, t1, (t1 - t0) * length) for t0, t1 in merged if (t1 - t0) * length > TOLERANCE]
    return out


def _spans(thing: Thing, a: Point, b: Point) -> list[tuple[float, float]]:
    if isinstance(thing, Prism) and all(len(part) >= 3 for part in convex_parts(thing.points)):
        found = (_clip(tuple(part), a, b) for part in convex_parts(thing.points))
        return [span for span in found if span is not None]
    p = packed((thing,))
    out = []
    for row in p.rows:
        n = int(row[11])
        if n >= 3:
            first = int(row[10])
            points = tuple((float(x), float(y)) for x, y in p.verts[first : first + n])
            span = _clip(points, a, b)
        else:
            span = _clip_oval(row, a, b)
        if span is not None:
            out.append(span)
    return out


def _clip_oval(row: Sequence[float], a: Point, b: Point) -> tuple[float, float] | None:
    """The part of a segment inside a round or oval footprint, solved in its own unit circle."""
    _, x, y, rx, ry, s, c = list(row)[:7]
    if row[0] == 0.0:
        ry = rx
    if rx <= 0.0 or ry <= 0.0:
        return None
    ends = []
    for px, py in (a, b):
        px, py = px - x, py - y
        ends.append(((px * c - py * s) / rx, (px * s + py * c) / ry))
    (ax, ay), (bx, by) = ends
    dx, dy = bx - ax, by - ay
    square, half, rest = dx * dx + dy * dy, ax * dx + ay * dy, ax * ax + ay * ay - 1.0
    root = half * half - square * rest
    if root <= 0.0 or square == 0.0:
        return None
    root = math.sqrt(root)
    t0, t1 = max(0.0, (-half - root) / square), min(1.0, (-half + root) / square)
    return (t0, t1) if t1 > t0 else None


def _at_height(thing: Thing, span: tuple[float, float], heights: tuple[float, float]) -> tuple[float, float] | None:
    low, high = floor_of(thing), thing.top
    z, rise = heights[0], heights[1] - heights[0]
    t0, t1 = span
    if rise == 0.0:
        return span if low < z < high else None
    u0, u1 = sorted(((low - z) / rise, (high - z) / rise))
    t0, t1 = max(t0, u0), min(t1, u1)
    return (t0, t1) if t1 > t0 else None
