"""Models and units on the table: coherency, visibility, combat range (aos.core.*, basics)."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec

from umpire.engine.decisions import Ends
from umpire.games.aos.state import Model, Part, State, Unit
from umpire.miniatures.loose import coherency
from umpire.miniatures.loose.bodies import base, near
from umpire.miniatures.loose.coherency import Coherency
from umpire.miniatures.loose.groups import apart
from umpire.rulebook.deciding import decides
from umpire.space.plain import clip, clip_circle, point_segment
from umpire.space.shapes import TOLERANCE, Base, Prism
from umpire.space.sight import visible

T = TypeVar("T")

COMBAT_RANGE = 3.0


def book(unit: Unit) -> Coherency:
    """aos.core.coherency: one group, each with a neighbour, or with two where the unit has 7 or more models."""
    return _book(unit.profile.coherency)


@functools.cache
def _book(reach: float) -> Coherency:
    return Coherency(reach)


def beside_each(unit: Unit) -> Sequence[int]:
    """For each of its models the set of those within coherency range of it, as the bits of a number."""
    return unit.alone("beside", (), lambda: tuple(coherency.neighbours(unit.models, book(unit))))


@decides("aos.core.within")
def in_combat_range(a: Unit, b: Unit) -> bool:
    """Is unit a within the combat range of unit b, seen or unseen?"""
    return not apart(a, b, COMBAT_RANGE) and any(near(m, o, COMBAT_RANGE) for m in a.models for o in b.models)


# -- visibility --------------------------------------------------------------------------------------------------


Features = list[tuple[float, float, float, float, str, tuple[Part, ...]]]
"""Terrain that could hide something: the circle round it, how high it rises, the unit that it is, and its parts."""
Crowds = list[tuple[float, float, float, float, str, float, tuple[Model, ...]]]
"""Units that could: the circle, how high they rise, which unit it is, how tall its models are, and these."""


def _tall(
    terrain: Features, units: Crowds, both: tuple[str, str],
    low: float, ax: float, ay: float, bx: float, by: float, width: float,
) -> tuple[list[Part], list[tuple[Model, float]]]:  # fmt: skip
    """What of terrain and units rises above a height near a line between two units, which hide nothing themselves."""
    low += TOLERANCE
    parts = []
    x0, x1 = (ax - width, bx + width) if ax < bx else (bx - width, ax + width)
    y0, y1 = (ay - width, by + width) if ay < by else (by - width, ay + width)
    for x, y, far, top, owner, pieces in terrain:
        if top <= low or x + far < x0 or x - far > x1 or y + far < y0 or y - far > y1:
            continue  # it stands beside the whole line
        if owner and owner in both:
            continue
        if point_segment(x, y, ax, ay, bx, by) < (far + width) ** 2:
            parts += [p for p in pieces if p.opaque and p.top > low]
    bodies = []
    for x, y, far, top, key, height, models in units:
        if top <= low or x + far < x0 or x - far > x1 or y + far < y0 or y - far > y1 or key in both:
            continue
        if point_segment(x, y, ax, ay, bx, by) < (far + width) ** 2:
            bodies += [(m, m.z + height) for m in models if m.z + height > low]
    return parts, bodies


def _opaque(state: State) -> Features:
    """The features that hide something."""

    def find() -> Features:
        tops = [(f, max([p.top for p in f.parts if p.opaque], default=0.0)) for f in state.terrain]
        return [(f.x, f.y, f.r, top, f.unit, f.parts) for f, top in tops if top]

    return state.look("opaque", len(state.terrain), find)


def _tops(state: State) -> Crowds:
    """The units on the table, as high as the highest model of each reaches."""

    def find() -> Crowds:
        return [
            (u.cx, u.cy, u.cr, u.profile.height + max([m.z for m in u.models]), u.id, u.profile.height, u.models)
            for u in state.units.values()
            if u.where == "table" and u.models
        ]

    return state.look("tops", len(state.units), find)


def sees(state: State, one: Unit, a: Model, two: Unit, b: Model) -> bool:
    """aos.core.visibility: is there a straight line between the two bodies that meets nothing but the observer's unit?

    The line over the heads is tried first, for it settles nearly all cases.
    """
    return a is b or some_see(state, one, two, ((a, b),))


def some_see(state: State, one: Unit, two: Unit, pairs: Iterable[tuple[Model, Model]]) -> bool:
    """Does a model of one unit see one of the other, in any of these pairs?"""
    doubtful: list[tuple[Model, Model, list[Part], list[tuple[Model, float]]]] = []
    ha, hb = one.profile.height, two.profile.height
    both = (one.id, two.id)
    opaque, tops = _opaque(state), _tops(state)
    for a, b in pairs:
        low = min(a.z + ha, b.z + hb)
        parts, bodies = _tall(opaque, tops, both, low, a.x, a.y, b.x, b.y, max(a.r, b.r))
        if not parts and not bodies:
            return True
        if any(_clear(parts, bodies, ax, ay, a.z + ha, bx, by, b.z + hb) for ax, ay, bx, by in _lines(a, b)):
            return True
        doubtful.append((a, b, parts, bodies))
    for a, b, parts, bodies in doubtful:
        blockers: list[Base | Prism] = [Prism(part.points, 0.0, part.top) for part in parts]
        blockers += [base(model, top - model.z) for model, top in bodies]
        if visible(base(a, ha), base(b, hb), blockers):
            return True
    return False


def near_and_seen(state: State, one: Unit, models: Iterable[Model], two: Unit, far: float) -> bool:
    """Is one of these models of a unit so near to a model of the other that it sees?"""
    x, y, reach = two.cx, two.cy, two.cr + far + 2 * TOLERANCE
    close = [m for m in models if (m.x - x) * (m.x - x) + (m.y - y) * (m.y - y) <= (reach + m.r) * (reach + m.r)]
    return bool(close) and some_see(state, one, two, ((m, o) for m in close for o in two.models if near(m, o, far)))


def _lines(a: Model, b: Model) -> Iterator[tuple[float, float, float, float]]:
    """Lines from one model to another: from middle to middle, and from either side of one to either of the other."""
    yield a.x, a.y, b.x, b.y
    dx, dy = b.x - a.x, b.y - a.y
    far = math.sqrt(dx * dx + dy * dy) or 1.0
    nx, ny = -dy / far, dx / far
    for u, v in ((a.q, b.q), (-a.q, -b.q), (a.q, -b.q), (-a.q, b.q)):
        yield a.x + nx * u, a.y + ny * u, b.x + nx * v, b.y + ny * v


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
    return state.look(
        ("sees", observer.id, target.id),
        (observer.mark, target.mark, len(state.terrain)),
        lambda: some_see(state, observer, target, itertools.product(observer.models, target.models)),
    )


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
    return state.look(
        ("in combat", a.id, b.id),
        (a.mark, b.mark, len(state.terrain)),
        lambda: near_and_seen(state, a, a.models, b, COMBAT_RANGE),
    )


def settle(state: State) -> None:
    """Positions have changed: who is in combat with whom."""
    kept = state.kept()
    key = ("settled", len(state.terrain), len(state.units))
    counting = state.phase in ("charge", "combat")
    if kept.get(key) == counting:
        return  # nobody has moved, and the same count as units as before
    kept[key] = counting
    armies: tuple[list[Unit], list[Unit]] = ([], [])
    for unit in state.units.values():
        if unit.where == "table" and (counting or counts_as_unit(state, unit)):
            armies[unit.side].append(unit)
    others = [(b.cx, b.cy, b.cr, b) for b in armies[1]]
    fights: dict[str, tuple[str, ...]] = {}
    for a in armies[0]:
        ax, ay, reach = a.cx, a.cy, a.cr + COMBAT_RANGE + TOLERANCE
        for bx, by, far, b in others:
            dx, dy = ax - bx, ay - by
            far += reach
            if dx * dx + dy * dy <= far * far and in_combat(state, a, b):
                fights[a.id] = (*fights.get(a.id, ()), b.id)
                fights[b.id] = (*fights.get(b.id, ()), a.id)
    for unit in state.units.values():
        with_whom = fights.get(unit.id, ())
        if unit.fights != with_whom:
            unit.fights = with_whom


def enemies(state: State, unit: Unit) -> list[Unit]:
    """aos.core.friendly-enemy: what of the other army stands on the table and counts as a unit now."""
    return [u for u in state.units.values() if u.side != unit.side and u.where == "table" and counts_as_unit(state, u)]
