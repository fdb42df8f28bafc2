"""Content files: factions with their datasheets, terrain, layouts and missions. What a battle uses goes into its set-up
or its data; nothing is kept for the process but what the files say."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from importlib import resources
from typing import Any, Literal

import msgspec

from umpire.errors import UmpireError, unknown
from umpire.games.wh40k.missions import SCORING
from umpire.games.wh40k.profiles import (
    Ability,
    Carries,
    Choice,
    Datasheet,
    Explodes,
    Lore,
    Name,
    Power,
    Psychic,
    Role,
    Row,
    Stratagem,
    Task,
    Weapon,
)
from umpire.games.wh40k.state import Mission
from umpire.games.wh40k.terrain import TYPES, PieceData


class SheetData(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A datasheet as a faction's file writes it: weapons and abilities by id."""

    id: str
    name: Name
    role: Role
    rows: tuple[Row, ...]
    power: tuple[tuple[int, int], ...]
    keywords: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    abilities: tuple[str, ...] = ()
    psychic: Psychic | None = None
    carries: Carries | None = None
    explodes: Explodes | None = None
    pregame: tuple[str, ...] = ()
    group: str = ""
    selectable: bool = True
    icon: str = ""


class Faction(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A faction: its keyword, the broad keyword that it shares with allies, and all that it brings."""

    id: str
    name: Name
    keyword: str
    broad: str
    bracket: str = ""
    """The selectable keyword of its units, such as "<company>"."""
    choices: tuple[str, ...] = ()
    names: dict[str, Name] = {}
    armoury: tuple[Weapon, ...] = ()
    abilities: tuple[Ability, ...] = ()
    sheets: tuple[SheetData, ...] = ()
    powers: tuple[Power, ...] = ()
    stratagems: tuple[Stratagem, ...] = ()
    traits: tuple[Ability, ...] = ()
    relics: tuple[Ability, ...] = ()
    upgrades: tuple[Ability, ...] = ()
    detachment: Ability | None = None
    """What every unit of a detachment has that is of this faction alone."""


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Terrain on a table of 44 by 30 inches: piece, x, y, facing."""

    id: str
    name: Name
    pieces: tuple[tuple[str, float, float, float], ...]


class Core(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terrain: tuple[PieceData, ...]
    layouts: tuple[Layout, ...]
    missions: tuple[Mission, ...]
    tasks: tuple[Task, ...] = ()


def _read(name: str, kind: Any) -> Any:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = resources.files("umpire.content").joinpath("wh40k", name).read_text(encoding="utf-8")
    try:
        return msgspec.convert(yaml.load(text, Loader=loader), kind)
    except msgspec.ValidationError as error:
        raise UmpireError(str(error), f"content/wh40k/{name}") from None


@functools.cache
def core() -> Core:
    found: Core = _read("core.yaml", Core)
    for mission in found.missions:
        for word in mission.scoring:
            if word not in SCORING:
                raise unknown("scoring", word, f"content/wh40k/core.yaml: {mission.id}", SCORING)
    for piece in found.terrain:
        if piece.type not in TYPES:
            raise unknown("terrain-type", piece.type, f"content/wh40k/core.yaml: {piece.id}", TYPES)
    return found


@functools.cache
def factions() -> dict[str, Faction]:
    names = sorted(
        entry.name
        for entry in resources.files("umpire.content").joinpath("wh40k").iterdir()
        if entry.name.endswith(".yaml") and entry.name != "core.yaml"
    )
    return {faction.id: faction for faction in (_read(name, Faction) for name in names)}


def resolve_sheet(faction: Faction, data: SheetData) -> Datasheet:
    """A datasheet with everything that it names; a name that nothing answers to is an error that says where."""
    where = f"content/wh40k/{faction.id}.yaml: {data.id}"
    arms = {weapon.id: weapon for weapon in faction.armoury}
    rules = {ability.id: ability for ability in faction.abilities}
    wanted = [key for row in data.rows for key in row.weapons] + [key for c in data.choices for key in c.take]
    for key in wanted:
        if key not in arms:
            raise unknown("weapon", key, where)
    for key in (*data.abilities, *data.pregame):
        if key not in rules:
            raise unknown("ability", key, where)
    return Datasheet(
        id=data.id,
        name=data.name,
        role=data.role,
        rows=data.rows,
        power=data.power,
        keywords=data.keywords,
        factions=(faction.keyword, faction.broad),
        faction=faction.id,
        weapons=tuple(arms[key] for key in dict.fromkeys(wanted)),
        choices=data.choices,
        abilities=tuple(rules[key] for key in data.abilities),
        pregame=tuple(rules[key] for key in data.pregame),
        psychic=data.psychic,
        carries=data.carries,
        explodes=data.explodes,
        group=data.group,
        selectable=faction.bracket if data.selectable else "",
        icon=data.icon,
    )


@functools.cache
def datasheets() -> dict[str, Datasheet]:
    return {data.id: resolve_sheet(f, data) for f in factions().values() for data in f.sheets}


def lore(wanted: Iterable[str], tasks: Iterable[str] = ()) -> Lore:
    """What some factions and a mission bring to a battle."""
    books = [factions()[key] for key in dict.fromkeys(wanted) if key in factions()]
    named = tuple(tasks)
    return Lore(
        powers={p.id: msgspec.structs.replace(p, faction=b.id) for b in books for p in b.powers},
        stratagems={s.id: msgspec.structs.replace(s, faction=b.id) for b in books for s in b.stratagems},
        tasks={task.id: task for task in core().tasks if task.id in named},
    )


def missions(size: str = "") -> dict[str, Mission]:
    return {mission.id: mission for mission in core().missions if not size or mission.size == size}


@functools.cache
def pieces() -> dict[str, PieceData]:
    return {piece.id: piece for piece in core().terrain}


Size = Literal["combat-patrol", "incursion", "strike-force", "onslaught"]
