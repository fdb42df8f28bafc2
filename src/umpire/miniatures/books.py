"""Army books as data that belong to a battle.

A side of a battle is a list that names a book of the game's library, or `{book, roster}` with a whole book of its own.
Either way the resolved set-up carries the books (`Setup.books`, by id and hash): a record replays with the books it was
fought with, whatever the library holds by then, and what one battle brings is nothing to any other in the process.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from importlib import resources
from typing import Any, Generic, NamedTuple, Protocol, TypedDict, TypeVar

import msgspec

from umpire import files
from umpire.engine.game import Setup
from umpire.engine.rng import Rng
from umpire.engine.state import State
from umpire.errors import fault, unknown
from umpire.files import Source
from umpire.text import WRITTEN


class Book(Protocol):
    """Any struct with an id."""

    @property
    def id(self) -> str: ...


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An entry of a book, or a book itself: whatever has an id and a name in every language."""

    id: str
    name: dict[str, str]


B = TypeVar("B", bound=Book)
T = TypeVar("T")

REMEMBERED = 64
"""So many books that strangers brought, and tables made of them, are kept for the next battle with them."""


class Side(msgspec.Struct, forbid_unknown_fields=True):
    """A side of a battle: an army book (its id, or the book itself) and a list written by it."""

    book: str | dict[str, Any]
    roster: dict[str, Any]


class SetUp(TypedDict):
    """A game's set-ups, by the books that they carry: filled in, started, and a book that a list brings."""

    resolve: Callable[[Setup, Rng], Setup]
    start: Callable[[Setup], State]
    bringing: Callable[[Source], contextlib.AbstractContextManager[None]]


class Volume(NamedTuple):
    """A book, the data that it was read from, and the key under which a set-up carries it."""

    key: str
    book: Any
    data: Any


_OPEN: ContextVar[Mapping[str, Volume]] = ContextVar("the books of the set-up that is being read")
_NONE: Mapping[str, Volume] = {}


def fingerprint(data: Any) -> str:
    """A short hash of a book's content: equal books, equal hashes, on every machine."""
    return hashlib.blake2b(msgspec.json.encode(data, order="deterministic"), digest_size=8).hexdigest()


def content(*path: str) -> Source:
    """A file of the content that comes with Umpire."""
    return files.read(resources.files("umpire.content").joinpath(*path), "/".join(("content", *path)))


def shelf(*folder: str, but: Iterable[str] = ()) -> Callable[[], Iterator[Source]]:
    """The army books of a game that are the files of a folder of the content, all but those that begin like this."""
    left = tuple(but)

    def sources() -> Iterator[Source]:
        found = sorted(file.name for file in resources.files("umpire.content").joinpath(*folder).iterdir())
        yield from (content(*folder, name) for name in found if name.endswith(".yaml") and not name.startswith(left))

    return sources


def check_name(name: Mapping[str, str], where: str) -> None:
    """A name in both languages that everything is written in."""
    for lang in WRITTEN:
        if not name.get(lang):
            raise fault("error.name", where, lang=lang)


def put(table: dict[str, T], key: str, entry: T, where: str) -> None:
    """Into a table by its id, which no other has."""
    if key in table:
        raise fault("error.file.twice", where, name=key)
    table[key] = entry


def entries(book: Any, groups: Iterable[str]) -> Iterator[tuple[str, str, Any]]:
    """Every entry of some lists of a book: the list, where it stands, and itself; no two of a list have one id, and
    each has its names."""
    for group in groups:
        seen: list[str] = []
        for entry in getattr(book, group):
            where = f"{group}.{entry.id}"
            check_name(entry.name, f"{where}.name")
            if entry.id in seen:
                raise fault("content.twice", where)
            seen.append(entry.id)
            yield group, where, entry


def finds(kind: type[T], group: str) -> Callable[[Any, str], T | None]:
    """A method of a book that finds an entry of one of its lists by id."""

    def find(book: Any, key: str) -> T | None:
        for entry in getattr(book, group):
            if entry.id == key:
                return entry  # type: ignore[no-any-return]
        return None

    return find


def check_references(book: Any, refers: Mapping[str, Mapping[str, str]]) -> None:
    """Ids that entries name are entries: for each list of the book its fields, and the lists that they name."""
    for group, fields in refers.items():
        for entry in getattr(book, group):
            for field, known in fields.items():
                given = functools.reduce(getattr, field.split("."), entry)
                ids = [one.id for one in getattr(book, known)]
                for key in [given] if isinstance(given, str) else given:
                    if key and key not in ids:
                        raise unknown("entry", key, f"{group}.{entry.id}.{field}", ids)


class Library(Generic[B]):
    """The army books of a game: those that come with it, and those that the set-up being read brings.

    `load` gives the game's own books as they are written; `read` makes a book of one and refuses what means nothing,
    naming the place; `field` is the field of a list that names its book.
    """

    def __init__(
        self,
        load: Callable[[], Iterable[Source]],
        read: Callable[[Source], B],
        field: str = "faction",
    ) -> None:
        self._load = load
        self._read = read
        self.field = field
        self._brought: dict[str, Volume] = {}
        self._tables: dict[tuple[str, ...], Mapping[str, B]] = {}

    @functools.cached_property
    def _volumes(self) -> dict[str, Volume]:
        """The game's own books, by id."""
        found = (self._volume(source) for source in self._load())
        return {volume.book.id: volume for volume in found}

    @functools.cached_property
    def _proper(self) -> frozenset[str]:
        """The keys of the game's own books."""
        return frozenset(volume.key for volume in self._volumes.values())

    @functools.cached_property
    def _own(self) -> dict[str, B]:
        return {key: volume.book for key, volume in self._volumes.items()}

    def _volume(self, source: Source) -> Volume:
        book = self._read(source)
        return Volume(f"{book.id}@{fingerprint(source.data)}", book, source.data)

    # -- what can be read now ----------------------------------------------------------------------------------------

    def books(self) -> Mapping[str, B]:
        """Every book by its id; one that the set-up brings stands in the place of the library's."""
        return self._among() if _OPEN.get(_NONE) else self._own

    def table(self, make: Callable[[Mapping[str, B]], T]) -> Callable[[], T]:
        """Something worked out from all the books that can be read, once for every choice of them."""
        known: dict[tuple[str, ...], T] = {}

        @functools.wraps(make)
        def found() -> T:
            keys = _keys()
            if keys not in known:
                _make_room(known)
                known[keys] = make(self.books())
            return known[keys]

        return found

    @property
    def open_books(self) -> list[str]:
        """The ids of the books that the set-up being read brings."""
        return [volume.book.id for volume in _OPEN.get(_NONE).values()]

    def merged(self, entries: Callable[[B], Iterable[tuple[str, T]]]) -> dict[str, T]:
        """What stands in all books, by id. What a set-up brings goes before the library's; two books that it brings
        may not both have an entry of one id."""
        brought = self.open_books
        found: dict[str, T] = {}
        owner: dict[str, str] = {}
        for book in sorted(self.books().values(), key=lambda book: book.id in brought):
            for key, entry in entries(book):
                if owner.get(key) in brought:
                    raise fault("error.book.clash", f"books.{book.id}", one=owner[key], other=book.id, entry=key)
                found[key], owner[key] = entry, book.id
        return found

    def _among(self) -> Mapping[str, B]:
        keys = _keys()
        if keys not in self._tables:
            _make_room(self._tables)
            self._tables[keys] = {**self._own, **{one.book.id: one.book for one in _OPEN.get(_NONE).values()}}
        return self._tables[keys]

    # -- set-ups -----------------------------------------------------------------------------------------------------

    def _proved(self, key: str, data: Any) -> Volume:
        """The book that a set-up carries under this key. One that is not what its hash says is refused."""
        own = self._volumes.get(key.rpartition("@")[0])
        if own is not None and own.key == key:
            return own
        if key not in self._brought:
            volume = self._volume(Source(f"books.{key}", data, None))
            if volume.key != key:
                raise fault("error.book.hash", f"books.{key}")
            _make_room(self._brought)
            self._brought[key] = volume
        return self._brought[key]

    @contextlib.contextmanager
    def opened(self, setup: Setup) -> Iterator[None]:
        """While a set-up is read, its books are the ones that count."""
        volumes = {key: self._proved(key, data) for key, data in setup.books.items()}
        # One copy for all battles: what carries the same key is the same book.
        setup.books = {key: volume.data for key, volume in volumes.items()}
        # Where all of them are the library's own, nothing is read otherwise than without them.
        token = _OPEN.set(_NONE if all(key in self._proper for key in volumes) else volumes)
        try:
            yield
        finally:
            _OPEN.reset(token)

    @contextlib.contextmanager
    def bringing(self, source: Source) -> Iterator[None]:
        """While a list is checked or priced that brings its own book."""
        volume = self._volume(source)
        token = _OPEN.set({volume.key: volume})
        try:
            yield
        finally:
            _OPEN.reset(token)

    def resolving(
        self, resolve: Callable[[Setup, Rng], Setup], used: Callable[[Any], Iterable[str]] | None = None
    ) -> Callable[[Setup, Rng], Setup]:
        """A game's `resolve` with sides that may bring their books; afterwards the set-up carries all that are used
        (`used`: the ids of the books of a resolved side, where a side may use more than one)."""

        @functools.wraps(resolve)
        def resolved(setup: Setup, rng: Rng) -> Setup:
            setup.sides = [self._unpacked(setup, given, f"sides[{n}]") for n, given in enumerate(setup.sides)]
            with self.opened(setup):
                setup = resolve(setup, rng)
                wanted = [name for side in setup.sides for name in (used(side) if used else (side[self.field],))]
            here = {key.rpartition("@")[0] for key in setup.books}
            volumes = [self._volumes[name] for name in dict.fromkeys(wanted) if name not in here]
            setup.books = {**setup.books, **{volume.key: volume.data for volume in volumes}}
            return setup

        return resolved

    def _unpacked(self, setup: Setup, given: Any, where: str) -> Any:
        if not isinstance(given, Mapping) or "roster" not in given:
            return given
        side = files.convert(given, Side, where)
        if isinstance(side.book, str):
            return {**side.roster, self.field: side.book}
        volume = self._volume(Source(f"{where}.book", side.book, None))
        name = volume.book.id
        if any(key.rpartition("@")[0] == name and key != volume.key for key in setup.books):
            raise fault("error.book.two", f"{where}.book", book=name)
        setup.books = {**setup.books, volume.key: volume.data}
        return {**side.roster, self.field: name}

    def set_up(
        self,
        resolve: Callable[[Setup, Rng], Setup],
        start: Callable[[Setup], State],
        used: Callable[[Any], Iterable[str]] | None = None,
    ) -> SetUp:
        """What a game declares of its set-ups (`Game(…, **LIBRARY.set_up(resolve, start))`)."""
        return {"resolve": self.resolving(resolve, used), "start": self.starting(start), "bringing": self.bringing}

    def starting(self, start: Callable[[Setup], T]) -> Callable[[Setup], T]:
        """A game's `start` by the books that the set-up carries."""

        @functools.wraps(start)
        def started(setup: Setup) -> T:
            with self.opened(setup):
                return start(setup)

        return started


def _keys() -> tuple[str, ...]:
    return tuple(_OPEN.get(_NONE))


def _make_room(known: dict[Any, Any]) -> None:
    """The oldest goes."""
    if len(known) >= REMEMBERED:
        del known[next(iter(known))]
