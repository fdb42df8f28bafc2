"""What the server refuses, each with a code for programs and a sentence in both languages for people."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from umpire.errors import UmpireError
from umpire.server.bounds import short


class NotHere(Exception):  # noqa: N818 - a signal, not an error
    """A worker does not have that battle (it was restarted, or dropped it): it must be loaded."""


class Slow(Exception):  # noqa: N818 - a signal, not an error
    """It took more time than one table may take where others wait; nothing has changed."""


class Problem(Exception):  # noqa: N818 - a refusal is told to the client, it is no fault of the server
    """A request that is refused. `status` is its HTTP status; over a socket only `code` and `text` are told."""

    def __init__(self, code: str, zh: str, en: str, status: int = 400) -> None:
        super().__init__(code, zh, en, status)
        self.code = code
        self.text = {"zh": zh, "en": en}
        self.status = status

    def wire(self) -> dict[str, Any]:
        return {"code": self.code, "text": self.text}


class Killed(Problem):
    """What was asked killed its worker, or had to be stopped by killing it."""

    def __init__(self) -> None:
        super().__init__(*internal().args)


def bad_message(detail: str) -> Problem:
    return Problem("bad-message", f"看不懂的请求：{detail}", f"not a valid request: {detail}")


def no_table() -> Problem:
    return Problem("no-table", "没有这张桌子", "there is no such table", 404)


def unauthorised() -> Problem:
    return Problem("unauthorised", "链接不对：没有这个座位", "wrong link: it opens no seat at this table", 401)


def forbidden(zh: str, en: str) -> Problem:
    return Problem("forbidden", zh, en, 403)


def not_asked() -> Problem:
    return Problem("not-asked", "现在没有问到你", "nothing is asked of you now", 409)


def read_only(text: dict[str, str]) -> Problem:
    return Problem("read-only", text["zh"], text["en"], 409)


def stale() -> Problem:
    return Problem("stale", "局面已经变了，请看新的局面", "the battle has moved on; look at the new view", 409)


def too_fast() -> Problem:
    return Problem("too-fast", "太快了，请稍等", "too fast; wait a moment", 429)


def too_large(limit: int) -> Problem:
    return Problem("too-large", f"太大了：最多 {limit} 字节", f"too large: at most {limit} bytes", 413)


def too_slow() -> Problem:
    return Problem(
        "too-slow", "算得太久了，请换一个更小的", "this takes too long to work out; ask for something smaller", 422
    )


def internal() -> Problem:
    return Problem(
        "internal",
        "服务器出了错，对战停在上一步；请再试",
        "the server failed; the battle stands as it was; please try again",
        500,
    )


def refused(error: UmpireError) -> Problem:
    """What the engine refuses (a list, a scenario, a record), in its own words."""
    return Problem("refused", short(error.line("zh")), short(error.line("en")), 400)


_FAULTS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError,
)  # fmt: skip


@contextlib.contextmanager
def from_outside(zh: str, en: str) -> Iterator[None]:
    """Around work on what a stranger has written: where a game did not foresee it, it is still told and not thrown."""
    try:
        yield
    except UmpireError:
        raise
    except _FAULTS as error:
        said = f"{type(error).__name__}: {error}"[:200]
        raise UmpireError(f"{en}: {said}", zh=f"{zh}：{said}") from None
