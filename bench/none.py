""" "There is none" against brute force: random tight positions for each question; how many were found, had none, and
how many were refused though the net found something (none should be).

python bench/none.py [COUNT] [QUESTION …]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))


def questions() -> dict[str, Callable[[int], str]]:
    from tests.conquest.core import test_exact, test_garrison_exact

    return {
        "conquest.charge": test_exact.check,
        "conquest.occupy": test_garrison_exact.check_in,
        "conquest.leave": test_garrison_exact.check_out,
    }


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    known = questions()
    for name in sys.argv[2:] or known:
        told: dict[str, int] = {}
        start = time.process_time()
        for seed in range(count):
            try:
                came = known[name](seed)
            except AssertionError:
                came = "WRONG"
                print(f"{name}: seed {seed} is refused wrongly", flush=True)
            told[came] = told.get(came, 0) + 1
        print(f"{name}: {told}, {time.process_time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
