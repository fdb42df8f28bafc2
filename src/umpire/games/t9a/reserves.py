"""Ambush and Hidden: units that are not on the table when the battle begins."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option, Place, a_point
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.space.places import Keep, room
from umpire.space.ranks import standing_room
from umpire.text import Text

from . import casualties, joining, majority, reforming
from .formation import Box, Point, box, layout, still, unit_vector
from .model_rules import every, found, has
from .picture import placed
from .spacing import crowding, impassable, off_table, on_table, separation, within
from .state import Pool, State, Unit


def may_ambush(state: State, unit: Unit) -> bool:
    """Every model has Ambush (t9a.rule.ambush.reserve)."""
    return every(state, unit, "t9a.rule.ambush.reserve")


def waiting(state: State, side: int) -> list[Unit]:
    return [u for u in state.units.values() if u.side == side and u.where == "ambush"]


def keep_back(battle: Battle[State], unit: Unit) -> None:
    unit.where = "ambush"
    battle.emit("ambush", "t9a.rule.ambush.reserve", "t9a.prep.deploy.inactive-before", unit=unit.id)


def set_hidden_aside(battle: Battle[State]) -> None:
    """Hidden models are not deployed normally (t9a.rule.hidden)."""
    for unit in battle.state.units.values():
        if unit.where == "list" and every(battle.state, unit, "t9a.rule.hidden"):
            unit.where = "hidden"
            battle.emit("hidden", "t9a.rule.hidden", unit=unit.id)


@step
def reveal_hidden(battle: Battle[State]) -> Steps[None]:
    """At the start of any player turn a Hidden model may take a place in a unit, the active player's first
    (t9a.rule.hidden.reveal, t9a.def.simultaneous)."""
    state = battle.state
    if len({u.side for u in state.units.values() if u.where == "hidden"}) > 1:
        battle.emit("both-sides", "t9a.def.simultaneous", player=Text(f"side.{state.active}"))
    order = (0, 1) if not state.applies("t9a.def.simultaneous") else (state.active, 1 - state.active)
    for side in order:
        for unit in [u for u in state.units.values() if u.side == side and u.where == "hidden"]:
            pool = state.pools[unit.id]
            hosts = [u for u in state.table(side) if may_hide_in(state, pool, u)]
            if not hosts:
                continue
            options = [Option(u.id, None, (u.id,)) for u in hosts] + [Option("wait", Text("option.wait"))]

            def refuse(answer: str, pool: Pool = pool) -> list[Reason]:
                if answer not in state.units:
                    return []
                return list(hiding_objections(state, pool, state.units[answer]))

            answer = yield Choose(side, "ask.hidden", options, "t9a.rule.hidden", unit.id, refuse=refuse)
            if answer == "wait":
                continue
            host = state.unit(answer)
            rnf = state.rnf(host)
            assert rnf is not None
            files = first_rank(state, host, rnf)
            file = str(files[0])
            if len(files) > 1:
                places = [Option(str(f), Text("option.file", {"file": f + 1}), (host.id,)) for f in files]
                file = yield Choose(side, "ask.hidden-place", places, "t9a.rule.hidden.reveal", unit.id)
            battle.reveal()
            battle.emit("revealed", "t9a.rule.hidden.reveal", "t9a.rule.hidden", who=pool.id, unit=host.id)
            rnf.count -= 1
            majority.settle(rnf)
            rnf.lost = 0 if rnf.profile.hp == 1 else rnf.lost
            joining.join(battle, pool, host, "t9a.rule.hidden.reveal", int(file), 0)


def first_rank(state: State, unit: Unit, rnf: Pool) -> list[int]:
    """The files in which rank-and-file models stand in the first rank."""
    return sorted(cell.file for cell in layout(state, unit).cells if cell.pool == rnf.id and cell.rank == 0)


def hiding_objections(state: State, pool: Pool, unit: Unit) -> Iterator[Reason]:
    """Why a Hidden model may not appear in a unit (t9a.rule.hidden)."""
    rule, facts = "t9a.rule.hidden", {"who": pool.id, "unit": unit.id}
    rnf = state.rnf(unit)
    if rnf is None or rnf.count < 2:
        yield Reason(rule, facts=facts)
        return
    if rnf.profile.base != pool.profile.base:
        (w, d), (w0, d0) = pool.profile.base, rnf.profile.base
        yield Reason(rule, "reason.t9a.hidden.base", {**facts, "base": f"{w:g}x{d:g}", "other": f"{w0:g}x{d0:g}"})
    if rnf.profile.height != pool.profile.height:
        heights = {"height": pool.profile.height, "other": rnf.profile.height}
        yield Reason(rule, "reason.t9a.hidden.height", {**facts, **heights})
    if unit.shaken:
        yield Reason(rule, "reason.t9a.is-shaken", {"unit": unit.id})
    if rnf.summoned:
        yield Reason(rule, "reason.t9a.hidden.summoned", facts)
    if not first_rank(state, unit, rnf):
        yield Reason("t9a.rule.hidden.reveal", facts=facts)
    yield from joining.join_objections(state, pool, unit, deploying=True)


def may_hide_in(state: State, pool: Pool, unit: Unit) -> bool:
    return next(standing(state, hiding_objections(state, pool, unit)), None) is None


@step
def arrivals(battle: Battle[State]) -> Steps[None]:
    """Ambush rolls at the start of the Movement Phase from the owner's second turn on (t9a.rule.ambush.roll)."""
    state = battle.state
    side = state.active
    units = waiting(state, side)
    if not units or (state.turn < 2 and state.applies("t9a.rule.ambush.roll")):
        return
    yield from gather(battle, units)
    arriving: list[str] = []
    for unit in waiting(state, side):
        face = battle.roll(1, "ambush", "t9a.rule.ambush.roll", side=side, who=unit.id, need=3).faces[0]
        if face >= 3 or state.turn >= 5:
            arriving.append(unit.id)
    battle.plan(*[(arrive, key) for key in arriving])


def gather(battle: Battle[State], units: list[Unit]) -> Steps[None]:
    """Attachable models in Ambush may arrive with a unit of the same X, each turn with another, or alone
    (t9a.rule.ambush.attachable)."""
    state = battle.state
    for pool in [state.pools[key] for unit in units for key in unit.members if state.pools[key].attachable]:
        now = state.units[pool.unit]
        own = state.units[pool.id]
        if now.id == own.id and len(now.members) > 1:
            continue
        with_it = now.id != own.id
        part_from(state, pool)
        hosts = [
            u
            for u in units
            if u.id != own.id
            and u.where == "ambush"
            and state.rnf(u) is not None
            and manner(state, u) == manner(state, own)
            and joining.may_join(state, pool, u, deploying=True)
        ]
        options = [Option(u.id, None, (u.id,)) for u in hosts]
        if not has(state, pool, "t9a.rule.attached") or not hosts:
            options.append(Option("alone", Text("option.alone")))
        answer = now.id if with_it and now in hosts else options[0].id
        if len(options) > 1:
            answer = yield Choose(own.side, "ask.ambush-with", options, "t9a.rule.ambush.attachable", own.id)
        if answer != "alone":
            joining.join(battle, pool, state.unit(answer), "t9a.rule.ambush.attachable")


def part_from(state: State, pool: Pool) -> None:
    """Before it has arrived a model is free to part from the unit that it waits with."""
    unit, own = state.units[pool.unit], state.units[pool.id]
    if unit.id == own.id:
        return
    unit.members = tuple(key for key in unit.members if key != pool.id)
    own.where, own.host, own.members, own.files = "ambush", "", (pool.id,), 1
    pool.unit = pool.id
    pool.file = pool.rank = -1


def manner(state: State, unit: Unit) -> str:
    """The X of Ambush (X): where the point must lie."""
    for pool in state.members(unit):
        for rule in found(state, pool, "t9a.rule.ambush.reserve"):
            return rule.words[0] if rule.words else "table-edge"
    return "table-edge"


def point_objections(state: State, unit: Unit, point: Any) -> Iterator[Reason]:
    """Where the ambushers may come from: a point that meets X (t9a.rule.ambush.point)."""
    if "models" in point:
        yield Reason("t9a.rule.ambush.point", "reason.t9a.deploy.form")
        return
    x, y = float(point["x"]), float(point["y"])
    edge = min(x, y, state.field.width - x, state.field.depth - y)
    if manner(state, unit) == "table-edge" and abs(edge) > 1e-3:
        yield Reason("t9a.rule.ambush.point", facts={"gap": round(edge, 2)})
    elif edge < -1e-3:
        yield Reason("t9a.def.table-edge.end")


def arrival_objections(state: State, unit: Unit, point: tuple[float, float], answer: Any) -> Iterator[Reason]:
    """Three corners within 6" of the point, nothing between (t9a.rule.ambush.placement)."""
    if "models" in answer:
        yield Reason("t9a.rule.ambush.placement", "reason.t9a.deploy.form")
        return
    px, py = point
    files = answer.get("files", unit.files)
    if not 1 <= files <= 99:
        yield Reason("t9a.def.formation.files-behind", facts={"files": files, "models": 99})
        return
    at = reforming.there(state, unit, answer, 0.0)
    yield from reforming.formation_reasons(state, unit, files)
    if not on_table(state, at):
        yield Reason("t9a.def.table-edge.end", "reason.t9a.off-table", {"inches": round(off_table(state, at), 2)})
    near = sum(within(math.hypot(x - px, y - py), 6.0) for x, y in at.corners())
    if near < 3:
        yield Reason("t9a.rule.ambush.placement", facts={"corners": near})
    yield from crowding(state, unit, at, 1.0)
    for other in state.table():
        if other.id != unit.id and _between(at, point, box(state, other).corners()):
            yield Reason("t9a.rule.ambush.placement", "reason.t9a.ambush.between", {"other": other.id})
    for piece in state.field.terrain:
        if piece.kind == "impassable" and _between(at, point, piece.points):
            yield Reason("t9a.rule.ambush.placement", "reason.t9a.ambush.between", {"other": piece.id})


def _between(at: Box, point: tuple[float, float], ring: Any) -> bool:
    """Does something lie between any part of a boundary and the point? The triangles from the point to each side."""
    corners = at.corners()
    for axis in (0, 1):
        mine, theirs = [point[axis], *(c[axis] for c in corners)], [p[axis] for p in ring]
        if min(theirs) > max(mine) or max(theirs) < min(mine):
            return False
    for k in range(4):
        triangle = (corners[k - 1], corners[k], point)
        area = abs(
            (triangle[1][0] - triangle[0][0]) * (triangle[2][1] - triangle[0][1])
            - (triangle[2][0] - triangle[0][0]) * (triangle[1][1] - triangle[0][1])
        )
        if area > 1e-6 and separation(triangle, ring) < -1e-6:
            return True
    return False


@step
def arrive(battle: Battle[State], key: str) -> Steps[None]:
    """A point of its owner's choice, then a place near it; the unit counts as having made a normal move
    (t9a.rule.ambush.moved)."""
    state = battle.state
    unit = state.unit(key)
    found = battle.know(lambda: still(state, lambda: arrival(state, unit)))
    if found is None:
        battle.emit("no-arrival", "t9a.rule.ambush.point", unit=key)
        return
    point, place = found

    def fits(wish: Any) -> list[Reason]:
        reasons = list(point_objections(state, unit, wish))
        there = (float(wish["x"]), float(wish["y"])) if not reasons else None
        if there is not None and still(state, lambda: arrival(state, unit, there)) is None:
            reasons.append(Reason("t9a.rule.ambush.point", "reason.t9a.ambush.nowhere"))
        return reasons

    spot = yield Place(
        unit.side,
        "ask.ambush-point",
        fits,
        lambda rng: _spot(*random_point(state, rng)),
        "t9a.rule.ambush.point",
        key,
        default=_spot(*point),
        nearest=partial(_near, _spot(*point)),
        form=a_point(),
    )
    point = (float(spot["x"]), float(spot["y"]))
    near = battle.know(lambda: still(state, lambda: arrival(state, unit, point)))
    place = near[1] if near is not None else place
    answer = yield Place(
        unit.side,
        "ask.arrive",
        lambda wish: still(state, lambda: list(arrival_objections(state, unit, point, wish))),
        lambda rng: shifted(state, unit, point, rng),
        "t9a.rule.ambush.placement",
        key,
        default=place,
        ends=lambda wish: placed(state, unit, wish, 0.0),
        form=reforming.form_of(state, unit),
    )
    unit.x, unit.y = float(answer["x"]), float(answer["y"])
    unit.files = int(answer.get("files", unit.files))
    unit.facing = float(answer.get("facing", 0.0)) % 360.0
    unit.where = "table"
    unit.moved = True
    unit.hp_start = sum(state.pools[m].hp for m in unit.members)
    for member in unit.members:
        pool = state.pools[member]
        pool.arrived = state.turn
        if state.applies("t9a.rule.ambush.moved"):
            pool.moved = "normal"
    cite = "t9a.rule.ambush.turn-six" if state.turn == 6 else "t9a.rule.ambush.placement"
    battle.emit("arrived", "t9a.rule.ambush.moved", cite, unit=key, x=unit.x, y=unit.y, facing=unit.facing)


def _near(known: dict[str, float], wish: Any) -> dict[str, float]:
    """Of points by which there is room one is known."""
    return known


def _spot(x: float, y: float) -> dict[str, float]:
    return {"x": round(x, 3), "y": round(y, 3)}


def random_point(state: State, rng: Rng) -> tuple[float, float]:
    wide, deep = state.field.width, state.field.depth
    along = rng.uniform(0.0, 2 * (wide + deep))
    return edge_point(state, along)


def edge_point(state: State, along: float) -> tuple[float, float]:
    """A point so far along the table's edge, from the near left corner."""
    wide, deep = state.field.width, state.field.depth
    for length, x, y, dx, dy in ((wide, 0.0, 0.0, 1, 0), (deep, wide, 0.0, 0, 1), (wide, wide, deep, -1, 0)):
        if along <= length:
            return x + dx * along, y + dy * along
        along -= length
    return 0.0, max(0.0, deep - along)


def inward(state: State, point: tuple[float, float]) -> float:
    """The facing that looks from an edge into the table."""
    x, y = point
    gaps = {0.0: y, 180.0: state.field.depth - y, 90.0: x, 270.0: state.field.width - x}
    return min(gaps, key=lambda facing: gaps[facing])


def shifted(state: State, unit: Unit, point: tuple[float, float], rng: Rng) -> Any:
    """A place near a point: facing inwards or along, a little aside."""
    shape = layout(state, unit)
    facing = inward(state, point) + rng.choice((0.0, 0.0, 180.0, 90.0, 270.0))
    ux, uy = unit_vector(inward(state, point))
    aside, off = rng.uniform(-3.0, 3.0), rng.uniform(0.02, 2.0)
    fx, fy = unit_vector(facing)
    deep = shape.depth if abs(fx * ux + fy * uy) > 0.5 else shape.width
    cx, cy = point[0] + ux * (off + deep / 2) + uy * aside, point[1] + uy * (off + deep / 2) - ux * aside
    return {
        "x": round(cx + fx * shape.depth / 2, 3),
        "y": round(cy + fy * shape.depth / 2, 3),
        "facing": facing % 360.0,
    }


Arrival = tuple[Point, dict[str, float]]


def arrival(state: State, unit: Unit, point: Point | None = None) -> Arrival | None:
    """A point of the edge and a place by it; None if there is none. What is tried first proposes; that there is none is
    worked out (t9a.rule.ambush.point)."""
    around = 2 * (state.field.width + state.field.depth)
    points = [point] if point is not None else [edge_point(state, float(n)) for n in range(0, int(around), 2)]
    for spot in points:
        for wish in _proposals(state, unit, spot):
            if next(standing(state, arrival_objections(state, unit, spot, wish)), None) is None:
                return spot, wish
    if point is not None:
        place = room_by(state, unit, point)
        return None if place is None else (point, place)
    if not anywhere(state, unit):
        return None
    stack = [(0.0, around)]
    while stack:
        low, high = stack.pop()
        spot, half = edge_point(state, (low + high) / 2), (high - low) / 2
        if half <= NARROW:
            place = room_by(state, unit, spot)
            if place is not None:
                return spot, place
        elif half > 3.0 or room_by(state, unit, spot, half) is not None:
            stack += [((low + high) / 2, high), (low, (low + high) / 2)]
    return None


def anywhere(state: State, unit: Unit) -> bool:
    """Is there room for the unit on the table at all?"""
    wide, deep = state.field.width, state.field.depth
    keeps = [Keep(box(state, other).corners(), 1.0) for other in state.table() if other.id != unit.id]
    keeps += [Keep(piece.points, 1.0) for piece in impassable(state)]
    table = ((0.0, 0.0), (wide, 0.0), (wide, deep), (0.0, deep))
    for files in reforming.formations(state, unit):
        w, d, _ = reforming.with_files(state, unit, files)
        if standing_room.place(w, d, table, keeps, (0.0, 0.0), 0.0) is not None:
            return True
    return False


NARROW = 0.001
"""Inches: points of the edge closer than this are held alike."""


def _proposals(state: State, unit: Unit, point: Point) -> Iterator[dict[str, float]]:
    """Places by a point of the edge: looking inwards, back and aside, a little off it and aside of it."""
    shape = layout(state, unit)
    ux, uy = unit_vector(inward(state, point))
    for turn in (0.0, 90.0, 180.0, 270.0):
        facing = (inward(state, point) + turn) % 360.0
        fx, fy = unit_vector(facing)
        thick = shape.depth if turn in (0.0, 180.0) else shape.width
        for off in (0.02, 1.0, 2.0):
            for aside in (0.0, 1.5, -1.5, 3.0, -3.0):
                cx = point[0] + ux * (off + thick / 2) + uy * aside
                cy = point[1] + uy * (off + thick / 2) - ux * aside
                x, y = round(cx + fx * shape.depth / 2, 3), round(cy + fy * shape.depth / 2, 3)
                yield {"x": x, "y": y, "facing": facing}


def room_by(state: State, unit: Unit, point: Point, slack: float = 0.0) -> dict[str, float] | None:
    """A place by a point in any formation, at any facing; with `slack` something that there is at least if there is a
    place by any point within so many inches: corners may be further off, and things between are so much narrower."""
    wide, deep = state.field.width, state.field.depth
    rings = [box(state, other).corners() for other in state.table() if other.id != unit.id]
    rings += [tuple(piece.points) for piece in impassable(state)]  # type: ignore[misc]
    keeps = [Keep(ring, 1.0) for ring in rings]
    square = ((-slack, -slack), (slack, -slack), (slack, slack), (-slack, slack))
    between = rings if not slack else [ring for r in rings if len(ring := tuple(room(square, r))) > 2]
    near = standing_room.Near(*point, 6.0 + slack, tuple(between))
    table = ((0.0, 0.0), (wide, 0.0), (wide, deep), (0.0, deep))
    for files in reforming.formations(state, unit):
        w, d, _ = reforming.with_files(state, unit, files)
        found = standing_room.place(w, d, table, keeps, point, inward(state, point), near)
        if found is not None:
            return {"x": found[0], "y": found[1], "facing": found[2], "files": files}
    return None


@step
def never_arrived(battle: Battle[State]) -> None:
    """Reserves that have not arrived by the end are casualties (t9a.rule.ambush.never)."""
    state = battle.state
    for unit in list(state.units.values()):
        if unit.where == "ambush" and state.applies("t9a.rule.ambush.never"):
            casualties.remove_unit(battle, unit, "t9a.rule.ambush.never")
        elif unit.where == "hidden" and state.options.hidden_never == "casualty":
            casualties.remove_unit(battle, unit, "t9a.rule.hidden")
