"""How fast Warcry is: complete random battles with events and citations on, forks, answers given and taken back."""

from __future__ import annotations

from time import process_time
from typing import Any

import umpire
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng

BATTLES, FORKS, PAIRS = 40, 400, 3000


def play(seed: int, stop: int | None = None) -> Battle[Any]:
    """A random battle, to its end or up to a number of answers."""
    battle = umpire.battle("warcry", seed=seed)
    rng = Rng(seed)
    while battle.decision is not None and (stop is None or len(battle.answers) < stop):
        battle.answer(battle.decision.suggest(rng))
    return battle


def run() -> list[dict[str, Any]]:
    play(1)
    start, answers = process_time(), 0
    for seed in range(2, 2 + BATTLES):
        answers += len(play(seed).answers)
    taken = process_time() - start
    rate = BATTLES / taken

    forks = 0.0
    middle = [play(seed, 150) for seed in range(50, 58)]
    for battle in middle:
        start = process_time()
        for _ in range(FORKS // len(middle)):
            battle.fork()
        forks += process_time() - start
    fork = forks / FORKS * 1e6

    done, spent = 0, 0.0
    rng = Rng(9)
    for battle in middle:
        for _ in range(PAIRS // len(middle) // 25):
            if battle.decision is None:
                break
            answer = battle.decision.suggest(rng)
            start = process_time()
            for _ in range(25):
                battle.answer(answer)
                battle.undo()
            spent += process_time() - start
            done += 25
            battle.answer(answer)
    pairs = done / spent
    return [
        {"name": "warcry: random battles", "value": round(rate, 1), "unit": "/s", "bar": ">= 20", "ok": rate >= 20},
        {"name": "warcry: decisions a battle", "value": round(answers / BATTLES, 1), "unit": ""},
        {"name": "warcry: decisions", "value": round(answers / taken), "unit": "/s"},
        {"name": "warcry: fork", "value": round(fork, 1), "unit": "µs", "bar": "< 150", "ok": fork < 150},
        {
            "name": "warcry: answer and undo",
            "value": round(pairs),
            "unit": "/s",
            "bar": ">= 5,000",
            "ok": pairs >= 5000,
        },
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
