"""Ranks and files: which model stands where in its unit, the Unit Boundary, its centre, facings and arcs.

Local coordinates of a unit: x to the right from the middle of its front, y ahead; the unit lies at y <= 0.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from .model_rules import every, has, some
from .profiles import MM
from .state import FACINGS, Facing, Pool, State, Unit

Point = tuple[float, float]
SKIRMISH_GAP = 12.5
EPS = 1e-6

FULL_RANK = (5, 5, 5, 3, 3, 1)
"""Models that make a Full Rank, by Height (t9a.def.full-rank)."""


class Cell(NamedTuple):
    """A model in its unit: whose pool, which rank and file its front left corner takes, its base in local inches."""

    pool: str
    rank: int
    file: int
    x0: float
    x1: float
    y0: float
    y1: float
    """y0 is the front edge, y1 the rear edge (both <= 0)."""
    ranks: int = 1


class Layout(NamedTuple):
    width: float
    depth: float
    files: int
    ranks: int
    cells: tuple[Cell, ...]
    rows: tuple[int, ...]
    """How many model places are filled in each rank, mismatching models left out."""


class Box(NamedTuple):
    """A Unit Boundary: the middle of its front, its heading as a unit vector, width and depth."""

    x: float
    y: float
    ux: float
    uy: float
    w: float
    d: float

    @property
    def centre(self) -> Point:
        return self.x - self.ux * self.d / 2, self.y - self.uy * self.d / 2

    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Front left, front right, rear right, rear left."""
        hx, hy = self.uy * self.w / 2, -self.ux * self.w / 2
        dx, dy = self.ux * self.d, self.uy * self.d
        return (
            (self.x - hx, self.y - hy),
            (self.x + hx, self.y + hy),
            (self.x + hx - dx, self.y + hy - dy),
            (self.x - hx - dx, self.y - hy - dy),
        )

    def local(self, px: float, py: float) -> Point:
        dx, dy = px - self.x, py - self.y
        return dx * self.uy - dy * self.ux, dx * self.ux + dy * self.uy

    def world(self, lx: float, ly: float) -> Point:
        return self.x + lx * self.uy + ly * self.ux, self.y - lx * self.ux + ly * self.uy


def unit_vector(facing: float) -> Point:
    angle = math.radians(facing)
    return math.sin(angle), math.cos(angle)


def facing_of(ux: float, uy: float) -> float:
    return math.degrees(math.atan2(ux, uy)) % 360.0


@lru_cache(maxsize=4096)
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
    b, length = base
    taken: dict[tuple[int, int], str] = {}
    placed: list[tuple[str, int, int, int, int]] = []
    beside: list[tuple[str, float, float, int]] = []
    loose = [a for a in attached if not matches(base, (a[1], a[2]), strict)]
    for key, w, d, file, rank in attached:
        if (key, w, d, file, rank) in loose:
            beside.append((key, w, d, file))
            continue
        k, m = max(1, round(w / b)), max(1, round(d / length))
        spot = _spot(taken, files, k, m, file, rank)
        for i in range(k):
            for j in range(m):
                taken[spot[0] + i, spot[1] + j] = key
        placed.append((key, spot[0], spot[1], k, m))
    if holes:
        for hole in holes:
            taken.setdefault(hole, "")
    cells: list[tuple[str, int, int, int, int]] = list(placed)
    left, rank = count, 0
    while left > 0:
        for file in range(files):
            if left and (file, rank) not in taken:
                cells.append((own, file, rank, 1, 1))
                left -= 1
        rank += 1
    ranks = max((c[2] + c[4] for c in cells), default=0)
    stride, drop = b + gap, length + gap
    wide = files * b + (files - 1) * gap if cells else 0.0
    deep = ranks * length + (ranks - 1) * gap if ranks else 0.0
    extra = sum(w for _, w, _, _ in beside) + (gap * len(beside) if cells else gap * max(0, len(beside) - 1))
    total = wide + extra
    deep = max([deep, *(d for _, _, d, _ in beside)], default=0.0)
    lefts = [entry for n, entry in enumerate(beside) if (entry[3] == -1) or (entry[3] >= 0 and n % 2 == 0)]
    start = -total / 2
    out: list[Cell] = []
    x = start
    for key, w, d, _ in lefts:
        out.append(Cell(key, 0, -1, x / MM, (x + w) / MM, 0.0, -d / MM))
        x += w + gap
    for key, file, row, k, m in cells:
        x0 = x + file * stride
        y0 = -row * drop
        x1 = x0 + k * b + (k - 1) * gap
        out.append(Cell(key, row, file, x0 / MM, x1 / MM, y0 / MM, (y0 - m * length - (m - 1) * gap) / MM, m))
    x += wide + (gap if cells else 0.0)
    for key, w, d, file in beside:
        if (key, w, d, file) not in lefts:
            out.append(Cell(key, 0, files, x / MM, (x + w) / MM, 0.0, -d / MM))
            x += w + gap
    rows = [0] * ranks
    for _, _, row, k, m in cells:
        for j in range(m):
            rows[row + j] += k
    for file, row in holes:
        if row < ranks and (file, row) in taken and not taken[file, row]:
            pass
    return Layout(total / MM, deep / MM, files + len(beside), max(ranks, 1), tuple(out), tuple(rows))


def _spot(taken: dict[tuple[int, int], str], files: int, k: int, m: int, file: int, rank: int) -> tuple[int, int]:
    """Where an attached model stands: as wished, or as far forward as possible and near the middle."""
    if file >= 0 and rank >= 0 and _free(taken, files, file, rank, k, m):
        return file, rank
    row = 0
    while row < 64:
        middle = (files - k) // 2
        for f in sorted(range(max(1, files - k + 1)), key=lambda f: (abs(f - (file if file >= 0 else middle)), f)):
            if _free(taken, max(files, k), f, row, k, m):
                return f, row
        row += 1
    return 0, row


def _free(taken: dict[tuple[int, int], str], files: int, file: int, rank: int, k: int, m: int) -> bool:
    return file + k <= files and not any((file + i, rank + j) in taken for i in range(k) for j in range(m))


def matches(base: tuple[float, float], other: tuple[float, float], strict: bool = False) -> bool:
    """A matching base equals the rank-and-file base or is a whole multiple of it (t9a.char.base.matching)."""
    if strict:
        return base == other
    k, m = other[0] / base[0], other[1] / base[1]
    return abs(k - round(k)) < 1e-9 and abs(m - round(m)) < 1e-9 and k >= 1 - 1e-9 and m >= 1 - 1e-9


def reference(state: State, unit: Unit) -> tuple[tuple[float, float], str, int]:
    """The base by which the unit is laid out, its rank-and-file pool ("": none) and how many they are."""
    rnf = state.rnf(unit)
    if rnf is not None:
        return rnf.profile.base, rnf.id, rnf.count
    key = unit.base if unit.base in unit.members else unit.members[0]
    return state.pools[key].profile.base, "", 0


def layout(state: State, unit: Unit) -> Layout:
    base, own, count = reference(state, unit)
    gap = SKIRMISH_GAP if skirmishing(state, unit) else 0.0
    attached = tuple(
        (p.id, p.profile.base[0], p.profile.base[1], p.file, p.rank)
        for p in (state.pools[key] for key in unit.members)
        if p.attachable
    )
    files = unit.files
    if not own:
        files = max(1, sum(1 for a in attached if matches(base, (a[1], a[2]))))
    elif not attached and not unit.locked_count:
        files = min(files, max(1, count))
    if attached and own:
        inside = sum(max(1, round(a[1] / base[0])) for a in attached if matches(base, (a[1], a[2]), gap > 0))
        if not unit.locked_count:
            files = max(1, min(files, count + inside))
    return _laid_out(base, own, count, files, gap, attached, unit.holes, gap > 0)


def skirmishing(state: State, unit: Unit) -> bool:
    """A unit containing Skirmisher stands with gaps of 12.5 mm (t9a.rule.skirmisher)."""
    rnf = state.rnf(unit)
    if rnf is None:
        return False
    return has(state, rnf, "t9a.rule.skirmisher") or some(state, unit, "t9a.rule.skirmisher")


def size_of(state: State, unit: Unit) -> tuple[float, float]:
    """Width and depth of the Unit Boundary; locked while a round of combat is fought (t9a.melee.prep.lock)."""
    if unit.locked[0]:
        return unit.locked
    shape = layout(state, unit)
    return shape.width, shape.depth


def box(state: State, unit: Unit) -> Box:
    """The Unit Boundary (t9a.def.unit-boundary)."""
    w, d = size_of(state, unit)
    ux, uy = unit_vector(unit.facing)
    return Box(unit.x, unit.y, ux, uy, w, d)


def centre(state: State, unit: Unit) -> Point:
    """The Centre of Unit is that of its boundary (t9a.def.unit-centre)."""
    return box(state, unit).centre


def height(state: State, unit: Unit) -> int:
    """The Height that most models have; on a tie the smaller (t9a.def.height.unit)."""
    members = state.members(unit)
    if len(members) == 1:
        return members[0].profile.height
    counts: dict[int, int] = {}
    for pool in members:
        counts[pool.profile.height] = counts.get(pool.profile.height, 0) + pool.count
    most = max(counts.values())
    return min(h for h, n in counts.items() if n == most)


def full_ranks(state: State, unit: Unit) -> int:
    """Its Full Ranks as it stands now, gaps counted as filled (t9a.def.full-rank, t9a.melee.prep.virtual-ranks)."""
    if no_ranks(state, unit):
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
    """In which arc of a unit a point lies, by rays at 135 degrees to both sides of each corner (t9a.def.arcs)."""
    x, y = of.local(px, py)
    y += of.d / 2
    a, b = abs(x) - of.w / 2, abs(y) - of.d / 2
    if b >= a:
        return "front" if y > 0 else "rear"
    return "right" if x > 0 else "left"


def side_line(of: Box, face: Facing) -> tuple[Point, Point]:
    """A facing from its left to its right end as seen by somebody who stands before it and looks at it."""
    fl, fr, rr, rl = of.corners()
    return {"front": (fr, fl), "right": (rr, fr), "rear": (rl, rr), "left": (fl, rl)}[face]


def normal(of: Box, face: Facing) -> Point:
    """The outward direction of a facing."""
    return {
        "front": (of.ux, of.uy),
        "right": (of.uy, -of.ux),
        "rear": (-of.ux, -of.uy),
        "left": (-of.uy, of.ux),
    }[face]


def middle(of: Box, face: Facing) -> Point:
    (ax, ay), (bx, by) = side_line(of, face)
    return (ax + bx) / 2, (ay + by) / 2


def front_models(state: State, unit: Unit) -> list[Cell]:
    return [cell for cell in layout(state, unit).cells if cell.rank == 0]


def opposite(face: Facing) -> Facing:
    return FACINGS[(FACINGS.index(face) + 2) % 4]


def pool_of(state: State, cell: Cell) -> Pool:
    return state.pools[cell.pool]


def pivot(at: Box, degrees: float) -> Box:
    """Turn about the centre (t9a.move.pivot.centre)."""
    cx, cy = at.centre
    angle = math.radians(degrees)
    c, s = math.cos(angle), math.sin(angle)
    ux, uy = at.ux * c + at.uy * s, at.uy * c - at.ux * s
    return Box(cx + ux * at.d / 2, cy + uy * at.d / 2, ux, uy, at.w, at.d)


def wheel(at: Box, degrees: float) -> Box:
    """Turn forward about a front corner: clockwise about the right one, else about the left one."""
    angle = math.radians(degrees)
    c, s = math.cos(angle), math.sin(angle)
    ux, uy = at.ux * c + at.uy * s, at.uy * c - at.ux * s
    half = at.w / 2 if degrees >= 0 else -at.w / 2
    px, py = at.world(half, 0.0)
    return Box(px - uy * half, py + ux * half, ux, uy, at.w, at.d)
