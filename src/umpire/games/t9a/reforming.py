"""Units taken up and put down again: reforms, pivots, and who of the models can get to which place."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from umpire.engine.decisions import Form
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.space import spans
from umpire.space.angles import turn_between
from umpire.space.paths import path as way_round
from umpire.space.ranks import manoeuvres
from umpire.space.shapes import TOLERANCE, Base, Point, Prism, Round, convex_hull

from . import joining, spacing
from .characteristics import mobility
from .formation import EPS, FULL_RANK, Box, Cell, box, height, layout, layout_with, light, pivot, unit_vector
from .model_rules import every
from .spacing import clear_of, near
from .state import Pool, State, Unit

if TYPE_CHECKING:
    from .courses import Budget

Wall = tuple[str, Sequence[Point], float]
"""What may be in the way of a model: name, outline, how far to keep off."""


def most_files(state: State, unit: Unit, combat: bool = False) -> int:
    """By how many files a reform may change a unit: 3, in combat 2, with a musician 4 (t9a.move.reform.files,
    t9a.melee.post.reform.files, t9a.rule.musician)."""
    return 4 if musician(state, unit) else 2 if combat else 3


def musician(state: State, unit: Unit) -> bool:
    """t9a.rule.musician."""
    if not state.applies("t9a.rule.musician"):
        return False
    rnf = state.rnf(unit)
    return rnf is not None and rnf.musician


def with_files(state: State, unit: Unit, files: int) -> tuple[float, float, tuple[Cell, ...]]:
    """Width, depth and places with another number of files."""
    shape = layout_with(state, unit, files)
    return shape.width, shape.depth, shape.cells


def formed(state: State, unit: Unit, x: float, y: float, facing: float, files: int) -> Box:
    """The unit about a centre."""
    w, d, _ = with_files(state, unit, files)
    ux, uy = unit_vector(facing)
    return Box(x + ux * d / 2, y + uy * d / 2, ux, uy, w, d)


def reach(state: State, unit: Unit, mob: float) -> tuple[float, str]:
    """How far the centre may go in a reform, and by which rule (t9a.move.reform.centre,
    t9a.rule.light-troops.reform)."""
    if not light(state, unit):
        return mob / 2, "t9a.move.reform.centre"
    if hindered(state, unit):
        return mob, "t9a.rule.light-troops.musician"
    return 2 * mob, "t9a.rule.light-troops.reform"


def hindered(state: State, unit: Unit) -> bool:
    """A musician of an enemy within 3" hinders Light Troops (t9a.rule.light-troops.musician)."""
    if not state.applies("t9a.rule.light-troops.musician"):
        return False
    here = box(state, unit).corners()
    return any(
        not foe.shaken and musician(state, foe) and not clear_of(here, box(state, foe).corners(), 3.0 + EPS)
        for foe in state.table(1 - unit.side)
    )


def against(state: State, unit: Unit, mob: float, end: Box, files: int, cap: float = 0.0) -> Iterator[Reason]:
    """Why a reform is illegal, but for where it ends; `cap`: no model goes further in a Vanguard move
    (t9a.rule.vanguard.limits)."""
    from .moving import march_objections

    here = box(state, unit)
    shift = math.dist(here.centre, end.centre)
    most, rule = reach(state, unit, mob)
    if most > mob and state.applies("t9a.rule.light-troops.march"):
        barred = next(standing(state, march_objections(state, unit)), None)
        if barred is not None and shift > mob + EPS:
            yield Reason(barred.rule, barred.key, {**barred.facts, "inches": round(shift, 2), "most": mob})
    if shift > most + EPS:
        yield Reason(rule, facts={"inches": round(shift, 2), "most": most})
    change = most_files(state, unit)
    if abs(files - unit.files) > change:
        yield Reason("t9a.move.reform.files", facts={"files": files, "most": change})
    yield from formation_reasons(state, unit, files)
    if cap and cap < 2 * mob and state.applies("t9a.rule.vanguard.limits"):
        yield from model_reasons(state, unit, here, end, files, cap, "t9a.rule.vanguard.limits")
    else:
        yield from model_reasons(state, unit, here, end, files, 2 * mob)


def formation_reasons(state: State, unit: Unit, files: int) -> Iterator[Reason]:
    """A first rank that can be filled; no units deeper than wide unless they form Full Ranks; no narrower than the base
    of a joined model (t9a.def.formation.files-behind, t9a.def.formation.ranks-vs-files, t9a.char.base.too-wide)."""
    rnf = state.rnf(unit)
    places, wide, ranks = _formed_by(state, unit, rnf, files)
    if rnf is not None and files > places:
        yield Reason("t9a.def.formation.files-behind", facts={"files": files, "models": places})
    if ranks > wide and wide < FULL_RANK[height(state, unit)]:
        yield Reason("t9a.def.formation.ranks-vs-files", facts={"files": wide, "ranks": ranks})
    if rnf is not None and ranks > 1:
        for pool in state.attached(unit):
            if pool.profile.base[0] > files * rnf.profile.base[0] + EPS and joining.fits_inside(state, pool, unit):
                yield Reason("t9a.char.base.too-wide", facts={"who": pool.id, "files": files})


def _formed_by(state: State, unit: Unit, rnf: Pool | None, files: int) -> tuple[int, int, int]:
    """How many places are filled, in how many files and ranks, if a unit is formed in so many files."""
    if rnf is not None and rnf.count > 0 and len(unit.members) == 1 and not unit.holes and not unit.locked_count:
        wide = min(files, rnf.count)
        return rnf.count, wide, -(-rnf.count // wide)
    before = unit.files
    unit.files = files
    shape = layout(state, unit)
    unit.files = before
    return sum(shape.rows), shape.files, shape.ranks


def formations(state: State, unit: Unit) -> list[int]:
    """The numbers of files that a unit may be formed in, the one it has first."""
    rnf = state.rnf(unit)
    if rnf is None:
        return [unit.files]
    most = rnf.count + len(unit.members) - 1
    order = sorted(range(1, most + 1), key=lambda files: (abs(files - unit.files), files))
    legal = [n for n in order if next(standing(state, formation_reasons(state, unit, n)), None) is None]
    return legal or [unit.files]


def smallest(state: State, unit: Unit, formations: Sequence[int]) -> list[int]:
    """Of some formations those in which no other fits: where at some facing the others have room, these have too."""
    sizes = {files: sorted(with_files(state, unit, files)[:2]) for files in formations}
    found: list[int] = []
    for files in sorted(formations, key=lambda n: (sizes[n][0] * sizes[n][1], abs(n - unit.files))):
        short, long = sizes[files]
        if not any(sizes[n][0] <= short + EPS and sizes[n][1] <= long + EPS for n in found):
            found.append(files)
    return sorted(found, key=formations.index)


def form_of(state: State, unit: Unit) -> Form:
    """How a unit's place is told: the middle of its front, its facing, its files."""
    files = formations(state, unit)
    return Form(ways=("spot",), pieces=(unit.id,), facing=True, files=(min(files), max(files)))


def there(state: State, unit: Unit, answer: Any, facing: float) -> Box:
    """Where a unit would stand by an answer that tells the middle of its front."""
    w, d, _ = with_files(state, unit, max(1, min(99, int(answer.get("files", unit.files)))))
    ux, uy = unit_vector(float(answer.get("facing", facing)))
    return Box(float(answer["x"]), float(answer["y"]), ux, uy, w, d)


def pivot_reasons(state: State, unit: Unit, here: Box, end: Box, mob: float) -> Iterator[Reason]:
    """No model ends a pivot further off than twice its Mobility, whoever swaps places with whom
    (t9a.move.pivot.model-limit)."""
    limit = 2 * mob
    cells = layout(state, unit).cells
    old, new = _middles(here, cells), _middles(end, cells)
    worst = max((math.dist(a, b) for a, b in zip(old, new, strict=True)), default=0.0)
    if worst <= limit + EPS:
        return

    def allowed(k: int, j: int) -> bool:
        return math.dist(old[k], new[j]) <= limit + EPS and _alike(cells[k], cells[j])

    if manoeuvres.assigned(old, new, allowed) is None:
        yield Reason("t9a.move.pivot.model-limit", facts={"inches": round(worst, 2), "most": limit})


def stays(unit: Unit, facing: float) -> bool:
    """Is this its own facing, as a client that rounds to thousandths of a degree tells it?"""
    return abs(turn_between(unit.facing, facing)) < 0.001


def turn_reasons(state: State, unit: Unit, facing: float) -> list[Reason]:
    """Why a unit may not pivot on the spot to that facing; to stay as it is it may always."""
    if stays(unit, facing):
        return []
    here = box(state, unit)
    end = pivot(here, facing - unit.facing)
    reasons = [
        *pivot_reasons(state, unit, here, end, mobility(state, unit)),
        *spacing.crowding(state, unit, end, 1.0),
    ]
    if not spacing.on_table(state, end):
        reasons.append(
            Reason(
                "t9a.def.table-edge.end", "reason.t9a.off-table", {"inches": round(spacing.off_table(state, end), 2)}
            )
        )
    return reasons


def _middles(at: Box, cells: Sequence[Cell]) -> list[Point]:
    return [at.world((c.x0 + c.x1) / 2, (c.y0 + c.y1) / 2) for c in cells]


def _alike(a: Cell, b: Cell) -> bool:
    """May they swap places? Bases of one size."""
    return abs((a.x1 - a.x0) - (b.x1 - b.x0)) < EPS and abs((a.y0 - a.y1) - (b.y0 - b.y1)) < EPS


def model_reasons(
    state: State, unit: Unit, here: Box, end: Box, files: int, limit: float, rule: str = "t9a.move.reform.model-limit"
) -> Iterator[Reason]:
    """Every model gets to a place of the new formation by a way of at most twice its Mobility that keeps half an inch
    from other units and impassable terrain (t9a.move.reform.model-limit, t9a.move.reform.model-spacing)."""
    before = layout(state, unit).cells
    _, _, after = with_files(state, unit, files)
    old, new = _middles(here, before), _middles(end, after)
    walls = _walls(state, unit, here, end)
    order = _by_key(before, after)
    if order is not None and all(
        math.dist(old[k], new[j]) <= limit + EPS and _straight(before[k], old[k], new[j], walls)
        for k, j in enumerate(order)
    ):
        return

    def reached(k: int, j: int) -> bool:
        a, b = before[k], after[j]
        return math.dist(old[k], new[j]) <= limit + EPS and a.pool == b.pool and _alike(a, b)

    if manoeuvres.assigned(old, new, reached) is None:
        worst = max(min((math.dist(p, q) for q in new), default=0.0) for p in old)
        yield Reason(rule, facts={"inches": round(max(worst, limit), 2), "most": limit})
        return
    if not walls:
        return
    taken = _built_over(before, old, after, new, walls)

    def passes(k: int, j: int) -> bool:
        return reached(k, j) and not taken[j] and _passes(before[k], old[k], new[j], limit, walls)

    def leads(k: int, j: int) -> bool:
        a, b = before[k], after[j]
        return a.pool == b.pool and _alike(a, b) and not taken[j] and _way(a, old[k], new[j], walls) < math.inf

    if sum(not blocked for blocked in taken) >= len(old):
        if manoeuvres.assigned(old, new, passes) is not None:
            return
        if (round_about := manoeuvres.assigned(old, new, leads)) is not None:
            # What is in the way can be gone round, but the way is too long then.
            worst = max(_way(before[k], old[k], new[j], walls) for k, j in enumerate(round_about))
            yield Reason(rule, facts={"inches": round(worst, 2), "most": limit})
    yield Reason("t9a.move.reform.model-spacing", facts={"others": [name for name, _, _ in walls]})


def _built_over(
    before: Sequence[Cell], old: Sequence[Point], after: Sequence[Cell], new: Sequence[Point], walls: Sequence[Wall]
) -> list[bool]:
    """Places that nobody gets to, because they lie too near to something that nobody starts too near to."""
    taken = [False] * len(new)
    for wall in walls:
        if all(_room(cell, at, at, wall) > TOLERANCE for cell, at in zip(before, old, strict=True)):
            for j, (cell, at) in enumerate(zip(after, new, strict=True)):
                taken[j] = taken[j] or _room(cell, at, at, wall) < -2 * TOLERANCE
    return taken


def stop_reasons(state: State, unit: Unit, mob: float, stops: Sequence[Box], end: Box, files: int) -> Iterator[Reason]:
    """Where the place of a unit in its reform matters, it must be able to stand there by unit spacing, and each model's
    way is measured by that place (t9a.move.reform.mid-actions)."""
    rule = "t9a.move.reform.mid-actions"
    for stop in stops:
        least = 0.5 if state.options.reform_stop == "during" else 1.0
        for found in spacing.crowding(state, unit, stop, least, but=(unit.came,)):
            yield Reason(rule, facts=found.facts)
        if not spacing.on_table(state, stop):
            yield Reason(rule, facts={"unit": unit.id})
    before = layout(state, unit).cells
    _, _, after = with_files(state, unit, files)
    old = _middles(box(state, unit), before)
    ways = [_middles(at, after) for at in (*stops, end)]

    def length(k: int, j: int) -> float:
        legs = [old[k], *(places[j] for places in ways)]
        return math.fsum(math.dist(a, b) for a, b in itertools.pairwise(legs))

    def fits(k: int, j: int) -> bool:
        alike = _alike(before[k], after[j]) and before[k].pool == after[j].pool
        return alike and length(k, j) <= 2 * mob + EPS

    if manoeuvres.assigned(old, ways[-1], fits) is None:
        worst = max(min(length(k, j) for j in range(len(after))) for k in range(len(before)))
        yield Reason(rule, facts={"inches": round(worst, 2), "most": 2 * mob})


def _by_key(before: Sequence[Cell], after: Sequence[Cell]) -> list[int] | None:
    """Models in the order in which they stand, each pool's for itself."""
    places: dict[str, list[int]] = {}
    for j, cell in enumerate(after):
        places.setdefault(cell.pool, []).append(j)
    order = []
    for cell in before:
        queue = places.get(cell.pool)
        if not queue:
            return None
        order.append(queue.pop(0))
    return order


def _walls(state: State, unit: Unit, here: Box, end: Box) -> list[Wall]:
    """What may be in the way of models going from one place to the other."""
    if every(state, unit, "t9a.rule.fly"):
        return []
    ground = convex_hull([*here.corners(), *end.corners()])
    found: list[Wall] = []
    for other in state.table():
        if other.id != unit.id and other.id != unit.came:
            keep = 0.0 if spacing.exempt(state, unit, other.id) else 0.5
            ring = box(state, other).corners()
            if not clear_of(ground, ring, keep + 0.01):
                found.append((other.id, ring, keep))
    if not every(state, unit, "t9a.rule.ghost-step"):
        for piece in spacing.impassable(state):
            keep = 0.0 if spacing.exempt(state, unit, piece.id) else 0.5
            if not clear_of(ground, piece.points, keep + 0.01):
                found.append((piece.id, piece.points, keep))
    return found


def _room(cell: Cell, start: Point, end: Point, wall: Wall) -> float:
    """By how much a model, as a disc over the shorter side of its base, passes something on a straight way."""
    _, ring, keep = wall
    return spans.gap((start, end), ring) - min(cell.x1 - cell.x0, cell.y0 - cell.y1) / 2 - keep


def _straight(cell: Cell, start: Point, end: Point, walls: Sequence[Wall]) -> bool:
    """Is the straight way free for a model?"""
    return all(_room(cell, start, end, wall) >= -EPS for wall in walls)


def _passes(cell: Cell, start: Point, end: Point, limit: float, walls: Sequence[Wall]) -> bool:
    """Is there a way for a model, as a disc, round what is in the way, no longer than that?"""
    return _way(cell, start, end, walls, limit) <= limit + EPS


def _way(cell: Cell, start: Point, end: Point, walls: Sequence[Wall], limit: float = math.inf) -> float:
    """How long the shortest way of a model is, as a disc, round what is in the way; endless if there is none."""
    if _straight(cell, start, end, walls):
        return math.dist(start, end)
    radius = min(cell.x1 - cell.x0, cell.y0 - cell.y1) / 2
    things = [Prism(tuple(ring)) for _, ring, _ in walls]
    keeps = [keep for _, _, keep in walls]
    route = way_round(Base(Round(radius), *start), *end, things, keeps, limit=limit)
    return math.inf if route is None else route.length


def propose(state: State, unit: Unit, mob: float, rng: Rng) -> Any:
    here = box(state, unit)
    cx, cy = here.centre
    most, _ = reach(state, unit, mob)
    angle, far = rng.uniform(0, 360.0), rng.uniform(0, most) * 0.99
    ux, uy = unit_vector(angle)
    facing = unit.facing + (rng.uniform(-180, 180) if rng.below(2) else 0.0)
    change = most_files(state, unit)
    files = max(1, unit.files + (rng.between(-change, change) if rng.below(2) else 0))
    x, y = round(cx + far * ux, 3), round(cy + far * uy, 3)
    if rng.below(8) == 0:
        half = {"x": round((cx + x) / 2, 3), "y": round((cy + y) / 2, 3), "facing": unit.facing}
        return {"path": [half, {"x": x, "y": y, "facing": round(facing % 360.0, 2)}], "files": files}
    return {"to": {"x": x, "y": y, "facing": round(facing % 360.0, 2)}, "files": files}


# -- joining by a move ---------------------------------------------------------------------------------------------


def friends(state: State, unit: Unit) -> Iterator[str]:
    """Units near enough that a lone model might join them by this move (t9a.char.join.how)."""
    if state.rnf(unit) is not None or len(unit.members) != 1:
        return
    for other in state.table(unit.side):
        if other.id not in (unit.id, unit.came) and near(box(state, unit), box(state, other), 24.0):
            yield other.id


def takes(state: State, unit: Unit, key: str) -> bool:
    """May a lone model join that unit, if it gets there?"""
    pool = state.pools[unit.members[0]]
    return next(standing(state, joining.join_objections(state, pool, state.units[key])), None) is None


def join_reasons(state: State, unit: Unit, budget: Budget, key: str) -> Iterator[Reason]:
    """Why a model may not join a unit by this move: the unit, or a place that is too far (t9a.char.join.distance)."""
    host = state.units.get(key)
    facts: dict[str, Any] = {"who": unit.id, "unit": key}
    if host is None or host.where != "table" or len(unit.members) != 1 or not state.pools[unit.members[0]].attachable:
        yield Reason("t9a.char.join.how", facts=facts)
        return
    pool = state.pools[unit.members[0]]
    yield from joining.join_objections(state, pool, host)
    most = reach(state, unit, budget.mob)[0] if budget.action == "reform" else budget.limit
    here = box(state, unit)
    places = joining.places_in(state, pool, host)
    if not places:
        return
    inches, end = min((way_in(state, here, budget.action, there), there) for there in places)
    if inches == math.inf:
        yield Reason("t9a.move.march.advance", "reason.t9a.move.no-way")
        return
    cell = layout(state, unit).cells[0]
    walls = [w for w in _walls(state, unit, here, box(state, host)) if w[0] != key]
    if inches > most + EPS or (walls and not _passes(cell, here.centre, end, most, walls)):
        yield Reason("t9a.char.join.distance", facts={**facts, "inches": round(inches, 2), "most": most})


def way_in(state: State, here: Box, action: str, there: Point) -> float:
    """How far a model has to go to a place in a unit: straight there, for it may turn on the spot first, but in a
    march, which begins with no pivot (t9a.move.march.advance). Endless: it does not come there."""
    if action != "march":
        return math.dist(here.centre, there)
    from .courses import price

    ways = [manoeuvres.cost(here.w, legs, price(state)) for legs in manoeuvres.serpentine_to(here, *there, None)]
    return min(ways, default=math.inf) + here.d / 2
