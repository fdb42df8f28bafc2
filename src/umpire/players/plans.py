"""What a planner thinks in: plans, their steps, and the points where plans part."""

from __future__ import annotations

import msgspec

from umpire.engine.decisions import Json
from umpire.engine.state import State


class Step(msgspec.Struct, frozen=True):
    """An answer of a plan, and the question that it is meant for."""

    prompt: str
    about: str
    answer: Json


class Plan(msgspec.Struct):
    """Answers of one's own, one after another, and what they were worth each time they were played out; `end` is the
    position that they led to, `gain` what dice are expected to add to it."""

    steps: list[Step]
    values: list[float]
    chancy: bool = False
    end: State | None = None
    gain: float = 0.0

    @property
    def value(self) -> float:
        return sum(self.values) / len(self.values)


class Fork(msgspec.Struct):
    """A point that plans have come by: how many went on from here, and where to."""

    visits: int = 0
    ways: list[tuple[Json, Fork]] = []

    def after(self, answer: Json) -> Fork:
        for known, fork in self.ways:
            if known == answer:
                return fork
        fork = Fork()
        self.ways.append((answer, fork))
        return fork
