"""Odds that can be asked for without a battle: fights and volleys, morale, charges, spells, tests, reserves."""

from __future__ import annotations

from umpire.errors import fault
from umpire.odds import D6, Dist, Target, faces, opposed
from umpire.odds.commands import Answer, questions

from .charge import reaches
from .dice import chosen, saves, succeeds
from .magic import SUCCESSES, attuned
from .morale import half_lost
from .reinforcement import NEEDED, comes
from .supremacy import first_player

REROLLS = ("", "failures", "successes", "ones", "sixes")


def which(reroll: str, name: str) -> str:
    if reroll not in REROLLS:
        raise fault("error.conquest.there-are-not", name, rerolls=list(REROLLS[1:]), reroll=reroll)
    return reroll


def attack(
    dice: int, value: int, defense: int, resolve: int, wounds: int, stands: int, evasion: int = 0, reroll: str = "",
    morale_reroll: str = "", before: int = 0,
) -> Answer:  # fmt: skip
    """Hit rolls, defence rolls, then a morale die for every wound; each failure is a further wound."""
    again, worse = which(reroll, "reroll"), which(morale_reroll, "morale_reroll")

    def hits(face: int) -> bool:
        return succeeds(face, value)

    def stays(face: int) -> bool:
        return succeeds(face, resolve)

    lost = faces(6, lambda face: saves(face, defense, evasion)).mix({True: 0, False: 1})
    struck = faces(6, hits, reroll=(lambda face: chosen(face, hits(face), again)) if again else None)
    hurt = struck.mix({True: lost, False: 0}).times(dice)
    tested = faces(6, stays, reroll=(lambda face: chosen(face, stays(face), worse)) if worse else None)
    total = tested.mix({True: 1, False: 2}).times(hurt)
    after = Target(wounds, stands, before).suffer(total)
    broken = sum(p for fallen, p in after.slain.items() if half_lost(fallen, stands))
    return {
        "wounds-before-morale": hurt,
        "wounds-with-morale": total,
        "stands-lost": after.slain,
        "destroyed": after.destroyed,
        "broken-by-losing-half": broken,
    }


FIRST = ("", "own", "foe")


def duel(
    dice: int, value: int, defense: int, resolve: int, wounds: int, foe_dice: int, foe_value: int, foe_defense: int,
    foe_resolve: int, foe_wounds: int, evasion: int = 0, foe_evasion: int = 0, first: str = "",
) -> Answer:  # fmt: skip
    """Both strike at the same time, unless one alone has Quicksilver Strike: then the slain strike no more."""
    if first not in FIRST:
        raise fault("error.conquest.there-are-own-and-foe", "first", first=first)
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
    lost = faces(6, lambda face: saves(face, defense, evasion)).mix({True: 0, False: 1})
    hurt = faces(6, lambda face: succeeds(face, value)).mix({True: lost, False: 0}).times(dice).min(wounds)
    shaken = faces(6, lambda face: succeeds(face, resolve)).mix({True: 1, False: 2})
    return Dist.mixture((p, n if n == wounds else shaken.times(n).min(wounds)) for n, p in hurt.items())


def charge(march: float, inches: float, reroll: bool = False) -> Answer:
    def arrives(die: int) -> bool:
        return reaches(die, march, inches)

    rolled = D6.reroll(lambda die: not arrives(die)) if reroll else D6
    return {"charge-die": rolled, "charge-succeeds": faces(rolled, arrives)[True]}


def test(value: int) -> Answer:
    return {"succeeds": faces(6, lambda face: succeeds(face, value))[True]}


def spell(dice: int, attunement: int, needed: int = SUCCESSES) -> Answer:
    count = faces(6, lambda face: attuned(face, attunement)).mix({True: 1, False: 0}).times(dice)
    return {"successes": count, "cast": count.at_least(needed)}


def reinforcement(klass: str, round: int, regiments: int = 1) -> Answer:
    need = NEEDED.get(klass, {}).get(round)
    if need is None:
        rolls = "; ".join(f"{key}: {', '.join(map(str, rounds))}" for key, rounds in NEEDED.items())
        raise fault("error.conquest.no-die-is-rolled-then", rolls=rolls)
    count = faces(6, lambda face: comes(face, need)).mix({True: 1, False: 0}).times(regiments)
    return {"regiments-that-arrive": count}


def supremacy(mine: int = 0, theirs: int = 0) -> Answer:
    """Each side's die with what it is changed by; ties are thrown again."""
    first = opposed(D6 + mine, D6 + theirs, lambda a, b: first_player(a, b))
    chance = first[0] / (1.0 - first[None])
    return {"you-are-first-player": chance}


QUESTIONS = questions(
    "conquest",
    attack=attack,
    duel=duel,
    charge=charge,
    spell=spell,
    reinforcement=reinforcement,
    supremacy=supremacy,
    test=test,
)
