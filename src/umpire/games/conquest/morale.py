"""Chapter 6: Resolve, Morale Tests, Broken and Shattered (conquest.morale.*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.steps import Steps
from umpire.rulebook.deciding import decides

from . import dice, hooks, wounds
from .state import Regiment, State


class Resolve(NamedTuple):
    """The Resolve a regiment tests on, and the rules that made it so."""

    value: float
    rules: tuple[str, ...]


def size_bonus(stands: int) -> int:
    """conquest.morale.resolve-size-bonus"""
    return 0 if stands <= 3 else 1 if stands <= 6 else 2 if stands <= 9 else 3


@decides("conquest.profile.unmodified")
def resolve(
    battle: Battle[State], regiment: Regiment, context: str, foe: Regiment | None = None, source: str = ""
) -> Resolve:
    """The highest Resolve among the stands present, with modifiers; a Broken regiment's is unmodified."""
    state = battle.state
    own = hooks.characteristic(battle, regiment, "resolve", None, context, foe=foe, source=source)
    best, unmodified, rules = own.total, regiment.profile.resolve, own.rules
    cited = ["conquest.morale.resolve-highest"]
    if regiment.character:
        character = state.characters[regiment.character]
        his = hooks.characteristic(
            battle, regiment, "resolve", None, context, foe=foe, source=source, character=character
        )
        unmodified = max(unmodified, character.profile.resolve)
        if his.total > best:
            best, rules = his.total, his.rules
    if regiment.broken and state.applies("conquest.morale.broken.unmodified-resolve"):
        return Resolve(unmodified, (*cited, "conquest.morale.broken.unmodified-resolve"))
    if context == "morale" or state.options.resolve_size_bonus == "every-resolve-roll":
        bonus = size_bonus(len(regiment.stands))
        if bonus:
            return Resolve(best + bonus, (*cited, *rules, "conquest.morale.resolve-size-bonus"))
    return Resolve(best, (*cited, *rules))


def resolve_roll(
    battle: Battle[State], regiment: Regiment, context: str, cite: str, foe: Regiment | None = None
) -> bool:
    """One die against the highest Resolve: Combat Reform, Withdraw, Bloodlust, Fearsome."""
    needed = resolve(battle, regiment, context, foe)
    roll = battle.roll(1, context, cite, side=regiment.side, who=regiment.id, need=-int(min(5, max(1, needed.value))))
    passed = dice.succeeds(roll.faces[0], needed.value)
    shown = dice.rules_shown(roll.faces, needed.value)
    if not passed and battle.state.options.indomitable == "every-resolve-roll":
        query = hooks.Query(battle.state, regiment, "resolve", needed.value, context, foe)
        spared, why = hooks.extra(query, "morale-spared", roll.faces)
        passed, shown = spared > 0, (*shown, *why)
    battle.emit("resolve-roll", cite, *needed.rules, *shown, regiment=regiment.id, resolve=needed.value, passed=passed)
    return passed


def test_rerolls(query: hooks.Query) -> tuple[list[hooks.Reroll], str]:
    """The re-rolls of a Morale Test, and the rule that spares it those of a flank or rear attack."""
    found = hooks.rerolls(query, "morale")
    spell = query.context == "spell" and not query.state.applies("conquest.magic.no-flank-bonus")
    if query.side == "front" or not (spell or query.context in ("clash", "impact")):
        return found, ""
    spared = hooks.granted(query.state, query.regiment, "no-flank-morale")
    if not spared and query.state.applies("conquest.clash.flank-rear"):
        found.append(hooks.Reroll("successes", "conquest.clash.flank-rear"))
    return found, spared


def failed_test(query: hooks.Query, failed: Sequence[int]) -> tuple[int, int, tuple[str, ...]]:
    """Of these morale dice: the failures that count, the wounds they cost, and the rules that changed either."""
    spared, spared_rules = hooks.extra(query, "morale-spared", failed)
    failures = len(failed) - min(spared, len(failed))
    fewer, fewer_rules = hooks.extra(query, "morale-wounds", failed[:failures])
    return failures, max(0, failures + fewer), (*spared_rules, *fewer_rules)


def check(
    battle: Battle[State],
    regiment: Regiment,
    count: int,
    foe: Regiment | None = None,
    context: str = "",
    side: str = "front",
    *rules: str,
) -> Steps[None]:
    """A Morale Test: a die for each wound allocated; each failure is a further wound, which causes no further test."""
    if count <= 0 or not regiment.stands or regiment.where == "gone":
        return
    state = battle.state
    needed = resolve(battle, regiment, "morale", foe, context)
    roll = battle.roll(
        count,
        "morale",
        "conquest.morale.test.roll",
        side=regiment.side,
        who=regiment.id,
        need=-int(min(5, max(1, needed.value))),
    )
    battle.emit(
        "morale-test",
        "conquest.morale.test.when",
        *needed.rules,
        *rules,
        regiment=regiment.id,
        dice=count,
        resolve=needed.value,
    )
    query = hooks.Query(state, regiment, "resolve", needed.value, context, foe, side=side)
    found, spared = test_rerolls(query)
    if spared:
        battle.emit("no-flank-morale", spared, regiment=regiment.id)
    if found:
        good = [dice.succeeds(face, needed.value) for face in roll.faces]
        roll = yield from dice.rerolled(battle, roll, good, found, regiment.side)
    failed = [face for face in roll.faces if not dice.succeeds(face, needed.value)]
    if not failed:
        return
    failures, extra, why = failed_test(query, failed)
    battle.emit(
        "morale-failed",
        "conquest.morale.test.wounds-allocated",
        *why,
        regiment=regiment.id,
        failed=failures,
        wounds=extra,
    )
    more = yield from wounds.suffer(battle, regiment, extra, foe.id if foe else "")
    if not state.applies("conquest.morale.test.no-recursion"):
        yield from check(battle, regiment, more, foe, context, side, *rules)


# -- Broken and Shattered ------------------------------------------------------------------------------------------


def break_regiment(battle: Battle[State], regiment: Regiment, *rules: str) -> Steps[bool]:
    """The regiment becomes Broken, unless something keeps it from that."""
    if regiment.broken or regiment.where == "gone":
        return False
    spared = hooks.granted(battle.state, regiment, "never-broken")
    if spared:
        battle.emit("not-broken", spared, *rules, regiment=regiment.id)
        return False
    regiment.broken = True
    regiment.broken_from = len(regiment.stands)
    regiment.broken_lost = 0
    battle.emit("broken", *rules, regiment=regiment.id)
    yield from hooks.moment(battle, "broken", regiment)
    return True


def half_lost(lost: int, start: int) -> bool:
    return lost * 2 >= start > 1


def after_loss(battle: Battle[State], regiment: Regiment) -> Steps[None]:
    """Half of the stands of the start of the round are lost: Broken at once (conquest.morale.broken.trigger)."""
    if not regiment.broken and half_lost(regiment.round_lost, regiment.round_start):
        yield from break_regiment(battle, regiment, "conquest.morale.broken.trigger")


def is_shattered(regiment: Regiment) -> bool:
    """Broken, and half of the stands it still had are lost in this round (conquest.morale.shattered.trigger)."""
    return regiment.broken and regiment.broken_lost > 0 and regiment.broken_lost * 2 >= regiment.broken_from


def shatter(battle: Battle[State], regiment: Regiment, foe: str) -> Steps[None]:
    if not battle.state.applies("conquest.morale.shattered.effect"):
        return
    rules = ["conquest.morale.shattered.trigger", "conquest.morale.shattered.effect"]
    if regiment.broken_from + regiment.round_lost - regiment.broken_lost == regiment.round_start:
        rules.append("conquest.morale.shattered.same-effect")
    battle.emit("shattered", *rules, regiment=regiment.id)
    yield from wounds.destroy(battle, regiment, foe)


def rally(battle: Battle[State], regiment: Regiment, *rules: str) -> None:
    """The regiment stops being Broken (conquest.morale.broken.recover)."""
    regiment.broken = False
    regiment.broken_from = regiment.broken_lost = 0
    battle.emit("rallied", "conquest.morale.broken.recover", *rules, regiment=regiment.id)
