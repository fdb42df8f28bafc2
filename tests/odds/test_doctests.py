import doctest
import importlib
from pathlib import Path

import pytest


@pytest.mark.parametrize("module", ["dist", "outcomes", "dice", "target", "agree", "show"])
def test_examples_in_the_code_hold(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"umpire.odds.{module}"))
    assert result.attempted
    assert not result.failed


def test_examples_in_the_guide_hold() -> None:
    guide = Path(__file__).parents[2] / "docs" / "odds.md"
    result = doctest.testfile(str(guide), module_relative=False)
    assert result.attempted
    assert not result.failed
