"""Charges: flush, least angle, nudges and corners."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from umpire import space as sp
from umpire.space.formations import SIDES, Side

TARGET = sp.Base(sp.Rect(8, 4), 20, 20)


@settings(max_examples=60, deadline=None)
@given(
    st.floats(0, 360), st.floats(0, 360), st.floats(1, 12), st.floats(1, 4), st.sampled_from(SIDES), st.floats(-9, 9)
)
def test_flush_means_flush(facing: float, turn: float, width: float, depth: float, side: Side, off: float) -> None:
    target = TARGET.turned(turn)
    mover = sp.Base(sp.Rect(width, depth), 20 + off, 35, 0, facing)
    found = sp.align(mover, target, side)
    assert found is not None
    assert found.flush
    length = 8 if side in ("front", "rear") else 4
    assert found.contact == pytest.approx(min(width, length), abs=1e-6)
    assert abs(sp.separation(found.base, target)) < 1e-6
    assert abs(sp.turn_between(found.base.facing, sp.side_heading(target, side) + 180)) < 1e-6


def test_of_equally_good_places_the_nearest_is_taken() -> None:
    found = sp.align(sp.Base(sp.Rect(4, 2), 21.5, 30, 0, 180), TARGET, "front")
    assert found is not None
    assert found.base.centre == pytest.approx((21.5, 23.0))
    found = sp.align(sp.Base(sp.Rect(4, 2), 30, 30, 0, 180), TARGET, "front")
    assert found is not None
    assert found.base.centre == pytest.approx((22.0, 23.0))


def test_obstacles_are_avoided_and_pressed_against() -> None:
    friend = sp.Base(sp.Rect(3, 2), 20, 23, 0, 180)
    mover = sp.Base(sp.Rect(4, 2), 20.5, 30, 0, 180)
    found = sp.align(mover, TARGET, "front", [friend])
    assert found is not None
    assert found.base.x == pytest.approx(23.5, abs=1e-3)
    assert found.contact == pytest.approx(2.5, abs=1e-3)
    assert not sp.overlap(found.base, friend)
    pressed = sp.press(found.base.moved(0.5, 0), TARGET, "front", "right", [friend])
    assert (pressed.hit, pressed.end.x) == (0, pytest.approx(23.5, abs=1e-3))


def test_a_contact_point_is_kept_and_may_make_flush_impossible() -> None:
    mover = sp.Base(sp.Rect(4, 2), 20, 30, 0, 180)
    found = sp.align(mover, TARGET, "front", contact=(24, 22), score=lambda base: 0.0)
    assert found is not None
    assert found.base.x == pytest.approx(22.0)
    friend = sp.Base(sp.Rect(12, 2), 20, 23, 0, 180)
    assert sp.align(mover, TARGET, "front", [friend]) is None


def test_a_score_decides() -> None:
    mover = sp.Base(sp.Rect(4, 2), 20, 30, 0, 180)
    left_most = sp.align(mover, TARGET, "front", score=lambda base: -base.x, least=1.0)
    assert left_most is not None
    assert left_most.base.x == pytest.approx(15.0)
    assert left_most.contact == pytest.approx(1.0)


def test_squaring_up_turns_as_far_as_it_can() -> None:
    mover = sp.flush_base(sp.Base(sp.Rect(4, 2)), TARGET, "front", 0.0)
    pivot = (18.0, 22.0)
    askew = sp.carry(mover, sp.Turn(*pivot, -30.0))
    free = sp.square_up(askew, TARGET, "front", pivot)
    assert free.flush
    assert free.base.centre == pytest.approx(mover.centre)
    in_the_way = sp.Base(sp.Round(0.5), 21.5, 22.6)
    part = sp.square_up(askew, TARGET, "front", pivot, [in_the_way])
    assert not part.flush
    assert 0 < part.turned < 30
    assert sp.separation(part.base, in_the_way) == pytest.approx(0, abs=1e-3)


def test_nudge_restores_contact_within_a_limit() -> None:
    near = sp.Base(sp.Rect(4, 2), 20, 23.4, 0, 180)
    shift = sp.nudge(near, TARGET, 0.5)
    assert shift is not None
    assert shift.end.y == pytest.approx(23.0)
    assert sp.nudge(near, TARGET, 0.3) is None
    assert sp.nudge(near, TARGET, 0.5, [sp.Base(sp.Round(0.1), 20, 22.2)]) is None


def test_approaches_wheel_and_go_straight_to_contact() -> None:
    mover = sp.Base(sp.Rect(4, 2), 30, 34, 0, 180)
    assert sp.approach(mover, TARGET, 0.0, 20).hit is None
    found = sp.approaches(mover, TARGET, 20)
    degrees, swept = found[0]
    assert degrees > 0
    assert sp.touching(swept.end, TARGET)
    blocked = sp.approaches(mover, TARGET, 20, [sp.box(10, 26, 40, 27)])
    assert blocked == []
    assert math.isclose(abs(degrees), min(abs(d) for d, _ in found))
