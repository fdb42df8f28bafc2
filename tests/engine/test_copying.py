"""Copies of plain data: what can change is copied, everything else shared."""

from collections.abc import Mapping

import msgspec

from umpire.engine.copying import copy


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
