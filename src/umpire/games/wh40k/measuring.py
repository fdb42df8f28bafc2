"""Measuring between bases and hulls, Engagement Range (core.distance-*, core.within, core.engagement-range)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpire.games.wh40k.state import Model, State, Unit
from umpire.miniatures.loose.bodies import (
    base,
    beside,
    gap,
    near,
    on_board,
    overlap,
    to_point,
    to_polygon,
    true_gap,
    wholly_in,
    within,
)
from umpire.miniatures.loose.groups import apart, distance_to, enclose, unit_gap, units_near
from umpire.rulebook.deciding import decides
from umpire.space.measure import closest_points, furthest
from umpire.space.plain import Point, clip
from umpire.space.shapes import TOLERANCE

__all__ = [
    "ENGAGEMENT", "UP", "apart", "base", "beside", "closest_pairs", "crosses", "distance_to", "enclose", "enemies",
    "engages", "friends", "gap",
    "in_engagement", "near", "nearest_enemy", "on_board", "overlap", "settle", "to_point", "to_polygon", "true_gap",
    "unit_gap", "units_near", "wholly_in", "wholly_near", "within",
]  # fmt: skip

ENGAGEMENT = 1.0
UP = 5.0
"""Engagement Range and coherency reach so far up and down."""


def measured(a: Unit, b: Unit) -> tuple[str, ...]:
    """The rules by which the distance between two units is measured."""
    bare = any(m.bare for m in (*a.models, *b.models))
    return "wh40k.core.distance-units", "wh40k.core.distance-hull" if bare else "wh40k.core.distance-models"


@decides("wh40k.core.measure-inches")
def engages(a: Model, b: Model) -> bool:
    """wh40k.core.engagement-range: within 1 inch on the ground and 5 inches up or down."""
    return beside(a, b, ENGAGEMENT, UP)


def wholly_near(a: Model, b: Model, limit: float) -> bool:
    """wh40k.core.wholly-within: is every part of a within this distance of b?"""
    return furthest(base(a), base(b)) <= limit + TOLERANCE


def in_engagement(a: Unit, b: Unit) -> bool:
    return not apart(a, b, ENGAGEMENT) and any(engages(m, o) for m in a.models for o in b.models)


def closest_pairs(a: Unit, b: Unit) -> list[tuple[Model, Model]]:
    """The two models of two units that are closest, heights counted; of pairs equally close whoever uses the rule names
    one (wh40k.core.closest-tie-user)."""
    gaps = [(true_gap(m, o), m, o) for m in a.models for o in b.models]
    best = min((far for far, _, _ in gaps), default=0.0)
    return [(m, o) for far, m, o in gaps if far <= best + TOLERANCE]


def crosses(points: Sequence[Point], a: Model, b: Model) -> bool:
    """Does the line between the nearest points of two models pass through or over a footprint?"""
    (ax, ay), (bx, by) = closest_points(base(a), base(b))
    return clip(points, ax, ay, bx, by) is not None


def settle(state: State) -> None:
    """Positions have changed: who is within Engagement Range of whom."""
    armies: tuple[list[Unit], list[Unit]] = ([], [])
    for unit in state.units.values():
        if unit.engaged:
            unit.engaged = ()
        if unit.where == "table":
            armies[unit.side].append(unit)
    for a in armies[0]:
        ax, ay, reach = a.cx, a.cy, a.cr + ENGAGEMENT + TOLERANCE
        for b in armies[1]:
            dx, dy = ax - b.cx, ay - b.cy
            far = reach + b.cr
            if dx * dx + dy * dy <= far * far and in_engagement(a, b):
                a.engaged = (*a.engaged, b.id)
                b.engaged = (*b.engaged, a.id)


def enemies(state: State, unit: Unit) -> list[Unit]:
    """wh40k.unit.friend-enemy: the units of the other army on the battlefield."""
    return [other for other in state.units.values() if other.side != unit.side and other.where == "table"]


def nearest_enemy(state: State, unit: Unit) -> dict[str, Any]:
    """What reasons tell of the nearest enemy: which it is, and how far away."""
    foes = [(unit_gap(unit, foe), foe.id) for foe in enemies(state, unit)]
    if not foes:
        return {}
    far, key = min(foes)
    return {"enemy": key, "distance": round(max(0.0, far), 3)}


def friends(state: State, unit: Unit) -> list[Unit]:
    """The other units of its own army on the battlefield."""
    return [
        other
        for other in state.units.values()
        if other.side == unit.side and other.where == "table" and other.id != unit.id
    ]
