"""Random decisions by the million: battles between random players one after the other, until so many decisions were
taken; every decision is answered, and every error is told with the seed that brings it back.

python bench/decisions.py GAME [COUNT] [SEED] [OPTION=VALUE …]
"""

from __future__ import annotations

import sys
import time
import traceback
from typing import Any

import umpire
from umpire.engine.rng import Rng

TOLD = 60.0
"""Seconds of processor time between two lines."""


def played(game: str, seed: int, options: dict[str, Any]) -> int:
    """One random battle to its end: how many decisions it took."""
    battle, rng = umpire.battle(game, seed=seed, options=options), Rng(seed)
    while battle.decision is not None:
        battle.answer(battle.decision.suggest(rng))
    return len(battle.answers)


def main() -> None:
    options = dict(part.split("=", 1) for part in sys.argv[1:] if "=" in part)
    plain = [part for part in sys.argv[1:] if "=" not in part]
    game = plain[0]
    count = int(plain[1]) if len(plain) > 1 else 1_000_000
    seed = first = int(plain[2]) if len(plain) > 2 else 100_000
    taken = errors = 0
    start = told = time.process_time()
    while taken < count:
        try:
            taken += played(game, seed, dict(options))
        except Exception:
            errors += 1
            print(f"{game}: seed {seed}\n{traceback.format_exc()}", flush=True)
        seed += 1
        now = time.process_time()
        if now - told > TOLD or taken >= count:
            told = now
            told_of = f"{taken} decisions, {seed - first} battles, {errors} errors, {now - start:.0f} s"
            print(f"{game}: {told_of}", flush=True)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
