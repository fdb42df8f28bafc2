"""Angles in degrees: 0 is +y (north), clockwise is positive.

The platform's `sin` and `atan2` differ in the last bit between machines; these use only operations that IEEE 754 rounds
the same everywhere, and are exact at the quarter turns.
"""

import math
from functools import lru_cache

_DEGREE = math.pi / 180.0


def normal(degrees: float) -> float:
    """The same heading in [0, 360)."""
    turned = degrees - 360.0 * math.floor(degrees / 360.0)
    return 0.0 if turned >= 360.0 else turned


def turn_between(start: float, end: float) -> float:
    """The signed turn from one heading to another, in (-180, 180]."""
    turn = normal(end - start)
    return turn - 360.0 if turn > 180.0 else turn


def sin_cos(degrees: float) -> tuple[float, float]:
    """Sine and cosine, the same bits on every machine, and the same for 0 and -0."""
    turned = degrees - 360.0 * math.floor(degrees / 360.0) + 0.0
    quarter = int(turned / 90.0 + 0.5)
    x = (turned - 90.0 * quarter) * _DEGREE
    q = x * x
    sine = 1.0 - q / 156.0 * (1.0 - q / 210.0)
    sine = 1.0 - q / 42.0 * (1.0 - q / 72.0 * (1.0 - q / 110.0 * sine))
    sine = x * (1.0 - q / 6.0 * (1.0 - q / 20.0 * sine))
    cosine = 1.0 - q / 132.0 * (1.0 - q / 182.0)
    cosine = 1.0 - q / 30.0 * (1.0 - q / 56.0 * (1.0 - q / 90.0 * cosine))
    cosine = 1.0 - q / 2.0 * (1.0 - q / 12.0 * cosine)
    quarter &= 3
    if quarter == 0:
        return sine, cosine
    if quarter == 1:
        return cosine, -sine
    if quarter == 2:
        return -sine, -cosine
    return -cosine, sine


turned = lru_cache(maxsize=4096)(sin_cos)
"""The same, remembered: things keep their facing for long."""


def _arctan(x: float) -> float:
    x /= 1.0 + math.sqrt(1.0 + x * x)
    x /= 1.0 + math.sqrt(1.0 + x * x)
    q = x * x
    total = 0.0
    for k in range(27, 0, -2):
        total = 1.0 / k - q * total
    return 4.0 * x * total


def heading(dx: float, dy: float) -> float:
    """The heading of a vector in [0, 360); of the zero vector, 0."""
    if dx == 0.0 and dy == 0.0:
        return 0.0
    if abs(dx) <= abs(dy):
        angle = _arctan(dx / dy) / _DEGREE + (180.0 if dy < 0.0 else 0.0)
    else:
        angle = (90.0 if dx > 0.0 else 270.0) - _arctan(dy / dx) / _DEGREE
    return normal(angle)


def rotate(x: float, y: float, degrees: float) -> tuple[float, float]:
    """Turn a vector clockwise about the origin."""
    s, c = turned(degrees)
    return x * c + y * s, y * c - x * s
