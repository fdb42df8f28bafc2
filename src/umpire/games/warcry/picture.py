"""The table as a picture, and the names of things."""

from __future__ import annotations

from collections.abc import Mapping

from umpire.engine.picture import Picture
from umpire.games.warcry import abilities, reactions
from umpire.games.warcry.content import library
from umpire.games.warcry.state import State


def name(state: State, key: str) -> Mapping[str, str] | None:
    """The names of fighters, abilities, cards, factions and terrain."""
    for fighter in state.fighters:
        if fighter.id == key:
            return fighter.profile.name
    lib = library()
    for table in (
        lib.factions,
        lib.profiles,
        lib.abilities,
        lib.reactions,
        lib.terrain,
        lib.deployment,
        lib.victory,
        lib.twist,
    ):
        found = table.get(key)  # type: ignore[attr-defined]
        if found is not None:
            return found.name  # type: ignore[no-any-return]
    if key in abilities.CORE:
        return abilities.CORE[key].name
    for reaction in reactions.UNIVERSAL:
        if reaction.id == key:
            return reaction.name
    for feature in state.layout.features:
        if feature.id == key:
            return feature.name
    return None


def picture(state: State) -> Picture:
    return Picture(state.layout.width, state.layout.depth)
