"""How many lines the games are: rule chapters, the plumbing that a new game has to write, and what games share.

`python bench/lines.py REVISION` counts another version beside this one.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")
PLUMBING = (
    "scenes", "scene_checks", "book_checks", "scene_writing", "picture", "describe", "content", "odds", "questions",
    "mover", "placing",
)  # fmt: skip
"""What a game writes so that it can be shown, set up, asked about and moved in: the modules of these names."""
MORE = {"odds", "risks"}
"""Odds that are worked out in modules of their own (`combat_odds`, `odds_blows`): counted by themselves."""
BESIDE = ("__init__", "wishes", "prospects", "planning", "worth", "strength")
"""The declaration, wishes, and what only the planner reads: neither plumbing nor chapters of the book."""
MOST = 1700
"""Half of what the three first games wrote, 2,000 to 3,400 lines (9fe7a6e)."""


def sources(revision: str) -> Iterator[tuple[str, str]]:
    """Every module under src/umpire with its text, in the checkout or in a revision."""
    if not revision:
        for file in sorted((ROOT / "src/umpire").rglob("*.py")):
            yield file.relative_to(ROOT / "src/umpire").as_posix(), file.read_text(encoding="utf-8")
        return

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout

    for name in git("ls-tree", "-r", "--name-only", revision, "src/umpire").split():
        if name.endswith(".py"):
            yield name.removeprefix("src/umpire/"), git("show", f"{revision}:{name}")


def count(revision: str = "") -> dict[str, int]:
    """Lines of each part: `warcry rules`, `warcry plumbing`, `warcry more odds`, `miniatures`."""
    found: dict[str, int] = {}
    for name, text in sources(revision):
        folder, *rest = name.removesuffix(".py").split("/")
        part = folder
        if folder == "games" and rest[0] in GAMES:
            module = rest[-1]
            if module in BESIDE:
                continue
            kind = "plumbing" if module in PLUMBING else "more odds" if set(module.split("_")) & MORE else "rules"
            part = f"{rest[0]} {kind}"
        found[part] = found.get(part, 0) + text.count("\n")
    return {part: found.get(part, 0) for part in parts()}


def parts() -> list[str]:
    return [
        *(f"{game} {kind}" for game in GAMES for kind in ("rules", "plumbing", "more odds")),
        "miniatures",
        "engine",
        "space",
    ]


def run() -> list[dict[str, Any]]:
    rows = []
    for part, lines in count().items():
        limit = {"bar": f"<= {MOST:,}", "ok": lines <= MOST} if part.endswith("plumbing") else {}
        rows.append({"name": part, "value": lines, "unit": "lines", **limit})
    return rows


if __name__ == "__main__":
    counts = [count(revision) for revision in (*sys.argv[1:], "")]
    for part in parts():
        print(f"{part:20}", *(f"{lines[part]:>8,}" for lines in counts))
