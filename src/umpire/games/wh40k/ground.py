"""Ways over terrain: climbing, what can be passed, slowed by and stood on (move.terrain-*, terrain.trait.*)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from umpire.engine.rulings import Reason
from umpire.games.wh40k.state import Feature, Model, State, Unit
from umpire.games.wh40k.units import keyword
from umpire.miniatures.loose.over import covers, heights, swept, ups_and_downs
from umpire.space.plain import Point, clip, inside, point_segment
from umpire.space.shapes import TOLERANCE

LOW = 1.0
"""What is lower than this is moved over as if it were flat (wh40k.move.terrain-low)."""
LIGHT = ("infantry", "beast", "swarm")
"""Who moves through breachable features, and with Fly up and down scaleable ones."""
SLOW = 2.0
SLOWED = ("normal", "advance", "fall-back", "charge")

TWINS = {
    "vertical": ("wh40k.move.terrain-vertical", "wh40k.charge.terrain.climb"),
    "low": ("wh40k.move.terrain-low", "wh40k.charge.terrain.low"),
    "no-through": ("wh40k.move.terrain-no-through", "wh40k.charge.terrain.climb"),
}

Place = tuple[float, float, float]


def light(unit: Unit, model: Model) -> bool:
    """Infantry, Beasts and Swarms: it is models that have the keyword, not all of their unit."""
    return any(keyword(unit, model, word) for word in LIGHT)


def climbs(state: State, unit: Unit, model: Model) -> bool:
    """wh40k.terrain.trait.scaleable: may it go up and down between floors?"""
    winged = flies(state, unit) and (keyword(unit, model, "fly") or keyword(unit, model, "aircraft"))
    able = (light(unit, model) or winged) and state.applies("wh40k.terrain.trait.scaleable")
    return able or not state.applies("wh40k.terrain.trait.scaleable.others")


def flies(state: State, unit: Unit) -> bool:
    """Has the unit Fly, of its own or as an Aircraft (wh40k.move.aircraft-has-fly)?"""
    return unit.has("fly") or (unit.has("aircraft") and state.applies("wh40k.move.aircraft-has-fly"))


def near_by(state: State, x: float, y: float, reach: float) -> list[Feature]:
    """The features within reach of a point."""
    return [f for f in state.terrain if (f.x - x) ** 2 + (f.y - y) ** 2 <= (f.r + reach) ** 2]


def over_feature(model: Model, feature: Feature) -> bool:
    """Is any part of a model over the feature's ground?"""
    reach = feature.r + model.r
    if (feature.x - model.x) ** 2 + (feature.y - model.y) ** 2 > reach * reach:
        return False
    return covers(model, feature.points)


# -- standing ------------------------------------------------------------------------------------------------------


def floors(features: Sequence[Feature], model: Model) -> Iterator[tuple[float, Feature | None]]:
    """The surfaces under the middle of a base: the table, floors, tops; lowest first."""
    found: list[tuple[float, Feature | None]] = [(0.0, None)]
    for feature in features:
        for part in feature.parts:
            if part.kind != "wall" and inside(part.points, model.x, model.y):
                found.append((part.top, feature))
    yield from sorted(found, key=lambda entry: entry[0])


def overhangs(feature: Feature, model: Model, z: float) -> bool:
    """wh40k.core.wobbly-model: does a base reach over the rim of what it stands on? It may: the place counts, and the
    miniature is kept where it does not fall."""
    tops = [part for part in feature.parts if part.kind != "wall" and abs(part.top - z) <= TOLERANCE]
    return not any(inside(p.points, model.x, model.y) and _rim(p.points, model) >= model.q for p in tops)


def _rim(points: Sequence[Point], model: Model) -> float:
    """How far the middle of a base is from the rim of a surface."""
    edges = zip(points, (*points[1:], points[0]), strict=True)
    return math.sqrt(min(point_segment(model.x, model.y, *a, *b) for a, b in edges))


def standing_reasons(
    state: State, unit: Unit, features: Sequence[Feature], model: Model, z: float, on: Feature | None
) -> Iterator[Reason]:
    """Why a model may not stand on a surface of this height."""
    facts = {"model": model.id}
    if on is not None and z >= LOW and not state.applies("wh40k.core.wobbly-model") and overhangs(on, model, z):
        yield Reason("wh40k.move.terrain-no-mid-climb", "", {**facts, "height": z})
    if on is not None and on.has("unstable-position") and z > 0.0:
        yield Reason("wh40k.terrain.trait.unstable-position", "", {**facts, "feature": on.id, "height": z})
    if on is not None and z >= LOW and on.has("scaleable") and not climbs(state, unit, model):
        yield Reason("wh40k.terrain.trait.scaleable.others", "", {**facts, "feature": on.id, "height": z})
    for feature in features:
        low = next((part.top for part in feature.parts if z < part.top < z + LOW and covers(model, part.points)), 0.0)
        if low and feature.has("unstable-position"):  # what is lower than an inch is still stood on
            yield Reason("wh40k.terrain.trait.unstable-position", "", {**facts, "feature": feature.id, "height": low})
        if feature.category == "area" and not state.applies("wh40k.terrain.area.definition"):
            if covers(model, feature.points):
                yield Reason("wh40k.move.terrain-no-through", "", {**facts, "feature": feature.id})
            continue
        for part in feature.parts:
            if part.floor < z + model.height - TOLERANCE and part.top >= z + LOW and covers(model, part.points):
                yield Reason("wh40k.move.terrain-no-through", "", {**facts, "feature": feature.id})
                return


def lets_through(state: State, unit: Unit, model: Model, feature: Feature) -> bool:
    """May a model move through its walls and all that stands on it?"""
    return feature.has("breachable") and light(unit, model) and state.applies("wh40k.terrain.trait.breachable")


def stand(
    state: State,
    unit: Unit,
    features: Sequence[Feature],
    model: Model,
    level: float | None,
    now: float,
    passing: bool = False,
) -> tuple[float, Reason | None]:
    """How high a model would stand here, and why it may not: on the floor that is wished, or the one nearest to the
    height at which it is now. wh40k.move.terrain-no-mid-climb: a move ends on a surface. Who is only `passing` may be
    inside what lets it through, and is carried over what it cannot stand on."""
    x, y, r = model.x, model.y, model.r
    features = [f for f in features if (f.x - x) * (f.x - x) + (f.y - y) * (f.y - y) < (f.r + r) * (f.r + r)]
    if not features:
        if level is not None and abs(level) > TOLERANCE:
            return 0.0, Reason("wh40k.move.terrain-no-mid-climb", "", {"model": model.id, "height": level})
        return 0.0, None
    surfaces = list(floors(features, model))
    if level is not None:
        surfaces = [entry for entry in surfaces if abs(entry[0] - level) <= 0.05]
        if not surfaces:
            return level, Reason("wh40k.move.terrain-no-mid-climb", "", {"model": model.id, "height": level})
    surfaces.sort(key=lambda entry: abs(entry[0] - now))
    first: Reason | None = None
    inside_of = [f for f in features if not lets_through(state, unit, model, f)] if passing else features
    for z, on in surfaces:
        why = next(
            (r for r in standing_reasons(state, unit, inside_of, model, z, on) if r.rule not in state.without), None
        )
        if why is None:
            return z, None
        first = first or why
    if not passing:
        return surfaces[0][0], first
    climbed = [f for f in inside_of if not f.has("scaleable") or climbs(state, unit, model)]
    return carried_over(climbed, [z for z, _ in surfaces], model, now), first


def carried_over(features: Sequence[Feature], surfaces: Sequence[float], model: Model, now: float) -> float:
    """How high a base is at a point of its way where it could not stand: clear of everything that it covers there."""
    parts = [part for f in features for part in f.parts if part.top >= LOW and covers(model, part.points)]

    def clear(z: float) -> bool:
        return not any(part.floor < z + model.height - TOLERANCE and part.top >= z + LOW for part in parts)

    levels = sorted({*surfaces, *(part.top for part in parts)})
    return min((z for z in levels if clear(z)), key=lambda z: abs(z - now))


# -- going ---------------------------------------------------------------------------------------------------------


def on_way(feature: Feature, model: Model, ax: float, ay: float, bx: float, by: float) -> bool:
    """May a straight move pass over the feature's ground?"""
    reach = feature.r + model.r
    return point_segment(feature.x, feature.y, ax, ay, bx, by) < reach * reach


def climb(
    state: State, unit: Unit, features: Sequence[Feature], model: Model, start: Place, stop: Place, charging: bool
) -> tuple[float, Reason | None, list[str]]:
    """What a straight way costs in height, why it cannot be made, and the rules that it made use of.

    A model keeps to the height where it begins or to that where it ends, whichever costs less, and goes up and down
    over what stands in the way there; less than an inch is nothing.
    """
    ax, ay, az = start
    bx, by, bz = stop
    near = [f for f in features if on_way(f, model, ax, ay, bx, by)]
    if not near and az == bz:
        return 0.0, None, []
    highest_step = LOW + 2 * TOLERANCE if state.options.low_terrain == "up-to-one" else LOW
    low = highest_step if all(state.applies(rule) for rule in _ids("low", charging)) else TOLERANCE
    az, bz = (0.0 if z < low else z for z in (az, bz))
    if not near and az == bz:
        return 0.0, None, []
    solid = all(state.applies(rule) for rule in _ids("no-through", charging))
    best: tuple[float, Reason | None, list[str]] | None = None
    for cruise in dict.fromkeys((az, bz)):
        spans, barred, rules = _in_the_way(state, unit, near, model, (ax, ay), (bx, by), cruise, low)
        rise = ups_and_downs(heights(spans if solid else (), cruise, az, bz))
        if best is None or (barred is None, -rise) > (best[1] is None, -best[0]):
            best = (rise, barred if solid else None, rules)
    assert best is not None
    rise, barred, rules = best
    if charging:
        rules = ["wh40k.charge.terrain.low" if rule == "wh40k.move.terrain-low" else rule for rule in rules]
    if any(f.category == "area" and clip(f.points, ax, ay, bx, by) is not None for f in near):
        rules = [*rules, "wh40k.terrain.area.definition"]
    if rise:
        rules = [*rules, "wh40k.charge.terrain.climb" if charging else "wh40k.move.terrain-vertical"]
    if not all(state.applies(rule) for rule in _ids("vertical", charging)):
        rise = 0.0
    return rise, barred, rules


def _ids(what: str, charging: bool) -> tuple[str, ...]:
    """The same rule stands in the chapter on moving and in that on charging."""
    twins = TWINS[what]
    return twins if charging else twins[:1]


def _in_the_way(
    state: State, unit: Unit, features: Sequence[Feature], model: Model, a: Point, b: Point, cruise: float, low: float
) -> tuple[list[tuple[float, float, float]], Reason | None, list[str]]:
    """What a model that keeps to a height must climb over, what it cannot, and the rules that let it through."""
    spans: list[tuple[float, float, float]] = []
    barred: Reason | None = None
    rules: list[str] = []
    for feature in features:
        if feature.category == "obstacle" and not state.applies("wh40k.terrain.obstacle.definition"):
            continue
        through = lets_through(state, unit, model, feature)
        for part in feature.parts:
            if part.floor >= cruise + model.height or part.top <= cruise:
                continue
            if part.top < cruise + low:
                if swept(model, part.points, *a, *b) is not None:
                    rules.append("wh40k.move.terrain-low")
                continue
            span = swept(model, part.points, *a, *b)
            if span is None:
                continue
            if through:
                rules.append("wh40k.terrain.trait.breachable")
                break
            if feature.has("scaleable") and not climbs(state, unit, model):
                barred = barred or Reason(
                    "wh40k.terrain.trait.scaleable.others",
                    "",
                    {"model": model.id, "feature": feature.id, "height": part.top},
                )
            elif feature.has("scaleable"):
                rules.append("wh40k.terrain.trait.scaleable")
            if feature.has("unstable-position"):
                rules.append("wh40k.terrain.trait.unstable-position")
            if feature.category == "obstacle":
                rules.append("wh40k.terrain.obstacle.definition")
            spans.append((span[0], span[1], part.top))
    return spans, barred, rules


def slows(state: State, unit: Unit, features: Sequence[Feature], m: Model, end: Model, way: Sequence[Point]) -> str:
    """The rule by which a way shortens the move of the whole unit, if it does.

    wh40k.terrain.trait.difficult-ground: 2 inches less if any part of a model passes over it."""
    if not state.applies("wh40k.terrain.trait.difficult-ground"):
        return ""
    if flies(state, unit) and state.applies("wh40k.terrain.trait.difficult-ground.fly"):
        return ""
    flat_counts = state.applies("wh40k.terrain.trait.difficult-ground.low")
    for feature in features:
        if not feature.has("difficult-ground") or (feature.height < LOW and not flat_counts):
            continue
        x, y = m.x, m.y
        for nx, ny in (*way, (end.x, end.y)):
            if (nx, ny) == (x, y):
                crossed = over_feature(end, feature)
            else:
                crossed = on_way(feature, end, x, y, nx, ny) and swept(end, feature.points, x, y, nx, ny) is not None
            if crossed:
                low = 0.0 < feature.height < LOW
                return "wh40k.terrain.trait.difficult-ground.low" if low else "wh40k.terrain.trait.difficult-ground"
            x, y = nx, ny
    return ""


def highest(features: Sequence[Feature]) -> float:
    """The highest surface that somebody may stand on here."""
    return max([part.top for f in features for part in f.parts if part.kind != "wall"], default=0.0)
