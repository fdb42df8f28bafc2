"""The time of one decision: no step of thought is begun that would probably not end in time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

FADE = 0.98
"""What was slow once is feared less with every step that is not."""


class OutOfTime(Exception):  # noqa: N818 - a signal, not an error
    """The budget of a decision is used up."""


class Clock:
    """`now` tells the time in seconds. What steps of a kind have taken says whether there is time for another; one of
    a kind that has never been taken is feared as much as the slowest that has."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self.now = now
        self.began = 0.0
        self._end: float | None = None
        self._costs: dict[str, float] = {}

    def begin(self, seconds: float | None) -> None:
        """A decision is to be made in so many seconds; None takes as long as it takes."""
        self.began = self.now()
        self._end = None if seconds is None else self.began + seconds

    @property
    def bound(self) -> bool:
        return self._end is not None

    @property
    def passed(self) -> float:
        """The seconds since the decision was put."""
        return self.now() - self.began

    def spend(self, kind: str, step: Callable[[], T]) -> T:
        """Take a step of thought, or raise `OutOfTime` if it would probably not end in time."""
        if self._end is None:
            return step()
        began = self.now()
        feared = self._costs[kind] if kind in self._costs else max(self._costs.values(), default=0.0)
        if began + feared >= self._end:
            raise OutOfTime
        try:
            return step()
        finally:
            self._costs[kind] = max(self.now() - began, FADE * self._costs.get(kind, 0.0))
