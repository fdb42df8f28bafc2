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
