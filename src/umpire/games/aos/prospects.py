"""What plans reckon with: how likely a battle tactic is to be completed in this turn, where units have to go for it,
and what units do to each other on average."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable

from umpire.games.aos.objectives import MARKER, contests_feature, contests_objective
from umpire.games.aos.profiles import Warscroll, amount
from umpire.games.aos.state import Feature, Model, Objective, State, Unit
from umpire.games.aos.tactics import subjects
from umpire.games.aos.terrain import gap_to
from umpire.games.aos.units import COMBAT_RANGE
from umpire.miniatures.loose.bodies import to_point, wholly_in
from umpire.space.plain import point_segment

Goal = tuple[float, float]

CHARGE = 7.0
"""A charge that comes off more often than not, in inches."""
IN_REACH = 0.8
"""How surely a unit comes where one move takes it."""
BEYOND = 4.0
"""So many inches beyond its move a unit comes no more: a run may take it there."""
CONTESTED = 0.3
"""What is left of a chance where the enemy stands in the way."""
CHARGED = 0.45
"""How surely a unit fights that has yet to charge."""
CENTRE = 3.0
FLANK = 6.0


def prospect(state: State, side: int, tactic: str, about: str) -> float:
    """How likely a side is to complete a battle tactic at the end of its turn."""
    return _PROSPECTS[tactic](state, side, about)


def best_subject(state: State, side: int, tactic: str) -> str:
    """What the tactic is best tried on, if it must name something."""
    about = subjects(state, side, tactic) or [""]
    return max(about, key=lambda key: prospect(state, side, tactic, key))


def fighters(state: State, side: int) -> list[Unit]:
    """The units on the table that can hold and take something."""
    return [unit for unit in state.army(side) if unit.profile.kind == "unit"]


def stride(state: State, unit: Unit) -> float:
    """How far a unit may still move in this turn, before it charges."""
    if unit.fights or unit.arrived or (state.phase == "movement" and unit.core):
        return 0.0
    return float(unit.profile.move) if state.phase in ("start", "hero", "movement") else 0.0


def _comes(state: State, unit: Unit, far: float) -> float:
    """How likely a unit is to cover a distance in the movement phase of this turn."""
    if far <= 0.0:
        return 1.0
    move = stride(state, unit)
    return IN_REACH * max(0.0, 1.0 - max(0.0, far - move) / BEYOND) if move else 0.0


def _two_best(chances: Iterable[float]) -> float:
    best = sorted(chances, reverse=True)
    return best[0] * best[1] if len(best) > 1 else 0.0


def do_not_waver(state: State, side: int, about: str) -> float:
    player = state.sides[side]
    if player.lost:
        return 0.0
    sure = [1.0] * player.fought
    theirs = state.army(1 - side)
    for unit in fighters(state, side):
        if unit.fought:
            continue
        if unit.fights:
            sure.append(0.9)
        elif state.phase not in ("combat", "end") and not {"run", "retreat"} & set(unit.keywords_turn):
            far = min((math.hypot(u.cx - unit.cx, u.cy - unit.cy) - u.cr - unit.cr for u in theirs), default=99.0)
            sure.append(CHARGED * max(0.0, 1.0 - max(0.0, far - stride(state, unit) - CHARGE) / BEYOND))
    return _two_best(sure)


def slay_the_entourage(state: State, side: int, about: str) -> float:
    target = state.unit(about)
    if target.where == "gone":
        return 1.0
    if target.where != "table":
        return 0.0
    left = health(target)
    dealt = 0.0
    for unit in fighters(state, side):
        far = math.hypot(unit.cx - target.cx, unit.cy - target.cy) - unit.cr - target.cr
        if about in unit.fights:
            dealt += 0.0 if unit.fought else blow(unit, target)
        elif not unit.fights and state.phase not in ("combat", "end"):
            dealt += CHARGED * blow(unit, target) * (far <= stride(state, unit) + CHARGE)
        if state.phase in ("start", "hero", "movement", "shooting"):
            dealt += shot(unit, target, far - stride(state, unit))
    return min(1.0, dealt / left) ** 2 * IN_REACH


def attack_on_two_fronts(state: State, side: int, about: str) -> float:
    mine, theirs = fighters(state, side), fighters(state, 1 - side)
    taken: list[float] = []
    from_them: list[float] = []
    for objective in state.objectives:
        if objective.held_before == side:
            continue
        there = [control_at(unit, objective) for unit in mine]
        against = sum(control_at(unit, objective) for unit in theirs)
        if sum(there) > against:
            chance = 1.0
        else:
            chance = max(
                (
                    _comes(state, unit, far_from(unit, objective))
                    * (CONTESTED if against >= unit_control(unit) else 1.0)
                    for unit, at in zip(mine, there, strict=True)
                    if not at
                ),
                default=0.0,
            )
        (from_them if objective.held_before == 1 - side else taken).append(chance)
    from_them.sort(reverse=True)
    return from_them[0] * max([*from_them[1:], *taken]) if from_them and len(from_them) + len(taken) > 1 else 0.0


def take_their_land(state: State, side: int, about: str) -> float:
    feature = _feature(state, about)
    if feature is None:
        return 0.0
    here = [
        sum(unit.profile.control * contests_feature(m, feature) for unit in fighters(state, who) for m in unit.models)
        for who in (side, 1 - side)
    ]
    if here[0] > here[1]:
        return 1.0
    mine = fighters(state, side)
    comes = max((_comes(state, unit, _gap(unit, feature) - COMBAT_RANGE) for unit in mine), default=0.0)
    return comes * (CONTESTED if here[1] else 1.0)


def seize_the_centre(state: State, side: int, about: str) -> float:
    x, y = state.width / 2, state.depth / 2

    def chance(unit: Unit) -> float:
        far = min(to_point(m, x, y) for m in unit.models) - CENTRE
        return _comes(state, unit, far) * (CONTESTED if unit.fights else 1.0)

    return _two_best(chance(unit) for unit in fighters(state, side))


def take_the_flanks(state: State, side: int, about: str) -> float:
    home = state.plan.territories[state.sides[side].territory]
    low = high = 0.0
    for unit in fighters(state, side):
        if unit.arrived:
            continue
        out = _way_out(state, unit, home)
        left, right = _from_edges(state, unit)
        low = max(low, _comes(state, unit, max(out, left - FLANK)))
        high = max(high, _comes(state, unit, max(out, right - FLANK)))
    return low * high


_PROSPECTS: dict[str, Callable[[State, int, str], float]] = {
    "do-not-waver": do_not_waver,
    "slay-the-entourage": slay_the_entourage,
    "attack-on-two-fronts": attack_on_two_fronts,
    "take-their-land": take_their_land,
    "seize-the-centre": seize_the_centre,
    "take-the-flanks": take_the_flanks,
}


# -- where to go for it ------------------------------------------------------------------------------------------


def places(state: State, unit: Unit) -> list[Goal]:
    """Where a unit would have to go for its side's battle tactic of this turn."""
    player = state.sides[unit.side]
    if state.active != unit.side:
        return []
    match player.tactic:
        case "seize-the-centre":
            return [(state.width / 2, state.depth / 2)]
        case "take-their-land":
            feature = _feature(state, player.tactic_about)
            return [(feature.x, feature.y)] if feature is not None else []
        case "slay-the-entourage":
            target = state.unit(player.tactic_about)
            return [(target.cx, target.cy)] if target.where == "table" else []
        case "take-the-flanks":
            left, right = _from_edges(state, unit)
            along = FLANK / 2 if left < right else max(state.width, state.depth) - FLANK / 2
            return [(along, state.depth / 2) if state.width >= state.depth else (state.width / 2, along)]
        case "attack-on-two-fronts":
            fronts = [o for o in state.objectives if o.held_before != unit.side]
            return [(o.x, o.y) for o in sorted(fronts, key=lambda o: far_from(unit, o))]
        case _:
            return []


# -- distances ---------------------------------------------------------------------------------------------------


def unit_control(unit: Unit) -> int:
    return unit.profile.control * len(unit.models)


def far_from(unit: Unit, objective: Objective) -> float:
    """How far a unit is from contesting an objective with some of its models."""
    far = math.hypot(unit.cx - objective.x, unit.cy - objective.y)
    return max(0.0, far - unit.cr - COMBAT_RANGE - MARKER)


def control_at(unit: Unit, objective: Objective) -> int:
    """The control score of a unit at an objective."""
    if far_from(unit, objective):
        return 0
    contesting = sum(contests_objective(model, objective) for model in unit.models)
    bearer = contesting > 0 and any(model.role == "standard" for model in unit.models)
    return unit.profile.control * contesting + bearer


def _feature(state: State, key: str) -> Feature | None:
    """A terrain feature; faction terrain may have been destroyed since it was named."""
    return next((feature for feature in state.terrain if feature.id == key), None)


def _gap(unit: Unit, feature: Feature) -> float:
    nearest = min(unit.models, key=lambda m: (m.x - feature.x) ** 2 + (m.y - feature.y) ** 2)
    return gap_to(feature, nearest)


def _from_edges(state: State, unit: Unit) -> tuple[float, float]:
    """How far a unit is from each of the short edges."""
    across = state.width < state.depth

    def place(model: Model) -> float:
        return model.y if across else model.x

    low = min(place(m) - m.r for m in unit.models)
    high = max(place(m) + m.r for m in unit.models)
    return low, max(state.width, state.depth) - high


def _way_out(state: State, unit: Unit, home: tuple[Goal, ...]) -> float:
    """How far it is to where a unit no longer stands wholly within its territory."""
    if not all(wholly_in(m, home) for m in unit.models):
        return 0.0
    best = 99.0
    for (ax, ay), (bx, by) in zip(home, (*home[1:], home[0]), strict=True):
        if (ax == bx and ax in (0.0, state.width)) or (ay == by and ay in (0.0, state.depth)):
            continue  # behind it the table ends
        best = min(best, min(math.sqrt(point_segment(m.x, m.y, ax, ay, bx, by)) - m.r for m in unit.models))
    return best + 0.1


# -- strength ----------------------------------------------------------------------------------------------------


def left(unit: Unit) -> float:
    """What is left of a unit, in points."""
    profile = unit.profile
    return profile.points * health(unit) / max(1, profile.size * profile.health)


def health(unit: Unit) -> int:
    """How much damage would destroy a unit."""
    return len(unit.models) * unit.profile.health - unit.damage


def blow(unit: Unit, foe: Unit) -> float:
    """The mean damage of a fight, with all models at it."""
    hurt = len(unit.models) * melee_of(unit.profile, foe.profile.save, foe.profile.ward)
    return min(hurt, health(foe))


def shot(unit: Unit, foe: Unit, far: float) -> float:
    """The mean damage of shooting at a unit so far away."""
    hurt = sum(
        mean_damage(w.attacks, w.hit, w.wound, w.rend, w.damage, foe.profile.save, foe.profile.ward)
        for w in unit.profile.missiles
        if w.range >= far
    )
    return min(len(unit.models) * hurt, health(foe))


def melee_of(profile: Warscroll, save: int, ward: int) -> float:
    """The mean damage of one model in a fight."""
    return sum(mean_damage(w.attacks, w.hit, w.wound, w.rend, w.damage, save, ward) for w in profile.melee)


@functools.lru_cache(4096)
def mean_damage(attacks: str, hit: int, wound: int, rend: int, damage: str, save: int, ward: int) -> float:
    saved = max(0.0, min(5.0, 7.0 - save - rend)) / 6 if save else 0.0
    warded = (7 - ward) / 6 if ward else 0.0
    return _mean(attacks) * (7 - hit) / 6 * (7 - wound) / 6 * (1 - saved) * _mean(damage) * (1 - warded)


def _mean(text: str) -> float:
    number = amount(text)
    return number.dice * (number.sides + 1) / 2 + number.plus
