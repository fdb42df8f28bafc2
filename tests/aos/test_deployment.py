"""Deployment: units, regiments, faction terrain, reserves, special abilities, First Blood."""

from __future__ import annotations

import math

import msgspec
import pytest

import umpire
from aos.builder import STAY, ask, at, do, kinds, options, refused, scene, unit
from umpire.games.aos.battlefield import any_room, feature_of

TOWER = {"kind": "terrain", "move": 0, "health": 9, "base": [76.2], "height": 3, "features": ["cover"], "weapons": []}


@pytest.mark.rule("aos.deploy.unit")
def test_more_than_nine_inches_from_enemy_territory() -> None:
    plan = {"territories": [[[0, 0], [44, 0], [44, 12], [0, 12]], [[0, 18], [44, 18], [44, 30], [0, 30]]]}
    battle = scene(
        unit("a1", where="roster"), unit("a2", where="roster"), unit("b1", (20, 25)), phase="deployment", plan=plan
    )
    do(battle, "deploy-unit:a1")
    assert refused(battle, {"x": 10, "y": 8.5}) == ["aos.deploy.unit"]  # exactly 9.0 inches
    assert refused(battle, {"x": 10, "y": 8.49}) == []
    do(battle, {"x": 10, "y": 5})
    assert refused(battle, "deploy-unit:a1") == ["aos.deploy.unit"]


@pytest.mark.rule("aos.deploy.battleplan")
def test_a_battleplan_may_change_the_distance() -> None:
    plan = {
        "territories": [[[0, 0], [44, 0], [44, 12], [0, 12]], [[0, 18], [44, 18], [44, 30], [0, 30]]],
        "deploy_gap": 6,
    }
    battle = scene(unit("a1", where="roster"), unit("b1", (20, 25)), phase="deployment", plan=plan)
    do(battle, "deploy-unit:a1")
    assert refused(battle, {"x": 10, "y": 11.4}) == []
    assert refused(battle, {"x": 10, "y": 11.5}) == ["aos.deploy.unit"]


@pytest.mark.rule("aos.deploy.order", "aos.deploy.faction-terrain")
def test_faction_terrain_comes_first_and_keeps_its_distance() -> None:
    battle = scene(
        unit("a1", where="roster"),
        unit("a2", where="roster", **TOWER),
        unit("b1", (20, 25)),
        phase="deployment",
        objectives=[{"x": 20, "y": 5}],
        terrain=[{"kind": "statue", "x": 35, "y": 5}],
    )
    assert ask(battle).prompt.key == "ask.deploy"  # no unit may be deployed before it
    marker, r = 40 / 50.8, 1.5
    assert refused(battle, {"x": 20 - marker - 3 - r, "y": 5}) == ["aos.deploy.faction-terrain"]
    assert refused(battle, {"x": 20 - marker - 3 - r - 0.01, "y": 5}) == []
    assert refused(battle, {"x": 34 - 3 - r, "y": 5}) == ["aos.deploy.faction-terrain"]  # exactly 3 from the statue
    assert refused(battle, {"x": 8, "y": 12}) == ["aos.deploy.faction-terrain"]
    do(battle, {"x": 8, "y": 5})
    assert options(battle) == ["deploy-unit:a1"]
    assert battle.state.unit("a2").where == "table"
    assert battle.state.terrain[-1].abilities == ("cover",)


@pytest.mark.rule("aos.deploy.regiment", "aos.deploy.regiment-definition")
def test_a_regiment_is_deployed_in_one_go() -> None:
    battle = scene(
        unit("a1", where="roster", regiment=0),
        unit("a2", where="roster", regiment=0),
        unit("a3", where="roster", regiment=1),
        unit("a4", where="roster", regiment=1),
        unit("b1", where="roster"),
        unit("b2", where="roster"),
        phase="deployment",
    )
    do(battle, "deploy-unit:a3", {"x": 5, "y": 5}, "deploy-unit:b1", {"x": 5, "y": 25})
    assert refused(battle, "deploy-regiment:1") == ["aos.deploy.regiment"]  # begun already
    do(battle, "deploy-regiment:0", "deploy-unit:a1", {"x": 10, "y": 5})
    assert ask(battle).side == 0  # no turn for the opponent yet
    assert refused(battle, "deploy-unit:a4") == ["aos.deploy.regiment"]
    do(battle, "deploy-unit:a2", {"x": 15, "y": 5})
    assert ask(battle).side == 1


@pytest.mark.rule("aos.deploy.special", "aos.core.reserve")
def test_a_special_deploy_ability_puts_a_unit_in_reserve() -> None:
    ambush = {"id": "ambush", "timing": "any deploy", "keywords": ["deploy"], "does": [{"do": "reserve"}]}
    battle = scene(unit("a1", where="roster", abilities=[ambush]), unit("b1", (20, 25)), phase="deployment")
    assert options(battle) == ["deploy-unit:a1", "scene-a1.ambush:a1"]
    do(battle, "scene-a1.ambush:a1")
    assert battle.state.unit("a1").where == "reserve"
    assert battle.state.unit("a1").reserve_by_deploy


@pytest.mark.rule("aos.core.reserve")
def test_reserves_are_destroyed_at_the_start_of_round_four() -> None:
    units = (unit("a1", (10, 5)), unit("a2", where="reserve", reserve_by_deploy=True), unit("b1", (10, 25)))
    third = scene(*units, phase="round", round=3, dice=[6, 1])
    assert third.state.unit("a2").where == "reserve"
    fourth = scene(*units, phase="round", round=4, dice=[6, 1])
    assert fourth.state.unit("a2").where == "gone"
    assert kinds(fourth).index("destroyed") < kinds(fourth).index("priority")


@pytest.mark.rule("aos.core.reserve", "aos.core.set-up")
def test_reserves_arrive_away_from_the_enemy() -> None:
    call = {"id": "call", "timing": "your movement", "per": "turn", "does": [{"do": "arrive"}]}
    battle = scene(
        unit("a1", (10, 5), abilities=[call]),
        unit("a2", where="reserve", reserve_by_deploy=True, size=2),
        unit("b1", (22, 12)),
        phase="movement",
    )
    do(battle, "scene-a1.call:a1")
    assert refused(battle, at(a2_1=(22, 2), a2_2=(23.2, 2))) == ["aos.core.reserve"]  # 9.0 inches from the enemy
    assert refused(battle, at(a2_1=(22, 1.9), a2_2=(23.2, 1.9))) == []
    assert refused(battle, at(a2_1=(22, 1.9))) == ["aos.core.set-up"]  # all its models
    assert refused(battle, at(a2_1=(22, 1.9), a2_2=(25, 1.9))) == ["aos.core.coherency"]
    do(battle, at(a2_1=(22, 1.9), a2_2=(23.2, 1.9)))
    assert battle.state.unit("a2").arrived


@pytest.mark.rule("aos.deploy.order")
def test_other_deployment_abilities_come_last() -> None:
    scout = {"id": "scout", "timing": "any deployment", "per": "battle", "does": [{"do": "march", "amount": "3"}]}
    battle = scene(unit("a1", where="roster", abilities=[scout]), unit("b1", where="roster"), phase="deployment")
    assert options(battle) == ["deploy-unit:a1"]
    do(battle, "deploy-unit:a1", {"x": 10, "y": 5}, "deploy-unit:b1", {"x": 10, "y": 25})
    assert options(battle) == ["scene-a1.scout:a1", "done"]
    do(battle, "scene-a1.scout:a1", STAY)


@pytest.mark.rule("aos.core.replacement")
def test_a_replacement_is_a_new_unit_and_comes_once() -> None:
    rise = {"id": "rise", "timing": "your hero", "does": [{"do": "replace", "what": "infantry"}]}
    once = {"id": "once", "timing": "your hero", "per": "battle", "does": [{"do": "heal", "amount": "1"}]}
    battle = scene(
        unit("a1", (10, 5), keywords=["hero"], abilities=[rise]),
        unit("a2", where="gone", size=2, abilities=[once], used_battle=["scene-a2.once"], tokens=["cursed"]),
        unit("b1", (22, 28)),
        phase="hero",
    )
    do(battle, "scene-a1.rise:a1", at(a3_1=(20, 2), a3_2=(21.2, 2)))
    new = battle.state.unit("a3")
    assert (new.profile.id, len(new.models), new.tokens, new.replaces) == ("scene-a2", 2, (), "a2")
    assert "scene-a2.once:a3" in options(battle)  # used by the original, but not by this unit
    assert battle.state.unit("a2").replaced
    new.where = "gone"
    from umpire.games.aos.abilities import use_ability

    battle.state.unit("a1").used_phase = ()
    battle.push(use_ability, 0, "scene-a1.rise", "a1", ())
    battle._run()
    assert "no-effect" in kinds(battle)  # neither the replaced nor the replacement again


@pytest.mark.rule("aos.core.first-blood-setup")
def test_first_blood_terrain_keeps_its_distances() -> None:
    battle = umpire.battle("aos", seed=3, scenario="first-blood", dice=[6, 1])
    assert ask(battle).side == 0
    do(battle, "attacker")
    assert ask(battle).side == 1  # the defender places terrain
    first = {"x": 22, "y": 6}  # a ruin, 5 by 4 inches
    assert refused(battle, {"x": 5.5, "y": 6}) == ["aos.core.first-blood-setup"]  # 3.0 inches from the edge
    assert refused(battle, {"x": 22, "y": 10}) == ["aos.core.first-blood-setup"]  # too near an objective
    assert refused(battle, first) == []
    do(battle, first)
    barricade = {"x": 22 + 2.5 + 6 + 2.5, "y": 6}
    assert refused(battle, barricade) == ["aos.core.first-blood-setup"]  # 6.0 inches from the ruin
    assert refused(battle, {**barricade, "x": barricade["x"] + 0.01}) == []
    while ask(battle).prompt.key == "ask.place-terrain":
        battle.answer(ask(battle).suggest())
    assert ask(battle).prompt.key == "ask.territory"
    assert ask(battle).side == 0
    do(battle, "0")
    assert battle.state.begins == 0
    assert len(battle.state.terrain) == 4


def test_a_refused_place_names_the_nearest_legal_one() -> None:
    battle = scene(unit("a1", where="roster", size=3), unit("b1", (20, 25)), phase="deployment")
    do(battle, "deploy-unit:a1")
    ruling = ask(battle).check({"x": 20, "y": 10.5})
    assert not ruling
    assert refused(battle, ruling.nearest) == []
    assert abs(ruling.nearest["y"] - 10.5) <= 1.5


@pytest.mark.rule("aos.deploy.faction-terrain")
def test_of_several_faction_terrain_features_the_player_picks_the_next() -> None:
    battle = scene(
        unit("a1", where="roster", **TOWER),
        unit("a2", where="roster", **TOWER),
        unit("a3", where="roster"),
        unit("b1", (20, 25)),
        phase="deployment",
    )
    assert (ask(battle).prompt.key, options(battle)) == ("ask.deploy-next", ["a1", "a2"])
    do(battle, "a2", {"x": 8, "y": 5})
    assert (ask(battle).prompt.key, ask(battle).about) == ("ask.deploy", "a1")
    assert refused(battle, {"x": 8 + 1.5 + 3 + 1.5, "y": 5}) == ["aos.deploy.faction-terrain"]  # 3 inches from it


@pytest.mark.rule("aos.deploy.order")
def test_in_every_step_the_player_who_begins_goes_first() -> None:
    scout = {"id": "scout", "timing": "any deployment", "per": "battle", "does": [{"do": "march", "amount": "3"}]}
    battle = scene(
        unit("a1", where="roster", **TOWER),
        unit("b1", where="roster", **TOWER),
        unit("a2", where="roster", abilities=[scout]),
        unit("b2", where="roster", abilities=[scout]),
        phase="deployment",
        begins=1,
    )
    assert (ask(battle).side, ask(battle).about) == (1, "b1")
    do(battle, {"x": 30, "y": 25})
    assert (ask(battle).side, ask(battle).about) == (0, "a1")
    do(battle, {"x": 30, "y": 5})
    do(battle, "deploy-unit:b2", {"x": 10, "y": 25}, "deploy-unit:a2", {"x": 10, "y": 5})
    assert (ask(battle).side, options(battle)) == (1, ["scene-b2.scout:b2", "done"])
    do(battle, "done")
    assert (ask(battle).side, options(battle)) == (0, ["scene-a2.scout:a2", "done"])


@pytest.mark.rule("aos.core.first-blood-setup")
def test_a_battle_of_2000_points_has_eight_features_on_a_larger_table() -> None:
    battle = umpire.battle("aos", seed=3, scenario="first-blood", options={"points": 2000})
    assert (battle.state.width, battle.state.depth) == (60, 44)
    do(battle, "attacker")
    placed = 0
    while ask(battle).prompt.key == "ask.place-terrain":
        battle.answer(ask(battle).suggest())
        placed += 1
    assert placed == 8


@pytest.mark.rule("aos.deploy.regiment", "aos.core.friendly-enemy")
def test_only_a_regiment_of_ones_own_is_deployed() -> None:
    battle = scene(
        unit("a1", where="roster", regiment=0), unit("b1", where="roster", regiment=1), phase="deployment", begins=0
    )
    assert options(battle) == ["deploy-unit:a1", "deploy-regiment:0"]


@pytest.mark.rule("aos.core.replacement")
def test_a_replacement_comes_more_than_nine_inches_from_enemies() -> None:
    rise = {"id": "rise", "timing": "your hero", "does": [{"do": "replace", "what": "infantry"}]}
    battle = scene(
        unit("a1", (10, 5), keywords=["hero"], abilities=[rise]),
        unit("a2", where="gone"),
        unit("b1", (30, 12)),
        phase="hero",
    )
    do(battle, "scene-a1.rise:a1")
    assert refused(battle, at(a3_1=(30, 2))) == ["aos.core.replacement"]  # 9.0 inches
    assert refused(battle, at(a3_1=(30, 1.99))) == []


@pytest.mark.rule("aos.core.first-blood-setup")
@pytest.mark.parametrize("kind", ["ruin", "wood", "rock", "hill", "boulders"])
def test_room_for_terrain_is_found_at_the_one_facing_that_has_it(kind: str) -> None:
    """Between two edges a piece fits along its narrowest side with a fiftieth of an inch to spare, and not with a
    fiftieth too little, whatever its facing."""
    state = umpire.battle("aos", seed=3, scenario="first-blood", dice=[6, 1]).state
    narrow = math.inf
    for quarter in range(720):
        depths = [y for part in feature_of(kind, "t", 0.0, 0.0, quarter / 4).parts for _, y in part.points]
        narrow = min(narrow, max(depths) - min(depths))
    bare = msgspec.structs.replace(state, width=44.0, objectives=[], terrain=[])
    assert any_room(msgspec.structs.replace(bare, depth=6.0 + narrow + 0.02), kind, "t") is not None
    assert any_room(msgspec.structs.replace(bare, depth=6.0 + narrow - 0.02), kind, "t") is None
