"""Misaligned charges: one end of the front stays at a point of the facing, turned off it by the least angle."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from umpire.space import spans
from umpire.space.angles import sin_cos
from umpire.space.packs import kernel
from umpire.space.ranks import contact as shared
from umpire.space.ranks.contact import Way
from umpire.space.spans import Bar, Ring, Span

from .charge_ground import Contact, Ground, walls_of, way_to
from .formation import EPS, Box
from .spacing import beyond_edges, skyline
from .state import State

FINE = 0.01
"""Degrees by which an angle keeps off what it may not touch."""


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
    found = list(leans(state, on, walls))
    if not found:
        return None
    lean = min(found, key=lambda one: (round(one.angle / FINE), -one.theirs, -one.mine, -one.sign))
    x, y = on.edge.point(lean.at)
    at = _flush_from(on, lean.at, lean.sign).about(x, y, lean.sign * lean.angle)
    turn = _target_turn(state, on, x, y, lean)
    turned = on.there.about(x, y, lean.sign * turn) if turn > FINE else None
    left = lean.angle - turn
    return Contact(at, on.face, lean.theirs, lean.mine, left <= 1e-6, (), lean.way, turned, max(0.0, left))


def leans(state: State, on: Ground, walls: tuple[Ring, ...]) -> Iterator[_Lean]:
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


def _leaning_bars(on: Ground, sign: float, rings: Sequence[Ring], angle: float) -> list[Bar]:
    """Points of the facing at which the end of a front leaning by an angle touches something."""
    x, y = on.edge.point(0.0)
    body = _flush_from(on, 0.0, sign).about(x, y, sign * angle).corners()
    found = [spans.along(body, on.edge.tx, on.edge.ty, ring) for ring in rings]
    return [Bar(*part) for part in found if part is not None]


def _least_lean(
    state: State, on: Ground, sign: float, rings: Sequence[Ring], walls: Sequence[Ring], most: float
) -> _Lean | None:
    """The least angle by which the front must be turned off the facing so that it touches nothing and its end is at a
    point that it can get to; None if there is no such angle up to `most` degrees."""
    ground: list[Span] = [Span(0.0, on.edge.length)]
    wheels: list[float] = []
    laid = shared.laid(rings)
    stack, left = np.empty((64, 2)), 1
    stack[0] = 0.0, 90.0
    while ground:
        parts = np.array([(part.low, part.high) for part in ground])
        angle, left = kernel("tilting").next_lean(
            stack, left, on.edge.ax, on.edge.ay, on.edge.tx, on.edge.ty, sign, on.here.w, on.here.d, most, *laid, parts,
            FINE,
        )  # fmt: skip
        if angle < 0.0:
            return None
        spots = _open(_leaning_bars(on, sign, rings, angle), ground, EPS)
        if not spots:
            continue
        lean = _at_best(state, on, sign, angle, spots, walls, wheels)
        if lean is not None:
            return lean
        for span in spots:
            if ground:
                ground = _met_beside(on, walls, span, ground, wheels)
    return None


def _met_beside(on: Ground, walls: Sequence[Ring], span: Span, ground: list[Span], wheels: list[float]) -> list[Span]:
    """What is left of some ground where a part of the facing cannot be met first: nothing until the next point on
    either side that can be. The wheels that lead there are noted."""
    low, high = min(part.low for part in ground), max(part.high for part in ground)
    away = [-math.inf, math.inf]
    for side, (start, limit, least) in enumerate(((span.low, low, -SLIVER), (span.high, high, SLIVER))):
        met = next_met(on.here, on.there, on.face, tuple(walls), on.flying, start, limit) if start != limit else None
        if met is not None:
            away[side] = sorted((start, met[0], start + least))[0 if side == 0 else 2]
            wheels.append(met[1])
    return _open([Bar(away[0], away[1])], ground, 0.0)


def _open(bars: Sequence[Bar], ground: Sequence[Span], apart: float) -> list[Span]:
    return [span for part in ground for span in spans.free(part.low, part.high, bars, apart)]


def _at_best(
    state: State,
    on: Ground,
    sign: float,
    angle: float,
    spots: Sequence[Span],
    walls: Sequence[Ring],
    wheels: Sequence[float],
) -> _Lean | None:
    """Of the points at which the end of a leaning front is free, the one with the most models in contact that can be
    met first."""
    way = _way(on, walls, wheels, *((span.low, span.high) for span in spots))
    if way is None:
        return None
    end = spans.nearest(spots, (way.met[0] + way.met[1]) / 2)
    assert end is not None
    best = _Lean(angle, *_leaning_counts(state, on, end, sign, angle), end, sign, way)
    for q in sorted({v for span in spots for v in (span.low, span.high, (span.low + span.high) / 2)}):
        theirs, mine = _leaning_counts(state, on, q, sign, angle)
        if (theirs, mine) > (best.theirs, best.mine):
            way = _way(on, walls, wheels, (q - 1e-3, q + 1e-3))
            if way is not None:
                best = _Lean(angle, theirs, mine, q, sign, way)
    return best


def _way(on: Ground, walls: Sequence[Ring], wheels: Sequence[float], *wanted: tuple[float, float]) -> Way | None:
    """A way by which the front first meets the facing there; some wheels are tried first."""
    inside = tuple((max(0.0, low), min(on.edge.length, high)) for low, high in wanted)
    return way_to(on.here, on.there, on.face, inside, tuple(walls), on.flying, tuple(wheels))


SLIVER = 0.02
"""Inches: no narrower part of a facing is looked for."""
next_met = lru_cache(maxsize=128)(shared.nearest_met)


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


def _target_turn(state: State, on: Ground, x: float, y: float, lean: _Lean) -> float:
    """How far the target turns about the point of contact: until it is flush, or about to touch something, be it what
    its charger passes through. One that is engaged with others does not turn away from them."""
    if not state.applies("t9a.charge.misaligned.target-align") or state.engaged(on.target.id):
        return 0.0
    around = [*[ring for _, ring in on.rings], *beyond_edges(state)]
    free, which = spans.first_angle(on.there.corners(), x, y, [(ring, 0.0) for ring in around], lean.angle, lean.sign)
    return max(0.0, free - FINE) if which >= 0 else free
