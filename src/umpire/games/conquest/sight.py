"""Line of sight and Size: who sees whom, what blocks, what obscures (conquest.regiment.line-of-sight.*)."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from umpire.engine.copying import copy
from umpire.engine.decisions import Ends
from umpire.engine.picture import Piece, Sight
from umpire.engine.rulings import Reason
from umpire.rulebook.deciding import decides
from umpire.space.measure import separation
from umpire.space.ranks import fronts
from umpire.space.shapes import Base, Hull, Point, Prism, Rect, Thing, circle_about, dot, mm
from umpire.space.sight import ACROSS, visible

from . import formation, hooks, ranked
from .profiles import Terrain
from .state import Regiment, Stand, State

TALL = 1000.0


class Blocker(NamedTuple):
    """Something in the way of sight lines, but not of those from or to the stands `inside` it."""

    thing: Thing
    name: str
    obscuring: bool = False
    inside: tuple[str, ...] = ()


def piece_size(state: State, piece: Terrain) -> int:
    """The Size of a piece with that of the hill it stands on (conquest.core.size.on-terrain)."""
    hills = tuple((t.points, t.stated_size) for t in state.terrain if t is not piece and "hill" in t.rules)
    return piece.stated_size + (_hill_under(piece.points, hills) if hills else 0)


@functools.lru_cache(maxsize=512)
def _hill_under(points: tuple[Point, ...], hills: tuple[tuple[tuple[Point, ...], int], ...]) -> int:
    spot = dot(*circle_about(points)[:2])
    return max((size for hill, size in hills if separation(spot, Prism(hill)) < 0), default=0)


def stands_in(regiment: Regiment, piece: Terrain) -> list[Stand]:
    """The stands of a regiment that are in or on a piece."""
    if regiment.where != "table" or not formation.near_piece(regiment, piece):
        return []
    if fronts.gap(ranked.blocks(regiment), (piece.thing,)) >= -formation.TOUCH:
        return []
    return [s for s in regiment.stands if separation(formation.stand_base(regiment, s), piece.thing) < -formation.TOUCH]


@decides("conquest.core.size.terrain", "conquest.terrain.garrison.size", "conquest.terrain.garrison.volley.size")
def size_of(state: State, regiment: Regiment) -> int:
    """Its Size, with what it stands on (not what it passes through), or the piece it occupies."""
    if regiment.where == "garrison":
        return state.piece(regiment.garrison).stated_size
    return regiment.alone("size", state.without, lambda: _lifted(state, regiment))


def _lifted(state: State, regiment: Regiment) -> int:
    if not (state.applies("conquest.core.size.on-terrain") and state.applies("conquest.terrain.height.size")):
        return regiment.profile.size
    under = [t.stated_size for t in state.terrain if t.lifts and stands_in(regiment, t)]
    return regiment.profile.size + max(under, default=0)


@decides("conquest.terrain.height.see-over")
def blockers(state: State, viewer: Regiment, target: Regiment) -> list[Blocker]:
    """Regiments and terrain at least as large as both (conquest.regiment.line-of-sight.blocking)."""
    sizes = (size_of(state, viewer), size_of(state, target))
    least = max(sizes) if state.options.blocking == "both" else min(sizes)
    x, y, wide = formation.circle(state, viewer)
    tx, ty, far = formation.circle(state, target)
    wide = max(wide, far)
    found: list[Blocker] = []
    for other, (ox, oy, radius) in formation.on_the_table(state):
        if other is viewer or other is target:
            continue
        if not between(x, y, tx, ty, ox, oy, wide + radius) or size_of(state, other) < least:
            continue
        found += [Blocker(grown(block), other.id) for block in ranked.blocks(other)]
    for piece in state.terrain:
        px, py, radius = piece.circle
        if not between(x, y, tx, ty, px, py, wide + radius) or piece.id in (viewer.garrison, target.garrison):
            continue
        opaque = "los-blocking" in piece.rules and state.applies("conquest.terrain.zonal.los-blocking")
        if not opaque and piece_size(state, piece) < least:
            continue
        inside: tuple[str, ...] = ()
        if opaque or state.options.own_terrain == "every-piece":
            inside = tuple(s.id for r in (viewer, target) for s in stands_in(r, piece))
            if any(all(s.id in inside for s in r.stands) for r in (viewer, target)):
                continue
        veil = "obscuring" in piece.rules and not opaque
        found.append(Blocker(Prism(grown_outline(piece.points), 0.0, TALL), piece.id, veil, inside))
    return found


def between(ax: float, ay: float, bx: float, by: float, x: float, y: float, room: float) -> bool:
    """Is a circle anywhere near the line from one point to another? A cheap look before sight lines are drawn."""
    dx, dy = bx - ax, by - ay
    n = dx * dx + dy * dy
    t = ((x - ax) * dx + (y - ay) * dy) / n if n else 0.0
    t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
    px, py = ax + dx * t - x, ay + dy * t - y
    return px * px + py * py <= room * room


def own_terrain(piece: Terrain, viewer: Regiment, target: Regiment) -> bool:
    """Terrain in which stands of one of the two are (conquest.regiment.line-of-sight.own-terrain)."""
    return bool(stands_in(viewer, piece) or stands_in(target, piece))


def rules_of_line(state: State, viewer: Regiment, target: Regiment) -> tuple[str, ...]:
    """The rules by which one regiment was found to see another."""
    rules = ["conquest.regiment.line-of-sight.line"]
    sizes = [(size_of(state, r), r.profile.size) for r in (viewer, target) if r.where == "table"]
    if any(now != plain for now, plain in sizes):
        rules.append("conquest.core.size.on-terrain")
    if blockers(state, viewer, target):
        rules.append("conquest.regiment.line-of-sight.blocking")
    if any(piece.stated_size and own_terrain(piece, viewer, target) for piece in state.terrain):
        rules.append("conquest.regiment.line-of-sight.own-terrain")
    return tuple(rules)


def grown(block: Base) -> Base:
    """A blocker half a millimetre larger on every side: what is left is room for a line of 1 mm."""
    assert isinstance(block.shape, Rect)
    wide = mm(1)
    return Base(Rect(block.shape.width + wide, block.shape.depth + wide), block.x, block.y, 0.0, block.facing, TALL)


@functools.lru_cache(maxsize=512)
def grown_outline(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """An outline half a millimetre further out."""
    turns = math.fsum(points[k - 1][0] * y - x * points[k - 1][1] for k, (x, y) in enumerate(points))
    wide = mm(1) / 2 if turns > 0 else -mm(1) / 2
    found = []
    for k, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[k - 1], points[(k + 1) % len(points)]
        before, after = math.hypot(x - ax, y - ay), math.hypot(bx - x, by - y)
        nx, ny = (y - ay) / before, (ax - x) / before
        mx, my = (by - y) / after, (x - bx) / after
        scale = wide / max(0.1, 1.0 + nx * mx + ny * my)
        found.append((x + (nx + mx) * scale, y + (ny + my) * scale))
    return tuple(found)


@decides("conquest.terrain.garrison.all-front")
def front_stands(regiment: Regiment) -> list[Stand]:
    """The stands of the front rank; in a garrison, all (conquest.terrain.garrison.all-front)."""
    return [s for s in regiment.stands if s.rank == 0 or regiment.where == "garrison"]


def all_round(state: State, regiment: Regiment) -> str:
    """The rule by which a regiment sees all round, or ""."""
    if regiment.where == "garrison":
        return "conquest.terrain.garrison.view"
    return hooks.granted(state, regiment, "see-all-round")


def sees_around(state: State, viewer: Regiment, charging: bool) -> bool:
    """Does it see all round, when it charges too?"""
    return not (charging and state.options.all_round_charges == "no") and bool(all_round(state, viewer))


def visible_parts(state: State, viewer: Regiment, target: Regiment, charging: bool = False) -> list[list[Point]]:
    """The parts of the target in the viewer's front arc (conquest.regiment.line-of-sight.front-arc)."""
    return in_arc(state, viewer, outlines(state, target), charging)


def outlines(state: State, target: Regiment) -> list[list[Point]]:
    """The corners of what there is of a regiment to be seen."""
    things = formation.body(state, target)
    return [list(thing.corners() if isinstance(thing, Base) else thing.points) for thing in things]


def in_arc(state: State, viewer: Regiment, areas: list[list[Point]], charging: bool) -> list[list[Point]]:
    """The parts of areas that a regiment may look at: all of them, if it sees all round."""
    if sees_around(state, viewer, charging):
        return areas
    return [part for points in areas if len(part := ranked.in_front_arc(viewer, points)) > 0]


class Aim(NamedTuple):
    """What a sight line may end on: a part of one stand of the target, or of no stand in particular."""

    stand: str
    thing: Base


def aims(
    state: State,
    viewer: Regiment,
    target: Regiment,
    block: Sequence[Blocker],
    middles: bool = False,
    charging: bool = False,
) -> list[Aim]:
    """Parts of the target that lines may end on: stand by stand where it matters, or the `middles` of their sides."""
    if target.where == "garrison" or not (middles or any(b.inside for b in block)):
        parts = visible_parts(state, viewer, target, charging)
        return [Aim("", Base(Hull(tuple(part)), 0.0, 0.0, 0.0, 0.0, 1.0)) for part in parts]
    found: list[Aim] = []
    for stand in target.stands:
        corners = list(formation.stand_base(target, stand).corners())
        areas = [corners]
        if middles:
            sides = zip(corners, corners[1:] + corners[:1], strict=True)
            areas = [[((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)] for a, b in sides]
        parts = in_arc(state, viewer, areas, charging)
        found += [Aim(stand.id, Base(Hull(tuple(part)), 0.0, 0.0, 0.0, 0.0, 1.0)) for part in parts]
    return found


@decides("conquest.terrain.garrison.volley")
def viewpoints(state: State, viewer: Regiment, stand: Stand | None = None) -> list[tuple[str, Thing]]:
    """Where lines of sight start, and whose they are: the centre of each front stand's front edge (or of one stand's),
    or the edge of the piece occupied."""
    if viewer.where == "garrison":
        return [("", Prism(state.piece(viewer.garrison).points, 0.0, 1.0))]
    return [
        (s.id, Base(Hull((ranked.front_centre(viewer, s),)), 0.0, 0.0, 0.0, 0.0, 1.0))
        for s in ([stand] if stand else front_stands(viewer))
    ]


def open_line(start: Thing, own: str, ends: Sequence[Aim], block: Sequence[Blocker], across: int) -> bool:
    """Is there a line from there to any of these ends that nothing blocks?"""
    return _open_line(start, own, tuple(ends), tuple(block), across)


@functools.lru_cache(maxsize=1024)
def _open_line(start: Thing, own: str, ends: tuple[Aim, ...], block: tuple[Blocker, ...], across: int) -> bool:
    """Remembered, since whether an action is offered, whom it may be aimed at and what comes of it ask the same; what
    it depends on is all in the arguments, which never change."""
    for end in ends:
        left = [b.thing for b in block if own not in b.inside and end.stand not in b.inside]
        if not left or visible(start, end.thing, left, across=across):
            return True
    return False


def reasons_unseen(
    state: State,
    viewer: Regiment,
    target: Regiment,
    volley: bool = False,
    stand: Stand | None = None,
    charging: bool = False,
) -> list[Reason]:
    """Why the target is not in line of sight (of one stand, if given); empty if it is. A Volley is not stopped by
    obscuring terrain."""
    around = sees_around(state, viewer, charging)
    key = ("unseen", viewer.id, target.id, volley, stand.id if stand else "")
    about = (viewer.mark, target.mark, around, state.without, state.options)
    rule, facts = state.look(key, about, lambda: _unseen(state, viewer, target, volley, stand, charging))
    return [Reason(rule, facts={"target": target.id, **facts})] if rule else []


def _unseen(
    state: State, viewer: Regiment, target: Regiment, volley: bool, stand: Stand | None, charging: bool
) -> tuple[str, dict[str, Any]]:
    """The rule by which it is not seen, and how far it is outside of the front arc, or what is between the two; nothing
    if it is."""
    arc = "conquest.regiment.line-of-sight.front-arc"
    parts = visible_parts(state, viewer, target, charging)
    if not parts and state.applies(arc):
        away = min(ranked.outside_front_arc(viewer, area) for area in outlines(state, target))
        return arc, {"outside": round(away, 3)}
    block = [b for b in blockers(state, viewer, target) if not (volley and b.obscuring)]
    if not block:
        return "", {}
    middles = state.options.sight_line == "middle-of-a-side"
    seen = None if middles else at_a_glance(viewer, target, parts, block, stand)
    if seen is None:
        ends = aims(state, viewer, target, block, middles, charging)
        seen = any(open_line(point, own, ends, block, 9) for own, point in viewpoints(state, viewer, stand))
    blocking = "conquest.regiment.line-of-sight.blocking"
    if seen or not state.applies(blocking):
        return "", {}
    return blocking, {"by": list(dict.fromkeys(b.name for b in block))}


HAIR = 0.01
"""By so much a line misses things, or cuts through them, where a glance is enough to tell."""


def at_a_glance(
    viewer: Regiment, target: Regiment, parts: list[list[Point]], block: list[Blocker], stand: Stand | None
) -> bool | None:
    """Is one of these parts certainly seen, or certainly none of them? None: lines must be looked for. It is seen along
    a line that misses everything, and not seen where every line into it cuts through one and the same regiment."""
    if viewer.where != "table" or target.where != "table" or not parts:
        return None
    points = [ranked.front_centre(viewer, s) for s in ([stand] if stand else front_stands(viewer))]
    things = [b.thing for b in block]
    rings = [thing.corners() if isinstance(thing, Base) else thing.points for thing in things]
    if any(all(_misses(p, q, ring) for ring in rings) for p in points for part in parts for q in _amid(part)):
        return True
    whole = [thing.corners() for thing in things if isinstance(thing, Base)]
    hidden = all(any(all(_cuts(p, q, ring) for q in part) for ring in whole) for p in points for part in parts)
    return False if hidden else None


def _amid(part: Sequence[Point]) -> list[Point]:
    """Some points of a convex part: its middle, and half way from there to its corners."""
    mx, my = math.fsum(x for x, _ in part) / len(part), math.fsum(y for _, y in part) / len(part)
    return [(mx, my), *(((mx + x) / 2, (my + y) / 2) for x, y in part)]


def _misses(p: Point, q: Point, ring: Sequence[Point]) -> bool:
    """Does a line certainly miss all that is within an outline?"""
    (px, py), dx, dy = p, q[0] - p[0], q[1] - p[1]
    square = dx * dx + dy * dy
    hair = HAIR * math.sqrt(square)
    aside = [(x - px) * dy - (y - py) * dx for x, y in ring]
    if min(aside) > hair or max(aside) < -hair:
        return True
    along = [(x - px) * dx + (y - py) * dy for x, y in ring]
    return min(along) > square + hair or max(along) < -hair


def _cuts(p: Point, q: Point, corners: Sequence[Point]) -> bool:
    """Does a line that begins outside of a rectangle certainly cut through it?"""
    (px, py), (qx, qy), (ax, ay) = p, q, corners[-1]
    low, high = 0.0, 1.0
    for bx, by in corners:
        ex, ey = bx - ax, by - ay
        hair = HAIR * math.sqrt(ex * ex + ey * ey)
        # How far to the left of the side the line begins and ends: what is within lies to its right.
        start, end = ex * (py - ay) - ey * (px - ax) + hair, ex * (qy - ay) - ey * (qx - ax) + hair
        if start > 0.0 and end > 0.0:
            return False
        if start > 0.0 or end > 0.0:
            part = start / (start - end)
            low, high = (max(low, part), high) if start > 0.0 else (low, min(high, part))
        ax, ay = bx, by
    return 0.0 < low < high


Shot = Literal["clear", "obscured", "obstructed"]


@decides("conquest.volley.obstruction.size")
def shot(state: State, viewer: Regiment, stand: Stand, target: Regiment) -> Shot:
    """The shot of one front-rank stand: from any point of its front edge (conquest.volley.obstruction.line)."""
    if not visible_parts(state, viewer, target):
        return "obstructed"
    block = blockers(state, viewer, target)
    veils = [Blocker(Prism(t.points, 0.0, TALL), t.id, True) for t in obscuring(state, viewer, target)]
    if not block and not veils:
        return "clear"
    ends = aims(state, viewer, target, block)
    edge = front_edge(state, viewer, stand)
    solid = [b for b in block if not b.obscuring]
    if open_line(edge, stand.id, ends, [*solid, *veils], ACROSS):
        return "clear"
    if veils and open_line(edge, stand.id, ends, solid, ACROSS):
        return "obscured"
    return "obstructed"


def told(state: State, one: Piece, other: Piece) -> Sight | None:
    """What a player is told who measures from one regiment to another; inside one there is nothing to see."""
    viewer, target = state.regiment(one.unit), state.regiment(other.unit)
    if viewer is target:
        return None
    unseen = reasons_unseen(state, viewer, target)
    rules = list(dict.fromkeys((*rules_of_line(state, viewer, target), *(reason.rule for reason in unseen))))
    shots = {shot(state, viewer, stand, target) for stand in front_stands(viewer)}
    if shots != {"clear"}:
        rules.append("conquest.volley.obstruction.line")
    if "obscured" in shots:
        rules.append("conquest.volley.obscured-shot")
    if "obstructed" in shots and not unseen:
        rules.append("conquest.volley.obstruction.blocked")
    return Sight(not unseen, shots != {"clear"}, tuple(rules))


def seen_by(state: State, key: str, ends: Ends) -> list[str]:
    """The enemies that would have line of sight to a regiment where it ends."""
    ahead, end = copy(state), ends[key]
    regiment = ahead.regiment(key)
    ranked.put(regiment, (end.x, end.y, end.facing or 0.0))
    return [foe.id for foe in ahead.on_table(1 - regiment.side) if not reasons_unseen(ahead, foe, regiment)]


def obscuring(state: State, viewer: Regiment, target: Regiment) -> list[Terrain]:
    """Obscuring pieces that halve shots: not the one in which every stand of the shooters is at least partly."""
    found = []
    for piece in state.terrain:
        if "obscuring" not in piece.rules or piece.id == viewer.garrison:
            continue
        px, py, radius = piece.circle
        x, y, wide = formation.circle(state, viewer)
        tx, ty, far = formation.circle(state, target)
        if not between(x, y, tx, ty, px, py, max(wide, far) + radius):
            continue
        if viewer.where == "table" and all(
            separation(formation.stand_base(viewer, s), piece.thing) < -formation.TOUCH for s in viewer.stands
        ):
            continue
        found.append(piece)
    return found


def front_edge(state: State, viewer: Regiment, stand: Stand) -> Thing:
    if viewer.where == "garrison":
        return Prism(state.piece(viewer.garrison).points, 0.0, 1.0)
    left, right = formation.stand_base(viewer, stand).corners()[:2]
    return Base(Hull((left, right)), 0.0, 0.0, 0.0, 0.0, 1.0)
