"""Terrain: pieces made of prisms, the surfaces that one can stand on, and what a line crosses."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from .angles import heading, sin_cos
from .measure import bounds, covers, floor_of
from .packs import packed
from .shapes import TOLERANCE, Base, Point, Prism, Thing, convex_parts, signed_area


class Ladder(msgspec.Struct, frozen=True):
    """A way up or down at a point of the table between two heights."""

    x: float
    y: float
    low: float
    high: float

    def placed(self, x: float, y: float, z: float = 0.0, facing: float = 0.0) -> "Ladder":
        s, c = sin_cos(facing)
        return Ladder(self.x * c + self.y * s + x, self.y * c - self.x * s + y, self.low + z, self.high + z)


class Piece(msgspec.Struct, frozen=True):
    """A piece of terrain: prisms and ladders that stand together."""

    name: str
    prisms: tuple[Prism, ...]
    ladders: tuple[Ladder, ...] = ()
    tags: tuple[str, ...] = ()

    def placed(self, x: float, y: float, z: float = 0.0, facing: float = 0.0) -> "Piece":
        """Turned clockwise about its own origin, then carried to (x, y, z)."""
        return Piece(
            self.name,
            tuple(p.placed(x, y, z, facing) for p in self.prisms),
            tuple(ladder.placed(x, y, z, facing) for ladder in self.ladders),
            self.tags,
        )

    @property
    def top(self) -> float:
        return max(p.top for p in self.prisms)


def strip(start: Point, end: Point, thickness: float) -> tuple[Point, ...]:
    """The four corners of a straight strip between two points."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.sqrt(dx * dx + dy * dy)
    nx, ny = -dy / length * thickness / 2, dx / length * thickness / 2
    return (
        (start[0] + nx, start[1] + ny), (start[0] - nx, start[1] - ny),
        (end[0] - nx, end[1] - ny), (end[0] + nx, end[1] + ny),
    )  # fmt: skip


def wall(start: Point, end: Point, height: float, thickness: float = 0.25, floor: float = 0.0) -> Prism:
    return Prism(strip(start, end, thickness), floor, floor + height, tags=("wall",))


def platform(points: tuple[Point, ...], top: float, thickness: float = 0.25) -> Prism:
    """A floor that one can stand on, and pass under."""
    return Prism(points, top - thickness, top, tags=("platform",))


def block(points: tuple[Point, ...], top: float, floor: float = 0.0) -> Prism:
    """A solid body from floor to top, on which one can stand."""
    return Prism(points, floor, top, tags=("platform",))


def low_obstacle(points: tuple[Point, ...], height: float) -> Prism:
    return Prism(points, 0.0, height, tags=("low",))


def area_terrain(points: tuple[Point, ...], height: float = 0.0) -> Prism:
    """A footprint with soft edges: bodies and sight pass, and the game says what it does."""
    return Prism(points, 0.0, height, solid=False, opaque=False, tags=("area",))


def ramp(start: Point, end: Point, width: float, low: float, high: float) -> Prism:
    """A slope that rises from one point to another."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    square = dx * dx + dy * dy
    rise = high - low
    slope = (low - rise * (start[0] * dx + start[1] * dy) / square, rise * dx / square, rise * dy / square)
    return Prism(strip(start, end, width), low, high, tags=("ramp",), slope=slope)


def stairs(start: Point, end: Point, width: float, low: float, high: float, steps: int) -> tuple[Prism, ...]:
    """Steps of equal height that rise from one point to another, each solid down to the foot."""
    out = []
    for k in range(steps):
        a = tuple(start[i] + (end[i] - start[i]) * k / steps for i in (0, 1))
        b = tuple(start[i] + (end[i] - start[i]) * (k + 1) / steps for i in (0, 1))
        top = low + (high - low) * (k + 1) / steps
        out.append(Prism(strip((a[0], a[1]), (b[0], b[1]), width), low, top, tags=("stairs",)))
    return tuple(out)


def doorway(
    start: Point, end: Point, height: float, opening: tuple[float, float], lintel: float,
    thickness: float = 0.25, closed: bool = False, floor: float = 0.0,
) -> tuple[Prism, ...]:  # fmt: skip
    """A wall with an opening between two distances from its start, up to the lintel: a door if closed, else an arch."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.sqrt(dx * dx + dy * dy)

    def at(s: float) -> Point:
        return start[0] + dx * s / length, start[1] + dy * s / length

    a, b = opening
    out = [wall(at(u), at(v), height, thickness, floor) for u, v in ((0.0, a), (b, length)) if v - u > TOLERANCE]
    if height - lintel > TOLERANCE:
        out.append(Prism(strip(at(a), at(b), thickness), floor + lintel, floor + height, tags=("lintel",)))
    if closed:
        out.append(Prism(strip(at(a), at(b), thickness), floor, floor + lintel, tags=("door",)))
    return tuple(out)


def prisms_of(pieces: Iterable[Piece | Prism]) -> tuple[Prism, ...]:
    """All prisms of pieces, in order."""
    return tuple(q for p in pieces for q in (p.prisms if isinstance(p, Piece) else (p,)))


def solids(pieces: Iterable[Piece | Prism]) -> tuple[Prism, ...]:
    """The prisms that bodies cannot pass."""
    return tuple(p for p in prisms_of(pieces) if p.solid)


def blockers(pieces: Iterable[Piece | Prism]) -> tuple[Prism, ...]:
    """The prisms that sight cannot pass."""
    return tuple(p for p in prisms_of(pieces) if p.opaque)


class Surface(NamedTuple):
    """What one stands on: a height, and the index of the prism in the order given (None is the table)."""

    z: float
    prism: int | None


def surfaces_at(pieces: Sequence[Piece | Prism], x: float, y: float) -> list[Surface]:
    """All surfaces over a point, from the table up."""
    out = [Surface(0.0, None)]
    for k, prism in enumerate(prisms_of(pieces)):
        if prism.solid and covers(prism, x, y):
            out.append(Surface(prism.surface(x, y), k))
    return sorted(out, key=lambda s: (s.z, -1 if s.prism is None else s.prism))


def surface_under(pieces: Sequence[Piece | Prism], x: float, y: float, z: float = math.inf) -> Surface:
    """The highest surface at or below a height over a point."""
    return [s for s in surfaces_at(pieces, x, y) if s.z <= z + TOLERANCE][-1]


def support_under(pieces: Sequence[Piece | Prism], base: Base) -> float:
    """How much of a base's footprint lies over surfaces at its own height, as a part of 1 (sampled)."""
    x0, y0, x1, y1 = bounds(base)
    prisms = [p for p in prisms_of(pieces) if p.solid and p.floor <= base.z + TOLERANCE and p.top >= base.z - TOLERANCE]
    inside = held = 0
    for i in range(11):
        for j in range(11):
            x, y = x0 + (x1 - x0) * (i + 0.5) / 11, y0 + (y1 - y0) * (j + 0.5) / 11
            if not covers(base, x, y):
                continue
            inside += 1
            held += abs(base.z) <= TOLERANCE or any(
                abs(p.surface(x, y) - base.z) <= TOLERANCE and covers(p, x, y) for p in prisms
            )
    return held / inside


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


class Edge(NamedTuple):
    """An edge of a platform: its ends, its height, how far it drops outside, and whether a wall stands on or at it."""

    start: Point
    end: Point
    z: float
    drop: float
    walled: bool
    outward: float


def platform_edges(pieces: Sequence[Piece | Prism], index: int) -> list[Edge]:
    """The edges of one prism's top, judged a hair outside and above their middles."""
    prisms = prisms_of(pieces)
    prism = prisms[index]
    points = prism.points
    ring = points if signed_area(points) > 0 else points[::-1]
    out = []
    for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = math.sqrt(dx * dx + dy * dy)
        nx, ny = dy / length, -dx / length
        mx, my = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        z = prism.surface(mx, my)
        below = surface_under(prisms, mx + nx * 0.01, my + ny * 0.01, z)
        walled = any(
            p.solid and p.floor <= z + TOLERANCE < p.top
            and (covers(p, mx + nx * 0.01, my + ny * 0.01) or covers(p, mx - nx * 0.01, my - ny * 0.01))
            for k, p in enumerate(prisms) if k != index
        )  # fmt: skip
        out.append(Edge(a, b, z, z - below.z, walled, heading(nx, ny)))
    return out


def stack(piece: Piece, on: Sequence[Piece | Prism], x: float, y: float, facing: float = 0.0) -> Piece:
    """A piece put down on whatever lies under its origin."""
    return piece.placed(x, y, surface_under(on, x, y).z, facing)
