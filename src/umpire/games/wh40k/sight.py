"""What a player is told of sight: from model to model, and whom a unit would be seen by where it ends."""

from __future__ import annotations

import msgspec

from umpire.engine.decisions import Ends
from umpire.engine.picture import Piece, Sight
from umpire.games.wh40k.cover import covering, dense
from umpire.games.wh40k.measuring import enclose, enemies
from umpire.games.wh40k.state import State
from umpire.games.wh40k.targets import Sights, obscured
from umpire.games.wh40k.units import moved_to


def told(state: State, one: Piece, other: Piece) -> Sight | None:
    """Whether one model sees another, and what would help that one against its fire; None where it is no question:
    models of one unit do not hide each other from anybody."""
    if one.unit == other.unit or not {one.unit, other.unit} <= set(state.units):
        return None
    unit, target = state.unit(one.unit), state.unit(other.unit)
    a = next((m for m in unit.models if m.id == one.id), None)
    b = next((m for m in target.models if m.id == other.id), None)
    if a is None or b is None:
        return None
    if not Sights(state, unit).sees(a, target, b):
        rule = "wh40k.terrain.trait.obscuring" if obscured(state, a, target, b) else "wh40k.shoot.true-line-of-sight"
        return Sight(False, False, (rule,))
    rules = ["wh40k.shoot.true-line-of-sight"]
    if covering(state, a, target, b, "light-cover") is not None:
        rules.append("wh40k.terrain.trait.light-cover")
    if dense(state, unit, a, target) is not None:
        rules.append("wh40k.terrain.trait.dense-cover.penalty")
    return Sight(True, len(rules) > 1, tuple(rules))


def seen_by(state: State, key: str, ends: Ends) -> list[str]:
    """The enemy units that would see a unit where its models end: any model of theirs any of its own."""
    unit = state.units.get(key)
    if unit is None:
        return []
    models = tuple(
        moved_to(m, end.x, end.y, end.z, end.facing) if (end := ends.get(m.id)) is not None else m for m in unit.models
    )
    there = msgspec.structs.replace(unit, models=models, where="table")
    enclose(there)
    units = {**state.units, key: there}
    moved = msgspec.structs.replace(state, units=units)
    return [foe.id for foe in enemies(state, unit) if Sights(moved, foe).visible(there)]
