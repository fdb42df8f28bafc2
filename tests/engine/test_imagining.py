"""Imagined battles: what a player thinks ahead in holds no die and no secret that the player may not know."""

from __future__ import annotations

import pytest

import tiny
from umpire.engine.battle import Battle
from umpire.engine.beginning import battle
from umpire.engine.rng import Rng


def told(imagined: Battle[tiny.State], side: int) -> bytes:
    rng = Rng(3)
    while (ask := imagined.decision) is not None and len(imagined.answers) < 60:
        imagined.answer(ask.suggest(rng), ask.side)
    return imagined.digest.encode()


def test_an_imagined_battle_is_the_same_whatever_the_other_side_has_chosen_in_secret() -> None:
    fights = []
    for bid in ("0", "3"):
        fight = battle("tiny", sides=[{"pawns": 3}, {"pawns": 3}], seed=4)
        fight.answer(bid, 0)
        fights.append(fight)
    assert fights[0].digest == fights[1].digest
    imagined = [fight.imagine(1, seed=9) for fight in fights]
    assert [len(other.decisions) for other in imagined] == [2, 2]
    assert told(imagined[0], 1) == told(imagined[1], 1)
    assert fights[0].answers[-1].answer == "0"


def test_an_imagined_battle_keeps_what_its_own_side_has_chosen_in_secret() -> None:
    fight = battle("tiny", seed=4)
    fight.answer("2", 0)
    fight.answer("1", 1)
    again = battle("tiny", seed=4)
    again.answer("2", 0)
    own = again.imagine(0, seed=9)
    assert [ask.side for ask in own.decisions] == [1]


def test_an_imagined_battle_has_dice_of_its_own() -> None:
    fight, other = battle("tiny", seed=4), battle("tiny", seed=4)
    other.state.dice.state = 12345
    assert fight.imagine(0, 1).digest == other.imagine(0, 1).digest
    assert fight.imagine(0, 1).state.dice.state != fight.imagine(0, 2).state.dice.state


def test_an_imagined_battle_goes_on_but_not_back() -> None:
    imagined = battle("tiny", seed=4).imagine(0, 1)
    imagined.answer("1", 0)
    with pytest.raises(RuntimeError, match="not back"):
        imagined.undo()
