"""Mustering a warband: a faction, a leader, 3 to 15 fighters, allies, thralls and a monster, up to 1000 points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from umpire.engine.bills import Bill
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, Ruling, applies, in_force, ruled
from umpire.errors import fault, unknown
from umpire.games.warcry.content import Library, library
from umpire.games.warcry.profiles import (
    ALLY,
    CITIES,
    CITIES_FACTION,
    HERO,
    MONSTER,
    THRALL,
    Profile,
)
from umpire.miniatures.lists import Army, Item, Limit, Line, bill, broken, outgrown
from umpire.rulebook.deciding import decides

LEAST, MOST, POINTS, HEROES, ALLIES, THRALLS = 3, 15, 1000, 3, 2, 3


class Roster(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A warband as a file: a faction and its fighters by profile; the first is the leader."""

    faction: str
    fighters: list[str]
    name: str = ""
    city: str = ""


@decides("warcry.faction.grand-alliances")
def same_alliance(lib: Library, faction: str, other: str) -> bool:
    """warcry.faction.grand-alliances: an alliance's own runemark counts as any faction of it."""
    mine = lib.alliance(faction)
    return mine is not None and mine == lib.alliance(other)


def role_of(lib: Library, faction: str, profile: Profile) -> str | None:
    """How a fighter belongs to a warband: "" (of its faction), monster, thrall, ally; None if it does not."""
    marks = profile.runemarks
    monster = MONSTER in marks
    if profile.faction == faction and not monster:
        return ""
    if not same_alliance(lib, faction, profile.faction):
        return None
    if monster:
        return "monster"
    if THRALL in marks:
        return "thrall"
    if HERO in marks or ALLY in marks:
        return "ally"
    return None


def check(roster: Roster, lib: Library | None = None, without: Sequence[str] = ()) -> Ruling:
    """Every reason against a warband."""
    lib = lib or library()
    if roster.faction not in lib.factions:
        return ruled([Reason("warcry.faction.required", facts={"faction": roster.faction})])
    unknown = [key for key in roster.fighters if key not in lib.profiles]
    if unknown:
        return ruled([Reason("warcry.core.profile", "reason.warcry.unknown-profile", {"fighter": unknown})])
    profiles = [lib.profiles[key] for key in roster.fighters]
    return ruled(judge(lib, roster.faction, roster.city, profiles, without))


def judge(
    lib: Library, faction: str, city: str, profiles: Sequence[Profile], without: Sequence[str] = ()
) -> list[Reason]:
    """The muster restrictions on a list of fighters, the leader first."""
    return in_force(_objections(lib, faction, city, profiles), without)


LIMITS = (
    Limit(rule="warcry.warband.size", fact="fighters", least=LEAST, most=MOST),
    Limit(rule="warcry.warband.points", what="points", fact="points", most=POINTS),
)
HERO_LIMIT = Limit(rule="warcry.warband.heroes", of=(HERO,), fact="heroes", most=HEROES)
GUESTS = (
    Limit(rule="warcry.ally.max", of=("role.ally",), fact="chosen", most=ALLIES),
    Limit(rule="warcry.thrall.max", of=("role.thrall",), fact="chosen", most=THRALLS),
    Limit(rule="warcry.monster.eligible", of=("role.monster",), fact="chosen", most=1),
)


def army_of(lib: Library, faction: str, profiles: Sequence[Profile]) -> Army:
    """The fighters as a list: what each is to the warband, and its price."""
    return Army(size=POINTS, lines=tuple(_line(lib, faction, n, profile) for n, profile in enumerate(profiles)))


def _line(lib: Library, faction: str, number: int, profile: Profile) -> Line:
    role = role_of(lib, faction, profile)
    tags = (*profile.runemarks, "stranger" if role is None else f"role.{role}")
    price = Item(id=profile.id, name=profile.name, points=profile.points)
    return Line(id=f"fighters[{number}]", entry=profile.id, name=profile.name, tags=tags, items=(price,))


def price(roster: Roster) -> Bill:
    lib = library()
    return bill(army_of(lib, roster.faction, [lib.profiles[key] for key in roster.fighters if key in lib.profiles]))


def _heroes(army: Army) -> Limit:
    """Allies count towards the heroes of a warband."""
    guest = any("role.ally" in line.tags and HERO in line.tags for line in army.lines)
    return replace(HERO_LIMIT, rule="warcry.ally.heroes-count") if guest else HERO_LIMIT


def _objections(lib: Library, faction: str, city: str, profiles: Sequence[Profile]) -> Iterator[Reason]:
    army = army_of(lib, faction, profiles)
    yield from broken(LIMITS, army)
    for line, profile in zip(army.lines, profiles, strict=True):
        if "stranger" in line.tags:
            yield _stranger(profile)
    yield from broken([_heroes(army), *GUESTS], army)
    first = army.lines[0].tags if army.lines else ()
    if army.lines and not ("role." in first and HERO in first):
        ally = "role.ally" in first and HERO in first
        rule = "warcry.ally.not-leader" if ally else "warcry.warband.leader"
        yield Reason(rule, facts={"fighter": profiles[0].id})
    spec = lib.factions.get(faction)
    if spec is not None and spec.runemark == CITIES_FACTION and city not in CITIES:
        yield Reason("warcry.faction.cities", facts={"city": city, "known": list(CITIES)})


def _stranger(profile: Profile) -> Reason:
    marks = profile.runemarks
    facts = {"fighter": profile.id, "faction": profile.faction}
    if MONSTER in marks:
        return Reason("warcry.monster.eligible", facts=facts)
    if THRALL in marks:
        return Reason("warcry.thrall.eligible", facts=facts)
    if HERO in marks or ALLY in marks:
        return Reason("warcry.ally.eligible", facts=facts)
    return Reason("warcry.warband.faction", facts=facts)


def muster(rng: Rng, faction: str | None = None, points: int = POINTS, size: int = MOST, **_: Any) -> Roster:
    """A random legal warband."""
    lib = library()
    if faction is None:
        faction = rng.choice(list(lib.factions))
    if faction not in lib.factions:
        raise unknown("faction", faction, "faction", lib.factions)
    own = [p for p in lib.profiles.values() if p.faction == faction and MONSTER not in p.runemarks]
    leader = rng.choice([p for p in own if HERO in p.runemarks])
    band = _Band(lib, faction, leader, points, size)
    roles = [(role_of(lib, faction, p), p) for p in lib.profiles.values()]
    guests = any(role for role, _ in roles)
    spec = lib.factions[faction]
    city = rng.choice(CITIES) if spec.runemark == CITIES_FACTION else ""
    if guests and rng.below(3):
        kinds = {role: [p for has, p in roles if has == role] for role in ("monster", "ally", "thrall")}
        for role, many in (("monster", 1), ("ally", 2), ("thrall", 2)):
            if kinds[role] and rng.below(2):
                for _n in range(rng.between(1, many)):
                    band.add(rng.choice(kinds[role]))
    for _try in range(40):
        band.add(rng.choice(own))
    chosen = band.chosen
    if len(chosen) < LEAST:
        cheap = sorted(own, key=lambda p: p.points)
        chosen = [min((p for p in own if HERO in p.runemarks), key=lambda p: p.points), cheap[0], cheap[0]]
        least = sum(p.points for p in chosen)
        if least > points:
            raise fault("error.warcry.least", "points", faction=lib.factions[faction].name, least=least)
    return Roster(faction, [p.id for p in chosen], city=city)


class _Band:
    """A warband that grows from its leader by fighters who may belong to it, and keeps the restrictions."""

    def __init__(self, lib: Library, faction: str, leader: Profile, points: int, size: int) -> None:
        self.chosen = [leader]
        self._lib, self._faction = lib, faction
        self._left, self._size = points - leader.points, size
        self._army = army_of(lib, faction, self.chosen)
        # What is asked for mostly keeps the book's size and points already.
        self._limits = (*LIMITS, *GUESTS) if size > MOST or points > POINTS else GUESTS

    def add(self, profile: Profile) -> None:
        """Take a fighter into the list, unless there would be too much of anything."""
        if len(self.chosen) >= self._size or profile.points > self._left:
            return
        line = _line(self._lib, self._faction, len(self.chosen), profile)
        heroes = _heroes(self._army.with_line(line))
        if outgrown((limit for limit in (*self._limits, heroes) if applies(limit.rule)), self._army, line):
            return
        self.chosen.append(profile)
        self._left -= profile.points
        self._army = self._army.with_line(line)
