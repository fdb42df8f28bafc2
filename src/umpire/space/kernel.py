"""The compiled kernel for pairs of convex footprints.

A footprint is a row of `rows` and, unless it is an oval, a slice of `verts` (anticlockwise):
kind (0 = polygon grown by a radius, 1 = oval), x, y, radius or rx, ry, sin, cos, bound, z0, z1, first vertex, vertices.

Everything follows from the support function h: the signed separation of convex A and B is the greatest value over unit
directions d of -h_A(d) - h_B(-d); positive is the distance, negative the depth of overlap. No fastmath, and no sine:
only operations that IEEE 754 rounds the same everywhere.
"""

import math
from typing import Any

import numpy as np

from .angles import sin_cos
from .compiling import entry, inner

KIND, X, Y, RX, RY, SIN, COS, BOUND, Z0, Z1, FIRST, COUNT = range(12)
WIDTH = 12

SPOKES = np.array([sin_cos(15.0 * k) for k in range(24)])


@entry("AAiff")
def support(rows: Any, verts: Any, i: int, dx: float, dy: float) -> Any:
    """The point of a footprint that lies furthest in a unit direction."""
    if rows[i, KIND] == 1.0:
        s, c = rows[i, SIN], rows[i, COS]
        lx = (dx * c - dy * s) * rows[i, RX]
        ly = (dx * s + dy * c) * rows[i, RY]
        n = math.sqrt(lx * lx + ly * ly)
        if n == 0.0:
            return rows[i, X], rows[i, Y]
        lx *= rows[i, RX] / n
        ly *= rows[i, RY] / n
        return rows[i, X] + lx * c + ly * s, rows[i, Y] + ly * c - lx * s
    first = int(rows[i, FIRST])
    best = verts[first, 0] * dx + verts[first, 1] * dy
    k = first
    for m in range(first + 1, first + int(rows[i, COUNT])):
        h = verts[m, 0] * dx + verts[m, 1] * dy
        if h > best:
            best = h
            k = m
    r = rows[i, RX]
    return verts[k, 0] + r * dx, verts[k, 1] + r * dy


@inner("AiiffAii")
def _sat(va: Any, a0: int, na: int, ox: float, oy: float, vb: Any, b0: int, nb: int) -> Any:
    """The best separating edge normal of polygon a (moved by ox, oy) against polygon b: value and outward normal."""
    best = -1e300
    bx = 0.0
    by = 0.0
    for i in range(na):
        px, py = va[a0 + i, 0] + ox, va[a0 + i, 1] + oy
        k = a0 + (i + 1) % na
        ex, ey = va[k, 0] + ox - px, va[k, 1] + oy - py
        n = math.sqrt(ex * ex + ey * ey)
        if n == 0.0:
            continue
        ux, uy = ey / n, -ex / n
        low = 1e300
        for j in range(b0, b0 + nb):
            h = (vb[j, 0] - px) * ux + (vb[j, 1] - py) * uy
            if h < low:
                low = h
        if low > best:
            best = low
            bx = ux
            by = uy
    return best, bx, by


@inner("AiiffAii")
def _closest(va: Any, a0: int, na: int, ox: float, oy: float, vb: Any, b0: int, nb: int) -> Any:
    """Squared distance from polygon a's vertices (moved by ox, oy) to polygon b's edges, and the vector to there."""
    best = 1e300
    bx = 0.0
    by = 0.0
    for i in range(a0, a0 + na):
        px, py = va[i, 0] + ox, va[i, 1] + oy
        for j in range(nb):
            qx, qy = vb[b0 + j, 0], vb[b0 + j, 1]
            k = b0 + (j + 1) % nb
            ex, ey = vb[k, 0] - qx, vb[k, 1] - qy
            wx, wy = px - qx, py - qy
            n = ex * ex + ey * ey
            t = 0.0
            if n > 0.0:
                t = (wx * ex + wy * ey) / n
                t = 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)
            dx, dy = t * ex - wx, t * ey - wy
            d = dx * dx + dy * dy
            if d < best:
                best = d
                bx = dx
                by = dy
    return best, bx, by


@inner("AiiffAii")
def _apart(va: Any, a0: int, na: int, ox: float, oy: float, vb: Any, b0: int, nb: int) -> Any:
    """Distance of two convex polygons that do not overlap, and the vector from a to b."""
    d, dx, dy = _closest(va, a0, na, ox, oy, vb, b0, nb)
    d2, ex, ey = _closest(vb, b0, nb, -ox, -oy, va, a0, na)
    if d2 < d:
        d, dx, dy = d2, -ex, -ey
    return math.sqrt(d), dx, dy


@entry("AiiffAii")
def polygons(va: Any, a0: int, na: int, ox: float, oy: float, vb: Any, b0: int, nb: int) -> Any:
    """Signed separation of two convex polygons and the unit direction from a to b."""
    s, nx, ny = _sat(va, a0, na, ox, oy, vb, b0, nb)
    s2, mx, my = _sat(vb, b0, nb, -ox, -oy, va, a0, na)
    if s2 > s:
        s, nx, ny = s2, -mx, -my
    if s > 0.0 or na + nb <= 3:
        d, dx, dy = _apart(va, a0, na, ox, oy, vb, b0, nb)
        if d > 1e-12:
            return d, dx / d, dy / d
        if s < -1e299:
            return 0.0, 0.0, 1.0
        return 0.0, nx, ny
    return s, nx, ny


@inner("AAiffAAiff")
def _spread(ra: Any, va: Any, i: int, ox: float, oy: float, rb: Any, vb: Any, j: int, dx: float, dy: float) -> Any:
    """The separation along one direction, and its rate of change as the direction turns anticlockwise."""
    px, py = support(ra, va, i, dx, dy)
    qx, qy = support(rb, vb, j, -dx, -dy)
    wx, wy = qx - px - ox, qy - py - oy
    return wx * dx + wy * dy, wy * dx - wx * dy


@inner("AAiffAAifffffff")
def _refine(
    ra: Any, va: Any, i: int, ox: float, oy: float, rb: Any, vb: Any, j: int,
    lx: float, ly: float, gl: float, hx: float, hy: float, gh: float, floor: float,
) -> Any:  # fmt: skip
    """The best direction between two; values below floor count as past it.

    The secant rule on the rate finds a smooth peak fast, and the direction square to the line through both ends'
    support points finds a corner of the curve fast: they take turns, kept inside the bracket. Along that direction the
    support points also bound all values between, which ends the search.
    """
    best = -1e300
    bx = lx
    by = ly
    fl = -1e300
    fh = -1e300
    wl = gl
    wh = gh
    side = 0
    for step in range(80):
        t = 0.5
        if step % 4 != 3 and wl - wh > 0.0:
            t = wl / (wl - wh)
            t = 1e-6 if t < 1e-6 else (0.999999 if t > 0.999999 else t)
        mx, my = lx + (hx - lx) * t, ly + (hy - ly) * t
        if fl > -1e299 and fh > -1e299:
            px, py = fl * lx - gl * ly, fl * ly + gl * lx
            qx, qy = fh * hx - gh * hy, fh * hy + gh * hx
            ux, uy = qy - py, px - qx
            n = math.sqrt(ux * ux + uy * uy)
            if n > 1e-12:
                if ux * (lx + hx) + uy * (ly + hy) < 0.0:
                    n = -n
                ux /= n
                uy /= n
            if abs(n) <= 1e-12 or py * ux - px * uy < 0.0:
                n = math.sqrt(px * px + py * py)
                ux, uy = px / n, py / n
            elif qy * ux - qx * uy > 0.0:
                n = math.sqrt(qx * qx + qy * qy)
                ux, uy = qx / n, qy / n
            if lx * uy - ly * ux > 0.0 and ux * hy - uy * hx > 0.0:
                if px * ux + py * uy - best < 1e-9 and qx * ux + qy * uy - best < 1e-9:
                    break
                if step % 2 == 1:
                    mx, my = ux, uy
        n = math.sqrt(mx * mx + my * my)
        if n == 0.0:
            break
        mx /= n
        my /= n
        f, g = _spread(ra, va, i, ox, oy, rb, vb, j, mx, my)
        if f > best:
            best = f
            bx = mx
            by = my
        if abs(g) < 1e-7 and f >= floor:
            break
        if g > 0.0 and f >= floor:
            lx, ly, gl, fl, wl = mx, my, g, f, g
            # Halving the weight of an end that stays keeps the secant rule from creeping.
            if side == 1:
                wh *= 0.5
            side = 1
        else:
            hx, hy, gh, fh = mx, my, g, f
            wh = min(g, -1e-12)
            if side == -1:
                wl *= 0.5
            side = -1
        if abs(hx - lx) + abs(hy - ly) < 1e-12:
            break
    return best, bx, by


@inner("AAiffAAi")
def _ovals(ra: Any, va: Any, i: int, ox: float, oy: float, rb: Any, vb: Any, j: int) -> Any:
    """Separation where an oval takes part. While positive it has one peak; otherwise every peak is looked at."""
    dx, dy = rb[j, X] - ra[i, X] - ox, rb[j, Y] - ra[i, Y] - oy
    n = math.sqrt(dx * dx + dy * dy)
    if n > 0.0:
        dx /= n
        dy /= n
        f, g = _spread(ra, va, i, ox, oy, rb, vb, j, dx, dy)
        if f > 0.0:
            if abs(g) < 1e-7:
                return f, dx, dy
            if g > 0.0:
                s, bx, by = _refine(ra, va, i, ox, oy, rb, vb, j, dx, dy, g, -dy, dx, -n, 0.0)
            else:
                s, bx, by = _refine(ra, va, i, ox, oy, rb, vb, j, dy, -dx, n, dx, dy, g, -1e300)
            if s > f:
                return s, bx, by
            return f, dx, dy
    best = -1e300
    bx = 0.0
    by = 1.0
    f0, g0 = _spread(ra, va, i, ox, oy, rb, vb, j, SPOKES[0, 1], SPOKES[0, 0])
    fk, gk = f0, g0
    for k in range(24):
        x0, y0 = SPOKES[k, 1], SPOKES[k, 0]
        m = (k + 1) % 24
        x1, y1 = SPOKES[m, 1], SPOKES[m, 0]
        fm, gm = _spread(ra, va, i, ox, oy, rb, vb, j, x1, y1)
        if fk > best:
            best, bx, by = fk, x0, y0
        if gk >= 0.0 and gm <= 0.0:
            s, ux, uy = _refine(ra, va, i, ox, oy, rb, vb, j, x0, y0, gk, x1, y1, gm, -1e300)
            if s > best:
                best, bx, by = s, ux, uy
        fk, gk = fm, gm
    return best, bx, by


@inner("AAiffAAi")
def separation(ra: Any, va: Any, i: int, ox: float, oy: float, rb: Any, vb: Any, j: int) -> Any:
    """Signed separation of footprint i (moved by ox, oy) from footprint j, and the unit direction from i to j."""
    if ra[i, KIND] == 1.0 or rb[j, KIND] == 1.0:
        return _ovals(ra, va, i, ox, oy, rb, vb, j)
    a0, na = int(ra[i, FIRST]), int(ra[i, COUNT])
    b0, nb = int(rb[j, FIRST]), int(rb[j, COUNT])
    wx, wy = rb[j, X] - ra[i, X] - ox, rb[j, Y] - ra[i, Y] - oy
    reach = ra[i, BOUND] + rb[j, BOUND]
    if wx * wx + wy * wy > reach * reach:
        s, nx, ny = _apart(va, a0, na, ox, oy, vb, b0, nb)
        return s - ra[i, RX] - rb[j, RX], nx / s, ny / s
    s, nx, ny = polygons(va, a0, na, ox, oy, vb, b0, nb)
    return s - ra[i, RX] - rb[j, RX], nx, ny


@entry("AAAA")
def matrix(ra: Any, va: Any, rb: Any, vb: Any) -> Any:
    """Separations of every footprint of one pack from every one of another."""
    out = np.empty((ra.shape[0], rb.shape[0]))
    for i in range(ra.shape[0]):
        for j in range(rb.shape[0]):
            s, _, _ = separation(ra, va, i, 0.0, 0.0, rb, vb, j)
            out[i, j] = s
    return out


@inner("AAAA")
def _nearest(ra: Any, va: Any, rb: Any, vb: Any) -> Any:
    best = 1e300
    bi = -1
    bj = -1
    bx = 0.0
    by = 0.0
    for i in range(ra.shape[0]):
        for j in range(rb.shape[0]):
            dx, dy = rb[j, X] - ra[i, X], rb[j, Y] - ra[i, Y]
            reach = ra[i, BOUND] + rb[j, BOUND] + best
            if reach > 0.0 and dx * dx + dy * dy > reach * reach:
                continue
            s, nx, ny = separation(ra, va, i, 0.0, 0.0, rb, vb, j)
            if s < best:
                best, bi, bj, bx, by = s, i, j, nx, ny
    return best, bi, bj, bx, by


@entry("AAAA")
def nearest(ra: Any, va: Any, rb: Any, vb: Any) -> Any:
    """The least separation between two packs and which footprints it lies between; far pairs are skipped by bounds."""
    return _nearest(ra, va, rb, vb)


@inner("Affffff")
def _base_row(out: Any, x: float, y: float, rx: float, ry: float, s: float, c: float) -> None:
    """A round or oval base as the row that `packs` makes of it; a round one has no `ry`."""
    out[0, KIND] = 1.0 if ry else 0.0
    out[0, X], out[0, Y], out[0, RX], out[0, RY], out[0, SIN], out[0, COS] = x, y, rx, ry, s, c
    out[0, BOUND] = max(rx, ry)
    out[0, COUNT] = 0.0 if ry else 1.0


@entry("ffffffffffff")
def bases(
    ax: float, ay: float, arx: float, ary: float, as_: float, ac: float,
    bx: float, by: float, brx: float, bry: float, bs: float, bc: float,
) -> float:  # fmt: skip
    """Signed separation of two bases, round (no second radius) or oval, without packing them."""
    ra, rb = np.zeros((1, WIDTH)), np.zeros((1, WIDTH))
    va, vb = np.empty((1, 2)), np.empty((1, 2))
    _base_row(ra, ax, ay, arx, ary, as_, ac)
    _base_row(rb, bx, by, brx, bry, bs, bc)
    va[0, 0], va[0, 1], vb[0, 0], vb[0, 1] = ax, ay, bx, by
    s, _, _ = separation(ra, va, 0, 0.0, 0.0, rb, vb, 0)
    return s  # type: ignore[no-any-return]


@inner("AAiAAiiif")
def _excess(ra: Any, va: Any, i: int, rb: Any, vb: Any, j: int, k: int, count: int, shift: float) -> float:
    """h_i(d) - h_j(d) for a direction near the k-th of a ring of them, shifted by a part of a step."""
    per = count // 24
    k %= count
    u = (k % per + shift) / per
    m = k // per
    while u < 0.0:
        u += 1.0
        m -= 1
    while u >= 1.0:
        u -= 1.0
        m += 1
    m %= 24
    n = (m + 1) % 24
    dx = SPOKES[m, 1] * (1.0 - u) + SPOKES[n, 1] * u
    dy = SPOKES[m, 0] * (1.0 - u) + SPOKES[n, 0] * u
    length = math.sqrt(dx * dx + dy * dy)
    dx /= length
    dy /= length
    px, py = support(ra, va, i, dx, dy)
    qx, qy = support(rb, vb, j, dx, dy)
    return (px - qx) * dx + (py - qy) * dy  # type: ignore[no-any-return]


@entry("AAiAAi")
def furthest(ra: Any, va: Any, i: int, rb: Any, vb: Any, j: int) -> float:
    """The greatest distance of any point of i from j: the greatest of h_i(d) - h_j(d), where positive."""
    best = 0.0
    if ra[i, KIND] == 0.0:
        # The distance from a convex set is convex, so it is greatest at a vertex; a rounding adds its radius.
        probe = np.zeros((1, WIDTH))
        spot = np.empty((1, 2))
        probe[0, COUNT] = 1.0
        for k in range(int(ra[i, FIRST]), int(ra[i, FIRST]) + int(ra[i, COUNT])):
            spot[0, 0], spot[0, 1] = va[k, 0], va[k, 1]
            probe[0, X], probe[0, Y] = va[k, 0], va[k, 1]
            s, _, _ = separation(probe, spot, 0, 0.0, 0.0, rb, vb, j)
            best = max(best, s + ra[i, RX])
        return best
    count = 96
    for k in range(count):
        # A grid of directions, then a ternary search about each peak of it.
        f = _excess(ra, va, i, rb, vb, j, k, count, 0.0)
        if f >= _excess(ra, va, i, rb, vb, j, k - 1, count, 0.0) and f >= _excess(
            ra, va, i, rb, vb, j, k + 1, count, 0.0
        ):
            lo, hi = -1.0, 1.0
            for _ in range(50):
                p, q = lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0
                if _excess(ra, va, i, rb, vb, j, k, count, p) < _excess(ra, va, i, rb, vb, j, k, count, q):
                    lo = p
                else:
                    hi = q
            best = max(best, _excess(ra, va, i, rb, vb, j, k, count, (lo + hi) / 2.0))
    return best


@inner("Affffff")
def rectangle_at(out: Any, x: float, y: float, w: float, d: float, s: float, c: float) -> None:
    w *= 0.5
    d *= 0.5
    out[0, 0], out[0, 1] = x - w * c + d * s, y + d * c + w * s
    out[1, 0], out[1, 1] = x - w * c - d * s, y - d * c + w * s
    out[2, 0], out[2, 1] = x + w * c - d * s, y - d * c - w * s
    out[3, 0], out[3, 1] = x + w * c + d * s, y + d * c - w * s


@inner("AAiffffffff")
def rectangle_row(
    rows: Any, verts: Any, i: int, x: float, y: float, w: float, d: float, s: float, c: float, z0: float, z1: float
) -> None:
    """One oriented rectangle as row i of arrays whose rows are all rectangles."""
    rectangle_at(verts[4 * i :], x, y, w, d, s, c)
    w *= 0.5
    d *= 0.5
    rows[i, KIND], rows[i, RX], rows[i, RY] = 0.0, 0.0, 0.0
    rows[i, X], rows[i, Y] = x, y
    rows[i, SIN], rows[i, COS] = s, c
    rows[i, BOUND] = math.sqrt(w * w + d * d)
    rows[i, Z0], rows[i, Z1] = z0, z1
    rows[i, FIRST], rows[i, COUNT] = 4.0 * i, 4.0


@entry("AAiffffffff")
def rectangle(
    rows: Any, verts: Any, i: int, x: float, y: float, w: float, d: float, s: float, c: float, z0: float, z1: float
) -> None:
    """As `rectangle_row`: written into what the caller made, since handing arrays out to Python costs more."""
    rectangle_row(rows, verts, i, x, y, w, d, s, c, z0, z1)


@entry("ffffffAA")
def rectangle_from(x: float, y: float, w: float, d: float, s: float, c: float, rb: Any, vb: Any) -> float:
    """The least separation of an oriented rectangle from the footprints of a pack."""
    rows = np.empty((1, WIDTH))
    verts = np.empty((4, 2))
    rectangle_row(rows, verts, 0, x, y, w, d, s, c, 0.0, 0.0)
    return _nearest(rows, verts, rb, vb)[0]  # type: ignore[no-any-return]


@entry("ffffffffffff")
def rectangles(
    x1: float, y1: float, w1: float, d1: float, s1: float, c1: float,
    x2: float, y2: float, w2: float, d2: float, s2: float, c2: float,
) -> float:  # fmt: skip
    """Signed separation of two oriented rectangles, without a pack."""
    a = np.empty((4, 2))
    b = np.empty((4, 2))
    rectangle_at(a, x1, y1, w1, d1, s1, c1)
    rectangle_at(b, x2, y2, w2, d2, s2, c2)
    s, _, _ = polygons(a, 0, 4, 0.0, 0.0, b, 0, 4)
    return s  # type: ignore[no-any-return]
