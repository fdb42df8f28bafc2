"""What can be asked of the server over HTTP, as an OpenAPI description that other programs read."""

from __future__ import annotations

import functools
from typing import Any

import msgspec

from umpire.engine.picture import NAMES_SCHEMA
from umpire.server.messages import Fork, LabQuestion, LabScene, LabTable, NewReplay, NewTable
from umpire.server.people import Held, Me

_SEAT = "the token of a seat or the watch token, in the header `Authorization: Bearer …`"
_PERSON = "a private key or a passphrase, in the header `Authorization: Bearer …`"
_HOST = "the host's key, in the header `Authorization: Bearer …`"

ROUTES: list[tuple[str, str, str, type | None, str]] = [
    # method, path, what it does, body, who may
    ("get", "/api/games", "The games that can be played, with their menus.", None, ""),
    ("get", "/api/host", "What this host offers: lobby, password, mail, webhooks, browser push.", None, ""),
    ("post", "/api/tables", "Make a table; header `X-Umpire-Password` where the host wants one.", NewTable, ""),
    ("get", "/api/tables/{table}", "What anybody may know of a table.", None, ""),
    ("get", "/api/lobby", "Tables with a seat for anybody.", None, ""),
    ("post", "/api/lobby/{table}", "Take the open seat of a listed table.", None, ""),
    ("get", "/api/records/{table}", "The record of a finished battle.", None, _SEAT),
    ("post", "/api/records/{table}/replay", "Open the record of a finished battle as a replay.", None, _SEAT),
    ("post", "/api/replay", "Open a record as a replay.", NewReplay, ""),
    ("get", "/api/replay/{replay}", "Frames `from` … `to` of a replay, as many as are not too large.", None, ""),
    ("get", "/api/replay/{replay}/about", "What a replay that was opened before is of.", None, ""),
    (
        "get",
        "/api/replay/{replay}/story",
        "The planner's estimate of every position; turning points.",
        None,
        "",
    ),
    ("get", "/api/replay/{replay}/verify", "Play it again and compare everything, dice included.", None, ""),
    ("post", "/api/replay/{replay}/fork", "A new table from a frame of a replay.", Fork, ""),
    ("get", "/api/replay/{replay}/scene", "The moment `at` of a replay as a scene.", None, ""),
    ("get", "/api/tables/{table}/scene", "This moment of a battle as a scene, as the seat may know it.", None, _SEAT),
    ("post", "/api/lab", "Carry a scene out: table, rulings, what is wrong and in which line.", LabScene, ""),
    ("post", "/api/lab/ask", "Ask something at the end of a scene; nothing is carried out.", LabQuestion, ""),
    ("post", "/api/lab/tables", "A table that goes on from the end of a scene.", LabTable, ""),
    ("get", "/api/lab/games/{game}", "What a scene of a game can be made of.", None, ""),
    ("get", "/api/lab/puzzles", "Puzzles and worked examples.", None, ""),
    ("get", "/api/lab/puzzles/{puzzle}", "One of them, with the umpire's word on it.", None, ""),
    ("get", "/api/rules", "Rules by `game` and words `q`.", None, ""),
    ("get", "/api/rules/{rule}", "One rule.", None, ""),
    ("get", "/api/mine", "My name, my notices, my tables: mine to move first.", None, _PERSON),
    ("put", "/api/mine", "Change my name or my notices, or confirm my address.", Me, _PERSON),
    ("put", "/api/mine/tables/{table}", "Keep a seat among my tables.", Held, _PERSON),
    ("delete", "/api/mine/tables/{table}", "Keep it no longer.", None, _PERSON),
    ("get", "/api/admin/tables", "All tables, the newest first; at most `most`.", None, _HOST),
    ("delete", "/api/admin/tables/{table}", "Remove a table for good.", None, _HOST),
    ("get", "/api/openapi.json", "This description.", None, ""),
    ("get", "/metrics", "Figures for Prometheus; on an open server for the host alone.", None, _HOST),
    ("get", "/health", "Is the process alive?", None, ""),
    ("get", "/ready", "May clients be sent here? 503 while it starts or closes.", None, ""),
]


@functools.cache
def description() -> bytes:
    from umpire import __version__

    bodies = [body for *_, body, _ in ROUTES if body is not None]
    found, parts = msgspec.json.schema_components(bodies, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(bodies, found, strict=True))
    paths: dict[str, Any] = {}
    problem = {"$ref": "#/components/schemas/Problem"}
    for method, path, says, body, who in ROUTES:
        entry: dict[str, Any] = {
            "summary": says,
            "parameters": [
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in [part[1:-1] for part in path.split("/") if part.startswith("{")]
            ],
            "responses": {
                "200": {"description": "done"},
                "default": {"description": "refused", "content": {"application/json": {"schema": problem}}},
            },
        }
        if body is not None:
            entry["requestBody"] = {"required": True, "content": {"application/json": {"schema": schemas[body]}}}
        if who:
            entry["security"] = [{"bearer": []}]
            entry["description"] = f"Wants {who}."
        paths.setdefault(path, {})[method] = entry
    text = NAMES_SCHEMA
    parts["Problem"] = {"type": "object", "properties": {"code": {"type": "string"}, "text": text}}
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "Umpire", "version": __version__, "description": "The sockets are in docs/protocol.md."},
        "paths": paths,
        "components": {"schemas": parts, "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
    }
    return msgspec.json.encode(whole)
