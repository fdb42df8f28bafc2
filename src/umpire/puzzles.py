"""Puzzles and worked examples that come with the house: scenes with a question and the umpire's word on it."""

from __future__ import annotations

import functools
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec

from umpire import files
from umpire.engine.scene import SceneFile

BLANK = "blank.yaml"


TOLD = ("ruling", "rules", "answers", "until", "expect")
"""What tells how a puzzle ends."""


class Puzzle(msgspec.Struct, frozen=True):
    """A puzzle: its whole text, and the text without what tells how it ends."""

    id: str
    file: SceneFile
    text: str
    asked: str


@functools.cache
def puzzles() -> dict[str, Puzzle]:
    """All of them, by game and number."""
    found = {}
    root = _root()
    for game in sorted(root.iterdir(), key=lambda entry: entry.name):
        if not game.is_dir():
            continue
        for entry in sorted(game.iterdir(), key=lambda entry: entry.name):
            name, _, kind = entry.name.rpartition(".")
            if kind != "yaml" or entry.name == BLANK:
                continue
            key = f"{game.name}-{name}"
            text = entry.read_text(encoding="utf-8")
            source = files.parse(text, entry.name)
            found[key] = Puzzle(key, source.convert(SceneFile), text, _without(text, source, TOLD))
    return found


def _without(text: str, source: files.Source, fields: tuple[str, ...]) -> str:
    """The text without these fields, the rest as it is written."""
    lines = text.splitlines(keepends=True)
    starts = {key.value: key.start_mark.line for key, _ in source.nodes.value}
    kept = []
    for name, first in starts.items():
        later = [line for line in starts.values() if line > first]
        if name not in fields:
            kept += lines[first : min(later, default=len(lines))]
    return "".join(kept)


def template(game: str) -> str:
    """The text of a scene to begin with; nothing where a game has none."""
    blank = _root().joinpath(game, BLANK)
    return blank.read_text(encoding="utf-8") if blank.is_file() else ""


def _root() -> Traversable:
    return resources.files("umpire.content").joinpath("puzzles")
