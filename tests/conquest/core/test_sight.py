"""Line of sight."""

import pytest

from conquest.builder import profile, r, regiment, scene, wood
from umpire.games.conquest import sight


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
