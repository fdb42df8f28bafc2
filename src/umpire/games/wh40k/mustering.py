"""Mustering an army: battle sizes, units with their options, points and Power Ratings (army.*, unit.points-*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from umpire.engine.rng import Rng
from umpire.engine.rulings import LEGAL, Reason, Ruling, ruled
from umpire.errors import fault, unknown
from umpire.games.wh40k import content
from umpire.games.wh40k.profiles import Datasheet
from umpire.games.wh40k.state import Model, Side, Unit
from umpire.games.wh40k.units import refresh

SIZES: dict[str, tuple[int, int, int, int]] = {
    "combat-patrol": (500, 50, 1, 3),
    "incursion": (1000, 100, 2, 6),
    "strike-force": (2000, 200, 3, 12),
    "onslaught": (3000, 300, 4, 18),
}
"""wh40k.army.battle-size: points, Power Level, detachments, Command points."""
TABLES = {
    "combat-patrol": (44.0, 30.0),
    "incursion": (44.0, 30.0),
    "strike-force": (60.0, 44.0),
    "onslaught": (90.0, 44.0),
}


class UnitEntry(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A unit of the roster: how many models of each kind, and which options for how many of them."""

    sheet: str
    models: dict[str, int] = {}
    options: dict[str, int] = {}
    keyword: str = ""


class Detachment(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    type: str
    units: list[UnitEntry]


class Roster(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    faction: str
    size: str
    detachments: list[Detachment]
    warlord: str = ""
    name: dict[str, str] = {}


def read_roster(given: Any) -> Roster:
    if isinstance(given, Roster):
        return given
    try:
        return msgspec.convert(given, Roster)
    except msgspec.ValidationError as error:
        raise fault("error.wh40k.no-roster", error=str(error)) from None


def counts_of(sheet: Datasheet, entry: UnitEntry) -> dict[str, int]:
    return {row.id: entry.models.get(row.id, row.least) for row in sheet.rows}


def points_of(sheet: Datasheet, entry: UnitEntry) -> int:
    """wh40k.unit.points-total: models, and the equipment that they end up with (wh40k.unit.points-final-wargear)."""
    total = 0
    for row in sheet.rows:
        count = counts_of(sheet, entry)[row.id]
        total += count * (row.points + sum(sheet.weapon(key).points for key in row.weapons))
    for choice in sheet.choices:
        number = entry.options.get(choice.id, 0)
        gain = sum(sheet.weapon(key).points for key in choice.take)
        total += number * (gain - sum(sheet.weapon(key).points for key in choice.give))
    return total


def power_of(sheet: Datasheet, entry: UnitEntry) -> int:
    """wh40k.unit.power-rating: by the size of the unit, never by equipment."""
    count = sum(counts_of(sheet, entry).values())
    return next((power for most, power in sheet.power if count <= most), sheet.power[-1][1])


def total(roster: Roster) -> int:
    sheets = content.datasheets()
    return sum(points_of(sheets[e.sheet], e) for d in roster.detachments for e in d.units)


def objections(roster: Roster) -> list[Reason]:
    sheets = content.datasheets()
    found: list[Reason] = []
    if roster.size not in SIZES:
        return [Reason("wh40k.army.battle-size", "", {"size": roster.size})]
    points, power, most, _ = SIZES[roster.size]
    for detachment in roster.detachments:
        for entry in detachment.units:
            if entry.sheet not in sheets:
                raise unknown("datasheet", entry.sheet, "roster", sheets)
    spent = total(roster)
    if spent > points:
        found.append(Reason("wh40k.army.battle-size.caps", "", {"points": spent, "most": points}))
    rating = sum(power_of(sheets[e.sheet], e) for d in roster.detachments for e in d.units)
    if rating > power:
        found.append(Reason("wh40k.army.battle-size.caps", "reason.wh40k.power", {"power": rating, "most": power}))
    if len(roster.detachments) > most:
        found.append(Reason("wh40k.army.battle-size", "", {"detachments": len(roster.detachments), "most": most}))
    return found


def check_roster(given: Any, without: Sequence[str] = ()) -> Ruling:
    found = [reason for reason in objections(read_roster(given)) if reason.rule not in without]
    return ruled(found) if found else LEGAL


def equip(sheet: Datasheet, entry: UnitEntry, key: str) -> tuple[Model, ...]:
    """The models of a unit with what they carry; options go to the first models that may have them."""
    models: list[Model] = []
    counts = counts_of(sheet, entry)
    left = dict(entry.options)
    n = 0
    for row in sheet.rows:
        for _ in range(counts[row.id]):
            n += 1
            arms = list(row.weapons)
            for choice in sheet.choices:
                if choice.row == row.id and left.get(choice.id, 0) and all(g in arms for g in choice.give):
                    left[choice.id] -= 1
                    for given in choice.give:
                        arms.remove(given)
                    arms += choice.take
                    if choice.give:
                        break
            r, q = row.reach
            models.append(
                Model(
                    id=f"{key}.{n}", r=r, q=q, row=row.id, wounds=row.w, weapons=tuple(arms), height=row.height,
                    bare=row.hull,
                )
            )  # fmt: skip
    return tuple(models)


def army(roster: Roster, number: int) -> tuple[Side, list[Unit]]:
    """The side and its units."""
    sheets = content.datasheets()
    faction = content.factions()[roster.faction]
    units: list[Unit] = []
    side = "ab"[number]
    for d, detachment in enumerate(roster.detachments):
        for entry in detachment.units:
            sheet = sheets[entry.sheet]
            key = f"{side}{len(units) + 1}"
            models = equip(sheet, entry, key)
            unit = Unit(
                id=key,
                side=number,
                sheet=sheet,
                models=models,
                starting=len(models),
                detachment=d,
                points=points_of(sheet, entry),
                power=power_of(sheet, entry),
                chosen=(entry.keyword,) if entry.keyword else (),
            )
            refresh(unit)
            units.append(unit)
    player = Side(
        name=roster.name or faction.name,
        faction=roster.faction,
        factions=tuple(dict.fromkeys(unit.sheet.faction for unit in units)),
        cp=SIZES[roster.size][3],
        points=sum(unit.points for unit in units),
        units=len(units),
        detachments=tuple(d.type for d in roster.detachments),
    )
    return player, units


def muster(rng: Rng, size: str = "incursion", faction: str | None = None) -> Roster:
    """A random legal roster."""
    book = content.factions()[faction or rng.choice(list(content.factions()))]
    sheets = [content.datasheets()[data.id] for data in book.sheets]
    limit = SIZES[size][0]
    power = SIZES[size][1]
    chosen: list[UnitEntry] = []

    def spent() -> int:
        return sum(points_of(content.datasheets()[e.sheet], e) for e in chosen)

    def rating() -> int:
        return sum(power_of(content.datasheets()[e.sheet], e) for e in chosen)

    def add(role: str) -> None:
        able = [s for s in sheets if s.role == role]
        for sheet in rng.shuffled(able):
            entry = random_entry(rng, sheet, book)
            if spent() + points_of(sheet, entry) <= limit and rating() + power_of(sheet, entry) <= power:
                chosen.append(entry)
                return

    for role in ("hq", "troops", "troops"):
        add(role)
    for _ in range(12):
        add(rng.choice(["troops", "elites", "fast-attack", "heavy-support", "hq"]))
    return Roster(book.id, size, [Detachment("battalion", chosen)], name=book.name)


def random_entry(rng: Rng, sheet: Datasheet, book: content.Faction) -> UnitEntry:
    models = {row.id: rng.between(row.least, row.most) for row in sheet.rows if row.most > row.least}
    options: dict[str, int] = {}
    for choice in sheet.choices:
        count = models.get(choice.row, sheet.row(choice.row).least)
        most = count if not choice.most and not choice.per else choice.most or count // choice.per
        options[choice.id] = rng.between(0, min(most, count))
    taken: dict[str, int] = {}
    for choice in sheet.choices:
        count = models.get(choice.row, sheet.row(choice.row).least)
        if choice.give:
            free = count - taken.get(choice.row, 0)
            options[choice.id] = min(options[choice.id], free)
            taken[choice.row] = taken.get(choice.row, 0) + options[choice.id]
    keyword = rng.choice(list(book.choices)) if sheet.selectable and book.choices else ""
    return UnitEntry(sheet.id, models, {k: v for k, v in options.items() if v}, keyword)
