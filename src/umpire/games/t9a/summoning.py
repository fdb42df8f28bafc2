"""Units that spells bring to the table: where they may be set up, and that there is no room for them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Place
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps
from umpire.miniatures import standing_room
from umpire.space.places import Keep, common
from umpire.space.shapes import convex_hull
from umpire.space.spans import Ring
from umpire.text import Text

from . import reforming
from .formation import EPS, Box, Cell, Point, box, unit_vector
from .picture import placed
from .profiles import Spell
from .spacing import crowding, impassable, on_table, separation
from .state import Pool, State, Unit

FINE = 96
"""Corners of the polygon that stands for a circle of the spell's range: it lies within a hundredth of an inch of it."""


def objections(state: State, unit: Unit, caster: Unit, point: Point, reach: float, answer: Any) -> Iterator[Reason]:
    """A model on the point, all within range, by unit spacing (t9a.magic.summon.placement)."""
    rule = "t9a.magic.summon.placement"
    files = answer.get("files", unit.files)
    if "models" in answer or "x" not in answer:
        yield Reason(rule, "reason.t9a.deploy.form")
        return
    if not 1 <= files <= 99:
        yield Reason("t9a.def.formation.files-behind", facts={"files": files, "models": 99})
        return
    at = reforming.there(state, unit, answer, caster.facing)
    yield from reforming.formation_reasons(state, unit, files)
    if not on_table(state, at):
        yield Reason("t9a.def.table-edge.end")
    models = [_base(at, cell) for cell in reforming.with_files(state, unit, files)[2]]
    gap = min(separation(model, _dot(point)) for model in models)
    if gap > EPS:
        yield Reason(rule, "reason.t9a.summon.point", {"gap": round(gap, 3)})
    ring = box(state, caster).corners()
    far = max(max(0.0, separation(ring, _dot(corner))) for model in models for corner in model)
    if far > reach + EPS:
        yield Reason(rule, "reason.t9a.summon.far", {"distance": round(far, 3), "range": reach})
    yield from crowding(state, unit, at, 1.0)


def _base(at: Box, cell: Cell) -> tuple[Point, ...]:
    """The base of a model of a unit that stands there."""
    sides = ((cell.x0, cell.y0), (cell.x1, cell.y0), (cell.x1, cell.y1), (cell.x0, cell.y1))
    return tuple((at.x + x * at.uy + y * at.ux, at.y - x * at.ux + y * at.uy) for x, y in sides)


def _dot(point: Point) -> Ring:
    x, y = point
    return ((x, y), (x + EPS, y), (x, y + EPS))


def place(state: State, unit: Unit, caster: Unit, point: Point, reach: float) -> Any:
    """Some place for it, in any formation and at any facing; None: there is none."""
    wide, deep = state.field.width, state.field.depth
    table = ((0.0, 0.0), (wide, 0.0), (wide, deep), (0.0, deep))
    area = common(table, _within(box(state, caster).corners(), reach))
    keeps = [Keep(box(state, other).corners(), 1.0) for other in state.table() if other.id != unit.id]
    keeps += [Keep(piece.points, 1.0) for piece in impassable(state)]
    for files in reforming.formations(state, unit):
        w, d, cells = reforming.with_files(state, unit, files)
        ux, uy = unit_vector(caster.facing)
        wish = (point[0] + ux * d / 2, point[1] + uy * d / 2)
        for part in _parts(w, d, cells):
            over = standing_room.Over(*point, part)
            found = standing_room.place(w, d, area, keeps, wish, caster.facing, over)
            if found is not None:
                answer = {"x": found[0], "y": found[1], "facing": found[2], "files": files}
                if next(standing(state, objections(state, unit, caster, point, reach, answer)), None) is None:
                    return answer
    return None


def _parts(w: float, d: float, cells: Sequence[Cell]) -> list[tuple[Point, ...]]:
    """The parts of a unit's boundary in which models stand: all of it where none is empty, else rank by rank what has
    no gap."""
    if sum((c.x1 - c.x0) * (c.y0 - c.y1) for c in cells) >= w * d - EPS:
        return [()]
    found: list[tuple[float, float, float, float]] = []
    for cell in sorted(cells, key=lambda c: (-c.y0, c.x0)):
        x0, y0, x1, y1 = found[-1] if found else (0.0, 0.0, 0.0, 0.0)
        beside = found and (y0, y1) == (cell.y0, cell.y1) and abs(cell.x0 - x1) <= EPS
        found[-1:] = [(x0, y0, cell.x1, y1)] if beside else [*found[-1:], (cell.x0, cell.y0, cell.x1, cell.y1)]
    blocks: list[tuple[float, float, float, float]] = []
    for x0, y0, x1, y1 in found:
        before = blocks[-1] if blocks else (0.0, 0.0, 0.0, 0.0)
        behind = blocks and abs(before[0] - x0) + abs(before[2] - x1) + abs(before[3] - y0) <= EPS
        blocks[-1:] = [(x0, before[1], x1, y1)] if behind else [*blocks[-1:], (x0, y0, x1, y1)]
    return [((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for x0, y0, x1, y1 in blocks]


def _within(ring: Ring, reach: float) -> tuple[Point, ...]:
    """What lies within reach of a convex polygon."""
    turns = [unit_vector(360.0 * k / FINE) for k in range(FINE)]
    return convex_hull([(x + s * reach, y + c * reach) for x, y in ring for s, c in turns])


def summon(battle: Battle[State], pool: Pool, spell: Spell, point: Point) -> Steps[None]:
    """A new unit where its caster's owner sets it up, or, if there is no room for all of it, none of it."""
    state = battle.state
    template = state.summons.get(spell.summon)
    if template is None:
        return
    caster = state.units[pool.unit]
    key = f"{pool.side}-s{sum(p.summoned for p in state.pools.values())}"
    new = msgspec.structs.replace(template, id=key, side=pool.side, unit=key, summoned=True, arrived=state.turn)
    unit = Unit(id=key, side=pool.side, members=(key,), where="list", files=min(new.count, 5), facing=caster.facing)
    state.pools[key] = new
    state.units[key] = unit
    rule = "t9a.magic.summon.placement"
    found = battle.know(lambda: place(state, unit, caster, point, spell.range))
    if found is None:
        del state.pools[key], state.units[key]
        battle.emit("no-summons", rule, spell=dict(spell.names))
        return
    answer = yield Place(
        pool.side,
        Text("ask.summon", {"unit": key}),
        lambda wish: list(objections(state, unit, caster, point, spell.range, wish)),
        lambda rng: (
            {**found, "facing": (found["facing"] + rng.uniform(-20.0, 20.0)) % 360.0} if rng.below(2) else found
        ),
        rule,
        key,
        default=found,
        ends=lambda wish: placed(state, unit, wish, caster.facing),
        form=reforming.form_of(state, unit),
    )
    unit.x, unit.y = float(answer["x"]), float(answer["y"])
    unit.files = int(answer.get("files", unit.files))
    unit.facing = math.fmod(float(answer.get("facing", caster.facing)), 360.0)
    unit.where = "table"
    unit.hp_start = new.hp
    unit.moved = True
    battle.emit("summoned", rule, "t9a.magic.summon.status", unit=key, x=unit.x, y=unit.y)
