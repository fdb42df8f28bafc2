"""A round base against one convex prism takes a short cut; it must measure what the kernel measures."""

from __future__ import annotations

import math

from umpire.engine.rng import Rng
from umpire.space.measure import separation
from umpire.space.packs import kernel, pack
from umpire.space.shapes import Base, Prism, Round


def test_the_short_cut_agrees_with_the_kernel() -> None:
    rng = Rng(3)
    for _ in range(400):
        turn, w, d = rng.uniform(0, 6), rng.uniform(0.1, 4), rng.uniform(0.1, 4)
        corners = [(w, d), (-w, d), (-w, -d), (w, -d)]
        if rng.below(2):
            corners.reverse()
        c, s = math.cos(turn), math.sin(turn)
        points = tuple((x * c - y * s, x * s + y * c) for x, y in corners)
        base = Base(Round(rng.uniform(0, 2)), rng.uniform(-5, 5), rng.uniform(-5, 5))
        prism = Prism(points, 0, 1)
        p, q = pack((base,)), pack((prism,))
        exact = kernel().nearest(p.rows, p.verts, q.rows, q.verts)[0]
        assert math.isclose(separation(base, prism), exact, abs_tol=1e-6)
