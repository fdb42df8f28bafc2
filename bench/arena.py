"""Many battles on several cores: what a second worker is worth."""

from __future__ import annotations

import time
from typing import Any

from umpire.arena import Series
from umpire.arena import run as fight
from umpire.arena.pool import cores

BATTLES = 60


def seconds(game: str, jobs: int) -> float:
    began = time.perf_counter()
    found, _ = fight(Series(game=game, battles=BATTLES, seed=1), jobs=jobs)
    assert not found.errors, found.failures
    return time.perf_counter() - began


def run() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for game in ("warcry", "aos"):
        seconds(game, 1)
        one = min(seconds(game, 1) for _ in range(3))
        two = min(seconds(game, 2) for _ in range(3))
        enough = cores() >= 2
        rows.append({"name": f"{game}: random battles, one worker", "value": BATTLES / one, "unit": "/s"})
        rows.append(
            {
                "name": f"{game}: two workers / one",
                "value": one / two,
                "unit": "x",
                "bar": ">= 1.8",
                "ok": one / two >= 1.8 if enough else None,
            }
        )
    return rows


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']:40} {row['value']:10.2f} {row['unit']:4} {row.get('bar', '')} {row.get('ok', '')}")
