"""Odds that can be asked for without a battle: charges, spells, tests, attacks, break and pursuit."""

from __future__ import annotations

from umpire.odds import D3, D6, Dist, dice, highest, lowest
from umpire.odds.commands import Answer, questions

from .attacks import wound_need
from .fighting import to_hit_need
from .magic import LEAST, MOST
from .saves import armour_need


def summed(count: int, net: int, die: Dist = D6) -> Dist:
    """The sum of so many dice, Maximised (`net` > 0) or Minimised."""
    if net > 0:
        return highest(count, count + net, die)
    return lowest(count, count - net, die) if net < 0 else die.times(count)


def charge_range(speed: int, net: int = 0) -> Dist:
    """D6 + 4 + charge speed (t9a.charge.range.roll)."""
    return summed(1, net) + 4 + speed


def casting(count: int, bound: bool = False) -> Dist:
    """The casting dice added up; of a bound spell one is a D6, the others are D3 (t9a.magic.bound.dice)."""
    return D6 + D3.times(count - 1) if bound else dice(count)


def again(p: float) -> float:
    """A chance with one re-roll of everything."""
    return p + (1 - p) * p


def passes(discipline: int, net: int = 0) -> float:
    """2D6 at most Discipline (t9a.psych.test)."""
    return summed(2, net).at_most(discipline) if discipline >= 2 else 0.0


def caught(pursuit: Dist, flight: Dist) -> float:
    """The pursuer rolls at least as far as the quarry (t9a.melee.break.caught)."""
    return float(sum(p * pursuit.at_least(far) for far, p in flight.items()))


def charge(inches: float, speed: int, maximised: int = 0) -> Answer:
    rolled = charge_range(speed, maximised)
    need = -int(-inches // 1)
    return {"charge-range": rolled, "charge-succeeds": rolled.at_least(need)}


def cast(value: int, dice_used: int, bound: bool = False, reroll: bool = False, modifier: int = 0) -> Answer:
    if not LEAST <= dice_used <= MOST:
        raise ValueError(f"{LEAST}-{MOST}")
    total = casting(dice_used, bound) + modifier
    p = total.at_least(value)
    return {"casting-result": total, "cast": again(p) if reroll else p}


def dispel(result: int, dice_used: int) -> Answer:
    return {"dispelled": dice(dice_used).at_least(result) if dice_used else 0.0}


def test(discipline: int, penalty: int = 0, net: int = 0, reroll: bool = False) -> Answer:  # noqa: PT028 - of Discipline
    p = passes(max(0, min(10, discipline) - penalty), net)
    return {"passes": again(p) if reroll else p}


def wounds_of(count: Dist | int, hit: float, wound: float, armour: int, special: int, most: int = 0) -> Dist:
    """Unsaved wounds of so many attacks."""
    pierced = 1.0 if armour > 6 else (armour - 1) / 6
    through = 1.0 if special > 6 else (max(3, special) - 1) / 6
    each = Dist.chance(hit * wound * pierced * through)
    total = each.times(count)
    return total.min(most) if most else total


def fight(
    attacks: int, off: int, df: int, strength: int, res: int, arm: int = 0, ap: int = 0, special: int = 7,
    hatred: bool = False, zealous: bool = False, hp: int = 0,
) -> Answer:  # fmt: skip
    """Standard melee attacks on one health pool."""
    hit = (7 - to_hit_need(off, df)) / 6
    wound = (7 - wound_need(strength, res)) / 6
    lost = wounds_of(
        attacks, again(hit) if hatred else hit, again(wound) if zealous else wound, armour_need(arm, ap), special, hp
    )
    return {"health-points-lost": lost}


def shoot(
    shots: int, need: int, strength: int, res: int, arm: int = 0, ap: int = 0, special: int = 7, hp: int = 0
) -> Answer:
    """Shots that hit on so much or better after modifiers."""
    hit = 0.0 if need > 6 else (7 - max(2, need)) / 6
    lost = wounds_of(shots, hit, (7 - wound_need(strength, res)) / 6, armour_need(arm, ap), special, hp)
    return {"health-points-lost": lost, "panic-threshold": lost.at_least(max(3, -(-hp // 4))) if hp else 0.0}


def pursuit(net: int = 0, flee_net: int = 0) -> Answer:
    return {"caught": caught(summed(2, net), summed(2, flee_net))}


QUESTIONS = questions("t9a", charge, cast, dispel, test, fight, shoot, pursuit)
