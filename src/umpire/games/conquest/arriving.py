"""Arriving: a regiment that is due marches on, or goes on waiting (conquest.reinforce.entry.*, .failed)."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Ends, Form, Move, Mover, Route
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.miniatures.manners import manners

from . import activation, dressing, drill, formation, hooks, manoeuvres, march, overlapping, ranked
from .entry import (
    entry_files,
    entry_place_reasons,
    entry_points,
    entry_pose,
    entry_reasons,
    first_entry,
    may_enter,
    outside,
    second_march,
)
from .mover import MARCHED, Marcher, stand_ends
from .reinforcement import EDGES, from_edge, push_lines
from .state import Regiment, Stand, State


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

    answered_by = MARCHED

    def __init__(self, battle: Battle[State], regiment: Regiment, limit: float, found: dict[str, Any] | None) -> None:
        super().__init__()
        self.battle, self.regiment, self.limit, self.found = battle, regiment, limit, found
        self.told: dict[Any, list[Reason]] = {}
        self.default: dict[str, Any] = found or {"stay": True, "files": entry_files(regiment)[0], "at": 0.0}

    @functools.cached_property
    def form(self) -> Form:  # type: ignore[override]  # read by who shows the question, not by who answers it
        allowed = formation.files_allowed(self.regiment)
        return Form(
            ways=MARCHED,
            pieces=tuple([stand.id for stand in self.regiment.stands]),
            limit=round(self.limit, 3),
            manners=manners(self.default["files"] * self.regiment.profile.stand[0], drill.HOWS),
            files=(allowed[0], allowed[-1]),
            edges=tuple(EDGES),
        )

    @property
    def answer(self) -> dict[str, Any]:
        """What is legal in any case."""
        return self.found or {"stay": True}

    def read(self, answer: Any) -> Entered:
        if "stay" in answer:
            return Entered(
                [Reason("conquest.reinforce.must-enter", facts={"regiment": self.regiment.id})] if self.found else [],
                {},
            )
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
            path = [drill.forward(max(0.0, from_edge(state, edge, x, y)))]
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
        """Every reason against an entry, judged by the regiment as it would be in the formation wished for."""
        stands, wish = self.regiment.stands, entry["files"]
        if not 1 <= wish <= len(stands):
            return [Reason("conquest.reinforce.entry.legal", facts={"files": wish})]
        if wish < formation.least_files(len(stands)):
            return [Reason("conquest.regiment.front-rank-minimum", facts={"front": wish, "stands": len(stands)})]
        malformed = manoeuvres.well_formed(entry["path"])
        if malformed:
            return malformed
        state, edge, at = self.battle.state, entry["edge"], entry["at"]
        reasons = entry_place_reasons(state, self.regiment, edge, at, wish * self.regiment.profile.width)
        told: list[Reason] = []
        for formed in self._formed(wish):
            found = self.against(formed, entry)
            if not found:
                return reasons
            told = told or found
        return reasons + told

    def _formed(self, wish: int) -> Iterator[Regiment]:
        """The regiment in so many files, its last rank wherever that may stand."""
        stands = self.regiment.stands
        for start in ranked.rear_starts(len(stands), wish):
            yield ranked.formed(self.regiment, formation.arranged(stands, wish, start), wish)

    def against(self, formed: Regiment, entry: dict[str, Any]) -> list[Reason]:
        """Every reason why it cannot march on in this form, found once: who stands where in it makes no difference."""
        where = entry_pose(self.battle.state, entry["edge"], entry["at"])
        key = ranked.blocks(formed, where), msgspec.json.encode(entry["path"])
        if key not in self.told:
            found = entry_reasons(self.battle, formed, where, entry["edge"], entry["path"], self.limit)
            self.told[key] = list(found)
        return self.told[key]

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
        if not points or self.found is None:
            return self.answer
        part = 1.0 if rng.random() < 0.8 else rng.random()
        path, at = [drill.forward(math.floor(self.limit * part * 100) / 100)], rng.choice(points)
        if rng.random() < 0.8:  # whether a second March leads out of a friend again is long in the telling
            formed = ranked.formed(regiment, formation.arranged(regiment.stands, wish), wish)
            end = drill.legs_of(entry_pose(state, edge, at), wide, path)[1]
            if overlapping.friend_at(state, formed, end):
                return None
        entry = {"edge": edge, "at": at, "files": wish, "path": path}
        return entry if state.without or self._simply(entry) else None

    def _simply(self, entry: dict[str, Any]) -> bool:
        """Can it march on so, and if a second March must follow, by one wheel at most? That no more wheels lead on or
        out of a friend either is long in the telling, and needs not be known of what is only proposed."""
        state, edge, at, wish = self.battle.state, entry["edge"], entry["at"], entry["files"]
        if entry_place_reasons(state, self.regiment, edge, at, wish * self.regiment.profile.width):
            return False
        where = entry_pose(state, edge, at)
        ways = (may_enter(self.battle, formed, where, edge, entry["path"], self.limit) for formed in self._formed(wish))
        if not any(ways):
            return False
        self.remember(entry, Entered([], entry))
        return True

    def nearest(self, answer: Any) -> Any:
        """As far on from the same point of the edge as is legal, else where it can come on at all."""
        entry = self.plan(answer).entry
        if "edge" not in entry or manoeuvres.well_formed(entry["path"]):
            return self.answer
        wide = entry["files"] * self.regiment.profile.stand[0]
        path = drill.longest(entry["path"], wide, self.limit, lambda part: self.fits({**entry, "path": part}))
        return {**entry, "path": path} if path else self.answer

    def route(self, answer: Any) -> Route:
        entry = self.plan(answer).entry
        if not entry:
            return {}
        wide = entry["files"] * self.regiment.profile.stand[0]
        start = entry_pose(self.battle.state, entry["edge"], entry["at"])
        return {self.regiment.id: drill.route(start, wide, entry["path"])}

    def spelt(self, answer: Any) -> Any:
        return self.plan(answer).entry or answer

    def ends(self, answer: Any) -> Ends:
        entry = self.plan(answer).entry
        if not entry:
            return {}
        files = entry["files"]
        start = entry_pose(self.battle.state, entry["edge"], entry["at"])
        _, end = drill.legs_of(start, files * self.regiment.profile.stand[0], entry["path"])
        return stand_ends(self.regiment, end, files, formation.arranged(self.regiment.stands, files))


@step
def enter(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """The first March of an arriving regiment; one that cannot come on goes on waiting (conquest.reinforce.failed)."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    limit, why = battle.know(lambda: march.march_value(battle, regiment))
    found, hopeless = battle.know(lambda: first_entry(battle, regiment, limit))
    if hopeless:
        back_to_reserve(battle, regiment)
        return
    stands = regiment.stands
    rules = ("conquest.reinforce.entry.placement", "conquest.reinforce.must-enter")
    mover = Entrant(battle, regiment, limit, found)
    prompt = "ask.enter" if found is not None else "ask.enter-if"
    answer = yield Move(regiment.side, prompt, mover, None, rules, regiment_id, mover.answer)
    answer = mover.plan(answer).entry
    if not answer:
        back_to_reserve(battle, regiment)
        return
    edge, wish = answer["edge"], answer["files"]
    where = entry_pose(state, edge, answer["at"])

    def drawn_up(start: int, settled: dressing.Spots) -> tuple[Stand, ...] | None:
        formed = formation.arranged(stands, wish, start, settled)
        return None if mover.against(ranked.formed(regiment, formed, wish), answer) else formed

    regiment.stands = yield from dressing.dress(battle, regiment, wish, drawn_up)
    regiment.files = wish
    _, end = drill.legs_of(where, ranked.width(regiment), answer["path"])
    ranked.put(regiment, end)
    regiment.where = "table"
    regiment.flags = (*regiment.flags, f"entry:{round(where[0], 3)}:{round(where[1], 3)}")
    regiment.arrived = state.round
    activation.change(state, actions=("march",))
    cited = ["conquest.reinforce.entry.placement", "conquest.action.first.reinforcement-must-march"]
    if edge != state.scenario.edges[regiment.side]:
        cited.append("conquest.reinforce.entry.any-edge")
    among = bool(overlapping.overlapped(state, regiment, end))
    still = among or outside(state, regiment, end, edge)[1]
    if still:
        regiment.flags = (*regiment.flags, "entering", f"entering:{edge}")
    if outside(state, regiment, end, edge)[1]:
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
    if among:
        battle.emit("inside-friend", "conquest.march.through-friends.two-actions", regiment=regiment_id)
    battle.push(entered, regiment_id, list(where), still, answer["path"])


@step
def entered(
    battle: Battle[State], regiment_id: str, where: list[float], still: bool, path: list[drill.Manoeuvre]
) -> Steps[None]:
    """It is on, or at least part of it is."""
    regiment = battle.state.regiment(regiment_id)
    start = (where[0], where[1], where[2])
    legs, _ = drill.legs_of(start, ranked.width(regiment), path)
    push_lines(battle)
    yield from hooks.moment(battle, "marched", regiment, start=start, legs=tuple(legs))
    if not still and regiment.on_table:
        yield from hooks.moment(battle, "arrived", regiment)


@step
def enter_further(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """The second March, which must bring every stand on (conquest.reinforce.entry.second-march)."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    limit, _ = battle.know(lambda: march.march_value(battle, regiment))
    here, edge = ranked.pose(regiment), entry_edge(regiment)
    default, hopeless = battle.know(lambda: second_march(battle, regiment, here, edge, limit))
    if hopeless:
        forget_entry(regiment)
        back_to_reserve(battle, regiment)
        return
    own = default is None

    def reasons_against(path: list[drill.Manoeuvre]) -> list[Reason]:
        return [] if own and not path else list(entry_reasons(battle, regiment, here, edge, path, limit, last=True))

    def propose(rng: Rng) -> Any:
        path = [drill.forward(math.floor(limit * rng.uniform(0.3, 1.0) * 100) / 100)]
        return {"path": path if may_enter(battle, regiment, here, edge, path, limit, last=True) else default or []}

    rule = "conquest.reinforce.entry.second-march"
    mover = Marcher(regiment, here, limit, reasons_against, propose)
    prompt = "ask.march-if" if own else "ask.march"
    answer = yield Move(regiment.side, prompt, mover, None, rule, regiment_id, {"path": default or []})
    path = mover.plan(answer).path
    forget_entry(regiment)
    if own and not path:
        back_to_reserve(battle, regiment)
        return
    yield from march.carry_out(battle, regiment, path, "marched", rule, "conquest.march.twice")
    if regiment.on_table:
        yield from hooks.moment(battle, "arrived", regiment)


def forget_entry(regiment: Regiment) -> None:
    regiment.flags = tuple(f for f in regiment.flags if not f.startswith("entering"))


def entry_edge(regiment: Regiment) -> str:
    return next((f.split(":")[1] for f in regiment.flags if f.startswith("entering:")), "")
