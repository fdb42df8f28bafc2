"""The one reader of YAML and JSON: what the text holds, and where in it each part stands. `files` tells people what is
wrong with theirs; the catalogues of sentences, which it speaks by, are read here.

No key stands twice in a mapping, aliases end, and words are words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

LARGEST = 200_000
"""Entries that a text may hold when its aliases are written out."""


class Document(NamedTuple):
    """The data of a document, and its nodes, which know their lines."""

    data: Any
    nodes: Any


class UnreadableError(Exception):
    """What is wrong with a text, and its line: a sentence of the catalogue; what Python says, where `key` is empty."""

    def __init__(self, key: str, line: int = 0, **facts: Any) -> None:
        super().__init__(facts.get("problem", key))
        self.key, self.line, self.facts = key, line, facts


def read(text: str, several: bool = False) -> list[Document]:
    """The document of a text; where there may be `several`, all of them."""
    import yaml  # only who reads a file pays for it

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        composed = list(yaml.compose_all(text, Loader=loader)) if several else [yaml.compose(text, Loader=loader)]
        if sum(_size(nodes, {}) for nodes in composed) > LARGEST:
            raise UnreadableError("error.file.large", most=LARGEST)
        return [_document(nodes, loader) for nodes in composed]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        key = "error.file.several" if "another document" in problem else "error.file.yaml"
        raise UnreadableError(key, mark.line + 1 if mark else 0, problem=problem) from None
    except (ValueError, OverflowError) as error:  # a date that is none, a number beyond all bounds
        raise UnreadableError("", problem=str(error)) from None
    except RecursionError:
        raise UnreadableError("error.file.deep") from None


def _document(nodes: Any, loader: Any) -> Document:
    second = _twice(nodes, set())
    if second is not None:
        raise UnreadableError("error.file.twice", second.start_mark.line + 1, name=second.value)
    _words(nodes, set())
    return Document(loader("").construct_document(nodes) if nodes is not None else None, nodes)


def _size(node: Any, known: dict[int, int]) -> int:
    """How many entries a node has when every alias is written out; one that holds itself never ends."""
    if node is None or not isinstance(node.value, list):
        return 1
    if id(node) not in known:
        known[id(node)] = LARGEST + 1
        parts = (part for entry in node.value for part in (entry if isinstance(entry, tuple) else (entry,)))
        known[id(node)] = min(LARGEST + 1, 1 + sum(_size(part, known) for part in parts))
    return known[id(node)]


def _twice(node: Any, seen: set[int]) -> Any:
    """A key that stands twice in one mapping: the second would silently replace the first."""
    if node is None or not isinstance(node.value, list) or id(node) in seen:
        return None
    seen.add(id(node))
    keys: set[str] = set()
    for part in node.value:
        if isinstance(part, tuple):
            if part[0].value in keys and part[0].value != "<<":
                return part[0]
            if isinstance(part[0].value, str):
                keys.add(part[0].value)
        found = _twice(part[1] if isinstance(part, tuple) else part, seen)
        if found is not None:
            return found
    return None


def _words(node: Any, seen: set[int], name: bool = False) -> None:
    """`off`, `on`, `yes` and `no` are words, as newer YAML has it, and as names of fields even `true` is one; what is
    so or not is said by `true` and `false`."""
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node.value, str):
        if node.tag == "tag:yaml.org,2002:bool" and (name or node.value.lower() not in ("true", "false")):
            node.tag = "tag:yaml.org,2002:str"
        return
    for part in node.value:
        key, value = part if isinstance(part, tuple) else (None, part)
        _words(key, seen, True)
        _words(value, seen)
