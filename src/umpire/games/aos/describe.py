"""Abilities written as data, said in words: what a card tells a player, in every language."""

from __future__ import annotations

from typing import Any

from umpire.games.aos.profiles import AbilityData, Do
from umpire.text import Text, in_language, mark, say
from umpire.text import both as in_all

LASTING = ("modify", "forbid", "strike-first", "strike-last", "ward")
ALWAYS = ("deploy", "deployment", "round")


def _card(key: str, **facts: Any) -> Text:
    return Text(f"card.{key}", facts)


def _called(kind: str, name: str) -> Text:
    """What the catalogue calls a phase, a number, a deed, …"""
    return Text(f"{kind}.{name}")


def timing(data: AbilityData) -> Text:
    if data.passive:
        return _card("passive")
    first, second = data.timing.split()
    if first == "reaction":
        return _called("trigger", second)
    if second in ALWAYS:
        return _called("phase", second)
    return _card("when", whose=_called("whose", first), phase=_called("phase", second))


def limit(data: AbilityData) -> Text | str:
    if not data.per:
        return ""
    return _card("once-army" if data.army else "once", period=_called("period", data.per))


def value(data: AbilityData) -> Text | str:
    if data.spell:
        return _card("casting-value", value=data.value)
    if data.prayer:
        return _card("chanting-value", value=data.value)
    return ""


def target(data: AbilityData) -> Text | str:
    if not data.target:
        return ""
    side = _card("friendly" if data.target == "friendly" else "visible-enemy")
    count = _card("one") if data.picks == 1 else _card("up-to", count=data.picks)
    picks = _card("pick", count=count, side=side, picks=data.picks, range=data.range)
    for need in data.needs:
        if not need.startswith("keyword "):
            picks = _card("pick-if", pick=picks, condition=_called("condition", need))
    return _card("pick-first", pick=picks)


def whom(do: Do) -> Text | str:
    if do.who == "friends":
        return _card("friends-near", range=do.range) if do.range else _card("friends")
    if do.who == "enemies":
        return _card("enemies-near", range=do.range)
    return ""


def deed(do: Do) -> Text:
    """What one primitive does."""
    match do.do:
        case "modify":
            return _card(f"modify.{do.op}", what=_called("number", do.what), value=do.value)
        case "forbid":
            return _card("forbid", what=_called("deed", do.what))
        case _:
            return _card(do.do, amount=do.amount, value=do.value, range=do.range)


def _part(do: Do, data: AbilityData) -> Text:
    part = _card("part", whom=whom(do), deed=deed(do))
    if do.when:
        part = _card("while", part=part, condition=_called("condition", do.when))
    if not data.passive and do.do in LASTING:
        part = _card("until", part=part, period=_called("period", do.until))
    return part


def describe(data: AbilityData) -> dict[str, str]:
    """The whole ability as a sentence or two."""
    head = in_all(_card("head", timing=timing(data), once=limit(data), cost=value(data)), "aos")
    pick = in_all(target(data), "aos")
    roll = in_all(_card("roll", roll=data.roll) if data.roll else "", "aos")
    whole = {}
    for lang, begin in head.items():
        effect = mark("clause", lang).join(say(_part(do, data), lang, "aos") for do in data.does)
        facts = {"head": _capital(begin), "pick": in_language(pick, lang), "roll": in_language(roll, lang)}
        effect = effect if data.roll else _capital(effect)
        whole[lang] = say(_card("whole", **facts, effect=effect), lang, "aos")
    return whole


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
