"""How good a position is for a side: what is left of the armies, what the enemy has lost, who threatens whom."""

from __future__ import annotations

import math

from umpire.miniatures.worth import worth_of

from .psychology import decimated
from .state import State

BOUNTY = 0.1
"""What a marker of the Bounty is worth, as a part of the army: three battle points decide many a battle."""


def terms(state: State, side: int) -> dict[str, float]:
    army = 0.0
    for pool in state.pools.values():
        if pool.summoned:
            continue
        sign = 1.0 if pool.side == side else -1.0
        if pool.count <= 0:
            army -= sign * pool.points
            continue
        share = pool.hp / max(1, pool.start_hp)
        value = 0.5 * pool.points * share
        if state.units[pool.unit].shaken:
            value -= 0.35 * pool.points
        if decimated(state, pool):
            value -= 0.25 * pool.points
        army += sign * value
    spoils = 0.0
    for unit in state.table():
        spoils += (1.0 if unit.side == side else -1.0) * unit.spoils * BOUNTY * state.size
    return {"army": army, "spoils": spoils}


worth = worth_of(terms)


START, END = 0.02, 0.18
"""How much a lead counts, in roots of an army's points, when a battle begins and at its end: fitted to battles between
equals (docs/players.md)."""
TURNS = 6


def swing(state: State) -> float:
    """The lead at which the odds to win are e to one."""
    points = sum(pool.points for pool in state.pools.values()) / 2
    return math.sqrt(points) / (START + (END - START) * min(1.0, state.turn / TURNS))
