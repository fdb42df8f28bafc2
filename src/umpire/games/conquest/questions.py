"""Odds that can be asked for without a battle: clashes and volleys, morale, charges, tests."""

from __future__ import annotations

import math

from umpire.odds import D6, Target, faces
from umpire.odds.commands import Line, Question

from .dice import saves, succeeds


def attack(
    dice: int, value: int, defense: int, resolve: int, wounds: int, stands: int, evasion: int = 0, cleave: int = 0
) -> list[Line]:
    """Hit rolls, defence rolls, then a morale die for every wound; each failure is a further wound."""
    kept = max(0, defense - cleave)
    lost = faces(6, lambda face: saves(face, kept, evasion)).mix({True: 0, False: 1})
    hurt = faces(6, lambda face: succeeds(face, value)).mix({True: lost, False: 0}).times(dice)
    fails = faces(6, lambda face: succeeds(face, resolve)).mix({True: 1, False: 2})
    total = fails.times(hurt)
    after = Target(wounds, stands).suffer(total)
    return [
        Line({"zh": "士气前的伤害", "en": "wounds before morale"}, hurt),
        Line({"zh": "士气后的伤害", "en": "wounds with morale"}, total),
        Line({"zh": "失去的方阵", "en": "stands lost"}, after.slain),
        Line({"zh": "毁灭", "en": "destroyed"}, after.destroyed),
        Line({"zh": "因失去一半而溃退", "en": "broken by losing half"}, after.slain.at_least(math.ceil(stands / 2))),
    ]


def charge(march: float, inches: float) -> list[Line]:
    need = max(1, math.ceil(inches - march - 1e-3))
    return [
        Line({"zh": "需要掷出", "en": "die needed"}, D6),
        Line({"zh": "冲锋成功", "en": "charge succeeds"}, D6.at_least(need)),
    ]


def test(value: int) -> list[Line]:
    return [Line({"zh": "成功", "en": "succeeds"}, faces(6, lambda face: succeeds(face, value))[True])]


QUESTIONS = {
    "attack": Question(
        {"zh": "近战或射击", "en": "a clash or a volley"},
        attack,
        {
            "dice": {"zh": "命中骰数", "en": "hit dice"},
            "value": {"zh": "近战或射击值", "en": "Clash or Volley"},
            "defense": {"zh": "目标防御", "en": "the target's Defense"},
            "resolve": {"zh": "目标决心（含规模加值）", "en": "the target's Resolve, size included"},
            "wounds": {"zh": "每个方阵的生命", "en": "Wounds of a stand"},
            "stands": {"zh": "目标方阵数", "en": "the target's stands"},
            "evasion": {"zh": "目标闪避", "en": "the target's Evasion"},
            "cleave": {"zh": "劈砍", "en": "Cleave"},
        },
    ),
    "charge": Question(
        {"zh": "冲锋", "en": "a charge"},
        charge,
        {
            "march": {"zh": "行军值", "en": "March"},
            "inches": {"zh": "到目标的距离", "en": "the distance to the target"},
        },
    ),
    "test": Question(
        {"zh": "特征检定", "en": "a Characteristic Test"}, test, {"value": {"zh": "特征值", "en": "the value"}}
    ),
}
