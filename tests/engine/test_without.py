"""Rules that are switched off: reasons and effects of theirs do not count, and the record says so."""

import json
from typing import Any

import pytest

import umpire
from umpire.engine import effects
from umpire.engine.effects import Effect
from umpire.engine.record import replay
from umpire.engine.rulings import Reason, in_force, standing
from umpire.engine.state import State
from umpire.errors import UmpireError

SIZE, POINTS = "warcry.warband.size", "warcry.warband.points"


def few(**more: Any) -> Any:
    """A warband of two, which is one too few."""
    roster = umpire.battle("warcry", seed=3).setup.sides[0]
    return umpire.battle("warcry", sides=[{**roster, "fighters": roster["fighters"][:2]}], seed=3, **more)


def test_a_rule_off_and_on_again() -> None:
    with pytest.raises(UmpireError, match="size"):
        few()
    battle = few(without=[SIZE])
    assert battle.state.without == (SIZE,)
    assert not battle.state.applies(SIZE)
    assert battle.state.applies(POINTS)
    with pytest.raises(UmpireError, match="size"):
        few()


def test_the_record_says_what_a_battle_was_without() -> None:
    battle = few(without=[SIZE])
    for _ in range(5):
        battle.answer(battle.decision.suggest())
    assert json.loads(battle.record.splitlines()[0])["setup"]["without"] == [SIZE]
    assert replay(battle.record).digest == battle.digest
    assert battle.fork().state.without == (SIZE,)


@pytest.mark.parametrize("rule", ["warcry.no.such-rule", "aos.core.army-points", "size"])
def test_a_rule_that_the_game_does_not_have_cannot_be_switched_off(rule: str) -> None:
    with pytest.raises(UmpireError, match=f"^without: warcry has no rule “{rule}” that could be switched off$"):
        umpire.battle("warcry", without=[rule])


def test_reasons_and_effects_of_rules_that_are_off_do_not_count() -> None:
    state = State(without=("a",))
    a, b = Reason("a"), Reason("b")
    assert list(standing(state, [a, b])) == [b]
    assert list(standing(State(), [a, b])) == [a, b]
    assert in_force([a, b], ["b"]) == [a]
    state.effects = [Effect("x", "move", "add", 1, rule="a"), Effect("x", "move", "add", 2, rule="b")]
    assert effects.number(state, "x", "move", 3).total == 5
    state.without = ()
    assert effects.number(state, "x", "move", 3).total == 6
