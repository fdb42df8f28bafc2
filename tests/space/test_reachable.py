"""Which points of a facing a front can meet first: all that it can, and none besides."""

import itertools
import random

from umpire.space.angles import turned
from umpire.space.ranks.blocks import Box
from umpire.space.ranks.contact import find_way, nearest_met


def beside_blocks(rng: random.Random) -> tuple[Box, Box, list[tuple[tuple[float, float], ...]]]:
    """A front, a facing before it, and blocks beside that."""
    mover = Box(0.0, 0.0, 0.0, 1.0, rng.uniform(1.0, 4.0), 1.0)
    target = Box(rng.uniform(-3, 3), rng.uniform(4, 8), 0.0, -1.0, rng.uniform(2.0, 5.0), 1.0)
    walls = [
        Box(x, y, *turned(rng.uniform(0, 360)), 1.0, 1.0).corners()
        for x, y in ((rng.uniform(-4, 4), target.y - rng.uniform(0.8, 2.5)) for _ in range(3))
    ]
    return mover, target, walls


def test_the_next_point_that_can_be_met_is_the_first_that_a_dense_trial_meets() -> None:
    """Of random positions, an edge beside blocks, walking and flying, from either end and from its middle: nothing can
    be met before the point that is told, and it can be met, by the wheel that is told."""
    rng = random.Random(3)
    found = 0
    for n in range(12):
        mover, target, walls = beside_blocks(rng)
        flying = n % 3 == 2
        for start, limit in ((0.0, target.w), (target.w, 0.0), (target.w / 2, 0.0)):
            told = nearest_met(mover, target, "front", walls, flying, start, limit)
            up = 1.0 if start < limit else -1.0
            far = limit if told is None else told[0] - up * 0.02
            steps = [start + (far - start) * k / 30 for k in range(31)] if up * (far - start) > 0.0 else []
            for a, b in itertools.pairwise(steps):
                part = (min(a, b), max(a, b))
                assert find_way(mover, target, "front", (part,), walls, flying) is None, (n, part)
            if told is not None:
                found += 1
                way = find_way(mover, target, "front", ((told[0], told[0]),), walls, flying, (told[1],))
                assert way is not None
                assert way.wheel == told[1]
    assert found > 20


def test_an_edge_that_something_lies_against_cannot_be_met_there() -> None:
    """A block as broad as the facing that it stands against leaves not even a corner of it."""
    mover, target = Box(-8.0, -2.0, *turned(60.0), 4.0, 2.0), Box(0.0, 0.0, 0.0, -1.0, 4.0, 1.0)
    there = Box(0.0, 0.0, 0.0, 1.0, 4.0, 2.0).corners()
    assert nearest_met(mover, target, "front", [there], False, 0.0, 4.0) is None
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
