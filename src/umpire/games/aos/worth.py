"""How good a position is for a side: victory points and those to come, what is left, and who can strike whom."""

from __future__ import annotations

import functools
import math

from umpire.games.aos.objectives import MARKER, SCORING, contests_objective
from umpire.games.aos.profiles import Warscroll, amount
from umpire.games.aos.state import Objective, State, Unit
from umpire.games.aos.units import COMBAT_RANGE

POINT = 30.0
"""A victory point, in points of units."""
ARMY = 0.5
"""A point's worth of units, in points: units only serve to score."""
TOWARDS_OBJECTIVE = 0.02
"""What an inch nearer to an objective that is not safely held adds to a unit, as a share of its points."""
TOWARDS_ENEMY = 0.004
CHARGE = 7.0
"""A charge that comes off more often than not, in inches."""
STRIKE = 0.8
"""How much of the damage that units could do to each other in this position is counted."""


def worth(state: State, side: int) -> float:
    """The position in points: what a side has, less what the other has, and how its own units are placed."""
    if state.outcome is not None:
        winner = state.outcome.winner
        return 0.0 if winner is None else 50_000.0 if winner == side else -50_000.0
    return sum(terms(state, side).values())


def terms(state: State, side: int) -> dict[str, float]:
    """What the worth of a position is made of."""
    army = 0.0
    mine: list[Unit] = []
    theirs: list[Unit] = []
    for unit in state.units.values():
        if unit.where == "gone" or unit.profile.kind != "unit":
            continue
        has = ARMY * left(unit)
        army += has if unit.side == side else -has
        if unit.where == "table":
            (mine if unit.side == side else theirs).append(unit)
    coming, ways = _scoring(state, side, mine, theirs)
    score = POINT * (state.sides[side].vp - state.sides[1 - side].vp) + coming
    return {"score": score, "army": army, "position": ways + _striking(mine, theirs)}


def left(unit: Unit) -> float:
    """What is left of a unit, in points."""
    profile = unit.profile
    health = len(unit.models) * profile.health - unit.damage
    return profile.points * health / max(1, profile.size * profile.health)


def _scoring(state: State, side: int, mine: list[Unit], theirs: list[Unit]) -> tuple[float, float]:
    """What the objectives will bring if nobody moves any more, and what the way to them takes away."""
    held = [0.0, 0.0]
    wanted: list[Objective] = []
    for objective in state.objectives:
        lead = sum(_control(unit, objective) for unit in mine) - sum(_control(unit, objective) for unit in theirs)
        if lead > 0 or (lead == 0 and objective.holder == side):
            held[0] += 1
        elif lead < 0 or objective.holder == 1 - side:
            held[1] += 1
        if lead <= 5:
            wanted.append(objective)
    score = SCORING[state.plan.scoring]
    turns = max(1, state.rounds - state.round + 1)
    now = score(int(held[0]), int(held[1])) - score(int(held[1]), int(held[0]))
    ways = 0.0
    for unit in mine:
        far = min((math.hypot(unit.cx - o.x, unit.cy - o.y) for o in wanted), default=0.0)
        ways -= TOWARDS_OBJECTIVE * unit.profile.points * max(0.0, far - unit.cr - COMBAT_RANGE) * 0.5
    return POINT * 0.4 * turns * now + 6.0 * (held[0] - held[1]), ways


def _control(unit: Unit, objective: Objective) -> int:
    dx, dy = unit.cx - objective.x, unit.cy - objective.y
    reach = unit.cr + COMBAT_RANGE + MARKER
    if dx * dx + dy * dy > reach * reach:
        return 0
    return unit.profile.control * sum(contests_objective(model, objective) for model in unit.models)


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
    return total


def exchange(unit: Unit, foe: Unit) -> tuple[float, float]:
    """What two units would take from each other in one fight, in points."""
    return _blow(unit, foe), _blow(foe, unit)


def _blow(unit: Unit, foe: Unit) -> float:
    hurt = len(unit.models) * melee_of(unit.profile, foe.profile.save, foe.profile.ward)
    profile = foe.profile
    health = len(foe.models) * profile.health - foe.damage
    return ARMY * profile.points * min(hurt, health) / max(1, profile.size * profile.health)


def melee_of(profile: Warscroll, save: int, ward: int) -> float:
    """The mean damage of one model in a fight."""
    return sum(mean_damage(w.attacks, w.hit, w.wound, w.rend, w.damage, save, ward) for w in profile.melee)


@functools.lru_cache(4096)
def mean_damage(attacks: str, hit: int, wound: int, rend: int, damage: str, save: int, ward: int) -> float:
    saved = max(0.0, min(5.0, 7.0 - save - rend)) / 6 if save else 0.0
    warded = (7 - ward) / 6 if ward else 0.0
    return _mean(attacks) * (7 - hit) / 6 * (7 - wound) / 6 * (1 - saved) * _mean(damage) * (1 - warded)


def _mean(text: str) -> float:
    number = amount(text)
    return number.dice * (number.sides + 1) / 2 + number.plus
