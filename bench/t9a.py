"""The Ninth Age against its bars: battles of two sizes, drags, the contact of a charge, forks."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import umpire
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.games.t9a import aligning, charge_ground, charge_moves, misaligned

sys.path.append(str(Path(__file__).parent))
from _figures import battles_a_second, forks, row, share, show, timed, titled

SIZES = {2000: (20, 3.0), 4500: (12, 1.5)}
"""Points: how many battles, and how many a second there must be."""
DRAGS = 30


def begun(points: int, seed: int) -> Battle[Any]:
    return umpire.battle("t9a", seed=seed, options={"points": points})


def drags(battle: Battle[Any], rng: Rng) -> list[float]:
    """Seconds for the rulings on places to which a regiment is dragged."""
    ask: Any = battle.decision
    unit = battle.state.unit(ask.about)
    far = 1.2 * (ask.form.limit or 8.0)
    found = []
    for _ in range(DRAGS):
        x, y = round(unit.x + rng.uniform(-far, far), 3), round(unit.y + rng.uniform(-far, far), 3)
        found.append(timed(partial(battle.check, {"to": {"x": x, "y": y}})))
    return found


def contacts(battle: Battle[Any]) -> list[float]:
    """Seconds for the contacts of the charges that may be declared here; nothing that was found before is of use."""
    ask: Any = battle.decision
    state = battle.state
    unit = state.units.get(ask.about)
    if unit is None or unit.where != "table":
        return []
    found = []
    for key in ask.options:
        if key in state.units:
            face = charge_moves.target_facing(state, unit, state.units[key])
            charge_ground.way_to.cache_clear()
            misaligned.next_met.cache_clear()
            work = partial(aligning.contact, state, unit, state.units[key], face=face, declared=True, choices=True)
            found.append(timed(work))
    return found


def judging() -> dict[str, list[float]]:
    """Rulings, contacts and forks in the middle of battles of either size."""
    found: dict[str, list[float]] = {"drag": [], "contact": [], "fork": []}
    for seed in range(40, 50):
        battle, rng = begun(2000 if seed % 2 else 4500, seed), Rng(seed)
        moves = 0
        while (ask := battle.decision) is not None:
            if ask.prompt.key == "ask.charge-target":
                found["contact"] += contacts(battle)
            elif ask.prompt.key in ("ask.march", "ask.normal"):
                moves += 1
                if moves % 5 == 1:
                    found["drag"] += drags(battle, rng)
            if len(battle.answers) % 3 == 0:
                found["fork"] += forks(battle)
            battle.answer(ask.suggest(rng))
    return found


def run() -> list[dict[str, Any]]:
    rows = []
    for points, (battles, bar) in SIZES.items():
        pace = battles_a_second(partial(begun, points), battles)
        rows.append(row(f"random battles at {points:,} points", pace, "/s", bar, True))
    found = judging()
    for key, name, bar, scale, unit in (
        ("drag", "ruling on a drag", 5, 1e3, "ms"),
        ("contact", "contact of a charge", 20, 1e3, "ms"),
        ("fork", "fork", 150, 1e6, "µs"),
    ):
        times = found[key]
        rows.append(row(f"{name}, median of {len(times)}", share(times, 0.5) * scale, unit, bar))
        rows.append(row(f"{name}, 95 of 100", share(times, 0.95) * scale, unit, None if key == "fork" else bar))
        rows.append(row(f"{name}, slowest", share(times, 1.0) * scale, unit, bar if key == "contact" else None))
    return titled("t9a", rows)


if __name__ == "__main__":
    show(run())
