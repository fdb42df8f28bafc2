"""The Fight phase: who fights, in what order, and who fights again (fight.order.*, fight.eligible.*, fight.again.*)."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.engine.decisions import Choose, Option
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.abilities import HOOKS
from umpire.games.wh40k.melee import faced, fight
from umpire.games.wh40k.state import State, Unit, WhBattle
from umpire.games.wh40k.stratagems import offer
from umpire.games.wh40k.units import by_turns
from umpire.text import Text

FIRST, NORMAL, LAST = 0, 1, 2
GROUPS = {
    FIRST: ("wh40k.fight.order.first-group", "wh40k.fight.order.first-group.alternate"),
    NORMAL: ("wh40k.fight.order.normal-group", "wh40k.fight.order.run-out"),
    LAST: ("wh40k.fight.fights-last", "wh40k.fight.fights-last.alternate"),
}


def objections(state: State, unit: Unit) -> Iterator[Reason]:
    """wh40k.fight.eligible.reevaluate: why a unit is not eligible to fight, asked anew at each selection."""
    facts = {"unit": unit.id}
    if unit.where != "table":
        yield Reason("wh40k.core.on-the-battlefield", "", facts)
        return
    if "broke-out" in unit.marks:
        yield Reason("wh40k.stratagem.desperate-breakout.no-action", "", facts)
    if unit.fights and unit.fights >= allowed_fights(state, unit):
        yield Reason("wh40k.fight.once-per-phase", "", facts)
    charged = "charged" in unit.marks and state.applies("wh40k.fight.eligible.charged")
    if not charged and not faced(state, unit):
        rule = "wh40k.fight.again.needs-eligible" if unit.fights else "wh40k.fight.eligible.engaged"
        yield Reason(rule, "", facts)


def eligible(state: State, unit: Unit) -> bool:
    return next(standing(state, objections(state, unit)), None) is None


def allowed_fights(state: State, unit: Unit) -> int:
    """wh40k.fight.once-per-phase, or twice where a rule says so (wh40k.fight.again.complete-first)."""
    again = (
        HOOKS.granted(state, unit, "fight-again")
        or "fights-again" in unit.marks
        or not state.applies("wh40k.fight.once-per-phase")
    )
    return 2 if again else 1


def group_of(state: State, unit: Unit) -> int:
    """First who charged or fights first; last who fights last; who is both is neither
    (wh40k.fight.first-and-last-cancel)."""
    charged = "charged" in unit.marks and state.applies("wh40k.fight.order.first-group")
    if unit.fights and not state.applies("wh40k.fight.again.both-first"):
        charged = False
    first = charged or bool(HOOKS.granted(state, unit, "fights-first"))
    last = bool(HOOKS.granted(state, unit, "fights-last"))
    if first and last and state.applies("wh40k.fight.first-and-last-cancel"):
        return NORMAL
    return LAST if last else FIRST if first else NORMAL


@step
def fight_phase(battle: WhBattle) -> None:
    """wh40k.fight.phase: both players' units, until nobody is eligible. At the end of the phase rules may let units
    fight again, and bring others to fight who have not (wh40k.fight.again.end-of-phase)."""
    state = battle.state
    again = any(unit.fights for unit in state.units.values())
    if not any(u.where == "table" and eligible(state, u) for u in state.units.values()):
        return
    rule = "wh40k.fight.again.end-of-phase" if again else "wh40k.fight.phase"
    if again and not state.applies(rule):
        return
    state.step = ""
    battle.emit("fighting", rule, side=Text(f"side.{state.active}"))
    battle.plan(next_fight)


@step
def next_fight(battle: WhBattle) -> Steps[None]:
    """One unit is selected, by turns within its group; wh40k.fight.mandatory: nobody passes."""
    state = battle.state
    able = [u for u in state.units.values() if u.where == "table" and eligible(state, u)]
    if not able:
        if state.step:
            battle.emit("fights-over", "wh40k.fight.phase", "wh40k.fight.eligible.reevaluate")
            state.step = ""
        return
    group = min(group_of(state, u) for u in able)
    able = [u for u in able if group_of(state, u) == group]
    begun = state.step != f"fight-{group}"
    state.picker = picks(state, group)
    state.step = f"fight-{group}"
    mine = by_turns(state, able)
    side = mine[0].side
    rules = list(GROUPS[group][:1])
    if side != state.picker:
        rules.append("wh40k.fight.order.run-out")
    elif not begun:
        rules = [GROUPS[group][1] if group != NORMAL else GROUPS[group][0]]
    key = mine[0].id
    if len(mine) > 1:
        options = [Option(u.id, None, (u.id,)) for u in mine]
        key = yield Choose(
            side, Text("ask.fight"), options, rules[0], "", lambda wish: refusal(state, side, group, wish)
        )
    state.picker = 1 - side
    unit = state.unit(key)
    if unit.fights:
        moved_back = "charged" in unit.marks and group != FIRST
        rules.append("wh40k.fight.again.interrupt-between" if moved_back else "wh40k.fight.again.counts-as-two-units")
    elif group == FIRST and "charged" not in unit.marks:
        rules.append("wh40k.fight.fights-first")
    elif group == NORMAL and HOOKS.granted(state, unit, "fights-last"):
        rules.append("wh40k.fight.first-and-last-cancel")
    elif unit.engaged and "charged" not in unit.marks:
        rules += ["wh40k.fight.eligible.engaged", "wh40k.core.engagement-range"]
    battle.emit("selected-to-fight", *rules, unit=key, side=Text(f"side.{side}"))
    battle.plan((one_fight, key), (after_fight, key), next_fight)


def picks(state: State, group: int) -> int:
    """Whose turn it is to select a unit of this group: who begins it (wh40k.fight.order.normal-group), or whoever did
    not select the last one."""
    if state.step == f"fight-{group}":
        return state.picker
    other_first = group == NORMAL and state.applies("wh40k.fight.order.normal-group")
    return 1 - state.active if other_first else state.active


def out_of_turn(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit that can fight is not selected now: others fight first, or the other player selects."""
    able = [u for u in state.units.values() if u.where == "table" and eligible(state, u)]
    if unit not in able:
        return
    group, own = min(group_of(state, u) for u in able), group_of(state, unit)
    if own != group:
        rule = "wh40k.fight.fights-last" if own == LAST else GROUPS[group][0]
        first = [u.id for u in able if group_of(state, u) == group]
        yield Reason(rule, "reason.wh40k.others-first", {"unit": unit.id, "units": first})
        return
    side = picks(state, group)
    if unit.side != side and any(u.side == side and group_of(state, u) == group for u in able):
        rule = GROUPS[group][0 if group == NORMAL else 1]
        yield Reason(rule, "reason.wh40k.other-selects", {"unit": unit.id, "side": Text(f"side.{side}")})


def refusal(state: State, side: int, group: int, wish: str) -> list[Reason]:
    """Why a unit cannot be selected now, or why a player cannot pass."""
    if wish == "pass":
        return [Reason("wh40k.fight.mandatory", "")]
    unit = state.units.get(wish)
    if unit is None:
        return []
    if unit.side != side:
        return [Reason(GROUPS[group][1], "", {"unit": wish})]
    return [*objections(state, unit)] or [*out_of_turn(state, unit)]


@step
def one_fight(battle: WhBattle, key: str) -> None:
    """wh40k.fight.sequence: a whole fight before the next unit is selected; a second fight is as whole as the first."""
    state = battle.state
    unit = state.unit(key)
    unit.fights += 1
    rules = ["wh40k.fight.sequence", "wh40k.fight.term.round-vs-attack"]
    if unit.fights > 1:
        first = group_of(state, unit) == FIRST
        rules = ["wh40k.fight.again.complete-first"]
        rules.append("wh40k.fight.again.both-first" if first else "wh40k.fight.again.not-consecutive")
        other = unit.targets if "charged" in unit.marks else ()
        rules.append("wh40k.fight.again.charge-restriction" if other else "wh40k.fight.again.targets")
    elif "charged" in unit.marks and not unit.engaged:
        rules = ["wh40k.fight.sequence", "wh40k.fight.eligible.charged"]
    battle.emit("fights", *rules, unit=key)
    battle.plan((fight, key))


@step
def after_fight(battle: WhBattle, key: str) -> Steps[None]:
    """The enemy of the unit that has fought may let one of its own fight next; who selects after it does not change."""
    state = battle.state
    side = 1 - state.unit(key).side
    last = state.options.counter_offensive == "anybody"
    able = [u for u in state.army(side) if not u.fights and eligible(state, u)]
    able = [u for u in able if last or group_of(state, u) != LAST]

    def why(unit: Unit) -> Iterator[Reason]:
        yield from objections(state, unit)
        if unit.fights:
            yield Reason("wh40k.stratagem.counter-offensive", "reason.wh40k.has-fought", {"unit": unit.id})
        elif eligible(state, unit) and group_of(state, unit) == LAST:
            yield Reason("wh40k.fight.fights-last", "", {"unit": unit.id})

    chosen = yield from offer(battle, side, "counter-offensive", able, why)
    if chosen:
        battle.push(one_fight, chosen)
