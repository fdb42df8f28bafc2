"""The compiled kernel for a front that goes straight on, wheels once about one of its ends, and goes straight on again
until it meets a chosen edge: whether there is such a way, and which.

For a fixed wheel everything is linear in the length of the first straight: what is free of it is a list of intervals,
worked out exactly. Over the angle of the wheel the search halves: a stretch of angles is dead if even with everything
in the way made smaller, and the goal met earlier, by as much as any point can shift within it, nothing is free at its
middle. What is left undecided where no point shifts by more than half a thousandth of an inch is closed. So an answer
is a way that is free, and no answer means that there is none.
"""

import math
from typing import Any

import numpy as np

from .angles import sin_cos
from .compiling import entry, inner
from .sectors import SLACK, aside, corners, edge_met, inset, sector, within

FINE = 0.0005
EVEN = 1e-6
"""Lengths, and parts of an edge, by which two are held to be the same."""
NEAR, ROUGH = 0.02, 0.3
"""Inches: no nearer does it matter which point of an edge can be met; and what is looked for first."""

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
    those that are free, leads to what is wanted; of several the one that all lengths would have given most to."""
    most = -1e300
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
        if start <= stop and stop - start > most and max(start, free) <= min(stop, to):
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
def _closes(shut: Any, n: int, t0: float, t1: float, ahead0: float, ahead1: float, past0: float, past1: float) -> None:
    """Note as one of the stretches in which something is in the way where it is no further than the goal and not
    passed: both numbers are linear, the first one not above SLACK there and the second not below nothing."""
    shut[n, 0], shut[n, 1] = _cut(-1e300, 1e300, t0, t1, SLACK - ahead0, SLACK - ahead1)
    shut[n, 0], shut[n, 1] = _cut(shut[n, 0], shut[n, 1], t0, t1, past0, past1)


@inner("Aiffb")
def _open(shut: Any, n: int, low: float, high: float, after: bool) -> Any:
    """The first part of a stretch that lies inside none of n others; (1, 0) if there is none. Where others end is free,
    but `after` a part that ended there."""
    k = 0
    while k < n:
        if (shut[k, 0] < low or (after and shut[k, 0] == low)) and low < shut[k, 1]:
            low, k = shut[k, 1], -1
            if low > high:
                return 1.0, 0.0
        k += 1
    for k in range(n):
        if low <= shut[k, 0] < shut[k, 1]:
            high = min(high, shut[k, 0])
    return low, high


@inner("ffffffffAfAVAIIbffAVV")
def _straight(
    px: float, py: float, ux: float, uy: float, w: float, sign: float, degrees: float, furthest: float, goal: Any,
    length: float, wanted: Any, hull: Any, points: Any, first: Any, count: Any, flying: bool, relax: float,
    half: float, whole: Any, marks: Any, edge: Any,
) -> float:  # fmt: skip
    """A length of the first straight with which this wheel leads to the wanted part of the goal's edge, or -1; in
    `edge` between which lengths the same holds, and between which lengths along the edge they meet it.

    `hull` is from where to where along the edge anything is wanted. `relax` asks whether there may be such a length for
    angles nearby, no further off than `half`, at which no point lies elsewhere by more than that as the front sees it:
    the polygons have been made smaller by as much; of the goal's edge what may come between the ends of the front
    counts, and of what hides it only what certainly does. Whatever the least of these wheels sweeps over, all of them
    sweep over: that is seen from the polygons as they are, the `whole`.
    """
    s, c = _sin_cos(degrees)
    hx, hy = ux * c + sign * uy * s, uy * c - sign * ux * s
    # How fast the front shifts to the right, and ahead, as the first straight grows.
    slide = -sign * s
    f0 = -w if sign > 0.0 else 0.0
    n = 2
    sides = goal.shape[0]
    # Between which lengths the front is before the edge at all: nothing else matters.
    begin, end = 0.0, furthest
    moving = abs(slide) > 1e-12 and furthest > 1e-9
    if moving:
        x, y = goal[0, 0] - px, goal[0, 1] - py
        a, h = x * hy - y * hx, x * hx + y * hy
        x, y = goal[1, 0] - px, goal[1, 1] - py
        b, g = x * hy - y * hx, x * hx + y * hy
        enters, leaves = (min(a, b) - (f0 + w + relax)) / slide, (max(a, b) - (f0 - relax)) / slide
        begin, end = max(begin, min(enters, leaves)), min(end, max(enters, leaves))
        begin, end = _aimed(a, h, b, g, f0, w, slide, relax, length, hull[0], hull[1], begin, end)
        if begin > end:
            return -1.0
    marks[0], marks[1] = begin, end
    # How far to the right the polygons lie: most are beside the front; and of what lies beyond the goal everything.
    beyond = -1e300
    for k in range(sides):
        beyond = max(beyond, (goal[k, 0] - px) * hx + (goal[k, 1] - py) * hy)
    least, most = np.empty(first.shape[0]), np.empty(first.shape[0])
    for i in range(first.shape[0]):
        least[i], most[i], near = 1e300, -1e300, 1e300
        for k in range(first[i], first[i] + count[i]):
            x, y = points[k, 0] - px, points[k, 1] - py
            across = x * hy - y * hx
            least[i], most[i], near = min(least[i], across), max(most[i], across), min(near, x * hx + y * hy)
        if relax > 0.0 and near > beyond + SLACK:
            least[i] = 1e300
    if moving:
        for k in range(sides):
            across = (goal[k, 0] - px) * hy - (goal[k, 1] - py) * hx
            n = _mark(marks, n, across - (f0 - relax), slide, begin, end)
            n = _mark(marks, n, across - (f0 + w + relax), slide, begin, end)
            if relax > 0.0:
                n = _mark(marks, n, across - (f0 + relax), slide, begin, end)
                n = _mark(marks, n, across - (f0 + w - relax), slide, begin, end)
        for i in range(first.shape[0]):
            if least[i] < 1e299:
                for k in range(first[i], first[i] + count[i]):
                    across = (points[k, 0] - px) * hy - (points[k, 1] - py) * hx
                    n = _mark(marks, n, across - f0, slide, begin, end)
                    n = _mark(marks, n, across - (f0 + w), slide, begin, end)
    lows, highs = np.empty(first.shape[0] + 1), np.empty(first.shape[0] + 1)
    if not flying:
        s0, c0 = _sin_cos(degrees - half) if half > 0.0 else (s, c)
        for i in range(first.shape[0]):
            if aside(whole, first[i], count[i], px, py, ux, uy, w, sign, begin, end):
                lows[i], highs[i] = 1.0, 0.0
                continue
            lows[i], highs[i] = sector(whole, first[i], count[i], px, py, ux, uy, w, sign, s0, c0)
            for at in (lows[i], highs[i]):
                if lows[i] < highs[i] and begin < at < end:
                    marks[n] = at
                    n += 1
        # The goal itself may be touched by the end of the wheel, not swept over.
        i = first.shape[0]
        lows[i], highs[i] = 1.0, 0.0
        if not aside(goal, 0, sides, px, py, ux, uy, w, sign, begin, end):
            lows[i], highs[i] = sector(goal, 0, sides, px, py, ux, uy, w, sign, s0, c0)
        for at in (lows[i], highs[i]):
            if lows[i] < highs[i] and begin < at < end:
                marks[n] = at
                n += 1
    ordered = np.sort(marks[:n])
    shut = np.empty((first.shape[0], 2))
    steps = n if moving else 2
    for k in range(steps - 1):
        a, b = ordered[k], ordered[k + 1]
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
            if most[i] < left - 1e-9 or least[i] > left + w + 1e-9:
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
            _closes(shut, stops, t0, t1, n0 - g0, n1 - g1, past0, past1)
            if shut[stops, 0] < low and high < shut[stops, 1]:
                low, high = 1.0, 0.0
                break
            stops += 1
        after = False
        while low <= high:
            free, to = _open(shut, stops, low, high, after)
            if free > to or (after and to == low):
                break
            low, after = to, True
            if not _leads(wanted, a, b, t0, t1, q0, q1, r0, r1, free, to, edge):
                continue
            each = t1 - t0 if t1 > t0 else 1.0
            k0, k1 = (edge[0] - t0) / each, (edge[1] - t0) / each
            edge[2] = min(q0 + (q1 - q0) * k0, q0 + (q1 - q0) * k1)
            edge[3] = max(r0 + (r1 - r0) * k0, r0 + (r1 - r0) * k1)
            return float((edge[0] + edge[1]) / 2.0) if moving else 0.0
    return -1.0


@inner("Afffff")
def _hidden(goal: Any, ux: float, uy: float, sign: float, a: float, b: float) -> bool:
    """Does a front see the edge from behind after all wheels from a to b degrees? Then something else is met first."""
    nx, ny = goal[1, 1] - goal[0, 1], goal[0, 0] - goal[1, 0]
    for degrees in (a, b):
        s, c = _sin_cos(degrees)
        if (ux * c + sign * uy * s) * nx + (uy * c - sign * ux * s) * ny <= SLACK:
            return False
    return True


@inner("Af")
def _eighths(stack: Any, most: float) -> int:
    """The stretches of angles that a search begins with, the smallest last."""
    for k in range(8):
        stack[k, 0], stack[k, 1] = most * (7 - k) / 8, most * (8 - k) / 8
    return 8


@inner("Aiff")
def _halves(stack: Any, top: int, a: float, b: float) -> int:
    stack[top, 0], stack[top, 1] = (a + b) / 2.0, b
    stack[top + 1, 0], stack[top + 1, 1] = a, (a + b) / 2.0
    return top + 2


@entry("ffffffAfAAAIIbVfff")
def find(
    px: float, py: float, ux: float, uy: float, w: float, furthest: float, goal: Any, length: float, wanted: Any,
    bare: Any, points: Any, first: Any, count: Any, flying: bool, tries: Any, reach: float, right: float, left: float,
) -> Any:  # fmt: skip
    """A way to the wanted part of an edge: (sign, degrees, first straight), sign 0 if there is none.

    (px, py) is the middle of the front, (ux, uy) its heading; `goal` a rectangle whose edge from its first to its
    second corner, left to right as the front sees it, is to be met before anything else; `wanted` are lengths along
    that edge, `bare` the parts of them that nothing lies against; `furthest` is how long the first straight may be;
    `tries` are signed angles to look at first; `reach` is how far any point of the way can lie from a pivot.
    """
    marks = np.empty(8 + 2 * points.shape[0] + 4 * goal.shape[0] + 2 * (first.shape[0] + 1))
    edge = np.empty(4)
    hull = np.array([wanted[:, 0].min(), wanted[:, 1].max()])
    for k in range(tries.shape[0]):
        sign = 1.0 if tries[k] >= 0.0 else -1.0
        if abs(tries[k]) > (right if sign > 0.0 else left):
            continue
        x, y = px + sign * uy * w / 2, py - sign * ux * w / 2
        at = _straight(
            x, y, ux, uy, w, sign, abs(tries[k]), furthest, goal, length, wanted, hull, points, first, count, flying,
            0.0, 0.0, points, marks, edge,
        )  # fmt: skip
        if at >= 0.0:
            return sign, abs(tries[k]), at
    smaller, turns, most = np.empty_like(points), np.empty_like(points), np.empty(first.shape[0])
    corners(points, first, count, turns, most)
    stack = np.empty((128, 2))
    for sign in (1.0, -1.0):
        x, y = px + sign * uy * w / 2, py - sign * ux * w / 2
        top = _eighths(stack, right if sign > 0.0 else left)
        while top > 0:
            top -= 1
            a, b = stack[top, 0], stack[top, 1]
            if _hidden(goal, ux, uy, sign, a, b):
                continue
            middle, half = (a + b) / 2.0, (b - a) / 2.0
            shift = half * math.pi / 180.0 * reach
            last = shift < FINE or top > 120
            if not last:
                inset(points, first, count, turns, most, shift, smaller)
                at = _straight(
                    x, y, ux, uy, w, sign, middle, furthest, goal, length, bare, hull, smaller, first, count, flying,
                    shift, half, points, marks, edge,
                )  # fmt: skip
                if at < 0.0:
                    continue
            at = _straight(
                x, y, ux, uy, w, sign, middle, furthest, goal, length, wanted, hull, points, first, count, flying, 0.0,
                0.0, points, marks, edge,
            )  # fmt: skip
            if at >= 0.0:
                return sign, middle, at
            if not last:
                top = _halves(stack, top, a, b)
    return 0.0, 0.0, 0.0


@inner("AVA")
def _between(parts: Any, hull: Any, out: Any) -> None:
    """What of some parts of an edge lies between two lengths along it."""
    for j in range(parts.shape[0]):
        out[j, 0], out[j, 1] = max(parts[j, 0], hull[0]), min(parts[j, 1], hull[1])
        if out[j, 0] > out[j, 1]:
            out[j, 0], out[j, 1] = 1e9, -1e9


@inner("AVb")
def _first_of(parts: Any, edge: Any, upwards: bool) -> float:
    """Of some parts of an edge the first point, or the last one, that is met where the edge is; -1: none is."""
    found = -1.0
    for j in range(parts.shape[0]):
        if parts[j, 0] <= edge[3] + SLACK and parts[j, 1] >= edge[2] - SLACK:
            if not upwards:
                found = min(parts[j, 1], max(edge[3], parts[j, 0]))
            elif found < 0.0:
                found = max(parts[j, 0], min(edge[2], parts[j, 1]), 0.0)
    return found


@inner("ffffffffAfAAVAIIbfbVV")
def _nearer(
    px: float, py: float, ux: float, uy: float, w: float, sign: float, degrees: float, furthest: float, goal: Any,
    length: float, bare: Any, left: Any, hull: Any, points: Any, first: Any, count: Any, flying: bool, near: float,
    upwards: bool, marks: Any, edge: Any,
) -> float:  # fmt: skip
    """The first point of what is looked for that this wheel leads to, or -1; then only what is nearer by so much is
    looked for."""
    found = -1.0
    while hull[0] <= hull[1]:
        at = _straight(
            px, py, ux, uy, w, sign, degrees, furthest, goal, length, left, hull, points, first, count, flying, 0.0,
            0.0, points, marks, edge,
        )  # fmt: skip
        met = _first_of(left, edge, upwards) if at >= 0.0 else -1.0
        if met < 0.0:
            break
        found = met
        if upwards:
            hull[1] = found - near
        else:
            hull[0] = found + near
        _between(bare, hull, left)
    return found


@entry("ffffffAfAAIIbVffff")
def nearest(
    px: float, py: float, ux: float, uy: float, w: float, furthest: float, goal: Any, length: float, bare: Any,
    points: Any, first: Any, count: Any, flying: bool, tries: Any, reach: float, widest: float, start: float,
    limit: float,
) -> Any:  # fmt: skip
    """The point of an edge nearest to `start`, and on the way from there to `limit`, that can be met first at all, to
    within `NEAR`, and the signed wheel that leads there; (-1, 0) if there is none.

    The same search as for a way, but whatever is found leaves only what is nearer to be looked for: first roughly, then
    for the rest."""
    marks = np.empty(8 + 2 * points.shape[0] + 4 * goal.shape[0] + 2 * (first.shape[0] + 1))
    edge, hull = np.empty(4), np.array([min(start, limit), max(start, limit)])
    smaller, turns, most = np.empty_like(points), np.empty_like(points), np.empty(first.shape[0])
    corners(points, first, count, turns, most)
    left, stack = np.empty_like(bare), np.empty((128, 2))
    best, wheel, upwards = -1.0, 0.0, start <= limit
    for near in (ROUGH, NEAR):
        if best >= 0.0:
            # What lies nearer than roughly is known to be out of reach.
            hull[0] = max(hull[0], best - ROUGH) if upwards else best + near
            hull[1] = best - near if upwards else min(hull[1], best + ROUGH)
        elif near < ROUGH:
            break
        _between(bare, hull, left)
        for k in range(tries.shape[0]):
            sign = 1.0 if tries[k] >= 0.0 else -1.0
            met = _nearer(
                px + sign * uy * w / 2, py - sign * ux * w / 2, ux, uy, w, sign, abs(tries[k]), furthest, goal, length,
                bare, left, hull, points, first, count, flying, near, upwards, marks, edge,
            )  # fmt: skip
            if met >= 0.0:
                best, wheel = met, tries[k]
        for sign in (1.0, -1.0):
            x, y = px + sign * uy * w / 2, py - sign * ux * w / 2
            top = _eighths(stack, widest)
            while top > 0 and hull[0] <= hull[1]:
                top -= 1
                a, b = stack[top, 0], stack[top, 1]
                if _hidden(goal, ux, uy, sign, a, b):
                    continue
                middle, half = (a + b) / 2.0, (b - a) / 2.0
                shift = half * math.pi / 180.0 * reach
                last = shift < FINE or top > 120
                if not last:
                    inset(points, first, count, turns, most, shift, smaller)
                    at = _straight(
                        x, y, ux, uy, w, sign, middle, furthest, goal, length, left, hull, smaller, first, count,
                        flying, shift, half, points, marks, edge,
                    )  # fmt: skip
                    if at < 0.0:
                        continue
                    top = _halves(stack, top, a, b)
                met = _nearer(
                    x, y, ux, uy, w, sign, middle, furthest, goal, length, bare, left, hull, points, first, count,
                    flying, near, upwards, marks, edge,
                )  # fmt: skip
                if met >= 0.0:
                    best, wheel = met, sign * middle
    return best, wheel
