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
        ax, ay, bx, by = self.line
        t = rng.random()
        far = max(0.0, ZONE - radius) * math.sqrt(rng.random())
        angle = rng.uniform(0.0, 2 * math.pi)
        return ax + (bx - ax) * t + far * math.cos(angle), ay + (by - ay) * t + far * math.sin(angle)

    def region(self) -> Region:
        ax, ay, bx, by = self.line
        angle = math.atan2(by - ay, bx - ax)
        outline = [
            (cx + ZONE * math.cos(angle + a), cy + ZONE * math.sin(angle + a))
            for cx, cy, start in ((bx, by, -math.pi / 2), (ax, ay, math.pi / 2))
            for a in (start + k * math.pi / 12 for k in range(13))
        ]
        return Region("zone", (tuple(outline),))


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
    return _packed(state, order, zone, {}, [PACKINGS])


PACKINGS = 150
"""So many arrangements of a group are looked at before it is held to have no room together."""


def _packed(
    state: State, left: Sequence[Fighter], zone: Zone, found: dict[str, Base], tries: list[int]
) -> dict[str, Base] | None:
    """The rest of a group side by side, each in a corner of what is left; the first of them at every corner."""
    if not left:
        return found
    fighter, taken = left[0], list(found.values())
    radius = fighter.profile.base / 50.8
    most = ZONE + (radius if fighter.monster else -radius)
    spots = rooms.places(state.ground, fighter.base, zone.line, most, [*others(state, fighter), *taken])

    def fits(base: Base) -> bool:
        return zone.holds(fighter, base) and can_stand(state, base, (fighter.id,), taken)

    for base in rooms.nearest(fighter.base, spots[::-1] if len(left) > 1 else spots, fits):
        tries[0] -= 1
        whole = _packed(state, left[1:], zone, {**found, fighter.id: base}, tries)
        if whole is not None or tries[0] <= 0:
            return whole
    return None


def room_by(state: State, fighter: Fighter, zone: Zone) -> Base | None:
    """The free place nearest to a deployment point, or to any part of a deployment line."""
    return nearest_room(state, fighter, zone.line)


def nearest_room(state: State, fighter: Fighter, line: Line, floor_only: bool = False) -> Base | None:
    """The free place nearest to a point or line: some place is found by rings, and what is nearer worked out."""
    some = _some_room(state, fighter, line, floor_only)
    most = from_line(line, some.x, some.y) if some is not None else 60.0
    if most == 0.0:
        return some
    spots = rooms.places(state.ground, fighter.base, line, most, others(state, fighter), floor_only=floor_only)
    return next(rooms.nearest(fighter.base, spots, lambda base: can_stand(state, base, (fighter.id,))), some)


def _some_room(state: State, fighter: Fighter, line: Line, floor_only: bool) -> Base | None:
    """A free place near the middle of a line, by rings of tries."""
    lay, radius = state.ground.layout, fighter.profile.base / 50.8
    x0, y0 = (line[0] + line[2]) / 2, (line[1] + line[3]) / 2
    for step in range(120):
        far = step * 0.25
        for k in range(max(12, int(far * 8)) if step else 1):
            angle = 2 * math.pi * k / max(12, int(far * 8))
            x = snap(min(max(x0 + far * math.cos(angle), radius), lay.width - radius))
            y = snap(min(max(y0 + far * math.sin(angle), radius), lay.depth - radius))
            for z in (0.0,) if floor_only else state.ground.surfaces(x, y):
                base = body(fighter, x, y, z)
                if can_stand(state, base, (fighter.id,)):
                    return base
    return None


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
