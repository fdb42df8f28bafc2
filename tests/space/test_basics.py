"""Shapes, angles, pictures, and what importing costs."""

import math
import pkgutil
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from umpire import space as sp


@given(st.floats(-1000, 1000))
def test_sines_are_sines(degrees: float) -> None:
    s, c = sp.sin_cos(degrees)
    assert s == pytest.approx(math.sin(math.radians(degrees)), abs=1e-12)
    assert c == pytest.approx(math.cos(math.radians(degrees)), abs=1e-12)


def test_quarter_turns_are_exact() -> None:
    assert [sp.sin_cos(d) for d in (0, 90, 180, 270, -90)] == [(0, 1), (1, 0), (0, -1), (-1, 0), (-1, 0)]


@given(st.floats(0, 359.99), st.floats(0.01, 100))
def test_heading_undoes_rotation(degrees: float, length: float) -> None:
    turned = sp.heading(*sp.rotate(0, length, degrees))
    assert abs(sp.turn_between(degrees, turned)) < 1e-9


def test_clockwise_is_positive() -> None:
    assert sp.rotate(0, 1, 90) == (1, 0)
    assert sp.heading(1, 0) == 90
    assert sp.turn_between(350, 10) == 20
    assert sp.Base(sp.Rect(1, 2), 0, 0, 0, 90).ahead(3).centre == (3, 0)


def test_sizes_as_printed() -> None:
    assert sp.mm(25.4) == pytest.approx(1.0)
    assert sp.snap(1.23456) == 1.235


def test_bases_are_plain_data() -> None:
    base = sp.Base(sp.Oval(1, 2), 3, 4, 5, 60, 2)
    assert msgspec.json.decode(msgspec.json.encode(base), type=sp.Base) == base
    legs = [sp.Go(1, 2), sp.Turn(1, 2, 30)]
    assert msgspec.json.decode(msgspec.json.encode(legs), type=list[sp.Go | sp.Turn]) == legs


def test_a_polygon_that_crosses_itself_is_refused() -> None:
    bow = sp.Prism(((0, 0), (4, 4), (4, 0), (1, 4), (2, -3)), 0, 1)
    with pytest.raises(ValueError, match="crosses itself"):
        sp.distance(sp.dot(0, 0), bow)


def test_importing_costs_no_numba_and_no_numpy() -> None:
    code = "import sys, umpire.space; sys.exit(any(m in sys.modules for m in ('numba', 'numpy', 'shapely')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_public_name_is_there_and_no_module_hides_it() -> None:
    modules = {module.name for module in pkgutil.iter_modules(sp.__path__)}
    for name in sp.__all__:
        assert getattr(sp, name) is not None
        assert name not in modules
    with pytest.raises(AttributeError, match="no attribute"):
        _ = sp.nonsense


def test_the_sum_of_two_convex_polygons_is_the_hull_of_all_sums() -> None:
    from umpire.engine.rng import Rng
    from umpire.space.shapes import minkowski

    rng = Rng(5)

    def polygon() -> tuple[tuple[float, float], ...]:
        return sp.convex_hull([(rng.uniform(-3, 3), rng.uniform(-3, 3)) for _ in range(1 + rng.below(9))])

    for _ in range(200):
        a, b = polygon(), polygon()
        hull = sp.convex_hull([(x + u, y + v) for x, y in a for u, v in b])
        found = minkowski(a, b)
        assert len(found) == len(hull)
        assert all(math.dist(p, q) < 1e-9 for p, q in zip(found, hull, strict=True))
