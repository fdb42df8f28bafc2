"""The place nearest to a point or line at which a fighter can stand, worked out.

What is free is bounded by circles about other bases and corners, by lines beside walls, platforms and the table's
edges; the nearest free place is the foot of the point or line on one of these, or where two of them cross. If none of
these will do, nothing does.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from umpire.games.warcry.state import Fighter, State
from umpire.space.havens import Disc, Line, corners, feet, from_line, round_about
from umpire.space.measure import share_heights
from umpire.space.paths import Segment
from umpire.space.shapes import Base, Point, Round, snap

HAIR = 0.0007
"""Places are looked for this far on the good side of an edge, where rounding to thousandths does no harm."""
BESIDE = tuple(itertools.product((0.0, 0.001, -0.001), repeat=2))


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
