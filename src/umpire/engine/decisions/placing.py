"""Questions whose answers cannot be listed: where to stand, which way to go, where to face."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

import msgspec

from umpire.engine.decisions.asking import (
    MAX_TRIES,
    Decision,
    Ends,
    Json,
    Judge,
    Propose,
    Region,
    Route,
    Stretch,
    form_reason,
)
from umpire.engine.decisions.forms import MOVE, PLACE, SPOT, Form, Moved, Placed, moved_ok, number_ok, placed_ok, way_of
from umpire.engine.decisions.movers import ByRule, Mover, encode
from umpire.engine.rng import Rng
from umpire.engine.rulings import LEGAL, Reason, Ruling, ruled
from umpire.text import Text


class Judged(Decision):
    """A question whose answers cannot be listed: a mover judges and proposes (unless a `propose` of its own is
    handed in). A rule that asks in passing hands in functions instead of a mover."""

    plain: ClassVar[Form] = SPOT
    __slots__ = ("_default", "_fine", "mover", "propose")

    def __init__(
        self,
        side: int,
        prompt: str | Text,
        judge: Judge | Mover[Any],
        propose: Propose | None = None,
        rules: tuple[str, ...] | str = (),
        about: str = "",
        default: Json | Callable[[], Json] = None,
        nearest: Callable[[Json], Json] | None = None,
        regions: Callable[[], list[Region]] | None = None,
        data: dict[str, Any] | None = None,
        walked: Callable[[Json], Route] | None = None,
        ends: Callable[[Json], Ends] | None = None,
        form: Form | None = None,
    ) -> None:
        super().__init__(side, prompt, rules, about, data)
        self._default = default
        self._fine: bytes | None = None
        """The answer that was last found legal: what has been suggested is mostly answered next."""
        if isinstance(judge, Mover):
            self.mover: Mover[Any] = judge
        else:
            assert propose is not None
            self.mover = ByRule(judge, propose, nearest, regions, walked, ends, form or self.plain)
        self.propose: Propose = propose or self.mover.propose

    @property
    def default(self) -> Json:
        """What is answered where nothing better is thought of; a function finds it when it is first wanted."""
        if callable(self._default):
            self._default = self._default()
        return self._default

    @default.setter
    def default(self, answer: Json | Callable[[], Json]) -> None:
        self._default = answer

    @property
    def form(self) -> Form:
        """How this question is answered."""
        return self.mover.form

    def judge(self, answer: Json) -> list[Reason]:
        return self.mover.judge(answer)

    def check(self, answer: Json) -> Ruling:
        if self._fine is not None and coded(answer) == self._fine:
            return LEGAL
        problem = self.malformed(answer)
        if problem is not None:
            return ruled([problem])
        ruling = self.ruled(self.mover.judge(answer))
        return ruling if ruling.legal else ruled(list(ruling.reasons), self.nearest(answer))

    def against(self, answer: Json) -> Sequence[Reason]:
        problem = self.malformed(answer)
        return self.ruled(self.judge(answer)).reasons if problem is None else (problem,)

    def legal(self, answer: Json) -> bool:
        if self.malformed(answer) is not None:
            return False
        if not (self.ruled(self.mover.judge(answer)).legal if self.without else self.mover.fits(answer)):
            return False
        self._fine = coded(answer)
        return True

    def malformed(self, answer: Json) -> Reason | None:
        """Why this is no answer of the right form at all."""
        raise NotImplementedError

    def nearest(self, answer: Json) -> Json:
        """What is legal and nearest to a wish that is not."""
        found = self.mover.nearest(answer)
        placed = isinstance(answer, dict) and way_of(answer) == "spot"  # a facing is a number
        return self._beside(answer) if found is None and placed else found

    def _beside(self, answer: Json) -> Json:
        """A legal place about one that is not, where the mover knows none: of the first ring of tries with a legal one,
        drawn towards the wish as far as it goes, straight and a little aside; else where it was put."""

        def at(turn: float, far: float) -> Json:
            x, y = answer["x"] + math.sin(turn) * far, answer["y"] + math.cos(turn) * far
            return {**answer, "x": round(x, 3), "y": round(y, 3)}

        every = [k * math.pi / 8 for k in range(16)]
        tries = ((low, high, [turn for turn in every if self.legal(at(turn, high))]) for low, high in pairwise(RINGS))
        least, most, turns = next((found for found in tries if found[2]), (0.0, 0.0, []))
        if not turns:
            return self.default
        while most - least > FINE:
            half = (least + most) / 2
            nearer = [turn for turn in turns if self.legal(at(turn, half))]
            if nearer:
                turns, most = nearer, half
            else:
                least = half
        turn, aside = turns[0], math.pi / 16
        while aside > ASIDE:
            for other in (turn - aside, turn + aside):
                while most > GAIN and self.legal(at(other, most - GAIN)):
                    turn, most = other, self._drawn(partial(at, other), most - GAIN)
            aside /= 2
        return at(turn, most)

    def _drawn(self, at: Callable[[float], Json], most: float) -> float:
        """How near to the wish, in one direction, it is legal still."""
        least = 0.0
        while most - least > FINE:
            half = (least + most) / 2
            least, most = (least, half) if self.legal(at(half)) else (half, most)
        return most

    def suggest(self, rng: Rng | None = None) -> Json:
        rng = rng or Rng(self.salt)
        for _ in range(MAX_TRIES):
            answer = self.propose(rng)
            if answer is not None and self.legal(answer):
                return answer
        if self.default is not None:
            return self.default
        raise RuntimeError(f"no legal answer found for {self!r}")

    def reach(self) -> list[Region]:
        return self.mover.regions()

    def route(self, answer: Json) -> Route:
        return {key: legs for key, legs in self.mover.route(answer).items() if legs}

    def ends(self, answer: Json) -> Ends:
        return self.mover.ends(answer)

    def spelt(self, answer: Json) -> Json:
        return self.mover.spelt(answer)

    def lead(self, answer: Json) -> Stretch | None:
        """What leads the pieces, where it would be: the place that was wished for, the middle of a block's front, the
        piece itself, or the middle of all."""
        spot = answer if "x" in answer else answer.get("to", {})
        if "x" in spot:
            return Stretch(x=spot["x"], y=spot["y"], z=spot.get("z", 0.0), facing=spot.get("facing"))
        legs = self.route(answer).get(self.about)
        return legs[-1] if legs else middle(self.ends(answer))

    def risk(self, answer: Json) -> dict[str, Any] | None:
        return self.mover.risk(answer)

    def details(self) -> dict[str, Any]:
        told = {"form": msgspec.to_builtins(self.form)}
        return told if self.default is None else {**told, "default": self.default}


def coded(answer: Json) -> bytes | None:
    """An answer as bytes, by which `true` is not taken for `1`; None where it is no JSON at all."""
    try:
        return encode(answer)
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        return None


def middle(ends: Ends) -> Stretch | None:
    """The middle of all pieces; one piece with its facing."""
    if len(ends) < 2:
        return next(iter(ends.values()), None)
    n = len(ends)
    return Stretch(
        x=round(math.fsum(end.x for end in ends.values()) / n, 3),
        y=round(math.fsum(end.y for end in ends.values()) / n, 3),
        z=round(math.fsum(end.z for end in ends.values()) / n, 3),
    )


def _schema(kind: type[Any]) -> dict[str, Any]:
    return msgspec.json.schema(kind)


RINGS = (0.0, 0.05, 0.15, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)
FINE = 0.001
GAIN = 0.004
"""What is nearer by less is not looked for."""
ASIDE = math.radians(0.5)


class Place(Judged):
    """Put a piece, or the pieces of a unit, somewhere: `forms.Placed`."""

    kind = "place"
    plain = PLACE
    __slots__ = ()

    def ends(self, answer: Json) -> Ends:
        found = self.mover.ends(answer)
        if found or not isinstance(answer, dict):
            return found
        one = self.form.pieces or (self.about,)
        spots = answer.get("models") or ({one[0]: answer} if len(one) == 1 and one[0] else {})
        return {
            key: Stretch(x=spot["x"], y=spot["y"], z=spot.get("z", 0.0), facing=spot.get("facing"))
            for key, spot in spots.items()
        }

    def malformed(self, answer: Json) -> Reason | None:
        good = placed_ok(answer) and way_of(answer) in self.mover.answered_by
        return None if good else form_reason("reason.form.place", self.rules, ways=list(self.form.ways))

    def schema(self) -> dict[str, Any]:
        return _schema(Placed)


class Move(Judged):
    """Move a piece or a unit: `forms.Moved`."""

    kind = "move"
    plain = MOVE
    __slots__ = ()

    def malformed(self, answer: Json) -> Reason | None:
        good = moved_ok(answer) and way_of(answer) in self.mover.answered_by
        return None if good else form_reason("reason.form.move", self.rules, ways=list(self.form.ways))

    def schema(self) -> dict[str, Any]:
        return _schema(Moved)


class Face(Judged):
    """Turn a piece: an angle in degrees, 0 towards the far edge, clockwise."""

    kind = "face"
    __slots__ = ()

    def malformed(self, answer: Json) -> Reason | None:
        return None if number_ok(answer) else form_reason("reason.form.number", self.rules)

    def schema(self) -> dict[str, Any]:
        return {"type": "number"}
