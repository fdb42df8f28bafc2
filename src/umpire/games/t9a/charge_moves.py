"""Charge ranges, charge moves, failed charges."""

from __future__ import annotations

import math
from itertools import permutations

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.steps import Steps, step
from umpire.text import Text

from . import aligning, joining, ranged_attacks, sight, spacing, terrain
from .characteristics import charge_speed
from .formation import EPS, Box, arc_of, box, facing_of, layout, middle, unit_vector
from .model_rules import every
from .spacing import STANDOFF, between, separation, within
from .state import Facing, Pair, Pool, State, Unit
from .values import throw_sum


def as_charger(state: State, unit: Unit, pool: Pool | None) -> Unit:
    """The unit that would charge: a model that charges out is taken as a unit where it stands."""
    if pool is None:
        return unit
    cell = next(c for c in layout(state, unit).cells if c.pool == pool.id)
    x, y = box(state, unit).world((cell.x0 + cell.x1) / 2, cell.y0)
    return msgspec.structs.replace(
        state.units[pool.id], where="table", members=(pool.id,), files=1, x=x, y=y, facing=unit.facing, came=unit.id
    )


def greatest(state: State, unit: Unit, pool: Pool | None = None) -> int:
    """The greatest possible charge range: 6 + 4 + charge speed (t9a.charge.range.roll,
    t9a.charge.declare.range-effects)."""
    return 10 + charge_speed(state, unit)


def gap_to(state: State, unit: Unit, target: Unit) -> float:
    return between(box(state, unit), box(state, target))


def sees(state: State, unit: Unit, target: Unit, pool: Pool | None) -> bool:
    """Some model of the front rank sees it; a model that charges out must see for itself (t9a.char.charge-out.los)."""
    if pool is None:
        return sight.sees(state, unit, target)
    cells = [c for c in layout(state, unit).cells if c.pool == pool.id]
    return sight.sees(state, unit, target, cells)


def target_facing(state: State, unit: Unit, target: Unit) -> Facing:
    """The facing whose arc holds the middle of the charger's front; for a model that charges out, of its unit's
    (t9a.charge.facing, t9a.char.charge-out.arc)."""
    whose = unit
    if unit.came and state.applies("t9a.char.charge-out.arc") and state.units[unit.came].where == "table":
        whose = state.units[unit.came]
    return arc_of(box(state, target), whose.x, whose.y)


def maximised(state: State, unit: Unit) -> list[tuple[int, str]]:
    return [(1, "t9a.rule.swiftstride")] if every(state, unit, "t9a.rule.swiftstride") else []


def roll_range(battle: Battle[State], unit: Unit, combined: bool) -> int:
    """D6 + 4 + charge speed (t9a.charge.range.roll)."""
    state = battle.state
    thrown = throw_sum(
        battle, 1, "charge", "t9a.charge.range.roll", maximised(state, unit), side=unit.side, who=unit.id
    )
    total = thrown.total + 4 + charge_speed(state, unit)
    cite = "t9a.charge.combined.rolls" if combined else "t9a.charge.range.roll"
    battle.emit("charge-range", cite, unit=unit.id, inches=total)
    return total


def arrivals(state: State, units: list[Unit], target: Unit) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Who would arrive in each order of moving."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    if target.where != "table":
        return dict.fromkeys(permutations(u.id for u in units), ())
    for order in permutations(units):
        copies = [msgspec.structs.replace(u) for u in order]
        placed: list[Box] = []
        arrived = []
        for unit in copies:
            if not within(gap_to(state, unit, target), unit.range):
                continue
            spot = aligning.contact(state, unit, target, taken=placed, leaving=[u.id for u in order])
            if spot is not None and spot.flush:
                placed.append(spot.at)
                arrived.append(unit.id)
        found[tuple(u.id for u in order)] = tuple(arrived)
    return found


@step
def charge_move(battle: Battle[State], key: str, combined: bool) -> Steps[None]:
    """A charge succeeds if its range reaches the target and there is room (t9a.charge.range.success)."""
    state = battle.state
    unit = state.unit(key)
    target = state.units.get(unit.target)
    if unit.where != "table":
        return
    if target is None or target.where != "table":
        battle.plan((failed_charge, key, "t9a.charge.failed.target-gone"))
        return
    gap = gap_to(state, unit, target)
    unit.spot = middle(box(state, target), target_facing(state, unit, target))
    if not within(gap, unit.range):
        battle.emit("too-short", "t9a.charge.range.success", unit=key, gap=round(gap, 2), inches=unit.range)
        battle.plan((failed_charge, key, "t9a.charge.failed.distance"))
        return
    contact = aligning.contact(state, unit, target)
    if contact is not None and combined and not contact.flush:
        battle.emit("no-room", "t9a.charge.combined.no-misaligned", unit=key)
        contact = None
    if contact is None:
        battle.plan((failed_charge, key, "t9a.charge.combined.unfinished" if combined else "t9a.charge.range.success"))
        return
    at = contact.at
    if len(contact.ties) > 1:
        options = [
            Option(str(n), Text("option.align", {"x": round(b.x, 1), "y": round(b.y, 1)}))
            for n, b in enumerate(contact.ties)
        ]
        answer = yield Choose(unit.side, "ask.align", options, "t9a.charge.align.priority", key)
        at = contact.ties[int(answer)]
    before = box(state, unit)
    land(battle, unit, target, contact, at)
    touched = terrain.touched_by_charge(state, unit, before, box(state, unit))
    terrain.dangerous(battle, unit, touched)
    battle.plan((completed, key))


def land(battle: Battle[State], unit: Unit, target: Unit, contact: aligning.Contact, at: Box) -> None:
    """Charger and target are engaged (t9a.charge.engaged)."""
    state = battle.state
    first = not state.engaged(target.id)
    unit.x, unit.y, unit.facing = at.x, at.y, facing_of(at.ux, at.uy)
    state.pairs.append(Pair(unit.id, target.id, "front", contact.face, contact.flush))
    unit.charging = unit.first = True
    if first:
        target.first = True
    unit.must_reform = target.must_reform = not contact.flush
    unit.free = target.free = False
    spacing.note_closeness(state, unit)
    battle.emit(
        "charged",
        "t9a.charge.align.procedure" if contact.flush else "t9a.charge.misaligned.when",
        "t9a.charge.engaged",
        unit=unit.id,
        target=target.id,
        face=f"face.{contact.face}",
        models=[contact.theirs, contact.mine],
    )


@step
def completed(battle: Battle[State], key: str) -> Steps[None]:
    """After the move: Stand and Shoot; a charger whose losses undo the charge fails it
    (t9a.charge.failed.casualties)."""
    state = battle.state
    unit = state.unit(key)
    if unit.where != "table":
        return
    target = unit.target
    if state.units[target].where == "table":
        yield from ranged_attacks.stand_and_shoot(battle, unit, state.unit(target))
    if unit.where == "table" and state.engaged(key):
        still = any(
            between(box(state, unit), box(state, state.unit(p.other(key)))) <= 2 * STANDOFF for p in state.pairs_of(key)
        )
        if not still and state.applies("t9a.charge.failed.casualties"):
            state.pairs = [p for p in state.pairs if key not in (p.a, p.b)]
            unit.x, unit.y, unit.facing = unit.start
            battle.emit("put-back", "t9a.charge.failed.casualties", unit=key)
            battle.plan((failed_charge, key, "t9a.charge.failed.casualties"))
            return
    unit.target = ""


@step
def failed_charge(battle: Battle[State], key: str, why: str) -> None:
    """Always 4": wheel towards the middle of the target facing, then straight on (t9a.charge.failed.wheel)."""
    state = battle.state
    unit = state.unit(key)
    target = state.units.get(unit.target)
    if target is not None and target.where == "table":
        goal = middle(box(state, target), target_facing(state, unit, target))
    else:
        goal = unit.spot
    before = box(state, unit)
    host = state.units.get(unit.came) if unit.came else None
    at = failed_path(state, unit, goal, but=(host.id,) if host is not None else ())
    unit.failed = True
    unit.charging = False
    unit.target = ""
    if host is not None and host.where == "table" and between(at, box(state, host)) <= 1.0 + EPS:
        pool = state.pools[key]
        joining.join(battle, pool, host, "t9a.char.charge-out.failed")
        host.failed, host.declared = True, True
        before = box(state, host)
        at = failed_path(state, host, goal)
        unit = host
    unit.x, unit.y, unit.facing = at.x, at.y, facing_of(at.ux, at.uy)
    spacing.note_closeness(state, unit)
    rules = (
        ("t9a.charge.failed.distance",) if why == "t9a.charge.failed.distance" else (why, "t9a.charge.failed.distance")
    )
    battle.emit("failed-charge", *rules, unit=unit.id, x=unit.x, y=unit.y, facing=unit.facing)
    terrain.dangerous(battle, unit, terrain.touched_by_charge(state, unit, before, at))


def failed_path(state: State, unit: Unit, goal: tuple[float, float], but: tuple[str, ...] = ()) -> Box:
    at = box(state, unit)
    x, y = at.local(*goal)
    right = x >= 0
    lx = abs(x) - at.w / 2
    far = math.hypot(lx, y)
    w = at.w
    stop = 0.0
    if far > 1e-9:
        ratio = min(1.0, w / (2 * far)) if far >= w / 2 else 1.0
        stop = math.atan2(lx, y) + math.asin(ratio)
    turn = max(0.0, min(stop, math.pi / 2, math.asin(min(1.0, 4.0 / w)) if w > 4.0 else math.pi / 2))
    others = [o for o in state.table() if o.id != unit.id and o.id not in but]
    rings = [box(state, o).corners() for o in others] + [p.points for p in spacing.impassable(state)]

    def wheeled(angle: float) -> Box:
        px, py = at.world(at.w / 2 if right else -at.w / 2, 0.0)
        sign = 1.0 if right else -1.0
        c, s = math.cos(angle), math.sin(angle) * sign
        ux, uy = at.ux * c + at.uy * s, at.uy * c - at.ux * s
        rx, ry = uy, -ux
        half = at.w / 2 * (1 if right else -1)
        return Box(px - rx * half, py - ry * half, ux, uy, at.w, at.d)

    def clear(b: Box) -> bool:
        ring = b.corners()
        return all(separation(ring, other) > EPS for other in rings)

    steps = 12
    best = 0.0
    for n in range(1, steps + 1):
        if not clear(wheeled(turn * n / steps)):
            break
        best = turn * n / steps
    turned = wheeled(best)
    left = 4.0 - at.w * math.sin(best)
    moved = turned
    n = 0
    while n < 40 and left > 0:
        n += 1
        there = Box(turned.x + turned.ux * left * n / 40, turned.y + turned.uy * left * n / 40, *turned[2:])
        if not clear(there) or not spacing.on_table(state, there):
            break
        moved = there
    if not spacing.on_table(state, moved):
        return at
    return moved


def unit_heading(unit: Unit) -> tuple[float, float]:
    return unit_vector(unit.facing)
