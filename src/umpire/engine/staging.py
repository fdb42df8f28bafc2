"""Carrying scenes out: answers, questions that carry nothing out, and what is expected of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec

from umpire.engine import expecting
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Decision
from umpire.engine.dice import OutOfDice
from umpire.engine.explain import ruling_wire
from umpire.engine.rng import Rng, seed_of
from umpire.engine.rulings import Ruling
from umpire.engine.scene import Entry, SceneFile, entry_of, foreseen, refused, start, understood
from umpire.engine.view import decision_wire, event_wire
from umpire.engine.wishes import Wish
from umpire.errors import UmpireError, fault
from umpire.files import Source, convert, read_all
from umpire.text import Text, both, in_language, words

PATIENCE = 500
"""Answers that a scene gives by itself until what it waits for has come."""


class Stage:
    """A scene as it is carried out."""

    def __init__(self, file: SceneFile, source: Source | None = None) -> None:
        self.file = file
        self.source = source
        self.battle: Battle[Any] = start(file, source)
        self.rulings: list[dict[str, Any]] = []
        self.failures: list[tuple[str, Text]] = []
        """What was expected and did not come: the field that expects it, and what is instead."""
        self.stopped: UmpireError | None = None

    def play(self) -> None:
        """Every answer and question in turn, then what the scene waits for, then what it expects."""
        try:
            for number, given in enumerate(self.file.answers):
                where = f"answers[{number}]"
                self._step(entry_of(given, where), where)
            self._wait()
        except OutOfDice as error:
            # All that was ruled up to here is told; more cannot be known.
            self.stopped = error
        self._compare(expecting.read(self.file.expect, "expect", self.file.game), "expect", None, 0)

    def ask(self, wish: Any, side: int | None = None, where: str = "ask") -> Ruling:
        """Put a wish, or an answer, to the umpire; nothing changes."""
        given = dict(wish) if isinstance(wish, Mapping) else {"answer": wish}
        if "deed" not in given and "answer" in given:
            given["deed"] = "answer"
        read = convert(given, Wish, where)
        side = self._side(read, side)
        ruling = self.battle.why_not(side, read, where)
        self._note({"at": where, "side": side, "ask": msgspec.to_builtins(read)}, ruling)
        return ruling

    def _side(self, wish: Wish, side: int | None) -> int:
        """Who wishes: whoever is named, else the owner of the piece, else who is asked."""
        if side is not None:
            return side
        if wish.who:
            game, state = self.battle.game, self.battle.state
            pieces = game.laid(state).pieces
            owner = next((piece.side for piece in pieces if wish.who in (piece.id, piece.unit)), None)
            if owner is None:  # off the table there are only cards
                owner = next((card.side for card in game.picture(state).cards if wish.who == card.id), None)
            if owner in (0, 1):
                return owner
        return self.battle.decision.side if self.battle.decision is not None else 0

    def _note(self, what: dict[str, Any], ruling: Ruling) -> None:
        game = self.battle.game
        self.rulings.append({**what, **ruling_wire(ruling, game.id, self._names), "odds": ruling.odds})

    def _option(self, ask: Decision, answer: Any) -> dict[str, str] | None:
        """What people call the option that is answered."""
        option = ask.options.get(answer) if isinstance(ask, Choose) and isinstance(answer, str) else None
        return None if option is None else both(option.label or option.id, self.battle.game.id, self._names)

    def _names(self, key: str) -> Any:
        return self.battle.game.name(self.battle.state, key)

    def _step(self, entry: Entry, where: str) -> None:
        before = len(self.battle.events)
        expected = expecting.read(entry.expect, f"{where}.expect", self.file.game)
        if entry.ask is not msgspec.UNSET:
            self._compare(expected, where, self.ask(entry.ask, entry.side, f"{where}.ask"), before)
            return
        ask = self.battle.decision if entry.side is None else self.battle.decision_for(entry.side)
        if ask is None:
            raise fault("error.scene.nobody-asked", where)
        ruling = ask.check(entry.answer)
        asked = {
            "at": where,
            "side": ask.side,
            "asked": ask.prompt.key,
            "prompt": both(ask.prompt, self.battle.game.id, self._names),
            "rules": list(ask.rules),
            "answer": entry.answer,
            "said": self._option(ask, entry.answer),
        }
        self._note(asked, ruling)
        if ruling.legal:
            self.battle.answer(entry.answer, ask.side)
        elif not any(isinstance(one, expecting.Refused) for one in expected):
            self.failures.append((where, Text("scene.refused", {"rules": list(ruling.rules)})))
        self._compare(expected, where, ruling, before)

    def _wait(self) -> None:
        """Legal answers, as anybody might give them, until what the scene waits for has come."""
        if self.file.until is None:
            return
        goals = expecting.read(self.file.until, "until", self.file.game)
        rng = Rng(seed_of("scene", self.file.seed))
        for _ in range(PATIENCE):
            if all(one.met(self.battle, None, self.battle.events) for one in goals):
                return
            if self.battle.decision is None:
                break
            self.battle.answer(self.battle.decision.suggest(rng), self.battle.decision.side)
        self.failures.append(("until", Text("scene.never")))

    def _compare(self, expected: list[expecting.Expected], where: str, ruling: Ruling | None, since: int) -> None:
        events = self.battle.events[since:]
        for one in expected:
            if not one.met(self.battle, ruling, events):
                self.failures.append((where, one.instead(self.battle, ruling, events)))

    def told(self) -> dict[str, Any]:
        """Rulings, events and the resulting state, as plain data."""
        battle, game = self.battle, self.battle.game
        told: dict[str, Any] = {
            "game": game.id,
            "rulings": self.rulings,
            "events": [event_wire(event, n, game.id, self._names) for n, event in enumerate(battle.events)],
            "decisions": [decision_wire(ask, game.id, self._names) for ask in battle.decisions],
            "outcome": msgspec.to_builtins(battle.outcome) if battle.outcome else None,
            "state": msgspec.to_builtins(battle.state),
        }
        if self.stopped is not None:
            told["stopped"] = refused(self.stopped)
        if self.failures:
            told["failures"] = [
                {"where": self._place(where), "text": self._said(what)} for where, what in self.failures
            ]
        return told

    def _said(self, what: Text) -> dict[str, str]:
        return words(what.key, **what.args)

    def _place(self, field: str) -> str:
        if self.source is None:
            return field
        line = self.source.line(field)
        return f"{self.source.where}:{line}: {field}" if line else f"{self.source.where}: {field}"

    def complaints(self, lang: str) -> Iterator[str]:
        """What did not come as expected, a line each; dice that ran out are one."""
        for where, what in self.failures:
            yield f"{self._place(where)}: {in_language(self._said(what), lang)}"
        if self.stopped is not None:
            yield f"{self._place('dice')}: {self.stopped.line(lang)}"


def run(file: SceneFile, source: Source | None = None, asks: tuple[Any, ...] = ()) -> dict[str, Any]:
    """Carry a scene out, put further questions at its end, and tell everything."""
    stage = played(file, source)
    for wish in asks:
        stage.ask(wish)
    return stage.told()


def complaints_of(path: str | Path, lang: str) -> Iterator[list[str]]:
    """What the scenes of a file complain of, one scene after the other: it holds one, or several with `---` between."""
    try:
        sources = read_all(path)
    except UmpireError as error:
        yield [error.line(lang)]
        return
    for source in sources:
        try:
            complaints = list(played(*understood(source)).complaints(lang))
        except UmpireError as error:
            complaints = [error.line(lang)]
        yield complaints


def played(file: SceneFile, source: Source | None = None) -> Stage:
    """A scene carried out: what it expects and does not get stands in `failures`."""
    stage = Stage(file, source)
    with source.locating() if source is not None else nullcontext(), foreseen():
        stage.play()
    return stage
