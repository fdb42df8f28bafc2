"""The errors a user can cause: each says what is wrong and where, in Chinese and English."""

from __future__ import annotations


class UmpireError(Exception):
    """Something a user can put right: a file, an argument, an answer. Clients show `line`, never a traceback."""

    def __init__(self, what: str, where: str = "", zh: str = "") -> None:
        # All three go to Exception so that the error survives pickling between processes.
        super().__init__(what, where, zh)
        self.what = what
        self.where = where
        self.zh = zh

    def line(self, lang: str) -> str:
        """One line for the user; a library that knows only English leaves `zh` empty."""
        what = self.zh if lang == "zh" and self.zh else self.what
        if not self.where:
            return what
        return f"{self.where}：{what}" if lang == "zh" else f"{self.where}: {what}"

    def __str__(self) -> str:
        return self.line("en")
