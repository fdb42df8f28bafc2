"""Plural forms by the rules of the Unicode CLDR (Language Plural Rules, cardinals).

A language has some of the categories one, few, many and other, in this order; a sentence gives a word for each of them
(`{n#die|dice}`). A language that is not listed has one form for all numbers, as Chinese has.
"""

from __future__ import annotations

from collections.abc import Callable

Number = int | float


def _whole(n: Number) -> bool:
    return n == int(n)


def _one(n: Number) -> int:
    """one: i = 1 and v = 0."""
    return 0 if n == 1 else 1


def _romance(zero: bool) -> Callable[[Number], int]:
    """one (with nought or without), many: whole millions, other."""

    def rule(n: Number) -> int:
        if n == 1 or (zero and 0 <= abs(n) < 2):
            return 0
        return 1 if n != 0 and _whole(n) and int(n) % 1_000_000 == 0 else 2

    return rule


def _east_slavic(n: Number) -> int:
    """one: 1, 21, 31 …; few: 2-4, 22-24 …; many: the other whole numbers; other: fractions."""
    if not _whole(n):
        return 3
    last, two = int(abs(n)) % 10, int(abs(n)) % 100
    if last == 1 and two != 11:
        return 0
    return 1 if 2 <= last <= 4 and not 12 <= two <= 14 else 2


def _polish(n: Number) -> int:
    if not _whole(n):
        return 3
    last, two = int(abs(n)) % 10, int(abs(n)) % 100
    if n == 1:
        return 0
    return 1 if 2 <= last <= 4 and not 12 <= two <= 14 else 2


def _czech(n: Number) -> int:
    """one, few: 2 to 4, many: fractions, other."""
    if not _whole(n):
        return 2
    return 0 if n == 1 else 1 if 2 <= n <= 4 else 3


_RULES: dict[str, Callable[[Number], int]] = {
    **dict.fromkeys(("en", "de", "nl", "sv", "fi", "hu", "tr", "el", "no", "da"), _one),
    **dict.fromkeys(("es", "it"), _romance(zero=False)),
    **dict.fromkeys(("fr", "pt"), _romance(zero=True)),
    **dict.fromkeys(("ru", "uk", "be"), _east_slavic),
    "pl": _polish,
    **dict.fromkeys(("cs", "sk"), _czech),
}


def choose(forms: list[str], n: Number, lang: str) -> str:
    """The form for a number. A sentence may leave the last forms out where they are the same."""
    rule = _RULES.get(lang)
    return forms[min(rule(n), len(forms) - 1)] if rule is not None else forms[-1]
