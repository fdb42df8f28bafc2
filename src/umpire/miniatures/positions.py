"""Positions that people write down: what a scene's fields mean, and what cannot be.

The structs of a scene derive from the state's (`marks_of`): a field of the state that a rule reads has its name and its
usual value in a scene too, and `carry_over` takes it across. Everything else here refuses a position that cannot be,
with the field that says so; whoever reads the file adds its name and the line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import GenericAlias
from typing import Any, TypeVar, get_type_hints

import msgspec

from umpire.engine.effects import Effect
from umpire.errors import UmpireError, fault, unknown
from umpire.rulebook.ledger import exists
from umpire.space.shapes import convex_parts
from umpire.text import LANGUAGES

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


Span = tuple[float, float]
TURNED: Span = (-360.0, 360.0)
"""Degrees."""
TABLE: Span = (12.0, 240.0)
"""How wide and how deep a table may be, in inches."""
LARGEST = 24.0
"""How far a piece of terrain reaches from its middle, and how high, in inches."""
MOST = 99
"""No effect changes a number by more, and nothing adds more to dice."""


def check_fields(
    given: Any,
    where: str,
    limits: Mapping[str, Span] | None = None,
    names: Mapping[str, tuple[str, Iterable[str]]] | None = None,
) -> None:
    """Fields whose numbers lie between two others, and fields whose words name something of a kind; of a list every
    entry. What is not said is not looked at."""
    for field, (least, most) in (limits or {}).items():
        for at, value in _said(given, field, where):
            between(value, least, most, at)
    for field, (kind, known) in (names or {}).items():
        for at, value in _said(given, field, where):
            among(kind, value, known, at)


def _said(given: Any, field: str, where: str) -> Iterator[tuple[str, Any]]:
    value = given
    for name in field.split("."):  # "explodes.range": of what there may be none
        value = None if value is None else getattr(value, name)
    return _entries(value, f"{where}.{field}" if where else field)


def _entries(value: Any, at: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (list, tuple)):
        for n, entry in enumerate(value):
            if entry == "" and isinstance(value, list):  # of one side may nothing be said, a list holds no nothing
                yield f"{at}[{n}]", entry
            yield from _entries(entry, f"{at}[{n}]")
    elif value not in (None, ""):
        yield at, value


def each_once(keys: Iterable[str], where: Callable[[int], str]) -> None:
    """No two things have one id, and none has none."""
    seen: set[str] = set()
    for n, key in enumerate(keys):
        if not key:
            raise fault("error.scene.no-id", where(n))
        if key in seen:
            raise fault("error.file.twice", where(n), name=key)
        seen.add(key)


def ids_once(scene: Any, *fields: str) -> list[str]:
    """The ids of what stands in these lists of a scene, each once in its list."""
    for field in fields:
        each_once((one.id for one in getattr(scene, field)), lambda n, field=field: f"{field}[{n}].id")  # type: ignore[misc]
    return [one.id for field in fields for one in getattr(scene, field)]


def check_each(
    scene: Any,
    field: str,
    limits: Mapping[str, Span] | None = None,
    names: Mapping[str, tuple[str, Iterable[str]]] | None = None,
) -> None:
    """`check_fields` for every entry of a list."""
    for n, one in enumerate(getattr(scene, field) or ()):
        check_fields(one, f"{field}[{n}]", limits, names)


def both_sides(scene: Any, field: str, kind: type[K]) -> list[K]:
    """What a scene says of the two sides; one that it says nothing of is as usual."""
    given = getattr(scene, field)
    if len(given) > 2:
        raise fault("error.scene.sides", f"{field}[2]")
    return [given[n] if n < len(given) else kind() for n in (0, 1)]


def one_a_side(pieces: Iterable[Any], mark: str, where: str) -> None:
    """Of each side at most one piece has a mark: its leader, its general."""
    first: dict[int, int] = {}
    for n, piece in enumerate(pieces):
        if getattr(piece, mark) and first.setdefault(piece.side, n) != n:
            raise fault("error.scene.one-of-a-side", f"{where}[{n}].{mark}", other=f"{where}[{first[piece.side]}]")


def not_the_same(sides: Sequence[Any], field: str, nothing: Any, where: str) -> None:
    """Both sides cannot have the same of a thing (a zone, a colour), unless nothing is said of it."""
    if len(sides) == 2 and getattr(sides[0], field) == getattr(sides[1], field) != nothing:
        raise fault("error.scene.one-of-two", f"{where}[1].{field}")


def not_both(given: msgspec.Struct, first: str, second: str, where: str) -> None:
    """A profile of the library, or one that is spelt out: of both one would be passed over in silence."""
    if getattr(given, first) and getattr(given, second):
        raise fault("error.scene.both", f"{where}.{second}", first=first, second=second)


def named(entries: Any, where: str) -> list[dict[str, Any]]:
    """Things written out in a scene, each with an id that no other has; it is their name where none is given."""
    if not isinstance(entries, list):
        raise fault("error.scene.list", where)
    for n, entry in enumerate(entries):
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            raise fault("error.scene.no-id", f"{where}[{n}]")
    each_once((entry["id"] for entry in entries), lambda n: f"{where}[{n}].id")
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


def among(kind: str, key: str, known: Iterable[str], where: str) -> None:
    """A name that something answers to."""
    names = list(known)
    if key not in names:
        raise unknown(kind, key, where, names[:60])


def all_among(kind: str, keys: Iterable[str], known: Iterable[str], where: str) -> None:
    """Each of these names something of a kind."""
    shelf = list(dict.fromkeys(known))
    for n, key in enumerate(keys):
        among(kind, key, shelf, f"{where}[{n}]")


def check_words(kind: str, has: Mapping[str, str], named: Mapping[str, str], known: Iterable[str]) -> None:
    """Words that pieces have (`has`) and words that something speaks of (`named`), with the fields that say so. One
    that the rules and the library know will do; a new one only where it is on a piece and spoken of."""
    words = [word for word in dict.fromkeys(known) if word]
    for mine, others in ((has, named), (named, has)):
        for word, where in mine.items():
            if word not in words and word not in others:
                raise unknown(kind, word, where, words[:60])


def structs_in(given: Any, where: str) -> Iterator[tuple[str, msgspec.Struct]]:
    """Every struct in what is given, with the field that it stands in."""
    if isinstance(given, (list, tuple)):
        for n, entry in enumerate(given):
            yield from structs_in(entry, f"{where}[{n}]")
    elif isinstance(given, msgspec.Struct):
        yield where, given
        for name in given.__struct_fields__:
            yield from structs_in(getattr(given, name), f"{where}.{name}")


def words_in(given: Any, where: str, fields: Mapping[Any, Sequence[str]]) -> dict[str, str]:
    """The words that some fields of structs hold, by the structs' types, anywhere in what is given; and where."""
    return {
        word: place
        for at, one in structs_in(given, where)
        for kind, names in fields.items()
        if isinstance(one, kind)
        for name in names
        if name in one.__struct_fields__
        for place, word in _said(one, name, at)
    }


def check_tree(
    given: Any,
    where: str,
    limits: Mapping[Any, Mapping[str, Span]],
    names: Mapping[Any, Mapping[str, tuple[str, Iterable[str]]]] | None = None,
    amounts: Mapping[Any, Iterable[str]] | None = None,
    read: Callable[[Any], Any] = str,
) -> None:
    """`check_fields` for every struct in what is given, by its type, and `check_amounts`, which are `read` so."""
    for at, one in structs_in(given, where):
        check_fields(one, at, limits.get(type(one)), (names or {}).get(type(one)))
        check_amounts(read, one, (amounts or {}).get(type(one), ()), at)


def between(value: float, least: float, most: float, where: str) -> None:
    if not least <= value <= most:
        raise fault("error.scene.between", where, value=value, least=least, most=most)


def faces(values: Iterable[int], where: str, sides: int = 6) -> None:
    for n, value in enumerate(values):
        between(value, 1, sides, f"{where}[{n}]")


def check_effects(
    effects: Iterable[Effect],
    pieces: Iterable[str],
    periods: Sequence[str],
    words: Callable[[Effect], Iterable[str]] | None = None,
) -> None:
    """Effects that last are on somebody who is there, come from a rule that is, change what there is to change (one of
    its `words`), and end some day."""
    known = list(pieces)
    for n, effect in enumerate(effects):
        where = f"effects[{n}]"
        among("unit", effect.on, known, f"{where}.on")
        if effect.rule and not exists(effect.rule):
            raise unknown("rule", effect.rule, f"{where}.rule")
        among("period", effect.until, periods, f"{where}.until")
        check_fields(effect, where, {"owner": (-1, 1), "value": (-MOST, MOST)})
        if words is not None:
            among("effect", effect.what, words(effect), f"{where}.what")


def check_sources(effects: Iterable[Effect], *things: Any) -> None:
    """Effects come from something in there that has such an id ("spell:kindle"), or from their rule."""
    for n, effect in enumerate(effects):
        word = effect.source.rpartition(":")[2]
        if word and not (exists(word) or effect.rule.endswith(word) or word in ids_in(things)):
            raise unknown("source", effect.source, f"effects[{n}].source")


def ids_in(things: Any) -> Iterator[str]:
    """Every id that something in there has."""
    if isinstance(things, msgspec.Struct):
        things = {field: getattr(things, field) for field in things.__struct_fields__}
    if isinstance(things, Mapping):
        if isinstance(things.get("id"), str):
            yield things["id"]
        things = things.values()
    for one in () if isinstance(things, str) or not isinstance(things, Iterable) else things:
        yield from ids_in(one)


def check_used(used: Mapping[str, int], pieces: Iterable[str], periods: Sequence[str], where: str) -> None:
    """What was used so often: `period/who/what`, where who is a side, a piece, one of its models or nobody."""
    whom = ["0", "1", "", *pieces]
    for key, count in used.items():
        period, _, rest = key.partition("/")
        who, _, what = rest.partition("/")
        among("period", period, periods, f"{where}.{key}")
        among("unit", who.partition(".")[0], whom, f"{where}.{key}")
        if not what:
            raise fault("error.scene.needs", f"{where}.{key}", at="used", field="period/who/what")
        between(count, 0, 999, f"{where}.{key}")


def check_counted(
    used: Mapping[str, int], known: Mapping[tuple[str, str], Iterable[str]], models: bool = False
) -> None:
    """What `used` counts is something that a rule counts, by the period and by whether a side, a unit or (where
    `models` are told apart) a model did it."""
    for key in used:
        period, who, what = key.split("/", 2)
        kind = "side" if who in ("0", "1") else "model" if models and "." in who else "unit"
        among("use", what, known.get((period, kind), ()), f"used.{key}")


def check_read(read: Callable[[Any], object], given: Any, where: str) -> None:
    """Something that can be read; what is wrong with it is told with its field."""
    try:
        read(given)
    except UmpireError as error:
        raise UmpireError(error.text or error.what, where) from None


def check_amounts(read: Callable[[Any], Any], given: Any, fields: Iterable[str], where: str) -> None:
    """Numbers that may be dice ("D6+2"): they can be read, and what is added to the dice is a number that there is."""
    for field in fields:
        told = getattr(given, field)
        if told is not None:
            check_read(read, told, f"{where}.{field}")
            between(read(told).plus, 0, MOST, f"{where}.{field}")


def check_base(base: Sequence[float], where: str, key: str, least: float = 5.0, most: float = 500.0) -> None:
    """One diameter or two."""
    if not 1 <= len(base) <= 2 or min(base) < least or max(base) > most:
        raise fault(key, where)


def check_outline(points: Sequence[tuple[float, float]], largest: float, where: str) -> None:
    """A polygon about its own middle."""
    if not is_convex(tuple(points)):
        raise fault("error.scene.convex", where)
    if any(abs(x) > largest or abs(y) > largest for x, y in points):
        raise fault("error.scene.between", where, value="…", least=-largest, most=largest)


def check_polygon(points: Sequence[tuple[float, float]], where: str) -> None:
    """Three corners or more, round an area."""
    if len(points) < 3:
        raise fault("error.scene.polygon", where)
    try:
        convex_parts(tuple((x, y) for x, y in points))
    except ValueError:
        raise fault("error.scene.crosses", where) from None


def check_on_table(points: Iterable[tuple[float, float]], field: Any, where: str) -> None:
    """Points of a table so wide and so deep."""
    if not all(0 <= x <= field.width and 0 <= y <= field.depth for x, y in points):
        raise fault("error.scene.off-table", where, width=field.width, depth=field.depth)


def check_spots(spots: Iterable[Sequence[float]], field: Any, where: str) -> None:
    """Spots, each with its place on a table so wide and so deep before whatever else it says."""
    for n, (x, y, *_) in enumerate(spots):
        between(x, 0, field.width, f"{where}[{n}][0]")
        between(y, 0, field.depth, f"{where}[{n}][1]")


def is_convex(points: tuple[tuple[float, float], ...]) -> bool:
    """Three corners or more that always turn the same way."""
    if len(points) < 3:
        return False
    turns = []
    for k, (bx, by) in enumerate(points):
        (ax, ay), (cx, cy) = points[k - 1], points[(k + 1) % len(points)]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return (min(turns) > -1e-9 or max(turns) < 1e-9) and any(turns)


class Turns(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A scene of a game in which each side has a turn of some phases in every round, on a table with terrain."""

    phase: str = "movement"
    active: int = 0
    round: int = 1
    half: int = 0
    first: int | None = None
    width: float = 44.0
    depth: float = 30.0
    effects: list[Effect] = []
    used: dict[str, int] = {}
    """How often something was used, by `period/who/what` (`phase/0/rally`, `turn/1/fireball`)."""


class Laid(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A piece of terrain: where it lies, turned how far, and its `kind` where it is one of the library."""

    x: float
    y: float
    kind: str = ""
    facing: float = 0.0


def check_turns(
    scene: Any,
    periods: Sequence[str],
    limits: Mapping[str, Span],
    names: Mapping[str, tuple[str, Iterable[str]]],
    words: Callable[[Effect], Iterable[str]],
) -> list[str]:
    """What every scene of turns says of its moment, its table and its effects, which are on units or sides; the ids of
    its units."""
    ids = ids_once(scene, "units")
    sides = dict.fromkeys(("active", "half", "first"), (0, 1))
    check_fields(scene, "", {**sides, "width": TABLE, "depth": TABLE, **limits}, names)
    check_effects(scene.effects, (*ids, "side.0", "side.1"), periods, words)
    return ids


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
