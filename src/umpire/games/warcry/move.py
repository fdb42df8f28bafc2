"""Move and disengage actions: a path is asked for, judged, and carried out with all that it brings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Move
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.warcry import falling, reactions, treasure
from umpire.games.warcry.bounding import surroundings
from umpire.games.warcry.damage import deal
from umpire.games.warcry.legs import Trace, Tracer, allowance
from umpire.games.warcry.mover import FighterMover
from umpire.games.warcry.state import Fighter, State, distance, engaged
from umpire.games.warcry.stopping import keep_off
from umpire.space.havens import Disc, clearing, place
from umpire.space.paths import Route
from umpire.space.rooms import BESIDE
from umpire.space.shapes import TOLERANCE, snap
from umpire.text import Text

DISENGAGE = 3.0


def move_objections(state: State, fighter: Fighter) -> Iterator[Reason]:
    """Why a fighter cannot make a move action at all."""
    if state.effects:
        yield from (Reason(e.rule, "reason.warcry.forbidden") for e in effects.forbids(state, fighter.id, "move"))
    if engaged(state, fighter):
        near = min(distance(fighter, other) for other in state.enemies(fighter))
        yield Reason("warcry.move.engaged", facts={"distance": round(near, 3)})


def may_move(state: State, fighter: Fighter) -> bool:
    return next(standing(state, move_objections(state, fighter)), None) is None


def disengage_objections(state: State, fighter: Fighter) -> Iterator[Reason]:
    """Why a fighter cannot make a disengage action, whether or not there is a way out."""
    if state.effects:
        yield from (Reason(e.rule, "reason.warcry.forbidden") for e in effects.forbids(state, fighter.id, "disengage"))
    if fighter.carrying:
        yield Reason("warcry.treasure.no-disengage", facts={"fighter": fighter.id})
    if not engaged(state, fighter):
        yield Reason("warcry.disengage.action", "reason.warcry.not-engaged", {"fighter": fighter.id})
    if fighter.climbing:
        yield Reason("warcry.disengage.not-a-move", "reason.warcry.not-standing")


def disengage_refusal(state: State, fighter: Fighter) -> list[Reason]:
    """The same for who asks: with which enemy is nearest, and how near."""
    found = list(standing(state, disengage_objections(state, fighter)))
    gaps = [(distance(fighter, other), other.id) for other in state.enemies(fighter)]
    if gaps:
        gap, key = min(gaps)
        near = {"fighter": key, "distance": round(gap, 3)}
        found = [
            Reason(why.rule, why.key, {**why.facts, **near}) if why.key == "reason.warcry.not-engaged" else why
            for why in found
        ]
    return found


def shut_in(fighter: Fighter) -> Reason:
    """That no step leads out of reach of all enemies."""
    return Reason("warcry.disengage.end", "reason.warcry.surrounded", {"fighter": fighter.id, "allowed": DISENGAGE})


def may_disengage(state: State, fighter: Fighter) -> bool:
    return next(standing(state, disengage_objections(state, fighter)), None) is None


def way_out(state: State, fighter: Fighter, limit: float = DISENGAGE) -> dict[str, Any] | None:
    """Some legal disengage, or None: surrounded fighters may not make the action.

    Likely ways are tried first, straight and round a corner; then the shortest way to a place beyond an inch of every
    enemy is worked out, so that "surrounded" is a fact.
    """
    tracer = Tracer(state, fighter, limit, disengage=True)
    near = min(state.enemies(fighter), key=lambda f: distance(fighter, f))
    away = math.atan2(fighter.y - near.y, fighter.x - near.x)
    shy = keep_off(state, fighter)
    for path in _likely(tracer, away, shy):
        if not tracer.run(path, brief=True).reasons:
            return {"path": path}
    r, reach = fighter.profile.base / 50.8, (fighter.x, fighter.y, limit + TOLERANCE)
    taken = [(x, y, r + other - TOLERANCE) for x, y, other, low, high in tracer.discs if low <= fighter.z < high]
    if place(r, [reach], [*shy, *taken], (state.layout.width, state.layout.depth)) is None:
        return None  # whatever else is in its way: there is no such place
    return next(_ways_out(tracer, limit), None)


AROUND = (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 8, -8, 9, -9, 10, -10, 11, -11, 12)
"""Directions, by twelfths of half a turn, from straight away to straight back."""


def _likely(tracer: Tracer, away: float, shy: Sequence[Disc]) -> Iterator[list[dict[str, Any]]]:
    """Walks that may lead away from enemies: straight, and as far as nothing is in the way and on from there."""
    fighter, limit = tracer.fighter, tracer.limit
    turns = [(math.cos(away + k * math.pi / 12), math.sin(away + k * math.pi / 12)) for k in AROUND]

    def on(x: float, y: float, far: float) -> Iterator[dict[str, Any]]:
        for c, s in turns:
            px, py = snap(x + (far - 0.001) * c), snap(y + (far - 0.001) * s)
            if all((px - ex) * (px - ex) + (py - ey) * (py - ey) > gap * gap for ex, ey, gap in shy):
                yield {"how": "walk", "x": px, "y": py}

    for far in (limit, limit / 2, limit / 4):
        for last in on(fighter.x, fighter.y, far):
            yield [last]
    for c, s in turns[::2]:
        free = limit * tracer.ray(fighter.base, limit * c, limit * s)
        for gone in (free, free / 2):
            x, y, left = snap(fighter.x + gone * c), snap(fighter.y + gone * s), limit - gone - 0.002
            if gone > 0.01 and left > 0.1:
                for last in on(x, y, left):
                    yield [{"how": "walk", "x": x, "y": y}, last]


def _ways_out(tracer: Tracer, limit: float) -> Iterator[dict[str, Any]]:
    """Legal disengages by the shortest ways there are, the shortest first."""
    base, things, table, fence = surroundings(tracer)
    shy = keep_off(tracer.state, tracer.fighter)
    # Ways that keep a little clear bear rounding to a thousandth of an inch; through what is narrower none may fit.
    for clearance in (0.003, 0.001, 0.0):
        for way in clearing(base, limit, things, shy, table, fence, clearance):
            for legs in _walks(way):
                if not tracer.run(legs, brief=True).reasons:
                    yield {"path": legs}
                    break


def _walks(way: Route) -> Iterator[list[dict[str, Any]]]:
    """A way as legs; its end also a thousandth of an inch to every side, where rounding has spoilt it."""
    inner = [{"how": "walk", "x": snap(x), "y": snap(y)} for x, y in way.points[1:-1]]
    ex, ey = way.points[-1]
    for dx, dy in BESIDE:
        yield [*inner, {"how": "walk", "x": snap(ex + dx), "y": snap(ey + dy)}]


@step
def move_action(battle: Battle[State], key: str, inches: float = -1.0) -> Steps[None]:
    """A move action: the path is asked for, checked and carried out, with all that it brings."""
    state = battle.state
    fighter = state.fighter(key)
    limit, rules = allowance(state, fighter) if inches < 0 else (inches, ())
    mover = FighterMover(Tracer(state, fighter, limit))
    answer = yield Move(fighter.side, "ask.move", mover, None, "warcry.move.action", key, {"path": []})
    way = mover.plan(answer)
    yield from carry_out(battle, key, way, rules)
    if way.legs and fighter.where == "field" and reactions.answerers(state, fighter, "approached"):
        battle.push(reactions.approached, key)


def carry_out(battle: Battle[State], key: str, way: Trace, rules: tuple[str, ...]) -> Steps[None]:
    """The legs one by one; then treasure, impact, and falls, in that order."""
    state = battle.state
    fighter = state.fighter(key)
    stops = way.stops(fighter) if state.treasures else []
    start = (fighter.x, fighter.y, fighter.z)
    for leg in way.legs:
        if leg.deadly and state.applies("warcry.terrain.deadly-climb"):
            roll = battle.roll(1, "deadly", "warcry.terrain.deadly-climb", side=fighter.side, who=key)
            yield from deal(battle, key, roll.faces[0], -1, "warcry.terrain.deadly-climb")
            if fighter.where != "field":
                return
        fighter.x, fighter.y, fighter.z = leg.x, leg.y, leg.z
    fighter.climbing = way.climbing
    battle.emit(
        "moved",
        *way.rules,
        *rules,
        fighter=key,
        moved=round(way.cost, 3),
        x=fighter.x,
        y=fighter.y,
        z=fighter.z,
        path=[[start[0], start[1], start[2]], *([leg.x, leg.y, leg.z] for leg in way.legs)],
        how=[leg.how for leg in way.legs],
        so=in_words(way),
    )
    if state.treasures:
        yield from treasure.pick_up(battle, key, treasure.passed_by(state, fighter, stops))
    yield from landed(battle, key, way)


def in_words(way: Trace) -> Text:
    """How far it was, each manner named once; what is less than can be told is nothing."""
    if round(way.cost, 1) == 0:
        return Text("moved.nowhere")
    manners = list(dict.fromkeys(leg.how for leg in way.legs))
    return Text("moved.far", {"moved": round(way.cost, 3), "manners": manners})


def landed(battle: Battle[State], key: str, way: Trace) -> Steps[None]:
    """The end of a move action: drops from mid-air, impact damage of jumps, falls."""
    state = battle.state
    fighter = state.fighter(key)
    rolls = falling.impacts(state, way)
    if way.air:
        drop = fighter.z - way.rest
        fighter.z = way.rest
        battle.emit("mid-air", "warcry.move.mid-air-drop", fighter=key, drop=round(drop, 3))
    for rule in rolls:
        yield from falling.impact(battle, key, -1, rule)
    if fighter.where != "field":
        return
    rules = falling.fall_at_the_end(state, fighter)
    if "warcry.terrain.unclimbable-end" in rules:
        yield from falling.impact(battle, key, -1, "warcry.terrain.unclimbable-end")
    if rules:
        yield from falling.fall(battle, key, -1, *rules)


@step
def disengage_action(battle: Battle[State], key: str, inches: float = DISENGAGE) -> Steps[None]:
    """A normal move of up to 3 inches that ends more than 1 inch from every enemy; no move action."""
    state = battle.state
    fighter = state.fighter(key)
    if fighter.where != "field":
        return
    default = way_out(state, fighter, inches)
    if default is None:
        return
    mover = FighterMover(Tracer(state, fighter, inches, True))
    answer = yield Move(fighter.side, "ask.disengage", mover, None, "warcry.disengage.action", key, default)
    way = mover.plan(answer)
    fighter.x, fighter.y, fighter.z = way.legs[-1].x, way.legs[-1].y, way.legs[-1].z
    battle.emit(
        "disengaged",
        *way.rules,
        "warcry.disengage.end",
        "warcry.disengage.not-a-move",
        fighter=key,
        moved=round(way.cost, 3),
        x=fighter.x,
        y=fighter.y,
        z=fighter.z,
    )
