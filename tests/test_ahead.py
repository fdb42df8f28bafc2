"""What an answer leads to at once is told with it, and never more than a player could find out by taking back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

import umpire
from umpire.engine.ahead import Follows, after, ahead
from umpire.engine.decisions import Choose, ChooseSeveral
from umpire.engine.game import find_game
from umpire.engine.rng import Rng
from umpire.server.desk import Desk
from umpire.text import catalogue

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")
MOST = 160


def walked(battle: Any, side: int, answer: Any, follows: Follows) -> int:
    """Answer, and see that what was told is asked, with its options, before any die has fallen; how many were."""
    trial, rolled = battle.fork(), battle.state.dice.rolled
    trial.answer(answer, side)
    asked = trial.decision_for(side)
    assert asked is not None
    assert trial.state.dice.rolled == rolled
    assert asked.wire() == follows.ask.wire()
    several = isinstance(asked, ChooseSeveral)
    return 1 + sum(walked(trial, side, [key] if several else key, then) for key, then in follows.then.items())


@pytest.mark.parametrize("game", GAMES)
def test_what_is_told_is_what_is_asked(game: str) -> None:
    assert find_game(game).follows <= set(catalogue(game))
    seen = 0
    for seed in (1, 2):
        battle, rng = umpire.battle(game, seed=seed), Rng(seed)
        for _ in range(MOST):
            if (ask := battle.decision) is None:
                break
            if isinstance(ask, Choose):
                before, answers = battle.digest, len(battle.answers)
                for option, follows in ahead(battle, ask.side):
                    if follows is not None:
                        seen += walked(battle, ask.side, option, follows)
                assert (battle.digest, len(battle.answers)) == (before, answers)
            battle.answer(ask.suggest(rng))
    assert seen > 0


def test_nobody_looks_beyond_a_die() -> None:
    battle, rng = umpire.battle("aos", seed=3), Rng(3)
    refused = 0
    for _ in range(MOST):
        ask = battle.decision
        assert ask is not None
        for answer in ask.suggestions(n=4) if isinstance(ask, Choose) else ():
            trial = battle.fork()
            trial.answer(answer, ask.side)
            found = after(battle, ask.side, [answer])
            assert (found is None) == (not trial.may_undo(ask.side))
            refused += found is None
        battle.answer(ask.suggest(rng))
    assert refused > 0
    assert after(battle, battle.decision.side, ["nothing of the kind"]) is None  # type: ignore[union-attr]


def test_a_seat_is_told_what_follows_and_the_odds_of_it() -> None:
    desk = Desk()
    made = desk.prepare("aos", 7, None, {}, ["random", "random"])
    desk.begin("t", made["setup"], "secret", ["a", "b"], [0, 1])
    battle, rng = desk._place("t").battle, Rng(7)
    while (ask := battle.decision) is not None:
        n = len(battle.answers)
        told: Mapping[str, Any] = msgspec.json.decode(desk.ahead("t", ask.side, n))
        for option, follows in told.items():
            key = follows["ask"]["options"][0]["id"]
            wish = [key] if follows["ask"]["kind"] == "choose-several" else key
            encoded = [msgspec.json.encode(answer) for answer in (wish, option)]
            ruling = msgspec.json.decode(desk.check("t", ask.side, n, encoded[0], encoded[1:]))
            assert ruling["legal"]
            if follows["ask"]["prompt"]["key"] == "ask.target":
                assert ruling["odds"]["lines"]
                return
        desk.answer("t", ask.side, n, msgspec.json.encode(ask.suggest(rng)), [0, 1])
    pytest.fail("nobody shot at anybody")
