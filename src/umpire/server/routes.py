"""The routes under HTTP. `openapi.py` describes them, and a test holds the two together."""

from __future__ import annotations

import asyncio
import gzip
import hmac
import secrets
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from umpire import rulebook
from umpire.errors import UmpireError
from umpire.server import relay, schema, static
from umpire.server.cluster import Elsewhere
from umpire.server.hall import Hall, closing
from umpire.server.messages import (
    RECORD_LIMIT,
    SCENE_LIMIT,
    TABLE_LIMIT,
    Fork,
    LabQuestion,
    LabScene,
    LabTable,
    NewReplay,
    NewTable,
    read_body,
)
from umpire.server.openapi import description
from umpire.server.people import Held, Me, person, stranger
from umpire.server.problems import NotHere, Slow, problem, refused, too_fast, too_large, too_slow

PAGES = ("", "table", "replay", "rules", "mine", "lobby", "admin", "lab")
LAB_SECONDS = 4.0
"""Processor time for a scene and what is asked about it."""
LONGEST_PATH = 300
REPLAY_SECONDS = 60.0
PERSON_LIMIT = 8 * 1024

Handler = Callable[[Request], Awaitable[Response]]


def answer(value: Any, status: int = 200) -> Response:
    data = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Response(data, status, media_type="application/json", headers={"Cache-Control": "no-store"})


def bearer(request: Request) -> str:
    """The secret that opens something: it travels in a header, never in an address that a proxy writes down."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def routes(hall: Hall) -> list[Route]:
    tables, pool, store, people, settings = hall.tables, hall.pool, hall.store, hall.people, hall.settings

    def address(request: Request) -> str:
        if relay.passed_on(request.headers, hall.cluster.secret):
            return request.headers.get(relay.FROM, "")
        return request.client.host if request.client else ""

    def calm(request: Request) -> None:
        if not hall.cheap.take(address(request)):
            raise too_fast()

    async def body(request: Request, limit: int) -> bytes:
        if not hall.costly.take(address(request)):
            raise too_fast()
        data = bytearray()
        async for part in request.stream():
            data += part
            if len(data) > limit:
                raise too_large(limit)
        return bytes(data)

    async def packed(request: Request, data: bytes) -> Response:
        """A large answer, packed where it has to travel."""
        reply = answer(data)
        if not settings.local and "gzip" in request.headers.get("accept-encoding", ""):
            reply = answer(await asyncio.to_thread(gzip.compress, data, 3))
            reply.headers["Content-Encoding"] = "gzip"
        return reply

    def at_table(work: Handler) -> Handler:
        """What is asked about a table is asked of the process that holds it."""

        async def asked(request: Request) -> Response:
            calm(request)
            try:
                return await work(request)
            except Elsewhere as there:
                if relay.passed_on(request.headers, hall.cluster.secret):
                    raise relay.unreachable() from None
                headers = {relay.HEADER: hall.cluster.secret, relay.FROM: address(request)}
                return await relay.ask(request, await body(request, TABLE_LIMIT), there.address, headers)

        return asked

    async def ask_replay(operation: str, replay: str, **arguments: Any) -> Any:
        try:
            try:
                return await pool.maker.call(operation, REPLAY_SECONDS, replay=replay, text=None, **arguments)
            except NotHere:
                text = await store.replay(replay) if replay.isascii() and replay.isprintable() else None
                if text is None:
                    raise problem("no-replay", "server.there-no-such-replay", 404) from None
                return await pool.maker.insist(operation, seconds=REPLAY_SECONDS, replay=replay, text=text, **arguments)
        except Slow:
            raise too_slow() from None

    async def open_replay(text: bytes) -> Response:
        replay = secrets.token_urlsafe(9)
        opened = await pool.make("replay", share=REPLAY_SECONDS / 2, seconds=REPLAY_SECONDS, replay=replay, text=text)
        await store.keep_replay(replay, text)
        return answer(opened)

    async def the_record(request: Request) -> bytes:
        found = await tables.find(request.path_params["table"])
        found.admit(bearer(request))
        text: bytes = await found.read("record")
        return text

    async def me(request: Request) -> str:
        key = unquote(bearer(request))  # a header has no Chinese characters: they come percent-encoded
        if not key:
            raise stranger()
        if not hall.slow_words.take(address(request)):
            raise too_fast()
        return await person(key)

    def host_only(request: Request) -> None:
        if not settings.admin:
            raise problem("not-found", "server.there-nothing-at-address", 404)
        if not hall.slow_words.take(address(request)):
            raise too_fast()
        if not hmac.compare_digest(bearer(request).encode(), settings.admin.encode()):
            raise problem("unauthorised", "server.not-hosts-link", 401)
        hall.slow_words.give_back(address(request))

    # -- games and tables ----------------------------------------------------------------------------------------

    async def games(_: Request) -> Response:
        return answer(await tables.games())

    async def host(_: Request) -> Response:
        return answer(
            {
                "addresses": list(settings.addresses),
                "lobby": settings.lobby,
                "password": bool(settings.password),
                "mail": settings.notices.mail is not None,
                "webhooks": settings.notices.webhooks,
                "push": hall.notices.push.public if hall.notices.push else "",
            }
        )

    def admit_makers(request: Request) -> None:
        if hall.draining:
            raise closing()
        given = request.headers.get("x-umpire-password", "")
        if settings.password and not hmac.compare_digest(given.encode(), settings.password.encode()):
            raise problem("password", "server.making-table-here-wants-password", 401)

    async def new_table(request: Request) -> Response:
        admit_makers(request)
        wish = read_body(await body(request, TABLE_LIMIT), NewTable)
        if wish.listed and not settings.lobby:
            raise problem("refused", "server.server-has-no-lobby")
        return answer(await tables.create(wish))

    async def summary(request: Request) -> Response:
        return answer(await tables.summary(request.path_params["table"]))

    async def lobby(request: Request) -> Response:
        calm(request)
        return answer({"tables": await tables.lobby() if settings.lobby else []})

    async def take_seat(request: Request) -> Response:
        if not settings.lobby or not hall.costly.take(address(request)):
            raise too_fast()
        return answer(await tables.take_seat(request.path_params["table"]))

    # -- records -------------------------------------------------------------------------------------------------

    async def record(request: Request) -> Response:
        text = await the_record(request)
        name = f'attachment; filename="{request.path_params["table"]}.jsonl"'
        headers = {"Cache-Control": "no-store", "Content-Disposition": name}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    async def replay_table(request: Request) -> Response:
        return await open_replay(await the_record(request))

    async def new_replay(request: Request) -> Response:
        return await open_replay(read_body(await body(request, RECORD_LIMIT), NewReplay).record.encode())

    async def frames(request: Request) -> Response:
        calm(request)
        replay = request.path_params["replay"]
        start = _number(request.query_params.get("from", "0"))
        stop = _number(request.query_params.get("to", str(start + 50)))
        return await packed(request, await ask_replay("frames", replay, start=start, stop=stop))

    async def about_replay(request: Request) -> Response:
        calm(request)
        return answer(await ask_replay("replay", request.path_params["replay"]))

    async def story(request: Request) -> Response:
        calm(request)
        return await packed(request, await ask_replay("story", request.path_params["replay"]))

    async def verify(request: Request) -> Response:
        calm(request)
        return answer(await ask_replay("verify", request.path_params["replay"]))

    async def fork(request: Request) -> Response:
        wish = read_body(await body(request, TABLE_LIMIT), Fork)
        replay = await ask_replay("take_up", request.path_params["replay"], at=wish.at)
        return answer(await tables.fork(replay, wish))

    # -- the rules lab -------------------------------------------------------------------------------------------

    async def in_the_lab(operation: str, **arguments: Any) -> Any:
        """Scenes are carried out apart from all tables, and not for long."""
        try:
            return await pool.make(operation, share=LAB_SECONDS, **arguments)
        except Slow:
            raise too_slow() from None

    async def lab(request: Request) -> Response:
        wish = read_body(await body(request, SCENE_LIMIT), LabScene)
        return await packed(request, await in_the_lab("lab", text=wish.scene))

    async def lab_ask(request: Request) -> Response:
        wish = read_body(await body(request, SCENE_LIMIT), LabQuestion)
        return answer(await in_the_lab("lab_ask", text=wish.scene, question=bytes(wish.question), side=wish.side))

    async def lab_table(request: Request) -> Response:
        admit_makers(request)
        wish = read_body(await body(request, SCENE_LIMIT), LabTable)
        taken = await in_the_lab("lab_table", text=wish.scene, seed=secrets.randbits(62))
        return answer(await tables.take_up(taken, wish.seats))

    async def lab_game(request: Request) -> Response:
        calm(request)
        return await packed(request, await in_the_lab("lab_game", game=request.path_params["game"]))

    async def puzzles(request: Request) -> Response:
        calm(request)
        return await packed(request, await in_the_lab("puzzles"))

    async def puzzle(request: Request) -> Response:
        calm(request)
        return answer(await in_the_lab("puzzle", puzzle=request.path_params["puzzle"]))

    async def scene(request: Request) -> Response:
        found = await tables.find(request.path_params["table"])
        side = found.admit(bearer(request))
        return answer(await found.read("scene", side=side, seed=secrets.randbits(62)))

    async def replay_scene(request: Request) -> Response:
        calm(request)
        at = _number(request.query_params.get("at", "0"))
        found = await ask_replay("replay_scene", request.path_params["replay"], at=at, seed=secrets.randbits(62))
        return answer(found)

    # -- rules ---------------------------------------------------------------------------------------------------

    async def rules(request: Request) -> Response:
        calm(request)
        asked = request.query_params
        found = await asyncio.to_thread(_rules, asked.get("game", ""), asked.get("q", "")[:200])
        return await packed(request, msgspec.json.encode(found))

    async def rule(request: Request) -> Response:
        calm(request)
        return answer(await asyncio.to_thread(_rule, request.path_params["rule"]))

    # -- people --------------------------------------------------------------------------------------------------

    async def mine(request: Request) -> Response:
        known, held = await people.look(await me(request))
        if known["known"]:
            hall.slow_words.give_back(address(request))  # many people of one club come from one address
        rows = {row["id"]: row for row in await store.rows(schema.tables.c.id.in_([one.table_id for one in held]))}
        listed = [
            {**await tables.brief(rows[one.table_id]), "side": one.side if one.side >= 0 else None, "token": one.token}
            for one in held
            if one.table_id in rows
        ]
        # Mine to move first, then what goes on, then what is over; each by what happened last.
        listed.sort(
            key=lambda one: (one["over"], one["side"] not in one["waiting"], -max(one["moved"], one["created"]))
        )
        return answer({**known, "tables": listed})

    async def change_me(request: Request) -> Response:
        await people.change(await me(request), read_body(await body(request, PERSON_LIMIT), Me))
        return answer({})

    async def hold(request: Request) -> Response:
        who = await me(request)
        wish = read_body(await body(request, PERSON_LIMIT), Held)
        kept = await store.load(request.path_params["table"]) if request.path_params["table"].isascii() else None
        if kept is None:
            raise problem("no-table", "server.there-no-such-table", 404)
        await people.hold(who, kept.id, tables.side_of(kept, wish.token), wish.token)
        return answer({})

    async def let_go(request: Request) -> Response:
        await people.drop(await me(request), request.path_params["table"])
        return answer({})

    # -- the host ------------------------------------------------------------------------------------------------

    async def all_tables(request: Request) -> Response:
        host_only(request)
        most = min(1000, _number(request.query_params.get("most", "200")))
        rows = await store.rows(most=most)
        return answer({"tables": [await tables.brief(row) for row in rows]})

    async def remove(request: Request) -> Response:
        host_only(request)
        await tables.find(request.path_params["table"])  # by the process that holds it
        return answer({"removed": await tables.remove([request.path_params["table"]])})

    async def metrics(request: Request) -> Response:
        if not settings.local:
            host_only(request)
        return Response(hall.figures(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def health(_: Request) -> Response:
        return answer({"alive": True})

    async def ready(_: Request) -> Response:
        good = await hall.ready()
        return answer({"ready": good}, 200 if good else 503)

    async def openapi(_: Request) -> Response:
        return answer(description())

    # -- pages ---------------------------------------------------------------------------------------------------

    async def pages(request: Request) -> Response:
        path = request.path_params["path"]
        first = path.split("/")[0]
        if len(path) <= LONGEST_PATH:
            if first in PAGES:
                return await static.page()
            found = None if first == "api" else await static.file(request, path)
            if found is not None:
                return found
        raise problem("not-found", "server.there-nothing-at-address", 404)

    return [
        Route("/api/games", games),
        Route("/api/host", host),
        Route("/api/tables", new_table, methods=["POST"]),
        Route("/api/tables/{table}", at_table(summary)),
        Route("/api/lobby", lobby),
        Route("/api/lobby/{table}", at_table(take_seat), methods=["POST"]),
        Route("/api/records/{table}", at_table(record)),
        Route("/api/records/{table}/replay", at_table(replay_table), methods=["POST"]),
        Route("/api/replay", new_replay, methods=["POST"]),
        Route("/api/replay/{replay}", frames),
        Route("/api/replay/{replay}/about", about_replay),
        Route("/api/replay/{replay}/story", story),
        Route("/api/replay/{replay}/verify", verify),
        Route("/api/replay/{replay}/fork", fork, methods=["POST"]),
        Route("/api/replay/{replay}/scene", replay_scene),
        Route("/api/tables/{table}/scene", at_table(scene)),
        Route("/api/lab", lab, methods=["POST"]),
        Route("/api/lab/ask", lab_ask, methods=["POST"]),
        Route("/api/lab/tables", lab_table, methods=["POST"]),
        Route("/api/lab/games/{game}", lab_game),
        Route("/api/lab/puzzles", puzzles),
        Route("/api/lab/puzzles/{puzzle}", puzzle),
        Route("/api/rules", rules),
        Route("/api/rules/{rule}", rule),
        Route("/api/mine", mine),
        Route("/api/mine", change_me, methods=["PUT"]),
        Route("/api/mine/tables/{table}", hold, methods=["PUT"]),
        Route("/api/mine/tables/{table}", let_go, methods=["DELETE"]),
        Route("/api/admin/tables", all_tables),
        Route("/api/admin/tables/{table}", at_table(remove), methods=["DELETE"]),
        Route("/api/openapi.json", openapi),
        Route("/metrics", metrics),
        Route("/health", health),
        Route("/ready", ready),
        Route("/{path:path}", pages),
    ]


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 7:
        raise problem("bad-message", "server.not-number", text=text[:20])
    return int(text)


def _rules(game: str, words: str) -> dict[str, Any]:
    try:
        if words.strip():
            found = rulebook.search(words, game or None)
        else:
            found = [one for name in ((game,) if game else rulebook.games()) for one in rulebook.rules(name)]
    except UmpireError as error:
        raise refused(error) from None
    rows = [{"id": one.id, "game": one.game, **one.names, "kind": one.kind} for one in found]
    return {"rules": rows, "total": len(rows)}


def _rule(key: str) -> dict[str, Any]:
    if not rulebook.exists(key):
        raise problem("no-rule", "server.there-no-such-rule", 404)
    one, around = rulebook.rule(key), rulebook.neighbours(key)
    fields = ("id", "game", "lines", "kind", "needs", "note")
    return {
        **{name: getattr(one, name) for name in fields},
        **one.texts,
        **one.names,
        "neighbours": [{"id": other.id, **other.names} if other else None for other in (around.before, around.after)],
    }
