"""A body of ranks and files as seen from the middle of its front edge: where its parts are, how far it reaches.

A pose says where the middle of the front is and which way it faces. The body behind it is a few rectangles at most (its
full ranks, and what is left of its last), so measuring it is cheap.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from umpire.space.angles import heading, normal, rotate, turned
from umpire.space.measure import from_pack, separation
from umpire.space.moving import Go, Leg, Turn
from umpire.space.packs import kernel, packed, rectangles
from umpire.space.shapes import TOLERANCE, Base, Point, Rect, Thing, circle_about, extent

TOUCH = 0.005
"""Bodies nearer than this touch; those that overlap by less do not overlap."""

Pose = tuple[float, float, float]
"""The middle of a front edge, and a facing."""
Disc = tuple[float, float, float]
"""A circle about something: middle and radius."""
Part = tuple[float, float, Rect]
"""A rectangle as seen from a front edge: how far to the right of its middle, how far ahead, and which."""


def local(where: Pose, x: float, y: float) -> Point:
    """A point as seen from a front edge: to the right of its middle, and ahead of it."""
    s, c = turned(where[2])
    dx, dy = x - where[0], y - where[1]
    return dx * c - dy * s, dx * s + dy * c


def world(where: Pose, right: float, ahead: float) -> Point:
    s, c = turned(where[2])
    return where[0] + right * c + ahead * s, where[1] + ahead * c - right * s


def pose_about(deep: float, x: float, y: float, facing: float) -> Pose:
    """The front edge of a body of this depth whose centre is at a point."""
    dx, dy = rotate(0.0, deep / 2, facing)
    return x + dx, y + dy, facing


def disc_about(wide: float, deep: float, where: Pose) -> Disc:
    """A circle about a body of this width and depth."""
    x, y, facing = where
    half = deep / 2
    s, c = turned(facing)
    return x - half * s, y - half * c, float(((wide / 2) ** 2 + half * half) ** 0.5)


class Body(NamedTuple):
    """What stands behind a front edge, wherever that is."""

    width: float
    depth: float
    parts: tuple[Part, ...]

    def blocks(self, where: Pose) -> tuple[Base, ...]:
        x, y, facing = where
        s, c = turned(facing)
        return tuple(
            [Base(r, x + right * c + on * s, y + on * c - right * s, 0.0, facing) for right, on, r in self.parts]
        )

    def disc(self, where: Pose) -> Disc:
        return disc_about(self.width, self.depth, where)


def body_of(spots: Sequence[tuple[int, int]], files: int, wide: float, deep: float) -> Body:
    """The body of stands of one size in these places (rank and file, in that order), as few rectangles."""
    count, last = len(spots), spots[-1][0] if spots else -1
    width, depth = files * wide, (last + 1) * deep
    if count == files * (last + 1):
        return Body(width, depth, _full(files, last + 1, wide, deep))
    rear = tuple([file for rank, file in spots[-files:] if rank == last])
    if count - len(rear) == files * last:
        full = _full(files, last, wide, deep) if last else ()
        return Body(width, depth, (*full, *_runs(rear, last, files, wide, deep)))
    ranks = [tuple(file for at, file in spots if at == rank) for rank in range(last + 1)]
    runs = (part for rank, held in enumerate(ranks) for part in _runs(held, rank, files, wide, deep))
    return Body(width, depth, tuple(runs))


@functools.lru_cache(maxsize=256)
def _full(files: int, ranks: int, w: float, d: float) -> tuple[Part, ...]:
    return ((0.0, -ranks * d / 2, Rect(files * w, ranks * d)),)


@functools.lru_cache(maxsize=256)
def _runs(held: tuple[int, ...], rank: int, files: int, w: float, d: float) -> tuple[Part, ...]:
    """Each run of stands in one rank."""
    runs: list[list[int]] = []
    for file in held:
        if runs and file == runs[-1][-1] + 1:
            runs[-1].append(file)
        else:
            runs.append([file])
    return tuple(
        (((run[0] + run[-1]) / 2 - (files - 1) / 2) * w, -(rank + 0.5) * d, Rect(len(run) * w, d)) for run in runs
    )


QUARTERS = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))
"""Headings 0, 90, 180 and 270."""


def beyond(blocks: Sequence[Base], leg: Leg | None, wide: float, deep: float) -> dict[str, float]:
    """How far a body, or the turn that leads to it, reaches beyond the edges of a table."""
    points = outermost(blocks, leg)
    return {"beyond": round(max(max(-x, x - wide, -y, y - deep) for x, y in points), 3)}


def outermost(blocks: Sequence[Base], leg: Leg | None) -> list[Point]:
    """The corners of a body, and the points furthest out to which a turn that leads there took them."""
    corners = [point for block in blocks for point in block.corners()]
    if not isinstance(leg, Turn):
        return corners
    found = list(corners)
    for x, y in corners:
        dx, dy = x - leg.x, y - leg.y
        far, end = math.hypot(dx, dy), heading(dx, dy)
        for quarter, (right, ahead) in enumerate(QUARTERS):
            after = (end - quarter * 90.0 if leg.degrees > 0 else quarter * 90.0 - end) % 360.0
            if after < abs(leg.degrees):
                found.append((leg.x + right * far, leg.y + ahead * far))
    return found


def clipped(points: Sequence[Point], nx: float, ny: float, limit: float) -> list[Point]:
    """The part of a convex polygon where n·p is not above a limit; a side or a corner that only touches it counts."""
    out: list[Point] = []
    for k, (x, y) in enumerate(points):
        px, py = points[k - 1]
        d, e = nx * x + ny * y - limit, nx * px + ny * py - limit
        if (d <= 1e-9) != (e <= 1e-9):
            t = e / (e - d)
            out.append((px + (x - px) * t, py + (y - py) * t))
        if d <= 1e-9:
            out.append((x, y))
    return out


# -- against an edge --------------------------------------------------------------------------------------------------


def on_edge(point: Point, a: Point, b: Point, slack: float) -> bool:
    """Does a point lie on an edge, ends included, or no further beside it than a slack?"""
    ex, ey = b[0] - a[0], b[1] - a[1]
    n = math.sqrt(ex * ex + ey * ey)
    if n == 0:
        return False
    along = ((point[0] - a[0]) * ex + (point[1] - a[1]) * ey) / n
    across = ((point[0] - a[0]) * ey - (point[1] - a[1]) * ex) / n
    return abs(across) <= slack and -slack <= along <= n + slack


def flush(where: Pose, point: Point, a: Point, b: Point) -> Pose:
    """The pose of a front flush against an edge, turned about a point of contact."""
    facing = looking_at(a, b)
    across, _ = local(where, *point)
    ex, ey = b[0] - a[0], b[1] - a[1]
    n = math.sqrt(ex * ex + ey * ey)
    t = ((point[0] - a[0]) * ex + (point[1] - a[1]) * ey) / n
    px, py = a[0] + ex / n * t, a[1] + ey / n * t
    x, y = world((px, py, facing), -across, 0.0)
    return x, y, facing


@functools.lru_cache(maxsize=512)
def looking_at(a: Point, b: Point) -> float:
    """The facing of a front flush against an edge."""
    return normal(heading(b[0] - a[0], b[1] - a[1]) + 90.0)


def edge_first(parts: Sequence[Sequence[Point]], a: Point, b: Point, about: float) -> Sequence[Point] | None:
    """Of convex parts the one with an edge from about a to about b, beginning there."""
    for part in parts:
        for ring in (list(part), list(reversed(part))):
            for k, point in enumerate(ring):
                if math.dist(point, a) <= about and math.dist(ring[(k + 1) % len(ring)], b) <= about:
                    return [*ring[k:], *ring[:k]]
    return None


# -- between bodies -----------------------------------------------------------------------------------------------


def gap(a: Sequence[Thing], b: Sequence[Thing]) -> float:
    """The shortest distance between two bodies, negative where they overlap."""
    if len(a) == 1 and len(b) == 1:
        return separation(a[0], b[0])
    q = packed(tuple(b))
    if rectangles(a):
        return min([from_pack(base, q) for base in a])  # type: ignore[arg-type]
    p = packed(tuple(a))
    return float(kernel().nearest(p.rows, p.verts, q.rows, q.verts)[0])


def discs_apart(a: Disc, b: Disc, inches: float = 0.0) -> bool:
    """Certainly further apart than this: a cheap look before measuring."""
    dx, dy, reach = a[0] - b[0], a[1] - b[1], a[2] + b[2] + inches
    return dx * dx + dy * dy > reach * reach


def thing_extent(thing: Thing) -> tuple[float, float, float]:
    """A circle about a thing: middle and radius."""
    if isinstance(thing, Base):
        return thing.x, thing.y, extent(thing)
    return circle_about(thing.points)


def away_from(piece: Sequence[Point], blocks: Sequence[Sequence[Point]]) -> Point:
    """The way straight off that side of a piece, or of a body, which lies between the two."""
    points = [point for block in blocks for point in block]
    ways = [*outward(piece), *((-x, -y) for block in blocks for x, y in outward(block))]

    def clearance(way: Point) -> float:
        return min(x * way[0] + y * way[1] for x, y in points) - max(x * way[0] + y * way[1] for x, y in piece)

    return max(ways, key=clearance)


def outward(outline: Sequence[Point]) -> list[Point]:
    """The ways straight out of the sides of a convex outline, from the one that ends at its first corner."""
    mx, my = math.fsum(x for x, _ in outline) / len(outline), math.fsum(y for _, y in outline) / len(outline)
    found = []
    for k, (bx, by) in enumerate(outline):
        ax, ay = outline[k - 1]
        nx, ny = by - ay, ax - bx
        size = (nx * nx + ny * ny) ** 0.5 * (1.0 if nx * (bx - mx) + ny * (by - my) >= 0 else -1.0)
        found.append((nx / size, ny / size))
    return found


def part_on(blocks: Sequence[Base], leg: Go, wide: float, deep: float) -> float:
    """How much of a straight move keeps a body on a table of this size."""
    part = 1.0
    for x, y in outermost(blocks, None):
        for at, by, most in ((x, leg.dx, wide), (y, leg.dy, deep)):
            room = most - at if by > 0 else at
            if abs(by) > TOLERANCE:
                part = min(part, max(0.0, room / abs(by)))
    return part


def in_the_way(around: Disc, legs: Sequence[Leg], things: Sequence[Thing], gaps: Sequence[float]) -> Iterator[int]:
    """Which things, each to be kept off by a gap, circles about them and about a body on its way do not rule out:
    looked for one by one."""
    x, y, radius = around
    stretches: list[tuple[float, float, float, float, float]] = []
    for leg in legs:
        if isinstance(leg, Go):
            stretches.append((x, y, leg.dx, leg.dy, radius))
            x, y = x + leg.dx, y + leg.dy
        else:
            arc = math.hypot(x - leg.x, y - leg.y) * abs(leg.degrees) * math.pi / 180.0
            stretches.append((x, y, 0.0, 0.0, radius + arc))
            dx, dy = rotate(x - leg.x, y - leg.y, leg.degrees)
            x, y = leg.x + dx, leg.y + dy
    for k, (thing, gap) in enumerate(zip(things, gaps, strict=True)):
        tx, ty, reach = thing_extent(thing)
        for sx, sy, dx, dy, wide in stretches:
            n = dx * dx + dy * dy
            t = ((tx - sx) * dx + (ty - sy) * dy) / n if n else 0.0
            t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
            px, py, room = sx + dx * t - tx, sy + dy * t - ty, wide + reach + gap + 0.01
            if px * px + py * py <= room * room:
                yield k
                break
