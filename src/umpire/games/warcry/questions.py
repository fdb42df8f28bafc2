"""Odds that can be asked for without a battle: attacks, impact damage, the initiative."""

from __future__ import annotations

from umpire.games.warcry.attack import COVER, read_hits
from umpire.games.warcry.dice import passes
from umpire.games.warcry.falling import impact_points
from umpire.games.warcry.rounds import DICE, read_dice
from umpire.odds import D6, Dist, faces, opposed, throws
from umpire.odds.commands import Line, Question
from umpire.text import words


def attack(
    attacks: int, strength: int, damage: int, critical: int, toughness: int, wounds: int, cover: bool = False
) -> list[Line]:
    tough = toughness + COVER * cover
    read = faces(6, lambda face: read_hits([face], strength, tough)[0])
    dealt = read.mix({"miss": 0, "hit": damage, "critical": critical}).times(attacks)
    return [
        Line(words("odds.warcry.damage"), dealt),
        Line(words("odds.warcry.taken-down"), dealt.at_least(wounds)),
        Line(words("odds.warcry.no-damage"), 1 - dealt.at_least(1)),
    ]


def impact(jumps: int = 1, wounds: int = 1) -> list[Line]:
    hurt = D6.map(impact_points).times(jumps)
    return [
        Line(words("odds.warcry.impact-damage"), hurt),
        Line(words("odds.warcry.taken-down-2"), hurt.at_least(wounds)),
    ]


MOST = 20


def singles_of(dice: int) -> Dist:
    return throws(dice).dist(lambda thrown: len(read_dice(thrown)[0]))


def initiative(dice: int = DICE, theirs: int = DICE, wild: int = 0) -> list[Line]:
    if max(dice, theirs) > MOST:
        raise ValueError(f"at most {MOST} dice are thrown at once")
    rolled = throws(dice)
    mine = singles_of(dice) + wild
    lead = opposed(mine, singles_of(theirs), lambda a, b: (a > b) - (a < b))

    def most(thrown: tuple[int, ...]) -> int:
        return max((count for _, count in read_dice(thrown)[1]), default=1)

    return [
        Line(words("odds.warcry.singles"), mine),
        Line(words("odds.warcry.you-have-the-initiative"), lead[1] + lead[0] / 2),
        Line(words("odds.warcry.a-double-or-better"), rolled.chance(lambda thrown: most(thrown) >= 2)),
        Line(words("odds.warcry.a-triple-or-better"), rolled.chance(lambda thrown: most(thrown) >= 3)),
        Line(words("odds.warcry.a-quad"), rolled.chance(lambda thrown: most(thrown) >= 4)),
    ]


def ability(dice: int, need: int, damage: int, wounds: int = 1, ward: int = 0) -> list[Line]:
    dealt = faces(6, lambda face: passes(face, need)).mix({True: damage, False: 0}).times(dice)
    if ward:
        dealt = dealt.thin(faces(6, lambda face: passes(face, ward))[False])
    return [
        Line(words("odds.warcry.damage"), dealt),
        Line(words("odds.warcry.taken-down"), dealt.at_least(wounds)),
    ]


QUESTIONS = {
    "attack": Question(
        words("odds.warcry.an-attack-action"),
        attack,
        {
            "attacks": words("odds.warcry.attacks"),
            "strength": words("odds.warcry.strength"),
            "damage": words("odds.warcry.damage-of-a-hit"),
            "critical": words("odds.warcry.damage-of-a-critical-hit"),
            "toughness": words("odds.warcry.the-target-s-toughness"),
            "wounds": words("odds.warcry.the-wounds-that-it-has"),
            "cover": words("odds.warcry.is-it-in-cover"),
        },
    ),
    "impact": Question(
        words("odds.warcry.the-impact-of-jumps-and"),
        impact,
        {
            "jumps": words("odds.warcry.how-many"),
            "wounds": words("odds.warcry.the-wounds-that-are-left"),
        },
    ),
    "initiative": Question(
        words("odds.warcry.initiative-dice"),
        initiative,
        {
            "dice": words("odds.warcry.how-many-dice"),
            "theirs": words("odds.warcry.the-opponent-s-dice"),
            "wild": words("odds.warcry.wild-dice-used-as-singles"),
        },
    ),
    "ability": Question(
        words("odds.warcry.an-ability-that-rolls-for"),
        ability,
        {
            "dice": words("odds.warcry.how-many-dice"),
            "need": words("odds.warcry.what-succeeds-x"),
            "damage": words("odds.warcry.damage-of-each-success"),
            "wounds": words("odds.warcry.the-wounds-that-the-target"),
            "ward": words("odds.warcry.the-target-s-ward-0"),
        },
    ),
}
