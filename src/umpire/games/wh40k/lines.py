"""Lines between models: what they all pass over, what any of them passes over, what stands in the way of sight."""

from __future__ import annotations

import math
from collections.abc import Sequence

from umpire.games.wh40k.state import Feature, Model, Point, State, Unit
from umpire.miniatures.loose.bodies import base, half_length, is_round
from umpire.space.angles import sin_cos
from umpire.space.packs import Pack, pack
from umpire.space.plain import clip, clip_circle, overlapping, point_polygon, point_segment
from umpire.space.shapes import TOLERANCE, Base, Prism, circle_about, convex_hull
from umpire.space.sight import visible

SKY = 1000.0
RING = tuple(sin_cos(11.25 * k) for k in range(32))


def outline(model: Model) -> list[Point]:
    """Points about a base, close enough together for lines a millimetre thick."""
    if is_round(model):
        return [(model.x + model.r * s, model.y + model.r * c) for s, c in RING]
    s, c = sin_cos(model.facing)
    corners = [(1, 1), (1, -1), (-1, -1), (-1, 1)] if model.hull else RING
    length = half_length(model) if model.hull else model.r
    out = []
    for ox, oy in corners:
        across, along = ox * model.q, oy * length
        out.append((model.x + across * c + along * s, model.y + along * c - across * s))
    return out


def any_line_over(points: Sequence[Point], a: Model, b: Model) -> bool:
    """Does at least one line between two bases pass over a footprint: does it meet the area that the lines sweep?"""
    if clip(points, a.x, a.y, b.x, b.y) is not None:
        return True
    if is_round(a) and is_round(b):
        if point_polygon(points, a.x, a.y) < a.r - TOLERANCE or point_polygon(points, b.x, b.y) < b.r - TOLERANCE:
            return True
        dx, dy = b.x - a.x, b.y - a.y
        whole = math.sqrt(dx * dx + dy * dy)
        if whole <= abs(a.r - b.r) + TOLERANCE:
            return False
        # The outer tangents of the two circles bound what the lines sweep.
        along = (a.r - b.r) / whole
        across = math.sqrt(1.0 - along * along)
        ux, uy = dx / whole, dy / whole
        left, right = (
            (ux * along - uy * across, uy * along + ux * across),
            (
                ux * along + uy * across,
                uy * along - ux * across,
            ),
        )
        swept = (
            (a.x + a.r * left[0], a.y + a.r * left[1]),
            (a.x + a.r * right[0], a.y + a.r * right[1]),
            (b.x + b.r * right[0], b.y + b.r * right[1]),
            (b.x + b.r * left[0], b.y + b.r * left[1]),
        )
        return overlapping(swept, points)
    return overlapping(convex_hull([*outline(a), *outline(b)]), points)


def feature_on_line(feature: Feature, a: Model, b: Model) -> bool:
    """Might lines between two models pass over a feature at all?"""
    reach = feature.r + max(a.r, b.r)
    return point_segment(feature.x, feature.y, a.x, a.y, b.x, b.y) < reach * reach


def every_line_over(features: Sequence[Feature], a: Model, b: Model) -> bool:
    """Does every line between two models pass over one of some footprints, at whatever height?"""
    near = [f for f in features if feature_on_line(f, a, b)]
    if not near:
        return False
    dx, dy = b.x - a.x, b.y - a.y
    whole = math.sqrt(dx * dx + dy * dy) or 1.0
    nx, ny = -dy / whole * 0.98, dx / whole * 0.98
    for p, q in ((0.0, 0.0), (a.q, b.q), (-a.q, -b.q), (a.q, -b.q), (-a.q, b.q)):
        line = (a.x + nx * p, a.y + ny * p, b.x + nx * q, b.y + ny * q)
        if all(clip(f.points, *line) is None for f in near):
            return False
    walls = [Prism(f.points, -SKY, SKY) for f in near]
    return not visible(base(a, a.height), base(b, b.height), walls)


class Between:
    """What may hide models of one unit from those of another, and what has been found out about it.

    Models are frozen, so the same tuples of them stand where they stood: what was seen then is seen now, in a fork too.
    """

    def __init__(self, state: State, one: Unit, two: Unit, others: list[Unit]) -> None:
        self.kept = (state.terrain, one.models, two.models, *(unit.models for unit in others))
        """Held, so that no other tuple takes the place of one of these while this is remembered."""
        self.reaches: dict[str, tuple[float, float]] = {}
        """By model how far the nearest one is that it sees, and how far it was looked for."""
        low = min([m.z + m.height for m in one.models + two.models], default=0.0)
        width = max(one.cr, two.cr)
        self.pack: Pack | None = None
        self.parts: list[Prism] = []
        for feature in state.terrain:
            if feature.unit and feature.unit in (one.id, two.id):
                continue
            if feature.category == "area" and not state.applies("wh40k.terrain.area.visibility"):
                continue
            if feature.category == "obstacle" and not state.applies("wh40k.terrain.obstacle.visibility"):
                continue
            reach = feature.r + width
            if point_segment(feature.x, feature.y, one.cx, one.cy, two.cx, two.cy) < reach * reach:
                self.parts += [
                    Prism(p.points, p.floor, p.top) for p in feature.parts if p.kind == "floor" or p.top > low
                ]
        self.bodies = [m for unit in others for m in unit.models if m.z + m.height > low]
        self.own = any(unit is one for unit in others)
        self.rounds = [(part, *circle_about(part.points)) for part in self.parts]

    @property
    def nothing(self) -> bool:
        return not self.parts and not self.bodies

    def sees(self, a: Model, b: Model) -> bool:
        """wh40k.shoot.true-line-of-sight: any part of one from any part of the other."""
        if self.nothing:
            return True
        za, zb = a.z + a.height, b.z + b.height
        low, high = (za, zb) if za < zb else (zb, za)
        low_floor = a.z if a.z < b.z else b.z
        wide = max(a.r, b.r)
        parts = [
            part
            for part, x, y, r in self.rounds
            if part.top > low
            and part.floor < high
            and point_segment(x, y, a.x, a.y, b.x, b.y) < (r + wide) * (r + wide)
        ]
        bodies = [
            m
            for m in self.bodies
            if m.z + m.height > low and point_segment(m.x, m.y, a.x, a.y, b.x, b.y) < (m.r + wide) * (m.r + wide)
        ]
        if not self.own and not parts and not bodies:
            return True
        if self._clear(parts, bodies, a.x, a.y, za, b.x, b.y, zb):
            return True
        dx, dy = b.x - a.x, b.y - a.y
        whole = math.sqrt(dx * dx + dy * dy)
        if whole > 0.0:  # the lines along either flank settle most of what the one between the middles does not
            nx, ny = -dy / whole * 0.98, dx / whole * 0.98
            for p, q in ((a.q, b.q), (-a.q, -b.q), (a.q, -b.q), (-a.q, b.q)):
                if self._clear(parts, bodies, a.x + nx * p, a.y + ny * p, za, b.x + nx * q, b.y + ny * q, zb):
                    return True
        if any(_shuts_off(part, a, b, low_floor, high) for part in parts):
            return False
        if self.own:
            others = [base(m, m.height) for m in self.bodies if m is not a]
            return visible(base(a, a.height), base(b, b.height), [*self.parts, *others])
        if self.pack is None:
            blockers: list[Base | Prism] = [*self.parts, *(base(m, m.height) for m in self.bodies)]
            self.pack = pack(blockers)
        return visible(base(a, a.height), base(b, b.height), self.pack)

    def _clear(
        self, parts: list[Prism], bodies: list[Model], ax: float, ay: float, za: float, bx: float, by: float, zb: float
    ) -> bool:
        """Is the line over the heads free? Bodies are taken as round and as wide as they are long."""
        if self.own:
            return False
        for part in parts:
            span = clip(part.points, ax, ay, bx, by)
            if span is not None:
                z0, z1 = za + (zb - za) * span[0], za + (zb - za) * span[1]
                if min(z0, z1) < part.top - TOLERANCE and max(z0, z1) > part.floor + TOLERANCE:
                    return False
        for m in bodies:
            span = clip_circle(m.x, m.y, m.r, ax, ay, bx, by)
            if span is not None and min(za + (zb - za) * span[0], za + (zb - za) * span[1]) < m.z + m.height:
                return False
        return True


def _shuts_off(wall: Prism, a: Model, b: Model, low: float, high: float) -> bool:
    """Does one wall that is tall enough for every line between two models cross all of them? It does if it meets both
    outer tangents and what lies between these two places parts the models. A no proves nothing."""
    if wall.floor > low + TOLERANCE or wall.top < high or not (is_round(a) and is_round(b)):
        return False
    dx, dy = b.x - a.x, b.y - a.y
    square = dx * dx + dy * dy
    sum_of_radii = a.r + b.r
    if square <= sum_of_radii * sum_of_radii:
        return False
    whole = math.sqrt(square)
    ux, uy = dx / whole, dy / whole
    along = (a.r - b.r) / whole
    across = math.sqrt(1.0 - along * along)
    met: list[Point] = []
    for side in (across, -across):
        nx, ny = ux * along - uy * side, uy * along + ux * side
        ax, ay, bx, by = a.x + a.r * nx, a.y + a.r * ny, b.x + b.r * nx, b.y + b.r * ny
        span = clip(wall.points, ax, ay, bx, by)
        if span is None:
            return False
        t = (span[0] + span[1]) / 2
        met.append((ax + (bx - ax) * t, ay + (by - ay) * t))
    (px, py), (qx, qy) = met
    ex, ey = qx - px, qy - py
    length = math.sqrt(ex * ex + ey * ey)
    from_a, from_b = ex * (a.y - py) - ey * (a.x - px), ex * (b.y - py) - ey * (b.x - px)
    return from_a * from_b < 0.0 and abs(from_a) >= a.r * length and abs(from_b) >= b.r * length


_FOUND: dict[tuple[int, ...], Between] = {}
KEPT = 1024


def between(state: State, one: Unit, two: Unit) -> Between:
    """What stands between two units; remembered as long as nobody who matters has moved."""
    width = max(one.cr, two.cr)
    others = []
    for unit in state.units.values():
        own = unit is one and state.applies("wh40k.shoot.los-ignore-own-unit")
        if unit.where == "table" and not own and unit is not two:
            reach = unit.cr + width
            if point_segment(unit.cx, unit.cy, one.cx, one.cy, two.cx, two.cy) < reach * reach:
                others.append(unit)
    key = (id(state.terrain), id(one.models), id(two.models), *(id(unit.models) for unit in others))
    found = _FOUND.get(key)
    if found is None:
        if len(_FOUND) >= KEPT:
            _FOUND.clear()
        found = _FOUND[key] = Between(state, one, two, others)
    return found
