"""Whatever the parts that games share define, and the games themselves, somebody calls: a test is nobody."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src/umpire"
PARTS = ("engine", "space", "miniatures", "games")
KEEPS = ("cache", "property", "contextmanager", "staticmethod", "classmethod", "inner", "entry", "abstractmethod")
"""Decorators that hand a function to nobody: it is still called by its name."""


def named(tree: ast.AST) -> Iterator[str]:
    """Every name that is read, imported or spelt out, as often as it is; not where it is defined or assigned."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.value


def defined(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Functions, classes and their methods, but for those that a decorator registers somewhere."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            words = " ".join(map(ast.unparse, node.decorator_list))
            if not node.name.startswith("__") and (not words or any(keeps in words for keeps in KEEPS)):
                yield node
        if isinstance(node, ast.ClassDef):
            yield from defined(node.body)


def unused(source: Path) -> list[str]:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(source.rglob("*.py"))}
    read = Counter(name for tree in trees.values() for name in named(tree))
    # One that only calls itself is called by nobody.
    return [
        f"{path.relative_to(source)}: {node.name}"
        for path, tree in trees.items()
        if path.relative_to(source).parts[0] in PARTS
        for node in defined(tree.body)
        if read[node.name] <= sum(name == node.name for name in named(node))
    ]


def test_everything_is_called_by_somebody() -> None:
    assert unused(SOURCE) == []


def test_what_nobody_calls_is_found(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine/steps.py").write_text(
        "@register\ndef kept(): pass\n"
        "@functools.cache\ndef lonely(n): return lonely(n - 1)\n"
        "class Used:\n    def idle(self): pass\n    @property\n    def busy(self): pass\n"
        "print(Used().busy)\n"
    )
    assert unused(tmp_path) == ["engine/steps.py: lonely", "engine/steps.py: idle"]
