"""The place nearest to a point or line at which a fighter can stand, worked out.

What is free is bounded by circles about other bases and corners, by lines beside walls, platforms and the table's
edges; the nearest free place is the foot of the point or line on one of these, or where two of them cross. If none of
these will do, nothing does.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

from umpire.games.warcry.state import Fighter, State
from umpire.space.havens import Disc, corners, round_about
from umpire.space.measure import share_heights
from umpire.space.shapes import Base, Point, Round, snap

Line = tuple[float, float, float, float]
"""A deployment line; a point is one that ends where it begins."""
Segment = tuple[Point, Point]
HAIR = 0.0007
"""Places are looked for this far on the good side of an edge, where rounding to thousandths does no harm."""
BESIDE = tuple(itertools.product((0.0, 0.001, -0.001), repeat=2))


def from_line(line: Line, x: float, y: float) -> float:
    """The horizontal distance of a point from a line."""
    ax, ay, bx, by = line
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    t = 0.0 if square == 0.0 else max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / square))
    return math.hypot(x - ax - t * dx, y - ay - t * dy)


def edges_at(
    state: State, fighter: Fighter, z: float, box: Line, ignore: Sequence[str], taken: Sequence[Base]
) -> tuple[list[Disc], list[Segment]]:
    """What bounds the free places of the middle of a fighter's base at a height: circles and lines."""
    ground, r = state.ground, fighter.profile.base / 50.8
    level = Base(Round(r), 0.0, 0.0, z, 0.0, fighter.profile.height)
    x0, y0, x1, y1 = box
    bodies = [other.base for other in state.on_field() if other.id not in ignore and other is not fighter]
    rings = [
        (other.x, other.y, other.shape.radius + r + HAIR)
        for other in (*bodies, *taken)
        if isinstance(other.shape, Round) and share_heights(level, other)
    ]
    rings = [(x, y, far) for x, y, far in rings if x0 - far <= x <= x1 + far and y0 - far <= y <= y1 + far]
    lines: list[Segment] = []
    for _, prism in ground.near(x0 - r, y0 - r, x1 + r, y1 + r):
        if prism.floor < level.top and prism.top > z:
            discs, beside = round_about(prism.points, r + HAIR)
            rings += discs
            lines += beside
    for plate in ground.plates:
        if z > 0.0 and abs(plate.z - z) < HAIR:
            lines += round_about(ground.parts[plate.tag].points, HAIR)[1]
    wide, deep = ground.layout.width - r, ground.layout.depth - r
    table = ((r, r), (wide, r), (wide, deep), (r, deep))
    return rings, [*lines, *zip(table, (*table[1:], table[0]), strict=True)]


def feet(line: Line, rings: Sequence[Disc], lines: Sequence[Segment]) -> Iterator[Point]:
    """The points of each circle and line that are nearest to a point or line, and those of the line itself."""
    ax, ay, bx, by = line
    yield ax, ay
    yield bx, by
    length = math.hypot(bx - ax, by - ay)
    nx, ny = (-(by - ay) / length, (bx - ax) / length) if length else (1.0, 0.0)
    for x, y, radius in rings:
        for px, py in ((ax, ay), (bx, by)):
            far = math.hypot(px - x, py - y)
            ux, uy = ((px - x) / far, (py - y) / far) if far > 0.0 else (1.0, 0.0)
            yield x + ux * radius, y + uy * radius
        if length:
            yield x + nx * radius, y + ny * radius
            yield x - nx * radius, y - ny * radius
    for (px, py), (qx, qy) in lines:
        dx, dy = qx - px, qy - py
        square = dx * dx + dy * dy
        for fx, fy in ((ax, ay), (bx, by)):
            t = max(0.0, min(1.0, ((fx - px) * dx + (fy - py) * dy) / square))
            yield px + t * dx, py + t * dy


def places(
    state: State,
    fighter: Fighter,
    line: Line,
    most: float,
    *,
    ignore: Sequence[str] = (),
    taken: Sequence[Base] = (),
    floor_only: bool = False,
    shy: Callable[[float], Sequence[Disc]] | None = None,
) -> list[tuple[float, Point, float]]:
    """Every place that can be the nearest to a point or line, within so many inches of it: how far it is, where, at
    which height; the nearest first. `shy` tells what else to keep the middle of the base out of at a height."""
    ax, ay, bx, by = line
    box = min(ax, bx) - most, min(ay, by) - most, max(ax, bx) + most, max(ay, by) + most
    found: dict[tuple[Point, float], float] = {}
    for z in (0.0,) if floor_only else state.ground.levels:
        rings, lines = edges_at(state, fighter, z, box, ignore, taken)
        if shy is not None:
            rings += [(x, y, radius + HAIR) for x, y, radius in shy(z)]
        own = [((ax, ay), (bx, by))] if (ax, ay) != (bx, by) else []
        for x, y in (*feet(line, rings, lines), *corners(rings, [*lines, *own])):
            far = from_line(line, x, y)
            if far <= most:
                found[(round(x, 5), round(y, 5)), z] = far
    return sorted((far, spot, z) for (spot, z), far in found.items())


def nearest(
    fighter: Fighter, spots: Sequence[tuple[float, Point, float]], fits: Callable[[Base], bool]
) -> Iterator[Base]:
    """Those of these places, the nearest first, at which the fighter fits; each also a thousandth to every side."""
    shape, height = Round(fighter.profile.base / 50.8), fighter.profile.height
    for _, (x, y), z in spots:
        for dx, dy in BESIDE:
            base = Base(shape, snap(x + dx), snap(y + dy), z, 0.0, height)
            if fits(base):
                yield base
                break
