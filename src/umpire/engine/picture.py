"""The picture: what lies on the table, as plain data that every client draws. A game fills it in; it knows no rule.

Inches throughout; the origin is the near left corner, x to the right, y away from the viewer, z up. A facing is in
degrees, 0 towards the far edge, clockwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from umpire.text import LANGUAGES, Text

NAMES_SCHEMA: dict[str, Any] = {"type": "object", "properties": {lang: {"type": "string"} for lang in LANGUAGES}}
if TYPE_CHECKING:
    Label = Text | dict[str, str]
else:  # msgspec writes no schema for a union of two objects; names in both languages are what clients get of either
    Label = Annotated[Any, msgspec.Meta(extra_json_schema=NAMES_SCHEMA)]


class Shape(msgspec.Struct, frozen=True, omit_defaults=True):
    """A footprint: a circle or oval (width, depth), a rectangle (width, depth), or a polygon about its own origin."""

    kind: Literal["round", "oval", "rect", "polygon"]
    width: float = 0.0
    depth: float = 0.0
    points: tuple[tuple[float, float], ...] = ()


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model or stand on the table. `icon` names a game-icons symbol; `wounds` is what it has left; `figure` is what
    kind of wooden piece stands there: "foot", "horse", "beast", "monster", "vehicle", "engine", "flyer" or "hero"."""

    id: str
    unit: str
    side: int
    shape: Shape
    x: float
    y: float
    z: float = 0.0
    facing: float = 0.0
    height: float = 1.0
    icon: str = ""
    models: int = 1
    wounds: float | None = None
    wounds_max: float | None = None
    figure: str = "foot"


class Sight(msgspec.Struct, frozen=True):
    """Whether one piece sees another by a game's own rules, whether something shelters it, and the rules that said so:
    what `Game.sight(state, one, other)` answers for two pieces of its picture."""

    clear: bool
    cover: bool = False
    rules: tuple[str, ...] = ()


class Block(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a terrain piece: a prism from `z` up to `top` over a polygon. `kind` says how it is drawn: "wall",
    "floor", "platform", "ladder", "stair", "ramp", "door", "arch", "area", "obstacle", "statue", "fence", "water",
    "forest", "hill", "building" …"""

    kind: str
    points: tuple[tuple[float, float], ...]
    z: float = 0.0
    top: float = 0.0


class TerrainPiece(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    name: Label
    blocks: tuple[Block, ...]
    tags: tuple[Label, ...] = ()
    rules: tuple[str, ...] = ()


class Marker(msgspec.Struct, frozen=True, omit_defaults=True):
    """An objective, treasure, token or other thing that lies on the table; `radius` is its own, `range` its control."""

    id: str
    kind: str
    x: float
    y: float
    z: float = 0.0
    radius: float = 0.5
    range: float = 0.0
    side: int | None = None
    label: Label | None = None


class Zone(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the floor: a deployment area, an objective zone, a line."""

    id: str
    kind: str
    points: tuple[tuple[float, float], ...]
    side: int | None = None
    label: Label | None = None
    closed: bool = True


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """A characteristic on a card: base and current value, and every step between the two."""

    name: Label
    base: Any
    now: Any
    changes: tuple[dict[str, Any], ...] = ()


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that a card tells of a weapon or a rule: what it is called, and a number, a word or several."""

    name: Label
    value: Any


def facts(**told: Any) -> tuple[Fact, ...]:
    """What is told under the words `column.…` of the catalogue; what there is nothing of is left out."""
    return tuple(Fact(Text(f"column.{name}"), value) for name, value in told.items() if value not in (None, "", []))


class Arm(msgspec.Struct, frozen=True, omit_defaults=True):
    """A weapon on a card."""

    name: Label
    facts: tuple[Fact, ...]
    icon: str = ""


class Purse(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dice, points or cards that a side has to spend, or a privilege that it has (a name alone); `dice` lie on the
    table: a face, and on how many of them."""

    side: int
    name: Label | None = None
    value: Any = None
    dice: tuple[tuple[int, int], ...] = ()


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit (or a single fighter): what a player reads on its card.

    Of its tags, those with keys `tag.`, `status.` and `mark.` are what befalls it now and stand beside it on the table;
    `being.` is what it is all through the battle, and stands beside its name in the list; others are on its card alone.
    """

    id: str
    side: int
    name: Label
    icon: str = ""
    pieces: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    weapons: tuple[Arm, ...] = ()
    tags: tuple[Label, ...] = ()
    rules: tuple[dict[str, Any], ...] = ()
    wounds: float | None = None
    wounds_max: float | None = None
    done: bool = False
    away: bool = False
    dead: bool = False


class Phase(msgspec.Struct, frozen=True, omit_defaults=True):
    """A phase of the round or turn that is being played. `now`: this is the one; then `units` have still something to
    do in it, as far as the table shows it."""

    id: str
    name: Label
    now: bool = False
    units: tuple[str, ...] = ()


def phases(names: Iterable[str], now: str, units: Iterable[str] = (), prefix: str = "phase") -> tuple[Phase, ...]:
    """The phases of these names in their order, if the battle is at one of them."""
    row = tuple(Phase(n, Text(f"{prefix}.{n}"), n == now, tuple(units) if n == now else ()) for n in names)
    return row if any(phase.now for phase in row) else ()


class Picture(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a table shows. `track` is where in the battle we are, outermost first: round, phase, activation;
    `phases` are all those of a round or turn, in their order; `turn` is the side whose turn it is, if any.

    `goal` tells how the battle is won, what scores and how long it lasts, a sentence each. `ground` is what the table
    is covered with: "felt", "earth", "grass", "stone", "snow" or "ash". `homes` is for each side the direction in
    which it looks from its own edge, in degrees: 0 for the near one.
    """

    width: float
    depth: float
    pieces: tuple[Piece, ...] = ()
    terrain: tuple[TerrainPiece, ...] = ()
    markers: tuple[Marker, ...] = ()
    zones: tuple[Zone, ...] = ()
    cards: tuple[Card, ...] = ()
    track: tuple[Label, ...] = ()
    score: tuple[float, ...] = ()
    pools: tuple[Purse, ...] = ()
    scenario: Label | None = None
    goal: tuple[Label, ...] = ()
    ground: str = "felt"
    homes: tuple[float, ...] = (0.0, 0.0)
    phases: tuple[Phase, ...] = ()
    turn: int | None = None


def homes(
    zones: Sequence[Sequence[tuple[float, float]]], own: Iterable[int], width: float, depth: float
) -> tuple[float, ...]:
    """Each side's own edge: the one next to its zone, or to the zone of its number while none is its own."""
    return tuple(home(zones[zone if zone >= 0 else side], width, depth) for side, zone in enumerate(own))


def home(points: Sequence[tuple[float, float]], width: float, depth: float) -> float:
    """The direction in which somebody looks from the edge next to their own part of the table, of which these are the
    corners."""
    across = math.fsum(x for x, _ in points) / len(points) / width - 0.5
    along = math.fsum(y for _, y in points) / len(points) / depth - 0.5
    if abs(across) > abs(along) + 1e-9:
        return 90.0 if across < 0 else 270.0
    return 0.0 if along <= 0 else 180.0
