"""A moment of a battle in the words of a scene, and what the library can put on the table of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpire.engine.game import Stock
from umpire.games.wh40k import content
from umpire.games.wh40k.scenes import Scene, SceneSide, SceneUnit
from umpire.games.wh40k.state import PHASES, Feature, Model, State, Unit
from umpire.games.wh40k.terrain import make_feature
from umpire.miniatures import writing
from umpire.text import words


def write_scene(state: State) -> dict[str, Any]:
    """The position of a scene that comes as near to this state as its words allow."""
    told = writing.write_turns(state, Scene, SceneSide, PHASES, ("mission",))
    told["mission"] = writing.as_written(state.mission)
    told["units"] = [_unit(unit) for unit in state.units.values()]
    told["objectives"] = [[spot.x, spot.y, *([spot.holder] if spot.holder >= 0 else [])] for spot in state.objectives]
    told["terrain"] = [_feature(state, feature) for feature in state.terrain if not feature.unit]
    return told


def _unit(unit: Unit) -> dict[str, Any]:
    told = {"id": unit.id, "side": unit.side, **writing.printed(unit.sheet, content.datasheets(), "sheet")}
    leave = ("id", "side", "sheet", "profile", "models", "dead", "died", "warlord", "starting", "gifts")
    told |= writing.write_down(unit, SceneUnit, leave=leave)
    everybody = [*unit.models, *unit.dead]
    told["models"] = [_spot(model) for model in unit.models]
    if any(model.row != unit.sheet.rows[0].id for model in everybody):
        told["rows"] = [model.row for model in everybody]
    told["arms"] = [list(model.weapons) for model in everybody]
    rows = {row.id: row for row in unit.sheet.rows}
    if any(model.wounds != rows[model.row].w for model in everybody):
        told["wounds"] = [model.wounds for model in everybody]
    told |= writing.said(dead=len(unit.dead), died=len(unit.died), gifts=writing.as_written(unit.gifts))
    told |= writing.said(warlord=unit.warlord == f"{unit.id}.1")
    told |= {"starting": unit.starting} if unit.starting != len(everybody) else {}
    return told


def _spot(model: Model) -> list[float]:
    return [model.x, model.y, *([model.z, model.facing] if model.facing else [model.z] if model.z else [])]


def _feature(state: State, feature: Feature) -> dict[str, Any]:
    """A piece of the library, turned as it lies; or its footprint about its own middle."""

    def lie(piece: Any, facing: float) -> Feature:
        return make_feature(feature.id, piece, feature.x, feature.y, facing, state.without)

    found = writing.laid_as(feature, content.pieces().values(), lie, lambda one: (one.points, one.parts))
    if found is not None:
        return found[0]
    told = writing.outlined(feature, feature.points)
    parts = [
        {
            **writing.as_written(part),
            "points": [[round(x - feature.x, 6), round(y - feature.y, 6)] for x, y in part.points],
        }
        for part in feature.parts
    ]
    return {**told, "height": feature.height, "traits": list(feature.traits), **writing.said(parts=parts)}


def stock() -> Iterator[Stock]:
    """Every datasheet and every piece of terrain of the library."""
    names = {key: faction.name for key, faction in content.factions().items()}
    for sheet in content.datasheets().values():
        row = sheet.rows[0]
        count = min(5, sheet.power[0][0])
        base = max((*row.base, 25.4))
        spots = writing.in_rows(count, base)
        group = names.get(sheet.faction) or words("scene.stock.others")
        box = writing.box_round(spots, row.reach[0])
        yield Stock("units", sheet.name, group, {"sheet": sheet.id, "models": spots}, box)
    spots = writing.in_rows(5, OWN["base"])
    own = {"profile": {"name": words("scene.stock.own-unit"), **OWN}, "models": spots}
    yield writing.own_profile("units", own, writing.box_round(spots, OWN["base"] / 50.8))
    yield from writing.known_terrain(content.pieces().values(), lambda piece: piece.points)


OWN: dict[str, Any] = {
    "m": 6, "ws": 4, "bs": 4, "s": 4, "t": 4, "w": 1, "a": 1, "ld": 7, "sv": 4, "base": 32, "keywords": ["infantry"],
    "weapons": [{"id": "rifle", "type": "rapid-fire", "range": 24, "attacks": 1, "s": 4, "ap": 0, "d": 1}],
}  # fmt: skip
