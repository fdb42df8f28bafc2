"""Rolls that players may act on before they stand (a re-roll for a command point, a banner that changes a die), and
roll-offs, on which nobody may."""

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


def rolled_off(battle: Battle[Any], rule: str, purpose: str = "roll-off", lowest: bool = False) -> int:
    """Each side rolls a die, equal ones are rolled again: the side with the higher one, or the lower."""
    while True:
        first, second = (battle.roll(1, purpose, rule, side=side).faces[0] for side in (0, 1))
        if first != second:
            return int((first > second) is lowest)
