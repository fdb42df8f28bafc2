"""Charges, what answers them, and heroic interventions."""

from __future__ import annotations

import pytest

from umpire.engine.rulings import standing
from wh40k.builder import (
    STAY,
    ability,
    area,
    at,
    cites,
    do,
    gun,
    kinds,
    options,
    prompt,
    refused,
    rolls,
    row,
    scene,
    solid,
    told,
    unit,
)

AWAY = unit("a9", (2, 2))


def charging(*units, dice=None, targets=("b1",), **more):
    """a1 has declared its charge, and the dice are thrown."""
    battle = scene(*units, phase="charge", dice=dice, sides=more.pop("sides", [{"cp": 0}, {"cp": 0}]), **more)
    return do(battle, "a1", list(targets))


@pytest.mark.rule("wh40k.charge.eligible.range", "wh40k.core.within", "wh40k.core.distance-models")
def test_twelve_inches_and_not_one_more() -> None:
    battle = scene(
        unit("a1", (10, 10)), unit("a2", (20, 10)), unit("b1", (10, 23)), unit("b2", (20, 23.1)), phase="charge"
    )
    assert "a1" in options(battle)  # 12.0
    assert refused(battle, "a2") == ["wh40k.charge.eligible.range"]  # 12.1


@pytest.mark.rule("wh40k.core.distance-units", "wh40k.core.distance-hull")
def test_units_are_measured_between_their_nearest_models_and_tanks_from_their_hulls() -> None:
    tank = {"hull": True, "base": [6.0, 2.0], "height": 2.0}
    for y, near in ((25.5, True), (25.6, False)):  # its hull reaches 3 inches ahead
        battle = scene(
            unit("a1", (10, 10), (11.5, 10)),
            unit("b1", (10, y), **tank),
            unit("a2", (30, 20)),
            unit("b2", (30, 24)),
            phase="charge",
        )
        assert ("a1" in options(battle)) is near


@pytest.mark.rule("wh40k.charge.eligible.no-advance", "wh40k.move.advance-no-shoot-charge")
def test_who_advanced_does_not_charge() -> None:
    battle = scene(unit("a1", (10, 10), _move="advance"), unit("a2", (14, 10)), unit("b1", (10, 16)), phase="charge")
    assert refused(battle, "a1") == ["wh40k.charge.eligible.no-advance", "wh40k.move.advance-no-shoot-charge"]
    assert "a2" in options(battle)


@pytest.mark.rule("wh40k.charge.eligible.no-fall-back", "wh40k.move.fall-back-no-charge")
def test_who_fell_back_does_not_charge_titanic_or_not() -> None:
    battle = scene(
        unit("a1", (10, 10), _move="fall-back", keywords=["titanic"]),
        unit("a2", (14, 10)),
        unit("b1", (10, 16)),
        phase="charge",
    )
    assert refused(battle, "a1") == ["wh40k.charge.eligible.no-fall-back", "wh40k.move.fall-back-no-charge"]


@pytest.mark.rule("wh40k.charge.eligible.not-engaged")
def test_who_is_engaged_does_not_charge() -> None:
    battle = scene(
        unit("a1", (10, 10)), unit("a2", (20, 10)), unit("b1", (10, 12)), unit("b2", (18, 15)), phase="charge"
    )
    assert refused(battle, "a1") == ["wh40k.charge.eligible.not-engaged"]  # exactly an inch


@pytest.mark.rule(
    "wh40k.charge.eligible.barred", "wh40k.reserves.oversized.limits", "wh40k.reserves.aircraft.no-charge"
)
def test_who_came_too_late_or_in_haste_does_not_charge() -> None:
    for mark, rule in (
        ("oversized", "wh40k.reserves.oversized.limits"),
        ("flew-in", "wh40k.reserves.aircraft.no-charge"),
    ):
        battle = scene(unit("a1", (10, 10), marks=[mark]), unit("a2", (14, 10)), unit("b1", (10, 16)), phase="charge")
        assert refused(battle, "a1") == ["wh40k.charge.eligible.barred", rule]
    arrived = scene(unit("a1", (10, 10), marks=["arrived"]), unit("b1", (10, 16)), phase="charge")
    assert "a1" in options(arrived)


@pytest.mark.rule("wh40k.move.transport-destroyed-restrictions", "wh40k.charge.heroic.barred")
def test_who_left_a_wreck_neither_charges_nor_intervenes() -> None:
    battle = scene(unit("a1", (10, 10), marks=["wrecked"]), unit("a2", (14, 10)), unit("b1", (10, 16)), phase="charge")
    assert refused(battle, "a1") == ["wh40k.charge.eligible.barred", "wh40k.move.transport-destroyed-restrictions"]
    hero = unit("b1", (10, 13), keywords=["character"], marks=["wrecked"])
    other = unit("b2", (20, 13), keywords=["character"])
    late = scene(unit("a1", (10, 10)), unit("a2", (20, 10)), hero, other, phase="charge")
    do(late, "done")
    assert refused(late, "b1") == ["wh40k.charge.heroic.barred", "wh40k.move.transport-destroyed-restrictions"]


@pytest.mark.rule("wh40k.charge.once-per-phase", "wh40k.charge.fail", "wh40k.charge.success-test")
def test_a_charge_that_fails_moves_nobody_and_is_the_only_one() -> None:
    battle = charging(
        unit("a1", (10, 10)), unit("a2", (30, 10)), unit("b1", (10, 19)), unit("b2", (30, 19)), dice=[3, 3]
    )
    assert told(battle, "charge-failed")[0].rules == ("wh40k.charge.fail", "wh40k.charge.success-test")
    assert battle.state.unit("a1").models[0].y == 10
    assert refused(battle, "a1") == ["wh40k.charge.once-per-phase"]


@pytest.mark.rule("wh40k.charge.success-test", "wh40k.charge.roll")
def test_eight_inches_need_a_seven() -> None:
    for dice, made in (([3, 4], True), ([3, 3], False)):
        battle = charging(unit("a1", (10, 10)), unit("b1", (10, 19)), dice=dice)
        assert (prompt(battle) == "ask.charge-move") is made if battle.decision else not made


@pytest.mark.rule("wh40k.charge.targets.declare", "wh40k.charge.sequence")
def test_targets_are_within_twelve_inches_and_there_is_at_least_one() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 18)), unit("b2", (10, 24.5)), phase="charge")
    do(battle, "a1")
    assert options(battle) == ["b1"]
    assert refused(battle, []) != []
    assert refused(battle, ["b2"]) != []
    assert refused(battle, ["b1"]) == []


@pytest.mark.rule("wh40k.charge.targets.visibility")
def test_unseen_units_may_be_charged() -> None:
    wall = area("ruins", 10, 14, 12, 1)
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 18)), phase="charge", terrain=[wall], dice=[6, 6])
    do(battle, "a1", ["b1"])
    assert cites(battle, "wh40k.charge.targets.visibility")


@pytest.mark.rule("wh40k.charge.move.end", "wh40k.charge.all-or-nothing")
def test_every_target_is_reached_or_none() -> None:
    battle = charging(
        unit("a1", (10, 10), (11.5, 10)), unit("b1", (10, 16)), unit("b2", (13, 16)), dice=[5, 4], targets=("b1", "b2")
    )
    one = {"models": {"a1.1": {"x": 10, "y": 14.5}, "a1.2": {"x": 11.2, "y": 13}}}
    assert refused(battle, one) == ["wh40k.charge.all-or-nothing"]
    assert refused(battle, at(a1_1=(10, 12))) == ["wh40k.charge.move.end"]
    both = {"models": {"a1.1": {"x": 10, "y": 14.5}, "a1.2": {"x": 12.5, "y": 14.5}}}
    assert refused(battle, both) == []
    short = charging(unit("a1", (10, 10)), unit("b1", (10, 16)), unit("b2", (10, 4)), dice=[3, 3], targets=("b1", "b2"))
    assert told(short, "charge-failed")[0].rules == ("wh40k.charge.fail", "wh40k.charge.all-or-nothing")


@pytest.mark.rule("wh40k.charge.move.no-other-enemies")
def test_a_charge_keeps_away_from_whom_it_has_not_declared() -> None:
    battle = charging(unit("a1", (10, 10)), unit("b1", (10, 16)), unit("b2", (12.2, 14.5)), dice=[6, 6])
    assert refused(battle, at(a1_1=(10.9, 14.8))) == ["wh40k.charge.move.no-other-enemies"]  # ends within an inch of it
    assert refused(battle, at(a1_1=(10, 14.5))) == []
    assert refused(battle, {"models": {"a1.1": {"x": 10, "y": 14.5, "path": [[12, 12.6]]}}}) == [
        "wh40k.charge.move.no-other-enemies"
    ]


@pytest.mark.rule("wh40k.charge.successful-status", "wh40k.charge.optional")
def test_who_charged_has_charged_and_nobody_has_to() -> None:
    battle = charging(
        unit("a1", (10, 10)), unit("a2", (30, 10)), unit("b1", (10, 14)), unit("b2", (30, 14)), dice=[4, 4]
    )
    do(battle, at(a1_1=(10, 12.5)))
    a1 = battle.state.unit("a1")
    assert ("charged" in a1.marks, a1.targets) == (True, ("b1",))
    do(battle, "done")
    assert cites(battle, "wh40k.charge.optional")


@pytest.mark.rule("wh40k.charge.roll.modify-before-test")
def test_modifiers_come_before_the_test() -> None:
    fast = unit("a1", (10, 10), abilities=[ability("modify", what="charge", value=2)])
    battle = charging(fast, unit("b1", (10, 19)), dice=[2, 3])
    assert prompt(battle) == "ask.charge-move"  # 7 inches
    assert refused(battle, at(a1_1=(10, 17))) == []
    assert refused(battle, at(a1_1=(10, 17.1))) != []


@pytest.mark.rule("wh40k.charge.terrain.climb", "wh40k.charge.terrain.low", "wh40k.charge.fly.vertical")
def test_charges_climb_and_fly_climbs_too() -> None:
    for keywords in (["biker"], ["biker", "fly"]):
        box = solid("debris", 10, 12.5, 30, 2, 3)
        battle = charging(unit("a1", (10, 10), keywords=keywords), unit("b1", (10, 17)), dice=[5, 5], terrain=[box])
        assert refused(battle, at(a1_1=(10, 14.5))) != []  # 4.5 across, 3 up, 3 down
        low = charging(
            unit("a1", (10, 10), keywords=keywords),
            unit("b1", (10, 17)),
            dice=[3, 3],
            terrain=[solid("debris", 10, 12.5, 30, 2, 0.9)],
        )
        assert refused(low, at(a1_1=(10, 15.5))) == []


@pytest.mark.rule("wh40k.charge.terrain.no-stop-mid-climb")
def test_no_charge_ends_half_way_up() -> None:
    box = solid("debris", 10, 13.5, 6, 4, 3)
    battle = charging(unit("a1", (10, 10)), unit("b1", (10, 16.2)), dice=[6, 6], terrain=[box])
    half = {"models": {"a1.1": {"x": 10, "y": 14.9, "z": 1.0}}}
    assert refused(battle, half) == ["wh40k.charge.terrain.no-stop-mid-climb"]


@pytest.mark.rule("wh40k.charge.fly.over-models", "wh40k.charge.fly.end")
def test_fly_charges_over_a_screen() -> None:
    screen = unit("b2", *row(8, 12.5, 4, 0.2))
    flyer = charging(unit("a1", (10, 10), keywords=["fly"]), unit("b1", (10, 16)), screen, dice=[5, 5])
    assert refused(flyer, at(a1_1=(10, 14.6))) == []
    assert refused(flyer, at(a1_1=(10, 14.4))) == ["wh40k.charge.fly.end"]
    walker = charging(unit("a1", (10, 10)), unit("b1", (10, 16)), screen, dice=[5, 5])
    assert walker.decision is None or prompt(walker) != "ask.charge-move" or refused(walker, at(a1_1=(10, 14.6)))


@pytest.mark.rule("wh40k.move.through-models-charge")
def test_moving_through_models_charges_only_its_targets() -> None:
    screen = unit("b2", *row(8, 12.5, 4, 0.2))
    ghost = charging(
        unit("a1", (10, 10), abilities=[ability("through-models")]), unit("b1", (10, 16)), screen, dice=[5, 5]
    )
    assert refused(ghost, at(a1_1=(10, 14.6))) == []
    assert refused(ghost, at(a1_1=(10, 14.4))) == ["wh40k.move.through-models-charge"]


@pytest.mark.rule("wh40k.terrain.trait.defence-line.charge")
def test_a_defence_line_may_be_reached_instead() -> None:
    line = solid("barricades", 10, 14.5, 8, 1.0, 1.2)

    def reach(y: float, depth: float = 1.0):
        feature = solid("barricades", 10, 14.0 + depth / 2, 8, depth, 1.2)
        return charging(unit("a1", (10, 10)), unit("b1", (10, y), keywords=["biker"]), dice=[2, 2], terrain=[feature])

    near = reach(15.5)  # behind the line, touching it
    assert refused(near, at(a1_1=(10, 13.5))) == []  # at the line, an inch of it between them
    deep = reach(16.1, 1.6)
    assert refused(deep, at(a1_1=(10, 13.5))) == []  # 1.6 between them
    assert prompt(deep) == "ask.charge-move"
    do(deep, at(a1_1=(10, 13.5)))
    assert cites(deep, "wh40k.terrain.trait.defence-line.charge")
    assert line["type"] == "barricades"


# -- defensive positions and Overwatch ---------------------------------------------------------------------------------


def defended(target: dict, *more_units, dice=None, terrain=(), cp: int = 0, charger=(10, 10)):
    battle = scene(
        unit("a1", charger),
        target,
        *more_units,
        phase="charge",
        dice=dice,
        terrain=list(terrain),
        sides=[{"cp": 0}, {"cp": cp}],
    )
    return do(battle, "a1", ["b1"])


@pytest.mark.rule("wh40k.terrain.trait.defensible.area", "wh40k.terrain.trait.defensible.choose")
def test_infantry_inside_takes_a_position() -> None:
    wood = area("ruins", 10, 18, 6, 4)
    battle = defended(unit("b1", *row(9, 18, 2), keywords=["infantry"]), terrain=[wood], dice=[1, 1])
    assert options(battle) == ["hold-steady", "set-to-defend"]
    outside = defended(unit("b1", (9, 18), (9, 15.2), keywords=["infantry"]), terrain=[wood], dice=[1, 1])
    assert "takes-position" not in kinds(outside)
    tank = defended(unit("b1", (9, 18), keywords=["vehicle"]), terrain=[wood], dice=[1, 1])
    assert "takes-position" not in kinds(tank)


@pytest.mark.rule("wh40k.terrain.trait.defensible.obstacle")
def test_behind_a_barricade_in_the_line_of_the_charge() -> None:
    line = solid("barricades", 10, 16, 6, 0.5, 1.2)
    battle = defended(unit("b1", (10, 17), keywords=["infantry"]), terrain=[line], dice=[1, 1])
    assert options(battle) == ["hold-steady", "set-to-defend"]
    round_it = defended(
        unit("b1", (13.8, 16.5), keywords=["infantry"]), terrain=[line], dice=[1, 1], charger=(20, 16.5)
    )
    assert "takes-position" not in kinds(round_it)
    far = defended(unit("b1", (10, 17), (10, 20), keywords=["infantry"]), terrain=[line], dice=[1, 1])
    assert "takes-position" not in kinds(far)


@pytest.mark.rule("wh40k.terrain.trait.defensible.hold-steady", "wh40k.charge.overwatch.hit-on-6")
def test_overwatch_hits_on_six_and_from_a_steady_position_on_five() -> None:
    wood = area("ruins", 10, 18, 6, 4)
    for choice, hits in ((None, 1), ("hold-steady", 2)):
        target = unit("b1", (10, 18), keywords=["infantry"], weapons=[gun(type="assault", attacks="3")], bs=2)
        battle = defended(target, terrain=[wood] if choice else [], dice=[6, 5, 4, 1, 1, 1, 1, 1, 1], cp=1)
        if choice:
            do(battle, choice)
        do(battle, "pay:b1")
        if prompt(battle) == "ask.declare":
            do(battle, battle.decision.suggest())
        assert told(battle, "hits")[0].facts["hits"] == hits


@pytest.mark.rule("wh40k.terrain.trait.defensible.set-to-defend", "wh40k.charge.overwatch.trigger")
def test_who_sets_to_defend_does_not_fire() -> None:
    wood = area("ruins", 10, 18, 6, 4)
    target = unit("b1", (10, 18), keywords=["infantry"], weapons=[gun()], abilities=[ability("overwatch")])
    battle = defended(target, terrain=[wood], dice=[1, 1], cp=1)
    do(battle, "set-to-defend")
    assert battle.decision is None or prompt(battle) != "ask.overwatch"
    free = defended(target, unit("b2", (14, 18), weapons=[gun()]), dice=[1, 1], cp=1)
    assert refused(free, "own:b2") == ["wh40k.charge.overwatch.trigger"]  # it was not declared


@pytest.mark.rule("wh40k.terrain.trait.defensible.no-free-overwatch", "wh40k.charge.overwatch.who")
def test_holding_steady_gives_no_overwatch() -> None:
    wood = area("ruins", 10, 18, 6, 4)
    target = unit("b1", (10, 18), keywords=["infantry"], weapons=[gun()])
    battle = defended(target, terrain=[wood], dice=[1, 1])
    do(battle, "hold-steady")
    assert battle.decision is None or prompt(battle) != "ask.overwatch"
    own = defended(unit("b1", (10, 18), weapons=[gun()], abilities=[ability("overwatch")]), dice=[1, 1, 1, 1, 1])
    assert prompt(own) == "ask.overwatch"
    plain = defended(unit("b1", (10, 18), weapons=[gun()]), dice=[1, 1])
    assert "overwatch" not in kinds(plain)


@pytest.mark.rule("wh40k.charge.overwatch.not-engaged")
def test_who_is_engaged_fires_no_overwatch() -> None:
    from umpire.games.wh40k.defenders import overwatch_objections

    target = unit("b1", (10, 18), weapons=[gun()], abilities=[ability("overwatch")])
    state = scene(unit("a1", (10, 10)), unit("a2", (10, 19.5)), target, phase="movement").state
    found = standing(state, overwatch_objections(state, state.unit("b1"), state.unit("a1")))
    assert [r.rule for r in found] == ["wh40k.charge.overwatch.not-engaged"]


@pytest.mark.rule("wh40k.charge.overwatch.resolution", "wh40k.stratagem.fire-overwatch")
def test_overwatch_is_shooting_in_range_at_the_charger_alone() -> None:
    short = defended(unit("b1", (10, 20), weapons=[gun(range=6)]), dice=[1, 1], cp=1)
    assert "overwatch" not in kinds(short)
    battle = defended(unit("b1", (10, 20), weapons=[gun(type="assault")]), dice=[1, 1, 1], cp=1)
    do(battle, "pay:b1")
    if prompt(battle) == "ask.declare":
        do(battle, battle.decision.suggest())
    assert told(battle, "stratagem")[0].facts["cost"] == 1
    assert told(battle, "shoots")[0].facts["targets"] == ["a1"]


@pytest.mark.rule("wh40k.charge.overwatch.auto-hit")
def test_what_hits_by_itself_does_so_in_overwatch() -> None:
    flamer = gun(type="assault", attacks="3", range=12, rules=["auto-hit"])
    battle = defended(unit("b1", (10, 18), weapons=[flamer]), dice=[1, 1, 1, 1, 1], cp=1)
    do(battle, "pay:b1")
    if prompt(battle) == "ask.declare":
        do(battle, battle.decision.suggest())
    assert cites(battle, "wh40k.charge.overwatch.auto-hit")


@pytest.mark.rule("wh40k.charge.overwatch.ignore-closest-rules")
def test_a_charging_character_is_seen_past_his_guard() -> None:
    hero = unit("a1", (10, 10), keywords=["character", "infantry"])
    guard = unit("a2", *row(9, 11.2, 4, 0.1))
    target = unit("b1", (10, 18), weapons=[gun(type="assault")])
    battle = scene(hero, guard, target, phase="charge", dice=[1, 1, 1], sides=[{"cp": 0}, {"cp": 1}])
    do(battle, "a1", ["b1"], "pay:b1")
    assert cites(battle, "wh40k.charge.overwatch.ignore-closest-rules")
    if prompt(battle) == "ask.declare":
        do(battle, battle.decision.suggest())
    assert told(battle, "shoots")


# -- heroic interventions ----------------------------------------------------------------------------------------------


def heroics(*units, **more):
    battle = scene(*units, phase="charge", **more)
    while battle.decision is not None and prompt(battle) == "ask.charge":
        do(battle, "done")
    return battle


HERO = {"keywords": ["character"]}


@pytest.mark.rule("wh40k.charge.heroic.who", "wh40k.charge.phase.steps", "wh40k.charge.heroic.eligible.character")
def test_characters_of_the_other_side_intervene_after_the_charges() -> None:
    battle = heroics(
        unit("a1", (10, 10), **HERO), unit("b1", (10, 13), **HERO), unit("b2", (8, 12)), unit("a2", (30, 5))
    )
    assert prompt(battle) == "ask.heroic"
    assert options(battle) == ["b1", "done"]
    assert refused(battle, "b2") == ["wh40k.charge.heroic.eligible.character"]
    assert "wh40k.charge.heroic.who" in refused(battle, "a1")


@pytest.mark.rule("wh40k.charge.heroic.eligible.distance", "wh40k.charge.heroic.eligible.not-engaged")
def test_within_three_inches_and_not_engaged() -> None:
    battle = heroics(
        unit("a1", (10, 10)), unit("a2", (20, 10)), unit("b1", (10, 14), **HERO), unit("b2", (20, 14.1), **HERO),
        unit("b3", (18.5, 10), **HERO),
    )  # fmt: skip
    assert options(battle) == ["b1", "done"]  # exactly 3
    assert refused(battle, "b2") == ["wh40k.charge.heroic.eligible.distance"]
    assert refused(battle, "b3") == ["wh40k.charge.heroic.eligible.not-engaged"]


@pytest.mark.rule("wh40k.charge.heroic.move", "wh40k.charge.heroic.closer", "wh40k.charge.heroic.sequence")
def test_an_intervention_ends_nearer_to_the_nearest() -> None:
    battle = heroics(unit("a1", (10, 10)), unit("a2", (14, 10)), unit("b1", (10, 13), **HERO), unit("b2", (30, 20)))
    do(battle, "b1")
    assert refused(battle, at(b1_1=(13.1, 13))) != []
    assert refused(battle, at(b1_1=(12, 13))) == ["wh40k.charge.heroic.closer"]  # nearer to the other only
    assert refused(battle, at(b1_1=(10, 12.9))) == []
    do(battle, at(b1_1=(10, 11.5)))
    assert "intervened" in battle.state.unit("b1").marks


@pytest.mark.rule("wh40k.charge.heroic.coherency")
def test_an_intervention_keeps_the_unit_together() -> None:
    battle = heroics(unit("a1", (10, 10)), unit("b1", (10, 13), (10, 15.5), **HERO), unit("b2", (30, 20)))
    do(battle, "b1")
    assert refused(battle, at(b1_1=(10, 11.2))) == ["wh40k.charge.heroic.coherency"]


@pytest.mark.rule("wh40k.charge.heroic.consequences", "wh40k.fight.target.heroic-intervention")
def test_whoever_intervened_may_be_attacked_by_any_charger() -> None:
    from umpire.games.wh40k.melee import may_target

    battle = scene(
        unit("a1", (10, 10), marks=["charged"], targets=["b1"]), unit("b1", (10, 11.5)),
        unit("b2", (11.5, 10), marks=["intervened"]), unit("b3", (8.5, 10)), phase="fight",
    )  # fmt: skip
    state = battle.state
    assert [may_target(state, state.unit("a1"), state.unit(key)) for key in ("b1", "b2", "b3")] == [True, True, False]


def test_rolls_are_told() -> None:
    battle = charging(unit("a1", (10, 10)), unit("b1", (10, 14)), dice=[4, 4])
    assert rolls(battle, "charge") == [[4, 4]]
    assert refused(battle, STAY) == []


# -- the roll, and who rolls it again ------------------------------------------------------------------------------

WISH = [{"cp": 1, "wishes": ["charge:failed"]}, {"cp": 0}]
ANY = [{"cp": 1, "wishes": ["charge:always"]}, {"cp": 0}]


@pytest.mark.rule("wh40k.charge.roll", "wh40k.stratagem.command-reroll", "wh40k.charge.success-test")
def test_who_asked_for_failed_charges_is_asked_when_the_dice_do_not_reach() -> None:
    near = [unit("a1", (10, 10)), unit("b1", (10, 19))]
    assert prompt(charging(*near, dice=[3, 4], sides=WISH)) == "ask.charge-move"
    battle = charging(*near, dice=[3, 3, 6, 1], sides=WISH)
    assert (prompt(battle), options(battle)) == ("ask.command-reroll", ["all", "pass"])
    do(battle, "all")
    assert told(battle, "reroll")[0].roll.faces == [6, 1]
    assert prompt(battle) == "ask.charge-move"


@pytest.mark.rule("wh40k.charge.roll.modify-before-test", "wh40k.dice.reroll-before-modifiers")
def test_a_charge_that_its_bonus_brings_home_has_not_failed() -> None:
    swift = {
        "abilities": [ability("modify", what="charge", value=2), ability("reroll", what="charge", which="failures")]
    }
    made = charging(unit("a1", (10, 10), **swift), unit("b1", (10, 19)), dice=[3, 2], sides=WISH)
    assert prompt(made) == "ask.charge-move"
    assert not told(made, "reroll")
    short = charging(unit("a1", (10, 10), **swift), unit("b1", (10, 19)), dice=[2, 2, 4, 1], sides=WISH)
    assert told(short, "reroll")[0].roll.faces == [4, 1]
    assert told(short, "charge-modified")[0].facts["inches"] == 7


@pytest.mark.rule("wh40k.dice.reroll-once", "wh40k.dice.reroll-whole-test")
def test_what_an_ability_has_rolled_again_is_closed_to_a_command_point() -> None:
    """Interaction 3: Command Re-roll needs both dice of a charge."""
    again = [ability("reroll", what="charge", which="failures")]
    battle = charging(unit("a1", (10, 10), abilities=again), unit("b1", (10, 19)), dice=[3, 3, 1, 1], sides=ANY)
    assert told(battle, "reroll")[0].roll.faces == [1, 1]  # both, and worse
    assert told(battle, "charge-failed")
    assert battle.state.sides[0].cp == 1
    half = [ability("reroll", what="charge", which="one")]
    battle = charging(unit("a1", (10, 10), abilities=half), unit("b1", (10, 19)), dice=[4, 1, 1], sides=ANY)
    assert told(battle, "charge-failed")  # and nobody was asked: one die is closed
    assert battle.state.sides[0].cp == 1


@pytest.mark.rule("wh40k.dice.reroll-different-dice", "wh40k.dice.reroll-declare-source")
def test_two_abilities_take_one_die_of_a_charge_each() -> None:
    """Interaction 3: two one-die abilities may take one die each, and none the other's."""
    half = [ability("reroll", id=f"h{n}", what="charge", which="one") for n in range(3)]
    battle = charging(unit("a1", (10, 10), abilities=half), unit("b1", (10, 19)), dice=[1, 2, 3, 3], sides=ANY)
    assert [e.roll.faces for e in told(battle, "reroll")] == [[3, 2], [3, 3]]
    assert told(battle, "reroll")[1].rules[0] == "wh40k.dice.reroll-different-dice"
    enough = charging(unit("a1", (10, 10), abilities=half), unit("b1", (10, 19)), dice=[1, 2, 6], sides=ANY)
    assert [e.roll.faces for e in told(enough, "reroll")] == [[6, 2]]  # the other die need not be rolled again


@pytest.mark.rule("wh40k.dice.reroll-once", "wh40k.stratagem.command-reroll")
def test_abilities_come_before_command_points_in_every_roll() -> None:
    from umpire.games.wh40k.dice import REROLLABLE

    mages = {"keywords": ["psyker"], "psychic": {"casts": 1, "denies": 1}}
    always = [{"cp": 1, "wishes": [f"{roll}:always" for roll in REROLLABLE]}] * 2
    for what, phase, answers, dice in (
        ("psychic", "psychic", ("a1", "smite"), [1, 2, 1, 2]),
        ("advance", "movement", ("advance:a1",), [1, 2]),
    ):
        again = [ability("reroll", what=what, which="failures")]
        battle = scene(
            unit("a1", (10, 10), abilities=again, **mages), unit("b1", (10, 26)), phase=phase, dice=dice, sides=always
        )
        do(battle, *answers)
        assert len(told(battle, "reroll")) == 1
        assert not battle.decision or prompt(battle) != "ask.command-reroll"


@pytest.mark.rule("wh40k.charge.success-test", "wh40k.terrain.trait.difficult-ground")
def test_a_charge_that_only_slowed_ways_could_make_fails() -> None:
    """4 inches through a wood need a roll of 6; round it there is no way that is short enough. Who flies needs 4."""
    woods = area("woods", 10, 10.5, 10, 2, height=4)
    for dice, keywords, made in (([3, 2], [], False), ([3, 3], [], True), ([2, 2], ["fly"], True)):
        charger = unit("a1", (10, 8), keywords=["infantry", *keywords])
        battle = scene(charger, unit("b1", (10, 14)), phase="charge", dice=dice, terrain=[woods])
        do(battle, "a1", ["b1"])
        assert (prompt(battle) == "ask.charge-move") is made


@pytest.mark.rule("wh40k.charge.success-test", "wh40k.charge.terrain.climb")
def test_a_charge_over_what_must_be_climbed_fails_where_the_roll_is_too_low() -> None:
    """Up and down 4 inches each and 2.55 across: a roll of 11. On top nobody can stand."""
    wall = solid("ruined-walls", 10, 11, 30, 0.5, 4, traits=["unstable-position"])
    for dice, made in (([5, 5], False), ([5, 6], True)):
        battle = scene(unit("a1", (10, 9.2)), unit("b1", (10, 13.5)), phase="charge", dice=dice, terrain=[wall])
        do(battle, "a1", ["b1"])
        assert (prompt(battle) == "ask.charge-move") is made


@pytest.mark.rule("wh40k.charge.move.no-other-enemies")
def test_a_charge_through_a_screen_fails() -> None:
    """The line in front reaches from edge to edge, and nobody comes past without entering its Engagement Range."""
    line = unit("b2", *[(0.5 + 2.5 * n, 11) for n in range(18)])
    for keywords, made in (([], False), (["fly"], True)):
        charger = unit("a1", (10, 8), keywords=["infantry", *keywords])
        battle = scene(charger, unit("b1", (10, 14.5)), line, phase="charge", dice=[6, 6])
        do(battle, "a1", ["b1"])
        assert (prompt(battle) == "ask.charge-move") is made
