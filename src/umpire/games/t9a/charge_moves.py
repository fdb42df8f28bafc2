"""Charge ranges, charge moves, failed charges."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.steps import Steps, step
from umpire.space import spans
from umpire.space.ranks import flight, manoeuvres
from umpire.space.ranks.contact import wheeled
from umpire.space.ranks.manoeuvres import Leg, Obstacle
from umpire.space.shapes import TOLERANCE
from umpire.space.spans import Bar, Ring
from umpire.text import Text

from . import aligning, charge_ground, joining, ranged_attacks, rearranging, sight, spacing, terrain
from .characteristics import charge_speed
from .formation import EPS, Box, arcs_of, box, gathered, layout, middle, side_line, still
from .model_rules import every
from .spacing import STANDOFF, between, separation, within
from .state import FACINGS, Facing, Pair, Pool, State, Unit
from .values import mods_on, throw_sum

FAILED = 4.0
"""t9a.charge.failed.distance"""


def as_charger(state: State, unit: Unit, pool: Pool | None) -> Unit:
    """The unit that would charge: a model that charges out is taken as a unit where it stands."""
    if pool is None:
        return unit
    return gathered(state, ("out", unit.id, pool.id), lambda: _out(state, unit, pool))


def _out(state: State, unit: Unit, pool: Pool) -> Unit:
    cell = next(c for c in layout(state, unit).cells if c.pool == pool.id)
    x, y = box(state, unit).world((cell.x0 + cell.x1) / 2, cell.y0)
    return msgspec.structs.replace(
        state.units[pool.id], where="table", members=(pool.id,), files=1, x=x, y=y, facing=unit.facing, came=unit.id
    )


def greatest(state: State, unit: Unit, pool: Pool | None = None) -> int:
    """The greatest possible charge range: 6 + 4 + charge speed (t9a.charge.range.roll,
    t9a.charge.declare.range-effects)."""
    if not state.applies("t9a.charge.declare.range-effects"):
        return 10 + min(pool.profile.cha for pool in state.members(unit))
    return 10 + charge_speed(state, unit)


def hastened(state: State, unit: Unit) -> bool:
    """Does an effect in force change how far it may charge?"""
    return any(mods_on(state, pool, "cha") for pool in state.members(unit))


def gap_to(state: State, unit: Unit, target: Unit) -> float:
    return between(box(state, unit), box(state, target))


def inches_needed(gap: float) -> int:
    """The least charge range that reaches over such a distance."""
    return math.ceil(gap - TOLERANCE)


def sees(state: State, unit: Unit, target: Unit, pool: Pool | None) -> bool:
    """Some model of the front rank sees it; a model that charges out must see for itself (t9a.char.charge-out.los)."""
    if pool is None:
        return sight.sees(state, unit, target)
    cells = [c for c in layout(state, unit).cells if c.pool == pool.id]
    return sight.sees(state, unit, target, cells)


def target_facing(state: State, unit: Unit, target: Unit) -> Facing:
    """The facing whose arc holds the middle of the charger's front; for a model that charges out, of its unit's
    (t9a.charge.facing, t9a.char.charge-out.arc)."""
    return _chosen(unit, target_facings(state, unit, target))


def _chosen(unit: Unit, faces: Sequence[Facing]) -> Facing:
    """The facing that its player has named, where there are two."""
    return next((face for face in faces if face == unit.face), faces[0])


def target_facings(state: State, unit: Unit, target: Unit) -> tuple[Facing, ...]:
    """The target facing; two where the middle of the front lies on a ray between two arcs (t9a.def.arcs)."""
    whose = unit
    if unit.came and state.applies("t9a.char.charge-out.arc") and state.units[unit.came].where == "table":
        whose = state.units[unit.came]
    return arcs_of(box(state, target), whose.x, whose.y)


def note_spot(state: State, unit: Unit, target: Unit) -> None:
    """Remember where the middle of the target facing is, should the target be gone before the charge is moved
    (t9a.charge.failed.target-gone)."""
    unit.spot = middle(box(state, target), target_facing(state, unit, target))


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


def blocked_face(state: State, unit: Unit, target: Unit) -> Facing | None:
    """The facing that Blocked Path lets a unit charge; of two equally near the one that its player has named."""
    faces = blocked_faces(state, unit, target)
    return _chosen(unit, faces) if faces else None


def blocked_faces(state: State, unit: Unit, target: Unit) -> list[Facing]:
    """Blocked Path: the facing beside the target facing that may be charged instead, if that enemy is the first thing
    straight ahead, its target facing cannot be charged, and no friend engaged there is the reason; the nearer of the
    two, or both where they are equally near (t9a.charge.blocked-path.conditions, t9a.charge.blocked-path.effect)."""
    if not state.applies("t9a.charge.blocked-path.effect"):
        return []
    face = target_facing(state, unit, target)
    if state.applies("t9a.charge.blocked-path.conditions"):
        if any(p.other(target.id) != unit.id and p.face(target.id) == face for p in state.pairs_of(target.id)):
            return []
        here = box(state, unit)
        there = flight.first_hit(here, [(target.id, box(state, target).corners())])
        on = charge_ground.ground(state, unit, target, face)
        other = flight.first_hit(here, on.firm)
        if there is None or (other is not None and other.inches <= there.inches + EPS):
            return []
    turn = FACINGS.index(face)
    beside: list[Facing] = [FACINGS[(turn + 1) % 4], FACINGS[(turn + 3) % 4]]
    front = box(state, unit).corners()
    goal = box(state, target)
    gaps = {f: round(separation(front, side_line(goal, f)), 6) for f in beside}
    return sorted((f for f in beside if gaps[f] == min(gaps.values())), key=FACINGS.index)


@step
def charge_move(battle: Battle[State], key: str, combined: bool, after: Sequence[str] = ()) -> Steps[None]:
    """A charge succeeds if its range reaches the target and there is room (t9a.charge.range.success); `after` it those
    move that charge together with it."""
    state = battle.state
    unit = state.unit(key)
    target = state.units.get(unit.target)
    if unit.where != "table":
        return
    if target is None or target.where != "table":
        battle.plan((failed_charge, key, "t9a.charge.failed.target-gone"))
        return
    gap = gap_to(state, unit, target)
    note_spot(state, unit, target)
    if not within(gap, unit.range):
        rules = ("t9a.charge.range.success", "t9a.def.measure.closest-points")
        battle.emit("too-short", *rules, unit=key, gap=round(gap, 2), inches=unit.range)
        battle.plan((failed_charge, key, "t9a.charge.failed.distance"))
        return
    contact: charge_ground.Contact | None
    rule = "t9a.charge.align.procedure"
    if combined and state.applies("t9a.charge.combined.no-misaligned"):
        from .combined_charges import arranged

        contact = battle.know(lambda: still(state, lambda: arranged(state, unit, target, after)))
        if contact is None and aligning.contact(state, unit, target) is not None:
            battle.emit("no-room", "t9a.charge.combined.no-misaligned", unit=key)
    else:
        contact = battle.know(lambda: still(state, lambda: aligning.contact(state, unit, target, choices=True)))
        if contact is None:
            faces = blocked_faces(state, unit, target)
            open_ones = [c for f in faces if (c := aligning.contact(state, unit, target, face=f, choices=True))]
            contact = open_ones[0] if open_ones else None
            if len(open_ones) > 1:
                face = yield from ask_facing(
                    battle, unit, [c.face for c in open_ones], "t9a.charge.blocked-path.effect"
                )
                contact = next(c for c in open_ones if c.face == face)
            rule = "t9a.charge.blocked-path.effect"
    if contact is None:
        battle.plan((failed_charge, key, "t9a.charge.combined.unfinished" if combined else "t9a.charge.range.success"))
        return
    at = contact.at
    if len(contact.ties) > 1:
        options = [
            Option(str(n), Text("option.align", {"x": round(b.x, 1), "y": round(b.y, 1)}), data=_place(b))
            for n, b in enumerate(contact.ties)
        ]
        answer = yield Choose(unit.side, "ask.align", options, "t9a.charge.align.priority", key, default="0")
        at = contact.ties[int(answer)]
        battle.emit("aligned", "t9a.charge.align.priority", unit=key, x=round(at.x, 2), y=round(at.y, 2))
    before, starts = box(state, unit), rearranging.spots(state, unit)
    land(battle, unit, target, contact, at, rule)
    yield from rearranging.rearrange(battle, unit, "charge", starts, math.inf)
    touched = terrain.touched_by_charge(state, unit, before, box(state, unit), contact.way)
    # What is asked of those who fall on the way comes before what follows the charge.
    battle.plan((completed, key))
    terrain.dangerous(battle, unit, touched)


def ask_facing(battle: Battle[State], unit: Unit, faces: Sequence[Facing], rule: str) -> Steps[Facing]:
    """Which of two facings of its target."""
    options = [Option(face, Text(f"face.{face}")) for face in faces]
    answer: Facing = yield Choose(unit.side, "ask.facing", options, rule, unit.id)
    battle.emit("facing-chosen", rule, unit=unit.id, face=f"face.{answer}")
    return answer


def _place(at: Box) -> dict[str, float]:
    return {"x": at.x, "y": at.y, "facing": at.facing}


def land(
    battle: Battle[State],
    unit: Unit,
    target: Unit,
    contact: charge_ground.Contact,
    at: Box,
    rule: str = "t9a.charge.align.procedure",
) -> None:
    """Charger and target are engaged (t9a.charge.engaged)."""
    state = battle.state
    first = not state.engaged(target.id)
    put(unit, at)
    if contact.turned is not None:
        put(target, contact.turned)
        battle.emit("turned", "t9a.charge.misaligned.target-align", unit=target.id, degrees=round(contact.angle, 1))
    state.pairs.append(Pair(unit.id, target.id, "front", contact.face, contact.flush))
    unit.charging = unit.first = True
    if first:
        target.first = True
    if unit.came:
        battle.emit(
            "out-of-unit", "t9a.char.charge-out.success", "t9a.char.charge-out.spacing", who=unit.id, unit=unit.came
        )
    unit.must_reform = not contact.flush
    target.must_reform = target.must_reform or unit.must_reform
    unit.free = target.free = False
    spacing.note_closeness(state, unit)
    if contact.turned is not None:
        spacing.note_closeness(state, target)
    leaning = contact.turned is not None or not contact.flush
    if contact.way is not None:
        flown = every(state, unit, "t9a.rule.fly")
        battle.emit(
            "charge-way",
            "t9a.charge.move.path",
            "t9a.rule.fly.charge" if flown else "t9a.move.serpentine.charge-align",
            unit=unit.id,
            inches=round(contact.way.first + contact.way.second, 2),
            degrees=round(contact.way.wheel, 1),
        )
    if leaning:
        battle.emit(
            "misaligned", "t9a.charge.misaligned.priority", "t9a.charge.misaligned.projection-line",
            unit=unit.id, degrees=round(contact.angle, 1),
        )  # fmt: skip
    battle.emit(
        "charged",
        "t9a.charge.misaligned.when" if leaning else rule,
        contact.rule,
        "t9a.charge.engaged",
        unit=unit.id,
        target=target.id,
        face=f"face.{contact.face}",
        models=[contact.theirs, contact.mine],
    )


def put(unit: Unit, at: Box) -> None:
    unit.x, unit.y, unit.facing = at.x, at.y, at.facing


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
        reaches = any(
            between(box(state, unit), box(state, state.unit(p.other(key)))) <= 2 * STANDOFF for p in state.pairs_of(key)
        )
        if not reaches and state.applies("t9a.charge.failed.casualties"):
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
    at, how, way = failed_path(state, unit, goal, but=(host.id,) if host is not None else ())
    unit.failed = True
    unit.charging = False
    unit.target = ""
    if host is not None and host.where == "table" and between(at, box(state, host)) <= 1.0 + EPS:
        pool = state.pools[key]
        joining.join(battle, pool, host, "t9a.char.charge-out.failed")
        host.failed, host.declared = True, True
        before = box(state, host)
        at, how, way = failed_path(state, host, goal)
        unit = host
    put(unit, at)
    spacing.note_closeness(state, unit)
    rules = dict.fromkeys((why, *how))
    if unit.close:
        battle.emit("close-by", "t9a.def.spacing.uncontrolled", unit=unit.id, others=list(unit.close))
    battle.emit("failed-charge", *rules, unit=unit.id, x=unit.x, y=unit.y, facing=unit.facing)
    terrain.dangerous(battle, unit, terrain.touched_by_charge(state, unit, before, at, way, failed=True))


def failed_path(
    state: State,
    unit: Unit,
    goal: tuple[float, float],
    but: tuple[str, ...] = (),
    moved: Mapping[str, Box] | None = None,
) -> tuple[Box, tuple[str, ...], Sequence[Leg]]:
    """A wheel towards a place until it lies straight ahead, 90 degrees are reached, the 4" are spent or something is
    about to be touched; then straight on with what is left (t9a.charge.failed.wheel, t9a.charge.failed.advance). Some
    may stand elsewhere by then, where they have `moved`."""
    at, moved = box(state, unit), moved or {}
    rings: list[tuple[str, Ring]] = [
        (other.id, (moved.get(other.id) or box(state, other)).corners())
        for other in state.table()
        if other.id != unit.id and other.id not in but
    ]
    rings += [("edge", ring) for ring in spacing.beyond_edges(state)]
    rocks = [(piece.id, piece.points) for piece in spacing.impassable(state)]
    ghost = every(state, unit, "t9a.rule.ghost-step")
    obstacles = [Obstacle(name, ring) for name, ring in (rings if ghost else [*rings, *rocks])]
    rings += rocks if not ghost or state.applies("t9a.rule.ghost-step.impassable") else []
    legs = manoeuvres.failed_charge(at, *goal, FAILED, obstacles, STANDOFF)
    wheel = next((leg.amount for leg in legs if leg.how == "wheel"), 0.0)
    ahead = next((leg.amount for leg in legs if leg.how == "straight"), 0.0)
    # Only the front counts on the way; where it ends the whole unit may touch nothing (t9a.charge.failed.spacing).
    how = ["t9a.charge.failed.distance"]
    back = flight.back_off(wheeled(at, wheel), ahead, rings, STANDOFF)
    spent = manoeuvres.cost(at.w, legs)
    if back is None or back < ahead - EPS or spent < FAILED - 0.1:
        how.append("t9a.charge.failed.spacing")
    else:
        how.append("t9a.charge.failed.wheel" if wheel else "t9a.charge.failed.advance")
    if back is not None:
        return wheeled(at, wheel).ahead(back), tuple(how), (Leg("wheel", wheel), Leg("straight", back))
    px, py = at.front()[1 if wheel > 0 else 0]
    bars = [
        Bar(*(bar if wheel > 0 else (-bar[1], -bar[0])))
        for _, ring in rings
        for bar in spans.around(at.corners(), px, py, ring, 0.0, min(0.0, wheel), max(0.0, wheel))
    ]
    free = spans.greatest(spans.free(0.0, abs(wheel), bars, apart=0.01), abs(wheel))
    turn = math.copysign(free, wheel) if free else 0.0
    return (wheeled(at, turn) if free else at), tuple(how), (Leg("wheel", turn),)
