"""The example on the first page runs as printed."""

import doctest
from pathlib import Path

import pytest

import umpire
from umpire.engine.game import find_game
from umpire.errors import UmpireError

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["README.md", "README.zh.md"])
def test_the_example_runs(page: str) -> None:
    try:
        find_game("warcry")
    except (UmpireError, KeyError):
        pytest.skip("the example plays Warcry, which is not registered yet")
    names: dict[str, object] = {}
    parser = doctest.DocTestParser()
    # A fence is no part of the example: without this its closing line would be taken for expected output.
    text = (ROOT / page).read_text(encoding="utf-8").replace("```", "")
    example = parser.get_doctest(text, names, page, str(ROOT / page), 0)
    result = doctest.DocTestRunner().run(example, clear_globs=False)
    assert result.attempted == 3
    assert result.failed == 0
    battle = example.globs["battle"]
    assert isinstance(battle, umpire.Battle)
    assert battle.outcome is not None


def test_both_pages_show_the_same_example() -> None:
    code = []
    for page in ("README.md", "README.zh.md"):
        examples = doctest.DocTestParser().get_examples((ROOT / page).read_text(encoding="utf-8"))
        code.append([line.partition("#")[0].rstrip() for example in examples for line in example.source.splitlines()])
    assert code[0] == code[1]
