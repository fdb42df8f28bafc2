"""After the pursuits: nudging, post-combat pivots and combat reforms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import permutations
from typing import Any, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.decisions import Face, Option, Order
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.miniatures import flight
from umpire.rulebook.deciding import decides

from . import rearranging, reforming, spacing
from .characteristics import mobility
from .formation import EPS, Box, box, pivot
from .spacing import on_table, separation
from .state import Round, State, Unit

TOUCH = 2e-3
"""Boundaries no further apart than this touch."""


@decides("t9a.def.contact.units")
def touches(state: State, a: Unit, b: Unit) -> bool:
    return separation(box(state, a).corners(), box(state, b).corners()) <= TOUCH


def nudge_all(battle: Battle[State], units: tuple[str, ...], leaving: set[str]) -> Steps[list[str]]:
    """Units that lost contact because boundaries changed are brought back (t9a.melee.nudge.who): the active player's
    first, of each side in the order that keeps the most engaged; where several do and it matters, its player decides
    (t9a.melee.nudge.order). Answers who could not be."""
    state = battle.state
    failed: list[str] = []
    for side in (state.active, 1 - state.active):
        lost = _all_lost(state, units, leaving, side)
        orders = _best_orders(state, lost, leaving)
        order = orders.best[0]
        if orders.tied:
            order = yield Order(
                side, "ask.nudge-order", [Option(key, None, (key,)) for key in order], "t9a.melee.nudge.order",
                judge=orders.judge,
            )  # fmt: skip
        if len(lost) > 1:
            battle.emit("nudge-order", "t9a.melee.nudge.order", units=list(order))
        for key in order:
            if _brought_back(state, key, leaving):
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
                rules = ("t9a.melee.nudge.fail", "t9a.melee.no-more-foes", "t9a.def.contact.units")
                battle.emit("nudge-failed", *rules, unit=unit.id)
                failed.append(unit.id)
                unit.free = True
                unit.freed_charging = unit.charging
    after = len(_groups(state, units))
    if after > before:
        battle.emit("split", "t9a.melee.nudge.split", units=[key for key in units if state.engaged(key)])
    return failed


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


def _all_lost(state: State, units: Sequence[str], leaving: set[str], side: int) -> list[str]:
    return [key for key in units if key not in leaving and state.unit(key).side == side and _lost(state, key, leaving)]


def _brought_back(state: State, key: str, leaving: set[str]) -> bool:
    """Nudge a unit that touches no enemy, if it can be."""
    unit = state.unit(key)
    end = nudge(state, unit, leaving) if _lost(state, key, leaving) else None
    if end is not None:
        unit.x, unit.y = end.x, end.y
    return end is not None


class Orders(NamedTuple):
    """The orders of nudging that keep the most units engaged, how many that are, and whether it matters which."""

    best: list[list[str]]
    most: int = 0
    tied: bool = False

    def judge(self, answer: list[str]) -> list[Reason]:
        return [] if answer in self.best else [Reason("t9a.melee.nudge.order", facts={"most": self.most})]


def _best_orders(state: State, lost: list[str], leaving: set[str]) -> Orders:
    if len(lost) < 2 or len(lost) > 4 or not state.applies("t9a.melee.nudge.order"):
        return Orders([lost])
    found: dict[int, dict[tuple[Any, ...], list[list[str]]]] = {}
    for order in permutations(lost):
        with _as_they_stand(state, lost):
            for key in order:
                _brought_back(state, key, leaving)
            kept = sum(not _lost(state, key, leaving) for key in lost)
            ends = tuple([(round(state.unit(key).x, 6), round(state.unit(key).y, 6)) for key in lost])
        found.setdefault(kept, {}).setdefault(ends, []).append(list(order))
    most = max(found)
    return Orders([order for orders in found[most].values() for order in orders], most, len(found[most]) > 1)


@contextmanager
def _as_they_stand(state: State, keys: Sequence[str]) -> Iterator[None]:
    """Whatever is tried with some units, they stand again where they stood."""
    places = {key: (state.unit(key).x, state.unit(key).y) for key in keys}
    try:
        yield
    finally:
        for key, (x, y) in places.items():
            state.unit(key).x, state.unit(key).y = x, y


def nudge_now(battle: Battle[State], units: tuple[str, ...]) -> None:
    """The same outside the Melee Phase: at once, or as soon as its player can be asked about the order."""
    state = battle.state
    asks = False
    with _as_they_stand(state, units):
        for side in (state.active, 1 - state.active):
            orders = _best_orders(state, _all_lost(state, units, set(), side), set())
            asks = asks or orders.tied
            for key in orders.best[0]:
                _brought_back(state, key, set())
    if asks:
        battle.push(nudging, list(units))
    else:
        next(nudge_all(battle, units, set()), None)


@step
def nudging(battle: Battle[State], units: Sequence[str]) -> Steps[None]:
    yield from nudge_all(battle, tuple(units), set())


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


def charged_anew(state: State, now: Round, key: str) -> bool:
    """Is it engaged with nobody but such as it did not fight in this round?"""
    fought = {p.other(key) for p in now.pairs if key in (p.a, p.b)}
    return state.engaged(key) and not any(foe in fought for foe in state.foes(key))


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
    answer = yield Face(
        unit.side,
        "ask.post-pivot",
        lambda facing: reforming.turn_reasons(state, unit, float(facing)),
        lambda rng: unit.facing if rng.below(2) else round(rng.uniform(0, 360), 1),
        "t9a.melee.post.pivot",
        key,
        default=unit.facing,
    )
    if float(answer) % 360.0 == unit.facing:
        return
    at, starts = pivot(here, float(answer) - unit.facing), rearranging.spots(state, unit)
    unit.x, unit.y, unit.facing = at.x, at.y, float(answer) % 360.0
    unit.no_charge = state.player_turn + 1
    battle.emit("pivoted", "t9a.melee.post.pivot", "t9a.melee.post.pivot-no-charge", unit=key, facing=unit.facing)
    yield from rearranging.rearrange(battle, unit, "pivot", starts, 2 * mobility(state, unit))
