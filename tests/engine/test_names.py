"""Names that agree in all games: `may_…` and `can_…` say yes or no, `why_not_…` gives reasons."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src/umpire"


def test_may_says_yes_or_no_and_why_not_gives_reasons() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or node.returns is None:
                continue
            reasons = "Reason" in ast.unparse(node.returns)
            if node.name.startswith(("may_", "can_")) and reasons:
                wrong.append(f"{path.name}: {node.name} gives reasons")
            if node.name.startswith("why_not_") and not reasons:
                wrong.append(f"{path.name}: {node.name} gives no reasons")
    assert wrong == []
