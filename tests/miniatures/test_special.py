"""The registry of special rules: who has them, what is switched off, closed lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from umpire.engine.effects import Effect
from umpire.engine.rulings import Reason
from umpire.engine.state import State
from umpire.miniatures.special import Reroll, SpecialRules, Words


class Rule(NamedTuple):
    name: str
    value: int = 0


class Unit(NamedTuple):
    id: str
    rules: tuple[Rule, ...] = ()


class Query(NamedTuple):
    state: State
    unit: Unit
    what: str
    base: float
    foe: Unit | None = None

    @property
    def whom(self) -> tuple[str, ...]:
        return (self.unit.id,)

    def holders(self) -> Iterator[tuple[str, Sequence[Rule]]]:
        yield "own", self.unit.rules
        if self.foe is not None:
            yield "foe", self.foe.rules


def most(found: Sequence[Rule]) -> Rule | None:
    return max(found, key=lambda rule: rule.value, default=None)


def registry() -> SpecialRules[State, Unit, Rule]:
    hooks: SpecialRules[State, Unit, Rule] = SpecialRules(
        "tiny.rule.", lambda state, unit: unit.rules, most, Words(numbers=("armour", "speed"), deeds=("march",))
    )

    @hooks.changes("armour", "shield")
    def shield(query: Query, rule: Rule) -> Effect:
        return Effect(query.unit.id, "armour", "add", rule.value, "tiny.rule.shield")

    @hooks.changes("armour", "piercing", "foe")
    def piercing(query: Query, rule: Rule) -> Effect:
        return Effect(query.unit.id, "armour", "add", -rule.value, "tiny.rule.piercing")

    @hooks.changes("speed", rule="tiny.mud")
    def mud(query: Query) -> Effect:
        return Effect(query.unit.id, "speed", "add", -1, "tiny.mud")

    @hooks.forbids("march", "slow")
    def slow(state: State, unit: Unit, rule: Rule, **facts: Any) -> list[Reason]:
        return [Reason("tiny.rule.slow")]

    @hooks.grants("steady", "calm")
    def calm(state: State, unit: Unit, rule: Rule, **facts: Any) -> str:
        return "tiny.rule.calm"

    @hooks.rerolls_of("hit", "hate")
    def hate(query: Query, rule: Rule) -> Reroll:
        return Reroll("failures", "tiny.rule.hate")

    @hooks.counts("hits", "burst")
    def burst(query: Query, rule: Rule, faces: Sequence[int]) -> tuple[int, str]:
        return sum(face == 6 for face in faces), "tiny.rule.burst"

    return hooks


def test_numbers_come_from_own_rules_and_the_foes() -> None:
    hooks, state = registry(), State()
    unit, foe = Unit("u", (Rule("shield", 1), Rule("shield", 2))), Unit("f", (Rule("piercing", 1),))
    assert hooks.number(Query(state, unit, "armour", 3, foe)).total == 4
    assert hooks.number(Query(state, unit, "armour", 3, foe)).rules == ("tiny.rule.shield", "tiny.rule.piercing")
    assert hooks.number(Query(state, unit, "speed", 5)).total == 4


def test_a_rule_that_is_switched_off_is_had_by_nobody() -> None:
    hooks = registry()
    unit = Unit("u", (Rule("shield", 2), Rule("slow"), Rule("calm"), Rule("hate"), Rule("burst")))
    names = ("shield", "slow", "calm", "hate", "burst")
    off = State(without=(*(f"tiny.rule.{name}" for name in names), "tiny.mud"))
    on = State()
    for state, there in ((on, True), (off, False)):
        assert hooks.has(state, unit, "shield") is there
        assert (hooks.number(Query(state, unit, "armour", 3)).total == 5) is there
        assert (hooks.number(Query(state, unit, "speed", 3)).total == 2) is there
        assert [r.rule for r in hooks.objections(state, unit, "march")] == (["tiny.rule.slow"] if there else [])
        assert bool(hooks.granted(state, unit, "steady")) is there
        assert bool(hooks.rerolls(Query(state, unit, "", 0), "hit")) is there
        assert hooks.extra(Query(state, unit, "", 0), "hits", (6, 6, 1))[0] == (2 if there else 0)


def test_effects_in_force_forbid_too() -> None:
    hooks = registry()
    state = State(effects=[Effect("u", "march", "forbid", rule="tiny.spell")])
    assert [r.rule for r in hooks.objections(state, Unit("u"), "march", ids=("u",))] == ["tiny.spell"]


def test_words_are_closed_lists_and_names_are_known() -> None:
    hooks = registry()
    with pytest.raises(KeyError):
        hooks.changes("colour", "paint")(lambda query, rule: None)
    with pytest.raises(KeyError):
        hooks.number(Query(State(), Unit("u"), "colour", 1))
