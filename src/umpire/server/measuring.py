"""The tape and the thread: distance and sight between two things on the table, as a seat sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from umpire.engine.game import Game
from umpire.engine.picture import Block, Label, Picture, Piece
from umpire.server.problems import problem
from umpire.space import measure as tape
from umpire.space import sight
from umpire.space.shapes import Base, Hull, Oval, Prism, Rect, Round, Shape, dot
from umpire.space.terrain import crossings
from umpire.text import LANGUAGES, Names, both

SEE_THROUGH = frozenset({"area", "water", "ladder", "door", "arch", "fence", "stair", "hill"})
"""Kinds of terrain that a sight thread passes: they lie flat, are open, or are stood upon."""


def measure(game: Game, state: Any, picture: Picture, start: Any, end: Any, names: Names) -> dict[str, Any]:
    """Base to base, or from the points: inches, where they were measured, and whether one sees the other. `state` and
    `picture` are what the asker may know."""
    if game.measuring and not state.applies(game.measuring):
        raise problem("refused", "server.in-battle-nobody-may-measure", 403)
    pieces = {piece.id: piece for piece in picture.pieces}
    a, b = _thing(pieces, start), _thing(pieces, end)
    ends = [pieces[end] for end in (start, end) if isinstance(end, str)]
    judged = game.sight(state, *ends) if game.sight and len(ends) == 2 else None
    seen = _thread(game, picture, a, b, {piece.unit for piece in ends}, names)
    (ax, ay), (bx, by) = tape.closest_points(a, b)
    low = max(a.z, b.z)
    line = [[ax, ay, min(low, a.top)], [bx, by, min(low, b.top)]]
    return {
        "distance": round(tape.true_distance(a, b), 4),
        "horizontal": round(tape.distance(a, b), 4),
        "vertical": round(tape.vertical(a, b), 4),
        "line": line,
        "rules": [game.measuring] if game.measuring else [],
        "sight": seen if judged is None else {**seen, **msgspec.to_builtins(judged)},
    }


def _thing(pieces: dict[str, Piece], what: Any) -> Base:
    if not isinstance(what, str):
        return dot(what["x"], what["y"], what["z"])
    piece = pieces.get(what)
    if piece is None:
        raise problem("refused", "server.there-no-on-table", 404, what=what)
    return _body(piece)


def _body(piece: Piece) -> Base:
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


def _thread(game: Game, picture: Picture, a: Base, b: Base, but: set[str], names: Names) -> dict[str, Any]:
    """The thread from the middle of one to the middle of the other with what it meets, units other than `but` and
    terrain, and whether any line at all passes the terrain."""
    walls: list[Prism] = []
    owners: list[tuple[str, Label | Mapping[str, str]]] = []
    for terrain in picture.terrain:
        for block in terrain.blocks:
            if _blocks(block):
                walls.append(Prism(block.points, block.z, block.top))
                owners.append((terrain.id, terrain.name))
    others = [piece for piece in picture.pieces if piece.unit not in but]
    owners += [(piece.unit, names(piece.unit) or dict.fromkeys(LANGUAGES, piece.unit)) for piece in others]
    bodies = [_body(piece) for piece in others]
    eye, mark = [a.x, a.y, a.z + a.height / 2], [b.x, b.y, b.z + b.height / 2]
    hits: dict[str, dict[str, Any]] = {}
    crossed = crossings((a.x, a.y), (b.x, b.y), [*walls, *bodies], (eye[2], mark[2]))
    for hit in sorted(crossed, key=lambda hit: hit.start):
        key, name = owners[hit.thing]
        at = [round(float(p + (q - p) * hit.start), 4) for p, q in zip(eye, mark, strict=True)]
        hits.setdefault(key, {"id": key, "name": both(name, game.id, names), "at": at})
    return {
        "clear": not walls or sight.visible(a, b, walls),
        "cover": any(hit.thing < len(walls) for hit in crossed),
        "rules": [],
        "line": [eye, mark],
        "blockers": list(hits.values()),
    }


def _blocks(block: Block) -> bool:
    return block.kind not in SEE_THROUGH and block.top > block.z and len(block.points) >= 3
