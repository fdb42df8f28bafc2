"""Abilities written as data, said in words: what a card tells a player, in both languages."""

from __future__ import annotations

from umpire.games.aos.profiles import AbilityData, Do

Words = dict[str, str]

PHASES: dict[str, Words] = {
    "deploy": {"zh": "部署时", "en": "when deploying"},
    "deployment": {"zh": "部署阶段", "en": "deployment phase"},
    "round": {"zh": "战斗轮次开始", "en": "start of battle round"},
    "start": {"zh": "回合开始", "en": "start of turn"},
    "hero": {"zh": "英雄阶段", "en": "hero phase"},
    "movement": {"zh": "移动阶段", "en": "movement phase"},
    "shooting": {"zh": "射击阶段", "en": "shooting phase"},
    "charge": {"zh": "冲锋阶段", "en": "charge phase"},
    "combat": {"zh": "近战阶段", "en": "combat phase"},
    "end": {"zh": "回合结束", "en": "end of turn"},
}
WHOSE: dict[str, Words] = {
    "your": {"zh": "己方", "en": "your "},
    "enemy": {"zh": "敌方", "en": "enemy "},
    "any": {"zh": "任意", "en": "any "},
}
TRIGGERS: dict[str, Words] = {
    "declares-attack": {"zh": "反应：该单位宣布攻击技能后", "en": "Reaction: this unit declared an Attack ability"},
    "is-attacked": {"zh": "反应：该单位成为攻击目标后", "en": "Reaction: this unit was picked as a target of attacks"},
}
PERIODS: dict[str, Words] = {
    "phase": {"zh": "阶段", "en": "phase"},
    "turn": {"zh": "回合", "en": "turn"},
    "round": {"zh": "战斗轮次", "en": "battle round"},
    "battle": {"zh": "战斗", "en": "battle"},
}
NUMBERS: dict[str, Words] = {
    "move": {"zh": "移动", "en": "Move"},
    "health": {"zh": "生命", "en": "Health"},
    "control": {"zh": "控制", "en": "Control"},
    "control-score": {"zh": "控制分数", "en": "control score"},
    "save": {"zh": "豁免掷骰", "en": "save rolls"},
    "save-characteristic": {"zh": "豁免", "en": "Save"},
    "hit": {"zh": "命中掷骰", "en": "hit rolls"},
    "wound": {"zh": "致伤掷骰", "en": "wound rolls"},
    "hit-against": {"zh": "针对其的命中掷骰", "en": "hit rolls against it"},
    "wound-against": {"zh": "针对其的致伤掷骰", "en": "wound rolls against it"},
    "rend": {"zh": "撕裂", "en": "Rend"},
    "damage": {"zh": "伤害", "en": "Damage"},
    "attacks": {"zh": "攻击", "en": "Attacks"},
    "run": {"zh": "奔跑掷骰", "en": "run rolls"},
    "charge": {"zh": "冲锋掷骰", "en": "charge rolls"},
    "cast": {"zh": "施法掷骰", "en": "casting rolls"},
    "chant": {"zh": "咏诵掷骰", "en": "chanting rolls"},
    "unbind": {"zh": "破除掷骰", "en": "unbinding rolls"},
}
DEEDS: dict[str, Words] = {
    "core": {"zh": "核心", "en": "Core"},
    "move": {"zh": "移动", "en": "Move"},
    "run": {"zh": "奔跑", "en": "Run"},
    "retreat": {"zh": "后撤", "en": "Retreat"},
    "charge": {"zh": "冲锋", "en": "Charge"},
    "attack": {"zh": "攻击", "en": "Attack"},
    "shoot": {"zh": "射击", "en": "Shoot"},
    "fight": {"zh": "近战", "en": "Fight"},
    "spell": {"zh": "法术", "en": "Spell"},
    "prayer": {"zh": "祈祷", "en": "Prayer"},
    "unbind": {"zh": "破除", "en": "Unbind"},
}
CONDITIONS: dict[str, Words] = {
    "charged": {"zh": "本回合冲锋过", "en": "it charged this turn"},
    "in-combat": {"zh": "处于近战", "en": "it is in combat"},
    "not-in-combat": {"zh": "不处于近战", "en": "it is not in combat"},
    "damaged": {"zh": "受过损失", "en": "it has suffered losses"},
    "home": {"zh": "完全位于己方领地", "en": "it is wholly within friendly territory"},
    "token": {"zh": "有标识", "en": "it has a token"},
}


def _both(zh: str, en: str) -> Words:
    return {"zh": zh, "en": en}


def timing(data: AbilityData) -> Words:
    if data.passive:
        return _both("被动", "Passive")
    first, second = data.timing.split()
    if first == "reaction":
        return TRIGGERS[second]
    words = {lang: WHOSE[first][lang] + PHASES[second][lang] for lang in ("zh", "en")}
    if second in ("deploy", "deployment", "round"):
        words = dict(PHASES[second])
    words["en"] = words["en"][0].upper() + words["en"][1:]
    return words


def limit(data: AbilityData) -> Words:
    if not data.per:
        return _both("", "")
    period = PERIODS[data.per]
    zh, en = ("（军队）", " (Army)") if data.army else ("", "")
    return _both(f"，每{period['zh']}一次{zh}", f", once per {period['en']}{en}")


def value(data: AbilityData) -> Words:
    if data.spell:
        return _both(f"，施法值{data.value}", f", casting value {data.value}")
    if data.prayer:
        return _both(f"，咏诵值{data.value}", f", chanting value {data.value}")
    return _both("", "")


def target(data: AbilityData) -> Words:
    if not data.target:
        return _both("", "")
    friendly = data.target == "friendly"
    side = _both("己方", "friendly") if friendly else _both("可见敌方", "visible enemy")
    count = _both("一个", "1") if data.picks == 1 else _both(f"至多{data.picks}个", f"up to {data.picks}")
    zh = f"选择{data.range:g}英寸内{count['zh']}{side['zh']}单位；"
    en = f"Pick {count['en']} {side['en']} unit{'s' if data.picks > 1 else ''} within {data.range:g} inches. "
    for need in data.needs:
        if need in CONDITIONS:
            zh = zh[:-1] + f"（{CONDITIONS[need]['zh']}）；"
            en = en[:-2] + f" ({CONDITIONS[need]['en']}). "
    return _both(zh, en)


def whom(do: Do, data: AbilityData) -> Words:
    if do.who == "friends":
        near = f"{do.range:g}英寸内" if do.range else ""
        return _both(f"{near}己方单位：", f"Friendly units{f' within {do.range:g} inches' if do.range else ''}: ")
    if do.who == "enemies":
        return _both(f"{do.range:g}英寸内敌方单位：", f"Enemy units within {do.range:g} inches: ")
    return _both("", "")


def deed(do: Do) -> Words:
    """What one primitive does."""
    amount = do.amount
    match do.do:
        case "modify":
            name = NUMBERS[do.what]
            if do.op == "add":
                return _both(f"{name['zh']}{do.value:+g}", f"{do.value:+g} to {name['en']}")
            if do.op == "set":
                return _both(f"{name['zh']}变为{do.value:g}", f"{name['en']} is set to {do.value:g}")
            return _both(f"{name['zh']}乘以{do.value:g}", f"{name['en']} is multiplied by {do.value:g}")
        case "forbid":
            name = DEEDS[do.what]
            return _both(f"不能使用{name['zh']}技能", f"it cannot use {name['en']} abilities")
        case "mortal":
            return _both(f"造成{amount}处致命伤", f"{amount} mortal damage")
        case "heal":
            return _both(f"治疗（{amount}）", f"Heal ({amount})")
        case "return":
            return _both(f"返还{amount}个被击杀的模型", f"return {amount} slain models")
        case "march":
            return _both(f"移动至多{amount}英寸，不能进入近战", f"move up to {amount} inches, not into combat")
        case "command-point":
            return _both(f"获得{do.value:g}点指挥点数", f"gain {do.value:g} command points")
        case "ritual":
            return _both(f"获得{do.value:g}点仪式点数", f"gain {do.value:g} ritual points")
        case "token":
            return _both("放置一枚标识", "place a token on it")
        case "reserve":
            return _both("把该单位布置为预备队", "set this unit up in reserve")
        case "arrive":
            zh = "把一个预备队单位布置在战场边缘7英寸内、距所有敌方单位超过9英寸处"
            return _both(
                zh, "set up a unit from reserve within 7 inches of an edge and more than 9 from all enemy units"
            )
        case "teleport":
            return _both(
                "移出后重新布置在距所有敌方单位超过9英寸处",
                "remove it and set it up more than 9 inches from all enemy units",
            )
        case "summon":
            return _both(f"在{do.range:g}英寸内布置召唤体", f"set up the manifestation within {do.range:g} inches")
        case "replace":
            return _both("布置一个被毁灭的己方步兵单位的替换单位", "set up a replacement for a destroyed friendly unit")
        case "strike-first":
            return _both("先攻", "Strike-first")
        case "strike-last":
            return _both("后攻", "Strike-last")
        case "ward":
            return _both(f"守护（{do.value:g}+）", f"Ward ({do.value:g}+)")
    raise ValueError(f"no words for {do.do}")


LASTING = ("modify", "forbid", "strike-first", "strike-last", "ward")


def describe(data: AbilityData) -> Words:
    """The whole ability as a sentence or two."""
    parts_zh, parts_en = [], []
    for do in data.does:
        who, what = whom(do, data), deed(do)
        zh, en = who["zh"] + what["zh"], who["en"] + what["en"]
        if do.when:
            zh, en = f"{CONDITIONS[do.when]['zh']}时{zh}", f"{en} while {CONDITIONS[do.when]['en']}"
        if not data.passive and do.do in LASTING:
            zh = f"{zh}（直到{PERIODS[do.until]['zh']}结束）"
            en = f"{en} until the end of the {PERIODS[do.until]['en']}"
        parts_zh.append(zh)
        parts_en.append(en)
    head, once, cost, pick = timing(data), limit(data), value(data), target(data)
    roll_zh = f"每个目标掷骰，{data.roll}+：" if data.roll else ""
    roll_en = f"Roll a die for each: on {data.roll}+, " if data.roll else ""
    effect_en = "; ".join(parts_en)
    if not roll_en:
        effect_en = effect_en[0].upper() + effect_en[1:]
    return _both(
        f"{head['zh']}{once['zh']}{cost['zh']}：{pick['zh']}{roll_zh}{'；'.join(parts_zh)}。",
        f"{head['en']}{once['en']}{cost['en']}: {pick['en']}{roll_en}{effect_en}.",
    )
