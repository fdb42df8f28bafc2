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
from .sectors import SLACK, aside, edge_met, inset, sector, within

FINE = 0.0005

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


@inner("fffVb")
def _note(low: float, high: float, length: float, met: Any, mark: bool) -> bool:
    """Is a part of the edge that is met not noted yet? With `mark` it is from now on."""
    cells = met.shape[0]
    k = max(0, min(cells - 1, int(low / length * cells)))
    last = max(0, min(cells - 1, int(high / length * cells)))
    news = False
    while k <= last:
        if met[k] == 0.0:
            news = True
            if not mark:
                break
            met[k] = 1.0
        k += 1
    return news


@inner("ffffffffAfAAIIbffAVVVb")
def _straight(
    px: float, py: float, ux: float, uy: float, w: float, sign: float, degrees: float, furthest: float, goal: Any,
    length: float, wanted: Any, points: Any, first: Any, count: Any, flying: bool, relax: float, half: float,
    whole: Any, marks: Any, edge: Any, met: Any, mark: bool,
) -> float:  # fmt: skip
    """A length of the first straight with which this wheel leads to the wanted part of the goal's edge, or -1.

    `relax` asks whether there may be one for angles nearby, no further off than `half`, at which no point lies
    elsewhere by more than that as the front sees it: the polygons have been made smaller by as much; of the goal's edge
    what may come between the ends of the front counts, and of what hides it only what certainly does. Whatever the
    least of these wheels sweeps over, all of them sweep over: that is seen from the polygons as they are, the `whole`.

    Where there are cells of the edge in `met`, only what leads to one that is not noted there counts; with `mark` all
    that are led to are noted.
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
        a = (goal[0, 0] - px) * hy - (goal[0, 1] - py) * hx
        b = (goal[1, 0] - px) * hy - (goal[1, 1] - py) * hx
        enters, leaves = (min(a, b) - (f0 + w + relax)) / slide, (max(a, b) - (f0 - relax)) / slide
        begin, end = max(begin, min(enters, leaves)), min(end, max(enters, leaves))
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
    steps = n if moving else 2
    found = -1.0
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
        for i in range(first.shape[0]):
            left = f0 + slide * t0
            if most[i] < left - 1e-9 or least[i] > left + w + 1e-9:
                continue
            n0, m0 = within(points, first[i], count[i], px, py, hx, hy, left, left + w)
            if n0 > 1e299:
                continue
            left = f0 + slide * t1
            n1, m1 = within(points, first[i], count[i], px, py, hx, hy, left, left + w)
            # In the way where it is no further than the goal and not behind the front.
            ahead0, ahead1 = n0 - g0, n1 - g1
            back0, back1 = m0 - c * t0, m1 - c * t1
            if flying:
                back0, back1 = m0 - g0, m1 - g1
            if min(back0, back1) < SLACK and max(back0, back1) < SLACK:
                continue
            rate = (ahead1 - ahead0) / (t1 - t0) if t1 > t0 else 0.0
            if abs(rate) < 1e-12:
                if ahead0 <= SLACK:
                    low, high = 1.0, 0.0
                    break
            else:
                root = t0 + (SLACK - ahead0) / rate
                if rate > 0.0:
                    low = max(low, root)
                else:
                    high = min(high, root)
            if low > high:
                break
        if low > high or not _leads(wanted, a, b, t0, t1, q0, q1, r0, r1, low, high, edge):
            continue
        if met.shape[0] == 0:
            return float((edge[0] + edge[1]) / 2.0) if moving else 0.0
        each = t1 - t0 if t1 > t0 else 1.0
        q_low, q_high = q0 + (q1 - q0) * (low - t0) / each, q0 + (q1 - q0) * (high - t0) / each
        r_low, r_high = r0 + (r1 - r0) * (low - t0) / each, r0 + (r1 - r0) * (high - t0) / each
        if _note(min(q_low, q_high), max(r_low, r_high), length, met, mark):
            found = 0.0
            if not mark:
                return found
    return found


@inner("Afffff")
def _hidden(goal: Any, ux: float, uy: float, sign: float, a: float, b: float) -> bool:
    """Does a front see the edge from behind after all wheels from a to b degrees? Then something else is met first."""
    nx, ny = goal[1, 1] - goal[0, 1], goal[0, 0] - goal[1, 0]
    for degrees in (a, b):
        s, c = _sin_cos(degrees)
        if (ux * c + sign * uy * s) * nx + (uy * c - sign * ux * s) * ny <= SLACK:
            return False
    return True


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
    edge, none = np.empty(4), np.empty(0)
    for k in range(tries.shape[0]):
        sign = 1.0 if tries[k] >= 0.0 else -1.0
        if abs(tries[k]) > (right if sign > 0.0 else left):
            continue
        x, y = px + sign * uy * w / 2, py - sign * ux * w / 2
        at = _straight(
            x, y, ux, uy, w, sign, abs(tries[k]), furthest, goal, length, wanted, points, first, count, flying,
            0.0, 0.0, points, marks, edge, none, False,
        )  # fmt: skip
        if at >= 0.0:
            return sign, abs(tries[k]), at
    smaller = np.empty_like(points)
    stack = np.empty((128, 2))
    for sign in (1.0, -1.0):
        x, y = px + sign * uy * w / 2, py - sign * ux * w / 2
        most = right if sign > 0.0 else left
        top = 0
        for k in range(8, 0, -1):
            stack[top, 0], stack[top, 1] = most * (k - 1) / 8, most * k / 8
            top += 1
        while top > 0:
            top -= 1
            a, b = stack[top, 0], stack[top, 1]
            if _hidden(goal, ux, uy, sign, a, b):
                continue
            middle = (a + b) / 2.0
            at = _straight(
                x, y, ux, uy, w, sign, middle, furthest, goal, length, wanted, points, first, count, flying, 0.0,
                0.0, points, marks, edge, none, False,
            )  # fmt: skip
            if at >= 0.0:
                return sign, middle, at
            shift = (b - a) / 2.0 * math.pi / 180.0 * reach
            if shift < FINE or top > 120:
                continue
            inset(points, first, count, shift, smaller)
            at = _straight(
                x, y, ux, uy, w, sign, middle, furthest, goal, length, bare, smaller, first, count, flying,
                shift, (b - a) / 2.0, points, marks, edge, none, False,
            )  # fmt: skip
            if at >= 0.0:
                stack[top, 0], stack[top, 1] = middle, b
                stack[top + 1, 0], stack[top + 1, 1] = a, middle
                top += 2
    return 0.0, 0.0, 0.0


@entry("ffffffAfAAIIbfffV")
def cover(
    px: float, py: float, ux: float, uy: float, w: float, furthest: float, goal: Any, length: float, bare: Any,
    points: Any, first: Any, count: Any, flying: bool, reach: float, right: float, left: float, met: Any,
) -> None:  # fmt: skip
    """Which cells of the edge, all equally long, can be met first at all: noted in `met`, where those that lie outside
    `bare` are noted before. The same search for all of them at once: a stretch of angles is left alone as soon as all
    that it may lead to is noted."""
    marks = np.empty(8 + 2 * points.shape[0] + 4 * goal.shape[0] + 2 * (first.shape[0] + 1))
    edge = np.empty(4)
    smaller = np.empty_like(points)
    stack = np.empty((128, 2))
    for sign in (1.0, -1.0):
        x, y = px + sign * uy * w / 2, py - sign * ux * w / 2
        most = right if sign > 0.0 else left
        top = 0
        for k in range(8, 0, -1):
            stack[top, 0], stack[top, 1] = most * (k - 1) / 8, most * k / 8
            top += 1
        while top > 0:
            top -= 1
            a, b = stack[top, 0], stack[top, 1]
            if _hidden(goal, ux, uy, sign, a, b):
                continue
            middle = (a + b) / 2.0
            _straight(
                x, y, ux, uy, w, sign, middle, furthest, goal, length, bare, points, first, count, flying, 0.0,
                0.0, points, marks, edge, met, True,
            )  # fmt: skip
            shift = (b - a) / 2.0 * math.pi / 180.0 * reach
            if shift < FINE or top > 120:
                continue
            inset(points, first, count, shift, smaller)
            at = _straight(
                x, y, ux, uy, w, sign, middle, furthest, goal, length, bare, smaller, first, count, flying,
                shift, (b - a) / 2.0, points, marks, edge, met, False,
            )  # fmt: skip
            if at >= 0.0:
                stack[top, 0], stack[top, 1] = middle, b
                stack[top + 1, 0], stack[top + 1, 1] = a, middle
                top += 2
