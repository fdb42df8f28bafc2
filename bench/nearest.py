"""What is offered instead of a wish that is refused: how long the ruling on a drag takes with it, and whether a finer
net finds a legal place nearer to the wish.

python bench/nearest.py [WISHES] [GAME …] [--times]
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import umpire
from umpire.engine.battle import Battle
from umpire.engine.decisions import Move
from umpire.engine.game import games
from umpire.engine.rng import Rng

sys.path.append(str(Path(__file__).parent))
from _figures import row, share, show, titled

SEEDS = range(700, 800)
EVERY = 9
"""So many questions for a move are passed over before the next is looked at."""
FINE = 0.001


def start_of(ask: Any, battle: Battle[Any]) -> tuple[float, float]:
    """The point of what moves that is brought to the place wished for."""
    start = ask.mover.form.start
    return start.x, start.y


def track(ask: Any, hand: Rng, battle: Battle[Any]) -> list[dict[str, Any]]:
    """Twelve places along the way of a hand, from beside the piece to beyond its move."""
    x0, y0 = start_of(ask, battle)
    far = ask.mover.form.limit or 6.0
    angle = hand.uniform(0.0, 2 * math.pi)
    wishes = []
    for k in range(1, 13):
        angle += hand.uniform(-0.3, 0.3)
        x, y = x0 + far * k / 9 * math.cos(angle), y0 + far * k / 9 * math.sin(angle)
        wishes.append({"to": {"x": round(x, 3), "y": round(y, 3)}})
    return wishes


def asked(game: str, seed: int) -> Iterator[tuple[Battle[Any], Any, list[dict[str, Any]]]]:
    """Questions for a move in a random battle, each with a track of wishes."""
    battle, rng, hand = umpire.battle(game, seed=seed), Rng(seed), Rng(seed + 7)
    met = seed
    while (ask := battle.decision) is not None:
        if isinstance(ask, Move) and "to" in ask.mover.answered_by and ask.mover.form.start:
            met += 1
            if met % EVERY == 0:
                ask.reach()
                yield battle, ask, track(ask, hand, battle)
        battle.answer(ask.suggest(rng))


def ending(ask: Any, answer: Any, battle: Battle[Any]) -> tuple[float, float]:
    """Where an answer brings the point that is wished to a place."""
    if answer is None or answer.get("stay"):
        return start_of(ask, battle)
    if "to" in answer:
        return answer["to"]["x"], answer["to"]["y"]
    legs = ask.route(answer).get(ask.about) or next(iter(ask.route(answer).values()), None)
    return (legs[-1].x, legs[-1].y) if legs else start_of(ask, battle)


def nearer(ask: Any, wish: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    """By how much some place of a net is nearer to the wish than the end that was offered."""
    far = math.dist(end, wish)
    limit = ask.mover.form.limit or 6.0
    best, at = far, end

    def fits(x: float, y: float) -> bool:
        nonlocal best, at
        x, y = round(x, 3), round(y, 3)
        away = math.dist((x, y), wish)
        if away >= best - FINE / 2 or math.dist((x, y), start) > limit + FINE:
            return False
        if not ask.legal({"to": {"x": x, "y": y}}):
            return False
        best, at = away, (x, y)
        return True

    # A net over all that is nearer, and a finer one about the place that was offered.
    for k in range(1, 21):
        off = far * (1 - k / 21)
        count = max(8, int(2 * math.pi * off / max(far / 21, 0.15)))
        for n in range(count):
            angle = 2 * math.pi * n / count
            fits(wish[0] + off * math.cos(angle), wish[1] + off * math.sin(angle))
    step = 0.3
    while step > FINE / 2:
        moved = False
        x, y = at
        for n in range(24):
            angle = 2 * math.pi * n / 24
            moved = fits(x + step * math.cos(angle), y + step * math.sin(angle)) or moved
        if not moved:
            step /= 2
    return far - best


def drags(game: str, count: int, times_only: bool) -> list[dict[str, Any]]:
    taken: list[float] = []
    refused: list[float] = []
    errors: list[tuple[float, int, Any, Any]] = []
    worst = (0.0, 0, "", None)
    done = 0
    for _, ask, wishes in asked(game, SEEDS[0] - 1):  # in which kernels are loaded
        for wish in wishes:
            ask.check(wish)
    for seed in SEEDS:
        for battle, ask, wishes in asked(game, seed):
            where = start_of(ask, battle)
            for wish in wishes:
                begun = process_time()
                ruling = ask.check(wish)
                took = process_time() - begun
                taken.append(took)
                if ruling.legal:
                    continue
                refused.append(took)
                done += 1
                worst = max(worst, (took, seed, ask.prompt.key, str(wish)), key=lambda one: one[0])
                if not times_only:
                    spot = wish["to"]["x"], wish["to"]["y"]
                    end = ending(ask, ruling.nearest, battle)
                    off = nearer(ask, spot, where, end)
                    errors.append((off, seed, len(battle.answers), (ask.prompt.key, ask.about, spot, end)))
            if done >= count:
                break
        if done >= count:
            break
    print(game, "slowest", worst, file=sys.stderr)
    for entry in sorted(errors, key=lambda one: -one[0])[:12]:
        print(game, entry, file=sys.stderr)
    rows = []
    for name, found in ((f"{len(taken)} rulings", taken), (f"{len(refused)} refused", refused)):
        rows += [row(f"{name}, {int(part * 100)} of 100", share(found, part) * 1e3, "ms") for part in (0.5, 0.95, 1.0)]
    if errors:
        off = [one[0] for one in errors]
        rows += [row(f"off the nearest, {int(part * 100)} of 100", share(off, part), "in") for part in (0.5, 0.95, 1.0)]
    return titled(game, rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int, nargs="?", default=300)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--times", action="store_true")
    args = parser.parse_args()
    for name in args.games or games():
        show(drags(name, args.count, args.times))
