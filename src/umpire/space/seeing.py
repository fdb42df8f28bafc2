"""The compiled kernel for sight between volumes.

From each of a row of viewpoints across one volume, the lines to the other that matter are those that pass a hair
beside a blocker's edge, and a few between: if anything can be seen from the viewpoint, one of these lines sees it.
Along a line in plan the heights are solved exactly for the far end. Both volumes are viewed from, so the answer is
symmetric. What all viewpoints miss is left to `slits`.
"""

import math
from typing import Any

from .compiling import inner
from .kernel import BOUND, COS, COUNT, FIRST, KIND, RX, RY, SIN, Z0, Z1, X, Y, support
from .rings import span_inside
from .rises import HAIR, over_and_under

SEAM = 1e-6


@inner("AAifffff")
def cross(rows: Any, verts: Any, j: int, px: float, py: float, dx: float, dy: float, grow: float) -> Any:
    """The part of the segment p to p + d over a footprint grown by a hair (1, 0 if none)."""
    n = int(rows[j, COUNT])
    if rows[j, KIND] == 0.0 and n >= 3:
        return span_inside(verts, int(rows[j, FIRST]), n, 1.0, px, py, dx, dy, 0.0, 1.0, grow)
    rx = rows[j, RX] + grow
    ry = (rows[j, RY] if rows[j, KIND] == 1.0 else rows[j, RX]) + grow
    if rx <= 0.0 or ry <= 0.0:  # a point, or a line, is over nothing
        return 1.0, 0.0
    s, c = rows[j, SIN], rows[j, COS]
    qx, qy = px - rows[j, X], py - rows[j, Y]
    ax, ay = (qx * c - qy * s) / rx, (qx * s + qy * c) / ry
    bx, by = (dx * c - dy * s) / rx, (dx * s + dy * c) / ry
    square = bx * bx + by * by
    half = ax * bx + ay * by
    root = half * half - square * (ax * ax + ay * ay - 1.0)
    if root <= 0.0 or square == 0.0:
        return 1.0, 0.0
    root = math.sqrt(root)
    return max(0.0, (-half - root) / square), min(1.0, (-half + root) / square)


@inner("AAiff")
def _edges(rows: Any, verts: Any, j: int, px: float, py: float) -> Any:
    """The outermost points of a footprint on either side as seen from a point, and whether that lies outside it."""
    n = int(rows[j, COUNT])
    if rows[j, KIND] == 0.0 and n >= 3:
        first = int(rows[j, FIRST])
        lx, ly = verts[first, 0] - px, verts[first, 1] - py
        rx, ry = lx, ly
        outside = False
        for k in range(n):
            vx, vy = verts[first + k, 0] - px, verts[first + k, 1] - py
            if lx * vy - ly * vx > 0.0:
                lx, ly = vx, vy
            if rx * vy - ry * vx < 0.0:
                rx, ry = vx, vy
            m = first + (k + 1) % n
            wx, wy = verts[m, 0] - px, verts[m, 1] - py
            if vx * wy - vy * wx < 0.0:
                outside = True
        return outside, px + lx, py + ly, px + rx, py + ry
    a = rows[j, RX]
    b = rows[j, RY] if rows[j, KIND] == 1.0 else a
    s, c = rows[j, SIN], rows[j, COS]
    qx, qy = px - rows[j, X], py - rows[j, Y]
    if a <= 0.0 or b <= 0.0:
        return False, px, py, px, py
    ux, uy = (qx * c - qy * s) / a, (qx * s + qy * c) / b
    m = ux * ux + uy * uy
    if m <= 1.0:
        return False, px, py, px, py
    h = math.sqrt(m - 1.0) / m
    lx, ly = (ux / m + uy * h) * a, (uy / m - ux * h) * b
    rx, ry = (ux / m - uy * h) * a, (uy / m + ux * h) * b
    x, y = rows[j, X], rows[j, Y]
    return True, x + lx * c + ly * s, y + ly * c - lx * s, x + rx * c + ry * s, y + ry * c - rx * s


@inner("AAIiffffffffffAb")
def _clear(
    rows: Any, verts: Any, use: Any, count: int,
    px: float, py: float, a0: float, a1: float, qx: float, qy: float, b0: float, b1: float,
    leave: float, arrive: float, spans: Any, fine: bool,
) -> bool:  # fmt: skip
    """Whether some line along p to q passes all blockers from one volume to another.

    The near volume stands over the line up to `leave` and is a0 to a1 high; the far one from `arrive` on, b0 to b1
    high. `fine`: every height of the near end that can matter is tried, not a few.
    """
    dx, dy = qx - px, qy - py
    n = 0
    for k in range(count):
        j = use[k]
        u0, u1 = cross(rows, verts, j, px, py, dx, dy, SEAM)
        if u1 <= u0:
            continue
        if rows[j, Z1] <= rows[j, Z0]:
            continue
        low, high = rows[j, Z0] - SEAM, rows[j, Z1] + SEAM
        if low <= a0 and low <= b0 and high >= a1 and high >= b1 and u0 < arrive and u1 > leave:
            return False
        spans[n, 0], spans[n, 1], spans[n, 2], spans[n, 3] = u0, u1, low, high
        n += 1
    if n == 0:
        return True
    # A line over or under something may start at the near or at the far edge of a volume.
    for way in range(4):
        start = leave if way % 2 == 0 else 0.0
        end = arrive if way < 2 else 1.0
        if end - start < 1e-9:
            start, end = 0.0, 1.0
        if over_and_under(spans, n, start, end, a0, a1, b0, b1, fine):
            return True
    return False


@inner("AAifffff")
def _before(rows: Any, verts: Any, m: int, cx: float, cy: float, ex: float, ey: float, far: float) -> bool:
    """Whether a blocker lies wholly on the viewer's side of the line through c along e."""
    n = math.sqrt(ex * ex + ey * ey)
    if n == 0.0:
        return False
    nx, ny = (-ey / n, ex / n) if far > 0.0 else (ey / n, -ex / n)
    x, y = support(rows, verts, m, -nx, -ny)
    return (x - cx) * nx + (y - cy) * ny > 0.0  # type: ignore[no-any-return]


@inner("AAiAAiAAIiffffffffAb")
def along(
    ra: Any, va: Any, i: int, rb: Any, vb: Any, j: int, rows: Any, verts: Any, use: Any, count: int,
    px: float, py: float, a0: float, a1: float, qx: float, qy: float, b0: float, b1: float, spans: Any, fine: bool,
) -> bool:  # fmt: skip
    """Whether a line in plan through p of footprint i and q of footprint j sees, from edge to edge of both."""
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    if length < 1e-9:
        return _clear(rows, verts, use, count, px, py, a0, a1, qx, qy, b0, b1, 0.0, 1.0, spans, fine)
    # Stretch the line past both footprints, then find where it enters the first and leaves the second.
    more = 2.0 * (ra[i, BOUND] + rb[j, BOUND]) / length
    sx, sy = px - more * dx, py - more * dy
    ex, ey = dx * (1.0 + 2.0 * more), dy * (1.0 + 2.0 * more)
    first = more / (1.0 + 2.0 * more)
    last = 1.0 - first
    a_in, a_out = cross(ra, va, i, sx, sy, ex, ey, 0.0)
    b_in, b_out = cross(rb, vb, j, sx, sy, ex, ey, 0.0)
    if a_out <= a_in or a_in > first + 1e-9:
        a_in, a_out = first, first
    if b_out <= b_in or b_out < last - 1e-9:
        b_in, b_out = last, last
    if b_out - a_in < 1e-12:
        a_in, b_out = first, last
    whole = b_out - a_in
    leave = min(1.0, max(0.0, (a_out - a_in) / whole))
    arrive = min(1.0, max(0.0, (b_in - a_in) / whole))
    if leave > arrive:
        leave, arrive = 0.0, 1.0
    return _clear(
        rows, verts, use, count, sx + a_in * ex, sy + a_in * ey, a0, a1, sx + b_out * ex, sy + b_out * ey, b0, b1,
        leave, arrive, spans, fine,
    )  # fmt: skip


@inner("AAiAAiAAIiffffffbAVA")
def _sees(
    ra: Any, va: Any, i: int, rb: Any, vb: Any, j: int, rows: Any, verts: Any, use: Any, count: int,
    px: float, py: float, a0: float, a1: float, b0: float, b1: float, close: bool, spans: Any, cands: Any, shut: Any,
) -> bool:  # fmt: skip
    """Whether one viewpoint sees something of footprint j."""
    dx, dy = rb[j, X] - px, rb[j, Y] - py
    length = math.sqrt(dx * dx + dy * dy)
    if length < 1e-9:
        dx, dy, length = 1.0, 0.0, 1.0
    dx /= length
    dy /= length
    for turn in range(2 if close else 1):
        if turn == 1:
            dx, dy = -dy, dx
        cx, cy = support(rb, vb, j, -dy, dx)
        ex, ey = support(rb, vb, j, dy, -dx)
        ex -= cx
        ey -= cy
        far = ex * (py - cy) - ey * (px - cx)
        n = 0
        shuts = 0
        for k in range(5):
            cands[n] = 0.5 + (0.0, -0.5, 0.5, -0.25, 0.25)[k]
            n += 1
        for k in range(count):
            m = use[k]
            outside, lx, ly, rx, ry = _edges(rows, verts, m, px, py)
            if not outside:
                continue
            t0 = -1.0
            t1 = -1.0
            for side in range(2):
                vx, vy = (lx - px, ly - py) if side == 0 else (rx - px, ry - py)
                d = math.sqrt(vx * vx + vy * vy)
                if d < 1e-9:
                    continue
                h = HAIR / d if side == 0 else -HAIR / d
                wx, wy = vx - vy * h, vy + vx * h
                rate = ex * wy - ey * wx
                if rate * far >= 0.0:
                    continue
                s = -far / rate
                t = ((px + s * wx - cx) * ex + (py + s * wy - cy) * ey) / (ex * ex + ey * ey) if far != 0.0 else -1.0
                if 0.0 < t < 1.0:
                    cands[n] = t
                    n += 1
                if side == 0:
                    t0 = t
                else:
                    t1 = t
                if s <= 1.0:
                    t0 = -2.0
            tall = rows[m, Z0] <= min(a0, b0) and rows[m, Z1] >= max(a1, b1)
            if tall and t0 != -1.0 and t1 != -1.0 and t0 > -1.5 and _before(rows, verts, m, cx, cy, ex, ey, far):
                shut[shuts, 0], shut[shuts, 1] = min(t0, t1), max(t0, t1)
                shuts += 1
        for k in range(n):
            t = cands[k]
            covered = False
            for m in range(shuts):
                if shut[m, 0] < t < shut[m, 1]:
                    covered = True
                    break
            if covered:
                continue
            qx, qy = cx + ex * t, cy + ey * t
            if along(
                ra, va, i, rb, vb, j, rows, verts, use, count, px, py, a0, a1, qx, qy, b0, b1, spans, False
            ):  # fmt: skip
                return True
    return False


@inner("ff")
def eyes(low: float, high: float) -> Any:
    """The heights that see and are seen: a hair inside a volume, and a hair above the ground if it is flat."""
    inset = min(HAIR, (high - low) * 0.25)
    return (low + inset, high - inset) if high > low else (low + 2.0 * SEAM, low + 2.0 * SEAM)


@inner("AAiAAiAAIiiAVA")
def looks(
    ra: Any, va: Any, i: int, rb: Any, vb: Any, j: int, rows: Any, verts: Any, use: Any, count: int,
    across: int, spans: Any, cands: Any, shut: Any,
) -> bool:  # fmt: skip
    """Whether any of the viewpoints across footprint i sees something of footprint j."""
    a0, a1 = eyes(ra[i, Z0], ra[i, Z1])
    b0, b1 = eyes(rb[j, Z0], rb[j, Z1])
    dx, dy = rb[j, X] - ra[i, X], rb[j, Y] - ra[i, Y]
    length = math.sqrt(dx * dx + dy * dy)
    close = length < (ra[i, BOUND] + rb[j, BOUND]) * 1.5
    if length < 1e-9:
        dx, dy, length = 1.0, 0.0, 1.0
    dx /= length
    dy /= length
    for turn in range(2 if close else 1):
        if turn == 1:
            dx, dy = -dy, dx
        lx, ly = support(ra, va, i, -dy, dx)
        hx, hy = support(ra, va, i, dy, -dx)
        for step in range(across):
            # From the middle outwards, the ends included.
            k = (step + 1) // 2
            u = 0.5 + (k if step % 2 == 1 else -k) / (across - 1.0)
            px, py = lx + (hx - lx) * u, ly + (hy - ly) * u
            if _sees(ra, va, i, rb, vb, j, rows, verts, use, count, px, py, a0, a1, b0, b1, close, spans, cands, shut):
                return True
    return False


@inner("AAiAAiAAiiII")
def between(
    ra: Any, va: Any, i: int, rb: Any, vb: Any, j: int, rows: Any, verts: Any, skip_a: int, skip_b: int, owners: Any,
    use: Any,
) -> int:  # fmt: skip
    """Which blockers could stand between two footprints: their number, and their rows in `use`."""
    ax, ay = ra[i, X], ra[i, Y]
    dx, dy = rb[j, X] - ax, rb[j, Y] - ay
    length = math.sqrt(dx * dx + dy * dy)
    low, high = min(ra[i, Z0], rb[j, Z0]), max(ra[i, Z1], rb[j, Z1])
    wide = max(ra[i, BOUND], rb[j, BOUND])
    nx, ny = (-dy / length, dx / length) if length > 1e-9 else (0.0, 1.0)
    count = 0
    for k in range(rows.shape[0]):
        if rows[k, Z1] <= low or rows[k, Z0] >= high or owners[k] == skip_a or owners[k] == skip_b:
            continue
        wx, wy = rows[k, X] - ax, rows[k, Y] - ay
        t = 0.0
        if length > 0.0:
            t = (wx * dx + wy * dy) / (length * length)
            t = 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)
        px, py = wx - dx * t, wy - dy * t
        reach = wide + rows[k, BOUND]
        if px * px + py * py > reach * reach:
            continue
        if length > wide:
            qx, qy = support(rows, verts, k, nx, ny)
            if (qx - ax) * nx + (qy - ay) * ny < -wide:
                continue
            qx, qy = support(rows, verts, k, -nx, -ny)
            if (qx - ax) * nx + (qy - ay) * ny > wide:
                continue
        use[count] = k
        count += 1
    return count
