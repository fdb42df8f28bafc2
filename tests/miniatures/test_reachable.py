"""Which parts of a facing a front can meet first: all that it can, and none besides."""

import math
import random

from umpire.miniatures.blocks import Box
from umpire.miniatures.contact import find_way, reachable
from umpire.space.angles import turned


def test_what_can_be_met_of_an_edge_is_all_that_a_dense_trial_meets() -> None:
    """Of random positions, an edge beside blocks: no way that is found by trying leads elsewhere, and each part that is
    told can be met."""
    rng = random.Random(3)
    for _ in range(12):
        mover = Box(0.0, 0.0, 0.0, 1.0, rng.uniform(1.0, 4.0), 1.0)
        target = Box(rng.uniform(-3, 3), rng.uniform(4, 8), 0.0, -1.0, rng.uniform(2.0, 5.0), 1.0)
        walls = [
            Box(x, y, *turned(rng.uniform(0, 360)), 1.0, 1.0).corners()
            for x, y in ((rng.uniform(-4, 4), target.y - rng.uniform(0.8, 2.5)) for _ in range(3))
        ]
        told = reachable(mover, target, "front", walls, False, 0.25)
        each = target.w / math.ceil(target.w / 0.25)
        for low, high in told:
            for k in range(round((high - low) / each)):
                part = (low + k * each, low + (k + 1) * each)
                assert find_way(mover, target, "front", (part,), walls) is not None, part
        for part in ((k / 40 * target.w, (k + 1) / 40 * target.w) for k in range(40)):
            if find_way(mover, target, "front", (part,), walls) is not None:
                assert any(low <= part[1] and part[0] <= high for low, high in told), part


def test_an_edge_that_something_lies_against_cannot_be_met_there() -> None:
    """A block as broad as the facing that it stands against leaves not even a corner of it."""
    mover, target = Box(-8.0, -2.0, *turned(60.0), 4.0, 2.0), Box(0.0, 0.0, 0.0, -1.0, 4.0, 1.0)
    there = Box(0.0, 0.0, 0.0, 1.0, 4.0, 2.0).corners()
    assert reachable(mover, target, "front", [there], False, 0.1) == ()
    assert find_way(mover, target, "front", ((0.0, 4.0),), [there]) is None
    assert find_way(mover, target, "front", ((0.0, 4.0),), []) is not None


def test_what_stands_beside_the_way_is_not_swept_over() -> None:
    """Straight on: a block further to the right than the front reaches was held to be in the way."""
    mover, target = Box(0.0, 0.0, 0.0, 1.0, 1.969, 2.0), Box(-1.645, 3.478, 0.0, -1.0, 3.937, 3.0)
    beside = ((1.791, 3.071), (3.705, 3.071), (3.705, 1.331), (1.791, 1.331))
    way = find_way(mover, target, "front", ((0.0, 3.937),), [beside])
    assert way is not None
    assert (way.first, way.wheel) == (0.0, 0.0)


def test_a_way_that_is_free_at_few_lengths_of_the_first_straight_is_found() -> None:
    """Of random positions: where a part of a stretch was cut off by the goal itself, all of it was held to be."""
    mover = Box(0.0, 0.0, 0.0, 1.0, 0.984, 2.77)
    x, y = (1.7634068582978297 + 0.8130211227084889) / 2, (8.779784912632929 + 9.034780900029412) / 2
    target = Box(x, y, -0.25913927389776835, -0.9658397995654146, 0.984, 3.7578491206251825)
    walls = [
        ((-3.478, 5.930), (0.02994, 5.930), (0.02994, 4.968), (-3.478, 4.968)),
        ((2.495246, 11.507396), (2.842527, 12.801731), (4.137421, 12.454301), (3.790140, 11.159965)),
        ((2.737224, 12.409263), (3.530477, 15.365765), (4.619290, 15.073628), (3.826037, 12.117126)),
    ]
    way = find_way(mover, target, "left", ((1e-6, 3.7578491206251825),), walls)
    assert way is not None
    assert way.first < 0.2
