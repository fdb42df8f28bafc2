"""After the pursuits: nudging, post-combat pivots and combat reforms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.decisions import Face, Option, Order
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides
from umpire.space.ranks import flight
from umpire.space.spans import Ring

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
        order = orders.order
        if orders.tied:
            order = yield Order(
                side, "ask.nudge-order", [Option(key, None, (key,)) for key in order], "t9a.melee.nudge.order",
                judge=partial(_judged, state, lost, leaving, orders.most),
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
    """An order of nudging that keeps the most units engaged, how many that are, and whether it matters which."""

    order: list[str]
    most: int = 0
    tied: bool = False


def _best_orders(state: State, lost: list[str], leaving: set[str]) -> Orders:
    """Orders in which those who cannot be in each other's way change places end alike: each crowd is looked at for
    itself."""
    if len(lost) < 2 or not state.applies("t9a.melee.nudge.order"):
        return Orders(lost)
    found = [_best_order(state, crowd, leaving) for crowd in _crowds(state, lost, leaving)]
    waiting = [list(one.order) for one in found]
    order: list[str] = []
    while heads := [rest[0] for rest in waiting if rest]:
        order.append(min(heads, key=lost.index))
        waiting = [rest[1:] if rest[:1] == order[-1:] else rest for rest in waiting]
    return Orders(order, sum(one.most for one in found), any(one.tied for one in found))


def _best_order(state: State, crowd: Sequence[str], leaving: set[str]) -> Orders:
    """The best of all orders. Where some of the crowd have been nudged it does not matter in which order they came to
    stand as they do: only one of these is carried on."""
    stand: dict[tuple[frozenset[str], Places], tuple[list[str], Places]] = {}
    start = _places(state, crowd)
    stand[frozenset(), start] = [], start
    for _ in crowd:
        on: dict[tuple[frozenset[str], Places], tuple[list[str], Places]] = {}
        for (done, _), (order, places) in stand.items():
            for key in [key for key in crowd if key not in done]:
                with _as_they_stand(state, crowd):
                    _put(state, crowd, places)
                    _brought_back(state, key, leaving)
                    ends = _places(state, crowd)
                same = tuple([(round(x, 6), round(y, 6)) for x, y in ends])
                on.setdefault((done | {key}, same), ([*order, key], ends))
        stand = on
    kept: dict[int, list[list[str]]] = {}
    for order, places in stand.values():
        with _as_they_stand(state, crowd):
            _put(state, crowd, places)
            kept.setdefault(sum(not _lost(state, key, leaving) for key in crowd), []).append(order)
    most = max(kept)
    return Orders(kept[most][0], most, len(kept[most]) > 1)


Places = tuple[tuple[float, float], ...]


def _places(state: State, keys: Sequence[str]) -> Places:
    return tuple([(state.unit(key).x, state.unit(key).y) for key in keys])


def _put(state: State, keys: Sequence[str], places: Places) -> None:
    for key, (x, y) in zip(keys, places, strict=True):
        state.unit(key).x, state.unit(key).y = x, y


def _judged(state: State, lost: list[str], leaving: set[str], most: int, order: Sequence[str]) -> list[Reason]:
    """An order must keep as many engaged as can be kept."""
    with _as_they_stand(state, lost):
        for key in order:
            _brought_back(state, key, leaving)
        kept = sum(not _lost(state, key, leaving) for key in lost)
    return [] if kept == most else [Reason("t9a.melee.nudge.order", facts={"most": most, "kept": kept})]


def _crowds(state: State, lost: Sequence[str], leaving: set[str]) -> list[list[str]]:
    """Those who may be in each other's way: the ground over which one of them may be nudged touches another's."""
    crowds: list[list[str]] = []
    rooms = {key: _room(state, state.unit(key), leaving) for key in lost}
    for key in lost:
        near = [
            crowd
            for crowd in crowds
            if any(separation(a, b) <= TOUCH for other in crowd for a in rooms[other] for b in rooms[key])
        ]
        merged = [*(other for crowd in near for other in crowd), key]
        crowds = [crowd for crowd in crowds if crowd not in near]
        crowds.append(sorted(merged, key=lost.index))
    return crowds


def _room(state: State, unit: Unit, leaving: set[str]) -> list[Ring]:
    """The ground that a unit may cover when it is nudged: from where it stands to where each nudge leads, whichever way
    round it goes."""
    here = box(state, unit)
    rooms: list[Ring] = []
    for foe in state.foes(unit.id):
        if foe not in leaving:
            by = flight.nudge(here, box(state, state.unit(foe)))
            x, y = here.world(by.right / 2, max(0.0, by.ahead))
            rooms.append(Box(x, y, here.ux, here.uy, here.w + abs(by.right), here.d + abs(by.ahead)).corners())
    return rooms


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
            for key in orders.order:
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
    if reforming.stays(unit, float(answer)):
        return
    at, starts = pivot(here, float(answer) - unit.facing), rearranging.spots(state, unit)
    unit.x, unit.y, unit.facing = at.x, at.y, float(answer) % 360.0
    unit.no_charge = state.player_turn + 1
    battle.emit("pivoted", "t9a.melee.post.pivot", "t9a.melee.post.pivot-no-charge", unit=key, facing=unit.facing)
    yield from rearranging.rearrange(battle, unit, "pivot", starts, 2 * mobility(state, unit))
