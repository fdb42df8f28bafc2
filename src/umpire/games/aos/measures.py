"""What was measured for a refusal. Whether a unit may do something is asked of all units at every question, and there a
yes or no will do; who is refused hears how far away it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from umpire.engine.rulings import Reason
from umpire.games.aos.state import State, Unit
from umpire.games.aos.terrain import gap_to
from umpire.games.aos.units import COMBAT_RANGE, enemies
from umpire.miniatures.loose.groups import unit_gap

POWER = 3.0


def measured(state: State, reasons: Iterable[Reason]) -> Iterator[Reason]:
    """These reasons, with distances where a distance decided."""
    for reason in reasons:
        unit = state.units.get(str(reason.facts.get("unit", "")))
        yield reason if unit is None or not unit.models else _measured(state, unit, reason)


def _measured(state: State, unit: Unit, reason: Reason) -> Reason:
    if reason.key == "reason.aos.in-combat":
        gap = min([unit_gap(unit, state.unit(key)) for key in unit.fights], default=0.0)
        return _with(reason, "reason.aos.in-combat-at", gap=round(gap, 3), range=COMBAT_RANGE)
    if reason.key in ("reason.aos.not-in-combat", "reason.aos.none-in-range"):
        found = nearest_enemy(state, unit)
        if found is None:
            return reason
        facts = {"nearest": found[0].id, "gap": round(found[1], 3)}
        if reason.key == "reason.aos.not-in-combat":
            return _with(reason, "reason.aos.not-in-combat-at", **facts, range=COMBAT_RANGE)
        return _with(reason, "reason.aos.none-in-range-at", **facts)
    if reason.rule == "aos.terrain.place-of-power" and unit.profile.hero:
        far = [gap_to(f, m) for f in state.terrain if "place-of-power" in f.abilities for m in unit.models]
        if far:
            return _with(reason, "reason.aos.power-at", gap=round(min(far), 3), range=POWER)
    return reason


def nearest_enemy(state: State, unit: Unit) -> tuple[Unit, float] | None:
    """The enemy that stands nearest on the table, and how far away it is."""
    foes = [foe for foe in enemies(state, unit) if foe.models]
    return min([(foe, unit_gap(unit, foe)) for foe in foes], key=lambda found: found[1], default=None)


def _with(reason: Reason, key: str, **facts: object) -> Reason:
    return msgspec.structs.replace(reason, key=key, facts={**reason.facts, **facts})
