"""Pursuit and overrun moves, and the moves of random movers that are made like them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import Literal, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Move, Option, Order, pieces
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.space import spans
from umpire.space.angles import turn_between
from umpire.space.ranks import contact as shared
from umpire.space.ranks import flight, manoeuvres
from umpire.space.spans import Bar, Ring

from . import aligning, casualties, charge_ground, combined_charges, spacing, terrain
from .charge_moves import land, put
from .courses import Budget
from .formation import EPS, Box, arc_of, box, pivot
from .model_rules import every
from .move_paths import Manoeuvre
from .spacing import STANDOFF, between, separation, skyline, within
from .state import Facing, State, Unit
from .values import throw_sum

How = Literal["pursuit", "overrun", "random"]


def may_pursue(state: State, unit: Unit) -> bool:
    """Emplaced units make no pursuit moves (t9a.rule.emplaced)."""
    return not every(state, unit, "t9a.rule.emplaced")


def roll_distance(battle: Battle[State], unit: Unit, purpose: str = "pursuit") -> int:
    """2D6, or X of Random Movement; what maximises a pursuit maximises the move of a random mover too
    (t9a.melee.break.pursuit-roll, t9a.rule.random-movement.distance)."""
    from . import random_movement

    state = battle.state
    count, plus, rule = random_movement.run(state, unit, "t9a.melee.break.pursuit-roll")
    return throw_sum(battle, count, purpose, rule, changed(state, unit), side=unit.side, who=unit.id).total + plus


def changed(state: State, unit: Unit) -> list[tuple[int, str]]:
    """What maximises a pursuit."""
    return [(1, "t9a.rule.swiftstride")] if every(state, unit, "t9a.rule.swiftstride") else []


# -- who goes first ------------------------------------------------------------------------------------------------


@step
def all_moves(battle: Battle[State]) -> Steps[None]:
    """Pursuers move after the broken: the active player's first (t9a.melee.pursue.both-sides), of each side those that
    will charge somebody before the others, these in the order their player likes (t9a.melee.pursue.precheck)."""
    state = battle.state
    now = state.round
    assert now is not None
    moves = {p[0]: p for p in now.pursuits if state.unit(p[0]).where == "table"}
    if len({state.unit(key).side for key in moves}) > 1:
        battle.emit("both-pursue", "t9a.melee.pursue.both-sides")
    tasks: list[tuple[object, ...]] = []
    for side in (state.active, 1 - state.active):
        mine = [key for key in moves if state.unit(key).side == side]
        charging = [key for key in mine if will_charge(state, moves[key])]
        others = [key for key in mine if key not in charging]
        if len(charging) > 1:
            charging = yield from charge_order(battle, side, charging)
        if len(others) > 1:
            options = [Option(key, None, (key,)) for key in others]
            others = yield Order(side, "ask.pursuit-order", options, "t9a.melee.pursue.move")
        for key in (*charging, *others):
            _, quarry, heading, distance = moves[key]
            how: How = "pursuit" if quarry else "overrun"
            tasks.append((advance, key, heading, distance, how))
    for key in moves:
        unit = state.unit(key)
        casualties.part(battle, unit)
        unit.free = False
    battle.plan(*tasks)


Chase = tuple[str, str, float, int]


def will_charge(state: State, move: Chase) -> tuple[str, ...]:
    """The enemies that a pursuer will charge, other pursuers left out of account (t9a.melee.pursue.precheck)."""
    key, quarry, heading, distance = move
    unit = state.unit(key)
    at = turned(state, unit, heading if quarry else None)
    others = pursuing_now(state)
    touched = touched_at(state, unit, at, others) if quarry else None
    found = touched or ahead(state, unit, at, distance, others)
    return found.names if found is not None and found.kind == "enemy" else ()


def charge_order(battle: Battle[State], side: int, charging: Sequence[str]) -> Steps[list[str]]:
    """Pursuers that charge go in an order by which as many as can arrive (t9a.charge.combined.order)."""
    state = battle.state
    now = state.round
    assert now is not None
    foes = {p[0]: will_charge(state, p) for p in now.pursuits if p[0] in charging}
    best: dict[str, dict[tuple[str, ...], int]] = {}
    for foe in dict.fromkeys(names[0] for names in foes.values()):
        group = [key for key in charging if foes[key][0] == foe]
        if len(group) > 1:
            with _turned_to(state, [p for p in now.pursuits if p[0] in group], foe) as faces:
                passing = state.applies("t9a.melee.pursue.pass-through")
                units = [state.unit(key) for key in group]
                leaving = group if passing else []
                together = combined_charges.Together(
                    state, units, state.unit(foe), faces, leaving=leaving, passing=passing
                )
                best[foe] = {order: together.arriving(order) for order in together.orders()}
    if not best:
        return list(charging)

    def judge(answer: list[str]) -> list[Reason]:
        return [
            Reason("t9a.charge.combined.order", facts={"most": most})
            for found, most in ((found, max(found.values())) for found in best.values())
            if found.get(tuple(key for key in answer if key in next(iter(found))), most) < most
        ]

    usual = {foe: iter(max(found.items(), key=itemgetter(1))[0]) for foe, found in best.items()}
    options = pieces([next(usual[foes[key][0]], key) if foes[key][0] in usual else key for key in charging])
    answer: list[str] = yield Order(side, "ask.pursuit-order", options, "t9a.charge.combined.order", "", judge)
    return list(answer)


@contextmanager
def _turned_to(state: State, moves: Sequence[Chase], foe: str) -> Iterator[dict[str, Facing]]:
    """As if these pursuers had turned to their quarries, their distances being charge ranges; gives the facings fixed
    before they turn."""
    target = box(state, state.unit(foe))
    was = [(u, u.x, u.y, u.facing, u.range) for u in (state.unit(move[0]) for move in moves)]
    faces = {u.id: arc_of(target, u.x, u.y) for u, *_ in was}
    for (key, quarry, heading, distance), (unit, *_) in zip(moves, was, strict=True):
        assert key == unit.id
        put(unit, turned(state, unit, heading if quarry else None))
        unit.range = distance
    try:
        yield faces
    finally:
        for unit, x, y, facing, reach in was:
            unit.x, unit.y, unit.facing, unit.range = x, y, facing, reach


def placed_together(state: State, unit: Unit, target: Unit, face: Facing) -> charge_ground.Contact | None:
    """Where a pursuer ends that charges, by the rules of combined charges with those that will charge the same enemy
    after it; it goes through other pursuers (t9a.melee.pursue.pass-through)."""
    now = state.round
    moves = [p for p in now.pursuits if p[0] != unit.id and state.unit(p[0]).side == unit.side] if now else []
    there = [p[0] for p in moves if state.engaged(p[0])]
    through = there if state.applies("t9a.melee.pursue.pass-through") else []
    # Who does not charge goes after those who do, and stands in their way as anybody would.
    charging = {p[0]: will_charge(state, p) for p in moves if p[0] not in there}
    leaving = [key for key, foes in charging.items() if foes and state.applies("t9a.melee.pursue.pass-through")]
    after = [p for p in moves if p[0] in leaving and target.id in charging[p[0]]]
    if after:
        with _turned_to(state, after, target.id) as faces:
            group = [unit, *(state.unit(p[0]) for p in after)]
            faces[unit.id] = face
            passing = state.applies("t9a.melee.pursue.pass-through")
            together = combined_charges.Together(state, group, target, faces, through, leaving, passing=passing)
            at = combined_charges.first_place(together, unit.id)
            if at is None:
                return None
            wish = shared.edge_of(box(state, target), face).along(*at.front()[0])
            return aligning.contact(
                state, unit, target, face=face, leaving=leaving, through=through, misaligned=False, prefer=wish
            )
    return aligning.contact(
        state, unit, target, face=face, leaving=leaving, through=through, misaligned=not there, choices=False
    )


@step
def overrun_now(battle: Battle[State], key: str) -> None:
    unit = battle.state.unit(key)
    distance = roll_distance(battle, unit)
    battle.emit("overruns", "t9a.melee.break.overrun", unit=key, inches=distance)
    battle.push(advance, key, unit.facing, distance, "overrun")


# -- what is in the way --------------------------------------------------------------------------------------------


class Met(NamedTuple):
    """The first thing that a front meets: after how many inches, what it is, who."""

    inches: float
    kind: Literal["enemy", "edge", "obstacle"]
    names: tuple[str, ...] = ()


def turned(state: State, unit: Unit, heading: float | None) -> Box:
    """Turned about the centre to its quarry's direction; an overrun goes straight ahead
    (t9a.melee.pursue.pivot, t9a.melee.pursue.overrun-straight)."""
    here = box(state, unit)
    return here if heading is None else pivot(here, turn_between(here.facing, heading))


def fled_now(state: State) -> tuple[str, ...]:
    return tuple(b[0] for b in state.round.broken) if state.round is not None else ()


def pursuing_now(state: State) -> tuple[str, ...]:
    return tuple(p[0] for p in state.round.pursuits) if state.round is not None else ()


def things(state: State, unit: Unit, but: Sequence[str] = ()) -> list[tuple[str, Literal["enemy", "obstacle"], Ring]]:
    """Enemies to charge, and obstacles: impassable terrain, friends not of this combat, enemies fled from it
    (t9a.melee.pursue.obstacles)."""
    fled = fled_now(state)
    now = state.round
    found: list[tuple[str, Literal["enemy", "obstacle"], Ring]] = []
    for other in state.table():
        if other.id == unit.id or other.id in but:
            continue
        ring = box(state, other).corners()
        if other.side != unit.side:
            found.append((other.id, "obstacle" if other.id in fled else "enemy", ring))
        elif now is None or other.id not in now.units:
            found.append((other.id, "obstacle", ring))
    if not every(state, unit, "t9a.rule.ghost-step"):
        found += [(piece.id, "obstacle", piece.points) for piece in spacing.impassable(state)]
    return found


def ahead(state: State, unit: Unit, at: Box, distance: float, but: Sequence[str] = ()) -> Met | None:
    """What the front meets first within its distance; of several at once an enemy, then the edge, then an obstacle
    (t9a.melee.pursue.straight-check)."""
    front = at.front()
    best: Met | None = None
    for name, kind, ring in things(state, unit, but):
        inches = spans.first_touch(front, at.ux, at.uy, ring)
        if inches is None or not within(inches, distance):
            continue
        if best is None or inches < best.inches - EPS:
            best = Met(inches, kind, (name,))
        elif inches <= best.inches + EPS:
            if kind == best.kind:
                best = best._replace(names=(*best.names, name))
            elif kind == "enemy":
                best = Met(inches, kind, (name,))
    edge = flight.edge_distance(at, (state.field.width, state.field.depth))
    if within(edge, distance):
        first = best is None or edge < best.inches - EPS
        if first or (best is not None and edge <= best.inches + EPS and best.kind == "obstacle"):
            return Met(edge, "edge")
    return best


def touched_at(state: State, unit: Unit, at: Box, but: Sequence[str] = ()) -> Met | None:
    """What the front touches where it has turned to: enemy, edge or obstacle, the first of these
    (t9a.melee.pursue.case-order)."""
    front = at.front()
    found = [(name, kind) for name, kind, ring in things(state, unit, but) if separation(front, ring) <= EPS]
    enemies = tuple(name for name, kind in found if kind == "enemy")
    if enemies:
        return Met(0.0, "enemy", enemies)
    w, d = state.field.width, state.field.depth
    if any(x <= EPS or y <= EPS or x >= w - EPS or y >= d - EPS for x, y in front):
        return Met(0.0, "edge")
    return Met(0.0, "obstacle", tuple(name for name, _ in found)) if found else None


# -- the move ------------------------------------------------------------------------------------------------------


@step
def advance(battle: Battle[State], key: str, heading: float, distance: float, how: How) -> Steps[None]:
    """Turn to the quarry's direction, then straight on the full distance; what is touched or met first decides
    (t9a.melee.pursue.move)."""
    state = battle.state
    unit = state.unit(key)
    if unit.where != "table":
        return
    start = box(state, unit)
    arcs = {foe.id: arc_of(box(state, foe), unit.x, unit.y) for foe in state.table(1 - unit.side)}
    at = turned(state, unit, None if how == "overrun" else heading)
    touched = touched_at(state, unit, at) if how != "overrun" else None
    if how == "pursuit":
        battle.emit(
            "pursuit-turn", "t9a.melee.pursue.pivot", "t9a.melee.pursue.case-order",
            unit=key, degrees=round(turn_between(start.facing, at.facing), 1),
        )  # fmt: skip
    if touched is not None and touched.kind == "edge" and how == "random":
        touched = Met(0.0, "obstacle", ("edge",))
    if touched is not None and touched.kind == "enemy":
        foe = yield from which(battle, unit, touched.names, "t9a.melee.pursue.pivot-enemy")
        spot = beside(state, unit, state.unit(foe), arcs[foe], start)
        if spot is not None:
            battle.emit(
                "pursuit-charge", "t9a.melee.pursue.pivot-enemy", "t9a.melee.pursue.pivot-enemy-placement",
                unit=key, target=foe,
            )  # fmt: skip
            charge(battle, unit, state.unit(foe), spot, start, how)
            return
        touched = Met(0.0, "obstacle", (foe,))
    if touched is not None and touched.kind == "edge":
        put(unit, at)
        in_danger(battle, unit, start, at, at, how)
        if unit.where == "table":
            reach_edge(battle, unit, "t9a.melee.pursue.pivot-edge")
            yield from reform_at_edge(battle, unit, start)
        return
    if touched is not None:
        end = turned_as_far(state, unit, start, at)
        put(unit, end)
        spacing.note_closeness(state, unit)
        battle.emit("pursued", "t9a.melee.pursue.pivot-obstacle", unit=key, x=unit.x, y=unit.y)
        in_danger(battle, unit, start, end, end, how)
        return
    yield from straight(battle, unit, at, distance, arcs, start, how)


def which(battle: Battle[State], unit: Unit, foes: Sequence[str], rule: str) -> Steps[str]:
    """Of several enemies its player chooses."""
    if len(foes) == 1:
        return foes[0]
    options = [Option(foe, None, (foe,)) for foe in foes]
    answer: str = yield Choose(unit.side, "ask.pursuit-target", options, rule, unit.id)
    return answer


def beside(state: State, unit: Unit, target: Unit, face: Facing, start: Box) -> charge_ground.Contact | None:
    """Taken up and put before the facing fixed before the pivot, as near to where it stood as there is room, then
    aligned (t9a.melee.pursue.pivot-enemy-placement)."""
    on = charge_ground.ground(
        state, unit, target, face, leaving=[k for k in pursuing_now(state) if not state.engaged(k)]
    )
    w, d = start.w, start.d
    bars = [*shared.flush_bars(on.edge, w, d, on.rings)]
    bars += shared.table_bars(on.edge, w, d, (state.field.width, state.field.depth))
    allowed = spans.free(-w, on.edge.length, bars, apart=EPS)
    levels = shared.ranked(skyline(state, unit, "front", own=True), skyline(state, target, face), allowed)
    wish = on.edge.along(*start.centre) - w / 2
    for best in levels:
        s = spans.nearest(best.spans, wish)
        if s is not None and best.theirs:
            return charge_ground.Contact(shared.flush_at(on.edge, s, w, d), face, best.theirs, best.mine, True)
    return None


def turned_as_far(state: State, unit: Unit, start: Box, at: Box) -> Box:
    """The turn towards the quarry's direction as far as unit spacing lets it (t9a.melee.pursue.pivot-obstacle)."""
    wanted = turn_between(start.facing, at.facing)
    low, high = min(0.0, wanted), max(0.0, wanted)
    bars: list[Bar] = []
    rings = [(name, ring) for name, _, ring in things(state, unit)]
    rings += [("edge", ring) for ring in spacing.beyond_edges(state)]
    for name, ring in rings:
        keep = 0.0 if name == "edge" or spacing.exempt(state, unit, name) else 1.0
        keep = min(keep, max(0.0, separation(start.corners(), ring)))
        for a, b in spans.around(start.corners(), *start.centre, ring, keep, low, high):
            bars.append(Bar(a, b) if wanted > 0 else Bar(-b, -a))
    free = spans.greatest(spans.free(0.0, abs(wanted), bars), abs(wanted))
    return pivot(start, math.copysign(free, wanted)) if free else start


def straight(
    battle: Battle[State], unit: Unit, at: Box, distance: float, arcs: dict[str, Facing], start: Box, how: How
) -> Steps[None]:
    """Straight on (t9a.melee.pursue.pivot-clear): into the first enemy, to the edge, against an obstacle, or the whole
    distance."""
    state = battle.state
    rule = {
        "pursuit": "t9a.melee.pursue.pivot-clear",
        "overrun": "t9a.melee.pursue.overrun-straight",
        "random": "t9a.rule.random-movement.counts",
    }[how]
    met = ahead(state, unit, at, distance)
    if met is not None:
        battle.emit(
            "pursuit-meets", "t9a.melee.pursue.straight-check",
            *(("t9a.melee.pursue.obstacles",) if met.kind == "obstacle" else ()),
            unit=unit.id, inches=round(met.inches, 2), others=list(met.names),
        )  # fmt: skip
    if met is not None and met.kind == "enemy":
        foe = yield from which(battle, unit, met.names, "t9a.melee.pursue.straight-enemy")
        target = state.unit(foe)
        put(unit, at)
        unit.range = int(distance)
        spot = None
        if within(between(at, box(state, target)), distance):
            spot = placed_together(state, unit, target, arcs[foe])
        if spot is not None:
            cite = "t9a.rule.random-movement.move" if how == "random" else "t9a.melee.pursue.straight-enemy"
            battle.emit("pursuit-charge", cite, "t9a.melee.pursue.precheck", unit=unit.id, target=foe)
            charge(battle, unit, target, spot, start, how)
            return
        put(unit, start)
        met = Met(met.inches, "obstacle", (foe,))
    moved, cite = float(distance), "t9a.melee.pursue.straight-clear"
    if met is not None and met.kind == "edge" and how != "random":
        moved, cite = met.inches, "t9a.melee.pursue.straight-edge"
    elif met is not None:
        moved = max(0.0, met.inches)
        cite = "t9a.rule.random-movement.terrain" if met.kind == "edge" else "t9a.melee.pursue.straight-obstacle"
    end = last_legal(state, unit, at, moved, start, edge=cite != "t9a.melee.pursue.straight-edge")
    stopped = met is not None and (met.kind == "obstacle" or cite == "t9a.rule.random-movement.terrain")
    back = math.dist((end.x, end.y), (at.ahead(moved).x, at.ahead(moved).y)) > STANDOFF and not stopped
    put(unit, end)
    spacing.note_closeness(state, unit)
    rules = [rule, "t9a.melee.pursue.legal-position" if back else cite]
    if back and every(state, unit, "t9a.rule.ghost-step"):
        there = at.ahead(moved).corners()
        if any(separation(there, piece.points) < -EPS for piece in spacing.impassable(state)):
            rules[0] = "t9a.rule.ghost-step.impassable"
    if how == "pursuit":
        rules.insert(0, "t9a.melee.pursue.move")
    battle.emit("pursued", *rules, unit=unit.id, x=unit.x, y=unit.y)
    in_danger(battle, unit, start, at, end, how)
    if cite == "t9a.melee.pursue.straight-edge" and not back and unit.where == "table":
        reach_edge(battle, unit, cite)
        yield from reform_at_edge(battle, unit, end)


def in_danger(battle: Battle[State], unit: Unit, start: Box, at: Box, end: Box, how: How) -> None:
    """Dangerous terrain where it stood, where it turned and on its way (t9a.terrain.dangerous)."""
    state = battle.state
    if how == "random" and state.applies("t9a.rule.random-movement.terrain"):
        return
    legs = [manoeuvres.straight(math.dist((at.x, at.y), (end.x, end.y)))]
    rings = [list(start.corners()), *terrain.swept(state, at, end)]
    terrain.dangerous(battle, unit, terrain.touched_by(state, unit, rings, terrain.advancing(at, legs, end, start)))


def last_legal(state: State, unit: Unit, at: Box, moved: float, start: Box, edge: bool = True) -> Box:
    """The last place on its way at which it touches nobody and nothing (t9a.melee.pursue.legal-position)."""
    rings = [(other.id, box(state, other).corners()) for other in state.table() if other.id != unit.id]
    if not every(state, unit, "t9a.rule.ghost-step") or state.applies("t9a.rule.ghost-step.impassable"):
        rings += [(piece.id, tuple(piece.points)) for piece in spacing.impassable(state)]  # type: ignore[misc]
    if edge:
        rings += [("edge", ring) for ring in spacing.beyond_edges(state)]  # type: ignore[misc]
    if not state.applies("t9a.melee.pursue.legal-position"):
        return at.ahead(moved)
    inches = flight.back_off(at, moved, rings, STANDOFF / 10)
    return start if inches is None else at.ahead(inches)


def reach_edge(battle: Battle[State], unit: Unit, rule: str) -> None:
    now = battle.state.round
    if now is not None:
        now.edge = (*now.edge, unit.id)
    battle.emit("at-edge", rule, unit=unit.id)


def reform_at_edge(battle: Battle[State], unit: Unit, back: Box) -> Steps[None]:
    """A reform move at the board edge, and no step further; where none is legal it stays where it can."""
    from .characteristics import mobility

    state = battle.state
    mover = Manoeuvre(state, unit, Budget("reform", mobility(state, unit)))
    cx, cy = back.centre
    stay = {"to": {"x": round(cx, 6), "y": round(cy, 6), "facing": back.facing}, "files": unit.files}
    answer = yield Move(
        unit.side, "ask.reform", mover, rules="t9a.melee.pursue.straight-edge", about=unit.id,
        data={"action": "reform", "mobility": mover.budget.mob},
        default=stay if not mover.judge(stay) else {"stay": True},
    )  # fmt: skip
    if answer.get("stay"):
        put(unit, back)
    else:
        course = mover.plan(answer)
        put(unit, course.end)
        unit.files = course.files or unit.files
    spacing.note_closeness(state, unit)


def charge(battle: Battle[State], unit: Unit, target: Unit, spot: charge_ground.Contact, start: Box, how: How) -> None:
    """No reaction is possible; pursuers that charge pass through each other (t9a.melee.pursue.pass-through)."""
    state = battle.state
    unit.gap = 0.0
    through = [key for key in pursuing_now(state) if key != unit.id and state.units[key].where == "table"]
    land(battle, unit, target, spot, spot.at)
    if state.applies("t9a.melee.pursue.pass-through") and any(
        separation(terrain.hull(start.corners(), spot.at.corners()), box(state, state.unit(k)).corners()) < 0
        for k in through
    ):
        battle.emit("passed-through", "t9a.melee.pursue.pass-through", unit=unit.id)
    terrain.dangerous(battle, unit, terrain.touched_by_charge(state, unit, start, box(state, unit), spot.way))
    if how != "random" and unit.where == "table":
        join_combat(battle, unit, target)


def join_combat(battle: Battle[State], unit: Unit, target: Unit) -> None:
    """Into a combat that is still to be fought it joins now; else it fights in the next Melee Phase
    (t9a.melee.pursue.new-combat)."""
    state = battle.state
    for n, group in enumerate(state.combats):
        if target.id in group:
            state.combats[n] = (*group, unit.id)
            battle.emit("joins-combat", "t9a.melee.pursue.new-combat", unit=unit.id, target=target.id)
            return
    battle.emit("fights-later", "t9a.melee.pursue.new-combat", unit=unit.id, target=target.id)
