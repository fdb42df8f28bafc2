"""Moving a unit: the way of every model, how far, what it meets, where it ends (aos.core.movement, aos.move.fly)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from umpire.engine.decisions import Route, Stretch
from umpire.engine.rulings import Reason
from umpire.games.aos.state import Model, State, Unit
from umpire.games.aos.terrain import climb, obstacles, stand
from umpire.games.aos.units import COMBAT_RANGE, coherent, counts_as_unit, gap, near, sees
from umpire.games.aos.ways import nearest_on_way, on_board, overlap, runs_into, steps_on_way
from umpire.space.angles import turn_between
from umpire.space.shapes import TOLERANCE

STAY = {"stay": True}
"""The answer of a unit that does not move."""
Spot = tuple[float, float, float]
"""Where a model would stand and face."""
Spots = dict[str, Spot]
Ways = dict[str, list[tuple[float, float]]]
"""Points by which models go to their places, where they do not go straight."""
Ends = dict[str, Model]


class Limits(msgspec.Struct, frozen=True):
    """What a move allows: how far, and may enemy combat ranges be crossed or ended in? `spared` hinder nothing.

    "Cannot move into combat" is about enemies that see the unit; "cannot enter combat ranges" also about `unseen` ones.
    """

    allowance: float
    rule: str
    cross: bool = False
    end: bool = False
    spared: tuple[str, ...] = ()
    unseen: bool = False


class Around(NamedTuple):
    """What stands near the way of a unit: models, with those that may be moved through marked, and enemies' ranges."""

    bodies: list[tuple[Model, bool]]
    foes: list[tuple[Model, Unit]]


class Walk:
    """All that is needed to judge ways of one unit by one ability, gathered once."""

    def __init__(
        self, state: State, unit: Unit, limits: Limits, final: Callable[[Ends], list[Reason]] | None = None
    ) -> None:
        self.state = state
        self.unit = unit
        self.limits = limits
        self.final = final
        self.fly = unit.profile.fly
        self.r = unit.models[0].r
        reach = unit.cr + limits.allowance + 0.5
        self.near_by = Around([], [])
        for other in state.units.values():
            if other.where != "table" or other.id == unit.id:
                continue
            dx, dy = other.cx - unit.cx, other.cy - unit.cy
            square = dx * dx + dy * dy
            counts = counts_as_unit(state, other)
            if square < (reach + other.cr) ** 2 and (counts or other.profile.kind != "terrain"):
                soft = other.profile.kind == "manifestation"
                self.near_by.bodies.extend((m, soft) for m in other.models)
            hinders = other.side != unit.side and other.id not in limits.spared and not limits.end
            if hinders and square < (reach + other.cr + COMBAT_RANGE) ** 2 and counts:
                self.near_by.foes.extend((m, other) for m in other.models)
        self.parts = obstacles(state, unit.cx, unit.cy, reach)
        self.rules: list[str] = []
        self.legs: Route | None = None
        """Where it is wanted, the way of each model that was judged last."""

    def weigh(self, spots: Spots, ways: Ways, rigid: bool = False) -> tuple[list[Reason], Ends]:
        """Judge a move of every model at once; each reason is named once."""
        unit, state = self.unit, self.state
        reasons: dict[str, Reason] = {}
        ends: Ends = {}
        self.rules = []
        around = self.around(spots, ways)
        for m in unit.models:
            spot = spots.get(m.id)
            if spot is None:
                ends[m.id] = m
                continue
            x, y, facing = spot
            end = Model(m.id, x, y, 0.0, facing, m.r, m.q, m.role, m.back)
            z, unfit = stand(state, end)
            if unfit is not None:
                reasons.setdefault(unfit.rule, unfit)
            if z:
                end = msgspec.structs.replace(end, z=z)
            ends[m.id] = end
            self.step(m, end, ways.get(m.id, ()), around, reasons)
        if not rigid or (len(unit.models) > 1 and not coherent(unit.models, unit.profile.coherency)):
            self._together(spots, ends, ways, reasons)
        found = list(reasons.values())
        if not found and self.final is not None:
            found = self.final(ends)
        return found, ends

    def step(
        self, m: Model, end: Model, way: Sequence[tuple[float, float]], around: Around, reasons: dict[str, Reason]
    ) -> None:
        """What speaks against one model's going where it is to stand."""
        state, x, y = self.state, end.x, end.y
        self._distance(m, end, way, reasons)
        if not (
            m.q - TOLERANCE <= x <= state.width - m.q + TOLERANCE
            and m.q - TOLERANCE <= y <= state.depth - m.q + TOLERANCE
        ) or (m.r != m.q and not on_board(end, state)):
            reasons.setdefault("edge", Reason("aos.core.movement", "reason.aos.edge", {"x": x, "y": y}))
        self._bodies(m, end, way, around.bodies, reasons)
        if around.foes:
            self._foes(m, end, way, around.foes, reasons)

    def around(self, spots: Spots, ways: Ways) -> Around:
        """Only what stands near the way of the unit."""
        r = self.r
        xs = [s[0] for s in spots.values()] + [self.unit.cx - self.unit.cr, self.unit.cx + self.unit.cr]
        ys = [s[1] for s in spots.values()] + [self.unit.cy - self.unit.cr, self.unit.cy + self.unit.cr]
        for way in ways.values():
            xs += [p[0] for p in way]
            ys += [p[1] for p in way]
        x0, x1, y0, y1 = min(xs) - r, max(xs) + r, min(ys) - r, max(ys) + r
        bodies = [
            b
            for b in self.near_by.bodies
            if x0 < b[0].x + b[0].r and b[0].x - b[0].r < x1 and y0 < b[0].y + b[0].r and b[0].y - b[0].r < y1
        ]
        c = COMBAT_RANGE + TOLERANCE
        foes = [
            f
            for f in self.near_by.foes
            if x0 - c <= f[0].x + f[0].r
            and f[0].x - f[0].r <= x1 + c
            and y0 - c <= f[0].y + f[0].r
            and f[0].y - f[0].r <= y1 + c
        ]
        return Around(bodies, foes)

    def _distance(self, m: Model, end: Model, way: Sequence[tuple[float, float]], reasons: dict[str, Reason]) -> None:
        """aos.core.movement: no part of the base travels farther than allowed; heights count unless the unit flies."""
        x, y, z = m.x, m.y, m.z
        far = 0.0
        legs = [*way, (end.x, end.y)]
        gone = []
        for n, (nx, ny) in enumerate(legs):
            far += math.sqrt((nx - x) * (nx - x) + (ny - y) * (ny - y))
            nz = end.z if n == len(legs) - 1 else (0.0 if not self.parts else self._height(m, nx, ny))
            if not self.fly and (self.parts or z > 1.0 or nz > 1.0):
                rise, jumped, barred = climb(self.parts, end, x, y, z, nx, ny, nz)
                far += rise
                if barred is not None:
                    reasons.setdefault(barred.rule, barred)
                if rise:
                    self.rules.append("aos.core.move-terrain")
                if jumped:
                    self.rules.append("aos.core.jump-down")
            x, y, z = nx, ny, nz
            if self.legs is not None:
                gone.append((x, y, z, far))
        if m.r != m.q and end.facing != m.facing:
            far += m.r * abs(turn_between(m.facing, end.facing)) * math.pi / 180.0
        if self.legs is not None:
            self.legs[m.id] = _stretches(gone, end.facing, far)
        if far > self.limits.allowance + TOLERANCE:
            worst = reasons.get("far")
            if worst is None or worst.facts["moved"] < far:
                facts = {"model": m.id, "moved": round(far, 3), "allowed": self.limits.allowance}
                reasons["far"] = Reason(self.limits.rule, "reason.aos.too-far", facts)

    def _height(self, m: Model, x: float, y: float) -> float:
        return stand(self.state, msgspec.structs.replace(m, x=x, y=y))[0]

    def _bodies(
        self,
        m: Model,
        end: Model,
        way: Sequence[tuple[float, float]],
        bodies: list[tuple[Model, bool]],
        reasons: dict[str, Reason],
    ) -> None:
        for body, soft in bodies:
            if overlap(end, body):
                facts = {"model": m.id, "other": body.id}
                reasons.setdefault("on", Reason("aos.core.movement", "reason.aos.on-model", facts))
            elif not soft and not self.fly and "through" not in reasons and runs_into(m, end, way, body):
                facts = {"model": m.id, "other": body.id}
                reasons["through"] = Reason("aos.core.movement", "reason.aos.through-model", facts)

    def _foes(
        self,
        m: Model,
        end: Model,
        way: Sequence[tuple[float, float]],
        foes: list[tuple[Model, Unit]],
        reasons: dict[str, Reason],
    ) -> None:
        limits = self.limits
        only_end = limits.cross or self.fly
        blind = limits.unseen or only_end  # who may cross combat ranges may not end in one, seen or unseen
        for foe, unit in foes:
            reach = COMBAT_RANGE + m.r + foe.r + TOLERANCE
            if (end.x - foe.x) ** 2 + (end.y - foe.y) ** 2 <= reach * reach and near(end, foe, COMBAT_RANGE):
                if "ends" in reasons:
                    continue
                if blind or sees(self.state, self.unit, end, unit, foe):
                    facts = {"model": m.id, "enemy": unit.id, "gap": round(max(0.0, gap(end, foe)), 3)}
                    reasons["ends"] = Reason(limits.rule, "reason.aos.ends-in-combat", facts)
                    continue
            if not only_end and "crosses" not in reasons:
                spot = self._entered(m, end, way, foe, unit)
                if spot is not None:
                    facts = {"model": m.id, "enemy": unit.id, "gap": round(max(0.0, gap(spot, foe)), 3)}
                    reasons["crosses"] = Reason(limits.rule, "reason.aos.into-combat", facts)

    def _entered(
        self, m: Model, end: Model, way: Sequence[tuple[float, float]], foe: Model, unit: Unit
    ) -> Model | None:
        """Where on its way a model would enter the combat range of an enemy, if that is barred."""
        spot = nearest_on_way(m, end, way, foe)
        if not near(spot, foe, COMBAT_RANGE):
            return None
        if self.limits.unseen or sees(self.state, self.unit, spot, unit, foe):
            return spot
        for spot in steps_on_way(m, end, way):
            if near(spot, foe, COMBAT_RANGE) and sees(self.state, self.unit, spot, unit, foe):
                return spot
        return None

    def _together(self, spots: Spots, ends: Ends, ways: Ways, reasons: dict[str, Reason]) -> None:
        """aos.core.coherency-move and moving one at a time: some order must let every model pass the others."""
        models = list(ends.values())
        n = len(models)
        if n == 1:
            return
        for i in range(n):
            for j in range(i + 1, n):
                if overlap(models[i], models[j]):
                    facts = {"model": models[i].id, "other": models[j].id}
                    reasons.setdefault("on", Reason("aos.core.movement", "reason.aos.on-model", facts))
        if not coherent(models, self.unit.profile.coherency):
            reasons.setdefault("coherency", Reason("aos.core.coherency-move", "", {"unit": self.unit.id}))
        if reasons or self.fly:
            return
        moving = {m.id: m for m in self.unit.models if ends[m.id] is not m}
        dx = sum(ends[key].x - m.x for key, m in moving.items())
        dy = sum(ends[key].y - m.y for key, m in moving.items())
        front = sorted(moving.values(), key=lambda m: -(m.x * dx + m.y * dy))  # they make room for those behind
        told = [moving[key] for key in spots if key in moving]
        stuck = self._in_turn(front, ends, ways)
        if stuck is not None and self._in_turn(told, ends, ways) is not None:
            facts = {"model": stuck.id, "other": self.unit.id}
            reasons["through"] = Reason("aos.core.movement", "reason.aos.through-model", facts)

    def _in_turn(self, order: list[Model], ends: Ends, ways: Ways) -> Model | None:
        """Move one model after the other, each when its way is free; the first that stays stuck, or None."""
        waiting = order[:]
        now = {m.id: m for m in self.unit.models}
        while waiting:
            for m in waiting:
                others = [o for o in now.values() if o.id != m.id]
                if not any(runs_into(m, ends[m.id], ways.get(m.id, ()), o) for o in others):
                    now[m.id] = ends[m.id]
                    waiting.remove(m)
                    break
            else:
                return waiting[0]
        return None


def _stretches(gone: list[tuple[float, float, float, float]], facing: float, whole: float) -> list[Stretch]:
    """Legs from the points of a way and what was spent up to each; turning at the end belongs to the last."""
    spent = [0.0, *(far for _, _, _, far in gone[:-1]), whole]
    return [
        Stretch(x=x, y=y, z=z, facing=facing, cost=round(spent[n + 1] - spent[n], 3))
        for n, (x, y, z, _) in enumerate(gone)
    ]


def put(unit: Unit, ends: Ends) -> None:
    """Carry a judged move or set-up out."""
    unit.models = tuple([ends.get(m.id, m) for m in unit.models])
