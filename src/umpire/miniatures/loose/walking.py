"""Judging a move of a unit: the way of every model, how far, what it meets, where it ends.

A book gives its numbers (`Limits`, `Coherency`), its rule ids (`Rules`) and, in a class of its own, what stands around
and what the ground is like. Nothing here knows a book.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from umpire.engine.decisions import Route, Stretch
from umpire.engine.rulings import Reason
from umpire.miniatures.loose.bodies import Body, gap, near, on_board, overlap, rise
from umpire.miniatures.loose.coherency import Coherency, coherent, scattered
from umpire.miniatures.loose.groups import Group
from umpire.miniatures.loose.ways import nearest_on_way, placed, runs_into, steps_on_way
from umpire.space.angles import turn_between
from umpire.space.plain import Point
from umpire.space.shapes import TOLERANCE

M = TypeVar("M", bound=Body)

STAY = {"stay": True}
"""The answer of a unit that does not move."""
Spot = tuple[float, float, float, float | None]
"""Where a model would stand: x, y, facing, and the height of the floor that is wished, if one is."""
Spots = dict[str, Spot]
Ways = dict[str, list[Point]]
"""Points by which models go to their places, where they do not go straight."""


class Rules(msgspec.Struct, frozen=True):
    """The ids of a book's rules by which a move, or a set-up, is refused."""

    edge: str
    on: str
    through: str
    coherency: str
    move: str = ""
    """The rule that a move of no known form breaks."""


class Limits(msgspec.Struct, frozen=True):
    """What a move allows: how far, and may enemy ranges be crossed or ended in? `spared` hinder nothing.

    Ranges bar what is seen; with `unseen` also what is not. `crossing` and `ending` are the rules that bar them, where
    they are others than that of the move. `each` is how far models may go that may not go `allowance`, `least` how far
    every model must go by the rule `short`.
    """

    allowance: float
    rule: str
    cross: bool = False
    end: bool = False
    spared: tuple[str, ...] = ()
    unseen: bool = False
    crossing: str = ""
    ending: str = ""
    each: Mapping[str, float] = {}
    least: float = 0.0
    short: str = ""


class Around(NamedTuple):
    """What stands near the way of a unit: models, with those that may be moved through marked, and enemies' ranges."""

    bodies: list[tuple[Any, bool]]
    foes: list[tuple[Any, Any]]


class Walk(Generic[M]):
    """All that is needed to judge ways of one unit by one kind of move, gathered once."""

    flat: float
    """How far an enemy's range reaches on the ground."""
    up: float = math.inf
    """And how far in height."""
    rules: Rules
    slow_rule: str = ""
    """The rule by which ground shortens a move."""
    one_floor = True
    """Do any two models that cover common ground stand in each other?"""

    def __init__(
        self,
        unit: Group[M],
        limits: Limits,
        table: tuple[float, float],
        coherency: Coherency,
        fly: bool = False,
        final: Callable[[dict[str, M]], list[Reason]] | None = None,
    ) -> None:
        self.unit = unit
        self.limits = limits
        self.width, self.depth = table
        self.coherency = coherency
        self.hops = self.glides = fly
        """Does it move over other models, and does height cost it nothing?"""
        self.cut = 0.0
        """By how much the ground on the ways that are judged shortens them."""
        self._final = final
        self.r = max([m.r for m in unit.models])
        self.used: list[str] = []
        """The rules of the ground that the ways judged last have made use of."""
        self._boxes: tuple[list[Any], list[Any]] | None = None
        """What stands near in boxes, once a way is looked at."""
        self._stood_well: bool | None = None
        """Do they hang together where they stand? Found when it is first asked."""
        self.legs: Route | None = None
        """Where it is wanted, the way of each model that was judged last."""

    @functools.cached_property
    def near_by(self) -> Around:
        """What stands around, once a way is looked at."""
        return self.surroundings(self.unit.cr + self.limits.allowance + 0.5)

    # -- what a book says ----------------------------------------------------------------------------------------

    def final(self, ends: dict[str, M]) -> list[Reason]:
        """What speaks against where they would all stand, when nothing speaks against their ways."""
        return self._final(ends) if self._final is not None else []

    def surroundings(self, reach: float) -> Around:
        """What stands within reach of the unit's middle."""
        raise NotImplementedError

    def stand(self, end: M, level: float | None = None) -> tuple[float, Reason | None]:
        """How high a model would stand here, and why it may not."""
        return 0.0, None

    def over(self, m: M, x: float, y: float) -> float:
        """How high a model is on its way over a point."""
        return 0.0

    def climb(
        self, m: M, end: M, start: tuple[float, float, float], stop: tuple[float, float, float], last: bool
    ) -> tuple[float, Reason | None]:
        """What a straight stretch costs beside its length on the ground, and why it cannot be made."""
        return 0.0, None

    def seen(self, spot: M, foe: Body, unit: Any) -> bool:
        """Does an enemy see the unit's model there, so that its range counts?"""
        return True

    def slows(self, m: M, end: M, way: Sequence[Point]) -> float:
        """By how much the ground on one model's way shortens the move of all."""
        return 0.0

    def too_far(self, m: M, far: float, allowed: float) -> Reason:
        """Why a model may not go so far."""
        facts = {"model": m.id, "moved": round(far, 3), "allowed": round(allowed, 3)}
        return Reason(self.limits.rule, "reason.loose.too-far", facts)

    def ending(self, unit: Any) -> str:
        """The rule by which a move may not end in the range of this enemy."""
        return self.limits.ending or self.limits.rule

    def passable(self, unit: Any) -> bool:
        """May the range of this enemy be crossed, though not ended in?"""
        return False

    def barred(self, m: M, body: Body) -> Reason:
        """Why a model may not go through another."""
        return Reason(self.rules.through, "reason.loose.through-model", {"model": m.id, "other": body.id})

    def turning(self, m: M, end: M) -> float:
        """What turning costs: the way of the farthest point of a base that is not round."""
        if m.r == m.q or end.facing == m.facing:
            return 0.0
        return m.r * abs(turn_between(m.facing, end.facing)) * math.pi / 180.0

    # -- judging -------------------------------------------------------------------------------------------------

    def weigh(
        self, spots: Spots, ways: Ways, rigid: bool = False, brief: bool = False, around: Around | None = None
    ) -> tuple[list[Reason], dict[str, M]]:
        """Judge a move of every model at once; each reason is named once, or only the first that is found (`brief`)."""
        unit = self.unit
        reasons: dict[str, Reason] = {}
        ends: dict[str, M] = {}
        self.used = []
        around = around or self.around(spots, ways)
        self.cut = 0.0
        for m in unit.models:
            spot = spots.get(m.id)
            if spot is None:
                ends[m.id] = m
                continue
            x, y, facing, level = spot
            end = placed(m, x, y, 0.0, facing)
            z, unfit = self.stand(end, level)
            if unfit is not None:
                reasons.setdefault(unfit.rule, unfit)
                if brief:
                    return [unfit], ends
            if z:
                end = msgspec.structs.replace(end, z=z)
            ends[m.id] = end
            if self.slow_rule:
                self.cut = max(self.cut, self.slows(m, end, ways.get(m.id, ())))
            if brief and self.cut:
                far = math.sqrt((x - m.x) * (x - m.x) + (y - m.y) * (y - m.y))
                allowed = max(0.0, self.limits.each.get(m.id, self.limits.allowance) - self.cut)
                if far > allowed + TOLERANCE:
                    return [self.too_far(m, far, allowed)], ends
        if self.cut:
            self.used.append(self.slow_rule)
        for m in unit.models:
            if ends[m.id] is not m:
                self.step(m, ends[m.id], ways.get(m.id, ()), around, reasons, brief)
            elif self.limits.cross and not self.limits.end:
                self._foes(m, m, (), around.foes, reasons)
            if brief and reasons:
                return list(reasons.values()), ends
        if not (rigid and self._as_before(ends)):
            self._together(spots, ends, ways, reasons)
        found = [again for reason in reasons.values() for again in (reason, *self.again(reason))]
        return found or self.final(ends), ends

    def again(self, reason: Reason) -> tuple[Reason, ...]:
        """The same once more by a second rule, where the book forbids it in two places."""
        return ()

    def _as_before(self, ends: dict[str, M]) -> bool:
        """Do all models stand to each other as before, in heights too, and did they stand well?"""
        models = self.unit.models
        first = models[0]
        up = ends[first.id].z - first.z
        for m in models:
            if ends[m.id].z - m.z != up:
                return False
        if self._stood_well is None:
            self._stood_well = len(models) == 1 or coherent(models, self.coherency)
        return self._stood_well

    def step(
        self, m: M, end: M, way: Sequence[Point], around: Around, reasons: dict[str, Reason], brief: bool = False
    ) -> None:
        """What speaks against one model's going where it is to stand; `brief`: no more once there is something."""
        self._distance(m, end, way, reasons)
        if brief and reasons:
            return
        for x, y in (*way, (end.x, end.y)) if way else ((end.x, end.y),):
            if not self._on(end, x, y):
                reasons.setdefault("edge", Reason(self.rules.edge, "reason.loose.edge", {"x": x, "y": y}))
        if brief and reasons:
            return
        self._bodies(m, end, way, around.bodies, reasons)
        if around.foes and not (brief and reasons):
            self._foes(m, end, way, around.foes, reasons)

    def _on(self, end: M, x: float, y: float) -> bool:
        q = end.q - TOLERANCE
        if not (q <= x <= self.width - q and q <= y <= self.depth - q):
            return False
        return end.r == end.q or on_board(msgspec.structs.replace(end, x=x, y=y), self.width, self.depth)

    def around(self, spots: Spots, ways: Ways) -> Around:
        """Only what stands near the way of the unit."""
        r = self.r
        xs = [s[0] for s in spots.values()] + [self.unit.cx - self.unit.cr, self.unit.cx + self.unit.cr]
        ys = [s[1] for s in spots.values()] + [self.unit.cy - self.unit.cr, self.unit.cy + self.unit.cr]
        for way in ways.values():
            xs += [p[0] for p in way]
            ys += [p[1] for p in way]
        x0, x1, y0, y1 = min(xs) - r, max(xs) + r, min(ys) - r, max(ys) + r
        if self._boxes is None:
            self._boxes = _boxes(self.near_by.bodies), _boxes(self.near_by.foes)
        bodies = [
            b for left, right, low, high, b in self._boxes[0] if x0 < right and left < x1 and y0 < high and low < y1
        ]
        c = self.flat + TOLERANCE
        x0, x1, y0, y1 = x0 - c, x1 + c, y0 - c, y1 + c
        foes = [
            f for left, right, low, high, f in self._boxes[1] if x0 <= right and left <= x1 and y0 <= high and low <= y1
        ]
        return Around(bodies, foes)

    def _distance(self, m: M, end: M, way: Sequence[Point], reasons: dict[str, Reason]) -> None:
        """No part of a base travels farther than allowed."""
        x, y, z = m.x, m.y, m.z
        far = 0.0
        legs = [*way, (end.x, end.y)] if way else [(end.x, end.y)]
        gone = []
        to_go = len(legs)
        for nx, ny in legs:
            to_go -= 1
            far += math.sqrt((nx - x) * (nx - x) + (ny - y) * (ny - y))
            nz = self.over(end, nx, ny) if to_go else end.z
            if not self.glides:
                more, barred = self.climb(m, end, (x, y, z), (nx, ny, nz), not to_go)
                far += more
                if barred is not None:
                    reasons.setdefault(barred.rule, barred)
            x, y, z = nx, ny, nz
            if self.legs is not None:
                gone.append((x, y, z, far))
        if m.r != m.q:
            far += self.turning(m, end)
        if self.legs is not None:
            self.legs[m.id] = _stretches(gone, end.facing, far)
        limits = self.limits
        allowed = max(0.0, limits.each.get(m.id, limits.allowance) - self.cut)
        if far > allowed + TOLERANCE:
            worst = reasons.get("far")
            if worst is None or worst.facts["moved"] < far:
                reasons["far"] = self.too_far(m, far, allowed)
        elif far < limits.least - TOLERANCE:
            facts = {"model": m.id, "moved": round(far, 3), "least": limits.least}
            reasons.setdefault("short", Reason(limits.short or limits.rule, "reason.loose.too-short", facts))

    def _bodies(
        self, m: M, end: M, way: Sequence[Point], bodies: list[tuple[Any, bool]], reasons: dict[str, Reason]
    ) -> None:
        r = m.r if m.r > end.r else end.r
        x0, x1 = (m.x - r, end.x + r) if m.x < end.x else (end.x - r, m.x + r)
        y0, y1 = (m.y - r, end.y + r) if m.y < end.y else (end.y - r, m.y + r)
        if way:
            x0, x1, y0, y1 = -math.inf, math.inf, -math.inf, math.inf
        for body, soft in bodies:
            x, y, far = body.x, body.y, body.r
            if x + far < x0 or x - far > x1 or y + far < y0 or y - far > y1:
                continue  # it stands beside the whole way
            if overlap(end, body) and self.meets(end, body):
                facts = {"model": m.id, "other": body.id}
                reasons.setdefault("on", Reason(self.rules.on, "reason.loose.on-model", facts))
            elif (
                not soft
                and not self.hops
                and "through" not in reasons
                and runs_into(m, end, way, body)
                and self.passes(m, end, body)
            ):
                reasons["through"] = self.barred(m, body)

    def meets(self, end: Body, body: Body) -> bool:
        """Are two models that cover common ground on one floor, so that they stand in each other?"""
        return True

    def passes(self, m: Body, end: Body, body: Body) -> bool:
        """Does a model that crosses the ground under another do so at its height?"""
        return True

    def _foes(
        self, m: M, end: M, way: Sequence[Point], foes: list[tuple[Any, Any]], reasons: dict[str, Reason]
    ) -> None:
        limits = self.limits
        only_end = limits.cross or self.hops
        blind = limits.unseen or only_end  # who may cross enemy ranges may not end in one, seen or unseen
        for foe, unit in foes:
            reach = self.flat + m.r + foe.r + TOLERANCE
            if (end.x - foe.x) ** 2 + (end.y - foe.y) ** 2 <= reach * reach and self._in_range(end, foe):
                if "ends" in reasons:
                    continue
                if blind or self.seen(end, foe, unit):
                    facts = {"model": m.id, "enemy": unit.id, "gap": round(max(0.0, gap(end, foe)), 3)}
                    reasons["ends"] = Reason(self.ending(unit), "reason.loose.ends-near", facts)
                    continue
            if not only_end and "crosses" not in reasons and not self.passable(unit):
                spot = self._entered(m, end, way, foe, unit)
                if spot is not None:
                    facts = {"model": m.id, "enemy": unit.id, "gap": round(max(0.0, gap(spot, foe)), 3)}
                    reasons["crosses"] = Reason(limits.crossing or limits.rule, "reason.loose.comes-near", facts)

    def _in_range(self, spot: Body, foe: Body) -> bool:
        return (spot.z == foe.z or rise(spot, foe) <= self.up + TOLERANCE) and near(spot, foe, self.flat)

    def _entered(self, m: M, end: M, way: Sequence[Point], foe: Body, unit: Any) -> M | None:
        """Where on its way a model would enter the range of an enemy, if that is barred."""
        spot = nearest_on_way(m, end, way, foe)
        if not near(spot, foe, self.flat):
            return None
        if min(rise(m, foe), rise(end, foe)) > self.up + TOLERANCE:
            return None
        if self.limits.unseen or self.seen(spot, foe, unit):
            return spot
        for spot in steps_on_way(m, end, way):
            if near(spot, foe, self.flat) and self.seen(spot, foe, unit):
                return spot
        return None

    def _together(self, spots: Spots, ends: dict[str, M], ways: Ways, reasons: dict[str, Reason]) -> None:
        """Coherency, and moving one at a time: some order must let every model pass the others."""
        models = list(ends.values())
        n = len(models)
        if n == 1:
            return
        for i, one in enumerate(models):
            x, y, r = one.x, one.y, one.r
            for j in range(i + 1, n):
                other = models[j]
                dx, dy, far = x - other.x, y - other.y, r + other.r
                if dx * dx + dy * dy < far * far and overlap(one, other) and self.meets(one, other):
                    facts = {"model": one.id, "other": other.id}
                    reasons.setdefault("on", Reason(self.rules.on, "reason.loose.on-model", facts))
        if not coherent(models, self.coherency):
            reasons.setdefault("coherency", self.incoherent(models))
        if reasons or self.hops:
            return
        moving = {m.id: m for m in self.unit.models if ends[m.id] is not m}
        dx = dy = 0.0
        for key, m in moving.items():
            dx += ends[key].x - m.x
            dy += ends[key].y - m.y
        front = sorted(moving.values(), key=lambda m: -(m.x * dx + m.y * dy))  # they make room for those behind
        told = [moving[key] for key in spots if key in moving]
        stuck = self._in_turn(front, ends, ways)
        if stuck is not None and self._in_turn(told, ends, ways) is not None:
            facts = {"model": stuck.id, "other": self.unit.id}
            reasons["through"] = Reason(self.rules.through, "reason.loose.through-model", facts)

    def incoherent(self, models: Sequence[M]) -> Reason:
        """Why a unit may not stand so."""
        key, facts = scattered(models, self.coherency)
        return Reason(self.rules.coherency, key, {"unit": self.unit.id, **facts})

    def _in_turn(self, order: list[M], ends: dict[str, M], ways: Ways) -> M | None:
        """Move one model after the other, each when its way is free; the first that stays stuck, or None."""
        waiting = order[:]
        now = {m.id: m for m in self.unit.models}
        while waiting:
            for m in waiting:
                end, way = ends[m.id], ways.get(m.id, ())
                if not self._blocked(m, end, way, now):
                    now[m.id] = ends[m.id]
                    waiting.remove(m)
                    break
            else:
                return waiting[0]
        return None

    def _blocked(self, m: M, end: M, way: Sequence[Point], now: dict[str, M]) -> bool:
        """Does one of its comrades stand in a model's way? Most stand beside the whole of it."""
        xs, ys = [m.x, end.x, *(p[0] for p in way)], [m.y, end.y, *(p[1] for p in way)]
        r = m.r
        x0, x1, y0, y1 = min(xs) - r, max(xs) + r, min(ys) - r, max(ys) + r
        for o in now.values():
            x, y, far = o.x, o.y, o.r
            if x + far < x0 or x - far > x1 or y + far < y0 or y - far > y1 or o.id == m.id:
                continue
            if runs_into(m, end, way, o) and self.passes(m, end, o):
                return True
        return False


def _boxes(near_by: list[tuple[Any, Any]]) -> list[tuple[float, float, float, float, tuple[Any, Any]]]:
    """What stands near, each with the box that it stands in."""
    return [(b.x - b.r, b.x + b.r, b.y - b.r, b.y + b.r, entry) for entry in near_by for b in entry[:1]]


def _stretches(gone: list[tuple[float, float, float, float]], facing: float, whole: float) -> list[Stretch]:
    """Legs from the points of a way and what was spent up to each; turning at the end belongs to the last."""
    spent = [0.0, *(far for _, _, _, far in gone[:-1]), whole]
    return [
        Stretch(x=x, y=y, z=z, facing=facing, cost=round(spent[n + 1] - spent[n], 3))
        for n, (x, y, z, _) in enumerate(gone)
    ]
