"""Probability distributions over named outcomes, and pools of dice that each show one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import fsum
from operator import add
from typing import Generic, TypeVar, final

import numpy as np

from umpire.odds.dist import Array, Dist, Number

T = TypeVar("T")
U = TypeVar("U")


@final
class Outcomes(Generic[T]):
    """The exact chances of what may happen: miss, hit or crit; passed or failed; a throw of dice.

    >>> attack = Outcomes({"miss": 1/2, "hit": 1/3, "crit": 1/6})
    >>> attack["crit"], attack.chance(lambda outcome: outcome != "miss")
    (0.16666666666666666, 0.5)
    >>> round(attack.mix({"miss": 0, "hit": 2, "crit": 5}).times(4).at_least(10), 4)
    0.1566
    """

    __slots__ = ("_chances",)

    def __init__(self, chances: Mapping[T, float]) -> None:
        if any(not 0.0 <= p <= 1.0 + 1e-9 for p in chances.values()):
            raise ValueError("a chance must be a number from 0 to 1")
        if abs((total := fsum(chances.values())) - 1.0) > 1e-9:
            raise ValueError(f"chances must sum to one, these sum to {total:g}")
        self._chances = {outcome: p for outcome, p in chances.items() if p}

    @classmethod
    def merge(cls, cases: Iterable[tuple[T, float]]) -> Outcomes[T]:
        """The chances of outcomes that several cases may share."""
        chances: dict[T, float] = {}
        for outcome, p in cases:
            chances[outcome] = chances.get(outcome, 0.0) + p
        return cls(chances)

    def __getitem__(self, outcome: T) -> float:
        """The chance of `outcome`."""
        return self._chances.get(outcome, 0.0)

    def __iter__(self) -> Iterator[T]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    def items(self) -> Iterator[tuple[T, float]]:
        """Each possible outcome with its chance."""
        return iter(self._chances.items())

    def chance(self, of: Callable[[T], bool]) -> float:
        """The chance that `of` holds."""
        return fsum(p for outcome, p in self.items() if of(outcome))

    def map(self, read: Callable[[T], U]) -> Outcomes[U]:
        """What a rule reads in the outcome."""
        return Outcomes.merge((read(outcome), p) for outcome, p in self.items())

    def then(self, follow: Callable[[T], Outcomes[U]]) -> Outcomes[U]:
        """What is rolled next, depending on this outcome.

        >>> passed = Outcomes({True: 0.5, False: 0.5})
        >>> passed.then(lambda first: passed if first else Outcomes({False: 1.0}))[True]
        0.25
        """
        return Outcomes.merge((after, p * q) for outcome, p in self.items() for after, q in follow(outcome).items())

    def given(self, known: Callable[[T], bool]) -> Outcomes[T]:
        """The outcome once it is known that `known` holds; also what repeated throwing until it holds gives."""
        if not (total := self.chance(known)):
            raise ValueError("what is given cannot happen")
        return Outcomes({outcome: p / total for outcome, p in self.items() if known(outcome)})

    def dist(self, value: Callable[[T], int]) -> Dist:
        """The number that a rule reads in the outcome."""
        return Dist.of(dict(self.map(value).items()))

    def mix(self, follow: Mapping[T, Number] | Callable[[T], Number]) -> Dist:
        """The number that follows from each outcome, known or rolled.

        >>> saved = Outcomes({True: 1/3, False: 2/3})
        >>> saved.mix({True: 0, False: Dist.uniform(1, 3)}).mean
        1.3333333333333333
        """
        if callable(follow):
            return Dist.mixture((p, follow(outcome)) for outcome, p in self.items())
        if missing := [outcome for outcome in self if outcome not in follow]:
            raise ValueError(f"nothing is said to follow from {missing[0]!r}")
        return Dist.mixture((p, follow[outcome]) for outcome, p in self.items())

    def count(self: Outcomes[bool], of: Number) -> Dist:
        """How many of so many independent dice do it; the count may be rolled.

        >>> Outcomes({True: 1/3, False: 2/3}).count(3).mean
        1.0
        """
        return self.mix({True: 1, False: 0}).times(of)

    def pool(self, count: Number, *classes: T) -> Outcomes[tuple[int, ...]]:
        """How many of `count` independent dice show each of the named outcomes, jointly; the count may be rolled.

        >>> attack = Outcomes({"miss": 1/2, "hit": 1/3, "crit": 1/6})
        >>> counts = attack.pool(3, "hit", "crit")
        >>> round(counts[2, 1], 4)
        0.0556
        >>> round(counts.chance(lambda count: count[1] >= 1), 4)
        0.4213
        """
        if len(set(classes)) != len(classes):
            raise ValueError("an outcome is counted once: name each one once")
        if isinstance(count, Dist):
            return Outcomes.merge(
                (counts, p * q) for n, p in count.items() for counts, q in self.pool(n, *classes).items()
            )
        if count < 0:
            raise ValueError(f"{count} dice cannot be thrown")
        # One class after another: of the dice that show none of the classes before, so many show this one.
        cases: dict[tuple[int, ...], float] = {(): 1.0}
        rest = dict(self.items())
        for outcome in classes:
            others = fsum(rest.values())
            split = binomials(count, rest.pop(outcome, 0.0) / others if others else 0.0)
            cases = {
                (*counts, more): p * q
                for counts, p in cases.items()
                for more, q in enumerate(split[count - sum(counts)])
                if q
            }
        return Outcomes(cases)

    def total(self: Outcomes[tuple[int, ...]], count: int) -> Outcomes[tuple[int, ...]]:
        """The sums of `count` such outcomes, place by place and jointly: what one die counts in several ways, all do.

        >>> die = Outcomes({(1, 0): 1/2, (0, 1): 1/3, (0, 0): 1/6})
        >>> round(die.total(3)[2, 1], 4)
        0.25
        """
        if count < 0:
            raise ValueError(f"{count} dice cannot be thrown")
        one = list(self.items())
        sums: dict[tuple[int, ...], float] = {tuple([0] * len(one[0][0])): 1.0}
        for _ in range(count):
            after: dict[tuple[int, ...], float] = {}
            for counts, p in sums.items():
                for more, q in one:
                    key = tuple(map(add, counts, more))
                    after[key] = after.get(key, 0.0) + p * q
            sums = after
        return Outcomes(sums)

    def __eq__(self, other: object) -> bool:
        return self._chances == other._chances if isinstance(other, Outcomes) else NotImplemented

    def __repr__(self) -> str:
        return f"Outcomes({{{', '.join(f'{outcome!r}: {p:.4g}' for outcome, p in self.items())}}})"


def binomials(most: int, p: float) -> list[list[float]]:
    """The chances of 0, 1, … successes in 0, 1, … `most` tries."""
    rows: list[Array] = [np.ones(1)]
    for _ in range(most):
        rows.append(np.convolve(rows[-1], (1.0 - p, p)))
    return [row.tolist() for row in rows]
