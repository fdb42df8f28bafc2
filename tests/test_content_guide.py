"""docs/content.md is carried out: the books and lists that it writes, what it adds to the library, and its commands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

import umpire
from umpire import files
from umpire.arena.armies import check, load
from umpire.errors import UmpireError
from umpire.games import GAMES
from umpire.writing import dump

ROOT = Path(__file__).parents[1]
CONTENT = Path(umpire.__file__).parent / "content"
BLOCK = re.compile(r"^```(yaml|sh)\n(.*?)^```$", flags=re.M | re.S)


class Block(NamedTuple):
    kind: str
    text: str

    @property
    def file(self) -> str:
        """What a block is written into: its first line says so."""
        return self.text.partition("\n")[0].removeprefix("# ")


def blocks(page: str) -> list[Block]:
    return [Block(*found) for found in BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))]


GUIDE = blocks("content.md")

PROGRAM = """
import shlex, sys
from pathlib import Path
from umpire.miniatures import books
from umpire.cli import main

books.resources = type("Content", (), {"files": staticmethod(lambda name: Path("content"))})
for line in sys.stdin.read().splitlines():
    print("$", line, flush=True)
    try:
        main(shlex.split(line)[1:])
    except SystemExit as end:
        if end.code:
            raise
"""
"""Carries commands out with a library of its own in the folder `content`."""


def added(library: Path, block: Block) -> None:
    """Put what a block holds at the end of the lists of a file of the library."""
    file = library.parent / block.file
    here, more = yaml.safe_load(file.read_text(encoding="utf-8")), yaml.safe_load(block.text)
    if isinstance(more, list):
        here += more
    else:
        for key, entries in more.items():
            here[key] += entries
    file.write_text(yaml.safe_dump(here, allow_unicode=True), encoding="utf-8")


def test_both_languages_write_the_same_files_and_every_game_is_there() -> None:
    assert blocks("zh/content.md") == GUIDE
    for game in GAMES:
        assert {f"{game}-book.yaml", f"{game}.yaml"} <= {block.file for block in GUIDE}
        assert any(block.file.startswith(f"content/{game}/") for block in GUIDE)


@pytest.mark.parametrize("game", GAMES)
def test_what_the_guide_writes_is_played(game: str, tmp_path: Path) -> None:
    shutil.copytree(CONTENT, tmp_path / "content", ignore=shutil.ignore_patterns("__pycache__", "puzzles"))
    commands = []
    for block in GUIDE:
        if block.kind == "sh":
            commands += [line for line in block.text.splitlines() if re.search(rf"\b{game}\b", line)]
        elif block.file.startswith(f"content/{game}/"):
            added(tmp_path / "content", block)
        elif block.file in (f"{game}-book.yaml", f"{game}.yaml"):
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    assert len(commands) == 3
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input="\n".join(commands),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "UMPIRE_LANG": "en"},
    )
    assert done.returncode == 0, done.stderr + done.stdout
    checked, *fought = done.stdout.split("$ umpire ")[1:]
    assert "legal" in checked
    assert "against" not in checked
    assert len(fought) == 2
    for told in fought:
        assert re.search(r"^1 battle, ", told, flags=re.M), told


@pytest.mark.parametrize("game", GAMES)
def test_what_is_wrong_with_a_book_is_told_with_its_line(game: str, tmp_path: Path) -> None:
    for block in GUIDE:
        if block.file in (f"{game}-book.yaml", f"{game}.yaml"):
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    book = tmp_path / f"{game}-book.yaml"
    before, _, after = book.read_text(encoding="utf-8").rpartition(" points: ")
    book.write_text(f"{before} pionts: {after}", encoding="utf-8")
    with pytest.raises(UmpireError, match="pionts") as told:
        check(load(tmp_path / f"{game}.yaml"))
    line = before.count("\n") + 1
    assert str(told.value).startswith(f"{book}:{line}: ")


@pytest.mark.parametrize("game", GAMES)
def test_a_book_may_stand_in_the_list_itself(game: str, tmp_path: Path) -> None:
    data = {block.file: files.parse(block.text, "").data for block in GUIDE if block.file.startswith(game)}
    whole = {**data[f"{game}.yaml"], "book": data[f"{game}-book.yaml"]}
    file = tmp_path / "whole.yaml"
    file.write_text(dump(whole), encoding="utf-8")
    assert check(load(file)).legal
    file.write_text(dump(whole).replace("id: kiln", "di: kiln", 1), encoding="utf-8")
    with pytest.raises(UmpireError) as told:
        check(load(file))
    assert re.match(rf"{re.escape(str(file))}:\d+: ", str(told.value))
