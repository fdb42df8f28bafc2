"""Positions that people write down: what a scene's fields mean, and what cannot be.

The structs of a scene hold the marks of the state's under the same names: `carry_over` takes them across, and
`unsettable` tells which of the state's a scene forgets. Everything else here refuses a position that cannot be, with
the field that says so; whoever reads the file adds its name and the line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import GenericAlias
from typing import Any, get_type_hints

import msgspec

from umpire.engine.state import Task
from umpire.engine.steps import step_name
from umpire.errors import fault, unknown


def carry_over(given: msgspec.Struct, made: msgspec.Struct, leave: Iterable[str] = ()) -> None:
    """Set what a scene says of a piece: every field that both have, but those that are worked out."""
    left = tuple(leave)
    for field in given.__struct_fields__:
        if field in made.__struct_fields__ and field not in left:
            value = getattr(given, field)
            setattr(made, field, tuple(value) if isinstance(value, list) else value)


def unsettable(scene: type[msgspec.Struct], state: type[msgspec.Struct], worked_out: Iterable[str]) -> list[str]:
    """The fields of the state's struct that no scene could set and that are not worked out."""
    known = (*scene.__struct_fields__, *worked_out)
    return [field for field in state.__struct_fields__ if field not in known]


def each_once(keys: Iterable[str], where: Callable[[int], str]) -> None:
    """No two things have one id, and none has none."""
    seen: set[str] = set()
    for n, key in enumerate(keys):
        if not key:
            raise fault("error.scene.no-id", where(n))
        if key in seen:
            raise fault("error.file.twice", where(n), name=key)
        seen.add(key)


def named(entries: Any, where: str) -> list[dict[str, Any]]:
    """Things written out in a scene, each with an id that no other has; it is their name where none is given."""
    if not isinstance(entries, list):
        raise fault("error.scene.list", where)
    for n, entry in enumerate(entries):
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            raise fault("error.scene.no-id", f"{where}[{n}]")
    each_once((entry["id"] for entry in entries), lambda n: f"{where}[{n}].id")
    return [{"name": {"zh": entry["id"], "en": entry["id"]}, **entry} for entry in entries]


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


def among(kind: str, key: str, known: Iterable[str], where: str) -> None:
    """A name that something answers to."""
    names = list(known)
    if key not in names:
        raise unknown(kind, key, where, names[:60])


def check_words(kind: str, has: Mapping[str, str], named: Mapping[str, str], known: Iterable[str]) -> None:
    """Words that pieces have (`has`) and words that something speaks of (`named`), with the fields that say so. One
    that the rules and the library know will do; a new one only where it is on a piece and spoken of."""
    words = [word for word in dict.fromkeys(known) if word]
    for mine, others in ((has, named), (named, has)):
        for word, where in mine.items():
            if word not in words and word not in others:
                raise unknown(kind, word, where, words[:60])


def between(value: float, least: float, most: float, where: str) -> None:
    if not least <= value <= most:
        raise fault("error.scene.between", where, value=value, least=least, most=most)


def faces(values: Iterable[int], where: str, sides: int = 6) -> None:
    for n, value in enumerate(values):
        between(value, 1, sides, f"{where}[{n}]")


def check_effects(
    effects: Iterable[Any],
    pieces: Iterable[str],
    rules: Callable[[str], bool],
    where: str,
    periods: Sequence[str] = (),
) -> None:
    """Effects that last are on somebody who is there, come from a rule that is, and end some day."""
    known = list(pieces)
    for n, effect in enumerate(effects):
        among("unit", effect.on, known, f"{where}[{n}].on")
        if effect.rule and not rules(effect.rule):
            raise unknown("rule", effect.rule, f"{where}[{n}].rule")
        if periods:
            among("period", effect.until, periods, f"{where}[{n}].until")


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


def is_convex(points: tuple[tuple[float, float], ...]) -> bool:
    """Three corners or more that always turn the same way."""
    if len(points) < 3:
        return False
    turns = []
    for k, (bx, by) in enumerate(points):
        (ax, ay), (cx, cy) = points[k - 1], points[(k + 1) % len(points)]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return (min(turns) > -1e-9 or max(turns) < 1e-9) and any(turns)


def moment_due(agenda: Sequence[Task], moments: Mapping[Callable[..., Any], str], usual: str) -> str:
    """The moment that a scene can name by the step that is due; the usual one for steps that it cannot."""
    named = {step_name(step): moment for step, moment in moments.items()}
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


def usual(field: msgspec.structs.FieldInfo) -> Any:
    """What a field is where nothing is said."""
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else None


def as_written(value: Any) -> Any:
    """As a file would say it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def in_rows(count: int, base: float, across: int = 5) -> list[list[float]]:
    """Spots for so many models of a base (in millimetres) about the point 0, 0, in rows that do not quite touch."""
    step = round(base / 25.4 + 0.15, 2)
    wide, deep = min(count, across), -(-count // across)
    return [
        [round((n % across - (wide - 1) / 2) * step, 2), round((n // across - (deep - 1) / 2) * step, 2)]
        for n in range(count)
    ]
