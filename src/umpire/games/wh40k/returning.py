"""Models that come back, units that are set up again elsewhere or anew (move.redeploy-*, move.replacement-unit)."""

from __future__ import annotations

import msgspec

from umpire.engine.steps import Steps
from umpire.games.wh40k.measuring import ENGAGEMENT, settle
from umpire.games.wh40k.placing import Placer, away_from_engagement
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.transports import ask_place
from umpire.games.wh40k.units import refresh


def return_models(battle: WhBattle, unit: Unit, count: int, rule: str) -> Steps[int]:
    """Destroyed models come back with all their wounds, in coherency and out of Engagement Range; they were never lost
    as far as Morale goes (wh40k.morale.revived.all, wh40k.morale.revived.some). Their owner says where; if no place was
    found for so many he may tell one, or fewer come."""
    state = battle.state
    for number in range(min(count, len(unit.dead)), 0, -1):
        placer = return_placer(state, unit, number, rule)
        placer.default = placer.beside(unit.models) or placer.filled()
        ends = yield from ask_place(unit, placer, rule, "ask.return")
        if ends:
            come_back(battle, unit, [ends[m.id] for m in placer.models], rule)
            return number
    return 0


def return_placer(state: State, unit: Unit, number: int, rule: str) -> Placer:
    """Who judges where so many come back: who fell this turn first, since Morale forgets them."""
    fallen = sorted(unit.dead, key=lambda m: m.id not in unit.died)[:number]
    back = [msgspec.structs.replace(m, wounds=unit.sheet.row(m.row).w, z=0.0) for m in fallen]
    placer = Placer(state, unit, back, away_from_engagement(state, unit), rule, standing=unit.models)
    placer.off_enemies(ENGAGEMENT)
    return placer


def come_back(battle: WhBattle, unit: Unit, back: list[Model], rule: str) -> None:
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


def redeploy(battle: WhBattle, unit: Unit, fresh: bool, rule: str) -> Steps[None]:
    """A unit is taken from the battlefield and set up again more than 9 inches from all enemies; `fresh`: it is
    replaced by a new one at full strength (wh40k.move.replacement-unit)."""
    from umpire.games.wh40k.reinforcements import set_up_again

    yield from set_up_again(battle, unit, fresh, rule)
