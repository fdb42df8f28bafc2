"""The furthest legal part of a move that is refused: where a piece stops that was dragged too far."""

from __future__ import annotations

import math
from typing import Any

from umpire.engine.decisions import furthest, number_ok
from umpire.games.warcry.legs import HOWS, Tracer, why_not_fly
from umpire.games.warcry.paths import LegData, find, goal_spots, leg, ray
from umpire.games.warcry.placing import body


def nearest(tracer: Tracer, wish: Any) -> Any:
    """The longest legal first part of what an illegal answer wished for."""
    if not isinstance(wish, dict):
        return None
    if isinstance(wish.get("path"), list):
        kept = cut(tracer, [data for data in wish["path"] if data.get("how", "walk") in HOWS])
    elif "to" in wish:
        found = find(tracer, wish["to"], tracer.limit * 2 + 2.0)
        kept = cut(tracer, found[0]) if found else []
        kept = kept or cut(tracer, straight(tracer, wish["to"]))
    else:
        return None
    return None if tracer.run(kept).reasons else {"path": kept}


def straight(tracer: Tracer, goal: Any) -> list[LegData]:
    """The leg that leads straight to a wish, whatever is in its way."""
    if isinstance(goal, dict) and number_ok(goal.get("x")) and number_ok(goal.get("y")):
        spots = [(goal["x"], goal["y"])]
    else:
        spots = [(x, y) for x, y, _ in goal_spots(tracer, goal)]
    if not spots:
        return []
    fighter = tracer.fighter
    x, y = min(spots, key=lambda s: math.hypot(s[0] - fighter.x, s[1] - fighter.y))
    flies = not tracer.disengage and not why_not_fly(tracer.state, fighter)
    return [leg("fly" if flies else "walk", x, y)]


def cut(tracer: Tracer, legs: list[LegData]) -> list[LegData]:
    """As much of a path as is legal; a last walk or flight is shortened, anything else is left out."""
    kept: list[LegData] = []
    for data in legs:
        if not tracer.run([*kept, data]).reasons:
            kept.append(data)
            continue
        across = data.get("how", "walk") in ("walk", "fly") and "through" not in data
        if across and number_ok(data.get("x")) and number_ok(data.get("y")):
            part = shortened(tracer, kept, data)
            kept += [part] if part else []
        break
    return kept


BACK = 0.25
"""Inches by which a way is shortened until it is legal; then it is lengthened again as far as it stays so."""


def shortened(tracer: Tracer, kept: list[LegData], data: LegData) -> LegData | None:
    """The furthest place on a straight walk or flight, after the legs kept before it, at which a move may end."""
    before, fighter, how = tracer.run(kept), tracer.fighter, data.get("how", "walk")
    last = before.legs[-1] if before.legs else fighter
    dx, dy = data["x"] - last.x, data["y"] - last.y
    far = math.hypot(dx, dy)
    most = min(far, tracer.limit - before.cost - 0.002)
    if how == "walk" and far:
        most = min(most, far * ray(tracer, body(fighter, last.x, last.y, last.z), dx, dy) - 0.002)

    def to(inches: float) -> LegData | None:
        part = leg(how, last.x + dx * inches / far, last.y + dy * inches / far)
        return None if tracer.run([*kept, part]).reasons else part

    part = furthest(most, BACK, lambda inches: to(inches) is not None) if most > 0.01 else None
    return None if part is None else to(part)
