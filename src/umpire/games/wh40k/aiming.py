"""Why a weapon may not be fired at a unit: its type, who else is in the way of it, how far it carries and what it sees
(shoot.types, shoot.target-*, terrain.trait.obscuring)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from umpire.engine.rulings import Reason, standing
from umpire.games.wh40k import targets as seeing
from umpire.games.wh40k.measuring import enemies, true_gap
from umpire.games.wh40k.profiles import Profile
from umpire.games.wh40k.state import Model, State, Unit
from umpire.games.wh40k.weapons import BLAST, large, ranged
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

if TYPE_CHECKING:
    from umpire.games.wh40k.declaration import Declaration


def usable(state: State, unit: Unit, model: Model, profile: Profile) -> bool:
    """May the model fire a weapon of this type at all now?"""
    twin = state.applies("wh40k.shoot.eligible-not-advanced") and state.applies("wh40k.move.advance-no-shoot-charge")
    if unit.move == "advance" and profile.type != "assault" and twin:
        return False
    if unit.engaged and state.applies("wh40k.shoot.eligible-not-engaged"):
        if profile.type == "pistol" and state.applies("wh40k.shoot.pistol-engaged"):
            return True
        return large(unit, model) and state.applies("wh40k.shoot.big-guns")
    return True


def type_reasons(state: State, unit: Unit, model: Model, profile: Profile) -> Iterator[Reason]:
    """wh40k.shoot.types: what a weapon of this type may not do now."""
    if not usable(state, unit, model, profile):
        yield Reason("wh40k.shoot.types", "", {"model": model.id, "type": Text(f"type.{profile.type}")})
        if unit.engaged:
            facts = {"unit": unit.id, "enemies": list(unit.engaged)}
            yield Reason("wh40k.shoot.eligible-not-engaged", "", facts)
        else:
            yield Reason("wh40k.shoot.eligible-not-advanced", "", {"unit": unit.id})


def against(declaration: Declaration, model: Model, profile: Profile, foe: Unit) -> Iterator[Reason]:
    """Every reason why this model cannot fire this weapon at this unit."""
    state, unit = declaration.state, declaration.unit
    yield from type_reasons(state, unit, model, profile)
    yield from seeing.objections(declaration.sights, model, foe, declaration.ignores_closest)
    if foe.side == unit.side or foe.where != "table":
        return
    if declaration.far(model, profile, foe) is None:
        blast = unit.id in foe.engaged and profile.has(BLAST)
        rule = "wh40k.shoot.blast-engaged" if blast else "wh40k.shoot.pistol-target"
        yield Reason(rule, "", {"unit": foe.id, "enemies": list(unit.engaged)})
    yield from out_of_reach(declaration, model, profile, foe)


def out_of_reach(declaration: Declaration, model: Model, profile: Profile, foe: Unit) -> Iterator[Reason]:
    """wh40k.shoot.target-range-visible: no model of the unit is both in sight and in range."""
    sights = declaration.sights
    gap = sights.reach(model, foe)
    facts: dict[str, Any] = {"model": model.id, "target": foe.id}
    if gap < math.inf:
        reach = declaration.range_of(profile, foe)
        if gap > reach + TOLERANCE:
            told = {**facts, "gap": round(gap, 3), "range": reach}
            yield Reason("wh40k.shoot.target-range-visible", "reason.wh40k.out-of-range", told)
        return
    if any(sights.between(foe).sees(model, other) for other in foe.models):
        hiding = next((f.id for other in foe.models for f in seeing.veils(declaration.state, model, other)), "")
        yield Reason("wh40k.terrain.trait.obscuring", "reason.wh40k.obscured", {**facts, "feature": hiding})
        return
    huge = any(seeing.huge(foe, other) for other in foe.models)
    rule = "wh40k.terrain.trait.obscuring.true-los" if huge else "wh40k.shoot.true-line-of-sight"
    nearest = min(true_gap(model, other) for other in foe.models)
    yield Reason(rule, "reason.wh40k.no-sight", {**facts, "gap": round(nearest, 3)})


def nobody_at(declaration: Declaration, foe: Unit) -> list[Reason]:
    """Why no weapon of the unit can be fired at this unit: what there is against the one against which there is least;
    nothing where one can."""
    best: list[Reason] | None = None
    unit = declaration.unit
    for model in unit.models:
        for weapon in ranged(unit, model):
            for profile in weapon.profiles:
                found = list(standing(declaration.state, against(declaration, model, profile, foe)))
                if not found:
                    return []
                if best is None or len(found) < len(best) or (len(found) == len(best) and _gap(found) < _gap(best)):
                    best = found
    return best or []


def _gap(reasons: list[Reason]) -> float:
    return max((float(reason.facts.get("gap", 0.0)) for reason in reasons), default=0.0)


def no_target(declaration: Declaration) -> Iterator[Reason]:
    """wh40k.shoot.eligible-target: nothing can be fired at anybody; why not at the nearest enemy."""
    state, unit = declaration.state, declaration.unit
    yield Reason("wh40k.shoot.eligible-target", "", {"unit": unit.id})
    foes = [(min(true_gap(m, o) for m in unit.models for o in foe.models), foe) for foe in enemies(state, unit)]
    if foes:
        yield from nobody_at(declaration, min(foes, key=lambda pair: pair[0])[1])
