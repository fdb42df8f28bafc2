"""Does a shape fit into a rectangle, however it is turned?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .shapes import TOLERANCE, Point, convex_hull


def extent(points: Sequence[Point], angle: float) -> tuple[float, float]:
    """How long points reach along a direction, and across it."""
    c, s = math.cos(angle), math.sin(angle)
    along = [x * c + y * s for x, y in points]
    across = [y * c - x * s for x, y in points]
    return max(along) - min(along), max(across) - min(across)


def box(points: Sequence[Point]) -> tuple[float, float]:
    """The sides, the longer first, of the smallest rectangle about the points: one of its sides lies on an edge."""
    hull = convex_hull(list(points))
    angles = [math.atan2(b[1] - a[1], b[0] - a[0]) for a, b in zip(hull, hull[1:] + hull[:1], strict=True)]
    sides = min((extent(hull, angle) for angle in angles), key=lambda pair: (round(pair[0] * pair[1], 9), pair))
    return max(sides), min(sides)


def fits(points: Sequence[Point], length: float, breadth: float) -> bool:
    """Do the points fit into a rectangle of these sides?

    The directions in which they are narrow enough form intervals; where both sides suffice, one of the ends of these
    intervals does: there a pair of corners just touches both sides, or an edge lies on one.
    """
    hull = convex_hull(list(points))
    angles: list[float] = []
    for n, (ax, ay) in enumerate(hull):
        for bx, by in hull[n + 1 :]:
            far, towards = math.hypot(bx - ax, by - ay), math.atan2(by - ay, bx - ax)
            angles.append(towards)
            for side in (length, breadth):
                if far >= side:
                    turn = math.acos(min(1.0, side / far))
                    angles += [towards + turn, towards - turn]
    for angle in (*angles, *(angle + math.pi / 2 for angle in angles)):
        along, across = extent(hull, angle)
        if along <= length + TOLERANCE and across <= breadth + TOLERANCE:
            return True
    return False
