"""Who may be shot at: sight, Obscuring, Look Out, Sir, units locked in combat (shoot.target-*, shoot.look-out-sir)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from umpire.engine.rulings import Reason
from umpire.games.wh40k.abilities import twins
from umpire.games.wh40k.lines import Between, between, every_line_over, feature_on_line
from umpire.games.wh40k.measuring import (
    crosses,
    distance_to,
    enemies,
    friends,
    to_polygon,
    true_gap,
    unit_gap,
    units_near,
)
from umpire.games.wh40k.state import Feature, Model, State, Unit
from umpire.games.wh40k.units import keyword
from umpire.space.plain import clip_circle
from umpire.space.shapes import TOLERANCE

SMALL = 9
"""Characters of so many wounds or fewer hide behind others (wh40k.shoot.look-out-sir)."""
HUGE = 18
"""So many wounds are seen over what obscures."""
OBSCURING = 5.0


def huge(unit: Unit, model: Model) -> bool:
    return unit.sheet.row(model.row).w >= HUGE or keyword(unit, model, "aircraft")


def inside(feature: Feature, model: Model) -> bool:
    """wh40k.terrain.area.footprint: any part of the base within the boundary on the ground, on whatever floor."""
    return to_polygon(model, feature.points) <= TOLERANCE


def obscured(state: State, a: Model, two: Unit, b: Model) -> bool:
    """wh40k.terrain.trait.obscuring: does every line pass over features that hide what is behind them?"""
    if not state.applies("wh40k.terrain.trait.obscuring"):
        return False
    if huge(two, b) and state.applies("wh40k.terrain.trait.obscuring.large"):
        return False
    hiding = veils(state, a, b)
    return bool(hiding) and every_line_over(hiding, a, b)


def veils(state: State, a: Model, b: Model) -> list[Feature]:
    """The features between two models that hide what is behind them."""
    hiding = [f for f in state.terrain if f.has("obscuring") and obscures(state, f) and feature_on_line(f, a, b)]
    if hiding and state.applies("wh40k.terrain.trait.obscuring.inside"):
        hiding = [f for f in hiding if not inside(f, a) and not inside(f, b)]
    return hiding


def obscures(state: State, feature: Feature) -> bool:
    return feature.height >= OBSCURING - TOLERANCE or not state.applies("wh40k.terrain.trait.obscuring.height")


class Sights:
    """What the models of one unit see of the enemy, worked out when it is asked and then remembered."""

    def __init__(self, state: State, unit: Unit) -> None:
        self.state = state
        self.unit = unit
        self.found: dict[str, Between] = {}
        self.veils = any(f.has("obscuring") for f in state.terrain)

    def between(self, target: Unit) -> Between:
        found = self.found.get(target.id)
        if found is None:
            found = self.found[target.id] = between(self.state, self.unit, target)
        return found

    def sees(self, model: Model, target: Unit, other: Model) -> bool:
        state = self.state
        truly = state.applies("wh40k.shoot.true-line-of-sight")
        if huge(target, other) and not state.applies("wh40k.terrain.trait.obscuring.true-los"):
            truly = False
        if truly and not self.between(target).sees(model, other):
            return False
        return not self.veils or not obscured(self.state, model, target, other)

    def reach(self, model: Model, target: Unit, most: float = math.inf) -> float:
        """How far the nearest model is that it sees; infinite where it sees none, or none within `most`."""
        reaches = self.between(target).reaches
        found, looked = reaches.get(model.id, (math.inf, -1.0))
        if found < math.inf or most <= looked:
            return found if found <= most else math.inf
        for far, other in sorted([(true_gap(model, o), o) for o in target.models], key=lambda pair: pair[0]):
            if far > most:
                break
            if far > looked and self.sees(model, target, other):
                found = far
                break
        reaches[model.id] = found, most
        return found

    def gap(self, model: Model, target: Unit, most: float = math.inf) -> float:
        """How far a unit is of which it sees a model: to the nearest of them, seen or not (wh40k.core.distance-units);
        infinite where it sees none, or none is within `most`."""
        near = distance_to(model, target.models)
        return near if near <= most and self.reach(model, target) < math.inf else math.inf

    def visible(self, target: Unit) -> bool:
        return any(self.reach(model, target) < math.inf for model in self.unit.models)

    def closer(self, model: Model, target: Unit) -> str:
        """A visible enemy that is closer than this one, small Characters left out (wh40k.shoot.look-out-sir-ignored);
        none if this one is the closest."""
        ignored = self.state.applies("wh40k.shoot.look-out-sir-ignored")
        far = self.gap(model, target) - TOLERANCE
        others = [foe for foe in enemies(self.state, self.unit) if not (ignored and shy(foe))]
        if self.state.options.look_out_sir == "closest":  # hidden units count as well
            return next((foe.id for foe in others if any(true_gap(model, o) < far for o in foe.models)), "")
        return next((f.id for f in others if _least(model, f) < far and self.gap(model, f, far) < far), "")

    def closest(self, model: Model, target: Unit) -> bool:
        """Is no visible enemy closer than this one?"""
        return not self.closer(model, target)


def _least(model: Model, unit: Unit) -> float:
    """No model of the unit is nearer than this."""
    dx, dy = unit.cx - model.x, unit.cy - model.y
    return math.sqrt(dx * dx + dy * dy) - unit.cr - model.r


def shy(unit: Unit) -> bool:
    """A unit with a Character of 9 wounds or fewer."""
    if "character" not in unit.keywords:
        return False
    return any(unit.sheet.row(m.row).w <= SMALL and keyword(unit, m, "character") for m in unit.models)


def screens(state: State, unit: Unit) -> bool:
    """Who hides a Character: three models, a Vehicle or Monster, or a huge one, even a Character."""
    if not state.applies("wh40k.shoot.screening-unit"):
        return True
    character = any(keyword(unit, m, "character") for m in unit.models)
    big = [m for m in unit.models if keyword(unit, m, "vehicle") or keyword(unit, m, "monster")]
    if not character:
        return len(unit.models) >= 3 or bool(big)
    return any(unit.sheet.row(m.row).w > SMALL for m in big)


def screened(state: State, target: Unit) -> Unit | None:
    """The unit behind which a small Character stands, if there is one."""
    if not shy(target):
        return None
    for other in friends(state, target):
        if screens(state, other) and units_near(target, other, 3.0):
            return other
    return None


def not_hidden(sights: Sights, model: Model, target: Unit) -> list[str]:
    """The rules by which a Character may be shot at though others are near it."""
    state = sights.state
    if "character" not in target.keywords:
        return []
    if not shy(target):
        return ["wh40k.unit.profile-value"] if any(m.wounds <= SMALL for m in target.models) else []
    near = [other for other in friends(state, target) if units_near(target, other, 3.0)]
    if near and screened(state, target) is None:
        return ["wh40k.shoot.screening-unit"]
    others = [foe for foe in enemies(state, sights.unit) if foe is not target and shy(foe)]
    if near and any(sights.gap(model, foe) < sights.gap(model, target) for foe in others):
        return ["wh40k.shoot.look-out-sir-ignored"]
    return []


def seen_by(sights: Sights, model: Model, target: Unit) -> list[str]:
    """The rules by which a model sees the nearest model of a unit across what lies between them; one is enough."""
    state, unit = sights.state, sights.unit
    character = not_hidden(sights, model, target)
    if character:
        return character
    if target.has("building"):
        return ["wh40k.terrain.building"]
    other = min(target.models, key=lambda o: true_gap(model, o))
    for feature in state.terrain:
        if not feature_on_line(feature, model, other) or not crosses(feature.points, model, other):
            continue
        if not feature.has("obscuring"):
            area = feature.category == "area"
            return ["wh40k.terrain.area.visibility" if area else "wh40k.terrain.obstacle.visibility"]
        if not obscures(state, feature):
            return ["wh40k.terrain.trait.obscuring.height"]
        if inside(feature, model) or inside(feature, other):
            return ["wh40k.terrain.trait.obscuring.inside"]
        if huge(target, other):
            printed = other.wounds < HUGE <= target.row(other).w
            return ["wh40k.terrain.trait.obscuring.large", *(["wh40k.unit.profile-value"] if printed else [])]
    for mate in unit.models:
        if mate is not model and clip_circle(mate.x, mate.y, mate.q, model.x, model.y, other.x, other.y) is not None:
            return ["wh40k.shoot.los-ignore-own-unit"]
    return []


def objections(sights: Sights, model: Model, target: Unit, free: bool = False) -> Iterator[Reason]:
    """Why a model may not shoot at a unit, whatever the weapon; `free`: the closest need not be shot (Overwatch)."""
    state, unit = sights.state, sights.unit
    if target.side == unit.side:
        yield Reason("wh40k.shoot.target-enemy", "", {"unit": target.id})
        return
    if target.where != "table":
        yield Reason("wh40k.core.on-the-battlefield", "", {"unit": target.id})
        return
    locked = [key for key in target.engaged if key != unit.id]
    if locked and unit.id not in target.engaged:
        facts = {"unit": target.id, "with": locked}
        yield from twins(state, facts, "wh40k.shoot.target-not-engaged", "wh40k.shoot.locked-in-combat")
    if not free and shy(target):
        screen = screened(state, target)
        closer = sights.closer(model, target) if screen is not None else ""
        if screen is not None and closer:
            gap = round(unit_gap(target, screen), 3)
            told = {"unit": target.id, "screen": screen.id, "gap": gap, "closer": closer}
            yield Reason("wh40k.shoot.look-out-sir", "", told)
