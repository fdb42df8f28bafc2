"""Parts of a game's declaration that are whole modules: what a module must hold to be one, and the fields of `Game`
that it fills.

```python
GAME = register(Game(id="tiny", …, **shown(picture), **written(scenes, scene_writing), **thinking(planning)))
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypedDict

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.game import Hints, Stock
from umpire.engine.picture import Card, Picture, Piece


class Draws(Protocol):
    """A module that draws a game: the whole table, the table without cards, a card, a name, the pieces of a unit."""

    @property
    def picture(self) -> Callable[[Any], Picture]: ...
    @property
    def board(self) -> Callable[[Any], Picture]: ...
    @property
    def card_of(self) -> Callable[[Any, str], Card | None]: ...
    @property
    def name(self) -> Callable[[Any, str], Mapping[str, str] | None]: ...
    @property
    def pieces(self) -> Callable[[Any, str], Sequence[Piece]]: ...


class Shown(TypedDict):
    picture: Callable[[Any], Picture]
    board: Callable[[Any], Picture]
    card: Callable[[Any, str], Card | None]
    name: Callable[[Any, str], Mapping[str, str] | None]
    pieces: Callable[[Any, str], Sequence[Piece]]


def shown(by: Draws) -> Shown:
    return {"picture": by.picture, "board": by.board, "card": by.card_of, "name": by.name, "pieces": by.pieces}


class Reads(Protocol):
    """A module that sets positions up: what a scene of the game says, and the state that it means."""

    @property
    def Scene(self) -> type[msgspec.Struct]: ...  # noqa: N802 - a class
    @property
    def start_scene(self) -> Callable[[Any], Any]: ...


class Writes(Protocol):
    """A module that writes positions down, and knows what can be put on the table of one."""

    @property
    def write_scene(self) -> Callable[[Any], dict[str, Any]]: ...
    @property
    def stock(self) -> Callable[[], Iterable[Stock]]: ...


class Written(TypedDict):
    scene: type[msgspec.Struct]
    start_scene: Callable[[Any], Any]
    write_scene: Callable[[Any], dict[str, Any]]
    stock: Callable[[], Iterable[Stock]]


def written(reads: Reads, writes: Writes) -> Written:
    return {
        "scene": reads.Scene,
        "start_scene": reads.start_scene,
        "write_scene": writes.write_scene,
        "stock": writes.stock,
    }


class Thinks(Protocol):
    """A module that tells players who think ahead what to try, and who went first."""

    @property
    def HINTS(self) -> Hints: ...  # noqa: N802 - a constant
    @property
    def first_turn(self) -> Callable[[Battle[Any]], int | None]: ...


class Thinking(TypedDict):
    hints: Hints
    first_turn: Callable[[Battle[Any]], int | None]


def thinking(by: Thinks) -> Thinking:
    return {"hints": by.HINTS, "first_turn": by.first_turn}
