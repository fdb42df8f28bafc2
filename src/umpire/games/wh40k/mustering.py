"""Mustering an army: battle sizes, units with their options, points and Power Ratings (army.*, unit.points-*)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from umpire.engine.bills import Bill
from umpire.engine.rulings import Reason, Ruling, applies, in_force, ruled
from umpire.errors import fault, unknown
from umpire.games.wh40k import content, detachments
from umpire.games.wh40k.detachments import TYPES, group_id
from umpire.games.wh40k.profiles import Ability, Choice, Datasheet
from umpire.games.wh40k.state import Model, Side, Unit
from umpire.games.wh40k.units import new_model, refresh
from umpire.miniatures import lists
from umpire.miniatures.lists import Army, Booking, Item, Limit, Line
from umpire.rulebook.deciding import decides
from umpire.text import Text, words

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
COPIES = {"incursion": 2, "strike-force": 3}
"""wh40k.army.muster.datasheet-limit: units of one datasheet; the book gives no figure for the other sizes."""
EVERY_SIZE = {"combat-patrol": 2, "incursion": 2, "strike-force": 3, "onslaught": 4}
"""By another reading they are limited too, as if the figures went on with the points."""
EXEMPT = ("troops", "dedicated-transport")
"""wh40k.army.muster.datasheet-limit.exempt: roles of which there may be any number."""
INSPIRING_LEADER = Ability("inspiring-leader", words("wh40k.inspiring-leader"))
"""The trait that is open to every army (wh40k.warlord.inspiring-leader)."""
RANDOM = "random"
RELIC_COST = UPGRADE_COST = 1


class UnitEntry(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A unit of the roster: how many models of each kind, which options for how many, and what was chosen for it."""

    sheet: str
    models: dict[str, int] = {}
    options: dict[str, int] = {}
    keyword: str = ""
    powers: list[str] = []
    relic: str = ""
    upgrade: str = ""
    pregame: str = ""


class Detachment(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    type: str
    units: list[UnitEntry]


class Roster(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """An army: its size, its detachments, its warlord ("0.2" is the third unit of the first) and that one's trait."""

    faction: str
    size: str
    detachments: list[Detachment]
    warlord: str = ""
    trait: str = ""
    name: dict[str, str] = {}


def read_roster(given: Any) -> Roster:
    if isinstance(given, Roster):
        return given
    try:
        return msgspec.convert(given, Roster)
    except msgspec.ValidationError as error:
        raise fault("error.wh40k.no-roster", error=str(error)) from None


# -- what a unit costs ---------------------------------------------------------------------------------------------


def counts_of(sheet: Datasheet, entry: UnitEntry) -> dict[str, int]:
    return {row.id: entry.models.get(row.id, row.least) for row in sheet.rows}


def items_of(sheet: Datasheet, entry: UnitEntry) -> Iterator[Item]:
    """Models, and the equipment that they end up with; what was exchanged is not paid for."""
    arms: dict[str, int] = {}
    for row in sheet.rows:
        count = counts_of(sheet, entry)[row.id]
        points = row.points
        if row.champion and not applies("wh40k.unit.unit-champion"):
            points *= 2
        if count:
            yield Item(id=row.id, name=row.name, points=points, count=count)
        for key in row.weapons:
            arms[key] = arms.get(key, 0) + count
    for choice in sheet.choices:
        number = entry.options.get(choice.id, 0)
        for key in choice.give if applies("wh40k.unit.points-final-wargear") else ():
            arms[key] = arms.get(key, 0) - number
        for key in choice.take:
            arms[key] = arms.get(key, 0) + number
    for key, count in arms.items():
        weapon = sheet.weapon(key)
        if count > 0 and weapon.points and applies("wh40k.unit.points-total"):
            yield Item(id=key, name=weapon.name, points=weapon.points, count=count)


def points_of(sheet: Datasheet, entry: UnitEntry) -> int:
    return sum(item.cost for item in items_of(sheet, entry))


def power_of(sheet: Datasheet, entry: UnitEntry) -> int:
    """By the size of the unit, never by equipment."""
    count = sum(counts_of(sheet, entry).values())
    if not applies("wh40k.unit.points-example"):
        return sheet.power[0][1]  # as if larger units had no rating of their own
    if not applies("wh40k.unit.power-rating"):
        count += sum(entry.options.values())
    return next((power for most, power in sheet.power if count <= most), sheet.power[-1][1])


def most_of(sheet: Datasheet, entry: UnitEntry, choice: Choice) -> int:
    """How often an option may be taken in a unit of this size."""
    count = counts_of(sheet, entry)[choice.row]
    if choice.per:
        return min(count, sum(counts_of(sheet, entry).values()) // choice.per)
    return min(count, choice.most) if choice.most else count


# -- a roster spelt out --------------------------------------------------------------------------------------------


class Muster:
    """A roster with its datasheets looked up."""

    def __init__(self, roster: Roster, without: Sequence[str] = ()) -> None:
        self.roster = roster
        self.without = without
        self.types = [detachment.type for detachment in roster.detachments]
        self.broad = sorted({book.broad for book in content.factions().values() if not book.minor})
        """Keywords too broad to hold a detachment together."""
        sheets = content.datasheets()
        self._units: list[list[tuple[Datasheet, UnitEntry]]] = []
        for n, detachment in enumerate(roster.detachments):
            found = []
            for m, entry in enumerate(detachment.units):
                if entry.sheet not in sheets:
                    raise unknown("datasheet", entry.sheet, f"detachments[{n}].units[{m}].sheet", sheets)
                found.append((sheets[entry.sheet], entry))
            self._units.append(found)

    @property
    def units(self) -> list[tuple[Datasheet, UnitEntry]]:
        return [pair for found in self._units for pair in found]

    def units_of(self, number: int) -> list[tuple[Datasheet, UnitEntry]]:
        return self._units[number]

    def factions_of(self, sheet: Datasheet, entry: UnitEntry) -> tuple[str, ...]:
        """wh40k.army.faction.unit: every faction keyword is a faction of the unit, the chosen one too."""
        if not applies("wh40k.army.faction.unit", self.without):
            return sheet.factions[:1]
        return (*sheet.factions, entry.keyword) if entry.keyword else sheet.factions

    @property
    def warlord(self) -> tuple[int, Datasheet, UnitEntry] | None:
        head, _, tail = self.roster.warlord.partition(".")
        if not (head.isdigit() and tail.isdigit()) or int(head) >= len(self._units):
            return None
        units = self._units[int(head)]
        if int(tail) >= len(units):
            return None
        sheet, entry = units[int(tail)]
        return int(head), sheet, entry

    def traits(self, sheet: Datasheet) -> list[str]:
        book = content.factions().get(sheet.faction)
        return [INSPIRING_LEADER.id, *(trait.id for trait in (book.traits if book else ()))]

    def army(self) -> Army:
        lines = []
        for n, units in enumerate(self._units):
            for m, (sheet, entry) in enumerate(units):
                lines.append(line_of(sheet, entry, f"detachments[{n}].units[{m}]", n, self.without))
        return Army(size=SIZES[self.roster.size][0], lines=tuple(lines), groups=detachments.groups(self.types))

    def bookings(self) -> Iterator[Booking]:
        """Command points in the order of mustering: detachments, then upgrades."""
        if applies("wh40k.detachment.cost-and-benefit", self.without):
            yield from detachments.bookings(self)
        relics = [entry.relic for _, entry in self.units if entry.relic]
        for relic in relics[1:]:
            yield Booking(rule="wh40k.army.muster.upgrade-stratagems", cost=RELIC_COST, name=relic)
        for _, entry in self.units:
            if entry.upgrade:
                yield Booking(rule="wh40k.army.muster.upgrade-stratagems", cost=UPGRADE_COST, name=entry.upgrade)

    def command_points(self) -> tuple[int, list[Reason]]:
        """wh40k.army.cp.starting: what is left of the battle size's points after everything is paid."""
        start = 0 if not applies("wh40k.army.cp.starting", self.without) else SIZES[self.roster.size][3]
        return lists.settle(start, self.bookings(), "reason.wh40k.no-points-left")


def line_of(sheet: Datasheet, entry: UnitEntry, place: str, number: int, without: Sequence[str] = ()) -> Line:
    exempt = sheet.role in EXEMPT
    if not applies("wh40k.army.muster.datasheet-limit.exempt", without):
        exempt = False
    copies = () if exempt else ("limited",)
    return Line(
        id=place,
        entry=sheet.id,
        name=sheet.name,
        group=group_id(number),
        kin=sheet.group,
        tags=(sheet.role, *copies),
        items=tuple(items_of(sheet, entry)),
    )


# -- is it legal? --------------------------------------------------------------------------------------------------


def limits(size: str, types: Sequence[str], copies: Mapping[str, int] = COPIES) -> Iterator[Limit]:
    points, _, most, _ = SIZES[size]
    yield Limit(rule="wh40k.army.battle-size.caps", what="points", most=points, fact="points")
    yield Limit(rule="wh40k.army.battle-size", key="reason.wh40k.detachments", what="groups", most=most)
    yield from detachments.limits(types)
    if size in copies:
        yield Limit(
            rule="wh40k.army.muster.datasheet-limit", of=("limited",), scope="kind", most=copies[size],
        )  # fmt: skip


def objections(roster: Roster, without: Sequence[str] = (), copies: Mapping[str, int] = COPIES) -> Iterator[Reason]:
    """Every rule that a roster breaks."""
    if roster.size not in SIZES:
        yield Reason("wh40k.army.battle-size", "", {"size": roster.size})
        return
    for detachment in roster.detachments:
        if not detachment.units:
            yield Reason("wh40k.core.army-structure", "", {"detachment": Text(f"detachment.{detachment.type}")})
        for entry in detachment.units:
            if entry.sheet not in content.datasheets():
                yield Reason("wh40k.unit.datasheet", "", {"sheet": entry.sheet})
    if any(entry.sheet not in content.datasheets() for d in roster.detachments for entry in d.units):
        return
    muster = Muster(roster, without)
    yield from detachments.type_reasons(muster.types)
    army = muster.army()
    for reason in lists.broken(limits(roster.size, muster.types, copies), army):
        if reason.rule == "wh40k.army.muster.datasheet-limit":
            yield from _copies(muster, reason)
        elif reason.key == "reason.wh40k.slots":
            general = "wh40k.detachment.slots.compulsory-optional"
            if applies(general, muster.without) and applies(reason.rule, muster.without):
                yield reason
                yield Reason(general, reason.key, reason.facts)
        else:
            yield reason
    rating, most = sum(power_of(sheet, entry) for sheet, entry in muster.units), SIZES[roster.size][1]
    if rating > most:
        yield Reason("wh40k.army.battle-size.caps", "reason.wh40k.power", {"power": rating, "most": most})
    yield from detachments.transport_reasons(muster)
    yield from detachments.supreme_reasons(muster)
    yield from detachments.faction_reasons(muster)
    yield from detachments.warlord_reasons(muster)
    yield from muster.command_points()[1]
    relics: list[str] = []
    for sheet, entry in muster.units:
        yield from unit_reasons(sheet, entry)
        yield from _relic(sheet, entry, relics)


def _copies(muster: Muster, reason: Reason) -> Iterator[Reason]:
    """A group of datasheets that count as one has a rule of its own (datasheet-limit.leman-russ, .daemon-princes)."""
    named = reason.facts.get("of")
    group = next((s.group for s, _ in muster.units if s.name == named and s.group), "")
    if group:
        books = {sheet.faction for sheet, _ in muster.units if sheet.group == group}
        rule = "wh40k.army.muster.datasheet-limit.leman-russ"
        if len(books) > 1:
            rule = "wh40k.army.muster.datasheet-limit.daemon-princes"
        alone = [s.id for s, _ in muster.units if s.group == group]
        if max(alone.count(key) for key in alone) <= reason.facts["most"]:
            if applies(rule, muster.without):
                yield Reason(rule, "", reason.facts)
            return
    yield reason


def unit_reasons(sheet: Datasheet, entry: UnitEntry) -> Iterator[Reason]:
    """wh40k.army.muster.roster: how many models, with what, and every choice made."""
    facts: dict[str, Any] = {"sheet": sheet.name}
    counts = counts_of(sheet, entry)
    for row in sheet.rows:
        if not row.least <= counts[row.id] <= row.most:
            more = {**facts, "row": row.name, "count": counts[row.id], "least": row.least, "most": row.most}
            yield Reason("wh40k.army.muster.roster", "reason.wh40k.model-count", more)
    known = [row.id for row in sheet.rows]
    for key in entry.models:
        if key not in known:
            yield Reason("wh40k.army.muster.roster", "reason.wh40k.no-such-row", {**facts, "row": key})
    choices = {choice.id: choice for choice in sheet.choices}
    given: dict[str, int] = {}
    for key, number in entry.options.items():
        choice = choices.get(key)
        if choice is None or not 0 <= number <= most_of(sheet, entry, choice):
            yield Reason("wh40k.army.muster.roster", "reason.wh40k.option", {**facts, "option": key, "count": number})
            continue
        for weapon in choice.give:
            given[f"{choice.row}/{weapon}"] = given.get(f"{choice.row}/{weapon}", 0) + number
    for place, number in given.items():
        row_id, _, weapon = place.partition("/")
        if number > counts[row_id] * sheet.row(row_id).weapons.count(weapon):
            yield Reason(
                "wh40k.army.muster.roster", "reason.wh40k.option", {**facts, "option": weapon, "count": number}
            )
    book = content.factions().get(sheet.faction)
    if sheet.selectable and (book is None or entry.keyword not in book.choices):
        yield Reason("wh40k.army.muster.keywords", "", {**facts, "keyword": entry.keyword})
    yield from _powers(sheet, entry, book)
    if entry.upgrade and (book is None or all(entry.upgrade != upgrade.id for upgrade in book.upgrades)):
        yield Reason(
            "wh40k.army.muster.upgrade-stratagems", "reason.wh40k.no-upgrade", {**facts, "upgrade": entry.upgrade}
        )
    wanted = {ability.id for ability in sheet.pregame}
    if wanted and entry.pregame not in (RANDOM, *wanted):
        yield Reason("wh40k.army.muster.pregame-abilities", "", {**facts, "choice": entry.pregame})


def _powers(sheet: Datasheet, entry: UnitEntry, book: content.Faction | None) -> Iterator[Reason]:
    """wh40k.army.muster.psychic-powers: as many as it may know, or as many marked for the dice."""
    wanted = min(sheet.psychic.knows, len(book.powers)) if sheet.psychic is not None and book is not None else 0
    known = [power.id for power in book.powers] if book is not None else []
    chosen = [power for power in entry.powers if power != RANDOM]
    if len(entry.powers) != wanted or any(p not in known for p in chosen) or len(set(chosen)) < len(chosen):
        yield Reason(
            "wh40k.army.muster.psychic-powers", "", {"sheet": sheet.name, "count": len(entry.powers), "of": wanted}
        )


def _relic(sheet: Datasheet, entry: UnitEntry, taken: list[str]) -> Iterator[Reason]:
    """wh40k.army.muster.relics: a relic of the faction, for a Character, each once."""
    if not entry.relic:
        return
    book = content.factions().get(sheet.faction)
    known = [relic.id for relic in book.relics] if book is not None else []
    if entry.relic not in known or not sheet.has("character") or entry.relic in taken:
        yield Reason("wh40k.army.muster.relics", "", {"sheet": sheet.name, "relic": entry.relic})
    taken.append(entry.relic)


def check_roster(given: Any, without: Sequence[str] = (), copies: Mapping[str, int] = COPIES) -> Ruling:
    return ruled(in_force(objections(read_roster(given), without, copies), without))


def total(roster: Roster) -> int:
    return sum(points_of(sheet, entry) for sheet, entry in Muster(roster).units)


def price(given: Any) -> Bill:
    return lists.bill(Muster(read_roster(given)).army())


# -- the army on its way to the table ------------------------------------------------------------------------------


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
            models.append(new_model(f"{key}.{n}", row, arms))
    return tuple(models)


def gifts_of(muster: Muster, number: int, sheet: Datasheet, entry: UnitEntry, warlord: bool) -> Iterator[Ability]:
    """Warlord trait, relic, upgrade, what was chosen before the battle, and the detachment's ability."""
    book = content.factions().get(sheet.faction)
    if book is None:
        return
    if warlord and sheet.has("character"):
        found = {trait.id: trait for trait in (INSPIRING_LEADER, *book.traits)}
        if muster.roster.trait in found:
            yield found[muster.roster.trait]
    yield from (relic for relic in book.relics if relic.id == entry.relic)
    yield from (upgrade for upgrade in book.upgrades if upgrade.id == entry.upgrade)
    yield from (ability for ability in sheet.pregame if ability.id == entry.pregame)
    if book.detachment is not None and has_detachment_ability(muster, number, book.keyword):
        yield book.detachment


def has_detachment_ability(muster: Muster, number: int, keyword: str) -> bool:
    """wh40k.detachment.abilities: all its units are of the faction; some types never have one."""
    kind = TYPES.get(muster.types[number])
    excluded = (
        kind is not None and not kind.abilities and applies("wh40k.detachment.abilities.excluded", muster.without)
    )
    if excluded or not applies("wh40k.detachment.abilities", muster.without):
        return False
    return all(keyword in sheet.factions for sheet, _ in muster.units_of(number))


@decides("wh40k.unit.membership")
def army(roster: Roster, number: int, without: Sequence[str] = ()) -> tuple[Side, list[Unit]]:
    """The side and its units."""
    muster = Muster(roster, without)
    faction = content.factions()[roster.faction]
    units: list[Unit] = []
    side = "ab"[number]
    warlord = ""
    for d in range(len(muster.types)):
        for m, (sheet, entry) in enumerate(muster.units_of(d)):
            key = f"{side}{len(units) + 1}"
            models = equip(sheet, entry, key)
            leads = roster.warlord == f"{d}.{m}"
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
                powers=tuple(entry.powers),
                gifts=tuple(gifts_of(muster, d, sheet, entry, leads)),
                warlord=models[-1].id if leads else "",
                pending=pending_of(sheet, entry, leads and roster.trait == RANDOM),
            )
            if leads:
                warlord = key
            refresh(unit)
            units.append(unit)
    player = Side(
        name=roster.name or faction.name,
        faction=roster.faction,
        factions=tuple(dict.fromkeys(unit.sheet.faction for unit in units)),
        cp=muster.command_points()[0],
        points=sum(unit.points for unit in units),
        units=len(units),
        warlord=warlord,
        detachments=tuple(muster.types),
    )
    return player, units


def pending_of(sheet: Datasheet, entry: UnitEntry, trait: bool) -> tuple[str, ...]:
    """What the dice decide before the battle (wh40k.army.muster.random)."""
    found = [RANDOM + "-power" for power in entry.powers if power == RANDOM]
    if trait:
        found.append(RANDOM + "-trait")
    if sheet.pregame and entry.pregame == RANDOM:
        found.append(RANDOM + "-pregame")
    return tuple(found)
