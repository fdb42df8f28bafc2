"""The Rally Phase."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Face, Option
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step

from . import fleeing, psychology, rearranging, reforming
from .characteristics import mobility
from .formation import box, centre, facing_of, pivot
from .model_rules import every
from .spacing import distance
from .state import State, Unit


def rally_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit takes no Rally Test (t9a.rally.test)."""
    facts = {"unit": unit.id}
    if not unit.shaken:
        yield Reason("t9a.rally.test", "reason.t9a.not-shaken", facts)
    if state.engaged(unit.id):
        yield Reason("t9a.rally.test", "reason.t9a.is-engaged", {**facts, "others": state.foes(unit.id)})
    if unit.moved:
        yield Reason("t9a.rally.test", "reason.t9a.has-tested", facts)


def rallies_by_rule(state: State, unit: Unit) -> bool:
    """Who feigned its flight and has not fled since rallies without a roll (t9a.rule.feigned-flight.rally)."""
    feigned = unit.by_choice and every(state, unit, "t9a.rule.feigned-flight")
    return feigned and state.applies("t9a.rule.feigned-flight.rally")


@step
def phase(battle: Battle[State]) -> Steps[None]:
    """Each shaken unit that is not engaged tests, in the order its player likes (t9a.rally.test)."""
    state = battle.state
    todo = [u for u in state.table(state.active) if next(rally_objections(state, u), None) is None]
    if not todo:
        return
    key = todo[0].id
    if len(todo) > 1:
        options = [Option(u.id, None, (u.id,)) for u in todo]
        key = yield Choose(state.active, "ask.rally", options, "t9a.rally.test")
    battle.plan((rally, key), phase)


@step
def rally(battle: Battle[State], key: str) -> Steps[None]:
    state = battle.state
    unit = state.unit(key)
    unit.moved = True
    if rallies_by_rule(state, unit):
        battle.emit("rallied", "t9a.rule.feigned-flight.rally", "t9a.rally.pass", unit=key)
        passed = True
    else:
        passed = psychology.take_test(battle, unit, "rally", "t9a.rally.test")
        if passed:
            battle.emit("rallied", "t9a.rally.pass", unit=key)
    if passed:
        if state.applies("t9a.rally.pass"):
            unit.shaken = unit.by_choice = False
        yield from turn(battle, unit)
        return
    foe = yield from nearest(battle, unit)
    if not fleeing.ready(battle, unit):
        return
    ax, ay = centre(state, unit)
    heading = unit.facing
    if foe is not None:
        fx, fy = centre(state, foe)
        heading = facing_of(ax - fx, ay - fy) if (ax, ay) != (fx, fy) else unit.facing
        rules = ("t9a.psych.flee.direction-rally", "t9a.def.unit-centre")
        battle.emit("flee-direction", *rules, unit=key, degrees=round(heading, 1))
    inches = fleeing.roll_distance(battle, unit, False)
    fleeing.flee(battle, unit, heading, inches, "t9a.rally.fail")


def turn(battle: Battle[State], unit: Unit) -> Steps[None]:
    """A rallied unit may pivot (t9a.rally.pass)."""
    state = battle.state
    here = box(state, unit)

    answer = yield Face(
        unit.side,
        "ask.rally-pivot",
        lambda facing: reforming.turn_reasons(state, unit, float(facing)),
        lambda rng: round(rng.uniform(0, 360), 1),
        "t9a.rally.pass",
        unit.id,
        default=unit.facing,
    )
    if not reforming.stays(unit, float(answer)):
        at, starts = pivot(here, float(answer) - unit.facing), rearranging.spots(state, unit)
        unit.x, unit.y, unit.facing = at.x, at.y, float(answer) % 360.0
        battle.emit("pivoted", "t9a.rally.pass", "t9a.move.pivot.centre", unit=unit.id, facing=unit.facing)
        yield from rearranging.rearrange(battle, unit, "pivot", starts, 2 * mobility(state, unit))


def nearest(battle: Battle[State], unit: Unit) -> Steps[Unit | None]:
    """The nearest enemy that is not shaken; of equally near ones the opponent chooses
    (t9a.psych.flee.direction-rally)."""
    state = battle.state
    foes = [u for u in state.table(1 - unit.side) if not u.shaken] or state.table(1 - unit.side)
    if not foes:
        return None
    gaps = {foe.id: round(distance(state, unit, foe), 4) for foe in foes}
    least = min(gaps.values())
    near = [foe for foe in foes if gaps[foe.id] <= least + 1e-4]
    if len(near) == 1:
        return near[0]
    options = [Option(foe.id, None, (foe.id,)) for foe in near]
    answer = yield Choose(1 - unit.side, "ask.flee-from", options, "t9a.psych.flee.direction-rally", unit.id)
    return state.unit(answer)
