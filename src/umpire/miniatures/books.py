"""Army books as data that belong to a battle.

A side of a battle is `{book, roster}`. The book may be one of the library, by its id, or a whole book as data. Either
way the set-up carries what is fought with (`Setup.books`, by id and hash), so that a record replays with the books it
was fought with, and what one battle brings is nothing to any other in the same process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import msgspec

from umpire import files
from umpire.engine.game import Setup
from umpire.errors import fault


class Book(Protocol):
    """Any struct with an id."""

    @property
    def id(self) -> str: ...


B = TypeVar("B", bound=Book)


class Side(msgspec.Struct, forbid_unknown_fields=True):
    """A side of a battle: an army book (an id, or the book itself) and a list written by it."""

    book: str | dict[str, Any]
    roster: Any


def fingerprint(book: Any) -> str:
    """A short hash of a book's content: equal books, equal hashes, on every machine."""
    return hashlib.blake2b(
        msgspec.json.encode(msgspec.to_builtins(book), order="deterministic"), digest_size=8
    ).hexdigest()


def carry(setup: Setup, book: Book) -> str:
    """Put a book into the set-up; the key under which it is carried."""
    key = f"{book.id}@{fingerprint(book)}"
    if key not in setup.books:
        setup.books = {**setup.books, key: msgspec.to_builtins(book)}
    return key


def carried(setup: Setup, key: str, kind: type[B], where: str = "book") -> B:
    """The book that a set-up carries under this key. One that was tampered with is refused."""
    data = setup.books.get(key)
    if data is None:
        raise fault("error.book.missing", where, book=key)
    book: B = _decode(kind, msgspec.json.encode(data, order="deterministic"), where)
    if f"{book.id}@{fingerprint(book)}" != key:
        raise fault("error.book.hash", f"books.{key}")
    return book


@lru_cache(maxsize=64)
def _decode(kind: type[Any], data: bytes, where: str) -> Any:
    # By content: whoever asks for the same bytes gets the same book, and nobody gets another battle's.
    return files.convert(msgspec.json.decode(data), kind, where)


def enlist(
    setup: Setup,
    given: Any,
    library: Mapping[str, B],
    kind: type[B],
    where: str,
    check: Callable[[B, str], None] | None = None,
    named: str = "faction",
) -> tuple[B, Any]:
    """The book and the roster of a side as it was given: `{book, roster}`, or a roster alone that names a book of the
    library in its field `named`. `check` refuses a book whose content means nothing."""
    if isinstance(given, Mapping) and "roster" in given:
        side = files.convert(given, Side, where)
        wanted, roster = side.book, side.roster
    else:
        plain = msgspec.to_builtins(given)
        wanted, roster = (plain.get(named, "") if isinstance(plain, dict) else ""), given
    if isinstance(wanted, str):
        if wanted in setup.books:
            book = carried(setup, wanted, kind, f"{where}.book")
        elif wanted in library:
            return library[wanted], roster
        else:
            raise fault("error.book.unknown", f"{where}.book", book=wanted, known=list(library))
    else:
        book = _decode(kind, msgspec.json.encode(wanted, order="deterministic"), f"{where}.book")
    if check is not None:
        check(book, f"{where}.book")
    return book, roster
