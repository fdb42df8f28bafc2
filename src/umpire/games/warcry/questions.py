"""Odds that can be asked for without a battle: attacks, impact damage, the initiative."""

from __future__ import annotations

from umpire.games.warcry.attack import COVER, read_hits
from umpire.games.warcry.dice import passes
from umpire.games.warcry.falling import impact_points
from umpire.games.warcry.rounds import DICE, read_dice
from umpire.odds import D6, Dist, faces, opposed, throws
from umpire.odds.commands import Answer, questions


def attack(
    attacks: int, strength: int, damage: int, critical: int, toughness: int, wounds: int, cover: bool = False
) -> Answer:
    tough = toughness + COVER * cover
    read = faces(6, lambda face: read_hits([face], strength, tough)[0])
    dealt = read.mix({"miss": 0, "hit": damage, "critical": critical}).times(attacks)
    return {"damage": dealt, "taken-down": dealt.at_least(wounds), "no-damage": 1 - dealt.at_least(1)}


def impact(jumps: int = 1, wounds: int = 1) -> Answer:
    hurt = D6.map(impact_points).times(jumps)
    return {"impact-damage": hurt, "taken-down-2": hurt.at_least(wounds)}


MOST = 20


def singles_of(dice: int) -> Dist:
    return throws(dice).dist(lambda thrown: len(read_dice(thrown)[0]))


def initiative(dice: int = DICE, theirs: int = DICE, wild: int = 0) -> Answer:
    if max(dice, theirs) > MOST:
        raise ValueError(f"at most {MOST} dice are thrown at once")
    rolled = throws(dice)
    mine = singles_of(dice) + wild
    lead = opposed(mine, singles_of(theirs), lambda a, b: (a > b) - (a < b))

    def most(thrown: tuple[int, ...]) -> int:
        return max((count for _, count in read_dice(thrown)[1]), default=1)

    return {
        "singles": mine,
        "you-have-the-initiative": lead[1] + lead[0] / 2,
        "a-double-or-better": rolled.chance(lambda thrown: most(thrown) >= 2),
        "a-triple-or-better": rolled.chance(lambda thrown: most(thrown) >= 3),
        "a-quad": rolled.chance(lambda thrown: most(thrown) >= 4),
    }


def ability(dice: int, need: int, damage: int, wounds: int = 1, ward: int = 0) -> Answer:
    dealt = faces(6, lambda face: passes(face, need)).mix({True: damage, False: 0}).times(dice)
    if ward:
        dealt = dealt.thin(faces(6, lambda face: passes(face, ward))[False])
    return {"damage": dealt, "taken-down": dealt.at_least(wounds)}


QUESTIONS = questions("warcry", attack, impact, initiative, ability)
