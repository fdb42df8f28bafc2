"""Battle rounds and turns: priority, the underdog, command points, phases (aos.round.*, aos.command.points)."""

from __future__ import annotations

import itertools
from operator import attrgetter
from typing import Any

import msgspec

from umpire.engine import effects, usage
from umpire.engine.decisions import Choose, Option
from umpire.engine.events import Outcome
from umpire.engine.rng import Rng
from umpire.engine.steps import Steps, step
from umpire.games.aos.abilities import (
    allowed,
    named,
    offered,
    offers,
    option,
    refusal,
    side_name,
    thinkable,
    use_ability,
)
from umpire.games.aos.combat import begin_fights
from umpire.games.aos.damage import destroy
from umpire.games.aos.known_abilities import AosBattle
from umpire.games.aos.objectives import check_control, score_turn
from umpire.games.aos.state import PHASES, State, Unit
from umpire.games.aos.tactics import GAMBIT, check_tactic
from umpire.games.aos.units import settle
from umpire.text import Text

COMMAND_POINTS = 4
DONE = "done"
OF_A_TURN: dict[str, Any] = {
    "used_turn": (), "keywords_turn": (), "charged": False, "fought": False, "arrived": False, "empowered": False,
    "banish_tried": False,
}  # fmt: skip
OF_A_PHASE: dict[str, Any] = {
    "used_phase": (), "core": False, "commanded": False, "miscast": False, "power": 0, "unbinds": 0,
}  # fmt: skip
"""What is noted of a unit for a turn, and for a phase, and how either begins."""
NOTED_TURN, NOTED_PHASE = attrgetter(*OF_A_TURN), attrgetter(*OF_A_PHASE)


@step
def start_round(battle: AosBattle) -> None:
    """aos.round.start-steps: active player, underdog, command points, start of battle round abilities."""
    state = battle.state
    state.round += 1
    begin_phase(state, "round")
    usage.clear(state, "round")
    battle.emit("round", "aos.round.structure", "aos.round.start-steps", round=state.round, rounds=state.rounds)
    if state.round == 4:
        late = [u for u in state.units.values() if u.where == "reserve" and u.reserve_by_deploy]
        for unit in late:
            destroy(battle, unit, "aos.core.reserve")
    first: list[object] = [check_control] if state.round == 1 else []
    decide = first_turn if state.round == 1 else priority
    battle.plan(*first, decide, begin_round, (phase_abilities, 0), end_round_start)  # type: ignore[arg-type]


@step
def first_turn(battle: AosBattle) -> Steps[None]:
    """aos.round.first-turn-round-one: who finished deploying first decides."""
    state = battle.state
    chooser = state.finished_first if state.finished_first >= 0 else state.begins
    yield from choose_first(battle, chooser, "aos.round.first-turn-round-one")


@step
def priority(battle: AosBattle) -> Steps[None]:
    """aos.round.priority-roll: a tie is not rolled again; it is decided by whoever went first in the round before."""
    state = battle.state
    a = battle.roll(1, "priority", "aos.round.priority-roll", side=0).faces[0]
    b = battle.roll(1, "priority", "aos.round.priority-roll", side=1).faces[0]
    chooser = priority_winner(a, b, state.first)
    battle.emit("priority", "aos.round.priority-roll", side=side_name(chooser), a=a, b=b)
    yield from choose_first(battle, chooser, "aos.round.priority-roll")


def priority_winner(a: int, b: int, first: int) -> int:
    """The side that decides: the higher die, or on a tie whoever went first in the round before."""
    return first if a == b else int(b > a)


def choose_first(battle: AosBattle, chooser: int, rule: str) -> Steps[None]:
    state = battle.state
    options = [
        Option("first", Text("option.go-first"), rules=("aos.round.active-player",)),
        Option("second", Text("option.go-second"), rules=("aos.round.active-player",)),
    ]
    choice = yield Choose(chooser, "ask.first-turn", options, rule)
    before = state.first
    state.first = chooser if choice == "first" else 1 - chooser
    for side in (0, 1):
        went_second = state.round > 1 and before != side
        state.sides[side].chose_first = went_second and chooser == side and state.first == side
    state.active = state.first
    battle.emit("first-turn", rule, "aos.round.active-player", side=side_name(state.first), chooser=side_name(chooser))


@step
def begin_round(battle: AosBattle) -> None:
    """The underdog, then command points; unspent ones never carry over."""
    state = battle.state
    a, b = state.sides[0].vp, state.sides[1].vp
    state.underdog = -1 if a == b else int(b < a)
    battle.emit("underdog", "aos.round.underdog", side=side_name(state.underdog), a=a, b=b)
    for side in (0, 1):
        player, other = state.sides[side], state.sides[1 - side]
        points, rules = COMMAND_POINTS, ["aos.command.points"]
        if state.underdog == side:
            points += 1
        if player.auxiliaries < other.auxiliaries:
            points += 1
            rules.append("aos.core.army-auxiliary")
        if state.round == 1 and player.underspent and state.applies("aos.core.army-underspend"):
            points += 1
            rules.append("aos.core.army-underspend")
        player.command = points
        battle.emit("command-points", *rules, side=side_name(side), points=points)


@step
def end_round_start(battle: AosBattle) -> None:
    state = battle.state
    battle.plan((turn, state.first, 0), (turn, state.second(), 1), end_round)


@step
def turn(battle: AosBattle, side: int, half: int) -> None:
    state = battle.state
    state.active, state.half = side, half
    usage.clear(state, "turn")
    for player in state.sides:
        player.fought = player.lost = 0
        player.tactic = player.tactic_about = ""
    for objective in state.objectives:
        objective.held_before = objective.holder
    for unit in state.units.values():
        if any(NOTED_TURN(unit)):
            renew(unit, OF_A_TURN)
        if any(m.back for m in unit.models):
            unit.models = tuple(msgspec.structs.replace(m, back=False) for m in unit.models)
    battle.emit("turn", "aos.round.structure", "aos.round.active-player", side=side_name(side), round=state.round)
    battle.plan(*((phase, name) for name in PHASES), end_turn)


@step
def phase(battle: AosBattle, name: str) -> None:
    """aos.round.phases: in order, none twice. The active player's abilities first, then the opponent's."""
    state = battle.state
    begin_phase(state, name)
    battle.emit("phase", "aos.round.phases", phase=Text(f"phase.{name}"), side=side_name(state.active))
    if name in ("shooting", "charge"):
        barred = [u.id for u in state.army(state.active) if "run" in u.keywords_turn or "retreat" in u.keywords_turn]
        if barred:
            battle.emit("barred", "aos.core.keywords", units=barred)
    if name == "combat":
        battle.plan((phase_abilities, 0), begin_fights, end_phase)
    else:
        battle.plan((phase_abilities, 0), end_phase)


def renew(unit: Unit, noted: dict[str, Any]) -> None:
    """Only what has been noted is set back: each setting is looked at for whether a piece moves."""
    for name, fresh in noted.items():
        if getattr(unit, name):
            setattr(unit, name, fresh)


def begin_phase(state: State, name: str) -> None:
    state.phase = name
    usage.clear(state, "phase")
    for unit in state.units.values():
        if any(NOTED_PHASE(unit)):
            renew(unit, OF_A_PHASE)
    settle(state)


@step
def phase_abilities(battle: AosBattle, stage: int) -> Steps[None]:
    """aos.core.phase-order: the active player uses abilities until done, then the opponent does."""
    state = battle.state
    side = state.active if stage == 0 else 1 - state.active
    some: list[str] = []
    rest = offers(state, side)

    def soonest() -> tuple[bool, bool]:
        """Is there anything to do, and is it only to pick a battle tactic? Which one, is then the next question."""
        some.extend(itertools.islice(rest, 2 if state.phase == "start" else 1))
        return bool(some), some == [GAMBIT]

    any_at_all, gambit = battle.know(soonest)
    if not any_at_all:
        if stage == 0:
            battle.push(phase_abilities, 1)
        return

    told = {DONE: True}

    def legal(wish: str) -> bool:
        found = told.get(wish)
        if found is None:
            found = told[wish] = offered(state, side, wish)
        return found

    def propose(rng: Rng) -> str:
        """Each is as likely: the first that is legal, in an order that chance gives."""
        left = [*thinkable(state, side), None]
        while (wish := left[at := rng.below(len(left))]) is not None:
            if allowed(state, side, wish):
                told[named(wish)] = True
                return named(wish)
            left[at] = left[-1]
            left.pop()
        return DONE

    choice = yield Choose(
        side,
        "ask.gambit" if gambit else Text("ask.ability", {"phase": Text(f"phase.{state.phase}")}),
        lambda: [*some, *rest, Option(DONE, Text("option.done"), ends=True)],
        "aos.core.phase-order",
        "",
        lambda wish: refusal(state, side, wish),
        tell=lambda offer: option(state, offer),
        offered=legal,
        default=GAMBIT if gambit else None,
        propose=propose,
    )
    if choice == DONE:
        if stage == 0:
            battle.push(phase_abilities, 1)
        return
    key, _, who = choice.partition(":")
    battle.plan((use_ability, side, key, who), (phase_abilities, stage))


@step
def end_phase(battle: AosBattle) -> None:
    effects.end(battle.state, "phase")


@step
def end_turn(battle: AosBattle) -> None:
    battle.plan(check_control, score_turn, check_tactic, turn_over)


@step
def turn_over(battle: AosBattle) -> None:
    state = battle.state
    effects.end(state, "turn")


@step
def end_round(battle: AosBattle) -> None:
    """All command points go back to 0; after the last round the most victory points win."""
    state = battle.state
    effects.end(state, "round")
    for player in state.sides:
        player.command = 0
    battle.emit("round-over", "aos.command.points", round=state.round)
    if state.round >= state.rounds:
        battle.finish(outcome(state))
    else:
        battle.push(start_round)


def outcome(state: State) -> Outcome:
    """aos.core.victory: most victory points; equal points are a draw unless the battleplan has a tie-break."""
    a, b = state.sides[0].vp, state.sides[1].vp
    if a == b and state.plan.tie_break == "tactics":
        a, b = state.sides[0].completed, state.sides[1].completed
    winner = None if a == b else int(b > a)
    return Outcome(winner, (float(state.sides[0].vp), float(state.sides[1].vp)), ("aos.core.victory",))
