"""Compile the kernels into the cache on disk, once: python -m umpire.space.warm"""

import sys
import time
from pathlib import Path

from umpire.text import say

from .packs import kernel

KERNELS = (
    "kernel", "sweeping", "approaching", "quads", "seeing", "slits", "pathing", "turning", "against", "standing",
    "grids", "wheeling", "glimpsing", "crowding", "tilting",
)  # fmt: skip


def compiled() -> bool:
    """Are all kernels in the cache beside them? Where nothing may be written there, Numba keeps them elsewhere."""
    cache = Path(__file__).parent / "__pycache__"
    if not cache.is_dir():
        return False
    return all(any(cache.glob(f"{name}.*.nbi")) for name in KERNELS)


def warm() -> float:
    """Load every kernel, which compiles those that are not in the cache; the seconds it took."""
    began = time.perf_counter()
    for name in KERNELS:
        kernel(name)
    return time.perf_counter() - began


def warm_once(lang: str) -> None:
    """Before the first battle of a fresh installation: say what takes so long, with a bar where somebody looks on."""
    if compiled():
        return
    title = say("warm.compiling", lang)
    if not sys.stderr.isatty():
        print(title, file=sys.stderr)
        warm()
        return
    from rich.console import Console
    from rich.progress import track

    for name in track(KERNELS, title, console=Console(stderr=True), transient=True):
        kernel(name)


if __name__ == "__main__":
    print(f"geometry kernels ready in {warm():.1f} s")
