"""How much of each ledger is done, counted and never claimed: rules cited by code, tested, and fired in battles.

`cited` is read from the package's source; `tested` from the marks of passing tests that `pytest_plugin` keeps;
`fired` from what the last simulation of each game recorded. Advice needs no code, so no count includes it.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from umpire.errors import UmpireError
from umpire.rulebook.ledger import exists, games, rules

Measure = Literal["cited", "tested", "fired"]
MEASURES: tuple[Measure, ...] = ("cited", "tested", "fired")
TESTED = "rules-tested.json"
Kept = TypeVar("Kept", bound=msgspec.Struct)


class Counts(msgspec.Struct, frozen=True):
    """One game's line of `umpire rules coverage`; `rules` leaves advice out."""

    rules: int
    advice: int
    cited: int
    tested: int
    fired: int


class Citation(msgspec.Struct, frozen=True, order=True):
    """A rule id written as a string literal in the source."""

    file: str
    line: int
    rule: str


class Tested(msgspec.Struct):
    """The tests that passed when they last ran, and the rules that each proves."""

    tests: dict[str, list[str]] = {}


class Fired(msgspec.Struct):
    """The last simulation of a game: how many battles, and how many events named each rule."""

    battles: int = 0
    fired: dict[str, int] = {}


def source() -> Path:
    return Path(__file__).parents[1]


def store() -> Path:
    """Where the counts are kept: with the checkout, or for an installed package in the user's cache."""
    root = source().parents[1]
    if (root / "pyproject.toml").is_file():
        return root / ".coverage"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "umpire"


def counts(game: str, folder: Path | None = None) -> Counts:
    ledger = rules(game)
    done = {measure: len(reached(game, measure, folder)) for measure in MEASURES}
    working = sum(1 for rule in ledger if not rule.advice)
    return Counts(rules=working, advice=len(ledger) - working, **done)


def reached(game: str, measure: Measure, folder: Path | None = None) -> list[str]:
    """The rules of a game that are cited, tested or fired, in the order of its book."""
    folder = folder or store()
    if measure == "cited":
        ids = {citation.rule for citation in citations(source())}
    elif measure == "tested":
        ids = {rule for marks in read_tested(folder).tests.values() for rule in marks}
    else:
        ids = set(_read(_fired_file(folder, game), Fired).fired)
    return [rule.id for rule in rules(game) if rule.id in ids and not rule.advice]


def missing(game: str, measure: Measure, folder: Path | None = None) -> list[str]:
    there = set(reached(game, measure, folder))
    return [rule.id for rule in rules(game) if rule.id not in there and not rule.advice]


def citations(folder: Path) -> list[Citation]:
    """Every string literal under `folder` that has the shape of a rule id, whether or not there is such a rule."""
    shape = re.compile(rf"(?:{'|'.join(map(re.escape, games()))})(?:\.[a-z0-9-]+){{2,}}")
    found = []
    for file in sorted(folder.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if not shape.search(text):
            continue
        for node in _literals(ast.parse(text, str(file))):
            if isinstance(node.value, str) and shape.fullmatch(node.value):
                found.append(Citation(str(file.relative_to(folder)), node.lineno, node.value))
    return sorted(found)


def unknown_citations(folder: Path) -> list[Citation]:
    """Cited ids that no ledger has: a misspelt rule."""
    return [citation for citation in citations(folder) if not exists(citation.rule)]


def _literals(node: ast.AST) -> Iterator[ast.Constant]:
    """String constants outside f-strings, whose pieces are no ids of their own."""
    if isinstance(node, ast.Constant):
        yield node
    elif not isinstance(node, ast.JoinedStr):
        for child in ast.iter_child_nodes(node):
            yield from _literals(child)


def record_fired(game: str, battles: int, fired: Mapping[str, int], folder: Path | None = None) -> None:
    """Keep what a simulation counted; it replaces the count of the simulation before."""
    ordered = {rule: fired[rule] for rule in sorted(fired)}
    _write(_fired_file(folder or store(), game), Fired(battles, ordered))


def _fired_file(folder: Path, game: str) -> Path:
    return folder / f"rules-fired-{game}.json"


def read_tested(folder: Path) -> Tested:
    return _read(folder / TESTED, Tested)


@contextmanager
def updating_tested(folder: Path) -> Iterator[Tested]:
    """The kept marks, to be changed while no other test run changes them."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{TESTED}.lock").open("w") as lock:
        with suppress(ImportError):  # Windows has no such lock; there the last of two runs at once wins
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        kept = read_tested(folder)
        yield kept
        _write(folder / TESTED, Tested(dict(sorted(kept.tests.items()))))


def _read(file: Path, kind: type[Kept]) -> Kept:
    if not file.is_file():
        return kind()
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except msgspec.MsgspecError as error:
        raise UmpireError(f"{error} (delete the file)", str(file), f"{error}（请删除此文件）") from error


def _write(file: Path, kept: msgspec.Struct) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1))
    fresh.replace(file)
