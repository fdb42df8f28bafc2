"""Rounds of combat: preparation, formations, score, who fights, Break Tests, flight and pursuit."""

import pytest

from t9a.builder import (
    QUIET,
    asked,
    do,
    duel,
    events,
    fired,
    hero,
    last,
    lost,
    needs,
    offered,
    p,
    part,
    piece,
    plain,
    profile,
    quiet,
    refused,
    rolled,
    scene,
    u,
    unit,
    until,
)
from umpire.games.t9a.melee_round import penalty, solid_at, steady_at

QUIETLY = profile(parts=[QUIET])


def static(battle):
    return last(battle, "static-score")["score"]


@pytest.mark.rule("t9a.melee.prep.remove-shaken", "t9a.psych.shaken.engaged")
def test_shaken_units_go_before_any_blow():
    battle = duel(profile(), quiet(), [], foes=30, b={"shaken": True})
    assert u(battle, "b").where == "gone"
    assert rolled(battle, "hit") == []
    result = last(battle, "combat-result")["score"]
    assert result[0] - static(battle)[0] == 1


@pytest.mark.rule("t9a.melee.score.charge", "t9a.melee.score.standard", "t9a.melee.score.rank-bonus")
def test_static_score():
    battle = duel(quiet(), quiet(), models=25, foes=10, a={"charging": True, "standard": True})
    assert static(battle) == [1 + 1 + 4, 2]
    assert static(duel(quiet(), quiet(), models=4, foes=5)) == [0, 1]


@pytest.mark.rule("t9a.melee.score.other", "t9a.rule.standard-bearer")
def test_the_battle_standard_adds_one():
    battle = duel(
        quiet(),
        quiet(),
        models=5,
        foes=5,
        a={"standard": True},
        others=(hero("h", 0, "a", of=quiet(hp=3), bearer=True),),
    )
    assert static(battle)[0] == 1 + 1 + 1


@pytest.mark.rule("t9a.melee.score.flank-rear")
def test_each_flank_or_rear_facing_gives_two():
    b = unit("b", 1, at=(36, 20), of=quiet(), models=10)
    flank = unit("c", 0, at=(38.5, 21), facing=270.0, of=quiet(), models=1, files=1)
    rear = unit("d", 0, at=(36, 22), facing=180.0, of=quiet(), models=1, files=1)
    assert static(scene(b, flank, moment="melee"))[0] == 2
    assert static(scene(b, flank, rear, moment="melee"))[0] == 4
    twin = unit("e", 0, at=(38.5, 20.3), facing=270.0, of=quiet(base=(12.7, 25.4)), models=1, files=1)
    small = unit("f", 0, at=(38.5, 21.4), facing=270.0, of=quiet(base=(12.7, 25.4)), models=1, files=1)
    assert static(scene(b, twin, small, moment="melee"))[0] == 2


@pytest.mark.rule("t9a.melee.score.stages")
def test_the_static_score_survives_the_loss_of_the_standard():
    killer = profile(parts=[part(att=6, off=9, agi=5, s=9)])
    battle = duel(killer, quiet(), [6] * 12, foes=5, b={"standard": True})
    assert u(battle, "b").where == "gone"
    assert last(battle, "combat-result")["score"][1] == 1 + 1


@pytest.mark.rule("t9a.melee.result.health-lost", "t9a.melee.result.destroyed-unit")
def test_health_points_and_destroyed_units_score():
    killer = profile(parts=[part(att=8, off=9, agi=5, s=9)])
    battle = duel(killer, quiet(hp=3), [6] * 16, foes=3)
    assert last(battle, "combat-result")["score"][0] == 8
    battle = duel(killer, quiet(hp=1), [6] * 16, foes=8)
    assert last(battle, "combat-result")["score"][0] == 9


@pytest.mark.rule("t9a.melee.result.winner")
def test_on_a_draw_nobody_tests():
    battle = duel(quiet(), quiet(), models=5, foes=5)
    assert last(battle, "combat-result")["winner"] == -1
    assert rolled(battle, "break") == []


@pytest.mark.rule("t9a.melee.break.test", "t9a.psych.test")
@pytest.mark.parametrize(("dis", "total", "stands"), [(8, (2, 3), True), (8, (3, 3), False), (3, (1, 1), False)])
def test_the_difference_lowers_discipline_in_a_break_test(dis, total, stands):
    battle = duel(
        quiet(),
        quiet(dis=dis),
        [*total],
        models=25,
        foes=5,
        a={"charging": True, "standard": True, "files": 5},
        b={"files": 5},
    )
    score = last(battle, "combat-result")["score"]
    assert score == [6, 1]
    test = last(battle, "test")
    assert test["need"] == max(0, dis - 5)
    assert test["passed"] is (sum(total) <= max(0, dis - 5))
    assert u(battle, "b").shaken is not test["passed"] or u(battle, "b").where == "gone"


@pytest.mark.rule("t9a.melee.break.pass", "t9a.melee.break.fail")
def test_those_that_pass_stay_and_those_that_fail_are_shaken():
    stays = duel(quiet(), quiet(dis=9), [1, 1], models=10, foes=5)
    fired(stays, "t9a.melee.break.pass")
    assert stays.state.engaged("b")
    runs = duel(quiet(), quiet(dis=5), [6, 6, 1, 1], models=10, foes=5)
    assert u(runs, "b").shaken
    assert asked(runs) == "ask.pursue"


@pytest.mark.rule("t9a.melee.formation.steady", "t9a.melee.formation.steady-effect")
def test_steady_units_lose_two_at_most():
    state = duel(quiet(), quiet(), models=10, foes=15).state
    ranks = {"a": 3, "b": 4}
    assert steady_at(state, state.unit("b"), ranks, ("a", "b"))
    assert not steady_at(state, state.unit("b"), {"a": 4, "b": 4}, ("a", "b"))
    killer = profile(parts=[part(att=6, off=9, agi=5, s=9)], hp=9)
    battle = duel(killer, quiet(dis=8), [6] * 12 + [3, 4], foes=16)
    assert last(battle, "combat-result")["score"] == [6, 3]
    assert last(battle, "test")["need"] == 6
    battle = duel(quiet(), quiet(dis=8), [3, 4], models=1, foes=5, a={"charging": True, "standard": True})
    assert last(battle, "test")["need"] == 7


@pytest.mark.rule("t9a.melee.formation.solid", "t9a.def.height.table", "t9a.melee.formation.unyielding")
def test_solid_by_height_and_unyielding_together_with_steady():
    for height, ranks in ((0, 4), (1, 4), (2, 3), (3, 2), (4, 2), (5, 2)):
        state = duel(quiet(height=height), quiet(), []).state
        assert solid_at(state, state.unit("a"), ranks)
        assert not solid_at(state, state.unit("a"), ranks - 1)
    killer = profile(parts=[part(att=9, off=9, agi=5, s=9)], hp=9)
    battle = duel(killer, quiet(dis=7), [6] * 18 + [3, 4], foes=30)
    assert last(battle, "test")["need"] == 7
    fired(battle, "t9a.melee.formation.unyielding")


@pytest.mark.rule("t9a.melee.formation.timing")
def test_formation_is_read_again_after_the_attacks():
    killer = profile(parts=[part(att=1, off=9, agi=5, s=9)], hp=9)
    battle = duel(killer, profile(parts=[part(agi=1, off=0)]), [6, 6, *[1] * 11, 1, 1], foes=20)
    assert [e.facts["unit"] for e in events(battle, "solid")] == ["b"]
    assert needs(battle, "hit")[0] == 2
    assert p(battle, "b").count == 19


@pytest.mark.rule("t9a.melee.formation.surrounded")
def test_enemies_in_the_flank_take_full_ranks_away():
    b = unit("b", 1, at=(36, 20), of=quiet(), models=25)
    front = unit("a", 0, of=quiet(), models=1, files=1)
    flank = unit("c", 0, at=(38.5, 22.5), facing=270.0, of=quiet(), models=10)
    battle = scene(b, front, flank, moment="melee")
    assert static(battle)[1] == 5 - 2
    weak = unit("c", 0, at=(38.5, 22.5), facing=270.0, of=quiet(), models=4, files=4)
    assert static(scene(b, front, weak, moment="melee"))[1] == 4


@pytest.mark.rule("t9a.rule.resolute")
def test_resolute_adds_ranks_before_the_surrounding():
    def ranks(*rules, models=10):
        return static(duel(quiet(*rules), quiet(), models=models, foes=1))[0]

    assert ranks("resolute 2") == 4
    assert ranks("resolute 2", "resolute +1", models=5) == 4
    assert ranks("resolute 2", models=4) == 0
    b = unit("b", 1, at=(36, 20), of=quiet("resolute 2"), models=10)
    flank = unit("c", 0, at=(38.5, 21), facing=270.0, of=quiet(), models=15, files=5)
    assert static(scene(b, flank, moment="melee"))[1] == 1


@pytest.mark.rule("t9a.terrain.disrupting", "t9a.terrain.forest.disrupting", "t9a.terrain.water.disrupting")
def test_disrupting_terrain_takes_the_rank_bonus():
    """Interaction 32: the rank bonus goes, Steady and Solid stay."""
    for kind in ("forest", "water"):
        battle = duel(quiet(), quiet(), models=20, foes=1, terrain=[piece("t", kind, 30, 16, 35, 18)])
        assert static(battle)[0] == 0
    assert static(duel(quiet(), quiet(), models=20, foes=1, terrain=[piece("t", "field", 30, 16, 35, 18)]))[0] == 4


@pytest.mark.rule("t9a.rule.strider.dangerous", "t9a.rule.strider")
def test_striders_keep_their_rank_bonus():
    wood = [piece("t", "forest", 30, 16, 35, 18)]
    assert static(duel(quiet("strider"), quiet(), models=20, foes=1, terrain=wood))[0] == 4
    assert static(duel(quiet("strider (forest)"), quiet(), models=20, foes=1, terrain=wood))[0] == 4
    assert static(duel(quiet("strider (water)"), quiet(), models=20, foes=1, terrain=wood))[0] == 0


@pytest.mark.rule("t9a.rule.stubborn")
@pytest.mark.parametrize(("difference", "steady", "less"), [(5, False, 3), (5, True, 1), (1, False, 1)])
def test_stubborn_halves_the_penalty_after_the_cap_of_steady(difference, steady, less):
    from umpire.games.t9a.state import Round

    state = duel(quiet(), quiet("stubborn"), models=5, foes=5).state
    ranks = {"a": 0, "b": 1} if steady else {"a": 1, "b": 1}
    now = Round(units=("a", "b"), difference=difference)
    assert penalty(state, state.unit("b"), now, ranks)[0] == less


@pytest.mark.rule("t9a.rule.bodyguard", "t9a.rule.bodyguard.break")
def test_a_guarded_general_makes_his_unit_unyielding():
    def need(general, models=6):
        battle = duel(
            quiet(),
            quiet("bodyguard (general)", dis=7),
            [1, 1],
            models=20,
            foes=models,
            a={"charging": True, "standard": True},
            others=(hero("h", 1, "b", of=quiet(hp=3, dis=7), general=general),),
        )
        return last(battle, "test")["need"]

    assert need(True) == 7
    assert need(False) == 7 - 5
    assert need(True, models=3) == 7 - 3


@pytest.mark.rule("t9a.rule.unstable", "t9a.melee.break.test")
def test_unstable_units_lose_health_points_instead_of_testing():
    battle = duel(quiet(), quiet("unstable"), [], models=25, foes=10, a={"charging": True, "files": 5})
    assert rolled(battle, "break") == []
    assert p(battle, "b").count == 10 - 3
    assert not u(battle, "b").shaken


@pytest.mark.rule("t9a.rule.unstable.reduction", "t9a.rule.stubborn.unstable")
def test_what_lessens_unstable_losses():
    from umpire.games.t9a.breaking import unstable_losses
    from umpire.games.t9a.state import Round

    def losses(difference, *rules, flag=False, ranks=None):
        others = (hero("h", 1, of=quiet(hp=3), bearer=True, at=(36, 30)),) if flag else ()
        state = duel(quiet(), quiet("unstable", *rules), models=5, foes=20, others=others).state
        now = Round(units=("a", "b"), difference=difference)
        return unstable_losses(state, state.unit("b"), now, ranks or {"a": 9, "b": 1})[0]

    assert losses(7) == 7
    assert losses(7, "stubborn") == 4
    assert losses(7, "stubborn", flag=True, ranks={"a": 1, "b": 4}) == 1
    assert losses(7, ranks={"a": 1, "b": 4}) == 7
    assert losses(2, flag=True, ranks={"a": 1, "b": 4}) == 0


@pytest.mark.rule("t9a.rule.unstable.allocation", "t9a.rule.supernal.allocation")
@pytest.mark.parametrize("rule", ["unstable", "supernal"])
def test_losses_fall_on_soldiers_first_and_then_evenly_on_characters(rule):
    heroes = (hero("h", 1, "b", of=quiet(rule, hp=3)), hero("k", 1, "b", of=quiet(rule, hp=3)))
    battle = duel(
        quiet(),
        quiet(rule, dis=2),
        [6, 6],
        models=25,
        foes=3,
        a={"charging": True, "standard": True},
        others=heroes,
        b={"files": 5},
    )
    score = last(battle, "combat-result")["score"]
    rest = score[0] - score[1] - 3
    assert rest == 3
    refused(battle, {"h": 0, "k": 3}, f"t9a.rule.{rule}.allocation")
    do(battle, {"h": 2, "k": 1})
    assert p(battle, "b").count == 0
    assert (lost(battle, "h"), lost(battle, "k")) == (2, 1)


@pytest.mark.rule("t9a.rule.supernal")
def test_supernal_units_test_and_lose_health_points_if_they_fail():
    battle = duel(quiet(), quiet("supernal", dis=8), [6, 6], models=25, foes=10, a={"charging": True, "standard": True})
    assert p(battle, "b").count == 10 - 4
    assert not u(battle, "b").shaken
    battle = duel(quiet(), quiet("supernal", dis=8), [1, 1], models=25, foes=10, a={"charging": True, "standard": True})
    assert p(battle, "b").count == 10


def breaking(dice, mine=None, theirs=None, **more):
    """b loses against a and breaks: dice for the test come first."""
    return duel(mine or quiet(), theirs or quiet(dis=4), [6, 6, *dice], models=10, foes=5, **more)


@pytest.mark.rule("t9a.melee.break.caught", "t9a.melee.break.pursuit-roll", "t9a.melee.break.flee-roll")
def test_who_runs_no_further_than_its_pursuers_is_caught():
    battle = do(breaking([3, 4, 3, 4]), "b")
    assert last(battle, "caught")["inches"] == 7
    battle = do(breaking([4, 4, 3, 4]), "b")
    assert not events(battle, "caught")
    assert u(battle, "b").where == "table"


@pytest.mark.rule("t9a.melee.break.pursuers", "t9a.rule.frenzy")
def test_pursuit_is_free_unless_frenzied():
    battle = breaking([3, 4])
    assert offered(battle) == ["b", "stay"]
    wild = breaking([3, 4, 1, 1], mine=quiet("frenzy"))
    assert last(wild, "pursues")["unit"] == "a"


@pytest.mark.rule("t9a.melee.break.flee-direction")
def test_the_enemy_chooses_from_whom_a_broken_unit_flees():
    b = unit("b", 1, at=(36, 20), of=quiet(dis=2), models=5)
    flank = unit("c", 0, at=(38.5, 20.5), facing=270.0, of=quiet(), models=1, files=1)
    battle = scene(unit("a", of=quiet(), models=10), b, flank, moment="melee", dice=[6, 6, 3, 4])
    assert asked(battle) == "ask.flee-direction"
    assert battle.decision.side == 0
    assert offered(battle) == ["a", "c"]


@pytest.mark.rule("t9a.melee.break.overrun", "t9a.melee.pursue.overrun-straight")
def test_a_charger_that_wiped_out_its_foe_may_overrun():
    killer = profile(parts=[part(att=5, off=9, agi=5, s=9)])
    battle = duel(killer, quiet(), [6] * 10 + [3, 4], foes=5, a={"charging": True})
    assert asked(battle) == "ask.overrun"
    do(battle, "overrun")
    assert round(u(battle, "a").y, 3) == 27.0
    still = duel(killer, quiet(), [6] * 10 + [3, 4], foes=5)
    assert asked(still) == "ask.post-pivot"


@pytest.mark.rule("t9a.melee.result.no-contact-wins")
def test_a_unit_without_enemies_in_contact_has_won():
    killer = profile(parts=[part(att=2, off=9, agi=5, s=9)], dis=2)
    battle = scene(
        unit("a", of=killer, models=1, files=1, at=(36, 20)),
        unit("x", 1, of=quiet(), models=1, files=1, at=(36, 20)),
        unit("c", of=quiet(dis=2), models=1, files=1, at=(35, 19.0)),
        moment="melee",
        dice=[6, 6, 6, 6],
    )
    assert rolled(battle, "break") == []


@pytest.mark.rule("t9a.rule.feigned-flight", "t9a.rule.feigned-flight.winner")
def test_feigned_flight_leaves_combat_and_winners_are_not_pursued():
    rider = quiet("feigned-flight")
    battle = duel(quiet(), rider, [3, 4], models=1, foes=10)
    assert asked(battle) == "ask.feign"
    do(battle, True)
    assert u(battle, "b").shaken
    assert u(battle, "b").by_choice
    assert not events(battle, "pursues")
    assert "b" not in [e.facts["unit"] for e in events(battle, "test")]


@pytest.mark.rule("t9a.rule.horror", "t9a.rule.fearless.horror")
def test_horror_minimises_flight_twice():
    """Interaction 10: Horror is two Minimised effects, and Swiftstride takes one of them away."""
    battle = breaking([6, 4, 3, 1], mine=quiet("horror"))
    assert rolled(battle, "flee") == [4]
    assert last(battle, "breaks")["inches"] == 4
    swift = breaking([6, 4, 3], mine=quiet("horror"), theirs=quiet("swiftstride", dis=4))
    assert rolled(swift, "flee") == [3]
    brave = breaking([6, 4], mine=quiet("horror"), theirs=quiet("fearless", dis=4))
    assert rolled(brave, "flee") == [2]


@pytest.mark.rule("t9a.melee.attack.supporting", "t9a.melee.attack.restricted-cap")
@pytest.mark.parametrize(("height", "att", "dice"), [(1, 3, 15 + 5), (2, 1, 5 + 5), (2, 3, 15 + 10), (0, 2, 10)])
def test_the_second_rank_supports_with_as_many_attacks_as_its_height(height, att, dice):
    battle = duel(profile(height=height, parts=[part(att=att)]), quiet(), [1] * 60, models=15, foes=5)
    assert sum(rolled(battle, "hit")) == dice


@pytest.mark.rule("t9a.rule.extra-support")
def test_extra_support_raises_the_limit():
    def dice(*rules, att=2, height=1):
        return sum(
            rolled(
                duel(profile(height=height, parts=[part(*rules, att=att)]), quiet(), [1] * 60, models=10, foes=5), "hit"
            )
        )

    assert dice("extra-support 2") == 10 + 10
    assert dice("extra-support +1", att=3, height=2) == 15 + 15
    assert dice("extra-support 5", att=1) == 10


@pytest.mark.rule("t9a.melee.attack.flank-restricted", "t9a.melee.attack.restricted-parts")
def test_attacks_to_the_flank_are_restricted_all_parts_together():
    monster = profile(height=5, hp=9, base=(50.8, 50.8), parts=[part(att=7)])
    front = duel(monster, quiet(hp=9), [1] * 9)
    assert rolled(front, "hit")[0] == 7
    rear = scene(
        unit("a", of=monster, models=1, files=1, at=(36, 18), facing=180.0),
        unit("b", 1, of=quiet(hp=9), models=1, files=1, at=(36, 20), facing=180.0),
        moment="melee",
        dice=[1] * 9,
    )
    assert rolled(rear, "hit")[0] == 5
    rider = profile(height=2, hp=9, parts=[part(att=2), part(att=1, mount=True)], traits=("mounted",))
    rear = scene(
        unit("a", of=rider, models=1, files=1, at=(36, 19), facing=180.0),
        unit("b", 1, of=quiet(hp=9), models=1, files=1, at=(36, 20), facing=180.0),
        moment="melee",
        dice=[1] * 9,
    )
    do(rear, "1")
    assert rolled(rear, "hit") == [1, 1]


@pytest.mark.rule("t9a.melee.attack.who")
def test_models_beyond_the_enemys_width_do_not_fight():
    battle = duel(profile(), quiet(), [1] * 20, models=5, foes=1)
    assert sum(rolled(battle, "hit")) == 3  # one face to face, two corner to corner
    battle = duel(profile(), quiet(base=(20, 20)), [1] * 20, models=5, foes=1)
    assert sum(rolled(battle, "hit")) == 1


@pytest.mark.rule("t9a.melee.attack.agility-order", "t9a.melee.attack.charge-momentum")
def test_charging_adds_one_to_agility():
    battle = duel(profile(parts=[part(agi=3)]), profile(parts=[part(agi=4)]), [1, 1], a={"charging": True})
    assert last(battle, "order")["steps"] == [4]
    assert rolled(battle, "hit") == [1, 1]


@pytest.mark.rule(
    "t9a.melee.attack.allocate-targets", "t9a.attack.allocate.melee", "t9a.attack.allocate.melee-attachable"
)
def test_characters_are_struck_only_by_those_that_touch_them():
    strikers = unit("a", of=profile(parts=[part(att=1, off=9)]), models=5)
    battle = scene(
        strikers,
        unit("b", 1, of=quiet(), models=9),
        hero("h", 1, "b", of=quiet(hp=3), file=0, rank=0),
        moment="melee",
        dice=[1] * 10,
    )
    ask = battle.decision
    assert asked(battle) == "ask.allocate"
    assert set(ask.parts) == {"b", "h"}
    assert ask.total == 2
    lone = scene(strikers, hero("h", 1, of=quiet(hp=3), at=(36, 20)), moment="melee", dice=[1] * 10)
    assert rolled(lone, "hit")[0] >= 1


@pytest.mark.rule("t9a.melee.attack.allocate-supporting")
def test_supporters_strike_as_if_they_stood_in_front():
    battle = scene(
        unit("a", of=profile(), models=2, files=1),
        unit("b", 1, of=quiet(), models=4, files=5),
        hero("h", 1, "b", of=quiet(hp=3), file=2, rank=0),
        moment="melee",
        dice=[1] * 10,
    )
    assert asked(battle) == "ask.allocate"
    assert battle.decision.total in (1, 2)


@pytest.mark.rule("t9a.char.make-way")
def test_a_character_out_of_reach_may_make_way():
    battle = scene(
        unit("a", of=profile(), models=9, files=5),
        hero("h", 0, "a", file=0, rank=0),
        unit("b", 1, of=quiet(hp=5), models=1, files=1),
        moment="melee",
        dice=[1] * 20,
    )
    assert asked(battle) == "ask.make-way"
    assert "file:2" in offered(battle)
    do(battle, "file:2")
    assert p(battle, "h").file == 2
    touching = scene(
        unit("a", of=profile(), models=9, files=5),
        hero("h", 0, "a", file=2, rank=0),
        unit("b", 1, of=quiet(hp=5), models=1, files=1),
        moment="melee",
        dice=[1] * 20,
    )
    assert touching.decision is None or asked(touching) != "ask.make-way"


@pytest.mark.rule("t9a.terrain.wall.fortified")
def test_chargers_in_contact_with_a_wall_hit_less_well():
    wall = [piece("w", "wall", 30, 19.9, 42, 20.0)]
    assert needs(duel(profile(), quiet(hp=9), [1], a={"charging": True}, terrain=wall), "hit") == [5]
    assert needs(duel(profile(), quiet(hp=9), [1], terrain=wall), "hit") == [4]


@pytest.mark.rule("t9a.terrain.water.footing")
def test_in_water_nobody_stomps():
    monster = profile(height=5, hp=5, base=(50, 50), parts=[part("stomp 4", att=None, s=5)])
    water = [piece("w", "water", 30, 16, 42, 18.5)]
    assert not events(duel(monster, quiet(hp=9), [6] * 4, terrain=water), "special-attack")
    assert events(duel(monster, quiet(hp=9), [6] * 4), "special-attack")


@pytest.mark.rule("t9a.melee.round.definition", "t9a.melee.round.multiple")
def test_combats_are_groups_of_units_in_contact_and_are_fought_once():
    one = (unit("a", of=quiet(), models=1, files=1), unit("b", 1, of=quiet(), models=1, files=1))
    two = (
        unit("c", of=quiet(), models=1, files=1, at=(50, 20)),
        unit("d", 1, of=quiet(), models=1, files=1, at=(50, 20)),
    )
    battle = scene(*one, *two, moment="melee")
    assert asked(battle) == "ask.combat"
    assert offered(battle) == ["combat:0", "combat:1"]
    do(battle, "combat:1")
    while battle.decision is not None and asked(battle) == "ask.combat-reforms":
        do(battle, [])
    assert len(events(battle, "combat")) == 2
    wide = scene(
        unit("a", of=quiet(), models=1, files=1, at=(35.5, 20)),
        unit("e", of=quiet(), models=1, files=1, at=(36.6, 20)),
        unit("b", 1, of=quiet(), models=5),
        moment="melee",
        dice=[],
    )
    fired(wide, "t9a.melee.round.multiple")


@pytest.mark.rule("t9a.melee.no-foe-at-start", "t9a.melee.no-more-foes")
def test_units_whose_foes_are_gone_pivot_or_overrun():
    battle = scene(unit("a", free=True, freed_charging=True), unit("b", 1, at=(36, 46)), moment="melee", dice=[3, 4])
    assert offered(battle) == ["none", "pivot", "overrun"]
    do(battle, "overrun")
    assert round(u(battle, "a").y, 2) == 27.0
    battle = scene(unit("a", free=True), unit("b", 1, at=(36, 46)), moment="melee")
    assert offered(battle) == ["none", "pivot"]


@pytest.mark.rule("t9a.melee.post.pivot", "t9a.melee.post.pivot-no-charge")
def test_a_post_combat_pivot_bars_from_charging_next():
    killer = profile(parts=[part(att=5, off=9, agi=5, s=9)])
    battle = duel(killer, quiet(), [6] * 10, foes=5, active=1, until="battle", others=(unit("z", 1, at=(60, 46)),))
    until(battle, "ask.post-pivot")
    do(battle, 90.0)
    assert u(battle, "a").no_charge == battle.state.player_turn == 5
    assert "a" not in offered(battle) or asked(battle) != "ask.charge"


@pytest.mark.rule("t9a.charge.charging-status")
def test_charging_ends_with_the_first_round():
    battle = duel(quiet(), quiet(), models=5, foes=5, a={"charging": True}, b={"standard": True}, until="battle")
    until(battle, "never", 1) if battle.decision is None else None
    assert u(battle, "a").charging is False


@pytest.mark.rule("t9a.melee.prep.lock", "t9a.melee.unlock")
def test_boundaries_keep_their_size_until_they_are_unlocked():
    killer = profile(parts=[part(att=5, off=9, agi=5, s=9)], hp=9)
    battle = duel(killer, profile(parts=[part(agi=1)], dis=10), [6] * 10, foes=10, then=[1] * 40)
    assert p(battle, "b").count == 5
    fired(battle, "t9a.melee.unlock")
    assert plain


@pytest.mark.rule("t9a.melee.prep.virtual-ranks", "t9a.def.full-rank")
def test_losses_reduce_the_full_ranks_that_are_counted():
    from umpire.games.t9a.formation import full_ranks

    state = duel(quiet(), quiet(), models=17, foes=1).state
    assert full_ranks(state, state.unit("a")) == 3
    for models, files, height, ranks in ((23, 6, 1, 4), (23, 7, 1, 3), (8, 3, 3, 2), (16, 4, 1, 0), (1, 1, 5, 1)):
        state = scene(unit("a", of=quiet(height=height), models=models, files=files), unit("b", 1, at=(36, 40))).state
        assert full_ranks(state, state.unit("a")) == ranks


@pytest.mark.rule("t9a.attack.allocate", "t9a.melee.attack.allocate-timing")
def test_every_attack_has_its_unit_and_its_pool_before_a_die_is_rolled():
    """Two enemies and a character among them: the attacks of the step are shared out among three health pools, and only
    then dice are rolled, for each pool its own."""
    strong = profile(parts=[part(att=3, off=9, agi=9)], hp=9)
    battle = scene(
        unit("a", at=(36, 20), of=strong, models=1, files=1),
        unit("b", 1, at=(35.5, 20), of=profile(hp=3, parts=[QUIET]), models=1, files=1),
        unit("c", 1, at=(37, 20), of=profile(hp=3, parts=[QUIET]), models=1, files=2),
        hero("h", 1, "c", of=profile(hp=3, parts=[QUIET]), file=1, rank=0),
        moment="melee",
        dice=[1, 1, 1],
    )
    until(battle, "ask.allocate")
    assert not rolled(battle, "hit")
    assert sorted(battle.decision.parts) == ["b", "c", "h"]
    refused(battle, {"b": 1, "c": 1, "h": 0})
    do(battle, {"b": 1, "c": 1, "h": 1})
    targets = [e.facts["target"] for e in battle.events if e.kind == "roll" and e.roll.purpose == "hit"]
    assert targets == ["b", "c", "h"]


@pytest.mark.rule("t9a.melee.attack.restricted-parts", "t9a.melee.attack.restricted-cap")
def test_the_owner_says_which_parts_make_the_restricted_attacks():
    """Height 2, struck at in the flank: two attacks in all. The rider (Agility 5, two attacks) makes one and leaves the
    other to his horse (Agility 3)."""
    rider = profile(parts=[part(att=2, agi=5), part(att=1, agi=3, mount=True)], height=2, hp=3, traits=("mounted",))

    def flanked(answer):
        battle = scene(
            unit("a", at=(36, 20), of=rider, models=1, files=1),
            unit("b", 1, at=(36.5, 19.5), facing=270.0, of=profile(hp=9, parts=[QUIET]), models=1, files=1),
            moment="melee",
            dice=[1, 1, 1],
        )
        assert asked(battle) == "ask.restricted"
        assert offered(battle) == ["2", "1", "0"]
        do(battle, answer)
        return rolled(battle, "hit")

    assert flanked("2") == [2], "nothing is left for the horse"
    assert flanked("1") == [1, 1]
    assert flanked("0") == [1]
