"""How good a position is for a side: victory points first, then fighters and ground."""

from __future__ import annotations

import math

from umpire.games.warcry.battleplan import score
from umpire.games.warcry.state import State

POINT = 120.0
"""A victory point, in points of fighters."""
BODY = 0.4
"""The share of a fighter's points that it is worth as long as it stands; the rest goes with its wounds."""


def worth(state: State, side: int) -> float:
    """The position in points of fighters: what a side has, less what the other has."""
    if state.outcome is not None:
        if state.outcome.winner is None:
            return 0.0
        return 5000.0 if state.outcome.winner == side else -5000.0
    total = 0.0
    for fighter in state.fighters:
        sign = 1.0 if fighter.side == side else -1.0
        if fighter.where == "down":
            continue
        profile = fighter.profile
        total += sign * profile.points * (BODY + (1.0 - BODY) * (1.0 - fighter.damage / profile.wounds))
        if fighter.carrying:
            total += sign * 60.0
        if fighter.where == "field":
            total += sign * _ground(state, fighter.x, fighter.y, fighter.side)
    players = state.players
    total += POINT * (players[side].points - players[1 - side].points)
    if state.victory is not None:
        left = max(0, state.victory.rounds - state.round) + 0.7
        for entry in state.victory.score:
            gained = score(state, entry)
            total += POINT * (gained[side] - gained[1 - side]) * (left if entry.when == "round" else 1.0) * 0.5
    return total


def _ground(state: State, x: float, y: float, side: int) -> float:
    """Near enemies and markers is where things happen."""
    near = min(
        (math.hypot(f.x - x, f.y - y) for f in state.fighters if f.side != side and f.where == "field"), default=0.0
    )
    marks = [(o.x, o.y) for o in state.objectives if o.awake]
    marks += [(t.x, t.y) for t in state.treasures if not t.carrier]
    mark = min((math.hypot(mx - x, my - y) for mx, my in marks), default=0.0)
    return -0.8 * min(near, 15.0) - 1.5 * min(mark, 15.0)
