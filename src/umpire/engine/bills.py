"""What an army list costs, line by line: the words that every game's price list is told in."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

Named = Mapping[str, str] | str
"""Names in every language, or the key of a text."""


class Charge(msgspec.Struct, frozen=True):
    """One row of the bill."""

    name: Named
    each: int
    count: int
    points: int


class Account(msgspec.Struct, frozen=True):
    """A line of the list on the bill: its place in the roster, what it is, the part of the army it belongs to."""

    id: str
    name: Named
    group: Named
    points: int
    charges: tuple[Charge, ...]


class Bill(msgspec.Struct, frozen=True):
    """A list priced line by line, with the points that were agreed."""

    accounts: tuple[Account, ...]
    points: int
    size: int
