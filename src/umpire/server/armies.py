"""What a table is set up with: the menus of the games, their ready armies, and what an army is called."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.game import Game, find_game
from umpire.engine.rng import Rng, seed_of
from umpire.engine.view import localise
from umpire.errors import fault
from umpire.text import LANGUAGES, WRITTEN, both, in_language

encode = msgspec.json.encode


def rosters(spec: Game, seed: int, options: Mapping[str, Any], armies: Sequence[Any]) -> list[Any]:
    if all(army in (None, "random") for army in armies):
        return []
    library = {army["id"]: army for army in library_of(spec.id).get("armies", ())}
    sides = []
    for side, army in enumerate(armies):
        if army in (None, "random"):
            if spec.muster is None:
                raise fault("server.cannot-muster-one-army-at", id=spec.id)
            taken = {k: v for k, v in options.items() if k in inspect.signature(spec.muster).parameters}
            sides.append(msgspec.to_builtins(spec.muster(Rng(seed_of("muster", spec.id, seed, side)), **taken)))
        elif isinstance(army, str):
            if army not in library:
                raise fault("server.there-no-army-in-library", army=repr(army))
            sides.append(library[army].get("roster", army))
        else:
            sides.append(army)
    return sides


@functools.cache
def library_of(game: str) -> dict[str, Any]:
    """A game's menus are the same for every table, and ready armies are not mustered anew for each."""
    spec = find_game(game)
    library: dict[str, Any] = msgspec.to_builtins(dict(spec.library())) if spec.library else {}
    return library


def menu(spec: Game) -> dict[str, Any]:
    library = library_of(spec.id)
    armies = [
        {k: v for k, v in army.items() if k != "roster"} | _listed(spec, army) for army in library.get("armies", ())
    ]
    return {
        "id": spec.id,
        "names": dict(spec.names),
        "library": {
            "armies": armies,
            "scenarios": library.get("scenarios", []),
            "options": library.get("options", []),
            "first": _first(spec.id, library.get("first")),
        },
    }


def _first(game: str, first: dict[str, Any] | None) -> dict[str, Any] | None:
    """What a first battle is set up with, and three things to try in its first turn: each with the questions, and what
    their answers begin with, by which it is done."""
    if first is None:
        return None
    tries = [
        {"asks": asks.split(), "text": both(f"first.{n}", game)} for n, asks in enumerate(first.get("tries", ()), 1)
    ]
    return {**first, "tries": tries}


def _listed(spec: Game, army: dict[str, Any]) -> dict[str, Any]:
    """What an army is made of, so that it can be looked into before it is chosen."""
    if spec.price is None or spec.roster is None:
        return {}
    bill = spec.price(msgspec.convert(army["roster"], spec.roster))
    units = [{"name": account.name, "points": account.points} for account in bill.accounts]
    told: dict[str, Any] = {"units": localise(units, spec.id, lambda key: None)}
    return told


def armies_of(battle: Battle[Any]) -> list[bytes]:
    sides = [*battle.setup.sides[:2], None, None][:2]
    return [encode(_army_name(battle, side)) for side in sides]


def _army_name(battle: Battle[Any], roster: Any) -> Mapping[str, str]:
    """What to call an army: as the library does, else its own name, else its faction's, else the game's."""
    plain = msgspec.to_builtins(roster)
    if isinstance(plain, dict):
        for army in library_of(battle.game.id).get("armies", ()):
            if army.get("roster") == plain:
                listed: Mapping[str, str] = army["name"]
                return listed
        name = plain.get("name")
        if isinstance(name, str) and name:
            return dict.fromkeys(LANGUAGES, name)
        if isinstance(name, dict) and set(WRITTEN) <= set(name):
            return {lang: str(in_language(name, lang)) for lang in LANGUAGES}
        faction = plain.get("faction")
        named = battle.game.name(battle.state, faction) if isinstance(faction, str) else None
        if named:
            return named
    return battle.game.names
