"""Army composition: rosters, what makes one legal, and random legal ones (aos.core.army-*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.bills import Bill
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, Ruling, in_force, ruled
from umpire.errors import fault
from umpire.games.aos import content
from umpire.games.aos.profiles import Warscroll
from umpire.games.aos.state import Model, Role, Side, Unit
from umpire.miniatures.lists import Army, Group, Item, Limit, Line, bill, broken
from umpire.rulebook.deciding import decides

MOST_REGIMENTS = 5


class Entry(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A unit of a roster: its warscroll, twice the models if reinforced, and enhancements for a Hero."""

    unit: str
    reinforced: bool = False
    enhancements: list[str] = []


class Regiment(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A Hero and the units under it."""

    leader: Entry
    units: list[Entry] = []


class Roster(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """An army list. The first regiment is the general's unless `general` names another."""

    faction: str
    regiments: list[Regiment]
    name: dict[str, str] = {}
    points: int = 1000
    general: int = 0
    formation: str = ""
    auxiliaries: list[Entry] = []
    spells: bool = False
    prayers: bool = False
    manifestations: bool = False
    terrain: bool = False
    renown: str = ""

    def entries(self) -> list[Entry]:
        found = [entry for regiment in self.regiments for entry in (regiment.leader, *regiment.units)]
        return found + self.auxiliaries


def read_roster(given: Any) -> Roster:
    try:
        return given if isinstance(given, Roster) else msgspec.convert(given, Roster)
    except msgspec.ValidationError as error:
        raise fault("error.aos.this-is-no-age-of", error=error) from error


def scroll_of(entry: Entry) -> Warscroll | None:
    return content.warscrolls().get(entry.unit)


def cost(entry: Entry) -> int:
    return _points(scroll_of(entry), entry)


def _points(scroll: Warscroll | None, entry: Entry) -> int:
    return 0 if scroll is None else scroll.points * (2 if entry.reinforced else 1)


def total(roster: Roster) -> int:
    scrolls = content.warscrolls()
    points = sum([_points(scrolls.get(entry.unit), entry) for entry in roster.entries()])
    return points + (sum(r.points for r in content.core().renown if r.id == roster.renown) if roster.renown else 0)


# -- what makes a list legal ---------------------------------------------------------------------------------------


def army_of(roster: Roster) -> Army:
    """The roster as a list: its regiments, its units with their prices, its Regiment of Renown."""
    lines: list[Line] = []
    enhancements = _enhancements_of(roster.faction)

    def add(entry: Entry, place: str, group: str, leads: bool = False) -> None:
        scroll = scroll_of(entry)
        assert scroll is not None
        times = 2 if entry.reinforced else 1
        models = Item(id=scroll.id, name=scroll.name, points=scroll.points, count=times)
        given = [
            Item(id=key, name=enhancements[key][1], tags=(enhancements[key][0],))
            for key in entry.enhancements
            if key in enhancements
        ]
        tags = ("leader" if leads else "hero" if scroll.hero else "troops", *scroll.keywords)
        lines.append(Line(id=place, entry=scroll.id, name=scroll.name, group=group, tags=tags, items=(models, *given)))

    for n, regiment in enumerate(roster.regiments):
        add(regiment.leader, f"regiments[{n}].leader", f"{n}", leads=True)
        for k, entry in enumerate(regiment.units):
            add(entry, f"regiments[{n}].units[{k}]", f"{n}")
    for n, entry in enumerate(roster.auxiliaries):
        add(entry, f"auxiliaries[{n}]", "")
    renown = [Item(id=r.id, name=r.name, points=r.points) for r in content.core().renown if r.id == roster.renown]
    leaders = [scroll_of(regiment.leader) for regiment in roster.regiments]
    groups = tuple(Group(id=f"{n}", name=leader.name if leader else "") for n, leader in enumerate(leaders))
    return Army(size=roster.points, lines=tuple(lines), groups=groups, extra=tuple(renown))


def _enhancements_of(faction: str) -> dict[str, tuple[str, dict[str, str]]]:
    """Artefacts and heroic traits of a faction: which of the two, and its name."""
    book = content.factions()[faction]
    tables = (("artefact", book.artefacts), ("trait", book.traits))
    return {data.id: (kind, data.name) for kind, table in tables for data in table}


def price(given: Any) -> Bill:
    roster = read_roster(given)
    if roster.faction not in content.factions() or any(scroll_of(entry) is None for entry in roster.entries()):
        return Bill((), 0, roster.points)
    return bill(army_of(roster))


def points_limits(roster: Roster) -> Iterator[Limit]:
    yield Limit(rule="aos.core.army-points", what="points", fact="spent", most=roster.points)
    half = roster.points // 2
    yield Limit(
        rule="aos.core.army-points", key="reason.aos.half-points", what="points", scope="line", fact="spent", most=half
    )


def regiment_limits(roster: Roster) -> Iterator[Limit]:
    """One to five regiments; three units beside the Hero, four in the general's."""
    regiments = "aos.core.army-regiments"
    yield Limit(rule=regiments, key="reason.aos.regiments", what="groups", least=1, most=MOST_REGIMENTS)
    for n in range(len(roster.regiments)):
        most = 4 if n == roster.general else 3
        yield Limit(rule=regiments, key="reason.aos.regiment-size", of=("troops",), group=f"{n}", most=most)


ENHANCEMENTS = tuple(
    Limit(rule="aos.core.army-enhancements", what="items", of=(kind,), most=1) for kind in ("artefact", "trait")
)
UNIQUE = Limit(rule="aos.core.army-unique", of=("unique",), scope="kind", most=1)


def check_roster(given: Any, without: Sequence[str] = ()) -> Ruling:
    """Is this roster legal? Every rule it breaks is named."""
    return ruled(in_force(objections(read_roster(given)), without))


def objections(roster: Roster) -> Iterator[Reason]:
    faction = content.factions().get(roster.faction)
    if faction is None:
        yield Reason("aos.core.army-faction", "reason.aos.no-faction", {"faction": roster.faction})
        return
    unknown = [entry.unit for entry in roster.entries() if scroll_of(entry) is None]
    if unknown:
        yield Reason("aos.core.army-faction", "reason.aos.no-warscroll", {"units": unknown})
        return
    army = army_of(roster)
    yield from broken(points_limits(roster), army)
    yield from _of_another_faction(roster, faction)
    yield from broken(regiment_limits(roster), army)
    yield from _under_the_wrong_hero(roster)
    yield from _against_the_general(roster)
    yield from broken([UNIQUE], army)
    yield from _against_units(roster, faction)
    yield from broken(ENHANCEMENTS, army)


def _of_another_faction(roster: Roster, faction: content.Faction) -> Iterator[Reason]:
    for entry in roster.entries():
        scroll = scroll_of(entry)
        assert scroll is not None
        if scroll.faction != roster.faction or scroll.kind != "unit":
            yield Reason("aos.core.army-faction", "reason.aos.other-faction", {"unit": entry.unit})
    names = [data.id for data in faction.formations]
    if roster.formation not in (names or [""]):
        yield Reason("aos.core.army-faction", "reason.aos.one-formation", {"formation": roster.formation})


def allowed_under(leader: Warscroll, scroll: Warscroll) -> bool:
    """May this unit join the regiment of that Hero? By keyword, by name, or because its own profile says so."""
    if scroll.hero:
        return bool(scroll.joins) and ("any" in scroll.joins or leader.id in scroll.joins)
    return "any" in leader.leads or scroll.id in leader.leads or any(k in leader.leads for k in scroll.keywords)


def _under_the_wrong_hero(roster: Roster) -> Iterator[Reason]:
    for regiment in roster.regiments:
        leader = scroll_of(regiment.leader)
        assert leader is not None
        if not leader.hero:
            yield Reason("aos.core.army-regiments", "reason.aos.leader", {"unit": leader.id})
        for entry in regiment.units:
            scroll = scroll_of(entry)
            if scroll is not None and not allowed_under(leader, scroll):
                facts = {"unit": entry.unit, "leader": leader.id}
                yield Reason("aos.core.army-regiments", "reason.aos.regiment-option", facts)
    for entry in roster.auxiliaries:
        scroll = scroll_of(entry)
        if scroll is not None and scroll.hero and not scroll.joins:
            yield Reason("aos.core.army-auxiliary", "", {"unit": entry.unit})


def _against_the_general(roster: Roster) -> Iterator[Reason]:
    if not 0 <= roster.general < len(roster.regiments):
        yield Reason("aos.core.army-general", "reason.aos.no-general")
        return
    general = scroll_of(roster.regiments[roster.general].leader)
    masters = [e.unit for e in roster.entries() if (s := scroll_of(e)) is not None and s.has("warmaster")]
    if general is not None and not general.has("warmaster") and masters:
        yield Reason("aos.core.army-general", "reason.aos.warmaster", {"units": masters})


def _against_units(roster: Roster, faction: content.Faction) -> Iterator[Reason]:
    enhancements = _enhancements_of(roster.faction)
    for entry in roster.entries():
        scroll = scroll_of(entry)
        assert scroll is not None
        if entry.reinforced and most_models(scroll) == scroll.size:
            yield Reason("aos.core.army-reinforced", "", {"unit": entry.unit})
        if scroll.has("unique") and entry.enhancements:
            yield Reason("aos.core.army-unique", "", {"unit": entry.unit})
        for key in entry.enhancements:
            if key not in enhancements or not scroll.hero:
                facts = {"enhancement": key, "unit": entry.unit}
                yield Reason("aos.core.army-enhancements", "reason.aos.enhancement", facts)
    for wanted, there in (
        (roster.spells, faction.spells),
        (roster.prayers, faction.prayers),
        (roster.manifestations, faction.manifestations),
        (roster.terrain, faction.terrain),
        (bool(roster.renown), [r.id for r in content.core().renown if r.id == roster.renown]),
    ):
        if wanted and not there:
            yield Reason("aos.core.army-enhancements", "reason.aos.no-such-lore", {"faction": roster.faction})


# -- random legal rosters ----------------------------------------------------------------------------------------


def muster(rng: Rng, points: int = 1000, faction: str | None = None) -> Roster:
    """A random legal army: heroes with regiments, some reinforced, some auxiliary, lores and enhancements."""
    book = content.factions()[faction] if faction else rng.choice(list(content.factions().values()))
    scrolls = [s for s in book.warscrolls if s.kind == "unit"]
    heroes = [s for s in scrolls if s.hero]
    for _ in range(200):
        roster = _draw(rng, book, scrolls, heroes, points)
        if total(roster) >= points * 0.85 and check_roster(roster):
            return roster
    raise fault("error.aos.no-army", faction=book.id, points=points)


def _draw(rng: Rng, book: content.Faction, scrolls: list[Warscroll], heroes: list[Warscroll], points: int) -> Roster:
    roster = Roster(
        faction=book.id,
        regiments=[],
        points=points,
        name=book.name,
        formation=rng.choice(book.formations).id if book.formations else "",
        spells=book.spells is not None and rng.below(8) > 0,
        prayers=book.prayers is not None,
        manifestations=book.manifestations is not None,
        terrain=bool(book.terrain) and rng.below(4) > 0,
    )
    leaders = rng.sample(heroes, min(len(heroes), rng.between(2, 3) if points <= 1000 else rng.between(3, 5)))
    leaders.sort(key=lambda s: not s.has("warmaster"))
    for leader in leaders:
        regiment = Regiment(Entry(leader.id))
        roster.regiments.append(regiment)
        if total(roster) > points:
            roster.regiments.pop()
    if content.core().renown and rng.below(6) == 0:
        renown = rng.choice(content.core().renown)
        if total(roster) + renown.points <= points * 0.7:
            roster.renown = renown.id
    pool = scrolls + 2 * [s for s in scrolls if s.size >= 5]  # the rank and file make up most of an army
    for _ in range(24):
        before = total(roster)
        if before > points * 0.97 or not roster.regiments:
            break
        n = rng.below(len(roster.regiments) + 1)
        entry = Entry(rng.choice(pool).id, rng.below(2) == 0)
        scroll = content.warscrolls()[entry.unit]
        entry.reinforced = entry.reinforced and most_models(scroll) > scroll.size
        if before + cost(entry) > points or cost(entry) > points / 2 or (scroll.hero and not scroll.joins):
            continue
        if scroll.has("unique") and any(e.unit == scroll.id for e in roster.entries()):
            continue
        if n == len(roster.regiments):
            if not scroll.hero and rng.below(3) == 0:
                roster.auxiliaries.append(entry)
            continue
        regiment = roster.regiments[n]
        lead = scroll_of(regiment.leader)
        assert lead is not None
        if len(regiment.units) < (4 if n == 0 else 3) and allowed_under(lead, scroll):
            regiment.units.append(entry)
    bearers = [r.leader for r in roster.regiments if not content.warscrolls()[r.leader.unit].has("unique")]
    if bearers and book.artefacts:
        rng.choice(bearers).enhancements.append(rng.choice(book.artefacts).id)
    if bearers and book.traits:
        rng.choice(bearers).enhancements.append(rng.choice(book.traits).id)
    return roster


# -- from a roster to units --------------------------------------------------------------------------------------


def most_models(scroll: Warscroll) -> int:
    """aos.core.army-reinforced: a unit of one model, and a unique one, is never reinforced; nor what is no unit."""
    alone = scroll.size == 1 or scroll.has("unique") or scroll.kind != "unit"
    return scroll.size if alone else 2 * scroll.size


@decides("aos.core.command-models")
def make_models(key: str, scroll: Warscroll, count: int) -> tuple[Model, ...]:
    """One champion a unit, one musician and standard bearer for each X models."""
    r, q = scroll.radii
    roles: list[Role] = ["champion"] if scroll.champion else []
    roles += ["musician"] * (count // scroll.musician if scroll.musician else 0)
    roles += ["standard"] * (count // scroll.standard if scroll.standard else 0)
    roles += [""] * (count - len(roles))
    return tuple(Model(f"{key}.{n + 1}", r=r, q=q, role=role) for n, role in enumerate(roles[:count]))


def make_unit(key: str, side: int, scroll: Warscroll, count: int | None = None, **more: Any) -> Unit:
    return Unit(key, side, scroll, make_models(key, scroll, scroll.size if count is None else count), **more)


def army(roster: Roster, side: int, first_regiment: int) -> tuple[Side, list[Unit], list[list[str]]]:
    """A side, its units, and the members of its regiments."""
    book = content.factions()[roster.faction]
    scrolls = content.warscrolls()
    letter = "ab"[side]
    units: list[Unit] = []
    regiments: list[list[str]] = []

    def add(entry: Entry, regiment: int) -> str:
        scroll = scrolls[entry.unit]
        key = f"{letter}{len(units) + 1}"
        count = scroll.size * (2 if entry.reinforced else 1)
        enhancements = tuple(entry.enhancements)
        units.append(make_unit(key, side, scroll, count, regiment=regiment, enhancements=enhancements))
        return key

    general = ""
    for n, regiment in enumerate(roster.regiments):
        number = first_regiment + n
        members = [add(regiment.leader, number), *(add(entry, number) for entry in regiment.units)]
        regiments.append(members)
        if n == roster.general:
            general = members[0]
    for entry in roster.auxiliaries:
        add(entry, -1)
    for renown in content.core().renown:
        if renown.id == roster.renown:
            regiments.append([add(Entry(key), first_regiment + len(roster.regiments)) for key in renown.units])
    summons: tuple[str, ...] = ()
    if roster.manifestations and book.manifestations is not None:
        summons = tuple(data.id for data in book.manifestations.abilities)
        for data in book.manifestations.abilities:
            for do in data.does:
                if do.do == "summon":
                    key = f"{letter}{len(units) + 1}"
                    units.append(make_unit(key, side, scrolls[do.unit], where="reserve"))
    if roster.terrain:
        units.append(make_unit(f"{letter}{len(units) + 1}", side, scrolls[book.terrain]))
    spent = total(roster)
    player = Side(
        name=roster.name or book.name,
        faction=roster.faction,
        formation=roster.formation,
        general=general,
        points=spent,
        spells=tuple(d.id for d in book.spells.abilities) if roster.spells and book.spells else (),
        prayers=tuple(d.id for d in book.prayers.abilities) if roster.prayers and book.prayers else (),
        summons=summons,
        auxiliaries=len(roster.auxiliaries),
        underspent=spent <= roster.points - 50,
    )
    return player, units, regiments
