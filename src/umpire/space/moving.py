"""Moves as legs, carried out until something is in the way, and what they cost."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np

from .angles import rotate
from .measure import closest_between, share_heights
from .packs import Floats, Pack, kernel, pack, packed
from .shapes import TOLERANCE, Base, Point, Rect, Thing, world_points


class Go(msgspec.Struct, frozen=True, tag="go", gc=False):
    """Straight on, sideways, back, up or down, without turning."""

    dx: float
    dy: float
    dz: float = 0.0


class Turn(msgspec.Struct, frozen=True, tag="turn", gc=False):
    """Turning clockwise about a fixed point of the table."""

    x: float
    y: float
    degrees: float


Leg = Go | Turn
Body = Base | Sequence[Base]


class Sweep(msgspec.Struct, frozen=True, gc=False):
    """What became of a move: how far it came, and what stopped it.

    `legs` is the furthest legal prefix of the wished legs; `ends` is where the bases then stand. `hit` is the index of
    the obstacle in the way (None if the move is free), `obstacle` that obstacle itself.
    """

    ends: tuple[Base, ...]
    legs: tuple[Leg, ...]
    hit: int | None = None
    obstacle: Thing | None = None

    @property
    def where(self) -> Point | None:
        """The point of first contact, found when it is asked for: most only want to know whether the way is free."""
        if self.obstacle is None:
            return None
        return closest_between(pack(self.ends), packed((self.obstacle,)))[1]

    @property
    def end(self) -> Base:
        return self.ends[0]

    @property
    def free(self) -> bool:
        return self.hit is None


def bodies(body: Body) -> tuple[Base, ...]:
    return (body,) if isinstance(body, Base) else tuple(body)


def carry(base: Base, leg: Leg, part: float = 1.0) -> Base:
    """A base after a leg, or after a part of it."""
    if isinstance(leg, Go):
        return base.moved(leg.dx * part, leg.dy * part, leg.dz * part)
    degrees = leg.degrees * part
    x, y = rotate(base.x - leg.x, base.y - leg.y, degrees)
    return base.at(leg.x + x, leg.y + y, None, (base.facing + degrees) % 360.0)


def carried(base: Base, legs: Sequence[Leg]) -> Base:
    """A base after all of its legs."""
    for leg in legs:
        base = carry(base, leg)
    return base


def clipped(leg: Leg, part: float) -> Leg:
    """The first part of a leg."""
    if isinstance(leg, Go):
        return Go(leg.dx * part, leg.dy * part, leg.dz * part)
    return Turn(leg.x, leg.y, leg.degrees * part)


def sweep(
    body: Body, legs: Sequence[Leg], obstacles: Sequence[Thing] | Pack, clearance: float | Sequence[float] = 0.0
) -> Sweep:
    """Carry a base, or several as one rigid body, along legs until an obstacle is in the way.

    A clearance, one for all or one for each obstacle, keeps the body that far from them. What is nearer than that at
    the start may be left but not approached. Volumes that share no heights with the body do not stop it; sliding along
    does not.
    """
    here = bodies(body)
    q = obstacles if type(obstacles) is Pack else packed(tuple(obstacles))
    gaps = (
        _same_for_all(len(q.rows), clearance)
        if isinstance(clearance, int | float)
        else (np.asarray(clearance, dtype=np.float64)[q.owners])
    )
    done: list[Leg] = []
    k = kernel("sweeping")
    for leg in legs:
        p = packed(here)
        if isinstance(leg, Go):
            part, row = k.go(p.rows, p.verts, leg.dx, leg.dy, leg.dz, q.rows, q.verts, gaps)
        else:
            part, row = k.turn(p.rows, p.verts, leg.x, leg.y, leg.degrees, q.rows, q.verts, gaps)
        if row >= 0:
            last = clipped(leg, part)
            ends = tuple(carry(base, last) for base in here)
            hit = int(q.owners[row])
            return Sweep(ends, (*done, last), hit, q.things[hit])
        here = tuple(carry(base, leg) for base in here)
        done.append(leg)
    return Sweep(here, tuple(done))


@lru_cache(maxsize=512)
def _same_for_all(count: int, clearance: float) -> Floats:
    """One clearance for each of so many obstacles; the kernel only reads it, so that all moves can share it."""
    return np.full(count, clearance, dtype=np.float64)


def slide(base: Base, x: float, y: float, obstacles: Sequence[Thing] | Pack, clearance: float = 0.0) -> Sweep:
    """A straight move of a base's centre towards a point, without turning."""
    return sweep(base, (Go(x - base.x, y - base.y),), obstacles, clearance)


def ahead(base: Base, forwards: float, right: float = 0.0) -> Go:
    """A straight leg along a base's own facing; negative is backwards, or left."""
    dx, dy = rotate(right, forwards, base.facing)
    return Go(dx, dy)


def wheel(base: Base, degrees: float) -> Turn:
    """A turn about the front corner on the side turned to: clockwise about the front right one."""
    assert isinstance(base.shape, Rect), "only a rectangle has front corners"
    left, right, _, _ = world_points(base)
    x, y = right if degrees > 0 else left
    return Turn(x, y, degrees)


def fits(body: Body, obstacles: Sequence[Thing] | Pack, clearance: float = 0.0) -> list[int]:
    """Which obstacles a body overlaps, or stands nearer to than a clearance; empty where it may stand."""
    q = pack(obstacles)
    found: set[int] = set()
    for base in bodies(body):
        p = pack((base,))
        gaps = kernel().matrix(p.rows, p.verts, q.rows, q.verts, False)[0]
        for row, gap in enumerate(gaps):
            if gap < clearance - TOLERANCE and share_heights(base, q.things[q.owners[row]]):
                found.add(int(q.owners[row]))
    return sorted(found)
