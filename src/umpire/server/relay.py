"""Passing a client on to the process that holds its table: any process takes any connection."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from umpire.server.problems import Problem, problem

HEADER = "x-umpire-relay"
FROM = "x-umpire-from"
SECONDS = 20.0
AWAY = 1012
"""The close code of a process that is gone: come again."""


def unreachable() -> Problem:
    return problem("away", "server.table-moving-another-server-wait", 503)


async def websocket(client: WebSocket, first: str | bytes, address: str, path: str, headers: Mapping[str, str]) -> None:
    """Be a pipe between a client and the holder of its table. Raises OSError if the holder cannot be reached."""
    url = address.replace("http", "ws", 1) + path
    try:
        there = await connect(
            url, additional_headers=dict(headers), compression=None, max_size=None, open_timeout=2.0, proxy=None
        )
    except (WebSocketException, TimeoutError) as error:
        raise OSError(str(error)) from None
    async with there:
        await there.send(first)
        ways = [asyncio.create_task(_up(client, there)), asyncio.create_task(_down(client, there))]
        done, late = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in late:
            way.cancel()
        for way in (*done, *late):
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, ConnectionClosed, RuntimeError):
                await way
        with contextlib.suppress(RuntimeError):
            code = there.close_code
            await client.close(AWAY if code in (None, 1006) else code, there.close_reason or "")


async def _up(client: WebSocket, there: ClientConnection) -> None:
    while True:
        received = await client.receive()
        if received["type"] == "websocket.disconnect":
            return
        await there.send(received.get("text") or received.get("bytes") or b"")


async def _down(client: WebSocket, there: ClientConnection) -> None:
    async for message in there:
        await client.send_text(message if isinstance(message, str) else message.decode())


async def ask(request: Request, body: bytes, address: str, headers: Mapping[str, str]) -> Response:
    """Ask the holder of a table what was asked here."""
    kept = {
        k: v for k, v in request.headers.items() if k in ("authorization", "content-type", "accept", "host", "origin")
    }
    target = request.url.path + (f"?{request.url.query}" if request.url.query else "")

    def work() -> tuple[int, dict[str, str], bytes]:
        parts = urlsplit(address)
        there = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
        try:
            there.request(request.method, target, body, {**kept, **headers})
            reply = there.getresponse()
            told = {k.lower(): v for k, v in reply.getheaders()}
            return reply.status, told, reply.read()
        finally:
            there.close()

    try:
        status, told, data = await asyncio.to_thread(work)
    except (OSError, http.client.HTTPException):
        raise unreachable() from None
    passed = {k: v for k, v in told.items() if k in ("content-type", "content-disposition", "cache-control")}
    return Response(data, status, headers=passed)


def passed_on(headers: Mapping[str, Any], secret: str) -> bool:
    """Does this request come from another process of ours?"""
    return bool(secret) and headers.get(HEADER) == secret
