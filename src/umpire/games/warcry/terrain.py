"""Terrain: which part of a feature is what, where one can stand, what blocks, where an edge is open.

The rules are looked up per part, never per feature (warcry.terrain.mixed).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from functools import cached_property

import msgspec

from umpire.errors import unknown
from umpire.games.warcry.cards import Feature, Part, Piece
from umpire.games.warcry.content import DEPTH, WIDTH
from umpire.games.warcry.profiles import Names
from umpire.rulebook.deciding import decides
from umpire.space.boxes import Boxes
from umpire.space.floors import Floors
from umpire.space.measure import covers, separation, true_distance
from umpire.space.plates import Side, narrowest, sides
from umpire.space.shapes import TOLERANCE, Base, Point, Prism, Round
from umpire.space.terrain import stairs

Spot = tuple[float, float, float]
FLOOR = "floor"
OPAQUE = ("obstacle", "deadly", "unclimbable", "stairs", "closed-door")
"""What blocks sight: not what is low, nor ladders, archways and open doors."""
OPENINGS = ("arch", "door", "closed-door")
STEPS = ("stairs", "ladder")


class PlacedPart(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A part where it stands. `kind`: obstacle, low, deadly, unclimbable, stairs, ladder, arch, door, closed-door."""

    id: str
    kind: str
    points: tuple[Point, ...]
    floor: float
    top: float
    platform: bool = False
    rise: tuple[float, float, float, float] | None = None
    """Stairs: the middle of the foot and of the head."""
    width: float = 0.0

    def flight(self, gap: float) -> tuple[Spot, Spot]:
        """Foot and head of stairs, for a body whose middle keeps so far from them."""
        assert self.rise is not None
        x0, y0, x1, y1 = self.rise
        length = math.hypot(x1 - x0, y1 - y0)
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        return (x0 - ux * gap, y0 - uy * gap, self.floor), (x1 + ux * 0.05, y1 + uy * 0.05, self.top)

    def thresholds(self, gap: float) -> tuple[Spot, Spot]:
        """Either side of a doorway, straight before its middle, for a body whose middle keeps so far from it."""
        ax, ay, _, _, nx, ny = max(sides(self.points), key=lambda e: math.hypot(e[2] - e[0], e[3] - e[1]))
        mx = math.fsum(p[0] for p in self.points) / len(self.points)
        my = math.fsum(p[1] for p in self.points) / len(self.points)
        half = abs((ax - mx) * nx + (ay - my) * ny) + gap
        return (mx + nx * half, my + ny * half, self.floor), (mx - nx * half, my - ny * half, self.floor)


class PlacedFeature(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    id: str
    piece: str
    name: Names
    x: float
    y: float
    parts: tuple[PlacedPart, ...]
    on: str = ""


class Layout(msgspec.Struct, frozen=True, gc=False):
    """All terrain of a battle; `key` tells one layout from another, so that what is worked out from it is kept."""

    key: str
    features: tuple[PlacedFeature, ...]
    width: float = WIDTH
    depth: float = DEPTH

    def without(self, gone: Sequence[str]) -> Layout:
        return laid([feature for feature in self.features if feature.id not in gone], self.width, self.depth)


def is_low(height: float) -> bool:
    """warcry.terrain.obstacle, warcry.terrain.low: from 1 inch up a part is an obstacle."""
    return height < 1.0 - TOLERANCE


def is_platform(points: Sequence[Point]) -> bool:
    """warcry.terrain.platform: a flat top that holds more than a square of 1 by 1 inch."""
    return narrowest(points) > 1.0 + TOLERANCE


def _turn(x: float, y: float, degrees: float) -> Point:
    a = math.radians(degrees)
    s, c = round(math.sin(a), 12), round(math.cos(a), 12)
    return x * c + y * s, y * c - x * s


def _place(x: float, y: float, feature: Feature) -> Point:
    px, py = _turn(x, y, feature.facing)
    return round(px + feature.x, 4), round(py + feature.y, 4)


def _outline(part: Part) -> tuple[Point, ...]:
    if part.rect is None:
        return part.points
    x, y, w, d = part.rect
    corners = ((-w / 2, -d / 2), (w / 2, -d / 2), (w / 2, d / 2), (-w / 2, d / 2))
    return tuple((px + x, py + y) for px, py in (_turn(cx, cy, part.turned) for cx, cy in corners))


@decides("warcry.terrain.custom", "warcry.terrain.mixed")
def place(piece: Piece, feature: Feature, number: int) -> PlacedFeature:
    """A piece on the table, each of its parts with the kind that the rules give it."""
    key = feature.id or f"t{number}"
    bodies = [(_outline(part), part) for part in piece.parts]
    parts = []
    for n, (outline, part) in enumerate(bodies):
        cx = math.fsum(p[0] for p in outline) / len(outline)
        cy = math.fsum(p[1] for p in outline) / len(outline)
        stands = part.floor == 0.0 or any(
            abs(other.top - part.floor) < TOLERANCE and covers(Prism(shape), cx, cy)
            for shape, other in bodies
            if other is not part
        )
        kind: str = part.kind
        if kind == "body":
            kind = "low" if stands and is_low(part.top - part.floor) else "obstacle"
        points = tuple(_place(px, py, feature) for px, py in outline)
        rise = None
        width = 0.0
        if part.kind == "stairs" and part.rect is not None:
            x, y, width, d = part.rect
            foot, head = _turn(0, -d / 2, part.turned), _turn(0, d / 2, part.turned)
            rise = (*_place(foot[0] + x, foot[1] + y, feature), *_place(head[0] + x, head[1] + y, feature))
        platform = kind == "obstacle" and is_platform(points)
        floor, top = part.floor + feature.z, part.top + feature.z
        parts.append(PlacedPart(f"{key}.{n}", kind, points, floor, top, platform, rise, width))
    return PlacedFeature(key, piece.id, piece.name, feature.x, feature.y, tuple(parts), feature.on)


def layout(features: Sequence[Feature], pieces: dict[str, Piece], width: float = WIDTH, depth: float = DEPTH) -> Layout:
    placed = []
    for n, feature in enumerate(features):
        if feature.piece not in pieces:
            raise unknown("piece", feature.piece, f"terrain[{n}].piece")
        placed.append(place(pieces[feature.piece], feature, n))
    return laid(placed, width, depth)


def laid(placed: Sequence[PlacedFeature], width: float, depth: float) -> Layout:
    key = hashlib.blake2b(msgspec.json.encode((placed, width, depth)), digest_size=8).hexdigest()
    return Layout(key, tuple(placed), width, depth)


class Ground(Floors):
    """What is worked out from a layout once: volumes, platforms and edges, and what the rules make of each part."""

    def __init__(self, layout: Layout, without: Sequence[str] = ()) -> None:
        self.layout = layout
        passable = (
            *(() if "warcry.terrain.low" in without else ("low",)),
            *(("obstacle",) if "warcry.terrain.obstacle" in without else ()),
        )
        self.parts = [part for feature in layout.features for part in feature.parts]
        self.feature_of = {part.id: feature for feature in layout.features for part in feature.parts}
        self.index = {part.id: n for n, part in enumerate(self.parts)}
        flat = "warcry.terrain.platform" in without
        super().__init__(
            [() if part.kind in passable else _prisms(part) for part in self.parts],
            [(part.points, part.top) if part.platform and not flat else None for part in self.parts],
            [n for n, feature in enumerate(layout.features) for _ in feature.parts],
            (layout.width, layout.depth),
        )
        self._stairways: dict[int, tuple[int, ...]] = {}
        self._doorways: dict[int, tuple[int, ...]] = {}
        self._sides: dict[str, list[Side]] = {}

    @cached_property
    def deadly(self) -> list[Prism]:
        return [s for s, n in zip(self.solids, self.owners, strict=True) if self.parts[n].kind == "deadly"]

    @cached_property
    def unclimbable(self) -> list[Prism]:
        return [s for s, n in zip(self.solids, self.owners, strict=True) if self.parts[n].kind == "unclimbable"]

    @cached_property
    def openings(self) -> Boxes:
        return self._boxes_of(lambda kind: kind in OPENINGS)

    @cached_property
    def climbable(self) -> Boxes:
        return self._boxes_of(lambda kind: kind not in OPENINGS and kind != "unclimbable")

    @cached_property
    def steps(self) -> Boxes:
        return self._boxes_of(lambda kind: kind in STEPS)

    @cached_property
    def opaque(self) -> Boxes:
        return self._boxes_of(lambda kind: kind in OPAQUE)

    def _boxes_of(self, wanted: Callable[[str], bool]) -> Boxes:
        """The solid volumes of some kinds of parts, feature by feature."""
        groups: dict[str, list[tuple[int, Prism]]] = {}
        for prism, n in zip(self.solids, self.owners, strict=True):
            if wanted(self.parts[n].kind):
                groups.setdefault(self.feature_of[self.parts[n].id].id, []).append((n, prism))
        return Boxes(groups.values())

    def sides(self, part: PlacedPart) -> list[Side]:
        """The edges of a part, worked out once."""
        found = self._sides.get(part.id)
        if found is None:
            found = self._sides[part.id] = sides(part.points)
        return found

    @decides("warcry.move.overhang", "warcry.move.two-platforms")
    def surface(self, x: float, y: float, z: float) -> str | None:
        """What the centre of a base at this height is on: the floor, a platform's part, or nothing."""
        if abs(z) <= TOLERANCE:
            return FLOOR
        for top in self.plates:
            if abs(top.z - z) <= TOLERANCE and top.holds(x, y):
                return self.parts[top.tag].id
        return None

    def stairway(self, part: int) -> tuple[int, ...]:
        """What does not stop a body on stairs: the stairs, and what their head leads onto."""
        found = self._stairways.get(part)
        if found is None:
            spec = self.parts[part]
            assert spec.rise is not None
            head = Base(Round(0.3), spec.rise[2], spec.rise[3])
            found = (
                part,
                *(
                    n
                    for n, other in enumerate(self.parts)
                    if n != part
                    and other.kind == "obstacle"
                    and other.top <= spec.top + TOLERANCE
                    and separation(head, Prism(other.points)) < -TOLERANCE
                ),
            )
            self._stairways[part] = found
        return found

    def doorway(self, part: int) -> tuple[int, ...]:
        """What does not stop a body in an archway or door: the opening, and what it is set in."""
        found = self._doorways.get(part)
        if found is None:
            opening = Prism(self.parts[part].points)
            found = self._doorways[part] = tuple(
                n for n, other in enumerate(self.parts) if separation(opening, Prism(other.points)) <= TOLERANCE
            )
        return found

    def near_deadly(self, base: Base, limit: float = 1.0) -> bool:
        return any(true_distance(base, prism) <= limit + TOLERANCE for prism in self.deadly)

    def on_unclimbable(self, base: Base) -> bool:
        """Does a body rest on unclimbable terrain?"""
        return any(
            abs(prism.top - base.z) <= TOLERANCE and separation(base, prism) < -TOLERANCE for prism in self.unclimbable
        )


def _prisms(part: PlacedPart) -> tuple[Prism, ...]:
    if part.rise is None:
        return (Prism(part.points, part.floor, part.top),)
    x0, y0, x1, y1 = part.rise
    steps = max(2, math.ceil((part.top - part.floor) / 0.5))
    return stairs((x0, y0), (x1, y1), part.width, part.floor, part.top, steps)


_GROUNDS: dict[str, Ground] = {}


KINDS = ("warcry.terrain.obstacle", "warcry.terrain.low", "warcry.terrain.platform")
"""The rules that say what a part of terrain is to whoever moves."""


def ground_of(layout: Layout, without: Sequence[str] = ()) -> Ground:
    """The ground of a layout; the last few hundred layouts are kept."""
    off = [rule for rule in KINDS if rule in without] if without else ()
    key = f"{layout.key} {off}" if off else layout.key
    found = _GROUNDS.get(key)
    if found is None:
        if len(_GROUNDS) > 300:
            _GROUNDS.clear()
        found = _GROUNDS[key] = Ground(layout, off)
    return found
