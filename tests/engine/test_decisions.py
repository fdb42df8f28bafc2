"""Decisions: each kind checks, suggests and describes its answers."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from umpire.engine.decisions import (
    Choose,
    ChooseSeveral,
    Confirm,
    Decision,
    Face,
    Move,
    Order,
    Place,
    Split,
    TypeDice,
)
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.schemas import NAMES, schema


def inside(answer: Any) -> list[Reason]:
    return [] if answer.get("x", 99) <= 10 else [Reason("tiny.edge")]


KINDS: list[Decision] = [
    Choose(0, "ask", ["a", "b"], "tiny.move"),
    ChooseSeveral(0, "ask", ["a", "b", "c"], 1, 2, "tiny.move"),
    Place(0, "ask", inside, lambda rng: {"x": rng.uniform(0, 12), "y": 1.0}, "tiny.edge"),
    Move(0, "ask", lambda a: [], lambda rng: {"path": [{"x": rng.uniform(0, 9), "y": 2.0}]}, "tiny.move"),
    Face(
        0, "ask", lambda a: [] if 0 <= a < 360 else [Reason("tiny.edge")], lambda rng: rng.uniform(0, 500), "tiny.edge"
    ),
    Order(0, "ask", ["a", "b", "c"], "tiny.order", judge=lambda a: [] if a[0] == "b" else [Reason("tiny.order")]),
    Split(0, "ask", 5, {"a": (1, 3), "b": (0, 4)}, "tiny.split"),
    Confirm(0, "ask", "tiny.move"),
    TypeDice(0, "ask", 2, 6, "tiny.strike"),
]


@pytest.mark.parametrize("ask", KINDS, ids=lambda ask: ask.kind)
def test_suggestions_are_legal_and_fit_the_schema(ask: Decision) -> None:
    rng = Rng(4)
    for answer in ask.suggestions(rng, 6):
        assert ask.check(answer)
        jsonschema.validate(answer, ask.schema())
    assert ask.check(ask.suggest())
    jsonschema.validate(ask.wire(), schema("decision"))


@pytest.mark.parametrize(
    ("ask", "wrong", "key"),
    [
        (KINDS[0], 3, "reason.form.choice"),
        (KINDS[0], True, "reason.form.choice"),
        (KINDS[0], "z", "reason.form.not-offered"),
        (KINDS[1], [], "reason.form.how-many"),
        (KINDS[1], ["a", "a"], "reason.form.twice"),
        (KINDS[1], ["z"], "reason.form.not-offered"),
        (KINDS[2], {"x": float("nan"), "y": 0}, "reason.form.place"),
        (KINDS[2], {"x": True, "y": 0}, "reason.form.place"),
        (KINDS[3], {"path": [{"x": [1]}]}, "reason.form.move"),
        (KINDS[4], "north", "reason.form.number"),
        (KINDS[5], ["a", "b"], "reason.form.order"),
        (KINDS[6], {"a": 5}, "reason.form.share"),
        (KINDS[6], {"a": 1, "b": 1}, "reason.form.sum"),
        (KINDS[7], 1, "reason.form.yes-no"),
        (KINDS[8], [0, 3], "reason.form.dice"),
    ],
)
def test_wrong_answers_are_refused_with_what_is_wrong(ask: Decision, wrong: Any, key: str) -> None:
    ruling = ask.check(wrong)
    assert not ruling
    assert key in [reason.key for reason in ruling.reasons]


def test_every_reason_is_told_not_just_the_first() -> None:
    ruling = KINDS[6].check({"a": 0, "b": 9})
    assert [reason.key for reason in ruling.reasons] == ["reason.form.share", "reason.form.share", "reason.form.sum"]


def test_the_nearest_legal_answer_comes_with_the_refusal() -> None:
    ask = Place(0, "ask", inside, lambda rng: {"x": 1.0, "y": 1.0}, nearest=lambda a: {"x": 10.0, "y": a["y"]})
    assert ask.check({"x": 30.0, "y": 4.0}).nearest == {"x": 10.0, "y": 4.0}


def test_what_is_legal_is_told_without_looking_for_what_would_be() -> None:
    def unasked(answer: Any) -> Any:
        raise AssertionError(answer)

    ask = Place(0, "ask", inside, lambda rng: {"x": 1.0, "y": 1.0}, nearest=unasked)
    assert ask.legal({"x": 1.0, "y": 4.0})
    assert not ask.legal({"x": 30.0, "y": 4.0})
    assert not ask.legal("nowhere")
    assert Choose(0, "ask", ["a"]).legal("a")


def test_a_wish_is_refused_with_its_own_rule() -> None:
    ask = Choose(0, "ask", ["a"], "tiny.strike", refuse={"b": [Reason("tiny.reach", facts={"gap": 4.2})]})
    assert ask.check("b").rules == ("tiny.reach",)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "roster"])
def test_schemas_are_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
