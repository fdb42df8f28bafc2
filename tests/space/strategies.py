"""Random shapes, and the same shapes in Shapely."""

import math

import shapely
from hypothesis import strategies as st
from shapely import affinity
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry.base import BaseGeometry

from umpire import space as sp

Ring = tuple[tuple[float, float], ...]
COARSE = 1e-4
"""How far a Shapely oval or circle of 4 × 256 sides, at most 4 inches large, lies from the true one."""

lengths = st.one_of(st.floats(0.2, 4.0), st.sampled_from([0.5, 1.0, sp.mm(25), sp.mm(32), sp.mm(60), sp.mm(160) / 2]))
places = st.one_of(st.floats(-6.0, 6.0), st.integers(-6, 6).map(float))
facings = st.one_of(st.floats(0.0, 360.0), st.sampled_from([0.0, 45.0, 90.0, 180.0, 270.0]))
hulls = st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=3, max_size=7).map(sp.convex_hull)
solid_hulls = hulls.filter(lambda h: len(h) >= 3 and shapely.Polygon(h).area > 0.05)

rounds = st.builds(sp.Round, lengths)
ovals = st.builds(sp.Oval, lengths, lengths)
rects = st.builds(sp.Rect, lengths, lengths)
shapes = st.one_of(rounds, ovals, rects, st.builds(sp.Hull, solid_hulls))
bases = st.builds(sp.Base, shapes, places, places, st.just(0.0), facings, st.just(1.0))
rect_bases = st.builds(sp.Base, rects, places, places, st.just(0.0), facings, st.just(1.0))


def box(x0: float, y0: float, x1: float, y1: float, floor: float = 0.0, top: float = 0.0) -> sp.Prism:
    """An upright prism from one corner to the opposite one."""
    return sp.Prism(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), floor, top)


def wheel(base: sp.Base, degrees: float) -> sp.Turn:
    """A turn about the front corner on the side turned to."""
    left, right, _, _ = sp.corners(base)
    return sp.Turn(*(right if degrees > 0 else left), degrees)


def clear(base: sp.Base, others: list[sp.Base], gap: float) -> bool:
    return all(sp.distance(base, other) >= gap for other in others)


def turned(ring: Ring, degrees: float) -> Ring:
    """A polygon turned clockwise about the origin."""
    return tuple(sp.rotate(x, y, degrees) for x, y in ring)


def shapely_of(thing: sp.Thing) -> BaseGeometry:
    if isinstance(thing, sp.Prism):
        return shapely.Polygon(thing.points)
    shape = thing.shape
    if isinstance(shape, sp.Round):
        return ShapelyPoint(thing.x, thing.y).buffer(shape.radius, 256)
    if isinstance(shape, sp.Oval):
        body: BaseGeometry = affinity.scale(ShapelyPoint(0, 0).buffer(1, 256), shape.rx, shape.ry)
    elif isinstance(shape, sp.Rect):
        body = shapely.box(-shape.width / 2, -shape.depth / 2, shape.width / 2, shape.depth / 2)
    else:
        body = shapely.Polygon(shape.points)
    return affinity.translate(affinity.rotate(body, -thing.facing, origin=(0, 0)), thing.x, thing.y)


def turned_about_origin(base: sp.Base, degrees: float) -> sp.Base:
    x, y = sp.rotate(base.x, base.y, degrees)
    return base.at(x, y, None, base.facing + degrees)


def size(base: sp.Base) -> float:
    return math.hypot(*(b - a for a, b in zip(sp.bounds(base)[:2], sp.bounds(base)[2:], strict=True)))
