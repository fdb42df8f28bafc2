"""The Movement Phase: reform, normal and march moves, and the moves that are made like them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Move, Option
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.space.ranks.manoeuvres import Obstacle, crossings
from umpire.text import Text

from . import command, joining, perils, random_movement, ranged_attacks, rearranging, reforming, spacing, terrain
from .characteristics import mobility, value_of
from .courses import RULES, Budget, Course
from .formation import EPS, Box, Point, box, pivot
from .model_rules import every, has, some
from .move_paths import Manoeuvre
from .state import Moved, Pool, State, Unit


def move_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may make no move action (t9a.move.cannot-move)."""
    facts = {"unit": unit.id}
    if unit.declared:
        yield Reason("t9a.move.cannot-move", "reason.t9a.has-declared", facts)
    if state.engaged(unit.id):
        yield Reason("t9a.move.cannot-move", "reason.t9a.is-engaged", {**facts, "others": state.foes(unit.id)})
    if unit.failed:
        yield Reason("t9a.charge.failed.restrictions", facts=facts)
    if unit.shaken:
        yield Reason("t9a.psych.shaken.restrictions", facts=facts)
        if state.applies("t9a.psych.shaken.restrictions"):
            yield Reason("t9a.move.cannot-move", "reason.t9a.is-shaken", facts)
    if any(state.pools[key].arrived == state.turn and state.pools[key].side == state.active for key in unit.members):
        yield Reason("t9a.rule.ambush.moved", facts=facts)
        if state.applies("t9a.rule.ambush.moved"):
            yield Reason("t9a.move.cannot-move", "reason.t9a.rule.ambush.moved", facts)
    if unit.joined_now:
        yield Reason("t9a.char.join.unit-stops", facts=facts)
    done = next((state.pools[key].moved for key in unit.members if state.pools[key].moved), "")
    done = done if state.phase == "movement" else ""
    if (unit.moved or done) and not unit.declared:
        yield Reason("t9a.move.sequence", facts=facts)
        if done:
            yield Reason("t9a.move.actions", facts={**facts, "action": f"option.{done}"})


def order_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Who moves at random does nothing else, and goes before everybody (t9a.rule.random-movement.move)."""
    if state.phase != "movement":
        return
    first = [u.id for u in state.table(unit.side) if random_movement.must_move(state, u)]
    if unit.id in first:
        yield Reason("t9a.rule.random-movement.move", "reason.t9a.moves-at-random", {"unit": unit.id})
    elif first:
        yield Reason("t9a.rule.random-movement.move", "reason.t9a.random-first", {"unit": unit.id, "others": first})


def may_move(state: State, unit: Unit) -> bool:
    return next(standing(state, move_objections(state, unit)), None) is None


def march_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not march."""
    if every(state, unit, "t9a.rule.emplaced"):
        yield Reason("t9a.rule.emplaced", facts={"unit": unit.id})
    if some(state, unit, "t9a.rule.undead.march") and not command.commanded(state, unit):
        near = command.nearest_presence(state, unit)
        if near is None:
            yield Reason("t9a.rule.undead.march", facts={"unit": unit.id})
        else:
            told = {"unit": unit.id, "other": near[0], "gap": round(near[1], 2), "most": near[2]}
            yield Reason("t9a.rule.undead.march", "reason.t9a.undead.too-far", told)


@step
def compulsory(battle: Battle[State]) -> Steps[None]:
    """Random movers go first, in the order their owner likes (t9a.rule.random-movement.move)."""
    state = battle.state
    todo = [u for u in state.table(state.active) if random_movement.must_move(state, u)]
    if not todo:
        return
    key = todo[0].id
    if len(todo) > 1:
        options = [Option(u.id, None, (u.id,)) for u in todo]
        key = yield Choose(state.active, "ask.random-mover", options, "t9a.rule.random-movement.move")
    battle.plan((random_movement.move, key), compulsory)


@step
def phase(battle: Battle[State]) -> Steps[None]:
    """One unit after another makes one move action, or none (t9a.move.sequence)."""
    state = battle.state
    units = [u for u in state.table(state.active) if may_move(state, u)]
    options = [Option(u.id, None, (u.id,), unit=u.id, drag=True) for u in units]
    for unit in units:
        options += leavers(state, unit)
    if not options:
        return
    options.append(Option("end", Text("option.end-moves"), ends=True))

    def refuse(answer: str) -> list[Reason]:
        unit = state.units.get(answer)
        if unit is not None and unit.where == "table":
            if unit.side != state.active:
                return [Reason("t9a.intro.active-reactive", facts={"unit": answer})]
            return list(move_objections(state, unit))
        if answer.startswith("leave:") and answer[6:] in state.pools:
            return list(leave_objections(state, state.pools[answer[6:]]))
        return []

    answer = yield Choose(
        state.active, "ask.move-unit", options, "t9a.move.sequence", refuse=refuse,
        propose=lambda rng: "end" if rng.below(12) == 0 else options[rng.below(len(options))].id,
    )  # fmt: skip
    if answer == "end":
        return
    if answer.startswith("leave:"):
        answer = stepped_out(battle, state.pools[answer[6:]]).id
    battle.plan((action, answer, 0, ""), phase)


def leavers(state: State, unit: Unit) -> list[Option]:
    """The attached models of a unit that may leave it by a move."""
    if len(unit.members) < 2:
        return []
    return [
        Option(f"leave:{pool.id}", Text("option.leave", {"who": pool.id}), (unit.id,))
        for pool in state.attached(unit)
        if next(standing(state, leave_objections(state, pool)), None) is None
    ]


def stepped_out(battle: Battle[State], pool: Pool) -> Unit:
    """A model that leaves its unit moves by itself; who stays behind may still move (t9a.char.leave.move)."""
    state = battle.state
    other = next(key for key in state.units[pool.unit].members if key != pool.id)
    unit = joining.leave(battle, pool, "t9a.char.leave")
    unit.came = state.pools[other].unit
    battle.emit("leaves", "t9a.char.leave.move", who=pool.id)
    return unit


def stepped_back(battle: Battle[State], unit: Unit) -> bool:
    """Who does not move after all has not left its unit."""
    state = battle.state
    host = state.units.get(unit.came)
    if host is None or host.where != "table":
        return False
    unit.came = ""
    joining.join(battle, state.pools[unit.id], host, "t9a.char.leave.move")
    return True


def leave_objections(state: State, pool: Pool) -> Iterator[Reason]:
    """Why an attached model may not leave its unit (t9a.char.leave)."""
    facts = {"who": pool.id}
    unit = state.units[pool.unit]
    if not pool.attachable or len(unit.members) < 2:
        yield Reason("t9a.char.leave", "reason.t9a.not-joined", facts)
    if has(state, pool, "t9a.rule.attached"):
        yield Reason("t9a.rule.attached", facts=facts)
    if pool.moved:
        yield Reason("t9a.char.leave", "reason.t9a.has-moved", {**facts, "action": f"option.{pool.moved}"})
    yield from move_objections(state, unit)


@step
def special_move(battle: Battle[State], key: str, inches: int, what: str) -> None:
    """A Vanguard or magical move: like a move action, with its own Mobility."""
    battle.push(action, key, inches, what)


@step
def action(battle: Battle[State], key: str, inches: int, what: str) -> Steps[None]:
    """Reform, normal move or march: exactly one (t9a.move.actions)."""
    state = battle.state
    unit = state.unit(key)
    mob = inches or mobility(state, unit)
    refuse = {"march": list(march_objections(state, unit))}
    names: list[str] = ["reform", "normal"]
    if not list(standing(state, refuse["march"])):
        names.append("march")
    options = [
        Option(name, Text(f"option.{name}"), unit=key if name == "normal" else "", drag=name == "normal")
        for name in names
    ]
    if what == "magic":
        options += leavers(state, unit)
    if what:
        options.append(Option("none", Text("option.no-move")))
    answer = yield Choose(
        unit.side, "ask.move-action", options, "t9a.move.actions", key, refuse=refuse, data={"mobility": mob},
        propose=lambda rng: names[-1] if rng.below(3) else names[rng.below(len(names))],
    )  # fmt: skip
    if answer == "none":
        stepped_back(battle, unit)
        return
    if answer.startswith("leave:"):
        # By a magical move too a model may leave its unit, and both have their move (t9a.magic.move.actions).
        own = stepped_out(battle, state.pools[answer[6:]])
        own.magic_moved = True
        battle.plan((action, own.id, inches, what), (action, own.came, inches, what))
        return
    battle.plan((carry_out, key, answer, mob, what))


def went(pool: Pool, kind: Moved) -> None:
    """How a model has moved in this player turn: whoever has marched and makes a magical move besides has marched."""
    if kind and pool.moved != "march":
        pool.moved = kind


@step
def carry_out(battle: Battle[State], key: str, name: str, mob: int, what: str) -> Steps[None]:
    state = battle.state
    unit = state.unit(key)
    kind: Any = name
    budget = Budget(kind, mob, what, 12.0 if what == "vanguard" else 0.0)
    mover = Manoeuvre(state, unit, budget)
    answer = yield Move(
        unit.side, f"ask.{name}", mover, rules=RULES[name], about=key, default={"stay": True},
        data={"action": name, "mobility": mob},
    )  # fmt: skip
    course = mover.plan(answer)
    if course.join:
        most = reforming.reach(state, unit, mob)[0] if kind == "reform" else budget.limit
        yield from joined(battle, unit, course.join, kind, most)
        return
    if answer.get("stay") and stepped_back(battle, unit):
        return
    before = box(state, unit)
    limit = reforming.reach(state, unit, mob)[1]
    starts = rearranging.spots(state, unit)
    unit.x, unit.y, unit.facing = course.end.x, course.end.y, course.end.facing
    files, close = unit.files, set(unit.close)
    if course.files:
        unit.files = course.files
    unit.came = ""
    unit.moved = True
    stayed = bool(answer.get("stay"))
    if not stayed and state.applies("t9a.def.move"):
        # Who has moved since its foes were gone does not follow them up (t9a.melee.no-foe-at-start).
        unit.free = False
    for member in unit.members:
        went(state.pools[member], "" if stayed else kind)
    spacing.note_closeness(state, unit)
    if stayed:
        battle.emit("stayed", "t9a.move.sequence", unit=key)
        return
    rules = [RULES[name]]
    if course.pivot:
        rules.append("t9a.move.pivot.centre")
    elif any(leg.how == "wheel" for leg in course.legs):
        rules.append("t9a.move.serpentine.wheel-cost")
    elif course.legs:
        rules.append("t9a.move.serpentine.distance")
    rules += manner_rules(state, unit, course, name, mob, before, files, limit)
    battle.emit("moved", *rules, unit=key, x=unit.x, y=unit.y, facing=unit.facing, action=f"option.{name}")
    if close & set(unit.close):
        battle.emit("still-close", "t9a.def.spacing.persist", unit=key, others=sorted(close & set(unit.close)))
    passed = course.passed_over(state, unit)
    if passed:
        battle.emit("rear-passes", "t9a.move.serpentine.front-only", unit=key, others=passed)
    if perils.counts_as_march(state, course, budget):
        shift = math.dist(before.centre, course.end.centre)
        battle.emit("counts-as-march", "t9a.rule.light-troops.march", unit=key, inches=round(shift, 2))
    rings = course.swept()
    dangers = perils.of_move(state, unit, course, budget, rings)
    if dangers:
        rules_ = ("t9a.move.during.line-collapse", "t9a.def.contact")
        battle.emit("touched", *rules_, unit=key, terrain=[d.id for d in dangers])
    terrain.dangerous(battle, unit, dangers)
    if unit.where == "table":
        yield from rearranging.rearrange(battle, unit, name, starts, 2 * mob)
    if unit.where == "table" and what != "vanguard":
        yield from ranged_attacks.sweep(battle, unit, rings)


HINDERED = "t9a.rule.light-troops.musician"
MANNERS = ("t9a.rule.fly", "t9a.rule.ghost-step", "t9a.rule.light-troops.reform")
"""Ways of moving that every model of a unit must have."""


def manner_rules(
    state: State, unit: Unit, course: Course, name: str, mob: int, before: Box, files: int, limit: str
) -> list[str]:
    """What let a unit go as it went: over others, through walls, further in a reform, with more files, as fast as its
    slowest model."""
    told: list[str] = []
    first = pivot(course.start, course.pivot) if course.pivot else course.start
    things = [Obstacle(u.id, box(state, u).corners()) for u in state.table() if u.id != unit.id]
    walls = [Obstacle(piece.id, piece.points) for piece in spacing.impassable(state)]
    if every(state, unit, "t9a.rule.fly") and next(crossings(first, course.legs, [*things, *walls]), None):
        told.append("t9a.rule.fly")
    if every(state, unit, "t9a.rule.ghost-step"):
        through = terrain.hull(before.corners(), course.end.corners()) if name == "reform" else ()
        if next(crossings(first, course.legs, walls), None) or any(
            through and spacing.separation(through, wall.ring) < -EPS for wall in walls
        ):
            told.append("t9a.rule.ghost-step")
    if any(some(state, unit, rule) and not every(state, unit, rule) for rule in MANNERS):
        told.append("t9a.rule.unit-with")
    if course.stops:
        told.append("t9a.move.reform.mid-actions")
    if name == "reform":
        if math.dist(before.centre, course.end.centre) > mob / 2 + EPS:
            told.append(limit if limit == HINDERED else "t9a.rule.light-troops.reform")
        if abs(unit.files - files) > 3:
            told.append("t9a.rule.musician")
    if len(unit.members) > 1:
        speeds = {value_of(state, pool, unit, "mob") for pool in state.members(unit)}
        platform = any(has(state, pool, "t9a.rule.war-platform") for pool in state.members(unit))
        if platform and len(speeds) == 1 and state.applies("t9a.rule.war-platform.speed"):
            told.append("t9a.rule.war-platform.speed")
        told.append("t9a.def.profile.unit-values" if len(speeds) > 1 else "t9a.char.combined.move")
    return told


def joined(battle: Battle[State], unit: Unit, key: str, kind: Moved, most: float) -> Steps[None]:
    """The move ends in a unit, in a place that its owner chooses among those that so many inches reach
    (t9a.char.join.displace, t9a.char.join.distance)."""
    state = battle.state
    host = state.unit(key)
    pool = state.pools[unit.members[0]]
    unit.came = ""
    went(pool, kind)
    if not state.applies("t9a.char.join.moved-separately"):
        for member in host.members:
            went(state.pools[member], kind)
    start = box(state, unit)
    places = {spot: joining.spot_in(state, pool, host, *spot) for spot in joining.spots(state, pool, host)}
    ways = {spot: reforming.way_in(state, start, kind, at) for spot, at in places.items() if at is not None}
    file, rank = yield from joining.ask_spot(battle, pool, host, ways, most)
    end = joining.spot_in(state, pool, host, file, rank)
    if kind == "march" and end is not None and not marched_into(battle, unit, start, end):
        return
    beside = yield from joining.displaced_to(battle, pool, host)
    joining.join(battle, pool, host, "t9a.char.join.how", file, rank)
    if beside is not None:
        joining.new_file(battle, host, *beside)
    yield from joining.first_base(battle, host)
    apart = ("t9a.char.join.moved-separately",) if any(not state.pools[k].moved for k in host.members) else ()
    battle.emit("displaced", "t9a.char.join.displace", "t9a.char.join.unit-stops", *apart, who=pool.id, unit=key)
    host.joined_now = True


def marched_into(battle: Battle[State], unit: Unit, start: Box, end: Point) -> bool:
    """A march that ends in a unit has its dangers too (t9a.terrain.dangerous). Has the model survived them?"""
    state = battle.state
    (x, y), (cx, cy) = end, start.centre
    there = start._replace(x=start.x + x - cx, y=start.y + y - cy)
    ground = [terrain.hull(start.corners(), there.corners())]
    if every(state, unit, "t9a.rule.fly"):
        ground = [list(start.corners()), list(there.corners())]
    terrain.dangerous(battle, unit, terrain.touched_by(state, unit, ground))
    return unit.where == "table"
