"""Room for blocks of ranks: found or ruled out, and ruled out over stretches of facings, not one by one."""

from __future__ import annotations

import math

import pytest

from umpire.space.angles import turned as unit_vector
from umpire.space.places import Keep
from umpire.space.ranks import standing_room
from umpire.space.ranks.blocks import Box
from umpire.space.ranks.standing_room import Over, place
from umpire.space.spans import gap

TABLE = ((0.0, 0.0), (72.0, 0.0), (72.0, 48.0), (0.0, 48.0))


def walls(gap: float) -> list[Keep]:
    """Two walls from edge to edge with a lane between them, north of which and south of which there is room enough."""
    return [
        Keep(((0.0, 20.0), (72.0, 20.0), (72.0, 22.0), (0.0, 22.0)), 1.0),
        Keep(((0.0, 24.0 + gap), (72.0, 24.0 + gap), (72.0, 26.0 + gap), (0.0, 26.0 + gap)), 1.0),
    ]


def test_a_body_lies_on_a_point_where_the_lane_is_wide_enough() -> None:
    found = place(6.0, 3.0, TABLE, walls(3.001), (36.0, 25.0), 30.0, Over(36.0, 24.5))
    assert found is not None
    x, y, facing = found
    assert min(facing % 180.0, 180.0 - facing % 180.0) < 1.0  # along the lane
    assert abs(x - 36.0) <= 3.0 + 1e-6
    assert 23.0 - 1e-6 <= y - 3.0 * math.cos(math.radians(facing)) <= 28.0


def test_there_is_none_where_it_is_not_and_that_is_found_by_few_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The room beyond the walls is near, but no body that lies there lies on the point."""
    looks = 0
    nearest = standing_room.nearest_place

    def counted(*args: object, **more: object) -> object:
        nonlocal looks
        looks += 1
        return nearest(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(standing_room, "nearest_place", counted)
    assert place(6.0, 3.0, TABLE, walls(2.9), (36.0, 25.0), 30.0, Over(36.0, 24.5)) is None
    assert looks < 400


def test_a_part_of_a_body_lies_on_a_point() -> None:
    """Where there is room for a body at two facings alone, its part decides which of them."""
    lane = ((30.0, 20.0), (36.2, 20.0), (36.2, 23.1), (30.0, 23.1))
    point = (36.0, 20.2)
    full = ((-3.0, 0.0), (3.0, 0.0), (3.0, -1.5), (-3.0, -1.5))
    half = ((-3.0, -1.5), (0.0, -1.5), (0.0, -3.0), (-3.0, -3.0))
    whole, behind = place(6.0, 3.0, lane, [], point, 0.0, Over(*point)), Over(*point, half)
    assert whole is not None
    assert whole[2] == 0.0
    assert place(6.0, 3.0, lane, [], point, 0.0, behind) is None, "the half rank comes to lie in two other corners"
    found = place(6.0, 3.0, lane, [], point, 0.0, Over(*point, full))
    assert found is not None
    assert found[2] == 180.0
    at = Box(found[0], found[1], *unit_vector(found[2]), 6.0, 3.0)
    assert gap((point, point), [at.world(*corner) for corner in full]) <= 1e-6
