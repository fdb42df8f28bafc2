"""Terrain features: categories, types and their traits (terrain.category.*, terrain.type.*)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from umpire.engine.rulings import Reason
from umpire.games.wh40k.profiles import Name
from umpire.games.wh40k.state import Feature, Part, Point, State
from umpire.miniatures.amounts import High, Offset
from umpire.rulebook.deciding import decides
from umpire.space.angles import sin_cos
from umpire.space.plain import anticlockwise, overhang
from umpire.space.shapes import TOLERANCE


class Type(NamedTuple):
    category: str
    traits: tuple[str, ...]
    rule: str


TYPES = {
    "ruins": Type(
        "area", ("scaleable", "breachable", "light-cover", "defensible", "obscuring"), "wh40k.terrain.type.ruins"
    ),
    "craters": Type("area", ("light-cover", "difficult-ground"), "wh40k.terrain.type.craters"),
    "armoured-containers": Type(
        "obstacle", ("light-cover", "scaleable", "exposed-position"), "wh40k.terrain.type.armoured-containers"
    ),
    "barricades": Type(
        "obstacle",
        ("defence-line", "light-cover", "heavy-cover", "defensible", "unstable-position", "difficult-ground"),
        "wh40k.terrain.type.barricades",
    ),
    "woods": Type("area", ("dense-cover", "breachable", "defensible", "difficult-ground"), "wh40k.terrain.type.woods"),
    "debris": Type("obstacle", ("exposed-position",), "wh40k.terrain.type.debris"),
    "industrial-structures": Type(
        "area",
        ("scaleable", "breachable", "dense-cover", "defensible"),
        "wh40k.terrain.type.industrial-structures",
    ),
    "statuary": Type(
        "obstacle", ("light-cover", "unstable-position", "inspiring"), "wh40k.terrain.type.imperial-statuary"
    ),
    "ruined-walls": Type(
        "obstacle",
        ("defence-line", "breachable", "dense-cover", "unstable-position"),
        "wh40k.terrain.type.ruined-walls",
    ),
}


HILL = "hill"
"""wh40k.terrain.hill: part of the ground, no terrain feature; it has no traits and gives no cover."""


Corner = tuple[Offset, Offset]


class PartData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A convex part about the piece's own origin."""

    points: tuple[Corner, ...]
    top: High
    floor: High = 0.0
    kind: Literal["wall", "floor", "body"] = "body"


class PieceData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of terrain as the content files write it."""

    id: str
    name: Name
    type: str
    points: tuple[Corner, ...]
    parts: tuple[PartData, ...] = ()
    height: High = 0.0
    keyword: str = ""
    hill: bool = False


def turned(points: tuple[Point, ...], x: float, y: float, facing: float) -> tuple[Point, ...]:
    s, c = sin_cos(facing)
    return anticlockwise([(px * c + py * s + x, py * c - px * s + y) for px, py in points])


@decides("wh40k.terrain.structure", "wh40k.terrain.category.two", "wh40k.terrain.area.footprint")
def make_feature(key: str, piece: PieceData, x: float, y: float, facing: float, without: Sequence[str] = ()) -> Feature:
    """wh40k.terrain.structure: one category, at least one trait; every area has a boundary before the battle begins."""
    kind = TYPES[piece.type]
    points = turned(piece.points, x, y, facing)
    parts = tuple(Part(p.kind, turned(p.points, x, y, facing), p.floor, p.top) for p in piece.parts)
    return Feature(
        id=key,
        name=piece.name,
        type=piece.type,
        category=HILL if piece.hill else kind.category,
        traits=() if piece.hill or kind.rule in without else kind.traits,
        points=points,
        height=piece.height or max([p.top for p in parts], default=0.0),
        parts=parts,
        x=x,
        y=y,
        r=max(math.sqrt((px - x) ** 2 + (py - y) ** 2) for px, py in points),
        keyword=piece.keyword,
    )


def against_terrain(state: State) -> Iterator[Reason]:
    """What the book has against the features as they stand: they stand on the battlefield, and each has a category and
    at least one trait (a hill is ground)."""
    for n, feature in enumerate(state.terrain):
        beyond = overhang(feature.points, state.width, state.depth)
        if beyond > TOLERANCE:
            facts = {"feature": feature.id, "beyond": round(beyond, 3)}
            yield Reason("wh40k.core.battlefield-size", "reason.terrain.beyond", facts, f"terrain[{n}]")
        if not feature.traits and feature.category != "hill":
            facts = {"feature": feature.id, "traits": 0, "least": 1}
            yield Reason("wh40k.terrain.structure", "reason.wh40k.no-traits", facts, f"terrain[{n}]")
