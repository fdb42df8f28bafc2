"""What is worked out from where pieces stand, kept until one of them moves.

Three answers of four move nothing, and most of what rules measure they measure again and again. A piece whose struct is
`Movable` moves when one of the fields that say where it stands is set; what was kept of it is forgotten then, and so is
what any battle has kept of all its pieces together (`State.kept`, `Movable.look`). Copies begin with nothing kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from typing import Any, ClassVar, TypeVar

import msgspec

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
        if name in self.POSITION:
            Moves.last = next(_count)
            self.__dict__.clear()
        _set(self, name, value)

    @property
    def mark(self) -> int:
        """A number that this piece alone has, until it moves: to remember it by without holding on to it."""
        kept = self.__dict__
        found: int | None = kept.get("mark")
        if found is None:
            found = kept["mark"] = next(_count)
        return found

    def alone(self, key: Hashable, about: tuple[Any, ...], find: Callable[[], T]) -> T:
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

    def look(self, key: Hashable, about: tuple[Any, ...], find: Callable[[], T]) -> T:
        """What was found about this piece among others: it is found anew once any piece has moved, or when it is asked
        `about` something that is not the same as last time."""
        memo: dict[Any, Any] = self.__dict__
        kept = memo.get(key)
        if kept is not None and kept[0] == Moves.last and kept[1] == about:
            found: T = kept[2]
            return found
        found = find()
        memo[key] = (Moves.last, about, found)
        return found
