"""How fast Age of Sigmar is: complete random battles of 1,000 points a side with events and citations on, and forks."""

from __future__ import annotations

from time import perf_counter, process_time
from typing import Any

import umpire
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng

BATTLES, FORKS = 30, 400


def play(seed: int, stop: int | None = None) -> Battle[Any]:
    """A random battle, to its end or up to a number of answers."""
    battle = umpire.battle("aos", seed=seed)
    rng = Rng(seed)
    while battle.decision is not None and (stop is None or len(battle.answers) < stop):
        battle.answer(battle.decision.suggest(rng))
    return battle


def run() -> list[dict[str, Any]]:
    play(1)
    start, answers, models = process_time(), 0, 0
    for seed in range(2, 2 + BATTLES):
        battle = play(seed)
        answers += len(battle.answers)
        models += sum(unit.size for unit in battle.state.units.values() if unit.profile.kind == "unit")
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
        {"name": "aos: random battles", "value": round(rate, 1), "unit": "/s", "bar": ">= 5", "ok": rate >= 5},
        {"name": "aos: decisions a battle", "value": round(answers / BATTLES, 1), "unit": ""},
        {"name": "aos: models a battle", "value": round(models / BATTLES, 1), "unit": ""},
        {"name": "aos: decisions", "value": round(answers / taken), "unit": "/s"},
        {"name": "aos: fork", "value": round(forks / FORKS * 1e6, 1), "unit": "µs"},
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
