"""Scenes as a judge from outside writes them, from the docs and the schema alone: nothing natural is refused or passed
over, and every ruling names the rule of that edge."""

from __future__ import annotations

import pytest

from asking import judged
from umpire.errors import UmpireError


@pytest.mark.rule("wh40k.fight.attacks.split-weapons", "wh40k.fight.attacks.must-use-all", "wh40k.fight.attacks.number")
def test_attacks_are_divided_and_neither_more_nor_less_than_there_are() -> None:
    """A weapon of one profile is named by its own name."""
    judged(
        "wh40k",
        """
position:
  phase: fight
  units:
    - {id: a1, side: 0, models: [[10, 5]], marks: [charged], targets: [b1],
       profile: {a: 3, weapons: [{id: fist, type: melee, s: x2}, {id: saw, type: melee, s: user}]}}
    - {id: a2, side: 0, models: [[20, 5]], profile: {a: 2}}
    - {id: b1, side: 1, models: [[10, 6.2]], fights: 1, profile: {w: 20}}
    - {id: b2, side: 1, models: [[20, 6.2]], fights: 1, profile: {w: 20}}
dice: [seeded]
answers:
  - {stay: true}
  - ask: {answer: [{row: a1.1, choose: {weapon: fist, target: b1}, count: 2}, {row: a1.1, choose: {weapon: saw}}]}
    expect: legal
  - {ask: {answer: [{row: a1.1, choose: {weapon: saw}, count: 3}]}, expect: legal}
  - {ask: {answer: [{row: a1.1, choose: {weapon: axe}, count: 3}]}, expect: refused}
  - ask: {answer: [{row: a1.1, choose: {weapon: fist}, count: 3}, {row: a1.1, choose: {weapon: saw}, count: 3}]}
    expect: refused by wh40k.fight.attacks.split-weapons
  - ask: {answer: [{row: a1.1, choose: {weapon: fist}, count: 2}]}
    expect: refused by wh40k.fight.attacks.must-use-all
  - {answer: [{row: a1.1, choose: {weapon: saw}, count: 3}], expect: {event: attacks, attacks: 3}}
  - {stay: true}
  - {stay: true}
  - {ask: {answer: [{row: a2.1, choose: {}, count: 3}]}, expect: refused by wh40k.fight.attacks.number}
  - {answer: [{row: a2.1, choose: {}, count: 2}], expect: {event: unarmed}}
""",
    )


@pytest.mark.rule("wh40k.move.phase-steps", "wh40k.reserves.place.nine-inches")
def test_nobody_moves_in_the_reinforcements_step() -> None:
    judged(
        "wh40k",
        """
position:
  round: 2
  units:
    - {id: a1, side: 0, models: [[40, 3]]}
    - {id: a2, side: 0, where: reserve}
    - {id: b1, side: 1, models: [[2, 15]]}
answers:
  - {ask: {deed: arrive, who: a2}, expect: refused by wh40k.reserves.arrive.step}
  - done
  - {ask: {deed: normal, who: a1}, expect: refused by wh40k.move.phase-steps}
  - {ask: {deed: arrive, who: a2}, expect: legal}
  - a2
  - {ask: {answer: {models: {a2.1: {x: 2, y: 5}}}}, expect: refused by wh40k.reserves.place.nine-inches}
  - {ask: {answer: {models: {a2.1: {x: 2, y: 4.999}}}}, expect: legal}
""",
    )


@pytest.mark.rule("wh40k.move.select-unit", "wh40k.move.transport-embark")
def test_who_is_said_to_have_moved_is_not_selected_again() -> None:
    judged(
        "wh40k",
        """
position:
  phase: movement
  units:
    - {id: t, side: 0, models: [[10, 5]],
       profile: {base: 50.8, w: 10, keywords: [vehicle, transport], carries: {capacity: 10}}}
    - {id: a1, side: 0, models: [[14.5, 5]], move: normal}
    - {id: a2, side: 0, models: [[5.499, 5]], move: advance}
    - {id: b1, side: 1, models: [[40, 25]], move: normal}
answers:
  - {ask: {deed: normal, who: a1}, expect: refused by wh40k.move.select-unit}
  - {ask: {deed: embark, who: a1, whom: [t]}, expect: legal}
  - {ask: {deed: embark, who: a2, whom: [t]}, expect: refused by wh40k.move.transport-embark}
  - {ask: {deed: normal, who: t}, expect: legal}
""",
    )


@pytest.mark.rule("wh40k.psychic.deny-once", "wh40k.psychic.deny-limit")
def test_a_second_psyker_does_not_try_what_the_first_could_not_deny() -> None:
    judged(
        "wh40k",
        """
dice: [3, 3, 1, 1, any, 4, 4]
position:
  phase: psychic
  units:
    - {id: a1, side: 0, models: [[10, 5]], powers: [bolt],
       profile: {keywords: [infantry, psyker], psychic: {casts: 2}}}
    - {id: b1, side: 1, models: [[10, 16]], profile: {w: 5, keywords: [psyker]}}
    - {id: b2, side: 1, models: [[35, 5]], profile: {w: 5, keywords: [psyker]}}
    - {id: b3, side: 1, models: [[35.001, 7]], profile: {w: 5, keywords: [psyker]}}
  powers: [{id: bolt, charge: 5, target: enemy, range: 18, does: [{name: mortal, amount: 1}]}]
answers:
  - a1
  - smite
  - {ask: {deed: deny, who: b2, whom: [a1]}, expect: legal}
  - {ask: {deed: deny, who: b3, whom: [a1]}, expect: refused by wh40k.psychic.deny}
  - {answer: b1, expect: event not-denied}
  - {ask: {deed: deny, who: b2, whom: [a1]}, expect: refused by wh40k.psychic.deny-once}
  - bolt
  - {ask: {deed: deny, who: b1, whom: [a1]}, expect: refused by wh40k.psychic.deny-limit}
  - {ask: {deed: deny, who: b2, whom: [a1]}, expect: legal}
""",
    )


@pytest.mark.rule("wh40k.move.transport-no-interaction")
def test_who_is_aboard_does_nothing_and_nothing_is_done_to_it() -> None:
    judged(
        "wh40k",
        """
position:
  phase: psychic
  units:
    - {id: t, side: 0, models: [[10, 5]],
       profile: {base: 50.8, w: 10, keywords: [vehicle, transport], carries: {capacity: 10}}}
    - {id: a1, side: 0, where: aboard, aboard: t, profile: {keywords: [infantry, psyker]}}
    - {id: u, side: 1, models: [[20, 5]],
       profile: {base: 50.8, w: 10, keywords: [vehicle, transport], carries: {capacity: 10}}}
    - {id: b1, side: 1, where: aboard, aboard: u, profile: {keywords: [infantry, psyker]}}
  sides: [{cp: 3}, {cp: 3}]
  stratagems:
    - {id: surge, cost: 1, phase: psychic, whose: any, target: friendly, until: phase,
       does: [{name: modify, what: hit, value: 1}]}
answers:
  - {ask: {deed: cast, who: a1, using: smite}, expect: refused by wh40k.move.transport-no-interaction}
  - {ask: {deed: deny, who: b1, whom: [a1]}, expect: refused by wh40k.move.transport-no-interaction}
  - {ask: {deed: stratagem, who: a1, using: surge}, expect: refused by wh40k.move.transport-no-interaction}
  - {ask: {deed: stratagem, who: t, using: surge}, expect: legal}
  - {ask: {deed: stratagem, who: u, using: surge}, side: 0, expect: refused by wh40k.unit.friend-enemy}
""",
    )


@pytest.mark.rule("wh40k.turn.out-of-phase-stratagems", "wh40k.stratagem.use")
def test_a_stratagem_of_the_shooting_phase_is_not_for_overwatch() -> None:
    judged(
        "wh40k",
        """
dice: [seeded]
position:
  phase: charge
  units:
    - {id: a1, side: 0, models: [[10, 5]]}
    - {id: b1, side: 1, models: [[10, 10]],
       profile: {weapons: [{id: g, type: assault, range: 24, attacks: 1, s: 4}],
                 abilities: [{id: watch, does: [{name: overwatch}]}]}}
  sides: [{cp: 3}, {cp: 3}]
  stratagems:
    - {id: surge, cost: 1, phase: shooting, whose: own, target: friendly, until: phase,
       does: [{name: modify, what: hit, value: 1}]}
    - {id: rage, cost: 1, phase: charge, whose: own, target: friendly, until: phase,
       does: [{name: modify, what: hit, value: 1}]}
answers:
  - pass
  - {ask: {deed: stratagem, who: b1, using: surge}, expect: [refused by wh40k.stratagem.use]}
  - a1
  - [b1]
  - {ask: {deed: stratagem, who: b1, using: surge}, expect: refused by wh40k.turn.out-of-phase-stratagems}
  - own:b1
  - {ask: {deed: stratagem, who: b1, using: surge}, expect: refused by wh40k.turn.out-of-phase-stratagems}
  - {ask: {deed: stratagem, who: b1, using: rage}, expect: refused by wh40k.stratagem.use}
""",
    )


@pytest.mark.rule("wh40k.stratagem.insane-bravery")
def test_bravery_is_declared_before_the_die_for_a_unit_that_must_test() -> None:
    judged(
        "wh40k",
        """
dice: [6, seeded]
position:
  phase: morale
  units:
    - {id: a1, side: 0, models: [[13, 5], [14.2, 5]], dead: 5, died: 5}
    - {id: a2, side: 0, models: [[23, 5], [24.2, 5]], dead: 5, died: 5}
    - {id: a3, side: 0, models: [[33, 5], [34.2, 5]]}
    - {id: b1, side: 1, models: [[6, 15]]}
  sides: [{cp: 4}, {cp: 2}]
answers:
  - {ask: {deed: stratagem, using: insane-bravery, who: a1}, expect: legal}
  - {ask: {deed: stratagem, using: insane-bravery, who: a3}, expect: refused by wh40k.stratagem.insane-bravery}
  - a1
  - pass
  - {ask: {deed: stratagem, using: insane-bravery, who: a1}, expect: refused by wh40k.stratagem.insane-bravery}
""",
    )


@pytest.mark.rule("wh40k.terrain.obstacle.definition", "wh40k.terrain.trait.difficult-ground")
def test_an_obstacle_that_is_so_high_is_climbed() -> None:
    """Nothing but its footprint and its height is told."""
    judged(
        "wh40k",
        """
position:
  phase: movement
  units:
    - {id: a1, side: 0, models: [[10, 5]], profile: {m: 8}}
    - {id: a2, side: 0, models: [[30, 5]], profile: {m: 6}}
    - {id: b1, side: 1, models: [[40, 25]]}
  terrain:
    - {x: 10, y: 7, type: barricades, height: 1.5, points: [[-8, -0.25], [8, -0.25], [8, 0.25], [-8, 0.25]]}
    - {x: 30, y: 7, type: debris, height: 1.5, points: [[-8, -0.25], [8, -0.25], [8, 0.25], [-8, 0.25]]}
answers:
  - {ask: {deed: normal, who: a1, answer: {models: {a1.1: {x: 10, y: 8}}}}, expect: legal}
  - ask: {deed: normal, who: a1, answer: {models: {a1.1: {x: 10, y: 8.001}}}}
    expect: refused by wh40k.terrain.trait.difficult-ground
  - {ask: {deed: normal, who: a2, answer: {models: {a2.1: {x: 30, y: 8}}}}, expect: legal}
  - {ask: {deed: normal, who: a2, answer: {models: {a2.1: {x: 30, y: 8.001}}}}, expect: refused by wh40k.move.normal}
""",
    )


@pytest.mark.rule("wh40k.charge.success-test", "wh40k.charge.fail")
@pytest.mark.parametrize(("dice", "comes"), [("[3, 4]", "asked ask.charge-move"), ("[3, 3]", "event charge-failed")])
def test_a_charge_over_eight_inches_needs_seven(dice: str, comes: str) -> None:
    fact = "{event: charge-failed, inches: 6, target: b1, gap: 8.0}" if "failed" in comes else comes
    judged(
        "wh40k",
        f"""
dice: {dice}
position:
  phase: charge
  units: [{{id: a1, side: 0, models: [[10, 5]]}}, {{id: b1, side: 1, models: [[10, 14]]}}]
answers: [a1, {{answer: [b1], expect: [{comes}, {fact}]}}]
""",
    )


def test_a_misspelt_count_of_uses_is_told() -> None:
    with pytest.raises(UmpireError, match="smit"):
        judged("wh40k", "position: {units: [{id: a1, side: 0, models: [[10, 5]]}], used: {round/a1/smit: 1}}")


@pytest.mark.rule("wh40k.unit.coherency-illegal", "wh40k.terrain.trait.difficult-ground.low")
def test_what_the_book_forbids_in_two_places_is_refused_by_both() -> None:
    judged(
        "wh40k",
        """
position:
  phase: movement
  units:
    - {id: a1, side: 0, models: [[10, 5], [11.2, 5], [12.4, 5]]}
    - {id: a2, side: 0, models: [[30, 5]]}
    - {id: b1, side: 1, models: [[10, 25]]}
  terrain:
    - {x: 30, y: 7, type: barricades, height: 0.5, points: [[-8, -0.25], [8, -0.25], [8, 0.25], [-8, 0.25]]}
answers:
  - {ask: {deed: normal, who: a1, answer: {models: {a1.3: {x: 14.2, y: 5}}}}, expect: legal}
  - ask: {deed: normal, who: a1, answer: {models: {a1.3: {x: 14.201, y: 5}}}}
    expect: refused by wh40k.unit.coherency-illegal and wh40k.move.end-in-coherency
  - {ask: {deed: normal, who: a2, answer: {models: {a2.1: {x: 30, y: 9}}}}, expect: legal}
  - ask: {deed: normal, who: a2, answer: {models: {a2.1: {x: 30, y: 9.001}}}}
    expect: refused by wh40k.terrain.trait.difficult-ground and wh40k.terrain.trait.difficult-ground.low
""",
    )


@pytest.mark.rule("wh40k.shoot.locked-in-combat", "wh40k.shoot.eligible-not-engaged")
def test_who_is_locked_in_combat_neither_shoots_nor_is_shot_at() -> None:
    judged(
        "wh40k",
        """
position:
  phase: shooting
  units:
    - {id: a1, side: 0, models: [[10, 5], [11.2, 5]], profile: {weapons: [{id: g, type: assault, range: 24}]}}
    - {id: a2, side: 0, models: [[20, 5]], profile: {weapons: [{id: g, type: assault, range: 24}]}}
    - {id: b1, side: 1, models: [[10, 7], [11.2, 8.5]]}
answers:
  - {ask: {deed: shoot, who: a1, whom: [b1]}, expect: refused by wh40k.shoot.locked-in-combat}
  - {ask: {deed: shoot, who: a2, whom: [b1]}, expect: refused by wh40k.shoot.locked-in-combat}
""",
    )


@pytest.mark.rule("wh40k.detachment.fortification.no-reserves", "wh40k.reserves.limit.units")
def test_half_of_the_units_that_the_scene_has_may_wait() -> None:
    judged(
        "wh40k",
        """
position:
  phase: deployment
  mission: {reserves: true}
  units:
    - {id: a1, side: 0, where: muster, points: 100, profile: {role: fortification, keywords: [building], w: 10}}
    - {id: a2, side: 0, where: muster, points: 100}
    - {id: b1, side: 1, where: muster, points: 100}
  sides: [{cp: 6}, {cp: 6}]
answers:
  - {ask: {deed: reserve, who: a1}, expect: refused by wh40k.detachment.fortification.no-reserves}
  - {ask: {deed: reserve, who: a2}, expect: legal}
  - {ask: {deed: reserve, who: b1}, expect: refused by wh40k.reserves.limit.units}
""",
    )


@pytest.mark.rule("wh40k.warlord.inspiring-leader")
@pytest.mark.parametrize(("x", "leadership"), [(17, 8), (17.001, 7)])
@pytest.mark.parametrize("does", ["", ", range: 6, does: [{name: modify, what: ld, value: 1}]"])
def test_a_leader_inspires_within_six_inches_once(x: float, leadership: int, does: str) -> None:
    judged(
        "wh40k",
        f"""
dice: [4]
position:
  phase: morale
  units:
    - {{id: a1, side: 0, models: [[10, 5]], warlord: true, gifts: [{{id: inspiring-leader{does}}}],
        profile: {{keywords: [infantry, character], w: 5}}}}
    - {{id: a2, side: 0, models: [[{x}, 5], [18.2, 5]], dead: 3, died: 3}}
    - {{id: b1, side: 1, models: [[13, 25]]}}
expect: {{event: morale, unit: a2, leadership: {leadership}}}
""",
    )


@pytest.mark.rule("wh40k.stratagem.desperate-breakout.no-action")
def test_who_has_broken_out_does_not_embark() -> None:
    judged(
        "wh40k",
        """
position:
  units:
    - {id: a1, side: 0, models: [[10, 15.9]], move: fall-back, marks: [broke-out]}
    - {id: a2, side: 0, models: [[12, 15.9]], move: fall-back}
    - {id: t, side: 0, models: [[11, 18]],
       profile: {base: 50.8, w: 10, keywords: [vehicle, transport], carries: {capacity: 10}}}
    - {id: b1, side: 1, models: [[10, 8]]}
answers:
  - ask: {deed: embark, who: a1, whom: [t]}
    expect: refused by wh40k.stratagem.desperate-breakout.no-action
  - {ask: {deed: embark, who: a2, whom: [t]}, expect: legal}
""",
    )


@pytest.mark.rule("wh40k.action.psychic.who", "wh40k.action.psychic.own-limits", "wh40k.action.psychic.no-fall-back")
def test_a_psychic_action_is_wished_for_as_an_action_too() -> None:
    """It was judged by the limits of ordinary actions and by their phase."""
    judged(
        "wh40k",
        """
position:
  phase: psychic
  tasks: [{id: rite, psychic: true, charge: 4, where: anywhere, points: 4}]
  units:
    - {id: a1, side: 0, models: [[10, 10]], move: fall-back, profile: {keywords: [infantry, psyker, titanic]}}
    - {id: a2, side: 0, models: [[20, 10]], profile: {keywords: [infantry, psyker]}}
    - {id: a3, side: 0, models: [[30, 10]]}
    - {id: b1, side: 1, models: [[20, 11.5]]}
answers:
  - {ask: {deed: act, who: a1, using: rite}, expect: refused by wh40k.action.psychic.no-fall-back}
  - {ask: {deed: act, who: a2, using: rite}, expect: legal}
  - {ask: {deed: act, who: a3, using: rite}, expect: refused by wh40k.action.psychic.who}
""",
    )


@pytest.mark.rule("wh40k.action.psychic.own-limits")
def test_an_ordinary_action_is_no_power() -> None:
    judged(
        "wh40k",
        """
position:
  phase: psychic
  tasks: [{id: banner, where: anywhere, completes: turn, points: 3}]
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {keywords: [infantry, psyker]}}
    - {id: b1, side: 1, models: [[20, 20]]}
answers:
  - {ask: {deed: cast, who: a1, using: banner}, expect: refused by wh40k.action.psychic.own-limits}
""",
    )
