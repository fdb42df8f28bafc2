"""What units do to each other on average: the strength that plans reckon with."""

from __future__ import annotations

import functools

from umpire.games.aos.profiles import Warscroll, amount
from umpire.games.aos.state import Unit


def left(unit: Unit) -> float:
    """What is left of a unit, in points."""
    profile = unit.profile
    return profile.points * health(unit) / max(1, profile.size * profile.health)


def health(unit: Unit) -> int:
    """How much damage would destroy a unit."""
    return len(unit.models) * unit.profile.health - unit.damage


def blow(unit: Unit, foe: Unit) -> float:
    """The mean damage of a fight, with all models at it."""
    hurt = len(unit.models) * melee_of(unit.profile, foe.profile.save, foe.profile.ward)
    return min(hurt, health(foe))


def shot(unit: Unit, foe: Unit, far: float) -> float:
    """The mean damage of shooting at a unit so far away."""
    hurt = sum(
        mean_damage(w.attacks, w.hit, w.wound, w.rend, w.damage, foe.profile.save, foe.profile.ward)
        for w in unit.profile.missiles
        if w.range >= far
    )
    return min(len(unit.models) * hurt, health(foe))


def melee_of(profile: Warscroll, save: int, ward: int) -> float:
    """The mean damage of one model in a fight."""
    return sum(mean_damage(w.attacks, w.hit, w.wound, w.rend, w.damage, save, ward) for w in profile.melee)


@functools.lru_cache(4096)
def mean_damage(attacks: str, hit: int, wound: int, rend: int, damage: str, save: int, ward: int) -> float:
    saved = max(0.0, min(5.0, 7.0 - save - rend)) / 6 if save else 0.0
    warded = (7 - ward) / 6 if ward else 0.0
    return _mean(attacks) * (7 - hit) / 6 * (7 - wound) / 6 * (1 - saved) * _mean(damage) * (1 - warded)


def _mean(text: str) -> float:
    number = amount(text)
    return number.dice * (number.sides + 1) / 2 + number.plus
