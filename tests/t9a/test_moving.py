"""The Movement Phase: what a front sweeps, what a wheel costs, where a move may end, reforms model by model."""

import math
import random

import pytest

from t9a.builder import (
    QUIET,
    allowed,
    asked,
    do,
    events,
    fired,
    hero,
    offered,
    p,
    part,
    piece,
    profile,
    quiet,
    refused,
    scene,
    u,
    unit,
)


def on(inches):
    return {"how": "forward", "inches": inches}


def wheel(degrees):
    return {"how": "wheel", "degrees": degrees}


def pivot(degrees):
    return {"how": "pivot", "degrees": degrees}


def path(*legs):
    return {"path": list(legs)}


def moving(action="normal", *others, of=None, terrain=(), options=None, models=10, files=5, **more):
    """Unit a, 5 by 2 inches with its front at y = 20, is asked for this move."""
    battle = scene(
        unit("a", at=(36, 20), of=of or quiet(), models=models, files=files, **more),
        unit("far", 1, at=(8, 46), of=quiet(), models=5),
        *others,
        moment="movement",
        terrain=terrain,
        options=options,
    )
    return do(battle, "a", action)


def to(x, y, facing=0.0, files=5):
    return {"to": {"x": x, "y": y, "facing": facing}, "files": files}


@pytest.mark.rule("t9a.move.sequence", "t9a.move.actions")
def test_one_move_action_a_phase():
    battle = scene(
        unit("a", of=quiet()), unit("b", at=(50, 20), of=quiet()), unit("z", 1, at=(8, 46)), moment="movement"
    )
    assert offered(battle) == ["a", "b", "end"]
    do(battle, "a")
    assert offered(battle) == ["reform", "normal", "march"]
    do(battle, "normal", path(on(2)))
    refused(battle, "a", "t9a.move.sequence")
    assert offered(battle) == ["b", "end"]


@pytest.mark.rule("t9a.move.cannot-move")
def test_who_declared_a_charge_does_not_move():
    battle = scene(
        unit("a", of=quiet(), declared=True),
        unit("b", at=(50, 20), of=quiet()),
        unit("z", 1, at=(8, 46)),
        moment="movement",
    )
    refused(battle, "a", "t9a.move.cannot-move")


@pytest.mark.rule("t9a.move.normal.advance", "t9a.move.serpentine.distance")
def test_a_normal_move_goes_its_mobility():
    battle = moving()
    allowed(battle, path(on(4)))
    refused(battle, path(on(4.01)), "t9a.move.normal.advance")
    refused(battle, path(on(3), wheel(5), on(1.1)), "t9a.move.normal.advance")
    # Two wheels of 60 degrees to one side are too much, to and fro they are not (a wide Mobility pays them).
    wide = moving(of=quiet(mob=20))
    refused(wide, path(wheel(60), on(1), wheel(60)), "t9a.move.normal.advance")
    allowed(wide, path(wheel(60), on(1), wheel(-60)))
    do(battle, path(on(4)))
    assert (u(battle, "a").x, u(battle, "a").y) == (36, 24)
    fired(battle, "t9a.move.normal.advance", "t9a.move.serpentine.distance")


@pytest.mark.rule("t9a.move.march.advance")
def test_a_march_goes_twice_its_mobility_without_a_pivot():
    battle = moving("march")
    allowed(battle, path(on(8)))
    refused(battle, path(on(8.1)), "t9a.move.march.advance")
    refused(battle, path(pivot(10), on(2)), "t9a.move.march.advance")
    allowed(battle, path(wheel(10), on(2)))


@pytest.mark.rule("t9a.move.types")
def test_a_pivot_comes_first():
    battle = moving()
    refused(battle, path(on(1), pivot(10)), "t9a.move.types")
    allowed(battle, path(pivot(10), on(1)))


@pytest.mark.rule("t9a.move.serpentine.steps")
def test_a_wheel_goes_forward_by_ninety_degrees_at_most():
    battle = moving(of=quiet(mob=8))
    allowed(battle, path(wheel(90)))
    refused(battle, path(wheel(91)), "t9a.move.serpentine.steps")
    refused(battle, path(on(-1)), "t9a.move.serpentine.steps")


@pytest.mark.rule("t9a.move.serpentine.wheel-cost")
def test_a_wheel_costs_how_far_the_outer_corner_comes_forward():
    battle = moving()
    allowed(battle, path(wheel(30), on(1.5)))
    refused(battle, path(wheel(30), on(1.51)), "t9a.move.normal.advance")
    chord = moving(options={"wheel_cost": "chord"})
    refused(chord, path(wheel(30), on(1.5)), "t9a.move.normal.advance")
    allowed(chord, path(wheel(30), on(1.41)))
    do(battle, path(wheel(30), on(1.5)))
    fired(battle, "t9a.move.serpentine.wheel-cost")


@pytest.mark.rule("t9a.move.serpentine.front-only")
def test_the_rear_may_sweep_over_others_on_the_way():
    """A right wheel swings the left rear corner out over the friend beside it."""
    friend = unit("f", at=(32.3, 18.9), of=quiet(), models=1, files=1)
    battle = moving("normal", friend, models=20, of=quiet(mob=5))
    refused(battle, path(wheel(25)), "t9a.def.unit-boundary.no-overlap")
    allowed(battle, path(wheel(40), on(1.5)))
    do(battle, path(wheel(40), on(1.5)))
    fired(battle, "t9a.move.serpentine.front-only")


@pytest.mark.rule("t9a.move.final-position")
def test_each_corner_ends_near_one_that_was():
    """Interaction 16: the way is legal, and a corner ends too far from every corner that was."""
    battle = moving("march", models=12, files=6)
    refused(battle, path(on(5), wheel(30)), "t9a.move.final-position")
    allowed(battle, path(on(3), wheel(30), on(2)))


@pytest.mark.rule("t9a.move.pivot.centre", "t9a.move.normal.pivot")
def test_a_pivot_turns_about_the_centre_half_an_inch_from_others():
    beside = unit("f", at=(36, 22.9), of=quiet(), models=1, files=1)
    battle = moving("normal", beside)
    # Turned by 90 degrees the unit reaches 2.5 inches ahead of its centre at y = 19: 0.4 from the rear of f.
    refused(battle, path(pivot(90)), "t9a.move.normal.pivot")
    clear = unit("f", at=(36, 23.1), of=quiet(), models=1, files=1)
    battle = moving("normal", clear)
    refused(battle, path(pivot(90)), "t9a.def.spacing.end")
    do(battle, path(pivot(90), on(4)))
    assert (u(battle, "a").x, u(battle, "a").y, u(battle, "a").facing) == pytest.approx((41, 19, 90))
    fired(battle, "t9a.move.pivot.centre")


@pytest.mark.rule("t9a.move.pivot.model-limit")
def test_no_model_shifts_further_than_twice_its_mobility():
    """Ten wide and two deep: a corner model is 4.53 inches from the centre; half a turn by swapping places is none."""
    battle = moving(models=20, files=10)
    allowed(battle, path(pivot(90)))
    allowed(battle, path(pivot(180)))
    slow = moving(models=20, files=10, of=quiet(mob=1))
    refused(slow, path(pivot(90)), "t9a.move.pivot.model-limit")
    allowed(slow, path(pivot(180)))


@pytest.mark.rule("t9a.move.normal.rearrange", "t9a.move.march.rearrange")
def test_the_number_of_files_stays_and_characters_change_places():
    refused(moving(), {**path(on(1)), "files": 6}, "t9a.move.normal.rearrange")
    refused(moving("march"), {**path(on(1)), "files": 6}, "t9a.move.march.rearrange")
    for action in ("normal", "march"):
        battle = moving(action, hero("h", in_unit="a", of=quiet(hp=3)))
        do(battle, path(on(1)))
        assert asked(battle) == "ask.rearrange"
        do(battle, "h:0")
        assert p(battle, "h").file == 0
        fired(battle, f"t9a.move.{action}.rearrange")


@pytest.mark.rule("t9a.move.march.final-adjust")
def test_a_march_ends_with_no_backward_rotation():
    back = path(on(4), {"how": "back", "degrees": 8})
    refused(moving("march"), back, "t9a.move.march.final-adjust")
    battle = moving("march", options={"march_adjustment": "on"})
    allowed(battle, back)
    refused(battle, path(on(4), {"how": "back", "degrees": 20}), "t9a.move.march.final-adjust")


@pytest.mark.rule("t9a.move.reform.centre")
def test_the_centre_of_a_reform_moves_half_the_mobility():
    battle = moving("reform")
    allowed(battle, to(36, 21))
    refused(battle, to(36, 21.1), "t9a.move.reform.centre")
    allowed(battle, to(36, 19, 180))
    odd = moving("reform", of=quiet(mob=5))
    allowed(odd, to(36, 21.5))
    refused(odd, to(36, 21.6), "t9a.move.reform.centre")


@pytest.mark.rule("t9a.move.reform.files", "t9a.rule.musician")
def test_a_reform_changes_three_files_a_musician_four():
    battle = moving("reform", models=20)
    allowed(battle, to(36, 18, files=8))
    refused(battle, to(36, 18, files=9), "t9a.move.reform.files")
    drum = moving("reform", models=20, musician=True)
    allowed(drum, to(36, 18, files=9))
    refused(drum, to(36, 18, files=10), "t9a.move.reform.files")
    do(battle, to(36, 18, files=8))
    assert u(battle, "a").files == 8


@pytest.mark.rule("t9a.move.reform.model-limit")
def test_no_model_of_a_reform_goes_further_than_twice_its_mobility():
    battle = moving("reform", of=quiet(mob=1), models=20, files=10)
    refused(battle, to(36, 19, 90, files=10), "t9a.move.reform.model-limit")
    allowed(battle, to(36, 19, 180, files=10))


@pytest.mark.rule("t9a.move.reform.model-spacing")
def test_models_pass_through_gaps_that_leave_them_half_an_inch():
    """One model on a base of an inch goes through a wall with a gap: two inches are enough, a little less is not."""

    def through(gap):
        walls = [
            piece("l", "impassable", 20, 22, 36 - gap / 2, 22.2),
            piece("r", "impassable", 36 + gap / 2, 22, 52, 22.2),
        ]
        return moving(
            "reform",
            of=quiet("light-troops.reform", "light-troops.march", "light-troops.musician", mob=4),
            models=1,
            files=1,
            terrain=walls,
        )

    allowed(through(2.01), to(36, 24.4, files=1))
    refused(through(1.9), to(36, 24.4, files=1), "t9a.move.reform.model-spacing")


@pytest.mark.rule("t9a.rule.light-troops.reform", "t9a.rule.light-troops.march")
def test_light_troops_reform_far_and_that_counts_as_a_march():
    light = quiet("light-troops.reform", "light-troops.march", "light-troops.musician", mob=6)
    battle = moving("reform", of=light)
    allowed(battle, to(36, 31))
    refused(battle, to(36, 31.1), "t9a.rule.light-troops.reform")
    ruins = [piece("r", "ruins", 34, 22, 38, 23)]
    near = do(moving("reform", of=light, terrain=ruins), to(36, 25))
    assert not events(near, "counts-as-march")
    far = do(moving("reform", of=light, terrain=ruins), to(36, 26))
    fired(far, "t9a.rule.light-troops.march")


@pytest.mark.rule("t9a.rule.light-troops.musician")
def test_an_enemy_musician_close_by_hinders_light_troops():
    foe = unit("d", 1, at=(36, 22.5), of=quiet(), models=5, musician=True)
    battle = moving(
        "reform", foe, of=quiet("light-troops.reform", "light-troops.march", "light-troops.musician", mob=6)
    )
    refused(battle, to(36, 12.9), "t9a.rule.light-troops.musician")
    allowed(battle, to(36, 13))
    shaken = unit("d", 1, at=(36, 22.5), of=quiet(), models=5, musician=True, shaken=True)
    allowed(
        moving("reform", shaken, of=quiet("light-troops.reform", "light-troops.march", "light-troops.musician", mob=6)),
        to(36, 12.9),
    )


@pytest.mark.rule("t9a.rule.undead.march")
def test_undead_march_only_near_their_commander():
    undead = quiet("undead.march")
    battle = scene(unit("a", of=undead), unit("z", 1, at=(8, 46), of=quiet()), moment="movement")
    do(battle, "a")
    refused(battle, "march", "t9a.rule.undead.march")
    assert offered(battle) == ["reform", "normal"]


@pytest.mark.rule("t9a.move.during.line-collapse")
def test_what_lies_under_the_unit_and_before_its_front_is_touched():
    def marched(x0, y0, x1, y1, *legs):
        battle = moving("march", terrain=[piece("r", "ruins", x0, y0, x1, y1)], of=quiet(mob=5))
        return [e.facts["terrain"] for e in events(do(battle, path(*legs)), "touched")]

    assert marched(35, 18.2, 36, 18.6, on(5)) == [["r"]], "under the rear rank at the start"
    assert marched(35, 22, 36, 22.5, on(5)) == [["r"]], "crossed by the front"
    assert marched(35, 16, 36, 17, on(5)) == [], "behind"
    assert marched(39, 17.5, 39.3, 17.9, wheel(40), on(2)) == [], "only the rear would have swept it"


@pytest.mark.rule("t9a.rule.fly", "t9a.rule.fly.end")
def test_flyers_pass_over_everybody_and_end_an_inch_off():
    house = [piece("h", "impassable", 34, 21, 38, 22)]
    foe = unit("e", 1, at=(36, 24), facing=0.0, of=quiet(), models=5)
    bird = moving("march", foe, of=quiet("fly", mob=6), terrain=house)
    allowed(bird, path(on(7.1)))
    refused(bird, path(on(6.9)), "t9a.rule.fly.end")
    refused(bird, path(on(3)), "t9a.rule.fly.end")
    foot = moving("march", foe, of=quiet(mob=6), terrain=house)
    refused(foot, path(on(7.1)), "t9a.terrain.impassable", "t9a.def.spacing.base-contact")


@pytest.mark.rule("t9a.rule.ghost-step", "t9a.terrain.impassable")
def test_ghosts_pass_through_houses_not_through_units():
    house = [piece("h", "impassable", 34, 21, 38, 22)]
    ghost = moving("march", of=quiet("ghost-step", mob=6), terrain=house)
    allowed(ghost, path(on(5)))
    refused(ghost, path(on(3)), "t9a.terrain.impassable")
    refused(moving("march", of=quiet(mob=6), terrain=house), path(on(5)), "t9a.terrain.impassable")


@pytest.mark.rule("t9a.move.normal.advance")
def test_a_goal_finds_its_way():
    battle = moving(of=quiet(mob=8))
    allowed(battle, {"to": {"x": 38, "y": 24}})
    do(battle, {"to": {"x": 39, "y": 25, "facing": 45}})
    assert (u(battle, "a").x, u(battle, "a").y) == pytest.approx((39, 25))
    assert u(battle, "a").facing == pytest.approx(45)
    refused(moving(), {"to": {"x": 36, "y": 40}}, "t9a.move.normal.advance")


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("action", ["normal", "march"])
def test_wherever_manoeuvres_lead_is_led_to_with_its_facing(action, seed):
    """A pivot and a wheel between two straights, or a straight between two wheels: where it ends is a goal to which a
    way is found that costs no more than there is."""
    rng = random.Random(seed)
    models, files = rng.choice(((10, 5), (12, 6), (6, 3), (20, 10), (3, 3)))
    battle = scene(unit("a", models=models, files=files), unit("z", 1, at=(8, 46), of=quiet()), moment="movement")
    do(battle, "a", action)
    most = battle.decision.form.limit / 2

    def wheel():
        return {"how": "wheel", "degrees": rng.uniform(-40, 40)}

    def ahead():
        return {"how": "forward", "inches": rng.uniform(0, most)}

    while True:
        first = {"how": "pivot", "degrees": rng.uniform(-60, 60)}
        path = [first, ahead(), wheel(), ahead()] if action == "normal" else [wheel(), ahead(), wheel()]
        if battle.check({"path": path}).legal:
            break
    moved = battle.fork()
    moved.answer({"path": path})
    there = moved.state.unit("a")
    allowed(battle, {"to": {"x": there.x, "y": there.y, "facing": there.facing}})
    do(battle, {"to": {"x": there.x, "y": there.y, "facing": there.facing}})
    assert (u(battle, "a").x, u(battle, "a").y) == pytest.approx((there.x, there.y), abs=1e-6)
    assert abs((u(battle, "a").facing - there.facing + 180) % 360 - 180) < 1e-6


@pytest.mark.rule("t9a.def.spacing.end")
def test_a_place_without_a_facing_is_led_to_with_one_that_has_room():
    """As it comes there by itself it would end too near a stone; turned a little further it stands an inch off."""
    stones = [piece("k", "impassable", 29.11, 24.59, 30.94, 26.43), piece("l", "impassable", 39.1, 26.72, 40.89, 28.51)]
    battle = scene(
        unit("a", models=12, files=6), unit("z", 1, at=(8, 46), of=quiet()), moment="movement", terrain=stones
    )
    do(battle, "a", "march")
    refused(battle, path(wheel(9.52), on(5.8315)), "t9a.def.spacing.end")
    place = {"x": 37.006, "y": 26.2475}
    allowed(battle, {"to": place})
    do(battle, {"to": place})
    assert 9.6 < u(battle, "a").facing < 28.1


def test_where_no_manoeuvres_lead_it_is_said_so():
    battle = do(scene(unit("a"), unit("z", 1, at=(8, 46), of=quiet()), moment="movement"), "a", "march")
    wish = battle.check({"to": {"x": 37, "y": 20.5, "facing": 0}})
    assert [reason.key for reason in wish.reasons] == ["reason.t9a.move.no-way"], "half an inch ahead, an inch aside"


@pytest.mark.rule("t9a.move.march.advance")
def test_of_a_wish_that_is_too_long_the_nearest_is_offered():
    battle = moving("march")
    ruling = battle.check(path(on(12)))
    assert not ruling.legal
    assert ruling.nearest is not None
    allowed(battle, ruling.nearest)
    assert math.fsum(leg["inches"] for leg in ruling.nearest["path"]) == pytest.approx(8, abs=0.02)


@pytest.mark.rule("t9a.move.undo")
def test_a_move_is_taken_back_until_a_die_falls_or_the_other_decides():
    """A march over open ground may be taken back and another made; one through ruins has rolled its dangerous terrain
    test, and what the opponent has answered stands."""
    battle = moving("march")
    do(battle, path(on(4)))
    assert battle.may_undo(0)
    assert not battle.may_undo(1)
    battle.undo()
    assert u(battle, "a").y == 20
    battle.undo()
    do(battle, "normal", path(pivot(90)))
    assert u(battle, "a").facing == 90
    ruins = moving("march", terrain=[piece("r", "ruins", 30, 21, 42, 23)])
    do(ruins, path(on(4)))
    assert not ruins.may_undo(0)
    answered = scene(unit("a", of=quiet(), models=5), unit("b", 1, at=(36, 26), of=quiet(), models=5))
    do(answered, "a", "b")
    assert answered.may_undo(0)
    answered.answer("hold")
    assert not answered.may_undo(0)


@pytest.mark.rule("t9a.move.reform.mid-actions")
def test_a_reform_is_measured_by_the_place_where_something_is_done_on_its_way():
    """Mobility 6, light troops: 7 inches to the stop and 5.5 on are more than 12, though the end is near."""
    light = quiet("light-troops.reform", mob=6)

    def by(x, y, *, then=(36.0, 19.5)):
        return {"path": [{"x": x, "y": y, "facing": 0}, {"x": then[0], "y": then[1], "facing": 0}], "files": 5}

    battle = moving("reform", of=light, models=5)
    refused(battle, by(36, 26.5, then=(36, 21)), "t9a.move.reform.mid-actions")
    allowed(battle, by(36, 26.5, then=(36, 21.5)))
    allowed(battle, by(36, 25.5, then=(36, 19.5)))
    stone = moving("reform", of=light, models=5, terrain=[piece("r", "impassable", 30, 24, 42, 26)])
    refused(stone, by(36, 25), "t9a.move.reform.mid-actions")
    refused(stone, by(36, 23.1), "t9a.move.reform.mid-actions")
    allowed(stone, by(36, 22.9))
    wide = {"options": {"reform_stop": "end"}, "terrain": [piece("r", "impassable", 30, 24, 42, 26)]}
    far = moving("reform", of=light, models=5, **wide)
    refused(far, by(36, 22.9), "t9a.move.reform.mid-actions")
    allowed(far, by(36, 22.4))


@pytest.mark.rule("t9a.move.reform.mid-actions")
def test_who_sweeps_in_a_reform_names_the_place_where_it_does():
    harpy = profile("light-troops.reform", "fly", mob=6, parts=[QUIET])
    sweeper = profile(
        "light-troops.reform", "fly", mob=6, parts=[part("sweeping-attack D3 str=4", att=None, agi=None, off=None)]
    )
    foe = unit("f", 1, at=(36, 26), of=quiet(), models=1, files=1)
    there = {"path": [{"x": 36, "y": 24.6}, {"x": 36, "y": 19.5}], "files": 5}
    battle = do(moving("reform", foe, of=sweeper, models=5), there)
    assert asked(battle) == "ask.sweep"
    home = do(moving("reform", foe, of=sweeper, models=5), to(36, 19.5))
    assert home.decision is None
    assert do(moving("reform", foe, of=harpy, models=5), there).decision is None


@pytest.mark.rule("t9a.char.combined.swap", "t9a.char.combined.no-swap")
def test_characters_change_places_in_moves_and_pivots_but_not_in_charges():
    """Mobility 1: from the left end to the right end of ten files is nine inches, too far for a move of one."""
    battle = moving("normal", hero("h", in_unit="a", of=quiet(hp=3, mob=1), file=0, rank=0), of=quiet(mob=1), files=10)
    do(battle, path(on(1)))
    assert asked(battle) == "ask.rearrange"
    refused(battle, "h:9", "t9a.char.combined.swap")
    allowed(battle, "h:1")
    charger = scene(
        unit("a", of=quiet(cha=6), models=9),
        hero("h", in_unit="a", of=quiet(hp=3, cha=6), file=0, rank=0),
        unit("b", 1, at=(36, 26), of=quiet(), models=5),
        dice=[6],
    )
    do(charger, "a", "b", "hold")
    assert charger.state.engaged("a")
    assert not events(charger, "rearranged")
    assert charger.decision is None or asked(charger) != "ask.rearrange"
    shaken = scene(
        unit("a", of=quiet(dis=10), models=9, shaken=True),
        hero("h", in_unit="a", of=quiet(hp=3, dis=10), file=0, rank=0),
        unit("b", 1, at=(36, 46), of=quiet(), models=5),
        moment="rally",
        dice=[1, 1],
    )
    do(shaken, 90.0)
    assert asked(shaken) == "ask.rearrange"


@pytest.mark.rule("t9a.rally.pass")
def test_a_rallied_unit_that_can_turn_nowhere_stays_as_it_is_drawn():
    """Its facing is told in thousandths of a degree."""
    beside = scene(
        unit("a", of=quiet(dis=10), models=5, facing=157.39219307, shaken=True),
        unit("c", at=(38.35, 21.3), of=quiet(), models=1, close=("a",)),
        unit("b", 1, at=(36, 46), of=quiet(), models=5),
        moment="rally",
        dice=[1, 1],
    )
    refused(beside, 157.4, "t9a.def.unit-boundary.no-overlap")
    allowed(beside, 157.392)
    beside.answer(157.392)
    assert beside.state.unit("a").facing == 157.39219307


@pytest.mark.rule("t9a.move.pivot.model-limit", "t9a.rally.pass")
def test_a_rallied_unit_turns_no_model_too_far():
    wide = scene(
        unit("a", of=quiet(mob=1, dis=10), models=10, files=10, shaken=True),
        unit("b", 1, at=(36, 46), of=quiet(), models=5),
        moment="rally",
        dice=[1, 1],
    )
    refused(wide, 90.0, "t9a.move.pivot.model-limit")
    allowed(wide, 180.0)
    allowed(wide, 0.0)
