"""Copies of plain data: what can change is copied, everything else shared."""

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from umpire.engine.copying import copy
from umpire.engine.keeping import Movable, Moves, Watched


class Piece(msgspec.Struct):
    names: Mapping[str, str]
    wounds: int = 0


class Table(msgspec.Struct):
    pieces: dict[str, Piece]
    tallies: dict[str, int]


def test_a_dict_that_is_only_read_is_shared() -> None:
    table = Table({"a": Piece({"en": "Guard"})}, {"turn": 1})
    other = copy(table)
    other.pieces["a"].wounds = 2
    other.tallies["turn"] = 2
    assert table.pieces["a"].wounds == 0
    assert table.tallies == {"turn": 1}
    assert other.pieces["a"].names is table.pieces["a"].names


class Rider(Movable):
    POSITION: ClassVar[frozenset[str]] = frozenset({"x"})

    x: float = 0.0
    horse: str = "grey"


class Field(msgspec.Struct):
    riders: list[Rider]


def test_what_is_found_of_a_piece_ends_when_it_moves_and_what_lasts_does_not() -> None:
    looks: list[str] = []

    def found(what: str) -> str:
        looks.append(what)
        return what

    field = Field([Rider()])
    rider = field.riders[0]
    for _ in range(2):
        assert rider.alone("place", (), lambda: found("place")) == "place"
        assert rider.lasting("gait", rider.horse, lambda: found("gait")) == "gait"
    assert looks == ["place", "gait"]
    (other,) = copy(field).riders
    other.x = 3.0
    other.alone("place", (), lambda: found("place"))
    other.lasting("gait", other.horse, lambda: found("gait"))
    assert looks == ["place", "gait", "place"]
    other.horse = "bay"
    other.lasting("gait", other.horse, lambda: found("gait"))
    assert looks == ["place", "gait", "place", "gait"]


class Walker(Watched):
    POSITION = frozenset({"x"})
    x: float = 0.0


def test_nobody_has_moved_who_is_put_where_he_stands() -> None:
    walker = Walker(x=3.0)
    moves = Moves.last
    walker.x = 3.0
    assert Moves.last == moves
    walker.x = 4.0
    assert Moves.last != moves


def test_what_is_found_of_a_piece_stays_when_it_is_put_where_it_stands() -> None:
    rider = Rider(x=3.0)
    mark, moves = rider.mark, Moves.last
    rider.x = 3.0
    assert (rider.mark, Moves.last) == (mark, moves)
    rider.x = 4.0
    assert rider.mark != mark
    assert Moves.last != moves


class Link(msgspec.Struct):
    marks: list[int]
    holds: "Link | None" = None
    hand: Piece | None = None


def test_structs_within_structs_are_copied_all_the_way_down_and_more_than_once() -> None:
    chain = Link([1], Link([2], Link([3])), Piece({"en": "Guard"}))
    for _ in range(2):
        other = copy(chain)
        assert other == chain
        assert other.holds is not None
        assert other.holds.holds is not None
        assert other.hand is not None
        other.holds.holds.marks.append(4)
        other.hand.wounds = 2
        assert chain == Link([1], Link([2], Link([3])), Piece({"en": "Guard"}))
