"""A way drawn tight: corners are cut and climbs pushed along their walls while that makes it shorter and stays legal.

A search for ways goes by some places along every wall and round every corner. A way that is a little too long by these
may do by others between them, so nobody is refused before it has been drawn tight.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from umpire.space.shapes import snap

LegData = dict[str, Any]
Judge = Callable[[Sequence[LegData]], tuple[float, bool]]
"""What legs cost, and whether anything but that stands against them."""
SLACK = 1.0
"""So much longer than the move a way by the places of the search may be that is worth drawing tight."""
LEAST = 0.0002
MOST = 3000
"""So many ways are judged before it is tight."""
ROUNDING = 0.0015
"""So much longer or shorter a leg may be by rounding its ends."""
CUTS = (0.5, 0.2, 0.05, 0.01)
STEPS = tuple(0.32 / 2**k for k in range(9))
TURNS = tuple((math.cos(k * math.pi / 6), math.sin(k * math.pi / 6)) for k in range(12))


def tightened(
    start: tuple[float, float, float], legs: Sequence[LegData], judge: Judge, enough: float
) -> tuple[list[LegData], float]:
    """The same way drawn tight, and what it costs then; it is tight enough when it costs so little."""
    way = _Way(start, list(legs), judge)
    before = math.inf
    while way.cost > enough and before - way.cost > LEAST:
        before = way.cost
        for share in CUTS:
            while way.cost > enough and way.cut(share):
                pass
        for size in STEPS:
            while way.cost > enough and way.push(size):
                pass
    return way.legs, way.cost


class _Way:
    """Legs that are drawn tight; the last one ends at the goal, and stays."""

    def __init__(self, start: tuple[float, float, float], legs: list[LegData], judge: Judge) -> None:
        self.start = start
        self.legs = legs
        self.judge = judge
        self.cost = judge(legs)[0]
        self.tried = 0

    def push(self, size: float) -> bool:
        """Push the ends of legs aside, of one alone or of several that follow each other (a climb along its wall); is
        the way shorter by it?"""
        better = False
        at = 0
        while self.tried < MOST and (found := self._shorter(size, at)):
            for at, first, last, (dx, dy) in found:  # noqa: B007, it goes on after the one that was taken
                new = list(self.legs)
                for n in range(first, last):
                    new[n] = {**new[n], "x": snap(new[n]["x"] + dx * size), "y": snap(new[n]["y"] + dy * size)}
                if self._take(new):
                    better = True
                    break
            at += 1
        return better

    def _shorter(self, size: float, after: int) -> list[tuple[int, int, int, tuple[float, float]]]:
        """Which legs might be pushed where, by their numbers from one on: only the first of them and the one after the
        last change their lengths, and one must lose more than the other gains."""
        spots = [self.start]
        for leg in self.legs:
            spots.append((leg["x"], leg["y"], leg.get("z", spots[-1][2])))
        at, climbs = np.array(spots), np.array([leg["how"] == "climb" for leg in self.legs])
        weight = np.stack((np.ones(len(climbs)), np.ones(len(climbs)), climbs), axis=1)[:, None]
        step = (at[1:] - at[:-1])[:, None] * weight
        push = np.array([(dx * size, dy * size, 0.0) for dx, dy in TURNS])[None]
        was = np.sqrt((step * step).sum(axis=2))
        before = np.sqrt(((step + push) ** 2).sum(axis=2)) - was
        behind = np.sqrt(((step - push) ** 2).sum(axis=2)) - was
        count = len(self.legs)
        gain = before[:, None] + behind[None, :]  # by first, last and direction
        first, last, turn = np.nonzero(gain < ROUNDING * count - LEAST)
        found = []
        for f, n, t in zip(first.tolist(), last.tolist(), turn.tolist(), strict=True):
            number = (f * count + n) * len(TURNS) + t
            if f < n and number >= after:
                found.append((number, f, n, TURNS[t]))
        return found

    def cut(self, share: float) -> bool:
        """Cut off corners between two walks."""
        better = False
        n = 0
        while n < len(self.legs) - 1:
            here, after = self.legs[n], self.legs[n + 1]
            if plain(here) and plain(after):
                x, y = (self.legs[n - 1]["x"], self.legs[n - 1]["y"]) if n else self.start[:2]
                first, second = _part(here, x, y, share), _part(here, after["x"], after["y"], share)
                better |= self._take([*self.legs[:n], first, second, *self.legs[n + 1 :]])
            n += 1
        return better

    def _take(self, legs: list[LegData]) -> bool:
        """Take another way if it is shorter and legal but for its length."""
        if self.tried >= MOST or self._least(legs) > self.cost - LEAST:
            return False
        self.tried += 1
        cost, barred = self.judge(legs)
        if barred or cost > self.cost - LEAST:
            return False
        self.legs, self.cost = legs, cost
        return True

    def _least(self, legs: list[LegData]) -> float:
        """What the legs cost at the least: a jump or walk as far as it goes on the plan, a climb with its height."""
        at = self.start
        total = 0.0
        for leg in legs:
            to = (leg["x"], leg["y"], leg.get("z", at[2]))
            total += math.dist(at, to) if leg["how"] == "climb" else math.dist(at[:2], to[:2])
            at = to
        return total


def _part(leg: LegData, x: float, y: float, share: float) -> LegData:
    """The leg with its end some part of the way towards a place."""
    return {**leg, "x": snap(leg["x"] + share * (x - leg["x"])), "y": snap(leg["y"] + share * (y - leg["y"]))}


def plain(leg: LegData) -> bool:
    """Is it a walk, and through no door?"""
    return leg["how"] == "walk" and "through" not in leg
