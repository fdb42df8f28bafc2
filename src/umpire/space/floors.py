"""Solid volumes on a table, and the level ground on top of some of them: where a round body may stand, what stops it,
where it comes to rest, and where an edge is open."""

import math
from collections.abc import Callable, Sequence
from functools import cached_property

from .boxes import Boxes
from .measure import separation
from .moving import Go
from .packs import Pack, kernel, pack
from .plates import Segment, clips, gaps, holds_disc, level, plate, rim, sides, stays
from .shapes import TOLERANCE, Base, Point, Prism

HAIR = 0.01
Disc = tuple[float, float, float, float, float]
"""A round body: x, y, its radius, from which height to which."""


class Floors:
    """Parts by their numbers: the solid volumes of each, and the outline and height of the level ground on top of it,
    where there is any. `groups` says which parts lie together."""

    def __init__(
        self,
        prisms: Sequence[tuple[Prism, ...]],
        tops: Sequence[tuple[Sequence[Point], float] | None],
        groups: Sequence[int],
        table: tuple[float, float],
    ) -> None:
        self.width, self.depth = table
        self.prisms = prisms
        self.solids = [prism for each in prisms for prism in each]
        self.owners = [n for n, each in enumerate(prisms) for _ in each]
        self.pack = pack(self.solids)
        self.tops = tops
        self.plates = [plate(top[0], top[1], n) for n, top in enumerate(tops) if top is not None]
        self.levels = sorted({0.0, *(plate.z for plate in self.plates)})
        self._groups = groups
        self._without: dict[tuple[int, ...], Pack] = {}

    @cached_property
    def boxes(self) -> Boxes:
        """The solid volumes, each with its part, group by group."""
        groups: dict[int, list[tuple[int, Prism]]] = {}
        for prism, n in zip(self.solids, self.owners, strict=True):
            groups.setdefault(self._groups[n], []).append((n, prism))
        return Boxes(groups.values())

    @cached_property
    def near(self) -> Callable[[float, float, float, float], list[tuple[int, Prism]]]:
        """The solid volumes whose boxes reach into a box, each with its part."""
        return self.boxes.near

    def without(self, parts: tuple[int, ...]) -> Pack:
        """The solid volumes but for those of some parts."""
        if not parts:
            return self.pack
        found = self._without.get(parts)
        if found is None:
            found = pack([s for s, n in zip(self.solids, self.owners, strict=True) if n not in parts])
            self._without[parts] = found
        return found

    # -- where one can stand -------------------------------------------------------------------------------------

    def surfaces(self, x: float, y: float) -> list[float]:
        """The heights on which one can stand over a point, from the floor up."""
        return [0.0, *sorted({top.z for top in self.plates if top.holds(x, y)})]

    def stays_on(self, ax: float, ay: float, bx: float, by: float, z: float) -> bool:
        """Does a point stay on the floor or on level ground of one height all along a straight line?"""
        if abs(z) <= TOLERANCE:
            return True
        return self.stays_until(ax, ay, bx, by, z) >= 1.0 - 1e-6

    def stays_until(self, ax: float, ay: float, bx: float, by: float, z: float) -> float:
        """The part of a straight line along which a point stays on level ground of one height; -1 if none."""
        return stays(level(self.plates, z), ax, ay, bx, by)

    def wholly_on(self, base: Base) -> bool:
        """Is every part of a base on the floor or on level ground of its height?"""
        if abs(base.z) <= TOLERANCE:
            return True
        return holds_disc(level(self.plates, base.z), base.x, base.y, base.shape.radius - TOLERANCE)  # type: ignore[union-attr]

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
        r = base.shape.radius - TOLERANCE  # type: ignore[union-attr]
        return not (r <= base.x <= self.width - r and r <= base.y <= self.depth - r)

    # -- moving --------------------------------------------------------------------------------------------------

    def in_the_way(self, base: Base, leg: Go, parts: tuple[int, ...] = ()) -> bool:
        """Does a straight move pass through anything solid but these parts?"""
        return self._go(base, leg.dx, leg.dy, leg.dz, self.without(parts))[1] >= 0

    def free_part(self, base: Base, dx: float, dy: float) -> float:
        """The part of a straight level move that nothing solid blocks."""
        return self._go(base, dx, dy, 0.0, self.pack)[0]

    def _go(self, base: Base, dx: float, dy: float, dz: float, solid: Pack) -> tuple[float, int]:
        """The first touch of a straight move with packed volumes: its part, and the row hit (-1: none)."""
        z, r = base.z, base.shape.radius  # type: ignore[union-attr]
        found: tuple[float, int] = kernel("sweeping").disc_past(
            base.x, base.y, z, z + base.height, r, dx, dy, dz, solid.rows, solid.verts
        )
        return found

    def ray(self, base: Base, dx: float, dy: float, discs: Sequence[tuple[float, float, float, float, float]]) -> float:
        """The part of a straight level move that is free of solid parts, other round bodies, edges of level ground and
        the table's edge."""
        r = base.shape.radius  # type: ignore[union-attr]
        t = self.free_part(base, dx, dy)
        for at, step, most in ((base.x, dx, self.width - r), (base.y, dy, self.depth - r)):
            if step > 0:
                t = min(t, (most - at) / step)
            elif step < 0:
                t = min(t, (at - r) / -step)
        length = math.hypot(dx, dy)
        if length > 0:
            x, y, z, top = base.x, base.y, base.z, base.top
            ux, uy = dx / length, dy / length
            for fx, fy, fr, low, high in discs:
                ox, oy, gap = fx - x, fy - y, r + fr
                aside = ox * uy - oy * ux
                if -gap < aside < gap and low < top and high > z and (along := ox * ux + oy * uy) > 0:
                    t = min(t, (along - math.sqrt(gap * gap - aside * aside)) / length)
        t = max(0.0, t)
        if base.z > TOLERANCE:
            t = min(t, self.stays_until(base.x, base.y, base.x + dx, base.y + dy, base.z))
        return max(0.0, t - 1e-4)

    def star(self, base: Base, far: float, discs: Sequence[Disc], rays: int) -> tuple[Point, ...]:
        """How far a body can go on its level in every direction, as an outline."""
        points = []
        for k in range(rays):
            dx, dy = far * math.cos(2 * math.pi * k / rays), far * math.sin(2 * math.pi * k / rays)
            t = self.ray(base, dx, dy, discs)
            points.append((round(base.x + t * dx, 3), round(base.y + t * dy, 3)))
        return tuple(points)

    def drop(self, base: Base) -> float:
        """The height at which a body moved straight down comes to rest on something solid or the floor."""
        rest = 0.0
        for prism in self.solids:
            if rest < prism.top <= base.z + TOLERANCE and separation(base, prism) < -TOLERANCE:
                rest = prism.top
        return rest

    # -- edges ---------------------------------------------------------------------------------------------------

    def joined(self, part: int) -> list[int]:
        """The parts whose level ground makes up one with that of this one: at its height and joined to it."""
        first = self.tops[part]
        assert first is not None
        beside = {one.tag: Prism(tuple(self.tops[one.tag][0])) for one in level(self.plates, first[1])}  # type: ignore[index]
        found = [part]
        for one in found:
            found += [
                n for n, shape in beside.items() if n not in found and separation(beside[one], shape) <= TOLERANCE
            ]
        return found

    def rim(self, part: int) -> list[Segment]:
        """The edge of the level ground that a part's top is on."""
        return rim([self.tops[n][0] for n in self.joined(part)])  # type: ignore[index]

    def near_open_edge(self, base: Base, part: int, limit: float) -> bool:
        """Is a body on level ground within reach of a stretch of its edge that is open?"""
        reach = base.shape.radius + limit + TOLERANCE  # type: ignore[union-attr]
        for n in self.joined(part):
            points, z = self.tops[n]  # type: ignore[misc]
            for ax, ay, bx, by, nx, ny in sides(points):
                ux, uy = -ny, nx
                along = (base.x - ax) * ux + (base.y - ay) * uy
                off = abs((base.x - ax) * nx + (base.y - ay) * ny)
                if off > reach:
                    continue
                half = math.sqrt(reach * reach - off * off)
                low, high = max(0.0, along - half), min(math.hypot(bx - ax, by - ay), along + half)
                if low <= high and self._open((ax, ay), (ux, uy), low, high, z):
                    return True
        return False

    def _open(self, start: Point, along: Point, low: float, high: float, z: float) -> bool:
        """Is any stretch of an edge between two of its points open: does it go down beyond, and does nothing stand
        along it? What closes it are intervals; it is open where they leave a gap."""
        (ax, ay), (ux, uy) = start, along
        nx, ny = uy, -ux
        ends = [(ax + ux * t, ay + uy * t) for t in (low, max(high, low + 1e-6))]
        closed: list[tuple[float, float]] = []
        for side in (HAIR, -HAIR):
            (px, py), (qx, qy) = ((x + nx * side, y + ny * side) for x, y in ends)
            if side > 0:
                closed += clips(level(self.plates, z), px, py, qx, qy)
            box = min(px, qx) - HAIR, min(py, qy) - HAIR, max(px, qx) + HAIR, max(py, qy) + HAIR
            walls = (prism for _, prism in self.near(*box) if prism.floor <= z + TOLERANCE < prism.top)
            closed += clips((plate(prism.points) for prism in walls), px, py, qx, qy)
        return bool(gaps(closed))
