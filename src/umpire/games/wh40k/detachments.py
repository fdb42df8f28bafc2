"""Detachments: types, slots, cost and benefit, the warlord (detachment.*, warlord.*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from umpire.engine.rulings import Reason, applies
from umpire.miniatures.lists import Booking, Group, Limit

if TYPE_CHECKING:
    from umpire.games.wh40k.mustering import Muster

SIX = ("hq", "troops", "elites", "fast-attack", "heavy-support", "flyer")
ALL_ROLES = (*SIX, "fortification", "dedicated-transport", "lord-of-war")
SUPREME = ("primarch", "daemon-primarch", "supreme-commander")


class Kind(NamedTuple):
    """A type of detachment: its table, what it costs, what it gives back with the warlord inside."""

    rule: str
    cost: int
    slots: dict[str, tuple[int, int]]
    refund: int = 0
    transports: bool = False
    """One Dedicated Transport for each Infantry unit."""
    abilities: bool = True
    single: bool = False
    """Exactly one unit, of whichever of its roles."""


def _slots(hq: str, troops: str, elites: str, fast: str, heavy: str, flyers: str = "0-2") -> dict[str, tuple[int, int]]:
    found = {}
    for role, text in zip(SIX, (hq, troops, elites, fast, heavy, flyers), strict=True):
        least, _, most = text.partition("-")
        found[role] = (int(least), int(most))
    return found


TYPES: dict[str, Kind] = {
    "patrol": Kind("wh40k.detachment.patrol", 2, _slots("1-2", "1-3", "0-2", "0-2", "0-2"), 2, True),
    "battalion": Kind("wh40k.detachment.battalion", 3, _slots("2-3", "3-6", "0-6", "0-3", "0-3"), 3, True),
    "brigade": Kind("wh40k.detachment.brigade", 4, _slots("3-5", "6-12", "3-8", "3-5", "3-5"), 4, True),
    "supreme-command": Kind(
        "wh40k.detachment.supreme-command", 0, {"hq": (0, 1), "lord-of-war": (0, 1)}, 0, single=True
    ),
    "super-heavy": Kind("wh40k.detachment.super-heavy", 3, {"lord-of-war": (3, 5)}),
    "vanguard": Kind("wh40k.detachment.vanguard", 3, _slots("1-2", "0-3", "3-6", "0-2", "0-2"), 0, True),
    "outrider": Kind("wh40k.detachment.outrider", 2, _slots("1-2", "0-3", "0-2", "3-6", "0-2"), 0, True),
    "spearhead": Kind("wh40k.detachment.spearhead", 3, _slots("1-2", "0-3", "0-2", "0-2", "3-6"), 0, True),
    "fortification-network": Kind(
        "wh40k.detachment.fortification-network", 1, {"fortification": (1, 3)}, 0, abilities=False
    ),
    "super-heavy-auxiliary": Kind(
        "wh40k.detachment.super-heavy-auxiliary", 3, {"lord-of-war": (1, 1)}, 0, abilities=False
    ),
    "auxiliary-support": Kind(
        "wh40k.detachment.auxiliary-support",
        2,
        dict.fromkeys((*SIX, "dedicated-transport"), (0, 1)),
        0,
        abilities=False,
        single=True,
    ),
}
"""wh40k.detachment.types-closed-list: there are eleven, and no others."""
BENEFITS = {"patrol": 2, "battalion": 3, "brigade": 4}
"""What a Supreme Command detachment may give, by one other detachment of the army."""
TITANIC_SURCHARGE = 3


def group_id(number: int) -> str:
    return f"d{number}"


def groups(types: Sequence[str]) -> tuple[Group, ...]:
    return tuple(Group(id=group_id(n), name=f"detachment.{kind}", tags=(kind,)) for n, kind in enumerate(types))


def limits(types: Sequence[str]) -> Iterator[Limit]:
    """wh40k.detachment.slots.compulsory-optional: at least and at most so many of each role, by the type's table."""
    for n, name in enumerate(types):
        kind = TYPES.get(name)
        if kind is None:
            continue
        group = group_id(n)
        for role in ALL_ROLES:
            least, most = kind.slots.get(role, (0, 0))
            if role not in kind.slots and role == "dedicated-transport" and kind.transports:
                continue
            facts: dict[str, Any] = {"role": f"role.{role}", "detachment": f"detachment.{name}"}
            if role not in kind.slots:
                rule, key = "wh40k.detachment.slots", "reason.wh40k.no-slot"
                if role == "fortification":
                    rule = "wh40k.terrain.term.fortification"
                elif role == "dedicated-transport":
                    rule = "wh40k.detachment.dedicated-transport"
            else:
                rule, key = kind.rule, "reason.wh40k.slots"
                facts["least"] = least  # told also where it is 0
            yield Limit(rule=rule, key=key, of=(role,), group=group, least=least, most=most, facts=facts)
        if kind.single:
            yield Limit(rule=kind.rule, key="reason.wh40k.one-unit", group=group, least=1, most=1)


def type_reasons(types: Sequence[str]) -> Iterator[Reason]:
    if not types:
        yield Reason("wh40k.detachment.membership", "", {})
    for name in types:
        if name not in TYPES:
            yield Reason("wh40k.detachment.types-closed-list", "", {"type": name})
    supreme = sum(name == "supreme-command" for name in types)
    if supreme > 1:
        yield Reason("wh40k.detachment.supreme-command.one-per-army", "", {"count": supreme})


def transport_reasons(muster: Muster) -> Iterator[Reason]:
    """wh40k.detachment.dedicated-transport: one for each Infantry unit of the same detachment."""
    for n, name in enumerate(muster.types):
        if name not in TYPES or not TYPES[name].transports:
            continue
        units = muster.units_of(n)
        carriers = sum(sheet.role == "dedicated-transport" for sheet, _ in units)
        infantry = sum(sheet.has("infantry") for sheet, _ in units)
        if carriers > infantry:
            facts = {"transports": carriers, "infantry": infantry}
            yield Reason("wh40k.detachment.dedicated-transport", "reason.wh40k.transports", facts)


def supreme_reasons(muster: Muster) -> Iterator[Reason]:
    """Who may stand alone in a Supreme Command detachment, and that it is the warlord."""
    for n, name in enumerate(muster.types):
        if name != "supreme-command":
            continue
        for m, (sheet, _) in enumerate(muster.units_of(n)):
            if not any(sheet.has(word) for word in SUPREME):
                yield Reason("wh40k.detachment.supreme-command.who", "", {"sheet": sheet.name})
            if muster.roster.warlord != f"{n}.{m}":
                yield Reason("wh40k.detachment.supreme-command.warlord", "", {"sheet": sheet.name})


# -- factions ------------------------------------------------------------------------------------------------------

UNALIGNED = "unaligned"


def shared(muster: Muster, number: int, broad: Sequence[str]) -> list[str]:
    """The faction keywords that all units of a detachment have and that may hold one together."""
    sets = [set(muster.factions_of(sheet, entry)) for sheet, entry in muster.units_of(number)]
    if not sets:
        return []
    return sorted(word for word in set.intersection(*sets) if word not in broad)


def faction_reasons(muster: Muster) -> Iterator[Reason]:
    """wh40k.army.faction.detachment and army.faction.army: what a detachment and what the army must have in common."""
    broad = muster.broad
    for n in range(len(muster.types)):
        if muster.units_of(n) and not shared(muster, n, broad):
            yield Reason("wh40k.army.faction.detachment", "", {"detachment": n + 1})
            if shared(muster, n, ()) and applies("wh40k.army.faction.allies", muster.without):
                yield Reason("wh40k.army.faction.allies", "", {"detachment": n + 1})
    sets = []
    for sheet, entry in muster.units:
        words = muster.factions_of(sheet, entry)
        if UNALIGNED in words and applies("wh40k.army.faction.unaligned", muster.without):
            continue
        sets.append(set(words))
    common = set.intersection(*sets) if sets else set()
    if not applies("wh40k.army.faction.allies", muster.without):
        common = {word for word in common if word not in broad}
    if sets and not common:
        yield Reason("wh40k.army.faction.army", "", {})


# -- Command points ------------------------------------------------------------------------------------------------


def warlord_detachment(muster: Muster) -> int:
    head, _, _ = muster.roster.warlord.partition(".")
    return int(head) if head.isdigit() else -1


def bookings(muster: Muster) -> Iterator[Booking]:
    """wh40k.detachment.cost-and-benefit: costs are booked when a detachment is chosen, benefits with the warlord."""
    types = muster.types
    for n, name in enumerate(types):
        kind = TYPES.get(name)
        if kind is None:
            continue
        cost = kind.cost
        if name == "super-heavy" and any(sheet.has("titanic") for sheet, _ in muster.units_of(n)):
            cost += TITANIC_SURCHARGE
        yield Booking(rule=kind.rule, cost=cost, name=f"detachment.{name}")
    home = warlord_detachment(muster)
    if 0 <= home < len(types) and types[home] in TYPES:
        kind = TYPES[types[home]]
        if kind.refund:
            yield Booking(rule=kind.rule, cost=-kind.refund, name=f"detachment.{types[home]}")
        if types[home] == "supreme-command":
            gains = [BENEFITS[name] for name in types if name in BENEFITS]
            if gains:
                rule = "wh40k.detachment.supreme-command.benefit"
                if not applies(rule, muster.without):
                    return
                yield Booking(rule=rule, cost=-max(gains), name="detachment.supreme-command")
        for n, name in enumerate(types):
            if name == "fortification-network" and set(shared(muster, n, muster.broad)) & set(
                shared(muster, home, muster.broad)
            ):
                yield Booking(rule="wh40k.detachment.fortification-network", cost=-1, name=f"detachment.{name}")


# -- the warlord ---------------------------------------------------------------------------------------------------


def warlord_reasons(muster: Muster) -> Iterator[Reason]:
    """wh40k.warlord.select and warlord.trait: one warlord, and a trait for a Character."""
    found = muster.warlord
    if found is None:
        yield Reason("wh40k.warlord.select", "", {"warlord": muster.roster.warlord})
        return
    n, sheet, _ = found
    if muster.types[n] == "fortification-network":
        yield Reason("wh40k.detachment.fortification-network.no-warlord", "", {"sheet": sheet.name})
    trait = muster.roster.trait
    if sheet.has("character"):
        if trait not in ("random", *muster.traits(sheet)):
            yield Reason("wh40k.warlord.trait", "", {"trait": trait})
    elif trait:
        yield Reason("wh40k.warlord.trait", "reason.wh40k.no-trait", {"trait": trait})
