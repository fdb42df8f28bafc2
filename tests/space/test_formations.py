"""Ranks and files, sides and arcs."""

import math

import pytest
import shapely

from umpire import space as sp

UNIT = sp.Formation(sp.Rect(2, 2), files=4, count=10, x=20, y=20, height=2)


def test_places_of_an_incomplete_rear_rank() -> None:
    assert UNIT.ranks == 3
    assert UNIT.places()[-2:] == ((1.0, 2), (2.0, 2))
    left = sp.Formation(sp.Rect(2, 2), 4, 9, rear="left")
    assert left.places()[-1] == (0.0, 2)
    right = sp.Formation(sp.Rect(2, 2), 4, 9, rear="right")
    assert right.places()[-1] == (3.0, 2)
    odd = sp.Formation(sp.Rect(2, 2), 4, 9)
    assert odd.places()[-1] == (1.5, 2)


def test_outline_bodies_and_stands_are_the_same_ground() -> None:
    for facing in (0.0, 37.0, 90.0):
        unit = sp.Formation(sp.Rect(1.5, 2), 5, 13, 7, 9, 0, facing, 2)
        stands = shapely.union_all([shapely.Polygon(b.corners()) for b in unit.stands()])
        outline = shapely.Polygon(unit.outline().points)
        bodies = shapely.union_all([shapely.Polygon(b.corners()) for b in unit.bodies()])
        assert outline.area == pytest.approx(13 * 3)
        assert outline.symmetric_difference(stands).area == pytest.approx(0, abs=1e-6)
        assert outline.symmetric_difference(bodies).area == pytest.approx(0, abs=1e-6)


def test_characters_inside_take_up_places() -> None:
    unit = sp.Formation(sp.Rect(1, 1), 5, 11, blocks=(sp.Block(sp.Rect(2, 2), 1, 0, 2, 2), sp.Block(sp.Rect(1, 1), 4)))
    assert unit.ranks == 4
    members = unit.members()
    assert len(members) == 13
    assert all(not sp.overlap(a, b) for k, a in enumerate(members) for b in members[:k])
    assert unit.blocks_placed()[0].centre == pytest.approx((-0.5, -1.0))


def test_losing_ranks_leaves_the_front_where_it_is() -> None:
    fewer = sp.Formation(sp.Rect(2, 2), 4, 4, 20, 20)
    assert sp.side_of(UNIT.rect(), "front") == sp.side_of(fewer.rect(), "front") == ((16, 20), (24, 20))


def test_wheeling_a_formation() -> None:
    leg = sp.wheel(UNIT.rect(), 90)
    turned = UNIT.carried([leg])
    assert turned.facing == 90
    assert sp.corners(turned.rect())[1] == pytest.approx((24, 20))
    swept = sp.sweep(UNIT.bodies(), [leg], [sp.Base(sp.Round(0.5), 20, 24)])
    assert swept.hit == 0


def test_sides_and_arcs() -> None:
    rect = UNIT.rect()
    assert sp.side_of(rect, "right") == ((24.0, 20.0), (24.0, 14.0))
    assert sp.side_heading(rect, "left") == 270
    assert sp.arc_of(rect, (20, 40)) == "front"
    assert sp.arc_of(rect, (26, 22)) == "front"
    assert sp.arc_of(rect, (26.01, 22)) == "right"
    assert sp.arc_of(rect, (14, 12)) == "rear"
    assert sp.arc_of(rect, (13.9, 12)) == "left"
    assert sp.in_arc(rect, (26, 22))
    assert not sp.in_arc(rect, (26.01, 22))
    assert sp.in_arc(rect, (60, 20), spread=90)
    assert not sp.in_arc(rect, (60, 19.9), spread=90)
    # A base counts as soon as any part of it lies in the arc.
    man = sp.Base(sp.Round(1), 28, 22)
    assert sp.in_arc(rect, man.moved(-0.6, 0))
    assert not sp.in_arc(rect, man)
    assert sp.distance(man, sp.arc_region(rect, "front")) == pytest.approx(math.sqrt(2) - 1)


def test_arcs_of_round_bases_are_wedges() -> None:
    man = sp.Base(sp.Round(1), 0, 0, 0, 90)
    assert sp.in_arc(man, (5, 4.9))
    assert not sp.in_arc(man, (4.9, 5.1))
    assert sp.in_arc(man, (0, 50), spread=90)
    assert sp.arc_of(man, (0, 5)) == "left"


def test_which_stands_touch() -> None:
    other = sp.Formation(sp.Rect(2, 2), 2, 2, 20, 20, facing=180)
    pairs = sp.in_contact(UNIT.stands(), other.stands())
    assert pairs == [(0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0)]
    flush = [p for p in pairs if sp.contact_length(UNIT.stands()[p[0]], other.stands()[p[1]]) > 0.001]
    assert flush == [(1, 1), (2, 0)]
    away = other.carried([sp.Go(0, 0.5)])
    assert sp.in_contact(UNIT.stands(), away.stands()) == []
    assert (1, 1) in sp.in_contact(UNIT.stands(), away.stands(), gap=0.5)
    assert sp.contact_side(UNIT.rect(), other.rect()) == "front"
