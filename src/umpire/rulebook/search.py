"""Looking rules up by words, Chinese or English, best match first."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import msgspec

from umpire.rulebook.ledger import Rule, find, games, rule, rules

_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_ENGLISH = re.compile(r"[a-z0-9]+")

# A word in a rule's name says more about it than the same word in its text.
_NAME, _ID, _TEXT = 6.0, 4.0, 1.0


class Neighbours(msgspec.Struct, frozen=True):
    """The rules around one: its place in the book, what it builds on, and what builds on it."""

    before: Rule | None
    after: Rule | None
    needs: tuple[Rule, ...]
    needed_by: tuple[Rule, ...]


def neighbours(rule_id: str) -> Neighbours:
    here = rule(rule_id)
    book = rules(here.game)
    return Neighbours(
        before=book[here.order - 1] if here.order > 0 else None,
        after=book[here.order + 1] if here.order + 1 < len(book) else None,
        needs=tuple(other for needed in here.needs if (other := find(needed)) is not None),
        needed_by=tuple(other for other in book if rule_id in other.needs),
    )


def search(words: str, game: str | None = None) -> list[Rule]:
    """Rules that speak of `words`, best first; the start of an English word is enough, Chinese needs no spaces."""
    books = (game,) if game is not None else games()
    candidates = [one for name in books for one in rules(name)]
    terms = list(dict.fromkeys(_terms(words)))
    if not terms:
        return []
    scores = [0.0] * len(candidates)
    matched = [0] * len(candidates)
    haystacks = [_haystack(one) for one in candidates]
    for term in terms:
        weights = [_weight(term, haystack) for haystack in haystacks]
        found = sum(1 for weight in weights if weight)
        if not found:
            continue
        rarity = math.log(1 + len(candidates) / found)
        for at, weight in enumerate(weights):
            if weight:
                scores[at] += weight * rarity
                matched[at] += 1
    # A rule that has every term beats one that repeats some of them in a better place.
    rank = [(scores[at] * (matched[at] / len(terms)) ** 2, at) for at in range(len(candidates))]
    best = max((score for score, _ in rank), default=0.0)
    kept = sorted((pair for pair in rank if pair[0] > best * 0.1), key=lambda pair: (-pair[0], pair[1]))
    return [candidates[at] for _, at in kept]


def _terms(words: str) -> Iterable[str]:
    """English words; Chinese runs as pairs of characters, since Chinese writes no word breaks."""
    words = words.lower()
    yield from _ENGLISH.findall(words)
    for run in _CHINESE.findall(words):
        if len(run) == 1:
            yield run
        for at in range(len(run) - 1):
            yield run[at : at + 2]


def _haystack(one: Rule) -> tuple[str, str, str]:
    """Name, id and text; English words begin after a space so that ` term` finds word starts alone."""
    name = " ".join(_ENGLISH.findall(one.en.lower()))
    text = " ".join(_ENGLISH.findall(one.text.lower()))
    parts = " ".join(_ENGLISH.findall(one.id))
    return f" {name} {one.zh}", f" {parts}", f" {text} {one.text_zh}"


def _weight(term: str, haystack: tuple[str, str, str]) -> float:
    name, parts, text = haystack
    needle = f" {term}" if term.isascii() else term
    # "Charge" should find the rule called just that before "No charge after reinforcement".
    whole = 1 + len(needle) / len(name)
    return _NAME * whole * (needle in name) + _ID * (needle in parts) + _TEXT * (needle in text)
