"""Terrain: which part of a feature is what, where one can stand, what blocks, where an edge is open.

The rules are looked up per part, never per feature (warcry.terrain.mixed).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from functools import cached_property
from threading import get_ident

import msgspec
import numpy as np

from umpire.errors import unknown
from umpire.games.warcry.cards import Feature, Part, Piece
from umpire.games.warcry.content import DEPTH, WIDTH
from umpire.games.warcry.profiles import Names
from umpire.rulebook.deciding import decides
from umpire.space.boxes import Boxes
from umpire.space.measure import covers, separation, true_distance
from umpire.space.moving import Go
from umpire.space.packs import Pack, kernel, pack
from umpire.space.plates import Segment, clips, gaps, holds_disc, level, narrowest, plate, rim, sides, stays
from umpire.space.shapes import TOLERANCE, Base, Point, Prism, Round
from umpire.space.terrain import stairs

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
        left = tuple(feature for feature in self.features if feature.id not in gone)
        return Layout(f"{self.key}-{'-'.join(gone)}", left, self.width, self.depth)


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
    key = hashlib.blake2b(msgspec.json.encode((placed, width, depth)), digest_size=8).hexdigest()
    return Layout(key, tuple(placed), width, depth)


class Ground:
    """What is worked out from a layout once: packed volumes for the judge of moves and sight, platforms and edges."""

    def __init__(self, layout: Layout, without: Sequence[str] = ()) -> None:
        self.layout = layout
        passable = (
            *(() if "warcry.terrain.low" in without else ("low",)),
            *(("obstacle",) if "warcry.terrain.obstacle" in without else ()),
        )
        self.parts = [part for feature in layout.features for part in feature.parts]
        self.feature_of = {part.id: feature for feature in layout.features for part in feature.parts}
        self.index = {part.id: n for n, part in enumerate(self.parts)}
        self.prisms = [() if part.kind in passable else _prisms(part) for part in self.parts]
        """The solid volumes of each part."""
        self.solids = [prism for prisms in self.prisms for prism in prisms]
        self.owners = [n for n, prisms in enumerate(self.prisms) for _ in prisms]
        self.pack = pack(self.solids)
        self.plates = [
            plate(p.points, p.top, n)
            for n, p in enumerate(self.parts)
            if p.platform and "warcry.terrain.platform" not in without
        ]
        self.levels = sorted({0.0, *(plate.z for plate in self.plates)})
        self._gaps = np.zeros(len(self.pack.rows))
        self._without: dict[tuple[int, ...], Pack] = {}
        self._stairways: dict[int, tuple[int, ...]] = {}
        self._doorways: dict[int, tuple[int, ...]] = {}
        self._bodies: dict[tuple[float, float, int], Pack] = {}

    @cached_property
    def boxes(self) -> Boxes:
        """The solid volumes, each with its part, feature by feature."""
        groups: dict[str, list[tuple[int, Prism]]] = {}
        for prism, n in zip(self.solids, self.owners, strict=True):
            groups.setdefault(self.feature_of[self.parts[n].id].id, []).append((n, prism))
        return Boxes(groups.values())

    @cached_property
    def near(self) -> Callable[[float, float, float, float], list[tuple[int, Prism]]]:
        """The solid volumes whose boxes reach into a box, each with its part."""
        return self.boxes.near

    @cached_property
    def deadly(self) -> list[Prism]:
        return [s for s, n in zip(self.solids, self.owners, strict=True) if self.parts[n].kind == "deadly"]

    @cached_property
    def unclimbable(self) -> list[Prism]:
        return [s for s, n in zip(self.solids, self.owners, strict=True) if self.parts[n].kind == "unclimbable"]

    def without(self, parts: tuple[int, ...]) -> Pack:
        """The solid volumes but for those of some parts."""
        if not parts:
            return self.pack
        found = self._without.get(parts)
        if found is None:
            found = pack([s for s, n in zip(self.solids, self.owners, strict=True) if n not in parts])
            self._without[parts] = found
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

    def surfaces(self, x: float, y: float) -> list[float]:
        """The heights on which one can stand over a point, from the floor up."""
        return [0.0, *sorted({top.z for top in self.plates if top.holds(x, y)})]

    def stays_on(self, ax: float, ay: float, bx: float, by: float, z: float) -> bool:
        """Does the centre stay on floor or platforms of one height all along a straight line?"""
        if abs(z) <= TOLERANCE:
            return True
        return self.stays_until(ax, ay, bx, by, z) >= 1.0 - 1e-6

    def stays_until(self, ax: float, ay: float, bx: float, by: float, z: float) -> float:
        """The part of a straight line along which the centre stays on platforms of one height; -1 if none."""
        return stays(level(self.plates, z), ax, ay, bx, by)

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

    def blocked(self, base: Base) -> bool:
        """Would a body stand in a solid part?"""
        r = base.shape.radius  # type: ignore[union-attr]
        x0, y0, x1, y1 = base.x - r, base.y - r, base.x + r, base.y + r
        low, high = base.z + TOLERANCE, base.top - TOLERANCE
        for _, prism in self.near(x0, y0, x1, y1):
            if prism.floor < high and prism.top > low and separation(base, prism) < -TOLERANCE:
                return True
        return False

    def off_table(self, base: Base) -> bool:
        assert isinstance(base.shape, Round)
        r = base.shape.radius - TOLERANCE
        lay = self.layout
        return not (r <= base.x <= lay.width - r and r <= base.y <= lay.depth - r)

    def in_the_way(self, base: Base, leg: Go, parts: tuple[int, ...] = ()) -> bool:
        """Does a straight move pass through terrain?"""
        return self._go(base, leg.dx, leg.dy, leg.dz, self.without(parts))[1] >= 0

    def free_part(self, base: Base, dx: float, dy: float) -> float:
        """The part of a straight walk that no terrain blocks."""
        return self._go(base, dx, dy, 0.0, self.pack)[0]

    def _body(self, base: Base) -> Pack:
        """A round base as arrays; a thread uses those of the last one of its size again: making them takes long."""
        r, height = base.shape.radius, base.height  # type: ignore[union-attr]
        mark = (r, height, get_ident())
        own = self._bodies.get(mark)
        if own is None:
            own = self._bodies[mark] = pack((base,))
        k = kernel()
        row = own.rows[0]
        row[k.X], row[k.Y], row[k.Z0], row[k.Z1] = base.x, base.y, base.z, base.z + height
        own.verts[0, 0], own.verts[0, 1] = base.x, base.y
        return own

    def _go(self, base: Base, dx: float, dy: float, dz: float, solid: Pack) -> tuple[float, int]:
        """The first touch of a straight move with packed volumes: its part, and the row hit (-1: none)."""
        x, y, low, high = base.x, base.y, base.z, base.z + base.height
        low, high = (low, high + dz) if dz > 0.0 else (low + dz, high)
        r = base.shape.radius  # type: ignore[union-attr]
        if next(self.boxes.along(x, y, x + dx, y + dy, r, low, high), None) is None:
            return 1.0, -1
        count = len(solid.rows)
        own = self._body(base)
        part, row = kernel("sweeping").go(own.rows, own.verts, dx, dy, dz, solid.rows, solid.verts, self._gaps[:count])
        return float(part), int(row)

    def drop(self, base: Base) -> float:
        """The height at which a body moved straight down comes to rest on terrain or the floor."""
        rest = 0.0
        for prism in self.solids:
            if rest < prism.top <= base.z + TOLERANCE and separation(base, prism) < -TOLERANCE:
                rest = prism.top
        return rest

    def platform(self, part_id: str) -> list[PlacedPart]:
        """The parts whose tops make up one platform with this one: level with it and joined to it."""
        first = self.parts[self.index[part_id]]
        beside = [self.parts[top.tag] for top in level(self.plates, first.top)]
        found = [first]
        for one in found:
            shape = Prism(one.points)
            found += [p for p in beside if p not in found and separation(shape, Prism(p.points)) <= TOLERANCE]
        return found

    def rim(self, part_id: str) -> list[Segment]:
        """The edge of its platform, of all its parts together."""
        return rim([part.points for part in self.platform(part_id)])

    def near_open_edge(self, base: Base, part_id: str, limit: float = 0.5) -> bool:
        """Is a body within reach of a stretch of its platform's edge that is open?"""
        reach = base.shape.radius + limit + TOLERANCE  # type: ignore[union-attr]
        for part in self.platform(part_id):
            for ax, ay, bx, by, nx, ny in sides(part.points):
                ux, uy = -ny, nx
                along = (base.x - ax) * ux + (base.y - ay) * uy
                off = abs((base.x - ax) * nx + (base.y - ay) * ny)
                if off > reach:
                    continue
                half = math.sqrt(reach * reach - off * off)
                low, high = max(0.0, along - half), min(math.hypot(bx - ax, by - ay), along + half)
                if low <= high and self._open((ax, ay), (ux, uy), low, high, part.top):
                    return True
        return False

    def _open(self, start: Point, along: Point, low: float, high: float, z: float) -> bool:
        """Is any stretch of an edge between two of its points open: does it go down beyond, and does nothing stand
        along it? What closes it are intervals; it is open where they leave a gap."""
        hair = 0.01
        (ax, ay), (ux, uy) = start, along
        nx, ny = uy, -ux
        ends = [(ax + ux * t, ay + uy * t) for t in (low, max(high, low + 1e-6))]
        closed: list[tuple[float, float]] = []
        for side in (hair, -hair):
            (px, py), (qx, qy) = ((x + nx * side, y + ny * side) for x, y in ends)
            if side > 0:
                closed += clips(level(self.plates, z), px, py, qx, qy)
            box = min(px, qx) - hair, min(py, qy) - hair, max(px, qx) + hair, max(py, qy) + hair
            walls = (prism for _, prism in self.near(*box) if prism.floor <= z + TOLERANCE < prism.top)
            closed += clips((plate(prism.points) for prism in walls), px, py, qx, qy)
        return bool(gaps(closed))

    def near_deadly(self, base: Base, limit: float = 1.0) -> bool:
        return any(true_distance(base, prism) <= limit + TOLERANCE for prism in self.deadly)

    def on_unclimbable(self, base: Base) -> bool:
        """Does a body rest on unclimbable terrain?"""
        return any(
            abs(prism.top - base.z) <= TOLERANCE and separation(base, prism) < -TOLERANCE for prism in self.unclimbable
        )

    def wholly_on(self, base: Base) -> bool:
        """Is every part of a base on the floor or on platforms of its height?"""
        if abs(base.z) <= TOLERANCE:
            return True
        return holds_disc(level(self.plates, base.z), base.x, base.y, base.shape.radius - TOLERANCE)  # type: ignore[union-attr]


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
