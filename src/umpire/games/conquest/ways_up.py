"""Where a body can get to straight on, sideways, backwards or after one wheel, so that it ends touching something."""

from __future__ import annotations

import math
from collections.abc import Sequence

from umpire.space import spans
from umpire.space.angles import rotate
from umpire.space.ranks.fronts import Body, Pose
from umpire.space.shapes import Point
from umpire.space.spans import Bar

from .drill import Fits, Manoeuvre, forward
from .ways_out import FINE, HOWS, Off, Wheel, bars_of, held_off, most_of, reachable, wheel_of

NEARLY = 0.004
"""How near is touching: what a path written to a thousandth can miss it by."""


def ways_to(
    body: Body,
    where: Pose,
    limit: float,
    goal: Sequence[Sequence[Point]],
    ends: Sequence[Off],
    stops: Sequence[Off],
    fits: Fits,
) -> list[Manoeuvre] | None:
    """A way of the same kinds that ends in contact with something, clear of `ends`, and fits."""
    ends, stops = reachable(body, where, limit, ends), reachable(body, where, limit, stops)
    for how, turn in HOWS:
        most = most_of(limit, how)
        inches = _first_contact(body, where, where[2] + turn, most, goal, stops)
        if inches is not None and fits([{"how": how, "inches": inches}]):
            return [{"how": how, "inches": inches}]

    wheels = (_contact_after_a_wheel(body, where, limit, goal, ends, stops, sign, fits) for sign in (1.0, -1.0))
    return next((way for way in wheels if way is not None), None)


def _first_contact(
    body: Body, where: Pose, direction: float, most: float, goal: Sequence[Sequence[Point]],
    stops: Sequence[Off],
) -> float | None:  # fmt: skip
    """How far straight on the first contact is, if nothing stops the regiment before."""
    ux, uy = rotate(0.0, 1.0, direction)
    blocks = [block.corners() for block in body.blocks(where)]
    found = [spans.first_touch(own, ux, uy, ring) for own in blocks for ring in goal]
    near = min((far for far in found if far is not None), default=None)
    if near is None or near > most + FINE:
        return None
    inches = min(most, math.floor(near * 1000 + 0.5) / 1000)
    bars = bars_of(body, where, direction, (), stops, 0.0)
    return inches if all(bar.low >= inches - FINE for bar in bars) else None


def _contact_after_a_wheel(
    body: Body,
    where: Pose,
    limit: float,
    goal: Sequence[Sequence[Point]],
    ends: Sequence[Off],
    stops: Sequence[Off],
    sign: float,
    fits: Fits,
) -> list[Manoeuvre] | None:
    def leave(turned: Pose, shift: float, more: Bar) -> bool:
        """What is left between the bars is near enough to the goal, and reached."""
        ux, uy = rotate(0.0, 1.0, turned[2])
        blocks = [block.corners() for block in body.blocks(turned)]
        close = [spans.along(own, ux, uy, ring, NEARLY + shift) for own in blocks for ring in goal]
        ahead = [bar for bar in close if bar is not None and bar[1] > 0.0]
        if not ahead:
            return False
        # The first contact is between the first nearness and where it would surely stand in what it comes to.
        first, last = min(bar[0] for bar in ahead), math.inf
        for ring in goal:
            inner = spans.less(ring, shift + NEARLY)
            inside = [spans.along(own, ux, uy, inner) for own in blocks] if inner else []
            last = min((last, *(bar[0] for bar in inside if bar is not None)))
        bars = [*bars_of(body, turned, turned[2], ends, stops, shift), Bar(-math.inf, first), more]
        return bool(spans.free(0.0, min(limit, max(0.0, last)), bars))

    def on(wheel: Wheel) -> list[Manoeuvre] | None:
        inches = _first_contact(body, wheel.turned, wheel.turned[2], wheel.left, goal, stops)
        way = None if inches is None else [wheel.manoeuvre, forward(inches)]
        return way if way is not None and fits(way) else None

    off = held_off(stops) + [(ring, 0.0) for ring in goal]
    return wheel_of(body, where, limit, off, sign, leave, on)
