"""The way of a model: how far, through what, where it ends (move.no-crossing-models, move.distance-furthest-part)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from umpire.engine.decisions import Region, Route, Stretch, number_ok
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.games.wh40k.ground import blocks_way, may_stand
from umpire.games.wh40k.measuring import ENGAGEMENT, engages, gap, on_board, overlap
from umpire.games.wh40k.state import Model, State, Unit
from umpire.games.wh40k.units import coherent, moved_to
from umpire.space.angles import rotate, sin_cos, turn_between
from umpire.space.plain import point_segment
from umpire.space.shapes import TOLERANCE, snap

STAY: dict[str, Any] = {"stay": True}
Ends = dict[str, Model]
Final = Callable[[Ends], list[Reason]]
RING = tuple(sin_cos(30.0 * k) for k in range(12))


class Limits(msgspec.Struct, frozen=True):
    """What a kind of move allows: how far each model may go, and where enemies are in the way.

    `cross`: Engagement Range may be passed through; `end`: and ended in; `over`: models may be moved over. `spared`
    enemies hinder nothing.
    """

    rule: str
    far: Mapping[str, float]
    engagement: str
    """The rule that keeps it out of Engagement Range."""
    least: float = 0.0
    cross: bool = False
    end: bool = False
    over: bool = False
    spared: tuple[str, ...] = ()


class Mover:
    """Reads the answers to a question for a move, judges them and proposes some."""

    def __init__(self, state: State, unit: Unit, limits: Limits, final: Final | None = None) -> None:
        self.state = state
        self.unit = unit
        self.limits = limits
        self.final = final
        self.most = max(limits.far.values())
        reach = unit.cr + self.most + ENGAGEMENT + 0.5
        self.bodies: list[Model] = []
        self.foes: list[tuple[Model, str]] = []
        for other in state.units.values():
            if other.where != "table" or other.id == unit.id:
                continue
            if (other.cx - unit.cx) ** 2 + (other.cy - unit.cy) ** 2 > (reach + other.cr) ** 2:
                continue
            self.bodies += other.models
            if other.side != unit.side and other.id not in limits.spared and not limits.end:
                self.foes += [(m, other.id) for m in other.models]
        self._answer: Any = None
        self._result: tuple[list[Reason], Ends] = ([], {})

    def judge(self, answer: Any) -> list[Reason]:
        return self.plan(answer)[0]

    def plan(self, answer: Any) -> tuple[list[Reason], Ends]:
        """Every reason against an answer, and where the models would stand."""
        if self._answer is None or answer != self._answer:
            self._result = self._plan(answer)
            self._answer = answer
        return self._result

    def _plan(self, answer: Any) -> tuple[list[Reason], Ends]:
        bad = [Reason(self.limits.rule, "reason.form.move")]
        known = {m.id: m for m in self.unit.models}
        spots: Ends = {}
        if answer.get("stay") is True:
            pass
        elif "models" in answer:
            for key, wish in answer["models"].items():
                if key not in known:
                    return bad, {}
                spots[key] = self.place(known[key], wish["x"], wish["y"], wish.get("facing"))
        elif "to" in answer:
            to = answer["to"]
            if not (isinstance(to, dict) and "x" in to and "y" in to and all(number_ok(v) for v in to.values())):
                return bad, {}
            return self.together(to["x"], to["y"], to.get("facing"))
        else:
            return bad, {}
        return self.weigh(spots)

    def place(self, model: Model, x: float, y: float, facing: float | None) -> Model:
        facing = model.facing if facing is None else float(facing) % 360.0
        return moved_to(model, snap(x), snap(y), 0.0, facing)

    def carried(self, x: float, y: float, facing: float | None = None) -> Ends:
        """The formation carried, and turned if wished, so that its middle comes to a point."""
        unit = self.unit
        dx, dy = snap(x - unit.cx), snap(y - unit.cy)
        if facing is None:
            return {m.id: self.place(m, m.x + dx, m.y + dy, None) for m in unit.models}
        turn = facing - unit.models[0].facing
        out = {}
        for m in unit.models:
            ox, oy = rotate(m.x - unit.cx, m.y - unit.cy, turn)
            out[m.id] = self.place(m, unit.cx + dx + ox, unit.cy + dy + oy, m.facing + turn)
        return out

    def together(self, x: float, y: float, facing: float | None = None) -> tuple[list[Reason], Ends]:
        spots = self.carried(x, y, facing)
        found = self.weigh(spots, rigid=facing is None)
        if not found[0]:
            return found
        fitted = self.fit(spots)
        if fitted is not None:
            again = self.weigh(fitted)
            if not again[0]:
                return again
        return found

    def weigh(self, spots: Ends, rigid: bool = False) -> tuple[list[Reason], Ends]:
        """Judge a move of every model at once; each reason is named once."""
        unit = self.unit
        reasons: dict[str, Reason] = {}
        ends: Ends = {}
        moving = list(spots)
        for m in unit.models:
            end = spots.get(m.id)
            if end is None:
                ends[m.id] = m
                continue
            ends[m.id] = end
            for why in self.step(m, end):
                reasons.setdefault(why.key or why.rule, why)
        if not rigid and len(unit.models) > 1:
            models = list(ends.values())
            for i, a in enumerate(models):
                for b in models[i + 1 :]:
                    if overlap(a, b):
                        facts = {"model": a.id, "other": b.id}
                        reasons.setdefault("on", Reason("wh40k.move.no-ending-on-models", "", facts))
        if moving and (not rigid or not coherent(unit.models)) and not coherent(list(ends.values())):
            rule = "wh40k.move.end-in-coherency"
            reasons.setdefault("coherency", Reason(rule, "reason.wh40k.coherency", {"unit": unit.id}))
        found = list(reasons.values())
        if not found and self.final is not None:
            found = self.final(ends)
        return list(standing(self.state, found)), ends

    def step(self, m: Model, end: Model) -> list[Reason]:
        """What speaks against one model's going where it is to stand."""
        state, limits = self.state, self.limits
        found: list[Reason] = []
        far = math.sqrt((end.x - m.x) ** 2 + (end.y - m.y) ** 2) + abs(end.z - m.z)
        if end.facing != m.facing and (m.r != m.q):
            far += m.r * abs(turn_between(m.facing, end.facing)) * math.pi / 180.0
        if far > limits.far[m.id] + TOLERANCE:
            facts = {"model": m.id, "moved": round(far, 3), "allowed": limits.far[m.id]}
            found.append(Reason(limits.rule, "reason.wh40k.too-far", facts))
        if far < limits.least - TOLERANCE:
            facts = {"model": m.id, "moved": round(far, 3), "least": limits.least}
            found.append(Reason("wh40k.move.aircraft-minimum", "", facts))
        if not on_board(end, state.width, state.depth):
            found.append(Reason("wh40k.core.battlefield-edge", "", {"model": m.id}))
        why = may_stand(state, self.unit, end)
        if why is not None:
            found.append(why)
        if not limits.over:
            why = blocks_way(state, self.unit, m, end)
            if why is not None:
                found.append(why)
        wide = m.r
        for body in self.bodies:
            reach = wide + body.r - TOLERANCE
            if point_segment(body.x, body.y, m.x, m.y, end.x, end.y) >= reach * reach:
                continue
            if overlap(end, body):
                found.append(Reason("wh40k.move.no-ending-on-models", "", {"model": m.id, "other": body.id}))
            elif not limits.over and _meets(m, end, body):
                found.append(Reason("wh40k.move.no-crossing-models", "", {"model": m.id, "other": body.id}))
        for foe, unit in self.foes:
            reach = wide + foe.r + ENGAGEMENT + TOLERANCE
            if point_segment(foe.x, foe.y, m.x, m.y, end.x, end.y) > reach * reach:
                continue
            if engages(end, foe):
                facts = {"model": m.id, "enemy": unit, "gap": round(max(0.0, gap(end, foe)), 3)}
                found.append(Reason(limits.engagement, "reason.wh40k.ends-engaged", facts))
            elif not limits.cross and any(engages(spot, foe) for spot in _on_the_way(m, end)):
                facts = {"model": m.id, "enemy": unit}
                found.append(Reason(limits.engagement, "reason.wh40k.through-engagement", facts))
        return found

    # -- fitting and proposing -----------------------------------------------------------------------------------

    def fit(self, spots: Ends, pinned: Sequence[Model] = ()) -> Ends | None:
        """Keep the formation where it fits; put what does not beside models that do, each within its allowance."""
        tx = math.fsum(s.x for s in spots.values()) / len(spots)
        ty = math.fsum(s.y for s in spots.values()) / len(spots)
        order = sorted(self.unit.models, key=lambda m: ((spots[m.id].x - tx) ** 2 + (spots[m.id].y - ty) ** 2, m.id))
        placed = list(pinned)
        late: list[Model] = []
        for m in order:
            if any(p.id == m.id for p in pinned):
                continue
            if self.fits(m, spots[m.id], placed):
                placed.append(spots[m.id])
            else:
                late.append(m)
        if not placed:
            return None
        for m in late:
            end = self._beside(m, spots[m.id], placed)
            if end is None:
                return None
            placed.append(end)
        return {p.id: p for p in placed}

    def fits(self, m: Model, end: Model, placed: Sequence[Model]) -> bool:
        return not any(overlap(end, other) for other in placed) and not self.step(m, end)

    def _beside(self, m: Model, spot: Model, placed: Sequence[Model]) -> Model | None:
        ring = []
        for p in placed:
            far = m.r + p.r + 0.1
            ring += [(snap(p.x + s * far), snap(p.y + c * far)) for s, c in RING]
        ring.sort(key=lambda p: (p[0] - spot.x) ** 2 + (p[1] - spot.y) ** 2)
        for x, y in ring[:40]:
            end = self.place(m, x, y, spot.facing)
            if self.fits(m, end, placed):
                return end
        return None

    def towards(self, x: float, y: float, far: float) -> dict[str, Any]:
        dx, dy = x - self.unit.cx, y - self.unit.cy
        whole = math.sqrt(dx * dx + dy * dy)
        part = min(1.0, far / whole) if whole > 0 else 0.0
        return {"to": {"x": round(self.unit.cx + dx * part, 3), "y": round(self.unit.cy + dy * part, 3)}}

    def wander(self, rng: Rng, goals: Sequence[tuple[float, float]]) -> Any:
        """A legal move towards one of some goals, or anywhere; as far as it goes."""
        unit = self.unit
        if goals and rng.below(4):
            x, y = goals[rng.below(len(goals))]
        else:
            s, c = sin_cos(rng.uniform(0, 360))
            x, y = unit.cx + 60 * s, unit.cy + 60 * c
        dx, dy = x - unit.cx, y - unit.cy
        for part, aside in ((1.0, 0.0), (0.55, 0.0), (0.25, 0.0), (0.7, 50.0), (0.7, -50.0)):
            ox, oy = rotate(dx, dy, aside) if aside else (dx, dy)
            wish = self.towards(unit.cx + ox, unit.cy + oy, self.most * part)
            result = self.weigh(self.carried(wish["to"]["x"], wish["to"]["y"]), rigid=True)
            if not result[0]:
                self._answer, self._result = wish, result
                return wish
        return dict(STAY)

    def nearest(self, answer: Any) -> Any:
        goal = answer.get("to")
        if isinstance(goal, dict) and number_ok(goal.get("x")) and number_ok(goal.get("y")):
            whole = math.hypot(goal["x"] - self.unit.cx, goal["y"] - self.unit.cy)
            for part in (1.0, 0.8, 0.6, 0.4, 0.2):
                wish = self.towards(goal["x"], goal["y"], min(whole, self.most) * part)
                if not self.judge(wish):
                    return wish
        return dict(STAY)

    def regions(self) -> list[Region]:
        """A circle round each model as far as it may go."""
        ring = tuple(sin_cos(15.0 * k) for k in range(24))
        far = self.limits.far
        circles = tuple(tuple((m.x + s * far[m.id], m.y + c * far[m.id]) for s, c in ring) for m in self.unit.models)
        return [Region("reach", circles)]

    def route(self, answer: Any) -> Route:
        ends = self.plan(answer)[1]
        return {
            m.id: [Stretch(x=ends[m.id].x, y=ends[m.id].y, z=ends[m.id].z, facing=ends[m.id].facing)]
            for m in self.unit.models
            if m.id in ends and ends[m.id] is not m
        }


def _on_the_way(m: Model, end: Model) -> list[Model]:
    steps = int(math.sqrt((end.x - m.x) ** 2 + (end.y - m.y) ** 2) / 0.25) + 1
    out = []
    for k in range(1, steps):
        t = k / steps
        out.append(moved_to(m, m.x + (end.x - m.x) * t, m.y + (end.y - m.y) * t, m.z, end.facing))
    return out


def _meets(m: Model, end: Model, body: Model) -> bool:
    return any(overlap(spot, body) for spot in _on_the_way(m, end))
