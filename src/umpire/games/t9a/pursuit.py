"""Pursuit and overrun moves, and the moves of random movers that are made like them."""

from __future__ import annotations

import math

from umpire.engine.battle import Battle
from umpire.engine.steps import step

from . import aligning, casualties, fleeing, spacing, terrain
from .charge_moves import land
from .formation import EPS, Box, arc_of, box, facing_of, pivot
from .model_rules import every
from .spacing import STANDOFF, separation
from .state import State, Unit
from .values import throw_sum


def may_pursue(state: State, unit: Unit) -> bool:
    """Emplaced units make no pursuit moves (t9a.rule.emplaced)."""
    return not every(state, unit, "t9a.rule.emplaced")


def roll_distance(battle: Battle[State], unit: Unit) -> int:
    """2D6, or X of Random Movement (t9a.melee.break.pursuit-roll)."""
    from . import random_movement
    from .profiles import dice_of

    state = battle.state
    changes = [(1, "t9a.rule.swiftstride")] if every(state, unit, "t9a.rule.swiftstride") else []
    count, plus, rule = 2, 0, "t9a.melee.break.pursuit-roll"
    if every(state, unit, "t9a.rule.random-movement.distance"):
        count, _, plus = dice_of(random_movement.distance_of(state, unit))
        rule = "t9a.rule.random-movement.distance"
    return throw_sum(battle, count, "pursuit", rule, changes, side=unit.side, who=unit.id).total + plus


@step
def all_moves(battle: Battle[State]) -> None:
    """Pursuers move after the broken, the active player's first (t9a.melee.pursue.both-sides)."""
    state = battle.state
    now = state.round
    assert now is not None
    moves = sorted(now.pursuits, key=lambda p: state.unit(p[0]).side != state.active)
    sides = {state.unit(p[0]).side for p in moves}
    if len(sides) > 1:
        battle.emit("both-pursue", "t9a.melee.pursue.both-sides")
    for key, quarry, heading, distance in moves:
        unit = state.unit(key)
        if unit.where != "table":
            continue
        casualties.part(state, unit)
        unit.free = False
        advance(battle, unit, heading if quarry else None, distance, fled=tuple(b[0] for b in now.broken))


@step
def overrun_now(battle: Battle[State], key: str) -> None:
    unit = battle.state.unit(key)
    distance = roll_distance(battle, unit)
    battle.emit("overruns", "t9a.melee.break.overrun", unit=key, inches=distance)
    advance(battle, unit, None, distance)


def advance(
    battle: Battle[State], unit: Unit, heading: float | None, distance: float, fled: tuple[str, ...] = ()
) -> None:
    """Turn to the quarry's direction, then straight on the full distance; what is met first decides
    (t9a.melee.pursue.move, t9a.melee.pursue.straight-check)."""
    state = battle.state
    start = box(state, unit)
    arcs = {foe.id: arc_of(box(state, foe), unit.x, unit.y) for foe in state.table(1 - unit.side)}
    rule = "t9a.melee.pursue.overrun-straight" if heading is None else "t9a.melee.pursue.move"
    at = start if heading is None else pivot(start, heading - unit.facing)
    unit.x, unit.y, unit.facing = at.x, at.y, facing_of(at.ux, at.uy)
    foe, edge, wall = first_things(state, unit, at, fled)
    best = min(foe[0], edge, wall)
    if foe[0] <= distance + EPS and foe[0] <= best + EPS:
        target = state.unit(foe[1])
        spot = aligning.contact(state, unit, target, face=arcs[target.id])
        if spot is not None:
            unit.gap = 0.0
            land(battle, unit, target, spot, spot.at)
            battle.emit(
                "pursuit-charge",
                "t9a.melee.pursue.straight-enemy",
                "t9a.melee.pursue.precheck",
                unit=unit.id,
                target=target.id,
            )
            terrain.dangerous(battle, unit, terrain.touched_by_charge(state, unit, start, box(state, unit)))
            join_combat(battle, unit, target)
            return
        wall = min(wall, foe[0])
        best = min(edge, wall)
    moved = float(distance)
    cite = "t9a.melee.pursue.straight-clear"
    if edge <= distance + EPS and edge <= wall + EPS:
        moved, cite = edge, "t9a.melee.pursue.straight-edge"
        now = state.round
        if now is not None:
            now.edge = (*now.edge, unit.id)
    elif wall <= distance + EPS:
        moved, cite = max(0.0, wall - STANDOFF), "t9a.melee.pursue.straight-obstacle"
    end = settle_at(state, unit, at, moved, start)
    unit.x, unit.y, unit.facing = end.x, end.y, facing_of(end.ux, end.uy)
    spacing.note_closeness(state, unit)
    battle.emit("pursued", rule, cite, unit=unit.id, x=unit.x, y=unit.y)
    terrain.dangerous(battle, unit, terrain.touched_by(state, unit, terrain.swept(state, at, end)))


def first_things(state: State, unit: Unit, at: Box, fled: tuple[str, ...]) -> tuple[tuple[float, str], float, float]:
    """The distance to the first enemy, to the edge and to the first obstacle straight ahead."""
    foe = (math.inf, "")
    wall = math.inf
    now = state.round
    for other in state.table():
        if other.id == unit.id:
            continue
        gap = ahead(at, box(state, other).corners())
        if gap is None:
            continue
        if other.side != unit.side and other.id not in fled:
            if gap < foe[0]:
                foe = (gap, other.id)
        elif other.side != unit.side or now is None or other.id not in now.units:
            wall = min(wall, gap)
    for piece in spacing.impassable(state):
        gap = ahead(at, piece.points)
        if gap is not None:
            wall = min(wall, gap)
    edge = math.inf
    for x, y in at.corners()[:2]:
        for d, p, size in ((at.ux, x, state.field.width), (at.uy, y, state.field.depth)):
            if d > 1e-9:
                edge = min(edge, max(0.0, (size - p) / d))
            elif d < -1e-9:
                edge = min(edge, max(0.0, -p / d))
    return foe, edge, wall


def ahead(at: Box, ring: tuple[tuple[float, float], ...]) -> float | None:
    """How far straight ahead of the front a thing begins; None if it is not in the way."""
    span = fleeing._span(at, ring)
    if span is None:
        return None
    low = span[0]
    high = span[1] - at.d
    if high < -EPS:
        return None
    return max(0.0, low)


def settle_at(state: State, unit: Unit, at: Box, moved: float, start: Box) -> Box:
    """The last legal place on the way (t9a.melee.pursue.legal-position)."""

    def clear(b: Box) -> bool:
        if not spacing.on_table(state, b):
            return False
        ring = b.corners()
        for other in state.table():
            if other.id != unit.id and separation(ring, box(state, other).corners()) <= EPS:
                return False
        return all(separation(ring, piece.points) > EPS for piece in spacing.impassable(state))

    steps = max(1, int(moved * 4))
    for n in range(steps, -1, -1):
        far = moved * n / steps
        there = Box(at.x + at.ux * far, at.y + at.uy * far, *at[2:])
        if clear(there):
            return there
    return start


def join_combat(battle: Battle[State], unit: Unit, target: Unit) -> None:
    """Into a combat that is still to be fought it joins now; else it fights in the next Melee Phase
    (t9a.melee.pursue.new-combat)."""
    state = battle.state
    for n, group in enumerate(state.combats):
        if target.id in group:
            state.combats[n] = (*group, unit.id)
            battle.emit("joins-combat", "t9a.melee.pursue.new-combat", unit=unit.id, target=target.id)
            return
    battle.emit("fights-later", "t9a.melee.pursue.new-combat", unit=unit.id, target=target.id)


def random_advance(battle: Battle[State], unit: Unit, heading: float, distance: float) -> None:
    """A random mover pivots to its direction and goes; the edge is an obstacle (t9a.rule.random-movement.terrain)."""
    state = battle.state
    start = box(state, unit)
    at = pivot(start, heading - unit.facing)
    arcs = {foe.id: arc_of(box(state, foe), unit.x, unit.y) for foe in state.table(1 - unit.side)}
    unit.x, unit.y, unit.facing = at.x, at.y, facing_of(at.ux, at.uy)
    foe, edge, wall = first_things(state, unit, at, ())
    if foe[0] <= distance + EPS and foe[0] <= min(edge, wall) + EPS:
        target = state.unit(foe[1])
        spot = aligning.contact(state, unit, target, face=arcs[target.id])
        if spot is not None:
            unit.gap = 0.0
            land(battle, unit, target, spot, spot.at)
            battle.emit("random-charge", "t9a.rule.random-movement.move", unit=unit.id, target=target.id)
            terrain.dangerous(battle, unit, terrain.touched_by_charge(state, unit, start, box(state, unit)))
            return
        wall = min(wall, foe[0])
    moved = min(float(distance), max(0.0, min(edge, wall) - STANDOFF))
    end = settle_at(state, unit, at, moved, start)
    unit.x, unit.y, unit.facing = end.x, end.y, facing_of(end.ux, end.uy)
    spacing.note_closeness(state, unit)
    battle.emit(
        "moved",
        "t9a.rule.random-movement.counts",
        "t9a.rule.random-movement.terrain",
        unit=unit.id,
        x=unit.x,
        y=unit.y,
        facing=unit.facing,
        action="option.random",
    )
