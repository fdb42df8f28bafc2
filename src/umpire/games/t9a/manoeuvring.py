"""Where the planner puts its units: where it deploys them, whom it makes for, and which of some moves is best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from umpire.engine.decisions import Decision, Move
from umpire.engine.rng import Rng
from umpire.miniatures import manoeuvres
from umpire.miniatures.manoeuvres import Leg, carried, cost, straight, wheel
from umpire.space.angles import turn_between

from .characteristics import mobility
from .formation import Box, box, facing_of, pivot, size_of, unit_vector
from .judgement import Fears, clash, nearest_foe, shoots
from .model_rules import every
from .move_paths import Manoeuvre, price
from .spacing import between
from .state import State, Unit


def moved_unit(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    keys = [k for k in getattr(decision, "options", {}) if k in state.units]
    yield from sorted(
        keys, key=lambda key: (-state.units[key].y if state.units[key].facing < 90 else state.units[key].y, key)
    )
    yield "end"


NEAR = 13.0
"""Nearer than this to an enemy a unit keeps its right to pivot and does not march."""


def move_action(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """March while no enemy is near, else a normal move that turns to the enemy."""
    unit = state.unit(decision.about)
    near = nearest_foe(state, unit)
    goal = destination(state, unit)
    if near is None or goal is None:
        yield "none"
        yield "reform"
        return
    if near[0] > NEAR and abs(aside(state, unit, goal)) < 60.0 and not in_range(state, unit):
        yield "march"
    yield "normal"
    yield "reform"


def aside(state: State, unit: Unit, foe: Unit) -> float:
    """By how many degrees a foe is off straight ahead."""
    cx, cy = box(state, foe).centre
    x, y = box(state, unit).local(cx, cy)
    return math.degrees(math.atan2(x, y + 1e-9))


def in_range(state: State, unit: Unit) -> bool:
    """Is there somebody ahead that it may shoot at from here?"""
    reach = shoots(state, unit)
    here = box(state, unit)
    return reach > 0 and any(
        between(here, box(state, foe)) <= reach and abs(aside(state, unit, foe)) < 40.0 and not state.engaged(foe.id)
        for foe in state.table(1 - unit.side)
    )


def destination(state: State, unit: Unit) -> Unit | None:
    """The foe that it is best to go for: worth attacking, and soon reached without turning about."""
    best: tuple[float, str] | None = None
    here = box(state, unit)
    fast = max(1.0, 2.0 * mobility(state, unit))
    for foe in state.table(1 - unit.side):
        gap = between(here, box(state, foe))
        turns = gap / fast + abs(aside(state, unit, foe)) / 120.0
        worth = clash(state, unit, foe, True, False) + (120.0 if foe.shaken else 0.0)
        value = (max(20.0, worth + 100.0)) * 0.6**turns
        if best is None or value > best[0]:
            best = (value, foe.id)
    return state.units[best[1]] if best is not None else None


def moves(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Towards the best foe, but rather where it may charge than where it is charged; shooters with a target stay."""
    if not isinstance(decision, Move) or not isinstance(decision.mover, Manoeuvre):
        return
    mover = decision.mover
    unit = state.unit(decision.about)
    foe = destination(state, unit)
    if foe is None or in_range(state, unit):
        yield {"stay": True}
        return
    fears = Fears(state, unit)
    fx, fy = box(state, foe).centre

    def score(at: Box) -> float:
        cx, cy = at.centre
        off = abs(turn_between(at.facing, facing_of(fx - cx, fy - cy)))
        return PULL * math.hypot(fx - cx, fy - cy) + ASIDE * off - fears.of(at.x, at.y, at.facing)

    scored: list[tuple[float, int, Any]] = []
    if mover.budget.action == "reform":
        for _ in range(8):
            answer = decision.propose(rng)
            if answer is not None and decision.legal(answer):
                scored.append((score(mover.plan(answer).end), len(scored), answer))
    else:
        for answer, end in courses(state, mover, foe):
            scored.append((score(end), len(scored), answer))
    for _, _, answer in sorted(scored, key=lambda s: s[:2]):
        yield answer
    yield {"stay": True}


PULL, ASIDE = 40.0, 2.0
"""What each inch costs that a unit stays away from whom it makes for, in points, and each degree that it looks away."""
WHEELS = (0.0, 12.0, -12.0, 25.0, -25.0, 45.0, -45.0)
"""Degrees off straight ahead, beside those that aim at a foe."""


def courses(state: State, mover: Manoeuvre, foe: Unit) -> Iterator[tuple[Any, Box]]:
    """Ways straight on, or after a wheel or pivot towards the foe or a little aside: as far as the way is free, half of
    it, and back to where it stood."""
    here, limit, by = mover.here, mover.budget.limit, price(state)
    around = [] if every(state, mover.unit, "t9a.rule.fly") else mover.around
    normal = mover.budget.action == "normal"
    aim = aside(state, mover.unit, foe)
    most = 180.0 if normal else manoeuvres.widest_wheel(here.w, limit, by)
    angles = [max(-most, min(most, angle)) * 0.999 for angle in (aim, aim / 2, *WHEELS)]
    yield {"stay": True}, here
    for angle in dict.fromkeys(round(angle, 1) for angle in angles):
        legs: list[Leg] = []
        first = here
        if normal:
            first = pivot(here, angle) if angle else here
        elif angle:
            legs.append(wheel(angle))
            if next(manoeuvres.crossings(here, legs, around), None) is not None:
                continue
        at = carried(first, legs)
        left = max(0.0, limit - cost(here.w, legs, by))
        free = sum(leg.amount for leg in manoeuvres.clear_part(at, [straight(left)], around, 0.51))
        path: list[dict[str, Any]] = [{"how": "pivot", "degrees": angle}] if normal and angle else []
        path += [{"how": "wheel", "degrees": angle}] if legs else []
        for share in (1.0, 0.5, 0.0):
            inches = math.floor(free * share * 100) / 100
            if inches > 0.0 or (share == 0.0 and path):
                yield {"path": [*path, {"how": "forward", "inches": inches}]}, at.ahead(inches)


def place(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Beside or behind those who stand already, close enough to leave room for the rest: fighters at the front of the
    zone near its middle, shooters and wizards behind."""
    unit = state.unit(decision.about)
    zone = state.field.zones[state.zone_of[unit.side]]
    ux, uy = unit_vector(zone.facing)
    across = [x * uy - y * ux for x, y in zone.points]
    along = [x * ux + y * uy for x, y in zone.points]
    wide, deep = size_of(state, unit)
    back = shoots(state, unit) > 20 or any(pool.spells for pool in state.members(unit) if not pool.attachable)
    middle = (min(across) + max(across)) / 2
    lanes, rows = [middle], [max(along) - 0.1, min(along) + deep + 0.1]
    for other in state.table(unit.side):
        w, d = size_of(state, other)
        lane, row = other.x * uy - other.y * ux, other.x * ux + other.y * uy
        off = (wide + w) / 2 + APART
        lanes += [lane - off, lane + off, lane]
        rows += [row - d - APART, row + deep + APART]
    found: list[tuple[float, int, Any]] = []
    for side in dict.fromkeys(round(lane, 2) for lane in lanes):
        for ahead in dict.fromkeys(round(row, 2) for row in rows):
            x, y = side * uy + ahead * ux, -side * ux + ahead * uy
            rank = ahead - deep - min(along) if back else max(along) - ahead
            found.append((abs(side - middle) * 0.5 + 2.0 * rank, len(found), _spot(x, y, zone.facing)))
    for _, _, answer in sorted(found, key=lambda f: f[:2]):
        if decision.legal(answer):
            yield answer


APART = 1.2
"""How far from one another units are deployed."""


def _spot(x: float, y: float, facing: float) -> dict[str, float]:
    return {"x": round(x, 2), "y": round(y, 2), "facing": facing}
