"""Ranks and files, boundaries, arcs, skirmishers; distances, contact, unit spacing."""

import pytest

from t9a.builder import QUIET, allowed, do, events, hero, part, piece, profile, quiet, refused, scene, u, unit
from umpire.games.t9a import formation, spacing
from umpire.games.t9a.casualties import fell
from umpire.games.t9a.formation import box, full_ranks, layout


def mm(width, length=0, **more):
    return quiet(base=(float(width), float(length or width)), **more)


def standing(models, files, of, *others, **more):
    battle = scene(unit("a", of=of, models=models, files=files, **more), *others, unit("z", 1, at=(8, 46), of=quiet()))
    return battle.state, battle.state.unit("a")


def on(inches):
    return {"path": [{"how": "forward", "inches": inches}]}


def moving(action, *others, of=None, terrain=(), **more):
    battle = scene(
        unit("a", of=of or quiet(), **more),
        unit("z", 1, at=(8, 46), of=quiet()),
        *others,
        moment="movement",
        terrain=terrain,
    )
    return do(battle, "a", action)


@pytest.mark.rule("t9a.def.unit-boundary", "t9a.def.unit-centre", "t9a.def.ranks-files")
def test_the_boundary_holds_the_empty_places_of_the_last_rank():
    state, a = standing(14, 5, mm(20))
    shape = layout(state, a)
    assert (shape.width * 25.4, shape.depth * 25.4) == pytest.approx((100, 60))
    assert (shape.ranks, shape.files) == (3, 5)
    assert box(state, a).centre == pytest.approx((36, 20 - 30 / 25.4))
    alone, one = standing(1, 1, mm(40, 60))
    assert (box(alone, one).w * 25.4, box(alone, one).d * 25.4) == pytest.approx((40, 60))


@pytest.mark.rule("t9a.def.formation.rank-widths", "t9a.def.formation.block", "t9a.def.formation.incomplete-rank")
def test_all_ranks_are_as_wide_as_the_first_but_the_last():
    state, a = standing(14, 5, mm(20))
    assert layout(state, a).rows == (5, 5, 4)
    cells = layout(state, a).cells
    assert {c.x0 for c in cells if c.rank == 1} == {c.x0 for c in cells if c.rank == 0}
    wide, b = standing(19, 7, quiet())
    assert layout(wide, b).rows == (7, 7, 5)
    assert full_ranks(wide, b) == 3, "an incomplete last rank can be a Full Rank"


@pytest.mark.rule("t9a.def.full-rank")
@pytest.mark.parametrize(
    ("models", "files", "height", "ranks"),
    [(23, 6, 1, 4), (23, 7, 1, 3), (8, 3, 3, 2), (16, 4, 1, 0), (1, 1, 5, 1), (10, 5, 0, 2)],
)
def test_how_many_models_make_a_full_rank(models, files, height, ranks):
    state, a = standing(models, files, quiet(height=height))
    assert full_ranks(state, a) == ranks


@pytest.mark.rule("t9a.rule.light-troops.ranks")
def test_light_troops_have_no_full_ranks():
    state, a = standing(20, 5, quiet("light-troops.ranks", "light-troops.reform"))
    assert full_ranks(state, a) == 0
    state, a = standing(
        19, 5, quiet(), hero("h", in_unit="a", of=quiet("light-troops.ranks", "light-troops.reform", hp=3))
    )
    assert full_ranks(state, a) == 4


@pytest.mark.rule("t9a.def.facings")
def test_four_facings():
    state, a = standing(10, 5, quiet())
    of = box(state, a)
    left, right = formation.side_line(of, "front")
    assert (left, right) == (pytest.approx((38.5, 20)), pytest.approx((33.5, 20)))
    assert formation.normal(of, "right") == pytest.approx((1, 0))


@pytest.mark.rule("t9a.def.formation.ranks-vs-files", "t9a.def.formation.files-behind")
def test_no_unit_deeper_than_wide_of_its_own_will():
    def reform(files):
        return {"to": {"x": 36, "y": 18.5, "facing": 0}, "files": files}

    battle = moving("reform", models=12, files=4)
    refused(battle, reform(3), "t9a.def.formation.ranks-vs-files")
    allowed(battle, reform(6))
    thirty = moving("reform", models=30, files=6)
    allowed(thirty, {"to": {"x": 36, "y": 17.5, "facing": 0}, "files": 5})
    few = moving("reform", models=3, files=3)
    refused(few, {"to": {"x": 36, "y": 19.5, "facing": 0}, "files": 4}, "t9a.def.formation.files-behind")
    giants = moving("reform", models=9, files=4, of=quiet(height=3))
    allowed(giants, {"to": {"x": 36, "y": 18.5, "facing": 0}, "files": 3})


@pytest.mark.rule("t9a.rule.skirmisher", "t9a.rule.skirmisher.fight")
def test_skirmishers_stand_apart_and_fight_straight_ahead():
    state, a = standing(10, 5, quiet("skirmisher", base=(25.0, 25.0)))
    shape = layout(state, a)
    assert (shape.width * 25.4, shape.depth * 25.4) == pytest.approx((175, 62.5))
    fight = scene(
        unit("a", of=quiet("skirmisher"), models=5, files=5),
        unit("b", 1, at=(36, 20), of=quiet(), models=1, files=1),
        moment="melee",
    )
    pairs = spacing.contacts(fight.state, u(fight, "a"), "front", u(fight, "b"), "front")
    assert pairs == [(2, 0)], "only the one whose base, carried straight ahead, meets the enemy"


@pytest.mark.rule("t9a.def.measure.inch", "t9a.def.measure.closest-points", "t9a.def.measure.within")
def test_inches_between_the_closest_points():
    battle = scene(
        unit("a", of=mm(25), models=4, files=4),
        unit("b", 1, at=(36, 28), of=quiet(), models=5),
        terrain=[piece("h", "impassable", 30, 23, 42, 24)],
    )
    assert box(battle.state, u(battle, "a")).w == pytest.approx(100 / 25.4)
    assert spacing.distance(battle.state, u(battle, "a"), u(battle, "b")) == pytest.approx(8)
    assert spacing.within(12.0, 12)
    assert not spacing.within(12.01, 12)


@pytest.mark.rule("t9a.def.contact", "t9a.def.contact.units")
def test_a_single_point_is_contact():
    battle = scene(
        unit("a", of=quiet(), models=9, files=5),
        unit("b", 1, at=(41, 20), of=quiet(), models=5),
        moment="melee",
        until="phase",
    )
    assert battle.state.engaged("a"), "corner to corner"
    behind = scene(
        unit("a", of=quiet(), models=6, files=5),
        unit("b", 1, at=(38.5, 18.5), facing=270.0, of=quiet(), models=1, files=1),
        moment="melee",
    )
    assert behind.state.engaged("a"), "the empty place of the last rank is part of the boundary"


@pytest.mark.rule("t9a.def.contact.models", "t9a.def.contact.across-gaps", "t9a.melee.attack.across-gap")
def test_models_meet_across_gaps_straight_ahead():
    battle = scene(
        unit("a", of=quiet(), models=6, files=5),
        unit("b", 1, at=(38.5, 18.3), facing=270.0, of=quiet(), models=1, files=1),
        moment="melee",
    )
    pairs = spacing.contacts(battle.state, u(battle, "b"), "front", u(battle, "a"), "right")
    cells = layout(battle.state, u(battle, "a")).cells
    assert [(cells[k].file, cells[k].rank) for _, k in pairs] == [(0, 1)], "the only model of the last rank, four away"


@pytest.mark.rule("t9a.def.contact.gap-blocked", "t9a.def.contact.model-unit")
def test_who_stands_behind_a_friend_touches_nobody():
    battle = scene(
        unit("a", of=quiet(), models=10, files=5), unit("b", 1, at=(36, 20), of=quiet(), models=5), moment="melee"
    )
    cells = layout(battle.state, u(battle, "a")).cells
    pairs = spacing.contacts(battle.state, u(battle, "a"), "front", u(battle, "b"), "front")
    assert {cells[j].rank for j, _ in pairs} == {0}
    assert len({j for j, _ in pairs}) == 5


@pytest.mark.rule("t9a.def.spacing.end")
def test_an_inch_at_the_end():
    friend = unit("f", at=(36, 26), of=quiet(), models=5)
    battle = moving("march", friend)
    refused(battle, on(4.1), "t9a.def.spacing.end")
    allowed(battle, on(4))
    wood = moving("march", terrain=[piece("w", "forest", 30, 22, 42, 30)])
    allowed(wood, on(5))


@pytest.mark.rule("t9a.def.spacing.during", "t9a.def.spacing.base-contact")
def test_half_an_inch_on_the_way_and_no_touch():
    def passing(gap):
        return moving("march", unit("f", 1, at=(39 + gap, 22), of=quiet(), models=1, files=1))

    allowed(passing(0.6), on(6))
    refused(passing(0.4), on(6), "t9a.def.spacing.during")
    refused(passing(0.0), on(6), "t9a.def.spacing.base-contact")


@pytest.mark.rule("t9a.def.spacing.persist")
def test_who_was_brought_too_close_may_stay_so_until_apart():
    def close(gap, marked=("f",)):
        friend = unit("f", at=(36, 20 + gap + 1), of=quiet(), models=5, close=("a",))
        return moving("reform", friend, close=marked)

    here = {"to": {"x": 36, "y": 19, "facing": 0}, "files": 5}
    allowed(close(0.4), here)
    refused(close(0.4, ()), here, "t9a.def.spacing.end")
    apart = moving("march", unit("f", at=(36, 22.4), of=quiet(), models=5, close=("a",)), close=("f",))
    do(apart, {"stay": True})
    assert u(apart, "a").close == ()


@pytest.mark.rule("t9a.def.table-edge.during", "t9a.def.table-edge.end")
def test_the_front_stays_on_the_table_and_all_of_it_at_the_end():
    def at_edge(x, y, action="march", **more):
        battle = scene(
            unit("a", at=(x, y), of=quiet(mob=6), **more), unit("z", 1, at=(8, 46), of=quiet()), moment="movement"
        )
        return do(battle, "a", action)

    corner = at_edge(3, 20)
    wheel = {"path": [{"how": "wheel", "degrees": -40}, {"how": "forward", "inches": 3}]}
    refused(corner, wheel, "t9a.def.table-edge.during")
    rear = at_edge(20, 4, "normal", models=20)
    refused(rear, {"path": [{"how": "pivot", "degrees": 90}]}, "t9a.def.table-edge.end")
    allowed(rear, on(2))


@pytest.mark.rule("t9a.def.unit-boundary.no-overlap")
def test_nobody_stands_inside_the_boundary_of_others():
    """In the hole of the last rank, where no model stands."""
    friend = unit("f", at=(36, 26), of=quiet(), models=6, files=5)
    lone = scene(
        unit("a", at=(36, 20), of=quiet("light-troops.reform", mob=6), models=1, files=1),
        friend,
        unit("z", 1, at=(8, 46), of=quiet()),
        moment="movement",
    )
    do(lone, "a", "reform")
    refused(lone, {"to": {"x": 37.5, "y": 24.5, "facing": 0}, "files": 1}, "t9a.def.unit-boundary.no-overlap")


@pytest.mark.rule("t9a.def.move")
def test_a_march_is_a_move_for_whatever_asks():
    battle = moving("march")
    do(battle, on(3))
    assert battle.state.pools["a"].moved == "march"
    assert events(battle, "moved")


@pytest.mark.rule("t9a.def.viable-formation.keep-files")
def test_whoever_stands_inside_a_unit_counts_for_its_files():
    battle = scene(unit("a", of=quiet(), models=5), hero("h", in_unit="a"), unit("z", 1, at=(8, 46), of=quiet()))
    state, a = battle.state, battle.state.unit("a")
    fell(battle, state.pools["a"], a, 2, False)
    assert layout(state, a).rows == (4,), "three soldiers and a character are one rank of four"
    fell(battle, state.pools["a"], a, 2, False)
    assert (a.files, layout(state, a).rows) == (2, (2,))


@pytest.mark.rule("t9a.melee.prep.lock", "t9a.def.contact.models")
def test_a_unit_of_fewer_models_than_files_fights_where_it_stands():
    few = unit("z", 1, models=2, files=5, of=quiet())
    battle = scene(unit("a", models=20, of=quiet()), few, hero("h", 1, in_unit="z", of=quiet(hp=3)), moment="melee")
    state, z = battle.state, battle.state.unit("z")
    shape = layout(state, z)
    assert (z.locked[0], z.files, shape.rows) == (3.0, 3, (3,))
    assert (min(c.x0 for c in shape.cells), max(c.x1 for c in shape.cells)) == (-1.5, 1.5)
    assert not events(battle, "idle"), "those at both ends touch by a corner"


@pytest.mark.rule("t9a.attack.casualties.front-rank", "t9a.def.viable-formation.keep-files")
@pytest.mark.parametrize(("count", "width", "middle"), [(1, 6, 36.5), (2, 5, 36), (4, 3, 36), (5, 2, 36.5)])
def test_whoever_stays_in_a_single_rank_stands_where_it_stood(count, width, middle):
    battle = scene(unit("a", of=quiet(), models=7, files=7), unit("z", 1, at=(8, 46), of=quiet()))
    state, a = battle.state, battle.state.unit("a")
    fell(battle, state.pools["a"], a, count, False)
    here = box(state, a)
    assert (here.w, here.y) == (width, 20)
    assert here.x in (middle, 72 - middle), "an odd one falls at one end, and nobody moves aside for it"


@pytest.mark.rule("t9a.def.viable-formation.keep-files")
def test_a_rank_that_lost_models_in_combat_does_not_move_aside():
    fierce = part(agi=6, att=1, off=6, s=6, ap=6)
    battle = scene(
        unit("a", at=(36, 20), models=5, of=profile(parts=[fierce])),
        unit("z", 1, at=(36, 20), models=5, of=profile("fearless", "stubborn", parts=[QUIET])),
        moment="melee",
        dice=[6, 1, 1, 1, 1, 6, 1, 1],
    )
    state, z = battle.state, battle.state.unit("z")
    assert events(battle, "unlocked")
    assert box(state, z).w == 4
    assert (z.x, z.files) == (35.5, 4), "its left end, which is on the other player's right, has lost one"


@pytest.mark.rule("t9a.char.all-attachable")
def test_characters_of_unlike_width_stand_side_by_side():
    broad = mm(101.6, 76.2, hp=5)
    battle = scene(
        hero("a", at=(36, 20), of=quiet(hp=3)), hero("b", in_unit="a", of=broad), unit("z", 1, at=(8, 46), of=quiet())
    )
    state, a = battle.state, battle.state.unit("a")
    shape = layout(state, a)
    assert [(c.pool, c.rank) for c in shape.cells] == [("a", 0), ("b", 0)]
    assert (shape.width, shape.depth, shape.rows[0]) == (5, 3, 5)
