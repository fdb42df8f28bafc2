"""The furthest legal part of a move that is refused: where a piece stops that was dragged too far."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from umpire.engine.decisions import furthest, number_ok
from umpire.engine.decisions.movers import encode
from umpire.games.warcry.bounding import surroundings
from umpire.games.warcry.legs import HOWS, KEPT, Trace, Tracer, why_not_fly
from umpire.games.warcry.paths import find, goal_spots, leg, towards
from umpire.games.warcry.placing import body
from umpire.games.warcry.searching import LegData
from umpire.games.warcry.state import Fighter, State
from umpire.games.warcry.tightening import plain
from umpire.space.packs import Floats
from umpire.space.paths import Reach, reach
from umpire.space.shapes import TOLERANCE, snap


def nearest(tracer: Tracer, wish: Any) -> Any:
    """The longest legal first part of what an illegal answer wished for."""
    if not isinstance(wish, dict):
        return None
    if isinstance(wish.get("path"), list):
        kept = cut(tracer, [data for data in wish["path"] if data.get("how", "walk") in HOWS])
    elif "to" in wish:
        kept = _towards(tracer, wish["to"])
    else:
        return None
    return {"path": kept} if legal(tracer, kept) else None


def legal(tracer: Tracer, legs: list[LegData]) -> bool:
    """May a move be made so? Remembered while the question is open: a hand asks for like things again and again."""
    key = encode(legs)
    found: bool | None = tracer.free.get(key)
    if found is None:
        if len(tracer.free) >= KEPT:
            tracer.free.clear()
        found = tracer.free[key] = not tracer.run(legs, brief=True).reasons
    return found


def _towards(tracer: Tracer, goal: Any) -> list[LegData]:
    """Of what can be done in the direction of a wish, that which ends nearest to it. What is soonest told comes first,
    and whatever is as near as a whole move could bring the fighter ends the search."""
    wished = straight(tracer, goal)
    if not wished:
        found = find(tracer, goal, tracer.limit * 2 + 2.0)
        return cut(tracer, found[0]) if found else []
    fighter = tracer.fighter
    x, y = wished[0]["x"], wished[0]["y"]
    z = goal.get("z") if isinstance(goal, dict) else None
    least = max(0.0, math.hypot(x - fighter.x, y - fighter.y) - tracer.limit)

    def on() -> list[LegData]:
        return cut(tracer, wished)

    def about() -> list[LegData]:
        return nearest_walk(tracer, x, y)

    def away(legs: list[LegData]) -> float:
        if all(map(plain, legs)):  # it stays on its level
            ex, ey = (legs[-1]["x"], legs[-1]["y"]) if legs else (fighter.x, fighter.y)
            return math.hypot(ex - x, ey - y, 0.0 if z is None else fighter.z - z)
        end = tracer.run(legs).ending(fighter)
        return math.hypot(end.x - x, end.y - y, 0.0 if z is None else end.z - z)

    best: list[LegData] = []
    nearness = away(best)
    for way in (on, about):
        legs = way()
        if legs and (far := away(legs)) < nearness:
            best, nearness = legs, far
        if nearness <= least + 0.05:
            return best
    if fighter.climbing:
        return _off_the_wall(tracer, x, y) or best
    if tracer.disengage or not why_not_fly(tracer.state, fighter):
        return best
    for tried, (near, whole) in enumerate(towards(tracer, x, y, z, nearness)):
        if near >= nearness or tried >= TRIES:
            break
        legs = cut(tracer, whole)
        if legs and (far := away(legs)) < nearness:
            best, nearness = legs, far
    return best


def _off_the_wall(tracer: Tracer, x: float, y: float) -> list[LegData]:
    """Of the straight ways of a climbing fighter towards a point, by a climb or a jump, that which leads furthest."""
    fighter = tracer.fighter
    dx, dy = x - fighter.x, y - fighter.y
    far = math.hypot(dx, dy)

    def to(inches: float) -> LegData | None:
        px, py = fighter.x + dx * inches / far, fighter.y + dy * inches / far
        heights = [z for z in reversed(tracer.ground.surfaces(px, py)) if z <= fighter.z + TOLERANCE]
        ways = (leg(how, px, py, z) for z in heights for how in ("climb", "jump"))
        return next((way for way in ways if legal(tracer, [way])), None)

    most = min(far, tracer.limit)
    part = furthest(most, BACK, lambda inches: to(inches) is not None) if most > 0.01 else None
    last = None if part is None else to(part)
    return [] if last is None else [last]


TRIES = 6
"""So many ways over corners, walls and platforms are tried for a place that is nearer to a wish."""


def nearest_walk(tracer: Tracer, x: float, y: float) -> list[LegData]:
    """The walk that ends nearest to a point of all that stay on the ground where the fighter stands."""
    fighter = tracer.fighter
    if fighter.climbing or tracer.limit <= CLEAR:
        return []
    shy = keep_off(tracer.state, fighter) if tracer.disengage else []

    def good(ground: Reach, spots: Floats) -> Any:
        """Which places can be walked to."""
        fine = np.isfinite(ground.costs(spots))
        for dx, dy, radius in shy:
            fine &= np.hypot(spots[:, 0] - dx, spots[:, 1] - dy) > radius + CLEAR
        return fine

    def first(ground: Reach, spots: Floats) -> Floats | None:
        """The place nearest to the point that can be walked to: most of them are not looked at."""
        order = np.argsort(np.hypot(spots[:, 0] - x, spots[:, 1] - y), kind="stable")
        for at in range(0, len(order), ROW):
            some = spots[order[at : at + ROW]]
            fine = good(ground, some)
            if fine.any():
                return some[int(np.argmax(fine))]  # type: ignore[no-any-return]
        return None

    step = tracer.limit / GRID
    if tracer.walkable is None:
        base, things, table, fence = surroundings(tracer)
        whole = reach(base, tracer.limit - CLEAR, things, CLEAR, table, fence)
        spots = _net(GRID) * step + (fighter.x, fighter.y)
        tracer.walkable = whole, spots[good(whole, spots)]
    ground, spots = tracer.walkable
    if not len(spots):
        return []
    best = spots[np.argmin(np.hypot(spots[:, 0] - x, spots[:, 1] - y))]
    for _ in range(4):
        step /= 3
        best = first(ground, _net(3) * step + best)
        if best is None:
            return []
    way = ground.path(snap(float(best[0])), snap(float(best[1])), tracer.limit)
    legs = [leg("walk", px, py) for px, py in way.points[1:]] if way is not None else []
    return legs if legal(tracer, legs) else []


CLEAR = 0.003
"""How clear of everything such a walk keeps."""
GRID = 8
ROW = 14
"""So many places are looked at together."""


@cache
def _net(count: int) -> Floats:
    """A net of places about one, so many to every side."""
    steps = np.arange(-count, count + 1, dtype=np.float64)
    return np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1).reshape(-1, 2)


def keep_off(state: State, fighter: Fighter) -> list[tuple[float, float, float]]:
    """Where the middle of the fighter's base would be within an inch of an enemy, heights counted."""
    discs = []
    for enemy in state.enemies(fighter):
        rise = abs(enemy.z - fighter.z)
        if rise <= 1.0 + TOLERANCE:
            flat = math.sqrt(max(0.0, (1.0 + TOLERANCE) ** 2 - rise * rise))
            discs.append((enemy.x, enemy.y, (enemy.profile.base + fighter.profile.base) / 50.8 + flat))
    return discs


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
        if legal(tracer, [*kept, data]):
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
    fighter, how = tracer.fighter, data.get("how", "walk")
    before = tracer.run(kept) if kept else Trace()
    last = before.legs[-1] if before.legs else fighter
    dx, dy = data["x"] - last.x, data["y"] - last.y
    far = math.hypot(dx, dy)
    most = min(far, tracer.limit - before.cost - 0.002)
    if how == "walk" and far:
        most = min(most, far * tracer.ray(body(fighter, last.x, last.y, last.z), dx, dy) - 0.002)

    def to(inches: float) -> LegData | None:
        part = leg(how, last.x + dx * inches / far, last.y + dy * inches / far)
        return part if legal(tracer, [*kept, part]) else None

    part = furthest(most, BACK, lambda inches: to(inches) is not None) if most > 0.01 else None
    return None if part is None else to(part)
