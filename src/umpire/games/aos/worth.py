"""How good a position is for a side: victory points and those to come, what is left, and who can strike whom."""

from __future__ import annotations

import math
from typing import NamedTuple

from umpire.games.aos.objectives import SCORING
from umpire.games.aos.prospects import CHARGE, blow, control_at, far_from, fighters, left, prospect, unit_control
from umpire.games.aos.state import Objective, State, Unit
from umpire.games.aos.tactics import POINTS
from umpire.miniatures.worth import worth_of

POINT = 30.0
"""A victory point, in points of units."""
ARMY = 0.5
"""A point's worth of units, in points: units only serve to score."""
WAITING = 0.5
"""How much of that a unit in reserve is worth."""
NOW = 0.8
"""How much of what the objectives bring counts for the turn that is being played."""
LATER = 0.35
"""The same for each turn to come: much may change until then."""
HELD = 6.0
"""An objective held, whatever it brings."""
ERRAND = 2.5
"""What an inch nearer to the objective that a unit is sent to is worth."""
IDLE = 0.01
"""The same for units that nobody needs, as a share of their points."""
THREAT = 14.0
"""Enemies within so many inches of an objective may take it in their next turn."""
TOWARDS_ENEMY = 0.004
STRIKE = 0.8
"""How much of the damage that units could do to each other in this position is counted."""
RETREATED = 0.12
"""The share of a unit's points that a retreat costs: it is hurt, and neither shoots nor charges."""


class Errand(NamedTuple):
    """A unit sent to an objective, and how far it still has to go; `idle` if others are enough there."""

    unit: Unit
    objective: Objective
    far: float
    idle: bool


def terms(state: State, side: int) -> dict[str, float]:
    """What the worth of a position is made of."""
    army = 0.0
    for unit in state.units.values():
        if unit.where == "gone" or unit.profile.kind != "unit":
            continue
        has = ARMY * left(unit) * (WAITING if unit.where == "reserve" else 1.0)
        army += has if unit.side == side else -has
    mine, theirs = fighters(state, side), fighters(state, 1 - side)
    leads = _leads(state, mine, theirs)
    score = POINT * (state.sides[side].vp - state.sides[1 - side].vp) + _coming(state, side, leads)
    ways = 0.0
    for errand in _errands(state, side, mine, theirs, leads):
        ways -= (IDLE * errand.unit.profile.points if errand.idle else ERRAND) * errand.far
    return {"score": score, "army": army, "position": ways + _striking(mine, theirs)}


worth = worth_of(terms, sum)


START, END = 0.01, 0.22
"""How much a lead counts, in roots of an army's points, when a battle begins and at its end: fitted to battles between
equal planners (docs/players.md)."""


def swing(state: State) -> float:
    """The lead at which the odds to win are e to one."""
    points = sum(unit.profile.points for unit in state.units.values()) / 2
    return math.sqrt(points) / (START + (END - START) * min(1.0, state.round / state.rounds))


# -- victory points ----------------------------------------------------------------------------------------------


def _leads(state: State, mine: list[Unit], theirs: list[Unit]) -> list[int]:
    """By how much the control scores at each objective are higher than the other side's."""
    return [
        sum(control_at(unit, objective) for unit in mine) - sum(control_at(unit, objective) for unit in theirs)
        for objective in state.objectives
    ]


def _falls_to(objective: Objective, lead: int, side: int) -> int:
    """Who will hold an objective if nobody moves any more: a side, or -1."""
    if lead:
        return side if lead > 0 else 1 - side
    return objective.holder


def _coming(state: State, side: int, leads: list[int]) -> float:
    """What objectives and the battle tactic will bring if nobody moves any more, less what they bring the other."""
    falls = [_falls_to(objective, lead, side) for objective, lead in zip(state.objectives, leads, strict=True)]
    held = falls.count(side), falls.count(1 - side)
    score = SCORING[state.plan.scoring]
    total = HELD * (held[0] - held[1])
    total += POINT * _turns(state, side) * score(held[0], held[1])
    total -= POINT * _turns(state, 1 - side) * score(held[1], held[0])
    for who in (side, 1 - side):
        player = state.sides[who]
        if player.tactic and state.active == who:
            likely = POINTS * POINT * prospect(state, who, player.tactic, player.tactic_about)
            total += likely if who == side else -likely
    return total


def _turns(state: State, side: int) -> float:
    """How many turns a side will score in, those far off counting for less."""
    now = 0.0
    if state.active == side:
        now = NOW
    elif state.half == 0:
        now = LATER
    return now + LATER * (state.rounds - state.round)


# -- where units stand -------------------------------------------------------------------------------------------


def errands(state: State, side: int) -> list[Errand]:
    """Which unit goes where: every objective that is to be taken or kept gets whoever is nearest to it."""
    mine, theirs = fighters(state, side), fighters(state, 1 - side)
    return _errands(state, side, mine, theirs, _leads(state, mine, theirs))


def _errands(state: State, side: int, mine: list[Unit], theirs: list[Unit], leads: list[int]) -> list[Errand]:
    found: list[Errand] = []
    wanted: list[tuple[Objective, int]] = []
    free = mine
    for objective, lead in zip(state.objectives, leads, strict=True):
        if _falls_to(objective, lead, side) != side:
            wanted.append((objective, -lead))
        elif any(far_from(foe, objective) < THREAT for foe in theirs):
            guards = [unit for unit in free if not far_from(unit, objective)]
            if guards:
                found += [Errand(unit, objective, 0.0, False) for unit in guards]
                free = [unit for unit in free if unit not in guards]
            else:
                wanted.append((objective, 0))
    goals = [objective for objective, _ in wanted] or state.objectives
    if not goals:
        return []
    while free and wanted:
        far, n, m = min((far_from(u, o), n, m) for n, u in enumerate(free) for m, (o, _) in enumerate(wanted))
        unit, (objective, need) = free[n], wanted[m]
        found.append(Errand(unit, objective, far, False))
        free = free[:n] + free[n + 1 :]
        need -= unit_control(unit)
        if need < 0:
            del wanted[m]
        else:
            wanted[m] = objective, need
    for unit in free:
        nearest = min(goals, key=lambda objective: far_from(unit, objective))
        found.append(Errand(unit, nearest, far_from(unit, nearest), True))
    return found


def _striking(mine: list[Unit], theirs: list[Unit]) -> float:
    """What units in combat do to each other, what those within a charge might do, and who stays too far to matter."""
    total = 0.0
    for unit in mine:
        nearest = 99.0
        for foe in theirs:
            dx, dy = unit.cx - foe.cx, unit.cy - foe.cy
            gap = math.sqrt(dx * dx + dy * dy) - unit.cr - foe.cr
            nearest = min(nearest, gap)
            if foe.id in unit.fights:
                strike, back = exchange(unit, foe)
                total += STRIKE * (strike - 0.8 * back) * (1.25 if unit.charged else 1.0)
            elif gap < CHARGE + 3.0:
                strike, back = exchange(unit, foe)
                total += 0.15 * (strike - back)
        total -= TOWARDS_ENEMY * unit.profile.points * min(30.0, max(0.0, nearest - CHARGE))
        if "retreat" in unit.keywords_turn:
            total -= RETREATED * unit.profile.points
    return total


def exchange(unit: Unit, foe: Unit) -> tuple[float, float]:
    """What two units would take from each other in one fight, in points."""
    return _taken(unit, foe), _taken(foe, unit)


def _taken(unit: Unit, foe: Unit) -> float:
    profile = foe.profile
    return ARMY * profile.points * blow(unit, foe) / max(1, profile.size * profile.health)
