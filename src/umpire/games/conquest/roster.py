"""An army list as it is written (chapter 12): warbands, Characters, regiments, and what each of them pays for."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from umpire.miniatures.lists import Army, Group, Item, Line, Tags
from umpire.text import words

from .content import LIBRARY, CharacterEntry, Faction, RegimentEntry, faction, officer_of
from .profiles import Model, Rule

DEFAULT_POINTS = 2000
LEADER = Model("leader", words("roster.conquest.leader"))
STANDARD_BEARER = Model("standard-bearer", words("roster.conquest.standard-bearer"), (Rule("unstoppable"),))


@LIBRARY.table
def command_models(books: Mapping[str, Faction]) -> dict[str, Model]:
    """Command models by their ids: the officers of the library, and those that every army has."""
    officers = {one.id: officer_of(one) for book in books.values() for one in book.officers}
    return {**officers, LEADER.id: LEADER, STANDARD_BEARER.id: STANDARD_BEARER}


class RegimentPick(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A regiment of a list: its entry, its number of stands (0: as printed) and its command models.

    `leader` left out: with a Leader if the entry has one.
    """

    entry: str
    stands: int = 0
    leader: bool | None = None
    standard: bool = False
    officers: list[str] = []


class CharacterPick(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A Character of a list; `retinue` gives the tier of each category."""

    entry: str
    warlord: bool = False
    mastery: list[str] = []
    retinue: dict[str, int] = {}
    upgrades: list[str] = []
    spells: list[str] = []


class Warband(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    character: CharacterPick
    regiments: list[RegimentPick]


class Roster(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """An army list. `points` is the total agreed for the battle."""

    faction: str
    warbands: list[Warband]
    points: int = DEFAULT_POINTS
    name: str = ""


# -- what it costs -------------------------------------------------------------------------------------------------


def has_leader(entry: RegimentEntry, pick: RegimentPick) -> bool:
    """conquest.command-model.infantry.free-leader: as its entry says, unless the list says otherwise."""
    return entry.command.leader is not None if pick.leader is None else pick.leader


def regiment_items(army: Faction, entry: RegimentEntry, pick: RegimentPick) -> list[Item]:
    """conquest.army.upgrades: printed stands, extra stands, command models."""
    command = entry.command
    items = [Item(id=entry.id, name=entry.name, points=entry.points)]
    if pick.stands > entry.stands:
        more = pick.stands - entry.stands
        items.append(Item(id=f"{entry.id}+", name="list.more-stands", points=entry.stand_points, count=more))
    if has_leader(entry, pick):
        points = command.leader if isinstance(command.leader, int) else 0
        items.append(Item(id=LEADER.id, name=LEADER.names, points=points, tags=("command",)))
    if pick.standard:
        points = command.standard or 0
        items.append(Item(id=STANDARD_BEARER.id, name=STANDARD_BEARER.names, points=points, tags=("command",)))
    for key in pick.officers:
        officer = army.officer(key)
        points = command.officers.get(key, 0)
        items.append(Item(id=key, name=officer.name if officer else key, points=points, tags=("command",)))
    return items


def character_items(army: Faction, entry: CharacterEntry, pick: CharacterPick) -> list[Item]:
    items = [Item(id=entry.id, name=entry.name, points=entry.points)]
    for mastery in (m for key in pick.mastery if (m := army.mastery(key))):
        items.append(Item(id=mastery.id, name=mastery.name, points=mastery.points, tags=("mastery",)))
    for upgrade in (u for key in pick.upgrades if (u := army.upgrade(key))):
        items.append(Item(id=upgrade.id, name=upgrade.name, points=upgrade.points))
    items += [Item(id=s.id, name=s.name, points=s.points) for s in army.spells if s.id in pick.spells]
    for key, tier in pick.retinue.items():
        category = army.category(key)
        if category and tier > 0:
            # conquest.character.retinue.available-restricted: what is Restricted costs double.
            times = 2 if entry.retinue.get(key) == "restricted" else 1
            points = times * sum(t.points for t in category.tiers[:tier])
            items.append(Item(id=key, name=category.name, points=points))
    return items


def regiment_cost(army: Faction, entry: RegimentEntry, pick: RegimentPick) -> int:
    return sum(item.cost for item in regiment_items(army, entry, pick))


def character_cost(army: Faction, entry: CharacterEntry, pick: CharacterPick) -> int:
    return sum(item.cost for item in character_items(army, entry, pick))


def cost(roster: Roster) -> int:
    """The points value of an army (conquest.army.points)."""
    return army_of(roster, faction(roster.faction)).cost


def army_of(roster: Roster, army: Faction) -> Army:
    """The roster as a list: its warbands, and what each of their Characters and regiments pays for."""
    lines: list[Line] = []
    groups: list[Group] = []
    for n, band in enumerate(roster.warbands):
        character = army.character(band.character.entry)
        groups.append(Group(id=f"{n}", name=character.name if character else band.character.entry))
        if character:
            tags = ("character", "warlord") if band.character.warlord else ("character",)
            items = character_items(army, character, band.character)
            lines.append(_line(f"warbands[{n}].character", character, n, tags, items))
        for k, pick in enumerate(band.regiments):
            regiment = army.regiment(pick.entry)
            if regiment:
                restricted = character is not None and pick.entry in character.restricted
                tags = ("regiment", "restricted") if restricted else ("regiment",)
                items = regiment_items(army, regiment, pick)
                lines.append(_line(f"warbands[{n}].regiments[{k}]", regiment, n, tags, items))
    return Army(size=roster.points, lines=tuple(lines), groups=tuple(groups))


def _line(place: str, entry: CharacterEntry | RegimentEntry, band: int, tags: Tags, items: list[Item]) -> Line:
    return Line(id=place, entry=entry.id, name=entry.name, group=f"{band}", tags=tags, items=tuple(items))
