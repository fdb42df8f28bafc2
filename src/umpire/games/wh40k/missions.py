"""Missions: objective markers, who holds them, what is scored. The book brings none; these are our own."""

from __future__ import annotations

from umpire.games.wh40k.measuring import to_point
from umpire.games.wh40k.state import Objective, State, WhBattle
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

MARKER = 0.79
CONTROL = 3.0


def strength_at(state: State, side: int, objective: Objective) -> tuple[int, int]:
    """Models within 3 inches of a marker: those of Troops first, then all of them."""
    troops = everybody = 0
    for unit in state.army(side):
        if unit.has("aircraft") or (unit.cx - objective.x) ** 2 + (unit.cy - objective.y) ** 2 > (unit.cr + 4.0) ** 2:
            continue
        near = sum(to_point(m, objective.x, objective.y) <= CONTROL + MARKER + TOLERANCE for m in unit.models)
        everybody += near
        if unit.sheet.role == "troops":
            troops += near
    return troops, everybody


def holder(state: State, objective: Objective) -> int:
    """Who holds a marker: whoever has Troops there and the other has not, else whoever has more models there."""
    a, b = (strength_at(state, side, objective) for side in (0, 1))
    if bool(a[0]) != bool(b[0]) and state.applies("wh40k.detachment.roles"):
        return 0 if a[0] else 1
    if a[1] == b[1]:
        return -1 if a[1] == 0 else objective.holder
    return int(b[1] > a[1])


def check_control(battle: WhBattle) -> None:
    state = battle.state
    for objective in state.objectives:
        now = holder(state, objective)
        if now != objective.holder and now >= 0:
            objective.holder = now
            battle.emit("holds", "wh40k.detachment.roles", objective=objective.id, side=Text(f"side.{now}"))


def score_command(battle: WhBattle) -> None:
    """Progressive scoring in the Command phase, from the second round on."""
    state = battle.state
    check_control(battle)
    if state.round < 2:
        return
    side = state.active
    mine = sum(o.holder == side for o in state.objectives)
    theirs = sum(o.holder == 1 - side for o in state.objectives)
    gain = 5 * (mine >= 1) + 5 * (mine >= 2) + 5 * (mine > theirs)
    if gain:
        state.sides[side].vp += gain
        battle.emit("scores", "wh40k.command.resolve-all", side=Text(f"side.{side}"), points=gain)


def final_score(battle: WhBattle) -> None:
    check_control(battle)
