"""The Morale phase: tests, Combat Attrition, coherency checks (morale.*)."""

from __future__ import annotations

from umpire.engine.decisions import Choose, Option
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.characteristics import leadership
from umpire.games.wh40k.damage import pick_lost, slay
from umpire.games.wh40k.state import State, Unit, WhBattle
from umpire.games.wh40k.units import below_half, coherent


def must_test(state: State, unit: Unit) -> bool:
    """wh40k.morale.test.trigger: it lost a model this turn, and has not tested (wh40k.morale.test.once)."""
    return unit.where == "table" and bool(unit.died) and "tested" not in unit.acts


@step
def morale_phase(battle: WhBattle) -> None:
    """wh40k.morale.phase.steps: tests, then coherency."""
    battle.state.picker = battle.state.active
    battle.plan(morale_tests, coherency_checks)


@step
def morale_tests(battle: WhBattle) -> Steps[None]:
    """wh40k.morale.test.order: by turns, the active player first."""
    state = battle.state
    waiting = [u for u in state.units.values() if must_test(state, u)]
    if not waiting:
        return
    side = state.picker
    mine = [u for u in waiting if u.side == side]
    if not mine:
        side = 1 - side
        mine = [u for u in waiting if u.side == side]
    key = mine[0].id
    if len(mine) > 1:
        options = [Option(u.id, None, (u.id,)) for u in mine]
        key = yield Choose(side, "ask.morale", options, "wh40k.morale.test.order")
    state.picker = 1 - side
    battle.plan((morale_test, key), morale_tests)


@step
def morale_test(battle: WhBattle, key: str) -> Steps[None]:
    """wh40k.morale.test.roll: a die and the losses, against the highest Leadership."""
    state = battle.state
    unit = state.unit(key)
    unit.act("tested")
    losses = len(unit.died)
    ld = leadership(state, unit)
    roll = battle.roll(1, "morale", "wh40k.morale.test.roll", side=unit.side, who=key, need=-(ld - losses))
    face = roll.faces[0]
    passed = face + losses <= ld or (face == 1 and state.applies("wh40k.morale.test.natural-1"))
    rule = "wh40k.morale.test.natural-1" if passed and face + losses > ld else "wh40k.morale.test.leadership"
    battle.emit("morale", rule, unit=key, result=face + losses, leadership=ld, passed=passed)
    if passed:
        return
    yield from flee(battle, unit, 1, "wh40k.morale.fail.one-flees")
    if unit.where != "table":
        return
    low = below_half(unit) and state.applies("wh40k.morale.attrition.below-half")
    worst = 2 if low else 1
    roll = battle.roll(
        len(unit.models), "attrition", "wh40k.morale.attrition.roll", side=unit.side, who=key, need=worst + 1
    )
    count = sum(face <= worst for face in roll.faces)
    rules = ("wh40k.morale.attrition.below-half",) if low else ()
    battle.emit("attrition", "wh40k.morale.attrition.roll", *rules, unit=key, count=count)
    if count:
        yield from flee(battle, unit, count, "wh40k.morale.attrition.roll")


def flee(battle: WhBattle, unit: Unit, count: int, rule: str) -> Steps[None]:
    """The owner picks who flees; such models count as destroyed and trigger nothing."""
    count = min(count, len(unit.models))
    if count == len(unit.models):
        keys = [m.id for m in unit.models]
    else:
        keys = yield from pick_lost(battle, unit, unit.models, count, False, rule)
    battle.emit("fled", rule, "wh40k.morale.fled.destroyed-no-trigger", unit=unit.id, models=keys)
    yield from slay(battle, unit, keys, "flight", fled=True)


@step
def coherency_checks(battle: WhBattle) -> Steps[None]:
    """wh40k.morale.coherency.check: every unit of both sides loses models until it hangs together."""
    state = battle.state
    for unit in list(state.units.values()):
        while unit.where == "table" and not coherent(unit.models):
            keys = yield from pick_lost(battle, unit, unit.models, 1, False, "wh40k.morale.coherency.check")
            battle.emit("stray", "wh40k.morale.coherency.check", unit=unit.id, models=keys)
            yield from slay(battle, unit, keys, "", fled=True, counted=False)
