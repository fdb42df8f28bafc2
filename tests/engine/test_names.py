"""Names that agree in all games: `may_…`, `can_…`, `is_…` and `has_…` say yes or no, `why_not_…` and `…objections` give
reasons. What a game declares is typed."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path

from umpire.engine.game import Game, Hints

SOURCE = Path(__file__).parents[2] / "src/umpire"


def test_may_says_yes_or_no_and_why_not_gives_reasons() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or node.returns is None:
                continue
            given = ast.unparse(node.returns)
            if node.name.lstrip("_").startswith(("may_", "can_", "is_", "has_")) and given != "bool":
                wrong.append(f"{path.name}: {node.name} gives {given}")
            reasons = node.name.startswith("why_not_") or node.name.endswith("objections")
            if reasons and "Reason" not in given:
                wrong.append(f"{path.name}: {node.name} gives {given}, no reasons")
    assert wrong == []


def test_what_a_game_declares_has_types_and_is_no_bag() -> None:
    for declared in (Game, Hints):
        types = {field.name: str(field.type).removesuffix(" | None") for field in dataclasses.fields(declared)}
        bags = ("Any", "object", "dict", "dict[str, Any]", "Mapping[str, Any]", "Callable[..., Any]")
        assert {name: kind for name, kind in types.items() if kind in bags and name != "muster"} == {}
