"""What an attack does in expectation, by numbers alone: for weighing many of them quickly."""

from __future__ import annotations

from functools import lru_cache

from umpire.games.warcry.attack import need_to_hit, read_hits
from umpire.odds import Dist, faces


@lru_cache(4096)
def damage_of(attacks: int, need: int, hit: int, critical: int) -> Dist:
    """The damage of an attack action that hits on `need`, read from its dice as in play."""
    strength = {3: 2, 4: 1, 5: 0}[need]
    read = faces(6, lambda face: read_hits([face], strength, 1)[0])
    return read.mix({"miss": 0, "hit": hit, "critical": critical}).times(attacks)


@lru_cache(65536)
def blow(attacks: int, need: int, hit: int, critical: int, left: int) -> tuple[float, float]:
    """The chance that so many wounds left are taken, and how many are in the mean."""
    damage = damage_of(attacks, need, hit, critical)
    return damage.at_least(left), damage.min(left).mean


Blow = tuple[float, float]
Strikes = tuple[tuple[float, tuple[Blow, ...]], ...]


Arm = tuple[float, int, int, int, int]
"""A weapon by its numbers: range, attacks, strength, damage of a hit and of a critical hit."""


@lru_cache(65536)
def strikes(weapons: tuple[Arm, ...], tough: int, left: int) -> Strikes:
    """For each weapon its range and what one, two and three attack actions do to a target of such toughness with so
    many wounds left; by the numbers on the cards."""
    return tuple(
        (
            reach,
            tuple(blow(attacks * times, need_to_hit(strength, tough), hit, critical, left) for times in (1, 2, 3)),
        )
        for reach, attacks, strength, hit, critical in weapons
    )
