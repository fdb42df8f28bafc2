"""What stands on a table: footprints, bases with a pose, prisms of terrain. All lengths are inches."""

import math
from functools import lru_cache

import msgspec

from .angles import rotate, turned

Point = tuple[float, float]

TOLERANCE = 0.0005
"""Half of 1/1000 inch: two lengths closer than this are the same length."""


def mm(millimetres: float) -> float:
    """Millimetres, as bases are sold, in inches."""
    return millimetres / 25.4


def snap(value: float) -> float:
    """The nearest 1/1000 inch, which is where things on a table stand."""
    return math.floor(value * 1000.0 + 0.5) / 1000.0


class Round(msgspec.Struct, frozen=True, tag="round", gc=False):
    """A round base."""

    radius: float


class Oval(msgspec.Struct, frozen=True, tag="oval", gc=False):
    """An oval base: half its width across the facing, half its length along it."""

    rx: float
    ry: float


class Rect(msgspec.Struct, frozen=True, tag="rect", gc=False):
    """A rectangular base: width across the facing, depth along it."""

    width: float
    depth: float


class Hull(msgspec.Struct, frozen=True, tag="hull", gc=False):
    """A polygon about the model's own origin, its front towards +y; it may be concave, a segment or a single point."""

    points: tuple[Point, ...]


Shape = Round | Oval | Rect | Hull


class Base(msgspec.Struct, frozen=True, gc=False):
    """A footprint put somewhere: the prism over it, from z up to z + height, is the model."""

    shape: Shape
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    facing: float = 0.0
    height: float = 0.0

    @property
    def top(self) -> float:
        return self.z + self.height

    @property
    def centre(self) -> Point:
        return self.x, self.y

    def at(self, x: float, y: float, z: float | None = None, facing: float | None = None) -> "Base":
        """The same model somewhere else; what is left out stays."""
        return Base(
            self.shape, x, y, self.z if z is None else z, self.facing if facing is None else facing, self.height
        )

    def turned(self, facing: float) -> "Base":
        return Base(self.shape, self.x, self.y, self.z, facing, self.height)

    def moved(self, dx: float, dy: float, dz: float = 0.0) -> "Base":
        return Base(self.shape, self.x + dx, self.y + dy, self.z + dz, self.facing, self.height)

    def ahead(self, forwards: float, right: float = 0.0) -> "Base":
        """Moved along its own facing: negative is backwards, or left."""
        dx, dy = rotate(right, forwards, self.facing)
        return self.moved(dx, dy)

    def corners(self) -> tuple[Point, ...]:
        """The corners of a rectangle (front left, front right, rear right, rear left) or the points of a hull."""
        return world_points(self)


class Prism(msgspec.Struct, frozen=True, gc=False):
    """A polygon on the table between two heights.

    `solid`: bodies cannot pass through it; `opaque`: sight cannot. `slope` (a, b, c) makes the top a ramp of height
    a + b·x + c·y, which nowhere rises above `top`. Tags are the game's own words for it.
    """

    points: tuple[Point, ...]
    floor: float = 0.0
    top: float = 0.0
    solid: bool = True
    opaque: bool = True
    tags: tuple[str, ...] = ()
    slope: tuple[float, float, float] | None = None

    @property
    def height(self) -> float:
        return self.top - self.floor

    def surface(self, x: float, y: float) -> float:
        """The height of the top over a point of the footprint."""
        if self.slope is None:
            return self.top
        a, b, c = self.slope
        return min(self.top, max(self.floor, a + b * x + c * y))

    def placed(self, x: float, y: float, z: float = 0.0, facing: float = 0.0) -> "Prism":
        """Turned clockwise about the origin, then carried to (x, y, z)."""
        s, c = turned(facing)
        points = tuple((px * c + py * s + x, py * c - px * s + y) for px, py in self.points)
        slope = None
        if self.slope is not None:
            a, b, d = self.slope
            gx, gy = b * c + d * s, d * c - b * s
            slope = (a + z - gx * x - gy * y, gx, gy)
        return Prism(points, self.floor + z, self.top + z, self.solid, self.opaque, self.tags, slope)


Thing = Base | Prism
"""Whatever can be measured: bases, prisms, and through `dot` and `line` also points and edges."""


def dot(x: float, y: float, z: float = 0.0) -> Base:
    """A point to measure from or to."""
    return Base(Round(0.0), x, y, z)


def world_points(base: Base) -> tuple[Point, ...]:
    shape, x, y = base.shape, base.x, base.y
    if type(shape) is Rect:
        s, c = turned(base.facing)
        w, d = shape.width / 2, shape.depth / 2
        wc, ws, dc, ds = w * c, w * s, d * c, d * s
        return (
            (ds - wc + x, dc + ws + y), (wc + ds + x, dc - ws + y),
            (wc - ds + x, y - (dc + ws)), (x - (wc + ds), ws - dc + y),
        )  # fmt: skip
    if isinstance(shape, Hull):
        s, c = turned(base.facing)
        return tuple([(px * c + py * s + x, py * c - px * s + y) for px, py in shape.points])
    raise TypeError(f"a {type(shape).__name__.lower()} base has no corners")


def extent(base: Base) -> float:
    """The greatest distance of any point of a base from its centre."""
    shape = base.shape
    if isinstance(shape, Round):
        return shape.radius
    if isinstance(shape, Oval):
        return max(shape.rx, shape.ry)
    if isinstance(shape, Rect):
        return math.sqrt(shape.width * shape.width + shape.depth * shape.depth) / 2
    return max(math.sqrt(x * x + y * y) for x, y in shape.points)


@lru_cache(maxsize=512)
def circle_about(points: tuple[Point, ...]) -> tuple[float, float, float]:
    """A circle about an outline: the middle of its upright box, and a radius."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return x, y, max(((px - x) ** 2 + (py - y) ** 2) ** 0.5 for px, py in points)


def signed_area(points: tuple[Point, ...]) -> float:
    total = 0.0
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
        total += ax * by - bx * ay
    return total / 2


def _cross(o: Point, a: Point, b: Point) -> float:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def _is_convex(ring: list[Point]) -> bool:
    n = len(ring)
    return all(_cross(ring[i], ring[(i + 1) % n], ring[(i + 2) % n]) >= -1e-12 for i in range(n))


def _crosses_itself(ring: list[Point]) -> bool:
    n = len(ring)
    for i in range(n):
        a, b = ring[i], ring[(i + 1) % n]
        for j in range(i + 2, n - (i == 0)):
            c, d = ring[j], ring[(j + 1) % n]
            if _cross(a, b, c) * _cross(a, b, d) < 0 and _cross(c, d, a) * _cross(c, d, b) < 0:
                return True
    return False


def convex_hull(points: tuple[Point, ...] | list[Point]) -> tuple[Point, ...]:
    """The convex hull, anticlockwise, without collinear points."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) <= 2:
        return tuple(ordered)
    halves: list[list[Point]] = []
    for sequence in (ordered, ordered[::-1]):
        half: list[Point] = []
        for point in sequence:
            x, y = point
            while len(half) >= 2:
                (ox, oy), (ax, ay) = half[-2:]
                if (ax - ox) * (y - oy) - (ay - oy) * (x - ox) > 0:  # `_cross`, written out
                    break
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    return tuple(halves[0] + halves[1])


def minkowski(a: tuple[Point, ...], b: tuple[Point, ...]) -> tuple[Point, ...]:
    """All sums of a point of one convex anticlockwise polygon and a point of another, as their convex hull.

    The edges of both are laid end to end by their angles, so this costs the sum of the corners and not their product.
    """
    if len(a) < 3 or len(b) < 3:
        return convex_hull([(px + qx, py + qy) for px, py in a for qx, qy in b])
    i0, j0 = a.index(min(a)), b.index(min(b))
    a, b = a[i0:] + a[:i0], b[j0:] + b[:j0]
    n, m = len(a), len(b)
    i = j = 0
    out: list[Point] = []
    while i < n or j < m:
        px, py = a[i % n]
        qx, qy = b[j % m]
        out.append((px + qx, py + qy))
        ux, uy = a[(i + 1) % n]
        vx, vy = b[(j + 1) % m]
        turn = (ux - px) * (vy - qy) - (uy - py) * (vx - qx)
        if i >= n:
            j += 1
        elif j >= m:
            i += 1
        else:
            if turn >= 0.0:
                i += 1
            if turn <= 0.0:
                j += 1
    return tuple(out)


def _triangles(ring: list[Point]) -> list[list[Point]]:
    """Ear clipping of an anticlockwise simple polygon."""
    rest, out = list(ring), []
    while len(rest) > 3:
        n = len(rest)
        for i in range(n):
            a, b, c = rest[i - 1], rest[i], rest[(i + 1) % n]
            if _cross(a, b, c) <= 0:
                continue
            if any(
                p not in (a, b, c) and _cross(a, b, p) >= 0 and _cross(b, c, p) >= 0 and _cross(c, a, p) >= 0
                for p in rest
            ):
                continue
            out.append([a, b, c])
            del rest[i]
            break
        else:
            # No ear: what is left is flat up to rounding.
            del rest[min(range(n), key=lambda i: abs(_cross(rest[i - 1], rest[i], rest[(i + 1) % n])))]
    out.append(rest)
    return out


def _merged(a: list[Point], b: list[Point]) -> list[Point] | None:
    """Two convex polygons sharing an edge, as one if that is convex too."""
    for i, p in enumerate(a):
        q = a[(i + 1) % len(a)]
        for j, r in enumerate(b):
            if r == q and b[(j + 1) % len(b)] == p:
                ring = a[i + 1 :] + a[: i + 1]
                tail = b[j + 2 :] + b[:j]
                joined = ring + tail
                return joined if _is_convex(joined) else None
    return None


@lru_cache(maxsize=1024)
def convex_parts(points: tuple[Point, ...]) -> tuple[tuple[Point, ...], ...]:
    """A simple polygon as convex, anticlockwise pieces that share edges; points and segments come back as they are."""
    cleaned = [p for i, p in enumerate(points) if p != points[i - 1] or len(points) == 1]
    if len(cleaned) < 3:
        return (tuple(cleaned or points[:1]),)
    ring = cleaned if signed_area(tuple(cleaned)) > 0 else cleaned[::-1]
    if _crosses_itself(ring):
        raise ValueError(f"the polygon crosses itself: {points}")
    if _is_convex(ring):
        return (tuple(ring),)
    parts = _triangles(ring)
    i = 0
    while i < len(parts):
        for j in range(i + 1, len(parts)):
            joined = _merged(parts[i], parts[j])
            if joined is not None:
                parts[i] = joined
                del parts[j]
                break
        else:
            i += 1
    return tuple(tuple(part) for part in parts)
