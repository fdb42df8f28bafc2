"""Charges of two dice, as books of loose units have them: the roll must bring somebody within so much of an enemy."""

from __future__ import annotations

import math
from collections.abc import Mapping

from umpire.odds.commands import Answer
from umpire.odds.dice import dice
from umpire.odds.dist import Dist
from umpire.odds.telling import Odds, chance, number, told
from umpire.space.shapes import TOLERANCE


def charge_odds(inches: float, reach: float, bonus: int) -> Answer:
    """A charge of two dice that must come to within so much of an enemy so far away: the roll, that it succeeds, and
    that it does if it may be rolled again."""
    need = math.ceil(inches - reach - TOLERANCE) - bonus
    roll = dice(2)
    twice = roll.reroll(lambda n: n < need).at_least(need)
    return {"charge-roll": roll, "charge-succeeds": roll.at_least(need), "with-a-re-roll": twice}


def charge_told(
    game: str, gap: Odds, far: Mapping[int, int], arrives: Mapping[int, bool], rolled: Dist, again: bool
) -> Odds:
    """What a charge of a battle is told to come to: `gap` tells how far off the target is, `far` how far each roll lets
    one charge, `arrives` whether that is far enough; whether a roll in vain may be thrown again."""

    def made(roll: Dist) -> float:
        return min(1.0, sum(p for n, p in roll.items() if arrives[n]))

    lines = [gap]
    needed = [n for n in arrives if arrives[n]]
    if needed:
        lines.append(number(f"odds.{game}.needed", needed[0]))
    lines.append(chance(f"odds.{game}.charge-succeeds", made(rolled)))
    if again:
        lines.append(chance(f"odds.{game}.with-a-re-roll", made(dice(2).reroll(lambda n: not arrives[n]))))
    return told(f"odds.{game}.charge", *lines, charge=rolled.map(lambda n: far[n]))
