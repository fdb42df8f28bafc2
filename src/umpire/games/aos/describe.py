"""Abilities written as data, said in words: what a card tells a player, in every language."""

from __future__ import annotations

from umpire.games.aos.profiles import AbilityData, Do
from umpire.miniatures.telling import Says, card, sentence
from umpire.text import Text

LASTING = ("modify", "forbid", "strike-first", "strike-last", "ward")
ALWAYS = ("deploy", "deployment", "round")


def _called(kind: str, name: str) -> Text:
    """What the catalogue calls a phase, a number, a deed, …"""
    return Text(f"{kind}.{name}")


def timing(data: AbilityData) -> Text:
    if data.passive:
        return card("passive")
    first, second = data.timing.split()
    if first == "reaction":
        return _called("trigger", second)
    if second in ALWAYS:
        return _called("phase", second)
    return card("when", whose=_called("whose", first), phase=_called("phase", second))


def limit(data: AbilityData) -> Text | str:
    if not data.per:
        return ""
    return card("once-army" if data.army else "once", period=_called("period", data.per))


def value(data: AbilityData) -> Text | str:
    if data.spell:
        return card("casting-value", value=data.value)
    if data.prayer:
        return card("chanting-value", value=data.value)
    return ""


def target(data: AbilityData) -> Text | str:
    if not data.target:
        return ""
    side = card("friendly" if data.target == "friendly" else "visible-enemy")
    count = card("one") if data.picks == 1 else card("up-to", count=data.picks)
    picks = card("pick", count=count, side=side, picks=data.picks, range=data.range)
    for need in data.needs:
        if not need.startswith("keyword "):
            picks = card("pick-if", pick=picks, condition=_called("condition", need))
    return card("pick-first", pick=picks)


def whom(do: Do) -> Text | str:
    if do.who == "friends":
        return card("friends-near", range=do.range) if do.range else card("friends")
    if do.who == "enemies":
        return card("enemies-near", range=do.range)
    return ""


def deed(do: Do) -> Text:
    """What one primitive does."""
    match do.do:
        case "modify":
            return card(f"modify.{do.op}", what=_called("number", do.what), value=do.value)
        case "forbid":
            return card("forbid", what=_called("deed", do.what))
        case _:
            return card(do.do, amount=do.amount, value=do.value, range=do.range)


def _part(do: Do, data: AbilityData) -> Text:
    part = card("part", whom=whom(do), deed=deed(do))
    if do.when:
        part = card("while", part=part, condition=_called("condition", do.when))
    if not data.passive and do.do in LASTING:
        part = card("until", part=part, period=_called("period", do.until))
    return part


def describe(data: AbilityData) -> Says:
    """The whole ability as a sentence or two."""
    head = card("head", timing=timing(data), once=limit(data), cost=value(data))
    roll = card("roll", roll=data.roll) if data.roll else ""
    begins = ("head",) if data.roll else ("head", "effect")
    return sentence("aos", (_part(do, data) for do in data.does), begins, head=head, pick=target(data), roll=roll)
