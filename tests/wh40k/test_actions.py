"""Actions and psychic actions."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.rulings import standing
from umpire.games.wh40k.abilities import rules_of
from umpire.games.wh40k.actions import fails, objections, psychic_actions, psychic_objections, start
from wh40k.builder import ability, cites, do, fire, gun, options, prompt, refused, row, scene, told, unit

BANNER = {"id": "banner", "keywords": ["infantry"], "where": "objective", "completes": "turn", "points": 3}
RITE = {"id": "rite", "psychic": True, "charge": 4, "where": "anywhere", "points": 4}
MIND = {"keywords": ["infantry", "psyker"], "psychic": {"casts": 2, "denies": 1}}


def field(*units: dict, **more: Any) -> Any:
    return scene(
        *units, unit("b9", (40, 28)), objectives=[[10, 10]], tasks=[BANNER, RITE], **{"phase": "command", **more}
    )


def why(battle: Any, key: str, task: str = "banner") -> list[str]:
    return [r.rule for r in standing(battle.state, objections(battle.state, battle.state.unit(key), task))]


@pytest.mark.rule("wh40k.action.definition", "wh40k.action.complete")
def test_an_action_is_begun_where_it_is_done_and_completed_in_its_time() -> None:
    battle = field(unit("a1", (10, 12)), unit("a2", (30, 12)), unit("a3", (10, 14), keywords=["vehicle"]))
    assert options(battle) == ["banner:a1", "pass"]
    assert why(battle, "a2") == ["wh40k.action.definition"]
    assert why(battle, "a3") == ["wh40k.action.definition"]
    do(battle, "banner:a1")
    assert (battle.state.unit("a1").action, battle.state.unit("a1").until) == ("banner", "turn")
    for _ in range(12):
        if told(battle, "action-done"):
            break
        do(battle, "done" if "done" in options(battle) else battle.decision.suggest())
    assert battle.state.sides[0].vp == 3


@pytest.mark.rule("wh40k.action.fail", "wh40k.action.aura-back", "wh40k.action.aura-off")
def test_shooting_ends_it_and_brings_auras_back() -> None:
    boss = {
        "keywords": ["infantry", "character"], "weapons": [gun()],
        "abilities": [ability("modify", what="hit", value=1, range=6)], "action": "banner", "until": "turn",
    }  # fmt: skip
    battle = field(
        unit("a1", (10, 12), **boss), unit("a2", (10, 14)), unit("b1", (10, 22)), phase="shooting", dice=[1, 1]
    )
    a2 = battle.state.unit("a2")
    assert rules_of(battle.state, a2) == []
    do(battle, "a1")
    fire(battle)
    assert battle.state.unit("a1").action == ""
    assert rules_of(battle.state, a2)
    assert cites(battle, "wh40k.action.fail")


@pytest.mark.rule("wh40k.action.fail")
def test_casting_ends_it_and_denying_does_not() -> None:
    battle = field(
        unit("a1", (10, 12), action="banner", until="turn", **MIND),
        unit("b1", *row(10, 20, 3), action="banner", until="turn", **MIND),
        phase="psychic",
        dice=[4, 4, 1, 1, 1],
    )
    do(battle, "a1", "smite", "b1")
    assert battle.state.unit("a1").action == ""
    assert battle.state.unit("b1").action == "banner"
    fails(battle, battle.state.unit("b1"), "moves")
    assert battle.state.unit("b1").action == ""


@pytest.mark.rule("wh40k.action.no-start-engaged")
def test_not_while_engaged_aircraft_apart() -> None:
    battle = field(
        unit("a1", (10, 12)), unit("b1", (10, 13.5)),
        unit("a2", (6, 10)), unit("b2", (6, 11.5), keywords=["vehicle", "aircraft"]),
        unit("a3", (13, 8), keywords=["infantry", "aircraft"]), unit("b3", (13, 6.5)),
    )  # fmt: skip
    assert why(battle, "a1") == ["wh40k.action.no-start-engaged"]
    assert why(battle, "a2") == []
    assert why(battle, "a3") == []


@pytest.mark.rule("wh40k.action.no-fortification")
def test_no_fortification() -> None:
    battle = field(unit("a1", (10, 12), role="fortification"), unit("a2", (30, 2)))
    assert why(battle, "a1") == ["wh40k.action.no-fortification"]


@pytest.mark.rule("wh40k.action.one-per-unit-per-round", "wh40k.action.same-action-once-per-round")
def test_one_action_a_unit_and_each_action_once_an_army_and_round() -> None:
    battle = field(unit("a1", (10, 12)), unit("a2", (10, 8)), unit("b1", (12, 10)))
    start(battle, battle.state.unit("a1"), battle.state.lore.tasks["banner"])
    assert why(battle, "a2") == ["wh40k.action.same-action-once-per-round"]
    fails(battle, battle.state.unit("a1"), "moves")
    assert "wh40k.action.one-per-unit-per-round" in why(battle, "a1")
    assert why(battle, "b1") == []


def rite(dice: list[int], mine: dict | None = None, **more: Any) -> Any:
    battle = field(unit("a1", (10, 12), **{**MIND, **(mine or {})}), phase="psychic", dice=dice, **more)
    return do(battle, "a1", "rite")


@pytest.mark.rule("wh40k.action.psychic.resolve", "wh40k.action.psychic.success")
def test_a_psychic_action_is_an_attempt_like_any_other() -> None:
    done = rite([2, 2])
    assert done.state.sides[0].vp == 4
    assert options(done) == ["smite", "done"]  # one of its two attempts
    missed = rite([1, 2])
    assert missed.state.sides[0].vp == 0
    denied = field(unit("a1", (10, 12), **MIND), unit("b1", (10, 20), **MIND), phase="psychic", dice=[3, 3, 3, 4])
    do(denied, "a1", "rite", "b1")
    assert denied.state.sides[0].vp == 0
    held = field(unit("a1", (10, 12), **MIND), unit("b1", (10, 20), **MIND), phase="psychic", dice=[2, 4, 3, 3])
    do(held, "a1", "rite", "b1")
    assert held.state.sides[0].vp == 4


@pytest.mark.rule("wh40k.action.psychic.who", "wh40k.action.psychic.no-fall-back")
def test_who_may_attempt_one() -> None:
    battle = field(
        unit("a1", (10, 12), psychic={"casts": 1, "as_if": True}),
        unit("a2", (10, 14), _move="fall-back", **{**MIND, "keywords": ["monster", "psyker", "titanic"]}),
        unit("a3", (10, 16), **MIND),
    )

    def barred(key: str) -> list[str]:
        return [
            r.rule for r in standing(battle.state, psychic_objections(battle.state, battle.state.unit(key), "rite"))
        ]

    assert barred("a1") == ["wh40k.action.psychic.who"]
    assert barred("a2") == ["wh40k.action.psychic.no-fall-back"]
    assert barred("a3") == []


@pytest.mark.rule("wh40k.action.psychic.not-while-performing", "wh40k.action.psychic.own-limits")
def test_not_during_another_but_engaged_or_after_one() -> None:
    battle = field(
        unit("a1", (10, 12), action="banner", until="turn", **MIND),
        unit("a2", (20, 12), **MIND),
        unit("b1", (20, 13.5)),
        used={"round/a2/action": 1},
    )
    assert psychic_actions(battle.state, battle.state.unit("a1")) == []
    assert psychic_actions(battle.state, battle.state.unit("a2")) == ["rite"]


@pytest.mark.rule("wh40k.action.psychic.one-per-unit-per-round", "wh40k.action.psychic.same-once-per-round")
def test_once_a_unit_and_once_an_army() -> None:
    battle = rite([1, 2])
    assert "wh40k.action.psychic.one-per-unit-per-round" in refused(battle, "rite")
    assert "wh40k.action.psychic.same-once-per-round" in refused(battle, "rite")
    fresh = field(unit("a1", (10, 12), **MIND), phase="command", used={"round/0/psychic-action rite": 1})
    rules = [r.rule for r in standing(fresh.state, psychic_objections(fresh.state, fresh.state.unit("a1"), "rite"))]
    assert rules == ["wh40k.action.psychic.same-once-per-round"]


@pytest.mark.rule("wh40k.action.psychic.perils")
def test_the_death_of_the_psyker_ends_it() -> None:
    battle = rite([6, 6, 1], {"w": 1})
    assert battle.state.sides[0].vp == 0
    assert cites(battle, "wh40k.action.psychic.perils")
    assert prompt(battle)
