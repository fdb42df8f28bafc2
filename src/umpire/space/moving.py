"""Moves as legs, carried out until something is in the way, and what they cost."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np

from .angles import rotate
from .measure import closest_between
from .packs import Floats, Pack, kernel, pack, packed
from .shapes import Base, Point, Rect, Thing


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

    body: tuple[Base, ...]
    legs: tuple[Leg, ...]
    hit: int | None = None
    obstacle: Thing | None = None

    @property
    def ends(self) -> tuple[Base, ...]:
        """Where the bases then stand, found when it is asked for: most only want to know whether the way is free."""
        return tuple([carried(base, self.legs) for base in self.body])

    @property
    def where(self) -> Point | None:
        """The point of first contact."""
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
    if isinstance(clearance, int | float):
        gaps = _same_for_all(len(q.rows), clearance)
    else:
        gaps = np.array(clearance, dtype=np.float64)
        gaps = gaps if len(gaps) == len(q.rows) else gaps[q.owners]
    legs = tuple(legs)
    frames = _frames(here)
    if frames is None:
        k, part, row = _leg_by_leg(here, legs, q, gaps)
    elif legs:
        k, part, row = kernel("sweeping").along(frames, _legs(legs), q.rows, q.verts, gaps)
    else:
        k, part, row = -1, 1.0, -1
    if k < 0:
        return Sweep(here, legs)
    hit = int(q.owners[row])
    return Sweep(here, (*legs[:k], clipped(legs[k], part)), hit, q.things[hit])


@lru_cache(maxsize=512)
def _frames(body: tuple[Base, ...]) -> Floats | None:
    """Rectangles as the kernel carries them; None where there is another shape among them."""
    rows = []
    for base in body:
        shape, z = base.shape, base.z
        if type(shape) is not Rect:
            return None
        rows.append((base.x, base.y, base.facing, shape.width, shape.depth, z, z + base.height))
    return np.array(rows, dtype=np.float64)


def _legs(legs: tuple[Leg, ...]) -> Floats:
    return np.array(
        [
            (0.0, leg.dx, leg.dy, leg.dz) if type(leg) is Go else (1.0, leg.x, leg.y, leg.degrees)  # type: ignore[union-attr]
            for leg in legs
        ],
        dtype=np.float64,
    )


def _leg_by_leg(body: tuple[Base, ...], legs: tuple[Leg, ...], q: Pack, gaps: Floats) -> tuple[int, float, int]:
    """The leg on which something is in the way of bases of any shape, how much of it is free, and what is: or -1."""
    kernels = kernel("sweeping")
    for k, leg in enumerate(legs):
        p = packed(body)
        if isinstance(leg, Go):
            part, row = kernels.go(p.rows, p.verts, leg.dx, leg.dy, leg.dz, q.rows, q.verts, gaps)
        else:
            part, row = kernels.turn(p.rows, p.verts, leg.x, leg.y, leg.degrees, q.rows, q.verts, gaps)
        if row >= 0:
            return k, part, row
        body = tuple([carry(base, leg) for base in body])
    return -1, 1.0, -1


@lru_cache(maxsize=512)
def _same_for_all(count: int, clearance: float) -> Floats:
    """One clearance for each of so many obstacles; the kernel only reads it, so that all moves can share it."""
    return np.full(count, clearance, dtype=np.float64)


def slide(base: Base, x: float, y: float, obstacles: Sequence[Thing] | Pack, clearance: float = 0.0) -> Sweep:
    """A straight move of a base's centre towards a point, without turning."""
    return sweep(base, (Go(x - base.x, y - base.y),), obstacles, clearance)
