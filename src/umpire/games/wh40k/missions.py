"""Missions: objective markers, who holds them, what is scored. The book brings none; these are our own."""

from __future__ import annotations

import math
from collections.abc import Callable

from umpire.engine import usage
from umpire.engine.decisions import Choose, Option
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.damage import random_mortal_wounds
from umpire.games.wh40k.dice import roll_off
from umpire.games.wh40k.measuring import to_point, wholly_in
from umpire.games.wh40k.state import Objective, State, Unit, WhBattle
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

MARKER = 0.79
CONTROL = 3.0


# -- who holds what ------------------------------------------------------------------------------------------------


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


# -- what it scores ------------------------------------------------------------------------------------------------


def held(state: State, side: int) -> int:
    return sum(o.holder == side for o in state.objectives)


def central(state: State) -> Objective | None:
    """The marker in the middle of the table, if there is one."""
    x, y = state.width / 2, state.depth / 2
    return next((o for o in state.objectives if math.hypot(o.x - x, o.y - y) < 1.0), None)


def holds_centre(state: State, side: int) -> bool:
    middle = central(state)
    return middle is not None and middle.holder == side


def others_held(state: State, side: int) -> int:
    return held(state, side) - holds_centre(state, side)


def intruders(state: State, side: int) -> int:
    zone = state.mission.zones[state.sides[1 - side].zone]
    return sum(all(wholly_in(m, zone) for m in unit.models) for unit in state.army(side))


PRIMARY: dict[str, Callable[[State, int], int]] = {
    "hold": lambda state, side: 5 * (held(state, side) >= 1),
    "hold-two": lambda state, side: 5 * (held(state, side) >= 2),
    "hold-more": lambda state, side: 5 * (held(state, side) > held(state, 1 - side)),
    "each": lambda state, side: 4 * held(state, side),
    "each-small": lambda state, side: 3 * held(state, side),
    "centre": lambda state, side: 8 * holds_centre(state, side),
    "centre-small": lambda state, side: 3 * holds_centre(state, side),
    "others": lambda state, side: 3 * others_held(state, side),
}
"""Scored in one's own Command phase, from the second round on."""
KILL, WARLORD, BEHIND, END_EACH, ATTRITION = 2, 5, 4, 5, 10
SCORING = (*PRIMARY, "kills", "warlord", "behind", "end-each", "attrition")


def score_command(battle: WhBattle) -> None:
    """Primary objectives: in the Command phase, from the second round on."""
    state = battle.state
    check_control(battle)
    if state.round < 2:
        return
    side = state.active
    gain = sum(PRIMARY[name](state, side) for name in state.mission.scoring if name in PRIMARY)
    award(battle, side, gain, "primary")


def award(battle: WhBattle, side: int, points: int, why: str) -> None:
    if points:
        battle.state.sides[side].vp += points
        what = Text(f"score.{why}")
        battle.emit("scores", "wh40k.command.resolve-all", side=Text(f"side.{side}"), points=points, what=what)


def slain_by(state: State, side: int) -> list[Unit]:
    """wh40k.unit.destroyed-by: the enemy units that this side has destroyed."""
    return [u for u in state.units.values() if u.side != side and u.where == "gone" and u.by]


def score_turn(battle: WhBattle) -> None:
    """Secondary objectives: at the end of a turn, for both sides what they have earned in it."""
    state = battle.state
    words = state.mission.scoring
    for side in (0, 1):
        fallen = slain_by(state, side)
        if "kills" in words:
            fresh = len(fallen) - usage.count(state, "kills", "battle", side)
            usage.spend(state, "kills", "battle", side, fresh)
            award(battle, side, KILL * fresh, "kills")
        if "warlord" in words and any(u.warlord for u in fallen) and not usage.count(state, "warlord", "battle", side):
            usage.spend(state, "warlord", "battle", side)
            award(battle, side, WARLORD, "warlord")
        if "behind" in words and side == state.active and intruders(state, side):
            award(battle, side, BEHIND, "behind")


def final_score(battle: WhBattle) -> None:
    """What is scored when the last round is over."""
    state = battle.state
    check_control(battle)
    lost = [sum(u.points for u in slain_by(state, side)) for side in (0, 1)]
    for side in (0, 1):
        if "end-each" in state.mission.scoring:
            award(battle, side, END_EACH * held(state, side), "end")
        if "attrition" in state.mission.scoring and lost[side] > lost[1 - side]:
            award(battle, side, ATTRITION, "attrition")


# -- what else a mission does --------------------------------------------------------------------------------------


@step
def mission_effect(battle: WhBattle) -> Steps[None]:
    """Fires from above: the unit nearest to the middle suffers. It is nobody's rule, so a roll-off settles a tie."""
    state = battle.state
    if state.mission.effect != "strike":
        return
    x, y = state.width / 2, state.depth / 2
    far = {
        u.id: min(to_point(m, x, y) for m in u.models) for u in state.units.values() if u.where == "table" and u.models
    }
    if not far:
        return
    best = min(far.values())
    tied = [key for key, gap in far.items() if gap <= best + TOLERANCE]
    key = tied[0]
    if len(tied) > 1 and state.applies("wh40k.core.closest-tie-rolloff"):
        side = roll_off(battle)
        options = [Option(k, None, (k,)) for k in tied]
        key = yield Choose(side, "ask.nearest", options, "wh40k.core.closest-tie-rolloff")
        battle.emit("nearest", "wh40k.core.closest-tie-rolloff", side=Text(f"side.{side}"), unit=key)
    battle.emit("strike", "wh40k.attack.mortal-wounds", unit=key)
    yield from random_mortal_wounds(
        battle, state.unit(key), "D3", "", state.unit(key).side, "wh40k.attack.mortal-wounds"
    )
