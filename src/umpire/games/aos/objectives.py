"""Objectives and terrain features: contesting, control, scoring (aos.objective.*, aos.core.control-score)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from umpire.engine.decisions import pick
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.aos.abilities import side_name
from umpire.games.aos.known_abilities import AosBattle
from umpire.games.aos.numbers import sources, value
from umpire.games.aos.state import Feature, Model, Objective, State, Unit
from umpire.games.aos.tactics import lands
from umpire.games.aos.terrain import by_feature, gap_to
from umpire.games.aos.units import COMBAT_RANGE
from umpire.miniatures.loose.bodies import gap, near
from umpire.rulebook.deciding import decides
from umpire.space.shapes import TOLERANCE, mm
from umpire.text import Text

MARKER = mm(40) / 2
"""aos.objective.marker: a round marker 40 mm in diameter."""


@decides("aos.objective.contest")
def contests_objective(model: Model, objective: Objective) -> bool:
    """aos.objective.contest: the edge of the marker lies within the model's combat range."""
    dx, dy = model.x - objective.x, model.y - objective.y
    far = COMBAT_RANGE + MARKER + model.r + TOLERANCE
    if dx * dx + dy * dy > far * far:
        return False
    if model.r == model.q:
        return True
    return near(model, marker(objective), COMBAT_RANGE)


def marker(objective: Objective) -> Model:
    """The marker as a body that can be measured to."""
    return Model("", objective.x, objective.y, r=MARKER, q=MARKER)


def contests_feature(model: Model, feature: Feature) -> bool:
    return by_feature(feature, model, COMBAT_RANGE)


@decides("aos.core.control-score")
def control_score(state: State, unit: Unit, models: list[Model]) -> tuple[int, tuple[str, ...]]:
    """aos.core.control-score: the Control of the contesting models, and once what changes the unit's score."""
    each = value(state, unit, "control", unit.profile.control)
    score = int(each.total) * len(models)
    rules = sources(each)
    bearer = state.applies("aos.unit.standard-bearer")
    if models and bearer and any(m.role == "standard" for m in unit.models):
        score += 1
        rules = (*rules, "aos.unit.standard-bearer")
    bonus = value(state, unit, "control-score", score, 0)
    return int(bonus.total), rules


def not_contested(state: State, unit: Unit, found: Sequence[str], wish: str) -> list[Reason]:
    """Why a unit does not contest this objective or feature: how far it is from it; or it is to choose among others."""
    facts: dict[str, Any] = {"unit": unit.id, "place": wish, "range": COMBAT_RANGE}
    gaps = [gap(m, marker(o)) for o in state.objectives if o.id == wish for m in unit.models]
    gaps += [gap_to(f, m) for f in state.terrain if f.id == wish for m in unit.models]
    if not gaps or wish in found:
        return []
    if min(gaps) > COMBAT_RANGE + TOLERANCE:
        return [Reason("aos.objective.contest", "reason.aos.contest-far", {**facts, "gap": round(min(gaps), 3)})]
    return [Reason("aos.core.contest-one", "reason.aos.contest-kind", facts)]


def contested(state: State, unit: Unit, group: Sequence[Objective] | Sequence[Feature]) -> dict[str, list[Model]]:
    """What a unit contests among the objectives or the features, and with which models."""
    key = ("contests", group is state.terrain)
    return unit.alone(key, (len(group),), functools.partial(_contested, unit, group))


def most_needed(state: State, unit: Unit, group: Sequence[Objective] | Sequence[Feature], wanted: Sequence[str]) -> str:
    """Where a unit that contests several usually counts: where it turns the control, else where it counts most."""
    rest = [other for other in (*state.army(0), *state.army(1)) if other.profile.kind == "unit" and other is not unit]

    def worth(place: Objective | Feature) -> tuple[bool, bool, int]:
        sums = [0, 0]
        for other in rest:
            models = contested(state, other, group).get(place.id)
            if models:
                sums[other.side] += control_score(state, other, models)[0]
        own = control_score(state, unit, contested(state, unit, group)[place.id])[0]
        before, mine, theirs = place.holder == unit.side, sums[unit.side], sums[1 - unit.side]
        held = before if mine == theirs else mine > theirs
        holds = before if mine + own == theirs else mine + own > theirs
        return place.id in wanted, holds and not held, own

    return max((place for place in group if place.id in contested(state, unit, group)), key=worth).id


@step
@decides("aos.objective.timing")
def check_control(battle: AosBattle) -> Steps[None]:
    """aos.objective.timing: at the start of the first round and at the end of every turn."""
    state = battle.state
    places: list[Objective | Feature] = [*state.objectives, *state.terrain]
    sums: dict[str, list[int]] = {place.id: [0, 0] for place in places}
    present: dict[str, list[bool]] = {place.id: [False, False] for place in places}
    rules: dict[str, list[str]] = {place.id: [] for place in places}
    wanted: list[str] | None = None
    for unit in (*state.army(state.active), *state.army(1 - state.active)):
        if unit.profile.kind != "unit":
            continue
        for group in (state.objectives, state.terrain):
            found = contested(state, unit, group)
            if not found:
                continue
            picks = list(found)
            if len(found) > 1 and state.applies("aos.core.contest-one"):
                picks = picks[:1]
                if wanted is None:
                    wanted = lands(state)
                if group is state.objectives or any(key in found for key in wanted):
                    prompt = Text("ask.contest", {"unit": unit.id})
                    refuse = functools.partial(not_contested, state, unit, tuple(found))
                    where = functools.partial(most_needed, state, unit, group, wanted)
                    rule = "aos.core.contest-one"
                    picks = [(yield from pick(unit.side, prompt, list(found), rule, unit.id, refuse, where))]
            for key in picks:
                score, cited = control_score(state, unit, found[key])
                rules[key] += cited
                if len(found) > len(picks):
                    rules[key].append("aos.core.contest-one")
                sums[key][unit.side] += score
                present[key][unit.side] = True
    for place in places:
        before = place.holder
        a, b = sums[place.id]
        if isinstance(place, Feature):
            _feature(place, a, b, present[place.id])
            rule = "aos.objective.terrain-control"
        else:
            if a != b and max(a, b) > 0:
                place.holder = 0 if a > b else 1
            rule = "aos.objective.control"
        marked = isinstance(place, Objective)
        if place.holder != before or (marked and (a or b or before >= 0)):
            sticks = marked and 0 <= before == place.holder and (a, b)[before] <= (a, b)[1 - before]
            why = dict.fromkeys([*(("aos.objective.sticky",) if sticks else ()), *rules[place.id]])
            battle.emit("control", rule, *why, place=place.id, holder=side_name(place.holder), a=a, b=b)


def _contested(unit: Unit, places: Sequence[Objective] | Sequence[Feature]) -> dict[str, list[Model]]:
    """The places that a unit's models contest, and which models do."""
    found: dict[str, list[Model]] = {}
    for place in places:
        dx, dy = unit.cx - place.x, unit.cy - place.y
        reach = unit.cr + COMBAT_RANGE + (MARKER if isinstance(place, Objective) else place.r) + TOLERANCE
        if dx * dx + dy * dy > reach * reach:
            continue
        if isinstance(place, Objective):
            models = [m for m in unit.models if contests_objective(m, place)]
        else:
            models = [m for m in unit.models if contests_feature(m, place)]
        if models:
            found[place.id] = models
    return found


def _feature(feature: Feature, a: int, b: int, present: list[bool]) -> None:
    """aos.objective.terrain-control: like objectives, but a feature that nobody of the holder contests is lost."""
    if a != b and max(a, b) > 0:
        feature.holder = 0 if a > b else 1
    elif feature.holder >= 0 and not present[feature.holder]:
        feature.holder = -1


def held(state: State, side: int) -> int:
    return sum(objective.holder == side for objective in state.objectives)


def score_first_blood(mine: int, theirs: int) -> int:
    """aos.core.first-blood-score: 2 for one objective or more, 2 for two or more, 2 for more than the opponent."""
    return 2 * (mine >= 1) + 2 * (mine >= 2) + 2 * (mine > theirs)


def score_each(mine: int, theirs: int) -> int:
    return 2 * mine


def score_majority(mine: int, theirs: int) -> int:
    return 5 * (mine > theirs) + (mine >= 1)


def score_steady(mine: int, theirs: int) -> int:
    return mine + 3 * (mine >= 3) + 2 * (mine > theirs)


SCORING = {"first-blood": score_first_blood, "each": score_each, "majority": score_majority, "steady": score_steady}
"""How a battleplan turns objectives held into victory points at the end of each of a player's turns."""


@step
def score_turn(battle: AosBattle) -> None:
    state = battle.state
    side = state.active
    mine, theirs = held(state, side), held(state, 1 - side)
    points = SCORING[state.plan.scoring](mine, theirs)
    state.sides[side].vp += points
    rules = ["aos.core.victory"]
    if state.plan.scoring == "first-blood":
        rules.append("aos.core.first-blood-score")
    battle.emit("score", *rules, side=side_name(side), points=points, held=mine, total=state.sides[side].vp)
