"""Content: factions, terrain, battleplans from `umpire/content/aos/*.yaml`, read once and checked field by field."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import msgspec

from umpire import files
from umpire.errors import unknown
from umpire.games.aos.profiles import AbilityData, Warscroll
from umpire.games.aos.state import Battleplan, Lore
from umpire.miniatures.books import Entry, Library, content, shelf
from umpire.miniatures.maps import Layout

WEAPON_ABILITIES = ("charge", "companion", "crit-2-hits", "crit-auto-wound", "crit-mortal", "shoot-in-combat")


class Lores(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: dict[str, str]
    abilities: tuple[AbilityData, ...]


class Faction(Entry, frozen=True, kw_only=True):
    """An army book: warscrolls, formations, enhancements, lores, a faction terrain feature."""

    warscrolls: tuple[Warscroll, ...]
    formations: tuple[AbilityData, ...] = ()
    artefacts: tuple[AbilityData, ...] = ()
    traits: tuple[AbilityData, ...] = ()
    spells: Lores | None = None
    prayers: Lores | None = None
    manifestations: Lores | None = None
    terrain: str = ""


class TerrainPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    points: tuple[tuple[float, float], ...]
    top: float
    opaque: bool = True


class TerrainKind(Entry, frozen=True, kw_only=True):
    type: str
    parts: tuple[TerrainPart, ...]


class Renown(Entry, frozen=True, kw_only=True):
    """A Regiment of Renown: units that serve any faction together, at a cost."""

    points: int
    units: tuple[str, ...]
    warscrolls: tuple[Warscroll, ...]


class Core(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terrain: tuple[TerrainKind, ...]
    layouts: tuple[Layout, ...]
    battleplans: tuple[Battleplan, ...]
    tactics: dict[str, dict[str, str]]
    renown: tuple[Renown, ...] = ()


@functools.cache
def core() -> Core:
    return content("aos", "core.yaml").convert(Core, strict=False)


def read_faction(source: files.Source) -> Faction:
    from umpire.games.aos.primitives import check_ability

    faction = source.convert(Faction, strict=False)
    with source.locating():
        check_faction(faction)
        for where, data in abilities_of(faction):
            check_ability(data, where)
    return faction


LIBRARY = Library(shelf("aos", but=("core",)), read_faction)
factions = LIBRARY.books


def abilities_of(faction: Faction) -> list[tuple[str, AbilityData]]:
    """Every ability of a faction and where in its file it stands."""
    found = [(f"warscrolls.{s.id}.abilities.{a.id}", a) for s in faction.warscrolls for a in s.abilities]
    for field in ("formations", "artefacts", "traits"):
        found += [(f"{field}.{a.id}", a) for a in getattr(faction, field)]
    for field in ("spells", "prayers", "manifestations"):
        lore = getattr(faction, field)
        if lore is not None:
            found += [(f"{field}.abilities.{a.id}", a) for a in lore.abilities]
    return found


def check_faction(faction: Faction) -> None:
    """Names that nothing answers to are errors that say where they stand."""
    ids = [scroll.id for scroll in faction.warscrolls]
    for scroll in faction.warscrolls:
        check_weapons(scroll, f"warscrolls.{scroll.id}")
    for where, data in abilities_of(faction):
        for do in data.does:
            if do.unit and do.unit not in ids:
                raise unknown("warscroll", do.unit, f"{where}.does")
    if faction.terrain and faction.terrain not in ids:
        raise unknown("warscroll", faction.terrain, "terrain")


def check_weapons(scroll: Warscroll, where: str) -> None:
    """Abilities of weapons that there are."""
    for n, weapon in enumerate(scroll.weapons):
        for k, ability in enumerate(weapon.abilities):
            if ability not in WEAPON_ABILITIES and not ability.startswith("anti-"):
                at = f"{where}.weapons[{n}].abilities[{k}]"
                raise unknown("weapon-ability", ability, at, (*WEAPON_ABILITIES, "anti-X"))


@LIBRARY.table
def warscrolls(books: Mapping[str, Faction]) -> dict[str, Warscroll]:
    found = LIBRARY.merged(lambda f: [(s.id, msgspec.structs.replace(s, faction=f.id)) for s in f.warscrolls])
    for renown in core().renown:
        found.update({s.id: msgspec.structs.replace(s, faction=renown.id) for s in renown.warscrolls})
    return found


@LIBRARY.table
def brought(books: Mapping[str, Faction]) -> dict[str, dict[str, AbilityData]]:
    """What each faction brings beside its warscrolls: formations, enhancements, lores."""
    found: dict[str, dict[str, AbilityData]] = {}
    for book in books.values():
        own = [*book.formations, *book.artefacts, *book.traits]
        for lore in (book.spells, book.prayers, book.manifestations):
            own += lore.abilities if lore is not None else ()
        found[book.id] = {data.id: data for data in own}
    return found


def lore(books: Sequence[str], named: Sequence[str] = ()) -> Lore:
    """What a battle between such factions holds, and what else is named."""
    found: dict[str, AbilityData] = {}
    for faction, own in brought().items():
        found.update(own if faction in books else {key: own[key] for key in named if key in own})
    return Lore(found)


@LIBRARY.table
def formations(books: Mapping[str, Faction]) -> dict[str, AbilityData]:
    return {data.id: data for f in books.values() for data in f.formations}


@LIBRARY.table
def enhancements(books: Mapping[str, Faction]) -> dict[str, AbilityData]:
    return {data.id: data for f in books.values() for data in (*f.artefacts, *f.traits)}


@functools.cache
def battleplans() -> dict[str, Battleplan]:
    return {plan.id: plan for plan in core().battleplans}


@functools.cache
def terrain_kinds() -> dict[str, TerrainKind]:
    return {kind.id: kind for kind in core().terrain}
