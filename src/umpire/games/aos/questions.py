"""Odds that can be asked for without a battle: attacks, charges, spells, prayers, rallies, the priority roll."""

from __future__ import annotations

import math

from umpire.errors import UmpireError
from umpire.games.aos.charging import TOUCH
from umpire.games.aos.hero import RALLY_ROLLS, rallies
from umpire.games.aos.magic import miscasts, unbinds
from umpire.games.aos.numbers import capped
from umpire.games.aos.odds import attack_sequence, dist_of, warded
from umpire.games.aos.profiles import Weapon
from umpire.games.aos.rounds import priority_winner
from umpire.odds import D6, Target, dice, faces, opposed, throws
from umpire.odds.commands import Line, Question
from umpire.space.shapes import TOLERANCE

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
        raise UmpireError(f"there are {', '.join(CRITS)}, not {crit!r}", "crit", f"有 {'、'.join(CRITS)}")
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
        Line({"zh": "伤害", "en": "damage"}, dealt),
        Line({"zh": "击杀模型", "en": "models slain"}, after.slain),
        Line({"zh": "毁灭单位", "en": "unit destroyed"}, after.destroyed),
    ]


def charge(inches: float, bonus: int = 0) -> list[Line]:
    need = math.ceil(inches - TOUCH - TOLERANCE) - bonus
    roll = dice(2)
    return [
        Line({"zh": "冲锋骰", "en": "charge roll"}, roll),
        Line({"zh": "冲锋成功", "en": "charge succeeds"}, roll.at_least(need)),
        Line({"zh": "可重掷时", "en": "with a re-roll"}, roll.reroll(lambda n: n < need).at_least(need)),
    ]


def spell(value: int, cast: int = 0, unbind: int = 0) -> list[Line]:
    def stands(casting: int, unbinding: int) -> bool:
        return 0 < casting >= value and not unbinds(unbinding, casting)

    casting = throws(2).dist(lambda faces: 0 if miscasts(faces) else max(1, sum(faces) + cast))
    return [
        Line({"zh": "施法成功", "en": "cast"}, casting.at_least(max(1, value))),
        Line(
            {"zh": "对方尝试破除后仍生效", "en": "cast though they try to unbind"},
            opposed(casting, dice(2) + unbind, stands)[True],
        ),
        Line({"zh": "施法失误", "en": "miscast"}, casting[0]),
    ]


def rally(dice: int = RALLY_ROLLS, health: int = 1) -> list[Line]:
    points = faces(6, rallies).mix({True: 1, False: 0}).times(dice)
    return [
        Line({"zh": "集结点数", "en": "rally points"}, points),
        Line({"zh": "可归队模型", "en": "models that may return"}, points // health),
    ]


def priority(first: bool) -> list[Line]:
    """Side 0 went first in the round before, or did not."""
    decides = opposed(D6, D6, lambda a, b: priority_winner(a, b, 0 if first else 1))
    return [Line({"zh": "由你决定先手", "en": "you decide who goes first"}, decides[0])]


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
            "hit_mod": {"zh": "命中修正（含掩护）", "en": "modifiers to hit rolls, cover included"},
            "wound_mod": {"zh": "致伤修正", "en": "modifiers to wound rolls"},
            "save_mod": {"zh": "保护修正", "en": "modifiers to save rolls"},
            "before": {"zh": "目标已分配的伤害", "en": "damage already allocated to the target"},
        },
    ),
    "charge": Question(
        {"zh": "冲锋", "en": "a charge"},
        charge,
        {
            "inches": {"zh": "到敌人的距离", "en": "the distance to the enemy"},
            "bonus": {"zh": "冲锋骰修正", "en": "added to the charge roll"},
        },
    ),
    "rally": Question(
        {"zh": "集结", "en": "a Rally"},
        rally,
        {
            "dice": {"zh": "骰子数（有乐手多一枚）", "en": "dice (one more with a musician)"},
            "health": {"zh": "每个模型的生命", "en": "Health of a model"},
        },
    ),
    "priority": Question(
        {"zh": "先手权骰", "en": "the priority roll"},
        priority,
        {"first": {"zh": "上一轮你先手吗（yes/no）", "en": "did you go first in the last round (yes/no)?"}},
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
