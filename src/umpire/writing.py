"""Plain data as YAML that people like to read: what fits a line stands on one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

WIDTH = 140
_PLAIN = re.compile(r"[A-Za-z_\u4e00-\u9fff][\w /+.\u4e00-\u9fff()'’“”，。；、？！-]*")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "~", "nan", "inf"})


def dump(value: dict[str, Any]) -> str:
    """A mapping, an entry a line or more."""
    return "".join(f"{line}\n" for line in _block(value))


def flow(value: Any) -> str:
    """On one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)}: {flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS and value == value.strip():
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)


def _key(key: Any) -> str:
    """A key is always a word (`files`), whatever YAML might take it for."""
    return key if isinstance(key, str) and _PLAIN.fullmatch(key) else flow(key)


def _block(value: Any, indent: int = 0) -> Iterator[str]:
    space = " " * indent
    entries = value.items() if isinstance(value, dict) else ((None, part) for part in value)
    for key, part in entries:
        head = space + ("-" if key is None else f"{_key(key)}:")
        line = f"{head} {flow(part)}"
        plain = not isinstance(part, (dict, list, tuple)) or not part
        if plain or (len(line) <= WIDTH and (indent or not _rich(part))):
            yield line
            continue
        lines = list(_block(part, indent + 2))
        if key is None:  # the first line of an entry stands beside its dash
            yield f"{head} {lines[0].lstrip()}"
            yield from lines[1:]
        else:
            yield head
            yield from lines


def _rich(value: Any) -> bool:
    """Worth lines of its own at the top of a file: what holds more than plain values."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return any(isinstance(part, (dict, list, tuple)) for part in parts)
