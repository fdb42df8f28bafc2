"""The cheapest way over places to stand: straight from one to the other, or through a portal (a climb, a doorway).

A book says which places and portals there are, and judges what leads straight from one to another.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from umpire.space.packs import Floats
from umpire.space.shapes import TOLERANCE, snap

Spot = tuple[float, float, float]
LegData = dict[str, Any]
Legs = tuple[LegData, ...]
Step = tuple[float, float, int, int, int, Legs | None]
"""A step of the search: the least that the whole way would cost, what it costs so far, to which node, its number,
from which node, and its legs; None: straight on, if that is legal."""

ROUNDING = 1e-9


class Search:
    """Places and portals within a budget of a start, and the search among them (A*): towards a goal, if there is one,
    that lies within `spread` of a point."""

    def __init__(self, start: Spot, budget: float, goal: tuple[float, float] | None, spread: float) -> None:
        self.start = start
        self.budget = budget
        self.goal = goal
        self.spread = spread
        self.nodes: list[Spot] = []
        self.portals: dict[int, list[tuple[int, Legs, float]]] = {}
        """From a node to others: what leads there, and what it costs."""
        self.best: dict[int, float] = {}
        self.came: dict[int, tuple[int, Legs]] = {}
        self._index: dict[Spot, int] = {}
        self._steps = 0
        self._rests: list[float] = []
        self._spots: Floats = np.empty((0, 4))

    def between(self, a: int, b: int) -> LegData | None:
        """One leg straight between two nodes, if it is legal."""
        raise NotImplementedError

    def node(self, x: float, y: float, z: float) -> int:
        spot = (snap(x), snap(y), snap(z))
        found = self._index.get(spot)
        if found is None:
            found = self._index[spot] = len(self.nodes)
            self.nodes.append(spot)
        return found

    def in_reach(self, x: float, y: float, slack: float = 0.0) -> bool:
        """Could a way within the budget lead past here, to the goal if there is one?"""
        way = math.hypot(x - self.start[0], y - self.start[1])
        if self.goal is not None:
            way += math.hypot(x - self.goal[0], y - self.goal[1])
        return way <= self.budget + slack

    def rest(self, at: int) -> float:
        """The least that is left from a node to the goal."""
        return self.left(*self.nodes[at][:2])

    def left(self, x: float, y: float) -> float:
        """The least that is left from a place to the goal."""
        return 0.0 if self.goal is None else max(0.0, math.hypot(x - self.goal[0], y - self.goal[1]) - self.spread)

    def search(self, goals: set[int], budget: float) -> tuple[list[LegData], float] | None:
        """The cheapest legs from the start to any of the goals. Whether a leg is legal is only judged when it would be
        the next to be taken: most never are."""
        best: dict[int, float] = {}
        came: dict[int, tuple[int, Legs]] = {}
        self._lay_out()
        queue: list[Step] = [(self.rest(0), 0.0, 0, 0, -1, ())]
        while queue:
            _, cost, at, _, before, legs = heapq.heappop(queue)
            if at in best:
                continue
            if before >= 0:
                if legs is None:
                    data = self.between(before, at)
                    if data is None:
                        continue
                    legs = (data,)
                came[at] = (before, legs)
            best[at] = cost
            if at in goals:
                return self._legs(came, at), cost
            self._on(queue, at, cost, budget - cost, best)
        self.best, self.came = best, came
        return None

    def _on(self, queue: list[Step], at: int, cost: float, left: float, best: dict[int, float]) -> None:
        """What may be next from a node: through a portal, or straight to another node if that is legal."""
        for to, legs, price in self.portals.get(at, ()):
            if to not in best and price <= left + TOLERANCE:
                self._put(queue, cost + price, to, at, legs)
        (ax, ay, az), rests = self.nodes[at], self._rests
        spots, most = self._spots, left + TOLERANCE
        far_off = np.hypot(spots[:, 0] - ax, spots[:, 1] - ay) + spots[:, 3]
        for to in np.flatnonzero((spots[:, 2] <= az + TOLERANCE) & (far_off <= most + ROUNDING)).tolist():
            if to not in best:
                bx, by, _ = self.nodes[to]
                far = math.hypot(bx - ax, by - ay)
                if far + rests[to] <= most:
                    self._put(queue, cost + far, to, at, None)

    def _lay_out(self) -> None:
        """The nodes side by side, and the least that is left from each: whether one may be next is asked of all."""
        self._rests = [self.rest(at) for at in range(len(self.nodes))]
        self._spots = np.array([(*spot, rest) for spot, rest in zip(self.nodes, self._rests, strict=True)])

    def _put(self, queue: list[Step], cost: float, to: int, at: int, legs: Legs | None) -> None:
        self._steps += 1
        heapq.heappush(queue, (cost + self._rests[to], cost, to, self._steps, at, legs))

    def ways(self, at: int) -> list[LegData]:
        """The legs to a node that a search without a goal has come to."""
        return self._legs(self.came, at)

    def unlike(self, goal: int, budget: float) -> Iterator[list[LegData]]:
        """Ways to a goal after a search without one, the shortest first, each over other walls or through other doors
        than those before it."""
        gx, gy, gz = self.nodes[goal]
        found = []
        for at, cost in self.best.items():
            x, y, z = self.nodes[at]
            whole = cost + math.hypot(gx - x, gy - y)
            if at != goal and z >= gz - TOLERANCE and whole <= budget:
                found.append((whole, at))
        seen: list[tuple[Any, ...]] = []
        for _, at in sorted(found):
            ways = self.ways(at)
            over = tuple(
                (leg["how"], leg.get("on"), leg.get("through"))
                for leg in ways
                if leg["how"] != "walk" or "through" in leg
            )
            if over not in seen and (last := self.between(at, goal)) is not None:
                seen.append(over)
                yield [*ways, last]

    def _legs(self, came: dict[int, tuple[int, Legs]], at: int) -> list[LegData]:
        out: list[LegData] = []
        while at:
            at, legs = came[at]
            out[:0] = legs
        return out
