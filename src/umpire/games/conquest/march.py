"""Chapter 3: the March as a list of manoeuvres, checked one by one (conquest.march.*)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.decisions import Move
from umpire.engine.effects import Number
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides
from umpire.space.moving import Go, Leg, Turn, sweep
from umpire.space.ranks import fronts
from umpire.space.ranks.fronts import Pose, outermost
from umpire.space.shapes import TOLERANCE

from . import activation, formation, hooks, overlapping, ranked, table, ways_out
from .drill import Manoeuvre, carried, cost, forward, legs_cost, legs_of, shortened
from .manoeuvres import distance_reasons, rule_of_path
from .mover import Marched, Marcher, propose_path
from .profiles import Terrain
from .state import Regiment, State


def march_value(battle: Battle[State], regiment: Regiment, context: str = "march") -> tuple[float, tuple[str, ...]]:
    """The lowest March in the regiment (conquest.march.distance)."""
    own, his = marches(battle, regiment, context)
    return (his.total, his.rules) if his.total < own.total else (own.total, own.rules)


def coming_march(battle: Battle[State], regiment: Regiment, *marches: str) -> float:
    """How far its next March action, or one after these, will carry it: a Standard Bearer lengthens the second one."""
    state, now = battle.state, battle.state.activation
    if now is not None:
        activation.change(state, actions=(*now.actions, *(marches or ("march",))))
    try:
        return march_value(battle, regiment)[0]
    finally:
        state.activation = now


def marches(battle: Battle[State], regiment: Regiment, context: str) -> tuple[Number, Number]:
    """The March of its ordinary stands, and that of its Character, or the same again without one."""
    own = hooks.characteristic(battle, regiment, "march", None, context)
    if not regiment.character:
        return own, own
    character = battle.state.characters[regiment.character]
    return own, hooks.characteristic(battle, regiment, "march", None, context, character=character)


# -- is a path free? -----------------------------------------------------------------------------------------------


class Trace(NamedTuple):
    """Where a path ends, why it is illegal, whom it would overlap there, and the part of it that is free."""

    end: Pose
    reasons: list[Reason]
    overlaps: tuple[str, ...] = ()
    free: tuple[Manoeuvre, ...] = ()


def off_table(state: State, regiment: Regiment, where: Pose, leg: Leg | None) -> bool:
    """Does any stand leave the table here, or at any moment of the turn that leads here?"""
    wide, deep = state.scenario.width, state.scenario.depth
    x, y, reach = ranked.disc(regiment, where)
    if isinstance(leg, Turn):
        reach += math.hypot(x - leg.x, y - leg.y)
        x, y = leg.x, leg.y
    if reach <= x <= wide - reach and reach <= y <= deep - reach:
        return False
    return any(
        not (-TOLERANCE <= x <= wide + TOLERANCE and -TOLERANCE <= y <= deep + TOLERANCE)
        for x, y in outermost(ranked.blocks(regiment, where), leg)
    )


def within_table(state: State, regiment: Regiment, where: Pose, reach: float) -> bool:
    """Certainly on the table wherever it goes, if no point of it goes further than this: a cheap look beforehand."""
    x, y, room = ranked.disc(regiment, where)
    room += reach
    return room <= x <= state.scenario.width - room and room <= y <= state.scenario.depth - room


def trace(
    state: State,
    regiment: Regiment,
    where: Pose,
    path: Sequence[Manoeuvre],
    *,
    inch: bool = True,
    entering: bool = False,
    flying: bool = False,
    bare: str = "",
    around: table.Obstacles | None = None,
    plain: bool = False,
) -> Trace:
    """Carry a path out against everything in the way; `around` is what stands there, where that is known already.
    `plain`: whether it is legal is asked, not why it is not, and one reason is enough."""
    wide = ranked.width(regiment)
    legs, end = legs_of(where, wide, path)
    reasons: list[Reason] = []
    free: tuple[Manoeuvre, ...] = tuple(path)
    reach = legs_reach(regiment, legs)
    if not entering and not within_table(state, regiment, where, reach):
        here = where
        for leg in legs:
            here = carried(here, leg)
            if off_table(state, regiment, here, leg):
                past = fronts.beyond(ranked.blocks(regiment, here), leg, state.scenario.width, state.scenario.depth)
                reasons.append(Reason("conquest.regiment.legal-position.on-table", facts=past))
                free = ()
                break
        if plain and reasons:
            return Trace(end, reasons)
    found = around
    if found is None or found.reach < reach:
        found = table.obstacles(
            state, regiment, where, reach, inch=inch, through_friends=True, flying=flying, bare=bare
        )
    if next(table.which_on_the_way(found, regiment, where, legs), None) is not None:
        own = ranked.blocks(regiment, where)
        swept = sweep(own, legs, found.things, found.gaps)
        if swept.hit is not None and inch and table.begins_near(found, own, swept.hit):
            found = table.on_the_way(found, regiment, where, legs)
            swept = sweep(own, legs, found.things, table.kept_gaps(found, own))
        if swept.hit is not None and plain:
            return Trace(end, [Reason("conquest.march.one-inch")])
        if swept.hit is not None:
            crossed = inch and sweep(own, legs, (found.things[swept.hit],)).hit is not None
            free_to = legs_cost(wide, swept.legs)
            reasons.append(blocked_by(state, regiment, found.names[swept.hit], inch, crossed, free=free_to))
            free = tuple(shortened(path, swept.legs)) if not reasons[:-1] else ()
    if flying and inch:
        landing = too_near(state, regiment, where, end, bare)
        if landing:
            if landing in overlapping.overlapped(state, regiment, end):
                reasons.append(Reason("conquest.rule.fly", "reason.conquest.lands-on", {"obstacle": landing}))
            reasons.append(blocked_by(state, regiment, landing, inch, free=cost(wide, path)))
            free = ()
    overlaps = overlapping.overlapped(state, regiment, end, found.near)
    return Trace(end, reasons, overlaps, free)


def furthest(regiment: Regiment, limit: float) -> float:
    """No point of the regiment moves further than this in a March of so many inches."""
    wide = ranked.width(regiment)
    return limit * math.hypot(wide, ranked.depth(regiment)) / wide + TOLERANCE


def obstacles(state: State, regiment: Regiment, where: Pose, reach: float, flying: bool) -> table.Obstacles:
    """What is in the way of a March whose points move so far at most."""
    return table.obstacles(state, regiment, where, reach, inch=True, through_friends=True, flying=flying)


def legs_reach(regiment: Regiment, legs: Sequence[Leg]) -> float:
    """No point of the regiment moves further than this on legs: in a wheel the one furthest from the corner that
    stays."""
    diagonal = math.hypot(ranked.width(regiment), ranked.depth(regiment))
    return legs_cost(diagonal, legs)


def too_near(state: State, regiment: Regiment, start: Pose, end: Pose, bare: str = "") -> str:
    """What a regiment that flew would stand within 1" of at its end, and nearer than at its start."""
    around = table.obstacles(state, regiment, end, 1.0, inch=True, bare=bare)
    own = ranked.blocks(regiment, end)
    for thing, name, room in zip(around.things, around.names, around.gaps, strict=True):
        far = fronts.gap(own, (thing,)) if room else room
        if far < room - TOLERANCE and far < fronts.gap(ranked.blocks(regiment, start), (thing,)) - TOLERANCE:
            return name
    return ""


def blocked_by(
    state: State, regiment: Regiment, name: str, inch: bool, through: bool = False, free: float = 0.0
) -> Reason:
    """The reason for stopping at a regiment or a piece of terrain after so many inches; `through`: its way leads across
    it."""
    other = state.regiments.get(name)
    facts = {"obstacle": name, "free": round(free, 3)}
    if other is not None and other.side == regiment.side:
        return Reason("conquest.march.through-forbidden", facts=facts)
    if inch and other is None and state.piece(name).kind == "garrison":
        return Reason("conquest.terrain.garrison.no-march", facts=facts)
    if inch and not (other is None and through):
        return Reason("conquest.march.one-inch", facts=facts)
    if other is None and "impassable" in state.piece(name).rules:
        return Reason("conquest.terrain.zonal.impassable", facts=facts)
    return Reason("conquest.march.through-forbidden", facts=facts)


# -- the action ----------------------------------------------------------------------------------------------------


def through_friends(state: State, regiment: Regiment, where: Pose, legs: Sequence[Leg]) -> bool:
    """Does a move lead through friends, or out of some?"""
    x, y, room = ranked.disc(regiment, where)
    room += legs_reach(regiment, legs)
    blocks = [
        (block, other.id)
        for other, (ox, oy, radius) in formation.friends_of(state, regiment.side)
        if other.id != regiment.id
        if (x - ox) * (x - ox) + (y - oy) * (y - oy) <= (room + radius) * (room + radius)
        for block in ranked.blocks(other)
    ]
    if not blocks:
        return False
    all_of_them = table.Obstacles([b for b, _ in blocks], [name for _, name in blocks], [0.0] * len(blocks), [])
    near = table.on_the_way(all_of_them, regiment, where, legs)
    if not near.things:
        return False
    if sweep(ranked.blocks(regiment, where), legs, near.things, 0.0).hit is not None:
        return True
    return any(name in near.names for name in overlapping.overlapped(state, regiment, where))


def escapes(
    battle: Battle[State], regiment: Regiment, where: Pose, limit: float, simply: bool = False
) -> ways_out.Found:
    """A second March that brings a regiment out of the friends it stands in, or whether there is certainly none;
    `simply`: by one wheel at most, for whoever only looks for one. Whether it may march asks for it, and so does the
    March."""
    state = battle.state
    flying = bool(hooks.granted(state, regiment, "fly"))
    about = (regiment.mark, where, limit, flying)
    found: ways_out.Found = state.look(
        ("escape", regiment.id, simply), about, lambda: _escape(state, regiment, where, limit, flying, simply)
    )
    return found if found.way is None else found._replace(way=[dict(leg) for leg in found.way])


def _escape(state: State, regiment: Regiment, where: Pose, limit: float, flying: bool, simply: bool) -> ways_out.Found:
    ends, stops = table.around(state, regiment, where, limit, flying)

    def passes(path: list[Manoeuvre]) -> bool:
        return flying or not trace(state, regiment, where, path, plain=True).reasons

    def fits(path: list[Manoeuvre]) -> bool:
        run = trace(state, regiment, where, path, flying=flying, plain=True)
        return not run.reasons and not run.overlaps

    stops += table.edges(state)
    if simply:
        way = ways_out.ways(ranked.shape(regiment), where, limit, ends, stops, fits)
        return ways_out.Found(way, none=way is None)
    return ways_out.any_way(ranked.shape(regiment), where, limit, ends, stops, fits, passes)


def may_escape(battle: Battle[State], regiment: Regiment, where: Pose, limit: float, simply: bool = False) -> bool:
    """May there be such a March: was one found, or is it not proved that there is none? Straight on as far as it goes
    is tried first: what mostly does."""
    flying = bool(hooks.granted(battle.state, regiment, "fly"))
    run = trace(battle.state, regiment, where, [forward(math.floor(limit * 1000) / 1000)], flying=flying, plain=True)
    return not (run.reasons or run.overlaps) or not escapes(battle, regiment, where, limit, simply).none


def march_reasons(
    battle: Battle[State], regiment: Regiment, path: Sequence[Manoeuvre], limit: float, last: bool, run: Trace
) -> list[Reason]:
    """Every reason against a March that was carried out so; `last` if no second March can follow to clear a friend.
    One that leads into garrison terrain which the regiment may occupy is meant to."""
    reasons = distance_reasons(path, ranked.width(regiment), limit)
    if run.reasons and not reasons and occupied_by(battle, regiment, path, limit) is not None:
        return []
    reasons += run.reasons
    if run.overlaps and not reasons:
        tolerated = not last and overlap_tolerated(battle, regiment, run.end, coming_march(battle, regiment))
        if not tolerated:
            facts = {"regiments": list(run.overlaps)}
            reasons.append(Reason("conquest.regiment.legal-position.overlap", facts=facts))
    return reasons


def occupied_by(battle: Battle[State], regiment: Regiment, path: Sequence[Manoeuvre], limit: float) -> Terrain | None:
    """The garrison terrain that a March leads into, if the regiment may occupy it."""
    from . import garrison

    return garrison.meant(battle, regiment, list(path), limit)


def overlap_tolerated(battle: Battle[State], regiment: Regiment, end: Pose, limit: float, simply: bool = False) -> bool:
    """May a first March end in a friend: can a second March, or a Charge, lead out of it? Whether a March of more than
    one wheel does is long in the telling; `simply` leaves it out, for whoever only looks for one."""
    from . import charge

    if among_enemies(battle.state, regiment, end):
        return False
    if may_escape(battle, regiment, end, limit, simply=True):
        return True
    before = ranked.pose(regiment)
    regiment.x, regiment.y, regiment.facing = end
    open_charge = not charge.why_not_charge(battle, regiment)
    regiment.x, regiment.y, regiment.facing = before
    return open_charge or (not simply and not escapes(battle, regiment, end, limit).none)


def among_enemies(state: State, regiment: Regiment, end: Pose) -> bool:
    """Would it stand in an enemy there?"""
    return any(state.regiment(name).side != regiment.side for name in overlapping.overlapped(state, regiment, end))


def ask_march(
    battle: Battle[State], regiment: Regiment, limit: float, prompt: str, last: bool, *cite: str
) -> Steps[tuple[list[Manoeuvre], Trace]]:
    """Ask for a March and answer its manoeuvres, and how they were carried out against what is in the way."""
    state = battle.state
    here = ranked.pose(regiment)
    wide = ranked.width(regiment)

    ground: list[tuple[bool, table.Obstacles]] = []
    last_run: list[tuple[Sequence[Manoeuvre], Trace]] = []

    def run_of(path: Sequence[Manoeuvre]) -> Trace:
        if last_run and last_run[0][0] == path:
            return last_run[0][1]
        if not ground:
            fly = bool(hooks.granted(state, regiment, "fly"))
            ground.append((fly, obstacles(state, regiment, here, furthest(regiment, limit), fly)))
        flying, around = ground[0]
        last_run[:] = [(path, trace(state, regiment, here, path, flying=flying, around=around))]
        return last_run[0][1]

    def against(path: list[Manoeuvre]) -> list[Reason]:
        return [] if own and not path else march_reasons(battle, regiment, path, limit, last, run_of(path))

    def leads_out(end: Pose) -> bool:
        return not last and overlap_tolerated(battle, regiment, end, coming_march(battle, regiment), simply=True)

    def propose(rng: Rng) -> Any:
        path = propose_path(state, regiment, here, limit, rng)
        into = not last and rng.random() < 0.3
        if not into and overlapping.friend_at(state, regiment, legs_of(here, wide, path)[1]):
            return None
        run = run_of(path)
        if run.reasons:
            path = list(run.free)
            run = run_of(path)
        if run.overlaps and not (into and leads_out(run.end)):
            return None
        if not run.reasons:
            mover.remember({"path": path}, Marched(distance_reasons(path, wide, limit), path))
        return {"path": path}

    def free(path: list[Manoeuvre]) -> Sequence[Manoeuvre]:
        return run_of(path).free

    def inside(path: list[Manoeuvre]) -> bool:
        return overlapping.ends_inside(state, regiment, legs_of(here, wide, path)[1])

    def caught(path: list[Manoeuvre]) -> bool:
        return inside(path) and not leads_out(legs_of(here, wide, path)[1])

    mover = Marcher(regiment, here, limit, against, propose, free, inside, last, caught)
    stuck = battle.know(lambda: bool(overlapping.overlapped(state, regiment, here)))
    default = battle.know(lambda: escapes(battle, regiment, here, limit)).way if stuck else []
    # No way out of a friend was found, but that there is none is not proved either: whoever knows of one goes it.
    own = default is None
    rules = ("conquest.march.distance", *cite)
    asked = "ask.march-if" if own else prompt
    answer = yield Move(regiment.side, asked, mover, None, rules, regiment.id, {"path": default or []})
    path = mover.plan(answer).path
    return path, run_of(path)


@decides("conquest.regiment.no-splitting", "conquest.regiment.acts-as-one")
def carry_out(
    battle: Battle[State], regiment: Regiment, path: Sequence[Manoeuvre], kind: str, *rules: str
) -> Steps[None]:
    """Move the regiment along its path."""
    state = battle.state
    start = ranked.pose(regiment)
    legs, end = legs_of(start, ranked.width(regiment), path)
    friends = through_friends(state, regiment, start, legs)
    wings = hooks.granted(state, regiment, "fly")
    if wings and trace(state, regiment, start, path, plain=True).reasons:
        rules = (*rules, wings)
    ranked.put(regiment, end)
    if friends:
        rules = (*rules, "conquest.march.through-friends")
    battle.emit(
        kind,
        *rules,
        rule_of_path(path),
        regiment=regiment.id,
        path=list(path),
        x=regiment.x,
        y=regiment.y,
        facing=regiment.facing,
    )
    yield from hooks.moment(battle, "marched", regiment, start=start, legs=tuple(legs))


@hooks.action("march", "out", ("conquest.march.availability", "conquest.action.list.out-of-combat"))
@step
def march(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """A March action."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    if "entering" in regiment.flags:
        from .arriving import enter_further

        battle.push(enter_further, regiment_id)
        return
    limit, why = battle.know(lambda: march_value(battle, regiment))
    last = not activation.can_still_act(state)
    start = ranked.pose(regiment)
    path, run = yield from ask_march(battle, regiment, limit, "ask.march", last)
    house = occupied_by(battle, regiment, path, limit) if run.reasons else None
    if house is not None:
        from . import garrison

        yield from garrison.go_in(battle, regiment, house, path)
        return
    if last and not path and run.overlaps:
        from .action_phase import go_back

        go_back(battle, regiment)
        return
    now = state.activation
    twice = now is not None and now.actions.count("march") > 1
    yield from carry_out(battle, regiment, path, "marched", *why, *(("conquest.march.twice",) if twice else ()))
    if regiment.where == "table" and overlapping.overlapped(state, regiment, ranked.pose(regiment)):
        activation.change(state, start=start)
        battle.emit("inside-friend", "conquest.march.through-friends.two-actions", regiment=regiment.id)


def slide(state: State, regiment: Regiment, target: Regiment, inches: float) -> Pose:
    """Straight towards a target with unchanged facing, keeping 1" from enemies and terrain; where it then stands."""
    start, own = ranked.pose(regiment), ranked.blocks(regiment)
    dx, dy = table.shortest(state, regiment, target)
    far = math.hypot(dx, dy)
    if far <= TOLERANCE:
        return start
    found = table.obstacles(state, regiment, start, inches, inch=True, through_friends=True)
    leg = Go(dx / far * inches, dy / far * inches)
    run = sweep(own, (leg,), found.things, found.gaps).legs[0]
    assert isinstance(run, Go)
    part = fronts.part_on(own, run, state.scenario.width, state.scenario.depth)
    return start[0] + run.dx * part, start[1] + run.dy * part, start[2]


@step
def forced_march(battle: Battle[State], regiment_id: str, toward: str) -> Steps[None]:
    """A March in a straight line towards an enemy, as far as it can go, that a special rule orders."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    start = ranked.pose(regiment)
    target = state.regiments.get(toward) or formation.nearest_enemy(state, regiment, start)
    if target is None:
        return
    limit, why = march_value(battle, regiment)
    end = slide(state, regiment, target, limit)
    if overlapping.overlapped(state, regiment, end):
        end = start
    ranked.put(regiment, end)
    rules = ("conquest.march.distance", *why)
    battle.emit("marched", *rules, regiment=regiment_id, path=[], x=regiment.x, y=regiment.y, facing=regiment.facing)
    leg = Go(end[0] - start[0], end[1] - start[1])
    yield from hooks.moment(battle, "marched", regiment, start=start, legs=(leg,))
