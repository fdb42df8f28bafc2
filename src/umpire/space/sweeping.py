"""The compiled kernel for moving footprints: the first touch of a straight or turning move.

Along a straight move the signed separation of convex shapes is a convex function of time, so Newton's rule from the
start never overshoots the first touch. A turning move advances by what the separation leaves free.
"""

import math
from typing import Any

import numpy as np

from . import angles
from .compiling import entry, inner
from .kernel import (
    BOUND,
    COS,
    COUNT,
    FIRST,
    KIND,
    RX,
    SIN,
    WIDTH,
    Z0,
    Z1,
    X,
    Y,
    rectangle_at,
    rectangle_row,
    separation,
)

SLACK = 0.0005

_sin_cos = inner("f")(angles.sin_cos)


@inner("AifAi")
def _shared_heights(ra: Any, i: int, dz: float, rb: Any, j: int) -> Any:
    """The part of a move (0 to 1) during which two volumes share heights; flat things stand in each other's way."""
    a0, a1, b0, b1 = ra[i, Z0], ra[i, Z1], rb[j, Z0], rb[j, Z1]
    low = b0 + SLACK if a1 > a0 + SLACK else b0 - SLACK
    high = b1 - SLACK if b1 > b0 + SLACK else b1 + SLACK
    if dz == 0.0:
        return (0.0, 1.0) if a1 > low and a0 < high else (1.0, 0.0)
    t0, t1 = (low - a1) / dz, (high - a0) / dz
    if t0 > t1:
        t0, t1 = t1, t0
    return max(0.0, t0), min(1.0, t1)


@inner("AAiffAAifff")
def _first_below(
    ra: Any, va: Any, i: int, vx: float, vy: float, rb: Any, vb: Any, j: int, level: float, start: float, end: float
) -> float:
    """The first time in [start, end] at which the separation falls to a level, or 2."""
    t = start
    for _ in range(60):
        s, nx, ny = separation(ra, va, i, vx * t, vy * t, rb, vb, j)
        f = s - level
        if f <= 1e-7:
            return t
        rate = nx * vx + ny * vy
        if rate <= 1e-12:
            return 2.0
        t += f / rate
        if t > end:
            return 2.0
    return t


@inner("AAfffAAV")
def _go(ra: Any, va: Any, vx: float, vy: float, dz: float, rb: Any, vb: Any, clearance: Any) -> Any:
    hit = 2.0
    stop = 1.0
    which = -1
    length = math.sqrt(vx * vx + vy * vy)
    for i in range(ra.shape[0]):
        for j in range(rb.shape[0]):
            wx, wy = rb[j, X] - ra[i, X], rb[j, Y] - ra[i, Y]
            reach = ra[i, BOUND] + rb[j, BOUND] + clearance[j]
            t = 0.0
            if length > 0.0:
                t = (wx * vx + wy * vy) / (length * length)
                t = 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)
            px, py = wx - vx * t, wy - vy * t
            if px * px + py * py > reach * reach:
                continue
            start, end = _shared_heights(ra, i, dz, rb, j)
            if start > end:
                continue
            s0, _, _ = separation(ra, va, i, vx * start, vy * start, rb, vb, j)
            level = clearance[j]
            if start == 0.0 and s0 < level:
                level = s0
            if length == 0.0:
                t = start if s0 < level - SLACK else 2.0
            else:
                t = _first_below(ra, va, i, vx, vy, rb, vb, j, level - SLACK, start, end)
            if t < hit:
                hit = t
                which = j
                stop = start
                if length > 0.0 and s0 > level:
                    stop = min(t, _first_below(ra, va, i, vx, vy, rb, vb, j, level, start, end))
    return (stop, which) if which >= 0 else (1.0, -1)


@entry("AAfffAAV")
def go(ra: Any, va: Any, vx: float, vy: float, dz: float, rb: Any, vb: Any, clearance: Any) -> Any:
    """A straight move: when it must stop (1 if never) and the row that stops it (-1 if none).

    What is nearer than its clearance at the start may be left but not approached.
    """
    return _go(ra, va, vx, vy, dz, rb, vb, clearance)


@inner("Aifffff")
def _disc(rows: Any, i: int, x: float, y: float, r: float, low: float, high: float) -> None:
    """A round footprint, written into a row; its one point is that of the same number."""
    rows[i, X], rows[i, Y], rows[i, RX], rows[i, COS], rows[i, BOUND] = x, y, r, 1.0, r
    rows[i, Z0], rows[i, Z1], rows[i, FIRST], rows[i, COUNT] = low, high, i, 1.0


@entry("ffffffffAA")
def disc_past(
    x: float, y: float, low: float, high: float, r: float, vx: float, vy: float, dz: float, rb: Any, vb: Any
) -> Any:
    """`go` of one round body, told by its numbers: packing it would take longer than the move."""
    ra, va = np.zeros((1, WIDTH)), np.empty((1, 2))
    _disc(ra, 0, x, y, r, low, high)
    va[0, 0], va[0, 1] = x, y
    return _go(ra, va, vx, vy, dz, rb, vb, np.zeros(rb.shape[0]))


@entry("ffffffffA")
def disc_past_discs(
    x: float, y: float, low: float, high: float, r: float, vx: float, vy: float, dz: float, discs: Any
) -> int:
    """Which of other round bodies (x, y, radius, from which height to which) stops one that moves straight; or -1."""
    count = discs.shape[0]
    ra, va = np.zeros((1, WIDTH)), np.empty((1, 2))
    _disc(ra, 0, x, y, r, low, high)
    va[0, 0], va[0, 1] = x, y
    rb, vb = np.zeros((count, WIDTH)), np.empty((count, 2))
    for j in range(count):
        _disc(rb, j, discs[j, 0], discs[j, 1], discs[j, 2], discs[j, 3], discs[j, 4])
        vb[j, 0], vb[j, 1] = discs[j, 0], discs[j, 1]
    _, which = _go(ra, va, vx, vy, dz, rb, vb, np.zeros(count))
    return which  # type: ignore[no-any-return]


@inner("AAfffAA")
def turned(ra: Any, va: Any, px: float, py: float, degrees: float, rows: Any, verts: Any) -> None:
    """Footprints turned clockwise about a point, written into rows and verts."""
    s, c = _sin_cos(degrees)
    for i in range(ra.shape[0]):
        for k in range(ra.shape[1]):
            rows[i, k] = ra[i, k]
        x, y = ra[i, X] - px, ra[i, Y] - py
        rows[i, X], rows[i, Y] = px + x * c + y * s, py + y * c - x * s
        rows[i, SIN] = ra[i, SIN] * c + ra[i, COS] * s
        rows[i, COS] = ra[i, COS] * c - ra[i, SIN] * s
        for k in range(int(ra[i, FIRST]), int(ra[i, FIRST]) + int(ra[i, COUNT])):
            x, y = va[k, 0] - px, va[k, 1] - py
            verts[k, 0], verts[k, 1] = px + x * c + y * s, py + y * c - x * s


@inner("Aiifffffff")
def _until(
    verts: Any, first: int, count: int, px: float, py: float, sign: float, nx: float, ny: float, shift: float,
    limit: float,
) -> float:  # fmt: skip
    """How far points that turn about (px, py) certainly turn, in radians, before one of them is further than a limit
    towards n: none goes that way faster than it does now by more than its arm for every radian."""
    free = 1e300
    for k in range(first, first + count):
        x, y = verts[k, 0] - px, verts[k, 1] - py
        room = limit - shift - (x * nx + y * ny)
        if room <= 0.0:
            return 0.0
        rate, arm = sign * (y * nx - x * ny), math.sqrt(x * x + y * y)
        root = math.sqrt(rate * rate + 2.0 * arm * room)
        if rate > 0.0:
            free = min(free, 2.0 * room / (rate + root))
        elif arm > 0.0:
            free = min(free, (root - rate) / arm)
    return free


@inner("AAifffAAifff")
def _swing(
    ra: Any, va: Any, i: int, px: float, py: float, sign: float, rb: Any, vb: Any, j: int, nx: float, ny: float,
    level: float,
) -> float:  # fmt: skip
    """How far a polygon certainly turns, in radians, before it is nearer to another than a level.

    What lies between their furthest points along the direction from one to the other keeps them apart: while that
    direction stays where it is, and no less while it turns with the one and the other seems to turn about it.
    """
    a0, na = int(ra[i, FIRST]), int(ra[i, COUNT])
    b0, nb = int(rb[j, FIRST]), int(rb[j, COUNT])
    between = ra[i, RX] + rb[j, RX] + level
    near, far = 1e300, -1e300
    for k in range(b0, b0 + nb):
        near = min(near, (vb[k, 0] - px) * nx + (vb[k, 1] - py) * ny)
    for k in range(a0, a0 + na):
        far = max(far, (va[k, 0] - px) * nx + (va[k, 1] - py) * ny)
    still = _until(va, a0, na, px, py, sign, nx, ny, between, near)
    return max(still, _until(vb, b0, nb, px, py, -sign, -nx, -ny, between, -far))


@inner("AAfffAAV")
def _turn(ra: Any, va: Any, px: float, py: float, degrees: float, rb: Any, vb: Any, clearance: Any) -> Any:
    """When a turning move is in the way of something (1 if never), when it must stop, and the row that stops it."""
    rows = np.empty_like(ra)
    verts = np.empty_like(va)
    hit = 1.0
    stop = 1.0
    which = -1
    radians = abs(degrees) * math.pi / 180.0
    sign = 1.0 if degrees > 0.0 else -1.0
    for i in range(ra.shape[0]):
        x, y = ra[i, X] - px, ra[i, Y] - py
        arm = math.sqrt(x * x + y * y)
        if ra[i, KIND] == 1.0:
            arm += ra[i, BOUND]
        for k in range(int(ra[i, FIRST]), int(ra[i, FIRST]) + int(ra[i, COUNT])):
            x, y = va[k, 0] - px, va[k, 1] - py
            arm = max(arm, math.sqrt(x * x + y * y))
        speed = arm * radians
        if speed == 0.0:
            continue
        grown = arm + (ra[i, RX] if ra[i, KIND] == 0.0 else 0.0)
        for j in range(rb.shape[0]):
            x, y = rb[j, X] - px, rb[j, Y] - py
            reach = grown + rb[j, BOUND] + clearance[j]
            if x * x + y * y > reach * reach:
                continue
            start, end = _shared_heights(ra, i, 0.0, rb, j)
            if start > end:
                continue
            rows[:, :] = ra
            verts[:, :] = va
            s, nx, ny = separation(ra, va, i, 0.0, 0.0, rb, vb, j)
            level = min(clearance[j], s)
            straight = ra[i, KIND] != 1.0 and rb[j, KIND] != 1.0
            t = 0.0
            free = 0.0
            while t < hit:
                f = s - level + SLACK
                if s >= level:
                    free = t
                if f <= 1e-6:
                    hit = t
                    which = j
                    # Between the last free angle and the touch, halve down to where they meet.
                    for _ in range(40):
                        middle = (free + t) / 2.0
                        turned(ra, va, px, py, degrees * middle, rows, verts)
                        s, _, _ = separation(rows, verts, i, 0.0, 0.0, rb, vb, j)
                        if s >= level:
                            free = middle
                        else:
                            t = middle
                    stop = free
                    break
                step = max(f, SLACK / 2) / speed
                if straight:
                    swing = _swing(rows, verts, i, px, py, sign, rb, vb, j, nx, ny, level - SLACK)
                    step = max(step, swing / radians)
                t += step
                if t >= hit:
                    break
                turned(ra, va, px, py, degrees * t, rows, verts)
                s, nx, ny = separation(rows, verts, i, 0.0, 0.0, rb, vb, j)
    return (hit, stop, which) if which >= 0 else (1.0, 1.0, -1)


@entry("AAfffAAV")
def turn(ra: Any, va: Any, px: float, py: float, degrees: float, rb: Any, vb: Any, clearance: Any) -> Any:
    """A turning move about a fixed point: as `go`."""
    _, stop, which = _turn(ra, va, px, py, degrees, rb, vb, clearance)
    return stop, which


@entry("AAAAV")
def along(bases: Any, legs: Any, rb: Any, vb: Any, clearance: Any) -> Any:
    """Rectangles (x, y, facing, width, depth, floor, top), one body, along several legs (turning or not, then the way
    of a straight one or the middle of a turning one, then its rise or its degrees): the leg on which something is in
    the way (-1 if none is), when it must stop, and the row that stops it."""
    at = bases.copy()
    count = bases.shape[0]
    rows = np.empty((count, WIDTH))
    verts = np.empty((4 * count, 2))
    for k in range(legs.shape[0]):
        for i in range(count):
            s, c = _sin_cos(at[i, 2])
            rectangle_row(rows, verts, i, at[i, 0], at[i, 1], at[i, 3], at[i, 4], s, c, at[i, 5], at[i, 6])
        turning, a, b, by = legs[k, 0] != 0.0, legs[k, 1], legs[k, 2], legs[k, 3]
        if turning:
            _, stop, which = _turn(rows, verts, a, b, by, rb, vb, clearance)
        else:
            stop, which = _go(rows, verts, a, b, by, rb, vb, clearance)
        if which >= 0:
            return k, stop, which
        s, c = _sin_cos(by)
        for i in range(count):
            if turning:
                x, y = at[i, 0] - a, at[i, 1] - b
                at[i, 0], at[i, 1] = a + (x * c + y * s), b + (y * c - x * s)
                at[i, 2] = (at[i, 2] + by) % 360.0
            else:
                at[i, 0], at[i, 1] = at[i, 0] + a, at[i, 1] + b
                at[i, 5], at[i, 6] = at[i, 5] + by, at[i, 6] + by
    return -1, 1.0, -1


@inner("AAiffff")
def _face(rows: Any, verts: Any, i: int, dx: float, dy: float, ox: float, oy: float) -> Any:
    """How far towards (dx, dy) a polygon moved by (ox, oy) reaches, and where along its face there it begins and ends,
    to the left of that direction."""
    first, count = int(rows[i, FIRST]), int(rows[i, COUNT])
    top = -1e300
    for k in range(first, first + count):
        top = max(top, (verts[k, 0] + ox) * dx + (verts[k, 1] + oy) * dy)
    low, high = 1e300, -1e300
    for k in range(first, first + count):
        x, y = verts[k, 0] + ox, verts[k, 1] + oy
        if x * dx + y * dy >= top - 1e-6:
            low, high = min(low, y * dx - x * dy), max(high, y * dx - x * dy)
    return top, low, high


@inner("AAffAAi")
def _meeting(rows: Any, verts: Any, ox: float, oy: float, rb: Any, vb: Any, j: int) -> Any:
    """The point of polygon j that polygons moved by (ox, oy) touch."""
    best = 1e300
    which = 0
    nx = 0.0
    ny = 1.0
    for i in range(rows.shape[0]):
        s, dx, dy = separation(rows, verts, i, ox, oy, rb, vb, j)
        if s < best:
            best, which, nx, ny = s, i, dx, dy
    _, low_a, high_a = _face(rows, verts, which, nx, ny, ox, oy)
    there, low_b, high_b = _face(rb, vb, j, -nx, -ny, 0.0, 0.0)
    middle = (max(low_a, -high_b) + min(high_a, -low_b)) / 2.0
    return -ny * middle - nx * there, nx * middle - ny * there


@entry("AAffffVfAAAA")
def wheels(
    ra: Any, va: Any, x: float, y: float, facing: float, half: float, degrees: Any, inches: float,
    rg: Any, vg: Any, rb: Any, vb: Any,
) -> Any:  # fmt: skip
    """For each wheel of a front edge about one of its ends, what becomes of it going straight on: the row of the goal
    that it meets, where the middle of the front is then, and the point of meeting; -1 if it meets none, or if something
    else is in the way of the wheel or of that.

    Wheels to one side are parts of the widest: it is swept once for all of them.
    """
    out = np.zeros((degrees.shape[0], 5))
    rows = np.empty_like(ra)
    verts = np.empty_like(va)
    none_g = np.zeros(rg.shape[0])
    none_b = np.zeros(rb.shape[0])
    s, c = _sin_cos(facing)
    free_right = max(0.0, degrees.max())
    free_left = max(0.0, -degrees.min())
    hit, _, which = _turn(ra, va, x + half * c, y - half * s, free_right, rb, vb, none_b)
    if which >= 0:
        free_right *= hit
    hit, _, which = _turn(ra, va, x - half * c, y + half * s, -free_left, rb, vb, none_b)
    if which >= 0:
        free_left *= hit
    for k in range(degrees.shape[0]):
        out[k, 0] = -1.0
        if degrees[k] > free_right or -degrees[k] > free_left:
            continue
        end = half if degrees[k] > 0.0 else -half
        px, py = x + end * c, y - end * s
        turned(ra, va, px, py, degrees[k], rows, verts)
        ahead_x, ahead_y = _sin_cos(facing + degrees[k])
        stop, met = _go(rows, verts, inches * ahead_x, inches * ahead_y, 0.0, rg, vg, none_g)
        if met < 0:
            continue
        vx, vy = inches * ahead_x * stop, inches * ahead_y * stop
        _, which = _go(rows, verts, vx, vy, 0.0, rb, vb, none_b)
        if which < 0:
            out[k, 0] = met
            out[k, 1], out[k, 2] = px - end * ahead_y + vx, py + end * ahead_x + vy
            out[k, 3], out[k, 4] = _meeting(rows, verts, vx, vy, rg, vg, met)
    return out


@inner("AAffffffff")
def _stand_at(
    row: Any, corners: Any, x: float, y: float, s: float, c: float, right: float, ahead: float, wide: float, deep: float
) -> None:
    """A rectangle so far to the right of the middle of a front and ahead of it, as the one row."""
    row[0, X], row[0, Y] = x + right * c + ahead * s, y + ahead * c - right * s
    row[0, BOUND] = math.sqrt(wide * wide + deep * deep) / 2.0
    rectangle_at(corners, row[0, X], row[0, Y], wide, deep, s, c)


@inner("AAAffffAAV")
def _kept_off(
    row: Any, corners: Any, parts: Any, x: float, y: float, s: float, c: float, rb: Any, vb: Any, least: Any
) -> bool:
    """Does a body of rectangles with its front there keep as far from each thing as it must?"""
    for m in range(parts.shape[0]):
        _stand_at(row, corners, x, y, s, c, parts[m, 0], parts[m, 1], parts[m, 2], parts[m, 3])
        for j in range(rb.shape[0]):
            dx, dy = rb[j, X] - row[0, X], rb[j, Y] - row[0, Y]
            reach = row[0, BOUND] + rb[j, BOUND] + max(0.0, least[j])
            if dx * dx + dy * dy > reach * reach:
                continue
            gap, _, _ = separation(row, corners, 0, 0.0, 0.0, rb, vb, j)
            if gap < least[j]:
                return False
    return True


@entry("AVAVVffAAAAAVAAVff")
def flush(
    met: Any, headings: Any, edges: Any, owed: Any, offsets: Any, wide: float, deep: float, parts: Any,
    rg: Any, vg: Any, rf: Any, vf: Any, friends: Any, rb: Any, vb: Any, others: Any, slack: float, touch: float,
) -> Any:  # fmt: skip
    """For each meeting that `wheels` found, with the heading it came with, what becomes of it turned flush with the
    edge that was met, about the point of meeting: which edge that is (-1 if none, or it came from behind; -2 if it may
    be one of two), where the middle of the front is then, how many rectangles of the front rank (so far to the right of
    the middle) touch the goal, whether the whole body keeps off `friends` there, whether it does so before it turns,
    and whether it keeps off `others` there.

    An edge is the row that it belongs to, start, end and the facing that looks at it; one that is `owed` is taken
    before another. A point is on an edge up to `slack` beside it, and `touch` is the gap at which rectangles still
    touch.
    """
    out = np.zeros((met.shape[0], 7))
    row = np.zeros((1, WIDTH))
    corners = np.empty((4, 2))
    row[0, COUNT] = 4.0
    for k in range(met.shape[0]):
        out[k, 0] = -1.0
        if met[k, 0] < 0.0:
            continue
        x, y, px, py = met[k, 1], met[k, 2], met[k, 3], met[k, 4]
        s, c = _sin_cos(headings[k])
        which, doubt = -1, False
        for e in range(edges.shape[0]):
            if edges[e, 0] != met[k, 0]:
                continue
            ux, uy = edges[e, 3] - edges[e, 1], edges[e, 4] - edges[e, 2]
            n = math.sqrt(ux * ux + uy * uy)
            dx, dy = px - edges[e, 1], py - edges[e, 2]
            along = (dx * ux + dy * uy) / n
            fs, fc = _sin_cos(edges[e, 5])
            if abs(dx * uy - dy * ux) > slack * n or along < -slack or along > n + slack or s * fs + c * fc < -slack:
                continue
            if which < 0 or owed[e] > owed[which]:
                which, doubt = e, False
            elif owed[e] == owed[which]:
                doubt = True
        out[k, 0] = -2.0 if doubt else which
        if which < 0 or doubt:
            continue
        ux, uy = edges[which, 3] - edges[which, 1], edges[which, 4] - edges[which, 2]
        n = math.sqrt(ux * ux + uy * uy)
        along = ((px - edges[which, 1]) * ux + (py - edges[which, 2]) * uy) / n
        fs, fc = _sin_cos(edges[which, 5])
        right = (px - x) * c - (py - y) * s
        ex, ey = edges[which, 1] + ux / n * along - right * fc, edges[which, 2] + uy / n * along + right * fs
        count = 0
        for m in range(offsets.shape[0]):
            _stand_at(row, corners, ex, ey, fs, fc, offsets[m], -deep / 2, wide, deep)
            for i in range(rg.shape[0]):
                gap, _, _ = separation(row, corners, 0, 0.0, 0.0, rg, vg, i)
                if gap <= touch:
                    count += 1
                    break
        out[k, 1], out[k, 2], out[k, 3] = ex, ey, count
        out[k, 4] = _kept_off(row, corners, parts, ex, ey, fs, fc, rf, vf, friends)
        out[k, 5] = _kept_off(row, corners, parts, x, y, s, c, rf, vf, friends)
        out[k, 6] = _kept_off(row, corners, parts, ex, ey, fs, fc, rb, vb, others)
    return out
