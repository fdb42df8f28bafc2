"""A moment of a battle in the words of a scene, and what the library can put on the table of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpire.engine.game import Stock
from umpire.miniatures.writing import (
    as_written,
    box_of_block,
    known_or_spelt,
    moment_due,
    own_profile,
    plain_terrain,
    said,
    write_down,
)
from umpire.text import words

from . import content, scenarios
from .roster import command_models
from .scenes import MOMENTS, Scene, SceneCharacter, SceneRegiment
from .state import Character, Regiment, State


def write_scene(state: State) -> dict[str, Any]:
    """The position of a scene that comes as near to this state as its words allow."""
    due = state.agenda[-1] if state.agenda else None
    now = state.activation
    acting = now is not None and now.regiment in state.regiments
    moment = moment_due(state.agenda, MOMENTS, "actions" if acting else state.phase)
    told = write_down(state, Scene, leave=("regiments", "characters", "scenario"))
    told["moment"] = moment
    if moment in ("set-up", "round"):
        told["round"] = state.round + 1
    if now is not None and moment == "actions":
        told |= {"who": now.regiment, "taken": list(now.actions), "allowed": now.allowed}
        told |= {"by_card": now.by_card, "done": list(now.done)}
        told |= {"last_legal": list(now.start)} if now.start is not None else {}
    elif due is not None and moment in ("character", "activation"):
        told["who"] = str(due.args[0])
    told["scenario"] = known_or_spelt(state.scenario, scenarios.scenarios())
    told["regiments"] = [_regiment(state, regiment) for regiment in state.regiments.values()]
    told["characters"] = [_character(state, hero) for hero in state.characters.values()]
    return told


LISTED = ("id", "side", "entry", "profile", "names")


def _listed(state: State, who: Regiment | Character) -> dict[str, Any]:
    """The entry of the library that it is, with its profile spelt out where that is another."""
    key = f"{state.factions[who.side]}/{who.entry}"
    found = content.by_key().get(key)
    told = {"id": who.id, "side": who.side, "entry": key}
    if found is None or content.profile_of(found) != who.profile:
        told |= {"profile": as_written(who.profile), "names": who.title.names}
    return told


def _regiment(state: State, regiment: Regiment) -> dict[str, Any]:
    told = _listed(state, regiment)
    own = [stand for stand in regiment.stands if not stand.character or stand.character == regiment.own]
    own.sort(key=lambda stand: (not stand.command, not stand.models, stand.id))
    leave = (*LISTED, "stands", "models", "lost")
    told |= {"stands": max(1, len(own)), **write_down(regiment, SceneRegiment, leave=leave)}
    joined = [stand for stand in regiment.stands if stand not in own]
    told |= {"places": [[stand.rank, stand.file] for stand in (*own, *joined)]} if own else {}
    fallen = [model for stand in regiment.lost for model in stand.models]
    models = [known_or_spelt(model, command_models()) for model in regiment.models if model.id not in fallen]
    wounds = {n: stand.wounds for n, stand in enumerate(own) if stand.wounds}
    return told | said(wounds=wounds, lost=len(regiment.lost), models=models, lost_models=fallen)


def _character(state: State, hero: Character) -> dict[str, Any]:
    return _listed(state, hero) | write_down(hero, SceneCharacter, leave=LISTED)


def stock() -> Iterator[Stock]:
    """Every regiment of the library, and plain pieces of terrain."""
    for faction in content.factions().values():
        for entry in faction.regiments:
            given = {"entry": f"{faction.id}/{entry.id}", "stands": entry.stands, "models": ["leader"], "x": 0, "y": 0}
            wide, deep = content.profile_of(entry).stand
            box = box_of_block(min(entry.stands, 3) * wide, -(-entry.stands // 3) * deep)
            yield Stock("regiments", entry.name, faction.name, given, box)
    own = {
        "profile": OWN,
        "names": words("scene.stock.own-unit"),
        "stands": 3,
        "models": ["leader"],
        "x": 0,
        "y": 0,
    }
    yield own_profile("regiments", own, box_of_block(7.5, 2.5))
    yield from plain_terrain(TERRAIN)


TERRAIN: dict[str, dict[str, Any]] = {
    "forest": {"rules": ["forest", "passable", "obscuring"]}, "hill": {"rules": ["hill", "passable"]},
    "water": {"rules": ["water", "passable"]}, "rocks": {"rules": ["impassable"]},
    "building": {"rules": [], "kind": "garrison", "size": 2},
}  # fmt: skip
OWN: dict[str, Any] = {
    "type": "infantry", "class": "medium", "march": 5, "volley": 0, "clash": 2, "attacks": 4, "wounds": 4, "resolve": 3,
    "defense": 2, "evasion": 1, "rules": [],
}  # fmt: skip
