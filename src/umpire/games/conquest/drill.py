"""Manoeuvres of a regiment's front edge, as answers spell them: forward, a wheel about a front corner, sideways and
back at half rate. What they cost, where they lead, and which of them lead to a place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from umpire.engine.decisions import Stretch
from umpire.engine.decisions import furthest as greatest
from umpire.space.angles import normal, rotate, turn_between
from umpire.space.moving import Go, Leg, Turn
from umpire.space.packs import kernel
from umpire.space.plain import point_segment
from umpire.space.ranks.fronts import Pose, local, world
from umpire.space.shapes import Point

SIDEWAYS = ("left", "right", "back")
HOWS = ("forward", "wheel", *SIDEWAYS)
Manoeuvre = dict[str, Any]


def forward(inches: float) -> Manoeuvre:
    return {"how": "forward", "inches": round(inches, 3)}


def wheel(degrees: float) -> Manoeuvre:
    """Positive turns right, about the front right corner."""
    return {"how": "wheel", "degrees": round(degrees, 3)}


def leg_of(where: Pose, wide: float, manoeuvre: Manoeuvre) -> Leg:
    """A manoeuvre from a place, as a leg over the table."""
    how = manoeuvre["how"]
    if how == "wheel":
        degrees = float(manoeuvre["degrees"])
        x, y = world(where, wide / 2 if degrees > 0 else -wide / 2, 0.0)
        return Turn(x, y, degrees)
    inches = float(manoeuvre["inches"])
    right = inches if how == "right" else -inches if how == "left" else 0.0
    ahead = inches if how == "forward" else -inches if how == "back" else 0.0
    dx, dy = rotate(right, ahead, where[2])
    return Go(dx, dy)


def carried(where: Pose, leg: Leg) -> Pose:
    if isinstance(leg, Go):
        return where[0] + leg.dx, where[1] + leg.dy, where[2]
    dx, dy = rotate(where[0] - leg.x, where[1] - leg.y, leg.degrees)
    return leg.x + dx, leg.y + dy, where[2] + leg.degrees


def legs_of(where: Pose, wide: float, path: Sequence[Manoeuvre]) -> tuple[list[Leg], Pose]:
    legs = []
    for manoeuvre in path:
        leg = leg_of(where, wide, manoeuvre)
        legs.append(leg)
        where = carried(where, leg)
    return legs, where


def cost(wide: float, path: Sequence[Manoeuvre]) -> float:
    """Inches spent: straight moves, and the arc of the outer front corner for wheels."""
    total = 0.0
    for manoeuvre in path:
        if manoeuvre["how"] == "wheel":
            total += wide * abs(manoeuvre["degrees"]) * math.pi / 180.0
        else:
            total += manoeuvre["inches"]
    return total


def legs_cost(wide: float, legs: Sequence[Leg]) -> float:
    """Inches spent on legs by a front of this width."""
    done = 0.0
    for leg in legs:
        done += math.hypot(leg.dx, leg.dy) if isinstance(leg, Go) else wide * abs(leg.degrees) * math.pi / 180.0
    return done


def route(where: Pose, wide: float, path: Sequence[Manoeuvre]) -> list[Stretch]:
    """Where the middle of the front is after each manoeuvre, and what that one cost."""
    stretches = []
    for manoeuvre in path:
        where = carried(where, leg_of(where, wide, manoeuvre))
        stretches.append(
            Stretch(
                x=round(where[0], 3),
                y=round(where[1], 3),
                facing=round(normal(where[2]), 3),
                how=manoeuvre["how"],
                inches=manoeuvre.get("inches"),
                degrees=manoeuvre.get("degrees"),
                cost=round(cost(wide, [manoeuvre]), 3),
            )
        )
    return stretches


def shortened(path: Sequence[Manoeuvre], legs: Sequence[Leg]) -> list[Manoeuvre]:
    """The manoeuvres of the free part of a path, a hair short of what stops it."""
    done: list[Manoeuvre] = [dict(m) for m in path[: len(legs)]]
    if done:
        last, leg = done[-1], legs[-1]
        if isinstance(leg, Turn):
            last["degrees"] = math.trunc(leg.degrees * 100) / 100
        else:
            last["inches"] = math.floor(max(0.0, math.hypot(leg.dx, leg.dy) - 0.002) * 100) / 100
    return done


def fitted(path: Sequence[Manoeuvre], wide: float, limit: float) -> list[Manoeuvre]:
    """The first part of a path that the distance allows."""
    done: list[Manoeuvre] = []
    left = limit / 2 if any(leg["how"] in SIDEWAYS for leg in path) else limit
    for leg in path:
        price = cost(wide, [leg])
        if price <= left:
            done.append(leg)
            left -= price
            continue
        part = left / price if price else 0.0
        key = "degrees" if leg["how"] == "wheel" else "inches"
        done.append({**leg, key: math.trunc(leg[key] * part * 1000) / 1000})
        break
    return done


def reach_outline(wide: float, here: Pose, limit: float) -> tuple[Point, ...]:
    """Where the middle of the front edge can come, roughly: what a client draws."""
    points: list[Point] = [world(here, 0.0, -limit / 2), world(here, -limit / 2, 0.0)]
    most = min(90.0, limit * 180.0 / (wide * math.pi))
    for k in range(-8, 9):
        degrees = most * k / 8
        left = limit - wide * abs(degrees) * math.pi / 180.0
        end = legs_of(here, wide, [wheel(degrees), forward(max(0.0, left))])[1]
        points.append((end[0], end[1]))
    points.append(world(here, limit / 2, 0.0))
    return tuple(points)


# -- which manoeuvres lead to a place ------------------------------------------------------------------------------


def manoeuvres_to(where: Pose, wide: float, x: float, y: float, facing: float | None) -> list[list[Manoeuvre]]:
    """Ways to bring the middle of the front edge to a point, with a facing if one is wished, the cheapest first."""
    right, ahead = local(where, x, y)
    same = facing is None or abs(turn_between(where[2], facing)) < 0.01
    found: list[list[Manoeuvre]] = []
    if same and abs(right) < 0.002 and abs(ahead) < 0.002:
        return [[forward(0.0)]]
    if same and abs(right) < 0.002:
        found.append([forward(ahead)] if ahead >= 0 else [{"how": "back", "inches": round(-ahead, 3)}])
    if same and abs(ahead) < 0.002:
        found.append([{"how": "right" if right > 0 else "left", "inches": round(abs(right), 3)}])
    if facing is not None and not same:
        found += _straight_wheel_straight(where, wide, x, y, turn_between(where[2], facing))

    wish = facing is not None
    for first, on, second in kernel("wheeling").wheels_to(*where, wide, x, y, wish, facing or 0.0).tolist():
        path = [wheel(first)] if abs(first) > 0.01 else []
        path += [forward(max(0.0, on))] if on > 0.002 else []
        path += [wheel(second)] if abs(second) > 0.01 else []
        found.append(path or [forward(0.0)])
    return sorted(found, key=lambda p: cost(wide, p) * (2 if p[0]["how"] in SIDEWAYS else 1))


def _straight_wheel_straight(where: Pose, wide: float, x: float, y: float, degrees: float) -> list[list[Manoeuvre]]:
    """Straight on, one wheel, straight on again, if that leads to a point."""
    turned = carried(where, leg_of(where, wide, wheel(degrees)))
    (ux, uy), (vx, vy) = rotate(0.0, 1.0, where[2]), rotate(0.0, 1.0, turned[2])
    across = ux * vy - uy * vx
    if abs(across) < 1e-6:
        return []
    gx, gy = x - turned[0], y - turned[1]
    before, after = (gx * vy - gy * vx) / across, (ux * gy - uy * gx) / across
    if before < -0.002 or after < -0.002:
        return []
    legs = [forward(max(0.0, before)), wheel(degrees), forward(max(0.0, after))]
    return [[leg for leg in legs if leg["how"] == "wheel" or leg["inches"] > 0.002]]


def ways_to(where: Pose, wide: float, x: float, y: float, facing: float | None) -> Iterator[list[Manoeuvre]]:
    """Every way found to a point: the direct ones, the cheapest first, then those that go straight on for a while."""
    yield from manoeuvres_to(where, wide, x, y, facing)
    _, ahead = local(where, x, y)
    for part in (0.25, 0.5, 0.75) if ahead > 0.1 else ():
        first = forward(ahead * part)
        on = carried(where, leg_of(where, wide, first))
        yield from ([first, *way] for way in manoeuvres_to(on, wide, x, y, facing) if way[0]["how"] == "wheel")


Fits = Callable[[list[Manoeuvre]], bool]


BACK = 0.5
"""Inches by which a path is shortened until it fits; then it is lengthened again as far as it still does."""


Free = Callable[[list[Manoeuvre]], Sequence[Manoeuvre]]
"""The part of a path up to what first stops it."""


def longest(
    path: Sequence[Manoeuvre], wide: float, limit: float, fits: Fits, free: Free | None = None
) -> list[Manoeuvre]:
    """The longest first part of a path that the distance allows and that fits; nothing where no part does. What is
    `free` of the whole mostly is it."""
    twice = 2.0 if any(leg["how"] in SIDEWAYS for leg in path) else 1.0
    most = min(limit, cost(wide, path) * twice)
    if free is not None and most > 0.0:
        whole = fitted(path, wide, most)
        if fits(whole):
            return whole
        stopped = list(free(whole))
        if stopped and fits(stopped):
            return stopped
    part = greatest(most, BACK, lambda inches: fits(fitted(path, wide, inches))) if most > 0.0 else None
    return [] if part is None else fitted(path, wide, part)


MOST_WAYS = 4


def nearest_to(
    where: Pose, wide: float, x: float, y: float, facing: float | None, limit: float, fits: Fits, free: Free | None
) -> list[Manoeuvre] | None:
    """Of the ways to a point what fits and comes nearest to it, straight back and sideways too; None where nothing
    does."""
    ways = list(islice(ways_to(where, wide, x, y, facing), MOST_WAYS))
    right, ahead = local(where, x, y)
    ways.append([forward(ahead) if ahead >= 0 else {"how": "back", "inches": round(-ahead, 3)}])
    ways.append([{"how": "right" if right > 0 else "left", "inches": round(abs(right), 3)}])
    best, nearest = None, math.inf
    for way in ways:
        if best is not None and _no_nearer(where, wide, fitted(way, wide, limit), x, y) > nearest + CLOSE:
            continue  # none of its parts can come as near
        part = longest(way, wide, limit, fits, free)
        if part:
            end = legs_of(where, wide, part)[1]
            far = math.hypot(end[0] - x, end[1] - y)
            if far < nearest:
                best, nearest = part, far
    return best


CLOSE = 1e-6
"""Distances that differ by less are alike."""


def _no_nearer(where: Pose, wide: float, path: Sequence[Manoeuvre], x: float, y: float) -> float:
    """A distance from a point that the middle of the front edge does not come below on a path, nor on a part of it. A
    wheel takes it along a circle of half the width about the corner that stays."""
    least = math.hypot(where[0] - x, where[1] - y)
    for manoeuvre in path:
        leg = leg_of(where, wide, manoeuvre)
        end = carried(where, leg)
        if isinstance(leg, Go):
            far = math.sqrt(point_segment(x, y, where[0], where[1], end[0], end[1]))
        else:
            far = abs(math.hypot(leg.x - x, leg.y - y) - wide / 2)
        least, where = min(least, far), end
    return least
