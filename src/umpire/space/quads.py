"""The compiled kernel for quadrilaterals and segments: asked by the ten thousand, each too small to be packed for the
others."""

import math
from typing import Any

import numpy as np

from .compiling import entry, inner


@inner("ffffffffffffffff")
def _widest(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float,
    px: float, py: float, qx: float, qy: float, rx: float, ry: float, sx: float, sy: float,
) -> float:  # fmt: skip
    """The widest gap across an edge of the first."""
    best = -1e300
    for k in range(4):
        if k == 0:
            x0, y0, x1, y1 = ax, ay, bx, by
        elif k == 1:
            x0, y0, x1, y1 = bx, by, cx, cy
        elif k == 2:
            x0, y0, x1, y1 = cx, cy, dx, dy
        else:
            x0, y0, x1, y1 = dx, dy, ax, ay
        nx, ny = y1 - y0, x0 - x1
        n = math.sqrt(nx * nx + ny * ny)
        if n < 1e-12:
            continue
        nx /= n
        ny /= n
        a, b, c, d = ax * nx + ay * ny, bx * nx + by * ny, cx * nx + cy * ny, dx * nx + dy * ny
        p, q, r, s = px * nx + py * ny, qx * nx + qy * ny, rx * nx + ry * ny, sx * nx + sy * ny
        low, high = min(min(a, b), min(c, d)), max(max(a, b), max(c, d))
        under, over = min(min(p, q), min(r, s)), max(max(p, q), max(r, s))
        best = max(best, max(under - high, low - over))
    return best


@inner("ffffff")
def _square(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Squared distance of a point from a segment."""
    dx, dy = bx - ax, by - ay
    n = dx * dx + dy * dy
    wx, wy = px - ax, py - ay
    t = (wx * dx + wy * dy) / n if n > 0.0 else 0.0
    t = 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)
    wx -= t * dx
    wy -= t * dy
    return wx * wx + wy * wy


@inner("ffffffffff")
def _point(
    px: float, py: float, ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> float:
    """Squared distance of a point from the outline of a quadrilateral."""
    one = min(_square(px, py, ax, ay, bx, by), _square(px, py, bx, by, cx, cy))
    return min(one, min(_square(px, py, cx, cy, dx, dy), _square(px, py, dx, dy, ax, ay)))


@entry("ffffffffffffffff")
def gap(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float,
    px: float, py: float, qx: float, qy: float, rx: float, ry: float, sx: float, sy: float,
) -> Any:  # fmt: skip
    """The distance of two convex quadrilaterals; negative: how deeply they overlap."""
    best = max(
        _widest(ax, ay, bx, by, cx, cy, dx, dy, px, py, qx, qy, rx, ry, sx, sy),
        _widest(px, py, qx, qy, rx, ry, sx, sy, ax, ay, bx, by, cx, cy, dx, dy),
    )
    if best <= 0.0:
        return best
    one = min(
        min(_point(ax, ay, px, py, qx, qy, rx, ry, sx, sy), _point(bx, by, px, py, qx, qy, rx, ry, sx, sy)),
        min(_point(cx, cy, px, py, qx, qy, rx, ry, sx, sy), _point(dx, dy, px, py, qx, qy, rx, ry, sx, sy)),
    )
    two = min(
        min(_point(px, py, ax, ay, bx, by, cx, cy, dx, dy), _point(qx, qy, ax, ay, bx, by, cx, cy, dx, dy)),
        min(_point(rx, ry, ax, ay, bx, by, cx, cy, dx, dy), _point(sx, sy, ax, ay, bx, by, cx, cy, dx, dy)),
    )
    return math.sqrt(min(one, two))


@inner("ffffff")
def _either(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Squared distance of a point from a segment, the same from whichever end it is drawn."""
    return min(_square(px, py, ax, ay, bx, by), _square(px, py, bx, by, ax, ay))


@entry("ffffffffffff")
def segment(
    ax: float, ay: float, bx: float, by: float,
    px: float, py: float, qx: float, qy: float, rx: float, ry: float, sx: float, sy: float,
) -> Any:  # fmt: skip
    """The distance of a segment and a convex quadrilateral; negative: how deeply they overlap."""
    best = _widest(px, py, qx, qy, rx, ry, sx, sy, ax, ay, bx, by, bx, by, ax, ay)
    ex, ey = bx - ax, by - ay
    n = math.sqrt(ex * ex + ey * ey)
    if n > 1e-12:
        for k in range(2):
            nx, ny = (ey / n, -ex / n) if k == 0 else (ex / n, ey / n)
            a, b = ax * nx + ay * ny, bx * nx + by * ny
            p, q, r, s = px * nx + py * ny, qx * nx + qy * ny, rx * nx + ry * ny, sx * nx + sy * ny
            under, over = min(min(p, q), min(r, s)), max(max(p, q), max(r, s))
            best = max(best, max(under - max(a, b), min(a, b) - over))
    if best <= 0.0:
        return best
    one = min(_point(ax, ay, px, py, qx, qy, rx, ry, sx, sy), _point(bx, by, px, py, qx, qy, rx, ry, sx, sy))
    two = min(
        min(_either(px, py, ax, ay, bx, by), _either(qx, qy, ax, ay, bx, by)),
        min(_either(rx, ry, ax, ay, bx, by), _either(sx, sy, ax, ay, bx, by)),
    )
    return math.sqrt(min(one, two))


@inner("ffffffffffffffffffff")
def _crossed(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float,
    px: float, py: float, qx: float, qy: float, rx: float, ry: float, sx: float, sy: float,
    ux: float, uy: float, low: float, high: float,
) -> Any:  # fmt: skip
    """What is left of a stretch of a straight move when only the edges of the first are looked across."""
    for k in range(4):
        if k == 0:
            x0, y0, x1, y1 = dx, dy, ax, ay
        elif k == 1:
            x0, y0, x1, y1 = ax, ay, bx, by
        elif k == 2:
            x0, y0, x1, y1 = bx, by, cx, cy
        else:
            x0, y0, x1, y1 = cx, cy, dx, dy
        ex, ey = x1 - x0, y1 - y0
        n = math.sqrt(ex * ex + ey * ey)
        if n <= 1e-12:
            continue
        nx, ny = ey / n, -ex / n
        a, b, c, d = ax * nx + ay * ny, bx * nx + by * ny, cx * nx + cy * ny, dx * nx + dy * ny
        p, q, r, s = px * nx + py * ny, qx * nx + qy * ny, rx * nx + ry * ny, sx * nx + sy * ny
        a0, a1 = min(min(a, b), min(c, d)), max(max(a, b), max(c, d))
        b0, b1 = min(min(p, q), min(r, s)), max(max(p, q), max(r, s))
        speed = nx * ux + ny * uy
        if abs(speed) < 1e-12:
            if a1 <= b0 + 1e-9 or a0 >= b1 - 1e-9:
                return 0.0, -1.0
            continue
        t0, t1 = (b0 - a1) / speed, (b1 - a0) / speed
        low, high = max(low, min(t0, t1)), min(high, max(t0, t1))
        if high <= low + 1e-9:
            return 0.0, -1.0
    return low, high


@entry("ffffffffffffffffff")
def along(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float,
    px: float, py: float, qx: float, qy: float, rx: float, ry: float, sx: float, sy: float,
    ux: float, uy: float,
) -> Any:  # fmt: skip
    """For how far along a unit vector the first overlaps the second; (0, -1) if nowhere."""
    low, high = _crossed(ax, ay, bx, by, cx, cy, dx, dy, px, py, qx, qy, rx, ry, sx, sy, ux, uy, -1e300, 1e300)
    if high < low:
        return 0.0, -1.0
    # Seen from the second the first comes from the other side.
    back, forth = _crossed(px, py, qx, qy, rx, ry, sx, sy, ax, ay, bx, by, cx, cy, dx, dy, -ux, -uy, low, high)
    return back, forth


@inner("ffffffff")
def _sense(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> float:  # fmt: skip
    """1 for an outline that goes anticlockwise, -1 for one that goes the other way."""
    return 1.0 if (cx - ax) * (dy - by) - (cy - ay) * (dx - bx) > 0.0 else -1.0


@entry("fffffffffffffffffff")
def rounded(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float,
    px: float, py: float, qx: float, qy: float, rx: float, ry: float, sx: float, sy: float,
    ux: float, uy: float, clearance: float,
) -> Any:  # fmt: skip
    """For how far along a unit vector the first is nearer to the second than a clearance; (0, -1) if nowhere.

    The line through the origin against the moves of the first onto the second, grown by a disc: at corners, where one
    of either meets one of the other, and at edges, where an edge of either meets the outermost corner of the other.
    """
    xs, ys = (ax, bx, cx, dx), (ay, by, cy, dy)
    vs, ws = (px, qx, rx, sx), (py, qy, ry, sy)
    a, b, c, d = ax * uy - ay * ux, bx * uy - by * ux, cx * uy - cy * ux, dx * uy - dy * ux
    p, q, r, s = px * uy - py * ux, qx * uy - qy * ux, rx * uy - ry * ux, sx * uy - sy * ux
    a0, a1 = min(min(a, b), min(c, d)), max(max(a, b), max(c, d))
    b0, b1 = min(min(p, q), min(r, s)), max(max(p, q), max(r, s))
    if b0 - a1 >= clearance - 1e-9 or b1 - a0 <= -clearance + 1e-9:
        return 0.0, -1.0
    low, high = 1e300, -1e300
    square = clearance * clearance
    for i in range(4):
        for k in range(4):
            x, y = vs[i] - xs[k], ws[i] - ys[k]
            aside, on = x * uy - y * ux, x * ux + y * uy
            if abs(aside) < clearance:
                half = math.sqrt(square - aside * aside)
                low, high = min(low, on - half), max(high, on + half)
    one = _sense(ax, ay, bx, by, cx, cy, dx, dy)
    other = _sense(px, py, qx, qy, rx, ry, sx, sy)
    for side in range(2):
        for i in range(4):
            j = (i + 1) % 4
            if side == 0:  # an edge of the second, and the corners of the first that are nearest to it
                ex, ey = vs[j] - vs[i], ws[j] - ws[i]
                nx, ny = other * ey, -other * ex
            else:
                ex, ey = xs[i] - xs[j], ys[i] - ys[j]
                nx, ny = one * ey, -one * ex
            length = math.sqrt(ex * ex + ey * ey)
            across = ux * ey - uy * ex
            if length <= 1e-12 or abs(across) <= 1e-12:
                continue
            nx, ny = nx / length, ny / length
            best = -1e300
            for k in range(4):
                h = -(xs[k] * nx + ys[k] * ny) if side == 0 else vs[k] * nx + ws[k] * ny
                best = max(best, h)
            for k in range(4):
                h = -(xs[k] * nx + ys[k] * ny) if side == 0 else vs[k] * nx + ws[k] * ny
                if h < best - 1e-9:
                    continue
                if side == 0:
                    x, y = vs[i] - xs[k], ws[i] - ys[k]
                else:
                    x, y = vs[k] - xs[i], ws[k] - ys[i]
                x, y = x + nx * clearance, y + ny * clearance
                t = (x * ey - y * ex) / across
                part = (t * ux - x) * ex + (t * uy - y) * ey
                if -1e-9 <= part <= length * length + 1e-9:
                    low, high = min(low, t), max(high, t)
    if high > low + 1e-9:
        return low, high
    return 0.0, -1.0


@entry("AAAVIffffAf")
def leaves(
    bodies: Any, rings: Any, middles: Any, clearances: Any, stops: Any, ux: float, uy: float, smaller: float,
    fine: float, more: Any, limit: float,
) -> bool:  # fmt: skip
    """Is anything left of a straight move up to a limit by what is to be kept off, each so much smaller, and by more
    bars? A body passes nothing that stops; among the others it may not end. To touch a bar is free."""
    bars = np.empty((len(bodies) * len(rings) + len(more), 2))
    count = 0
    for k in range(len(more)):
        bars[count, 0], bars[count, 1] = more[k, 0], more[k, 1]
        count += 1
    for i in range(len(bodies)):
        a, b, c, d = bodies[i, 0], bodies[i, 1], bodies[i, 2], bodies[i, 3]
        e, f, g, h = bodies[i, 4], bodies[i, 5], bodies[i, 6], bodies[i, 7]
        for k in range(len(rings)):
            p, q, r, s = rings[k, 0], rings[k, 1], rings[k, 2], rings[k, 3]
            t, u, v, w = rings[k, 4], rings[k, 5], rings[k, 6], rings[k, 7]
            keep = clearances[k]
            if stops[k]:  # what is nearer than that already may be left
                keep = min(keep, gap(a, b, c, d, e, f, g, h, p, q, r, s, t, u, v, w))
            keep = keep - smaller - fine
            if keep > 0.0:
                low, high = rounded(a, b, c, d, e, f, g, h, p, q, r, s, t, u, v, w, ux, uy, keep)
            else:
                if keep < 0.0:
                    x, y, inmost = middles[k, 0], middles[k, 1], middles[k, 2]
                    if -keep >= inmost:
                        continue
                    part = 1.0 + keep / inmost
                    p, q, r, s = x + (p - x) * part, y + (q - y) * part, x + (r - x) * part, y + (s - y) * part
                    t, u, v, w = x + (t - x) * part, y + (u - y) * part, x + (v - x) * part, y + (w - y) * part
                low, high = along(a, b, c, d, e, f, g, h, p, q, r, s, t, u, v, w, ux, uy)
            if high > low and high > 0.0:
                bars[count, 0], bars[count, 1] = low, 1e300 if stops[k] else high
                count += 1
    at, moved = 0.0, True
    while moved:
        moved = False
        for k in range(count):
            if bars[k, 0] < at < bars[k, 1]:
                at, moved = bars[k, 1], True
    return at <= limit
