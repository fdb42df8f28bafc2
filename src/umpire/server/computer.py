"""The computer's seat: how long it thinks, and what it answers when it cannot."""

from __future__ import annotations

from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.rng import Rng, seed_of
from umpire.players import player

SECONDS = {"easy": 0.3, "normal": 1.0, "hard": 3.0}


class Choice(msgspec.Struct, frozen=True):
    answer: Any
    text: dict[str, str]


def at_once(battle: Battle[Any], side: int, ask: Decision, turn: int = 0) -> Any:
    """A legal answer without thinking. The same battle gives the same one, each further `turn` another."""
    return ask.suggest(Rng(seed_of("at once", battle.setup.seed, len(battle.answers), side, turn)))


def choose(battle: Battle[Any], side: int, ask: Decision, level: str, seconds: float) -> Choice:
    """What the player of that level answers."""
    seed = seed_of("computer", battle.setup.seed, len(battle.answers), side)
    answer = player(f"planner:{level}", seed, seconds).choose(battle, side, ask)
    return Choice(answer, {"zh": "电脑会这样走", "en": "what the computer would do"})
