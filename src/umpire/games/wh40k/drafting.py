"""Rosters drawn at random: any legal army of a size, now and then with allies (army.muster.*).

`draft` is a search through all lists that the limits allow, in an order that the dice decide: nothing is tried blindly,
and when it has seen every list, "there is none" is a fact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from umpire.engine.rng import Rng
from umpire.errors import UmpireError, fault
from umpire.games.wh40k import content, detachments
from umpire.games.wh40k.detachments import TYPES, group_id
from umpire.games.wh40k.mustering import (
    COPIES,
    INSPIRING_LEADER,
    RANDOM,
    SIZES,
    Detachment,
    Roster,
    UnitEntry,
    counts_of,
    limits,
    line_of,
    most_of,
    objections,
    power_of,
)
from umpire.games.wh40k.profiles import Datasheet
from umpire.miniatures.lists import Army, Limit, Line, concerns, lacking, outgrown
from umpire.text import Text

PATIENCE = 20_000
"""Lists looked at before the search gives up."""


class NoListError(UmpireError):
    """There is no such list, or, as the sentence says then, none was found in time."""


PLANS: dict[str, tuple[tuple[str, ...], ...]] = {
    "combat-patrol": (("patrol",),),
    "incursion": (
        ("battalion",),
        ("patrol",),
        ("patrol", "fortification-network"),
        ("patrol", "auxiliary-support"),
        ("patrol", "super-heavy-auxiliary"),
        ("patrol", "supreme-command"),
        ("vanguard", "patrol"),
        ("outrider",),
        ("spearhead",),
    ),
    "strike-force": (
        ("battalion", "fortification-network"),
        ("battalion", "super-heavy-auxiliary"),
        ("battalion", "outrider"),
        ("battalion", "supreme-command"),
        ("brigade",),
        ("patrol", "super-heavy"),
        ("vanguard", "battalion"),
    ),
    "onslaught": (("battalion", "battalion", "super-heavy-auxiliary"), ("brigade", "spearhead")),
}
"""Which detachments random armies are built of."""


def muster(rng: Rng, size: str = "incursion", faction: str | None = None, copies: Mapping[str, int] = COPIES) -> Roster:
    """A random legal roster."""
    book = content.factions()[faction or rng.choice(content.armies())]
    for plan in [*rng.shuffled(PLANS[size])[:3], *[("patrol",)] * 6]:
        try:
            return _drafted(rng, book, size, plan, copies)
        except NoListError:
            continue
    raise fault("error.wh40k.no-army", faction=book.name)


def partners(rng: Rng, book: content.Faction, detachment: str) -> list[content.Faction]:
    """The factions of which a further detachment may be: now and then an ally's, or one of nobody's."""
    found = [book]
    if rng.below(3) == 0:
        others = content.factions().values()
        found += [other for other in others if other.broad == book.broad and other is not book]
        if detachment == "auxiliary-support":
            found += [other for other in others if other.broad == detachments.UNALIGNED]
    return found


def _drafted(rng: Rng, book: content.Faction, size: str, plan: Sequence[str], copies: Mapping[str, int]) -> Roster:
    points, power, _, _ = SIZES[size]
    books = [book if n == 0 else rng.choice(partners(rng, book, name)) for n, name in enumerate(plan)]
    entries: dict[str, UnitEntry] = {}
    candidates: list[Line] = []
    ratings: dict[str, int] = {}
    for n, name in enumerate(plan):
        kind = TYPES[name]
        for data in books[n].sheets:
            sheet = content.datasheets()[data.id]
            supreme = any(sheet.has(word) for word in detachments.SUPREME)
            if (sheet.role not in kind.slots and not (kind.transports and sheet.role == "dedicated-transport")) or (
                supreme != (name == "supreme-command")
            ):
                continue
            for copy in range(2 if sheet.role == "troops" else 1):
                entry = random_entry(rng, sheet, books[n])
                place = f"{n}:{sheet.id}:{copy}"
                entries[place] = entry
                ratings[place] = power_of(sheet, entry)
                candidates.append(line_of(sheet, entry, place, n))
    caps = list(limits(size, plan, copies))

    def allows(army: Army) -> bool:
        """Power Level, and no more Dedicated Transports than Infantry units."""
        if sum(ratings[_place(line.id)] for line in army.lines) > power:
            return False
        for n in range(len(plan)):
            lines = [content.datasheets()[line.entry] for line in army.of(group_id(n))]
            carriers = sum(sheet.role == "dedicated-transport" for sheet in lines)
            if carriers and carriers > sum(sheet.has("infantry") for sheet in lines):
                return False
        return True

    start = Army(size=points, lines=(), groups=detachments.groups(plan))
    found = draft(rng, start, candidates, caps, least=points - points // 8, allows=allows, patience=400)
    made = [Detachment(name, []) for name in plan]
    for line in found.lines:
        made[int(line.group[1:])].units.append(entries[_place(line.id)])
    roster = Roster(book.id, size, made, name=book.name)
    _lead(rng, book, roster)
    if next(objections(roster, copies=copies), None) is not None:
        raise NoListError("a random roster came out wrong")
    return roster


def _place(line: str) -> str:
    return line.rpartition(".")[0] if line.rpartition(".")[2].isdigit() and "." in line else line


def _lead(rng: Rng, book: content.Faction, roster: Roster) -> None:
    """Pick a warlord with a trait, now and then a relic and an upgrade."""
    able = [
        (d, m)
        for d, detachment in enumerate(roster.detachments)
        for m, entry in enumerate(detachment.units)
        if content.datasheets()[entry.sheet].has("character") and detachment.type != "fortification-network"
    ]
    supreme = [(d, m) for d, m in able if roster.detachments[d].type == "supreme-command"]
    home = [(d, m) for d, m in able if TYPES[roster.detachments[d].type].refund]
    d, m = rng.choice(supreme or home or able)
    roster.warlord = f"{d}.{m}"
    traits = [INSPIRING_LEADER.id, RANDOM, *(trait.id for trait in book.traits)]
    roster.trait = rng.choice(traits)
    if book.relics and rng.below(2):
        roster.detachments[d].units[m].relic = rng.choice([relic.id for relic in book.relics])
    if book.upgrades and rng.below(3) == 0:
        units = roster.detachments[0].units
        units[rng.below(len(units))].upgrade = book.upgrades[0].id


def random_entry(rng: Rng, sheet: Datasheet, book: content.Faction) -> UnitEntry:
    """A unit of any legal size with any legal options."""
    models = {row.id: rng.between(row.least, row.most) for row in sheet.rows if row.most > row.least}
    entry = UnitEntry(sheet.id, models)
    taken: dict[str, int] = {}
    for choice in sheet.choices:
        most = most_of(sheet, entry, choice)
        if choice.give:
            most = min(most, counts_of(sheet, entry)[choice.row] - taken.get(choice.row, 0))
        number = rng.between(0, max(0, most))
        if number:
            entry.options = {**entry.options, choice.id: number}
            if choice.give:
                taken[choice.row] = taken.get(choice.row, 0) + number
    if sheet.selectable and book.choices:
        entry.keyword = rng.choice(list(book.choices))
    if sheet.psychic is not None and book.powers:
        wanted = min(sheet.psychic.knows, len(book.powers))
        entry.powers = [power.id for power in rng.sample(list(book.powers), wanted)]
        if rng.below(4) == 0:
            entry.powers = [RANDOM] * wanted
    if sheet.pregame:
        entry.pregame = rng.choice([RANDOM, *(ability.id for ability in sheet.pregame)])
    return entry


# -- the search for a list -----------------------------------------------------------------------------------------


def draft(
    rng: Rng,
    start: Army,
    candidates: Sequence[Line],
    limits: Sequence[Limit],
    *,
    least: int = 0,
    allows: Callable[[Army], bool] | None = None,
    patience: int = PATIENCE,
) -> Army:
    """A random list that grows from `start` by candidates, keeps every limit, and costs at least `least` and at most
    the army's size. `allows` is what else a book demands of a list that may still grow (False: growing mends nothing).

    The lines that a limit still lacks come first. A candidate that was passed over is not looked at again further down,
    so every list is seen once, and the search is complete.
    """
    search = _Search(rng, limits, least, allows, patience)
    found = search.grow(start, candidates)
    if found is not None:
        return found
    proved = search.patience > 0
    raise NoListError(Text("error.list.none" if proved else "error.list.not-found", {"points": start.size}))


class _Search:
    def __init__(
        self, rng: Rng, limits: Sequence[Limit], least: int, allows: Callable[[Army], bool] | None, patience: int
    ) -> None:
        self.rng = rng
        self.limits = limits
        self.least = least
        self.allows = allows
        self.patience = patience

    def grow(self, army: Army, candidates: Sequence[Line]) -> Army | None:
        self.patience -= 1
        want = lacking(self.limits, army)
        if want is None and army.cost >= self.least:
            return army
        # What is lacking comes first; where nothing is, anything serves. Every list that is legal holds one of these.
        serving = [line for line in candidates if want is None or _serves(want, line)]
        passed: list[Line] = []
        for line in self.rng.shuffled(serving):
            if self.patience <= 0:
                return None
            rest = [other for other in candidates if not any(other is one for one in passed)]
            passed.append(line)
            if army.cost + line.cost > army.size:
                continue
            more = _placed(line, army)
            grown = army.with_line(more)
            if outgrown(self.limits, army, more) or (self.allows is not None and not self.allows(grown)):
                continue
            found = self.grow(grown, rest)
            if found is not None:
                return found
        return None


def _placed(line: Line, army: Army) -> Line:
    """A line that is taken twice has two places in the list."""
    taken = [other.id for other in army.lines]
    number = 1
    place = line.id
    while place in taken:
        number += 1
        place = f"{line.id}.{number}"
    return line if number == 1 else msgspec.structs.replace(line, id=place)


def _serves(limit: Limit, line: Line) -> bool:
    """Does a line bring what this limit lacks?"""
    return (not limit.group or line.group == limit.group) and concerns(limit, line)
