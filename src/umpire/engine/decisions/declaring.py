"""A declaration: many small choices that are made together and judged one by one and as a whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from umpire.engine.decisions.asking import MAX_TRIES, Decision, Json, Option, Propose, form_reason
from umpire.engine.decisions.forms import Key
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, Ruling, ruled
from umpire.text import Text


class Row(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One line of a declaration: who or what it is about, what has to be chosen for it, by name, and how many it may
    spend: with a `count` of 5 it may be divided into parts that choose differently. At least `least` must be spent.
    Rows of one `group` are alike but for whose they are, and may be shown and chosen together under that name."""

    id: str
    choices: Mapping[str, tuple[Option, ...]]
    count: int = 1
    least: int = 0
    label: Text | dict[str, str] | None = None
    group: Text | dict[str, str] | None = None
    refs: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    bound: str = ""
    """The rule by which so many must be spent and no more."""
    excess: str = ""
    """The rule by which no more may be spent, where it is another."""

    def whole(self, choose: dict[str, str]) -> dict[str, str]:
        """What is chosen, with what goes without saying: a choice between one thing, and an option by the beginning of
        its name where no other begins so (`sword` for `sword/cut`)."""
        found = {}
        for name, options in self.choices.items():
            if name not in choose and len(options) == 1:
                found[name] = options[0].id
            elif name in choose:
                meant = [option.id for option in options if option.id.startswith(f"{choose[name]}/")]
                offered = any(option.id == choose[name] for option in options)
                found[name] = meant[0] if len(meant) == 1 and not offered else choose[name]
        return {**choose, **found}


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """So many of a row, and what is chosen for them: one option of each of the row's choices."""

    row: Key
    choose: dict[Key, Key]
    count: Annotated[int, Meta(ge=1, le=100_000)] = 1


Declared = Annotated[list[Part], Meta(max_length=1000)]
Refuse = Callable[[Row, str, str], list[Reason]]


class Declare(Decision):
    """Declare many things in one answer: [{"row", "choose": {name: option}, "count"?}, …], in the order in which they
    are to be carried out.

    `judge_part` says what stands against one part (the reasons name its row), `judge` against the whole; `refuse`
    explains options that are not offered, `absent` rows that are not; `default` is the declaration that somebody would
    usually make.
    """

    kind = "declare"
    __slots__ = ("absent", "default", "judge", "judge_part", "propose", "refuse", "rows")

    def __init__(
        self,
        side: int,
        prompt: str | Text,
        rows: Sequence[Row],
        rules: tuple[str, ...] | str = (),
        about: str = "",
        default: Json = None,
        judge_part: Callable[[Part], list[Reason]] | None = None,
        judge: Callable[[list[Part]], list[Reason]] | None = None,
        refuse: Refuse | None = None,
        propose: Propose | None = None,
        data: dict[str, Any] | None = None,
        absent: Callable[[str], list[Reason]] | None = None,
    ) -> None:
        super().__init__(side, prompt, rules, about, data)
        self.absent = absent
        self.rows = {row.id: row for row in rows}
        self.default = [] if default is None else default
        self.judge_part = judge_part
        self.judge = judge
        self.refuse = refuse
        self.propose = propose

    def check(self, answer: Json) -> Ruling:
        parts = read_parts(answer)
        if parts is None:
            return ruled([form_reason("reason.form.declare", self.rules)])
        parts = [self._whole(part) for part in parts]
        reasons = [reason for part in parts for reason in self._form(part)]
        reasons = reasons or self._counts(parts)
        if not reasons and self.judge_part is not None:
            reasons = [_at(reason, part.row) for part in parts for reason in self.judge_part(part)]
        if not reasons and self.judge is not None:
            reasons = self.judge(parts)
        return self.ruled(reasons)

    def whole(self, answer: Json) -> Json:
        parts = read_parts(answer)
        if parts is None or all(self._whole(part) is part for part in parts):
            return answer
        return [msgspec.to_builtins(self._whole(part)) for part in parts]

    def _whole(self, part: Part) -> Part:
        row = self.rows.get(part.row)
        choose = row.whole(part.choose) if row is not None else part.choose
        return part if choose == part.choose else msgspec.structs.replace(part, choose=choose)

    def _form(self, part: Part) -> list[Reason]:
        """Does a part name its row and an offered option of each of its choices?"""
        row = self.rows.get(part.row)
        if row is None:
            why = self.absent(part.row) if self.absent is not None else []
            return why or [form_reason("reason.form.not-offered", self.rules, answer=part.row)]
        if part.choose.keys() != row.choices.keys():
            return [_at(form_reason("reason.form.choices", self.rules, choices=list(row.choices)), row.id)]
        reasons: list[Reason] = []
        for name, chosen in part.choose.items():
            if all(option.id != chosen for option in row.choices[name]):
                why = self.refuse(row, name, chosen) if self.refuse is not None else []
                why = why or [form_reason("reason.form.not-offered", self.rules, answer=chosen)]
                reasons += [_at(reason, row.id) for reason in why]
        return reasons

    def _counts(self, parts: list[Part]) -> list[Reason]:
        """Is no more spent than there is, no less than must be, and nothing said twice?"""
        reasons: list[Reason] = []
        for row in self.rows.values():
            mine = [part for part in parts if part.row == row.id]
            spent = sum(part.count for part in mine)
            if not row.least <= spent <= row.count:
                facts = {"chosen": spent, "least": row.least, "most": row.count}
                why = form_reason("reason.form.how-many", self.rules, **facts)
                bound = row.excess if row.excess and spent > row.count else row.bound
                if bound:
                    why = Reason(bound, "reason.how-many", facts)
                reasons.append(_at(why, row.id))
            if any(part.choose == other.choose for n, part in enumerate(mine) for other in mine[:n]):
                reasons.append(_at(form_reason("reason.form.twice", self.rules), row.id))
        return reasons

    def suggest(self, rng: Rng | None = None) -> Json:
        rng = rng or Rng(self.salt)
        for _ in range(MAX_TRIES):
            answer = self.propose(rng) if self.propose is not None else self._any(rng)
            if answer is not None and self.check(answer):
                return answer
        if self.check(self.default):
            return self.default
        raise RuntimeError(f"no legal answer found for {self!r}")

    def _any(self, rng: Rng) -> Json:
        """Each row whole, with whatever is offered and not forbidden by itself; now and then a row is left out."""
        answer: list[Json] = []
        for row in self.rows.values():
            if not all(row.choices.values()) or (not row.least and rng.below(8) == 0):
                continue
            for _ in range(4):
                choose = {name: rng.choice(list(options)).id for name, options in row.choices.items()}
                part = Part(row.id, choose, row.count)
                if self.judge_part is None or not self.ruled(self.judge_part(part)).reasons:
                    answer.append(msgspec.to_builtins(part))
                    break
        return answer

    def schema(self) -> dict[str, Any]:
        return msgspec.json.schema(Declared)

    def details(self) -> dict[str, Any]:
        return {"rows": [msgspec.to_builtins(row) for row in self.rows.values()], "default": self.default}


def read_parts(answer: Json) -> list[Part] | None:
    """The parts of a declaration; None if it is none."""
    try:
        return msgspec.convert(answer, Declared)
    except (msgspec.ValidationError, RecursionError):
        return None


def _at(reason: Reason, row: str) -> Reason:
    return msgspec.structs.replace(reason, at=row)
