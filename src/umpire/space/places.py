"""Where a convex body that does not turn may stand inside an area, clear of others: the nearest such place to a wish,
or that there is none.

The places of its reference point inside a convex area are a convex polygon; each obstacle takes away the moves that
bring the body onto it, grown by its clearance: straight edges, and arcs about their corners. What is left is bounded by
these; the nearest place to a wish is the wish, its foot on one of them, or a corner where two of them meet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .packs import Floats, kernel
from .plain import anticlockwise
from .shapes import Point
from .spans import Ring

TINY = 1e-7


class Keep(NamedTuple):
    """Something to stand clear of, and by how much."""

    ring: Ring
    clearance: float = 0.0


NOWHERE: Floats = np.empty((0, 2))


def room(body: Ring, area: Ring) -> list[Point]:
    """The places of a body's reference point at which it lies wholly in a convex area: a polygon, empty if it does not
    fit."""
    found = kernel("standing").room(_array(tuple(area)), *_rows((body,)), NOWHERE)
    return [(x, y) for x, y in found.tolist()]


@lru_cache(maxsize=256)
def _array(ring: tuple[Point, ...]) -> Floats:
    return np.array(ring, dtype=np.float64).reshape(-1, 2)


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


Disc = tuple[float, float, float]
"""x, y, radius."""


class Kept(NamedTuple):
    """Things to stand clear of as arrays for the kernel: pack once what is asked about often."""

    verts: Floats
    starts: npt.NDArray[np.int64]
    clearances: Floats


def kept(keeps: Sequence[Keep]) -> Kept:
    verts, starts = _rows([keep.ring for keep in keeps])
    return Kept(verts, starts, np.array([keep.clearance for keep in keeps], dtype=np.float64))


def _rows(rings: Sequence[Ring]) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The corners of polygons, and where those of each begin."""
    starts = [0]
    for ring in rings:
        starts.append(starts[-1] + len(ring))
    verts = np.array([p for ring in rings for p in ring], dtype=np.float64).reshape(-1, 2)
    return verts, np.array(starts, dtype=np.int64)


def nearest_place(
    body: Ring,
    area: Ring,
    keeps: Sequence[Keep] | Kept,
    wish: Point,
    region: Sequence[Point] | None = None,
    discs: Sequence[Disc] = (),
) -> Point | None:
    """The place nearest to a wish at which a body lies in an area and clear of everything; None: there is none. A
    convex `region` is where its reference point must be, and so are `discs`, all of them."""
    return _found((body,), area, keeps, wish, region, discs, False)


def nearest_of(
    parts: Sequence[Ring],
    area: Ring,
    keeps: Sequence[Keep] | Kept,
    wish: Point,
    region: Sequence[Point] | None = None,
) -> Point | None:
    """The same for a body of several convex parts."""
    return _found(parts, area, keeps, wish, region, (), False)


def has_place(body: Ring, area: Ring, keeps: Sequence[Keep] | Kept, discs: Sequence[Disc] = ()) -> bool:
    """Is there a place at all? The leftmost of them, if there are any, is a corner of the area, the leftmost point of a
    disc or a corner where two bounds meet."""
    return _found((body,), area, keeps, (0.0, 0.0), None, discs, True) is not None


def _found(
    parts: Sequence[Ring],
    area: Ring,
    keeps: Sequence[Keep] | Kept,
    wish: Point,
    region: Sequence[Point] | None,
    discs: Sequence[Disc],
    some: bool,
) -> Point | None:
    packed = keeps if isinstance(keeps, Kept) else kept(keeps)
    found = kernel("standing").find(
        *_rows(parts), _array(tuple(area)), NOWHERE if region is None else np.array(region, dtype=np.float64), *packed,
        np.array(discs, dtype=np.float64).reshape(-1, 3), *wish, some,
    )  # fmt: skip
    return (float(found[0]), float(found[1])) if len(found) else None
