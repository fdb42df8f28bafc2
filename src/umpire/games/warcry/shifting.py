"""Primitives that put fighters elsewhere without a move action: set up anew, warped, shoved."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import SPOT, Place
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.warcry.falling import fall
from umpire.games.warcry.placing import body, can_stand, others, put, settle, spot_of, stand_reasons
from umpire.games.warcry.profiles import Ability, Reaction
from umpire.games.warcry.state import Fighter, State, distance, within
from umpire.space import rooms
from umpire.space.havens import Disc
from umpire.space.measure import collide, share_heights
from umpire.space.moving import Go
from umpire.space.shapes import Base, extent, snap

Rule = Ability | Reaction
HAIR = 0.001
"""To so many inches places are written."""


def set_up(battle: Battle[State], fighter: Fighter, spec: Rule, other: Fighter, inches: int) -> Steps[None]:
    """Somebody is taken off the battlefield and set up near the fighter, by the player who uses the ability."""
    if not (yield from _place(battle, fighter, spec, other, inches, 0)):
        return
    if isinstance(spec, Ability) and len(spec.effect) > 1:
        # What follows in the same ability is done to the one that was moved.
        agenda = battle.state.agenda
        last = agenda[-1]
        agenda[-1] = type(last)(last.step, (*last.args[:-1], other.id))


def warp(battle: Battle[State], fighter: Fighter, spec: Rule, inches: int, apart: int) -> Steps[None]:
    """The fighter is set up anew within so many inches of where it stood, away from enemies."""
    yield from _place(battle, fighter, spec, fighter, inches, apart)


def _place(battle: Battle[State], fighter: Fighter, spec: Rule, other: Fighter, inches: int, apart: int) -> Steps[bool]:
    """Ask where somebody is set up within so many inches of where the fighter stands; False if there is no room."""
    state = battle.state
    from_here = Fighter(fighter.id, fighter.side, fighter.profile, fighter.x, fighter.y, fighter.z)

    def judge(answer: Any) -> list[Reason]:
        base = settle(state, other, answer, (other.id,))
        reasons = stand_reasons(state, base, (other.id,))
        ghost = Fighter(other.id, other.side, other.profile, base.x, base.y, base.z)
        gap = distance(ghost, from_here)
        if not within(gap, inches):
            reasons.append(Reason(spec.rule, "reason.warcry.too-far", {"distance": round(gap, 3), "allowed": inches}))
        if apart:
            near = [e.id for e in state.enemies(other) if within(distance(ghost, e), apart)]
            if near:
                reasons.append(Reason(spec.rule, "reason.warcry.too-near", {"fighter": near, "least": apart}))
        return reasons

    def propose(rng: Rng) -> Any:
        reach = (fighter.profile.base + other.profile.base) / 50.8
        angle, far = rng.uniform(0, 2 * math.pi), reach + rng.uniform(0.002, inches)
        x, y = from_here.x + far * math.cos(angle), from_here.y + far * math.sin(angle)
        base = settle(state, other, {"x": x, "y": y}, (other.id,))
        return spot_of(base) if can_stand(state, base, (other.id,)) else None

    default = _default(state, from_here, other, inches, apart, judge, propose)
    if default is None:
        return False
    answer = yield Place(fighter.side, "ask.set-up", judge, propose, spec.rule, other.id, default, form=SPOT)
    put(other, settle(state, other, answer, (other.id,)))
    battle.emit("set-up", spec.rule, fighter=other.id, x=other.x, y=other.y, z=other.z)
    return True


def _default(
    state: State,
    fighter: Fighter,
    other: Fighter,
    inches: int,
    apart: int,
    judge: Callable[[Any], list[Reason]],
    propose: Callable[[Rng], Any],
) -> dict[str, float] | None:
    """Some legal place: where it stands, one found by trying, or the nearest free one, worked out."""
    if fighter.id == other.id and not judge(spot_of(other.base)):
        return spot_of(other.base)
    some: dict[str, float] | None = next(
        (spot for spot in (propose(Rng(n)) for n in range(8)) if spot and not judge(spot)), None
    )
    if some is not None:
        return some
    line = (fighter.x, fighter.y, fighter.x, fighter.y)
    most = inches + (fighter.profile.base + other.profile.base) / 50.8

    def shy(z: float) -> list[Disc]:
        """Where it would be too near to enemies, and where it would stand in the fighter."""
        discs = [(fighter.x, fighter.y, (fighter.profile.base + other.profile.base) / 50.8)] if moved else []
        for enemy in state.enemies(other) if apart else ():
            flat = math.sqrt(max(0.0, apart * apart - (enemy.z - z) ** 2))
            if flat:
                discs.append((enemy.x, enemy.y, (enemy.profile.base + other.profile.base) / 50.8 + flat))
        return discs

    moved = fighter.id != other.id
    spots = rooms.places(state.ground, other.base, line, most, others(state, other), shy=shy)
    found = next(rooms.nearest(other.base, spots, lambda base: not judge(spot_of(base))), None)
    return None if found is None else spot_of(found)


def shoved_to(state: State, fighter: Fighter, other: Fighter, inches: float) -> Base | None:
    """Where a push straight away from the fighter ends: as far as neither terrain, nor fighters, nor the edge of the
    battlefield are in the way. None if it does not get away at all."""
    dx, dy = other.x - fighter.x, other.y - fighter.y
    far = math.hypot(dx, dy)
    if far == 0.0:
        return None
    start, ground = other.base, state.ground
    ux, uy = dx / far, dy / far
    radius = other.profile.base / 50.8
    free = inches * ground.free_part(start, ux * inches, uy * inches)
    for at, step, most in ((start.x, ux, ground.width - radius), (start.y, uy, ground.depth - radius)):
        if step:
            free = min(free, ((most if step > 0.0 else radius) - at) / step)
    for one in others(state, other):
        ox, oy, gap = one.x - start.x, one.y - start.y, radius + extent(one)
        aside, along = ox * uy - oy * ux, ox * ux + oy * uy
        if share_heights(start, one) and -gap < aside < gap and along > 0.0:
            free = min(free, along - math.sqrt(gap * gap - aside * aside))
    # Places are written to a thousandth, which may be a hair too far.
    for short in (0.0, HAIR, 2 * HAIR):
        x, y = snap(start.x + ux * (free - short)), snap(start.y + uy * (free - short))
        base = body(other, x, y, other.z)
        stopped = ground.off_table(base) or ground.in_the_way(start, Go(x - start.x, y - start.y, 0.0))
        if free - short >= HAIR and not stopped and not any(collide(base, one) for one in others(state, other)):
            return base
    return None


def shove(battle: Battle[State], fighter: Fighter, spec: Rule, other: Fighter, inches: int) -> Steps[None]:
    """Push somebody away; past the edge of a platform there is nothing to stand on."""
    state = battle.state
    end = shoved_to(state, fighter, other, inches)
    if end is None:
        return
    moved = math.hypot(end.x - other.x, end.y - other.y)
    put(other, end)
    battle.emit("shoved", spec.rule, fighter=other.id, by=fighter.id, moved=round(moved, 3), x=other.x, y=other.y)
    if state.ground.surface(other.x, other.y, other.z) is None:
        yield from fall(battle, other.id, fighter.side, spec.rule, "warcry.move.fall-triggers")
