"""Army composition: rosters, what makes one legal, and random legal ones (aos.core.army-*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, Ruling, in_force, ruled
from umpire.errors import UmpireError
from umpire.games.aos import content
from umpire.games.aos.profiles import Warscroll
from umpire.games.aos.state import Model, Side, Unit

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
        raise UmpireError(
            f"this is no Age of Sigmar roster: {error}", zh=f"这不是西格玛时代的军队名册：{error}"
        ) from error


def scroll_of(entry: Entry) -> Warscroll | None:
    return content.warscrolls().get(entry.unit)


def cost(entry: Entry) -> int:
    scroll = scroll_of(entry)
    return 0 if scroll is None else scroll.points * (2 if entry.reinforced else 1)


def total(roster: Roster) -> int:
    points = sum(cost(entry) for entry in roster.entries())
    return points + sum(r.points for r in content.core().renown if r.id == roster.renown)


def check_roster(given: Any, without: Sequence[str] = ()) -> Ruling:
    """Is this roster legal? Every rule it breaks is named."""
    roster = read_roster(given)
    reasons: list[Reason] = []
    faction = content.factions().get(roster.faction)
    if faction is None:
        return ruled([Reason("aos.core.army-faction", "reason.aos.no-faction", {"faction": roster.faction})])
    unknown = [entry.unit for entry in roster.entries() if scroll_of(entry) is None]
    if unknown:
        return ruled([Reason("aos.core.army-faction", "reason.aos.no-warscroll", {"units": unknown})])
    _check_points(roster, reasons)
    _check_faction(roster, faction, reasons)
    _check_regiments(roster, reasons)
    _check_general(roster, reasons)
    _check_units(roster, faction, reasons)
    return ruled(in_force(reasons, without))


def _check_points(roster: Roster, reasons: list[Reason]) -> None:
    spent = total(roster)
    if spent > roster.points:
        reasons.append(Reason("aos.core.army-points", "", {"spent": spent, "limit": roster.points}))
    for entry in roster.entries():
        if cost(entry) > roster.points / 2:
            facts = {"unit": entry.unit, "spent": cost(entry), "limit": roster.points // 2}
            reasons.append(Reason("aos.core.army-points", "reason.aos.half-points", facts))


def _check_faction(roster: Roster, faction: content.Faction, reasons: list[Reason]) -> None:
    for entry in roster.entries():
        scroll = scroll_of(entry)
        assert scroll is not None
        if scroll.faction != roster.faction or scroll.kind != "unit":
            reasons.append(Reason("aos.core.army-faction", "reason.aos.other-faction", {"unit": entry.unit}))
    names = [data.id for data in faction.formations]
    if names and roster.formation not in names:
        reasons.append(Reason("aos.core.army-faction", "reason.aos.one-formation", {"formation": roster.formation}))
    if not names and roster.formation:
        reasons.append(Reason("aos.core.army-faction", "reason.aos.one-formation", {"formation": roster.formation}))


def allowed_under(leader: Warscroll, scroll: Warscroll) -> bool:
    """May this unit join the regiment of that Hero? By keyword, by name, or because its own profile says so."""
    if scroll.hero:
        return bool(scroll.joins) and ("any" in scroll.joins or leader.id in scroll.joins)
    return "any" in leader.leads or scroll.id in leader.leads or any(k in leader.leads for k in scroll.keywords)


def _check_regiments(roster: Roster, reasons: list[Reason]) -> None:
    if not 1 <= len(roster.regiments) <= MOST_REGIMENTS:
        reasons.append(Reason("aos.core.army-regiments", "reason.aos.regiments", {"count": len(roster.regiments)}))
    for n, regiment in enumerate(roster.regiments):
        leader = scroll_of(regiment.leader)
        assert leader is not None
        if not leader.hero:
            reasons.append(Reason("aos.core.army-regiments", "reason.aos.leader", {"unit": leader.id}))
        most = 4 if n == roster.general else 3
        troops = [e for e in regiment.units if not (scroll_of(e) or leader).hero]
        if len(troops) > most:
            facts = {"count": len(troops), "most": most}
            reasons.append(Reason("aos.core.army-regiments", "reason.aos.regiment-size", facts))
        for entry in regiment.units:
            scroll = scroll_of(entry)
            assert scroll is not None
            if not allowed_under(leader, scroll):
                under = {"unit": entry.unit, "leader": leader.id}
                reasons.append(Reason("aos.core.army-regiments", "reason.aos.regiment-option", under))
    for entry in roster.auxiliaries:
        scroll = scroll_of(entry)
        if scroll is not None and scroll.hero and not scroll.joins:
            reasons.append(Reason("aos.core.army-auxiliary", "", {"unit": entry.unit}))


def _check_general(roster: Roster, reasons: list[Reason]) -> None:
    if not 0 <= roster.general < len(roster.regiments):
        reasons.append(Reason("aos.core.army-general", "reason.aos.no-general"))
        return
    general = scroll_of(roster.regiments[roster.general].leader)
    masters = [e.unit for e in roster.entries() if (s := scroll_of(e)) is not None and s.has("warmaster")]
    if general is not None and not general.has("warmaster") and masters:
        reasons.append(Reason("aos.core.army-general", "reason.aos.warmaster", {"units": masters}))


def _check_units(roster: Roster, faction: content.Faction, reasons: list[Reason]) -> None:
    seen: list[str] = []
    taken: list[str] = []
    artefacts = [data.id for data in faction.artefacts]
    traits = [data.id for data in faction.traits]
    for entry in roster.entries():
        scroll = scroll_of(entry)
        assert scroll is not None
        if entry.reinforced and (scroll.size == 1 or scroll.has("unique")):
            reasons.append(Reason("aos.core.army-reinforced", "", {"unit": entry.unit}))
        if scroll.has("unique"):
            if entry.unit in seen or entry.enhancements:
                reasons.append(Reason("aos.core.army-unique", "", {"unit": entry.unit}))
            seen.append(entry.unit)
        for key in entry.enhancements:
            if key not in artefacts + traits or not scroll.hero:
                reasons.append(
                    Reason(
                        "aos.core.army-enhancements", "reason.aos.enhancement", {"enhancement": key, "unit": entry.unit}
                    )
                )
            taken.append(key)
    for table in (artefacts, traits):
        if sum(key in table for key in taken) > 1:
            reasons.append(Reason("aos.core.army-enhancements", "", {"count": sum(key in table for key in taken)}))
    for wanted, there in (
        (roster.spells, faction.spells),
        (roster.prayers, faction.prayers),
        (roster.manifestations, faction.manifestations),
        (roster.terrain, faction.terrain),
        (bool(roster.renown), [r.id for r in content.core().renown if r.id == roster.renown]),
    ):
        if wanted and not there:
            reasons.append(Reason("aos.core.army-enhancements", "reason.aos.no-such-lore", {"faction": roster.faction}))


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
    what, zh = f"no army of {points} points was found for {book.id}", f"{book.id} 组不成 {points} 点的军队"
    raise UmpireError(what, zh=zh)


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
        if total(roster) > points * 0.97 or not roster.regiments:
            break
        n = rng.below(len(roster.regiments) + 1)
        entry = Entry(rng.choice(pool).id, rng.below(2) == 0)
        scroll = content.warscrolls()[entry.unit]
        entry.reinforced = entry.reinforced and scroll.size > 1 and not scroll.has("unique")
        before = total(roster)
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


def make_models(key: str, scroll: Warscroll, count: int) -> tuple[Model, ...]:
    """aos.core.command-models: one champion a unit, one musician and standard bearer for each X models."""
    r, q = scroll.radii
    roles = ["champion"] if scroll.champion else []
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
