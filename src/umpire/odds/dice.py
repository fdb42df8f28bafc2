"""Dice, and what a rule reads on them.

Odds never repeat a rule. A game hands in the very function with which its battles read a die; `faces` calls it for
every face, and the chances of what it says come out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import TypeVar

import numpy as np

from umpire.odds.dist import Dist
from umpire.odds.outcomes import Outcomes

T = TypeVar("T")


def d(sides: int) -> Dist:
    """One die.

    >>> d(6).mean
    3.5
    """
    return Dist.uniform(1, sides)


D6 = d(6)
D3 = D6.map(lambda face: (face + 1) // 2)
"""Half a D6, rounded up."""
D66 = D6 * 10 + D6
"""The first die counts tens."""


def dice(count: int, sides: int = 6) -> Dist:
    """The sum of several dice: `dice(2)` is 2D6.

    >>> round(dice(2).at_least(7), 4)
    0.5833
    """
    return d(sides).times(count)


def amount(count: int, sides: int, plus: int) -> Dist:
    """A number that may be dice, as profiles write it: 3 (no dice), D3+1, 2D6; a D3 is half a D6, rounded up.

    >>> amount(0, 0, 3), amount(1, 3, 1).mean
    (Dist({3: 1}), 3.0)
    """
    return (D3 if sides == 3 else d(sides)).times(count) + plus if count else Dist.certain(plus)


def highest(keep: int, of: int, die: Dist = D6) -> Dist:
    """The sum of the highest `keep` of `of` dice.

    >>> round(highest(2, of=3).mean, 4), round(highest(1, of=2).mean, 4)
    (8.4583, 4.4722)
    """
    if not 0 <= keep <= of:
        raise ValueError(f"{keep} of {of} dice cannot be kept")
    # From the top face down: ways[n] are the chances of the kept sum when n dice show the faces seen so far.
    size = keep * max(1, die.high - die.low) + 1
    ways = np.zeros((of + 1, size))
    ways[0, 0] = 1.0
    for face, p in reversed(list(die.items())):
        seen = np.zeros_like(ways)
        for before in range(of + 1):
            for more in range(of - before + 1):
                rise = (min(keep, before + more) - min(keep, before)) * (face - die.low)
                seen[before + more, rise:] += ways[before, : size - rise] * (comb(before + more, more) * p**more)
        ways = seen
    return Dist(ways[of], keep * die.low)


def lowest(keep: int, of: int, die: Dist = D6) -> Dist:
    """The sum of the lowest `keep` of `of` dice."""
    return -highest(keep, of, -die)


def faces(die: int | Dist, read: Callable[[int], T], reroll: Callable[[int], bool] | None = None) -> Outcomes[T]:
    """What a rule reads on a die of so many sides, or on any roll.

    `reroll` says of a natural result whether it is rolled again, once; the second result stands.

    >>> def hit(face):
    ...     return "crit" if face == 6 else "hit" if face >= 3 else "miss"
    >>> faces(6, hit)
    Outcomes({'miss': 0.3333, 'hit': 0.5, 'crit': 0.1667})
    >>> faces(6, hit, reroll=lambda face: face == 1)["miss"]
    0.2222222222222222
    >>> round(faces(dice(2), lambda total: total >= 7)[True], 4)
    0.5833
    """
    roll = d(die) if isinstance(die, int) else die
    if reroll is not None:
        roll = roll.reroll(reroll)
    return Outcomes.merge((read(value), p) for value, p in roll.items())


def throws(count: int, sides: int = 6) -> Outcomes[tuple[int, ...]]:
    """Every throw of several dice, sorted from low to high: for rules that read the dice and not their sum.

    >>> throws(2).chance(lambda dice: dice.count(1) == 2)
    0.027777777777777776
    >>> singles = throws(6).dist(lambda dice: sum(dice.count(face) == 1 for face in dice))
    >>> round(singles.mean, 4)
    2.4113
    """
    ways = factorial(count)
    return Outcomes.merge(
        (throw, ways / prod(map(factorial, Counter(throw).values())) / sides**count)
        for throw in combinations_with_replacement(range(1, sides + 1), count)
    )


def opposed(mine: Dist, theirs: Dist, read: Callable[[int, int], T]) -> Outcomes[T]:
    """What a rule reads on two rolls made against each other.

    >>> round(opposed(dice(2), dice(2), lambda cast, unbind: cast >= 7 and unbind < cast)[True], 4)
    0.3781
    """
    return Outcomes.merge((read(a, b), p * q) for a, p in mine.items() for b, q in theirs.items())


def roll_off(mine: Dist = D6, theirs: Dist = D6) -> float:
    """The chance to roll higher when ties are thrown again.

    >>> roll_off(), round(roll_off(D6 + 1), 4)
    (0.5, 0.6774)
    """
    lead = mine - theirs
    won, lost = lead.at_least(1), lead.at_most(-1)
    if not won + lost:
        raise ValueError("these rolls always tie")
    return won / (won + lost)
