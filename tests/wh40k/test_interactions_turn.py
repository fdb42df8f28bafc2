"""Interactions that break naive code, second half: moving, charging, fighting, morale, actions, powers; and the core
stratagems of those who are hard pressed."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
import pytest

from asking import as_usual
from umpire.engine.rulings import standing
from umpire.games.wh40k import charging as charging_
from umpire.games.wh40k import fighting, psychic, shooting
from umpire.games.wh40k.fighting import FIRST, NORMAL, group_of
from umpire.games.wh40k.melee import faced, may_target
from umpire.games.wh40k.morale import losses, must_test
from wh40k.builder import (
    STAY,
    ability,
    alive,
    area,
    at,
    cites,
    do,
    fire,
    gun,
    options,
    prompt,
    refused,
    rolls,
    row,
    scene,
    skip_to,
    solid,
    strike,
    sword,
    to,
    told,
    unit,
)
from wh40k.test_charging import charging
from wh40k.test_fighting import TOUGH, fight, order, pairs
from wh40k.test_transports import aboard, truck, wrecked

FAR = unit("b9", (40, 28))
CP: Any = [{"cp": 5}, {"cp": 5}]


@pytest.mark.rule("wh40k.charge.targets.visibility", "wh40k.terrain.trait.obscuring")
def test_who_cannot_be_seen_can_be_charged() -> None:
    """Interaction 27."""
    ruin = area("ruins", 10, 14, 12, 1, height=6)
    battle = charging(unit("a1", (10, 10)), unit("b1", (10, 18)), dice=[6, 6], terrain=[ruin])
    assert "wh40k.charge.targets.visibility" in told(battle, "declares-charge")[0].rules
    assert prompt(battle) == "ask.charge-move"


@pytest.mark.rule("wh40k.terrain.trait.difficult-ground", "wh40k.charge.success-test")
def test_difficult_ground_shortens_a_charge_for_all_or_is_gone_round() -> None:
    """Interaction 28: one model's crossing costs the whole unit 2 inches, once; the test tries both ways."""
    wood = area("craters", 10, 14, 3, 2, height=0.5)
    for dice, made in (([2, 4], False), ([3, 4], True)):  # across it takes 5.5 + 2 inches, round it 6.86
        near = charging(unit("a1", (10, 10)), unit("b1", (10, 17.5)), dice=dice, terrain=[wood])
        assert (prompt(near) == "ask.charge-move") is made
    two = scene(unit("a1", (10, 10), (11.5, 10), m=6), FAR, terrain=[area("craters", 10, 13, 2.4, 2)])
    do(two, "normal:a1")
    assert refused(two, at(a1_1=(10, 14), a1_2=(11.8, 14.5))) == ["wh40k.terrain.trait.difficult-ground"]
    assert refused(two, at(a1_1=(10, 13.9), a1_2=(11.7, 13.9))) == []


@pytest.mark.rule("wh40k.move.fly-vertical", "wh40k.charge.fly.vertical", "wh40k.fight.pile-in.distance")
def test_fly_pays_for_height_in_charges_and_is_nothing_when_piling_in() -> None:
    """Interaction 29."""
    from umpire.games.wh40k.moving import flying

    box = solid("armoured-containers", 10, 14, 6, 2, 3.0)
    wings = {"keywords": ["infantry", "fly"]}
    battle = scene(unit("a1", (10, 10), m=8, **wings), FAR, terrain=[box])
    assert refused(do(battle, "normal:a1"), at(a1_1=(10, 18))) == []  # 8 inches, whatever is below
    wing = battle.state.unit("a1")
    kinds = ("normal", "charge", "pile-in", "consolidate", "heroic")
    assert [flying(battle.state, wing, kind) for kind in kinds] == [True, True, False, False, False]
    short = charging(
        unit("a1", (10, 10), keywords=["infantry", "fly"]), unit("b1", (10, 18.5)), dice=[4, 3], terrain=[box]
    )
    assert told(short, "charge-failed")  # 7 inches along are 6 up and down too many


@pytest.mark.rule("wh40k.core.engagement-range", "wh40k.core.within")
def test_engagement_range_is_a_cylinder_and_within_includes_the_number() -> None:
    """Interaction 30."""
    from umpire.games.wh40k.measuring import engages, within

    a = scene(unit("a1", (10, 10)), FAR).state.unit("a1").models[0]
    for x, z, near in ((12.0, 5.0, True), (12.0, 5.01, False), (12.01, 0.0, False)):
        assert engages(a, msgspec.structs.replace(a, x=x, z=z)) is near
    assert within(a, msgspec.structs.replace(a, x=20.0), 9.0)  # so that 9.0 is too near for reserves


@pytest.mark.rule("wh40k.terrain.trait.defence-line.fight", "wh40k.terrain.trait.defence-line.charge")
def test_across_a_defence_line_units_fight_and_are_not_engaged() -> None:
    """Interaction 31."""
    line = solid("barricades", 10, 11.6, 6, 0.4, 1.0)
    battle = scene(
        unit("a1", (10, 10.3), (8.8, 10.3), weapons=[gun()]), unit("b1", (10, 12.9)), unit("b2", (30, 20)),
        terrain=[line], phase="shooting",
    )  # fmt: skip
    state = battle.state
    one = state.unit("a1")
    assert one.engaged == ()
    assert [foe.id for foe in faced(state, one)] == ["b1"]
    assert "a1" in options(battle)  # it may shoot, and be shot at
    fire(do(battle, "a1"))


@pytest.mark.rule("wh40k.fight.target.charged", "wh40k.fight.target.heroic-intervention")
def test_a_charger_strikes_its_targets_and_whoever_intervened() -> None:
    """Interaction 32."""
    battle = fight(
        unit("a1", (10, 10), marks=["charged"], targets=["b1"], **TOUGH), unit("b1", (10, 11.2)),
        unit("b2", (11.4, 10.5)), unit("b3", (8.6, 10.5), marks=["intervened"]),
    )  # fmt: skip
    state = battle.state
    one = state.unit("a1")
    assert [key for key in ("b1", "b2", "b3") if may_target(state, one, state.unit(key))] == ["b1", "b3"]
    one.mark("free-targets")  # set up in Engagement Range
    assert may_target(state, one, state.unit("b2"))


@pytest.mark.rule("wh40k.fight.first-and-last-cancel", "wh40k.fight.again.interrupt-between")
def test_first_and_last_cancel_between_two_fights_too() -> None:
    """Interaction 33."""
    twice = {"marks": ["charged"], "targets": ["b1"], "abilities": [ability("fight-again")]}
    battle = fight(*pairs(1, a1=twice))
    state = battle.state
    one = state.unit("a1")
    assert group_of(state, one) == FIRST
    from umpire.games.wh40k.abilities import give
    from umpire.games.wh40k.profiles import Does

    one.fights = 1
    give(state, one, [Does("fights-last")], "spell", "phase", 1)
    assert group_of(state, one) == NORMAL


@pytest.mark.rule("wh40k.fight.again.counts-as-two-units", "wh40k.fight.again.both-first")
def test_a_second_fight_is_one_more_unit_to_select() -> None:
    """Interaction 34."""
    twice = {"marks": ["charged"], "targets": ["b1"], "abilities": [ability("fight-again")]}
    other = {"marks": ["charged"], "targets": ["b2"]}
    assert order(fight(*pairs(2, a1=twice, a2=other), seed=1))[:3].count("a1") == 2  # both before the normal group


@pytest.mark.rule("wh40k.move.fall-back-all-or-none", "wh40k.stratagem.cut-them-down")
def test_cut_them_down_comes_before_the_first_step() -> None:
    """Interaction 35: seven models from all units in Engagement Range, a die each; what is left falls back or stays."""
    foes = [unit("b1", (10, 11.4), (8.6, 10.2), (11.4, 10.2)), unit("b2", (10, 8.5), (10, 2.5), weapons=[])]
    battle = scene(unit("a1", (10, 10), w=5), *foes, dice=[6, 6, 1, 2], sides=CP)
    do(battle, "fall-back:a1")
    assert prompt(battle) == "ask.cut-them-down"
    assert battle.decision.prompt.args["dice"] == 4  # the one far away rolls nothing
    do(battle, True)
    assert (battle.state.unit("a1").models[0].wounds, battle.state.sides[1].cp) == (3, 4)
    assert prompt(battle) == "ask.move"  # only now the models move, and nobody is asked again
    no = scene(unit("a1", (10, 10), w=5), *foes, sides=[{"cp": 5}, {"cp": 0}])
    assert prompt(do(no, "fall-back:a1")) == "ask.move"


@pytest.mark.rule("wh40k.stratagem.desperate-breakout", "wh40k.stratagem.desperate-breakout.losses")
def test_a_breakout_is_for_the_engaged_who_have_not_been_selected() -> None:
    battle = scene(
        unit("a1", *row(10, 10, 3)), unit("a2", (30, 10)), unit("b1", (11.5, 11.4)), dice=[1, 4, 1, 1], sides=CP
    )
    assert "breakout:a1" in options(battle)
    assert refused(battle, "breakout:a2") == ["wh40k.stratagem.desperate-breakout"]  # not engaged
    do(battle, "breakout:a1")
    assert (prompt(battle), battle.state.sides[0].cp) == ("ask.lost", 3)
    do(battle, ["a1.3"], ["a1.1"])  # two 1s: the owner says who
    assert alive(battle, "a1") == 1
    assert losses(battle.state.unit("a1")) == 2
    moved = scene(unit("a1", (10, 10), acts=["moved"]), unit("a2", (30, 10)), unit("b1", (10, 11.4)), sides=CP)
    assert refused(moved, "breakout:a1") == ["wh40k.stratagem.desperate-breakout"]
    poor = scene(unit("a1", (10, 10)), unit("b1", (10, 11.4)), sides=[{"cp": 1}, {"cp": 0}])
    assert "breakout:a1" not in options(poor)


RING = [(10 + x, 10 + y) for x, y in ((1.3, 0), (-1.3, 0), (0, 1.3), (0, -1.3), (0.95, 0.95), (-0.95, 0.95),
                                      (0.95, -0.95), (-0.95, -0.95))]  # fmt: skip


@pytest.mark.rule("wh40k.stratagem.desperate-breakout.fall-back", "wh40k.stratagem.desperate-breakout.no-action")
def test_through_enemy_models_and_who_ends_beside_them_is_lost() -> None:
    ringed = [unit("a1", (10, 10), m=6, weapons=[gun()], keywords=["titanic"]), unit("b1", *RING, base=[19.0]),
              unit("a2", (30, 10), m=0, weapons=[gun()]), unit("b2", (30, 20))]  # fmt: skip
    battle = scene(*ringed, dice=[4], sides=CP)
    assert "fall-back:a1" not in options(battle)  # surrounded
    do(battle, "breakout:a1", False)
    assert refused(battle, at(a1_1=(10, 16.1))) != []  # M and not more
    assert refused(battle, at(a1_1=(10, 11.3))) != []  # not on top of anybody
    do(battle, at(a1_1=(10, 16)))
    assert alive(battle, "a1") == 1
    assert prompt(battle) == "ask.shoot"
    one, rule = battle.state.unit("a1"), "wh40k.stratagem.desperate-breakout.no-action"
    assert options(battle) == ["a2", "done"]
    for chapter in (shooting, charging_, fighting, psychic):
        assert rule in [why.rule for why in chapter.objections(battle.state, one)]
    caught = scene(*ringed, dice=[4], sides=CP)
    do(caught, "breakout:a1", False, STAY)
    assert told(caught, "caught")[0].facts["models"] == ["a1.1"]
    assert caught.state.unit("a1").where == "gone"


@pytest.mark.rule("wh40k.move.normal", "wh40k.move.transport-embark-needs-move", "wh40k.move.remain-stationary-default")
def test_a_move_of_no_inches_is_a_move() -> None:
    """Interaction 36: it boards, and Heavy weapons suffer; who stands still does neither."""
    battle = scene(truck("a1", 10, 10), unit("a2", (13, 10)), FAR)
    why = battle.why_not(0, {"deed": "embark", "who": "a2", "whom": ["a1"]}).rules
    assert "wh40k.move.transport-embark-needs-move" in why
    do(battle, "normal:a2", at(a2_1=(13, 10)))
    assert prompt(battle) == "ask.embark"
    assert battle.state.unit("a2").move == "normal"


@pytest.mark.rule(
    "wh40k.move.redeploy-not-fell-back", "wh40k.move.redeploy-advanced", "wh40k.move.redeploy-model-losses"
)
def test_what_a_unit_set_up_again_remembers() -> None:
    """Interaction 37."""
    from umpire.games.wh40k.reinforcements import set_up_again

    def again(**state: Any) -> Any:
        battle = scene(unit("a1", (10, 10), (11.5, 10), **state), unit("a2", (20, 2)), unit("b1", (30, 28)))
        one = battle.state.unit("a1")
        steps = set_up_again(battle, one, False, "wh40k.move.redeploy-triggers")
        ask = next(steps)
        with contextlib.suppress(StopIteration):
            steps.send(ask.suggest())
        return battle, one

    battle, one = again(_move="advance")
    assert one.move == "advance"
    assert cites(battle, "wh40k.move.redeploy-advanced")
    battle, one = again(dead=1, died=1)
    assert losses(one) == 1
    assert "redeployed" in one.marks


@pytest.mark.rule("wh40k.morale.test.trigger", "wh40k.morale.revived.some", "wh40k.morale.coherency.no-morale")
def test_which_losses_count() -> None:
    """Interaction 38."""
    from umpire.games.wh40k.returning import return_models
    from umpire.games.wh40k.units import take_away

    battle = scene(unit("a1", *row(5, 10, 4), dead=2, died=2), unit("b1", (30, 28)), phase="command")
    one = battle.state.unit("a1")
    assert losses(one) == 2
    as_usual(return_models(battle, one, 1, "wh40k.command.resolve-all"))
    assert (losses(one), must_test(battle.state, one)) == (1, True)
    take_away(one, [one.models[0].id], counted=False)
    assert losses(one) == 1


@pytest.mark.rule("wh40k.action.fail", "wh40k.action.aura-off", "wh40k.action.aura-back")
def test_an_action_fails_by_a_declared_charge_and_not_by_fighting() -> None:
    """Interaction 39."""
    task = {"id": "dig", "name": {"zh": "掘", "en": "dig"}, "text": {"zh": "", "en": ""}, "where": "anywhere",
            "completes": "turn", "points": 1}  # fmt: skip
    busy = {"action": "dig", "until": "turn", "keywords": ["infantry", "character"]}
    battle = scene(unit("a1", (10, 10), **busy), unit("b1", (10, 20)), phase="charge", tasks=[task], dice=[1, 1],
                   sides=[{}, {}])  # fmt: skip
    do(battle, "a1", ["b1"])
    assert told(battle, "action-fails")[0].rules == ("wh40k.action.fail", "wh40k.action.aura-back")
    brawl = fight(unit("a1", (10, 10), **busy, **TOUGH), unit("b1", (10, 11.2), **TOUGH), tasks=[task], seed=1)
    order(brawl)
    assert not told(brawl, "action-fails")


@pytest.mark.rule("wh40k.psychic.perils", "wh40k.psychic.smite-escalation", "wh40k.psychic.smite-once-per-psyker")
def test_perils_before_denial_and_smite_harder_after_every_attempt() -> None:
    """Interaction 40."""
    mage = {"keywords": ["infantry", "psyker"], "psychic": {"casts": 2, "denies": 1}, "w": 6}
    battle = scene(
        unit("a1", (10, 10), **mage), unit("a2", (14, 10), **mage), unit("b1", (10, 20), w=30, **{
            key: value for key, value in mage.items() if key != "w"}),
        phase="psychic", dice=[6, 6, 1, 1, 3, 3],
    )  # fmt: skip
    do(battle, "a1", "smite")
    assert cites(battle, "wh40k.psychic.perils")
    assert prompt(battle) == "ask.deny"  # after the Perils
    do(battle, "pass")
    state = battle.state
    why = [r.rule for r in psychic.power_objections(state, state.unit("a1"), "smite")]
    assert why == ["wh40k.psychic.smite-once-per-psyker"]
    assert psychic.warp_charge(state, state.unit("a2"), "smite") == 6


# -- proofs that were missing ----------------------------------------------------------------------------------------


@pytest.mark.rule("wh40k.charge.fail")
def test_after_a_failed_charge_nobody_has_moved_or_charged() -> None:
    pairs_ = (unit("a2", (30, 10)), unit("b1", (10, 19)), unit("b2", (30, 19)))
    battle = charging(unit("a1", (10, 10), (11.5, 10)), *pairs_, dice=[2, 2])
    one = battle.state.unit("a1")
    assert [(m.x, m.y) for m in one.models] == [(10, 10), (11.5, 10)]
    assert ("charged" in one.marks, one.targets) == (False, ())
    assert [r.rule for r in standing(battle.state, fighting.objections(battle.state, one))] == [
        "wh40k.fight.eligible.engaged"
    ]


@pytest.mark.rule("wh40k.move.transport-destroyed-unplaceable", "wh40k.move.transport-destroyed-rolls")
def test_as_many_get_out_as_there_is_room_for_and_the_owner_says_who() -> None:
    """Room for some of them: the owner picks who is set up, dice are rolled for these alone."""
    ring = [(12.6, 20), (7.4, 20), (10, 17.4), (11.9, 18.1), (8.1, 18.1)]
    battle = wrecked(aboard("b2", 16, "b1"), unit("a2", *ring), dice=[6] + [3] * 20, capacity=16)
    assert prompt(battle) == "ask.disembark"
    default = battle.decision.default["models"]
    assert 8 < len(default) < 16
    fewer = dict(list(default.items())[:-1])
    assert refused(battle, {"models": fewer}) == ["wh40k.move.transport-destroyed-unplaceable"]
    assert refused(battle, STAY) == ["wh40k.move.transport-destroyed-unplaceable"]
    spots = list(default.values())
    last = [f"b2.{n}" for n in range(17 - len(spots), 17)]
    do(battle, {"models": dict(zip(last, spots, strict=True))})  # others than those proposed
    assert [m.id for m in battle.state.unit("b2").models] == last
    assert [len(faces) for faces in rolls(battle, "wreck")] == [len(spots)]
    assert len(told(battle, "no-room")[0].facts["models"]) == 16 - len(spots)


@pytest.mark.rule("wh40k.fight.again.end-of-phase")
def test_who_is_drawn_in_at_the_end_of_the_phase_fights_too() -> None:
    encore = {"id": "encore", "name": {"zh": "再", "en": "encore"}, "cost": 1, "phase": "end-fight",
              "does": [{"name": "fight-now"}]}  # fmt: skip
    battle = fight(
        unit("a1", (10, 10), fights=1, **TOUGH), unit("b1", (10, 11.2), fights=1, w=1, t=1, sv=6),
        unit("b2", (13.5, 10), **TOUGH), stratagems=[encore], sides=[{"cp": 2}, {}], seed=3,
    )  # fmt: skip
    skip_to(battle, "ask.stratagem")
    do(battle, "encore:a1")
    for _ in range(12):
        if battle.decision is None or battle.state.phase != "fight":
            break
        key = prompt(battle)
        close = at(a1_1=(11.8, 10)) if key == "ask.consolidate" and battle.decision.about == "a1" else None
        do(battle, close if close and not refused(battle, close) else battle.decision.suggest())
    assert cites(battle, "wh40k.fight.again.end-of-phase")


@pytest.mark.rule("wh40k.fight.single-model")
def test_only_one_model_of_the_unit_fights() -> None:
    alone = {"id": "alone", "name": {"zh": "独", "en": "alone"}, "cost": 1, "phase": "end-fight",
             "does": [{"name": "fight-now", "what": "model"}]}  # fmt: skip
    battle = fight(
        unit("a1", (10, 10), (11.2, 10), fights=1, weapons=[sword()], **TOUGH),
        unit("b1", (10.6, 11.4), fights=1, **TOUGH),
        stratagems=[alone], sides=[{"cp": 2}, {}], seed=3,
    )  # fmt: skip
    skip_to(battle, "ask.stratagem")
    do(battle, "alone:a1", "a1.2")
    for _ in range(9):
        if battle.decision is None or prompt(battle) == "ask.strike":
            break
        do(battle, STAY if prompt(battle) in ("ask.pile-in", "ask.consolidate") else battle.decision.suggest())
    assert list(battle.decision.rows) == ["a1.2"]
    do(battle, strike("a1.2:1 sword/shot>b1"))
    assert to(1, 1) == {"to": {"x": 1, "y": 1}}
