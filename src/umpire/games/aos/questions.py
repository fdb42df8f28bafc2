"""Odds that can be asked for without a battle: attacks, charges, spells and their unbinding."""

from __future__ import annotations

import math

from umpire.games.aos.attacks import read_hit, read_save, read_wound
from umpire.games.aos.charging import TOUCH
from umpire.games.aos.damage import saved_by_ward
from umpire.games.aos.odds import dist_of
from umpire.odds import Target, dice, faces, opposed
from umpire.odds.commands import Line, Question


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
) -> list[Line]:
    through = faces(6, lambda face: read_save(face, save, -rend)).mix({True: 0, False: dist_of(damage)})
    wounded = faces(6, lambda face: read_wound(face, wound, 0)).mix({True: through, False: 0})
    critical = {"mortal": dist_of(damage), "auto-wound": through, "2-hits": wounded.times(2)}.get(crit, wounded)
    one = faces(6, lambda face: read_hit(face, hit, 0)).mix({"miss": 0, "hit": wounded, "crit": critical})
    dealt = one.times(dist_of(attacks).times(attackers))
    if ward:
        dealt = dealt.thin(sum(not saved_by_ward(face, ward) for face in range(1, 7)) / 6)
    after = Target(health, models).suffer(dealt)
    return [
        Line({"zh": "伤害", "en": "damage"}, dealt),
        Line({"zh": "击杀模型", "en": "models slain"}, after.slain),
        Line({"zh": "毁灭单位", "en": "unit destroyed"}, after.destroyed),
    ]


def charge(inches: float) -> list[Line]:
    need = math.ceil(inches - TOUCH - 1e-3)
    roll = dice(2)
    return [
        Line({"zh": "冲锋骰", "en": "charge roll"}, roll),
        Line({"zh": "冲锋成功", "en": "charge succeeds"}, roll.at_least(need)),
        Line({"zh": "可重掷时", "en": "with a re-roll"}, roll.reroll(lambda n: n < need).at_least(need)),
    ]


def spell(value: int, cast: int = 0, unbind: int = 0) -> list[Line]:
    def read(casting: int, unbinding: int) -> str:
        if casting < value:
            return "fails"
        return "unbound" if unbinding >= casting else "cast"

    casting = dice(2) + cast
    return [
        Line({"zh": "施法成功", "en": "cast"}, casting.at_least(value)),
        Line(
            {"zh": "对方尝试破除时", "en": "if the other side tries to unbind it"},
            opposed(casting, dice(2) + unbind, read),
        ),
    ]


QUESTIONS = {
    "attack": Question(
        {"zh": "一件武器的全部攻击", "en": "all attacks with one weapon"},
        attack,
        {
            "attacks": {"zh": "每个模型的攻击次数（可写 D6）", "en": "Attacks of each model (may be D6)"},
            "hit": {"zh": "命中", "en": "Hit"},
            "wound": {"zh": "致伤", "en": "Wound"},
            "rend": {"zh": "破甲", "en": "Rend"},
            "damage": {"zh": "伤害（可写 D3）", "en": "Damage (may be D3)"},
            "save": {"zh": "目标保护（0：无）", "en": "the target's Save (0: none)"},
            "health": {"zh": "目标生命", "en": "the target's Health"},
            "models": {"zh": "目标模型数", "en": "the target's models"},
            "attackers": {"zh": "攻击模型数", "en": "attacking models"},
            "ward": {"zh": "守护（0：无）", "en": "Ward (0: none)"},
            "crit": {"zh": "暴击：mortal、auto-wound、2-hits", "en": "on a critical hit: mortal, auto-wound, 2-hits"},
        },
    ),
    "charge": Question(
        {"zh": "冲锋", "en": "a charge"}, charge, {"inches": {"zh": "到敌人的距离", "en": "the distance to the enemy"}}
    ),
    "spell": Question(
        {"zh": "施法", "en": "a spell"},
        spell,
        {
            "value": {"zh": "施法值", "en": "the casting value"},
            "cast": {"zh": "施法修正", "en": "modifier to casting rolls"},
            "unbind": {"zh": "破除修正", "en": "modifier to unbinding rolls"},
        },
    ),
}
