"""Whom a regiment would stand in, if it stood somewhere."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from umpire.space.angles import turned
from umpire.space.ranks import fronts
from umpire.space.ranks.fronts import Disc, Pose

from . import formation, ranked
from .state import Regiment, State


def overlapped(
    state: State, regiment: Regiment, where: Pose, near: Sequence[tuple[Regiment, Disc]] | None = None
) -> tuple[str, ...]:
    """Regiments that this one would overlap there; `near` are the only ones that it can, with their circles."""
    return tuple(_overlapped(state, regiment, where, near))


def _overlapped(
    state: State, regiment: Regiment, where: Pose, near: Sequence[tuple[Regiment, Disc]] | None = None
) -> Iterator[str]:
    fx, fy, facing = where
    reach, own, shape = ranked.reach_of(regiment), None, None
    for other, (ox, oy, radius) in formation.on_the_table(state) if near is None else near:
        far = reach + radius
        if (ox - fx) * (ox - fx) + (oy - fy) * (oy - fy) > far * far or other.id == regiment.id:
            continue
        if shape is None:
            shape = ranked.shape(regiment)
            half, deep = shape.width / 2, shape.depth / 2
            s, c = turned(facing)
            x, y, room = fx - deep * s, fy - deep * c, math.sqrt(half * half + deep * deep)
        dx, dy = ox - x, oy - y
        if dx * dx + dy * dy > (room + radius) * (room + radius):
            continue
        right, ahead = abs(dx * c - dy * s), abs(dx * s + dy * c)
        if right > half + radius or ahead > deep + radius:
            continue  # beside, before or behind all of it
        t, d = turned(other.facing)
        along, across = abs(c * d + s * t), abs(s * d - c * t)
        its = ranked.shape(other)
        wide, long = its.width / 2, its.depth / 2
        over = half + wide * along + long * across - right, deep + wide * across + long * along - ahead
        if over[0] < 0 or over[1] < 0:
            continue
        # the same as the other sees it
        seen = wide + half * along + deep * across - abs(dx * d - dy * t)
        back = long + half * across + deep * along - abs(dx * t + dy * d)
        if seen < 0 or back < 0:
            continue
        if len(shape.parts) == 1 and len(its.parts) == 1 and min(*over, seen, back) > 2 * formation.TOUCH:
            yield other.id  # neither has a gap in its last rank: as deep as the shallowest of these
            continue
        own = own or ranked.blocks(regiment, where)
        if fronts.gap(own, ranked.blocks(other)) < -formation.TOUCH:
            yield other.id


def friend_at(state: State, regiment: Regiment, end: Pose) -> bool:
    """Would it stand in a friend there?"""
    return next(_overlapped(state, regiment, end, formation.friends_of(state, regiment.side)), None) is not None


def ends_inside(state: State, regiment: Regiment, end: Pose) -> bool:
    """Would it stand in another regiment there, and at no garrison terrain that it might mean to occupy?"""
    if next(_overlapped(state, regiment, end), None) is None:
        return False
    around = ranked.disc(regiment, end)
    return all(p.kind != "garrison" or fronts.discs_apart(around, p.circle, formation.TOUCH) for p in state.terrain)
