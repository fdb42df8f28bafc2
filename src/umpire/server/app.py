"""The server's surface: pages, HTTP under /api, and the socket of each table (docs/protocol.md)."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import logging
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from umpire import rulebook
from umpire.errors import UmpireError
from umpire.server import messages, static
from umpire.server.guard import Guard
from umpire.server.limits import Buckets, Keep
from umpire.server.messages import MESSAGE_LIMIT, RECORD_LIMIT, TABLE_LIMIT, Fork, NewReplay, NewTable, read_body
from umpire.server.pool import Pool
from umpire.server.problems import NotHere, Problem, internal, refused, too_fast, too_large
from umpire.server.seats import Connection, Rates
from umpire.server.storage import Store
from umpire.server.table import Table
from umpire.server.tables import Tables

log = logging.getLogger("umpire.server")

ABUSE = 2000
"""So many messages beyond the rate, and the connection is closed."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """`local`: only this machine may ask; `addresses`: where others in the local network reach this server."""

    data: Path
    local: bool = True
    addresses: tuple[str, ...] = ()
    keep: Keep = Keep()
    rates: Rates = Rates()
    tables_a_second: float = 2.0
    tables_at_once: float = 200.0


def answer(value: Any, status: int = 200) -> Response:
    data = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Response(data, status, media_type="application/json", headers={"Cache-Control": "no-store"})


def create_app(settings: Settings, pool: Pool) -> Any:
    store = Store.in_folder(settings.data)
    tables = Tables(store, pool)
    costly = Buckets(settings.tables_a_second, settings.tables_at_once)
    cheap = Buckets(rate=20.0, burst=400.0)

    def calm(request: Request) -> None:
        if not cheap.take(_address(request)):
            raise too_fast()

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        work = (tables.put_away(), tables.clear_out(settings.keep), pool.warm())
        chores = [asyncio.create_task(chore) for chore in work]
        yield
        for chore in chores:
            chore.cancel()
        await tables.close()
        await pool.close()
        store.close()

    async def body(request: Request, limit: int) -> bytes:
        if not costly.take(_address(request)):
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

    async def ask_replay(operation: str, replay: str, **arguments: Any) -> Any:
        worker = pool.thinker(replay)
        try:
            return await worker.call(operation, replay=replay, text=None, **arguments)
        except NotHere:
            text = await store.replay(replay)
            if text is None:
                raise Problem("no-replay", "没有这个重放", "there is no such replay", 404) from None
            return await worker.call(operation, replay=replay, text=text, **arguments)

    # -- HTTP ----------------------------------------------------------------------------------------------------

    async def games(_: Request) -> Response:
        return answer(await tables.games())

    async def new_table(request: Request) -> Response:
        return answer(await tables.create(read_body(await body(request, TABLE_LIMIT), NewTable)))

    async def summary(request: Request) -> Response:
        calm(request)
        return answer(await tables.summary(request.path_params["table"]))

    async def record(request: Request) -> Response:
        calm(request)
        table = request.path_params["table"]
        found = await tables.find(table)
        found.admit(request.query_params.get("token", ""))
        text = await found.read("record")
        headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{table}.jsonl"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    async def new_replay(request: Request) -> Response:
        wish = read_body(await body(request, RECORD_LIMIT), NewReplay)
        replay, text = secrets.token_urlsafe(9), wish.record.encode()
        opened = await pool.thinker(replay).insist("replay", replay=replay, text=text)
        await store.keep_replay(replay, text)
        return answer(opened)

    async def frames(request: Request) -> Response:
        calm(request)
        replay = request.path_params["replay"]
        start = _number(request.query_params.get("from", "0"))
        stop = _number(request.query_params.get("to", str(start + 50)))
        return await packed(request, await ask_replay("frames", replay, start=start, stop=stop))

    async def fork(request: Request) -> Response:
        wish = read_body(await body(request, TABLE_LIMIT), Fork)
        replay = await ask_replay("take_up", request.path_params["replay"], at=wish.at)
        return answer(await tables.fork(replay, wish))

    async def rules(request: Request) -> Response:
        calm(request)
        asked = request.query_params
        found = await asyncio.to_thread(_rules, asked.get("game", ""), asked.get("q", "")[:200])
        return await packed(request, msgspec.json.encode(found))

    async def rule(request: Request) -> Response:
        calm(request)
        return answer(await asyncio.to_thread(_rule, request.path_params["rule"]))

    async def host(request: Request) -> Response:
        calm(request)
        return answer({"addresses": list(settings.addresses)})

    # -- the socket ----------------------------------------------------------------------------------------------

    async def socket(websocket: WebSocket) -> None:
        query = websocket.query_params
        await websocket.accept()
        try:
            found = await tables.find(websocket.path_params["table"])
            connection = Connection(found.admit(query.get("token", "")), settings.rates)
            writer = asyncio.create_task(_write(websocket, connection))
            try:
                await found.join(connection, query.get("luck", ""))
                await _listen(websocket, found, connection)
            finally:
                found.leave(connection)
                writer.cancel()
        except Problem as problem:
            with contextlib.suppress(RuntimeError):
                code = {401: 4401, 404: 4404}.get(problem.status, 4400)
                await websocket.close(code, problem.text["en"][:100])
        except WebSocketDisconnect:
            pass

    # -- pages ---------------------------------------------------------------------------------------------------

    async def pages(request: Request) -> Response:
        path = request.path_params["path"]
        first = path.split("/")[0]
        if first in ("", "table", "replay", "rules"):
            return await static.page()
        found = None if first == "api" else await static.file(request, path)
        if found is None:
            raise Problem("not-found", "没有这个地址", "there is nothing at this address", 404)
        return found

    app = Starlette(
        routes=[
            Route("/api/games", games),
            Route("/api/host", host),
            Route("/api/tables", new_table, methods=["POST"]),
            Route("/api/tables/{table}", summary),
            Route("/api/records/{table}", record),
            Route("/api/replay", new_replay, methods=["POST"]),
            Route("/api/replay/{replay}", frames),
            Route("/api/replay/{replay}/fork", fork, methods=["POST"]),
            Route("/api/rules", rules),
            Route("/api/rules/{rule}", rule),
            WebSocketRoute("/ws/{table}", socket),
            Route("/{path:path}", pages),
        ],
        exception_handlers={Problem: _problem, HTTPException: _no_such, Exception: _failed},
        lifespan=lifespan,
    )
    return Guard(app, settings.local)


async def _problem(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, Problem)
    return answer(problem.wire(), problem.status)


async def _no_such(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    problem = Problem("not-found", "没有这个地址", "there is nothing like this at this address")
    return answer(problem.wire(), error.status_code)


async def _failed(_: Request, error: Exception) -> Response:
    log.error("a request failed", exc_info=error)
    return answer(internal().wire(), 500)


async def _listen(websocket: WebSocket, table: Table, connection: Connection) -> None:
    """One message after another: a client that floods waits for itself, not others for it."""
    abuse = 0
    while True:
        received = await websocket.receive()
        if received["type"] == "websocket.disconnect":
            return
        data = received.get("text") or received.get("bytes") or b""
        if not connection.messages.take():
            abuse += 1
            if abuse > ABUSE:
                raise too_fast()
            connection.refuse(too_fast())
            continue
        number = None
        try:
            if len(data) > MESSAGE_LIMIT:
                raise too_large(MESSAGE_LIMIT)
            message = messages.read_message(data)
            number = message.id
            await table.hear(connection, message)
        except Problem as problem:
            connection.refuse(problem, number)
            if problem.code == "stale":
                await table.refresh(connection)
        except Exception:
            log.exception("table %s: a message failed", table.id)
            connection.refuse(internal(), number)


async def _write(websocket: WebSocket, connection: Connection) -> None:
    while (data := await connection.outbox.get()) is not None:
        await websocket.send_text(data.decode())
    await websocket.close(1013, "too slow: come back for a fresh view")


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 7:
        raise Problem("bad-message", f"不是帧号：{text[:20]}", f"not a frame's number: {text[:20]}")
    return int(text)


def _rules(game: str, words: str) -> dict[str, Any]:
    try:
        if words.strip():
            found = rulebook.search(words, game or None)
        else:
            found = [one for name in ((game,) if game else rulebook.games()) for one in rulebook.rules(name)]
    except UmpireError as error:
        raise refused(error) from None
    rows = [{"id": one.id, "game": one.game, "en": one.en, "zh": one.zh, "kind": one.kind} for one in found]
    return {"rules": rows, "total": len(rows)}


def _rule(key: str) -> dict[str, Any]:
    if not rulebook.exists(key):
        raise Problem("no-rule", "没有这条规则", "there is no such rule", 404)
    one, around = rulebook.rule(key), rulebook.neighbours(key)
    fields = ("id", "game", "en", "zh", "text", "text_zh", "lines", "kind", "needs", "note")
    return {
        **{name: getattr(one, name) for name in fields},
        "neighbours": [
            {"id": other.id, "en": other.en, "zh": other.zh} if other else None
            for other in (around.before, around.after)
        ],
    }
