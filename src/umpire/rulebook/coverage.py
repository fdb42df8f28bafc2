"""How much of each ledger is done, counted and never claimed: rules cited by code, tested, proved, fired in battles.

`cited` is read from the package's source; `tested` from the marks of passing tests that `pytest_plugin` keeps; `proved`
from those of them that went red when the rule was switched off (`make prove`); `fired` from the largest simulation of
each game. Advice needs no code, so no count includes it.
"""

from __future__ import annotations

import ast
import functools
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from umpire import files
from umpire.errors import fault
from umpire.rulebook.ledger import exists, games, rules
from umpire.rulebook.proving import Trial, switchable

Measure = Literal["cited", "tested", "proved", "fired"]
MEASURES: tuple[Measure, ...] = ("cited", "tested", "proved", "fired")
TESTED = "rules-tested.json"
PROVED = "rules-proved.json"
Kept = TypeVar("Kept", bound=msgspec.Struct)


class Counts(msgspec.Struct, frozen=True):
    """One game's line of `umpire rules coverage`; `rules` leaves advice out, `proved` counts the switchable alone, and
    `also_proved` the definitions, tables, geometry and procedures whose tests went red without them as well."""

    rules: int
    advice: int
    switchable: int
    cited: int
    tested: int
    proved: int
    also_proved: int
    fired: int


class Citation(msgspec.Struct, frozen=True, order=True):
    """A rule id written as a string literal in the source."""

    file: str
    line: int
    rule: str
    decides: bool = True
    """Does the rule act here, or is it only told of, in an event or a prompt?"""


class Tested(msgspec.Struct):
    """The tests that passed when they last ran, and the rules that each proves."""

    tests: dict[str, list[str]] = {}


class Proved(msgspec.Struct):
    """The last trial of every test without each of its rules."""

    trials: list[Trial] = []


class Fired(msgspec.Struct):
    """The largest simulation of a game: how many battles, and how many times each rule decided something."""

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
    extra = len(_red(game, folder)) - done["proved"]
    count = sum(map(switchable, ledger))
    return Counts(rules=working, advice=len(ledger) - working, switchable=count, also_proved=extra, **done)


def _red(game: str, folder: Path | None = None) -> list[str]:
    """The rules of a game without which a test of their own goes red, whatever their kind."""
    ids = {trial.rule for trial in read_proved(folder or store()).trials if trial.red}
    return [rule.id for rule in rules(game) if rule.id in ids and not rule.advice]


def reached(game: str, measure: Measure, folder: Path | None = None) -> list[str]:
    """The rules of a game that are cited, tested, proved or fired, in the order of its book."""
    folder = folder or store()
    if measure == "cited":
        ids = {citation.rule for citation in citations(source())}
    elif measure == "tested":
        ids = {rule for marks in read_tested(folder).tests.values() for rule in marks}
    elif measure == "proved":
        ids = set(_red(game, folder))
        return [rule.id for rule in rules(game) if rule.id in ids and switchable(rule)]
    else:
        ids = set(read_fired(game, folder).fired)
    return [rule.id for rule in rules(game) if rule.id in ids and not rule.advice]


def missing(game: str, measure: Measure, folder: Path | None = None) -> list[str]:
    there = set(reached(game, measure, folder))
    wanted = [rule for rule in rules(game) if (switchable(rule) if measure == "proved" else not rule.advice)]
    return [rule.id for rule in wanted if rule.id not in there]


@functools.cache
def excuses() -> dict[str, dict[str, str]]:
    """Why rules that could be switched off are not proved, in both languages."""
    return dict(files.read(Path(__file__).with_name("unproved.yaml")).data)


def unproved(game: str, folder: Path | None = None) -> dict[str, dict[str, str]]:
    """The switchable rules that no test has proved, each with the reason, or none if nobody has written it down."""
    return {rule: excuses().get(rule, {}) for rule in missing(game, "proved", folder)}


def citations(folder: Path) -> list[Citation]:
    """Every string literal under `folder` that has the shape of a rule id, whether or not there is such a rule."""
    shape = re.compile(rf"(?:{'|'.join(map(re.escape, games()))})(?:\.[a-z0-9-]+){{2,}}")
    found = []
    for file in sorted(folder.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if not shape.search(text):
            continue
        for node, decides in _literals(ast.parse(text, str(file))):
            if isinstance(node.value, str) and shape.fullmatch(node.value):
                found.append(Citation(str(file.relative_to(folder)), node.lineno, node.value, decides))
    return sorted(found)


def places(rule_id: str) -> list[str]:
    """File and line where a rule decides; where it is only told of, if it decides nowhere by its name."""
    found = [citation for citation in citations(source()) if citation.rule == rule_id]
    there = [citation for citation in found if citation.decides] or found
    return [f"{source().name}/{citation.file}:{citation.line}" for citation in there]


def unknown_citations(folder: Path) -> list[Citation]:
    """Cited ids that no ledger has: a misspelt rule."""
    return [citation for citation in citations(folder) if not exists(citation.rule)]


TELLING = (
    "emit",
    "roll",
    "reroll",
    "throw",
    "Choose",
    "ChooseSeveral",
    "Order",
    "Split",
    "Confirm",
    "Place",
    "Move",
    "Face",
)
"""What tells of a rule or asks by it, but lets it decide nothing."""


def _literals(node: ast.AST, decides: bool = True) -> Iterator[tuple[ast.Constant, bool]]:
    """String constants outside f-strings, whose pieces are no ids of their own, and whether they only tell."""
    if isinstance(node, ast.Constant):
        yield node, decides
        return
    if isinstance(node, ast.JoinedStr):
        return
    for child in ast.iter_child_nodes(node):
        telling = isinstance(node, ast.Call) and child is not node.func and _called(node.func) in TELLING
        yield from _literals(child, decides and not telling)


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def record_fired(game: str, battles: int, fired: Mapping[str, int], folder: Path | None = None) -> None:
    """Keep what a simulation counted, in the place of one that was no larger: a handful of battles says little."""
    folder = folder or store()
    if battles < read_fired(game, folder).battles:
        return
    ordered = {rule: fired[rule] for rule in sorted(fired)}
    _write(_fired_file(folder, game), Fired(battles, ordered))


def read_fired(game: str, folder: Path) -> Fired:
    return _read(_fired_file(folder, game), Fired)


def _fired_file(folder: Path, game: str) -> Path:
    return folder / f"rules-fired-{game}.json"


def read_tested(folder: Path) -> Tested:
    return _read(folder / TESTED, Tested)


def read_proved(folder: Path) -> Proved:
    return _read(folder / PROVED, Proved)


@contextmanager
def updating_tested(folder: Path) -> Iterator[Tested]:
    """The kept marks, to be changed while no other test run changes them."""
    with _alone(folder, TESTED):
        kept = read_tested(folder)
        yield kept
        _write(folder / TESTED, Tested(dict(sorted(kept.tests.items()))))


@contextmanager
def updating_proved(folder: Path) -> Iterator[Proved]:
    with _alone(folder, PROVED):
        kept = read_proved(folder)
        yield kept
        _write(folder / PROVED, Proved(sorted(kept.trials, key=lambda trial: (trial.rule, trial.test))))


@contextmanager
def _alone(folder: Path, name: str) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.lock").open("w") as lock:
        with suppress(ImportError):  # Windows has no such lock; there the last of two runs at once wins
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _read(file: Path, kind: type[Kept]) -> Kept:
    if not file.is_file():
        return kind()
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except msgspec.MsgspecError as error:
        raise fault("error.delete-the-file", str(file), error=error) from error


def _write(file: Path, kept: msgspec.Struct) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1))
    fresh.replace(file)
