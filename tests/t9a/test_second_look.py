"""What a second look at the ledger found: rules of which the code did the half, put as a judge would put them."""

from __future__ import annotations

import pytest

import umpire
from asking import judged
from umpire import files
from umpire.text import render


@pytest.mark.rule("t9a.rule.commanding-presence", "t9a.def.modifier.set")
def test_what_a_unit_is_given_is_added_to_the_discipline_it_is_lent() -> None:
    judged(
        "t9a",
        """
dice: [4, 5, seeded]
position:
  moment: rally
  until: phase
  units:
    - {id: a, models: 5, x: 36, y: 10, shaken: true, profile: {dis: 7}}
    - {id: g, models: 1, files: 1, character: true, general: true, x: 40, y: 12, profile: {dis: 8, hp: 3}}
    - {id: b, side: 1, models: 5, x: 36, y: 40, facing: 180}
  effects: [{on: a, what: dis, op: add, value: 1, rule: t9a.magic.cast.who}]
until: event test
expect: [{event: test, unit: a, need: 9, passed: true}]
""",
    )


@pytest.mark.rule("t9a.rule.weapon.natural", "t9a.rule.shield.parry")
def test_a_beast_with_a_shield_fights_with_its_claws_and_does_not_parry() -> None:
    judged(
        "t9a",
        """
dice: [seeded]
position:
  moment: melee
  until: phase
  units:
    - {id: a, models: 5, x: 36, y: 20, profile: {parts: [{off: 9}]}}
    - {id: b, side: 1, models: 5, x: 36, y: 20, facing: 180,
       profile: {def: 3, hp: 4, shield: true, traits: [beast], parts: [{att: null}]}}
answers:
  - {ask: {deed: weapon, who: b, using: hand}, side: 1, expect: refused by t9a.rule.weapon.natural}
until: event hits
expect: [{event: roll, purpose: hit, need: 2}]
""",
    )


@pytest.mark.rule("t9a.psych.panic.flee-through", "t9a.psych.flee.friends")
def test_friends_panic_at_a_flight_that_leads_off_the_table() -> None:
    judged(
        "t9a",
        """
dice: [6, 6, 6, 6, 6, 6, seeded]
position:
  moment: rally
  until: phase
  units:
    - {id: a, models: 5, x: 36, y: 10, shaken: true, facing: 180, profile: {dis: 5}}
    - {id: f, models: 5, x: 36, y: 6}
    - {id: b, side: 1, models: 5, x: 36, y: 20, facing: 180}
expect: [event off-table, {event: test, unit: f, passed: false}]
""",
    )


@pytest.mark.rule("t9a.rule.insignificant")
def test_the_insignificant_who_die_in_their_flight_frighten_nobody_either() -> None:
    judged(
        "t9a",
        """
dice: [6, 6, 6, 2, 6, seeded]
position:
  moment: rally
  until: phase
  units:
    - {id: a, models: 1, files: 1, x: 36, y: 30, shaken: true, facing: 180, profile: {dis: 5, rules: [insignificant]}}
    - {id: f, models: 5, x: 36, y: 26}
    - {id: b, side: 1, models: 5, x: 36, y: 40, facing: 180}
  terrain: [{id: r, kind: impassable, points: [[35, 23], [37, 23], [37, 24], [35, 24]]}]
expect: [{event: dangerous, hits: 1}, {not: {event: test, unit: f}}]
""",
    )


@pytest.mark.rule("t9a.terrain.dangerous.pools")
def test_where_only_an_empty_corner_touched_nobody_tests() -> None:
    judged(
        "t9a",
        """
dice: [seeded]
position:
  moment: movement
  until: phase
  units:
    - {id: a, models: 6, x: 36, y: 20, profile: {height: 2, traits: [mounted]}}
    - {id: h, in_unit: a, character: true, file: 2, rank: 0, profile: {hp: 3, height: 2, traits: [mounted]}}
  terrain: [{id: r, kind: forest, points: [[37.7, 17], [38.5, 17], [38.5, 18.5], [37.7, 18.5]]}]
answers: [a, march, {path: [{how: forward, inches: 3}]}]
expect: [{not: event dangerous}]
""",
    )


@pytest.mark.rule("t9a.terrain.opaque", "t9a.def.los")
def test_who_stands_beside_the_hill_on_which_others_of_the_unit_are_does_not_see_through_it() -> None:
    judged(
        "t9a",
        """
dice: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, seeded]
position:
  moment: shooting
  until: phase
  units:
    - {id: a, models: 10, files: 10, x: 36, y: 20, profile: {parts: [{weapons: [longbow]}]}}
    - {id: b, side: 1, models: 1, files: 1, x: 28, y: 40, facing: 180}
  terrain: [{id: r, kind: hill, points: [[10, 19], [33.2, 19], [33.2, 36], [10, 36]]}]
answers: [a, b]
expect: [{event: volley, shooters: 3}]
""",
    )


@pytest.mark.rule("t9a.terrain.dangerous", "t9a.melee.pursue.pivot")
def test_a_pursuer_that_turned_out_of_the_ruins_has_been_in_them() -> None:
    judged(
        "t9a",
        """
dice: [6, 6, 1, 1, 2, 2, 1, 1, 1, seeded]
position:
  moment: melee
  until: phase
  units:
    - {id: a, models: 5, x: 36, y: 20, charging: true, standard: true, profile: {parts: [{att: null}]}}
    - {id: c, models: 5, x: 31, y: 22, charging: true, facing: 90, profile: {parts: [{att: null}]}}
    - {id: b, side: 1, models: 5, x: 33.5, y: 20, facing: 180, profile: {parts: [{att: null}]}}
  terrain: [{id: r, kind: ruins, points: [[33, 18], [34, 18], [34, 19.2], [33, 19.2]]}]
answers:
  - {answer: c, side: 0}
  - b
  - stay
until: event pursued
expect: [event caught, {event: dangerous, pool: a}]
""",
    )


@pytest.mark.rule("t9a.terrain.ruins.dangerous", "t9a.rule.vanguard")
def test_a_march_of_the_vanguard_is_a_march() -> None:
    judged(
        "t9a",
        """
dice: [6, 1, 1, seeded]
position:
  moment: deployment
  defender: 0
  units:
    - {id: a, models: 5, x: 36, y: 10, profile: {rules: [vanguard]}}
    - {id: b, side: 1, models: 5, x: 36, y: 37, facing: 180}
  terrain: [{id: r, kind: ruins, points: [[34, 12], [38, 12], [38, 13], [34, 13]]}]
answers:
  - {answer: side.0, side: 1}
  - {answer: a, side: 0}
  - a
  - march
  - {path: [{how: forward, inches: 6}]}
until: event dangerous
expect: [{event: dangerous, pool: a, dice: 3}]
""",
    )


@pytest.mark.rule("t9a.move.reform.model-limit")
def test_a_way_round_a_rock_counts_as_long_as_it_is() -> None:
    judged(
        "t9a",
        """
position:
  moment: movement
  units:
    - {id: a, models: 1, files: 1, x: 36, y: 10, profile: {rules: [light-troops]}}
    - {id: b, side: 1, models: 1, files: 1, x: 60, y: 40}
  terrain: [{id: r, kind: impassable, points: [[34, 13], [38, 13], [38, 15], [34, 15]]}]
answers:
  - {ask: {deed: move, who: a, using: reform, answer: {to: {x: 36, y: 17, facing: 0}, files: 1}},
     expect: refused by t9a.move.reform.model-limit}
""",
    )


@pytest.mark.rule("t9a.rule.bodyguard")
def test_who_guards_himself_is_not_guarded() -> None:
    judged(
        "t9a",
        """
dice: [4, 4, seeded]
position:
  moment: melee
  until: phase
  units:
    - {id: a, models: 5, x: 36, y: 20, standard: true, charging: true, profile: {parts: [{att: null}]}}
    - {id: h, side: 1, models: 1, files: 1, x: 36, y: 20, facing: 180, character: true,
       profile: {hp: 3, dis: 9, rules: [bodyguard], parts: [{att: null}]}}
until: event test
expect: [{event: test, unit: h, need: 6, passed: false}]
""",
    )


@pytest.mark.rule("t9a.charge.sequence", "t9a.shoot.same-target", "t9a.prep.deploy.inactive-before")
def test_nothing_is_done_to_two_at_once_nor_to_who_is_not_there() -> None:
    judged(
        "t9a",
        """
position:
  moment: charge
  units:
    - {id: a, models: 15, x: 20, y: 5, profile: {cha: 5, parts: [{weapons: [longbow]}]}}
    - {id: d, side: 1, models: 5, x: 26.5, y: 12, facing: 180}
    - {id: c, side: 1, models: 5, x: 20, y: 12, facing: 180}
    - {id: e, side: 1, models: 5, where: ambush, profile: {rules: [ambush]}}
    - {id: g, side: 1, models: 5, where: gone}
answers:
  - {ask: {deed: charge, who: a, whom: [c]}, expect: legal}
  - {ask: {deed: charge, who: a, whom: [c, d]}, expect: refused by t9a.charge.sequence}
  - {ask: {deed: charge, who: a, whom: [e]}, expect: refused by t9a.prep.deploy.inactive-before}
  - {ask: {deed: charge, who: a, whom: [g]}, expect: refused by t9a.attack.last-hp}
  - {ask: {deed: shoot, who: a, whom: [c, d]}, expect: refused by t9a.shoot.same-target and t9a.intro.phase-order}
  - {ask: {deed: make-way, who: a}, expect: refused by t9a.intro.phase-order}
  - {ask: {deed: weapon, who: a, using: hand}, side: 1,
     expect: refused by t9a.intro.phase-order and t9a.intro.friend-enemy}
""",
    )


@pytest.mark.rule("t9a.shoot.range", "t9a.shoot.los")
def test_everything_that_stands_against_a_shot_is_named() -> None:
    judged(
        "t9a",
        """
position:
  moment: shooting
  units:
    - {id: a, models: 5, x: 20, y: 20, profile: {parts: [{weapons: [pistol]}]}}
    - {id: b, side: 1, models: 5, x: 20, y: 2}
    - {id: c, models: 5, x: 20, y: 2, facing: 180}
    - {id: m, models: 5, x: 40, y: 20, moved: march, profile: {parts: [{weapons: [longbow]}]}}
  terrain: [{id: h, kind: hill, points: [[34, 22], [46, 22], [46, 26], [34, 26]]}]
answers:
  - {ask: {deed: shoot, who: a, whom: [b]},
     expect: refused by t9a.shoot.target-eligible and t9a.shoot.range and t9a.shoot.los and t9a.def.los.arc}
  - {ask: {deed: shoot, who: m, whom: [b]},
     expect: refused by t9a.shoot.unit-eligible and t9a.shoot.mod.march-and-shoot}
""",
    )


@pytest.mark.rule("t9a.rule.vanguard.limits")
def test_no_model_goes_further_than_twelve_inches_in_a_reform_of_the_vanguard() -> None:
    judged(
        "t9a",
        """
dice: [seeded]
position:
  moment: deployment
  defender: 0
  units:
    - {id: a, models: 12, files: 12, x: 26, y: 10, profile: {mob: 9, rules: [vanguard, light-troops]}}
    - {id: b, side: 1, models: 5, x: 36, y: 37, facing: 180}
answers:
  - {answer: side.0, side: 1}
  - {answer: a, side: 0}
  - a
  - reform
  - {ask: {answer: {to: {x: 36, y: 9.5, facing: 90}, files: 12}}, expect: refused by t9a.rule.vanguard.limits}
  - {ask: {answer: {to: {x: 30, y: 9.5, facing: 90}, files: 12}}, expect: legal}
""",
    )


@pytest.mark.rule("t9a.rule.area-attack.limits")
def test_no_model_is_hit_twice_by_an_area_attack_for_one_that_cannot_be_chosen() -> None:
    judged(
        "t9a",
        """
dice: [4, seeded]
position:
  moment: shooting
  until: phase
  units:
    - {id: a, models: 1, files: 1, x: 36, y: 5, profile: {parts: [{aim: {cat: 4}, own: [
        {id: cat, name: {en: catapult}, shooting: true, range: 48, str: 3, ap: 0, rules: ["area-attack 6x1"]}]}]}}
    - {id: b, side: 1, models: 5, files: 6, x: 36, y: 20, facing: 180}
    - {id: h, side: 1, in_unit: b, character: true, file: 2, rank: 0, profile: {hp: 3}}
answers: [a, b]
until: event wounds
expect: [{event: area, hits: 6}, {event: auto-hits, target: b, hits: 5}]
""",
    )


@pytest.mark.rule("t9a.char.charge-out.separate")
def test_who_does_not_charge_by_himself_does_not_charge_out_either() -> None:
    judged(
        "t9a",
        """
position:
  moment: charge
  units:
    - {id: a, models: 10, x: 36, y: 20}
    - {id: h, in_unit: a, character: true, file: 2, rank: 0, profile: {hp: 3, rules: [emplaced]}}
    - {id: k, in_unit: a, character: true, file: 3, rank: 0, profile: {hp: 3, rules: [random-movement 2D6]}}
    - {id: b, side: 1, models: 5, x: 36, y: 28, facing: 180}
answers:
  - {ask: {deed: charge, who: h, whom: [b]}, expect: refused by t9a.rule.emplaced}
  - {ask: {deed: charge, who: k, whom: [b]}, expect: refused by t9a.rule.random-movement.charge}
""",
    )


@pytest.mark.rule("t9a.rule.vanguard", "t9a.def.profile.unit-values")
def test_the_vanguard_of_two_speeds_goes_at_the_lower() -> None:
    judged(
        "t9a",
        """
position:
  moment: deployment
  defender: 0
  units:
    - {id: a, models: 5, x: 36, y: 10, profile: {rules: [vanguard 6]}}
    - {id: h, in_unit: a, character: true, file: 2, rank: 0, profile: {hp: 3, rules: [vanguard 3]}}
    - {id: z, models: 5, x: 20, y: 10}
    - {id: b, side: 1, models: 5, x: 36, y: 37, facing: 180}
answers:
  - {answer: side.0, side: 1}
  - {answer: z, side: 0}
  - {answer: pass, side: 0}
  - {answer: a, side: 0}
  - normal
  - {ask: {answer: {path: [{how: forward, inches: 3.1}]}}, expect: refused by t9a.move.normal.advance}
  - {ask: {answer: {path: [{how: forward, inches: 3}]}}, expect: legal}
""",
    )


@pytest.mark.rule("t9a.magic.cast.declare")
def test_a_spell_that_is_out_of_range_and_out_of_sight_is_refused_for_both() -> None:
    judged(
        "t9a",
        """
position:
  moment: magic
  spells: [{id: zap, name: {en: Zap}, range: 10, hits: "3", str: 4, sight: true}]
  units:
    - {id: m, models: 1, files: 1, character: true, wizard: adept, spells: [zap], x: 36, y: 20}
    - {id: b, side: 1, models: 5, x: 36, y: 5}
    - {id: c, side: 1, models: 5, x: 36, y: 28, facing: 180}
answers:
  - false
  - {ask: {deed: cast, who: m, using: zap, whom: [b]}, expect: refused by t9a.magic.cast.declare and t9a.def.los.arc}
  - {ask: {deed: cast, who: m, using: zap, whom: [c]}, expect: legal}
""",
    )


@pytest.mark.rule("t9a.char.join.how", "t9a.move.march.advance")
def test_nobody_marches_into_a_unit_behind_him() -> None:
    judged(
        "t9a",
        """
position:
  moment: movement
  units:
    - {id: h, models: 1, files: 1, x: 36, y: 20, character: true, profile: {hp: 3, mob: 8}}
    - {id: a, models: 10, x: 36, y: 8}
    - {id: c, models: 10, x: 20, y: 34}
    - {id: e, models: 10, x: 36, y: 31}
    - {id: b, side: 1, models: 5, x: 60, y: 40}
answers:
  - {ask: {deed: join, who: h, whom: [a]}, expect: refused by t9a.move.march.advance}
  - {ask: {deed: join, who: h, whom: [c]}, expect: refused by t9a.char.join.distance}
  - {ask: {deed: join, who: h, whom: [e]}, expect: legal}
  - {ask: {deed: move, who: h, using: march, answer: {to: {beside: a}}}, expect: refused by t9a.move.march.advance}
  - {ask: {deed: move, who: h, using: normal, answer: {to: {beside: a}}}, expect: refused by t9a.char.join.distance}
""",
    )


@pytest.mark.rule("t9a.magic.move.actions", "t9a.magic.move.distance")
def test_by_a_magical_move_one_may_wish_to_join() -> None:
    judged(
        "t9a",
        """
dice: [6, 5, seeded]
position:
  moment: magic
  spells: [{id: go, name: {en: Go}, value: 5, range: 28, whom: friend, move: 6}]
  units:
    - {id: m, models: 1, files: 1, x: 46, y: 10, character: true, wizard: adept, spells: [go]}
    - {id: h, models: 1, files: 1, x: 36, y: 10, character: true, profile: {hp: 3, mob: 2}}
    - {id: a, models: 10, x: 36, y: 16.5}
    - {id: c, models: 10, x: 36, y: 29}
    - {id: b, side: 1, models: 10, x: 36, y: 44, facing: 180}
answers:
  - false
  - "m:go"
  - h
  - "2"
  - {answer: "0", side: 1}
  - {ask: {deed: join, who: h, whom: [a]}, expect: legal}
  - {ask: {deed: join, who: h, whom: [c]}, expect: refused by t9a.char.join.distance}
  - {ask: {deed: move, who: h, using: normal, answer: {path: [{how: forward, inches: 6.01}]}},
     expect: refused by t9a.move.normal.advance}
  - {ask: {deed: join, who: m, whom: [a]}, expect: refused by t9a.intro.phase-order}
""",
    )


@pytest.mark.rule("t9a.rule.undead.march")
def test_a_reform_of_the_dead_that_is_too_long_is_refused_with_its_inches() -> None:
    battle = umpire.scene(
        files.parse_all(
            """
game: t9a
position:
  moment: movement
  units:
    - {id: a, models: 5, x: 36, y: 20, profile: {rules: [undead, light-troops]}}
    - {id: b, side: 1, models: 5, x: 5, y: 45}
""",
            "t9a.yaml",
        )[0].data
    )
    to = {"to": {"x": 36, "y": 25, "facing": 0}, "files": 5}
    ruling = battle.why_not(0, {"deed": "move", "who": "a", "using": "reform", "answer": to})
    assert [reason.rule for reason in ruling.reasons] == ["t9a.rule.undead.march"]
    assert render(ruling.reasons[0].text, "en", "t9a").startswith("a has no Commanding Presence")
    assert ruling.reasons[0].facts["inches"] == 5.5


@pytest.mark.rule("t9a.prep.primary.bounty.gain")
def test_the_spoils_of_the_caught_are_given_before_anybody_pursues() -> None:
    judged(
        "t9a",
        """
dice: [6, 6, 1, 1, seeded]
position:
  moment: melee
  until: phase
  units:
    - {id: a, models: 5, x: 33.5, y: 20, charging: true, standard: true, profile: {parts: [{att: null}]}}
    - {id: c, models: 5, x: 38.5, y: 20, charging: true, standard: true, profile: {parts: [{att: null}]}}
    - {id: b, side: 1, models: 5, x: 36, y: 20, facing: 180, standard: true, profile: {parts: [{att: null}]}}
answers: [a, b, {answer: stay, expect: [event caught, {asked: ask.spoils, side: 0}, {not: event pursued}]}]
""",
    )


@pytest.mark.rule("t9a.prep.deploy.attached")
def test_nobody_is_deployed_into_a_unit_that_stands_already() -> None:
    judged(
        "t9a",
        """
position:
  moment: deployment
  defender: 1
  units:
    - {id: a, models: 10, x: 36, y: 10}
    - {id: h, character: true, where: list, profile: {hp: 3}}
    - {id: b, side: 1, models: 10, where: list}
answers:
  - {ask: {deed: join, who: h, whom: [a]}, side: 0, expect: refused by t9a.prep.deploy.attached}
""",
    )


@pytest.mark.rule("t9a.rule.frenzy")
def test_the_frenzied_hear_why_they_may_not_stay() -> None:
    judged(
        "t9a",
        """
dice: [6, 6, 6, 6, 3, 4, 3, 4, seeded]
position:
  moment: melee
  until: phase
  units:
    - {id: a, models: 10, files: 10, x: 36, y: 20, charging: true, standard: true, bearer: true,
       profile: {rules: [frenzy], parts: [{att: null}]}}
    - {id: b, side: 1, models: 5, x: 33.4, y: 20, facing: 180, profile: {parts: [{att: null}]}}
    - {id: d, side: 1, models: 5, x: 38.6, y: 20, facing: 180, profile: {parts: [{att: null}]}}
answers:
  - [b, d]
  - {ask: {answer: stay}, expect: refused by t9a.rule.frenzy}
""",
    )


@pytest.mark.rule("t9a.move.cannot-move", "t9a.shoot.unit-eligible", "t9a.rule.fly.end")
def test_rules_that_the_book_states_twice_are_both_named() -> None:
    judged(
        "t9a",
        """
position:
  moment: movement
  units:
    - {id: s, models: 5, x: 10, y: 10, shaken: true, profile: {parts: [{weapons: [longbow]}]}}
    - {id: r, models: 5, x: 30, y: 10, arrived: 2}
    - {id: x, models: 5, x: 50, y: 10, failed: true, profile: {parts: [{weapons: [longbow]}]}}
    - {id: f, models: 1, files: 1, x: 40, y: 10, profile: {mob: 10, rules: [fly]}}
    - {id: b, side: 1, models: 5, x: 40, y: 40, facing: 180}
  terrain: [{id: rock, kind: impassable, points: [[38, 18], [42, 18], [42, 22], [38, 22]]}]
answers:
  - {ask: {deed: move, who: s}, expect: refused by t9a.move.cannot-move and t9a.psych.shaken.restrictions}
  - {ask: {deed: move, who: r}, expect: refused by t9a.move.cannot-move and t9a.rule.ambush.moved}
  - {ask: {deed: shoot, who: s, whom: [b]},
     expect: refused by t9a.shoot.unit-eligible and t9a.psych.shaken.restrictions}
  - {ask: {deed: shoot, who: x, whom: [b]},
     expect: refused by t9a.shoot.unit-eligible and t9a.charge.failed.restrictions}
  - {ask: {deed: move, who: f, using: march, answer: {path: [{how: forward, inches: 10}]}},
     expect: refused by t9a.rule.fly.end and t9a.terrain.impassable}
""",
    )


@pytest.mark.rule("t9a.prep.vanguard.limits", "t9a.rule.vanguard.limits")
def test_a_vanguard_ends_further_than_six_inches_from_the_enemy() -> None:
    judged(
        "t9a",
        """
position:
  moment: deployment
  defender: 0
  units:
    - {id: a, models: 10, x: 36, y: 10, profile: {mob: 8, rules: [vanguard]}}
    - {id: b, side: 1, models: 5, x: 36, y: 20, facing: 180}
answers:
  - {answer: side.0, side: 1}
  - {answer: a, side: 0}
  - a
  - normal
  - {ask: {answer: {path: [{how: forward, inches: 4}]}},
     expect: refused by t9a.prep.vanguard.limits and t9a.rule.vanguard.limits}
  - {ask: {answer: {path: [{how: forward, inches: 3.99}]}}, expect: legal}
""",
    )


@pytest.mark.rule("t9a.char.join.displace")
def test_in_a_single_rank_whoever_is_displaced_may_stand_at_its_end() -> None:
    judged(
        "t9a",
        """
position:
  moment: movement
  units:
    - {id: h, models: 1, files: 1, x: 36, y: 23, facing: 180, character: true, profile: {hp: 3}}
    - {id: a, models: 5, x: 36, y: 20}
    - {id: b, side: 1, models: 5, x: 60, y: 40}
answers:
  - h
  - normal
  - {answer: {to: {beside: a}}, expect: {asked: ask.displaced-where, option: left}}
  - {answer: left, expect: [{event: wider, files: 6}, {state: {units.a.x: 35.5, units.a.files: 6, pools.h.file: 3}}]}
""",
    )


@pytest.mark.rule("t9a.char.join.displace", "t9a.terrain.impassable")
def test_whoever_is_displaced_does_not_stand_in_a_rock_behind() -> None:
    judged(
        "t9a",
        """
position:
  moment: movement
  units:
    - {id: h, models: 1, files: 1, x: 36, y: 21.5, facing: 180, character: true, profile: {hp: 3, base: [25, 50]}}
    - {id: a, models: 5, x: 36, y: 20, profile: {base: [25, 50]}}
    - {id: b, side: 1, models: 5, x: 60, y: 40}
  terrain: [{id: r, kind: impassable, points: [[34, 15], [38, 15], [38, 17], [34, 17]]}]
answers:
  - h
  - normal
  - {to: {beside: a}}
  - {answer: "2", expect: {asked: ask.displaced-where, option: left}}
  - {ask: {answer: second}, expect: refused}
  - {answer: right, expect: {event: wider, files: 6}}
""",
    )


@pytest.mark.rule("t9a.char.join.displace")
def test_a_lone_soldier_is_joined_at_his_side() -> None:
    judged(
        "t9a",
        """
position:
  moment: movement
  units:
    - {id: h, models: 1, files: 1, x: 36, y: 23, facing: 180, character: true, profile: {hp: 3}}
    - {id: a, models: 1, files: 1, x: 36, y: 20}
    - {id: f, models: 1, files: 1, x: 37.6, y: 20}
    - {id: b, side: 1, models: 5, x: 60, y: 40}
answers:
  - {ask: {deed: join, who: h, whom: [a]}, expect: legal}
  - h
  - normal
  - {answer: {to: {beside: a}}, expect: [{event: wider, files: 2}]}
""",
    )
