"""The Melee Phase: units whose foes are gone, then one combat after the other."""

from __future__ import annotations

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.steps import Steps, step
from umpire.text import Text

from . import after_combat, melee_round, pursuit
from .model_rules import some
from .state import State


def groups(state: State) -> list[tuple[str, ...]]:
    """Combats: units linked by base contact (t9a.melee.round.definition)."""
    left = list(dict.fromkeys(key for pair in state.pairs for key in (pair.a, pair.b)))
    found: list[tuple[str, ...]] = []
    while left:
        group = [left.pop(0)]
        for key in group:
            for other in state.foes(key):
                if other in left:
                    left.remove(other)
                    group.append(other)
        found.append(tuple(group))
    return found


@step
def phase(battle: Battle[State]) -> None:
    """t9a.melee.sequence."""
    state = battle.state
    freed = [u for u in state.table() if u.free and not state.engaged(u.id)]
    freed.sort(key=lambda u: u.side != state.active)
    if len({unit.side for unit in freed}) > 1:
        battle.emit("both-sides", "t9a.def.simultaneous", player=Text(f"side.{state.active}"))
    state.combats = groups(state)
    for unit in state.table():
        if not unit.free and not state.engaged(unit.id):
            unit.charging = False
    battle.plan(*[(no_foes, u.id) for u in freed if not u.shaken], next_combat)


@step
def no_foes(battle: Battle[State], key: str) -> Steps[None]:
    """A unit whose opponents have all been removed may pivot or, if it charged, overrun (t9a.melee.no-foe-at-start)."""
    state = battle.state
    unit = state.unit(key)
    unit.free = False
    if unit.where != "table" or state.engaged(key) or not state.applies("t9a.melee.no-foe-at-start"):
        return
    may_overrun = unit.freed_charging and pursuit.may_pursue(state, unit)
    must = may_overrun and some(state, unit, "t9a.rule.frenzy")
    options = [] if must else [Option("none", Text("option.no-pivot")), Option("pivot", Text("option.pivot"))]
    if may_overrun:
        options.append(Option("overrun", Text("option.overrun")))
    answer = options[0].id
    if len(options) > 1:
        answer = yield Choose(unit.side, "ask.no-foes", options, "t9a.melee.no-foe-at-start", key)
    unit.charging = False
    battle.emit("no-foes", "t9a.melee.no-foe-at-start", "t9a.melee.no-more-foes", unit=key)
    if answer == "pivot":
        battle.push(after_combat.pivot_step, key)
    elif answer == "overrun":
        battle.push(pursuit.overrun_now, key)


@step
def next_combat(battle: Battle[State]) -> Steps[None]:
    """The active player chooses which combat is fought next (t9a.melee.round.definition)."""
    state = battle.state
    live = [c for c in state.combats if sum(state.engaged(key) for key in c) > 1]
    if not live:
        state.combats = []
        return
    chosen = live[0]
    if len(live) > 1:
        options = [
            Option(f"combat:{n}", Text("option.combat", {"units": list(c)}), tuple(c)) for n, c in enumerate(live)
        ]
        answer = yield Choose(state.active, "ask.combat", options, "t9a.melee.round.definition", default=options[0].id)
        chosen = live[int(answer.partition(":")[2])]
        battle.emit("next-combat", "t9a.melee.round.definition", units=list(chosen))
    state.combats = [c for c in live if c != chosen]
    units = tuple(key for key in chosen if state.engaged(key))
    battle.plan((melee_round.begin, units), next_combat)
