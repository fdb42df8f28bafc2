"""What a way costs at the least: worked out before ways are looked for, so that too great a wish is soon refused."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from umpire.games.warcry.legs import CONTACT, Tracer
from umpire.games.warcry.profiles import MOUNT
from umpire.games.warcry.searching import Spot
from umpire.games.warcry.terrain import FLOOR, OPENINGS, STEPS, PlacedPart
from umpire.space.paths import path
from umpire.space.plates import Segment, Side
from umpire.space.shapes import TOLERANCE, Base, Point, Round, Thing


def surroundings(
    tracer: Tracer,
) -> tuple[Base, list[Thing], tuple[float, float], list[Segment]]:
    """The body that walks, what is in its way within its move, the table, and the edge of the platform that it is on
    (none on the floor)."""
    fighter, ground = tracer.fighter, tracer.ground
    far = tracer.limit + fighter.profile.base / 50.8 + 0.1
    box = fighter.x - far, fighter.y - far, fighter.x + far, fighter.y + far
    things: list[Thing] = [prism for _, prism in ground.near(*box)]
    things += [other.base for other in tracer.others]
    surface = ground.surface(fighter.x, fighter.y, fighter.z)
    fence = [] if surface is None or surface == FLOOR else ground.rim(ground.index[surface])
    return fighter.base, things, (ground.layout.width, ground.layout.depth), fence


def may_walk(tracer: Tracer, goal: Spot, budget: float) -> bool:
    """Could a walk on one floor be short enough? Worked out for a body a little smaller, so that "no" is a fact."""
    if abs(goal[2] - tracer.fighter.z) > TOLERANCE:
        return False
    base, things, table, fence = surroundings(tracer)
    small = Base(Round(base.shape.radius - TOLERANCE), base.x, base.y, base.z, 0.0, base.height)  # type: ignore[union-attr]
    return path(small, *goal[:2], things, 0.0, table, budget + ROOM, fence) is not None


ROOM = 0.005
"""So much shorter than by a smaller body rounding makes no walk."""


def may_do(tracer: Tracer, goal: Spot, budget: float) -> bool:
    """Could any way but a walk be short enough? From higher up it may be a jump."""
    return tracer.fighter.z > TOLERANCE or next(passable(tracer, goal, budget), None) is not None


def passable(tracer: Tracer, goal: Spot, budget: float) -> Iterator[PlacedPart]:
    """The parts that a way could lead over or through and be short enough. It goes through the middle of a doorway, or
    up or down a wall: straight there, and from there at least as far as it is; from the floor with all that it has to
    rise."""
    fighter, ground = tracer.fighter, tracer.ground
    most, (x, y), to = budget + TOLERANCE, (fighter.x, fighter.y), goal[:2]
    rise = goal[2] if goal[2] > TOLERANCE else min((z for z in ground.levels if z > TOLERANCE), default=math.inf)
    if fighter.z > TOLERANCE:
        rise = 0.0
    high = math.hypot(math.dist((x, y), to), rise) > most
    mounted = MOUNT in fighter.profile.runemarks
    for part in ground.parts:
        if part.kind in OPENINGS:
            mx = math.fsum(p[0] for p in part.points) / len(part.points)
            my = math.fsum(p[1] for p in part.points) / len(part.points)
            if math.dist((x, y), (mx, my)) + math.dist((mx, my), to) <= most + DOORWAY:
                yield part
        elif high or part.kind in ("low", "unclimbable") or (mounted and part.kind not in STEPS):
            continue
        elif _leads_over(ground.sides(part), (x, y), to, fighter.profile.base / 50.8 + CONTACT, rise, most):
            yield part


DOORWAY = 0.2
"""Through the middle of a doorway leads what passes it no further off than a tenth of an inch."""


def _leads_over(edges: Sequence[Side], start: Point, goal: Point, reach: float, rise: float, most: float) -> bool:
    """Could a way be so short that touches a wall and rises from there: so far as it is to a place in reach of the
    wall, and on with the height? It is shortest where the way there is straight, or at the edge of what is in reach."""

    def by(cx: float, cy: float) -> float:
        on = math.hypot(goal[0] - cx, goal[1] - cy)
        return math.hypot(start[0] - cx, start[1] - cy) + math.sqrt(on * on + rise * rise)

    if all((start[0] - e[0]) * e[4] + (start[1] - e[1]) * e[5] <= reach for e in edges):
        return by(*start) <= most
    for ax, ay, bx, by_, nx, ny in edges:
        length = math.hypot(bx - ax, by_ - ay)
        ux, uy = (bx - ax) / length, (by_ - ay) / length
        px, py = ax + nx * reach, ay + ny * reach
        # Corners of what is in reach are cut off by no more than this.
        low, high = -4 * reach, length + 4 * reach
        for _ in range(40):
            one, two = low + (high - low) / 3, high - (high - low) / 3
            first, second = by(px + ux * one, py + uy * one), by(px + ux * two, py + uy * two)
            least = min(first, second)
            if least - TOLERANCE <= most:
                return True
            if least - 2 * (high - low) > most:
                break  # a step along the wall changes both parts of the way by no more than itself
            if first <= second:
                high = two
            else:
                low = one
    return False
