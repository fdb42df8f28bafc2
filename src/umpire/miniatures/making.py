"""One struct of another: what both have by the same name goes over, what is said otherwise is told."""

from __future__ import annotations

import functools
from collections.abc import Collection
from typing import Any, TypeVar, get_args, get_origin

import msgspec

K = TypeVar("K", bound=msgspec.Struct)


def made(kind: type[K], given: msgspec.Struct, leave: Collection[str] = (), **told: Any) -> K:
    """A struct of this kind with all that `given` has by the same name, but for what is left as usual, and with what is
    told. Lists, tuples and mappings are as the new one wants them, and its own."""
    shared = _shared(kind, type(given))
    same = {name: shape(getattr(given, name)) for name, shape in shared if name not in told and name not in leave}
    return kind(**same, **told)


@functools.cache
def _shared(kind: type[msgspec.Struct], given: type[msgspec.Struct]) -> list[tuple[str, Any]]:
    names = given.__struct_fields__
    return [(field.name, _shape(field.type)) for field in msgspec.structs.fields(kind) if field.name in names]


def _shape(hint: Any) -> Any:
    origin = get_origin(hint)
    if origin is list and get_origin(get_args(hint)[0]) in (list, tuple):
        inner = _shape(get_args(hint)[0])
        return lambda value: [inner(one) for one in value]
    return origin if origin in (list, tuple, dict) else _as_it_is


def _as_it_is(value: Any) -> Any:
    return value
