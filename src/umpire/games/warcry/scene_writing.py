"""A moment of a battle in the words of a scene, and what the library can put on the table of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from umpire.engine.game import Stock
from umpire.games.warcry import battleplan, combat, reserves, rounds, setup
from umpire.games.warcry.cards import Feature
from umpire.games.warcry.content import library
from umpire.games.warcry.scenes import Scene, SceneFighter, ScenePlayer
from umpire.games.warcry.state import State
from umpire.games.warcry.terrain import layout
from umpire.miniatures.positions import as_written, moment_due, write_down
from umpire.text import words

MOMENTS: dict[Callable[..., Any], str] = {
    setup.divide: "divide",
    setup.deployment_step: "deploy",
    rounds.start_round: "round",
    rounds.wild_gain: "wild",
    reserves.phase: "reserve",
    combat.phase: "combat",
    combat.turn: "turn",
    combat.act: "act",
    battleplan.end_round: "end-round",
}
"""The moments that a scene can name, by the step that is due at each."""


def write_scene(state: State) -> dict[str, Any]:
    """The position of a scene that comes as near to this state as its words allow."""
    at = moment_due(state.agenda, MOMENTS, "turn")
    leave = ("fighters", "players", "deployment", "victory", "twist", "terrain", "active")
    told = write_down(state, Scene, leave=leave)
    told |= {"at": at, "side": state.turn}
    if state.active is not None and at == "act":
        active = state.active
        told |= {"active": active.fighter, "actions": active.left}
        told |= {"ability_used": True} if active.ability else {}
        told |= {name: True for name in ("moved", "attacked", "felled", "bonus") if getattr(active, name)}
    lib = library()
    for name, shelf in (("deployment", lib.deployment), ("victory", lib.victory), ("twist", lib.twist)):
        card: Any = getattr(state, name)
        if card is not None:
            told[name] = card.id if shelf.get(card.id) == card else as_written(card)
    told["fighters"] = [
        {
            "id": fighter.id,
            "side": fighter.side,
            "profile": _profile(fighter.profile),
            **write_down(fighter, SceneFighter, leave=("id", "side", "profile")),
        }
        for fighter in state.fighters
    ]
    told["players"] = [write_down(player, ScenePlayer) for player in state.players]
    told |= _terrain(state)
    return told


def _profile(profile: Any) -> Any:
    return profile.id if library().profiles.get(profile.id) == profile else as_written(profile)


def _terrain(state: State) -> dict[str, Any]:
    """The features of the card that the battle was laid out by, where they still lie so; else none are said."""
    lib = library()
    card = lib.terrain.get(state.terrain_card)
    sized = {"width": state.layout.width, "depth": state.layout.depth}
    if card is not None and layout(card.features, lib.pieces, **sized).features == state.layout.features:
        return {**sized, "terrain": [_feature(feature) for feature in card.features]}
    return sized


def _feature(feature: Feature) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(feature)
    return told


def stock() -> Iterator[Stock]:
    """Every fighter and every piece of terrain of the library."""
    lib = library()
    for profile in lib.profiles.values():
        faction = lib.factions.get(profile.faction)
        group = faction.name if faction is not None else words("scene.stock.others")
        yield Stock("fighters", profile.name, group, {"profile": profile.id, "x": 0, "y": 0})
    for piece in lib.pieces.values():
        yield Stock("terrain", piece.name, words("scene.stock.terrain"), {"piece": piece.id, "x": 0, "y": 0})
