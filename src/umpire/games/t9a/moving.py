"""The Movement Phase: reform, normal and march moves, and the moves that are made like them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Move, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.text import Text

from . import command, joining, random_movement, ranged_attacks, spacing, terrain
from .characteristics import mobility
from .formation import EPS, Box, box, facing_of, light, pivot, unit_vector, wheel
from .model_rules import every, has, some
from .spacing import clear_of, crowding, near, on_table, separation
from .state import Moved, Pool, State, Unit


def move_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may make no move action (t9a.move.cannot-move)."""
    facts = {"unit": unit.id}
    if unit.declared or state.engaged(unit.id):
        yield Reason("t9a.move.cannot-move", facts=facts)
    if unit.failed:
        yield Reason("t9a.charge.failed.restrictions", facts=facts)
    if unit.shaken:
        yield Reason("t9a.psych.shaken.restrictions", facts=facts)
    if any(state.pools[key].arrived == state.turn and state.pools[key].side == state.active for key in unit.members):
        yield Reason("t9a.rule.ambush.moved", facts=facts)
    if unit.joined_now:
        yield Reason("t9a.char.join.unit-stops", facts=facts)
    if unit.moved and not unit.declared:
        yield Reason("t9a.move.sequence", facts=facts)


def may_move(state: State, unit: Unit) -> bool:
    return next(standing(state, move_objections(state, unit)), None) is None


def march_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not march."""
    if every(state, unit, "t9a.rule.emplaced"):
        yield Reason("t9a.rule.emplaced", facts={"unit": unit.id})
    if some(state, unit, "t9a.rule.undead.march") and not command.commanded(state, unit):
        yield Reason("t9a.rule.undead.march", facts={"unit": unit.id})


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
    options = [Option(u.id, None, (u.id,)) for u in units]
    for unit in units:
        if len(unit.members) > 1:
            options += [
                Option(f"leave:{pool.id}", Text("option.leave", {"who": pool.id}), (unit.id,))
                for pool in state.attached(unit)
                if next(standing(state, leave_objections(state, pool)), None) is None
            ]
    if not options:
        return
    options.append(Option("end", Text("option.end-moves")))

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
        pool = state.pools[answer[6:]]
        unit = joining.leave(battle, pool, "t9a.char.leave")
        answer = unit.id
        battle.emit("leaves", "t9a.char.leave.move", who=pool.id)
    battle.plan((action, answer, 0, ""), phase)


def leave_objections(state: State, pool: Pool) -> Iterator[Reason]:
    """Why an attached model may not leave its unit (t9a.char.leave)."""
    facts = {"who": pool.id}
    unit = state.units[pool.unit]
    if not pool.attachable or len(unit.members) < 2:
        yield Reason("t9a.char.leave", facts=facts)
    if has(state, pool, "t9a.rule.attached"):
        yield Reason("t9a.rule.attached", facts=facts)
    if pool.moved:
        yield Reason("t9a.char.leave", facts=facts)
    yield from move_objections(state, unit)


class Budget(NamedTuple):
    """What a move may do: which action, whose Mobility, and how far no model may go beyond."""

    action: Moved
    mob: float
    special: str
    files: int = 3
    cap: float = 0.0


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
    options = [Option(name, Text(f"option.{name}")) for name in names]
    if what:
        options.append(Option("none", Text("option.no-move")))
    answer = yield Choose(
        unit.side, "ask.move-action", options, "t9a.move.actions", key, refuse=refuse,
        propose=lambda rng: names[-1] if rng.below(3) else names[rng.below(len(names))],
    )  # fmt: skip
    if answer == "none":
        return
    battle.plan((carry_out, key, answer, mob, what))


@step
def carry_out(battle: Battle[State], key: str, name: str, mob: int, what: str) -> Steps[None]:
    state = battle.state
    unit = state.unit(key)
    kind: Any = name
    budget = Budget(kind, mob, what, cap=12.0 if what == "vanguard" else 0.0)
    answer = yield Move(
        unit.side,
        f"ask.{name}",
        lambda a: list(judge(state, unit, budget, a)),
        lambda rng: propose(state, unit, budget, rng),
        RULES[name],
        key,
        default={"stay": True},
        data={"action": name, "mobility": mob},
    )
    way = path_of(state, unit, budget, answer)
    assert way is not None
    before = box(state, unit)
    rings = way.swept or [list(before.corners())]
    unit.x, unit.y, unit.facing = way.end.x, way.end.y, facing_of(way.end.ux, way.end.uy)
    if way.files:
        unit.files = way.files
    unit.moved = True
    for member in unit.members:
        state.pools[member].moved = kind
    spacing.note_closeness(state, unit)
    battle.emit("moved", RULES[name], unit=key, x=unit.x, y=unit.y, facing=unit.facing, action=f"option.{name}")
    marched = name == "march" or (
        name == "reform" and way.shift > mob + EPS and state.applies("t9a.rule.light-troops.march")
    )
    if marched and what != "vanguard":
        if every(state, unit, "t9a.rule.fly"):
            rings = [list(before.corners()), list(way.end.corners())]
        terrain.dangerous(battle, unit, terrain.touched_by(state, unit, rings))
    if unit.where == "table" and not what:
        yield from join_after(battle, unit)
    if unit.where == "table" and what != "vanguard":
        yield from ranged_attacks.sweep(battle, unit, [*rings, list(way.end.corners())])


RULES = {
    "reform": "t9a.move.reform.centre",
    "normal": "t9a.move.normal.advance",
    "march": "t9a.move.march.advance",
}


def join_after(battle: Battle[State], unit: Unit) -> Steps[None]:
    """A model that ends its move close to a friendly unit may join it (t9a.char.join.how)."""
    state = battle.state
    if state.rnf(unit) is not None or len(unit.members) != 1 or state.phase != "movement":
        return
    pool = state.pools[unit.members[0]]
    here = box(state, unit)
    hosts = [
        u
        for u in state.table(unit.side)
        if u.id != unit.id
        and state.rnf(u) is not None
        and near(here, box(state, u), 3.0)
        and separation(here.corners(), box(state, u).corners()) <= 1.5
        and joining.may_join(state, pool, u)
    ]
    if not hosts:
        return
    options = [Option(u.id, None, (u.id,)) for u in hosts] + [Option("alone", Text("option.alone"))]

    def refuse(answer: str) -> list[Reason]:
        host = state.units.get(answer)
        return [] if host is None else list(joining.join_objections(state, pool, host))

    answer = yield Choose(unit.side, "ask.join", options, "t9a.char.join.how", unit.id, refuse=refuse)
    if answer == "alone":
        return
    host = state.unit(answer)
    joining.join(battle, pool, host, "t9a.char.join.how")
    host.joined_now = True


class Way(NamedTuple):
    """A move worked out: where it ends, the ground it sweeps, the distance spent, the greatest turn, the centre's
    shift."""

    end: Box
    swept: list[list[tuple[float, float]]]
    cost: float
    turned: float
    shift: float
    files: int
    pivoted: Box | None = None


def path_of(state: State, unit: Unit, budget: Budget, answer: Any) -> Way | None:
    """The way that an answer describes: {"path": [{"how": "pivot", "degrees"}, {"how": "forward", "inches"}, {"how":
    "wheel", "degrees"}]} (clockwise positive), {"to": {"x", "y", "facing"}, "files"} for a reform, or {"stay":
    true}."""
    at = box(state, unit)
    if answer.get("stay"):
        return Way(at, [], 0.0, 0.0, 0.0, 0)
    if budget.action == "reform":
        return _reformed(state, unit, answer)
    path = answer.get("path")
    if not isinstance(path, list) or not path:
        return None
    start = at
    rings: list[list[tuple[float, float]]] = [list(at.corners())]
    cost = turned = most = 0.0
    pivoted: Box | None = None
    for n, leg in enumerate(path):
        how = leg.get("how")
        amount = leg.get("degrees" if how in ("pivot", "wheel") else "inches")
        if not isinstance(amount, (int, float)) or isinstance(amount, bool):
            return None
        if how == "pivot":
            if n:
                return None
            at = pivot(at, float(amount))
            pivoted = at
            rings.append(list(at.corners()))
        elif how == "forward":
            if amount < 0:
                return None
            there = Box(at.x + at.ux * amount, at.y + at.uy * amount, *at[2:])
            rings.append(terrain.hull(at.corners()[:2], there.corners()[:2]))
            at = there
            cost += amount
        elif how == "wheel":
            there = wheel(at, float(amount))
            half = wheel(at, float(amount) / 2)
            rings.append(terrain.hull(at.corners()[:2], half.corners()[:2]))
            rings.append(terrain.hull(half.corners()[:2], there.corners()[:2]))
            at = there
            cost += wheel_cost(state, at.w, abs(float(amount)))
            turned += amount
            most = max(most, abs(turned), 999.0 if abs(amount) > 90.0 + EPS else 0.0)
        else:
            return None
    rings.append(list(at.corners()))
    cx, cy = start.centre
    ex, ey = at.centre
    return Way(at, rings, cost, most, math.hypot(ex - cx, ey - cy), 0, pivoted)


def _reformed(state: State, unit: Unit, answer: Any) -> Way | None:
    to = answer.get("to")
    if not isinstance(to, dict):
        return None
    at = box(state, unit)
    facing = to.get("facing", unit.facing)
    files = answer.get("files", unit.files)
    if type(files) is not int or not 1 <= files <= 60:
        return None
    for value in (to.get("x"), to.get("y"), facing):
        if not isinstance(value, (int, float)) or isinstance(value, bool) or abs(value) > 1e6:
            return None
    w, d = size_with(state, unit, files)
    ux, uy = unit_vector(float(facing))
    cx, cy = float(to["x"]), float(to["y"])
    end = Box(cx + ux * d / 2, cy + uy * d / 2, ux, uy, w, d)
    ox, oy = at.centre
    return Way(end, [list(at.corners()), list(end.corners())], 0.0, 0.0, math.hypot(cx - ox, cy - oy), files)


def size_with(state: State, unit: Unit, files: int) -> tuple[float, float]:
    """Width and depth with another number of files."""
    from .formation import layout

    before = unit.files
    unit.files = files
    shape = layout(state, unit)
    unit.files = before
    return shape.width, shape.depth


def wheel_cost(state: State, width: float, degrees: float) -> float:
    """The advance of the outer front corner along the old heading (t9a.move.serpentine.wheel-cost)."""
    if state.options.wheel_cost == "chord":
        return 2 * width * math.sin(math.radians(degrees) / 2)
    return width * math.sin(math.radians(min(90.0, degrees)))


def judge(state: State, unit: Unit, budget: Budget, answer: Any) -> Iterator[Reason]:
    """Why a move is illegal."""
    way = path_of(state, unit, budget, answer)
    if way is None:
        yield Reason(RULES[budget.action], "reason.t9a.move.form")
        return
    if answer.get("stay"):
        return
    start = box(state, unit)
    mob = budget.mob
    if budget.action == "reform":
        yield from _reform_reasons(state, unit, budget, way)
    elif budget.action == "march":
        if way.pivoted is not None:
            yield Reason("t9a.move.march.advance", "reason.t9a.move.no-pivot")
        if way.cost > 2 * mob + EPS:
            yield Reason("t9a.move.march.advance", facts={"inches": round(way.cost, 2), "most": 2 * mob})
    elif way.cost > mob + EPS:
        yield Reason("t9a.move.normal.advance", facts={"inches": round(way.cost, 2), "most": mob})
    if way.turned > 90.0 + EPS:
        yield Reason(RULES[budget.action], "reason.t9a.move.turned", {"degrees": round(way.turned, 1)})
    if way.pivoted is not None:
        if not at_front_on_table(state, way.pivoted):
            yield Reason("t9a.def.table-edge.during")
        yield from crowding(state, unit, way.pivoted, 0.5, rule="t9a.move.normal.pivot")
    flying = every(state, unit, "t9a.rule.fly")
    ghost = every(state, unit, "t9a.rule.ghost-step")
    if not flying:
        yield from _on_the_way(state, unit, way, ghost)
    if not on_table(state, way.end):
        yield Reason("t9a.def.table-edge.end")
    yield from crowding(state, unit, way.end, 1.0)
    limit = budget.cap or 2 * mob
    if any(
        min(math.hypot(x - a, y - b) for a, b in start.corners()) > min(2 * mob, limit) + EPS
        for x, y in way.end.corners()
    ):
        rule = "t9a.rule.vanguard.limits" if budget.cap and 2 * mob > budget.cap else "t9a.move.final-position"
        yield Reason(rule, facts={"most": min(2 * mob, limit)})
    if budget.special == "vanguard":
        for foe in state.table(1 - unit.side):
            if separation(way.end.corners(), box(state, foe).corners()) <= 6.0 + EPS:
                yield Reason("t9a.prep.vanguard.limits", facts={"other": foe.id})


def at_front_on_table(state: State, at: Box) -> bool:
    return all(
        -EPS <= x <= state.field.width + EPS and -EPS <= y <= state.field.depth + EPS for x, y in at.corners()[:2]
    )


def _on_the_way(state: State, unit: Unit, way: Way, ghost: bool) -> Iterator[Reason]:
    """Only the front counts on the way; it keeps half an inch (t9a.move.serpentine.front-only,
    t9a.def.spacing.during)."""
    rings = [ring for ring in way.swept[1:-1] if len(ring) > 2]
    for ring in rings:
        for x, y in ring:
            if not (-EPS <= x <= state.field.width + EPS and -EPS <= y <= state.field.depth + EPS):
                yield Reason("t9a.def.table-edge.during")
                return
    for other in state.table():
        if other.id == unit.id:
            continue
        there = box(state, other)
        if not near(way.end, there, 20.0):
            continue
        least = 0.0 if spacing.exempt(state, unit, other.id) else 0.5
        if any(not clear_of(ring, there.corners(), least - EPS) for ring in rings):
            yield Reason("t9a.def.spacing.during", facts={"other": other.id})
    if ghost:
        return
    for piece in spacing.impassable(state):
        least = 0.0 if spacing.exempt(state, unit, piece.id) else 0.5
        if any(not clear_of(ring, piece.points, least - EPS) for ring in rings):
            yield Reason("t9a.terrain.impassable", facts={"other": piece.id})


def _reform_reasons(state: State, unit: Unit, budget: Budget, way: Way) -> Iterator[Reason]:
    """t9a.move.reform.*."""
    mob = budget.mob
    reach = mob / 2
    if light(state, unit):
        reach = 2 * mob
        if hindered(state, unit):
            reach = mob
        undead = list(standing(state, march_objections(state, unit)))
        if undead and state.applies("t9a.rule.light-troops.march"):
            reach = min(reach, mob)
    if way.shift > reach + EPS:
        rule = "t9a.move.reform.centre"
        if light(state, unit):
            rule = "t9a.rule.light-troops.musician" if hindered(state, unit) else "t9a.rule.light-troops.reform"
        yield Reason(rule, facts={"inches": round(way.shift, 2), "most": reach})
    most = 4 if musician(state, unit) else 3
    if abs(way.files - unit.files) > most:
        yield Reason("t9a.move.reform.files", facts={"files": way.files, "most": most})
    yield from formation_reasons(state, unit, way.files)


def hindered(state: State, unit: Unit) -> bool:
    """A musician of an enemy within 3" hinders Light Troops (t9a.rule.light-troops.musician)."""
    if not state.applies("t9a.rule.light-troops.musician"):
        return False
    here = box(state, unit)
    return any(
        not foe.shaken and musician(state, foe) and separation(here.corners(), box(state, foe).corners()) <= 3.0 + EPS
        for foe in state.table(1 - unit.side)
    )


def musician(state: State, unit: Unit) -> bool:
    """t9a.rule.musician."""
    if not state.applies("t9a.rule.musician"):
        return False
    rnf = state.rnf(unit)
    return rnf is not None and rnf.musician


def formation_reasons(state: State, unit: Unit, files: int) -> Iterator[Reason]:
    """No deep, narrow units unless they form Full Ranks (t9a.def.formation.ranks-vs-files)."""
    from .formation import FULL_RANK, height, layout

    before = unit.files
    unit.files = files
    shape = layout(state, unit)
    unit.files = before
    rnf = state.rnf(unit)
    if rnf is not None and files > rnf.count + len(unit.members) - 1:
        yield Reason("t9a.def.formation.files-behind", facts={"files": files})
    if shape.ranks > shape.files and shape.files < FULL_RANK[height(state, unit)]:
        yield Reason("t9a.def.formation.ranks-vs-files", facts={"files": shape.files, "ranks": shape.ranks})


def propose(state: State, unit: Unit, budget: Budget, rng: Rng) -> Any:
    mob = budget.mob
    at = box(state, unit)
    foes = state.table(1 - unit.side)
    if budget.action == "reform":
        cx, cy = at.centre
        reach = mob / 2 if not light(state, unit) else mob
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0, reach)
        facing = unit.facing + rng.uniform(-90, 90) * rng.below(2)
        files = unit.files + (rng.between(-2, 2) if rng.below(2) else 0)
        return {
            "to": {
                "x": round(cx + far * math.cos(angle), 3),
                "y": round(cy + far * math.sin(angle), 3),
                "facing": round(facing % 360.0, 2),
            },
            "files": max(1, files),
        }
    limit = mob if budget.action == "normal" else 2 * mob
    if budget.cap:
        limit = min(limit, budget.cap - 0.01)
    path: list[dict[str, Any]] = []
    if foes and rng.below(4):
        foe = foes[rng.below(len(foes))]
        x, y = at.local(foe.x, foe.y)
        wanted = math.degrees(math.atan2(x, y + at.d / 2))
        if budget.action == "normal" and rng.below(2):
            path.append({"how": "pivot", "degrees": round(max(-80.0, min(80.0, wanted)), 1)})
            wanted = 0.0
        angle = max(-60.0, min(60.0, wanted)) * rng.random()
        cost = wheel_cost(state, at.w, abs(angle))
        if cost < limit and abs(angle) > 3 and abs(x) > 0.5:
            path.append({"how": "wheel", "degrees": round(angle, 1)})
            limit -= cost + 0.05
        gap = max(0.0, math.hypot(x, y) - at.w)
        limit = min(limit, gap)
    share = (1.0, 0.6, 0.3, rng.random())[rng.below(4)]
    path.append({"how": "forward", "inches": round(max(0.0, limit * share) * 0.999, 2)})
    return {"path": path}
