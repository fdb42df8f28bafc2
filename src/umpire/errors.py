"""The errors a user can cause: each says what is wrong and where, in Chinese and English."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a command that fails at once needs no catalogue to start with
    from umpire.text import Text


class UmpireError(Exception):
    """Something a user can put right: a file, an argument, an answer. Clients show `line`, never a traceback.

    `what` is a sentence of the catalogue (`Text`), or the words of a library that knows only English.
    """

    def __init__(self, what: str | Text, where: str = "") -> None:
        # Both go to Exception so that the error survives pickling between processes.
        super().__init__(what, where)
        self.text = None if isinstance(what, str) else what
        self.what = what if isinstance(what, str) else _say(what, "en")
        self.where = where

    def line(self, lang: str) -> str:
        """One line for the user."""
        what = self.what if self.text is None else _say(self.text, lang)
        if self.where:
            from umpire.text import Text

            what = _say(Text("error.at", {"where": self.where, "what": what}), lang)
        return " ".join(what.splitlines())  # a name that somebody wrote may hold several

    def under(self, field: str) -> UmpireError:
        """The same error with its field inside another one."""
        if self.where.startswith(field):
            return self
        dot = "." if self.where and self.where[0] != "[" else ""
        return UmpireError(self.text or self.what, f"{field}{dot}{self.where}")

    @property
    def said(self) -> Text | dict[str, str]:
        """What is wrong, without where, to be said again inside another sentence."""
        return self.text if self.text is not None else {"en": self.what}

    def lines(self) -> dict[str, str]:
        """The line in every language."""
        from umpire.text import LANGUAGES

        return {lang: self.line(lang) for lang in LANGUAGES}

    def __str__(self) -> str:
        return self.line("en")


def _say(text: Text, lang: str) -> str:
    from umpire.text import find, say

    return say(text, lang, find(text.key))


def fault(key: str, where: str = "", **facts: object) -> UmpireError:
    """An error with a sentence of the catalogue."""
    from umpire.text import Text

    return UmpireError(Text(key, facts), where)


MOST_NAMED = 12
"""So many names are told of those that there are; of more those that are like the one that was given."""


def unknown(kind: str, name: object, where: str = "", known: Iterable[str] = ()) -> UmpireError:
    """The error for a name that nothing answers to; `kind.<kind>` is the word for what it should have been."""
    from umpire.text import Text

    every = list(known)
    facts = {"kind": Text(f"kind.{kind}"), "name": f"{name}", "known": every}
    if len(every) <= MOST_NAMED:
        return fault("error.unknown-of" if every else "error.unknown", where, **facts)
    from difflib import get_close_matches

    near = get_close_matches(f"{name}", every, 4)
    if near:
        return fault("error.unknown-near", where, **facts | {"known": near})
    return fault("error.unknown-many", where, **facts | {"known": every[:MOST_NAMED]}, count=len(every))


def system_reason(error: OSError) -> str:
    """Why the system would not: a sentence of the catalogue for the usual reasons, else its own words."""
    from umpire.text import catalogue

    key = f"system.{errno.errorcode.get(error.errno or 0, '')}"
    return key if key in catalogue("") else error.strerror or str(error)
