"""Line of sight and cover."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .formation import EPS, Box, Cell, Point, box, height, layout, middle, side_line
from .model_rules import every
from .spacing import separation
from .state import Facing, State, Unit


def blockers(state: State, viewer: Unit, target: Unit | None) -> list[Sequence[Point]]:
    """What blocks a line between two units: opaque terrain that neither stands in, and units as high as both
    (t9a.def.los.blockers)."""
    found: list[Sequence[Point]] = []
    here = box(state, viewer).corners()
    there = box(state, target).corners() if target is not None else None
    for piece in state.field.terrain:
        if piece.kind not in ("hill", "impassable") or not state.applies("t9a.terrain.opaque"):
            continue
        if separation(here, piece.points) < 0 or (there is not None and separation(there, piece.points) < 0):
            continue
        found.append(piece.points)
    seen = height(state, target) if target is not None else 0
    tall = max(height(state, viewer), seen)
    for other in state.units.values():
        if other.where != "table" or other.id == viewer.id or (target is not None and other.id == target.id):
            continue
        if height(state, other) >= tall and state.applies("t9a.def.los.blockers"):
            found.append(box(state, other).corners())
    return found


def crosses(ax: float, ay: float, bx: float, by: float, ring: Sequence[Point]) -> bool:
    """Does a segment run through the open interior of a convex polygon?"""
    low, high = 0.0, 1.0
    dx, dy = bx - ax, by - ay
    area = 0.0
    for k in range(len(ring)):
        x0, y0 = ring[k - 1]
        x1, y1 = ring[k]
        area += x0 * y1 - x1 * y0
    sign = 1.0 if area > 0 else -1.0
    for k in range(len(ring)):
        x0, y0 = ring[k - 1]
        x1, y1 = ring[k]
        nx, ny = sign * (y1 - y0), -sign * (x1 - x0)
        at = nx * (ax - x0) + ny * (ay - y0)
        rate = nx * dx + ny * dy
        if abs(rate) < 1e-12:
            if at >= -1e-9:
                return False
            continue
        t = -at / rate
        if rate > 0:
            high = min(high, t)
        else:
            low = max(low, t)
        if low >= high - 1e-9:
            return False
    return True


def _in_front(of: Box, p: Point, q: Point) -> bool:
    """At most 45 degrees from straight ahead (t9a.def.los.arc)."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    along, aside = dx * of.ux + dy * of.uy, abs(dx * of.uy - dy * of.ux)
    return along >= aside - EPS and along > 0


def origins(of: Box, cells: Iterable[Cell]) -> list[Point]:
    """Points of the unit's front from which its models look (t9a.def.los.origin)."""
    found: dict[Point, None] = {}
    for cell in cells:
        for x in (cell.x0, (cell.x0 + cell.x1) / 2, cell.x1):
            found[of.world(x, 0.0)] = None
    return list(found)


def sees(state: State, viewer: Unit, target: Unit, cells: Sequence[Cell] | None = None) -> bool:
    """Has one of these models (as given: of the front rank) a line to the target's boundary? (t9a.def.los)"""
    return sight_point(state, viewer, target, cells) is not None


def sight_point(state: State, viewer: Unit, target: Unit, cells: Sequence[Cell] | None = None) -> Point | None:
    of = box(state, viewer)
    there = box(state, target)
    all_round = every(state, viewer, "t9a.rule.emplaced.los") or every(state, viewer, "t9a.rule.emplaced")
    if cells is None:
        cells = [cell for cell in layout(state, viewer).cells if cell.rank == 0]
    corners = there.corners()
    goals = [
        *corners,
        *((((a[0] + b[0]) / 2), (a[1] + b[1]) / 2) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)),
    ]
    walls: list[Sequence[Point]] | None = None
    for p in origins(of, cells):
        for q in goals:
            if not all_round and not _in_front(of, p, q):
                continue
            if walls is None:
                walls = blockers(state, viewer, target)
            if not any(crosses(p[0], p[1], q[0], q[1], wall) for wall in walls):
                return p
    return None


def cover(state: State, shooter: Unit, point: Point, target: Unit, face: Facing) -> str:
    """Cover from one model's sight point: three lines to both ends and the middle of the facing
    (t9a.shoot.cover.lines)."""
    there = box(state, target)
    left, right = side_line(there, face)
    ends = (left, right, middle(there, face))
    soft, hard = obstacles(state, shooter, target)
    hits_hard = hits_any = 0
    for q in ends:
        through = any(crosses(point[0], point[1], q[0], q[1], ring) for ring in hard)
        hits_hard += through
        hits_any += through or any(crosses(point[0], point[1], q[0], q[1], ring) for ring in soft)
    if not state.applies("t9a.shoot.cover.result"):
        return ""
    if hits_hard >= 2:
        return "hard"
    return "soft" if hits_any >= 2 else ""


def obstacles(state: State, shooter: Unit, target: Unit) -> tuple[list[Sequence[Point]], list[Sequence[Point]]]:
    """What gives soft and hard cover between two units (t9a.shoot.cover.sources)."""
    soft: list[Sequence[Point]] = []
    hard: list[Sequence[Point]] = []
    here, there = box(state, shooter).corners(), box(state, target).corners()
    low, high = sorted((height(state, shooter), height(state, target)))
    seen = height(state, target)
    for piece in state.field.terrain:
        own = separation(here, piece.points) <= EPS
        if own and state.applies("t9a.terrain.covering.own"):
            continue
        touching = separation(there, piece.points) <= EPS
        if (piece.kind == "forest" and state.applies("t9a.terrain.forest.cover")) or (
            piece.kind == "field" and touching and seen <= 3 and state.applies("t9a.terrain.field")
        ):
            soft.append(piece.points)
        elif (
            (piece.kind == "ruins" and touching and seen <= 3 and state.applies("t9a.terrain.ruins.cover"))
            or (piece.kind == "wall" and touching and seen <= 3 and state.applies("t9a.terrain.wall"))
            or piece.kind in ("hill", "impassable")
        ):
            hard.append(piece.points)
    for other in state.units.values():
        if other.where != "table" or other.id in (shooter.id, target.id):
            continue
        tall = height(state, other)
        if tall >= high:
            hard.append(box(state, other).corners())
        elif tall >= low:
            soft.append(box(state, other).corners())
    return soft, hard
