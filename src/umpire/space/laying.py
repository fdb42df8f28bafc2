"""Where pieces of terrain can be laid: so far from the edges, from other pieces and from markers, at any facing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from umpire.space.measure import distance
from umpire.space.places import Keep, nearest_of, room
from umpire.space.plain import anticlockwise
from umpire.space.shapes import Point, Prism, convex_hull, snap

Parts = Sequence[Sequence[Point]]
"""A piece as its convex parts."""
ROUGH = 0.0015
"""So much is to spare that a place rounded to a thousandth of an inch still does."""
DOT = 1e-4
FINEST = 0.005
"""Facings between which no point of a piece moves further are one: what fits there alone has less to spare."""
PARTS = 16


class Ground(NamedTuple):
    """A table with the parts of the pieces that lie on it, and its round markers as x, y and radius."""

    width: float
    depth: float
    pieces: Parts
    markers: Sequence[tuple[float, float, float]]


class Clear(NamedTuple):
    """How far a piece must be from the edges (0: it may touch them), from other pieces and from markers."""

    edge: float
    pieces: float
    markers: float

    def less(self, by: float) -> Clear:
        return Clear(self.edge - by, self.pieces - by, self.markers - by)


def parts_gap(a: Parts, b: Parts) -> float:
    """The distance between two pieces."""
    return min(distance(Prism(tuple(p)), Prism(tuple(q))) for p in a for q in b)


def within_outline(points: Sequence[Point], by: float) -> list[Point]:
    """Where the middle of a circle is that lies wholly in a convex outline."""
    circle = []
    for (ax, ay), (bx, by_) in zip(points, (*points[1:], *points[:1]), strict=True):
        length = math.hypot(bx - ax, by_ - ay)
        circle.append(((by_ - ay) / length * by, (ax - bx) / length * by))
    return room(tuple(convex_hull(circle)), tuple(points))


def place_for(
    ground: Ground, parts: Parts, clear: Clear, wish: Point, region: Sequence[Point] | None = None
) -> Point | None:
    """The place for a piece, as it is turned, that is nearest to a wish; None: there is none."""
    low = clear.edge + ROUGH if clear.edge else 0.0
    right, top = ground.width - low, ground.depth - low
    keeps = [Keep(tuple(part), clear.pieces + ROUGH) for part in ground.pieces]
    for x, y, r in ground.markers:
        keeps.append(Keep(((x, y), (x + DOT, y), (x, y + DOT)), clear.markers + r + ROUGH))
    area = ((low, low), (right, low), (right, top), (low, top))
    found = nearest_of([anticlockwise(part) for part in parts], area, keeps, wish, region)
    return None if found is None else (snap(found[0]), snap(found[1]))


def any_place(ground: Ground, turned: Callable[[float], Parts], clear: Clear) -> tuple[float, float, float] | None:
    """A place and a facing for a piece that may lie anywhere; None: there is none, whatever its facing.

    Between two facings no point of it goes further than its outermost. So where there is no room at the middle of a
    stretch of facings even if it may lie so much nearer to everything, there is none in the whole stretch; else the
    stretch is halved.
    """
    middle = (ground.width / 2, ground.depth / 2)
    reach = max(math.hypot(*point) for part in turned(0.0) for point in part)
    half = 180.0 / PARTS
    stretches = [(half + 2 * half * n, half) for n in range(PARTS)]
    while stretches:
        halves = []
        for facing, half in stretches:
            parts = turned(facing)
            spot = place_for(ground, parts, clear, middle)
            if spot is not None:
                return *spot, facing
            moves = 2 * reach * math.sin(math.radians(half) / 2)
            less = min(moves + 2 * ROUGH, min(clear) - ROUGH)
            if moves > FINEST and place_for(ground, parts, clear.less(less), middle) is not None:
                halves += [(facing - half / 2, half / 2), (facing + half / 2, half / 2)]
        stretches = halves
    return None
