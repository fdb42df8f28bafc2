"""Game turns, player turns and phases, and what ends with them."""

from __future__ import annotations

from typing import Any

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.events import Outcome
from umpire.engine.steps import step
from umpire.text import Text

from . import casualties, charging, magic, melee_phase, moving, rallying, reserves, shooting, victory
from .state import PHASES, State

GAME_TURNS = 6


@step
def next_turn(battle: Battle[State]) -> None:
    """Six game turns of two player turns, the same player first in each (t9a.intro.game-turns)."""
    state = battle.state
    done = state.player_turn
    if done >= 2 * GAME_TURNS:
        battle.emit("game-end", "t9a.intro.game-end")
        battle.push(victory.end)
        return
    if not any(state.table(side) or reserves.waiting(state, side) for side in (0, 1)):
        battle.emit("game-end", "t9a.intro.game-end")
        battle.push(victory.end)
        return
    state.player_turn = done + 1
    state.turn = done // 2 + 1
    state.active = state.first if done % 2 == 0 else 1 - state.first
    for unit in state.units.values():
        unit.declared = unit.failed = unit.shot = unit.swept = False
    for pool in state.pools.values():
        pool.moved = ""
    battle.emit(
        "turn",
        "t9a.intro.game-turns",
        "t9a.intro.active-reactive",
        turn=state.turn,
        player=Text(f"side.{state.active}"),
    )
    battle.plan(*turn_steps("charge"))


def turn_steps(first: str, alone: bool = False) -> list[Any]:
    """The steps of a player turn from a phase on (t9a.intro.phase-order); `alone`: of that phase, and then the end."""
    inner: dict[str, list[Any]] = {
        "charge": [reserves.reveal_hidden, charging.declare, charging.moves],
        "movement": [reserves.arrivals, moving.compulsory, moving.phase],
        "magic": [magic.phase],
        "shooting": [shooting.phase],
        "rally": [rallying.phase],
        "melee": [melee_phase.phase],
    }
    steps: list[Any] = []
    for name in PHASES[PHASES.index(first) :]:
        steps += [(begin_phase, name), *inner[name], (end_phase, name)]
        if alone:
            return [*steps, halt]
    return [*steps, next_turn]


@step
def halt(battle: Battle[State]) -> None:
    """A scene that ends here."""
    battle.finish(Outcome(None))


SEQUENCES = {
    "charge": "t9a.charge.sequence",
    "movement": "t9a.move.sequence",
    "magic": "t9a.magic.sequence",
    "shooting": "t9a.shoot.sequence",
    "rally": "t9a.rally.test",
    "melee": "t9a.melee.sequence",
}


@step
def begin_phase(battle: Battle[State], name: str) -> None:
    """A phase begins: what lasts until the active player's next phase of this kind ends (t9a.def.duration.one-turn)."""
    state = battle.state
    state.phase = name
    if state.effects and state.applies("t9a.def.duration.one-turn"):
        ended = effects.end(state, f"next-{name}", state.active)
        if ended:
            battle.emit("effects-end", "t9a.def.duration.one-turn", count=len(ended))
    pools = state.pools
    for unit in state.units.values():
        if unit.where != "table":
            continue
        unit.hp_start = sum(pools[key].hp for key in unit.members)
        unit.ranged = 0
        unit.calm = unit.fled = unit.redirected = unit.joined_now = unit.charged_out = False
        unit.magic_moved = unit.moved = unit.engineer = False
    for pool in pools.values():
        pool.cast = ()
        pool.fired = False
    battle.emit(
        "phase", "t9a.intro.phase-order", SEQUENCES[name], phase=f"phase.{name}", player=Text(f"side.{state.active}")
    )


@step
def end_phase(battle: Battle[State], name: str) -> None:
    state = battle.state
    if state.effects:
        if state.applies("t9a.def.duration.one-phase"):
            ended = effects.end(state, "phase")
            if ended:
                battle.emit("effects-end", "t9a.def.duration.one-phase", count=len(ended))
        lasting = [e.on for e in state.effects if e.until == "engaged"]
        casualties.over(battle, "engaged", [key for key in lasting if not state.engaged(state.pools[key].unit)])
        if name == "melee":
            # Who was to have it for a round of combat has not fought one.
            casualties.over(battle, "combat", list(state.pools))
    if name == "charge":
        for unit in state.units.values():
            unit.target = unit.face = unit.came = ""
