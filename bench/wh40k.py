"""Warhammer 40,000 against its bars: battles of two sizes, a unit's whole shooting, drags, forks, and how many
questions a person is asked in a turn.

UMPIRE_QUESTIONS says over how many battles between planners the questions are counted (default 2).
"""

from __future__ import annotations

import os
import statistics
import sys
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

import umpire
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.games.wh40k import lines
from umpire.players import player

sys.path.append(str(Path(__file__).parent))
from _figures import battles_a_second, forks, row, share, show, timed, titled

SIZES = {1000: ("incursion", 20, 3.0), 2000: ("strike-force", 8, 1.0)}
"""Points: the battle size, how many battles, and how many a second there must be."""
TEN = 10
DRAGS = 40
COUNTED = int(os.environ.get("UMPIRE_QUESTIONS", "2"))


def begun(seed: int, size: str) -> Battle[Any]:
    return umpire.battle("wh40k", seed=seed, options={"size": size})


def shooting(battle: Battle[Any]) -> list[float]:
    """Seconds for each unit of ten models that may shoot here: all it may declare is found, and its whole declaration
    is judged; nothing that was found before is of use."""
    found = []
    ask = battle.decision
    for option in getattr(ask, "options", ()):
        unit = battle.state.units.get(option)
        if unit is None or len(unit.models) < TEN:
            continue
        fork = battle.fork()

        def judged(fork: Battle[Any] = fork, option: str = option) -> None:
            fork.answer(option)
            if fork.decision is not None and fork.decision.prompt.key == "ask.declare":
                assert fork.check(fork.decision.default).legal  # type: ignore[attr-defined]

        lines._FOUND.clear()
        found.append(timed(judged))
    return found


def drags(battle: Battle[Any], rng: Rng) -> list[float]:
    """Seconds for the rulings on places to which a unit is dragged."""
    ask: Any = battle.decision
    x, y = ask.mover.form.start.x, ask.mover.form.start.y
    far = ask.mover.form.limit * 1.2
    found = []
    for _ in range(DRAGS):
        wish = {"to": {"x": round(x + rng.uniform(-far, far), 3), "y": round(y + rng.uniform(-far, far), 3)}}
        found.append(timed(lambda wish=wish: battle.check(wish)))  # type: ignore[misc]
    return found


def judging() -> dict[str, list[float]]:
    """Rulings and forks in the middle of battles."""
    found: dict[str, list[float]] = {"shooting": [], "drag": [], "fork": []}
    for seed in range(40, 52):
        battle, rng = begun(seed, "incursion"), Rng(seed)
        moves = 0
        while (ask := battle.decision) is not None:
            if ask.prompt.key == "ask.shoot":
                found["shooting"] += shooting(battle)
            elif ask.prompt.key == "ask.move":
                moves += 1
                if moves % 5 == 1:
                    found["drag"] += drags(battle, rng)
            if len(battle.answers) % 3 == 0:
                found["fork"] += forks(battle)
            battle.answer(ask.suggest(rng))
    return found


def questions() -> dict[str, Any]:
    """What planners are asked in a turn, by turns: whose it is, and the other side; and their slowest decision."""
    own: list[int] = []
    other: list[int] = []
    units: list[int] = []
    kinds: Counter[str] = Counter()
    slowest = 0.0
    for seed in range(COUNTED):
        battle = begun(seed, "incursion")
        units += [sum(unit.side == side for unit in battle.state.units.values()) for side in (0, 1)]
        minds = [player("planner", 2 * seed + side, 1.0) for side in (0, 1)]
        asked: Counter[tuple[str, bool]] = Counter()
        while (ask := battle.decision) is not None:
            state = battle.state
            if state.round:
                mine = ask.side == state.active
                asked[state.turn, mine] += 1
                asked[state.turn, not mine] += 0
                kinds[ask.prompt.key] += mine
            start = process_time()
            answer = minds[ask.side].choose(battle, ask.side, ask)
            slowest = max(slowest, process_time() - start)
            battle.answer(answer, ask.side)
        own += [number for (_, mine), number in asked.items() if mine]
        other += [number for (_, mine), number in asked.items() if not mine]
    return {"own": own, "other": other, "units": units, "kinds": kinds, "slowest": slowest}


def run() -> list[dict[str, Any]]:
    rows = []
    for points, (size, battles, bar) in SIZES.items():
        pace = battles_a_second(lambda seed, size=size: begun(seed, size), battles)  # type: ignore[misc]
        rows.append(row(f"random battles at {points:,} points", pace, "/s", bar, True))
    found = judging()
    for key, name, bar, scale, unit in (
        ("shooting", "shooting of ten models", 10, 1e3, "ms"),
        ("drag", "ruling on a drag", 5, 1e3, "ms"),
        ("fork", "fork", 150, 1e6, "µs"),
    ):
        rows.append(row(f"{name}, median of {len(found[key])}", share(found[key], 0.5) * scale, unit, bar))
        rows.append(row(f"{name}, 95 of 100", share(found[key], 0.95) * scale, unit, None if key == "fork" else bar))
    if COUNTED:
        asked = questions()
        armies = f"{statistics.median(asked['units']):g} units"
        rows.append(row(f"questions in one's own turn, {armies}, median", statistics.median(asked["own"]), "", 60))
        rows.append(row("questions in one's own turn, 95 of 100", share(asked["own"], 0.95), ""))
        rows.append(row("questions in the other's turn, median", statistics.median(asked["other"]), ""))
        rows.append(row("slowest decision of a planner", asked["slowest"], "s", 1))
        for kind, number in asked["kinds"].most_common(12):
            rows.append(row(f"  {kind}, a turn", number / len(asked["own"]), ""))
    return titled("wh40k", rows)


if __name__ == "__main__":
    show(run())
