"""Where a round base can get to that lies in all of some discs and outside all of some others: found, or proved away.

A base moves past obstacles; its centre is to end within `inside` discs and beyond `outside` ones. The nearest such
place by the shortest way lies where a straight last leg meets the edge of a disc square on, where such a leg leaves an
obstacle that it went round, or where two edges cross: finitely many places, and if none of them will do, none does.
Whatever else stands there (walls to be climbed, bases that are not round) is left to who asks: to leave things out, or
to take the circles inside them, can only make more places good, so that a "no" still holds.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from .angles import sin_cos
from .packs import Floats
from .paths import Reach, Route, Segment, reach
from .plain import point_segment, sweep_over
from .shapes import TOLERANCE, Base, Point, Prism, Round, Thing

Disc = tuple[float, float, float]
"""The middle and the radius of a disc."""
Line = tuple[float, float, float, float]
"""A segment from one point to another; a point is one that ends where it begins."""

HAIR = 0.0002
"""Places are looked for this far on the good side of an edge, where rounding does no harm: less than lengths differ."""


def haven(
    x: float,
    y: float,
    r: float,
    budget: float,
    obstacles: Sequence[Disc],
    inside: Sequence[Disc] = (),
    outside: Sequence[Disc] = (),
    table: tuple[float, float] | None = None,
    blocks: Sequence[Sequence[Point]] = (),
) -> tuple[float, float, float] | None:
    """The nearest place (x, y, length of the way there) for a base of radius r within a budget; None if there is none.

    Discs are those of the base's centre: radii include its own. Obstacles and blocks, which are convex polygons, are as
    they stand; the base may touch them.
    """
    near = [d for d in outside if math.hypot(d[0] - x, d[1] - y) <= budget + d[2] + 1.0]
    walls = [d for d in obstacles if math.hypot(d[0] - x, d[1] - y) <= budget + d[2] + r + 1.0]
    if any(math.hypot(d[0] - x, d[1] - y) > budget + d[2] + TOLERANCE for d in inside):
        return None
    things: list[Thing] = [Base(Round(d[2]), d[0], d[1]) for d in walls]
    things += [Prism(tuple(points)) for points in blocks]
    ground = reach(Base(Round(r), x, y), budget, things, 0.0, table)
    # A way bends round the corners of a block as round a body without any width.
    corners = [(px, py, 0.0) for points in blocks for px, py in points]
    spots = candidates(x, y, r, [*walls, *corners], inside, near, table)
    if blocks:
        rings = [(dx, dy, radius - HAIR) for dx, dy, radius in inside]
        rings += [(dx, dy, radius + HAIR) for dx, dy, radius in near]
        spots = np.concatenate((spots, _beside_blocks(rings, blocks, r + HAIR)))
    return _best(ground, spots, walls, inside, near, r)


def _beside_blocks(rings: Sequence[Disc], blocks: Sequence[Sequence[Point]], by: float) -> Floats:
    """Where the edges of discs cross the lines that run so far beside blocks."""
    lines = [_beside(a, b, by, side) for points in blocks for a, b in _edges(points) for side in (1.0, -1.0)]
    found = [point for ring in rings for line in lines for point in _on_line(ring, *line)]
    return np.array(found, dtype=np.float64).reshape(-1, 2)


def has_haven(
    x: float,
    y: float,
    r: float,
    budget: float,
    obstacles: Sequence[Disc],
    inside: Sequence[Disc] = (),
    outside: Sequence[Disc] = (),
    table: tuple[float, float] | None = None,
    blocks: Sequence[Sequence[Point]] = (),
) -> bool:
    """Is there such a place at all? Straight ways in a few directions are looked at first, which settle most cases."""
    near = [d for d in outside if (d[0] - x) ** 2 + (d[1] - y) ** 2 <= (budget + d[2]) ** 2]
    walls = [
        (d[0], d[1], (d[2] + r - TOLERANCE) ** 2)
        for d in obstacles
        if (d[0] - x) ** 2 + (d[1] - y) ** 2 <= (budget + d[2] + r) ** 2
    ]
    for px, py in _straight(x, y, budget, inside, near):
        if table is not None and not (r <= px <= table[0] - r and r <= py <= table[1] - r):
            continue
        if any((d[0] - px) ** 2 + (d[1] - py) ** 2 <= d[2] * d[2] for d in near):
            continue
        if any((d[0] - px) ** 2 + (d[1] - py) ** 2 > d[2] * d[2] for d in inside):
            continue
        if any(point_segment(dx, dy, x, y, px, py) < square for dx, dy, square in walls):
            continue
        if not any(sweep_over(points, r, x, y, px, py) for points in blocks):
            return True
    return haven(x, y, r, budget, obstacles, inside, outside, table, blocks) is not None


def _straight(x: float, y: float, budget: float, inside: Sequence[Disc], outside: Sequence[Disc]) -> Iterator[Point]:
    """Places to which a straight way may lead: a little way into what it is to end in, or away from what it is not."""
    if inside:
        for dx, dy, radius in inside:
            far = math.hypot(dx - x, dy - y)
            for stop in (radius - HAIR, radius * 0.5):
                go = max(0.0, far - stop)
                if go <= budget:
                    part = go / far if far > 0.0 else 0.0
                    yield x + (dx - x) * part, y + (dy - y) * part
        return
    ox = oy = 0.0
    for dx, dy, _ in outside:
        ox, oy = ox + x - dx, oy + y - dy
    away = math.hypot(ox, oy)
    ux, uy = (ox / away, oy / away) if away > 0.0 else (1.0, 0.0)
    for part in (0.999, 0.5):
        for s, c in _SIXTEEN:
            yield x + (ux * c - uy * s) * budget * part, y + (ux * s + uy * c) * budget * part


_SIXTEEN = tuple(sin_cos(22.5 * (k // 2) * (1 if k % 2 else -1)) for k in range(1, 17))
"""Directions from straight ahead to straight back, by turns to either side."""


def clearing(
    base: Base,
    budget: float,
    things: Sequence[Thing],
    outside: Sequence[Disc],
    table: tuple[float, float] | None = None,
    fence: Sequence[Segment] = (),
    clearance: float = 0.0,
) -> Iterator[Route]:
    """The ways of a round base, the shortest first, to places beyond all of some discs of its centre, past round and
    polygonal things, which it keeps so clear of; the centre does not cross a fence. If there is none without clearance,
    there is no such place within the budget.

    The nearest place lies on the edge of a disc: where a straight last leg meets it square on, at the end of a tangent
    to what it went round, or where the edge crosses another, a table's or fence's edge, or what surrounds a thing.
    """
    assert isinstance(base.shape, Round)
    r, x, y = base.shape.radius, base.x, base.y
    near = [d for d in outside if math.hypot(d[0] - x, d[1] - y) <= budget + d[2] + 1.0]
    walls: list[Disc] = []
    lines: list[tuple[Point, Point]] = []
    for thing in things:
        if isinstance(thing, Base) and isinstance(thing.shape, Round):
            walls.append((thing.x, thing.y, thing.shape.radius))
            continue
        points = thing.corners() if isinstance(thing, Base) else thing.points
        walls += [(px, py, 0.0) for px, py in points]
        lines += [_beside(a, b, r + clearance + HAIR, side) for a, b in _edges(points) for side in (1.0, -1.0)]
    lines += [_beside(a, b, HAIR, side) for a, b in fence for side in (1.0, -1.0)]
    rings = [(dx, dy, radius + HAIR) for dx, dy, radius in near]
    spots = [tuple(spot) for spot in candidates(x, y, r + clearance, walls, (), near, table).tolist()]
    spots += [point for ring in rings for line in lines for point in _on_line(ring, *line)]
    found = np.array(spots, dtype=np.float64).reshape(-1, 2)
    found = found[_good(found, (), near)]
    ground = reach(base, budget, things, clearance, table, fence)
    costs = ground.costs(found)
    for k in np.argsort(costs, kind="stable").tolist():
        if not math.isfinite(costs[k]):
            return
        way = ground.path(float(found[k, 0]), float(found[k, 1]))
        if way is not None:
            yield way


def corners(rings: Sequence[Disc], lines: Sequence[tuple[Point, Point]]) -> list[Point]:
    """Where circles and segments cross each other: the corners of whatever they bound."""
    return [(x, y) for some in corners_by_ring(rings, lines) for x, y in some.tolist()]


TOGETHER = 6000
"""So many pairs of what may cross are looked at together."""


def corners_by_ring(rings: Sequence[Disc], lines: Sequence[tuple[Point, Point]]) -> Iterator[Floats]:
    """The same, those on some circles at a time, found when they are wanted; where segments cross each other, last."""
    round_ones = np.array(rings, dtype=np.float64).reshape(-1, 3)
    straight = np.array([_directed(*line) for line in lines], dtype=np.float64).reshape(-1, 5)
    stride = max(1, TOGETHER // max(1, len(rings) + len(lines)))
    for first in range(0, len(rings), stride):
        some = round_ones[first : first + stride]
        rows, points = _on_circles(some, round_ones[first + 1 :])
        line_rows, on_lines = _on_lines(some, straight)
        order = np.argsort(np.concatenate((2 * rows, 2 * line_rows + 1)), kind="stable")
        yield np.concatenate((points, on_lines))[order]
    found: list[Point] = []
    for n, (a, b) in enumerate(lines):
        for c, d in lines[n + 1 :]:
            ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
            across = ux * vy - uy * vx
            if abs(across) > 1e-12:
                t = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / across
                s = ((c[0] - a[0]) * uy - (c[1] - a[1]) * ux) / across
                if 0.0 <= t <= 1.0 and 0.0 <= s <= 1.0:
                    found.append((a[0] + t * ux, a[1] + t * uy))
    yield np.array(found, dtype=np.float64).reshape(-1, 2)


def _on_circles(some: Floats, others: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """Where each of some circles crosses those that come after it, the first of which is the second of these (see
    `crossings`): the circles' numbers, and the points."""
    dx = others[:, 0] - some[:, :1]
    dy = others[:, 1] - some[:, 1:2]
    far = np.sqrt(dx * dx + dy * dy)
    own, theirs = some[:, 2:], others[:, 2]
    cross = (far <= own + theirs) & (far >= np.abs(own - theirs)) & (far != 0.0)
    rows, columns = np.nonzero(np.triu(cross))
    far, own, theirs = far[rows, columns], own[rows, 0], theirs[columns]
    along = (far * far + own * own - theirs * theirs) / (2 * far)
    across = np.sqrt(np.maximum(0.0, own * own - along * along))
    ux, uy = dx[rows, columns] / far, dy[rows, columns] / far
    mx, my = some[rows, 0] + ux * along, some[rows, 1] + uy * along
    found = np.stack((mx - uy * across, my + ux * across, mx + uy * across, my - ux * across), axis=1)
    return np.repeat(rows, 2), found.reshape(-1, 2)


def _directed(a: Point, b: Point) -> tuple[float, float, float, float, float]:
    """Where a segment begins, its direction and its length."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy)
    return a[0], a[1], dx / length, dy / length, length


def _on_lines(some: Floats, lines: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """Where each of some circles crosses segments (see `_on_line`): the circles' numbers, and the points."""
    dx, dy = some[:, :1] - lines[:, 0], some[:, 1:2] - lines[:, 1]
    ux, uy = lines[:, 2], lines[:, 3]
    away = dx * uy - dy * ux
    square = some[:, 2:] * some[:, 2:] - away * away
    rows, columns = np.nonzero(square >= 0.0)
    half = np.sqrt(square[rows, columns])
    along = (dx * ux + dy * uy)[rows, columns]
    at = np.stack((along + half, along - half), axis=1).ravel()
    rows, columns = np.repeat(rows, 2), np.repeat(columns, 2)
    on = (at >= 0.0) & (at <= lines[columns, 4])
    at, rows, columns = at[on], rows[on], columns[on]
    points = np.stack((lines[columns, 0] + ux[columns] * at, lines[columns, 1] + uy[columns] * at), axis=1)
    return rows, points


def from_line(line: Line, x: float, y: float) -> float:
    """The horizontal distance of a point from a line."""
    ax, ay, bx, by = line
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    t = 0.0 if square == 0.0 else max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / square))
    return math.hypot(x - ax - t * dx, y - ay - t * dy)


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


def round_about(points: Sequence[Point], by: float) -> tuple[list[Disc], list[tuple[Point, Point]]]:
    """What bounds the places that are so far from a polygon: circles about its corners, lines beside its edges."""
    discs = [(x, y, by) for x, y in points]
    return discs, [_beside(a, b, by, side) for a, b in _edges(points) for side in (1.0, -1.0)]


def tangents(x: float, y: float, ring: Disc, far: float) -> list[tuple[Point, Point]]:
    """The two lines from a point that touch a circle, so far."""
    dx, dy = ring[0] - x, ring[1] - y
    away = math.hypot(dx, dy)
    if away <= ring[2]:
        return []
    sine = ring[2] / away
    cosine = math.sqrt(1.0 - sine * sine)
    return [
        ((x, y), (x + (dx * cosine - dy * turn) / away * far, y + (dx * turn + dy * cosine) / away * far))
        for turn in (sine, -sine)
    ]


def _edges(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    return list(zip(points, (*points[1:], *points[:1]), strict=True))


def _beside(a: Point, b: Point, by: float, side: float) -> tuple[Point, Point]:
    """A segment moved aside."""
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    nx, ny = (b[1] - a[1]) / length * by * side, (a[0] - b[0]) / length * by * side
    return (a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny)


def _on_line(ring: Disc, a: Point, b: Point) -> list[Point]:
    """Where a circle crosses a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy)
    ux, uy = dx / length, dy / length
    along = (ring[0] - a[0]) * ux + (ring[1] - a[1]) * uy
    away = (ring[0] - a[0]) * uy - (ring[1] - a[1]) * ux
    found = (along + part for part in _chord(away, ring[2]))
    return [(a[0] + ux * t, a[1] + uy * t) for t in found if 0.0 <= t <= length]


def place(
    r: float, inside: Sequence[Disc], outside: Sequence[Disc], table: tuple[float, float] | None = None
) -> Point | None:
    """A place for the middle of a round base within all of some discs and beyond all of others; None if there is none.

    What is left of the discs has a corner where two edges cross, or its edge is a whole circle.
    """
    rings = [(x, y, radius - HAIR) for x, y, radius in inside]
    rings += [(x, y, radius + HAIR) for x, y, radius in outside]
    found: list[Point] = []
    for n, a in enumerate(rings):
        found += [(a[0] + a[2], a[1]), (a[0] - a[2], a[1]), (a[0], a[1] + a[2]), (a[0], a[1] - a[2])]
        for b in rings[n + 1 :]:
            found += crossings(a, b)
    found += [(x, y) for x, y, _ in inside]
    found += _at_the_table(r, rings, table)
    spots = np.array(found, dtype=np.float64).reshape(-1, 2)
    good = _good(spots, inside, outside)
    if table is not None:
        low, right, top = r - TOLERANCE, table[0] - r + TOLERANCE, table[1] - r + TOLERANCE
        good &= (spots[:, 0] >= low) & (spots[:, 0] <= right) & (spots[:, 1] >= low) & (spots[:, 1] <= top)
    spots = spots[good]
    return (float(spots[0, 0]), float(spots[0, 1])) if len(spots) else None


def _good(spots: Floats, inside: Sequence[Disc], outside: Sequence[Disc]) -> npt.NDArray[np.bool_]:
    good = np.ones(len(spots), dtype=np.bool_)
    for dx, dy, radius in inside:
        good &= np.hypot(spots[:, 0] - dx, spots[:, 1] - dy) <= radius + TOLERANCE / 2
    for dx, dy, radius in outside:
        good &= np.hypot(spots[:, 0] - dx, spots[:, 1] - dy) > radius - TOLERANCE / 2
    return good


def _best(
    ground: Reach, spots: Floats, walls: Sequence[Disc], inside: Sequence[Disc], outside: Sequence[Disc], r: float
) -> tuple[float, float, float] | None:
    good = _good(spots, inside, outside)
    for dx, dy, radius in walls:
        good &= np.hypot(spots[:, 0] - dx, spots[:, 1] - dy) >= radius + r - TOLERANCE
    spots = spots[good]
    if not len(spots):
        return None
    costs = ground.costs(spots)
    k = int(np.argmin(costs))
    if not math.isfinite(costs[k]):
        return None
    return float(spots[k, 0]), float(spots[k, 1]), float(costs[k])


def candidates(
    x: float,
    y: float,
    r: float,
    walls: Sequence[Disc],
    inside: Sequence[Disc],
    outside: Sequence[Disc],
    table: tuple[float, float] | None,
) -> Floats:
    """Every place that can be the nearest one."""
    grown = [(dx, dy, radius + r) for dx, dy, radius in walls]
    edges = [(dx, dy, radius - HAIR) for dx, dy, radius in inside]
    edges += [(dx, dy, radius + HAIR) for dx, dy, radius in outside]
    found: list[Point] = [(x, y)]
    for dx, dy, radius in edges:
        far = math.hypot(x - dx, y - dy)
        if far > 0.0:
            ux, uy = (x - dx) / far, (y - dy) / far
            found += [(dx + ux * radius, dy + uy * radius), (dx - ux * radius, dy - uy * radius)]
        else:
            found.append((dx + radius, dy))
        for wall in grown:
            found += _square_on((dx, dy, radius), wall)
    rings = edges + [(dx, dy, radius + HAIR) for dx, dy, radius in grown]
    for n, a in enumerate(rings):
        for b in rings[n + 1 :]:
            found += crossings(a, b)
    found += _at_the_table(r, rings, table)
    return np.array(found, dtype=np.float64).reshape(-1, 2)


def _at_the_table(r: float, rings: Sequence[Disc], table: tuple[float, float] | None) -> list[Point]:
    """Where a base of this radius at the edge of the table stands on an edge of a disc, and the table's corners."""
    if table is None:
        return []
    low, right, top = r, table[0] - r, table[1] - r
    found: list[Point] = [(low, low), (right, low), (low, top), (right, top)]
    for dx, dy, radius in rings:
        for line in (low, right):
            found += [(line, dy + side) for side in _chord(line - dx, radius)]
        for line in (low, top):
            found += [(dx + side, line) for side in _chord(line - dy, radius)]
    return found


def _chord(away: float, radius: float) -> tuple[float, ...]:
    """Where a line so far from the middle of a circle crosses it."""
    square = radius * radius - away * away
    return () if square < 0.0 else (math.sqrt(square), -math.sqrt(square))


def crossings(a: Disc, b: Disc) -> list[Point]:
    """Where two circles cross."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    far = math.sqrt(dx * dx + dy * dy)
    if far == 0.0 or far > a[2] + b[2] or far < abs(a[2] - b[2]):
        return []
    along = (far * far + a[2] * a[2] - b[2] * b[2]) / (2 * far)
    across = math.sqrt(max(0.0, a[2] * a[2] - along * along))
    ux, uy = dx / far, dy / far
    mx, my = a[0] + ux * along, a[1] + uy * along
    return [(mx - uy * across, my + ux * across), (mx + uy * across, my - ux * across)]


def _square_on(edge: Disc, wall: Disc) -> list[Point]:
    """Where a leg that leaves a wall at a tangent meets an edge square on: on lines through the edge's middle."""
    dx, dy = wall[0] - edge[0], wall[1] - edge[1]
    far = math.sqrt(dx * dx + dy * dy)
    if far <= wall[2]:
        return []
    sine = wall[2] / far
    cosine = math.sqrt(1.0 - sine * sine)
    out = []
    for turn in (sine, -sine):
        ux, uy = (dx * cosine - dy * turn) / far, (dx * turn + dy * cosine) / far
        out += [(edge[0] + ux * edge[2], edge[1] + uy * edge[2]), (edge[0] - ux * edge[2], edge[1] - uy * edge[2])]
    return out
