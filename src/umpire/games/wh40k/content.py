"""Content files: factions with their datasheets, terrain, layouts and missions. What a battle uses goes into its set-up
or its data; nothing is kept for the process but what the files say."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

import msgspec

from umpire import files
from umpire.errors import fault, unknown
from umpire.games.wh40k.missions import SCORING
from umpire.games.wh40k.profiles import (
    Ability,
    Choice,
    Datasheet,
    Lore,
    Power,
    Rating,
    Role,
    Row,
    Stratagem,
    Task,
    Weapon,
)
from umpire.games.wh40k.state import Mission
from umpire.games.wh40k.terrain import TYPES, PieceData
from umpire.miniatures import checks
from umpire.miniatures.amounts import LARGEST
from umpire.miniatures.books import Entry, Library, content, shelf
from umpire.miniatures.making import made
from umpire.miniatures.maps import Layout
from umpire.miniatures.positions import found, marks_of

WEAPON_RULES = (
    "auto-hit", "auto-wound-6", "blast", "extra-hits-6", "hazard", "instead-6", "mortal-6", "no-cover", "no-cover-hit",
    "no-cover-save", "no-ignore",
)  # fmt: skip
NUMBERED = ("hits", "poison")
"""Rules of a weapon that come with a number: "poison-4"."""


@marks_of(Datasheet, but=("factions", "faction", "weapons"))
class SheetData(Entry, frozen=True, kw_only=True):
    """A datasheet as a faction's file writes it: weapons and abilities by id."""

    role: Role
    rows: tuple[Row, ...]
    power: tuple[tuple[Rating, Rating], ...]
    choices: tuple[Choice, ...] = ()
    abilities: tuple[str, ...] = ()
    pregame: tuple[str, ...] = ()
    selectable: bool = True


class Faction(Entry, frozen=True, kw_only=True):
    """A faction: its keyword, the broad keyword that it shares with allies, and all that it brings."""

    keyword: str
    broad: str
    bracket: str = ""
    """The selectable keyword of its units, such as "<company>"."""
    choices: tuple[str, ...] = ()
    names: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
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
    minor: bool = False
    """It fields no army of its own; its units follow others."""


class Core(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terrain: tuple[PieceData, ...]
    layouts: tuple[Layout, ...]
    missions: tuple[Mission, ...]
    tasks: tuple[Task, ...] = ()


@functools.cache
def core() -> Core:
    source = content("wh40k", "core.yaml")
    told = source.convert(Core)
    with source.locating():
        for mission in told.missions:
            check_mission(mission, f"missions.{mission.id}")
        for piece in told.terrain:
            checks.among("terrain-type", piece.type, TYPES, f"terrain.{piece.id}")
            check_parts(piece, f"terrain.{piece.id}")
    return told


def check_mission(mission: Mission, where: str) -> None:
    """What scores, two different edges, zones that are areas."""
    checks.fields(mission, where, {"scoring": ("scoring", SCORING)})
    if mission.edges[0] == mission.edges[1]:
        raise fault("error.scene.one-of-two", f"{where}.edges[1]")
    checks.zones(mission.zones, f"{where}.zones")


def check_parts(piece: PieceData, where: str) -> None:
    """The parts of a piece of terrain."""
    for k, part in enumerate(piece.parts):
        at = f"{where}.parts[{k}]"
        checks.convex(part.points, f"{at}.points")
        checks.between(part.top, part.floor, LARGEST, f"{at}.top")


def read_faction(source: files.Source) -> Faction:
    faction = source.convert(Faction)
    with source.locating():
        check_weapons(faction.armoury, "armoury")
        check_rules(faction)
        for data in faction.sheets:
            resolve_sheet(faction, data)
            check_bases(data.rows, f"sheets.{data.id}.rows")
            for choice in data.choices:
                where = f"sheets.{data.id}.choices.{choice.id}"
                checks.among("model", choice.row, [row.id for row in data.rows], f"{where}.row")
                for key in choice.give:
                    checks.among("weapon", key, [weapon.id for weapon in faction.armoury], f"{where}.give")
    return faction


def check_rules(faction: Faction) -> None:
    """What abilities, powers and stratagems do is something that there is."""
    from umpire.games.wh40k.primitives import check_does

    sheets = [data.id for data in faction.sheets]
    for group in ("abilities", "traits", "relics", "upgrades", "powers", "stratagems"):
        for one in getattr(faction, group):
            check_does(one.does, f"{group}.{one.id}.does", sheets)
    if faction.detachment is not None:
        check_does(faction.detachment.does, "detachment.does", sheets)


def check_weapons(weapons: Iterable[Weapon], where: str) -> None:
    """Rules of weapons that there are, and a range for all but melee weapons."""
    for n, weapon in enumerate(weapons):
        for k, profile in enumerate(weapon.profiles):
            at = f"{where}[{n}].profiles[{k}]"
            if profile.melee and profile.range:
                raise fault("error.wh40k.melee-range", at, weapon=weapon.id)
            if not profile.melee and not profile.range:
                raise fault("error.scene.needs", at, at=weapon.id, field="range")
            for rule in profile.rules:
                head, _, number = rule.rpartition("-")
                if rule not in WEAPON_RULES and not (head in NUMBERED and number.isdigit()):
                    known = (*WEAPON_RULES, *(f"{word}-N" for word in NUMBERED))
                    raise unknown("weapon-ability", rule, f"{at}.rules", known)


def check_bases(rows: Iterable[Row], where: str) -> None:
    """A hull is measured in inches, a base in millimetres."""
    for n, row in enumerate(rows):
        least, most = (0.5, 40.0) if row.hull else (5.0, 500.0)
        if not least <= min(row.base) <= max(row.base) <= most:
            raise fault("error.wh40k.base", f"{where}[{n}].base")


LIBRARY = Library(shelf("wh40k", but=("core",)), read_faction)
factions = LIBRARY.books


def armies() -> list[str]:
    """The factions that field armies of their own."""
    return [key for key, book in factions().items() if not book.minor]


def resolve_sheet(faction: Faction, data: SheetData) -> Datasheet:
    """A datasheet with everything that it names; a name that nothing answers to is an error that says where."""
    where = f"sheets.{data.id}"
    arms = {weapon.id: weapon for weapon in faction.armoury}
    rules = {ability.id: ability for ability in faction.abilities}
    wanted = [key for row in data.rows for key in row.weapons] + [key for c in data.choices for key in c.take]
    return made(
        Datasheet,
        data,
        factions=(faction.keyword, faction.broad),
        faction=faction.id,
        weapons=tuple(found("weapon", key, arms, where) for key in dict.fromkeys(wanted)),
        abilities=tuple(found("ability", key, rules, where) for key in data.abilities),
        pregame=tuple(found("ability", key, rules, where) for key in data.pregame),
        selectable=faction.bracket if data.selectable else "",
    )


@LIBRARY.table
def datasheets(books: Mapping[str, Faction]) -> dict[str, Datasheet]:
    return LIBRARY.merged(lambda f: [(data.id, resolve_sheet(f, data)) for data in f.sheets])


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
