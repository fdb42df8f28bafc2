"""The combat phase: turns, actions, waiting, disengaging; abilities and reactions."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.games.warcry import abilities, reactions, switch
from umpire.games.warcry.state import value
from warcry.builder import act, ask, fighter, kinds, last, refused, scene, walk, weapon


def options(battle: Battle[Any]) -> list[str]:
    return list(ask(battle).options)  # type: ignore[attr-defined]


FAR = (fighter("a1", 5, 5), fighter("a2", 5, 8), fighter("b1", 20, 5), fighter("b2", 20, 8))


@pytest.mark.rule("warcry.combat.first-turn")
def test_the_holder_may_let_the_other_go_first() -> None:
    battle = scene(*FAR, at="combat", initiative=1)
    assert ask(battle).side == 1
    act(battle, "second")
    assert ask(battle).side == 0


@pytest.mark.rule("warcry.combat.activation", "warcry.combat.must-activate")
def test_turns_alternate_and_activation_is_compulsory() -> None:
    battle = scene(*FAR, at="turn")
    assert refused(battle, "pass") == ("warcry.combat.must-activate",)
    act(battle, "a1", "wait")
    assert ask(battle).side == 1
    act(battle, "b1", "move", walk((18, 5)), "wait")
    assert options(battle) == ["a1", "a2"]
    act(battle, "a1", "move", walk((6, 5)))
    act(battle, "wait")
    assert battle.state.active is not None
    assert battle.state.active.fighter == "a2"


@pytest.mark.rule("warcry.combat.must-activate")
def test_a_fighter_that_has_activated_cannot_be_picked() -> None:
    battle = scene(fighter("a1", 5, 5, activations=1), *FAR[1:], fighter("a3", 5, 11), at="turn")
    assert refused(battle, "a1") == ("warcry.combat.must-activate",)
    assert options(battle) == ["a2", "a3"]


@pytest.mark.rule("warcry.combat.pass", "warcry.combat.phase-end")
def test_passing_and_the_end_of_the_phase() -> None:
    battle = scene(fighter("a1", 5, 5, activations=1), *FAR[2:], at="turn", side=0)
    assert kinds(battle)[:1] == ["passed"]
    assert ask(battle).side == 1
    act(battle, "b1", "move", {"path": []}, "wait")
    assert kinds(battle).count("passed") == 2
    assert "phase-end" not in kinds(battle)
    act(battle, "move", {"path": []}, "wait")
    assert "phase-end" in kinds(battle)


@pytest.mark.rule("warcry.combat.actions", "warcry.combat.sequential-actions")
def test_two_actions_the_second_chosen_after_the_first() -> None:
    battle = scene(
        fighter("a1", 5, 5),
        fighter("b1", 6.5, 5, wounds=40, activations=1),
        active="a1",
        seed=3,
        players=[{"sets": [[3, 2]]}],
    )
    act(battle, "attack-0-b1")
    assert ask(battle).prompt.key == "ask.act"
    act(battle, "attack-0-b1")
    assert options(battle) == ["ability-rush", "ability-onslaught", "ability-hot-feet", "done"]
    assert refused(battle, "attack-0-b1") == ("warcry.combat.actions",)
    assert battle.state.active.taken == 2


@pytest.mark.rule("warcry.combat.bonus-actions", "warcry.ability.rampage")
def test_rampage_is_a_bonus_move_then_a_bonus_attack_besides_two_actions() -> None:
    battle = scene(
        fighter("a1", 5, 5),
        fighter("b1", 9.5, 5, wounds=60, activations=1),
        active="a1",
        players=[{"sets": [[5, 4]]}],
        seed=1,
    )
    act(battle, "ability-rampage", "move", walk((8, 5)), "attack-0-b1", "attack-0-b1", "attack-0-b1")
    assert kinds(battle).count("attack") == 3
    assert kinds(battle).count("bonus") == 2
    assert battle.state.active is None


@pytest.mark.rule("warcry.ability.rampage", "warcry.move.engaged")
def test_within_an_inch_of_an_enemy_rampage_is_only_an_attack() -> None:
    battle = scene(
        fighter("a1", 5, 5),
        fighter("b1", 6.9, 5, wounds=60, activations=1),
        active="a1",
        players=[{"sets": [[5, 4]]}],
        seed=1,
    )
    act(battle, "ability-rampage")
    assert options(battle) == ["attack-0-b1", "pass"]
    act(battle, "pass")
    assert battle.state.active.left == 2


@pytest.mark.rule("warcry.combat.ability-use")
def test_who_is_about_to_pay_for_an_ability_uses_no_other() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("b1", 20, 20), active="a1", players=[{"sets": [[4, 2], [5, 2]]}])
    act(battle, "ability-rush")
    assert ask(battle).prompt.key == "ask.pay"
    ruling = battle.why_not(0, {"deed": "ability", "who": "a1", "using": "onslaught"})
    assert ruling.rules == ("warcry.combat.ability-use",)


@pytest.mark.rule("warcry.combat.ability-use", "warcry.ability.use", "warcry.ability.discard-dice")
def test_one_ability_an_activation_and_its_dice_are_gone() -> None:
    battle = scene(*FAR, active="a1", players=[{"sets": [[4, 2], [5, 2]]}])
    assert refused(battle, "ability-respite") == ("warcry.ability.use",)
    act(battle, "ability-rush", "4x2")
    assert battle.state.players[0].sets == ((5, 2),)
    assert refused(battle, "ability-onslaught") == ("warcry.combat.ability-use",)
    act(battle, "move")
    assert refused(battle, "ability-onslaught")


@pytest.mark.rule("warcry.ability.substitute", "warcry.ability.value")
def test_a_larger_set_pays_and_is_gone_as_a_whole() -> None:
    battle = scene(fighter("a1", 5, 5, damage=3), *FAR[2:], active="a1", players=[{"sets": [[2, 4]]}])
    act(battle, "ability-respite")
    assert last(battle, "ability")["value"] == 2
    assert battle.state.fighter("a1").damage == 1
    assert battle.state.players[0].sets == ()
    poor = scene(*FAR, active="a1", players=[{"sets": [[4, 2], [5, 2]]}])
    assert "ability-respite" not in options(poor)


@pytest.mark.rule("warcry.ability.sources", "warcry.ability.runemark-limit")
def test_a_fighters_list_is_universal_and_its_factions_by_runemark() -> None:
    state = scene(
        fighter("a1", 5, 5),
        fighter("a2", 5, 8, runemarks=["hero", "brute"]),
        *FAR[2:],
        active="a1",
        players=[{"sets": [[4, 4]]}],
    )
    plain = {a.id for a in abilities.of_fighter(state.state, state.state.fighter("a1"))}
    hero = {a.id for a in abilities.of_fighter(state.state, state.state.fighter("a2"))}
    assert {"rush", "onslaught", "respite", "rampage", "hot-feet"} <= plain
    assert hero - plain >= {"inspiring-presence", "bellow", "eruption"}
    assert refused(state, "ability-inspiring-presence") == ("warcry.ability.runemark-limit",)
    assert refused(state, "ability-dawn-charge") == ("warcry.ability.sources",)


@pytest.mark.rule("warcry.ally.abilities", "warcry.thrall.abilities")
def test_allies_and_thralls_use_the_abilities_of_their_own_faction() -> None:
    guests = (
        fighter("a1", 5, 5, faction="lantern-wardens", runemarks=["ally", "scout"]),
        fighter("a2", 5, 8, faction="lantern-wardens", runemarks=["thrall"]),
    )
    players = [{"faction": "cinder-kin", "sets": [[4, 3]]}]
    # The warband here is of another alliance; what matters is whose table is read.
    battle = scene(*guests, *FAR[2:], active="a1", players=players)
    battle.state.fighter("a1").role = "ally"
    battle.state.fighter("a2").role = "thrall"
    switch(battle.state)
    own = {a.id for a in abilities.of_fighter(battle.state, battle.state.fighter("a1"))}
    assert "steady-aim" in own
    assert "hot-feet" not in own
    assert refused(battle, "ability-hot-feet") == ("warcry.ally.abilities",)
    thrall = battle.state.fighter("a2")
    assert [r.rule for r in abilities.use_reasons(battle.state, thrall, "hot-feet")] == ["warcry.thrall.abilities"]
    assert "close-ranks" in {a.id for a in abilities.of_fighter(battle.state, thrall)}


@pytest.mark.rule("warcry.ability.rush")
def test_rush_lengthens_both_moves_of_the_activation_but_not_one_before() -> None:
    battle = scene(fighter("a1", 5, 5, move=4), *FAR[2:], active="a1", players=[{"sets": [[4, 2]]}])
    act(battle, "move")
    assert refused(battle, walk((9.5, 5))) == ("warcry.move.action",)
    act(battle, walk((9, 5)), "ability-rush", "move")
    assert battle.check(walk((14, 5))).legal
    assert refused(battle, walk((14.01, 5))) == ("warcry.move.action",)
    act(battle, walk((14, 5)))
    assert int(value(battle.state, battle.state.fighter("a1"), "move")) == 4


@pytest.mark.rule("warcry.ability.onslaught", "warcry.attack.hit-rolls")
def test_onslaught_adds_an_attack_to_melee_only() -> None:
    arms = [weapon(attacks=4), weapon(range=12, attacks=2)]
    battle = scene(
        fighter("a1", 5, 5, weapons=arms),
        fighter("b1", 6.5, 5, wounds=60, activations=1),
        active="a1",
        players=[{"sets": [[4, 2]]}],
        seed=2,
    )
    act(battle, "ability-onslaught", "attack-0-b1", "attack-1-b1")
    assert [len(e.roll.faces) for e in battle.events if e.roll and e.roll.purpose == "hit"] == [5, 2]


@pytest.mark.rule("warcry.ability.respite")
def test_respite_heals_its_value_and_not_beside_an_enemy() -> None:
    battle = scene(fighter("a1", 5, 5, damage=3), fighter("b1", 7.01, 5), active="a1", players=[{"sets": [[4, 3]]}])
    act(battle, "ability-respite")
    assert battle.state.fighter("a1").damage == 0
    near = scene(fighter("a1", 5, 5, damage=3), fighter("b1", 7.0, 5), active="a1", players=[{"sets": [[4, 3]]}])
    assert refused(near, "ability-respite") == ("warcry.ability.respite",)
    unhurt = scene(fighter("a1", 5, 5), fighter("b1", 20, 5), active="a1", players=[{"sets": [[4, 3]]}])
    act(unhurt, "ability-respite")
    assert unhurt.state.fighter("a1").damage == 0


@pytest.mark.rule("warcry.ability.inspiring-presence")
def test_inspiring_presence_lets_a_fresh_friend_follow_at_once() -> None:
    hero = fighter("a1", 5, 5, runemarks=["hero"])
    battle = scene(
        hero,
        fighter("a2", 5, 8),
        fighter("a3", 5, 11, activations=1),
        fighter("a4", 14, 5),
        fighter("a5", 8, 5, reactions=2),
        fighter("b1", 25, 20),
        active="a1",
        players=[{"sets": [[4, 3]]}],
    )
    act(battle, "ability-inspiring-presence", "wait")
    assert ask(battle).prompt.key == "ask.follow"
    act(battle, True)
    assert battle.state.active is not None
    assert battle.state.active.fighter == "a2"
    again = scene(hero, fighter("a2", 5, 8), fighter("b1", 25, 20), active="a1", players=[{"sets": [[4, 3]]}])
    act(again, "ability-inspiring-presence", "wait", False)
    assert again.state.active.fighter == "b1"
    assert again.state.fighter("a2").activations == 0


@pytest.mark.rule("warcry.ability.inspiring-presence", "warcry.damage.taken-down")
def test_an_inspired_friend_that_is_gone_does_not_follow() -> None:
    hero = fighter("a1", 5, 5, runemarks=["hero"])
    battle = scene(hero, fighter("a2", 5, 8), fighter("b1", 25, 20), active="a1", players=[{"sets": [[4, 3]]}])
    act(battle, "ability-inspiring-presence")
    battle.state.fighter("a2").where = "down"
    act(battle, "wait")
    assert battle.state.active.fighter == "b1"


@pytest.mark.rule("warcry.ability.inspiring-presence")
def test_nobody_fresh_within_6_inches_and_visible_means_no_inspiration() -> None:
    hero = fighter("a1", 5, 5, runemarks=["hero"])
    for other in (fighter("a2", 12.01, 5), fighter("a2", 8, 5, waiting=True, activations=1)):
        battle = scene(hero, other, fighter("b1", 25, 20), active="a1", players=[{"sets": [[4, 3]]}])
        assert refused(battle, "ability-inspiring-presence") == ("warcry.ability.inspiring-presence",)


# -- waiting and disengaging -------------------------------------------------------------------------------------


@pytest.mark.rule("warcry.wait.first", "warcry.wait.second-activation")
def test_waiting_first_gives_a_second_activation_of_one_action() -> None:
    battle = scene(*FAR, at="turn")
    act(battle, "a1", "wait")
    assert battle.state.fighter("a1").waiting
    assert ask(battle).side == 1
    act(battle, "b1", "wait", "a1")
    assert battle.state.active.left == 1
    act(battle, "wait")
    assert not battle.state.fighter("a1").waiting
    assert kinds(battle).count("wait") == 1


@pytest.mark.rule("warcry.wait.second-activation")
def test_a_second_activation_has_one_action_and_waiting_ends_with_the_phase() -> None:
    battle = scene(
        fighter("a1", 5, 5, waiting=True, activations=1), *FAR[2:], active="a1", players=[{"sets": [[4, 2]]}]
    )
    act(battle, "move", {"path": []})
    assert refused(battle, "move") == ("warcry.wait.second-activation",)
    act(battle, "done")
    assert ask(battle).side == 1


@pytest.mark.rule("warcry.wait.last")
def test_waiting_last_ends_the_activation() -> None:
    battle = scene(*FAR, active="a1")
    act(battle, "move", {"path": []}, "wait")
    assert not battle.state.fighter("a1").waiting
    assert "wait" in kinds(battle)


@pytest.mark.rule("warcry.wait.first", "warcry.reaction.cost")
def test_after_a_reaction_there_is_one_action_and_no_waiting() -> None:
    battle = scene(fighter("a1", 5, 5, reactions=1), *FAR[2:], at="turn")
    assert battle.state.active.left == 1
    act(battle, "wait")
    assert not battle.state.fighter("a1").waiting


@pytest.mark.rule("warcry.wait.first", "warcry.combat.bonus-actions")
def test_after_a_bonus_action_a_wait_makes_nobody_waiting() -> None:
    battle = scene(*FAR, active="a1", players=[{"sets": [[5, 4]]}])
    act(battle, "ability-rampage", "move", {"path": []}, "wait")
    assert not battle.state.fighter("a1").waiting


@pytest.mark.rule("warcry.wait.ability")
def test_one_ability_in_each_activation_of_a_waiting_fighter() -> None:
    battle = scene(fighter("a1", 5, 5, move=4), *FAR[2:], at="turn", players=[{"sets": [[4, 2], [5, 2]]}])
    act(battle, "ability-rush", "4x2", "wait", "b1", "wait")
    assert battle.state.active.fighter == "a1"
    assert int(value(battle.state, battle.state.fighter("a1"), "move")) == 4
    act(battle, "ability-rush")
    assert battle.state.players[0].sets == ()


@pytest.mark.rule("warcry.disengage.action", "warcry.disengage.end")
def test_a_disengage_is_3_inches_and_ends_more_than_one_away() -> None:
    battle = scene(
        fighter("a1", 5, 5, move=8), fighter("b1", 6.5, 5, activations=1), fighter("b2", 5, 9.5), active="a1"
    )
    act(battle, "disengage")
    assert battle.check(walk((2, 5))).legal
    assert refused(battle, walk((1.99, 5))) == ("warcry.disengage.action",)
    assert refused(battle, walk((4.5, 5))) == ("warcry.disengage.end",)
    assert refused(battle, walk((5, 7.5))) == ("warcry.disengage.end",)
    slow = scene(fighter("a1", 5, 5, move=2), fighter("b1", 6.5, 5, activations=1), active="a1")
    act(slow, "disengage", walk((2, 5)))
    assert slow.state.fighter("a1").x == 2.0


@pytest.mark.rule("warcry.disengage.end")
def test_exactly_one_inch_is_too_near() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("b1", 6.5, 5, activations=1), active="a1")
    act(battle, "disengage")
    assert refused(battle, walk((4.5, 5))) == ("warcry.disengage.end",)
    assert battle.check(walk((4.49, 5))).legal


@pytest.mark.rule("warcry.disengage.action", "warcry.disengage.end")
def test_no_disengage_without_an_enemy_near_or_without_a_way_out() -> None:
    free = scene(*FAR, active="a1")
    assert refused(free, "disengage") == ("warcry.disengage.action",)
    ring = [
        fighter(f"b{n}", 5 + dx, 5 + dy)
        for n, (dx, dy) in enumerate([(1.1, 0), (-1.1, 0), (0, 1.1), (0, -1.1), (1, 1), (-1, 1), (1, -1), (-1, -1)], 1)
    ]
    shut = scene(fighter("a1", 5, 5), *ring, active="a1")
    assert refused(shut, "disengage") == ("warcry.disengage.end",)


@pytest.mark.rule("warcry.disengage.end")
def test_a_way_out_round_a_corner_is_enough_for_a_disengage() -> None:
    # A passage 1.2 inches wide turns left; straight ahead a big enemy stands behind the wall.
    walls = [
        {"rect": [-0.7, -0.75, 4.6, 0.3], "top": 6},
        {"rect": [-1.55, 0.75, 2.9, 0.3], "top": 6},
        {"rect": [1.3, 0.55, 0.3, 2.9], "top": 6},
    ]
    passage = {"id": "passage", "name": {"zh": "道", "en": "passage"}, "parts": walls}
    foes = (fighter("b1", 13.1, 11, activations=1), fighter("b2", 17.5, 11, base=50.8, activations=1))
    battle = scene(fighter("a1", 14.6, 11), *foes, active="a1", pieces=[passage])
    act(battle, "disengage")
    assert battle.check({"path": [*walk((15.5, 11.1))["path"], *walk((15.5, 12.8))["path"]]}).legal
    act(battle, battle.suggest())
    assert battle.state.fighter("a1").y > 12.0


@pytest.mark.rule("warcry.disengage.not-a-move")
def test_a_disengage_is_no_move_action() -> None:
    battle = scene(
        fighter("a1", 5, 5, runemarks=["fly"]),
        fighter("b1", 6.5, 5, activations=1),
        active="a1",
        players=[{"sets": [[4, 2]]}],
        treasures=[{"id": "g0", "kind": "skull", "x": 3, "y": 5}],
    )
    act(battle, "ability-rush", "disengage")
    assert refused(battle, walk((1.5, 5))) == ("warcry.disengage.action",)
    fly = {"path": [{"how": "fly", "x": 8.9, "y": 5, "z": 0}]}
    assert "warcry.disengage.not-a-move" in refused(battle, fly)
    act(battle, walk((2, 5)))
    assert ask(battle).prompt.key == "ask.act"
    assert battle.state.treasures[0].carrier == ""


# -- reactions ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("warcry.reaction.basic", "warcry.combat.reactions", "warcry.attack.sequence")
def test_a_reaction_comes_between_target_and_hit_rolls_and_needs_no_dice() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("b1", 6.5, 5), active="a1", seed=1)
    act(battle, "attack-0-b1")
    assert ask(battle).side == 1
    assert options(battle) == ["counter", "pass"]
    assert "roll" not in kinds(battle)
    assert refused(battle, "take-cover") == ("warcry.reaction.take-cover",)
    act(battle, "pass")
    assert "roll" in kinds(battle)
    assert refused(battle, "counter")


@pytest.mark.rule("warcry.reaction.eligibility", "warcry.reaction.twice")
def test_only_those_that_have_not_activated_or_wait_may_react() -> None:
    state = scene(
        fighter("a1", 5, 5),
        fighter("b1", 6.5, 5, activations=1),
        fighter("b2", 9, 5, activations=1, waiting=True),
        fighter("b3", 12, 5, reactions=2),
        fighter("b4", 0, 0, where="reserve"),
        fighter("b5", 15, 5, reactions=1),
        active="a1",
    ).state

    def why(key: str) -> list[str]:
        return [r.rule for r in reactions.why_no_reaction(state, state.fighter(key))]

    assert why("b1") == ["warcry.reaction.eligibility"]
    assert why("b2") == []
    assert why("b3") == ["warcry.reaction.twice"]
    assert why("b4") == ["warcry.reaction.eligibility"]
    assert why("b5") == []


@pytest.mark.rule("warcry.reaction.one-per-action", "warcry.reaction.twice", "warcry.reaction.cost")
def test_each_action_may_be_answered_once_and_two_reactions_are_all() -> None:
    battle = scene(
        fighter("a1", 5, 5, wounds=60),
        fighter("b1", 6.5, 5, wounds=60),
        fighter("b2", 5, 6.5, wounds=60),
        fighter("b3", 20, 5),
        active="a1",
        dice=[6, 6, 6, 6, 6, 6],
    )
    act(battle, "attack-0-b1", "counter")
    assert ask(battle).prompt.key == "ask.act"
    assert battle.state.fighter("b1").reactions == 1
    act(battle, "attack-0-b1", "counter")
    assert battle.state.fighter("b1").reactions == 2
    assert refused(battle, "b1") == ("warcry.reaction.twice",)
    assert kinds(battle).count("reacted") == 2


@pytest.mark.rule("warcry.reaction.one-per-action", "warcry.reaction.strike-them-down")
def test_only_one_of_two_enemies_strikes_the_fleeing_down() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("b1", 6.5, 5), fighter("b2", 6.4, 6.0), active="a1", dice=[3])
    act(battle, "disengage")
    assert sorted(options(battle)) == ["pass", "strike-them-down:b1", "strike-them-down:b2"]
    act(battle, "strike-them-down:b2")
    assert ask(battle).prompt.key == "ask.disengage"
    assert battle.state.fighter("a1").damage == 0


@pytest.mark.rule("warcry.reaction.waiting")
def test_a_waiting_fighter_that_reacts_is_not_activated_again() -> None:
    battle = scene(
        fighter("a1", 5, 5),
        fighter("b1", 6.5, 5, activations=1, waiting=True),
        fighter("b2", 20, 5),
        fighter("b3", 20, 9),
        active="a1",
        dice=[6, 6, 6],
    )
    act(battle, "attack-0-b1", "counter", "wait")
    b1 = battle.state.fighter("b1")
    assert not b1.waiting
    assert refused(battle, "b1") == ("warcry.reaction.waiting",)
    assert reactions.why_no_reaction(battle.state, b1)


@pytest.mark.rule("warcry.reaction.counter")
def test_counter_hurts_for_misses_and_twice_for_ones() -> None:
    battle = scene(
        fighter("a1", 5, 5, weapons=[weapon(attacks=4)]), fighter("b1", 6.5, 5), active="a1", dice=[1, 2, 4, 6]
    )
    act(battle, "attack-0-b1", "counter", "attack")
    assert battle.state.fighter("a1").damage == 3
    assert battle.state.fighter("b1").damage == 4


@pytest.mark.rule("warcry.reaction.counter", "warcry.attack.melee-missile")
def test_no_counter_against_a_missile_even_at_an_inch() -> None:
    bow = [weapon(range=8)]
    battle = scene(fighter("a1", 5, 5, weapons=bow), fighter("b1", 6.5, 5), active="a1", seed=1)
    act(battle, "attack-0-b1")
    assert ask(battle).prompt.key == "ask.act"


WALL = {"id": "wall", "name": {"zh": "墙", "en": "wall"}, "parts": [{"rect": [0, 0, 0.3, 2], "top": 1.2}]}


@pytest.mark.rule("warcry.reaction.take-cover")
def test_take_cover_turns_criticals_into_hits_for_those_in_cover_on_foot() -> None:
    bow = [weapon(range=12, attacks=3)]
    where = [{"piece": "wall", "x": 8.5, "y": 5}]
    battle = scene(
        fighter("a1", 5, 5, weapons=bow),
        fighter("b1", 10, 5, wounds=20),
        active="a1",
        pieces=[WALL],
        terrain=where,
        dice=[6, 6, 1, 4, 3],
    )
    act(battle, "attack-0-b1", "take-cover")
    assert last(battle, "hits")["hits"] == 1
    assert last(battle, "hits")["criticals"] == 1
    assert battle.state.fighter("b1").damage == 4
    open_ground = scene(fighter("a1", 5, 5, weapons=bow), fighter("b1", 10, 5), active="a1", seed=1)
    act(open_ground, "attack-0-b1")
    assert "reacted" not in kinds(open_ground)
    assert ask(open_ground).prompt.key == "ask.act"
    rider = scene(
        fighter("a1", 5, 5, weapons=bow),
        fighter("b1", 10, 5, runemarks=["mount"]),
        active="a1",
        pieces=[WALL],
        terrain=where,
        seed=1,
    )
    act(rider, "attack-0-b1")
    assert ask(rider).prompt.key == "ask.act"


@pytest.mark.rule("warcry.reaction.strike-them-down")
def test_strike_them_down_hurts_before_the_move() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("b1", 6.5, 5), active="a1", dice=[4, 5])
    act(battle, "disengage", "strike-them-down:b1")
    assert battle.state.fighter("a1").damage == 5
    assert ask(battle).prompt.key == "ask.disengage"
    dead = scene(fighter("a1", 5, 5, damage=6), fighter("a2", 20, 20), fighter("b1", 6.5, 5), active="a1", dice=[4, 5])
    act(dead, "disengage", "strike-them-down:b1")
    assert dead.state.fighter("a1").where == "down"
    assert "disengaged" not in kinds(dead)


@pytest.mark.rule("warcry.reaction.strike-them-down", "warcry.core.within")
def test_only_enemies_within_an_inch_strike_the_fleeing() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("b1", 6.5, 5), fighter("b2", 5, 7), fighter("b3", 5, 2.99), active="a1")
    act(battle, "disengage")
    assert sorted(options(battle)) == ["pass", "strike-them-down:b1", "strike-them-down:b2"]


@pytest.mark.rule("warcry.reaction.strike-them-down")
def test_a_view_that_is_blocked_allows_no_strike() -> None:
    high = {"id": "high", "name": {"zh": "墙", "en": "wall"}, "parts": [{"rect": [0, 0, 0.2, 6], "top": 4}]}
    battle = scene(
        fighter("a1", 5, 5),
        fighter("b1", 6.5, 5),
        active="a1",
        pieces=[high],
        terrain=[{"piece": "high", "x": 5.75, "y": 5}],
    )
    act(battle, "disengage")
    assert ask(battle).prompt.key == "ask.disengage"
