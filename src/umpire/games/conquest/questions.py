"""Odds that can be asked for without a battle: fights and volleys, morale, charges, spells, tests, reserves."""

from __future__ import annotations

from typing import Literal

from umpire.errors import fault
from umpire.odds import D6, Dist, Outcomes, Target, faces, opposed
from umpire.odds.commands import Answer, questions

from .charge import reaches
from .dice import chosen, saves, succeeds
from .magic import SUCCESSES, attuned
from .morale import half_lost
from .reinforcement import NEEDED, comes
from .supremacy import first_player

Again = Literal["", "failures", "successes", "ones", "sixes"]


def rolled(value: int, again: Again = "") -> Outcomes[bool]:
    """A die against a value, rolled again where it lies so."""

    def good(face: int) -> bool:
        return succeeds(face, value)

    return faces(6, good, reroll=(lambda face: chosen(face, good(face), again)) if again else None)


def wounded(dice: int, value: int, defense: int, evasion: int, again: Again = "") -> Dist:
    """Hit rolls, then defence rolls."""
    lost = faces(6, lambda face: saves(face, defense, evasion)).mix({True: 0, False: 1})
    return rolled(value, again).mix({True: lost, False: 0}).times(dice)


def shaken(resolve: int, again: Again = "") -> Dist:
    """A wound with its morale die."""
    return rolled(resolve, again).mix({True: 1, False: 2})


def attack(
    dice: int, value: int, defense: int, resolve: int, wounds: int, stands: int, evasion: int = 0, reroll: Again = "",
    morale_reroll: Again = "", before: int = 0,
) -> Answer:  # fmt: skip
    """Hit rolls, defence rolls, then a morale die for every wound; each failure is a further wound."""
    hurt = wounded(dice, value, defense, evasion, reroll)
    total = shaken(resolve, morale_reroll).times(hurt)
    after = Target(wounds, stands, before).suffer(total)
    broken = sum(p for fallen, p in after.slain.items() if half_lost(fallen, stands))
    return {
        "wounds-before-morale": hurt,
        "wounds-with-morale": total,
        "stands-lost": after.slain,
        "destroyed": after.destroyed,
        "broken-by-losing-half": broken,
    }


def duel(
    dice: int, value: int, defense: int, resolve: int, wounds: int, foe_dice: int, foe_value: int, foe_defense: int,
    foe_resolve: int, foe_wounds: int, evasion: int = 0, foe_evasion: int = 0, first: Literal["", "own", "foe"] = "",
) -> Answer:  # fmt: skip
    """Both strike at the same time, unless one alone has Quicksilver Strike: then the slain strike no more."""
    own = beaten(foe_dice, foe_value, defense, evasion, resolve, wounds)
    foe = beaten(dice, value, foe_defense, foe_evasion, foe_resolve, foe_wounds)
    falls, slain = own[wounds], foe[foe_wounds]
    if first == "own":
        own = Dist.mixture(((slain, 0), (1 - slain, own)))
    elif first == "foe":
        foe = Dist.mixture(((falls, 0), (1 - falls, foe)))
    return {
        "wounds-of-the-opponent": foe,
        "own-wounds": own,
        "the-opponent-is-slain": foe[foe_wounds],
        "slain-oneself": own[wounds],
        "both-slain": 0.0 if first else falls * slain,
    }


def beaten(dice: int, value: int, defense: int, evasion: int, resolve: int, wounds: int) -> Dist:
    """The wounds of a Character: blows, and a morale die for each as long as he lives."""
    if wounds < 1:
        raise ValueError("a Character has at least one wound")
    hurt = wounded(dice, value, defense, evasion).min(wounds)
    return Dist.mixture((p, n if n == wounds else shaken(resolve).times(n).min(wounds)) for n, p in hurt.items())


def charge(march: float, inches: float, reroll: bool = False) -> Answer:
    def arrives(die: int) -> bool:
        return reaches(die, march, inches)

    thrown = D6.reroll(lambda die: not arrives(die)) if reroll else D6
    return {"charge-die": thrown, "charge-succeeds": faces(thrown, arrives)[True]}


def test(value: int) -> Answer:
    return {"succeeds": rolled(value)[True]}


def spell(dice: int, attunement: int, needed: int = SUCCESSES) -> Answer:
    count = faces(6, lambda face: attuned(face, attunement)).count(dice)
    return {"successes": count, "cast": count.at_least(needed)}


def reinforcement(klass: str, round: int, regiments: int = 1) -> Answer:
    need = NEEDED.get(klass, {}).get(round)
    if need is None:
        rolls = "; ".join(f"{key}: {', '.join(map(str, rounds))}" for key, rounds in NEEDED.items())
        raise fault("error.conquest.no-die-is-rolled-then", rolls=rolls)
    count = faces(6, lambda face: comes(face, need)).count(regiments)
    return {"regiments-that-arrive": count}


def supremacy(mine: int = 0, theirs: int = 0) -> Answer:
    """Each side's die with what it is changed by; ties are thrown again."""
    first = opposed(D6 + mine, D6 + theirs, lambda a, b: first_player(a, b))
    chance = first[0] / (1.0 - first[None])
    return {"you-are-first-player": chance}


QUESTIONS = questions("conquest", attack, duel, charge, spell, reinforcement, supremacy, test)
