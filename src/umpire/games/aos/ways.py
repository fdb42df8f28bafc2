"""Bases on their way: where they would stand on one another, run into one another, or pass nearest to an enemy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from umpire.engine.decisions import number_ok
from umpire.games.aos.state import Model, State
from umpire.games.aos.units import base
from umpire.space.measure import on_table, separation
from umpire.space.plain import point_segment
from umpire.space.shapes import TOLERANCE


def path_ok(way: Any) -> bool:
    return (
        isinstance(way, list)
        and len(way) <= 16
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
            length = math.sqrt((nx - x) ** 2 + (ny - y) ** 2)
            steps = int(length / 0.25) + 1
            for k in range(1, steps):
                t = k / steps
                if overlap(Model("", x + (nx - x) * t, y + (ny - y) * t, 0, end.facing, m.r, m.q), body):
                    return True
        x, y = nx, ny
    return False


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
