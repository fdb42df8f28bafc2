"""Paths of legs (walk, jump, climb, fly), judged leg by leg with rule and number."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from umpire.engine import effects
from umpire.engine.decisions import Route, Stretch, number_ok
from umpire.engine.rulings import Reason
from umpire.games.warcry.profiles import BEAST, MONSTER, MOUNT
from umpire.games.warcry.state import Fighter, State, discs, distance, value
from umpire.games.warcry.terrain import OPENINGS, STEPS, Ground
from umpire.games.warcry.tightening import plain
from umpire.space.floors import Disc
from umpire.space.measure import collide, separation, true_distance
from umpire.space.moving import Go
from umpire.space.packs import kernel
from umpire.space.plain import point_segment
from umpire.space.shapes import TOLERANCE, Base, snap

CONTACT = 0.02
"""Nearer than this a base touches an obstacle."""
CLIMB_REACH = 0.5
DISENGAGE = 3.0
CARRYING_LEAST = 3.0
KEPT = 20_000
"""So many legs that were judged are remembered while one question is open."""
HOWS = ("walk", "jump", "climb", "fly")
Met = tuple[Disc, Fighter]
"""Where somebody stands who may be in the way, and who it is."""


class Leg(msgspec.Struct, gc=False):
    """One stretch of a move as it was judged."""

    how: str
    x: float
    y: float
    z: float
    cost: float
    drop: float = 0.0
    part: str = ""
    deadly: bool = False


class Trace(msgspec.Struct, gc=False):
    """A judged move: its legs, what it cost, where it ends, and every reason against it."""

    legs: list[Leg] = []
    cost: float = 0.0
    reasons: list[Reason] = []
    rules: list[str] = []
    climbing: str = ""
    air: bool = False
    rest: float = 0.0
    """The height at which a fighter that ends in mid-air comes to rest."""

    def cite(self, *rules: str) -> None:
        for rule in rules:
            if rule not in self.rules:
                self.rules.append(rule)

    def route(self, fighter: Fighter) -> Route:
        """The way as clients draw it, with the cost of each leg."""
        legs = [
            Stretch(x=leg.x, y=leg.y, z=leg.z, how=leg.how, drop=round(leg.drop, 3), cost=round(leg.cost, 3))
            for leg in self.legs
        ]
        return {fighter.id: legs}

    def ending(self, fighter: Fighter) -> Fighter:
        """The fighter as it stands, hangs or lands at the end."""
        if not self.legs:
            return fighter
        last = self.legs[-1]
        z = self.rest if self.air else last.z
        return msgspec.structs.replace(fighter, x=last.x, y=last.y, z=z, climbing=self.climbing)

    def stops(self, start: Fighter) -> list[tuple[float, float, float]]:
        """The corners of the way; a jump goes across at one height before it goes down."""
        out = [(start.x, start.y, start.z)]
        for leg in self.legs:
            if leg.how == "jump" and leg.drop > TOLERANCE:
                out.append((leg.x, leg.y, leg.z + leg.drop))
            out.append((leg.x, leg.y, leg.z))
        return out


def allowance(state: State, fighter: Fighter) -> tuple[float, tuple[str, ...]]:
    """The inches of a move action, and what changed them: carrying slows (warcry.treasure.slow)."""
    number = value(state, fighter, "move")
    if fighter.carrying and state.applies("warcry.treasure.slow"):
        slow = max(min(number.total, CARRYING_LEAST), number.total - 2)
        return slow, (*number.rules, "warcry.treasure.slow")
    return number.total, number.rules


def why_not_fly(state: State, fighter: Fighter) -> list[Reason]:
    """Why a fighter cannot fly in this move action."""
    if not fighter.flies:
        return [Reason("warcry.move.fly", facts={"fighter": fighter.id})]
    if fighter.carrying:
        return [Reason("warcry.treasure.no-fly", facts={"fighter": fighter.id})]
    return [Reason(e.rule, "reason.warcry.forbidden") for e in effects.forbids(state, fighter.id, "fly")]


def stopped_by(met: Iterable[Met], here: Base, go: Go) -> Fighter | None:
    """Through whom a straight leg would lead."""
    r, x, y = here.shape.radius, here.x, here.y  # type: ignore[union-attr]
    dx, dy = go.dx, go.dy
    x0, x1 = (x - r, x + dx + r) if dx > 0.0 else (x + dx - r, x + r)
    y0, y1 = (y - r, y + dy + r) if dy > 0.0 else (y + dy - r, y + r)
    low, high = (here.z, here.top + go.dz) if go.dz > 0.0 else (here.z + go.dz, here.top)
    close: list[Met] = []
    for one in met:
        fx, fy, fr, floor, top = one[0]
        if (
            fx + fr > x0
            and fx - fr < x1
            and fy + fr > y0
            and fy - fr < y1
            and floor < high
            and top > low
            and point_segment(fx, fy, x, y, x + dx, y + dy) < (r + fr) * (r + fr)
        ):
            close.append(one)
    if not close:
        return None
    bodies = np.array([disc for disc, _ in close])
    hit = kernel("sweeping").disc_past_discs(x, y, here.z, here.top, r, dx, dy, go.dz, bodies)
    return close[hit][1] if hit >= 0 else None


class Tracer:
    """Judges the legs of one move. `bodies` are the fighters in the way, as they stand while it is made."""

    def __init__(self, state: State, fighter: Fighter, limit: float, disengage: bool = False) -> None:
        self.state = state
        self.fighter = fighter
        self.limit = limit
        self.disengage = disengage
        self.ground: Ground = state.ground
        self._at = (fighter.x, fighter.y)
        self._others: list[Fighter] | None = None
        self._close: list[Met] | None = None
        self.tree: Any = None
        """All ways within the move, once somebody has asked for them (`paths.tree`)."""
        self.walkable: Any = None
        """The ground within a walk, once somebody has asked what of it is nearest to a place (`stopping`)."""
        self.judged: dict[Any, tuple[float, bool, tuple[float, float, float], bool]] = {}
        """Parts of ways that were judged already: what they cost, whether they are barred, where they end, and whether
        the fighter stands there."""
        self.free: dict[Any, Any] = {}
        """The legs between two places that were judged already: whoever drags a fighter asks for the same again and
        again."""

    @property
    def others(self) -> list[Fighter]:
        """Everybody else on the battlefield, looked for when somebody is to be judged."""
        if self._others is None:
            fighter = self.fighter
            self._others = [f for f in self.state.fighters if f.where == "field" and f is not fighter]
        return self._others

    @property
    def discs(self) -> list[Disc]:
        """Where the others stand."""
        return discs(self.others)

    def met(self, ax: float, ay: float, bx: float, by: float) -> list[Met]:
        """The others, each with where it stands; on a straight way within the move only those whom the fighter can
        meet, who are looked for once."""
        x, y = self._at
        far = self.limit + CONTACT
        if max((ax - x) * (ax - x) + (ay - y) * (ay - y), (bx - x) * (bx - x) + (by - y) * (by - y)) > far * far:
            return list(zip(self.discs, self.others, strict=True))
        if self._close is None:
            far += self.fighter.profile.base / 50.8 + CONTACT
            self._close = []
            for other in self.others:
                ox, oy, r = other.x, other.y, other.profile.base / 50.8
                if (ox - x) * (ox - x) + (oy - y) * (oy - y) <= (far + r) * (far + r):
                    self._close.append(((ox, oy, r, other.z, other.z + other.profile.height), other))
        return self._close

    def ray(self, base: Base, dx: float, dy: float) -> float:
        """The part of a straight walk that is free of terrain, fighters and edges."""
        met = self.met(base.x, base.y, base.x + dx, base.y + dy)
        return self.ground.ray(base, dx, dy, [disc for disc, _ in met])

    def cost_of(self, path: Sequence[dict[str, Any]], brief: bool = False) -> tuple[float, bool]:
        """What a path costs, and whether anything but that stands against it; `brief`: nobody asks what a barred one
        costs. Each walk is judged by itself and remembered: of two ways that are compared most legs are the same."""
        at, cost, barred, stands = (self.fighter.x, self.fighter.y, self.fighter.z), 0.0, False, True
        parts: list[list[dict[str, Any]]] = []
        for leg in path:
            if parts and not plain(leg) and not plain(parts[-1][-1]):
                parts[-1].append(leg)
            else:
                parts.append([leg])
        for n, legs in enumerate(parts):
            last = n == len(parts) - 1
            key = (at, last, *[tuple(each.items()) for each in legs])
            found = self.judged.get(key)
            if found is None:
                trace = self.run(legs, at, last)
                bad = any("moved" not in reason.facts for reason in trace.reasons)
                end = trace.legs[-1] if trace.legs else self.fighter
                found = trace.cost, bad, (end.x, end.y, end.z), not (trace.climbing or trace.air)
                if len(self.judged) >= KEPT:
                    self.judged.clear()
                self.judged[key] = found
            cost += found[0]
            barred = barred or found[1] or not stands
            if brief and barred:
                break
            at, stands = found[2:]
        return cost, barred

    def run(
        self,
        path: Sequence[dict[str, Any]],
        start: tuple[float, float, float] | None = None,
        ends: bool = True,
        brief: bool = False,
    ) -> Trace:
        """Judge a path, from where the fighter is or from some other place to stand; `ends`: the move ends there.
        `brief`: who only wants to know whether it is legal is told the first reason that is found."""
        fighter = self.fighter
        trace = Trace([], 0.0, [], ["warcry.move.action" if not self.disengage else "warcry.disengage.action"])
        here = fighter.base if start is None else fighter.base.at(*start)
        climbing, air, flying = fighter.climbing if start is None else "", False, False
        kinds: list[str] = []
        for n, raw in enumerate(path):
            leg = self._read(raw, here, n, trace)
            if leg is None:
                return trace
            trace.cost += leg.cost
            if brief and trace.cost > self.limit + TOLERANCE:
                break
            there = here.at(leg.x, leg.y, leg.z)
            if self.ground.off_table(there):
                trace.reasons.append(Reason("warcry.move.board-edge", facts={"leg": n + 1, "x": leg.x, "y": leg.y}))
            if leg.z < -TOLERANCE:
                facts = {"leg": n + 1, "height": leg.z}
                trace.reasons.append(Reason("warcry.core.battlefield-floor", "reason.warcry.below-floor", facts))
            if self.disengage and leg.how != "walk":
                trace.reasons.append(Reason("warcry.disengage.not-a-move", facts={"leg": n + 1, "how": leg.how}))
            elif leg.how == "walk":
                if climbing or air or flying:
                    trace.reasons.append(Reason("warcry.move.normal", "reason.warcry.not-standing", {"leg": n + 1}))
                else:
                    self._walk(here, there, leg, n, trace)
            elif leg.how == "jump":
                if air or flying:
                    trace.reasons.append(Reason("warcry.move.jump", "reason.warcry.bent-jump", {"leg": n + 1}))
                self._jump(here, there, leg, n, trace)
                climbing, air = "", self.ground.drop(there) < there.z - TOLERANCE
            elif leg.how == "climb":
                if flying:
                    trace.reasons.append(Reason("warcry.move.fly-end", facts={"leg": n + 1}))
                climbing = self._climb(here, there, leg, n, climbing, trace)
                air = False
            else:
                self._fly(here, there, leg, trace)
                climbing, air = "", False
                flying = self.ground.surface(there.x, there.y, there.z) is None
            if brief and trace.reasons:
                return trace
            trace.legs.append(leg)
            if leg.how not in kinds:
                kinds.append(leg.how)
            here = there
        if trace.cost > self.limit + TOLERANCE:
            rule = "warcry.disengage.action" if self.disengage else "warcry.move.action"
            trace.reasons.append(Reason(rule, facts={"moved": round(trace.cost, 3), "allowed": self.limit}))
        if len(kinds) > 1:
            trace.cite("warcry.move.types")  # more than one kind in one move
        elif kinds == ["walk"] and not self.disengage:
            trace.cite("warcry.move.normal")
        if len(trace.legs) > 1 and sum(leg.how == "walk" for leg in trace.legs) > 1:
            trace.cite("warcry.move.pivot")
        trace.climbing, trace.air = climbing, air
        if ends:
            self._end(here, flying, "fly" in kinds, trace)
        return trace

    def _read(self, raw: dict[str, Any], here: Base, n: int, trace: Trace) -> Leg | None:
        """A leg of an answer as data; without a height it stays level (a walk), or ends on what lies below or above."""
        how = raw.get("how", "walk")
        x, y, z = raw.get("x"), raw.get("y"), raw.get("z")
        if how not in HOWS or not number_ok(x) or not number_ok(y) or not (z is None or number_ok(z)):
            trace.reasons.append(
                Reason("warcry.move.types", "reason.warcry.leg-form", {"leg": n + 1, "how": str(how)[:20]})
            )
            return None
        x, y = snap(float(x)), snap(float(y))  # type: ignore[arg-type]
        if z is not None:
            z = snap(float(z))
        elif how in ("jump", "fly"):
            lower = [s for s in self.ground.surfaces(x, y) if how == "fly" or s <= here.z + TOLERANCE]
            z = lower[-1]
        else:
            z = here.z
        flat = math.hypot(x - here.x, y - here.y)
        cost = math.hypot(flat, z - here.z) if how == "climb" else flat
        part = raw.get("through") if how == "walk" else raw.get("on") if how == "climb" else ""
        return Leg(how, x, y, z, cost, part=part if isinstance(part, str) else "")

    # -- one leg of each kind ------------------------------------------------------------------------------------

    def _walk(self, here: Base, there: Base, leg: Leg, n: int, trace: Trace) -> None:
        if abs(there.z - here.z) > TOLERANCE:
            trace.reasons.append(Reason("warcry.move.normal", facts={"leg": n + 1, "rise": round(there.z - here.z, 3)}))
            return
        if not self.ground.stays_on(here.x, here.y, there.x, there.y, here.z):
            trace.reasons.append(Reason("warcry.move.normal", "reason.warcry.leaves-platform", {"leg": n + 1}))
        go = Go(there.x - here.x, there.y - here.y)
        if leg.part:
            self._through(here, there, leg, n, trace)
        else:
            self._terrain(here, go, n, trace)
        self._fighters(here, go, n, trace)

    def _through(self, here: Base, there: Base, leg: Leg, n: int, trace: Trace) -> None:
        """A walk through an archway or door: straight through its middle, from touching it to clear of it."""
        ground, profile = self.ground, self.fighter.profile
        at = ground.index.get(leg.part)
        if at is None or ground.parts[at].kind not in OPENINGS:
            trace.reasons.append(Reason("warcry.terrain.door-pass", "reason.warcry.no-door", {"leg": n + 1}))
            return
        part = ground.parts[at]
        marks = profile.runemarks
        if self.disengage:
            trace.reasons.append(Reason("warcry.terrain.door-pass", "reason.warcry.door-disengage", {"leg": n + 1}))
        if part.kind == "closed-door" and (MONSTER in marks or MOUNT in marks or BEAST in marks):
            trace.reasons.append(Reason("warcry.terrain.closed-door-limits", facts={"leg": n + 1}))
        elif part.kind != "closed-door" and (MONSTER in marks or MOUNT in marks):
            trace.reasons.append(Reason("warcry.terrain.arch-limits", facts={"leg": n + 1}))
        trace.cite("warcry.terrain.door-pass", "warcry.terrain.door-other-rules")
        trace.cite("warcry.terrain.closed-door-limits" if part.kind == "closed-door" else "warcry.terrain.arch-limits")
        gap = min(separation(here, prism) for prism in self.ground.prisms[at])
        if gap > CONTACT:
            trace.reasons.append(
                Reason(
                    "warcry.terrain.door-pass", "reason.warcry.door-touch", {"leg": n + 1, "distance": round(gap, 3)}
                )
            )
        mx = math.fsum(p[0] for p in part.points) / len(part.points)
        my = math.fsum(p[1] for p in part.points) / len(part.points)
        dx, dy = there.x - here.x, there.y - here.y
        length = math.hypot(dx, dy)
        off = abs((mx - here.x) * dy - (my - here.y) * dx) / length if length else math.inf
        ahead = (mx - here.x) * dx + (my - here.y) * dy
        if off > 0.05 or not 0 < ahead < length * length:
            trace.reasons.append(
                Reason(
                    "warcry.terrain.door-pass",
                    "reason.warcry.door-middle",
                    {"leg": n + 1, "off": round(min(off, 99.0), 3)},
                )
            )
        if ground.blocked(there):
            trace.reasons.append(Reason("warcry.terrain.door-pass", "reason.warcry.door-clear", {"leg": n + 1}))
        # Only the opening and what frames it is passed through; whatever stands behind it is in the way.
        self._terrain(here, Go(dx, dy), n, trace, ground.doorway(at))

    def _jump(self, here: Base, there: Base, leg: Leg, n: int, trace: Trace) -> None:
        """Straight through the air at one height, then straight down; only the way across counts."""
        trace.cite("warcry.move.jump", "warcry.move.jump-distance")
        leg.drop = here.z - there.z
        if leg.drop < -TOLERANCE:
            trace.reasons.append(Reason("warcry.move.jump", facts={"leg": n + 1, "rise": round(-leg.drop, 3)}))
            return
        go = Go(there.x - here.x, there.y - here.y)
        over = here.at(there.x, there.y)
        down = Go(0.0, 0.0, there.z - here.z)
        self._terrain(here, go, n, trace)
        self._terrain(over, down, n, trace)
        self._fighters(here, go, n, trace, "warcry.move.jump-over")
        self._fighters(over, down, n, trace, "warcry.move.jump-over")
        r = here.shape.radius  # type: ignore[union-attr]
        if any(
            top <= here.z + TOLERANCE and point_segment(x, y, here.x, here.y, there.x, there.y) < (r + fr) * (r + fr)
            for x, y, fr, _, top in self.discs
        ):
            trace.cite("warcry.move.jump-over")

    def _climb(self, here: Base, there: Base, leg: Leg, n: int, climbing: str, trace: Trace) -> str:
        """Up, down and sideways within half an inch of an obstacle that was touched at the start."""
        trace.cite("warcry.move.climb", "warcry.move.climb-distance")
        part, why = self._climbed(here, there, leg.part, climbing)
        if part is None:
            trace.reasons += [msgspec.structs.replace(r, facts={"leg": n + 1, **r.facts}) for r in why]
            return climbing
        spec = self.ground.parts[part]
        leg.part = spec.id
        leg.deadly = spec.kind == "deadly" and climbing != spec.id
        if leg.deadly:
            trace.cite("warcry.terrain.deadly-climb")
        if spec.kind in STEPS and MOUNT in self.fighter.profile.runemarks:
            trace.cite("warcry.terrain.stairs-mount")
        skip = self.ground.stairway(part) if spec.kind == "stairs" else ()
        go = Go(there.x - here.x, there.y - here.y, there.z - here.z)
        self._terrain(here, go, n, trace, skip)
        self._fighters(here, go, n, trace)
        if self.ground.surface(there.x, there.y, there.z) is not None:
            trace.cite("warcry.move.climb-end")
            return ""
        return spec.id

    def _climbed(self, here: Base, there: Base, wish: str, climbing: str) -> tuple[int | None, list[Reason]]:
        """The obstacle that a climbing leg keeps to, or why there is none."""
        ground = self.ground
        mount = MOUNT in self.fighter.profile.runemarks
        reasons: list[Reason] = []
        best: tuple[int, int] | None = None
        nearest = math.inf
        for at in self._near(here):
            part = ground.parts[at]
            if wish and part.id != wish:
                continue
            gap = min(true_distance(here, prism) for prism in self.ground.prisms[at])
            nearest = min(nearest, gap)
            if gap > CONTACT and not (part.id == climbing and gap <= CLIMB_REACH + TOLERANCE):
                continue
            if part.kind == "unclimbable":
                reasons.append(Reason("warcry.terrain.unclimbable", facts={"part": part.id}))
                continue
            if mount and not (part.kind in STEPS and self.state.applies("warcry.terrain.stairs-mount")):
                reasons.append(Reason("warcry.move.mount-climb", facts={"part": part.id}))
                continue
            away = min(true_distance(there, prism) for prism in self.ground.prisms[at])
            if away > CLIMB_REACH + TOLERANCE:
                reasons.append(Reason("warcry.move.climb", facts={"distance": round(away, 3), "allowed": CLIMB_REACH}))
                continue
            rank = 0 if part.kind in STEPS else 2 if part.kind == "deadly" else 1
            if best is None or rank < best[0]:
                best = (rank, at)
        if best is not None:
            return best[1], []
        if not reasons:
            far = {"distance": round(nearest, 3)} if nearest < math.inf else {}
            reasons.append(Reason("warcry.move.climb", "reason.warcry.climb-touch", far))
        return None, reasons[:1] if wish else reasons

    def _fly(self, here: Base, there: Base, leg: Leg, trace: Trace) -> None:
        trace.cite("warcry.move.fly")
        trace.reasons += why_not_fly(self.state, self.fighter)

    # -- what is in the way --------------------------------------------------------------------------------------

    def _near(self, here: Base) -> list[int]:
        """The solid parts within climbing reach of a body, by their boxes."""
        r = here.shape.radius + CLIMB_REACH + TOLERANCE  # type: ignore[union-attr]
        x0, y0, x1, y1 = here.x - r, here.y - r, here.x + r, here.y + r
        return list(dict.fromkeys(part for part, _ in self.ground.near(x0, y0, x1, y1)))

    def _terrain(self, here: Base, go: Go, n: int, trace: Trace, skip: tuple[int, ...] = ()) -> None:
        if self.ground.in_the_way(here, go, skip):
            trace.reasons.append(Reason("warcry.move.through-terrain", facts={"leg": n + 1}))

    def _fighters(self, here: Base, go: Go, n: int, trace: Trace, rule: str = "warcry.move.through-fighters") -> None:
        other = stopped_by(self.met(here.x, here.y, here.x + go.dx, here.y + go.dy), here, go)
        if other is not None:
            trace.reasons.append(Reason(rule, facts={"leg": n + 1, "fighter": other.id}))

    # -- the end -------------------------------------------------------------------------------------------------

    def _end(self, here: Base, flying: bool, flown: bool, trace: Trace) -> None:
        if flying:
            trace.reasons.append(Reason("warcry.move.fly-end", facts={"height": here.z}))
        elif flown:
            trace.cite("warcry.move.fly-end")
            if self.ground.blocked(here):
                trace.reasons.append(Reason("warcry.move.through-terrain"))
        if trace.air:
            trace.rest = self.ground.drop(here)
            self._fighters(here, Go(0.0, 0.0, trace.rest - here.z), len(trace.legs) - 1, trace, "warcry.move.jump-over")
        ends = here.at(here.x, here.y, trace.rest) if trace.air else here
        r, x, y = here.shape.radius - TOLERANCE, here.x, here.y  # type: ignore[union-attr]
        for (fx, fy, fr, _, _), other in self.met(x, y, x, y):
            dx, dy, gap = fx - x, fy - y, r + fr
            if dx * dx + dy * dy < gap * gap and collide(ends, other.base):
                rule = (
                    "warcry.move.fly-end"
                    if trace.legs and trace.legs[-1].how == "fly"
                    else "warcry.move.through-fighters"
                )
                trace.reasons.append(Reason(rule, facts={"fighter": other.id}))
                break
        if self.disengage:
            ghost = msgspec.structs.replace(self.fighter, x=here.x, y=here.y, z=here.z)
            for other in self.others:
                if other.side != self.fighter.side and (gap := distance(ghost, other)) <= 1.0 + TOLERANCE:
                    facts = {"fighter": other.id, "distance": round(gap, 3)}
                    trace.reasons.append(Reason("warcry.disengage.end", facts=facts))
