"""Explanations: events, reasons and numbers in Chinese and English, with the rule's name and text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from umpire.engine.events import Event
from umpire.engine.rulings import Reason, Ruling
from umpire.text import LANGUAGES, Names, Text, catalogue, mark, render, say


def explain(event: Event, game: str, names: Names | None = None, lang: str = "zh") -> str:
    """One event as a sentence. A roll without a sentence of its own is told by its purpose and faces."""
    facts: dict[str, Any] = dict(event.facts)
    if event.roll is not None:
        roll = event.roll
        facts.update(purpose=Text(f"purpose.{roll.purpose}"), faces=faces(roll.faces), who=roll.who, total=roll.total)
        facts["before"] = faces([face for face in roll.first if face])
        key = f"event.{event.kind}.{roll.purpose}"
        if key in catalogue(game):
            return say(Text(key, facts), lang, game, names)
    return say(Text(f"event.{event.kind}", facts), lang, game, names)


def faces(values: Sequence[int]) -> str:
    return " ".join(str(v) for v in values)


def explain_reason(reason: Reason, game: str, names: Names | None = None, lang: str = "zh") -> str:
    """A reason: its own sentence if the catalogue has one, else the rule's name and text with the facts."""
    if reason.text.key in catalogue(game):
        sentence = say(reason.text, lang, game, names)
    else:
        sentence = rule_name(reason.rule, lang)
        if reason.facts:
            details = mark("comma", lang).join(say_fact(k, v, lang, game, names) for k, v in reason.facts.items())
            sentence = say(Text("reason.measured", {"reason": sentence, "facts": details}), lang)
    return f"{sentence} [{reason.rule}]" if reason.rule else sentence


def say_fact(name: str, value: Any, lang: str, game: str, names: Names | None) -> str:
    """A measured fact: as its own words put the value in their midst, else its name and then the value."""
    words = catalogue(game).get(f"fact.{name}", {}).get(lang, name)
    if "{value}" in words:
        return say(Text(f"fact.{name}", {"value": value}), lang, game, names)
    return f"{words} {render(value, lang, game, names)}"


def rule_name(rule: str, lang: str) -> str:
    from umpire import rulebook

    if not rulebook.exists(rule):
        return rule
    found = rulebook.rule(rule)
    return found.name(lang)


def ruling_wire(ruling: Ruling, game: str, names: Names | None = None) -> dict[str, Any]:
    """A ruling as plain data with its sentences, for clients."""
    return {
        "legal": ruling.legal,
        "reasons": [
            {
                "rule": reason.rule,
                "facts": msgspec.to_builtins(reason.facts),
                "text": {lang: explain_reason(reason, game, names, lang) for lang in LANGUAGES},
                **({"at": reason.at} if reason.at else {}),
            }
            for reason in ruling.reasons
        ],
        "nearest": ruling.nearest,
    }
