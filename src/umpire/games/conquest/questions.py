"""Odds that can be asked for without a battle: fights and volleys, morale, charges, spells, tests, reserves."""

from __future__ import annotations

from umpire.errors import fault
from umpire.odds import D6, Dist, Target, faces, opposed
from umpire.odds.commands import Line, Question
from umpire.text import words

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
    dice: int,
    value: int,
    defense: int,
    resolve: int,
    wounds: int,
    stands: int,
    evasion: int = 0,
    reroll: str = "",
    morale_reroll: str = "",
    before: int = 0,
) -> list[Line]:
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
    return [
        Line(words("odds.conquest.wounds-before-morale"), hurt),
        Line(words("odds.conquest.wounds-with-morale"), total),
        Line(words("odds.conquest.stands-lost"), after.slain),
        Line(words("odds.conquest.destroyed"), after.destroyed),
        Line(words("odds.conquest.broken-by-losing-half"), broken),
    ]


FIRST = ("", "own", "foe")


def duel(
    dice: int,
    value: int,
    defense: int,
    resolve: int,
    wounds: int,
    foe_dice: int,
    foe_value: int,
    foe_defense: int,
    foe_resolve: int,
    foe_wounds: int,
    evasion: int = 0,
    foe_evasion: int = 0,
    first: str = "",
) -> list[Line]:
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
    return [
        Line(words("odds.conquest.wounds-of-the-opponent"), foe),
        Line(words("odds.conquest.own-wounds"), own),
        Line(words("odds.conquest.the-opponent-is-slain"), foe[foe_wounds]),
        Line(words("odds.conquest.slain-oneself"), own[wounds]),
        Line(words("odds.conquest.both-slain"), 0.0 if first else falls * slain),
    ]


def beaten(dice: int, value: int, defense: int, evasion: int, resolve: int, wounds: int) -> Dist:
    """The wounds of a Character: blows, and a morale die for each as long as he lives."""
    if wounds < 1:
        raise ValueError("a Character has at least one wound")
    lost = faces(6, lambda face: saves(face, defense, evasion)).mix({True: 0, False: 1})
    hurt = faces(6, lambda face: succeeds(face, value)).mix({True: lost, False: 0}).times(dice).min(wounds)
    shaken = faces(6, lambda face: succeeds(face, resolve)).mix({True: 1, False: 2})
    return Dist.mixture((p, n if n == wounds else shaken.times(n).min(wounds)) for n, p in hurt.items())


def charge(march: float, inches: float, reroll: bool = False) -> list[Line]:
    def arrives(die: int) -> bool:
        return reaches(die, march, inches)

    rolled = D6.reroll(lambda die: not arrives(die)) if reroll else D6
    return [
        Line(words("odds.conquest.charge-die"), rolled),
        Line(words("odds.conquest.charge-succeeds"), faces(rolled, arrives)[True]),
    ]


def test(value: int) -> list[Line]:
    return [Line(words("odds.conquest.succeeds"), faces(6, lambda face: succeeds(face, value))[True])]


def spell(dice: int, attunement: int, needed: int = SUCCESSES) -> list[Line]:
    count = faces(6, lambda face: attuned(face, attunement)).mix({True: 1, False: 0}).times(dice)
    return [
        Line(words("odds.conquest.successes"), count),
        Line(words("odds.conquest.cast"), count.at_least(needed)),
    ]


def reinforcement(klass: str, round: int, regiments: int = 1) -> list[Line]:
    need = NEEDED.get(klass, {}).get(round)
    if need is None:
        rolls = "; ".join(f"{key}: {', '.join(map(str, rounds))}" for key, rounds in NEEDED.items())
        raise fault("error.conquest.no-die-is-rolled-then", rolls=rolls)
    count = faces(6, lambda face: comes(face, need)).mix({True: 1, False: 0}).times(regiments)
    return [Line(words("odds.conquest.regiments-that-arrive"), count)]


def supremacy(mine: int = 0, theirs: int = 0) -> list[Line]:
    """Each side's die with what it is changed by; ties are thrown again."""
    first = opposed(D6 + mine, D6 + theirs, lambda a, b: first_player(a, b))
    chance = first[0] / (1.0 - first[None])
    return [Line(words("odds.conquest.you-are-first-player"), chance)]


QUESTIONS = {
    "attack": Question(
        words("odds.conquest.a-clash-or-a-volley"),
        attack,
        {
            "dice": words("odds.conquest.hit-dice"),
            "value": words("odds.conquest.clash-or-volley"),
            "defense": words("odds.conquest.the-target-s-defense-cleave"),
            "resolve": words("odds.conquest.the-target-s-resolve-size"),
            "wounds": words("odds.conquest.wounds-of-a-stand"),
            "stands": words("odds.conquest.the-target-s-stands"),
            "evasion": words("odds.conquest.the-target-s-evasion"),
            "reroll": words("odds.conquest.hit-dice-re-rolled-failures"),
            "morale_reroll": words("odds.conquest.morale-dice-re-rolled-flank"),
            "before": words("odds.conquest.wounds-that-the-target-has"),
        },
    ),
    "duel": Question(
        words("odds.conquest.a-duel"),
        duel,
        {
            "dice": words("odds.conquest.one-s-own-attacks"),
            "value": words("odds.conquest.one-s-own-clash"),
            "defense": words("odds.conquest.one-s-own-defense-cleave"),
            "resolve": words("odds.conquest.the-resolve-of-one-s"),
            "wounds": words("odds.conquest.the-wounds-that-one-has"),
            "foe_dice": words("odds.conquest.the-opponent-s-attacks"),
            "foe_value": words("odds.conquest.the-opponent-s-clash"),
            "foe_defense": words("odds.conquest.the-opponent-s-defense-cleave"),
            "foe_resolve": words("odds.conquest.the-resolve-of-his-regiment"),
            "foe_wounds": words("odds.conquest.the-wounds-that-he-has"),
            "evasion": words("odds.conquest.one-s-own-evasion"),
            "foe_evasion": words("odds.conquest.the-opponent-s-evasion"),
            "first": words("odds.conquest.who-alone-has-quicksilver-strike"),
        },
    ),
    "charge": Question(
        words("odds.conquest.a-charge"),
        charge,
        {
            "march": words("odds.conquest.march"),
            "inches": words("odds.conquest.the-distance-to-the-target"),
            "reroll": words("odds.conquest.may-the-die-be-re"),
        },
    ),
    "spell": Question(
        words("odds.conquest.a-spell"),
        spell,
        {
            "dice": words("odds.conquest.the-caster-s-level"),
            "attunement": words("odds.conquest.attunement-less-one-if-interfered"),
            "needed": words("odds.conquest.successes-needed"),
        },
    ),
    "reinforcement": Question(
        words("odds.conquest.reinforcement-rolls"),
        reinforcement,
        {
            "klass": words("odds.conquest.class-light-medium-heavy"),
            "round": words("odds.conquest.the-round"),
            "regiments": words("odds.conquest.regiments-of-that-class"),
        },
    ),
    "supremacy": Question(
        words("odds.conquest.the-supremacy-roll"),
        supremacy,
        {
            "mine": words("odds.conquest.what-your-die-is-changed"),
            "theirs": words("odds.conquest.what-the-other-die-is"),
        },
    ),
    "test": Question(words("odds.conquest.a-characteristic-test"), test, {"value": words("odds.conquest.the-value")}),
}
