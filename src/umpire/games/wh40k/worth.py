"""How good a position is for a side: victory points and those to come, what is left, and who can harm whom."""

from __future__ import annotations

import math
from typing import NamedTuple

from umpire.games.wh40k.missions import CONTROL, MARKER, PRIMARY, holder
from umpire.games.wh40k.state import Objective, State, Unit
from umpire.games.wh40k.strength import gap, left, taken
from umpire.miniatures.worth import worth_of

POINT = 22.0
"""A victory point, in points of units."""
ARMY = 0.6
AWAY = 0.75
"""How much of its points a unit is worth that is not on the table."""
LATER = 0.5
"""How much of what the markers bring counts for each turn to come."""
ERRAND = 2.2
"""What an inch nearer to the marker that a unit is sent to is worth."""
COMMAND = 6.0
"""A Command point."""
SHOOT, STRIKE, SUFFER = 0.22, 0.3, 0.75
"""How much of the harm that units could do to each other counts, and how much of it what is suffered."""
CHARGE = 9.0


class Errand(NamedTuple):
    """A unit sent to a marker, and how far it still has to go."""

    unit: Unit
    objective: Objective
    far: float


def terms(state: State, side: int) -> dict[str, float]:
    """What the worth of a position is made of."""
    army = 0.0
    for unit in state.units.values():
        if unit.where != "gone":
            has = ARMY * left(unit) * (1.0 if unit.where == "table" else AWAY)
            army += has if unit.side == side else -has
    score = POINT * (state.sides[side].vp - state.sides[1 - side].vp) + _coming(state, side)
    mine, theirs = state.army(side), state.army(1 - side)
    ways = -math.fsum(ERRAND * errand.far for errand in errands(state, side))
    command = COMMAND * (state.sides[side].cp - state.sides[1 - side].cp)
    return {"score": score, "army": army, "position": ways + _harm(mine, theirs) + command}


worth = worth_of(terms)


START, END = 0.01, 0.40
"""How much a lead counts, in roots of an army's points, when a battle begins and at its end: fitted to battles between
equals (docs/players.md)."""


def swing(state: State) -> float:
    """The lead at which the odds to win are e to one."""
    points = sum(unit.points for unit in state.units.values()) / 2
    return math.sqrt(points) / (START + (END - START) * min(1.0, state.round / state.mission.rounds))


def _coming(state: State, side: int) -> float:
    """What the markers will bring if nobody moves any more, less what they bring the other."""
    kept = [o.holder for o in state.objectives]
    for objective in state.objectives:
        now = holder(state, objective)
        if now >= 0:
            objective.holder = now
    total = 0.0
    rounds = state.mission.rounds
    for who in (0, 1):
        turns = rounds - state.round + (1 if state.active != who and state.half == 0 else 0)
        gain = sum(PRIMARY[name](state, who) for name in state.mission.scoring if name in PRIMARY)
        value = POINT * gain * (0.9 + LATER * max(0, turns - 1) if turns > 0 else 0.3)
        total += value if who == side else -value
    for objective, was in zip(state.objectives, kept, strict=True):
        objective.holder = was
    return total


def far_from(unit: Unit, objective: Objective) -> float:
    away = math.hypot(unit.cx - objective.x, unit.cy - objective.y) - unit.cr * 0.6 - CONTROL - MARKER
    return max(0.0, away)


def errands(state: State, side: int) -> list[Errand]:
    """Which unit goes where: each marker that is not held gets whoever is nearest; the rest go to the nearest."""
    free = [u for u in state.army(side) if not u.has("aircraft") and u.sheet.role != "fortification"]
    wanted = [o for o in state.objectives if holder(state, o) != side]
    for objective in state.objectives:
        if objective not in wanted:
            guards = sorted((u for u in free if not far_from(u, objective)), key=lambda u: u.points)
            free = [u for u in free if u is not guards[0]] if guards else free
    found: list[Errand] = []
    while free and wanted:
        far, n, m = min((far_from(u, o), n, m) for n, u in enumerate(free) for m, o in enumerate(wanted))
        found.append(Errand(free[n], wanted[m], far))
        del free[n], wanted[m]
    for unit in free:
        if state.objectives:
            nearest = min(state.objectives, key=lambda o: far_from(unit, o))
            found.append(Errand(unit, nearest, 0.35 * far_from(unit, nearest)))
    return found


def _harm(mine: list[Unit], theirs: list[Unit]) -> float:
    """What units in reach of each other might do: the best target of each, by fire and by blade."""
    total = 0.0
    for ours, others, sign in ((mine, theirs, 1.0), (theirs, mine, -SUFFER)):
        for unit in ours:
            best = max((harm_of(unit, foe) for foe in others), default=0.0)
            total += sign * ARMY * best
    return total


def harm_of(unit: Unit, foe: Unit) -> float:
    """How much of what a unit would take from another counts, where they stand."""
    far = gap(unit, foe)
    if far > 36.0:
        return 0.0
    if foe.id in unit.engaged:
        return STRIKE * taken(unit, foe, True)
    if unit.engaged:
        return 0.0
    best = SHOOT * taken(unit, foe, False, far)
    if far < CHARGE:
        best = max(best, 0.6 * STRIKE * taken(unit, foe, True) * (1.0 - far / (CHARGE + 3.0)))
    return best
