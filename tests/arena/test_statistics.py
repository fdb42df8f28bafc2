"""Intervals and ratings."""

from __future__ import annotations

import doctest

import pytest

import tiny
from umpire.arena import compare, ratings, share, statistics
from umpire.arena.comparing import Comparison
from umpire.errors import UmpireError

GAME = tiny.GAME.id


def test_the_examples_hold() -> None:
    result = doctest.testmod(statistics)
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize(
    ("points", "of", "low", "high"),
    [(0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (5, 10, 0.237, 0.763), (95, 100, 0.888, 0.978), (0.5, 1, 0.055, 0.945)],
)
def test_wilsons_interval_is_the_published_one(points: float, of: int, low: float, high: float) -> None:
    found = share(points, of)
    assert found.low == pytest.approx(low, abs=0.001)
    assert found.high == pytest.approx(high, abs=0.001)
    assert found.low <= found.share <= found.high


def test_ratings_follow_the_results_and_sharpen_with_battles() -> None:
    games = [(0, 1, 1.0)] * 3 + [(0, 1, 0.0)] + [(1, 2, 1.0)] * 3 + [(1, 2, 0.0)]
    few, many = ratings("abc", games), ratings("abc", games * 25)
    assert [rating.name for rating in few] == ["a", "b", "c"]
    assert sum(rating.elo for rating in few) == pytest.approx(4500)
    assert many[0].high - many[0].low < (few[0].high - few[0].low) / 3
    assert many[0].elo - many[1].elo == pytest.approx(190.85, abs=8)
    alone = ratings("ab", [(0, 1, 1.0)] * 10)
    assert alone[0].elo < 2100


def test_a_player_compared_with_itself_shows_no_difference() -> None:
    found = compare(GAME, "random", "random", 20, seed=3, jobs=1)
    assert found.battles == 40
    assert not found.differs
    assert found.errors == 0
    assert sum(found.pairs) == 20


def test_a_better_player_shows() -> None:
    found = compare(GAME, "planner:easy", "random", 12, seed=3, jobs=2)
    assert isinstance(found, Comparison)
    assert found.points.share > 0.5
    assert compare(GAME, "planner:easy", "random", 12, seed=3, jobs=1).points == found.points
    with pytest.raises(UmpireError, match="one pair"):
        compare(GAME, "random", "random", 0)
