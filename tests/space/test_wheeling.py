"""Wheels that lead to a place: amounts are rounded as Python rounds them."""

from __future__ import annotations

import math
import random

from numba import njit

from umpire.space import wheeling


def test_amounts_are_rounded_as_python_rounds_them() -> None:
    inner = wheeling._rounded
    rounded = njit(lambda value: inner(value))
    rng = random.Random(3)
    for _ in range(4000):
        tie = (rng.randrange(-180_000, 180_000) + 0.5) / 1000
        for value in (tie, math.nextafter(tie, 999.0), math.nextafter(tie, -999.0), rng.uniform(-1.0, 1.0), tie / 62.5):
            assert rounded(value) == round(value, 3)
