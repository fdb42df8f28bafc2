"""How long a user waits before anything happens: `umpire --help`, `import umpire`, the first rule looked up."""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter
from typing import Any

ROUNDS = 7
WAITS = [
    ("umpire --help", ["-m", "umpire.cli", "--help"], 0.3),
    ("import umpire", ["-c", "import umpire"], 0.2),
    ("umpire rules warcry.move.fall-impact", ["-m", "umpire.cli", "rules", "warcry.move.fall-impact"], None),
    ("umpire rules charge (all five books)", ["-m", "umpire.cli", "rules", "charge"], None),
]


def seconds(arguments: list[str]) -> float:
    """The median time of a fresh process."""
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(perf_counter() - start)
    return median(times)


def run() -> list[dict[str, Any]]:
    rows = []
    for name, arguments, bar in WAITS:
        took = seconds(arguments)
        limit = {"bar": f"< {bar}", "ok": took < bar} if bar is not None else {}
        rows.append({"name": name, "value": took, "unit": "s", **limit})
    return rows
