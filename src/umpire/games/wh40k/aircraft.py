"""Aircraft in every phase: minimum moves, leaving and coming back, how others pass them (move.aircraft-*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k import actions
from umpire.games.wh40k.characteristics import value
from umpire.games.wh40k.damage import destroyed
from umpire.games.wh40k.measuring import settle
from umpire.games.wh40k.moving import Mover
from umpire.games.wh40k.placing import set_up_reasons
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.units import embarked, take_off
from umpire.miniatures.loose.bodies import half_width
from umpire.space.angles import sin_cos
from umpire.space.havens import has_haven
from umpire.space.shapes import TOLERANCE

NOT_FLYERS = "wh40k.detachment.flyer-vs-fly"
"""An Aircraft is what has that keyword; the role Flyer and the keyword Fly make none."""


def least(state: State, unit: Unit) -> float:
    """wh40k.move.aircraft-minimum: how far it must go; what changes its M changes this too
    (wh40k.move.aircraft-two-moves)."""
    if not unit.has("aircraft") or not state.applies("wh40k.move.aircraft-minimum"):
        return 0.0
    model = unit.models[0]
    minimum = unit.row(model).m_min
    if not minimum:
        return 0.0
    return float(
        value(state, unit, model, "m", base=minimum) if state.applies("wh40k.move.aircraft-two-moves") else minimum
    )


def must_still_move(state: State, side: int) -> list[Unit]:
    """Aircraft that have not moved, where a table does not let those stand still that have a minimum Move."""
    if state.options.aircraft == "may-stay":
        return []
    able = [u for u in state.army(side) if least(state, u) and "moved" not in u.acts]
    return [u for u in able if not any(mark in u.marks for mark in ("arrived", "redeployed"))]


def free_to_move(state: State, unit: Unit) -> bool:
    """Engaged, and yet free to make a Normal Move or Advance: an Aircraft, or a unit that only Aircraft engage."""
    if unit.has("aircraft") and state.applies("wh40k.move.aircraft-engaged-move"):
        return True
    only = all(state.unit(key).has("aircraft") for key in unit.engaged)
    return only and state.applies("wh40k.move.engaged-by-aircraft-only")


def can_complete(mover: Mover) -> bool:
    """wh40k.move.aircraft-leaves: is there any end at least the minimum away? Proved by the havens of its ring: where
    it may end lies outside the circle of its minimum."""
    if not mover.limits.least:
        return True
    m = mover.unit.models[0]
    far, least_far = mover.limits.allowance, mover.limits.least
    off = [*mover.kept_off(m), (m.x, m.y, least_far)]
    return has_haven(m.x, m.y, m.q, far, mover.solid(), (), off, (mover.width, mover.depth))


def flight(mover: Mover, rng: Rng) -> Any:
    """A straight flight of a length that will do."""
    unit = mover.unit
    low, high = mover.limits.least, mover.limits.allowance
    for _ in range(24):
        s, c = sin_cos(rng.uniform(0, 360))
        far = rng.uniform(low, high)
        wish = {"to": {"x": round(unit.cx + s * far, 3), "y": round(unit.cy + c * far, 3)}}
        if mover.fits(wish):
            return wish
    return {"stay": True}


# -- leaving -------------------------------------------------------------------------------------------------------


def edge_gap(state: State, m: Model) -> float:
    """How far a model is from the nearest edge of the battlefield."""
    return max(
        0.0,
        min(
            m.x - half_width(m, -1.0, 0.0),
            m.y - half_width(m, 0.0, -1.0),
            state.width - m.x - half_width(m, 1.0, 0.0),
            state.depth - m.y - half_width(m, 0.0, 1.0),
        ),
    )


def leave_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """wh40k.reserves.aircraft.leave: only if a move can bring it to an edge."""
    facts = {"unit": unit.id}
    if unit.where != "table":
        yield Reason("wh40k.core.on-the-battlefield", "", facts)
        return
    if not unit.has("aircraft"):
        alike = unit.has("fly") or unit.sheet.role == "flyer"
        yield Reason(NOT_FLYERS if alike and state.applies(NOT_FLYERS) else "wh40k.core.battlefield-edge", "", facts)
        return
    if "moved" in unit.acts:
        yield Reason("wh40k.move.select-unit", "", facts)
    yield from set_up_reasons(state, unit)
    far = float(value(state, unit, unit.models[0], "m"))
    gap = edge_gap(state, unit.models[0])
    if gap > far + TOLERANCE:
        yield Reason("wh40k.reserves.aircraft.leave", "", {**facts, "gap": round(gap, 3), "inches": far})


def may_leave(state: State, unit: Unit) -> bool:
    return state.applies("wh40k.reserves.aircraft.leave") and (
        next(standing(state, leave_objections(state, unit)), None) is None
    )


@step
def leave(battle: WhBattle, key: str) -> Steps[None]:
    """It flies off the table, whoever is aboard with it, and pays nothing."""
    unit = battle.state.unit(key)
    unit.act("moved")
    unit.move = "normal"
    actions.fails(battle, unit, "leaves")
    go_off(battle, unit, "wh40k.reserves.aircraft.leave")
    return
    yield


def forced_off(battle: WhBattle, unit: Unit) -> None:
    """wh40k.reserves.aircraft.forced: it cannot in any way complete its minimum move."""
    go_off(battle, unit, "wh40k.reserves.aircraft.forced")


def go_off(battle: WhBattle, unit: Unit, rule: str) -> None:
    """Into strategic reserves, with all aboard; where a mission knows none, it is destroyed with them
    (wh40k.move.aircraft-no-reserves-mission)."""
    state = battle.state
    aboard = embarked(state, unit)
    if not state.mission.reserves and state.applies("wh40k.move.aircraft-no-reserves-mission"):
        for lost in (unit, *aboard):
            destroyed(battle, lost, "")
        battle.emit("lost-in-the-air", "wh40k.move.aircraft-no-reserves-mission", unit=unit.id)
    else:
        take_off(state, unit, "reserve")
        if not state.applies("wh40k.reserves.aircraft.passengers"):
            for left in aboard:
                destroyed(battle, left, "")
        rules = [rule, "wh40k.move.aircraft-leaves"]
        if aboard:
            rules.append("wh40k.reserves.aircraft.passengers")
        battle.emit("left", *rules, unit=unit.id, passengers=[u.id for u in aboard])
    settle(state)
