"""Marches and marching on."""

import math

import pytest

from conquest.builder import (
    FIELD,
    allowed,
    do,
    events,
    fired,
    forward,
    hero,
    last,
    offered,
    path,
    profile,
    r,
    refused,
    regiment,
    scene,
    wood,
)
from umpire.games.conquest import drill, formation, march, overlapping, ranked, reinforcement, ways_out
from umpire.games.conquest.profiles import Scenario
from umpire.games.conquest.state import Line
from umpire.space.ranks.fronts import world


def marching(*others, of=None, at=(36, 10), facing=0.0, stands=3, files=0, taken=(), models=(), **more):
    own = regiment("a", 0, at, facing, stands, files, of or profile(m=5), models=models)
    battle = scene(own, *others, regiment("far", 1, (5, 45)), taken=taken, **more)
    return do(battle, "march")


@pytest.mark.rule("conquest.march.availability")
def test_no_march_in_contact():
    corner = scene(regiment("a", 0, (36, 20)), regiment("b", 1, (43.5, 20)))
    refused(corner, "march", "conquest.action.list.out-of-combat")
    assert "march" in offered(scene(regiment("a", 0, (36, 20)), regiment("b", 1, (43.6, 20))))


@pytest.mark.rule("conquest.march.distance")
def test_the_lowest_march_is_the_limit():
    battle = marching(of=profile(m=6), characters=[hero("h", 0, "a", profile(m=5))])
    refused(battle, forward(5.01), "conquest.march.distance")
    allowed(battle, forward(5))
    allowed(battle, forward(0))
    allowed(battle, {"stay": True})


@pytest.mark.rule("conquest.march.direction.forward")
def test_straight_forward_only():
    battle = marching()
    refused(battle, {"path": [{"how": "diagonal", "inches": 2}]}, "conquest.march.direction.forward")
    do(battle, forward(3))
    assert (r(battle, "a").x, r(battle, "a").y) == (36.0, 13.0)


@pytest.mark.rule("conquest.march.direction.half-rate")
def test_sideways_and_backwards_at_half_rate():
    battle = marching(of=profile(m=7))
    for how in ("left", "right", "back"):
        allowed(battle, path((how, 3.5)))
        refused(battle, path((how, 3.6)), "conquest.march.direction.half-rate")
    do(battle, path(("back", 3.5)))
    assert r(battle, "a").y == 6.5
    assert r(battle, "a").facing == 0.0


@pytest.mark.rule("conquest.march.direction.no-mixing")
def test_directions_are_not_mixed_in_one_march():
    battle = marching()
    refused(battle, path(("forward", 2), ("left", 1)), "conquest.march.direction.no-mixing")
    refused(battle, path(("wheel", 10), ("back", 1)), "conquest.march.direction.no-mixing")
    refused(battle, path(("left", 0.5), ("back", 0.5)), "conquest.march.direction.no-mixing")
    do(battle, forward(2), "march")
    allowed(battle, path(("left", 1)))


@pytest.mark.rule("conquest.march.wheel")
def test_a_wheel_costs_the_arc_of_the_outer_corner():
    battle = marching(stands=2, files=2)
    assert drill.cost(5.0, path(("wheel", 30))["path"]) == pytest.approx(5 * math.pi / 6)
    allowed(battle, path(("wheel", 30), ("forward", 2.38)))
    refused(battle, path(("wheel", 30), ("forward", 2.39)), "conquest.march.distance")
    wide = marching(stands=3, files=3)
    allowed(wide, path(("wheel", 38.19)))
    refused(wide, path(("wheel", 38.3)), "conquest.march.distance")
    do(battle, path(("wheel", 30)))
    corner = world(ranked.pose(r(battle, "a")), 2.5, 0.0)
    assert corner == pytest.approx((38.5, 10.0), abs=0.002), "it pivots round the front right corner"
    assert r(battle, "a").facing == 30.0


@pytest.mark.rule("conquest.march.wheel.multiple")
def test_several_wheels_in_one_march():
    battle = marching(stands=2, files=2)
    legs = [("wheel", 20), ("forward", 1), ("wheel", -20)]
    assert drill.cost(5.0, path(*legs)["path"]) == pytest.approx(4.49, abs=0.01)
    allowed(battle, path(*legs, ("forward", 0.5)))
    refused(battle, path(*legs, ("forward", 0.53)), "conquest.march.distance")


def test_a_goal_is_reached_by_manoeuvres():
    battle = marching(stands=2, files=2)
    do(battle, {"to": {"x": 37.0, "y": 13.0}})
    assert (r(battle, "a").x, r(battle, "a").y) == pytest.approx((37.0, 13.0), abs=0.02)
    turned = marching(stands=2, files=2, of=profile(m=8))
    do(turned, {"to": {"x": 37.2, "y": 15.0, "facing": 0.0}})
    assert (r(turned, "a").x, r(turned, "a").y) == pytest.approx((37.2, 15.0), abs=0.02)
    assert r(turned, "a").facing == pytest.approx(0.0, abs=0.02)
    refused(marching(), {"to": {"x": 36.0, "y": 17.0}}, "conquest.march.distance")
    side = marching()
    do(side, {"to": {"x": 38.0, "y": 10.0, "facing": 0.0}})
    assert r(side, "a").x == 38.0
    back = do(marching(), {"to": {"x": 36.0, "y": 8.0}})
    assert (r(back, "a").y, r(back, "a").facing) == (8.0, 0.0)
    beside = do(marching(), {"to": {"x": 34.0, "y": 10.0}})
    assert (r(beside, "a").x, r(beside, "a").facing) == (34.0, 0.0), "without a facing it keeps its own"


def test_of_several_ways_one_that_is_legal_is_found():
    goal = {"to": {"x": 37.2, "y": 14.6, "facing": 30.0}}
    path_at = ranked.pose(r(marching(stands=2, files=2, of=profile(m=9)), "a"))
    ways = list(drill.ways_to(path_at, 5.0, 37.2, 14.6, 30.0))
    shapes = {tuple(leg["how"] for leg in way) for way in ways}
    assert {("forward", "wheel", "forward")} <= shapes
    for way in ways:
        end = drill.legs_of(path_at, 5.0, way)[1]
        assert (*end[:2], end[2] % 360) == pytest.approx((37.2, 14.6, 30.0), abs=0.02)
    plain = do(marching(stands=2, files=2, of=profile(m=9)), goal)
    first = [leg["how"] for leg in last(plain, "marched")["path"]]
    rock = wood("rock", 39.9, 8.0, 41.5, 12.0, "impassable")
    hemmed = do(marching(stands=2, files=2, of=profile(m=9), terrain=[rock]), goal)
    assert [leg["how"] for leg in last(hemmed, "marched")["path"]] != first, "another way, past the rock"
    assert (r(hemmed, "a").x, r(hemmed, "a").y) == pytest.approx((37.2, 14.6), abs=0.02)


def test_a_refused_march_names_the_nearest_legal_one():
    battle = marching(regiment("e", 1, (36, 14)))
    ruling = battle.check(forward(5))
    assert not ruling.legal
    assert ruling.nearest["path"][0]["inches"] == pytest.approx(3.0, abs=0.02)


def test_who_is_dragged_into_another_or_past_its_march_stops_where_it_must():
    foe = marching(regiment("e", 1, (36, 14)))
    assert foe.check({"to": {"x": 36, "y": 14}}).nearest["path"][0]["inches"] == pytest.approx(3.0, abs=0.02)
    alone = marching()
    far = alone.check({"to": {"x": 36, "y": 40}}).nearest
    assert far["path"] == [{"how": "forward", "inches": pytest.approx(5.0, abs=0.02)}]
    behind = alone.check({"to": {"x": 36, "y": 1}}).nearest
    assert behind["path"] == [{"how": "back", "inches": pytest.approx(2.5, abs=0.02)}]
    friend = marching(regiment("f", 0, (36, 14)), taken=("march",))
    wish = {"to": {"x": 36, "y": 14}}
    assert friend.check(friend.check(wish).nearest).legal


@pytest.mark.rule("conquest.march.one-inch")
def test_keep_one_inch_from_enemies_and_terrain():
    enemy = regiment("e", 1, (36, 14))
    battle = marching(enemy)
    allowed(battle, forward(3))
    refused(battle, forward(3.01), "conquest.march.one-inch")
    rock = marching(terrain=[wood("rock", 34, 14, 38, 16, "impassable")])
    allowed(rock, forward(3))
    refused(rock, forward(3.1), "conquest.march.one-inch")
    house = marching(terrain=[wood("house", 34, 14, 38, 16, "building", kind="garrison", size=2)])
    allowed(house, forward(3))
    refused(house, forward(3.1), "conquest.terrain.garrison.no-march")
    passing = marching(regiment("e", 1, (43.05, 14), stands=1, facing=90), of=profile(m=10))
    refused(passing, forward(10), "conquest.march.one-inch")
    own = r(passing, "a")
    own.y = 20.0
    assert formation.distance(passing.state, own, r(passing, "e")) > 1.9, "though it would end far enough away"
    aside = marching(regiment("e", 1, (43.3, 14), stands=1, facing=90), of=profile(m=10))
    allowed(aside, forward(10))
    stranded = marching(regiment("e", 1, (36, 10.6)))
    refused(stranded, forward(0.1), "conquest.march.one-inch")
    allowed(stranded, path(("back", 0.3)))
    allowed(stranded, path(("left", 1.0)))
    friend = marching(regiment("f", 0, (36, 14)))
    allowed(friend, forward(1.4))


@pytest.mark.rule("conquest.march.one-inch")
def test_whoever_begins_within_an_inch_may_come_as_near_again():
    """Its rear stand is half an inch from a rock and its front rank 0.9: moving back the front comes within the inch,
    and as near as the rear stand was, but no nearer."""
    rear = ranked.blocks(r(marching(stands=4, files=3), "a"))[1]
    x, y = rear.x + 1.25 + 0.5, rear.y + 1.25 - 0.9
    battle = marching(terrain=[wood("rock", x, y - 0.3, x + 0.3, y, "impassable")], stands=4, files=3)
    allowed(battle, path(("back", 0.4)))
    refused(battle, path(("back", 0.41)), "conquest.march.one-inch")


@pytest.mark.rule("conquest.march.through-friends")
def test_marching_through_friends():
    friend = regiment("f", 0, (36, 13.5))
    battle = marching(friend, of=profile(m=6), taken=("take-aim",))
    refused(battle, forward(5.9), "conquest.regiment.legal-position.overlap")
    do(battle, forward(6))
    assert r(battle, "a").y == 16.0
    fired(battle, "conquest.march.through-friends")


@pytest.mark.rule("conquest.march.through-friends.two-actions")
def test_two_marches_clear_a_friend():
    friend = regiment("f", 0, (36, 13.5))
    battle = marching(friend, of=profile(m=4))
    do(battle, forward(4))
    assert battle.decision.kind == "move", "nothing but a second March is offered"
    refused(battle, forward(1.5), "conquest.regiment.legal-position.overlap")
    allowed(battle, forward(2))
    stuck = marching(regiment("f", 0, (36, 25), stands=12, files=2), of=profile(m=2), at=(36, 9.95))
    refused(stuck, forward(2), "conquest.regiment.legal-position.overlap")


DEEP = regiment("f", 0, (36, 16), stands=18, files=9)
"""A friend 5 inches deep and too broad to be passed by: from inside it 4.5 inches more lead out, or 3 back."""


@pytest.mark.rule("conquest.march.through-friends.two-actions", "conquest.command-model.standard-bearer.march")
def test_the_way_out_of_a_friend_is_as_long_as_the_second_march():
    plain = marching(DEEP, of=profile(m=4))
    refused(plain, forward(4), "conquest.regiment.legal-position.overlap")
    carried = marching(DEEP, of=profile(m=4), models=("leader", "standard-bearer"))
    do(carried, forward(4))
    assert carried.decision.kind == "move", "the second March is an inch longer, which is enough"
    refused(carried, forward(4.4), "conquest.regiment.legal-position.overlap")
    do(carried, carried.decision.default)
    assert not overlapping.overlapped(carried.state, r(carried, "a"), ranked.pose(r(carried, "a")))
    assert not events(carried, "went-back")


@pytest.mark.rule("conquest.march.through-friends.two-actions")
def test_who_finds_the_way_out_of_a_friend_gone_goes_back(monkeypatch):
    battle = marching(DEEP, of=profile(m=4))
    monkeypatch.setattr(march, "overlap_tolerated", lambda *given: True)  # as if it had been open when it went in
    do(battle, forward(4))
    assert last(battle, "went-back") == {"regiment": "a"}
    assert ranked.pose(r(battle, "a")) == (36.0, 10.0, 0.0)
    assert battle.state.activation is None, "its other action is lost"


@pytest.mark.rule("conquest.march.through-friends.two-actions")
def test_whoever_is_not_proved_stuck_in_a_friend_may_show_a_way_out_himself(monkeypatch):
    """That no way out was found is no refusal: the regiment may go in, and goes back if nobody shows one."""
    monkeypatch.setattr(ways_out, "any_way", lambda *given: ways_out.Found(None))
    for answer, came in (({"stay": True}, "went-back"), (forward(2), "marched")):
        battle = marching(regiment("f", 0, (36, 13.5)), of=profile(m=4))
        do(battle, forward(4))
        assert battle.decision.prompt.key == "ask.march-if"
        refused(battle, forward(1.5), "conquest.regiment.legal-position.overlap")
        do(battle, answer)
        assert came in [event.kind for event in battle.events[-8:]]
        assert r(battle, "a").y == (10.0 if came == "went-back" else 16.0)
    monkeypatch.setattr(ways_out, "any_way", lambda *given: ways_out.Found(None, none=True))
    refused(marching(DEEP, of=profile(m=4)), forward(4), "conquest.regiment.legal-position.overlap")


@pytest.mark.rule("conquest.reinforce.entry.second-march")
def test_whoever_is_not_proved_shut_out_may_show_a_second_march_himself(monkeypatch):
    monkeypatch.setattr(ways_out, "any_way", lambda *given: ways_out.Found(None))
    for answer, came in (({"stay": True}, "failed-to-enter"), (forward(1), "marched")):
        battle = entering(regiment("f", 0, (36.0, 2.5), stands=28, files=28, of=profile(m=1)), of=profile(m=4))
        do(battle, on(inches=4))
        assert battle.decision.prompt.key == "ask.march-if"
        refused(battle, forward(0.9), "conquest.regiment.legal-position.overlap")
        do(battle, answer)
        assert len(events(battle, came)) > 0
        assert (r(battle, "a").where == "table") is (came == "marched")


@pytest.mark.rule("conquest.march.through-forbidden")
def test_what_cannot_be_marched_through():
    held = (regiment("f", 0, (36, 14)), regiment("e", 1, (43.5, 14)))
    battle = marching(*held, of=profile(m=9), at=(34, 10))
    refused(battle, forward(9), "conquest.march.through-forbidden")
    enemy = marching(regiment("e", 1, (36, 14)), of=profile(m=12))
    refused(enemy, forward(12), "conquest.march.one-inch")


@pytest.mark.rule("conquest.charge.only-way-into-contact")
def test_a_march_never_makes_contact():
    battle = marching(regiment("e", 1, (36, 14)))
    refused(battle, forward(4), "conquest.march.one-inch")
    charge = do(scene(regiment("a", 0, (36, 10)), regiment("e", 1, (36, 14)), dice=[4]), "charge", "e")
    fired(charge, "conquest.charge.only-way-into-contact")


# -- marching on ---------------------------------------------------------------------------------------------------


def entering(*others, of=None, stands=3, **more):
    own = regiment("a", 0, where="arriving", stands=stands, of=of or profile(m=5))
    return scene(own, *others, regiment("far", 1, (36, 45)), moment="activation", **more)


def on(at=36.0, inches=5.0, files=3, edge="south"):
    return {"edge": edge, "at": at, "files": files, **forward(inches)}


@pytest.mark.rule("conquest.reinforce.entry.placement")
def test_the_march_is_counted_from_the_table_edge():
    battle = entering()
    refused(battle, on(inches=5.1), "conquest.march.distance")
    refused(battle, on(at=2.0), "conquest.reinforce.entry.placement")
    near = entering(regiment("e", 1, (36, 5.5)))
    refused(near, on(inches=4.6), "conquest.march.one-inch")
    do(battle, on())
    assert (r(battle, "a").y, r(battle, "a").facing) == (5.0, 0.0)


@pytest.mark.rule("conquest.reinforce.entry.second-march")
def test_a_second_march_brings_the_rest_on():
    battle = entering(of=profile(m=4), stands=6)
    do(battle, on(inches=4, files=3))
    assert offered(battle) == ["march"] if battle.decision.kind == "choose" else battle.decision.kind == "move"
    refused(battle, forward(0.5), "conquest.reinforce.entry.second-march")
    do(battle, forward(1))
    assert r(battle, "a").y == 5.0


@pytest.mark.rule("conquest.reinforce.entry.legal")
def test_the_formation_is_chosen_on_entry_and_must_be_legal():
    battle = entering(of=profile(m=2), stands=6)
    refused(battle, on(inches=2, files=2), "conquest.reinforce.entry.legal")
    refused(battle, on(inches=2, files=1), "conquest.regiment.front-rank-minimum")
    allowed(entering(of=profile(m=5), stands=6), on(inches=5, files=2))


@pytest.mark.rule("conquest.reinforce.entry.any-edge")
def test_side_edges_are_open_behind_the_line():
    lined = entering(lines={"0/medium": Line(20.0, 20.0)})
    allowed(lined, on(edge="west", at=16.0))
    refused(lined, on(edge="west", at=17.0), "conquest.reinforce.entry.any-edge")
    bare = entering()
    refused(bare, on(edge="west", at=10.0), "conquest.reinforce.entry.any-edge")
    do(lined, on(edge="west", at=16.0))
    assert r(lined, "a").facing == 90.0
    gate = entering(scenario=Scenario("s", {}, zones=FIELD.zones, entry=((10.0, 30.0), None)))
    refused(gate, on(at=36), "conquest.reinforce.entry.any-edge")
    allowed(gate, on(at=20))


@pytest.mark.rule("conquest.reinforce.entry.not-beyond-enemy")
def test_not_further_forward_than_an_enemy():
    battle = entering(regiment("e", 1, (60, 10)), lines={"0/medium": Line(20.0, 20.0)})
    refused(battle, on(edge="west", at=7.25), "conquest.reinforce.entry.not-beyond-enemy")
    allowed(battle, on(edge="west", at=6.2))


def lines(*regiments, **more):
    waiting = [regiment(k, 0, where="reserve", of=profile(klass=k)) for k in ("light", "medium", "heavy")]
    return scene(*regiments, *waiting, regiment("far", 1, (36, 45)), moment="round", round=2, **more).state.lines


@pytest.mark.rule("conquest.reinforce.line.position")
def test_the_line_is_at_the_foremost_friend():
    near = regiment("n", 0, (20, 10.5))
    ahead = regiment("f", 0, (40, 22.5))
    assert lines(near, ahead)["0/medium"].fixed == 20.0
    assert lines(near, ahead, options={"reinforcement_line": "rearmost"})["0/medium"].fixed == 8.0
    wild = regiment("f", 0, (40, 22.5), of=profile(rules=["irregular"]))
    assert lines(near, wild)["0/medium"].fixed == 8.0
    battle = scene(near, ahead, regiment("w", 0, where="reserve"), regiment("e", 1, (36, 45)), moment="round", round=2)
    r(battle, "f").y = 40.0
    reinforcement.push_lines(battle)
    assert battle.state.lines["0/medium"].now == 20.0, "it does not follow friends that advance"


@pytest.mark.rule("conquest.reinforce.line.class")
def test_each_class_has_its_own_line():
    light = regiment("l", 0, (40, 22.5), of=profile(klass="light"))
    medium = regiment("m", 0, (20, 10.5))
    found = lines(light, medium)
    assert [found[f"0/{k}"].fixed for k in ("light", "medium", "heavy")] == [20.0, 20.0, 8.0]
    assert lines(light)["0/heavy"].fixed == -1.0


def pushed(enemy_y):
    battle = scene(
        regiment("l", 0, (40, 22.5)),
        regiment("m", 0, (20, 16.5)),
        regiment("w", 0, where="reserve"),
        regiment("e", 1, (60, 45)),
        regiment("e2", 1, (50, 45)),
        moment="round",
        round=2,
    )
    r(battle, "e").y = enemy_y
    reinforcement.push_lines(battle)
    return battle


@pytest.mark.rule("conquest.reinforce.line.only-back")
def test_an_enemy_behind_the_line_pushes_it_back():
    assert pushed(16.0).state.lines["0/medium"].now == 14.0
    assert pushed(10.0).state.lines["0/medium"].now == -1.0
    assert pushed(30.0).state.lines["0/medium"].now == 20.0
    fired(pushed(16.0), "conquest.reinforce.line.only-back")


@pytest.mark.rule("conquest.reinforce.line.restored")
def test_the_line_is_restored_when_who_pushed_it_is_destroyed():
    battle = pushed(16.0)
    r(battle, "e").y = 40.0
    reinforcement.push_lines(battle)
    assert battle.state.lines["0/medium"].now == 14.0, "moving away restores nothing"
    r(battle, "e").where = "gone"
    reinforcement.push_lines(battle)
    assert battle.state.lines["0/medium"].now == 20.0
    two = pushed(16.0)
    r(two, "e2").y = 17.0
    reinforcement.push_lines(two)
    r(two, "e").where = "gone"
    reinforcement.push_lines(two)
    assert two.state.lines["0/medium"].now == 14.0, "the other one is still there"
    deeper = scene(
        regiment("l", 0, (40, 22.5)),
        regiment("m", 0, (20, 16.5)),
        regiment("k", 0, (10, 8.5)),
        regiment("w", 0, where="reserve"),
        regiment("e", 1, (60, 16), facing=180.0),
        regiment("e2", 1, (50, 10), facing=180.0),
        moment="round",
        round=2,
    )
    reinforcement.push_lines(deeper)
    assert deeper.state.lines["0/medium"].now == 6.0
    r(deeper, "e2").where = "gone"
    reinforcement.push_lines(deeper)
    assert deeper.state.lines["0/medium"].now == 14.0, "as far back as the one that is left keeps it"
    r(deeper, "e").where = "gone"
    reinforcement.push_lines(deeper)
    assert deeper.state.lines["0/medium"].now == 20.0


@pytest.mark.rule("conquest.reinforce.failed")
def test_a_regiment_that_cannot_enter_is_due_next_round():
    wall = [regiment(f"f{k}", 0, (9.0 + 18 * k, 2.5), stands=7, files=7, of=profile(m=1)) for k in range(4)]
    held = [regiment(f"e{k}", 1, (9.0 + 18 * k, 2.5), stands=7, files=7) for k in range(4)]
    battle = entering(*wall, *held, of=profile(m=2))
    assert len(events(battle, "failed-to-enter")) == 1
    assert battle.state.round == 2
    assert r(battle, "a").where == "arriving", "next round it is due without a die"
    assert last(battle, "arriving")["regiment"] == "a"
    again = scene(
        regiment("a", 0, where="reserve", sure=True, of=profile(klass="heavy")),
        regiment("b", 1, (36, 40)),
        moment="reinforcement",
        round=1,
    )
    assert r(again, "a").where == "arriving"
    assert not [e for e in again.events if e.kind == "roll" and e.roll.purpose == "reinforcement"]


@pytest.mark.rule("conquest.reinforce.failed", "conquest.reinforce.must-enter")
def test_the_only_gap_is_found():
    crowd = [
        regiment("f", 0, (15.0, 5.0), stands=24, files=12, of=profile(m=1)),
        regiment("g", 0, (52.55, 5.0), stands=28, files=14, of=profile(m=1)),
    ]
    battle = entering(*crowd, of=profile(m=3))
    assert not events(battle, "failed-to-enter")
    default = battle.decision.default
    assert (default["files"], default["edge"]) == (2, "south")
    assert 32.5 <= default["at"] <= 32.55, "between two friends there is room for two files, and nowhere else"
    do(battle, default)
    refused(battle, "pass")
    assert battle.decision.prompt.key in ("ask.rear-place", "ask.march")


@pytest.mark.rule("conquest.march.through-friends.two-actions", "conquest.reinforce.entry.second-march")
def test_two_marches_bring_a_regiment_on_past_a_friend():
    """A friend stands all along the edge, 2.5 inches deep: 5 inches lead past him."""
    friend = regiment("f", 0, (36.0, 2.5), stands=28, files=28, of=profile(m=1))
    battle = entering(friend, of=profile(m=4))
    do(battle, on(inches=4))
    assert offered(battle) == ["march"] if battle.decision.kind == "choose" else battle.decision.kind == "move"
    refused(battle, forward(0.9), "conquest.regiment.legal-position.overlap")
    do(battle, forward(1))
    assert (r(battle, "a").y, r(battle, "a").where) == (5.0, "table")
    short = entering(friend, of=profile(m=2))
    assert events(short, "failed-to-enter"), "4 inches do not"


@pytest.mark.rule("conquest.reinforce.failed", "conquest.reinforce.must-enter")
def test_who_finds_no_way_on_may_show_one():
    """Straight on there is none, and it is not certain that a wheel finds none: it may wait, or show a way."""
    walls = [
        regiment("f", 0, (30.0, 4.0), stands=24, files=24, of=profile(m=1)),
        regiment("e", 1, (30.0, 4.0), stands=24, files=24, of=profile(m=1)),
    ]
    rocks = [wood("r", 62.0, 2.0, 71.9, 2.4, "impassable")]
    battle = entering(*walls, of=profile(m=4), terrain=rocks)
    if battle.decision.prompt.key == "ask.enter-if":
        allowed(battle, {"stay": True})
        refused(battle, on(at=66.0, inches=4.0))
        do(battle, {"stay": True})
    assert len(events(battle, "failed-to-enter")) == 1


@pytest.mark.rule("conquest.reinforce.must-enter")
def test_a_regiment_that_can_enter_must():
    battle = entering()
    refused(battle, {"stay": True}, "conquest.reinforce.must-enter")
    refused(battle, "pass")
    do(battle, on())
    assert r(battle, "a").where == "table"


@pytest.mark.rule("conquest.regiment.legal-position.on-table")
def test_whoever_leaves_the_table_is_told_by_how_much() -> None:
    battle = scene(regiment("c", 0, (36.0, 3.0), 180.0, stands=3, files=3), regiment("e", 1, (36.0, 40.0)), who="c")
    do(battle, "march")
    ruling = battle.check({"path": [{"how": "forward", "inches": 5}]})
    assert [(why.rule, why.facts) for why in ruling.reasons] == [
        ("conquest.regiment.legal-position.on-table", {"beyond": 2.0})
    ]
