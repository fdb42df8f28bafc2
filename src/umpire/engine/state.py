"""The plain data every battle has; a game adds its own fields."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import msgspec

from umpire.engine.dice import DiceState
from umpire.engine.effects import Effect
from umpire.engine.events import Outcome
from umpire.engine.keeping import Moves
from umpire.rulebook.proving import PROVING

T = TypeVar("T")


class Task(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A step still to do: its name and its arguments, as plain data."""

    step: str
    args: tuple[Any, ...] = ()


class State(msgspec.Struct, kw_only=True, dict=True):
    """What a battle is at a moment between two steps. Nothing else is needed to go on from here."""

    agenda: list[Task] = []
    dice: DiceState = msgspec.field(default_factory=DiceState)
    effects: list[Effect] = []
    used: dict[str, int] = {}
    outcome: Outcome | None = None
    without: tuple[str, ...] = msgspec.field(default_factory=lambda: tuple(PROVING))
    """The rules that are switched off in this battle (`Setup.without`)."""

    def applies(self, rule: str) -> bool:
        """Is this rule in force? A rule decides in one place and asks there, unless a mechanism asks for it: reasons
        (`standing`), effects (`effects.number`), abilities and special rules carry their ids and are left out."""
        return rule not in self.without

    def kept(self) -> dict[Any, Any]:
        """What has been worked out from where the pieces stand (`engine.keeping`): empty once one of them has moved. It
        must depend on positions alone, and on what no battle changes."""
        memo = self.__dict__
        if memo.get("moves") != Moves.last:
            memo.clear()
            memo["moves"] = Moves.last
        return memo

    def look(self, key: Hashable, about: Any, find: Callable[[], T]) -> T:
        """What was found of pieces among others: it is found anew once any piece has moved, or when it is asked `about`
        something that is not the same as last time. It goes on to copies: it must hold nothing that can change."""
        memo = self.kept()
        found: dict[Any, tuple[Any, T]] | None = memo.get("found")
        if found is None:
            found = memo["found"] = {}
        last = found.get(key)
        if last is not None and last[0] == about:
            return last[1]
        value = find()
        found[key] = (about, value)
        return value


def digest(state: State) -> str:
    """A short fingerprint of the data: equal data, equal digest, on every machine."""
    return hashlib.blake2b(msgspec.msgpack.encode(state, order="deterministic"), digest_size=12).hexdigest()
