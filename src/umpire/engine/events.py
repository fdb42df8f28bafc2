"""Events: what happened, in facts, with the rules that made it so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from umpire.engine.dice import Roll


class Event(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One thing that happened. `seen` names the sides that may know of it; None means everybody."""

    kind: str
    rules: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    roll: Roll | None = None
    seen: tuple[int, ...] | None = None


class Outcome(msgspec.Struct, frozen=True):
    """How a battle ended: the winning side (None: a draw), the score of each side, and the rules that decided."""

    winner: int | None
    score: tuple[float, ...] = ()
    rules: tuple[str, ...] = ()
    key: str = "outcome"
    facts: dict[str, Any] = {}


def thrown(events: Iterable[Event]) -> Iterator[int]:
    """The faces that fell in these events, in their order."""
    before: list[int] = []
    for event in events:
        roll = event.roll
        if roll is None:
            continue
        if event.kind == "reroll":
            earlier = before if len(before) == len(roll.faces) else [0] * len(roll.faces)
            yield from (face for face, first, was in zip(roll.faces, roll.first, earlier, strict=True) if first != was)
        else:
            yield from roll.faces
        before = roll.first
