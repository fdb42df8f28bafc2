"""Messages that no client should send: garbage, wrong types, wrong times, wrong hands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from umpire.engine.rng import Rng

KINDS = [
    "answer", "check", "reach", "suggest", "hint", "measure", "undo", "takeback", "resign", "chat", "name",
]  # fmt: skip
FIELDS = ["id", "n", "answer", "from", "to", "accept", "text", "name", "type", "side", "token", "__class__", ""]
JUNK: list[Any] = [
    None, True, -1, 0, 1.5, 1e308, 2**53, 2**64, -(2**70), "", "x" * 600, "\u0000", "💥", "p0-0", "../../etc/passwd",
    "'; DROP TABLE answers; --", [], [[]], {}, {"x": 1}, {"x": 1e9, "y": -1e9}, {"path": []}, {"path": [{"x": "a"}]},
    {"models": {}}, {"models": {"p0-0": {"x": 1, "y": None}}}, {"stay": True}, list(range(50)), ["3", "3"],
]  # fmt: skip
RAW = [
    "", " ", "{", "}", "[]", "null", "0", '"answer"', "{}", '{"type":null}', '{"type":"answer"', "\x00\xff", "NaN",
    '{"type":"answer","id":1,"n":0,"answer":' + "[" * 3000 + "]" * 3000 + "}", "[" * 5000,
    '{"type":"answer","id":1,"n":0,"answer":NaN}', '{"type":"answer","id":1,"n":0,"answer":1e999}',
    '{"type":"answer","id":1,"n":0,"answer":' + "9" * 500 + "}", '{"type":"chat","text":"\\ud800"}',
    '{"type":"answer","id":1,"n":0,"answer":"1","answer":"2"}x',
]  # fmt: skip


def junk(rng: Rng, depth: int = 0) -> Any:
    kind = rng.below(8)
    if depth < 3 and kind == 0:
        return [junk(rng, depth + 1) for _ in range(rng.below(4))]
    if depth < 3 and kind == 1:
        return {str(rng.choice(FIELDS)): junk(rng, depth + 1) for _ in range(rng.below(4))}
    return rng.choice(JUNK)


def malformed(rng: Rng) -> str | bytes:
    """A message that is not one of the protocol's."""
    kind = rng.below(5)
    if kind == 0:
        return rng.choice(RAW)
    if kind == 1:
        return bytes(rng.below(256) for _ in range(rng.below(60)))
    if kind == 2:
        return json.dumps(junk(rng))
    good = json.dumps({"type": rng.choice(KINDS), "id": 1, "n": 0, "answer": junk(rng)})
    if kind == 3:  # a good one with a piece torn out; the brackets no longer match
        return good[: rng.below(len(good) - 1)]
    message = {"type": rng.choice([*KINDS, "Answer", "", "admin"]), "n": -1, "zzz": 1}
    return json.dumps(message | {str(rng.choice(FIELDS)): junk(rng) for _ in range(rng.below(4))})


def unauthorised(rng: Rng) -> str:
    """Well formed, from somebody who may not: a watcher, or a side that is not asked."""
    kind = rng.choice(["answer", "check", "reach", "suggest", "hint"])
    message: dict[str, Any] = {"type": kind, "id": rng.below(1000), "n": rng.below(100)}
    if kind in ("answer", "check"):
        message["answer"] = junk(rng)
    try:
        return json.dumps(message)
    except ValueError:
        return unauthorised(rng)


def stream(seed: int, count: int) -> Iterator[str | bytes]:
    rng = Rng(seed)
    for _ in range(count):
        yield malformed(rng) if rng.below(3) else unauthorised(rng)
