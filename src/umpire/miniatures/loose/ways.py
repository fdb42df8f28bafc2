"""Bodies on their way: where they would run into one another, or pass nearest to an enemy."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from umpire.engine.decisions import Ends, Mover, Stretch
from umpire.engine.rulings import Reason
from umpire.miniatures.loose.bodies import Body, base
from umpire.space.moving import slide
from umpire.space.plain import Point, point_segment
from umpire.space.shapes import TOLERANCE

M = TypeVar("M", bound=Body)

STRIDE = 0.25
"""How closely the way of a body that is seen only in part is looked at."""


class Plan(NamedTuple, Generic[M]):
    """What was read in an answer: every reason against it, where its models would stand, and the rules of the ground
    that their ways have made use of."""

    reasons: list[Reason]
    ends: dict[str, M]
    used: tuple[str, ...] = ()


class Planned(Mover[Plan[M]]):
    """Judges answers that say where models are to stand."""

    def ends(self, answer: Any) -> Ends:
        return {
            key: Stretch(x=end.x, y=end.y, z=end.z, facing=end.facing) for key, end in self.plan(answer).ends.items()
        }


def placed(m: M, x: float, y: float, z: float, facing: float) -> M:
    """The same model somewhere else."""
    return replace(m, x=x, y=y, z=z, facing=facing)


def runs_into(m: M, end: M, way: Sequence[Point], body: Body) -> bool:
    """Does a body meet another on its way?"""
    x, y = m.x, m.y
    far = m.r + body.r - TOLERANCE
    for nx, ny in (*way, (end.x, end.y)) if way else ((end.x, end.y),):
        square = point_segment(body.x, body.y, x, y, nx, ny)
        if square < far * far:
            close = m.q + body.q - TOLERANCE
            if square < close * close or (m.r == m.q and body.r == body.q):
                return True
            there = base(body).at(body.x, body.y, 0.0)
            facings = dict.fromkeys((end.facing, m.facing))  # it turns before it goes, or when it has come
            if not any(slide(base(m).at(x, y, 0.0, facing), nx, ny, (there,)).free for facing in facings):
                return True
        x, y = nx, ny
    return False


def steps_on_way(m: M, end: M, way: Sequence[Point]) -> Iterator[M]:
    """A model at short intervals along its way."""
    x, y = m.x, m.y
    for nx, ny in (*way, (end.x, end.y)):
        steps = int(math.sqrt((nx - x) ** 2 + (ny - y) ** 2) / STRIDE) + 1
        for k in range(1, steps + 1):
            t = k / steps
            yield placed(m, x + (nx - x) * t, y + (ny - y) * t, m.z, end.facing)
        x, y = nx, ny


def nearest_on_way(m: M, end: M, way: Sequence[Point], foe: Body) -> M:
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
    return placed(m, bx, by, m.z, end.facing)
