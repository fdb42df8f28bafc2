"""What the benches of single games have in common: timing by the processor, battles a second, rows with their bars."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.rng import Rng


def timed(work: Callable[[], Any]) -> float:
    start = process_time()
    work()
    return process_time() - start


def battles_a_second(begun: Callable[[int], Battle[Any]], battles: int) -> float:
    """Random battles; the first, in which kernels are loaded, does not count."""
    taken = 0.0
    for seed in range(battles + 1):
        battle, rng = begun(seed), Rng(seed)
        start = process_time()
        while battle.decision is not None:
            battle.answer(battle.decision.suggest(rng))
        taken += process_time() - start if seed else 0.0
    return battles / taken


def forks(battle: Battle[Any]) -> list[float]:
    """Seconds for forks; the first one also makes a checkpoint."""
    return [timed(battle.fork) for _ in range(3)][1:]


def row(name: str, value: float, unit: str, bar: float | None = None, least: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = {"name": name, "value": value, "unit": unit}
    if bar is not None:
        found |= {"bar": f"{'>=' if least else '<='} {bar:g}", "ok": value >= bar if least else value <= bar}
    return found


def titled(game: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**entry, "name": f"{game}: {entry['name']}"} for entry in rows]


def share(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def show(rows: list[dict[str, Any]]) -> None:
    for entry in rows:
        print(
            f"{entry['name']:60} {entry['value']:10.2f} {entry['unit']:4} {entry.get('bar', '')} {entry.get('ok', '')}"
        )
