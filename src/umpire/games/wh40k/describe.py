"""Abilities, powers and stratagems written as data, said in words: what a card and an option tell a player."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from umpire.games.wh40k.primitives import DEEDS, STRENGTH
from umpire.games.wh40k.profiles import Ability, Datasheet, Does, Power, Row, Stratagem
from umpire.text import Text, both, catalogue, mark, say

GAME = "wh40k"
NEAR = "near-enemies"
AIMED = ("hit", "wound", "d", "ap", "s", "attacks")
"""Numbers of attackers: what burdens them is told of attacks on the bearer; all else of those whom it attacks."""
TOLD_BY_WHAT = ("wound-limit", "shoot-now", "fight-now")

Says = dict[str, str]
KEPT = 2048


def _card(key: str, **facts: Any) -> Text:
    return Text(f"card.{key}", facts)


def _whole(number: float) -> int | float:
    return int(number) if number == int(number) else number


def deed(does: Does) -> Text:
    """What one special rule does, without when and to whom."""
    value = _whole(does.value)
    many = str(does.amount)
    count = int(many) if many.isdigit() else many
    match does.name:
        case "modify" | "burden":
            change = _card(f"modify.{does.op}", what=Text(f"number.{does.what}"), value=value)
            if does.name == "modify":
                return change
            return _card("burden.aimed" if does.what in AIMED else "burden.foe", change=change)
        case "reroll":
            return _card(f"reroll.{does.which}", what=Text(f"number.{does.what}"))
        case "mortal":
            told = _card("mortal", amount=count)
            if does.what == STRENGTH:
                return _card("mortal.strength", deed=told)
            if does.what == NEAR:
                return _card("mortal.near", deed=told, value=value)
            return _card("mortal.roll", deed=told, value=value) if value else told
        case name if name in TOLD_BY_WHAT and does.what:
            return _card(f"{name}.{does.what}", value=value)
        case name:
            return _card(name, amount=count, value=value)


def part(does: Does) -> Text:
    """The same with the situation that it is for."""
    told = deed(does)
    if does.attacks:
        told = _card(f"attacks.{does.attacks}", deed=told)
    if does.against:
        told = _card("against", deed=told, keyword=Text(f"keyword.{does.against}"))
    if does.when:
        moment = does.name in DEEDS
        told = _card(
            "at" if moment else "while", deed=told, when=Text(f"{'moment' if moment else 'while'}.{does.when}")
        )
    return told


def kind(words: Iterable[str]) -> Text | str:
    """The keywords that whoever is meant must have; those of factions are the bearer's own."""
    found = []
    for word in words:
        if word.startswith("<"):
            found.append(_card("same-choice"))
        else:
            found.append(Text(f"keyword.{word}") if f"keyword.{word}" in catalogue(GAME) else _card("own-faction"))
    return _card("kind", words=found) if found else ""


def _sentence(head: Text | str, does: Sequence[Does], tail: Text | str = "") -> Says:
    heads, tails = both(head, GAME), both(tail, GAME)
    whole = {}
    for lang in heads:
        effect = mark("clause", lang).join(say(part(entry), lang, GAME) for entry in does)
        text = say(_card("whole", head=heads[lang], effect=effect, tail=tails[lang]), lang, GAME)
        whole[lang] = text[:1].upper() + text[1:]
    return whole


T = TypeVar("T", Ability, Power, Stratagem)


def kept(tell: Callable[[T], Says]) -> Callable[[T], Says]:
    """Told once: cards are drawn and options listed anew after every answer."""
    found: dict[bytes, Says] = {}

    @functools.wraps(tell)
    def told(data: T) -> Says:
        key = msgspec.msgpack.encode(data)
        if key not in found:
            if len(found) >= KEPT:
                found.clear()
            found[key] = tell(data)
        return found[key]

    return told


@kept
def ability(data: Ability) -> Says:
    """An ability of a datasheet, a trait or a relic; with a range it is an aura."""
    head: Text | str = ""
    if data.range and not any(entry.what == NEAR for entry in data.does):
        facts = {"whom": _card(f"whom.{data.whom}"), "kind": kind(data.keywords)}
        head = _card("aura", range=_whole(data.range), **facts)
    return _sentence(head, data.does)


@kept
def power(data: Power) -> Says:
    """A psychic power: what it takes, whom it reaches, what it does and until when."""
    whom: Text | str = _card("power.self")
    if data.target != "self":
        seen = _card("visible") if data.visible and data.target == "enemy" else ""
        facts = {"whom": _card(f"target.{data.target}"), "seen": seen, "kind": kind(data.keywords)}
        whom = _card("power.near", range=_whole(data.range), **facts)
    head = _card("power", charge=data.charge, whom=whom)
    tail = _until(data.until, data.does)
    if data.undeniable:
        tail = _card("and", first=tail, second=_card("undeniable"))
    return _sentence(head, data.does, tail)


@kept
def stratagem(data: Stratagem) -> Says:
    """A stratagem of a faction: when it is used, on whom, what it does and until when."""
    whom: Text | str = ""
    if data.target != "none":
        whom = _card("stratagem.on", whom=_card(f"target.{data.target}"), kind=kind(data.keywords))
    limit = _card("once-a-battle") if data.per else ""
    phase = data.phase.removeprefix("end-")
    when = "stratagem.before" if phase == "before" else "stratagem.end" if phase != data.phase else "stratagem"
    facts = {"phase": Text(f"phase.{phase}"), "limit": limit, "whom": whom}
    tail = _until(data.until, data.does)
    if data.refunds:
        tail = _card("and", first=tail, second=_card("refunds"))
    return _sentence(_card(when, whose=_card(f"whose.{data.whose}"), **facts), data.does, tail)


def _until(until: str, does: Sequence[Does]) -> Text | str:
    return _card("until", until=Text(f"until.{until}")) if any(entry.name not in DEEDS for entry in does) else ""


# -- what else a datasheet says -------------------------------------------------------------------------------------


def sheet(data: Datasheet, rows: Iterable[Row]) -> list[dict[str, Any]]:
    """What stands on a datasheet beside numbers, weapons and abilities, as lines of a card."""
    found: list[tuple[str, Text]] = []
    rows = list(rows)
    for key, of in (("invulnerable-save", "invulnerable"), ("ignores", "ignore")):
        values = sorted({value for row in rows if (value := getattr(row, of))})
        if values:
            found.append((key, _card(f"{key}.text", value=values[0])))
    if any(row.table for row in rows):
        bands = next(row.table for row in rows if row.table)
        told = functools.reduce(lambda a, b: _card("and", first=a, second=b), [_band(band) for band in bands])
        found.append(("damage-table", _card("damage-table.text", bands=told)))
    if data.psychic is not None:
        found.append(("psyker", _card("psyker.text", casts=data.psychic.casts, denies=data.psychic.denies)))
    if data.carries is not None:
        room = _card("carries.text", capacity=data.carries.capacity, kind=kind(data.carries.keywords))
        found.append(("carries", room))
    if data.explodes is not None:
        boom = data.explodes
        told = _card("explodes.text", roll=boom.roll, range=_whole(boom.range), wounds=boom.wounds)
        found.append(("explodes", told))
    return [{"name": _card(key), "text": text} for key, text in found]


def _band(band: Any) -> Text:
    changed = [
        _card("band.value", what=Text(f"value.{what}"), value=f"{value}+" if what in ("ws", "bs") else value)
        for what in ("m", "ws", "bs", "s", "a")
        if (value := getattr(band, what, None)) is not None
    ]
    return _card("band", left=band.left, values=changed)
