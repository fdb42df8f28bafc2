"""Marching on: where arriving regiments may enter and how far, and whether they can (conquest.reinforce.entry.*)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.rulings import Reason
from umpire.space.angles import rotate
from umpire.space.moving import Leg
from umpire.space.places import Keep, nearest_of
from umpire.space.plain import anticlockwise
from umpire.space.ranks import standing_room
from umpire.space.ranks.fronts import Pose, outermost, world
from umpire.space.shapes import TOLERANCE, convex_hull
from umpire.space.spans import Kept

from . import drill, formation, hooks, manoeuvres, march, overlapping, ranked, table, ways_out
from .reinforcement import EDGES, from_edge, nearest_to_edge
from .state import Regiment, State


def entry_pose(state: State, edge: str, at: float) -> Pose:
    """The front edge touching a table edge, facing the table (conquest.reinforce.entry.placement)."""
    wide, deep = state.scenario.width, state.scenario.depth
    x, y = {"south": (at, 0.0), "north": (at, deep), "west": (0.0, at), "east": (wide, at)}[edge]
    return x, y, EDGES[edge]


def entry_limit(state: State, regiment: Regiment) -> float:
    """How far from the own edge a side edge may be entered: to the line, and no further than any enemy."""
    side = regiment.side
    line = state.lines.get(f"{side}/{regiment.profile.klass}")
    if line is None or line.now < 0:
        return 0.0
    edge = state.scenario.edges[side]
    foes = [nearest_to_edge(state, edge, r) for r in state.on_table(1 - side)]
    return min([line.now, *foes])


def entry_place_reasons(state: State, regiment: Regiment, edge: str, at: float, wide: float) -> list[Reason]:
    """May a front of this width come on at that place of that edge?"""
    own = state.scenario.edges[regiment.side]
    ends = (entry_pose(state, edge, at - wide / 2), entry_pose(state, edge, at + wide / 2))
    length = state.scenario.width if edge in ("south", "north") else state.scenario.depth
    if at - wide / 2 < -TOLERANCE or at + wide / 2 > length + TOLERANCE:
        return [Reason("conquest.reinforce.entry.placement", facts={"edge": edge, "at": at})]
    if edge == own:
        span = state.scenario.entry[regiment.side]
        if span is not None and not (span[0] - TOLERANCE <= at - wide / 2 and at + wide / 2 <= span[1] + TOLERANCE):
            return [Reason("conquest.reinforce.entry.any-edge", facts={"edge": edge, "at": at})]
        return []
    far = max(from_edge(state, own, x, y) for x, y, _ in ends)
    line = state.lines.get(f"{regiment.side}/{regiment.profile.klass}")
    reasons: list[Reason] = []
    if line is None or line.now < 0 or far > line.now + TOLERANCE:
        facts = {"edge": edge, "reach": round(far, 3), "line": line.now if line else -1.0}
        reasons.append(Reason("conquest.reinforce.entry.any-edge", facts=facts))
    foes = [nearest_to_edge(state, own, r) for r in state.on_table(1 - regiment.side)]
    if foes and far > min(foes) + TOLERANCE:
        facts = {"reach": round(far, 3), "enemy": round(min(foes), 3)}
        reasons.append(Reason("conquest.reinforce.entry.not-beyond-enemy", facts=facts))
    return reasons


def outside(state: State, regiment: Regiment, where: Pose, edge: str, leg: Leg | None = None) -> tuple[bool, bool]:
    """Of a regiment coming on: does it leave the table elsewhere, there or on the leg that led there, and is any of it
    still outside?"""
    beyond: set[str] = set()
    wide, deep = state.scenario.width + TOLERANCE, state.scenario.depth + TOLERANCE
    for x, y in outermost(ranked.blocks(regiment, where), leg):
        if x < -TOLERANCE:
            beyond.add("west")
        elif x > wide:
            beyond.add("east")
        if y < -TOLERANCE:
            beyond.add("south")
        elif y > deep:
            beyond.add("north")
    return bool(beyond - {edge}), edge in beyond


def entry_reasons(
    battle: Battle[State],
    regiment: Regiment,
    where: Pose,
    edge: str,
    path: Sequence[drill.Manoeuvre],
    limit: float,
    last: bool = False,
    simply: bool = False,
    around: table.Obstacles | None = None,
    ends: Kept | None = None,
) -> Iterator[Reason]:
    """Why a regiment cannot march on so, looked for one by one. After a second March at the latest (`last`) it must be
    wholly on and in no friend (conquest.reinforce.entry.second-march); `simply`: one with one wheel at most. `around`
    is what stands about where it begins, and `ends` where nobody may end, where that is known already."""
    state = battle.state
    too_far = manoeuvres.distance_reasons(path, ranked.width(regiment), limit)
    yield from too_far
    flying = bool(hooks.granted(state, regiment, "fly"))
    run = march.trace(state, regiment, where, path, entering=True, flying=flying, around=around, plain=simply)
    yield from run.reasons
    astray = astray_reasons(state, regiment, where, edge, path)
    yield from astray
    outside_still = outside(state, regiment, run.end, edge)[1]
    if too_far or run.reasons or astray or not (run.overlaps or outside_still):
        return
    if not last and all(state.regiment(name).side == regiment.side for name in run.overlaps):
        most = march.coming_march(battle, regiment, "march", "march")
        if (ends is None or not ways_out.shut_in(ranked.shape(regiment), run.end, most, ends)) and (
            may_enter(battle, regiment, run.end, edge, [drill.forward(math.floor(most * 1000) / 1000)], most, last=True)
            or not second_march(battle, regiment, run.end, edge, most, simply).none
        ):
            return  # straight on mostly does
    if run.overlaps:
        yield Reason("conquest.regiment.legal-position.overlap", facts={"regiments": list(run.overlaps)})
    if outside_still:
        facts = {"depth": ranked.depth(regiment), "march": limit}
        yield Reason("conquest.reinforce.entry.second-march" if last else "conquest.reinforce.entry.legal", facts=facts)


def may_enter(
    battle: Battle[State],
    regiment: Regiment,
    where: Pose,
    edge: str,
    path: Sequence[drill.Manoeuvre],
    limit: float,
    last: bool = False,
    around: table.Obstacles | None = None,
    ends: Kept | None = None,
) -> bool:
    """Can it march on so, for whoever only looks for a way? Sooner told than why not."""
    return next(entry_reasons(battle, regiment, where, edge, path, limit, last, True, around, ends), None) is None


def astray_reasons(
    state: State, regiment: Regiment, where: Pose, edge: str, path: Sequence[drill.Manoeuvre]
) -> list[Reason]:
    """A regiment that comes on over one edge may not leave the table over another."""
    legs, _ = drill.legs_of(where, ranked.width(regiment), path)
    x, y, room = ranked.disc(regiment, where)
    room += march.legs_reach(regiment, legs)
    if all(from_edge(state, other, x, y) > room for other in EDGES if other != edge):
        return []  # it comes near none
    for leg in legs:
        where = drill.carried(where, leg)
        if outside(state, regiment, where, edge, leg)[0]:
            return [Reason("conquest.regiment.legal-position.on-table", "reason.other-edge", {"edge": edge})]
    return []


def second_march(
    battle: Battle[State], regiment: Regiment, where: Pose, edge: str, limit: float, simply: bool = False
) -> ways_out.Found:
    """A second March that brings the rest on and out of friends, or whether there is certainly none; `simply`: by one
    wheel at most."""
    state = battle.state
    flying = bool(hooks.granted(state, regiment, "fly"))
    ends, stops = table.around(state, regiment, where, limit, flying)
    beyond = dict(zip(("south", "north", "west", "east"), table.edges(state), strict=True))
    stops += [off for name, off in beyond.items() if name != edge]

    def fits(path: list[drill.Manoeuvre]) -> bool:
        return may_enter(battle, regiment, where, edge, path, limit, last=True)

    def passes(path: list[drill.Manoeuvre]) -> bool:
        run = march.trace(state, regiment, where, path, entering=True, flying=flying, plain=True)
        return not (run.reasons or astray_reasons(state, regiment, where, edge, path))

    body, off = ranked.shape(regiment), [*ends, beyond[edge]]
    if simply:
        way = ways_out.ways(body, where, limit, off, stops, fits)
        return ways_out.Found(way, none=way is None)
    return ways_out.any_way(body, where, limit, off, stops, fits, passes)


# -- some way on ---------------------------------------------------------------------------------------------------


def first_entry(battle: Battle[State], regiment: Regiment, limit: float) -> tuple[dict[str, Any] | None, bool]:
    """Some legal way on, if one is found, looked for along the own edge first; and whether there is certainly none."""
    state, stands = battle.state, regiment.stands
    others = [(r, ranked.disc(r)) for r in state.regiments.values() if r is not regiment and r.where == "table"]
    for files in entry_files(regiment):
        there = ranked.formed(regiment, formation.arranged(stands, files), files)
        wide = ranked.width(there)
        for edge in edges_open(state, regiment):
            shortest = min(limit, ranked.depth(there))
            for at in entry_points(state, regiment, edge, wide):
                where = entry_pose(state, edge, at)
                for inches in (limit, shortest):
                    path = [drill.forward(math.floor(inches * 1000) / 1000)]
                    end = drill.legs_of(where, wide, path)[1]
                    if not overlapping.overlapped(state, there, end, others) and may_enter(
                        battle, there, where, edge, path, limit
                    ):
                        return {"edge": edge, "at": at, "files": files, "path": path}, False
    hopeless: bool | None = None
    for files in entry_files(regiment):
        for start in ranked.rear_starts(len(stands), files):
            there = ranked.formed(regiment, formation.arranged(stands, files, start), files)
            for edge in edges_open(state, regiment):
                found = straight_on(battle, there, edge, limit)
                if found is None:
                    hopeless = no_room(battle, there, limit) if hopeless is None else hopeless
                    if hopeless:
                        return None, True
                    found = wheeling_on(battle, there, edge, limit)
                if found is not None:
                    return found, False
    return None, False


def edges_open(state: State, regiment: Regiment) -> list[str]:
    """The own edge, and those beside it."""
    own = state.scenario.edges[regiment.side]
    return [own, *(e for e in EDGES if e != own and EDGES[e] != (EDGES[own] + 180.0) % 360.0)]


def entry_files(regiment: Regiment) -> list[int]:
    """Widths to try, the squarest first."""
    allowed = list(formation.files_allowed(regiment))
    best = min(5, -(-len(regiment.stands) // 2)) if len(regiment.stands) > 3 else len(regiment.stands)
    return sorted(allowed, key=lambda f: (abs(f - best), f))


def entry_span(state: State, regiment: Regiment, edge: str, wide: float) -> tuple[float, float] | None:
    """Between which places along an edge the middle of a front of this width may come on."""
    length = state.scenario.width if edge in ("south", "north") else state.scenario.depth
    low, high = wide / 2, length - wide / 2
    own = state.scenario.edges[regiment.side]
    span = state.scenario.entry[regiment.side] if edge == own else None
    if span is not None:
        low, high = max(low, span[0] + wide / 2), min(high, span[1] - wide / 2)
    if edge != own:
        limit = entry_limit(state, regiment)
        if limit < wide:
            return None
        if from_edge(state, own, *entry_pose(state, edge, 0.0)[:2]) < 1.0:
            low, high = wide / 2, limit - wide / 2
        else:
            low, high = length - limit + wide / 2, length - wide / 2
    return None if high < low - TOLERANCE else (low, max(low, high))


def entry_points(state: State, regiment: Regiment, edge: str, wide: float) -> Iterator[float]:
    """Places along an edge worth trying first, from the middle outwards."""
    span = entry_span(state, regiment, edge, wide)
    if span is None:
        return
    low, high = span
    count = int((high - low) / 1.5) + 1
    middle = (low + high) / 2
    points = [low + (high - low) * k / max(1, count - 1) for k in range(count)] if count > 1 else [middle]
    found = sorted((round(p, 3) for p in points), key=lambda p: abs(p - middle))
    yield from (p for p in found if not entry_place_reasons(state, regiment, edge, p, wide))


BEYOND = 200.0


def straight_on(battle: Battle[State], regiment: Regiment, edge: str, limit: float) -> dict[str, Any] | None:
    """A way straight on from anywhere along an edge, in one March or two: how far along the edge and how far on are a
    region, from which is taken what a regiment there overlaps, and all that lies behind what stops it."""
    state = battle.state
    wide = ranked.width(regiment)
    span = entry_span(state, regiment, edge, wide)
    if span is None:
        return None
    most = limit + march.coming_march(battle, regiment, "march", "march")
    here = entry_pose(state, edge, 0.0)
    flying = bool(hooks.granted(state, regiment, "fly"))
    found = table.obstacles(state, regiment, here, BEYOND, inch=True, through_friends=True, flying=flying)
    ux, uy = rotate(0.0, 1.0, here[2])
    keeps = [Keep(block.corners()) for other, _ in found.near for block in ranked.blocks(other)]
    for thing, gap in zip(found.things, found.gaps, strict=True):
        for ring in ways_out.rings(thing):
            keeps.append(Keep(convex_hull([*ring, *((x + ux * BEYOND, y + uy * BEYOND) for x, y in ring)]), gap))
    w, d = state.scenario.width, state.scenario.depth
    (ax, ay, _), (bx, by, _) = (entry_pose(state, edge, at) for at in span)
    region = [(ax, ay), (bx, by), (bx + ux * most, by + uy * most), (ax + ux * most, ay + uy * most)]
    parts = [block.corners() for block in ranked.blocks(regiment, (0.0, 0.0, here[2]))]
    board = [(0.0, 0.0), (w, 0.0), (w, d), (0.0, d)]
    first = world(entry_pose(state, edge, (span[0] + span[1]) / 2), 0.0, min(limit, most))
    spot = nearest_of(parts, board, keeps, first, anticlockwise(region))
    if spot is None:
        return None
    at = round(spot[0] if edge in ("south", "north") else spot[1], 4)
    far = from_edge(state, edge, *spot)
    for inches in (math.floor(far * 1000) / 1000, math.ceil(far * 1000) / 1000):
        path = [drill.forward(min(inches, math.floor(limit * 1000) / 1000))]
        where = entry_pose(state, edge, at)
        if not entry_place_reasons(state, regiment, edge, at, wide) and may_enter(
            battle, regiment, where, edge, path, limit
        ):
            return {"edge": edge, "at": at, "files": regiment.files, "path": path}
    return None


def wheeling_on(battle: Battle[State], regiment: Regiment, edge: str, limit: float) -> dict[str, Any] | None:
    """A way on with a wheel, tried out where straight on there is none: that it finds none says nothing."""
    state, wide = battle.state, ranked.width(regiment)
    span = entry_span(state, regiment, edge, wide)
    widest = min(45.0, math.degrees(limit / wide))
    far, flying = march.furthest(regiment, limit), bool(hooks.granted(state, regiment, "fly"))
    blocks = [block.corners() for other, _ in formation.on_the_table(state) for block in ranked.blocks(other)]
    ends = ways_out.nowhere_to_end([*blocks, *(off.ring for off in table.edges(state))])
    for k in range(0 if span is None else int(span[1] - span[0]) + 1):
        assert span is not None
        at = round(span[0] + k, 3)
        where = entry_pose(state, edge, at)
        around = march.obstacles(state, regiment, where, far, flying)
        for turn in (widest / 4, -widest / 4, widest / 2, -widest / 2, widest * 0.75, -widest * 0.75):
            wheel = drill.wheel(turn)
            left = math.floor((limit - drill.cost(wide, [wheel])) * 1000) / 1000
            for path in ([wheel, drill.forward(left)], [drill.forward(left), wheel]):
                if may_enter(battle, regiment, where, edge, path, limit, around=around, ends=ends):
                    return {"edge": edge, "at": at, "files": regiment.files, "path": path}
    return None


def no_room(battle: Battle[State], regiment: Regiment, limit: float) -> bool:
    """Is there certainly no way on, however it wheels: nowhere that two Marches could lead any room for it, in any
    formation and at any facing?"""
    state = battle.state
    most = limit + march.coming_march(battle, regiment, "march", "march")
    keeps: list[Keep] = []
    for other in state.on_table():
        room = 0.0 if other.side == regiment.side else 1.0
        keeps += [Keep(ring, room) for thing in formation.body(state, other) for ring in ways_out.rings(thing)]
    for piece in state.terrain:
        if piece.solid:
            keeps += [Keep(ring, 1.0) for ring in ways_out.rings(piece.thing)]
    w, d = state.scenario.width, state.scenario.depth
    wide, deep = regiment.profile.stand
    for files in formation.files_allowed(regiment):
        ranks = len(regiment.stands) // files
        for edge in edges_open(state, regiment):
            span = entry_span(state, regiment, edge, files * wide)
            if span is None:
                continue
            # No corner of the front comes further than the Marches, and the rear is behind it while it turns less than
            # a quarter; sideways it swings out.
            front, back = files * wide, -(-len(regiment.stands) // files) * deep
            on = most if most < front * math.pi / 2 else most + back
            (ax, ay, facing), (bx, by, _) = (entry_pose(state, edge, at) for at in span)
            (ux, uy), aside = rotate(0.0, 1.0, facing), front / 2 + most + back
            xs = (ax, bx, ax + ux * on, ax - uy * aside, ax + uy * aside, bx - uy * aside, bx + uy * aside)
            ys = (ay, by, ay + uy * on, ay - ux * aside, ay + ux * aside, by - ux * aside, by + ux * aside)
            x0, x1 = max(0.0, min(xs)), min(w, max(xs))
            y0, y1 = max(0.0, min(ys)), min(d, max(ys))
            area = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
            middle = ((x0 + x1) / 2, (y0 + y1) / 2)
            # Facings are told apart so finely that a body less by this rim rules out all between two of them.
            rim = math.hypot(front, back) * math.radians(standing_room.FINEST / 2)
            body = (files * wide - 2 * rim, ranks * deep - 2 * rim)
            if standing_room.place(*body, area, keeps, middle, facing) is not None:
                return False
    return True
