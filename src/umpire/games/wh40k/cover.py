"""Cover: who has it, and what the traits of terrain make of it (terrain.cover.*, terrain.trait.*-cover)."""

from __future__ import annotations

from umpire.games.wh40k.lines import any_line_over, feature_on_line
from umpire.games.wh40k.measuring import to_polygon
from umpire.games.wh40k.state import Feature, Model, State, Unit
from umpire.games.wh40k.targets import huge, inside, keyword
from umpire.space.plain import point_segment
from umpire.space.shapes import TOLERANCE

NEAR = 3.0
DENSE = 3.0
LIGHT = ("infantry", "beast", "swarm")


def has_cover(state: State, feature: Feature, attacker: Model, unit: Unit, model: Model) -> bool:
    """wh40k.terrain.cover.two-step: does a model have the benefits of cover from this feature, by its category?"""
    if state.applies("wh40k.terrain.cover.two-step") and not any(keyword(unit, model, word) for word in LIGHT):
        return False
    if unit.has("building") and state.applies("wh40k.terrain.building"):
        return False
    if feature.category == "area":
        return inside(feature, model) and state.applies("wh40k.terrain.area.cover")
    if not state.applies("wh40k.terrain.obstacle.cover"):
        return False
    if to_polygon(model, feature.points) > NEAR + TOLERANCE:
        return False
    free = state.applies("wh40k.terrain.obstacle.obstructed") and not any_line_over(feature.points, attacker, model)
    return not free


def in_area(state: State, unit: Unit, model: Model) -> bool:
    """Has a model cover from the terrain that it stands in, whoever attacks it?"""
    return any(
        f.category == "area" and near(f, model) and has_cover(state, f, model, unit, model) for f in state.terrain
    )


def exposed(state: State, model: Model) -> bool:
    """wh40k.terrain.trait.exposed-position: on top of such a feature nobody ever has cover."""
    return model.z > TOLERANCE and any(
        f.has("exposed-position") and inside(f, model) and model.z >= f.height - TOLERANCE for f in state.terrain
    )


def covering(state: State, attacker: Model, unit: Unit, model: Model, trait: str) -> Feature | None:
    """The feature whose trait helps a model against this attacker."""
    rule = f"wh40k.terrain.trait.{trait}"
    if not state.applies(rule):
        return None
    for feature in state.terrain:
        if feature.has(trait) and near(feature, model) and has_cover(state, feature, attacker, unit, model):
            if state.applies("wh40k.terrain.trait.exposed-position") and exposed(state, model):
                return None
            return feature
    return None


def near(feature: Feature, model: Model) -> bool:
    reach = feature.r + NEAR + model.r + model.q
    return (feature.x - model.x) ** 2 + (feature.y - model.y) ** 2 <= reach * reach


def covered(state: State, attacker: Model, unit: Unit, trait: str) -> tuple[str, ...]:
    """The models of a unit whose saves a trait helps against this attacker."""
    if not any(f.has(trait) for f in state.terrain):
        return ()
    return tuple([m.id for m in unit.models if covering(state, attacker, unit, m, trait) is not None])


def any_cover(state: State, attacker: Model, unit: Unit) -> tuple[str, ...]:
    """The models of a unit that have the benefits of cover from anything, whatever comes of it."""
    if state.applies("wh40k.terrain.trait.exposed-position"):
        models = [m for m in unit.models if not exposed(state, m)]
    else:
        models = list(unit.models)
    return tuple(
        [m.id for m in models if any(near(f, m) and has_cover(state, f, attacker, unit, m) for f in state.terrain)]
    )


def heavy_cover(state: State, attacker: Model, unit: Unit) -> tuple[str, ...]:
    """wh40k.terrain.trait.heavy-cover: who is helped against a blow; who charged this turn is not."""
    if "charged" in unit.marks and state.applies("wh40k.terrain.trait.heavy-cover.not-chargers"):
        return ()
    return covered(state, attacker, unit, "heavy-cover")


def dense(state: State, one: Unit, shooter: Model, target: Unit) -> Feature | None:
    """wh40k.terrain.trait.dense-cover.penalty: a feature over which a line to any model of the target passes."""
    if not state.applies("wh40k.terrain.trait.dense-cover.penalty"):
        return None
    for feature in state.terrain:
        if not feature.has("dense-cover"):
            continue
        if feature.height < DENSE - TOLERANCE and state.applies("wh40k.terrain.trait.dense-cover.height"):
            continue
        reach = feature.r + shooter.r + target.cr
        if point_segment(feature.x, feature.y, shooter.x, shooter.y, target.cx, target.cy) >= reach * reach:
            continue
        own = feature.category == "area" and inside(feature, shooter)
        if own and state.applies("wh40k.terrain.trait.dense-cover.own-area"):
            continue
        alone = state.applies("wh40k.terrain.trait.dense-cover.without-cover")
        if not any(
            _behind(state, feature, shooter, target, m) and (alone or has_cover(state, feature, shooter, target, m))
            for m in target.models
        ):
            continue
        if feature.category == "obstacle" and to_polygon(shooter, feature.points) <= NEAR + TOLERANCE:
            rule = "wh40k.terrain.trait.dense-cover.own-obstacle"
            if state.applies(rule) and _only(state, feature, shooter, target):
                continue
        return feature
    return None


def _behind(state: State, feature: Feature, shooter: Model, target: Unit, model: Model) -> bool:
    if huge(target, model) and state.applies("wh40k.terrain.trait.dense-cover.large-targets"):
        return False
    return feature_on_line(feature, shooter, model) and any_line_over(feature.points, shooter, model)


def _only(state: State, feature: Feature, shooter: Model, target: Unit) -> bool:
    """Is this the only feature that any line to the target passes over?"""
    for other in state.terrain:
        if other.id == feature.id:
            continue
        for model in target.models:
            if feature_on_line(other, shooter, model) and any_line_over(other.points, shooter, model):
                return False
    return True
