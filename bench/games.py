"""How fast the games are: complete random battles with events and citations on, forks, answers given and taken back."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import umpire
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng

BATTLES, FORKS, PAIRS = 40, 400, 3000

BARS: dict[str, dict[str, float]] = {
    "warcry": {"battles": 20, "fork": 150, "pairs": 5000},
    "aos": {"battles": 5},
    "conquest": {"battles": 5},
}


def play(game: str, seed: int, stop: int | None = None) -> Battle[Any]:
    """A random battle, to its end or up to a number of answers."""
    battle = umpire.battle(game, seed=seed)
    rng = Rng(seed)
    while battle.decision is not None and (stop is None or len(battle.answers) < stop):
        battle.answer(battle.decision.suggest(rng))
    return battle


def spent(work: Callable[[], Any], times: int) -> float:
    start = process_time()
    for _ in range(times):
        work()
    return process_time() - start


def whole_battles(game: str) -> tuple[float, float]:
    """Seconds and decisions of one battle."""
    for seed in range(2):
        play(game, seed)
    start, answers = process_time(), 0
    for seed in range(2, 2 + BATTLES):
        answers += len(play(game, seed).answers)
    return (process_time() - start) / BATTLES, answers / BATTLES


def pair_seconds(battles: list[Battle[Any]]) -> float:
    """Seconds that an answer and its undoing take together, at many questions of several battles."""
    rng, done, taken = Rng(9), 0, 0.0
    for battle in battles:
        for _ in range(PAIRS // len(battles) // 25):
            if battle.decision is None:
                break
            answer = battle.decision.suggest(rng)

            def there_and_back(battle: Battle[Any] = battle, answer: Any = answer) -> None:
                battle.answer(answer)
                battle.undo()

            taken += spent(there_and_back, 25)
            done += 25
            battle.answer(answer)
    return taken / done


def run() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for game, bars in BARS.items():
        seconds, decisions = whole_battles(game)
        middle = [play(game, seed, 150) for seed in range(50, 58)]
        fork = sum(spent(battle.fork, FORKS // len(middle)) for battle in middle) / FORKS * 1e6
        pairs = 1 / pair_seconds(middle)
        rate = 1 / seconds
        bar = bars["battles"]
        rows += [
            {"name": f"{game}: random battles", "value": rate, "unit": "/s", "bar": f">= {bar:g}", "ok": rate >= bar},
            {"name": f"{game}: decisions a battle", "value": decisions, "unit": ""},
            {"name": f"{game}: fork", "value": fork, "unit": "µs"},
            {"name": f"{game}: answer and undo", "value": pairs, "unit": "/s"},
        ]
        if "fork" in bars:
            rows[-2] |= {"bar": f"< {bars['fork']:g}", "ok": fork < bars["fork"]}
        if "pairs" in bars:
            rows[-1] |= {"bar": f">= {bars['pairs']:g}", "ok": pairs >= bars["pairs"]}
    return rows


if __name__ == "__main__":
    for row in run():
        print(row)
