"""Attachable models: their bases and places in units, joining, leaving, charging out."""

import pytest

from t9a.builder import allowed, asked, do, events, fired, hero, offered, p, piece, quiet, refused, scene, u, unit
from umpire.games.t9a import charging, joining
from umpire.games.t9a.characteristics import mobility
from umpire.games.t9a.formation import box, full_ranks, layout
from umpire.games.t9a.picture import values
from umpire.games.t9a.spacing import separation


def mm(*rules, base, **more):
    return quiet(*rules, base=base, **more)


def with_guest(of, guest, models=15, files=5, **more):
    battle = scene(
        unit("a", of=of, models=models, files=files),
        hero("h", in_unit="a", of=guest, **more),
        unit("z", 1, at=(8, 46), of=quiet()),
    )
    return battle.state, u(battle, "a")


def place(state, a, who="h"):
    cell = next(c for c in layout(state, a).cells if c.pool == who)
    return cell.file, cell.rank


@pytest.mark.rule("t9a.char.base.matching")
def test_a_matching_base_stands_inside_and_fills_ranks():
    state, a = with_guest(mm(base=(20, 20)), mm(base=(40, 40), hp=3), models=6)
    shape = layout(state, a)
    assert shape.rows == (5, 5)
    assert shape.width * 25.4 == pytest.approx(100)
    assert full_ranks(state, a) == 2
    state, a = with_guest(mm(base=(25, 50)), mm(base=(50, 50), hp=3))
    assert layout(state, a).width * 25.4 == pytest.approx(125)


@pytest.mark.rule("t9a.char.base.long")
def test_only_long_bases_stick_out_behind():
    state, a = with_guest(mm(base=(20, 20)), mm(base=(40, 80), hp=5), models=6)
    assert layout(state, a).rows == (5, 5, 2, 2)
    state, a = with_guest(mm(base=(20, 20)), mm(base=(40, 80), hp=5), models=10)
    assert layout(state, a).rows == (5, 5, 5, 3)


@pytest.mark.rule("t9a.char.base.mismatching", "t9a.char.base.figure")
def test_a_mismatching_base_stands_beside_the_unit():
    state, a = with_guest(mm(base=(25, 25)), mm(base=(40, 40), hp=3), models=20)
    shape = layout(state, a)
    assert (shape.width * 25.4, shape.files) == (pytest.approx(165), 6)
    narrow, four = with_guest(mm(base=(25, 25)), mm(base=(40, 40), hp=3), models=16, files=4)
    assert full_ranks(narrow, four) == 0
    three = scene(
        unit("a", of=mm(base=(25, 25)), models=20),
        *(hero(k, in_unit="a", of=mm(base=(40, 40), hp=3)) for k in ("h", "i")),
        hero("j", at=(36, 10), of=mm(base=(40, 40), hp=3)),
        unit("z", 1, at=(8, 46), of=quiet()),
    )
    reasons = [r.rule for r in joining.join_objections(three.state, p(three, "j"), u(three, "a"))]
    assert "t9a.char.base.mismatching" in reasons


@pytest.mark.rule("t9a.char.base.too-wide")
def test_a_base_wider_than_the_unit_does_not_join():
    wide = mm(base=(100, 100), hp=5)
    battle = scene(
        unit("a", of=mm(base=(20, 20)), models=12, files=4),
        hero("h", at=(36, 10), of=wide),
        unit("z", 1, at=(8, 46), of=quiet()),
    )
    assert "t9a.char.base.too-wide" in [
        r.rule for r in joining.join_objections(battle.state, p(battle, "h"), u(battle, "a"))
    ]


@pytest.mark.rule("t9a.char.position.front", "t9a.rule.stand-behind")
def test_models_stand_forward_unless_they_need_not():
    state, a = with_guest(quiet(), quiet(hp=3))
    assert place(state, a)[1] == 0
    crowd = scene(
        unit("a", of=quiet(), models=9, files=3),
        *(hero(k, in_unit="a", of=quiet(hp=3)) for k in "hijk"),
        unit("z", 1, at=(8, 46), of=quiet()),
    )
    assert sorted(place(crowd.state, u(crowd, "a"), k)[1] for k in "hijk") == [0, 0, 0, 1]

    def moved(*rules):
        battle = scene(
            unit("a", of=quiet(), models=14),
            hero("h", in_unit="a", of=quiet(*rules, hp=3)),
            unit("z", 1, at=(8, 46), of=quiet()),
            moment="movement",
        )
        return do(battle, "a", "normal", {"path": [{"how": "forward", "inches": 1}]})

    refused(moved(), "h:2:2", "t9a.char.position.front")
    behind = do(moved("stand-behind"), "h:2:2")
    assert place(behind.state, u(behind, "a")) == (2, 2)
    fired(behind, "t9a.rule.stand-behind")


@pytest.mark.rule("t9a.char.combined.swap")
def test_a_character_changes_places_in_a_move():
    battle = scene(
        unit("a", of=quiet(), models=14),
        hero("h", in_unit="a", of=quiet(hp=3)),
        unit("z", 1, at=(8, 46), of=quiet()),
        moment="movement",
    )
    do(battle, "a", "reform", {"to": {"x": 36, "y": 18.5, "facing": 0}, "files": 5}, "h:0")
    assert place(battle.state, u(battle, "a")) == (0, 0)


@pytest.mark.rule("t9a.char.combined", "t9a.char.attachable")
def test_a_joined_model_is_part_of_the_unit():
    battle = scene(
        unit("a", of=quiet(mob=5), models=9),
        hero("h", in_unit="a", of=quiet(hp=3, mob=3)),
        unit("z", 1, at=(8, 46), of=quiet()),
    )
    assert mobility(battle.state, u(battle, "a")) == 3
    assert u(battle, "h").where == "joined"
    soldiers = scene(unit("a", of=quiet()), unit("b", at=(46, 20), of=quiet()), unit("z", 1, at=(8, 46), of=quiet()))
    assert "t9a.char.attachable" in [
        r.rule for r in joining.join_objections(soldiers.state, p(soldiers, "b"), u(soldiers, "a"))
    ]


@pytest.mark.rule("t9a.char.attachable.lone", "t9a.char.character")
def test_a_lone_character_is_a_unit():
    battle = scene(
        hero("h", at=(36, 20), of=quiet(hp=3)),
        unit("f", at=(36, 22.8), of=quiet()),
        unit("z", 1, at=(8, 46), of=quiet()),
        moment="movement",
    )
    do(battle, "h", "normal")
    refused(battle, {"path": [{"how": "pivot", "degrees": 90}, {"how": "pivot", "degrees": 1}]})
    refused(battle, {"path": [{"how": "forward", "inches": 0.5}]}, "t9a.def.spacing.end")


def joining_up(*others, at=(36, 15), of=None, **more):
    return scene(
        unit("a", of=quiet(), models=15, **more),
        hero("h", at=at, of=of or quiet(hp=3, mob=5)),
        unit("z", 1, at=(8, 46), of=quiet()),
        *others,
        moment="movement",
    )


@pytest.mark.rule("t9a.char.join.how", "t9a.char.join.displace", "t9a.char.join.unit-stops")
def test_a_model_joins_by_a_move_and_the_unit_stops():
    battle = joining_up()
    do(battle, "h", "march", {"to": {"beside": "a"}})
    if asked(battle) == "ask.place-in-unit":
        do(battle, "2")
    assert u(battle, "h").where == "joined"
    assert place(battle.state, u(battle, "a")) == (2, 0)
    assert layout(battle.state, u(battle, "a")).rows == (5, 5, 5, 1), "whoever stood there goes to the rear"
    fired(battle, "t9a.char.join.how", "t9a.char.join.displace")
    if battle.decision is not None:
        refused(battle, "a", "t9a.char.join.unit-stops")


@pytest.mark.rule("t9a.char.join.distance")
def test_the_move_must_reach_the_place():
    battle = joining_up(at=(36, 13))
    do(battle, "h", "normal")
    refused(battle, {"to": {"beside": "a"}}, "t9a.char.join.distance")
    near = joining_up(at=(36, 15.5))
    do(near, "h", "normal")
    allowed(near, {"to": {"beside": "a"}})


@pytest.mark.rule("t9a.char.join.forbidden")
def test_shaken_units_are_not_joined():
    battle = joining_up(shaken=True)
    do(battle, "h", "march")
    refused(battle, {"to": {"beside": "a"}}, "t9a.char.join.forbidden")


@pytest.mark.rule("t9a.char.join.moved-separately")
def test_who_moved_is_judged_model_by_model():
    battle = joining_up()
    do(battle, "h", "march", {"to": {"beside": "a"}})
    if asked(battle) == "ask.place-in-unit":
        do(battle, "2")
    assert (p(battle, "h").moved, p(battle, "a").moved) == ("march", "")


def leaving(**more):
    return scene(
        unit("a", of=quiet(), models=9, **more),
        hero("h", in_unit="a", of=quiet(hp=3, mob=5), moved=more.pop("gone", "")),
        unit("z", 1, at=(8, 46), of=quiet()),
        moment="movement",
    )


@pytest.mark.rule("t9a.char.leave", "t9a.char.leave.move")
def test_a_model_leaves_by_a_move_and_the_unit_may_still_move():
    battle = leaving()
    assert "leave:h" in offered(battle)
    do(battle, "leave:h", "normal")
    refused(battle, {"path": [{"how": "forward", "inches": 1.5}]}, "t9a.char.leave.move")
    do(battle, {"path": [{"how": "forward", "inches": 4}]})
    assert u(battle, "h").where == "table"
    assert box(battle.state, u(battle, "h")).y == pytest.approx(24)
    assert "a" in offered(battle)
    do(battle, "a", "march", {"path": [{"how": "forward", "inches": 1}]})
    fired(battle, "t9a.char.leave.move")


@pytest.mark.rule("t9a.char.leave")
def test_shaken_or_moved_models_do_not_leave():
    from umpire.games.t9a.moving import leave_objections

    battle = leaving()
    p(battle, "h").moved = "march"
    assert "t9a.char.leave" in [r.rule for r in leave_objections(battle.state, p(battle, "h"))]


@pytest.mark.rule("t9a.rule.skirmisher.join")
def test_skirmishers_are_joined_by_their_own_height():
    battle = scene(
        unit("a", of=quiet("skirmisher"), models=8),
        hero("h", at=(36, 10), of=quiet(hp=3, height=2)),
        hero("i", at=(46, 10), of=quiet(hp=3)),
        unit("z", 1, at=(8, 46), of=quiet()),
    )
    assert [r.rule for r in joining.join_objections(battle.state, p(battle, "h"), u(battle, "a"))] == [
        "t9a.rule.skirmisher.join"
    ]
    assert joining.may_join(battle.state, p(battle, "i"), u(battle, "a"))


@pytest.mark.rule("t9a.rule.solitary", "t9a.rule.supernal.join", "t9a.rule.unstable.join")
def test_who_joins_whom_by_their_rules():
    def against(mine, theirs):
        battle = scene(
            unit("a", of=quiet(*theirs), models=8),
            hero("h", at=(36, 10), of=quiet(*mine, hp=3)),
            unit("z", 1, at=(8, 46), of=quiet()),
        )
        return [r.rule for r in joining.join_objections(battle.state, p(battle, "h"), u(battle, "a"))]

    assert against(("solitary",), ()) == ["t9a.rule.solitary"]
    assert against(("supernal",), ()) == ["t9a.rule.supernal.join"]
    assert against(("supernal",), ("supernal",)) == []
    assert against((), ("unstable",)) == ["t9a.rule.unstable.join"]


@pytest.mark.rule("t9a.rule.war-platform.one", "t9a.rule.war-platform.speed")
def test_one_platform_a_unit_and_as_fast_as_those_beside_it():
    slow = quiet("war-platform", hp=5, mob=3)
    battle = scene(
        unit("a", of=quiet(mob=5), models=14),
        hero("h", in_unit="a", of=slow),
        hero("i", at=(46, 10), of=slow),
        unit("z", 1, at=(8, 46), of=quiet()),
    )
    assert mobility(battle.state, u(battle, "a")) == 5
    shown = {value.name.key: value.now for value in values(battle.state, p(battle, "h"))}
    assert shown["characteristic.mob"] == 5, "its card says how fast it goes"
    assert "t9a.rule.war-platform.one" in [
        r.rule for r in joining.join_objections(battle.state, p(battle, "i"), u(battle, "a"))
    ]


def out(*others, at=(36, 26), dice=(6,), guest=None):
    return scene(
        unit("a", of=quiet(cha=4), models=9),
        hero("h", in_unit="a", of=guest or quiet(hp=3, cha=9), file=2, rank=0),
        unit("b", 1, at=at, of=quiet(), models=5),
        *others,
        dice=list(dice),
    )


@pytest.mark.rule("t9a.char.charge-out", "t9a.char.charge-out.success", "t9a.char.charge-out.spacing")
def test_a_character_charges_out_of_the_middle_of_his_unit():
    battle = out()
    assert "out:h" in offered(battle)
    do(battle, "out:h", "b", "hold")
    while battle.decision is not None and asked(battle) == "ask.charger":
        do(battle, "end")
    assert battle.state.engaged("h")
    assert not battle.state.engaged("a")
    assert (u(battle, "a").x, u(battle, "a").y) == (36, 20)


@pytest.mark.rule("t9a.char.charge-out.success", "t9a.char.charge-out.spacing")
def test_who_has_charged_out_does_not_stand_in_his_unit():
    """A deep base, an enemy close by and askew: flush with it he would still be among his own."""
    stands = []
    for turn, y in ((150, 22.6), (130, 22.6), (150, 25)):
        battle = scene(
            unit("a", of=quiet(cha=4), models=9),
            hero("h", in_unit="a", of=mm(hp=3, cha=9, base=(40, 60)), file=2, rank=0),
            unit("b", 1, at=(37.2, y), facing=turn, of=quiet(), models=5),
            dice=[6],
        )
        if "out:h" not in offered(battle):
            stands.append("refused")
            continue
        do(battle, "out:h", "b", "hold")
        while battle.decision is not None and asked(battle) in ("ask.charger", "ask.align"):
            do(battle, "end" if asked(battle) == "ask.charger" else "0")
        assert (
            separation(box(battle.state, u(battle, "h")).corners(), box(battle.state, u(battle, "a")).corners())
            > -0.001
        )
        stands.append("stands")
    assert stands == ["refused", "refused", "stands"]


@pytest.mark.rule("t9a.char.charge-out.arc")
def test_the_arc_is_that_of_his_unit():
    from umpire.games.t9a.charge_moves import as_charger, target_facing

    battle = out(at=(31.6, 22.4))
    charger = as_charger(battle.state, u(battle, "a"), p(battle, "h"))
    u(battle, "a").x = 33.0
    assert target_facing(battle.state, charger, u(battle, "b")) == "front"
    u(battle, "a").x = 44.0
    assert target_facing(battle.state, charger, u(battle, "b")) == "left"


@pytest.mark.rule("t9a.char.charge-out.failed")
def test_a_failed_charge_out_leaves_the_unit_or_takes_it_along():
    """Interaction 11: arc of the unit, speed of the model; who fails within an inch takes the whole unit along."""
    battle = out(at=(36, 38.5), dice=[1])
    do(battle, "out:h", "b", "hold")
    while battle.decision is not None and asked(battle) == "ask.charger":
        do(battle, "end")
    assert u(battle, "h").where == "table"
    assert u(battle, "h").y == pytest.approx(24)
    stuck = out(unit("w", 1, at=(36, 22), of=quiet(), models=1, files=1), at=(36, 38.5), dice=[1])
    assert events(stuck, "left") == []


@pytest.mark.rule("t9a.char.charge-out.los")
def test_who_charges_out_must_see_and_reach_for_himself():
    """He stands at the left end; a hill hides the enemy from him, not from his unit. And the range is his own."""

    def at_the_end(*, hill, gap=6.0):
        return scene(
            unit("a", at=(36, 20), of=quiet(cha=9), models=9),
            hero("h", in_unit="a", of=quiet(hp=3, cha=4), file=0, rank=0),
            unit("b", 1, at=(38.5, 20 + gap), of=quiet(), models=1, files=1),
            terrain=[piece("w", "hill", 30, 22, 37.2, 22.5)] if hill else [],
        )

    seen = at_the_end(hill=False)
    assert offered(seen)[:2] == ["a", "out:h"]
    hidden = at_the_end(hill=True)
    assert "a" in offered(hidden)
    assert "out:h" not in offered(hidden)
    against = charging.target_objections(hidden.state, u(hidden, "a"), u(hidden, "b"), p(hidden, "h"))
    assert [reason.rule for reason in against] == ["t9a.char.charge-out.los"]
    # The front is 14 inches from the enemy, he himself, four inches to the left, is further away.
    far = at_the_end(hill=False, gap=13.8)
    assert "a" in offered(far)
    assert "out:h" not in offered(far)


def test_the_last_model_of_a_unit_without_soldiers_leaves_no_empty_unit_behind():
    battle = scene(
        unit("a", of=quiet(), models=10),
        unit("b", at=(30, 20), of=quiet(), models=10),
        hero("h", in_unit="b", of=quiet(hp=3)),
        unit("z", 1, at=(8, 46), of=quiet()),
    )
    state = battle.state
    b = u(battle, "b")
    b.members = ("h",)
    state.pools["b"].count = 0
    joining.join(battle, state.pools["h"], u(battle, "a"), "t9a.char.join.how")
    assert (b.where, state.pools["h"].unit) == ("gone", "a")


@pytest.mark.rule("t9a.def.table-edge.end", "t9a.def.unit-boundary.no-overlap", "t9a.terrain.impassable")
def test_nobody_joins_a_unit_that_would_leave_the_table_or_stand_in_another_or_in_a_rock():
    from tests.t9a.builder import hero, scene, unit

    from umpire.games.t9a.joining import join_objections

    def against(x, *others, terrain=()):
        battle = scene(
            unit("a", at=(x, 20), models=5),
            hero("h", at=(40, 10), of={"base": (60.0, 60.0)}),
            unit("z", 1, at=(8, 46)),
            *others,
            terrain=terrain,
            moment="movement",
        )
        state = battle.state
        return [reason.rule for reason in join_objections(state, state.pools["h"], state.units["a"])]

    assert "t9a.def.table-edge.end" not in against(30)
    assert "t9a.def.table-edge.end" in against(2.6)
    assert "t9a.def.unit-boundary.no-overlap" in against(30, unit("f", at=(33.6, 20), models=1, files=1))
    assert "t9a.terrain.impassable" in against(30, terrain=[piece("r", "impassable", 33, 19, 35, 21)])
    assert "t9a.terrain.impassable" not in against(30, terrain=[piece("r", "impassable", 37, 19, 39, 21)])
