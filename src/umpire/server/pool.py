"""The worker processes as the server sees them: ask, wait, and start one anew when it fails."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import sys
import zlib
from typing import Any

import msgspec

from umpire.server.problems import NotHere, Problem, internal
from umpire.server.worker import HEAD

CALL_SECONDS = 20.0
"""No rule takes so long: a worker that does is killed."""
COLD_SECONDS = 600.0
"""But compiling the geometry, where nobody has done so before, may."""

WARM_AFTER = 3.0
REHEARSED = 30
"""So many answers of each game computers play before anybody waits for theirs."""


class Worker:
    """One process. `generation` counts its starts: what an earlier one knew is gone."""

    def __init__(self, modules: tuple[str, ...], niceness: int = 0) -> None:
        self._command = [sys.executable, "-m", "umpire.server.worker", str(niceness), *modules]
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._waiting: dict[int, asyncio.Future[tuple[str, Any]]] = {}
        self._number = 0
        self._closed = False
        self.cold = True
        self.generation = 0
        self.decoder = msgspec.msgpack.Decoder(tuple[int, str, Any])

    @property
    def busy(self) -> int:
        return len(self._waiting)

    async def start(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None:
                if self._closed:
                    raise internal()
                self._process = await asyncio.create_subprocess_exec(
                    *self._command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    env={**os.environ, "PYTHONUNBUFFERED": "1"},
                )
                self.generation += 1
                self._reader = asyncio.create_task(self._read(self._process))
            return self._process

    async def call(self, operation: str, seconds: float = CALL_SECONDS, **arguments: Any) -> Any:
        process = await self.start()
        assert process.stdin is not None
        self._number += 1
        number = self._number
        done: asyncio.Future[tuple[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = done
        data = msgspec.msgpack.encode([number, operation, arguments])
        try:
            process.stdin.write(HEAD.pack(len(data)) + data)
            # Time runs only while the worker is at this request: those before it have their own.
            limit = COLD_SECONDS if self.cold else seconds * len(self._waiting)
            async with asyncio.timeout(limit):
                kind, result = await asyncio.shield(done)
        except TimeoutError:
            self._kill(process)
            raise internal() from None
        finally:
            self._waiting.pop(number, None)
        if kind == "done":
            return result
        if kind == "not-here":
            raise NotHere
        raise Problem(*result)

    async def insist(self, operation: str, **arguments: Any) -> Any:
        """Ask what needs no battle on the desk; again, if the worker was given up for something else meanwhile."""
        for _ in range(2):
            with contextlib.suppress(NotHere):
                return await self.call(operation, **arguments)
        raise internal()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while True:
                size = HEAD.unpack(await process.stdout.readexactly(HEAD.size))[0]
                number, kind, result = self.decoder.decode(await process.stdout.readexactly(size))
                done = self._waiting.get(number)
                if done is not None and not done.done():
                    done.set_result((kind, result))
        except (asyncio.IncompleteReadError, ConnectionError, msgspec.DecodeError):
            self._kill(process)

    def _kill(self, process: asyncio.subprocess.Process) -> None:
        """Give a process up. What it was doing has failed; what waited behind that is asked again, of another."""
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        if self._process is process:
            self._process = None
            failed = [done for done in self._waiting.values() if not done.done()]
            for number, done in enumerate(failed):
                done.set_result(("not-here", None) if number else ("problem", internal().args))

    async def close(self) -> None:
        self._closed = True
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._reader is not None:
            await self._reader


class Pool:
    """Workers that hold tables, each table always the same one, and workers that think."""

    def __init__(self, modules: tuple[str, ...], cores: int) -> None:
        self.holders = [Worker(modules) for _ in range(cores)]
        self.thinkers = [Worker(modules, niceness=10) for _ in range(cores)]

    def holder(self, table: str) -> Worker:
        return self.holders[_spread(table) % len(self.holders)]

    def thinker(self, table: str) -> Worker:
        """The least busy one that is ready; between equals always the same, which remembers the table."""
        start = _spread(table)
        order = [self.thinkers[(start + k) % len(self.thinkers)] for k in range(len(self.thinkers))]
        return min(order, key=lambda one: (one.cold, one.busy))

    async def call(self, operation: str, **arguments: Any) -> Any:
        """Ask whichever worker is least busy, for what needs no table."""
        return await min(self._up(), key=lambda one: one.busy).insist(operation, **arguments)

    def name_table(self) -> str:
        """A new table's id, such that a worker holds it that is up already."""
        while self.holder(name := secrets.token_urlsafe(9)) not in self._up():
            pass
        return name

    def _up(self) -> list[Worker]:
        return [worker for worker in self.holders if worker.generation]

    async def start(self) -> None:
        """One worker is enough for a first table: two would only hold each other up, and the browser."""
        await self.holders[0].start()

    async def warm(self) -> None:
        """What a first table needs, then the other holders, then the thinkers, for whom nobody waits: what they
        compile, the others only read. But not before whoever has started the server may see that table."""
        first, *others = self.holders
        with contextlib.suppress(Problem, NotHere):
            await first.call("ready")
        await asyncio.sleep(WARM_AFTER)
        await asyncio.gather(*(worker.call("ready") for worker in others), return_exceptions=True)
        for workers, answers in ((self.thinkers, REHEARSED), (self.holders, 0)):
            for worker in workers:
                step = 0
                with contextlib.suppress(Problem, NotHere):
                    while await worker.call("warm", step=step, answers=answers):
                        step += 1
                worker.cold = False

    async def close(self) -> None:
        await asyncio.gather(*(worker.close() for worker in (*self.holders, *self.thinkers)))


def _spread(table: str) -> int:
    return zlib.crc32(table.encode())
