"""Visibility and cover: lines between bodies past terrain and fighters, and the line between the bases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from umpire.engine.decisions import Ends
from umpire.engine.picture import Piece, Sight
from umpire.games.warcry.state import Fighter, State, distance
from umpire.space.measure import true_distance
from umpire.space.plain import point_segment
from umpire.space.shapes import TOLERANCE, Base, Prism, Round, mm
from umpire.space.sight import visible as line_free
from umpire.space.terrain import crossings

BASE_THICKNESS = 0.15
"""Bases are left out when looking (warcry.core.visibility-base): a body begins above its base."""
ACROSS = 7
HAIR = 0.01
"""What the line between the middles of two bodies passes by at this distance is not in its way."""


def body_of(fighter: Fighter) -> Base:
    """What can be seen of a fighter, and seen from: a round body over its base, without the base."""
    profile = fighter.profile
    return Base(
        Round(profile.base / 50.8 * 0.8),
        fighter.x,
        fighter.y,
        fighter.z + BASE_THICKNESS,
        0.0,
        profile.height - BASE_THICKNESS,
    )


def sees(state: State, a: Fighter, b: Fighter) -> bool:
    """Is each visible to the other? A fighter is not visible to itself (warcry.core.visibility-self)."""
    if a is b:
        return False
    return _free(state, body_of(a), body_of(b), (a.id, b.id))


def sees_spot(state: State, fighter: Fighter, x: float, y: float, z: float) -> bool:
    """Can a fighter see a point of the battlefield?"""
    spot = Base(Round(0.05), x, y, z + 0.01, 0.0, 0.1)
    return _free(state, body_of(fighter), spot, (fighter.id,))


def _free(state: State, a: Base, b: Base, without: tuple[str, ...]) -> bool:
    reach = max(a.shape.radius, b.shape.radius)  # type: ignore[union-attr]
    x0, x1 = (a.x, b.x) if a.x < b.x else (b.x, a.x)
    y0, y1 = (a.y, b.y) if a.y < b.y else (b.y, a.y)
    x0, y0, x1, y1 = x0 - reach, y0 - reach, x1 + reach, y1 + reach
    low, high = min(a.z, b.z), max(a.top, b.top)
    ground = state.ground
    blockers: list[Base | Prism] = []
    middle = False
    for _, prism, away in ground.opaque.along(a.x, a.y, b.x, b.y, reach, low, high):
        blockers.append(prism)
        middle = middle or away <= HAIR
    for other in state.fighters:
        if other.where != "field" or other.id in without:
            continue
        r = other.profile.base / 50.8
        if other.x + r > x0 and other.x - r < x1 and other.y + r > y0 and other.y - r < y1:
            bz = other.z
            if bz < high and bz + other.profile.height > low:
                blockers.append(body_of(other))
                wide = r + HAIR
                middle = middle or point_segment(other.x, other.y, a.x, a.y, b.x, b.y) <= wide * wide
    # The line from middle to middle mostly passes everything by, or one beside it does.
    return not blockers or not middle or _beside(a, b, blockers) or _line_free(a, b, tuple(blockers))


def _beside(a: Base, b: Base, blockers: Sequence[Base | Prism]) -> bool:
    """Does some line between the tops of two bodies, alongside that from middle to middle, certainly pass everything
    by? It passes over whatever is lower than both."""
    dx, dy = b.x - a.x, b.y - a.y
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return False
    nx, ny = -dy / length, dx / length
    middle, half = nx * a.x + ny * a.y, min(a.shape.radius, b.shape.radius)  # type: ignore[union-attr]
    roof = min(a.top, b.top) - HAIR
    shut = []
    for thing in blockers:
        if thing.top <= roof:
            continue
        if isinstance(thing, Prism):
            off = [nx * x + ny * y for x, y in thing.points]
            shut.append((min(off) - middle - HAIR, max(off) - middle + HAIR))
        else:
            off_middle, wide = nx * thing.x + ny * thing.y - middle, thing.shape.radius + HAIR  # type: ignore[union-attr]
            shut.append((off_middle - wide, off_middle + wide))
    free = -half
    for low, high in sorted(shut):
        if low > free or free >= half:
            break
        free = max(free, high)
    return free < half


@lru_cache(maxsize=4096)
def _line_free(a: Base, b: Base, blockers: tuple[Base | Prism, ...]) -> bool:
    """Kept, since whoever has not moved is looked for again."""
    return line_free(a, b, blockers, across=ACROSS)


WIDTH = mm(1)
LIFT = 0.05
"""The line runs this much above the bases' undersides, so that what they stand on is not in its way."""


def cover(state: State, attacker: Fighter, target: Fighter) -> str:
    """The rule that puts a target in cover from an attacker, or nothing (warcry.terrain.cover)."""
    return cover_and_why_not(state, attacker, target)[0]


def cover_and_why_not(state: State, attacker: Fighter, target: Fighter) -> tuple[str, list[str]]:
    """The rule that gives cover, and those by which something in the way gives none."""
    surface = state.ground.surface(target.x, target.y, target.z)
    if target.z - attacker.z >= 2.0 - TOLERANCE and surface not in (None, "floor"):
        return "warcry.terrain.cover-platform", []
    counted, near = obstacles_between(state, attacker, target)
    ignored = ["warcry.terrain.cover-near-attacker"] if near else []
    if counted:
        return "warcry.terrain.cover-obstacle", ignored
    if target.z > 0 and attacker.z > 0:
        ignored.append("warcry.terrain.cover-over")
    return "", ignored


def between(state: State, one: Piece, other: Piece) -> Sight:
    """What a player is told who measures from one fighter to another."""
    attacker, target = state.fighter(one.id), state.fighter(other.id)
    if attacker is target and state.applies("warcry.core.visibility-self"):
        return Sight(False, rules=("warcry.core.visibility-self",))
    covered, ignored = cover_and_why_not(state, attacker, target)
    rules = ["warcry.core.visibility", "warcry.core.visibility-base"]
    rules += ["warcry.terrain.cover", covered] if covered else []
    return Sight(sees(state, attacker, target), bool(covered), (*rules, *ignored))


def seen_by(state: State, key: str, ends: Ends) -> list[str]:
    """The enemies that would see a fighter where it ends."""
    fighter, end = state.fighter(key), ends[key]
    there = msgspec.structs.replace(fighter, x=end.x, y=end.y, z=end.z)
    return [foe.id for foe in state.enemies(fighter) if foe.where == "field" and sees(state, foe, there)]


def obstacles_between(state: State, attacker: Fighter, target: Fighter) -> tuple[list[int], list[int]]:
    """The obstacles that the line between two bases passes through: those that count, and those near the attacker."""
    dx, dy = target.x - attacker.x, target.y - attacker.y
    length = math.hypot(dx, dy)
    ra, rb = attacker.profile.base / 50.8, target.profile.base / 50.8
    if length <= ra + rb:
        return [], []
    ux, uy = dx / length, dy / length
    start = (attacker.x + ux * ra, attacker.y + uy * ra)
    end = (target.x - ux * rb, target.y - uy * rb)
    heights = (attacker.z + LIFT, target.z + LIFT)
    through: list[int] = []
    low, high = min(heights), max(heights)
    ground = state.ground
    for part, prism, _ in ground.boxes.along(*start, *end, WIDTH, low, high):
        if part in through or ground.parts[part].kind in ("arch", "door"):
            continue
        if any(
            crossings((start[0] - uy * o, start[1] + ux * o), (end[0] - uy * o, end[1] + ux * o), (prism,), heights)
            for o in (0.0, -WIDTH / 2, WIDTH / 2)
        ):
            through.append(part)
    near = []
    if through and distance(attacker, target) > 1.0 + TOLERANCE:
        base = attacker.base
        near = [
            part
            for part in through
            if any(true_distance(base, prism) <= 0.5 + TOLERANCE for prism in ground.prisms[part])
        ]
    return [part for part in through if part not in near], near
