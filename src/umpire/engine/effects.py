"""Effects: the one way for a rule to change a number or forbid a thing.

An effect says on whom, what it changes, how, where it comes from and until when. A game declares the order in which the
operations apply (`Order`) and asks for a number with `number(...)`, which answers with every step of how it came about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    from umpire.engine.state import State

Op = Literal["set", "multiply", "add", "minimum", "cap", "forbid"]
Order = tuple[Op, ...]

STANDARD: Order = ("set", "multiply", "add", "minimum", "cap")


class Effect(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One change in force.

    `on` is a model, unit or side (any id a game uses); `what` a characteristic, roll or deed; `until` one of the
    game's periods ("phase", "turn", "round", "battle", "attack"), and `owner` whose period it is (-1: anyone's).
    Two effects with the same `source` and the same `what` do not stack unless `stacks`.
    """

    on: str
    what: str
    op: Op
    value: float = 0
    rule: str = ""
    source: str = ""
    until: str = "battle"
    owner: int = -1
    stacks: bool = False
    data: dict[str, Any] = {}

    def __post_init__(self) -> None:
        # Whole numbers too are kept as they will be read back, so that a saved battle equals the one it was.
        if type(self.value) is int:
            msgspec.structs.force_setattr(self, "value", float(self.value))


class Change(msgspec.Struct, frozen=True):
    """One step of a number: what changed it, how, and what it was then."""

    op: str
    value: float
    rule: str
    source: str
    result: float


class Number(msgspec.Struct, frozen=True):
    """A number and how it came about: base 3, +1 cover, total 4."""

    base: float
    total: float
    changes: tuple[Change, ...] = ()

    def __int__(self) -> int:
        return int(self.total)

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(change.rule for change in self.changes if change.rule))


def on(state: State, who: str, what: str) -> list[Effect]:
    """The effects in force on somebody's characteristic or deed, oldest first."""
    return [e for e in state.effects if e.what == what and e.on == who and e.rule not in state.without]


def number(
    state: State,
    who: str | Sequence[str],
    what: str,
    base: float,
    extra: Iterable[Effect] = (),
    order: Order = STANDARD,
) -> Number:
    """The value of a characteristic now: base, then every effect in the game's order, each source once."""
    whom = (who,) if isinstance(who, str) else who
    found = [e for e in state.effects if e.what == what and e.on in whom]
    found.extend(extra)
    if state.without:
        found = [e for e in found if e.rule not in state.without]
    if not found:
        return Number(base, base)
    total = base
    changes: list[Change] = []
    seen: list[tuple[str, Op]] = []
    for op in order:
        for effect in found:
            if effect.op != op:
                continue
            mark = (effect.source or effect.rule, op)
            if not effect.stacks and mark[0]:
                if mark in seen:
                    continue
                seen.append(mark)
            before, total = total, _apply(op, total, effect.value)
            if total != before or op in ("set", "multiply", "add"):
                changes.append(Change(op, effect.value, effect.rule, effect.source, total))
    return Number(base, total, tuple(changes))


def _apply(op: Op, total: float, value: float) -> float:
    match op:
        case "set":
            return value
        case "multiply":
            return total * value
        case "add":
            return total + value
        case "minimum":
            return max(total, value)
        case "cap":
            return min(total, value)
        case _:
            return total


def forbids(state: State, who: str | Sequence[str], what: str) -> list[Effect]:
    """The effects that forbid somebody a deed now."""
    whom = (who,) if isinstance(who, str) else who
    return [
        e for e in state.effects if e.op == "forbid" and e.what == what and e.on in whom and e.rule not in state.without
    ]


def add(state: State, effect: Effect) -> None:
    """Put an effect in force; the same effect from the same source replaces itself instead of doubling."""
    if not effect.stacks:
        state.effects = [e for e in state.effects if not _same(e, effect)]
    state.effects.append(effect)


def _same(a: Effect, b: Effect) -> bool:
    return (a.on, a.what, a.op, a.source, a.rule) == (b.on, b.what, b.op, b.source, b.rule)


def end(state: State, period: str, owner: int | None = None) -> list[Effect]:
    """A period ends: its effects stop. With `owner`, only that side's and nobody's."""
    ended = [e for e in state.effects if e.until == period and (owner is None or e.owner in (-1, owner))]
    if ended:
        state.effects = [e for e in state.effects if e not in ended]
    return ended


def drop(state: State, who: str) -> None:
    """Somebody leaves the battle: nothing is in force on them any more."""
    state.effects = [e for e in state.effects if e.on != who]
