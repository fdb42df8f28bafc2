"""Do dice that were really rolled agree with the odds?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import exp, inf, lgamma, log
from typing import NamedTuple, TypeVar

from umpire.odds.dist import Dist
from umpire.odds.outcomes import Outcomes

T = TypeVar("T")

_FEWEST = 5.0
"""Below this expected count the chi-square approximation is poor, so rarer results are counted together."""


class Agreement(NamedTuple):
    """A chi-square test; `p` is the chance that true odds look as bad as this or worse."""

    chi_square: float
    freedom: int
    p: float


def agree(odds: Dist | Outcomes[T], seen: Iterable[object] | Mapping[T, int] | Mapping[int, int]) -> Agreement:
    """Compare odds with results seen in play, given one by one or as counts.

    A result that the odds hold impossible gives p = 0.

    >>> from umpire.odds import D6
    >>> agree(D6, {1: 95, 2: 105, 3: 99, 4: 101, 5: 103, 6: 97}).p > 0.9
    True
    >>> agree(D6, [1, 2, 3, 7]).p
    0.0
    """
    counts: Counter[object] = Counter(seen)
    total = counts.total()
    if not total:
        raise ValueError("nothing was seen")
    expected: dict[object, float] = {result: p * total for result, p in odds.items()}
    if any(result not in expected for result in counts):
        return Agreement(inf, len(expected), 0.0)
    cells: list[tuple[float, int]] = []
    rare, rare_seen = 0.0, 0
    for result, count in expected.items():
        if count >= _FEWEST:
            cells.append((count, counts[result]))
        else:
            rare, rare_seen = rare + count, rare_seen + counts[result]
    if rare >= _FEWEST or not cells:
        cells.append((rare, rare_seen))
    elif rare:
        least = min(range(len(cells)), key=cells.__getitem__)
        cells[least] = (cells[least][0] + rare, cells[least][1] + rare_seen)
    chi_square = sum((count - many) ** 2 / many for many, count in cells)
    freedom = len(cells) - 1
    return Agreement(chi_square, freedom, _gamma_above(freedom / 2, chi_square / 2) if freedom else 1.0)


def _gamma_above(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x)."""
    if x <= 0.0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1.0:
        term = total = 1.0 / a
        n = a
        while term > total * 1e-16:
            n += 1.0
            term *= x / n
            total += term
        return max(0.0, 1.0 - scale * total)
    # Lentz's continued fraction, which converges fast where the series does not.
    b = x + 1.0 - a
    c, d = 1e300, 1.0 / b
    fraction = d
    for i in range(1, 10_000):
        b += 2.0
        an = i * (a - i)
        d = 1.0 / (an * d + b)
        c = b + an / c
        fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return scale * fraction
