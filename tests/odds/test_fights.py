"""Odds of Conquest's fights that can be reckoned by hand."""

from __future__ import annotations

from typing import Any

import pytest

from conquest.builder import hero, profile, regiment, scene, wood
from umpire.engine.battle import Battle
from umpire.games.conquest.questions import QUESTIONS
from umpire.games.conquest.state import State
from umpire.odds import Dist

BARE = {"d": 0, "e": 0}
"""Every hit is a wound."""


def chances(battle: Battle[State], answer: Any) -> dict[str, float]:
    return {line["label"]["en"]: line["value"] for line in battle.odds(answer)["lines"]}  # type: ignore[index]


def duel(*, own: tuple[str, ...] = (), foe: tuple[str, ...] = (), r: int = 5, w: int = 1, a: int = 1) -> Battle[State]:
    return scene(
        regiment("a", stands=3, files=2, of=profile(r=r)),
        regiment("b", 1, stands=3, files=2, of=profile(r=r)),
        characters=[
            hero("h", 0, "a", of=profile(c=3, a=a, w=w, r=r, rules=own, **BARE), names={"zh": "甲", "en": "Own"}),
            hero("f", 1, "b", of=profile(c=3, a=a, w=w, r=r, rules=foe, **BARE), names={"zh": "乙", "en": "Foe"}),
        ],
        moment="character",
        who="h",
        stacks=((), ("b",)),
    )


def test_both_strike_at_the_same_time() -> None:
    told = chances(duel(), "duel")
    assert told["opponent Foe: slain"] == pytest.approx(1 / 2)
    assert told["own Own: slain"] == pytest.approx(1 / 2)
    assert told["both slain"] == pytest.approx(1 / 4)


@pytest.mark.parametrize(("own", "foe", "falls", "stands"), [(True, False, 1 / 2, 1 / 4), (False, True, 1 / 4, 1 / 2)])
def test_the_slain_do_not_strike_back_at_the_quicker(own: bool, foe: bool, falls: float, stands: float) -> None:
    quick = ("quicksilver-strike",)
    told = chances(duel(own=quick * own, foe=quick * foe), "duel")
    assert told["opponent Foe: slain"] == pytest.approx(falls)
    assert told["own Own: slain"] == pytest.approx(stands)
    assert told["both slain"] == 0.0


def test_a_wound_in_a_duel_is_a_morale_die() -> None:
    odds = duel(r=2, w=2).odds("duel")
    assert odds is not None
    # 3 stands and his own are four: +1, so that a half of the dice fail.
    assert odds["dists"]["wounds f"] == pytest.approx([1 / 2, 1 / 4, 1 / 4])


@pytest.mark.parametrize(
    ("first", "own", "foe"), [("", (), ()), ("own", ("quicksilver-strike",), ()), ("foe", (), ("quicksilver-strike",))]
)
def test_a_duel_is_told_without_a_battle_as_in_one(first: str, own: tuple[str, ...], foe: tuple[str, ...]) -> None:
    words = (
        "dice=4 value=3 defense=0 resolve=3 wounds=3 foe_dice=4 foe_value=3 foe_defense=0 foe_resolve=3 foe_wounds=3"
    )
    wounds, back, slain, falls, both = (line.odds for line in QUESTIONS["duel"].ask([*words.split(), f"first={first}"]))
    odds = duel(own=own, foe=foe, r=2, w=3, a=4).odds("duel")
    assert odds is not None
    assert isinstance(wounds, Dist)
    assert isinstance(back, Dist)
    assert wounds.close(Dist(odds["dists"]["wounds f"]))
    assert back.close(Dist(odds["dists"]["wounds h"]))
    chances = [line["value"] for line in odds["lines"] if line["chance"]]
    assert [slain, falls, both] == pytest.approx(chances)


def test_a_garrison_that_is_wiped_out_ends_the_clash() -> None:
    battle = scene(
        regiment("a", at=(36, 14), stands=2, files=2, of=profile("cavalry", a=1, c=3)),
        regiment("b", 1, stands=1, of=profile(w=1, **BARE), where="garrison", garrison="t"),
        regiment("d", 1, at=(36.0, 44.0)),
        terrain=[wood("t", 34, 14, 38, 18, "tower", kind="garrison", size=3)],
        stacks=((), ("d",)),
    )
    # Two dice that hit by half, and walls that save one hit in six; the victor's Reform wants no dice.
    assert chances(battle, "clash")["chance to destroy"] == pytest.approx(1 - (7 / 12) ** 2)


def two_enemies(*rules: str) -> Battle[State]:
    """Two stands of one attack and one wound, each before an enemy of one stand and one wound."""
    return scene(
        regiment("a", stands=2, files=2, of=profile(c=3, a=1, w=1, r=5, **BARE)),
        regiment(
            "b", 1, at=(34.5, 10.0), stands=1, of=profile(w=1, rules=rules, **BARE), names={"zh": "乙", "en": "B"}
        ),
        regiment("c", 1, at=(37.5, 10.0), stands=1, of=profile(w=1, **BARE), names={"zh": "丙", "en": "C"}),
    )


def test_each_enemy_has_its_own_dice() -> None:
    told = chances(two_enemies(), "clash")
    assert told["B: chance to destroy"] == told["C: chance to destroy"] == pytest.approx(1 / 2)
    assert told["some enemy destroyed"] == pytest.approx(3 / 4)
    assert told["every enemy destroyed"] == pytest.approx(1 / 4)
    assert told["wounds in all"] == pytest.approx(1.0)
    assert "own wounds" not in told


def test_who_is_destroyed_by_a_counter_attack_strikes_the_next_no_more() -> None:
    """A hit (a half) whose defence die shows 1 (a sixth) takes a stand, and breaks the other; its morale die fails once
    in six, and nobody is left for the second blow."""
    battle = two_enemies("counter-attack")
    battle.answer("clash")
    first = chances(battle, ["b", "c"])
    assert first["own wounds"] == pytest.approx(1 / 12 + 1 / 72, abs=1e-4)
    assert first["own regiment destroyed"] == pytest.approx(1 / 72)
    assert first["C: chance to destroy"] == pytest.approx(71 / 144)
    last = chances(battle, ["c", "b"])
    assert last["C: chance to destroy"] == last["B: chance to destroy"] == pytest.approx(1 / 2)


def test_where_blows_answer_blows_too_often_the_first_are_told() -> None:
    one = profile(c=3, a=1, w=5, d=1, e=0, rules=["lethal-demise"])
    battle = scene(
        regiment("a", stands=10, files=5, of=one),
        regiment("b", 1, stands=10, files=5, of=one),
    )
    odds = battle.odds("clash")
    assert odds is not None
    assert odds["title"]["en"] == "First blows of a Clash"
    # Five dice of the front rank and five of support, hit by half, saved once in six.
    assert odds["lines"][0]["value"] == 10
    assert odds["lines"][1]["value"] == pytest.approx(10 * 5 / 12, abs=1e-4)
    assert set(odds["dists"]) == {"pool"}
