"""JSON Schemas of everything that crosses a border: scenes, rosters, books, decisions, answers, events, records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from umpire.engine.decisions.declaring import Declared
from umpire.engine.decisions.forms import Form, Moved, Placed
from umpire.engine.events import Event
from umpire.engine.game import find_game
from umpire.engine.picture import NAMES_SCHEMA, Picture
from umpire.errors import fault
from umpire.text import LANGUAGES, catalogue, in_language

NAMES = ("scene", "roster", "book", "decision", "answer", "event", "record", "picture")

_TEXT = {"type": "object", "properties": {"key": {"type": "string"}, "args": {"type": "object"}}, "required": ["key"]}


def schema(name: str, game: str | None = None) -> dict[str, Any]:
    """The schema of that name, with an `$id` of its own; those of a game's own where one is named."""
    return headed(f"{name}.{game}" if game is not None else name, _schema(name, game))


def headed(home: str, body: dict[str, Any]) -> dict[str, Any]:
    """A schema with its dialect and an `$id` of its own."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:umpire-wargames:schema:{home}:1",
        **body,
    }


def _schema(name: str, game: str | None) -> dict[str, Any]:
    if name == "scene":
        from umpire.engine.scene import SceneFile

        result = msgspec.json.schema(SceneFile)
        if game is not None:
            position = find_game(game).scene
            if position is None:
                raise fault("error.has-no-scenes-2", game=game)
            inner = msgspec.json.schema(position)
            result.setdefault("$defs", {}).update(inner.get("$defs", {}))
            spell_out(result["$defs"], position)
            result["$defs"]["SceneFile"]["properties"]["position"] = {"$ref": inner["$ref"]}
        return described(result, game)
    if name in ("roster", "book"):
        if game is None:
            raise fault("error.a-roster-s-schema-is")
        kind = find_game(game).roster if name == "roster" else find_game(game).book
        if kind is None:
            raise fault("error.has-no-rosters", game=game)
        return msgspec.json.schema(kind)
    if name == "event":
        return msgspec.json.schema(Event)
    if name == "picture":
        return msgspec.json.schema(Picture)
    if name == "record":
        from umpire.engine.record import Footer, Header, Line

        (header, line, footer), defs = msgspec.json.schema_components(
            [Header, Line, Footer], ref_template="#/$defs/{name}"
        )
        return {
            "description": "JSON lines: a header, a line for each answer, a footer",
            "anyOf": [header, line, footer],
            "$defs": defs,
        }
    if name == "decision":
        return _decision()
    if name == "answer":
        return {
            "anyOf": [{"title": kind, **_part(shape)} for kind, shape in _ANSWERS.items()],
            "$defs": {name: part for shape in _ANSWERS.values() for name, part in shape.get("$defs", {}).items()},
        }
    known = ", ".join(NAMES)
    raise fault("error.there-is-no-schema-there", name=name, known=known)


def spell_out(defs: dict[str, Any], kind: type) -> None:
    """What a scene writes of the game's own structs is shown field by field (`Meta(extra={"spelt": …})`)."""
    todo, known = [msgspec.inspect.type_info(kind)], set[type]()
    while todo:
        found = todo.pop()
        if isinstance(found, msgspec.inspect.UnionType):
            todo += found.types
        elif isinstance(found, msgspec.inspect.ListType | msgspec.inspect.VarTupleType):
            todo.append(found.item_type)
        elif isinstance(found, msgspec.inspect.StructType) and found.cls not in known:
            known.add(found.cls)
            for field in found.fields:
                shape = defs[found.cls.__name__]["properties"][field.encode_name]
                inner, many = field.type, isinstance(field.type, msgspec.inspect.ListType)
                if isinstance(inner, msgspec.inspect.ListType):
                    inner = inner.item_type
                spelt = (inner.extra or {}).get("spelt") if isinstance(inner, msgspec.inspect.Metadata) else None
                if spelt is None:
                    todo.append(field.type)
                    continue
                (told,), more = msgspec.json.schema_components([spelt], ref_template="#/$defs/{name}")
                for name, part in more.items():
                    defs.setdefault(name, part)
                (shape["items"] if many else shape).clear()
                (shape["items"] if many else shape).update(told)


def described(scene: dict[str, Any], game: str | None = None) -> dict[str, Any]:
    """The schema of a scene with what each field means, in every language (`text/scenes.yaml`)."""
    for name, struct in scene.get("$defs", {}).items():
        for field, shape in struct.get("properties", {}).items():
            said = meaning(game, name, field)
            if said is not None and "description" not in shape:
                shape["description"] = " · ".join(in_language(said, lang) for lang in LANGUAGES)
    return scene


def meaning(game: str | None, struct: str, field: str) -> Mapping[str, str] | None:
    """What a field of a scene means, as the catalogue says it of this game, of this struct, or of all."""
    known = catalogue("scenes")
    base = struct.removeprefix("Scene")  # what a scene may leave out is a struct of its own, and means the same
    keys = (
        f"field.{game}.{struct}.{field}", f"field.{struct}.{field}", f"field.{base}.{field}",
        f"field.{game}.{field}", f"field.{field}",
    )  # fmt: skip
    said = next((known[key] for key in keys if key in known), None)
    # A disputed reading is named in the menus of its game.
    return said or (catalogue(game).get(f"table.{field}") if game is not None else None)


def choice(game: str, struct: str, field: str, value: Any) -> Mapping[str, str] | None:
    """What one of the values that a field of a scene can have is called: in words of its own, or as the game says it
    of its readings, phases and kinds."""
    known, own = catalogue("scenes"), catalogue(game)
    base = struct.removeprefix("Scene")
    keys = (f"choice.{game}.{field}.{value}", f"choice.{base}.{field}.{value}", f"choice.{field}.{value}")
    said = next((known[key] for key in keys if key in known), None)
    phases = (f"phase.{value}",) if field in ("phase", "moment", "at") else ()
    sides = (f"side.{value}",) if isinstance(value, int) else ()
    keys = (f"table.{field}.{value}", f"{field}.{value}", *phases, *sides, f"scene.stock.{value}")
    return said or next((own[key] for key in keys if key in own), None)


def _part(shape: dict[str, Any]) -> dict[str, Any]:
    """A schema whose definitions stand elsewhere."""
    return {key: value for key, value in shape.items() if key != "$defs"}


_ANSWERS: dict[str, dict[str, Any]] = {
    "choose": {"type": "string"},
    "choose-several": {"type": "array", "items": {"type": "string"}},
    "place": msgspec.json.schema(Placed),
    "move": msgspec.json.schema(Moved),
    "face": {"type": "number"},
    "order": {"type": "array", "items": {"type": "string"}},
    "split": {"type": "object", "additionalProperties": {"type": "integer"}},
    "confirm": {"type": "boolean"},
    "dice": {"type": "array", "items": {"type": "integer"}},
    "declare": msgspec.json.schema(Declared),
}

_OPTION = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "label": NAMES_SCHEMA,
        "refs": {"type": "array", "items": {"type": "string"}},
        "rules": {"type": "array", "items": {"type": "string"}},
        "data": {"type": "object"},
        "unit": {"type": "string"},
        "deed": NAMES_SCHEMA,
        "drag": {"type": "boolean"},
        "drop": {"type": "boolean"},
        "ends": {"type": "boolean"},
        "passes": {"type": "boolean"},
        "vain": {"type": "boolean"},
    },
    "required": ["id"],
}


_ROW = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "choices": {"type": "object", "additionalProperties": {"type": "array", "items": _OPTION}},
        "count": {"type": "integer"},
        "least": {"type": "integer"},
        "label": NAMES_SCHEMA,
        "group": NAMES_SCHEMA,
        "refs": {"type": "array", "items": {"type": "string"}},
        "rules": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["id", "choices"],
}


def _decision() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "kind": {"enum": list(_ANSWERS)},
            "side": {"type": "integer"},
            "prompt": _TEXT,
            "rules": {"type": "array", "items": {"type": "string"}},
            "about": {"type": "string"},
            "options": {"type": "array", "items": _OPTION},
            "least": {"type": "integer"},
            "most": {"type": "integer"},
            "total": {"type": "integer"},
            "parts": {"type": "object"},
            "count": {"type": "integer"},
            "sides": {"type": "integer"},
            "rows": {"type": "array", "items": _ROW},
            "form": {"$ref": "#/$defs/Form"},
            "default": {},
            "data": {"type": "object"},
        },
        "required": ["kind", "side", "prompt", "rules"],
        "$defs": msgspec.json.schema_components([Form], ref_template="#/$defs/{name}")[1],
    }
