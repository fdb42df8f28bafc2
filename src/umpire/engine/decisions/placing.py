"""Questions whose answers cannot be listed: where to stand, which way to go, where to face."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from umpire.engine.decisions.asking import MAX_TRIES, Decision, Json, Judge, Propose, Region, Route, form_reason
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, Ruling, ruled
from umpire.text import Text


class Judged(Decision):
    """A question whose answers cannot be listed: a judge says what is legal, a proposer invents legal answers."""

    __slots__ = ("default", "judge", "nearest", "propose", "regions", "walked")

    def __init__(
        self,
        side: int,
        prompt: str | Text,
        judge: Judge,
        propose: Propose,
        rules: tuple[str, ...] | str = (),
        about: str = "",
        default: Json = None,
        nearest: Callable[[Json], Json] | None = None,
        regions: Callable[[], list[Region]] | None = None,
        data: dict[str, Any] | None = None,
        walked: Callable[[Json], Route] | None = None,
    ) -> None:
        super().__init__(side, prompt, rules, about, data)
        self.judge = judge
        self.propose = propose
        self.default = default
        self.nearest = nearest
        self.regions = regions
        self.walked = walked

    def check(self, answer: Json) -> Ruling:
        problem = self.form(answer)
        if problem is not None:
            return ruled([problem])
        ruling = self.ruled(self.judge(answer))
        if ruling.legal or self.nearest is None:
            return ruling
        return ruled(list(ruling.reasons), self.nearest(answer))

    def legal(self, answer: Json) -> bool:
        return self.form(answer) is None and self.ruled(self.judge(answer)).legal

    def form(self, answer: Json) -> Reason | None:
        """Is the answer of the right form at all?"""
        raise NotImplementedError

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
        return self.regions() if self.regions else []

    def route(self, answer: Json) -> Route:
        return {key: legs for key, legs in self.walked(answer).items() if legs} if self.walked else {}

    def details(self) -> dict[str, Any]:
        return {} if self.default is None else {"default": self.default}


_NUMBER: dict[str, Any] = {"type": "number"}


def number_ok(value: Any) -> bool:
    """A finite number, and not a truth value."""
    return type(value) in (int, float) and -1e6 < value < 1e6


RINGS = (0.05, 0.15, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)
RING = tuple((math.sin(k * math.pi / 8), math.cos(k * math.pi / 8)) for k in range(16))


class Place(Judged):
    """Put a piece, or the pieces of a unit, somewhere: {"x", "y", "z"?, "facing"?} or {"models": {id: place}}."""

    kind = "place"
    __slots__ = ()

    def check(self, answer: Json) -> Ruling:
        ruling = super().check(answer)
        if ruling.legal or self.nearest is not None or not _spot(answer) or self.form(answer) is not None:
            return ruling
        return ruled(list(ruling.reasons), self.beside(answer))

    def beside(self, answer: Json) -> Json:
        """The nearest legal place about one that is not, as far as rings of tries find it; else where it was put."""
        for far in RINGS:
            for s, c in RING:
                wish = {**answer, "x": round(answer["x"] + s * far, 3), "y": round(answer["y"] + c * far, 3)}
                if self.legal(wish):
                    return wish
        return self.default

    def form(self, answer: Json) -> Reason | None:
        if not isinstance(answer, dict):
            return form_reason("reason.form.place", self.rules)
        if "models" in answer:
            models = answer["models"]
            if not isinstance(models, dict) or not models or not all(_spot(spot) for spot in models.values()):
                return form_reason("reason.form.place", self.rules)
            return None
        return None if _spot(answer) else form_reason("reason.form.place", self.rules)

    def schema(self) -> dict[str, Any]:
        spot = {
            "type": "object",
            "properties": {"x": _NUMBER, "y": _NUMBER, "z": _NUMBER, "facing": _NUMBER},
            "required": ["x", "y"],
        }
        units = {"type": "object", "properties": {"models": {"type": "object", "additionalProperties": spot}}}
        return {"anyOf": [spot, {**units, "required": ["models"]}]}


def _spot(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and "x" in value
        and "y" in value
        and all(number_ok(v) for k, v in value.items() if k in ("x", "y", "z", "facing"))
    )


class Move(Judged):
    """Move a piece or a unit. {"path": [leg, …]}: each leg {"x", "y", "z"?, "facing"?, "how"?} or a manoeuvre of the
    game ({"how": "wheel", …}); or {"models": {id: place}} for loose units; or {"stay": true}."""

    kind = "move"
    __slots__ = ()

    def form(self, answer: Json) -> Reason | None:
        if not isinstance(answer, dict) or not answer:
            return form_reason("reason.form.move", self.rules)
        if "path" in answer:
            path = answer["path"]
            if not isinstance(path, list) or len(path) > 64:
                return form_reason("reason.form.move", self.rules)
            for leg in path:
                if type(leg) is not dict or not _plain(leg.values()):
                    return form_reason("reason.form.move", self.rules)
        if "models" in answer:
            models = answer["models"]
            if not isinstance(models, dict) or not all(_spot(spot) for spot in models.values()):
                return form_reason("reason.form.move", self.rules)
        return None

    def schema(self) -> dict[str, Any]:
        leg = {"type": "object", "properties": {"x": _NUMBER, "y": _NUMBER, "z": _NUMBER, "facing": _NUMBER}}
        return {
            "type": "object",
            "properties": {
                "path": {"type": "array", "items": leg, "maxItems": 64},
                "models": {"type": "object", "additionalProperties": {**leg, "required": ["x", "y"]}},
                "stay": {"type": "boolean"},
            },
            "minProperties": 1,
        }


def _plain(values: Iterable[Any]) -> bool:
    """Nothing but finite numbers, words, truth values and nulls."""
    for value in values:
        kind = type(value)
        if kind is float or kind is int:
            if not -1e6 < value < 1e6:
                return False
        elif not (kind is str or kind is bool or value is None):
            return False
    return True


class Face(Judged):
    """Turn a piece: an angle in degrees, 0 towards the far edge, clockwise."""

    kind = "face"
    __slots__ = ()

    def form(self, answer: Json) -> Reason | None:
        return None if number_ok(answer) else form_reason("reason.form.number", self.rules)

    def schema(self) -> dict[str, Any]:
        return _NUMBER
