"""What monsters do to the battlefield itself."""

from __future__ import annotations

import math

from umpire.engine.battle import Battle
from umpire.engine.decisions import SPOT, Choose, Option, Order, Place
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.warcry.falling import impact
from umpire.games.warcry.objectives import free_spot
from umpire.games.warcry.placing import CLOSE, nearest_room, put, settle, spot_of, stand_reasons
from umpire.games.warcry.state import Fighter, Objective, State, Treasure
from umpire.games.warcry.works import wreckable
from umpire.space.measure import true_distance
from umpire.space.shapes import Prism, snap

RULE = "warcry.monster.destructive-rampage"


def torn_down(state: State, feature: str) -> list[str]:
    """The feature, and everything stacked on it."""
    gone = [feature]
    for other in state.layout.features:
        if other.on in gone:
            gone.append(other.id)
    return gone


def stands_on(state: State, x: float, y: float, z: float, gone: list[str], climbing: str = "") -> bool:
    """Is something at this place on one of the features?"""
    ground = state.ground
    if climbing and ground.feature_of[climbing].id in gone:
        return True
    if z <= 0.001:
        return False
    surface = ground.surface(x, y, z)
    return surface is not None and surface != "floor" and ground.feature_of[surface].id in gone


def wreck(battle: Battle[State], fighter: Fighter, inches: float) -> Steps[None]:
    """All that is on a feature is put on the floor beside it, the fighters are hurt, and the feature is gone."""
    state = battle.state
    found = wreckable(state, fighter, inches)
    if not found:
        return
    feature = found[0]
    if len(found) > 1:
        feature = yield Choose(
            fighter.side,
            "ask.wreck",
            [Option(key, refs=(key,)) for key in found],
            RULE,
            fighter.id,
            lambda wish: _out_of_reach(state, fighter, wish, inches),
        )
    gone = torn_down(state, feature)
    moved = [f.id for f in state.on_field() if stands_on(state, f.x, f.y, f.z, gone, f.climbing)]
    # What a fighter carries is with the fighter, wherever the token lay before.
    everything: list[Objective | Treasure] = [*state.objectives, *(t for t in state.treasures if not t.carrier)]
    markers = [m for m in everything if stands_on(state, m.x, m.y, m.z, gone)]
    things = [*moved, *(marker.id for marker in markers)]
    for key in (yield from _ordered(fighter, "ask.order-fallen", things)):
        if key in moved:
            yield from _to_floor(battle, fighter.side, key)
        else:
            yield from _marker_to_floor(battle, fighter.side, next(m for m in markers if m.id == key))
    for key in (yield from _ordered(fighter, "ask.order-hurt", moved)):
        yield from impact(battle, key, fighter.side if state.fighter(key).side != fighter.side else -1, RULE)
    state.layout = state.layout.without(gone)
    battle.emit("wrecked", RULE, fighter=fighter.id, feature=feature, moved=things)


def _out_of_reach(state: State, fighter: Fighter, wish: str, inches: float) -> list[Reason]:
    """Why a terrain feature is not torn down: how far it is."""
    feature = next((feature for feature in state.layout.features if feature.id == wish), None)
    if feature is None:
        return []
    gap = min(true_distance(fighter.base, Prism(part.points, part.floor, part.top)) for part in feature.parts)
    return [Reason(RULE, "reason.warcry.too-far", {"distance": round(gap, 3), "allowed": inches})]


def _ordered(fighter: Fighter, prompt: str, keys: list[str]) -> Steps[list[str]]:
    """These in the order that the monster's player wants."""
    if len(keys) < 2:
        return keys
    order: list[str] = yield Order(fighter.side, prompt, [Option(key, refs=(key,)) for key in keys], RULE, fighter.id)
    return order


def _marker_to_floor(battle: Battle[State], side: int, marker: Objective | Treasure) -> Steps[None]:
    """A marker comes straight down; where something else stands there, as near as possible."""
    state = battle.state
    x, y = marker.x, marker.y
    best_x, best_y, _ = free_spot(state, x, y, floor=True)
    limit = math.hypot(best_x - x, best_y - y) + CLOSE
    spot: dict[str, float] = {"x": best_x, "y": best_y}

    def judge(answer: dict[str, float]) -> list[Reason]:
        far = math.hypot(answer["x"] - x, answer["y"] - y)
        if far > limit:
            return [Reason(RULE, "reason.warcry.too-far", {"distance": round(far, 3), "allowed": round(limit, 3)})]
        here = snap(answer["x"]), snap(answer["y"])
        return [] if free_spot(state, *here, floor=True)[:2] == here else [Reason(RULE, "reason.warcry.fall-blocked")]

    if (best_x, best_y) != (x, y):
        best = {"x": best_x, "y": best_y}
        spot = yield Place(side, "ask.to-floor", judge, lambda rng: best, RULE, marker.id, spot, form=SPOT)
    marker.x, marker.y, marker.z = snap(spot["x"]), snap(spot["y"]), 0.0


def _to_floor(battle: Battle[State], side: int, key: str) -> Steps[None]:
    """A fighter comes down on the floor, as near as possible to where it was."""
    state = battle.state
    fighter = state.fighter(key)
    x, y = fighter.x, fighter.y

    def gap(px: float, py: float) -> float:
        return math.hypot(px - x, py - y)

    best = nearest_room(state, fighter, (x, y, x, y), floor_only=True)
    assert best is not None, "a battlefield of 30 by 22 inches has room for 30 fighters"
    limit = gap(best.x, best.y) + CLOSE

    def judge(answer: dict[str, float]) -> list[Reason]:
        base = settle(state, fighter, {"x": answer["x"], "y": answer["y"], "z": 0.0}, (key,))
        reasons = stand_reasons(state, base, (key,))
        far = gap(base.x, base.y)
        if far > limit:
            reasons.append(
                Reason(RULE, "reason.warcry.too-far", {"distance": round(far, 3), "allowed": round(limit, 3)})
            )
        return reasons

    spot = spot_of(best)
    answer = yield Place(side, "ask.to-floor", judge, lambda rng: spot, RULE, key, spot, form=SPOT)
    put(fighter, settle(state, fighter, {"x": answer["x"], "y": answer["y"], "z": 0.0}, (key,)))
