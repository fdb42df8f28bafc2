"""Rolls that players may act on before they stand: a re-roll for a command point, a banner that changes a die."""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.dice import Roll
from umpire.engine.steps import Steps


def throw(battle: Battle[Any], count: int, purpose: str, cite: str = "", **more: Any) -> Steps[Roll]:
    """Roll as `battle.roll` does, then let the game's `on_roll` act on it; the roll that it answers stands.

    Use it only where a book lets somebody act on the roll; `battle.roll` asks nobody.
    """
    roll = battle.roll(count, purpose, cite, **more)
    if battle.game.on_roll is not None and count:
        roll = yield from battle.game.on_roll(battle, roll)
    return roll
