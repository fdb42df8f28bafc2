"""Compile the kernels into the cache on disk: python -m umpire.space.warm"""

import time

from .measure import distance, furthest, pairwise, separations
from .moving import Go, Turn, sweep
from .packs import pack
from .paths import path, reach
from .shapes import Base, Oval, Rect, Round, box
from .sight import visible


def warm() -> float:
    """Use every kernel once; the seconds it took."""
    began = time.perf_counter()
    bases = [Base(Round(0.5), 0, 0, 0, 0, 1), Base(Oval(0.5, 1), 4, 0, 0, 0, 1), Base(Rect(1, 1), 8, 0, 0, 0, 1)]
    wall = pack([box(2, -1, 3, 1, 0, 3)])
    distance(bases[2], bases[2].moved(3, 3))
    furthest(bases[0], bases[1])
    separations(bases, wall)
    pairwise(bases)
    sweep(bases[2], (Go(-1, 0), Turn(0, 0, 5)), wall)
    visible(bases[0], bases[1], wall)
    path(bases[0], 5, 0, wall)
    reach(bases[0], 6, wall).cost(5, 0)
    return time.perf_counter() - began


if __name__ == "__main__":
    print(f"geometry kernels ready in {warm():.1f} s")
