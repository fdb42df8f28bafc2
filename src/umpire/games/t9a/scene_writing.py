"""A moment of a battle in the words of a scene, and what the library can put on the table of one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import msgspec

from umpire.engine.game import Stock
from umpire.engine.steps import step_name
from umpire.miniatures.writing import as_written, box_of_block, own_profile, plain_terrain, said, write_down
from umpire.text import words

from . import content, muster, turns
from .formation import SKIRMISH_GAP
from .scenes import Scene, SceneUnit
from .state import PHASES, Pool, State, Unit


def write_scene(state: State) -> dict[str, Any]:
    """The position of a scene that comes as near to this state as its words allow."""
    told = write_down(state, Scene, leave=("units", "terrain", "spells"))
    told |= {"moment": _moment(state), "starts": max(0, state.first), "turn": max(1, state.turn)}
    told["field"] = as_written(msgspec.structs.replace(state.field, terrain=()))
    told["terrain"] = as_written(state.field.terrain)
    told["units"] = [_unit(state, unit) for unit in state.units.values()]
    return told


def _moment(state: State) -> str:
    """The last phase whose steps are all still to do."""
    if state.turn == 0:
        return "deployment"
    left = [task.step for task in reversed(state.agenda)]
    for moment in PHASES:
        steps = turns.turn_steps(moment, False)
        if [step_name(entry[0] if isinstance(entry, tuple) else entry) for entry in steps] == left:
            return moment
    return "charge"


def _unit(state: State, unit: Unit) -> dict[str, Any]:
    pool = state.pools[unit.id]
    told: dict[str, Any] = {"id": unit.id, "side": unit.side}
    book = content.books().get(state.books[unit.side])
    entry = book.entry(pool.entry) if book is not None else None
    if book is not None and entry is not None:
        told |= {"entry": f"{book.id}/{pool.entry}", **_bought(book, entry, pool)}
    else:
        told["names"] = dict(pool.names)
    empty = unit.where == "table" and not unit.members
    told |= {
        "models": 0 if empty else pool.count if unit.members and unit.id not in unit.members else max(1, pool.count),
        "where": unit.where if unit.where != "joined" else "table",
    }
    leave = ("id", "side", "entry", "profile", "names", "models", "where", "spells", "bound", "start")
    told |= write_down(unit, SceneUnit, leave=(*leave, *_OF_POOLS))
    told |= {key: value for key, value in write_down(pool, SceneUnit, leave=leave).items() if key in _OF_POOLS}
    if pool.start != pool.count:
        told["start"] = pool.start
    if unit.host:
        told["in_unit"] = unit.host
    return told


MARKS = ("standard", "musician", "general", "bearer", "skill")
"""What an option gives and one can see; all else shows in the profile."""


def _bought(book: content.Book, entry: content.UnitEntry, pool: Pool) -> dict[str, Any]:
    """What was bought for a unit, found again: the mount and the options with which its entry makes its profile."""
    marked = [one for one in entry.options if any(getattr(one.gives, mark) for mark in MARKS)]
    sure = [one.id for one in marked if all(getattr(one.gives, m) in ("", False, getattr(pool, m)) for m in MARKS)]
    free = [one.id for one in entry.options if one not in marked]
    told = said(items=list(pool.items), path=pool.path, spells=[spell.id for spell in pool.spells])
    for mount in entry.mounts if pool.mounted else ("",):
        for taken in itertools.product((False, True), repeat=len(free)):
            options = (*sure, *itertools.compress(free, taken))
            pick = muster.Pick(entry=entry.id, options=options, mount=mount, items=pool.items, path=pool.path)
            if muster.build_pool(book, entry, pick, pool.side, pool.id, pool.skill).profile == pool.profile:
                return {**told, **said(options=list(options), mount=mount)}
    return told


_OF_POOLS = (
    "lost", "file", "rank", "standard", "musician", "general", "bearer", "points", "moved", "outside", "arrived",
    "summoned", "spent", "siphons", "character", "attachable", "wizard",
)  # fmt: skip


def stock() -> Iterator[Stock]:
    """Every entry of the army books, and plain pieces of terrain."""
    for book in content.books().values():
        for entry in book.entries:
            files = min(5, entry.least)
            given = {"entry": f"{book.id}/{entry.id}", "models": entry.least, "files": files, "x": 0, "y": 0}
            gap = SKIRMISH_GAP if "skirmisher" in entry.rules else 0.0
            wide, deep = ((mm + gap) / 25.4 for mm in entry.base)
            box = box_of_block(files * wide, -(-entry.least // files) * deep)
            yield Stock("units", entry.name, book.name, given, box)
    own = {"profile": OWN, "names": words("scene.stock.own-unit"), "models": 15, "files": 5, "x": 0, "y": 0}
    yield own_profile("units", own, box_of_block(*(n * mm / 25.4 for n, mm in zip((5, 3), OWN["base"], strict=True))))
    kinds = ("field", "forest", "hill", "impassable", "ruins", "wall", "water")
    yield from plain_terrain({kind: {"kind": kind} for kind in kinds})


OWN: dict[str, Any] = {
    "cha": 4, "mob": 4, "dis": 7, "hp": 1, "def": 3, "res": 3, "arm": 0, "base": [20, 20], "rules": [],
    "parts": [{"att": 1, "off": 3, "str": 3, "ap": 0, "agi": 3, "weapons": []}],
}  # fmt: skip
