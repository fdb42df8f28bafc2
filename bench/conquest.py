"""How fast Conquest is: complete random battles at 1,500 points a side with events and citations on, and forks."""

from __future__ import annotations

from time import perf_counter, process_time
from typing import Any

import umpire
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng

BATTLES, FORKS = 30, 400


def play(seed: int, stop: int | None = None) -> Battle[Any]:
    """A random battle, to its end or up to a number of answers."""
    battle = umpire.battle("conquest", seed=seed)
    rng = Rng(seed)
    while battle.decision is not None and (stop is None or len(battle.answers) < stop):
        battle.answer(battle.decision.suggest(rng))
    return battle


def run() -> list[dict[str, Any]]:
    play(1)
    play(2)
    start, answers, regiments = process_time(), 0, 0
    for seed in range(3, 3 + BATTLES):
        battle = play(seed)
        answers += len(battle.answers)
        regiments += len(battle.state.regiments)
    taken = process_time() - start
    rate = BATTLES / taken
    forks = 0.0
    middle = [play(seed, 150) for seed in range(50, 58)]
    for battle in middle:
        start = perf_counter()
        for _ in range(FORKS // len(middle)):
            battle.fork()
        forks += perf_counter() - start
    return [
        {"name": "conquest: random battles", "value": round(rate, 1), "unit": "/s", "bar": ">= 5", "ok": rate >= 5},
        {"name": "conquest: decisions a battle", "value": round(answers / BATTLES, 1), "unit": ""},
        {"name": "conquest: regiments a battle", "value": round(regiments / BATTLES, 1), "unit": ""},
        {"name": "conquest: decisions", "value": round(answers / taken), "unit": "/s"},
        {"name": "conquest: fork", "value": round(forks / FORKS * 1e6, 1), "unit": "µs"},
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
