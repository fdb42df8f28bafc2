"""Sentences: arguments in their places, numbers as players say them."""

from __future__ import annotations

import pytest

from umpire import text
from umpire.text import Text, say

SENTENCES = {
    "hurt": {"zh": "{who}受到{wounds}点伤害", "en": "{who} takes {wounds} wounds"},
    "thrown": {"zh": "{n}枚", "en": "{n} wild dice are thrown"},
    "moved": {"zh": "{far:1}英寸", "en": "{far:1} inches"},
    "changed": {"zh": "{by:+}", "en": "{by:+}"},
}


@pytest.fixture(autouse=True)
def sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "catalogue", lambda game: SENTENCES)


@pytest.mark.parametrize(
    ("key", "args", "zh", "en"),
    [
        ("hurt", {"who": "A", "wounds": 2}, "A受到2点伤害", "A takes 2 wounds"),
        ("hurt", {"who": "A", "wounds": 1}, "A受到1点伤害", "A takes 1 wound"),
        ("hurt", {"who": 1, "wounds": 3}, "1受到3点伤害", "1 takes 3 wounds"),
        ("thrown", {"n": 0}, "0枚", "0 wild dice are thrown"),
        ("thrown", {"n": 1}, "1枚", "1 wild die is thrown"),
        ("moved", {"far": 1.26}, "1.3英寸", "1.3 inches"),
        ("changed", {"by": 1}, "+1", "+1"),
    ],
)
def test_a_sentence_in_both_languages(key: str, args: dict[str, object], zh: str, en: str) -> None:
    assert (say(Text(key, args), "zh"), say(Text(key, args), "en")) == (zh, en)
