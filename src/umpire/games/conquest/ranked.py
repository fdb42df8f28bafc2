"""Regiments as ranks and files of equal stands: where each stand is, the body they make, its arcs, what is lost.

The middle of the front edge and a facing say where a regiment is. What is found about its body is kept by it until it
moves or loses a stand.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import msgspec

from umpire.space.angles import normal
from umpire.space.plain import point_segment
from umpire.space.ranks.fronts import Body, Disc, Pose, body_of, clipped, disc_about, local, world
from umpire.space.shapes import Base, Point, Rect, snap

from .state import Regiment, Stand


def rear_starts(count: int, files: int) -> list[int]:
    """The files at which the last rank may begin, the one that puts it in the middle first."""
    room = -count % files
    return sorted(range(room + 1), key=lambda start: (start != room // 2, start))


def slots(count: int, files: int, start: int | None = None) -> list[tuple[int, int]]:
    """The places of a formation; its last rank begins at a file, or stands in the middle."""
    ranks = -(-count // files)
    room = -count % files
    first = room // 2 if start is None else start
    return [(rank, file) for rank in range(ranks - 1) for file in range(files)] + [
        (ranks - 1, first + file) for file in range(files - room)
    ]


def matched(allowed: Sequence[Sequence[int]]) -> dict[int, int] | None:
    """Who takes which place, by place, where each may take some of them, dearest first; None if not all can."""
    held: dict[int, int] = {}

    def find(who: int, seen: list[int]) -> bool:
        for place in allowed[who]:
            if place in seen:
                continue
            seen.append(place)
            if place not in held or find(held[place], seen):
                held[place] = who
                return True
        return False

    order = sorted(range(len(allowed)), key=lambda who: len(allowed[who]))
    return held if all(find(who, []) for who in order) else None


def pose(regiment: Regiment) -> Pose:
    return regiment.x, regiment.y, regiment.facing


def put(regiment: Regiment, where: Pose) -> None:
    """Stand the regiment there; what it does next is measured from there."""
    regiment.x, regiment.y = snap(where[0]), snap(where[1])
    regiment.facing = normal(round(where[2], 6))


def formed(regiment: Regiment, stands: Sequence[Stand], files: int) -> Regiment:
    """The regiment as it would be in another formation; it stays as it is itself."""
    return msgspec.structs.replace(regiment, stands=stands, files=files)


def depth(regiment: Regiment) -> float:
    return regiment.ranks * regiment.profile.depth


def width(regiment: Regiment) -> float:
    return regiment.files * regiment.profile.width


def centre(regiment: Regiment, where: Pose | None = None) -> Point:
    """The centre of the bounding rectangle."""
    return world(where or pose(regiment), 0.0, -depth(regiment) / 2)


def rectangle(regiment: Regiment, where: Pose | None = None) -> Base:
    """The full rectangle of greatest length and width."""
    here = where or pose(regiment)
    total = depth(regiment)
    x, y = world(here, 0.0, -total / 2)
    return Base(Rect(width(regiment), total), x, y, 0.0, here[2])


def place(regiment: Regiment, where: Pose, files: int, rank: int, file: int) -> Point:
    """The middle of a place in a formation of so many files behind that front edge."""
    w, d = regiment.profile.stand
    return world(where, (file - (files - 1) / 2) * w, -(rank + 0.5) * d)


def stand_base(regiment: Regiment, stand: Stand, where: Pose | None = None) -> Base:
    here = where or pose(regiment)
    x, y = place(regiment, here, regiment.files, stand.rank, stand.file)
    return Base(Rect(*regiment.profile.stand), x, y, 0.0, here[2])


def front_centre(regiment: Regiment, stand: Stand) -> Point:
    """The centre of a stand's front edge."""
    w, d = regiment.profile.stand
    return world(pose(regiment), (stand.file - (regiment.files - 1) / 2) * w, -stand.rank * d)


def shape(regiment: Regiment) -> Body:
    """What stands behind its front edge, wherever that is."""
    kept = regiment.__dict__
    found: Body | None = kept.get("shape")
    if found is None:
        stands, profile = regiment.stands, regiment.profile
        spots = [(stand.rank, stand.file) for stand in stands]
        found = kept["shape"] = body_of(spots, regiment.files, profile.width, profile.depth)
    return found


def blocks(regiment: Regiment, where: Pose | None = None) -> tuple[Base, ...]:
    """The real stands as few rectangles: the full ranks, then each run of stands in the last rank."""
    kept = regiment.__dict__
    if where is None or where == (regiment.x, regiment.y, regiment.facing):
        found: tuple[Base, ...] | None = kept.get("blocks")
        if found is None:
            found = kept["blocks"] = shape(regiment).blocks(pose(regiment))
        return found
    last: tuple[Pose, tuple[Base, ...]] | None = kept.get("blocks there")
    if last is None or last[0] != where:
        last = kept["blocks there"] = (where, shape(regiment).blocks(where))
    return last[1]


def disc(regiment: Regiment, where: Pose | None = None) -> Disc:
    """A circle about the regiment: middle and radius."""
    kept = regiment.__dict__
    if where is None or where == (regiment.x, regiment.y, regiment.facing):
        found: Disc | None = kept.get("disc")
        if found is None:
            found = kept["disc"] = disc_about(width(regiment), depth(regiment), pose(regiment))
        return found
    last: tuple[Pose, Disc] | None = kept.get("disc there")
    if last is None or last[0] != where:
        last = kept["disc there"] = (where, disc_about(width(regiment), depth(regiment), where))
    return last[1]


def reach_of(regiment: Regiment) -> float:
    """No point of the regiment is further from the middle of its front edge than this."""
    stands, profile = regiment.stands, regiment.profile
    return _reach(regiment.files, stands[-1].rank + 1 if stands else 0, profile.width, profile.depth)


@functools.cache
def _reach(files: int, ranks: int, wide: float, deep: float) -> float:
    return float(((files * wide / 2) ** 2 + (ranks * deep) ** 2) ** 0.5)


def on_arc_line(regiment: Regiment, x: float, y: float) -> bool:
    """Does a point lie on one of the lines between two arcs?"""
    right, ahead = local(pose(regiment), x, y)
    beyond = abs(right) - width(regiment) / 2
    return beyond >= 0 and min(abs(beyond - ahead), abs(beyond + depth(regiment) + ahead)) < 0.001


def in_front_arc(regiment: Regiment, points: Sequence[Point]) -> list[Point]:
    """The part of a convex polygon that lies in the front arc, empty if none does."""
    here = pose(regiment)
    half = width(regiment) / 2
    part = [local(here, x, y) for x, y in points]
    for nx, ny, limit in ((0.0, -1.0, 0.0), (1.0, -1.0, half), (-1.0, -1.0, half)):
        part = clipped(part, nx, ny, limit)
        if not part:
            return []
    return [world(here, right, ahead) for right, ahead in part]


def outside_front_arc(regiment: Regiment, points: Sequence[Point]) -> float:
    """How far a polygon is from the front arc, in which no part of it lies."""
    here, half = pose(regiment), width(regiment) / 2
    found = []
    ring = [local(here, x, y) for x, y in points]
    for (right, ahead), (rx, ry) in zip(ring, (*ring[1:], ring[0]), strict=True):
        aside = max(0.0, abs(right) - half)
        found.append(math.hypot(aside, ahead) if ahead < -aside else (aside - ahead) / math.sqrt(2.0))
        found += [point_segment(corner, 0.0, right, ahead, rx, ry) for corner in (-half, half)]
    return min(found)


def without(regiment: Regiment, stand: Stand) -> None:
    """Take a stand off; the others stay where they are, and the front edge is found again where the files are fewer."""
    rest = [s for s in regiment.stands if s.id != stand.id]
    w, d = regiment.profile.stand
    if not rest:
        regiment.stands = ()
        return
    top = min(s.rank for s in rest)
    low, high = min(s.file for s in rest), max(s.file for s in rest)
    if (low, high) != (0, regiment.files - 1):
        shift = ((low + high) - (regiment.files - 1)) / 2 * w
        regiment.x, regiment.y = world(pose(regiment), shift, 0.0)
        rest = [msgspec.structs.replace(s, file=s.file - low) for s in rest]
        regiment.files = high - low + 1
    if top:
        regiment.x, regiment.y = world(pose(regiment), 0.0, -top * d)
        rest = [msgspec.structs.replace(s, rank=s.rank - top) for s in rest]
    regiment.stands = tuple(rest)


def replaced(regiment: Regiment, stand: Stand, **changes: Any) -> Stand:
    """Change a stand."""
    new = msgspec.structs.replace(stand, **changes)
    regiment.stands = tuple(new if s.id == stand.id else s for s in regiment.stands)
    return new
