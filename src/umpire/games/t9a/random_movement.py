"""Random Movement: a compulsory move of random length, made like a pursuit."""

from __future__ import annotations

from typing import NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.decisions import Face
from umpire.engine.rulings import standing
from umpire.engine.steps import Steps, step

from . import pursuit
from .model_rules import every, found
from .profiles import dice_of
from .state import State, Unit


def must_move(state: State, unit: Unit) -> bool:
    from .moving import move_objections

    if not every(state, unit, "t9a.rule.random-movement.distance"):
        return False
    return next(standing(state, move_objections(state, unit)), None) is None


def distance_of(state: State, unit: Unit) -> str:
    """X of Random Movement (X)."""
    for pool in state.members(unit):
        for rule in found(state, pool, "t9a.rule.random-movement.distance"):
            return rule.x
    return "2D6"


class Run(NamedTuple):
    """The dice of a flight or a pursuit, what is added to them, and the rule that says so."""

    dice: int
    plus: int
    rule: str


def run(state: State, unit: Unit, plain: str) -> Run:
    """2D6 by the plain rule, or X of Random Movement (t9a.rule.random-movement.distance)."""
    if not every(state, unit, "t9a.rule.random-movement.distance"):
        return Run(2, 0, plain)
    count, _, plus = dice_of(distance_of(state, unit))
    return Run(count, plus, "t9a.rule.random-movement.distance")


@step
def move(battle: Battle[State], key: str) -> Steps[None]:
    """The owner chooses the direction before the distance is rolled (t9a.rule.random-movement.direction)."""
    state = battle.state
    unit = state.unit(key)
    answer = yield Face(
        unit.side,
        "ask.random-direction",
        lambda a: [],
        lambda rng: round(rng.uniform(0, 360), 1),
        "t9a.rule.random-movement.direction",
        key,
        default=unit.facing,
    )
    distance = pursuit.roll_distance(battle, unit, "random-move")
    unit.moved = True
    for member in unit.members:
        state.pools[member].moved = "random"
    battle.emit(
        "random-move", "t9a.rule.random-movement.move", "t9a.rule.random-movement.direction",
        "t9a.def.profile.random-mobility", unit=key, inches=distance,
    )  # fmt: skip
    battle.push(pursuit.advance, key, float(answer) % 360.0, distance, "random")
