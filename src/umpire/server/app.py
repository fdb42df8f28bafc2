"""The server's surface: pages, HTTP under /api, and the socket of each table (docs/protocol.md)."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from umpire.server import sockets
from umpire.server.guard import Guard
from umpire.server.hall import Hall
from umpire.server.problems import Problem, internal, problem
from umpire.server.routes import answer, routes

log = logging.getLogger("umpire.server")


def create_app(hall: Hall) -> Any:
    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with hall.open():
            yield

    async def at_the_table(websocket: WebSocket) -> None:
        await sockets.serve(hall, websocket)

    app = Starlette(
        routes=[WebSocketRoute("/ws/{table}", at_the_table), *routes(hall)],
        exception_handlers={
            Problem: _problem,
            HTTPException: _no_such,
            ClientDisconnect: _gone,
            Exception: _failed,
        },
        lifespan=lifespan,
    )
    return Guard(app, hall.settings.local)


async def _problem(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, Problem)
    return answer(problem.wire(), problem.status)


async def _no_such(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return answer(problem("not-found", "server.there-nothing-like-at-address").wire(), error.status_code)


async def _gone(_: Request, __: Exception) -> Response:
    return Response(status_code=400)


async def _failed(_: Request, error: Exception) -> Response:
    log.error("a request failed", exc_info=error)
    return answer(internal().wire(), 500)
