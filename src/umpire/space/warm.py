"""Compile the kernels into the cache on disk: python -m umpire.space.warm"""

import time

from .packs import kernel

KERNELS = ("kernel", "sweeping", "seeing", "pathing", "grids")


def warm() -> float:
    """Load every kernel, which compiles those that are not in the cache; the seconds it took."""
    began = time.perf_counter()
    for name in KERNELS:
        kernel(name)
    return time.perf_counter() - began


if __name__ == "__main__":
    print(f"geometry kernels ready in {warm():.1f} s")
