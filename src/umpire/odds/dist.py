"""Probability distributions over whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import fsum, isclose, isfinite
from operator import index
from typing import TypeAlias, Union, final

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
Number: TypeAlias = Union["Dist", int]
"""A whole number, known or rolled."""

_ROUNDING = 1e-9
"""How far from one the chances of a complete set of cases may sum: rounding, not a forgotten case."""

_SURE: Array = np.ones(1)


@final
class Dist:
    """The exact chances of a whole number: what a roll, a volley or a charge may come to.

    Chances are floats and are only ever added and multiplied, so that even tiny ones keep their precision.

    >>> two = Dist.uniform(1, 6).times(2)
    >>> round(two.at_least(9), 4), two.mean, two.mode, two.quantile(0.9)
    (0.2778, 7.0, 7, 10)
    >>> (two + 3).low, abs((two - two).mean) < 1e-12, (Dist.uniform(1, 6) * 10).high
    (5, True, 60)
    """

    __slots__ = ("_low", "_pmf", "_rerolled")

    def __init__(self, pmf: npt.ArrayLike, low: int = 0) -> None:
        """The chances of `low`, `low + 1`, and so on; they must sum to one."""
        chances = np.array(pmf, dtype=np.float64)
        if chances.ndim != 1 or not chances.size:
            raise ValueError("a distribution needs a plain, non-empty list of chances")
        if not np.isfinite(chances).all() or (chances < 0).any():
            raise ValueError("a chance must be a number from 0 to 1")
        if not isclose(total := float(chances.sum()), 1.0, abs_tol=_ROUNDING):
            raise ValueError(f"chances must sum to one, these sum to {total:g}")
        self._settle(chances, low)

    def _settle(self, pmf: Array, low: int) -> None:
        if pmf[0] == 0.0 or pmf[-1] == 0.0:
            possible = pmf.nonzero()[0]
            first = int(possible[0])
            pmf, low = pmf[first : int(possible[-1]) + 1], low + first
        pmf.flags.writeable = False
        self._pmf, self._low, self._rerolled = pmf, low, False

    @classmethod
    def _trusted(cls, pmf: Array, low: int) -> Dist:
        """A distribution from chances that are right by construction: skips the checks."""
        dist = cls.__new__(cls)
        dist._settle(pmf, low)
        return dist

    # -- making one

    @classmethod
    def certain(cls, value: int) -> Dist:
        """Always `value`."""
        return cls._trusted(_SURE, index(value))

    @classmethod
    def chance(cls, p: float) -> Dist:
        """1 with probability `p`, else 0."""
        if not -_ROUNDING <= p <= 1.0 + _ROUNDING:
            raise ValueError(f"a chance must be a number from 0 to 1, not {p:g}")
        p = min(1.0, max(0.0, p))
        return cls._trusted(np.array((1.0 - p, p)), 0)

    @classmethod
    def uniform(cls, low: int, high: int) -> Dist:
        """Every number from `low` to `high` alike."""
        if high < low:
            raise ValueError(f"no number lies from {low} to {high}")
        return cls._trusted(np.full(high - low + 1, 1.0 / (high - low + 1)), low)

    @classmethod
    def of(cls, weights: Mapping[int, float]) -> Dist:
        """Numbers in proportion to their weights, such as the counts of a tally.

        >>> Dist.of({1: 3, 4: 1})[4]
        0.25
        """
        if not weights or not all(isfinite(weight) and weight >= 0 for weight in weights.values()):
            raise ValueError("weights must be finite and not negative, and there must be one at least")
        if not (total := fsum(weights.values())):
            raise ValueError("one weight at least must be above zero")
        low = min(weights)
        pmf = np.zeros(max(weights) - low + 1)
        for value, weight in weights.items():
            pmf[value - low] += weight / total
        return cls._trusted(pmf, low)

    @classmethod
    def mixture(cls, cases: Iterable[tuple[float, Number]]) -> Dist:
        """One of several numbers, known or rolled, each with the probability of its case.

        >>> Dist.mixture([(0.5, 0), (0.5, Dist.uniform(1, 3))]).mean
        1.0
        """
        parts = [(p, part._low, part._pmf) if isinstance(part, Dist) else (p, index(part), _SURE) for p, part in cases]
        if not isclose(total := fsum(p for p, _, _ in parts), 1.0, abs_tol=_ROUNDING):
            raise ValueError(f"the chances of the cases must sum to one, these sum to {total:g}")
        low = min(start for _, start, _ in parts)
        pmf = np.zeros(max(start + part.size for _, start, part in parts) - low)
        for p, start, part in parts:
            pmf[start - low : start - low + part.size] += p * part
        return cls._trusted(pmf, low)

    # -- reading it

    @property
    def low(self) -> int:
        """The smallest possible value."""
        return self._low

    @property
    def high(self) -> int:
        """The largest possible value."""
        return self._low + self._pmf.size - 1

    @property
    def pmf(self) -> Array:
        """The chances of `low` to `high`, read-only."""
        return self._pmf

    @property
    def mean(self) -> float:
        return fsum(chance * value for value, chance in enumerate(self._pmf.tolist(), self._low))

    @property
    def variance(self) -> float:
        return float(self._pmf @ (np.arange(self._low, self.high + 1) - self.mean) ** 2)

    @property
    def mode(self) -> int:
        """The most likely value; the smallest of several alike."""
        return self._low + int(np.argmax(self._pmf >= self._pmf.max() * (1 - _ROUNDING)))

    def quantile(self, share: float) -> int:
        """The smallest value that is not exceeded with probability `share`."""
        if not 0.0 <= share <= 1.0:
            raise ValueError(f"a share lies from 0 to 1, not {share:g}")
        reached = np.cumsum(self._pmf) >= share - 1e-12
        return self._low + int(np.argmax(reached))

    def at_least(self, value: int) -> float:
        """The chance of `value` or more."""
        return min(1.0, float(self._pmf[max(0, value - self._low) :].sum()))

    def at_most(self, value: int) -> float:
        """The chance of `value` or less."""
        return min(1.0, float(self._pmf[: max(0, value - self._low + 1)].sum()))

    def __getitem__(self, value: int) -> float:
        """The chance of exactly `value`."""
        return float(self._pmf[value - self._low]) if self._low <= value <= self.high else 0.0

    def __iter__(self) -> Iterator[int]:
        """The possible values, in order."""
        return (value for value, _ in self.items())

    def items(self) -> Iterator[tuple[int, float]]:
        """Each possible value with its chance, in order."""
        return ((self._low + i, p) for i, p in enumerate(self._pmf.tolist()) if p)

    def over(self, low: int, high: int) -> Array:
        """The chances of `low` to `high`, a range that holds all possible values.

        >>> Dist.certain(2).over(0, 3).tolist()
        [0.0, 0.0, 1.0, 0.0]
        """
        chances = np.zeros(high - low + 1)
        chances[self._low - low : self.high - low + 1] = self._pmf
        return chances

    def close(self, other: Dist, within: float = 1e-12) -> bool:
        """Whether no chance differs by more than `within`."""
        low, high = min(self._low, other._low), max(self.high, other.high)
        return bool(np.abs(self.over(low, high) - other.over(low, high)).max() <= within)

    # -- independent numbers together

    def __add__(self, other: Number) -> Dist:
        if isinstance(other, Dist):
            return self._trusted(np.convolve(self._pmf, other._pmf), self._low + other._low)
        return self._trusted(self._pmf, self._low + index(other))

    __radd__ = __add__

    def __neg__(self) -> Dist:
        return self._trusted(self._pmf[::-1], -self.high)

    def __sub__(self, other: Number) -> Dist:
        return self + -other

    def __rsub__(self, other: int) -> Dist:
        return -self + other

    def __mul__(self, factor: int) -> Dist:
        """The number itself multiplied; `times` adds up several that are rolled apart."""
        if factor < 0:
            return -self * -factor
        if not factor:
            return self.certain(0)
        pmf = np.zeros((self._pmf.size - 1) * factor + 1)
        pmf[::factor] = self._pmf
        return self._trusted(pmf, self._low * factor)

    __rmul__ = __mul__

    def __floordiv__(self, divisor: int) -> Dist:
        """Divided and rounded down.

        >>> Dist.uniform(1, 6) // 3
        Dist({0: 0.3333, 1: 0.5, 2: 0.1667})
        """
        if divisor < 1:
            raise ValueError(f"cannot divide by {divisor}")
        low, high = self._low // divisor, self.high // divisor
        full = self.over(low * divisor, high * divisor + divisor - 1)
        return self._trusted(full.reshape(-1, divisor).sum(axis=1), low)

    def times(self, count: Number) -> Dist:
        """The sum of `count` independent numbers such as this one; the count itself may be rolled.

        >>> d6 = Dist.uniform(1, 6)
        >>> d6.times(3).high, round(d6.times(d6).mean, 9)
        (18, 12.25)
        """
        if isinstance(count, Dist):
            return self._times_rolled(count)
        if count < 0:
            raise ValueError(f"{count} dice cannot be added up")
        total, power = np.ones(1), self._pmf
        left = count
        while left:
            if left & 1:
                total = np.convolve(total, power)
            left >>= 1
            if left:
                power = np.convolve(power, power)
        return self._trusted(total, self._low * count)

    def _times_rolled(self, count: Dist) -> Dist:
        if count._low < 0:
            raise ValueError(f"{count._low} dice cannot be added up")
        if self._low < 0:
            return count.mix(self.times)
        # Horner's scheme over sums counted from 0: one short convolution a step, however many counts there are.
        one, total = self.over(0, self.high), np.zeros(1)
        for p in count._pmf[::-1]:
            total = np.convolve(total, one)
            total[0] += p
        return self._trusted(total, 0) + self.times(count._low)

    def thin(self, keep: float) -> Dist:
        """What is left when each point stays with probability `keep`: a ward rolled for every point of damage.

        >>> Dist.certain(2).thin(0.5)[1]
        0.5
        """
        return Dist.chance(keep).times(self)

    def max(self, other: Number) -> Dist:
        """The higher of two independent numbers."""
        return -((-self).min(-other))

    def min(self, other: Number) -> Dist:
        """The lower of two independent numbers; with a plain number, a cap.

        >>> Dist.uniform(1, 6).min(4)[4]
        0.5
        """
        if not isinstance(other, Dist):
            other = self.certain(other)
        low, high = min(self._low, other._low), max(self.high, other.high)
        mine, theirs = self.over(low, high), other.over(low, high)
        mine_up, theirs_up = (np.cumsum(pmf[::-1])[::-1] for pmf in (mine, theirs))
        return self._trusted(mine * theirs_up + theirs * np.append(mine_up[1:], 0.0), low)

    # -- consequences

    def map(self, change: Callable[[int], int]) -> Dist:
        """The number after `change`, a rule that reads it.

        >>> Dist.uniform(1, 6).map(lambda face: (face + 1) // 2)[3]
        0.3333333333333333
        """
        changed: dict[int, float] = {}
        for value, p in self.items():
            result = int(change(value))
            changed[result] = changed.get(result, 0.0) + p
        low = min(changed)
        pmf = np.zeros(max(changed) - low + 1)
        for result, p in changed.items():
            pmf[result - low] = p
        return self._trusted(pmf, low)

    def mix(self, follow: Callable[[int], Number]) -> Dist:
        """What follows from each value, known or rolled."""
        return self.mixture((p, follow(value)) for value, p in self.items())

    def given(self, known: Callable[[int], bool]) -> Dist:
        """The number once it is known that `known` holds; also what repeated throwing until it holds gives.

        >>> Dist.uniform(1, 6).given(lambda face: face >= 4).mean
        5.0
        """
        kept = {value: p for value, p in self.items() if known(value)}
        if not kept:
            raise ValueError("what is given cannot happen")
        return self.of(kept)

    def reroll(self, when: Callable[[int], bool]) -> Dist:
        """The roll with one re-roll wherever `when` holds; the second result stands, even if it is worse.

        >>> charge = Dist.uniform(1, 6).times(2)
        >>> round(charge.reroll(lambda inches: inches < 9).at_least(9), 4)
        0.4784
        """
        if self._rerolled:
            raise ValueError("a die is never re-rolled twice: give one condition that covers every source of re-rolls")
        again = np.array([bool(p) and when(self._low + i) for i, p in enumerate(self._pmf.tolist())])
        pmf = np.where(again, 0.0, self._pmf) + self._pmf[again].sum() * self._pmf
        dist = self._trusted(pmf, self._low)
        dist._rerolled = True
        return dist

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dist):
            return NotImplemented
        return self._low == other._low and np.array_equal(self._pmf, other._pmf)

    def __repr__(self) -> str:
        shown = ", ".join(f"{value}: {p:.4g}" for value, p in list(self.items())[:12])
        return f"Dist({{{shown}{', …' if self._pmf.size > 12 else ''}}})"
