"""What a lead means: players of equal strength fight battles, and the chance to win is fitted to how they end.

`python bench/chance.py GAME [BATTLES] [planner|random]` prints START and END for the game's worth.py, and how often
those won who were told so. The odds are exp(lead / swing), with swing = root of an army's points /
(START + (END - START) * progress).
"""

from __future__ import annotations

import math
import sys
from typing import NamedTuple

import umpire
from umpire.engine.game import find_game
from umpire.engine.rng import Rng
from umpire.players.chance import lead
from umpire.players.planner import Planner

EVERY = 6
"""One position of so many is looked at."""
STEPS = (0.1, 0.03, 0.01, 0.003)


class Row(NamedTuple):
    """A position: the lead there, the root of an army's points, how far the battle was; how it ended; its weight."""

    lead: float
    root: float
    progress: float
    won: float
    weight: float


def battle(game: str, seed: int, kind: str) -> list[Row]:
    """Positions of one battle between players that err as easily as each other."""
    spec = find_game(game)
    worth = sys.modules[f"{spec.worth.__module__}"] if spec.worth else None
    assert worth is not None
    assert spec.hints.swing is not None
    played = umpire.battle(game, seed=seed)
    planners = [Planner("easy", 2 * seed + side, None) for side in (0, 1)]
    rng = Rng(seed)
    seen: list[tuple[float, float, float]] = []
    kept = worth.START, worth.END
    while (ask := played.decision) is not None:
        if len(played.answers) % EVERY == 0:
            ahead = lead(spec, played.state, 0) or 0.0
            worth.START = worth.END = 1.0
            root = spec.hints.swing(played.state)
            worth.START, worth.END = 1.0, 2.0
            seen.append((ahead, root, root / spec.hints.swing(played.state) - 1.0))
            worth.START, worth.END = kept
        wish = ask.suggest(rng) if kind == "random" else planners[ask.side].choose(played, ask.side, ask)
        played.answer(wish, ask.side)
    winner = played.outcome.winner if played.outcome else None
    won = 0.5 if winner is None else 1.0 - winner
    return [Row(*position, won, 1 / len(seen)) for position in seen]


def told(row: Row, start: float, end: float) -> float:
    odds = row.lead / row.root * (start + (end - start) * row.progress)
    return min(0.999, max(0.001, 1 / (1 + math.exp(-max(-20.0, min(20.0, odds))))))


def loss(rows: list[Row], start: float, end: float) -> float:
    """How surprised whoever believed it was, in the mean."""
    terms = []
    for row in rows:
        chance = told(row, start, end)
        terms.append(-row.weight * (row.won * math.log(chance) + (1 - row.won) * math.log(1 - chance)))
    return math.fsum(terms) / math.fsum(row.weight for row in rows)


def fit(rows: list[Row]) -> tuple[float, float]:
    start, end = 0.05, 0.2
    for step in STEPS:
        while True:
            near = [(start + a * step, end + b * step) for a in (-1, 0, 1) for b in (-1, 0, 1)]
            best = min((pair for pair in near if min(pair) > 0), key=lambda pair: loss(rows, *pair))
            if loss(rows, *best) >= loss(rows, start, end):
                break
            start, end = best
    return start, end


def main() -> None:
    game, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
    kind = sys.argv[3] if len(sys.argv) > 3 else "planner"
    rows = [row for seed in range(count) for row in battle(game, seed, kind)]
    start, end = fit(rows)
    surprise = loss(rows, start, end)
    print(f"{game}: START, END = {start:.3f}, {end:.3f}; {count} {kind} battles, surprise {surprise:.3f} (0.693)")
    for tenth in range(10):
        some = [row for row in rows if tenth <= 10 * told(row, start, end) < tenth + 1]
        weight = math.fsum(row.weight for row in some)
        if weight:
            won = math.fsum(row.weight * row.won for row in some) / weight
            print(f"  told {10 * tenth} to {10 * tenth + 10} %: won {100 * won:.0f} % ({weight:.1f} battles)")


if __name__ == "__main__":
    main()
