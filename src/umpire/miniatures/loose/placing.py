"""Setting models up: a unit in ranks or model by model, and models that join those who stand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from umpire.engine.decisions import Form, Move, Place, Propose
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.miniatures.loose.bodies import Body, near, on_board, overlap
from umpire.miniatures.loose.coherency import Coherency, coherent, linked, neighbours, scattered
from umpire.miniatures.loose.mover import RING
from umpire.miniatures.loose.room import Bounds, Sift, by_polygon, from_edges, near_bodies, off_bodies, spots
from umpire.miniatures.loose.walking import STAY, Rules
from umpire.miniatures.loose.ways import Plan, Planned, placed
from umpire.space.angles import turned
from umpire.space.havens import Disc
from umpire.space.plain import Point
from umpire.space.shapes import snap
from umpire.text import Text

M = TypeVar("M", bound=Body)

SPACING = 0.1
STARTS = 12
"""From so many corners of the room there is a unit is brought in."""


def columns(count: int) -> int:
    if count <= 4:
        return count
    return math.ceil(count / 2) if count <= 12 else math.ceil(count / 3)


def formation(models: Sequence[Body], wide: int) -> list[Point]:
    """Offsets of models in ranks, the middle of the block at the origin, the front towards +y.

    Files are as wide as the widest model and ranks as deep as the deepest.
    """
    count = len(models)
    ranks = math.ceil(count / wide)
    across = 2 * max([m.q for m in models]) + SPACING
    along = 2 * max([m.r for m in models]) + SPACING
    out = []
    for k in range(count):
        rank, file = divmod(k, wide)
        files = min(wide, count - rank * wide)
        out.append(((file - (files - 1) / 2) * across, ((ranks - 1) / 2 - rank) * along))
    return out


def others(state: Any, unit: Any) -> list[Any]:
    """All models on the table but those of a unit."""
    return [m for u in state.units.values() if u.where == "table" and u.id != unit.id for m in u.models]


def away_from(
    foes: Sequence[tuple[M, str]], far: float, near: Callable[[M, M], bool], why: Callable[[M, M, str], Reason]
) -> Callable[[M], Reason | None]:
    """What is against models that are set up too near to others, each with the id of its unit."""
    rows = [(foe.x, foe.y, foe.r + far + 0.1, foe, unit) for foe, unit in foes]

    def allowed(end: M) -> Reason | None:
        x, y, r = end.x, end.y, end.r
        for fx, fy, reach, foe, unit in rows:
            most = reach + r
            # Most are far away: what is too far along one axis need not be measured.
            if -most < fx - x < most and -most < fy - y < most and near(end, foe):
                return why(end, foe, unit)
        return None

    return allowed


class Placer(Planned[M]):
    """All that is needed to judge where models of one unit may be set up, gathered once.

    `standing` are models of the unit that stand already, `bodies` all others on the table.
    """

    rules: Rules
    one_floor = True
    """Do any two models that cover common ground stand in each other?"""

    def __init__(
        self,
        unit: str,
        models: Sequence[M],
        standing: Sequence[M],
        bodies: Sequence[Body],
        table: tuple[float, float],
        coherency: Coherency,
        allowed: Callable[[M], Reason | None],
        final: Callable[[dict[str, M]], list[Reason]] | None = None,
    ) -> None:
        super().__init__()
        self.unit_id = unit
        self.models = list(models)
        self.standing = list(standing)
        self.bodies = list(bodies)
        self.width, self.depth = table
        self.coherency = coherency
        self.allowed = allowed
        self.final = final
        self.default: Any = None
        self.outlines: Sequence[Sequence[Point]] = ()
        """Outlines of terrain."""
        self._grounds: dict[float, Bounds] = {}
        self._fixed: dict[tuple[float, float], tuple[Bounds, Bounds]] = {}
        """What bounds the places of a model whoever else of its unit is set up, by its base."""
        self._more: Callable[[M], Bounds] | None = None
        """What bounds the places of a model beside terrain, others and the edge of the table."""
        self.confined: Callable[[M], Sequence[Disc]] | None = None
        """Discs in one of which the middle of a model must be, where the rules say so of every place."""
        self.shut: Callable[[M], Sequence[Disc]] = lambda m: ()
        """Discs in none of which it may be."""
        self.sift: Callable[[M], Sift] | None = None
        """What tells of many points at once at which of them the middle of a model might be."""
        self.form = Form(
            ways=("spot", "models"),
            pieces=tuple([m.id for m in models]),
            facing=True,
            files=(1, len(models)),
            coherency=coherency.reach,
        )
        self.heights: dict[str, float] = {}
        self._fine: dict[str, M] = {}
        """Where each model was found last to be able to stand by itself; `heights` says how high."""
        self._offsets: dict[int, list[Point]] = {}
        self._rows = [(b.x, b.y, b.r, b) for b in self.bodies]

    def ground(self, m: M) -> Bounds:
        """The outlines of terrain, about which a base touches it, and over which its middle stands on it."""
        found = self._grounds.get(m.r)
        if found is None:
            found = Bounds()
            for points in self.outlines:
                found += by_polygon(points, m.r) + by_polygon(points, 0.0)
            self._grounds[m.r] = found
        return found

    def bounded(self, more: Callable[[M], Bounds]) -> None:
        """Places are bounded by this too."""
        self._more = more
        self._fixed.clear()

    def bounding(self, m: M) -> Bounds:
        return self.ground(m) if self._more is None else self.ground(m) + self._more(m)

    def stand(self, end: M, level: float | None = None) -> tuple[float, Reason | None]:
        """How high a model would stand here, and why it may not."""
        return 0.0, None

    def meets(self, end: M, body: Body) -> bool:
        """Are two models that cover common ground on one floor, so that they stand in each other?"""
        return True

    def below(self, m: M, body: Body) -> bool:
        """Is there nothing but one floor where another stands and a model would touch it?"""
        return False

    def optional(self) -> None:
        """Nobody need be set up: "stay" is an answer too."""
        self.form = msgspec.structs.replace(self.form, ways=("models", "stay"))

    def read(self, answer: Any) -> Plan[M]:
        if "stay" in answer:
            return Plan([], {})
        return Plan(*self._weighed(answer))

    def _weighed(self, answer: Any) -> tuple[list[Reason], dict[str, M]]:
        if "models" in answer:
            wishes = answer["models"]
            if sorted(wishes) != sorted(m.id for m in self.models):
                return [Reason(self.rules.move, "reason.loose.all-models", {"unit": self.unit_id})], {}
            ends = []
            for m in self.models:
                wish = wishes[m.id]
                facing = float(wish.get("facing", 0.0)) % 360.0
                ends.append(placed(m, snap(wish["x"]), snap(wish["y"]), 0.0, facing))
            return self.weigh(ends, {key: wish.get("z") for key, wish in wishes.items()})
        wide = answer.get("files", columns(len(self.models)))
        if not 1 <= wide <= len(self.models):
            facts = {"files": wide, "least": 1, "most": len(self.models)}
            return [Reason(self.rules.move, "reason.form.files", facts)], {}
        facing = float(answer.get("facing", 0.0)) % 360.0
        levels = {m.id: answer["z"] for m in self.models} if "z" in answer else {}
        return self.weigh(self.ranked(answer["x"], answer["y"], facing, wide), levels)

    def ranked(self, x: float, y: float, facing: float, wide: int) -> list[M]:
        return [self._in_rank(n, x, y, facing, wide) for n in range(len(self.models))]

    def _in_rank(self, n: int, x: float, y: float, facing: float, wide: int) -> M:
        """One model where it would stand in a block that has its middle here."""
        offsets = self._offsets.get(wide)
        if offsets is None:
            offsets = self._offsets[wide] = formation(self.models, wide)
        ox, oy = offsets[n]
        sin, cos = turned(facing)
        return placed(self.models[n], snap(x + ox * cos + oy * sin), snap(y + oy * cos - ox * sin), 0.0, facing)

    def weigh(self, ends: list[M], levels: dict[str, Any] | None = None) -> tuple[list[Reason], dict[str, M]]:
        reasons: dict[str, Reason] = {}
        for n, end in enumerate(ends):
            why = self.spot(end, ends[:n], levels.get(end.id) if levels else None)
            if why is not None:
                reasons.setdefault(why.key or why.rule, why)
        result = {end.id: self._lifted(end) for end in ends}
        together = [*self.standing, *result.values()]
        if not reasons and not coherent(together, self.coherency):
            key, facts = scattered(together, self.coherency)
            reasons["coherency"] = Reason(self.rules.coherency, key, {"unit": self.unit_id, **facts})
        found = list(reasons.values())
        if not found and self.final is not None:
            found = self.final(result)
        return found, result

    def _fits(self, x: float, y: float, facing: float, wide: int) -> bool:
        """May every model stand there? The corners of the block are asked first, for they fail first."""
        last = len(self.models) - 1
        self._fine = fine = {}
        for n in dict.fromkeys((0, last, *range(1, last))):
            end = self._in_rank(n, x, y, facing, wide)
            if self.spot(end, ()) is not None:
                return False
            fine[end.id] = end
        return True

    def spot(self, end: M, others: Sequence[M], level: float | None = None) -> Reason | None:
        """Why a model may not be set up here beside others that are."""
        if level is not None or self._fine.get(end.id) != end:
            why = self._alone(end, level)
            if why is not None:
                return why
        for other in others:
            if overlap(end, other) and self.meets(self._lifted(end), self._lifted(other)):
                return Reason(self.rules.on, "reason.loose.on-model", {"model": end.id, "other": other.id})
        return None

    def _alone(self, end: M, level: float | None) -> Reason | None:
        """Why it may not, whatever of the unit is set up beside it."""
        self._fine.pop(end.id, None)
        if not on_board(end, self.width, self.depth):
            return Reason(self.rules.edge, "reason.loose.edge", {"x": end.x, "y": end.y})
        self.heights[end.id], unfit = z, _ = self.stand(end, level)
        if z:
            end = msgspec.structs.replace(end, z=z)
        why = self.allowed(end)
        if why is not None:
            return why
        if unfit is not None:
            return unfit
        x, y, r = end.x, end.y, end.r
        for bx, by, far, body in self._rows:
            far += r
            if not (-far < bx - x < far and -far < by - y < far):
                continue  # most are far away
            if overlap(end, body) and self.meets(end, body):
                return Reason(self.rules.on, "reason.loose.on-model", {"model": end.id, "other": body.id})
        return None

    def _on_own(self, end: M) -> bool:
        """Would a model that has been looked at stand in one of the unit that stands already?"""
        return any(overlap(end, own) and self.meets(self._lifted(end), own) for own in self.standing)

    def _lifted(self, end: M) -> M:
        """A model of the unit that has been looked at, as high as it would stand."""
        z = self.heights.get(end.id)
        return msgspec.structs.replace(end, z=z) if z else end

    def search(self, rng: Rng, spots: Iterator[Point], facing: float, tries: int = 60) -> Any:
        """The first of some spots where the unit can be set up in ranks, wide or deep; None if there is none."""
        shapes = sorted({columns(len(self.models)), max(1, math.isqrt(len(self.models)))})
        for n, (x, y) in enumerate(spots):
            if n >= tries:
                break
            wide = shapes[rng.below(len(shapes))]
            if not self._fits(round(x, 3), round(y, 3), facing, wide):
                continue
            answer: dict[str, Any] = {"x": round(x, 3), "y": round(y, 3), "facing": facing}
            if wide != columns(len(self.models)):
                answer["files"] = wide
            if not self.judge(answer):
                return answer
        return None

    def grown(self, spots: Iterator[Point], facing: float, seeds: int = 40) -> Any:
        """A loose crowd grown model by model from one of some spots, for where no ranks fit; None if none was found."""
        first = self.models[0]
        for x, y in spots:
            end = placed(first, snap(x), snap(y), 0.0, facing)
            if self.spot(end, ()) is not None:
                continue
            answer = self._crowd(end)
            if answer is not None:
                return answer
            seeds -= 1
            if not seeds:
                break
        return None

    def _crowd(self, first: M) -> Any:
        ends = [first]
        for m in self.models[1:]:
            need = min(len(ends), 2 if len(self.models) >= self.coherency.many else 1)
            end = next((end for end in self._next_to(m, ends) if self._joins(end, ends, need)), None)
            if end is None:
                return None
            ends.append(end)
        answer = {"models": {p.id: {"x": p.x, "y": p.y, "facing": p.facing} for p in ends}}
        return None if self.judge(answer) else answer

    def _next_to(self, m: M, ends: Sequence[M]) -> Iterator[M]:
        for anchor in ends:
            far = anchor.r + m.r + SPACING
            for s, c in RING:
                yield placed(m, snap(anchor.x + s * far), snap(anchor.y + c * far), 0.0, anchor.facing)

    def _joins(self, end: M, ends: Sequence[M], need: int) -> bool:
        if sum(linked(end, other, self.coherency) for other in ends) < need:
            return False
        return self.spot(end, ends) is None

    # -- the corners of what room there is -----------------------------------------------------------------------

    def places(self, m: M, ends: Sequence[M] = (), by: Sequence[M] | None = None) -> Iterator[M]:
        """Where a model may be set up beside others that are: if its base is round and it can be at all, there; `by`:
        only where it may be in coherency with one of these."""
        mates = [*self.standing, *ends]
        if by is not None:
            around: Sequence[Disc] | None = [(mate.x, mate.y, self.coherency.reach + mate.r + m.r) for mate in by]
        else:
            around = None if self.confined is None else self.confined(m)
        others: list[Body] = [*self.bodies, *mates]
        fixed = self._fixed.get((m.r, m.q))
        if fixed is None:
            beside = from_edges(self.width, self.depth, m.r) + self.bounding(m)
            fixed = self._fixed[m.r, m.q] = (off_bodies(m, self.bodies), beside)
        bounds = fixed[0] + off_bodies(m, mates) + near_bodies(m, mates, self.coherency.reach) + fixed[1]
        taken = [(b.x, b.y, b.q + m.q) for b in others if self.one_floor or self.below(m, b)]
        for x, y in spots(bounds, around, (*self.shut(m), *taken), None if self.sift is None else self.sift(m)):
            end = placed(m, x, y, 0.0, m.facing)
            if self.spot(end, ends) is None and not self._on_own(end):
                yield end

    @property
    def hopeless(self) -> bool:
        """Is it proved that a model of the unit, all of whose bases are alike, has no place at all?"""
        m = self.models[0]
        return m.r == m.q and next(self.places(m), None) is None

    @property
    def scattered(self) -> bool:
        """Is it proved that the unit would not hang together, wherever its models were set up? Of those that stand, who
        has too few comrades needs as many of the others beside him, and nobody is beside two who stand far apart."""
        wide = 2 * (self.coherency.reach + max(m.r for m in self.models))
        alone: list[M] = []
        wanted = 0
        for mate, missing in self._short_of(self.standing):
            if not any(near(mate, other, wide) for other in alone):
                alone.append(mate)
                wanted += missing
        return wanted > len(self.models)

    def _short_of(self, mates: Sequence[M]) -> list[tuple[M, int]]:
        """Who of some of the unit's models has too few of the others beside him, and how many are missing."""
        links = zip(mates, neighbours(mates, self.coherency), strict=True)
        return [(mate, self._needed - mask.bit_count()) for mate, mask in links if mask.bit_count() < self._needed]

    @property
    def _needed(self) -> int:
        whole = len(self.standing) + len(self.models)
        return 2 if whole >= self.coherency.many else min(1, whole - 1)

    def filled(self, fit: Callable[[M], bool] | None = None) -> Any:
        """All models, each at a corner of the room that those before it leave and where it is `fit` to be; None if they
        were not brought in. One round model alone is brought in wherever it can be at all."""
        several = len(self.models) > 1
        for first in itertools.islice(self._fitting(self.models[0], [], fit), STARTS if several else None):
            ends = [first]
            for m in self.models[1:]:
                end = next(self._fitting(m, ends, fit), None)
                if end is None:
                    break
                ends.append(end)
            answer = {"models": {p.id: {"x": p.x, "y": p.y, "facing": p.facing} for p in ends}}
            if len(ends) == len(self.models) and not self.judge(answer):
                return answer
        return None

    def _fitting(self, m: M, ends: list[M], fit: Callable[[M], bool] | None) -> Iterator[M]:
        found = self._joining(m, ends)
        return found if fit is None else (end for end in found if fit(self._lifted(end)))

    def _joining(self, m: M, ends: list[M]) -> Iterator[M]:
        """Where a model may join those that are set up: beside one who has too few comrades, while there is such."""
        mates = [*self.standing, *ends]
        if not mates:
            yield from self.places(m)
            return
        need = min(len(mates), self._needed)
        for end in self.places(m, ends, [mate for mate, _ in self._short_of(mates)] or mates):
            if sum(linked(end, mate, self.coherency) for mate in mates) >= need:
                yield end

    def nearest(self, answer: Any) -> Any:
        """What was found before, where models are placed by themselves; ranks are drawn near to the wish."""
        return None if "x" in answer else self.default

    def propose(self, rng: Rng) -> Any:
        """What was found before."""
        return self.default

    def beside(self, anchors: Sequence[M]) -> Any:
        """Put models one at a time next to models that stand already; None if they do not fit."""
        ends: list[M] = []
        for m in self.models:
            done = False
            for anchor in anchors:
                for s, c in RING:
                    far = anchor.r + m.r + SPACING
                    end = placed(m, snap(anchor.x + s * far), snap(anchor.y + c * far), 0.0, anchor.facing)
                    if self.spot(end, ends) is None and not self._on_own(end):
                        ends.append(end)
                        done = True
                        break
                if done:
                    break
            if not done:
                return None
        answer = {"models": {p.id: {"x": p.x, "y": p.y, "facing": p.facing} for p in ends}}
        return None if self.judge(answer) else answer


def ask_place(
    side: int,
    placer: Placer[M],
    prompt: Text,
    rules: str | tuple[str, ...],
    propose: Propose | None = None,
) -> Steps[dict[str, M]]:
    """Ask where a unit is set up. Where no set-up of all its models was found, a player may still tell one, or let it
    be ("stay"); then nobody is set up."""
    if placer.default is None:
        placer.optional()
        answer = yield Move(side, prompt, placer, None, rules, placer.unit_id, dict(STAY))
    else:
        answer = yield Place(side, prompt, placer, propose, rules, placer.unit_id, placer.default)
    return placer.plan(answer).ends
