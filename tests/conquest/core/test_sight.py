"""Line of sight."""

import pytest

from conquest.builder import profile, r, regiment, scene, wood
from umpire.engine.rng import Rng
from umpire.games.conquest import sight
from umpire.space.glimpses import crossed, one_ring
from umpire.space.shapes import Base, Hull, Prism
from umpire.space.sight import visible


def unseen(battle, viewer="a", target="t", volley=False):
    return [x.rule for x in sight.reasons_unseen(battle.state, r(battle, viewer), r(battle, target), volley)]


@pytest.mark.rule("conquest.regiment.line-of-sight.front-arc")
def test_the_target_must_be_in_the_front_arc():
    def at(x, y):
        return unseen(scene(regiment("a", 0, (36, 10)), regiment("t", 1, (x, y), stands=2)))

    assert at(36, 20) == []
    assert at(20, 8) == ["conquest.regiment.line-of-sight.front-arc"]
    assert at(36, 5) == ["conquest.regiment.line-of-sight.front-arc"]
    assert at(27.0, 13.0) == [], "a part of a stand is enough"


@pytest.mark.rule("conquest.regiment.line-of-sight.line")
def test_the_line_starts_at_the_centre_of_a_front_stands_front():
    def look(*blocks):
        return unseen(
            scene(regiment("a", 0, (36, 10), stands=2, files=2), regiment("t", 1, (36, 20), stands=2), *blocks)
        )

    full = regiment("f", 0, (36, 15), stands=8, files=8)
    assert look(full) == ["conquest.regiment.line-of-sight.blocking"]
    half = regiment("f", 0, (26.8, 15), stands=8, files=8)
    assert look(half) == [], "one clear line from one stand is enough"
    left = regiment("f", 0, (27.24, 15), stands=8, files=8)
    right = regiment("g", 0, (47.26, 15), stands=8, files=8)
    assert look(left, right) == ["conquest.regiment.line-of-sight.blocking"], "a gap of 0.02 inch lets no line through"
    wide = regiment("g", 0, (47.3, 15), stands=8, files=8)
    assert look(left, wide) == [], "one of 0.06 inch does"


@pytest.mark.rule("conquest.regiment.line-of-sight.blocking")
def test_blockers_are_at_least_as_large_as_both():
    def look(viewer, blocker, target, terrain=(), options=None):
        return unseen(
            scene(
                regiment("a", 0, (36, 10), of=profile(viewer), stands=1),
                regiment("f", 1, (36, 15), of=profile(blocker), stands=6, files=6),
                regiment("t", 1, (36, 26), of=profile(target), stands=1),
                terrain=terrain,
                options=options,
            )
        )

    assert look("infantry", "infantry", "infantry")
    assert not look("cavalry", "infantry", "infantry")
    assert not look("infantry", "cavalry", "monster")
    assert look("cavalry", "brute", "infantry")
    either = {"options": {"blocking": "either"}}
    assert look("cavalry", "infantry", "infantry", **either), "the other reading"
    forest = wood("w", 20, 12, 52, 20, "forest", "passable")
    hidden = scene(regiment("a", 0, (36, 10)), regiment("t", 1, (36, 24)), terrain=[forest])
    assert unseen(hidden) == ["conquest.regiment.line-of-sight.blocking"]


@pytest.mark.rule("conquest.regiment.line-of-sight.own-terrain")
def test_terrain_one_stands_in_does_not_block():
    forest = wood("w", 20, 12, 52, 20, "forest", "passable")
    second = wood("v", 20, 22, 52, 25, "forest", "passable")
    inside = scene(regiment("a", 0, (36, 18), stands=2), regiment("t", 1, (36, 30)), terrain=[forest])
    assert unseen(inside) == []
    assert unseen(inside, "t", "a") == []
    two = scene(regiment("a", 0, (36, 18), stands=2), regiment("t", 1, (36, 30)), terrain=[forest, second])
    assert unseen(two) == ["conquest.regiment.line-of-sight.blocking"]


@pytest.mark.rule("conquest.regiment.line-of-sight.own-terrain")
def test_terrain_is_seen_through_by_the_stands_in_it_alone():
    mist = wood("m", 33.0, 9.5, 50.0, 17.0, "los-blocking", "passable")
    battle = scene(
        regiment("a", 0, (32.0, 10.0), stands=3, of=profile(v=2, rules=["barrage 1 30"])),
        regiment("t", 1, (44, 20), stands=3),
        terrain=[mist],
    )
    own = r(battle, "a")
    assert [s.file for s in sight.stands_in(own, mist)] == [1, 2], "the mist is between its left stand and the enemy"
    assert [sight.shot(battle.state, own, s, r(battle, "t")) for s in own.stands] == ["obstructed", "clear", "clear"]
    assert unseen(battle) == [], "one line of one stand is enough"


@pytest.mark.rule("conquest.volley.obstruction.line")
def test_a_line_that_a_close_look_finds_is_never_missed():
    def box(rng, x, y):
        w, d = rng.uniform(0.5, 4.0), rng.uniform(0.5, 3.0)
        return ((x, y), (x + w, y), (x + w, y + d), (x, y + d))

    rng = Rng(11)
    edge, target = ((0.0, 0.0), (2.5, 0.0)), ((-1.0, 9.0), (4.0, 9.0), (4.0, 11.0), (-1.0, 11.0))
    told = []
    for _ in range(150):
        walls = [box(rng, rng.uniform(-5, 4), rng.uniform(1, 6)) for _ in range(4)]
        starts = [(2.5 * k / 20, 0.0) for k in range(21)]
        ends = [(-1.0 + 5.0 * k / 20, 9.0) for k in range(21)]
        dense = any(not any(crossed(one_ring(wall), p, q) for wall in walls) for p in starts for q in ends)
        block = [Prism(wall, 0.0, sight.TALL) for wall in walls]
        found = visible(Base(Hull(edge), 0, 0, height=1.0), Base(Hull(target), 0, 0, height=1.0), block, across=9)
        assert found or not dense
        told.append((dense, found))
    assert {(True, True), (False, False)} <= set(told)


@pytest.mark.rule("conquest.regiment.line-of-sight.line")
def test_no_line_passes_between_terrain_less_than_a_millimetre_apart():
    def look(gap):
        left = wood("l", 10, 14, 36 - gap / 2, 16, "los-blocking", "passable")
        right = wood("r", 36 + gap / 2, 14, 62, 16, "los-blocking", "passable")
        return unseen(
            scene(regiment("a", 0, (36, 10), stands=1), regiment("t", 1, (36, 20), stands=1), terrain=[left, right])
        )

    assert look(0.03)
    assert not look(0.05)
