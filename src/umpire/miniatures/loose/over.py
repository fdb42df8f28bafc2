"""Bodies over ground: what of it they cover, where they stand over it on a straight way, how high that leads them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from umpire.miniatures.loose.bodies import Body, base, half_length
from umpire.space.angles import sin_cos
from umpire.space.measure import separation
from umpire.space.plain import Point, clip, point_polygon, sweep_over
from umpire.space.shapes import TOLERANCE, Prism, convex_hull


def covers(body: Body, points: Sequence[Point]) -> bool:
    """Does a body cover ground of a convex polygon? Touching is not covering."""
    if point_polygon(points, body.x, body.y) >= body.r - TOLERANCE:
        return False
    return body.r == body.q or separation(base(body), Prism(tuple(points))) < -TOLERANCE


def swept(
    body: Body, points: Sequence[Point], ax: float, ay: float, bx: float, by: float
) -> tuple[float, float] | None:
    """Between which parts of a straight move a body stands over a convex polygon."""
    r, q = body.r, body.q
    if r == q:
        return sweep_over(points, r, ax, ay, bx, by)
    s, c = sin_cos(body.facing)
    if body.hull:
        w, d = q, half_length(body)
        corners = [(ox * c + oy * s, oy * c - ox * s) for ox, oy in ((-w, -d), (w, -d), (w, d), (-w, d))]
        return clip(convex_hull([(px - ox, py - oy) for px, py in points for ox, oy in corners]), ax, ay, bx, by)
    squeeze = q / r

    def squeezed(x: float, y: float) -> Point:
        """A plane in which the oval is a circle: turned its way and pressed together along its length."""
        return x * c - y * s, (x * s + y * c) * squeeze

    return sweep_over([squeezed(x, y) for x, y in points], q, *squeezed(ax, ay), *squeezed(bx, by))


def heights(spans: Sequence[tuple[float, float, float]], cruise: float, az: float, bz: float) -> list[float]:
    """How high a way leads from one height to another that keeps to a third wherever nothing stands in it; `spans` are
    between which parts of the way something stands in it, and how high that is."""
    marks = sorted({0.0, 1.0, *(s[0] for s in spans), *(s[1] for s in spans)})
    found = [az]
    for t0, t1 in pairwise(marks):
        middle = (t0 + t1) / 2
        found.append(max([top for s0, s1, top in spans if s0 <= middle <= s1], default=cruise))
    return [*found, bz]


def ups_and_downs(found: Sequence[float]) -> float:
    """All that a way goes up and down."""
    total = 0.0
    for before, after in pairwise(found):
        total += abs(after - before)
    return total
