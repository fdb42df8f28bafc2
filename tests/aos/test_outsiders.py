"""Scenes as a judge from outside writes them, from the docs and the schema alone."""

from __future__ import annotations

import pytest

from asking import judged
from umpire.text import Text


@pytest.mark.rule("aos.command.covering-fire")
def test_covering_fire_is_at_the_nearest_or_one_of_the_nearest() -> None:
    judged(
        "aos",
        """
position:
  phase: shooting
  active: 1
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {weapons: [{id: bow, range: 12, attacks: 2, hit: 4, wound: 4,
           rend: 0, damage: 1}]}}
    - {id: b1, side: 1, models: [[10, 18]]}
    - {id: b2, side: 1, models: [[10, 21]]}
    - {id: b3, side: 1, models: [[18, 10]]}
  sides: [{command: 2}, {command: 2}]
answers:
  - {ask: {deed: covering-fire, who: a1, whom: [b2]}, expect: refused by aos.command.covering-fire}
  - {ask: {deed: covering-fire, who: a1, whom: [b1]}, expect: legal}
  - {ask: {deed: covering-fire, who: a1, whom: [b3]}, expect: legal}
""",
    )


@pytest.mark.rule("aos.core.combat-range")
def test_nobody_in_combat_gives_covering_fire() -> None:
    judged(
        "aos",
        """
position:
  phase: shooting
  active: 1
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {weapons: [{id: bow, range: 12, attacks: 2, hit: 4, wound: 4,
           rend: 0, damage: 1}]}}
    - {id: b1, side: 1, models: [[10, 12]]}
  sides: [{command: 2}, {command: 2}]
answers:
  - {ask: {deed: covering-fire, who: a1}, expect: refused by aos.core.combat-range}
""",
    )


@pytest.mark.rule("aos.command.limits")
def test_a_command_once_for_the_army_and_one_for_the_unit() -> None:
    judged(
        "aos",
        """
position:
  phase: combat
  active: 0
  units:
    - {id: a1, side: 0, models: [[10, 10]], commanded: true, profile: {weapons: [{id: axe, attacks: 2, hit: 4,
           wound: 4, rend: 0, damage: 1}]}}
    - {id: a2, side: 0, models: [[14, 10]], profile: {weapons: [{id: axe, attacks: 2, hit: 4, wound: 4, rend: 0,
           damage: 1}]}}
    - {id: b1, side: 1, models: [[10, 11.5], [11.4, 11.5], [12.8, 11.5], [14.2, 11.5]],
           profile: {weapons: [{id: axe, attacks: 2, hit: 4, wound: 4, rend: 0, damage: 1}]}}
  sides: [{command: 3, commands_used: [all-out-attack]}, {command: 3}]
answers:
  - {ask: {deed: all-out-attack, who: a2}, expect: refused by aos.command.limits}
  - {ask: {deed: all-out-defence, who: a1}, expect: refused by aos.command.limits}
""",
    )


@pytest.mark.rule("aos.ability.one-core")
def test_who_has_moved_does_not_run() -> None:
    judged(
        "aos",
        """
position:
  phase: movement
  units:
    - {id: a1, side: 0, models: [[10, 10]], core: true}
    - {id: a2, side: 0, models: [[20, 10]]}
    - {id: b1, side: 1, models: [[10, 28]]}
answers:
  - {ask: {deed: run, who: a1}, expect: refused by aos.ability.one-core}
  - {ask: {deed: run, who: a2}, expect: legal}
  - {ask: {deed: retreat, who: a2}, expect: refused by aos.move.retreat}
""",
    )


@pytest.mark.rule("aos.terrain.obscuring")
def test_who_is_obscured_is_not_shot_at_unless_he_flies() -> None:
    judged(
        "aos",
        """
position:
  phase: shooting
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {weapons: [{id: bow, range: 12, attacks: 2, hit: 4, wound: 4,
           rend: 0, damage: 1}]}}
    - {id: b1, side: 1, models: [[10, 18]]}
    - {id: b2, side: 1, models: [[14, 18]], profile: {keywords: [fly], height: 9}}
  terrain: [{x: 11, y: 15, points: [[-8, -0.5], [8, -0.5], [8, 0.5], [-8, 0.5]], top: 5, type: obscuring}]
answers:
  - {ask: {deed: shoot, who: a1, whom: [b1]}, expect: refused by aos.terrain.obscuring}
  - {ask: {deed: shoot, who: a1, whom: [b2]}, expect: legal}
""",
    )


@pytest.mark.rule("aos.core.targets-in-combat", "aos.core.shooting-attacks")
def test_who_shoots_in_combat_shoots_at_whom_he_fights() -> None:
    judged(
        "aos",
        """
position:
  phase: shooting
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {weapons: [{id: pistol, range: 12, attacks: 2, hit: 4,
           wound: 4, rend: 0, damage: 1, abilities: [shoot-in-combat]}, {id: bow, range: 12, attacks: 2, hit: 4,
           wound: 4, rend: 0, damage: 1}]}}
    - {id: a2, side: 0, models: [[6, 10]], profile: {weapons: [{id: bow, range: 12, attacks: 2, hit: 4, wound: 4,
           rend: 0, damage: 1}]}}
    - {id: b1, side: 1, models: [[10, 12], [8.6, 12], [7.2, 12]]}
    - {id: b2, side: 1, models: [[10, 20]]}
answers:
  - {ask: {deed: shoot, who: a1, whom: [b1]}, expect: legal}
  - {ask: {deed: shoot, who: a1, whom: [b2]}, expect: refused by aos.core.targets-in-combat}
  - {ask: {deed: shoot, who: a2, whom: [b1]}, expect: refused by aos.core.shooting-attacks}
""",
    )


@pytest.mark.rule("aos.terrain.impassable")
def test_nobody_crosses_impassable_ground_or_ends_on_it() -> None:
    judged(
        "aos",
        """
position:
  phase: movement
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {move: 8}}
    - {id: a2, side: 0, models: [[16, 10]], profile: {move: 8, keywords: [fly]}}
    - {id: b1, side: 1, models: [[40, 28]]}
  terrain: [{x: 13, y: 14, points: [[-6, -1], [6, -1], [6, 1], [-6, 1]], top: 0.5, type: impassable}]
answers:
  - {ask: {deed: normal-move, who: a1, answer: {models: {a1.1: {x: 10, y: 17}}}},
         expect: refused by aos.terrain.impassable}
  - {ask: {deed: normal-move, who: a2, answer: {models: {a2.1: {x: 16, y: 14}}}},
         expect: refused by aos.terrain.impassable}
""",
    )


@pytest.mark.rule("aos.weapon.crit-2-hits")
def test_a_critical_that_scores_two_hits_is_rolled_for_twice() -> None:
    judged(
        "aos",
        """
dice: [6, 6, 4, 4, 4, 4, seeded]
position:
  phase: shooting
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {weapons: [{id: bow, range: 12, attacks: 1, hit: 4, wound: 4,
           rend: 0, damage: 1, abilities: [crit-2-hits]}]}}
    - {id: b1, side: 1, models: [[10, 18]], profile: {health: 10, save: 6}}
answers:
  - {answer: "shoot:a1", expect: legal}
until: event attacks
expect: [{event: roll, purpose: wound, faces: [6, 4]}]
""",
    )


@pytest.mark.rule("aos.command.at-the-double")
def test_at_the_double_is_eleven_inches_and_no_die() -> None:
    judged(
        "aos",
        """
position:
  phase: movement
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {move: 5}}
    - {id: b1, side: 1, models: [[40, 28]]}
  sides: [{command: 2}, {command: 2}]
answers:
  - {ask: {deed: at-the-double, who: a1}, expect: refused by aos.command.at-the-double}
  - {answer: "run:a1", expect: legal}
  - {ask: {deed: at-the-double, who: a1}, expect: legal}
  - {answer: "at-the-double:a1", expect: [legal, {not: event roll}]}
  - {ask: {answer: {models: {a1.1: {x: 21.001, y: 10}}}}, expect: refused by aos.move.run}
  - {ask: {answer: {models: {a1.1: {x: 21, y: 10}}}}, expect: legal}
""",
    )


@pytest.mark.rule("aos.core.strike-first")
def test_who_strikes_first_does_so_before_the_fighting_has_begun_too() -> None:
    judged(
        "aos",
        """
position:
  phase: combat
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {weapons: [{id: axe, attacks: 2, hit: 4, wound: 4, rend: 0,
           damage: 1}]}}
    - {id: a2, side: 0, models: [[20, 10]], profile: {weapons: [{id: axe, attacks: 2, hit: 4, wound: 4, rend: 0,
           damage: 1}]}}
    - {id: b1, side: 1, models: [[10, 11.5]], profile: {weapons: [{id: axe, attacks: 2, hit: 4, wound: 4, rend: 0,
           damage: 1}]}}
    - {id: b2, side: 1, models: [[20, 11.5]], profile: {weapons: [{id: axe, attacks: 2, hit: 4, wound: 4, rend: 0,
           damage: 1}], abilities: [{id: quick, timing: passive, does: [{do: strike-first}]}]}}
answers:
  - {ask: {deed: fight, who: a1, whom: [b1]}, expect: refused by aos.core.strike-first}
""",
    )


@pytest.mark.rule("aos.core.ability-general")
def test_who_is_in_reserve_does_not_move() -> None:
    judged(
        "aos",
        """
position:
  phase: movement
  round: 2
  units:
    - {id: a1, side: 0, where: reserve, models: [[0, 0]], reserve_by_deploy: true}
    - {id: a2, side: 0, models: [[10, 10]]}
    - {id: b1, side: 1, models: [[40, 28]]}
answers:
  - {ask: {deed: normal-move, who: a1}, expect: refused by aos.core.ability-general}
""",
    )


@pytest.mark.rule("aos.core.once-per")
def test_a_second_gambit_is_refused_by_its_name() -> None:
    """An ability of the rules has no name of its own in the data; people are told the book's."""
    from umpire import scene

    battle = scene(
        {
            "game": "aos",
            "position": {
                "phase": "start",
                "round": 1,
                "units": [
                    {"id": "a1", "side": 0, "warscroll": "briar-guard", "models": [[10, 10], [11.4, 10]]},
                    {"id": "b1", "side": 1, "warscroll": "pilgrims", "models": [[10, 25], [11.4, 25]]},
                ],
            },
        }
    )
    battle.answer("tactical-gambit")
    (reason,) = battle.why_not(0, {"deed": "tactical-gambit"}).reasons
    assert reason.rule == "aos.core.once-per"
    assert reason.facts["ability"] == Text("ability.tactical-gambit")
