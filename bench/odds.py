"""How fast the exact odds are: 30 attacks, hit 3+, wound 4+, save 5+, D3 damage, on models of two wounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from statistics import median
from time import perf_counter
from typing import Any

import icepool
import numpy as np
import numpy.typing as npt

from umpire.odds import D3, Dist, Target, faces

Ints = npt.NDArray[np.int64]

ATTACKS, WOUNDS, TRIALS = 30, 2, 100_000
ICEPOOL_MS, WARHAMMER_STATS_MS = 24.0, 12.0
"""The faster ends of what these two take for the same distribution on a machine of this kind."""


def exact() -> tuple[Dist, Dist]:
    """Models slain and damage done, from the dice on: nothing is kept from one call to the next."""
    save = faces(6, lambda face: face >= 5).mix({True: 0, False: D3})
    wound = faces(6, lambda face: face >= 4).mix({True: save, False: 0})
    attack = faces(6, lambda face: face >= 3).mix({True: wound, False: 0})
    after = Target(wounds=WOUNDS).suffer_each(attack, attacks=ATTACKS)
    return after.slain, after.damage


def simulated(rng: np.random.Generator) -> tuple[Ints, Ints]:
    """The same attack, rolled many times at once."""
    shape = (TRIALS, ATTACKS)
    hit, wound, save, damage = (rng.integers(1, 7, size=shape, dtype=np.int8) for _ in range(4))
    done = np.where((hit >= 3) & (wound >= 4) & (save < 5), (damage + 1) // 2, 0)
    lost = np.zeros(TRIALS, dtype=np.int64)
    for attack in done.T:
        lost += np.minimum(attack, WOUNDS - lost % WOUNDS)
    return lost // WOUNDS, lost


def by_icepool() -> Any:
    """The same distribution from icepool, one attack after another on the wounds lost so far."""
    attack = icepool.Die([0] * 7 + [1, 1]).if_else((icepool.d6 + 1) // 2, 0)

    def lose(lost: int, damage: int) -> int:
        return lost + min(damage, WOUNDS - lost % WOUNDS)

    return reduce(lambda lost, _: icepool.map(lose, lost, attack), range(ATTACKS), icepool.Die([0]))


def seconds(work: Callable[[], object], rounds: int) -> float:
    """The median time of one call."""
    times = []
    for _ in range(rounds):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return median(times)


def run() -> list[dict[str, Any]]:
    """The figures: name, value, unit, bar, and whether the bar is met."""
    rng = np.random.default_rng(7)
    start = perf_counter()
    slain, damage = exact()
    first = 1e3 * (perf_counter() - start)
    ours = 1e3 * seconds(exact, 200)
    numpy_ms = 1e3 * seconds(lambda: simulated(rng), 5)
    icepool_ms = 1e3 * seconds(by_icepool, 5)
    rolled_slain, rolled_lost = simulated(rng)
    other = Dist.of({int(lost): int(weight) for lost, weight in by_icepool().items()})
    error = max(abs(slain.mean - rolled_slain.mean()), abs(damage.mean - rolled_lost.mean()))
    difference = np.abs(damage.over(0, 2 * ATTACKS) - other.over(0, 2 * ATTACKS)).max()
    return [
        _at_most("exact distribution of 30 attacks", ours, 0.5, "ms"),
        _at_most("the very first call", first, 5.0, "ms"),
        _at_least("faster than NumPy simulating 100,000 trials", numpy_ms / ours, 50.0, "times"),
        _at_least("faster than icepool, run here", icepool_ms / ours, 20.0, "times"),
        _at_least("faster than icepool, at 24 ms", ICEPOOL_MS / ours, 20.0, "times"),
        _at_least("faster than warhammer-stats, at 12 ms", WARHAMMER_STATS_MS / ours, 20.0, "times"),
        _at_most("means apart from the simulation", error, 0.05, "points"),
        _at_most("largest chance apart from icepool", float(difference), 1e-12, ""),
    ]


def _at_most(name: str, value: float, bar: float, unit: str) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "bar": f"<= {bar:g}", "ok": value <= bar}


def _at_least(name: str, value: float, bar: float, unit: str) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "bar": f">= {bar:g}", "ok": value >= bar}


if __name__ == "__main__":
    for figure in run():
        print(f"{figure['name']:<48}{figure['value']:>12.4g} {figure['unit']:<7}{figure['bar']:<10}{figure['ok']}")
