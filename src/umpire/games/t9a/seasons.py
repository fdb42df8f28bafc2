"""Deployment types, maps, secondary objectives and decks of a season."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import msgspec

from umpire.errors import fault
from umpire.miniatures.books import content

from .profiles import Names
from .state import Field, Terrain, Zone


class MapEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A terrain map: pieces as shares of a board's length and depth, with sizes in inches."""

    id: str
    name: Names
    terrain: tuple[dict[str, Any], ...]


class DeploymentEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deployment type: zones as polygons measured from the centre in inches, or in shares where words say so."""

    id: str
    name: Names
    zones: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]


class Secondary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    name: Names
    text: Names
    kind: Literal["destroy-general", "hold-centre", "break-through", "keep-standards", "hunt-characters"]


class Season(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The season pack: deployment types, maps, secondary objectives and flux decks by size class."""

    deployments: tuple[DeploymentEntry, ...]
    maps: tuple[MapEntry, ...]
    secondaries: tuple[Secondary, ...]
    decks: dict[str, tuple[int, ...]]


@cache
def season() -> Season:
    return content("t9a", "season.yaml").convert(Season)


def field_of(size: int, deployment: str, map_id: str, secondaries: bool) -> Field:
    """The battlefield for an army size (t9a.prep.board.size)."""
    from .preparation import board

    length, klass = board(size)
    pack = season()
    entry = next((d for d in pack.deployments if d.id == deployment), None)
    if entry is None:
        raise fault("error.t9a.no-deployment", "scenario", name=deployment)
    chart = next((m for m in pack.maps if m.id == map_id), None)
    if chart is None:
        raise fault("error.t9a.no-map", "scenario", name=map_id)
    zones = tuple(
        Zone(tuple((_place(x, length), _place(y, 48.0)) for x, y in corners), 0.0 if k == 0 else 180.0)
        for k, corners in enumerate(entry.zones)
    )
    terrain = tuple(
        Terrain(
            f"terrain-{k}",
            piece["kind"],
            _corners(piece["x"] * length, piece["y"] * 48.0, piece["w"], piece["d"], piece.get("turn", 0)),
            piece.get("name", {}),
        )
        for k, piece in enumerate(chart.terrain)
    )
    return Field(
        width=length,
        depth=48.0,
        deployment=deployment,
        names=entry.name,
        deck=pack.decks[klass],
        zones=(zones[0], zones[1]),
        terrain=terrain,
        secondaries=tuple(s.id for s in pack.secondaries) if secondaries else (),
    )


def _place(text: str, whole: float) -> float:
    """ "6" from the near edge, "-6" from the far edge, "50%" of the whole, "50%+9"."""
    text = str(text)
    if "%" in text:
        share, _, more = text.partition("%")
        return float(share) / 100 * whole + float(more or 0)
    value = float(text)
    return whole + value if text.startswith("-") else value


def _corners(x: float, y: float, w: float, d: float, turn: float) -> tuple[tuple[float, float], ...]:
    import math

    s, c = math.sin(math.radians(turn)), math.cos(math.radians(turn))
    out = []
    for dx, dy in ((-w / 2, -d / 2), (w / 2, -d / 2), (w / 2, d / 2), (-w / 2, d / 2)):
        out.append((round(x + dx * c + dy * s, 3), round(y - dx * s + dy * c, 3)))
    return tuple(out)
