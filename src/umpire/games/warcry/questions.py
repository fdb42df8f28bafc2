"""Odds that can be asked for without a battle: attacks, impact damage, the initiative."""

from __future__ import annotations

from umpire.games.warcry.attack import read_hits
from umpire.games.warcry.falling import impact_points
from umpire.odds import D6, faces, throws
from umpire.odds.commands import Line, Question


def attack(
    attacks: int, strength: int, damage: int, critical: int, toughness: int, wounds: int, cover: bool = False
) -> list[Line]:
    tough = toughness + cover
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


def initiative(dice: int = 6) -> list[Line]:
    rolled = throws(dice)
    singles = rolled.dist(lambda thrown: sum(thrown.count(face) == 1 for face in thrown))

    def most(thrown: tuple[int, ...]) -> int:
        return max(thrown.count(face) for face in thrown)

    return [
        Line({"zh": "单骰数", "en": "singles"}, singles),
        Line({"zh": "有三同或四同", "en": "a triple or a quad"}, rolled.chance(lambda thrown: most(thrown) >= 3)),
        Line({"zh": "有四同", "en": "a quad"}, rolled.chance(lambda thrown: most(thrown) >= 4)),
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
        {"zh": "先攻骰", "en": "initiative dice"}, initiative, {"dice": {"zh": "骰子数", "en": "how many dice"}}
    ),
}
