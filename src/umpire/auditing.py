"""Records put before the auditor: the battle is played again, and at every answer that anything comes of the
auditor is shown what a spectator would see."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from umpire.audit import Finding, Frame, audit
from umpire.engine.battle import Battle
from umpire.engine.beginning import battle as start
from umpire.engine.beginning import begin
from umpire.engine.game import Game
from umpire.engine.picture import Card, Piece
from umpire.engine.record import Record
from umpire.engine.rng import Rng
from umpire.engine.state import State
from umpire.engine.view import localise, numbered, redacted
from umpire.replaying import parse


class Cards(Mapping[str, Any]):
    """The cards of everybody as a watcher reads them now: they are most of a view, and few are looked at, so each is
    drawn and spelt out when it is read."""

    def __init__(self, game: Game, state: State) -> None:
        self._game, self._state = game, state
        self._read: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        if key not in self._read:
            card = self._drawn(key)
            if card is None:
                raise KeyError(key)
            self._read[key] = _plain(localise(card, self._game.id, functools.partial(self._game.name, self._state)))
        return self._read[key]

    def _drawn(self, key: str) -> Card | None:
        if self._game.card is not None:
            return self._game.card(self._state, key)
        return next((card for card in self._game.picture(self._state).cards if card.id == key), None)

    def __iter__(self) -> Iterator[str]:
        return (card.id for card in self._game.picture(self._state).cards)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Watcher:
    """Somebody who only watches a battle: at each look the table as it is now, and the events since the last.

    What is written out in sentences is left as its key and facts, which the auditor reads; what has not changed on the
    table since the last look is not drawn anew.
    """

    def __init__(self, battle: Battle[Any]) -> None:
        self._battle = battle
        self._told = 0
        self._pieces: dict[str, tuple[Piece, Any]] = {}
        self._terrain: tuple[Any, Any] = ((), [])

    @property
    def news(self) -> bool:
        return len(self._battle.events) != self._told

    def look(self) -> Frame:
        battle = self._battle
        state = redacted(battle, None)
        events = [event for _, event in numbered(battle.events, None, self._told)]
        self._told = len(battle.events)
        laid = battle.game.laid(state)
        names = functools.partial(battle.game.name, state)
        if self._terrain[0] != laid.terrain:
            self._terrain = laid.terrain, _plain(localise(laid.terrain, battle.game.id, names))
        happened, outcome = _plain((events, state.outcome))
        picture = {
            "width": laid.width,
            "depth": laid.depth,
            "score": list(laid.score),
            "pieces": [self._drawn(piece) for piece in laid.pieces],
            "terrain": self._terrain[1],
        }
        return Frame(len(battle.answers), picture, happened, outcome, Cards(battle.game, state))

    def _drawn(self, piece: Piece) -> Any:
        known = self._pieces.get(piece.id)
        if known is None or known[0] != piece:
            drawn = {**structs.asdict(piece), "shape": structs.asdict(piece.shape)}
            known = self._pieces[piece.id] = piece, drawn
        return known[1]


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def played_again(record: Record) -> Iterator[Frame]:
    """A record, answer by answer."""
    battle = begin(record.header.setup)
    watcher = Watcher(battle)
    yield watcher.look()
    for line in record.lines:
        battle.answer(line.answer, line.side, line.anew)
        if watcher.news:
            yield watcher.look()


def played_at_random(battle: Battle[Any], seed: int) -> Iterator[Frame]:
    """A new battle between random players."""
    rng, watcher = Rng(seed), Watcher(battle)
    yield watcher.look()
    while (ask := battle.decision) is not None:
        battle.answer(ask.suggest(rng), ask.side)
        if watcher.news:
            yield watcher.look()


def audit_record(file: Path) -> list[Finding]:
    record = parse(file)
    return audit(record.header.setup.game, played_again(record))


def audit_random(game: str, seed: int) -> list[Finding]:
    """A battle of random players from this seed, read as it is played."""
    return audit(game, played_at_random(start(game, seed=seed), seed))
