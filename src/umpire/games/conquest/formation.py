"""Regiments as ranks and files: where their stands are, which formations are legal, arcs, contact, distances.

A regiment's body is a few rectangles at most (its full ranks, and what is left of its last), so measuring is cheap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from umpire.engine.decisions import Option
from umpire.engine.rulings import Reason, in_force
from umpire.rulebook.deciding import decides
from umpire.space import formations
from umpire.space.ranks import fronts
from umpire.space.ranks.fronts import Disc, Pose, discs_apart, gap, local
from umpire.space.shapes import Prism, Thing
from umpire.text import Text

from . import ranked
from .profiles import Terrain
from .ranked import blocks, centre, depth, disc, pose, rectangle, slots, width
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


def _formation_reasons(regiment: Regiment, stands: Sequence[Stand], files: int) -> Iterator[Reason]:
    count = len(stands)
    spots = [(s.rank, s.file) for s in stands]
    in_front = sum(rank == 0 for rank, _ in spots)
    malformed = Reason("conquest.regiment.formation", facts={"files": files, "front": in_front})
    if len(set(spots)) < count or any(not (0 <= f < files) or r < 0 for r, f in spots) or in_front != files:
        yield malformed
        return
    if in_front < least_files(count):
        yield Reason("conquest.regiment.front-rank-minimum", facts={"front": in_front, "stands": count})
    last = max(rank for rank, _ in spots)
    rear = [file for rank, file in spots if rank == last]
    if max(rear) - min(rear) >= len(rear):
        yield malformed
    for rank in range(last):
        here = sum(r == rank for r, _ in spots)
        if here != files:
            facts = {"rank": rank + 1, "stands": here, "files": files}
            yield Reason("conquest.regiment.incomplete-rear-rank", facts=facts)
    for stand in stands:
        facts = {"rank": stand.rank + 1, "file": stand.file + 1}
        if stand.command and (stand.rank != 0 or stand.file not in centre_files(files)):
            yield Reason("conquest.regiment.command-stand.position", facts=facts)
        elif stand.character and not regiment.own and stand.rank != 0:
            yield Reason("conquest.character.position", facts={"rank": stand.rank + 1})
        elif stand.wounds and stand.rank != last and not stand.command and not stand.character:
            yield Reason("conquest.regiment.legal-formation", facts={"rank": stand.rank + 1, "ranks": last + 1})


# -- where things are ----------------------------------------------------------------------------------------------


stand_base = decides("conquest.core.stand", "conquest.core.stand.facing")(ranked.stand_base)


def piece_thing(state: State, key: str) -> Prism:
    return state.piece(key).thing


def body(state: State, regiment: Regiment) -> tuple[Thing, ...]:
    """What a regiment is on the table: its stands, or the terrain it occupies."""
    if regiment.where == "garrison":
        return (piece_thing(state, regiment.garrison),)
    return blocks(regiment)


@decides("conquest.core.measuring", "conquest.core.measuring.regiments")
def distance(state: State, a: Regiment, b: Regiment) -> float:
    """The shortest distance between two regiments (conquest.core.measuring.regiments)."""
    return max(0.0, gap(body(state, a), body(state, b)))


@decides("conquest.core.measuring.range-between-stands")
def stand_distance(state: State, regiment: Regiment, stand: Stand, target: Regiment) -> float:
    """From one stand to the nearest stand of a regiment (conquest.core.measuring.range-between-stands)."""
    own: tuple[Thing, ...] = body(state, regiment) if regiment.where == "garrison" else (stand_base(regiment, stand),)
    return max(0.0, gap(own, body(state, target)))


def on_the_table(state: State) -> list[tuple[Regiment, Disc]]:
    """The regiments that stand on the table itself, with the circles about them."""
    kept = state.kept()
    found: list[tuple[Regiment, Disc]] | None = kept.get("table")
    if found is None:
        standing = (r for r in state.regiments.values() if r.where == "table")
        found = kept["table"] = [(r, r.__dict__.get("disc") or disc(r)) for r in standing]
    return found


def friends_of(state: State, side: int) -> list[tuple[Regiment, Disc]]:
    """A side's regiments on the table itself, with the circles about them."""
    kept = state.kept()
    found: list[tuple[Regiment, Disc]] | None = kept.get(("friends", side))
    if found is None:
        found = kept["friends", side] = [entry for entry in on_the_table(state) if entry[0].side == side]
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


def nearest_enemy(state: State, regiment: Regiment, where: Pose) -> Regiment | None:
    """The enemy on the table the middle of whose front is nearest to a place."""
    best, found, (x, y, _) = 1e9, None, where
    for other, _ in foes_of(state, regiment.side):
        d = (other.x - x) * (other.x - x) + (other.y - y) * (other.y - y)
        if d < best:
            best, found = d, other
    return found


def far_apart(a: Regiment, b: Regiment, inches: float) -> bool:
    """Certainly further apart than this: a cheap look before measuring."""
    if a.where == "garrison" or b.where == "garrison":
        return False
    return discs_apart(disc(a), disc(b), inches)


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
    found = state.look(("touching", regiment.id), regiment.mark, lambda: _touching(state, regiment))
    return [state.regiments[key] for key in found] if found else []


def _touching(state: State, regiment: Regiment) -> list[str]:
    if not regiment.on_table:
        return []
    x, y, room = circle(state, regiment)
    room += TOUCH
    near = [
        other
        for other, (ox, oy, radius) in foes_of(state, regiment.side)
        if (x - ox) * (x - ox) + (y - oy) * (y - oy) <= (room + radius) * (room + radius)
    ]
    return [other.id for other in near if gap(body(state, regiment), body(state, other)) <= TOUCH]


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
