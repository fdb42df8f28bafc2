"""Level ground that a point may stand on: convex outlines as half-planes, and what they cover together."""

import itertools
import math
from collections.abc import Iterable, Sequence

import msgspec

from .shapes import TOLERANCE, Point
from .spans import rim_crossings

Side = tuple[float, float, float, float, float, float]
"""An edge of an outline, anticlockwise, with its outward normal: ax, ay, bx, by, nx, ny."""
Segment = tuple[Point, Point]


def sides(points: Sequence[Point]) -> list[Side]:
    """The edges of an outline with their outward normals."""
    ring = list(points)
    if math.fsum(p[0] * q[1] - q[0] * p[1] for p, q in zip(ring, [*ring[1:], ring[0]], strict=True)) <= 0:
        ring.reverse()
    out = []
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        length = math.hypot(bx - ax, by - ay)
        out.append((ax, ay, bx, by, (by - ay) / length, (ax - bx) / length))
    return out


def narrowest(points: Sequence[Point]) -> float:
    """The width of a convex outline where it is narrowest."""
    across = ([px * nx + py * ny for px, py in points] for _, _, _, _, nx, ny in sides(points))
    return min(max(reach) - min(reach) for reach in across)


class Plate(msgspec.Struct, frozen=True, gc=False):
    """A convex outline at a height, as half-planes, and the box round it; `tag` is its owner's."""

    z: float
    planes: tuple[tuple[float, float, float], ...]
    box: tuple[float, float, float, float]
    tag: int = 0

    def holds(self, x: float, y: float) -> bool:
        x0, y0, x1, y1 = self.box
        if x < x0 - TOLERANCE or x > x1 + TOLERANCE or y < y0 - TOLERANCE or y > y1 + TOLERANCE:
            return False
        return all(a * x + b * y <= c + TOLERANCE for a, b, c in self.planes)

    def clip(self, ax: float, ay: float, bx: float, by: float) -> tuple[float, float] | None:
        """The part of a segment that lies on it."""
        t0, t1 = 0.0, 1.0
        for a, b, c in self.planes:
            start = c + TOLERANCE - a * ax - b * ay
            rate = a * (bx - ax) + b * (by - ay)
            if abs(rate) < 1e-12:
                if start < 0:
                    return None
            elif rate > 0:
                t1 = min(t1, start / rate)
            else:
                t0 = max(t0, start / rate)
        return (t0, t1) if t0 <= t1 else None


def plate(points: Sequence[Point], z: float = 0.0, tag: int = 0) -> Plate:
    planes = tuple((nx, ny, nx * ax + ny * ay) for ax, ay, _, _, nx, ny in sides(points))
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return Plate(z, planes, (min(xs), min(ys), max(xs), max(ys)), tag)


def level(plates: Iterable[Plate], z: float) -> list[Plate]:
    """Those at a height."""
    return [one for one in plates if abs(one.z - z) <= TOLERANCE]


def gaps(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """What intervals leave of the range from 0 to 1."""
    out: list[tuple[float, float]] = []
    reached = 0.0
    for start, end in sorted(spans):
        if start > reached + 1e-6:
            out.append((reached, start))
        reached = max(reached, end)
    return [*out, (reached, 1.0)] if reached < 1.0 - 1e-6 else out


def clips(plates: Iterable[Plate], ax: float, ay: float, bx: float, by: float) -> list[tuple[float, float]]:
    """The parts of a segment that lie on each of some plates."""
    return [span for one in plates if (span := one.clip(ax, ay, bx, by)) is not None]


def stays(plates: Iterable[Plate], ax: float, ay: float, bx: float, by: float) -> float:
    """The part of a segment, from its start on, along which it stays on plates; -1 if it does not start on one."""
    spans = clips(plates, ax, ay, bx, by)
    if not any(start <= 1e-6 for start, _ in spans):
        return -1.0
    open_parts = gaps(spans)
    return open_parts[0][0] if open_parts else 1.0


def holds_disc(plates: Sequence[Plate], x: float, y: float, r: float) -> bool:
    """Is all of a disc on plates? Between two places where its rim crosses an edge, either all of it is or none."""
    planes = [plane for one in plates for plane in one.planes]
    turns = sorted({0.0, *(turn for plane in planes for turn in rim_crossings(x, y, r, *plane))})
    middles = ((a + b) / 2 for a, b in itertools.pairwise([*turns, math.tau]))
    spots = ((x + r * math.cos(turn), y + r * math.sin(turn)) for turn in middles)
    return all(any(one.holds(*spot) for one in plates) for spot in spots)


def rim(outlines: Sequence[Sequence[Point]]) -> list[Segment]:
    """The edges of convex outlines that lie on none of the others: the rim of all of them together."""
    if len(outlines) == 1:
        return [((ax, ay), (bx, by)) for ax, ay, bx, by, _, _ in sides(outlines[0])]
    all_plates = [plate(points) for points in outlines]
    out: list[Segment] = []
    for n, points in enumerate(outlines):
        others = all_plates[:n] + all_plates[n + 1 :]
        for ax, ay, bx, by, nx, ny in sides(points):
            ox, oy = nx * TOLERANCE, ny * TOLERANCE
            for t0, t1 in gaps(clips(others, ax + ox, ay + oy, bx + ox, by + oy)):
                start = ax + (bx - ax) * t0, ay + (by - ay) * t0
                out.append((start, (ax + (bx - ax) * t1, ay + (by - ay) * t1)))
    return out
