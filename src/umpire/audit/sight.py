"""Who can be seen, by dense rays: a plain net of straight lines between two prisms, against everything solid.

A net can miss a slit; so what stands in the way is taken a little smaller than it is, and only who is hidden behind
that from every point of the net is said to be hidden.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

Point3 = tuple[float, float, float]
Solid = tuple[Any, float, float]
"""A polygon, its floor and its top."""
SOLID = ("wall", "platform", "building", "tower", "closed-door", "body", "floor")
SMALLER = 0.03
LEVELS = (0.0, 0.5, 1.0)
ROUND = 16


def points(piece: dict[str, Any]) -> list[Point3]:
    """A net of points over a model: its middle and its rim, low, half way up and high."""
    shape = piece["shape"]
    w, d = shape["width"] / 2, (shape["depth"] or shape["width"]) / 2
    turn = math.radians(piece.get("facing", 0.0))
    sin, cos = math.sin(turn), math.cos(turn)
    flat = [(0.0, 0.0)]
    for k in range(ROUND):
        angle = 2 * math.pi * k / ROUND
        x, y = math.cos(angle), math.sin(angle)
        if shape["kind"] == "rect":
            most = max(abs(x), abs(y))
            x, y = x / most, y / most
        flat.append((x * w, y * d))
    return [
        (piece["x"] + x * cos + y * sin, piece["y"] - x * sin + y * cos, piece.get("z", 0.0) + piece["height"] * level)
        for level in LEVELS
        for x, y in flat
    ]


def solids(terrain: Iterable[dict[str, Any]], kinds: Sequence[str] = SOLID) -> list[Solid]:
    """What no line passes: polygons a little smaller than they are, with floor and top."""
    from shapely import Polygon

    found = []
    for piece in terrain:
        for block in piece["blocks"]:
            shape = Polygon(block["points"]).buffer(-SMALLER)
            if block["kind"] in kinds and not shape.is_empty and block["top"] - block["z"] > 2 * SMALLER:
                found.append((shape, block["z"] + SMALLER, block["top"] - SMALLER))
    return found


def passes(a: Point3, b: Point3, solid: Sequence[Solid]) -> bool:
    """Does a straight line pass everything solid?"""
    from shapely import LineString

    line = LineString([a[:2], b[:2]])
    length = line.length
    for shape, floor, top in solid:
        shared = line.intersection(shape)
        if shared.is_empty:
            continue
        for part in getattr(shared, "geoms", [shared]):
            along = [math.dist(a[:2], corner) / length if length else 0.0 for corner in part.coords]
            heights = [a[2] + (b[2] - a[2]) * t for t in along]
            if min(heights) < top and max(heights) > floor:
                return False
    return True


def sees(one: dict[str, Any], other: dict[str, Any], solid: Sequence[Solid]) -> bool:
    """Can any point of the net on one model be joined with any on the other?"""
    if not solid:
        return True
    ends = points(other)
    return any(passes(a, b, solid) for a in points(one) for b in ends)


def any_sees(ones: list[dict[str, Any]], others: list[dict[str, Any]], solid: Sequence[Solid]) -> bool:
    """Does any model of a unit see any of another? Those that stand nearest are looked at first."""
    from shapely import LineString

    pairs = sorted(
        ((one, other) for one in ones for other in others),
        key=lambda pair: math.dist((pair[0]["x"], pair[0]["y"]), (pair[1]["x"], pair[1]["y"])),
    )
    for one, other in pairs:
        reach = one["shape"]["width"] + other["shape"]["width"] + one["shape"]["depth"] + other["shape"]["depth"]
        way = LineString([(one["x"], one["y"]), (other["x"], other["y"])]).buffer(reach)
        near = [entry for entry in solid if entry[0].intersects(way)]
        if sees(one, other, near):
            return True
    return False
