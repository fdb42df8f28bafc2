"""A moment of a battle in the words of a scene, and what the library can put on the table of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from umpire.engine.game import Stock
from umpire.games.warcry.cards import Feature, Piece
from umpire.games.warcry.content import library
from umpire.games.warcry.scenes import MOMENTS, Scene, SceneFighter, ScenePlayer
from umpire.games.warcry.state import State
from umpire.games.warcry.terrain import PlacedFeature, place
from umpire.miniatures.writing import (
    FACINGS,
    box_round,
    known_or_spelt,
    known_terrain,
    moment_due,
    own_profile,
    write_down,
)
from umpire.text import words


def write_scene(state: State) -> dict[str, Any]:
    """The position of a scene that comes as near to this state as its words allow."""
    at = moment_due(state.agenda, MOMENTS, "turn" if state.round else "deploy")
    leave = ("fighters", "players", "deployment", "victory", "twist", "terrain", "active")
    told = write_down(state, Scene, leave=leave)
    told |= {"at": at, "side": state.turn}
    if state.active is not None and at == "act":
        active = state.active
        told |= {"active": active.fighter, "actions": active.left}
        told |= {"ability_used": True} if active.ability else {}
        told |= {name: True for name in ("moved", "attacked", "felled", "bonus") if getattr(active, name)}
    lib = library()
    for name in ("deployment", "victory", "twist"):
        if (card := getattr(state, name)) is not None:
            told[name] = known_or_spelt(card, lib.deck(name))
    told["fighters"] = [
        {
            "id": fighter.id,
            "side": fighter.side,
            "profile": known_or_spelt(fighter.profile, lib.profiles),
            **write_down(fighter, SceneFighter, leave=("id", "side", "profile")),
        }
        for fighter in state.fighters
    ]
    told["players"] = [write_down(player, ScenePlayer) for player in state.players]
    told |= {"width": state.layout.width, "depth": state.layout.depth}
    if all(feature.piece in lib.pieces for feature in state.layout.features):
        told["terrain"] = [_feature(n, feature) for n, feature in enumerate(state.layout.features)]
    return told


def _feature(n: int, lies: PlacedFeature) -> dict[str, Any]:
    """A piece of the library as it lies, turned by a whole number of degrees where that is how it was laid."""
    piece = library().pieces[lies.piece]
    told = Feature(piece.id, lies.x, lies.y, 0.0, lies.parts[0].floor - piece.parts[0].floor, lies.id, lies.on)
    turned = (msgspec.structs.replace(told, facing=float(facing)) for facing in (*FACINGS, *range(360)))
    told = next((one for one in turned if place(piece, one, n) == lies), told)
    return write_down(told, Feature, leave=("id",) if lies.id == f"t{n}" else ())


def stock() -> Iterator[Stock]:
    """Every fighter and every piece of terrain of the library."""
    lib = library()
    for profile in lib.profiles.values():
        faction = lib.factions.get(profile.faction)
        group = faction.name if faction is not None else words("scene.stock.others")
        box = box_round([(0, 0)], profile.radius)
        yield Stock("fighters", profile.name, group, {"profile": profile.id, "x": 0, "y": 0}, box)
    own = {"profile": {"id": "own", "name": words("scene.stock.own-fighter"), **OWN}, "x": 0, "y": 0}
    yield own_profile("fighters", own, box_round([(0, 0)], OWN["base"] / 50.8))
    yield from known_terrain(lib.pieces.values(), _corners, "piece")


def _corners(piece: Piece) -> list[tuple[float, float]]:
    return [spot for part in place(piece, Feature(piece.id, 0.0, 0.0), 0).parts for spot in part.points]


OWN: dict[str, Any] = {
    "faction": "own",
    "move": 4, "toughness": 4, "wounds": 10, "points": 100,
    "base": 32, "weapons": [{"runemark": "sword", "attacks": 3, "strength": 4, "damage": [1, 4], "range": 1}],
}  # fmt: skip
