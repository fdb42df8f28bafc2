"""Moves as players tell them and as the computer proposes them: model by model, or the formation to a place."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
import numpy as np

from umpire.engine.decisions import Form, Region, Route, furthest, spot
from umpire.engine.decisions.forms import Way
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.miniatures.loose import nearing
from umpire.miniatures.loose.bodies import Body, base, near, overlap
from umpire.miniatures.loose.coherency import Coherency, linked
from umpire.miniatures.loose.groups import Group
from umpire.miniatures.loose.walking import STAY, Around, Limits, Spot, Spots, Walk, Ways
from umpire.miniatures.loose.ways import Plan, Planned, placed
from umpire.space.angles import rotate, sin_cos
from umpire.space.havens import Disc
from umpire.space.packs import Floats, Pack, kernel, pack
from umpire.space.paths import Reach, path, reach
from umpire.space.plain import Point
from umpire.space.plates import Segment
from umpire.space.shapes import TOLERANCE, Prism, snap

M = TypeVar("M", bound=Body)

WAYS: tuple[Way, ...] = ("to", "models", "stay")
RING = tuple(sin_cos(30.0 * k) for k in range(12))
ROUND = np.array(RING, dtype=np.float64)
TRIED = 40
"""So many places beside those who stand are looked at."""
BLOCKED = {"reason.loose.through-model", "reason.loose.comes-near"}
"""What stands in the way of a straight move, and may not in that of another."""
TOO_FAR = {"reason.loose.too-far"}
CLEAR = 0.005
"""How far a way round things keeps from them, so that rounding does not bring it too near."""


CLOSE = 0.002
"""The same for the shortest way of all, so that rounding and chords bring it neither on bodies nor into ranges."""


def _on_the_way(model: Body, spot: dict[str, Any], far: float, part: float) -> dict[str, Any]:
    """A part of the straight way of one model to a spot, of which it may go only so far."""
    dx, dy = spot["x"] - model.x, spot["y"] - model.y
    whole = math.hypot(dx, dy)
    part *= min(1.0, far / whole) if whole else 1.0
    there = {"x": round(model.x + dx * part, 3), "y": round(model.y + dy * part, 3)}
    return {**there, "facing": spot["facing"]} if "facing" in spot else there


SLIGHT = 0.003
"""By so much a way grows longer by being rounded."""


class Mover(Walk[M], Planned[M]):
    """Reads the answers to a question for a move, judges them and proposes some."""

    answered_by = WAYS
    blocked: frozenset[str] = frozenset()
    """The rules of the ground that another way may keep."""

    def __init__(
        self,
        unit: Group[M],
        limits: Limits,
        table: tuple[float, float],
        coherency: Coherency,
        fly: bool = False,
        final: Callable[[dict[str, M]], list[Reason]] | None = None,
    ) -> None:
        Walk.__init__(self, unit, limits, table, coherency, fly, final)
        Planned.__init__(self)
        self.hindered: M | None = None
        """Who could not be carried somewhere when that was looked at last."""
        self.stopped: dict[Point, list[Reason]] = {}
        """What was found against carrying the formation, as it stands, to a point."""

    @functools.cached_property
    def form(self) -> Form:  # type: ignore[override]  # read by who shows the question, not by who answers it
        return Form(
            ways=WAYS,
            pieces=tuple([m.id for m in self.unit.models]),
            limit=round(self.limits.allowance, 3),
            start=spot(self.unit.cx, self.unit.cy),
            facing=True,
            coherency=self.coherency.reach,
        )

    def walls(self) -> list[tuple[Point, ...]]:
        """The ground that a way round things keeps off, as convex polygons."""
        return []

    def low(self, m: M, end: M) -> bool:
        """Do both ends of a way lie on the ground, so that it can lead round things?"""
        return True

    # -- reading answers -----------------------------------------------------------------------------------------

    def read(self, answer: Any) -> Plan[M]:
        self.used = []
        return Plan(*self._weighed(answer), tuple(self.used))

    def _weighed(self, answer: Any) -> tuple[list[Reason], dict[str, M]]:
        if "stay" in answer:
            return self.staying(), {}
        return self._models(answer["models"]) if "models" in answer else self._formation(answer["to"])

    def staying(self) -> list[Reason]:
        """Why the unit may not stay where it is."""
        return []

    def _models(self, wishes: dict[str, Any]) -> tuple[list[Reason], dict[str, M]]:
        spots: Spots = {}
        ways: Ways = {}
        known = {m.id: m for m in self.unit.models}
        rule = self.rules.move or self.limits.rule
        for key, wish in wishes.items():
            if key not in known:
                return [Reason(rule, "reason.loose.not-in-unit", {"model": key[:40]})], {}
            model = known[key]
            facing = float(wish.get("facing", model.facing)) % 360.0
            spots[key] = (snap(wish["x"]), snap(wish["y"]), facing, wish.get("z"))
            if wish.get("path"):
                ways[key] = [(snap(p[0]), snap(p[1])) for p in wish["path"]]
        return self.weigh(spots, ways)

    def fits(self, answer: Any) -> bool:
        """Of a wish for the whole formation one reason is enough, where nobody asks for all of them."""
        if "to" not in answer or self.planned(answer):
            return super().fits(answer)
        reasons, ends = self._formation(answer["to"], brief=True)
        if not reasons:
            self.remember(answer, Plan(reasons, ends, tuple(self.used)))
        return not reasons

    def _formation(self, to: Any, brief: bool = False) -> tuple[list[Reason], dict[str, M]]:
        if "beside" in to:
            return [Reason(self.rules.move or self.limits.rule, "reason.loose.a-place")], {}
        spots = self.carried(to["x"], to["y"], to.get("facing"), to.get("z"))
        rigid = "facing" not in to
        known = self.stopped.get((to["x"], to["y"])) if brief and len(to) == 2 else None
        reasons, ends = (known, {}) if known else self.weigh(spots, {}, rigid, brief)
        far = self.limits.allowance + TOLERANCE
        if not reasons or all(
            (spots[m.id][0] - m.x) ** 2 + (spots[m.id][1] - m.y) ** 2 > far * far for m in self.unit.models
        ):
            return reasons, ends
        if brief and self._passable(reasons):
            reasons, ends = self.weigh(spots, {}, rigid)
        ways = self._ways_round(spots, reasons)
        if ways:
            round_about = self.weigh(spots, ways, brief=brief)
            if not round_about[0]:
                return round_about
        fitted = self.fit(spots) if len(self.unit.models) > 1 else None
        if fitted is not None:
            again, ends_fitted = self.weigh(fitted, {}, brief=brief)
            if not again:
                return again, ends_fitted
        return reasons, ends

    def _passable(self, reasons: list[Reason]) -> bool:
        """Is everything against a straight move such that another way may keep clear of it?"""
        return not {reason.key or reason.rule for reason in reasons} - BLOCKED - self.blocked - TOO_FAR

    def _ways_round(self, spots: Spots, reasons: list[Reason]) -> Ways:
        """For models whose straight way is blocked the shortest way round what blocks it, if there is one."""
        if self.hops or not self._passable(reasons):
            return {}
        blocked = BLOCKED | self.blocked
        if not (any((reason.key or reason.rule) in blocked for reason in reasons) or self.walls()):
            return {}
        around = self.near_by
        things, gaps = self._in_the_way()
        ways: Ways = {}
        for m in self.unit.models:
            x, y, facing, _ = spots[m.id]
            end = placed(m, x, y, 0.0, facing)
            alone: dict[str, Reason] = {}
            self.step(m, end, (), around, alone)
            if not alone or not self.low(m, end):
                continue
            start = base(end).at(m.x, m.y, 0.0)
            found = path(start, x, y, things, gaps, (self.width, self.depth), self.limits.allowance)
            if found is not None:
                ways[m.id] = [(snap(px), snap(py)) for px, py in found.points[1:-1]]
        return ways

    def _in_the_way(self) -> tuple[Pack, list[float]]:
        """What a way round things keeps off, and by how much."""
        around, walls = self.near_by, self.walls()
        solid = [base(body).at(body.x, body.y, 0.0) for body, soft in around.bodies if not soft]
        ranges = [base(foe).at(foe.x, foe.y, 0.0) for foe, _ in around.foes] if not self.limits.cross else []
        things = pack([*solid, *ranges, *(Prism(points) for points in walls)])
        return things, [CLOSE] * len(solid) + [self.flat + CLOSE] * len(ranges) + [CLOSE] * len(walls)

    def carried(self, x: float, y: float, facing: float | None = None, level: float | None = None) -> Spots:
        """The formation carried, and turned if wished, so that its middle comes to a point."""
        unit = self.unit
        dx, dy = snap(x - unit.cx), snap(y - unit.cy)
        if facing is None:
            floor = math.floor  # `snap`, written out
            return {
                m.id: (
                    floor((m.x + dx) * 1000.0 + 0.5) / 1000.0, floor((m.y + dy) * 1000.0 + 0.5) / 1000.0,
                    m.facing, level,
                )
                for m in unit.models
            }  # fmt: skip
        turn = facing - unit.models[0].facing
        spots: Spots = {}
        for m in unit.models:
            ox, oy = rotate(m.x - unit.cx, m.y - unit.cy, turn)
            spots[m.id] = (snap(unit.cx + dx + ox), snap(unit.cy + dy + oy), (m.facing + turn) % 360.0, level)
        return spots

    def route(self, answer: Any) -> Route:
        """The ways of the models by a legal answer: that of the last judging, which found it legal."""
        legs: Route = {}
        self.legs = legs
        try:
            self._weighed(answer)
        finally:
            self.legs = None
        return legs

    # -- fitting -------------------------------------------------------------------------------------------------

    def fit(self, spots: Spots, pinned: Sequence[M] = ()) -> Spots | None:
        """Keep the formation where it fits; put what does not beside models that do, each within its allowance.

        `pinned` models stand already.
        """
        unit = self.unit
        tx = ty = 0.0
        for there in spots.values():
            tx += there[0]
            ty += there[1]
        tx, ty = tx / len(spots), ty / len(spots)
        order = sorted(unit.models, key=lambda m: ((spots[m.id][0] - tx) ** 2 + (spots[m.id][1] - ty) ** 2, m.id))
        around = self.around(spots, {})
        standing = list(pinned)
        late: list[M] = []
        for m in order:
            if any(p.id == m.id for p in pinned):
                continue
            end = self.try_spot(m, spots[m.id], standing, around)
            if end is None or (standing and not self._linked(end, standing)):
                late.append(m)
            else:
                standing.append(end)
        if not standing:
            return None
        taken = np.array([(body.x, body.y, body.q) for body, _ in around.bodies]).reshape(-1, 3)
        for m in late:
            end = self._beside(m, spots[m.id], standing, around, taken)
            if end is None:
                return None
            standing.append(end)
        return {p.id: (p.x, p.y, p.facing, p.z or None) for p in standing}

    def _needed(self, standing: list[M]) -> int:
        """How many of those that stand one more must have beside it."""
        return 2 if len(self.unit.models) >= self.coherency.many and len(standing) >= 2 else 1

    def _linked(self, end: M, standing: list[M], flat: bool = False) -> bool:
        """Would it hang together with those that stand: by one, in a large unit by two where two stand? `flat`: as far
        as can be told before its height is known."""
        book, need = self.coherency, self._needed(standing)
        x, y, reach = end.x, end.y, book.reach + end.r + TOLERANCE
        for p in standing:
            dx, dy, far = x - p.x, y - p.y, reach + p.r
            if dx * dx + dy * dy > far * far:
                continue
            if near(end, p, book.reach) if flat else linked(end, p, book):
                need -= 1
                if not need:
                    return True
        return False

    def _beside(self, m: M, spot: Spot, standing: list[M], around: Around, taken: Floats) -> M | None:
        """The free place next to those that stand which is nearest to where it belongs in the formation."""
        x, y, facing, level = spot
        reach = self.coherency.reach
        mates = np.array([(p.x, p.y, p.r, p.q) for p in standing])
        places = np.empty((TRIED, 2))
        count = kernel("crowding").beside(
            mates, ROUND, taken, m.x, m.y, m.r, m.q, x, y, min(0.1, reach / 2), self.limits.allowance + TOLERANCE,
            reach + m.r + TOLERANCE, TOLERANCE, self._needed(standing), self.one_floor, places,
        )  # fmt: skip
        for px, py in places[:count].tolist():
            if not self._linked(placed(m, px, py, m.z, facing), standing, flat=True):
                continue
            end = self.try_spot(m, (px, py, facing, level), standing, around)
            if end is not None and self._linked(end, standing):
                return end
        return None

    def try_spot(self, m: M, spot: Spot, standing: Sequence[M], around: Around) -> M | None:
        """The model at a place, if it may go straight there and does not stand on those that are placed already."""
        x, y, facing, level = spot
        far = self.limits.allowance + TOLERANCE
        if (x - m.x) ** 2 + (y - m.y) ** 2 > far * far:
            return None
        end = placed(m, x, y, 0.0, facing)
        for other in standing:
            if overlap(end, other) and self.meets(end, other):
                return None
        z, unfit = self.stand(end, level)
        if unfit is not None:
            return None
        if z:
            end = msgspec.structs.replace(end, z=z)
        reasons: dict[str, Reason] = {}
        self.cut = self.slows(m, end, ())
        self.step(m, end, (), around, reasons, brief=True)
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
        fine = 0.02 / max(far, 1.0)
        if goal is not None and "x" in goal:
            whole = math.hypot(goal["x"] - unit.cx, goal["y"] - unit.cy)

            def wish(part: float) -> Any:
                turned = {"facing": goal["facing"]} if "facing" in goal else {}
                return {"to": {**self.towards(goal["x"], goal["y"], min(whole, far) * part)["to"], **turned}}

            ahead = self._shortened(wish, fine)
            return self._nearer(ahead, goal) if len(unit.models) == 1 and "facing" not in goal else ahead
        if models and set(models) <= {m.id for m in unit.models}:
            known = {m.id: m for m in unit.models}

            def wish(part: float) -> Any:
                return {"models": {key: _on_the_way(known[key], spot, far, part) for key, spot in models.items()}}

        else:
            return dict(STAY)
        part = furthest(1.0, 0.1, lambda part: self.fits(wish(part)), fine)
        return dict(STAY) if part is None else wish(part)

    def _shortened(self, wish: Callable[[float], Any], fine: float) -> Any:
        """How far the formation can be carried. To close up and to go round things takes long to judge, as often as a
        hand that drags it asks: that is done for the whole length, and the others are looked at as they are."""
        if self.fits(wish(1.0)):
            return wish(1.0)
        part = furthest(1.0, 0.1, lambda part: self._carries(wish(part)), fine)
        if part is None:
            return next((wish(part) for part in (0.75, 0.5, 0.25) if self.fits(wish(part))), dict(STAY))
        return wish(part)

    def _nearer(self, ahead: Any, goal: dict[str, Any]) -> Any:
        """Where one model ends nearest to a wish, if not straight before it."""
        unit, far = self.unit, min([self.limits.allowance, *self.limits.each.values()])
        wish, start = (goal["x"], goal["y"]), (unit.cx, unit.cy)
        at = ahead.get("to", {"x": unit.cx, "y": unit.cy})
        best = math.dist((at["x"], at["y"]), wish)
        if best <= max(0.0, math.dist(wish, start) - self.limits.allowance) + nearing.HAIR or far <= CLEAR:
            return ahead
        (m,) = unit.models

        def fits(x: float, y: float) -> bool | None:
            end = placed(m, x, y, 0.0, m.facing)
            z, unfit = self.stand(end)
            end = msgspec.structs.replace(end, z=z) if z else end
            if unfit is not None or self.final({m.id: end}):
                return None
            wish = {"to": {"x": x, "y": y}}
            if self._carries(wish):
                return True
            if self.walls() and (self._reach is None or (x, y) not in self._reach):
                return None
            return self.fits(wish)

        found = nearing.nearest(start, far, wish, best, self._bounds, self._reach, fits)
        return ahead if found is None else {"to": {"x": found[0], "y": found[1]}}

    @functools.cached_property
    def _reach(self) -> Reach | None:
        """All that one model alone gets to past others; None where more than one moves."""
        if self.hops or len(self.unit.models) > 1:
            return None
        (m,) = self.unit.models
        things, gaps = self._in_the_way()
        return reach(base(m).at(m.x, m.y, 0.0), self.allowance_of(m) - SLIGHT, things, gaps, (self.width, self.depth))

    def allowance_of(self, m: M) -> float:
        return self.limits.each.get(m.id, self.limits.allowance)

    def rims(self, m: M) -> list[Disc]:
        """Circles within or beyond which a model has to end."""
        return []

    def edges(self) -> list[tuple[Point, ...]]:
        """The edges of ground at which models stand otherwise."""
        return self.walls()

    @functools.cached_property
    def _bounds(self) -> nearing.Bounds:
        """What bounds the places of the unit's middle, if its models stand to each other as they do."""
        cx, cy, hair = self.unit.cx, self.unit.cy, nearing.HAIR
        solid: list[Disc] = []
        ended: list[Disc] = []
        rims: list[Disc] = []
        lines: list[Segment] = []
        barred: list[Disc] = []
        x0, y0, x1, y1 = 0.0, 0.0, self.width, self.depth
        for m in self.unit.models:
            dx, dy = m.x - cx, m.y - cy
            x0, y0 = max(x0, m.q - dx), max(y0, m.q - dy)
            x1, y1 = min(x1, self.width - m.q - dx), min(y1, self.depth - m.q - dy)
            for body, soft in self.near_by.bodies:
                for wide in dict.fromkeys((m.q + body.q, m.r + body.r)):
                    ring = (body.x - dx, body.y - dy, wide + hair)
                    kept = solid if not soft else ended
                    (kept if wide == m.q + body.q and self.meets(m, body) else rims).append(ring)
            for foe, enemy in self.near_by.foes:
                for wide in dict.fromkeys((m.q + foe.q, m.r + foe.r)):
                    ring = (foe.x - dx, foe.y - dy, wide + self.flat + hair)
                    rims.append(ring)
                if not (self.limits.cross or self.hops or self.passable(enemy)):
                    barred.append((foe.x - dx, foe.y - dy, m.q + foe.q + self.flat))
            rims += [(x - dx, y - dy, wide) for x, y, wide in self.rims(m)]
            for points in self.edges():
                moved = tuple((x - dx, y - dy) for x, y in points)
                for by in dict.fromkeys((m.q, m.r)):
                    more, beside = nearing.ground_lines(moved, by)
                    rims += more
                    lines += beside
        table = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        lines += zip(table, (*table[1:], table[0]), strict=True)
        return nearing.Bounds(solid, ended, rims, lines, (x0, y0, x1, y1), barred, self.hops)

    def _carries(self, answer: Any) -> bool:
        """May the formation be carried straight there as it stands?"""
        to = answer["to"]
        spots = self.carried(to["x"], to["y"], to.get("facing"))
        around = self.around(spots, {})
        if self.hindered is not None and self.try_spot(self.hindered, spots[self.hindered.id], (), around) is None:
            return False  # who could not go a little farther, or a little less far, most often cannot go there either
        result = self.weigh(spots, {}, rigid="facing" not in to, brief=True, around=around)
        if result[0]:
            if len(to) == 2:
                self.stopped[to["x"], to["y"]] = result[0]
            self.hindered = next((m for m in self.unit.models if m.id == result[0][0].facts.get("model")), None)
            return False
        self.remember(answer, Plan(*result, tuple(self.used)))
        return True

    @functools.cached_property
    def proposed(self) -> Any:
        """One proposal, the same as long as the question is open: a hand that drags a unit asks for it all the time."""
        return self.propose(Rng(0))

    def propose(self, rng: Rng) -> Any:
        return self.wander(rng, ())

    def wander(self, rng: Rng, goals: Sequence[Point]) -> Any:
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
            if self._carries(wish):
                return wish
        wish = self.towards(x, y, far * 0.55)
        return wish if self.fits(wish) else dict(STAY)

    def regions(self) -> list[Region]:
        """A circle round each model as far as it may go."""
        far = self.limits.allowance
        ring = tuple(sin_cos(15.0 * k) for k in range(24))
        circles = tuple(tuple((m.x + s * far, m.y + c * far) for s, c in ring) for m in self.unit.models)
        return [Region("reach", circles)]
