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
