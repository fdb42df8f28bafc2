"""The Morale phase: tests, Combat Attrition, coherency checks (morale.*, terrain.trait.inspiring)."""

from __future__ import annotations

from umpire.engine.decisions import Choose, Option
from umpire.engine.effects import Effect, Number
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.abilities import HOOKS, Asking, changed
from umpire.games.wh40k.allocation import pick_lost
from umpire.games.wh40k.characteristics import number
from umpire.games.wh40k.damage import slay
from umpire.games.wh40k.measuring import within
from umpire.games.wh40k.primitives import TRAIT
from umpire.games.wh40k.state import Feature, State, Unit, WhBattle
from umpire.games.wh40k.stratagems import offer
from umpire.games.wh40k.units import below_half, by_turns, coherent
from umpire.miniatures.loose.bodies import base
from umpire.space.measure import furthest
from umpire.space.shapes import TOLERANCE, Prism
from umpire.text import Text

INSPIRING = 6.0


# -- Leadership ----------------------------------------------------------------------------------------------------


def inspired(state: State, unit: Unit, feature: Feature) -> bool:
    """wh40k.terrain.trait.inspiring: wholly within 6 inches; with a keyword in brackets only units that have it."""
    if feature.keyword and not unit.has(feature.keyword) and state.applies("wh40k.terrain.trait.inspiring.keyword"):
        return False
    return near_stone(unit, feature)


def near_stone(unit: Unit, feature: Feature) -> bool:
    """Is all of the unit within 6 inches of a feature?"""
    if (unit.cx - feature.x) ** 2 + (unit.cy - feature.y) ** 2 > (INSPIRING + feature.r + unit.cr) ** 2:
        return False
    stone = Prism(feature.points)
    return all(furthest(base(m), stone) <= INSPIRING + TOLERANCE for m in unit.models)


def uninspired(state: State, unit: Unit) -> tuple[str, ...]:
    """wh40k.terrain.trait.inspiring.keyword: does it stand by something that inspires others?"""
    rule = "wh40k.terrain.trait.inspiring.keyword"
    for feature in state.terrain:
        other = feature.has("inspiring") and feature.keyword and not unit.has(feature.keyword)
        if other and state.applies(rule) and near_stone(unit, feature):
            return (rule,)
    return ()


@HOOKS.changes("ld")
def _inspiring(asking: Asking) -> Effect | None:
    state, unit = asking.state, asking.unit
    if unit.where != "table" or not state.applies("wh40k.terrain.trait.inspiring"):
        return None
    for feature in state.terrain:
        if feature.has("inspiring") and inspired(state, unit, feature):
            return Effect(unit.id, "ld", "add", 1, "wh40k.terrain.trait.inspiring", stacks=True)
    return None


@HOOKS.changes("ld")
def _inspiring_leader(asking: Asking) -> Effect | None:
    """wh40k.warlord.inspiring-leader: units within 6 inches of the model that is the warlord, its own included."""
    state, unit = asking.state, asking.unit
    if unit.where != "table" or not state.applies("wh40k.warlord.inspiring-leader"):
        return None
    for other in state.army(unit.side):
        if not other.warlord or not any(gift.id == TRAIT and not gift.does for gift in other.gifts):
            continue
        leader = next((m for m in other.models if m.id == other.warlord), None)
        off = other.action and state.applies("wh40k.action.aura-off")
        if leader is not None and not off and any(within(leader, m, INSPIRING) for m in unit.models):
            return Effect(unit.id, "ld", "add", 1, "wh40k.warlord.inspiring-leader", stacks=True)
    return None


def leadership(state: State, unit: Unit) -> Number:
    """wh40k.morale.test.leadership: the highest in the unit, after modifiers."""
    rows = {m.row: m for m in unit.models}
    return max((number(state, unit, m, "ld") for m in rows.values()), key=lambda found: found.total)


# -- tests ---------------------------------------------------------------------------------------------------------


def losses(unit: Unit) -> int:
    """Models lost this turn that have not come back (wh40k.morale.revived.some)."""
    return len(unit.died)


def must_test(state: State, unit: Unit) -> bool:
    """wh40k.morale.test.trigger: it lost a model this turn, and has not tested (wh40k.morale.test.once)."""
    if unit.where != "table" or not losses(unit) or not state.applies("wh40k.morale.test.trigger"):
        return False
    return "tested" not in unit.acts or not state.applies("wh40k.morale.test.once")


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
    mine = by_turns(state, waiting)
    key, side = mine[0].id, mine[0].side
    if len(waiting) > 1:
        battle.emit("test-order", "wh40k.morale.test.order", side=Text(f"side.{side}"))
    if len(mine) > 1:
        options = [Option(u.id, None, (u.id,)) for u in mine]

        def refuse(wish: str) -> list[Reason]:
            unit = state.units.get(wish)
            if unit is None:
                return []
            rule = "wh40k.morale.test.once" if "tested" in unit.acts else "wh40k.morale.test.trigger"
            return [Reason(rule if unit.side == side else "wh40k.morale.test.order", "", {"unit": wish})]

        key = yield Choose(side, "ask.morale", options, "wh40k.morale.test.order", "", refuse)
    state.picker = 1 - side
    battle.plan((morale_test, key), morale_tests)


@step
def morale_test(battle: WhBattle, key: str) -> Steps[None]:
    """wh40k.morale.test.roll: a die and the losses, against the highest Leadership."""
    state = battle.state
    unit = state.unit(key)
    unit.act("tested")
    passes = HOOKS.granted(state, unit, "auto-pass")
    doomed = HOOKS.granted(state, unit, "auto-fail")
    ld = leadership(state, unit)
    lost = losses(unit)
    worth = lost + 6 > ld.total or doomed
    if not passes and worth and (yield from offer(battle, unit.side, "insane-bravery", [unit])):
        passes = "wh40k.stratagem.insane-bravery"
    if passes and not (doomed and not state.applies("wh40k.morale.priority.auto-pass")):
        both = ("wh40k.morale.priority.auto-pass",) if doomed else ()
        battle.emit("bravery", *dict.fromkeys((passes, *both)), unit=key)
        return
    if doomed:
        passed, result = False, 0
    else:
        most = max(1, int(ld.total - lost))  # a natural 1 always passes
        roll = battle.roll(1, "morale", "wh40k.morale.test.roll", side=unit.side, who=key, need=-most)
        face = roll.faces[0]
        result = face + lost
        lucky = face == 1 and state.applies("wh40k.morale.test.natural-1")
        passed = result <= ld.total or lucky
        rule = "wh40k.morale.test.natural-1" if lucky and result > ld.total else "wh40k.morale.test.leadership"
        rules = (rule, "wh40k.morale.test.trigger", *(ld.rules[:1] or uninspired(state, unit)))
        battle.emit("morale", *rules, unit=key, result=result, leadership=int(ld.total))
    if not passed:
        yield from failed(battle, unit)


def failed(battle: WhBattle, unit: Unit) -> Steps[None]:
    """One model flees; then come Combat Attrition tests for those that are left."""
    state = battle.state
    more = changed(Asking(state, "flee", 0, unit)).total
    if HOOKS.granted(state, unit, "no-flee"):
        battle.emit("nobody-flees", "wh40k.morale.priority.no-flee", unit=unit.id)
        if not more or state.applies("wh40k.morale.priority.no-flee"):
            return
    first = 1 if state.applies("wh40k.morale.fail.one-flees") else 0
    yield from flee(battle, unit, first + int(more), "wh40k.morale.fail.one-flees")
    if unit.where != "table" or not state.applies("wh40k.morale.attrition.when"):
        return
    low = below_half(state, unit) and state.applies("wh40k.morale.attrition.below-half")
    worst = 2 if low else 1
    roll = battle.roll(
        len(unit.models), "attrition", "wh40k.morale.attrition.roll", side=unit.side, who=unit.id, need=worst + 1
    )
    count = sum(face <= worst for face in roll.faces)
    rules = ("wh40k.morale.attrition.below-half", "wh40k.unit.below-half-strength") if low else ()
    battle.emit("attrition", "wh40k.morale.attrition.when", *rules, unit=unit.id, count=count)
    if count:
        yield from flee(battle, unit, count, "wh40k.morale.attrition.roll")


def flee(battle: WhBattle, unit: Unit, count: int, rule: str) -> Steps[None]:
    """The owner picks who flees; such models count as destroyed and trigger nothing."""
    count = min(count, len(unit.models))
    if not count:
        return
    if count == len(unit.models):
        keys = [m.id for m in unit.models]
    else:
        keys = yield from pick_lost(battle, unit, unit.models, count, False, rule)
    quiet = battle.state.applies("wh40k.morale.fled.destroyed-no-trigger")
    battle.emit("fled", rule, "wh40k.morale.fled.destroyed-no-trigger", unit=unit.id, models=keys)
    yield from slay(battle, unit, keys, "flight", fled=quiet)


# -- coherency -----------------------------------------------------------------------------------------------------


@step
def coherency_checks(battle: WhBattle) -> Steps[None]:
    """wh40k.morale.coherency.check: every unit of both sides loses models until it hangs together."""
    state = battle.state
    if not state.applies("wh40k.morale.coherency.check"):
        return
    for unit in list(state.units.values()):
        if unit.where == "table" and not coherent(state, unit.models):
            battle.emit("scattered", "wh40k.morale.phase.steps", unit=unit.id)
        while unit.where == "table" and not coherent(state, unit.models):
            keys = yield from pick_lost(battle, unit, unit.models, 1, False, "wh40k.morale.coherency.check")
            counted = not state.applies("wh40k.morale.coherency.no-morale")
            quiet = state.applies("wh40k.morale.coherency.no-trigger")
            battle.emit(
                "stray", "wh40k.morale.coherency.check", "wh40k.morale.coherency.no-morale",
                "wh40k.morale.coherency.no-trigger", unit=unit.id, models=keys,
            )  # fmt: skip
            yield from slay(battle, unit, keys, "", fled=quiet, counted=counted)
