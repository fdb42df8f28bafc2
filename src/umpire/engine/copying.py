"""A copier for plain data, written once for each type of struct and then run at C speed where it can.

`copy.deepcopy` walks every object and asks what it is; here the types are known beforehand, so that only what can
change is copied and everything frozen is shared.
"""

from __future__ import annotations

import enum
import functools
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from umpire.engine.keeping import Movable, together

T = TypeVar("T")
Copier = Callable[[Any], Any]

_PLAIN = (int, float, str, bool, bytes, type(None))


def copy(value: T) -> T:
    """An independent copy of a struct and of everything in it that can change."""
    struct: Any = type(value)
    return typing.cast("T", copier(struct)(value))


@functools.cache
def copier(struct: type) -> Copier:
    """The copier for a struct type: a shallow copy whose changeable fields are copied in turn."""
    if not (isinstance(struct, type) and issubclass(struct, msgspec.Struct)):
        return _copy_any
    if struct.__struct_config__.frozen:
        return _share
    hints = typing.get_type_hints(struct, include_extras=False)
    names: dict[str, Any] = {}
    lines = ["def copy_struct(value):", "    new = value.__copy__()"]
    for index, field in enumerate(struct.__struct_fields__):
        code = _code(hints[field], f"value.{field}", names, str(index))
        if code is not None:
            lines.append(f"    new.{field} = {code}")
    lines.append("    return new")
    exec("\n".join(lines), names)  # the source is made from field names alone
    return typing.cast("Copier", names["copy_struct"])


def _share(value: Any) -> Any:
    return value


def _immutable(hint: Any) -> bool:
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        return True
    if origin in (typing.Union, types.UnionType):
        return all(_immutable(arg) for arg in typing.get_args(hint))
    if origin is tuple:
        return all(arg is Ellipsis or _immutable(arg) for arg in typing.get_args(hint))
    if origin is frozenset:
        return True
    if origin is Mapping:
        # Whoever types a dict so promises only to read it.
        return all(_immutable(arg) for arg in typing.get_args(hint))
    if isinstance(hint, type):
        if issubclass(hint, msgspec.Struct):
            return bool(hint.__struct_config__.frozen)
        return hint in _PLAIN or issubclass(hint, enum.Enum)
    return False


def _flat(hint: Any) -> bool:
    """A struct that can change but holds nothing that can: a shallow copy is enough."""
    if not (isinstance(hint, type) and issubclass(hint, msgspec.Struct)) or hint.__struct_config__.frozen:
        return False
    hints = typing.get_type_hints(hint)
    return all(_immutable(hints[field]) for field in hint.__struct_fields__)


def _code(hint: Any, value: str, names: dict[str, Any], tag: str) -> str | None:
    """Source that copies `value` of this type; None if it can be shared."""
    if _immutable(hint):
        return None
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    held: Any = args[-1] if origin in (list, dict) else None
    if isinstance(held, type) and issubclass(held, Movable) and _flat(held):
        names["f" + tag], names["together"] = args[-1].__copy__, together
        if origin is list:
            return f"together({value}, list(map(f{tag}, {value})))"
        return f"dict(zip({value}, together({value}.values(), list(map(f{tag}, {value}.values())))))"
    if origin is list:
        if _flat(args[0]):
            names["f" + tag] = args[0].__copy__
            return f"list(map(f{tag}, {value}))"
        inner = _code(args[0], "v", names, tag + "e")
        return f"{value}[:]" if inner is None else f"[{inner} for v in {value}]"
    if origin is dict:
        if _flat(args[1]):
            names["f" + tag] = args[1].__copy__
            return f"dict(zip({value}, map(f{tag}, {value}.values())))"
        inner = _code(args[1], "v", names, tag + "e")
        return f"{value}.copy()" if inner is None else f"{{k: {inner} for k, v in {value}.items()}}"
    if _flat(hint):
        return f"{value}.__copy__()"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        names["c" + tag] = _Late(hint, names, "c" + tag)
        return f"c{tag}({value})"
    if origin in (typing.Union, types.UnionType):
        rest = [arg for arg in args if arg is not type(None)]
        if len(rest) == 1 and len(rest) < len(args):
            return f"None if {value} is None else {_code(rest[0], value, names, tag + 'o')}"
        if all(isinstance(arg, type) and issubclass(arg, msgspec.Struct) for arg in rest) and len(rest) == len(args):
            names["copy"] = copy
            return f"copy({value})"
    names["any_"] = _copy_any
    return f"any_({value})"


class _Late:
    """The copier of a struct, looked up at first use, so that types may refer to each other; from then on its place is
    taken by what was found."""

    __slots__ = ("name", "names", "struct")

    def __init__(self, struct: type, names: dict[str, Any], name: str) -> None:
        self.struct, self.names, self.name = struct, names, name

    def __call__(self, value: Any) -> Any:
        run = self.names[self.name] = copier(self.struct)
        return run(value)


def _copy_any(value: Any) -> Any:
    """Plain data of unknown shape."""
    if isinstance(value, list):
        return [_copy_any(v) for v in value]
    if isinstance(value, dict):
        return {k: _copy_any(v) for k, v in value.items()}
    if isinstance(value, tuple):
        return tuple(_copy_any(v) for v in value)
    if isinstance(value, msgspec.Struct):
        return copier(type(value))(value)
    return value
