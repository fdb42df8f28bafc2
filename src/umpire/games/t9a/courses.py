"""A course: what a move may spend, what it spends, and what stands against it (move.serpentine.*, def.spacing.*)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from umpire.engine.rulings import Reason
from umpire.space import spans
from umpire.space.ranks import manoeuvres
from umpire.space.ranks.manoeuvres import Leg, Obstacle, Price, carried, cost
from umpire.space.shapes import convex_hull
from umpire.space.spans import Bar, Span

from . import reforming, spacing
from .formation import EPS, Box, box, pivot
from .model_rules import every
from .spacing import clear_of, crowding, off_table, on_table
from .state import Moved, State, Unit


class Budget(NamedTuple):
    """What a move may do: which action, whose Mobility, what kind of move it is, and beyond what no model may go."""

    action: Moved
    mob: float
    special: str = ""
    cap: float = 0.0

    @property
    def limit(self) -> float:
        """Inches of serpentine advances (t9a.move.normal.advance, t9a.move.march.advance)."""
        most = self.mob * 2 if self.action == "march" else self.mob
        return min(most, self.cap) if self.cap else most


class Course(NamedTuple):
    """A move worked out: where it ends, after which pivot and by which legs; a reform's files; whom a model joins."""

    reasons: tuple[Reason, ...]
    end: Box
    start: Box
    pivot: float | None = None
    legs: tuple[Leg, ...] = ()
    files: int = 0
    join: str = ""
    adjust: float = 0.0
    stops: tuple[Box, ...] = ()
    """Places that a reform passes."""
    formless: bool = False
    """It was no way at all."""

    def swept(self) -> list[list[tuple[float, float]]]:
        """Where it stood, the ground its front swept, where it stands (t9a.move.during.line-collapse)."""
        from .terrain import front_ground

        first = pivot(self.start, self.pivot) if self.pivot else self.start
        rings = [list(self.start.corners())]
        if self.pivot:
            rings.append(list(first.corners()))
        rings += [list(stop.corners()) for stop in self.stops]
        return [*rings, *front_ground(first, self.legs), list(self.end.corners())]

    def passed_over(self, state: State, unit: Unit) -> list[str]:
        """Whom the rear of a wheeling unit swept over, which does not matter (t9a.move.serpentine.front-only)."""
        if not any(leg.how == "wheel" for leg in self.legs):
            return []
        at = pivot(self.start, self.pivot) if self.pivot else self.start
        found: dict[str, None] = {}
        for leg in self.legs:
            end = carried(at, [leg])
            if leg.how == "wheel":
                ground = convex_hull([*at.corners(), *end.corners()])
                for other in state.table():
                    if other.id != unit.id and not clear_of(ground, box(state, other).corners(), -EPS):
                        found[other.id] = None
            at = end
        return list(found)


RULES = {
    "reform": "t9a.move.reform.centre",
    "normal": "t9a.move.normal.advance",
    "march": "t9a.move.march.advance",
}


def price(state: State) -> Price:
    """How a wheel is paid for (t9a.move.serpentine.wheel-cost)."""
    return "chord" if state.options.wheel_cost == "chord" else "forward"


def on_the_way(state: State, unit: Unit) -> list[Obstacle]:
    """What a front keeps half an inch from (t9a.def.spacing.during): other units and impassable terrain; those it may
    be too close to it may only not touch (t9a.def.spacing.persist). Ghosts ignore terrain (t9a.rule.ghost-step)."""
    found = []
    for other in state.table():
        if other.id != unit.id:
            keep = 0.0 if spacing.exempt(state, unit, other.id) else 0.5
            if other.id != unit.came:
                found.append(Obstacle(other.id, box(state, other).corners(), keep))
    if not every(state, unit, "t9a.rule.ghost-step"):
        for piece in spacing.impassable(state):
            keep = 0.0 if spacing.exempt(state, unit, piece.id) else 0.5
            found.append(Obstacle(piece.id, piece.points, keep))
    return found


def against(state: State, unit: Unit, budget: Budget, course: Course, around: Sequence[Obstacle]) -> Iterator[Reason]:
    """Why a normal move or a march is illegal."""
    yield from _spent(state, budget, course)
    yield from _turned(state, unit, budget, course)
    yield from _passed(state, unit, course, around)
    yield from ending(state, unit, budget, course)


def quickly(state: State, unit: Unit, budget: Budget, course: Course, around: Sequence[Obstacle]) -> Iterator[Reason]:
    """The same reasons, what is soon found out first: for whoever wants to know of one alone."""
    yield from _spent(state, budget, course)
    yield from ending(state, unit, budget, course)
    yield from _turned(state, unit, budget, course)
    yield from _passed(state, unit, course, around)


def _spent(state: State, budget: Budget, course: Course) -> Iterator[Reason]:
    here = course.start
    spent = cost(here.w, course.legs, price(state))
    if spent > budget.limit + EPS:
        rule = "t9a.rule.vanguard.limits" if budget.cap and budget.limit == budget.cap else RULES[budget.action]
        told = {"inches": round(spent, 2), "most": budget.limit}
        yield Reason(rule, facts=told)
        if state.applies(rule):
            yield Reason("t9a.move.serpentine.distance", f"reason.{RULES[budget.action]}", told)
    turned = widest = 0.0
    for leg in course.legs:
        if leg.how == "wheel":
            turned += leg.amount
            widest = max(widest, abs(turned))
    if widest > 90.0 + EPS:
        yield Reason(RULES[budget.action], "reason.t9a.move.turned", {"degrees": round(widest, 1)})


def _turned(state: State, unit: Unit, budget: Budget, course: Course) -> Iterator[Reason]:
    """Against the pivot that a way begins with."""
    if course.pivot is not None:
        first = pivot(course.start, course.pivot)
        yield from reforming.pivot_reasons(state, unit, course.start, first, budget.mob)
        yield from crowding(state, unit, first, 0.5, but=(unit.came,), rule="t9a.move.normal.pivot")


def _passed(state: State, unit: Unit, course: Course, around: Sequence[Obstacle]) -> Iterator[Reason]:
    """Against what its front passes, and against an adjustment at its end."""
    first = course.start if course.pivot is None else pivot(course.start, course.pivot)
    if manoeuvres.front_off(first, course.legs, (state.field.width, state.field.depth)):
        yield Reason("t9a.def.table-edge.during")
    if not every(state, unit, "t9a.rule.fly"):
        for found in manoeuvres.crossings(first, course.legs, around):
            yield _crossed(state, found)
    if course.adjust:
        back = course.start.w * math.sin(math.radians(min(90.0, abs(course.adjust))))
        if state.options.march_adjustment == "off" or back > 1.0 + EPS:
            yield Reason("t9a.move.march.final-adjust", facts={"inches": round(back, 2), "most": 1})


def _crossed(state: State, found: manoeuvres.Crossing) -> Reason:
    facts = {"other": found.name, "gap": round(found.gap, 2), "least": found.clearance}
    if found.name not in state.units and found.gap <= EPS:
        return Reason("t9a.terrain.impassable", facts=facts)
    return Reason("t9a.def.spacing.base-contact" if found.gap <= EPS else "t9a.def.spacing.during", facts=facts)


def ending(state: State, unit: Unit, budget: Budget, course: Course) -> Iterator[Reason]:
    """Where a move action may end: on the table, an inch from everybody, each corner within twice the Mobility of where
    one was (t9a.move.final-position), a Vanguard move not near the enemy (t9a.rule.vanguard.limits)."""
    end = course.end
    if not on_table(state, end):
        yield Reason("t9a.def.table-edge.end", "reason.t9a.off-table", {"inches": round(off_table(state, end), 2)})
    flying = every(state, unit, "t9a.rule.fly")
    for found in crowding(state, unit, end, 1.0):
        if flying:
            # What it has flown over it must be clear of where it comes down.
            yield Reason("t9a.rule.fly.end", facts=found.facts)
            if found.rule == "t9a.def.spacing.end" and not state.applies("t9a.rule.fly.end"):
                continue
        yield found
    host = state.units.get(unit.came)
    if (
        host is not None
        and host.where == "table"
        and not clear_of(end.corners(), box(state, host).corners(), 1.0 - EPS)
    ):
        yield Reason("t9a.char.leave.move", facts={"unit": host.id})
    most = 2 * budget.mob
    shift = manoeuvres.corner_shift(course.start, end)
    if budget.cap and shift > budget.cap + EPS:
        yield Reason("t9a.rule.vanguard.limits", facts={"inches": round(shift, 2), "most": budget.cap})
    elif shift > most + EPS:
        yield Reason("t9a.move.final-position", facts={"inches": round(shift, 2), "most": most})
    if budget.special == "vanguard":
        for foe in state.table(1 - unit.side):
            if not clear_of(end.corners(), box(state, foe).corners(), 6.0 + EPS):
                gap = round(spacing.between(end, box(state, foe)), 2)
                told = {"other": foe.id, "gap": gap, "least": 6}
                yield Reason("t9a.prep.vanguard.limits", facts=told)
                if state.applies("t9a.prep.vanguard.limits"):
                    yield Reason("t9a.rule.vanguard.limits", "reason.t9a.prep.vanguard.limits", told)


def ending_after(state: State, unit: Unit, at: Box, most: float) -> list[Span]:
    """After how many inches straight on, up to so many, a unit stands on the table and an inch from everybody
    (t9a.def.spacing.end), a hair more."""
    body, bars = at.corners(), []
    for x, y in body:
        for value, rate, end in ((x, at.ux, state.field.width), (y, at.uy, state.field.depth)):
            if rate > EPS:
                most = min(most, (end - value) / rate)
            elif rate < -EPS:
                most = min(most, value / -rate)
            elif not -EPS <= value <= end + EPS:
                return []
    rings: list[tuple[str, Sequence[tuple[float, float]]]] = [
        (stand.unit.id, stand.ring)
        for stand in spacing.about(state, at.ahead(most / 2), 1.0 + most / 2)
        if stand.unit.id != unit.id
    ]
    rings += [(piece.id, piece.points) for piece in spacing.impassable(state)]
    for name, ring in rings:
        found = spans.along(body, at.ux, at.uy, ring, 0.0 if spacing.exempt(state, unit, name) else 1.0)
        if found is not None:
            bars.append(Bar(*found))
    return spans.free(0.0, most, bars, apart=0.002)
