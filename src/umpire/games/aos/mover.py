"""Moves as players tell them and as the computer proposes them: model by model, or the formation to a place."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from umpire.engine.decisions import Region, Route, number_ok
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.games.aos.movement import STAY, Around, Ends, Limits, Spot, Spots, Walk, Ways
from umpire.games.aos.state import Model, State, Unit
from umpire.games.aos.terrain import LOW, stand
from umpire.games.aos.units import COMBAT_RANGE, base, near
from umpire.games.aos.ways import Planned, overlap, path_ok
from umpire.space.angles import rotate, sin_cos
from umpire.space.packs import pack
from umpire.space.paths import path
from umpire.space.shapes import TOLERANCE, Prism, snap

RING = tuple(sin_cos(30.0 * k) for k in range(12))
BLOCKED = {"reason.aos.through-model", "reason.aos.into-combat", "aos.terrain.impassable"}
"""What stands in the way of a straight move, and may not in that of another."""
CLEAR = 0.005
"""How far a way round things keeps from them, so that rounding does not bring it too near."""

PARTS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.02)
"""How much of a refused move is tried."""


def _on_the_way(model: Model, spot: dict[str, Any], far: float, part: float) -> dict[str, Any]:
    """A part of the straight way of one model to a spot, of which it may go only so far."""
    dx, dy = spot["x"] - model.x, spot["y"] - model.y
    whole = math.hypot(dx, dy)
    part *= min(1.0, far / whole) if whole else 1.0
    there = {"x": round(model.x + dx * part, 3), "y": round(model.y + dy * part, 3)}
    return {**there, "facing": spot["facing"]} if "facing" in spot else there


class Mover(Walk, Planned):
    """Reads the answers to a question for a move, judges them and proposes some."""

    def __init__(
        self, state: State, unit: Unit, limits: Limits, final: Callable[[Ends], list[Reason]] | None = None
    ) -> None:
        Walk.__init__(self, state, unit, limits, final)
        Planned.__init__(self)

    # -- reading answers -----------------------------------------------------------------------------------------

    def _plan(self, answer: Any) -> tuple[list[Reason], Ends]:
        if answer.get("stay") is True:
            return [], {}
        if "models" in answer:
            return self._models(answer["models"])
        if "to" in answer:
            return self._formation(answer["to"])
        return [Reason("aos.core.movement", "reason.form.move")], {}

    def _models(self, wishes: dict[str, Any]) -> tuple[list[Reason], Ends]:
        spots: Spots = {}
        ways: Ways = {}
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
        ways = self._ways_round(spots, reasons)
        if ways:
            round_about = self.weigh(spots, ways)
            if not round_about[0]:
                return round_about
        fitted = self.fit(spots)
        if fitted is not None:
            again, ends_fitted = self.weigh(fitted, {})
            if not again:
                return again, ends_fitted
        return reasons, ends

    def _ways_round(self, spots: Spots, reasons: list[Reason]) -> Ways:
        """For models whose straight way is blocked the shortest way round what blocks it, if there is one."""
        keys = {reason.key or reason.rule for reason in reasons}
        if self.fly or keys - BLOCKED - {"reason.aos.too-far"} or not (keys & BLOCKED or self.parts):
            return {}
        around = self.near_by
        solid = [base(body).at(body.x, body.y, 0.0) for body, soft in around.bodies if not soft]
        ranges = [base(foe).at(foe.x, foe.y, 0.0) for foe, _ in around.foes] if not self.limits.cross else []
        things = pack([*solid, *ranges, *(Prism(part.points) for _, part in self.parts)])
        gaps = [CLEAR] * len(solid) + [COMBAT_RANGE + CLEAR] * len(ranges) + [CLEAR] * len(self.parts)
        ways: Ways = {}
        for m in self.unit.models:
            x, y, facing = spots[m.id]
            end = Model(m.id, x, y, 0.0, facing, m.r, m.q)
            alone: dict[str, Reason] = {}
            self.step(m, end, (), around, alone)
            if not alone or m.z > LOW or stand(self.state, end)[0] > LOW:
                continue
            start = base(end).at(m.x, m.y, 0.0)
            found = path(start, x, y, things, gaps, (self.state.width, self.state.depth), self.limits.allowance)
            if found is not None:
                ways[m.id] = [(snap(px), snap(py)) for px, py in found.points[1:-1]]
        return ways

    def carried(self, x: float, y: float, facing: float | None = None) -> Spots:
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

    def route(self, answer: Any) -> Route:
        """The ways of the models by a legal answer: that of the last judging, which found it legal."""
        legs: Route = {}
        self.legs = legs
        try:
            self._plan(answer)
        finally:
            self.legs = None
        return legs

    # -- fitting -------------------------------------------------------------------------------------------------

    def fit(self, spots: Spots, pinned: Sequence[Model] = ()) -> Spots | None:
        """Keep the formation where it fits; put what does not beside models that do, each within its allowance.

        `pinned` models stand already.
        """
        unit = self.unit
        tx = sum(s[0] for s in spots.values()) / len(spots)
        ty = sum(s[1] for s in spots.values()) / len(spots)
        order = sorted(unit.models, key=lambda m: ((spots[m.id][0] - tx) ** 2 + (spots[m.id][1] - ty) ** 2, m.id))
        around = self.around(spots, {})
        placed = list(pinned)
        late: list[Model] = []
        for m in order:
            if any(p.id == m.id for p in pinned):
                continue
            end = self.try_spot(m, spots[m.id], placed, around)
            if end is None or (placed and not self._linked(end, placed)):
                late.append(m)
            else:
                placed.append(end)
        if not placed:
            return None
        for m in late:
            end = self._beside(m, spots[m.id], placed, around)
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

    def _beside(self, m: Model, spot: Spot, placed: list[Model], around: Around) -> Model | None:
        """The free place next to those that stand which is nearest to where it belongs in the formation."""
        x, y, facing = spot
        far = m.r + m.r + min(0.1, self.unit.profile.coherency / 2)
        ring = [(snap(p.x + s * far), snap(p.y + c * far)) for p in placed for s, c in RING]
        ring.sort(key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2)
        for px, py in ring[:40]:
            end = self.try_spot(m, (px, py, facing), placed, around)
            if end is not None and self._linked(end, placed):
                return end
        return None

    def try_spot(self, m: Model, spot: Spot, placed: Sequence[Model], around: Around) -> Model | None:
        """The model at a place, if it may go straight there and does not stand on those that are placed already."""
        x, y, facing = spot
        far = self.limits.allowance + TOLERANCE
        if (x - m.x) ** 2 + (y - m.y) ** 2 > far * far:
            return None
        end = Model(m.id, x, y, 0.0, facing, m.r, m.q, m.role, m.back)
        if any(overlap(end, other) for other in placed):
            return None
        z, unfit = stand(self.state, end)
        if unfit is not None:
            return None
        if z:
            end = msgspec.structs.replace(end, z=z)
        reasons: dict[str, Reason] = {}
        self.step(m, end, (), around, reasons)
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
        unit, far = self.unit, self.limits.allowance
        goal, models = answer.get("to"), answer.get("models")
        wish: Callable[[float], Any]
        if isinstance(goal, dict) and number_ok(goal.get("x")) and number_ok(goal.get("y")):
            whole = math.hypot(goal["x"] - unit.cx, goal["y"] - unit.cy)

            def wish(part: float) -> Any:
                turned = {"facing": goal["facing"]} if number_ok(goal.get("facing")) else {}
                return {"to": {**self.towards(goal["x"], goal["y"], min(whole, far) * part)["to"], **turned}}

        elif isinstance(models, dict) and models and set(models) <= {m.id for m in unit.models}:
            known = {m.id: m for m in unit.models}

            def wish(part: float) -> Any:
                return {"models": {key: _on_the_way(known[key], spot, far, part) for key, spot in models.items()}}

        else:
            return dict(STAY)
        return self._furthest(wish) or dict(STAY)

    def _furthest(self, wish: Callable[[float], Any]) -> Any:
        """The greatest part of a wish that is legal: a rough one is found first, and then made finer."""
        high = PARTS[0]
        for low in PARTS:
            found = wish(low)
            if self.judge(found):
                high = low
                continue
            while (high - low) * self.limits.allowance > 0.02:
                middle = (low + high) / 2
                further = wish(middle)
                if self.judge(further):
                    high = middle
                else:
                    low, found = middle, further
            return found
        return None

    def wander(self, rng: Rng, goals: Sequence[tuple[float, float]]) -> Any:
        """A legal move towards one of some goals, or anywhere; as far as it goes."""
        unit = self.unit
        if goals and rng.below(4):
            x, y = goals[rng.below(len(goals))]
            if (x - unit.cx) ** 2 + (y - unit.cy) ** 2 > self.limits.allowance**2:
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
                self.remember(wish, result)
                return wish
        wish = self.towards(x, y, far * 0.55)
        return dict(STAY) if self.judge(wish) else wish

    def regions(self) -> list[Region]:
        """A circle round each model as far as it may go."""
        far = self.limits.allowance
        ring = tuple(sin_cos(15.0 * k) for k in range(24))
        circles = tuple(tuple((m.x + s * far, m.y + c * far) for s, c in ring) for m in self.unit.models)
        return [Region("reach", circles)]
