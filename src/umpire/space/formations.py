"""Ranks and files: where each stand is, what the whole looks like from outside, and the arcs round it."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from .angles import rotate
from .measure import separation
from .moving import Leg, carried
from .shapes import Base, Point, Prism, Rect, Shape, Thing, dot, line, world_points

Side = Literal["front", "right", "rear", "left"]
Rear = Literal["centre", "left", "right"]
SIDES: tuple[Side, ...] = ("front", "right", "rear", "left")


class Block(msgspec.Struct, frozen=True):
    """A base inside a formation that is not one of its ordinary stands: its front left place and how many it takes
    up.
    """

    shape: Shape
    file: int
    rank: int = 0
    files: int = 1
    ranks: int = 1


class Formation(msgspec.Struct, frozen=True):
    """Equal rectangular stands in ranks, placed by the middle of the front edge, so that losing ranks leaves it there.

    Blocks (characters, larger bases) take up places; the stands fill what is left, front to rear and left to right;
    stands that do not fill the last rank gather at its centre, left or right.
    """

    stand: Rect
    files: int
    count: int
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    facing: float = 0.0
    height: float = 0.0
    blocks: tuple[Block, ...] = ()
    rear: Rear = "centre"

    def places(self) -> tuple[tuple[float, int], ...]:
        """The file and rank of each ordinary stand; a centred last rank may stand between files."""
        return _places(self.files, self.count, self.blocks, self.rear)

    @property
    def ranks(self) -> int:
        """How many ranks there are, the last one counted even if incomplete."""
        return len(self.rows())

    @property
    def width(self) -> float:
        return self.files * self.stand.width

    @property
    def depth(self) -> float:
        return self.ranks * self.stand.depth

    def spot(self, file: float, rank: float) -> Point:
        """The centre of a place."""
        dx, dy = rotate((file + 0.5) * self.stand.width - self.width / 2, -(rank + 0.5) * self.stand.depth, self.facing)
        return self.x + dx, self.y + dy

    def _base(self, shape: Shape, file: float, rank: float) -> Base:
        x, y = self.spot(file, rank)
        return Base(shape, x, y, self.z, self.facing, self.height)

    def stands(self) -> list[Base]:
        """The ordinary stands, front to rear and left to right."""
        return [self._base(self.stand, file, rank) for file, rank in self.places()]

    def blocks_placed(self) -> list[Base]:
        """The blocks, each at the centre of the places it takes up."""
        return [self._base(b.shape, b.file + (b.files - 1) / 2, b.rank + (b.ranks - 1) / 2) for b in self.blocks]

    def members(self) -> list[Base]:
        """Stands, then blocks."""
        return self.stands() + self.blocks_placed()

    def rect(self) -> Base:
        """The whole as one rectangle, an incomplete last rank counted as full."""
        dx, dy = rotate(0.0, -self.depth / 2, self.facing)
        return Base(Rect(self.width, self.depth), self.x + dx, self.y + dy, self.z, self.facing, self.height)

    def rows(self) -> tuple[tuple[float, float], ...]:
        """For each rank, the first and last file edge that is occupied."""
        return _rows(self.files, self.count, self.blocks, self.rear)

    def bodies(self) -> list[Base]:
        """The outline as rectangles, one for each run of equally wide ranks: what `sweep` moves as one."""
        out: list[Base] = []
        rows = self.rows()
        start = 0
        for rank in range(1, len(rows) + 1):
            if rank < len(rows) and rows[rank] == rows[start]:
                continue
            left, right = rows[start]
            n = rank - start
            shape = Rect((right - left) * self.stand.width, n * self.stand.depth)
            out.append(self._base(shape, (left + right) / 2 - 0.5, start + (n - 1) / 2))
            start = rank
        return out

    def outline(self) -> Prism:
        """The exact outline, an incomplete last rank included."""
        right: list[Point] = []
        left: list[Point] = []
        for rank, (low, high) in enumerate(self.rows()):
            for edge in (rank, rank + 1):
                right.append((high, edge))
                left.append((low, edge))
        ring = right + left[::-1]
        points: list[Point] = []
        for k, place in enumerate(ring):
            before, after = ring[k - 1], ring[(k + 1) % len(ring)]
            straight = (place[0] - before[0]) * (after[1] - place[1]) == (place[1] - before[1]) * (after[0] - place[0])
            if place != before and not straight:
                points.append(self.spot(place[0] - 0.5, place[1] - 0.5))
        return Prism(tuple(points), self.z, self.z + self.height)

    def carried(self, legs: Sequence[Leg]) -> "Formation":
        """The formation after a move."""
        end = carried(Base(self.stand, self.x, self.y, self.z, self.facing), legs)
        return msgspec.structs.replace(self, x=end.x, y=end.y, z=end.z, facing=end.facing)

    @property
    def centre(self) -> Point:
        return self.rect().centre


@lru_cache(maxsize=1024)
def _places(files: int, count: int, blocks: tuple[Block, ...], rear: Rear) -> tuple[tuple[float, int], ...]:
    taken = {(b.file + i, b.rank + j) for b in blocks for i in range(b.files) for j in range(b.ranks)}
    out: list[tuple[float, int]] = []
    rank = 0
    while len(out) < count:
        free = [f for f in range(files) if (f, rank) not in taken]
        left = count - len(out)
        if left >= len(free):
            out += [(float(f), rank) for f in free]
        elif len(free) == files:
            shift = {"left": 0.0, "right": float(files - left), "centre": (files - left) / 2}[rear]
            out += [(shift + k, rank) for k in range(left)]
        else:
            out += [(float(f), rank) for f in free[:left]]
        rank += 1
    return tuple(out)


@lru_cache(maxsize=1024)
def _rows(files: int, count: int, blocks: tuple[Block, ...], rear: Rear) -> tuple[tuple[float, float], ...]:
    spans = [(file, file + 1, rank) for file, rank in _places(files, count, blocks, rear)]
    spans += [(b.file, b.file + b.files, b.rank + j) for b in blocks for j in range(b.ranks)]
    out = [(math.inf, -math.inf)] * (max([rank for _, _, rank in spans], default=-1) + 1)
    for left, right, rank in spans:
        low, high = out[rank]
        out[rank] = (min(low, left), max(high, right))
    return tuple(out)


def corners(base: Base) -> tuple[Point, Point, Point, Point]:
    """Front left, front right, rear right and rear left corner of a rectangle."""
    assert isinstance(base.shape, Rect), "only a rectangle has four corners"
    a, b, c, d = world_points(base)
    return a, b, c, d


def side_of(base: Base, side: Side) -> tuple[Point, Point]:
    """A side of a rectangle, from its left end to its right end as seen from inside looking out."""
    k = SIDES.index(side)
    points = corners(base)
    return points[k], points[(k + 1) % 4]


def side_heading(base: Base, side: Side) -> float:
    """The heading that a side of a base looks to."""
    return (base.facing + 90.0 * SIDES.index(side)) % 360.0


def arc_region(base: Base, side: Side, spread: float = 45.0, reach: float = 500.0) -> Prism:
    """The ground in an arc.

    Of a rectangle it lies outside the side, between lines from its two ends that lean outwards by `spread` degrees: 45
    for corner arcs, 90 for all beyond the line of the side. Of another base it is a wedge of twice the spread about
    its centre.
    """
    look = side_heading(base, side)
    left, right = side_of(base, side) if isinstance(base.shape, Rect) else (base.centre, base.centre)
    ahead = reach if spread >= 90.0 else 0.0
    ring = [left]
    for point, lean in ((left, -spread), (right, spread)):
        dx, dy = rotate(0.0, reach, look + lean)
        ring.append((point[0] + dx, point[1] + dy))
        if ahead:
            ux, uy = rotate(0.0, ahead, look)
            corner = (ring[-1][0] + ux, ring[-1][1] + uy)
            ring.insert(len(ring) if lean < 0 else len(ring) - 1, corner)
    ring.append(right)
    return Prism(tuple(p for k, p in enumerate(ring) if p != ring[k - 1]), base.z, base.top, solid=False, opaque=False)


def in_arc(base: Base, target: Thing | Point, side: Side = "front", spread: float = 45.0) -> bool:
    """Whether any part of a target lies in an arc of a base, the arc's edge included."""
    thing = dot(*target) if isinstance(target, tuple) else target
    return separation(thing, arc_region(base, side, spread)) <= 0.0005


def arc_of(base: Base, target: Base | Point) -> Side:
    """In which arc of a base a point, or a target's centre, lies by lines at 45 degrees from its corners.

    On such a line it counts as front or rear; inside the base as the side that is nearest.
    """
    x, y = target if isinstance(target, tuple) else target.centre
    rx, ry = rotate(x - base.x, y - base.y, -base.facing)
    w, d = (base.shape.width / 2, base.shape.depth / 2) if isinstance(base.shape, Rect) else (0.0, 0.0)
    if abs(ry) - d >= abs(rx) - w - 1e-9:
        return "front" if ry >= 0 else "rear"
    return "right" if rx > 0 else "left"


def contact_side(base: Base, other: Thing) -> Side:
    """Against which side of a rectangle a thing stands: the one nearest to it, front before rear before flanks."""
    order: tuple[Side, ...] = ("front", "rear", "right", "left")
    gaps = [(round(separation(line(*side_of(base, side)), other), 3), k) for k, side in enumerate(order)]
    return order[min(gaps)[1]]
