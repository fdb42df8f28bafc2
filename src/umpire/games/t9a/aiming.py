"""Whom and what ground a spell may be aimed at (magic.cast.targets, magic.range)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpire.engine.decisions import Place, a_point
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.space.spans import Ring

from . import sight
from .formation import EPS, Cell, between_two, box, layout, still
from .profiles import Spell
from .spacing import separation, within
from .state import Pool, State, Unit


def casters(state: State, side: int) -> list[Pool]:
    return [
        pool
        for pool in state.pools.values()
        if pool.side == side
        and pool.count > 0
        and (pool.spells or pool.bound)
        and state.units[pool.unit].where == "table"
    ]


def caster_cell(state: State, pool: Pool) -> Cell | None:
    return next((c for c in layout(state, state.units[pool.unit]).cells if c.pool == pool.id), None)


def conclave_cells(state: State, pool: Pool) -> list[Cell]:
    """The models of a conclave, any of whom may cast (t9a.rule.wizard.conclave.caster)."""
    return [c for c in layout(state, state.units[pool.unit]).cells if c.pool == pool.id]


def not_meant(state: State, pool: Pool, spell: Spell, unit: Unit) -> Iterator[Reason]:
    """Whom a spell is not for: friends or enemies, or those who are engaged."""
    facts: dict[str, Any] = {"target": unit.id, "spell": dict(spell.names)}
    if spell.whom != "any" and (unit.side == pool.side) != (spell.whom == "friend"):
        yield Reason("t9a.magic.cast.declare", "reason.t9a.spell.whom", facts)
    elif not spell.engaged and state.engaged(unit.id):
        yield Reason("t9a.magic.cast.declare", "reason.t9a.spell.engaged", facts)


def target_objections(state: State, pool: Pool, spell: Spell, unit: Unit, cell: Cell | None = None) -> Iterator[Reason]:
    """Why a unit may not be the target of a spell; `cell`: the model of a conclave that casts."""
    own = state.units[pool.unit]
    facts: dict[str, Any] = {"target": unit.id, "spell": dict(spell.names)}
    meant_for = list(not_meant(state, pool, spell, unit))
    yield from meant_for
    if any(reason.key == "reason.t9a.spell.whom" for reason in meant_for):
        return
    cell = cell or caster_cell(state, pool)
    gap = 0.0
    if unit.id != own.id:
        key = ("caster", pool.id, cell)
        gap = between_two(state, key, own, unit, lambda: caster_gap(state, own, cell, box(state, unit).corners()))
    if not within(gap, spell.range):
        yield Reason(
            "t9a.magic.cast.declare", "reason.t9a.spell.range", {**facts, "gap": round(gap, 2), "most": spell.range}
        )
    if spell.sight and unit.id != own.id and cell is not None and not sight.sees(state, own, unit, [cell]):
        yield Reason("t9a.magic.cast.declare", "reason.t9a.spell.sight", facts)
        yield from sight.unseen(state, own, unit)


def caster_gap(state: State, own: Unit, cell: Cell | None, there: Ring) -> float:
    at = box(state, own)
    if cell is None:
        return max(0.0, separation(at.corners(), there))
    ring = [
        at.world(cell.x0, cell.y0),
        at.world(cell.x1, cell.y0),
        at.world(cell.x1, cell.y1),
        at.world(cell.x0, cell.y1),
    ]
    return max(0.0, separation(ring, there))


def spell_targets(state: State, pool: Pool, spell: Spell, cell: Cell | None = None) -> list[Unit]:
    return list(each_target(state, pool, spell, cell))


def each_target(state: State, pool: Pool, spell: Spell, cell: Cell | None = None) -> Iterator[Unit]:
    return (unit for unit in meant(state, pool, spell) if may_target(state, pool, spell, unit, cell))


def meant(state: State, pool: Pool, spell: Spell) -> list[Unit]:
    """The units that a spell is meant for, near or far."""
    side = None
    if spell.whom != "any" and state.applies("t9a.magic.cast.declare"):
        side = pool.side if spell.whom == "friend" else 1 - pool.side
    return state.table(side)


def may_target(state: State, pool: Pool, spell: Spell, unit: Unit, cell: Cell | None = None) -> bool:
    return next(standing(state, target_objections(state, pool, spell, unit, cell)), None) is None


def point_objections(state: State, pool: Pool, spell: Spell, cell: Cell | None, x: float, y: float) -> Iterator[Reason]:
    """Why a spell cannot be cast on a point of the ground by this model."""
    own = state.units[pool.unit]
    facts: dict[str, Any] = {"spell": dict(spell.names), "target": pool.id}
    gap = caster_gap(state, own, cell, ((x - EPS, y), (x + EPS, y), (x, y + EPS)))
    if not within(gap, spell.range):
        facts |= {"gap": round(gap, 2), "most": spell.range}
        yield Reason("t9a.magic.cast.declare", "reason.t9a.spell.range", facts)
    if spell.sight and cell is not None and gap > EPS and not sight.sees_point(state, own, [cell], x, y):
        yield Reason("t9a.def.los.point", "reason.t9a.spell.sight", facts)


def ground_point(state: State, pool: Pool, spell: Spell) -> Place:
    """A point within the spell's range, in sight where it asks for that; of a conclave any model may cast it."""
    own = state.units[pool.unit]
    casters = conclave_cells(state, pool) if pool.wizard == "conclave" else [caster_cell(state, pool)]

    def judge(answer: Any) -> list[Reason]:
        x, y = float(answer["x"]), float(answer["y"])
        by_each = still(state, lambda: [list(point_objections(state, pool, spell, cell, x, y)) for cell in casters])
        reasons = min(by_each, key=len)
        if not (0 <= x <= state.field.width and 0 <= y <= state.field.depth):
            reasons.append(Reason("t9a.def.table-edge.end"))
        return reasons

    def propose(rng: Rng) -> Any:
        foes = state.table(1 - pool.side)
        if foes and rng.below(4) and not spell.summon:
            foe = foes[rng.below(len(foes))]
            return {"x": round(foe.x, 2), "y": round(foe.y, 2)}
        return {
            "x": round(own.x + rng.uniform(-spell.range, spell.range), 2),
            "y": round(own.y + rng.uniform(-spell.range, spell.range), 2),
        }

    first = casters[0]
    nearest = box(state, own).world((first.x0 + first.x1) / 2, first.y0) if first is not None else (own.x, own.y)
    return Place(
        pool.side, "ask.spell-point", judge, propose, "t9a.magic.cast.declare", pool.id,
        default={"x": min(max(nearest[0], 0.0), state.field.width), "y": min(max(nearest[1], 0.0), state.field.depth)},
        form=a_point(0.0 if spell.summon else spell.radius),
    )  # fmt: skip
