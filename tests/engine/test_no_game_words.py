"""The engine, the server and the browser know no game: no game's id, no prompt's key, no book's word decides there."""

from __future__ import annotations

import re
from pathlib import Path

from umpire.games import GAMES

ROOT = Path(__file__).parents[2]
ID = re.compile(rf"""["'`]({"|".join(GAMES)})(?=["'`.:/])""")
PROMPT = re.compile(r"""["'`^]ask\\?\.(?!dice\b)[a-z]""")
"""`ask.dice` is the engine's own question: people roll real dice and type in the faces."""
BOOK = (
    "fighter|warband|battlegroup|regiment|warscroll|datasheet|detachment|squad|warlord|wizard|psyker|stratagem|runemark|"
    "rend|toughness|resolve|clash|volley|initiative|wild|deck"
)
UNIT = re.compile(rf"""["'`](?:{BOOK})s?["'`]""")
"""What one book or another calls its pieces, their parts and their numbers."""


def sources() -> list[Path]:
    found = [p for part in ("engine", "server") for p in sorted((ROOT / "src/umpire" / part).rglob("*.py"))]
    return found + [p for p in sorted((ROOT / "web/src").rglob("*")) if p.suffix in (".ts", ".tsx")]


def code(path: Path) -> str:
    """Without comments and docstrings, which may give examples."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return re.sub(r"#[^\n]*", "", re.sub(r'"""(?:.|\n)*?"""', "", text))
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*(?:.|\n)*?\*/", "", text))


def test_no_game_no_prompt_and_no_unit_word_decides_outside_the_games() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group(0)}"
        for path in sources()
        for pattern in (ID, PROMPT, UNIT)
        for match in pattern.finditer(code(path))
    ]
    assert found == []
