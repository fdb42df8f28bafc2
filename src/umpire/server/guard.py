"""What every request passes first: who may ask, and what browsers are told not to do with the answers."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from umpire.server.problems import Problem, problem

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            "script-src 'self'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self' blob: data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """Refuses strangers' pages. A server for this machine alone answers only to this machine's names, so that no page
    elsewhere can reach it by a name that was made to point here."""

    def __init__(self, app: ASGIApp, local: bool) -> None:
        self.app = app
        self.local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        problem = self.refuses(headers)
        if scope["type"] == "websocket":
            if problem is not None:
                await receive()
                await send({"type": "websocket.close", "code": 4403, "reason": problem.text["en"]})
                return
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    told.setdefault(name, value)
            await send(message)

        if problem is None:
            await self.app(scope, receive, guarded)
            return
        body = msgspec.json.encode(problem.wire())
        await guarded(
            {"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"application/json")]}
        )
        await guarded({"type": "http.response.body", "body": body})

    def refuses(self, headers: Mapping[str, str]) -> Problem | None:
        host = headers.get("host", "")
        if self.local and _hostname(f"//{host}") not in LOOPBACK:
            return problem("forbidden", "server.server-answers-machine-only", 403)
        origin = headers.get("origin")
        if origin is None:  # not a browser, or a page of our own
            return None
        if _place(origin) == host or (self.local and _hostname(origin) in LOOPBACK):
            return None
        return problem("forbidden", "server.request-from-another-site", 403)


def _place(address: str) -> str | None:
    try:
        return urlsplit(address).netloc
    except ValueError:  # what cannot be read is nobody's
        return None


def _hostname(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
