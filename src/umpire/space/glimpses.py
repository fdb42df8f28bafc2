"""Whether a straight line leads from an edge to a convex polygon past others: found if there is one, and only then.

The lines that nothing is in the way of are a closed set; if there is any, one of them passes through two corners of
what bounds them: ends of the edge, corners of the goal and of what is in the way, or one corner at the widest angle
allowed. So it is enough to look at those.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .angles import sin_cos
from .packs import kernel
from .shapes import Point
from .spans import Ring

Indices = npt.NDArray[np.int64]
NOBODY = -1


class Line(NamedTuple):
    """From a point of the edge to the nearest point of the goal on that line."""

    start: Point
    end: Point


class Screen(NamedTuple):
    """What is in the way: no line goes through it; or with `enter` none goes through and out again. It may have an
    `owner`, by whose number it is left out, and be `raised`: of what has an owner all else is overlooked from on
    high."""

    ring: Ring
    enter: bool = False
    owner: int = NOBODY
    raised: bool = False


class Rings(NamedTuple):
    """Convex polygons as arrays: their corners, where each begins, how many it has."""

    points: npt.NDArray[np.float64]
    firsts: Indices
    counts: Indices


def rings_of(rings: Sequence[Ring]) -> Rings:
    counts = [len(ring) for ring in rings]
    points = np.array([point for ring in rings for point in ring], dtype=np.float64).reshape(-1, 2)
    firsts, at = [], 0
    for count in counts:
        firsts.append(at)
        at += count
    return Rings(points, np.array(firsts, dtype=np.int64), np.array(counts, dtype=np.int64))


class Screens(NamedTuple):
    """What is in the way, as arrays: packed once, looked past often."""

    rings: Rings
    enters: Indices
    owners: Indices
    raised: Indices


def screened(screens: Sequence[Screen]) -> Screens:
    return Screens(
        rings_of([screen.ring for screen in screens]),
        np.array([screen.enter for screen in screens], dtype=np.int64),
        np.array([screen.owner for screen in screens], dtype=np.int64),
        np.array([screen.raised for screen in screens], dtype=np.int64),
    )


def glimpse(
    edge: tuple[Point, Point],
    goals: Sequence[Ring],
    screens: Sequence[Screen] | Screens,
    ahead: Point | None = None,
    spread: float = 45.0,
    past: tuple[int, int] = (NOBODY, NOBODY),
    high: bool = False,
) -> Line | None:
    """A line from an edge to one of the goals, at most so many degrees off straight `ahead` (None: any way), `past`
    two owners whose screens are never in the way; from on `high` only raised ones are."""
    if not isinstance(screens, Screens):
        screens = screened(screens)
    (points, firsts, counts), enters, owners, raised = screens
    (ax, ay), (bx, by) = edge
    ux, uy = ahead or (0.0, 0.0)
    limit = sin_cos(90.0 - spread)[0] if ahead is not None else -2.0
    s, c = sin_cos(spread)
    turns = (ux * c + uy * s, uy * c - ux * s, ux * c - uy * s, uy * c + ux * s)
    for goal in goals:
        found, px, py, qx, qy, at = kernel("glimpsing").glimpse(
            ax, ay, bx, by, _goal(tuple(goal)), points, firsts, counts, enters, owners, raised, *past, high,
            ahead is not None, ux, uy, limit, *turns,
        )  # fmt: skip
        if found:
            dx, dy = qx - px, qy - py
            part = at / max((dx * dx + dy * dy) ** 0.5, 1e-9)
            return Line((px, py), (px + dx * part, py + dy * part))
    return None


@lru_cache(maxsize=256)
def _goal(ring: tuple[Point, ...]) -> npt.NDArray[np.float64]:
    return np.array(ring, dtype=np.float64)


@lru_cache(maxsize=256)
def one_ring(ring: tuple[Point, ...]) -> Rings:
    """One polygon as arrays, remembered: the same are asked about again and again."""
    return rings_of([ring])


def crossed(rings: Rings, start: Point, end: Point) -> bool:
    """Does a segment run through the open interior of any of these polygons?"""
    found: bool = kernel("glimpsing").crossed(*rings, *start, *end)
    return found
