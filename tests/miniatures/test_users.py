"""What stands in `miniatures/` serves two games at least; what serves one belongs to that game's folder."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from umpire.games import GAMES

SOURCE = Path(__file__).parents[2] / "src"
SHARED = "umpire.miniatures"


def modules(source: Path) -> dict[str, Path]:
    """Every module by its name; the packages, which hold nothing themselves, left out."""
    paths = (path for path in sorted(source.rglob("*.py")) if path.name != "__init__.py" or "games" in path.parts)
    return {".".join(path.relative_to(source).with_suffix("").parts): path for path in paths}


def imported(name: str, path: Path) -> Iterator[str]:
    """What a module imports, wherever in it, by the names that modules might have."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = name.split(".")[: -node.level] if node.level else []
            base = ".".join([*above, *(node.module.split(".") if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def users(source: Path) -> dict[str, set[str]]:
    """Of each shared module the games from which imports lead to it."""
    known = modules(source)
    after = {name: [other for other in imported(name, path) if other in known] for name, path in known.items()}
    found: dict[str, set[str]] = {name: set() for name in known if name.startswith(f"{SHARED}.")}
    for game in GAMES:
        queue = [name for name in known if name.startswith(f"umpire.games.{game}.")]
        while queue:
            for other in after[queue.pop()]:
                if other in found and game not in found[other]:
                    found[other].add(game)
                    queue.append(other)
    return found


def test_every_shared_module_serves_two_games() -> None:
    found = users(SOURCE)
    assert len(found) > 15
    assert {name: games for name, games in found.items() if len(games) < 2} == {}


def test_one_that_serves_a_single_game_is_found(tmp_path: Path) -> None:
    def write(name: str, text: str) -> None:
        path = tmp_path / f"{name.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    first, second = sorted(GAMES)[:2]
    write(f"umpire.games.{first}.charging", f"from {SHARED} import both, one\nfrom . import content")
    write(f"umpire.games.{second}.charging", f"def charge():\n    from {SHARED}.both import reach")
    write(f"{SHARED}.both", "from .below import gap")
    for name in ("below", "one", "none"):
        write(f"{SHARED}.{name}", "")
    assert {name.rpartition(".")[2]: len(games) for name, games in users(tmp_path).items()} == {
        "below": 2, "both": 2, "none": 0, "one": 1,
    }  # fmt: skip
