"""The way of a model: how far, through what, where it ends (move.no-crossing-models, move.distance-furthest-part).

What every kind of move asks for is judged by `miniatures.loose`; here stand this book's numbers, its words, what may be
moved over and through, and the proofs that a move cannot be made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from umpire.engine.rulings import Reason
from umpire.games.wh40k.abilities import held
from umpire.games.wh40k.ground import SLOW, SLOWED, climb, flies, highest, near_by, slows, stand
from umpire.games.wh40k.measuring import ENGAGEMENT, UP
from umpire.games.wh40k.state import Model, State, Unit
from umpire.games.wh40k.units import coherency_of
from umpire.miniatures.loose import mover, nearing
from umpire.miniatures.loose.bodies import Body, base, rise
from umpire.miniatures.loose.walking import STAY, Around, Limits, Rules, Spot, Spots, Ways
from umpire.space.havens import Disc, has_haven, haven
from umpire.space.measure import separation
from umpire.space.packs import pack
from umpire.space.paths import path
from umpire.space.plain import Point
from umpire.space.shapes import TOLERANCE, Prism, Thing, snap

__all__ = ["STAY", "Around", "Ends", "Limits", "Mover", "Spot", "Spots", "Ways"]

Ends = dict[str, Model]
Final = Callable[[Ends], list[Reason]]


IN_COHERENCY = "wh40k.move.end-in-coherency"
SLOWING = "wh40k.terrain.trait.difficult-ground"
TOGETHER = "wh40k.unit.coherency-illegal"
"""The same ban, as the chapter on units has it."""


class Kind(NamedTuple):
    """A kind of move: its rule, and those by which it may not enter Engagement Range or break the unit up."""

    rule: str
    ending: str
    crossing: str
    coherency: str


KINDS = {
    "normal": Kind(
        "wh40k.move.normal",
        "wh40k.move.normal-no-engagement",
        "wh40k.move.normal-no-engagement",
        IN_COHERENCY,
    ),
    "advance": Kind(
        "wh40k.move.advance",
        "wh40k.move.advance-no-engagement",
        "wh40k.move.advance-no-engagement",
        IN_COHERENCY,
    ),
    "fall-back": Kind("wh40k.move.fall-back", "wh40k.move.fall-back", "", IN_COHERENCY),
    "charge": Kind(
        "wh40k.charge.roll",
        "wh40k.charge.move.no-other-enemies",
        "wh40k.charge.move.no-other-enemies",
        "wh40k.charge.move.end",
    ),
    "heroic": Kind("wh40k.charge.heroic.move", "", "", "wh40k.charge.heroic.coherency"),
    "pile-in": Kind("wh40k.fight.pile-in.distance", "", "", "wh40k.fight.pile-in.coherency"),
    "consolidate": Kind("wh40k.fight.consolidate.distance", "", "", "wh40k.fight.consolidate.coherency"),
}
FLOWN = ("normal", "advance", "fall-back")
"""In these moves Fly passes over models, through Engagement Range, and pays nothing for height."""


def flying(state: State, unit: Unit, kind: str) -> bool:
    """wh40k.move.fly-over-models and charge.fly.over-models: other moves know no Fly."""
    if not flies(state, unit):
        return False
    if kind in FLOWN:
        return state.applies("wh40k.move.fly-over-models")
    return kind == "charge" and state.applies("wh40k.charge.fly.over-models")


def passing(state: State, unit: Unit, kind: str) -> bool:
    """wh40k.move.through-models-scope: a rule that lets models be moved through holds for every kind of move, unless it
    names some."""
    scope = state.applies("wh40k.move.through-models-scope")
    return scope and any(not rule.what or kind in rule.what.split() for rule in held(state, unit, "through-models"))


class Mover(mover.Mover[Model]):
    """Reads the answers to a question for a move, judges them and proposes some."""

    flat = ENGAGEMENT
    up = UP
    blocked = frozenset({"wh40k.terrain.trait.scaleable.others"})
    slow_rule = SLOWING
    unit: Unit
    bound = False
    """Must it move, because there is a way of at least its minimum?"""

    def __init__(self, state: State, unit: Unit, limits: Limits, kind: str, final: Final | None = None) -> None:
        self.state = state
        self.kind = kind
        self.charging = kind == "charge"
        words = KINDS[kind]
        self.rules = Rules(
            edge="wh40k.core.battlefield-edge",
            on="wh40k.move.through-models-no-end" if passing(state, unit, kind) else "wh40k.move.no-ending-on-models",
            through="wh40k.move.no-crossing-models",
            coherency=words.coherency,
            move=words.rule,
        )
        self.fly = flying(state, unit, kind)
        self.through = passing(state, unit, kind)
        if not state.applies("wh40k.core.engagement-entry"):
            limits = msgspec.structs.replace(limits, end=True)
        if self.through and kind in FLOWN and state.applies("wh40k.move.through-models-engagement"):
            limits = msgspec.structs.replace(limits, cross=True)
        self.terrain = near_by(state, unit.cx, unit.cy, unit.cr + limits.allowance + 0.5)
        super().__init__(unit, limits, (state.width, state.depth), coherency_of(state, unit), False, final)
        self.hops = self.fly or self.through
        self.glides = self.fly and kind in FLOWN and state.applies("wh40k.move.fly-vertical")
        self.slowing = [f for f in self.terrain if f.has("difficult-ground")] if kind in SLOWED else []
        self.heights = {m.id: m.z for m in unit.models}
        self.turned: dict[str, float] = {}

    # -- what the book says --------------------------------------------------------------------------------------

    def surroundings(self, reach: float) -> Around:
        found = Around([], [])
        unit, limits = self.unit, self.limits
        ignored = self.state.applies("wh40k.move.aircraft-others-pass")
        for other in self.state.units.values():
            if other.where != "table" or other.id == unit.id:
                continue
            dx, dy = other.cx - unit.cx, other.cy - unit.cy
            square = dx * dx + dy * dy
            if square < (reach + other.cr) ** 2:
                soft = (ignored and other.has("aircraft")) or (other.side != unit.side and limits.unseen)
                found.bodies.extend((m, soft) for m in other.models)
            hinders = other.side != unit.side and other.id not in limits.spared and not limits.end
            if hinders and square < (reach + other.cr + ENGAGEMENT) ** 2:
                found.foes.extend((m, other) for m in other.models)
        return found

    def staying(self) -> list[Reason]:
        """wh40k.move.aircraft-minimum: who has begun to fly must go its way, where there is one."""
        if not self.bound:
            return []
        facts = {"model": self.unit.models[0].id, "moved": 0.0, "least": self.limits.least}
        return [Reason("wh40k.move.aircraft-minimum", "reason.loose.too-short", facts)]

    def stand(self, end: Model, level: float | None = None) -> tuple[float, Reason | None]:
        z, why = stand(self.state, self.unit, self.terrain, end, level, self.heights.get(end.id, 0.0))
        if why is not None and self.charging and why.rule == "wh40k.move.terrain-no-mid-climb":
            why = Reason("wh40k.charge.terrain.no-stop-mid-climb", "", why.facts)
        return z, why

    def over(self, m: Model, x: float, y: float) -> float:
        if not self.terrain:
            return 0.0
        there = msgspec.structs.replace(m, x=x, y=y)
        return stand(self.state, self.unit, self.terrain, there, None, self.heights.get(m.id, 0.0), passing=True)[0]

    def climb(
        self, m: Model, end: Model, start: tuple[float, float, float], stop: tuple[float, float, float], last: bool
    ) -> tuple[float, Reason | None]:
        if not self.terrain and start[2] == stop[2]:
            return 0.0, None
        rise, barred, rules = climb(self.state, self.unit, self.terrain, end, start, stop, self.charging)
        self.used += rules
        return rise, barred

    def slows(self, m: Model, end: Model, way: Sequence[Point]) -> float:
        rule = slows(self.state, self.unit, self.slowing, m, end, way) if self.slowing else ""
        if rule:
            self.slow_rule = rule
        return SLOW if rule else 0.0

    def too_far(self, m: Model, far: float, allowed: float) -> Reason:
        if self.cut and far <= allowed + self.cut + TOLERANCE:
            facts = {"model": m.id, "moved": round(far, 3), "allowed": round(allowed, 3)}
            return Reason(SLOWING, "", facts)
        if m.r != m.q and far - self.turned.get(m.id, 0.0) <= allowed + TOLERANCE:
            facts = {"model": m.id, "moved": round(far, 3), "allowed": round(allowed, 3)}
            return Reason("wh40k.move.distance-furthest-part", "", facts)
        return super().too_far(m, far, allowed)

    def again(self, reason: Reason) -> tuple[Reason, ...]:
        twin = {IN_COHERENCY: TOGETHER, SLOWING: self.slow_rule}.get(reason.rule, reason.rule)
        if twin == reason.rule or not self.state.applies(reason.rule):
            return ()
        return (msgspec.structs.replace(reason, rule=twin),)

    def turning(self, m: Model, end: Model) -> float:
        """wh40k.move.distance-furthest-part: a base that is not round moves by turning; it may turn as it likes
        (wh40k.move.rotate-freely)."""
        if not self.state.applies("wh40k.move.distance-furthest-part"):
            return 0.0
        self.turned[m.id] = super().turning(m, end)
        return self.turned[m.id]

    def passable(self, unit: Any) -> bool:
        """wh40k.move.aircraft-others-pass: the Engagement Range of an Aircraft may be crossed."""
        return bool(unit.has("aircraft") and self.state.applies("wh40k.move.aircraft-others-pass"))

    def ending(self, unit: Any) -> str:
        if self.kind in FLOWN:
            if unit.has("aircraft"):
                return "wh40k.move.aircraft-others-end"
            if self.fly:
                return "wh40k.move.fly-end"
        elif self.charging:
            if self.fly:
                return "wh40k.charge.fly.end"
            if self.through:
                return "wh40k.move.through-models-charge"
        return super().ending(unit)

    one_floor = False

    def meets(self, end: Body, body: Body) -> bool:
        return _share_height(end, end, body)

    def passes(self, m: Body, end: Body, body: Body) -> bool:
        return _share_height(m, end, body)

    def walls(self) -> list[tuple[Point, ...]]:
        return [part.points for f in self.terrain for part in f.parts if part.floor < 1.0 <= part.top]

    def rims(self, m: Model) -> list[Disc]:
        """A charge ends in the Engagement Range of its targets."""
        targets = self.limits.spared if self.charging else ()
        foes = [o for key in targets if self.state.unit(key).where == "table" for o in self.state.unit(key).models]
        return [(o.x, o.y, m.r + o.r + ENGAGEMENT - nearing.HAIR) for o in foes]

    def low(self, m: Model, end: Model) -> bool:
        return m.z == 0.0 and self.stand(end)[0] == 0.0

    @property
    def passed_aircraft(self) -> bool:
        """Does an Aircraft stand where the unit moved, so that it may have passed below?"""
        return any(soft for _, soft in self.near_by.bodies) and not self.limits.unseen

    # -- proofs --------------------------------------------------------------------------------------------------

    def solid(self) -> list[Disc]:
        """What nobody of the unit can pass or stand in, each by the circle inside it."""
        return [(b.x, b.y, b.q) for b, soft in self.near_by.bodies if not soft] if not self.hops else []

    def kept_off(self, m: Model) -> list[Disc]:
        """Where the middle of a model may not end: on other models, in Engagement Range of those who hinder it."""
        found = [(b.x, b.y, b.q + m.q - TOLERANCE) for b, _ in self.near_by.bodies] if self.hops else []
        top = max(highest(self.terrain), m.z)
        for foe, _ in self.near_by.foes:
            lowest, uppermost = foe.z - UP, foe.z + foe.tall + UP
            if lowest <= TOLERANCE and top <= uppermost + TOLERANCE:  # on whatever floor it ends, it is in range
                found.append((foe.x, foe.y, foe.q + m.q + ENGAGEMENT + TOLERANCE))
        return found

    def allowed(self, m: Model) -> float:
        return self.limits.each.get(m.id, self.limits.allowance)

    def ranges(self, m: Model) -> list[Disc]:
        """The Engagement Ranges that no way of a model may enter: those of enemies at whose height it begins."""
        if self.hops or self.limits.cross:
            return []
        bars = [f for f, unit in self.near_by.foes if not self.passable(unit)]
        return [(f.x, f.y, f.q + ENGAGEMENT) for f in bars if rise(m, f) <= UP]

    def haven(
        self, m: Model, inside: Sequence[Disc] = (), budget: float | None = None,
        blocks: Sequence[Sequence[Point]] = (), clears: Sequence[float] = (mover.CLEAR, 0.0),
    ) -> tuple[float, float] | None:  # fmt: skip
        """The nearest place for one model alone, as if the unit's other models and all terrain but these blocks were
        away: one that is clear of everything, so that rounding does no harm, or else one that only just will do."""
        far = self.allowed(m) if budget is None else budget
        bars, off, table = [*self.solid(), *self.ranges(m)], self.kept_off(m), (self.width, self.depth)
        for clear in clears:
            well = [(x, y, r - clear) for x, y, r in inside]
            beyond = [(x, y, r + clear) for x, y, r in off]
            found = haven(m.x, m.y, m.q + clear, far, bars, well, beyond, table, blocks)
            if found is not None:
                return found[0], found[1]
        return None

    def has_haven(
        self, m: Model, inside: Sequence[Disc] = (), budget: float | None = None, blocks: Sequence[Sequence[Point]] = ()
    ) -> bool:
        """Is there any such place, however narrow? A no is certain."""
        far = self.allowed(m) if budget is None else budget
        bars, table = [*self.solid(), *self.ranges(m)], (self.width, self.depth)
        r = m.q - TOLERANCE  # by so much bases may stand in each other
        return has_haven(m.x, m.y, r, far + TOLERANCE, bars, inside, self.kept_off(m), table, blocks)

    def trapped(self) -> Model | None:
        """A model that has no place where it could end; None is no proof that all find one together."""
        return next((m for m in self.unit.models if not self.has_haven(m)), None)

    def way_to(
        self, m: Model, x: float, y: float, walls: Sequence[Sequence[Point]] = (), clear: float = mover.CLEAR
    ) -> list[Point] | None:
        """The shortest way of one model past everybody else, and past walls, to a place: clear of them, but for those
        to which it is nearer there."""
        if self.hops:
            return []
        around = self.near_by
        start = base(m).at(m.x, m.y, 0.0)
        solid: list[Thing] = [base(b).at(b.x, b.y, 0.0) for b, soft in around.bodies if not soft]
        solid += [Prism(tuple(points)) for points in walls]
        bars = [] if self.limits.cross else [f for f, unit in around.foes if not self.passable(unit)]
        ranges = [base(f).at(f.x, f.y, 0.0) for f in bars]
        there = start.at(x, y)
        gaps = [min(clear, max(separation(there, thing), TOLERANCE)) for thing in solid]
        gaps += [ENGAGEMENT + clear] * len(ranges)
        found = path(start, x, y, pack([*solid, *ranges]), gaps, (self.width, self.depth), self.allowed(m))
        return None if found is None else [(snap(px), snap(py)) for px, py in found.points[1:-1]]

    def try_way(self, m: Model, place: Point, way: Sequence[Point]) -> Model | None:
        """The model at a place, if it may go there by this way."""
        end = msgspec.structs.replace(m, x=snap(place[0]), y=snap(place[1]), z=0.0)
        z, unfit = self.stand(end)
        if unfit is not None:
            return None
        end = msgspec.structs.replace(end, z=z)
        reasons: dict[str, Reason] = {}
        self.cut = self.slows(m, end, way)
        self.step(m, end, way, self.near_by, reasons)
        return None if reasons else end

    def told(self, spots: Spots, ways: Ways) -> dict[str, Any]:
        """An answer that puts models on spots by ways."""
        models: dict[str, Any] = {}
        for key, (x, y, facing, z) in spots.items():
            models[key] = {"x": x, "y": y, "facing": facing}
            if z:
                models[key]["z"] = z
            if ways.get(key):
                models[key]["path"] = [list(p) for p in ways[key]]
        return {"models": models}

    def follow(self, ends: Sequence[tuple[Model, list[Point]]]) -> dict[str, Any] | None:
        """A legal answer in which some models go where they are to and the others close up to them; None if none is
        found that way, which proves nothing."""
        first, _ = ends[0]
        was = self.unit.model(first.id)
        pinned = [end for end, _ in ends]
        ways = {end.id: way for end, way in ends if way}
        for spots in self._followers(pinned, first.x - was.x, first.y - was.y):
            if spots is None:
                continue
            answer = self.told(spots, {key: way for key, way in ways.items() if key in spots})
            if self.fits(answer):
                return answer
        return None

    def _followers(self, pinned: Sequence[Model], dx: float, dy: float) -> Iterator[Spots | None]:
        """The others moved the same way; as many as there is room for; or not at all."""
        fixed = {p.id: (p.x, p.y, p.facing, p.z or None) for p in pinned}
        shifted: Spots = {
            m.id: (snap(m.x + dx), snap(m.y + dy), m.facing, None) for m in self.unit.models if m.id not in fixed
        }
        yield {**shifted, **fixed}
        if shifted:
            yield self.fit({**shifted, **fixed}, pinned)
            stay: Spots = {m.id: (m.x, m.y, m.facing, m.z or None) for m in self.unit.models if m.id not in fixed}
            yield self.fit({**stay, **fixed}, pinned)
        yield dict(fixed)


def _share_height(m: Any, end: Any, body: Any) -> bool:
    low, high = min(m.z, end.z), max(m.z, end.z) + m.height
    return bool(body.z < high and body.z + body.height > low)


def straight(m: Model, end: Model) -> float:
    """How far a model goes straight, heights counted."""
    return math.hypot(end.x - m.x, end.y - m.y) + rise(m, end)
