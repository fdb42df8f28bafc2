"""What outside judges asked and the umpire ruled wrongly at first: each a scene as they wrote it."""

import pytest

from asking import judged

T9A = "t9a"
MAGIC = """
position:
  moment: magic
  until: phase
  decks: [[6], [6]]
"""


@pytest.mark.rule("t9a.shoot.los")
def test_models_of_one_file_look_each_with_its_own_height():
    judged(
        T9A,
        """
title: Tall archers look over a low row, also the one behind a low character
dice: [seeded]
position:
  moment: shooting
  until: phase
  units:
    - {id: a, models: 9, files: 5, x: 36, y: 10, profile: {height: 2, parts: [{weapons: [bow], aim: {bow: 3}}]}}
    - {id: h, in_unit: a, character: true, file: 2, rank: 0, profile: {hp: 3}}
    - {id: m, models: 30, files: 30, x: 36, y: 14}
    - {id: b, side: 1, models: 5, x: 36, y: 20, facing: 180, profile: {hp: 9}}
answers: [a, {answer: b, expect: {event: volley, shooters: 9}}]
""",
    )


@pytest.mark.rule("t9a.magic.move.once", "t9a.magic.move.actions", "t9a.charge.failed.restrictions")
def test_a_spell_that_moves_may_be_cast_on_who_cannot_move():
    judged(
        T9A,
        f"""
title: It has no effect then, but what else it does it does
dice: [6, 5, 6, 5, seeded]{MAGIC}
  spells:
    - {{id: go, name: {{zh: 走, en: Go}}, value: 3, whom: friend, move: 6, mods: {{arm: 1}}, duration: turn}}
  units:
    - {{id: m, models: 1, files: 1, x: 36, y: 6, character: true, wizard: adept, spells: [go]}}
    - {{id: n, models: 1, files: 1, x: 33, y: 6, character: true, wizard: adept, spells: [go]}}
    - {{id: a, models: 10, x: 36, y: 14}}
    - {{id: f, models: 10, x: 46, y: 14, failed: true}}
    - {{id: b, side: 1, models: 5, x: 36, y: 14, facing: 180}}
answers:
  - false
  - "m:go"
  - a
  - "2"
  - {{answer: "0", side: 1, expect: [rule t9a.magic.move.actions, {{event: no-magic-move, unit: a}}, event blessed]}}
  - {{ask: {{deed: cast, who: n, using: go, whom: [f]}}, expect: legal}}
""",
    )
    judged(
        T9A,
        f"""
title: Once a phase
dice: [6, 5, 6, 5, seeded]{MAGIC}
  spells: [{{id: go, name: {{zh: 走, en: Go}}, value: 3, whom: friend, move: 6, replicable: true}}]
  units:
    - {{id: m, models: 1, files: 1, x: 36, y: 6, character: true, wizard: adept, spells: [go]}}
    - {{id: n, models: 1, files: 1, x: 33, y: 6, character: true, wizard: adept, spells: [go]}}
    - {{id: a, models: 10, x: 36, y: 14}}
    - {{id: b, side: 1, models: 5, x: 36, y: 44, facing: 180}}
answers:
  - false
  - "m:go"
  - a
  - "2"
  - {{answer: "0", side: 1}}
  - normal
  - {{path: [{{how: forward, inches: 6}}]}}
  - "n:go"
  - a
  - "2"
  - {{answer: "0", side: 1, expect: [{{event: no-magic-move, unit: a}}, rule t9a.magic.move.once]}}
""",
    )


LEAVING = f"""
dice: [6, 5, seeded]{MAGIC}
  spells: [{{id: go, name: {{zh: 走, en: Go}}, value: 3, whom: friend, move: 6}}]
  units:
    - {{id: m, models: 1, files: 1, x: 36, y: 6, character: true, wizard: adept, spells: [go]}}
    - {{id: a, models: 10, x: 36, y: 14}}
    - {{id: h, in_unit: a, character: true, file: 0, rank: 0, profile: {{hp: 3}}}}
    - {{id: b, side: 1, models: 5, x: 36, y: 44, facing: 180}}
answers: [false, "m:go", a, "2", {{answer: "0", side: 1, expect: {{asked: ask.move-action, option: "leave:h"}}}}
"""


@pytest.mark.rule("t9a.magic.move.actions", "t9a.char.leave")
def test_a_character_leaves_its_unit_by_a_magical_move():
    six, four = (f"normal, {{path: [{{how: forward, inches: {n}}}]}}" for n in (6, 4))
    judged(
        T9A,
        f"""
title: Both have the move, each its own{LEAVING}
  , "leave:h", {six}, {four}]
expect: [{{state: {{units.h.y: 20, units.a.y: 18, units.h.where: table}}}}, rule t9a.char.leave.move]
""",
    )
    judged(
        T9A,
        f"""
title: Who does not move after all has not left{LEAVING}
  , "leave:h", none, normal, {{path: [{{how: forward, inches: 6}}]}}]
expect: {{state: {{units.h.where: joined, units.a.y: 20}}}}
""",
    )


@pytest.mark.rule("t9a.magic.recover.attached")
def test_in_a_unit_of_characters_alone_nobody_recovers_by_what_is_cast_on_the_unit():
    judged(
        T9A,
        f"""
title: Attached models of a combined unit
dice: [6, 5, seeded]{MAGIC}
  spells: [{{id: heal, name: {{zh: 愈, en: Heal}}, value: 3, whom: friend, recover: "2"}}]
  units:
    - {{id: m, models: 1, files: 1, x: 36, y: 6, character: true, wizard: adept, spells: [heal]}}
    - {{id: h, models: 1, files: 2, x: 36, y: 14, character: true, lost: 2, profile: {{hp: 3}}}}
    - {{id: i, in_unit: h, character: true, profile: {{hp: 3}}}}
    - {{id: b, side: 1, models: 5, x: 36, y: 44, facing: 180}}
answers: [false, "m:heal", h, "2", {{answer: "0", side: 1, expect: event not-attached}}]
expect: {{state: {{pools.h.lost: 2}}}}
""",
    )


@pytest.mark.rule("t9a.magic.summon.placement")
def test_the_range_of_a_summons_is_measured_from_the_caster():
    """He stands at the left end of ten files: what is in range of the other end is not in his."""
    judged(
        T9A,
        f"""
title: All models within 8" of the caster himself
dice: [6, 5, seeded]{MAGIC}
  spells: [{{id: call, name: {{zh: 召, en: Call}}, value: 3, range: 8, type: ground, whom: any, summon: saplings}}]
  units:
    - {{id: a, models: 19, files: 10, x: 36, y: 10}}
    - {{id: m, in_unit: a, character: true, wizard: adept, spells: [call], file: 0, rank: 0}}
    - {{id: b, side: 1, models: 5, x: 36, y: 40, facing: 180}}
answers:
  - false
  - "m:call"
  - {{x: 36, y: 14}}
  - "2"
  - {{answer: "0", side: 1, expect: asked ask.summon}}
  - {{ask: {{answer: {{x: 36, y: 14, facing: 0, files: 5}}}}, expect: legal}}
  - {{ask: {{answer: {{x: 37.9, y: 14, facing: 0, files: 5}}}}, expect: refused by t9a.magic.summon.placement}}
""",
    )


@pytest.mark.rule("t9a.charge.misaligned.must-reform")
def test_who_must_reform_and_can_does():
    judged(
        T9A,
        """
title: It may not stay as it is
dice: [seeded]
position:
  moment: melee
  until: phase
  units:
    - {id: a, models: 10, x: 36, y: 20, must_reform: true, profile: {parts: [{att: null}]}}
    - {id: b, side: 1, models: 10, x: 36, y: 20, facing: 180, profile: {parts: [{att: null}]}}
answers:
  - {answer: [], side: 1, expect: asked ask.combat-reform}
  - {ask: {answer: {stay: true}}, expect: refused by t9a.charge.misaligned.must-reform}
  - {ask: {answer: {to: {x: 36, y: 19, facing: 0}}}, expect: legal}
""",
    )


@pytest.mark.rule("t9a.intro.game-end")
def test_the_battle_goes_on_while_somebody_waits_in_ambush():
    judged(
        T9A,
        """
title: Nobody is on the table, but not everybody is gone
dice: [seeded]
position:
  moment: melee
  turn: 2
  units:
    - {id: a, models: 10, where: ambush, profile: {rules: [ambush.reserve]}}
    - {id: b, side: 1, models: 10, where: ambush, profile: {rules: [ambush.reserve]}}
expect: [{not: event game-end}, {not: over}]
""",
    )


@pytest.mark.rule("t9a.prep.deploy.attached")
def test_as_many_characters_as_like_start_in_one_unit():
    judged(
        T9A,
        """
title: Four of them
dice: [seeded]
position:
  moment: deployment
  units:
    - {id: a, models: 10, where: list}
    - {id: h1, where: list, character: true}
    - {id: h2, where: list, character: true}
    - {id: h3, where: list, character: true}
    - {id: h4, where: list, character: true}
    - {id: b, side: 1, models: 5, where: list}
answers:
  - {answer: a, side: 0, expect: asked ask.deploy-with}
  - {ask: {answer: [h1, h2, h3, h4]}, side: 0, expect: legal}
""",
    )


ARCHERS = """
position:
  moment: shooting
  until: phase
  units:
    - {id: a, models: 10, x: 36, y: 10, profile: {parts: [{weapons: [bow, throwing], aim: {bow: 4, throwing: 5}}]}}
    - {id: b, side: 1, models: 5, x: 36, y: 17.5, facing: 180, profile: {hp: 9}}
"""


@pytest.mark.rule("t9a.shoot.weapon-choice", "t9a.shoot.optional")
def test_each_model_uses_its_own_weapon():
    """Those of the first rank are within 8" of the enemy and throw, the others are not and shoot their bows."""
    judged(
        T9A,
        f"""
title: Half of a unit throws, the other half shoots{ARCHERS}
answers:
  - a
  - {{answer: b, expect: {{asked: ask.weapon, option: divide}}}}
  - {{answer: divide, expect: {{asked: ask.weapon-models, option: "5", no-option: "6"}}}}
  - {{answer: "5", expect: {{asked: ask.weapon-models, option: "5", no-option: "6"}}}}
  - {{answer: "5", expect: {{event: volley, shooters: 10}}}}
""",
    )
    judged(
        T9A,
        f"""
title: Any model may hold its fire
options: {{optional_attacks: asked}}{ARCHERS.replace("[bow, throwing]", "[bow]")}
answers:
  - a
  - {{answer: b, expect: {{asked: ask.weapon, option: divide}}}}
  - divide
  - {{answer: "3", expect: {{event: volley, shooters: 3}}}}
""",
    )


@pytest.mark.rule("t9a.melee.no-foe-at-start", "t9a.def.move")
def test_who_has_moved_since_its_foes_went_does_not_follow_them_up():
    judged(
        T9A,
        """
title: A free unit stays, and may overrun
dice: [seeded]
position:
  moment: movement
  units:
    - {id: a, models: 5, x: 36, y: 20, free: true, freed_charging: true}
    - {id: b, side: 1, models: 5, x: 36, y: 44, facing: 180}
answers: [a, normal, {stay: true}]
until: asked ask.no-foes
""",
    )
    judged(
        T9A,
        """
title: It moves
dice: [seeded]
position:
  moment: movement
  units:
    - {id: a, models: 5, x: 36, y: 20, free: true, freed_charging: true}
    - {id: b, side: 1, models: 5, x: 36, y: 44, facing: 180}
answers: [a, normal, {path: [{how: forward, inches: 1}]}]
until: event turn
expect: {not: event no-foes}
""",
    )


@pytest.mark.rule("t9a.magic.summon.status")
def test_a_summoned_unit_may_be_moved_by_magic_at_once():
    judged(
        T9A,
        f"""
title: It acts like any other
dice: [6, 5, 6, 5, seeded]{MAGIC}
  spells:
    - {{id: call, name: {{zh: 召, en: Call}}, value: 3, range: 8, type: ground, whom: any, summon: saplings}}
    - {{id: go, name: {{zh: 走, en: Go}}, value: 3, whom: friend, move: 6}}
  units:
    - {{id: m, models: 1, files: 1, x: 36, y: 10, character: true, wizard: adept, spells: [call, go]}}
    - {{id: b, side: 1, models: 5, x: 36, y: 40, facing: 180}}
answers:
  - false
  - "m:call"
  - {{x: 36, y: 14}}
  - "2"
  - {{answer: "0", side: 1}}
  - {{x: 36, y: 14, facing: 0, files: 5}}
  - "m:go"
  - 0-s0
  - "2"
  - {{answer: "0", side: 1, expect: asked ask.move-action}}
""",
    )


COVERED = """
dice: [seeded]
position:
  moment: shooting
  until: phase
  units:
    - {id: b, side: 1, models: 3, files: 3, x: 36, y: 20, facing: 180, profile: {height: 3, hp: 9}}
"""


@pytest.mark.rule("t9a.shoot.cover.sources")
def test_what_covers_is_compared_with_the_models_that_shoot_and_stand_there():
    judged(
        T9A,
        f"""
title: A tall archer in a low unit shoots over what is lower than he and his target{COVERED}
    - {{id: a, models: 5, x: 36, y: 10}}
    - {{id: h, in_unit: a, character: true, file: 2, rank: 0,
       profile: {{height: 3, hp: 3, parts: [{{weapons: [bow], aim: {{bow: 3}}}}]}}}}
    - {{id: m, models: 15, files: 15, x: 36, y: 14, profile: {{height: 2}}}}
answers: [a, {{answer: b, expect: {{event: roll, purpose: hit, need: 3}}}}]
""",
    )
    judged(
        T9A,
        f"""
title: A tall model in a low unit covers by its own base{COVERED}
    - {{id: a, models: 1, files: 1, x: 36, y: 10, profile: {{height: 2, parts: [{{weapons: [bow], aim: {{bow: 3}}}}]}}}}
    - {{id: m, models: 9, x: 36, y: 14}}
    - {{id: k, in_unit: m, character: true, file: 2, rank: 0, profile: {{height: 2, base: [76.2, 25.4]}}}}
answers: [a, {{answer: b, expect: [{{event: roll, purpose: hit, need: 4}}, {{event: cover, others: [m]}}]}}]
""",
    )
    judged(
        T9A,
        f"""
title: The low models beside it do not{COVERED}
    - {{id: a, models: 1, files: 1, x: 36, y: 10, profile: {{height: 2, parts: [{{weapons: [bow], aim: {{bow: 3}}}}]}}}}
    - {{id: m, models: 9, x: 36, y: 14}}
answers: [a, {{answer: b, expect: {{event: roll, purpose: hit, need: 3}}}}]
""",
    )


@pytest.mark.rule("t9a.def.los.point")
def test_a_tall_caster_in_a_low_unit_sees_the_ground_over_low_ones():
    judged(
        T9A,
        """
title: The model that looks counts, not its unit
dice: [seeded]
position:
  moment: magic
  until: phase
  decks: [[6], [0]]
  spells: [{id: burst, name: {zh: 爆, en: Burst}, value: 3, range: 24, type: ground, sight: true, whom: any, hits: "1"}]
  units:
    - {id: a, models: 5, x: 36, y: 10}
    - {id: h, in_unit: a, character: true, wizard: adept, file: 2, rank: 0, spells: [burst], profile: {height: 3}}
    - {id: m, models: 15, files: 15, x: 36, y: 14, profile: {height: 2}}
    - {id: b, side: 1, models: 5, x: 36, y: 25, facing: 180}
answers: [false, "h:burst", {ask: {answer: {x: 36, y: 20}}, expect: legal}]
""",
    )


@pytest.mark.rule("t9a.rally.test")
def test_whether_a_unit_may_rally_can_be_asked():
    judged(
        T9A,
        """
title: Shaken, not engaged, of the player whose turn it is, in the Rally Phase
dice: [1, 1, seeded]
position:
  moment: rally
  units:
    - {id: a, models: 5, x: 20, y: 20, shaken: true}
    - {id: c, models: 5, x: 30, y: 20}
    - {id: e, models: 5, x: 40, y: 20, shaken: true}
    - {id: g, models: 5, x: 50, y: 20, shaken: true}
    - {id: b, side: 1, models: 5, x: 40, y: 20, facing: 180}
    - {id: d, side: 1, models: 5, x: 20, y: 40, facing: 180, shaken: true}
answers:
  - {ask: {deed: rally, who: a}, expect: legal}
  - {ask: {deed: rally, who: c}, expect: refused by t9a.rally.test}
  - {ask: {deed: rally, who: e}, expect: refused by t9a.rally.test}
  - {ask: {deed: rally, who: d}, expect: refused by t9a.intro.active-reactive}
  - {ask: {deed: combat-reform, who: e}, expect: refused by t9a.intro.phase-order}
  - a
  - {ask: {deed: rally, who: a}, expect: refused by t9a.rally.test}
""",
    )


@pytest.mark.rule("t9a.melee.post.reform.eligible")
def test_whether_a_unit_may_reform_in_combat_can_be_asked():
    judged(
        T9A,
        """
title: Engaged, and on one facing only
dice: [seeded]
position:
  moment: melee
  units:
    - {id: a, models: 10, x: 36, y: 20, profile: {dis: 10}}
    - {id: b, side: 1, models: 10, x: 36, y: 20, facing: 180, profile: {dis: 10}}
    - {id: f, side: 1, models: 2, files: 2, x: 38.5, y: 19, facing: 270, profile: {dis: 10}}
    - {id: c, models: 5, x: 10, y: 20}
answers:
  - {ask: {deed: combat-reform, who: a}, expect: refused by t9a.melee.post.reform.eligible}
  - {ask: {deed: combat-reform, who: c}, expect: refused by t9a.melee.post.reform.eligible}
  - {ask: {deed: combat-reform, who: b}, side: 1, expect: legal}
  - {ask: {deed: combat-reform, who: b}, side: 0, expect: refused by t9a.intro.friend-enemy}
""",
    )


@pytest.mark.rule("t9a.magic.cast.declare")
def test_a_spell_on_the_ground_is_for_whom_it_is_for():
    judged(
        T9A,
        f"""
title: A burst for enemies spares friends
dice: [6, 5, seeded]{MAGIC}
  spells:
    - {{id: burst, name: {{zh: 爆, en: Burst}}, value: 3, range: 24, type: ground, radius: 6, whom: enemy, hits: "1"}}
  units:
    - {{id: m, models: 1, files: 1, x: 36, y: 10, character: true, wizard: adept, spells: [burst]}}
    - {{id: f, models: 5, x: 30, y: 22}}
    - {{id: b, side: 1, models: 5, x: 36, y: 25, facing: 180}}
answers:
  - false
  - "m:burst"
  - {{x: 33, y: 22}}
  - "2"
  - {{answer: "0", side: 1, expect: [{{event: spell-hits, unit: b}}, {{not: {{event: spell-hits, unit: f}}}}]}}
""",
    )


@pytest.mark.rule("t9a.melee.score.standard", "t9a.melee.score.other")
def test_the_standard_of_who_is_engaged_no_more_does_not_count():
    judged(
        T9A,
        """
title: Its only foe was shaken and is gone before the first blow
dice: [seeded]
position:
  moment: melee
  until: phase
  units:
    - {id: a, models: 5, x: 33, y: 20, standard: true, profile: {parts: [{att: null}]}}
    - {id: g, models: 5, x: 38, y: 20, standard: true, profile: {parts: [{att: null}]}}
    - {id: b, side: 1, models: 2, files: 2, x: 35.5, y: 20, facing: 180, shaken: true}
    - {id: c, side: 1, models: 3, files: 3, x: 38.5, y: 20, facing: 180, profile: {dis: 10, parts: [{att: null}]}}
until: event static-score
expect: {event: static-score, score: [2, 0]}
""",
    )


@pytest.mark.rule("t9a.move.normal.rearrange")
def test_all_characters_of_a_unit_may_change_places_in_one_move():
    judged(
        T9A,
        """
title: One after the other, each once
dice: [seeded]
position:
  moment: movement
  units:
    - {id: a, models: 10, x: 36, y: 10}
    - {id: h, in_unit: a, character: true, file: 0, rank: 0, profile: {hp: 3}}
    - {id: i, in_unit: a, character: true, file: 1, rank: 0, profile: {hp: 3}}
    - {id: z, side: 1, models: 1, files: 1, x: 4, y: 46, facing: 180}
answers:
  - a
  - normal
  - {path: [{how: forward, inches: 1}]}
  - {answer: "h:4", expect: {asked: ask.rearrange, option: "i:3", no-option: "h:3"}}
  - {answer: "i:3", expect: {state: {pools.h.file: 4, pools.i.file: 3}}}
""",
    )


@pytest.mark.rule("t9a.melee.formation.solid-wound-bonus")
def test_a_solid_formation_helps_impact_hits_too():
    judged(
        T9A,
        """
title: All melee attacks of Height 1 models, 4+ becomes 3+
dice: [6, 6, 6, 6, 6, seeded]
position:
  moment: melee
  until: phase
  units:
    - {id: a, models: 20, x: 36, y: 20, charging: true, profile: {parts: [{att: null, rules: [impact-hits 1]}]}}
    - {id: b, side: 1, models: 5, x: 36, y: 20, facing: 180, profile: {hp: 9, res: 3, parts: [{att: null}]}}
until: event wounds
expect: {event: roll, purpose: wound, need: 3}
""",
    )


@pytest.mark.rule("t9a.melee.round.first")
def test_of_a_charging_unit_a_scene_need_not_say_that_this_is_its_first_round():
    judged(
        T9A,
        """
title: Nor of whom nobody but chargers touch
dice: [seeded]
position:
  moment: melee
  units:
    - {id: a, models: 5, x: 20, y: 20, charging: true}
    - {id: b, side: 1, models: 5, x: 20, y: 20, facing: 180}
    - {id: c, models: 10, x: 40, y: 20}
    - {id: d, side: 1, models: 10, x: 40, y: 20, facing: 180}
    - {id: f, models: 2, files: 2, x: 42.5, y: 21, facing: 270, charging: true}
expect:
  state: {units.a.first: true, units.b.first: true, units.c.first: false, units.d.first: false, units.f.first: true}
""",
    )
