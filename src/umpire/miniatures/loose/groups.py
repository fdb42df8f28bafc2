"""Units as circles round their models: who can be near whom is asked of the circles first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from umpire.miniatures.loose.bodies import Body, gap, true_gap, within
from umpire.space.shapes import TOLERANCE

A = TypeVar("A", bound=Body)
B = TypeVar("B", bound=Body)
B_co = TypeVar("B_co", bound=Body, covariant=True)


class Group(Protocol[B_co]):
    """A unit of loose models and the circle that encloses it."""

    id: str
    cx: float
    cy: float
    cr: float

    @property
    def models(self) -> Sequence[B_co]: ...


def enclose(unit: Group[Body]) -> None:
    """Keep the circle round the unit true; every change of its models ends here."""
    models = unit.models
    if not models:
        unit.cr = 0.0
        return
    cx = cy = 0.0
    for m in models:
        cx += m.x
        cy += m.y
    n = len(models)
    cx, cy = cx / n, cy / n
    unit.cx, unit.cy = cx, cy
    unit.cr = max([math.sqrt((m.x - cx) * (m.x - cx) + (m.y - cy) * (m.y - cy)) + m.r for m in models])


def apart(a: Group[Body], b: Group[Body], limit: float) -> bool:
    """Are the circles round two units farther apart than this, so that no model of theirs need be measured?"""
    dx, dy = a.cx - b.cx, a.cy - b.cy
    far = limit + a.cr + b.cr + TOLERANCE
    return dx * dx + dy * dy > far * far


def units_near(a: Group[Body], b: Group[Body], limit: float) -> bool:
    """Is unit a within this distance of unit b: any model of any model?"""
    return not apart(a, b, limit) and any(within(m, o, limit) for m in a.models for o in b.models)


def closest(a: Group[A], b: Group[B]) -> tuple[float, A, B]:
    """The models of two units that are closest to each other on the ground, and how far apart they are."""
    best: tuple[float, A, B] | None = None
    for m in a.models:
        for o in b.models:
            if best is not None:
                dx, dy = m.x - o.x, m.y - o.y
                reach = best[0] + m.r + o.r
                if reach < 0 or dx * dx + dy * dy >= reach * reach:
                    continue
            d = gap(m, o)
            if best is None or d < best[0]:
                best = (d, m, o)
    assert best is not None
    return best


def distance_to(model: Body, models: Iterable[Body]) -> float:
    """How far a model is from the nearest of some; who cannot be the nearest is not measured."""
    best = math.inf
    for o in models:
        dx, dy = model.x - o.x, model.y - o.y
        if math.sqrt(dx * dx + dy * dy) - model.r - o.r < best:
            best = min(best, true_gap(model, o))
    return best


def unit_gap(a: Group[Body], b: Group[Body]) -> float:
    """The distance between two units: that of their closest models."""
    return min(distance_to(m, b.models) for m in a.models)


def rearmost(models: Sequence[B], foes: Iterable[Group[B]]) -> list[int]:
    """The numbers of these models, those first that are furthest from every enemy."""
    others = [foe.models for foe in foes]
    far = [min((distance_to(m, other) for other in others), default=0.0) for m in models]
    return sorted(range(len(models)), key=lambda n: (-far[n], n))
