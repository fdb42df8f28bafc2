"""Cover: who has it, and what the traits of terrain make of it (terrain.cover.*, terrain.trait.*-cover)."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.games.wh40k.lines import any_line_over, feature_on_line
from umpire.games.wh40k.measuring import to_polygon
from umpire.games.wh40k.state import Feature, Model, State, Unit
from umpire.games.wh40k.targets import huge, inside
from umpire.games.wh40k.terrain import HILL
from umpire.games.wh40k.units import keyword
from umpire.space.plain import point_segment
from umpire.space.shapes import TOLERANCE

NEAR = 3.0
DENSE = 3.0
LIGHT = ("infantry", "beast", "swarm")


Told = list[str]
"""Rules that had a say are written here by whoever wants to tell them."""


def tell(told: Told | None, rule: str) -> None:
    if told is not None and rule not in told:
        told.append(rule)


def has_cover(
    state: State, feature: Feature, attacker: Model, unit: Unit, model: Model, told: Told | None = None
) -> bool:
    """wh40k.terrain.cover.two-step: does a model have the benefits of cover from this feature, by its category?"""
    if feature.category == HILL and state.applies("wh40k.terrain.hill"):
        return False
    two_step = state.applies("wh40k.terrain.cover.two-step")
    building = unit.has("building") and state.applies("wh40k.terrain.building")
    if feature.category == "area":
        found = inside(feature, model) and state.applies("wh40k.terrain.area.cover")
    else:
        found = state.applies("wh40k.terrain.obstacle.cover") and to_polygon(model, feature.points) <= NEAR + TOLERANCE
    if not found:
        return False
    if two_step and not any(keyword(unit, model, word) for word in LIGHT):
        tell(told, "wh40k.terrain.building" if building else "wh40k.terrain.cover.two-step")
        return False
    if building:
        tell(told, "wh40k.terrain.building")
        return False
    if feature.category == "area":
        tell(told, "wh40k.terrain.area.cover")
        return True
    if state.applies("wh40k.terrain.obstacle.obstructed") and not any_line_over(feature.points, attacker, model):
        tell(told, "wh40k.terrain.obstacle.obstructed")
        return False
    tell(told, "wh40k.terrain.obstacle.cover")
    return True


def in_area(state: State, unit: Unit, model: Model) -> bool:
    """Has a model cover from the terrain that it stands in, whoever attacks it?"""
    return any(
        f.category == "area"
        and near(f, model)
        and has_cover(state, f, model, unit, model)
        and not exposed(state, model, f)
        for f in state.terrain
    )


def exposed(state: State, model: Model, feature: Feature | None = None) -> bool:
    """wh40k.terrain.trait.exposed-position: on top of such a feature nobody ever has cover, whatever gives it; by
    another reading only not from this very feature."""
    if model.z <= TOLERANCE or not state.applies("wh40k.terrain.trait.exposed-position"):
        return False
    features = state.terrain
    if state.options.exposed == "own-feature":
        features = () if feature is None else (feature,)
    return any(f.has("exposed-position") and inside(f, model) and model.z >= f.height - TOLERANCE for f in features)


def covering(
    state: State, attacker: Model, unit: Unit, model: Model, trait: str, told: Told | None = None
) -> Feature | None:
    """The feature whose trait helps a model against this attacker."""
    rule = f"wh40k.terrain.trait.{trait}"
    if not state.applies(rule):
        return None
    for feature in state.terrain:
        if feature.has(trait) and near(feature, model) and has_cover(state, feature, attacker, unit, model, told):
            if exposed(state, model, feature):
                tell(told, "wh40k.terrain.trait.exposed-position")
                continue
            return feature
    return None


def near(feature: Feature, model: Model) -> bool:
    reach = feature.r + NEAR + model.r + model.q
    return (feature.x - model.x) ** 2 + (feature.y - model.y) ** 2 <= reach * reach


def covered(state: State, attacker: Model, unit: Unit, trait: str, told: Told | None = None) -> tuple[str, ...]:
    """The models of a unit whose saves a trait helps against this attacker."""
    if not any(f.has(trait) for f in state.terrain):
        return ()
    return tuple([m.id for m in unit.models if covering(state, attacker, unit, m, trait, told) is not None])


def any_cover(state: State, attacker: Model, unit: Unit) -> tuple[str, ...]:
    """The models of a unit that have the benefits of cover from anything, whatever comes of it."""

    def shelters(feature: Feature, m: Model) -> bool:
        return near(feature, m) and has_cover(state, feature, attacker, unit, m) and not exposed(state, m, feature)

    return tuple([m.id for m in unit.models if any(shelters(f, m) for f in state.terrain)])


def heavy_cover(state: State, attacker: Model, unit: Unit, told: Told | None = None) -> tuple[str, ...]:
    """wh40k.terrain.trait.heavy-cover: who is helped against a blow; who charged this turn is not."""
    found = covered(state, attacker, unit, "heavy-cover", told)
    rule = "wh40k.terrain.trait.heavy-cover.not-chargers"
    if found and "charged" in unit.marks and state.applies(rule):
        if told is not None:
            told[:] = [rule]
        return ()
    return found


def dense(state: State, one: Unit, shooter: Model, target: Unit, told: Told | None = None) -> Feature | None:
    """wh40k.terrain.trait.dense-cover.penalty: a feature over which a line to any model of the target passes."""
    if not state.applies("wh40k.terrain.trait.dense-cover.penalty"):
        return None
    for feature in state.terrain:
        if not feature.has("dense-cover"):
            continue
        reach = feature.r + shooter.r + target.cr
        if point_segment(feature.x, feature.y, shooter.x, shooter.y, target.cx, target.cy) >= reach * reach:
            continue
        hidden = next((m for m in target.models if _behind(feature, shooter, m)), None)
        every = state.options.dense_cover == "every-model"
        if hidden is None or (every and not all(_behind(feature, shooter, m) for m in target.models)):
            continue
        spared = next((rule for rule in _spared(state, feature, shooter, target, hidden) if state.applies(rule)), None)
        if spared is not None:
            tell(told, spared)
            continue
        rule = "wh40k.terrain.trait.dense-cover.without-cover"
        if told is not None and not has_cover(state, feature, shooter, target, hidden):
            tell(told, rule)
        if not state.applies(rule) and not any(has_cover(state, feature, shooter, target, m) for m in target.models):
            continue
        return feature
    return None


def _spared(state: State, feature: Feature, shooter: Model, target: Unit, hidden: Model) -> Iterator[str]:
    """The rules by which Dense Cover on the line does not matter."""
    if feature.height < DENSE - TOLERANCE:
        yield "wh40k.terrain.trait.dense-cover.height"
    if feature.category == "area" and inside(feature, shooter):
        yield "wh40k.terrain.trait.dense-cover.own-area"
    if huge(target, hidden) and all(huge(target, m) for m in target.models if _behind(feature, shooter, m)):
        yield "wh40k.terrain.trait.dense-cover.large-targets"
    near_it = feature.category == "obstacle" and to_polygon(shooter, feature.points) <= NEAR + TOLERANCE
    if near_it and _only(state, feature, shooter, target):
        yield "wh40k.terrain.trait.dense-cover.own-obstacle"


def _behind(feature: Feature, shooter: Model, model: Model) -> bool:
    return feature_on_line(feature, shooter, model) and any_line_over(feature.points, shooter, model)


def _only(state: State, feature: Feature, shooter: Model, target: Unit) -> bool:
    """Is this the only feature that any line to the target passes over? Hills are none (wh40k.terrain.hill)."""
    hills = state.applies("wh40k.terrain.hill")
    for other in state.terrain:
        if other.id == feature.id or (hills and other.category == HILL):
            continue
        for model in target.models:
            if feature_on_line(other, shooter, model) and any_line_over(other.points, shooter, model):
                return False
    return True
