"""Where the planner puts its units: where it deploys them, whom it makes for, and which of some moves is best."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from umpire.engine.decisions import Decision, Move
from umpire.engine.rng import Rng
from umpire.space import spans
from umpire.space.angles import turn_between
from umpire.space.ranks import manoeuvres
from umpire.space.ranks.blocks import box_at
from umpire.space.ranks.manoeuvres import Leg, Obstacle, Price, carried, cost, straight, wheel

from . import combat_odds, sight
from .approach import Lie, outside
from .characteristics import charge_speed, mobility
from .combat_worth import LAST_TURN, Known, per_point, points_of
from .courses import Budget, price
from .formation import Box, box, light, pivot, size_of, unit_vector
from .judgement import Fears, adds, charges_left, nearest_foe, shoots
from .model_rules import every
from .move_paths import Manoeuvre
from .reforming import formed, reach
from .spacing import between, clear_of, impassable, on_table, separation
from .state import Moved, State, Unit
from .victory import scoring
from .volley_odds import volley_dist


def moved_unit(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Those first who have room to move, and of these those in front: they make room for the others."""
    keys = [k for k in getattr(decision, "options", {}) if k in state.units]
    units = [state.units[key] for key in keys]

    def hemmed(unit: Unit) -> tuple[bool, int, float]:
        here = box(state, unit)
        rings = [box(state, other).corners() for other in units if other is not unit]
        ahead = [spans.first_touch(here.front(), here.ux, here.uy, ring) for ring in rings]
        shut = any(inches is not None and inches < mobility(state, unit) for inches in ahead)
        beside = sum(separation(here.corners(), ring) < BESIDE for ring in rings)
        return shut, beside, (nearest_foe(state, unit) or (0.0,))[0]

    order = {unit.id: hemmed(unit) for unit in units}
    yield from sorted(keys, key=lambda key: order[key])
    yield "end"


BESIDE = 2.0
"""Who has a friend so near can hardly wheel."""


def move_action(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """The action that leads to the best place."""
    unit = state.unit(decision.about)
    outlook = Outlook(state, unit)
    best: list[tuple[float, int, str]] = []
    still = outlook.near(box(state, unit)) + outlook.pull
    for n, action in enumerate(ACTIONS):
        if action not in getattr(decision, "options", {}):
            continue
        if action == "reform" and not light(state, unit) and max(best, default=(still,))[0] > still:
            continue
        mover = Manoeuvre(state, unit, Budget(action, mobility(state, unit)))
        best.append((outlook.ranked(mover)[0][0], n, action))
    yield from [action for _, _, action in sorted(best, key=lambda b: (-b[0], b[1]))]
    yield "none"
    yield "normal"


ACTIONS: tuple[Moved, ...] = ("normal", "march", "reform")


def aside(state: State, unit: Unit, foe: Unit) -> float:
    """By how many degrees a foe is off straight ahead."""
    cx, cy = box(state, foe).centre
    x, y = box(state, unit).local(cx, cy)
    return math.degrees(math.atan2(x, y + 1e-9))


def in_range(state: State, unit: Unit) -> bool:
    """Is there somebody ahead whom it may shoot at from here to some effect?"""
    reach = shoots(state, unit)
    if not reach:
        return False
    here = box(state, unit)
    gaps = [
        (between(here, box(state, foe)), foe.id)
        for foe in state.table(1 - unit.side)
        if abs(aside(state, unit, foe)) < 40.0 and not state.engaged(foe.id)
    ]
    for gap, key in sorted(gaps)[:AIMED]:
        foe = state.units[key]
        if gap <= reach and sight.sees(state, unit, foe):
            lost = volley_dist(state, unit, foe)
            if lost is None or lost.mean * per_point(combat_odds.target_of(state, foe)) > TELLS * points_of(
                state, unit
            ):
                return True
    return False


AIMED = 3
"""So many of the nearest are looked at."""
TELLS = 0.03
"""A volley that takes more points than this part of its own is reason enough to stand still."""


class Outlook:
    """What the places are worth to which a unit may move: how near it comes to whom it had best fight, what it may
    charge from there and what may charge it."""

    def __init__(self, state: State, unit: Unit) -> None:
        self.state, self.unit = state, unit
        self.fears = Fears(state, unit)
        self.stays = in_range(state, unit)
        values = [] if self.stays or charges_left(state, unit.side) < 1 else prizes(state, unit, self.fears.known)
        best = max((value for value, _ in values), default=0.0)
        self.sure = 5.0 + charge_speed(state, unit)
        self.pull = PULL * max(SHY, min(1.0, SHY + best / BOLD))
        goals = [(foe, min(FURTHEST, (best - value) / INCH)) for value, foe in values]
        self.lie = Lie(state, unit, goals) if goals else None

    def near(self, at: Box) -> float:
        """The nearer the better, but where a charge is sure to arrive there is little more to gain."""
        way = 0.0
        if self.lie is not None:
            far = self.lie.of(at)
            way = -self.pull * (max(0.0, far - self.sure) + CLOSER * min(far, self.sure))
        return way + claim(self.state, self.unit, at)

    def ranked(self, mover: Manoeuvre) -> list[tuple[float, Any]]:
        """Answers to try with what they are worth, the best first. What may be charged is looked at where a place is
        near enough to be the best."""
        here = mover.here
        found: list[tuple[float, Any, Box]] = []
        if not self.stays:
            goal = self.lie.heading(*here.centre) if self.lie is not None else here.facing
            ways = reforms if mover.budget.action == "reform" else courses
            for answer, end in ways(self.state, mover, goal):
                if on_table(self.state, end):
                    found.append((self.near(end), answer, end))
        order = sorted(range(len(found)), key=lambda n: (-found[n][0], n))
        free = (found[n] for n in order[:LOOKED_AT] if not mover.judge(found[n][1]))
        tried = [(self.near(here), {"stay": True}, here), *islice(free, WEIGHED)]
        told = [(near + self.fears.of(at.x, at.y, at.facing), answer) for near, answer, at in tried]
        return [told[n] for n in sorted(range(len(told)), key=lambda n: (-told[n][0], n))]


LOOKED_AT = 64
"""So many places, the nearest first, are looked at for whether it may go there."""
WEIGHED = 16
"""Of so many places it is weighed what may be charged from there and what may charge there."""


def claim(state: State, unit: Unit, at: Box) -> float:
    """What a place is worth for the secondary objective of a side in the last two turns, in points."""
    kind = state.secondaries[unit.side]
    if state.turn < LAST_TURN - 1 or kind not in ("heartland", "breakthrough") or not scoring(state, unit):
        return 0.0
    if kind == "heartland":
        x, y = at.local(state.field.width / 2, state.field.depth / 2)
        far = max(0.0, math.hypot(max(0.0, abs(x) - at.w / 2), max(0.0, y, -at.d - y)) - 6.0)
    else:
        zone = state.field.zones[state.zone_of[1 - unit.side]].points
        corners = np.array(at.corners())
        far = max(0.0, float(outside(zone, corners[:, 0], corners[:, 1]).max()))
    return OBJECTIVE * state.size if far <= 0.0 else -PULL * min(far, 2 * mobility(state, unit))


OBJECTIVE = 0.05
"""What a battle point is worth, as a part of the army."""


def prizes(state: State, unit: Unit, known: Known) -> list[tuple[float, Unit]]:
    """What it would bring to charge each of the foes, or to help a friend against it."""
    return [
        (0.5 * points_of(state, foe) if foe.shaken else adds(state, unit, foe, False, known), foe)
        for foe in state.table(1 - unit.side)
    ]


def moves(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Towards the best foe, but rather where it may charge than where it is charged; shooters with a target stay."""
    if not isinstance(decision, Move) or not isinstance(decision.mover, Manoeuvre):
        return
    unit = state.unit(decision.about)
    for _, answer in Outlook(state, unit).ranked(decision.mover):
        yield answer


PULL = 20.0
"""What each inch costs that a unit stays away from whom it makes for, in points."""
CLOSER = 0.25
"""The part of that where a charge is sure to arrive already."""
SHY, BOLD = 0.3, 100.0
"""Who has nobody to gain from comes on with so small a part of that, who has so many points to gain with all of it."""
INCH, FURTHEST = 6.0, 30.0
"""So many points more make up for an inch of the way; no foe lies further off for being worth less than this."""
WHEELS = (0.0, 12.0, -12.0, 25.0, -25.0, 45.0, -45.0, 70.0, -70.0)
"""Degrees off straight ahead, beside those that aim at a goal."""
PIVOTS = (100.0, -100.0, 135.0, -135.0, 180.0)


def courses(state: State, mover: Manoeuvre, goal: float) -> Iterator[tuple[Any, Box]]:
    """Ways straight on, or after a wheel or pivot towards the goal or a little aside, or by a wheel half way: as far as
    the way is free, and shorter."""
    here, limit, by = mover.here, mover.budget.limit, price(state)
    around = [] if every(state, mover.unit, "t9a.rule.fly") else mover.around
    normal = mover.budget.action == "normal"
    aim = turn_between(here.facing, goal)
    most = 180.0 if normal else min(90.0, manoeuvres.widest_wheel(here.w, limit, by))
    angles = [max(-most, min(most, angle)) * 0.999 for angle in (aim, aim / 2, *WHEELS, *(PIVOTS if normal else ()))]
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
        for share in (1.0, 0.75, 0.5, 0.25, 0.0):
            inches = math.floor(free * share * 100) / 100
            if inches > 0.0 or (share == 0.0 and path):
                yield {"path": [*path, {"how": "forward", "inches": inches}]}, at.ahead(inches)
        if not angle and free > 2.0:
            yield from turning(here, free, limit, around, by, goal)


def turning(
    here: Box, free: float, limit: float, around: Sequence[Obstacle], by: Price, goal: float
) -> Iterator[tuple[Any, Box]]:
    """Straight on for a while, then a wheel to one side and on."""
    for share in (0.3, 0.6, 1.0):
        first = math.floor(free * share * 100) / 100
        at = here.ahead(first)
        for angle in (turn_between(here.facing, goal), 30.0, -30.0, 60.0, -60.0):
            widest = min(90.0, manoeuvres.widest_wheel(here.w, limit - first, by)) * 0.999
            turn = round(max(-widest, min(widest, angle)), 1)
            if abs(turn) < 3.0 or next(manoeuvres.crossings(at, [wheel(turn)], around), None) is not None:
                continue
            then = carried(at, [wheel(turn)])
            left = max(0.0, limit - first - cost(here.w, [wheel(turn)], by))
            on = sum(leg.amount for leg in manoeuvres.clear_part(then, [straight(left)], around, 0.51))
            inches = math.floor(on * 100) / 100
            legs = [{"how": "forward", "inches": first}, {"how": "wheel", "degrees": turn}]
            yield {"path": [*legs, {"how": "forward", "inches": inches}]}, then.ahead(inches)


def reforms(state: State, mover: Manoeuvre, goal: float) -> Iterator[tuple[Any, Box]]:
    """About where it stands or, as far as its centre may go, towards the goal and aside, looking there or as now."""
    unit, files = mover.unit, mover.unit.files
    cx, cy = mover.here.centre
    far = reach(state, unit, mover.budget.mob)[0]
    facings = dict.fromkeys(round(facing % 360.0, 1) for facing in (goal, mover.here.facing))
    for share in (0.0, 0.5, 0.99):
        for turn in (0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0) if share else (0.0,):
            ux, uy = unit_vector(goal + turn)
            x, y = round(cx + ux * far * share, 2), round(cy + uy * far * share, 2)
            for facing in facings:
                answer = {"to": {"x": x, "y": y, "facing": facing}, "files": files}
                yield answer, formed(state, unit, x, y, facing, files)


def place(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Beside or behind those who stand already, close enough to leave room for the rest: fighters at the front of the
    zone near its middle with free ground before them, shooters and wizards behind."""
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
    walls = [] if every(state, unit, "t9a.rule.fly") else impassable(state)

    def best(lanes: Sequence[float], rows: Sequence[float]) -> Iterator[Any]:
        found: list[tuple[float, int, Any]] = []
        for side in dict.fromkeys(round(lane, 2) for lane in lanes):
            for ahead in dict.fromkeys(round(row, 2) for row in rows):
                x, y = side * uy + ahead * ux, -side * ux + ahead * uy
                rank = ahead - deep - min(along) if back else max(along) - ahead
                at = box_at(x, y, zone.facing, wide, OPEN).ahead(OPEN)
                shut = sum(not clear_of(at.corners(), wall.points, 0.5) for wall in walls)
                value = abs(side - middle) * 0.5 + 2.0 * rank + 10.0 * shut
                found.append((value, len(found), _spot(x, y, zone.facing)))
        return (answer for _, _, answer in sorted(found, key=lambda f: f[:2]) if decision.legal(answer))

    yield from best(lanes, rows)
    lanes = [min(across) + wide / 2 + n for n in range(int(max(across) - min(across) - wide) + 1)]
    rows = [max(along) - n for n in range(int(max(along) - min(along) - deep) + 1)]
    yield from best(lanes, rows)


OPEN = 12.0
"""So much ground before a unit had better be free."""
APART = 1.8
"""How far from one another units are deployed."""


def _spot(x: float, y: float, facing: float) -> dict[str, float]:
    return {"x": round(x, 2), "y": round(y, 2), "facing": facing}
