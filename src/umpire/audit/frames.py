"""What the auditor reads: one frame for every answer, as plain data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from umpire.audit.sight import Solid, solids

Json = Any
Point = tuple[float, float]


class Frame(NamedTuple):
    """What happened at one answer, and the table after it: pictures, events and cards as a spectator gets them."""

    number: int
    picture: dict[str, Json]
    events: list[dict[str, Json]]
    outcome: dict[str, Json] | None = None
    cards: Mapping[str, Json] = {}


class Finding(NamedTuple):
    """A disagreement: what was checked, at which answer, and what the auditor makes of it."""

    check: str
    answer: int
    says: str

    def __str__(self) -> str:
        return f"answer {self.answer}: {self.check}: {self.says}"


class Watch:
    """What the auditor remembers from frame to frame."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.findings: list[Finding] = []
        self.before: dict[str, dict[str, Json]] = {}
        self.now: dict[str, dict[str, Json]] = {}
        self.cards: Mapping[str, Json] = {}
        self.last_cards: Mapping[str, Json] = {}
        self.number = 0
        self._terrain: list[Json] = []
        self._solid: list[Solid] | None = None

    def show(self, frame: Frame) -> None:
        self.number = frame.number
        if frame.picture["terrain"] != self._terrain:
            self._terrain, self._solid = [*frame.picture["terrain"]], None
        self.before, self.now = self.now, {piece["id"]: piece for piece in frame.picture["pieces"]}
        self.last_cards, self.cards = self.cards, frame.cards

    @property
    def solid(self) -> list[Solid]:
        """What no sight passes, of the terrain as it lies."""
        if self._solid is None:
            self._solid = solids(self._terrain)
        return self._solid

    def find(self, check: str, says: str) -> None:
        self.findings.append(Finding(check, self.number, says))

    def unit(self, key: str, before: bool = False) -> list[dict[str, Json]]:
        """The pieces of a unit on the table, now or before this answer."""
        return [piece for piece in (self.before if before else self.now).values() if piece["unit"] == key]

    def value(self, unit: str, name: str, before: bool = False) -> Json:
        """A characteristic as the unit's card shows it, by its English name."""
        card = (self.last_cards if before else self.cards).get(unit)
        if card is None:
            return None
        return next((entry["now"] for entry in card["values"] if entry["name"].get("en") == name), None)


def shift(piece: dict[str, Json], old: dict[str, Json]) -> float:
    """How far a piece has come in a straight line, on the flat."""
    return math.hypot(piece["x"] - old["x"], piece["y"] - old["y"])


def outline(piece: dict[str, Json], steps: int = 96) -> list[Point]:
    """The base as a polygon; circles and ovals as many-sided ones that lie inside them."""
    shape = piece["shape"]
    turn = math.radians(piece.get("facing", 0.0))
    sin, cos = math.sin(turn), math.cos(turn)
    kind = shape["kind"]
    if kind == "polygon":
        local = [tuple(point) for point in shape["points"]]
    elif kind == "rect":
        w, d = shape["width"] / 2, shape["depth"] / 2
        local = [(-w, -d), (w, -d), (w, d), (-w, d)]
    else:
        w, d = shape["width"] / 2, (shape["depth"] or shape["width"]) / 2
        local = [(w * math.cos(2 * math.pi * k / steps), d * math.sin(2 * math.pi * k / steps)) for k in range(steps)]
    return [(piece["x"] + x * cos + y * sin, piece["y"] - x * sin + y * cos) for x, y in local]


def gap(a: dict[str, Json], b: dict[str, Json]) -> float:
    """The distance between two bases on the flat; below 0 by how much two circles overlap."""
    if a["shape"]["kind"] == b["shape"]["kind"] == "round":
        far = math.hypot(a["x"] - b["x"], a["y"] - b["y"])
        return float(far - a["shape"]["width"] / 2 - b["shape"]["width"] / 2)
    if a["shape"]["kind"] == b["shape"]["kind"] == "rect":
        return _between(outline(a), outline(b))
    from shapely import Polygon

    one, other = Polygon(outline(a)), Polygon(outline(b))
    if not one.intersects(other):
        return float(one.distance(other))
    shared = one.intersection(other)
    if shared.area < 1e-9:
        return 0.0
    corners = list(shared.minimum_rotated_rectangle.exterior.coords)
    return -min(math.dist(corners[0], corners[1]), math.dist(corners[1], corners[2]))


def clear(a: dict[str, Json], b: dict[str, Json], overlap: float) -> bool:
    """Are two rectangles parted by a side of one of them, but for so much? The short way to say so for most."""
    if not a["shape"]["kind"] == b["shape"]["kind"] == "rect":
        return False
    one, other = outline(a), outline(b)
    return any(off >= -overlap for off in _parted(one, other)) or any(off >= -overlap for off in _parted(other, one))


def _parted(one: Sequence[Point], other: Sequence[Point]) -> Iterator[float]:
    """For each side of a convex outline, how far the other lies beyond it."""
    middle = sum(x for x, _ in one) / len(one), sum(y for _, y in one) / len(one)
    for (x, y), (u, v) in zip(one, [*one[1:], one[0]], strict=True):
        long = math.hypot(u - x, v - y)
        nx, ny = (v - y) / long, (x - u) / long
        if (middle[0] - x) * nx + (middle[1] - y) * ny > 0:
            nx, ny = -nx, -ny
        yield min([(p - x) * nx + (q - y) * ny for p, q in other])


def _between(one: Sequence[Point], other: Sequence[Point]) -> float:
    """The distance between two convex outlines; below 0 by the least that would part them."""
    deepest = max(*_parted(one, other), *_parted(other, one))
    if deepest <= 0:
        return deepest
    return min(
        _to_edge(point, a, b)
        for mine, theirs in ((one, other), (other, one))
        for point in mine
        for a, b in zip(theirs, [*theirs[1:], theirs[0]], strict=True)
    )


def _to_edge(point: Point, a: Point, b: Point) -> float:
    (x, y), (p, q), (u, v) = point, a, b
    t = ((x - p) * (u - p) + (y - q) * (v - q)) / ((u - p) ** 2 + (v - q) ** 2)
    t = min(1.0, max(0.0, t))
    return math.hypot(x - p - t * (u - p), y - q - t * (v - q))


def rise(a: dict[str, Json], b: dict[str, Json]) -> float:
    """The vertical distance between two prisms: 0 where their heights meet."""
    low_a, low_b = a.get("z", 0.0), b.get("z", 0.0)
    return float(max(0.0, low_a - (low_b + b["height"]), low_b - (low_a + a["height"])))


def rolls(frame: Frame) -> Iterator[tuple[dict[str, Json], dict[str, Json]]]:
    """The rolls of a frame with their events."""
    for event in frame.events:
        if event.get("roll"):
            yield event, event["roll"]


def successes(roll: dict[str, Json]) -> int:
    """How many faces meet the need: so much or more, or where the need is negative so much or less."""
    need = roll.get("need", 0)
    return sum(1 for face in roll["faces"] if (face >= need if need > 0 else face <= -need))


def modified(roll: dict[str, Json]) -> int:
    """What is added to each die of a roll, as it says."""
    return sum(int(step) for step, _ in roll.get("mods") or ())


def column(weapon: dict[str, Json], name: str) -> Json:
    """What a card tells of a weapon under this heading; None where it tells nothing."""
    return next((fact["value"] for fact in weapon["facts"] if fact["name"].get("key") == f"column.{name}"), None)


def weapon_range(watch: Watch, unit: str, name: Json) -> float | None:
    """The longest range that the unit's card gives a weapon of this name; None where it has none."""
    card = watch.last_cards.get(unit) or watch.cards.get(unit) or {}
    found = [0.0]
    for weapon in card.get("weapons") or ():
        if weapon["name"].get("en") == (name.get("en") if isinstance(name, dict) else name):
            found.append(float(column(weapon, "range") or 0.0))
    return max(found) or None


def text_key(value: Json) -> str:
    """The key of a text among the facts, or the word itself."""
    return str(value["key"]) if isinstance(value, dict) and "key" in value else str(value)
