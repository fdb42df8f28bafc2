"""How a block comes against another: the way of its front, where it may stand flush, who then touches whom.

An edge that is to be met is [0, g], left to right as the mover sees it. A mover flush with it stands on [s, s + w]: one
number. What stands in the way forbids intervals of s; how many models of both touch is a step function of s.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from umpire.space import spans
from umpire.space.angles import heading, turn_between
from umpire.space.packs import kernel
from umpire.space.shapes import Point
from umpire.space.spans import Bar, Ring, Span

from .blocks import Box, Cell, Facing, outward, side_length, side_line

EPS = 1e-6


# -- who is exposed ------------------------------------------------------------------------------------------------


class Stretch(NamedTuple):
    """A part of a facing at which a model is the foremost: from, to, and the number of its cell."""

    low: float
    high: float
    cell: int


def exposed(cells: Sequence[Cell], width: float, depth: float, face: Facing, mirrored: bool = False) -> list[Stretch]:
    """Which model is nearest to somebody before a facing, from his left to his right; `mirrored`: from its own left.

    A model behind another that covers it everywhere is exposed nowhere.
    """
    spread: list[tuple[float, float, float, int]] = []
    for k, cell in enumerate(cells):
        if face == "front":
            low, high, deep = width / 2 - cell.x1, width / 2 - cell.x0, -cell.y0
        elif face == "rear":
            low, high, deep = width / 2 + cell.x0, width / 2 + cell.x1, depth + cell.y1
        elif face == "right":
            low, high, deep = depth + cell.y1, depth + cell.y0, width / 2 - cell.x1
        else:
            low, high, deep = -cell.y0, -cell.y1, width / 2 + cell.x0
        spread.append((low, high, deep, k))
    marks = sorted({v for low, high, _, _ in spread for v in (low, high)})
    out: list[Stretch] = []
    for a, b in itertools.pairwise(marks):
        if b - a <= EPS:
            continue
        over = [(deep, k) for low, high, deep, k in spread if low <= a + EPS and high >= b - EPS]
        if not over:
            continue
        _, k = min(over)
        if out and out[-1].cell == k and out[-1].high >= a - EPS:
            out[-1] = Stretch(out[-1].low, b, k)
        else:
            out.append(Stretch(a, b, k))
    if mirrored:
        whole = width if face in ("front", "rear") else depth
        out = [Stretch(whole - s.high, whole - s.low, s.cell) for s in reversed(out)]
    return out


def runs(stretches: Sequence[Stretch]) -> list[tuple[float, float]]:
    """Exposed stretches without a gap between them, as one."""
    out: list[tuple[float, float]] = []
    for s in stretches:
        if out and s.low <= out[-1][1] + EPS:
            out[-1] = (out[-1][0], s.high)
        else:
            out.append((s.low, s.high))
    return out


def touching(mine: Sequence[Stretch], theirs: Sequence[Stretch], offset: float) -> list[tuple[int, int]]:
    """Which cell of mine touches which of theirs when mine are shifted by an offset; corner to corner is touching."""
    return sorted(
        {
            (a.cell, b.cell)
            for a in mine
            for b in theirs
            if a.low + offset <= b.high + EPS and b.low <= a.high + offset + EPS
        }
    )


class Best(NamedTuple):
    """Offsets at which so many models of theirs and of mine touch."""

    theirs: int
    mine: int
    spans: tuple[Span, ...]


def ranked(mine: Sequence[Stretch], theirs: Sequence[Stretch], allowed: Sequence[Span]) -> list[Best]:
    """The allowed offsets of a front (`mine`, from its own left) along a facing (`theirs`), by how many models of
    theirs and then of mine touch, the most first.

    The counts change only where a border of a base passes one of the others'.
    """
    over, under = runs(mine), runs(theirs)
    reach_theirs = [[(b.low - high, b.high - low) for low, high in over] for b in _by_cell(theirs)]
    reach_mine = [[(low - a.high, high - a.low) for low, high in under] for a in _by_cell(mine)]
    marks = sorted({v for reach in (*reach_theirs, *reach_mine) for pair in reach for v in pair})

    def count(at: float) -> tuple[int, int]:
        return (
            sum(any(low - EPS <= at <= high + EPS for low, high in reach) for reach in reach_theirs),
            sum(any(low - EPS <= at <= high + EPS for low, high in reach) for reach in reach_mine),
        )

    levels: dict[tuple[int, int], list[Span]] = {}
    for span in allowed:
        inner = [v for v in marks if span.low + EPS < v < span.high - EPS]
        points = [span.low, *inner, span.high] if span.high > span.low else [span.low]
        pieces: list[tuple[float, float]] = []
        for k, v in enumerate(points):
            pieces.append((v, v))
            if k + 1 < len(points):
                pieces.append((v, points[k + 1]))
        for low, high in pieces:
            level = count((low + high) / 2)
            found = levels.setdefault(level, [])
            if found and found[-1].high >= low - EPS and found[-1].low >= span.low - EPS:
                found[-1] = Span(found[-1].low, max(found[-1].high, high), found[-1].under, span.over)
            else:
                found.append(Span(low, high, span.under, span.over))
    return [Best(t, m, tuple(levels[t, m])) for t, m in sorted(levels, reverse=True)]


def _by_cell(stretches: Sequence[Stretch]) -> list[Stretch]:
    """One stretch for each model: from where it is first to where it is last exposed."""
    found: dict[int, Stretch] = {}
    for s in stretches:
        known = found.get(s.cell)
        found[s.cell] = s if known is None else Stretch(min(known.low, s.low), max(known.high, s.high), s.cell)
    return list(found.values())


# -- flush places --------------------------------------------------------------------------------------------------


class Edge(NamedTuple):
    """A facing to be met: its ends from left to right as the mover sees it, its direction, its outward normal."""

    ax: float
    ay: float
    tx: float
    ty: float
    nx: float
    ny: float
    length: float

    def point(self, along: float) -> Point:
        return self.ax + self.tx * along, self.ay + self.ty * along

    def along(self, x: float, y: float) -> float:
        return (x - self.ax) * self.tx + (y - self.ay) * self.ty

    def off(self, x: float, y: float) -> float:
        """How far before the edge a point lies."""
        return (x - self.ax) * self.nx + (y - self.ay) * self.ny


def edge_of(target: Box, face: Facing) -> Edge:
    (ax, ay), _ = side_line(target, face)
    nx, ny = outward(target, face)
    # The mover looks along -n; its right is (-n_y, n_x) turned: (u_y, -u_x) with u = -n.
    return Edge(ax, ay, -ny, nx, nx, ny, side_length(target, face))


def flush_at(edge: Edge, offset: float, width: float, depth: float, off: float = 0.0) -> Box:
    """A block whose front lies along an edge, on [offset, offset + width]."""
    x, y = edge.point(offset + width / 2)
    return Box(x + edge.nx * off, y + edge.ny * off, -edge.nx, -edge.ny, width, depth)


def flush_bars(edge: Edge, width: float, depth: float, obstacles: Iterable[tuple[str, Ring]]) -> list[Bar]:
    """Offsets at which a block flush with an edge overlaps something."""
    bars: list[Bar] = []
    for name, ring in obstacles:
        clipped = _slab(edge, ring, depth)
        if clipped is not None:
            bars.append(Bar(clipped[0] - width, clipped[1], name))
    return bars


def _slab(edge: Edge, ring: Ring, depth: float) -> tuple[float, float] | None:
    """The part of a polygon in the slab of a depth before an edge: from where to where along it."""
    offs = [(x - edge.ax) * edge.nx + (y - edge.ay) * edge.ny for x, y in ring]
    # To touch the line of the edge or the rear of the block is to be in its way.
    if max(offs) < -EPS or min(offs) > depth + EPS:
        return None
    low, high = float("inf"), float("-inf")
    a, h = edge.along(*ring[-1]), offs[-1]
    for (bx, by), g in zip(ring, offs, strict=True):
        b = edge.along(bx, by)
        if -EPS <= g <= depth + EPS:
            low, high = min(low, b), max(high, b)
        if (h - g) != 0.0:
            for level in (-EPS, depth + EPS):
                t = (h - level) / (h - g)
                if 0.0 <= t <= 1.0:
                    v = a + (b - a) * t
                    low, high = min(low, v), max(high, v)
        a, h = b, g
    return None if low > high else (low, high)


def table_bars(edge: Edge, width: float, depth: float, board: tuple[float, float]) -> list[Bar]:
    """Offsets at which a block flush with an edge would not wholly be on the table, as bars on both sides."""
    low, high = float("-inf"), float("inf")
    for deep in (0.0, depth):
        for at in (0.0, width):
            x, y = edge.ax + edge.tx * at + edge.nx * deep, edge.ay + edge.ty * at + edge.ny * deep
            for value, rate, most in ((x, edge.tx, board[0]), (y, edge.ty, board[1])):
                if abs(rate) < 1e-12:
                    if value < -EPS or value > most + EPS:
                        return [Bar(float("-inf"), float("inf"), "edge")]
                    continue
                t0, t1 = (-value) / rate, (most - value) / rate
                low, high = max(low, min(t0, t1)), min(high, max(t0, t1))
    return [Bar(float("-inf"), low - EPS, "edge"), Bar(high + EPS, float("inf"), "edge")]


# -- the way of a front --------------------------------------------------------------------------------------------


class Way(NamedTuple):
    """Straight on, a wheel (degrees, to the right positive), straight on, and then the front meets the edge at `met`
    (lengths along it, a point or a stretch) and stands at `end`."""

    first: float
    wheel: float
    second: float
    met: tuple[float, float]
    end: Box


@lru_cache(maxsize=256)
def circle(ring: tuple[Point, ...]) -> tuple[float, float, float]:
    """A circle about a polygon: its middle and radius. For a quick look before an exact one."""
    x, y = math.fsum(p[0] for p in ring) / len(ring), math.fsum(p[1] for p in ring) / len(ring)
    return x, y, max(math.dist((x, y), p) for p in ring)


def straight_room(mover: Box, obstacles: Iterable[Ring], limit: float) -> float:
    """How far a front goes straight on before it touches something."""
    front = mover.front()
    best = limit
    for ring in obstacles:
        at = spans.first_touch(front, mover.ux, mover.uy, ring)
        if at is not None and at < best:
            best = at
    return best


def find_way(
    mover: Box,
    target: Box,
    face: Facing,
    wanted: Sequence[tuple[float, float]],
    obstacles: Sequence[Ring],
    flying: bool = False,
    tries: Sequence[float] = (),
) -> Way | None:
    """A way by which the front first meets the target on the wanted part of a facing: straight, at most one wheel of at
    most 90 degrees, straight; touching nothing else. None: there is no such way. `tries` are wheels to look at first.
    """
    return way_to_edge(mover, _from_facing(target, face), wanted, obstacles, flying, tries=tries)


def nearest_met(
    mover: Box, target: Box, face: Facing, obstacles: Sequence[Ring], flying: bool, start: float, limit: float
) -> tuple[float, float] | None:
    """The point of a facing nearest to `start`, and on the way from there to `limit`, that a front can meet first at
    all, to within a fiftieth of an inch; and the wheel by which it does."""
    ring = _from_facing(target, face)
    edge = _edge_of(ring)
    on = _approach(mover, tuple(ring), tuple(obstacles), flying)
    bare = _bare(edge, (_loose(*sorted((start, limit))),), obstacles) if on is not None else []
    if on is None or not bare:
        return None
    met: tuple[float, float] = kernel("approaching").nearest(
        mover.x, mover.y, mover.ux, mover.uy, mover.w, on.furthest, np.array(ring, dtype=np.float64), on.length,
        np.array(bare, dtype=np.float64).reshape(-1, 2), on.points, on.firsts, on.counts, flying,
        np.array(_looks(mover, ring, edge)), on.reach, 90.0, start, limit,
    )  # fmt: skip
    return met if met[0] >= 0.0 else None


def _loose(low: float, high: float) -> tuple[float, float]:
    """A wanted part of an edge, a hair longer: a corner that is to be met by a corner is met at one length of the first
    straight alone, which rounding may miss."""
    return low - EPS / 2, high + EPS / 2


def _from_facing(target: Box, face: Facing) -> list[Point]:
    """Its corners from the left end of a facing to its right end, and on around."""
    corners = target.corners()
    start = {"front": 1, "right": 2, "rear": 3, "left": 0}[face]
    return [corners[(start - k) % 4] for k in range(4)]


def way_to_edge(
    mover: Box,
    ring: Sequence[Point],
    wanted: Sequence[tuple[float, float]],
    obstacles: Sequence[Ring],
    flying: bool = False,
    first: bool = True,
    widest: tuple[float, float] = (90.0, 90.0),
    tries: Sequence[float] = (),
) -> Way | None:
    """The same for the edge between the first two corners of any convex polygon, left to right as the mover sees it.

    Without `first` the wheel comes at once; `widest` are the widest wheels to the right and to the left.
    """
    looked = _look(mover, ring, wanted, obstacles, flying, first, widest, tries)
    if looked is None or looked[0] == 0.0:
        return None
    sign, degrees, on = looked
    turned = wheeled(mover.ahead(on), sign * degrees)
    second = spans.first_touch(turned.front(), turned.ux, turned.uy, ring)
    end = turned.ahead(second or 0.0)
    return Way(on, sign * degrees, second or 0.0, meeting(end, _edge_of(ring)), end)


def _edge_of(ring: Sequence[Point]) -> Edge:
    (ax, ay), (bx, by) = ring[0], ring[1]
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    tx, ty = (bx - ax) / length, (by - ay) / length
    return Edge(ax, ay, tx, ty, ty, -tx, length)


HAIR = 0.002
"""Inches: what lies so near to an edge lies against it."""


def _bare(edge: Edge, wanted: Sequence[tuple[float, float]], obstacles: Sequence[Ring]) -> list[tuple[float, float]]:
    """The wanted parts of an edge but for those that something lies against: whoever came there would touch that."""
    against = []
    for ring in obstacles:
        if min((x - edge.ax) * edge.nx + (y - edge.ay) * edge.ny for x, y in ring) <= EPS:
            part = _slab(edge, ring, EPS)
            if part is not None and part[1] >= 0.0 and part[0] <= edge.length:
                against.append(part)
    if not against:
        return list(wanted)
    bars = [Bar(low - HAIR, high + HAIR) for low, high in against]
    return [(span.low, span.high) for low, high in wanted for span in spans.free(low, high, bars, 0.0)]


class _Approach(NamedTuple):
    """An edge as a front comes to it: its length, how long the first straight may be, how far any point of the way can
    lie from a pivot, and what may be in the way."""

    length: float
    furthest: float
    reach: float
    points: Any
    firsts: Any
    counts: Any


@lru_cache(maxsize=8)
def _approach(
    mover: Box, ring: tuple[Point, ...], obstacles: tuple[Ring, ...], flying: bool, first: bool = True
) -> _Approach | None:
    """None: the edge lies behind the front or looks away from it, or is none."""
    (ax, ay), (bx, by) = ring[0], ring[1]
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    if length <= EPS:
        return None
    goal = [mover.local(x, y) for x, y in ring]
    far = max((x * x + y * y) ** 0.5 for x, y in goal)
    if max(y for _, y in goal) < -EPS:
        return None
    if not first:  # a front that wheels at once stays in the square ahead of it, and must begin outside of the edge
        edge = _edge_of(ring)
        if all(edge.off(*point) < -EPS for end in (mover, mover.ahead(mover.w)) for point in end.front()):
            return None
    furthest = straight_room(mover, [ring], far + mover.w) if first else 0.0
    # No leg goes back behind the line of the front, nor wider of it or of the goal than the front is long.
    wide = 1.5 * mover.w
    left, right = min(-wide, min(x for x, _ in goal) - mover.w), max(wide, max(x for x, _ in goal) + mover.w)
    deep = max(furthest, max(y for _, y in goal)) + mover.w
    near: list[Ring] = []
    mx, my, ux, uy = mover.x, mover.y, mover.ux, mover.uy
    for other in obstacles:
        x, y, size = circle(tuple(other))
        x, y = mover.local(x, y)
        if y + size <= -EPS or y - size >= deep or x + size <= left or x - size >= right:
            continue
        ys = [(px - mx) * ux + (py - my) * uy for px, py in other]
        if max(ys) > -EPS and min(ys) < deep:
            xs = [(px - mx) * uy - (py - my) * ux for px, py in other]
            if max(xs) > left and min(xs) < right:
                near.append(other)
    if first and not flying:
        furthest = straight_room(mover, near, furthest)
    ends = [mover.front(), mover.ahead(furthest).front()]
    # What matters lies between the ends of the front and no further ahead than the goal.
    ahead = max((x - px) ** 2 + (y - py) ** 2 for x, y in ring for end in ends for px, py in end)
    reach = (mover.w * mover.w + ahead) ** 0.5
    return _Approach(length, furthest, reach, *laid(near))


def laid(rings: Sequence[Ring]) -> tuple[Any, Any, Any]:
    """Polygons for a kernel: their corners end to end, where each begins, and how many corners it has."""
    counts = np.array([len(ring) for ring in rings], dtype=np.int64)
    points = np.array([point for ring in rings for point in ring], dtype=np.float64).reshape(-1, 2)
    return points, np.cumsum(counts) - counts, counts


def _look(
    mover: Box,
    ring: Sequence[Point],
    wanted: Sequence[tuple[float, float]],
    obstacles: Sequence[Ring],
    flying: bool,
    first: bool = True,
    widest: tuple[float, float] = (90.0, 90.0),
    tries: Sequence[float] = (),
) -> tuple[float, float, float] | None:
    """What the kernel finds: which way it wheels (0: there is no way), how far, and after how many inches."""
    around = tuple([tuple(other) for other in obstacles])
    on = _approach(mover, tuple(ring), around, flying, first) if wanted else None
    if on is None:
        return None
    edge = _edge_of(ring)
    wanted = [_loose(low, high) for low, high in wanted]
    bare = _bare(edge, wanted, obstacles)
    if not bare:
        return None
    looks = np.array([*tries, *_looks(mover, ring, edge)])
    found: tuple[float, float, float] = kernel("approaching").find(
        mover.x, mover.y, mover.ux, mover.uy, mover.w, on.furthest, np.array(ring, dtype=np.float64), on.length,
        np.array(wanted, dtype=np.float64).reshape(-1, 2), np.array(bare, dtype=np.float64).reshape(-1, 2), on.points,
        on.firsts, on.counts, flying, looks, on.reach, *widest,
    )  # fmt: skip
    return found


def _looks(mover: Box, ring: Sequence[Point], edge: Edge) -> list[float]:
    """Wheels to look at first: flush with an edge, which no other wheel near it is, towards its middle, and between."""
    (ax, ay), (bx, by) = ring[0], ring[1]
    flush = turn_between(mover.facing, heading(-edge.nx, -edge.ny))
    aim = turn_between(mover.facing, heading((ax + bx) / 2 - mover.x, (ay + by) / 2 - mover.y))
    return [d for d in (flush, 0.0, aim, flush / 2, aim / 2, (flush + aim) / 2) if abs(d) <= 90.0]


def wheeled(mover: Box, degrees: float) -> Box:
    """Wheeled about the front corner on that side; to the right is positive."""
    left, right = mover.front()
    return mover.about(*(right if degrees > 0 else left), degrees) if degrees else mover


def meeting(end: Box, edge: Edge) -> tuple[float, float]:
    """Where along an edge a front that has come against it touches it."""
    (lx, ly), (rx, ry) = end.front()
    low, high = edge.off(lx, ly), edge.off(rx, ry)
    a, b = edge.along(lx, ly), edge.along(rx, ry)
    if abs(low - high) <= 1e-5:
        return max(0.0, min(a, edge.length)), max(0.0, min(b, edge.length))
    if abs(low) <= 1e-4 and -1e-4 <= a <= edge.length + 1e-4:
        a = max(0.0, min(a, edge.length))
        return a, a
    if abs(high) <= 1e-4 and -1e-4 <= b <= edge.length + 1e-4:
        b = max(0.0, min(b, edge.length))
        return b, b
    # An end of the edge lies on the front.
    ends = sorted((abs(end.local(*edge.point(at))[1]), at) for at in (0.0, edge.length))
    return ends[0][1], ends[0][1]
