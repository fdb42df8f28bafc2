"""The compiled kernel for a front that stands with one end at a point of an edge and is turned off it: at which angles
it may touch nothing."""

import math
from typing import Any

import numpy as np

from .angles import sin_cos
from .compiling import entry, inner

TINY = 1e-9

_sin_cos = inner("f")(sin_cos)


@inner("AAiiff")
def _carried(body: Any, points: Any, first: int, count: int, tx: float, ty: float) -> Any:
    """How far along (tx, ty) a body is carried where it overlaps a polygon; (1, 0) if it does nowhere."""
    low, high = -1e300, 1e300
    own = body.shape[0]
    for k in range(own + count):
        if k < own:
            ex, ey = body[(k + 1) % own, 0] - body[k, 0], body[(k + 1) % own, 1] - body[k, 1]
        else:
            p, q = first + k - own, first + (k - own + 1) % count
            ex, ey = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
        size = math.sqrt(ex * ex + ey * ey)
        if size < TINY:
            continue
        nx, ny = ey / size, -ex / size
        a0, a1, b0, b1 = 1e300, -1e300, 1e300, -1e300
        for j in range(own):
            v = body[j, 0] * nx + body[j, 1] * ny
            a0, a1 = min(a0, v), max(a1, v)
        for j in range(first, first + count):
            v = points[j, 0] * nx + points[j, 1] * ny
            b0, b1 = min(b0, v), max(b1, v)
        speed = tx * nx + ty * ny
        if abs(speed) < 1e-12:
            if a1 <= b0 + TINY or a0 >= b1 - TINY:
                return 1.0, 0.0
            continue
        t0, t1 = (b0 - a1) / speed, (b1 - a0) / speed
        low, high = max(low, min(t0, t1)), min(high, max(t0, t1))
        if high <= low + TINY:
            return 1.0, 0.0
    return low, high


@inner("AAi")
def _leave(ground: Any, bars: Any, n: int) -> bool:
    """Do n bars, in their order, leave anything of the ground? Touching is free (`spans.free`)."""
    for g in range(ground.shape[0]):
        at, high = ground[g, 0], ground[g, 1]
        for k in range(n):
            if bars[k, 1] < ground[g, 0] or bars[k, 0] > high:
                continue
            if bars[k, 0] >= at:
                return True
            at = max(at, bars[k, 1])
        if at <= high:
            return True
    return False


@entry("AiffffffffAIIAf")
def next_lean(
    stack: Any, top: int, ax: float, ay: float, tx: float, ty: float, sign: float, w: float, d: float, most: float,
    points: Any, first: Any, count: Any, ground: Any, fine: float,
) -> Any:  # fmt: skip
    """The next angle, of the stretches of angles on a stack, at which a front with its left end (sign 1) or its right
    one at some point of the ground may touch nothing, -1 if there is none up to `most` degrees; and how many stretches
    are left then.

    (ax, ay) is where an edge begins and (tx, ty) its direction, the front stands to the right of it; `ground` are
    lengths along it. Stretches in which something is touched wherever the front stands are left out as a whole, others
    halved until they are not longer than `fine`: what is in the body at all their angles is at least the body without
    so broad a rim as its furthest point turns.
    """
    body, bars = np.empty((4, 2)), np.empty((first.shape[0], 2))
    while top > 0:
        top -= 1
        low, high = stack[top, 0], stack[top, 1]
        if low > most:
            return -1.0, 0
        if high - low <= fine:
            return high, top
        middle = (low + high) / 2.0
        rim = math.sqrt(w * w + d * d) * (high - low) / 2.0 * (math.pi / 180.0)
        n = 0
        if w > 2.0 * rim and d > 2.0 * rim:
            s, c = _sin_cos(middle)
            for k in range(4):
                along = rim if k in (0, 3) else w - rim
                deep = rim if k < 2 else d - rim
                on, off = sign * (along * c - deep * s), along * s + deep * c
                body[k, 0], body[k, 1] = ax + tx * on + ty * off, ay + ty * on - tx * off
            for i in range(first.shape[0]):
                t0, t1 = _carried(body, points, first[i], count[i], tx, ty)
                if t0 < t1:
                    k = n
                    while k > 0 and bars[k - 1, 0] > t0:
                        bars[k, 0], bars[k, 1] = bars[k - 1, 0], bars[k - 1, 1]
                        k -= 1
                    bars[k, 0], bars[k, 1] = t0, t1
                    n += 1
        if _leave(ground, bars, n):
            stack[top, 0], stack[top, 1] = middle, high
            stack[top + 1, 0], stack[top + 1, 1] = low, middle
            top += 2
    return -1.0, 0
