"""Ways over terrain: climbing, what can be passed and stood on (move.terrain-*, terrain.trait.*)."""

from __future__ import annotations

from umpire.engine.rulings import Reason
from umpire.games.wh40k.measuring import to_polygon
from umpire.games.wh40k.state import Feature, Model, State, Unit
from umpire.space.plain import sweep_over
from umpire.space.shapes import TOLERANCE

LOW = 1.0
LIGHT = ("infantry", "beast", "swarm")


def may_stand(state: State, unit: Unit, end: Model) -> Reason | None:
    """May a model end here?"""
    for feature in state.terrain:
        if (feature.x - end.x) ** 2 + (feature.y - end.y) ** 2 > (feature.r + end.r + end.q) ** 2:
            continue
        for part in feature.parts:
            if part.floor <= end.z < part.top and to_polygon(end, part.points) < TOLERANCE:
                return Reason("wh40k.move.terrain-no-through", "", {"model": end.id, "feature": feature.id})
    return None


def blocks_way(state: State, unit: Unit, start: Model, end: Model) -> Reason | None:
    """Does terrain stand in a straight way on the ground?"""
    for feature in state.terrain:
        if not _near_way(feature, start, end) or (feature.has("breachable") and any(map(unit.has, LIGHT))):
            continue
        for part in feature.parts:
            if part.floor < LOW and part.top >= LOW:
                over = sweep_over(part.points, min(start.r, start.q), start.x, start.y, end.x, end.y)
                if over is not None:
                    return Reason("wh40k.move.terrain-no-through", "", {"model": end.id, "feature": feature.id})
    return None


def _near_way(feature: Feature, start: Model, end: Model) -> bool:
    reach = feature.r + start.r + start.q
    return (
        min(start.x, end.x) - reach <= feature.x <= max(start.x, end.x) + reach
        and min(start.y, end.y) - reach <= feature.y <= max(start.y, end.y) + reach
    )
