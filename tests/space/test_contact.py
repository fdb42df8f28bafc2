"""How a block comes against another: worked examples, and a slow second look at random positions."""

from __future__ import annotations

import random

import pytest
from shapely.geometry import Polygon

from umpire.space import spans
from umpire.space.ranks import contact
from umpire.space.ranks.blocks import arrange, box_at
from umpire.space.spans import Bar, Span

from . import slow

MM = 25.4


def scene(rng: random.Random) -> tuple[slow.Frame, slow.Frame, str, list[tuple[tuple[float, float], ...]]]:
    """A charger, a target in front of it, the facing it would charge, and clutter between them."""
    charger = (0.0, 0.0, 0.0, rng.uniform(1.5, 7), rng.uniform(1, 4))
    tx, ty = rng.uniform(-8, 8), rng.uniform(4, 14)
    target = (tx, ty, rng.uniform(0, 360), rng.uniform(1.5, 7), rng.uniform(1, 4))
    box = box_at(*target)
    x, y = box.local(0.0, 0.0)
    y += box.d / 2
    if abs(y) - box.d / 2 > abs(x) - box.w / 2:
        face = "front" if y > 0 else "rear"
    else:
        face = "right" if x > 0 else "left"
    clutter = []
    for _ in range(rng.randrange(0, 7)):
        ring = box_at(rng.uniform(-10, 10), rng.uniform(1, 14), rng.uniform(0, 360), rng.uniform(0.5, 5), 1.5).corners()
        if spans.gap(ring, box.corners()) > 0.05 and spans.gap(ring, box_at(*charger).corners()) > 0.05:
            clutter.append(ring)
    return charger, target, face, clutter


def check_way(seed: int, tries: int) -> bool:
    rng = random.Random(seed)
    charger, target, face, clutter = scene(rng)
    mover, goal = box_at(*charger), box_at(*target)
    polygons = [Polygon(ring) for ring in clutter]
    edge = contact.edge_of(goal, face)  # type: ignore[arg-type]
    way = contact.find_way(mover, goal, face, [(0.0, edge.length)], clutter)  # type: ignore[arg-type]
    if way is not None:
        met = slow.try_charge(charger, target, face, polygons, way.first, way.wheel)
        assert met is not None, (seed, way)
        assert met[0] == pytest.approx(way.met[0], abs=1e-3)
        assert met[1] == pytest.approx(way.met[1], abs=1e-3)
        # And a way to one half of the edge only.
        half = (0.0, edge.length / 2) if rng.random() < 0.5 else (edge.length / 2, edge.length)
        part = contact.find_way(mover, goal, face, [half], clutter)  # type: ignore[arg-type]
        if part is not None:
            assert part.met[0] <= half[1] + 1e-4
            assert part.met[1] >= half[0] - 1e-4
            return True
        wanted = half
    else:
        wanted = (0.0, edge.length)
    for _ in range(tries):
        degrees = rng.uniform(-90, 90)
        met = slow.try_charge(charger, target, face, polygons, rng.uniform(0, 14), degrees)
        assert met is None or met[1] < wanted[0] or met[0] > wanted[1], (seed, degrees, met, wanted)
    return way is not None


@pytest.mark.parametrize("seed", range(60))
def test_a_way_is_free_and_none_means_none(seed: int) -> None:
    check_way(seed, 60)


def test_a_wheel_and_two_straights() -> None:
    """T9A-like numbers: a charger of 4 inches, a target 30 degrees off."""
    charger, target = box_at(0, 0, 0, 4, 2), box_at(5, 9, 210, 5, 2)
    edge = contact.edge_of(target, "front")
    for first, second, s in ((0, 9.2942, 0.4019), (2, 7.5622, -0.5981), (4, 5.8301, -1.5981)):
        turned = contact.wheeled(charger.ahead(first), 30)
        at = spans.first_touch(turned.front(), turned.ux, turned.uy, target.corners())
        assert at == pytest.approx(second, abs=1e-4)
        left, _ = turned.ahead(at).front()
        assert edge.along(*left) == pytest.approx(s, abs=1e-4)


def test_flush_places_beside_an_obstacle() -> None:
    edge = contact.edge_of(box_at(2.5, 0, 0, 5, 2), "front")
    assert edge.point(0) == pytest.approx((5, 0)), "left is as the charger sees it"
    rock = ((2.5, 0.6), (3.5, 0.6), (3.5, 1.2), (2.5, 1.2))
    far = ((7.2, 0.5), (9, 0.5), (9, 3), (7.2, 3))
    bars = contact.flush_bars(edge, 4, 2, [("rock", rock), ("far", far), ("behind", ((0, 2.5), (1, 2.5), (1, 3)))])
    assert [(round(b.low, 6), round(b.high, 6)) for b in bars] == [(-2.5, 2.5), (-8.0, -2.2)]
    assert spans.free(-4, 5, [*bars, Bar(2.5, 9)], apart=1e-6) == []


@pytest.mark.parametrize("offset", [-20, 0, 13, 20])
def test_five_against_five_touch_all(offset: float) -> None:
    block = arrange((20, 20), "a", 10, 5)
    mine = contact.exposed(block.cells, block.width, block.depth, "front", mirrored=True)
    theirs = contact.exposed(block.cells, block.width, block.depth, "front")
    best = contact.ranked(mine, theirs, [Span(offset / MM, offset / MM)])[0]
    assert (best.theirs, best.mine) == (5, 5)
    assert (b := contact.ranked(mine, theirs, [Span(21 / MM, 21 / MM)])[0]).theirs == 4
    assert b.mine == 4


def test_the_most_of_theirs_then_of_mine() -> None:
    six, four = arrange((25, 25), "a", 12, 6), arrange((40, 40), "b", 8, 4)
    mine = contact.exposed(six.cells, six.width, six.depth, "front", mirrored=True)
    theirs = contact.exposed(four.cells, four.width, four.depth, "front")
    best = contact.ranked(mine, theirs, [Span(10 / MM, 160 / MM)])[0]
    assert (best.theirs, best.mine) == (4, 6)
    assert [(round(s.low * MM, 4), round(s.high * MM, 4)) for s in best.spans] == [(10, 35)]
    short = spans.free(10 / MM, 160 / MM, [Bar(15 / MM, 9)], apart=1e-9)
    assert [(round(s.low * MM, 4), round(s.high * MM, 4)) for s in contact.ranked(mine, theirs, short)[0].spans] == [
        (10, 15)
    ]


def test_across_a_gap_the_model_behind_touches() -> None:
    """The front model of file 3 is gone: the one behind it meets both enemies before it."""
    holed = arrange((20, 20), "a", 9, 5, holes=((2, 0),))
    four = arrange((25, 25), "b", 4, 4)
    mine = contact.exposed(holed.cells, holed.width, holed.depth, "front", mirrored=True)
    theirs = contact.exposed(four.cells, four.width, four.depth, "front")
    pairs = contact.touching(mine, theirs, 0.0)
    cells = sorted({(holed.cells[a].file, holed.cells[a].rank) for a, _ in pairs})
    assert cells == [(0, 0), (1, 0), (2, 1), (3, 0), (4, 0)]
    behind = next(k for k, cell in enumerate(holed.cells) if (cell.file, cell.rank) == (2, 1))
    assert len([b for a, b in pairs if a == behind]) == 2
