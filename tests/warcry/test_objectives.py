"""Objectives, treasure, and the battleplans of the book."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.games.warcry.damage import deal
from umpire.games.warcry.legs import allowance
from warcry.builder import act, ask, fighter, fired, kinds, last, path, refused, scene, walk, weapon


def end(*fighters: dict[str, Any], **more: Any) -> Battle[Any]:
    return scene(*fighters, at="end-round", **more)


SPOT = {"id": "o0", "x": 10, "y": 10}


@pytest.mark.rule("warcry.objective.control", "warcry.objective.measure")
def test_more_fighters_within_3_inches_gain_an_objective() -> None:
    two = end(
        fighter("a1", 13.5, 10), fighter("a2", 8, 10), fighter("b1", 10, 12), objectives=[SPOT], victory="ley-lines"
    )
    assert two.state.objectives[0].owner == 0
    far = end(fighter("a1", 13.52, 10), fighter("b1", 25, 20), objectives=[SPOT], victory="ley-lines")
    assert far.state.objectives[0].owner == -1
    even = end(
        fighter("a1", 9, 10), fighter("b1", 11, 10, runemarks=["monster"]), objectives=[SPOT], victory="ley-lines"
    )
    assert even.state.objectives[0].owner == -1


@pytest.mark.rule("warcry.objective.sticky")
def test_control_is_kept_until_another_gains_it() -> None:
    held = {**SPOT, "owner": 1}
    empty = end(fighter("a1", 25, 20), fighter("b1", 2, 20), objectives=[held], victory="ley-lines")
    assert empty.state.objectives[0].owner == 1
    tie = end(fighter("a1", 9, 10), fighter("b1", 11, 10), objectives=[held], victory="ley-lines")
    assert tie.state.objectives[0].owner == 1
    lost = end(fighter("a1", 9, 10), fighter("b1", 25, 10), objectives=[held], victory="ley-lines")
    assert lost.state.objectives[0].owner == 0


@pytest.mark.rule("warcry.objective.control")
def test_control_is_not_checked_during_the_round() -> None:
    battle = scene(fighter("a1", 10, 10), fighter("b1", 25, 20), active="a1", objectives=[SPOT], victory="ley-lines")
    act(battle, "move", {"path": []})
    assert battle.state.objectives[0].owner == -1


# -- treasure ----------------------------------------------------------------------------------------------------

TOKEN = {"id": "g0", "kind": "skull", "x": 8, "y": 6.5}


def moving(who: dict[str, Any], **more: Any) -> Battle[Any]:
    return act(scene(who, fighter("b1", 28, 20), active="a1", **{"treasures": [TOKEN], **more}), "move")


@pytest.mark.rule("warcry.treasure.pick-up")
def test_treasure_within_an_inch_of_the_way_may_be_taken() -> None:
    battle = moving(fighter("a1", 5, 5))
    act(battle, walk((10, 5)))
    assert ask(battle).prompt.key == "ask.pick-up"
    act(battle, "g0")
    a1 = battle.state.fighter("a1")
    assert a1.carrying == "g0"
    assert a1.x == 10
    assert battle.state.treasures[0].carrier == "a1"
    past = moving(fighter("a1", 5, 4.99))
    act(past, walk((10, 4.99)))
    assert ask(past).prompt.key == "ask.act"
    left = moving(fighter("a1", 5, 5))
    act(left, walk((10, 5)), "pass")
    assert left.state.treasures[0].carrier == ""


@pytest.mark.rule("warcry.treasure.pick-up", "warcry.move.jump")
def test_a_jump_passes_treasure_at_its_own_height() -> None:
    # From a block 3 inches high, across to x = 10 and then down; a ledge 1.5 inches up lies under the way.
    block = {"id": "box", "name": {"zh": "台", "en": "deck"}, "parts": [{"rect": [0, 0, 4, 4], "top": 3}]}
    for token, taken in (
        ({"x": 11.6, "y": 12, "z": 1.5}, False),
        ({"x": 11.6, "y": 12, "z": 2.2}, True),
        ({"x": 9, "y": 11, "z": 0}, True),
    ):
        battle = moving(fighter("a1", 13.2, 11, 3), treasures=[{**TOKEN, **token, "z": 0}], pieces=[block], dice=[6])
        battle.state.treasures[0].z = token["z"]
        act(battle, path(("jump", 10, 11, 0)))
        assert (ask(battle).prompt.key == "ask.pick-up") is taken, token


@pytest.mark.rule("warcry.treasure.one-each", "warcry.treasure.no-monster-beast")
def test_one_treasure_each_and_none_for_beasts_and_monsters() -> None:
    own = {"id": "g1", "kind": "skull", "x": 0, "y": 0, "carrier": "a1"}
    full = moving(fighter("a1", 5, 5, carrying="g1"), treasures=[TOKEN, own])
    act(full, walk((8, 5)))
    assert last(full, "cannot-carry") == {"fighter": "a1"}
    assert "warcry.treasure.one-each" in fired(full)
    for mark in ("beast", "monster"):
        beast = moving(fighter("a1", 5, 5, runemarks=[mark]))
        act(beast, walk((8, 5)))
        assert "warcry.treasure.no-monster-beast" in fired(beast)
        assert beast.state.fighter("a1").carrying == ""


@pytest.mark.rule("warcry.treasure.slow")
@pytest.mark.parametrize(("move", "rush", "left"), [(6, 0, 4), (4, 0, 3), (3, 0, 3), (4, 1, 3), (5, 1, 4)])
def test_carrying_takes_two_inches_to_a_minimum_of_three(move: int, rush: int, left: int) -> None:
    effect = {
        "on": "a1",
        "what": "move",
        "op": "add",
        "value": rush,
        "rule": "warcry.ability.rush",
        "until": "activation",
    }
    own = {"id": "g1", "kind": "skull", "x": 0, "y": 0, "carrier": "a1"}
    battle = scene(
        fighter("a1", 5, 5, move=move, carrying="g1"),
        fighter("b1", 28, 20),
        active="a1",
        treasures=[own],
        effects=[effect] if rush else [],
    )
    assert allowance(battle.state, battle.state.fighter("a1"))[0] == left


@pytest.mark.rule("warcry.treasure.no-fly")
def test_who_begins_with_treasure_cannot_fly() -> None:
    own = {"id": "g1", "kind": "skull", "x": 0, "y": 0, "carrier": "a1"}
    battle = moving(fighter("a1", 5, 5, runemarks=["fly"], carrying="g1"), treasures=[own])
    assert refused(battle, path(("fly", 7, 5, 0))) == ("warcry.treasure.no-fly",)
    free = moving(fighter("a1", 5, 5, runemarks=["fly"]))
    act(free, path(("fly", 10, 5, 0)), "g0")
    assert free.state.fighter("a1").carrying == "g0"


@pytest.mark.rule("warcry.treasure.no-disengage", "warcry.treasure.drop-action")
def test_a_carrier_drops_with_an_action_and_then_may_disengage() -> None:
    own = {"id": "g1", "kind": "skull", "x": 0, "y": 0, "carrier": "a1"}
    battle = scene(
        fighter("a1", 5, 5, carrying="g1"), fighter("b1", 6.5, 5, activations=1), active="a1", treasures=[own]
    )
    assert "warcry.treasure.no-disengage" in refused(battle, "disengage")
    act(battle, "drop", {"x": 5, "y": 6.2})
    assert battle.state.active.left == 1
    token = battle.state.treasures[0]
    assert (token.carrier, token.x, token.y) == ("", 5, 6.2)
    assert battle.check("disengage").legal


@pytest.mark.rule("warcry.treasure.drop-point")
def test_treasure_is_dropped_within_an_inch_no_higher_and_in_view() -> None:
    box = {"id": "box", "name": {"zh": "箱", "en": "box"}, "parts": [{"rect": [0, 0, 3, 3], "top": 1}]}
    own = {"id": "g1", "kind": "skull", "x": 0, "y": 0, "carrier": "a1"}
    battle = scene(
        fighter("a1", 5, 5, carrying="g1"),
        fighter("b1", 25, 5),
        active="a1",
        treasures=[own],
        pieces=[box],
        terrain=[{"piece": "box", "x": 7.1, "y": 5}],
    )
    act(battle, "drop")
    assert battle.check({"x": 5, "y": 6.5}).legal
    assert refused(battle, {"x": 5, "y": 6.6}) == ("warcry.treasure.drop-point",)
    assert refused(battle, {"x": 6, "y": 5, "z": 1}) == ("warcry.treasure.drop-point",)


@pytest.mark.rule("warcry.treasure.drop-point")
def test_treasure_is_dropped_where_its_carrier_sees_it_and_never_in_a_wall() -> None:
    wall = {"id": "wall", "name": {"zh": "墙", "en": "wall"}, "parts": [{"rect": [0, 0, 0.1, 4], "top": 4}]}
    own = {"id": "g1", "kind": "skull", "x": 0, "y": 0, "carrier": "a1"}
    battle = scene(
        fighter("a1", 14.4, 11, carrying="g1"), fighter("b1", 25, 5), active="a1", treasures=[own], pieces=[wall]
    )
    act(battle, "drop")
    assert refused(battle, {"x": 15.5, "y": 11}) == ("warcry.core.visibility",)
    assert battle.check({"x": 13, "y": 11}).legal
    # Whoever goes down on top of a statue drops nothing into it.
    statue = {"rect": [0, 0, 3, 3], "top": 2.2, "kind": "unclimbable"}
    pair = {"id": "pair", "name": {"zh": "像", "en": "statue"}, "parts": [statue, {"rect": [4, 0, 4, 4], "top": 3}]}
    down = scene(
        fighter("a1", 17.2, 12.4, 3, damage=9, carrying="g1"),
        fighter("a2", 2, 2),
        fighter("b1", 28, 20),
        active="a1",
        pieces=[pair],
        treasures=[own],
        dice=[2],
    )
    act(down, "move", path(("jump", 15.5, 12.4, 2.2)))
    assert refused(down, {"x": 15.5, "y": 12.3}) == ("warcry.core.visibility",)
    act(down, down.suggest())
    token = down.state.treasures[0]
    assert not (13.5 < token.x < 16.5 and 9.5 < token.y < 12.5)


@pytest.mark.rule("warcry.treasure.drop-taken-down", "warcry.damage.taken-down")
def test_who_goes_down_drops_first() -> None:
    own = {"id": "g1", "kind": "skull", "x": 0, "y": 0, "carrier": "b1"}
    battle = scene(
        fighter("a1", 5, 5, weapons=[weapon(attacks=1, damage=[9, 9])]),
        fighter("b1", 6.5, 5, damage=9, activations=1, carrying="g1"),
        fighter("b2", 25, 5),
        active="a1",
        treasures=[own],
        dice=[5],
    )
    act(battle, "attack-0-b1")
    assert ask(battle).prompt.key == "ask.drop"
    assert ask(battle).side == 1
    assert battle.state.fighter("b1").where == "field"
    act(battle, {"x": 6.5, "y": 6})
    assert battle.state.fighter("b1").where == "down"
    assert battle.state.treasures[0].carrier == ""


# -- Ley Lines ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("warcry.battleplan.ley-lines.setup")
def test_ley_lines_has_five_objectives_one_in_the_centre() -> None:
    from umpire.games.warcry.content import library

    for card in library().deployment.values():
        assert len(card.objectives) == 5
        assert card.objectives[0] == (15, 11)
    battle = scene(
        fighter("a1", 5, 5, where="aside"), fighter("b1", 25, 20, where="aside"), at="deploy", victory="ley-lines"
    )
    assert battle.decision is not None


def dormant(n: int) -> list[dict[str, Any]]:
    return [{"id": f"o{k}", "x": 3 + 6 * k, "y": 11, "awake": k == 0} for k in range(n)]


@pytest.mark.rule("warcry.battleplan.ley-lines.awaken")
def test_the_player_without_the_initiative_awakens_one_objective_a_round() -> None:
    battle = scene(
        fighter("a1", 5, 5),
        fighter("b1", 25, 20),
        at="combat",
        initiative=0,
        victory="ley-lines",
        objectives=dormant(3),
    )
    assert ask(battle).side == 1
    assert refused(battle, "o0")
    act(battle, "o2")
    assert [o.awake for o in battle.state.objectives] == [True, False, True]
    assert ask(battle).prompt.key == "ask.first-turn"
    all_awake = [{**o, "awake": True} for o in dormant(2)]
    battle = scene(fighter("a1", 5, 5), fighter("b1", 25, 20), at="combat", victory="ley-lines", objectives=all_awake)
    assert ask(battle).prompt.key == "ask.first-turn"


@pytest.mark.rule("warcry.battleplan.ley-lines.score")
def test_awakened_objectives_score_and_dormant_ones_keep_their_owner() -> None:
    spots = [
        {"id": "o0", "x": 5, "y": 5, "owner": 0},
        {"id": "o1", "x": 25, "y": 5, "owner": 0, "awake": False},
        {"id": "o2", "x": 15, "y": 20, "owner": 1},
    ]
    battle = end(fighter("a1", 5, 18), fighter("b1", 28, 20), victory="ley-lines", objectives=spots)
    assert [p.points for p in battle.state.players] == [1, 1]
    assert battle.state.objectives[1].owner == 0


@pytest.mark.rule("warcry.battleplan.ley-lines.end", "warcry.combat.battle-end")
def test_ley_lines_ends_after_four_rounds_and_equal_points_are_a_draw() -> None:
    pair = (fighter("a1", 5, 18), fighter("b1", 28, 20))
    assert end(*pair, victory="ley-lines", round=3).outcome is None
    draw = end(*pair, victory="ley-lines", round=4, players=[{"points": 3}, {"points": 3}])
    assert draw.outcome is not None
    assert draw.outcome.winner is None
    won = end(*pair, victory="ley-lines", round=4, players=[{"points": 3}, {"points": 4}])
    assert won.outcome is not None
    assert won.outcome.winner == 1


# -- the Reaper --------------------------------------------------------------------------------------------------


@pytest.mark.rule("warcry.battleplan.reaper.score")
def test_the_higher_blood_tally_scores_one() -> None:
    pair = (fighter("a1", 5, 18), fighter("b1", 28, 20))
    high = end(*pair, players=[{"tally": 180}, {"tally": 95}])
    assert [p.points for p in high.state.players] == [1, 0]
    assert [p.tally for p in high.state.players] == [0, 0]
    even = end(*pair, players=[{"tally": 95}, {"tally": 95}])
    assert [p.points for p in even.state.players] == [0, 0]


@pytest.mark.rule("warcry.battleplan.reaper.score")
def test_a_fall_forced_by_an_attack_counts_and_ones_own_jump_does_not() -> None:
    deck = {"id": "box", "name": {"zh": "台", "en": "deck"}, "parts": [{"rect": [0, 0, 6, 6], "top": 3}]}
    battle = scene(
        fighter("a1", 14, 11, 3),
        fighter("b1", 12.5, 11, 3, damage=9, activations=1, points=130),
        fighter("b2", 2, 2),
        active="a1",
        pieces=[deck],
        dice=[2, 2, 2, 1, 2],
    )
    act(battle, "attack-0-b1", {"x": 11, "y": 11, "z": 0})
    assert battle.state.fighter("b1").where == "down"
    assert battle.state.players[0].tally == 130
    own = scene(
        fighter("a1", 12.5, 11, 3, damage=9),
        fighter("a2", 2, 2),
        fighter("b1", 28, 20),
        active="a1",
        pieces=[deck],
        dice=[1],
    )
    act(own, "move", path(("jump", 11, 11, 0)))
    assert own.state.fighter("a1").where == "down"
    assert [p.tally for p in own.state.players] == [0, 0]


@pytest.mark.rule("warcry.battleplan.reaper.score")
def test_ones_own_fighters_are_in_nobodys_tally() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("a2", 8, 5), fighter("b1", 28, 20), active="a1")
    assert list(deal(battle, "a2", 10, 0)) == []
    assert battle.state.fighter("a2").where == "down"
    assert [p.tally for p in battle.state.players] == [0, 0]


@pytest.mark.rule("warcry.battleplan.reaper.end")
def test_the_reaper_ends_after_four_rounds() -> None:
    pair = (fighter("a1", 5, 18), fighter("b1", 28, 20))
    draw = end(*pair, round=4, players=[{"points": 2}, {"points": 2}])
    assert draw.outcome is not None
    assert draw.outcome.winner is None
    assert "warcry.battleplan.reaper.end" in draw.outcome.rules
    assert "round" in kinds(end(*pair, round=3))
