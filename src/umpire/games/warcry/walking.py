"""How far it is on foot: a net of cells over the floor, round walls and ruins, for players who think ahead.

Nothing here judges a move. Heights are left out: whoever stands on a platform is as far as the floor beneath.
"""

from __future__ import annotations

import math
from functools import lru_cache

from umpire.games.warcry.terrain import Ground, Layout, ground_of
from umpire.space.shapes import Base, Round

FAR = 60.0
_BODY = Round(0.6)
_STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))

Cell = tuple[int, int]
Field = dict[Cell, float]


class Net:
    """Cells of one inch that a fighter can stand on, and which of their neighbours each can be left for."""

    def __init__(self, ground: Ground) -> None:
        layout = ground.layout
        self.columns, self.rows = int(layout.width), int(layout.depth)
        free = {
            cell
            for cell in ((i, j) for i in range(self.columns) for j in range(self.rows))
            if not ground.blocked(_at(cell))
        }
        self.ways: dict[Cell, list[tuple[Cell, float]]] = {cell: [] for cell in sorted(free)}
        for cell in self.ways:
            for di, dj in _STEPS:
                other = (cell[0] + di, cell[1] + dj)
                if other in free and ground.free_part(_at(cell), float(di), float(dj)) >= 1.0:
                    length = math.hypot(di, dj)
                    self.ways[cell].append((other, length))
                    self.ways[other].append((cell, length))

    def cell(self, x: float, y: float) -> Cell:
        """The cell of a place; beside a wall, the nearest that can be stood on."""
        here = (min(self.columns - 1, max(0, int(x))), min(self.rows - 1, max(0, int(y))))
        if here in self.ways:
            return here
        near = [(i, j) for i in range(here[0] - 2, here[0] + 3) for j in range(here[1] - 2, here[1] + 3)]
        open_ones = [cell for cell in near if cell in self.ways]
        return min(open_ones, key=lambda c: math.hypot(c[0] + 0.5 - x, c[1] + 0.5 - y), default=here)


def _at(cell: Cell) -> Base:
    return Base(_BODY, cell[0] + 0.5, cell[1] + 0.5, 0.0, 0.0, 1.0)


@lru_cache(64)
def _net(key: str, ground: Ground) -> Net:
    return Net(ground)


def net_of(layout: Layout) -> Net:
    return _net(layout.key, ground_of(layout))


@lru_cache(512)
def field(net: Net, goals: tuple[Cell, ...]) -> Field:
    """How far every cell is from the nearest of the goals, nearly: rings of a quarter of an inch are taken as one."""
    found: Field = {}
    rings: dict[int, list[tuple[float, Cell]]] = {0: [(0.0, goal) for goal in goals]}
    ring = 0
    while rings:
        for far, cell in rings.pop(ring, ()):
            if cell in found:
                continue
            found[cell] = far
            for other, length in net.ways.get(cell, ()):
                if other not in found:
                    rings.setdefault(int(4 * (far + length)), []).append((far + length, other))
        ring += 1
    return found


def distance(net: Net, found: Field, x: float, y: float) -> float:
    """How far a place is from the nearest goal."""
    i, j = net.cell(x, y)
    best = FAR
    for a in (i - 1, i, i + 1):
        for b in (j - 1, j, j + 1):
            far = found.get((a, b))
            if far is not None:
                dx, dy = a + 0.5 - x, b + 0.5 - y
                best = min(best, far + math.sqrt(dx * dx + dy * dy))
    return best


def way(net: Net, found: Field, x: float, y: float, most: float) -> list[tuple[float, float]]:
    """The middles of the cells on the shortest way to the nearest goal, as far as `most` inches."""
    cell = net.cell(x, y)
    out: list[tuple[float, float]] = []
    gone = 0.0
    while found.get(cell, 0.0) > 0.0 and gone <= most:
        cell, length = min(net.ways[cell], key=lambda pair: found.get(pair[0], FAR) + pair[1])
        out.append((cell[0] + 0.5, cell[1] + 0.5))
        gone += length
    return out
