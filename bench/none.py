""" "There is none" against brute force: random tight positions for each question; how many were found, had none, and
how many were refused though the net found something (none should be). Unfit are those in which things overlap.

python bench/none.py [COUNT] [QUESTION …] [--first SEED]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from umpire.errors import UmpireError

HERE = Path(__file__).parent
# Modules here are called like folders of the tests, and would hide them.
sys.path[:] = [
    str(HERE.parent),
    str(HERE.parent / "tests"),
    *(p for p in sys.path if Path(p).resolve() != HERE.resolve()),
]


UNFIT = ("unfit", "no position")


def questions() -> dict[str, Callable[[int], str]]:
    from tests.aos import test_none as aos
    from tests.conquest.core import test_exact, test_garrison_exact
    from tests.t9a import test_none as t9a
    from tests.warcry import test_exact as warcry
    from tests.wh40k import test_none as wh40k

    return {
        **{f"aos.{what}": check for what, check in aos.CHECKS.items()},
        **{f"wh40k.{what}": check for what, check in wh40k.CHECKS.items()},
        **{f"t9a.{what}": check for what, check in {**t9a.MORE, **t9a.CHECKS}.items()},
        "conquest.charge": test_exact.check,
        "conquest.through": lambda seed: test_exact.check_escape(seed, 0.05),
        "conquest.hemmed": lambda seed: test_exact.check_escape(seed, 0.05, test_exact.hemmed_in),
        "conquest.withdraw": test_exact.check_withdraw,
        "conquest.arrive": test_exact.check_arrival,
        "conquest.press": test_exact.check_press,
        "conquest.occupy": test_garrison_exact.check_in,
        "conquest.leave": test_garrison_exact.check_out,
        "warcry.disengage": lambda seed: warcry.check_disengage(seed, 0.05),
        "warcry.landing": lambda seed: warcry.check_landing(seed, 0.05),
        "warcry.nearest": lambda seed: warcry.check_nearest(seed, 0.05),
        "warcry.deploy": lambda seed: warcry.check_deploy(seed, 0.05),
        "warcry.drag": lambda seed: warcry.check_drag(seed, 0.05),
        "warcry.reach": lambda seed: warcry.check_reach(seed, 0.1),
    }


def main() -> None:
    known = questions()
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("questions", nargs="*", metavar="QUESTION", choices=[[], *known])
    parser.add_argument("--first", type=int, default=0, help="the seed of the first position")
    args = parser.parse_args()
    count = args.count
    for name in args.questions or known:
        told: dict[str, int] = {}
        start = time.process_time()
        seed = args.first
        while sum(n for came, n in told.items() if came not in UNFIT) < count:
            try:
                came = known[name](seed)
            except UmpireError:
                came = "unfit"
            except AssertionError:
                came = "WRONG"
                print(f"{name}: seed {seed} is refused wrongly", flush=True)
            told[came] = told.get(came, 0) + 1
            seed += 1
            if (seed - args.first) % 250 == 0:
                print(f"{name}: {told} so far", flush=True)
        print(f"{name}: {told}, {time.process_time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
