"""What the data of a state refer to. A field whose type says of which things it holds an id (`names("units")`) holds
that of one that is there, or none; and whoever stands under an id is called so."""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Iterator
from typing import Any

import msgspec

from umpire.engine.state import State
from umpire.errors import fault, unknown
from umpire.rulebook.ledger import exists

OF = "of"
RULES = "rules"


def names(field: str) -> msgspec.Meta:
    """For a field that holds the id of something in this field of the state, or of a rule."""
    return msgspec.Meta(extra={OF: field})


def check_references(state: State, where: str) -> None:
    """Everything that the data name is there, and called as it is named."""
    shelves: dict[str, Any] = {}
    _check_keys(state, where)
    for at, value, of in _named(state, type(state), where):
        if of == RULES:
            if not exists(value):
                raise unknown("rule", value, at)
            continue
        if of not in shelves:
            shelves[of] = _shelf(getattr(state, of), f"{where}.{of}")
        if value not in shelves[of]:
            raise unknown("id", value, at, list(shelves[of])[:60])


def _check_keys(holder: msgspec.Struct, where: str, deep: bool = True) -> None:
    """What stands under an id has that id, but for what has none of its own."""
    for field in holder.__struct_fields__:
        value = getattr(holder, field)
        if isinstance(value, msgspec.Struct) and deep:
            _check_keys(value, f"{where}.{field}", deep=False)
        elif isinstance(value, dict) and any(getattr(thing, "id", "") for thing in value.values()):
            for key, thing in value.items():
                if thing.id != key:
                    raise unknown("id", thing.id, f"{where}.{field}.{key}.id", [key])


def _shelf(things: Any, where: str) -> dict[str, Any]:
    """What is there by its id, which no other has."""
    pairs = things.items() if isinstance(things, dict) else [(str(n), thing) for n, thing in enumerate(things)]
    found: dict[str, Any] = {}
    for key, thing in pairs:
        at = f"{where}.{key}" if isinstance(things, dict) else f"{where}[{key}]"
        if thing.id in found:
            raise fault("error.file.twice", f"{at}.id", name=thing.id)
        found[thing.id] = thing
    return found


def _named(value: Any, hint: Any, where: str) -> Iterator[tuple[str, str, str]]:
    """Every id in the data: where it stands, what it is, and where it should be found."""
    if not _speaks(hint):
        return
    if isinstance(value, msgspec.Struct):
        hints = _hints(type(value))
        encoded = value.__struct_encode_fields__
        for field, name in zip(value.__struct_fields__, encoded, strict=True):
            yield from _named(getattr(value, field), hints[field], f"{where}.{name}")
    elif typing.get_origin(hint) is typing.Annotated:
        of = _of(hint)
        if of is None:
            yield from _named(value, hint.__origin__, where)
        elif value:
            yield where, value, of
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from _named(entry, typing.get_args(hint)[1], f"{where}.{key}")
    elif isinstance(value, (list, tuple)):
        inner = next(part for part in _alternatives(hint) if typing.get_origin(part) in (list, tuple))
        args = typing.get_args(inner)
        for n, entry in enumerate(value):
            one = args[0] if len(args) == 1 or args[-1] is Ellipsis else args[n]
            yield from _named(entry, one, f"{where}[{n}]")
    elif isinstance(value, str):
        for part in _alternatives(hint):
            if typing.get_origin(part) is typing.Annotated:
                yield from _named(value, part, where)


def _of(hint: Any) -> str | None:
    extras = (meta.extra for meta in hint.__metadata__ if isinstance(meta, msgspec.Meta))
    return next((extra[OF] for extra in extras if extra and OF in extra), None)


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)


@functools.cache
def _hints(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return typing.get_type_hints(kind, include_extras=True)


def _speaks(hint: Any) -> bool:
    """Does anything of this type hold an id?"""
    try:
        return _found(hint)
    except TypeError:  # a hint that cannot be hashed has no struct in it
        return False


_OPEN: set[Any] = set()


@functools.cache
def _found(hint: Any) -> bool:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        if hint in _OPEN:  # a rule that holds rules
            return False
        _OPEN.add(hint)
        try:
            return any(_speaks(inner) for inner in _hints(hint).values())
        finally:
            _OPEN.discard(hint)
    if typing.get_origin(hint) is typing.Annotated:
        return _of(hint) is not None or _speaks(hint.__origin__)
    return any(_speaks(part) for part in typing.get_args(hint))
