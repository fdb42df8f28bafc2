"""Characteristics and rolls as they are now: set, multiplied, added to; every source once (aos.core.modifier-order)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from umpire.engine.effects import Effect, Number, number
from umpire.engine.rulings import applies
from umpire.games.aos.profiles import AbilityData, Do
from umpire.games.aos.state import State, Unit
from umpire.miniatures.loose.bodies import wholly_in
from umpire.miniatures.loose.groups import units_near

CONDITIONS: dict[str, Callable[[State, Unit], bool]] = {
    "": lambda state, unit: True,
    "charged": lambda state, unit: unit.charged,
    "in-combat": lambda state, unit: bool(unit.fights),
    "not-in-combat": lambda state, unit: not unit.fights,
    "damaged": lambda state, unit: unit.damage > 0,  # aos.core.allocate
    "home": lambda state, unit: _at_home(state, unit),
    "token": lambda state, unit: bool(unit.tokens),
}
"""The conditions that content may put on a passive ability."""


def _at_home(state: State, unit: Unit) -> bool:
    territory = state.sides[unit.side].territory
    if territory < 0:
        return False
    points = state.plan.territories[territory]
    return all(wholly_in(m, points) for m in unit.models)


def _meant(do: Do, side: int, unit: Unit) -> bool:
    """Is what one side gives to its friends or lays on its enemies for this unit?"""
    return do.who == ("friends" if side == unit.side else "enemies")


Passive = tuple[AbilityData, Do]
"""What a passive ability does, and the ability."""
Given = tuple[int, str, AbilityData, Do]
"""What one side gives to its friends or lays on its enemies: to all of them, or to those near a unit."""


Deed = str | tuple[str, str]
"""What is done, or what is done to which number."""


def _deeds(do: Do) -> tuple[Deed, Deed]:
    return do.do, (do.do, do.what)


def _passive(abilities: Iterable[AbilityData]) -> list[Passive]:
    return [(data, do) for data in abilities if data.passive for do in data.does]


def _own(state: State, unit: Unit) -> dict[Deed, list[Passive]]:
    """What a unit's passive abilities do to itself, by what that is. No battle changes it."""
    return unit.lasting("passive", unit.enhancements, partial(_find_own, state, unit))


def _find_own(state: State, unit: Unit) -> dict[Deed, list[Passive]]:
    found: dict[Deed, list[Passive]] = {}
    for data, do in _passive((*unit.profile.abilities, *(state.lore.abilities[key] for key in unit.enhancements))):
        if do.who == "self":
            for deed in _deeds(do):
                found.setdefault(deed, []).append((data, do))
    return found


def _given(state: State) -> dict[Deed, list[Given]]:
    """What formations give to whole armies or lay on them, and units on the table to those near them."""
    return state.look("given", len(state.units), partial(_find_given, state))


def _find_given(state: State) -> dict[Deed, list[Given]]:
    found: dict[Deed, list[Given]] = {}
    for side, player in enumerate(state.sides):
        for data, do in _passive((state.lore.abilities[player.formation],)) if player.formation else ():
            for deed in _deeds(do):
                found.setdefault(deed, []).append((side, "", data, do))
    for unit in state.units.values():
        if unit.where == "table" and unit.profile.has("aura"):
            for data, do in _passive(unit.profile.abilities):
                for deed in _deeds(do):
                    found.setdefault(deed, []).append((unit.side, unit.id, data, do))
    return found


def passives(state: State, unit: Unit, deed: Deed) -> list[tuple[int, AbilityData, Do]]:
    """The passive abilities that apply to a unit now and do such a thing: whose each is, and what it does. What they do
    is looked at first: to find out whether they apply may take measuring."""
    own = _own(state, unit).get(deed, ())
    found = [(unit.side, data, do) for data, do in own if CONDITIONS[do.when](state, unit)]
    if unit.profile.kind != "unit":
        return found  # what is no unit is not affected by abilities that do not pick it
    for side, source, data, do in _given(state).get(deed, ()):
        if not _meant(do, side, unit):
            continue
        near = not source or units_near(state.unit(source), unit, do.range)
        if near and CONDITIONS[do.when](state, unit):
            found.append((side, data, do))
    return found


def passive_effects(state: State, unit: Unit, what: str) -> list[Effect]:
    """What the passive abilities that apply to a unit do to one number."""
    return [
        Effect(unit.id, what, do.op, do.value, "aos.ability.passive", f"{side}:{data.id}")
        for side, data, do in passives(state, unit, ("modify", what))
    ]


def recency(state: State, effect: Effect) -> int:
    """aos.core.order-of-effects: neutral ones first, then the opponent's, the active player's last, so that they win.

    What lasts counts as passive (aos.core.persisting), so it is put in the same order.
    """
    side = effect.source.partition(":")[0]
    return 2 if side == str(state.active) else 1 if side == str(1 - state.active) else 0


def value(
    state: State,
    unit: Unit,
    what: str,
    base: float,
    lowest: float = 1,
    skip: int = -1,
    extra: Sequence[Effect] = (),
) -> Number:
    """A characteristic with everything that changes it; fractions are rounded down, nothing falls below its lowest.

    `skip` leaves out what one side's own units give; `extra` are changes that only hold here.
    """
    changes = [e for e in state.effects if e.what == what and e.on == unit.id]
    changes += passive_effects(state, unit, what)
    if skip >= 0:
        changes = [e for e in changes if not e.source.startswith(f"{skip}:")]
    changes += extra
    if len(changes) > 1:
        changes.sort(key=lambda effect: recency(state, effect))
    if not changes:
        return Number(base, base)
    found = number(state, (), what, base, changes)
    total = max(lowest, math.floor(found.total + 1e-9)) if found.changes else base
    return found if total == found.total else Number(found.base, total, found.changes)


def sources(changes: Number) -> tuple[str, ...]:
    """The rules to cite for how a number came about."""
    if not changes.changes:
        return ()
    rules = [*changes.rules, "aos.core.modifier-order"]
    if sum(change.op == "set" for change in changes.changes) > 1:
        rules.append("aos.core.order-of-effects")
    return tuple(rules)


def roll_modifiers(state: State, unit: Unit, what: str, skip: int = -1) -> list[tuple[int, str]]:
    """What is added to a roll for a unit, each source once; `skip` leaves out what one side's own units give."""
    found = [e for e in state.effects if e.on == unit.id and e.what == what]
    found += passive_effects(state, unit, what)
    seen: list[str] = []
    out = []
    for effect in found:
        source = effect.source or effect.rule
        if source in seen and state.applies("aos.ability.passive-once"):
            continue
        seen.append(source)
        if skip >= 0 and source.startswith(f"{skip}:"):
            continue
        out.append((int(effect.value), effect.rule))
    return out


def capped(mods: list[tuple[int, str]], low: int | None = -1, high: int = 1, without: Sequence[str] = ()) -> int:
    """All modifiers are added up, then the sum is capped."""
    total = sum(amount for amount, _ in mods)
    if not applies("aos.core.modifier-caps", without):
        return total
    return min(high, total) if low is None else max(low, min(high, total))


def has_passive(state: State, unit: Unit, what: str) -> bool:
    """Does the unit have a passive ability such as Strike-first, of its own or lent to it for a while?"""
    if any(e.on == unit.id and e.what == what for e in state.effects):
        return True
    return bool(passives(state, unit, what))


def wards(state: State, unit: Unit) -> list[int]:
    """The values of all ward saves that the unit has now."""
    if not state.applies("aos.defence.ward-save"):
        return []
    found = [unit.profile.ward] if unit.profile.ward else []
    found += [int(e.value) for e in state.effects if e.on == unit.id and e.what == "ward"]
    found += [int(do.value) for _, _, do in passives(state, unit, "ward")]
    return found
