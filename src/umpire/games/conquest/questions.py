"""Odds that can be asked for without a battle: fights and volleys, morale, charges, spells, tests, reserves."""

from __future__ import annotations

from umpire.errors import UmpireError
from umpire.odds import D6, Dist, Target, faces, opposed
from umpire.odds.commands import Line, Question

from .charge import reaches
from .dice import chosen, saves, succeeds
from .magic import SUCCESSES, attuned
from .morale import half_lost
from .reinforcement import NEEDED, comes
from .supremacy import first_player

REROLLS = ("", "failures", "successes", "ones", "sixes")


def which(reroll: str, name: str) -> str:
    if reroll not in REROLLS:
        raise UmpireError(f"there are {', '.join(REROLLS[1:])}, not {reroll!r}", name, f"有 {'、'.join(REROLLS[1:])}")
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
        Line({"zh": "士气前的伤害", "en": "wounds before morale"}, hurt),
        Line({"zh": "士气后的伤害", "en": "wounds with morale"}, total),
        Line({"zh": "失去的方阵", "en": "stands lost"}, after.slain),
        Line({"zh": "毁灭", "en": "destroyed"}, after.destroyed),
        Line({"zh": "因失去一半而溃退", "en": "broken by losing half"}, broken),
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
        raise UmpireError(f"there are own and foe, not {first!r}", "first", "有 own、foe")
    own = beaten(foe_dice, foe_value, defense, evasion, resolve, wounds)
    foe = beaten(dice, value, foe_defense, foe_evasion, foe_resolve, foe_wounds)
    falls, slain = own[wounds], foe[foe_wounds]
    if first == "own":
        own = Dist.mixture(((slain, 0), (1 - slain, own)))
    elif first == "foe":
        foe = Dist.mixture(((falls, 0), (1 - falls, foe)))
    return [
        Line({"zh": "对手受到的伤害", "en": "wounds of the opponent"}, foe),
        Line({"zh": "自己受到的伤害", "en": "own wounds"}, own),
        Line({"zh": "对手阵亡", "en": "the opponent is slain"}, foe[foe_wounds]),
        Line({"zh": "自己阵亡", "en": "slain oneself"}, own[wounds]),
        Line({"zh": "同归于尽", "en": "both slain"}, 0.0 if first else falls * slain),
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
        Line({"zh": "冲锋骰", "en": "charge die"}, rolled),
        Line({"zh": "冲锋成功", "en": "charge succeeds"}, faces(rolled, arrives)[True]),
    ]


def test(value: int) -> list[Line]:
    return [Line({"zh": "成功", "en": "succeeds"}, faces(6, lambda face: succeeds(face, value))[True])]


def spell(dice: int, attunement: int, needed: int = SUCCESSES) -> list[Line]:
    count = faces(6, lambda face: attuned(face, attunement)).mix({True: 1, False: 0}).times(dice)
    return [
        Line({"zh": "成功骰数", "en": "successes"}, count),
        Line({"zh": "施法成功", "en": "cast"}, count.at_least(needed)),
    ]


def reinforcement(klass: str, round: int, regiments: int = 1) -> list[Line]:
    need = NEEDED.get(klass, {}).get(round)
    if need is None:
        rolls = "; ".join(f"{key}: {', '.join(map(str, rounds))}" for key, rounds in NEEDED.items())
        raise UmpireError(f"no die is rolled then; there are rolls for {rolls}", zh=f"此时不掷骰；掷骰的轮次：{rolls}")
    count = faces(6, lambda face: comes(face, need)).mix({True: 1, False: 0}).times(regiments)
    return [Line({"zh": "到达的团", "en": "regiments that arrive"}, count)]


def supremacy(mine: int = 0, theirs: int = 0) -> list[Line]:
    """Each side's die with what it is changed by; ties are thrown again."""
    first = opposed(D6 + mine, D6 + theirs, lambda a, b: first_player(a, b))
    chance = first[0] / (1.0 - first[None])
    return [Line({"zh": "成为先手", "en": "you are First Player"}, chance)]


QUESTIONS = {
    "attack": Question(
        {"zh": "近战或射击", "en": "a clash or a volley"},
        attack,
        {
            "dice": {"zh": "命中骰数", "en": "hit dice"},
            "value": {"zh": "近战或射击值", "en": "Clash or Volley"},
            "defense": {"zh": "目标防御（已减劈砍）", "en": "the target's Defense, Cleave taken off"},
            "resolve": {"zh": "目标决心（含规模加值）", "en": "the target's Resolve, size included"},
            "wounds": {"zh": "每个方阵的生命", "en": "Wounds of a stand"},
            "stands": {"zh": "目标方阵数", "en": "the target's stands"},
            "evasion": {"zh": "目标闪避", "en": "the target's Evasion"},
            "reroll": {
                "zh": "重掷命中：failures、successes、ones、sixes",
                "en": "hit dice re-rolled: failures, successes, ones, sixes",
            },
            "morale_reroll": {
                "zh": "重掷士气（侧后：successes）",
                "en": "morale dice re-rolled (flank or rear: successes)",
            },
            "before": {"zh": "目标已受的伤害", "en": "wounds that the target has taken"},
        },
    ),
    "duel": Question(
        {"zh": "决斗", "en": "a Duel"},
        duel,
        {
            "dice": {"zh": "自己的攻击数", "en": "one's own Attacks"},
            "value": {"zh": "自己的近战值", "en": "one's own Clash"},
            "defense": {"zh": "自己的防御（已减劈砍）", "en": "one's own Defense, Cleave taken off"},
            "resolve": {"zh": "自己军团的决心（含规模加值）", "en": "the Resolve of one's regiment, size included"},
            "wounds": {"zh": "自己剩余的生命", "en": "the Wounds that one has left"},
            "foe_dice": {"zh": "对手的攻击数", "en": "the opponent's Attacks"},
            "foe_value": {"zh": "对手的近战值", "en": "the opponent's Clash"},
            "foe_defense": {"zh": "对手的防御（已减劈砍）", "en": "the opponent's Defense, Cleave taken off"},
            "foe_resolve": {"zh": "对手军团的决心（含规模加值）", "en": "the Resolve of his regiment, size included"},
            "foe_wounds": {"zh": "对手剩余的生命", "en": "the Wounds that he has left"},
            "evasion": {"zh": "自己的闪避", "en": "one's own Evasion"},
            "foe_evasion": {"zh": "对手的闪避", "en": "the opponent's Evasion"},
            "first": {"zh": "仅一方有快速打击：own、foe", "en": "who alone has Quicksilver Strike: own, foe"},
        },
    ),
    "charge": Question(
        {"zh": "冲锋", "en": "a charge"},
        charge,
        {
            "march": {"zh": "行军值", "en": "March"},
            "inches": {"zh": "到目标的距离", "en": "the distance to the target"},
            "reroll": {"zh": "可重掷（yes/no）", "en": "may the die be re-rolled (yes/no)?"},
        },
    ),
    "spell": Question(
        {"zh": "施法", "en": "a spell"},
        spell,
        {
            "dice": {"zh": "法术等级", "en": "the caster's level"},
            "attunement": {"zh": "契合值（受干扰减一）", "en": "Attunement, less one if interfered with"},
            "needed": {"zh": "所需成功", "en": "successes needed"},
        },
    ),
    "reinforcement": Question(
        {"zh": "增援骰", "en": "reinforcement rolls"},
        reinforcement,
        {
            "klass": {"zh": "级别：light、medium、heavy", "en": "Class: light, medium, heavy"},
            "round": {"zh": "轮次", "en": "the round"},
            "regiments": {"zh": "该级别的团数", "en": "regiments of that Class"},
        },
    ),
    "supremacy": Question(
        {"zh": "主导权骰", "en": "the Supremacy roll"},
        supremacy,
        {
            "mine": {"zh": "你的骰的修正（-1、0、+1）", "en": "what your die is changed by (-1, 0, +1)"},
            "theirs": {"zh": "对方骰的修正", "en": "what the other die is changed by"},
        },
    ),
    "test": Question(
        {"zh": "特征检定", "en": "a Characteristic Test"}, test, {"value": {"zh": "特征值", "en": "the value"}}
    ),
}
