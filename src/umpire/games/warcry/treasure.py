"""Treasure: picking it up on the way, carrying it, dropping it."""

from __future__ import annotations

import math
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import SPOT, Choose, Option, Place
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.warcry.objectives import free_spot
from umpire.games.warcry.profiles import BEAST, MONSTER
from umpire.games.warcry.sight import sees_spot
from umpire.games.warcry.state import Fighter, State, Treasure, engaged, to_spot
from umpire.space.plain import point_segment
from umpire.space.shapes import TOLERANCE, snap

REACH = 1.0


def why_not_carry(state: State, fighter: Fighter) -> list[Reason]:
    """Why a fighter cannot pick treasure up."""
    reasons = []
    if fighter.carrying:
        reasons.append(Reason("warcry.treasure.one-each", facts={"fighter": fighter.id}))
    if MONSTER in fighter.profile.runemarks or BEAST in fighter.profile.runemarks:
        reasons.append(Reason("warcry.treasure.no-monster-beast", facts={"fighter": fighter.id}))
    return list(standing(state, reasons))


def passed_by(state: State, fighter: Fighter, stops: list[tuple[float, float, float]]) -> list[Treasure]:
    """The tokens within 1 inch of the fighter at any point of a move through these stops."""
    radius = fighter.profile.base / 50.8
    found = []
    for token in state.treasures:
        if not token.carrier and any(
            _near(a, b, token, radius) for a, b in zip(stops, stops[1:] or stops, strict=False)
        ):
            found.append(token)
    return found


def _near(a: tuple[float, float, float], b: tuple[float, float, float], token: Treasure, radius: float) -> bool:
    """Is the token within reach somewhere on a straight stretch?"""
    room = REACH + 2 * TOLERANCE
    if not min(a[2], b[2]) - room <= token.z <= max(a[2], b[2]) + room:
        return False
    if point_segment(token.x, token.y, a[0], a[1], b[0], b[1]) > (radius + room) ** 2:
        return False  # on the ground alone it is further
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]

    def far(t: float) -> float:
        gap = max(0.0, math.hypot(a[0] + t * dx - token.x, a[1] + t * dy - token.y) - radius)
        return math.hypot(gap, a[2] + t * dz - token.z)

    # How far a base on a straight way is from a point falls and then rises: two thirds of the way hold the least.
    low, high = 0.0, 1.0
    while high - low > 1e-5:
        third = (high - low) / 3
        low, high = (low, high - third) if far(low + third) <= far(high - third) else (low + third, high)
        if far(low) <= REACH or far(high) <= REACH:
            return True
    return far(low) <= REACH + TOLERANCE


def pick_up(battle: Battle[State], key: str, tokens: list[Treasure]) -> Steps[None]:
    """The player may let the fighter take one of the tokens it passed."""
    state = battle.state
    fighter = state.fighter(key)
    barred = why_not_carry(state, fighter)
    if not tokens:
        return
    if barred:
        battle.emit("cannot-carry", barred[0].rule, fighter=key)
        return
    options = [Option(token.id, refs=(token.id,)) for token in tokens] + [Option("pass")]
    choice = yield Choose(
        fighter.side,
        "ask.pick-up",
        options,
        "warcry.treasure.pick-up",
        key,
        lambda wish: token_reasons(state, fighter, wish, REACH, "warcry.treasure.pick-up"),
    )
    if choice == "pass":
        return
    take(battle, fighter, choice, "warcry.treasure.pick-up", "warcry.objective.measure")


def token_reasons(state: State, fighter: Fighter, wish: str, inches: float, rule: str) -> list[Reason]:
    """Why a fighter does not take that token."""
    token = next((token for token in state.treasures if token.id == wish), None)
    if token is None:
        return []
    if token.carrier:
        return [Reason(rule, "reason.warcry.carried", {"treasure": token.id, "fighter": token.carrier})]
    gap = to_spot(fighter, token.x, token.y, token.z)
    return [Reason(rule, "reason.warcry.too-far", {"distance": round(gap, 3), "allowed": inches})]


def take(battle: Battle[State], fighter: Fighter, token: str, *rules: str) -> None:
    state = battle.state
    next(t for t in state.treasures if t.id == token).carrier = fighter.id
    fighter.carrying = token
    battle.emit("picked-up", *rules, fighter=fighter.id, treasure=token)


def drop(battle: Battle[State], key: str, *rules: str) -> Steps[None]:
    """The controlling player picks a visible point within 1 inch horizontally, no higher than the fighter."""
    state = battle.state
    fighter = state.fighter(key)
    token = next(t for t in state.treasures if t.id == fighter.carrying)
    radius = fighter.profile.base / 50.8
    ground = state.ground

    def spot(answer: Any) -> tuple[float, float, float]:
        x, y = snap(float(answer["x"])), snap(float(answer["y"]))
        if "z" in answer:
            return x, y, snap(float(answer["z"]))
        return x, y, [z for z in ground.surfaces(x, y) if z <= fighter.z + TOLERANCE][-1]

    def judge(answer: Any) -> list[Reason]:
        x, y, z = spot(answer)
        gap = max(0.0, math.hypot(x - fighter.x, y - fighter.y) - radius)
        reasons = []
        if gap > REACH + TOLERANCE:
            reasons.append(Reason("warcry.treasure.drop-point", facts={"distance": round(gap, 3), "allowed": REACH}))
        if z > fighter.z + TOLERANCE:
            reasons.append(Reason("warcry.treasure.drop-point", facts={"height": z, "allowed": round(fighter.z, 3)}))
        if ground.surface(x, y, z) is None or not (0 <= x <= ground.layout.width and 0 <= y <= ground.layout.depth):
            reasons.append(Reason("warcry.treasure.drop-point", "reason.warcry.no-surface"))
        if not reasons and not sees_spot(state, fighter, x, y, z):
            reasons.append(Reason("warcry.core.visibility"))
        return reasons

    def propose(rng: Rng) -> Any:
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0, radius + REACH)
        x, y = snap(fighter.x + far * math.cos(angle)), snap(fighter.y + far * math.sin(angle))
        return {"x": x, "y": y}

    rings = [(0.0, 0.0), *((k / 6 * (radius + REACH), n * math.pi / 12) for k in range(1, 7) for n in range(24))]
    near = ({"x": snap(fighter.x + r * math.cos(a)), "y": snap(fighter.y + r * math.sin(a))} for r, a in rings)
    default = next((point for point in near if not judge(point)), None)
    if default is None:
        # On top of something wide there is no such point; the nearest piece of floor is the least wrong.
        token.x, token.y, token.z = free_spot(state, fighter.x, fighter.y, floor=True)
    else:
        answer = yield Place(
            fighter.side, "ask.drop", judge, propose, "warcry.treasure.drop-point", key, default, form=SPOT
        )
        token.x, token.y, token.z = spot(answer)
    token.carrier = ""
    fighter.carrying = ""
    battle.emit("dropped", *rules, "warcry.treasure.drop-point", fighter=key, treasure=token.id, x=token.x, y=token.y)


@step
def drop_action(battle: Battle[State], key: str) -> Steps[None]:
    """An action is spent on dropping the treasure."""
    state = battle.state
    # A carrier beside an enemy has to drop its treasure before it can get away.
    more = ("warcry.treasure.no-disengage",) if engaged(state, state.fighter(key)) else ()
    yield from drop(battle, key, "warcry.treasure.drop-action", *more)
