"""Rounds, turns, phases, priority, underdog, command points."""

from __future__ import annotations

from typing import Any

import pytest

import umpire
from aos.builder import ask, block, bow, cites, do, kinds, options, refused, rolls, scene, skip_to, told, unit
from umpire.engine import usage
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.engine.view import view
from umpire.errors import UmpireError
from umpire.games.aos.abilities import named, offers, thinkable
from umpire.games.aos.state import PHASES


@pytest.mark.rule("aos.round.structure", "aos.round.phases")
def test_one_deployment_five_rounds_two_turns_each_seven_phases_in_order() -> None:
    battle = umpire.battle("aos", seed=21, scenario="open-field")
    rng = Rng(1)
    while battle.decision is not None:
        battle.answer(battle.suggest(rng))
    assert kinds(battle).count("deployment") == 1
    assert kinds(battle).index("deployment") < kinds(battle).index("round")
    assert kinds(battle).count("round") == 5
    sides = [e.facts["side"].key for e in told(battle, "turn")]
    assert [sorted(sides[n : n + 2]) for n in range(0, 10, 2)] == [["side.0", "side.1"]] * 5
    phases = [e.facts["phase"].key for e in told(battle, "phase")]
    assert phases == [f"phase.{name}" for name in PHASES] * 10


@pytest.mark.rule("aos.round.phases")
def test_an_ability_of_another_phase_is_refused() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 22)), phase="movement")
    assert refused(battle, "charge:a1") == ["aos.round.phases"]
    assert refused(battle, "redeploy:a1") == ["aos.round.phases"]
    assert refused(battle, "normal-move:a1") == []


def test_the_track_tells_whose_turn_it_is() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 22)), phase="movement")
    track = [stage["zh"] for stage in view(battle, 0)["picture"]["track"]]
    assert track[1:] == ["甲方的回合", "移动阶段"]


@pytest.mark.rule("aos.round.start-steps", "aos.round.start-abilities", "aos.command.points")
def test_steps_at_the_start_of_a_round() -> None:
    stirring = {"id": "stir", "timing": "any round", "per": "battle", "does": [{"do": "command-point", "value": 1}]}
    battle = scene(
        unit("a1", (10, 5), abilities=[stirring]),
        unit("b1", (10, 25), abilities=[stirring]),
        phase="round",
        round=2,
        dice=[6, 1],
        sides=[{"vp": 3, "command": 2}, {"vp": 5, "command": 9}],
    )
    do(battle, "second")
    order = [k for k in kinds(battle) if k in ("round", "priority", "first-turn", "underdog", "command-points")]
    assert order == ["round", "priority", "first-turn", "underdog", "command-points", "command-points"]
    assert [s.command for s in battle.state.sides] == [5, 4]
    assert ask(battle).side == 1  # the active player first
    do(battle, "scene-b1.stir:b1")
    assert ask(battle).side == 0
    do(battle, "scene-a1.stir:a1")
    assert [s.command for s in battle.state.sides] == [6, 5]
    assert cites(battle, "aos.round.start-abilities")


@pytest.mark.rule("aos.command.points")
def test_unspent_points_do_not_carry_over() -> None:
    battle = scene(unit("a1", (10, 5)), unit("b1", (10, 25)), phase="end", half=1, active=1, round=5)
    battle.answer("done") if battle.decision else None
    assert [s.command for s in battle.state.sides] == [0, 0]
    assert battle.outcome is not None


@pytest.mark.rule("aos.round.underdog")
def test_no_underdog_at_equal_points() -> None:
    battle = scene(
        unit("a1", (10, 5)), unit("b1", (10, 25)), phase="round", round=2, dice=[2, 5], sides=[{"vp": 4}, {"vp": 4}]
    )
    do(battle, "first")
    assert battle.state.underdog == -1
    assert [s.command for s in battle.state.sides] == [4, 4]


@pytest.mark.rule("aos.round.underdog")
def test_the_underdog_stays_for_the_whole_round() -> None:
    battle = scene(
        unit("a1", (10, 5)), unit("b1", (10, 25)), phase="round", round=2, dice=[2, 5], sides=[{"vp": 1}, {"vp": 4}]
    )
    do(battle, "first")
    assert battle.state.underdog == 0
    later = scene(
        unit("a1", (10, 5)),
        unit("b1", (10, 25)),
        phase="end",
        round=2,
        underdog=0,
        objectives=[{"x": 10, "y": 5}],
        sides=[{"vp": 3, "command": 0}, {"vp": 4, "command": 0}],
    )
    assert later.state.sides[0].vp > 4  # a turn has been scored, and the other one has begun
    assert (later.state.active, later.state.underdog) == (1, 0)


@pytest.mark.rule("aos.round.first-turn-round-one", "aos.core.deploy-alternate")
def test_who_finishes_deploying_first_decides_the_first_turn() -> None:
    battle = scene(
        unit("a1", where="roster"),
        unit("b1", where="roster"),
        unit("b2", where="roster"),
        phase="deployment",
        round=0,
        begins=1,
    )
    assert ask(battle).side == 1
    do(battle, "deploy-unit:b1", {"x": 20, "y": 25}, "deploy-unit:a1", {"x": 20, "y": 5})
    assert ask(battle).side == 1  # the other goes on alone
    do(battle, "deploy-unit:b2", {"x": 30, "y": 25})
    assert ask(battle).prompt.key == "ask.first-turn"
    assert ask(battle).side == 0


@pytest.mark.rule("aos.round.priority-roll", "aos.round.active-player")
def test_a_tied_priority_roll_belongs_to_whoever_went_first() -> None:
    battle = scene(unit("a1", (10, 5)), unit("b1", (10, 25)), phase="round", round=3, dice=[4, 4], first=1)
    assert ask(battle).side == 1
    assert rolls(battle, "priority") == [[4], [4]]
    do(battle, "second")
    assert battle.state.first == 0
    assert battle.state.active == 0


@pytest.mark.rule("aos.round.priority-roll")
def test_the_winner_may_give_the_first_turn_away() -> None:
    battle = scene(unit("a1", (10, 5)), unit("b1", (10, 25)), phase="round", round=3, dice=[2, 5], first=0)
    assert ask(battle).side == 1
    do(battle, "second")
    assert battle.state.first == 0


@pytest.mark.rule("aos.core.roll-off")
def test_a_roll_off_is_rolled_again_on_a_tie() -> None:
    battle = scene(unit("a1", where="roster"), unit("b1", where="roster"), phase="setup", dice=[3, 3, 2, 5])
    assert rolls(battle, "roll-off") == [[3], [3], [2], [5]]
    assert ask(battle).side == 1


@pytest.mark.rule("aos.core.phase-order")
def test_the_opponent_acts_when_the_active_player_is_done() -> None:
    battle = scene(unit("a1", (10, 5)), unit("a2", (20, 5)), unit("b1", (10, 25)), phase="movement")
    assert ask(battle).side == 0
    assert "redeploy:b1" not in options(battle)
    do(battle, "normal-move:a1", {"stay": True})
    assert ask(battle).side == 0
    do(battle, "done")
    assert ask(battle).side == 1
    assert options(battle) == ["redeploy:b1", "done"]


@pytest.mark.rule("aos.core.army-auxiliary", "aos.core.army-underspend")
def test_fewer_auxiliaries_and_underspending_give_command_points() -> None:
    battle = scene(
        unit("a1", (10, 5)),
        unit("b1", (10, 25)),
        phase="round",
        round=1,
        sides=[{"auxiliaries": 0}, {"auxiliaries": 2, "underspent": True}],
    )
    do(battle, "first")
    assert [s.command for s in battle.state.sides] == [5, 5]
    behind = scene(
        unit("a1", (10, 5)),
        unit("b1", (10, 25)),
        phase="round",
        round=2,
        dice=[5, 1],
        sides=[{"auxiliaries": 0}, {"auxiliaries": 2, "vp": 1}],
    )
    do(behind, "first")
    assert [s.command for s in behind.state.sides] == [6, 4]  # fewer auxiliaries, and the underdog
    again = scene(
        unit("a1", (10, 5)),
        unit("b1", (10, 25)),
        phase="round",
        round=2,
        dice=[5, 1],
        sides=[{"auxiliaries": 2}, {"auxiliaries": 2, "underspent": True}],
    )
    do(again, "first")
    assert [s.command for s in again.state.sides] == [4, 4]


@pytest.mark.rule("aos.core.victory")
def test_most_points_win_and_equal_points_are_a_draw() -> None:
    for points, winner in (((3, 5), 1), ((4, 4), None)):
        battle = scene(
            unit("a1", (10, 5)),
            unit("b1", (10, 25)),
            phase="end",
            half=1,
            active=1,
            round=5,
            sides=[{"vp": points[0], "command": 0}, {"vp": points[1], "command": 0}],
        )
        assert battle.outcome is not None
        assert battle.outcome.winner == winner


@pytest.mark.rule("aos.core.battlefield-setup", "aos.deploy.order")
def test_objectives_terrain_territories_deployment_in_this_order() -> None:
    battle = umpire.battle("aos", seed=3, scenario="open-field", dice=[6, 1])
    assert ask(battle).prompt.key == "ask.territory"
    assert ask(battle).side == 0
    do(battle, "1")
    assert ask(battle).side == 1  # the loser decides who begins
    do(battle, "you")
    assert [s.territory for s in battle.state.sides] == [1, 0]
    assert battle.state.begins == 0
    told_kinds = kinds(battle)
    assert (
        told_kinds.index("objectives")
        < told_kinds.index("terrain")
        < told_kinds.index("territory")
        < told_kinds.index("deployment")
    )


@pytest.mark.rule("aos.round.structure", "aos.core.once-per")
def test_a_new_turn_forgets_what_lasted_for_the_last_one() -> None:
    spent = {"charged": True, "arrived": True, "empowered": True, "keywords_turn": ["run"], "used_turn": ["rally"]}
    battle = scene(unit("a1", (10, 5), (11.2, 5), **spent), unit("b1", (10, 25), **spent), phase="turn", active=1)
    for key in ("a1", "b1"):
        now = battle.state.unit(key)
        assert (now.charged, now.arrived, now.empowered) == (False, False, False)
        assert (now.keywords_turn, now.used_turn) == ((), ())


@pytest.mark.rule("aos.core.first-blood-score", "aos.core.reserve")
def test_the_player_whose_turn_ends_scores_and_only_deployed_reserves_are_lost() -> None:
    ghost = unit("b2", where="reserve", kind="manifestation", banishment=7)
    units = (unit("a1", (10, 5)), unit("b1", (10, 25)), ghost)
    here = [{"x": 10, "y": 25}]
    battle = scene(*units, phase="end", active=1, half=1, objectives=here, sides=[{"command": 0}, {"command": 0}])
    assert [side.vp for side in battle.state.sides] == [0, 4]
    fourth = scene(*units, phase="round", round=4, dice=[6, 1])
    assert fourth.state.unit("b2").where == "reserve"


@pytest.mark.rule("aos.core.reserve")
def test_who_was_deployed_in_reserve_is_destroyed_when_the_fourth_round_begins() -> None:
    def beginning(number: int, **late: object) -> Battle[Any]:
        away = unit("a2", where="reserve", **late)
        return scene(unit("a1", (10, 5)), away, unit("b1", (10, 25)), phase="round", round=number, dice=[6, 1])

    fourth = beginning(4, reserve_by_deploy=True)
    assert fourth.state.unit("a2").where == "gone"
    order = [e.kind for e in fourth.events if e.kind in ("destroyed", "roll")]
    assert order == ["destroyed", "roll", "roll"]  # before anything else happens in the round
    assert cites(fourth, "aos.core.reserve")
    assert beginning(3, reserve_by_deploy=True).state.unit("a2").where == "reserve"
    assert beginning(4).state.unit("a2").where == "reserve"  # put there by other means


@pytest.mark.rule("aos.ability.one-core", "aos.command.limits", "aos.core.once-per")
def test_a_new_phase_forgets_what_was_used_in_the_last_one() -> None:
    battle = scene(unit("a1", (10, 5)), unit("b1", (10, 25)), phase="movement")
    state = battle.state
    for own in (state.unit("a1"), state.unit("b1")):
        own.core = own.commanded = own.miscast = True
        own.power = own.unbinds = 1
        own.used_phase = ("normal-move",)
        own.used_turn = ("normal-move",)
    for side in (0, 1):
        usage.spend(state, "redeploy", "phase", side)
        usage.spend(state, "a-spell", "turn", side)
    while state.phase == "movement":
        do(battle, "done")
    assert state.phase != "movement"
    for own in (state.unit("a1"), state.unit("b1")):
        assert (own.core, own.commanded, own.miscast, own.power, own.unbinds) == (False, False, False, 0, 0)
        assert (own.used_phase, own.used_turn) == ((), ("normal-move",))
    assert [usage.count(state, "redeploy", "phase", side) for side in (0, 1)] == [0, 0]
    assert [usage.count(state, "a-spell", "turn", side) for side in (0, 1)] == [1, 1]


@pytest.mark.rule("aos.core.once-per")
def test_turns_and_rounds_open_what_was_limited_to_the_last_one() -> None:
    units = (unit("a1", (10, 5)), unit("b1", (10, 25)))
    for half, left in ((0, {"turn": 0, "round": 1, "battle": 1}), (1, {"turn": 0, "round": 0, "battle": 1})):
        battle = scene(*units, phase="movement", active=half, half=half, dice=[6, 1])
        for per in left:
            usage.spend(battle.state, "deed", per, "a1")
        while not told(battle, "turn"):
            battle.answer("done" if "done" in options(battle) else "first")
        assert {per: usage.count(battle.state, "deed", per, "a1") for per in left} == left


@pytest.mark.rule("aos.core.persisting")
def test_what_lasts_for_a_round_outlasts_its_turns() -> None:
    lasting = [{"on": "a1", "what": "move", "op": "add", "value": 2, "source": "0:x", "until": "round"}]
    units = (unit("a1", (10, 5)), unit("b1", (10, 25)))
    first = scene(*units, phase="movement", effects=lasting)
    while first.state.active == 0:
        first.answer("done")
    assert len(first.state.effects) == 1
    second = scene(*units, phase="movement", active=1, half=1, effects=lasting, dice=[6, 1])
    skip_to(second, "ask.first-turn")
    assert second.state.effects == []


@pytest.mark.rule("aos.core.battle-tactics", "aos.core.tactic-do-not-waver", "aos.core.tactic-attack-on-two-fronts")
def test_a_new_turn_starts_the_count_for_tactics_anew() -> None:
    spent = {"tactic": "do-not-waver", "tactic_about": "b1", "tactics": ["do-not-waver"], "fought": 2, "lost": 1}
    battle = scene(
        unit("a1", (10, 5)),
        unit("b1", (10, 25)),
        phase="turn",
        active=1,
        sides=[spent, spent],
        objectives=[{"x": 30, "y": 15, "holder": 1, "held_before": 0}],
    )
    for side in battle.state.sides:
        assert (side.tactic, side.tactic_about, side.fought, side.lost) == ("", "", 0, 0)
        assert side.tactics == ("do-not-waver",)
    assert battle.state.objectives[0].held_before == 1


@pytest.mark.rule("aos.core.victory", "aos.core.battle-tactics")
def test_a_battleplan_may_break_ties_by_completed_tactics() -> None:
    for tie_break, winner in (("tactics", 0), ("", None)):
        battle = scene(
            unit("a1", (10, 5)),
            unit("b1", (10, 25)),
            phase="end",
            half=1,
            active=0,
            round=5,
            plan={"tie_break": tie_break},
            sides=[{"command": 0, "tactic": "do-not-waver", "fought": 2, "vp": 1}, {"command": 0, "vp": 5}],
        )
        assert battle.outcome is not None
        assert battle.outcome.winner == winner


@pytest.mark.rule("aos.core.battlefield-setup")
def test_who_lost_the_roll_off_may_begin_deployment() -> None:
    battle = umpire.battle("aos", seed=3, scenario="open-field", dice=[6, 1])
    do(battle, "0", "me")
    assert [side.territory for side in battle.state.sides] == [0, 1]
    assert battle.state.begins == 1


@pytest.mark.rule("aos.tactic.tactical-gambit", "aos.round.first-turn-round-one")
def test_in_the_first_round_nobody_has_had_a_second_turn_before() -> None:
    for chooser in (0, 1):
        battle = scene(unit("a1", (10, 5)), unit("b1", (10, 25)), phase="round", round=1, begins=chooser, first=0)
        assert ask(battle).side == chooser
        do(battle, "first")
        assert [side.chose_first for side in battle.state.sides] == [False, False]


@pytest.mark.rule("aos.shoot.shoot")
def test_a_wish_is_judged_in_the_phase_that_the_scene_describes() -> None:
    """Nobody can shoot, so the battle has gone on; the judge asked about the shooting phase."""
    battle = scene(unit("a1", (10, 10), keywords_turn=["run"], weapons=[bow()]), unit("b1", (10, 18)), phase="shooting")
    assert battle.state.phase != "shooting"
    wish = {"deed": "shoot", "who": "a1"}
    assert list(battle.why_not(0, wish).rules) == ["aos.shoot.shoot"]
    battle = scene(unit("a1", (10, 10), keywords_turn=["run"]), unit("b1", (10, 18)), phase="charge")
    assert ask(battle).side == 1  # Counter-charge
    assert list(battle.why_not(0, {"deed": "charge", "who": "a1"}).rules) == ["aos.charge.charge"]
    with pytest.raises(UmpireError, match="stands inside terrain"):
        scene(unit("a1", (10, 10)), unit("b1", (10, 18)), terrain=[block(10, 18.5, 3, 3, 4)])


@pytest.mark.parametrize("without", [(), ("aos.ability.one-core", "aos.core.rules-of-one", "aos.command.cost")])
def test_chance_suggests_whatever_is_offered_and_nothing_else(without: tuple[str, ...]) -> None:
    battle = umpire.battle("aos", seed=6, without=without)
    rng = Rng(6)
    looked = 0
    while (question := battle.decision) is not None and looked < 40:
        if question.prompt.key == "ask.ability" and len(battle.answers) > 30:
            side = question.side
            assert set(offers(battle.state, side)) <= set(map(named, thinkable(battle.state, side)))
            every = set(battle.fork().decision.ids)  # type: ignore[union-attr]
            thorough = looked % 8 == 0
            found = {question.suggest(rng) for _ in range(20 * len(every) if thorough else 4)}
            assert found == every if thorough else found <= every
            looked += 1
        battle.answer(question.suggest(rng))
    assert looked == 40
