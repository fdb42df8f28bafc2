"""Moving a unit: one answer for all its models, judged model by model (aos.core.movement, aos.move.fly)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.decisions import Region, number_ok
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.games.aos.state import Model, State, Unit
from umpire.games.aos.terrain import climb, obstacles, stand
from umpire.games.aos.units import COMBAT_RANGE, coherent, counts_as_unit, gap, near, sees
from umpire.games.aos.ways import nearest_on_way, on_board, overlap, path_ok, runs_into
from umpire.space.angles import rotate, sin_cos, turn_between
from umpire.space.shapes import TOLERANCE, snap

STAY = {"stay": True}
RING = tuple(sin_cos(30.0 * k) for k in range(12))
Ends = dict[str, Model]
BLOCKED = {"reason.aos.through-model", "reason.aos.into-combat"}
"""What stands in the way of a straight move, and may not in that of another."""


class Limits(msgspec.Struct, frozen=True):
    """What a move allows: how far, and may enemy combat ranges be crossed or ended in? `spared` hinder nothing."""

    allowance: float
    rule: str
    cross: bool = False
    end: bool = False
    spared: tuple[str, ...] = ()


class Mover:
    """All that is needed to judge moves of one unit by one ability, gathered once."""

    def __init__(
        self, state: State, unit: Unit, limits: Limits, final: Callable[[dict[str, Model]], list[Reason]] | None = None
    ) -> None:
        self.state = state
        self.unit = unit
        self.limits = limits
        self.final = final
        self.fly = unit.profile.fly
        self.r = unit.models[0].r
        reach = unit.cr + limits.allowance + 0.5
        self.bodies: list[tuple[Model, bool]] = []
        self.foes: list[tuple[Model, Unit]] = []
        for other in state.units.values():
            if other.where != "table" or other.id == unit.id:
                continue
            dx, dy = other.cx - unit.cx, other.cy - unit.cy
            square = dx * dx + dy * dy
            if square < (reach + other.cr) ** 2:
                soft = other.profile.kind == "manifestation"
                self.bodies += [(m, soft) for m in other.models]
            hinders = other.side != unit.side and other.id not in limits.spared and not limits.end
            if hinders and square < (reach + other.cr + COMBAT_RANGE) ** 2 and counts_as_unit(state, other):
                self.foes += [(m, other) for m in other.models]
        self.parts = obstacles(state, unit.cx, unit.cy, reach)
        self.rules: list[str] = []
        self._answer: Any = None
        self._result: tuple[list[Reason], Ends] = ([], {})

    # -- reading answers -----------------------------------------------------------------------------------------

    def judge(self, answer: Any) -> list[Reason]:
        return self.plan(answer)[0]

    def plan(self, answer: Any) -> tuple[list[Reason], Ends]:
        """Every reason against an answer, and where its models would stand."""
        if self._answer is not None and answer == self._answer:
            return self._result
        result = self._plan(answer)
        self._answer, self._result = answer, result
        return result

    def _plan(self, answer: Any) -> tuple[list[Reason], Ends]:
        if answer.get("stay") is True:
            return [], {}
        if "models" in answer:
            return self._models(answer["models"])
        if "to" in answer:
            return self._formation(answer["to"])
        return [Reason("aos.core.movement", "reason.form.move")], {}

    def _models(self, wishes: dict[str, Any]) -> tuple[list[Reason], Ends]:
        spots: dict[str, tuple[float, float, float]] = {}
        ways: dict[str, list[tuple[float, float]]] = {}
        known = {m.id: m for m in self.unit.models}
        for key, wish in wishes.items():
            if key not in known:
                return [Reason("aos.core.movement", "reason.aos.not-in-unit", {"model": key[:40]})], {}
            model = known[key]
            spots[key] = (snap(wish["x"]), snap(wish["y"]), float(wish.get("facing", model.facing)) % 360.0)
            way = wish.get("path", [])
            if way:
                if not path_ok(way):
                    return [Reason("aos.core.movement", "reason.form.move")], {}
                ways[key] = [(snap(x), snap(y)) for x, y in way]
        return self.weigh(spots, ways)

    def _formation(self, to: Any) -> tuple[list[Reason], Ends]:
        if not (isinstance(to, dict) and "x" in to and "y" in to and all(number_ok(v) for v in to.values())):
            return [Reason("aos.core.movement", "reason.form.move")], {}
        spots = self.carried(to["x"], to["y"], to.get("facing"))
        reasons, ends = self.weigh(spots, {}, rigid="facing" not in to)
        if not reasons:
            return reasons, ends
        for ways in self._detours(spots, reasons):
            round_about = self.weigh(spots, ways)
            if not round_about[0]:
                return round_about
        fitted = self.fit(spots)
        if fitted is not None:
            again, ends_fitted = self.weigh(fitted, {})
            if not again:
                return again, ends_fitted
        return reasons, ends

    def _detours(
        self, spots: dict[str, tuple[float, float, float]], reasons: list[Reason]
    ) -> Iterator[dict[str, list[tuple[float, float]]]]:
        """Ways round what blocks the straight one: the whole formation past one side of it, then on to its place."""
        keys = {reason.key for reason in reasons}
        if not keys & BLOCKED or keys - BLOCKED - {"reason.aos.too-far"}:
            return
        unit = self.unit
        m = unit.models[0]
        dx, dy = spots[m.id][0] - m.x, spots[m.id][1] - m.y
        whole = math.sqrt(dx * dx + dy * dy)
        if whole < 0.5:
            return
        slack = math.sqrt(max(0.0, self.limits.allowance**2 - whole**2)) / 2
        for share in (0.5, 0.9):
            for side in (1.0, -1.0):
                ox, oy = dx / 2 - side * dy / whole * slack * share, dy / 2 + side * dx / whole * slack * share
                yield {n.id: [(snap(n.x + ox), snap(n.y + oy))] for n in unit.models}

    def carried(self, x: float, y: float, facing: float | None = None) -> dict[str, tuple[float, float, float]]:
        """The formation carried, and turned if wished, so that its middle comes to a point."""
        unit = self.unit
        dx, dy = snap(x - unit.cx), snap(y - unit.cy)
        if facing is None:
            return {m.id: (snap(m.x + dx), snap(m.y + dy), m.facing) for m in unit.models}
        turn = facing - unit.models[0].facing
        spots = {}
        for m in unit.models:
            ox, oy = rotate(m.x - unit.cx, m.y - unit.cy, turn)
            spots[m.id] = (snap(unit.cx + dx + ox), snap(unit.cy + dy + oy), (m.facing + turn) % 360.0)
        return spots

    # -- judging -------------------------------------------------------------------------------------------------

    def weigh(
        self,
        spots: dict[str, tuple[float, float, float]],
        ways: dict[str, list[tuple[float, float]]],
        rigid: bool = False,
    ) -> tuple[list[Reason], Ends]:
        """Judge a move of every model at once; each reason is named once."""
        unit, state = self.unit, self.state
        reasons: dict[str, Reason] = {}
        ends: Ends = {}
        self.rules = []
        bodies, foes = self._around(spots, ways)
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
            self._distance(m, end, ways.get(m.id, ()), reasons)
            if not (
                m.q - TOLERANCE <= x <= state.width - m.q + TOLERANCE
                and m.q - TOLERANCE <= y <= state.depth - m.q + TOLERANCE
            ) or (m.r != m.q and not on_board(end, state)):
                reasons.setdefault("edge", Reason("aos.core.movement", "reason.aos.edge", {"x": x, "y": y}))
            self._bodies(m, end, ways.get(m.id, ()), bodies, reasons)
            if foes:
                self._foes(m, end, ways.get(m.id, ()), foes, reasons)
        if not rigid or (len(unit.models) > 1 and not coherent(unit.models, unit.profile.coherency)):
            self._together(spots, ends, ways, reasons)
        found = list(reasons.values())
        if not found and self.final is not None:
            found = self.final(ends)
        return found, ends

    def _around(
        self, spots: dict[str, tuple[float, float, float]], ways: dict[str, list[tuple[float, float]]]
    ) -> tuple[list[tuple[Model, bool]], list[tuple[Model, Unit]]]:
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
            for b in self.bodies
            if x0 < b[0].x + b[0].r and b[0].x - b[0].r < x1 and y0 < b[0].y + b[0].r and b[0].y - b[0].r < y1
        ]
        c = COMBAT_RANGE + TOLERANCE
        foes = [
            f
            for f in self.foes
            if x0 - c <= f[0].x + f[0].r
            and f[0].x - f[0].r <= x1 + c
            and y0 - c <= f[0].y + f[0].r
            and f[0].y - f[0].r <= y1 + c
        ]
        return bodies, foes

    def _distance(self, m: Model, end: Model, way: Sequence[tuple[float, float]], reasons: dict[str, Reason]) -> None:
        """aos.core.movement: no part of the base travels farther than allowed; heights count unless the unit flies."""
        x, y, z = m.x, m.y, m.z
        far = 0.0
        legs = [*way, (end.x, end.y)]
        for n, (nx, ny) in enumerate(legs):
            far += math.sqrt((nx - x) * (nx - x) + (ny - y) * (ny - y))
            nz = end.z if n == len(legs) - 1 else (0.0 if not self.parts else self._height(m, nx, ny))
            if not self.fly and (self.parts or z > 1.0 or nz > 1.0):
                rise, jumped, barred = climb(self.parts, x, y, z, nx, ny, nz, m.q)
                far += rise
                if barred is not None:
                    reasons.setdefault(barred.rule, barred)
                if rise:
                    self.rules.append("aos.core.move-terrain")
                if jumped:
                    self.rules.append("aos.core.jump-down")
            x, y, z = nx, ny, nz
        if m.r != m.q and end.facing != m.facing:
            far += m.r * abs(turn_between(m.facing, end.facing)) * math.pi / 180.0
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
        only_end = self.limits.cross or self.fly
        for foe, unit in foes:
            reach = COMBAT_RANGE + m.r + foe.r + TOLERANCE
            if (end.x - foe.x) ** 2 + (end.y - foe.y) ** 2 <= reach * reach and near(end, foe, COMBAT_RANGE):
                if "ends" not in reasons and sees(self.state, self.unit, end, unit, foe):
                    facts = {"model": m.id, "enemy": unit.id, "gap": round(max(0.0, gap(end, foe)), 3)}
                    reasons["ends"] = Reason(self.limits.rule, "reason.aos.ends-in-combat", facts)
            elif not only_end and "crosses" not in reasons:
                spot = nearest_on_way(m, end, way, foe)
                if near(spot, foe, COMBAT_RANGE) and sees(self.state, self.unit, spot, unit, foe):
                    facts = {"model": m.id, "enemy": unit.id, "gap": round(max(0.0, gap(spot, foe)), 3)}
                    reasons["crosses"] = Reason(self.limits.rule, "reason.aos.into-combat", facts)

    def _together(
        self,
        spots: dict[str, tuple[float, float, float]],
        ends: Ends,
        ways: dict[str, list[tuple[float, float]]],
        reasons: dict[str, Reason],
    ) -> None:
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

    def _in_turn(self, order: list[Model], ends: Ends, ways: dict[str, list[tuple[float, float]]]) -> Model | None:
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

    # -- fitting -------------------------------------------------------------------------------------------------

    def fit(
        self, spots: dict[str, tuple[float, float, float]], pinned: Sequence[Model] = ()
    ) -> dict[str, tuple[float, float, float]] | None:
        """Keep the formation where it fits; put what does not beside models that do, each within its allowance.

        `pinned` models stand already.
        """
        unit = self.unit
        tx = sum(s[0] for s in spots.values()) / len(spots)
        ty = sum(s[1] for s in spots.values()) / len(spots)
        order = sorted(unit.models, key=lambda m: ((spots[m.id][0] - tx) ** 2 + (spots[m.id][1] - ty) ** 2, m.id))
        bodies, foes = self._around(spots, {})
        placed = list(pinned)
        late: list[Model] = []
        for m in order:
            if any(p.id == m.id for p in pinned):
                continue
            end = self._try(m, spots[m.id], placed, bodies, foes)
            if end is None or (placed and not self._linked(end, placed)):
                late.append(m)
            else:
                placed.append(end)
        if not placed:
            return None
        for m in late:
            end = self._beside(m, spots[m.id], placed, bodies, foes)
            if end is None:
                return None
            placed.append(end)
        return {p.id: (p.x, p.y, p.facing) for p in placed}

    def _linked(self, end: Model, placed: list[Model]) -> bool:
        """Would it hang together with those that stand: by one, in a unit of 7 or more by two where two stand?"""
        need = 2 if len(self.unit.models) >= 7 and len(placed) >= 2 else 1
        link = self.unit.profile.coherency
        for p in placed:
            if near(end, p, link):
                need -= 1
                if not need:
                    return True
        return False

    def _beside(
        self,
        m: Model,
        spot: tuple[float, float, float],
        placed: list[Model],
        bodies: list[tuple[Model, bool]],
        foes: list[tuple[Model, Unit]],
    ) -> Model | None:
        """The free place next to those that stand which is nearest to where it belongs in the formation."""
        x, y, facing = spot
        far = m.r + m.r + min(0.1, self.unit.profile.coherency / 2)
        ring = [(snap(p.x + s * far), snap(p.y + c * far)) for p in placed for s, c in RING]
        ring.sort(key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2)
        for px, py in ring[:40]:
            end = self._try(m, (px, py, facing), placed, bodies, foes)
            if end is not None and self._linked(end, placed):
                return end
        return None

    def _try(
        self,
        m: Model,
        spot: tuple[float, float, float],
        placed: list[Model],
        bodies: list[tuple[Model, bool]],
        foes: list[tuple[Model, Unit]],
    ) -> Model | None:
        x, y, facing = spot
        far = self.limits.allowance + TOLERANCE
        if (x - m.x) ** 2 + (y - m.y) ** 2 > far * far:
            return None
        if not (m.r <= x <= self.state.width - m.r and m.r <= y <= self.state.depth - m.r):
            return None
        end = Model(m.id, x, y, 0.0, facing, m.r, m.q, m.role, m.back)
        z, unfit = stand(self.state, end)
        if unfit is not None:
            return None
        if z:
            end = msgspec.structs.replace(end, z=z)
        if any(overlap(end, other) for other in placed):
            return None
        reasons: dict[str, Reason] = {}
        self._bodies(m, end, (), bodies, reasons)
        if not reasons:
            self._distance(m, end, (), reasons)
        if not reasons and foes:
            self._foes(m, end, (), foes, reasons)
        return None if reasons else end

    # -- proposing -----------------------------------------------------------------------------------------------

    def towards(self, x: float, y: float, far: float) -> dict[str, Any]:
        """An answer that carries the formation so far towards a point, at most to it."""
        dx, dy = x - self.unit.cx, y - self.unit.cy
        whole = math.sqrt(dx * dx + dy * dy)
        part = min(1.0, far / whole) if whole > 0 else 0.0
        return {"to": {"x": round(self.unit.cx + dx * part, 3), "y": round(self.unit.cy + dy * part, 3)}}

    def nearest(self, answer: Any) -> Any:
        """The same wish, carried out as far as is legal."""
        unit = self.unit
        if "to" in answer and isinstance(answer["to"], dict) and {"x", "y"} <= set(answer["to"]):
            for part in (1.0, 0.97, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1):
                x, y = answer["to"]["x"], answer["to"]["y"]
                if not (number_ok(x) and number_ok(y)):
                    break
                whole = math.sqrt((x - unit.cx) ** 2 + (y - unit.cy) ** 2)
                wish = self.towards(x, y, min(whole, self.limits.allowance) * part)
                if not self.judge(wish):
                    return wish
        models = answer.get("models")
        if isinstance(models, dict) and models:
            known = {m.id: m for m in unit.models}
            if all(key in known for key in models):
                for part in (0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1):
                    wish = {
                        "models": {
                            k: {
                                "x": round(known[k].x + (v["x"] - known[k].x) * part, 3),
                                "y": round(known[k].y + (v["y"] - known[k].y) * part, 3),
                            }
                            for k, v in models.items()
                        }
                    }
                    if not self.judge(wish):
                        return wish
        return dict(STAY)

    def wander(self, rng: Rng, goals: Sequence[tuple[float, float]]) -> Any:
        """A legal move towards one of some goals, or anywhere; as far as it goes."""
        unit = self.unit
        if goals and rng.below(4):
            x, y = goals[rng.below(len(goals))]
            x, y = x + rng.uniform(-2, 2), y + rng.uniform(-2, 2)
        else:
            s, c = sin_cos(rng.uniform(0, 360))
            x, y = unit.cx + 60 * s, unit.cy + 60 * c
        far = self.limits.allowance
        dx, dy = x - unit.cx, y - unit.cy
        for part, aside in ((1.0, 0.0), (0.55, 0.0), (0.25, 0.0), (0.7, 50.0), (0.7, -50.0)):
            ox, oy = rotate(dx, dy, aside) if aside else (dx, dy)
            wish = self.towards(unit.cx + ox, unit.cy + oy, far * part)
            result = self.weigh(self.carried(wish["to"]["x"], wish["to"]["y"]), {}, rigid=True)
            if not result[0]:
                self._answer, self._result = wish, result
                return wish
        wish = self.towards(x, y, far * 0.55)
        return dict(STAY) if self.judge(wish) else wish

    def regions(self) -> list[Region]:
        """A circle round each model as far as it may go."""
        far = self.limits.allowance
        ring = tuple(sin_cos(15.0 * k) for k in range(24))
        circles = tuple(tuple((m.x + s * far, m.y + c * far) for s, c in ring) for m in self.unit.models)
        return [Region("reach", circles)]


def put(unit: Unit, ends: Ends) -> None:
    """Carry a judged move or set-up out."""
    unit.models = tuple([ends.get(m.id, m) for m in unit.models])
