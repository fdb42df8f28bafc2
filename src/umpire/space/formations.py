"""Ranks and files: where each stand is, what the whole looks like from outside, and the arcs round it."""

from typing import Literal

from .angles import rotate
from .shapes import Base, Point, Rect, world_points

Side = Literal["front", "right", "rear", "left"]
SIDES: tuple[Side, ...] = ("front", "right", "rear", "left")


def corners(base: Base) -> tuple[Point, Point, Point, Point]:
    """Front left, front right, rear right and rear left corner of a rectangle."""
    assert isinstance(base.shape, Rect), "only a rectangle has four corners"
    a, b, c, d = world_points(base)
    return a, b, c, d


def side_of(base: Base, side: Side) -> tuple[Point, Point]:
    """A side of a rectangle, from its left end to its right end as seen from inside looking out."""
    k = SIDES.index(side)
    points = corners(base)
    return points[k], points[(k + 1) % 4]


def arc_of(base: Base, target: Base | Point) -> Side:
    """In which arc of a base a point, or a target's centre, lies by lines at 45 degrees from its corners.

    On such a line it counts as front or rear; inside the base as the side that is nearest.
    """
    x, y = target if isinstance(target, tuple) else target.centre
    rx, ry = rotate(x - base.x, y - base.y, -base.facing)
    w, d = (base.shape.width / 2, base.shape.depth / 2) if isinstance(base.shape, Rect) else (0.0, 0.0)
    if abs(ry) - d >= abs(rx) - w - 1e-9:
        return "front" if ry >= 0 else "rear"
    return "right" if rx > 0 else "left"
