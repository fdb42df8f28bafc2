"""Battle rounds, turns and phases (turn.*, command.*)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from umpire.engine import effects, usage
from umpire.engine.events import Outcome
from umpire.engine.steps import Steps, step
from umpire.games.wh40k import actions
from umpire.games.wh40k.charging import charge_phase
from umpire.games.wh40k.fighting import fight_phase
from umpire.games.wh40k.measuring import settle
from umpire.games.wh40k.missions import final_score, mission_effect, score_turn
from umpire.games.wh40k.moments import moment
from umpire.games.wh40k.morale import morale_phase
from umpire.games.wh40k.movement import movement_phase
from umpire.games.wh40k.psychic import psychic_phase
from umpire.games.wh40k.reinforcements import deadline
from umpire.games.wh40k.shooting import shooting_phase
from umpire.games.wh40k.state import PHASES, State, WhBattle
from umpire.games.wh40k.stratagems import stratagem_window
from umpire.text import Text


@step
def battle_round(battle: WhBattle) -> None:
    """wh40k.turn.battle-rounds: a turn of each player, in the same order every round."""
    state = battle.state
    state.round += 1
    usage.clear(state, "round")
    battle.emit("round", "wh40k.turn.battle-rounds", round=state.round, rounds=state.mission.rounds)
    battle.plan(
        mission_effect, (moment, "round-start"), (turn, state.first, 0), (turn, 1 - state.first, 1), deadline, end_round
    )


@step
def turn(battle: WhBattle, side: int, half: int) -> None:
    """wh40k.turn.phase-order: seven phases, none left out."""
    state = battle.state
    state.active, state.half = side, half
    usage.clear(state, "turn")
    for unit in state.units.values():
        unit.move = ""
        unit.marks = unit.targets = unit.died = ()
    battle.emit("turn", "wh40k.turn.phase-order", side=Text(f"side.{side}"), round=state.round)
    battle.plan(*((phase, name) for name in PHASES), end_turn)


@step
def phase(battle: WhBattle, name: str) -> None:
    state = battle.state
    begin_phase(state, name)
    battle.emit("phase", "wh40k.turn.phase-order", phase=Text(f"phase.{name}"), side=Text(f"side.{state.active}"))
    battle.plan(*parts(name, state.active))


def parts(name: str, active: int) -> list[tuple[Any, ...]]:
    """A phase from its first moment to its last: stratagems, what the phase is for, what belongs to its end."""
    return [
        (stratagem_window, active, name),
        (stratagem_window, 1 - active, name),
        *((function,) for function in STEPS[name]),
        (phase_closes, name),
        (end_phase,),
    ]


def begin_phase(state: State, name: str) -> None:
    state.phase, state.step = name, ""
    usage.clear(state, "phase")
    effects.end(state, f"next-{name}", state.active)
    for side in state.sides:
        side.spent = 0
    for unit in state.units.values():
        if unit.acts or unit.allocated or unit.fired or unit.fights:
            unit.acts = unit.allocated = unit.fired = ()
            unit.fights = 0
    settle(state)


@step
def command_phase(battle: WhBattle) -> Steps[None]:
    """wh40k.command.gain-cp: one Command point before anything else; then everything that this phase brings."""
    state = battle.state
    if state.applies("wh40k.command.gain-cp") and state.applies("wh40k.army.cp.command-phase"):
        state.sides[state.active].cp += 1
        battle.emit(
            "command-point", "wh40k.command.gain-cp", "wh40k.army.cp.command-phase",
            side=Text(f"side.{state.active}"), cp=state.sides[state.active].cp,
        )  # fmt: skip
    battle.plan((moment, "command"), command_actions)
    return
    yield


@step
def command_actions(battle: WhBattle) -> None:
    """Actions that were to last until this Command phase are done; then new ones may be started."""
    actions.complete(battle, battle.state.active, "own-command")
    battle.push(actions.start_actions)


@step
def phase_closes(battle: WhBattle, name: str) -> None:
    """wh40k.turn.end-of-phase: rules of the end of a phase belong to it; it is over when they are done."""
    state = battle.state
    windows = tuple((stratagem_window, side, f"end-{name}") for side in (state.active, 1 - state.active))
    more = ((fight_phase,),) if name == "fight" else ()
    battle.plan((moment, f"end-{name}"), *windows, *more)


STEPS: dict[str, tuple[Callable[..., Any], ...]] = {
    "command": (command_phase,),
    "movement": (movement_phase,),
    "psychic": (psychic_phase,),
    "shooting": (shooting_phase,),
    "charge": (charge_phase,),
    "fight": (fight_phase,),
    "morale": (morale_phase,),
}
"""What each phase consists of."""


@step
def end_phase(battle: WhBattle) -> None:
    """wh40k.turn.end-of-phase: what lasts for the phase ends when all else is done."""
    effects.end(battle.state, "phase")


@step
def end_turn(battle: WhBattle) -> None:
    actions.complete(battle, battle.state.active, "turn")
    score_turn(battle)
    effects.end(battle.state, "turn")


@step
def end_round(battle: WhBattle) -> None:
    battle.plan((moment, "round-end"), close_round)


@step
def close_round(battle: WhBattle) -> None:
    state = battle.state
    effects.end(state, "round")
    gone = [side for side in (0, 1) if not any(u.side == side and u.where != "gone" for u in state.units.values())]
    if state.round >= state.mission.rounds or gone:
        final_score(battle)
        a, b = (state.sides[side].vp for side in (0, 1))
        winner = None if a == b else int(b > a)
        battle.finish(Outcome(winner, (float(a), float(b)), ("wh40k.turn.battle-rounds",)))
        return
    battle.push(battle_round)
