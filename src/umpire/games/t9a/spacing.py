"""Distances, contact and unit spacing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from umpire.engine.rulings import Reason

from .formation import EPS, Box, Layout, Point, box, layout, size_of
from .state import Facing, State, Terrain, Unit

STANDOFF = 0.01
"""How far before contact a move stops that must not touch."""


def separation(a: Sequence[Point], b: Sequence[Point]) -> float:
    """How far apart two convex polygons are; negative: by how much they overlap at least."""
    best = -math.inf
    for ring, other in ((a, b), (b, a)):
        for k in range(len(ring)):
            x0, y0 = ring[k - 1]
            x1, y1 = ring[k]
            ex, ey = x1 - x0, y1 - y0
            length = math.sqrt(ex * ex + ey * ey)
            if length < 1e-12:
                continue
            nx, ny = ey / length, -ex / length
            here = nx * x0 + ny * y0
            inner = max(nx * px + ny * py for px, py in ring)
            low = min(nx * px + ny * py for px, py in ring)
            if inner - here > here - low:
                nx, ny, here = -nx, -ny, -here
            gap = min(nx * px + ny * py for px, py in other) - here
            if gap > best:
                best = gap
    if best <= 0:
        return best
    return _apart(a, b)


def _apart(a: Sequence[Point], b: Sequence[Point]) -> float:
    best = math.inf
    for ring, other in ((a, b), (b, a)):
        for k in range(len(ring)):
            ax, ay = ring[k - 1]
            bx, by = ring[k]
            dx, dy = bx - ax, by - ay
            square = dx * dx + dy * dy
            for px, py in other:
                t = ((px - ax) * dx + (py - ay) * dy) / square if square > 1e-18 else 0.0
                t = 0.0 if t < 0 else 1.0 if t > 1 else t
                qx, qy = px - ax - t * dx, py - ay - t * dy
                far = qx * qx + qy * qy
                if far < best:
                    best = far
    return math.sqrt(best)


def between(a: Box, b: Box) -> float:
    """The distance of two Unit Boundaries (t9a.def.measure.closest-points), 0 if they touch."""
    return max(0.0, separation(a.corners(), b.corners()))


def distance(state: State, a: Unit, b: Unit) -> float:
    return between(box(state, a), box(state, b))


def within(gap: float, inches: float) -> bool:
    """Less than or equal (t9a.def.measure.within)."""
    return gap <= inches + EPS


def near(one: Box, other: Box, reach: float) -> bool:
    """May two boxes be within reach? A quick look before the exact one."""
    dx, dy = one.x - other.x, one.y - other.y
    far = reach + one.w + one.d + other.w + other.d
    return dx * dx + dy * dy <= far * far


def impassable(state: State) -> list[Terrain]:
    return [piece for piece in state.field.terrain if piece.kind == "impassable"]


def crowding(
    state: State, unit: Unit, at: Box, least: float, but: Sequence[str] = (), rule: str = "t9a.def.spacing.end"
) -> Iterator[Reason]:
    """Other units and impassable terrain that this place is too close to (t9a.def.spacing.end)."""
    ring = at.corners()
    for other in state.units.values():
        if other.where != "table" or other.id == unit.id or other.id in but:
            continue
        there = box(state, other)
        if not near(at, there, least):
            continue
        gap = separation(ring, there.corners())
        allowed = 0.0 if exempt(state, unit, other.id) else least
        if gap < allowed - EPS or (allowed == 0.0 and gap <= EPS):
            yield Reason(rule, facts={"other": other.id, "gap": round(max(0.0, gap), 2), "least": least})
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


def note_closeness(state: State, unit: Unit) -> None:
    """Remember whom a unit stands closer to than spacing allows, and forget whom it has left
    (t9a.def.spacing.persist)."""
    if unit.where != "table":
        return
    here = box(state, unit)
    ring = here.corners()
    close: list[str] = []
    for other in state.units.values():
        if other.where != "table" or other.id == unit.id:
            continue
        there = box(state, other)
        apart = near(here, there, 1.0) and separation(ring, there.corners()) <= 1.0 - EPS
        if apart:
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


Stretch = tuple[float, float, int]
"""From, to (local inches along the facing, left to right for somebody who looks out of it), and which cell."""


@lru_cache(maxsize=4096)
def exposed(shape: Layout, width: float, depth: float, face: Facing) -> tuple[Stretch, ...]:
    """The skyline of a unit on one of its facings: between base borders the model nearest the enemy
    (t9a.def.contact.gap-blocked). Coordinates run from the left end of the unit's own outline to its right as seen from
    above with that facing ahead."""
    spans: list[tuple[float, float, float, int]] = []
    for k, cell in enumerate(shape.cells):
        if face == "front":
            spans.append((-cell.y0, cell.x0, cell.x1, k))
        elif face == "rear":
            spans.append((cell.y1, -cell.x1, -cell.x0, k))
        elif face == "right":
            spans.append((-cell.x1, -cell.y0, -cell.y1, k))
        else:
            spans.append((cell.x0, cell.y1, cell.y0, k))
    spans.sort()
    out: list[Stretch] = []
    for _, low, high, k in spans:
        pieces = [(low, high)]
        for a, b, _ in out:
            pieces = [
                piece
                for lo, hi in pieces
                for piece in ((lo, min(hi, a)), (max(lo, b), hi))
                if piece[1] - piece[0] > 1e-7
            ]
        out += [(lo, hi, k) for lo, hi in pieces]
    return tuple(sorted(out))


def _axis(of: Box, face: Facing) -> tuple[Point, Point]:
    """Where coordinate 0 of a facing's skyline lies, and which way it grows."""
    ux, uy = of.ux, of.uy
    rx, ry = uy, -ux
    if face == "front":
        return (of.x, of.y), (rx, ry)
    if face == "rear":
        return (of.x - ux * of.d, of.y - uy * of.d), (-rx, -ry)
    if face == "right":
        return (of.x + rx * of.w / 2, of.y + ry * of.w / 2), (-ux, -uy)
    return (of.x - rx * of.w / 2, of.y - ry * of.w / 2), (ux, uy)


def skyline(state: State, unit: Unit, face: Facing) -> tuple[Stretch, ...]:
    w, d = size_of(state, unit)
    return exposed(layout(state, unit), w, d, face)


def contacts(state: State, a: Unit, a_face: Facing, b: Unit, b_face: Facing) -> list[tuple[int, int]]:
    """Which cells of two engaged units are in contact, across gaps too: a strip from one base at right angles to the
    facing meets the other (t9a.def.contact.across-gaps, t9a.melee.attack.across-gap)."""
    mine, theirs = skyline(state, a, a_face), skyline(state, b, b_face)
    (ox, oy), (ax, ay) = _axis(box(state, a), a_face)
    (px, py), (bx, by) = _axis(box(state, b), b_face)
    shift = (px - ox) * ax + (py - oy) * ay
    turn = bx * ax + by * ay
    found: dict[tuple[int, int], None] = {}
    for lo, hi, k in theirs:
        c, d = shift + lo * turn, shift + hi * turn
        low, high = (c, d) if c <= d else (d, c)
        for lo2, hi2, j in mine:
            if lo2 <= high + CONTACT and hi2 >= low - CONTACT:
                found[j, k] = None
    return list(found)


CONTACT = 1e-4
"""Bases that touch at a corner are in contact; placing is exact to this."""
