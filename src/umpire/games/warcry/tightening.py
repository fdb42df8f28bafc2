"""A way drawn tight: corners are cut and climbs pushed along their walls while that makes it shorter and stays legal.

A search for ways goes by some places along every wall and round every corner. A way that is a little too long by these
may do by others between them, so nobody is refused before it has been drawn tight.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from umpire.space.shapes import snap

LegData = dict[str, Any]
Spot = tuple[float, float, float]
Judge = Callable[[Sequence[LegData], bool], tuple[float, bool]]
"""What legs cost, and whether anything but that stands against them; what barred ones cost only where that is asked."""
SLACK = 1.0
"""So much longer than the move a way by the places of the search may be that is worth drawing tight."""
LEAST = 0.0002
MOST = 3000
"""So many ways are judged before it is tight."""
EXACT = 1e-9
"""What sums in another order may differ by."""
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
        self.cost = judge(legs, False)[0]
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

    def _spots(self, legs: Sequence[LegData]) -> list[Spot]:
        """The start, and where each leg ends."""
        spots = [self.start]
        for leg in legs:
            spots.append((leg["x"], leg["y"], leg.get("z", spots[-1][2])))
        return spots

    def _shorter(self, size: float, after: int) -> list[tuple[int, int, int, tuple[float, float]]]:
        """Which legs might be pushed where, by their numbers from one on, so that the way is shorter even as the crow
        flies: the first of them and the one after the last change their lengths, those between by rounding alone."""
        at, climbs = np.array(self._spots(self.legs)), np.array([leg["how"] == "climb" for leg in self.legs])
        weight = np.stack((np.ones(len(climbs)), np.ones(len(climbs)), climbs), axis=1)[:, None]
        pushed = np.repeat(at[:, None], len(TURNS), axis=1)
        pushed[:, :, :2] = np.floor((at[:, None, :2] + np.array(TURNS) * size) * 1000.0 + 0.5) / 1000.0

        def lengths(starts: Any, ends: Any) -> Any:
            return np.sqrt((((ends - starts) * weight) ** 2).sum(axis=2))

        was = lengths(at[:-1, None], at[1:, None])
        before, behind = lengths(at[:-1, None], pushed[1:]) - was, lengths(pushed[:-1], at[1:, None]) - was
        between = np.cumsum(lengths(pushed[:-1], pushed[1:]) - was, axis=0)
        count = len(self.legs)
        # By first, last and direction.
        gain = (before - between)[:, None] + (behind + np.concatenate((np.zeros((1, len(TURNS))), between[:-1])))[None]
        first, last, turn = np.nonzero(gain <= self.cost - LEAST - was.sum() + EXACT)
        number = (first * count + last) * len(TURNS) + turn
        keep = (first < last) & (number >= after)
        rows = zip(number[keep].tolist(), first[keep].tolist(), last[keep].tolist(), turn[keep].tolist(), strict=True)
        return [(k, f, n, TURNS[d]) for k, f, n, d in rows]

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
        cost, barred = self.judge(legs, True)
        if barred or cost > self.cost - LEAST:
            return False
        self.legs, self.cost = legs, cost
        return True

    def _least(self, legs: Sequence[LegData]) -> float:
        """What the legs cost at the least: a jump or walk as far as it goes on the plan, a climb with its height."""
        steps = zip(legs, itertools.pairwise(self._spots(legs)), strict=True)
        return math.fsum(math.dist(a, b) if leg["how"] == "climb" else math.dist(a[:2], b[:2]) for leg, (a, b) in steps)


def _part(leg: LegData, x: float, y: float, share: float) -> LegData:
    """The leg with its end some part of the way towards a place."""
    return {**leg, "x": snap(leg["x"] + share * (x - leg["x"])), "y": snap(leg["y"] + share * (y - leg["y"]))}


def plain(leg: LegData) -> bool:
    """Is it a walk, and through no door?"""
    return leg["how"] == "walk" and "through" not in leg
