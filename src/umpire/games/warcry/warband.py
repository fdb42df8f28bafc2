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
from umpire.files import convert
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
from umpire.miniatures.lists import Army, Item, Limit, Line, bill, broken
from umpire.miniatures.menus import illegal
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
    own = profile.faction == faction
    friendly = same_alliance(lib, faction, profile.faction)
    if MONSTER in marks:
        return "monster" if friendly else None
    if own:
        return ""
    if not friendly:
        return None
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
    lines = []
    for n, profile in enumerate(profiles):
        role = role_of(lib, faction, profile)
        tags = (*profile.runemarks, "stranger" if role is None else f"role.{role}")
        price = Item(id=profile.id, name=profile.name, points=profile.points)
        lines.append(Line(id=f"fighters[{n}]", entry=profile.id, name=profile.name, tags=tags, items=(price,)))
    return Army(size=POINTS, lines=tuple(lines))


def price(roster: Roster) -> Bill:
    lib = library()
    return bill(army_of(lib, roster.faction, [lib.profiles[key] for key in roster.fighters if key in lib.profiles]))


def _objections(lib: Library, faction: str, city: str, profiles: Sequence[Profile]) -> Iterator[Reason]:
    army = army_of(lib, faction, profiles)
    yield from broken(LIMITS, army)
    for line, profile in zip(army.lines, profiles, strict=True):
        if "stranger" in line.tags:
            yield _stranger(profile)
    guest = any("role.ally" in line.tags and HERO in line.tags for line in army.lines)
    yield from broken([replace(HERO_LIMIT, rule="warcry.ally.heroes-count") if guest else HERO_LIMIT], army)
    yield from broken(GUESTS, army)
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
    chosen = [leader]
    roles = [(role_of(lib, faction, p), p) for p in lib.profiles.values()]
    guests = any(role for role, _ in roles)
    spec = lib.factions[faction]
    city = rng.choice(CITIES) if spec.runemark == CITIES_FACTION else ""
    if guests and rng.below(3):
        kinds = {role: [p for has, p in roles if has == role] for role in ("monster", "ally", "thrall")}
        for role, many in (("monster", 1), ("ally", 2), ("thrall", 2)):
            if kinds[role] and rng.below(2):
                for _n in range(rng.between(1, many)):
                    _add(lib, faction, city, chosen, rng.choice(kinds[role]), points, size)
    for _try in range(40):
        _add(lib, faction, city, chosen, rng.choice(own), points, size)
    if len(chosen) < LEAST:
        cheap = sorted(own, key=lambda p: p.points)
        chosen = [min((p for p in own if HERO in p.runemarks), key=lambda p: p.points), cheap[0], cheap[0]]
        least = sum(p.points for p in chosen)
        if least > points:
            raise fault("error.warcry.least", "points", faction=lib.factions[faction].name, least=least)
    return Roster(faction, [p.id for p in chosen], city=city)


def _add(
    lib: Library, faction: str, city: str, chosen: list[Profile], profile: Profile, points: int, size: int
) -> None:
    """Take a fighter into the list if the restrictions allow it; that a list is still too small is no reason yet."""
    trial = [*chosen, profile]
    if len(trial) > size or sum(p.points for p in trial) > points:
        return
    against = (reason for reason in _objections(lib, faction, city, trial) if applies(reason.rule))
    if all(reason.rule == "warcry.warband.size" and len(trial) < LEAST for reason in against):
        chosen.append(profile)


def read_roster(raw: Any, where: str, without: Sequence[str] = ()) -> Roster:
    """A roster from a file or a client; an illegal one is refused with every reason."""
    roster = raw if isinstance(raw, Roster) else convert(raw, Roster, where)
    ruling = check(roster, without=without)
    if not ruling:
        raise illegal(ruling, "warcry", where)
    return roster
