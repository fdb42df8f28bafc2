"""Positions that a judge might put to the umpire, written from the docs and the schema alone: each a scene with what
the book says of it."""

from pathlib import Path

import pytest

from umpire import files
from umpire.engine.scene import SceneFile
from umpire.engine.staging import played

FOLDER = Path(__file__).parent / "judge"
CASES = [
    pytest.param(source, id=f"{path.relative_to(FOLDER).with_suffix('')}-{n}")
    for path in sorted(FOLDER.rglob("*.yaml"))
    for n, source in enumerate(files.read_all(path), 1)
]


@pytest.mark.parametrize("source", CASES)
def test_the_umpire_rules_as_the_book_does(source: files.Source) -> None:
    assert list(played(source.convert(SceneFile), source).complaints("en")) == []
