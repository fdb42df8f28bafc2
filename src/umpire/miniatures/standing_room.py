"""Is there room for a block of ranks anywhere, at any facing? Found, or ruled out.

For one facing the places of a body are worked out exactly (`space.places`). Over facings a stretch of them is ruled out
as a whole: what lies in the body at all of them is at least the body without so broad a rim as its corners turn; if
there is no room for that, there is none for the body. Stretches that are not ruled out are halved.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from umpire.miniatures.blocks import Box
from umpire.space.angles import turned as unit_vector
from umpire.space.places import Keep, common, nearest_place
from umpire.space.shapes import Point, convex_hull
from umpire.space.spans import Ring

FINEST = 1.0
"""Degrees: facings closer than this are held alike."""
SIDES = 24
"""Corners of the polygon that stands for a circle."""


class Near(NamedTuple):
    """Three corners of the body must lie within a distance of a point, and nothing between it and the body."""

    x: float
    y: float
    inches: float
    between: tuple[Ring, ...] = ()


class Over(NamedTuple):
    """The body must lie on a point."""

    x: float
    y: float


def body_of(w: float, d: float, facing: float, rim: float = 0.0) -> tuple[Point, ...] | None:
    """A unit's boundary about the middle of its front, without a rim; None: nothing of it is left."""
    if w <= 2 * rim or d <= 2 * rim:
        return None
    ux, uy = unit_vector(facing)
    return Box(-ux * rim, -uy * rim, ux, uy, w - 2 * rim, d - 2 * rim).corners()


def place(
    w: float,
    d: float,
    area: Ring,
    keeps: Sequence[Keep],
    wish: Point,
    facing: float,
    near: Near | Over | None = None,
    quarters: bool = False,
) -> tuple[float, float, float] | None:
    """A place for a unit (the middle of its front, its facing) in a convex area: at a facing or turned from it by
    quarters if it can be, else (unless only `quarters` are looked at) at any other; None: there is none."""
    for turn in (0.0, 90.0, 180.0, 270.0):
        at = (facing + turn) % 360.0
        spot = _at(w, d, area, keeps, wish, at, near)
        if spot is not None:
            return (*spot, at)
    stack = [] if quarters else [(0.0, 360.0)]
    reach = math.hypot(w / 2, d)
    while stack:
        low, high = stack.pop()
        middle, half = (low + high) / 2, (high - low) / 2
        rim = reach * math.radians(half)
        if high - low <= FINEST:
            spot = _at(w, d, area, keeps, wish, middle, near)
            if spot is not None:
                return (*spot, middle % 360.0)
        elif body_of(w, d, middle, rim) is None or _at(w, d, area, keeps, wish, middle, near, rim) is not None:
            stack += [(middle, high), (low, middle)]
    return None


def _at(
    w: float,
    d: float,
    area: Ring,
    keeps: Sequence[Keep],
    wish: Point,
    facing: float,
    near: Near | Over | None,
    rim: float = 0.0,
) -> Point | None:
    body = body_of(w, d, facing, rim)
    assert body is not None
    if near is None:
        return nearest_place(body, area, keeps, wish)
    shades = [Keep(ring) for ring in _shadows(near)] if isinstance(near, Near) else []
    whole = body_of(w, d, facing)
    assert whole is not None
    found = [
        spot
        for region in _regions(whole, near, rim)
        if (spot := nearest_place(body, area, [*keeps, *shades], wish, region)) is not None
    ]
    return min(found, key=lambda p: math.dist(p, wish)) if found else None


def _regions(body: Sequence[Point], near: Near | Over, rim: float) -> Iterator[Sequence[Point]]:
    """For a body that must lie on a point: where it does, or, to rule something out, about its middle.

    Else about where the middle of the front must be for three corners to be near enough: for each three of them, or, to
    rule something out, for the middle of the body, which lies between two of any three."""
    cx, cy = (body[0][0] + body[2][0]) / 2, (body[0][1] + body[2][1]) / 2
    if isinstance(near, Over):
        half = math.hypot(body[0][0] - cx, body[0][1] - cy)
        about = _circle(near.x - cx, near.y - cy, (half + rim) / math.cos(math.pi / 8), 8)
        yield about if rim else [(near.x - x, near.y - y) for x, y in body]
        return
    if rim:
        yield _circle(near.x - cx, near.y - cy, (near.inches + rim) / math.cos(math.pi / 8), 8)
        return
    for left_out in range(4):
        region: Sequence[Point] | None = None
        for k, (cx, cy) in enumerate(body):
            if k != left_out and (region is None or region):
                disc = _circle(near.x - cx, near.y - cy, near.inches, SIDES)
                region = disc if region is None else common(region, disc)
        if region:
            yield region


def _circle(x: float, y: float, radius: float, sides: int) -> list[Point]:
    turns = [unit_vector(360.0 * k / sides) for k in range(sides)]
    return [(x + s * radius, y + c * radius) for s, c in reversed(turns)]


def _shadows(near: Near) -> Iterator[Ring]:
    """What a point does not see past something: to stand there is to have it between."""
    for ring in near.between:
        far = [(near.x + (x - near.x) * 1e3, near.y + (y - near.y) * 1e3) for x, y in ring]
        yield convex_hull([*ring, *far])
