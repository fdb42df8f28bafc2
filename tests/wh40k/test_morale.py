"""The Morale phase: tests, Combat Attrition, coherency; Leadership from terrain and from the warlord."""

from __future__ import annotations

from typing import Any

import pytest

from asking import as_usual
from umpire.games.wh40k.morale import leadership, must_test
from umpire.games.wh40k.returning import return_models
from wh40k.builder import ability, alive, area, ask, cites, do, needs, options, prompt, rolls, row, scene, told, unit


def shaken(dice: list[int], count: int = 6, died: int = 3, **more: Any) -> Any:
    sides = more.pop("sides", [{}, {}])
    terrain = more.pop("terrain", [])
    return scene(
        unit("a1", *row(5, 10, count, 0.2), dead=died, died=died, **more),
        unit("b1", (40, 28)),
        phase="morale",
        dice=dice,
        sides=sides,
        terrain=terrain,
    )


@pytest.mark.rule("wh40k.morale.test.roll", "wh40k.morale.test.leadership")
def test_a_die_and_the_losses_against_the_highest_leadership() -> None:
    passed = shaken([4], ld=7)
    assert told(passed, "morale")[0].facts == {"unit": "a1", "result": 7, "leadership": 7}
    assert alive(passed, "a1") == 6
    failed = shaken([5, 6, 6, 6, 6, 6], ld=7)
    assert prompt(failed) == "ask.lost"
    led = {"kinds": [{"id": "man", "ld": 7}, {"id": "boss", "ld": 8}], "rows": ["man"] * 5 + ["boss"]}
    assert alive(shaken([5], **led), "a1") == 6


@pytest.mark.rule("wh40k.morale.test.trigger", "wh40k.morale.test.once")
def test_who_lost_a_model_this_turn_tests_once() -> None:
    battle = scene(
        unit("a1", (10, 10), w=8, wounds=[1]),
        unit("a2", *row(10, 14, 3), dead=1),
        unit("a3", *row(10, 18, 3), dead=1, died=1),
        unit("b1", (40, 28)),
        phase="command",
    )
    assert [must_test(battle.state, battle.state.unit(f"a{n}")) for n in (1, 2, 3)] == [False, False, True]
    flight = shaken([6, 6, 6, 6, 6, 6], ld=2)
    do(flight, ["a1.1"])
    assert len(rolls(flight, "morale")) == 1


@pytest.mark.rule("wh40k.morale.test.natural-1")
def test_a_one_passes_whatever_was_lost() -> None:
    battle = shaken([1], died=12, ld=6)
    assert alive(battle, "a1") == 6
    assert cites(battle, "wh40k.morale.test.natural-1")


@pytest.mark.rule("wh40k.morale.fail.one-flees", "wh40k.morale.attrition.when")
def test_one_flees_and_then_the_dice_are_rolled_for_the_rest() -> None:
    battle = shaken([6, 2, 2, 2, 2, 2], died=4, ld=4)
    assert ask(battle).side == 0
    assert len(options(battle)) == 6
    do(battle, ["a1.3"])
    assert alive(battle, "a1") == 5
    assert len(rolls(battle, "attrition")[0]) == 5
    last = shaken([6], count=1, died=3, ld=4)
    assert not rolls(last, "attrition")
    assert last.state.unit("a1").where == "gone"


@pytest.mark.rule("wh40k.morale.attrition.roll", "wh40k.morale.attrition.below-half", "wh40k.unit.below-half-strength")
def test_ones_flee_and_below_half_twos_as_well() -> None:
    above = shaken([6, 1, 1, 3, 4, 5], count=6, died=4, ld=4, starting=10)
    do(above, ["a1.1"])
    assert needs(above, "attrition") == [2]  # 5 of 10 is not below half
    assert told(above, "attrition")[0].facts["count"] == 2
    below = shaken([6, 1, 2, 3, 4], count=5, died=5, ld=4, starting=10)
    do(below, ["a1.1"])
    assert told(below, "attrition")[0].facts["count"] == 2
    assert needs(below, "attrition") == [3]


@pytest.mark.rule("wh40k.morale.test.order", "wh40k.morale.phase.steps")
def test_by_turns_from_the_active_player() -> None:
    battle = scene(
        unit("a1", *row(5, 5, 2), dead=1, died=1),
        unit("b1", *row(5, 20, 2), dead=1, died=1),
        unit("b2", *row(15, 20, 2), dead=1, died=1),
        unit("b3", *row(5, 25, 2), (20, 25), dead=1, died=1),
        phase="morale",
        dice=[1, 1, 1, 1],
    )
    do(battle, "b2", "b3")
    order = [e.roll.who for e in battle.events if e.roll is not None and e.roll.purpose == "morale"]
    assert order == ["a1", "b2", "b3", "b1"]
    assert prompt(battle) == "ask.lost"  # coherency comes after all tests


@pytest.mark.rule("wh40k.morale.fled.destroyed-no-trigger")
def test_who_flees_triggers_nothing_but_counts_as_destroyed_by_the_enemy() -> None:
    battle = scene(
        unit("a1", (10, 10), dead=3, died=3, ld=3, explodes={"roll": 2, "range": 6, "wounds": "1"}),
        unit("a2", (12, 10)),
        unit("b1", (40, 28)),
        phase="morale",
        dice=[6],
    )
    assert (battle.state.unit("a1").where, battle.state.unit("a1").by) == ("gone", "flight")
    assert battle.state.unit("a2").where == "table"


@pytest.mark.rule("wh40k.morale.priority.auto-pass")
def test_passing_beats_failing() -> None:
    both = [ability("auto-pass"), ability("auto-fail")]
    assert alive(shaken([], abilities=both), "a1") == 6
    doomed = shaken([6, 6, 6, 6, 6], abilities=[ability("auto-fail")], ld=10)
    assert prompt(doomed) == "ask.lost"


@pytest.mark.rule("wh40k.morale.priority.no-flee")
def test_nobody_flees_beats_more_flee() -> None:
    battle = shaken([6], ld=2, abilities=[ability("no-flee"), ability("modify", what="flee", value=2)])
    assert (alive(battle, "a1"), prompt(battle)) == (6, "ask.move-unit")
    more = shaken([6, 6, 6, 6], ld=2, abilities=[ability("modify", what="flee", value=2)])
    assert len(ask(more).suggest()) == 3


@pytest.mark.rule("wh40k.morale.revived.all", "wh40k.morale.revived.some")
def test_models_that_came_back_were_never_lost() -> None:
    battle = scene(unit("a1", *row(5, 10, 3), dead=5, died=5), unit("b1", (40, 28)), phase="movement")
    a = battle.state.unit("a1")
    as_usual(return_models(battle, a, 2, "wh40k.core.precedence-faction"))
    assert len(a.died) == 3
    as_usual(return_models(battle, a, 3, "wh40k.core.precedence-faction"))
    assert not must_test(battle.state, a)
    assert cites(battle, "wh40k.morale.revived.all")


@pytest.mark.rule(
    "wh40k.morale.coherency.check", "wh40k.morale.coherency.no-morale", "wh40k.morale.coherency.no-trigger"
)
def test_units_lose_models_until_they_hang_together() -> None:
    battle = scene(
        unit("a1", (5, 10), (6.5, 10), (8, 10), (20, 10), (21.5, 10), explodes={"roll": 2, "range": 3, "wounds": "1"}),
        unit("b1", (40, 28)),
        phase="morale",
    )
    do(battle, ["a1.4"], ["a1.5"])
    assert alive(battle, "a1") == 3
    assert not battle.state.unit("a1").died
    assert not rolls(battle, "morale")
    two = scene(
        unit("a1", (5, 10), (15, 10), explodes={"roll": 2, "range": 3, "wounds": "1"}), unit("b1", (40, 28)),
        phase="morale",
    )  # fmt: skip
    do(two, ["a1.1"])
    assert not rolls(two, "explodes")


@pytest.mark.rule("wh40k.terrain.trait.inspiring", "wh40k.terrain.trait.inspiring.keyword")
def test_statues_inspire_those_wholly_near() -> None:
    def ld(x: float, keywords: tuple[str, ...] = ("infantry",), keyword: str = "") -> int:
        battle = scene(
            unit("a1", (x, 10), ld=7, keywords=list(keywords)),
            unit("b1", (40, 28)),
            terrain=[area("statuary", 10, 10, 2, 2, height=3, keyword=keyword)],
        )
        return int(leadership(battle.state, battle.state.unit("a1")).total)

    assert ld(16.5) == 8
    assert ld(16.6) == 7
    assert ld(14, keyword="hegemony") == 7
    assert ld(14, ("infantry", "hegemony"), "hegemony") == 8


@pytest.mark.rule("wh40k.warlord.inspiring-leader", "wh40k.action.aura-off")
def test_the_warlord_inspires() -> None:
    def ld(x: float, **boss: Any) -> int:
        leader = {"keywords": ["infantry", "character"], "warlord": True, "gifts": [{"id": "inspiring-leader"}], **boss}
        battle = scene(
            unit("a1", (x, 10), ld=7), unit("a2", (10, 10), **leader), unit("b1", (40, 28)), tasks=[{"id": "banner"}]
        )
        return int(leadership(battle.state, battle.state.unit("a1")).total)

    assert ld(17) == 8
    assert ld(17.1) == 7
    assert ld(17, action="banner", until="turn") == 7
    assert ld(17, where="reserve") == 7


@pytest.mark.rule("wh40k.morale.revived.some", "wh40k.core.engagement-entry")
def test_the_owner_says_where_models_come_back() -> None:
    foe = unit("b1", (10, 8))
    battle = scene(unit("a1", (5, 10), (6.2, 10), dead=2, died=2), foe, phase="movement")
    steps = return_models(battle, battle.state.unit("a1"), 1, "wh40k.core.precedence-faction")
    where = next(steps)
    assert where.check(where.default).legal
    (model,) = where.default["models"]

    def at(x: float, y: float) -> Any:
        return where.check({"models": {model: {"x": x, "y": y}}})

    assert at(5, 12).legal
    assert at(5, 14).rules == ("wh40k.unit.coherency-when",)
    assert at(9.5, 9).rules == ("wh40k.core.engagement-entry",)
    assert at(6.2, 10.2).rules == ("wh40k.move.no-ending-on-models",)
