"""Bringing one rectangle flush against a side of another, and what to do where that is impossible.

Which position is best differs between games: a `score` says how good a flush position is, and of equally good ones the
nearest to where the mover stands is taken.
"""

import math
from collections.abc import Callable, Sequence

import msgspec

from .angles import rotate, turn_between
from .formations import Side, side_heading, side_of
from .measure import closest_points, contact_length, distance
from .moving import Go, Sweep, Turn, ahead, carry, fits, sweep, wheel
from .packs import Pack, pack
from .shapes import TOLERANCE, Base, Point, Rect, Thing

STEP = 0.1


class Alignment(msgspec.Struct, frozen=True):
    """Where a mover ends: its base, its turn, how far its centre went, how much front touches, whether it is flush."""

    base: Base
    turned: float
    moved: float
    contact: float
    flush: bool


def flush_base(mover: Base, target: Base, side: Side, offset: float) -> Base:
    """A mover whose front lies along a side of a target, its middle at an offset to the right of the side's middle.

    Right is as seen from the target looking out.
    """
    assert isinstance(mover.shape, Rect)
    left, right = side_of(target, side)
    look = side_heading(target, side)
    ox, oy = rotate(offset, mover.shape.depth / 2, look)
    return mover.at((left[0] + right[0]) / 2 + ox, (left[1] + right[1]) / 2 + oy, None, (look + 180.0) % 360.0)


def _along(target: Base, side: Side, point: Point) -> float:
    """How far to the right of a side's middle a point lies, as seen from the target looking out."""
    left, right = side_of(target, side)
    x, y = point[0] - (left[0] + right[0]) / 2, point[1] - (left[1] + right[1]) / 2
    return rotate(x, y, -side_heading(target, side))[0]


def align(
    mover: Base, target: Base, side: Side, obstacles: Sequence[Thing] | Pack = (), contact: Point | None = None,
    score: Callable[[Base], float] | None = None, clearance: float = 0.0, least: float = 0.0,
) -> Alignment | None:  # fmt: skip
    """Bring a mover's front flush against a side of a target.

    A contact point on that side, if given, stays within the mover's front. The best position by `score` (as given, the
    length of front that touches) that keeps clear of the obstacles is taken, and of equals the one nearest to the
    mover. At least `least` inches must touch. None if there is no flush position.
    """
    assert isinstance(mover.shape, Rect)
    width = mover.shape.width
    left, right = side_of(target, side)
    length = math.sqrt((right[0] - left[0]) ** 2 + (right[1] - left[1]) ** 2)
    low, high = -(width + length) / 2 + least, (width + length) / 2 - least
    start = _along(target, side, mover.centre)
    if contact is not None:
        p = _along(target, side, contact)
        low, high = max(low, p - width / 2), min(high, p + width / 2)
    if low > high + TOLERANCE:
        return None
    q = pack(obstacles)
    best: tuple[float, float, float] | None = None
    for offset in _offsets(mover, target, side, q, clearance, low, high, start, abs(length - width) / 2):
        base = flush_base(mover, target, side, offset)
        value = score(base) if score is not None else contact_length(base, target)
        key = (-round(value, 6), round(abs(offset - start), 6), offset)
        if best is None or key < best:
            best = key
    if best is None:
        return None
    return _result(mover, flush_base(mover, target, side, best[2]), target, True)


def _offsets(
    mover: Base, target: Base, side: Side, obstacles: Pack, clearance: float,
    low: float, high: float, start: float, inner: float,
) -> list[float]:  # fmt: skip
    """Flush positions worth judging: the ends of every free stretch, where contact is full, and a grid between."""
    marks = {low, high, *(v for v in (start, 0.0, -inner, inner) if low <= v <= high)}
    steps = math.ceil((high - low) / STEP)
    marks |= {low + (high - low) * k / steps for k in range(1, steps)}
    ordered = sorted(marks)
    free = [not fits(flush_base(mover, target, side, v), obstacles, clearance) for v in ordered]
    out = [v for v, ok in zip(ordered, free, strict=True) if ok]
    for k in range(len(ordered) - 1):
        if free[k] != free[k + 1]:
            here, there = (ordered[k], ordered[k + 1]) if free[k] else (ordered[k + 1], ordered[k])
            a, b = flush_base(mover, target, side, here), flush_base(mover, target, side, there)
            end = sweep(a, (Go(b.x - a.x, b.y - a.y),), obstacles, clearance).end
            out.append(here + math.copysign(math.sqrt((end.x - a.x) ** 2 + (end.y - a.y) ** 2), there - here))
    return out


def _result(mover: Base, base: Base, target: Base, flush: bool) -> Alignment:
    moved = math.sqrt((base.x - mover.x) ** 2 + (base.y - mover.y) ** 2)
    return Alignment(base, turn_between(mover.facing, base.facing), moved, contact_length(base, target), flush)


def square_up(
    mover: Base, target: Base, side: Side, pivot: Point, obstacles: Sequence[Thing] | Pack = (), clearance: float = 0.0
) -> Alignment:
    """Turn a mover about a point of contact towards flush with a side, as far as the obstacles let it.

    Where flush is impossible the least angle is left between the two.
    """
    wanted = turn_between(mover.facing, side_heading(target, side) + 180.0)
    swept = sweep(mover, (Turn(pivot[0], pivot[1], wanted),), obstacles, clearance)
    left = abs(turn_between(swept.end.facing, side_heading(target, side) + 180.0))
    return _result(mover, swept.end, target, swept.free and left <= 0.01)


def nudge(
    mover: Base, target: Thing, limit: float, obstacles: Sequence[Thing] | Pack = (), clearance: float = 0.0
) -> Sweep | None:
    """The shortest straight shift that restores contact; None if that is further than a limit or something is in the
    way.
    """
    gap = distance(mover, target)
    if gap > limit + TOLERANCE:
        return None
    (ax, ay), (bx, by) = closest_points(mover, target)
    shift = sweep(mover, (Go(bx - ax, by - ay),), obstacles, clearance)
    return shift if shift.free else None


def press(
    mover: Base, target: Base, side: Side, towards: Side, obstacles: Sequence[Thing] | Pack, clearance: float = 0.0
) -> Sweep:
    """Slide a flush mover along a side to its own left or right until it is pressed into the corner of an obstacle.

    It stops at the end of the side, with its trailing corner still in contact, if nothing is there.
    """
    assert isinstance(mover.shape, Rect)
    left, right = side_of(target, side)
    length = math.sqrt((right[0] - left[0]) ** 2 + (right[1] - left[1]) ** 2)
    offset = _along(target, side, mover.centre)
    # The mover looks at the target, so its own right is the side's left.
    sign = -1.0 if towards == "right" else 1.0
    end = sign * (length + mover.shape.width) / 2
    dx, dy = rotate(end - offset, 0.0, side_heading(target, side))
    return sweep(mover, (Go(dx, dy),), obstacles, clearance)


def approach(
    mover: Base, target: Thing, degrees: float, furthest: float, obstacles: Sequence[Thing] = (), clearance: float = 0.0
) -> Sweep:
    """Wheel by an angle, then straight on: the sweep's `hit` is 0 where it is the target that is met first.

    Obstacles are numbered from 1, and the clearance applies to them alone.
    """
    turning = wheel(mover, degrees)
    legs = (turning, ahead(carry(mover, turning), furthest))
    return sweep(mover, legs, (target, *obstacles), (0.0, *[clearance] * len(obstacles)))


def approaches(
    mover: Base, target: Thing, furthest: float, obstacles: Sequence[Thing] = (), clearance: float = 0.0,
    most: float = 90.0, step: float = 1.0,
) -> list[tuple[float, Sweep]]:  # fmt: skip
    """The wheels, smallest first, after which going straight on meets the target before anything else."""
    angles = [0.0]
    k = 1
    while k * step <= most + 1e-9:
        angles += [k * step, -k * step]
        k += 1
    found = [(a, approach(mover, target, a, furthest, obstacles, clearance)) for a in angles]
    return [(a, swept) for a, swept in found if swept.hit == 0 and len(swept.legs) == 2]
