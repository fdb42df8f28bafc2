"""Where a body stands against something, at any facing, clear of everything else: found, or proved that it stands
nowhere.

At one facing the places at which a convex part touches a convex wall are the edges of the moves that bring the part
onto the wall; along each of them everything else forbids intervals, and what is left is free. Over a stretch of facings
no point of the body is further than some slack from where it is at the middle of the stretch: if nothing is left there
with every clearance less by that slack, nothing is left anywhere in the stretch. Stretches are halved until one is free
in its middle, or all are dead, or the slack is less than lengths differ.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .packs import Floats, kernel
from .places import Keep
from .plain import anticlockwise
from .spans import Ring, gap

FINEST = 0.0003
"""Slack that does not matter: less than the tolerance by which lengths are compared."""
COARSEST = 5.0
"""Degrees of the stretches that are looked at first."""


class Body(NamedTuple):
    """What is to stand somewhere, at facing 0 about the point that it turns about: its convex parts, and the `cells` of
    which each is to be near the wall."""

    parts: Sequence[Ring]
    cells: Sequence[Ring]


class Place(NamedTuple):
    x: float
    y: float
    facing: float


def leaning(
    body: Body, walls: Sequence[Ring], keeps: Sequence[Keep], limit: float, first: Sequence[float] = ()
) -> Iterator[Place]:
    """Places at which the body touches a wall, overlaps none, has every cell within a limit of them and keeps clear of
    the rest; those at the facings that are to be looked at `first`, then the others. None: there is no such place."""
    reach = max(math.hypot(x, y) for ring in body.parts for x, y in ring)
    near = [k for k in keeps if min(gap(k.ring, wall) for wall in walls) <= limit + 2 * reach + k.clearance]
    rings = (*_laid(body.parts), *_laid(body.cells), *_laid(walls), *_laid([k.ring for k in near]))
    clear = np.array([k.clearance for k in near], dtype=np.float64)

    def at(facing: float, slack: float) -> list[Place]:
        found = kernel("against").against(*rings, clear, limit, facing, slack)
        return [Place(x, y, facing) for x, y in found.tolist()]

    for facing in first:
        yield from at(facing, 0.0)
    stretches = deque((COARSEST * (k + 0.5), COARSEST / 2) for k in range(round(360.0 / COARSEST)))
    while stretches:
        facing, half = stretches.popleft()
        yield from at(facing, 0.0)
        slack = 2.0 * reach * half * math.pi / 180.0
        if left := at(facing, slack):
            if slack <= FINEST:
                yield from left
            else:
                stretches += [(facing - half / 2, half / 2), (facing + half / 2, half / 2)]


def _laid(rings: Sequence[Ring]) -> tuple[Floats, Any]:
    """Rings for the kernel: end to end, and where each begins."""
    corners = [point for ring in rings for point in anticlockwise(ring)]
    starts = np.cumsum([0, *(len(ring) for ring in rings)])
    return np.array(corners, dtype=np.float64).reshape(-1, 2), starts.astype(np.int64)
