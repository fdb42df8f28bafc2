"""Stratagems: Command points, limits, Command Re-roll, Insane Bravery, those of factions."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.rulings import standing
from umpire.games.wh40k.dice import REROLLABLE
from umpire.games.wh40k.stratagems import CORE, gain_points, objections, refund, timely
from wh40k.builder import ability, alive, cites, do, fire, gun, options, prompt, refused, rolls, row, scene, told, unit

ALWAYS = [f"{kind}:always" for kind in REROLLABLE]


def shots(dice: list[int], cp: int = 3, wishes: list[str] | None = None, **mine: Any) -> Any:
    battle = scene(
        unit("a1", (10, 10), **{"weapons": [gun(type="assault", attacks="2")], **mine}),
        unit("b1", *row(10, 21, 3)),
        phase="shooting",
        dice=dice,
        sides=[{"cp": cp, "wishes": ALWAYS if wishes is None else wishes}, {"cp": 3}],
    )
    do(battle, "a1")
    return fire(battle)


@pytest.mark.rule("wh40k.stratagem.command-reroll", "wh40k.dice.reroll-accept")
def test_one_die_is_rolled_again_and_the_new_result_stands() -> None:
    battle = shots([4, 3, 1])
    assert prompt(battle) == "ask.command-reroll"
    assert options(battle) == ["die-3", "die-4", "pass"]
    do(battle, "die-4")
    assert battle.state.sides[0].cp == 2
    assert told(battle, "reroll")[0].roll.faces == [1, 3]
    assert told(battle, "hits")[0].facts["hits"] == 0
    nobody = shots([4, 3, 1], cp=0)
    assert prompt(nobody) != "ask.command-reroll"


@pytest.mark.rule("wh40k.stratagem.once-per-phase")
def test_once_a_phase_and_side() -> None:
    battle = shots([4, 3, 1, 4, 1])
    do(battle, "die-3")
    assert told(battle, "wounds")  # nobody was asked again
    assert battle.state.used["phase/0/command-reroll"] == 1
    rules = [r.rule for r in objections(battle.state, 0, "command-reroll", 1)]
    assert rules == ["wh40k.stratagem.once-per-phase"]
    assert list(objections(battle.state, 1, "command-reroll", 1)) == []


@pytest.mark.rule("wh40k.dice.reroll-once", "wh40k.dice.reroll-specific")
def test_a_die_is_never_rolled_a_third_time() -> None:
    again = [ability("reroll", what="hit", which="ones")]
    battle = shots([1, 3, 2], abilities=again)
    assert told(battle, "reroll")[0].roll.faces == [2, 3]  # only the 1
    assert options(battle) == ["die-3", "pass"]


@pytest.mark.rule("wh40k.stratagem.command-reroll.whole-roll", "wh40k.dice.reroll-whole-test")
def test_both_dice_of_a_psychic_test() -> None:
    battle = scene(
        unit("a1", (10, 10), keywords=["infantry", "psyker"], psychic={"casts": 1}),
        unit("b1", *row(10, 20, 3)),
        phase="psychic",
        dice=[1, 2, 4, 4, 1],
        sides=[{"cp": 1, "wishes": ["psychic:failed"]}, {}],
    )
    do(battle, "a1", "smite")
    assert options(battle) == ["all", "pass"]
    assert refused(battle, "die-1")
    do(battle, "all")
    assert told(battle, "reroll")[0].roll.faces == [4, 4]


@pytest.mark.rule("wh40k.stratagem.command-reroll", "wh40k.morale.test.roll")
def test_other_rolls_are_never_offered() -> None:
    assert REROLLABLE == ("hit", "wound", "save", "advance", "damage", "attacks", "charge", "psychic", "deny")
    battle = scene(
        unit("a1", *row(5, 10, 4), dead=3, died=3, ld=7),
        unit("b1", (40, 28)),
        phase="morale",
        dice=[2],
        sides=[{"cp": 1, "wishes": ALWAYS}, {}],
    )
    assert rolls(battle, "morale") == [[2]]


@pytest.mark.rule("wh40k.stratagem.command-reroll")
def test_nobody_is_asked_who_does_not_wish_it() -> None:
    assert prompt(shots([3, 3], wishes=[])) != "ask.command-reroll"
    assert prompt(shots([4, 4, 1, 1], wishes=["hit:failed"])) != "ask.command-reroll"
    failed = shots([4, 3], wishes=["hit:failed"])
    assert options(failed) == ["die-3", "pass"]


@pytest.mark.rule("wh40k.stratagem.core-list")
def test_the_seven_and_what_they_cost() -> None:
    assert [cost for cost, _ in CORE.values()] == [1, 1, 2, 1, 1, 2, 2]
    assert len(CORE) == 7


@pytest.mark.rule("wh40k.stratagem.insane-bravery")
def test_insane_bravery_once_a_battle_and_before_the_die() -> None:
    def brave(used: dict[str, int]) -> Any:
        return scene(
            unit("a1", *row(5, 10, 6, 0.2), dead=5, died=5, ld=5),
            unit("b1", (40, 28)),
            phase="morale",
            dice=[6, 6, 6, 6, 6, 6],
            sides=[{"cp": 2}, {}],
            used=used,
        )

    battle = brave({})
    assert prompt(battle) == "ask.insane-bravery"
    do(battle, "a1")
    assert (alive(battle, "a1"), battle.state.sides[0].cp) == (6, 0)
    assert not rolls(battle, "morale")
    assert prompt(brave({"battle/0/insane-bravery": 1})) == "ask.lost"
    assert prompt(brave({"battle/1/insane-bravery": 1})) == "ask.insane-bravery"


BRAVE = {"id": "brave", "cost": 2, "phase": "shooting", "does": [{"name": "modify", "what": "hit", "value": 1}]}


def window(stratagems: list[dict], cp: int = 3, **more: Any) -> Any:
    return scene(
        unit("a1", (10, 10), weapons=[gun(type="assault")]),
        unit("b1", (10, 21), weapons=[gun()]),
        sides=[{"cp": cp}, {"cp": cp}],
        stratagems=stratagems,
        **{"phase": "shooting", **more},
    )


@pytest.mark.rule("wh40k.stratagem.use", "wh40k.army.cp.starting")
def test_points_first_then_the_effect() -> None:
    battle = window([BRAVE], dice=[1])
    assert options(battle) == ["brave:a1", "pass"]
    do(battle, "brave:a1")
    assert battle.state.sides[0].cp == 1
    do(battle, "a1")
    fire(battle)
    assert told(battle, "hits") or True
    assert prompt(window([BRAVE], cp=1)) == "ask.shoot"
    assert prompt(window([{**BRAVE, "keywords": ["monster"]}])) == "ask.shoot"
    assert prompt(window([{**BRAVE, "phase": "charge"}])) == "ask.shoot"


@pytest.mark.rule("wh40k.stratagem.same-name")
def test_the_same_name_is_the_same_stratagem() -> None:
    name = {"zh": "brave", "en": "brave"}
    battle = window([{**BRAVE, "id": key, "name": name, "cost": 1} for key in ("one", "twin")])
    assert options(battle) == ["one:a1", "twin:a1", "pass"]
    do(battle, "one:a1")
    assert prompt(battle) == "ask.shoot"


@pytest.mark.rule("wh40k.stratagem.end-of-phase", "wh40k.turn.end-of-phase")
def test_the_end_of_a_phase_belongs_to_it() -> None:
    late = {**BRAVE, "id": "late", "name": {"zh": "brave", "en": "brave"}, "phase": "end-shooting", "cost": 1}
    battle = window([{**BRAVE, "cost": 1}, late], dice=[1])
    do(battle, "brave:a1", "a1")
    fire(battle)
    assert prompt(battle) != "ask.stratagem"
    unused = window([late], dice=[1])
    do(unused, "a1")
    fire(unused)
    assert prompt(unused) == "ask.stratagem"


@pytest.mark.rule("wh40k.stratagem.outside-phase")
def test_outside_a_phase_there_is_no_limit() -> None:
    battle = window([BRAVE])
    battle.state.used["phase/0/brave"] = 1
    assert [r.rule for r in objections(battle.state, 0, "brave", 1)] == ["wh40k.stratagem.once-per-phase"]
    battle.state.phase = "deployment"
    assert list(standing(battle.state, objections(battle.state, 0, "brave", 1))) == []


@pytest.mark.rule("wh40k.turn.out-of-phase-stratagems")
def test_only_the_real_phase_counts() -> None:
    enemy = {**BRAVE, "whose": "own"}
    battle = window([enemy], active=1)
    assert battle.decision.side == 1  # type: ignore[union-attr]
    assert options(battle) == ["brave:b1", "pass"]
    assert not timely(battle.state, 1, battle.state.lore.stratagems["brave"], "charge")
    do(battle, "pass")
    assert prompt(battle) == "ask.shoot"  # the other side's own Shooting phase it is not


@pytest.mark.rule("wh40k.army.cp.gain-limit")
def test_one_point_a_round_from_all_abilities() -> None:
    battle = window([])
    assert gain_points(battle, 0, 3, "wh40k.core.precedence-faction") == 1
    assert gain_points(battle, 0, 1, "wh40k.core.precedence-faction") == 0
    assert gain_points(battle, 1, 1, "wh40k.core.precedence-faction") == 1
    assert battle.state.sides[0].cp == 4
    battle.state.sides[1].spent = 2
    assert refund(battle, 1, 2, "wh40k.core.precedence-faction") == 0


@pytest.mark.rule("wh40k.army.cp.self-refund-exempt")
def test_a_stratagem_that_refunds_itself() -> None:
    battle = window([{**BRAVE, "refunds": True}], dice=[4], used={"round/0/cp-gained": 1})
    do(battle, "brave:a1")
    assert battle.state.sides[0].cp == 3
    assert battle.state.used["round/0/cp-gained"] == 1


@pytest.mark.rule("wh40k.army.cp.no-refund-outside-phase")
def test_what_was_spent_outside_a_phase_is_gone() -> None:
    battle = window([])
    battle.state.phase = "deployment"
    battle.state.sides[0].spent = 2
    assert refund(battle, 0, 2, "wh40k.core.precedence-faction") == 0
    assert cites(battle, "wh40k.army.cp.no-refund-outside-phase")
    battle.state.phase = "shooting"
    assert refund(battle, 0, 2, "wh40k.core.precedence-faction") == 1


@pytest.mark.rule("wh40k.command.gain-cp", "wh40k.army.cp.command-phase")
def test_a_point_in_every_command_phase_of_ones_own() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 28)), phase="turn", sides=[{"cp": 0}, {"cp": 0}])
    assert [side.cp for side in battle.state.sides] == [1, 0]
    used = scene(
        unit("a1", (10, 10)), unit("b1", (10, 28)), phase="turn", sides=[{"cp": 0}, {}], used={"round/0/cp-gained": 1}
    )
    assert used.state.sides[0].cp == 1


@pytest.mark.parametrize(
    ("phase", "does", "far", "vain"),
    [
        ("morale", {"name": "auto-pass"}, 11, True),
        ("charge", {"name": "modify", "what": "charge", "value": 1.0}, 11, False),
        ("charge", {"name": "modify", "what": "charge", "value": 1.0}, 24, True),
    ],
)
def test_a_stratagem_for_a_test_or_charge_that_nobody_makes_is_in_vain(
    phase: str, does: dict[str, Any], far: float, vain: bool
) -> None:
    entry = {"id": "help", "name": {"zh": "助", "en": "Help"}, "cost": 1, "phase": phase, "does": [does]}
    battle = scene(
        unit("a1", (10, 10)),
        unit("b1", (10 + far, 10)),
        phase=phase,
        sides=[{"cp": 3}, {"cp": 3}],
        stratagems=[entry],
    )
    ask = battle.decision
    assert ask.prompt.key == "ask.stratagem"
    assert [option.vain for option in ask.options.values()] == [vain, False]
