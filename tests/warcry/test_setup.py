"""Before the battle: roles, battlegroups, cards, terrain, colours, deployment, victory and twist steps."""

from __future__ import annotations

from typing import Any

import pytest

import umpire
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.games.warcry.content import library
from umpire.games.warcry.setup import sizes
from warcry.builder import BOX, act, ask, fighter, kinds, last, refused, scene

CARDS = {"terrain": "sunken-court", "deployment": "facing-lines", "victory": "ley-lines", "twist": "omens"}
BAND = {
    "faction": "cinder-kin",
    "fighters": ["slag-chief", "ash-runner", "ash-runner", "cinder-reaver", "cinder-reaver"],
}


def play_until(battle: Battle[Any], prompt: str) -> Battle[Any]:
    rng = Rng(5)
    while ask(battle).prompt.key != prompt:
        battle.answer(battle.suggest(rng))
    return battle


def start(**more: Any) -> Battle[Any]:
    return umpire.battle("warcry", sides=[BAND, BAND], **{"scenario": CARDS, "seed": 4, **more})


@pytest.mark.rule("warcry.setup.attacker-defender", "warcry.setup.battlegroup-order")
def test_the_winner_may_defend_and_the_defender_divides_first() -> None:
    battle = start(dice=[2, 5, 1, 6])
    assert ask(battle).side == 1
    act(battle, "defender")
    assert [p.attacker for p in battle.state.players] == [True, False]
    assert ask(battle).prompt.key == "ask.battlegroup"
    assert ask(battle).side == 1
    act(battle, ["b1", "b2"], ["b3", "b4"])
    assert ask(battle).side == 0
    assert {f.group for f in battle.state.fighters if f.side == 1} == {"dagger", "shield", "hammer"}
    assert "drawn" not in kinds(battle)


@pytest.mark.rule("warcry.setup.battlegroups", "warcry.setup.battlegroup-even")
def test_battlegroups_are_as_even_as_can_be() -> None:
    assert sizes(10, 3) == (3, 4)
    assert sizes(3, 3) == (1, 1)
    ten = [fighter(f"a{n}", 2 * n, 5) for n in range(1, 11)]
    battle = scene(*ten, fighter("b1", 5, 20), at="divide", side=0)
    assert refused(battle, ["a1", "a2", "a3", "a4", "a5"]) == ("warcry.setup.battlegroup-even",)
    assert refused(battle, ["a1", "a2"]) == ("warcry.setup.battlegroup-even",)
    act(battle, ["a1", "a2", "a3", "a4"])
    assert refused(battle, ["a5", "a6"])
    act(battle, ["a5", "a6", "a7"])
    assert [f.group for f in battle.state.fighters[:10]] == ["dagger"] * 4 + ["shield"] * 3 + ["hammer"] * 3


@pytest.mark.rule("warcry.setup.battlegroup-even")
def test_a_first_group_that_would_leave_the_others_uneven_is_refused() -> None:
    eight = [fighter(f"a{n}", 2 * n, 5) for n in range(1, 9)]
    battle = scene(*eight, fighter("b1", 5, 20), at="divide", side=0)
    act(battle, ["a1", "a2", "a3"])
    assert refused(battle, ["a4"])
    act(battle, ["a4", "a5", "a6"])
    assert sum(f.group == "hammer" for f in battle.state.fighters if f.side == 0) == 2


@pytest.mark.rule("warcry.monster.battlegroup")
def test_a_monster_is_alone_in_its_group() -> None:
    seven = [fighter(f"a{n}", 2 * n, 5) for n in range(1, 8)]
    monster = fighter("a8", 20, 10, runemarks=["monster"], base=80)
    battle = scene(*seven, monster, fighter("b1", 5, 20), at="divide", side=0)
    act(battle, "shield", ["a1", "a2", "a3", "a4"])
    groups = {f.id: f.group for f in battle.state.fighters}
    assert [k for k, g in groups.items() if g == "shield"] == ["a8"]
    assert sum(g == "hammer" for g in groups.values()) == 3


@pytest.mark.rule("warcry.setup.battleplan", "warcry.setup.battleplan-cards")
def test_one_card_of_each_deck_is_drawn_and_a_missing_card_is_an_error() -> None:
    battle = play_until(start(scenario=None, options={"terrain": "random"}), "ask.colour")
    assert [e.facts["deck"].key for e in battle.events if e.kind == "drawn"] == [
        "deck.terrain",
        "deck.deployment",
        "deck.victory",
        "deck.twist",
    ]
    state = battle.state
    assert state.terrain_card in library().terrain
    assert None not in (state.deployment, state.victory, state.twist)
    assert all(e.seen is None for e in battle.events if e.kind == "drawn")
    drawn = {
        play_until(start(scenario=None, options={"terrain": "random"}, seed=n), "ask.colour").state.victory.id
        for n in range(12)
    }  # type: ignore[union-attr]
    assert len(drawn) > 1
    with pytest.raises(UmpireError, match="no card"):
        start(scenario={"victory": "nonsense"})


@pytest.mark.rule("warcry.setup.terrain-card", "warcry.setup.orientation")
def test_terrain_follows_the_card_and_nobody_orients_the_maps() -> None:
    battle = play_until(start(), "ask.colour")
    card = library().terrain["sunken-court"]
    placed = battle.state.layout.features
    assert [(f.piece, f.x, f.y) for f in placed] == [(f.piece, f.x, f.y) for f in card.features]
    assert not any(a.answer in ("as-drawn", "turned") for a in battle.answers)


@pytest.mark.rule("warcry.setup.terrain-alternative", "warcry.setup.orientation")
def test_terrain_placed_by_hand_needs_two_features_in_every_quarter() -> None:
    battle = play_until(start(options={"terrain": "by-hand"}, scenario=None), "ask.terrain")
    assert ask(battle).side == 0
    assert "drawn" not in kinds(battle)
    good = battle.suggest(Rng(1))
    crowd = {key: {**spot, "x": min(spot["x"], 14.0) - 0.0} for key, spot in good["models"].items()}
    assert "warcry.setup.terrain-alternative" in refused(battle, {"models": crowd})
    act(battle, good)
    assert ask(battle).prompt.key == "ask.orientation"
    assert ask(battle).side == 1
    act(battle, "turned")
    assert battle.state.turned


@pytest.mark.rule("warcry.setup.colours", "warcry.setup.deployment-points")
def test_the_winner_chooses_the_colour_whoever_attacks() -> None:
    battle = play_until(start(), "ask.colour")
    winner = ask(battle).side
    act(battle, "blue")
    assert battle.state.players[winner].red is False
    assert battle.state.players[1 - winner].red is True
    card = battle.state.deployment
    assert card is not None
    assert len({(p.of(g).x, p.of(g).y) for p in (card.red, card.blue) for g in ("dagger", "shield", "hammer")}) == 6


@pytest.mark.rule("warcry.setup.deploy-order", "warcry.setup.reserve-groups")
def test_groups_are_set_up_in_turn_and_reserves_are_skipped() -> None:
    cards = {**CARDS, "deployment": "late-hammers"}
    battle = play_until(start(scenario=cards), "ask.first-turn")
    attacker = 0 if battle.state.players[0].attacker else 1
    told = [(e.facts["side"], e.facts["group"].key) for e in battle.events if e.kind in ("deployed", "reserved")]
    assert told == [(s, f"group.{g}") for g in ("dagger", "shield", "hammer") for s in (attacker, 1 - attacker)]
    away = [f for f in battle.state.fighters if f.where == "reserve"]
    assert away
    assert all(f.group == "hammer" for f in away)
    act(battle, "first")
    assert not any(f.id in ask(battle).options for f in away)  # type: ignore[attr-defined]


def deployment(*fighters: dict[str, Any], **more: Any) -> Battle[Any]:
    """A position in which side 0, red and attacking, is about to set its dagger group up at (6, 3.2)."""
    players = [{"attacker": True, "red": True}, {}]
    away = [{**f, "where": "aside"} for f in fighters]
    battle = scene(
        *away, fighter("b1", 5, 20, where="aside", group="hammer"), at="deploy", players=players, dice=[5, 2], **more
    )
    return act(battle, "red")


@pytest.mark.rule("warcry.setup.deploy-zone", "warcry.setup.deploy-surface")
def test_fighters_stand_wholly_within_3_inches_on_floor_or_platform() -> None:
    top = {
        "id": "post",
        "name": {"zh": "柱", "en": "post"},
        "parts": [{"rect": [0, 0, 0.9, 0.9], "top": 2}, {"rect": [2, 0, 2, 2], "top": 4}],
    }
    battle = deployment(fighter("a1", 0, 0), pieces=[top], terrain=[{"piece": "post", "x": 6, "y": 3.2}])
    assert battle.check({"x": 6.0, "y": 5.7, "z": 0}).legal
    assert refused(battle, {"x": 6.0, "y": 5.71, "z": 0}) == ("warcry.setup.deploy-zone",)
    assert battle.check({"x": 8.0, "y": 3.2, "z": 4}).legal
    assert "warcry.setup.deploy-surface" in refused(battle, {"x": 6.0, "y": 3.2, "z": 2})
    assert "warcry.move.through-terrain" in refused(battle, {"x": 6.0, "y": 3.2, "z": 0})


@pytest.mark.rule("warcry.monster.deploy")
def test_a_monster_need_only_be_within_3_inches() -> None:
    battle = deployment(fighter("a1", 0, 0, runemarks=["monster"], base=127.0, height=4))
    assert battle.check({"x": 11.4, "y": 3.2}).legal
    assert refused(battle, {"x": 11.6, "y": 3.2}) == ("warcry.monster.deploy",)


@pytest.mark.rule("warcry.setup.victory-step", "warcry.setup.twist-step")
def test_objectives_come_after_deployment_and_the_twist_last() -> None:
    battle = play_until(start(), "ask.wild")
    told = kinds(battle)
    assert told.index("victory-step") > max(n for n, k in enumerate(told) if k == "deployed")
    assert told.index("twist-step") > told.index("victory-step")
    assert len(battle.state.objectives) == 5
    assert last(battle, "wild-gain")["gained"] == 2


@pytest.mark.rule("warcry.terrain.custom", "warcry.terrain.mixed")
def test_every_part_has_a_kind_of_its_own_before_the_battle() -> None:
    battle = play_until(start(), "ask.first-turn")
    parts = battle.state.ground.parts
    known = {"obstacle", "low", "deadly", "unclimbable", "stairs", "ladder", "arch", "door", "closed-door"}
    assert {p.kind for p in parts} <= known
    keep = {p.kind for p in battle.state.layout.features[0].parts}
    assert {"obstacle", "ladder", "arch"} <= keep
    assert BOX["parts"]
