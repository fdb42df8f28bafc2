"""Paired battles of two players one by one: who won, how the lead moved turn by turn, how long decisions took.

`python bench/matches.py GAME SEED PAIRS [A] [B] [OPTION=VALUE …]`: A (planner) meets B (random) on equal lists, each
seed twice with sides swapped, as `arena.compare` does. A lead is half the difference of both sides' worth. Time is
processor time.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

from umpire.arena.fighting import start
from umpire.arena.fixtures import Contestant, Fixture, Series
from umpire.arena.statistics import share
from umpire.players import player
from umpire.players.chance import lead
from umpire.players.player import seat_seed


def match(series: Series, fixture: Fixture) -> dict[str, Any]:
    """One battle from A's side."""
    mine = fixture.who.index(0)
    seats = [
        player(series.contestants[who].player, seat_seed(fixture.seed, side + 2 * who), seconds=None)
        for side, who in enumerate(fixture.who)
    ]
    began = time.process_time()
    battle = start(series, fixture)
    leads: list[float] = []
    took: list[float] = []
    turn = 0
    while (ask := battle.decision) is not None:
        if (now := getattr(battle.state, "turn", 0)) != turn:
            turn = now
            leads.append(lead(battle.game, battle.state, mine) or 0.0)
        at = time.process_time()
        answer = seats[ask.side].choose(battle, ask.side, ask)
        if ask.side == mine:
            took.append(time.process_time() - at)
        battle.answer(answer, ask.side)
    assert battle.outcome is not None
    winner = battle.outcome.winner
    score = battle.outcome.score
    return {
        "seed": fixture.seed,
        "side": mine,
        "result": "draw" if winner is None else "won" if winner == mine else "lost",
        "score": [score[mine], score[1 - mine]] if len(score) == 2 else list(score),
        "books": list(getattr(battle.state, "books", ())),
        "leads": [round(value) for value in leads],
        "seconds": time.process_time() - began,
        "took": took,
    }


def main(game: str, seed: int, pairs: int, a: str, b: str, options: dict[str, Any]) -> None:
    series = Series(
        game=game,
        battles=2 * pairs,
        seed=seed,
        contestants=(Contestant(a, name="A"), Contestant(b, name="B")),
        level_lists=True,
        options=options,
    )
    told = []
    for fixture in series.fixtures():
        row = match(series, fixture)
        told.append(row)
        took = row["took"]
        print(
            f"{row['result']:5} {row['seed']} side {row['side']} score {row['score']} {' '.join(row['books'])} "
            f"leads {row['leads']} {row['seconds']:.1f} s, {len(took)} decisions, "
            f"median {1000 * statistics.median(took):.1f} ms, worst {1000 * max(took):.0f} ms",
            flush=True,
        )
    counts = [sum(row["result"] == result for row in told) for result in ("won", "draw", "lost")]
    every = sorted(t for row in told for t in row["took"])
    won = share(counts[0], len(told))
    print(
        f"{game}: {a} against {b}: {counts[0]} won, {counts[1]} drawn, {counts[2]} lost, "
        f"{won.share:.1%} [{won.low:.1%}, {won.high:.1%}]; "
        f"{statistics.mean(row['seconds'] for row in told):.1f} s a battle; a decision in the median "
        f"{1000 * statistics.median(every):.1f} ms, 99 % within {1000 * every[int(0.99 * len(every))]:.0f} ms, "
        f"worst {1000 * every[-1]:.0f} ms"
    )


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if "=" not in word]
    wishes = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
    a, b = (*words[3:5], *("planner", "random")[len(words[3:5]) :])
    main(words[0], int(words[1]), int(words[2]), a, b, wishes)
