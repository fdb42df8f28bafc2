"""Decisions: each kind checks, suggests and describes its answers."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jsonschema
import msgspec
import pytest

import umpire
from umpire.engine.decisions import (
    Choose,
    ChooseSeveral,
    Confirm,
    Decision,
    Declare,
    Face,
    Form,
    Move,
    Mover,
    Option,
    Order,
    Part,
    Place,
    Route,
    Row,
    Split,
    Stretch,
    TypeDice,
    furthest,
)
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.schemas import NAMES, schema
from umpire.errors import UmpireError
from umpire.games import GAMES


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
    Declare(
        0,
        "ask",
        [
            Row(id="archers", count=5, choices={"with": (Option("bow"),), "at": (Option("near"), Option("far"))}),
            Row(id="chief", least=1, choices={"with": (Option("axe"), Option("bow")), "at": (Option("near"),)}),
        ],
        "tiny.strike",
        default=[{"row": "chief", "choose": {"with": "bow", "at": "near"}}],
        judge_part=lambda part: [Reason("tiny.reach")] if part.choose["with"] == "axe" else [],
        judge=lambda parts: [Reason("tiny.strike")] if sum(p.choose["at"] == "near" for p in parts) > 2 else [],
        refuse=lambda row, name, option: [Reason("tiny.edge", facts={"gap": 9.0})] if option == "gone" else [],
    ),
]


def sent(ask: Decision) -> Any:
    return msgspec.json.decode(msgspec.json.encode(ask.wire()))


@pytest.mark.parametrize("ask", KINDS, ids=lambda ask: ask.kind)
def test_suggestions_are_legal_and_fit_the_schema(ask: Decision) -> None:
    rng = Rng(4)
    for answer in ask.suggestions(rng, 6):
        assert ask.check(answer)
        jsonschema.validate(answer, ask.schema())
    assert ask.check(ask.suggest())
    jsonschema.validate(sent(ask), schema("decision"))


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
        (KINDS[3], {"stay": 1}, "reason.form.move"),
        (KINDS[3], {"stay": False}, "reason.form.move"),
        (KINDS[3], {"path": [], "stay": True}, "reason.form.move"),
        (KINDS[3], {"path": [{"x": True, "y": 2}]}, "reason.form.move"),
        (KINDS[3], {"path": [{"x": 1, "y": 2, "fast": 3}]}, "reason.form.move"),
        (KINDS[3], {"path": [{"x": float("nan"), "y": 2}]}, "reason.form.move"),
        (KINDS[3], {"to": {"x": 1}}, "reason.form.move"),
        (KINDS[3], {"to": {"x": 1, "y": 2, "beside": "b1"}}, "reason.form.move"),
        (KINDS[2], {"x": 1, "y": 2, "files": True}, "reason.form.place"),
        (KINDS[2], {"x": 1, "y": 2, "models": {"a": {"x": 1, "y": 2}}}, "reason.form.place"),
        (KINDS[4], True, "reason.form.number"),
        (KINDS[9], {"row": "chief"}, "reason.form.declare"),
        (KINDS[9], [{"row": "chief", "choose": {"with": "bow", "at": "near"}, "count": True}], "reason.form.declare"),
        (KINDS[9], [{"row": "nobody", "choose": {}}], "reason.form.not-offered"),
        (KINDS[9], [{"row": "chief", "choose": {"at": "near"}}], "reason.form.choices"),
        (KINDS[9], [{"row": "archers", "choose": {"with": "bow"}}], "reason.form.choices"),
        (KINDS[9], [], "reason.form.how-many"),
        (KINDS[9], 2 * [{"row": "archers", "choose": {"with": "bow", "at": "far"}}], "reason.form.twice"),
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


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("roster", "book")])
def test_schemas_are_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))


@pytest.mark.parametrize("game", GAMES)
def test_every_games_lists_and_army_books_have_a_schema(game: str) -> None:
    setup = umpire.battle(game, seed=3).setup
    for name, data in (("roster", setup.sides), ("book", setup.books.values())):
        known = jsonschema.Draft202012Validator(schema(name, game))
        known.check_schema(known.schema)
        for one in msgspec.json.decode(msgspec.json.encode(list(data))):
            known.validate(one)
    for name in ("roster", "book"):
        with pytest.raises(UmpireError, match="name the game"):
            schema(name)


# -- declarations ------------------------------------------------------------------------------------------------


def shot(row: str, arm: str, at: str, count: int = 1) -> dict[str, Any]:
    return {"row": row, "choose": {"with": arm, "at": at}, "count": count}


def test_a_declaration_divides_a_row_and_is_judged_part_by_part_and_as_a_whole() -> None:
    ask = KINDS[9]
    chief = shot("chief", "bow", "near")
    assert ask.check([shot("archers", "bow", "near", 3), shot("archers", "bow", "far", 2), chief])
    ruling = ask.check([shot("archers", "bow", "far", 6), chief])
    assert [(r.key, r.at, r.facts["most"]) for r in ruling.reasons] == [("reason.form.how-many", "archers", 5)]
    ruling = ask.check([shot("archers", "bow", "near"), shot("chief", "axe", "near")])
    assert [(r.rule, r.at) for r in ruling.reasons] == [("tiny.reach", "chief")]
    ruling = ask.check([shot("archers", "bow", "gone"), chief])
    assert [(r.rule, r.at, r.facts) for r in ruling.reasons] == [("tiny.edge", "archers", {"gap": 9.0})]


def test_the_whole_of_a_declaration_is_judged_when_its_parts_are_legal() -> None:
    row = Row(id="a", count=9, choices={"at": (Option("x"), Option("y"), Option("z"))})

    def two_targets(parts: list[Part]) -> list[Reason]:
        return [Reason("tiny.strike", facts={"targets": len(parts)})] if len(parts) > 2 else []

    ask = Declare(0, "ask", [row], judge=two_targets)
    parts = [{"row": "a", "choose": {"at": at}, "count": 3} for at in "xyz"]
    assert ask.check(parts[:2])
    assert ask.check(parts).rules == ("tiny.strike",)
    ask.without = ("tiny.strike",)
    assert ask.check(parts), "a rule that is switched off forbids nothing"


def test_what_somebody_would_usually_answer_is_told() -> None:
    casualties = ChooseSeveral(0, "ask", ["a", "b", "c"], 2, 2, default=["b", "c"])
    assert casualties.wire()["default"] == ["b", "c"]
    attacks = Split(0, "ask", 5, {"a": (0, 5), "b": (0, 5)}, default={"a": 5, "b": 0})
    assert attacks.wire()["default"] == {"a": 5, "b": 0}
    assert KINDS[9].wire()["default"] == [{"row": "chief", "choose": {"with": "bow", "at": "near"}}]


# -- movers ------------------------------------------------------------------------------------------------------


class Walked(NamedTuple):
    reasons: list[Reason]
    end: float


class Walker(Mover[Walked]):
    """Along a line, up to 6 inches."""

    form = Form(ways=("to", "stay"), pieces=("a",), limit=6.0)

    def __init__(self) -> None:
        super().__init__()
        self.readings = 0

    def read(self, answer: Any) -> Walked:
        self.readings += 1
        end = 0.0 if "stay" in answer else answer["to"]["x"]
        return Walked([] if end <= 6.0 else [Reason("tiny.move", facts={"moved": end, "allowed": 6.0})], end)

    def propose(self, rng: Rng) -> Any:
        return {"to": {"x": rng.uniform(0, 9), "y": 0.0}}

    def nearest(self, answer: Any) -> Any:
        part = furthest(answer["to"]["x"], 0.5, lambda x: self.fits({"to": {"x": x, "y": 0.0}}))
        return {"to": {"x": part, "y": 0.0}}

    def route(self, answer: Any) -> Route:
        return {"a": [Stretch(x=self.plan(answer).end, y=0.0, cost=self.plan(answer).end)]}

    def risk(self, answer: Any) -> Any:
        return {"title": {"zh": "险", "en": "risk"}, "lines": [], "dists": {}}


def test_a_mover_reads_an_answer_once_and_never_takes_true_for_one() -> None:
    walker = Walker()
    ask = Move(0, "ask", walker, None, "tiny.move", "a", {"stay": True})
    wish = {"to": {"x": 5.0, "y": 0.0}}
    assert ask.check(wish)
    assert ask.legal(wish)
    assert ask.route(wish)["a"][-1].cost == ask.ends(wish)["a"].x == 5.0
    assert walker.readings == 1
    assert ask.check({"stay": True})
    assert not ask.check({"stay": 1})
    assert ask.risk(wish)["title"]["en"] == "risk"


def test_a_refused_move_is_told_with_the_nearest_that_is_legal() -> None:
    ask = Move(0, "ask", Walker(), None, "tiny.move", "a")
    ruling = ask.check({"to": {"x": 7.3, "y": 0.0}})
    assert ruling.reasons[0].facts == {"moved": 7.3, "allowed": 6.0}
    assert 5.99 <= ruling.nearest["to"]["x"] <= 6.0


def test_a_question_tells_how_it_is_answered_and_takes_nothing_else() -> None:
    ask = Move(0, "ask", Walker(), None, "tiny.move", "a")
    assert sent(ask)["form"] == {"ways": ["to", "stay"], "pieces": ["a"], "limit": 6.0}
    ruling = ask.check({"path": [{"x": 1.0, "y": 0.0}]})
    assert [(r.key, r.facts["ways"]) for r in ruling.reasons] == [("reason.form.move", ["to", "stay"])]


@pytest.mark.parametrize(("x", "y"), [(5.0, 1.0), (-2.3, 4.1), (2.03, 0.0), (0.0, -11.0)])
def test_the_nearest_place_is_the_nearest(x: float, y: float) -> None:
    """Where the mover knows none: a round hole in a table is come to along its own edge, not by rings of tries."""

    def judge(answer: Any) -> list[Reason]:
        return [] if math.hypot(answer["x"], answer["y"]) <= 2.0 else [Reason("tiny.move")]

    ask = Place(0, "ask", judge, lambda rng: None, "tiny.move", "a", {"x": 0.0, "y": 0.0})
    near = ask.check({"x": x, "y": y}).nearest
    assert ask.check(near).legal
    away = math.hypot(near["x"] - x, near["y"] - y)
    assert away == pytest.approx(math.hypot(x, y) - 2.0, abs=0.006)


def test_the_greatest_part_that_fits() -> None:
    assert furthest(8.0, 0.5, lambda part: part <= 8.0) == 8.0
    assert furthest(8.0, 0.5, lambda part: part <= 3.3) == pytest.approx(3.3, abs=0.01)
    assert furthest(8.0, 0.5, lambda part: False) is None


def test_options_found_by_their_ids_are_told_when_somebody_looks_at_them() -> None:
    told: list[str] = []

    def tell(key: str) -> Option:
        told.append(key)
        return Option(key, refs=(key,))

    ask = Choose(0, "ask", lambda: ["a", "b"], tell=tell)
    assert ask.suggest(Rng(1)) in ("a", "b")
    assert ask.legal("a")
    assert not ask.legal("c")
    assert ask.ids == ["a", "b"]
    assert ask.schema()["enum"] == ["a", "b"]
    assert told == []
    assert ask.options["b"].refs == ("b",)
    assert told == ["a", "b"]
