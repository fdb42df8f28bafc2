"""A series from its first battle to its summary; a journal lets an interrupted one go on where it stopped."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from umpire.arena.fixtures import Fixture, Result, Series
from umpire.arena.pool import fight_all
from umpire.arena.statistics import Rating, Share, ratings, share
from umpire.errors import fault, system_reason
from umpire.files import garbled

Runner = Callable[[Series, Iterable[Fixture], int], Iterator[Result]]


class Failure(msgspec.Struct, frozen=True):
    """A battle that did not come to its end, and the seed that brings it back."""

    number: int
    seed: int
    error: str


class Meeting(msgspec.Struct, frozen=True):
    """What two contestants of a round robin, or one and its mirror, made of their battles."""

    a: str
    b: str
    points_a: Share
    first_turn: Share | None


class Summary(msgspec.Struct, kw_only=True):
    """What `umpire simulate --json` prints. `seconds` is how long the run took, `battle_seconds` the work in it."""

    game: str
    seed: int
    salt: str = ""
    players: list[str]
    battles: int
    decisions: int
    seconds: float
    battle_seconds: float
    jobs: int
    errors: int
    failures: list[Failure]
    wins: dict[str, int]
    """By side, and draws."""
    points: dict[str, Share]
    """By contestant: a win is a point, a draw half."""
    first_turn: Share | None = None
    """What the sides that had the first turn won."""
    ratings: list[Rating] = []
    meetings: list[Meeting] = []
    rules_fired: dict[str, int] = {}


def salted(series: Series, journal: Path | None = None) -> Series:
    """The series with a secret salt for its dice where strangers' programs compete: a small seed could be tried out. A
    journal that was begun keeps the salt it was begun with."""
    if series.salt or not any(one.player.startswith("bot:") for one in series.contestants):
        return series
    salt = secrets.token_hex(16)
    if journal and journal.is_file():
        with journal.open("rb") as book, contextlib.suppress(msgspec.MsgspecError):
            salt = msgspec.json.decode(book.readline(), type=Series).salt
    return msgspec.structs.replace(series, salt=salt)


def run(
    series: Series,
    jobs: int = 1,
    journal: Path | None = None,
    told: Callable[[Result], None] | None = None,
    runner: Runner = fight_all,
) -> tuple[Summary, list[Result]]:
    """Fight a series. Results are in the order of the fixtures, whatever the number of jobs."""
    began = time.perf_counter()
    fixtures = list(series.fixtures())
    done = _reopen(journal, series) if journal else []
    seen = {result.number for result in done}
    if told:
        for result in done:
            told(result)
    todo = [fixture for fixture in fixtures if fixture.number not in seen]
    book = journal.open("ab") if journal else None
    try:
        for result in runner(series, todo, jobs):
            done.append(result)
            if book:
                book.write(msgspec.json.encode(result) + b"\n")
                book.flush()
            if told:
                told(result)
    finally:
        if book:
            book.close()
    done.sort(key=lambda result: result.number)
    return summary(series, done, time.perf_counter() - began, jobs), done


def _reopen(journal: Path, series: Series) -> list[Result]:
    """The results that a journal holds already; a new journal begins with its series."""
    head = msgspec.json.encode(series)
    try:
        if not journal.exists():
            journal.write_bytes(head + b"\n")
            return []
        lines = journal.read_bytes().split(b"\n")
    except OSError as error:
        raise fault("error.cannot-keep-a-journal-there", str(journal), why=system_reason(error)) from None
    if lines[0] != head:
        raise fault("error.belongs-to-another-series-game", str(journal))
    whole = lines[1:-1]  # what follows the last line feed was cut off when the run was interrupted
    if lines[-1]:
        journal.write_bytes(b"\n".join(lines[:-1]) + b"\n")
    try:
        return [msgspec.json.decode(line, type=Result) for line in whole]
    except msgspec.MsgspecError as error:
        raise fault("error.is-damaged", str(journal), error=garbled(error)) from None


def summary(series: Series, results: list[Result], seconds: float, jobs: int) -> Summary:
    fair = [result for result in results if not result.error]
    labels = [contestant.label for contestant in series.contestants]
    fired: dict[str, int] = {}
    for result in results:
        for rule, count in result.fired.items():
            fired[rule] = fired.get(rule, 0) + count
    won = [0.0] * len(labels)
    fought = [0] * len(labels)
    for result in fair:
        for side, who in enumerate(result.who):
            won[who] += result.points[side]
            fought[who] += 1
    turns = [result.points[result.first] for result in fair if result.first is not None]
    games = [(result.who[0], result.who[1], result.points[0]) for result in fair if result.who[0] != result.who[1]]
    return Summary(
        game=series.game,
        seed=series.seed,
        salt=series.salt,
        players=labels,
        battles=len(results),
        decisions=sum(result.decisions for result in results),
        seconds=round(seconds, 3),
        battle_seconds=round(sum(result.seconds for result in results), 3),
        jobs=jobs,
        errors=sum(bool(result.error) for result in results),
        failures=[Failure(result.number, result.seed, result.error) for result in results if result.error],
        wins={
            "0": sum(result.winner == 0 for result in fair),
            "1": sum(result.winner == 1 for result in fair),
            "draw": sum(result.winner is None for result in fair),
        },
        points={label: share(won[i], fought[i]) for i, label in enumerate(_distinct(labels))},
        first_turn=share(sum(turns), len(turns)) if turns else None,
        ratings=ratings(_distinct(labels), games) if len(labels) > 2 and games else [],
        meetings=list(_meetings(series, fair)) if len(series.meetings) > 1 else [],
        rules_fired=dict(sorted(fired.items())),
    )


def _distinct(labels: list[str]) -> list[str]:
    """Names that can stand in one table: equal ones are numbered."""
    return [
        label if labels.count(label) == 1 else f"{label} #{labels[: i + 1].count(label)}"
        for i, label in enumerate(labels)
    ]


def _meetings(series: Series, fair: list[Result]) -> Iterator[Meeting]:
    labels = _distinct([contestant.label for contestant in series.contestants])
    for a, b in series.meetings:
        points = [r.points[r.who.index(a)] for r in fair if set(r.who) == {a, b}]
        turns = [r.points[r.first] for r in fair if set(r.who) == {a, b} and r.first is not None]
        first = share(sum(turns), len(turns)) if turns else None
        yield Meeting(labels[a], labels[b], share(sum(points), len(points)), first)
