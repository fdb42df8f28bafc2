"""Scenes as a judge from outside writes them, from the docs and the schema alone."""

from __future__ import annotations

from typing import Any

import pytest

from asking import judged
from conquest.builder import regiment, scene
from umpire.errors import UmpireError

PLAIN = (
    "type: infantry, class: medium, march: 5, volley: 1, clash: 3, attacks: 4, wounds: 4, resolve: 3, defense: 2, "
    "evasion: 1"
)


@pytest.mark.rule(
    "conquest.magic.target.engaged", "conquest.magic.target.line-of-sight", "conquest.magic.profile.range"
)
def test_spells_need_no_names() -> None:
    judged(
        "conquest",
        f"""
position:
  moment: actions
  who: a
  regiments:
    - id: a
      stands: 3
      x: 30
      y: 20
      spells: [{{id: bolt, range: 18, attunement: 3, hits: 4}}, {{id: hex, range: 18, attunement: 3}},
               {{id: bless, range: 18, attunement: 3, at: friend, effects: [{{what: defense, value: 1}}]}}]
      profile: {{{PLAIN}, rules: [{{name: wizard, value: 4}}]}}
    - {{id: c, stands: 3, x: 42, y: 20, profile: {{{PLAIN}}}}}
    - {{id: b, side: 1, stands: 3, x: 30, y: 20, facing: 180, profile: {{{PLAIN}}}}}
    - {{id: e, side: 1, stands: 3, x: 38, y: 30, facing: 180, profile: {{{PLAIN}}}}}
    - {{id: f, side: 1, stands: 3, x: 30, y: 38, facing: 180, profile: {{{PLAIN}}}}}
    - {{id: g, side: 1, stands: 3, x: 20, y: 38.01, facing: 180, profile: {{{PLAIN}}}}}
answers:
  - {{ask: {{deed: cast, who: a, using: bolt, whom: [b]}}, expect: legal}}
  - {{ask: {{deed: cast, who: a, using: bolt, whom: [e]}}, expect: refused by conquest.magic.target.engaged}}
  - {{ask: {{deed: cast, who: a, using: hex, whom: [f]}}, expect: legal}}
  - {{ask: {{deed: cast, who: a, using: hex, whom: [g]}}, expect: refused by conquest.magic.profile.range}}
  - {{ask: {{deed: cast, who: a, using: bless, whom: [c]}}, expect: legal}}
""",
    )


@pytest.mark.rule("conquest.morale.broken.objective-ignored", "conquest.battle.zone.count")
def test_a_scenario_is_told_by_its_zones_alone() -> None:
    heavy = PLAIN.replace("medium", "heavy")
    judged(
        "conquest",
        f"""
dice: [seeded]
position:
  moment: victory
  scenario: {{zones: [{{id: z, x: 36, y: 24, radius: 6, worth: [2, 2]}}]}}
  regiments:
    - {{id: a, stands: 6, x: 36, y: 24, broken: true, profile: {{{heavy}}}}}
    - {{id: b, side: 1, stands: 1, x: 36, y: 26, facing: 180, profile: {{{PLAIN}}}}}
expect: [{{event: zone, side: 1}}, {{event: scored, gained: [0, 2]}}]
""",
    )


@pytest.mark.parametrize(
    ("field", "own", "fields"),
    [
        (r"regiments\[0\].flags\[0\].*ocupied", {"flags": ("ocupied",)}, {}),
        (r"regiments\[0\].flags\[0\].*entrance", {"flags": ("entrance:3:4",)}, {}),
        (r"tallies.0/destroied.*destroied", {}, {"tallies": {"0/destroied": 1}}),
        (r"tallies.2/destroyed.*2", {}, {"tallies": {"2/destroyed": 1}}),
        (r"done\[0\].*spend", {}, {"done": ("spend",)}),
    ],
)
def test_marks_and_tallies_that_no_rule_reads_are_refused(
    field: str, own: dict[str, Any], fields: dict[str, Any]
) -> None:
    with pytest.raises(UmpireError, match=field):
        scene(regiment("a", **own), regiment("b", 1, (36, 30)), **fields)


@pytest.mark.rule("conquest.round.action.alternate")
def test_a_card_is_called_by_whom_it_activates() -> None:
    judged(
        "conquest",
        """
position:
  moment: turn
  stacks: [[a, c], [b]]
  regiments:
    - {id: a, stands: 3, x: 30, y: 10, entry: brine/tide-spears}
    - {id: c, stands: 3, x: 50, y: 10, entry: brine/tide-spears}
    - {id: b, side: 1, stands: 3, x: 30, y: 40, facing: 180, entry: brine/tide-spears}
answers:
  - {ask: {deed: march, who: b}, expect: refused by conquest.round.action.sequence}
""",
    )


def test_a_misspelt_count_of_uses_is_told() -> None:
    with pytest.raises(UmpireError, match="blesed"):
        judged("conquest", f"position: {{regiments: [{{id: a, profile: {{{PLAIN}}}}}], used: {{round/a/blesed: 1}}}}")


@pytest.mark.rule("conquest.character.measure", "conquest.magic.profile.range")
def test_a_character_who_can_reach_nobody_is_asked_about_all_the_same() -> None:
    """His regiment is near enough, he is not; nobody could act, so the battle has gone on."""
    judged(
        "conquest",
        f"""
dice: [seeded]
position:
  moment: character
  who: h
  regiments:
    - {{id: a, stands: 2, x: 30, y: 10, places: [[0, 1], [0, 2], [0, 0]], profile: {{{PLAIN}}}}}
    - {{id: b, side: 1, stands: 1, x: 35, y: 21.9, facing: 180, profile: {{{PLAIN}}}}}
  characters:
    - {{id: h, regiment: a, spells: [{{id: bolt, range: 12, attunement: 3, hits: 2}}],
        profile: {{{PLAIN}, rules: [{{name: wizard, value: 3}}]}}}}
answers:
  - ask: {{deed: cast, who: h, using: bolt, whom: [b]}}
    expect: [refused by conquest.character.measure, {{not: refused by conquest.round.action.sequence}}]
""",
    )


@pytest.mark.rule("conquest.rule.fly", "conquest.march.one-inch")
def test_who_flies_over_the_enemy_lands_an_inch_beyond_him() -> None:
    flying = PLAIN.replace("infantry", "cavalry").replace("march: 5", "march: 12")
    judged(
        "conquest",
        f"""
position:
  moment: actions
  who: a
  regiments:
    - {{id: a, stands: 3, x: 30, y: 10, profile: {{{flying}, rules: [{{name: fly}}]}}}}
    - {{id: b, side: 1, stands: 3, x: 30, y: 15, facing: 180, profile: {{{PLAIN}}}}}
answers:
  - {{ask: {{deed: march, who: a, answer: {{path: [{{how: forward, inches: 11}}]}}}}, expect: legal}}
  - ask: {{deed: march, who: a, answer: {{path: [{{how: forward, inches: 10.99}}]}}}}
    expect: [refused by conquest.march.one-inch, {{not: refused by conquest.rule.fly}}]
  - ask: {{deed: march, who: a, answer: {{path: [{{how: forward, inches: 9}}]}}}}
    expect: refused by conquest.rule.fly
""",
    )


@pytest.mark.rule("conquest.round.supremacy.ability.on-battlefield", "conquest.round.supremacy.ability.once-per-game")
def test_a_supremacy_ability_can_be_wished_for() -> None:
    judged(
        "conquest",
        f"""
dice: [1, 2, seeded]
position:
  moment: supremacy
  stacks: [[a, h, c, g], [b]]
  used: {{"battle/0/supremacy:roar": 1}}
  regiments:
    - {{id: a, stands: 3, where: arriving, profile: {{{PLAIN}}}}}
    - {{id: c, stands: 3, x: 30, y: 10, profile: {{{PLAIN}}}}}
    - {{id: b, side: 1, stands: 3, x: 30, y: 40, facing: 180, profile: {{{PLAIN}}}}}
  characters:
    - {{id: h, regiment: a, warlord: true, supremacy: {{id: shout, effects: [{{what: clash, value: 1}}]}},
        profile: {{{PLAIN}}}}}
    - {{id: g, regiment: c, abilities: [{{id: roar, effects: [{{what: clash, value: 1}}]}}], profile: {{{PLAIN}}}}}
answers:
  - ask: {{deed: supremacy, using: shout}}
    side: 0
    expect: refused by conquest.round.supremacy.ability.on-battlefield
  - ask: {{deed: supremacy, using: roar}}
    side: 0
    expect: refused by conquest.round.supremacy.ability.once-per-game
""",
    )


@pytest.mark.parametrize(
    "wrong",
    [
        "effects: [{on: a, what: defence, op: add, value: 1, until: round}]",
        "regiments: [{id: a, spells: [{id: s, range: 8, attunement: 3, effects: [{what: defence}]}],"
        " profile: {PLAIN}}]",
    ],
)
def test_a_misspelt_characteristic_is_told(wrong: str) -> None:
    rest = "" if "regiments" in wrong else "regiments: [{id: a, profile: {PLAIN}}], "
    text = f"position: {{{rest}{wrong}}}".replace("PLAIN", PLAIN)
    with pytest.raises(UmpireError, match="defence"):
        judged("conquest", text)


@pytest.mark.rule("conquest.reinforce.line.class", "conquest.reinforce.entry.any-edge")
def test_lines_of_who_arrives_now_are_worked_out() -> None:
    """A Light regiment at 20 inches and a Medium one at 8: that of a Heavy regiment is at 8."""
    light, heavy = PLAIN.replace("medium", "light"), PLAIN.replace("medium", "heavy")
    entering = "path: [{how: forward, inches: 5}]"
    judged(
        "conquest",
        f"""
position:
  moment: activation
  who: z
  round: 3
  regiments:
    - {{id: a, stands: 3, x: 30, y: 22.5, profile: {{{light}}}}}
    - {{id: c, stands: 3, x: 50, y: 10.5, profile: {{{PLAIN}}}}}
    - {{id: z, stands: 3, where: arriving, profile: {{{heavy}}}}}
    - {{id: b, side: 1, stands: 3, x: 30, y: 44, facing: 180, profile: {{{PLAIN}}}}}
answers:
  - {{ask: {{answer: {{edge: west, at: 4.25, files: 3, {entering}}}}}, expect: legal}}
  - ask: {{answer: {{edge: west, at: 4.26, files: 3, {entering}}}}}
    expect: refused by conquest.reinforce.entry.any-edge
""",
    )


@pytest.mark.rule("conquest.character.duel.declare", "conquest.character.spellcasting-action")
def test_why_not_of_a_character_is_of_his_own_card_not_of_his_regiment() -> None:
    """A Duel and Spellcasting are actions of regiments too, of those that a Character is by himself."""
    judged(
        "conquest",
        f"""
position:
  moment: character
  who: k
  regiments:
    - {{id: a, stands: 3, x: 36, y: 10, profile: {{{PLAIN}}}}}
    - {{id: e, side: 1, stands: 3, x: 36, y: 10, facing: 180, profile: {{{PLAIN}}}}}
    - {{id: g, side: 1, stands: 3, x: 52, y: 20, facing: 180, profile: {{{PLAIN}}}}}
  characters:
    - {{id: k, regiment: a, spells: [{{id: bolt, range: 18, attunement: 3, hits: 4}}],
        profile: {{{PLAIN}, rules: [{{name: wizard, value: 4}}]}}}}
    - {{id: h, side: 1, regiment: e, profile: {{{PLAIN}}}}}
    - {{id: l, side: 1, regiment: g, profile: {{{PLAIN}}}}}
answers:
  - {{ask: {{deed: duel, who: k}}, expect: legal}}
  - {{ask: {{deed: duel, who: k, whom: [h]}}, expect: legal}}
  - {{ask: {{deed: action, who: k, using: duel}}, expect: legal}}
  - {{ask: {{deed: duel, who: k, whom: [l]}}, expect: refused by conquest.character.duel.declare}}
  - {{ask: {{deed: duel, who: k, whom: [k]}}, expect: refused by conquest.character.duel.declare}}
  - {{ask: {{deed: duel, who: a, whom: [h]}}, expect: refused by conquest.character.actions.one}}
  - {{ask: {{deed: spellcasting, who: k}}, expect: legal}}
  - {{ask: {{deed: spellcasting, who: h}}, side: 1, expect: refused by conquest.character.spellcasting-action}}
  - {{ask: {{deed: spellcasting, who: a}}, expect: refused by conquest.magic.action.who}}
""",
    )
