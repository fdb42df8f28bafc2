"""Questions that a table answers by itself, as is usual, unless a player wants to be asked."""

from __future__ import annotations

import pytest

import umpire
from umpire.engine.decisions import Choose, ChooseSeveral, Decision, Move, Order, Split
from umpire.engine.game import find_game
from umpire.engine.rng import Rng
from umpire.text import catalogue

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")


def usual(ask: Decision) -> object:
    """What a table answers."""
    if isinstance(ask, (Choose, ChooseSeveral, Split)):
        return ask.default
    return list(ask.options) if isinstance(ask, Order) else ask.suggest(Rng(0))


@pytest.mark.parametrize("game", GAMES)
def test_details_have_a_usual_answer_that_is_legal(game: str) -> None:
    details = find_game(game).details
    assert details <= set(catalogue(game))
    for seed in (1, 2):
        battle, rng = umpire.battle(game, seed=seed), Rng(seed)
        while (ask := battle.decision) is not None:
            if ask.prompt.key in details:
                assert isinstance(ask, (Choose, ChooseSeveral, Order, Move, Split)), ask
                assert ask.legal(usual(ask)), (ask, usual(ask))
            battle.answer(ask.suggest(rng))
