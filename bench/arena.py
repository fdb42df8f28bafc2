"""Many battles on several cores: what a second worker is worth, and what the process that hands battles out costs."""

from __future__ import annotations

import resource
import time
from typing import Any, NamedTuple

from umpire.arena import Contestant, Series
from umpire.arena import run as fight
from umpire.arena.pool import cores

RANDOM = (Contestant("random"), Contestant("random"))
PLANNER = (Contestant("planner"), Contestant("random"))
ROWS = (
    ("warcry", RANDOM, 120),
    ("aos", RANDOM, 40),
    ("conquest", RANDOM, 40),
    ("warcry", PLANNER, 8),
)
TIMES = 3


class Cost(NamedTuple):
    """Seconds on the clock, and of the processor in the process that hands battles out and in its workers."""

    clock: float
    parent: float
    workers: float


def processor(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def cost(series: Series, jobs: int) -> Cost:
    clock = time.perf_counter()
    parent, workers = processor(resource.RUSAGE_SELF), processor(resource.RUSAGE_CHILDREN)
    found, _ = fight(series, jobs=jobs)
    assert not found.errors, found.failures
    return Cost(
        time.perf_counter() - clock,
        processor(resource.RUSAGE_SELF) - parent,
        processor(resource.RUSAGE_CHILDREN) - workers,
    )


def run() -> list[dict[str, Any]]:
    """The figures. A second worker can only be worth something where a second core is free."""
    rows: list[dict[str, Any]] = []
    for game, contestants, battles in ROWS:
        series = Series(game=game, battles=battles, seed=1, contestants=contestants)
        name = f"{game}, {contestants[0].player}"
        fight(Series(game=game, battles=2, seed=1, contestants=contestants), jobs=1)
        one = min(cost(series, 1) for _ in range(TIMES))
        two = min(cost(series, 2) for _ in range(TIMES))
        worth = one.clock / two.clock
        share = two.parent / (two.parent + two.workers)
        rows += [
            {"name": f"{name}: battles, one worker", "value": battles / one.clock, "unit": "/s"},
            {
                "name": f"{name}: two workers / one",
                "value": worth,
                "unit": "x",
                "bar": ">= 1.8",
                "ok": worth >= 1.8 if cores() >= 2 else None,
            },
            {
                "name": f"{name}: handing out, of all work",
                "value": 100 * share,
                "unit": "%",
                "bar": "<= 3",
                "ok": share <= 0.03,
            },
            {"name": f"{name}: work of two workers / of one", "value": two.workers / one.workers, "unit": "x"},
        ]
    return rows


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']:48} {row['value']:10.2f} {row['unit']:4} {row.get('bar', '')} {row.get('ok', '')}")
