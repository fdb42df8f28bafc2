"""SVG pictures of any arrangement, for tests, documents and notebooks."""

from collections.abc import Sequence
from html import escape

from .angles import rotate
from .measure import bounds
from .shapes import Base, Oval, Point, Prism, Rect, Round, Thing, world_points

COLOURS = ("#4878a8", "#c05840", "#609858", "#9070b0", "#b08830", "#508890")


class Picture:
    """A drawing in inches, y upwards. Add things from back to front; `svg()` or a notebook shows it."""

    def __init__(self, table: tuple[float, float] | None = None, scale: float = 20.0) -> None:
        self.table = table
        self.scale = scale
        self._items: list[str] = []
        self._box = [0.0, 0.0, *table] if table else [1e9, 1e9, -1e9, -1e9]

    def _cover(self, x0: float, y0: float, x1: float, y1: float) -> None:
        b = self._box
        self._box = [min(b[0], x0), min(b[1], y0), max(b[2], x1), max(b[3], y1)]

    def add(self, thing: Thing, fill: str = "#8aa", opacity: float = 0.8, label: str = "") -> "Picture":
        """A base (with a tick that shows its facing) or a prism."""
        self._cover(*bounds(thing))
        style = f'fill="{escape(fill)}" fill-opacity="{opacity:g}" stroke="#222" stroke-width="0.03"'
        if isinstance(thing, Prism):
            self._items.append(f'<polygon points="{_points(thing.points)}" {style}/>')
            x0, y0, x1, y1 = bounds(thing)
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
        else:
            x, y = thing.centre
            self._items.append(_base(thing, style))
        if label:
            self._items.append(
                f'<text transform="translate({_n(x)} {_n(y)}) scale(1 -1)" font-size="0.5" text-anchor="middle" '
                f'dominant-baseline="central">{escape(label)}</text>'
            )
        return self

    def region(self, rings: Sequence[tuple[Point, ...]], fill: str = "#6a6", opacity: float = 0.3) -> "Picture":
        """An area given by rings, such as what can be reached."""
        for ring in rings:
            for x, y in ring:
                self._cover(x, y, x, y)
        d = " ".join("M" + " L".join(f"{_n(x)} {_n(y)}" for x, y in ring) + "Z" for ring in rings if ring)
        self._items.append(f'<path d="{d}" fill="{escape(fill)}" fill-opacity="{opacity:g}" fill-rule="evenodd"/>')
        return self

    def way(self, points: Sequence[Point], stroke: str = "#b22") -> "Picture":
        """A path or a line of sight."""
        for x, y in points:
            self._cover(x, y, x, y)
        style = f'fill="none" stroke="{escape(stroke)}" stroke-width="0.06"'
        self._items.append(f'<polyline points="{_points(points)}" {style}/>')
        return self

    def svg(self) -> str:
        x0, y0, x1, y1 = self._box if self._box[0] <= self._box[2] else [0.0, 0.0, 1.0, 1.0]
        x0, y0, x1, y1 = x0 - 0.5, y0 - 0.5, x1 + 0.5, y1 + 0.5
        ground = ""
        if self.table:
            ground = f'<rect width="{_n(self.table[0])}" height="{_n(self.table[1])}" fill="#eee8d8" stroke="#887"/>'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n((x1 - x0) * self.scale)}" '
            f'height="{_n((y1 - y0) * self.scale)}" viewBox="{_n(x0)} {_n(-y1)} {_n(x1 - x0)} {_n(y1 - y0)}" '
            f'stroke-width="0.05"><g transform="scale(1 -1)">{ground}{"".join(self._items)}</g></svg>'
        )

    _repr_svg_ = svg


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _base(base: Base, style: str) -> str:
    shape = base.shape
    x, y = base.centre
    if isinstance(shape, Round):
        body = f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(shape.radius)}" {style}/>'
        nose = shape.radius
    elif isinstance(shape, Oval):
        turn = f"translate({_n(x)} {_n(y)}) rotate({_n(-base.facing)})"
        body = f'<ellipse rx="{_n(shape.rx)}" ry="{_n(shape.ry)}" transform="{turn}" {style}/>'
        nose = shape.ry
    else:
        body = f'<polygon points="{_points(world_points(base))}" {style}/>'
        nose = shape.depth / 2 if isinstance(shape, Rect) else 0.0
    dx, dy = rotate(0.0, nose, base.facing)
    tick = f"M{_n(x + dx * 0.6)} {_n(y + dy * 0.6)}L{_n(x + dx)} {_n(y + dy)}"
    return f'{body}<path d="{tick}" stroke="#222" stroke-width="0.06"/>'


def draw(things: Sequence[Thing], table: tuple[float, float] | None = None) -> str:
    """An SVG drawing of things: prisms in grey below, bases in colours above."""
    picture = Picture(table)
    for thing in things:
        if isinstance(thing, Prism):
            picture.add(thing, "#998", 0.7)
    bases = [thing for thing in things if isinstance(thing, Base)]
    for k, base in enumerate(bases):
        picture.add(base, COLOURS[k % len(COLOURS)], label=str(k))
    return picture.svg()
