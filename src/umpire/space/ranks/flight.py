"""A block that goes straight on: what its front meets first, where it is free again, and the smallest shift that brings
two blocks into contact again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from umpire.space import spans
from umpire.space.spans import Bar, Ring

from .blocks import Box

EPS = 1e-6


class Hit(NamedTuple):
    """What a front meets first: after how many inches, and what."""

    inches: float
    name: str


def first_hit(box: Box, obstacles: Iterable[tuple[str, Ring]]) -> Hit | None:
    """What a front going straight on meets first; grazing is meeting. Of equals the one named first."""
    front = box.front()
    best: Hit | None = None
    for name, ring in obstacles:
        at = spans.first_touch(front, box.ux, box.uy, ring)
        if at is not None and (best is None or at < best.inches - EPS):
            best = Hit(at, name)
    return best


def edge_distance(box: Box, board: tuple[float, float]) -> float:
    """How far straight on a front corner comes to the edge of the table."""
    best = float("inf")
    for x, y in box.front():
        for value, rate, most in ((x, box.ux, board[0]), (y, box.uy, board[1])):
            if rate > 1e-12:
                best = min(best, (most - value) / rate)
            elif rate < -1e-12:
                best = min(best, value / -rate)
    return max(0.0, best)


def back_off(box: Box, inches: float, obstacles: Iterable[tuple[str, Ring]], standoff: float) -> float | None:
    """The greatest part of a straight move at whose end a block touches nothing; None if there is none."""
    ring = box.corners()
    bars = []
    for name, other in obstacles:
        bar = _touching(ring, box, other)
        if bar is not None:
            bars.append(Bar(*bar, name))
    return spans.greatest(spans.free(0.0, inches, bars, apart=standoff), inches)


def _touching(ring: Ring, box: Box, other: Ring) -> tuple[float, float] | None:
    """The stretch of a straight move in which two touch or overlap."""
    bar = spans.along(ring, box.ux, box.uy, other)
    if bar is not None:
        return bar
    # Grazing: along an edge, or at one corner.
    at = spans.first_touch(ring, box.ux, box.uy, other)
    back = spans.first_touch(spans.shift(ring, box.ux * 200, box.uy * 200), -box.ux, -box.uy, other)
    if at is None or back is None or 200 - back < at - EPS:
        return None
    return at, 200 - back


class Nudge(NamedTuple):
    """A shift along a block's own axes: to the right, and ahead."""

    right: float
    ahead: float

    @property
    def inches(self) -> float:
        return abs(self.right) + abs(self.ahead)


def nudge(box: Box, other: Box) -> Nudge:
    """The smallest shift along a block's own axes that brings it against another, which is parallel or square to it."""
    xs = [box.local(*p) for p in other.corners()]
    low, high = min(x for x, _ in xs), max(x for x, _ in xs)
    near, far = min(y for _, y in xs), max(y for _, y in xs)
    right = max(0.0, low - box.w / 2) - max(0.0, -box.w / 2 - high)
    ahead = max(0.0, near) - max(0.0, -box.d - far)
    return Nudge(right, ahead)


def nudged(box: Box, by: Nudge, sideways_first: bool, obstacles: Sequence[tuple[str, Ring]]) -> Box | None:
    """A block after a nudge, if nothing is overlapped on the way or at its end."""
    rx, ry = box.uy, -box.ux
    legs = [(rx * by.right, ry * by.right), (box.ux * by.ahead, box.uy * by.ahead)]
    if not sideways_first:
        legs.reverse()
    for dx, dy in legs:
        far = (dx * dx + dy * dy) ** 0.5
        if far <= EPS:
            continue
        for _, ring in obstacles:
            bar = spans.along(box.corners(), dx / far, dy / far, ring)
            if bar is not None and bar[0] < far - EPS and bar[1] > EPS:
                return None
        box = box.moved(dx, dy)
    return box
