"""The compiled kernel for shortest paths of a point round grown obstacles.

Each obstacle is a convex core grown by its own radius, so a shortest path is made of straight stretches that touch the
discs at core corners, and of arcs on them. A label is a stretch that has arrived at a corner's disc: which corner, on
which side the obstacle lies (+1 left, -1 right), in which direction, where, at what cost, from which label.

cores: first vertex, vertices, radius, centre x, centre y, bound.
"""

import math
from typing import Any

import numpy as np

from . import angles
from .compiling import entry, inner
from .kernel import polygons
from .rings import hull

SLACK = 0.0005
FAR = 1e6
FIRST, COUNT, RADIUS, CX, CY, BOUND = range(6)
CORNER, SIDE, DX, DY, TX, TY, COST, PARENT, GUESS, DONE = range(10)

_arctan = inner("f")(angles._arctan)
_sin_cos = inner("f")(angles.sin_cos)


@entry("fffff")
def _angle(ax: float, ay: float, bx: float, by: float, side: float) -> float:
    """How far to turn from one direction to another, left for side +1 and right for -1, in [0, 2 pi)."""
    c = (ax * by - ay * bx) * side
    d = ax * bx + ay * by
    if abs(c) <= abs(d):
        angle = _arctan(c / d) if d > 0.0 else math.pi + _arctan(c / d)
    else:
        angle = (math.pi / 2.0 if c > 0.0 else -math.pi / 2.0) - _arctan(d / c)
    if angle < -1e-9:
        angle += 2.0 * math.pi
    return max(0.0, angle)


@entry("AAffffA")
def blocked(cores: Any, verts: Any, px: float, py: float, qx: float, qy: float, seg: Any) -> bool:
    """Whether a straight stretch enters a grown obstacle."""
    dx, dy = qx - px, qy - py
    n = dx * dx + dy * dy
    seg[0, 0], seg[0, 1], seg[1, 0], seg[1, 1] = px, py, qx, qy
    for k in range(cores.shape[0]):
        radius = cores[k, RADIUS] - SLACK
        wx, wy = cores[k, CX] - px, cores[k, CY] - py
        t = 0.0
        if n > 0.0:
            t = (wx * dx + wy * dy) / n
            t = 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)
        ex, ey = wx - t * dx, wy - t * dy
        reach = cores[k, BOUND] + radius
        d = ex * ex + ey * ey
        if reach <= 0.0 or d >= reach * reach:
            continue
        if radius > 0.0 and int(cores[k, COUNT]) == 1:
            return True
        s, _, _ = polygons(seg, 0, 2 if n > 0.0 else 1, 0.0, 0.0, verts, int(cores[k, FIRST]), int(cores[k, COUNT]))
        if s < radius:
            return True
    return False


@inner("AAifffffffVA")
def _arc_blocked(
    cores: Any, verts: Any, own: int, x: float, y: float, radius: float, side: float,
    dx: float, dy: float, angle: float, bounds: Any, seg: Any,
) -> bool:  # fmt: skip
    """Whether an arc on a disc enters another grown obstacle or leaves the bounds, judged at close points."""
    if radius * angle < 1e-9:
        return False
    steps = 1 + int(radius * angle / 0.03)
    for k in range(1, steps + 1):
        s, c = _sin_cos(angle * k / steps * side * 180.0 / math.pi)
        ux, uy = dx * c - dy * s, dy * c + dx * s
        px, py = x + side * radius * uy, y - side * radius * ux
        if px < bounds[0] or py < bounds[1] or px > bounds[2] or py > bounds[3]:
            return True
        for m in range(cores.shape[0]):
            if m == own:
                continue
            limit = cores[m, RADIUS] - SLACK
            ex, ey = px - cores[m, CX], py - cores[m, CY]
            reach = cores[m, BOUND] + limit
            if reach <= 0.0 or ex * ex + ey * ey >= reach * reach:
                continue
            seg[0, 0], seg[0, 1] = px, py
            d, _, _ = polygons(seg, 0, 1, 0.0, 0.0, verts, int(cores[m, FIRST]), int(cores[m, COUNT]))
            if d < limit:
                return True
    return False


@inner("Aifff")
def _fits_corner(corners: Any, c: int, side: float, dx: float, dy: float) -> bool:
    """Whether a line in a direction, with the obstacle on a side, touches it at this corner."""
    if corners[c, 3] == 0.0:
        return True
    ux, uy = dx * side, dy * side
    return (  # type: ignore[no-any-return]
        corners[c, 4] * uy - corners[c, 5] * ux >= -1e-9 and ux * corners[c, 7] - uy * corners[c, 6] >= -1e-9
    )


@entry("AA")
def corners_of(cores: Any, verts: Any) -> Any:
    """x, y, core, whether it is a corner of several, direction of the edge before and of the edge after, for each
    vertex.
    """
    out = np.zeros((verts.shape[0], 8))
    for k in range(cores.shape[0]):
        first, n = int(cores[k, FIRST]), int(cores[k, COUNT])
        for i in range(n):
            here, before, after = first + i, first + (i + n - 1) % n, first + (i + 1) % n
            out[here, 0], out[here, 1], out[here, 2] = verts[here, 0], verts[here, 1], k
            if n > 1:
                out[here, 3] = 1.0
                ex, ey = verts[here, 0] - verts[before, 0], verts[here, 1] - verts[before, 1]
                d = math.sqrt(ex * ex + ey * ey)
                out[here, 4], out[here, 5] = ex / d, ey / d
                ex, ey = verts[after, 0] - verts[here, 0], verts[after, 1] - verts[here, 1]
                d = math.sqrt(ex * ex + ey * ey)
                out[here, 6], out[here, 7] = ex / d, ey / d
    return out


@inner("fffff")
def _share(a0: float, a1: float, b0: float, b1: float, tolerance: float) -> bool:
    """Whether two volumes are in each other's way by height (`measure.share_heights`)."""
    low = b0 + tolerance if a1 > a0 + tolerance else b0 - tolerance
    high = b1 - tolerance if b1 > b0 + tolerance else b1 + tolerance
    return a1 > low and a0 < high


@entry("AAVAfffffffffAAAV")
def grown(
    rows: Any, verts: Any, gaps: Any, ring: Any, grow: float, z0: float, z1: float, radius: float, x: float, y: float,
    tolerance: float, off: float, outside: float, cores: Any, points: Any, corners: Any, close: Any,
) -> Any:  # fmt: skip
    """What is packed, grown for a round base that stands at a point, is written down: cores, vertices, what
    `corners_of` tells of these, and which cores are close (`paths`). An oval is replaced by a polygon whose corners lie
    in the directions of `ring`. How many cores there are, and how many vertices."""
    size = 0
    oval, spot = np.empty((ring.shape[0], 2)), np.empty((1, 2))
    spot[0, 0], spot[0, 1] = x, y
    count = 0
    for k in range(rows.shape[0]):
        if not _share(z0, z1, rows[k, 8], rows[k, 9], tolerance):
            continue
        first = size
        reach = radius + gaps[k]
        if rows[k, 0] == 1.0:
            s, c = rows[k, 5], rows[k, 6]
            for j in range(ring.shape[0]):
                px, py = rows[k, 3] * grow * ring[j, 0], rows[k, 4] * grow * ring[j, 1]
                oval[j, 0], oval[j, 1] = rows[k, 1] + px * c + py * s, rows[k, 2] + py * c - px * s
            outline = hull(oval)
            for j in range(outline.shape[0]):
                points[size, 0], points[size, 1] = outline[j, 0], outline[j, 1]
                size += 1
        else:
            reach = radius + rows[k, 3] + gaps[k]
            for j in range(int(rows[k, 10]), int(rows[k, 10]) + int(rows[k, 11])):
                points[size, 0], points[size, 1] = verts[j, 0], verts[j, 1]
                size += 1
        n = size - first
        cx, cy, bound = points[first, 0], points[first, 1], 0.0
        if n > 1:
            cx, cy = 0.0, 0.0
            for j in range(first, size):
                cx, cy = cx + points[j, 0], cy + points[j, 1]
            cx, cy = cx / n, cy / n
            for j in range(first, size):
                dx, dy = points[j, 0] - cx, points[j, 1] - cy
                bound = max(bound, dx * dx + dy * dy)
            bound = math.sqrt(bound)
        close[count] = 1.0 if 0.0 < gaps[k] < off else 0.0
        far = reach + bound
        if (cx - x) * (cx - x) + (cy - y) * (cy - y) <= far * far:
            # What is too near at the start may be left but not approached; what the base stands in does not count.
            d, _, _ = polygons(spot, 0, 1, 0.0, 0.0, points, first, n)
            if d < reach:
                reach = -FAR if d < -tolerance else max(d - outside, 0.0)
                close[count] = 1.0
        cores[count, FIRST], cores[count, COUNT], cores[count, RADIUS] = first, n, reach
        cores[count, CX], cores[count, CY], cores[count, BOUND] = cx, cy, bound
        count += 1
    corners[:size] = corners_of(cores[:count], points[:size])
    return count, size


@inner("ffffffff")
def _tangent(x1: float, y1: float, r1: float, s1: float, x2: float, y2: float, r2: float, s2: float) -> Any:
    """The line that touches two discs on given sides: whether there is one, its direction and length."""
    dx, dy = x2 - x1, y2 - y1
    k = s2 * r2 - s1 * r1
    n = dx * dx + dy * dy
    square = n - k * k
    if square < 0.0 or n < 1e-18:
        return False, 0.0, 0.0, 0.0
    length = math.sqrt(square)
    return True, (dx * length + dy * k) / n, (dy * length - dx * k) / n, length


@inner("AiiAAAfVA")
def _dominated(
    labels: Any, k: int, count: int, cores: Any, verts: Any, corners: Any, radius: float, bounds: Any, seg: Any
) -> bool:
    """Whether an earlier label on the same disc and side gets round to where this one arrives at no more cost."""
    c, side = labels[k, CORNER], labels[k, SIDE]
    for m in range(count):
        if m == k or labels[m, DONE] != 1.0 or labels[m, CORNER] != c or labels[m, SIDE] != side:
            continue
        angle = _angle(labels[m, DX], labels[m, DY], labels[k, DX], labels[k, DY], side)
        if radius == 0.0:
            # On a bare corner the directions still to come are all that a label can offer.
            if angle <= math.pi and labels[m, COST] <= labels[k, COST] + 1e-9:
                labels[k, DONE] = 2.0
                return True
            continue
        if angle > math.pi or labels[m, COST] + radius * angle > labels[k, COST] + 1e-9:
            continue
        i = int(c)
        if _arc_blocked(
            cores, verts, int(corners[i, 2]), corners[i, 0], corners[i, 1], radius, side,
            labels[m, DX], labels[m, DY], angle, bounds, seg,
        ):  # fmt: skip
            continue
        labels[k, DONE] = 2.0
        return True
    return False


@entry("AAAffffbfV")
def search(
    cores: Any,
    verts: Any,
    corners: Any,
    sx: float,
    sy: float,
    gx: float,
    gy: float,
    aim: bool,
    budget: float,
    bounds: Any,
) -> Any:
    """Labels of all corners reached within a budget; with an aim, stops once the goal is settled. Also the goal's
    label.
    """
    labels = np.zeros((256, 10))
    seg = np.empty((2, 2))
    labels[0, CORNER], labels[0, TX], labels[0, TY], labels[0, PARENT] = -1.0, sx, sy, -1.0
    count = 1
    while True:
        best = -1
        guess = 1e300
        for k in range(count):
            if labels[k, DONE] == 0.0 and labels[k, GUESS] < guess:
                guess = labels[k, GUESS]
                best = k
        if best < 0:
            return labels, count, -1
        labels[best, DONE] = 1.0
        c = int(labels[best, CORNER])
        if c == -2:
            return labels, count, best
        side = labels[best, SIDE]
        x, y, radius = sx, sy, 0.0
        own = -1
        if c >= 0:
            x, y = corners[c, 0], corners[c, 1]
            own = int(corners[c, 2])
            radius = cores[own, RADIUS]
            if _dominated(labels, best, count, cores, verts, corners, radius, bounds, seg):
                continue
        dx, dy, cost = labels[best, DX], labels[best, DY], labels[best, COST]
        targets = corners.shape[0]
        for target in range(-1 if aim else 0, targets):
            if target == c:
                continue
            if target >= 0:
                core = int(corners[target, 2])
                ex, ey, r2 = corners[target, 0], corners[target, 1], cores[core, RADIUS]
                if r2 < 0.0:
                    continue
            else:
                ex, ey, r2 = gx, gy, 0.0
            for turn in range(2 if target >= 0 else 1):
                side2 = 1.0 - 2.0 * turn
                ok, ux, uy, length = _tangent(x, y, radius, side, ex, ey, r2, side2)
                if not ok or (target >= 0 and not _fits_corner(corners, target, side2, ux, uy)):
                    continue
                angle = 0.0
                if c >= 0:
                    if not _fits_corner(corners, c, side, ux, uy):
                        continue
                    angle = _angle(dx, dy, ux, uy, side)
                    if corners[c, 3] != 0.0 and angle > math.pi + 1e-6:
                        continue
                total = cost + radius * angle + length
                if total > budget + SLACK:
                    continue
                tx, ty = ex + side2 * r2 * uy, ey - side2 * r2 * ux
                if tx < bounds[0] or ty < bounds[1] or tx > bounds[2] or ty > bounds[3]:
                    continue
                px, py = x + side * radius * uy, y - side * radius * ux
                if blocked(cores, verts, px, py, tx, ty, seg):
                    continue
                if _arc_blocked(cores, verts, own, x, y, radius, side, dx, dy, angle, bounds, seg):
                    continue
                if count == labels.shape[0]:
                    more = np.zeros((count * 2, 10))
                    for m in range(count):
                        for n in range(10):
                            more[m, n] = labels[m, n]
                    labels = more
                labels[count, CORNER] = target if target >= 0 else -2.0
                labels[count, SIDE], labels[count, DX], labels[count, DY] = side2, ux, uy
                labels[count, TX], labels[count, TY] = tx, ty
                labels[count, COST], labels[count, PARENT] = total, best
                labels[count, GUESS] = total
                if aim and target >= 0:
                    fx, fy = gx - tx, gy - ty
                    labels[count, GUESS] = total + math.sqrt(fx * fx + fy * fy)
                count += 1


@entry("AAAAVVVf")
def costs(cores: Any, verts: Any, corners: Any, labels: Any, bounds: Any, xs: Any, ys: Any, budget: float) -> Any:
    """The cost of reaching each of many points from settled labels (infinite beyond the budget)."""
    out = np.empty(xs.shape[0])
    seg = np.empty((2, 2))
    for k in range(xs.shape[0]):
        best = budget + SLACK
        found = False
        gx, gy = xs[k], ys[k]
        if not (gx < bounds[0] or gy < bounds[1] or gx > bounds[2] or gy > bounds[3]) and not blocked(
            cores, verts, gx, gy, gx, gy, seg
        ):
            for m in range(labels.shape[0]):
                if labels[m, DONE] != 1.0:
                    continue
                fx, fy = gx - labels[m, TX], gy - labels[m, TY]
                if labels[m, COST] + math.sqrt(fx * fx + fy * fy) > best + 1e-9:
                    continue
                c = int(labels[m, CORNER])
                x, y, radius, side, own = labels[m, TX], labels[m, TY], 0.0, 1.0, -1
                if c >= 0:
                    x, y = corners[c, 0], corners[c, 1]
                    own = int(corners[c, 2])
                    radius, side = cores[own, RADIUS], labels[m, SIDE]
                ok, ux, uy, length = _tangent(x, y, radius, side, gx, gy, 0.0, 1.0)
                if not ok:
                    if c >= 0 or abs(fx) + abs(fy) > 1e-9:
                        continue
                    ux, uy, length = 1.0, 0.0, 0.0
                angle = 0.0
                if c >= 0:
                    if not _fits_corner(corners, c, side, ux, uy):
                        continue
                    angle = _angle(labels[m, DX], labels[m, DY], ux, uy, side)
                    if corners[c, 3] != 0.0 and angle > math.pi + 1e-6:
                        continue
                total = labels[m, COST] + radius * angle + length
                if total > best:
                    continue
                px, py = x + side * radius * uy, y - side * radius * ux
                if blocked(cores, verts, px, py, gx, gy, seg):
                    continue
                if _arc_blocked(
                    cores, verts, own, x, y, radius, side, labels[m, DX], labels[m, DY], angle, bounds, seg
                ):
                    continue
                best = total
                found = True
        out[k] = best if found else np.inf
    return out
