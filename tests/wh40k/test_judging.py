"""What a judge is told: wishes at the moment that a scene describes, every reason with what was measured."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.engine.rulings import Reason
from wh40k.builder import ability, aim, ask, do, gun, row, scene, solid, strike, sword, unit

HERO = {"keywords": ["infantry", "character"], "w": 5}
GUNNER = {"weapons": [gun()]}


def against(
    battle: Battle[Any], deed: str, who: str = "", whom: str = "", using: str = "", side: int = 0
) -> list[Reason]:
    wish: dict[str, Any] = {"deed": deed}
    for part, value in (("who", who), ("using", using)):
        if value:
            wish[part] = value
    if whom:
        wish["whom"] = [whom]
    return list(battle.why_not(side, wish).reasons)


@pytest.mark.rule("wh40k.unit.friend-enemy")
def test_what_is_not_offered_is_refused_as_the_wish_that_it_is() -> None:
    battle = scene(
        unit("a1", (10, 10), **GUNNER), unit("a2", (14, 10)), unit("b1", (12, 20), **GUNNER), phase="shooting"
    )
    assert ask(battle).prompt.key == "ask.shoot"
    assert "wh40k.unit.friend-enemy" in battle.check("b1").rules
    assert battle.check("a2").rules
    assert all(reason.key != "reason.form.not-offered" for reason in battle.check("a2").reasons)
    assert [reason.key for reason in battle.check("nobody").reasons] == ["reason.form.not-offered"]


def rules(reasons: list[Reason]) -> list[str]:
    return [reason.rule for reason in reasons]


@pytest.mark.rule("wh40k.shoot.true-line-of-sight")
def test_a_wish_is_judged_in_the_phase_that_the_scene_describes() -> None:
    """Nobody can shoot, so the battle has gone on to the Charge phase; the judge asked about the Shooting phase."""
    wall = solid("debris", 10, 12, 30, 0.5, 6)
    battle = scene(unit("a1", (10, 5), **GUNNER), unit("b1", (10, 18)), phase="shooting", terrain=[wall])
    assert battle.state.phase == "charge"
    (hidden,) = against(battle, "shoot", "a1", "b1")
    assert hidden.rule == "wh40k.shoot.true-line-of-sight"
    assert hidden.facts["gap"] == 12.0
    (phase,) = against(battle, "charge", "a1", "b1")
    assert phase.rule == "wh40k.turn.actions-in-phase"
    assert phase.facts["now"].key == "phase.shooting"
    do(battle, "done")  # from here on the battle is where it is
    assert rules(against(battle, "shoot", "a1", "b1"))[0] == "wh40k.turn.actions-in-phase"


@pytest.mark.rule("wh40k.turn.actions-in-phase")
def test_whose_turn_it_is_and_which_phase_are_told_apart() -> None:
    battle = scene(unit("a1", (10, 5), **GUNNER), unit("b1", (10, 18), **GUNNER), phase="shooting")
    (turn,) = against(battle, "shoot", "b1", "a1", side=1)
    assert turn.key == "reason.wh40k.other-turn"
    phase, turn = against(battle, "charge", "b1", "a1", side=1)
    assert (phase.key, turn.key) == ("reason.wh40k.other-phase", "reason.wh40k.other-turn")


@pytest.mark.rule("wh40k.shoot.target-range-visible", "wh40k.shoot.eligible-target")
def test_how_far_a_target_is_and_how_far_the_weapon_carries() -> None:
    battle = scene(
        unit("a1", (10, 5), **GUNNER),
        unit("b1", (10, 29)),
        unit("b2", (35.5, 5)),
        unit("b3", (40, 5)),
        phase="shooting",
    )
    assert against(battle, "shoot", "a1", "b1") == []
    (far,) = against(battle, "shoot", "a1", "b2")
    assert far.rule == "wh40k.shoot.target-range-visible"
    assert (far.facts["gap"], far.facts["range"]) == (24.5, 24.0)
    do(battle, "a1")
    (far,) = battle.check(aim("a1.1/0/shot>b3")).reasons
    assert far.facts["gap"] == 29.0


@pytest.mark.rule("wh40k.core.on-the-battlefield", "wh40k.unit.friend-enemy")
def test_what_is_not_on_the_table_and_what_is_not_ones_own() -> None:
    battle = scene(
        unit("a1", (10, 5), **GUNNER),
        unit("b1", (10, 12)),
        unit("b2", where="reserve", rows=["model"]),
        phase="shooting",
    )
    assert rules(against(battle, "shoot", "a1", "b2")) == ["wh40k.core.on-the-battlefield"]
    assert rules(against(battle, "shoot", "a1", "a1")) == ["wh40k.shoot.target-enemy"]
    assert rules(against(battle, "embark", "a1", "b1"))[0] == "wh40k.unit.friend-enemy"


@pytest.mark.rule("wh40k.terrain.trait.obscuring")
def test_what_obscures_is_named() -> None:
    from wh40k.builder import area

    battle = scene(
        unit("a1", (10, 5), **GUNNER),
        unit("b1", (10, 18)),
        phase="shooting",
        terrain=[area("ruins", 10, 12, 20, 3, height=6)],
    )
    (hidden,) = against(battle, "shoot", "a1", "b1")
    assert hidden.rule == "wh40k.terrain.trait.obscuring"
    assert hidden.facts["feature"] == "t1"


@pytest.mark.rule("wh40k.shoot.look-out-sir")
def test_who_screens_and_who_is_closer() -> None:
    battle = scene(
        unit("a1", (10, 5), **GUNNER), unit("b1", (10, 20), **HERO), unit("b2", *row(10, 16, 3)), phase="shooting"
    )
    (screened,) = against(battle, "shoot", "a1", "b1")
    assert (screened.facts["screen"], screened.facts["gap"], screened.facts["closer"]) == ("b2", 3.0, "b2")


@pytest.mark.rule("wh40k.shoot.eligible-not-engaged", "wh40k.shoot.types")
def test_a_weapon_that_has_nothing_to_fire_at_is_refused_with_the_rule() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(id="pistol", type="pistol", range=12), gun(), sword()]),
        unit("b1", (10, 11.5)),
        phase="shooting",
    )
    do(battle, "a1")
    assert rules(list(battle.check(aim("a1.1/1/shot>b1")).reasons)) == [
        "wh40k.shoot.types",
        "wh40k.shoot.eligible-not-engaged",
    ]
    assert rules(list(battle.check(aim("a1.1/2/shot>b1")).reasons)) == ["wh40k.shoot.eligible-weapon"]
    assert battle.check(aim("a1.1/9/shot>b1")).reasons[0].key == "reason.form.not-offered"


@pytest.mark.rule("wh40k.shoot.eligible-not-advanced")
def test_what_is_true_of_the_whole_unit_is_said_once() -> None:
    battle = scene(
        unit("a1", (10, 10), **GUNNER, _move="advance"),
        unit("b1", (10, 18)),
        unit("a2", (30, 10), **GUNNER),
        phase="shooting",
    )
    found = rules(against(battle, "shoot", "a1", "b1"))
    assert found == ["wh40k.shoot.eligible-not-advanced", "wh40k.move.advance-no-shoot-charge"]


@pytest.mark.rule("wh40k.fight.order.first-group", "wh40k.fight.order.first-group.alternate", "wh40k.fight.fights-last")
def test_who_fights_before_whom() -> None:
    battle = scene(
        unit("a1", (10, 10), marks=["charged"], targets=["b1"]),
        unit("b1", (10, 11.5)),
        unit("a2", (20, 10)),
        unit("b2", (20, 11.5), abilities=[ability("fights-first")]),
        unit("a3", (30, 10), abilities=[ability("fights-last")]),
        unit("b3", (30, 11.5)),
        unit("a4", (40, 10)),
        phase="fight",
    )
    assert against(battle, "fight", "a1") == []
    (later,) = against(battle, "fight", "b1", side=1)  # in the enemy's turn, but in either player's Fight phase
    assert later.rule == "wh40k.fight.order.first-group"
    assert later.facts["units"] == ["a1", "b2"]
    (turn,) = against(battle, "fight", "b2", side=1)
    assert turn.rule == "wh40k.fight.order.first-group.alternate"
    assert rules(against(battle, "fight", "a3")) == ["wh40k.fight.fights-last"]
    assert rules(against(battle, "fight", "a4")) == ["wh40k.fight.eligible.engaged"]


@pytest.mark.rule("wh40k.fight.order.normal-group")
def test_the_opponent_selects_first_among_the_others() -> None:
    units = [unit("a1", (10, 10)), unit("b1", (10, 11.5)), unit("a2", (20, 10)), unit("b2", (20, 11.5))]
    battle = scene(*units, phase="fight")
    assert against(battle, "fight", "b1", side=1) == []
    assert rules(against(battle, "fight", "a1")) == ["wh40k.fight.order.normal-group"]


@pytest.mark.rule("wh40k.fight.target.charged", "wh40k.fight.models.second-rank", "wh40k.fight.models.front")
def test_why_a_model_may_not_strike() -> None:
    battle = scene(
        unit("a1", (10, 10), (10, 8.4), (13, 10), weapons=[sword()], marks=["charged"], targets=["b1"]),
        unit("b1", (10, 11.5)),
        unit("b2", (11.4, 10.9)),
        phase="fight",
    )
    do(battle, {"stay": True})
    (target,) = battle.check(strike("a1.1 sword/shot>b2")).reasons
    assert target.rule == "wh40k.fight.target.charged"
    assert target.facts["targets"] == ["b1"]
    (behind,) = battle.check(strike("a1.2 sword/shot>b1")).reasons
    assert behind.rule == "wh40k.fight.models.second-rank"
    assert (behind.facts["gap"], behind.facts["mate"]) == (2.1, 0.6)


@pytest.mark.rule("wh40k.unit.coherency-large", "wh40k.unit.coherency-small", "wh40k.move.end-in-coherency")
def test_who_is_out_of_coherency_and_how_far() -> None:
    battle = scene(unit("a1", *row(10, 10, 7, 1.8)), unit("b1", (10, 28)))
    do(battle, "normal:a1")
    spots = {f"a1.{n + 1}": {"x": 10 + 2.9 * n, "y": 12} for n in range(7)}
    alone, _ = battle.check({"models": spots}).reasons
    assert alone.rule == "wh40k.move.end-in-coherency"
    assert (alone.facts["model"], alone.facts["count"], alone.facts["needed"], alone.facts["gap"]) == (
        "a1.1",
        1,
        2,
        4.8,
    )
    battle = scene(unit("a1", *row(10, 10, 4)), unit("b1", (10, 28)))
    do(battle, "normal:a1")
    pairs = {
        "a1.1": {"x": 9, "y": 10},
        "a1.2": {"x": 10.5, "y": 10},
        "a1.3": {"x": 15, "y": 10},
        "a1.4": {"x": 16.5, "y": 10},
    }
    apart, _ = battle.check({"models": pairs}).reasons
    assert apart.key == "reason.loose.two-groups"
    assert apart.facts["gap"] == 3.5


@pytest.mark.rule("wh40k.charge.eligible.range", "wh40k.charge.heroic.eligible.distance", "wh40k.charge.move.end")
def test_distances_of_charges_and_interventions() -> None:
    battle = scene(
        unit("a1", (10, 5)),
        unit("b1", (10, 18.1)),
        unit("a2", (30, 5)),
        unit("b2", (30, 13)),
        phase="charge",
        dice=[3, 3],
    )
    far = against(battle, "charge", "a1")[0]
    assert (far.facts["enemy"], far.facts["distance"], far.facts["allowed"]) == ("b1", 12.1, 12.0)
    do(battle, "a2", ["b2"])
    (short,) = battle.check({"to": {"x": 30, "y": 10.9}}).reasons
    assert short.rule == "wh40k.charge.move.end"
    assert short.facts["gap"] == 1.1
    battle = scene(unit("a1", (10, 5)), unit("b1", (10, 9.5), **HERO), phase="charge")
    near, later = against(battle, "intervene", "b1", side=1)
    assert near.rule == "wh40k.charge.heroic.eligible.distance"
    assert near.facts["distance"] == 3.5
    assert (later.rule, later.key) == ("wh40k.charge.phase.steps", "reason.wh40k.charges-first")


@pytest.mark.rule("wh40k.charge.phase.steps", "wh40k.psychic.deny")
def test_what_answers_the_enemy_waits_until_there_is_something_to_answer() -> None:
    battle = scene(unit("a1", (10, 5)), unit("a2", (10, 20)), unit("b1", (10, 9), **HERO), phase="charge")
    assert rules(against(battle, "intervene", "b1", side=1)) == ["wh40k.charge.phase.steps"]
    do(battle, "done")
    assert ask(battle).prompt.key == "ask.heroic"
    assert against(battle, "intervene", "b1", side=1) == []
    psyker = {"keywords": ["infantry", "psyker"], "psychic": {"casts": 2, "denies": 1}, "w": 4}
    battle = scene(
        unit("a1", (10, 3), (11.5, 3), **psyker),
        unit("b1", (11.5, 28), **psyker),
        phase="psychic",
        dice=[3, 2, 1, 1],
    )
    assert against(battle, "deny", "b1", "a1", side=1)[0].key == "reason.wh40k.when.deny"
    do(battle, "a1", "smite", "a1.2")  # 24 inches from the second model, further from the first
    assert ask(battle).prompt.key == "ask.deny"
    assert against(battle, "deny", "b1", "a1", side=1) == []


@pytest.mark.rule("wh40k.stratagem.command-reroll", "wh40k.stratagem.command-reroll.whole-roll")
def test_dice_that_a_command_reroll_does_not_roll_again_have_a_reason() -> None:
    shooter = unit("a1", *row(10, 10, 4), weapons=[gun(type="assault")])
    sides = [{"cp": 2, "wishes": ["hit:failed", "charge:failed"]}, {}]
    battle = scene(shooter, unit("b1", (10, 18)), phase="shooting", dice=[1, 3, 5, 6], sides=sides)
    do(battle, "a1", aim(*(f"a1.{n}/0/shot>b1" for n in (1, 2, 3, 4))))
    assert ask(battle).prompt.key == "ask.command-reroll"
    for wish, key in (
        ("all", "reason.wh40k.reroll-one"), ("die-4", "reason.wh40k.no-such-die"), ("die-6", "reason.wh40k.not-wished")
    ):  # fmt: skip
        (why,) = battle.check(wish).reasons
        assert (why.rule, why.key) == ("wh40k.stratagem.command-reroll", key)
        assert why.facts["faces"] == [1, 3, 5, 6]
    battle = scene(shooter, unit("b1", (10, 20)), phase="charge", dice=[2, 1], sides=sides)
    do(battle, "a1", ["b1"])
    (why,) = battle.check("die-1").reasons
    assert why.rule == "wh40k.stratagem.command-reroll.whole-roll"


@pytest.mark.rule("wh40k.attack.allocate", "wh40k.attack.allocate-wounded", "wh40k.attack.allocate-same-model")
def test_who_must_take_an_attack_first_is_told() -> None:
    def hurt(**more: Any) -> Battle[Any]:
        kinds = [{"id": "a", "w": 3, "sv": 3}, {"id": "b", "w": 3, "sv": 5}]
        target = unit("b1", *row(10, 18, 3), kinds=kinds, rows=["a", "b", "a"], **more)
        battle = scene(unit("a1", (10, 10), weapons=[gun(type="assault")]), target, phase="shooting", dice=[6, 6])
        return do(battle, "a1", aim("a1.1/0/shot>b1"))

    (why,) = hurt(wounds=[2, 2, 3]).check("b1.3").reasons
    assert (why.rule, why.facts["models"]) == ("wh40k.attack.allocate-wounded", ["b1.1", "b1.2"])
    (why,) = hurt(allocated=["b1.1", "b1.2"]).check("b1.3").reasons
    assert (why.rule, why.facts["models"]) == ("wh40k.attack.allocate-same-model", ["b1.1", "b1.2"])
    (why,) = hurt().check("a1.1").reasons
    assert (why.rule, why.key) == ("wh40k.attack.allocate", "reason.wh40k.not-of-unit")


@pytest.mark.rule("wh40k.psychic.select-on-battlefield", "wh40k.psychic.deny")
def test_who_is_no_psyker_is_told_so() -> None:
    psyker = {"keywords": ["infantry", "psyker"], "psychic": {"casts": 1, "denies": 1}, "w": 4}
    battle = scene(
        unit("a1", (10, 3), **psyker),
        unit("a2", (14, 3)),
        unit("b1", (10, 12)),
        unit("b2", (20, 28), **psyker),
        phase="psychic",
    )
    assert rules(against(battle, "cast", "a2", using="smite")) == ["wh40k.psychic.select-on-battlefield"]
    assert against(battle, "deny", "b1", "a1", side=1)[0].key == "reason.wh40k.no-psyker"
    far = against(battle, "deny", "b2", "a1", side=1)[0]
    assert far.facts["gap"] == pytest.approx(25.926, abs=0.001)


@pytest.mark.rule(
    "wh40k.stratagem.fire-overwatch", "wh40k.stratagem.counter-offensive", "wh40k.stratagem.insane-bravery"
)
def test_core_stratagems_have_their_moments() -> None:
    sides = [{"cp": 3}, {"cp": 3}]
    units = [unit("a1", (10, 10)), unit("b1", (10, 11.5)), unit("a2", (30, 10)), unit("b2", (30, 16), **GUNNER)]
    battle = scene(*units, phase="movement", sides=sides)
    for name in ("cut-them-down", "fire-overwatch", "counter-offensive", "insane-bravery", "emergency-disembarkation"):
        (when,) = against(battle, "stratagem", using=name, side=1)
        assert when.rule.startswith("wh40k.stratagem.")
        assert when.key == f"reason.wh40k.when.{name}"
    assert against(battle, "stratagem", using="desperate-breakout") == []
    assert against(battle, "stratagem", "a1", using="desperate-breakout") == []
    assert against(battle, "stratagem", "a2", using="desperate-breakout")[0].key == "reason.wh40k.not-engaged"
    battle = scene(*units, phase="charge", sides=sides)
    do(battle, "a2", ["b2"])
    assert ask(battle).prompt.key == "ask.overwatch"
    assert against(battle, "stratagem", using="fire-overwatch", side=1) == []
    assert rules(against(battle, "stratagem", using="fire-overwatch", side=0)) == ["wh40k.stratagem.fire-overwatch"]


@pytest.mark.rule("wh40k.action.definition")
def test_where_an_action_is_performed() -> None:
    task = {"id": "scan", "where": "objective", "keywords": ["psyker"]}
    battle = scene(unit("a1", (10, 10)), unit("b1", (30, 28)), phase="command", tasks=[task], objectives=[[20, 10]])
    who, where = against(battle, "act", "a1", using="scan")
    assert who.facts["keyword"] == "psyker"
    assert where.facts["gap"] == 9.5
    assert where.facts["where"].key == "action.where.objective"


@pytest.mark.rule("wh40k.terrain.trait.unstable-position")
def test_low_terrain_with_an_unstable_top_is_no_place_to_stand() -> None:
    """Less than an inch is stepped over as if it were flat, but nobody ends a move on it."""
    battle = scene(
        unit("a1", (10, 9.9)),
        unit("b1", (30, 28)),
        terrain=[solid("barricades", 10, 12, 6, 0.6, 0.9)],
        phase="movement",
    )
    do(battle, "normal:a1")
    for spot in ({"x": 10, "y": 12}, {"x": 10, "y": 12, "z": 0.9}, {"x": 10, "y": 11.4}):
        assert "wh40k.terrain.trait.unstable-position" in battle.check({"models": {"a1.1": spot}}).rules
    assert battle.check({"models": {"a1.1": {"x": 10, "y": 13.0}}}).legal


@pytest.mark.rule("wh40k.morale.test.natural-1")
def test_a_test_that_only_a_natural_one_passes_needs_a_one() -> None:
    battle = scene(unit("a1", *row(10, 10, 4), dead=6, died=6, ld=4), unit("b1", (10, 28)), phase="morale", dice=[1])
    (roll,) = [event.roll for event in battle.events if event.roll is not None]
    assert roll.need == -1


@pytest.mark.rule("wh40k.reserves.place.nine-inches", "wh40k.move.transport-disembark")
def test_how_near_a_unit_would_be_set_up() -> None:
    battle = scene(
        unit("a1", where="reserve", rows=["model"]),
        unit("a2", (40, 4)),
        unit("b1", (12, 4)),
        round=2,
    )
    do(battle, "done", "a1")
    (near,) = battle.check({"models": {"a1.1": {"x": 2, "y": 4}}}).reasons
    assert (near.facts["gap"], near.facts["far"]) == (9.0, 9.0)
    truck = {"keywords": ["vehicle", "transport"], "carries": {"capacity": 6}, "base": [50.8], "w": 9}
    battle = scene(
        unit("a1", (20, 10), **truck),
        unit("a2", where="aboard", aboard="a1", began_aboard=True, rows=["model"]),
        unit("b1", (40, 28)),
    )
    do(battle, "disembark:a2")
    (far,) = battle.check({"models": {"a2.1": {"x": 20, "y": 14}}}).reasons
    assert far.facts["gap"] == 3.5
