"""The compiled kernel for wheels that lead to a place: a first wheel, straight on, and perhaps a second.

A wheel turns a front edge about its right or left end. How far sideways of a front the place then is changes sign where
a wheel leads straight to it: every five degrees are looked at, and between two of them the angle is halved in on.
Amounts are rounded to thousandths, as players write them.
"""

import math
from typing import Any

import numpy as np

from .angles import sin_cos
from .compiling import entry, inner
from .quads import leaves
from .turning import around

STEPS, WIDE = 24, 5.0
"""So many steps to either side, each of so many degrees."""
HALVES = 40
SPLIT = 134217729.0
"""2 ** 27 + 1: it splits a number into two halves whose products are exact."""

_sin_cos = inner("f")(sin_cos)


@inner("f")
def _rounded(value: float) -> float:
    """To three decimals, to the even one of two that are equally near, as exactly as Python's `round` does."""
    size = abs(value)
    high = size * 1000.0
    part = SPLIT * size
    half = part - (part - size)
    low = half * 1000.0 - high + (size - half) * 1000.0  # size * 1000 is exactly high + low
    whole = np.floor(high)
    beyond = high - whole - 0.5
    if beyond == 0.0:
        beyond = low
    if beyond > 0.0 or (beyond == 0.0 and whole % 2.0 != 0.0):
        whole += 1.0
    return math.copysign(whole / 1000.0, value)


@inner("ff")
def _turn_between(start: float, end: float) -> float:
    turn = end - start
    turn -= 360.0 * np.floor(turn / 360.0)
    if turn >= 360.0:
        turn = 0.0
    return turn - 360.0 if turn > 180.0 else turn


@inner("fffff")
def _wheeled(x: float, y: float, facing: float, wide: float, degrees: float) -> Any:
    """The middle of a front edge after a wheel."""
    s, c = _sin_cos(facing)
    right = wide / 2 if degrees > 0 else -wide / 2
    px, py = x + right * c + 0.0 * s, y + 0.0 * c - right * s
    s, c = _sin_cos(degrees)
    dx, dy = x - px, y - py
    return px + (dx * c + dy * s), py + (dy * c - dx * s), facing + degrees


@inner("ffffffbff")
def _left(
    x: float, y: float, facing: float, wide: float, to_x: float, to_y: float, wished: bool, wish: float, first: float
) -> Any:
    """After a first wheel: how far sideways and ahead the place for the second wheel is, and that wheel."""
    if first != 0.0:
        x, y, facing = _wheeled(x, y, facing, wide, _rounded(first))
    second = _turn_between(facing, wish) if wished else 0.0
    if second != 0.0:
        px, py, _ = _wheeled(0.0, 0.0, facing, wide, _rounded(second))
        to_x, to_y = to_x - px, to_y - py
    s, c = _sin_cos(facing)
    dx, dy = to_x - x, to_y - y
    return dx * c - dy * s, dx * s + dy * c, second


@entry("ffffffbf")
def wheels_to(
    x: float, y: float, facing: float, wide: float, to_x: float, to_y: float, wished: bool, wish: float
) -> Any:
    """Every first wheel that leads there, how far ahead the place then is, and the second wheel."""
    found = np.empty((2 * STEPS, 3))
    count = 0
    across, _, second = _left(x, y, facing, wide, to_x, to_y, wished, wish, -STEPS * WIDE)
    for k in range(-STEPS, STEPS):
        before, turn = across, second
        across, _, second = _left(x, y, facing, wide, to_x, to_y, wished, wish, (k + 1) * WIDE)
        if before == 0.0 or before * across > 0.0 or abs(turn - second) > 90.0:
            continue
        low, high = k * WIDE, (k + 1) * WIDE
        sign = before > 0.0
        for _ in range(HALVES):
            middle = (low + high) / 2
            if (_left(x, y, facing, wide, to_x, to_y, wished, wish, middle)[0] > 0.0) == sign:
                low = middle
            else:
                high = middle
        _, on, last = _left(x, y, facing, wide, to_x, to_y, wished, wish, low)
        if on >= -0.002:
            found[count, 0] = low
            found[count, 1] = on
            found[count, 2] = last
            count += 1
    return found[:count]


@inner("Afff")
def _standing(parts: Any, x: float, y: float, facing: float) -> Any:
    """The corners of rectangles behind a front edge: how far right and ahead the middle of each is, width and depth."""
    s, c = _sin_cos(facing)
    corners = np.empty((len(parts), 8))
    for k in range(len(parts)):
        right, ahead = parts[k, 0], parts[k, 1]
        at_x, at_y = x + right * c + ahead * s, y + ahead * c - right * s
        w, d = parts[k, 2] / 2, parts[k, 3] / 2
        wc, ws, dc, ds = w * c, w * s, d * c, d * s
        corners[k, 0], corners[k, 1] = ds - wc + at_x, dc + ws + at_y
        corners[k, 2], corners[k, 3] = wc + ds + at_x, dc - ws + at_y
        corners[k, 4], corners[k, 5] = wc - ds + at_x, at_y - (dc + ws)
        corners[k, 6], corners[k, 7] = at_x - (wc + ds), ws - dc + at_y
    return corners


@entry("AibAAAVIffffffffff")
def next_wheel(
    stack: Any, count: int, again: bool, parts: Any, rings: Any, middles: Any, clearances: Any, stops: Any, x: float,
    y: float, facing: float, px: float, py: float, sign: float, wide: float, limit: float, reach: float, fine: float,
) -> Any:  # fmt: skip
    """The next wheel about a corner, to the side of its sign, after which those quadrilaterals leave something of the
    way straight on that the limit allows (`spans.free_values`, `quads.leaves`). `stack` holds the stretches of degrees
    that are left to look at, `count` of them; `again`: the wheel found last is not to be found again."""
    more = np.empty((1, 2))
    resolution = 2.0 * fine / reach * 180.0 / math.pi
    while count:
        low, high = stack[count - 1, 0], stack[count - 1, 1]
        middle = (low + high) / 2
        s, c = _sin_cos(sign * middle)
        dx, dy = x - px, y - py
        to = facing + sign * middle
        corners = _standing(parts, px + (dx * c + dy * s), py + (dy * c - dx * s), to)
        ux, uy = _sin_cos(to)
        if not again:
            spent = wide * abs(_rounded(sign * middle)) * math.pi / 180.0
            more[0, 0], more[0, 1] = max(0.0, limit - spent) + fine, np.inf
            if leaves(corners, rings, middles, clearances, stops, ux, uy, 0.0, fine, more, limit):
                return middle, count
        again = False
        count -= 1
        half = (high - low) / 2
        if high - low <= resolution:
            continue
        shift = half * math.pi / 180.0 * reach
        spent = wide * abs(_rounded(sign * max(0.0, middle - half))) * math.pi / 180.0
        more[0, 0], more[0, 1] = max(0.0, limit - spent) + fine + shift, np.inf
        if leaves(corners, rings, middles, clearances, stops, ux, uy, shift, fine, more, limit):
            stack[count, 0], stack[count, 1] = middle, high
            stack[count + 1, 0], stack[count + 1, 1] = low, middle
            count += 2
    return 0.0, 0


@inner("AAVIffff")
def _widest(
    corners: Any, rings: Any, clearances: Any, stops: Any, px: float, py: float, most: float, sign: float
) -> float:
    """How far a body may turn about a corner, to the side of a sign, before it comes to what stops it, in degrees."""
    for i in range(len(corners)):
        body = corners[i].reshape(4, 2)
        for k in range(len(rings)):
            if not stops[k]:
                continue
            low, high = (0.0, most) if sign > 0.0 else (-most, 0.0)
            bars = around(body, px, py, rings[k].reshape(4, 2), clearances[k], low, high)
            if len(bars):
                start = bars[0, 0] if sign > 0.0 else -bars[len(bars) - 1, 1]
                most = min(most, max(0.0, start))
    return most


@entry("AiAAAVVIfff")
def next_first(
    firsts: Any, index: int, parts: Any, rings: Any, middles: Any, clearances: Any, among: Any, stops: Any, wide: float,
    deep: float, fine: float,
) -> int:  # fmt: skip
    """The next of these places (middle of a front edge, facing, inches left) from which a way straight on, or after a
    wheel, may lead clear of those quadrilaterals; as many as there are where none does. Straight on, they are kept off
    by so much as is said `among` them."""
    across = math.sqrt(wide * wide + deep * deep)
    some, centres = np.empty(rings.shape), np.empty(middles.shape)
    keeps, lesser, held = np.empty(len(rings)), np.empty(len(rings)), np.empty(len(rings), dtype=np.int64)
    nothing, stack, widths = np.empty((0, 2)), np.empty((64, 2)), np.empty(len(rings))
    for i in range(index, len(firsts)):
        x, y, facing, left = firsts[i, 0], firsts[i, 1], firsts[i, 2], firsts[i, 3]
        s, c = _sin_cos(facing)
        mx, my = x - deep / 2 * s, y - deep / 2 * c
        count = 0
        for k in range(len(rings)):  # those that what is left can come to
            reach = 0.0
            for j in range(4):
                dx, dy = rings[k, 2 * j] - middles[k, 0], rings[k, 2 * j + 1] - middles[k, 1]
                reach = max(reach, dx * dx + dy * dy)
            far = left * across / wide + clearances[k] + across / 2 + math.sqrt(reach) + fine
            dx, dy = middles[k, 0] - mx, middles[k, 1] - my
            if dx * dx + dy * dy <= far * far:
                some[count], centres[count] = rings[k], middles[k]
                keeps[count], lesser[count], held[count] = clearances[k], among[k], stops[k]
                widths[count] = max(0.0, clearances[k] - fine)
                count += 1
        corners = _standing(parts, x, y, facing)
        if leaves(corners, some[:count], centres[:count], lesser[:count], held[:count], s, c, 0.0, fine, nothing, left):
            return i
        for side in range(2):
            sign = 1.0 if side == 0 else -1.0
            px, py = x + sign * wide / 2 * c, y - sign * wide / 2 * s
            most = min(90.0, left / wide * 180.0 / math.pi)
            stack[0, 0] = 0.0
            stack[0, 1] = _widest(corners, some[:count], widths[:count], held[:count], px, py, most, sign)
            _, more = next_wheel(
                stack, 1, False, parts, some[:count], centres[:count], keeps[:count], held[:count], x, y, facing, px,
                py, sign, wide, left, across + left, fine,
            )  # fmt: skip
            if more:
                return i
    return len(firsts)
