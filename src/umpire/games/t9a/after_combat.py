"""After the pursuits: nudging, post-combat pivots and combat reforms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from umpire.engine.battle import Battle
from umpire.engine.decisions import (
    Face,
)
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


def nudge_all(battle: Battle[State], units: tuple[str, ...], leaving: set[str]) -> list[str]:
    """Units that lost contact because boundaries changed are brought back (t9a.melee.nudge.who): the active player's
    first, of each side in the order that keeps the most engaged (t9a.melee.nudge.order). Answers who could not be."""
    state = battle.state
    failed: list[str] = []
    for side in (state.active, 1 - state.active):
        lost = [
            key for key in units if key not in leaving and state.unit(key).side == side and _lost(state, key, leaving)
        ]
        if len(lost) > 1:
            battle.emit("nudge-order", "t9a.melee.nudge.order", units=_best_order(state, lost, leaving))
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
