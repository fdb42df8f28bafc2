"""Is one player better than another? Paired battles with equal lists, sides swapped, and how sure the answer is."""

from __future__ import annotations

import msgspec

from umpire.arena.fixtures import Contestant, Result, Series
from umpire.arena.pool import cores
from umpire.arena.running import run
from umpire.arena.statistics import Share, share
from umpire.errors import fault


class Comparison(msgspec.Struct, frozen=True):
    """What A won against B. `points` counts a draw as half; `wins` counts battles won outright. `pairs` are the seeds
    that went to A, to neither and to B over their two battles: the pairing takes the luck of lists and seats out."""

    a: str
    b: str
    battles: int
    points: Share
    wins: Share
    pairs: tuple[int, int, int]
    errors: int
    seconds: float

    @property
    def differs(self) -> bool:
        """Is the difference more than chance makes likely (one time in twenty)?"""
        return not self.points.low <= 0.5 <= self.points.high


def compare(game: str, a: str, b: str, pairs: int, seed: int = 0, jobs: int | None = None) -> Comparison:
    """Play `pairs` seeds twice each, with the same list on both sides and the players swapped.

    A player compared with itself shows no difference: the null test of every comparison.
    """
    if pairs < 1:
        raise fault("error.at-least-one-pair-must")
    # Two names, so that a player compared with itself is still two contestants.
    series = Series(
        game=game,
        battles=2 * pairs,
        seed=seed,
        contestants=(Contestant(a, name="A"), Contestant(b, name="B")),
        level_lists=True,
    )
    found, results = run(series, jobs or cores())
    fair = [result for result in results if not result.error]
    won = [_points(result) for result in fair]
    return Comparison(
        a,
        b,
        len(fair),
        share(sum(won), len(won)),
        share(sum(points == 1.0 for points in won), len(won)),
        _pairs(fair),
        found.errors,
        found.battle_seconds,
    )


def _points(result: Result) -> float:
    """What A, the first contestant, got."""
    return result.points[result.who.index(0)]


def _pairs(fair: list[Result]) -> tuple[int, int, int]:
    sums: dict[int, list[float]] = {}
    for result in fair:
        sums.setdefault(result.seed, []).append(_points(result))
    whole = [sum(points) for points in sums.values() if len(points) == 2]
    return sum(s > 1 for s in whole), sum(s == 1 for s in whole), sum(s < 1 for s in whole)
