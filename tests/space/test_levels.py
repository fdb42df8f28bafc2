"""Levels and links: the cheapest way in three dimensions."""

import math

import pytest

from umpire import space as sp

TOWER = sp.Piece(
    "tower",
    (sp.block(((5, 5), (9, 5), (9, 9), (5, 9)), 3.0), sp.platform(((11, 5), (14, 5), (14, 9), (11, 9)), 3.0)),
    (sp.Ladder(7, 5, 0, 3),),
)
LEVELS = sp.levels_of([TOWER])
MAN = sp.Base(sp.Round(0.5), 2, 7, 0, 0, 1.5)


def links() -> list[sp.Link]:
    return sp.climbs(LEVELS, 0.5) + sp.jumps(LEVELS, 3)


def go(budget: float, price: object = sp.full_price) -> sp.Travel:
    return sp.travel(MAN, 0, budget, LEVELS, links(), sp.solids([TOWER]), price)  # type: ignore[arg-type]


def test_levels_and_where_one_is() -> None:
    assert [v.z for v in LEVELS] == [0, 3, 3]
    assert sp.level_at(LEVELS, 7, 7, 3) == 1
    assert sp.level_at(LEVELS, 10, 7, 3) is None
    assert sp.level_below(LEVELS, 12, 7, 3) == 0
    assert sp.level_below(LEVELS, 12, 7, 9) == 2


def test_climbing_a_tower_counts_every_inch() -> None:
    travel = go(20)
    spot = (7.0, 6.5)
    # Along y = 6.5 there is a climb: to the wall, up three inches, in.
    straight = math.dist((2, 7), (4.5, 6.5)) + 0.5 + 3 + 2
    assert travel.cost(*spot, 1) == pytest.approx(straight, abs=0.02)
    journey = travel.journey(*spot, 1)
    assert journey is not None
    assert [s.kind for s in journey.stretches] == ["walk", "climb", "walk"]
    assert journey.cost == pytest.approx(sum(s.cost for s in journey.stretches))
    assert journey.end == (*spot, 3.0)


def test_a_jump_leads_across_the_gap() -> None:
    journey = go(20).journey(13, 7, 2)
    assert journey is not None
    assert [s.kind for s in journey.stretches] == ["walk", "climb", "walk", "jump", "walk"]
    assert journey.cost == pytest.approx(2.5 + 0.5 + 3 + 4 + 2 + 2, abs=0.1)


def test_the_budget_and_forbidden_links() -> None:
    assert go(5).journey(7, 7, 1) is None
    assert math.isinf(go(20, lambda link, up: None).cost(7, 7, 1))
    nimble = go(20, lambda link, up: link.across if up < 0 else link.across + up / 2)
    assert nimble.cost(10, 7, 0) < go(20).cost(10, 7, 0)
    over = nimble.journey(10, 7, 0)
    assert over is not None
    assert [s.kind for s in over.stretches] == ["walk", "climb", "walk", "drop", "walk"]


def test_walking_below_a_platform() -> None:
    travel = go(20)
    assert travel.cost(12, 7, 0) == pytest.approx(sp.path(MAN, 12, 7, sp.solids([TOWER])).length)  # type: ignore[union-attr]
    assert travel.cost(7, 7, 0) == math.inf


def test_ladders_join_levels() -> None:
    found = sp.ladders_of(LEVELS, [TOWER])
    assert [(v.start_level, v.end_level) for v in found] == [(0, 1), (1, 0)]


def test_grid_lists_what_can_be_stood_on() -> None:
    travel = go(9)
    for x, y, cost in travel.grid(1, 1.0):
        assert cost == pytest.approx(travel.cost(x, y, 1))
        assert cost <= 9.001
    assert travel.grid(1, 1.0)
