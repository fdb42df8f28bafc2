"""Line of sight and cover."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

from umpire.engine.rulings import Reason
from umpire.rulebook.deciding import decides
from umpire.space.glimpses import NOBODY, Rings, Screen, Screens, crossed, glimpse, one_ring, rings_of, screened
from umpire.space.shapes import convex_hull

from .formation import EPS, Box, Cell, Point, between_two, box, gathered, height, layout, middle, side_line, skirmishing
from .model_rules import every
from .spacing import clear_of, separation
from .state import Facing, State, Terrain, Unit

OPAQUE = ("hill", "impassable")


def opaque(state: State, piece: Terrain) -> bool:
    """Sight is not drawn through it (t9a.terrain.opaque, t9a.terrain.hill)."""
    if piece.kind == "hill" and not state.applies("t9a.terrain.hill"):
        return False
    return piece.kind in OPAQUE and state.applies("t9a.terrain.opaque")


def wholly_on(ring: Sequence[Point], piece: Terrain) -> bool:
    """Does an outline lie wholly in a piece?"""
    points = piece.points
    area = sum(points[k - 1][0] * points[k][1] - points[k][0] * points[k - 1][1] for k in range(len(points)))
    sign = 1.0 if area > 0 else -1.0
    for k in range(len(points)):
        (x0, y0), (x1, y1) = points[k - 1], points[k]
        if any(sign * ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) < -EPS for x, y in ring):
            return False
    return True


def elevated(state: State, ring: Sequence[Point]) -> bool:
    """Is somebody wholly on a hill? (t9a.terrain.hill.elevated)"""
    return state.applies("t9a.terrain.hill.elevated") and any(
        piece.kind == "hill" and wholly_on(ring, piece) for piece in state.field.terrain
    )


Within = tuple[str, ...]
"""The pieces of opaque terrain that a model stands in."""


def screens(state: State, viewer: Unit, tall: int, inside: Within) -> Screens:
    """What blocks a line from a model: opaque terrain that it is not in, the boundaries of units as high as both, and
    the bases of models as high as both in units that are lower (t9a.def.los.blockers); `tall` is the greater of the
    Heights of the model that looks and of the one looked at."""
    key = "screens", tall, inside
    return between_two(state, key, viewer, viewer, lambda: screened(_screens(state, tall, inside)))


def _screens(state: State, tall: int, inside: Within) -> list[Screen]:
    found = [
        Screen(piece.points, enter=True)
        for piece in state.field.terrain
        if opaque(state, piece) and piece.id not in inside
    ]
    if state.applies("t9a.def.los.blockers"):
        found += gathered(state, ("in the way", tall), lambda: _bodies_between(state, tall))
    return found


def _bodies_between(state: State, tall: int) -> list[Screen]:
    found: list[Screen] = []
    for number, other in enumerate(state.units.values()):
        if other.where != "table":
            continue
        if height(state, other) >= tall:
            found.append(Screen(box(state, other).corners(), False, number, raised(state, other)))
        elif len(other.members) > 1:
            rings = taller(state, other, tall)
            found += [Screen(ring, False, number, elevated(state, ring)) for ring in rings]
    return found


def overlooked(state: State, viewer: Unit, target: Unit | None) -> tuple[int, int]:
    """The numbers of the two units themselves, which never block (t9a.def.los.own-unit)."""
    if not state.applies("t9a.def.los.own-unit"):
        return NOBODY, NOBODY
    numbers = gathered(state, "numbers", lambda: {key: number for number, key in enumerate(state.units)})
    return numbers.get(viewer.id, NOBODY), NOBODY if target is None else numbers.get(target.id, NOBODY)


def stands_in(state: State, unit: Unit, cell: Cell) -> Within:
    """The opaque terrain that a model of a unit is in, which it ignores when it looks (t9a.terrain.opaque)."""
    pieces = between_two(state, "in opaque terrain", unit, unit, lambda: _entered(state, unit))
    if not pieces:
        return ()
    ring = ring_of(box(state, unit), cell)
    return tuple(piece.id for piece in pieces if not clear_of(ring, piece.points, -EPS))


def _entered(state: State, unit: Unit) -> list[Terrain]:
    """The opaque terrain that a unit is in, with some of its models at least."""
    own = box(state, unit).corners()
    return [piece for piece in state.field.terrain if opaque(state, piece) and not clear_of(own, piece.points, -EPS)]


def raised(state: State, unit: Unit) -> bool:
    """Is a unit wholly on a hill? From or to there whoever stands lower is overlooked."""
    return between_two(state, "raised", unit, unit, lambda: elevated(state, box(state, unit).corners()))


def on_hill(state: State, unit: Unit, cell: Cell) -> bool:
    """Is a model wholly on a hill, if perhaps not its whole unit?"""
    return raised(state, unit) or cell in on_hills(state, unit)


def on_hills(state: State, unit: Unit) -> tuple[Cell, ...]:
    """The models that are wholly on a hill of a unit that is not."""
    return between_two(state, "on hills", unit, unit, lambda: _on_hills(state, unit))


def _on_hills(state: State, unit: Unit) -> tuple[Cell, ...]:
    at = box(state, unit)
    hills = [piece for piece in state.field.terrain if piece.kind == "hill"]
    if raised(state, unit) or all(clear_of(at.corners(), piece.points, -EPS) for piece in hills):
        return ()
    return tuple(cell for cell in layout(state, unit).cells if elevated(state, ring_of(at, cell)))


def ring_of(at: Box, cell: Cell) -> tuple[Point, ...]:
    """A model's base in its unit."""
    corners = ((cell.x0, cell.y0), (cell.x1, cell.y0), (cell.x1, cell.y1), (cell.x0, cell.y1))
    return tuple(at.world(x, y) for x, y in corners)


def taller(state: State, unit: Unit, least: int) -> list[tuple[Point, ...]]:
    """The bases of the models in a unit that are at least so high, though most of it is lower."""
    if all(state.pools[key].profile.height < least for key in unit.members):
        return []
    at = box(state, unit)
    return [ring_of(at, c) for c in layout(state, unit).cells if state.pools[c.pool].profile.height >= least]


def stretches(state: State, of: Box, cells: Iterable[Cell]) -> list[tuple[Point, Point]]:
    """The parts of the unit's front from which its models look: straight ahead of each (t9a.def.los.origin)."""
    if not state.applies("t9a.def.los.origin"):
        return [of.front()]
    found: dict[tuple[float, float], None] = {}
    for cell in cells:
        found[cell.x0, cell.x1] = None
    return [(of.world(x0, 0.0), of.world(x1, 0.0)) for x0, x1 in found]


def sees(state: State, viewer: Unit, target: Unit, cells: Sequence[Cell] | None = None) -> bool:
    """Has one of these models (as given: of the front rank) a line to any part of the target's boundary, models or not?
    (t9a.def.los, t9a.def.los.unit, t9a.def.los.boundary-target)"""
    bases = not state.applies("t9a.def.los.boundary-target")
    if not state.applies("t9a.def.los.unit"):
        own = cells or [cell for cell in layout(state, viewer).cells if cell.rank == 0]
        return all(sight_point(state, viewer, target, [cell], bases) is not None for cell in own)
    return sight_point(state, viewer, target, cells, bases) is not None


def bodies(state: State, target: Unit) -> list[tuple[Point, ...]]:
    """A unit's bases as few rectangles: its complete ranks, and the rest one by one."""
    shape = layout(state, target)
    at = box(state, target)
    if skirmishing(state, target):
        return [at.corners()]
    full = [rank for rank, n in enumerate(shape.rows) if n == shape.rows[0]]
    deep = 0
    while deep in full:
        deep += 1
    front = [c for c in shape.cells if c.rank + c.ranks <= deep and c.file >= 0]
    rest = [c for c in shape.cells if c not in front]
    rings: list[tuple[Point, ...]] = []
    if front:
        x0, x1 = min(c.x0 for c in front), max(c.x1 for c in front)
        y0, y1 = max(c.y0 for c in front), min(c.y1 for c in front)
        rings.append((at.world(x0, y0), at.world(x1, y0), at.world(x1, y1), at.world(x0, y1)))
    rings += [(at.world(c.x0, c.y0), at.world(c.x1, c.y0), at.world(c.x1, c.y1), at.world(c.x0, c.y1)) for c in rest]
    return rings


def sight_point(
    state: State, viewer: Unit, target: Unit, cells: Sequence[Cell] | None = None, bases: bool = True
) -> Point | None:
    """A point of the front from which one of these models sees the target: one of its models, or its boundary. None if
    there is no line at all."""
    key = ("seen", bases, None if cells is None else tuple(cells))
    return between_two(state, key, viewer, target, lambda: _sight_point(state, viewer, target, cells, bases))


def _sight_point(state: State, viewer: Unit, target: Unit, cells: Sequence[Cell] | None, bases: bool) -> Point | None:
    of = box(state, viewer)
    if not state.applies("t9a.def.los"):
        return of.x, of.y
    ahead = _ahead(state, viewer, of)
    if ahead is not None and not _before(of, box(state, target)):
        return None
    if cells is None:
        cells = [cell for cell in layout(state, viewer).cells if cell.rank == 0]
    past = overlooked(state, viewer, target)
    goals = between_two(state, ("goals", bases), target, target, lambda: goals_of(state, target, bases))
    for (own, high, inside), models in alike(state, viewer, cells).items():
        edges = stretches(state, of, models)
        for theirs, lifted, rings in goals:
            between = screens(state, viewer, max(own, theirs), inside)
            for edge in edges:
                line = glimpse(edge, rings, between, ahead, past=past, high=high or lifted)
                if line is not None:
                    return line.start
    return None


Lookout = tuple[int, bool, Within]
"""How a model looks: its own Height (t9a.def.los.blockers), whether it stands on a hill (t9a.terrain.hill.elevated),
and in which opaque terrain (t9a.terrain.opaque)."""


def lookout(state: State, viewer: Unit, cell: Cell) -> Lookout:
    return state.pools[cell.pool].profile.height, on_hill(state, viewer, cell), stands_in(state, viewer, cell)


def alike(state: State, viewer: Unit, cells: Sequence[Cell]) -> dict[Lookout, Sequence[Cell]]:
    """The models that look, by how they do."""
    entered = between_two(state, "in opaque terrain", viewer, viewer, lambda: _entered(state, viewer))
    if len(viewer.members) == 1 and not entered:
        return {(state.pools[viewer.members[0]].profile.height, raised(state, viewer), ()): cells}
    found: dict[Lookout, list[Cell]] = {}
    for cell in cells:
        found.setdefault(lookout(state, viewer, cell), []).append(cell)
    return {own: found[own] for own in sorted(found, reverse=True)}


Goal = tuple[int, bool, list[tuple[Point, ...]]]


def goals_of(state: State, target: Unit, bases: bool) -> list[Goal]:
    """What of a target may be looked at, with its Height and whether it is on a hill: its boundary or its bases, and
    its models of other Heights, or alone on the hill, for themselves."""
    usual, high, lifted = height(state, target), raised(state, target), on_hills(state, target)
    if len({state.pools[key].profile.height for key in target.members}) < 2 and not lifted:
        return [(usual, high, bodies(state, target) if bases else [box(state, target).corners()])]
    at = box(state, target)
    found: dict[tuple[int, bool], list[tuple[Point, ...]]] = {} if bases else {(usual, high): [at.corners()]}
    for cell in layout(state, target).cells:
        kind = state.pools[cell.pool].profile.height, high or cell in lifted
        if bases or kind != (usual, high):
            found.setdefault(kind, []).append(ring_of(at, cell))
    return [(*kind, rings) for kind, rings in found.items()]


def _before(of: Box, there: Box) -> bool:
    """May a unit be in the front arc at all (t9a.def.los.arc)?"""
    for x, y in there.corners():
        lx, ly = of.local(x, y)
        if ly >= abs(lx) - of.w / 2 - EPS and ly > -EPS:
            return True
    reach = 200.0
    half = of.w / 2
    arc = (of.world(-half, 0.0), of.world(half, 0.0), of.world(half + reach, reach), of.world(-half - reach, reach))
    return not clear_of(arc, there.corners(), -EPS)


def aside(of: Box, there: Box) -> float:
    """By how many degrees a line from the front to the nearest part of a target turns off straight ahead."""
    found = []
    for x, y in (*there.corners(), middle(there, "front"), middle(there, "rear")):
        lx, ly = of.local(x, y)
        off = max(0.0, abs(lx) - of.w / 2)
        found.append(math.degrees(math.atan2(off, ly)))
    return min(found)


def unseen(state: State, viewer: Unit, target: Unit) -> Iterator[Reason]:
    """Why a unit is not seen: it is not ahead, or something is between."""
    of, there = box(state, viewer), box(state, target)
    if not _before(of, there):
        yield Reason("t9a.def.los.arc", facts={"target": target.id, "degrees": round(aside(of, there), 1), "most": 45})
        return
    own, goal = of.corners(), there.corners()
    ground = convex_hull([*own, *goal])
    cells = [cell for cell in layout(state, viewer).cells if cell.rank == 0]
    for piece in state.field.terrain:
        if not opaque(state, piece) or all(piece.id in stands_in(state, viewer, cell) for cell in cells):
            continue
        if not clear_of(ground, piece.points, -EPS):
            yield Reason("t9a.terrain.opaque", facts={"other": piece.id})
            if state.applies("t9a.terrain.opaque"):
                yield Reason(f"t9a.terrain.{piece.kind}", "reason.t9a.terrain.opaque", {"other": piece.id})
    tall = max(height(state, viewer), height(state, target))
    for other in state.table():
        if other.id in (viewer.id, target.id) or height(state, other) < tall:
            continue
        if not clear_of(ground, box(state, other).corners(), -EPS):
            heights = {"height": height(state, other), "most": tall}
            yield Reason("t9a.def.los.blockers", facts={"other": other.id, **heights})


def sees_point(state: State, viewer: Unit, cells: Sequence[Cell], x: float, y: float) -> bool:
    """A point of the battlefield counts as Height 0 (t9a.def.los.point)."""
    of = box(state, viewer)
    spot = ((x, y), (x, y))
    past, top = overlooked(state, viewer, None), elevated(state, spot)
    for (own, high, inside), models in alike(state, viewer, cells).items():
        between = screens(state, viewer, own if state.applies("t9a.def.los.point") else MOST, inside)
        for edge in stretches(state, of, models):
            if glimpse(edge, [spot], between, (of.ux, of.uy), past=past, high=high or top) is not None:
                return True
    return False


MOST = 99
"""Higher than anybody: of what stands on the table only terrain blocks."""


# -- cover ---------------------------------------------------------------------------------------------------------


def best_cover(state: State, shooter: Unit, target: Unit, face: Facing, cell: Cell) -> str | None:
    """The least cover that a shooter can get by choosing the point it looks from; None if it sees nobody
    (t9a.shoot.cover.lines)."""
    point = sight_point(state, shooter, target, [cell])
    if point is None:
        return None
    own, high = state.pools[cell.pool].profile.height, on_hill(state, shooter, cell) or raised(state, target)
    shade = cover(state, shooter, point, target, face, own, high)
    if not shade:
        return shade
    of, there = box(state, shooter), box(state, target)
    (ax, ay), (bx, by) = of.world(cell.x0, 0.0), of.world(cell.x1, 0.0)
    soft, hard, _, _ = obstacles(state, shooter, target, own, high)
    goals = (*side_line(there, face), middle(there, face))
    marks = {0.0, 1.0}
    for ring in (*soft, *hard):
        for vx, vy in ring:
            for qx, qy in goals:
                across = (bx - ax) * (vy - qy) - (by - ay) * (vx - qx)
                if abs(across) > 1e-12:
                    t = ((qx - ax) * (vy - qy) - (qy - ay) * (vx - qx)) / across
                    if 0.0 < t < 1.0:
                        marks.add(t)
    ordered = sorted(marks)
    parts = sorted({*ordered, *((a + b) / 2 for a, b in itertools.pairwise(ordered))})
    between = screens(state, shooter, max(own, height(state, target)), stands_in(state, shooter, cell))
    past = overlooked(state, shooter, target)
    ahead, goal = _ahead(state, shooter, of), bodies(state, target)
    rank = {"": 0, "soft": 1, "hard": 2}
    for t in parts:
        p = (ax + (bx - ax) * t, ay + (by - ay) * t)
        other = cover(state, shooter, p, target, face, own, high)
        if rank[other] < rank[shade] and glimpse((p, p), goal, between, ahead, past=past, high=high):
            shade = other
    return shade


def _ahead(state: State, viewer: Unit, of: Box) -> Point | None:
    all_round = every(state, viewer, "t9a.rule.emplaced") and state.applies("t9a.rule.emplaced.los")
    return None if all_round or not state.applies("t9a.def.los.arc") else (of.ux, of.uy)


def cover(state: State, shooter: Unit, point: Point, target: Unit, face: Facing, own: int, high: bool) -> str:
    """Cover from one model's sight point: three lines to both ends and the middle of the facing
    (t9a.shoot.cover.lines); `own`: the Height of that model, `high`: it or its target is on a hill."""
    there = box(state, target)
    left, right = side_line(there, face)
    ends = (left, right, middle(there, face)) if state.applies("t9a.shoot.cover.lines") else ()
    _, _, soft, hard = obstacles(state, shooter, target, own, high)
    hits_hard = hits_any = 0
    for q in ends:
        through_hard = crossed(hard, point, q)
        hits_hard += through_hard
        hits_any += through_hard or crossed(soft, point, q)
    if not state.applies("t9a.shoot.cover.result"):
        return ""
    if hits_hard >= 2:
        return "hard"
    return "soft" if hits_any >= 2 else ""


Covering = tuple[list[Sequence[Point]], list[Sequence[Point]], Rings, Rings]


@decides("t9a.terrain.open")
def obstacles(state: State, shooter: Unit, target: Unit, own: int, high: bool) -> Covering:
    """What gives soft and hard cover from a model of this Height, on a hill or not (t9a.shoot.cover.sources), and the
    same as arrays."""
    key = "obstacles", own, high
    return between_two(state, key, shooter, target, lambda: _obstacles(state, shooter, target, own, high))


def _obstacles(state: State, shooter: Unit, target: Unit, own: int, above: bool) -> Covering:
    soft: list[Sequence[Point]] = []
    hard: list[Sequence[Point]] = []
    if not state.applies("t9a.shoot.cover.sources"):
        return soft, hard, rings_of(soft), rings_of(hard)
    here, there = box(state, shooter).corners(), box(state, target).corners()
    low, high = sorted((own, height(state, target)))
    for piece in state.field.terrain:
        inside = separation(here, piece.points) <= EPS
        if inside and state.applies("t9a.terrain.covering.own"):
            continue
        kind = _covering(state, piece, target, there)
        if kind:
            (hard if kind == "hard" else soft).append(piece.points)
    for other in state.units.values():
        if other.where != "table" or other.id in (shooter.id, target.id):
            continue
        tall = height(state, other)
        if tall >= low and (not above or raised(state, other)):
            (hard if tall >= high else soft).append(box(state, other).corners())
        for least, found in ((high, hard), (low, soft)):
            if tall < least:
                # The taller models in it cover for themselves.
                found += [ring for ring in taller(state, other, least) if not above or elevated(state, ring)]
    return soft, hard, rings_of(soft), rings_of(hard)


COVERING = {
    "field": "t9a.terrain.field",
    "forest": "t9a.terrain.forest.cover",
    "hill": "t9a.terrain.hill",
    "impassable": "t9a.terrain.opaque",
    "ruins": "t9a.terrain.ruins.cover",
    "wall": "t9a.terrain.wall",
}


def cover_rules(state: State, shooter: Unit, target: Unit, face: Facing, cell: Cell) -> tuple[list[str], list[str]]:
    """What covers a target from a shooter, and what would, did not a rule say otherwise: rules, and by whom."""
    point = sight_point(state, shooter, target, [cell])
    told: dict[str, None] = {}
    by: dict[str, None] = {}
    if point is None:
        return [], []
    here, there = box(state, shooter).corners(), box(state, target).corners()
    ends = (*side_line(box(state, target), face), middle(box(state, target), face))

    def lines(ring: Sequence[Point]) -> int:
        return sum(crossed(one_ring(tuple(ring)), point, end) for end in ends)

    for piece in state.field.terrain:
        if piece.kind not in COVERING or not lines(piece.points):
            continue
        if separation(here, piece.points) <= EPS and state.applies("t9a.terrain.covering.own"):
            told["t9a.terrain.covering.own"] = None
        elif _covering(state, piece, target, there):
            told[COVERING[piece.kind]] = by[piece.id] = None
            if piece.kind == "forest":
                told["t9a.terrain.covering"] = None
        elif piece.kind in CONTACT_ONLY:
            tall = height(state, target) > 3 and separation(there, piece.points) <= EPS
            told["t9a.terrain.covering.height" if tall else "t9a.terrain.covering.contact-only"] = None
    low = min(state.pools[cell.pool].profile.height, height(state, target))
    for other in state.table():
        if other.id in (shooter.id, target.id):
            continue
        whole = height(state, other) >= low
        for ring in [box(state, other).corners()] if whole else taller(state, other, low):
            if lines(ring):
                if (on_hill(state, shooter, cell) or elevated(state, there)) and not elevated(state, ring):
                    told["t9a.terrain.hill.elevated"] = None
                else:
                    told["t9a.shoot.cover.sources"] = by[other.id] = None
    return list(told), list(by)


CONTACT_ONLY = {
    "field": ("soft", "t9a.terrain.field"),
    "ruins": ("hard", "t9a.terrain.ruins.cover"),
    "wall": ("hard", "t9a.terrain.wall"),
}
"""Fields, ruins and walls cover only those who touch them (t9a.terrain.covering.contact-only)."""


def _covering(state: State, piece: Terrain, target: Unit, there: Sequence[Point]) -> str:
    """Which cover a piece of terrain gives a target, if lines run through it (t9a.terrain.covering)."""
    if piece.kind in OPAQUE:
        return "hard"
    if not state.applies("t9a.terrain.covering"):
        return ""
    if piece.kind == "forest":
        return "soft" if state.applies("t9a.terrain.forest.cover") else ""
    if piece.kind not in CONTACT_ONLY:
        return ""
    kind, rule = CONTACT_ONLY[piece.kind]
    if not state.applies(rule):
        return ""
    if state.applies("t9a.terrain.covering.contact-only") and separation(there, piece.points) > EPS:
        return ""
    if state.applies("t9a.terrain.covering.height") and height(state, target) > 3:
        return ""
    return kind
