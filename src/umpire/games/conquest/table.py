"""What is in the way on the table: obstacles of a move, edges, and where two bodies would meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from umpire.space.measure import closest_points
from umpire.space.moving import Leg
from umpire.space.ranks import fronts
from umpire.space.ranks.fronts import Disc, Pose
from umpire.space.shapes import Base, Point, Thing

from . import formation, ranked, ways_out
from .state import Regiment, State
from .ways_out import Off, keep_off


class Obstacles(NamedTuple):
    """Things in the way, whose they are (a regiment's or terrain's id), and how far to keep from each; `near` are the
    regiments near enough to be overlapped at the end, with the circles about them."""

    things: list[Thing]
    names: list[str]
    gaps: list[float]
    near: list[tuple[Regiment, Disc]]
    reach: float = 0.0
    """How far a move may go for which this is all."""


def obstacles(
    state: State,
    regiment: Regiment,
    where: Pose,
    reach: float,
    *,
    inch: bool = False,
    through_friends: bool = False,
    flying: bool = False,
    bare: str = "",
) -> Obstacles:
    """What can be in the way of a move of `reach` inches.

    `inch` keeps 1" from enemies, garrison and impassable terrain (conquest.march.one-inch); `through_friends` leaves
    out friends that touch no enemy; `bare` is the regiment or terrain that may be touched.
    """
    around = ranked.disc(regiment, where)
    far = reach + 1.5
    clearance = 1.0 if inch else 0.0
    enemies: list[tuple[Regiment, Disc]] = []
    friends: list[tuple[Regiment, Disc]] = []
    x, y, room = around[0], around[1], around[2] + far
    for entry in formation.on_the_table(state):
        other, (ox, oy, radius) = entry
        if (x - ox) * (x - ox) + (y - oy) * (y - oy) <= (room + radius) * (room + radius) and other.id != regiment.id:
            (friends if other.side == regiment.side else enemies).append(entry)
    found = Obstacles([], [], [], enemies + friends, reach)
    foes = formation.foes_of(state, regiment.side) if friends and through_friends and not flying else []
    for other, at in found.near:
        if flying and other.id != bare:
            continue
        friend = other.side == regiment.side
        if friend and through_friends and not fights(state, other, at, foes):
            continue
        for block in ranked.blocks(other):
            found.things.append(block)
            found.names.append(other.id)
            found.gaps.append(0.0 if friend or other.id == bare else clearance)
    for piece in state.terrain:
        ox, oy, radius = piece.circle
        if (x - ox) * (x - ox) + (y - oy) * (y - oy) > (room + radius) * (room + radius):
            continue
        if not piece.solid or (flying and piece.kind != "garrison"):
            continue
        found.things.append(piece.thing)
        found.names.append(piece.id)
        found.gaps.append(0.0 if piece.id == bare else clearance)
    return found


def kept_gaps(found: Obstacles, own: Sequence[Base]) -> list[float]:
    """How far a march keeps from each, from where it begins: whoever begins within 1" of something may move, but comes
    no nearer to it (conquest.march.one-inch)."""
    near: dict[str, float] = {}
    for thing, name, gap in zip(found.things, found.names, found.gaps, strict=True):
        if gap:
            near[name] = min(near.get(name, gap), fronts.gap(own, (thing,)))
    return [max(0.0, near.get(name, gap)) for name, gap in zip(found.names, found.gaps, strict=True)]


def begins_near(found: Obstacles, own: Sequence[Base], hit: int) -> bool:
    """Does a march begin nearer to what stops it than it keeps from it?"""
    name, gap = found.names[hit], found.gaps[hit]
    return gap > 0.0 and any(
        fronts.gap(own, (thing,)) < gap for thing, other in zip(found.things, found.names, strict=True) if other == name
    )


def on_the_way(found: Obstacles, regiment: Regiment, where: Pose, legs: Sequence[Leg]) -> Obstacles:
    """Those obstacles that circles about them and about the regiment on its way do not rule out."""
    kept = Obstacles([], [], [], found.near)
    for k in which_on_the_way(found, regiment, where, legs):
        kept.things.append(found.things[k])
        kept.names.append(found.names[k])
        kept.gaps.append(found.gaps[k])
    return kept


def which_on_the_way(found: Obstacles, regiment: Regiment, where: Pose, legs: Sequence[Leg]) -> Iterator[int]:
    """Which obstacles they are: looked for one by one."""
    return fronts.in_the_way(ranked.disc(regiment, where), legs, found.things, found.gaps)


def fights(state: State, regiment: Regiment, at: Disc, foes: list[tuple[Regiment, Disc]]) -> bool:
    """Does a regiment touch one of these enemies, whose circles are known?"""
    x, y, reach = at[0], at[1], at[2] + formation.TOUCH
    for foe, (fx, fy, radius) in foes:
        far = reach + radius
        if (x - fx) * (x - fx) + (y - fy) * (y - fy) <= far * far and formation.touches(state, regiment, foe):
            return True
    return False


def edges(state: State) -> tuple[Off, ...]:
    """The ground beyond the edges of the table."""
    return ways_out.edges(state.scenario.width, state.scenario.depth)


def around(state: State, regiment: Regiment, where: Pose, limit: float, flying: bool) -> tuple[list[Off], list[Off]]:
    """What a March of this length may not end in, and what stops it on the way; the edges of the table left out.

    Whoever flies is stopped by little, but ends 1" away from what others march around (conquest.rule.fly)."""
    own = ranked.blocks(regiment, where)
    found = obstacles(state, regiment, where, limit, inch=True, through_friends=True, flying=flying)
    ends = [Off(block.corners()) for other, _ in found.near for block in ranked.blocks(other)]
    if flying:
        below = obstacles(state, regiment, where, limit, inch=True)
        kept = [(thing, gap) for thing, gap in zip(below.things, below.gaps, strict=True) if gap]
        gaps = [min(gap, max(0.0, fronts.gap(own, (thing,)))) for thing, gap in kept]
        ends += keep_off([thing for thing, _ in kept], gaps)
    return ends, keep_off(found.things, kept_gaps(found, own))


def shortest(state: State, regiment: Regiment, enemy: Regiment) -> Point:
    """The shortest move that brings a regiment against an enemy."""
    own, other = ranked.blocks(regiment), formation.body(state, enemy)
    (ax, ay), (bx, by) = min(
        (closest_points(a, b) for a in own for b in other),
        key=lambda pair: (pair[0][0] - pair[1][0]) ** 2 + (pair[0][1] - pair[1][1]) ** 2,
    )
    return bx - ax, by - ay
