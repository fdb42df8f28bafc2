"""How sure a result is: Wilson intervals, and ratings from round robins with their own."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

Z95 = 1.959963984540054
ELO = 400 / math.log(10)


class Share(msgspec.Struct, frozen=True):
    """A share of points won, and its 95 % interval."""

    points: float
    of: int
    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.share:.1%} [{self.low:.1%}, {self.high:.1%}]"


def share(points: float, of: int, z: float = Z95) -> Share:
    """Wilson's interval; a draw counts as half a point.

    >>> print(share(95, 100))
    95.0% [88.8%, 97.8%]
    >>> share(0, 0).high
    1.0
    """
    if of == 0:
        return Share(points, 0, 0.5, 0.0, 1.0)
    p = points / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    reach = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return Share(points, of, p, max(0.0, min(p, middle - reach)), min(1.0, max(p, middle + reach)))


class Rating(msgspec.Struct, frozen=True):
    """An Elo rating about a mean of 1500, and its 95 % interval."""

    name: str
    elo: float
    low: float
    high: float
    battles: int


def ratings(names: Sequence[str], games: Sequence[tuple[int, int, float]]) -> list[Rating]:
    """Elo by maximum likelihood (Bradley and Terry) from all games at once: (a, b, points of a).

    One drawn game between each pair that met is added, so that whoever won everything still has a rating.
    The interval comes from the likelihood's curvature.

    >>> [(r.name, round(r.elo)) for r in ratings("AB", [(0, 1, 1.0)] * 75 + [(0, 1, 0.0)] * 25)]
    [('A', 1594), ('B', 1406)]
    """
    n = len(names)
    won, met = np.zeros((n, n)), np.zeros((n, n))
    for a, b, points in games:
        won[a, b] += points
        won[b, a] += 1 - points
        met[a, b] += 1
        met[b, a] += 1
    battles = met.sum(axis=1)
    pairs = met > 0
    won += 0.5 * pairs
    met += pairs
    strength = np.zeros(n)
    for _ in range(100):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (won - met * expected).sum(axis=1)
        bend = met * expected * (1 - expected)
        curve = np.diag(bend.sum(axis=1)) - bend
        step = np.linalg.pinv(curve) @ slope
        strength = strength + step
        if np.abs(step).max() < 1e-10:
            break
    reach = Z95 * ELO * np.sqrt(np.maximum(np.diag(np.linalg.pinv(curve)), 0))
    elo = 1500 + ELO * (strength - strength.mean())
    rows = [
        Rating(name, float(elo[i]), float(elo[i] - reach[i]), float(elo[i] + reach[i]), int(battles[i]))
        for i, name in enumerate(names)
    ]
    return sorted(rows, key=lambda rating: -rating.elo)
