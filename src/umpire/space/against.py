"""The compiled kernel for a body that stands against a wall at one facing: where along it nothing else is in the way.

Rings are convex and anticlockwise, laid end to end in one array; `starts` says where each begins, and where the last
ends. The moves that bring one ring onto another are bounded by an edge for each edge of either.
"""

import math
from typing import Any

import numpy as np

from .angles import sin_cos
from .compiling import entry, inner

TINY = 1e-9
FAR = 1e300

_sin_cos = inner("f")(sin_cos)


@inner("Aff")
def _furthest(ring: Any, nx: float, ny: float) -> int:
    best, which = -FAR, 0
    for k in range(ring.shape[0]):
        far = ring[k, 0] * nx + ring[k, 1] * ny
        if far > best + TINY:
            best, which = far, k
    return which


@inner("AAAi")
def _moves(body: Any, ring: Any, out: Any, count: int) -> int:
    """The edges of the moves that bring a body onto a ring: where each begins, its unit vector, its length."""
    for one in range(2):
        own, other = (ring, body) if one == 0 else (body, ring)
        n = own.shape[0]
        for k in range(n):
            j = k + 1 if k + 1 < n else 0
            ex, ey = own[j, 0] - own[k, 0], own[j, 1] - own[k, 1]
            long = math.sqrt(ex * ex + ey * ey)
            if long < TINY:
                continue
            ux, uy = ex / long, ey / long
            if one == 0:
                at = _furthest(other, -uy, ux)  # of the body what is furthest into the ring
                x, y = own[k, 0] - other[at, 0], own[k, 1] - other[at, 1]
            else:
                ux, uy = -ux, -uy
                at = _furthest(other, uy, -ux)
                x, y = other[at, 0] - own[k, 0], other[at, 1] - own[k, 1]
            out[count, 0], out[count, 1], out[count, 2], out[count, 3], out[count, 4] = x, y, ux, uy, long
            count += 1
    return count


@inner("Aiifffff")
def _through(edges: Any, first: int, last: int, px: float, py: float, ux: float, uy: float, clearance: float) -> Any:
    """For which lengths along a line a point is nearer to such moves than a clearance, or among them."""
    if clearance <= 0.0:
        low, high = -FAR, FAR
        for k in range(first, last):
            ex, ey = edges[k, 2], edges[k, 3]
            inside = ex * (py - edges[k, 1]) - ey * (px - edges[k, 0])
            speed = ex * uy - ey * ux
            if abs(speed) < 1e-12:
                if inside <= TINY:
                    return 1.0, 0.0
            elif speed > 0.0:
                low = max(low, -inside / speed)
            else:
                high = min(high, -inside / speed)
        return low, high
    low, high = FAR, -FAR
    for k in range(first, last):
        ax, ay, ex, ey, long = edges[k, 0] - px, edges[k, 1] - py, edges[k, 2], edges[k, 3], edges[k, 4]
        for end in range(2):
            cx, cy = ax + ex * long * end, ay + ey * long * end
            aside, on = cx * uy - cy * ux, cx * ux + cy * uy
            if abs(aside) < clearance:
                half = math.sqrt(clearance * clearance - aside * aside)
                low, high = min(low, on - half), max(high, on + half)
        across = ux * ey - uy * ex
        if abs(across) > 1e-12:
            ox, oy = ax + ey * clearance, ay - ex * clearance
            t = (ox * ey - oy * ex) / across
            part = (t * ux - ox) * ex + (t * uy - oy) * ey
            if -TINY <= part <= long + TINY:
                low, high = min(low, t), max(high, t)
    return low, high


@inner("Aff")
def _turned(ring: Any, s: float, c: float) -> Any:
    out = np.empty((ring.shape[0], 2))
    for k in range(ring.shape[0]):
        x, y = ring[k, 0], ring[k, 1]
        out[k, 0], out[k, 1] = x * c + y * s, y * c - x * s
    return out


@inner("Af")
def _less(ring: Any, by: float) -> Any:
    """A ring shrunk to its middle by at least so much everywhere; of no length where nothing is left."""
    n = ring.shape[0]
    mx = my = 0.0
    for k in range(n):
        mx, my = mx + ring[k, 0] / n, my + ring[k, 1] / n
    least = FAR
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        ex, ey = ring[j, 0] - ring[k, 0], ring[j, 1] - ring[k, 1]
        long = math.sqrt(ex * ex + ey * ey)
        if long > TINY:
            least = min(least, abs(ex * (my - ring[k, 1]) - ey * (mx - ring[k, 0])) / long)
    if by >= least:
        return np.empty((0, 2))
    part = 1.0 - by / least
    out = np.empty((n, 2))
    for k in range(n):
        out[k, 0], out[k, 1] = mx + (ring[k, 0] - mx) * part, my + (ring[k, 1] - my) * part
    return out


@inner("VVifAi")
def _free(lows: Any, highs: Any, bars: int, length: float, out: Any, count: int) -> int:
    """What bars leave of [0, length], each stretch by its ends."""
    at = 0.0
    for k in np.argsort(lows[:bars]):
        if highs[k] < 0.0 or lows[k] > length:
            continue
        if lows[k] >= at:
            out[count, 0], out[count, 1] = at, lows[k]
            count += 1
        at = max(at, highs[k])
    if at <= length:
        out[count, 0], out[count, 1] = at, length
        count += 1
    return count


@entry("AIAIAIAIVfff")
def against(
    parts: Any, part_starts: Any, cells: Any, cell_starts: Any, walls: Any, wall_starts: Any,
    keeps: Any, keep_starts: Any, clear: Any, limit: float, facing: float, slack: float,
) -> Any:  # fmt: skip
    """Places at which the parts, turned to a facing, touch a wall, with each cell within a limit of them and everything
    else so clear, less some slack: x, y of the middle, the beginning and the end of each free stretch."""
    s, c = _sin_cos(facing)
    n_parts, n_cells = part_starts.shape[0] - 1, cell_starts.shape[0] - 1
    n_walls, n_keeps = wall_starts.shape[0] - 1, keep_starts.shape[0] - 1
    body = _turned(parts, s, c)
    small = _turned(cells, s, c)
    room = n_parts * (keeps.shape[0] + 2 * walls.shape[0]) + (n_keeps + 2 * n_walls) * parts.shape[0]
    room += n_cells * walls.shape[0] + n_walls * cells.shape[0] + 8
    edges = np.empty((room, 5))
    # What is taken, what the cells are to be near to, and what the parts stand against: a range of edges each.
    taken = np.empty((n_parts * (n_keeps + n_walls), 3))
    near = np.empty((n_cells * n_walls, 2))
    onto = np.empty((n_parts * n_walls, 2))
    rows = found = 0
    for p in range(n_parts):
        part = body[part_starts[p] : part_starts[p + 1]]
        for k in range(n_keeps + n_walls):
            if k < n_keeps:
                ring, clearance = keeps[keep_starts[k] : keep_starts[k + 1]], clear[k]
            else:
                ring, clearance = walls[wall_starts[k - n_keeps] : wall_starts[k - n_keeps + 1]], 0.0
            if clearance < slack:
                ring = _less(ring, slack - clearance)
            if ring.shape[0] == 0:
                continue
            taken[found, 0] = rows
            rows = _moves(part, ring, edges, rows)
            taken[found, 1], taken[found, 2] = rows, max(0.0, clearance - slack)
            found += 1
        for w in range(n_walls):
            onto[p * n_walls + w, 0] = rows
            rows = _moves(part, walls[wall_starts[w] : wall_starts[w + 1]], edges, rows)
            onto[p * n_walls + w, 1] = rows
    for q in range(n_cells):
        cell = small[cell_starts[q] : cell_starts[q + 1]]
        for w in range(n_walls):
            near[q * n_walls + w, 0] = rows
            rows = _moves(cell, walls[wall_starts[w] : wall_starts[w + 1]], edges, rows)
            near[q * n_walls + w, 1] = rows
    most = found + n_cells * (n_walls + 1) + 1
    lows, highs = np.empty(most), np.empty(most)
    inside_low, inside_high = np.empty(n_walls), np.empty(n_walls)
    gaps, spans = np.empty((n_walls + 1, 2)), np.empty((most + 1, 2))
    out = np.empty((3 * 64, 2))
    count = 0
    for m in range(n_parts * n_walls):
        for e in range(int(onto[m, 0]), int(onto[m, 1])):
            px, py, ux, uy, length = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3], edges[e, 4]
            bars = 0
            reached = True
            for q in range(n_cells):
                touched = 0
                for w in range(n_walls):
                    a, b = near[q * n_walls + w, 0], near[q * n_walls + w, 1]
                    low, high = _through(edges, int(a), int(b), px, py, ux, uy, limit + slack)
                    if high > low and high >= 0.0 and low <= length:
                        inside_low[touched], inside_high[touched] = low, high
                        touched += 1
                if touched == 0:
                    reached = False
                    break
                for g in range(_free(inside_low, inside_high, touched, length, gaps, 0)):
                    if gaps[g, 1] - gaps[g, 0] > TINY:
                        lows[bars] = -FAR if gaps[g, 0] <= 0.0 else gaps[g, 0]
                        highs[bars] = FAR if gaps[g, 1] >= length else gaps[g, 1]
                        bars += 1
            if not reached:
                continue
            for k in range(found):
                low, high = _through(edges, int(taken[k, 0]), int(taken[k, 1]), px, py, ux, uy, taken[k, 2])
                if high > low + TINY:
                    lows[bars], highs[bars] = low, high
                    bars += 1
            for g in range(_free(lows, highs, bars, length, spans, 0)):
                low, high = spans[g, 0], spans[g, 1]
                for at in ((low + high) / 2, low, high):
                    if count < out.shape[0]:
                        out[count, 0], out[count, 1] = px + ux * at, py + uy * at
                        count += 1
    return out[:count]
