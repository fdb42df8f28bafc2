"""Odds that can be asked for without a battle: attacks, charges, spells, prayers, rallies, the priority roll."""

from __future__ import annotations

from typing import Literal

from umpire.games.aos.charging import TOUCH
from umpire.games.aos.hero import RALLY_ROLLS, rallies
from umpire.games.aos.magic import miscasts, unbinds
from umpire.games.aos.numbers import capped
from umpire.games.aos.odds import attack_sequence, dist_of, warded
from umpire.games.aos.profiles import Weapon
from umpire.games.aos.rounds import priority_winner
from umpire.odds import D6, Target, dice, faces, opposed, throws
from umpire.odds.charges import charge_odds
from umpire.odds.commands import Answer, questions

Crit = Literal["", "mortal", "auto-wound", "2-hits"]


def attack(
    attacks: str, hit: int, wound: int, rend: int, damage: str, save: int, health: int, models: int, attackers: int = 1,
    ward: int = 0, crit: Crit = "", hit_mod: int = 0, wound_mod: int = 0, save_mod: int = 0, before: int = 0,
) -> Answer:  # fmt: skip
    weapon = Weapon("", {}, attacks, hit, wound, rend, damage, abilities=(f"crit-{crit}",) if crit else ())
    one = attack_sequence(
        weapon,
        capped([(hit_mod, "")]),
        capped([(wound_mod, "")]),
        save,
        capped([(save_mod - rend, "")], None),
        dist_of(damage),
    )
    dealt = one.times(dist_of(attacks).times(attackers))
    if ward:
        dealt = warded(dealt, ward)
    after = Target(health, models, before).suffer(dealt)
    return {"damage": dealt, "models-slain-2": after.slain, "unit-destroyed": after.destroyed}


def charge(inches: float, bonus: int = 0) -> Answer:
    return charge_odds(inches, TOUCH, bonus)


def spell(value: int, cast: int = 0, unbind: int = 0) -> Answer:
    def stands(casting: int, unbinding: int) -> bool:
        return 0 < casting >= value and not unbinds(unbinding, casting)

    casting = throws(2).dist(lambda faces: 0 if miscasts(faces) else max(1, sum(faces) + cast))
    return {
        "cast": casting.at_least(max(1, value)),
        "cast-though-they-try-to": opposed(casting, dice(2) + unbind, stands)[True],
        "miscast": casting[0],
    }


def rally(dice: int = RALLY_ROLLS, health: int = 1) -> Answer:
    points = faces(6, rallies).count(dice)
    return {"rally-points": points, "models-that-may-return": points // health}


def priority(first: bool) -> Answer:
    """Side 0 went first in the round before, or did not."""
    decides = opposed(D6, D6, lambda a, b: priority_winner(a, b, 0 if first else 1))
    return {"you-decide-who-goes-first": decides[0]}


QUESTIONS = questions("aos", attack, charge, rally, priority, spell)
