"""What of one plain value another does not say: written down as nested changes, and put in again.

Mappings are merged key by key; a list is changed entry by entry, by number, where it keeps its length; everything else
is replaced. Where a mapping has lost keys, `{"=": value}` stands for the whole.
"""

from __future__ import annotations

from typing import Any

import msgspec

from umpire.errors import fault

WHOLE = "="


def merged(old: Any, changes: Any) -> Any:
    """The value with the changes in it."""
    if not isinstance(changes, dict):
        return changes
    if WHOLE in changes:
        return changes[WHOLE]
    if isinstance(old, list) and all(str(key).isdecimal() for key in changes):
        new = list(old)
        for key, change in changes.items():
            if int(key) < len(new):
                new[int(key)] = merged(new[int(key)], change)
        return new
    if not isinstance(old, dict):
        old = {}
    return {**old, **{str(key): merged(old.get(str(key)), change) for key, change in changes.items()}}


def check_names(made: Any, changes: Any, where: str) -> None:
    """Does every change name a field that what was made of it has? Else it would have changed nothing."""
    if not isinstance(changes, dict):
        return
    if WHOLE in changes:
        check_names(made, changes[WHOLE], where)
    elif isinstance(made, msgspec.Struct) and made.__struct_config__.array_like:
        check_names([getattr(made, field) for field in made.__struct_fields__], changes, where)
    elif isinstance(made, msgspec.Struct):
        names = dict(zip(made.__struct_encode_fields__, made.__struct_fields__, strict=True))
        for key, change in changes.items():
            if key in names:
                check_names(getattr(made, names[key]), change, f"{where}.{key}")
            elif key != made.__struct_config__.tag_field:
                raise fault("error.field.unknown", f"{where}.{key}", field=key)
    elif isinstance(made, (list, tuple)):
        for key, change in changes.items():
            if not str(key).isdecimal() or int(key) >= len(made):
                raise fault("error.field.unknown", f"{where}.{key}", field=key)
            check_names(made[int(key)], change, f"{where}.{key}")
    elif isinstance(made, dict):
        for key, change in changes.items():
            check_names(made.get(key), change, f"{where}.{key}")


def changes(old: Any, new: Any) -> Any:
    """What must be merged into one value for it to become the other, the order of its keys too, since questions list
    what stands in mappings as it stands there; `{}` where they are the same."""
    if isinstance(old, dict) and isinstance(new, dict) and list(merged(old, dict.fromkeys(new))) == list(new):
        told = {key: changes(old[key], value) if key in old else _whole(value) for key, value in new.items()}
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new) > 0:
        told = {str(n): changes(a, b) for n, (a, b) in enumerate(zip(old, new, strict=True))}
    else:
        return {} if old == new and not isinstance(old, dict) else _whole(new)
    return {key: change for key, change in told.items() if change != {}}


def _whole(value: Any) -> Any:
    return {WHOLE: value} if isinstance(value, dict) else value
