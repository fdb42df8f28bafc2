"""What is worked out from where pieces stand, kept until one of them moves.

Three answers of four move nothing, and most of what rules measure they measure again and again. A piece whose struct is
`Movable` moves when one of the fields that say where it stands is set; what was kept of it is forgotten then, and so is
what any battle has kept of all its pieces together (`State.kept`, `State.look`).

A copy stands where its original does: what was found of one piece alone is theirs together until either moves, and what
was found of all pieces, as long as it holds none of them, goes on to the copies that a battle makes (`handed_on`).
"""

from __future__ import annotations

import itertools
import operator
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import msgspec

if TYPE_CHECKING:
    from umpire.engine.state import State

T = TypeVar("T")

_count = itertools.count(1)
_set = msgspec.Struct.__setattr__


class Moves:
    """The number of the last move of any piece of any battle: no two moves have the same."""

    last: ClassVar[int] = 0
    shape: ClassVar[int] = 0
    """The number of the last that changed what a watched piece takes up, and not only where."""


class Watched(msgspec.Struct):
    """A piece of which nothing is kept by itself, but what is kept of all pieces together ends when it moves."""

    POSITION: ClassVar[frozenset[str]] = frozenset()
    """The fields that say where it stands and what it takes up there."""
    SHAPE: ClassVar[frozenset[str]] = frozenset()
    """Those of them that say what it takes up."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.POSITION and getattr(self, name) != value:
            Moves.last = next(_count)
            if name in self.SHAPE:
                Moves.shape = Moves.last
        _set(self, name, value)


class Movable(msgspec.Struct, dict=True):
    """A piece; `__dict__` holds what is kept of it alone. It is no part of the data: never saved, never compared."""

    POSITION: ClassVar[frozenset[str]] = frozenset()
    """The fields that say where it stands and what it takes up there."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.POSITION and getattr(self, name) != value:
            Moves.last = next(_count)
            kept = self.__dict__
            if kept:  # what was kept is that of its copies too
                _keep(self, {"ever": kept["ever"]} if "ever" in kept else {})
        _set(self, name, value)

    @property
    def mark(self) -> int:
        """A number that this piece alone has, until it moves: to remember it by without holding on to it."""
        kept = self.__dict__
        found: int | None = kept.get("mark")
        if found is None:
            found = kept["mark"] = next(_count)
        return found

    def alone(self, key: Hashable, about: Any, find: Callable[[], T]) -> T:
        """What was found about this piece alone: it is found anew once it has moved itself, or when it is asked `about`
        something that is not the same as last time."""
        memo: dict[Any, Any] = self.__dict__
        kept = memo.get(key)
        if kept is not None and kept[0] == about:
            found: T = kept[1]
            return found
        found = find()
        memo[key] = (about, found)
        return found

    def lasting(self, key: Hashable, about: Any, find: Callable[[], T]) -> T:
        """What was found about this piece wherever it stands: it stays when it moves, and is found anew only when it is
        asked `about` something that is not the same as last time."""
        memo: dict[Any, tuple[Any, T]] | None = self.__dict__.get("ever")
        if memo is None:
            memo = self.__dict__["ever"] = {}
        kept = memo.get(key)
        if kept is not None and kept[0] == about:
            return kept[1]
        found = find()
        memo[key] = (about, found)
        return found


M = TypeVar("M", bound=Movable)

_keep: Callable[[Movable, dict[str, Any]], None] = Movable.__dict__["__dict__"].__set__
_kept = operator.attrgetter("__dict__")


def together(pieces: Iterable[M], copies: list[M]) -> list[M]:
    """Copies that stand where their originals do, and keep what is found of each together with it."""
    deque(map(_keep, copies, map(_kept, pieces)), maxlen=0)
    return copies


def handed_on(state: State, copy: State, fixed: bool = False) -> None:
    """Let a copy go on from what was found where the pieces stand; `fixed`: those of `state` never moved since it was
    found, whatever has moved elsewhere."""
    memo = state.__dict__ if fixed else state.kept()
    copy.__dict__.update(moves=Moves.last, found=memo.setdefault("found", {}))
