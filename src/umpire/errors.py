"""The errors a user can cause: each says what is wrong and where, in Chinese and English."""

from __future__ import annotations

from umpire.text import LANGUAGES, Text, find, say


class UmpireError(Exception):
    """Something a user can put right: a file, an argument, an answer. Clients show `line`, never a traceback.

    `what` is a sentence of the catalogue (`Text`), or the words of a library that knows only English.
    """

    def __init__(self, what: str | Text, where: str = "", zh: str = "") -> None:
        # All three go to Exception so that the error survives pickling between processes.
        super().__init__(what, where, zh)
        self.text = what if isinstance(what, Text) else None
        self.what = what if isinstance(what, str) else say(what, "en", find(what.key))
        self.where = where
        self.zh = zh

    def line(self, lang: str) -> str:
        """One line for the user."""
        if self.text is not None:
            what = say(self.text, lang, find(self.text.key))
        else:
            what = self.zh if lang == "zh" and self.zh else self.what
        if not self.where:
            return what
        return f"{self.where}：{what}" if lang == "zh" else f"{self.where}: {what}"

    def lines(self) -> dict[str, str]:
        """The line in every language."""
        return {lang: self.line(lang) for lang in LANGUAGES}

    def __str__(self) -> str:
        return self.line("en")


def fault(key: str, where: str = "", **facts: object) -> UmpireError:
    """An error with a sentence of the catalogue."""
    return UmpireError(Text(key, facts), where)
