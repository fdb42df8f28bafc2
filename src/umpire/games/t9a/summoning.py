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
from umpire.space.places import Keep, common
from umpire.space.ranks import standing_room
from umpire.space.shapes import convex_hull
from umpire.space.spans import Ring
from umpire.text import Text

from . import reforming
from .formation import EPS, Box, Cell, Point, box, layout, unit_vector
from .picture import placed
from .profiles import Spell
from .spacing import crowding, impassable, on_table, separation
from .state import Pool, State, Unit

ROUND, FINE = 96, 480
"""Corners of a polygon that stands for a circle of the spell's range: first roughly, it lies within a hundredth of an
inch of it; then up to 24 inches no further inside of it than lengths differ."""


def objections(
    state: State, unit: Unit, facing: float, caster: Ring, point: Point, reach: float, answer: Any
) -> Iterator[Reason]:
    """A model on the point, all within range of the caster's base, by unit spacing (t9a.magic.summon.placement)."""
    rule = "t9a.magic.summon.placement"
    files = answer.get("files", unit.files)
    if "models" in answer or "x" not in answer:
        yield Reason(rule, "reason.t9a.deploy.form")
        return
    if not 1 <= files <= 99:
        yield Reason("t9a.def.formation.files-behind", facts={"files": files, "models": 99})
        return
    at = reforming.there(state, unit, answer, facing)
    yield from reforming.formation_reasons(state, unit, files)
    if not on_table(state, at):
        yield Reason("t9a.def.table-edge.end")
    models = [_base(at, cell) for cell in reforming.with_files(state, unit, files)[2]]
    gap = min(separation(model, _dot(point)) for model in models)
    if gap > EPS:
        yield Reason(rule, "reason.t9a.summon.point", {"gap": round(gap, 3)})
    far = max(max(0.0, separation(caster, _dot(corner))) for model in models for corner in model)
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


def base_of(state: State, pool: Pool, point: Point) -> Ring:
    """The base of the model that has cast; of a conclave's the one nearest to the point. One that its own miscast has
    slain leaves its unit."""
    at = box(state, state.units[pool.unit])
    cells = [c for c in layout(state, state.units[pool.unit]).cells if c.pool == pool.id]
    return min(
        (_base(at, cell) for cell in cells), key=lambda ring: separation(ring, _dot(point)), default=at.corners()
    )


def place(state: State, unit: Unit, facing: float, caster: Ring, point: Point, reach: float) -> Any:
    """Some place for it, in any formation and at any facing; None: there is none."""

    def found(corners: int, within: float = reach) -> Any:
        spots = _spots(state, unit, facing, _within(caster, within, corners), point)
        return next((spot for spot in spots if within > reach or fits(spot)), None)

    def fits(spot: Any) -> bool:
        return next(standing(state, objections(state, unit, facing, caster, point, reach, spot)), None) is None

    some = found(ROUND)
    # A polygon about the circle proves that there is no place where it has none.
    if some is not None or found(ROUND, reach / math.cos(math.pi / ROUND)) is None:
        return some
    return found(FINE)


def _spots(state: State, unit: Unit, facing: float, around: Ring, point: Point) -> Iterator[Any]:
    """Places in what lies within reach, one for each formation and part of the unit that may lie on the point."""
    wide, deep = state.field.width, state.field.depth
    table = ((0.0, 0.0), (wide, 0.0), (wide, deep), (0.0, deep))
    area = common(table, around)
    keeps = [Keep(box(state, other).corners(), 1.0) for other in state.table() if other.id != unit.id]
    keeps += [Keep(piece.points, 1.0) for piece in impassable(state)]
    for files in reforming.formations(state, unit):
        w, d, cells = reforming.with_files(state, unit, files)
        ux, uy = unit_vector(facing)
        wish = (point[0] + ux * d / 2, point[1] + uy * d / 2)
        for part in _parts(w, d, cells):
            spot = standing_room.place(w, d, area, keeps, wish, facing, standing_room.Over(*point, part))
            if spot is not None:
                yield {"x": spot[0], "y": spot[1], "facing": spot[2], "files": files}


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


def _within(ring: Ring, reach: float, corners: int) -> tuple[Point, ...]:
    """What lies within reach of a convex polygon."""
    turns = [unit_vector(360.0 * k / corners) for k in range(corners)]
    return convex_hull([(x + s * reach, y + c * reach) for x, y in ring for s, c in turns])


def summon(battle: Battle[State], pool: Pool, spell: Spell, point: Point) -> Steps[None]:
    """A new unit where its caster's owner sets it up, or, if there is no room for all of it, none of it."""
    state = battle.state
    template = state.summons.get(spell.summon)
    if template is None:
        return
    facing = state.units[pool.unit].facing
    caster = base_of(state, pool, point)
    key = f"{pool.side}-s{sum(p.summoned for p in state.pools.values())}"
    new = msgspec.structs.replace(template, id=key, side=pool.side, unit=key, summoned=True)
    unit = Unit(id=key, side=pool.side, members=(key,), where="list", files=min(new.count, 5), facing=facing)
    state.pools[key] = new
    state.units[key] = unit
    rule = "t9a.magic.summon.placement"
    found = battle.know(lambda: place(state, unit, facing, caster, point, spell.range))
    if found is None:
        del state.pools[key], state.units[key]
        battle.emit("no-summons", rule, spell=dict(spell.names))
        return
    answer = yield Place(
        pool.side,
        Text("ask.summon", {"unit": key}),
        lambda wish: list(objections(state, unit, facing, caster, point, spell.range, wish)),
        lambda rng: (
            {**found, "facing": (found["facing"] + rng.uniform(-20.0, 20.0)) % 360.0} if rng.below(2) else found
        ),
        rule,
        key,
        default=found,
        ends=lambda wish: placed(state, unit, wish, facing),
        form=reforming.form_of(state, unit),
    )
    unit.x, unit.y = float(answer["x"]), float(answer["y"])
    unit.files = int(answer.get("files", unit.files))
    unit.facing = math.fmod(float(answer.get("facing", facing)), 360.0)
    unit.where = "table"
    unit.hp_start = new.hp
    unit.moved = True
    battle.emit("summoned", rule, "t9a.magic.summon.status", unit=key, x=unit.x, y=unit.y)
