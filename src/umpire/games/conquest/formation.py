"""Regiments as ranks and files: where their stands are, which formations are legal, arcs, contact, distances.

A regiment's body is a few rectangles at most (its full ranks, and what is left of its last), so measuring is cheap.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from umpire.engine.decisions import Option
from umpire.engine.rulings import Reason, in_force
from umpire.miniatures import fronts
from umpire.miniatures.fronts import Body, Disc, Pose, body_of, clipped, disc_about, local, world
from umpire.rulebook.deciding import decides
from umpire.space import formations
from umpire.space.angles import normal
from umpire.space.measure import from_pack, separation
from umpire.space.packs import kernel, packed, rectangles
from umpire.space.shapes import Base, Point, Prism, Rect, Thing, circle_about, extent, snap
from umpire.text import Text

from .profiles import Terrain
from .state import Regiment, Stand, State

TOUCH = fronts.TOUCH
"""Stands nearer than this touch; regiments that overlap by less do not overlap (conquest.regiment.in-contact)."""


# -- placing stands ------------------------------------------------------------------------------------------------


@decides("conquest.command-model.position")
def centre_files(files: int) -> tuple[int, ...]:
    """The places in the middle of a front rank (conquest.regiment.command-stand.position)."""
    return (files // 2,) if files % 2 else (files // 2 - 1, files // 2)


def least_files(count: int) -> int:
    """At least two stands in front, while there are two (conquest.regiment.front-rank-minimum)."""
    return min(2, count)


def files_allowed(regiment: Regiment) -> range:
    count = len(regiment.stands)
    return range(least_files(count), count + 1)


def file_options(files: list[int]) -> list[Option]:
    """Places of a rank, counted from the left."""
    return [Option(str(file + 1), Text("option.file", {"n": file + 1})) for file in files]


def no_file(files: Sequence[int], rule: str) -> Callable[[str], list[Reason]]:
    """Why a place of a rank is not among these: their rule, and which they are."""
    places = sorted(file + 1 for file in files)
    return lambda wish: [Reason(rule, facts={"file": int(wish), "places": places})] if wish.isdecimal() else []


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


@decides("conquest.regiment.definition", "conquest.regiment.command-stand")
def arranged(
    stands: Sequence[Stand],
    files: int,
    start: int | None = None,
    settled: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> tuple[Stand, ...]:
    """The stands in a legal formation of so many files: command stand in the middle of the front, a Character beside
    it, a wounded stand in the last rank; `settled` are places given beforehand."""
    count = len(stands)
    files = max(1, min(files, count))
    places = dict(settled)
    free = [spot for spot in slots(count, files, start) if spot not in places.values()]
    todo = [stand for stand in stands if stand.id not in places]
    for stand in [s for s in todo if s.command]:
        places[stand.id] = next(spot for file in centre_files(files) if (spot := (0, file)) in free)
        free.remove(places[stand.id])
        todo.remove(stand)
    for stand in [s for s in todo if s.character]:
        spot = min((s for s in free if s[0] == 0), key=lambda s: abs(s[1] - (files - 1) / 2), default=free[0])
        places[stand.id] = spot
        free.remove(spot)
        todo.remove(stand)
    todo.sort(key=lambda s: s.wounds > 0)
    for stand, spot in zip(todo, free, strict=True):
        places[stand.id] = spot
    moved = [
        msgspec.structs.replace(stand, rank=places[stand.id][0], file=places[stand.id][1])
        if (stand.rank, stand.file) != places[stand.id]
        else stand
        for stand in stands
    ]
    return tuple(sorted(moved, key=lambda s: (s.rank, s.file)))


def formation_reasons(
    regiment: Regiment, stands: Sequence[Stand], files: int, without: Sequence[str] = ()
) -> list[Reason]:
    """Every reason why stands in these places are no legal formation (conquest.regiment.legal-formation)."""
    return in_force(_formation_reasons(regiment, stands, files), without)


def _formation_reasons(regiment: Regiment, stands: Sequence[Stand], files: int) -> list[Reason]:
    reasons: list[Reason] = []
    count = len(stands)
    spots = [(s.rank, s.file) for s in stands]
    in_front = sum(rank == 0 for rank, _ in spots)
    if len(set(spots)) < count or any(not (0 <= f < files) or r < 0 for r, f in spots) or in_front != files:
        reasons.append(Reason("conquest.regiment.formation", facts={"files": files, "front": in_front}))
        return reasons
    if in_front < least_files(count):
        reasons.append(Reason("conquest.regiment.front-rank-minimum", facts={"front": in_front, "stands": count}))
    last = max(rank for rank, _ in spots)
    rear = [file for rank, file in spots if rank == last]
    if max(rear) - min(rear) >= len(rear):
        reasons.append(Reason("conquest.regiment.formation", facts={"files": files, "front": in_front}))
    for rank in range(last):
        here = sum(r == rank for r, _ in spots)
        if here != files:
            reasons.append(
                Reason(
                    "conquest.regiment.incomplete-rear-rank", facts={"rank": rank + 1, "stands": here, "files": files}
                )
            )
    for stand in stands:
        if stand.command and (stand.rank != 0 or stand.file not in centre_files(files)):
            reasons.append(
                Reason(
                    "conquest.regiment.command-stand.position", facts={"rank": stand.rank + 1, "file": stand.file + 1}
                )
            )
        elif stand.character and not regiment.own and stand.rank != 0:
            reasons.append(Reason("conquest.character.position", facts={"rank": stand.rank + 1}))
        elif stand.wounds and stand.rank != last and not stand.command and not stand.character:
            reasons.append(
                Reason("conquest.regiment.legal-formation", facts={"rank": stand.rank + 1, "ranks": last + 1})
            )
    return reasons


# -- where things are ----------------------------------------------------------------------------------------------


def pose(regiment: Regiment) -> Pose:
    return regiment.x, regiment.y, regiment.facing


def put(regiment: Regiment, where: Pose) -> None:
    """Stand the regiment there; what it does next is measured from there."""
    regiment.x, regiment.y = snap(where[0]), snap(where[1])
    regiment.facing = normal(round(where[2], 6))


def depth(regiment: Regiment) -> float:
    return regiment.ranks * regiment.profile.stand[1]


def width(regiment: Regiment) -> float:
    return regiment.files * regiment.profile.stand[0]


def centre(regiment: Regiment, where: Pose | None = None) -> Point:
    """The centre of the bounding rectangle."""
    return world(where or pose(regiment), 0.0, -depth(regiment) / 2)


@decides("conquest.core.stand", "conquest.core.stand.facing")
def stand_base(regiment: Regiment, stand: Stand, where: Pose | None = None) -> Base:
    w, d = regiment.profile.stand
    here = where or pose(regiment)
    x, y = world(here, (stand.file - (regiment.files - 1) / 2) * w, -(stand.rank + 0.5) * d)
    return Base(Rect(w, d), x, y, 0.0, here[2])


def front_centre(regiment: Regiment, stand: Stand) -> Point:
    """The centre of a stand's front edge."""
    w, d = regiment.profile.stand
    return world(pose(regiment), (stand.file - (regiment.files - 1) / 2) * w, -stand.rank * d)


def blocks(regiment: Regiment, where: Pose | None = None) -> tuple[Base, ...]:
    """The real stands as few rectangles: the full ranks, then each run of stands in the last rank.

    conquest.core.measuring.regiments: what is measured is the stands, not the bounding rectangle.
    """
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


def shape(regiment: Regiment) -> Body:
    """What stands behind its front edge, wherever that is."""
    kept = regiment.__dict__
    found: Body | None = kept.get("shape")
    if found is None:
        stands, profile = regiment.stands, regiment.profile
        spots = [(stand.rank, stand.file) for stand in stands]
        found = kept["shape"] = body_of(spots, regiment.files, profile.width, profile.depth)
    return found


def rectangle(regiment: Regiment, where: Pose | None = None) -> Base:
    """The full rectangle of greatest length and width (conquest.clash.attacks.incomplete-ranks)."""
    here = where or pose(regiment)
    total = depth(regiment)
    x, y = world(here, 0.0, -total / 2)
    return Base(Rect(width(regiment), total), x, y, 0.0, here[2])


def piece_thing(state: State, key: str) -> Prism:
    return state.piece(key).thing


def body(state: State, regiment: Regiment) -> tuple[Thing, ...]:
    """What a regiment is on the table: its stands, or the terrain it occupies."""
    if regiment.where == "garrison":
        return (piece_thing(state, regiment.garrison),)
    return blocks(regiment)


def reach_of(regiment: Regiment) -> float:
    """No point of the regiment is further from the middle of its front edge than this."""
    stands, profile = regiment.stands, regiment.profile
    return _reach(regiment.files, stands[-1].rank + 1 if stands else 0, profile.width, profile.depth)


@functools.cache
def _reach(files: int, ranks: int, wide: float, deep: float) -> float:
    return float(((files * wide / 2) ** 2 + (ranks * deep) ** 2) ** 0.5)


def gap(a: Sequence[Thing], b: Sequence[Thing]) -> float:
    """The shortest distance between two bodies, negative where they overlap (conquest.core.measuring)."""
    if len(a) == 1 and len(b) == 1:
        return separation(a[0], b[0])
    q = packed(tuple(b))
    if rectangles(a):
        return min([from_pack(base, q) for base in a])  # type: ignore[arg-type]
    p = packed(tuple(a))
    return float(kernel().nearest(p.rows, p.verts, q.rows, q.verts)[0])


@decides("conquest.core.measuring", "conquest.core.measuring.regiments")
def distance(state: State, a: Regiment, b: Regiment) -> float:
    """The shortest distance between two regiments (conquest.core.measuring.regiments)."""
    return max(0.0, gap(body(state, a), body(state, b)))


@decides("conquest.core.measuring.range-between-stands")
def stand_distance(state: State, regiment: Regiment, stand: Stand, target: Regiment) -> float:
    """From one stand to the nearest stand of a regiment (conquest.core.measuring.range-between-stands)."""
    own: tuple[Thing, ...] = body(state, regiment) if regiment.where == "garrison" else (stand_base(regiment, stand),)
    return max(0.0, gap(own, body(state, target)))


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


def on_the_table(state: State) -> list[tuple[Regiment, Disc]]:
    """The regiments that stand on the table itself, with the circles about them."""
    kept = state.kept()
    found: list[tuple[Regiment, Disc]] | None = kept.get("table")
    if found is None:
        found = kept["table"] = [(r, disc(r)) for r in state.regiments.values() if r.where == "table"]
    return found


def circle(state: State, regiment: Regiment) -> Disc:
    """A circle about a regiment, or about the piece it occupies."""
    if regiment.where == "garrison":
        return state.piece(regiment.garrison).circle
    return disc(regiment)


def foes_of(state: State, side: int) -> list[tuple[Regiment, Disc]]:
    """A side's enemies on the table, with the circles about them."""
    kept = state.kept()
    found: list[tuple[Regiment, Disc]] | None = kept.get(("foes", side))
    if found is None:
        found = [entry for entry in on_the_table(state) if entry[0].side != side]
        inside = [r for r in state.regiments.values() if r.where == "garrison" and r.side != side]
        if inside:
            order = list(state.regiments)
            found += [(r, circle(state, r)) for r in inside]
            found.sort(key=lambda entry: order.index(entry[0].id))
        kept["foes", side] = found
    return found


def nearest_foe(state: State, regiment: Regiment) -> dict[str, Any]:
    """The enemy nearest to a regiment and how far away it is, as facts; nothing where there is none on the table."""
    best, found = math.inf, ""
    around = circle(state, regiment)
    for foe, at in foes_of(state, regiment.side):
        if not discs_apart(around, at, best):
            far = distance(state, regiment, foe)
            if far < best:
                best, found = far, foe.id
    return {"enemy": found, "distance": round(best, 3)} if found else {}


def discs_apart(a: Disc, b: Disc, inches: float = 0.0) -> bool:
    """Certainly further apart than this: a cheap look before measuring."""
    dx, dy, reach = a[0] - b[0], a[1] - b[1], a[2] + b[2] + inches
    return dx * dx + dy * dy > reach * reach


def far_apart(a: Regiment, b: Regiment, inches: float) -> bool:
    """Certainly further apart than this: a cheap look before measuring."""
    if a.where == "garrison" or b.where == "garrison":
        return False
    return discs_apart(disc(a), disc(b), inches)


def thing_extent(thing: Thing) -> tuple[float, float, float]:
    """A circle about a thing: middle and radius."""
    if isinstance(thing, Base):
        return thing.x, thing.y, extent(thing)
    return circle_about(thing.points)


def near_piece(regiment: Regiment, piece: Terrain, inches: float = 0.0) -> bool:
    """Can the regiment be within so many inches of a piece of terrain? A cheap look before measuring."""
    return not discs_apart(disc(regiment), piece.circle, inches)


# -- contact -------------------------------------------------------------------------------------------------------


def touches(state: State, a: Regiment, b: Regiment) -> bool:
    """Do any stands of the two touch, corner to corner included (conquest.regiment.in-contact)?"""
    if (a.where != "table" and a.where != "garrison") or (b.where != "table" and b.where != "garrison"):
        return False
    if far_apart(a, b, TOUCH):
        return False
    return gap(body(state, a), body(state, b)) <= TOUCH


def enemies_in_contact(state: State, regiment: Regiment) -> list[Regiment]:
    """The enemies it touches."""
    found = regiment.look("touching", (), lambda: [foe.id for foe in _touching(state, regiment)])
    return [state.regiments[key] for key in found]


def _touching(state: State, regiment: Regiment) -> Iterator[Regiment]:
    if not regiment.on_table:
        return
    x, y, room = circle(state, regiment)
    room += TOUCH
    for other, (ox, oy, radius) in foes_of(state, regiment.side):
        if (x - ox) * (x - ox) + (y - oy) * (y - oy) > (room + radius) * (room + radius):
            continue
        if gap(body(state, regiment), body(state, other)) <= TOUCH:
            yield other


@decides("conquest.regiment.in-contact")
def in_contact(state: State, regiment: Regiment) -> bool:
    """Does it touch any enemy?"""
    return bool(enemies_in_contact(state, regiment))


def stand_touches(state: State, regiment: Regiment, stand: Stand, enemy: Regiment) -> bool:
    """Does this stand touch a stand of that regiment? In a garrison every stand touches what touches the piece."""
    if regiment.where == "garrison":
        return touches(state, regiment, enemy)
    return gap((stand_base(regiment, stand),), body(state, enemy)) <= TOUCH


def stands_in_contact(state: State, regiment: Regiment) -> list[Stand]:
    """The stands that touch an enemy stand."""
    enemies = enemies_in_contact(state, regiment)
    return [s for s in regiment.stands if any(stand_touches(state, regiment, s, e) for e in enemies)]


# -- arcs ----------------------------------------------------------------------------------------------------------


@decides("conquest.regiment.facing-arcs")
def arc_of(regiment: Regiment, x: float, y: float) -> str:
    """The arc that holds a point: "front", "rear", "left" or "right" (conquest.regiment.facing-arcs).

    A point on a 45 degree line is in the front or rear arc.
    """
    return formations.arc_of(rectangle(regiment), (x, y))


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


def side_hit(target: Regiment, attacker: Regiment) -> str:
    """The side of the target the attacker touches: "front", "rear", "left" or "right" (conquest.clash.flank-rear)."""
    if target.where == "garrison" or attacker.where == "garrison":
        return "front"
    here = pose(target)
    points = [local(here, x, y) for block in blocks(attacker) for x, y in block.corners()]
    half, total = width(target) / 2, depth(target)
    rights, aheads = [p[0] for p in points], [p[1] for p in points]
    sides = []
    if min(aheads) >= -TOUCH:
        sides.append("front")
    if max(aheads) <= -total + TOUCH:
        sides.append("rear")
    if max(rights) <= -half + TOUCH:
        sides.append("left")
    if min(rights) >= half - TOUCH:
        sides.append("right")
    if len(sides) == 1:
        return sides[0]
    side = arc_of(target, *centre(attacker))
    return side if side in sides or not sides else sides[0]


def facing_of(side: str) -> str:
    """ "front", "flank" or "rear"."""
    return "flank" if side in ("left", "right") else side


# -- losing stands -------------------------------------------------------------------------------------------------


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
