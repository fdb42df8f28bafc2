"""Rulings: legal, or illegal with every reason; each reason is a rule and the measured facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from umpire.errors import UmpireError
from umpire.rulebook.proving import PROVING
from umpire.text import Text

if TYPE_CHECKING:
    from umpire.engine.state import State


class Reason(msgspec.Struct, frozen=True):
    """Why something is forbidden: the rule, the facts measured, and the sentence that says so."""

    rule: str
    key: str = ""
    facts: dict[str, Any] = {}
    at: str = ""
    """The part of an answer that it stands against, where the answer has parts."""

    @property
    def text(self) -> Text:
        return Text(self.key or f"reason.{self.rule}", self.facts)


class Ruling(msgspec.Struct, frozen=True):
    """The umpire's word on an answer. `nearest` is the closest legal answer, where one was found."""

    legal: bool
    reasons: tuple[Reason, ...] = ()
    nearest: Any = None
    odds: dict[str, Any] | None = None
    """What a deed that was wished for would probably bring, as `battle.odds` tells it."""

    def __bool__(self) -> bool:
        return self.legal

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(reason.rule for reason in self.reasons))

    def __str__(self) -> str:
        if self.legal:
            return "legal"
        return "; ".join(f"{r.rule} {r.facts}" if r.facts else r.rule for r in self.reasons)


LEGAL = Ruling(True)


def standing(state: State, reasons: Iterable[Reason]) -> Iterator[Reason]:
    """The reasons that count in this battle: those of rules that are switched off do not.

    What a player may choose is `next(standing(state, objections(…)), None) is None`; the open question's own judge and
    refusals are filtered by the engine.
    """
    without = state.without
    return (reason for reason in reasons if reason.rule not in without) if without else iter(reasons)


def in_force(reasons: Iterable[Reason], without: Iterable[str] = ()) -> list[Reason]:
    """The same for an army list, which is judged before there is a battle: `without` are the rules of its set-up."""
    off = (*without, *PROVING)
    return [reason for reason in reasons if reason.rule not in off]


def applies(rule: str, without: Iterable[str] = ()) -> bool:
    """Is a rule in force where there is no state to ask (`State.applies`)?"""
    return rule not in PROVING and rule not in without


def ruled(reasons: list[Reason], nearest: Any = None) -> Ruling:
    """Legal if there is no reason against it."""
    return Ruling(False, tuple(reasons), nearest) if reasons else LEGAL


class Refused(UmpireError):  # noqa: N818 - the umpire's word
    """An answer was illegal; nothing has changed."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__(str(ruling))
        self.ruling = ruling

    def __reduce__(self) -> tuple[type[Refused], tuple[Ruling]]:
        return Refused, (self.ruling,)
