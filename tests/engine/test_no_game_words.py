"""The engine, the server and the browser know no game: no game's id, no prompt's key, no book's word decides there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from umpire.games import GAMES

ROOT = Path(__file__).parents[2]
ID = re.compile(rf"""["'`]({"|".join(GAMES)})(?=["'`.:/])""")
PROMPT = re.compile(r"""["'`^]ask\\?\.(?!dice\b)[a-z${]""")
"""`ask.dice` is the engine's own question: people roll real dice and type in the faces."""
BOOK = (
    "fighter|warband|battlegroup|regiment|warscroll|datasheet|detachment|squad|warlord|wizard|psyker|stratagem|runemark|"
    "rend|toughness|resolve|clash|volley|initiative|wild|deck"
)
UNIT = re.compile(rf"""["'`](?:{BOOK})s?["'`]""")
"""What one book or another calls its pieces, their parts and their numbers."""


PARTS = {"engine": "src/umpire/engine", "server": "src/umpire/server", "web": "web/src"}
WRITTEN = (".py", ".ts", ".tsx")


def sources(part: str, root: Path = ROOT) -> list[Path]:
    return [path for path in sorted((root / PARTS[part]).rglob("*")) if path.suffix in WRITTEN]


def code(path: Path) -> str:
    """Without comments and docstrings, which may give examples."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return re.sub(r"#[^\n]*", "", re.sub(r'"""(?:.|\n)*?"""', "", text))
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*(?:.|\n)*?\*/", "", text))


def words_of_games(part: str, root: Path = ROOT) -> list[str]:
    return [
        f"{path.relative_to(root)}: {match.group(0)}"
        for path in sources(part, root)
        for pattern in (ID, PROMPT, UNIT)
        for match in pattern.finditer(code(path))
    ]


@pytest.mark.parametrize("part", PARTS)
def test_no_game_no_prompt_and_no_unit_word_decides_outside_the_games(part: str) -> None:
    assert len(sources(part)) > 20
    assert words_of_games(part) == []


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    "planted",
    [
        'if (id == "warcry") x = 1',
        "if key.startswith('t9a.rule'): pass",
        'const known = "ask.move"',
        "prompt = `ask.${kind}`",
        'if (what == "regiments") x = 1',
        "wound(card['toughness'])",
    ],
)
def test_one_that_is_planted_is_found(part: str, planted: str, tmp_path: Path) -> None:
    folder = tmp_path / PARTS[part] / "deep"
    folder.mkdir(parents=True)
    (folder / ("planted.tsx" if part == "web" else "planted.py")).write_text(planted, encoding="utf-8")
    assert len(words_of_games(part, tmp_path)) == 1
