"""Ways to move: random legal ones for players without a plan, and the cheapest way to a point."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from umpire.engine.decisions import Region
from umpire.engine.rng import Rng
from umpire.space.shapes import snap

if TYPE_CHECKING:
    from umpire.games.warcry.move import Tracer

Json = Any


def walk(x: float, y: float, **more: Any) -> dict[str, Any]:
    return {"how": "walk", "x": snap(x), "y": snap(y), **more}


def propose(tracer: Tracer, rng: Rng) -> Json:
    """A legal or nearly legal move at random."""
    f = tracer.fighter
    limit = tracer.limit
    angle, far = rng.uniform(0.0, 2 * math.pi), rng.uniform(0.3, 1.0) * limit
    return {"path": [walk(f.x + far * math.cos(angle), f.y + far * math.sin(angle))]}


def propose_out(tracer: Tracer, rng: Rng) -> Json:
    f = tracer.fighter
    angle, far = rng.uniform(0.0, 2 * math.pi), rng.uniform(0.4, 1.0) * tracer.limit
    return {"path": [walk(f.x + far * math.cos(angle), f.y + far * math.sin(angle))]}


def expand(tracer: Tracer, goal: Any) -> list[dict[str, Any]] | None:
    return None


def nearest(tracer: Tracer, wish: Any) -> Json:
    return None


def reach(tracer: Tracer) -> list[Region]:
    return []
