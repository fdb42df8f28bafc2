"""How strong and how fast the planner is: paired battles against chance, itself, and the clock.

UMPIRE_PAIRS says how many pairs each comparison plays (default 50, that is 100 battles); UMPIRE_GAMES which games.
"""

from __future__ import annotations

import os
import time
from typing import Any

from umpire.arena import compare
from umpire.engine.beginning import battle
from umpire.players import play, player

PAIRS = int(os.environ.get("UMPIRE_PAIRS", "50"))
GAMES = os.environ.get("UMPIRE_GAMES", "warcry,aos,conquest,wh40k").split(",")


def strength(game: str) -> list[dict[str, Any]]:
    found = compare(game, "planner", "random", PAIRS, seed=1000)
    null = compare(game, "planner", "planner", max(1, PAIRS // 2), seed=5000)
    return [
        {
            "name": f"{game}: planner beats random [{found.wins.low:.1%}, {found.wins.high:.1%}]",
            "value": 100 * found.wins.share,
            "unit": "%",
            "bar": ">= 95",
            "ok": found.wins.share >= 0.95 and not found.errors,
        },
        {
            "name": f"{game}: planner against itself [{null.points.low:.1%}, {null.points.high:.1%}]",
            "value": 100 * null.points.share,
            "unit": "%",
            "bar": "50 within the interval",
            "ok": not null.differs and not null.errors,
        },
    ]


def pace(game: str, battles: int = 20) -> float:
    """Battles of planner against planner a second, on one core."""
    play(battle(game, seed=999), [player("planner", side, None) for side in (0, 1)])
    began = time.process_time()
    for seed in range(battles):
        play(battle(game, seed=seed), [player("planner", 2 * seed + side, None) for side in (0, 1)])
    return battles / (time.process_time() - began)


def run() -> list[dict[str, Any]]:
    rows = [row for game in GAMES for row in strength(game)]
    for game in GAMES:
        rate = pace(game, 20 if game == "warcry" else 3)
        bar = {"bar": ">= 1", "ok": rate >= 1} if game == "warcry" else {}
        rows.append({"name": f"{game}: planner against planner", "value": rate, "unit": "battles/s", **bar})
    return rows


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']:64} {row['value']:10.2f} {row['unit']:10} {row.get('bar', '')} {row.get('ok', '')}")
