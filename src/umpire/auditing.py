"""Records put before the auditor: the battle is played again, and at every answer that anything comes of the
auditor is shown what a spectator would see."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from umpire.audit import Finding, Frame, audit
from umpire.engine.battle import Battle
from umpire.engine.beginning import battle as start
from umpire.engine.beginning import begin
from umpire.engine.record import Record
from umpire.engine.rng import Rng
from umpire.engine.view import Told, views
from umpire.replaying import parse


def seen(battle: Battle[Any], told: int, cards: Told | None = None) -> Frame:
    """What somebody who only watches sees now, with the events since the last look. `cards` are those
    that were shown before."""
    view = msgspec.json.decode(msgspec.json.encode(views(battle, (None,), told, False, cards)[0]))
    return Frame(view["answers"], view["picture"], view["events"], view["outcome"])


def played_again(record: Record) -> Iterator[Frame]:
    """A record, answer by answer."""
    battle, cards = begin(record.header.setup), Told()
    yield seen(battle, 0, cards)
    for line in record.lines:
        told = len(battle.events)
        battle.answer(line.answer, line.side, line.anew)
        if len(battle.events) != told:
            yield seen(battle, told, cards)


def played_at_random(battle: Battle[Any], seed: int) -> Iterator[Frame]:
    """A new battle between random players."""
    rng, cards = Rng(seed), Told()
    yield seen(battle, 0, cards)
    while (ask := battle.decision) is not None:
        told = len(battle.events)
        battle.answer(ask.suggest(rng), ask.side)
        if len(battle.events) != told:
            yield seen(battle, told, cards)


def audit_record(file: Path) -> list[Finding]:
    record = parse(file)
    return audit(record.header.setup.game, played_again(record))


def audit_random(game: str, seed: int) -> list[Finding]:
    """A battle of random players from this seed, read as it is played."""
    return audit(game, played_at_random(start(game, seed=seed), seed))
