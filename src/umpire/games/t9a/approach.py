"""How far it is from any place to the foes that a unit had best fight: round what it cannot pass, in inches.

The table is a grid; what is in the way is grown by half the unit's width, so that the middle of its front may be
followed as a point. A foe that is less worth fighting lies further off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from umpire.space.shapes import Point

from .formation import Box, box
from .model_rules import every
from .spacing import impassable
from .state import State, Unit

Grid = npt.NDArray[np.float64]

CELL = 2.0
AHEAD = 5.0
"""So far before its front a unit looks: there it will be soon."""
STEPS = tuple((dx, dy, math.hypot(dx, dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
SHUT = 1e6


def outside(ring: Sequence[Point], x: Grid, y: Grid) -> Grid:
    """How far places are outside the sides of a convex ring; less than nothing inside."""
    sides = list(zip(ring, (*ring[1:], ring[0]), strict=True))
    turn = math.fsum(a[0] * b[1] - b[0] * a[1] for a, b in sides)
    most = np.full(x.shape, -SHUT)
    for (ax, ay), (bx, by) in sides:
        long = math.hypot(bx - ax, by - ay)
        if long > 1e-9:
            off = ((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / long
            np.maximum(most, off if turn > 0 else -off, out=most)
    return most


class Lie:
    """The lie of the land for a unit: the way from each place to the nearest of `goals`, foes with a handicap in
    inches."""

    def __init__(self, state: State, unit: Unit, goals: Sequence[tuple[Unit, float]]) -> None:
        field = state.field
        self.shape = (math.ceil(field.width / CELL), math.ceil(field.depth / CELL))
        self.x, self.y = np.meshgrid(
            (np.arange(self.shape[0]) + 0.5) * CELL, (np.arange(self.shape[1]) + 0.5) * CELL, indexing="ij"
        )
        self.far = self._ways(self._price(state, unit), state, goals)

    def _off(self, ring: Sequence[Point]) -> Grid:
        return outside(ring, self.x, self.y)

    def _price(self, state: State, unit: Unit) -> Grid:
        """What an inch costs in each cell: friends go on sooner or later, who fights and rocks stay where they are."""
        price = np.ones(self.shape)
        if every(state, unit, "t9a.rule.fly"):
            return price
        half = box(state, unit).w / 2 + 0.25
        for friend in state.table(unit.side):
            if friend.id != unit.id:
                stays = state.engaged(friend.id) or friend.shaken
                off = self._off(box(state, friend).corners())
                np.maximum(price, np.where(off < half, 5.0 if stays else 1.7, 1.0), out=price)
        if not every(state, unit, "t9a.rule.ghost-step"):
            for piece in impassable(state):
                off = self._off(piece.points)
                np.maximum(price, np.where(off < 0.25, 30.0, np.where(off < half, 6.0, 1.0)), out=price)
        return price

    def _ways(self, price: Grid, state: State, goals: Sequence[tuple[Unit, float]]) -> Grid:
        far = np.full((self.shape[0] + 2, self.shape[1] + 2), SHUT)
        inner = far[1:-1, 1:-1]
        for foe, handicap in goals:
            off = np.maximum(self._off(box(state, foe).corners()), 0.0)
            np.minimum(inner, np.where(off < CELL, off, SHUT) + handicap, out=inner)
        for _ in range(4 * max(self.shape)):
            before = inner.copy()
            for dx, dy, step in STEPS:
                near = far[1 + dx : 1 + dx + self.shape[0], 1 + dy : 1 + dy + self.shape[1]]
                np.minimum(inner, near + price * (step * CELL), out=inner)
            if np.array_equal(before, inner):
                break
        return inner

    def at(self, x: float, y: float) -> float:
        """The way from a place."""
        cx, cy = int(x // CELL), int(y // CELL)
        best = SHUT
        for i in range(max(0, cx - 1), min(self.shape[0], cx + 2)):
            for j in range(max(0, cy - 1), min(self.shape[1], cy + 2)):
                off = math.hypot((i + 0.5) * CELL - x, (j + 0.5) * CELL - y)
                best = min(best, float(self.far[i, j]) + off)
        return best

    def of(self, at: Box) -> float:
        """The way from where a unit may stand: half of it from the place itself, half from where it looks."""
        on = at.ahead(AHEAD)
        return 0.5 * self.at(at.x, at.y) + 0.5 * min(self.at(on.x, on.y), self.at(at.x, at.y) + AHEAD)

    def heading(self, x: float, y: float) -> float:
        """The direction in which the way goes on."""
        ways = [
            (self.at(x + AHEAD * math.sin(math.radians(a)), y + AHEAD * math.cos(math.radians(a))), a)
            for a in range(0, 360, 15)
        ]
        return float(min(ways)[1])
