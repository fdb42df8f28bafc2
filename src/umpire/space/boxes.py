"""Prisms by the boxes round them: which of many are near, found without measuring any of them."""

import math
from collections.abc import Iterable, Iterator, Sequence

from .measure import bounds
from .shapes import Prism

Box = tuple[float, float, float, float]


class Boxes:
    """Prisms with tags, in groups that lie together."""

    def __init__(self, groups: Iterable[Sequence[tuple[int, Prism]]]) -> None:
        self._groups: list[tuple[Box, list[tuple[Box, int, Prism]]]] = []
        for group in groups:
            inner = [(bounds(prism), tag, prism) for tag, prism in group]
            x0, y0 = min(box[0] for box, _, _ in inner), min(box[1] for box, _, _ in inner)
            x1, y1 = max(box[2] for box, _, _ in inner), max(box[3] for box, _, _ in inner)
            self._groups.append(((x0, y0, x1, y1), inner))

    def near(self, x0: float, y0: float, x1: float, y1: float) -> list[tuple[int, Prism]]:
        """Those whose boxes reach into a box, with their tags."""
        return [
            (tag, prism)
            for (fx0, fy0, fx1, fy1), group in self._groups
            if fx0 < x1 and fx1 > x0 and fy0 < y1 and fy1 > y0
            for (px0, py0, px1, py1), tag, prism in group
            if px0 < x1 and px1 > x0 and py0 < y1 and py1 > y0
        ]

    def along(
        self, ax: float, ay: float, bx: float, by: float, reach: float, low: float, high: float
    ) -> Iterator[tuple[int, Prism, float]]:
        """Those between two heights whose boxes come within reach of a segment, as far as can be told by the box round
        it and by the line through it; with their tags, and how far their boxes are from that line at least."""
        dx, dy = bx - ax, by - ay
        x0, x1 = (ax - reach, bx + reach) if dx > 0.0 else (bx - reach, ax + reach)
        y0, y1 = (ay - reach, by + reach) if dy > 0.0 else (by - reach, ay + reach)
        length = math.sqrt(dx * dx + dy * dy) or 1.0
        nx, ny = -dy / length, dx / length
        offset, wide, tall = nx * ax + ny * ay, abs(nx) / 2, abs(ny) / 2
        for (fx0, fy0, fx1, fy1), group in self._groups:
            if fx0 < x1 and fx1 > x0 and fy0 < y1 and fy1 > y0:
                for (px0, py0, px1, py1), tag, prism in group:
                    if px0 < x1 and px1 > x0 and py0 < y1 and py1 > y0 and prism.floor < high and prism.top > low:
                        away = abs(nx * (px0 + px1) / 2 + ny * (py0 + py1) / 2 - offset)
                        away -= wide * (px1 - px0) + tall * (py1 - py0)
                        if away <= reach:
                            yield tag, prism, away
