"""Attack actions, damage, cover, fall tests."""

from __future__ import annotations

import pytest

from umpire.games.warcry.attack import need_to_hit, read_hits
from umpire.games.warcry.profiles import Weapon
from umpire.games.warcry.sight import cover
from warcry.builder import act, ask, fighter, fired, kinds, last, piece, refused, scene, weapon


@pytest.mark.rule("warcry.attack.weapon", "warcry.attack.damage-total")
def test_the_weapon_used_decides_and_damage_is_added_up() -> None:
    arms = [weapon(attacks=4, damage=[1, 3]), weapon(runemark="axe", attacks=1, strength=9, damage=[4, 9])]
    battle = scene(
        fighter("a1", 5, 5, weapons=arms),
        fighter("b1", 6.5, 5, wounds=30, activations=1),
        fighter("b2", 20, 5),
        active="a1",
        dice=[4, 5, 6, 2, 3],
    )
    act(battle, "attack-0-b1")
    assert last(battle, "hits")["damage"] == 5
    act(battle, "attack-1-b1")
    assert last(battle, "hits")["damage"] == 4
    assert battle.state.fighter("b1").damage == 9


@pytest.mark.rule("warcry.attack.hit-table", "warcry.attack.hit-rolls")
@pytest.mark.parametrize(("strength", "toughness", "need"), [(4, 3, 3), (4, 4, 4), (3, 4, 5), (9, 1, 3), (1, 9, 5)])
def test_strength_against_toughness(strength: int, toughness: int, need: int) -> None:
    assert need_to_hit(strength, toughness) == need
    results = read_hits(range(1, 7), strength, toughness)  # type: ignore[arg-type]
    assert results == ["miss"] * (need - 1) + ["hit"] * (6 - need) + ["critical"]


@pytest.mark.rule("warcry.attack.target", "warcry.attack.range", "warcry.core.distance-3d")
def test_a_target_is_visible_and_in_range() -> None:
    wall = piece({"rect": [0, 0, 0.3, 6], "top": 6})
    step = piece({"rect": [0, 0, 1.2, 1.2], "top": 2}, key="step")
    battle = scene(
        fighter("a1", 5, 5, weapons=[weapon(range=3)]),
        fighter("b1", 9, 5),
        fighter("b2", 5, 9.1),
        fighter("b3", 5, 2.5, 2),
        active="a1",
        pieces=[step],
        terrain=[{"piece": "step", "x": 5, "y": 2.5}],
    )
    assert battle.check("attack-0-b1").legal
    assert refused(battle, "attack-0-b2") == ("warcry.attack.range",)
    assert battle.check("attack-0-b3").legal
    hidden = scene(
        fighter("a1", 13.5, 11, weapons=[weapon(range=3)]), fighter("b1", 16.5, 11), active="a1", pieces=[wall]
    )
    assert refused(hidden, "attack-0-b1") == ("warcry.core.visibility",)
    assert refused(battle, ["attack-0-b1", "attack-0-b3"])


@pytest.mark.rule("warcry.attack.target-adjacent")
def test_enemies_within_an_inch_come_first() -> None:
    arms = [weapon(range=3), weapon(range=20, least=6)]
    battle = scene(fighter("a1", 5, 5, weapons=arms), fighter("b1", 7, 5), fighter("b2", 8.5, 6), active="a1")
    assert battle.check("attack-0-b1").legal
    assert refused(battle, "attack-0-b2") == ("warcry.attack.target-adjacent",)
    assert "warcry.attack.min-range" in refused(battle, "attack-1-b1")


@pytest.mark.rule("warcry.attack.missile-into-combat")
def test_no_shooting_at_enemies_beside_friends() -> None:
    arms = [weapon(range=3), weapon(range=12)]
    battle = scene(
        fighter("a1", 5, 5, weapons=arms), fighter("a2", 9.8, 5), fighter("b1", 8, 5), fighter("b2", 5, 12), active="a1"
    )
    assert refused(battle, "attack-1-b1") == ("warcry.attack.missile-into-combat",)
    assert battle.check("attack-0-b1").legal
    assert battle.check("attack-1-b2").legal


@pytest.mark.rule("warcry.attack.min-range")
def test_minimum_range() -> None:
    arms = [weapon(range=20, least=6)]
    for far, legal in ((6.0, False), (6.01, True), (20.0, True), (20.1, False)):
        battle = scene(fighter("a1", 2, 5, weapons=arms), fighter("b1", 3 + far, 5), active="a1")
        assert battle.check("attack-0-b1").legal is legal, far


@pytest.mark.rule("warcry.attack.melee-missile")
def test_melee_up_to_range_3() -> None:
    def kind(**more: float) -> str:
        return Weapon("sword", 1, 1, (1, 1), **more).kind  # type: ignore[arg-type]

    assert kind(range=3) == "melee"
    assert kind(range=3, least=1) == "melee"
    assert kind(range=4) == "missile"
    assert kind(range=15, least=3) == "missile"


@pytest.mark.rule("warcry.damage.allocate", "warcry.damage.taken-down")
def test_the_tenth_point_takes_a_fighter_of_ten_wounds_down() -> None:
    hit = [weapon(attacks=1, damage=[1, 1])]
    battle = scene(
        fighter("a1", 5, 5, weapons=hit),
        fighter("b1", 6.5, 5, damage=8, activations=1),
        fighter("b2", 20, 5),
        active="a1",
        dice=[5, 5],
    )
    act(battle, "attack-0-b1")
    assert battle.state.fighter("b1").where == "field"
    act(battle, "attack-0-b1")
    assert battle.state.fighter("b1").where == "down"
    assert battle.state.active.fighter == "b2"
    assert not battle.check("b1").legal


@pytest.mark.rule("warcry.damage.taken-down")
def test_going_down_in_ones_own_activation_ends_it() -> None:
    battle = scene(
        fighter("a1", 5, 5, damage=9), fighter("a2", 5, 15), fighter("b1", 6.5, 5), active="a1", dice=[1, 1, 1]
    )
    act(battle, "attack-0-b1", "counter")
    assert battle.state.fighter("a1").where == "down"
    assert battle.state.active.fighter == "b1"


@pytest.mark.rule("warcry.damage.excess")
def test_damage_beyond_the_last_wound_is_lost() -> None:
    battle = scene(
        fighter("a1", 5, 5, weapons=[weapon(attacks=1, damage=[7, 7])]),
        fighter("b1", 6.5, 5, damage=6, activations=1),
        fighter("b2", 6.5, 6.5),
        active="a1",
        dice=[5],
    )
    act(battle, "attack-0-b1")
    assert last(battle, "damage")["lost"] == 3
    assert battle.state.fighter("b2").damage == 0


# -- cover -------------------------------------------------------------------------------------------------------

WALL = piece({"rect": [0, 0, 0.3, 3], "top": 1.2})


@pytest.mark.rule("warcry.terrain.cover", "warcry.terrain.cover-obstacle")
def test_an_obstacle_on_the_line_between_bases_gives_one_toughness() -> None:
    battle = scene(
        fighter("a1", 13, 11, weapons=[weapon(range=3, attacks=1)]),
        fighter("b1", 17, 11, activations=1),
        active="a1",
        pieces=[WALL],
        terrain=[{"piece": "piece", "x": 14.6, "y": 11}, {"piece": "piece", "x": 15.6, "y": 11}],
        dice=[4],
    )
    state = battle.state
    assert cover(state, state.fighter("a1"), state.fighter("b1")) == "warcry.terrain.cover-obstacle"
    assert cover(state, state.fighter("b1"), state.fighter("a1")) == "warcry.terrain.cover-obstacle"
    act(battle, "attack-0-b1")
    roll = next(e for e in battle.events if e.roll and e.roll.purpose == "hit")
    assert roll.facts["toughness"] == 5
    assert last(battle, "hits")["hits"] == 0


@pytest.mark.rule("warcry.terrain.cover-obstacle")
def test_low_terrain_gives_no_cover() -> None:
    low = piece({"rect": [0, 0, 0.3, 3], "top": 0.9})
    state = scene(fighter("a1", 13, 11), fighter("b1", 17, 11), pieces=[low]).state
    assert cover(state, state.fighters[0], state.fighters[1]) == ""


@pytest.mark.rule("warcry.terrain.cover-near-attacker")
def test_an_obstacle_within_half_an_inch_of_the_attacker_is_ignored() -> None:
    state = scene(fighter("a1", 13.95, 11), fighter("b1", 22.95, 11), fighter("b2", 15.7, 11), pieces=[WALL]).state
    a, b, c = state.fighters
    assert cover(state, a, b) == ""
    assert cover(state, b, a) == "warcry.terrain.cover-obstacle"
    # Within an inch of each other the wall always counts.
    assert cover(state, a, c) == "warcry.terrain.cover-obstacle"


@pytest.mark.rule("warcry.terrain.cover-over")
def test_a_line_over_an_obstacle_gives_no_cover() -> None:
    towers = piece(
        {"rect": [-3, 0, 2, 2], "top": 3}, {"rect": [3, 0, 2, 2], "top": 3}, {"rect": [0, 0, 0.3, 4], "top": 2.5}
    )
    state = scene(fighter("a1", 12, 11, 3), fighter("b1", 18, 11, 3), pieces=[towers]).state
    assert cover(state, state.fighters[0], state.fighters[1]) == ""
    higher = piece(
        {"rect": [-3, 0, 2, 2], "top": 3}, {"rect": [3, 0, 2, 2], "top": 3}, {"rect": [0, 0, 0.3, 4], "top": 3.5}
    )
    state = scene(fighter("a1", 12, 11, 3), fighter("b1", 18, 11, 3), pieces=[higher]).state
    assert cover(state, state.fighters[0], state.fighters[1]) == "warcry.terrain.cover-obstacle"


@pytest.mark.rule("warcry.terrain.cover-platform")
def test_a_target_on_a_platform_two_inches_up_is_in_cover() -> None:
    for top, rule in ((2.0, "warcry.terrain.cover-platform"), (1.9, "")):
        deck = piece({"rect": [0, 0, 4, 4], "floor": top - 0.1, "top": top})
        state = scene(fighter("a1", 12.2, 11), fighter("b1", 13.2, 11, top), pieces=[deck]).state
        a, b = state.fighters
        # The lower fighter stands outside the deck, whose rim is on the line only for the upper one further in.
        found = cover(state, a, b)
        assert (found == "warcry.terrain.cover-platform") is (rule == "warcry.terrain.cover-platform")
        assert cover(state, b, a) != "warcry.terrain.cover-platform"


@pytest.mark.rule("warcry.terrain.cover-platform")
def test_a_lower_platform_is_no_cover_from_above() -> None:
    pair = piece({"rect": [-4, 0, 3, 3], "floor": 3.9, "top": 4}, {"rect": [0, 0, 3, 3], "floor": 1.9, "top": 2})
    state = scene(fighter("a1", 11, 11, 4), fighter("b1", 15, 11, 2), pieces=[pair]).state
    a, b = state.fighters
    assert cover(state, a, b) != "warcry.terrain.cover-platform"
    assert cover(state, b, a) == "warcry.terrain.cover-platform"


# -- fall tests --------------------------------------------------------------------------------------------------

DECK = piece({"rect": [0, 0, 6, 6], "top": 3})


@pytest.mark.rule("warcry.terrain.edge-fall-test", "warcry.terrain.fall-test")
def test_a_target_near_an_open_edge_tests_even_if_nothing_hit() -> None:
    # The deck's edge is at x = 12: the base's rim is 0.5 and 0.6 inches from it.
    for x, tests in ((13.0, 1), (13.1, 0)):
        battle = scene(
            fighter("a1", x + 1.5, 11, 3),
            fighter("b1", x, 11, 3, activations=1),
            active="a1",
            pieces=[DECK],
            dice=[2, 2, 2, 2],
        )
        act(battle, "attack-0-b1")
        assert kinds(battle).count("fall-test") == tests, x
        assert "fell" not in kinds(battle)


@pytest.mark.rule("warcry.terrain.fall-test", "warcry.move.fall-triggers", "warcry.move.fall-placement")
def test_on_a_one_it_falls_where_the_opponent_says() -> None:
    battle = scene(
        fighter("a1", 14, 11, 3),
        fighter("b1", 12.5, 11, 3, activations=1),
        active="a1",
        pieces=[DECK],
        dice=[2, 2, 2, 1, 5],
    )
    act(battle, "attack-0-b1")
    assert ask(battle).side == 0
    assert ask(battle).prompt.key == "ask.fall"
    assert battle.check({"x": 10.0, "y": 11.0, "z": 0}).legal
    assert "warcry.move.fall-placement" in refused(battle, {"x": 9.9, "y": 11.0, "z": 0})
    assert "warcry.move.fall-placement" in refused(battle, {"x": 12.5, "y": 11.0, "z": 3})
    act(battle, {"x": 10.0, "y": 11.0, "z": 0})
    assert battle.state.fighter("b1").z == 0
    assert last(battle, "fell")["depth"] == 3.0


@pytest.mark.rule("warcry.terrain.edge-fall-test")
def test_fliers_walled_edges_and_the_floor_need_no_test() -> None:
    walled = piece({"rect": [0, 0, 6, 6], "top": 3}, {"rect": [-2.9, 0, 0.2, 6], "floor": 3, "top": 4.5})
    flier = fighter("b1", 12.6, 11, 3, runemarks=["fly"], activations=1)
    for fighters, deck in (
        ((fighter("a1", 14.1, 11, 3), flier), DECK),
        ((fighter("a1", 14.2, 11, 3), fighter("b1", 12.75, 11, 3, activations=1)), walled),
        ((fighter("a1", 10, 11), fighter("b1", 11.4, 11, activations=1)), DECK),
    ):
        battle = scene(*fighters, active="a1", pieces=[deck], dice=[2, 2, 2])
        act(battle, "attack-0-b1")
        assert "fall-test" not in kinds(battle)


@pytest.mark.rule("warcry.terrain.edge-fall-test")
def test_the_edge_of_a_platform_of_two_parts_is_an_edge() -> None:
    # Two parts meet at x = 15; b1 stands on the one, its rim half an inch or more from the outer edge of the other.
    halves = piece({"rect": [-3, 0, 6, 6], "top": 3}, {"rect": [0.55, 0, 1.1, 6], "top": 3})
    for x, tests in ((14.6, 1), (14.5, 0)):
        battle = scene(
            fighter("a1", x - 2, 11, 3),
            fighter("b1", x, 11, 3, base=50.8, activations=1),
            active="a1",
            pieces=[halves],
            dice=[2, 2, 2, 2],
            terrain=[{"piece": "piece", "x": 15, "y": 11}],
        )
        act(battle, "attack-0-b1")
        assert kinds(battle).count("fall-test") == tests, x


@pytest.mark.rule("warcry.terrain.edge-fall-test")
def test_an_edge_is_open_only_where_nothing_adjoins_it() -> None:
    # A walkway of the same height meets the upper half of the deck's left edge.
    joined = piece({"rect": [0, 0, 6, 6], "top": 3}, {"rect": [-5, 1.5, 4, 3], "floor": 2.8, "top": 3})
    for y, tests in ((12.6, 0), (9.4, 1)):
        battle = scene(
            fighter("a1", 14, y, 3),
            fighter("b1", 12.5, y, 3, activations=1),
            active="a1",
            pieces=[joined],
            dice=[2, 2, 2, 2],
        )
        act(battle, "attack-0-b1")
        assert kinds(battle).count("fall-test") == tests, y


@pytest.mark.rule("warcry.terrain.edge-fall-test")
def test_a_platform_of_two_adjoining_parts_has_its_edge_all_round() -> None:
    """At the very place where the two meet at the edge too; where they meet inside there is none."""
    whole = [{"rect": [0, 0, 6, 6], "top": 3}]
    beside = [{"rect": [x, 0, 3, 6], "top": 3} for x in (-1.5, 1.5)]
    behind = [{"rect": [0, y, 6, 3], "top": 3} for y in (-1.5, 1.5)]
    for parts in (whole, beside, behind):
        for x, y, ax, ay, tests in ((12.5, 11, 14, 11, 1), (15, 8.5, 15, 10, 1), (15, 11, 16.5, 11, 0)):
            battle = scene(
                fighter("a1", ax, ay, 3),
                fighter("b1", x, y, 3, activations=1),
                active="a1",
                pieces=[piece(*parts)],
                dice=[2, 2, 2, 2],
            )
            act(battle, "attack-0-b1")
            assert kinds(battle).count("fall-test") == tests, (parts, x, y)


@pytest.mark.rule("warcry.terrain.stairs-fall-test", "warcry.terrain.stairs-stay")
def test_on_a_ladder_one_stays_and_tests_when_attacked() -> None:
    ladder = piece({"rect": [0, 0, 6, 6], "top": 3}, {"rect": [0, -3.1, 1, 0.2], "top": 3, "kind": "ladder"})
    battle = scene(
        fighter("a1", 15, 7.296, 1.5, climbing="t0.1"),
        fighter("b1", 15, 5.8, 0, weapons=[weapon(range=3)]),
        fighter("a2", 2, 2),
        active="a1",
        pieces=[ladder],
        dice=[5, 5, 5, 1, 6],
    )
    act(battle, "move", {"path": []}, "wait")
    assert battle.state.fighter("a1").z == 1.5
    assert "on-steps" in kinds(battle)
    act(battle, "attack-0-a1")
    assert ask(battle).prompt.key == "ask.fall"
    assert {"warcry.terrain.stairs-stay", "warcry.terrain.stairs-fall-test"} <= fired(battle)
