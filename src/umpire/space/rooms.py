"""The places near a point or line at which round bodies can stand, the nearest of them worked out.

What is free is bounded by circles about other bases and corners, by lines beside walls, platforms and the table's
edges; the nearest free place is the foot of the point or line on one of these, or where two of them cross. If none of
these will do, nothing does.
"""

import itertools
import math
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


def ringed(floors: Floors, r: float, line: Line, floor_only: bool = False) -> Iterator[tuple[float, float, float]]:
    """Places to try for a round base near the middle of a line, on rings one about the other."""
    x0, y0 = (line[0] + line[2]) / 2, (line[1] + line[3]) / 2
    for step in range(120):
        far = step * 0.25
        count = max(12, int(far * 8))
        for k in range(count if step else 1):
            angle = 2 * math.pi * k / count
            x = snap(min(max(x0 + far * math.cos(angle), r), floors.width - r))
            y = snap(min(max(y0 + far * math.sin(angle), r), floors.depth - r))
            for z in (0.0,) if floor_only else floors.surfaces(x, y):
                yield x, y, z


def free(
    floors: Floors,
    body: Base,
    line: Line,
    bodies: Sequence[Base],
    fits: Callable[[Base], bool],
    floor_only: bool = False,
) -> Base | None:
    """The free place nearest to a point or line: some place is found by rings, and what is nearer worked out."""
    r = body.shape.radius  # type: ignore[union-attr]
    tried = (body.at(x, y, z) for x, y, z in ringed(floors, r, line, floor_only))
    some = next(filter(fits, tried), None)
    most = from_line(line, some.x, some.y) if some is not None else 60.0
    if most == 0.0:
        return some
    spots = places(floors, body, line, most, bodies, floor_only=floor_only)
    return next(nearest(body, spots, fits), some)


def packed(
    floors: Floors,
    left: Sequence[tuple[Base, float]],
    line: Line,
    bodies: Sequence[Base],
    fits: Callable[[int, Base, Sequence[Base]], bool],
    tries: int,
) -> list[Base] | None:
    """Bodies side by side, the middle of each within so much of a point or line, in a corner of what those before it
    leave, the first of them at every corner; None if none of so many arrangements will do. `fits` is asked of a body by
    its number, with those that stand already."""
    made = 0

    def rest(done: list[Base]) -> list[Base] | None:
        nonlocal made
        n = len(done)
        if n == len(left):
            return done
        body, most = left[n]
        spots = places(floors, body, line, most, [*bodies, *done])
        for base in nearest(body, spots[::-1] if n + 1 < len(left) else spots, lambda base: fits(n, base, done)):
            made += 1
            whole = rest([*done, base])
            if whole is not None or made >= tries:
                return whole
        return None

    return rest([])


def beside(line: Line, t: float, far: float, angle: float) -> Point:
    """The point so far off a place of a line, `t` of the way along it."""
    ax, ay, bx, by = line
    return ax + (bx - ax) * t + far * math.cos(angle), ay + (by - ay) * t + far * math.sin(angle)


def outline(line: Line, far: float) -> tuple[Point, ...]:
    """The ground within so much of a point or line: a disc, or a strip with round ends."""
    ax, ay, bx, by = line
    angle = math.atan2(by - ay, bx - ax)
    return tuple(
        (cx + far * math.cos(angle + a), cy + far * math.sin(angle + a))
        for cx, cy, start in ((bx, by, -math.pi / 2), (ax, ay, math.pi / 2))
        for a in (start + k * math.pi / 12 for k in range(13))
    )
