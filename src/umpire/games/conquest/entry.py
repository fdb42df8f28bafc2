"""Marching on: where arriving regiments enter, how far, and what if they cannot (conquest.reinforce.entry.*)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.decisions import Ends, Form, Move, Mover, Route
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.space.angles import turn_between
from umpire.space.measure import bounds
from umpire.space.moving import Leg
from umpire.space.shapes import TOLERANCE, Base

from . import activation, dressing, formation, hooks, manoeuvres, march, table
from .formation import Pose
from .mover import Marcher, manners, stand_ends
from .reinforcement import EDGES, from_edge, nearest_to_edge, push_lines
from .state import Regiment, Stand, State


def entry_pose(state: State, edge: str, at: float) -> Pose:
    """The front edge touching a table edge, facing the table (conquest.reinforce.entry.placement)."""
    wide, deep = state.scenario.width, state.scenario.depth
    x, y = {"south": (at, 0.0), "north": (at, deep), "west": (0.0, at), "east": (wide, at)}[edge]
    return x, y, EDGES[edge]


def entry_limit(state: State, regiment: Regiment) -> float:
    """How far from the own edge a side edge may be entered: to the line, and no further than any enemy."""
    side = regiment.side
    line = state.lines.get(f"{side}/{regiment.profile.klass}")
    if line is None or line.now < 0:
        return 0.0
    edge = state.scenario.edges[side]
    foes = [nearest_to_edge(state, edge, r) for r in state.on_table(1 - side)]
    return min([line.now, *foes])


def entry_place_reasons(state: State, regiment: Regiment, edge: str, at: float, wide: float) -> list[Reason]:
    """May a front of this width come on at that place of that edge?"""
    own = state.scenario.edges[regiment.side]
    ends = (entry_pose(state, edge, at - wide / 2), entry_pose(state, edge, at + wide / 2))
    length = state.scenario.width if edge in ("south", "north") else state.scenario.depth
    if at - wide / 2 < -TOLERANCE or at + wide / 2 > length + TOLERANCE:
        return [Reason("conquest.reinforce.entry.placement", facts={"edge": edge, "at": at})]
    if edge == own:
        span = state.scenario.entry[regiment.side]
        if span is not None and not (span[0] - TOLERANCE <= at - wide / 2 and at + wide / 2 <= span[1] + TOLERANCE):
            return [Reason("conquest.reinforce.entry.any-edge", facts={"edge": edge, "at": at})]
        return []
    far = max(from_edge(state, own, x, y) for x, y, _ in ends)
    line = state.lines.get(f"{regiment.side}/{regiment.profile.klass}")
    reasons: list[Reason] = []
    if line is None or line.now < 0 or far > line.now + TOLERANCE:
        facts = {"edge": edge, "reach": round(far, 3), "line": line.now if line else -1.0}
        reasons.append(Reason("conquest.reinforce.entry.any-edge", facts=facts))
    foes = [nearest_to_edge(state, own, r) for r in state.on_table(1 - regiment.side)]
    if foes and far > min(foes) + TOLERANCE:
        facts = {"reach": round(far, 3), "enemy": round(min(foes), 3)}
        reasons.append(Reason("conquest.reinforce.entry.not-beyond-enemy", facts=facts))
    return reasons


def outside(state: State, regiment: Regiment, where: Pose, edge: str, leg: Leg | None = None) -> tuple[bool, bool]:
    """Of a regiment coming on: does it leave the table elsewhere, there or on the leg that led there, and is any of it
    still outside?"""
    astray = still = False
    for x, y in march.outermost(regiment, where, leg):
        for name in EDGES:
            if from_edge(state, name, x, y) < -TOLERANCE:
                if name == edge:
                    still = True
                else:
                    astray = True
    return astray, still


def entry_reasons(
    battle: Battle[State],
    regiment: Regiment,
    where: Pose,
    edge: str,
    path: Sequence[manoeuvres.Manoeuvre],
    limit: float,
) -> list[Reason]:
    """Why a regiment cannot march on so; it must be wholly on after a second March at the latest."""
    state = battle.state
    reasons = manoeuvres.distance_reasons(path, formation.width(regiment), limit)
    run = march.trace(state, regiment, where, path, entering=True, flying=bool(hooks.granted(state, regiment, "fly")))
    reasons += run.reasons
    here = where
    for leg in manoeuvres.legs_of(where, formation.width(regiment), path)[0]:
        here = manoeuvres.carried(here, leg)
        if outside(state, regiment, here, edge, leg)[0]:
            reasons.append(Reason("conquest.regiment.legal-position.on-table"))
            break
    if run.overlaps:
        facts = {"regiments": list(run.overlaps)}
        reasons.append(Reason("conquest.regiment.legal-position.overlap", facts=facts))
    if (
        not reasons
        and outside(state, regiment, run.end, edge)[1]
        and not second_march(battle, regiment, run.end, edge, limit)
    ):
        deep = {"depth": formation.depth(regiment), "march": limit}
        reasons.append(Reason("conquest.reinforce.entry.legal", facts=deep))
    return reasons


def second_march(
    battle: Battle[State], regiment: Regiment, where: Pose, edge: str, limit: float
) -> list[manoeuvres.Manoeuvre] | None:
    """A second March that brings the rest on; if any straight one does, the shortest of them does."""
    left = max(-from_edge(battle.state, edge, x, y) for x, y in march.outermost(regiment, where, None))
    along = max(0.01, math.cos(math.radians(turn_between(where[2], EDGES[edge]))))
    for inches in (limit, limit * 0.75, limit / 2, math.ceil(left / along * 1000) / 1000):
        path = [manoeuvres.forward(math.floor(min(inches, limit) * 1000) / 1000)]
        run = march.trace(battle.state, regiment, where, path, entering=True)
        if not run.reasons and not run.overlaps and not any(outside(battle.state, regiment, run.end, edge)):
            return path
    return None


def first_entry(battle: Battle[State], regiment: Regiment, limit: float) -> dict[str, Any] | None:
    """Some legal way on, if there is one; looked for along the own edge first."""
    state = battle.state
    own = state.scenario.edges[regiment.side]
    before = (regiment.stands, regiment.files)
    edges = [own, *(e for e in EDGES if e != own and EDGES[e] != (EDGES[own] + 180.0) % 360.0)]
    others = [(r, formation.disc(r)) for r in state.regiments.values() if r is not regiment and r.where == "table"]
    try:
        for files in entry_files(regiment):
            regiment.stands = formation.arranged(before[0], files)
            regiment.files = files
            wide = formation.width(regiment)
            for edge in edges:
                shortest = min(limit, formation.depth(regiment))
                for at in chain(entry_points(state, regiment, edge, wide), beside(state, regiment, edge, wide)):
                    where = entry_pose(state, edge, at)
                    for inches in (limit, shortest):
                        path = [manoeuvres.forward(math.floor(inches * 1000) / 1000)]
                        end = manoeuvres.legs_of(where, wide, path)[1]
                        if not march.overlapped(state, regiment, end, others) and not entry_reasons(
                            battle, regiment, where, edge, path, limit
                        ):
                            return {"edge": edge, "at": at, "files": files, "path": path}
    finally:
        regiment.stands, regiment.files = before
    return None


def entry_files(regiment: Regiment) -> list[int]:
    """Widths to try, the squarest first."""
    allowed = list(formation.files_allowed(regiment))
    best = min(5, -(-len(regiment.stands) // 2)) if len(regiment.stands) > 3 else len(regiment.stands)
    return sorted(allowed, key=lambda f: (abs(f - best), f))


def entry_points(state: State, regiment: Regiment, edge: str, wide: float) -> Iterator[float]:
    """Places along an edge worth trying, from the middle outwards."""
    length = state.scenario.width if edge in ("south", "north") else state.scenario.depth
    low, high = wide / 2, length - wide / 2
    own = state.scenario.edges[regiment.side]
    span = state.scenario.entry[regiment.side] if edge == own else None
    if span is not None:
        low, high = max(low, span[0] + wide / 2), min(high, span[1] - wide / 2)
    if edge != own:
        limit = entry_limit(state, regiment)
        if limit < wide:
            return
        if from_edge(state, own, *entry_pose(state, edge, 0.0)[:2]) < 1.0:
            low, high = wide / 2, limit - wide / 2
        else:
            low, high = length - limit + wide / 2, length - wide / 2
    if high < low - TOLERANCE:
        return
    count = int((high - low) / 1.5) + 1
    middle = (low + high) / 2
    points = [low + (high - low) * k / max(1, count - 1) for k in range(count)] if count > 1 else [middle]
    found = sorted((round(p, 3) for p in points), key=lambda p: abs(p - middle))
    yield from (p for p in found if not entry_place_reasons(state, regiment, edge, p, wide))


def beside(state: State, regiment: Regiment, edge: str, wide: float) -> Iterator[float]:
    """Places along an edge just beside what stands near it: if a straight march on fits anywhere, it fits there."""
    level = edge in ("south", "north")
    found = table.obstacles(state, regiment, entry_pose(state, edge, 0.0), 200.0, inch=True)
    for thing, gap in zip(found.things, found.gaps, strict=True):
        box = bounds(thing)
        low, high = (box[0], box[2]) if level else (box[1], box[3])
        for at in (low - gap - wide / 2 - 0.002, high + gap + wide / 2 + 0.002):
            if not entry_place_reasons(state, regiment, edge, round(at, 3), wide):
                yield round(at, 3)


def back_to_reserve(battle: Battle[State], regiment: Regiment) -> None:
    """It cannot come on: it waits, and is certain to be due next round."""
    regiment.where = "reserve"
    regiment.sure = True
    regiment.arrived = 0
    activation.end_actions(battle.state)
    battle.emit("failed-to-enter", "conquest.reinforce.failed", regiment=regiment.id)


class Entered(NamedTuple):
    """How an answer brings a regiment on, spelt out ({"edge", "at", "files", "path"}), and every reason against it."""

    reasons: list[Reason]
    entry: dict[str, Any]


class Entrant(Mover[Entered]):
    """Judges how an arriving regiment marches on: from a point of a table edge, in so many files, by a path; or to a
    place, straight on from the edge that is nearest to it."""

    def __init__(self, battle: Battle[State], regiment: Regiment, limit: float, default: dict[str, Any]) -> None:
        super().__init__()
        self.battle, self.regiment, self.limit, self.default = battle, regiment, limit, default
        allowed = formation.files_allowed(regiment)
        self.form = Form(
            ways=("to", "path", "stay"),
            pieces=tuple([stand.id for stand in regiment.stands]),
            limit=round(limit, 3),
            manners=manners(default["files"] * regiment.profile.stand[0]),
            files=(allowed[0], allowed[-1]),
            edges=tuple(EDGES),
        )

    def read(self, answer: Any) -> Entered:
        if "stay" in answer:
            return Entered([Reason("conquest.reinforce.must-enter")], {})
        if "to" in answer:
            return self._to(answer)
        entry = {"files": self.default["files"], **answer}
        if entry.get("edge") not in EDGES or "at" not in entry:
            return Entered([Reason("conquest.reinforce.entry.placement", "reason.entry.form")], entry)
        return Entered(self._reasons(entry), entry)

    def _to(self, answer: Any) -> Entered:
        """Straight on to a place for the middle of the front, from the nearest edge that allows it."""
        if "x" not in answer["to"]:
            return Entered([Reason("conquest.reinforce.entry.placement", "reason.entry.form")], {})
        state, (x, y) = self.battle.state, (answer["to"]["x"], answer["to"]["y"])
        first: Entered | None = None
        for edge in sorted(EDGES, key=lambda edge: from_edge(state, edge, x, y)):
            path = [manoeuvres.forward(max(0.0, from_edge(state, edge, x, y)))]
            at = round(x if edge in ("south", "north") else y, 3)
            found = self.plan(
                {"edge": edge, "at": at, "files": answer.get("files", self.default["files"]), "path": path}
            )
            if not found.reasons:
                return found
            first = first or found
        assert first is not None
        return first

    def _reasons(self, entry: dict[str, Any]) -> list[Reason]:
        """Every reason against an entry, with the regiment in the formation wished for while it is judged."""
        regiment, wish = self.regiment, entry["files"]
        stands, files = regiment.stands, regiment.files
        if not 1 <= wish <= len(stands):
            return [Reason("conquest.reinforce.entry.legal", facts={"files": wish})]
        if wish < formation.least_files(len(stands)):
            return [Reason("conquest.regiment.front-rank-minimum", facts={"front": wish, "stands": len(stands)})]
        malformed = manoeuvres.well_formed(entry["path"])
        if malformed:
            return malformed
        state, edge, at = self.battle.state, entry["edge"], entry["at"]
        regiment.stands, regiment.files = formation.arranged(stands, wish), wish
        try:
            reasons = entry_place_reasons(state, regiment, edge, at, formation.width(regiment))
            where = entry_pose(state, edge, at)
            return reasons + entry_reasons(self.battle, regiment, where, edge, entry["path"], self.limit)
        finally:
            regiment.stands, regiment.files = stands, files

    def propose(self, rng: Rng) -> Any:
        state, regiment, default = self.battle.state, self.regiment, self.default
        allowed = list(formation.files_allowed(regiment))
        wish = rng.choice(allowed) if rng.random() < 0.4 else default["files"]
        own = state.scenario.edges[regiment.side]
        edge = own if rng.random() < 0.7 else rng.choice([e for e in EDGES if e != own])
        wide = wish * regiment.profile.stand[0]
        points = [default["at"]] if edge != own else []
        if edge == own:
            span = state.scenario.entry[regiment.side]
            length = state.scenario.width if edge in ("south", "north") else state.scenario.depth
            low, high = span or (0.0, length)
            if high - low >= wide:
                points = [round(rng.uniform(low + wide / 2, high - wide / 2), 2)]
        else:
            points = list(entry_points(state, regiment, edge, wide))
        if not points:
            return default
        part = 1.0 if rng.random() < 0.8 else rng.random()
        inches = math.floor(self.limit * part * 100) / 100
        return {"edge": edge, "at": rng.choice(points), "files": wish, "path": [manoeuvres.forward(inches)]}

    def nearest(self, answer: Any) -> Any:
        """As far on from the same point of the edge as is legal, else where it can come on at all."""
        entry = self.plan(answer).entry
        if "edge" not in entry or manoeuvres.well_formed(entry["path"]):
            return self.default
        wide = entry["files"] * self.regiment.profile.stand[0]
        path = manoeuvres.longest(entry["path"], wide, self.limit, lambda part: self.fits({**entry, "path": part}))
        return {**entry, "path": path} if path else self.default

    def route(self, answer: Any) -> Route:
        entry = self.plan(answer).entry
        if not entry:
            return {}
        wide = entry["files"] * self.regiment.profile.stand[0]
        start = entry_pose(self.battle.state, entry["edge"], entry["at"])
        return {self.regiment.id: manoeuvres.route(start, wide, entry["path"])}

    def spelt(self, answer: Any) -> Any:
        return self.plan(answer).entry or answer

    def ends(self, answer: Any) -> Ends:
        entry = self.plan(answer).entry
        if not entry:
            return {}
        files = entry["files"]
        start = entry_pose(self.battle.state, entry["edge"], entry["at"])
        _, end = manoeuvres.legs_of(start, files * self.regiment.profile.stand[0], entry["path"])
        return stand_ends(self.regiment, end, files, formation.arranged(self.regiment.stands, files))


@step
def enter(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """The first March of an arriving regiment; one that cannot come on goes on waiting (conquest.reinforce.failed)."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    limit, why = march.march_value(battle, regiment)
    default = battle.know(lambda: first_entry(battle, regiment, limit))
    if default is None:
        back_to_reserve(battle, regiment)
        return
    stands, files = regiment.stands, regiment.files
    fitting: dict[tuple[Base, ...], bool] = {}

    def drawn_up(answer: Any, formed: tuple[Stand, ...]) -> tuple[Stand, ...] | None:
        """The stands in these places, if the regiment can march on so; who stands where in them makes no difference."""
        regiment.stands, regiment.files = formed, answer["files"]
        where = entry_pose(state, answer["edge"], answer["at"])
        form = formation.blocks(regiment, where)
        if form not in fitting:
            fitting[form] = not entry_reasons(battle, regiment, where, answer["edge"], answer["path"], limit)
        regiment.stands, regiment.files = stands, files
        return formed if fitting[form] else None

    rules = ("conquest.reinforce.entry.placement", "conquest.reinforce.must-enter")
    mover = Entrant(battle, regiment, limit, default)
    answer = yield Move(regiment.side, "ask.enter", mover, None, rules, regiment_id, default)
    answer = mover.plan(answer).entry
    if not answer:
        back_to_reserve(battle, regiment)
        return
    edge, wish = answer["edge"], answer["files"]
    where = entry_pose(state, edge, answer["at"])
    regiment.stands = yield from dressing.dress(
        battle,
        regiment,
        wish,
        lambda start, settled: drawn_up(answer, formation.arranged(stands, wish, start, settled)),
    )
    regiment.files = wish
    _, end = manoeuvres.legs_of(where, formation.width(regiment), answer["path"])
    formation.put(regiment, end)
    regiment.where = "table"
    regiment.flags = (*regiment.flags, f"entry:{round(where[0], 3)}:{round(where[1], 3)}")
    regiment.arrived = state.round
    activation.change(state, actions=("march",))
    cited = ["conquest.reinforce.entry.placement", "conquest.action.first.reinforcement-must-march"]
    if edge != state.scenario.edges[regiment.side]:
        cited.append("conquest.reinforce.entry.any-edge")
    still = outside(state, regiment, end, edge)[1]
    if still:
        regiment.flags = (*regiment.flags, "entering", f"entering:{edge}")
        cited.append("conquest.reinforce.entry.second-march")
    battle.emit(
        "entered",
        *cited,
        *why,
        regiment=regiment_id,
        edge=edge,
        x=regiment.x,
        y=regiment.y,
        facing=regiment.facing,
        files=wish,
    )
    battle.push(entered, regiment_id, list(where), still, answer["path"])


@step
def entered(
    battle: Battle[State], regiment_id: str, where: list[float], still: bool, path: list[manoeuvres.Manoeuvre]
) -> Steps[None]:
    """It is on, or at least part of it is."""
    regiment = battle.state.regiment(regiment_id)
    start = (where[0], where[1], where[2])
    legs, _ = manoeuvres.legs_of(start, formation.width(regiment), path)
    push_lines(battle)
    yield from hooks.moment(battle, "marched", regiment, start=start, legs=tuple(legs))
    if not still and regiment.on_table:
        yield from hooks.moment(battle, "arrived", regiment)


@step
def enter_further(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """The second March, which must bring every stand on (conquest.reinforce.entry.second-march)."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    limit, _ = march.march_value(battle, regiment)
    here, edge = formation.pose(regiment), entry_edge(regiment)
    default = battle.know(lambda: second_march(battle, regiment, here, edge, limit))
    if default is None:
        forget_entry(regiment)
        back_to_reserve(battle, regiment)
        return

    def reasons_against(path: list[manoeuvres.Manoeuvre]) -> list[Reason]:
        reasons = manoeuvres.distance_reasons(path, formation.width(regiment), limit)
        run = march.trace(state, regiment, here, path, entering=True)
        reasons += run.reasons
        if run.overlaps:
            facts = {"regiments": list(run.overlaps)}
            reasons.append(Reason("conquest.regiment.legal-position.overlap", facts=facts))
        if not reasons and any(outside(state, regiment, run.end, edge)):
            reasons.append(Reason("conquest.reinforce.entry.second-march", facts={"march": limit}))
        return reasons

    def propose(rng: Rng) -> Any:
        return {"path": [manoeuvres.forward(math.floor(limit * rng.uniform(0.3, 1.0) * 100) / 100)]}

    rule = "conquest.reinforce.entry.second-march"
    mover = Marcher(regiment, here, limit, reasons_against, propose)
    answer = yield Move(regiment.side, "ask.march", mover, None, rule, regiment_id, {"path": default})
    path = mover.plan(answer).path
    forget_entry(regiment)
    yield from march.carry_out(battle, regiment, path, "marched", rule, "conquest.march.twice")
    if regiment.on_table:
        yield from hooks.moment(battle, "arrived", regiment)


def forget_entry(regiment: Regiment) -> None:
    regiment.flags = tuple(f for f in regiment.flags if not f.startswith("entering"))


def entry_edge(regiment: Regiment) -> str:
    return next((f.split(":")[1] for f in regiment.flags if f.startswith("entering:")), "")
