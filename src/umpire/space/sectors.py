"""Of a compiled kernel: what of polygons lies before a front, under the sector that it sweeps as it wheels, and within
their edges."""

import math
from typing import Any

import numpy as np

from .compiling import inner
from .rings import area, span_inside

SLACK = 1e-7


@inner("Aiiffffff")
def within(
    points: Any, first: int, count: int, px: float, py: float, ux: float, uy: float, f0: float, f1: float
) -> Any:
    """How near and how far along (ux, uy), from (px, py), the part of a polygon lies that is f0 to f1 to the right."""
    low, high = 1e300, -1e300
    k = first + count - 1
    ax, ay = points[k, 0] - px, points[k, 1] - py
    a, h = ax * uy - ay * ux, ax * ux + ay * uy
    for k in range(first, first + count):
        bx, by = points[k, 0] - px, points[k, 1] - py
        b, g = bx * uy - by * ux, bx * ux + by * uy
        if f0 <= b <= f1:
            low, high = min(low, g), max(high, g)
        if a != b:
            for f in (f0, f1):
                t = (f - a) / (b - a)
                if 0.0 <= t <= 1.0:
                    v = h + (g - h) * t
                    low, high = min(low, v), max(high, v)
        a, h = b, g
    return low, high


@inner("ffff")
def part(a: float, b: float, f0: float, f1: float) -> Any:
    """Which part of an edge from a to b to the right lies between f0 and f1; (1, 0) if none does."""
    if abs(b - a) < 1e-12:
        return (0.0, 1.0) if f0 <= a <= f1 else (1.0, 0.0)
    s0, s1 = (f0 - a) / (b - a), (f1 - a) / (b - a)
    if s0 > s1:
        s0, s1 = s1, s0
    return max(0.0, s0), min(1.0, s1)


@inner("AiiffffffffV")
def edge_met(
    points: Any,
    i: int,
    j: int,
    px: float,
    py: float,
    ux: float,
    uy: float,
    f0: float,
    f1: float,
    relax: float,
    length: float,
    out: Any,
) -> None:
    """Of an edge, the part that is f0 to f1 to the right: how near it comes, between which lengths along the edge it is
    nearest, and how far it goes; nothing (1e300) if no part is. With `relax` the nearest and the widest that may be at
    angles nearby: which end is nearest is not known where the edge is nearly flush or nearly seen from its end, nor
    exactly where the front's ends cut it."""
    ax, ay = points[i, 0] - px, points[i, 1] - py
    bx, by = points[j, 0] - px, points[j, 1] - py
    a, h = ax * uy - ay * ux, ax * ux + ay * uy
    b, g = bx * uy - by * ux, bx * ux + by * uy
    out[0], out[1], out[2] = 1e300, 0.0, 0.0
    t0, t1 = part(a, b, f0 - relax, f1 + relax)
    if t0 > t1:
        return
    h0, h1 = h + (g - h) * t0, h + (g - h) * t1
    out[0] = min(h0, h1) - relax
    out[1], out[2], out[3] = t0 * length, t1 * length, max(h0, h1)
    if abs(h0 - h1) < 1e-7 or abs(g - h) < 2.0 * relax or abs(b - a) < 2.0 * relax:
        return
    # The nearest end is the edge's own, or where that end of the front which comes first along the edge cuts it.
    if h0 < h1:
        if relax > 0.0:
            t0 = max(0.0, ((f0 + relax if a < b else f1 - relax) - a) / (b - a))
        out[2] = min(t0, t1) * length
    else:
        if relax > 0.0:
            t1 = min(1.0, ((f1 - relax if a < b else f0 + relax) - a) / (b - a))
        out[1] = max(t0, t1) * length


@inner("AIIA")
def senses(points: Any, first: Any, count: Any, goal: Any) -> Any:
    """Which way round polygons go, and at last one more by itself: 1 anticlockwise."""
    found = np.empty(first.shape[0] + 1)
    for i in range(first.shape[0]):
        found[i] = 1.0 if area(points, first[i], count[i]) >= 0.0 else -1.0
    found[first.shape[0]] = 1.0 if area(goal, 0, goal.shape[0]) >= 0.0 else -1.0
    return found


@inner("Aiifffff")
def along(points: Any, first: int, count: int, sense: float, x: float, y: float, vx: float, vy: float) -> Any:
    """Between which lengths a line lies inside a polygon; (1, 0) if it does not."""
    return span_inside(points, first, count, sense, x, y, vx, vy, -1e300, 1e300, 0.0)


@inner("Aiiffffffff")
def aside(
    points: Any, first: int, count: int, px: float, py: float, ux: float, uy: float, w: float, sign: float,
    begin: float, end: float,
) -> bool:  # fmt: skip
    """Is a polygon too far to one side, ahead or behind for a front of that length to sweep over it however it wheels,
    after a first straight between these lengths? A quick look before the exact one."""
    least, most, back, on = 1e300, -1e300, 1e300, -1e300
    for k in range(first, first + count):
        x, y = points[k, 0] - px, points[k, 1] - py
        inwards, ahead = -sign * (x * uy - y * ux), x * ux + y * uy
        least, most, back, on = min(least, inwards), max(most, inwards), min(back, ahead), max(on, ahead)
    return least > w + SLACK or most < -SLACK or on < begin - SLACK or back - w > end + SLACK


@inner("Aiifffffffff")
def sector(
    points: Any, first: int, count: int, sense: float, px: float, py: float, ux: float, uy: float, w: float,
    sign: float, s: float, c: float,
) -> Any:  # fmt: skip
    """For which lengths of the first straight the wheel after it sweeps over a polygon; (1, 0) if for none.

    The swept ground is a sector about (px, py) that is carried along (ux, uy); sign 1 wheels to the right (about the
    right end, the left one swings), s and c are sine and cosine of the wheel. All that matters happens at its corners,
    at corners of the polygon, and where its arc touches an edge.
    """
    low, high = 1e300, -1e300
    rx, ry = uy, -ux
    # From the pivot to the other end, before and after.
    ox, oy = -sign * rx * w, -sign * ry * w
    # A right wheel turns clockwise, a left one the other way.
    qx, qy = ox * c + sign * oy * s, oy * c - sign * ox * s
    for j in range(3):
        if j == 0:
            x, y = px, py
        elif j == 1:
            x, y = px + ox, py + oy
        else:
            x, y = px + qx, py + qy
        t0, t1 = along(points, first, count, sense, x, y, ux, uy)
        if t0 < t1:
            low, high = min(low, t0), max(high, t1)
    k = first + count - 1
    ax, ay = points[k, 0], points[k, 1]
    for k in range(first, first + count):
        bx, by = points[k, 0], points[k, 1]
        ex, ey = bx - ax, by - ay
        n = math.sqrt(ex * ex + ey * ey)
        if n > 1e-12:
            for turn in (1.0, -1.0):
                nx, ny = turn * ey / n * w, -turn * ex / n * w
                # Is this direction between the first and the last position of the swinging end?
                if sign * (nx * oy - ny * ox) >= 0.0 and sign * (qx * ny - qy * nx) >= 0.0:
                    t0, t1 = along(points, first, count, sense, px + nx, py + ny, ux, uy)
                    if t0 < t1:
                        low, high = min(low, t0), max(high, t1)
        # The corner, carried backwards, against the sector: a disc and two straight borders.
        vx, vy = bx - px, by - py
        on, aside = vx * ux + vy * uy, vx * rx + vy * ry
        if abs(aside) < w:
            half = math.sqrt(w * w - aside * aside)
            t0, t1 = on - half, on + half
            # Ahead of the first position of the front: on - t >= 0.
            t1 = min(t1, on)
            # Behind the last one: the cross product with (qx, qy) keeps its sign.
            side = sign * (qx * vy - qy * vx)
            rate = -sign * (qx * uy - qy * ux)
            inside = True
            if abs(rate) < 1e-13:
                inside = side >= 0.0
            elif rate > 0.0:
                t0 = max(t0, -side / rate)
            else:
                t1 = min(t1, -side / rate)
            if inside and t0 < t1:
                low, high = min(low, t0), max(high, t1)
        ax, ay = bx, by
    if low < high:
        return low, high
    return 1.0, 0.0


@inner("AIIAV")
def corners(points: Any, first: Any, count: Any, out: Any, most: Any) -> None:
    """Of polygons, which way and how far each corner moves inwards as every edge does by an inch, and by how much the
    edges may at most, until one of them is gone."""
    for i in range(first.shape[0]):
        n = count[i]
        start = first[i]
        sense = 1.0 if area(points, start, n) > 0.0 else -1.0
        for k in range(n):
            p, v, q = start + (k - 1) % n, start + k, start + (k + 1) % n
            ex, ey = points[v, 0] - points[p, 0], points[v, 1] - points[p, 1]
            fx, fy = points[q, 0] - points[v, 0], points[q, 1] - points[v, 1]
            le, lf = math.sqrt(ex * ex + ey * ey), math.sqrt(fx * fx + fy * fy)
            # Outward normals of the two edges that meet here.
            mx, my = sense * ey / le, -sense * ex / le
            nx, ny = sense * fy / lf, -sense * fx / lf
            part = 1.0 / (1.0 + mx * nx + my * ny)
            out[v, 0], out[v, 1] = -(mx + nx) * part, -(my + ny) * part
        most[i] = 1e300
        for k in range(n):
            v, q = start + k, start + (k + 1) % n
            ex, ey = points[q, 0] - points[v, 0], points[q, 1] - points[v, 1]
            closing = (out[v, 0] - out[q, 0]) * ex + (out[v, 1] - out[q, 1]) * ey
            if closing > 0.0:
                most[i] = min(most[i], (ex * ex + ey * ey) / closing)


@inner("AIIAVfA")
def inset(points: Any, first: Any, count: Any, turns: Any, most: Any, shift: float, out: Any) -> None:
    """Polygons whose every edge is moved inwards, their `corners` known; one that vanishes is put out of the way."""
    for i in range(first.shape[0]):
        gone = shift >= most[i]
        for k in range(first[i], first[i] + count[i]):
            if gone:
                out[k, 0], out[k, 1] = 1e9, 1e9 + k
            else:
                out[k, 0], out[k, 1] = points[k, 0] + turns[k, 0] * shift, points[k, 1] + turns[k, 1] * shift
