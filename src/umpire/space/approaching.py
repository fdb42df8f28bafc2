"""The compiled kernel for a front that goes straight on, wheels once about one of its ends, and goes straight on again
until it meets a chosen edge: whether there is such a way, and which.

One wheel is judged exactly (`wheels`). Over the angle of the wheel the search halves: a stretch of angles is dead if
even with everything in the way made smaller, and the goal met earlier, by as much as any point can shift within it,
nothing is free at its middle; of one that is not it is known between which lengths of the first straight anything may
be free, so that its halves look nowhere else. What is left undecided where no point shifts by more than half a
thousandth of an inch is closed. So an answer is a way that is free, and no answer means that there is none.
"""

import math
from typing import Any

import numpy as np

from .angles import sin_cos
from .compiling import entry, inner
from .sectors import SLACK, corners, senses
from .wheels import before, exact, may, swept

FINE = 0.0005
NEAR, ROUGH = 0.02, 0.3
"""Inches: no nearer does it matter which point of an edge can be met; and what is looked for first."""
DEEP = 128
"""More stretches of angles than ever wait to be looked at, and the row of what is being looked at."""

_sin_cos = inner("f")(sin_cos)


@inner("Afffff")
def _hidden(goal: Any, ux: float, uy: float, sign: float, a: float, b: float) -> bool:
    """Does a front see the edge from behind after all wheels from a to b degrees? Then something else is met first."""
    nx, ny = goal[1, 1] - goal[0, 1], goal[0, 0] - goal[1, 0]
    for degrees in (a, b):
        s, c = _sin_cos(degrees)
        if (ux * c + sign * uy * s) * nx + (uy * c - sign * ux * s) * ny <= SLACK:
            return False
    return True


@inner("Aff")
def _eighths(stack: Any, most: float, furthest: float) -> int:
    """The stretches of angles that a search begins with, the smallest last: from where to where, between which lengths
    of the first straight a way may lie, and whether it is known what the least wheel sweeps over."""
    for k in range(8):
        stack[k, 0], stack[k, 1] = most * (7 - k) / 8, most * (8 - k) / 8
        stack[k, 2], stack[k, 3], stack[k, 4] = 0.0, furthest, 0.0
    return 8


@inner("AAAi")
def _halves(stack: Any, lows: Any, highs: Any, top: int) -> int:
    """Both halves of the stretch on top; what the wheel in its middle sweeps over is the last row."""
    middle, own = (stack[top, 0] + stack[top, 1]) / 2.0, DEEP - 1
    stack[top + 1], lows[top + 1], highs[top + 1] = stack[top], lows[top], highs[top]
    stack[top + 1, 1] = middle
    stack[top, 0], stack[top, 4] = middle, 1.0
    lows[top], highs[top] = lows[own], highs[own]
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
    some = first.shape[0] + 1
    marks, edge = np.empty(8 + 2 * points.shape[0] + 4 * goal.shape[0] + 2 * some), np.empty(4)
    room, anew, sense = np.empty((some, 4)), np.empty((2, some)), senses(points, first, count, goal)
    hull = np.array([wanted[:, 0].min(), wanted[:, 1].max()])
    for k in range(tries.shape[0]):
        sign = 1.0 if tries[k] >= 0.0 else -1.0
        if abs(tries[k]) > (right if sign > 0.0 else left):
            continue
        x, y, at = px + sign * uy * w / 2, py - sign * ux * w / 2, abs(tries[k])
        begin, end = before(x, y, ux, uy, w, sign, at, goal, length, hull, 0.0, 0.0, furthest)
        if begin > end:
            continue
        if not flying:
            swept(points, first, count, sense, goal, x, y, ux, uy, w, sign, at, begin, end, anew[0], anew[1])
        on = exact(
            x, y, ux, uy, w, sign, at, begin, end, furthest, goal, length, wanted, hull, points, first, count, sense,
            flying, anew[0], anew[1], anew, room, marks, edge,
        )  # fmt: skip
        if on >= 0.0:
            return sign, at, on
    smaller, turns, most = np.empty_like(points), np.empty_like(points), np.empty(first.shape[0])
    corners(points, first, count, turns, most)
    stack, lows, highs = np.empty((DEEP, 5)), np.empty((DEEP, some)), np.empty((DEEP, some))
    for sign in (1.0, -1.0):
        x, y = px + sign * uy * w / 2, py - sign * ux * w / 2
        top = _eighths(stack, right if sign > 0.0 else left, furthest)
        while top > 0:
            top -= 1
            a, b = stack[top, 0], stack[top, 1]
            if _hidden(goal, ux, uy, sign, a, b):
                continue
            middle, shift = (a + b) / 2.0, (b - a) / 2.0 * math.pi / 180.0 * reach
            last = shift < FINE or top > DEEP - 8
            if not last and not may(
                stack, lows, highs, top, x, y, ux, uy, w, sign, goal, length, bare, hull, points, first, count, sense,
                turns, most, smaller, flying, furthest, room, marks, edge,
            ):  # fmt: skip
                continue
            low, high = stack[top, 2], stack[top, 3]
            if not flying:
                swept(
                    points, first, count, sense, goal, x, y, ux, uy, w, sign, middle, low, high, lows[DEEP - 1],
                    highs[DEEP - 1],
                )  # fmt: skip
            on = exact(
                x, y, ux, uy, w, sign, middle, low, high, furthest, goal, length, wanted, hull, points, first, count,
                sense, flying, lows[DEEP - 1], highs[DEEP - 1], anew, room, marks, edge,
            )  # fmt: skip
            if on >= 0.0:
                return sign, middle, on
            if not last:
                top = _halves(stack, lows, highs, top)
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


@inner("ffffffffffAfAAVAIIVbfbVVAAVV")
def _nearer(
    px: float, py: float, ux: float, uy: float, w: float, sign: float, degrees: float, low: float, high: float,
    furthest: float, goal: Any, length: float, bare: Any, left: Any, hull: Any, points: Any, first: Any, count: Any,
    sense: Any, flying: bool, near: float, upwards: bool, lows: Any, highs: Any, anew: Any, room: Any, marks: Any,
    edge: Any,
) -> float:  # fmt: skip
    """The first point of what is looked for that this wheel leads to, or -1; then only what is nearer by so much is
    looked for."""
    found = -1.0
    while hull[0] <= hull[1]:
        at = exact(
            px, py, ux, uy, w, sign, degrees, low, high, furthest, goal, length, left, hull, points, first, count,
            sense, flying, lows, highs, anew, room, marks, edge,
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
    some = first.shape[0] + 1
    marks, edge = np.empty(8 + 2 * points.shape[0] + 4 * goal.shape[0] + 2 * some), np.empty(4)
    room, anew, sense = np.empty((some, 4)), np.empty((2, some)), senses(points, first, count, goal)
    hull = np.array([min(start, limit), max(start, limit)])
    smaller, turns, most = np.empty_like(points), np.empty_like(points), np.empty(first.shape[0])
    corners(points, first, count, turns, most)
    left, stack, lows, highs = np.empty_like(bare), np.empty((DEEP, 5)), np.empty((DEEP, some)), np.empty((DEEP, some))
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
            x, y, at = px + sign * uy * w / 2, py - sign * ux * w / 2, abs(tries[k])
            begin, end = before(x, y, ux, uy, w, sign, at, goal, length, hull, 0.0, 0.0, furthest)
            if begin > end:
                continue
            own = lows[DEEP - 1], highs[DEEP - 1]
            if not flying:
                swept(points, first, count, sense, goal, x, y, ux, uy, w, sign, at, begin, end, *own)
            met = _nearer(
                x, y, ux, uy, w, sign, at, begin, end, furthest, goal, length, bare, left, hull, points, first, count,
                sense, flying, near, upwards, *own, anew, room, marks, edge,
            )  # fmt: skip
            if met >= 0.0:
                best, wheel = met, tries[k]
        for sign in (1.0, -1.0):
            x, y = px + sign * uy * w / 2, py - sign * ux * w / 2
            top = _eighths(stack, widest, furthest)
            while top > 0 and hull[0] <= hull[1]:
                top -= 1
                a, b = stack[top, 0], stack[top, 1]
                if _hidden(goal, ux, uy, sign, a, b):
                    continue
                middle, shift = (a + b) / 2.0, (b - a) / 2.0 * math.pi / 180.0 * reach
                last = shift < FINE or top > DEEP - 8
                if not last and not may(
                    stack, lows, highs, top, x, y, ux, uy, w, sign, goal, length, left, hull, points, first, count,
                    sense, turns, most, smaller, flying, furthest, room, marks, edge,
                ):  # fmt: skip
                    continue
                low, high = stack[top, 2], stack[top, 3]
                own = lows[DEEP - 1], highs[DEEP - 1]
                if not flying:
                    swept(points, first, count, sense, goal, x, y, ux, uy, w, sign, middle, low, high, *own)
                if not last:
                    top = _halves(stack, lows, highs, top)
                met = _nearer(
                    x, y, ux, uy, w, sign, middle, low, high, furthest, goal, length, bare, left, hull, points, first,
                    count, sense, flying, near, upwards, *own, anew, room, marks, edge,
                )  # fmt: skip
                if met >= 0.0:
                    best, wheel = met, sign * middle
    return best, wheel
