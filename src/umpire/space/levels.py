"""Moving in three dimensions: levels one can stand on, and links that lead from one to another.

A level is a polygon at a height on which a base's centre may go. Links (climbs, ladders, stairs, jumps, drops) join
points of levels; the game gives the price of each, or forbids it. The cheapest way goes along levels by the shortest
paths there and takes links between them.
"""

import math
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from .measure import bounds, closest_points, covers, distance, edges
from .packs import Pack, pack
from .paths import Reach, Route, path, reach
from .shapes import TOLERANCE, Base, Hull, Point, Prism, Thing
from .terrain import Piece, prisms_of


class Level(msgspec.Struct, frozen=True):
    """A surface: its polygon (empty for the whole table), its height."""

    points: tuple[Point, ...]
    z: float

    def holds(self, x: float, y: float) -> bool:
        return not self.points or covers(Base(Hull(self.points)), x, y)


class Link(msgspec.Struct, frozen=True):
    """A way from a point of one level to a point of another; `up` is negative downwards."""

    kind: str
    start: Point
    start_level: int
    end: Point
    end_level: int

    @property
    def across(self) -> float:
        return math.sqrt((self.end[0] - self.start[0]) ** 2 + (self.end[1] - self.start[1]) ** 2)


class Stretch(msgspec.Struct, frozen=True):
    """A part of a journey: a walk on a level, or a link taken; its cost, and its points (x, y, z)."""

    kind: str
    cost: float
    points: tuple[tuple[float, float, float], ...]


class Journey(msgspec.Struct, frozen=True):
    cost: float
    stretches: tuple[Stretch, ...]

    @property
    def end(self) -> tuple[float, float, float]:
        return self.stretches[-1].points[-1]


def levels_of(pieces: Sequence[Piece | Prism], tags: Sequence[str] = ("platform",)) -> list[Level]:
    """The table, then the top of every solid prism that carries one of the tags."""
    found = [Level(p.points, p.top) for p in prisms_of(pieces) if p.solid and any(t in p.tags for t in tags)]
    return [Level((), 0.0), *found]


def level_at(levels: Sequence[Level], x: float, y: float, z: float) -> int | None:
    """The level on which a point lies, or None in mid-air; of several at one height, the first."""
    return next((k for k, v in enumerate(levels) if abs(v.z - z) <= TOLERANCE and v.holds(x, y)), None)


def level_below(levels: Sequence[Level], x: float, y: float, z: float) -> int | None:
    """The highest level strictly below a height over a point."""
    under = [(v.z, -k) for k, v in enumerate(levels) if v.z < z - TOLERANCE and v.holds(x, y)]
    return -max(under)[1] if under else None


def climbs(
    levels: Sequence[Level], radius: float, spacing: float = 1.0, kinds: tuple[str, str] = ("climb", "drop")
) -> list[Link]:
    """Links over the edges of raised levels: up and down again at points a spacing apart.

    The lower end lies one radius outside the edge, where a round base touches it; the upper end lies on the edge.
    """
    out: list[Link] = []
    for k, level in enumerate(levels):
        if not level.points:
            continue
        ring = Base(Hull(level.points))
        for a, b in edges(ring):
            dx, dy = b[0] - a[0], b[1] - a[1]
            length = math.sqrt(dx * dx + dy * dy)
            nx, ny = dy / length, -dx / length
            mx, my = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
            if covers(ring, mx + nx * 0.01, my + ny * 0.01):
                nx, ny = -nx, -ny
            n = max(1, math.ceil(length / spacing))
            for i in range(n):
                t = (i + 0.5) / n
                top = (a[0] + dx * t, a[1] + dy * t)
                foot = (top[0] + nx * radius, top[1] + ny * radius)
                low = level_below(levels, foot[0], foot[1], level.z)
                if low is None or level_at(levels, foot[0], foot[1], level.z) is not None:
                    continue
                out.append(Link(kinds[0], foot, low, top, k))
                out.append(Link(kinds[1], top, k, foot, low))
    return out


def ladders_of(levels: Sequence[Level], pieces: Sequence[Piece | Prism], kind: str = "ladder") -> list[Link]:
    """Links up and down every ladder that joins two levels."""
    out: list[Link] = []
    for piece in pieces:
        for ladder in piece.ladders if isinstance(piece, Piece) else ():
            spot = (ladder.x, ladder.y)
            low = level_at(levels, *spot, ladder.low)
            high = level_at(levels, *spot, ladder.high)
            if low is not None and high is not None:
                out += [Link(kind, spot, low, spot, high), Link(kind, spot, high, spot, low)]
    return out


def jumps(levels: Sequence[Level], furthest: float, kind: str = "jump") -> list[Link]:
    """Links across gaps: from each raised level to the nearest points of levels as high or lower."""
    out: list[Link] = []
    for i, here in enumerate(levels):
        for j, there in enumerate(levels):
            if i == j or not here.points or not there.points or there.z > here.z + TOLERANCE:
                continue
            a, b = Base(Hull(here.points)), Base(Hull(there.points))
            if TOLERANCE < distance(a, b) <= furthest + TOLERANCE:
                start, end = closest_points(a, b)
                out.append(Link(kind, start, i, end, j))
    return out


Price = Callable[[Link, float], float | None]
"""The cost of a link, given how far it leads up (negative: down); None forbids it."""


def full_price(link: Link, up: float) -> float | None:
    """Every inch counts, across as well as up or down."""
    return link.across + abs(up)


class Travel:
    """All that a base can get to within a budget over levels and links."""

    def __init__(
        self, base: Base, start_level: int, budget: float, levels: Sequence[Level], links: Sequence[Link],
        obstacles: Sequence[Thing] | Pack, price: Price, clearance: float | Sequence[float],
        table: tuple[float, float] | None,
    ) -> None:  # fmt: skip
        self.base = base
        self.budget = budget
        self.levels = tuple(levels)
        self.links = tuple(links)
        self._obstacles = pack(obstacles)
        self._clearance = clearance
        self._table = table
        self._prices = [price(link, levels[link.end_level].z - levels[link.start_level].z) for link in links]
        # Nodes: the start, then the far end of each link. A node's parent is the node from which its link was taken.
        self._cost = [0.0] + [math.inf] * len(links)
        self._parent = [-1] * (len(links) + 1)
        self._reaches: dict[int, Reach] = {}
        self._start_level = start_level
        self._settle()

    def _node(self, k: int) -> tuple[Base, int]:
        if k == 0:
            return self.base, self._start_level
        link = self.links[k - 1]
        return self.base.at(link.end[0], link.end[1], self.levels[link.end_level].z), link.end_level

    def _reach(self, k: int) -> Reach:
        if k not in self._reaches:
            base, level = self._node(k)
            self._reaches[k] = reach(
                base, self.budget - self._cost[k], self._obstacles, self._clearance, self._table,
                self.levels[level].points,
            )  # fmt: skip
        return self._reaches[k]

    def _settle(self) -> None:
        leaving: dict[int, list[int]] = {}
        for k, link in enumerate(self.links):
            if self._prices[k] is not None:
                leaving.setdefault(link.start_level, []).append(k)
        done = [False] * len(self._cost)
        while True:
            waiting = [(c, k) for k, c in enumerate(self._cost) if not done[k] and c <= self.budget + TOLERANCE]
            if not waiting:
                return
            cost, k = min(waiting)
            done[k] = True
            base, level = self._node(k)
            near = [
                m for m in leaving.get(level, [])
                if not done[m + 1]
                and cost + math.dist(base.centre, self.links[m].start) + (self._prices[m] or 0.0)
                <= min(self.budget + TOLERANCE, self._cost[m + 1])
            ]  # fmt: skip
            if not near:
                continue
            walks = self._reach(k).costs([self.links[m].start for m in near])
            for m, walk in zip(near, walks.tolist(), strict=True):
                total = cost + walk + (self._prices[m] or 0.0)
                if total < self._cost[m + 1] - 1e-9 and total <= self.budget + TOLERANCE:
                    self._cost[m + 1] = total
                    self._parent[m + 1] = k

    def _nearest(self, x: float, y: float, level: int) -> tuple[float, int]:
        best, which = math.inf, -1
        for k, cost in enumerate(self._cost):
            base, on = self._node(k) if math.isfinite(cost) else (self.base, -1)
            if on != level or cost + math.dist(base.centre, (x, y)) > min(best, self.budget + TOLERANCE):
                continue
            total = cost + self._reach(k).cost(x, y)
            if total < best - 1e-9:
                best, which = total, k
        return best, which

    def cost(self, x: float, y: float, level: int) -> float:
        """The least cost to stand at a point of a level; infinite beyond the budget."""
        return self._nearest(x, y, level)[0]

    def journey(self, x: float, y: float, level: int) -> Journey | None:
        """The cheapest way to a point of a level, stretch by stretch."""
        total, k = self._nearest(x, y, level)
        if k < 0:
            return None
        stretches: list[Stretch] = []
        goal: Point = (x, y)
        while True:
            base, on = self._node(k)
            walk = self._walk(base, on, goal)
            if walk.length > 1e-9 or not stretches:
                z = self.levels[on].z
                stretches.append(Stretch("walk", walk.length, tuple((px, py, z) for px, py in walk.points)))
            if k == 0:
                break
            link = self.links[k - 1]
            low, high = self.levels[link.start_level].z, self.levels[link.end_level].z
            stretches.append(Stretch(link.kind, self._prices[k - 1] or 0.0, ((*link.start, low), (*link.end, high))))
            goal = link.start
            k = self._parent[k]
        return Journey(total, tuple(reversed(stretches)))

    def _walk(self, base: Base, level: int, goal: Point) -> Route:
        route = path(
            base, goal[0], goal[1], self._obstacles, self._clearance, self._table, fence=self.levels[level].points
        )
        assert route is not None, "a settled walk exists"
        return route

    def polygons(self, level: int, cell: float = 0.25) -> list[tuple[Point, ...]]:
        """What can be reached on a level, as one set of rings for each way onto it that matters; they may overlap."""
        out: list[tuple[Point, ...]] = []
        for k, cost in enumerate(self._cost):
            if math.isfinite(cost) and self._node(k)[1] == level:
                out += self._reach(k).polygons(cell)
        return out

    def grid(self, level: int, step: float = 0.5) -> list[tuple[float, float, float]]:
        """Points of a level that can be reached, on a grid, each with its cost: (x, y, cost)."""
        x0, y0, x1, y1 = (
            bounds(Base(Hull(self.levels[level].points))) if self.levels[level].points else
            (self.base.x - self.budget, self.base.y - self.budget, self.base.x + self.budget, self.base.y + self.budget)
        )  # fmt: skip
        xs, ys = np.arange(x0, x1 + step / 2, step), np.arange(y0, y1 + step / 2, step)
        spots = np.stack(np.meshgrid(xs, ys, indexing="ij"), axis=-1).reshape(-1, 2)
        best = np.full(len(spots), np.inf)
        for k, cost in enumerate(self._cost):
            if math.isfinite(cost) and self._node(k)[1] == level:
                best = np.minimum(best, cost + self._reach(k).costs(spots))
        near = best <= self.budget + TOLERANCE
        return [(float(x), float(y), float(c)) for (x, y), c in zip(spots[near], best[near], strict=True)]


def travel(
    base: Base, start_level: int, budget: float, levels: Sequence[Level], links: Sequence[Link],
    obstacles: Sequence[Thing] | Pack = (), price: Price = full_price, clearance: float | Sequence[float] = 0.0,
    table: tuple[float, float] | None = None,
) -> Travel:  # fmt: skip
    """What a base can get to within a budget: obstacles, clearance and table are as for `path`, on every level."""
    return Travel(base, start_level, budget, levels, links, obstacles, price, clearance, table)
