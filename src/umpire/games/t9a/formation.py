"""Ranks and files: which model stands where in its unit, the Unit Boundary, its centre, facings and arcs.

Local coordinates of a unit: x to the right from the middle of its front, y ahead; the unit lies at y <= 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from umpire.engine.keeping import Moves
from umpire.rulebook.deciding import decides
from umpire.space.angles import heading, turned
from umpire.space.ranks import blocks
from umpire.space.ranks.contact import wheeled

from .model_rules import every, has, some
from .state import Facing, State, Unit

T = TypeVar("T")
Point = tuple[float, float]
Box = blocks.Box
"""A Unit Boundary: the middle of its front, its heading as a unit vector, width and depth (t9a.def.unit-boundary)."""
side_line = decides("t9a.def.facings")(blocks.side_line)
middle, normal, opposite = blocks.side_middle, blocks.outward, blocks.opposite
Cell = blocks.Cell
Layout = blocks.Layout
SKIRMISH_GAP = 12.5
EPS = 1e-6

FULL_RANK = (5, 5, 5, 3, 3, 1)
"""Models that make a Full Rank, by Height (t9a.def.full-rank)."""


def unit_vector(facing: float) -> Point:
    return turned(facing)


def facing_of(ux: float, uy: float) -> float:
    return heading(ux, uy)


@decides(
    "t9a.def.measure.inch", "t9a.def.base", "t9a.def.formation.block", "t9a.def.formation.rank-widths",
    "t9a.def.ranks-files", "t9a.char.base.long", "t9a.char.base.figure",
)  # fmt: skip
def _laid_out(
    base: tuple[float, float],
    own: str,
    count: int,
    files: int,
    gap: float,
    attached: tuple[tuple[str, float, float, int, int], ...],
    holes: tuple[tuple[int, int], ...],
    strict: bool,
) -> Layout:
    """Matching bases inside the block, as far forward as possible, others beside it (t9a.char.base.matching,
    t9a.char.base.mismatching)."""
    guests = tuple(blocks.Guest(*guest) for guest in attached)
    return blocks.arrange(base, own, count, files, guests, gap, strict, holes)


def matches(base: tuple[float, float], other: tuple[float, float], strict: bool = False) -> bool:
    """A matching base equals the rank-and-file base or is a whole multiple of it (t9a.char.base.matching)."""
    return base == other if strict else blocks.multiple(base, other) is not None


def reference(state: State, unit: Unit) -> tuple[tuple[float, float], str, int]:
    """The base by which the unit is laid out, its rank-and-file pool ("": none) and how many they are."""
    rnf = state.rnf(unit)
    if rnf is not None:
        return rnf.profile.base, rnf.id, rnf.count
    if not unit.members:
        # Gone: what is asked of it now is where it stood.
        return (1.0, 1.0), "", 0
    return state.pools[standing_in(unit)].profile.base, "", 0


def standing_in(unit: Unit) -> str:
    """Whose base stands in for the rank-and-file base (t9a.char.all-attachable): while boundaries are locked still that
    of the soldiers who have fallen."""
    return unit.base if unit.base in unit.members or (unit.base and unit.locked_count) else unit.members[0]


@lru_cache(maxsize=2048)
def _plain(base: tuple[float, float], own: str, count: int, files: int, gap: float) -> Layout:
    return _laid_out(base, own, count, files, gap, (), (), gap > 0)


MANY = 512
"""So many layouts are remembered at most."""


def layout(state: State, unit: Unit) -> Layout:
    """Who stands where in a unit; known until its shape changes, wherever it goes."""
    layouts = kept(state)["layouts"]
    found = layouts.get(id(unit))
    if found is None or found[1] != Moves.shape:
        # Somebody's shape has changed, but hardly ever this one's.
        shape = _shape(state, unit)
        laid = found[3] if found is not None and found[2] == shape else _layout(state, unit)
        if len(layouts) >= MANY:
            layouts.clear()
        found = layouts[id(unit)] = (unit, Moves.shape, shape, laid)
    laid_out: Layout = found[3]
    return laid_out


def _shape(state: State, unit: Unit) -> tuple[Any, ...]:
    """All that decides who stands where, but for effects and rules in force."""
    pools = [state.pools[key] for key in unit.members]
    return (
        unit.members, unit.files, unit.holes, unit.locked_count, unit.base,
        [(p.count, p.file, p.rank, p.attachable, p.profile, p.kinds, p.banner, p.unit) for p in pools],
    )  # fmt: skip


def layout_with(
    state: State, unit: Unit, files: int | None = None, guest: str = "", spot: tuple[int, int] | None = None
) -> Layout:
    """The same in another number of files, or with another model in it, or with that model at a file and rank."""
    layouts = kept(state)["layouts"]
    key = (id(unit), files, guest, spot)
    found = layouts.get(key)
    if found is None or found[1] != Moves.shape:
        members = (*unit.members, guest) if guest and guest not in unit.members else unit.members
        there = msgspec.structs.replace(unit, files=unit.files if files is None else files, members=members)
        if len(layouts) >= MANY:
            layouts.clear()
        found = layouts[key] = (unit, Moves.shape, _layout(state, there, guest, spot))
    shape: Layout = found[2]
    return shape


def _layout(state: State, unit: Unit, guest: str = "", spot: tuple[int, int] | None = None) -> Layout:
    if len(unit.members) == 1 and not unit.holes:
        alone = state.pools[unit.members[0]]
        if not alone.attachable:
            # Most units, and asked for thousands of times in every turn.
            apart = SKIRMISH_GAP if has(state, alone, "t9a.rule.skirmisher") else 0.0
            wide = unit.files if unit.locked_count else min(unit.files, max(1, alone.count))
            return _plain(alone.profile.base, alone.id, alone.count, wide, apart)
    base, own, count = reference(state, unit)
    gap = SKIRMISH_GAP if skirmishing(state, unit) else 0.0
    attached = tuple(
        [
            (p.id, p.profile.base[0], p.profile.base[1], *(spot if spot and p.id == guest else (p.file, p.rank)))
            for p in [state.pools[key] for key in unit.members]
            if p.attachable
        ]
    )
    strict = gap > 0 or not state.applies("t9a.char.base.matching")
    return _with_guests(base, own, count, unit.files, gap, attached, unit.holes, strict, unit.locked_count > 0)


@lru_cache(maxsize=2048)
def _with_guests(
    base: tuple[float, float],
    own: str,
    count: int,
    files: int,
    gap: float,
    attached: tuple[tuple[str, float, float, int, int], ...],
    holes: tuple[tuple[int, int], ...],
    strict: bool,
    locked: bool,
) -> Layout:
    """No more files than there are models to stand in them, but while boundaries are locked."""
    if not own and not locked:
        files = max(1, sum(round(a[1] / base[0]) for a in attached if matches(base, (a[1], a[2]), gap > 0)))
    elif not locked:
        inside = sum(max(1, round(a[1] / base[0])) for a in attached if matches(base, (a[1], a[2]), gap > 0))
        files = max(1, min(files, count + inside))
    return _laid_out(base, own, count, files, gap, attached, holes, strict)


def skirmishing(state: State, unit: Unit) -> bool:
    """A unit containing Skirmisher stands with gaps of 12.5 mm (t9a.rule.skirmisher)."""
    if not state.effects and (not unit.base or unit.base in unit.members):
        # Asked thousands of times in every turn: where nobody could have the rule, nobody need be asked for it.
        for key in unit.members:
            pool = state.pools[key]
            if pool.kinds or pool.banner or "t9a.rule.skirmisher" in pool.profile.names:
                break
        else:
            return False
    rnf = state.rnf(unit)
    if rnf is None and unit.members:
        # While boundaries are locked nobody closes up (t9a.rule.skirmisher.end).
        rnf = state.pools[standing_in(unit)]
    if rnf is not None and has(state, rnf, "t9a.rule.skirmisher"):
        return True
    return some(state, unit, "t9a.rule.skirmisher")


def size_of(state: State, unit: Unit) -> tuple[float, float]:
    """Width and depth of the Unit Boundary; locked while a round of combat is fought (t9a.melee.prep.lock)."""
    if unit.locked[0]:
        return unit.locked
    shape = layout(state, unit)
    return shape.width, shape.depth


_STILL: ContextVar[dict[Any, Any] | None] = ContextVar("still", default=None)


def still(state: State, find: Callable[[], T]) -> T:
    """What is found while nobody moves and nothing falls: what is kept need not be asked whether it still holds."""
    mark = _STILL.set(state.kept())
    try:
        return find()
    finally:
        _STILL.reset(mark)


def kept(state: State) -> dict[Any, Any]:
    """What is known of where everybody stands (`State.kept`)."""
    known = _STILL.get()
    return state.kept() if known is None else known


def between_two(state: State, name: Hashable, viewer: Unit, target: Unit, find: Callable[[], T]) -> T:
    """Something of two units that stays the same while nobody moves."""
    known = kept(state)
    # Units are kept with what is known of them, so that none is taken for another that was at its place in memory.
    key = (name, id(viewer), id(target))
    found = known.get(key)
    if found is None:
        found = known[key] = ((viewer, target), find())
    value: T = found[1]
    return value


def gathered(state: State, name: Hashable, find: Callable[[], T]) -> T:
    """Something of all units that stays the same while nobody moves."""
    known = kept(state)
    found = known.get(name)
    if found is None:
        found = known[name] = (find(),)
    value: T = found[0]
    return value


@decides("t9a.def.unit-boundary")
def box(state: State, unit: Unit) -> Box:
    """The Unit Boundary (t9a.def.unit-boundary)."""
    known = _STILL.get()
    if known is None:
        known = state.kept()
    found = known.get(id(unit))
    if found is None:
        found = known[id(unit)] = (unit, _boundary(state, unit, known["boxes"]))
    there: Box = found[1]
    return there


def _boundary(state: State, unit: Unit, boxes: dict[int, Any]) -> Box:
    """Somebody has moved, but hardly ever this one: then its boundary is the one it had."""
    place = (unit.x, unit.y, unit.facing)
    was = boxes.get(id(unit))
    if was is not None and was[1] == Moves.shape and was[2] == place:
        same: Box = was[3]
        return same
    there = Box(unit.x, unit.y, *unit_vector(unit.facing), *size_of(state, unit))
    if len(boxes) >= MANY:
        boxes.clear()
    boxes[id(unit)] = (unit, Moves.shape, place, there)
    return there


@decides("t9a.def.unit-centre")
def centre(state: State, unit: Unit) -> Point:
    """The Centre of Unit is that of its boundary (t9a.def.unit-centre)."""
    return box(state, unit).centre


def height(state: State, unit: Unit) -> int:
    """The Height that most models have; on a tie the smaller (t9a.def.height.unit)."""
    members = state.members(unit)
    if len(members) == 1 or not state.applies("t9a.def.height.unit"):
        return members[0].profile.height
    counts: dict[int, int] = {}
    for pool in members:
        counts[pool.profile.height] = counts.get(pool.profile.height, 0) + pool.count
    most = max(counts.values())
    return min(h for h, n in counts.items() if n == most)


@decides("t9a.def.formation.incomplete-rank")
def full_ranks(state: State, unit: Unit) -> int:
    """Its Full Ranks as it stands now, gaps counted as filled (t9a.def.full-rank, t9a.melee.prep.virtual-ranks)."""
    if no_ranks(state, unit) or not state.applies("t9a.def.full-rank"):
        return 0
    need = FULL_RANK[height(state, unit)]
    if unit.holes and state.applies("t9a.melee.prep.virtual-ranks"):
        base, own, count = reference(state, unit)
        attached = tuple((p.id, p.profile.base[0], p.profile.base[1], p.file, p.rank) for p in state.attached(unit))
        rows = _laid_out(base, own, count, unit.files, 0.0, attached, (), skirmishing(state, unit)).rows
    else:
        rows = layout(state, unit).rows
    return sum(n >= need for n in rows)


def no_ranks(state: State, unit: Unit) -> bool:
    """Light Troops have no Full Ranks; attached ones do not take a unit's away (t9a.rule.light-troops.ranks)."""
    if not state.applies("t9a.rule.light-troops.ranks"):
        return False
    rnf = state.rnf(unit)
    if rnf is not None:
        return has(state, rnf, "t9a.rule.light-troops.reform")
    return some(state, unit, "t9a.rule.light-troops.reform")


def light(state: State, unit: Unit) -> bool:
    return every(state, unit, "t9a.rule.light-troops.reform")


def arc_of(of: Box, px: float, py: float) -> Facing:
    """In which arc of a unit a point lies (t9a.def.arcs); on a ray in front or rear."""
    return arcs_of(of, px, py)[0]


def arcs_of(of: Box, px: float, py: float) -> tuple[Facing, ...]:
    """The arc in which a point lies; on a ray two, between which whoever moves or attacks chooses (t9a.def.arcs)."""
    return blocks.arcs_of(of, px, py)


def files_in(state: State, unit: Unit) -> int:
    """The files that a unit really has, bases beside it left out: no rank is wider than there are models for it."""
    return max(1, *layout(state, unit).rows[:1], 1)


def front_models(state: State, unit: Unit) -> list[Cell]:
    return [cell for cell in layout(state, unit).cells if cell.rank == 0]


def pivot(at: Box, degrees: float) -> Box:
    """Turn about the centre (t9a.move.pivot.centre)."""
    return at.pivoted(degrees)


def wheel(at: Box, degrees: float) -> Box:
    """Turn forward about a front corner: clockwise about the right one, else about the left one."""
    return wheeled(at, degrees)
