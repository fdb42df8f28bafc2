"""Random moves for players without a plan: quick guesses of every kind, which the judge then checks."""

from __future__ import annotations

import math
from typing import Any

from umpire.engine.rng import Rng
from umpire.games.warcry.legs import Tracer, why_not_fly
from umpire.games.warcry.paths import HAIR, leg, onto
from umpire.games.warcry.placing import body
from umpire.games.warcry.profiles import MONSTER, MOUNT
from umpire.games.warcry.terrain import PlacedPart
from umpire.space.shapes import TOLERANCE


def propose(tracer: Tracer, rng: Rng) -> Any:
    """A move action at random: walks towards something, climbs, jumps, doors, flights."""
    fighter = tracer.fighter
    if fighter.climbing:
        return _on_the_wall(tracer, rng)
    dice = rng.below(100)
    if fighter.flies and dice < 60 and not why_not_fly(tracer.state, fighter):
        return _flight(tracer, rng)
    if fighter.z > TOLERANCE:
        if dice < 40:
            return _jump(tracer, rng)
        if dice < 55:
            return _climb(tracer, rng)
    elif dice < 35:
        return _climb(tracer, rng)
    elif dice < 50:
        return _door(tracer, rng) or _walk(tracer, rng)
    return _walk(tracer, rng)


def propose_out(tracer: Tracer, rng: Rng) -> Any:
    """A disengage at random."""
    fighter = tracer.fighter
    angle, far = rng.uniform(0.0, 2 * math.pi), rng.uniform(0.4, 1.0) * tracer.limit
    return {"path": [_ray(tracer, fighter.x, fighter.y, fighter.z, far * math.cos(angle), far * math.sin(angle))]}


def _ray(tracer: Tracer, x: float, y: float, z: float, dx: float, dy: float) -> dict[str, Any]:
    """A walk in a direction, as far as nothing is in the way."""
    t = tracer.ray(body(tracer.fighter, x, y, z), dx, dy)
    return leg("walk", x + t * dx, y + t * dy)


def _aim(tracer: Tracer, rng: Rng) -> tuple[float, float]:
    """Where to: an enemy, an objective, a treasure, or anywhere."""
    state, fighter = tracer.state, tracer.fighter
    dice = rng.below(10)
    if dice < 7:
        enemies = [f for f in tracer.others if f.side != fighter.side]
        if enemies:
            some = (rng.choice(enemies), rng.choice(enemies), rng.choice(enemies))
            near = min(some, key=lambda f: math.hypot(f.x - fighter.x, f.y - fighter.y))
            return near.x, near.y
    elif dice < 9:
        free = [t for t in state.treasures if not t.carrier]
        marks = [(t.x, t.y) for t in free] or [(o.x, o.y) for o in state.objectives]
        if marks:
            return rng.choice(marks)
    return rng.uniform(0.0, tracer.ground.layout.width), rng.uniform(0.0, tracer.ground.layout.depth)


def _walk(tracer: Tracer, rng: Rng) -> Any:
    fighter = tracer.fighter
    x, y = _aim(tracer, rng)
    dx, dy = x - fighter.x, y - fighter.y
    far = math.hypot(dx, dy) or 1.0
    share = min(tracer.limit, far) * (1.0 if rng.below(3) else rng.random()) / far
    first = _ray(tracer, fighter.x, fighter.y, fighter.z, dx * share, dy * share)
    left = tracer.limit - math.hypot(first["x"] - fighter.x, first["y"] - fighter.y) - 0.01
    if left < 1.0 or rng.below(3):
        return {"path": [first]}
    angle = math.atan2(dy, dx) + rng.uniform(-2.0, 2.0)
    second = _ray(tracer, first["x"], first["y"], fighter.z, left * math.cos(angle), left * math.sin(angle))
    return {"path": [first, second]}


def _flight(tracer: Tracer, rng: Rng) -> Any:
    fighter = tracer.fighter
    angle, far = rng.uniform(0.0, 2 * math.pi), rng.uniform(0.4, 1.0) * tracer.limit
    x, y = fighter.x + far * math.cos(angle), fighter.y + far * math.sin(angle)
    heights = tracer.ground.surfaces(x, y)
    return {"path": [leg("fly", x, y, rng.choice(heights))]}


def _jump(tracer: Tracer, rng: Rng) -> Any:
    """Over an edge: to the platform's rim, then out into the air, down to something or to nothing yet."""
    fighter = tracer.fighter
    angle, far = rng.uniform(0.0, 2 * math.pi), rng.uniform(0.5, 1.0) * tracer.limit
    x, y = fighter.x + far * math.cos(angle), fighter.y + far * math.sin(angle)
    lower = [z for z in tracer.ground.surfaces(x, y) if z <= fighter.z + TOLERANCE]
    z = fighter.z if rng.below(5) == 0 else lower[-1]
    tops = [p for p in tracer.ground.unclimbable if p.top <= fighter.z]
    if tops and rng.below(3) == 0:
        top = rng.choice(tops)
        x, y = rng.choice(top.points)
        return {"path": [leg("jump", x, y, top.top)]}
    return {"path": [leg("jump", x, y, z)]}


def _near_part(tracer: Tracer, rng: Rng, openings: bool) -> int | None:
    """Some part of terrain within the move that could be climbed, or an opening."""
    fighter = tracer.fighter
    reach = tracer.limit + 0.5
    x0, y0, x1, y1 = fighter.x - reach, fighter.y - reach, fighter.x + reach, fighter.y + reach
    ground, mount = tracer.ground, MOUNT in fighter.profile.runemarks
    boxes = ground.openings if openings else ground.steps if mount else ground.climbable
    found = boxes.near(x0, y0, x1, y1)
    return rng.choice(found)[0] if found else None


def _climb(tracer: Tracer, rng: Rng) -> Any:
    """To a wall, up or down it, and onto what is at its end, as far as the move goes."""
    at = _near_part(tracer, rng, False)
    if at is None:
        return _walk(tracer, rng)
    fighter, ground = tracer.fighter, tracer.ground
    part = ground.parts[at]
    if part.rise is not None:
        return _stairs(tracer, part, rng)
    radius = fighter.profile.base / 50.8 + HAIR
    edges = ground.sides(part)
    facing = [e for e in edges if (fighter.x - e[0]) * e[4] + (fighter.y - e[1]) * e[5] > radius - 0.1]
    ax, ay, bx, by, nx, ny = rng.choice(facing or edges)
    ex, ey = onto(ax, ay, bx, by, fighter.x, fighter.y)
    cx, cy = ex + nx * radius, ey + ny * radius
    far = math.hypot(cx - fighter.x, cy - fighter.y)
    left = tracer.limit - far - 0.01
    if fighter.z > TOLERANCE and abs(part.top - fighter.z) < 0.5:
        return _down(tracer, part.id, cx, cy, rng)
    rise = min(left, part.top - fighter.z)
    if left <= 0.3 or rise <= 0.1:
        return _walk(tracer, rng)
    path = [leg("walk", cx, cy)] if far > 0.01 else []
    z = fighter.z + rise
    path.append(leg("climb", cx, cy, z, on=part.id))
    inwards = radius + rng.choice((0.05, 0.3))
    if left - rise >= inwards:
        x, y = cx - nx * inwards, cy - ny * inwards
        if ground.surface(x, y, z) is not None:
            path.append(leg("climb", x, y, z, on=part.id))
            left -= rise + inwards
            if left > 0.5 and rng.below(2):
                angle = rng.uniform(0.0, 2 * math.pi)
                path.append(_ray(tracer, x, y, z, left * math.cos(angle), left * math.sin(angle)))
    elif fighter.profile.has(MONSTER) and rng.below(4):
        return _walk(tracer, rng)
    return {"path": path}


def _down(tracer: Tracer, part: str, cx: float, cy: float, rng: Rng) -> Any:
    """From a platform over its edge and down the wall."""
    fighter = tracer.fighter
    out = math.hypot(cx - fighter.x, cy - fighter.y)
    lower = [z for z in tracer.ground.surfaces(cx, cy) if z < fighter.z - TOLERANCE]
    left = tracer.limit - out - 0.01
    if left <= 0.2 or not lower:
        return _walk(tracer, rng)
    drop = min(left, fighter.z - lower[-1])
    return {"path": [leg("climb", cx, cy, fighter.z, on=part), leg("climb", cx, cy, fighter.z - drop, on=part)]}


def _stairs(tracer: Tracer, part: PlacedPart, rng: Rng) -> Any:
    """Up or down stairs, all the way or a part of it."""
    fighter = tracer.fighter
    foot, head = part.flight(fighter.profile.base / 50.8 + HAIR)
    start, end = (foot, head) if abs(fighter.z - part.floor) < TOLERANCE else (head, foot)
    far = math.hypot(start[0] - fighter.x, start[1] - fighter.y)
    way = math.dist(start, end)
    share = min(1.0, (tracer.limit - far - 0.01) / way)
    if share <= 0.05:
        return _walk(tracer, rng)
    path = [leg("walk", start[0], start[1])] if far > 0.01 else []
    x, y, z = (start[i] + (end[i] - start[i]) * share for i in range(3))
    path.append(leg("climb", x, y, z))
    return {"path": path}


def _door(tracer: Tracer, rng: Rng) -> Any:
    """To a doorway and through it."""
    at = _near_part(tracer, rng, True)
    if at is None:
        return None
    fighter, part = tracer.fighter, tracer.ground.parts[at]
    one, two = part.thresholds(fighter.profile.base / 50.8 + HAIR)
    # Which side of the doorway it is on, as the line across its middle tells.
    ahead = (fighter.x - (one[0] + two[0]) / 2) * (one[0] - two[0])
    ahead += (fighter.y - (one[1] + two[1]) / 2) * (one[1] - two[1])
    before, behind = (one, two) if ahead > 0 else (two, one)
    return {"path": [leg("walk", *before[:2]), leg("walk", *behind[:2], through=part.id)]}


def _on_the_wall(tracer: Tracer, rng: Rng) -> Any:
    """A climbing fighter goes on up or down, or lets go in a jump."""
    fighter, ground = tracer.fighter, tracer.ground
    dice = rng.below(10)
    x, y = fighter.x, fighter.y
    if dice < 2:
        return {"path": []}
    if dice < 4:
        angle, far = rng.uniform(0.0, 2 * math.pi), rng.uniform(0.2, 1.0) * tracer.limit
        px, py = x + far * math.cos(angle), y + far * math.sin(angle)
        lower = [z for z in ground.surfaces(px, py) if z <= fighter.z + TOLERANCE]
        return {"path": [leg("jump", px, py, lower[-1])]}
    part = ground.parts[ground.index[fighter.climbing]]
    if part.rise is not None:
        return _stairs_on(tracer, part, rng)
    if dice < 7:
        lower = [z for z in ground.surfaces(x, y) if z < fighter.z]
        return {"path": [leg("climb", x, y, max(lower[-1] if lower else 0.0, fighter.z - tracer.limit))]}
    rise = min(tracer.limit, part.top - fighter.z)
    path = [leg("climb", x, y, fighter.z + rise, on=part.id)]
    left = tracer.limit - rise
    for ax, ay, _, _, nx, ny in ground.sides(part):
        if (x - ax) * nx + (y - ay) * ny > 0 and left > 0.1:
            inwards = min(left, fighter.profile.base / 50.8 + 0.1)
            path.append(leg("climb", x - nx * inwards, y - ny * inwards, fighter.z + rise, on=part.id))
            break
    return {"path": path}


def _stairs_on(tracer: Tracer, part: PlacedPart, rng: Rng) -> Any:
    fighter = tracer.fighter
    foot, head = part.flight(fighter.profile.base / 50.8 + HAIR)
    end = head if rng.below(2) else foot
    here = (fighter.x, fighter.y, fighter.z)
    way = math.dist(here, end) or 1.0
    share = min(1.0, (tracer.limit - 0.01) / way)
    x, y, z = (here[i] + (end[i] - here[i]) * share for i in range(3))
    return {"path": [leg("climb", x, y, z)]}
