"""Records: a battle as text, one line an answer with what came of it. Replays to the same last byte.

The first line says what the battle started from and under which version of the rules; the last, how it stands. Because
the resolved events are kept, an old battle stays readable after a rule is mended, and the difference is told.
"""

from __future__ import annotations

from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.beginning import begin
from umpire.engine.events import Event, Outcome
from umpire.engine.game import Setup
from umpire.engine.marks import Answer
from umpire.engine.rulings import Refused
from umpire.errors import UmpireError, fault
from umpire.files import garbled

FORMAT = 1


class Header(msgspec.Struct, kw_only=True):
    record: int = FORMAT
    umpire: str
    rules: str
    setup: Setup
    events: list[Event] = []


class Line(msgspec.Struct, omit_defaults=True):
    """One answer, and the events that followed it up to the next question. `anew`: the dice from here on are others
    than had been seen before a take-back, the battle's first, second and so on."""

    side: int
    answer: Any
    events: list[Event] = []
    dice: bool = False
    anew: int = 0


class Footer(msgspec.Struct):
    outcome: Outcome | None
    digest: str


class Record(msgspec.Struct):
    """A record read back; it can be told from its events without the rules."""

    header: Header
    lines: list[Line]
    footer: Footer

    @property
    def events(self) -> list[Event]:
        return self.header.events + [event for line in self.lines for event in line.events]


class Difference(msgspec.Struct, frozen=True):
    """Where a replay first went another way: the answer's number (0: before any), what was recorded, what came now."""

    answer: int
    what: str
    recorded: Any
    now: Any


class Verdict(msgspec.Struct, frozen=True):
    """What became of a replay."""

    same: bool
    answers: int
    recorded_rules: str
    rules: str
    difference: Difference | None = None
    fair: bool | None = None


def rules_version(game: str) -> str:
    from umpire import rulebook

    return str(rulebook.version(game))


def write(battle: Battle[Any]) -> str:
    from umpire import __version__

    bounds = [entry.events for entry in battle.answers] + [len(battle.events)]
    header = Header(
        umpire=__version__,
        rules=rules_version(battle.game.id),
        setup=battle.setup,
        events=battle.events[: bounds[0]],
    )
    lines = [
        Line(entry.side, entry.answer, battle.events[start:stop], entry.dice, entry.anew)
        for entry, start, stop in zip(battle.answers, bounds, bounds[1:], strict=False)
    ]
    parts = [header, *lines, Footer(battle.outcome, battle.digest)]
    return "".join(msgspec.json.encode(part).decode() + "\n" for part in parts)


def read(text: str) -> Record:
    """Read a record; what is wrong with it is told with the line's number."""
    rows = [(number, row) for number, row in enumerate(text.splitlines(), 1) if row.strip()]
    if len(rows) < 2:
        raise fault("error.a-record-has-a-first")

    def parse(row: tuple[int, str], kind: Any) -> Any:
        try:
            return msgspec.json.decode(row[1].encode(), type=kind)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise fault("error.not-a-line-of-a", line=row[0], error=garbled(error)) from None

    header: Header = parse(rows[0], Header)
    if header.record != FORMAT:
        raise fault("error.record-format-is-not-known", record=header.record, format=FORMAT)
    return Record(header, [parse(row, Line) for row in rows[1:-1]], parse(rows[-1], Footer))


def replay(text: str | Record, upto: int | None = None) -> Battle[Any]:
    """Play a record again, all of it or its first `upto` answers."""
    record = read(text) if isinstance(text, str) else text
    battle = begin(record.header.setup)
    for number, line in enumerate(record.lines[:upto], 1):
        try:
            battle.answer(line.answer, line.side, line.anew)
        except (Refused, UmpireError) as error:
            raise fault("error.answer-is-refused-now", "replay", number=number, error=error) from None
    return battle


def verify(text: str) -> Verdict:
    """Play a record again and compare every event and the last state; the first difference is told."""
    record = read(text)
    game = record.header.setup.game
    battle = begin(record.header.setup)
    difference = _compare(0, record.header.events, battle.events)
    count = 0
    for number, line in enumerate(record.lines, 1):
        if difference is not None:
            break
        before = len(battle.events)
        try:
            battle.answer(line.answer, line.side, line.anew)
        except (Refused, UmpireError) as error:
            difference = Difference(number, "answer", line.answer, str(error))
            break
        count = number
        if not line.dice:
            difference = _compare(number, line.events, battle.events[before:])
    if difference is None and battle.digest != record.footer.digest:
        difference = Difference(count, "state", record.footer.digest, battle.digest)
    fairness = record.header.setup.fairness
    return Verdict(
        difference is None,
        count,
        record.header.rules,
        rules_version(game),
        difference,
        fairness.opens() if fairness else None,
    )


def _as_written(events: list[Event]) -> Any:
    """Events as they stand in a file, where every key is a word and every sequence a list."""
    return msgspec.json.decode(msgspec.json.encode(events))


def _compare(number: int, recorded: list[Event], now: list[Event]) -> Difference | None:
    old, new = _as_written(recorded), _as_written(now)
    if old == new:
        return None
    for a, b in zip(old, new, strict=False):
        if a != b:
            return Difference(number, "event", a, b)
    return Difference(number, "events", len(old), len(new))


__all__ = ["Answer", "Record", "Verdict", "read", "replay", "verify", "write"]
