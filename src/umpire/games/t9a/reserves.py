"""Ambush and Hidden: units that are not on the table when the battle begins."""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option, Place
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.text import Text

from . import casualties, joining
from .formation import Box, box, layout, unit_vector
from .model_rules import every, found
from .spacing import crowding, on_table, separation
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
    for side in (state.active, 1 - state.active):
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
            battle.reveal()
            battle.emit("revealed", "t9a.rule.hidden.reveal", "t9a.rule.hidden", who=pool.id, unit=host.id)
            rnf.count -= 1
            rnf.lost = 0 if rnf.profile.hp == 1 else rnf.lost
            joining.join(battle, pool, host, "t9a.rule.hidden.reveal")


def hiding_objections(state: State, pool: Pool, unit: Unit) -> Any:
    facts = {"who": pool.id, "unit": unit.id}
    rnf = state.rnf(unit)
    if (
        rnf is None
        or rnf.profile.base != pool.profile.base
        or rnf.profile.height != pool.profile.height
        or rnf.count < 2
        or unit.shaken
        or rnf.summoned
    ):
        yield Reason("t9a.rule.hidden", facts=facts)
    else:
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
    """Attachable models in Ambush may arrive with a unit of the same X (t9a.rule.ambush.attachable)."""
    state = battle.state
    for unit in units:
        if state.rnf(unit) is not None or len(unit.members) != 1 or unit.where != "ambush":
            continue
        pool = state.pools[unit.id]
        hosts = [
            u
            for u in units
            if u.id != unit.id
            and u.where == "ambush"
            and state.rnf(u) is not None
            and manner(state, u) == manner(state, unit)
            and joining.may_join(state, pool, u, deploying=True)
        ]
        if not hosts:
            continue
        options = [Option(u.id, None, (u.id,)) for u in hosts] + [Option("alone", Text("option.alone"))]
        answer = yield Choose(unit.side, "ask.ambush-with", options, "t9a.rule.ambush.attachable", unit.id)
        if answer != "alone":
            joining.join(battle, pool, state.unit(answer), "t9a.rule.ambush.attachable")


def manner(state: State, unit: Unit) -> str:
    """The X of Ambush (X): where the point must lie."""
    for pool in state.members(unit):
        for rule in found(state, pool, "t9a.rule.ambush.reserve"):
            return rule.words[0] if rule.words else "table-edge"
    return "table-edge"


def where_from(answer: Any) -> tuple[float, float]:
    point = answer.get("point") or {}
    return float(point.get("x", answer.get("x", 0.0))), float(point.get("y", answer.get("y", 0.0)))


def arrival_objections(state: State, unit: Unit, answer: Any) -> Any:
    """Three corners within 6" of the point, nothing between (t9a.rule.ambush.point, t9a.rule.ambush.placement)."""
    if "models" in answer or not _point_ok(answer):
        yield Reason("t9a.rule.ambush.placement", "reason.t9a.deploy.form")
        return
    px, py = where_from(answer)
    wide, deep = state.field.width, state.field.depth
    edge = min(px, py, wide - px, deep - py)
    if manner(state, unit) == "table-edge" and abs(edge) > 1e-3:
        yield Reason("t9a.rule.ambush.point", facts={"gap": round(edge, 2)})
    shape = layout(state, unit)
    ux, uy = unit_vector(float(answer.get("facing", 0.0)))
    at = Box(float(answer["x"]), float(answer["y"]), ux, uy, shape.width, shape.depth)
    if not on_table(state, at):
        yield Reason("t9a.def.table-edge.end")
    near = sum((x - px) ** 2 + (y - py) ** 2 <= 36.0 + 1e-6 for x, y in at.corners())
    if near < 3:
        yield Reason("t9a.rule.ambush.placement", facts={"corners": near})
    yield from crowding(state, unit, at, 1.0)
    hull = [*at.corners(), (px, py)]
    for other in state.table():
        if other.id != unit.id and _between(hull, at, (px, py), box(state, other).corners()):
            yield Reason("t9a.rule.ambush.placement", "reason.t9a.ambush.between", {"other": other.id})
    for piece in state.field.terrain:
        if piece.kind == "impassable" and _between(hull, at, (px, py), piece.points):
            yield Reason("t9a.rule.ambush.placement", "reason.t9a.ambush.between", {"other": piece.id})


def _point_ok(answer: Any) -> bool:
    if not isinstance(answer.get("x"), (int, float)) or not isinstance(answer.get("y"), (int, float)):
        return False
    point = answer.get("point")
    if point is None:
        return True
    return isinstance(point, dict) and all(isinstance(point.get(k), (int, float)) for k in ("x", "y"))


def _between(hull: list[Any], at: Box, point: tuple[float, float], ring: Any) -> bool:
    """Does something lie between any part of a boundary and the point? The triangles from the point to each side."""
    corners = at.corners()
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
    """The unit is placed near a point of its owner's choice; it counts as having made a normal move
    (t9a.rule.ambush.moved)."""
    state = battle.state
    unit = state.unit(key)

    def propose(rng: Rng) -> Any:
        return arrival_near(state, unit, rng)

    place = Place(
        unit.side,
        "ask.arrive",
        lambda answer: list(arrival_objections(state, unit, answer)),
        propose,
        "t9a.rule.ambush.placement",
        key,
    )
    default = None
    rng = Rng(state.dice.state & 0xFFFF)
    for _ in range(80):
        wish = propose(rng)
        if not list(standing(state, arrival_objections(state, unit, wish))):
            default = wish
            break
    if default is None:
        battle.emit("no-arrival", "t9a.rule.ambush.point", unit=key)
        return
    place.default = default
    answer = yield place
    unit.x, unit.y = float(answer["x"]), float(answer["y"])
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


def arrival_near(state: State, unit: Unit, rng: Rng) -> Any:
    wide, deep = state.field.width, state.field.depth
    shape = layout(state, unit)
    edge = rng.below(4)
    along = rng.uniform(3.0, (wide if edge < 2 else deep) - 3.0)
    off = shape.depth + rng.uniform(0.05, 1.0)
    if edge == 0:
        point, spot, facing = (along, 0.0), (along, off), 0.0
    elif edge == 1:
        point, spot, facing = (along, deep), (along, deep - off), 180.0
    elif edge == 2:
        point, spot, facing = (0.0, along), (off, along), 90.0
    else:
        point, spot, facing = (wide, along), (wide - off, along), 270.0
    return {
        "x": round(spot[0], 3),
        "y": round(spot[1], 3),
        "facing": facing,
        "point": {"x": round(point[0], 3), "y": round(point[1], 3)},
    }


@step
def never_arrived(battle: Battle[State]) -> None:
    """Reserves that have not arrived by the end are casualties (t9a.rule.ambush.never)."""
    state = battle.state
    for unit in list(state.units.values()):
        if unit.where == "ambush" and state.applies("t9a.rule.ambush.never"):
            casualties.remove_unit(battle, unit, "t9a.rule.ambush.never")
        elif unit.where == "hidden" and state.options.hidden_never == "casualty":
            casualties.remove_unit(battle, unit, "t9a.rule.hidden")
