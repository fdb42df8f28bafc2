"""Flee moves: how far, in which direction, through whom, and who does not survive them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from umpire.engine.battle import Battle

from . import casualties, psychology, random_movement, spacing, terrain
from .formation import EPS, Box, box, centre, facing_of
from .model_rules import every, none, some
from .spacing import STANDOFF, separation
from .state import State, Unit
from .terrain import Danger
from .values import throw_sum


def roll_distance(battle: Battle[State], unit: Unit, horrified: bool, purpose: str = "flee") -> int:
    """2D6, or the X of Random Movement; Swiftstride maximises, Horror minimises twice (t9a.psych.flee.distance)."""
    state = battle.state
    if horrified and unafraid(state, unit):
        battle.emit("no-horror", "t9a.rule.fearless.horror", unit=unit.id)
    count, plus, rule = random_movement.run(state, unit, "t9a.psych.flee.distance")
    changes = changed(state, unit, horrified)
    thrown = throw_sum(battle, count, purpose, rule, changes, side=unit.side, who=unit.id)
    return thrown.total + plus


def unafraid(state: State, unit: Unit) -> bool:
    """Fearless units ignore Horror (t9a.rule.fearless.horror)."""
    return some(state, unit, "t9a.rule.fearless") and state.applies("t9a.rule.fearless.horror")


def changed(state: State, unit: Unit, horrified: bool) -> list[tuple[int, str]]:
    """What maximises and minimises a flight."""
    changes = [(1, "t9a.rule.swiftstride")] if every(state, unit, "t9a.rule.swiftstride") else []
    if horrified and not unafraid(state, unit):
        changes += [(-1, "t9a.rule.horror")] * 2
    return changes


def from_charge(battle: Battle[State], unit: Unit, charger: Unit, forced: bool, horrified: bool) -> None:
    """Directly away from the charger, centre from centre (t9a.psych.flee.direction-charge)."""
    state = battle.state
    ax, ay = centre(state, charger)
    bx, by = centre(state, unit)
    heading = facing_of(bx - ax, by - ay) if (ax, ay) != (bx, by) else unit.facing
    if not ready(battle, unit):
        return
    battle.emit("flee-direction", "t9a.psych.flee.direction-charge", unit=unit.id, degrees=round(heading, 1))
    distance = roll_distance(battle, unit, horrified)
    flee(battle, unit, heading, distance, "t9a.charge.reaction.flee.move", voluntary=not forced)


def ready(battle: Battle[State], unit: Unit, in_melee: bool = False) -> bool:
    """Before a flee move: Emplaced units and Decimated models are removed (t9a.rule.emplaced.flee,
    t9a.psych.decimated.flee). False if nobody is left to flee."""
    state = battle.state
    if every(state, unit, "t9a.rule.emplaced") and state.applies("t9a.rule.emplaced.flee"):
        casualties.remove_unit(battle, unit, "t9a.rule.emplaced.flee", in_melee)
        return False
    if state.applies("t9a.psych.decimated.flee"):
        for key in unit.members:
            pool = state.pools[key]
            if psychology.decimated(state, pool):
                rule = "t9a.rally.decimated" if state.phase == "rally" else "t9a.psych.decimated.flee"
                battle.emit("decimated", rule, "t9a.psych.decimated", pool=key, unit=unit.id)
                casualties.drop_pool(battle, pool, unit, in_melee)
    return unit.where == "table"


def flee(
    battle: Battle[State],
    unit: Unit,
    heading: float,
    distance: float,
    rule: str,
    voluntary: bool = False,
    left: Sequence[str] = (),
    in_melee: bool = False,
) -> None:
    """Pivot about the centre, then straight on through everything; never ending on anything (t9a.psych.flee.move)."""
    state = battle.state
    before = box(state, unit)
    cx, cy = before.centre
    angle = math.radians(heading)
    ux, uy = math.sin(angle), math.cos(angle)
    turned = Box(cx + ux * before.d / 2, cy + uy * before.d / 2, ux, uy, before.w, before.d)
    unit.by_choice = unit.by_choice and voluntary
    friends: list[str] = []
    dangers: list[Danger] = []
    blocked: list[tuple[float, float]] = []
    chargers = [u for u in state.table(1 - unit.side) if u.target == unit.id and u.declared]
    for other in state.table():
        if other.id == unit.id:
            continue
        span = _span(turned, box(state, other).corners())
        if span is None:
            continue
        blocked.append(span)
    for piece in spacing.impassable(state):
        span = _span(turned, piece.points)
        if span is not None:
            blocked.append(span)
    end = float(distance)
    changed = True
    while changed:
        changed = False
        for low, high in blocked:
            if low - EPS <= end <= high + EPS:
                end = high + STANDOFF
                changed = True
    ground = Box(turned.x + ux * end, turned.y + uy * end, ux, uy, before.w, before.d)
    hull = terrain.hull(turned.corners(), ground.corners())
    track = terrain.running(before, turned, ground)
    edge = any(
        x <= EPS or y <= EPS or x >= state.field.width - EPS or y >= state.field.depth - EPS
        for x, y in (*turned.corners(), *ground.corners())
    )
    caught = math.inf
    for other in state.table():
        if other.id == unit.id or other.id in left:
            continue
        gap = separation(hull, box(state, other).corners())
        if gap > (EPS if other in chargers else -EPS):
            continue
        if other in chargers and state.applies("t9a.charge.reaction.flee.contact"):
            caught = min(caught, (_span(turned, box(state, other).corners()) or (0.0,))[0])
        elif other.side == unit.side:
            friends.append(other.id)
        else:
            who = terrain.pools_on(state, unit, box(state, other).corners(), track)
            dangers.append(Danger(other.id, 4, "", "t9a.psych.flee.enemies", "", who))
    dangers = [danger for danger in dangers if danger.pools != ()]
    for piece in spacing.impassable(state):
        if separation(hull, piece.points) < -EPS:
            who = terrain.pools_on(state, unit, piece.points, track)
            dangers.append(Danger(piece.id, 4, "", "t9a.terrain.impassable.flee", "impassable", who))
    dangers += terrain.touched_by(state, unit, [list(before.corners()), hull], track)
    small = every(state, unit, "t9a.rule.insignificant")
    if caught < math.inf:
        # Friends beyond whoever has caught it were not reached.
        friends = [
            key for key in friends if (_span(turned, box(state, state.unit(key)).corners()) or (0.0,))[0] < caught
        ]
        battle.emit("caught-fleeing", "t9a.charge.reaction.flee.contact", "t9a.psych.flee.destroyed", unit=unit.id)
    else:
        battle.emit("fled", rule, "t9a.psych.flee.move", unit=unit.id, inches=round(end, 2))
    if edge and caught == math.inf:
        battle.emit("off-table", "t9a.psych.flee.destroyed", unit=unit.id)
    if edge or caught < math.inf:
        casualties.remove_unit(battle, unit, "t9a.psych.flee.destroyed", in_melee)
        panic_friends(battle, unit, friends, voluntary, small)
        return
    unit.x, unit.y, unit.facing = ground.x, ground.y, heading % 360.0
    spacing.note_closeness(state, unit)
    for key in unit.members:
        state.pools[key].weapon = ()
    if dangers:
        terrain.dangerous(battle, unit, dangers)
    panic_friends(battle, unit, friends, voluntary, small)


def panic_friends(battle: Battle[State], unit: Unit, friends: Sequence[str], voluntary: bool, small: bool) -> None:
    """Friends that were fled through test when the flight is over, whatever has become of the fugitives, unless it was
    of free will or they are Insignificant, `small` (t9a.psych.flee.friends, t9a.psych.panic.voluntary,
    t9a.rule.insignificant)."""
    state = battle.state
    if not friends or not state.applies("t9a.psych.flee.friends"):
        return
    if voluntary and state.applies("t9a.psych.panic.voluntary"):
        battle.emit("no-panic-through", "t9a.psych.panic.voluntary", "t9a.charge.reaction.flee.no-panic", unit=unit.id)
        return
    for key in friends:
        friend = state.unit(key)
        if friend.where != "table":
            continue
        if small and none(state, friend, "t9a.rule.insignificant"):
            battle.emit("no-panic-through", "t9a.rule.insignificant", "t9a.rule.unit-without", unit=unit.id)
            continue
        battle.emit("fled-through", "t9a.psych.flee.friends", unit=unit.id, friend=key)
        psychology.panic(battle, friend, "t9a.psych.panic.flee-through")


def _span(at: Box, ring: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """For which distances straight on the unit touches something: clip it to the unit's width."""
    low, high = math.inf, -math.inf
    half = at.w / 2
    points = [at.local(x, y) for x, y in ring]
    for k in range(len(points)):
        x0, y0 = points[k - 1]
        x1, y1 = points[k]
        t0, t1 = 0.0, 1.0
        dx = x1 - x0
        if abs(dx) < 1e-12:
            if abs(x0) > half:
                continue
        else:
            a, b = (-half - x0) / dx, (half - x0) / dx
            t0, t1 = max(t0, min(a, b)), min(t1, max(a, b))
            if t0 > t1:
                continue
        for t in (t0, t1):
            y = y0 + (y1 - y0) * t
            low, high = min(low, y), max(high, y)
    if low > high:
        return None
    if high + at.d < 0:
        return None
    return low, high + at.d
