"""What abilities and reactions of content are built of, each primitive once; and every one of them used."""

from __future__ import annotations

import math
from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.games.warcry import abilities, reactions
from umpire.games.warcry.content import library
from umpire.games.warcry.primitives import Who
from umpire.games.warcry.profiles import Ability, Reaction
from umpire.games.warcry.shifting import shoved_to
from umpire.games.warcry.works import fits
from warcry.builder import BOX, act, ask, fighter, fired, kinds, last, path, refused, scene, walk, weapon

LIB = library()
TOKEN = {"id": "g0", "kind": "skull", "x": 3, "y": 3}


def faction_of(rule: Ability | Reaction) -> str:
    return next(f.id for f in LIB.factions.values() if rule in f.abilities or rule in f.reactions)


def use(name: str, *others: dict[str, Any], score: int = 4, dice: list[int] | None = None, **more: Any) -> Battle[Any]:
    """The ability is used by a1 at (10, 10), who has the runemarks for it, with four dice of one score."""
    rule = LIB.abilities[name]
    own = {key: more.pop(key) for key in ("damage", "runemarks") if key in more}
    own = {"runemarks": list(rule.runemarks), "wounds": 20, **own}
    user = fighter("a1", 10, 10, faction=faction_of(rule), **own)
    players = more.pop("players", [{"sets": [[score, 4]]}])
    return scene(user, *others, active="a1", players=players, dice=dice, **more)


# -- primitives --------------------------------------------------------------------------------------------------


def test_drain_heals_by_what_was_allocated_and_no_more() -> None:
    battle = use("toll-of-breath", fighter("b1", 13, 10, damage=8, wounds=10), damage=9, dice=[6])
    act(battle, "ability-toll-of-breath")
    assert battle.state.fighter("b1").where == "down"
    assert battle.state.fighter("a1").damage == 7
    far = use("toll-of-breath", fighter("b1", 15.01, 10), damage=9)
    assert refused(far, "ability-toll-of-breath") == ("warcry.ability.sources",)


def test_a_ward_turns_away_each_point_on_its_own_die() -> None:
    battle = use("last-vigil", fighter("b1", 11.5, 10), dice=[5, 5, 6, 4, 5, 1])
    act(battle, "ability-last-vigil")
    assert [(e.what, e.value, e.until) for e in battle.state.effects] == [("ward", 5, "round")]
    hurt = scene(
        fighter("a1", 10, 10, weapons=[weapon(attacks=2, damage=[2, 2])]),
        fighter("b1", 11.5, 10, activations=1),
        active="a1",
        effects=[{"on": "b1", "what": "ward", "op": "add", "value": 5, "rule": "warcry.ability.sources"}],
        dice=[5, 5, 5, 4, 6, 1],
    )
    act(hurt, "attack-0-b1")
    assert last(hurt, "warded")["points"] == 2
    assert hurt.state.fighter("b1").damage == 2


def test_a_warp_is_measured_from_where_the_fighter_stood_and_keeps_clear_of_enemies() -> None:
    battle = use("heat-haze", fighter("b1", 15, 10), score=3)
    act(battle, "ability-heat-haze")
    assert refused(battle, {"x": 10, "y": 14.01}) == ("warcry.ability.sources",)
    assert refused(battle, {"x": 13, "y": 10}) == ("warcry.ability.sources",)
    act(battle, {"x": 10, "y": 14})
    assert (battle.state.fighter("a1").x, battle.state.fighter("a1").y) == (10, 14)


def test_a_shove_goes_straight_until_something_stops_it() -> None:
    pair = (fighter("a1", 10, 10), fighter("b1", 11.5, 10))
    state = scene(*pair).state
    end = shoved_to(state, state.fighter("a1"), state.fighter("b1"), 3)
    assert end is not None
    assert (end.x, end.y) == (14.5, 10)
    stopped = scene(*pair, fighter("b2", 13.5, 10)).state
    end = shoved_to(stopped, stopped.fighter("a1"), stopped.fighter("b1"), 3)
    assert end is not None
    assert end.x == 12.5
    for x in (12.6, 12.63, 13.4871):
        close = scene(*pair, fighter("b2", x, 10)).state
        end = shoved_to(close, close.fighter("a1"), close.fighter("b1"), 3)
        assert end is not None, "a tenth of an inch is a shove"
        assert abs(end.x - (x - 1)) <= 0.001
    touching = scene(*pair, fighter("b2", 12.5, 10)).state
    assert shoved_to(touching, touching.fighter("a1"), touching.fighter("b1"), 3) is None
    askew = scene(fighter("a1", 10, 10), fighter("b1", 11.2, 10.9), fighter("b2", 12.9, 11.4)).state
    end = shoved_to(askew, askew.fighter("a1"), askew.fighter("b1"), 3)
    assert end is not None
    assert math.dist((end.x, end.y), (12.9, 11.4)) == pytest.approx(1.0, abs=0.003)
    edge = scene(fighter("a1", 28, 10), fighter("b1", 29.5, 10)).state
    assert shoved_to(edge, edge.fighter("a1"), edge.fighter("b1"), 3) is None


def test_whoever_is_shoved_over_an_edge_falls() -> None:
    bully = fighter("a1", 15, 11, 3, faction="mud-revel", runemarks=["brute"])
    victim = fighter("b1", 16.5, 11, 3)
    players = [{"sets": [[4, 2]]}]
    battle = scene(bully, victim, fighter("b2", 2, 2), active="a1", players=players, pieces=[BOX], dice=[6])
    act(battle, "ability-belly-bump")
    assert ask(battle).prompt.key == "ask.fall"
    act(battle, ask(battle).default)
    assert battle.state.fighter("b1").z == 0
    assert "warcry.move.fall-triggers" in fired(battle)


def test_an_intercepted_attack_is_at_somebody_else() -> None:
    battle = scene(
        fighter("a1", 10, 10),
        fighter("b1", 11.5, 10, faction="lantern-wardens"),
        fighter("b2", 11.5, 11.5, faction="lantern-wardens", runemarks=["bulwark"]),
        fighter("b3", 11.5, 8.5, faction="lantern-wardens"),
        active="a1",
        dice=[6, 1, 1],
    )
    act(battle, "attack-0-b1", "stand-behind-me")
    assert battle.state.fighter("b1").damage == 0
    assert battle.state.fighter("b2").damage == 3
    alone = scene(fighter("a1", 10, 10), fighter("b1", 11.5, 10, faction="lantern-wardens"), active="a1")
    act(alone, "attack-0-b1")
    assert "stand-behind-me" not in ask(alone).options


def test_treasure_is_snatched_from_a_carrier() -> None:
    carrier = fighter("b1", 12, 10, carrying="g0")
    battle = use("sticky-fingers", carrier, treasures=[{**TOKEN, "carrier": "b1"}])
    act(battle, "ability-sticky-fingers")
    act(battle, {"x": 12, "y": 10})
    assert battle.state.fighter("a1").carrying == "g0"
    assert battle.state.fighter("b1").carrying == ""
    assert refused(use("sticky-fingers", fighter("b1", 12, 10)), "ability-sticky-fingers") == (
        "warcry.ability.sources",
    )


def test_spoiled_dice_are_picked_by_the_one_who_spoils() -> None:
    players = [{"sets": [[4, 4]]}, {"sets": [[1, 2], [3, 3], [6, 4]]}]
    battle = use("discord", fighter("b1", 20, 20), players=players)
    act(battle, "ability-discord")
    assert list(ask(battle).options) == ["1x2", "3x3"]
    act(battle, "3x3")
    assert battle.state.players[1].sets == ((1, 2), (6, 4))
    none = use("discord", fighter("b1", 20, 20), players=[{"sets": [[4, 4]]}, {"sets": [[6, 4]]}])
    assert refused(none, "ability-discord") == ("warcry.ability.sources",)


def test_needs_alone_and_outnumbered() -> None:
    near = scene(fighter("a1", 10, 10), fighter("a2", 17, 10), fighter("b1", 11.5, 10), fighter("b2", 8.5, 10)).state
    assert not abilities.has_need(near, near.fighter("a1"), "alone")
    assert abilities.has_need(near, near.fighter("a1"), "outnumbered")
    far = scene(fighter("a1", 10, 10), fighter("a2", 17.01, 10), fighter("b1", 11.5, 10), fighter("b2", 7.9, 10)).state
    assert abilities.has_need(far, far.fighter("a1"), "alone")
    assert not abilities.has_need(far, far.fighter("a1"), "outnumbered")


def test_only_a_carrier_fits_who_asks_for_one() -> None:
    state = scene(fighter("a1", 10, 10), fighter("b1", 12, 10)).state
    who = Who("enemy", 6, carrying=True)
    assert not fits(state, state.fighter("a1"), who, state.fighter("b1"), 6)
    state.fighter("b1").carrying = "g0"
    assert fits(state, state.fighter("a1"), who, state.fighter("b1"), 6)


# -- reactions to being approached -------------------------------------------------------------------------------


@pytest.mark.rule("warcry.reaction.basic", "warcry.reaction.cost")
def test_an_enemy_that_moves_to_within_1_inch_may_be_met() -> None:
    runner, dead = fighter("a1", 10, 10), fighter("b1", 14, 10, faction="hollow-procession")
    battle = scene(runner, dead, active="a1", dice=[5, 4])
    act(battle, "move", walk((12, 10)))
    assert ask(battle).prompt.key == "ask.react-approach"
    assert ask(battle).side == 1
    act(battle, "cold-hands:b1")
    assert battle.state.fighter("a1").damage == 2
    assert battle.state.fighter("b1").reactions == 1
    short = scene(runner, dead, active="a1")
    act(short, "move", walk((11.99, 10)))
    assert ask(short).prompt.key == "ask.act"
    tired = scene(runner, {**dead, "activations": 1}, active="a1")
    act(tired, "move", walk((12, 10)))
    assert ask(tired).prompt.key == "ask.act"


def test_a_brute_bounces_whoever_comes_too_near() -> None:
    brute = fighter("b1", 14, 10, faction="mud-revel", runemarks=["brute"])
    battle = scene(fighter("a1", 10, 10), brute, active="a1")
    act(battle, "move", path(("walk", 12, 10)), "bounce-off:b1")
    assert battle.state.fighter("a1").x == 10
    assert "shoved" in kinds(battle)


def test_a_bonus_attack_in_a_reaction_is_not_the_active_fighters() -> None:
    """The one who disengages keeps what its own activation allows."""
    captain = fighter("b1", 11.5, 10, faction="salt-pilgrims", runemarks=["hero"])
    battle = scene(fighter("a1", 10, 10), captain, active="a1", dice=[1, 1, 1])
    act(battle, "disengage", "not-so-fast:b1", "attack-0-a1")
    while ask(battle).prompt.key == "ask.react":
        act(battle, "pass")
    assert ask(battle).prompt.key == "ask.disengage"
    assert battle.state.active.bonus is False


# -- all of them -------------------------------------------------------------------------------------------------


def crowd(faction: str, alone: bool) -> list[dict[str, Any]]:
    """A hurt friend and three enemies about a1, one of them a carrier; the friend is far off if a1 must be alone."""
    return [
        fighter("a2", 10, 20 if alone else 11.6, faction=faction, damage=3),
        fighter("b1", 11.5, 10, wounds=30),
        fighter("b2", 8.5, 10, wounds=30, carrying="g0"),
        fighter("b3", 12.5, 7, wounds=30),
    ]


@pytest.mark.parametrize("name", sorted(LIB.abilities))
def test_every_ability_can_be_used_and_does_something(name: str) -> None:
    rule = LIB.abilities[name]
    alone = "alone" in rule.needs
    others = crowd(faction_of(rule), alone)
    players = [{"sets": [[4, 4]]}, {"sets": [[2, 2]]}]
    battle = use(name, *others, damage=2, players=players, treasures=[{**TOKEN, "carrier": "b2"}])
    battle.state.active.felled = "felled" in rule.needs
    battle.state.active.attacked = "attacked" in rule.needs
    battle.state.active.moved = "moved" in rule.needs
    before = len(battle.events)
    act(battle, f"ability-{name}")
    rng = Rng(5)
    asked = 0
    while ask(battle).prompt.key != "ask.act" and asked < 30:
        act(battle, ask(battle).suggest(rng))
        asked += 1
    told = [event.kind for event in battle.events[before:]]
    assert told[0] == "ability"
    assert len(told) > 1 or asked or battle.state.effects, told


@pytest.mark.parametrize("name", sorted(LIB.reactions))
def test_every_reaction_can_be_made(name: str) -> None:
    rule = LIB.reactions[name]
    marks = list(rule.runemarks)
    own = faction_of(rule)
    reactor = fighter("b1", 14, 10, faction=own, runemarks=marks, wounds=30)
    friend = fighter("b2", 14, 11.2, faction=own, runemarks=["bulwark"])
    bow = weapon(runemark="ranged", range=10)
    if rule.when == "approached":
        battle = scene(fighter("a1", 10, 10), reactor, active="a1")
        act(battle, "move", walk((12, 10)), f"{name}:b1")
    elif rule.when == "disengage":
        battle = scene(fighter("a1", 12.5, 10), reactor, active="a1")
        act(battle, "disengage", f"{name}:b1")
    else:
        near = rule.when != "missile"
        battle = scene(fighter("a1", 12.5 if near else 8, 10, weapons=[weapon(), bow]), reactor, friend, active="a1")
        act(battle, "attack-0-b1" if near else "attack-1-b1", name)
    assert last(battle, "reacted")["reaction"] == name
    assert reactions.find(battle.state, name) is rule
