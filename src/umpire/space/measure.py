"""Distances, within and wholly within, overlap and contact."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from .angles import turned
from .packs import Floats, Pack, kernel, pack, packed
from .shapes import (
    TOLERANCE,
    Base,
    Hull,
    Oval,
    Point,
    Prism,
    Rect,
    Round,
    Thing,
    convex_parts,
    world_points,
)


def within(distance: float, limit: float) -> bool:
    """Whether a measured distance is within a limit: exactly the limit is within."""
    return distance <= limit + TOLERANCE


def separation(a: Thing, b: Thing) -> float:
    """Horizontal distance between two footprints; negative is how deep they overlap."""
    if type(a) is Base and type(b) is Base:
        s, t = a.shape, b.shape
        if type(s) is Round and type(t) is Round:
            dx, dy = a.x - b.x, a.y - b.y
            return math.sqrt(dx * dx + dy * dy) - s.radius - t.radius
        if type(s) is Rect and type(t) is Rect:
            s1, c1 = turned(a.facing)
            s2, c2 = turned(b.facing)
            return kernel().rectangles(  # type: ignore[no-any-return]
                a.x, a.y, s.width, s.depth, s1, c1, b.x, b.y, t.width, t.depth, s2, c2
            )
        if type(s) in _CURVED and type(t) in _CURVED:
            return kernel().bases(a.x, a.y, *_radii(a, s), b.x, b.y, *_radii(b, t))  # type: ignore[no-any-return]
    elif type(a) is Base and type(b) is Prism and type(a.shape) is Round:
        ring = _ring(b.points)
        if ring is not None:
            return _round_from_ring(a.x, a.y, ring) - a.shape.radius
    if type(a) is Base and type(a.shape) is Rect:
        return from_pack(a, packed((b,)))
    p, q = packed((a,)), packed((b,))
    return kernel().nearest(p.rows, p.verts, q.rows, q.verts)[0]  # type: ignore[no-any-return]


_CURVED = (Round, Oval)


def _radii(base: Base, shape: Any) -> tuple[float, float, float, float]:
    """A round or oval base as the kernel takes it: radii, and how it is turned."""
    if type(shape) is Round:
        return shape.radius, 0.0, 0.0, 1.0
    return (shape.rx, shape.ry, *turned(base.facing))


def from_pack(base: Base, pack: Pack) -> float:
    """The separation of a rectangle from the nearest of things that are packed, without packing it."""
    shape = base.shape
    assert type(shape) is Rect
    s, c = turned(base.facing)
    return kernel().rectangle_from(  # type: ignore[no-any-return]
        base.x, base.y, shape.width, shape.depth, s, c, pack.rows, pack.verts
    )


Ring = tuple[tuple[float, float, float, float, float], ...]


@lru_cache(maxsize=4096)
def _ring(points: tuple[Point, ...]) -> Ring | None:
    """The edges of a convex polygon as start, direction and length; None for any other outline."""
    parts = convex_parts(points)
    if len(parts) != 1 or len(parts[0]) < 3:
        return None
    out = []
    for (ax, ay), (bx, by) in zip(parts[0], parts[0][1:] + parts[0][:1], strict=True):
        length = math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
        out.append((ax, ay, (bx - ax) / length, (by - ay) / length, length))
    return tuple(out)


def _round_from_ring(x: float, y: float, ring: Ring) -> float:
    """Distance of a point from a convex polygon, negative inside: faster for one pair than calling the kernel."""
    inside = -math.inf
    outside = math.inf
    for ax, ay, ux, uy, length in ring:
        px, py = x - ax, y - ay
        across = px * uy - py * ux
        if across > inside:
            inside = across
        if across > 0.0:
            along = px * ux + py * uy
            if along < 0.0:
                along = 0.0
            elif along > length:
                along = length
            px, py = px - along * ux, py - along * uy
            square = px * px + py * py
            if square < outside:
                outside = square
    return inside if inside <= 0.0 else math.sqrt(outside)


def distance(a: Thing, b: Thing) -> float:
    """Shortest horizontal distance between two footprints; 0 where they touch or overlap."""
    if type(a) is Base and type(b) is Base:
        s, t = a.shape, b.shape
        if type(s) is Round and type(t) is Round:
            dx, dy = a.x - b.x, a.y - b.y
            d = math.sqrt(dx * dx + dy * dy) - s.radius - t.radius
            return d if d > 0.0 else 0.0
    d = separation(a, b)
    return d if d > 0.0 else 0.0


def floor_of(thing: Thing) -> float:
    return thing.floor if isinstance(thing, Prism) else thing.z


def vertical(a: Thing, b: Thing) -> float:
    """Vertical gap between two volumes; 0 where their heights overlap."""
    return max(0.0, floor_of(a) - b.top, floor_of(b) - a.top)


def true_distance(a: Thing, b: Thing) -> float:
    """Shortest distance in three dimensions between two volumes."""
    d, v = distance(a, b), vertical(a, b)
    return math.sqrt(d * d + v * v) if v else d


def furthest(a: Thing, b: Thing) -> float:
    """Horizontal distance from b of that part of a that is furthest from it."""
    p, q = pack((a,)), pack((b,))
    k = kernel()
    if len(q.rows) == 1:
        return max(k.furthest(p.rows, p.verts, i, q.rows, q.verts, 0) for i in range(len(p.rows)))  # type: ignore[no-any-return]
    return furthest_of_any(a, (b,))


def furthest_of_any(a: Thing, others: Sequence[Thing] | Pack) -> float:
    """Like `furthest`, each point of a measured to whichever of the others is nearest to it.

    Distance changes no faster than one moves, so a square of a whose centre is near enough needs no closer look.
    """
    p, q = pack((a,)), pack(others)
    x0, y0, x1, y1 = bounds(a)
    half = max(x1 - x0, y1 - y0, 1e-6) / 2
    squares = np.array([[(x0 + x1) / 2, (y0 + y1) / 2]])
    best = 0.0
    while len(squares):
        reach = half * math.sqrt(2.0)
        outside = _point_separations(squares, p)
        away = _point_separations(squares, q)
        best = max(best, float(away[outside <= 0.0].max(initial=0.0)))
        squares = squares[(outside <= reach) & (away + reach > best + 2 * TOLERANCE)]
        half /= 2
        squares = np.concatenate([squares + half * np.array(way) for way in ((-1, -1), (-1, 1), (1, -1), (1, 1))])
    return best


def _point_separations(points: Floats, others: Pack) -> Floats:
    rows = np.zeros((len(points), 12))
    rows[:, 1:3] = points
    rows[:, 10] = np.arange(len(points))
    rows[:, 11] = 1.0
    parts = kernel().matrix(rows, np.ascontiguousarray(points), others.rows, others.verts)
    return parts.min(axis=1)  # type: ignore[no-any-return]


def overlap(a: Thing, b: Thing) -> bool:
    """Whether two footprints cover common ground: touching is not overlapping."""
    return separation(a, b) < -TOLERANCE


def collide(a: Thing, b: Thing) -> bool:
    """Whether two volumes share space: standing on, beside or under is not sharing."""
    return share_heights(a, b) and overlap(a, b)


def share_heights(a: Thing, b: Thing) -> bool:
    """Whether two volumes are in each other's way by height; a flat thing is in the way of what is level with it."""
    a0, a1, b0, b1 = floor_of(a), a.top, floor_of(b), b.top
    low = b0 + TOLERANCE if a1 > a0 + TOLERANCE else b0 - TOLERANCE
    high = b1 - TOLERANCE if b1 > b0 + TOLERANCE else b1 + TOLERANCE
    return a1 > low and a0 < high


def edges(thing: Thing) -> list[tuple[Point, Point]]:
    """The straight edges of a footprint; round and oval bases have none."""
    if isinstance(thing, Base):
        if not isinstance(thing.shape, Rect | Hull):
            return []
        points = world_points(thing)
    else:
        points = thing.points
    return list(zip(points, points[1:] + points[:1], strict=True))


def inside(a: Thing, region: Thing) -> bool:
    """Whether a footprint lies wholly on a region, its edge included; the region may be concave."""
    p = pack((a,))
    # A point of its inside: a corner might lie on the region's edge while all else lies beyond.
    if not covers(region, float(p.rows[0, 1]), float(p.rows[0, 2])):
        return False
    if isinstance(region, Base) and isinstance(region.shape, Round | Oval):
        return furthest(a, region) <= TOLERANCE
    walls = pack([Base(Hull(edge)) for edge in edges(region)])
    return bool(kernel().nearest(p.rows, p.verts, walls.rows, walls.verts)[0] >= -TOLERANCE)


def covers(region: Thing, x: float, y: float) -> bool:
    """Whether a point lies on a region, its edge included."""
    return separation(Base(Round(0.0), x, y), region) <= TOLERANCE


def bounds(thing: Thing) -> tuple[float, float, float, float]:
    """The smallest upright box round a footprint: x0, y0, x1, y1."""
    if isinstance(thing, Base) and isinstance(thing.shape, Round | Oval):
        shape = thing.shape
        if isinstance(shape, Round):
            ex = ey = shape.radius
        else:
            s, c = turned(thing.facing)
            ex = math.sqrt((shape.rx * c) ** 2 + (shape.ry * s) ** 2)
            ey = math.sqrt((shape.rx * s) ** 2 + (shape.ry * c) ** 2)
        return thing.x - ex, thing.y - ey, thing.x + ex, thing.y + ey
    points = world_points(thing) if isinstance(thing, Base) else thing.points
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), min(ys), max(xs), max(ys)


def on_table(a: Thing, width: float, depth: float) -> bool:
    """Whether a footprint lies wholly on a table whose corner is the origin."""
    x0, y0, x1, y1 = bounds(a)
    return x0 >= -TOLERANCE and y0 >= -TOLERANCE and x1 <= width + TOLERANCE and y1 <= depth + TOLERANCE


def closest_points(a: Thing, b: Thing) -> tuple[Point, Point]:
    """The points of two footprints that are nearest to each other; where they overlap, those of deepest overlap."""
    return closest_between(packed((a,)), packed((b,)))


def closest_between(p: Pack, q: Pack) -> tuple[Point, Point]:
    """Like `closest_points`, of two groups."""
    k = kernel()
    _, i, j, nx, ny = k.nearest(p.rows, p.verts, q.rows, q.verts)
    # Where faces lie parallel the nearest points are not single ones: take the middle of what the faces share.
    tx, ty = -ny, nx
    here, low_a, high_a = _face(p, i, nx, ny, tx, ty)
    there, low_b, high_b = _face(q, j, -nx, -ny, tx, ty)
    middle = (max(low_a, low_b) + min(high_a, high_b)) / 2
    return (nx * here + tx * middle, ny * here + ty * middle), (tx * middle - nx * there, ty * middle - ny * there)


def _face(p: Pack, i: int, dx: float, dy: float, tx: float, ty: float) -> tuple[float, float, float]:
    """How far towards (dx, dy) a footprint reaches, and where along (tx, ty) its face there begins and ends."""
    row = p.rows[i].tolist()
    if row[0] == 1.0:
        x, y = kernel().support(p.rows, p.verts, i, dx, dy)
        at = x * tx + y * ty
        return x * dx + y * dy, at, at
    points = p.verts[int(row[10]) : int(row[10]) + int(row[11])].tolist()
    heights = [x * dx + y * dy for x, y in points]
    top = max(heights)
    along = [x * tx + y * ty for (x, y), h in zip(points, heights, strict=True) if h >= top - 1e-6]
    return top + row[3], min(along), max(along)
