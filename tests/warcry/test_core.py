"""Core concepts: measuring, dice, visibility, order."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

import umpire
from umpire import files
from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.games.warcry import dice
from umpire.games.warcry.content import library
from umpire.games.warcry.profiles import Faction, Profile
from umpire.games.warcry.sight import sees
from umpire.games.warcry.state import distance, horizontal, within
from warcry.builder import (
    BOX,
    WEAPON_RUNEMARKS,
    act,
    ask,
    fighter,
    fired,
    kinds,
    last,
    piece,
    refused,
    scene,
    walk,
    weapon,
)


@pytest.mark.rule("warcry.core.battle", "warcry.combat.battle-end", "warcry.setup.sequence")
def test_a_battle_runs_through_its_steps_to_an_outcome() -> None:
    battle = umpire.battle("warcry", seed=11, options={"terrain": "random"})
    rng = Rng(1)
    while battle.decision is not None:
        battle.answer(battle.suggest(rng))
    told = kinds(battle)
    order = ["mustered", "drawn", "terrain", "colours", "victory-step", "twist-step", "begin", "round", "outcome"]
    assert [told.index(kind) for kind in order] == sorted(told.index(kind) for kind in order)
    assert max(n for n, k in enumerate(told) if k == "deployed" and n < told.index("round")) < told.index(
        "victory-step"
    )
    outcome = battle.outcome
    assert outcome is not None
    points = tuple(float(p.points) for p in battle.state.players)
    assert outcome.score == points
    assert outcome.winner == (None if points[0] == points[1] else int(points[1] > points[0]))


@pytest.mark.rule("warcry.core.battle", "warcry.combat.battle-end")
def test_a_side_without_fighters_does_not_lose_by_that_alone() -> None:
    battle = scene(
        fighter("a1", 5, 5),
        fighter("b1", 20, 5, where="down", damage=10, felled_in=1),
        at="end-round",
        round=4,
        players=[{"points": 1}, {"points": 2}],
    )
    assert battle.outcome is not None
    assert battle.outcome.winner == 1


@pytest.mark.rule("warcry.core.fighter", "warcry.core.distance", "warcry.core.distance-3d")
def test_distance_is_between_bases_in_three_dimensions() -> None:
    high = {"id": "high", "name": {"zh": "台", "en": "high"}, "parts": [{"rect": [0, 0, 1.1, 1.1], "top": 4}]}
    spot = [{"piece": "high", "x": 9.2, "y": 5}]
    pawns = fighter("a1", 5, 5), fighter("b1", 8, 5), fighter("b2", 9, 5, 4)
    state = scene(*pawns, at="turn", pieces=[high], terrain=spot).state
    a, b, c = state.fighters
    assert distance(a, b) == pytest.approx(2.0)
    assert horizontal(a, c) == pytest.approx(3.0)
    assert distance(a, c) == pytest.approx(5.0)
    assert not within(distance(a, c), 4.0)
    assert {f.side for f in state.fighters} == {0, 1}


@pytest.mark.rule("warcry.core.within", "warcry.core.wholly-within")
def test_within_includes_the_limit_and_wholly_within_needs_every_part() -> None:
    from umpire.games.warcry.cards import DeploymentPoint
    from umpire.games.warcry.placing import Zone

    assert within(3.0, 3.0)
    assert not within(3.01, 3.0)
    a = scene(fighter("a1", 5, 5)).state.fighters[0]
    zone = Zone(DeploymentPoint(5, 5), False, 30, 22)
    at = a.base
    assert not zone.reasons(a, at.at(7.5, 5), "warcry.setup.deploy-zone")
    (reason,) = zone.reasons(a, at.at(7.6, 5), "warcry.setup.deploy-zone")
    assert reason.facts["distance"] == pytest.approx(3.1)


@pytest.mark.rule("warcry.core.friendly-enemy")
def test_friends_are_all_others_of_the_warband_but_oneself() -> None:
    battle = scene(
        fighter("a1", 5, 5, runemarks=["hero"]),
        fighter("a2", 8, 5),
        fighter("b1", 20, 5),
        active="a1",
        players=[{"sets": [[4, 3]]}],
    )
    state = battle.state
    assert [f.id for f in state.friends(state.fighter("a1"))] == ["a2"]
    assert [f.id for f in state.enemies(state.fighter("a1"))] == ["b1"]
    act(battle, "ability-inspiring-presence")
    assert state.players[0].inspired == "a2" or battle.state.players[0].inspired == "a2"


@pytest.mark.rule("warcry.core.profile", "warcry.core.runemark")
def test_a_profile_lacking_something_or_with_four_runemarks_is_rejected() -> None:
    good = {
        "id": "x",
        "name": {"zh": "x", "en": "x"},
        "move": 4,
        "toughness": 4,
        "wounds": 8,
        "points": 50,
        "weapons": [weapon()],
    }
    msgspec.convert(good, Profile)
    for field in ("move", "toughness", "wounds", "points", "weapons"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({k: v for k, v in good.items() if k != field}, Profile)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**good, "weapons": []}, Profile)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**good, "weapons": [weapon(damage=[1])]}, Profile)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**good, "runemarks": ["hero", "fly", "mount", "beast"]}, Profile)


@pytest.mark.rule("warcry.core.battlefield-size", "warcry.core.battlefield-floor")
def test_the_battlefield_is_30_by_22_and_treasure_lies_on_its_floor() -> None:
    from umpire.games.warcry.objectives import free_spot

    block = piece({"rect": [0, 0, 4, 4], "top": 3})
    state = scene(fighter("a1", 5, 5), pieces=[block]).state
    assert (state.layout.width, state.layout.depth) == (30.0, 22.0)
    x, y, z = free_spot(state, 15, 11, floor=True)
    assert z == 0.0
    assert abs(x - 15) > 2 or abs(y - 11) > 2
    assert free_spot(state, 15, 11) == (15, 11, 3.0)


@pytest.mark.rule("warcry.core.premeasure")
def test_measuring_changes_nothing_and_is_never_refused() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("b1", 20, 5), active="a1")
    act(battle, "move")
    before = battle.digest
    for x in (6.0, 60.0, -3.0):
        battle.check(walk((x, 5.0)))
    battle.decision.reach()  # type: ignore[union-attr]
    assert battle.digest == before


@pytest.mark.rule("warcry.core.dice-sum", "warcry.core.d3")
def test_dice_are_added_up_and_a_d3_is_half_a_die() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("b1", 20, 5), dice=[3, 5, 4])
    assert dice.amount(battle, "2D6", 0, "damage", 0, "a1") == 8
    assert dice.amount(battle, "D3", 0, "damage", 0, "a1") == 2
    assert [dice.d3(face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.rule("warcry.core.target-number", "warcry.core.d66")
def test_target_numbers_and_d66() -> None:
    assert dice.passes(3, 3)
    assert not dice.passes(2, 3)
    assert dice.d66(3, 5) == 35
    results = {dice.d66(a, b) for a in range(1, 7) for b in range(1, 7)}
    assert len(results) == 36
    assert (min(results), max(results)) == (11, 66)


@pytest.mark.rule("warcry.core.roll-off")
def test_a_tied_roll_off_is_rolled_again() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("b1", 20, 5), dice=[4, 4, 2, 2, 3, 5])
    assert dice.roll_off(battle, "roles") == 1
    assert battle.state.dice.queue == []


@pytest.mark.rule("warcry.core.reroll")
def test_a_die_is_re_rolled_once_and_the_second_result_stands() -> None:
    effect = {
        "on": "a1",
        "what": "reroll",
        "op": "add",
        "value": 6,
        "rule": "warcry.ability.sources",
        "source": "rush",
        "until": "activation",
        "data": {"misses": True},
    }
    battle = scene(
        fighter("a1", 5, 5, weapons=[weapon(attacks=2)]),
        fighter("b1", 6.5, 5, activations=1),
        active="a1",
        dice=[2, 5, 1],
        effects=[effect],
    )
    act(battle, "attack-0-b1", True)
    again = next(e.roll for e in battle.events if e.kind == "reroll")
    assert again is not None
    assert (again.faces, again.first) == ([1, 5], [2, 0])
    assert last(battle, "hits")["hits"] == 1
    assert battle.reroll(again, [0]).faces == [1, 5]


WALL = piece({"rect": [0, 0, 0.3, 4], "top": 4})


@pytest.mark.rule("warcry.core.visibility", "warcry.core.visibility-self")
def test_walls_and_bodies_hide_and_any_free_line_shows() -> None:
    state = scene(
        fighter("a1", 13, 11),
        fighter("b1", 17, 11),
        fighter("b2", 17, 16),
        fighter("a2", 13, 5),
        fighter("b3", 17, 5),
        fighter("b4", 15, 5, base=50.8, height=3),
        pieces=[WALL],
    ).state
    a1, b1, b2, a2, b3, _ = state.fighters
    assert not sees(state, a1, b1)
    assert not sees(state, b1, a1)
    assert sees(state, a1, b2)
    assert sees(state, b2, a1)
    assert not sees(state, a2, b3)
    assert not sees(state, a1, a1)


@pytest.mark.rule("warcry.core.visibility")
def test_two_slits_in_line_are_seen_through_however_narrow() -> None:
    # Two walls two inches apart, each with a slit of a hundredth of an inch; in line, and not. Between seven viewpoints
    # across either body no line passes the slits at 0.2.
    for first, above, seen in ((0.137, 0.137, True), (0.2, 0.2, True), (0.137, 0.3, False), (0.2, 0.38, False)):
        walls = [
            {"rect": [x, y + side * 3.005, 0.2, 6], "top": 4} for x, y in ((-1, first), (1, above)) for side in (1, -1)
        ]
        state = scene(fighter("a1", 13, 11), fighter("b1", 17, 11), pieces=[piece(*walls)]).state
        assert sees(state, *state.fighters) is seen, above
        assert sees(state, *reversed(state.fighters)) is seen, above


@pytest.mark.rule("warcry.core.visibility-base")
def test_a_base_alone_is_not_seen() -> None:
    # A wall on legs leaves the lowest tenth of an inch open: only bases show under it.
    slab = piece({"rect": [0, 0, 0.3, 12], "floor": 0.12, "top": 4})
    high = piece({"rect": [0, 0, 0.3, 12], "floor": 0.6, "top": 4})
    a = scene(fighter("a1", 13, 11), fighter("b1", 17, 11), pieces=[slab]).state
    assert not sees(a, a.fighters[0], a.fighters[1])
    b = scene(fighter("a1", 13, 11), fighter("b1", 17, 11), pieces=[high]).state
    assert sees(b, b.fighters[0], b.fighters[1])


@pytest.mark.rule("warcry.core.sequencing")
def test_who_orders_simultaneous_rules() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("b1", 20, 5), at="turn", side=1, initiative=0, dice=[2, 6, 6, 1])
    state = battle.state
    assert dice.orderer(battle, "order") == state.turn == 1
    state.phase = "reserve"
    assert dice.orderer(battle, "order") == 0
    state.phase = "set-up"
    assert dice.orderer(battle, "order") == 1
    state.phase = "end"
    assert dice.orderer(battle, "order") == 0


@pytest.mark.rule("warcry.core.sequencing")
def test_the_active_player_orders_the_damage_of_attack_and_counter() -> None:
    battle = scene(
        fighter("a1", 5, 5, weapons=[weapon(attacks=2)]),
        fighter("b1", 6.5, 5),
        active="a1",
        dice=[1, 5],
    )
    act(battle, "attack-0-b1", "counter")
    assert battle.decision is not None
    assert battle.decision.side == 0
    act(battle, "riposte")
    hurt = [e.facts["fighter"] for e in battle.events if e.kind == "damage"]
    assert hurt == ["a1", "b1"]
    assert "warcry.core.sequencing" in fired(battle)


@pytest.mark.rule("warcry.runemark.use", "warcry.runemark.weapons")
def test_the_fifteen_weapon_runemarks_are_known_and_others_are_valid() -> None:
    assert len(WEAPON_RUNEMARKS) == 15
    battle = scene(fighter("a1", 5, 5, weapons=[weapon(runemark="ladle")]), fighter("b1", 6.5, 5), active="a1")
    assert battle.check("attack-0-b1").legal


@pytest.mark.rule("warcry.core.sequencing")
def test_the_player_with_the_initiative_orders_what_a_twist_does_to_several() -> None:
    for initiative in (0, 1):
        battle = scene(
            fighter("a1", 13.3, 11, 3),
            fighter("b1", 16.7, 11, 3),
            at="combat",
            twist="trembling-stones",
            initiative=initiative,
            pieces=[BOX],
            dice=[6, 6],
        )
        assert (ask(battle).prompt.key, ask(battle).side) == ("ask.order-shaken", initiative)
        act(battle, ["b1", "a1"])
        assert [e.facts["fighter"] for e in battle.events if e.kind == "fall-test"] == ["b1", "a1"]


@pytest.mark.rule("warcry.runemark.battleplan-cards", "warcry.runemark.deployment", "warcry.runemark.twists")
def test_decks_battlegroups_and_kinds_of_twist() -> None:
    from umpire.games.warcry.cards import TwistKind
    from umpire.games.warcry.profiles import DECKS, GROUPS

    assert DECKS == ("terrain", "deployment", "victory", "twist")
    assert sorted(GROUPS) == ["dagger", "hammer", "shield"]
    assert len(get_args(TwistKind)) == 5
    assert {card.kind for card in library().twist.values()} <= set(get_args(TwistKind))


@pytest.mark.rule("warcry.runemark.treasure")
def test_eight_kinds_of_treasure_and_no_other() -> None:
    from umpire.games.warcry.cards import Deck
    from umpire.games.warcry.content import Library, add_deck, read
    from umpire.games.warcry.profiles import TREASURE_RUNEMARKS

    assert len(TREASURE_RUNEMARKS) == 8
    text = "victories: [{id: v, name: {zh: a, en: a}, score: [{do: carried}], treasure_kind: cheese}]"
    with pytest.raises(UmpireError, match="treasure"):
        read(files.parse(text, "cards.yaml"), Deck, Library(), add_deck)


def test_content_that_names_an_unknown_rule_is_an_error_with_file_and_field() -> None:
    ability = "{id: a, name: {zh: a, en: a}, cost: double, effect: [{do: dance}]}"
    text = f"{{id: f, name: {{zh: a, en: a}}, alliance: order, fighters: [], abilities: [{ability}]}}"
    with pytest.raises(UmpireError, match=r"f\.yaml:1: .*dance.*\(field abilities\[0\]\.effect\[0\]"):
        files.parse(text, "f.yaml").convert(Faction)


@pytest.mark.rule("warcry.objective.other-tokens", "warcry.objective.markers")
def test_tokens_block_nothing() -> None:
    battle = scene(
        fighter("a1", 5, 5),
        fighter("b1", 20, 5),
        active="a1",
        objectives=[{"id": "o0", "x": 7, "y": 5}],
        treasures=[{"id": "g0", "kind": "skull", "x": 8, "y": 5}],
    )
    act(battle, "move")
    assert battle.check(walk((8.0, 5.0))).legal
    assert sees(battle.state, battle.state.fighter("a1"), battle.state.fighter("b1"))
    assert refused(battle, walk((10.6, 5.0))) == ("warcry.move.action",)
