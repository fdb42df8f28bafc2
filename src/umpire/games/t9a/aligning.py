"""Where a charge ends: flush with the target facing, with the most models in contact, by strict priorities; and what is
done where that is impossible.

A facing to be charged is [0, g], left to right as the charger sees it; a charger flush with it stands on [s, s + w].
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from umpire.miniatures import contact as shared
from umpire.miniatures.contact import Edge, Way
from umpire.space import spans
from umpire.space.angles import sin_cos
from umpire.space.spans import Bar, Ring, Span

from .formation import EPS, Box, between_two, box
from .model_rules import every
from .spacing import STANDOFF, about, beyond_edges, impassable, skyline, stands
from .state import Facing, State, Unit

FINE = 0.01
"""Degrees by which an angle keeps off what it may not touch."""


class Contact(NamedTuple):
    """The place that the priorities demand: where, on which facing, how many models of either side touch; `ties` are
    others as good, `turned` where the target is turned to after a misaligned charge, `angle` what is left then."""

    at: Box
    face: Facing
    theirs: int
    mine: int
    flush: bool
    ties: tuple[Box, ...] = ()
    way: Way | None = None
    turned: Box | None = None
    angle: float = 0.0
    rule: str = "t9a.charge.align.flush"
    """The last of the priorities that left no choice."""


class Ground(NamedTuple):
    """What a charge is tried out on."""

    unit: Unit
    target: Unit
    here: Box
    there: Box
    face: Facing
    edge: Edge
    rings: tuple[tuple[str, Ring], ...]
    flying: bool
    through: tuple[str, ...] = ()
    """Whom it passes through on its way, though it may not end on them (t9a.melee.pursue.pass-through)."""


def ground(
    state: State,
    unit: Unit,
    target: Unit,
    face: Facing,
    taken: Sequence[Box] = (),
    leaving: Sequence[str] = (),
    through: Sequence[str] = (),
    near: Collection[str] | None = None,
) -> Ground:
    """Whatever a charger may not touch (t9a.charge.move.spacing): other units, impassable terrain, those that have
    taken their places already; not those that `leave`; of units only those who are `near`, if it is known who is. The
    unit it comes out of it passes, but does not stay in."""
    here, there = box(state, unit), box(state, target)
    reach = 2 * max(here.w, here.d) + there.w + there.d + ((here.x - there.x) ** 2 + (here.y - there.y) ** 2) ** 0.5
    rings: list[tuple[str, Ring]] = [("", at.corners()) for at in taken]
    out_of = unit.came if state.applies("t9a.char.charge-out.spacing") else ""
    for other, _, _, _, _, ring in about(state, here, reach):
        if other.id in (unit.id, target.id) or other.id in leaving:
            continue
        if near is None or other.id in near:
            rings.append((other.id, ring))
    if not state.applies("t9a.charge.move.spacing"):
        rings = []
    ghost = every(state, unit, "t9a.rule.ghost-step")
    rings += [(piece.id, piece.points) for piece in impassable(state) if not ghost]
    return Ground(
        unit, target, here, there, face, shared.edge_of(there, face), tuple(rings), every(state, unit, "t9a.rule.fly"),
        (*through, out_of),
    )  # fmt: skip


def walls_of(state: State, on: Ground) -> tuple[Ring, ...]:
    """What a charger's front may not touch on its way: all that stands about, and the ground beyond the table."""
    return (*[ring for name, ring in on.rings if name not in on.through], *beyond_edges(state))


way_to = lru_cache(maxsize=128)(shared.find_way)
"""The same way is looked for when a charge is offered, declared and moved."""


def declared_room(state: State, unit: Unit, target: Unit) -> tuple[list[Box], list[str]]:
    """Charges already declared count as made: the room they fill at this target, and whoever clears the way
    (t9a.charge.declare.space-check)."""
    taken: list[Box] = []
    leaving: list[str] = []
    if not state.applies("t9a.charge.declare.space-check"):
        return taken, leaving
    for other in state.table(unit.side):
        if other.id != unit.id and other.target and other.declared:
            leaving.append(other.id)
            if other.target == target.id:
                spot = contact(state, other, target, taken=taken, leaving=leaving)
                if spot is not None:
                    taken.append(spot.at)
    return taken, leaving


def contact(
    state: State,
    unit: Unit,
    target: Unit,
    *,
    face: Facing | None = None,
    declared: bool = False,
    taken: Sequence[Box] = (),
    leaving: Sequence[str] = (),
    through: Sequence[str] = (),
    misaligned: bool = True,
    choices: bool = False,
    prefer: float | None = None,
) -> Contact | None:
    """The contact that a charge of this unit on this target must make; None if there is none.

    `choices` looks for other places as good; `prefer` is where along the facing the charger would rather stand.
    """
    from .charge_moves import target_facing

    face = face or target_facing(state, unit, target)
    if declared:
        filled, gone = declared_room(state, unit, target)
        taken, leaving = [*taken, *filled], [*leaving, *gone]
    around = ground(state, unit, target, face, taken, leaving, through)
    found = flush_contact(state, around, choices, prefer)
    if found is None and misaligned:
        found = misaligned_contact(state, around)
    return found


def _board(state: State) -> tuple[float, float]:
    return state.field.width, state.field.depth


def room_along(state: State, on: Ground) -> list[Span]:
    """Offsets at which the charger is flush with the facing, on the table, and touches nothing else."""
    w, d = on.here.w, on.here.d
    bars = [*shared.flush_bars(on.edge, w, d, on.rings), *shared.table_bars(on.edge, w, d, _board(state))]
    return spans.free(-w, on.edge.length, bars, apart=EPS)


def flush_contact(state: State, on: Ground, choices: bool = False, prefer: float | None = None) -> Contact | None:
    """The point first touched stays in contact, the front lies along the facing, as many of their models touch as can,
    then as many of one's own (t9a.charge.align.initial-contact, t9a.charge.align.flush, t9a.charge.align.max-target,
    t9a.charge.align.max-charger): in this order, whatever it costs the later ones (t9a.charge.align.priority)."""
    w, d = on.here.w, on.here.d
    allowed = room_along(state, on)
    if not allowed:
        return None
    levels = shared.ranked(skyline(state, on.unit, "front", own=True), skyline(state, on.target, on.face), allowed)
    if not state.applies("t9a.charge.align.max-charger"):
        levels = _merged([(b.theirs, 0, b) for b in levels])
    if not state.applies("t9a.charge.align.max-target"):
        levels = _merged([(0, b.mine, b) for b in levels])
    if prefer is not None:
        # In a combined charge nobody need bring the most models of its own (t9a.charge.combined.max-contact).
        levels = [shared.Best(1, 1, tuple(allowed))]
    paths = walls_of(state, on)
    decided = "t9a.charge.align.flush"
    if len({best.theirs for best in levels if best.theirs}) > 1:
        decided = "t9a.charge.align.max-target"
    elif len(levels) > 1:
        decided = "t9a.charge.align.max-charger"
    for best in levels:
        if not best.theirs and not best.mine:
            continue
        wanted = tuple([(max(0.0, s.low), min(on.edge.length, s.high + w)) for s in best.spans])
        way = None
        if prefer is not None and prefer + w > 0.0 and prefer < on.edge.length:
            there = ((max(0.0, prefer), min(on.edge.length, prefer + w)),)
            way = way_to(on.here, on.there, on.face, there, paths, on.flying)
        if way is None:
            way = way_to(on.here, on.there, on.face, wanted, paths, on.flying)
        if way is None:
            continue
        kept = state.applies("t9a.charge.align.initial-contact")
        reach = (way.met[0] - w, way.met[1]) if kept else (-w, on.edge.length)
        spots = _inner(best.spans, *reach)
        if not spots:
            continue
        if kept and not _covers(spots, best.spans):
            decided = "t9a.charge.align.initial-contact"
        wish = on.edge.along(*way.end.front()[0]) if prefer is None else prefer
        s = spans.nearest(spots, wish)
        assert s is not None
        theirs, mine = best.theirs, best.mine
        if prefer is not None:
            pairs = shared.touching(skyline(state, on.unit, "front", own=True), skyline(state, on.target, on.face), s)
            theirs, mine = len({k for _, k in pairs}), len({j for j, _ in pairs})
        ties: list[Box] = []
        if choices:
            ties = [shared.flush_at(on.edge, v, w, d) for v in _choices(on, best.spans, spots, s, paths)]
        return Contact(shared.flush_at(on.edge, s, w, d), on.face, theirs, mine, True, tuple(ties), way, rule=decided)
    return None


def _merged(levels: Sequence[tuple[int, int, shared.Best]]) -> list[shared.Best]:
    """Levels that are the same when one of the counts does not matter."""
    found: dict[tuple[int, int], list[Span]] = {}
    for theirs, mine, best in levels:
        found.setdefault((theirs, mine), []).extend(best.spans)
    return [shared.Best(t, m, tuple(sorted(found[t, m]))) for t, m in sorted(found, reverse=True)]


def _covers(spots: Sequence[Span], best: Sequence[Span]) -> bool:
    """Do some stretches leave out nothing of others, but a hair?"""
    return min(s.low for s in spots) <= min(b.low for b in best) + 2 * STANDOFF and (
        max(s.high for s in spots) >= max(b.high for b in best) - 2 * STANDOFF
    )


def _inner(found: Sequence[Span], low: float, high: float) -> list[Span]:
    """Stretches within two ends, a hair off whatever ends them where there is room for it."""
    out: list[Span] = []
    for span in found:
        a, b = max(span.low, low), min(span.high, high)
        if b < a - EPS:
            continue
        b = max(a, b)
        off = min(STANDOFF, (b - a) / 2)
        out.append(
            Span(a + (off if span.under and a == span.low else 0.0), b - (off if span.over and b == span.high else 0.0))
        )
    return out


def _choices(
    on: Ground, best: Sequence[Span], spots: Sequence[Span], chosen: float, paths: tuple[Ring, ...]
) -> list[float]:
    """Places as good as the chosen one that the charger may prefer: the far ends of what can be reached."""
    w = on.here.w
    found = [chosen]
    ends = [v for span in _inner(best, -w, on.edge.length) for v in (span.low, span.high)]
    for v in (min(ends), max(ends)):
        if all(abs(v - other) > 0.5 for other in found):
            wanted = ((max(0.0, v), min(on.edge.length, v + w)),)
            if any(s.low <= v <= s.high for s in spots) or way_to(on.here, on.there, on.face, wanted, paths, on.flying):
                found.append(v)
    return found


def possible(state: State, unit: Unit, target: Unit, face: Facing, lone: bool) -> bool:
    """Is there room for a charge, charges declared before it counted as made? (t9a.charge.declare.possible)"""
    if unit.declared:
        taken, leaving = declared_room(state, unit, target)
    else:
        before = tuple([(u.id, u.target, u.face, u.came) for u in state.table(unit.side) if u.target and u.declared])
        taken, leaving = between_two(state, before, target, target, lambda: declared_room(state, unit, target))
    near = between_two(state, ("near", face), unit, target, lambda: _near(state, unit, target, face))
    key = ("possible", face, lone, unit.came, tuple(taken), tuple([k for k in leaving if k in near]))
    return between_two(
        state, key, unit, target, lambda: _possible(state, unit, target, face, lone, taken, leaving, near)
    )


def _near(state: State, unit: Unit, target: Unit, face: Facing) -> frozenset[str]:
    """Whose going may matter to a charge: all but those who are too far from the target, and from the way there, to be
    in the way of it."""
    here, there = box(state, unit), box(state, target)
    around = here.w + here.d + (there.w * there.w + there.d * there.d) ** 0.5 / 2
    tx, ty = there.centre
    goal = [here.local(x, y) for x, y in there.corners()]
    wide = 1.5 * here.w
    left, right = min(-wide, min(x for x, _ in goal) - here.w), max(wide, max(x for x, _ in goal) + here.w)
    deep = max((x * x + y * y) ** 0.5 for x, y in goal) + 2 * here.w
    found = []
    for stand in stands(state):
        x, y = here.local(stand.x, stand.y)
        reach = stand.radius + STANDOFF
        passed = -reach <= y <= deep + reach and left - reach <= x <= right + reach
        if passed or (stand.x - tx) ** 2 + (stand.y - ty) ** 2 <= (around + reach) ** 2:
            found.append(stand.unit.id)
    return frozenset(found)


def _possible(
    state: State,
    unit: Unit,
    target: Unit,
    face: Facing,
    lone: bool,
    taken: Sequence[Box],
    leaving: Sequence[str],
    near: frozenset[str],
) -> bool:
    on = ground(state, unit, target, face, taken, leaving, near=near)
    w = on.here.w
    allowed = room_along(state, on)
    wanted = tuple([(max(0.0, s.low), min(on.edge.length, s.high + w)) for s in allowed])
    paths = walls_of(state, on)
    if wanted and way_to(on.here, on.there, on.face, wanted, paths, on.flying) is not None:
        return True
    return lone and next(_leans(state, on, paths), None) is not None


def in_the_way(state: State, unit: Unit, target: Unit, face: Facing) -> list[str]:
    """Those of whom each by itself, were it not there, would leave room for this charge."""
    on = ground(state, unit, target, face)
    found: list[str] = []
    for name in dict.fromkeys(name for name, _ in on.rings if name):
        free = on._replace(rings=tuple(ring for ring in on.rings if ring[0] != name))
        if flush_contact(state, free) is not None:
            found.append(name)
    return found


# -- misaligned ----------------------------------------------------------------------------------------------------


class _Lean(NamedTuple):
    """A charger with one end of its front at a point of the facing, turned off it by an angle."""

    angle: float
    theirs: int
    mine: int
    at: float
    sign: float
    way: Way


def misaligned_contact(state: State, on: Ground) -> Contact | None:
    """Where no flush place keeps the point first touched: one end of the front stays there, the front does not cross
    the line of the facing, and the angle is as small as can be, then the most models touch (t9a.charge.misaligned.when,
    t9a.charge.misaligned.projection-line, t9a.charge.misaligned.priority); then the target turns
    (t9a.charge.misaligned.target-align)."""
    walls = walls_of(state, on)
    leans = list(_leans(state, on, walls))
    if not leans:
        return None
    lean = min(leans, key=lambda one: (round(one.angle / FINE), -one.theirs, -one.mine, -one.sign))
    x, y = on.edge.point(lean.at)
    at = _flush_from(on, lean.at, lean.sign).about(x, y, lean.sign * lean.angle)
    turn = _target_turn(state, on, x, y, lean, walls)
    turned = on.there.about(x, y, lean.sign * turn) if turn > FINE else None
    left = lean.angle - turn
    return Contact(at, on.face, lean.theirs, lean.mine, left <= 1e-6, (), lean.way, turned, max(0.0, left))


def _leans(state: State, on: Ground, walls: tuple[Ring, ...]) -> Iterator[_Lean]:
    """The least lean on the left end of the front, and one on the right end that is no greater."""
    if not state.applies("t9a.charge.misaligned.when"):
        return
    if way_to(on.here, on.there, on.face, ((0.0, on.edge.length),), walls, on.flying) is None:
        return
    reach = on.here.w + on.here.d
    everything = (*[ring for _, ring in on.rings], *beyond_edges(state))
    near_by = [ring for ring in everything if spans.gap(on.there.corners(), ring) <= reach]
    most = 90.0
    for sign in (1.0, -1.0):
        lean = _least_lean(state, on, sign, near_by, walls, most)
        if lean is not None:
            most = lean.angle + FINE
            yield lean


def _flush_from(on: Ground, q: float, sign: float) -> Box:
    """Flush with the left end of the front at a point of the facing (sign 1), or with the right end."""
    w = on.here.w
    return shared.flush_at(on.edge, q if sign > 0 else q - w, w, on.here.d)


def _leaning_bars(on: Ground, sign: float, rings: Sequence[Ring], angle: float, half: float) -> list[Bar]:
    """Points of the facing at which the end of a front leaning by an angle touches something; with `half` those at
    which it does whatever the angle within so many degrees of it: what is in the body at all these angles is at least
    the body without so broad a rim as its furthest point turns."""
    w, d = on.here.w, on.here.d
    rim = (w * w + d * d) ** 0.5 * half * (math.pi / 180.0)
    if w <= 2 * rim or d <= 2 * rim:
        return []
    x, y = on.edge.point(0.0)
    flush = _flush_from(on, 0.0, sign)
    inner = Box(flush.x - flush.ux * rim, flush.y - flush.uy * rim, flush.ux, flush.uy, w - 2 * rim, d - 2 * rim)
    body = inner.about(x, y, sign * angle).corners()
    bars = []
    for ring in rings:
        found = spans.along(body, on.edge.tx, on.edge.ty, ring)
        if found is not None:
            bars.append(Bar(*found))
    return bars


def _least_lean(
    state: State, on: Ground, sign: float, rings: Sequence[Ring], walls: Sequence[Ring], most: float
) -> _Lean | None:
    """The least angle by which the front must be turned off the facing so that it touches nothing and its end is at a
    point that it can get to; None if there is no such angle up to `most` degrees.

    Stretches of angles in which something is touched everywhere are left out as a whole, others halved down to `FINE`.
    """
    ground: list[Span] = [Span(0.0, on.edge.length)]
    sure = False
    stack = [(0.0, 90.0)]
    while stack:
        low, high = stack.pop()
        if low > most:
            return None
        if high - low > FINE:
            if _open(_leaning_bars(on, sign, rings, (low + high) / 2, (high - low) / 2), ground, 0.0):
                middle = (low + high) / 2
                stack += [(middle, high), (low, middle)]
            continue
        spots = _open(_leaning_bars(on, sign, rings, high, 0.0), ground, EPS)
        if not spots:
            continue
        lean = _at_best(state, on, sign, high, spots, walls)
        if lean is not None:
            return lean
        away = [Bar(span.low - SLIVER, span.high + SLIVER) for span in spots]
        if not sure:
            # Often nothing can be met but a corner.
            met = reachable(on.here, on.there, on.face, tuple(walls), on.flying, CELL)
            ground, sure = [Span(*part) for part in met], True
        ground = _open(away, ground, 0.0)
    return None


def _open(bars: Sequence[Bar], ground: Sequence[Span], apart: float) -> list[Span]:
    return [span for part in ground for span in spans.free(part.low, part.high, bars, apart)]


def _at_best(
    state: State, on: Ground, sign: float, angle: float, spots: Sequence[Span], walls: Sequence[Ring]
) -> _Lean | None:
    """Of the points at which the end of a leaning front is free, the one with the most models in contact that can be
    met first."""
    way = _way(on, walls, *((span.low, span.high) for span in spots))
    if way is None:
        return None
    end = spans.nearest(spots, (way.met[0] + way.met[1]) / 2)
    assert end is not None
    best = _Lean(angle, *_leaning_counts(state, on, end, sign, angle), end, sign, way)
    for q in sorted({v for span in spots for v in (span.low, span.high, (span.low + span.high) / 2)}):
        theirs, mine = _leaning_counts(state, on, q, sign, angle)
        if (theirs, mine) > (best.theirs, best.mine):
            way = _way(on, walls, (q - 1e-3, q + 1e-3))
            if way is not None:
                best = _Lean(angle, theirs, mine, q, sign, way)
    return best


def _way(on: Ground, walls: Sequence[Ring], *wanted: tuple[float, float]) -> Way | None:
    """A way by which the front first meets the facing there."""
    inside = tuple((max(0.0, low), min(on.edge.length, high)) for low, high in wanted)
    return way_to(on.here, on.there, on.face, inside, tuple(walls), on.flying)


SLIVER = 0.02
"""Inches: no narrower part of a facing is looked for."""
CELL = 0.1
"""Inches: what can be met of a facing is found out in parts of this length."""
reachable = lru_cache(maxsize=128)(shared.reachable)


def _leaning_counts(state: State, on: Ground, q: float, sign: float, angle: float) -> tuple[int, int]:
    """How many models touch across the gap that opens: bases are carried straight to the facing."""
    part = sin_cos(90.0 - angle)[0]
    w = on.here.w
    mine, theirs = skyline(state, on.unit, "front", own=True), skyline(state, on.target, on.face)
    if part <= EPS:
        return 1, 1
    scaled = []
    for lo, hi, cell in mine:
        a, b = (q + lo * part, q + hi * part) if sign > 0 else (q - (w - lo) * part, q - (w - hi) * part)
        scaled.append(shared.Stretch(a, b, cell))
    pairs = shared.touching(scaled, theirs, 0.0)
    return len({k for _, k in pairs}), len({j for j, _ in pairs})


def _target_turn(state: State, on: Ground, x: float, y: float, lean: _Lean, walls: Sequence[Ring]) -> float:
    """How far the target turns about the point of contact: until it is flush, or about to touch something. One that is
    engaged with others does not turn away from them."""
    if not state.applies("t9a.charge.misaligned.target-align") or state.engaged(on.target.id):
        return 0.0
    free, which = spans.first_angle(on.there.corners(), x, y, [(ring, 0.0) for ring in walls], lean.angle, lean.sign)
    return max(0.0, free - FINE) if which >= 0 else free


def touching_at(state: State, unit: Unit, target: Unit, spot: Contact) -> list[tuple[int, int]]:
    """Which models of a charger touch which of its target at a place flush with it."""
    edge = shared.edge_of(box(state, target), spot.face)
    offset = edge.along(*spot.at.front()[0])
    return shared.touching(skyline(state, unit, "front", own=True), skyline(state, target, spot.face), offset)
