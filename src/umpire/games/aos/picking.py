"""Whom an ability may pick (aos.core.ability-general, aos.core.visibility)."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.engine.rulings import Reason
from umpire.games.aos.numbers import CONDITIONS
from umpire.games.aos.profiles import AbilityData
from umpire.games.aos.state import State, Unit
from umpire.games.aos.units import unit_visible
from umpire.miniatures.loose.groups import apart, unit_gap, units_near
from umpire.text import Text


def candidates(state: State, unit: Unit, data: AbilityData) -> Iterator[Unit]:
    """Whom an ability may pick; manifestations and faction terrain only enemies may."""
    friendly = data.target == "friendly"
    for other in state.units.values():
        if other.where != "table" or (other.side == unit.side) != friendly or apart(unit, other, data.range):
            continue  # most are ruled out by this, and need not be told why
        if next(target_objections(state, unit, data, other), None) is None:
            yield other


def target_objections(state: State, unit: Unit, data: AbilityData, other: Unit) -> Iterator[Reason]:
    """Why an ability may not pick this unit: whose it is, what it is, where it is, whether it is seen."""
    friendly = data.target == "friendly"
    if (other.side == unit.side) != friendly:
        yield Reason("aos.core.friendly-enemy", "reason.aos.wrong-side", {"unit": other.id})
    if friendly and other.profile.kind != "unit":
        yield Reason("aos.core.manifestations", "reason.aos.no-unit", {"unit": other.id})
    for need in data.needs:
        met = other.profile.has(need[8:]) if need.startswith("keyword ") else CONDITIONS[need](state, other)
        if not met:
            what = need[8:] if need.startswith("keyword ") else Text(f"condition.{need}")
            yield Reason("aos.core.ability-general", "reason.aos.target-condition", {"unit": other.id, "need": what})
    if not units_near(unit, other, data.range):
        facts = {"target": other.id, "gap": round(unit_gap(unit, other), 3), "range": data.range}
        yield Reason("aos.core.ability-general", "reason.aos.out-of-range", facts)
    elif not friendly and not unit_visible(state, unit, other):
        yield Reason("aos.core.visibility", "reason.aos.unseen", {"target": other.id})
