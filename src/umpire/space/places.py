"""Where a convex body that does not turn may stand inside an area, clear of others: the nearest such place to a wish,
or that there is none.

The places of its reference point inside a convex area are a convex polygon; each obstacle takes away the moves that
bring the body onto it, grown by its clearance: straight edges, and arcs about their corners. What is left is bounded by
these; the nearest place to a wish is the wish, its foot on one of them, or a corner where two of them meet.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .plain import anticlockwise, point_polygon
from .shapes import Point
from .spans import Ring, differences

TINY = 1e-7


class Keep(NamedTuple):
    """Something to stand clear of, and by how much."""

    ring: Ring
    clearance: float = 0.0


Piece = tuple[str, float, float, float, float]
"""("line", x0, y0, x1, y1) or ("arc", x, y, radius, 0)."""


def room(body: Ring, area: Ring) -> list[Point]:
    """The places of a body's reference point at which it lies wholly in a convex area: a polygon, empty if it does not
    fit."""
    xs, ys = [p[0] for p in area], [p[1] for p in area]
    far = max(max(xs) - min(xs), max(ys) - min(ys)) + 100.0
    cx, cy = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    found: list[Point] = [(cx - far, cy - far), (cx + far, cy - far), (cx + far, cy + far), (cx - far, cy + far)]
    ring = anticlockwise(area)
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        ex, ey = bx - ax, by - ay
        n = math.sqrt(ex * ex + ey * ey)
        if n < 1e-12:
            continue
        nx, ny = -ey / n, ex / n
        least = nx * ax + ny * ay - min(nx * x + ny * y for x, y in body)
        found = _clipped(found, nx, ny, least)
        if not found:
            return []
    return found


def _clipped(ring: Sequence[Point], nx: float, ny: float, least: float) -> list[Point]:
    out: list[Point] = []
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        a, b = nx * ax + ny * ay - least, nx * bx + ny * by - least
        if a >= -TINY:
            out.append((ax, ay))
        if (a > TINY and b < -TINY) or (a < -TINY and b > TINY):
            t = a / (a - b)
            out.append((ax + (bx - ax) * t, ay + (by - ay) * t))
    return out


def common(a: Sequence[Point], b: Sequence[Point]) -> list[Point]:
    """What two convex polygons have in common; empty if they do not meet."""
    found = list(anticlockwise(a))
    ring = anticlockwise(b)
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        ex, ey = bx - ax, by - ay
        n = math.sqrt(ex * ex + ey * ey)
        if n > 1e-12 and found:
            found = _clipped(found, -ey / n, ex / n, (-ey * ax + ex * ay) / n)
    return found


def nearest_place(
    body: Ring, area: Ring, keeps: Sequence[Keep], wish: Point, region: Sequence[Point] | None = None
) -> Point | None:
    """The place nearest to a wish at which a body lies in an area and clear of everything; None: there is none. A
    `region` is where its reference point must be."""
    return nearest_of((body,), area, keeps, wish, region)


def nearest_of(
    parts: Sequence[Ring], area: Ring, keeps: Sequence[Keep], wish: Point, region: Sequence[Point] | None = None
) -> Point | None:
    """The same for a body of several convex parts."""
    inside = room(parts[0], area)
    for part in parts[1:]:
        inside = common(inside, room(part, area)) if inside else inside
    if inside and region is not None:
        inside = common(inside, region)
    if not inside:
        return None
    low = (min(p[0] for p in inside), min(p[1] for p in inside))
    high = (max(p[0] for p in inside), max(p[1] for p in inside))
    taken: list[tuple[tuple[Point, ...], float]] = []
    for keep, part in itertools.product(keeps, parts):
        moves = differences(part, keep.ring)
        c = keep.clearance + TINY
        if (
            min(p[0] for p in moves) - c <= high[0]
            and max(p[0] for p in moves) + c >= low[0]
            and min(p[1] for p in moves) - c <= high[1]
            and max(p[1] for p in moves) + c >= low[1]
        ):
            taken.append((moves, keep.clearance))

    def free(p: Point) -> bool:
        if not _within(inside, p):
            return False
        return all(_off(moves, clearance, p) for moves, clearance in taken)

    best: Point | None = None
    far = math.inf

    def look(places: Iterable[Point]) -> None:
        nonlocal best, far
        for away, p in sorted([((p[0] - wish[0]) ** 2 + (p[1] - wish[1]) ** 2, p) for p in places]):
            if away >= far - TINY:
                return
            if free(p):
                best, far = p, away
                return

    look((wish,))
    if far == 0.0:
        return best
    look(inside)
    pieces = _pieces(inside, taken)
    feet = [list(_feet(piece, wish)) for piece in pieces]
    look(itertools.chain(*feet))
    # Where two of them meet is no nearer than either.
    near = [
        piece
        for piece, points in zip(pieces, feet, strict=True)
        if not points or any((x - wish[0]) ** 2 + (y - wish[1]) ** 2 < far for x, y in points)
    ]
    look(p for a, b in itertools.combinations(near, 2) for p in _meetings(a, b))
    return best


def _within(ring: Sequence[Point], p: Point) -> bool:
    if len(ring) < 3:
        return any(math.dist(p, q) <= 1e-6 for q in ring)
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        length = math.hypot(bx - ax, by - ay)
        if length > 1e-12 and ((bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax)) / length < -1e-6:
            return False
    return True


def _off(moves: Sequence[Point], clearance: float, p: Point) -> bool:
    if clearance > 0.0:
        return point_polygon(moves, *p) >= clearance - 1e-6
    deepest = math.inf
    for (ax, ay), (bx, by) in zip(moves, (*moves[1:], moves[0]), strict=True):
        length = math.hypot(bx - ax, by - ay)
        if length > 1e-12:
            deepest = min(deepest, ((bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax)) / length)
    return deepest <= 1e-6


def _pieces(inside: Sequence[Point], taken: Sequence[tuple[tuple[Point, ...], float]]) -> list[Piece]:
    """What bounds the places that are free."""
    pieces: list[Piece] = [("line", *a, *b) for a, b in zip(inside, (*inside[1:], inside[0]), strict=True)]
    for moves, clearance in taken:
        for (ax, ay), (bx, by) in zip(moves, (*moves[1:], moves[0]), strict=True):
            length = math.hypot(bx - ax, by - ay)
            if length < 1e-12:
                continue
            ox, oy = (by - ay) / length * clearance, (ax - bx) / length * clearance
            pieces.append(("line", ax + ox, ay + oy, bx + ox, by + oy))
            if clearance > 0.0:
                pieces.append(("arc", ax, ay, clearance, 0.0))
    return pieces


def _feet(piece: Piece, p: Point) -> Iterator[Point]:
    kind, x0, y0, x1, y1 = piece
    if kind == "arc":
        away = math.hypot(p[0] - x0, p[1] - y0)
        if away > 1e-12:
            yield x0 + (p[0] - x0) / away * x1, y0 + (p[1] - y0) / away * x1
        return
    dx, dy = x1 - x0, y1 - y0
    n = dx * dx + dy * dy
    t = min(1.0, max(0.0, ((p[0] - x0) * dx + (p[1] - y0) * dy) / n)) if n > 0 else 0.0
    yield x0 + dx * t, y0 + dy * t


def _meetings(a: Piece, b: Piece) -> Iterator[Point]:
    if a[0] == "arc" and b[0] == "line":
        a, b = b, a
    if a[0] == "line" and b[0] == "line":
        _, ax, ay, bx, by = a
        _, cx, cy, dx, dy = b
        across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
        if abs(across) < 1e-12:
            return
        t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / across
        u = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / across
        if -1e-9 <= t <= 1 + 1e-9 and -1e-9 <= u <= 1 + 1e-9:
            yield ax + (bx - ax) * t, ay + (by - ay) * t
    elif a[0] == "line":
        _, ax, ay, bx, by = a
        _, cx, cy, r, _ = b
        dx, dy = bx - ax, by - ay
        n = dx * dx + dy * dy
        half = (ax - cx) * dx + (ay - cy) * dy
        root = half * half - n * ((ax - cx) ** 2 + (ay - cy) ** 2 - r * r)
        if n < 1e-18 or root < 0.0:
            return
        for sign in (1.0, -1.0):
            t = (-half + sign * math.sqrt(root)) / n
            if -1e-9 <= t <= 1 + 1e-9:
                yield ax + dx * t, ay + dy * t
    else:
        _, ax, ay, r, _ = a
        _, bx, by, s, _ = b
        away = math.hypot(bx - ax, by - ay)
        if away < 1e-12 or away > r + s or away < abs(r - s):
            return
        on = (away * away + r * r - s * s) / (2 * away)
        side = math.sqrt(max(0.0, r * r - on * on))
        ux, uy = (bx - ax) / away, (by - ay) / away
        for sign in (1.0, -1.0):
            yield ax + ux * on - sign * uy * side, ay + uy * on + sign * ux * side
