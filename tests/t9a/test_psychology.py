"""Tests of command and courage, panic, flight, rallying, commanders and flags."""

import pytest

from t9a.builder import (
    asked,
    do,
    events,
    fired,
    hero,
    last,
    needs,
    offered,
    p,
    quiet,
    refused,
    rolled,
    scene,
    u,
    unit,
)
from umpire.engine.effects import Effect
from umpire.games.t9a import command, psychology
from umpire.games.t9a.fleeing import flee


def dis(battle, key="a"):
    return command.discipline(battle.state, u(battle, key)).total


def field(*units, **more):
    return scene(*units, unit("z", 1, at=(4, 46), models=1, files=1), moment="rally", **more)


@pytest.mark.rule("t9a.psych.test", "t9a.rally.test")
@pytest.mark.parametrize(
    ("value", "total", "passed"), [(8, (4, 4), True), (8, (4, 5), False), (10, (5, 6), False), (10, (5, 5), True)]
)
def test_a_test_passes_on_discipline_or_less(value, total, passed):
    battle = field(unit("a", of=quiet(dis=value), shaken=True, at=(36, 24)), dice=[*total, 1, 1])
    assert last(battle, "test")["passed"] is passed
    assert u(battle, "a").shaken is not passed


@pytest.mark.rule("t9a.def.profile.unit-values", "t9a.char.combined.move")
def test_a_unit_uses_its_highest_discipline_and_its_lowest_speed():
    from umpire.games.t9a.characteristics import charge_speed, mobility

    battle = field(unit("a", of=quiet(dis=7, mob=6, cha=8)), hero("h", 0, "a", of=quiet(dis=9, mob=4, cha=5, hp=3)))
    assert dis(battle) == 9
    assert mobility(battle.state, u(battle, "a")) == 4
    assert charge_speed(battle.state, u(battle, "a")) == 5


@pytest.mark.rule("t9a.rule.disciplined", "t9a.psych.command")
def test_disciplined_units_roll_command_tests_minimised():
    battle = field(unit("a", of=quiet("disciplined", dis=9), shaken=True), dice=[5, 5, 4])
    assert last(battle, "test")["total"] == 9
    assert rolled(battle, "rally") == [3]


@pytest.mark.rule("t9a.rule.unruly")
def test_unruly_units_roll_them_maximised():
    battle = field(unit("a", of=quiet("unruly", dis=9), shaken=True), dice=[6, 5, 1, 1, 1])
    assert last(battle, "test")["total"] == 11
    both = field(unit("a", of=quiet("unruly", "disciplined", dis=9), shaken=True), dice=[5, 4])
    assert rolled(both, "rally") == [2]


@pytest.mark.rule("t9a.rule.commanding-presence", "t9a.char.general")
def test_a_general_lends_his_discipline_within_twelve_inches():
    def near(gap, value=7):
        return dis(
            field(
                unit("a", of=quiet(dis=value), at=(36, 20)),
                hero("g", of=quiet(dis=9, hp=3), general=True, at=(36, 20 - 2 - gap)),
            )
        )

    assert near(12.0) == 9
    assert near(12.1) == 7
    assert near(1.0, value=10) == 10


@pytest.mark.rule("t9a.rule.commanding-presence.limits", "t9a.psych.shaken.restrictions")
def test_a_shaken_general_lends_nothing_and_names_limit_it():
    shaken = field(
        unit("a", of=quiet()), hero("g", of=quiet(dis=9, hp=3), general=True, shaken=True, at=(36, 16)), active=1
    )
    assert dis(shaken) == 7
    named = quiet("commanding-presence 12 (goblins)", dis=9, hp=3)
    assert dis(field(unit("a", of=quiet()), hero("g", of=named, at=(36, 16)))) == 7
    assert dis(field(unit("a", of=quiet(traits=("goblins",))), hero("g", of=named, at=(36, 16)))) == 9


@pytest.mark.rule("t9a.rule.commanding-presence")
def test_the_same_curse_on_both_counts_once():
    curse = [Effect(key, "dis", "add", -1, "t9a.magic.resolve", "creeping-doubt") for key in ("a", "g")]
    army = (unit("a", of=quiet(dis=7)), hero("g", of=quiet(dis=9, hp=3), general=True, at=(36, 16)))
    assert dis(field(*army, effects=tuple(curse))) == 8
    second = Effect("a", "dis", "add", -1, "t9a.magic.resolve", "grasping-vines")
    assert dis(field(*army, effects=(*curse, second))) == 7


@pytest.mark.rule("t9a.rule.commanding-presence.disciplined")
def test_a_disciplined_general_passes_it_on():
    battle = field(
        unit("a", of=quiet(), shaken=True),
        hero("g", of=quiet("disciplined", dis=9, hp=3), general=True, at=(36, 16)),
        dice=[1, 1, 1],
    )
    assert rolled(battle, "rally") == [3]


@pytest.mark.rule("t9a.rule.rally-around-the-flag", "t9a.psych.courage")
def test_failed_courage_tests_are_rolled_again_under_the_flag():
    def panic(gap, **more):
        battle = field(
            unit("a", of=quiet()), hero("s", of=quiet(hp=3), bearer=True, at=(36, 18 - gap), **more), dice=[6, 6, 1, 1]
        )
        psychology.panic(battle, u(battle, "a"), "t9a.psych.panic.ranged-losses")
        return len(events(battle, "reroll"))

    assert panic(12.0) == 1
    assert panic(12.1) == 0
    assert panic(5.0, shaken=True) == 0
    rally = field(
        unit("a", of=quiet(), shaken=True), hero("s", of=quiet(hp=3), bearer=True, at=(36, 12)), dice=[6, 6, 1, 1]
    )
    assert not events(rally, "reroll")


@pytest.mark.rule("t9a.rule.captain.standard", "t9a.rule.captain.musician")
def test_captains_count_as_in_range():
    far = {"at": (5, 5)}
    captain = hero("c", 0, "a", of=quiet("captain.standard", hp=2, dis=7))
    flag = field(unit("a", of=quiet(), standard=True), captain, hero("s", of=quiet(hp=3), bearer=True, **far))
    assert command.rallied(flag.state, u(flag, "a")) == "t9a.rule.captain.standard"
    plain = field(unit("a", of=quiet()), captain, hero("s", of=quiet(hp=3), bearer=True, **far))
    assert command.rallied(plain.state, u(plain, "a")) == ""
    general = hero("g", of=quiet(hp=3, dis=9), general=True, **far)
    assert dis(field(unit("a", of=quiet(), musician=True), captain, general)) == 9
    assert dis(field(unit("a", of=quiet()), captain, general)) == 7


@pytest.mark.rule("t9a.psych.panic.failed", "t9a.psych.shaken.gain")
def test_a_failed_panic_test_shakes_without_flight():
    """Interaction 27: shaken, and it stays where it is."""
    battle = field(unit("a", of=quiet(), spoils=2, standard=True), dice=[6, 6])
    assert not psychology.panic(battle, u(battle, "a"), "t9a.psych.panic.ranged-losses")
    assert u(battle, "a").shaken
    assert u(battle, "a").y == 20.0


@pytest.mark.rule("t9a.prep.primary.bounty.lose")
def test_shaken_units_lose_their_spoils():
    battle = field(unit("a", of=quiet(), spoils=2, standard=True), dice=[6, 6])
    psychology.panic(battle, u(battle, "a"), "t9a.psych.panic.ranged-losses")
    assert u(battle, "a").spoils == 0
    assert last(battle, "spoils-lost")["count"] == 2


@pytest.mark.rule("t9a.psych.panic.exempt")
def test_who_takes_no_panic_test():
    for flags in ({"shaken": True}, {}):
        battle = field(unit("a", of=quiet()), dice=[1, 1])
        battle.state.unit("a").shaken = bool(flags)
        battle.state.unit("a").calm = not flags
        assert psychology.panic(battle, u(battle, "a"), "t9a.psych.panic.ranged-losses")
        assert rolled(battle, "panic") == []


@pytest.mark.rule("t9a.rule.fearless")
def test_the_fearless_pass_panic_and_do_not_choose_to_flee():
    battle = field(unit("a", of=quiet("fearless")), dice=[6, 6])
    assert psychology.panic(battle, u(battle, "a"), "t9a.psych.panic.ranged-losses")

    def reactions(*rules, **flags):
        charge = scene(unit("a", at=(36, 10)), unit("b", 1, at=(36, 18), of=quiet(*rules), **flags), dice=[6])
        do(charge, "a", "b")
        return offered(charge) if charge.decision is not None and asked(charge) == "ask.reaction" else ["hold"]

    assert reactions("fearless") == ["hold"]
    assert reactions("fearless", shaken=True) == ["hold", "flee"]
    assert reactions() == ["hold", "flee"]


@pytest.mark.rule("t9a.rule.feigned-flight.fearless")
def test_fearless_feigners_may_flee_unless_one_model_cannot():
    def reactions(*others):
        charge = scene(
            unit("a", at=(36, 10)), unit("b", 1, at=(36, 18), of=quiet("fearless", "feigned-flight")), *others, dice=[6]
        )
        do(charge, "a", "b")
        return offered(charge) if charge.decision is not None and asked(charge) == "ask.reaction" else ["hold"]

    assert reactions() == ["hold", "flee"]
    assert reactions(hero("h", 1, "b")) == ["hold"]


@pytest.mark.rule("t9a.rally.pass", "t9a.move.pivot.centre")
def test_a_rallied_unit_may_pivot_about_its_centre():
    battle = field(unit("a", of=quiet(dis=9), shaken=True, models=10), dice=[1, 1])
    from umpire.games.t9a.formation import centre

    before = centre(battle.state, u(battle, "a"))
    assert asked(battle) == "ask.rally-pivot"
    do(battle, 90.0)
    after = centre(battle.state, u(battle, "a"))
    assert after == pytest.approx(before)
    assert u(battle, "a").facing == 90.0
    assert not u(battle, "a").shaken


@pytest.mark.rule("t9a.rally.fail", "t9a.psych.flee.direction-rally")
def test_a_failed_rally_flees_from_the_nearest_enemy_that_stands():
    near = unit("n", 1, at=(36, 26), of=quiet(), models=1, files=1, shaken=True)
    far = unit("f", 1, at=(26.5, 19.5), facing=90.0, of=quiet(), models=1, files=1)
    battle = scene(
        unit("a", of=quiet(dis=2), shaken=True, models=1, files=1, at=(36, 20)),
        near,
        far,
        moment="rally",
        dice=[6, 6, 3, 4],
    )
    assert u(battle, "a").facing == pytest.approx(90.0, abs=1.0)
    assert u(battle, "a").shaken


@pytest.mark.rule("t9a.psych.flee.direction-rally")
def test_of_equally_near_enemies_the_opponent_chooses():
    left = unit("l", 1, at=(30, 19.5), facing=90.0, of=quiet(), models=1, files=1)
    right = unit("r", 1, at=(42, 19.5), facing=270.0, of=quiet(), models=1, files=1)
    battle = scene(
        unit("a", of=quiet(dis=2), shaken=True, models=1, files=1), left, right, moment="rally", dice=[6, 6, 3, 4]
    )
    assert asked(battle) == "ask.flee-from"
    assert battle.decision.side == 1


@pytest.mark.rule("t9a.psych.decimated", "t9a.psych.decimated.flee", "t9a.rally.decimated")
def test_the_decimated_are_removed_instead_of_fleeing():
    battle = scene(
        unit("a", of=quiet(dis=2), models=4, start=20, shaken=True),
        hero("h", 0, "a", of=quiet(hp=3, dis=2)),
        unit("z", 1, at=(36, 46)),
        moment="rally",
        dice=[6, 6, 1, 1],
    )
    assert p(battle, "a").count == 0
    assert p(battle, "h").count == 1
    assert u(battle, "a").where == "table"
    state = battle.state
    pool = p(scene(unit("a", models=5, start=20), unit("z", 1, at=(36, 46))), "a")
    assert not psychology.decimated(state, pool)
    five = p(scene(hero("a", of=quiet(hp=5), lost=4), unit("z", 1, at=(36, 46))), "a")
    assert psychology.decimated(state, five)
    three = p(scene(hero("a", of=quiet(hp=3), lost=2), unit("z", 1, at=(36, 46))), "a")
    assert not psychology.decimated(state, three)


@pytest.mark.rule("t9a.rule.feigned-flight.rally")
def test_those_that_fled_by_choice_rally_without_a_roll():
    battle = field(unit("a", of=quiet("feigned-flight", dis=2), shaken=True, by_choice=True))
    assert rolled(battle, "rally") == []
    assert not u(battle, "a").shaken
    forced = field(unit("a", of=quiet("feigned-flight", dis=2), shaken=True, at=(36, 24)), dice=[6, 6, 1, 1])
    assert rolled(forced, "rally") == [2]


@pytest.mark.rule("t9a.psych.flee.distance", "t9a.rule.swiftstride")
def test_flight_is_two_dice_and_swiftstride_maximises():
    plain = field(unit("a", of=quiet(dis=2), shaken=True, at=(36, 24), models=1, files=1), dice=[6, 6, 3, 4])
    assert last(plain, "fled")["inches"] == 7
    swift = field(
        unit("a", of=quiet("swiftstride", dis=2), shaken=True, at=(36, 24), models=1, files=1), dice=[6, 6, 3, 4, 1]
    )
    assert last(swift, "fled")["inches"] == 7
    assert rolled(swift, "flee") == [3]
    wild = field(
        unit("a", of=quiet("random-movement.distance 3D6", dis=2), shaken=True, at=(36, 24), models=1, files=1),
        dice=[6, 6, 2, 3, 4],
    )
    assert last(wild, "fled")["inches"] == 9


def running(*others, dice=(3, 4), voluntary=False, of=None, at=(36, 24), heading=0.0, terrain=(), models=10):
    battle = scene(
        unit("a", of=of or quiet(), models=models, at=at),
        *others,
        unit("z", 1, at=(4, 46), models=1, files=1),
        moment="rally",
        dice=list(dice),
        terrain=terrain,
    )
    flee(battle, u(battle, "a"), heading, 7, "t9a.rally.fail", voluntary)
    return battle


@pytest.mark.rule("t9a.psych.panic.flee-through", "t9a.psych.flee.friends")
def test_friends_that_are_fled_through_test():
    battle = running(unit("f", at=(36, 28), of=quiet(), models=5), dice=[6, 6])
    assert [e.facts["unit"] for e in events(battle, "test")] == ["f"]
    assert u(battle, "f").shaken


@pytest.mark.rule("t9a.psych.panic.voluntary", "t9a.charge.reaction.flee.no-panic")
def test_flight_of_free_will_panics_nobody():
    battle = running(unit("f", at=(36, 28), of=quiet(), models=5), dice=[6, 6], voluntary=True)
    assert not events(battle, "test")


@pytest.mark.rule("t9a.rule.insignificant")
def test_the_insignificant_panic_only_their_like():
    small = quiet("insignificant")
    assert not events(running(unit("f", at=(36, 28), of=quiet(), models=5), of=small, dice=[6, 6]), "test")
    assert events(running(unit("f", at=(36, 28), of=small, models=5), of=small, dice=[6, 6]), "test")


@pytest.mark.rule("t9a.psych.flee.enemies", "t9a.terrain.dangerous.dice")
def test_enemies_that_are_fled_through_are_dangerous():
    battle = running(unit("e", 1, at=(36, 28), of=quiet(), models=5), dice=[4, 3, 5, 1, 1])
    assert rolled(battle, "dangerous") == [5]
    assert needs(battle, "dangerous") == [4]
    assert p(battle, "a").count == 8


@pytest.mark.rule("t9a.psych.flee.destroyed")
def test_fleeing_into_the_edge_destroys():
    battle = running(at=(36, 41.0))
    assert u(battle, "a").where == "gone"
    assert u(running(at=(36, 40.9)), "a").where == "table"


@pytest.mark.rule("t9a.rule.emplaced.flee", "t9a.rule.emplaced")
def test_emplaced_units_are_lost_instead_of_fleeing():
    battle = field(unit("a", of=quiet("emplaced", dis=2, hp=4), models=1, files=1, shaken=True), dice=[6, 6])
    assert u(battle, "a").where == "gone"
    charge = scene(
        unit("a", at=(36, 10), of=quiet("emplaced")),
        unit("b", 1, at=(36, 18)),
        unit("c", at=(10, 10)),
        unit("d", 1, at=(10, 18)),
    )
    refused(charge, "a", "t9a.rule.emplaced")


@pytest.mark.rule("t9a.rule.mindless")
def test_the_mindless_never_redirect():
    army = (
        unit("a", at=(36, 10), of=quiet("mindless", cha=9)),
        unit("b", 1, at=(36, 18), models=5),
        unit("c", 1, at=(30, 20), models=5),
    )
    battle = scene(*army, dice=[6, 6])
    do(battle, "a", "b", "flee")
    if asked(battle) == "ask.redirect":
        do(battle, True)
    fired(battle, "t9a.rule.mindless")
    assert rolled(battle, "redirect") == []
    assert psychology.passes_by_rule(battle.state, u(battle, "a"), "reform")


@pytest.mark.rule("t9a.psych.states", "t9a.end.vp.shaken-decimated")
def test_shaken_and_decimated_at_once():
    battle = scene(unit("a", models=4, start=20, shaken=True, points=225), unit("z", 1, at=(36, 46)), moment="end")
    assert last(battle, "points")["points"] == 225
