"""Abilities, powers and stratagems written as data, said in words: what a card and an option tell a player."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from umpire.games.wh40k.primitives import DEEDS, NEAR, STRENGTH
from umpire.games.wh40k.profiles import Ability, Datasheet, Does, Power, Row, Stratagem
from umpire.miniatures.telling import Says, card, kept, sentence, whole
from umpire.text import Text, catalogue

GAME = "wh40k"
AIMED = ("hit", "wound", "d", "ap", "s", "attacks")
"""Numbers of attackers: what burdens them is told of attacks on the bearer; all else of those whom it attacks."""
TOLD_BY_WHAT = ("wound-limit", "shoot-now", "fight-now")


def deed(does: Does) -> Text:
    """What one special rule does, without when and to whom."""
    value = whole(does.value)
    many = str(does.amount)
    count = int(many) if many.isdigit() else many
    match does.name:
        case "modify" | "burden":
            change = card(f"modify.{does.op}", what=Text(f"number.{does.what}"), value=value)
            if does.name == "modify":
                return change
            return card("burden.aimed" if does.what in AIMED else "burden.foe", change=change)
        case "reroll":
            return card(f"reroll.{does.which}", what=Text(f"number.{does.what}"))
        case "mortal":
            told = card("mortal", amount=count)
            if does.what == STRENGTH:
                return card("mortal.strength", deed=told)
            if does.what == NEAR:
                return card("mortal.near", deed=told, value=value)
            return card("mortal.roll", deed=told, value=value) if value else told
        case name if name in TOLD_BY_WHAT and does.what:
            return card(f"{name}.{does.what}", value=value)
        case name:
            return card(name, amount=count, value=value)


def part(does: Does) -> Text:
    """The same with the situation that it is for."""
    told = deed(does)
    if does.attacks:
        told = card(f"attacks.{does.attacks}", deed=told)
    if does.against:
        told = card("against", deed=told, keyword=Text(f"keyword.{does.against}"))
    if does.when:
        moment = does.name in DEEDS
        told = card("at" if moment else "while", deed=told, when=Text(f"{'moment' if moment else 'while'}.{does.when}"))
    return told


def kind(words: Iterable[str]) -> Text | str:
    """The keywords that whoever is meant must have; those of factions are the bearer's own."""
    found = []
    for word in words:
        if word.startswith("<"):
            found.append(card("same-choice"))
        else:
            found.append(Text(f"keyword.{word}") if f"keyword.{word}" in catalogue(GAME) else card("own-faction"))
    return card("kind", words=found) if found else ""


def _sentence(head: Text | str, does: Sequence[Does], tail: Text | str = "") -> Says:
    return sentence(GAME, map(part, does), ("whole",), head=head, tail=tail)


@kept
def ability(data: Ability) -> Says:
    """An ability of a datasheet, a trait or a relic; with a range it is an aura."""
    head: Text | str = ""
    if data.range and not any(entry.what == NEAR for entry in data.does):
        facts = {"whom": card(f"whom.{data.whom}"), "kind": kind(data.keywords)}
        head = card("aura", range=whole(data.range), **facts)
    return _sentence(head, data.does)


@kept
def power(data: Power) -> Says:
    """A psychic power: what it takes, whom it reaches, what it does and until when."""
    whom: Text | str = card("power.self")
    if data.target != "self":
        seen = card("visible") if data.visible and data.target == "enemy" else ""
        facts = {"whom": card(f"target.{data.target}"), "seen": seen, "kind": kind(data.keywords)}
        whom = card("power.near", range=whole(data.range), **facts)
    head = card("power", charge=data.charge, whom=whom)
    return _sentence(head, data.does, _tail(data, "undeniable"))


@kept
def stratagem(data: Stratagem) -> Says:
    """A stratagem of a faction: when it is used, on whom, what it does and until when."""
    whom: Text | str = ""
    if data.target != "none":
        whom = card("stratagem.on", whom=card(f"target.{data.target}"), kind=kind(data.keywords))
    limit = card("once-a-battle") if data.per else ""
    phase = data.phase.removeprefix("end-")
    when = "stratagem.before" if phase == "before" else "stratagem.end" if phase != data.phase else "stratagem"
    facts = {"phase": Text(f"phase.{phase}"), "limit": limit, "whom": whom}
    return _sentence(card(when, whose=card(f"whose.{data.whose}"), **facts), data.does, _tail(data, "refunds"))


def _tail(data: Power | Stratagem, more: str) -> Text | str:
    """Until when it lasts, if anything does, and what else is to be said of it where that is so."""
    lasts = any(entry.name not in DEEDS for entry in data.does)
    until: Text | str = card("until", until=Text(f"until.{data.until}")) if lasts else ""
    return card("and", first=until, second=card(more)) if getattr(data, more) else until


# -- what else a datasheet says -------------------------------------------------------------------------------------


def sheet(data: Datasheet, rows: Iterable[Row]) -> list[dict[str, Any]]:
    """What stands on a datasheet beside numbers, weapons and abilities, as lines of a card."""
    found: dict[str, dict[str, Any]] = {}
    rows = list(rows)
    for key, of in (("invulnerable-save", "invulnerable"), ("ignores", "ignore")):
        values = sorted({value for row in rows if (value := getattr(row, of))})
        if values:
            found[key] = {"value": values[0]}
    bands = next((row.table for row in rows if row.table), None)
    if bands is not None:
        told = functools.reduce(lambda a, b: card("and", first=a, second=b), [_band(band) for band in bands])
        found["damage-table"] = {"bands": told}
    if data.psychic is not None:
        found["psyker"] = {"casts": data.psychic.casts, "denies": data.psychic.denies}
    if data.carries is not None:
        found["carries"] = {"capacity": data.carries.capacity, "kind": kind(data.carries.keywords)}
    if (boom := data.explodes) is not None:
        found["explodes"] = {"roll": boom.roll, "range": whole(boom.range), "wounds": boom.wounds}
    return [{"name": card(key), "text": card(f"{key}.text", **told)} for key, told in found.items()]


def _band(band: Any) -> Text:
    changed = [
        card("band.value", what=Text(f"value.{what}"), value=f"{value}+" if what in ("ws", "bs") else value)
        for what in ("m", "ws", "bs", "s", "a")
        if (value := getattr(band, what, None)) is not None
    ]
    return card("band", left=band.left, values=changed)
