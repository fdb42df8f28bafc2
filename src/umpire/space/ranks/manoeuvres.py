"""Moves of a block as a whole: straight on, wheels about a front corner, turns about the centre, and what they sweep.

A manoeuvre is judged leg by leg. A front that goes straight on sweeps a rectangle; one that wheels sweeps a sector. How
far either may go before something is nearer than its clearance is computed, not tried out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from umpire.space import spans
from umpire.space.angles import heading, sin_cos, turn_between, turned
from umpire.space.shapes import Point
from umpire.space.spans import Ring, arcsin

from .blocks import Box
from .contact import circle, wheeled

EPS = 1e-6
Price = Literal["forward", "chord", "arc"]


class Leg(NamedTuple):
    """Straight on by so many inches, or a wheel by so many degrees (to the right positive)."""

    how: Literal["straight", "wheel"]
    amount: float


class Obstacle(NamedTuple):
    """Something in the way: its name, its outline, and how far to keep from it."""

    name: str
    ring: Ring
    clearance: float = 0.0


class Around(list[Obstacle]):
    """What is in the way of many moves, with the circles about it."""

    def __init__(self, obstacles: Iterable[Obstacle]) -> None:
        super().__init__(obstacles)
        self.circles = [(*circle(tuple(one.ring)), one) for one in self]


def straight(inches: float) -> Leg:
    return Leg("straight", inches)


def wheel(degrees: float) -> Leg:
    return Leg("wheel", degrees)


def price(width: float, leg: Leg, by: Price = "forward") -> float:
    """What a leg costs. A wheel by how far its outer corner comes forward, by the chord or by the arc of its way."""
    if leg.how == "straight":
        return leg.amount
    degrees = abs(leg.amount)
    if by == "forward":
        return width * (sin_cos(degrees)[0] if degrees < 90.0 else 1.0)
    if by == "chord":
        return 2.0 * width * sin_cos(degrees / 2)[0]
    return width * degrees * math.pi / 180.0


def cost(width: float, legs: Iterable[Leg], by: Price = "forward") -> float:
    return math.fsum(price(width, leg, by) for leg in legs)


def widest_wheel(width: float, budget: float, by: Price = "forward") -> float:
    """How far, up to 90 degrees, a wheel may go for so much."""
    if budget <= 0.0:
        return 0.0
    if by == "forward":
        return 90.0 if budget >= width else arcsin(budget / width)
    if by == "chord":
        return min(90.0, 2.0 * arcsin(min(1.0, budget / (2.0 * width))))
    return min(90.0, budget / width * 180.0 / math.pi)


def carried(box: Box, legs: Iterable[Leg]) -> Box:
    """Where a block is after its legs."""
    for leg in legs:
        box = box.ahead(leg.amount) if leg.how == "straight" else wheeled(box, leg.amount)
    return box


# -- what a front sweeps -------------------------------------------------------------------------------------------


def swept_straight(box: Box, inches: float) -> Ring:
    """The ground that a front covers going straight on."""
    (lx, ly), (rx, ry) = box.front()
    dx, dy = box.ux * inches, box.uy * inches
    return (lx, ly), (rx, ry), (rx + dx, ry + dy), (lx + dx, ly + dy)


def sector_gap(box: Box, degrees: float, ring: Ring) -> float:
    """How far a polygon is from the sector that a wheeling front sweeps; 0 if it meets it."""
    left, right = box.front()
    (px, py), (ox, oy) = (right, left) if degrees > 0 else (left, right)
    end = wheeled(box, degrees).front()[0 if degrees > 0 else 1]
    w, spread = box.w, abs(degrees)
    start = heading(ox - px, oy - py)
    sign = 1.0 if degrees > 0 else -1.0

    def between(x: float, y: float) -> bool:
        return sign * turn_between(start, heading(x - px, y - py)) % 360.0 <= spread + 1e-9

    if spans.gap(((px, py), (px, py)), ring) <= 0.0:
        return 0.0
    best = min(spans.gap(((px, py), (ox, oy)), ring), spans.gap(((px, py), end), ring))
    if best <= 0.0:
        return 0.0
    ax, ay = ring[-1]
    for bx, by in ring:
        far = math.sqrt((bx - px) ** 2 + (by - py) ** 2)
        if between(bx, by):
            best = min(best, max(0.0, far - w))
        ex, ey = bx - ax, by - ay
        n = ex * ex + ey * ey
        if n > 0.0:
            t = ((px - ax) * ex + (py - ay) * ey) / n
            if 0.0 < t < 1.0:
                fx, fy = ax + ex * t, ay + ey * t
                if between(fx, fy):
                    best = min(best, max(0.0, math.sqrt((fx - px) ** 2 + (fy - py) ** 2) - w))
        ax, ay = bx, by
    return best


def leg_gap(box: Box, leg: Leg, ring: Ring) -> float:
    """How near a front comes to a polygon on a leg; 0 if it meets it."""
    if leg.how == "straight":
        return max(0.0, spans.gap(swept_straight(box, leg.amount), ring))
    return sector_gap(box, leg.amount, ring) if leg.amount else max(0.0, spans.gap(box.front(), ring))


HAIR = 1e-3


def nearby(box: Box, leg: Leg, obstacles: Sequence[Obstacle]) -> list[Obstacle]:
    """What a front may come too near to on a leg: a quick look before the exact one, by the circles about what stands
    there."""
    circles = (obstacles if isinstance(obstacles, Around) else Around(obstacles)).circles
    found = []
    if leg.how == "straight":
        mx, my, ux, uy, half, on = box.x, box.y, box.ux, box.uy, box.w / 2 + HAIR, abs(leg.amount)
        back = min(0.0, leg.amount)
        for x, y, size, obstacle in circles:
            dx, dy, far = x - mx, y - my, size + obstacle.clearance + HAIR
            ahead = dx * ux + dy * uy
            if back - far <= ahead <= on + far and abs(dx * uy - dy * ux) <= half + far:
                found.append(obstacle)
        return found
    px, py = box.front()[1 if leg.amount > 0 else 0]
    for x, y, size, obstacle in circles:
        dx, dy, far = x - px, y - py, box.w + size + obstacle.clearance + HAIR
        if dx * dx + dy * dy <= far * far:
            found.append(obstacle)
    return found


class Crossing(NamedTuple):
    """A leg that comes too near: which, to what, how near, how near it may."""

    leg: int
    name: str
    gap: float
    clearance: float


def _beyond(box: Box, leg: Leg, obstacle: Obstacle) -> bool:
    """Is something too far from the corner that a wheel turns about for the front to come near it?"""
    pivot = box.front()[1 if leg.amount > 0 else 0]
    return spans.gap((pivot, pivot), obstacle.ring) > box.w + obstacle.clearance + EPS


def crossings(box: Box, legs: Sequence[Leg], obstacles: Sequence[Obstacle]) -> Iterator[Crossing]:
    """Every obstacle that a front comes too near to, by leg. Touching is too near; standing at the clearance is not."""
    for k, leg in enumerate(legs):
        for obstacle in nearby(box, leg, obstacles):
            if leg.how == "wheel" and leg.amount and _beyond(box, leg, obstacle):
                continue
            near = leg_gap(box, leg, obstacle.ring)
            if near < obstacle.clearance - EPS or near <= EPS:
                yield Crossing(k, obstacle.name, near, obstacle.clearance)
        box = carried(box, (leg,))


def room(box: Box, leg: Leg, obstacles: Sequence[Obstacle]) -> tuple[float, str]:
    """How much of a leg is free, and what ends it ("": nothing)."""
    best, who = abs(leg.amount), ""
    front = box.front()
    for obstacle in nearby(box, leg, obstacles):
        if leg.how == "straight":
            bar = spans.along(front, box.ux, box.uy, obstacle.ring, obstacle.clearance)
            start = bar[0] if bar is not None and bar[1] > 0.0 else math.inf
        else:
            left, right = front
            px, py = right if leg.amount > 0 else left
            sign = 1.0 if leg.amount > 0 else -1.0
            start, which = spans.first_angle(front, px, py, [(obstacle.ring, obstacle.clearance)], best, sign)
            if which < 0:
                continue
        if start < best:
            best, who = max(0.0, start), obstacle.name
    return best, who


def front_off(box: Box, legs: Iterable[Leg], board: tuple[float, float]) -> bool:
    """Does a front leave the table on its way?"""
    if any(_off(p, board) for p in box.front()):
        return True
    for leg in legs:
        end = carried(box, (leg,))
        if any(_off(p, board) for p in end.front()):
            return True
        if leg.how == "wheel" and leg.amount:
            left, right = box.front()
            (px, py), (ox, oy) = (right, left) if leg.amount > 0 else (left, right)
            start = heading(ox - px, oy - py)
            for k, (dx, dy) in enumerate(((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))):
                turn = turn_between(start, 90.0 * k)
                within = 0.0 < turn < leg.amount if leg.amount > 0 else leg.amount < turn < 0.0
                if within and _off((px + dx * box.w, py + dy * box.w), board):
                    return True
        box = end
    return False


def _off(point: Point, board: tuple[float, float]) -> bool:
    x, y = point
    return x < -EPS or y < -EPS or x > board[0] + EPS or y > board[1] + EPS


# -- limits --------------------------------------------------------------------------------------------------------


def corner_shift(old: Box, new: Box) -> float:
    """The greatest distance of a new corner from the nearest old one."""
    before = old.corners()
    return max(min(math.dist(p, q) for q in before) for p in new.corners())


def assigned(old: Sequence[Point], new: Sequence[Point], allowed: Callable[[int, int], bool]) -> list[int] | None:
    """Who goes where if each may only go where it is allowed: a place for each, or None if there is no such way.

    `allowed(who, place)` is asked only where it matters, and once.
    """
    place: list[int] = [-1] * len(new)
    order: dict[int, list[int]] = {}
    told: dict[tuple[int, int], bool] = {}

    def may(who: int, k: int) -> bool:
        found = told.get((who, k))
        if found is None:
            found = told[who, k] = allowed(who, k)
        return found

    def settle(who: int, seen: list[bool]) -> bool:
        if who not in order:
            order[who] = sorted(range(len(new)), key=lambda k: (math.dist(old[who], new[k]), k))
        # Whoever finds an empty place takes it before anybody is asked to make room.
        for k in order[who]:
            if place[k] < 0 and not seen[k] and may(who, k):
                place[k] = who
                return True
        for k in order[who]:
            if place[k] >= 0 and not seen[k] and may(who, k):
                seen[k] = True
                if settle(place[k], seen):
                    place[k] = who
                    return True
        return False

    for who in range(len(old)):
        if not settle(who, [False] * len(new)):
            return None
    out = [-1] * len(old)
    for k, who in enumerate(place):
        if who >= 0:
            out[who] = k
    return out


# -- ways to a place -----------------------------------------------------------------------------------------------


def serpentine_to(box: Box, x: float, y: float, facing: float | None) -> list[list[Leg]]:
    """Straight, wheel, straight: the ways that bring the middle of the front to a point, with a facing if one is
    wished; the cheapest first."""
    found: list[list[Leg]] = []
    right, ahead = box.local(x, y)
    if (facing is None or abs(turn_between(box.facing, facing)) < 1e-6) and abs(right) < 1e-6 and ahead >= -1e-9:
        found.append([straight(max(0.0, ahead))])
    if facing is not None:
        degrees = turn_between(box.facing, facing)
        if 1e-6 < abs(degrees) <= 90.0 + 1e-9:
            legs = _by_one_wheel(box, x, y, degrees)
            if legs is not None:
                found.append(legs)
    else:
        found += _aimed(box, right, ahead)
    return sorted(found, key=lambda legs: cost(box.w, legs))


def _by_one_wheel(box: Box, x: float, y: float, degrees: float) -> list[Leg] | None:
    """The two straights are the coordinates of what a wheel on the spot leaves to go."""
    turned = wheeled(box, degrees)
    across = box.ux * turned.uy - box.uy * turned.ux
    if abs(across) < 1e-9:
        return None
    gx, gy = x - turned.x, y - turned.y
    first, second = (gx * turned.uy - gy * turned.ux) / across, (box.ux * gy - box.uy * gx) / across
    if first < -1e-9 or second < -1e-9:
        return None
    return [
        leg
        for leg in (straight(max(0.0, first)), wheel(degrees), straight(max(0.0, second)))
        if leg.amount > 1e-9 or leg.how == "wheel"
    ]


def two_wheels(box: Box, goal: Box) -> list[list[Leg]]:
    """Wheel, straight, wheel: the ways that bring a block to a place with its facing; the cheapest first. Both corners
    that it wheels about are known: one of those it has now and one of those it will have."""
    found: list[list[Leg]] = []
    for one, other in itertools.product((1.0, -1.0), repeat=2):
        (px, py), (qx, qy) = box.front()[one > 0], goal.front()[other > 0]
        ex, ey = qx - px, qy - py
        for between in _facings_across(ex, ey, 0.0 if one == other else -one * box.w):
            ux, uy = turned(between)
            first, second = turn_between(box.facing, between), turn_between(between, goal.facing)
            on = ex * ux + ey * uy
            if 1e-6 < one * first <= 90.0 and 1e-6 < other * second <= 90.0 and on >= -1e-9:
                found.append([wheel(first), straight(max(0.0, on)), wheel(second)])
    return sorted(found, key=lambda legs: cost(box.w, legs))


def pivots_to(box: Box, goal: Box) -> list[float]:
    """Facings to pivot to about the centre, after which a wheel brings a block to a place with its facing, with nothing
    straight on before it or after it or with a quarter turn: whatever else does lies between two of them."""
    cx, cy = box.centre
    x, y, facing = goal.x - cx, goal.y - cy, goal.facing
    found = [facing + 90.0, facing - 90.0]
    deep, half = box.d / 2, box.w / 2
    size = math.hypot(deep, half)
    for side in (1.0, -1.0):
        px, py = goal.front()[side > 0]
        found += _facings_across(px - cx, py - cy, side * half)
        across = (x * goal.uy - y * goal.ux + side * half) / size
        if abs(across) <= 1.0:
            middle, part = math.degrees(math.atan2(deep, side * half)), math.degrees(math.acos(across))
            found += [facing + middle + part, facing + middle - part]
    return [at % 360.0 for at in found]


def _facings_across(x: float, y: float, across: float) -> list[float]:
    """Facings from which a point lies ahead so far to the right; straight ahead alone where it is nought."""
    far = math.sqrt(x * x + y * y)
    if far < 1e-9 or abs(across) > far:
        return []
    aim = heading(x, y)
    if across == 0.0:
        return [aim]
    part = math.degrees(math.asin(across / far))
    return [aim - part, aim - 180.0 + part]


def _aimed(box: Box, right: float, ahead: float) -> list[list[Leg]]:
    """A wheel on the spot, then straight to a point: the angle at which the point lies before the middle of the front.

    The middle moves on a circle about the corner, and its heading is square to the way from there: the point lies ahead
    where its distance from the corner across the heading is half the width.
    """
    if abs(right) < 1e-6:
        return []
    side = 1.0 if right > 0 else -1.0
    half = box.w / 2
    x, y = side * right - half, ahead
    far = math.sqrt(x * x + y * y)
    if far <= half:
        return []
    # To the corner's own right the point must lie `half` to its left after the turn.
    degrees = turn_between(0.0, heading(x, y)) + arcsin(half / far)
    if not 1e-6 < degrees <= 90.0:
        return []
    on = math.sqrt(max(0.0, far * far - half * half))
    return [[wheel(side * degrees), straight(on)]]


def shortened(box: Box, legs: Sequence[Leg], budget: float, by: Price = "forward") -> list[Leg]:
    """As much of a way as a budget pays for."""
    out: list[Leg] = []
    left = budget
    for leg in legs:
        need = price(box.w, leg, by)
        if need <= left + EPS:
            out.append(leg)
            left -= need
            continue
        if leg.how == "straight":
            part = straight(max(0.0, left))
        else:
            part = wheel(math.copysign(min(abs(leg.amount), widest_wheel(box.w, left, by)), leg.amount))
        if part.amount:
            out.append(part)
        break
    return out


def clear_part(box: Box, legs: Sequence[Leg], obstacles: Sequence[Obstacle], standoff: float = 0.0) -> list[Leg]:
    """As much of a way as nothing is in the way of; an obstacle that may not be touched is kept off by a hair."""
    out: list[Leg] = []
    for leg in legs:
        free, who = room(box, leg, obstacles)
        if not who:
            out.append(leg)
            box = carried(box, (leg,))
            continue
        free = max(0.0, free - standoff)
        part = Leg(leg.how, math.copysign(free, leg.amount))
        if part.amount:
            out.append(part)
        break
    return out


def failed_charge(
    box: Box, mx: float, my: float, inches: float, obstacles: Sequence[Obstacle], standoff: float
) -> list[Leg]:
    """A wheel until the middle of the front points at a place (or 90 degrees, or as far as the inches pay, or as far as
    it is free), then straight on with what is left."""
    right, _ = box.local(mx, my)
    side = 1.0 if right >= 0 else -1.0
    x, y = side * right - box.w / 2, box.local(mx, my)[1]
    far = math.sqrt(x * x + y * y)
    wanted = 0.0
    if abs(right) > 1e-9 and far > box.w / 2:
        wanted = turn_between(0.0, heading(x, y)) + arcsin(box.w / (2.0 * far))
    wanted = max(0.0, min(wanted, 90.0, widest_wheel(box.w, inches)))
    legs: list[Leg] = []
    if wanted > 1e-9:
        free, who = room(box, wheel(side * wanted), obstacles)
        if who:
            free = max(0.0, free - standoff / box.w * 180.0 / math.pi)
        if free > 1e-9:
            legs.append(wheel(side * free))
    left = inches - cost(box.w, legs)
    after = carried(box, legs)
    free, who = room(after, straight(left), obstacles)
    free = max(0.0, free - standoff) if who else free
    return [*legs, straight(free)] if free > 1e-9 else legs
