"""The ways of move actions: what an answer means, which way leads to a goal.

A path is a list of legs: {"how": "pivot", "degrees"} (once, first), {"how": "forward", "inches"}, {"how": "wheel",
"degrees"} (clockwise positive, about the front corner on that side). A goal is {"to": {"x", "y", "facing"}}, the middle
of the front; of a reform it is the unit's centre, with "files", and its path are such places. A model joins a unit by
{"to": {"beside": unit}}.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from umpire.engine.decisions import Ends, Form, Mover, Region, Route, Stretch, spot
from umpire.engine.decisions.movers import encode, furthest
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.miniatures.manners import manners
from umpire.odds.telling import Odds
from umpire.space import spans
from umpire.space.angles import heading, turn_between, turned
from umpire.space.ranks import manoeuvres
from umpire.space.ranks.contact import wheeled
from umpire.space.ranks.manoeuvres import Around, Leg, carried, cost, straight, wheel
from umpire.space.spans import Bar, Span

from . import perils, reforming
from .courses import RULES, Budget, Course, against, ending, ending_after, on_the_way, price, quickly
from .formation import EPS, Box, box, pivot, still
from .model_rules import every
from .picture import standing_at
from .rearranging import REARRANGE
from .spacing import about, exempt, impassable
from .state import State, Unit

WIDEST = 135.0
"""Degrees to either side of the facing to which a move leads by itself, within which room for others is looked for."""


class Manoeuvre(Mover[Course]):
    """Judges, finds and proposes the moves of one unit by one move action."""

    def __init__(self, state: State, unit: Unit, budget: Budget) -> None:
        super().__init__()
        self.state, self.unit, self.budget = state, unit, budget
        self._refused: set[bytes] = set()
        self._hosts: dict[str, bool] = {}
        self._straights: dict[tuple[Box, float], list[Span]] = {}
        self.here = box(state, unit)
        reform = budget.action == "reform"
        hows = ("forward", "wheel", *(("pivot",) if budget.action == "normal" else ()))
        files = (max(1, unit.files - reforming.most_files(state, unit)), unit.files + reforming.most_files(state, unit))
        self.form = Form(
            ways=("to", "path", "stay"),
            pieces=(unit.id,),
            limit=None if reform else round(budget.limit, 3),
            manners=() if reform else manners(self.here.w, hows),
            start=spot(*(self.here.centre if reform else (self.here.x, self.here.y)), facing=unit.facing),
            facing=True,
            files=files if reform else None,
        )

    @functools.cached_property
    def around(self) -> Around:
        """What its front keeps off; nobody moves while the question is open."""
        return Around(still(self.state, lambda: on_the_way(self.state, self.unit)))

    # -- reading ---------------------------------------------------------------------------------------------------

    def read(self, answer: Any) -> Course:
        return still(self.state, lambda: self._read(answer))

    def _read(self, answer: Any) -> Course:
        here = self.here
        if answer.get("stay"):
            return Course(tuple(self._staying()), here, here)
        goal = answer.get("to")
        if isinstance(goal, dict) and "beside" in goal:
            return self._joining(goal["beside"])
        if self.budget.action == "reform":
            return self._reform(answer)
        if isinstance(goal, dict):
            return self._towards(goal, answer)
        course = self._along(answer.get("path") or [])
        return course._replace(reasons=(*course.reasons, *self._files(answer)))

    def _staying(self) -> Iterator[Reason]:
        return iter(())

    def _files(self, answer: Any) -> Iterator[Reason]:
        """The number of files does not change (t9a.move.normal.rearrange, t9a.move.march.rearrange)."""
        files = answer.get("files", self.unit.files)
        if files != self.unit.files:
            yield Reason(REARRANGE[self.budget.action], facts={"files": files, "most": self.unit.files})

    def _form(self, why: str = "reason.t9a.move.form") -> Course:
        return Course((Reason(RULES[self.budget.action], why),), self.here, self.here, formless=True)

    def fits(self, answer: Any) -> bool:
        key = encode(answer)
        if key in self._refused:
            return False
        if answer.get("stay") or key in self._plans:
            return super().fits(answer)
        found = still(self.state, lambda: self._passes(answer))
        if found is False:
            self._refused.add(key)
        return super().fits(answer) if found is None else found

    def _passes(self, answer: Any) -> bool | None:
        """Does nothing stand against an answer? None: it is neither a path nor a reform."""
        if self.budget.action == "reform":
            found = self._reformed(answer)
            if found is None or not 1 <= found[1] <= 99:
                return None
            course, files = found
            reasons: Iterable[Reason] = itertools.chain(
                ending(self.state, self.unit, self.budget, course), self._reform_reasons(course, files)
            )
        elif answer.get("path") and "to" not in answer:
            course = self._spelt(answer["path"])
            judged = quickly(self.state, self.unit, self.budget, course, self.around)
            reasons = itertools.chain(course.reasons, self._files(answer), judged)
        else:
            return None
        if next(iter(reasons), None) is not None:
            return False
        self.remember(answer, course)
        return True

    def _along(self, path: Sequence[Any]) -> Course:
        """A path of manoeuvres, judged."""
        course = self._spelt(path)
        if course.formless:
            return course
        found = against(self.state, self.unit, self.budget, course, self.around)
        return course._replace(reasons=(*course.reasons, *found))

    def _spelt(self, path: Sequence[Any]) -> Course:
        """A path of manoeuvres (t9a.move.serpentine.steps): a leg without its amount, or of no known kind, is none."""
        turn: float | None = None
        legs: list[Leg] = []
        adjust = 0.0
        reasons: list[Reason] = []
        if not path:
            return self._form()
        for n, leg in enumerate(path):
            how = leg.get("how")
            amount = leg.get("inches" if how == "forward" else "degrees")
            if amount is None or how not in ("pivot", "forward", "wheel", "back"):
                return self._form()
            if how == "pivot":
                if self.budget.action == "march":
                    reasons.append(Reason("t9a.move.march.advance", "reason.t9a.move.no-pivot"))
                if n:
                    reasons.append(Reason("t9a.move.types", "reason.t9a.move.pivot-first"))
                turn = float(amount)
            elif how == "back":
                adjust = float(amount)
                if n != len(path) - 1 or self.budget.action != "march":
                    return self._form()
            elif how == "forward":
                if amount < 0:
                    reasons.append(Reason("t9a.move.serpentine.steps", "reason.t9a.move.backwards", {"inches": amount}))
                legs.append(straight(max(0.0, float(amount))))
            else:
                if abs(amount) > 90.0 + EPS:
                    reasons.append(Reason("t9a.move.serpentine.steps", facts={"degrees": abs(amount), "most": 90}))
                legs.append(wheel(max(-90.0, min(90.0, float(amount)))))
        return self._laid(turn, legs, adjust)._replace(reasons=tuple(reasons))

    def course(self, turn: float | None, legs: Sequence[Leg], reasons: Sequence[Reason] = ()) -> Course:
        course = self._laid(turn, legs)
        return course._replace(reasons=(*reasons, *against(self.state, self.unit, self.budget, course, self.around)))

    def _laid(self, turn: float | None, legs: Sequence[Leg], adjust: float = 0.0) -> Course:
        """A way, not judged yet."""
        first = pivot(self.here, turn) if turn else self.here
        end = carried(first, legs)
        if adjust:
            left, right = end.front()
            end = end.about(*(left if adjust > 0 else right), adjust)
        return Course((), end, self.here, turn, tuple(legs), 0, "", adjust)

    def _open(self, turn: float | None, legs: Sequence[Leg]) -> bool:
        """Does nothing stand against a way? Yes or no, before every reason is looked for."""
        found = quickly(self.state, self.unit, self.budget, self._laid(turn, legs), self.around)
        return next(standing(self.state, found), None) is None

    def _towards(self, goal: Any, answer: Any) -> Course:
        """The first way to a goal that nothing stands against, or the first at all."""
        more = tuple(self._files(answer))
        barred = next(standing(self.state, more), None) is not None
        first: tuple[float | None, list[Leg]] | None = None
        for turn, legs in self.ways(goal["x"], goal["y"], goal.get("facing")):
            if not barred and self._open(turn, legs):
                return self.course(turn, legs, more)
            first = first or (turn, legs)
            if barred:
                break
        if first is None:
            return self._form("reason.t9a.move.no-way")
        if goal.get("facing") is None and not barred:
            aim = self._laid(*first).end.facing
            for facing in self._facings_with_room(goal["x"], goal["y"], aim):
                for turn, legs in self.ways(goal["x"], goal["y"], facing):
                    if self._open(turn, legs):
                        return self.course(turn, legs, more)
        return self.course(*first, more)

    def _facings_with_room(self, x: float, y: float, aim: float) -> list[float]:
        """Of the facings with which the unit has room at a place those nearest to one, a stretch each."""
        at = self.here._replace(x=x, y=y, ux=turned(aim)[0], uy=turned(aim)[1])
        rings = [(stand.unit.id, stand.ring) for stand in about(self.state, at, 1.0 + at.w + at.d)]
        rings += [(piece.id, piece.points) for piece in impassable(self.state)]
        bars = [
            Bar(*bar)
            for name, ring in rings
            if name != self.unit.id and not exempt(self.state, self.unit, name)
            for bar in spans.around(at.corners(), x, y, ring, 1.0, -WIDEST, WIDEST)
        ]
        free = [spans.nearest([span], 0.0) for span in spans.free(-WIDEST, WIDEST, bars, apart=0.01)]
        return [aim + turn for turn in sorted((turn for turn in free if turn), key=abs)]

    def ways(self, x: float, y: float, facing: float | None) -> Iterator[tuple[float | None, list[Leg]]]:
        """Ways to a place: without a pivot and with up to two wheels, then after one with up to one wheel; the cheapest
        first. There is none if neither leads there."""
        for legs in manoeuvres.serpentine_to(self.here, x, y, facing):
            yield None, legs
        goal = None if facing is None else self.here._replace(x=x, y=y, ux=turned(facing)[0], uy=turned(facing)[1])
        if goal is not None:
            for legs in manoeuvres.two_wheels(self.here, goal):
                yield None, legs
        if self.budget.action != "normal":
            return
        cx, cy = self.here.centre
        aims = [heading(x - cx, y - cy)] if math.hypot(x - cx, y - cy) > EPS else []
        if goal is not None and facing is not None:
            aims.insert(0, facing)
            aims.append((facing + turn_between(facing, aims[-1]) / 2) % 360.0)
            aims += manoeuvres.pivots_to(self.here, goal)
        found: list[tuple[float, float, list[Leg]]] = []
        for aim in aims:
            turn = turn_between(self.here.facing, aim)
            for legs in manoeuvres.serpentine_to(pivot(self.here, turn), x, y, facing):
                found.append((cost(self.here.w, legs, price(self.state)), turn, legs))
        for _, turn, legs in sorted(found, key=lambda one: one[0]):
            yield turn, legs

    def _reform(self, answer: Any) -> Course:
        found = self._reformed(answer)
        if found is None:
            return self._form()
        course, files = found
        if not 1 <= files <= 99:
            reason = Reason("t9a.move.reform.files", facts={"files": files, "most": self.unit.files})
            return Course((reason,), self.here, self.here)
        reasons = (*self._reform_reasons(course, files), *ending(self.state, self.unit, self.budget, course))
        return course._replace(reasons=reasons)

    def _reformed(self, answer: Any) -> tuple[Course, int] | None:
        """Where a reform leads, not judged yet, and in how many files; None: it is no reform at all."""
        places = answer.get("path") or [answer.get("to")]
        if not all(isinstance(place, dict) and "x" in place and "y" in place for place in places):
            return None
        files = answer.get("files", self.unit.files)
        if not 1 <= files <= 99:
            return Course((), self.here, self.here), files
        *stops, end = (
            reforming.formed(self.state, self.unit, p["x"], p["y"], p.get("facing", self.unit.facing), files)
            for p in places
        )
        return Course((), end, self.here, files=files, stops=tuple(stops)), files

    def _reform_reasons(self, course: Course, files: int) -> Iterator[Reason]:
        yield from reforming.against(self.state, self.unit, self.budget.mob, course.end, files, self.budget.cap)
        if course.stops:
            stops = list(course.stops)
            yield from reforming.stop_reasons(self.state, self.unit, self.budget.mob, stops, course.end, files)

    def _joining(self, host: str) -> Course:
        found = tuple(reforming.join_reasons(self.state, self.unit, self.budget, host))
        return Course(found, self.here, self.here, join=host)

    # -- proposing and drawing -------------------------------------------------------------------------------------

    def propose(self, rng: Rng) -> Any:
        if self._friends and rng.below(2):
            friend = self._friends[rng.below(len(self._friends))]
            if self._takes(friend):
                return {"to": {"beside": friend}}
        if self.budget.action == "reform":
            return reforming.propose(self.state, self.unit, self.budget.mob, rng)
        return self._proposed(rng)

    def _proposed(self, rng: Rng) -> Any:
        """Towards an enemy by a pivot or a wheel, as far as the way is free."""
        foes = self.state.table(1 - self.unit.side)
        here, limit, by = self.here, self.budget.limit, price(self.state)
        turn: float | None = None
        legs: list[Leg] = []
        if foes and rng.below(4):
            foe = foes[rng.below(len(foes))]
            wanted = turn_between(here.facing, heading(foe.x - here.centre[0], foe.y - here.centre[1]))
            if self.budget.action == "normal" and rng.below(2):
                turn = round(wanted if rng.below(3) else wanted / 2, 1)
            else:
                angle = max(-60.0, min(60.0, wanted)) * rng.random()
                widest = manoeuvres.widest_wheel(here.w, limit, by)
                if abs(angle) > 3.0:
                    legs.append(wheel(round(max(-widest, min(widest, angle)) * 0.999, 1)))
        first = pivot(here, turn) if turn else here
        flying = every(self.state, self.unit, "t9a.rule.fly")
        if legs and not flying and next(manoeuvres.crossings(first, legs, self.around), None) is not None:
            legs = []
        left = limit - cost(here.w, legs, by)
        wish = max(0.0, left * (1.0, 1.0, 0.6, rng.random())[rng.below(4)])
        at = carried(first, legs)
        stops = still(self.state, lambda: self._stops(at, left, flying))
        inches = spans.greatest(stops, wish)
        if inches is None:
            inches = spans.least(stops, wish)
        if inches is None:
            # Hemmed in: others may be tried, but not for long.
            return {"stay": True} if rng.below(4) == 0 else None
        path: list[dict[str, Any]] = [{"how": "pivot", "degrees": turn}] if turn else []
        path += [{"how": "wheel", "degrees": leg.amount} for leg in legs]
        path.append({"how": "forward", "inches": math.floor(inches * 1000) / 1000})
        return {"path": path}

    def _stops(self, at: Box, most: float, flying: bool) -> list[Span]:
        """How far it may go straight on from a place, so that its front passes everything and it ends an inch from
        everybody, a hair more: for proposals that need not be thrown away."""
        key = (at, most)
        found = self._straights.get(key)
        if found is None:
            if not flying:
                free, who = manoeuvres.room(at, straight(most), self.around)
                most = free - 0.01 if who else most
            found = self._straights[key] = ending_after(self.state, self.unit, at, most)
        return found

    @functools.cached_property
    def _friends(self) -> list[str]:
        """Units near enough to be joined, whether or not they may be."""
        return still(self.state, lambda: list(reforming.friends(self.state, self.unit)))

    def _takes(self, friend: str) -> bool:
        if friend not in self._hosts:
            self._hosts[friend] = still(self.state, lambda: reforming.takes(self.state, self.unit, friend))
        return self._hosts[friend]

    def nearest(self, answer: Any) -> Any:
        """The longest part of the wished way that is legal."""
        if self.budget.action == "reform" or answer.get("stay"):
            return None
        course = self.plan(answer)
        if course.join or not course.legs:
            return None
        by = price(self.state)
        legs = manoeuvres.shortened(self.here, course.legs, self.budget.limit, by)
        whole = cost(self.here.w, legs, by)

        def part(inches: float) -> list[Leg]:
            return manoeuvres.shortened(self.here, legs, inches, by)

        def fits(inches: float) -> bool:
            return self._open(course.pivot, part(inches))

        most = still(self.state, lambda: furthest(whole, 0.5, fits)) if whole > 0.01 else None
        return None if most is None else {"path": written(course.pivot, part(most - 0.001))}

    def regions(self) -> list[Region]:
        """Where the middle of the front can come, roughly."""
        here, limit = self.here, self.budget.limit
        points = []
        widest = manoeuvres.widest_wheel(here.w, limit, price(self.state))
        if self.budget.action == "normal":
            ring = [pivot(here, 15.0 * k).ahead(limit) for k in range(24)]
            return [Region("reach", (tuple((b.x, b.y) for b in ring),))]
        for k in range(-8, 9):
            degrees = widest * k / 8
            end = wheeled(here, degrees).ahead(
                max(0.0, limit - manoeuvres.price(here.w, wheel(degrees), price(self.state)))
            )
            points.append((end.x, end.y))
        return [Region("reach", ((*points, (here.x, here.y)),))]

    def route(self, answer: Any) -> Route:
        """Leg by leg, each with its price."""
        course = self.plan(answer)
        at = course.start

        def told(b: Box, **more: Any) -> Stretch:
            return Stretch(x=round(b.x, 3), y=round(b.y, 3), facing=round(b.facing, 3), **more)

        stops = [told(b) for b in course.stops]
        if course.pivot:
            at = pivot(at, course.pivot)
            stops.append(told(at, how="pivot", degrees=round(course.pivot, 3)))
        for leg in course.legs:
            at = carried(at, [leg])
            amount = {"degrees" if leg.how == "wheel" else "inches": round(leg.amount, 3)}
            inches = round(abs(manoeuvres.price(self.here.w, leg, price(self.state))), 3)
            stops.append(told(at, how="wheel" if leg.how == "wheel" else "forward", cost=inches, **amount))
        if not stops or math.hypot(course.end.x - at.x, course.end.y - at.y) > EPS:
            stops.append(told(course.end))
        return {self.unit.id: stops}

    def risk(self, answer: Any) -> Odds | None:
        course = self.plan(answer)
        if course.join or answer.get("stay"):
            return None
        return perils.risk(
            self.state, self.unit, perils.of_move(self.state, self.unit, course, self.budget, course.swept())
        )

    def ends(self, answer: Any) -> Ends:
        course = self.plan(answer)
        return standing_at(self.state, self.unit, course.end.x, course.end.y, course.end.facing, course.files)


def written(turn: float | None, legs: Sequence[Leg]) -> list[dict[str, Any]]:
    path: list[dict[str, Any]] = [{"how": "pivot", "degrees": turn}] if turn else []
    for leg in legs:
        if leg.how == "wheel":
            path.append({"how": "wheel", "degrees": leg.amount})
        else:
            path.append({"how": "forward", "inches": leg.amount})
    return path
