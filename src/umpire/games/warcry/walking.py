"""How far it is on foot: a net of cells over the floor, round walls and ruins, for players who think ahead.

Nothing here judges a move. Heights are left out: whoever stands on a platform is as far as the floor beneath.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from umpire.games.warcry.terrain import Ground, Layout, ground_of
from umpire.space.shapes import Base, Round

FAR = 60.0
RADII = (0.65, 0.8, 1.0, 1.3)
"""Bases are taken as one of these, in inches."""
_STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))

Cell = tuple[int, int]
Field = list[list[float]]


class Net:
    """Cells of one inch that a base can stand on, and which of their neighbours each can be left for."""

    def __init__(self, ground: Ground, radius: float) -> None:
        layout = ground.layout
        body = Round(radius)

        def at(cell: Cell) -> Base:
            return Base(body, cell[0] + 0.5, cell[1] + 0.5, 0.0, 0.0, 1.0)

        self.columns, self.rows = int(layout.width), int(layout.depth)
        free = {
            cell
            for cell in ((i, j) for i in range(self.columns) for j in range(self.rows))
            if not ground.blocked(at(cell))
        }
        self.ways: dict[Cell, list[tuple[Cell, float]]] = {cell: [] for cell in sorted(free)}
        for cell in self.ways:
            for di, dj in _STEPS:
                other = (cell[0] + di, cell[1] + dj)
                if other in free and ground.free_part(at(cell), float(di), float(dj)) >= 1.0:
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


@lru_cache(256)
def _net(key: str, ground: Ground, radius: float) -> Net:
    return Net(ground, radius)


def net_of(layout: Layout, base: float) -> Net:
    """The net for a base of so many millimetres."""
    radius = next((radius for radius in RADII if base / 50.8 <= radius), RADII[-1])
    return _net(layout.key, ground_of(layout), radius)


@lru_cache(8192)
def _from(net: Net, goal: Cell) -> npt.NDArray[np.float64]:
    """How far every cell is from one, nearly: rings of a quarter of an inch are taken as one."""
    found = np.full((net.columns, net.rows), FAR)
    seen: set[Cell] = set()
    rings: dict[int, list[tuple[float, Cell]]] = {0: [(0.0, goal)]}
    ring = 0
    while rings:
        for far, cell in rings.pop(ring, ()):
            if cell in seen:
                continue
            seen.add(cell)
            found[cell] = far
            for other, length in net.ways.get(cell, ()):
                if other not in seen:
                    rings.setdefault(int(4 * (far + length)), []).append((far + length, other))
        ring += 1
    return found


@lru_cache(512)
def field(net: Net, goals: tuple[Cell, ...]) -> Field:
    """How far every cell is from the nearest of the goals."""
    found: Field = np.minimum.reduce([_from(net, goal) for goal in goals]).tolist()
    return found


def distance(net: Net, found: Field, x: float, y: float) -> float:
    """How far a place is from the nearest goal."""
    i, j = net.cell(x, y)
    best = FAR
    for a in range(max(0, i - 1), min(net.columns, i + 2)):
        column = found[a]
        for b in range(max(0, j - 1), min(net.rows, j + 2)):
            dx, dy = a + 0.5 - x, b + 0.5 - y
            far = column[b] + math.sqrt(dx * dx + dy * dy)
            if far < best:
                best = far
    return best


def way(net: Net, found: Field, x: float, y: float, most: float) -> list[tuple[float, float]]:
    """The middles of the cells on the shortest way to the nearest goal, as far as `most` inches."""
    cell = net.cell(x, y)
    out: list[tuple[float, float]] = []
    gone = 0.0
    while 0.0 < found[cell[0]][cell[1]] < FAR and gone <= most:
        cell, length = min(net.ways[cell], key=lambda pair: found[pair[0][0]][pair[0][1]] + pair[1])
        out.append((cell[0] + 0.5, cell[1] + 0.5))
        gone += length
    return out
