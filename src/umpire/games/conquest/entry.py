"""Marching on: where arriving regiments enter, how far, and what if they cannot (conquest.reinforce.entry.*)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Move, Route, number_ok
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.space.angles import turn_between
from umpire.space.measure import bounds
from umpire.space.moving import Leg
from umpire.space.shapes import TOLERANCE, Base

from . import activation, dressing, formation, hooks, manoeuvres, march, table
from .formation import Pose
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


@step
def enter(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """The first March of an arriving regiment; one that cannot come on goes on waiting (conquest.reinforce.failed)."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    limit, why = march.march_value(battle, regiment)
    default = first_entry(battle, regiment, limit)
    if default is None:
        back_to_reserve(battle, regiment)
        return
    stands, files = regiment.stands, regiment.files

    def formed(answer: Any) -> list[Reason]:
        """Take the formation wished for, while the answer is judged."""
        wish = answer.get("files")
        if type(wish) is not int or not 1 <= wish <= len(stands):
            return [Reason("conquest.reinforce.entry.legal", facts={"files": str(wish)[:20]})]
        if wish < formation.least_files(len(stands)):
            facts = {"front": wish, "stands": len(stands)}
            return [Reason("conquest.regiment.front-rank-minimum", facts=facts)]
        regiment.stands, regiment.files = formation.arranged(stands, wish), wish
        return []

    known: dict[str, list[Reason]] = {}

    def judge(answer: Any) -> list[Reason]:
        """Answers are judged when they are proposed and again when they are given: the word on them is remembered."""
        key = repr(answer)
        if key not in known:
            known[key] = entry_ruling(answer)
        return known[key]

    def entry_ruling(answer: Any) -> list[Reason]:
        edge, at = answer.get("edge"), answer.get("at")
        if answer.get("stay"):
            return [Reason("conquest.reinforce.must-enter")]
        if type(edge) is not str or edge not in EDGES or not number_ok(at) or "path" not in answer:
            return [Reason("conquest.reinforce.entry.placement", "reason.entry.form")]
        try:
            reasons = formed(answer) or manoeuvres.well_formed(answer["path"])
            if reasons:
                return reasons
            reasons = entry_place_reasons(state, regiment, edge, at, formation.width(regiment))
            where = entry_pose(state, edge, at)
            return reasons + entry_reasons(battle, regiment, where, edge, answer["path"], limit)
        finally:
            regiment.stands, regiment.files = stands, files

    def propose(rng: Rng) -> Any:
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
        inches = math.floor(limit * part * 100) / 100
        return {"edge": edge, "at": rng.choice(points), "files": wish, "path": [manoeuvres.forward(inches)]}

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

    def walked(answer: Any) -> Route:
        wide = answer["files"] * regiment.profile.stand[0]
        return {regiment_id: manoeuvres.route(entry_pose(state, answer["edge"], answer["at"]), wide, answer["path"])}

    def nearest(answer: Any) -> Any:
        """As far on from the same point of the edge as is legal, else where it can come on at all."""
        wish = answer.get("files")
        if type(wish) is not int or "path" not in answer or manoeuvres.well_formed(answer["path"]):
            return default
        wide = wish * regiment.profile.stand[0]
        path = manoeuvres.longest(answer["path"], wide, limit, lambda part: not judge({**answer, "path": part}))
        return {**answer, "path": path} if path else default

    answer = yield Move(
        regiment.side, "ask.enter", judge, propose, rules, regiment_id, default, nearest=nearest, walked=walked
    )
    edge, wish = answer["edge"], answer["files"]
    where = entry_pose(state, edge, answer["at"])
    regiment.stands = yield from dressing.dress(
        regiment, wish, lambda start, settled: drawn_up(answer, formation.arranged(stands, wish, start, settled))
    )
    regiment.files = wish
    _, end = manoeuvres.legs_of(where, formation.width(regiment), answer["path"])
    formation.put(regiment, end)
    regiment.where = "table"
    regiment.flags = (*regiment.flags, f"entry:{round(where[0], 3)}:{round(where[1], 3)}")
    regiment.arrived = state.round
    activation.change(state, actions=("march",))
    cited = ["conquest.reinforce.entry.placement", "conquest.reinforce.entry.legal", "conquest.reinforce.must-enter"]
    cited += ["conquest.action.first.reinforcement-must-march", "conquest.reinforce.off-table-start"]
    if edge != state.scenario.edges[regiment.side]:
        cited += ["conquest.reinforce.entry.any-edge", "conquest.reinforce.entry.not-beyond-enemy"]
    still = outside(state, regiment, end, edge)[1]
    if still:
        regiment.flags = (*regiment.flags, "entering", f"entering:{edge}")
        cited.append("conquest.reinforce.entry.second-march")
    battle.emit(
        "entered",
        *cited,
        *why,
        *formation.rules_of_form(regiment),
        *manoeuvres.rules_of_path(answer["path"]),
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
    default = second_march(battle, regiment, here, edge, limit)
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

    def fits(path: list[manoeuvres.Manoeuvre]) -> bool:
        return not reasons_against(path)

    def judge(answer: Any) -> list[Reason]:
        path: Any = manoeuvres.path_of(regiment, here, answer, fits)
        return list(path) if path and isinstance(path[0], Reason) else reasons_against(path)

    def propose(rng: Rng) -> Any:
        return {"path": [manoeuvres.forward(math.floor(limit * rng.uniform(0.3, 1.0) * 100) / 100)]}

    rule = "conquest.reinforce.entry.second-march"
    answer = yield Move(
        regiment.side, "ask.march", judge, propose, rule, regiment_id, {"path": default},
        nearest=lambda wish: manoeuvres.furthest(regiment, here, wish, limit, fits),
        walked=lambda wish: manoeuvres.route_of(regiment, here, wish, fits),
    )  # fmt: skip
    path: Any = manoeuvres.path_of(regiment, here, answer, fits)
    forget_entry(regiment)
    yield from march.carry_out(battle, regiment, path, "marched", rule, "conquest.march.twice")
    if regiment.on_table:
        yield from hooks.moment(battle, "arrived", regiment)


def forget_entry(regiment: Regiment) -> None:
    regiment.flags = tuple(f for f in regiment.flags if not f.startswith("entering"))


def entry_edge(regiment: Regiment) -> str:
    return next((f.split(":")[1] for f in regiment.flags if f.startswith("entering:")), "")
