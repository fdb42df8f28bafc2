"""What a scene is made of, told to clients that help to write one: its fields, and which of them a piece stands in.

Nothing here knows a game. An entry of a position that has an `id` is the unit of that id, and its place is written in
one of three forms: `x` and `y`, a list of `models` with a spot each, or `points`.
"""

from __future__ import annotations

import types
import typing
from typing import Any

import msgspec

from umpire.engine.picture import Picture
from umpire.engine.schemas import choice, meaning
from umpire.text import LANGUAGES

PLAIN = {int: "integer", float: "number", str: "text", bool: "yes"}
NOTHING = (type(None), msgspec.UnsetType)


def fields(game: str, kind: type[msgspec.Struct]) -> dict[str, list[dict[str, Any]]]:
    """The fields of a scene's position and of everything in it, by the name of the struct; the position's is ``""``."""
    told: dict[str, list[dict[str, Any]]] = {}
    _fields(game, kind, "", told)
    return told


def _fields(game: str, kind: type[msgspec.Struct], key: str, told: dict[str, list[dict[str, Any]]]) -> None:
    told[key] = rows = []
    hints = typing.get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        shape, inner = _shape(hints[field.name])
        said = meaning(game, kind.__name__, field.encode_name)
        rows.append(
            {
                "name": field.encode_name,
                "about": said or dict.fromkeys(LANGUAGES, field.encode_name),
                "kind": shape,
                "required": field.required,
                "choices": [
                    {"value": value, "name": choice(game, kind.__name__, field.encode_name, value)}
                    for value in _choices(hints[field.name])
                ],
                "of": inner.__name__ if inner is not None else None,
            }
        )
        if inner is not None and inner.__name__ not in told:
            _fields(game, inner, inner.__name__, told)


def _parts(hint: Any) -> list[Any]:
    """The members of a union; what is written as a struct (`Meta(extra={"spelt": …})`) is that struct."""
    origin = typing.get_origin(hint)
    if origin is typing.Annotated:
        plain, *more = typing.get_args(hint)
        return _parts(_extra(more, "spelt") or plain)
    if origin in (typing.Union, types.UnionType):
        return [part for member in typing.get_args(hint) for part in _parts(member) if part not in NOTHING]
    return [hint]


def _extra(metas: list[Any], key: str) -> Any:
    extras = (meta.extra or {} for meta in metas if isinstance(meta, msgspec.Meta))
    return next((extra[key] for extra in extras if key in extra), None)


def _choices(hint: Any) -> list[Any]:
    if typing.get_origin(hint) is typing.Annotated and (known := _extra(list(typing.get_args(hint)[1:]), "choices")):
        return list(known)
    named = [part for part in _parts(hint) if typing.get_origin(part) is typing.Literal]
    return [value for part in named for value in typing.get_args(part)]


def _shape(hint: Any) -> tuple[str, type[msgspec.Struct] | None]:
    """How a field is filled in: a plain value, a choice, an entry or a list of entries of a struct, or free data."""
    parts = _parts(hint)
    for part in parts:
        origin, args = typing.get_origin(part), typing.get_args(part)
        inner = _parts(args[0])[0] if origin in (list, tuple) and args else None
        if _is_struct(inner):
            return "list", inner
    for part in parts:
        if _is_struct(part):
            return "entry", part
    first = parts[0]
    if typing.get_origin(first) is typing.Literal:
        return "choice", None
    return PLAIN.get(first, "data"), None


def _is_struct(part: Any) -> bool:
    return isinstance(part, type) and issubclass(part, msgspec.Struct)


# -- where a piece is written down -----------------------------------------------------------------------------------


def handles(position: Any, picture: Picture) -> dict[str, dict[str, Any]]:
    """For each piece, terrain and marker of the picture that the position speaks of: the path to its entry, the form of
    its place, and the number of its model."""
    if not isinstance(position, dict):
        return {}
    entries = {
        str(entry["id"]): (["position", key, n], entry)
        for key, value in position.items()
        if isinstance(value, list)
        for n, entry in enumerate(value)
        if isinstance(entry, dict) and "id" in entry
    }
    found: dict[str, dict[str, Any]] = {}
    seen: dict[str, int] = {}
    for piece in picture.pieces:
        number = seen.get(piece.unit, 0)
        seen[piece.unit] = number + 1
        known = entries.get(piece.unit) or entries.get(piece.id)
        if known is not None:
            path, entry = known
            found[piece.id] = _handle(path, entry, number)
    features = position.get("terrain")
    listed = [one for one in picture.terrain if one.id not in entries]
    for n, terrain in enumerate(picture.terrain):
        known = entries.get(terrain.id)
        if known is None and isinstance(features, list) and len(listed) >= len(features):
            at = listed.index(terrain)
            if at < len(features) and isinstance(features[at], dict):
                known = (["position", "terrain", at], features[at])
        if known is not None:
            found[terrain.id] = _handle(known[0], known[1], n)
    return found


def _handle(path: list[Any], entry: dict[str, Any], number: int) -> dict[str, Any]:
    models = entry.get("models")
    if isinstance(models, list) and models and isinstance(models[0], (list, tuple)):
        return {"path": path, "form": "models", "model": min(number, len(models) - 1)}
    if "x" not in entry and isinstance(entry.get("points"), list):
        return {"path": path, "form": "points", "model": 0}
    return {"path": path, "form": "spot", "model": 0}
