"""Abilities of datasheets, traits, relics and detachments, and the auras that reach a unit (core.aura, turn.*).

Chapters ask `HOOKS`; what a special rule does is registered here and in the chapters that it belongs to.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine import effects
from umpire.engine.effects import STANDARD, Change, Effect, Number, Order
from umpire.engine.rulings import Reason
from umpire.games.wh40k.measuring import apart, units_near
from umpire.games.wh40k.profiles import Ability, Does, Profile
from umpire.games.wh40k.state import Model, State, Unit
from umpire.miniatures.special import Reroll, SpecialRules, Words

NUMBERS = (
    "m", "ws", "bs", "s", "t", "a", "ld", "sv", "ap", "d", "hit", "wound", "save", "armour", "invulnerable", "charge",
    "advance", "psychic", "deny", "attacks", "flee", "range",
)  # fmt: skip
ROLLS = ("hit", "wound", "save", "damage", "attacks", "charge", "advance", "psychic", "deny")
GRANTS = (
    "fights-first", "fights-last", "fight-again", "shoot-again", "overwatch", "intervene", "auto-pass", "auto-fail",
    "no-flee", "fall-back-shoot", "fall-back-charge", "advance-charge", "assault-free", "cover", "cover-more",
    "always-hits", "only-hit", "always-wounds", "only-wounded", "auto-wound", "auto-hit", "through-models", "no-deny",
    "negates",
)  # fmt: skip
MOMENTS = ("command", "end-of-phase", "round", "slain", "fights-over")
OF_DICE = ("hit", "wound", "save", "armour", "invulnerable", "charge", "advance", "psychic", "deny", "attacks", "flee")
"""Numbers that are modifiers of rolls; the others are characteristics."""
ADD_FIRST: Order = ("set", "add", "multiply", "minimum", "cap")
LASTING = "ability"
"""What an effect is that gives a unit an ability for a time."""


class Asking(msgspec.Struct):
    """Whose number is asked, and in what situation: an attack has a weapon and a foe, and is ranged or melee."""

    state: State
    what: str
    base: float
    unit: Unit
    model: Model | None = None
    foe: Unit | None = None
    profile: Profile | None = None
    defending: bool = False

    @property
    def whom(self) -> tuple[str, ...]:
        return (self.unit.id,)

    def holders(self) -> Iterable[tuple[str, Sequence[Does]]]:
        yield "own", rules_of(self.state, self.unit)
        if self.foe is not None:
            yield "foe", rules_of(self.state, self.foe)


def rules_of(state: State, unit: Unit) -> list[Does]:
    """All special rules that a unit has now: its own, those of auras that reach it, those given for a time."""
    found: list[Does] = []
    for ability in unit.sheet.abilities:
        if not ability.range:
            found += ability.does
    for ability in unit.gifts:
        if not ability.range:
            found += ability.does
    if state.bearers and unit.where == "table":
        found += reached(state, unit)
    if state.effects:
        for effect in effects.on(state, unit.id, LASTING):
            found += [msgspec.convert(does, Does) for does in effect.data["does"]]
    return found


def reached(state: State, unit: Unit) -> Iterator[Does]:
    """wh40k.core.aura: every aura that reaches the unit; the same aura does not count twice."""
    if not state.applies("wh40k.core.aura"):
        return
    seen: list[str] = []
    once = state.options.auras == "once"
    for key in state.bearers:
        bearer = state.units[key]
        if bearer.where != "table" or (bearer.action and not aura_works(state, bearer)):
            continue
        for abilities in (bearer.sheet.abilities, bearer.gifts):
            for ability in abilities:
                reach = ability.range
                if not reach or (ability.id in seen and once) or (bearer is not unit and apart(bearer, unit, reach)):
                    continue  # most are too far away, which is told soonest
                if meant(state, ability, bearer, unit) and (bearer is unit or units_near(bearer, unit, reach)):
                    seen.append(ability.id)
                    yield from (_spread(does, reach_rule(ability, bearer, unit)) for does in ability.does)


@functools.cache
def _spread(does: Does, rule: str) -> Does:
    """The same rule, marked as coming from an aura."""
    return msgspec.structs.replace(does, aura=rule)


def reach_rule(ability: Ability, bearer: Unit, unit: Unit) -> str:
    """What decided that an aura is for this unit: that both made the same choice, that it has all the keywords, that it
    is a friend or an enemy; otherwise only that it is near enough."""
    if bearer is not unit:
        if any(word.startswith("<") for word in ability.keywords):
            return "wh40k.unit.keyword-selectable"
        if ability.keywords:
            return "wh40k.unit.keywords-equal"
        if ability.whom != "all":
            return "wh40k.unit.friend-enemy"
    return "wh40k.core.aura"


def aura_works(state: State, bearer: Unit) -> bool:
    """wh40k.action.aura-off: a Character that performs an action has no auras."""
    return not (bearer.action and bearer.has("character") and state.applies("wh40k.action.aura-off"))


def meant(state: State, ability: Ability, bearer: Unit, unit: Unit) -> bool:
    """Is this unit one that the aura speaks of? Who speaks of friends or enemies means only them."""
    told = ability.whom != "all" and state.applies("wh40k.unit.friend-enemy")
    if told and (bearer.side == unit.side) != (ability.whom == "friends"):
        return False
    for word in ability.keywords:
        if word.startswith("<"):
            same = any(choice in unit.chosen for choice in bearer.chosen)
            if not same and state.applies("wh40k.unit.keyword-selectable"):
                return False
        elif not unit.has(word) and state.applies("wh40k.unit.keywords-equal"):
            return False
    return True


HOOKS: SpecialRules[State, Unit, Does] = SpecialRules(
    "wh40k.", rules_of, words=Words(numbers=NUMBERS, rolls=ROLLS, grants=GRANTS, moments=MOMENTS)
)


# -- numbers and re-rolls that any ability may change ----------------------------------------------------------------


def fits(asking: Asking, held: Does) -> bool:
    """Does a change bear on this situation?"""
    if held.what != asking.what:
        return False
    if held.attacks and (asking.profile is None or asking.profile.melee != (held.attacks == "melee")):
        return False
    if held.against and (asking.foe is None or not asking.foe.has(held.against)):
        return False
    return not held.when or happening(asking.state, asking.unit, held.when)


CONDITIONS = ("charged", "stationary", "moved", "hurt", "engaged", "sheltered")


def happening(state: State, unit: Unit, when: str) -> bool:
    """Conditions that abilities name."""
    match when:
        case "charged":
            return "charged" in unit.marks
        case "stationary":
            return unit.move == "stationary"
        case "moved":
            return unit.move in ("normal", "advance", "fall-back")
        case "hurt":
            return bool(unit.dead) or any(m.wounds < unit.row(m).w for m in unit.models)
        case "engaged":
            return bool(unit.engaged)
        case "sheltered":
            return sheltered(state, unit)
    raise ValueError(f"no condition {when!r}")


def sheltered(state: State, unit: Unit) -> bool:
    """wh40k.terrain.term.benefits-of-cover: is every model in cover, whatever the terrain makes of it?"""
    from umpire.games.wh40k.cover import in_area

    return state.applies("wh40k.terrain.term.benefits-of-cover") and all(in_area(state, unit, m) for m in unit.models)


def modifiers(asking: Asking) -> Iterator[Effect]:
    """Every change that abilities of the unit, and of the one that it deals with, make to a number. All of them count:
    it is only the same aura that does not count twice."""
    for holder, rules in asking.holders():
        name = "modify" if holder == "own" else "burden"
        for rule in HOOKS.in_force(asking.state, rules):
            if rule.name == name and fits(asking, rule):
                cite = "wh40k.unit.set-value" if rule.op == "set" else "wh40k.core.precedence-faction"
                if rule.aura:
                    cite = rule.aura if asking.state.applies(rule.aura) else "wh40k.core.aura"
                elif rule.when == "sheltered":
                    cite = "wh40k.terrain.term.benefits-of-cover"
                yield Effect(asking.unit.id, rule.what, rule.op, rule.value, cite, stacks=True)


def changed(asking: Asking, more: Sequence[Effect] = ()) -> Number:
    """A number now, with every step of how it came about; `more`: what changes it beside abilities."""
    state = asking.state
    found = [*modifiers(asking), *HOOKS.effects_on(asking), *more]
    if not found and not state.effects:
        return Number(asking.base, asking.base)
    rule = "wh40k.dice.modifiers-combine" if asking.what in OF_DICE else "wh40k.unit.modifier-order"
    order = STANDARD if state.applies(rule) else ADD_FIRST
    number = effects.number(state, asking.whom, asking.what, asking.base, found, order)
    ops = {change.op for change in number.changes}
    if "multiply" in ops and "add" in ops and order is STANDARD:
        return noted(number, rule)
    return number


def noted(number: Number, *rules: str) -> Number:
    """The same number, with rules of arithmetic that had a say in it named first."""
    if not rules:
        return number
    notes = [Change("note", 0.0, rule, "", number.total) for rule in rules]
    return Number(number.base, number.total, (*notes, *number.changes))


def result(asking: Asking) -> int:
    """A dice result with its modifiers: a fraction is rounded up (wh40k.dice.modifier-rounding)."""
    return rounded(asking.state, changed(asking))[0]


def rounded(state: State, number: Number) -> tuple[int, tuple[str, ...]]:
    """wh40k.dice.modifier-rounding: a dice result without its fraction, and the rules that made it what it is."""
    whole = number.total == int(number.total)
    if whole or not state.applies("wh40k.dice.modifier-rounding"):
        return math.floor(number.total), number.rules
    return ceil(number.total), ("wh40k.dice.modifier-rounding", *number.rules)


def rerolls(asking: Asking, roll: str) -> list[Reroll]:
    """The re-rolls that abilities give for a kind of roll."""
    if not asking.state.applies("wh40k.dice.reroll-accept"):
        return []
    asking.what = roll
    own = rules_of(asking.state, asking.unit)
    return [
        Reroll(rule.which, "wh40k.dice.reroll-accept") for rule in own if rule.name == "reroll" and fits(asking, rule)
    ]


HOOKS.special("modify", "wh40k.core.precedence-faction")
HOOKS.special("burden", "wh40k.core.precedence-faction")
HOOKS.special("reroll", "wh40k.dice.reroll-accept")


def _grant(rule: str) -> Any:
    def granted(state: State, unit: Unit, held: Does, **facts: Any) -> str:
        return rule if not held.when or happening(state, unit, held.when) else ""

    return granted


GRANTING = {
    "fights-first": "wh40k.fight.fights-first",
    "fights-last": "wh40k.fight.fights-last",
    "fight-again": "wh40k.fight.again.complete-first",
    "shoot-again": "wh40k.shoot.again-unit",
    "overwatch": "wh40k.charge.overwatch.who",
    "intervene": "wh40k.charge.heroic.eligible.character",
    "auto-pass": "wh40k.morale.priority.auto-pass",
    "auto-fail": "wh40k.morale.priority.auto-pass",
    "no-flee": "wh40k.morale.priority.no-flee",
    "fall-back-shoot": "wh40k.core.precedence-specific",
    "fall-back-charge": "wh40k.core.precedence-specific",
    "advance-charge": "wh40k.core.precedence-specific",
    "assault-free": "wh40k.core.precedence-specific",
    "cover": "wh40k.terrain.cover.outside-terrain",
    "cover-more": "wh40k.terrain.cover.improved.with-save-trait",
    "through-models": "wh40k.move.through-models-scope",
}
HOOKS.special("smite-ease", "wh40k.core.precedence-faction")
HOOKS.special("orbit", "wh40k.reserves.own-rule-units-free")
HOOKS.special("instead", "wh40k.shoot.instead-of-shooting")
HOOKS.special("ignore-wounds", "wh40k.attack.ignore-wounds")
HOOKS.special("wound-limit", "wh40k.attack.wound-limit-abilities")
HOOKS.special("invulnerable", "wh40k.attack.invulnerable")
HOOKS.special("only-hit", "wh40k.attack.attacker-priority")
HOOKS.special("only-wounded", "wh40k.attack.no-real-conflict")
HOOKS.special("split", "wh40k.unit.split-merge-strength")
HOOKS.special("no-deny", "wh40k.psychic.cannot-be-denied")
for _name, _rule in GRANTING.items():
    HOOKS.special(_name, _rule)
    HOOKS.grants(_name, _name)(_grant(_rule))


def give(state: State, unit: Unit, does: Sequence[Does], source: str, until: str, owner: int, rule: str = "") -> None:
    """Give a unit special rules for a time."""
    data = {"does": [msgspec.to_builtins(entry) for entry in does]}
    effects.add(state, Effect(unit.id, LASTING, "add", 0, rule, source, until, owner, data=data))


def held(state: State, unit: Unit, name: str) -> list[Does]:
    """The special rules of one name that a unit has now and that are in force."""
    rules = [rule for rule in rules_of(state, unit) if rule.name == name]
    return list(HOOKS.in_force(state, rules)) if rules else rules


def least(state: State, unit: Unit, name: str) -> int:
    """The best value of a rule such as "ignore-wounds 5+"; 0 if the unit does not have it."""
    found = [int(rule.value) for rule in held(state, unit, name)]
    return min(found) if found else 0


def ceil(number: float) -> int:
    """wh40k.unit.modifier-rounding: a fraction is rounded up, once, after all modifiers."""
    return math.ceil(number - 1e-9)


def bears_aura(unit: Unit) -> bool:
    return any(ability.range for ability in (*unit.sheet.abilities, *unit.gifts))


def twins(state: State, facts: dict[str, Any], *rules: str) -> Iterator[Reason]:
    """One ban that the book states in several places: it stands while all of its rules are in force."""
    if all(state.applies(rule) for rule in rules):
        yield from (Reason(rule, "", facts) for rule in rules)
