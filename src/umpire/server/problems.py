"""What the server refuses, each with a code for programs and a sentence in both languages for people."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from umpire.errors import UmpireError, fault
from umpire.server.bounds import short
from umpire.text import Text, both


class NotHere(Exception):  # noqa: N818 - a signal, not an error
    """A worker does not have that battle (it was restarted, or dropped it): it must be loaded."""


class Slow(Exception):  # noqa: N818 - a signal, not an error
    """It took more time than one table may take where others wait; nothing has changed."""


class Problem(Exception):  # noqa: N818 - a refusal is told to the client, it is no fault of the server
    """A request that is refused. `status` is its HTTP status; over a socket only `code` and `text` are told."""

    def __init__(self, code: str, text: dict[str, str], status: int = 400) -> None:
        super().__init__(code, text, status)
        self.code = code
        self.text = text
        self.status = status

    def wire(self) -> dict[str, Any]:
        return {"code": self.code, "text": self.text}


class Killed(Problem):
    """What was asked killed its worker, or had to be stopped by killing it."""

    def __init__(self) -> None:
        super().__init__(*internal().args)


def problem(code: str, key: str, status: int = 400, **facts: object) -> Problem:
    """A refusal with a sentence of the catalogue."""
    return Problem(code, both(Text(key, facts), "server"), status)


def bad_message(detail: str) -> Problem:
    return problem("bad-message", "server.not-valid-request", detail=detail)


def no_table() -> Problem:
    return problem("no-table", "server.there-no-such-table", 404)


def unauthorised() -> Problem:
    return problem("unauthorised", "server.wrong-link-it-opens-no", 401)


def forbidden(key: str, **facts: object) -> Problem:
    return problem("forbidden", key, 403, **facts)


def not_asked() -> Problem:
    return problem("not-asked", "server.nothing-asked-you-now", 409)


def read_only(text: dict[str, str]) -> Problem:
    return Problem("read-only", text, 409)


def stale() -> Problem:
    return problem("stale", "server.battle-has-moved-on-look", 409)


def too_fast() -> Problem:
    return problem("too-fast", "server.too-fast-wait-moment", 429)


def too_large(limit: int) -> Problem:
    return problem("too-large", "server.too-large-at-most-bytes", 413, limit=limit)


def too_slow() -> Problem:
    return problem("too-slow", "server.takes-too-long-work-out", 422)


def internal() -> Problem:
    return problem("internal", "server.server-failed-battle-stands-as", 500)


def refused(error: UmpireError) -> Problem:
    """What the engine refuses (a list, a scenario, a record), in its own words."""
    return Problem("refused", {lang: short(line) for lang, line in error.lines().items()}, 400)


_FAULTS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError,
)  # fmt: skip


@contextlib.contextmanager
def from_outside(key: str) -> Iterator[None]:
    """Around work on what a stranger has written: where a game did not foresee it, it is still told and not thrown."""
    try:
        yield
    except UmpireError:
        raise
    except _FAULTS as error:
        said = f"{type(error).__name__}: {error}"[:200]
        raise fault("server.failed", what=Text(key), said=said) from None
