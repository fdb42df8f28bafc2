"""Chapter 2: set-up, rounds, the Command Phase and the Victory Phase (conquest.round.*)."""

from __future__ import annotations

import msgspec

from umpire.engine import effects, usage
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm, Option, Order
from umpire.engine.events import Outcome
from umpire.engine.steps import Steps, step

from . import dice, hooks, objectives, reinforcement, supremacy
from .state import Options, State


@step
def set_up(battle: Battle[State]) -> Steps[None]:
    """Before the first round: disputes are settled, Characters join regiments, secret cards are drawn."""
    state = battle.state
    battle.emit(
        "set-up",
        "conquest.reinforce.off-table-start",
        "conquest.battle.reinforcement-start",
        scenario=state.scenario.names,
    )
    battle.plan(settle_disputes, objectives.deal_secondary, prepare, start_round)
    yield from ()


@step
def prepare(battle: Battle[State]) -> Steps[None]:
    yield from hooks.moment(battle, "set-up", None)


@step
def settle_disputes(battle: Battle[State]) -> Steps[None]:
    """A disputed reading on which the players differ is settled by a die if both accept (conquest.core.dispute-die)."""
    state = battle.state
    if state.options.disputes != "die":
        return
    values = ("less-than-half", "half-or-less")
    asks = [Choose(side, "ask.reading", [Option(v) for v in values], "conquest.core.dispute-die") for side in (0, 1)]
    wishes = yield asks
    reading = wishes[0]
    if wishes[0] != wishes[1]:
        accepted = yield [Confirm(side, "ask.settle-by-die", "conquest.core.dispute-die") for side in (0, 1)]
        if not (accepted[0] and accepted[1]):
            reading = Options().effective_range
        else:
            reading = wishes[dice.roll_off(battle, "conquest.core.dispute-die")]
    state.options = msgspec.structs.replace(state.options, effective_range=reading)
    state.agreed = (*state.agreed, f"effective_range={reading}")
    battle.emit("settled", "conquest.core.dispute-die", reading=reading)


@step
def start_round(battle: Battle[State]) -> Steps[None]:
    """Marks of the last round end; lines are fixed; the Reinforcement Phase follows."""
    state = battle.state
    state.round += 1
    usage.clear(state, "round")
    for regiment in state.regiments.values():
        if regiment.where == "gone":
            continue
        regiment.activated = False
        regiment.round_start = len(regiment.stands)
        regiment.round_lost = 0
        regiment.flags = ()
        if regiment.broken:
            regiment.broken_from = len(regiment.stands)
            regiment.broken_lost = 0
    for character in state.characters.values():
        character.activated = character.acted = False
    state.dead_cards = [[], []]
    battle.emit("round", "conquest.round.structure", round=state.round)
    reinforcement.fix_lines(battle)
    supremacy.refresh_passive(battle)
    battle.push(reinforcement.reinforcement_phase)
    yield from hooks.moment(battle, "round-start", None)


# -- Command Phase -------------------------------------------------------------------------------------------------


def cards(state: State, side: int) -> list[str]:
    """The cards of a side's regiments and Characters that are on the table or arrive this round."""
    found = [r.entry for r in state.of(side) if r.where != "reserve"]
    found += [
        c.entry
        for c in state.characters.values()
        if c.side == side and c.alive and not c.own and c.regiment
        if state.regiment(c.regiment).where not in ("reserve", "gone")
    ]
    return found


def numbered(found: list[str]) -> list[str]:
    """Cards as options: those of the same entry are interchangeable, so that each has a number."""
    seen: dict[str, int] = {}
    out = []
    for card in found:
        seen[card] = seen.get(card, 0) + 1
        out.append(f"{card}#{seen[card]}")
    return out


@step
def command_phase(battle: Battle[State]) -> Steps[None]:
    """Both players order their stacks at the same time and in secret (conquest.round.command.build-stack)."""
    state = battle.state
    state.phase = "command"
    battle.emit("phase", "conquest.round.structure", phase="command", round=state.round)
    found = [cards(state, side) for side in (0, 1)]
    asks = [
        Order(
            side,
            "ask.stack",
            [Option(key, data={"entry": card}) for key, card in zip(numbered(found[side]), found[side], strict=True)],
            "conquest.round.command.build-stack",
        )
        for side in (0, 1)
        if len(found[side]) > 1
    ]
    answers = (yield asks) if asks else {}
    for side in (0, 1):
        order = answers.get(side, numbered(found[side]))
        state.stacks[side] = [key.rsplit("#", 1)[0] for key in order]
        if order:
            battle.emit(
                "stack",
                "conquest.round.command.build-stack",
                "conquest.round.command.match-table",
                seen=(side,),
                side=side,
                stack=list(state.stacks[side]),
            )
    battle.emit(
        "stacks",
        "conquest.round.command.build-stack",
        "conquest.round.command.look-no-reorder",
        "conquest.profile.command-card",
        cards=[len(stack) for stack in state.stacks],
    )
    battle.push(supremacy.supremacy_phase)


# -- Victory Phase -------------------------------------------------------------------------------------------------


@step
def victory_phase(battle: Battle[State]) -> Steps[None]:
    """Points are scored; if nobody has won the next round begins (conquest.round.victory-phase)."""
    state = battle.state
    state.phase = "victory"
    battle.emit("phase", "conquest.round.structure", "conquest.round.victory-phase", phase="victory", round=state.round)
    battle.push(end_round)
    yield from objectives.score_round(battle)


@step
def end_round(battle: Battle[State]) -> Steps[None]:
    state = battle.state
    outcome = objectives.decided(battle)
    if outcome is None:
        outcome = yield from concessions(battle)
    if outcome is not None:
        rules = ("conquest.round.game-end", "conquest.round.victory-phase", *outcome.rules)
        battle.finish(Outcome(outcome.winner, outcome.score, rules, outcome.key, outcome.facts))
        return
    rule = "conquest.round.action.draw-event.until-end-of-round"
    ended = effects.end(state, "round") if state.applies(rule) else []
    if ended:
        battle.emit("effects-ended", rule, effects=len(ended))
    battle.push(start_round)


def hopeless(state: State, side: int) -> bool:
    """So little is left that a player may wish to concede."""
    left = sum(len(r.stands) for r in state.of(side))
    return left * 5 <= sum(r.start for r in state.regiments.values() if r.side == side)


def concessions(battle: Battle[State]) -> Steps[Outcome | None]:
    """A player who has almost nothing left is asked whether he concedes; that ends the battle at once."""
    state = battle.state
    for side in (0, 1):
        if hopeless(state, side) and (yield Confirm(side, "ask.concede", "conquest.round.game-end")):
            battle.emit("conceded", "conquest.round.game-end", side=side, player=f"side.{side}")
            score = (float(state.score[0]), float(state.score[1]))
            return Outcome(1 - side, score, ("conquest.battle.victory.elimination",))
    return None
