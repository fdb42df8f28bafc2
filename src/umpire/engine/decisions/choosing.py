"""Questions whose answers can be listed: one of several, some of them, an order, shares, yes or no, the dice."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from umpire.engine.decisions.asking import MAX_TRIES, Decision, Ends, Json, Judge, Option, Propose, form_reason
from umpire.engine.rng import Rng
from umpire.engine.rulings import LEGAL, Reason, Ruling, ruled
from umpire.text import Text


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


Options: TypeAlias = Sequence[Option | str] | Callable[[], Sequence[Option | str]]
"""What may be chosen, or how to find it out: then it is found when somebody reads it, while the question is open."""


def pieces(keys: Iterable[str]) -> list[Option]:
    """Pieces of the table as options: called by their own names, and shown where they stand."""
    return [Option(key, None, (key,)) for key in keys]


Refuse: TypeAlias = Callable[[str], Iterable[Reason]] | Mapping[str, list[Reason]]


def pick(
    side: int,
    prompt: str | Text,
    keys: Sequence[str],
    rules: tuple[str, ...] | str = (),
    about: str = "",
    refuse: Refuse | None = None,
    default: str | Callable[[], str] | None = None,
) -> Generator[Decision, Any, str]:
    """One of these pieces. Where there is but one, nobody is asked."""
    if len(keys) == 1:
        return keys[0]
    return str((yield Choose(side, prompt, pieces(keys), rules, about, refuse, default=default)))


class Choose(Decision):
    """Choose one. `refuse` explains wishes that a player might have but the rules forbid; `propose` picks what to
    suggest where some options are likelier than others, and may be wrong. Where options are found only when they are
    read, `offered` tells of one whether it is among them; where only their ids are found, `tell` makes the option of
    one once somebody looks at it. `shows` tells, when an option is shown, where pieces would stand with it. `default`
    is what somebody would usually choose; a function finds it when it is to be shown."""

    kind = "choose"
    __slots__ = ("_default", "_found", "_ids", "_options", "_told", "offered", "propose", "refuse", "shows", "tell")

    def __init__(
        self,
        side: int,
        prompt: str | Text,
        options: Options,
        rules: tuple[str, ...] | str = (),
        about: str = "",
        refuse: Refuse | None = None,
        data: dict[str, Any] | None = None,
        propose: Propose | None = None,
        offered: Callable[[str], bool] | None = None,
        shows: Callable[[str], Ends] | None = None,
        default: str | Callable[[], str] | None = None,
        tell: Callable[[str], Option] = Option,
    ) -> None:
        super().__init__(side, prompt, rules, about, data)
        self._options = options
        self._found = None if callable(options) else _options(options)
        self._ids: Sequence[Option | str] | None = None
        self.tell = tell
        self._told: dict[str, bool] = {}
        self.refuse = refuse
        self.propose = propose
        self.offered = offered
        self.shows = shows
        self._default = default

    @property
    def default(self) -> str | None:
        if callable(self._default):
            self._default = self._default()
        return self._default

    @property
    def options(self) -> dict[str, Option]:
        if self._found is None:
            self._found = _options([self.tell(key) if isinstance(key, str) else key for key in self._listed()])
        return self._found

    def _listed(self) -> Sequence[Option | str]:
        """What there is to choose from, as far as it had to be told."""
        if self._ids is None:
            assert callable(self._options)
            self._ids = self._options()
        return self._ids

    @property
    def ids(self) -> list[str]:
        """The answers to choose from."""
        if self._found is not None:
            return list(self._found)
        return list(dict.fromkeys(key if isinstance(key, str) else key.id for key in self._listed()))

    def offers(self, answer: str) -> bool:
        """Is this among the options? Told without finding the others, where that can be told."""
        if self._found is not None:
            return answer in self._found
        if self._ids is not None or self.offered is None:
            return answer in self.ids
        told = self._told.get(answer)
        if told is None:
            told = self._told[answer] = self.offered(answer)
        return told

    def check(self, answer: Json) -> Ruling:
        if type(answer) is not str:
            return ruled([form_reason("reason.form.choice", self.rules, answer=repr(answer)[:80])])
        if self.offers(answer):
            return LEGAL
        reasons: list[Reason] = []
        if callable(self.refuse):
            reasons = list(self.refuse(answer))
        elif self.refuse is not None:
            reasons = list(self.refuse.get(answer, ()))
        if self.without:
            reasons = [reason for reason in reasons if reason.rule not in self.without]
        if not reasons and self.otherwise is not None:
            reasons = self.otherwise(self, answer)
        return ruled(reasons or [form_reason("reason.form.not-offered", self.rules, answer=answer[:80])])

    def suggest(self, rng: Rng | None = None) -> Json:
        rng = rng or Rng(self.salt)
        if self.propose is not None:
            for _ in range(MAX_TRIES):
                answer = self.propose(rng)
                if self.offers(answer):
                    return answer
        ids = self.ids
        return ids[rng.below(len(ids))]

    def suggestions(self, rng: Rng | None = None, n: int = 8) -> list[Json]:
        ids: list[Json] = list(self.ids)
        return ids if len(ids) <= n else (rng or Rng(self.salt)).sample(ids, n)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": self.ids}

    def details(self) -> dict[str, Any]:
        wire: dict[str, Any] = {"options": [_option_wire(option) for option in self.options.values()]}
        if self.shows is not None:
            for option in wire["options"]:
                if stands := self.shows(option["id"]):
                    option["stands"] = msgspec.to_builtins(stands)
        if self.default is not None:
            wire["default"] = self.default
        if isinstance(self.refuse, Mapping):
            wire["refused"] = {k: [msgspec.to_builtins(reason) for reason in v] for k, v in self.refuse.items()}
        return wire


class ChooseSeveral(Decision):
    """Choose between `least` and `most` of the options, none twice; `judge` may forbid combinations, and `refuse` tells
    why something is not among the options; `default` is what somebody would usually choose, found when it is to be
    shown."""

    kind = "choose-several"
    __slots__ = ("_default", "judge", "least", "most", "options", "propose", "refuse")

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
        default: Sequence[str] | Callable[[], Sequence[str]] | None = None,
        refuse: Judge | None = None,
    ) -> None:
        super().__init__(side, prompt, rules, about, data)
        self.options = _options(options)
        self.refuse = refuse
        self.least = least
        self.most = len(self.options) if most is None else most
        self.judge = judge
        self.propose = propose
        self._default = default

    @property
    def default(self) -> list[str] | None:
        if callable(self._default):
            self._default = self._default()
        return None if self._default is None else list(self._default)

    def check(self, answer: Json) -> Ruling:
        if not isinstance(answer, list) or not all(type(item) is str for item in answer):
            return ruled([form_reason("reason.form.list", self.rules)])
        unknown = [item for item in answer if item not in self.options]
        reasons: list[Reason] = []
        if unknown:
            if self.refuse is not None:
                reasons = [why for item in unknown for why in self.refuse(item) if why.rule not in self.without]
            shown = [item[:80] for item in unknown]
            return ruled(reasons or [form_reason("reason.form.not-offered", self.rules, answer=shown)])
        if len(set(answer)) < len(answer):
            reasons.append(form_reason("reason.form.twice", self.rules))
        if not self.least <= len(answer) <= self.most:
            reasons.append(
                form_reason("reason.form.how-many", self.rules, chosen=len(answer), least=self.least, most=self.most)
            )
        if not reasons and self.judge is not None:
            reasons = self.judge(answer)
        return self.ruled(reasons)

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
        for likely in (self.default, options[: self.least], options[: self.most]):
            if likely is not None and self.check(likely):
                return likely
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
            **({} if (usual := self.default) is None else {"default": usual}),
        }


class Order(Decision):
    """Put all of these in order, first to last. The order in which they are listed is a legal answer."""

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
            return ruled([form_reason("reason.form.list", self.rules)])
        if sorted(answer) != sorted(self.options):
            return ruled([form_reason("reason.form.order", self.rules)])
        return self.ruled(self.judge(answer)) if self.judge else LEGAL

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
    """Divide a number among some parts: {part: share}; shares lie within each part's bounds and add up to `total`.
    `default` is how somebody would usually divide it."""

    kind = "split"
    __slots__ = ("default", "judge", "parts", "propose", "total")

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
        default: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(side, prompt, rules, about, data)
        self.total = total
        self.parts = dict(parts)
        self.judge = judge
        self.propose = propose
        self.default = None if default is None else dict(default)

    def check(self, answer: Json) -> Ruling:
        if not isinstance(answer, dict) or not all(type(v) is int for v in answer.values()):
            return ruled([form_reason("reason.form.split", self.rules)])
        reasons: list[Reason] = []
        unknown = [str(part)[:80] for part in answer if part not in self.parts]
        if unknown:
            reasons.append(form_reason("reason.form.not-offered", self.rules, answer=unknown))
        for part, (least, most) in self.parts.items():
            share = answer.get(part, 0)
            if not least <= share <= most:
                reasons.append(
                    form_reason("reason.form.share", self.rules, part=part, share=share, least=least, most=most)
                )
        if sum(answer.values()) != self.total:
            reasons.append(form_reason("reason.form.sum", self.rules, sum=sum(answer.values()), total=self.total))
        if not reasons and self.judge is not None:
            reasons = self.judge(answer)
        return self.ruled(reasons)

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
        if self.default is not None and self.check(self.default):
            return self.default
        raise RuntimeError(f"no legal answer found for {self!r}")

    def schema(self) -> dict[str, Any]:
        parts = {
            part: {"type": "integer", "minimum": least, "maximum": most} for part, (least, most) in self.parts.items()
        }
        return {"type": "object", "properties": parts, "additionalProperties": False}

    def details(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "total": self.total,
            "parts": {part: list(bounds) for part, bounds in self.parts.items()},
        }
        return told if self.default is None else {**told, "default": self.default}


class Confirm(Decision):
    """Yes or no."""

    kind = "confirm"
    __slots__ = ()

    def check(self, answer: Json) -> Ruling:
        return LEGAL if type(answer) is bool else ruled([form_reason("reason.form.yes-no", self.rules)])

    def suggest(self, rng: Rng | None = None) -> Json:
        return (rng or Rng(self.salt)).below(2) == 1

    def suggestions(self, rng: Rng | None = None, n: int = 8) -> list[Json]:
        return [True, False][:n]

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class TypeDice(Decision):
    """People roll real dice and type in the faces: a list of numbers. A 0 stands for a die that does not lie flat: by
    the rule `cocked`, where a book has one, it has not been rolled and is thrown again."""

    kind = "dice"
    __slots__ = ("cocked", "count", "sides")

    def __init__(
        self, side: int, prompt: str | Text, count: int, sides: int, rules: tuple[str, ...] | str = (), cocked: str = ""
    ) -> None:
        super().__init__(side, prompt, rules)
        self.count = count
        self.sides = sides
        self.cocked = cocked

    def check(self, answer: Json) -> Ruling:
        if self.cocked and isinstance(answer, list) and 0 in answer:
            return ruled([Reason(self.cocked, "reason.cocked", {"count": answer.count(0)})])
        good = (
            isinstance(answer, list)
            and len(answer) == self.count
            and all(type(face) is int and 1 <= face <= self.sides for face in answer)
        )
        return (
            LEGAL if good else ruled([form_reason("reason.form.dice", self.rules, count=self.count, sides=self.sides)])
        )

    def suggest(self, rng: Rng | None = None) -> Json:
        rng = rng or Rng(self.salt)
        return [rng.between(1, self.sides) for _ in range(self.count)]

    def schema(self) -> dict[str, Any]:
        face = {"type": "integer", "minimum": 1, "maximum": self.sides}
        return {"type": "array", "items": face, "minItems": self.count, "maxItems": self.count}

    def details(self) -> dict[str, Any]:
        return {"count": self.count, "sides": self.sides}
