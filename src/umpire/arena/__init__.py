"""Many battles: series on all cores of a machine, what they say, and how sure that is."""

from umpire.arena.comparing import Comparison, compare
from umpire.arena.fixtures import Contestant, Fixture, Result, Series, matchup, mirror, round_robin
from umpire.arena.running import Summary, run, salted, summary
from umpire.arena.statistics import Rating, Share, ratings, share

__all__ = [
    "Comparison", "Contestant", "Fixture", "Rating", "Result", "Series", "Share", "Summary", "compare", "matchup",
    "mirror", "ratings", "round_robin", "run", "salted", "share", "summary",
]  # fmt: skip
