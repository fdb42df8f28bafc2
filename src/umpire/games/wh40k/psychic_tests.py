"""Psychic tests, Perils of the Warp, Deny the Witch tests (psychic.test*, psychic.perils*, psychic.deny*)."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.engine import usage
from umpire.engine.decisions import Choose, Option
from umpire.engine.dice import Roll
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps
from umpire.games.wh40k.abilities import Asking, changed, held, rerolls, result, rounded
from umpire.games.wh40k.damage import harmed, in_turn, random_mortal_wounds
from umpire.games.wh40k.dice import CAP, test_of_two
from umpire.games.wh40k.measuring import true_gap, within
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.text import Text

SMITE = "smite"
DENY_RANGE = 24.0
BURST = 6.0


def label(state: State, power: str) -> Text | dict[str, str]:
    if power == SMITE:
        return Text("power.smite")
    entry = state.lore.powers.get(power) or state.lore.tasks[power]
    return entry.name


def psychic_test(battle: WhBattle, unit: Unit, charge: int) -> Steps[tuple[int, bool, tuple[str, ...]]]:
    """2D6 with re-rolls, then Perils by the dice as they lie, then modifiers; the result, does the Psyker live, and by
    what rules it was modified."""
    state = battle.state
    query = Asking(state, "psychic", 0, unit)
    given = rerolls(query, "psychic")
    rule = "wh40k.psychic.test"
    roll = yield from test_of_two(
        battle, unit, "psychic", rule, charge, given, lambda r: modified(state, query, r) < charge
    )
    total = modified(state, query, roll)
    more = modified_by(state, query, roll, total)
    a, b = roll.faces
    if a != b or a not in (1, 6) or not state.applies("wh40k.psychic.perils"):
        return total, True, more
    alive = yield from perils(battle, unit)
    if alive:
        battle.emit("perils-survived", "wh40k.psychic.perils-survived", unit=unit.id, result=total)
    return total, alive, more


def modified(state: State, query: Asking, roll: Roll) -> int:
    """The result of a test: all modifiers, without a limit, and those of a roll that was rolled again as well."""
    if any(roll.first) and not state.applies("wh40k.dice.modifiers-carry-to-reroll"):
        return roll.natural
    query.base = roll.natural
    query.what = roll.purpose
    total = result(query)
    if not state.applies("wh40k.dice.other-rolls-uncapped"):
        total = max(roll.natural - 1, min(roll.natural + 1, total))
    return total


def modified_by(state: State, query: Asking, roll: Roll, total: int) -> tuple[str, ...]:
    """The rules by which the result of a test differs from its dice."""
    if total == roll.natural:
        return ()
    query.base, query.what = roll.natural, roll.purpose
    rules = rounded(state, changed(query))[1]
    if abs(total - roll.natural) > CAP:
        return ("wh40k.dice.other-rolls-uncapped", *rules)
    return ("wh40k.dice.modifiers-carry-to-reroll", *rules) if any(roll.first) else rules


def perils(battle: WhBattle, unit: Unit) -> Steps[bool]:
    """wh40k.psychic.perils: D3 mortal wounds; does the Psyker live? Its end harms everybody near the last model."""
    state = battle.state
    before = unit.models
    yield from random_mortal_wounds(battle, unit, "D3", "", unit.side, "wh40k.psychic.perils")
    if unit.where == "table":
        return True
    if not state.applies("wh40k.psychic.perils-destroyed"):
        return False
    last = before[-1]
    if len(before) > 1 and state.applies("wh40k.psychic.multi-model-perils"):
        options = [Option(m.id, None, (m.id,)) for m in before]
        key = yield Choose(
            unit.side, Text("ask.last-model", {"unit": unit.id}), options, "wh40k.psychic.multi-model-perils"
        )
        last = next(m for m in before if m.id == key)
    near = [u for u in harmed(state) if any(within(last, m, BURST) for m in u.models)]
    rules = ("wh40k.psychic.multi-model-perils",) if unit.starting > 1 else ()
    battle.emit("perils-burst", "wh40k.psychic.perils-destroyed", *rules, unit=unit.id, units=[u.id for u in near])
    for other in (yield from in_turn(battle, near)):
        yield from random_mortal_wounds(battle, other, "D3", "", unit.side, "wh40k.psychic.perils-destroyed")
    return False


def denier(state: State, unit: Unit) -> bool:
    psychic = unit.sheet.psychic
    if psychic is None or not psychic.denies:
        return False
    return unit.has("psyker") or (psychic.as_if and state.applies("wh40k.psychic.non-psyker"))


def deny_objections(state: State, unit: Unit, model: Model) -> Iterator[Reason]:
    facts = {"unit": unit.id}
    psychic = unit.sheet.psychic
    if psychic is None or not denier(state, unit):
        yield Reason("wh40k.psychic.deny", "reason.wh40k.no-psyker", facts)
        return
    if usage.count(state, "deny", "phase", unit.id) >= psychic.denies:
        yield Reason("wh40k.psychic.deny-limit", "", facts)
    if "oversized" in unit.marks:
        yield Reason("wh40k.reserves.oversized.limits", "", facts)
    if not any(within(m, model, DENY_RANGE) for m in unit.models):
        gap = min((true_gap(m, model) for m in unit.models), default=0.0)
        yield Reason("wh40k.psychic.deny", "reason.wh40k.deny-range", {**facts, "gap": round(gap, 3)})


def undeniable(state: State, unit: Unit, power: str) -> bool:
    """wh40k.psychic.cannot-be-denied: nothing denies or cancels such a power."""
    if not state.applies("wh40k.psychic.cannot-be-denied"):
        return False
    entry = state.lore.powers.get(power)
    return (entry is not None and entry.undeniable) or bool(held(state, unit, "no-deny"))


def deny(battle: WhBattle, unit: Unit, model: Model, result: int, power: str) -> Steps[bool]:
    """One attempt at most: 2D6, and only more than the test denies (wh40k.psychic.deny-once)."""
    state = battle.state
    side = 1 - unit.side
    if undeniable(state, unit, power):
        battle.emit("undeniable", "wh40k.psychic.cannot-be-denied", unit=unit.id, power=label(state, power))
        return False
    if not state.applies("wh40k.psychic.deny"):
        return False
    tried: list[str] = []
    while True:
        able = [
            u
            for u in state.army(side)
            if u.id not in tried and next(standing(state, deny_objections(state, u, model)), None) is None
        ]
        if not able:
            return False
        options = [Option(u.id, None, (u.id,)) for u in able] + [Option("pass", Text("option.pass"), passes=True)]

        def refuse(wish: str) -> list[Reason]:
            other = state.units.get(wish)
            if other is None:
                return []
            if other.side != side:
                return [Reason("wh40k.unit.friend-enemy", "", {"unit": wish})]
            if other.where != "table":
                return [Reason("wh40k.core.on-the-battlefield", "", {"unit": wish})]
            return list(deny_objections(state, other, model))

        prompt = Text("ask.deny", {"unit": unit.id, "result": result})
        key = yield Choose(side, prompt, options, "wh40k.psychic.deny", unit.id, refuse)
        if key == "pass":
            return False
        tried.append(key)
        if (yield from deny_test(battle, state.unit(key), result)):
            return True
        if state.applies("wh40k.psychic.deny-once"):
            return False


def deny_test(battle: WhBattle, unit: Unit, against: int) -> Steps[bool]:
    state = battle.state
    usage.spend(state, "deny", "phase", unit.id)
    query = Asking(state, "deny", 0, unit)
    given = rerolls(query, "deny")
    rule = "wh40k.psychic.deny"
    roll = yield from test_of_two(
        battle, unit, "deny", rule, against + 1, given, lambda r: modified(state, query, r) <= against
    )
    total = modified(state, query, roll)
    denied = total > against
    more = modified_by(state, query, roll, total)
    rules = ("wh40k.psychic.deny", *(more[:1] or ("wh40k.psychic.deny-once",)))
    battle.emit("denied" if denied else "not-denied", *rules, unit=unit.id, result=total, against=against)
    return denied
