"""Measuring against hand-worked figures."""

import math

import pytest

from umpire import space as sp


def test_exactly_the_limit_is_within() -> None:
    a, b = sp.Base(sp.Round(0.5)), sp.Base(sp.Round(0.5), 4, 0)
    assert sp.distance(a, b) == 3.0
    assert sp.within(sp.distance(a, b), 3.0)
    assert not sp.within(sp.distance(a, b.moved(0.001, 0)), 3.0)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (sp.Base(sp.Rect(2, 2)), sp.Base(sp.Rect(2, 2), 5, 0), 3.0),
        (sp.Base(sp.Rect(2, 2), 0, 0, 0, 45), sp.Base(sp.Rect(2, 2), 5, 0), 4 - math.sqrt(2)),
        (sp.Base(sp.Oval(1, 2)), sp.Base(sp.Round(1), 0, 5), 2.0),
        (sp.Base(sp.Oval(1, 2), 0, 0, 0, 90), sp.Base(sp.Round(1), 0, 5), 3.0),
        (sp.dot(0, 0), sp.Base(sp.Hull(((3, -1), (3, 1)))), 3.0),
        (sp.Base(sp.Rect(2, 2)), sp.Base(sp.Rect(2, 2), 1, 0), 0.0),
    ],
)
def test_distance(a: sp.Base, b: sp.Base, expected: float) -> None:
    assert sp.distance(a, b) == pytest.approx(expected, abs=1e-9)
    assert sp.distance(b, a) == pytest.approx(expected, abs=1e-9)
