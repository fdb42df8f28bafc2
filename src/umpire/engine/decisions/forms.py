"""How places, moves and facings are written: one form each, the same in every game, and strict about types.

A question tells in its `Form` which parts of it may be used, how far, by which kinds of leg, and what moves; so nobody
who answers has to guess.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from umpire.engine.picture import Shape
from umpire.text import Text

Number: TypeAlias = Annotated[float, Meta(gt=-1e6, lt=1e6)]
Key: TypeAlias = Annotated[str, Meta(max_length=120)]
WAYPOINTS = 256
"""A way round two large bases in turn has more than sixty."""
Way: TypeAlias = Literal["spot", "models", "path", "to", "stay"]


def number_ok(value: Any) -> bool:
    """A finite number, and not a truth value."""
    return type(value) in (int, float) and -1e6 < value < 1e6


# -- what an answer says -------------------------------------------------------------------------------------------


class Spot(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place on the table in inches; a facing in degrees, 0 towards the far edge, clockwise."""

    x: Number
    y: Number
    z: Number | UnsetType = UNSET
    facing: Number | UnsetType = UNSET


class ModelSpot(Spot, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where one model of a unit is to stand; `path` are the places that it passes before."""

    path: (
        Annotated[list[Annotated[list[Number], Meta(min_length=2, max_length=3)]], Meta(max_length=WAYPOINTS)]
        | UnsetType
    ) = UNSET


class Goal(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where something is to come by whatever legal way is found: to a place, or `beside` a piece."""

    x: Number | UnsetType = UNSET
    y: Number | UnsetType = UNSET
    z: Number | UnsetType = UNSET
    facing: Number | UnsetType = UNSET
    beside: Key | UnsetType = UNSET


class Leg(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One leg of a way: to a place, or so many inches or degrees of a manoeuvre (`how`); `on` and `through` name the
    terrain that a leg leads up or through. A leg that the umpire told may be given back with its `cost` and `drop`,
    which an answer need not say and cannot change."""

    how: Key | UnsetType = UNSET
    x: Number | UnsetType = UNSET
    y: Number | UnsetType = UNSET
    z: Number | UnsetType = UNSET
    facing: Number | UnsetType = UNSET
    inches: Number | UnsetType = UNSET
    degrees: Number | UnsetType = UNSET
    on: Key | UnsetType = UNSET
    through: Key | UnsetType = UNSET
    cost: Number | UnsetType = UNSET
    drop: Number | UnsetType = UNSET


class Placed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answer to `place`: one spot (`files` where a block is formed anew), or a spot for each model."""

    x: Number | UnsetType = UNSET
    y: Number | UnsetType = UNSET
    z: Number | UnsetType = UNSET
    facing: Number | UnsetType = UNSET
    files: int | UnsetType = UNSET
    models: dict[Key, Spot] | UnsetType = UNSET


class Moved(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answer to `move`: exactly one of `stay` (which is true), `to`, `path` and `models`; and where it comes on
    from a table edge, which one (`edge`), where along it (`at`) and in how many `files`."""

    stay: Annotated[bool, Meta(extra_json_schema={"const": True})] | UnsetType = UNSET
    to: Goal | UnsetType = UNSET
    path: Annotated[list[Leg], Meta(max_length=WAYPOINTS)] | UnsetType = UNSET
    models: dict[Key, ModelSpot] | UnsetType = UNSET
    edge: Key | UnsetType = UNSET
    at: Number | UnsetType = UNSET
    files: int | UnsetType = UNSET


def _fits(answer: Any, kind: type[Any]) -> Any:
    try:
        return msgspec.convert(answer, kind)
    except (msgspec.ValidationError, RecursionError):
        return None


def _finite(*values: Any) -> bool:
    """JSON knows no NaN, but somebody who calls from Python might hand one in."""
    return all(value is UNSET or math.isfinite(value) for value in values)


def _spot_ok(spot: Any) -> bool:
    return _finite(spot.x, spot.y, spot.z, spot.facing)


def placed_ok(answer: Any) -> bool:
    """Is this a placement, whatever it says?"""
    said = _fits(answer, Placed)
    if said is None:
        return False
    whole = b"null" not in msgspec.json.encode(answer)  # NaN would be written as null
    if said.models is not UNSET:
        apart = bool(said.models) and said.x is UNSET and said.y is UNSET
        return apart and (whole or all(map(_spot_ok, said.models.values())))
    return said.x is not UNSET and said.y is not UNSET and (whole or _spot_ok(said))


def moved_ok(answer: Any) -> bool:
    """Is this a move, whatever it says?"""
    said = _fits(answer, Moved)
    if said is None:
        return False
    if b"null" not in msgspec.json.encode(answer):
        return _says_one_thing(said)  # NaN would be written as null: every number is one
    return _finite(said.at) and _says_one_thing(said) and _numbers_ok(said)


def _says_one_thing(said: Moved) -> bool:
    if (said.stay, said.to, said.path, said.models).count(UNSET) != 3:
        return False
    if said.stay is not UNSET:
        return said.stay is True
    if said.to is not UNSET:
        goal = said.to
        there = goal.x is not UNSET and goal.y is not UNSET
        return there == (goal.beside is UNSET) and (there or goal.x is goal.y is UNSET)
    return True


def _numbers_ok(said: Moved) -> bool:
    if said.to is not UNSET:
        return _spot_ok(said.to)
    if said.models is not UNSET:
        return all(_spot_ok(spot) and _way_ok(spot.path) for spot in said.models.values())
    path = said.path if said.path is not UNSET else []
    return all(_spot_ok(leg) and _finite(leg.inches, leg.degrees, leg.cost, leg.drop) for leg in path)


def _way_ok(path: Any) -> bool:
    return path is UNSET or all(map(math.isfinite, (v for point in path for v in point)))


def way_of(answer: dict[str, Any]) -> Way:
    """Which part of the form an answer uses."""
    for way in ("models", "path", "to", "stay"):
        if way in answer:
            return way
    return "spot"


# -- what a question says about it ---------------------------------------------------------------------------------


class Manner(Struct, frozen=True, omit_defaults=True):
    """A kind of leg: how it is measured (where it ends, in inches or in degrees); which way so many inches lead, in
    degrees from the front, clockwise; and for a turn how many inches of the move a degree costs."""

    id: str
    label: Text
    by: Literal["place", "inches", "degrees"] = "place"
    price: float = 0.0
    towards: float | None = None


class Held(Struct, frozen=True, omit_defaults=True):
    """A piece that is not on the table yet, as a hand holds it."""

    shape: Shape
    height: float = 1.0
    icon: str = ""
    figure: str = "foot"


class Form(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a question is answered: which parts of the form, with what limits, by which pieces."""

    ways: tuple[Way, ...]
    """What an answer may say: a `spot`, `models`, a `path`, a goal (`to`), or to `stay`."""
    pieces: tuple[str, ...] = ()
    """The pieces that are placed or moved; of a unit all of them."""
    limit: float | None = None
    """Inches that may be spent."""
    degrees: float | None = None
    """How far it may turn, where that is limited."""
    manners: tuple[Manner, ...] = ()
    """The kinds of leg that a path may be made of."""
    start: Spot | None = None
    """What leads a unit, and where the way begins: the middle of a loose unit, the middle of a block's front."""
    facing: bool = False
    """May a facing be wished?"""
    files: tuple[int, int] | None = None
    """The fewest and the most files of a block that is formed anew."""
    edges: tuple[str, ...] = ()
    """The table edges by which it may come on."""
    shapes: dict[str, Held] = {}
    """Of pieces that are not on the table yet."""
    coherency: float | None = None
    """How far apart the models of a loose unit may stand, in inches."""


SPOT = Form(ways=("spot",))


def a_point(radius: float = 0.0) -> Form:
    """A point of the table, and the ground about it that is meant: a hand holds no piece but a marker of that size."""
    marker = Held(Shape("round", width=2 * max(radius, 0.25), depth=2 * max(radius, 0.25)), 0.1)
    return Form(ways=("spot",), pieces=("point",), shapes={"point": marker})


PLACE = Form(ways=("spot", "models"))
MOVE = Form(ways=("path", "to", "models", "stay"))
