"""Bases on their way: where they would stand on one another, run into one another, or pass nearest to an enemy."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.decisions import number_ok
from umpire.engine.rulings import Reason
from umpire.games.aos.state import Model, State
from umpire.games.aos.units import base
from umpire.space.measure import on_table, separation
from umpire.space.plain import point_segment
from umpire.space.shapes import TOLERANCE

MOST_POINTS = 64
"""Of a way that an answer tells; a way round things follows their curves."""
STRIDE = 0.25
"""How closely the way of an oval base, or of one that is seen only in part, is looked at."""


class Planned:
    """Judges answers that say where models are to stand; what was asked last is remembered."""

    def __init__(self) -> None:
        self._answer: Any = None
        self._result: tuple[list[Reason], dict[str, Model]] = ([], {})

    def judge(self, answer: Any) -> list[Reason]:
        return self.plan(answer)[0]

    def plan(self, answer: Any) -> tuple[list[Reason], dict[str, Model]]:
        """Every reason against an answer, and where its models would stand."""
        if self._answer is None or answer != self._answer:
            self.remember(answer, self._plan(answer))
        return self._result

    def remember(self, answer: Any, result: tuple[list[Reason], dict[str, Model]]) -> None:
        self._answer, self._result = answer, result

    def _plan(self, answer: Any) -> tuple[list[Reason], dict[str, Model]]:
        raise NotImplementedError


def path_ok(way: Any) -> bool:
    return (
        isinstance(way, list)
        and len(way) <= MOST_POINTS
        and all(isinstance(p, (list, tuple)) and len(p) == 2 and all(number_ok(v) for v in p) for p in way)
    )


def on_board(end: Model, state: State) -> bool:
    return on_table(base(end), state.width, state.depth)


def overlap(a: Model, b: Model) -> bool:
    """Do two bases cover common ground?"""
    dx, dy = a.x - b.x, a.y - b.y
    square = dx * dx + dy * dy
    far = a.r + b.r - TOLERANCE
    if square >= far * far:
        return False
    close = a.q + b.q - TOLERANCE
    if square < close * close or (a.r == a.q and b.r == b.q):
        return True
    return separation(base(a), base(b)) < -TOLERANCE


def runs_into(m: Model, end: Model, way: Sequence[tuple[float, float]], body: Model) -> bool:
    """Does a base meet another on its way?"""
    x, y = m.x, m.y
    for nx, ny in (*way, (end.x, end.y)):
        square = point_segment(body.x, body.y, x, y, nx, ny)
        far = m.r + body.r - TOLERANCE
        if square < far * far:
            close = m.q + body.q - TOLERANCE
            if square < close * close or (m.r == m.q and body.r == body.q):
                return True
            start, stop = msgspec.structs.replace(m, x=x, y=y), msgspec.structs.replace(end, x=nx, y=ny)
            if any(overlap(spot, body) for spot in steps_on_way(start, stop, ())):
                return True
        x, y = nx, ny
    return False


def steps_on_way(m: Model, end: Model, way: Sequence[tuple[float, float]]) -> Iterator[Model]:
    """A model at short intervals along its way."""
    x, y = m.x, m.y
    for nx, ny in (*way, (end.x, end.y)):
        steps = int(math.sqrt((nx - x) ** 2 + (ny - y) ** 2) / STRIDE) + 1
        for k in range(1, steps + 1):
            t = k / steps
            yield Model(m.id, x + (nx - x) * t, y + (ny - y) * t, m.z, end.facing, m.r, m.q)
        x, y = nx, ny


def nearest_on_way(m: Model, end: Model, way: Sequence[tuple[float, float]], foe: Model) -> Model:
    """Where on its way a model comes nearest to an enemy model."""
    best = math.inf
    bx, by = m.x, m.y
    x, y = m.x, m.y
    for nx, ny in (*way, (end.x, end.y)):
        dx, dy = nx - x, ny - y
        square = dx * dx + dy * dy
        t = ((foe.x - x) * dx + (foe.y - y) * dy) / square if square > 0 else 0.0
        t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
        px, py = x + dx * t, y + dy * t
        d = (foe.x - px) ** 2 + (foe.y - py) ** 2
        if d < best:
            best, bx, by = d, px, py
        x, y = nx, ny
    return Model(m.id, bx, by, m.z, end.facing, m.r, m.q)
