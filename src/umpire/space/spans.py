"""What is free along a line, over an angle, along a wall: computed, not tried out.

A convex body that goes straight on, turns about a point or slides along a wall is at each value of one number
somewhere. The values at which it stands in the way of an obstacle are intervals, `Bar`s, whose ends are explicit; what
is left of a range between all bars is free, and if nothing is left, nothing is. Polygons are convex, in either sense of
rotation; a segment is a polygon of two points. Degrees are clockwise.

A bar is where a body is *nearer* than its clearance, or overlaps where that is 0: to touch is to stand at its end.
Whether the ends belong to it is for the asker: `free(..., apart=…)` makes bars longer where touching is forbidden.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .angles import heading
from .packs import kernel
from .plain import cut
from .shapes import Point, convex_hull

Ring = Sequence[Point]
TINY = 1e-9


class Bar(NamedTuple):
    """Values that an obstacle forbids, and which obstacle it is."""

    low: float
    high: float
    source: str = ""


class Span(NamedTuple):
    """Free values, both ends included; `under` and `over` are the obstacles that end it."""

    low: float
    high: float
    under: str = ""
    over: str = ""


def free(low: float, high: float, bars: Iterable[Bar], apart: float = 0.0) -> list[Span]:
    """What the bars leave of a range. Touching is free; with `apart` every bar is so much longer at both ends."""
    spans: list[Span] = []
    at, under = low, ""
    for bar in sorted(bars):
        start, end = bar.low - apart, bar.high + apart
        if end < low or start > high:
            continue
        if start >= at:
            spans.append(Span(at, start, under, bar.source))
        if end > at or (apart and end >= at):
            at, under = end, bar.source
    if at <= high:
        spans.append(Span(at, high, under, ""))
    return spans


def nearest(spans: Sequence[Span], wish: float) -> float | None:
    """The free value nearest to a wish; of two equally near the lower."""
    best: float | None = None
    for span in spans:
        value = min(max(wish, span.low), span.high)
        if best is None or abs(value - wish) < abs(best - wish) - TINY:
            best = value
    return best


def least(spans: Sequence[Span], start: float) -> float | None:
    """The least free value from here on."""
    values = [max(start, span.low) for span in spans if span.high >= start - TINY]
    return min(values) if values else None


def greatest(spans: Sequence[Span], end: float) -> float | None:
    """The greatest free value up to here."""
    values = [min(end, span.high) for span in spans if span.low <= end + TINY]
    return max(values) if values else None


# -- measuring -----------------------------------------------------------------------------------------------------


def _shadow(ring: Ring, nx: float, ny: float) -> tuple[float, float]:
    low = high = ring[0][0] * nx + ring[0][1] * ny
    for x, y in ring[1:]:
        h = x * nx + y * ny
        if h < low:
            low = h
        elif h > high:
            high = h
    return low, high


def _normals(ring: Ring) -> list[Point]:
    out: list[Point] = []
    ax, ay = ring[-1]
    for bx, by in ring:
        ex, ey = bx - ax, by - ay
        n = math.sqrt(ex * ex + ey * ey)
        if n > 1e-12:
            out.append((ey / n, -ex / n))
            if len(ring) == 2:
                out.append((ex / n, ey / n))
        ax, ay = bx, by
    return out


def gap(a: Ring, b: Ring) -> float:
    """The distance of two convex polygons; negative: how deeply they overlap."""
    found: float
    if len(b) == 4:
        if len(a) == 4:
            found = kernel("quads").gap(*a[0], *a[1], *a[2], *a[3], *b[0], *b[1], *b[2], *b[3])
            return found
        if len(a) == 2:
            found = kernel("quads").segment(*a[0], *a[1], *b[0], *b[1], *b[2], *b[3])
            return found
    best = -math.inf
    for nx, ny in (*_normals(a), *_normals(b)):
        a0, a1 = _shadow(a, nx, ny)
        b0, b1 = _shadow(b, nx, ny)
        apart = b0 - a1 if b0 - a1 > a0 - b1 else a0 - b1
        if apart > best:
            best = apart
    if best <= 0.0:
        return best
    square = math.inf
    for ring, other in ((a, b), (b, a)):
        ax, ay = ring[-1]
        for bx, by in ring:
            dx, dy = bx - ax, by - ay
            n = dx * dx + dy * dy
            for px, py in other:
                wx, wy = px - ax, py - ay
                t = (wx * dx + wy * dy) / n if n > 0.0 else 0.0
                t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
                wx -= t * dx
                wy -= t * dy
                far = wx * wx + wy * wy
                if far < square:
                    square = far
            ax, ay = bx, by
    return math.sqrt(square)


def shift(ring: Ring, dx: float, dy: float) -> tuple[Point, ...]:
    return tuple([(x + dx, y + dy) for x, y in ring])


def arccos(value: float) -> float:
    """Degrees, the same bits on every machine."""
    value = max(-1.0, min(1.0, value))
    return heading(math.sqrt(max(0.0, 1.0 - value * value)), value)


def arcsin(value: float) -> float:
    return 90.0 - arccos(value)


# -- along a line --------------------------------------------------------------------------------------------------


def rim_crossings(x: float, y: float, radius: float, a: float, b: float, c: float) -> tuple[float, ...]:
    """The angles, in radians from 0 to a full turn, at which a circle crosses the line ax + by = c (a unit normal)."""
    away = (c - a * x - b * y) / radius
    if abs(away) >= 1.0:
        return ()
    middle, half = math.atan2(b, a), math.acos(away)
    return ((middle - half) % math.tau, (middle + half) % math.tau)


def along(body: Ring, ux: float, uy: float, obstacle: Ring, clearance: float = 0.0) -> tuple[float, float] | None:
    """For how many inches along a unit vector (negative: backwards) a body is nearer to an obstacle than its clearance.

    Distance is a convex function of a straight move, so it is one interval, or none.
    """
    low, high = -math.inf, math.inf
    if len(body) == 4 and len(obstacle) == 4:
        (a, b, c, d), (p, q, r, s) = body, obstacle
        if clearance > 0.0:
            low, high = kernel("quads").rounded(*a, *b, *c, *d, *p, *q, *r, *s, ux, uy, clearance)
        else:
            low, high = kernel("quads").along(*a, *b, *c, *d, *p, *q, *r, *s, ux, uy)
        return (low, high) if high > low else None
    if clearance > 0.0:
        return _along_rounded(body, ux, uy, obstacle, clearance)
    for nx, ny in (*_normals(body), *_normals(obstacle)):
        a0, a1 = _shadow(body, nx, ny)
        b0, b1 = _shadow(obstacle, nx, ny)
        speed = nx * ux + ny * uy
        if abs(speed) < 1e-12:
            if a1 <= b0 + TINY or a0 >= b1 - TINY:
                return None
            continue
        t0, t1 = (b0 - a1) / speed, (b1 - a0) / speed
        if t0 > t1:
            t0, t1 = t1, t0
        low, high = max(low, t0), min(high, t1)
        if high <= low + TINY:
            return None
    return low, high


def differences(body: Ring, obstacle: Ring) -> tuple[Point, ...]:
    """The moves that bring a body onto an obstacle: the obstacle's corners seen from the body's, their convex hull,
    anticlockwise."""
    return convex_hull([(ox - bx, oy - by) for ox, oy in obstacle for bx, by in body])


def _along_rounded(body: Ring, ux: float, uy: float, obstacle: Ring, clearance: float) -> tuple[float, float] | None:
    """The line through the origin against the moves onto the obstacle, grown by a disc: corners, edges, inside."""
    a0, a1 = _shadow(body, uy, -ux)
    b0, b1 = _shadow(obstacle, uy, -ux)
    if b0 - a1 >= clearance - TINY or b1 - a0 <= -clearance + TINY:
        return None
    ring = differences(body, obstacle)
    low, high = math.inf, -math.inf
    square = clearance * clearance
    n = len(ring)
    for k in range(n):
        (ax, ay), (bx, by) = ring[k], ring[(k + 1) % n]
        aside, on = ax * uy - ay * ux, ax * ux + ay * uy
        if abs(aside) < clearance:
            half = math.sqrt(square - aside * aside)
            low, high = min(low, on - half), max(high, on + half)
        if n < 2:
            continue
        ex, ey = bx - ax, by - ay
        length = math.sqrt(ex * ex + ey * ey)
        if length <= 0.0:
            continue
        # The edge carried outwards by the clearance: where the line crosses it, if between its ends.
        for sign in (1.0, -1.0) if n == 2 else (1.0,):
            ox, oy = ax + sign * ey / length * clearance, ay - sign * ex / length * clearance
            across = ux * ey - uy * ex
            if abs(across) > 1e-12:
                t = (ox * ey - oy * ex) / across
                part = (t * ux - ox) * ex + (t * uy - oy) * ey
                if -TINY <= part <= length * length + TINY:
                    low, high = min(low, t), max(high, t)
    return (low, high) if high > low + TINY else None


@lru_cache(maxsize=1024)
def _middle(ring: tuple[Point, ...]) -> tuple[float, float, float]:
    """The middle of a polygon's corners, and how far its outline is from there."""
    n = len(ring)
    mx, my = math.fsum(p[0] for p in ring) / n, math.fsum(p[1] for p in ring) / n
    inner = math.inf
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        ex, ey = bx - ax, by - ay
        inner = min(inner, abs(ex * (my - ay) - ey * (mx - ax)) / math.sqrt(ex * ex + ey * ey))
    return mx, my, inner


def less(ring: Ring, by: float) -> Ring:
    """A polygon shrunk to its middle, all of which was further than that from its outline; nothing if none of it is."""
    mx, my, inner = _middle(tuple(ring))
    if by >= inner:
        return ()
    part = 1.0 - by / inner
    return [(mx + (x - mx) * part, my + (y - my) * part) for x, y in ring]


def inset(ring: Ring, by: float) -> tuple[Point, ...]:
    """What of a polygon, anticlockwise, is no nearer to its outline than that."""
    left = tuple(ring)
    for (nx, ny), (x, y) in zip(_normals(ring), ring, strict=True):
        left = cut(left, -nx, -ny, by - (nx * x + ny * y)) if by > 0.0 and left else left
    return left


def first_touch(body: Ring, ux: float, uy: float, obstacle: Ring) -> float | None:
    """After how many inches straight on a body first touches an obstacle, grazing included; None if never ahead."""
    a0, a1 = _shadow(body, uy, -ux)
    b0, b1 = _shadow(obstacle, uy, -ux)
    if b0 > a1 + 1e-6 or b1 < a0 - 1e-6:
        return None
    low, high = -math.inf, math.inf
    for nx, ny in (*_normals(body), *_normals(obstacle)):
        a0, a1 = _shadow(body, nx, ny)
        b0, b1 = _shadow(obstacle, nx, ny)
        speed = nx * ux + ny * uy
        if abs(speed) < 1e-12:
            if a1 < b0 - 1e-6 or a0 > b1 + 1e-6:
                return None
            continue
        t0, t1 = (b0 - a1) / speed, (b1 - a0) / speed
        low, high = max(low, min(t0, t1)), min(high, max(t0, t1))
        if high < low - TINY:
            return None
    return None if high < -1e-6 else max(0.0, low)


# -- over an angle -------------------------------------------------------------------------------------------------


def around(
    body: Ring, px: float, py: float, obstacle: Ring, clearance: float = 0.0, low: float = 0.0, high: float = 360.0
) -> list[tuple[float, float]]:
    """Through which angles (clockwise degrees in [low, high]) a body turned about a point is nearer to an obstacle than
    its clearance, or overlaps it."""
    bars = kernel("turning").around(_array(tuple(body)), px, py, _array(tuple(obstacle)), clearance, low, high)
    out: list[tuple[float, float]] = [(a, b) for a, b in bars.tolist()]
    # One that reaches an end of the range goes on beyond it: that end is not free.
    if out and out[0][0] <= low:
        out[0] = (low - 1.0, out[0][1])
    if out and out[-1][1] >= high:
        out[-1] = (out[-1][0], high + 1.0)
    return out


@lru_cache(maxsize=1024)
def _array(ring: tuple[Point, ...]) -> npt.NDArray[np.float64]:
    """A polygon for the kernel, remembered: what stands in the way is asked about again and again."""
    return np.array(ring, dtype=np.float64)


def first_angle(
    body: Ring, px: float, py: float, obstacles: Iterable[tuple[Ring, float]], high: float, sign: float = 1.0
) -> tuple[float, int]:
    """How far a body turns about a point (to the right for sign 1, to the left for -1) before it is nearer to something
    than its clearance: degrees up to `high`, and the number of what stops it (-1: nothing)."""
    best, which = high, -1
    for k, (ring, clearance) in enumerate(obstacles):
        bars = around(body, px, py, ring, clearance, 0.0 if sign > 0 else -high, high if sign > 0 else 0.0)
        for a, b in bars:
            start = a if sign > 0 else -b
            if start < best:
                best, which = max(0.0, start), k
    return best, which


# -- over anything -------------------------------------------------------------------------------------------------


def free_values(low: float, high: float, resolution: float, leaves: Callable[[float, float], bool]) -> Iterator[float]:
    """Values in [low, high] at which something is left of a range; whoever does not like one gets the next.

    For two numbers at once: `leaves(value, half)` tells whether the bars over the second number that hold for *every*
    first number within `half` of `value` (half 0: at it) leave anything. A stretch where they leave nothing is dead as
    a whole; others are halved until they are shorter than `resolution`.
    """
    stack = [(low, high)]
    while stack:
        a, b = stack.pop()
        middle = (a + b) / 2
        if leaves(middle, 0.0):
            yield middle
        if b - a <= resolution or not leaves(middle, (b - a) / 2):
            continue
        stack += [(middle, b), (a, middle)]


class Kept:
    """Quadrilaterals that a body is to keep off, for the kernel: those that stop it, and those among which it may not
    end."""

    def __init__(self, ends: Sequence[tuple[Ring, float]], stops: Sequence[tuple[Ring, float]]) -> None:
        rings = [*ends, *stops]
        self.rings = np.array([[v for p in ring for v in p] for ring, _ in rings]).reshape(-1, 8)
        self.middles = np.array([_middle(tuple(ring)) for ring, _ in rings]).reshape(-1, 3)
        self.clearances = np.array([clearance for _, clearance in rings])
        self.stops = np.array([0] * len(ends) + [1] * len(stops), dtype=np.int64)

    def leave(
        self, bodies: Sequence[Ring], ux: float, uy: float, less: float, fine: float, more: Sequence[Bar], limit: float
    ) -> bool:
        """Do they leave anything of a straight move up to a limit, each kept off by so much less, and more bars?"""
        corners = np.array([[v for p in body for v in p] for body in bodies]).reshape(-1, 8)
        others = np.array([(bar.low, bar.high) for bar in more]).reshape(-1, 2)
        found: bool = kernel("quads").leaves(
            corners, self.rings, self.middles, self.clearances, self.stops, ux, uy, less, fine, others, limit
        )
        return found

    def wheels(
        self, parts: npt.NDArray[np.float64], where: tuple[float, float, float], corner: Point, widest: float,
        wide: float, limit: float, reach: float, fine: float,
    ) -> Iterator[float]:  # fmt: skip
        """Wheels about a corner of a front edge, up to the widest to the side of its sign, after which they leave
        anything of the rest of a move; `parts` are what stands behind the edge (`free_values`, in the kernel)."""
        stack = np.empty((64, 2))
        stack[0] = 0.0, abs(widest)
        find, count, again = kernel("wheeling").next_wheel, 1, False
        while count:
            degrees, count = find(
                stack, count, again, parts, self.rings, self.middles, self.clearances, self.stops, *where, *corner,
                math.copysign(1.0, widest), wide, limit, reach, fine,
            )  # fmt: skip
            if count:
                yield degrees
            again = True

    def firsts(
        self, places: Sequence[tuple[float, float, float, float]], parts: npt.NDArray[np.float64], wide: float,
        deep: float, among: float, fine: float,
    ) -> Iterator[int]:  # fmt: skip
        """Which of these places (middle of a front edge, facing, inches left) a way straight on, or after a wheel, may
        lead clear from; straight on, what has no clearance is kept off by so much as is said `among` it."""
        rows, k = np.array(places).reshape(-1, 4), 0
        lesser = np.where((self.stops == 0) & (self.clearances == 0.0), among, self.clearances)
        find = kernel("wheeling").next_first
        while True:
            k = find(
                rows, k, parts, self.rings, self.middles, self.clearances, lesser, self.stops, wide, deep, fine
            )  # fmt: skip
            if k >= len(places):
                return
            yield k
            k += 1
