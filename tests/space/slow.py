"""A second, slow look at the moves of blocks, with Shapely and by trying out: it shares no code with what it checks."""

from __future__ import annotations

import math
from typing import Any

from shapely.geometry import LineString, Point, Polygon
from shapely.ops import unary_union

Frame = tuple[float, float, float, float, float]
"""Middle of the front, heading in degrees (0 up the table, clockwise), width, depth."""


def vectors(degrees: float) -> tuple[float, float, float, float]:
    """Ahead and to the right."""
    a = math.radians(degrees)
    return math.sin(a), math.cos(a), math.cos(a), -math.sin(a)


def corners(f: Frame) -> list[tuple[float, float]]:
    x, y, degrees, w, d = f
    ux, uy, rx, ry = vectors(degrees)
    return [
        (x - rx * w / 2, y - ry * w / 2),
        (x + rx * w / 2, y + ry * w / 2),
        (x + rx * w / 2 - ux * d, y + ry * w / 2 - uy * d),
        (x - rx * w / 2 - ux * d, y - ry * w / 2 - uy * d),
    ]


def polygon(f: Frame) -> Polygon:
    return Polygon(corners(f))


def facing_line(f: Frame, face: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """From left to right as seen from before it."""
    fl, fr, rr, rl = corners(f)
    return {"front": (fr, fl), "right": (rr, fr), "rear": (rl, rr), "left": (fl, rl)}[face]


def wheel(f: Frame, degrees: float) -> Frame:
    """About the right front corner for positive degrees, the left one for negative."""
    x, y, at, w, d = f
    _, _, rx, ry = vectors(at)
    side = 1.0 if degrees > 0 else -1.0
    px, py = x + side * rx * w / 2, y + side * ry * w / 2
    _, _, sx, sy = vectors(at + degrees)
    return px - side * sx * w / 2, py - side * sy * w / 2, at + degrees, w, d


def forward(f: Frame, inches: float) -> Frame:
    ux, uy, _, _ = vectors(f[2])
    return f[0] + ux * inches, f[1] + uy * inches, f[2], f[3], f[4]


def front(f: Frame) -> LineString:
    return LineString(corners(f)[:2])


def swept_straight(f: Frame, inches: float) -> Any:
    a, b = corners(f)[:2]
    c, d = corners(forward(f, inches))[:2]
    return Polygon([a, b, d, c]) if inches > 1e-9 else front(f)


def swept_wheel(f: Frame, degrees: float, steps: int = 48) -> Any:
    """The sector as a fan: a hair smaller than it is."""
    if not degrees:
        return front(f)
    side = 1 if degrees > 0 else 0
    pivot = corners(f)[side]
    points = [corners(wheel(f, degrees * k / steps) if k else f)[1 - side] for k in range(steps + 1)]
    return Polygon([pivot, *points])


def first_meeting(f: Frame, target: Polygon, limit: float = 80.0) -> float | None:
    """How far straight on the front meets a polygon."""
    strip = swept_straight(f, limit)
    shared = strip.intersection(target)
    if shared.is_empty:
        return None
    line = front(f)
    ux, uy, _, _ = vectors(f[2])
    base = line.coords[0]
    points = [p for part in getattr(shared, "geoms", [shared]) for p in _points(part)]
    return float(min((x - base[0]) * ux + (y - base[1]) * uy for x, y in points))


def _points(part: Any) -> list[tuple[float, float]]:
    return list(part.exterior.coords) if part.geom_type == "Polygon" else list(part.coords)


def try_charge(
    f: Frame, target: Frame, face: str, obstacles: list[Polygon], first: float, degrees: float, slack: float = 1e-6
) -> tuple[float, float] | None:
    """Where along the facing (from its left end) this way first meets the target, if it touches nothing else."""
    end, passed = _arrival(f, target, first, degrees, slack)
    if end is None or any(ground.distance(o) <= slack for ground in passed for o in obstacles):
        return None
    return _met(end, target, face)


def try_flight(
    f: Frame, target: Frame, face: str, obstacles: list[Polygon], first: float, degrees: float, slack: float = 0.0
) -> tuple[float, float] | None:
    """The same for a flyer, who may pass over everything but the target, and end on nothing."""
    end, _ = _arrival(f, target, first, degrees, 1e-6)
    if end is None or any(front(end).distance(o) <= slack for o in obstacles):
        return None
    return _met(end, target, face)


def _arrival(f: Frame, target: Frame, first: float, degrees: float, slack: float) -> tuple[Frame | None, list[Any]]:
    """Where straight on, a wheel and straight on again lead to when the front meets the target, and the ground that
    each passes over; nowhere if the target is swept over before."""
    goal = polygon(target)
    after = forward(f, first)
    turned = wheel(after, degrees) if degrees else after
    second = first_meeting(turned, goal)
    before = [swept_straight(f, first), swept_wheel(after, degrees)]
    if second is None or unary_union(before).intersection(goal).area > slack:
        return None, before
    return forward(turned, second), [*before, swept_straight(turned, second)]


def _met(end: Frame, target: Frame, face: str) -> tuple[float, float] | None:
    """Where along a facing a front touches it."""
    (ax, ay), (bx, by) = facing_line(target, face)
    edge, line = LineString([(ax, ay), (bx, by)]), front(end)
    if edge.distance(line) > 1e-5:
        return None
    n = math.dist((ax, ay), (bx, by))
    shared = edge.intersection(line.buffer(2e-5))
    if shared.is_empty:
        return None
    at = [((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / n for x, y in _points(shared)]
    return min(at), max(at)


def gap(a: Polygon, b: Polygon) -> float:
    return float(a.distance(b))


def point(x: float, y: float) -> Point:
    return Point(x, y)
