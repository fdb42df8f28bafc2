"""Random legal army lists: warbands until the points are nearly spent, then upgrades with what is left."""

from __future__ import annotations

import msgspec

from umpire.engine.rng import Rng
from umpire.errors import fault

from .army import WARBAND, check_roster, may_be, warband_reasons
from .content import CharacterEntry, Faction, factions
from .content import faction as known
from .roster import CharacterPick, RegimentPick, Roster, Warband, army_of, character_cost, cost, regiment_cost


def muster(rng: Rng, points: int = 1500, faction: str = "") -> Roster:
    """A random legal list: warbands until the points are nearly spent, then upgrades with what is left."""
    army = known(faction or rng.choice(list(factions())))
    for _ in range(200):
        roster = _gather(rng, army, points)
        if roster is not None and check_roster(roster):
            return roster
    raise fault("error.list.not-found", points=points)


def _gather(rng: Rng, army: Faction, points: int) -> Roster | None:
    roster = Roster(faction=army.id, warbands=[], points=points)
    left = points
    wanted = max(1, points // 600 + rng.below(2))
    leaders = rng.shuffled(army.characters)
    leaders += [rng.choice(army.characters) for _ in range(wanted - len(leaders))]
    for entry in leaders[:wanted]:
        band = _warband(rng, army, entry, left)
        if band is not None:
            roster.warbands.append(band)
            left = points - cost(roster)
    if not roster.warbands:
        return None
    rng.choice(roster.warbands).character.warlord = True
    for _ in range(60):
        if left < 10:
            break
        left = _improve(rng, army, roster, left)
    return roster


def _warband(rng: Rng, army: Faction, entry: CharacterEntry, left: int) -> Warband | None:
    pick = CharacterPick(entry=entry.id)
    if entry.spells:
        pick.spells = rng.sample(entry.spells, rng.between(1, min(3, len(entry.spells))))
    band = Warband(character=pick, regiments=[])
    left -= character_cost(army, entry, pick)
    escorts = [r for r in army.regiments if r.type == entry.type and r.id in (*entry.mainstay, *entry.restricted)]
    wanted = [rng.choice(escorts).id] if escorts and not entry.alone else []
    wanted += [rng.choice(entry.mainstay), rng.choice(entry.restricted), rng.choice(entry.mainstay)]
    for key in wanted[: rng.between(2, WARBAND)]:
        kind = army.regiment(key)
        assert kind is not None
        regiment = RegimentPick(entry=key, stands=kind.stands, leader=kind.command.leader is not None)
        price = regiment_cost(army, kind, regiment)
        if price <= left:
            band.regiments.append(regiment)
            left -= price
    return band if band.regiments and not warband_reasons(army, entry, band) else None


def _improve(rng: Rng, army: Faction, roster: Roster, left: int) -> int:
    """Buy one thing more, if it is legal and there are points for it; how many are left then."""
    band = rng.choice(roster.warbands)
    pick = band.character
    entry = army.character(pick.entry)
    assert entry is not None
    what = rng.below(7)
    before = msgspec.json.encode(band) if what > 2 else b""
    if what <= 3:
        regiment = rng.choice(band.regiments)
        kind = army.regiment(regiment.entry)
        assert kind is not None
        if what <= 2:
            if kind.stand_points > left or regiment.stands >= kind.most:
                return left
            regiment.stands += 1
            return left - kind.stand_points
        options = [*kind.command.officers, *(["standard"] if kind.command.standard is not None else [])]
        option = rng.choice(options) if options else ""
        if option == "standard":
            regiment.standard = True
        elif option and option not in regiment.officers:
            regiment.officers = [*regiment.officers, option]
    elif what == 4 and entry.retinue:
        key = rng.choice([k for k in entry.retinue if k != "slots"])
        pick.retinue = {**pick.retinue, key: pick.retinue.get(key, 0) + 1}
    elif what == 5 and entry.upgrades:
        pick.upgrades = [*pick.upgrades, rng.choice(entry.upgrades)]
    elif what == 6 and not pick.mastery:
        open_to = [m.id for m in army.masteries if m.category in entry.masteries]
        pick.mastery = [rng.choice(open_to)] if open_to else []
    if msgspec.json.encode(band) == before:
        return left
    spelt = army_of(roster, army)
    if may_be(roster, army, spelt):
        return roster.points - spelt.cost
    roster.warbands[roster.warbands.index(band)] = msgspec.json.decode(before, type=Warband)
    return left
