"""Who sits at a table: seats, the secrets that open them, and the connections that hold them."""

from __future__ import annotations

import asyncio
import collections
import hashlib
import hmac
import secrets
from typing import Any

import msgspec

from umpire.server.limits import Bucket
from umpire.server.problems import Problem
from umpire.server.schema import StoredChat, StoredSeat

OUTBOX_BYTES = 4 * 1024 * 1024
"""So much may wait for one slow client; one that lets more pile up is cut off, and resumes with a fresh view."""
ALL_BYTES = 256 * 1024 * 1024
"""So much may wait for all clients together; beyond it the next one goes that is slow at all."""
OUTBOX_MESSAGES = 600


def new_token() -> str:
    """128 random bits."""
    return secrets.token_urlsafe(16)


def hashed(token: str) -> str:
    """What is kept of a token. It is random, so a plain hash tells nothing."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, kept: str | None) -> bool:
    return kept is not None and hmac.compare_digest(hashed(token), kept)


class Rates(msgspec.Struct, frozen=True):
    """Messages, and chat lines, that one connection may send: each second, and at once."""

    messages: float = 60.0
    burst: float = 240.0
    chat: float = 1.0
    chat_burst: float = 8.0


class Outbox:
    """What waits to be sent to one client, bounded in bytes. `None` ends it."""

    everywhere = 0

    def __init__(self) -> None:
        self._waiting: collections.deque[bytes] = collections.deque()
        self._more = asyncio.Event()
        self.bytes = 0
        self.ended = False
        self.code = 1012
        """Why it ended, as a close code: come again; too slow; another window has this place now."""

    def put(self, data: bytes) -> None:
        if self.ended:
            return
        crowded = Outbox.everywhere + len(data) > ALL_BYTES and self.bytes > OUTBOX_BYTES // 16
        if self._waiting and (crowded or self.bytes + len(data) > OUTBOX_BYTES or len(self._waiting) > OUTBOX_MESSAGES):
            self.end(1013)
            return
        self._waiting.append(data)
        self._count(len(data))
        self._more.set()

    def _count(self, size: int) -> None:
        self.bytes += size
        Outbox.everywhere += size

    def end(self, code: int = 1012) -> None:
        """Nothing more is sent; what still waits is dropped."""
        if not self.ended:
            self.ended, self.code = True, code
        self._waiting.clear()
        self._count(-self.bytes)
        self._more.set()

    async def get(self) -> bytes | None:
        while not self._waiting:
            if self.ended:
                return None
            self._more.clear()
            await self._more.wait()
        data = self._waiting.popleft()
        self._count(-len(data))
        return data


class Connection:
    """One window at the table: a seat's, or a watcher's (`side` None). What is sent waits in `outbox`."""

    def __init__(self, side: int | None, rates: Rates) -> None:
        self.side = side
        self.outbox = Outbox()
        self.messages = Bucket(rates.messages, rates.burst)
        self.chat = Bucket(rates.chat, rates.chat_burst)
        self.hinting = False
        self.stale = False
        """It has lost the thread, and a fresh view is on its way."""

    def send(self, data: bytes) -> None:
        self.outbox.put(data)

    def tell(self, kind: str, **fields: Any) -> None:
        self.send(msgspec.json.encode({"type": kind, **fields}))

    def refuse(self, problem: Problem, number: int | None = None) -> None:
        self.tell("error", **({} if number is None else {"id": number}), **problem.wire())


def seat_wire(seat: StoredSeat, connected: bool) -> dict[str, Any]:
    return {
        "side": seat.side,
        "kind": seat.kind,
        "name": seat.name,
        "army": msgspec.Raw(seat.army),
        "level": seat.level,
        "connected": connected or seat.kind == "computer",
    }


def tidy(text: str) -> str:
    """Without control characters, which could make one line look like another."""
    return "".join(c if c.isprintable() else " " for c in text).strip()


def chat_wire(line: StoredChat) -> dict[str, Any]:
    return {"n": line.n, "from": line.side, "name": line.name, "text": line.text, "at": line.at}
