"""Abilities written as data, said in words: what a card tells a player, in both languages."""

from __future__ import annotations

from umpire.games.aos.profiles import AbilityData, Do
from umpire.text import catalogue

Words = dict[str, str]


def _words(kind: str, name: str) -> Words:
    """What the catalogue calls a phase, a number, a deed, …"""
    return catalogue("aos")[f"{kind}.{name}"]


def _both(zh: str, en: str) -> Words:
    return {"zh": zh, "en": en}


def timing(data: AbilityData) -> Words:
    if data.passive:
        return _both("被动", "Passive")
    first, second = data.timing.split()
    if first == "reaction":
        return _words("trigger", second)
    words = {lang: _words("whose", first)[lang] + _words("phase", second)[lang] for lang in ("zh", "en")}
    if second in ("deploy", "deployment", "round"):
        words = dict(_words("phase", second))
    words["en"] = words["en"][0].upper() + words["en"][1:]
    return words


def limit(data: AbilityData) -> Words:
    if not data.per:
        return _both("", "")
    period = _words("period", data.per)
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
        if not need.startswith("keyword "):
            words = _words("condition", need)
            zh, en = f"{zh[:-1]}（{words['zh']}）；", f"{en[:-2]} ({words['en']}). "
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
            name = _words("number", do.what)
            if do.op == "add":
                return _both(f"{name['zh']}{do.value:+g}", f"{do.value:+g} to {name['en']}")
            if do.op == "set":
                return _both(f"{name['zh']}变为{do.value:g}", f"{name['en']} is set to {do.value:g}")
            return _both(f"{name['zh']}乘以{do.value:g}", f"{name['en']} is multiplied by {do.value:g}")
        case "forbid":
            name = _words("deed", do.what)
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
            words = _words("condition", do.when)
            zh, en = f"{words['zh']}时{zh}", f"{en} while {words['en']}"
        if not data.passive and do.do in LASTING:
            words = _words("period", do.until)
            zh, en = f"{zh}（直到{words['zh']}结束）", f"{en} until the end of the {words['en']}"
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
