"""Odds that can be asked for without a battle: attacks, charges, psychic tests, morale."""

from __future__ import annotations

from typing import Literal

from umpire.games.wh40k.attacks import wound_table
from umpire.games.wh40k.dice import CAP
from umpire.games.wh40k.measuring import ENGAGEMENT
from umpire.games.wh40k.odds import fleeing
from umpire.games.wh40k.profiles import amount
from umpire.games.wh40k.psychic import SMITE_CHARGE, SMITE_STRONG
from umpire.games.wh40k.volleys import amount_dist
from umpire.odds import D3, D6, Dist, Target, dice, throws
from umpire.odds.charges import charge_odds
from umpire.odds.commands import Answer, questions

Again = Literal["", "ones", "failures"]


def roll(need: int, modifier: int, again: Again) -> dict[int, float]:
    """The faces of a hit or wound roll after re-rolls, which come before modifiers."""
    die = D6.reroll(lambda face: face == 1 if again == "ones" else not good(face, need, modifier)) if again else D6
    return dict(die.items())


def good(face: int, need: int, modifier: int) -> bool:
    """A 6 always and a 1 never; modifiers count for one at most."""
    return face == 6 or (face != 1 and face + max(-CAP, min(CAP, modifier)) >= need)


def chance_of(need: int, modifier: int = 0, again: Again = "") -> float:
    return min(1.0, sum(p for face, p in roll(need, modifier, again).items() if good(face, need, modifier)))


def attack(
    attacks: str, skill: int, strength: int, toughness: int, save: int, ap: int = 0, damage: str = "1", wounds: int = 1,
    models: int = 1, attackers: int = 1, invulnerable: int = 7, ignore: int = 7, hit_mod: int = 0, wound_mod: int = 0,
    cover: bool = False, hit_again: Again = "", wound_again: Again = "", overwatch: bool = False,
) -> Answer:  # fmt: skip
    """All attacks with one weapon at a unit of like models."""
    hit = chance_of(6, 0, hit_again) if overwatch else chance_of(skill, hit_mod, hit_again)
    wound = chance_of(wound_table(strength, toughness), wound_mod, wound_again)
    need = max(2, min(save + abs(ap) - cover, invulnerable))
    fails = 1.0 if need > 6 else (need - 1) / 6
    each = amount_dist(amount(damage))
    if ignore <= 6:
        each = each.thin((ignore - 1) / 6)
    through = hit * wound * fails
    one = Dist.mixture(((through, each), (1.0 - through, 0)))
    after = Target(wounds, models).suffer_each(one, amount_dist(amount(attacks)).times(attackers))
    return {"wounds-lost": after.damage, "models-slain": after.slain, "destroyed": after.destroyed}


def charge(inches: float, bonus: int = 0) -> Answer:
    """wh40k.charge.success-test: far enough to come within Engagement Range."""
    return charge_odds(inches, ENGAGEMENT, bonus)


def power(warp_charge: int, bonus: int = 0, deny: bool = True, deny_bonus: int = 0) -> Answer:
    cast = dice(2) + bonus
    stands = sum(p * (dice(2) + deny_bonus).at_most(came) for came, p in cast.items() if came >= warp_charge)
    perils = throws(2).chance(lambda faces: faces[0] == faces[1] and faces[0] in (1, 6))
    undenied = {"undenied": float(stands)} if deny else {}
    return {"cast": cast.at_least(warp_charge), **undenied, "perils": perils}


def smite(before: int = 0, bonus: int = 0) -> Answer:
    """Smite after so many attempts of the army in this phase."""
    need = SMITE_CHARGE + before
    cast = dice(2) + bonus
    wounds = cast.mix(lambda came: 0 if came < need else D6 if came >= SMITE_STRONG else D3)
    return {"cast": cast.at_least(need), "mortal-wounds": wounds}


def morale(leadership: int, lost: int, left: int, starting: int = 0) -> Answer:
    """A Morale test of a unit that lost so many models this turn and has so many left, with Combat Attrition."""
    if lost < 1 or left < 1:
        raise ValueError("lost, left >= 1")
    passed = sum(face == 1 or face + lost <= leadership for face in range(1, 7)) / 6
    low = 2 * (left - 1) < (starting or lost + left)
    fled = fleeing(passed, 1, left - 1, low)
    return {"passes": passed, "models-fled": fled, "destroyed": fled.at_least(left)}


QUESTIONS = questions("wh40k", attack, charge, power, smite, morale)
