"""Room for models, found at the corners of what bounds it.

Where the middle of a round base may be is bounded by circles (about other bases, about whom it must keep off or stay
near) and by lines (edges of the table, of zones, beside terrain). If there is such a place at all, there is one at a
corner where two of these cross, or anywhere on a circle that none crosses. A game says what bounds its places; a corner
is only proposed, and the judge of the places decides.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from umpire.miniatures.loose.bodies import Body
from umpire.space.havens import HAIR, Disc, corners_by_ring, round_about
from umpire.space.packs import Floats
from umpire.space.plain import Point, point_segment

Line = tuple[Point, Point]
Sift = Callable[[Floats], npt.NDArray[np.bool_]]
GRID = 1000.0


class Bounds(NamedTuple):
    """Circles and lines on which the middle of a model stands when it just may stand there."""

    rings: tuple[Disc, ...] = ()
    lines: tuple[Line, ...] = ()

    def __add__(self, other: Bounds) -> Bounds:  # type: ignore[override]
        return Bounds((*self.rings, *other.rings), (*self.lines, *other.lines))


def off_bodies(m: Body, bodies: Sequence[Body], far: float = 0.0, rises: Sequence[float] = (0.0,)) -> Bounds:
    """More than so far from others, or just not on them; `rises`: how much higher or lower it may stand."""
    found: list[Disc] = []
    for b in bodies:
        for rise in rises:
            flat = math.sqrt(max(0.0, far * far - rise * rise))
            found += [(b.x, b.y, reach + HAIR) for reach in dict.fromkeys((flat + b.r + m.r, flat + b.q + m.q))]
    return Bounds(tuple(found))


def near_bodies(m: Body, bodies: Sequence[Body], far: float, rises: Sequence[float] = (0.0,)) -> Bounds:
    """Within so much of others."""
    found = []
    for b in bodies:
        for rise in rises:
            flat = math.sqrt(max(0.0, far * far - rise * rise))
            found += [(b.x, b.y, max(HAIR, flat + b.q + m.q - HAIR))]
    return Bounds(tuple(found))


def by_polygon(points: Sequence[Point], by: float) -> Bounds:
    """So far from the outline of a polygon, outside or inside."""
    rings: list[Disc] = []
    lines: list[Line] = []
    for far in (by + HAIR, by - HAIR):
        if far > 0.0:
            discs, beside = round_about(points, far)
            rings += discs
            lines += beside
    return Bounds(tuple(rings), tuple(lines))


def from_edges(width: float, depth: float, far: float) -> Bounds:
    """So far from the edges of the table."""
    lines: list[Line] = [((x, 0.0), (x, depth)) for x in (far, width - far)]
    return Bounds((), (*lines, *(((0.0, y), (width, y)) for y in (far, depth - far))))


SLACK = 0.01
"""More than a corner is moved onto the grid."""


def inland(width: float, depth: float, far: float) -> list[Disc]:
    """Discs in which every point of a table is further than so far from all its edges."""
    radius = min(width, depth) / 2 - far
    if radius <= 0.0:
        return []
    length = abs(width - depth)
    count = 1 + math.ceil(2 * length / radius)
    along = [min(width, depth) / 2 + length * k / max(1, count - 1) for k in range(count)]
    return [(at, depth / 2, radius) if width >= depth else (width / 2, at, radius) for at in along]


class Raised(Protocol):
    """A part of terrain, as far as its height."""

    @property
    def top(self) -> float: ...


class Featured(Protocol):
    """Terrain that is made of parts."""

    @property
    def parts(self) -> Sequence[Raised]: ...


def floors(terrain: Sequence[Featured]) -> list[float]:
    """The heights on which somebody may stand, the table first."""
    return [0.0, *(part.top for feature in terrain for part in feature.parts)]


def _towards(bounds: Bounds, around: Sequence[Disc]) -> Bounds:
    """Those of the bounds that come into one of some discs: first by a box about them all."""
    left, right = min([x - far for x, _, far in around]), max([x + far for x, _, far in around])
    low, high = min([y - far for _, y, far in around]), max([y + far for _, y, far in around])
    rings = [
        ring
        for ring in bounds.rings
        if left <= ring[0] + ring[2] and ring[0] - ring[2] <= right
        if low <= ring[1] + ring[2] and ring[1] - ring[2] <= high
        if any((ring[0] - x) ** 2 + (ring[1] - y) ** 2 <= (ring[2] + far) ** 2 for x, y, far in around)
    ]
    lines = [
        (one, other)
        for one, other in bounds.lines
        if (left <= one[0] or left <= other[0]) and (one[0] <= right or other[0] <= right)
        if (low <= one[1] or low <= other[1]) and (one[1] <= high or other[1] <= high)
        if any(point_segment(x, y, *one, *other) <= far * far for x, y, far in around)
    ]
    return Bounds(tuple(rings), tuple(lines))


def _outside(bounds: Bounds, shut: Sequence[Disc]) -> Bounds:
    """Those of the bounds that do not lie wholly in one of some discs."""
    x, y, far = np.array(shut, dtype=np.float64).T
    rings, lines = bounds
    if rings:
        a, b, r = np.array(rings, dtype=np.float64).T[:, :, None]
        wholly = ((r <= far) & ((a - x) ** 2 + (b - y) ** 2 <= (far - r) ** 2)).any(axis=1).tolist()
        rings = tuple([ring for ring, gone in zip(rings, wholly, strict=True) if not gone])
    if lines:
        a, b, c, d = np.array(lines, dtype=np.float64).reshape(-1, 4).T[:, :, None]
        square = far * far
        both = ((a - x) ** 2 + (b - y) ** 2 <= square) & ((c - x) ** 2 + (d - y) ** 2 <= square)
        wholly = both.any(axis=1).tolist()
        lines = tuple([line for line, gone in zip(lines, wholly, strict=True) if not gone])
    return Bounds(rings, lines)


def far_from(found: Floats, points: Sequence[Point], by: float) -> npt.NDArray[np.bool_]:
    """Which of some points lie outside a polygon and farther than so much from it, a grain of the grid allowed for."""
    inside, square = _about(found, points)
    return np.asarray(~inside & (square >= max(0.0, by - SLACK) ** 2))


def deep_in(found: Floats, points: Sequence[Point], by: float) -> npt.NDArray[np.bool_]:
    """Which of them lie in a polygon, at least so far (more than a grain) from its outline."""
    inside, square = _about(found, points)
    return np.asarray(inside & (square >= max(0.0, by - SLACK) ** 2))


def _about(found: Floats, points: Sequence[Point]) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Which of some points lie in a polygon, and the squares of how far they all are from its outline."""
    x, y = found[:, 0], found[:, 1]
    inside = np.zeros(len(found), dtype=np.bool_)
    square = np.full(len(found), np.inf)
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        dx, dy = bx - ax, by - ay
        along = np.clip(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy or 1.0), 0.0, 1.0)
        square = np.minimum(square, (x - ax - along * dx) ** 2 + (y - ay - along * dy) ** 2)
        if dy:
            inside ^= ((ay > y) != (by > y)) & (x < ax + (y - ay) * dx / dy)
    return inside, square


def spots(
    bounds: Bounds, around: Sequence[Disc] | None = None, shut: Sequence[Disc] = (), sift: Sift | None = None
) -> Iterator[Point]:
    """The corners, as places on the grid on which models stand: each on all sides of where it lies between. Where no
    place is legal but in one of the discs `around`, or any in one that is `shut` or that a `sift` leaves out, only
    those are looked for. Those next to the corners come first."""
    if around is not None:
        if not around:
            return
        around = [(x, y, far + SLACK) for x, y, far in around]
        bounds = _towards(bounds, around)
    shut = [(x, y, far - SLACK) for x, y, far in shut if far > SLACK]
    if shut:
        bounds = _outside(bounds, shut)
    rings = np.array(bounds.rings, dtype=np.float64).reshape(-1, 3)
    whole = (rings[:, None, :2] + rings[:, None, 2:] * _ROUND).reshape(-1, 2)
    seen: dict[Point, None] = {}
    cells: dict[tuple[int, int], None] = {}
    for found in itertools.chain(corners_by_ring(bounds.rings, bounds.lines), (whole,)):
        free = _free(found, around, shut)
        for x, y in (free if sift is None or not len(free) else free[sift(free)]).tolist():
            cell = (math.floor(x * GRID), math.floor(y * GRID))
            cells[cell] = None
            yield from _beside(cell, _NEXT, seen)
    for cell in cells:
        yield from _beside(cell, _FARTHER, seen)


def _beside(cell: tuple[int, int], steps: Sequence[tuple[int, int]], seen: dict[Point, None]) -> Iterator[Point]:
    """The places of the grid about one of its cells that were not seen yet."""
    for i, j in steps:
        spot = ((cell[0] + i) / GRID, (cell[1] + j) / GRID)
        if spot not in seen:
            seen[spot] = None
            yield spot


_NEXT = tuple(itertools.product((0, 1), (0, 1)))
_FARTHER = tuple(step for step in itertools.product((-1, 0, 1, 2), (-1, 0, 1, 2)) if step not in _NEXT)
"""Where two bounds cross at an acute angle, the places between them begin a little off the corner."""
_ROUND = np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (0.0, 0.0)])
"""The four sides of a circle, and its middle."""


def _free(found: Floats, around: Sequence[Disc] | None, shut: Sequence[Disc]) -> Floats:
    """Those of some points that lie in one of the discs around, and in none that is shut."""
    if around is not None:
        xs, ys = found[:, 0], found[:, 1]
        there = np.zeros(len(found), dtype=np.bool_)
        for x, y, far in around:
            there |= (xs - x) ** 2 + (ys - y) ** 2 <= far * far
        found = found[there]
    if len(shut) and len(found):
        xs, ys = found[:, 0], found[:, 1]
        free = np.ones(len(found), dtype=np.bool_)
        for x, y, far in shut:
            free &= (xs - x) ** 2 + (ys - y) ** 2 >= far * far
        found = found[free]
    return found
