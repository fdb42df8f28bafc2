"""The place nearest to a point or line at which a round body can stand, worked out.

What is free is bounded by circles about other bases and corners, by lines beside walls, platforms and the table's
edges; the nearest free place is the foot of the point or line on one of these, or where two of them cross. If none of
these will do, nothing does.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

from .floors import Floors
from .havens import Disc, Line, corners, feet, from_line, round_about
from .measure import share_heights
from .plates import Plate, Segment
from .shapes import Base, Point, Prism, Round, snap

HAIR = 0.0007
"""Places are looked for this far on the good side of an edge, where rounding to thousandths does no harm."""
BESIDE = tuple(itertools.product((0.0, 0.001, -0.001), repeat=2))
Box = tuple[float, float, float, float]


def bounds(
    floors: Floors, r: float, bodies: Iterable[Base], walls: Iterable[Prism], plates: Iterable[Plate]
) -> tuple[list[Disc], list[Segment]]:
    """What bounds the places of the middle of a round base: circles about bodies and corners, lines beside walls, at
    the edges of level ground and of the table."""
    rings = [(other.x, other.y, other.shape.radius + r + HAIR) for other in bodies if isinstance(other.shape, Round)]
    lines: list[Segment] = []
    for prism in walls:
        discs, beside = round_about(prism.points, r + HAIR)
        rings += discs
        lines += beside
    for plate in plates:
        lines += round_about(floors.tops[plate.tag][0], HAIR)[1]  # type: ignore[index]
    wide, deep = floors.width - r, floors.depth - r
    table = ((r, r), (wide, r), (wide, deep), (r, deep))
    return rings, [*lines, *zip(table, (*table[1:], table[0]), strict=True)]


def _bounds_at(floors: Floors, level: Base, box: Box, bodies: Sequence[Base]) -> tuple[list[Disc], list[Segment]]:
    """The same for a body at its height, within a box."""
    r, z = level.shape.radius, level.z  # type: ignore[union-attr]
    x0, y0, x1, y1 = box
    walls = (p for _, p in floors.near(x0 - r, y0 - r, x1 + r, y1 + r) if p.floor < level.top and p.top > z)
    plates = (plate for plate in floors.plates if z > 0.0 and abs(plate.z - z) < HAIR)
    close = []
    for other in bodies:
        far = other.shape.radius + r + HAIR  # type: ignore[union-attr]
        inside = x0 - far <= other.x <= x1 + far and y0 - far <= other.y <= y1 + far
        if inside and share_heights(level, other):
            close.append(other)
    return bounds(floors, r, close, walls, plates)


def places(
    floors: Floors,
    body: Base,
    line: Line,
    most: float,
    bodies: Sequence[Base],
    *,
    floor_only: bool = False,
    shy: Callable[[float], Sequence[Disc]] | None = None,
) -> list[tuple[float, Point, float]]:
    """Every place of a body beside others that can be the nearest to a point or line, within so many inches of it: how
    far it is, where, at which height; the nearest first. `shy` tells what else to keep its middle out of at a
    height."""
    ax, ay, bx, by = line
    box = min(ax, bx) - most, min(ay, by) - most, max(ax, bx) + most, max(ay, by) + most
    found: dict[tuple[Point, float], float] = {}
    for z in (0.0,) if floor_only else floors.levels:
        rings, lines = _bounds_at(floors, body.at(0.0, 0.0, z), box, bodies)
        if shy is not None:
            rings += [(x, y, radius + HAIR) for x, y, radius in shy(z)]
        own = [((ax, ay), (bx, by))] if (ax, ay) != (bx, by) else []
        for x, y in (*feet(line, rings, lines), *corners(rings, [*lines, *own])):
            far = from_line(line, x, y)
            if far <= most:
                found[(round(x, 5), round(y, 5)), z] = far
    return sorted((far, spot, z) for (spot, z), far in found.items())


def nearest(body: Base, spots: Sequence[tuple[float, Point, float]], fits: Callable[[Base], bool]) -> Iterator[Base]:
    """A body at those of these places, the nearest first, at which it fits; each also a thousandth to every side."""
    for _, (x, y), z in spots:
        for dx, dy in BESIDE:
            base = body.at(snap(x + dx), snap(y + dy), z)
            if fits(base):
                yield base
                break
