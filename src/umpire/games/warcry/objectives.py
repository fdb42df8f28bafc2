"""Objectives and markers: where they lie, and who controls them at the end of a round."""

from __future__ import annotations

from umpire.engine.battle import Battle
from umpire.games.warcry.state import State, seat, to_spot, within
from umpire.space import rooms
from umpire.space.measure import covers
from umpire.space.shapes import TOLERANCE, Base, Round, snap

CONTROL = 3.0
HAIR = 2 * TOLERANCE
NEAR = 2.0
"""So many inches about it a marker's place is looked for first."""


def free_spot(state: State, x: float, y: float, floor: bool = False) -> tuple[float, float, float]:
    """The place of a marker: on the floor, unless something solid stands there; then on its top, or as near as can be
    beside it."""
    ground = state.ground

    def inside(px: float, py: float, z: float) -> bool:
        # What the box round it does not reach does not cover a point.
        near = ground.near(px - HAIR, py - HAIR, px + HAIR, py + HAIR)
        return any(p.floor <= z + TOLERANCE < p.top and covers(p, px, py) for _, p in near)

    def fits(px: float, py: float) -> float | None:
        heights = [0.0] if floor else ground.surfaces(px, py)
        return next((z for z in heights if not inside(px, py, z)), None)

    here = fits(x, y)
    if here is not None:
        return snap(x), snap(y), here
    point = Base(Round(0.0), x, y, 0.0, 0.0, TOLERANCE)
    whole = ground.width + ground.depth
    for most in (NEAR, 4 * NEAR, whole):  # nearly always it is near by, and what lies farther off does not matter then
        places = rooms.places(ground, point, (x, y, x, y), most, (), floor_only=True)
        places = [place for place in places if most == whole or place[0] < most - rooms.HAIR * 2]
        beside = rooms.nearest(point, places, lambda at: not ground.off_table(at) and fits(at.x, at.y) is not None)
        for base in beside:
            return base.x, base.y, fits(base.x, base.y) or 0.0
    raise RuntimeError(f"no room for a marker near {x}, {y}")


def control(battle: Battle[State]) -> None:
    """More fighters within 3 inches gain an objective; without that, control stays as it was."""
    state = battle.state
    for objective in state.objectives:
        near = [0, 0]
        for fighter in state.on_field():
            if within(to_spot(fighter, objective.x, objective.y, objective.z), CONTROL):
                near[fighter.side] += 1
        rules = ["warcry.objective.control", "warcry.objective.measure"]
        owner = objective.owner
        if near[0] != near[1]:
            owner = 0 if near[0] > near[1] else 1
        elif owner >= 0:
            rules.append("warcry.objective.sticky")
        if near != [0, 0] or owner >= 0:
            objective.owner = owner
            battle.emit("control", *rules, objective=objective.id, near=near, side=owner, player=seat(owner))
