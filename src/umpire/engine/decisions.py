"""Decisions: one open question each, with what is legal, why the rest is not, and legal answers to pick from.

Answers are JSON. A decision lives only while it is open; a fork asks it anew from the data.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import msgspec

from umpire.engine.rng import Rng
from umpire.engine.rulings import LEGAL, Reason, Ruling, ruled
from umpire.text import Text

Judge: TypeAlias = Callable[[Any], list[Reason]]
Propose: TypeAlias = Callable[[Rng], Any]
Json: TypeAlias = Any

MAX_TRIES = 60


class Option(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that may be chosen: its id is the answer; `refs` are the pieces that should glow on the table."""

    id: str
    label: Text | dict[str, str] | None = None
    refs: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    data: dict[str, Any] = {}


class Region(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the table to draw: polygons in inches at a height; `kind` says what they mean ("reach", "risk" …)."""

    kind: str
    polygons: tuple[tuple[tuple[float, float], ...], ...]
    z: float = 0.0
    label: Text | None = None


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


Route = dict[str, list[Stretch]]
"""The legs of every piece that moves; of a block by the unit's id, as the middle of its front goes."""
Ends = dict[str, Stretch]
"""The last legs of a route: where everything that moves ends."""


@functools.cache
def _text(key: str) -> Text:
    return Text(key)


def _form(key: str, rules: Sequence[str], **facts: Any) -> Reason:
    return Reason(rules[0] if rules else "", key, facts)


class Decision:
    """Who is asked, what, by which rules. Every kind answers `check`, `suggest`, `suggestions` and `schema`."""

    kind: ClassVar[str] = ""
    __slots__ = ("about", "data", "prompt", "rules", "salt", "side")

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

    def check(self, answer: Json) -> Ruling:
        """Is this answer legal? Nothing changes. Every reason against it is named, not just the first."""
        raise NotImplementedError

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


def _options(items: Sequence[Option | str]) -> dict[str, Option]:
    found: dict[str, Option] = {}
    for item in items:
        if type(item) is str:
            found[item] = Option(item)
        else:
            assert isinstance(item, Option)
            found[item.id] = item
    return found


def _option_wire(option: Option) -> dict[str, Any]:
    return dict(msgspec.to_builtins(option))


class Choose(Decision):
    """Choose one. `refuse` explains wishes that a player might have but the rules forbid; `propose` picks what to
    suggest where some options are likelier than others."""

    kind = "choose"
    __slots__ = ("options", "propose", "refuse")

    def __init__(
        self,
        side: int,
        prompt: str | Text,
        options: Sequence[Option | str],
        rules: tuple[str, ...] | str = (),
        about: str = "",
        refuse: Judge | Mapping[str, list[Reason]] | None = None,
        data: dict[str, Any] | None = None,
        propose: Propose | None = None,
    ) -> None:
        super().__init__(side, prompt, rules, about, data)
        self.options = _options(options)
        self.refuse = refuse
        self.propose = propose

    def check(self, answer: Json) -> Ruling:
        if type(answer) is not str:
            return ruled([_form("reason.form.choice", self.rules, answer=repr(answer)[:80])])
        if answer in self.options:
            return LEGAL
        reasons: list[Reason] = []
        if callable(self.refuse):
            reasons = self.refuse(answer)
        elif self.refuse is not None:
            reasons = list(self.refuse.get(answer, ()))
        return ruled(reasons or [_form("reason.form.not-offered", self.rules, answer=answer[:80])])

    def suggest(self, rng: Rng | None = None) -> Json:
        rng = rng or Rng(self.salt)
        if self.propose is not None:
            answer = self.propose(rng)
            if answer in self.options:
                return answer
        options = list(self.options)
        return options[rng.below(len(options))]

    def suggestions(self, rng: Rng | None = None, n: int = 8) -> list[Json]:
        options = list(self.options)
        return options if len(options) <= n else (rng or Rng(self.salt)).sample(options, n)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.options)}

    def details(self) -> dict[str, Any]:
        wire: dict[str, Any] = {"options": [_option_wire(option) for option in self.options.values()]}
        if isinstance(self.refuse, Mapping):
            wire["refused"] = {k: [msgspec.to_builtins(reason) for reason in v] for k, v in self.refuse.items()}
        return wire


class ChooseSeveral(Decision):
    """Choose between `least` and `most` of the options, none twice; `judge` may forbid combinations."""

    kind = "choose-several"
    __slots__ = ("judge", "least", "most", "options", "propose")

    def __init__(
        self,
        side: int,
        prompt: str | Text,
        options: Sequence[Option | str],
        least: int = 0,
        most: int | None = None,
        rules: tuple[str, ...] | str = (),
        about: str = "",
        judge: Judge | None = None,
        propose: Propose | None = None,
        data: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(side, prompt, rules, about, data)
        self.options = _options(options)
        self.least = least
        self.most = len(self.options) if most is None else most
        self.judge = judge
        self.propose = propose

    def check(self, answer: Json) -> Ruling:
        if not isinstance(answer, list) or not all(type(item) is str for item in answer):
            return ruled([_form("reason.form.list", self.rules)])
        unknown = [item[:80] for item in answer if item not in self.options]
        if unknown:
            return ruled([_form("reason.form.not-offered", self.rules, answer=unknown)])
        reasons: list[Reason] = []
        if len(set(answer)) < len(answer):
            reasons.append(_form("reason.form.twice", self.rules))
        if not self.least <= len(answer) <= self.most:
            reasons.append(
                _form("reason.form.how-many", self.rules, chosen=len(answer), least=self.least, most=self.most)
            )
        if not reasons and self.judge is not None:
            reasons = self.judge(answer)
        return ruled(reasons)

    def suggest(self, rng: Rng | None = None) -> Json:
        rng = rng or Rng(self.salt)
        options = list(self.options)
        for _ in range(MAX_TRIES):
            if self.propose is not None:
                answer = self.propose(rng)
            else:
                answer = rng.sample(options, rng.between(self.least, min(self.most, len(options))))
            if self.check(answer):
                return answer
        for answer in (options[: self.least], options[: self.most]):
            if self.check(answer):
                return answer
        raise RuntimeError(f"no legal answer found for {self!r}")

    def schema(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": {"type": "string", "enum": list(self.options)},
            "minItems": self.least,
            "maxItems": self.most,
            "uniqueItems": True,
        }

    def details(self) -> dict[str, Any]:
        return {
            "options": [_option_wire(option) for option in self.options.values()],
            "least": self.least,
            "most": self.most,
        }


class _Judged(Decision):
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
        reasons = self.judge(answer)
        if not reasons:
            return LEGAL
        return ruled(reasons, self.nearest(answer) if self.nearest else None)

    def form(self, answer: Json) -> Reason | None:
        """Is the answer of the right form at all?"""
        raise NotImplementedError

    def suggest(self, rng: Rng | None = None) -> Json:
        rng = rng or Rng(self.salt)
        for _ in range(MAX_TRIES):
            answer = self.propose(rng)
            if answer is not None and self.form(answer) is None and not self.judge(answer):
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


class Place(_Judged):
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
                if not self.judge(wish):
                    return wish
        return self.default

    def form(self, answer: Json) -> Reason | None:
        if not isinstance(answer, dict):
            return _form("reason.form.place", self.rules)
        if "models" in answer:
            models = answer["models"]
            if not isinstance(models, dict) or not models or not all(_spot(spot) for spot in models.values()):
                return _form("reason.form.place", self.rules)
            return None
        return None if _spot(answer) else _form("reason.form.place", self.rules)

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


class Move(_Judged):
    """Move a piece or a unit. {"path": [leg, …]}: each leg {"x", "y", "z"?, "facing"?, "how"?} or a manoeuvre of the
    game ({"how": "wheel", …}); or {"models": {id: place}} for loose units; or {"stay": true}."""

    kind = "move"
    __slots__ = ()

    def form(self, answer: Json) -> Reason | None:
        if not isinstance(answer, dict) or not answer:
            return _form("reason.form.move", self.rules)
        if "path" in answer:
            path = answer["path"]
            if not isinstance(path, list) or len(path) > 64:
                return _form("reason.form.move", self.rules)
            for leg in path:
                if type(leg) is not dict or not _plain(leg.values()):
                    return _form("reason.form.move", self.rules)
        if "models" in answer:
            models = answer["models"]
            if not isinstance(models, dict) or not all(_spot(spot) for spot in models.values()):
                return _form("reason.form.move", self.rules)
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


class Face(_Judged):
    """Turn a piece: an angle in degrees, 0 towards the far edge, clockwise."""

    kind = "face"
    __slots__ = ()

    def form(self, answer: Json) -> Reason | None:
        return None if number_ok(answer) else _form("reason.form.number", self.rules)

    def schema(self) -> dict[str, Any]:
        return _NUMBER


class Order(Decision):
    """Put all of these in order, first to last."""

    kind = "order"
    __slots__ = ("judge", "options")

    def __init__(
        self,
        side: int,
        prompt: str | Text,
        options: Sequence[Option | str],
        rules: tuple[str, ...] | str = (),
        about: str = "",
        judge: Judge | None = None,
        data: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(side, prompt, rules, about, data)
        self.options = _options(options)
        self.judge = judge

    def check(self, answer: Json) -> Ruling:
        if not isinstance(answer, list) or not all(type(item) is str for item in answer):
            return ruled([_form("reason.form.list", self.rules)])
        if sorted(answer) != sorted(self.options):
            return ruled([_form("reason.form.order", self.rules)])
        return ruled(self.judge(answer)) if self.judge else LEGAL

    def suggest(self, rng: Rng | None = None) -> Json:
        rng = rng or Rng(self.salt)
        for _ in range(MAX_TRIES):
            answer = rng.shuffled(list(self.options))
            if self.check(answer):
                return answer
        if self.check(list(self.options)):
            return list(self.options)
        raise RuntimeError(f"no legal answer found for {self!r}")

    def schema(self) -> dict[str, Any]:
        n = len(self.options)
        items = {"type": "string", "enum": list(self.options)}
        return {"type": "array", "items": items, "minItems": n, "maxItems": n, "uniqueItems": True}

    def details(self) -> dict[str, Any]:
        return {"options": [_option_wire(option) for option in self.options.values()]}


class Split(Decision):
    """Divide a number among some parts: {part: share}; shares lie within each part's bounds and add up to `total`."""

    kind = "split"
    __slots__ = ("judge", "parts", "propose", "total")

    def __init__(
        self,
        side: int,
        prompt: str | Text,
        total: int,
        parts: Mapping[str, tuple[int, int]],
        rules: tuple[str, ...] | str = (),
        about: str = "",
        judge: Judge | None = None,
        data: dict[str, Any] | None = None,
        propose: Propose | None = None,
    ) -> None:
        super().__init__(side, prompt, rules, about, data)
        self.total = total
        self.parts = dict(parts)
        self.judge = judge
        self.propose = propose

    def check(self, answer: Json) -> Ruling:
        if not isinstance(answer, dict) or not all(type(v) is int for v in answer.values()):
            return ruled([_form("reason.form.split", self.rules)])
        reasons: list[Reason] = []
        unknown = [str(part)[:80] for part in answer if part not in self.parts]
        if unknown:
            reasons.append(_form("reason.form.not-offered", self.rules, answer=unknown))
        for part, (least, most) in self.parts.items():
            share = answer.get(part, 0)
            if not least <= share <= most:
                reasons.append(_form("reason.form.share", self.rules, part=part, share=share, least=least, most=most))
        if sum(answer.values()) != self.total:
            reasons.append(_form("reason.form.sum", self.rules, sum=sum(answer.values()), total=self.total))
        if not reasons and self.judge is not None:
            reasons = self.judge(answer)
        return ruled(reasons)

    def suggest(self, rng: Rng | None = None) -> Json:
        rng = rng or Rng(self.salt)
        for _ in range(MAX_TRIES if self.propose is not None else 0):
            answer = self.propose(rng) if self.propose is not None else None
            if answer is not None and self.check(answer):
                return answer
        for _ in range(MAX_TRIES):
            answer = {part: least for part, (least, _) in self.parts.items()}
            left = self.total - sum(answer.values())
            open_parts = [part for part, (least, most) in self.parts.items() if most > least]
            while left > 0 and open_parts:
                part = rng.choice(open_parts)
                answer[part] += 1
                left -= 1
                if answer[part] == self.parts[part][1]:
                    open_parts.remove(part)
            if self.check(answer):
                return answer
        raise RuntimeError(f"no legal answer found for {self!r}")

    def schema(self) -> dict[str, Any]:
        parts = {
            part: {"type": "integer", "minimum": least, "maximum": most} for part, (least, most) in self.parts.items()
        }
        return {"type": "object", "properties": parts, "additionalProperties": False}

    def details(self) -> dict[str, Any]:
        return {"total": self.total, "parts": {part: list(bounds) for part, bounds in self.parts.items()}}


class Confirm(Decision):
    """Yes or no."""

    kind = "confirm"
    __slots__ = ()

    def check(self, answer: Json) -> Ruling:
        return LEGAL if type(answer) is bool else ruled([_form("reason.form.yes-no", self.rules)])

    def suggest(self, rng: Rng | None = None) -> Json:
        return (rng or Rng(self.salt)).below(2) == 1

    def suggestions(self, rng: Rng | None = None, n: int = 8) -> list[Json]:
        return [True, False][:n]

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class TypeDice(Decision):
    """People roll real dice and type in the faces: a list of numbers."""

    kind = "dice"
    __slots__ = ("count", "sides")

    def __init__(
        self, side: int, prompt: str | Text, count: int, sides: int, rules: tuple[str, ...] | str = ()
    ) -> None:
        super().__init__(side, prompt, rules)
        self.count = count
        self.sides = sides

    def check(self, answer: Json) -> Ruling:
        good = (
            isinstance(answer, list)
            and len(answer) == self.count
            and all(type(face) is int and 1 <= face <= self.sides for face in answer)
        )
        return LEGAL if good else ruled([_form("reason.form.dice", self.rules, count=self.count, sides=self.sides)])

    def suggest(self, rng: Rng | None = None) -> Json:
        rng = rng or Rng(self.salt)
        return [rng.between(1, self.sides) for _ in range(self.count)]

    def schema(self) -> dict[str, Any]:
        face = {"type": "integer", "minimum": 1, "maximum": self.sides}
        return {"type": "array", "items": face, "minItems": self.count, "maxItems": self.count}

    def details(self) -> dict[str, Any]:
        return {"count": self.count, "sides": self.sides}
