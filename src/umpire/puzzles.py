"""Puzzles and worked examples that come with the house: scenes with a question and the umpire's word on it."""

from __future__ import annotations

import functools
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec

from umpire import files
from umpire.engine.scene import SceneFile

BLANK = "blank.yaml"


class Puzzle(msgspec.Struct, frozen=True):
    id: str
    file: SceneFile
    text: str


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
            found[key] = Puzzle(key, files.parse(text, entry.name).convert(SceneFile), text)
    return found


def template(game: str) -> str:
    """The text of a scene to begin with; nothing where a game has none."""
    blank = _root().joinpath(game, BLANK)
    return blank.read_text(encoding="utf-8") if blank.is_file() else ""


def _root() -> Traversable:
    return resources.files("umpire.content").joinpath("puzzles")
