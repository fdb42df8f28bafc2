"""A worker process: carries out what the server asks of its desk, one thing after another.

Rules are pure Python and take their time; in processes of their own they hold up neither the event loop nor each other,
and one that breaks down or never ends is killed and started again without harm to anything stored.
"""

from __future__ import annotations

import importlib
import os
import struct
import sys
import threading
import time
import traceback
from typing import Any, BinaryIO

import msgspec

from umpire.errors import UmpireError
from umpire.server.problems import NotHere, Problem, internal, refused

MEMORY = 3 * 1024**3
HEAD = struct.Struct(">I")


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer requests until the server is gone. A request is [number, operation, arguments]."""
    from umpire.server.desk import Desk

    desk = Desk()
    decoder = msgspec.msgpack.Decoder(tuple[int, str, dict[str, Any]])
    while True:
        head = source.read(HEAD.size)
        if len(head) < HEAD.size:
            return
        number, operation, arguments = decoder.decode(source.read(HEAD.unpack(head)[0]))
        reply = msgspec.msgpack.encode([number, *_carry_out(desk, operation, arguments)])
        try:
            sink.write(HEAD.pack(len(reply)) + reply)
            sink.flush()
        except BrokenPipeError:  # the server is gone
            return


def _carry_out(desk: Any, operation: str, arguments: dict[str, Any]) -> tuple[str, Any]:
    try:
        return "done", getattr(desk, operation)(**arguments)
    except NotHere:
        return "not-here", None
    except Problem as problem:
        return "problem", problem.args
    except UmpireError as error:
        return "problem", refused(error).args
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return "problem", internal().args


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
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    _bound_memory()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    for module in modules:
        importlib.import_module(module)
    serve(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
