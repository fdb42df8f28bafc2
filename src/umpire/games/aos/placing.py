"""Setting models up: units in formation, models returned to their unit (aos.core.set-up, aos.core.return-models)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.games.aos.movement import Ends
from umpire.games.aos.mover import RING
from umpire.games.aos.state import Model, State, Unit
from umpire.games.aos.terrain import stand
from umpire.games.aos.units import COMBAT_RANGE, coherent, counts_as_unit, enemies, near, sees, within
from umpire.games.aos.ways import Planned, on_board, overlap
from umpire.space.angles import sin_cos
from umpire.space.shapes import TOLERANCE, snap

SPACING = 0.1
Allowed = Callable[[Model], Reason | None]


def columns(count: int) -> int:
    if count <= 4:
        return count
    return math.ceil(count / 2) if count <= 12 else math.ceil(count / 3)


def formation(count: int, r: float, q: float, wide: int) -> list[tuple[float, float]]:
    """Offsets of models in ranks, the middle of the block at the origin, the front towards +y."""
    ranks = math.ceil(count / wide)
    across, along = 2 * q + SPACING, 2 * r + SPACING
    out = []
    for k in range(count):
        rank, file = divmod(k, wide)
        files = min(wide, count - rank * wide)
        out.append(((file - (files - 1) / 2) * across, ((ranks - 1) / 2 - rank) * along))
    return out


class Placer(Planned):
    """All that is needed to judge where models of one unit may be set up, gathered once."""

    def __init__(
        self,
        state: State,
        unit: Unit,
        models: Sequence[Model],
        allowed: Allowed,
        rule: str,
        final: Callable[[Ends], list[Reason]] | None = None,
    ) -> None:
        super().__init__()
        self.state = state
        self.unit = unit
        self.models = list(models)
        self.allowed = allowed
        self.rule = rule
        self.final = final
        self.bodies = [
            m for other in state.units.values() if other.where == "table" and other.id != unit.id for m in other.models
        ]
        self.default: Any = None
        self.heights: dict[str, float] = {}

    def _plan(self, answer: Any) -> tuple[list[Reason], Ends]:
        if "models" in answer:
            wishes = answer["models"]
            if sorted(wishes) != sorted(m.id for m in self.models):
                return [Reason("aos.core.set-up", "reason.aos.all-models", {"unit": self.unit.id})], {}
            spots = {k: (snap(w["x"]), snap(w["y"]), float(w.get("facing", 0.0)) % 360.0) for k, w in wishes.items()}
            return self.weigh([self._at(m, *spots[m.id]) for m in self.models])
        wide = answer.get("wide", columns(len(self.models)))
        if type(wide) is not int or not 1 <= wide <= 60:
            return [Reason("aos.core.set-up", "reason.form.place")], {}
        facing = float(answer.get("facing", 0.0)) % 360.0
        return self.weigh(self.ranked(answer["x"], answer["y"], facing, wide))

    def ranked(self, x: float, y: float, facing: float, wide: int) -> list[Model]:
        first = self.models[0]
        sin, cos = sin_cos(facing)
        out = []
        for m, (ox, oy) in zip(self.models, formation(len(self.models), first.r, first.q, wide), strict=True):
            out.append(self._at(m, snap(x + ox * cos + oy * sin), snap(y + oy * cos - ox * sin), facing))
        return out

    def _at(self, m: Model, x: float, y: float, facing: float) -> Model:
        return Model(m.id, x, y, 0.0, facing, m.r, m.q, m.role, m.back)

    def weigh(self, ends: list[Model]) -> tuple[list[Reason], Ends]:
        reasons: dict[str, Reason] = {}
        for n, end in enumerate(ends):
            why = self._spot(end, ends[:n])
            if why is not None:
                reasons.setdefault(why.key or why.rule, why)
        if not reasons:
            staying = [m for m in self.unit.models if all(m is not mine for mine in self.models)]
            if not coherent([*staying, *ends], self.unit.profile.coherency):
                reasons["coherency"] = Reason("aos.core.coherency", "", {"unit": self.unit.id})
        heights = self.heights
        result = {
            end.id: msgspec.structs.replace(end, z=heights[end.id]) if heights.get(end.id) else end for end in ends
        }
        found = list(reasons.values())
        if not found and self.final is not None:
            found = self.final(result)
        return found, result

    def _fits(self, ends: list[Model]) -> bool:
        """May every model stand there? The corners of the block are asked first, for they fail first."""
        order = dict.fromkeys((0, len(ends) - 1, *range(1, len(ends) - 1)))
        return all(self._spot(ends[n], ()) is None for n in order)

    def _spot(self, end: Model, placed: Sequence[Model]) -> Reason | None:
        state = self.state
        fits = end.r <= end.x <= state.width - end.r and end.r <= end.y <= state.depth - end.r
        if not fits and not on_board(end, state):
            return Reason("aos.core.set-up", "reason.aos.edge", {"x": end.x, "y": end.y})
        self.heights[end.id], unfit = z, _ = stand(state, end)
        why = self.allowed(msgspec.structs.replace(end, z=z) if z else end)
        if why is not None:
            return why
        if unfit is not None:
            return unfit
        for body in self.bodies:
            if abs(body.x - end.x) < body.r + end.r and overlap(end, body):
                return Reason("aos.core.set-up", "reason.aos.on-model", {"model": end.id, "other": body.id})
        for other in placed:
            if overlap(end, other):
                return Reason("aos.core.set-up", "reason.aos.on-model", {"model": end.id, "other": other.id})
        return None

    def search(self, rng: Rng, spots: Iterator[tuple[float, float]], facing: float, tries: int = 60) -> Any:
        """The first of some spots where the unit can be set up in ranks, wide or deep; None if there is none."""
        shapes = sorted({columns(len(self.models)), max(1, math.isqrt(len(self.models)))})
        for n, (x, y) in enumerate(spots):
            if n >= tries:
                break
            wide = shapes[rng.below(len(shapes))]
            if not self._fits(self.ranked(round(x, 3), round(y, 3), facing, wide)):
                continue
            answer: dict[str, Any] = {"x": round(x, 3), "y": round(y, 3), "facing": facing}
            if wide != columns(len(self.models)):
                answer["wide"] = wide
            if not self.judge(answer):
                return answer
        return None

    def nearest(self, answer: Any) -> Any:
        """The nearest place at which the same formation can be set up; what was found before if there is none."""
        if "x" not in answer:
            return self.default
        for far in (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0):
            for s, c in RING:
                wish = {**answer, "x": round(answer["x"] + s * far, 3), "y": round(answer["y"] + c * far, 3)}
                if not self.judge(wish):
                    return wish
        return self.default

    def stand_by(self, rng: Rng) -> Any:
        """What was found before."""
        return self.default

    def beside(self) -> Any:
        """Put models one at a time next to models that stand already; None if they do not fit."""
        anchors = [m for m in self.unit.models if not m.back and all(m is not mine for mine in self.models)]
        placed: list[Model] = []
        for m in self.models:
            done = False
            for anchor in anchors:
                for s, c in RING:
                    far = anchor.r + m.r + SPACING
                    end = self._at(m, snap(anchor.x + s * far), snap(anchor.y + c * far), anchor.facing)
                    if self._spot(end, placed) is None and all(not overlap(end, o) for o in self.unit.models):
                        placed.append(end)
                        done = True
                        break
                if done:
                    break
            if not done:
                return None
        answer = {"models": {p.id: {"x": p.x, "y": p.y, "facing": p.facing} for p in placed}}
        return None if self.judge(answer) else answer


def away_from_enemies(state: State, unit: Unit, far: float, rule: str) -> Allowed:
    """Set up more than so far from all enemy units."""
    foes = [m for u in enemies(state, unit) if u.profile.kind != "terrain" for m in u.models]

    def allowed(end: Model) -> Reason | None:
        for foe in foes:
            if abs(foe.x - end.x) < far + foe.r + end.r + 0.1 and within(end, foe, far):
                return Reason(rule, "reason.aos.near-enemy", {"model": end.id, "enemy": foe.id, "far": far})
        return None

    return allowed


def joins_combat(state: State, unit: Unit, end: Model) -> Unit | None:
    """The enemy unit that a model set up here would bring its unit into combat with anew."""
    for foe in state.units.values():
        if foe.side == unit.side or foe.where != "table" or foe.id in unit.fights or not counts_as_unit(state, foe):
            continue
        dx, dy = foe.cx - end.x, foe.cy - end.y
        far = foe.cr + end.r + COMBAT_RANGE + TOLERANCE
        if dx * dx + dy * dy <= far * far:
            for m in foe.models:
                if near(end, m, COMBAT_RANGE) and sees(state, unit, end, foe, m):
                    return foe
    return None
