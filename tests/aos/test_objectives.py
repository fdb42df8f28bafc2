"""Objectives, control, scoring, battle tactics."""

from __future__ import annotations

import pytest

from aos.builder import ask, block, cites, do, options, refused, row, scene, skip_to, told, unit
from umpire.engine.battle import Battle
from umpire.games.aos.combat import declare_fight
from umpire.games.aos.objectives import MARKER, SCORING, contests_objective, control_score
from umpire.games.aos.state import Model, Objective, Use
from umpire.games.aos.tactics import TACTICS, their_land

QUIET = {"sides": [{"command": 0}, {"command": 0}]}


def ended(*units: dict, **more: object) -> Battle:
    """The active player's turn ends and control is checked."""
    position = {"phase": "end", "half": 1, **QUIET, **more}
    return scene(*units, **position)


@pytest.mark.rule("aos.objective.marker", "aos.objective.contest")
def test_the_edge_of_the_marker_counts() -> None:
    assert pytest.approx(0.787, abs=0.001) == MARKER
    marker = Objective("o1", 20, 15)
    assert contests_objective(Model("m", 20 - MARKER - 3.5, 15, r=0.5, q=0.5), marker)
    assert not contests_objective(Model("m", 20 - MARKER - 3.502, 15, r=0.5, q=0.5), marker)


@pytest.mark.rule("aos.objective.control", "aos.core.control-score", "aos.unit.standard-bearer")
def test_the_higher_control_score_controls() -> None:
    here = [{"x": 20, "y": 15}]
    tie = ended(unit("a1", (18, 15), control=5), unit("b1", (22, 15), control=5), objectives=here)
    assert tie.state.objectives[0].holder == -1
    more = ended(unit("a1", (18, 15), control=5, roles=["standard"]), unit("b1", (22, 15), control=5), objectives=here)
    assert more.state.objectives[0].holder == 0
    ten = scene(unit("a1", *row(10, 10, 6), *row(10, 11.2, 4), roles=["standard", "standard"]), unit("b1", (30, 28)))
    banner = ten.state.unit("a1")
    assert control_score(ten.state, banner, list(banner.models[:6]))[0] == 7


@pytest.mark.rule("aos.objective.timing", "aos.objective.sticky")
def test_control_is_checked_at_the_end_of_turns_and_kept() -> None:
    here = [{"x": 20, "y": 15, "holder": 1}]
    moving = scene(unit("a1", (18, 15)), unit("b1", (30, 28)), phase="movement", objectives=here)
    assert moving.state.objectives[0].holder == 1  # nothing changes before the check
    taken = ended(unit("a1", (18, 15)), unit("b1", (30, 28)), objectives=here)
    assert taken.state.objectives[0].holder == 0
    left = ended(unit("a1", (2, 2)), unit("b1", (30, 28)), objectives=here)
    assert left.state.objectives[0].holder == 1
    tie = ended(unit("a1", (18, 15)), unit("b1", (22, 15)), objectives=here)
    assert tie.state.objectives[0].holder == 1
    assert cites(tie, "aos.objective.sticky")
    start = scene(unit("a1", (18, 15)), unit("b1", (30, 28)), phase="round", round=1, objectives=[{"x": 20, "y": 15}])
    assert start.state.objectives[0].holder == 0  # and at the start of the first round


@pytest.mark.rule("aos.unit.standard-bearer")
def test_a_place_is_told_with_the_rules_that_counted_there() -> None:
    two = [{"x": 20, "y": 15}, {"x": 40, "y": 15}]
    battle = ended(unit("a1", (18, 15)), unit("b1", (42, 15), roles=["standard"]), objectives=two)
    told_by = {event.facts["place"]: event.rules for event in battle.events if event.kind == "control"}
    assert "aos.unit.standard-bearer" not in told_by["o1"]
    assert "aos.unit.standard-bearer" in told_by["o2"]


@pytest.mark.rule("aos.core.contest-one")
def test_a_unit_contests_one_objective() -> None:
    here = [{"x": 18, "y": 15}, {"x": 23, "y": 15}]
    battle = ended(unit("a1", (20.5, 15)), unit("b1", (40, 28)), objectives=here)
    assert options(battle) == ["o1", "o2"]
    do(battle, "o2")
    assert [o.holder for o in battle.state.objectives] == [-1, 0]


@pytest.mark.rule("aos.core.contest-one")
def test_a_unit_usually_counts_where_it_turns_the_control() -> None:
    here = [{"x": 18, "y": 15}, {"x": 23, "y": 15}]
    spare, need = unit("a1", (14, 15)), unit("a2", (20.5, 15), (20.5, 13.5))
    alone = ended(spare, need, unit("b1", (40, 28)), objectives=here)  # the first is ours without it
    assert ask(alone).details()["default"] == "o2"
    pressed = ended(spare, need, unit("b1", (18, 18), control=2), objectives=here)
    assert ask(pressed).details()["default"] == "o1"


@pytest.mark.rule("aos.objective.terrain-control")
def test_features_are_lost_when_nobody_stands_by() -> None:
    ruin = block(20, 15, 4, 4, 0.5, holder=0)
    left = ended(unit("a1", (2, 2)), unit("b1", (40, 28)), terrain=[ruin])
    assert left.state.terrain[0].holder == -1
    tie = ended(unit("a1", (16, 15)), unit("b1", (24, 15)), terrain=[ruin])
    assert tie.state.terrain[0].holder == 0
    taken = ended(unit("a1", (16, 15)), unit("b1", (24, 15), control=3), terrain=[ruin])
    assert taken.state.terrain[0].holder == 1


@pytest.mark.rule("aos.core.first-blood-score", "aos.core.victory")
def test_first_blood_scores() -> None:
    score = SCORING["first-blood"]
    assert [score(2, 1), score(1, 1), score(0, 0), score(0, 3)] == [6, 2, 0, 0]
    battle = ended(
        unit("a1", (10, 15)),
        unit("a2", (20, 15)),
        unit("b1", (40, 28)),
        objectives=[{"x": 10, "y": 15}, {"x": 20, "y": 15}, {"x": 38, "y": 28}],
        battleplan="first-blood",
        round=4,
    )
    assert battle.state.sides[0].vp == 6
    assert battle.outcome is not None  # four rounds


def tactic(name: str, *units: dict, about: str = "", **more: object) -> bool:
    sides = [
        {"command": 0, "tactic": name, "tactic_about": about, **more.pop("player", {})},
        {"command": 0, **more.pop("foe", {})},
    ]  # type: ignore[dict-item]
    battle = scene(*units, phase="end", half=1, sides=sides, **more)  # type: ignore[arg-type]
    return battle.state.sides[0].vp >= 4 and bool(told(battle, "tactic-done"))


@pytest.mark.rule("aos.core.tactic-do-not-waver", "aos.core.battle-tactics")
def test_do_not_waver() -> None:
    units = (unit("a1", (10, 5)), unit("b1", (10, 28)))
    assert tactic("do-not-waver", *units, player={"fought": 2})
    assert not tactic("do-not-waver", *units, player={"fought": 1})
    assert not tactic("do-not-waver", *units, player={"fought": 2, "lost": 1})


@pytest.mark.rule("aos.core.tactic-do-not-waver")
def test_a_unit_that_fights_twice_is_one_unit_that_fought() -> None:
    battle = scene(unit("a1", (10, 5)), unit("b1", (10, 7.5)), phase="combat")
    for _ in range(2):
        next(declare_fight(battle, Use("fight", 0, "a1")), None)
    assert [side.fought for side in battle.state.sides] == [1, 0]


@pytest.mark.rule("aos.core.tactic-slay-the-entourage")
def test_slay_the_entourage() -> None:
    gone = unit("b2", where="gone", regiment=0)
    assert tactic("slay-the-entourage", unit("a1", (10, 5)), unit("b1", (10, 28), regiment=0), gone, about="b2")
    assert not tactic("slay-the-entourage", unit("a1", (10, 5)), unit("b1", (10, 28), regiment=0), gone, about="b1")
    picking = scene(
        unit("a1", (10, 5)),
        unit("b1", (10, 28), regiment=0, keywords=["hero"]),
        unit("b2", (20, 28), regiment=0),
        unit("b3", (30, 28)),
        phase="start",
        sides=[{}, {"general": "b1"}],
    )
    do(picking, "tactical-gambit", "slay-the-entourage")
    assert options(picking) == ["b1", "b2"]  # named when the tactic is picked


@pytest.mark.rule("aos.core.tactic-attack-on-two-fronts")
def test_attack_on_two_fronts() -> None:
    units = (unit("a1", (10, 15)), unit("a2", (30, 15)), unit("b1", (40, 28)))

    def before(*holders: int) -> list[dict]:
        return [{"x": x, "y": 15, "holder": h} for x, h in zip((10, 30), holders, strict=True)]

    assert tactic("attack-on-two-fronts", *units, objectives=before(1, -1))
    assert not tactic("attack-on-two-fronts", *units, objectives=before(-1, -1))
    assert not tactic("attack-on-two-fronts", *units, objectives=before(0, 1))


@pytest.mark.rule("aos.core.tactic-take-their-land")
def test_take_their_land() -> None:
    theirs, between = block(20, 24, 3, 3, 0.5), block(30, 15, 14, 14, 0.5)
    units = (unit("a1", (20, 21)), unit("b1", (40, 2)))
    assert tactic("take-their-land", *units, about="t1", terrain=[theirs])
    battle = scene(*units, phase="start", terrain=[theirs, between, block(10, 15, 3, 3, 0.5)])
    assert [f.id for f in their_land(battle.state, 0)] == ["t1"]  # t2 touches ours, t3 neither
    two = scene(*units, phase="start", terrain=[theirs, between, block(8, 25, 3, 3, 0.5)])
    do(two, "tactical-gambit", "take-their-land")
    assert refused(two, "t2") == ["aos.core.tactic-take-their-land"]


@pytest.mark.rule("aos.core.tactic-seize-the-centre")
def test_seize_the_centre() -> None:
    a, b, c = unit("a1", (20, 15)), unit("a2", (24, 15)), unit("a3", (22, 18))
    assert tactic("seize-the-centre", a, b, unit("b1", (40, 28)))
    assert not tactic("seize-the-centre", a, b, unit("b1", (27, 15)))
    assert tactic("seize-the-centre", a, b, c, unit("b1", (27.9, 15)))
    assert tactic("seize-the-centre", a, unit("a2", (25.5, 15)), unit("b1", (40, 28)))  # exactly 3 inches
    assert not tactic("seize-the-centre", a, unit("a2", (25.6, 15)), unit("b1", (40, 28)))


@pytest.mark.rule("aos.core.tactic-take-the-flanks")
def test_take_the_flanks() -> None:
    foe = unit("b1", (20, 28))
    left, right = unit("a1", (3, 15)), unit("a2", (41, 15))
    assert tactic("take-the-flanks", left, right, foe)
    assert tactic("take-the-flanks", unit("a1", (6.5, 15)), right, foe)
    assert not tactic("take-the-flanks", unit("a1", (6.6, 15)), right, foe)
    assert not tactic("take-the-flanks", unit("a1", (3, 5)), right, foe)  # wholly in friendly territory
    assert not tactic("take-the-flanks", unit("a1", (3, 15), arrived=True), right, foe)  # set up this turn


@pytest.mark.rule("aos.tactic.tactical-gambit")
def test_the_tactical_gambit() -> None:
    def starting(**player: object) -> Battle:
        return scene(
            unit("a1", (10, 5), keywords=["hero"]), unit("b1", (10, 28)), phase="start", half=1, sides=[player, {}]
        )

    battle = starting(tactics=["do-not-waver"])
    assert (ask(battle).prompt.key, ask(battle).details()["default"]) == ("ask.gambit", "tactical-gambit")
    do(battle, "tactical-gambit")
    assert refused(battle, "do-not-waver") == ["aos.tactic.tactical-gambit"]
    do(battle, "take-the-flanks")
    assert battle.state.sides[0].tactics == ("do-not-waver", "take-the-flanks")
    assert "tactical-gambit" not in (options(battle) if ask(battle).prompt.key == "ask.ability" else [])
    barred = starting(chose_first=True)
    assert "tactical-gambit" not in options(barred)


@pytest.mark.rule("aos.tactic.tactical-gambit", "aos.round.priority-roll")
def test_a_double_turn_costs_the_gambit_unless_the_opponent_gave_it() -> None:
    for dice, chooser, choice, barred in (([6, 1], 0, "first", True), ([1, 6], 1, "second", False)):
        battle = scene(unit("a1", (10, 5)), unit("b1", (10, 28)), phase="round", round=3, first=1, dice=dice)
        assert ask(battle).side == chooser
        do(battle, choice)
        assert battle.state.first == 0
        assert battle.state.sides[0].chose_first is barred


@pytest.mark.rule("aos.core.battle-tactics")
def test_a_failed_tactic_scores_nothing_and_stays_used() -> None:
    battle = scene(
        unit("a1", (10, 5)),
        unit("b1", (10, 28)),
        phase="end",
        half=1,
        sides=[{"command": 0, "tactic": "do-not-waver", "tactics": ["do-not-waver"]}, {}],
    )
    if battle.decision is not None and ask(battle).prompt.key == "ask.ability":
        skip_to(battle, "ask.first-turn")
    assert battle.state.sides[0].vp == 0
    assert battle.state.sides[0].tactics == ("do-not-waver",)
    assert told(battle, "tactic-failed")
    assert len(TACTICS) == 6


@pytest.mark.rule("aos.core.contest-one", "aos.objective.terrain-control")
def test_a_unit_contests_one_feature_and_its_commander_picks_where_it_matters() -> None:
    near, far = block(18, 24, 2, 2, 0.5), block(24, 24, 2, 2, 0.5)
    units = (unit("a1", (21, 24)), unit("b1", (40, 2)))
    battle = ended(*units, terrain=[near, far])
    assert (ask(battle).side, options(battle)) == (0, ["t1", "t2"])  # either might be their land one day
    do(battle, "t2")
    assert [f.holder for f in battle.state.terrain] == [-1, 0]
    tried = [{"command": 0, "tactics": ["take-their-land"]}] * 2
    idle = ended(*units, terrain=[near, far], sides=tried)
    assert [f.holder for f in idle.state.terrain] == [0, -1]  # nothing asks who controls them any more


@pytest.mark.rule("aos.objective.terrain-control", "aos.core.tactic-take-their-land")
def test_impassable_ground_is_a_feature_like_any_other() -> None:
    chasm = block(20, 24, 3, 3, 0, type="impassable")
    battle = ended(unit("a1", (20, 21)), unit("b1", (40, 2)), terrain=[chasm])
    assert battle.state.terrain[0].holder == 0
    assert [f.id for f in their_land(battle.state, 0)] == ["t1"]


@pytest.mark.rule("aos.core.tactic-take-their-land")
def test_their_land_lies_in_enemy_territory_and_does_not_touch_ours() -> None:
    slim = {"territories": [[[0, 0], [44, 0], [44, 20], [0, 20]], [[0, 20], [44, 20], [44, 30], [0, 30]]]}

    def land(*features: dict) -> list[str]:
        battle = scene(unit("a1", (2, 2)), unit("b1", (40, 28)), plan=slim, terrain=list(features))
        return [f.id for f in their_land(battle.state, 0)]

    assert land(block(20, 22, 4, 4, 1), block(10, 22.1, 4, 4, 1)) == ["t2"]  # the first touches friendly territory
    across = {"territories": [[[0, 0], [44, 0], [44, 5], [0, 5]], [[20, 14], [24, 14], [24, 16], [20, 16]]]}
    wall = scene(unit("a1", (2, 2)), unit("b1", (40, 28)), plan=across, terrain=[block(22, 15, 20, 0.5, 1)])
    assert [f.id for f in their_land(wall.state, 0)] == ["t1"]  # it lies right across, no corner in the other


@pytest.mark.rule("aos.core.tactic-take-the-flanks")
def test_short_edges_are_the_short_ones() -> None:
    foe = unit("b1", (40, 30))
    tall = {"width": 44, "depth": 60}
    assert tactic("take-the-flanks", unit("a1", (22, 12.5)), unit("a2", (22, 53.6)), foe, **tall) is False
    assert tactic("take-the-flanks", unit("a1", (22, 6.4)), unit("a2", (22, 53.6)), foe, plan=NO_MANS, **tall)
    assert not tactic("take-the-flanks", unit("a1", (3, 30)), unit("a2", (41, 30)), foe, plan=NO_MANS, **tall)


NO_MANS = {"territories": [[[0, 0], [44, 0], [44, 1], [0, 1]], [[0, 59], [44, 59], [44, 60], [0, 60]]]}


@pytest.mark.rule("aos.core.tactic-do-not-waver")
def test_manifestations_do_not_fight_for_do_not_waver() -> None:
    ghost = unit("a1", (10, 10), kind="manifestation", banishment=7)
    foes = [unit("b1", (10, 11.5), weapons=[]), unit("b2", (20, 11.5), weapons=[])]
    battle = scene(ghost, unit("a2", (20, 10)), *foes, phase="combat", dice=[1] * 4, **QUIET)
    do(battle, "fight:a1", {"stay": True})
    assert ask(battle).about == "a2"  # it has been declared to fight as well
    assert battle.state.sides[0].fought == 1


@pytest.mark.rule("aos.objective.contest", "aos.core.manifestations", "aos.core.faction-terrain")
def test_only_units_contest() -> None:
    here, ruin = [{"x": 20, "y": 15}], block(20, 15, 1, 1, 0.5)
    tower = {"kind": "terrain", "move": 0, "base": [50.8], "weapons": [], "control": 9}
    spirit = {"kind": "manifestation", "move": 6, "banishment": 7, "control": 9}
    for thing in (tower, spirit):
        battle = ended(unit("a1", (18, 15), **thing), unit("b1", (40, 28)), objectives=here, terrain=[ruin])
        assert battle.state.objectives[0].holder == -1
        assert battle.state.terrain[0].holder == -1
        beside = ended(unit("a1", (18, 15), **thing), unit("b1", (22, 15)), objectives=here, terrain=[ruin])
        assert beside.state.objectives[0].holder == 1  # nor do they add to what their enemies must outdo
        assert beside.state.terrain[0].holder == 1


@pytest.mark.rule("aos.core.tactic-slay-the-entourage")
def test_who_is_destroyed_already_is_no_entourage() -> None:
    def open_to(*foes: dict) -> list[str]:
        battle = scene(unit("a1", (10, 5)), *foes, phase="start", sides=[{}, {"general": "b1"}])
        do(battle, "tactical-gambit")
        if "slay-the-entourage" not in options(battle):
            return []
        do(battle, "slay-the-entourage")
        return options(battle) if ask(battle).prompt.key == "ask.tactic-about" else [battle.state.sides[0].tactic_about]

    hero = {"regiment": 0, "keywords": ["hero"]}
    spirit = unit("b4", (34, 28), regiment=0, kind="manifestation", banishment=7)
    outside = unit("b5", (38, 20), regiment=1)
    fallen = unit("b1", where="gone", **hero)
    late = unit("b3", where="reserve", reserve_by_deploy=True, regiment=0)
    assert open_to(unit("b1", (10, 28), **hero), unit("b2", where="gone", regiment=0), late, spirit) == ["b1", "b3"]
    assert open_to(fallen, unit("b2", (20, 28), regiment=0), outside) == ["b2"]  # the regiment outlives its Hero
    assert open_to(fallen, unit("b2", where="gone", regiment=0), outside) == []
