"""Where a charge ends: flush with the target facing, with the most models in contact, by strict priorities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .formation import EPS, Box, arc_of, box, layout, normal, side_line, size_of
from .model_rules import every
from .sight import crosses
from .spacing import exposed, impassable, near, on_table, separation
from .state import Facing, State, Unit


class Contact(NamedTuple):
    """The place that the priorities demand: where, on which facing, how many models of either side touch."""

    at: Box
    face: Facing
    theirs: int
    mine: int
    flush: bool
    ties: tuple[Box, ...] = ()


def contact(
    state: State,
    unit: Unit,
    target: Unit,
    *,
    face: Facing | None = None,
    declared: bool = False,
    taken: Sequence[Box] = (),
    leaving: Sequence[str] = (),
) -> Contact | None:
    """The contact that a charge of this unit on this target must make; None if there is none. `declared`: charges
    already
    declared count as made (t9a.charge.declare.space-check)."""
    from .charge_moves import target_facing

    here, there = box(state, unit), box(state, target)
    face = face or target_facing(state, unit, target)
    nx, ny = normal(there, face)
    if -(here.ux * nx + here.uy * ny) < -EPS:
        return None
    (ax, ay), (bx, by) = side_line(there, face)
    length = there.w if face in ("front", "rear") else there.d
    dx, dy = (bx - ax) / length, (by - ay) / length
    away = set(leaving)
    made: list[Box] = list(taken)
    if declared:
        for other in state.table(unit.side):
            if other.id != unit.id and other.target and other.declared:
                away.add(other.id)
                if other.target == target.id:
                    spot = contact(state, other, target, leaving=tuple(away))
                    if spot is not None:
                        made.append(spot.at)
    flying = every(state, unit, "t9a.rule.fly")
    walls: list[Sequence[tuple[float, float]]] = [b.corners() for b in made]
    width, depth = size_of(state, unit)
    reach = width + depth + length
    for other in state.units.values():
        if other.where != "table" or other.id in (unit.id, target.id, unit.came) or other.id in away:
            continue
        ob = box(state, other)
        if near(ob, there, reach):
            walls.append(ob.corners())
    walls += [piece.points for piece in impassable(state)]
    theirs = exposed(layout(state, target), *size_of(state, target), face)
    mine = exposed(layout(state, unit), width, depth, "front")
    # in the facing's own coordinate, 0 at its left end for the charger; the target's skyline runs the other way
    half = length / 2
    their_spans = [(half - hi, half - lo, k) for lo, hi, k in theirs]
    marks = {0.0, length - width, (length - width) / 2, -width, length}
    for lo, hi, _ in their_spans:
        for mlo, mhi, _ in mine[:1] + mine[-1:]:
            marks.update(
                (lo - (mhi + width / 2), hi - (mlo + width / 2), lo - (mlo + width / 2), hi - (mhi + width / 2))
            )
    now = (here.x - ax) * dx + (here.y - ay) * dy - width / 2
    marks.add(min(max(now, -width), length))
    best: tuple[int, int] | None = None
    found: list[tuple[float, Box, int, int]] = []
    for s in sorted(marks):
        if not -width - EPS <= s <= length + EPS:
            continue
        at = Box(ax + dx * (s + width / 2), ay + dy * (s + width / 2), -nx, -ny, width, depth)
        ring = at.corners()
        if not on_table(state, at) or any(separation(ring, wall) <= EPS for wall in walls):
            continue
        if not flying and not _way(here, at, walls):
            continue
        spans = [(lo + s + width / 2, hi + s + width / 2, k) for lo, hi, k in mine]
        touched: dict[int, None] = {}
        touching: dict[int, None] = {}
        for lo, hi, k in their_spans:
            for mlo, mhi, j in spans:
                if mlo <= hi + 1e-6 and mhi >= lo - 1e-6:
                    touched[k] = None
                    touching[j] = None
        score = (len(touched), len(touching))
        if not touched:
            continue
        if best is None or score > best:
            best = score
            found = []
        if score == best:
            found.append((abs(s - now), at, *score))
    if not found or best is None:
        return None
    found.sort(key=lambda f: f[0])
    return Contact(found[0][1], face, best[0], best[1], True)


def _way(here: Box, at: Box, walls: Sequence[Sequence[tuple[float, float]]]) -> bool:
    """Nothing stands between the front and where it goes: three lines of the front are looked at."""
    fl, fr = here.corners()[:2]
    gl, gr = at.corners()[:2]
    for p, q in ((fl, gl), (fr, gr), ((here.x, here.y), (at.x, at.y))):
        if any(crosses(p[0], p[1], q[0], q[1], wall) for wall in walls):
            return False
    return True


def facing_towards(state: State, unit: Unit, target: Unit) -> Facing:
    return arc_of(box(state, target), unit.x, unit.y)
