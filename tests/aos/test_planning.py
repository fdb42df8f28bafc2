"""What the planner knows of Age of Sigmar: battle tactics, errands, and what to think of first."""

from __future__ import annotations

from typing import Any

import pytest

from aos.builder import ask, block, do, row, scene, skip_to, unit
from umpire.arena import compare
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.games.aos.planning import candidates
from umpire.games.aos.prospects import best_subject, places, prospect
from umpire.games.aos.tactics import TACTICS
from umpire.games.aos.worth import errands, terms, worth

FOE = unit("b1", (40, 28))


def trying(tactic: str, *units: dict[str, Any], about: str = "", phase: str = "end", **more: Any) -> Battle[Any]:
    player = {"tactic": tactic, "tactic_about": about, **more.pop("player", {})}
    return scene(*units, phase=phase, half=0, sides=[player, {}], **more)


def chance(tactic: str, *units: dict[str, Any], about: str = "", **more: Any) -> float:
    # The position is looked at as it was put: an "end" phase that nobody has anything to do in is soon over.
    battle = trying(tactic, *units, about=about, **{"phase": "movement", **more})
    return prospect(battle.state, 0, tactic, about)


def there(*spots: tuple[float, float]) -> list[dict[str, Any]]:
    """Units that each have moved already."""
    return [unit(f"a{n}", spot, core=True, used_phase=["normal-move"]) for n, spot in enumerate(spots, 1)]


def before(*holders: int) -> list[dict[str, Any]]:
    return [{"x": x, "y": 15, "holder": h} for x, h in zip((10, 30), holders, strict=True)]


def test_what_is_done_is_certain_and_what_is_out_of_reach_is_not_hoped_for() -> None:
    idle = unit("a9", (22, 2))
    assert chance("seize-the-centre", *there((20, 15), (24, 15)), idle, FOE) == 1.0
    assert chance("seize-the-centre", *there((20, 15), (30, 15)), idle, FOE) == 0.0
    assert 0.5 < chance("seize-the-centre", unit("a1", (20, 15)), unit("a2", (29, 15)), FOE) < 1.0
    assert chance("take-the-flanks", *there((3, 15), (41, 15)), idle, FOE) == 1.0
    assert chance("take-the-flanks", *there((3, 5), (41, 15)), idle, FOE) == 0.0
    assert 0.5 < chance("take-the-flanks", unit("a1", (3, 8)), unit("a2", (41, 15)), FOE) < 1.0
    assert chance("attack-on-two-fronts", *there((10, 15), (30, 15)), idle, FOE, objectives=before(1, -1)) == 1.0
    assert chance("attack-on-two-fronts", *there((10, 15), (30, 15)), idle, FOE, objectives=before(-1, -1)) == 0.0
    assert chance("attack-on-two-fronts", *there((10, 15), (30, 15)), idle, FOE, objectives=before(0, 1)) == 0.0


def test_land_and_entourage_are_looked_for_where_they_are() -> None:
    land = [block(20, 24, 3, 3, 0.5), block(8, 25, 3, 3, 0.5)]
    away = unit("b1", (40, 2), keywords=["hero"], regiment=0)
    weak = unit("b2", (30, 9), regiment=0, damage=0, health=1)
    near = unit("a1", (21, 16))
    battle = scene(near, away, weak, phase="start", terrain=land, sides=[{}, {"general": "b1"}])
    assert best_subject(battle.state, 0, "take-their-land") == "t1"
    strong = unit(
        "a1", (27, 5), weapons=[{"id": "axe", "attacks": "6", "hit": 2, "wound": 2, "rend": 3, "damage": "3"}]
    )
    battle = scene(strong, away, weak, phase="start", sides=[{}, {"general": "b1"}])
    assert best_subject(battle.state, 0, "slay-the-entourage") == "b2"
    assert chance("take-their-land", *there((20, 21)), unit("a9", (5, 5)), FOE, about="t1", terrain=land) == 1.0
    gone = trying("take-their-land", near, FOE, about="b1-terrain", phase="movement")  # destroyed since it was named
    assert prospect(gone.state, 0, "take-their-land", "b1-terrain") == 0.0
    assert places(gone.state, gone.state.unit("a1")) == []


def test_units_that_fight_do_not_waver() -> None:
    fights = (unit("a1", (10, 15)), unit("a2", (20, 15)), unit("b1", (10, 17)), unit("b2", (20, 17)))
    likely = chance("do-not-waver", *fights)
    assert likely > 0.7
    assert chance("do-not-waver", *fights, player={"lost": 1}) == 0.0
    assert chance("do-not-waver", *fights[:3]) < likely


def test_a_tactic_within_reach_is_worth_more_than_one_that_is_not() -> None:
    units = (unit("a1", (20, 15)), unit("a2", (24, 15)), FOE)
    worths = {tactic: worth(trying(tactic, *units, phase="start").state, 0) for tactic in ("", "seize-the-centre")}
    assert worths["seize-the-centre"] > worths[""] + 100
    assert set(terms(trying("", *units, phase="start").state, 0)) == {"score", "army", "position"}


def test_the_best_tactic_is_the_first_idea() -> None:
    battle = scene(unit("a1", (20, 10)), unit("a2", (24, 10)), FOE, phase="start")
    do(battle, "tactical-gambit")
    assert list(candidates(battle, ask(battle), Rng(0))) == ["seize-the-centre"]
    do(battle, "seize-the-centre")
    assert places(battle.state, battle.state.unit("a1")) == [(22.0, 15.0)]
    assert places(battle.state, battle.state.unit("b1")) == []


def test_every_tactic_has_a_prospect() -> None:
    land = [block(20, 24, 3, 3, 0.5)]
    hero = unit("b1", (40, 28), keywords=["hero"], regiment=0)
    state = scene(unit("a1", (20, 10)), hero, phase="start", terrain=land, sides=[{}, {"general": "b1"}]).state
    assert all(0.0 <= prospect(state, 0, t, best_subject(state, 0, t)) <= 1.0 for t in TACTICS)


def test_every_objective_gets_the_unit_that_is_nearest() -> None:
    spots = [{"x": 8, "y": 15}, {"x": 36, "y": 15}, {"x": 22, "y": 6, "holder": 0}]
    units = (unit("a1", (20, 5)), unit("a2", (24, 8)), unit("a3", *row(20, 2, 3)), FOE)
    battle = scene(*units, objectives=spots, phase="movement")
    sent = {errand.unit.id: (errand.objective.x, errand.idle) for errand in errands(battle.state, 0)}
    assert sorted(goal for goal, idle in sent.values() if not idle) == [8.0, 36.0]
    assert sent["a2"] == (36.0, False)  # nobody need guard what no enemy is near to
    guarded = scene(*units[:3], unit("b1", (22, 16)), objectives=spots, phase="movement")
    kept = [errand.unit.id for errand in errands(guarded.state, 0) if errand.objective.x == 22.0]
    assert kept == ["a1", "a2", "a3"]


def test_those_with_far_to_go_are_thought_of_first_and_run() -> None:
    spots = [{"x": 8, "y": 15}, {"x": 36, "y": 10}]
    battle = scene(unit("a1", (22, 5)), unit("a2", (8, 12)), FOE, unit("b2", (8, 27)), objectives=spots)
    skip_to(battle, "ask.ability")
    while battle.state.phase != "movement":
        do(battle, "done")
    ideas = list(candidates(battle, ask(battle), Rng(0)))
    assert ideas[0] == "run:a1"
    assert ideas[-1] == "done"
    do(battle, "normal-move:a2")
    assert next(candidates(battle, ask(battle), Rng(0))) == {"stay": True}


@pytest.mark.parametrize(("round", "first", "wish"), [(1, 0, "second"), (2, 0, "first"), (2, 1, "second")])
def test_nobody_is_given_two_turns_in_a_row(round: int, first: int, wish: str) -> None:
    battle = scene(unit("a1", (22, 5)), FOE, phase="end", half=1, round=round)
    skip_to(battle, "ask.first-turn")
    battle.state.round, battle.state.first = round, first
    side = ask(battle).side
    expected = wish if side == 0 else {"first": "second", "second": "first"}[wish] if round > 1 else wish
    assert list(candidates(battle, ask(battle), Rng(0))) == [expected]


def test_the_planner_beats_chance() -> None:
    assert compare("aos", "planner", "random", 1, seed=3, jobs=1).wins.share == 1.0
