"""`umpire bench`: runs the scripts of the checkout's bench/ folder and shows their figures against their bars."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import msgspec

from umpire.errors import fault
from umpire.text import say

FOLDER = Path(__file__).parents[2] / "bench"


class Figure(msgspec.Struct, frozen=True):
    """One measured number, and the bar it must clear (in words, such as ">= 50,000"); `ok` is None without a bar."""

    name: str
    value: float
    unit: str
    bar: str | None = None
    ok: bool | None = None


def names(folder: Path = FOLDER) -> list[str]:
    return sorted(file.stem for file in folder.glob("*.py") if not file.stem.startswith("_"))


def run(chosen: Sequence[str], folder: Path = FOLDER) -> list[Figure]:
    """The figures of the named scripts, or of all; each script has `run()`, which returns dicts shaped like Figure."""
    known = names(folder)
    unknown = [name for name in chosen if name not in known]
    if unknown or not known:
        there = ", ".join(known) or "none"
        what = ", ".join(unknown) or "bench"
        raise fault("error.no-such-benchmark-there-are", what=what, there=there)
    figures = []
    for name in chosen or known:
        print(f"… {name}", file=sys.stderr)
        rows = _load(folder / f"{name}.py").run()
        # A figure computed with NumPy is no plain number or truth value until it is made one.
        plain = [{key: value.item() if hasattr(value, "item") else value for key, value in row.items()} for row in rows]
        figures += msgspec.convert(plain, list[Figure])
    return figures


def show(figures: Sequence[Figure], lang: str) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(*(say(f"cli.bench.{title}", lang, "cli") for title in ("what", "value", "unit", "bar")), "")
    table.columns[1].justify = "right"
    for figure in figures:
        verdict = {True: "[green]✓[/]", False: "[red]✗[/]", None: ""}[figure.ok]
        table.add_row(
            figure.name,
            f"{figure.value:,.4g}" if figure.value < 1000 else f"{figure.value:,.0f}",
            figure.unit,
            figure.bar or "",
            verdict,
        )
    Console().print(table)


def _load(file: Path) -> ModuleType:
    """Import a script by its path: bench/ is no package, and its scripts may import one another's helpers."""
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(f"bench_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # before it runs: msgspec and multiprocessing look a module up by its name
    spec.loader.exec_module(module)
    if not hasattr(module, "run"):
        raise fault("error.has-no-run", str(file))
    return module
