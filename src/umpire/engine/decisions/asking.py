"""A decision: one open question, with what is legal, why the rest is not, and legal answers to pick from.

Answers are JSON. A decision lives only while it is open; a fork asks it anew from the data.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

import msgspec

from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, Ruling, ruled
from umpire.text import Text

Judge: TypeAlias = Callable[[Any], list[Reason]]
Propose: TypeAlias = Callable[[Rng], Any]
Json: TypeAlias = Any

MAX_TRIES = 60


class Stretch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One leg of a way as an answer may write it, and with it where it ends, how deep it drops there, and what it costs
    in inches."""

    x: float
    y: float
    z: float = 0.0
    facing: float | None = None
    how: str = ""
    inches: float | None = None
    degrees: float | None = None
    drop: float = 0.0
    cost: float = 0.0


class Option(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that may be chosen: its id is the answer; `refs` are the pieces that should glow on the table.

    People think of a unit first and then of what it can do: `unit` is whose deed this is, `deed` what it is called
    without the unit's name. `drag`: taking hold of the unit and moving it is choosing this; `drop`: letting go of it on
    another is choosing this, with dice that cannot be taken back. `stands`: where pieces would then stand. `ends`: with
    this answer the phase, or what it asks about, is over for now; `passes`: what is offered is declined, and nothing
    else happens. `vain`: it may be done, and comes to nothing whatever the dice say.
    """

    id: str
    label: Text | dict[str, str] | None = None
    refs: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    data: dict[str, Any] = {}
    unit: str = ""
    deed: Text | dict[str, str] | None = None
    drag: bool = False
    drop: bool = False
    stands: dict[str, Stretch] = {}
    ends: bool = False
    passes: bool = False
    vain: bool = False


class Region(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the table to draw: polygons in inches at a height; `kind` says what they mean ("reach", "risk" …)."""

    kind: str
    polygons: tuple[tuple[tuple[float, float], ...], ...]
    z: float = 0.0
    label: Text | None = None


Route = dict[str, list[Stretch]]
"""The legs of every piece that moves; of a block by the unit's id, as the middle of its front goes."""
Ends = dict[str, Stretch]
"""The last legs of a route: where everything that moves ends."""


@functools.cache
def _text(key: str) -> Text:
    return Text(key)


def form_reason(key: str, rules: Sequence[str], **facts: Any) -> Reason:
    return Reason(rules[0] if rules else "", key, facts)


class Decision:
    """Who is asked, what, by which rules. Every kind answers `check`, `suggest`, `suggestions` and `schema`."""

    kind: ClassVar[str] = ""
    __slots__ = ("about", "data", "otherwise", "prompt", "rules", "salt", "side", "without")

    def __init__(
        self,
        side: int,
        prompt: str | Text,
        rules: tuple[str, ...] | str = (),
        about: str = "",
        data: dict[str, Any] | None = None,
    ) -> None:
        self.side = side
        self.prompt = prompt if type(prompt) is Text else _text(prompt)
        self.rules = (rules,) if isinstance(rules, str) else rules
        self.about = about
        self.data = data
        self.salt = 0
        self.without: tuple[str, ...] = ()
        self.otherwise: Callable[[Decision, str], list[Reason]] | None = None
        """What stands against something that is not offered, where the question itself cannot tell."""

    def ruled(self, reasons: list[Reason], nearest: Json = None) -> Ruling:
        """Legal if no rule that is in force stands against it."""
        if self.without:
            reasons = [reason for reason in reasons if reason.rule not in self.without]
        return ruled(reasons, nearest)

    def check(self, answer: Json) -> Ruling:
        """Is this answer legal? Nothing changes. Every reason against it is named, not just the first."""
        raise NotImplementedError

    def against(self, answer: Json) -> Sequence[Reason]:
        """Every reason against an answer, without looking for what is legal instead."""
        return self.check(answer).reasons

    def legal(self, answer: Json) -> bool:
        """Is this answer legal? Sooner told than by `check`, which also looks for what is legal instead."""
        return self.check(answer).legal

    def suggest(self, rng: Rng | None = None) -> Json:
        """One legal answer."""
        raise NotImplementedError

    def suggestions(self, rng: Rng | None = None, n: int = 8) -> list[Json]:
        """Up to n different legal answers."""
        rng = rng or Rng(self.salt)
        found: list[Json] = []
        for _ in range(2 * n):
            answer = self.suggest(rng)
            if answer not in found:
                found.append(answer)
                if len(found) == n:
                    break
        return found

    def reach(self) -> list[Region]:
        """Regions to draw while this is asked."""
        return []

    def route(self, answer: Json) -> Route:
        """The ways that pieces would go by a legal answer."""
        return {}

    def ends(self, answer: Json) -> Ends:
        """Where every piece that an answer places or moves would stand."""
        return {}

    def spelt(self, answer: Json) -> Json:
        """The same answer with its way spelt out, leg by leg, where a way was found for it."""
        return answer

    def whole(self, answer: Json) -> Json:
        """The same answer with what goes without saying said: what it may leave out where there is but one choice."""
        return answer

    def risk(self, answer: Json) -> dict[str, Any] | None:
        """What a legal answer leaves to chance, where the question itself can tell."""
        return None

    def schema(self) -> dict[str, Any]:
        """The JSON Schema that every legal answer fits."""
        raise NotImplementedError

    def details(self) -> dict[str, Any]:
        """What a client needs besides who, what and why."""
        return {}

    def wire(self) -> dict[str, Any]:
        """The decision as plain data for a client."""
        return {
            "kind": self.kind,
            "side": self.side,
            "prompt": {"key": self.prompt.key, "args": self.prompt.args},
            "rules": list(self.rules),
            "about": self.about,
            **({"data": self.data} if self.data else {}),
            **self.details(),
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}(side={self.side}, prompt={self.prompt.key!r}, rules={self.rules})"
