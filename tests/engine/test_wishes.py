"""Why not? Deeds that nobody asked for get every rule against them, with what was measured."""

from __future__ import annotations

from typing import Any

import pytest

import tiny
from umpire import scene
from umpire.errors import UmpireError

PAWNS = [{"id": "a", "side": 0, "x": 5.0, "y": 5.0}, {"id": "b", "side": 1, "x": 5.0, "y": 9.0, "acted": True}]


def duel() -> Any:
    return scene({"game": tiny.GAME.id, "position": {"pawns": PAWNS, "first": 0}})


def test_every_reason_is_given_with_its_facts_and_nothing_changes() -> None:
    battle = duel()
    before = battle.digest
    ruling = battle.why_not(0, {"deed": "strike", "who": "b", "whom": ["a"]})
    assert [(reason.rule, reason.facts) for reason in ruling.reasons] == [
        ("tiny.activate", {"pawn": "b"}),
        ("tiny.reach", {"gap": 4.0}),
    ]
    assert battle.digest == before


def test_nothing_stands_against_it() -> None:
    battle = duel()
    battle.state.pawn("b").y = 7.0
    assert battle.why_not(0, {"deed": "strike", "who": "a", "whom": ["b"]}).legal


def test_a_rule_that_is_switched_off_is_no_reason() -> None:
    battle = scene({"game": tiny.GAME.id, "position": {"pawns": PAWNS}, "without": ["tiny.reach"]})
    assert battle.why_not(0, {"deed": "strike", "who": "b", "whom": ["a"]}).rules == ("tiny.activate",)


def test_an_answer_may_be_put_though_the_other_side_is_asked() -> None:
    battle = duel()
    assert battle.why_not(0, {"deed": "answer", "answer": "a"}).legal
    assert not battle.why_not(0, {"deed": "answer", "answer": "b"})
    ruling = battle.why_not(1, {"deed": "answer", "answer": "b"})
    assert ruling.reasons[0].key == "reason.wish.not-asked"


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"deed": "dance"}, "wish.deed: there is no deed “dance”; known: answer, strike"),
        ({"deed": "strike", "who": "a"}, "wish.whom: “strike” must name whom"),
        ({"deed": "strike", "who": "z", "whom": ["b"]}, "wish.who: there is no unit “z”"),
        ({"deed": "strike", "who": "a", "whom": ["b"], "using": "bow"}, "wish.using: “strike” knows nothing of using"),
        ({"deed": "strike", "how": "hard"}, "wish.how: there is no field how"),
        ({"who": "a"}, "wish: the field deed is missing"),
    ],
)
def test_a_wish_that_means_nothing_is_one_clear_line(wish: dict[str, Any], message: str) -> None:
    with pytest.raises(UmpireError) as refused:
        duel().why_not(0, wish)
    assert str(refused.value) == message
