"""Scenes as a judge from outside writes them, from the docs and the schema alone."""

from __future__ import annotations

import pytest

from asking import judged


@pytest.mark.rule("t9a.shoot.target-eligible")
def test_who_is_engaged_is_not_shot_at_who_is_shaken_is() -> None:
    judged(
        "t9a",
        """
position:
  moment: shooting
  units:
    - {id: a, side: 0, models: 5, files: 5, x: 36, y: 10, profile: {parts: [{weapons: [longbow]}]}}
    - {id: c, side: 0, models: 5, files: 5, x: 30, y: 20}
    - {id: b, side: 1, models: 5, files: 5, x: 30, y: 20, facing: 180}
    - {id: e, side: 1, models: 5, files: 5, x: 40, y: 20, facing: 180, shaken: true}
answers:
  - {ask: {deed: shoot, who: a, whom: [b]}, expect: refused by t9a.shoot.target-eligible}
  - {ask: {deed: shoot, who: a, whom: [e]}, expect: legal}
""",
    )


@pytest.mark.rule("t9a.terrain.opaque")
def test_a_hill_hides_what_is_behind_it_and_not_who_stands_on_it() -> None:
    judged(
        "t9a",
        """
position:
  moment: shooting
  units:
    - {id: a, side: 0, models: 5, files: 5, x: 36, y: 10, profile: {parts: [{weapons: [longbow]}]}}
    - {id: b, side: 1, models: 5, files: 5, x: 36, y: 25, facing: 180}
    - {id: d, side: 1, models: 5, files: 5, x: 36, y: 17, facing: 180}
  terrain: [{id: h, kind: hill, points: [[26, 14], [46, 14], [46, 20], [26, 20]]}]
answers:
  - {ask: {deed: shoot, who: a, whom: [b]}, expect: refused by t9a.terrain.opaque and t9a.shoot.los}
  - {ask: {deed: shoot, who: a, whom: [d]}, expect: legal}
""",
    )


@pytest.mark.rule("t9a.move.normal.advance")
def test_a_march_is_twice_as_far_and_does_not_pivot() -> None:
    judged(
        "t9a",
        """
position:
  moment: movement
  units:
    - {id: a, side: 0, models: 10, files: 5, x: 36, y: 10, profile: {mob: 4}}
    - {id: b, side: 1, models: 5, files: 5, x: 36, y: 40, facing: 180}
answers:
  - {ask: {deed: move, who: a, using: normal, answer: {path: [{how: forward, inches: 4.001}]}},
         expect: refused by t9a.move.normal.advance}
  - {ask: {deed: move, who: a, using: march, answer: {path: [{how: forward, inches: 8}]}}, expect: legal}
  - {ask: {deed: move, who: a, using: march, answer: {path: [{how: pivot, degrees: 20}, {how: forward,
         inches: 2}]}}, expect: refused by t9a.move.march.advance}
  - {answer: a, expect: legal}
  - {answer: normal, expect: legal}
  - {answer: {path: [{how: forward, inches: 4}]}, expect: legal}
  - {ask: {deed: move, who: a, using: normal, answer: {path: [{how: forward, inches: 1}]}},
         expect: refused by t9a.intro.active-reactive}
""",
    )


@pytest.mark.rule("t9a.charge.declare.eligible-charger", "t9a.charge.reaction.flee.eligibility")
def test_nobody_charges_out_of_combat_or_flees_who_is_not_charged() -> None:
    judged(
        "t9a",
        """
position:
  moment: charge
  units:
    - {id: a, side: 0, models: 10, files: 5, x: 36, y: 15}
    - {id: c, side: 0, models: 10, files: 5, x: 28, y: 24, facing: 0}
    - {id: b, side: 1, models: 10, files: 5, x: 30, y: 24, facing: 180}
    - {id: d, side: 1, models: 10, files: 5, x: 60, y: 40, facing: 180}
answers:
  - {ask: {deed: charge, who: c, whom: [d]}, expect: refused by t9a.charge.declare.eligible-charger}
  - {ask: {deed: charge, who: a, whom: [d]}, expect: refused by t9a.charge.declare.possible}
  - {ask: {deed: flee, who: b}, expect: refused by t9a.charge.reaction.flee.eligibility}
""",
    )


@pytest.mark.rule("t9a.psych.shaken.restrictions")
def test_who_is_shaken_does_not_march() -> None:
    judged(
        "t9a",
        """
position:
  moment: movement
  units:
    - {id: a, side: 0, models: 10, files: 5, x: 36, y: 10, profile: {mob: 4}}
    - {id: b, side: 1, models: 5, files: 5, x: 36, y: 14, facing: 180}
    - {id: c, side: 0, models: 10, files: 5, x: 20, y: 10, shaken: true}
answers:
  - {ask: {deed: move, who: c, using: march, answer: {path: [{how: forward, inches: 2}]}},
         expect: refused by t9a.psych.shaken.restrictions}
  - {ask: {deed: move, who: a, using: normal, answer: {path: [{how: forward, inches: 3.5}]}},
         expect: refused by t9a.def.spacing.end}
""",
    )


@pytest.mark.rule("t9a.char.attachable")
def test_a_character_leaves_its_unit_and_joins_no_enemy() -> None:
    judged(
        "t9a",
        """
position:
  moment: movement
  units:
    - {id: a, side: 0, models: 10, files: 5, x: 36, y: 10, profile: {mob: 4}}
    - {id: h, side: 0, in_unit: a, character: true, file: 2, rank: 0, profile: {mob: 4, hp: 3}}
    - {id: b, side: 1, models: 5, files: 5, x: 36, y: 40, facing: 180}
answers:
  - {ask: {deed: leave, who: h}, expect: legal}
  - {ask: {deed: join, who: h, whom: [b]}, expect: refused by t9a.char.attachable}
""",
    )


@pytest.mark.rule("t9a.melee.break.pursuers")
def test_who_fights_nobody_pursues_nobody() -> None:
    judged(
        "t9a",
        """
position:
  moment: movement
  units:
    - {id: a, side: 0, models: 10, files: 5, x: 36, y: 10, profile: {mob: 4}}
    - {id: c, side: 0, models: 10, files: 5, x: 36, y: 15, profile: {mob: 4}}
    - {id: b, side: 1, models: 5, files: 5, x: 36, y: 40, facing: 180}
answers:
  - {ask: {deed: move, who: a, using: normal, answer: {path: [{how: forward, inches: 2.5}]}},
         expect: refused by t9a.def.spacing.end}
  - {ask: {deed: pursue, who: a}, expect: refused by t9a.melee.break.pursuers}
  - {ask: {deed: weapon, who: a, using: great}, expect: refused by t9a.rule.weapon}
""",
    )


@pytest.mark.rule("t9a.move.sequence", "t9a.move.actions")
def test_who_is_said_to_have_moved_moves_no_more() -> None:
    judged(
        "t9a",
        """
position:
  moment: movement
  units:
    - {id: a, side: 0, models: 10, files: 5, x: 36, y: 10, profile: {mob: 4}}
    - {id: c, side: 0, models: 10, files: 5, x: 36, y: 15, profile: {mob: 4}}
    - {id: d, side: 0, models: 10, files: 5, x: 10, y: 10, moved: normal, profile: {mob: 4}}
    - {id: b, side: 1, models: 5, files: 5, x: 36, y: 40, facing: 180}
  terrain: [{id: r, kind: impassable, points: [[20, 12], [24, 12], [24, 16], [20, 16]]}]
answers:
  - {ask: {deed: move, who: a, using: normal, answer: {path: [{how: forward, inches: 2.1}]}},
         expect: refused by t9a.def.spacing.end}
  - {ask: {deed: move, who: a, using: normal, answer: {path: [{how: forward, inches: 1.3}]}}, expect: legal}
  - {ask: {deed: move, who: d, using: normal, answer: {path: [{how: forward, inches: 1}]}},
         expect: refused by t9a.move.sequence and t9a.move.actions}
""",
    )
