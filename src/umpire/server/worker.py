"""A worker process: carries out what the server asks of its desk, one thing after another.

Rules are pure Python and take their time; in processes of their own they hold up neither the event loop nor each other,
and one that breaks down or never ends is killed and started again without harm to anything stored.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from umpire.errors import UmpireError
from umpire.server.loading import loads, watch
from umpire.server.problems import NotHere, Problem, internal, refused

MEMORY = 3 * 1024**3
HEAD = struct.Struct(">I")
AGAIN = 0.1
"""After so many seconds more, and again, whatever has not heard that its time is up hears it again."""

Request = tuple[int, str, dict[str, Any], float]
"""Number, operation, arguments, and the seconds of processor time that it may take (0: any)."""
Reply = tuple[int, str, Any, float]
"""Number, how it went, what came of it, and the seconds of processor time that it took."""


class TooLong(BaseException):
    """The time is over, even for rules that catch whatever goes wrong."""


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer requests until the server is gone."""
    from umpire.server.desk import Desk

    watch()
    desk = Desk()
    alarm = Alarm()
    decoder = msgspec.msgpack.Decoder(Request)
    while True:
        head = source.read(HEAD.size)
        if len(head) < HEAD.size:
            return
        number, operation, arguments, seconds = decoder.decode(source.read(HEAD.unpack(head)[0]))
        began = time.process_time()
        kind, result = _carry_out(desk, alarm, operation, arguments, seconds)
        took = time.process_time() - began
        reply = msgspec.msgpack.encode((number, kind, result, took))
        try:
            sink.write(HEAD.pack(len(reply)) + reply)
            sink.flush()
        except BrokenPipeError:  # the server is gone
            return


def _carry_out(desk: Any, alarm: Alarm, operation: str, arguments: dict[str, Any], seconds: float) -> tuple[str, Any]:
    try:
        with alarm.at_most(seconds):
            return "done", getattr(desk, operation)(**arguments)
    except TooLong:
        alarm.off()  # it may have rung again just as it was to be switched off
        desk.drop(arguments.get("table"))  # it was broken off in the middle of something
        return "slow", None
    except NotHere:
        return "not-here", None
    except Problem as problem:
        return "problem", problem.args
    except UmpireError as error:
        return "problem", refused(error).args
    except Exception:
        desk.drop(arguments.get("table"))
        traceback.print_exc(file=sys.stderr)
        return "problem", internal().args


class Alarm:
    """Breaks off what takes more processor time than it may. A machine that is busy elsewhere does not count, nor what
    the process loads once."""

    def __init__(self) -> None:
        self._armed = False
        self._loaded = 0.0
        self.works = hasattr(signal, "setitimer")  # Windows: there the whole process is given up in the end
        if self.works:
            # For good: a last ring that comes when nothing is watched any more must do nothing, not end the process.
            signal.signal(signal.SIGPROF, self._ring)

    def _ring(self, *_: Any) -> None:
        if not self._armed or loads.now:
            return
        spent, self._loaded = loads.seconds - self._loaded, loads.seconds
        if spent > 0.0:
            signal.setitimer(signal.ITIMER_PROF, spent, AGAIN)
            return
        raise TooLong

    @contextlib.contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        if not seconds or not self.works:
            yield
            return
        try:
            self._armed, self._loaded = True, loads.seconds
            signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
            yield
        finally:
            self.off()

    def off(self) -> None:
        self._armed = False
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def _end_with(parent: int) -> None:
    """A server that was killed cannot tell its workers; one that is busy would not see its pipe close."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def main() -> None:
    """`python -m umpire.server.worker PRIORITY [MODULE …]`: modules are games that live outside this package."""
    niceness, *modules = sys.argv[1:]
    # Whatever rules print must not get between the replies.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends us when it has told everybody
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    _bound_memory()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    for module in modules:
        importlib.import_module(module)
    serve(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
