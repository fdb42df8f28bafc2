"""Is there room for a block of ranks anywhere, at any facing? Found, or ruled out.

For one facing the places of a body are worked out exactly (`space.places`). Over facings a stretch of them is ruled out
as a whole: what lies in the body at all of them, turned about its centre, is at least a narrower and shallower body; if
there is no room for that, there is none for the body. Stretches that are not ruled out are halved. Who looks the other
way takes up the same ground, so half a turn is all, unless it matters where a part of the body comes to lie.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from umpire.space.angles import heading
from umpire.space.angles import turned as unit_vector
from umpire.space.places import Disc, Keep, Kept, has_place, kept, nearest_place
from umpire.space.ranks.blocks import Box
from umpire.space.shapes import Point, convex_hull
from umpire.space.spans import Ring, gap

FINEST = 1 / 16
"""Degrees: facings closer than this are held alike; a corner of a unit of six inches moves by 0.003 between them."""
HAIR = 1e-6


class Near(NamedTuple):
    """Three corners of the body must lie within a distance of a point, and nothing between it and the body."""

    x: float
    y: float
    inches: float
    between: tuple[Ring, ...] = ()


class Over(NamedTuple):
    """The body must lie on a point; or a convex `part` of it, told by its corners to the right of the middle of the
    front and ahead of it."""

    x: float
    y: float
    part: tuple[Point, ...] = ()


class Within(NamedTuple):
    """The centre of the body must lie within a distance of a point."""

    x: float
    y: float
    inches: float


def body_of(w: float, d: float, facing: float) -> tuple[Point, ...]:
    """A unit's boundary about the middle of its front."""
    return Box(0.0, 0.0, *unit_vector(facing), w, d).corners()


def core_of(w: float, d: float, facing: float, half: float) -> tuple[Point, ...] | None:
    """What lies in a unit's boundary about its centre at all facings that are no further off than so many degrees, or
    most of it; None: nothing to speak of."""
    turn = math.sin(math.radians(min(90.0, half)))
    inner_w, inner_d = w - d * turn, d - w * turn
    if inner_w <= 0.0 or inner_d <= 0.0:
        return None
    ux, uy = unit_vector(facing)
    return Box(ux * inner_d / 2, uy * inner_d / 2, ux, uy, inner_w, inner_d).corners()


def heart_of(w: float, d: float) -> tuple[Point, ...]:
    """What lies in a unit's boundary about its centre at every facing, or most of it."""
    r = min(w, d) / 2
    s = r * math.sqrt(0.5)
    return (r, 0.0), (s, s), (0.0, r), (-s, s), (-r, 0.0), (-s, -s), (0.0, -r), (s, -s)


def place(
    w: float,
    d: float,
    area: Ring,
    keeps: Sequence[Keep],
    wish: Point,
    facing: float,
    near: Near | Over | Within | None = None,
    quarters: bool = False,
) -> tuple[float, float, float] | None:
    """A place for a unit (the middle of its front, its facing) in a convex area: at a facing or turned from it by
    quarters if it can be, else (unless only `quarters` are looked at) at any other; None: there is none."""
    about: Sequence[Disc] = ()
    if isinstance(near, Over):
        about = ((near.x, near.y, math.hypot(w, d) / 2 + HAIR),)
    elif isinstance(near, Within):
        about = ((near.x, near.y, near.inches + HAIR),)
    elif near is not None:
        # Of any three corners two are opposite, and the centre lies in the middle between them.
        square = near.inches * near.inches - (w * w + d * d) / 4
        if square < -HAIR:
            return None
        off = math.sqrt(max(0.0, square)) + HAIR
        about = ((near.x, near.y, off),)
        reach = off + math.hypot(w, d) / 2
        keeps = [keep for keep in keeps if _within(near, keep.ring, reach + keep.clearance)]
        near = near._replace(between=tuple(ring for ring in near.between if _within(near, ring, reach)))
        keeps += [Keep(ring) for ring in _shadows(near)]
    things = kept(keeps)
    sided = isinstance(near, Over) and bool(near.part)
    for turn in (0.0, 90.0, 180.0, 270.0) if sided else (0.0, 90.0):
        at = (facing + turn) % 360.0
        spot = _at(w, d, area, things, wish, at, near)
        if spot is not None:
            return (*spot, at)
    if quarters or not has_place(heart_of(w, d), area, things, about):
        return None
    stack = [(0.0, 180.0), (180.0, 360.0)] if sided else [(0.0, 180.0)]
    while stack:
        low, high = stack.pop()
        middle, half = (low + high) / 2, (high - low) / 2
        if high - low <= FINEST:
            spot = _at(w, d, area, things, wish, middle, near)
            if spot is not None:
                return (*spot, middle % 360.0)
            continue
        core = core_of(w, d, middle, half)
        if core is None or (
            has_place(core, area, things, about) and _may(w, d, area, things, middle, half, core, near)
        ):
            stack += [(middle, high), (low, middle)]
    # What fits at one facing alone stands flush with something.
    flush = _flush([area, *(keep.ring for keep in keeps)])
    for at in [*flush, *((at + 180.0) % 360.0 for at in flush)] if sided else flush:
        spot = _at(w, d, area, things, wish, at, near)
        if spot is not None:
            return (*spot, at)
    return None


def _flush(rings: Sequence[Ring]) -> list[float]:
    """The facings, of half a turn, at which something stands along or across an edge."""
    found: dict[float, None] = {}
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], *ring[:1]), strict=True):
            along = heading(bx - ax, by - ay) % 90.0
            found |= {round(along, 9): None, round(along + 90.0, 9): None}
    return list(found)


def _may(
    w: float,
    d: float,
    area: Ring,
    keeps: Kept,
    facing: float,
    half: float,
    core: Ring,
    near: Near | Over | Within | None,
) -> bool:
    """May three corners be near enough, or may the body lie on the point, at a facing no further off than so many
    degrees, with room for the core? No point of the body is further from where it is in the middle than it turns."""
    if isinstance(near, Over):
        turn = math.hypot(w, d) * math.sin(math.radians(half) / 2) + HAIR
        ux, uy = unit_vector(facing)
        ahead = d / 2 + turn
        region = Box(near.x + ux * ahead, near.y + uy * ahead, ux, uy, w + 2 * turn, d + 2 * turn).corners()
        return nearest_place(core, area, keeps, (near.x, near.y), region) is not None
    if not isinstance(near, Near):
        return True
    off = near.inches + math.hypot(w, d) / 2 * math.radians(half) + HAIR
    ux, uy = unit_vector(facing)
    corners = Box(ux * d / 2, uy * d / 2, ux, uy, w, d).corners()
    for left_out in range(4):
        discs = [(near.x - x, near.y - y, off) for k, (x, y) in enumerate(corners) if k != left_out]
        if has_place(core, area, keeps, discs):
            return True
    return False


def _within(near: Near, ring: Ring, inches: float) -> bool:
    return gap(((near.x, near.y),), ring) <= inches + HAIR


def _at(
    w: float, d: float, area: Ring, keeps: Kept, wish: Point, facing: float, near: Near | Over | Within | None
) -> Point | None:
    body = body_of(w, d, facing)
    if near is None:
        return nearest_place(body, area, keeps, wish)
    if isinstance(near, Within):
        cx, cy = math.fsum(x for x, _ in body) / 4, math.fsum(y for _, y in body) / 4
        return nearest_place(body, area, keeps, wish, discs=[(near.x - cx, near.y - cy, near.inches)])
    if isinstance(near, Over):
        at = Box(0.0, 0.0, *unit_vector(facing), w, d)
        part = [at.world(x, y) for x, y in near.part] or body
        return nearest_place(body, area, keeps, wish, [(near.x - x, near.y - y) for x, y in part])
    found = []
    for left_out in range(4):
        discs = [(near.x - x, near.y - y, near.inches) for k, (x, y) in enumerate(body) if k != left_out]
        spot = nearest_place(body, area, keeps, wish, discs=discs)
        if spot is not None:
            found.append(spot)
    return min(found, key=lambda p: math.dist(p, wish)) if found else None


def _shadows(near: Near) -> Iterator[Ring]:
    """What a point does not see past something: to stand there is to have it between."""
    for ring in near.between:
        far = [(near.x + (x - near.x) * 1e3, near.y + (y - near.y) * 1e3) for x, y in ring]
        yield convex_hull([*ring, *far])
