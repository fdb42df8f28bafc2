"""The socket of a table: the first message says who is there, then one message after another."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import logging
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from umpire.server import messages, relay
from umpire.server.cluster import LEASE, Elsewhere
from umpire.server.hall import Hall, closing
from umpire.server.hearing import hear
from umpire.server.messages import MESSAGE_LIMIT, Join
from umpire.server.problems import Problem, internal, problem, too_fast, too_large
from umpire.server.seats import Connection
from umpire.server.table import Table

log = logging.getLogger("umpire.server")

FIRST_SECONDS = 10.0
"""So long may a socket be open without saying who is there."""
ABUSE = 2000
"""So many messages beyond the rate, and the connection is closed."""
AHEAD, AHEAD_BYTES = 1000, 1024 * 1024
"""So much may a client say before it has been answered."""
CODES = {401: 4401, 404: 4404, 503: relay.AWAY}


class Gone(Exception):  # noqa: N818 - a fact, not a fault
    """The client has gone."""


async def serve(hall: Hall, websocket: WebSocket) -> None:
    await websocket.accept()
    hall.sockets += 1
    try:
        if hall.draining:
            raise closing()
        first = await _first(websocket)
        join = messages.read_join(first)
        found = await _find(hall, websocket, first)
        if found is not None:
            await _sit(hall, websocket, found, join)
    except Problem as problem:
        with contextlib.suppress(RuntimeError):
            await websocket.close(CODES.get(problem.status, 4400), problem.text["en"][:100])
    except (WebSocketDisconnect, Gone):
        pass
    finally:
        hall.sockets -= 1


async def _first(websocket: WebSocket) -> str | bytes:
    try:
        async with asyncio.timeout(FIRST_SECONDS):
            received = await websocket.receive()
    except TimeoutError:
        raise problem("bad-message", "server.first-message-must-say-who") from None
    if received["type"] == "websocket.disconnect":
        raise Gone
    data: str | bytes = received.get("text") or received.get("bytes") or b""
    if len(data) > MESSAGE_LIMIT:
        raise too_large(MESSAGE_LIMIT)
    return data


async def _find(hall: Hall, websocket: WebSocket, first: str | bytes) -> Table | None:
    """The table, if this process holds it; else the client is passed on to the one that does, and None when that is
    over. A holder that has just died is waited for until its lease is over."""
    key = websocket.path_params["table"]
    for _ in range(int(LEASE / 0.3) + 4):
        try:
            return await hall.tables.find(key)
        except Elsewhere as there:
            if relay.passed_on(websocket.headers, hall.cluster.secret):
                raise relay.unreachable() from None  # it has just moved: come again
            who = websocket.client.host if websocket.client else ""
            headers = {relay.HEADER: hall.cluster.secret, relay.FROM: who}
            try:
                hall.metrics.count("relayed")
                await relay.websocket(websocket, first, there.address, websocket.url.path, headers)
                return None
            except OSError:
                await asyncio.sleep(0.3)
    raise relay.unreachable()


async def _sit(hall: Hall, websocket: WebSocket, table: Table, join: Join) -> None:
    connection = Connection(table.admit(join.token), hall.settings.rates)
    inbox = Inbox(websocket)
    work = [
        asyncio.create_task(inbox.read()),
        asyncio.create_task(_write(websocket, connection)),
        asyncio.create_task(_listen(hall, table, connection, inbox, join.hash)),
    ]
    try:
        done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    finally:
        # Whichever ends first, the reader's at a lost connection too, ends the others: nobody works for who is gone.
        for task in work:
            task.cancel()
        connection.outbox.end()
        table.leave(connection)
        await asyncio.gather(*work, return_exceptions=True)
    for task in done:
        if isinstance(error := task.exception(), Problem):
            raise error
        if error is not None and not isinstance(error, (Gone, WebSocketDisconnect, RuntimeError)):
            log.error("table %s: a connection failed", table.id, exc_info=error)


class Inbox:
    """What a client has said and nobody has heard yet. It is read ahead, so that a client's going is seen at once."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._waiting: collections.deque[str | bytes] = collections.deque()
        self._bytes = 0
        self._more = asyncio.Event()

    async def read(self) -> None:
        while True:
            received: Any = await self._websocket.receive()
            if received["type"] == "websocket.disconnect":
                raise Gone
            data = received.get("text") or received.get("bytes") or b""
            self._waiting.append(data)
            self._bytes += len(data)
            if len(self._waiting) > AHEAD or self._bytes > AHEAD_BYTES:
                raise too_fast()
            self._more.set()

    async def next(self) -> str | bytes:
        while not self._waiting:
            self._more.clear()
            await self._more.wait()
        data = self._waiting.popleft()
        self._bytes -= len(data)
        return data


async def _listen(hall: Hall, table: Table, connection: Connection, inbox: Inbox, hashed: str) -> None:
    """One message after another: a client that floods waits for itself, not others for it."""
    await table.finish(table.join(connection, hashed))
    abuse = 0
    while True:
        data = await inbox.next()
        hall.metrics.count("messages")
        if not connection.messages.take():
            abuse += 1
            if abuse > ABUSE:
                raise too_fast()
            connection.refuse(too_fast())
            await asyncio.sleep(0)
            continue
        number = None
        try:
            if len(data) > MESSAGE_LIMIT:
                raise too_large(MESSAGE_LIMIT)
            message = messages.read_message(data)
            number = message.id
            await hear(table, connection, message)
        except Problem as problem:
            hall.metrics.count("messages_refused")
            connection.refuse(problem, number)
            if problem.code == "stale":
                table.refresh(connection)
        except Exception:
            log.exception("table %s: a message failed", table.id)
            connection.refuse(internal(), number)


async def _write(websocket: WebSocket, connection: Connection) -> None:
    while (data := await connection.outbox.get()) is not None:
        await websocket.send_text(data.decode())
    code = connection.outbox.code
    reasons = {1013: "too slow: come back for a fresh view", 4409: "this seat is open in too many windows"}
    await websocket.close(code, reasons.get(code, "come again"))
