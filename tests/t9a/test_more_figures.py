"""The book's other figures as positions, by their numbers; figures 10 and 14 are in `test_figures`."""

import math

import pytest

from t9a.builder import allowed, asked, do, hero, last, part, piece, profile, quiet, refused, scene, u, unit
from umpire.games.t9a import sight, spacing
from umpire.games.t9a.aligning import contact
from umpire.games.t9a.formation import arc_of, box, centre, layout
from umpire.games.t9a.profiles import Rule
from umpire.games.t9a.ranged_attacks import area_size
from umpire.games.t9a.spacing import separation

FAR = unit("z", 1, at=(8, 46), of=quiet())


def moving(what, *others, **more):
    battle = scene(unit("a", of=more.pop("of", quiet()), **more), *others, FAR, moment="movement")
    return do(battle, "a", what)


@pytest.mark.rule("t9a.charge.move.path", "t9a.charge.align.procedure", "t9a.charge.align.flush")
def test_figure_2_straight_on_a_wheel_about_the_right_corner_straight_on_and_flush():
    battle = scene(
        unit("a", at=(30, 18), of=quiet(cha=9), models=5),
        unit("b", 1, at=(38, 27), facing=215.0, of=quiet(), models=5),
        dice=[6],
    )
    do(battle, "a", "b", "hold")
    way = last(battle, "charge-way")
    assert 0 < way["degrees"] <= 90
    assert way["inches"] > 0
    a, b = (box(battle.state, u(battle, key)) for key in "ab")
    assert (a.facing - b.facing) % 360 == pytest.approx(180)
    assert separation(a.corners(), b.corners()) == pytest.approx(0, abs=1e-6)
    assert last(battle, "charged")["models"] == [5, 5]


@pytest.mark.rule("t9a.charge.misaligned.priority", "t9a.charge.misaligned.projection-line")
def test_figure_2_who_cannot_be_flush_leans_as_little_as_it_must_and_stays_on_its_side_of_the_line():
    """Stones lie before both ends of the facing: the front leans by atan(0.8 / 5.2), below one of them."""
    stones = [piece("l", "impassable", 36.5, 25.2, 37.3, 25.8), piece("r", "impassable", 42.7, 25.2, 43.5, 25.8)]
    battle = scene(
        unit("a", at=(39.8, 20), of=quiet(cha=6), models=7, files=7),
        unit("b", 1, at=(40, 26), of=quiet(), models=5),
        terrain=stones,
    )
    spot = contact(battle.state, u(battle, "a"), u(battle, "b"))
    low, high = sorted(y for _, y in spot.at.front())
    assert high == pytest.approx(26, abs=1e-6), "no corner behind the line of the facing"
    assert math.asin((high - low) / 7) == pytest.approx(math.atan(0.8 / 5.2), abs=4e-4)


@pytest.mark.rule("t9a.move.serpentine.wheel-cost", "t9a.move.normal.pivot")
def test_figure_4_a_wheel_of_four_inches_and_a_pivot_about_the_centre():
    """Eight wide and wheeled by thirty degrees the outer corner has come four inches forward."""
    battle = moving("normal", models=8, files=8)
    allowed(battle, {"path": [{"how": "wheel", "degrees": 30}]})
    refused(battle, {"path": [{"how": "wheel", "degrees": 30.2}]}, "t9a.move.normal.advance")
    before = centre(battle.state, u(battle, "a"))
    do(battle, {"path": [{"how": "pivot", "degrees": 40}]})
    assert centre(battle.state, u(battle, "a")) == pytest.approx(before)


@pytest.mark.rule("t9a.move.final-position")
def test_figure_5_every_corner_within_twice_the_mobility_of_some_corner_that_was():
    """Mobility 4, six wide and two deep: straight on eight inches each corner is at its limit; eight ahead and three to
    the side the corner between two that were is 8.54 from the nearest, though the centre has not gone that far."""
    allowed(moving("march", models=12, files=6), {"path": [{"how": "forward", "inches": 8}]})
    light = moving("reform", models=12, files=6, of=quiet("light-troops.reform"))
    allowed(light, {"to": {"x": 36, "y": 27, "facing": 0}, "files": 6})
    refused(light, {"to": {"x": 39, "y": 27, "facing": 0}, "files": 6}, "t9a.move.final-position")


@pytest.mark.rule("t9a.move.march.advance", "t9a.move.march.final-adjust")
@pytest.mark.parametrize(("option", "legal"), [("off", False), ("on", True)])
def test_figure_6_a_wheel_and_the_way_ahead_and_a_last_correction_where_the_table_wants_it(option, legal):
    """a + b is twice the Mobility; c, backwards about a front corner by up to an inch, is in the caption alone."""
    battle = scene(unit("a", of=quiet(), models=10), FAR, moment="movement", options={"march_adjustment": option})
    do(battle, "a", "march")
    way = [{"how": "wheel", "degrees": 30}, {"how": "forward", "inches": 5.5}]
    assert battle.check({"path": way}).legal
    assert battle.check({"path": [*way, {"how": "back", "degrees": 11}]}).legal is legal
    assert not battle.check({"path": [*way, {"how": "back", "degrees": 13}]}).legal


@pytest.mark.rule("t9a.shoot.facing", "t9a.shoot.cover.lines", "t9a.shoot.cover.result")
def test_figure_8_two_of_three_lines_to_the_flank_go_through_the_wood():
    """Blue is in the flank arc of red: the lines go to both ends and the middle of that flank."""
    archer = profile(parts=[part(att=None, weapons=("longbow",), aim={"longbow": 4})])

    def covered(right):
        battle = scene(
            unit("a", at=(20, 18), facing=90.0, of=archer, models=1, files=1),
            unit("b", 1, at=(36, 20), facing=0.0, of=quiet(), models=20, files=5),
            moment="shooting",
            terrain=[piece("f", "forest", 26, 15.5, 28, right)],
        )
        state, a, b = battle.state, u(battle, "a"), u(battle, "b")
        assert arc_of(box(state, b), a.x, a.y) == "left"
        return sight.best_cover(state, a, b, "left", layout(state, a).cells[0])

    assert covered(19.5) == "soft"
    assert covered(17.6) == "", "one line of three"


@pytest.mark.rule("t9a.melee.attack.across-gap", "t9a.def.contact.across-gaps")
def test_figure_9_they_touch_across_a_hole_and_where_they_are_not_flush():
    """Left: two of red's first rank have fallen, and blue meets the two who stand behind the holes. Right: a front that
    leans touches with one corner alone; carried straight ahead every base still meets one."""
    hole = scene(unit("a", of=quiet(), models=5), unit("b", 1, at=(36, 20), of=quiet(), models=10), moment="melee")
    state, a, b = hole.state, u(hole, "a"), u(hole, "b")
    b.locked, b.holes = (5.0, 2.0), ((1, 0), (3, 0))
    state.pool("b").count = 8
    met = {layout(state, b).cells[k].rank for _, k in spacing.contacts(state, a, "front", b, "front")}
    assert len(spacing.contacts(state, a, "front", b, "front")) >= 5
    assert {j for j, _ in spacing.contacts(state, a, "front", b, "front")} == {0, 1, 2, 3, 4}
    assert met == {0, 1}, "two of them stand in the second rank"
    leaning = scene(
        unit("a", at=(36.1, 20), facing=4.0, of=quiet(), models=5), unit("b", 1, at=(36, 20.175), of=quiet(), models=5),
        moment="melee",
    )  # fmt: skip
    pairs = spacing.contacts(leaning.state, u(leaning, "a"), "front", u(leaning, "b"), "front")
    assert {mine for mine, _ in pairs} == {0, 1, 2, 3, 4}


@pytest.mark.rule("t9a.melee.post.reform.files", "t9a.char.combined.swap")
def test_figure_11_a_file_more_on_the_right_and_the_captain_in_it():
    """A fights B and C: it takes a file more, and its captain goes to the right end of the first rank."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet(dis=10), models=9, files=5),
        hero("h", in_unit="a", of=quiet(hp=3, dis=10), file=0, rank=0),
        unit("b", 1, at=(34.6, 20), of=quiet(dis=10), models=4, files=4),
        unit("c", 1, at=(38.9, 20), of=quiet(dis=10), models=4, files=4),
        moment="melee",
        dice=[1, 1] * 20,
    )
    while battle.decision is not None and asked(battle) != "ask.combat-reform":
        named = asked(battle) == "ask.combat-reforms"
        do(battle, (["a"] if battle.decision.side == 0 else []) if named else battle.decision.suggest())
    assert battle.decision is not None
    do(battle, {"to": {"x": 36.5, "y": 19, "facing": 0}, "files": 6})
    assert u(battle, "a").files == 6
    while battle.decision is not None and asked(battle) in ("ask.rearrange", "ask.place-in-unit"):
        choices = list(getattr(battle.decision, "options", {}))
        do(battle, "5" if "5" in choices else battle.decision.suggest())
    assert layout(battle.state, u(battle, "a")).rows == (6, 4)


@pytest.mark.rule("t9a.def.arcs", "t9a.def.unit-boundary", "t9a.def.unit-centre")
def test_figure_12_three_ranks_five_files_and_the_rays_between_the_arcs():
    battle = scene(unit("a", at=(36, 20), of=quiet(), models=14), FAR)
    here = box(battle.state, u(battle, "a"))
    assert layout(battle.state, u(battle, "a")).rows == (5, 5, 4)
    assert (here.w, here.d) == (5, 3), "the empty place of the last rank is inside"
    assert here.centre == (36, 18.5)
    for name, x, y in (("front", 39, 21), ("right", 40, 20), ("rear", 38, 16), ("left", 33, 18)):
        assert arc_of(here, x, y) == name
    edge = 1e-6
    assert arc_of(here, 38.5 + 4, 20 + 4 + edge) == "front", "a ray leaves the corner at 45 degrees"
    assert arc_of(here, 38.5 + 4 + edge, 20 + 4) == "right"


@pytest.mark.rule("t9a.def.los.boundary-target", "t9a.def.los.blockers")
def test_figure_13_b_is_seen_a_at_its_empty_corner_c_behind_the_rock_not():
    """D sees B; of A only a part of the boundary where nobody stands; C lies behind what is impassable."""
    rocks = [piece("r", "impassable", 40, 26, 52, 27), piece("l", "impassable", 20, 26, 33.0, 30.5)]
    battle = scene(
        unit("d", at=(36, 20), of=quiet(), models=5),
        unit("b", 1, at=(36.5, 32), of=quiet(), models=5),
        unit("a", 1, at=(31.5, 35), facing=0.0, of=quiet(), models=6, files=5),
        unit("c", 1, at=(47, 28.2), of=quiet(), models=5),
        terrain=rocks,
    )
    state, d = battle.state, u(battle, "d")
    assert sight.sees(state, d, u(battle, "b"))
    assert sight.sees(state, d, u(battle, "a"))
    assert not sight.sees(state, d, u(battle, "c"))


@pytest.mark.rule("t9a.rule.ambush.placement")
def test_figure_14_where_ambushers_may_come_on():
    """By a point of the edge: legal; with a rock between the boundary and the point, not; with a second corner further
    than six inches from it, not."""
    battle = scene(
        unit("a", where="ambush", of=quiet("ambush.reserve (table-edge)"), models=10),
        unit("z", 1, at=(60, 40), of=quiet()),
        moment="movement",
        turn=2,
        dice=[3],
        terrain=[piece("r", "impassable", 8.2, 1.2, 9.2, 2.2)],
    )
    assert asked(battle) == "ask.ambush-point"
    do(battle, {"x": 20, "y": 0})
    assert asked(battle) == "ask.arrive"
    allowed(battle, {"x": 20, "y": 4, "facing": 0, "files": 5})
    refused(battle, {"x": 20, "y": 7.5, "facing": 0, "files": 5}, "t9a.rule.ambush.placement")
    beside = scene(
        unit("a", where="ambush", of=quiet("ambush.reserve (table-edge)"), models=10),
        unit("z", 1, at=(60, 40), of=quiet()),
        moment="movement",
        turn=2,
        dice=[3],
        terrain=[piece("r", "impassable", 19.5, 1.0, 20.5, 1.5)],
    )
    do(beside, {"x": 20, "y": 0})
    refused(beside, {"x": 20, "y": 5.5, "facing": 0, "files": 5}, "t9a.rule.ambush.placement")


@pytest.mark.rule("t9a.rule.skirmisher.fight", "t9a.rule.skirmisher.join", "t9a.attack.allocate.melee-attachable")
def test_figure_16_who_of_the_skirmishers_fights_whom():
    """An odd base stands beside the skirmishers, half an inch from them. Whose base, carried straight ahead, meets a
    soldier attacks; a captain only who meets him; whoever meets nobody does not attack."""
    gap = 12.5 / 25.4
    battle = scene(
        unit("a", at=(36, 20), of=profile("skirmisher"), models=8, files=4),
        hero("o", in_unit="a", of=profile(hp=3, base=(40.0, 40.0))),
        unit("b", 1, at=(35, 20), of=quiet(), models=3, files=3),
        hero("c", 1, in_unit="b", of=quiet(hp=3), file=0, rank=0),
        moment="melee",
    )
    state, a, b = battle.state, u(battle, "a"), u(battle, "b")
    shape = layout(state, a)
    assert shape.width == pytest.approx(4 + 40 / 25.4 + 4 * gap)
    odd = next(cell for cell in shape.cells if cell.pool == "o")
    assert abs(odd.x0 + odd.x1) / 2 == pytest.approx((shape.width - 40 / 25.4) / 2), "beside the unit"
    pairs = spacing.contacts(state, a, "front", b, "front")
    theirs = layout(state, b).cells
    fighters = {shape.cells[j].file for j, _ in pairs}
    assert len(fighters) < 5, "somebody meets nobody"
    on_captain = {j for j, k in pairs if theirs[k].pool == "c"}
    assert on_captain
    assert on_captain < {j for j, _ in pairs}


@pytest.mark.rule("t9a.rule.area-attack.hits", "t9a.rule.area-attack.limits")
@pytest.mark.parametrize(
    ("models", "files", "face", "hits"),
    [(15, 5, "front", 9), (7, 5, "front", 5), (1, 1, "front", 1), (6, 3, "front", 6), (12, 5, "left", 8)],
)
def test_figure_17_area_attacks_of_three_by_three(models, files, face, hits):
    battle = scene(unit("a", of=quiet(), models=models, files=files), FAR)
    rule = Rule("t9a.rule.area-attack.hits", "3", words=("3",))
    assert area_size(battle.state, u(battle, "a"), rule, face) == hits
