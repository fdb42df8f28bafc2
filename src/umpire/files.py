"""Files that people write (YAML or JSON): what is wrong with one is told with the file, the line and the field.

The one reader for scenes, army lists, army books, terrain, scenarios and ledgers. `Source.convert` makes a struct of
the data; errors that a game raises about a field inside `Source.locating` get the file and the line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec import inspect

from umpire import documents
from umpire.errors import UmpireError, fault, system_reason, unknown
from umpire.text import LANGUAGES, Text, catalogue

T = TypeVar("T")

_PLACE = re.compile(r"(?P<what>.*) - at `(?P<key>key(?:` in `| in ))?\$(?P<field>.*)`$", re.DOTALL)
_PART = re.compile(r"\[(\d+)\]|\[\.\.\.\]|\.?([^.\[\]]+)")
_MESSAGES = (
    (re.compile(r"Expected `(?P<wanted>.+)`, got `(?P<given>.+)`$"), "error.field.type"),
    (re.compile(r"Expected `(?P<wanted>.+)` of length (?P<bound>[<>]=?) (?P<limit>.+)$"), "error.field.length"),
    (re.compile(r"Expected `array` of length (?P<wanted>\d+), got (?P<given>\d+)$"), "error.field.count"),
    (re.compile(r"Number out of range$"), "error.field.large"),
    (re.compile(r"Expected `(?P<wanted>.+)` (?P<bound>[<>]=?) (?P<limit>.+)$"), "error.field.limit"),
    (re.compile(r"Expected `str` matching regex (?P<form>.+)$"), "error.field.form"),
    (re.compile(r"Object contains unknown field `(?P<field>.+)`$"), "error.field.unknown"),
    (re.compile(r"Object missing required field `(?P<field>.+)`$"), "error.field.missing"),
    (re.compile(r"Invalid (?:enum )?value (?P<value>.+)$"), "error.field.value"),
    (re.compile(r"JSON is malformed: (?P<problem>.+) \(byte (?P<byte>\d+)\)$"), "error.json"),
    (re.compile(r"Input data was truncated$"), "error.json.truncated"),
)


_LENGTH = re.compile(r"of at (least|most) length (\d+), got \d+$")


class Readable(Protocol):
    """A path, or a file inside a package."""

    @property
    def name(self) -> str: ...

    def read_text(self, encoding: str) -> str: ...


class Source:
    """A file as it was read: its data, and where in the file each part of it stands (nowhere, if it is no file)."""

    def __init__(self, where: str, data: Any, nodes: Any) -> None:
        self.where = where
        self.data = data
        self.nodes = nodes

    def within(self, name: str) -> Source:
        """What stands under a name."""
        part = _entry(self.nodes, name) if self.nodes is not None else None
        return Source(self.where, self.data[name], part[1] if part is not None else None)

    def convert(self, kind: type[T], within: str = "", strict: bool = True) -> T:
        """The data, or one field of it, as a `kind`."""
        try:
            return msgspec.convert(self.data[within] if within else self.data, kind, strict=strict, str_keys=True)
        except msgspec.ValidationError as error:
            raise self.refused(error, within, kind) from None

    def checked(self, kind: type[T], check: Callable[[T], None]) -> T:
        """The data as a `kind` that means something: what the check raises about a field gets the file and the line."""
        made = self.convert(kind)
        with self.locating():
            check(made)
        return made

    def refused(self, error: msgspec.ValidationError, within: str = "", kind: Any = None) -> UmpireError:
        """What msgspec has against the data, or against one field of it, as a `kind`."""
        what, field = _understood(error, self.data[within] if within and kind else self.data, kind)
        return self.error(what, f"{within}{field}" if within else field.lstrip("."))

    def fault(self, key: str, field: str = "", **facts: object) -> UmpireError:
        """An error about a field, in the words of the catalogue."""
        return self.error(Text(key, facts), field)

    def error(self, what: Text | str | dict[str, str], field: str) -> UmpireError:
        line = self.line(field)
        where = f"{self.where}:{line}" if line else self.where
        if field:
            return fault("error.field", where, what=what, field=field)
        return fault("error.said", where, said=what) if isinstance(what, dict) else UmpireError(what, where)

    @contextmanager
    def locating(self, within: str = "") -> Iterator[None]:
        """Errors from in here whose `where` is a field get the file and the line before it."""
        try:
            yield
        except UmpireError as error:
            if error.where.startswith(self.where):
                raise
            inner = f".{error.where}" if within and error.where and error.where[0] != "[" else error.where
            raise self.error(error.said, f"{within}{inner}") from None

    def line(self, field: str) -> int:
        """The line at which a field stands (`fighters[2].weapons`, `regiments.spears.rules`), as far as it is there."""
        node = at = self.nodes
        for index, name in _PART.findall(field) if node is not None else ():
            found = _entry(node, name) if name else _nth(node, int(index)) if index else None
            if found is None:
                break
            at, node = found
        return at.start_mark.line + 1 if at is not None else 0


def parts_of(field: str) -> list[tuple[str, str]]:
    """A field (`fighters[2].weapons`) taken apart: the number of an entry, or a name."""
    return _PART.findall(field)


def leave_out(data: dict[str, Any], field: str) -> bool:
    """Take the field that an error names (`fighters[2].weapons`, `regiments.spears.rules`) out of plain data: the last
    part of it that a mapping has under its name. Is there one?"""
    at: Any = data
    last: tuple[dict[str, Any], str] | None = None
    for index, name in _PART.findall(field):
        if isinstance(at, dict) and name in at:
            last = at, name
            at = at[name]
        elif isinstance(at, list):
            number = int(index) if index else next((n for n, one in enumerate(at) if one.get("id") == name), len(at))
            if number >= len(at):
                break
            at = at[number]
        else:
            break
    if last is None or last[0] is data:
        return False
    del last[0][last[1]]
    return True


def _nth(node: Any, index: int) -> tuple[Any, Any] | None:
    if isinstance(node.value, list) and index < len(node.value) and not isinstance(node.value[index], tuple):
        return node.value[index], node.value[index]
    return None


def _entry(node: Any, name: str) -> tuple[Any, Any] | None:
    """A field of a mapping, or the entry of a list with that id: where it begins, and what it holds."""
    if not isinstance(node.value, list):
        return None
    for part in node.value:
        if isinstance(part, tuple):
            if part[0].value == name:
                return part
        elif isinstance(part.value, list):
            key = _entry(part, "id") if part.value and isinstance(part.value[0], tuple) else None
            if key is not None and key[1].value == name:
                return part, part
    return None


def _understood(error: msgspec.MsgspecError, data: Any = None, kind: Any = None) -> tuple[Text | str, str]:
    """What msgspec has against a field, in words of our own, and the field; with the value that stands there and with
    what may stand there, where it is known what was to be made of which data."""
    match = _PLACE.match(str(error))
    what, field = (match["what"], match["field"]) if match else (str(error), "")
    what = _LENGTH.sub(lambda told: f"of length {'<=' if told[1] == 'most' else '>='} {told[2]}", what)
    for pattern, key in _MESSAGES:
        if found := pattern.match(what):
            of_keys = match is not None and bool(match["key"])
            places = list(_places(data, kind, field, of_keys)) if kind is not None and key in _TOLD else []
            for told in filter(None, (_TOLD[key](place, places) for place in places)):
                return told
            facts = {
                name: _type(said) if name in ("wanted", "given") else said for name, said in found.groupdict().items()
            }
            if "bound" in facts:
                facts["bound"] = Text(f"error.bound.{facts['bound']}", {"limit": facts["limit"]})
            return Text(key, facts), f"{field}.{found['field']}" if key == "error.field.unknown" else field
    return what, field


class _Place(NamedTuple):
    """What stands at a field, and a type that it may have."""

    field: str
    value: Any
    kind: inspect.Type
    extra: dict[str, Any]
    """What its type says beside (`Meta(extra=…)`)."""


def _places(data: Any, kind: Any, field: str, of_keys: bool) -> Iterator[_Place]:
    """The field that msgspec names, by each of the types that it may have; where an entry of a mapping is meant, which
    msgspec does not name, every entry, or the key of every entry."""
    found = list(_types("", data, inspect.type_info(kind), {}))
    for index, name in _PART.findall(field):
        found = [inner for place in found for inner in _inside(place, index, name)]
    for place in found:
        if not of_keys:
            yield place
        elif isinstance(place.kind, inspect.DictType) and isinstance(place.value, dict):
            for key in place.value:
                yield from _types(f"{place.field}.{key}", key, place.kind.key_type, {})


def _types(field: str, value: Any, kind: inspect.Type, extra: dict[str, Any]) -> Iterator[_Place]:
    if isinstance(kind, inspect.Metadata):
        yield from _types(field, value, kind.type, {**extra, **(kind.extra or {})})
    elif isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from _types(field, value, one, extra)
    else:
        yield _Place(field, value, kind, extra)


def _inside(place: _Place, index: str, name: str) -> Iterator[_Place]:
    """What stands in a place under a name or at a number."""
    field, value, kind, _ = place
    if isinstance(kind, inspect.StructType) and isinstance(value, dict) and name in value:
        if name == kind.tag_field:
            yield _Place(f"{field}.{name}", value[name], inspect.LiteralType((kind.tag,)), {})
        elif kind.tag_field is None or value.get(kind.tag_field) == kind.tag:
            for one in kind.fields:
                if one.encode_name == name:
                    yield from _types(f"{field}.{name}", value[name], one.type, {})
    elif index and isinstance(value, (list, tuple)) and int(index) < len(value):
        item = kind.item_types[int(index)] if isinstance(kind, inspect.TupleType) else getattr(kind, "item_type", None)
        if item is not None:
            yield from _types(f"{field}[{index}]", value[int(index)], item, {})
    elif isinstance(kind, inspect.DictType) and isinstance(value, dict):
        for key, entry in value.items():
            yield from _types(f"{field}.{key}", entry, kind.value_type, {})


def _beyond(place: _Place, _: list[_Place]) -> tuple[Text, str] | None:
    """A number that does not lie between the two that its type names, or whatever its type tells in words of its own:
    a number beyond, a text of another form, a list of another length."""
    value, kind = place.value, place.kind
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        fits = type(value) not in (int, float) or (
            (kind.ge is None or value >= kind.ge) and (kind.le is None or value <= kind.le)
        )
    elif isinstance(kind, inspect.StrType):
        fits = not isinstance(value, str) or kind.pattern is None or re.search(kind.pattern, value) is not None
    else:
        fits = not isinstance(value, list)
    if fits:
        return None
    if "fault" in place.extra:
        return Text(place.extra["fault"], {"text": value}), place.field
    if isinstance(kind, inspect.IntType | inspect.FloatType) and kind.ge is not None and kind.le is not None:
        return Text("error.scene.between", {"value": value, "least": kind.ge, "most": kind.le}), place.field
    return None


def _misnamed(place: _Place, places: list[_Place]) -> tuple[Text, str] | None:
    """A word, or a number, that is none of those that its type names."""
    known = [value for one in places if isinstance(one.kind, inspect.LiteralType) for value in one.kind.values]
    if not known or place.value in known or not isinstance(place.kind, inspect.LiteralType):
        return None
    word = place.extra.get("kind") or re.sub(r"\[\d+\]$", "", place.field).rpartition(".")[2]
    facts = {
        "kind": Text(f"kind.{word}" if f"kind.{word}" in catalogue("") else "kind.value"),
        "name": str(place.value),
        "known": [value for value in dict.fromkeys(known) if value != ""],
    }
    return Text("error.unknown-of", facts), place.field


_TOLD: dict[str, Callable[[_Place, list[_Place]], tuple[Text, str] | None]] = {
    "error.field.limit": _beyond, "error.field.length": _beyond, "error.field.form": _beyond,
    "error.field.value": _misnamed,
}  # fmt: skip
"""What is told better where the place is known."""


def _type(said: str) -> Text | str:
    """A kind of value (`int | null`) in words that can be said."""
    first, _, rest = said.partition(" | ")
    word = Text(f"error.type.{first}") if f"error.type.{first}" in catalogue("") else first
    return Text("error.type.or", {"one": word, "other": _type(rest)}) if rest else word


def garbled(error: msgspec.MsgspecError) -> Text | str:
    """What is wrong with a line of JSON, and in which field, to be said inside another sentence."""
    what, field = _understood(error)
    return Text("error.field", {"what": what, "field": field.lstrip(".")}) if field else what


def convert(data: Any, kind: type[T], where: str, strict: bool = True) -> T:
    """Plain data, of a set-up or a client, as a `kind`; an error says the field under `where`. JSON writes numbers that
    are keys as words."""
    try:
        return msgspec.convert(data, kind, strict=strict, str_keys=True)
    except msgspec.ValidationError as error:
        raise misfit(error, where, data, kind) from None


LARGEST = 2**53
"""Beyond it not every number is one of its own."""


def finite(data: Any, where: str) -> None:
    """Numbers that people write are numbers: neither infinite nor none at all, nor beyond all counting."""
    if type(data) is float and not math.isfinite(data):
        raise fault("error.scene.finite", where, value=str(data))
    if type(data) in (int, float) and abs(data) > LARGEST:
        raise fault("error.field.large", where)
    if isinstance(data, dict):
        for key, value in data.items():
            finite(value, f"{where}.{key}")
    elif isinstance(data, list):
        for n, value in enumerate(data):
            finite(value, f"{where}[{n}]")


TEXTS = ("name", "names", "text")
"""Fields of what people spell out that hold a text in both languages."""


def in_languages(data: Any, where: str) -> None:
    """Texts that people write in several languages are in ours: a misspelt one would be shown to nobody."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key in TEXTS and isinstance(value, dict):
                for language in value:
                    if language not in LANGUAGES:
                        raise unknown("language", language, f"{where}.{key}.{language}", LANGUAGES)
                if value and "en" not in value:  # what is said where a language lacks it
                    raise fault("error.name", f"{where}.{key}", lang="en")
            in_languages(value, f"{where}.{key}")
    elif isinstance(data, list):
        for n, value in enumerate(data):
            in_languages(value, f"{where}[{n}]")


def misfit(error: msgspec.ValidationError, where: str, data: Any = None, kind: Any = None) -> UmpireError:
    """What msgspec has against data under `where`, as a `kind`."""
    what, field = _understood(error, data, kind)
    return UmpireError(what, f"{where}{field}")


def text_of(path: str | Path | Readable, where: str = "") -> str:
    """The text of a file, of the disk or of a package."""
    file = Path(path) if isinstance(path, str) else path
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise fault("error.file.unread", where or str(file), why=system_reason(error)) from None
    except UnicodeDecodeError:
        raise fault("error.file.utf8", where or str(file)) from None


def read(path: str | Path | Readable, where: str = "") -> Source:
    """Read a file, of the disk or of a package; `where` is what errors call it."""
    where = where or str(path)
    return parse(text_of(path, where), where)


def read_all(path: str | Path | Readable, where: str = "") -> list[Source]:
    """Read a file that may hold several documents, one after the other with `---` between them."""
    where = where or str(path)
    return parse_all(text_of(path, where), where)


def parse(text: str, where: str) -> Source:
    """A text that was read already."""
    return _parsed(text, where, several=False)[0]


def parse_all(text: str, where: str) -> list[Source]:
    """The documents of a text that was read already; empty ones are none."""
    found = _parsed(text, where, several=True)
    return [source for source in found if source.data is not None] or found[:1] or [Source(where, None, None)]


def _parsed(text: str, where: str, several: bool) -> list[Source]:
    try:
        return [Source(where, found.data, found.nodes) for found in documents.read(text, several)]
    except documents.UnreadableError as error:
        at = f"{where}:{error.line}" if error.line else where
        facts = {name: _in_words(value) if name == "problem" else value for name, value in error.facts.items()}
        raise UmpireError(Text(error.key, facts) if error.key else str(error), at) from None


def _in_words(problem: str) -> str:
    """What the reader of YAML says: a sentence of the catalogue where there is one."""
    slug = "-".join(re.findall(r"[a-z]+", problem.lower()))
    return next((key for key in catalogue("") if key.startswith("yaml.") and key[5:] in slug), problem)
