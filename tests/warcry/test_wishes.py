"""What is not on offer is refused by a rule, with what was measured; and so are wishes at any other moment."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.engine.wishes import Wish
from umpire.errors import UmpireError
from umpire.text import Text, say
from warcry.builder import BOX, fighter, scene

DICE = [{"sets": [[4, 2], [5, 3], [2, 4]], "wild": 1}, {}]


def refused(battle: Battle[Any], answer: str) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The rules against an answer, and what was measured; and it can be told in both languages."""
    ruling = battle.check(answer)
    assert not ruling.legal
    for reason in ruling.reasons:
        assert reason.key != "reason.form.not-offered", answer
        for lang in ("zh", "en"):
            assert "{" not in say(reason.text, lang, "warcry")
    return ruling.rules, {key: fact for reason in ruling.reasons for key, fact in reason.facts.items()}


@pytest.mark.rule("warcry.ability.substitute", "warcry.ability.use")
def test_dice_that_do_not_pay_are_refused_with_the_reason() -> None:
    battle = scene(fighter("a1", 10, 10), fighter("b1", 20, 10), active="a1", players=DICE)
    battle.answer("ability-respite")
    assert sorted(battle.decision.options) == ["2x4", "5x3"]
    assert refused(battle, "4x2") == (
        ("warcry.ability.substitute",), {"ability": "respite", "cost": "triple", "dice": 2, "least": 3},
    )  # fmt: skip
    assert refused(battle, "2x3") == (("warcry.ability.substitute",), {"dice": 4, "score": 2})
    assert refused(battle, "6x3")[0] == ("warcry.ability.use",)
    assert battle.check("2x4").legal


@pytest.mark.rule("warcry.ability.inspiring-presence", "warcry.core.friendly-enemy")
def test_who_cannot_be_picked_is_told_why() -> None:
    battle = scene(
        fighter("a1", 10, 10, runemarks=["hero"]),
        fighter("a2", 10, 13),
        fighter("a3", 12, 13),
        fighter("a4", 14, 17),
        fighter("a5", 7, 10, activations=1),
        fighter("b1", 13, 8),
        active="a1",
        players=DICE,
    )
    battle.answer("ability-inspiring-presence")
    battle.answer("5x3")
    assert sorted(battle.decision.options) == ["a2", "a3"]
    rules, facts = refused(battle, "a4")
    assert "warcry.ability.inspiring-presence" in rules
    assert facts["distance"] == pytest.approx(7.062, abs=1e-3)
    assert refused(battle, "a5") == (("warcry.ability.inspiring-presence",), {"fighter": "a5"})
    assert refused(battle, "b1")[0] == refused(battle, "a1")[0] == ("warcry.core.friendly-enemy",)


@pytest.mark.rule("warcry.reaction.strike-them-down", "warcry.reaction.eligibility", "warcry.reaction.basic")
def test_who_cannot_strike_a_leaver_down_is_told_why() -> None:
    battle = scene(
        fighter("a1", 10, 10), fighter("b1", 11.9, 10), fighter("b2", 10, 11.9), fighter("b3", 8, 8),
        fighter("b4", 10, 8.2, activations=1), active="a1",
    )  # fmt: skip
    battle.answer("disengage")
    assert sorted(battle.decision.options) == ["pass", "strike-them-down:b1", "strike-them-down:b2"]
    rules, facts = refused(battle, "strike-them-down:b3")
    assert rules == ("warcry.reaction.strike-them-down",)
    assert facts == {"distance": pytest.approx(1.828, abs=1e-3), "allowed": 1.0}
    assert refused(battle, "strike-them-down:b4")[0] == ("warcry.reaction.eligibility",)
    assert refused(battle, "counter:b1")[0] == ("warcry.reaction.basic",)


@pytest.mark.rule("warcry.combat.bonus-actions")
def test_a_bonus_action_is_of_its_kind() -> None:
    battle = scene(fighter("a1", 10, 10), fighter("b1", 14, 10), active="a1", players=DICE)
    battle.answer("ability-rampage")
    assert refused(battle, "wait") == (
        ("warcry.combat.bonus-actions",),
        {"ability": "rampage", "kind": Text("action.move")},
    )
    battle.answer("move")
    battle.answer({"path": [{"how": "walk", "x": 12.2, "y": 10}]})
    assert battle.decision.prompt.key == "ask.bonus-attack"
    assert refused(battle, "attack-0-a1")[0] == ("warcry.core.friendly-enemy",)


@pytest.mark.rule("warcry.monster.destructive-rampage")
def test_a_feature_beyond_an_inch_is_told_its_distance() -> None:
    terrain = [{"piece": "box", "id": key, "x": x, "y": 11} for key, x in (("one", 7.5), ("two", 15.5), ("far", 24))]
    giant = fighter("a1", 11.5, 11, base=100, runemarks=["monster"], faction="")
    giant["profile"]["faction"] = "cinder-kin"
    battle = scene(giant, fighter("b1", 2, 2), active="a1", players=[{"sets": [[2, 4]]}], pieces=[BOX], terrain=terrain)
    battle.answer("ability-destructive-rampage")
    assert sorted(battle.decision.options) == ["one", "two"]
    rules, facts = refused(battle, "far")
    assert rules == ("warcry.monster.destructive-rampage",)
    assert facts["allowed"] == 1
    assert facts["distance"] > 8


@pytest.mark.rule("warcry.wait.last")
def test_an_activation_with_actions_left_ends_by_waiting() -> None:
    battle = scene(fighter("a1", 10, 10), fighter("b1", 20, 10), active="a1")
    assert refused(battle, "done") == (("warcry.wait.last",), {"actions": 2})
    assert refused(battle, "attack-0-a1")[0] == ("warcry.core.friendly-enemy",)


@pytest.mark.rule("warcry.treasure.pick-up")
def test_treasure_is_picked_up_on_the_way_of_a_move() -> None:
    tokens = [{"id": "g0", "kind": "skull", "x": 14, "y": 10}, {"id": "g1", "kind": "skull", "x": 20, "y": 10}]
    battle = scene(fighter("a1", 10, 10), fighter("b1", 25, 18), active="a1", treasures=tokens)
    told = battle.why_not(0, Wish(deed="pick-up", who="a1"))
    assert told.rules == ("warcry.treasure.pick-up",)
    assert told.reasons[-1].facts == {"distance": 3.5, "allowed": 1.0}
    battle.answer("move")
    battle.answer({"path": [{"how": "walk", "x": 13, "y": 10}]})
    assert battle.why_not(0, Wish(deed="pick-up", who="a1", using="g0")).legal
    assert refused(battle, "g1") == (("warcry.treasure.pick-up",), {"distance": 6.5, "allowed": 1.0})
    with pytest.raises(UmpireError, match="g7"):
        battle.why_not(0, Wish(deed="pick-up", who="a1", using="g7"))


@pytest.mark.rule("warcry.initiative.wild-gain", "warcry.initiative.wild-order", "warcry.initiative.wild-upgrade")
def test_wild_dice_belong_to_the_initiative_phase() -> None:
    battle = scene(fighter("a1", 10, 10), fighter("b1", 20, 10), active="a1", players=DICE)
    wish = Wish(deed="wild", using="join-5")
    assert battle.why_not(0, wish).rules == ("warcry.initiative.wild-gain",)
    battle = scene(
        fighter("a1", 10, 10), fighter("b1", 20, 10), at="wild", initiative=0,
        players=[{"sets": [[5, 4]], "singles": [3, 6]}, {"singles": [1, 2, 3, 4, 5, 6]}],
    )  # fmt: skip
    assert battle.why_not(0, wish).rules == ("warcry.initiative.wild-upgrade",)
    assert battle.why_not(0, Wish(deed="wild", using="join-3")).legal
    assert battle.why_not(1, Wish(deed="wild", using="single")).rules == ("warcry.initiative.wild-order",)


@pytest.mark.rule("warcry.battleplan.ley-lines.awaken")
def test_an_objective_that_is_awake_cannot_be_awakened() -> None:
    spots = [{"id": "o0", "x": 15, "y": 11, "awake": True}, {"id": "o1", "x": 5, "y": 5, "awake": False}]
    battle = scene(fighter("a1", 10, 10), fighter("b1", 20, 10), at="combat", victory="ley-lines", objectives=spots)
    assert battle.decision.prompt.key == "ask.awaken"
    assert refused(battle, "o0") == (("warcry.battleplan.ley-lines.awaken",), {})
