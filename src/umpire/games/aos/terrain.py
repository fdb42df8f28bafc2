"""Terrain features: standing on them, climbing them, cover, obscuring, places of power (aos.terrain.*)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import pairwise

from umpire.engine.picture import Piece, Sight
from umpire.engine.rulings import Reason
from umpire.games.aos.profiles import OfTerrain
from umpire.games.aos.state import Feature, Model, Part, State, Unit
from umpire.games.aos.units import COMBAT_RANGE, sees
from umpire.miniatures.loose.bodies import base, half_width, to_polygon, wholly_in
from umpire.miniatures.loose.over import covers, heights, swept, ups_and_downs
from umpire.space.angles import heading, rotate
from umpire.space.measure import separation
from umpire.space.packs import pack
from umpire.space.plain import (
    Point,
    anticlockwise,
    clip,
    clip_circle,
    inside,
    outside_circle,
    point_segment,
)
from umpire.space.plates import rim
from umpire.space.shapes import TOLERANCE, Base, Prism, snap
from umpire.space.sight import visible

LOW = 1.0
"""Features and parts no higher than this are moved over as if they were not there, and may be stood on."""

TYPES: dict[str, tuple[OfTerrain, ...]] = {
    "obstacle": ("cover", "unstable"),
    "obscuring": ("cover", "obscuring", "unstable"),
    "area": ("cover",),
    "place-of-power": ("cover", "place-of-power", "unstable"),
    "impassable": ("impassable",),
}
"""aos.core.terrain-types: what each type of feature gives; faction terrain says so on its warscroll."""


def make_part(points: Sequence[Point], top: float, opaque: bool) -> Part:
    ring = anticlockwise(points)
    n = len(ring)
    x, y = math.fsum(p[0] for p in ring) / n, math.fsum(p[1] for p in ring) / n
    return Part(ring, top, opaque, x, y, max(math.sqrt((p[0] - x) ** 2 + (p[1] - y) ** 2) for p in ring))


def sweep_part(part: Part, model: Model, ax: float, ay: float, bx: float, by: float) -> tuple[float, float] | None:
    """Between which parts of a straight move a base stands over this part of terrain."""
    if point_segment(part.x, part.y, ax, ay, bx, by) >= (part.r + model.r) * (part.r + model.r):
        return None
    return swept(model, part.points, ax, ay, bx, by)


def size_of(feature: Feature) -> str:
    """aos.core.terrain-sizes: small fits in 7 by 7 inches, medium in 7 by 12, however it is turned; else large."""
    points = [p for part in feature.parts for p in part.points]
    boxes = []
    for part in feature.parts:
        for (ax, ay), (bx, by) in pairwise((*part.points, part.points[0])):
            back = -heading(bx - ax, by - ay)
            turned = [rotate(x, y, back) for x, y in points]
            xs, ys = [x for x, _ in turned], [y for _, y in turned]
            boxes.append(sorted((max(xs) - min(xs), max(ys) - min(ys))))
    if any(long <= 7.0 + TOLERANCE for _, long in boxes):
        return "small"
    medium = any(short <= 7.0 + TOLERANCE and long <= 12.0 + TOLERANCE for short, long in boxes)
    return "medium" if medium else "large"


def make_feature(
    key: str,
    name: dict[str, str],
    kind: str,
    parts: Sequence[tuple[Sequence[tuple[float, float]], float, bool]],
    x: float,
    y: float,
    facing: float = 0.0,
    abilities: tuple[OfTerrain, ...] | None = None,
    unit: str = "",
) -> Feature:
    """Put a feature down: its parts are written about their own origin."""
    placed = []
    for points, top, opaque in parts:
        ring = [(snap(x + tx), snap(y + ty)) for tx, ty in (rotate(px, py, facing) for px, py in points)]
        placed.append(make_part(ring, top, opaque))
    r = max(math.sqrt((px - x) ** 2 + (py - y) ** 2) for part in placed for px, py in part.points)
    return Feature(key, name, kind, TYPES[kind] if abilities is None else abilities, tuple(placed), x, y, r, unit=unit)


def covers_part(model: Model, part: Part) -> bool:
    """Does a base cover ground of this part? Touching is not covering."""
    dx, dy, far = part.x - model.x, part.y - model.y, part.r + model.r
    return dx * dx + dy * dy < far * far and covers(model, part.points)


def stand(state: State, model: Model) -> tuple[float, Reason | None]:
    """Where a model would stand here, and why it may not.

    aos.core.stand-level: the surface under the middle of the base carries it; a rim may hang over an edge, but the base
    may not cut into anything higher.
    """
    kept, key = state.kept(), ("ground", len(state.terrain))
    found: Ground | None = kept.get(key)
    if found is None:
        found = kept[key] = ground(state.terrain)
    return stand_on(found, model)


Ground = list[tuple[float, float, float, float, Feature, Part]]
"""Parts of terrain, each with the upright box round it: its left and right, its lower and upper end."""


def ground(terrain: Sequence[Feature]) -> Ground:
    return [(*_box(part.points), feature, part) for feature in terrain for part in feature.parts]


@lru_cache(maxsize=512)
def _box(points: tuple[Point, ...]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), max(xs), min(ys), max(ys)


def stand_on(parts: Ground, model: Model) -> tuple[float, Reason | None]:
    """The same where this ground is all that can lie under it."""
    touched: list[tuple[Feature, Part]] = []
    x, y, r = model.x, model.y, model.r
    for left, right, low, high, feature, part in parts:
        if left - r < x < right + r and low - r < y < high + r and covers(model, part.points):
            touched.append((feature, part))
    if not touched:
        return 0.0, None
    z = 0.0
    for feature, part in touched:
        if "impassable" in feature.abilities:
            return z, Reason("aos.terrain.impassable", facts={"feature": feature.id})
        if part.top > LOW and "unstable" in feature.abilities:
            return z, Reason("aos.terrain.unstable", facts={"feature": feature.id, "height": part.top})
        if part.top > z and inside(part.points, x, y):
            z = part.top
    for feature, part in touched:
        if part.top > max(z, LOW) + TOLERANCE:
            return z, Reason("aos.core.stand-level", facts={"feature": feature.id, "height": part.top})
    return z, None


def features_within(state: State, x: float, y: float, reach: float) -> list[Feature]:
    """The features that come within reach of a point."""
    return [
        feature
        for feature in state.terrain
        if (feature.x - x) * (feature.x - x) + (feature.y - y) * (feature.y - y)
        <= (feature.r + reach) * (feature.r + reach)
    ]


def obstacles(terrain: Sequence[Feature]) -> list[tuple[Feature, Part]]:
    """Parts of some features that a mover must climb or may not cross."""
    found = []
    for feature in terrain:
        barred = "impassable" in feature.abilities
        found += [(feature, part) for part in feature.parts if part.top > LOW or barred]
    return found


def carried_over(parts: Sequence[tuple[Feature, Part]], model: Model) -> float:
    """How high a base is carried at a point of its way: over everything that it covers there, stood on or not."""
    return max([part.top for _, part in parts if part.top > LOW and covers_part(model, part)], default=0.0)


def climb(
    parts: Sequence[tuple[Feature, Part]],
    model: Model,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    last: bool = True,
) -> tuple[float, bool, Reason | None]:
    """aos.core.move-terrain: the vertical part of a straight move, whether it ended in a jump, why it cannot be made.

    A base is carried parallel to the table over every part that it meets. aos.core.jump-down: the last way down is free
    if the model ends its whole move right at the edge that it left.
    """
    if az <= LOW:  # what is no higher than this is moved over as if not there
        az = 0.0
    if bz <= LOW:
        bz = 0.0
    spans: list[tuple[float, float, float]] = []
    r = model.r
    x0, x1 = (ax - r, bx + r) if ax < bx else (bx - r, ax + r)
    y0, y1 = (ay - r, by + r) if ay < by else (by - r, ay + r)
    for feature, part in parts:
        far = part.r
        if part.x + far < x0 or part.x - far > x1 or part.y + far < y0 or part.y - far > y1:
            continue  # it lies beside the whole way
        span = sweep_part(part, model, ax, ay, bx, by)
        if span is None:
            continue
        if "impassable" in feature.abilities:
            return 0.0, False, Reason("aos.terrain.impassable", facts={"feature": feature.id})
        spans.append((*span, part.top))
    if not spans:
        return abs(bz - az), False, None
    levels = heights(spans, 0.0, az, bz)
    total, before = ups_and_downs(levels), levels[-2]
    far = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    after = max((s1 for _, s1, top in spans if top > bz + LOW), default=-1.0)
    if last and 0.0 <= after < 1.0 and (1.0 - after) * far <= 0.05:
        return total - max(0.0, max(levels[-3], before) - bz), True, None
    return total, False, None


def wholly_on(feature: Feature, model: Model) -> bool:
    """aos.core.terrain-wholly-on: its base stands on the feature and no part of it extends past the edge, which is that
    of all parts together."""
    if any(wholly_in(model, part.points) for part in feature.parts):
        return True
    if len(feature.parts) == 1 or not any(inside(part.points, model.x, model.y) for part in feature.parts):
        return False
    base = flat(model)
    return all(separation(base, Prism(edge)) >= -TOLERANCE for edge in _edges(tuple(p.points for p in feature.parts)))


@lru_cache(maxsize=512)
def _edges(parts: tuple[tuple[Point, ...], ...]) -> list[tuple[Point, ...]]:
    return [tuple(edge) for edge in rim(parts)]


def unit_wholly_on(feature: Feature, unit: Unit) -> bool:
    dx, dy = feature.x - unit.cx, feature.y - unit.cy
    if dx * dx + dy * dy > feature.r * feature.r:
        return False
    return all(wholly_on(feature, model) for model in unit.models)


def _crosses(feature: Feature, attackers: Sequence[Model], ax: float, ay: float, bx: float, by: float) -> bool:
    """Does a line cross the feature beyond the combat range of the attacking unit?"""
    for part in feature.parts:
        span = clip(part.points, ax, ay, bx, by)
        if span is None:
            continue
        rest = [span]
        for model in attackers:
            hole = clip_circle(model.x, model.y, model.r + COMBAT_RANGE, ax, ay, bx, by)
            if hole is None:
                continue
            rest = [
                piece
                for t0, t1 in rest
                for piece in ((t0, min(t1, hole[0])), (max(t0, hole[1]), t1))
                if piece[1] - piece[0] > 1e-6
            ]
            if not rest:
                break
        if rest:
            return True
    return False


def behind(feature: Feature, attacker: Unit, target: Unit) -> bool:
    """aos.core.terrain-behind: every line from the attacker's models to the target's models crosses the feature.

    The lines along the edges of two bases are tried first, for they settle most cases; where all of them cross, the
    feature less what the attacker's combat range covers is looked past from every side.
    """
    if (
        point_segment(feature.x, feature.y, attacker.cx, attacker.cy, target.cx, target.cy)
        > (feature.r + attacker.cr + target.cr) ** 2
    ):
        return False
    doubtful = []
    # Whose combat range does not come to the feature takes nothing of it away.
    close = [m for m in attacker.models if within_reach(feature, m, COMBAT_RANGE)]
    for a in attacker.models:
        for b in target.models:
            dx, dy = b.x - a.x, b.y - a.y
            far = math.sqrt(dx * dx + dy * dy) or 1.0
            nx, ny = -dy / far, dx / far
            wide_a, wide_b = half_width(a, nx, ny), half_width(b, nx, ny)
            for u, v in ((wide_a, wide_b), (-wide_a, -wide_b), (wide_a, -wide_b), (-wide_a, wide_b)):
                if not _crosses(feature, close, a.x + nx * u, a.y + ny * u, b.x + nx * v, b.y + ny * v):
                    return False
            doubtful.append((a, b))
    walls = pack([Prism(points, 0.0, 1.0) for points in _beyond_range(feature, close)])
    return not any(visible(flat(a), flat(b), walls) for a, b in doubtful)


def flat(model: Model) -> Base:
    """A base as something to look from on a plan of the table."""
    return base(model, 1.0).at(model.x, model.y, 0.0)


def _beyond_range(feature: Feature, attackers: Sequence[Model]) -> list[tuple[Point, ...]]:
    """What of a feature lies outside the combat range of the attacking unit, in convex pieces."""
    pieces = [part.points for part in feature.parts]
    for model in attackers:
        pieces = [
            rest for points in pieces for rest in outside_circle(points, model.x, model.y, model.r + COMBAT_RANGE)
        ]
    return pieces


def sheltering(state: State, attacker: Unit, target: Unit, ability: str) -> list[tuple[Feature, str]]:
    """The features with this ability that the target is behind or wholly on, and which of the two."""
    found: list[tuple[Feature, str]] = []
    if target.profile.fly and state.applies("aos.move.fly"):
        return found
    for feature in state.terrain:
        if ability not in feature.abilities or (feature.unit and feature.unit in (attacker.id, target.id)):
            continue
        key, about = ("behind", feature.id, target.id), (target.mark, feature.x, feature.y)
        if unit_wholly_on(feature, target):
            found.append((feature, "aos.core.terrain-wholly-on"))
        elif attacker.alone(key, about, partial(behind, feature, attacker, target)):
            found.append((feature, "aos.core.terrain-behind"))
    return found


def cover_modifiers(state: State, attacker: Unit, target: Unit) -> list[tuple[int, str]]:
    """aos.terrain.cover: -1 to hit, once; not for units that charged this turn or that fly."""
    if target.charged or not state.applies("aos.terrain.cover"):
        return []
    found = sheltering(state, attacker, target, "cover")
    once = found[:1] if state.applies("aos.ability.passive-once") else found
    return [(-1, "aos.terrain.cover") for _ in once]


def obscured(state: State, attacker: Unit, target: Unit) -> bool:
    """aos.terrain.obscuring: it cannot be picked as the target of shooting attacks."""
    return bool(sheltering(state, attacker, target, "obscuring"))


def between(state: State, one: Piece, other: Piece) -> Sight:
    """What a player is told who measures from one model to another: whether it sees it, and what shelters its unit."""
    unit, target = state.unit(one.unit), state.unit(other.unit)
    a, b = (next(m for m in u.models if m.id == piece.id) for u, piece in ((unit, one), (target, other)))
    rules = [rule for _, rule in cover_modifiers(state, unit, target)] if unit is not target else []
    if unit is not target and obscured(state, unit, target):
        rules.append("aos.terrain.obscuring")
    return Sight(sees(state, unit, a, target, b), bool(rules), ("aos.core.visibility", *rules))


def gap_to(feature: Feature, model: Model) -> float:
    """The horizontal distance of a base from a feature."""
    return min(to_polygon(model, part.points) for part in feature.parts)


def within_reach(feature: Feature, model: Model, far: float) -> bool:
    """Can a base be within so much of a feature? Circles about both are asked."""
    dx, dy, most = feature.x - model.x, feature.y - model.y, far + model.r + feature.r + TOLERANCE
    return dx * dx + dy * dy <= most * most


def by_feature(feature: Feature, model: Model, far: float) -> bool:
    """Is a base within so much of a feature? Circles about the feature and its parts are asked first."""
    if not within_reach(feature, model, far):
        return False
    x, y, reach = model.x, model.y, far + model.r + TOLERANCE
    for part in feature.parts:
        dx, dy, most = part.x - x, part.y - y, reach + part.r
        if dx * dx + dy * dy <= most * most and to_polygon(model, part.points) <= far + TOLERANCE:
            return True
    return False


def place_of_power(state: State, unit: Unit) -> Feature | None:
    """aos.terrain.place-of-power: a place of power within 3 inches of a Hero."""
    for feature in state.terrain:
        if "place-of-power" in feature.abilities and any(by_feature(feature, m, 3.0) for m in unit.models):
            return feature
    return None
