"""What players who think ahead reckon with: ways up to platforms and down again, worked out once for a table, and what
an attack does in expectation, by numbers alone.

Nothing here judges a move: what stands in the way, the judge of moves finds out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from umpire.games.warcry.attack import need_to_hit, read_hits
from umpire.games.warcry.paths import HAIR, leg
from umpire.games.warcry.profiles import MOUNT, Profile
from umpire.games.warcry.state import Fighter
from umpire.games.warcry.terrain import OPENINGS, STEPS, Ground, Layout, PlacedPart, ground_of
from umpire.odds import Dist, faces
from umpire.space import nets
from umpire.space.moving import Go
from umpire.space.plates import sides
from umpire.space.shapes import TOLERANCE, Base, Round

Spot = tuple[float, float]
IN_REACH = 2.0
"""A marker no higher than this above one's feet can be held from there."""
INWARDS = (0.05, 0.3, 0.6, 1.0)
"""How far from the edge a climb may end on the platform."""
SHARES = (0.5, 0.2, 0.8)
"""Where along the foot of a wall one climbs."""


class Climb(NamedTuple):
    """From a foot on the floor to a head on a platform of some height, along a part."""

    foot: Spot
    head: Spot
    z: float
    part: str
    stairs: bool
    easy: bool
    """Mounts can climb here too."""

    @property
    def inches(self) -> float:
        flat = math.dist(self.foot, self.head)
        return math.hypot(flat, self.z) if self.stairs else flat + self.z

    def up(self) -> list[dict[str, Any]]:
        onto = leg("climb", *self.head, self.z, on=self.part)
        return [onto] if self.stairs else [leg("climb", *self.foot, self.z, on=self.part), onto]

    def down(self) -> list[dict[str, Any]]:
        floor = leg("climb", *self.foot, 0.0, on=self.part)
        return [floor] if self.stairs else [leg("climb", *self.foot, self.z, on=self.part), floor]


Build = tuple[float, float, bool]
"""What decides where a fighter climbs: its base, its height, and whether it is a mount."""


def _build(fighter: Fighter) -> Build:
    profile = fighter.profile
    return profile.base, profile.height, MOUNT in profile.runemarks


@lru_cache(256)
def _climbs(ground: Ground, build: Build) -> tuple[Climb, ...]:
    base, height, mount = build
    radius = base / 50.8
    found: list[Climb] = []
    for part in ground.parts:
        if part.floor > TOLERANCE or part.kind in ("low", "unclimbable", *OPENINGS):
            continue
        for climb in _stairs(part, radius) if part.kind == "stairs" else _walls(ground, part, radius):
            if (climb.easy or not mount) and _free(ground, climb, Base(Round(radius), *climb.foot, 0.0, 0.0, height)):
                found.append(climb)
    return tuple(found)


def _free(ground: Ground, climb: Climb, foot: Base) -> bool:
    """Does no terrain jut out over the way?"""
    if ground.blocked(foot) or ground.off_table(foot):
        return False
    dx, dy = climb.head[0] - climb.foot[0], climb.head[1] - climb.foot[1]
    if climb.stairs:
        return not ground.in_the_way(foot, Go(dx, dy, climb.z), ground.stairway(ground.index[climb.part]))
    top = foot.at(*climb.foot, climb.z)
    return not ground.in_the_way(foot, Go(0.0, 0.0, climb.z)) and not ground.in_the_way(top, Go(dx, dy))


def _stairs(part: PlacedPart, radius: float) -> Iterator[Climb]:
    foot, head = part.flight(radius + HAIR)
    yield Climb(foot[:2], head[:2], part.top, part.id, True, True)


def _walls(ground: Ground, part: PlacedPart, radius: float) -> Iterator[Climb]:
    for ax, ay, bx, by, nx, ny in sides(part.points):
        for share in SHARES:
            ex, ey = ax + (bx - ax) * share, ay + (by - ay) * share
            for z in ground.levels:
                if not TOLERANCE < z <= part.top + 0.5:
                    continue
                for inwards in INWARDS:
                    head = (ex - nx * inwards, ey - ny * inwards)
                    if ground.surface(*head, z) is not None:
                        foot = (ex + nx * (radius + HAIR), ey + ny * (radius + HAIR))
                        yield Climb(foot, head, z, part.id, False, part.kind in STEPS)
                        break


def _leads(ground: Ground, climb: Climb, x: float, y: float, z: float) -> bool:
    """Does a climb end on the platform of a spot?"""
    return abs(climb.z - z) < 0.1 and ground.stays_on(*climb.head, x, y, z)


@lru_cache(8192)
def _ways(ground: Ground, build: Build, x: float, y: float, z: float) -> tuple[Climb, ...]:
    return tuple(climb for climb in _climbs(ground, build) if _leads(ground, climb, x, y, z))


def ways(layout: Layout, fighter: Fighter, x: float, y: float, z: float) -> tuple[Climb, ...]:
    """The ways between the floor and the platform of a spot that a fighter can climb."""
    return _ways(ground_of(layout), _build(fighter), x, y, z)


def climbs(layout: Layout, fighter: Fighter) -> tuple[Climb, ...]:
    """Where a fighter could climb from the floor to any platform."""
    return _climbs(ground_of(layout), _build(fighter))


LOW, TALL = 2.2, 4.0
"""Who is taller than the first does not pass under platforms; the rest do."""


def net_of(layout: Layout, profile: Profile) -> nets.Net:
    """The ground on foot for a fighter of such a base and height."""
    return nets.net_of(ground_of(layout), profile.base / 50.8, TALL if profile.height > LOW else 1.0)


# -- attacks -----------------------------------------------------------------------------------------------------


@lru_cache(4096)
def damage_of(attacks: int, need: int, hit: int, critical: int) -> Dist:
    """The damage of an attack action that hits on `need`, read from its dice as in play."""
    strength = {3: 2, 4: 1, 5: 0}[need]
    read = faces(6, lambda face: read_hits([face], strength, 1)[0])
    return read.mix({"miss": 0, "hit": hit, "critical": critical}).times(attacks)


@lru_cache(65536)
def blow(attacks: int, need: int, hit: int, critical: int, left: int) -> tuple[float, float]:
    """The chance that so many wounds left are taken, and how many are in the mean."""
    damage = damage_of(attacks, need, hit, critical)
    return damage.at_least(left), damage.min(left).mean


Blow = tuple[float, float]
Strikes = tuple[tuple[float, tuple[Blow, ...]], ...]


Arm = tuple[float, int, int, int, int]
"""A weapon by its numbers: range, attacks, strength, damage of a hit and of a critical hit."""


@lru_cache(65536)
def strikes(weapons: tuple[Arm, ...], tough: int, left: int) -> Strikes:
    """For each weapon its range and what one, two and three attack actions do to a target of such toughness with so
    many wounds left; by the numbers on the cards."""
    return tuple(
        (
            reach,
            tuple(blow(attacks * times, need_to_hit(strength, tough), hit, critical, left) for times in (1, 2, 3)),
        )
        for reach, attacks, strength, hit, critical in weapons
    )
