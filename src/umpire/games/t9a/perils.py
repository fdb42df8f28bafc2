"""What dangerous terrain a move runs into, and what it would take, exactly."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from umpire.odds import Dist
from umpire.odds.telling import Odds, number, told
from umpire.space.spans import Ring

from . import saves, terrain
from .courses import Budget, Course
from .formation import EPS
from .model_rules import every
from .state import Pool, State, Unit
from .terrain import Danger


def counts_as_march(state: State, course: Course, budget: Budget) -> bool:
    """A reform that takes the centre further than the Mobility does (t9a.rule.light-troops.march)."""
    shift = math.dist(course.start.centre, course.end.centre)
    far = budget.action == "reform" and shift > budget.mob + EPS
    return far and state.applies("t9a.rule.light-troops.march")


def of_move(state: State, unit: Unit, course: Course, budget: Budget, swept: Sequence[Ring]) -> list[Danger]:
    """What a move over this ground is tested for: only a march is, and what counts as one (t9a.terrain.dangerous)."""
    march = budget.action == "march"
    if not (march or counts_as_march(state, course, budget)):
        return []
    flown = every(state, unit, "t9a.rule.fly")
    ground = [course.start.corners(), course.end.corners()] if flown else swept
    track = terrain.advancing(course.start, course.legs, course.end, flying=flown) if march else None
    return terrain.touched_by(state, unit, ground, track)


def risk(state: State, unit: Unit, dangers: Sequence[Danger]) -> Odds | None:
    """What a move leaves to chance."""
    lines = list(lines_of(state, unit, dangers))
    return told("odds.t9a.dangers", *lines) if lines else None


def lines_of(state: State, unit: Unit, dangers: Sequence[Danger]) -> Iterator[Odds]:
    """The health points that terrain would probably take of a unit, if any can be lost."""
    lost = [losses(state, pool, dangers) for pool in state.members(unit)]
    if any(dist.mean for dist in lost):
        yield number("odds.t9a.lost-to-terrain", math.fsum(dist.mean for dist in lost))


def losses(state: State, pool: Pool, dangers: Sequence[Danger]) -> Dist:
    """One test after the other, each by who is left (t9a.terrain.dangerous.several)."""
    lost = Dist.certain(0)
    wound = saves.Plain(10)
    special, _ = saves.special_need(state, pool, wound)
    unsaved = 1.0 if special > 6 else (max(3, special) - 1) / 6
    for danger in dangers:
        if not danger.tests(pool.id) or terrain.spared(state, pool, danger):
            continue
        each = Dist.chance((7 - danger.need) / 6 * unsaved)
        lost = Dist.mixture([(p, _tested(state, pool, danger, each, gone)) for gone, p in lost.items()])
    return lost


def _tested(state: State, pool: Pool, danger: Danger, each: Dist, gone: int) -> Dist:
    """What has been lost in all when those whom earlier tests have left have tested too."""
    left = pool.count - (pool.lost + gone) // pool.profile.hp
    return (each.times(terrain.dice_of(state, pool, danger.whom, left)) + gone).min(pool.hp)
