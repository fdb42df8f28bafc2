"""The compiled kernel for narrow gaps in line: sight along lines that touch two edges.

A line that passes between things can be moved until it touches one of them and turned about it until it touches a
second: so of all lines from one footprint to another past things that are too tall to look over, one lies a hair beside
two of their corners, or beside one and at the rim of a footprint, if there is any. All of these are looked along.
"""

import math
from typing import Any

import numpy as np

from .angles import sin_cos
from .compiling import entry, inner
from .kernel import BOUND, COS, COUNT, FIRST, KIND, RX, RY, SIN, SPOKES, Z0, Z1, X, Y
from .rises import HAIR
from .seeing import SEAM, along, between, cross, eyes, looks

CX, CY, R, BEFORE_X, BEFORE_Y, AFTER_X, AFTER_Y, OWNER = range(8)
OVAL = 24
"""An oval counts as a polygon of so many sides round it."""
WIDE = 1.0 / sin_cos(180.0 / OVAL)[1]


@inner("AAiAiff")
def _corners(rows: Any, verts: Any, m: int, found: Any, n: int, owner: float, hair: float) -> int:
    """What a line can touch of a footprint: its corners with their neighbours, or the circle itself."""
    size = int(rows[m, COUNT])
    if rows[m, KIND] == 1.0:
        size = OVAL
    elif size < 3 and (size == 1 or rows[m, RX] > 0.0):
        found[n, CX], found[n, CY] = rows[m, X], rows[m, Y]
        found[n, R] = max(0.0, rows[m, RX] + hair)
        found[n, BEFORE_X] = found[n, BEFORE_Y] = found[n, AFTER_X] = found[n, AFTER_Y] = 0.0
        found[n, OWNER] = owner
        return n + 1
    first = int(rows[m, FIRST])
    for k in range(size):
        if rows[m, KIND] == 1.0:
            # Points by even steps of an ellipse's own angle: those that a circle's become when it is stretched.
            s, c = rows[m, SIN], rows[m, COS]
            x, y = SPOKES[k, 0] * rows[m, RX] * WIDE, SPOKES[k, 1] * rows[m, RY] * WIDE
            found[n + k, CX], found[n + k, CY] = rows[m, X] + x * c + y * s, rows[m, Y] + y * c - x * s
        else:
            found[n + k, CX], found[n + k, CY] = verts[first + k, 0], verts[first + k, 1]
        found[n + k, R] = max(0.0, hair)
        found[n + k, OWNER] = owner
    for k in range(size):
        before, after = n + (k + size - 1) % size, n + (k + 1) % size
        found[n + k, BEFORE_X], found[n + k, BEFORE_Y] = found[before, CX], found[before, CY]
        found[n + k, AFTER_X], found[n + k, AFTER_Y] = found[after, CX], found[after, CY]
        found[n + k, BEFORE_X] -= found[n + k, CX]
        found[n + k, BEFORE_Y] -= found[n + k, CY]
        found[n + k, AFTER_X] -= found[n + k, CX]
        found[n + k, AFTER_Y] -= found[n + k, CY]
    return n + size


@inner("Aifff")
def _outside(found: Any, k: int, nx: float, ny: float, side: float) -> bool:
    """Whether a line on this side of a corner has the rest of its footprint behind it."""
    return (  # type: ignore[no-any-return]
        side * (nx * found[k, BEFORE_X] + ny * found[k, BEFORE_Y]) <= 1e-9
        and side * (nx * found[k, AFTER_X] + ny * found[k, AFTER_Y]) <= 1e-9
    )


@inner("AAiffff")
def _chord(rows: Any, verts: Any, m: int, nx: float, ny: float, away: float, grow: float) -> Any:
    """Where the line n·x = away crosses a footprint, along (ny, -nx) from its foot: from, to (1, 0 if it does not)."""
    far = nx * rows[m, X] + ny * rows[m, Y] - away
    if abs(far) > rows[m, BOUND] + grow:
        return 1.0, 0.0
    middle = ny * rows[m, X] - nx * rows[m, Y]
    if rows[m, KIND] == 0.0 and rows[m, COUNT] == 2.0:
        first = int(rows[m, FIRST])
        one = nx * verts[first, 0] + ny * verts[first, 1] - away
        two = nx * verts[first + 1, 0] + ny * verts[first + 1, 1] - away
        if abs(one - two) < 1e-9 or one * two > 0.0:
            return 1.0, 0.0
        t = one / (one - two)
        x = verts[first, 0] + (verts[first + 1, 0] - verts[first, 0]) * t
        y = verts[first, 1] + (verts[first + 1, 1] - verts[first, 1]) * t
        return ny * x - nx * y, ny * x - nx * y
    half = rows[m, BOUND] + 1.0
    px, py = nx * away + ny * (middle - half), ny * away - nx * (middle - half)
    t0, t1 = cross(rows, verts, m, px, py, 2.0 * half * ny, -2.0 * half * nx, grow)
    if t1 <= t0:
        return 1.0, 0.0
    return middle - half + 2.0 * half * t0, middle - half + 2.0 * half * t1


@inner("AAiAAiAAIiA")
def touching_two(
    ra: Any, va: Any, i: int, rb: Any, vb: Any, j: int, rows: Any, verts: Any, use: Any, count: int, spans: Any
) -> bool:
    """Whether footprint i sees something of footprint j along a line that touches two of the things between them."""
    a0, a1 = eyes(ra[i, Z0], ra[i, Z1])
    b0, b1 = eyes(rb[j, Z0], rb[j, Z1])
    room = 2 * OVAL + int(ra[i, COUNT]) + int(rb[j, COUNT])
    for k in range(count):
        room += OVAL if rows[use[k], KIND] == 1.0 else int(rows[use[k], COUNT])
    found = np.empty((room, 8))
    n = _corners(ra, va, i, found, 0, -1.0, -HAIR)
    n = _corners(rb, vb, j, found, n, -2.0, -HAIR)
    for k in range(count):
        n = _corners(rows, verts, use[k], found, n, float(use[k]), HAIR)
    for k in range(n):
        for m in range(k):
            if found[k, OWNER] == found[m, OWNER]:
                continue
            dx, dy = found[k, CX] - found[m, CX], found[k, CY] - found[m, CY]
            length = math.sqrt(dx * dx + dy * dy)
            if length < 1e-9:
                continue
            dx /= length
            dy /= length
            for turn in range(4):
                one, two = (1.0 if turn % 2 == 0 else -1.0), (1.0 if turn < 2 else -1.0)
                lean = (one * found[m, R] - two * found[k, R]) / length
                if abs(lean) > 1.0:
                    continue
                up = math.sqrt(1.0 - lean * lean)
                nx, ny = dx * lean - dy * up, dy * lean + dx * up
                away = nx * found[m, CX] + ny * found[m, CY] + one * found[m, R]
                if abs(nx * ra[i, X] + ny * ra[i, Y] - away) > ra[i, BOUND] + SEAM:
                    continue
                if abs(nx * rb[j, X] + ny * rb[j, Y] - away) > rb[j, BOUND] + SEAM:
                    continue
                if found[m, OWNER] >= 0.0 and not _outside(found, m, nx, ny, one):
                    continue
                if found[k, OWNER] >= 0.0 and not _outside(found, k, nx, ny, two):
                    continue
                t0, t1 = _chord(ra, va, i, nx, ny, away, SEAM)
                if t1 < t0:
                    continue
                u0, u1 = _chord(rb, vb, j, nx, ny, away, SEAM)
                if u1 < u0:
                    continue
                t, u = (t0 + t1) / 2.0, (u0 + u1) / 2.0
                px, py = nx * away + ny * t, ny * away - nx * t
                qx, qy = nx * away + ny * u, ny * away - nx * u
                if along(
                    ra, va, i, rb, vb, j, rows, verts, use, count, px, py, a0, a1, qx, qy, b0, b1, spans, True
                ):  # fmt: skip
                    return True
    return False


@entry("AAAAAAiiIi")
def visible(
    ra: Any, va: Any, rb: Any, vb: Any, rows: Any, verts: Any, skip_a: int, skip_b: int, owners: Any, across: int
) -> bool:
    """Whether any part of one volume sees any part of another past the blockers, two of which may be left out."""
    size = rows.shape[0]
    use = np.empty(size, dtype=np.int64)
    spans = np.empty((size, 6))
    cands = np.empty(2 * size + 5)
    shut = np.empty((size, 2))
    for i in range(ra.shape[0]):
        for j in range(rb.shape[0]):
            count = between(ra, va, i, rb, vb, j, rows, verts, skip_a, skip_b, owners, use)
            if count == 0:
                return True
            if looks(ra, va, i, rb, vb, j, rows, verts, use, count, 3, spans, cands, shut):
                return True
            if looks(rb, vb, j, ra, va, i, rows, verts, use, count, across, spans, cands, shut):
                return True
            if looks(ra, va, i, rb, vb, j, rows, verts, use, count, across, spans, cands, shut):
                return True
            if touching_two(ra, va, i, rb, vb, j, rows, verts, use, count, spans):
                return True
    return False
