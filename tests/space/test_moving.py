"""Moves: hand-worked figures, and sweeps against dense sampling."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from umpire import space as sp
from umpire.space.packs import kernel, pack

from .strategies import bases, box, facings, places, rect_bases, wheel

often = settings(max_examples=100, deadline=None)
WALL = box(5, -2, 6, 2, 0, 3)
MAN = sp.Base(sp.Round(0.5), 0, 0, 0, 0, 1.5)


def test_a_straight_move_stops_at_the_wall() -> None:
    swept = sp.slide(MAN, 10, 0, [box(20, 0, 21, 1, 0, 1), WALL])
    assert swept.hit == 1
    assert swept.end.x == pytest.approx(4.5, abs=1e-6)
    assert swept.where == pytest.approx((5.0, 0.0), abs=1e-6)


def test_a_clearance_keeps_it_away_and_may_differ_for_each_obstacle() -> None:
    assert sp.slide(MAN, 10, 0, [WALL], 1.0).end.x == pytest.approx(3.5, abs=1e-6)
    other = WALL.placed(-1, 0)
    swept = sp.sweep(MAN, (sp.Go(10, 0),), [WALL, other], (1.0, -5.0))
    assert (swept.hit, swept.end.x) == (0, pytest.approx(3.5, abs=1e-6))


def test_what_is_too_near_may_be_left_but_not_approached() -> None:
    near = MAN.at(4.2, 0)
    assert sp.slide(near, -5, 0, [WALL], 1.0).free
    assert sp.slide(near, 4.2, 9, [WALL], 1.0).free
    assert sp.slide(near, 5, 0, [WALL], 1.0).end.x == pytest.approx(4.2)


def test_sliding_along_is_no_hit() -> None:
    assert sp.slide(MAN.at(4.5, -5), 4.5, 5, [WALL]).free
    square = sp.Base(sp.Rect(1, 1), 4.5, -5)
    assert sp.slide(square, 4.5, 5, [WALL]).free
    assert not sp.slide(square.moved(0.002, 0), 4.502, 5, [WALL]).free


def test_heights_let_it_pass_over_and_under() -> None:
    low, lintel = box(5, -2, 6, 2, 0, 1), box(5, -2, 6, 2, 2, 4)
    assert sp.slide(MAN.at(0, 0, 1.0), 10, 0, [low]).free
    assert not sp.slide(MAN.at(0, 0, 0.5), 10, 0, [low]).free
    assert sp.slide(MAN, 10, 0, [lintel]).free
    assert sp.slide(MAN.at(0, 0, 0.5), 10, 0, [lintel]).free
    assert not sp.slide(MAN.at(0, 0, 0.6), 10, 0, [lintel]).free


def test_a_rising_leg_clears_the_wall_only_when_steep_enough() -> None:
    assert sp.sweep(MAN, (sp.Go(10, 0, 10),), [WALL]).free
    shallow = sp.sweep(MAN, (sp.Go(10, 0, 5),), [WALL])
    assert shallow.hit == 0
    assert shallow.end.x == pytest.approx(4.5, abs=1e-6)
    over = sp.sweep(MAN, (sp.Go(0, 0, 3), sp.Go(10, 0), sp.Go(0, 0, -3)), [WALL])
    assert over.free
    onto = sp.sweep(MAN, (sp.Go(0, 0, 5), sp.Go(5.5, 0), sp.Go(0, 0, -5)), [WALL])
    assert (onto.hit, onto.end.z) == (0, pytest.approx(3.0, abs=1e-3))


def test_wheel_is_about_the_front_corner_turned_to() -> None:
    unit = sp.Base(sp.Rect(4, 2))
    leg = wheel(unit, 90)
    assert (leg.x, leg.y) == (2, 1)
    end = sp.carry(unit, leg)
    assert end.centre == pytest.approx((1.0, 3.0))
    assert end.facing == 90
    assert wheel(unit, -30).x == -2


def test_several_bases_move_as_one() -> None:
    pair = [sp.Base(sp.Rect(4, 2)), sp.Base(sp.Rect(2, 2), 0, -2)]
    swept = sp.sweep(pair, (sp.Go(0, -5),), [sp.Base(sp.Round(0.5), 0, -6)])
    assert swept.ends[1].y == pytest.approx(-4.5, abs=1e-6)
    assert swept.ends[0].y == pytest.approx(-2.5, abs=1e-6)


def first_touch(mover: sp.Base, leg: sp.Leg, obstacle: sp.Base, steps: int) -> float:
    for k in range(steps + 1):
        if sp.separation(sp.carry(mover, leg, k / steps), obstacle) < -0.0005:
            return k / steps
    return 2.0


@often
@given(bases, bases, places, places)
def test_straight_sweeps_against_dense_sampling(mover: sp.Base, obstacle: sp.Base, dx: float, dy: float) -> None:
    assume(sp.separation(mover, obstacle) > 0.01)
    leg = sp.Go(dx, dy)
    swept = sp.sweep(mover, (leg,), [obstacle])
    touched = first_touch(mover, leg, obstacle, 200)
    length = math.hypot(dx, dy)
    if swept.free:
        assert touched == 2.0
    else:
        assert sp.separation(swept.end, obstacle) == pytest.approx(0.0, abs=1e-4)
        gone = math.hypot(swept.end.x - mover.x, swept.end.y - mover.y)
        assert touched == 2.0 or gone <= touched * length + 1e-6
        assert (
            touched < 2.0
            or sp.separation(sp.carry(swept.end, sp.Go(dx / length * 0.05, dy / length * 0.05)), obstacle) < 0.05
        )


@often
@given(bases, bases, places, places, st.floats(-180, 180))
def test_turning_sweeps_against_dense_sampling(
    mover: sp.Base, obstacle: sp.Base, x: float, y: float, degrees: float
) -> None:
    assume(sp.separation(mover, obstacle) > 0.01)
    leg = sp.Turn(x, y, degrees)
    swept = sp.sweep(mover, (leg,), [obstacle])
    touched = first_touch(mover, leg, obstacle, 200)
    if swept.free:
        assert touched == 2.0
    else:
        assert sp.separation(swept.end, obstacle) == pytest.approx(0.0, abs=2e-3)
        last = swept.legs[-1]
        assert isinstance(last, sp.Turn)
        assert touched == 2.0 or abs(last.degrees) <= abs(degrees) * touched + 1e-6


@often
@given(rect_bases, facings, st.floats(0.1, 5))
def test_carried_is_a_rigid_motion(a: sp.Base, degrees: float, inches: float) -> None:
    b = a.ahead(1.0, 5.0)
    legs = (wheel(a, degrees), sp.Go(inches, -inches))
    assert sp.distance(sp.carried(a, legs), sp.carried(b, legs)) == pytest.approx(sp.distance(a, b), abs=1e-6)


@often
@given(
    st.lists(st.tuples(places, places, st.floats(0.2, 2.0)), min_size=1, max_size=5), places, places, st.floats(-4, 4)
)
def test_a_round_body_told_by_its_numbers_goes_as_one_that_is_packed(
    others: list[tuple[float, float, float]], dx: float, dy: float, dz: float
) -> None:
    bodies = [sp.Base(sp.Round(r), x, y, 1.0, 0.0, 2.0) for x, y, r in others]
    walls = pack([*bodies, WALL])
    man = MAN.at(0.5, 0.25, 1.0)
    kernels = kernel("sweeping")
    swept = sp.sweep(man, (sp.Go(dx, dy, dz),), walls)
    _, row = kernels.disc_past(man.x, man.y, man.z, man.top, 0.5, dx, dy, dz, walls.rows, walls.verts)
    assert (None if row < 0 else row) == swept.hit
    discs = np.array([(b.x, b.y, b.shape.radius, b.z, b.top) for b in bodies])  # type: ignore[union-attr]
    met = sp.sweep(man, (sp.Go(dx, dy, dz),), bodies).hit
    told = kernels.disc_past_discs(man.x, man.y, man.z, man.top, 0.5, dx, dy, dz, discs)
    assert (None if told < 0 else told) == met
