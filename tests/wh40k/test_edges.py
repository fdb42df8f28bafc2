"""Edges where two rules or two models meet, each decided by the letter of the book."""

from __future__ import annotations

import pytest

from asking import judged
from umpire.errors import UmpireError


@pytest.mark.rule("wh40k.terrain.trait.breachable", "wh40k.terrain.trait.scaleable", "wh40k.unit.keyword-mixed")
def test_only_the_models_with_the_keyword_walk_through_walls_and_climb() -> None:
    judged(
        "wh40k",
        """
position:
  phase: movement
  units:
    - id: a1
      side: 0
      models: [[10, 10], [10, 11.5]]
      rows: [man, bike]
      profile: {keywords: [], rows: [{id: man, keywords: [infantry]}, {id: bike, keywords: [vehicle]}]}
    - {id: b1, side: 1, models: [[40, 28]]}
  terrain:
    - x: 15
      y: 11
      type: ruins
      height: 6
      points: [[-3, -8], [3, -8], [3, 8], [-3, 8]]
      parts:
        - {points: [[-3, -8], [-2.8, -8], [-2.8, 8], [-3, 8]], top: 6, kind: wall}
        - {points: [[-2.8, 2], [3, 2], [3, 8], [-2.8, 8]], floor: 2.9, top: 3, kind: floor}
answers:
  - {ask: {deed: normal, who: a1, answer: {models: {a1.1: {x: 13, y: 10}, a1.2: {x: 10.8, y: 11.5}}}}, expect: legal}
  - ask: {deed: normal, who: a1, answer: {models: {a1.1: {x: 13, y: 10}, a1.2: {x: 13.5, y: 11.5}}}}
    expect: refused by wh40k.terrain.trait.scaleable.others
  - {ask: {deed: normal, who: a1, answer: {models: {a1.1: {x: 12.7, y: 11.5, z: 3}}}}, expect: refused}
""",
    )


@pytest.mark.rule("wh40k.move.transport-disembark")
def test_passengers_get_out_of_a_transport_once_it_has_arrived() -> None:
    judged(
        "wh40k",
        """
position:
  phase: movement
  round: 2
  units:
    - {id: t, side: 0, where: reserve, profile: {base: 60, keywords: [vehicle, transport], carries: {capacity: 6}}}
    - {id: p, side: 0, where: aboard, aboard: t, profile: {base: 25.4}}
    - {id: u, side: 0, models: [[30, 3]], profile: {base: 60, keywords: [vehicle, transport], carries: {capacity: 6}}}
    - {id: q, side: 0, where: aboard, aboard: u, profile: {base: 25.4}}
    - {id: b1, side: 1, models: [[40, 28]], profile: {base: 25.4}}
answers:
  - done
  - t
  - {answer: {models: {t.1: {x: 10, y: 3}}}, expect: [legal, {asked: ask.reinforcements, option: "disembark:p"}]}
  - {ask: {deed: disembark, who: p}, expect: legal}
  - {ask: {deed: normal, who: u}, expect: refused by wh40k.move.phase-steps}
  - "disembark:p"
  - {answer: {models: {p.1: {x: 10, y: 6}}}, expect: [legal, {event: disembarked, unit: p}]}
  - {ask: {deed: normal, who: p}, expect: refused}
""",
    )


@pytest.mark.rule("wh40k.fight.pile-in.base-contact", "wh40k.fight.consolidate.base-contact")
def test_who_touches_an_enemy_aircraft_stays_where_he_is() -> None:
    """Aircraft are left out where the nearest enemy is found, and nowhere else."""
    judged(
        "wh40k",
        """
position:
  phase: fight
  active: 1
  units:
    - {id: a1, side: 0, models: [[10, 10], [11.4, 10]], profile: {base: 25.4, w: 9}}
    - {id: b1, side: 1, models: [[10, 11.9]], profile: {base: 25.4, w: 9}}
    - {id: b2, side: 1, models: [[10, 9]], profile: {base: 25.4, w: 9, keywords: [vehicle, aircraft, fly]}}
dice: [1, 1, seeded]
answers:
  - {ask: {answer: {models: {a1.1: {x: 10, y: 10.5}}}}, expect: refused by wh40k.fight.pile-in.base-contact}
  - {answer: {models: {a1.2: {x: 11.2, y: 10.6}}}, expect: legal}
  - {answer: [{row: a1.1, choose: {target: b1}, count: 1}, {row: a1.2, choose: {target: b1}, count: 1}], expect: legal}
  - {ask: {answer: {models: {a1.1: {x: 10, y: 10.5}}}}, expect: refused by wh40k.fight.consolidate.base-contact}
""",
    )


@pytest.mark.rule("wh40k.terrain.trait.defence-line.fight", "wh40k.fight.models.second-rank")
def test_a_line_is_struck_across_also_by_comrades_of_who_stands_round_its_end() -> None:
    judged(
        "wh40k",
        """
position:
  phase: fight
  active: 1
  units:
    - {id: a1, side: 0, models: [[10, 10], [11.5, 10], [13, 10], [14.5, 11]], profile: {base: 25.4, w: 9}}
    - {id: b1, side: 1, models: [[10, 12.75], [11.5, 12.75], [13, 12.75], [14.5, 12.75]], profile: {base: 25.4, w: 9}}
  terrain: [{x: 11, y: 11.4, type: barricades, height: 1, points: [[-3, -0.5], [2.5, -0.5], [2.5, 0.5], [-3, 0.5]]}]
answers:
  - {stay: true}
  - ask:
      answer:
        - {row: a1.1, choose: {target: b1}, count: 1}
        - {row: a1.2, choose: {target: b1}, count: 1}
        - {row: a1.3, choose: {target: b1}, count: 1}
        - {row: a1.4, choose: {target: b1}, count: 1}
    expect: legal
""",
    )


@pytest.mark.rule("wh40k.psychic.smite-effect", "wh40k.core.distance-units")
def test_the_closest_unit_is_measured_to_its_nearest_model_seen_or_not() -> None:
    judged(
        "wh40k",
        """
position:
  phase: psychic
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {base: 25.4, w: 4, keywords: [infantry, psyker]}}
    - {id: b1, side: 1, models: [[10, 17], [11.8, 17], [13.4, 18.4], [15, 20]], profile: {base: 25.4, w: 9}}
    - {id: b2, side: 1, models: [[2, 10]], profile: {base: 25.4, w: 9}}
  terrain: [{x: 10, y: 14, type: debris, height: 9, points: [[-3, -0.2], [2.3, -0.2], [2.3, 0.2], [-3, 0.2]]}]
answers:
  - {ask: {deed: cast, who: a1, using: smite, whom: [b1]}, expect: legal}
  - {ask: {deed: cast, who: a1, using: smite, whom: [b2]}, expect: refused by wh40k.psychic.smite-effect}
""",
    )


@pytest.mark.rule("wh40k.shoot.look-out-sir", "wh40k.core.distance-units")
def test_a_character_hides_behind_a_unit_whose_nearest_model_is_not_the_one_that_is_seen() -> None:
    judged(
        "wh40k",
        """
position:
  phase: shooting
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {base: 25.4, weapons: [{id: rifle, type: heavy, range: 24}]}}
    - {id: b1, side: 1, models: [[10, 17], [11.8, 17], [13.4, 18.4], [15, 20]], profile: {base: 25.4}}
    - {id: h, side: 1, models: [[17.4, 18]], profile: {base: 25.4, w: 4, keywords: [infantry, character]}}
  terrain: [{x: 10, y: 14, type: debris, height: 9, points: [[-3, -0.2], [2.3, -0.2], [2.3, 0.2], [-3, 0.2]]}]
answers:
  - {ask: {deed: shoot, who: a1, whom: [h]}, expect: refused by wh40k.shoot.look-out-sir}
""",
    )


@pytest.mark.rule("wh40k.stratagem.desperate-breakout.no-action", "wh40k.shoot.instead-of-shooting")
def test_who_has_broken_out_makes_no_smoke_and_the_ban_is_told_also_of_who_has_no_gun() -> None:
    judged(
        "wh40k",
        """
position:
  phase: shooting
  units:
    - {id: a1, side: 0, models: [[9, 9]], marks: [broke-out], gifts: [{id: s, does: [{name: instead}]}]}
    - {id: a2, side: 0, models: [[15, 10]], move: fall-back, gifts: [{id: s, does: [{name: instead}]}]}
    - {id: b1, side: 1, models: [[40, 28]]}
answers:
  - {ask: {deed: instead, who: a1}, expect: refused by wh40k.stratagem.desperate-breakout.no-action}
  - {ask: {deed: instead, who: a2}, expect: legal}
  - ask: {deed: shoot, who: a1}
    expect: refused by wh40k.stratagem.desperate-breakout.no-action and wh40k.shoot.eligible-weapon
""",
    )


@pytest.mark.rule("wh40k.stratagem.desperate-breakout.no-action", "wh40k.fight.again.as-if-phase")
def test_who_has_broken_out_does_not_fight_outside_the_fight_phase_either() -> None:
    judged(
        "wh40k",
        """
position:
  phase: shooting
  units:
    - id: a1
      side: 0
      models: [[10, 10]]
      marks: [broke-out]
      profile: {base: 25.4, w: 9, abilities: [{id: rage, does: [{name: fight-now, when: end-shooting}]}]}
    - {id: b1, side: 1, models: [[10, 11.9]], profile: {base: 25.4, w: 9}}
answers: []
expect: [{event: not-again, unit: a1}, rule wh40k.stratagem.desperate-breakout.no-action, {not: event fights-now}]
""",
    )


@pytest.mark.rule("wh40k.stratagem.desperate-breakout", "wh40k.move.reinforcements-no-move")
def test_who_has_just_arrived_does_not_break_out() -> None:
    judged(
        "wh40k",
        """
position:
  phase: movement
  round: 2
  units:
    - {id: a1, side: 0, where: reserve, profile: {base: 25.4}}
    - {id: a2, side: 0, where: reserve, profile: {base: 25.4}}
    - {id: b1, side: 1, models: [[12.5, 2.5]], profile: {base: 25.4}}
  sides: [{cp: 2}, {cp: 0}]
answers:
  - a1
  - {answer: {models: {a1.1: {x: 12.5, y: 0.6}}}, expect: [legal, event ambushed]}
  - {ask: {deed: break-out, who: a1}, expect: refused by wh40k.move.reinforcements-no-move and wh40k.move.phase-steps}
""",
    )


@pytest.mark.rule("wh40k.terrain.trait.dense-cover.own-obstacle", "wh40k.terrain.hill")
def test_a_hill_on_the_line_is_no_second_terrain_feature() -> None:
    judged(
        "wh40k",
        """
position:
  phase: shooting
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {base: 25.4, weapons: [{id: rifle, type: assault, range: 36}]}}
    - {id: b1, side: 1, models: [[10, 24]], profile: {base: 25.4, w: 9, height: 4}}
  terrain:
    - {x: 10, y: 12, type: ruined-walls, height: 3, points: [[-3, -0.2], [3, -0.2], [3, 0.2], [-3, 0.2]]}
    - {x: 10, y: 17, category: hill, height: 1, points: [[-3, -2], [3, -2], [3, 2], [-3, 2]]}
dice: [4, 1, seeded]
answers:
  - a1
  - {answer: [{row: a1.1/0, choose: {target: b1}}], expect: {event: hits, hits: 1}}
""",
    )


@pytest.mark.rule("wh40k.terrain.hill", "wh40k.terrain.cover.improved.other-traits")
def test_behind_a_hill_there_is_no_cover_to_be_bettered() -> None:
    judged(
        "wh40k",
        """
position:
  phase: shooting
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {base: 25.4, weapons: [{id: rifle, type: assault, range: 36}]}}
    - id: b1
      side: 1
      models: [[10, 20]]
      profile: {base: 25.4, w: 9, height: 4, abilities: [{id: deep, does: [{name: cover-more, value: 2}]}]}
  terrain: [{x: 10, y: 17, category: hill, height: 1, points: [[-3, -2], [3, -2], [3, 2], [-3, 2]]}]
dice: [6, 6, 3, seeded]
answers:
  - a1
  - {answer: [{row: a1.1/0, choose: {target: b1}}], expect: {event: roll, purpose: save, need: 4}}
""",
    )


@pytest.mark.rule("wh40k.terrain.hill", "wh40k.terrain.trait.exposed-position")
def test_a_hill_of_a_scene_has_no_traits_of_the_type_that_goes_without_saying() -> None:
    judged(
        "wh40k",
        """
position:
  phase: shooting
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {base: 25.4, weapons: [{id: rifle, type: assault, range: 36}]}}
    - {id: b1, side: 1, models: [[10, 20, 1]], profile: {base: 25.4, w: 9}}
  terrain:
    - {x: 10, y: 20, category: hill, height: 1, points: [[-3, -2], [3, -2], [3, 2], [-3, 2]]}
    - {x: 10, y: 20, type: craters, points: [[-2, -2], [2, -2], [2, 2], [-2, 2]]}
dice: [6, 6, 3, seeded]
answers:
  - a1
  - {answer: [{row: a1.1/0, choose: {target: b1}}], expect: {event: roll, purpose: save, need: 3}}
""",
    )


@pytest.mark.rule("wh40k.terrain.trait.exposed-position", "wh40k.terrain.cover.outside-terrain")
def test_on_an_exposed_top_no_ability_gives_cover_either() -> None:
    judged(
        "wh40k",
        """
position:
  phase: shooting
  units:
    - {id: a1, side: 0, models: [[10, 5]], profile: {base: 25.4, weapons: [{id: rifle, type: assault, range: 24}]}}
    - {id: b1, side: 1, models: [[10, 14, 2]], profile: {base: 25.4, w: 9}, gifts: [{id: veil, does: [{name: cover}]}]}
  terrain: [{x: 10, y: 14, type: armoured-containers, height: 2, points: [[-2, -1], [2, -1], [2, 1], [-2, 1]]}]
dice: [6, 6, 3, seeded]
answers:
  - a1
  - {answer: [{row: a1.1/0, choose: {target: b1}}], expect: {event: roll, purpose: save, need: 4}}
""",
    )


@pytest.mark.rule("wh40k.charge.success-test", "wh40k.charge.terrain.climb")
def test_a_charge_at_a_floor_above_is_proved_too_short_by_the_floors_that_there_are() -> None:
    """Six inches up and two and a half across: eight will not do, though an enemy five inches above could be struck."""
    judged(
        "wh40k",
        """
position:
  phase: charge
  units:
    - {id: a1, side: 0, models: [[10, 14]], profile: {base: 25.4}}
    - {id: b1, side: 1, models: [[10, 18.5, 6]], profile: {base: 25.4}}
  sides: [{cp: 0}, {cp: 0}]
  terrain:
    - x: 10
      y: 18
      type: ruins
      traits: [scaleable, breachable]
      height: 6
      points: [[-3, -2.5], [3, -2.5], [3, 2.5], [-3, 2.5]]
      parts: [{points: [[-3, -2.5], [3, -2.5], [3, 2.5], [-3, 2.5]], top: 6, floor: 5.9, kind: floor}]
dice: [4, 4, seeded]
answers:
  - a1
  - {answer: [b1], expect: event charge-failed}
""",
    )


@pytest.mark.rule("wh40k.psychic.perils-destroyed", "wh40k.turn.sequencing-active-player")
def test_whose_turn_it_is_orders_whom_a_dying_psyker_harms_first() -> None:
    judged(
        "wh40k",
        """
position:
  phase: psychic
  units:
    - {id: a2, side: 0, models: [[14, 10]], profile: {base: 25.4, w: 1, keywords: [infantry, psyker]}}
    - {id: a3, side: 0, models: [[17, 10]], profile: {base: 25.4, w: 9}}
    - {id: b2, side: 1, models: [[10, 10]], profile: {base: 25.4, w: 9}}
  sides: [{cp: 0}, {cp: 0}]
dice: [6, 6, 1, 1, 5, seeded]
answers:
  - a2
  - {answer: smite, expect: [{asked: ask.order-harmed, side: 0}]}
  - {answer: [b2, a3], expect: [legal, {event: mortal, unit: b2, count: 1}, {event: mortal, unit: a3, count: 3}]}
""",
    )


@pytest.mark.rule("wh40k.unit.unqualified-rules", "wh40k.turn.sequencing-active-player")
def test_whose_turn_it_is_orders_whom_an_explosion_harms_first() -> None:
    judged(
        "wh40k",
        """
position:
  phase: shooting
  active: 1
  units:
    - {id: a1, side: 0, models: [[10, 12]], profile: {base: 60, keywords: [vehicle], explodes: {roll: 2}}}
    - {id: a2, side: 0, models: [[14, 12]], profile: {base: 25.4, w: 9}}
    - id: b1
      side: 1
      models: [[10, 16]]
      profile: {base: 25.4, w: 9, weapons: [{id: r, type: assault, range: 24, s: "16", ap: -6}]}
  sides: [{cp: 0}, {cp: 0}]
dice: [6, 6, 6, 1, 5, seeded]
answers:
  - b1
  - {answer: [{row: b1.1/0, choose: {target: a1}}], expect: {asked: ask.order-harmed, side: 1}}
  - {answer: [a2, b1], expect: [legal, {event: mortal, unit: a2, count: 1}, {event: mortal, unit: b1, count: 3}]}
""",
    )


@pytest.mark.rule("wh40k.shoot.heavy")
def test_any_kind_of_move_makes_heavy_weapons_unsteady() -> None:
    """Piling in, charging and intervening are moves too; who shoots later in the same turn feels it."""
    judged(
        "wh40k",
        """
position:
  phase: fight
  active: 1
  units:
    - id: a1
      side: 0
      models: [[10, 10]]
      profile: {base: 25.4, w: 9, bs: 3, weapons: [{id: h, type: heavy, range: 24}]}
      gifts: [{id: x, does: [{name: shoot-now, when: any-end-fight}]}]
    - {id: b1, side: 1, models: [[10, 12]], wounds: [1], profile: {base: 25.4, w: 9, ws: 0, sv: 0}}
    - {id: b2, side: 1, models: [[20, 20]], profile: {base: 25.4, w: 9}}
dice: [6, 6, 6, seeded]
answers:
  - {answer: {models: {a1.1: {x: 10, y: 10.8}}}, expect: legal}
  - {answer: [{row: a1.1, choose: {target: b1}, count: 1}], expect: {event: slain, unit: b1}}
  - {stay: true}
  - answer: [{row: a1.1/0, choose: {target: b2}}]
    expect: [{event: roll, purpose: hit, modifier: -1}, rule wh40k.shoot.heavy]
""",
    )


@pytest.mark.rule("wh40k.warlord.inspiring-leader", "wh40k.core.within")
def test_the_warlord_inspires_and_not_who_stands_beside_him() -> None:
    """Six inches from the model that is the warlord, as long as it lives; its own unit is one of those within."""
    judged(
        "wh40k",
        """
position:
  phase: morale
  units:
    - id: w
      side: 0
      models: [[10, 10], [12, 10], [14, 10]]
      warlord: true
      gifts: [{id: inspiring-leader}]
      profile: {base: 25.4, keywords: [infantry, character], w: 4}
    - {id: a1, side: 0, models: [[20, 10]], dead: 4, died: 4, profile: {base: 25.4, ld: 7}}
    - {id: b1, side: 1, models: [[40, 28]]}
  sides: [{cp: 0}, {cp: 0}]
dice: [4, seeded]
until: event morale
expect: {event: morale, result: 8, leadership: 7}
""",
    )


@pytest.mark.rule("wh40k.move.transport-inherit-move", "wh40k.move.advance-no-shoot-charge")
def test_a_transport_that_stands_still_undoes_no_advance_of_who_has_boarded_it() -> None:
    judged(
        "wh40k",
        """
position:
  phase: movement
  units:
    - {id: a1, side: 0, models: [[10, 14]], profile: {base: 25.4}}
    - {id: a2, side: 0, models: [[30, 14]], profile: {base: 25.4}}
    - {id: t, side: 0, models: [[10, 10]], profile: {base: 60, keywords: [vehicle, transport], carries: {capacity: 6}}}
    - {id: u, side: 0, models: [[30, 10]], profile: {base: 60, keywords: [vehicle, transport], carries: {capacity: 6}}}
    - {id: a3, side: 0, models: [[38, 20]], profile: {weapons: [{id: rifle, type: rapid-fire, range: 24}]}}
    - {id: b1, side: 1, models: [[40, 28]]}
dice: [1, 1, seeded]
answers:
  - "advance:a1"
  - {stay: true}
  - {answer: t, expect: {event: embarked}}
  - "advance:a2"
  - {stay: true}
  - u
  - "normal:u"
  - {answer: {models: {u.1: {x: 30, y: 8}}}, expect: {state: {units.a2.move: advance}}}
  - {answer: done, expect: {state: {units.a1.move: advance}}}
""",
    )


@pytest.mark.rule("wh40k.move.transport-no-disembark-embark", "wh40k.move.transport-destroyed-order")
def test_who_has_left_a_wreck_boards_nothing_in_the_same_phase() -> None:
    judged(
        "wh40k",
        """
position:
  phase: movement
  units:
    - {id: t, side: 0, models: [[10, 10]], profile: {base: 60, keywords: [vehicle, transport], carries: {capacity: 6}}}
    - {id: p, side: 0, models: [[0, 0]], where: aboard, aboard: t, profile: {base: 25.4}}
    - {id: u, side: 0, models: [[10, 4]], profile: {base: 60, keywords: [vehicle, transport], carries: {capacity: 6}}}
    - {id: b1, side: 1, models: [[10, 12.5]], profile: {base: 25.4}}
  sides: [{cp: 0}, {cp: 1}]
dice: [6, 2, seeded]
answers:
  - "fall-back:t"
  - {answer: true, expect: event slain}
  - {answer: {models: {p.1: {x: 10, y: 7.5}}}, expect: legal}
  - "normal:p"
  - {answer: {models: {p.1: {x: 10, y: 7}}}, expect: legal}
  - {ask: {deed: embark, who: p, whom: [u]}, expect: refused by wh40k.move.transport-no-disembark-embark}
""",
    )


@pytest.mark.rule("wh40k.fight.target.charged", "wh40k.charge.successful-status")
def test_who_has_charged_in_a_scene_has_charged_whomever_it_faces() -> None:
    judged(
        "wh40k",
        """
position:
  phase: fight
  units:
    - {id: a1, side: 0, models: [[10, 10]], marks: [charged], profile: {base: 25.4, w: 9}}
    - {id: a2, side: 0, models: [[20, 10]], marks: [charged], targets: [b1], profile: {base: 25.4, w: 9}}
    - {id: b1, side: 1, models: [[10, 11.9]], profile: {base: 25.4, w: 9}}
    - {id: b2, side: 1, models: [[20, 11.9]], profile: {base: 25.4, w: 9}}
answers:
  - {ask: {deed: fight, who: a1, whom: [b1]}, expect: legal}
  - {ask: {deed: fight, who: a2, whom: [b2]}, expect: refused by wh40k.fight.target.charged}
""",
    )


@pytest.mark.parametrize(
    ("unit", "wish", "told"),
    [
        ("profile: {weapons: [{id: rifle, type: assault}]}", "", "rifle needs range"),
        ("profile: {weapons: [{id: rifle, range: 24}]}", "", "a melee weapon has no range"),
        ("gifts: [{id: inspiring-leader}]", "", "say warlord: true"),
        ("gifts: [{id: inspirng-leader}], warlord: true", "", "inspirng-leader does nothing"),
        ("profile: {abilities: [{id: fearless}]}", "", "fearless does nothing"),
        ("w: 3", "", "no field w"),
        ("profile: {keywords: [psyker]}", "{deed: cast, who: a1, using: smyte}", "no psychic power “smyte”"),
    ],
)
def test_what_would_be_taken_in_silence_is_told(unit: str, wish: str, told: str) -> None:
    asks = f"[{{ask: {wish}, expect: refused}}]" if wish else "[]"
    with pytest.raises(UmpireError, match=told):
        judged(
            "wh40k",
            f"""
position:
  phase: psychic
  units:
    - {{id: a1, side: 0, models: [[10, 10]], {unit}}}
    - {{id: b1, side: 1, models: [[40, 28]]}}
answers: {asks}
""",
        )


@pytest.mark.rule("wh40k.turn.out-of-phase", "wh40k.shoot.again-eligible")
def test_a_unit_may_shoot_in_another_phase_as_if_it_were_the_shooting_phase() -> None:
    """With everything it has, by all rules of that phase; who might not be selected there does not shoot here."""
    judged(
        "wh40k",
        """
position:
  phase: command
  units:
    - id: a1
      side: 0
      models: [[10, 10]]
      profile: {base: 25.4, weapons: [{id: r, type: rapid-fire, range: 24}]}
      gifts: [{id: volley, does: [{name: shoot-now, when: command}]}]
    - id: a2
      side: 0
      models: [[30, 10]]
      profile: {base: 25.4, weapons: [{id: r, type: rapid-fire, range: 24}]}
      gifts: [{id: volley, does: [{name: shoot-now, when: command}]}]
    - {id: b1, side: 1, models: [[10, 20]], profile: {w: 9}}
    - {id: b2, side: 1, models: [[30, 11.8]], profile: {base: 25.4, w: 9}}
dice: [1, 1, seeded]
answers:
  - {answer: [a1/volley/0, a2/volley/0, mission], expect: [{event: shoots-now, unit: a1}, {asked: ask.declare}]}
  - answer: [{row: a1.1/0, choose: {target: b1}}]
    expect: [{event: attacks, attacks: 2}, rule wh40k.shoot.again-eligible, {event: not-again, unit: a2}]
""",
    )


@pytest.mark.rule("wh40k.terrain.trait.defensible.obstacle", "wh40k.core.closest-tie-user")
def test_of_two_pairs_that_are_equally_close_the_defender_names_the_one_across_the_wall() -> None:
    judged(
        "wh40k",
        """
position:
  phase: charge
  units:
    - {id: a1, side: 0, models: [[10, 10], [11.5, 10]], profile: {base: 25.4}}
    - {id: b1, side: 1, models: [[10, 15], [11.5, 15]], profile: {base: 25.4}}
  sides: [{cp: 0}, {cp: 0}]
  terrain: [{x: 12.5, y: 13, type: barricades, height: 1, points: [[-1.4, -0.2], [1.4, -0.2], [1.4, 0.2], [-1.4, 0.2]]}]
answers:
  - a1
  - {answer: [b1], expect: {asked: ask.defensible, side: 1}}
""",
    )


@pytest.mark.rule("wh40k.terrain.trait.defensible.obstacle")
def test_which_models_are_closest_is_measured_in_space() -> None:
    """Nearer on the plan, but six inches above: the closest stands on the ground, and no wall is before it."""
    judged(
        "wh40k",
        """
position:
  phase: charge
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {base: 25.4}}
    - {id: b1, side: 1, models: [[10, 14, 6], [13, 14]], profile: {base: 25.4}}
  sides: [{cp: 0}, {cp: 0}]
  terrain:
    - {x: 9.5, y: 12, type: barricades, height: 1, points: [[-1, -0.2], [1.2, -0.2], [1.2, 0.2], [-1, 0.2]]}
    - x: 9.5
      y: 15
      type: ruins
      traits: [scaleable]
      points: [[-2, -2], [2, -2], [2, 2], [-2, 2]]
      parts: [{points: [[-2, -2], [2, -2], [2, 2], [-2, 2]], top: 6, floor: 5.9, kind: floor}]
answers:
  - a1
  - {answer: [b1], expect: {not: {asked: ask.defensible}}}
""",
    )


@pytest.mark.rule("wh40k.reserves.oversized", "wh40k.reserves.place.nine-inches")
def test_of_a_unit_each_model_that_is_too_large_touches_the_own_edge() -> None:
    judged(
        "wh40k",
        """
position:
  phase: movement
  round: 2
  units:
    - {id: a1, side: 0, where: reserve, models: [[0, 0], [0, 0]], profile: {base: 170, keywords: [vehicle], w: 9}}
    - {id: b1, side: 1, models: [[40, 28]], profile: {base: 25.4}}
answers:
  - a1
  - ask: {answer: {models: {a1.1: {x: 10, y: 3.347}, a1.2: {x: 18, y: 3.4}}}}
    expect: refused by wh40k.reserves.oversized
  - answer: {models: {a1.1: {x: 10, y: 3.347}, a1.2: {x: 18, y: 3.347}}}
    expect: [legal, {event: oversized, unit: a1}]
""",
    )


@pytest.mark.rule(
    "wh40k.stratagem.fire-overwatch", "wh40k.stratagem.cut-them-down", "wh40k.stratagem.counter-offensive"
)
def test_at_its_moment_a_core_stratagem_is_for_some_and_of_the_others_every_rule_is_told() -> None:
    judged(
        "wh40k",
        """
position:
  phase: movement
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {base: 25.4, m: 6, w: 5}}
    - {id: b1, side: 1, models: [[10, 11.8]], profile: {base: 25.4}}
  sides: [{cp: 0}, {cp: 1}]
answers:
  - "fall-back:a1"
  - {ask: {deed: stratagem, using: cut-them-down, who: a1}, side: 1, expect: legal}
  - ask: {deed: stratagem, using: cut-them-down, who: b1}
    side: 1
    expect: refused by wh40k.unit.friend-enemy
""",
    )
    judged(
        "wh40k",
        """
position:
  phase: charge
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {base: 25.4}}
    - {id: a2, side: 0, models: [[14, 14.2]], profile: {base: 25.4}}
    - {id: b1, side: 1, models: [[10, 16]], profile: {base: 25.4, weapons: [{id: r, type: assault, range: 24}]}}
    - {id: b2, side: 1, models: [[14, 16]], profile: {base: 25.4, weapons: [{id: r, type: assault, range: 24}]}}
    - {id: b3, side: 1, models: [[12, 16]], profile: {base: 25.4, weapons: [{id: r, type: assault, range: 24}]}}
  sides: [{cp: 0}, {cp: 1}]
answers:
  - a1
  - [b1, b2]
  - {ask: {deed: stratagem, using: fire-overwatch, who: b1}, side: 1, expect: legal}
  - ask: {deed: stratagem, using: fire-overwatch, who: b2}
    side: 1
    expect: refused by wh40k.stratagem.fire-overwatch and wh40k.charge.overwatch.not-engaged
  - ask: {deed: stratagem, using: fire-overwatch, who: b3}
    side: 1
    expect: refused by wh40k.stratagem.fire-overwatch and wh40k.charge.overwatch.trigger
""",
    )
    judged(
        "wh40k",
        """
position:
  phase: fight
  units:
    - {id: a1, side: 0, models: [[10, 10]], marks: [charged], targets: [b1], profile: {base: 25.4, w: 9}}
    - {id: b1, side: 1, models: [[10, 11.8]], gifts: [{id: l, does: [{name: fights-last}]}], profile: {w: 9}}
    - {id: b2, side: 1, models: [[11.8, 10]], fights: 1, profile: {base: 25.4, w: 9}}
    - {id: b3, side: 1, models: [[8.2, 10]], profile: {base: 25.4, w: 9}}
  sides: [{cp: 0}, {cp: 2}]
dice: [1, seeded]
answers:
  - {stay: true}
  - [{row: a1.1, choose: {target: b1}, count: 1}]
  - {stay: true}
  - ask: {deed: stratagem, using: counter-offensive, who: b1}
    side: 1
    expect: refused by wh40k.stratagem.counter-offensive and wh40k.fight.fights-last
  - ask: {deed: stratagem, using: counter-offensive, who: b2}
    side: 1
    expect: refused by wh40k.stratagem.counter-offensive and wh40k.fight.once-per-phase
  - {ask: {deed: stratagem, using: counter-offensive, who: b3}, side: 1, expect: legal}
""",
    )
    judged(
        "wh40k",
        """
position:
  phase: shooting
  units:
    - {id: a1, side: 0, models: [[10, 25]], profile: {weapons: [{id: r, type: assault, range: 30, s: "16", ap: -9}]}}
    - {id: t, side: 1, models: [[10, 10]], profile: {base: 60, keywords: [vehicle, transport], carries: {capacity: 6}}}
    - {id: p, side: 1, where: aboard, aboard: t}
    - {id: u, side: 1, models: [[30, 10]]}
  sides: [{cp: 0}, {cp: 1}]
dice: [6, 6, seeded]
answers:
  - a1
  - [{row: a1.1/0, choose: {target: t}}]
  - {ask: {deed: stratagem, using: emergency-disembarkation, who: t}, side: 1, expect: legal}
  - {ask: {deed: stratagem, using: emergency-disembarkation, who: p}, side: 1, expect: legal}
  - ask: {deed: stratagem, using: emergency-disembarkation, who: u}
    side: 1
    expect: refused by wh40k.stratagem.emergency-disembarkation
""",
    )


@pytest.mark.rule("wh40k.unit.unqualified-rules", "wh40k.attack.model-destroyed")
def test_a_wreck_that_explodes_is_not_harmed_by_what_it_sets_off() -> None:
    """It is destroyed already, and only waits to be removed: it does not explode once more."""
    judged(
        "wh40k",
        """
position:
  phase: shooting
  active: 1
  units:
    - {id: a1, side: 0, models: [[10, 12]], profile: {base: 60, keywords: [vehicle], explodes: {roll: 2}}}
    - {id: a2, side: 0, models: [[14, 12]], profile: {base: 60, keywords: [vehicle], explodes: {roll: 2}}}
    - {id: a3, side: 0, models: [[18.5, 12]], profile: {base: 25.4, w: 9}}
    - {id: b1, side: 1, models: [[10, 25]], profile: {weapons: [{id: r, type: assault, range: 24, s: "16", ap: -6}]}}
  sides: [{cp: 0}, {cp: 0}]
dice: [6, 6, 6, 1, 6, 1, seeded]
answers:
  - b1
  - answer: [{row: b1.1/0, choose: {target: a1}}]
    expect:
      - {event: explosion, unit: a2, units: [a3]}
      - {event: mortal, unit: a3, count: 1}
      - {event: destroyed, unit: a2}
expect: {state: {units.a1.where: gone}}
""",
    )
