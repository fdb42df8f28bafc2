"""Who sits at a table: seats, the secrets that open them, and the connections that hold them."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from typing import Any

import msgspec

from umpire.server.limits import Bucket
from umpire.server.problems import Problem
from umpire.server.storage import StoredSeat

WAITING_MESSAGES = 600
"""So many messages may wait for a slow client; one that lets more pile up is cut off, and resumes with a fresh view."""


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


class Connection:
    """One window at the table: a seat's, or a watcher's (`side` None). What is sent waits in `outbox`; None ends it."""

    def __init__(self, side: int | None, rates: Rates) -> None:
        self.side = side
        self.outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.messages = Bucket(rates.messages, rates.burst)
        self.chat = Bucket(rates.chat, rates.chat_burst)
        self.hinting = False

    def send(self, data: bytes) -> None:
        if self.outbox.qsize() < WAITING_MESSAGES:
            self.outbox.put_nowait(data)
        elif self.outbox.qsize() == WAITING_MESSAGES:
            self.outbox.put_nowait(None)

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
