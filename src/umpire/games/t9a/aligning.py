"""Where a charge ends: flush with the target facing, with the most models in contact, by strict priorities; and what is
done where that is impossible.

A facing to be charged is [0, g], left to right as the charger sees it; a charger flush with it stands on [s, s + w].
"""

from __future__ import annotations

from collections.abc import Sequence

from umpire.space import spans
from umpire.space.ranks import contact as shared
from umpire.space.spans import Ring, Span

from .charge_ground import Contact, Ground, ground, walls_of, way_to
from .formation import EPS, Box, between_two, box
from .misaligned import leans, misaligned_contact
from .spacing import STANDOFF, skyline, stands
from .state import Facing, State, Unit


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
    solid: bool = False,
) -> Contact | None:
    """The contact that a charge of this unit on this target must make; None if there is none.

    `choices` looks for other places as good; `prefer` is where along the facing the charger would rather stand; whoever
    has taken a place before is in the way if `solid`.
    """
    from .charge_moves import target_facing

    face = face or target_facing(state, unit, target)
    if declared:
        filled, gone = declared_room(state, unit, target)
        taken, leaving = [*taken, *filled], [*leaving, *gone]
    around = ground(state, unit, target, face, taken, leaving, through, solid=solid)
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
    return lone and next(leans(state, on, paths), None) is not None


def in_the_way(state: State, unit: Unit, target: Unit, face: Facing) -> list[str]:
    """Those of whom each by itself, were it not there, would leave room for this charge."""
    on = ground(state, unit, target, face)
    found: list[str] = []
    for name in dict.fromkeys(name for name, _ in on.rings):
        free = on._replace(rings=tuple(ring for ring in on.rings if ring[0] != name))
        if flush_contact(state, free) is not None:
            found.append(name)
    return found


def touching_at(state: State, unit: Unit, target: Unit, spot: Contact) -> list[tuple[int, int]]:
    """Which models of a charger touch which of its target at a place flush with it."""
    edge = shared.edge_of(box(state, target), spot.face)
    offset = edge.along(*spot.at.front()[0])
    return shared.touching(skyline(state, unit, "front", own=True), skyline(state, target, spot.face), offset)
