"""Abilities written as data, said in words: sentences of a card, put together of their parts in every language."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

import msgspec

from umpire.text import Text, both, mark, say

T = TypeVar("T", bound=msgspec.Struct)
Says = dict[str, str]
KEPT = 2048


def card(key: str, **facts: Any) -> Text:
    """A sentence, or a part of one, of a card."""
    return Text(f"card.{key}", facts)


def whole(number: float) -> int | float:
    """Without its point where nothing stands behind it."""
    return int(number) if number == int(number) else number


def sentence(game: str, parts: Iterable[Text], capital: Collection[str] = (), **around: Text | str) -> Says:
    """The sentence `card.whole` of a game: what is done (`effect`, all parts in turn) with what stands `around` it.
    `capital` are those that begin with a capital letter, "whole" the sentence itself."""
    told, done = {name: both(text, game) for name, text in around.items()}, list(parts)
    found = {}
    for lang in next(iter(told.values())):
        facts = {name: said[lang] for name, said in told.items()}
        facts["effect"] = mark("clause", lang).join(say(part, lang, game) for part in done)
        facts = {name: _capital(said) if name in capital else said for name, said in facts.items()}
        text = say(card("whole", **facts), lang, game)
        found[lang] = _capital(text) if "whole" in capital else text
    return found


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


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
