"""Line of sight and Size: who sees whom, what blocks, what obscures (conquest.regiment.line-of-sight.*)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Literal, NamedTuple

from umpire.engine.picture import Piece, Sight
from umpire.engine.rulings import Reason
from umpire.space.measure import separation
from umpire.space.shapes import Base, Hull, Point, Prism, Rect, Thing, circle_about, dot, mm
from umpire.space.sight import visible

from . import formation, hooks
from .profiles import Terrain
from .state import Regiment, Stand, State

TALL = 1000.0


class Blocker(NamedTuple):
    thing: Thing
    size: float
    name: str
    obscuring: bool = False


def piece_size(state: State, piece: Terrain) -> int:
    """The Size of a piece with that of the hill it stands on (conquest.core.size.on-terrain)."""
    hills = tuple((t.points, t.stated_size) for t in state.terrain if t is not piece and "hill" in t.rules)
    return piece.stated_size + (_hill_under(piece.points, hills) if hills else 0)


@functools.lru_cache(maxsize=512)
def _hill_under(points: tuple[Point, ...], hills: tuple[tuple[tuple[Point, ...], int], ...]) -> int:
    spot = dot(*circle_about(points)[:2])
    return max((size for hill, size in hills if separation(spot, Prism(hill)) < 0), default=0)


def stands_in(regiment: Regiment, piece: Terrain) -> bool:
    """Is any stand of the regiment in or on the piece?"""
    if not formation.near_piece(regiment, piece):
        return False
    return formation.gap(formation.blocks(regiment), (piece.thing,)) < -formation.TOUCH


def size_of(state: State, regiment: Regiment) -> int:
    """Its Size, with what it stands on (not what it passes through), or the piece it occupies."""
    if regiment.where == "garrison":
        return state.piece(regiment.garrison).stated_size
    under = [t.stated_size for t in state.terrain if t.lifts and stands_in(regiment, t)]
    return regiment.profile.size + max(under, default=0)


def blockers(state: State, viewer: Regiment, target: Regiment) -> list[Blocker]:
    """Regiments and terrain at least as large as both (conquest.regiment.line-of-sight.blocking)."""
    sizes = (size_of(state, viewer), size_of(state, target))
    least = max(sizes) if state.options.blocking == "both" else min(sizes)
    x, y = formation.centre(viewer)
    tx, ty = formation.centre(target)
    wide = max(formation.disc(viewer)[2], formation.disc(target)[2])
    found: list[Blocker] = []
    for other in state.regiments.values():
        if other is viewer or other is target or other.where != "table":
            continue
        ox, oy, radius = formation.disc(other)
        if not between(x, y, tx, ty, ox, oy, wide + radius) or size_of(state, other) < least:
            continue
        found += [Blocker(grown(block), 0, other.id) for block in formation.blocks(other)]
    for piece in state.terrain:
        px, py, radius = piece.circle
        if not between(x, y, tx, ty, px, py, wide + radius):
            continue
        opaque = "los-blocking" in piece.rules
        if not opaque and piece_size(state, piece) < least:
            continue
        if piece.id in (viewer.garrison, target.garrison) or own_terrain(piece, viewer, target):
            continue
        found.append(Blocker(Prism(piece.points, 0.0, TALL), 0, piece.id, "obscuring" in piece.rules and not opaque))
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
    """Terrain in which one of the two stands does not block (conquest.regiment.line-of-sight.own-terrain)."""
    return (viewer.where == "table" and stands_in(viewer, piece)) or (
        target.where == "table" and stands_in(target, piece)
    )


def rules_of_line(state: State, viewer: Regiment, target: Regiment) -> tuple[str, ...]:
    """The rules by which one regiment was found to see another."""
    rules = ["conquest.core.size.stands", "conquest.regiment.facing-arcs", "conquest.regiment.line-of-sight.line"]
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


def front_stands(regiment: Regiment) -> list[Stand]:
    """The stands of the front rank; in a garrison, all (conquest.terrain.garrison.all-front)."""
    return [s for s in regiment.stands if s.rank == 0 or regiment.where == "garrison"]


def all_round(state: State, regiment: Regiment) -> str:
    """The rule by which a regiment sees all round, or ""."""
    if regiment.where == "garrison":
        return "conquest.terrain.garrison.view"
    return hooks.granted(state, regiment, "see-all-round")


def visible_parts(state: State, viewer: Regiment, target: Regiment) -> list[list[Point]]:
    """The parts of the target in the viewer's front arc (conquest.regiment.line-of-sight.front-arc)."""
    corners = [
        list(thing.corners()) if isinstance(thing, Base) else list(thing.points)
        for thing in formation.body(state, target)
    ]
    if all_round(state, viewer):
        return corners
    return [part for points in corners if len(part := formation.in_front_arc(viewer, points)) > 0]


def target_things(parts: Sequence[Sequence[Point]]) -> list[Base]:
    return [Base(Hull(tuple(part)), 0.0, 0.0, 0.0, 0.0, 1.0) for part in parts]


def viewpoints(state: State, viewer: Regiment, stand: Stand | None = None) -> list[Thing]:
    """Where lines of sight start: the centre of each front stand's front edge (or of one stand's), or the edge of the
    piece occupied."""
    if viewer.where == "garrison":
        return [Prism(state.piece(viewer.garrison).points, 0.0, 1.0)]
    return [
        Base(Hull((p,)), 0.0, 0.0, 0.0, 0.0, 1.0)
        for p in (formation.front_centre(viewer, s) for s in ([stand] if stand else front_stands(viewer)))
    ]


def reasons_unseen(
    state: State, viewer: Regiment, target: Regiment, volley: bool = False, stand: Stand | None = None
) -> list[Reason]:
    """Why the target is not in line of sight (of one stand, if given); empty if it is. A Volley is not stopped by
    obscuring terrain."""
    parts = visible_parts(state, viewer, target)
    if not parts:
        return [Reason("conquest.regiment.line-of-sight.front-arc", facts={"target": target.id})]
    block = [b.thing for b in blockers(state, viewer, target) if not (volley and b.obscuring)]
    if not block:
        return []
    things = target_things(parts)
    for point in viewpoints(state, viewer, stand):
        if any(visible(point, thing, block, across=9) for thing in things):
            return []
    return [Reason("conquest.regiment.line-of-sight.blocking", facts={"target": target.id})]


Shot = Literal["clear", "obscured", "obstructed"]


def shot(state: State, viewer: Regiment, stand: Stand, target: Regiment) -> Shot:
    """The shot of one front-rank stand: from any point of its front edge (conquest.volley.obstruction.line)."""
    parts = visible_parts(state, viewer, target)
    if not parts:
        return "obstructed"
    block = blockers(state, viewer, target)
    crossing = [Blocker(Prism(t.points, 0.0, TALL), 0, t.id, True) for t in obscuring(state, viewer, target)]
    if not block and not crossing:
        return "clear"
    things = target_things(parts)
    edge = front_edge(state, viewer, stand)
    solid = [b.thing for b in block if not b.obscuring]
    veils = [b.thing for b in crossing]
    if any(visible(edge, thing, [*solid, *veils]) for thing in things):
        return "clear"
    if veils and any(visible(edge, thing, solid) for thing in things):
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


def obscuring(state: State, viewer: Regiment, target: Regiment) -> list[Terrain]:
    """Obscuring pieces that halve shots: not the one in which every stand of the shooters is at least partly."""
    found = []
    for piece in state.terrain:
        if "obscuring" not in piece.rules or piece.id == viewer.garrison:
            continue
        px, py, radius = piece.circle
        wide = formation.reach_of(viewer) + formation.reach_of(target) + radius
        if not between(*formation.centre(viewer), *formation.centre(target), px, py, wide):
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
