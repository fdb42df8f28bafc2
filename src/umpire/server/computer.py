"""The computer's seat: how long it thinks, and what it answers when it cannot."""

from __future__ import annotations

from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.rng import Rng, seed_of
from umpire.players.planner import Planner

SECONDS = {"easy": 0.3, "normal": 1.0, "hard": 3.0}


class Choice(msgspec.Struct, frozen=True):
    answer: Any
    text: dict[str, str]


class Computers:
    """The players of one battle: a plan that one has made lives on from answer to answer."""

    def __init__(self) -> None:
        self._players: dict[tuple[int, str], Planner] = {}

    def choose(self, battle: Battle[Any], side: int, ask: Decision, level: str, seconds: float) -> Choice:
        if (side, level) not in self._players:
            self._players[side, level] = Planner(level, seed_of("computer", battle.setup.seed, side))
        player = self._players[side, level]
        player.seconds = seconds
        answer = player.choose(battle, side, ask)
        why = player.explain()
        return Choice(answer, {"zh": why["zh"], "en": why["en"]})


def at_once(battle: Battle[Any], side: int, ask: Decision, turn: int = 0) -> Any:
    """A legal answer without thinking. The same battle gives the same one, each further `turn` another."""
    return ask.suggest(Rng(seed_of("at once", battle.setup.seed, len(battle.answers), side, turn)))
