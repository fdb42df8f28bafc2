"""Odds that can be asked for without a battle: attacks, charges, spells, prayers, rallies, the priority roll."""

from __future__ import annotations

from umpire.errors import fault
from umpire.games.aos.charging import TOUCH
from umpire.games.aos.hero import RALLY_ROLLS, rallies
from umpire.games.aos.magic import miscasts, unbinds
from umpire.games.aos.numbers import capped
from umpire.games.aos.odds import attack_sequence, dist_of, warded
from umpire.games.aos.profiles import Weapon
from umpire.games.aos.rounds import priority_winner
from umpire.odds import D6, Target, dice, faces, opposed, throws
from umpire.odds.commands import Line, Question, charge_odds
from umpire.text import words

CRITS = ("mortal", "auto-wound", "2-hits")


def attack(
    attacks: str,
    hit: int,
    wound: int,
    rend: int,
    damage: str,
    save: int,
    health: int,
    models: int,
    attackers: int = 1,
    ward: int = 0,
    crit: str = "",
    hit_mod: int = 0,
    wound_mod: int = 0,
    save_mod: int = 0,
    before: int = 0,
) -> list[Line]:
    if crit and crit not in CRITS:
        raise fault("error.aos.there-are-not", "crit", crits=list(CRITS), crit=crit)
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
    return [
        Line(words("odds.aos.damage"), dealt),
        Line(words("odds.aos.models-slain-2"), after.slain),
        Line(words("odds.aos.unit-destroyed"), after.destroyed),
    ]


def charge(inches: float, bonus: int = 0) -> list[Line]:
    names = ("odds.aos.charge-roll", "odds.aos.charge-succeeds", "odds.aos.with-a-re-roll")
    return charge_odds(inches, TOUCH, bonus, [words(key) for key in names])


def spell(value: int, cast: int = 0, unbind: int = 0) -> list[Line]:
    def stands(casting: int, unbinding: int) -> bool:
        return 0 < casting >= value and not unbinds(unbinding, casting)

    casting = throws(2).dist(lambda faces: 0 if miscasts(faces) else max(1, sum(faces) + cast))
    return [
        Line(words("odds.aos.cast"), casting.at_least(max(1, value))),
        Line(
            words("odds.aos.cast-though-they-try-to"),
            opposed(casting, dice(2) + unbind, stands)[True],
        ),
        Line(words("odds.aos.miscast"), casting[0]),
    ]


def rally(dice: int = RALLY_ROLLS, health: int = 1) -> list[Line]:
    points = faces(6, rallies).mix({True: 1, False: 0}).times(dice)
    return [
        Line(words("odds.aos.rally-points"), points),
        Line(words("odds.aos.models-that-may-return"), points // health),
    ]


def priority(first: bool) -> list[Line]:
    """Side 0 went first in the round before, or did not."""
    decides = opposed(D6, D6, lambda a, b: priority_winner(a, b, 0 if first else 1))
    return [Line(words("odds.aos.you-decide-who-goes-first"), decides[0])]


QUESTIONS = {
    "attack": Question(
        words("odds.aos.all-attacks-with-one-weapon"),
        attack,
        {
            "attacks": words("odds.aos.attacks-of-each-model-may"),
            "hit": words("odds.aos.hit"),
            "wound": words("odds.aos.wound"),
            "rend": words("odds.aos.rend"),
            "damage": words("odds.aos.damage-may-be-d3"),
            "save": words("odds.aos.the-target-s-save-0"),
            "health": words("odds.aos.the-target-s-health"),
            "models": words("odds.aos.the-target-s-models"),
            "attackers": words("odds.aos.attacking-models"),
            "ward": words("odds.aos.ward-0-none"),
            "crit": words("odds.aos.on-a-critical-hit-mortal"),
            "hit_mod": words("odds.aos.modifiers-to-hit-rolls-cover"),
            "wound_mod": words("odds.aos.modifiers-to-wound-rolls"),
            "save_mod": words("odds.aos.modifiers-to-save-rolls"),
            "before": words("odds.aos.damage-already-allocated-to-the"),
        },
    ),
    "charge": Question(
        words("odds.aos.a-charge"),
        charge,
        {
            "inches": words("odds.aos.the-distance-to-the-enemy"),
            "bonus": words("odds.aos.added-to-the-charge-roll"),
        },
    ),
    "rally": Question(
        words("odds.aos.a-rally"),
        rally,
        {
            "dice": words("odds.aos.dice-one-more-with-a"),
            "health": words("odds.aos.health-of-a-model"),
        },
    ),
    "priority": Question(
        words("odds.aos.the-priority-roll"),
        priority,
        {"first": words("odds.aos.did-you-go-first-in")},
    ),
    "spell": Question(
        words("odds.aos.a-spell"),
        spell,
        {
            "value": words("odds.aos.the-casting-value"),
            "cast": words("odds.aos.modifier-to-casting-rolls"),
            "unbind": words("odds.aos.modifier-to-unbinding-rolls"),
        },
    ),
}
