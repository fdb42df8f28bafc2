"""Distances, contact and unit spacing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from umpire.engine.rulings import Reason
from umpire.rulebook.deciding import decides
from umpire.space import spans
from umpire.space.ranks import contact
from umpire.space.ranks.blocks import side_length, side_line
from umpire.space.ranks.contact import Stretch
from umpire.space.shapes import TOLERANCE

from .formation import EPS, Box, Layout, Point, box, gathered, kept, layout, size_of
from .state import Facing, Pool, State, Terrain, Unit

STANDOFF = 0.01
"""How far before contact a move stops that must not touch."""


separation = spans.gap
"""How far apart two convex polygons are; negative: by how much they overlap at least."""


def clear_of(a: Sequence[Point], b: Sequence[Point], least: float) -> bool:
    """Are two convex polygons further apart than that? The quick answer to what `separation` measures."""
    ax, bx = [p[0] for p in a], [p[0] for p in b]
    if min(bx) - max(ax) > least or min(ax) - max(bx) > least:
        return True
    ay, by = [p[1] for p in a], [p[1] for p in b]
    if min(by) - max(ay) > least or min(ay) - max(by) > least:
        return True
    return separation(a, b) > least


@decides("t9a.def.contact")
def touch(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """Do two outlines meet, be it in a point, or overlap?"""
    return separation(a, b) <= EPS


@decides("t9a.def.measure.closest-points")
def between(a: Box, b: Box) -> float:
    """The distance of two Unit Boundaries (t9a.def.measure.closest-points), 0 if they touch."""
    return max(0.0, separation(a.corners(), b.corners()))


def distance(state: State, a: Unit, b: Unit) -> float:
    return between(box(state, a), box(state, b))


def model_ring(state: State, pool: Pool) -> tuple[Point, ...]:
    """The base of an attached model; of rank-and-file models their unit's boundary."""
    unit = state.units[pool.unit]
    at = box(state, unit)
    if len(unit.members) < 2 or not pool.attachable:
        return at.corners()
    cell = next((c for c in layout(state, unit).cells if c.pool == pool.id), None)
    if cell is None:
        return at.corners()
    corners = ((cell.x0, cell.y0), (cell.x1, cell.y0), (cell.x1, cell.y1), (cell.x0, cell.y1))
    return tuple(at.world(x, y) for x, y in corners)


def from_model(state: State, pool: Pool, unit: Unit) -> float:
    """How far a unit is from a model: from its base, wherever in its own unit it stands; 0 for that unit itself."""
    if pool.unit == unit.id:
        return 0.0
    return max(0.0, separation(model_ring(state, pool), box(state, unit).corners()))


@decides("t9a.def.measure.within")
def within(gap: float, inches: float) -> bool:
    """Less than or equal (t9a.def.measure.within)."""
    return gap <= inches + TOLERANCE


def near(one: Box, other: Box, reach: float) -> bool:
    """May two boxes be within reach? A quick look, by the circles about them, before the exact one."""
    dx = one.x - one.ux * one.d / 2 - other.x + other.ux * other.d / 2
    dy = one.y - one.uy * one.d / 2 - other.y + other.uy * other.d / 2
    far = reach + (math.sqrt(one.w * one.w + one.d * one.d) + math.sqrt(other.w * other.w + other.d * other.d)) / 2
    return dx * dx + dy * dy <= far * far


def impassable(state: State) -> list[Terrain]:
    return [piece for piece in state.field.terrain if piece.kind == "impassable"]


class Stand(NamedTuple):
    """A unit on the table: its boundary, and a circle about it."""

    unit: Unit
    box: Box
    x: float
    y: float
    radius: float
    ring: tuple[Point, ...]


def stands(state: State) -> list[Stand]:
    """Everybody on the table; while nobody moves they are gathered once."""
    return gathered(state, "stands", lambda: _stands(state))


def _stands(state: State) -> list[Stand]:
    found, before = [], kept(state)["boxes"]
    for unit in state.units.values():
        if unit.where == "table":
            at = box(state, unit)
            stand = before.get(("stand", id(unit)))
            if stand is None or stand.box is not at:
                x, y = at.x - at.ux * at.d / 2, at.y - at.uy * at.d / 2
                radius = math.sqrt(at.w * at.w + at.d * at.d) / 2
                stand = before["stand", id(unit)] = Stand(unit, at, x, y, radius, at.corners())
            found.append(stand)
    return found


def about(state: State, at: Box, reach: float) -> list[Stand]:
    """Those who may be within reach of a place: a quick look, by the circles about them, before the exact one."""
    cx, cy = at.x - at.ux * at.d / 2, at.y - at.uy * at.d / 2
    far = reach + math.sqrt(at.w * at.w + at.d * at.d) / 2 + EPS
    found = []
    for stand in stands(state):
        dx, dy, most = stand.x - cx, stand.y - cy, far + stand.radius
        if dx * dx + dy * dy <= most * most:
            found.append(stand)
    return found


def crowding(
    state: State, unit: Unit, at: Box, least: float, but: Sequence[str] = (), rule: str = "t9a.def.spacing.end"
) -> Iterator[Reason]:
    """Other units and impassable terrain that this place is too close to (t9a.def.spacing.end)."""
    ring = at.corners()
    for other, _, _, _, _, there in about(state, at, least):
        if other.id == unit.id or other.id in but:
            continue
        gap = separation(ring, there)
        allowed = 0.0 if exempt(state, unit, other.id) else least
        if gap < allowed - EPS or (allowed == 0.0 and gap <= EPS):
            cite = "t9a.def.unit-boundary.no-overlap" if gap < -EPS else rule
            yield Reason(cite, facts={"other": other.id, "gap": round(max(0.0, gap), 2), "least": least})
    for piece in impassable(state):
        gap = separation(ring, piece.points)
        allowed = 0.0 if exempt(state, unit, piece.id) else least
        if gap < allowed - EPS or (allowed == 0.0 and gap <= EPS):
            cite = "t9a.terrain.impassable" if gap < 0 else rule
            yield Reason(cite, facts={"other": piece.id, "gap": round(max(0.0, gap), 2), "least": least})


def exempt(state: State, unit: Unit, other: str) -> bool:
    """Brought too close without wishing it, units may stay so until they are apart (t9a.def.spacing.persist)."""
    return other in unit.close and state.applies("t9a.def.spacing.persist")


def on_table(state: State, at: Box) -> bool:
    return all(-EPS <= x <= state.field.width + EPS and -EPS <= y <= state.field.depth + EPS for x, y in at.corners())


def off_table(state: State, at: Box) -> float:
    """How far a place reaches beyond the table's edge."""
    w, d = state.field.width, state.field.depth
    return max(max(-x, -y, x - w, y - d) for x, y in at.corners())


def note_closeness(state: State, unit: Unit) -> None:
    """Remember whom a unit stands closer to than spacing allows, and forget whom it has left
    (t9a.def.spacing.persist)."""
    if unit.where != "table":
        return
    here = box(state, unit)
    ring = here.corners()
    close: list[str] = []
    reached = {stand.unit.id for stand in about(state, here, 1.0) if separation(ring, stand.ring) <= 1.0 - EPS}
    for other in state.units.values():
        if other.where != "table" or other.id == unit.id:
            continue
        if other.id in reached:
            close.append(other.id)
            if unit.id not in other.close:
                other.close = (*other.close, unit.id)
        elif unit.id in other.close:
            other.close = tuple(key for key in other.close if key != unit.id)
    for piece in impassable(state):
        if separation(ring, piece.points) <= 1.0 - EPS:
            close.append(piece.id)
    unit.close = tuple(close)


# -- who touches whom -----------------------------------------------------------------------------------------------


@decides("t9a.def.contact.gap-blocked", "t9a.rule.skirmisher.fight")
@lru_cache(maxsize=256)
def skyline_of(shape: Layout, width: float, depth: float, face: Facing, own: bool = False) -> tuple[Stretch, ...]:
    """Which model is nearest the enemy along a facing, from the left end as the enemy sees it, or (`own`) as the unit
    itself looks out (t9a.def.contact.gap-blocked)."""
    return tuple(contact.exposed(shape.cells, width, depth, face, own))


def skyline(state: State, unit: Unit, face: Facing, own: bool = False) -> tuple[Stretch, ...]:
    w, d = size_of(state, unit)
    return skyline_of(layout(state, unit), w, d, face, own)


@decides("t9a.def.contact.models")
def contacts(
    state: State, a: Unit, a_face: Facing, b: Unit, b_face: Facing, across: bool = True
) -> list[tuple[int, int]]:
    """Which cells of two engaged units are in contact, `across` gaps too: a strip from one base at right angles to the
    facing meets the other (t9a.def.contact.across-gaps, t9a.melee.attack.across-gap)."""
    mine, theirs = skyline(state, a, a_face, own=True), skyline(state, b, b_face)
    edge = contact.edge_of(box(state, b), b_face)
    right, left = side_line(box(state, a), a_face)
    start, end = edge.along(*left), edge.along(*right)
    part = (end - start) / max(EPS, side_length(box(state, a), a_face))
    found: dict[tuple[int, int], None] = {}
    rules = ("t9a.def.contact.across-gaps", "t9a.melee.attack.across-gap")
    if not across or not all(state.applies(rule) for rule in rules):
        mine = _at_the_line(state, a, a_face, mine)
        theirs = _at_the_line(state, b, b_face, theirs)
    for lo, hi, j in mine:
        low, high = sorted((start + lo * part, start + hi * part))
        for their_low, their_high, k in theirs:
            if low <= their_high + CONTACT and high >= their_low - CONTACT:
                found[j, k] = None
    return list(found)


def _at_the_line(state: State, unit: Unit, face: Facing, found: tuple[Stretch, ...]) -> tuple[Stretch, ...]:
    """Those whose own base touches the facing, with no gap before it."""
    w, d = size_of(state, unit)
    cells = layout(state, unit).cells
    depths = {
        "front": [-c.y0 for c in cells],
        "rear": [d + c.y1 for c in cells],
        "right": [w / 2 - c.x1 for c in cells],
        "left": [w / 2 + c.x0 for c in cells],
    }[face]
    return tuple(s for s in found if depths[s.cell] <= EPS)


CONTACT = 1e-4
"""Bases that touch at a corner are in contact; placing is exact to this."""


def beyond_edges(state: State) -> list[tuple[Point, ...]]:
    """The ground beyond the table's edges, a hair off them: to stand at an edge is no contact with it
    (t9a.def.table-edge.during)."""
    if not state.applies("t9a.def.table-edge.during"):
        return []
    return list(_beyond(state.field.width, state.field.depth))


@lru_cache(maxsize=64)
def _beyond(w: float, d: float) -> tuple[tuple[Point, ...], ...]:
    far, off = 60.0, 1e-4
    boxes = (
        (-far, -far, w + far, -off),
        (-far, d + off, w + far, d + far),
        (-far, -off, -off, d + off),
        (w + off, -off, w + far, d + off),
    )
    return tuple(((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for x0, y0, x1, y1 in boxes)
