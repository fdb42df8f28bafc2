"""Models and units on the table: measuring, coherency, visibility, combat range (aos.core.*, basics)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from umpire.engine.decisions import Ends
from umpire.games.aos.state import Model, Part, Point, State, Unit
from umpire.space.angles import sin_cos
from umpire.space.measure import separation
from umpire.space.plain import clip, clip_circle, point_polygon, point_segment
from umpire.space.shapes import TOLERANCE, Base, Oval, Prism, Round, dot
from umpire.space.sight import visible

COMBAT_RANGE = 3.0


def base(model: Model, height: float = 0.0) -> Base:
    shape = Round(model.r) if model.r == model.q else Oval(model.q, model.r)
    return Base(shape, model.x, model.y, model.z, model.facing, height)


def gap(a: Model, b: Model) -> float:
    """aos.core.measuring: between the closest points of two bases, horizontally; negative where they overlap."""
    if a.r == a.q and b.r == b.q:
        dx, dy = a.x - b.x, a.y - b.y
        return math.sqrt(dx * dx + dy * dy) - a.r - b.r
    return separation(base(a), base(b))


def near(a: Model, b: Model, limit: float) -> bool:
    """Is any part of one base within this distance of the other, horizontally, as combat ranges and coherency are?"""
    dx, dy = a.x - b.x, a.y - b.y
    square = dx * dx + dy * dy
    far = limit + a.r + b.r + TOLERANCE
    if square > far * far:
        return False
    if a.r == a.q and b.r == b.q:
        return True
    close = limit + a.q + b.q
    if close > 0.0 and square <= close * close:
        return True
    return separation(base(a), base(b)) <= limit + TOLERANCE


def true_gap(a: Model, b: Model) -> float:
    """The distance in space: bases are measured where they stand, also one above the other."""
    flat = max(0.0, gap(a, b))
    rise = a.z - b.z
    return math.sqrt(flat * flat + rise * rise) if rise else flat


def within(a: Model, b: Model, limit: float) -> bool:
    """aos.core.within: is any part of one base within this distance of the other, heights counted?"""
    return near(a, b, limit) and (a.z == b.z or true_gap(a, b) <= limit + TOLERANCE)


def half_width(model: Model, nx: float, ny: float) -> float:
    """How far a base reaches from its middle in a direction (a unit vector)."""
    if model.r == model.q:
        return model.r
    s, c = sin_cos(model.facing)
    across, along = (nx * c - ny * s) * model.q, (nx * s + ny * c) * model.r
    return math.sqrt(across * across + along * along)


def to_polygon(model: Model, points: Sequence[Point]) -> float:
    """The horizontal distance of a base from a convex polygon; 0 where it covers part of it."""
    if model.r == model.q:
        return max(0.0, point_polygon(points, model.x, model.y) - model.r)
    return max(0.0, separation(base(model), Prism(tuple(points))))


def to_point(model: Model, x: float, y: float) -> float:
    if model.r == model.q:
        return max(0.0, math.sqrt((model.x - x) ** 2 + (model.y - y) ** 2) - model.r)
    return max(0.0, separation(base(model), dot(x, y)))


def wholly_in(model: Model, points: Sequence[Point]) -> bool:
    """aos.core.within: does every part of a base lie in a convex anticlockwise polygon?"""
    ax, ay = points[-1]
    for bx, by in points:
        ex, ey = bx - ax, by - ay
        length = math.sqrt(ex * ex + ey * ey)
        reach = half_width(model, ey / length, -ex / length)
        if (ex * (model.y - ay) - ey * (model.x - ax)) / length < reach - TOLERANCE:
            return False
        ax, ay = bx, by
    return True


def enclose(unit: Unit) -> None:
    """Keep the circle round the unit true; every change of its models ends here."""
    models = unit.models
    if not models:
        unit.cr = 0.0
        return
    n = len(models)
    cx = sum([m.x for m in models]) / n
    cy = sum([m.y for m in models]) / n
    unit.cx, unit.cy = cx, cy
    unit.cr = math.sqrt(max([(m.x - cx) * (m.x - cx) + (m.y - cy) * (m.y - cy) for m in models])) + models[0].r


def apart(a: Unit, b: Unit, limit: float) -> bool:
    """Are the circles round two units farther apart than this, so that no model of theirs need be measured?"""
    dx, dy = a.cx - b.cx, a.cy - b.cy
    far = limit + a.cr + b.cr + TOLERANCE
    return dx * dx + dy * dy > far * far


def units_near(a: Unit, b: Unit, limit: float) -> bool:
    """Is unit a within this distance of unit b: any model of any model?"""
    return not apart(a, b, limit) and any(within(m, o, limit) for m in a.models for o in b.models)


def in_combat_range(a: Unit, b: Unit) -> bool:
    """Is unit a within the combat range of unit b, seen or unseen?"""
    return not apart(a, b, COMBAT_RANGE) and any(near(m, o, COMBAT_RANGE) for m in a.models for o in b.models)


def closest(a: Unit, b: Unit) -> tuple[float, Model, Model]:
    """The models of two units that are closest to each other on the ground, and how far apart they are."""
    best: tuple[float, Model, Model] | None = None
    for m in a.models:
        for o in b.models:
            if best is not None:
                dx, dy = m.x - o.x, m.y - o.y
                reach = best[0] + m.r + o.r
                if reach < 0 or dx * dx + dy * dy >= reach * reach:
                    continue
            d = gap(m, o)
            if best is None or d < best[0]:
                best = (d, m, o)
    assert best is not None
    return best


def distance_to(model: Model, unit: Unit) -> float:
    """How far a model is from a unit; who cannot be the nearest is not measured."""
    best = math.inf
    for o in unit.models:
        dx, dy = model.x - o.x, model.y - o.y
        if math.sqrt(dx * dx + dy * dy) - model.r - o.r < best:
            best = min(best, true_gap(model, o))
    return best


def unit_gap(a: Unit, b: Unit) -> float:
    return min(distance_to(m, b) for m in a.models)


# -- coherency ---------------------------------------------------------------------------------------------------


def neighbours(models: Sequence[Model], limit: float) -> list[int]:
    """For each model the set of models within coherency range of it, as the bits of a number."""
    n = len(models)
    masks = [0] * n
    round_base = bool(models) and models[0].r == models[0].q
    reach = limit + 2 * models[0].r + TOLERANCE if models else 0.0
    square = reach * reach
    for i in range(n):
        a = models[i]
        ax, ay = a.x, a.y
        for j in range(i + 1, n):
            b = models[j]
            dx, dy = ax - b.x, ay - b.y
            if dx * dx + dy * dy > square:
                continue
            if round_base or near(a, b, limit):
                masks[i] |= 1 << j
                masks[j] |= 1 << i
    return masks


def is_coherent(masks: Sequence[int], alive: int) -> bool:
    """aos.core.coherency: one group, each with a neighbour, or with two where the unit has 7 or more models."""
    count = alive.bit_count()
    if count <= 1:
        return True
    many = count >= 7
    rest = alive
    while rest:
        low = rest & -rest
        links = masks[low.bit_length() - 1] & alive
        if not links or (many and not links & (links - 1)):
            return False
        rest ^= low
    seen = front = alive & -alive
    while front:
        low = front & -front
        front ^= low
        new = masks[low.bit_length() - 1] & alive & ~seen
        seen |= new
        front |= new
    return seen == alive


def coherent(models: Sequence[Model], limit: float = 0.5) -> bool:
    return is_coherent(neighbours(models, limit), (1 << len(models)) - 1)


# -- visibility --------------------------------------------------------------------------------------------------


def _tall(
    state: State, own: str, other: str, low: float, ax: float, ay: float, bx: float, by: float, width: float
) -> tuple[list[Part], list[tuple[Model, float]]]:
    """What rises above a height near a line: opaque terrain, and models of units other than these two."""
    parts = []
    for feature in state.terrain:
        if feature.unit and feature.unit in (own, other):
            continue
        if point_segment(feature.x, feature.y, ax, ay, bx, by) < (feature.r + width) ** 2:
            parts += [p for p in feature.parts if p.opaque and p.top > low + TOLERANCE]
    bodies = []
    for unit in state.units.values():
        if unit.where != "table" or unit.id in (own, other):
            continue
        height = unit.profile.height
        if height <= low and all(m.z == 0.0 for m in unit.models):
            continue
        if point_segment(unit.cx, unit.cy, ax, ay, bx, by) < (unit.cr + width) ** 2:
            bodies += [(m, m.z + height) for m in unit.models if m.z + height > low + TOLERANCE]
    return parts, bodies


def sees(state: State, one: Unit, a: Model, two: Unit, b: Model) -> bool:
    """aos.core.visibility: is there a straight line between the two bodies that meets nothing but the observer's unit?

    The line over the heads is tried first, for it settles nearly all cases.
    """
    if a is b:
        return True
    ha, hb = one.profile.height, two.profile.height
    low = min(a.z + ha, b.z + hb)
    parts, bodies = _tall(state, one.id, two.id, low, a.x, a.y, b.x, b.y, max(a.r, b.r))
    if not parts and not bodies:
        return True
    if _clear(parts, bodies, a.x, a.y, a.z + ha, b.x, b.y, b.z + hb):
        return True
    blockers: list[Base | Prism] = [Prism(part.points, 0.0, part.top) for part in parts]
    blockers += [base(model, top - model.z) for model, top in bodies]
    return visible(base(a, ha), base(b, hb), blockers)


def _clear(
    parts: list[Part],
    bodies: list[tuple[Model, float]],
    ax: float,
    ay: float,
    za: float,
    bx: float,
    by: float,
    zb: float,
) -> bool:
    """Does one line in space pass everything by or over it? Bodies are taken as round and as wide as they are long."""
    for part in parts:
        span = clip(part.points, ax, ay, bx, by)
        if span is not None and min(za + (zb - za) * span[0], za + (zb - za) * span[1]) < part.top - TOLERANCE:
            return False
    for model, top in bodies:
        span = clip_circle(model.x, model.y, model.r, ax, ay, bx, by)
        if span is not None and min(za + (zb - za) * span[0], za + (zb - za) * span[1]) < top - TOLERANCE:
            return False
    return True


def unit_visible(state: State, observer: Unit, target: Unit) -> bool:
    """Is at least one model of the target visible to at least one model of the observer?"""
    return any(sees(state, observer, m, target, o) for m in observer.models for o in target.models)


def seen_by(state: State, key: str, ends: Ends) -> list[str]:
    """The enemy units that would see a unit where its models end."""
    unit = state.unit(key)
    models = tuple(
        msgspec.structs.replace(m, x=ends[m.id].x, y=ends[m.id].y, z=ends[m.id].z) if m.id in ends else m
        for m in unit.models
    )
    there = msgspec.structs.replace(unit, models=models)
    return [foe.id for foe in enemies(state, unit) if foe.models and unit_visible(state, foe, there)]


# -- combat range ------------------------------------------------------------------------------------------------


def counts_as_unit(state: State, unit: Unit) -> bool:
    """Manifestations and faction terrain: is this a unit for movement, combat range and being in combat now?"""
    if unit.profile.kind == "unit" or state.phase in ("charge", "combat"):
        return True
    return unit.profile.kind == "manifestation" and unit.profile.move > 0


def in_combat(state: State, a: Unit, b: Unit) -> bool:
    """aos.core.combat-range: within 3 inches horizontally, at any height, and visible to each other."""
    if apart(a, b, COMBAT_RANGE):
        return False
    return any(near(m, o, COMBAT_RANGE) and sees(state, a, m, b, o) for m in a.models for o in b.models)


def settle(state: State) -> None:
    """Positions have changed: who is in combat with whom."""
    armies: tuple[list[Unit], list[Unit]] = ([], [])
    for unit in state.units.values():
        unit.fights = ()
        if unit.where == "table" and counts_as_unit(state, unit):
            armies[unit.side].append(unit)
    for a in armies[0]:
        ax, ay, reach = a.cx, a.cy, a.cr + COMBAT_RANGE + TOLERANCE
        for b in armies[1]:
            dx, dy = ax - b.cx, ay - b.cy
            far = reach + b.cr
            if dx * dx + dy * dy <= far * far and in_combat(state, a, b):
                a.fights = (*a.fights, b.id)
                b.fights = (*b.fights, a.id)


def enemies(state: State, unit: Unit) -> list[Unit]:
    """aos.core.friendly-enemy: what of the other army stands on the table and counts as a unit now."""
    return [u for u in state.units.values() if u.side != unit.side and u.where == "table" and counts_as_unit(state, u)]
