"""Actions and psychic actions: starting, failing, completing (action.*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpire.engine import usage
from umpire.engine.decisions import Choose, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.measuring import to_point
from umpire.games.wh40k.profiles import Task
from umpire.games.wh40k.state import State, Unit, WhBattle
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

PASS = "pass"
NEAR = 3.79
"""An action at a marker is performed within 3 inches of it."""
CENTRE = 6.0


# -- where and who -------------------------------------------------------------------------------------------------


def in_place(state: State, unit: Unit, task: Task) -> bool:
    """Is the unit where the action is performed?"""
    match task.where:
        case "objective":
            return any(to_point(m, o.x, o.y) <= NEAR + TOLERANCE for o in state.objectives for m in unit.models)
        case "centre":
            x, y = state.width / 2, state.depth / 2
            return any(to_point(m, x, y) <= CENTRE + TOLERANCE for m in unit.models)
        case "enemy-zone":
            from umpire.games.wh40k.measuring import wholly_in

            zone = state.mission.zones[state.sides[1 - unit.side].zone]
            return all(wholly_in(m, zone) for m in unit.models)
        case "edge":
            return any(
                min(m.x, state.width - m.x, m.y, state.depth - m.y) - m.r <= 6.0 + TOLERANCE for m in unit.models
            )
    return True


def unfit(state: State, unit: Unit, task: Task) -> Iterator[Reason]:
    """wh40k.action.definition: who may perform an action, and where."""
    facts: dict[str, Any] = {"unit": unit.id, "action": task.name}
    lacks = [word for word in task.keywords if not unit.has(word)]
    if lacks:
        yield Reason("wh40k.action.definition", "", {**facts, "keyword": lacks[0]})
    if not in_place(state, unit, task):
        spots = {"objective": [(o.x, o.y) for o in state.objectives], "centre": [(state.width / 2, state.depth / 2)]}
        gaps = [to_point(m, x, y) for x, y in spots.get(task.where, ()) for m in unit.models]
        measured = {"gap": round(min(gaps), 3)} if gaps else {}
        where = Text(f"action.where.{task.where}")
        yield Reason("wh40k.action.definition", "", {**facts, "where": where, **measured})


def objections(state: State, unit: Unit, key: str) -> Iterator[Reason]:
    """Why a unit may not start this action."""
    task = state.lore.tasks[key]
    facts = {"unit": unit.id, "action": task.name}
    yield from unfit(state, unit, task)
    foes = [foe for foe in unit.engaged if not state.unit(foe).has("aircraft")]
    if foes and not (unit.has("aircraft") and state.options.aircraft_actions == "both"):
        yield Reason("wh40k.action.no-start-engaged", "", {**facts, "enemies": foes})
    if unit.sheet.role == "fortification":
        yield Reason("wh40k.action.no-fortification", "", facts)
    if usage.count(state, "action", "round", unit.id) or unit.action:
        yield Reason("wh40k.action.one-per-unit-per-round", "", facts)
    if usage.count(state, f"action {key}", "round", unit.side):
        yield Reason("wh40k.action.same-action-once-per-round", "", facts)
    if "oversized" in unit.marks:
        yield Reason("wh40k.reserves.oversized.limits", "", facts)
    if "broke-out" in unit.marks:
        yield Reason("wh40k.stratagem.desperate-breakout.no-action", "", facts)


@step
def start_actions(battle: WhBattle) -> Steps[None]:
    """The active player's units may start actions, one after the other."""
    state = battle.state
    side = state.active
    tasks = [task for task in state.lore.tasks.values() if not task.psychic]
    able = [
        (task, unit)
        for task in tasks
        for unit in state.army(side)
        if next(standing(state, objections(state, unit, task.id)), None) is None
    ]
    if not able:
        return
    options = [
        Option(
            f"{t.id}:{u.id}", Text("option.action", {"action": t.name, "unit": u.id}), (u.id,), data={"text": t.text}
        )
        for t, u in able
    ]
    options.append(Option(PASS, Text("option.pass"), passes=True))

    def refuse(wish: str) -> list[Reason]:
        key, _, who = wish.partition(":")
        if key not in state.lore.tasks or who not in state.units or state.unit(who).side != side:
            return []
        return list(objections(state, state.unit(who), key))

    def propose(rng: Rng) -> str:
        return options[rng.below(len(options))].id

    choice = yield Choose(side, "ask.action", options, "wh40k.action.definition", "", refuse, None, propose)
    if choice == PASS:
        return
    key, _, who = choice.partition(":")
    start(battle, state.unit(who), state.lore.tasks[key])
    battle.push(start_actions)


def start(battle: WhBattle, unit: Unit, task: Task) -> None:
    state = battle.state
    unit.action, unit.until = task.id, task.completes
    usage.spend(state, "action", "round", unit.id)
    usage.spend(state, f"action {task.id}", "round", unit.side)
    rules = ("wh40k.action.aura-off",) if unit.has("character") else ()
    battle.emit("action-begins", "wh40k.action.definition", *rules, unit=unit.id, action=task.name)


def fails(battle: WhBattle, unit: Unit, why: str) -> None:
    """wh40k.action.fail: moving, casting, charging, intervening, shooting or dying ends it, and auras work again."""
    if not unit.action or not battle.state.applies("wh40k.action.fail"):
        return
    task = battle.state.lore.tasks[unit.action]
    unit.action = unit.until = ""
    rules = ("wh40k.action.aura-back",) if unit.has("character") else ()
    battle.emit("action-fails", "wh40k.action.fail", *rules, unit=unit.id, action=task.name)


def complete(battle: WhBattle, side: int, when: str) -> None:
    """wh40k.action.complete: what has not failed by its time is done, whatever else befell the unit."""
    state = battle.state
    for unit in state.units.values():
        if unit.side != side or unit.until != when or not unit.action:
            continue
        task = state.lore.tasks[unit.action]
        unit.action = unit.until = ""
        score(battle, unit, task, "wh40k.action.complete")


def score(battle: WhBattle, unit: Unit, task: Task, rule: str) -> None:
    battle.state.sides[unit.side].vp += task.points
    usage.spend(battle.state, f"done {task.id}", "battle", unit.side)
    battle.emit("action-done", rule, unit=unit.id, action=task.name, points=task.points)


# -- psychic actions -----------------------------------------------------------------------------------------------


def psychic_objections(state: State, unit: Unit, key: str) -> Iterator[Reason]:
    """Psychic actions have limits of their own (wh40k.action.psychic.own-limits)."""
    task = state.lore.tasks[key]
    facts = {"unit": unit.id, "action": task.name}
    if not unit.has("psyker"):
        yield Reason("wh40k.action.psychic.who", "", facts)
    yield from unfit(state, unit, task)
    if unit.move == "fall-back":
        yield Reason("wh40k.action.psychic.no-fall-back", "", facts)
    if unit.action:
        yield Reason("wh40k.action.psychic.not-while-performing", "", facts)
    if usage.count(state, "psychic-action", "round", unit.id):
        yield Reason("wh40k.action.psychic.one-per-unit-per-round", "", facts)
    if usage.count(state, f"psychic-action {key}", "round", unit.side):
        yield Reason("wh40k.action.psychic.same-once-per-round", "", facts)
    if not state.applies("wh40k.action.psychic.own-limits") and unit.engaged:
        yield Reason("wh40k.action.no-start-engaged", "", facts)


def psychic_actions(state: State, unit: Unit) -> list[str]:
    return [
        task.id
        for task in state.lore.tasks.values()
        if task.psychic and next(standing(state, psychic_objections(state, unit, task.id)), None) is None
    ]


def psychic_started(battle: WhBattle, unit: Unit, key: str) -> None:
    state = battle.state
    usage.spend(state, "psychic-action", "round", unit.id)
    usage.spend(state, f"psychic-action {key}", "round", unit.side)
    apart = bool(unit.engaged) or usage.count(state, "action", "round", unit.id) > 0
    rules = ("wh40k.action.psychic.own-limits",) if apart else ()
    battle.emit(
        "psychic-action", "wh40k.action.psychic.resolve", *rules, unit=unit.id, action=state.lore.tasks[key].name
    )


def psychic_failed(battle: WhBattle, unit: Unit, key: str, alive: bool) -> None:
    rule = "wh40k.action.psychic.resolve" if alive else "wh40k.action.psychic.perils"
    battle.emit("action-fails", rule, unit=unit.id, action=battle.state.lore.tasks[key].name)


def psychic_completed(battle: WhBattle, unit: Unit, key: str) -> None:
    """wh40k.action.psychic.success: at once, when the test is passed and not denied."""
    score(battle, unit, battle.state.lore.tasks[key], "wh40k.action.psychic.success")
