"""Odds that can be asked for without a battle: attacks, impact damage, the initiative."""

from __future__ import annotations

from umpire.games.warcry.attack import COVER, read_hits
from umpire.games.warcry.dice import passes
from umpire.games.warcry.falling import impact_points
from umpire.games.warcry.rounds import DICE, read_dice
from umpire.odds import D6, Dist, faces, opposed, throws
from umpire.odds.commands import Line, Question


def attack(
    attacks: int, strength: int, damage: int, critical: int, toughness: int, wounds: int, cover: bool = False
) -> list[Line]:
    tough = toughness + COVER * cover
    read = faces(6, lambda face: read_hits([face], strength, tough)[0])
    dealt = read.mix({"miss": 0, "hit": damage, "critical": critical}).times(attacks)
    return [
        Line({"zh": "伤害", "en": "damage"}, dealt),
        Line({"zh": "击倒", "en": "taken down"}, dealt.at_least(wounds)),
        Line({"zh": "毫无效果", "en": "no damage"}, 1 - dealt.at_least(1)),
    ]


def impact(jumps: int = 1, wounds: int = 1) -> list[Line]:
    hurt = D6.map(impact_points).times(jumps)
    return [
        Line({"zh": "冲击伤害", "en": "impact damage"}, hurt),
        Line({"zh": "倒下", "en": "taken down"}, hurt.at_least(wounds)),
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
        Line({"zh": "单骰数", "en": "singles"}, mine),
        Line({"zh": "取得先攻", "en": "you have the initiative"}, lead[1] + lead[0] / 2),
        Line({"zh": "有二同以上", "en": "a double or better"}, rolled.chance(lambda thrown: most(thrown) >= 2)),
        Line({"zh": "有三同以上", "en": "a triple or better"}, rolled.chance(lambda thrown: most(thrown) >= 3)),
        Line({"zh": "有四同", "en": "a quad"}, rolled.chance(lambda thrown: most(thrown) >= 4)),
    ]


def ability(dice: int, need: int, damage: int, wounds: int = 1, ward: int = 0) -> list[Line]:
    dealt = faces(6, lambda face: passes(face, need)).mix({True: damage, False: 0}).times(dice)
    if ward:
        dealt = dealt.thin(faces(6, lambda face: passes(face, ward))[False])
    return [
        Line({"zh": "伤害", "en": "damage"}, dealt),
        Line({"zh": "击倒", "en": "taken down"}, dealt.at_least(wounds)),
    ]


QUESTIONS = {
    "attack": Question(
        {"zh": "一次攻击行动", "en": "an attack action"},
        attack,
        {
            "attacks": {"zh": "攻击次数", "en": "Attacks"},
            "strength": {"zh": "力量", "en": "Strength"},
            "damage": {"zh": "命中伤害", "en": "damage of a hit"},
            "critical": {"zh": "暴击伤害", "en": "damage of a critical hit"},
            "toughness": {"zh": "目标韧性", "en": "the target's Toughness"},
            "wounds": {"zh": "目标剩余生命", "en": "the wounds that it has left"},
            "cover": {"zh": "目标在掩护中", "en": "is it in cover?"},
        },
    ),
    "impact": Question(
        {"zh": "跳下或跌落的冲击", "en": "the impact of jumps and falls"},
        impact,
        {
            "jumps": {"zh": "次数", "en": "how many"},
            "wounds": {"zh": "剩余生命", "en": "the wounds that are left"},
        },
    ),
    "initiative": Question(
        {"zh": "先攻骰", "en": "initiative dice"},
        initiative,
        {
            "dice": {"zh": "骰子数", "en": "how many dice"},
            "theirs": {"zh": "对方骰子数", "en": "the opponent's dice"},
            "wild": {"zh": "用作单骰的任意骰", "en": "wild dice used as singles"},
        },
    ),
    "ability": Question(
        {"zh": "掷骰造成伤害的技能", "en": "an ability that rolls for damage"},
        ability,
        {
            "dice": {"zh": "骰子数", "en": "how many dice"},
            "need": {"zh": "成功所需（X+）", "en": "what succeeds (X+)"},
            "damage": {"zh": "每次成功的伤害", "en": "damage of each success"},
            "wounds": {"zh": "目标剩余生命", "en": "the wounds that the target has left"},
            "ward": {"zh": "目标守护（0：无）", "en": "the target's ward (0: none)"},
        },
    ),
}
