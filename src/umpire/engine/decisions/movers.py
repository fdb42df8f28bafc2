"""Movers: who judges a move or a placement, finds one for a wish, proposes some, and shows reach, way, ends and risk.

A game writes `read`, which makes a plan of an answer; everything that is asked about the answer afterwards comes from
that one plan. Answers are remembered by their bytes, so that `true` is never taken for `1`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from umpire.engine.decisions.asking import Ends, Json, Judge, Propose, Region, Route
from umpire.engine.decisions.forms import SPOT, Form, Spot, Way
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason

encode = msgspec.json.encode
KEPT = 256
"""So many plans are remembered."""


class Plan(Protocol):
    """What a mover reads in an answer; a game's own plan holds more: where the pieces go, what it costs."""

    @property
    def reasons(self) -> Sequence[Reason]:
        """Every reason against it."""


P = TypeVar("P", bound=Plan)


class Mover(Generic[P]):
    """Judges, finds and proposes answers to one question for a move or a placement.

    A game's mover has a `form` and writes `read` and `propose`; `nearest` where it can say what is legal instead of
    what was wished, `regions`, `route`, `ends` and `risk` where there is something to tell.
    """

    form: Form = SPOT

    def __init__(self) -> None:
        self._plans: dict[bytes, P] = {}

    # -- what a game writes ----------------------------------------------------------------------------------------

    def read(self, answer: Json) -> P:
        """Read an answer of the right form: every reason against it, and what would come of it."""
        raise NotImplementedError

    def propose(self, rng: Rng) -> Json:
        """An answer that somebody might give, most of the time a legal one; None where none comes to mind."""
        raise NotImplementedError

    def nearest(self, answer: Json) -> Json:
        """The legal answer that is nearest to an illegal one; None where there is none."""
        return None

    def regions(self) -> list[Region]:
        """Regions to draw while this is asked."""
        return []

    def route(self, answer: Json) -> Route:
        """The legs of everything that moves, by a legal answer."""
        return {}

    def ends(self, answer: Json) -> Ends:
        """Where every piece would stand after a legal answer."""
        return {key: legs[-1] for key, legs in self.route(answer).items() if legs}

    def spelt(self, answer: Json) -> Json:
        """A legal answer with its way spelt out leg by leg, so that somebody can go on from there."""
        return answer

    def begins(self) -> Ends:
        """Where the pieces stand when the question is put, where that is not where they are drawn."""
        return {}

    def risk(self, answer: Json) -> dict[str, Any] | None:
        """What a legal answer leaves to chance, in exact odds (`odds.telling`); None where nothing is."""
        return None

    @property
    def answered_by(self) -> tuple[Way, ...]:
        """What an answer may say. A mover whose form is long in the making tells it beforehand."""
        return self.form.ways

    # -- written once ----------------------------------------------------------------------------------------------

    def plan(self, answer: Json) -> P:
        """The plan of an answer, made once however often it is asked for."""
        key = encode(answer)
        found = self._plans.get(key)
        if found is None:
            found = self._keep(key, self.read(answer))
        return found

    def judge(self, answer: Json) -> list[Reason]:
        """Every reason against an answer."""
        return list(self.plan(answer).reasons)

    def fits(self, answer: Json) -> bool:
        """Does nothing stand against an answer? A mover that finds one reason sooner than all of them says so."""
        return not self.plan(answer).reasons

    def planned(self, answer: Json) -> bool:
        """Has a plan of this answer been made?"""
        return encode(answer) in self._plans

    def remember(self, answer: Json, plan: P) -> None:
        """A plan that was made on the way to an answer need not be made again."""
        self._keep(encode(answer), plan)

    def _keep(self, key: bytes, plan: P) -> P:
        if len(self._plans) >= KEPT:
            self._plans.clear()
        self._plans[key] = plan
        return plan


class Judgement(msgspec.Struct, frozen=True):
    """A plan that holds no more than the reasons against it."""

    reasons: Sequence[Reason]


class ByRule(Mover[Judgement]):
    """A mover made of functions, for questions that a rule puts in passing."""

    def __init__(
        self,
        judge: Judge,
        propose: Propose,
        nearest: Callable[[Json], Json] | None = None,
        regions: Callable[[], list[Region]] | None = None,
        route: Callable[[Json], Route] | None = None,
        ends: Callable[[Json], Ends] | None = None,
        form: Form = SPOT,
        fits: Callable[[Json], bool] | None = None,
    ) -> None:
        super().__init__()
        self.form = form
        self._judge, self._propose, self._nearest, self._fits = judge, propose, nearest, fits
        self._regions, self._route, self._ends = regions, route, ends

    def read(self, answer: Json) -> Judgement:
        return Judgement(self._judge(answer))

    def fits(self, answer: Json) -> bool:
        return self._fits(answer) if self._fits else super().fits(answer)

    def propose(self, rng: Rng) -> Json:
        return self._propose(rng)

    def nearest(self, answer: Json) -> Json:
        return self._nearest(answer) if self._nearest else None

    def regions(self) -> list[Region]:
        return self._regions() if self._regions else []

    def route(self, answer: Json) -> Route:
        return self._route(answer) if self._route else {}

    def ends(self, answer: Json) -> Ends:
        return self._ends(answer) if self._ends else super().ends(answer)


def furthest(most: float, back: float, fits: Callable[[float], bool], fine: float = 0.01) -> float | None:
    """Of a wish that can be shortened the greatest part that fits: first by steps `back` from the whole of it, then as
    finely as `fine`. None where no part does."""
    at = most
    while not fits(at):
        if at <= fine:
            return None
        at = max(fine, at - back)
    low, high = at, min(most, at + back)
    while high - low > fine:
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def spot(x: float, y: float, z: float | None = None, facing: float | None = None) -> Spot:
    """A spot for a form, rounded as answers are."""
    return Spot(
        round(x, 3),
        round(y, 3),
        msgspec.UNSET if z is None else round(z, 3),
        msgspec.UNSET if facing is None else round(facing, 3),
    )
