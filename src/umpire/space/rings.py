"""Of compiled kernels: convex rings of points, their hull, their area, and the part of a line that lies in one."""

from typing import Any

import numpy as np

from .compiling import inner


@inner("A")
def hull(points: Any) -> Any:
    """The convex hull, anticlockwise, without collinear points (`shapes.convex_hull`)."""
    ordered = np.empty((len(points), 2))
    n = 0
    for k in range(len(points)):
        x, y = points[k, 0], points[k, 1]
        at = n
        while at > 0 and (ordered[at - 1, 0] > x or (ordered[at - 1, 0] == x and ordered[at - 1, 1] > y)):
            at -= 1
        if at > 0 and ordered[at - 1, 0] == x and ordered[at - 1, 1] == y:
            continue
        for j in range(n, at, -1):
            ordered[j, 0], ordered[j, 1] = ordered[j - 1, 0], ordered[j - 1, 1]
        ordered[at, 0], ordered[at, 1] = x, y
        n += 1
    if n <= 2:
        return ordered[:n].copy()
    out = np.empty((2 * n, 2))
    size = 0
    for back in range(2):
        begun = size
        for k in range(n):
            j = n - 1 - k if back else k
            x, y = ordered[j, 0], ordered[j, 1]
            while size - begun >= 2:
                ox, oy, ax, ay = out[size - 2, 0], out[size - 2, 1], out[size - 1, 0], out[size - 1, 1]
                if (ax - ox) * (y - oy) - (ay - oy) * (x - ox) > 0:
                    break
                size -= 1
            out[size, 0], out[size, 1] = x, y
            size += 1
        size -= 1
    return out[:size].copy()


@inner("Aii")
def area(points: Any, first: int, count: int) -> float:
    """Twice the area of a polygon, below nought if it goes round clockwise."""
    found = 0.0
    for k in range(count):
        a, b = first + k, first + (k + 1) % count
        found += points[a, 0] * points[b, 1] - points[b, 0] * points[a, 1]
    return found


@inner("Aiiffffffff")
def span_inside(
    points: Any, first: int, count: int, sense: float, x: float, y: float, vx: float, vy: float, t0: float, t1: float,
    grow: float,
) -> Any:  # fmt: skip
    """What of the line p + t v, for t from t0 to t1, lies inside a polygon grown by a hair, anticlockwise where the
    sense is 1, clockwise where it is -1; (1, 0) if nothing does."""
    k = first + count - 1
    ax, ay = points[k, 0], points[k, 1]
    for k in range(first, first + count):
        bx, by = points[k, 0], points[k, 1]
        ex, ey = bx - ax, by - ay
        side = sense * (ex * (y - ay) - ey * (x - ax)) + grow * (abs(ex) + abs(ey))
        rate = sense * (ex * vy - ey * vx)
        if rate > 0.0:
            t0 = max(t0, -side / rate)
        elif rate < 0.0:
            t1 = min(t1, -side / rate)
        elif side < 0.0:
            return 1.0, 0.0
        if t0 >= t1:
            return 1.0, 0.0
        ax, ay = bx, by
    return t0, t1
