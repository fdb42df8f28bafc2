"""Objectives and markers: where they lie, and who controls them at the end of a round."""

from __future__ import annotations

import math

from umpire.engine.battle import Battle
from umpire.games.warcry.state import State, seat, to_spot, within
from umpire.space.measure import covers
from umpire.space.shapes import TOLERANCE, snap

CONTROL = 3.0


def free_spot(state: State, x: float, y: float, floor: bool = False) -> tuple[float, float, float]:
    """The place of a marker: on the floor, unless something solid stands there; then on its top, or beside it."""
    ground = state.ground

    def inside(px: float, py: float) -> bool:
        return any(p.floor <= TOLERANCE and covers(p, px, py) for p in ground.solids)

    if not inside(x, y):
        return x, y, 0.0
    if not floor:
        heights = ground.surfaces(x, y)
        if len(heights) > 1:
            return x, y, heights[-1]
    far = 0.25
    while far < 8.0:
        for k in range(24):
            px, py = snap(x + far * math.cos(k * math.pi / 12)), snap(y + far * math.sin(k * math.pi / 12))
            if 0 <= px <= state.layout.width and 0 <= py <= state.layout.depth and not inside(px, py):
                return px, py, 0.0
        far += 0.25
    return x, y, 0.0


def control(battle: Battle[State]) -> None:
    """More fighters within 3 inches gain an objective; without that, control stays as it was."""
    state = battle.state
    for objective in state.objectives:
        near = [0, 0]
        for fighter in state.on_field():
            if within(to_spot(fighter, objective.x, objective.y, objective.z), CONTROL):
                near[fighter.side] += 1
        rules = ["warcry.objective.control", "warcry.objective.measure", "warcry.core.within"]
        owner = objective.owner
        if near[0] != near[1]:
            owner = 0 if near[0] > near[1] else 1
        elif owner >= 0:
            rules.append("warcry.objective.sticky")
        if near != [0, 0] or owner >= 0:
            objective.owner = owner
            battle.emit("control", *rules, objective=objective.id, near=near, side=owner, player=seat(owner))
