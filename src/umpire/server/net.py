"""The sockets themselves: limits that must hold before a request is whole.

A stranger can open a socket and say nothing, say a word a minute, or cut a message into millions of empty pieces. Each
of these costs the server more than the stranger, so each has a bound here: time for a request to come, sockets of one
address, frames of one message and of one second.
"""

from __future__ import annotations

import asyncio
import collections
import ipaddress
import logging
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from umpire.server.limits import Bucket

log = logging.getLogger("umpire.server")


class NetLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds for a request's head, seconds for its body, sockets of one address (0: any number) unless it is a
    `trusted` proxy's, frames a second and at once, and pieces of one message."""

    head: float = 10.0
    body: float = 30.0
    sockets: int = 0
    trusted: tuple[str, ...] = ()
    frames: float = 200.0
    burst: float = 1000.0
    pieces: int = 64


class Doorkeeper:
    """What all sockets of a server share."""

    def __init__(self, limits: NetLimits) -> None:
        self.limits = limits
        self.open: collections.Counter[str] = collections.Counter()
        self._trusted = [ipaddress.ip_network(place.strip()) for place in limits.trusted if place.strip() != "*"]
        self._all = "*" in limits.trusted
        self.turned_away = 0
        self.too_slow = 0
        self.frames_cut = 0

    def trusts(self, address: str) -> bool:
        """Is this a proxy, which counts its clients itself?"""
        if self._all:
            return True
        try:
            place = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(place in network for network in self._trusted)


class _Frames(ServerProtocol):
    """Counts frames as they are read: whoever sends too many is failed at once, and the rest is not even looked at."""

    def bound(self, keeper: Doorkeeper) -> None:
        self._keeper = keeper
        self._bucket = Bucket(keeper.limits.frames, keeper.limits.burst)
        self._pieces = 0

    def recv_frame(self, frame: Frame) -> None:
        self._pieces = self._pieces + 1 if frame.opcode is Opcode.CONT else 0
        if self._pieces > self._keeper.limits.pieces or not self._bucket.take():
            self._keeper.frames_cut += 1
            raise ProtocolError("too many frames")  # the parser reads no further
        super().recv_frame(frame)


def protocols(limits: NetLimits) -> tuple[type[HttpToolsProtocol], type[WebSocketsSansIOProtocol], Doorkeeper]:
    """The classes that uvicorn makes for each socket."""
    keeper = Doorkeeper(limits)

    class Http(HttpToolsProtocol):
        _late: asyncio.TimerHandle | None = None
        _address = ""
        _counted = False

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._address = self.client[0] if self.client else ""
            keeper.open[self._address] += 1
            self._counted = True
            if limits.sockets and keeper.open[self._address] > limits.sockets and not keeper.trusts(self._address):
                keeper.turned_away += 1
                transport.abort()
                return
            self._wait(limits.head)

        def _wait(self, seconds: float) -> None:
            self._late = self.loop.call_later(seconds, self._too_late)

        def _relax(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

        def _too_late(self) -> None:
            keeper.too_slow += 1
            self.transport.abort()

        def on_headers_complete(self) -> None:
            self._relax()
            super().on_headers_complete()
            if self.cycle is not None and self.cycle.more_body:
                self._wait(limits.body)

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._relax()
            self._wait(limits.head)

        def on_message_complete(self) -> None:
            self._relax()
            super().on_message_complete()

        def handle_websocket_upgrade(self) -> None:
            self._relax()
            super().handle_websocket_upgrade()
            new = self.transport.get_protocol()
            if isinstance(new, Ws):
                new.address, self._counted = self._address, False

        def connection_lost(self, exc: Exception | None) -> None:
            self._relax()
            if self._counted:
                self._counted = False
                _forget(keeper, self._address)
            super().connection_lost(exc)

    class Ws(WebSocketsSansIOProtocol):
        address: str | None = None

        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            self.conn.__class__ = _Frames
            self.conn.bound(keeper)  # type: ignore[attr-defined]

        def data_received(self, data: bytes) -> None:
            if self.conn.parser_exc is None:  # else we are done with it: what still comes is not read
                super().data_received(data)

        def connection_lost(self, exc: Exception | None) -> None:
            if self.address is not None:
                _forget(keeper, self.address)
            super().connection_lost(exc)

    return Http, Ws, keeper


def _forget(keeper: Doorkeeper, address: str) -> None:
    keeper.open[address] -= 1
    if not keeper.open[address]:
        del keeper.open[address]


def raise_file_limit() -> int:
    """As many open files as the system lets us have; how many."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wished = min(hard, 65_536) if hard != resource.RLIM_INFINITY else 65_536
    if soft < wished:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wished, hard))
        soft = wished
    return soft
