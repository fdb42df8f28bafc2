"""Units that come later, come back, or are set up anew (move.reinforcements-*, move.redeploy-*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from umpire.engine import effects
from umpire.engine.decisions import Choose, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k import reserves, transports
from umpire.games.wh40k.abilities import twins
from umpire.games.wh40k.damage import destroyed
from umpire.games.wh40k.placing import Placer, away_from_enemies
from umpire.games.wh40k.reserves import facing
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.transports import ask_place, step_out
from umpire.games.wh40k.units import embarked, refresh
from umpire.text import Text

DONE = "done"
LAST = 3
"""After this round nobody comes who was left behind."""
NINE = 9.0


def waiting(state: State, side: int) -> list[Unit]:
    """wh40k.move.reinforcements-definition: units that are to be set up later, in reserve or by a rule of their own."""
    return [u for u in state.units.values() if u.side == side and u.where in ("reserve", "orbit")]


def objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not be set up now."""
    facts: dict[str, Any] = {"unit": unit.id}
    if unit.where not in ("reserve", "orbit"):
        yield Reason("wh40k.move.reinforcements-definition", "", facts)
        return
    if state.phase != "movement" or state.step != "reinforcements" or unit.side != state.active:
        yield from twins(state, facts, "wh40k.move.reinforcements-only-here", "wh40k.reserves.arrive.step")
    left_in_battle = unit.left != "muster" and state.applies("wh40k.move.reinforcements-left-table")
    if state.round == 1 and not left_in_battle:
        yield from twins(state, facts, "wh40k.move.reinforcements-not-round-one", "wh40k.reserves.arrive.not-round-1")
    if unit.left == state.turn:
        yield Reason("wh40k.reserves.aircraft.return", "", facts)


@step
def reinforcements_step(battle: WhBattle) -> Steps[None]:
    """wh40k.move.reinforcements-step: those who may come and are wanted, one after the other. Who is aboard a Transport
    that has arrived may get out of it, for it has made none of the moves that forbid it
    (wh40k.move.transport-disembark)."""
    state = battle.state
    state.step = "reinforcements"
    side = state.active
    able = [u for u in waiting(state, side) if next(standing(state, objections(state, u)), None) is None]
    able = [u for u in able if "kept-off" not in u.acts]
    out = transports.disembarking(state, side)
    if not able and not any("arrived" in state.unit(option.refs[1]).marks for option in out):
        return
    if not any("arrived" in u.marks or "kept-off" in u.acts for u in state.units.values() if u.side == side):
        battle.emit(
            "reinforcements", "wh40k.move.reinforcements-step", side=Text(f"side.{side}"), units=[u.id for u in able]
        )
    options = [Option(u.id, None, (u.id,), ("wh40k.move.reinforcements-step",)) for u in able]
    options += [*out, Option(DONE, Text("option.done"), ends=True)]

    def refuse(wish: str) -> list[Reason]:
        kind, _, key = wish.rpartition(":")
        unit = state.units.get(key)
        if unit is None or unit.side != side:
            return []
        return list(transports.disembark_objections(state, unit) if kind == "disembark" else objections(state, unit))

    def propose(rng: Rng) -> str:
        if out and (not able or rng.below(2)):
            return out[rng.below(len(out))].id
        return able[rng.below(len(able))].id if rng.below(6 if state.round >= LAST else 3) else DONE

    key = yield Choose(side, "ask.reinforcements", options, "wh40k.move.reinforcements-step", "", refuse, None, propose)
    if key != DONE:
        kind, _, who = key.rpartition(":")
        battle.plan((transports.disembark if kind else arrive, who), reinforcements_step)


@step
def arrive(battle: WhBattle, key: str) -> Steps[None]:
    """The unit is set up by the rule that put it off the table; it has moved, and moves no more this turn."""
    state = battle.state
    unit = state.unit(key)
    if unit.where == "orbit":
        rule = "wh40k.move.reinforcements-definition"
        placer = Placer(state, unit, unit.models, away_from_enemies(state, unit, NINE, rule), rule)
        placer.off_enemies(NINE)
        how = "own"
        spots = reserves.anywhere(state)
    else:
        placer, how, spots = reserves.arrival(state, unit)
        rule = "wh40k.reserves.arrive.step"

    def found() -> Any:
        turned = facing(state, unit.side)
        place = placer.search(Rng(len(battle.answers)), spots, turned, 220) or placer.grown(spots, turned, 10)
        return place or placer.some_room()

    placer.default = battle.know(found)

    def propose(rng: Rng) -> Any:
        if how == "edge" and rng.below(2):
            found = placer.search(rng, reserves.ambushes(state, unit), facing(state, unit.side), 30)
            if found is not None:
                return found
        return placer.default

    ends = yield from ask_place(unit, placer, rule, "ask.arrive", propose)
    if not ends:
        unit.act("kept-off")
        battle.emit("kept-off", "wh40k.move.reinforcements-step", unit=key)
        return
    was_left = unit.left
    step_out(state, unit, ends)
    unit.mark("arrived")
    unit.left = ""
    rules = [rule, "wh40k.move.reinforcements-counts-moved", "wh40k.move.reinforcements-may-act"]
    if how == "edge":
        rules = [reserves.edge_rule(state), rule, "wh40k.move.reinforcements-counts-moved"]
    if was_left != "muster":
        rules[2] = "wh40k.move.reinforcements-left-table"
        if unit.has("aircraft"):
            rules[1] = "wh40k.reserves.aircraft.return"
    battle.emit("arrived", *rules, unit=key, how=Text(f"arrival.{how}"))
    reserves.after_arrival(battle, unit, how)


@step
def deadline(battle: WhBattle) -> None:
    """wh40k.move.reinforcements-deadline: what has not come by the end of round 3 is destroyed, and all aboard it, by
    nobody; what left the table in the battle is spared."""
    state = battle.state
    ids = ("wh40k.move.reinforcements-deadline", "wh40k.reserves.arrive.lost-after-round-3")
    if state.round != LAST or not all(state.applies(rule) for rule in ids):
        return
    for unit in list(state.units.values()):
        if unit.where not in ("reserve", "orbit"):
            continue
        if unit.left != "muster" and state.applies("wh40k.move.reinforcements-left-table"):
            continue
        aboard = embarked(state, unit)
        destroyed(battle, unit, "")
        battle.emit("never-came", *ids, unit=unit.id)
        for passenger in aboard if state.applies("wh40k.reserves.arrive.passengers-lost") else ():
            destroyed(battle, passenger, "")
            battle.emit("never-came", "wh40k.reserves.arrive.passengers-lost", unit=passenger.id)


# -- set up anew ---------------------------------------------------------------------------------------------------


def set_up_again(battle: WhBattle, unit: Unit, fresh: bool, rule: str) -> Steps[None]:
    """wh40k.move.redeploy-triggers: a unit is removed and set up again more than 9 inches from all enemies.

    It has moved (redeploy-counts-moved), has not Fallen Back (redeploy-not-fell-back) but may have Advanced
    (redeploy-advanced); losses, wounds and what lasts on it stay (redeploy-model-losses, redeploy-wounds,
    redeploy-effects), unless it is a `fresh` one."""
    state = battle.state
    was, fell_back = unit.engaged, unit.move == "fall-back"
    renewed = fresh and state.applies("wh40k.move.replacement-unit")
    models = at_full_strength(unit) if renewed else unit.models
    placer = Placer(state, unit, models, away_from_enemies(state, unit, NINE, rule), rule)
    placer.off_enemies(NINE)
    spots = reserves.anywhere(state)
    placer.default = placer.search(Rng(len(battle.answers)), spots, facing(state, unit.side), 220) or placer.filled()
    ends = yield from ask_place(unit, placer, rule, "ask.redeploy")
    if not ends:
        battle.emit("kept-place", rule, unit=unit.id)
        return
    if renewed:
        renew(state, unit, models)
    step_out(state, unit, ends)
    unit.mark("redeployed")
    unit.act("moved")
    rules = ["wh40k.move.redeploy-triggers", "wh40k.move.redeploy-counts-moved"]
    if renewed:
        rules = ["wh40k.move.replacement-unit", "wh40k.move.redeploy-counts-moved"]
    elif was and not fell_back:
        rules.append("wh40k.move.redeploy-not-fell-back")
    elif unit.move == "advance":
        rules.append("wh40k.move.redeploy-advanced")
    elif unit.died:
        rules.append("wh40k.move.redeploy-model-losses")
    elif any(m.wounds < unit.row(m).w for m in unit.models):
        rules.append("wh40k.move.redeploy-wounds")
    elif any(e.on == unit.id for e in state.effects):
        rules.append("wh40k.move.redeploy-effects")
    battle.emit("redeployed", *rules, unit=unit.id)


def at_full_strength(unit: Unit) -> tuple[Model, ...]:
    """All its models with all their wounds; those that fell stand nowhere until they are placed."""
    whole = sorted((*unit.models, *unit.dead), key=lambda m: int(m.id.rpartition(".")[2]))
    return tuple(msgspec.structs.replace(m, wounds=unit.row(m).w) for m in whole)


def renew(state: State, unit: Unit, models: tuple[Model, ...]) -> None:
    """The unit at full strength takes the old one's place; what befell that is forgotten."""
    unit.models = models
    unit.dead = unit.died = ()
    unit.move = ""
    effects.drop(state, unit.id)
    refresh(unit)
