"""The chance to win: what a position's worth means."""

from __future__ import annotations

import re
from typing import Any

import pytest

import umpire
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.players.chance import SURE, after, chance, of_lead
from umpire.players.planner import Planner
from umpire.players.plans import Plan

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")


def on(game: str, answers: int) -> Battle[Any]:
    battle = umpire.battle(game, seed=2)
    rng = Rng(5)
    for _ in range(answers):
        ask = battle.decision
        assert ask is not None
        battle.answer(ask.suggest(rng), ask.side)
    return battle


@pytest.mark.parametrize("game", GAMES)
def test_what_one_side_hopes_the_other_fears(game: str) -> None:
    battle = on(game, 40)
    mine, theirs = (chance(battle.game, battle.state, side) for side in (0, 1))
    assert mine is not None
    assert theirs is not None
    assert mine + theirs == pytest.approx(1.0)
    assert 0.1 < mine < 0.9, "nothing is decided yet"


@pytest.mark.parametrize("game", GAMES)
def test_a_lead_counts_the_more_the_later_it_is(game: str) -> None:
    """And what is certain is not told before it is."""
    early, late = on(game, 0), on(game, 90)
    one, other = (of_lead(battle.game, battle.state, 100.0) for battle in (early, late))
    assert 0.5 < one <= other
    assert of_lead(early.game, early.state, 1e9) == SURE
    assert of_lead(early.game, early.state, -100.0) == pytest.approx(1 - one)


def test_when_it_is_over_it_is_certain() -> None:
    battle = umpire.battle("warcry", seed=2)
    rng = Rng(5)
    while (ask := battle.decision) is not None:
        battle.answer(ask.suggest(rng), ask.side)
    assert battle.outcome is not None
    won = [chance(battle.game, battle.state, side) for side in (0, 1)]
    if battle.outcome.winner is None:
        assert won == [0.5, 0.5]
    else:
        assert won[battle.outcome.winner] == 1.0
        assert won[1 - battle.outcome.winner] == 0.0


def test_a_plan_is_weighed_on_all_its_fortunes() -> None:
    battle = on("warcry", 40)
    game, now = battle.game, battle.state
    assert game.worth is not None
    worth, before = game.worth(now, 0), chance(game, now, 0)
    assert after(game, now, 0, Plan([], [worth])) == pytest.approx(before)
    better, mixed = after(game, now, 0, Plan([], [worth + 200])), after(game, now, 0, Plan([], [worth + 200, -1e6]))
    assert better is not None
    assert before is not None
    assert better > before
    assert mixed == pytest.approx((better + 1 - SURE) / 2)


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_tells_the_chance_to_win_in_both_languages(game: str) -> None:
    battle = on(game, 40)
    ask = battle.decision
    assert ask is not None
    planner = Planner("easy", 1, None)
    planner.choose(battle, ask.side, ask)
    told = planner.explain()
    assert re.search(r"胜算约 \d+ %", told["zh"])
    assert re.search(r"hance to win about \d+ %", told["en"])
    before, then = told["chance"]
    assert 0.0 < before < 1.0
    assert then is None or 0.0 < then < 1.0
