"""How large what strangers send may be, before anything judges it: a short text can ask for endless work."""

from __future__ import annotations

from typing import Any

from umpire.errors import UmpireError, fault
from umpire.text import Text

DEEP = 40
LONG = 400
"""No list of an army, a table or an answer is longer, and no word has more entries beside it."""
MANY = 40_000
"""Values altogether."""
LARGEST = 100_000
"""No points, inches, attacks or wounds are more."""
WORDS = 4000
"""Characters of one text."""
ERROR = 600
"""Characters of what is said to be wrong."""


def bounded(value: Any, where: str = "", *, long: int = LONG, many: int = MANY) -> None:
    """Refuse what is too deep, too long, too much or too large, and name the place."""
    left = many
    todo: list[tuple[Any, str, int]] = [(value, where, 0)]
    while todo:
        one, place, depth = todo.pop()
        left -= 1
        if left < 0:
            raise _too(where, "values", many=many)
        if isinstance(one, dict):
            _size(len(one), long, place)
            for key, part in one.items():
                if isinstance(key, str) and len(key) > 200:
                    raise _too(place, "name", long=200)
                todo.append((part, f"{place}.{key}" if place else str(key), depth + 1))
        elif isinstance(one, (list, tuple)):
            _size(len(one), long, place)
            todo.extend((part, f"{place}[{number}]", depth + 1) for number, part in enumerate(one))
        elif isinstance(one, str):
            if len(one) > WORDS:
                raise _too(place, "text", long=WORDS)
        elif isinstance(one, (int, float)) and not isinstance(one, bool) and not abs(one) <= LARGEST:
            raise _too(place, "number", largest=LARGEST)
        if depth > DEEP:
            raise _too(place[:60], "nested", deep=DEEP)


def _size(count: int, long: int, place: str) -> None:
    if count > long:
        raise _too(place, "entries", count=count, long=long)


def _too(place: str, what: str, **facts: int) -> UmpireError:
    return fault("server.too-much", place[:120], what=Text(f"server.too-much.{what}", facts))


def short(text: str, most: int = ERROR) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
