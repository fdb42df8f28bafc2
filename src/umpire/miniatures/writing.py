"""Moments of battles written down: what a scene says of a state, and what a library can put on the table of one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from umpire.engine.game import Stock
from umpire.engine.state import Task
from umpire.engine.steps import step_name
from umpire.miniatures.positions import Turns
from umpire.text import words


def moment_due(agenda: Sequence[Task], moments: Mapping[str, Callable[..., Any]], usual: str) -> str:
    """The moment that a scene can name by the step that is due; the usual one for steps that it cannot."""
    named = {step_name(step): moment for moment, step in moments.items()}
    return named.get(agenda[-1].step, usual) if agenda else usual


def write_down(made: msgspec.Struct, kind: type[msgspec.Struct], leave: Iterable[str] = ()) -> dict[str, Any]:
    """What a scene says of a piece, the other way round than `carry_over`: every field that both have and that is not
    what it would be if nothing was said."""
    left = tuple(leave)
    told: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.name in left or field.name not in made.__struct_fields__:
            continue
        value = as_written(getattr(made, field.name))
        if field.required or value != as_written(usual(field)):
            told[field.encode_name] = value
    return told


def write_turns(
    state: Any, kind: type[Turns], side: type[msgspec.Struct], phases: Collection[str], leave: Iterable[str] = ()
) -> dict[str, Any]:
    """What a scene of turns says of a state, but for its units, terrain, objectives and what else is left."""
    left = ("units", "sides", "terrain", "objectives", "first", "phase", *leave)
    told = write_down(state, kind, leave=left)
    told |= {"phase": state.phase if state.phase in phases else "deployment", "first": state.first}
    return told | {"sides": [write_down(one, side) for one in state.sides]}


def said(**fields: Any) -> dict[str, Any]:
    """What there is anything to say of."""
    return {name: value for name, value in fields.items() if value}


def usual(field: msgspec.structs.FieldInfo) -> Any:
    """What a field is where nothing is said."""
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else None


def as_written(value: Any) -> Any:
    """As a file would say it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def known_or_spelt(thing: Any, shelf: Mapping[str, Any]) -> Any:
    """By its id where the library has it so, else spelt out."""
    return thing.id if shelf.get(thing.id) == thing else as_written(thing)


def printed(thing: Any, shelf: Mapping[str, Any], field: str) -> dict[str, Any]:
    """The profile of a unit: under this field by its id where the library has it so, else as `profile` spelt out."""
    told = known_or_spelt(thing, shelf)
    return {field if isinstance(told, str) else "profile": told}


FACINGS = tuple(range(0, 360, 15))


def laid_as(
    feature: Any, kinds: Iterable[Any], make: Callable[[Any, float], Any], outline: Callable[[Any], Any]
) -> tuple[dict[str, Any], Any] | None:
    """A piece of terrain as a scene says it: a kind of the library, turned as it lies; and that as it would be."""
    for kind in kinds:
        for facing in FACINGS if kind.name == feature.name else ():
            made = make(kind, float(facing))
            if outline(made) == outline(feature):
                turned = {"facing": facing} if facing else {}
                return {"kind": kind.id, "x": feature.x, "y": feature.y, **turned}, made
    return None


def outlined(feature: Any, points: Iterable[tuple[float, float]]) -> dict[str, Any]:
    """A piece of terrain that no kind of the library is: its type, and its corners about where it lies."""
    about = [[x - feature.x, y - feature.y] for x, y in points]
    return {"x": feature.x, "y": feature.y, "type": feature.type, "points": about}


def in_rows(count: int, base: float, across: int = 5) -> list[list[float]]:
    """Spots for so many models of a base (in millimetres) about the point 0, 0, in rows that do not quite touch."""
    step = round(base / 25.4 + 0.15, 2)
    wide, deep = min(count, across), -(-count // across)
    return [
        [round((n % across - (wide - 1) / 2) * step, 2), round((n // across - (deep - 1) / 2) * step, 2)]
        for n in range(count)
    ]


def box_round(points: Iterable[Sequence[float]], reach: float = 0.0) -> tuple[float, float, float, float]:
    """What things that stand at these points, and reach so far from them, take up."""
    xs, ys = zip(*((x, y) for x, y, *_ in points), strict=True)
    return min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach


def box_of_block(wide: float, deep: float) -> tuple[float, float, float, float]:
    """What a block takes up whose front has its middle at the point 0, 0."""
    return -wide / 2, -deep, wide / 2, 0.0


def plain_terrain(kinds: Mapping[str, Mapping[str, Any]]) -> Iterator[Stock]:
    """Plain pieces of terrain where the library has none: of each kind one, with what a scene says of it."""
    square = [[-3, -2], [3, -2], [3, 2], [-3, 2]]
    for key, said in kinds.items():
        given = {"points": square, **said}
        yield Stock("terrain", words(f"scene.stock.{key}"), words("scene.stock.terrain"), given, box_round(square))


def known_terrain(
    pieces: Iterable[Any], corners: Callable[[Any], Iterable[Sequence[float]]], field: str = "kind"
) -> Iterator[Stock]:
    """The pieces of terrain that a library has, with the corners of each about its own middle."""
    for piece in pieces:
        given = {field: piece.id, "x": 0, "y": 0}
        yield Stock("terrain", piece.name, words("scene.stock.terrain"), given, box_round(corners(piece)))


def own_profile(into: str, entry: dict[str, Any], box: tuple[float, float, float, float]) -> Stock:
    """What has a profile of its own, spelt out with plain values, to be filled in by hand."""
    return Stock(into, words("scene.stock.own"), words("scene.stock.typed"), entry, box)
