"""After the pursuits: nudging, post-combat pivots and combat reforms."""

from __future__ import annotations

from umpire.engine.battle import Battle
from umpire.engine.decisions import Face
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step

from .formation import Box, box, pivot
from .spacing import crowding, on_table, separation
from .state import State, Unit


def nudge_all(battle: Battle[State], units: tuple[str, ...], leaving: set[str]) -> None:
    """Units that lost contact when boundaries shrank are brought back by the shortest straight way
    (t9a.melee.nudge.who)."""
    state = battle.state
    order = sorted(units, key=lambda key: state.unit(key).side != state.active)
    for pair in list(state.pairs):
        if pair.a not in units and pair.b not in units:
            continue
        if pair.a in leaving or pair.b in leaving:
            continue
        a, b = state.unit(pair.a), state.unit(pair.b)
        if separation(box(state, a).corners(), box(state, b).corners()) <= 2e-3:
            continue
        mover, other = (a, b) if order.index(pair.a) < order.index(pair.b) else (b, a)
        if any(p for p in state.pairs_of(mover.id) if p is not pair and _touches(state, p.a, p.b)):
            mover, other = other, mover
        if nudge(battle, mover, other):
            continue
        state.pairs = [p for p in state.pairs if p is not pair]
        battle.emit("nudge-failed", "t9a.melee.nudge.fail", unit=mover.id)
        for unit in (a, b):
            if not state.engaged(unit.id):
                unit.free = True
                unit.freed_charging = unit.charging


def _touches(state: State, a: str, b: str) -> bool:
    return separation(box(state, state.unit(a)).corners(), box(state, state.unit(b)).corners()) <= 2e-3


def nudge(battle: Battle[State], mover: Unit, other: Unit) -> bool:
    """Straight forward, backward or sideways, as short as possible (t9a.melee.nudge.rules)."""
    state = battle.state
    here, there = box(state, mover), box(state, other)
    points = [here.local(x, y) for x, y in there.corners()]
    x0, x1 = min(p[0] for p in points), max(p[0] for p in points)
    y0, y1 = min(p[1] for p in points), max(p[1] for p in points)
    dx = x0 - here.w / 2 if x0 > here.w / 2 else x1 + here.w / 2 if x1 < -here.w / 2 else 0.0
    dy = y0 if y0 > 0 else y1 + here.d if y1 < -here.d else 0.0
    wx, wy = here.world(dx, dy)
    moved = Box(wx, wy, *here[2:])
    ring = moved.corners()
    if not on_table(state, moved):
        return False
    for unit in state.table():
        if unit.id in (mover.id, other.id):
            continue
        gap = separation(ring, box(state, unit).corners())
        engaged = any(p.other(mover.id) == unit.id for p in state.pairs_of(mover.id))
        if gap < -1e-6 or (gap <= 1e-6 and not engaged):
            return False
    if abs(separation(ring, there.corners())) > 2e-3:
        return False
    mover.x, mover.y = wx, wy
    battle.emit("nudged", "t9a.melee.nudge.rules", "t9a.melee.nudge.who", unit=mover.id)
    return True


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


@step
def reforms(battle: Battle[State]) -> None:
    """Combat reforms."""
    state = battle.state
    for unit in state.table():
        unit.must_reform = False
