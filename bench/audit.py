"""Random battles of each game put before the auditor: how many, and what it says against them. Counts are told every
fifty battles, so that a long run may be stopped.

python bench/audit.py [COUNT | FIRST-LAST] [GAME …]
"""

from __future__ import annotations

import sys
import time

from umpire.audit import CHECKS
from umpire.auditing import audit_random


def main() -> None:
    first, _, last = (sys.argv[1] if len(sys.argv) > 1 else "500").rpartition("-")
    numbers = range(int(first or 1), int(last) + 1)
    for game in sys.argv[2:] or CHECKS:
        start, against = time.process_time(), 0
        for done in numbers:
            seed = 999 + done
            for finding in audit_random(game, seed):
                against += 1
                print(game, seed, finding, flush=True)
            if done % 50 == 0 or done == numbers[-1]:
                spent = time.process_time() - start
                print(f"{game}: battle {done}, {against} findings, {spent:.0f} s", flush=True)


if __name__ == "__main__":
    main()
