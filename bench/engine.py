"""The engine's own cost, measured on the tiny game: decisions a second, forks, and how that compares with deepcopy."""

from __future__ import annotations

import copy
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import tiny
from umpire.engine.battle import Battle
from umpire.engine.beginning import battle
from umpire.engine.rng import Rng

PAIR = [{"pawns": 5}, {"pawns": 5}]


def _played(seeds: int) -> list[list[Any]]:
    """Battles played at random beforehand, so that only the engine is timed and not the player."""
    rng = Rng(1)
    answers = []
    for seed in range(seeds):
        fight = battle(tiny.GAME.id, sides=PAIR, seed=seed)
        while (ask := fight.decision) is not None:
            fight.answer(ask.suggest(rng))
        answers.append([entry.answer for entry in fight.answers])
    return answers


def decisions_per_second() -> float:
    played = _played(60)

    def once() -> float:
        count, start = 0, time.process_time()
        for seed, answers in enumerate(played):
            fight = battle(tiny.GAME.id, sides=PAIR, seed=seed)
            for answer in answers:
                fight.answer(answer)
            count += len(answers)
        return count / (time.process_time() - start)

    return statistics.median(once() for _ in range(7))


def hundred_models() -> Battle[Any]:
    fight = battle(tiny.GAME.id, sides=[{"pawns": 50}, {"pawns": 50}], seed=1)
    while (ask := fight.decision) is not None and ask.kind != "move":
        fight.answer(ask.suggest())
    return fight


def median_time(work: Any, rounds: int, each: int) -> float:
    def once() -> float:
        start = time.process_time()
        for _ in range(each):
            work()
        return (time.process_time() - start) / each

    return statistics.median(once() for _ in range(rounds))


def seconds_to_run(*args: str) -> float:
    def once() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start

    return statistics.median(once() for _ in range(5))


def run() -> list[dict[str, Any]]:
    rate = decisions_per_second()
    fight = hundred_models()
    fork = median_time(fight.fork, 7, 300)
    deep = median_time(lambda: copy.deepcopy(fight.state), 5, 20)
    bare = seconds_to_run("-c", "pass")
    load = seconds_to_run("-c", "import umpire; umpire.battle") - bare
    help_ = seconds_to_run("-m", "umpire.cli", "--help")
    return [
        {"name": "decisions answered", "value": rate, "unit": "/s", "bar": ">= 50000", "ok": rate >= 50_000},
        {"name": "fork, 100 models", "value": fork * 1e6, "unit": "µs", "bar": "<= 150", "ok": fork <= 150e-6},
        {"name": "deepcopy / fork", "value": deep / fork, "unit": "x", "bar": ">= 20", "ok": deep / fork >= 20},
        {"name": "import umpire", "value": load, "unit": "s", "bar": "< 0.2", "ok": load < 0.2},
        {"name": "umpire --help", "value": help_, "unit": "s", "bar": "< 0.3", "ok": help_ < 0.3},
    ]


if __name__ == "__main__":
    for row in run():
        print(
            f"{row['name']:24} {row['value']:12.3f} {row['unit']:4} {row['bar']:12} {'ok' if row['ok'] else 'MISSED'}"
        )
