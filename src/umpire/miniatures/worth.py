"""How good a position is: what the outcome says, else the sum of its terms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

DECIDED = 50_000.0
"""What a battle that is won is worth: more than any position."""


def worth_of(
    terms: Callable[[Any, int], dict[str, float]], add: Callable[[Iterable[float]], float] = math.fsum
) -> Callable[[Any, int], float]:
    """The position in points: what a side has, less what the other has, as `terms` tells it by name."""

    def worth(state: Any, side: int) -> float:
        if state.outcome is not None:
            winner = state.outcome.winner
            return 0.0 if winner is None else DECIDED if winner == side else -DECIDED
        return add(terms(state, side).values())

    return worth


def fallen(units: Iterable[tuple[int, float, float]]) -> tuple[float, float]:
    """The share of each army's points that has fallen, from the side, the points and the fallen share of every unit."""
    told = list(units)
    whole = [max(1.0, math.fsum(points for of, points, _ in told if of == side)) for side in (0, 1)]
    lost = [math.fsum(points * share for of, points, share in told if of == side) for side in (0, 1)]
    return lost[0] / whole[0], lost[1] / whole[1]
