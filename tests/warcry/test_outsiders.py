"""Scenes as a judge from outside writes them, from the docs and the schema alone."""

from __future__ import annotations

import pytest

from asking import judged


@pytest.mark.rule("warcry.monster.ability-access", "warcry.monster.wait")
def test_a_monster_has_no_universal_abilities_and_never_waits() -> None:
    judged(
        "warcry",
        """
position:
  at: act
  active: a1
  round: 1
  fighters:
    - {id: a1, side: 0, x: 10, y: 10, profile: {id: beast, points: 100, name: {zh: x, en: x}, faction: slag,
           runemarks: [monster], move: 6, toughness: 5, wounds: 40, base: 60, weapons: [{runemark: claws, range: 2,
           attacks: 3, strength: 5, damage: [2, 5]}]}}
    - {id: b1, side: 1, profile: wick-guard, x: 25, y: 18}
  players: [{sets: [[4, 2], [3, 3]]}, {}]
answers:
  - {ask: {deed: ability, who: a1, using: rush}, expect: refused by warcry.monster.ability-access}
  - {answer: wait, expect: [legal, {not: event waiting}]}
""",
    )


@pytest.mark.rule("warcry.ability.substitute", "warcry.ability.discard-dice")
def test_a_quad_pays_for_a_double_and_is_gone() -> None:
    judged(
        "warcry",
        """
position:
  at: act
  active: a1
  round: 1
  fighters:
    - {id: a1, side: 0, profile: slag-chief, x: 10, y: 10}
    - {id: a2, side: 0, profile: slag-chief, x: 14, y: 10}
    - {id: b1, side: 1, profile: wick-guard, x: 25, y: 18}
  players: [{sets: [[4, 4]]}, {}]
answers:
  - {ask: {deed: ability, who: a1, using: rush}, expect: legal}
  - {answer: ability-rush, expect: [legal, event ability, {state: {players.0.sets: []}}]}
  - {ask: {deed: ability, who: a1, using: rush}, expect: refused by warcry.ability.use}
""",
    )


@pytest.mark.rule("warcry.terrain.closed-door-limits", "warcry.move.through-terrain")
def test_a_beast_is_stopped_by_a_closed_door() -> None:
    judged(
        "warcry",
        """
position:
  at: act
  active: a1
  round: 1
  fighters:
    - {id: a1, side: 0, x: 15, y: 9.2, profile: {id: hound, points: 100, name: {zh: x, en: x}, faction: slag,
           runemarks: [beast], move: 8, toughness: 3, wounds: 8, base: 25.4, weapons: [{runemark: claws, range: 1,
           attacks: 3, strength: 3, damage: [1, 2]}]}}
    - {id: b1, side: 1, profile: wick-guard, x: 25, y: 18}
  pieces:
    - {id: gate, name: {zh: g, en: g}, parts: [{rect: [0, 0, 2, 0.4], top: 3, kind: closed-door}, {rect: [-4, 0, 6,
           0.4], top: 3}, {rect: [4, 0, 6, 0.4], top: 3}]}
  terrain: [{piece: gate, x: 15, y: 11, id: g}]
answers:
  - {ask: {deed: move, who: a1, answer: {path: [{how: walk, x: 15, y: 10.295}, {how: walk, x: 15, y: 11.8,
         through: g.0}]}}, expect: refused by warcry.terrain.closed-door-limits}
  - {ask: {deed: move, who: a1, answer: {path: [{how: walk, x: 15, y: 11.8}]}},
         expect: refused by warcry.move.through-terrain}
""",
    )


@pytest.mark.rule("warcry.treasure.no-disengage")
def test_who_carries_treasure_drops_it_before_he_disengages() -> None:
    judged(
        "warcry",
        """
position:
  at: act
  active: a1
  round: 1
  fighters:
    - {id: a1, side: 0, x: 10, y: 10, carrying: t, profile: slag-chief}
    - {id: b1, side: 1, profile: wick-guard, x: 11.6, y: 10}
  treasures: [{id: t, kind: skull, x: 10, y: 10}]
answers:
  - {ask: {deed: disengage, who: a1}, expect: refused by warcry.treasure.no-disengage}
  - {answer: drop, expect: legal}
  - {x: 9, y: 10.5, z: 0}
  - {ask: {deed: disengage, who: a1}, expect: legal}
""",
    )


@pytest.mark.rule("warcry.reaction.eligibility")
def test_who_has_activated_or_is_in_reserve_does_not_react() -> None:
    judged(
        "warcry",
        """
position:
  at: act
  active: a1
  round: 2
  fighters:
    - {id: a1, side: 0, x: 10, y: 10, profile: slag-chief}
    - {id: b1, side: 1, profile: wick-guard, x: 11.6, y: 10, activations: 1}
    - {id: b2, side: 1, profile: wick-guard, x: 20, y: 10, where: reserve}
answers:
  - {ask: {deed: react, who: b1, using: counter}, expect: refused by warcry.reaction.eligibility}
  - {ask: {deed: react, who: b2, using: counter}, expect: refused by warcry.reaction.eligibility}
""",
    )


@pytest.mark.rule("warcry.initiative.wild-gain")
def test_wild_dice_are_for_the_initiative_phase() -> None:
    judged(
        "warcry",
        """
position:
  at: act
  active: a1
  round: 2
  fighters:
    - {id: a1, side: 0, x: 10, y: 10, profile: slag-chief}
    - {id: b1, side: 1, profile: wick-guard, x: 21.6, y: 10}
  players: [{wild: 2}, {wild: 1}]
answers:
  - {ask: {deed: wild, using: single}, side: 0, expect: refused by warcry.initiative.wild-gain}
  - {ask: {deed: ability, who: a1, using: inspiring-presence}, expect: refused by warcry.ability.use}
  - {ask: {deed: activate, who: b1}, expect: refused by warcry.combat.activation}
""",
    )


@pytest.mark.rule("warcry.wait.second-activation")
def test_who_waits_in_a_second_activation_waits_no_more() -> None:
    judged(
        "warcry",
        """
position:
  at: act
  active: a1
  round: 2
  fighters:
    - {id: a1, side: 0, x: 10, y: 10, profile: slag-chief, waiting: true, activations: 1}
    - {id: b1, side: 1, profile: wick-guard, x: 21.6, y: 10}
answers:
  - {answer: wait, expect: [legal, {not: event waiting}]}
""",
    )


@pytest.mark.rule("warcry.wait.first")
def test_who_has_reacted_cannot_become_waiting() -> None:
    judged(
        "warcry",
        """
position:
  at: act
  active: a1
  round: 2
  fighters:
    - {id: a1, side: 0, x: 10, y: 10, profile: slag-chief, reactions: 1}
    - {id: b1, side: 1, profile: wick-guard, x: 21.6, y: 10}
answers:
  - {answer: wait, expect: [legal, {not: event waiting}]}
""",
    )


@pytest.mark.rule("warcry.core.friendly-enemy", "warcry.ability.inspiring-presence")
def test_whom_an_ability_is_for_may_be_asked_of_each() -> None:
    judged(
        "warcry",
        """
position:
  at: act
  active: a1
  round: 2
  fighters:
    - {id: a1, side: 0, x: 10, y: 10, profile: slag-chief, leader: true}
    - {id: a2, side: 0, x: 14, y: 10, profile: slag-chief, activations: 1}
    - {id: a3, side: 0, x: 14, y: 13, profile: slag-chief, reactions: 2}
    - {id: a4, side: 0, x: 8, y: 13, profile: slag-chief, reactions: 1}
    - {id: b1, side: 1, profile: wick-guard, x: 21.6, y: 10}
  players: [{sets: [[5, 3]]}, {}]
answers:
  - {ask: {deed: ability, who: a1, using: inspiring-presence, whom: [a1]},
         expect: refused by warcry.core.friendly-enemy}
  - {ask: {deed: ability, who: a1, using: inspiring-presence, whom: [a2]},
         expect: refused by warcry.ability.inspiring-presence}
  - {ask: {deed: ability, who: a1, using: inspiring-presence, whom: [a3]},
         expect: refused by warcry.ability.inspiring-presence}
  - {ask: {deed: ability, who: a1, using: inspiring-presence, whom: [a4]}, expect: legal}
""",
    )


@pytest.mark.rule("warcry.move.fly-end")
def test_nobody_ends_a_move_flying_or_on_another() -> None:
    judged(
        "warcry",
        """
position:
  at: act
  active: a1
  round: 1
  fighters:
    - {id: a1, side: 0, x: 10, y: 10, profile: {id: bat, points: 100, name: {zh: x, en: x}, faction: slag,
           runemarks: [fly], move: 8, toughness: 3, wounds: 8, base: 25.4, weapons: [{runemark: claws, range: 1,
           attacks: 3, strength: 3, damage: [1, 2]}]}}
    - {id: b1, side: 1, profile: wick-guard, x: 15, y: 10}
answers:
  - {ask: {deed: move, who: a1, answer: {path: [{how: fly, x: 13, y: 10, z: 3}]}},
         expect: refused by warcry.move.fly-end}
  - {ask: {deed: move, who: a1, answer: {path: [{how: fly, x: 15.2, y: 10, z: 0}]}},
         expect: refused by warcry.move.fly-end}
  - {ask: {deed: move, who: a1, answer: {path: [{how: fly, x: 13, y: 10, z: 3}, {how: fly, x: 17, y: 10, z: 0}]}},
         expect: legal}
""",
    )


@pytest.mark.rule("warcry.move.board-edge")
def test_no_part_of_a_way_crosses_the_edge() -> None:
    judged(
        "warcry",
        """
position:
  at: act
  active: a1
  round: 1
  fighters:
    - {id: a1, side: 0, x: 2, y: 10, profile: slag-chief}
    - {id: b1, side: 1, profile: wick-guard, x: 15, y: 10}
answers:
  - {ask: {deed: move, who: a1, answer: {path: [{how: walk, x: 0.3, y: 10}]}},
         expect: refused by warcry.move.board-edge}
  - {ask: {deed: move, who: a1, answer: {path: [{how: walk, x: 2, y: 11}, {how: walk, x: 4, y: 11}]}}, expect: legal}
""",
    )


@pytest.mark.rule("warcry.setup.battlegroup-even")
def test_battlegroups_are_as_even_as_can_be() -> None:
    judged(
        "warcry",
        """
position:
  at: divide
  fighters:
    - {id: a1, side: 0, x: 0, y: 0, where: reserve, profile: slag-chief, leader: true}
    - {id: a2, side: 0, x: 0, y: 0, where: reserve, profile: slag-chief}
    - {id: a3, side: 0, x: 0, y: 0, where: reserve, profile: slag-chief}
    - {id: b1, side: 1, x: 0, y: 0, where: reserve, profile: wick-guard}
    - {id: b2, side: 1, x: 0, y: 0, where: reserve, profile: wick-guard}
    - {id: b3, side: 1, x: 0, y: 0, where: reserve, profile: wick-guard}
answers:
  - {ask: {answer: [a1, a2]}, expect: refused by warcry.setup.battlegroup-even}
""",
    )


@pytest.mark.rule("warcry.terrain.deadly-climb")
def test_spikes_hurt_before_they_are_climbed() -> None:
    judged(
        "warcry",
        """
dice: [5, seeded]
position:
  at: act
  active: a1
  round: 1
  fighters:
    - {id: a1, side: 0, x: 15, y: 9, damage: 21, profile: slag-chief}
    - {id: b1, side: 1, profile: wick-guard, x: 25, y: 18}
  pieces: [{id: spikes, name: {zh: s, en: s}, parts: [{rect: [0, 0, 4, 1], top: 2, kind: deadly}]}]
  terrain: [{piece: spikes, x: 15, y: 11, id: s}]
answers:
  - move
  - {answer: {path: [{how: walk, x: 15, y: 9.71}, {how: climb, x: 15, y: 9.71, z: 2}]}, expect: [legal,
         event taken-down]}
""",
    )
