"""Blocks of ranks and files: the rectangle about a unit, its facings and arcs, and which base stands where inside.

A `Box` is a unit's boundary: the middle of its front, its heading as a unit vector, width and depth. Local coordinates
have x to the right from the middle of the front and y ahead, so that the unit lies at y <= 0.

Inside a block stand equal bases in ranks and files. A base that is a whole multiple of them takes up several places;
one that is not stands beside the block, its front level with it. Between all of them there may be a gap. Lengths inside
a block are whole tenths of a millimetre, so that borders of files meet exactly; what leaves this module is inches.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from umpire.space.angles import heading, turned
from umpire.space.shapes import Point

Facing = Literal["front", "right", "rear", "left"]
FACINGS: tuple[Facing, ...] = ("front", "right", "rear", "left")
INCH = 254
"""Tenths of a millimetre."""


class Box(NamedTuple):
    """A unit's boundary: the middle of its front, its heading as a unit vector, width and depth."""

    x: float
    y: float
    ux: float
    uy: float
    w: float
    d: float

    @property
    def centre(self) -> Point:
        return self.x - self.ux * self.d / 2, self.y - self.uy * self.d / 2

    @property
    def facing(self) -> float:
        """Its heading in degrees."""
        return heading(self.ux, self.uy)

    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Front left, front right, rear right, rear left."""
        x, y, ux, uy, w, d = self
        hx, hy, dx, dy = uy * w / 2, -ux * w / 2, ux * d, uy * d
        return (
            (x - hx, y - hy), (x + hx, y + hy), (x + hx - dx, y + hy - dy), (x - hx - dx, y - hy - dy),
        )  # fmt: skip

    def front(self) -> tuple[Point, Point]:
        """Its front edge, from the left to the right corner."""
        hx, hy = self.uy * self.w / 2, -self.ux * self.w / 2
        return (self.x - hx, self.y - hy), (self.x + hx, self.y + hy)

    def local(self, px: float, py: float) -> Point:
        dx, dy = px - self.x, py - self.y
        return dx * self.uy - dy * self.ux, dx * self.ux + dy * self.uy

    def world(self, lx: float, ly: float) -> Point:
        return self.x + lx * self.uy + ly * self.ux, self.y - lx * self.ux + ly * self.uy

    def moved(self, dx: float, dy: float) -> Box:
        return Box(self.x + dx, self.y + dy, self.ux, self.uy, self.w, self.d)

    def ahead(self, inches: float) -> Box:
        return Box(self.x + self.ux * inches, self.y + self.uy * inches, self.ux, self.uy, self.w, self.d)

    def about(self, px: float, py: float, degrees: float) -> Box:
        """Turned clockwise about a point."""
        s, c = turned(degrees)
        dx, dy = self.x - px, self.y - py
        return Box(
            px + dx * c + dy * s, py + dy * c - dx * s,
            self.ux * c + self.uy * s, self.uy * c - self.ux * s, self.w, self.d,
        )  # fmt: skip

    def pivoted(self, degrees: float) -> Box:
        """Turned clockwise about its centre."""
        return self.about(*self.centre, degrees)


def box_at(x: float, y: float, facing: float, width: float, depth: float) -> Box:
    ux, uy = turned(facing)
    return Box(x, y, ux, uy, width, depth)


def arcs_of(of: Box, px: float, py: float, slack: float = 1e-9) -> tuple[Facing, ...]:
    """In which arc a point lies, by rays at 135 degrees to both sides of each corner; on a ray in two."""
    x, y = of.local(px, py)
    y += of.d / 2
    a, b = abs(x) - of.w / 2, abs(y) - of.d / 2
    ends: Facing = "front" if y > 0 else "rear"
    sides: Facing = "right" if x > 0 else "left"
    if abs(a - b) <= slack:
        return ends, sides
    return (ends,) if b > a else (sides,)


def side_line(of: Box, face: Facing) -> tuple[Point, Point]:
    """A facing from its left to its right end as seen by somebody who stands before it and looks at it."""
    fl, fr, rr, rl = of.corners()
    if face == "front":
        return fr, fl
    if face == "right":
        return rr, fr
    return (rl, rr) if face == "rear" else (fl, rl)


def outward(of: Box, face: Facing) -> Point:
    """The outward direction of a facing."""
    if face == "front":
        return of.ux, of.uy
    if face == "right":
        return of.uy, -of.ux
    return (-of.ux, -of.uy) if face == "rear" else (-of.uy, of.ux)


def side_middle(of: Box, face: Facing) -> Point:
    (ax, ay), (bx, by) = side_line(of, face)
    return (ax + bx) / 2, (ay + by) / 2


def side_length(of: Box, face: Facing) -> float:
    return of.w if face in ("front", "rear") else of.d


def touching_face(of: Box, other: Box, slack: float = 3e-3) -> Facing:
    """The facing of one box that lies against another: the one that shares most of its length with it."""
    best: tuple[float, Facing] | None = None
    for face in FACINGS:
        (ax, ay), (bx, by) = side_line(of, face)
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        dx, dy = (bx - ax) / length, (by - ay) / length
        nx, ny = dy, -dx
        points = [((x - ax) * dx + (y - ay) * dy, (x - ax) * nx + (y - ay) * ny) for x, y in other.corners()]
        on = [t for t, n in points if abs(n) <= slack]
        if not on:
            continue
        shared = min(length, max(on)) - max(0.0, min(on))
        if shared >= -slack and (best is None or shared > best[0] + 1e-6):
            best = (shared, face)
    return best[1] if best is not None else "front"


def opposite(face: Facing) -> Facing:
    return FACINGS[(FACINGS.index(face) + 2) % 4]


# -- inside --------------------------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """A model in its block: the pool of alike models that it is of, the rank and file of its front left place, and its
    base in local inches, y0 the front edge and y1 the rear one (both <= 0). A base beside the block has file -1 (left)
    or the number of files."""

    pool: str
    rank: int
    file: int
    x0: float
    x1: float
    y0: float
    y1: float
    ranks: int = 1
    files: int = 1


class Layout(NamedTuple):
    """Who stands where. `rows` are the places filled in each rank, bases beside the block left out; `files` and `ranks`
    count everything."""

    width: float
    depth: float
    files: int
    ranks: int
    cells: tuple[Cell, ...]
    rows: tuple[int, ...]


class Guest(NamedTuple):
    """A base that is not one of the ordinary ones: its size in millimetres, and its place where it has one (file and
    rank of its front left; beside the block file -1 is the left end, -2 the right)."""

    key: str
    width: float
    length: float
    file: int = -1
    rank: int = -1


def tenths(millimetres: float) -> int:
    return round(millimetres * 10)


@lru_cache(maxsize=1024)
def multiple(base: tuple[float, float], other: tuple[float, float]) -> tuple[int, int] | None:
    """How many files and ranks of the ordinary bases another takes up; None if it is no whole multiple of them."""
    (k, over), (m, past) = (divmod(tenths(b), tenths(a)) for a, b in zip(base, other, strict=True))
    return (k, m) if not over and not past and k and m else None


def arrange(
    base: tuple[float, float],
    own: str,
    count: int,
    files: int,
    guests: tuple[Guest, ...] = (),
    gap: float = 0.0,
    exact: bool = False,
    holes: tuple[tuple[int, int], ...] = (),
) -> Layout:
    """A block of `count` ordinary bases (millimetres) in so many files with its guests.

    A guest takes its own place or, where that is taken or none is given, stands as far forward as it can and near the
    middle; smaller ones make room for broader ones if more stand forward then. Guests of unlike width among themselves
    stand side by side from the left, so that none bars the front to another. With `exact` only a base that equals the
    ordinary one stands inside. Ordinary bases fill the places left, rank by rank; `holes` (file, rank) stay empty.
    """
    sizes = {guest.key: multiple(base, (guest.width, guest.length)) for guest in guests}
    beside = [guest for guest in guests if sizes[guest.key] is None or (exact and sizes[guest.key] != (1, 1))]
    within = [(guest, size) for guest in guests if guest not in beside and (size := sizes[guest.key]) is not None]
    if not count and not holes and len({guest.width for guest in guests}) > 1:
        within = [(guest._replace(file=0, rank=0), size) for guest, size in within]
    inside, taken = _placed(within, files, holes)
    if any(place[2] > 0 for place in inside) and len({size for _, size in within}) > 1:
        broad, room = _placed(sorted(within, key=lambda one: -one[1][0]), files, holes)
        if sum(place[2] for place in broad) < sum(place[2] for place in inside):
            keys = [guest.key for guest, _ in within]
            inside, taken = sorted(broad, key=lambda place: keys.index(place[0])), room
    left, rank = count, 0
    while left > 0:
        for file in range(files):
            if left and (file, rank) not in taken:
                inside.append((own, file, rank, 1, 1))
                left -= 1
        rank += 1
    return _measured(base, tenths(gap), files, inside, beside)


def _placed(
    guests: Sequence[tuple[Guest, tuple[int, int]]], files: int, holes: Sequence[tuple[int, int]]
) -> tuple[list[tuple[str, int, int, int, int]], dict[tuple[int, int], str]]:
    """Guests one after the other inside a block: (who, file, rank, files, ranks), and which cells are taken."""
    taken: dict[tuple[int, int], str] = dict.fromkeys(holes, "")
    inside: list[tuple[str, int, int, int, int]] = []
    for guest, (k, m) in guests:
        file, rank = _spot(taken, max(files, k), k, m, guest.file, guest.rank)
        for i in range(k):
            for j in range(m):
                taken[file + i, rank + j] = guest.key
        inside.append((guest.key, file, rank, k, m))
    return inside, taken


def _measured(
    base: tuple[float, float],
    gap: int,
    files: int,
    inside: Sequence[tuple[str, int, int, int, int]],
    beside: Sequence[Guest],
) -> Layout:
    b, deep = tenths(base[0]), tenths(base[1])
    if inside:
        files = max(files, *(file + k for _, file, _, k, _ in inside))
    ranks = max((rank + m for _, _, rank, _, m in inside), default=0)
    block = files * b + (files - 1) * gap if inside else 0
    depth = ranks * deep + (ranks - 1) * gap if ranks else 0
    lefts: list[Guest] = []
    rights: list[Guest] = []
    for guest in beside:
        wished, other = (rights, lefts) if guest.file == -2 else (lefts, rights)
        (wished if len(wished) <= len(other) else other).append(guest)
    width = block + sum(tenths(g.width) + gap for g in beside) - (0 if inside or not beside else gap)
    depth = max([depth, *(tenths(g.length) for g in beside)])
    half = width / 2
    cells: list[Cell] = []

    def stand_beside(guest: Guest, file: int, x: int) -> int:
        wide, long = tenths(guest.width), tenths(guest.length)
        cells.append(Cell(guest.key, 0, file, (x - half) / INCH, (x + wide - half) / INCH, -0.0, -long / INCH))
        return x + wide + gap

    x = 0
    for guest in lefts:
        x = stand_beside(guest, -1, x)
    left, step, back = x - half, b + gap, deep + gap
    cells += [
        Cell(
            key, rank, file,
            (left + file * step) / INCH, (left + (file + k) * step - gap) / INCH,
            -(rank * back) / INCH, -((rank + m) * back - gap) / INCH,
            m, k,
        )
        for key, file, rank, k, m in inside
    ]  # fmt: skip
    x += block + (gap if inside else 0)
    for guest in rights:
        x = stand_beside(guest, files, x)
    rows = [0] * ranks
    for _, _, rank, k, m in inside:
        for j in range(m):
            rows[rank + j] += k
    total = (files if inside else 0) + len(beside)
    return Layout(width / INCH, depth / INCH, total, max(ranks, 1), tuple(cells), tuple(rows))


def _spot(taken: dict[tuple[int, int], str], files: int, k: int, m: int, file: int, rank: int) -> tuple[int, int]:
    """Where a guest stands: as wished, or as far forward as possible and near the wish or the middle."""
    if file >= 0 and rank >= 0 and _open(taken, files, file, rank, k, m):
        return file, rank
    wish = file if file >= 0 else (files - k) // 2
    rank = 0
    while True:
        for f in sorted(range(files - k + 1), key=lambda f: (abs(f - wish), f)):
            if _open(taken, files, f, rank, k, m):
                return f, rank
        rank += 1


def _open(taken: dict[tuple[int, int], str], files: int, file: int, rank: int, k: int, m: int) -> bool:
    return file + k <= files and not any((file + i, rank + j) in taken for i in range(k) for j in range(m))
