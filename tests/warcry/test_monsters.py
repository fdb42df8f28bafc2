"""Monsters: damage tables, activations, falls, and the abilities of monsters and their hunters."""

from __future__ import annotations

import math
from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.games.warcry import abilities, reactions
from umpire.games.warcry.damage import heal
from umpire.games.warcry.state import value
from warcry.builder import BOX, act, ask, fighter, fired, kinds, last, path, piece, refused, scene, walk, weapon

TABLE = [{"damage": 0, "move": 8, "attacks": [5]}, {"damage": 10, "move": 6, "attacks": [4]}]


def monster(key: str, x: float, y: float, z: float = 0.0, **more: Any) -> dict[str, Any]:
    return fighter(
        key,
        x,
        y,
        z,
        **{
            "runemarks": ["monster"],
            "wounds": 40,
            "base": 50.8,
            "height": 3,
            "move": 8,
            "toughness": 5,
            "weapons": [weapon(range=3, attacks=5, strength=5)],
            **more,
        },
    )


def options(battle: Battle[Any]) -> list[str]:
    return list(ask(battle).options)  # type: ignore[attr-defined]


@pytest.mark.rule("warcry.monster.damage-table")
def test_values_follow_the_damage_and_come_back_with_healing() -> None:
    battle = scene(monster("a1", 5, 5, table=TABLE, damage=9), fighter("b1", 20, 20), active="a1")
    a1 = battle.state.fighter("a1")
    assert (int(value(battle.state, a1, "move")), int(value(battle.state, a1, "attacks"))) == (8, 5)
    a1.damage = 10
    assert (int(value(battle.state, a1, "move")), int(value(battle.state, a1, "attacks"))) == (6, 4)
    heal(battle, a1, 1, "warcry.setup.twist-step")
    assert int(value(battle.state, a1, "move")) == 8


@pytest.mark.rule("warcry.monster.activations")
def test_three_activations_of_one_action_with_the_enemy_between() -> None:
    battle = scene(
        monster("a1", 5, 5), fighter("a2", 5, 15), *(fighter(f"b{n}", 25, 3 * n) for n in range(1, 6)), at="turn"
    )
    for n in range(1, 4):
        act(battle, "a1")
        assert battle.state.active.left == 1
        act(battle, "move", {"path": []})
        assert ask(battle).side == 1
        assert battle.state.fighter("a1").activations == n
        act(battle, f"b{n}", "move", {"path": []}, "wait")
    assert battle.state.active.fighter == "a2"
    over = scene(
        monster("a1", 5, 5, activations=3), fighter("a2", 5, 15), fighter("a3", 5, 18), fighter("b1", 25, 5), at="turn"
    )
    assert refused(over, "a1") == ("warcry.monster.activations",)


@pytest.mark.rule("warcry.monster.ability-per-activation", "warcry.monster.ability-access")
def test_one_ability_an_activation_and_none_of_the_universal_ones() -> None:
    battle = scene(monster("a1", 5, 5), fighter("b1", 20, 20), active="a1", players=[{"sets": [[3, 2], [4, 2]]}])
    assert refused(battle, "ability-rush") == ("warcry.monster.ability-access",)
    act(battle, "ability-huge-reach", "3x2")
    assert refused(battle, "ability-huge-reach") == ("warcry.combat.ability-use",)
    act(battle, "wait", "wait")
    assert battle.state.active.fighter == "a1"
    act(battle, "ability-huge-reach")
    assert battle.state.players[0].sets == ()


@pytest.mark.rule("warcry.monster.wait")
def test_a_monster_that_waits_ends_that_activation_only() -> None:
    battle = scene(monster("a1", 5, 5), fighter("b1", 20, 20), fighter("b2", 20, 15), active="a1")
    act(battle, "wait")
    a1 = battle.state.fighter("a1")
    assert not a1.waiting
    assert a1.activations == 1


@pytest.mark.rule("warcry.monster.no-reaction")
def test_a_monster_never_reacts() -> None:
    battle = scene(fighter("a1", 5, 5), monster("b1", 7, 5), active="a1", seed=1)
    assert [r.rule for r in reactions.why_no_reaction(battle.state, battle.state.fighter("b1"))] == [
        "warcry.monster.no-reaction"
    ]
    act(battle, "attack-0-b1")
    assert ask(battle).prompt.key == "ask.act"


@pytest.mark.rule("warcry.monster.move-end", "warcry.monster.fall-placement")
def test_a_monster_that_overhangs_falls() -> None:
    battle = scene(monster("a1", 15, 11, 3), fighter("b1", 25, 20), active="a1", pieces=[BOX], dice=[6])
    act(battle, "move", walk((13.5, 11)))
    assert ask(battle).prompt.key == "ask.fall"
    assert ask(battle).side == 1
    # The point may be 2 inches from its base, and any part of the base may be put on it.
    assert battle.check({"x": 9.5, "y": 11, "z": 0}).legal
    assert "warcry.monster.fall-placement" in refused(battle, {"x": 9.4, "y": 11, "z": 0})
    act(battle, {"x": 9.5, "y": 11, "z": 0})
    assert battle.state.fighter("a1").z == 0
    inside = scene(monster("a1", 15, 11, 3), fighter("b1", 25, 20), active="a1", pieces=[BOX])
    act(inside, "move", walk((14.2, 11)))
    assert "fell" not in kinds(inside)


@pytest.mark.rule("warcry.monster.move-end")
def test_the_thinnest_gap_under_a_monster_is_found() -> None:
    """Two parts that touch are one platform; a slit of 0.02 inches between them, anywhere under its base, is air."""

    def whole(gap: float, x: float) -> bool:
        parts = piece({"rect": [-3, 0, 6, 6], "top": 3}, {"rect": [3 + gap, 0, 6, 6], "top": 3})
        state = scene(monster("a1", x, 11, 3), fighter("b1", 25, 20), pieces=[parts]).state
        return state.ground.wholly_on(state.fighter("a1").base)

    for x in (14.4, 14.93, 15.0, 15.31):
        assert whole(0.0, x)
        assert not whole(0.02, x)


@pytest.mark.rule("warcry.monster.move-end")
def test_a_monster_that_ends_its_move_climbing_falls_at_once() -> None:
    battle = scene(monster("a1", 12, 11), fighter("b1", 25, 20), active="a1", pieces=[BOX])
    act(battle, "move", path(("climb", 12, 11, 1.5)))
    assert ask(battle).prompt.key == "ask.fall"


HUNT = [{"sets": [[4, 2], [3, 3], [2, 4]]}]


@pytest.mark.rule("warcry.monster.hunter-access")
def test_hunters_abilities_need_a_monster_and_are_not_for_beasts() -> None:
    battle = scene(
        fighter("a1", 5, 5), fighter("a2", 5, 8, runemarks=["beast"]), monster("b1", 7, 5), active="a1", players=HUNT
    )
    state = battle.state
    assert {"binding", "vitals", "taunt"} <= {a.id for a in abilities.of_fighter(state, state.fighter("a1"))}
    assert "taunt" not in {a.id for a in abilities.of_fighter(state, state.fighter("a2"))}
    without = scene(fighter("a1", 5, 5), fighter("b1", 7, 5), active="a1", players=HUNT)
    assert refused(without, "ability-taunt") == ("warcry.monster.hunter-access",)


@pytest.mark.rule("warcry.monster.hunter-bind")
def test_binding_takes_move_for_the_battle_never_below_three() -> None:
    battle = scene(
        fighter("a1", 5, 5),
        fighter("a2", 7, 7),
        monster("b1", 7, 5),
        active="a1",
        players=[{"sets": [[4, 2], [6, 2]]}],
        dice=[4, 5, 2, 6, 6, 6, 6, 6, 6, 6],
    )
    act(battle, "ability-binding", "4x2")
    assert int(value(battle.state, battle.state.fighter("b1"), "move")) == 5
    act(battle, "wait", "wait", "a2", "ability-binding")
    assert int(value(battle.state, battle.state.fighter("b1"), "move")) == 3
    far = scene(fighter("a1", 5, 5), monster("b1", 7.6, 5), active="a1", players=HUNT)
    assert refused(far, "ability-binding") == ("warcry.monster.hunter-bind",)


@pytest.mark.rule("warcry.monster.hunter-vitals")
def test_a_critical_with_the_next_attack_takes_one_attack_for_good() -> None:
    battle = scene(fighter("a1", 5, 5), monster("b1", 7, 5), active="a1", players=HUNT, dice=[6, 6, 1, 6, 6, 6])
    act(battle, "ability-vitals", "3x3", "attack-0-b1")
    b1 = battle.state.fighter("b1")
    assert int(value(battle.state, b1, "attacks")) == 4
    act(battle, "attack-0-b1")
    assert int(value(battle.state, battle.state.fighter("b1"), "attacks")) == 4
    other = scene(
        fighter("a1", 5, 5),
        monster("b1", 7, 5),
        fighter("b2", 5, 6.5, wounds=40, activations=1),
        active="a1",
        players=HUNT,
        dice=[6, 6, 1, 6, 6, 6],
    )
    act(other, "ability-vitals", "3x3", "attack-0-b2", "attack-0-b1")
    assert int(value(other.state, other.state.fighter("b1"), "attacks")) == 5
    assert int(value(other.state, other.state.fighter("b2"), "attacks")) == 3


@pytest.mark.rule("warcry.monster.hunter-taunt")
def test_a_taunted_monster_attacks_nobody_else_this_round() -> None:
    battle = scene(
        fighter("a1", 5, 5),
        fighter("a2", 12.4, 5),
        monster("b1", 10, 5),
        fighter("b2", 25, 20, activations=1),
        active="a1",
        players=[{"sets": [[2, 4]]}],
        dice=[1, 4],
    )
    act(battle, "ability-taunt", "wait")
    assert battle.state.active.fighter == "b1"
    assert "warcry.monster.hunter-taunt" in refused(battle, "attack-0-a2")
    effect = {
        "on": "b1",
        "what": "taunt",
        "op": "set",
        "value": 1,
        "rule": "warcry.monster.hunter-taunt",
        "source": "a1",
        "until": "round",
    }
    gone = scene(
        fighter("a1", 5, 5, where="down"), fighter("a2", 12.4, 5), monster("b1", 10, 5), active="b1", effects=[effect]
    )
    assert gone.check("attack-0-a2").legal
    failed = scene(
        fighter("a1", 5, 5),
        fighter("a2", 12.4, 5),
        monster("b1", 10, 5),
        active="a1",
        players=[{"sets": [[2, 4]]}],
        dice=[1, 3],
    )
    act(failed, "ability-taunt", "wait")
    assert failed.check("attack-0-a2").legal


@pytest.mark.rule("warcry.monster.hunter-taunt")
def test_a_taunt_ends_with_the_round() -> None:
    battle = scene(
        fighter("a1", 5, 5), monster("b1", 10, 5), active="a1", players=[{"sets": [[2, 4]]}], dice=[1, 4], round=1
    )
    act(battle, "ability-taunt")
    taunts = [e for e in battle.state.effects if e.what == "taunt"]
    assert [(e.on, e.source, e.until) for e in taunts] == [("b1", "a1", "round")]
    effect = {
        "on": "b1",
        "what": "taunt",
        "op": "set",
        "value": 1,
        "rule": "warcry.monster.hunter-taunt",
        "source": "a1",
        "until": "round",
    }
    over = scene(fighter("a1", 5, 5), monster("b1", 10, 5), at="end-round", round=1, effects=[effect])
    assert over.state.round == 2
    assert over.state.effects == []


@pytest.mark.rule("warcry.monster.huge-reach")
def test_huge_reach_leaves_heights_out_of_the_range() -> None:
    tower = piece({"rect": [0, 0, 2, 2], "top": 6})
    battle = scene(
        monster("a1", 12, 11), fighter("b1", 15, 11, 6), active="a1", pieces=[tower], players=[{"sets": [[2, 2]]}]
    )
    assert "warcry.attack.range" in refused(battle, "attack-0-b1")
    act(battle, "ability-huge-reach")
    assert "warcry.attack.range" not in (battle.check("attack-0-b1").rules or ())


@pytest.mark.rule("warcry.monster.drag")
def test_drag_sets_an_enemy_up_beside_the_monster_and_mauls_it() -> None:
    battle = scene(
        monster("a1", 10, 10),
        fighter("b1", 17, 10, wounds=20),
        fighter("b2", 25, 20),
        active="a1",
        players=[{"sets": [[5, 3]]}],
        dice=[4, 4, 1, 6, 2],
    )
    act(battle, "ability-drag")
    assert ask(battle).side == 0
    assert "warcry.monster.drag" in refused(battle, {"x": 12.6, "y": 10})
    act(battle, {"x": 12.4, "y": 10})
    b1 = battle.state.fighter("b1")
    assert (b1.x, b1.damage) == (12.4, 9)
    far = scene(monster("a1", 10, 10), fighter("b1", 17.6, 10), active="a1", players=[{"sets": [[5, 3]]}])
    assert refused(far, "ability-drag") == ("warcry.monster.drag",)


@pytest.mark.rule("warcry.monster.destructive-rampage")
def test_a_torn_down_feature_drops_all_that_is_on_it() -> None:
    battle = scene(
        monster("a1", 11.9, 11),
        fighter("a2", 14, 10, 3),
        fighter("b1", 16, 12, 3),
        fighter("b2", 25, 20),
        active="a1",
        pieces=[BOX],
        players=[{"sets": [[5, 4]]}],
        dice=[1, 2],
        objectives=[{"id": "o0", "x": 15, "y": 11, "z": 3}],
    )
    act(battle, "ability-destructive-rampage")
    assert ask(battle).prompt.key == "ask.order-fallen"
    act(battle, ["b1", "o0", "a2"])
    while ask(battle).prompt.key == "ask.to-floor":
        assert ask(battle).side == 0
        assert refused(battle, {"x": 20, "y": 20}) == ("warcry.monster.destructive-rampage",)
        act(battle, battle.suggest())
    assert (ask(battle).prompt.key, ask(battle).side) == ("ask.order-hurt", 0)
    act(battle, ["a2", "b1"])
    state = battle.state
    assert state.layout.features == ()
    assert (state.fighter("b1").z, state.fighter("b1").damage) == (0, 1)
    assert (state.fighter("a2").z, state.fighter("a2").damage) == (0, 3)
    assert state.objectives[0].z == 0
    # Put down while the block still stands: beside it, not inside its footprint; only then is anybody hurt.
    assert (state.fighter("b1").x, state.fighter("b1").y) == (17.5, 12)
    assert [e.kind for e in battle.events if e.kind in ("impact", "wrecked")] == ["impact", "impact", "wrecked"]
    assert sorted(last(battle, "wrecked")["moved"]) == ["a2", "b1", "o0"]
    assert "warcry.move.impact-damage" in fired(battle)


@pytest.mark.rule("warcry.monster.destructive-rampage")
def test_a_marker_comes_down_as_near_as_possible_where_something_else_stands_below() -> None:
    balcony = piece({"rect": [-2.5, 0, 1, 4], "top": 3}, {"rect": [0, 0, 6, 4], "floor": 3, "top": 3.2}, key="balcony")
    block = piece({"rect": [0, 0, 2, 2], "top": 2}, key="block")
    battle = scene(
        monster("a1", 10.9, 11),
        fighter("b2", 25, 20),
        active="a1",
        pieces=[balcony, block],
        terrain=[
            {"piece": "balcony", "x": 15, "y": 11, "id": "up"},
            {"piece": "block", "x": 15, "y": 11, "id": "down"},
        ],
        players=[{"sets": [[5, 4]]}],
        treasures=[{"id": "t0", "kind": "skull", "x": 15, "y": 11, "z": 3.2}],
    )
    act(battle, "ability-destructive-rampage")
    if ask(battle).prompt.key == "ask.wreck":
        act(battle, "up")
    assert (ask(battle).prompt.key, ask(battle).side, ask(battle).about) == ("ask.to-floor", 0, "t0")
    best = battle.suggest()
    near = math.hypot(best["x"] - 15, best["y"] - 11)
    for spot in ({"x": 15, "y": 11}, {"x": 18, "y": 11}, {"x": 15, "y": 11 + near + 0.012}):
        assert refused(battle, spot) == ("warcry.monster.destructive-rampage",)
    assert near == pytest.approx(1.0, abs=0.0015)  # right beside the block
    act(battle, {"x": 15, "y": 12.008})  # as near as a hand can put it
    token = battle.state.treasures[0]
    assert (token.x, token.y, token.z) == (15, 12.008, 0)


@pytest.mark.rule("warcry.monster.destructive-rampage")
def test_what_is_stacked_on_a_torn_down_feature_goes_with_it() -> None:
    crate = piece({"rect": [0, 0, 2, 2], "top": 1.5}, key="crate")
    terrain = [
        {"piece": "box", "x": 15, "y": 11, "id": "under"},
        {"piece": "crate", "x": 15, "y": 11, "z": 3, "id": "over", "on": "under"},
    ]
    battle = scene(
        monster("a1", 11.9, 11),
        fighter("b1", 15, 11, 4.5),
        fighter("b2", 25, 20),
        active="a1",
        pieces=[BOX, crate],
        terrain=terrain,
        players=[{"sets": [[5, 4]]}],
        dice=[2],
    )
    act(battle, "ability-destructive-rampage")
    while ask(battle).prompt.key == "ask.to-floor":
        act(battle, battle.suggest())
    assert battle.state.layout.features == ()
    assert (battle.state.fighter("b1").z, battle.state.fighter("b1").damage) == (0, 1)


@pytest.mark.rule("warcry.monster.destructive-rampage")
def test_rubble_is_a_feature_too_and_must_be_within_an_inch() -> None:
    rubble = piece({"rect": [0, 0, 2, 2], "top": 0.8})
    for x, legal in ((12.0, True), (11.9, False)):
        battle = scene(
            monster("a1", x, 11), fighter("b1", 25, 20), active="a1", pieces=[rubble], players=[{"sets": [[5, 4]]}]
        )
        assert battle.check("ability-destructive-rampage").legal is legal
    near = scene(
        monster("a1", 12, 11), fighter("b1", 25, 20), active="a1", pieces=[rubble], players=[{"sets": [[5, 4]]}]
    )
    act(near, "ability-destructive-rampage")
    assert near.state.layout.features == ()


@pytest.mark.rule("warcry.monster.destructive-rampage")
def test_what_somebody_carries_is_not_on_the_tower() -> None:
    battle = scene(
        monster("a1", 11.9, 11),
        fighter("b1", 16, 12, 3, carrying="t0"),
        fighter("b2", 25, 20),
        active="a1",
        pieces=[BOX],
        players=[{"sets": [[5, 4]]}],
        dice=[6],
        treasures=[{"id": "t0", "kind": "skull", "x": 15, "y": 11, "z": 3}],
    )
    act(battle, "ability-destructive-rampage")
    while ask(battle).prompt.key == "ask.to-floor":
        act(battle, battle.suggest())
    assert last(battle, "wrecked")["moved"] == ["b1"]
    assert battle.state.treasures[0].carrier == "b1"


@pytest.mark.rule("warcry.monster.destructive-rampage", "warcry.treasure.drop-point")
def test_who_dies_of_the_impact_lets_his_treasure_go_beside_what_still_stands() -> None:
    battle = scene(
        monster("a1", 11.9, 11),
        fighter("b1", 16, 12, 3, carrying="t0", damage=9),
        fighter("b2", 25, 20),
        active="a1",
        pieces=[BOX],
        players=[{"sets": [[5, 4]]}],
        dice=[1],
        treasures=[{"id": "t0", "kind": "skull", "x": 15, "y": 11, "z": 3}],
    )
    act(battle, "ability-destructive-rampage")
    while ask(battle).prompt.key == "ask.to-floor":
        act(battle, battle.suggest())
    assert ask(battle).prompt.key == "ask.drop"
    assert battle.state.layout.features, "it is removed when everybody has suffered his impact"
    b1 = battle.state.fighter("b1")
    assert refused(battle, {"x": b1.x - 1, "y": b1.y, "z": 0}), "there is no floor within it yet"
    act(battle, battle.suggest())
    assert battle.state.layout.features == ()
