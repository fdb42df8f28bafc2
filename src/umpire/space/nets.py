"""How far it is on foot: a net of cells over the floor, round all that is solid, for players who think ahead.

Nothing here judges a move. Heights are left out: whoever stands higher up is as far as the floor beneath.
"""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .floors import Floors
from .packs import kernel
from .shapes import Base, Round

FAR = 60.0
RADII = (0.65, 0.8, 1.0, 1.2, 1.4, 1.6, 2.0, 2.6)
"""Bases are taken as one of these, in inches."""

SLACK = 0.1
"""A gap that is just wide enough need not lie in the middle of a cell."""
NEIGHBOURS = ((1, 0), (1, 1), (1, -1), (-1, 0), (-1, 1), (-1, -1), (0, 1), (0, -1))
"""In the order of the kernel."""

Cell = tuple[int, int]
Field = list[list[float]]


class Net:
    """Cells of one inch, in the middle of which a base can stand, and the steps between neighbours.

    A wall between two middles is nearer to one of them than any base is wide, so that no wall is stepped over.
    """

    def __init__(self, floors: Floors, radius: float, height: float) -> None:
        self.columns, self.rows = int(floors.width), int(floors.depth)
        body = Round(radius - SLACK)
        rim = max(0, round(radius - 0.8))
        self.free = {
            (i, j)
            for i in range(rim, self.columns - rim)
            for j in range(rim, self.rows - rim)
            if not floors.blocked(Base(body, i + 0.5, j + 0.5, 0.0, 0.0, height))
        }
        self.ways = np.zeros((self.columns * self.rows, 8))
        for i, j in sorted(self.free):
            for d, (di, dj) in enumerate(NEIGHBOURS):
                if {(i + di, j + dj), (i + di, j), (i, j + dj)} <= self.free:
                    self.ways[i * self.rows + j, d] = math.hypot(di, dj)
        self._near: dict[Cell, Cell] = {}

    def cell(self, x: float, y: float) -> Cell:
        """The cell of a place; beside a wall, the nearest that can be stood on."""
        here = (min(self.columns - 1, max(0, int(x))), min(self.rows - 1, max(0, int(y))))
        if here in self.free:
            return here
        found = self._near.get(here)
        if found is None:
            i, j = here
            near = [(a, b) for a in range(i - 2, i + 3) for b in range(j - 2, j + 3) if (a, b) in self.free]
            found = min(near, key=lambda c: (c[0] - i) ** 2 + (c[1] - j) ** 2, default=here)
            self._near[here] = found
        return found


@lru_cache(256)
def _net(floors: Floors, radius: float, height: float) -> Net:
    return Net(floors, radius, height)


def net_of(floors: Floors, radius: float, height: float) -> Net:
    """The net for a round base of about that size and a body of that height."""
    return _net(floors, next((about for about in RADII if radius <= about), RADII[-1]), height)


@lru_cache(8192)
def _from(net: Net, goal: Cell) -> npt.NDArray[np.float64]:
    spread = kernel("grids").spread(net.ways, net.columns, net.rows, goal[0] * net.rows + goal[1])
    found: npt.NDArray[np.float64] = np.minimum(spread, FAR).reshape(net.columns, net.rows)
    return found


@lru_cache(512)
def field(net: Net, goals: tuple[Cell, ...]) -> Field:
    """How far every cell is from the nearest of the goals."""
    found: Field = np.minimum.reduce([_from(net, goal) for goal in goals]).tolist()
    return found


def field_of(net: Net, spots: list[tuple[float, float]]) -> Field:
    """How far every cell is from the nearest of some places."""
    return field(net, tuple(sorted({net.cell(x, y) for x, y in spots})))


@lru_cache(8192)
def _around(net: Net, x: float, y: float, reach: float) -> tuple[Cell, ...]:
    """The cells whose middle is within reach of a place; if there is none, the cell of the place."""
    near = range(int(x - reach) - 1, int(x + reach) + 2), range(int(y - reach) - 1, int(y + reach) + 2)
    found = [
        (i, j) for i in near[0] for j in near[1] if (i, j) in net.free and math.hypot(i + 0.5 - x, j + 0.5 - y) <= reach
    ]
    return tuple(found) or (net.cell(x, y),)


def field_around(net: Net, spots: list[tuple[float, float]], reach: float) -> Field:
    """How far every cell is from where it is within reach of one of some places, be they walled in."""
    return field(net, tuple(sorted({cell for x, y in spots for cell in _around(net, x, y, reach)})))


def distance(net: Net, found: Field, x: float, y: float) -> float:
    """How far a place is from the nearest goal, by the four cells round it."""
    i, j = net.cell(x, y)
    other = i + 1 if x > i + 0.5 else i - 1
    beside = j + 1 if y > j + 0.5 else j - 1
    best = FAR
    for a in (i, other):
        if 0 <= a < net.columns:
            column, dx = found[a], a + 0.5 - x
            for b in (j, beside):
                if 0 <= b < net.rows:
                    dy = b + 0.5 - y
                    far = column[b] + math.sqrt(dx * dx + dy * dy)
                    if far < best:
                        best = far
    return best


def way(net: Net, found: Field, x: float, y: float, most: float) -> list[tuple[float, float]]:
    """The middles of the cells on the shortest way to the nearest goal, as far as `most` inches."""
    i, j = net.cell(x, y)
    out: list[tuple[float, float]] = []
    gone = 0.0
    while 0.0 < found[i][j] < FAR and gone <= most:
        steps = [
            (found[i + di][j + dj] + length, length, i + di, j + dj)
            for (di, dj), length in zip(NEIGHBOURS, net.ways[i * net.rows + j].tolist(), strict=True)
            if length
        ]
        _, length, i, j = min(steps)
        out.append((i + 0.5, j + 0.5))
        gone += length
    return out
