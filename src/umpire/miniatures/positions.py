"""Positions that people write down: what a scene's fields mean.

The structs of a scene derive from the state's (`marks_of`): a field of the state that a rule reads has its name and its
usual value in a scene too, and `carry_over` takes it across. What cannot be is refused by `checks`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import GenericAlias
from typing import Any, TypeVar, get_type_hints

import msgspec

from umpire.engine.effects import Effect
from umpire.errors import fault, unknown
from umpire.miniatures import checks
from umpire.miniatures.amounts import Side, Span, Turned
from umpire.miniatures.making import made
from umpire.text import LANGUAGES, words

K = TypeVar("K", bound=msgspec.Struct)


T = TypeVar("T")


def marks_of(*states: type[msgspec.Struct], but: Iterable[str] = ()) -> Callable[[type[K]], type[K]]:
    """A struct of a scene tells all that the state's hold: what is told otherwise there it declares itself, what is
    worked out is left out by name (`but`), and everything else it has by the same name and with the same default."""

    def derive(kind: type[K]) -> type[K]:
        told = [*kind.__struct_fields__, *but]
        fields: list[tuple[str, Any, Any]] = []
        for state in states:
            hints = get_type_hints(state, include_extras=True)
            for field in msgspec.structs.fields(state):
                if field.name in told:
                    continue
                if field.required:
                    raise TypeError(f"{kind.__name__} does not tell {state.__name__}.{field.name}")
                told.append(field.name)
                made = field.default is msgspec.NODEFAULT
                default = msgspec.field(default_factory=field.default_factory) if made else field.default
                fields.append((field.name, hints[field.name], default))
        derived: Any = msgspec.defstruct(
            kind.__name__, fields, bases=(kind,), module=kind.__module__, namespace={"__doc__": kind.__doc__},
            kw_only=True,
        )  # fmt: skip
        return derived  # type: ignore[no-any-return]

    return derive


def carry_over(given: msgspec.Struct, made: msgspec.Struct, leave: Iterable[str] = ()) -> None:
    """Set what a scene says of a piece: every field that both have, but those that are worked out."""
    left = tuple(leave)
    for field in given.__struct_fields__:
        if field in made.__struct_fields__ and field not in left:
            value = getattr(given, field)
            setattr(made, field, tuple(value) if isinstance(value, list) else value)


def both_sides(scene: Any, field: str, kind: type[K]) -> list[K]:
    """What a scene says of the two sides; one that it says nothing of is as usual."""
    given = getattr(scene, field)
    if len(given) > 2:
        raise fault("error.scene.sides", f"{field}[2]")
    return [given[n] if n < len(given) else kind() for n in (0, 1)]


def named(entries: Any, where: str) -> list[dict[str, Any]]:
    """Things written out in a scene, each with an id that no other has; it is their name where none is given."""
    if not isinstance(entries, list):
        raise fault("error.scene.list", where)
    for n, entry in enumerate(entries):
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            raise fault("error.scene.no-id", f"{where}[{n}]")
    checks.each_once((entry["id"] for entry in entries), lambda n: f"{where}[{n}].id")
    return [{"name": called(entry["id"]), **entry} for entry in entries]


def loosely(title: str, *kinds: type[msgspec.Struct], **told: Any) -> Any:
    """A struct of all fields of others, every one at will; `told` are those that may be written otherwise, a list of
    what stands in brackets."""
    fields = {name: hint for kind in kinds for name, hint in get_type_hints(kind, include_extras=True).items()}
    fields |= {name: GenericAlias(list, (hint[0],)) if isinstance(hint, list) else hint for name, hint in told.items()}
    return msgspec.defstruct(title, [(name, hint | msgspec.UnsetType, msgspec.UNSET) for name, hint in fields.items()])


def spelt(kind: Any) -> msgspec.Meta:
    """For the schema of a scene: a mapping that is written as this struct. What is wrong is said when it is made."""
    return msgspec.Meta(extra={"spelt": kind})


def one_of(*values: str | int) -> msgspec.Meta:
    """For who fills a scene in: what a text or a number can be. What is wrong is said when the scene is made."""
    return msgspec.Meta(extra={"choices": values})


def numbers_told(entry: dict[str, Any], fields: Collection[str]) -> dict[str, Any]:
    """What may be dice may also be written as a plain number."""
    return {key: str(value) if key in fields and type(value) is int else value for key, value in entry.items()}


def based(entry: dict[str, Any]) -> dict[str, Any]:
    """A round base may be written as its diameter."""
    return {**entry, "base": [entry["base"]]} if type(entry.get("base")) in (int, float) else entry


def called(key: str) -> dict[str, str]:
    """The name of what has none: its id."""
    return dict.fromkeys(LANGUAGES, key)


def after_faction(faction: str, factions: Mapping[str, Any], usual: dict[str, str]) -> dict[str, str]:
    """What a side is called: as its faction is, where it has one of the library."""
    known = factions.get(faction)
    return dict(known.name) if known is not None else usual


def found(kind: str, key: str, shelf: Mapping[str, T], where: str) -> T:
    """What the library has under this id."""
    if key not in shelf:
        raise unknown(kind, key, where, shelf)
    return shelf[key]


class Turns(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A scene of a game in which each side has a turn of some phases in every round, on a table with terrain."""

    phase: str = "movement"
    active: Side = 0
    round: int = 1
    half: Side = 0
    first: Side | None = None
    width: Span = 44.0
    depth: Span = 30.0
    effects: list[Effect] = []
    used: dict[str, int] = {}
    """How often something was used, by `period/who/what` (`phase/0/rally`, `turn/1/fireball`)."""


class Laid(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A piece of terrain: where it lies, turned how far, and its `kind` where it is one of the library."""

    x: float
    y: float
    kind: str = ""
    facing: Turned = 0.0


def turn_sides(
    scene: Any, told: type[msgspec.Struct], side: type[K], factions: Mapping[str, Any], usual: str, zone: str
) -> list[K]:
    """The sides of a scene of turns: each is called after its faction, or by the text `usual` with its number, and has
    the `zone` of its number where none is told."""
    sides = []
    for n, given in enumerate(both_sides(scene, "sides", told)):
        player = made(side, given, name=after_faction(getattr(given, "faction", ""), factions, words(f"{usual}.{n}")))
        if getattr(player, zone) < 0:
            setattr(player, zone, n)
        sides.append(player)
    return sides


def went_first(scene: Turns) -> int:
    """The side that has the first turn of the round, by whose turn it is where nothing is said."""
    return scene.first if scene.first is not None else scene.active if scene.half == 0 else 1 - scene.active


def turns_due(
    scene: Turns,
    phases: Sequence[str],
    begins: Mapping[str, list[Any]],
    turn: Callable[..., Any],
    phase: Callable[..., Any],
    now: Callable[[], list[Any]],
    ends: tuple[Callable[..., Any], Sequence[Any]],
) -> list[Any]:
    """What is still to do of a round in which each side has a turn of some phases, from the moment of a scene on: one
    of those that it `begins` with, a turn, or a phase whose steps are `now` to do; `ends` are the step that ends a
    turn, and those that end the round."""
    if scene.phase in begins:
        return begins[scene.phase]
    if scene.phase == "turn":
        due: list[Any] = [(turn, scene.active, scene.half)]
    elif scene.phase in phases:
        rest = phases[phases.index(scene.phase) + 1 :]
        due = [*now(), *((phase, name) for name in rest), ends[0]]
    else:
        raise unknown("phase", scene.phase, "phase", (*begins, "turn", *phases))
    return [*due, *([(turn, 1 - scene.active, 1)] if scene.half == 0 else []), *ends[1]]
