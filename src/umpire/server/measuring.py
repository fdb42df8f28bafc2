"""The tape and the thread: distance and sight between two things on the table, as a seat sees them."""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.picture import Block, Picture, Piece
from umpire.server.problems import Problem
from umpire.space import measure as tape
from umpire.space import sight
from umpire.space.shapes import Base, Hull, Oval, Prism, Rect, Round, Shape, dot
from umpire.space.terrain import crossings
from umpire.text import Names, both

SEE_THROUGH = frozenset({"area", "water", "ladder", "door", "arch", "fence", "stair", "hill"})
"""Kinds of terrain that a sight thread passes: they lie flat, are open, or are stood upon."""


def measure(battle: Battle[Any], picture: Picture, start: Any, end: Any, names: Names) -> dict[str, Any]:
    """Base to base, or from the points: inches, where they were measured, and whether one sees the other."""
    pieces = {piece.id: piece for piece in picture.pieces}
    a, b = _thing(pieces, start), _thing(pieces, end)
    (ax, ay), (bx, by) = tape.closest_points(a, b)
    low = max(a.z, b.z)
    line = [[ax, ay, min(low, a.top)], [bx, by, min(low, b.top)]]
    return {
        "distance": round(tape.true_distance(a, b), 4),
        "horizontal": round(tape.distance(a, b), 4),
        "vertical": round(tape.vertical(a, b), 4),
        "line": line,
        "sight": _sight(battle, picture, a, b, names),
    }


def _thing(pieces: dict[str, Piece], what: Any) -> Base:
    if not isinstance(what, str):
        return dot(what["x"], what["y"], what["z"])
    piece = pieces.get(what)
    if piece is None:
        raise Problem("refused", f"桌上没有 {what}", f"there is no {what} on the table", 404)
    return Base(_shape(piece), piece.x, piece.y, piece.z, piece.facing, piece.height)


def _shape(piece: Piece) -> Shape:
    shape = piece.shape
    if shape.kind == "round":
        return Round(shape.width / 2)
    if shape.kind == "oval":
        return Oval(shape.width / 2, shape.depth / 2)
    if shape.kind == "rect":
        return Rect(shape.width, shape.depth)
    return Hull(shape.points)


def _sight(battle: Battle[Any], picture: Picture, a: Base, b: Base, names: Names) -> dict[str, Any]:
    """The thread from the middle of one to the middle of the other, and whether any line at all is free."""
    walls: list[Prism] = []
    owners = []
    for terrain in picture.terrain:
        for block in terrain.blocks:
            if _blocks(block):
                walls.append(Prism(block.points, block.z, block.top))
                owners.append(terrain)
    eye, mark = [a.x, a.y, a.z + a.height / 2], [b.x, b.y, b.z + b.height / 2]
    hits: dict[str, dict[str, Any]] = {}
    for hit in sorted(crossings((a.x, a.y), (b.x, b.y), walls, (eye[2], mark[2])), key=lambda hit: hit.start):
        owner = owners[hit.thing]
        at = [round(p + (q - p) * hit.start, 4) for p, q in zip(eye, mark, strict=True)]
        hits.setdefault(owner.id, {"id": owner.id, "name": both(owner.name, battle.game.id, names), "at": at})
    return {
        "clear": not walls or sight.visible(a, b, walls),
        "cover": bool(hits),
        "line": [eye, mark],
        "blockers": list(hits.values()),
    }


def _blocks(block: Block) -> bool:
    return block.kind not in SEE_THROUGH and block.top > block.z and len(block.points) >= 3
