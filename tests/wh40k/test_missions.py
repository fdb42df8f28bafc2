"""Missions of our own: who holds a marker, what scores, what a mission does by itself."""

from __future__ import annotations

from typing import Any

import pytest

import umpire
from umpire.engine.rng import Rng
from umpire.games.wh40k import content
from umpire.games.wh40k.missions import holder, score_command, score_turn
from umpire.games.wh40k.terrain import TYPES
from wh40k.builder import ask, do, row, scene, unit


def field(*units: dict, scoring: list[str] | None = None, **more: Any) -> Any:
    mission = {"scoring": scoring or ["hold", "hold-two", "hold-more"], **more.pop("mission", {})}
    spots = [[22, 15], [10, 15]]
    return scene(*units, objectives=spots, **{"phase": "movement", "round": 2, "mission": mission, **more})


@pytest.mark.rule("wh40k.detachment.roles")
def test_troops_hold_against_any_number_of_others() -> None:
    battle = field(unit("a1", (22, 13)), unit("b1", *row(20, 18, 4), role="elites"))
    assert holder(battle.state, battle.state.objectives[0]) == 0
    crowd = field(unit("a1", (22, 13), role="elites"), unit("b1", *row(20, 18, 4), role="elites"))
    assert holder(crowd.state, crowd.state.objectives[0]) == 1


def test_what_is_scored_in_the_command_phase() -> None:
    battle = field(unit("a1", (22, 13)), unit("a2", (10, 13)), unit("b1", (40, 28)))
    score_command(battle)
    assert battle.state.sides[0].vp == 15
    early = field(unit("a1", (22, 13)), unit("b1", (40, 28)), round=1)
    score_command(early)
    assert early.state.sides[0].vp == 0


def test_kills_and_the_warlord_are_scored_once() -> None:
    battle = field(
        unit("a1", (22, 13)), unit("b1", (40, 28), warlord=True), unit("b2", (40, 20)), scoring=["kills", "warlord"]
    )
    gone = battle.state.unit("b1")
    gone.where, gone.by = "gone", "a1"
    score_turn(battle)
    score_turn(battle)
    assert battle.state.sides[0].vp == 7


@pytest.mark.rule("wh40k.core.closest-tie-rolloff")
def test_a_tie_that_is_nobodys_is_settled_by_a_roll_off() -> None:
    battle = scene(
        unit("a1", (18, 15), w=5), unit("b1", (26, 15), w=5), phase="round", mission={"effect": "strike"},
        dice=[2, 6, 1],
    )  # fmt: skip
    assert (ask(battle).prompt.key, ask(battle).side) == ("ask.nearest", 1)
    do(battle, "a1")
    assert battle.state.unit("a1").models[0].wounds == 4


def test_there_is_a_mission_for_every_size_and_every_type_of_terrain_on_some_table() -> None:
    assert {mission.size for mission in content.core().missions} == {
        "combat-patrol", "incursion", "strike-force", "onslaught",
    }  # fmt: skip
    laid = {content.pieces()[kind].type for layout in content.core().layouts for kind, *_ in layout.pieces}
    assert laid == set(TYPES)


@pytest.mark.parametrize("scenario", ["first-footing", "cross-roads", "fires-from-above", "behind-the-lines"])
def test_missions_are_played_to_their_end(scenario: str) -> None:
    battle = umpire.battle("wh40k", scenario=scenario, seed=4)
    rng = Rng(4)
    while battle.decisions:
        question = battle.decisions[0]
        battle.answer(question.suggest(rng), question.side)
    assert battle.outcome is not None
