"""A moment of a battle in the words of a scene, and what the library can put on the table of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpire.engine.game import Stock
from umpire.games.aos import content
from umpire.games.aos.battlefield import feature_of
from umpire.games.aos.scenes import Scene, SceneObjective, SceneSide, SceneUnit
from umpire.games.aos.state import PHASES, Feature, State, Unit
from umpire.miniatures import writing
from umpire.text import words


def write_scene(state: State) -> dict[str, Any]:
    """The position of a scene that comes as near to this state as its words allow."""
    told = writing.write_turns(state, Scene, SceneSide, PHASES)
    known = content.battleplans().get(state.plan.id)
    if known is not None:
        told["battleplan"] = known.id
    if known != state.plan:
        told["plan"] = writing.as_written(state.plan)
    told["units"] = [_unit(state, unit) for unit in state.units.values()]
    told["objectives"] = [
        {**writing.write_down(spot, SceneObjective), "held_before": spot.held_before} for spot in state.objectives
    ]
    told["terrain"] = [_feature(feature) for feature in state.terrain if not feature.unit]
    return told


def _unit(state: State, unit: Unit) -> dict[str, Any]:
    told = {"id": unit.id, "side": unit.side, **writing.printed(unit.profile, content.warscrolls(), "warscroll")}
    told |= writing.write_down(unit, SceneUnit, leave=("id", "side", "models", "slain", "returned", "roles", "profile"))
    if unit.where == "table":
        told["models"] = [[m.x, m.y, *([m.facing] if m.facing else [])] for m in unit.models]
        roles = [model.role for model in unit.models]
        told |= {"roles": roles} if any(roles) else {}
    back = [n for n, model in enumerate(unit.models) if model.back]
    told |= writing.said(slain=len(unit.slain), returned=back)
    if unit.id in state.pools:
        told["wounds_to_come"] = state.pools[unit.id]
    return told


def _feature(feature: Feature) -> dict[str, Any]:
    """A kind of the library, turned as it lies; or its first part about its own middle."""
    more: dict[str, Any] = {"holder": feature.holder} if feature.holder >= 0 else {}

    def lie(kind: Any, facing: float) -> Feature:
        return feature_of(kind.id, feature.id, feature.x, feature.y, facing)

    found = writing.laid_as(feature, content.terrain_kinds().values(), lie, lambda one: one.parts)
    if found is not None:
        told, made = found
        return told | ({"abilities": list(feature.abilities)} if made.abilities != feature.abilities else {}) | more
    part = feature.parts[0]
    told = writing.outlined(feature, part.points)
    return {**told, "top": part.top, "opaque": part.opaque, **more}


def stock() -> Iterator[Stock]:
    """Every warscroll and every kind of terrain of the library."""
    for faction in content.factions().values():
        for scroll in faction.warscrolls:
            spots = writing.in_rows(scroll.size, max(scroll.base))
            box = writing.box_round(spots, max(scroll.base) / 50.8)
            yield Stock("units", scroll.name, faction.name, {"warscroll": scroll.id, "models": spots}, box)
    spots = writing.in_rows(5, max(OWN["base"]))
    own = {"profile": {"name": words("scene.stock.own-unit"), **OWN}, "models": spots}
    yield writing.own_profile("units", own, writing.box_round(spots, max(OWN["base"]) / 50.8))
    kinds = content.terrain_kinds().values()
    yield from writing.known_terrain(kinds, lambda kind: [spot for part in kind.parts for spot in part.points])


OWN: dict[str, Any] = {
    "move": 5, "health": 1, "save": 4, "control": 1, "base": [32], "keywords": ["infantry"],
    "weapons": [{"id": "blade", "attacks": 2, "hit": 4, "wound": 4, "rend": 0, "damage": 1}],
}  # fmt: skip
