"""The chance to win from a position: what its worth means, calibrated on battles between equal planners.

A game tells in `Hints.swing` the lead in worth at which the odds of a side that plays as well as the other are e to
one. Worth differs between the sides by who stands better placed, so the lead is half of the difference.
"""

from __future__ import annotations

import math

from umpire.engine.game import Game
from umpire.engine.state import State
from umpire.players.plans import Plan

DECIDED = 1e4
"""A worth beyond this is no sum of terms: the battle is over."""
SURE = 0.99
"""Nothing is told to be more certain before the end."""


def lead(game: Game, state: State, side: int) -> float | None:
    """By how much a side is ahead, in points; None where the game does not tell."""
    if game.worth is None or game.hints.swing is None:
        return None
    return (game.worth(state, side) - game.worth(state, 1 - side)) / 2


def of_lead(game: Game, state: State, ahead: float) -> float:
    """What a lead in this position means."""
    assert game.hints.swing is not None
    odds = max(-20.0, min(20.0, ahead / game.hints.swing(state)))
    return max(1 - SURE, min(SURE, 1 / (1 + math.exp(-odds))))


def chance(game: Game, state: State, side: int) -> float | None:
    """The chance that a side wins; a draw counts as half of it."""
    if state.outcome is not None:
        return 0.5 if state.outcome.winner is None else float(state.outcome.winner == side)
    ahead = lead(game, state, side)
    return None if ahead is None else of_lead(game, state, ahead)


def after(game: Game, now: State, side: int, plan: Plan) -> float | None:
    """The chance after a plan: the mean over the fortunes on which it was weighed."""
    ahead = lead(game, now, side)
    if ahead is None or game.worth is None:
        return None
    before = game.worth(now, side)
    total = 0.0
    for value in plan.values:
        if abs(value) > DECIDED:
            total += SURE if value > 0 else 1 - SURE
        else:
            total += of_lead(game, plan.end or now, ahead + value - before)
    return total / len(plan.values)
