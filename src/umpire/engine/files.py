"""Files that people write (YAML or JSON): what is wrong with one is told with the file, the line and the field."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from umpire.errors import UmpireError

T = TypeVar("T")

LARGEST = 200_000
"""No file that a person writes has so many entries: a few lines of aliases may."""

_PLACE = re.compile(r"(.*) - at `\$(.*)`$")
_PART = re.compile(r"\.(\w+)|\[(\d+)\]|\[(\.\.\.)\]")


class Source:
    """A file as it was read: its data, and where in the file each part of it stands."""

    def __init__(self, path: Path, data: Any, nodes: Any) -> None:
        self.path = path
        self.data = data
        self.nodes = nodes

    def convert(self, kind: type[T], within: str = "") -> T:
        """The data, or one field of it, as a `kind`."""
        try:
            return msgspec.convert(self.data[within] if within else self.data, kind)
        except msgspec.ValidationError as error:
            raise self._located(error, within) from None

    def _located(self, error: msgspec.ValidationError, within: str) -> UmpireError:
        """The error with the line at which the field stands, as far as the file has it."""
        node = self.nodes
        match = _PLACE.match(str(error))
        what, where = match.groups() if match else (str(error), "")
        where = f".{within}{where}" if within else where
        for name, index, _ in _PART.findall(where):
            found = None
            if name and hasattr(node, "value") and isinstance(node.value, list):
                found = next(
                    (v for pair in node.value if isinstance(pair, tuple) for k, v in [pair] if k.value == name), None
                )
            elif index and isinstance(node.value, list) and int(index) < len(node.value):
                found = node.value[int(index)]
            if found is None:
                break
            node = found
        line = f":{node.start_mark.line + 1}" if node is not None else ""
        field = where.lstrip(".")
        if not field:
            return UmpireError(what, f"{self.path}{line}")
        return UmpireError(f"{what} (field {field})", f"{self.path}{line}", f"{what}（字段 {field}）")


def _size(node: Any, known: dict[int, int]) -> int:
    """How many entries a node has when every alias is written out; one that holds itself never ends."""
    if node is None or not isinstance(node.value, list):
        return 1
    if id(node) not in known:
        known[id(node)] = LARGEST + 1
        parts = (part for entry in node.value for part in (entry if isinstance(entry, tuple) else (entry,)))
        known[id(node)] = min(LARGEST + 1, 1 + sum(_size(part, known) for part in parts))
    return known[id(node)]


def read(path: str | Path) -> Source:
    """Read a file."""
    import yaml

    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UmpireError(f"cannot be read: {error.strerror}", str(path), f"无法读取：{error.strerror}") from None
    except UnicodeDecodeError:
        raise UmpireError("is not UTF-8 text", str(path), "不是 UTF-8 文本") from None
    try:
        nodes = yaml.compose(text, Loader=yaml.SafeLoader)
        if _size(nodes, {}) > LARGEST:
            raise UmpireError(
                f"has more than {LARGEST} entries, its aliases written out", str(path), f"展开别名后超过 {LARGEST} 项"
            )
        return Source(path, yaml.safe_load(text), nodes)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise UmpireError(getattr(error, "problem", None) or str(error), f"{path}{line}") from None
    except RecursionError:
        raise UmpireError("is nested too deeply", str(path), "嵌套过深") from None
