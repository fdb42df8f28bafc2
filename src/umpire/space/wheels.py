"""Of a compiled kernel: a front that goes straight on, wheels about one of its ends by a given angle, or by one of a
stretch of angles, and goes straight on until it meets an edge. With which lengths of the first straight it does.

For one angle all is linear in that length: what is free of it is a list of intervals, worked out exactly.
"""

import math
from typing import Any

import numpy as np

from .angles import sin_cos
from .compiling import inner
from .sectors import SLACK, aside, edge_met, inset, sector, within

EVEN = 1e-6
"""Lengths, and parts of an edge, by which two are held to be the same."""

_sin_cos = inner("f")(sin_cos)


@inner("Viffff")
def _mark(marks: Any, n: int, across: float, slide: float, begin: float, end: float) -> int:
    """One more length of the first straight at which something changes, if it is one."""
    at = across / slide
    if begin < at < end:
        marks[n] = at
        return n + 1
    return n


@inner("AffffffffffV")
def _leads(
    wanted: Any, a: float, b: float, t0: float, t1: float, q0: float, q1: float, r0: float, r1: float, free: float,
    to: float, out: Any,
) -> bool:  # fmt: skip
    """Between two lengths of the first straight the edge is met from q to r, both linear: which part of them, within
    those that are free, leads to what is wanted; of several the one that all lengths would have given most to; and from
    where to where any does."""
    most = -1e300
    out[2], out[3] = 1e300, -1e300
    for j in range(wanted.shape[0]):
        lo, hi = wanted[j, 0], wanted[j, 1]
        start, stop = a, b
        # r >= lo and q <= hi.
        for which in range(2):
            v0 = r0 - lo if which == 0 else hi - q0
            v1 = r1 - lo if which == 0 else hi - q1
            rate = (v1 - v0) / (t1 - t0) if t1 > t0 else 0.0
            if abs(rate) < 1e-12:
                if v0 < -SLACK:
                    start, stop = 1.0, 0.0
            else:
                root = t0 - v0 / rate
                if rate > 0.0:
                    start = max(start, root)
                else:
                    stop = min(stop, root)
        if start <= stop and max(start, free) <= min(stop, to):
            out[2], out[3] = min(out[2], max(start, free)), max(out[3], min(stop, to))
            if stop - start > most:
                most = stop - start
                out[0], out[1] = max(start, free), min(stop, to)
    return most >= 0.0


@inner("ffffff")
def _cut(low: float, high: float, t0: float, t1: float, v0: float, v1: float) -> Any:
    """Which part of a stretch is left where a number must not be negative that is v0 at t0, v1 at t1 and linear."""
    if max(v0, v1) > 1e299:
        return low, high
    if v0 == v1 or t1 <= t0:
        return (low, high) if v0 >= 0.0 else (1.0, 0.0)
    root = t0 - v0 * (t1 - t0) / (v1 - v0)
    return (max(low, root), high) if v1 > v0 else (low, min(high, root))


@inner("fffffffffffff")
def _aimed(
    a: float, h: float, b: float, g: float, f0: float, w: float, slide: float, relax: float, length: float, lo: float,
    hi: float, begin: float, end: float,
) -> Any:  # fmt: skip
    """Between which lengths of the first straight, of those from begin to end, an edge may be met from lo to hi along
    it: its ends lie a and b to the right and h and g ahead. An edge that is not flush is met at its nearer end, or
    where that end of the front which is on this side of it cuts it."""
    if abs(g - h) <= 2.0 * relax + EVEN or abs(b - a) <= 2.0 * relax + EVEN:
        return begin, end
    spare = EVEN + SLACK / abs(g - h)
    low, high = lo / length - spare, hi / length + spare
    # The nearer end is met as long as it lies before the front at all.
    if h < g and low <= 0.0:
        low = -1e9
    if g < h and high >= 1.0:
        high = 1e9
    off = f0 if (a < b) == (h < g) else f0 + w
    one, other = a + (b - a) * low, a + (b - a) * high
    first, last = (min(one, other) - relax - off) / slide, (max(one, other) + relax - off) / slide
    return max(begin, min(first, last)), min(end, max(first, last))


@inner("Aiffffff")
def _closes(room: Any, n: int, t0: float, t1: float, ahead0: float, ahead1: float, past0: float, past1: float) -> None:
    """Note as one of the stretches (last two of a row) in which something is in the way where it is no further than the
    goal and not passed: both numbers are linear, the first one not above SLACK there and the second not below nothing.
    """
    room[n, 2], room[n, 3] = _cut(-1e300, 1e300, t0, t1, SLACK - ahead0, SLACK - ahead1)
    room[n, 2], room[n, 3] = _cut(room[n, 2], room[n, 3], t0, t1, past0, past1)


@inner("Aiffb")
def _open(room: Any, n: int, low: float, high: float, after: bool) -> Any:
    """The first part of a stretch that lies inside none of n others; (1, 0) if there is none. Where others end is free,
    but `after` a part that ended there."""
    k = 0
    while k < n:
        if (room[k, 2] < low or (after and room[k, 2] == low)) and low < room[k, 3]:
            low, k = room[k, 3], -1
            if low > high:
                return 1.0, 0.0
        k += 1
    for k in range(n):
        if low <= room[k, 2] < room[k, 3]:
            high = min(high, room[k, 2])
    return low, high


@inner("fffffffAfVfff")
def before(
    px: float, py: float, ux: float, uy: float, w: float, sign: float, degrees: float, goal: Any, length: float,
    hull: Any, relax: float, low: float, high: float,
) -> Any:  # fmt: skip
    """Between which lengths of the first straight, of those from low to high, a front is before the part of the edge
    where anything is wanted at all."""
    s, c = _sin_cos(degrees)
    hx, hy = ux * c + sign * uy * s, uy * c - sign * ux * s
    slide = -sign * s
    if abs(slide) <= 1e-12 or high <= 1e-9:
        return 0.0, high
    f0 = -w if sign > 0.0 else 0.0
    x, y = goal[0, 0] - px, goal[0, 1] - py
    a, h = x * hy - y * hx, x * hx + y * hy
    x, y = goal[1, 0] - px, goal[1, 1] - py
    b, g = x * hy - y * hx, x * hx + y * hy
    enters, leaves = (min(a, b) - (f0 + w + relax)) / slide, (max(a, b) - (f0 - relax)) / slide
    low, high = max(low, min(enters, leaves)), min(high, max(enters, leaves))
    return _aimed(a, h, b, g, f0, w, slide, relax, length, hull[0], hull[1], low, high)


@inner("AIIVAfffffffffVV")
def swept(
    points: Any, first: Any, count: Any, sense: Any, goal: Any, px: float, py: float, ux: float, uy: float, w: float,
    sign: float, degrees: float, begin: float, end: float, lows: Any, highs: Any,
) -> None:  # fmt: skip
    """For which lengths of the first straight, of those from begin to end, a wheel sweeps over each polygon, and at
    last over the goal: that may be touched by the end of the wheel, not swept over."""
    s, c = _sin_cos(degrees)
    for i in range(first.shape[0]):
        lows[i], highs[i] = 1.0, 0.0
        if not aside(points, first[i], count[i], px, py, ux, uy, w, sign, begin, end):
            lows[i], highs[i] = sector(points, first[i], count[i], sense[i], px, py, ux, uy, w, sign, s, c)
    i, sides = first.shape[0], goal.shape[0]
    lows[i], highs[i] = 1.0, 0.0
    if not aside(goal, 0, sides, px, py, ux, uy, w, sign, begin, end):
        lows[i], highs[i] = sector(goal, 0, sides, sense[i], px, py, ux, uy, w, sign, s, c)


@inner("Vi")
def _sort(marks: Any, n: int) -> None:
    """The first n in their order: few as a rule."""
    if n > 32:
        marks[:n] = np.sort(marks[:n])
        return
    for k in range(1, n):
        at, j = marks[k], k
        while j > 0 and marks[j - 1] > at:
            marks[j] = marks[j - 1]
            j -= 1
        marks[j] = at


@inner("ffffffffffAfAAIIbfVVAVV")
def _straight(
    px: float, py: float, ux: float, uy: float, w: float, sign: float, degrees: float, begin: float, end: float,
    furthest: float, goal: Any, length: float, wanted: Any, points: Any, first: Any, count: Any, flying: bool,
    relax: float, lows: Any, highs: Any, room: Any, marks: Any, edge: Any,
) -> float:  # fmt: skip
    """A length of the first straight, of those from begin to end, with which this wheel leads to the wanted part of the
    goal's edge, or -1; in `edge` between which lengths the same holds, and between which lengths along the edge they
    meet it.

    `relax` asks whether there may be such a length for angles nearby at which no point lies elsewhere by more than that
    as the front sees it, and tells in `edge` between which lengths: the polygons have been made smaller by as much; of
    the goal's edge what may come between the ends of the front counts, and of what hides it only what certainly does.
    `lows` and `highs` are the lengths with which the least of these wheels sweeps over something: so do all of them.
    """
    s, c = _sin_cos(degrees)
    hx, hy = ux * c + sign * uy * s, uy * c - sign * ux * s
    # How fast the front shifts to the right, and ahead, as the first straight grows.
    slide = -sign * s
    f0 = -w if sign > 0.0 else 0.0
    n = 2
    sides = goal.shape[0]
    moving = abs(slide) > 1e-12 and furthest > 1e-9
    marks[0], marks[1] = begin, end
    # How far to the right the polygons lie: most are beside the front; and of what lies beyond the goal everything.
    beyond = -1e300
    for k in range(sides):
        beyond = max(beyond, (goal[k, 0] - px) * hx + (goal[k, 1] - py) * hy)
    leftmost = f0 + min(slide * begin, slide * end) if moving else f0 + min(0.0, slide * furthest)
    rightmost = f0 + w + max(slide * begin, slide * end) if moving else f0 + w + max(0.0, slide * furthest)
    for i in range(first.shape[0]):
        least, most, near = 1e300, -1e300, 1e300
        for k in range(first[i], first[i] + count[i]):
            x, y = points[k, 0] - px, points[k, 1] - py
            across = x * hy - y * hx
            least, most, near = min(least, across), max(most, across), min(near, x * hx + y * hy)
        if (relax > 0.0 and near > beyond + SLACK) or most < leftmost - EVEN or least > rightmost + EVEN:
            least = 1e300
        room[i, 0], room[i, 1] = least, most
    if moving:
        for k in range(sides):
            across = (goal[k, 0] - px) * hy - (goal[k, 1] - py) * hx
            n = _mark(marks, n, across - (f0 - relax), slide, begin, end)
            n = _mark(marks, n, across - (f0 + w + relax), slide, begin, end)
            if relax > 0.0:
                n = _mark(marks, n, across - (f0 + relax), slide, begin, end)
                n = _mark(marks, n, across - (f0 + w - relax), slide, begin, end)
        for i in range(first.shape[0]):
            if room[i, 0] < 1e299:
                for k in range(first[i], first[i] + count[i]):
                    across = (points[k, 0] - px) * hy - (points[k, 1] - py) * hx
                    n = _mark(marks, n, across - f0, slide, begin, end)
                    n = _mark(marks, n, across - (f0 + w), slide, begin, end)
    if not flying:
        for i in range(first.shape[0] + 1):
            for at in (lows[i], highs[i]):
                if lows[i] < highs[i] and begin < at < end:
                    marks[n] = at
                    n += 1
    _sort(marks, n)
    least, most = 1e300, -1e300
    steps = n - 1 if moving else 1
    k, onwards = 0, 1
    while 0 <= k < steps:
        a, b = marks[k], marks[k + 1]
        k += onwards
        if not moving:
            a, b = 0.0, furthest
        if b - a < 1e-9 and moving:
            continue
        # Between two marks all is linear: looked at from two places within.
        t0, t1 = a + (b - a) / 3.0, b - (b - a) / 3.0
        low, high = a, b
        dead = False
        if not flying:
            for i in range(first.shape[0] + 1):
                if lows[i] < highs[i] and lows[i] < (a + b) / 2 < highs[i]:
                    dead = True
                    break
        if dead:
            continue
        g0 = g1 = q0 = q1 = r0 = r1 = before0 = before1 = clear0 = clear1 = 0.0
        for j in range(2):
            t = t0 if j == 0 else t1
            left = f0 + slide * t
            near, _ = within(goal, 0, sides, px, py, hx, hy, left + relax, left + w - relax)
            # The nearest that certainly comes between the ends of the front must not lie behind it.
            sure = 1e300
            if w > 2.0 * relax:
                edge_met(goal, 0, 1, px, py, hx, hy, left + relax, left + w - relax, 0.0, length, edge)
                sure = edge[0]
            edge_met(goal, 0, 1, px, py, hx, hy, left, left + w, relax, length, edge)
            before = (sure if sure < 1e299 else edge[3]) - c * t + relax + SLACK
            clear = near + relax + SLACK - edge[0]
            if edge[0] > 1e299:
                dead = True
                break
            if j == 0:
                g0, q0, r0, before0, clear0 = edge[0], edge[1], edge[2], before, clear
            else:
                g1, q1, r1, before1, clear1 = edge[0], edge[1], edge[2], before, clear
        if dead:
            continue
        low, high = _cut(low, high, t0, t1, before0, before1)
        if relax > 0.0:
            low, high = _cut(low, high, t0, t1, clear0, clear1)
        elif min(clear0, clear1) < 0.0:  # nothing hides it, or all the way
            continue
        if low > high:
            continue
        # Between which lengths nothing is in the way, once any part of the edge that is met is wanted.
        if not _leads(wanted, a, b, t0, t1, q0, q1, r0, r1, low, high, edge):
            continue
        stops = 0
        for i in range(first.shape[0]):
            left = f0 + slide * t0
            if room[i, 1] < left - 1e-9 or room[i, 0] > left + w + 1e-9:
                continue
            n0, m0 = within(points, first[i], count[i], px, py, hx, hy, left, left + w)
            if n0 > 1e299:
                continue
            left = f0 + slide * t1
            n1, m1 = within(points, first[i], count[i], px, py, hx, hy, left, left + w)
            past0 = past1 = 1.0
            if flying:
                # Passed over, but for what lies where the front ends.
                past0, past1 = m0 - before0 - c * t0, m1 - before1 - c * t1
                if relax == 0.0:
                    past0, past1 = past0 + 2.0 * SLACK, past1 + 2.0 * SLACK
            elif max(m0 - c * t0, m1 - c * t1) < SLACK:
                continue
            _closes(room, stops, t0, t1, n0 - g0, n1 - g1, past0, past1)
            if room[stops, 2] < low and high < room[stops, 3]:
                low, high = 1.0, 0.0
                break
            stops += 1
        after, found = False, False
        while low <= high:
            free, to = _open(room, stops, low, high, after)
            if free > to or (after and to == low):
                break
            low, after = to, True
            if not _leads(wanted, a, b, t0, t1, q0, q1, r0, r1, free, to, edge):
                continue
            if relax > 0.0:
                found = True
                least, most = min(least, edge[2]), max(most, edge[3])
                continue
            each = t1 - t0 if t1 > t0 else 1.0
            k0, k1 = (edge[0] - t0) / each, (edge[1] - t0) / each
            edge[2] = min(q0 + (q1 - q0) * k0, q0 + (q1 - q0) * k1)
            edge[3] = max(r0 + (r1 - r0) * k0, r0 + (r1 - r0) * k1)
            return float((edge[0] + edge[1]) / 2.0) if moving else 0.0
        if found:
            if onwards < 0 or k == steps:
                break
            # The last one is looked for from the end.
            k, onwards = steps - 1, -1
    edge[0], edge[1] = (least, most) if moving else (0.0, furthest)
    return 0.0 if least <= most else -1.0


@inner("ffffffffffAfAVAIIVbVVAAVV")
def exact(
    px: float, py: float, ux: float, uy: float, w: float, sign: float, degrees: float, low: float, high: float,
    furthest: float, goal: Any, length: float, wanted: Any, hull: Any, points: Any, first: Any, count: Any, sense: Any,
    flying: bool, lows: Any, highs: Any, anew: Any, room: Any, marks: Any, edge: Any,
) -> float:  # fmt: skip
    """A length of the first straight, known to lie between low and high, with which this very wheel leads to what is
    wanted, or -1: what is told of it does not hang on what was known."""
    begin, end = before(px, py, ux, uy, w, sign, degrees, goal, length, hull, 0.0, 0.0, furthest)
    some, other = max(begin, low), min(end, high)
    if some > other:
        return -1.0
    at = _straight(
        px, py, ux, uy, w, sign, degrees, some, other, furthest, goal, length, wanted, points, first, count, flying,
        0.0, lows, highs, room, marks, edge,
    )  # fmt: skip
    if at >= 0.0 and (some > begin or other < end):
        if not flying:
            swept(points, first, count, sense, goal, px, py, ux, uy, w, sign, degrees, begin, end, anew[0], anew[1])
        at = _straight(
            px, py, ux, uy, w, sign, degrees, begin, end, furthest, goal, length, wanted, points, first, count, flying,
            0.0, anew[0], anew[1], room, marks, edge,
        )  # fmt: skip
    return at


@inner("AAAiffffffAfAVAIIVAVAbfAVV")
def may(
    stack: Any, lows: Any, highs: Any, top: int, px: float, py: float, ux: float, uy: float, w: float, sign: float,
    goal: Any, length: float, bare: Any, hull: Any, points: Any, first: Any, count: Any, sense: Any, turns: Any,
    rims: Any, smaller: Any, flying: bool, furthest: float, room: Any, marks: Any, edge: Any,
) -> bool:  # fmt: skip
    """May a wheel of the stretch on top of a stack lead to what is wanted? Between which lengths of the first straight
    is noted there. The polygons are made smaller by as much as a point may shift that lies before the front and no
    further off than the goal."""
    a, b, low, high = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
    middle, ahead = (a + b) / 2.0, 0.0
    for k in range(goal.shape[0]):
        for on in (low, high):
            x, y = goal[k, 0] - px - ux * on, goal[k, 1] - py - uy * on
            ahead = max(ahead, x * x + y * y)
    shift = (b - a) / 2.0 * math.pi / 180.0 * math.sqrt(w * w + ahead)
    inset(points, first, count, turns, rims, shift, smaller)
    begin, end = before(px, py, ux, uy, w, sign, middle, goal, length, hull, shift, low, high)
    if begin > end:
        return False
    if stack[top, 4] == 0.0 and not flying:
        swept(points, first, count, sense, goal, px, py, ux, uy, w, sign, a, begin, end, lows[top], highs[top])
        stack[top, 4] = 1.0
    at = _straight(
        px, py, ux, uy, w, sign, middle, begin, end, furthest, goal, length, bare, smaller, first, count, flying, shift,
        lows[top], highs[top], room, marks, edge,
    )  # fmt: skip
    if at < 0.0:
        return False
    stack[top, 2], stack[top, 3] = max(low, edge[0] - EVEN), min(high, edge[1] + EVEN)
    return True
