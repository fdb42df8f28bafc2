"""Falling, fall tests and impact damage."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import SPOT, Place
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.warcry.damage import deal, take_down
from umpire.games.warcry.legs import Trace, stopped_by
from umpire.games.warcry.placing import body, can_stand, others, put, spot_of, stand_reasons
from umpire.games.warcry.state import Fighter, State, discs
from umpire.games.warcry.terrain import FLOOR, STEPS
from umpire.space.havens import corners, tangents
from umpire.space.measure import share_heights
from umpire.space.moving import Go
from umpire.space.rooms import BESIDE, HAIR, bounds
from umpire.space.shapes import TOLERANCE, Base, Point, Round, snap

RINGS = tuple(
    (ring / 8, math.cos(2 * math.pi * k / 24), math.sin(2 * math.pi * k / 24))
    for ring in range(9)
    for k in range(24 if ring else 1)
)
"""Where a landing is looked for first, as parts of how far it may be: rings of rays about the fighter."""
FALL_REACH = 2.0
DEEP = 2.0
EDGE = 0.5
"""Who stands so near to an open edge may fall over it."""


def impact_points(face: int) -> int:
    """warcry.move.impact-damage: 1 is 3 damage points, 2 and 3 are 1, the rest nothing."""
    return 3 if face == 1 else 1 if face <= 3 else 0


def impact(battle: Battle[State], key: str, by: int, *rules: str) -> Steps[None]:
    """Roll for impact damage."""
    fighter = battle.state.fighter(key)
    if fighter.where != "field":
        return
    roll = battle.roll(1, "impact", "warcry.move.impact-damage", side=fighter.side, who=key, need=4)
    battle.emit("impact", *rules, "warcry.move.impact-damage", fighter=key, points=impact_points(roll.faces[0]))
    yield from deal(battle, key, impact_points(roll.faces[0]), by)


def falls(face: int) -> bool:
    return face == 1


def fall_test(battle: Battle[State], key: str, by: int, *rules: str) -> Steps[None]:
    """One die; on a 1 the fighter falls."""
    fighter = battle.state.fighter(key)
    if fighter.where != "field":
        return
    roll = battle.roll(1, "fall-test", "warcry.terrain.fall-test", side=fighter.side, who=key, need=2)
    battle.emit("fall-test", *rules, "warcry.terrain.fall-test", fighter=key, falls=falls(roll.faces[0]))
    if falls(roll.faces[0]):
        yield from fall(battle, key, by, "warcry.move.fall-triggers")


def impacts(state: State, way: Trace) -> list[str]:
    """The rolls for impact damage that a move brings, each by its rule: deep jumps, and drops from mid-air."""
    jumps = [leg for leg in way.legs if leg.how == "jump"]
    rolls = ["warcry.move.jump-impact" for leg in jumps[:-1] if leg.drop > DEEP + TOLERANCE]
    if way.air:
        # A descent in the jump and the last drop are one descent, with one roll at most.
        last = way.legs[-1].z - way.rest
        if last >= DEEP - TOLERANCE or jumps[-1].drop + last > DEEP + TOLERANCE:
            rolls.append("warcry.move.mid-air-drop")
    elif jumps and jumps[-1].drop > DEEP + TOLERANCE:
        rolls.append("warcry.move.jump-impact")
    return [rule for rule in rolls if state.applies(rule)]


def fall_at_the_end(state: State, fighter: Fighter) -> tuple[str, ...]:
    """The rules by which a fighter that has ended its move there falls; none if it does not."""
    ground = state.ground
    surface = ground.surface(fighter.x, fighter.y, fighter.z)
    end = "warcry.terrain.unclimbable-end"
    if surface is None and state.applies(end) and ground.on_unclimbable(fighter.base):
        return (end,)
    whole = "warcry.monster.move-end"
    if fighter.monster and state.applies(whole) and (fighter.climbing or not ground.wholly_on(fighter.base)):
        return (whole, "warcry.move.fall-triggers")
    return ("warcry.move.fall-triggers",) if surface is None and not fighter.climbing else ()


def on_open_edge(state: State, fighter: Fighter) -> bool:
    """Is it on a platform within half an inch of an open edge? Those that fly do not fall off (the edge fall test)."""
    if fighter.flies or fighter.z <= TOLERANCE:
        return False
    ground = state.ground
    surface = ground.surface(fighter.x, fighter.y, fighter.z)
    if surface is None or surface == FLOOR:
        return False
    return ground.near_open_edge(fighter.base, ground.index[surface], EDGE)


def on_steps(state: State, fighter: Fighter) -> bool:
    """Is it climbing stairs or a ladder?"""
    return bool(fighter.climbing) and state.ground.parts[state.ground.index[fighter.climbing]].kind in STEPS


def landing_reasons(state: State, fighter: Fighter, base: Base, room: bool = False) -> list[Reason]:
    """Why a fallen fighter cannot be put there; `room`: it is known that it can stand there."""
    reasons = []
    radius = fighter.profile.base / 50.8
    gap = max(0.0, math.hypot(base.x - fighter.x, base.y - fighter.y) - radius)
    rule = "warcry.move.fall-placement"
    if fighter.monster:
        # Any part of a monster's base may be put on the point, not only the centre.
        gap = max(0.0, gap - radius)
        rule = "warcry.monster.fall-placement"
    if gap > FALL_REACH + TOLERANCE:
        reasons.append(Reason(rule, facts={"distance": round(gap, 3), "allowed": FALL_REACH}))
    if base.z > fighter.z - TOLERANCE:
        reasons.append(Reason("warcry.move.fall-placement", facts={"height": base.z, "below": round(fighter.z, 3)}))
    if not room and not can_stand(state, base, (fighter.id,)):
        blocked = stand_reasons(state, base, (fighter.id,))
        reasons += [Reason("warcry.move.fall-blocked", "reason.warcry.fall-blocked"), *blocked]
    elif not reasons and not can_fall_to(state, fighter, base):
        reasons.append(Reason("warcry.move.fall-blocked", "reason.warcry.fall-through"))
    return reasons


def can_fall_to(state: State, fighter: Fighter, base: Base) -> bool:
    """Can it come there, across and down or down and across, through neither fighters nor terrain?"""
    start, ground = fighter.base, state.ground
    across, down = Go(base.x - start.x, base.y - start.y), Go(0.0, 0.0, base.z - start.z)
    bodies = [f for f in state.on_field() if f is not fighter]
    met = list(zip(discs(bodies), bodies, strict=True))
    # Whoever is on stairs is among their steps.
    on_stairs = on_steps(state, fighter) and ground.parts[ground.index[fighter.climbing]].rise is not None
    skip = ground.stairway(ground.index[fighter.climbing]) if on_stairs else ()

    def free(here: Base, leg: Go) -> bool:
        return not ground.in_the_way(here, leg, skip) and stopped_by(met, here, leg) is None

    if free(start, across) and free(start.at(base.x, base.y), down):
        return True
    return free(start, down) and free(start.at(start.x, start.y, base.z), across)


def landings(state: State, fighter: Fighter, x: float, y: float) -> list[Base]:
    """Where it could come to rest with its centre there: every surface below it."""
    heights = [z for z in state.ground.surfaces(x, y) if z < fighter.z - TOLERANCE]
    return [body(fighter, x, y, z) for z in reversed(heights)]


def find_landing(state: State, fighter: Fighter) -> Base | None:
    """Some legal landing place: by rings about the fighter, and if none of these will do, at the corners of the ground
    that is left. Whatever is left has a corner, so that "nowhere" is a fact."""
    limit = FALL_REACH + fighter.profile.base / 50.8 * (2 if fighter.monster else 1)
    spots = ((fighter.x + limit * far * c, fighter.y + limit * far * s) for far, c, s in RINGS)
    return _first_landing(state, fighter, spots) or _first_landing(state, fighter, _corners(state, fighter, limit))


def _first_landing(state: State, fighter: Fighter, spots: Iterable[tuple[float, float]]) -> Base | None:
    tried: dict[Point, None] = {}
    for x, y in spots:
        at = (snap(x), snap(y))
        if at in tried:
            continue
        tried[at] = None
        for base in landings(state, fighter, *at):
            if can_stand(state, base, (fighter.id,)) and not landing_reasons(state, fighter, base, True):
                return base
    return None


def _corners(state: State, fighter: Fighter, limit: float) -> Iterator[tuple[float, float]]:
    """Where the edges cross of all that keeps a falling fighter from a place: reach, bodies, walls, platforms, the
    table, and the straight ways past them; each also a thousandth of an inch to every side."""
    ground, r = state.ground, fighter.profile.base / 50.8
    x, y = fighter.x, fighter.y
    around = limit + r + 0.1
    close = [b for b in others(state, fighter) if math.hypot(b.x - x, b.y - y) < around + b.shape.radius]  # type: ignore[union-attr]
    walls = (prism for _, prism in ground.near(x - around, y - around, x + around, y + around))
    rings, lines = bounds(ground, r, close, walls, (plate for plate in ground.plates if plate.z < fighter.z))
    rings = [(x, y, limit - HAIR), *rings]
    lines += [line for ring in rings[1:] for line in tangents(x, y, ring, limit)]
    hopeless = _hopeless(state, fighter)
    for px, py in dict.fromkeys((round(px, 5), round(py, 5)) for px, py in corners(rings, lines)):
        if math.hypot(px - x, py - y) <= limit + 0.01 and not hopeless(px, py):
            yield from ((px + dx, py + dy) for dx, dy in BESIDE)


def _hopeless(state: State, fighter: Fighter) -> Callable[[float, float], bool]:
    """Of a place: would not even a smaller body find room at any height? Smaller by more than places are moved aside,
    so that there is no room beside it either."""
    small = Round(fighter.profile.base / 50.8 - 0.005)
    levels = [
        Base(small, fighter.x, fighter.y, z, 0.0, fighter.profile.height)
        for z in state.ground.levels
        if z < fighter.z - TOLERANCE
    ]
    taken = [
        (other.x, other.y, (small.radius + other.profile.base / 50.8) ** 2)
        for other in state.on_field()
        if other is not fighter and all(share_heights(level, other.base) for level in levels)
    ]

    def hopeless(x: float, y: float) -> bool:
        if any((x - ox) * (x - ox) + (y - oy) * (y - oy) < near for ox, oy, near in taken):
            return True
        return all(state.ground.blocked(level.at(x, y)) for level in levels)

    return hopeless


def fall(battle: Battle[State], key: str, by: int, *rules: str) -> Steps[None]:
    """The opponent picks where the fighter comes down; the depth may hurt it, and so may what stands there."""
    state = battle.state
    fighter = state.fighter(key)
    if fighter.where != "field":
        return
    default = find_landing(state, fighter)
    if default is None:
        surface = state.ground.surface(fighter.x, fighter.y, fighter.z)
        if surface not in (None, FLOOR) and not fighter.climbing:
            battle.emit("fall-blocked", *rules, "warcry.move.fall-blocked", fighter=key)
        else:
            yield from take_down(battle, key, by, *rules, "warcry.move.fall-blocked", "warcry.damage.taken-down")
        return
    limit = FALL_REACH + fighter.profile.base / 50.8

    def settle(answer: Any) -> Base:
        x, y = snap(float(answer["x"])), snap(float(answer["y"]))
        if "z" in answer:
            return body(fighter, x, y, snap(float(answer["z"])))
        below = landings(state, fighter, x, y)
        return below[0] if below else body(fighter, x, y, 0.0)

    def judge(answer: Any) -> list[Reason]:
        return landing_reasons(state, fighter, settle(answer))

    def propose(rng: Rng) -> Any:
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0, limit)
        x, y = snap(fighter.x + far * math.cos(angle)), snap(fighter.y + far * math.sin(angle))
        below = landings(state, fighter, x, y)
        return spot_of(rng.choice(below)) if below else None

    answer = yield Place(
        1 - fighter.side, "ask.fall", judge, propose, "warcry.move.fall-placement", key, spot_of(default), form=SPOT
    )
    depth = fighter.z
    put(fighter, settle(answer))
    depth -= fighter.z
    battle.emit(
        "fell",
        *rules,
        "warcry.monster.fall-placement" if fighter.monster else "warcry.move.fall-placement",
        fighter=key,
        depth=round(depth, 3),
        x=fighter.x,
        y=fighter.y,
        z=fighter.z,
    )
    if depth >= DEEP - TOLERANCE and state.applies("warcry.move.fall-impact"):
        yield from impact(battle, key, by, "warcry.move.fall-impact")
    deadly = "warcry.terrain.deadly-fall"
    if fighter.where == "field" and state.applies(deadly) and state.ground.near_deadly(fighter.base):
        roll = battle.roll(1, "deadly", deadly, side=fighter.side, who=key)
        yield from deal(battle, key, roll.faces[0], by, deadly)
