"""What cannot be in a position that people write down: each of these refuses it, with the field that says so; whoever
reads the file adds its name and the line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from umpire.engine.effects import Effect
from umpire.errors import UmpireError, fault, unknown
from umpire.miniatures.amounts import MOST
from umpire.rulebook.ledger import exists
from umpire.space.shapes import convex_parts

Span = tuple[float, float]


SAME = 1e-6
"""Corners nearer to each other than this are one."""


LONGEST = 80
"""An id with what questions put before and behind it is still an answer."""


ANSWERS = ("alone", "divide", "done", "end", "hold-fire", "no", "none", "pass", "split", "stay", "wait")
"""Words that questions are answered with beside the ids of pieces: a piece of that name would be taken for the word."""


def fields(
    given: Any,
    where: str,
    names: Mapping[str, tuple[str, Iterable[str]]],
    limits: Mapping[str, Span] | None = None,
) -> None:
    """Fields whose words name something of a kind, and fields whose numbers lie between two others that no type can
    say; of a list every entry. What is not said is not looked at."""
    for field, (least, most) in (limits or {}).items():
        for at, value in _said(given, field, where):
            between(value, least, most, at)
    for field, (kind, known) in names.items():
        for at, value in _said(given, field, where):
            among(kind, value, known, at)


def _said(given: Any, field: str, where: str) -> Iterator[tuple[str, Any]]:
    value, holder, name = given, given, field
    for name in field.split("."):  # "explodes.range": of what there may be none
        holder, value = value, None if value is None else getattr(value, name)
    said = written_as(given, field)
    at = f"{where}.{said}" if where else said
    if isinstance(value, tuple) and "" in value and _of_each_side(type(holder), name):
        return ((place, entry) for place, entry in _entries(value, at) if entry != "")
    return _entries(value, at)


def _of_each_side(kind: type, field: str) -> bool:
    """Does a field hold one thing of each side, which may be nothing?"""
    hint = get_type_hints(kind, include_extras=True).get(field)
    return get_origin(hint) is tuple and Ellipsis not in get_args(hint)


def written_as(given: Any, field: str) -> str:
    """What a file calls a field of a struct ("def", which no field of Python's can be called)."""
    names: dict[str, str] = dict(zip(given.__struct_fields__, given.__struct_encode_fields__, strict=True))
    return names.get(field, field)


def _entries(value: Any, at: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (list, tuple)):
        for n, entry in enumerate(value):
            if entry == "":  # a list holds no nothing
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
    """The ids of what stands in these lists of a scene, each once in all of them, and none a word of the questions."""
    told = [(f"{field}[{n}].id", one.id) for field in fields for n, one in enumerate(getattr(scene, field))]
    each_once((key for _, key in told), lambda n: told[n][0])
    for where, key in told:
        if len(key) > LONGEST:
            raise fault("error.scene.long-id", where, most=LONGEST)
        if key in ANSWERS:
            raise fault("error.scene.answer", where, name=key)
    return [key for _, key in told]


def each(
    scene: Any,
    field: str,
    names: Mapping[str, tuple[str, Iterable[str]]],
    limits: Mapping[str, Span] | None = None,
) -> None:
    """`fields` for every entry of a list."""
    for n, one in enumerate(getattr(scene, field) or ()):
        fields(one, f"{field}[{n}]", names, limits)


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


def words(kind: str, has: Mapping[str, str], named: Mapping[str, str], known: Iterable[str]) -> None:
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


def tree(given: Any, where: str, names: Mapping[Any, Mapping[str, tuple[str, Iterable[str]]]]) -> None:
    """`fields` for every struct in what is given, by its type."""
    for at, one in structs_in(given, where):
        fields(one, at, names.get(type(one), {}))


def between(value: float, least: float, most: float, where: str) -> None:
    if not least <= value <= most:
        raise fault("error.scene.between", where, value=value, least=least, most=most)


def effects(
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
        fields(effect, where, {}, {"owner": (-1, 1), "value": (-MOST, MOST)})
        if words is not None:
            among("effect", effect.what, words(effect), f"{where}.what")


def sources(effects: Iterable[Effect], *things: Any, known: Iterable[str] = ()) -> None:
    """Effects come from something in there that has such an id ("spell:kindle"), from their rule, or from what is
    known otherwise."""
    for n, effect in enumerate(effects):
        word = effect.source.rpartition(":")[2]
        if word and not (exists(word) or effect.rule.endswith(word) or word in (*known, *ids_in(things))):
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


def used(used: Mapping[str, int], pieces: Iterable[str], periods: Sequence[str], where: str) -> None:
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


def counted(used: Mapping[str, int], known: Mapping[tuple[str, str], Iterable[str]], models: bool = False) -> None:
    """What `used` counts is something that a rule counts, by the period and by whether a side, a unit or (where
    `models` are told apart) a model did it."""
    for key in used:
        period, who, what = key.split("/", 2)
        kind = "side" if who in ("0", "1") else "model" if models and "." in who else "unit"
        among("use", what, known.get((period, kind), ()), f"used.{key}")


def readable(read: Callable[[Any], object], given: Any, where: str) -> None:
    """Something that can be read; what is wrong with it is told with its field."""
    try:
        read(given)
    except UmpireError as error:
        raise UmpireError(error.text or error.what, where) from None


def polygon(points: Sequence[Sequence[float]], where: str) -> None:
    """Three corners or more, none of them twice in a row, round an area."""
    if len(points) < 3:
        raise fault("error.scene.polygon", where)
    for n, (x, y) in enumerate(points):
        if math.dist((x, y), points[n - 1]) < SAME:
            raise fault("error.scene.corner-twice", f"{where}[{n}]", x=x, y=y)
    try:
        convex_parts(tuple((x, y) for x, y in points))
    except ValueError:
        raise fault("error.scene.crosses", where) from None


def convex(points: Sequence[Sequence[float]], where: str) -> None:
    """A polygon that always turns the same way."""
    if len(points) >= 3:
        polygon(points, where)
    if not is_convex(tuple((x, y) for x, y in points)):
        raise fault("error.scene.convex", where)


def zones(given: Iterable[Sequence[tuple[float, float]]], where: str) -> None:
    """The parts of the table that are the sides' are areas."""
    for n, points in enumerate(given):
        polygon(points, f"{where}[{n}]")


def on_table(points: Iterable[tuple[float, float]], field: Any, where: str) -> None:
    """Points of a table so wide and so deep."""
    if not all(0 <= x <= field.width and 0 <= y <= field.depth for x, y in points):
        raise fault("error.scene.off-table", where, width=field.width, depth=field.depth)


def spots(spots: Iterable[Sequence[float]], field: Any, where: str) -> None:
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


def turns(scene: Any, periods: Sequence[str], words: Callable[[Effect], Iterable[str]]) -> list[str]:
    """What every scene of turns says of its effects, which are on units or sides; the ids of its units."""
    ids = ids_once(scene, "units")
    for n, key in enumerate(ids):
        unit, _, model = key.rpartition(".")
        if unit in ids and model.isdigit():  # so its models are called
            raise fault("error.file.twice", f"units[{n}].id", name=key)
    effects(scene.effects, (*ids, "side.0", "side.1"), periods, words)
    return ids


def lying(scene: Any, names: Mapping[str, tuple[str, Iterable[str]]] | None = None) -> None:
    """Pieces of terrain lie on the table; `names` are of what else is said of them."""
    each(scene, "terrain", names or {}, {"x": (0, scene.width), "y": (0, scene.depth)})


def placed(where: str, field: Any, off: bool, inside: bool = False, other: str | None = None) -> None:
    """A piece stands on the table, in no wall and in nobody else."""
    if off:
        raise fault("error.scene.off-table", where, width=field.width, depth=field.depth)
    if other is not None:
        raise fault("error.scene.overlap", where, other=other)
    if inside:
        raise fault("error.scene.inside", where)


def living(damage: int, wounds: int, where: str) -> None:
    """Who stands on the table has not lost all its wounds."""
    if damage >= wounds:
        raise fault("error.scene.dead", f"{where}.damage", damage=damage, wounds=wounds)


def whereabouts(given: Any, at: str, where: str, *places: str) -> None:
    """What says that it is somewhere (`garrison`, `aboard`) stands in no other place."""
    if given.where not in places:
        raise fault("error.scene.needs", f"{where}.where", at=at, field=f"where: {at}")
