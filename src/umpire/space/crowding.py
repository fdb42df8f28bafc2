"""The compiled kernel for models that stand close together: the places beside others that are nearest to a wish."""

import math
from typing import Any

import numpy as np

from .compiling import entry


@entry("AAAffffffffffibA")
def beside(
    mates: Any, ring: Any, others: Any, mx: float, my: float, mr: float, mq: float, x: float, y: float, more: float,
    far: float, link: float, tolerance: float, need: int, solid: bool, out: Any,
) -> int:  # fmt: skip
    """Places for a round model of radius `mr` (and `mq` inside) from (mx, my), so much `more` off its mates than
    touching, in the directions of a ring: as many as there is room for in `out` of those nearest to (x, y), to
    thousandths of an inch. Those are left out to which it is farther than `far`, that lie on somebody if all are
    `solid`, or within `link` of fewer mates than it needs. Mates are x, y, r, q; others x, y, q. How many are left."""
    most = out.shape[0]
    found, size = np.empty((most, 3)), 0
    for i in range(mates.shape[0]):
        reach = mates[i, 2] + mr + more
        for j in range(ring.shape[0]):
            px = math.floor((mates[i, 0] + ring[j, 0] * reach) * 1000.0 + 0.5) / 1000.0
            py = math.floor((mates[i, 1] + ring[j, 1] * reach) * 1000.0 + 0.5) / 1000.0
            d = (px - x) * (px - x) + (py - y) * (py - y)
            if size == most and d >= found[size - 1, 2]:
                continue
            at = size if size < most else most - 1
            while at > 0 and found[at - 1, 2] > d:
                found[at, 0], found[at, 1], found[at, 2] = found[at - 1, 0], found[at - 1, 1], found[at - 1, 2]
                at -= 1
            found[at, 0], found[at, 1], found[at, 2] = px, py, d
            size = min(size + 1, most)
    count = 0
    for k in range(size):
        px, py = found[k, 0], found[k, 1]
        if (px - mx) * (px - mx) + (py - my) * (py - my) > far * far:
            continue
        free, near = True, 0
        for i in range(mates.shape[0]):
            dx, dy = px - mates[i, 0], py - mates[i, 1]
            d = dx * dx + dy * dy
            close, wide = mates[i, 3] + mq - tolerance, link + mates[i, 2]
            if solid and d < close * close:
                free = False
                break
            if d <= wide * wide:
                near += 1
        if not free or near < need:
            continue
        if solid:
            for i in range(others.shape[0]):
                dx, dy, close = px - others[i, 0], py - others[i, 1], others[i, 2] + mq - tolerance
                if dx * dx + dy * dy < close * close:
                    free = False
                    break
        if free:
            out[count, 0], out[count, 1] = px, py
            count += 1
    return count
