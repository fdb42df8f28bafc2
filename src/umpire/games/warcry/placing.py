"""Setting fighters up: where a base may stand, zones round deployment points and lines, and room that is short."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from umpire.engine.decisions import Region
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.games.warcry.cards import DeploymentPoint, Points
from umpire.games.warcry.state import Fighter, State
from umpire.space import rooms
from umpire.space.havens import Line, from_line
from umpire.space.measure import collide
from umpire.space.shapes import TOLERANCE, Base, Round, snap

ZONE = 3.0
CLOSE = 0.01
"""What is put down as near as possible may be so much further off."""


def body(fighter: Fighter, x: float, y: float, z: float) -> Base:
    return Base(Round(fighter.profile.base / 50.8), x, y, z, 0.0, fighter.profile.height)


def others(state: State, fighter: Fighter) -> list[Base]:
    """Everybody else on the battlefield."""
    return [other.base for other in state.on_field() if other is not fighter and other.id != fighter.id]


def in_the_place(state: State, base: Base, ignore: Sequence[str] = ()) -> Fighter | None:
    """The fighter that stands where a body would."""
    r = base.shape.radius - TOLERANCE  # type: ignore[union-attr]
    for other in state.fighters:
        if other.where == "field" and other.id not in ignore:
            reach = r + other.profile.base / 50.8
            dx, dy = other.x - base.x, other.y - base.y
            if dx * dx + dy * dy < reach * reach and collide(base, other.base):
                return other
    return None


def stand_reasons(state: State, base: Base, ignore: Sequence[str] = (), taken: Sequence[Base] = ()) -> list[Reason]:
    """Why a body cannot be set up there: edge, surface, fighters, terrain."""
    ground = state.ground
    reasons: list[Reason] = []
    if ground.off_table(base):
        reasons.append(Reason("warcry.move.board-edge", facts={"x": base.x, "y": base.y}))
    if ground.surface(base.x, base.y, base.z) is None:
        reasons.append(Reason("warcry.setup.deploy-surface", facts={"height": base.z}))
    other = in_the_place(state, base, ignore)
    if other is not None:
        reasons.append(Reason("warcry.move.through-fighters", facts={"fighter": other.id}))
    if any(collide(base, other) for other in taken):
        reasons.append(Reason("warcry.move.through-fighters", "reason.warcry.overlap"))
    if not reasons and ground.blocked(base):
        reasons.append(Reason("warcry.move.through-terrain"))
    return reasons


def _overlaps(base: Base, taken: Sequence[Base]) -> bool:
    """Would a body stand where one of these is to stand?"""
    x, y, r = base.x, base.y, base.shape.radius - TOLERANCE  # type: ignore[union-attr]
    for other in taken:
        dx, dy, reach = other.x - x, other.y - y, r + other.shape.radius  # type: ignore[union-attr]
        if dx * dx + dy * dy < reach * reach and collide(base, other):
            return True
    return False


def can_stand(state: State, base: Base, ignore: Sequence[str] = (), taken: Sequence[Base] = ()) -> bool:
    ground = state.ground
    if ground.off_table(base) or ground.surface(base.x, base.y, base.z) is None:
        return False
    if in_the_place(state, base, ignore) is not None:
        return False
    return not (taken and _overlaps(base, taken)) and not ground.blocked(base)


def settle(state: State, fighter: Fighter, spot: dict[str, Any], ignore: Sequence[str] = ()) -> Base:
    """A place as a body: without a height, the lowest surface on which the fighter fits."""
    x, y = snap(float(spot["x"])), snap(float(spot["y"]))
    if "z" in spot:
        return body(fighter, x, y, snap(float(spot["z"])))
    heights = state.ground.surfaces(x, y)
    for z in heights:
        base = body(fighter, x, y, z)
        if can_stand(state, base, ignore):
            return base
    return body(fighter, x, y, heights[0])


def points_of(state: State, side: int) -> Points:
    """The deployment points of a side's colour."""
    assert state.deployment is not None
    return state.deployment.red if state.players[side].red else state.deployment.blue


class Zone:
    """The ground near a deployment point, or near the stretch of edge that is marked beside it."""

    def __init__(self, point: DeploymentPoint, turned: bool, width: float, depth: float) -> None:
        x, y = point.x, point.y
        line = point.line or (x, y, x, y)
        if turned:
            line = (width - line[0], depth - line[1], width - line[2], depth - line[3])
        self.line = line
        self.on_edge = point.line is not None

    def gap(self, x: float, y: float) -> float:
        """Horizontal distance of a point from the deployment point or line."""
        return from_line(self.line, x, y)

    def far(self, fighter: Fighter, base: Base) -> float:
        """What must be within 3 inches horizontally: all of the base; of a monster any part (warcry.monster.deploy)."""
        gap = self.gap(base.x, base.y)
        radius = fighter.profile.base / 50.8
        return max(0.0, gap - radius) if fighter.monster else gap + radius

    def holds(self, fighter: Fighter, base: Base) -> bool:
        return self.far(fighter, base) <= ZONE + TOLERANCE

    def reasons(self, fighter: Fighter, base: Base, rule: str) -> list[Reason]:
        """Why a base is not where it must be."""
        if self.holds(fighter, base):
            return []
        far = self.far(fighter, base)
        cited = "warcry.monster.deploy" if fighter.monster else rule
        return [Reason(cited, facts={"distance": round(far, 3), "allowed": ZONE})]

    def guess(self, rng: Rng, radius: float) -> tuple[float, float]:
        """A random point in the zone for a centre."""
        t, far = rng.random(), max(0.0, ZONE - radius) * math.sqrt(rng.random())
        return rooms.beside(self.line, t, far, rng.uniform(0.0, 2 * math.pi))

    def region(self) -> Region:
        return Region("zone", (rooms.outline(self.line, ZONE),))


def find_places(
    state: State, group: Sequence[Fighter], zone: Zone, rng: Rng, tries: int = 40
) -> dict[str, Base] | None:
    """A legal place for every fighter of a group in its zone, or None if none was found."""
    found: dict[str, Base] = {}
    for fighter in sorted(group, key=lambda f: -f.profile.base):
        spot = _find(state, fighter, zone, rng, tries, list(found.values()))
        if spot is None:
            return None
        found[fighter.id] = spot
    return found


def _find(state: State, fighter: Fighter, zone: Zone, rng: Rng, tries: int, taken: Sequence[Base]) -> Base | None:
    ground = state.ground
    radius = fighter.profile.base / 50.8
    right, top = ground.width - radius, ground.depth - radius
    reach = 0.0 if fighter.monster else radius
    for _ in range(tries):
        x, y = zone.guess(rng, reach)
        x, y = snap(min(max(x, radius), right)), snap(min(max(y, radius), top))
        heights = ground.surfaces(x, y)
        z = heights[rng.below(len(heights))] if len(heights) > 1 else 0.0
        base = body(fighter, x, y, z)
        if zone.holds(fighter, base) and can_stand(state, base, (), taken):
            return base
    return None


def any_places(state: State, group: Sequence[Fighter], zone: Zone, rng: Rng) -> dict[str, Base] | None:
    """Like `find_places`, but not given up until corners of what is free have been tried one after the other. That one
    fighter has no place is worked out; that several have none together is not."""
    for _ in range(4):
        found = find_places(state, group, zone, rng)
        if found is not None:
            return found
    order = sorted(group, key=lambda f: -f.profile.base)

    def fits(n: int, base: Base, taken: Sequence[Base]) -> bool:
        return zone.holds(order[n], base) and can_stand(state, base, (order[n].id,), taken)

    left = [(f.base, ZONE + f.profile.base / (50.8 if f.monster else -50.8)) for f in order]
    bodies = [other.base for other in state.on_field()]
    packed = rooms.packed(state.ground, left, zone.line, bodies, fits, PACKINGS)
    return None if packed is None else {f.id: base for f, base in zip(order, packed, strict=True)}


PACKINGS = 150
"""So many arrangements of a group are looked at before it is held to have no room together."""


def room_by(state: State, fighter: Fighter, zone: Zone) -> Base | None:
    """The free place nearest to a deployment point, or to any part of a deployment line."""
    return nearest_room(state, fighter, zone.line)


def nearest_room(state: State, fighter: Fighter, line: Line, floor_only: bool = False) -> Base | None:
    """The free place nearest to a point or line."""

    def fits(base: Base) -> bool:
        return can_stand(state, base, (fighter.id,))

    return rooms.free(state.ground, fighter.base, line, others(state, fighter), fits, floor_only)


def spot_of(base: Base) -> dict[str, float]:
    return {"x": base.x, "y": base.y, "z": base.z}


def put(fighter: Fighter, base: Base) -> None:
    """The fighter stands there now, and climbs nothing."""
    fighter.x, fighter.y, fighter.z = base.x, base.y, base.z
    fighter.where = "field"
    fighter.climbing = ""


def spots(answer: Any, wanted: Sequence[str]) -> dict[str, dict[str, Any]] | None:
    """The places of an answer by fighter; None if it does not name exactly the wanted ones."""
    models: dict[str, dict[str, Any]] = answer["models"] if "models" in answer else {wanted[0]: answer}
    return models if sorted(models) == sorted(wanted) else None
