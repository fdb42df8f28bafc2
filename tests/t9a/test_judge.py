"""Positions that a judge might put to the umpire, by chapters of the book: each a scene with what the book says."""

from pathlib import Path

import pytest

from umpire import files
from umpire.engine.scene import SceneFile
from umpire.engine.staging import played

CASES = [
    pytest.param(text, id=f"{path.stem}-{n}")
    for path in sorted((Path(__file__).parent / "judge").glob("*.yaml"))
    for n, text in enumerate(path.read_text(encoding="utf-8").split("\n---\n"), 1)
]


@pytest.mark.parametrize("text", CASES)
def test_the_umpire_rules_as_the_book_does(text: str) -> None:
    source = files.parse(text, "case.yaml")
    assert list(played(source.convert(SceneFile), source).complaints("en")) == []
