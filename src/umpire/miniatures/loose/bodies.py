"""A model on the table as a body with a place: measuring between bodies, points and polygons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from umpire.miniatures.amounts import FARTHEST
from umpire.space.angles import sin_cos
from umpire.space.measure import on_table, separation
from umpire.space.plain import Point, point_polygon
from umpire.space.shapes import TOLERANCE, Base, Oval, Prism, Rect, Round, dot

Extent = Annotated[float, Meta(gt=0, le=FARTHEST)]


class Body(msgspec.Struct, frozen=True, gc=False):
    """A model where it stands; it moves by being replaced.

    `r` is how far it reaches from its middle, `q` the radius of the circle that fits inside: half the length and half
    the width of an oval, half a diagonal and half the width of a hull.
    """

    id: str
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    facing: float = 0.0
    r: Extent = 0.63
    q: Extent = 0.63

    @property
    def hull(self) -> bool:
        """Has it no base, so that its own rectangular body is measured, all of its height?"""
        return False

    @property
    def tall(self) -> float:
        """How high the measured thing is: nothing for a base, the whole body for a hull."""
        return 0.0


def half_length(body: Body) -> float:
    """Half the length of a hull, whose corners lie `r` from its middle."""
    return math.sqrt(max(0.0, body.r * body.r - body.q * body.q))


def hull_reach(length: float, width: float) -> tuple[float, float]:
    """The `r` and `q` of a hull so long and so wide."""
    return math.sqrt(length * length + width * width) / 2, min(length, width) / 2


def base(body: Body, height: float = 0.0) -> Base:
    """The footprint of a body for the questions of `space`."""
    shape: Round | Oval | Rect
    if body.r == body.q:
        shape = Round(body.r)
    elif body.hull:
        shape = Rect(2 * body.q, 2 * half_length(body))
    else:
        shape = Oval(body.q, body.r)
    return Base(shape, body.x, body.y, body.z, body.facing, height)


def is_round(body: Body) -> bool:
    return body.r == body.q


def gap(a: Body, b: Body) -> float:
    """Between the closest points of two bodies on the ground; negative where they overlap."""
    if a.r == a.q and b.r == b.q:
        dx, dy = a.x - b.x, a.y - b.y
        return math.sqrt(dx * dx + dy * dy) - a.r - b.r
    return separation(base(a), base(b))


def rise(a: Body, b: Body) -> float:
    """How far one stands above the other's top, or the other way round; 0 where they share a height."""
    low, high = (a, b) if a.z <= b.z else (b, a)
    return max(0.0, high.z - low.z - low.tall)


def near(a: Body, b: Body, limit: float) -> bool:
    """Is any part of one within this distance of the other on the ground, whatever their heights?"""
    dx, dy = a.x - b.x, a.y - b.y
    square = dx * dx + dy * dy
    far = limit + a.r + b.r + TOLERANCE
    if square > far * far:
        return False
    if a.r == a.q and b.r == b.q:
        return True
    close = limit + a.q + b.q
    if close > 0.0 and square <= close * close:
        return True
    return separation(base(a), base(b)) <= limit + TOLERANCE


def true_gap(a: Body, b: Body) -> float:
    """The distance in space between what is measured of two bodies, also one above the other."""
    flat = max(0.0, gap(a, b))
    up = rise(a, b) if a.z != b.z else 0.0
    return math.sqrt(flat * flat + up * up) if up else flat


def within(a: Body, b: Body, limit: float) -> bool:
    """Is any part of one within this distance of the other, heights counted?"""
    return near(a, b, limit) and (a.z == b.z or true_gap(a, b) <= limit + TOLERANCE)


def beside(a: Body, b: Body, flat: float, up: float) -> bool:
    """Are two bodies so near on the ground and so near in height, as ranges that are cylinders ask?"""
    return (a.z == b.z or rise(a, b) <= up + TOLERANCE) and near(a, b, flat)


def overlap(a: Body, b: Body) -> bool:
    """Do two bodies cover common ground?"""
    dx, dy = a.x - b.x, a.y - b.y
    square = dx * dx + dy * dy
    far = a.r + b.r - TOLERANCE
    if square >= far * far:
        return False
    close = a.q + b.q - TOLERANCE
    if square < close * close or (a.r == a.q and b.r == b.q):
        return True
    return separation(base(a), base(b)) < -TOLERANCE


def half_width(body: Body, nx: float, ny: float) -> float:
    """How far a body reaches from its middle in a direction (a unit vector)."""
    if body.r == body.q:
        return body.r
    s, c = sin_cos(body.facing)
    if body.hull:
        return abs(nx * c - ny * s) * body.q + abs(nx * s + ny * c) * half_length(body)
    across, along = (nx * c - ny * s) * body.q, (nx * s + ny * c) * body.r
    return math.sqrt(across * across + along * along)


def to_polygon(body: Body, points: Sequence[Point]) -> float:
    """The distance on the ground from a convex polygon; 0 where it covers part of it."""
    if body.r == body.q:
        far = point_polygon(points, body.x, body.y) - body.r
        return far if far > 0.0 else 0.0
    return max(0.0, separation(base(body), Prism(tuple(points))))


def to_point(body: Body, x: float, y: float) -> float:
    if body.r == body.q:
        return max(0.0, math.sqrt((body.x - x) ** 2 + (body.y - y) ** 2) - body.r)
    return max(0.0, separation(base(body), dot(x, y)))


def wholly_in(body: Body, points: Sequence[Point]) -> bool:
    """Does every part of a body lie in a convex anticlockwise polygon?"""
    ax, ay = points[-1]
    x, y, reach, as_wide = body.x, body.y, body.r, body.r == body.q
    for bx, by in points:
        ex, ey = bx - ax, by - ay
        length = math.sqrt(ex * ex + ey * ey)
        if not as_wide:
            reach = half_width(body, ey / length, -ex / length)
        if (ex * (y - ay) - ey * (x - ax)) / length < reach - TOLERANCE:
            return False
        ax, ay = bx, by
    return True


def on_board(body: Body, width: float, depth: float) -> bool:
    """Does every part of a body lie on the table?"""
    r = body.r
    if r <= body.x <= width - r and r <= body.y <= depth - r:
        return True
    return on_table(base(body), width, depth)
