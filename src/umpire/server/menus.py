"""The games and their menus, kept in the server's folder: they are the same until something is installed, and working
them out loads every game and musters every ready army."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import umpire
from umpire.engine.game import HOUSE

NAME = "menus.json"


def fingerprint() -> str:
    """What the menus depend on: every file of this package, and the games that others have installed."""
    root = os.path.dirname(umpire.__file__)
    said = [f"{name} {size} {changed}" for name, size, changed in sorted(_files(root))]
    said += sorted(
        f"{entry.name} {entry.value} {entry.dist and entry.dist.version}" for entry in entry_points(group=HOUSE)
    )
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name not in ("__pycache__", "web"):
                    yield from _files(entry.path)
            else:
                known = entry.stat()
                yield entry.path, known.st_size, known.st_mtime_ns


def kept(folder: Path) -> bytes | None:
    """The menus as they were worked out before, if nothing has changed since."""
    try:
        mark, _, menus = (folder / NAME).read_bytes().partition(b"\n")
    except OSError:
        return None
    return menus if mark.decode("latin-1") == fingerprint() else None


def keep(folder: Path, menus: bytes) -> None:
    """Keep them for the next time; where that cannot be, they are worked out again."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        new = folder / f"{NAME}.{os.getpid()}"
        new.write_bytes(fingerprint().encode() + b"\n" + menus)
        new.replace(folder / NAME)
    except OSError:
        return
