"""Ranks and files with bases of different size, arcs, manoeuvres, flights and nudges: the figures worked out by
hand."""

from __future__ import annotations

import math
import random

import pytest
from shapely.geometry import Polygon

from umpire.space import spans
from umpire.space.ranks import flight, manoeuvres
from umpire.space.ranks.blocks import Box, Guest, arcs_of, arrange, box_at, multiple
from umpire.space.ranks.contact import wheeled
from umpire.space.ranks.manoeuvres import Obstacle, straight, wheel

from . import slow

MM = 25.4


def square(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def test_a_plain_block_and_its_short_last_rank() -> None:
    block = arrange((20, 20), "a", 14, 5)
    assert (block.width, block.depth) == pytest.approx((3.9370, 2.3622), abs=1e-4)
    assert block.rows == (5, 5, 4)
    assert box_at(0, 0, 0, block.width, block.depth).centre == pytest.approx((0, -1.1811), abs=1e-4)


def test_skirmishers_keep_their_gaps() -> None:
    block = arrange((25, 25), "a", 10, 5, gap=12.5)
    assert (block.width * MM, block.depth * MM) == pytest.approx((175, 62.5))


def test_a_base_that_does_not_match_stands_beside_the_block() -> None:
    assert multiple((25, 25), (40, 40)) is None
    assert multiple((20, 20), (40, 80)) == (2, 4)
    assert multiple((25, 50), (50, 50)) == (2, 1)
    block = arrange((25, 25), "a", 20, 5, (Guest("hero", 40, 40),))
    assert (block.width * MM, block.depth * MM) == pytest.approx((165, 100))
    assert block.files == 6
    assert block.rows == (5, 5, 5, 5)
    both = arrange((25, 25), "a", 20, 5, (Guest("hero", 40, 40), Guest("chief", 40, 40)))
    assert both.width * MM == pytest.approx(205)
    assert [c.file for c in both.cells if c.pool != "a"] == [-1, 5]
    exact = arrange((20, 20), "a", 10, 5, (Guest("hero", 40, 40),), gap=12.5, exact=True)
    assert exact.files == 6


@pytest.mark.parametrize(("count", "rows"), [(6, (5, 5, 2, 2)), (10, (5, 5, 5, 3))])
def test_a_long_base_inside_the_block(count: int, rows: tuple[int, ...]) -> None:
    assert arrange((20, 20), "a", count, 5, (Guest("platform", 40, 80),)).rows == rows


def test_a_guest_stands_forward_and_may_have_a_place_of_its_own() -> None:
    block = arrange((20, 20), "a", 13, 5, (Guest("one", 20, 20, 0, 0), Guest("two", 40, 40)))
    spots = {c.pool: (c.file, c.rank) for c in block.cells if c.pool != "a"}
    assert spots == {"one": (0, 0), "two": (1, 0)}
    crowded = arrange((20, 20), "a", 6, 3, tuple(Guest(k, 20, 20) for k in "wxyz"))
    assert sorted(c.rank for c in crowded.cells if c.pool != "a") == [0, 0, 0, 1]


def test_arcs_by_the_rays_from_the_corners() -> None:
    target = box_at(0, 0, 0, 4, 2)
    assert arcs_of(target, 4, 2.5) == ("front",)
    assert arcs_of(target, 5, 2) == ("right",)
    assert arcs_of(target, 3, -4) == ("rear",)
    assert arcs_of(target, 4, 2) == ("front", "right")


def test_the_distance_of_two_blocks() -> None:
    a, b = box_at(0, 0, 0, 4, 2), box_at(6, 5, 210, 5, 2)
    assert sorted(b.front()) == [pytest.approx((3.8349, 6.25), abs=1e-4), pytest.approx((8.1651, 3.75), abs=1e-4)]
    assert spans.gap(a.corners(), b.corners()) == pytest.approx(6.3301, abs=1e-4)


def test_the_price_of_a_wheel_is_how_far_the_outer_corner_comes_forward() -> None:
    assert manoeuvres.price(5, wheel(30)) == pytest.approx(2.5)
    assert manoeuvres.price(5, wheel(30), "chord") == pytest.approx(2.5882, abs=1e-4)
    assert manoeuvres.widest_wheel(8, 4) == pytest.approx(30)
    assert manoeuvres.widest_wheel(8, 9) == 90


def test_a_wheel_sweeps_a_sector() -> None:
    box = box_at(2.5, 0, 0, 5, 2)
    assert wheeled(box, 30).front()[0] == pytest.approx((0.6699, 2.5), abs=1e-4)
    stone = square(-0.5, 2.8, 1.2, 4)
    assert manoeuvres.sector_gap(box, 30, stone) == pytest.approx(0.3, abs=1e-4)
    found = list(manoeuvres.crossings(box, [wheel(30)], [Obstacle("stone", stone, 0.5)]))
    assert [(c.leg, c.name, round(c.gap, 3)) for c in found] == [(0, "stone", 0.3)]
    free, who = manoeuvres.room(box, wheel(30), [Obstacle("stone", stone, 0.5)])
    assert who == "stone"
    assert manoeuvres.sector_gap(box, free, stone) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("seed", range(40))
def test_sectors_and_rooms_against_shapely(seed: int) -> None:
    rng = random.Random(seed)
    w, degrees = rng.uniform(1, 8), rng.choice((-1, 1)) * rng.uniform(1, 90)
    frame = (rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(0, 360), w, 2.0)
    box = box_at(*frame)
    ring = box_at(rng.uniform(-8, 8), rng.uniform(-8, 8), rng.uniform(0, 360), rng.uniform(0.5, 4), 1.0).corners()
    true = slow.swept_wheel(frame, degrees, 720).distance(Polygon(ring))
    assert manoeuvres.sector_gap(box, degrees, ring) == pytest.approx(true, abs=2e-4)
    for leg in (wheel(degrees), straight(rng.uniform(1, 9))):
        free, who = manoeuvres.room(box, leg, [Obstacle("it", ring, 0.5)])
        part = manoeuvres.Leg(leg.how, math.copysign(free, leg.amount))
        before = manoeuvres.leg_gap(box, leg._replace(amount=0.0), ring)
        if before >= 0.5:
            assert manoeuvres.leg_gap(box, part, ring) >= 0.5 - 1e-6
            assert bool(who) == (manoeuvres.leg_gap(box, leg, ring) < 0.5 - 1e-9)


def test_the_final_place_by_corners() -> None:
    box = box_at(3, 0, 0, 6, 2)
    far = manoeuvres.carried(box, [straight(5), wheel(30)])
    assert manoeuvres.cost(6, [straight(5), wheel(30)]) == pytest.approx(8)
    assert manoeuvres.corner_shift(box, far) == pytest.approx(8.0403, abs=1e-4)
    other = manoeuvres.carried(box, [straight(3), wheel(30), straight(2)])
    assert manoeuvres.corner_shift(box, other) == pytest.approx(7.9397, abs=1e-4)


def test_how_far_a_model_shifts_in_a_pivot() -> None:
    block = arrange((25, 25), "a", 20, 10)
    box = box_at(0, 0, 0, block.width, block.depth)
    cell = block.cells[0]
    spot = box.world((cell.x0 + cell.x1) / 2, (cell.y0 + cell.y1) / 2)
    assert math.dist(spot, box.centre) == pytest.approx(4.4564, abs=1e-4)

    def shift(degrees: float) -> float:
        turned = box.pivoted(degrees)
        return math.dist(spot, turned.world((cell.x0 + cell.x1) / 2, (cell.y0 + cell.y1) / 2))

    assert shift(180) == pytest.approx(8.9128, abs=1e-4)
    assert shift(90) == pytest.approx(6.3023, abs=1e-4)
    assert shift(127.6855) == pytest.approx(8, abs=1e-4)


def test_who_goes_where_is_found_if_there_is_a_way() -> None:
    old, new = [(0.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (2.0, 0.0)]
    assert manoeuvres.assigned(old, new, lambda who, place: math.dist(old[who], new[place]) <= 1) == [0, 1]
    assert manoeuvres.assigned(old, new, lambda who, place: place == 0) is None


def test_a_failed_charge_points_at_its_target() -> None:
    box = box_at(0, 0, 0, 5, 2)
    legs = manoeuvres.failed_charge(box, 6, 9, 4, [], 0.01)
    assert legs[0].amount == pytest.approx(36.2547, abs=1e-4)
    assert manoeuvres.price(5, legs[0]) == pytest.approx(2.9569, abs=1e-4)
    assert legs[1].amount == pytest.approx(1.0431, abs=1e-4)
    end = manoeuvres.carried(box, legs)
    assert (end.x, end.y) == pytest.approx((1.1009, 2.3196), abs=1e-4)
    assert end.local(6, 9)[0] == pytest.approx(0, abs=1e-9)


def test_ways_to_a_place_arrive_there() -> None:
    rng = random.Random(4)
    arrived = 0
    for _ in range(200):
        box = box_at(rng.uniform(0, 9), rng.uniform(0, 9), rng.uniform(0, 360), rng.uniform(1, 8), 2)
        x, y = box.world(rng.uniform(-6, 6), rng.uniform(0, 9))
        facing = rng.choice((None, (box.facing + rng.uniform(-90, 90)) % 360))
        for legs in manoeuvres.serpentine_to(box, x, y, facing):
            end = manoeuvres.carried(box, legs)
            assert (end.x, end.y) == pytest.approx((x, y), abs=1e-6)
            if facing is not None:
                assert abs((end.facing - facing + 180) % 360 - 180) < 1e-6
            arrived += 1
    assert arrived > 80


def test_a_block_that_goes_straight_on_is_over_another_from_here_to_there() -> None:
    fleer = Box(13.6, 14.8, 0.6, 0.8, 4, 2)
    assert fleer.centre == pytest.approx((13, 14))
    friend = square(17, 19, 20, 21)
    bar = spans.along(fleer.corners(), 0.6, 0.8, friend)
    assert bar == pytest.approx((5.4, 10.8), abs=1e-9)
    assert fleer.ahead(10.8).centre == pytest.approx((19.48, 22.64))


def test_what_a_front_meets_first() -> None:
    pursuer = box_at(20, 20, 30, 4, 2)
    rock, enemy = square(20, 26, 22, 28), square(24, 30, 30, 32)
    assert spans.first_touch(pursuer.front(), pursuer.ux, pursuer.uy, rock) == pytest.approx(5.7735, abs=1e-4)
    assert spans.first_touch(pursuer.front(), pursuer.ux, pursuer.uy, enemy) == pytest.approx(10.6603, abs=1e-4)
    assert flight.edge_distance(pursuer, (72, 48)) == pytest.approx(31.1769, abs=1e-4)
    hit = flight.first_hit(pursuer, [("enemy", enemy), ("rock", rock)])
    assert hit is not None
    assert hit.name == "rock"


def test_back_off_until_nothing_is_touched() -> None:
    box = box_at(0, 0, 0, 4, 2)
    beside = square(1, 3, 5, 4)
    assert flight.back_off(box, 4, [("it", beside)], 0.01) == pytest.approx(2.99)
    assert flight.back_off(box, 7, [("it", beside)], 0.01) == 7
    grazing = square(2, 3, 5, 4)
    assert flight.back_off(box, 4, [("it", grazing)], 0.01) == pytest.approx(2.99)


def test_a_nudge_is_as_small_as_it_can_be() -> None:
    """A flanker on 45 to 145 mm of a flank that shrinks from 60 to 40 mm goes 5 mm sideways: corner to corner."""
    flank = Box(0, 0, 0, 1, 100 / MM, 40 / MM)
    flanker = Box(flank.w / 2, -95 / MM, -1, 0, 100 / MM, 60 / MM)
    by = flight.nudge(flanker, flank)
    assert by.inches == pytest.approx(5 / MM)
    assert by.ahead == pytest.approx(0)
    end = flight.nudged(flanker, by, True, [])
    assert end is not None
    assert spans.gap(end.corners(), flank.corners()) == pytest.approx(0, abs=1e-9)
    assert flight.nudged(flanker, by, True, [("friend", square(0.5, -1.85, 3, -1.8))]) is None
