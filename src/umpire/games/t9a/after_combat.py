"""After the pursuits: nudging, post-combat pivots and combat reforms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import permutations
from typing import Any, NamedTuple

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import (
    Choose,
    ChooseSeveral,
    Ends,
    Face,
    Form,
    Move,
    Mover,
    Option,
    Stretch,
    spot,
)
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.miniatures import contact as shared
from umpire.miniatures import flight
from umpire.rulebook.deciding import decides
from umpire.space import spans
from umpire.space.angles import turn_between

from . import fighting, psychology, reforming, spacing
from .formation import EPS, Box, box, layout, pivot
from .spacing import crowding, on_table, separation
from .state import Pair, State, Unit

TOUCH = 2e-3
"""Boundaries no further apart than this touch."""


@decides("t9a.def.contact.units")
def touches(state: State, a: Unit, b: Unit) -> bool:
    return separation(box(state, a).corners(), box(state, b).corners()) <= TOUCH


def nudge_all(battle: Battle[State], units: tuple[str, ...], leaving: set[str]) -> None:
    """Units that lost contact because boundaries changed are brought back (t9a.melee.nudge.who): the active player's
    first, of each side in the order that keeps the most engaged (t9a.melee.nudge.order)."""
    state = battle.state
    for side in (state.active, 1 - state.active):
        lost = [
            key for key in units if key not in leaving and state.unit(key).side == side and _lost(state, key, leaving)
        ]
        for key in _best_order(state, lost, leaving):
            if _lost(state, key, leaving):
                end = nudge(state, state.unit(key), leaving)
                if end is not None:
                    unit = state.unit(key)
                    unit.x, unit.y = end.x, end.y
                    battle.emit("nudged", "t9a.melee.nudge.rules", "t9a.melee.nudge.who", unit=key)
    before = len(_groups(state, units))
    for pair in list(state.pairs):
        if pair.a in leaving or pair.b in leaving or pair.a not in units:
            continue
        a, b = state.unit(pair.a), state.unit(pair.b)
        if touches(state, a, b):
            continue
        state.pairs = [p for p in state.pairs if p is not pair]
        for unit in (a, b):
            if not state.engaged(unit.id):
                battle.emit("nudge-failed", "t9a.melee.nudge.fail", "t9a.melee.no-more-foes", unit=unit.id)
                unit.free = True
                unit.freed_charging = unit.charging
    after = len(_groups(state, units))
    if after > before:
        battle.emit("split", "t9a.melee.nudge.split", units=[key for key in units if state.engaged(key)])


def _groups(state: State, units: Sequence[str]) -> list[set[str]]:
    """Units linked by contact."""
    found: list[set[str]] = []
    for pair in state.pairs:
        if pair.a not in units and pair.b not in units:
            continue
        linked = [group for group in found if pair.a in group or pair.b in group]
        found = [group for group in found if group not in linked]
        found.append({pair.a, pair.b}.union(*linked))
    return found


def _lost(state: State, key: str, leaving: set[str]) -> bool:
    """Was it engaged with somebody who stays, and touches no enemy any more?"""
    unit = state.unit(key)
    foes = [state.unit(foe) for foe in state.foes(key)]
    staying = [foe for foe in foes if foe.id not in leaving]
    return unit.where == "table" and bool(staying) and not any(touches(state, unit, foe) for foe in foes)


def _best_order(state: State, lost: list[str], leaving: set[str]) -> list[str]:
    if len(lost) < 2 or len(lost) > 4 or not state.applies("t9a.melee.nudge.order"):
        return lost
    places = {key: (state.unit(key).x, state.unit(key).y) for key in lost}
    best, most = lost, -1
    for order in permutations(lost):
        kept = 0
        for key in order:
            unit = state.unit(key)
            if not _lost(state, key, leaving) or (end := nudge(state, unit, leaving)) is None:
                continue
            unit.x, unit.y = end.x, end.y
        kept = sum(not _lost(state, key, leaving) for key in lost)
        for key in lost:
            state.unit(key).x, state.unit(key).y = places[key]
        if kept > most:
            best, most = list(order), kept
    return best


def nudge(state: State, mover: Unit, leaving: set[str]) -> Box | None:
    """The shortest way back to a former foe, straight forward, backward or sideways or both, through nobody and against
    no new enemy, on the same facings (t9a.melee.nudge.rules); None if there is none."""
    here = box(state, mover)
    foes = [state.unit(foe) for foe in state.foes(mover.id) if foe not in leaving]
    options = sorted((flight.nudge(here, box(state, foe)).inches, k) for k, foe in enumerate(foes))
    for _, k in options:
        foe = foes[k]
        by = flight.nudge(here, box(state, foe))
        rings = [(o.id, box(state, o).corners()) for o in state.table() if o.id not in (mover.id, foe.id)]
        walls = [*rings, *((piece.id, tuple(piece.points)) for piece in spacing.impassable(state))]
        for sideways in (True, False):
            end = flight.nudged(here, by, sideways, walls)
            if end is None or not on_table(state, end):
                continue
            ring = end.corners()
            fresh = [o for o in state.table(1 - mover.side) if o not in foes and o.id not in state.foes(mover.id)]
            if any(separation(ring, box(state, o).corners()) <= EPS for o in fresh):
                continue
            if abs(separation(ring, box(state, foe).corners())) <= TOUCH:
                return end
    return None


@step
def pivots(battle: Battle[State]) -> None:
    """Units that are no longer engaged may pivot (t9a.melee.post.pivot)."""
    state = battle.state
    now = state.round
    assert now is not None
    chasing = {p[0] for p in now.pursuits}
    todo = []
    for key in now.units:
        unit = state.unit(key)
        if unit.where != "table" or unit.shaken or state.engaged(key):
            continue
        if key in chasing and key not in now.edge:
            continue
        todo.append(key)
    todo.sort(key=lambda key: state.unit(key).side != state.active)
    battle.plan(*[(pivot_step, key) for key in todo])


@step
def pivot_step(battle: Battle[State], key: str) -> Steps[None]:
    state = battle.state
    unit = state.unit(key)
    if unit.where != "table" or not state.applies("t9a.melee.post.pivot"):
        return
    here = box(state, unit)

    def judge(answer: float) -> list[Reason]:
        at = pivot(here, float(answer) - unit.facing)
        reasons = list(crowding(state, unit, at, 1.0)) if float(answer) % 360.0 != unit.facing else []
        if not on_table(state, at):
            reasons.append(Reason("t9a.def.table-edge.end"))
        return reasons

    answer = yield Face(
        unit.side,
        "ask.post-pivot",
        judge,
        lambda rng: unit.facing if rng.below(2) else round(rng.uniform(0, 360), 1),
        "t9a.melee.post.pivot",
        key,
        default=unit.facing,
    )
    if float(answer) % 360.0 == unit.facing:
        return
    at = pivot(here, float(answer) - unit.facing)
    unit.x, unit.y, unit.facing = at.x, at.y, float(answer) % 360.0
    unit.no_charge = state.player_turn + 1
    battle.emit("pivoted", "t9a.melee.post.pivot", "t9a.melee.post.pivot-no-charge", unit=key, facing=unit.facing)


# -- combat reforms ------------------------------------------------------------------------------------------------


@step
def reforms(battle: Battle[State]) -> Steps[None]:
    """The active player names the units that will try and takes their tests, then the other one; then it is settled who
    reforms first (t9a.melee.post.reform.declare, t9a.melee.post.reform.order)."""
    state = battle.state
    now = state.round
    assert now is not None
    able: list[list[str]] = [[], []]
    for side in (state.active, 1 - state.active):
        engaged = [key for key in now.units if state.unit(key).side == side and state.engaged(key)]
        fit = battle.know(partial(_fit, state, engaged))
        must = [
            key for key in fit if state.unit(key).must_reform and state.applies("t9a.charge.misaligned.must-reform")
        ]
        free = [key for key in fit if key not in must]
        chosen = list(must)
        if free:
            named = yield ChooseSeveral(
                side, "ask.combat-reforms", [Option(key, None, (key,)) for key in engaged], 0, len(engaged),
                "t9a.melee.post.reform.declare", judge=lambda keys: _all_fit(state, keys),
                propose=_some_of(free), default=[],
            )  # fmt: skip
            chosen += [key for key in named if key not in chosen]
        for key in must:
            battle.emit("must-reform", "t9a.charge.misaligned.must-reform", unit=key)
        able[side] = [key for key in chosen if passes_test(battle, key)]
    first = state.active
    if able[0] and able[1]:
        answer = yield Choose(
            state.active, "ask.reform-first", ["side.0", "side.1"], "t9a.melee.post.reform.order"
        )  # fmt: skip
        first = int(answer[-1])
    battle.plan(*[(combat_reform, key) for side in (first, 1 - first) for key in able[side]])


def _fit(state: State, keys: Sequence[str]) -> list[str]:
    return [key for key in keys if may_reform(state, key)]


def _all_fit(state: State, keys: Sequence[str]) -> list[Reason]:
    return [reason for key in keys for reason in reform_objections(state, key)]


def _some_of(keys: Sequence[str]) -> Callable[[Rng], list[str]]:
    return lambda rng: [key for key in keys if rng.below(3) == 0]


def reform_objections(state: State, key: str) -> Iterator[Reason]:
    """Only units still engaged, and on one facing only, may make a combat reform (t9a.melee.post.reform.eligible)."""
    facts = {"unit": key}
    unit = state.units.get(key)
    if unit is None or unit.where != "table" or unit.shaken or not state.engaged(key):
        yield Reason("t9a.melee.post.reform.eligible", facts=facts)
    elif len({pair.face(key) for pair in state.pairs_of(key)}) > 1:
        yield Reason("t9a.melee.post.reform.eligible", "reason.t9a.reform.facings", facts)


def may_reform(state: State, key: str) -> bool:
    if not state.engaged(key) or next(standing(state, reform_objections(state, key)), None) is not None:
        return False
    return next(CombatReform(state, state.unit(key)).fitting(), None) is not None


def passes_test(battle: Battle[State], key: str) -> bool:
    """The losers, and whoever is engaged in flank or rear, need a command test, one for both
    (t9a.melee.post.reform.test)."""
    state = battle.state
    now = state.round
    assert now is not None
    unit = state.unit(key)
    lost = now.winner not in (-1, unit.side)
    pressed = any(pair.face(key) != "front" for pair in state.pairs_of(key))
    if not (lost or pressed) or not state.applies("t9a.melee.post.reform.test"):
        return True
    return psychology.take_test(battle, unit, "reform", "t9a.melee.post.reform.test")


class Reformed(NamedTuple):
    """A combat reform: where it ends, in how many files, and every reason against it."""

    reasons: tuple[Reason, ...]
    end: Box
    files: int


class CombatReform(Mover[Reformed]):
    """Judges and finds combat reforms of a unit: flush with the enemy facing it is engaged with. A wish is taken to the
    nearest flush place along that facing; one that is far from it is none."""

    def __init__(self, state: State, unit: Unit) -> None:
        super().__init__()
        self.state, self.unit = state, unit
        self.here = box(state, unit)
        self.pairs = state.pairs_of(unit.id)
        pair = self.pairs[0]
        self.foe = state.unit(pair.other(unit.id))
        self.face = pair.face(self.foe.id)
        self.edge = shared.edge_of(box(state, self.foe), self.face)
        self.contacts = {p.other(unit.id): fighting.touch(state, unit, p.other(unit.id)) for p in self.pairs}
        most = reforming.most_files(state, unit, combat=True)
        self.most = most
        self.form = Form(
            ways=("to", "stay"), pieces=(unit.id,), start=spot(*self.here.centre, facing=unit.facing), facing=True,
            files=(max(1, unit.files - most), unit.files + most),
        )  # fmt: skip
        self._places: list[tuple[int, float]] | None = None

    def box_at(self, files: int, s: float) -> Box:
        w, d, _ = reforming.with_files(self.state, self.unit, files)
        return shared.flush_at(self.edge, s, w, d)

    def read(self, answer: Any) -> Reformed:
        unit = self.unit
        if answer.get("stay"):
            return Reformed((), self.here, unit.files)
        goal = answer.get("to") or {}
        files = answer.get("files", unit.files)
        if "x" not in goal or not 1 <= files <= 99:
            return Reformed((Reason("t9a.melee.post.reform.flush", facts={"unit": unit.id}),), self.here, unit.files)
        w, _, _ = reforming.with_files(self.state, unit, files)
        s = self.edge.along(goal["x"], goal["y"]) - w / 2
        end = self.box_at(files, s)
        reasons = list(self.against(files, s, end))
        turn = abs(turn_between(end.facing, goal.get("facing", end.facing)))
        away = math.dist(end.centre, (goal["x"], goal["y"]))
        if turn > 10.0 or away > 0.5:
            facts = {"degrees": round(turn, 1), "inches": round(away, 2)}
            reasons.append(Reason("t9a.melee.post.reform.flush", facts=facts))
        return Reformed(tuple(reasons), end, files)

    def against(self, files: int, s: float, end: Box) -> Iterator[Reason]:
        state, unit = self.state, self.unit
        if abs(files - unit.files) > self.most:
            yield Reason("t9a.melee.post.reform.files", facts={"files": files, "most": self.most})
        yield from reforming.formation_reasons(state, unit, files)
        if not on_table(state, end):
            yield Reason("t9a.def.table-edge.end")
        ring = end.corners()
        before = [p.other(unit.id) for p in self.pairs]
        for other in state.table():
            if other.id == unit.id:
                continue
            there = box(state, other)
            if not spacing.near(end, there, 0.1):
                continue
            gap = separation(ring, there.corners())
            fresh = other.side != unit.side and other.id not in before and gap <= EPS
            if gap < -EPS or fresh:
                yield Reason("t9a.melee.post.reform.spacing", facts={"other": other.id})
        for piece in spacing.impassable(state):
            if separation(ring, piece.points) < -EPS:
                yield Reason("t9a.melee.post.reform.spacing", facts={"other": piece.id})
        for foe in before:
            if separation(ring, box(state, state.unit(foe)).corners()) > TOUCH:
                yield Reason("t9a.melee.post.reform.keep-enemies", facts={"other": foe})
        yield from self._contact(files, end)

    def _contact(self, files: int, end: Box) -> Iterator[Reason]:
        """As many models touch as before, and every attached model that did (t9a.melee.post.reform.contact-count,
        t9a.melee.post.reform.attached-contact)."""
        state, unit = self.state, self.unit
        old_cells = layout(state, unit).cells
        mine_before = {j for pairs in self.contacts.values() for j, _ in pairs}
        heroes = {old_cells[j].pool for j in mine_before if state.pools[old_cells[j].pool].attachable}
        was = (unit.x, unit.y, unit.facing, unit.files, state.pairs)
        unit.x, unit.y, unit.facing, unit.files = end.x, end.y, end.facing, files
        mine_after: set[int] = set()
        lost: list[str] = []
        cells = layout(state, unit).cells
        for foe, pairs in self.contacts.items():
            other = state.unit(foe)
            face = next(p for p in self.pairs if p.other(unit.id) == foe).face(foe)
            now = spacing.contacts(state, unit, "front", other, face)
            mine_after |= {j for j, _ in now}
            theirs = layout(state, other).cells
            held = {theirs[k].pool for _, k in pairs if state.pools[theirs[k].pool].attachable}
            lost += sorted(held - {theirs[k].pool for _, k in now} - self._held_by_others(foe))
        unit.x, unit.y, unit.facing, unit.files, state.pairs = was
        if len(mine_after) < len(mine_before):
            facts = {"models": len(mine_after), "least": len(mine_before)}
            yield Reason("t9a.melee.post.reform.contact-count", facts=facts)
        lost += sorted(heroes - {cells[j].pool for j in mine_after})
        for pool in lost:
            yield Reason("t9a.melee.post.reform.attached-contact", facts={"who": pool})

    def _held_by_others(self, foe: str) -> set[str]:
        """Attached models of an enemy that others of one's own side touch."""
        state = self.state
        cells = layout(state, state.unit(foe)).cells
        found: set[str] = set()
        if not state.applies("t9a.melee.post.reform.evaluation"):
            return found
        for pair in state.pairs_of(foe):
            if pair.other(foe) != self.unit.id:
                found |= {cells[j].pool for j, _ in fighting.touch(state, state.unit(foe), pair.other(foe))}
        return found

    def places(self) -> list[tuple[int, float]]:
        """Flush places that are legal: for each number of files the far ends of what is free, the middle, and nearest
        to where it stands."""
        if self._places is None:
            self._places = list(self.fitting())
        return self._places

    def fitting(self) -> Iterator[tuple[int, float]]:
        """The same, one after the other."""
        state, unit = self.state, self.unit
        own = [unit.id, *(p.other(unit.id) for p in self.pairs)]
        walls: list[tuple[str, Sequence[tuple[float, float]]]] = [
            (o.id, box(state, o).corners()) for o in state.table() if o.id not in own
        ]
        walls += [(piece.id, piece.points) for piece in spacing.impassable(state)]
        for files in range(max(1, unit.files - self.most), unit.files + self.most + 1):
            if next(standing(state, reforming.formation_reasons(state, unit, files)), None) is not None:
                continue
            w, d, _ = reforming.with_files(state, unit, files)
            bars = [*shared.flush_bars(self.edge, w, d, walls)]
            bars += shared.table_bars(self.edge, w, d, (state.field.width, state.field.depth))
            wish = self.edge.along(*self.here.centre) - w / 2
            free = spans.free(-w, self.edge.length, bars, apart=EPS)
            marks = {v for span in free for v in (span.low, span.high, (span.low + span.high) / 2)}
            for v in (wish, (self.edge.length - w) / 2, 0.0, self.edge.length - w):
                near = spans.nearest(free, v)
                if near is not None:
                    marks.add(near)
            for s in sorted(marks):
                if next(standing(state, self.against(files, s, self.box_at(files, s))), None) is None:
                    yield files, s

    def answer(self, files: int, s: float) -> Any:
        end = self.box_at(files, s)
        x, y = end.centre
        return {"to": {"x": x, "y": y, "facing": end.facing}, "files": files}

    def propose(self, rng: Rng) -> Any:
        found = self.places()
        return self.answer(*found[rng.below(len(found))]) if found else {"stay": True}

    def ends(self, answer: Any) -> Ends:
        end = self.plan(answer).end
        return {self.unit.id: Stretch(x=round(end.x, 3), y=round(end.y, 3), facing=round(end.facing, 3))}


@step
def combat_reform(battle: Battle[State], key: str) -> Steps[None]:
    """Picked up and put back flush with the enemy facing (t9a.melee.post.reform.flush)."""
    state = battle.state
    unit = state.unit(key)
    if unit.where != "table" or not state.engaged(key):
        return
    mover = CombatReform(state, unit)
    found = mover._places = battle.know(mover.places)
    if not found:
        return
    least = min(found, key=lambda place: (place[0] != unit.files, abs(place[1])))
    answer = yield Move(
        unit.side, "ask.combat-reform", mover, rules="t9a.melee.post.reform.flush", about=key,
        default=mover.answer(*least) if unit.must_reform else {"stay": True},
    )  # fmt: skip
    unit.must_reform = False
    if answer.get("stay"):
        return
    plan = mover.plan(answer)
    unit.x, unit.y, unit.facing, unit.files = plan.end.x, plan.end.y, plan.end.facing, plan.files
    state.pairs = [_faced(pair, key) for pair in state.pairs]
    for foe in state.foes(key):
        state.unit(foe).must_reform = False
    spacing.note_closeness(state, unit)
    battle.emit("combat-reform", "t9a.melee.post.reform.flush", unit=key, files=unit.files)


def _faced(pair: Pair, key: str) -> Pair:
    """After a combat reform a unit is engaged by its front, flush."""
    if key == pair.a:
        return msgspec.structs.replace(pair, a_face="front", flush=True)
    if key == pair.b:
        return msgspec.structs.replace(pair, b_face="front", flush=True)
    return pair
