"""Shortest paths for a base round obstacles, and all that it can reach.

A base keeps its facing on the way. Round and rectangular bases among round, rectangular and polygonal obstacles are
exact; an oval is replaced by a polygon of 32 sides round it, so a path keeps up to 1/100 inch further from one than it
must.
"""

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np
import numpy.typing as npt

from .angles import sin_cos
from .measure import share_heights
from .packs import Floats, Pack, kernel, pack
from .shapes import TOLERANCE, Base, Oval, Point, Round, Thing, convex_hull, convex_parts, minkowski

_FAR = 1e6
_OFF = 0.0012
"""How much wider a bend is round what the base stands close to, or is to keep less than this from: waypoints are
rounded to thousandths, and there is no clearance that this could use up. Without any clearance a path is exact."""
_OUTSIDE = 1e-7
"""By so much a base is outside of what it stands close to: on the very edge rounding decides whether a line touches."""
Segment = tuple[Point, Point]


class Route(msgspec.Struct, frozen=True):
    """A path of a base's centre: its exact length and its waypoints, start and goal included.

    Bends follow their arcs by waypoints close enough that `sweep` along them stays clear.
    """

    length: float
    points: tuple[Point, ...]


class _Ground(msgspec.Struct):
    """Grown obstacles ready for the kernel."""

    cores: Floats
    verts: Floats
    corners: Floats
    bounds: Floats
    close: Floats
    """1 for cores round which bends are wider."""


_GROW = 1.0 / sin_cos(90.0 - 360.0 / 64)[0]
_RING = np.array([sin_cos(-360.0 / 32 * k) for k in range(32)], dtype=np.float64)


@lru_cache(maxsize=1024)
def _oval_points(x: float, y: float, rx: float, ry: float, s: float, c: float) -> tuple[Point, ...]:
    out = []
    for u, v in _RING.tolist():
        px, py = rx * _GROW * u, ry * _GROW * v
        out.append((x + px * c + py * s, y + py * c - px * s))
    return convex_hull(out)


def _outline(base: Base) -> tuple[tuple[tuple[Point, ...], ...], float]:
    """The convex parts of a base about its own centre, and the radius that grows them."""
    if isinstance(base.shape, Round):
        return (((0.0, 0.0),),), base.shape.radius
    s, c = sin_cos(base.facing)
    if isinstance(base.shape, Oval):
        return (_oval_points(0.0, 0.0, base.shape.rx, base.shape.ry, s, c),), 0.0
    return convex_parts(base.at(0.0, 0.0).corners()), 0.0


def _ground(
    base: Base,
    obstacles: Sequence[Thing] | Pack,
    clearance: float | Sequence[float],
    table: tuple[float, float] | None,
    fence: Sequence[Segment] = (),
) -> _Ground:
    q = pack(obstacles)
    parts, radius = _outline(base)
    edges = _edges(parts, radius, table)
    if isinstance(base.shape, Round) and not fence:
        return _round_ground(base, base.shape.radius, q, clearance, edges)
    cores: list[tuple[float, ...]] = []
    verts: list[Point] = []
    slight: list[int] = []
    against = [tuple([(-ax, -ay) for ax, ay in part]) for part in parts]
    heights = [share_heights(base, thing) for thing in q.things]
    rows, corners = q.rows.tolist(), q.verts.tolist()
    for row, owner in zip(rows, q.owners.tolist(), strict=True):
        if not heights[owner]:
            continue
        gap = clearance if isinstance(clearance, int | float) else clearance[owner]
        kind, x, y, rx, ry, s, c = row[:7]
        if kind == 1.0:
            core, grown = _oval_points(x, y, rx, ry, s, c), 0.0
        else:
            core, grown = tuple(map(tuple, corners[int(row[10]) : int(row[10]) + int(row[11])])), rx
        for part in against:
            shape = _swollen(core, part) if len(part) > 1 else core
            if 0.0 < gap < _OFF:
                slight.append(len(cores))
            cores.append(_core(shape, len(verts), radius + grown + gap))
            verts += shape
    for a, b in fence:
        # A little longer than it is: where two of them meet, no way leads out between their ends.
        ux, uy = b[0] - a[0], b[1] - a[1]
        more = 4 * TOLERANCE / math.sqrt(ux * ux + uy * uy)
        ends = (a[0] - ux * more, a[1] - uy * more), (b[0] + ux * more, b[1] + uy * more)
        cores.append(_core(ends, len(verts), 0.0))
        verts += ends
    points = np.array(verts, dtype=np.float64).reshape(-1, 2)
    slight += _allow_start(cores, points, base.x, base.y)
    close = np.zeros(len(cores))
    close[slight] = 1.0
    packed = np.array(cores, dtype=np.float64).reshape(-1, 6)
    return _Ground(packed, points, kernel("pathing").corners_of(packed, points), edges, close)


_swollen = lru_cache(maxsize=4096)(minkowski)
"""Remembered: the models of a unit face one way, and what stands round them stays."""


def _round_ground(
    base: Base, radius: float, things: Pack, clearance: float | Sequence[float], edges: Floats
) -> _Ground:
    """The same for a round base, by compiled code."""
    n = len(things.rows)
    most = len(things.verts) + len(_RING) * n
    cores, points, corners, close = np.empty((n, 6)), np.empty((most, 2)), np.empty((most, 8)), np.empty(n)
    gaps = np.full(n, clearance) if isinstance(clearance, int | float) else _each(clearance, things)
    count, size = kernel("pathing").grown(
        things.rows, things.verts, gaps, _RING, _GROW, base.z, base.z + base.height, radius, base.x, base.y,
        TOLERANCE, _OFF, _OUTSIDE, cores, points, corners, close,
    )  # fmt: skip
    return _Ground(cores[:count], points[:size], corners[:size], edges, close[:count])


def _each(clearance: Sequence[float], things: Pack) -> Floats:
    """The clearance of each part of what is packed."""
    return np.array(clearance, dtype=np.float64).reshape(-1)[things.owners]


def _edges(parts: Sequence[Sequence[Point]], radius: float, table: tuple[float, float] | None) -> Floats:
    """Between which numbers the middle of a base lies that is on the table."""
    if table is None:
        return np.array([-_FAR, -_FAR, _FAR, _FAR], dtype=np.float64)
    xs = [p[0] for part in parts for p in part]
    ys = [p[1] for part in parts for p in part]
    x0, y0 = radius - min(xs) - TOLERANCE, radius - min(ys) - TOLERANCE
    x1, y1 = table[0] - radius - max(xs) + TOLERANCE, table[1] - radius - max(ys) + TOLERANCE
    return np.array([x0, y0, x1, y1], dtype=np.float64)


def _core(points: Sequence[Point], first: int, radius: float) -> tuple[float, ...]:
    n = len(points)
    if n == 1:
        return float(first), 1.0, radius, *points[0], 0.0
    x = math.fsum([p[0] for p in points]) / n
    y = math.fsum([p[1] for p in points]) / n
    bound = math.sqrt(max([(p[0] - x) ** 2 + (p[1] - y) ** 2 for p in points]))
    return float(first), float(n), radius, x, y, bound


def _allow_start(cores: list[tuple[float, ...]], verts: Floats, x: float, y: float) -> list[int]:
    """What is too near at the start may be left but not approached; what the base stands in does not count. Which
    these are."""
    close = []
    for n, (first, count, radius, cx, cy, bound) in enumerate(cores):
        reach = radius + bound
        if (cx - x) * (cx - x) + (cy - y) * (cy - y) > reach * reach:
            continue
        spot = np.array([[x, y]], dtype=np.float64)
        s = kernel().polygons(spot, 0, 1, 0.0, 0.0, verts, int(first), int(count))[0]
        if s < radius:
            cores[n] = (first, count, -_FAR if s < -TOLERANCE else max(s - _OUTSIDE, 0.0), cx, cy, bound)
            close.append(n)
    return close


def path(
    base: Base, x: float, y: float, obstacles: Sequence[Thing] | Pack, clearance: float | Sequence[float] = 0.0,
    table: tuple[float, float] | None = None, limit: float = math.inf, fence: Sequence[Segment] = (),
) -> Route | None:  # fmt: skip
    """The shortest way of a base's centre to a point past obstacles; None if there is none, or none within a limit.

    Obstacles and clearance are as for `sweep`. On a table (width, depth) the base stays on it; the centre does not
    cross a fence of segments, such as the edge of the platform it stands on.
    """
    return _path(_ground(base, obstacles, clearance, table, fence), base, x, y, limit)


def _path(ground: _Ground, base: Base, x: float, y: float, limit: float) -> Route | None:
    k = kernel("pathing")
    seg = np.empty((2, 2))
    x0, y0, x1, y1 = ground.bounds
    if not (x0 <= x <= x1 and y0 <= y <= y1) or k.blocked(ground.cores, ground.verts, x, y, x, y, seg):
        return None
    straight = math.sqrt((x - base.x) ** 2 + (y - base.y) ** 2)
    if straight > limit + TOLERANCE:
        return None
    if not k.blocked(ground.cores, ground.verts, base.x, base.y, x, y, seg):
        return Route(straight, ((base.x, base.y), (x, y)))
    labels, _, goal = k.search(
        ground.cores, ground.verts, ground.corners, base.x, base.y, x, y, True, min(limit, _FAR), ground.bounds
    )
    if goal < 0:
        return None
    return _route(ground, labels, goal)


def _route(ground: _Ground, labels: Floats, goal: int) -> Route:
    chain = []
    k = goal
    while k >= 0:
        chain.append(labels[k].tolist())
        k = int(labels[k, 7])
    chain.reverse()
    points: list[Point] = [(chain[0][4], chain[0][5])]
    for here, there in itertools.pairwise(chain):
        corner = int(here[0])
        if corner >= 0:
            core = int(ground.corners[corner, 2])
            radius = float(ground.cores[core, 2]) + _OFF * float(ground.close[core])
            points += _bend(ground.corners[corner], radius, here[1], (here[2], here[3]), (there[2], there[3]))
        points.append((there[4], there[5]))
    return Route(chain[-1][6], tuple(points))


def _bend(corner: Floats, radius: float, side: float, start: Point, end: Point) -> list[Point]:
    """Waypoints on an arc, so close that the chords between them cut less than 1/2000 inch into it."""
    if radius <= 0.0:
        return []
    angle = float(kernel("pathing")._angle(start[0], start[1], end[0], end[1], side))
    steps = math.ceil(angle / math.sqrt(8 * 0.0004 / max(radius, 0.001)))
    x, y = float(corner[0]), float(corner[1])
    out = []
    for k in range(1, steps + 1):
        s, c = sin_cos(angle * k / steps * side * 180.0 / math.pi)
        ux, uy = start[0] * c - start[1] * s, start[1] * c + start[0] * s
        out.append((x + side * radius * uy, y - side * radius * ux))
    return out


class Reach:
    """Everywhere that a base's centre can get to within a budget, by the same paths as `path`."""

    def __init__(self, base: Base, budget: float, ground: _Ground) -> None:
        self.base = base
        self.budget = budget
        self._ground = ground
        labels, count, _ = kernel("pathing").search(
            ground.cores, ground.verts, ground.corners, base.x, base.y, 0.0, 0.0, False, budget, ground.bounds
        )
        self._labels = labels[:count]

    def costs(self, points: Sequence[Point] | Floats) -> Floats:
        """The length of the shortest path to each point; infinite where it cannot stand or get to."""
        spots = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        g = self._ground
        return kernel("pathing").costs(  # type: ignore[no-any-return]
            g.cores, g.verts, g.corners, self._labels, g.bounds,
            np.ascontiguousarray(spots[:, 0]), np.ascontiguousarray(spots[:, 1]), self.budget,
        )  # fmt: skip

    @property
    def base_at(self) -> Point:
        return self.base.x, self.base.y

    def cost(self, x: float, y: float) -> float:
        return float(self.costs(((x, y),))[0])

    def path(self, x: float, y: float, limit: float | None = None) -> Route | None:
        """The shortest path to a point, within the budget or another limit."""
        return _path(self._ground, self.base, x, y, self.budget if limit is None else limit)

    def towards(self, x: float, y: float) -> list[Point]:
        """Where the shortest ways end that leave each corner, or the start, straight for a point, when the budget is
        used up: of what only the budget bounds, the nearest to that point is among them."""
        found: list[Point] = []
        for label in self._labels.tolist():
            if label[9] != 1.0:
                continue
            corner, side, ax, ay, cx, cy, cost = label[:7]
            radius, angle = 0.0, 0.0
            if corner >= 0:
                cx, cy = self._ground.corners[int(corner), :2].tolist()
                radius = float(self._ground.cores[int(self._ground.corners[int(corner), 2]), 2])
            dx, dy = x - cx, y - cy
            square = dx * dx + dy * dy
            straight = math.sqrt(max(0.0, square - radius * radius))
            if square < 1e-12 or square < radius * radius:
                continue
            ux, uy = (dx * straight - dy * side * radius) / square, (dy * straight + dx * side * radius) / square
            if corner >= 0 and radius > 0.0:
                angle = math.atan2((ax * uy - ay * ux) * side, ax * ux + ay * uy) % (2 * math.pi)
            left = self.budget - cost - radius * angle
            if left >= 0.0:
                go = min(left, straight)
                found.append((cx + side * radius * uy + ux * go, cy - side * radius * ux + uy * go))
        return found

    def __contains__(self, point: Point) -> bool:
        return math.isfinite(self.cost(*point))

    def polygons(self, cell: float = 0.25) -> list[tuple[Point, ...]]:
        """The region for drawing: rings traced over a grid, their points moved onto its edge; holes run clockwise."""
        x, y, b = self.base.x, self.base.y, self.budget
        n = max(2, math.ceil(2 * b / cell) + 3)
        step = 2 * (b + cell) / (n - 1)
        xs = x - b - cell + step * np.arange(n, dtype=np.float64)
        ys = y - b - cell + step * np.arange(n, dtype=np.float64)
        grid = np.stack(np.meshgrid(xs, ys, indexing="ij"), axis=-1).reshape(-1, 2)
        inside = np.isfinite(self.costs(grid)).reshape(n, n)
        return _trace(self, inside, xs, ys)


def _trace(reach: Reach, inside: npt.NDArray[np.bool_], xs: Floats, ys: Floats) -> list[tuple[Point, ...]]:
    """Marching squares; each crossing of a grid edge is found by halving it."""
    n = len(xs)
    crossings: dict[tuple[int, int, int], int] = {}
    ends: list[tuple[Point, Point]] = []

    def crossing(i: int, j: int, axis: int) -> tuple[int, int, int]:
        key = (i, j, axis)
        if key not in crossings:
            a = (float(xs[i]), float(ys[j]))
            b = (float(xs[i + (axis == 0)]), float(ys[j + (axis == 1)]))
            crossings[key] = len(ends)
            ends.append((a, b) if inside[i, j] else (b, a))
        return key

    follow: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    for i in range(n - 1):
        for j in range(n - 1):
            a, b, c, d = inside[i, j], inside[i + 1, j], inside[i + 1, j + 1], inside[i, j + 1]
            if a == b == c == d:
                continue
            sides = ((i, j, 0, a, b), (i + 1, j, 1, b, c), (i, j + 1, 0, c, d), (i, j, 1, d, a))
            # Anticlockwise round the cell, the region is left where in turns to out and entered where out turns to in.
            outs = [crossing(s[0], s[1], s[2]) for s in sides if s[3] and not s[4]]
            ins = [crossing(s[0], s[1], s[2]) for s in sides if s[4] and not s[3]]
            if len(outs) == 2 and a:
                ins.reverse()
            for out_key, in_key in zip(outs, ins, strict=True):
                follow[out_key] = in_key
    edge = _halve(reach, ends)
    rings: list[tuple[Point, ...]] = []
    while follow:
        start = next(iter(follow))
        ring = [start]
        key = follow.pop(start)
        while key != start and key in follow:
            ring.append(key)
            key = follow.pop(key)
        rings.append(tuple(edge[crossings[k]] for k in ring))
    return rings


def _halve(reach: Reach, ends: list[tuple[Point, Point]]) -> list[Point]:
    low = np.array([a for a, _ in ends]).reshape(-1, 2)
    high = np.array([b for _, b in ends]).reshape(-1, 2)
    for _ in range(10):
        middle = (low + high) / 2
        ok = np.isfinite(reach.costs(middle))[:, None]
        low, high = np.where(ok, middle, low), np.where(ok, high, middle)
    return [(float(px), float(py)) for px, py in low]


def reach(
    base: Base, budget: float, obstacles: Sequence[Thing] | Pack, clearance: float | Sequence[float] = 0.0,
    table: tuple[float, float] | None = None, fence: Sequence[Segment] = (),
) -> Reach:  # fmt: skip
    """What a base can reach within a budget past obstacles; all is as for `path`."""
    return Reach(base, budget, _ground(base, obstacles, clearance, table, fence))
