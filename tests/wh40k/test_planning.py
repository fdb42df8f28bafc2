"""What the planner is told: the worth of positions, ideas, and what declarations are worth by exact odds."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.games.wh40k import GAME
from umpire.games.wh40k.units import take_away
from umpire.games.wh40k.worth import worth
from umpire.players.planner import Planner
from wh40k.builder import aim, ask, gun, row, scene, sword, unit


def shooting() -> Battle[Any]:
    battle = scene(
        unit("a1", *row(10, 10, 3), weapons=[gun(attacks="2", s="5", ap=-1)], _points=90),
        unit("b1", (10, 24), weapons=[], t=8, w=10, sv=2, _points=100),
        unit("b2", *row(18, 24, 3), weapons=[gun()], t=3, sv=6, _points=100),
        phase="shooting",
    )
    battle.answer("a1")
    return battle


def test_worth_is_what_one_has_less_what_the_other_has() -> None:
    battle = scene(
        unit("a1", *row(10, 10, 3), weapons=[gun()], _points=60),
        unit("b1", *row(10, 25, 3), weapons=[gun()], _points=60),
    )
    state = battle.state
    before = worth(state, 0)
    state.sides[0].vp += 5
    more = worth(state, 0)
    assert more > before
    take_away(state.units["a1"], ["a1.2", "a1.3"])
    assert worth(state, 0) < more
    assert worth(state, 1) > -more


@pytest.mark.parametrize("phase", ["movement", "shooting", "charge"])
def test_the_first_ideas_are_legal(phase: str) -> None:
    battle = scene(
        unit("a1", *row(10, 10, 3), weapons=[gun(), sword()]), unit("b1", *row(10, 18, 3), weapons=[gun()]), phase=phase
    )
    assert GAME.hints.candidates is not None
    for _ in range(2):
        now = ask(battle)
        ideas = list(GAME.hints.candidates(battle, now, Rng(1)))
        legal = [idea for idea in ideas if now.legal(idea)]
        assert legal
        assert legal[0] == ideas[0]
        battle.answer(legal[0])


def test_a_declaration_is_worth_what_the_odds_say() -> None:
    battle = shooting()
    gain = GAME.hints.gain
    assert gain is not None
    hard = gain(battle, ask(battle), aim(*(f"a1.{n}/0/shot>b1" for n in (1, 2, 3))))
    soft = gain(battle, ask(battle), aim(*(f"a1.{n}/0/shot>b2" for n in (1, 2, 3))))
    fewer = gain(battle, ask(battle), aim("a1.1/0/shot>b2"))
    assert hard is not None
    assert soft is not None
    assert fewer is not None
    assert soft > hard > 0
    assert soft > fewer
    assert gain(battle, ask(battle), []) is None
    ahead = battle.imagine(0, 1)
    assert gain(ahead, ask(ahead), aim("a1.1/0/shot>b2")) == pytest.approx(fewer)


def test_the_planner_shoots_where_it_harms() -> None:
    battle = shooting()
    planner = Planner("normal", 3, None)
    answer = planner.choose(battle, 0, ask(battle))
    assert {part["choose"]["target"] for part in answer} == {"b2"}
    assert not planner.failed
