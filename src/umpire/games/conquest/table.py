"""What is in the way on the table: obstacles of a move, edges, and where two bodies would meet."""

from __future__ import annotations

from typing import NamedTuple

from umpire.space.measure import closest_points
from umpire.space.shapes import Thing

from . import formation
from .formation import Pose
from .state import Regiment, State


class Obstacles(NamedTuple):
    """Things in the way, whose they are (a regiment's or terrain's id), and how far to keep from each."""

    things: list[Thing]
    names: list[str]
    gaps: list[float]


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
    found = Obstacles([], [], [])
    around = formation.disc(regiment, where)
    far = reach + 1.5
    clearance = 1.0 if inch else 0.0
    for other in state.regiments.values():
        if other is regiment or other.where != "table" or (flying and other.id != bare):
            continue
        if formation.discs_apart(around, formation.disc(other), far):
            continue
        friend = other.side == regiment.side
        if friend and through_friends and not formation.in_contact(state, other):
            continue
        for block in formation.blocks(other):
            found.things.append(block)
            found.names.append(other.id)
            found.gaps.append(0.0 if friend or other.id == bare else clearance)
    for piece in state.terrain:
        if piece.kind != "garrison" and ("impassable" not in piece.rules or flying):
            continue
        thing = formation.outline(piece.points)
        if formation.discs_apart(around, formation.outline_extent(piece.points), far):
            continue
        found.things.append(thing)
        found.names.append(piece.id)
        found.gaps.append(0.0 if piece.id == bare else clearance)
    return found


def ways_to_touch(state: State, regiment: Regiment, enemy: Regiment) -> list[tuple[float, float]]:
    """Straight moves that bring a regiment against an enemy: the shortest, and those along its own facing and side."""
    own, other = formation.blocks(regiment), formation.body(state, enemy)
    (ax, ay), (bx, by) = min(
        (closest_points(a, b) for a in own for b in other),
        key=lambda pair: (pair[0][0] - pair[1][0]) ** 2 + (pair[0][1] - pair[1][1]) ** 2,
    )
    return [(bx - ax, by - ay)]
