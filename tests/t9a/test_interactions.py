"""Rules that meet: what plain code of each by itself gets wrong. Each test names what meets what."""

import pytest

from t9a.builder import (
    asked,
    do,
    duel,
    events,
    fired,
    gun,
    hero,
    last,
    lost,
    needs,
    offered,
    p,
    part,
    piece,
    profile,
    quiet,
    refused,
    rolled,
    scene,
    u,
    unit,
    until,
)
from umpire.games.t9a import aligning, charging, command, magic_effects, melee_round, moving
from umpire.games.t9a.formation import box, layout
from umpire.games.t9a.state import Round


def rock(key, x0, y0, x1, y1):
    return piece(key, "impassable", x0, y0, x1, y1)


def kinds(battle):
    return [event.kind for event in battle.events]


@pytest.mark.rule("t9a.charge.sequence", "t9a.charge.redirect.test")
def test_no_range_is_rolled_before_the_last_reaction():
    """Interaction 1: a redirect re-opens declarations, and still nobody has rolled."""
    battle = scene(
        unit("a", at=(20, 20), of=quiet(cha=6, dis=10), models=5),
        unit("c", at=(50, 20), of=quiet(cha=6), models=5),
        unit("b", 1, at=(20, 26), of=quiet(), models=5),
        unit("d", 1, at=(28, 27), of=quiet(), models=5),
        unit("e", 1, at=(50, 26), of=quiet(), models=5),
        dice=[1, 2, 1, 1, 6, 6],
    )
    do(battle, "a", "b", "flee")
    assert asked(battle) == "ask.redirect"
    do(battle, True, "d", "hold")
    assert asked(battle) == "ask.charge", "declarations go on"
    assert not events(battle, "charge-range")
    do(battle, "c", "e", "hold")
    if battle.decision is not None and asked(battle) == "ask.charge-order":
        do(battle, "e")
    order = [k for k in kinds(battle) if k in ("holds", "charge-range")]
    assert order == ["holds", "holds", "charge-range", "charge-range"]


@pytest.mark.rule("t9a.charge.declare.space-check")
def test_who_might_flee_clears_no_way():
    """Interaction 2: an enemy in the lane may flee, but the lane is shut until he has."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet(cha=9), models=5),
        unit("e", 1, at=(36, 24), of=quiet(), models=5),
        unit("b", 1, at=(36, 30), of=quiet(), models=5),
        terrain=[rock("l", 20, 18, 33, 31), rock("r", 39, 18, 52, 31)],
    )
    do(battle, "a")
    assert offered(battle) == ["e"]
    refused(battle, "b")


@pytest.mark.rule("t9a.charge.combined.no-misaligned")
def test_a_misaligned_charge_needs_a_target_that_nobody_else_has_declared_on():
    """Interaction 4: seven files fit between the stones only leaning, and only alone."""
    stones = [rock("l", 36.5, 25.2, 37.3, 25.8), rock("r", 42.7, 25.2, 43.5, 25.8)]
    battle = scene(
        unit("a", at=(39.8, 20), of=quiet(cha=6), models=7, files=7),
        unit("c", at=(40, 34), facing=180.0, of=quiet(cha=6), models=5),
        unit("b", 1, at=(40, 26), of=quiet(), models=5),
        unit("z", 1, at=(8, 46), of=quiet()),
        terrain=stones,
    )
    a, b = u(battle, "a"), u(battle, "b")
    assert charging.room(battle.state, a, b)
    u(battle, "c").target, u(battle, "c").declared = "b", True
    assert not charging.room(battle.state, a, b)
    assert aligning.contact(battle.state, a, b, misaligned=False) is None


@pytest.mark.rule("t9a.charge.facing", "t9a.charge.reaction.flee.move")
def test_the_facing_of_a_fled_target_is_taken_where_it_now_stands():
    """Interaction 5: charged in its front it has turned its back; whoever still reaches it charges the rear."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet(cha=9), models=5),
        unit("b", 1, at=(36, 26), of=quiet(), models=5),
        dice=[1, 1, 6],
    )
    do(battle, "a", "b", "flee")
    assert last(battle, "charge-facing")["face"] == "face.rear"
    assert [pair.b_face for pair in battle.state.pairs] == ["rear"]


@pytest.mark.rule("t9a.charge.redirect.test", "t9a.charge.redirect.once")
def test_whoever_declared_earlier_may_redirect_too_each_once():
    """Interaction 6: b holds against a and flees from c; both may test, and neither a second time."""
    battle = scene(
        unit("a", at=(30, 20), of=quiet(cha=6, dis=10), models=3, files=3),
        unit("c", at=(38, 20), of=quiet(cha=6, dis=10), models=3, files=3),
        unit("b", 1, at=(34, 27), of=quiet(), models=5),
        unit("d", 1, at=(24, 27), of=quiet(), models=5),
        unit("e", 1, at=(44, 27), of=quiet(), models=5),
        dice=[1, 2, 1, 1, 1, 1],
    )
    do(battle, "a", "b", "hold", "c", "b", "flee")
    tested = []
    while battle.decision is not None and asked(battle) in ("ask.redirect", "ask.redirect-target", "ask.reaction"):
        if asked(battle) == "ask.redirect":
            tested.append(battle.decision.about)
            do(battle, True)
        elif asked(battle) == "ask.reaction":
            do(battle, "hold")
        else:
            do(battle, next(iter(battle.decision.options)))
    assert sorted(tested) == ["a", "c"]


@pytest.mark.rule("t9a.charge.reaction.flee.contact", "t9a.psych.flee.enemies")
def test_fleeing_into_a_charger_destroys_into_others_it_is_dangerous():
    """Interaction 7: b flees from c straight into a, which has declared on it too; against another it only tests."""

    def flight(declares):
        battle = scene(
            unit("a", at=(36, 40), facing=180.0, of=quiet(cha=9), models=5),
            unit("c", at=(36, 20), of=quiet(cha=9), models=5),
            unit("b", 1, at=(36, 28), of=quiet(), models=5),
            unit("x", 1, at=(36, 46.5), facing=0.0, of=quiet(), models=1, files=1),
            dice=[6, 6, 1, 1, 1, 1, 1, 1, 1],
        )
        if declares:
            do(battle, "a", "b", "hold")
        do(battle, "c", "b", "flee")
        return battle

    assert u(flight(True), "b").where == "gone"
    other = flight(False)
    assert u(other, "b").where == "table"
    assert rolled(other, "dangerous")


@pytest.mark.rule("t9a.rule.terror", "t9a.psych.shaken.engaged")
def test_who_fails_against_terror_and_cannot_flee_is_removed_in_melee():
    """Interaction 8: Emplaced it holds, shaken, and is removed when its combat begins."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet("terror", cha=9), models=5),
        unit("b", 1, at=(36, 26), of=quiet("emplaced", dis=2), models=5),
        dice=[6, 6, 6],
        until="battle",
    )
    do(battle, "a", "b")
    holds = next(k for k, event in enumerate(battle.events) if event.kind == "holds")
    removed = next(k for k, event in enumerate(battle.events) if event.kind == "shaken-removed")
    assert holds < removed
    assert u(battle, "b").where == "gone"


@pytest.mark.rule("t9a.rule.fearless", "t9a.rule.feigned-flight.fearless")
def test_one_joined_model_spoils_the_flight_of_the_fearless():
    """Interaction 9: wholly Feigned Flight, the fearless may flee; with a companion who does not feign they may not."""

    def may(*others, **more):
        battle = scene(
            unit("a", at=(36, 20), of=quiet(cha=9), models=5),
            unit("b", 1, at=(36, 26), of=quiet("fearless", "feigned-flight"), models=5, **more),
            *others,
        )
        return next(charging.flee_objections(battle.state, u(battle, "b")), None) is None

    assert may()
    assert not may(hero("h", 1, "b", of=quiet(hp=3)))
    assert may(hero("h", 1, "b", of=quiet("feigned-flight", hp=3)))
    assert may(hero("h", 1, "b", of=quiet(hp=3)), shaken=True)


@pytest.mark.rule("t9a.char.join.moved-separately", "t9a.shoot.mod.moved")
def test_who_marched_into_a_unit_does_not_shoot_with_it():
    """Interaction 14: moved and marched are counted for each model."""
    bow = {"own": (gun("bow2", range=24),), "aim": {"bow2": 3}}
    archer = profile(parts=[part(att=None, **bow)], mob=6)
    battle = scene(
        unit("a", at=(36, 20), of=archer, models=4),
        hero("h", 0, "a", of=profile(parts=[part(att=None, **bow)], hp=3, mob=6), moved="march"),
        unit("b", 1, at=(36, 30), of=quiet(), models=5),
        moment="shooting",
        dice=[1] * 6,
    )
    do(battle, "a", "b")
    assert sum(rolled(battle, "hit")) == 4
    assert needs(battle, "hit")[0] == 3, "and the others have not moved"


@pytest.mark.rule("t9a.rule.light-troops.march", "t9a.rule.undead.march")
def test_a_long_reform_is_a_march_for_terrain_and_the_undead_and_a_reform_for_shooting():
    """Interaction 15."""

    def long_one(*rules, **more):
        battle = scene(
            unit("a", at=(36, 20), of=quiet("light-troops.reform", *rules, mob=4), models=5),
            unit("z", 1, at=(8, 46), of=quiet()),
            moment="movement",
            **more,
        )
        return do(battle, "a", "reform")

    far = {"to": {"x": 36, "y": 25, "facing": 0}, "files": 5}
    near = {"to": {"x": 36, "y": 23, "facing": 0}, "files": 5}
    refused(long_one("undead.march"), far, "t9a.rule.undead.march")
    assert long_one("undead.march").check(near).legal
    battle = long_one(terrain=[piece("r", "ruins", 30, 24.5, 42, 26)], dice=[1] * 9)
    do(battle, far)
    assert rolled(battle, "dangerous")
    assert p(battle, "a").moved == "reform"


@pytest.mark.rule("t9a.attack.hit.natural-six-melee", "t9a.shoot.hit-limits", "t9a.rule.poison-attacks")
def test_a_natural_six_hits_in_melee_and_not_in_shooting():
    """Interaction 24: at 7+ the blade hits with a 6 and poisons; the poisoned arrow misses."""
    viper = profile(parts=[part("poison-attacks", off=1)])
    wall = [piece("w", "wall", 30, 19, 42, 20)]
    foe = quiet("distracting", "distracting", hp=9, df=9)
    struck = duel(viper, foe, [6], a={"charging": True}, terrain=wall)
    assert needs(struck, "hit")[0] >= 6
    assert lost(struck, "b") == 1
    bow = gun("dart", "poison-attacks shooting", range=24)
    archer = profile(parts=[part(att=None, own=(bow,), aim={"dart": 6})])
    shot = scene(
        unit("a", at=(36, 20), of=archer, models=1, files=1),
        unit("b", 1, at=(36, 40), of=quiet("hard-target", hp=3), models=1, files=1),
        moment="shooting",
        dice=[6, 6, 6],
    )
    do(shot, "a", "b")
    assert lost(shot, "b") == 0
    fired(shot, "t9a.shoot.hit-limits")


@pytest.mark.rule("t9a.psych.decimated.flee", "t9a.psych.decimated")
def test_decimated_soldiers_vanish_and_their_character_runs_on():
    """Interaction 28: a quarter of the soldiers is left; their captain is whole and flees alone."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet(cha=6), models=5),
        unit("b", 1, at=(36, 26), of=quiet(), models=4, start=20),
        hero("h", 1, "b", of=quiet(hp=3)),
        dice=[3, 4, 1],
    )
    do(battle, "a", "b", "flee")
    assert p(battle, "b").destroyed
    assert u(battle, "b").members == ("h",)
    assert layout(battle.state, u(battle, "b")).width == pytest.approx(1.0)


@pytest.mark.rule("t9a.melee.score.stages", "t9a.melee.formation.timing")
def test_the_static_score_outlives_the_ranks_and_the_standard():
    """Interaction 30: three ranks and a flag are counted before a blow falls; the losses of the round change it not."""
    butcher = profile(parts=[part(att=12, off=9, s=9, ap=6, agi=9)], hp=20, dis=10)
    battle = duel(butcher, quiet(dis=10), [*[6] * 24, 1, 1], foes=15, b={"standard": True})
    static = last(battle, "static-score")["score"]
    assert static == [0, 4]
    assert last(battle, "combat-result")["score"] == [12, 4]


@pytest.mark.rule("t9a.rule.elven-craft", "t9a.rule.weapon.great", "t9a.melee.attack.charge-momentum")
def test_great_weapons_stay_slow_when_charging_elven_craft_does_not():
    """Interaction 33."""

    def step(*rules):
        knight = profile(parts=[part(*rules, weapons=("great",), agi=5)])
        battle = duel(knight, profile(hp=9, parts=[part(att=None, agi=None)]), [1], a={"charging": True})
        return last(battle, "order")["steps"][0]

    assert step() == 0
    assert step("elven-craft") == 5


@pytest.mark.rule("t9a.attack.engaged-casualties.last-model", "t9a.melee.attack.resolve")
def test_who_is_wiped_out_takes_up_no_room_and_lower_steps_lose_their_target():
    """Interaction 35: at Agility 9 the only enemy dies; at Agility 3 there is nobody left to strike at."""
    both = profile(parts=[part(agi=9, off=9, s=9), part(agi=3, mount=True)], traits=("mounted",))
    battle = duel(both, quiet(), [6, 6])
    assert rolled(battle, "hit") == [1]
    fired(battle, "t9a.attack.engaged-casualties.last-model")


@pytest.mark.rule("t9a.rule.stubborn", "t9a.melee.formation.steady-effect")
def test_stubborn_halves_what_steady_has_left():
    """Interaction 37: lost by five, Steady makes it two, Stubborn one."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet("stubborn"), models=15),
        unit("b", 1, at=(36, 20), of=quiet(), models=5),
        moment="melee",
    )
    state = battle.state
    now = Round(units=("a", "b"), winner=1, difference=5)
    ranks = {"a": 3, "b": 1}
    assert melee_round.penalty(state, u(battle, "a"), now, ranks)[0] == 1
    assert command.stubborn(state, u(battle, "a"))
    assert melee_round.penalty(state, u(battle, "b"), now, ranks)[0] == 5


@pytest.mark.rule("t9a.rule.feigned-flight", "t9a.rule.unstable")
def test_who_feigns_leaves_before_break_tests_and_crumbles_not():
    """Interaction 38: Unstable troops that feign lose nothing by the score."""
    butcher = profile(parts=[part(att=4, off=9, s=9, ap=6, agi=9)], hp=9)
    battle = scene(
        unit("a", at=(36, 20), of=butcher, models=1, files=1),
        unit("b", 1, at=(36, 20), of=quiet("unstable", "feigned-flight"), models=10),
        moment="melee",
        dice=[*[6] * 8, 3, 4],
    )
    until(battle, "ask.feign")
    do(battle, True)
    until(battle, "ask.combat-reforms", 20)
    assert not events(battle, "crumbles")
    assert p(battle, "b").count == 6


@pytest.mark.rule("t9a.move.final-position", "t9a.magic.move.distance")
def test_a_magical_move_sets_the_mobility_of_all_its_limits():
    """Interaction 17: a magical move of 3 inches for troops of Mobility 6: 6 inches marched, corners within 6."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet(mob=6), models=5), unit("z", 1, at=(8, 46), of=quiet()), moment="movement"
    )
    mover = moving.Manoeuvre(battle.state, u(battle, "a"), moving.Budget("march", 3, "magic"))
    assert not mover.judge({"path": [{"how": "forward", "inches": 6}]})
    rules = [r.rule for r in mover.judge({"path": [{"how": "forward", "inches": 6.1}]})]
    assert rules == ["t9a.move.march.advance", "t9a.move.serpentine.distance", "t9a.move.final-position"]
    reform = moving.Manoeuvre(battle.state, u(battle, "a"), moving.Budget("reform", 3, "magic"))
    assert not reform.judge({"to": {"x": 36, "y": 21, "facing": 0}, "files": 5})
    assert reform.judge({"to": {"x": 36, "y": 21.1, "facing": 0}, "files": 5})


@pytest.mark.rule("t9a.charge.range.success")
def test_the_wheeled_way_does_not_count():
    """Interaction 3: 9 inches apart, the way with its wheel is longer, a range of 9 is enough."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet(cha=4), models=10, files=10),
        unit("b", 1, at=(45, 28), facing=210.0, of=quiet(), models=5),
        dice=[6],
    )
    do(battle, "a", "b", "hold")
    gap = events(battle, "charge")[0].facts["gap"]
    way = last(battle, "charge-way")
    assert way["inches"] > 0
    assert gap <= 14
    assert battle.state.engaged("a")
    assert box(battle.state, u(battle, "a")).w == 10


@pytest.mark.rule("t9a.magic.move.actions", "t9a.rule.ambush.moved")
@pytest.mark.parametrize(("reading", "moves"), [("no", False), ("yes", True)])
def test_who_has_just_arrived_makes_no_magical_move(reading, moves):
    """Interaction 18: the ledger says no and yes; by the option the players settle it."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet(), models=5, arrived=2),
        unit("z", 1, at=(8, 46), of=quiet()),
        moment="magic",
        turn=2,
        options={"ambush_magic_move": reading},
    )
    against = [r.rule for r in magic_effects.move_objections(battle.state, u(battle, "a"))]
    assert ("t9a.magic.move.actions" not in against) is moves


@pytest.mark.rule("t9a.melee.break.caught", "t9a.prep.destroyed-in-melee")
def test_a_broken_decimated_unit_still_rolls_and_may_be_caught():
    """Interaction 29: caught or not, the four of twenty who are left are destroyed in melee."""
    butcher = profile(parts=[part(att=4, off=9, s=9, ap=6, agi=9)], hp=9)

    def routed(*dice):
        battle = scene(
            unit("a", at=(36, 20), of=butcher, models=1, files=1),
            unit("b", 1, at=(36, 20), of=quiet(dis=2), models=8, start=20),
            moment="melee",
            dice=[*[6] * 8, 6, 6, *dice],
        )
        until(battle, "ask.pursue", 20)
        do(battle, "b")
        return battle

    caught = routed(1, 1, 6, 6)
    fired(caught, "t9a.melee.break.caught")
    assert p(caught, "b").in_melee
    away = routed(6, 6, 1, 1)
    assert not events(away, "caught")
    assert events(away, "decimated")
    assert p(away, "b").in_melee


@pytest.mark.rule("t9a.melee.pursue.new-combat", "t9a.melee.score.charge")
def test_a_pursuit_into_a_combat_still_to_be_fought_fights_again():
    """Interaction 39: a catches b and runs into c, which d has yet to fight; a fights there in this phase and counts as
    charging."""
    butcher = profile(parts=[part(att=6, off=9, s=9, ap=6, agi=9)], hp=9, dis=10)
    battle = scene(
        unit("a", at=(36, 20), of=butcher, models=3, files=3),
        unit("b", 1, at=(36, 20), of=quiet(dis=2), models=20, files=5),
        unit("c", 1, at=(36, 28), facing=90.0, of=quiet(dis=10), models=10, files=2),
        unit("d", at=(36, 28), facing=270.0, of=quiet(dis=10), models=4, files=2),
        moment="melee",
        dice=[*[6] * 36, 6, 6, 1, 1, 6, 4, *[1] * 40],
    )
    until(battle, "ask.combat")
    do(battle, "combat:0" if "a" in battle.decision.options["combat:0"].refs else "combat:1")
    until(battle, "ask.pursue", 20)
    do(battle, "b")
    until(battle, "ask.combat-reforms", 30)
    fired(battle, "t9a.melee.pursue.new-combat")
    assert events(battle, "joins-combat")
    assert ("score", "t9a.melee.score.charge") in [(e.kind, e.rules[0]) for e in battle.events if e.rules]
