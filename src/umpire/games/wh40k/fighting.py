"""The Fight phase: who fights, in what order (fight.order.*, fight.eligible.*)."""

from __future__ import annotations

from umpire.engine.decisions import Choose, Option
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.abilities import HOOKS
from umpire.games.wh40k.melee import fight
from umpire.games.wh40k.state import State, Unit, WhBattle
from umpire.text import Text

FIRST, NORMAL, LAST = 0, 1, 2


def eligible(state: State, unit: Unit) -> bool:
    """wh40k.fight.eligible.charged and eligible.engaged."""
    if unit.where != "table" or "broke-out" in unit.marks:
        return False
    if unit.fights >= allowed_fights(state, unit):
        return False
    if "charged" in unit.marks and state.applies("wh40k.fight.eligible.charged"):
        return True
    return bool(unit.engaged)


def allowed_fights(state: State, unit: Unit) -> int:
    return 2 if HOOKS.granted(state, unit, "fight-again") else 1


def group_of(state: State, unit: Unit) -> int:
    """wh40k.fight.order.first-group, fights-last, and that the two cancel each other."""
    first = "charged" in unit.marks or bool(HOOKS.granted(state, unit, "fights-first"))
    last = bool(HOOKS.granted(state, unit, "fights-last"))
    if first and last:
        return NORMAL
    return FIRST if first else LAST if last else NORMAL


@step
def fight_phase(battle: WhBattle) -> Steps[None]:
    """wh40k.fight.phase: one unit at a time, until nobody is eligible."""
    state = battle.state
    able = [u for u in state.units.values() if eligible(state, u)]
    if not able:
        return
    group = min(group_of(state, u) for u in able)
    able = [u for u in able if group_of(state, u) == group]
    if state.step != f"fight-{group}":
        state.step = f"fight-{group}"
        state.picker = 1 - state.active if group == NORMAL else state.active
    side = state.picker
    mine = [u for u in able if u.side == side]
    if not mine:
        side = 1 - side
        mine = [u for u in able if u.side == side]
    key = mine[0].id
    if len(mine) > 1:
        rule = "wh40k.fight.order.normal-group" if group == NORMAL else "wh40k.fight.order.first-group"

        def refuse(wish: str) -> list[Reason]:
            return [Reason(rule, "", {"unit": wish})] if wish in state.units else []

        options = [Option(u.id, None, (u.id,)) for u in mine]
        key = yield Choose(side, Text("ask.fight"), options, rule, "", refuse)
    state.unit(key).fights += 1
    state.picker = 1 - side
    battle.emit("fights", "wh40k.fight.sequence", unit=key)
    battle.plan((fight, key), fight_phase)
