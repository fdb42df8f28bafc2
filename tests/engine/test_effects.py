"""Effects, usage and explanations of numbers."""

from __future__ import annotations

import tiny
from umpire.engine import effects, usage
from umpire.engine.effects import Effect
from umpire.text import render


def state() -> tiny.State:
    return tiny.State(pawns={})


def test_operations_apply_in_the_declared_order() -> None:
    s = state()
    effects.add(s, Effect("p", "armour", "cap", 6, source="limit"))
    effects.add(s, Effect("p", "armour", "add", 2, source="cover"))
    effects.add(s, Effect("p", "armour", "multiply", 2, source="blessing"))
    number = effects.number(s, "p", "armour", 3)
    assert [change.result for change in number.changes] == [6, 8, 6]
    assert number.total == 6
    swapped = effects.number(s, "p", "armour", 3, order=("add", "multiply"))
    assert swapped.total == 10


def test_the_same_source_does_not_stack_unless_it_says_so() -> None:
    s = state()
    for _ in range(2):
        effects.add(s, Effect("p", "armour", "add", 1, source="cover"))
    assert effects.number(s, "p", "armour", 3).total == 4
    for _ in range(2):
        effects.add(s, Effect("p", "armour", "add", 1, source="shield", stacks=True))
    assert effects.number(s, "p", "armour", 3).total == 6


def test_periods_end_and_owners_keep_theirs() -> None:
    s = state()
    effects.add(s, Effect("p", "a", "add", 1, source="x", until="turn", owner=0))
    effects.add(s, Effect("p", "a", "add", 1, source="y", until="turn", owner=1))
    assert len(effects.end(s, "turn", 0)) == 1
    assert effects.number(s, "p", "a", 0).total == 1
    effects.drop(s, "p")
    assert s.effects == []


def test_forbidding() -> None:
    s = state()
    effects.add(s, Effect("p", "charge", "forbid", rule="tiny.move"))
    assert [e.rule for e in effects.forbids(s, ("p", "all"), "charge")] == ["tiny.move"]
    assert not effects.forbids(s, "q", "charge")


def test_a_number_tells_how_it_came_about() -> None:
    s = state()
    effects.add(s, Effect("p", "armour", "add", 1, source="cover"))
    number = effects.number(s, "p", "armour", 3)
    assert (number.base, number.total) == (3, 4)
    assert [(change.op, change.value, change.source) for change in number.changes] == [("add", 1, "cover")]


def test_usage_counts_and_clears_by_period() -> None:
    s = state()
    assert usage.spend(s, "parry", "round", 0) == 1
    assert usage.spend(s, "parry", "round", 0) == 2
    usage.spend(s, "shout", "battle")
    usage.clear(s, "round")
    assert usage.count(s, "parry", "round", 0) == 0
    assert usage.count(s, "shout", "battle") == 1


def test_yes_and_no_are_said_in_both_languages() -> None:
    assert [render(value, lang) for value in (True, False) for lang in ("zh", "en")] == ["是", "yes", "否", "no"]
