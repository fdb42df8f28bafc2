"""The compiled kernel for a convex body that turns about a point: through which angles something is in its way.

That changes only where a corner of one comes to the clearance from an edge or a corner of the other: those angles are
explicit, and between two of them one look decides.
"""

import math
from typing import Any

import numpy as np

from .angles import _arctan as arctan
from .angles import sin_cos
from .compiling import entry, inner

TINY = 1e-9
DEGREE = math.pi / 180.0

_sin_cos = inner("f")(sin_cos)
_arctan = inner("f")(arctan)


@inner("ff")
def _heading(dx: float, dy: float) -> float:
    if dx == 0.0 and dy == 0.0:
        return 0.0
    if abs(dx) <= abs(dy):
        angle = _arctan(dx / dy) / DEGREE + (180.0 if dy < 0.0 else 0.0)
    else:
        angle = (90.0 if dx > 0.0 else 270.0) - _arctan(dy / dx) / DEGREE
    angle -= 360.0 * math.floor(angle / 360.0)
    return 0.0 if angle >= 360.0 else angle


@inner("f")
def _arccos(value: float) -> float:
    value = max(-1.0, min(1.0, value))
    return _heading(math.sqrt(max(0.0, 1.0 - value * value)), value)


@inner("Aff")
def _shadow(ring: Any, nx: float, ny: float) -> Any:
    low = high = ring[0, 0] * nx + ring[0, 1] * ny
    for k in range(1, ring.shape[0]):
        h = ring[k, 0] * nx + ring[k, 1] * ny
        low, high = min(low, h), max(high, h)
    return low, high


@inner("AA")
def _widest(a: Any, b: Any) -> float:
    """The widest gap across an edge of the first; across and along, if it is a segment."""
    best = -1e300
    n = a.shape[0]
    for k in range(n):
        j = k - 1 if k else n - 1
        ex, ey = a[k, 0] - a[j, 0], a[k, 1] - a[j, 1]
        long = math.sqrt(ex * ex + ey * ey)
        if long <= 1e-12:
            continue
        for turn in range(2 if n == 2 else 1):
            nx, ny = (ey / long, -ex / long) if turn == 0 else (ex / long, ey / long)
            a0, a1 = _shadow(a, nx, ny)
            b0, b1 = _shadow(b, nx, ny)
            best = max(best, max(b0 - a1, a0 - b1))
    return best


@inner("AA")
def _nearest(a: Any, b: Any) -> float:
    """Squared distance of the corners of one from the outline of the other."""
    square = 1e300
    n = b.shape[0]
    for k in range(n):
        j = k - 1 if k else n - 1
        dx, dy = b[k, 0] - b[j, 0], b[k, 1] - b[j, 1]
        long = dx * dx + dy * dy
        for m in range(a.shape[0]):
            wx, wy = a[m, 0] - b[j, 0], a[m, 1] - b[j, 1]
            t = (wx * dx + wy * dy) / long if long > 0.0 else 0.0
            t = 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)
            wx -= t * dx
            wy -= t * dy
            square = min(square, wx * wx + wy * wy)
    return square


@inner("AA")
def _gap(a: Any, b: Any) -> float:
    best = max(_widest(a, b), _widest(b, a))
    return best if -1e299 < best <= 0.0 else math.sqrt(min(_nearest(a, b), _nearest(b, a)))


@inner("AAffffVi")
def _events(ring: Any, other: Any, px: float, py: float, clearance: float, sign: float, out: Any, found: int) -> int:
    """The angles at which a corner of one, turning, comes to the clearance from the other; how many there are now."""
    m = other.shape[0]
    for i in range(ring.shape[0]):
        vx, vy = ring[i, 0] - px, ring[i, 1] - py
        r = math.sqrt(vx * vx + vy * vy)
        if r < TINY:
            continue
        bearing = _heading(vx, vy)
        for k in range(m):
            ax, ay = other[k, 0], other[k, 1]
            j = k + 1 if k + 1 < m else 0
            ex, ey = other[j, 0] - ax, other[j, 1] - ay
            n = math.sqrt(ex * ex + ey * ey)
            if n < 1e-12:
                continue
            nx, ny = ey / n, -ex / n
            h = (ax - px) * nx + (ay - py) * ny
            look = _heading(nx, ny)
            for turn in range(1 if clearance == 0.0 else 2):
                level = h if clearance == 0.0 else (h - clearance if turn == 0 else h + clearance)
                if abs(level) > r:
                    continue
                spread = _arccos(level / r)
                for way in (1.0, -1.0):
                    at = look + way * spread
                    s, c = _sin_cos(at)
                    along = (px + r * s - ax) * ex + (py + r * c - ay) * ey
                    if -1e-6 <= along <= n * n + 1e-6:
                        out[found] = sign * (at - bearing)
                        found += 1
        if clearance > 0.0:
            for k in range(m):
                wx, wy = other[k, 0] - px, other[k, 1] - py
                far = math.sqrt(wx * wx + wy * wy)
                if far < TINY:
                    continue
                cosine = (r * r + far * far - clearance * clearance) / (2.0 * r * far)
                if abs(cosine) <= 1.0:
                    spread = _arccos(cosine)
                    there = _heading(wx, wy)
                    out[found] = sign * (there + spread - bearing)
                    out[found + 1] = sign * (there - spread - bearing)
                    found += 2
    return found


@inner("AfffA")
def _turned(ring: Any, px: float, py: float, degrees: float, out: Any) -> None:
    s, c = _sin_cos(degrees)
    for k in range(ring.shape[0]):
        x, y = ring[k, 0], ring[k, 1]
        out[k, 0] = px + (x - px) * c + (y - py) * s
        out[k, 1] = py + (y - py) * c - (x - px) * s


@entry("AffAfff")
def around(body: Any, px: float, py: float, obstacle: Any, clearance: float, low: float, high: float) -> Any:
    """The stretches of [low, high] through which a body turned about a point is nearer to an obstacle than its
    clearance, or overlaps it."""
    reach = 0.0
    for k in range(body.shape[0]):
        x, y = body[k, 0] - px, body[k, 1] - py
        reach = max(reach, x * x + y * y)
    spot = np.empty((2, 2))
    for k in range(2):
        spot[k, 0], spot[k, 1] = px, py
    if max(0.0, _gap(spot, obstacle)) >= math.sqrt(reach) + clearance:
        return np.empty((0, 2))
    n = body.shape[0] * obstacle.shape[0]
    events = np.empty(24 * n)
    found = _events(body, obstacle, px, py, clearance, 1.0, events, 0)
    found = _events(obstacle, body, px, py, clearance, -1.0, events, found)
    turns = int((high - low) / 360.0) + 2
    marks = np.empty(found * turns + 2)
    marks[0] = low
    count = 1
    for k in range(found):
        value = events[k] - 360.0 * math.floor((events[k] - low) / 360.0)
        while value < high:
            if value > low:
                marks[count] = value
                count += 1
            value += 360.0
    marks[count] = high
    count += 1
    ordered = np.sort(marks[1 : count - 1])
    marks[1 : count - 1] = ordered
    out = np.empty((count, 2))
    stretches = 0
    there = np.empty((body.shape[0], 2))
    for k in range(count - 1):
        a, b = marks[k], marks[k + 1]
        if b - a < 1e-10:
            continue
        _turned(body, px, py, (a + b) / 2, there)
        if _gap(there, obstacle) < clearance - TINY:
            if stretches and out[stretches - 1, 1] >= a - 1e-10:
                out[stretches - 1, 1] = b
            else:
                out[stretches, 0], out[stretches, 1] = a, b
                stretches += 1
    return out[:stretches]
