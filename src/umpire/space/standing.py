"""The compiled kernel for a convex body that does not turn: the nearest place to a wish, or any, clear of everything.

What is left of the places inside an area is bounded by the area, by discs and by what the obstacles take away: lines,
and arcs about their corners. `places` says how; here every bound is met with every other.
"""

import math
from typing import Any

import numpy as np

from .compiling import entry, inner
from .rings import hull

TINY = 1e-7
HAIR = 1e-6


@inner("AA")
def _differences(body: Any, ring: Any) -> Any:
    """The moves that bring a body onto an obstacle: the convex hull of its corners seen from the body's,
    anticlockwise."""
    m = body.shape[0]
    points = np.empty((ring.shape[0] * m, 2))
    for i in range(ring.shape[0]):
        for j in range(m):
            points[i * m + j, 0], points[i * m + j, 1] = ring[i, 0] - body[j, 0], ring[i, 1] - body[j, 1]
    return hull(points)


@inner("AiAfff")
def _cut(ring: Any, n: int, out: Any, nx: float, ny: float, least: float) -> int:
    """What of a polygon lies where nx x + ny y is at least so much."""
    size = 0
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        ax, ay, bx, by = ring[k, 0], ring[k, 1], ring[j, 0], ring[j, 1]
        a, b = nx * ax + ny * ay - least, nx * bx + ny * by - least
        if a >= -TINY:
            out[size, 0], out[size, 1] = ax, ay
            size += 1
        if (a > TINY and b < -TINY) or (a < -TINY and b > TINY):
            t = a / (a - b)
            out[size, 0], out[size, 1] = ax + (bx - ax) * t, ay + (by - ay) * t
            size += 1
    return size


@inner("AAIA")
def _inside(area: Any, bodies: Any, parts: Any, region: Any) -> Any:
    """The places of a body's reference point at which it lies wholly in a convex area and itself in a region: a
    polygon, empty if there are none. A region of no corners is everywhere."""
    x0, y0, x1, y1 = np.min(area[:, 0]), np.min(area[:, 1]), np.max(area[:, 0]), np.max(area[:, 1])
    far = max(x1 - x0, y1 - y0) + 100.0
    cx, cy = (x0 + x1) / 2.0, (y0 + y1) / 2.0
    most = 4 + 2 * (area.shape[0] * (parts.shape[0] - 1) + region.shape[0])
    one, other = np.empty((most, 2)), np.empty((most, 2))
    one[0, 0], one[0, 1], one[1, 0], one[1, 1] = cx - far, cy - far, cx + far, cy - far
    one[2, 0], one[2, 1], one[3, 0], one[3, 1] = cx + far, cy + far, cx - far, cy + far
    size = 4
    for p in range(parts.shape[0]):
        ring = area if p < parts.shape[0] - 1 else region
        n = ring.shape[0]
        turn = 0.0
        for k in range(n):
            j = k + 1 if k + 1 < n else 0
            turn += ring[k, 0] * ring[j, 1] - ring[j, 0] * ring[k, 1]
        sense = 1.0 if turn > 0.0 else -1.0
        for k in range(n):
            j = k + 1 if k + 1 < n else 0
            ex, ey = sense * (ring[j, 0] - ring[k, 0]), sense * (ring[j, 1] - ring[k, 1])
            long = math.sqrt(ex * ex + ey * ey)
            if long < 1e-12:
                continue
            nx, ny = -ey / long, ex / long
            least = nx * ring[k, 0] + ny * ring[k, 1]
            if p < parts.shape[0] - 1:
                inmost = 1e300
                for i in range(parts[p], parts[p + 1]):
                    inmost = min(inmost, nx * bodies[i, 0] + ny * bodies[i, 1])
                least -= inmost
            size = _cut(one, size, other, nx, ny, least)
            if size == 0:
                return one[:0].copy()
            one, other = other, one
    return one[:size].copy()


@entry("AAIA")
def room(area: Any, bodies: Any, parts: Any, region: Any) -> Any:
    return _inside(area, bodies, parts, region)


@inner("Afff")
def _off(ring: Any, clearance: float, px: float, py: float) -> bool:
    """Is a move off those that bring the body onto an obstacle, by its clearance?"""
    n = ring.shape[0]
    deepest = 1e300
    square = 1e300
    ax, ay = ring[n - 1, 0], ring[n - 1, 1]
    for k in range(n):
        bx, by = ring[k, 0], ring[k, 1]
        dx, dy = bx - ax, by - ay
        long = dx * dx + dy * dy
        wx, wy = px - ax, py - ay
        t = 0.0
        if long > 1e-24:
            side = (dx * wy - dy * wx) / math.sqrt(long)
            if side <= -clearance:
                return True
            deepest = min(deepest, side)
            t = max(0.0, min(1.0, (wx * dx + wy * dy) / long))
        square = min(square, (wx - t * dx) ** 2 + (wy - t * dy) ** 2)
        ax, ay = bx, by
    if clearance <= 0.0:
        return deepest <= HAIR
    return deepest < -1e-9 and square >= (clearance - HAIR) * (clearance - HAIR)


@inner("Aff")
def _within(ring: Any, px: float, py: float) -> bool:
    n = ring.shape[0]
    if n < 3:
        near = False
        for k in range(n):
            near = near or (px - ring[k, 0]) ** 2 + (py - ring[k, 1]) ** 2 <= HAIR * HAIR
        return near
    ax, ay = ring[n - 1, 0], ring[n - 1, 1]
    for k in range(n):
        bx, by = ring[k, 0], ring[k, 1]
        dx, dy = bx - ax, by - ay
        long = math.sqrt(dx * dx + dy * dy)
        if long > 1e-12 and (dx * (py - ay) - dy * (px - ax)) / long < -HAIR:
            return False
        ax, ay = bx, by
    return True


@inner("AAAIAIff")
def _free(
    inside: Any, discs: Any, rings: Any, starts: Any, bounds: Any, last: Any, px: float, py: float
) -> bool:  # fmt: skip
    """Is this place in the area and the discs, and off everything? What was in the way last time is asked first."""
    for k in range(discs.shape[0]):
        r = discs[k, 2] + HAIR
        if (px - discs[k, 0]) ** 2 + (py - discs[k, 1]) ** 2 > r * r:
            return False
    n = starts.shape[0] - 1
    for step in range(-1, n):
        k = last[0] if step < 0 else step
        if k >= n or k < 0:
            continue
        c = bounds[k, 4]
        if px <= bounds[k, 0] - c or px >= bounds[k, 2] + c or py <= bounds[k, 1] - c or py >= bounds[k, 3] + c:
            continue
        if not _off(rings[starts[k] : starts[k + 1]], c, px, py):
            last[0] = k
            return False
    return _within(inside, px, py)


@inner("VV")
def _meetings(a: Any, b: Any) -> Any:
    """Where two bounds meet: how many points (at most two), and the points. A bound is a line (0, ends) or a circle (1,
    middle, radius)."""
    found = np.empty(4)
    if a[0] == 0.0 and b[0] == 0.0:
        ax, ay, bx, by = a[1], a[2], a[3], a[4]
        cx, cy, dx, dy = b[1], b[2], b[3], b[4]
        across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
        if abs(across) < 1e-12:
            return 0, found
        t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / across
        u = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / across
        if -1e-9 <= t <= 1.0 + 1e-9 and -1e-9 <= u <= 1.0 + 1e-9:
            found[0], found[1] = ax + (bx - ax) * t, ay + (by - ay) * t
            return 1, found
        return 0, found
    if a[0] == 1.0 and b[0] == 1.0:
        ax, ay, r, bx, by, s = a[1], a[2], a[3], b[1], b[2], b[3]
        away = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        if away < 1e-12 or away > r + s or away < abs(r - s):
            return 0, found
        on = (away * away + r * r - s * s) / (2.0 * away)
        side = math.sqrt(max(0.0, r * r - on * on))
        ux, uy = (bx - ax) / away, (by - ay) / away
        found[0], found[1] = ax + ux * on - uy * side, ay + uy * on + ux * side
        found[2], found[3] = ax + ux * on + uy * side, ay + uy * on - ux * side
        return 2, found
    line, disc = (a, b) if a[0] == 0.0 else (b, a)
    ax, ay, dx, dy = line[1], line[2], line[3] - line[1], line[4] - line[2]
    cx, cy, r = disc[1], disc[2], disc[3]
    n = dx * dx + dy * dy
    half = (ax - cx) * dx + (ay - cy) * dy
    root = half * half - n * ((ax - cx) ** 2 + (ay - cy) ** 2 - r * r)
    if n < 1e-18 or root < 0.0:
        return 0, found
    count = 0
    for sign in (1.0, -1.0):
        t = (-half + sign * math.sqrt(root)) / n
        if -1e-9 <= t <= 1.0 + 1e-9:
            found[2 * count], found[2 * count + 1] = ax + dx * t, ay + dy * t
            count += 1
    return count, found


@entry("AIAAAIVAffb")
def find(
    bodies: Any, parts: Any, area: Any, region: Any, verts: Any, starts: Any, clearances: Any, discs: Any, wx: float,
    wy: float, some: bool,
) -> Any:  # fmt: skip
    """The place of a body's reference point nearest to a wish, in a region and in discs, with the body in an area,
    clear of obstacles; with `some` the first that is found. The body's convex parts are
    `bodies[parts[k] : parts[k + 1]]`, the obstacles `verts[starts[k] : starts[k + 1]]`. Nothing: an empty array."""
    none = np.empty(0)
    inside = _inside(area, bodies, parts, region)
    lx, ly, hx, hy = 1e300, 1e300, -1e300, -1e300
    for k in range(inside.shape[0]):
        lx, hx = min(lx, inside[k, 0]), max(hx, inside[k, 0])
        ly, hy = min(ly, inside[k, 1]), max(hy, inside[k, 1])
    for k in range(discs.shape[0]):
        r = discs[k, 2]
        lx, hx = max(lx, discs[k, 0] - r), min(hx, discs[k, 0] + r)
        ly, hy = max(ly, discs[k, 1] - r), min(hy, discs[k, 1] + r)
    if inside.shape[0] == 0 or lx > hx + TINY or ly > hy + TINY:
        return none

    # What the obstacles take away, of those that come near.
    total = 0
    n = clearances.shape[0]
    most = n * (parts.shape[0] - 1)
    hulls = np.empty((verts.shape[0] * bodies.shape[0] + 1, 2))
    begins = np.zeros(most + 1, np.int64)
    bounds = np.empty((most, 5))
    count = 0
    for k in range(n):
        c = clearances[k] + TINY
        ring = verts[starts[k] : starts[k + 1]]
        ox0, oy0, ox1, oy1 = np.min(ring[:, 0]), np.min(ring[:, 1]), np.max(ring[:, 0]), np.max(ring[:, 1])
        for p in range(parts.shape[0] - 1):
            body = bodies[parts[p] : parts[p + 1]]
            x0, x1 = ox0 - np.max(body[:, 0]), ox1 - np.min(body[:, 0])
            y0, y1 = oy0 - np.max(body[:, 1]), oy1 - np.min(body[:, 1])
            if x0 - c > hx or x1 + c < lx or y0 - c > hy or y1 + c < ly:
                continue
            hull = _differences(body, ring)
            size = hull.shape[0]
            hulls[total : total + size] = hull
            total += size
            bounds[count, 0], bounds[count, 1], bounds[count, 2], bounds[count, 3] = x0, y0, x1, y1
            bounds[count, 4] = clearances[k]
            count += 1
            begins[count] = total
    begins = begins[: count + 1].copy()
    bounds = bounds[:count].copy()
    last = np.zeros(1, np.int64)

    # What bounds the places: kind, figures, and where it lies.
    pieces = np.empty((inside.shape[0] + 2 * total + discs.shape[0], 9))
    size = 0
    m = inside.shape[0]
    for k in range(m):
        j = k + 1 if k + 1 < m else 0
        row = pieces[size]
        row[0] = 0.0
        row[1], row[2], row[3], row[4] = inside[k, 0], inside[k, 1], inside[j, 0], inside[j, 1]
        size += 1
    for which in range(count):
        c = bounds[which, 4]
        first, m = begins[which], begins[which + 1] - begins[which]
        for k in range(m):
            j = k + 1 if k + 1 < m else 0
            ax, ay, bx, by = hulls[first + k, 0], hulls[first + k, 1], hulls[first + j, 0], hulls[first + j, 1]
            long = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
            if long < 1e-12:
                continue
            ox, oy = (by - ay) / long * c, (ax - bx) / long * c
            row = pieces[size]
            row[0] = 0.0
            row[1], row[2], row[3], row[4] = ax + ox, ay + oy, bx + ox, by + oy
            size += 1
            if c > 0.0:
                row = pieces[size]
                row[0] = 1.0
                row[1], row[2], row[3], row[4] = ax, ay, c, 0.0
                size += 1
    for k in range(discs.shape[0]):
        row = pieces[size]
        row[0] = 1.0
        row[1], row[2], row[3], row[4] = discs[k, 0], discs[k, 1], discs[k, 2], 0.0
        size += 1
    kept = 0
    for k in range(size):
        row = pieces[k]
        if row[0] == 1.0:
            x0, y0, x1, y1 = row[1] - row[3], row[2] - row[3], row[1] + row[3], row[2] + row[3]
        else:
            x0, x1 = min(row[1], row[3]), max(row[1], row[3])
            y0, y1 = min(row[2], row[4]), max(row[2], row[4])
        if x0 <= hx + TINY and x1 >= lx - TINY and y0 <= hy + TINY and y1 >= ly - TINY:
            pieces[kept, :5] = row[:5]
            pieces[kept, 5], pieces[kept, 6], pieces[kept, 7], pieces[kept, 8] = x0, y0, x1, y1
            kept += 1

    best = np.empty(2)
    far = 1e300
    # The wish itself, the corners of the area, and the leftmost points of the discs.
    m = inside.shape[0]
    for k in range(-1, m + (discs.shape[0] if some else 0)):
        if k < 0:
            x, y = wx, wy
        elif k < m:
            x, y = inside[k, 0], inside[k, 1]
        else:
            x, y = discs[k - m, 0] - discs[k - m, 2], discs[k - m, 1]
        away = (x - wx) ** 2 + (y - wy) ** 2
        if away < far and _free(inside, discs, hulls, begins, bounds, last, x, y):
            best[0], best[1], far = x, y, away
            if some or far == 0.0:
                return best
    # The wish's feet on every bound.
    feet = np.empty(kept)
    for k in range(kept):
        row = pieces[k]
        if row[0] == 1.0:
            away = math.sqrt((wx - row[1]) ** 2 + (wy - row[2]) ** 2)
            feet[k] = -1.0
            if away <= 1e-12:
                continue
            x, y = row[1] + (wx - row[1]) / away * row[3], row[2] + (wy - row[2]) / away * row[3]
        else:
            dx, dy = row[3] - row[1], row[4] - row[2]
            long = dx * dx + dy * dy
            t = max(0.0, min(1.0, ((wx - row[1]) * dx + (wy - row[2]) * dy) / long)) if long > 0.0 else 0.0
            x, y = row[1] + dx * t, row[2] + dy * t
        away = (x - wx) ** 2 + (y - wy) ** 2
        feet[k] = away
        if away < far - TINY and _free(inside, discs, hulls, begins, bounds, last, x, y):
            best[0], best[1], far = x, y, away
            if some:
                return best
    # Where two of them meet, which is no nearer than either.
    for i in range(kept):
        if feet[i] >= far:
            continue
        one = pieces[i]
        for j in range(i):
            other = pieces[j]
            if feet[j] >= far or one[5] > other[7] + TINY or other[5] > one[7] + TINY:
                continue
            if one[6] > other[8] + TINY or other[6] > one[8] + TINY:
                continue
            met, points = _meetings(other, one)
            for k in range(met):
                x, y = points[2 * k], points[2 * k + 1]
                away = (x - wx) ** 2 + (y - wy) ** 2
                if away < far - TINY and _free(inside, discs, hulls, begins, bounds, last, x, y):
                    best[0], best[1], far = x, y, away
                    if some:
                        return best
    return best if far < 1e300 else none
