"""Models that come back, units that are set up again elsewhere or anew (move.redeploy-*, move.replacement-unit)."""

from __future__ import annotations

import msgspec

from umpire.engine.steps import Steps
from umpire.games.wh40k.measuring import enemies, engages, overlap, settle
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.units import coherent, moved_to, refresh
from umpire.space.angles import sin_cos
from umpire.space.shapes import snap

RING = tuple(sin_cos(30.0 * k) for k in range(12))


def return_models(battle: WhBattle, unit: Unit, count: int, rule: str) -> Steps[int]:
    """Destroyed models come back with all their wounds, in coherency and out of Engagement Range; they were never lost
    as far as Morale goes (wh40k.morale.revived.all, wh40k.morale.revived.some)."""
    back: list[Model] = []
    fallen = sorted(unit.dead, key=lambda m: m.id not in unit.died)  # who fell this turn first: Morale forgets them
    for model in fallen[:count]:
        spot = _beside(battle.state, unit, model, back)
        if spot is None:
            break
        back.append(spot)
    if not back:
        return 0
    keys = [m.id for m in back]
    unit.models += tuple(back)
    unit.dead = tuple(m for m in unit.dead if m.id not in keys)
    undone = [key for key in unit.died if key in keys]
    whole = len(undone) == len(unit.died)
    rule_of = "wh40k.morale.revived.all" if whole else "wh40k.morale.revived.some"
    if battle.state.applies(rule_of):
        unit.died = tuple(key for key in unit.died if key not in keys)
    refresh(unit)
    settle(battle.state)
    rules = (rule_of,) if undone else ()
    battle.emit("returned", rule, *rules, unit=unit.id, models=keys)
    return len(back)
    yield


def _beside(state: State, unit: Unit, model: Model, back: list[Model]) -> Model | None:
    """A free place next to a comrade."""
    full = unit.sheet.row(model.row).w
    bodies = [m for u in state.units.values() if u.where == "table" for m in u.models]
    foes = [m for foe in enemies(state, unit) for m in foe.models]
    for mate in unit.models:
        far = mate.r + model.r + 0.1
        for s, c in RING:
            end = moved_to(
                msgspec.structs.replace(model, wounds=full), snap(mate.x + s * far), snap(mate.y + c * far), mate.z
            )
            if not (end.r <= end.x <= state.width - end.r and end.r <= end.y <= state.depth - end.r):
                continue
            if any(overlap(end, body) for body in (*bodies, *back)) or any(engages(end, foe) for foe in foes):
                continue
            if coherent(state, [*unit.models, *back, end]):
                return end
    return None


def redeploy(battle: WhBattle, unit: Unit, fresh: bool, rule: str) -> Steps[None]:
    """A unit is taken from the battlefield and set up again more than 9 inches from all enemies; `fresh`: it is
    replaced by a new one at full strength (wh40k.move.replacement-unit)."""
    from umpire.games.wh40k.reinforcements import set_up_again

    yield from set_up_again(battle, unit, fresh, rule)
