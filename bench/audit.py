"""Random battles of each game put before the auditor: how many, and what it says against them.

python bench/audit.py [COUNT] [GAME …]
"""

from __future__ import annotations

import sys
import time

from umpire.audit import CHECKS
from umpire.auditing import audit_random


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    for game in sys.argv[2:] or CHECKS:
        start, against = time.process_time(), 0
        for seed in range(1000, 1000 + count):
            for finding in audit_random(game, seed):
                against += 1
                print(game, seed, finding, flush=True)
        print(f"{game}: {count} battles, {against} findings, {time.process_time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
