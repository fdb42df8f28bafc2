"""Combat reforms: units still engaged are taken up and put back flush with their enemy."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, ChooseSeveral, Ends, Form, Move, Mover, Option, Order, spot
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.space import spans
from umpire.space.angles import turn_between
from umpire.space.ranks import contact as shared
from umpire.text import Text

from . import fighting, psychology, rearranging, reforming, spacing
from .after_combat import TOUCH, charged_anew
from .formation import EPS, Box, box, layout
from .picture import standing_at
from .spacing import off_table, on_table, separation
from .state import Pair, State, Unit


@step
def reforms(battle: Battle[State]) -> Steps[None]:
    """The active player names the units that will try and takes their tests, then the other one; then it is settled who
    reforms first (t9a.melee.post.reform.declare, t9a.melee.post.reform.order)."""
    state = battle.state
    now = state.round
    assert now is not None
    able: list[list[str]] = [[], []]
    # Who has pursued into somebody else is engaged anew, not still, and so is whom he has met.
    chasing = {move[0] for move in now.pursuits}
    here = [key for key in now.units if state.engaged(key) and key not in chasing]
    here = [key for key in here if not charged_anew(state, now, key)]
    for side in (state.active, 1 - state.active):
        engaged = [key for key in here if state.unit(key).side == side]
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
            if named:
                battle.emit("will-reform", "t9a.melee.post.reform.declare", units=list(named))
        for key in must:
            battle.emit("must-reform", "t9a.charge.misaligned.must-reform", unit=key)
        able[side] = [key for key in chosen if passes_test(battle, key)]
    first = state.active
    if able[0] and able[1]:
        answer = yield Choose(
            state.active, "ask.reform-first", ["side.0", "side.1"], "t9a.melee.post.reform.order"
        )  # fmt: skip
        first = int(answer[-1])
        battle.emit("reforms-first", "t9a.melee.post.reform.order", player=Text(answer))
    battle.plan(*[(side_reforms, side, tuple(able[side])) for side in (first, 1 - first) if able[side]])


@step
def side_reforms(battle: Battle[State], side: int, units: Sequence[str]) -> Steps[None]:
    """All reforms of one player, in an order of his choice; what they must keep is judged when all are done
    (t9a.melee.post.reform.order, t9a.melee.post.reform.evaluation)."""
    state = battle.state
    now = state.round
    assert now is not None
    order = list(units)
    if len(order) > 1:
        options = [Option(key, None, (key,)) for key in order]
        order = yield Order(side, "ask.reform-order", options, "t9a.melee.post.reform.order")
        battle.emit("reforms-together", "t9a.melee.post.reform.evaluation", units=list(order))
    now.held = tuple(touching_heroes(state, now.units))
    battle.plan(*[(combat_reform, key, tuple(order[n + 1 :])) for n, key in enumerate(order)])


def touching_heroes(state: State, units: Sequence[str]) -> list[str]:
    """The attached models of these units that touch an enemy."""
    found: dict[str, None] = {}
    for key in units:
        if state.unit(key).where == "table":
            cells = layout(state, state.unit(key)).cells
            touched = [j for foe in state.foes(key) for j, _ in fighting.touch(state, state.unit(key), foe)]
            found |= dict.fromkeys(cells[j].pool for j in sorted(touched) if state.pools[cells[j].pool].attachable)
    return list(found)


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
    if psychology.passes_by_rule(state, unit, "reform"):
        battle.emit("test-passed", "t9a.rule.mindless", "t9a.melee.post.reform.test", unit=key)
        return True
    return psychology.take_test(battle, unit, "reform", "t9a.melee.post.reform.test")


class Reformed(NamedTuple):
    """A combat reform: where it ends, in how many files, and every reason against it."""

    reasons: tuple[Reason, ...]
    end: Box
    files: int


class CombatReform(Mover[Reformed]):
    """Judges and finds combat reforms of a unit: flush with the enemy facing it is engaged with. A wish is taken to the
    nearest flush place along that facing; one that is far from it is none. `coming` are those of its side that reform
    after it."""

    def __init__(self, state: State, unit: Unit, coming: Sequence[str] = ()) -> None:
        super().__init__()
        self.state, self.unit, self.coming = state, unit, coming
        self.here = box(state, unit)
        self.pairs = state.pairs_of(unit.id)
        pair = self.pairs[0]
        self.foe = state.unit(pair.other(unit.id))
        self.face = pair.face(self.foe.id)
        self.edge = shared.edge_of(box(state, self.foe), self.face)
        cells = layout(state, unit).cells
        touching = {j for p in self.pairs for j, _ in fighting.touch(state, unit, p.other(unit.id))}
        self.models = len(touching)
        self.heroes = {cells[j].pool for j in touching if state.pools[cells[j].pool].attachable}
        most = reforming.most_files(state, unit, combat=True)
        self.most = most
        self.form = Form(
            ways=("to", "stay"), pieces=(unit.id,), start=spot(*self.here.centre, facing=unit.facing), facing=True,
            files=(max(1, unit.files - most), unit.files + most),
        )  # fmt: skip
        self._places: list[tuple[int, float]] | None = None

    @functools.cached_property
    def _others(self) -> dict[str, Box]:
        """Where all others stand: they stay there while it is thought of where this one may stand."""
        return {other.id: box(self.state, other) for other in self.state.table() if other.id != self.unit.id}

    def box_at(self, files: int, s: float) -> Box:
        w, d, _ = reforming.with_files(self.state, self.unit, files)
        return shared.flush_at(self.edge, s, w, d)

    def read(self, answer: Any) -> Reformed:
        unit = self.unit
        if answer.get("stay"):
            return Reformed(tuple(self.staying()), self.here, unit.files)
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
            yield Reason("t9a.def.table-edge.end", "reason.t9a.off-table", {"inches": round(off_table(state, end), 2)})
        ring = end.corners()
        before = [p.other(unit.id) for p in self.pairs]
        for other, there in self._others.items():
            if not spacing.near(end, there, 0.1):
                continue
            gap = separation(ring, there.corners())
            fresh = state.units[other].side != unit.side and other not in before and gap <= EPS
            if (gap < -EPS and other not in self.coming) or fresh:
                yield Reason("t9a.melee.post.reform.spacing", facts={"other": other})
        for piece in spacing.impassable(state):
            if separation(ring, piece.points) < -EPS:
                yield Reason("t9a.melee.post.reform.spacing", facts={"other": piece.id})
        for foe in before:
            if separation(ring, self._others[foe].corners()) > TOUCH:
                yield Reason("t9a.melee.post.reform.keep-enemies", facts={"other": foe})
        yield from self._contact(files, end)
        unsettled = list(self._unsettled(files, end))
        if unsettled and not self._can_be_settled(files, end):
            yield from unsettled

    def staying(self) -> Iterator[Reason]:
        """Why it may not stay as it is: those of its side that have reformed have left it something to do."""
        for other in self.state.table(self.unit.side):
            if other.id == self.unit.id or other.id in self.coming:
                continue
            if separation(self.here.corners(), box(self.state, other).corners()) < -EPS:
                yield Reason("t9a.melee.post.reform.spacing", facts={"other": other.id})
        if self.unit.must_reform and self.state.applies("t9a.charge.misaligned.must-reform"):
            # It must try, and has passed its test: it is asked only where there is a place for it.
            yield Reason("t9a.charge.misaligned.must-reform", facts={"unit": self.unit.id})
        unsettled = list(self._unsettled(self.unit.files, self.here))
        if unsettled and not self._can_be_settled(self.unit.files, self.here):
            yield from unsettled

    def _unsettled(self, files: int, end: Box) -> Iterator[Reason]:
        """What must be so when all of its side have reformed: nobody overlaps, and every attached model of the enemy
        that was touched still is (t9a.melee.post.reform.evaluation)."""
        state, unit = self.state, self.unit
        for other in self.coming:
            if separation(end.corners(), box(state, state.unit(other)).corners()) < -EPS:
                yield Reason("t9a.melee.post.reform.spacing", facts={"other": other})
        theirs = [p for p in (state.round.held if state.round else ()) if state.pools[p].side != unit.side]
        if not theirs:
            return
        with self._standing(files, end):
            now = touching_heroes(state, list(dict.fromkeys(state.pools[p].unit for p in theirs)))
        for pool in theirs:
            if pool not in now:
                yield Reason("t9a.melee.post.reform.attached-contact", facts={"who": pool})

    def _can_be_settled(self, files: int, end: Box) -> bool:
        """Can the next that reforms set it right?"""
        if not self.coming or not self.state.applies("t9a.melee.post.reform.evaluation"):
            return False
        with self._standing(files, end):
            follower = CombatReform(self.state, self.state.unit(self.coming[0]), self.coming[1:])
            return not list(follower.staying()) or next(follower.fitting(), None) is not None

    @contextmanager
    def _standing(self, files: int, end: Box) -> Iterator[None]:
        """As if it stood there."""
        state, unit = self.state, self.unit
        was = (unit.x, unit.y, unit.facing, unit.files, state.pairs)
        unit.x, unit.y, unit.facing, unit.files = end.x, end.y, end.facing, files
        state.pairs = [_faced(pair, unit.id) for pair in state.pairs]
        try:
            yield
        finally:
            unit.x, unit.y, unit.facing, unit.files, state.pairs = was

    def _contact(self, files: int, end: Box) -> Iterator[Reason]:
        """As many models touch as before, and every attached model that did (t9a.melee.post.reform.contact-count,
        t9a.melee.post.reform.attached-contact)."""
        state, unit = self.state, self.unit
        touched: set[int] = set()
        with self._standing(files, end):
            cells = layout(state, unit).cells
            for pair in state.pairs_of(unit.id):
                touched |= {j for j, _ in fighting.touch(state, unit, pair.other(unit.id))}
        if len(touched) < self.models:
            facts = {"models": len(touched), "least": self.models}
            yield Reason("t9a.melee.post.reform.contact-count", facts=facts)
        for pool in sorted(self.heroes - {cells[j].pool for j in touched}):
            yield Reason("t9a.melee.post.reform.attached-contact", facts={"who": pool})

    def places(self) -> list[tuple[int, float]]:
        """Flush places that are legal: for each number of files the far ends of what is free, the middle, and nearest
        to where it stands."""
        if self._places is None:
            self._places = list(self.fitting())
        return self._places

    def fitting(self) -> Iterator[tuple[int, float]]:
        """The same, one after the other."""
        state, unit = self.state, self.unit
        own = [unit.id, *(p.other(unit.id) for p in self.pairs), *self.coming]
        walls: list[tuple[str, Sequence[tuple[float, float]]]] = [
            (key, there.corners()) for key, there in self._others.items() if key not in own
        ]
        walls += [(piece.id, piece.points) for piece in spacing.impassable(state)]
        some_fit = False
        for every_one in (False, True):
            if some_fit:
                return
            for files, s in self._tried(walls, every_one):
                if next(standing(state, self.against(files, s, self.box_at(files, s))), None) is None:
                    some_fit = True
                    yield files, s

    def _tried(
        self, walls: Sequence[tuple[str, Sequence[tuple[float, float]]]], every_one: bool
    ) -> Iterator[tuple[int, float]]:
        """Flush places free of walls; `every_one`: one of each kind, for who touches whom changes only where a border
        of a base passes another's."""
        state, unit = self.state, self.unit
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
            if every_one:
                borders = sorted(
                    {v for v in self._borders(files, w) if any(a.low <= v <= a.high for a in free)} | marks
                )
                marks = {*borders, *((a + b) / 2 for a, b in itertools.pairwise(borders))}
                marks = {v for v in marks if any(a.low <= v <= a.high for a in free)}
            for s in sorted(marks):
                yield files, s

    def _borders(self, files: int, w: float) -> Iterator[float]:
        """Offsets at which a border of one of its bases lies level with a border of an enemy's."""
        state = self.state
        mine = sorted({x + w / 2 for c in reforming.with_files(state, self.unit, files)[2] for x in (c.x0, c.x1)})
        for pair in self.pairs:
            foe = state.unit(pair.other(self.unit.id))
            at = box(state, foe)
            for cell in layout(state, foe).cells:
                for x, y in ((cell.x0, cell.y0), (cell.x1, cell.y0), (cell.x1, cell.y1), (cell.x0, cell.y1)):
                    along = self.edge.along(*at.world(x, y))
                    for border in mine:
                        yield round(along - border, 9)

    def answer(self, files: int, s: float) -> Any:
        end = self.box_at(files, s)
        x, y = end.centre
        return {"to": {"x": x, "y": y, "facing": end.facing}, "files": files}

    def propose(self, rng: Rng) -> Any:
        found = self.places()
        return self.answer(*found[rng.below(len(found))]) if found else {"stay": True}

    def ends(self, answer: Any) -> Ends:
        plan = self.plan(answer)
        return standing_at(self.state, self.unit, plan.end.x, plan.end.y, plan.end.facing, plan.files)


@step
def combat_reform(battle: Battle[State], key: str, coming: Sequence[str] = ()) -> Steps[None]:
    """Picked up and put back flush with the enemy facing (t9a.melee.post.reform.flush)."""
    state = battle.state
    unit = state.unit(key)
    if unit.where != "table" or not state.engaged(key):
        return
    mover = CombatReform(state, unit, coming)
    found = mover._places = battle.know(mover.places)
    if not found:
        return
    moved_on = any(mover.staying())
    least = min(found, key=lambda place: (place[0] != unit.files, abs(place[1])))
    answer = yield Move(
        unit.side, "ask.combat-reform", mover, rules="t9a.melee.post.reform.flush", about=key,
        default=mover.answer(*least) if moved_on else {"stay": True},
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
    held = mover._contact
    yield from rearranging.rearrange(
        battle, unit, "combat-reform", rearranging.spots(state, unit), math.inf,
        keep=lambda: held(unit.files, plan.end),
    )  # fmt: skip


def _faced(pair: Pair, key: str) -> Pair:
    """After a combat reform a unit is engaged by its front, flush."""
    if key == pair.a:
        return msgspec.structs.replace(pair, a_face="front", flush=True)
    if key == pair.b:
        return msgspec.structs.replace(pair, b_face="front", flush=True)
    return pair
