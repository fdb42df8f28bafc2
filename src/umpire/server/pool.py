"""The worker processes as the server sees them: ask, wait, and start one anew when it fails."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import msgspec

from umpire.server.problems import Killed, NotHere, Problem, Slow, internal
from umpire.server.worker import HEAD, Reply

log = logging.getLogger("umpire.server")

CALL_SECONDS = 20.0
"""No rule takes so long: a worker that does is killed."""
HELD_SECONDS = 8.0
"""Where other tables wait, a worker that has not even heard that its time is up is killed sooner."""
STARVED_SECONDS = 120.0
"""But one that is ready to work and gets no processor, because the machine is busy elsewhere, has so long."""
LOOKED_EVERY = 0.2
COLD_SECONDS = 600.0
"""But compiling the geometry, where nobody has done so before, may take long."""
SHARE = 0.35
"""So many seconds of processor time may one request take where other tables wait. A table that needs more is held by a
worker of its own kind, where only such tables wait for it."""
ONCE_SHARE = 1.0
"""And so many where a battle is begun or loaded, which happens once."""
ONCE = frozenset({"begin", "load", "preview"})
PATIENT_SHARE = 5.0
"""So many where only slow tables wait for each other."""
SETUP_SECONDS = 6.0
"""Processor time for setting up a table."""

WARM_AFTER = 3.0
REHEARSED = 30
"""So many answers of each game computers play before anybody waits for theirs."""


class _Asked:
    __slots__ = ("done", "operation", "seconds", "table")

    def __init__(self, operation: str, table: str, seconds: float) -> None:
        self.done: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.operation = operation
        self.table = table
        self.seconds = seconds


class Worker:
    """One process. `generation` counts its starts: what an earlier one knew is gone."""

    def __init__(self, modules: tuple[str, ...], name: str, niceness: int = 0, share: float = 0.0) -> None:
        self._command = [sys.executable, "-m", "umpire.server.worker", str(niceness), *modules]
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._waiting: dict[int, _Asked] = {}
        self._number = 0
        self._closed = False
        self._since = self._used = (
            0.0  # when the first of those that wait came to be first, by the clock and by its own
        )
        self._watch: asyncio.TimerHandle | None = None
        self._doubted: _Asked | None = None
        self._decoder = msgspec.msgpack.Decoder(Reply)
        self._knows: dict[str, asyncio.Task[Any]] = {}
        self.name = name
        self.share = share
        self.cold = True
        self.generation = 0
        self.kills = 0

    @property
    def busy(self) -> int:
        return len(self._waiting)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

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
                self._knows.clear()
                self._reader = asyncio.create_task(self._read(self._process))
            return self._process

    async def know(self, game: str) -> Any:
        """Have the process load a game, if it has not yet. A process that was started anew, or a machine that is busy,
        is slow at this, and no table's fault: nobody's time runs until it is done."""
        for _ in range(3):
            await self.start()
            loading = self._knows.get(game)
            if loading is None:
                loading = self._knows[game] = asyncio.create_task(self.call("know", COLD_SECONDS, share=0.0, game=game))
                loading.add_done_callback(lambda task: task.cancelled() or task.exception())
            try:
                return await asyncio.shield(loading)
            except (NotHere, Killed):
                continue  # the process went meanwhile, and what it knew
            except Problem:
                self._knows.pop(game, None)  # whatever strangers call a game is not remembered
                raise
        raise internal()

    async def call(self, operation: str, seconds: float | None = None, share: float | None = None, **more: Any) -> Any:
        """Ask for an operation. `seconds` may pass while the worker is at it, or it is killed; of processor time it may
        take its `share`, or it is broken off (`Slow`)."""
        return (await self.timed(operation, seconds, share, **more))[0]

    async def timed(
        self, operation: str, seconds: float | None = None, share: float | None = None, **arguments: Any
    ) -> tuple[Any, float]:
        """As `call`, and the processor time that it took."""
        process = await self.start()
        assert process.stdin is not None
        self._number += 1
        number = self._number
        limit = (self.share if share is None else share) if not self.cold else 0.0
        if limit and operation in ONCE:
            limit = max(limit, ONCE_SHARE)
        if seconds is None:
            seconds = HELD_SECONDS if self.share == SHARE else CALL_SECONDS
        asked = _Asked(operation, str(arguments.get("table", "")), COLD_SECONDS if self.cold else seconds)
        if not self._waiting:
            self._first()
        self._waiting[number] = asked
        self._look()
        data = msgspec.msgpack.encode((number, operation, arguments, limit))
        process.stdin.write(HEAD.pack(len(data)) + data)
        _, kind, result, took = await asked.done
        if kind == "done":
            return result, took
        if kind == "not-here":
            raise NotHere
        if kind == "slow":
            log.warning("worker %s: %s of table %s took too long", self.name, operation, asked.table or "-")
            raise Slow
        if kind == "killed":
            raise Killed
        raise Problem(*result)

    async def insist(self, operation: str, **arguments: Any) -> Any:
        """Ask what needs no battle on the desk; again, if the worker was given up for something else meanwhile."""
        for _ in range(2):
            with contextlib.suppress(NotHere):
                if operation == "prepare":
                    await self.know(arguments["game"])
                return await self.call(operation, **arguments)
        raise internal()

    # -- time ----------------------------------------------------------------------------------------------------

    def _first(self) -> None:
        """Another has come to be the first of those that wait."""
        self._since, self._used = time.monotonic(), working(self.pid)[0]

    def _look(self) -> None:
        """Have the first of those that wait watched: the time of the others does not run yet."""
        if self._watch is None and self._waiting:
            first = next(iter(self._waiting.values()))
            left = self._since + first.seconds - time.monotonic()
            self._watch = asyncio.get_running_loop().call_later(max(LOOKED_EVERY, left), self._overdue)

    def _starved(self, seconds: float) -> bool:
        """Has it been ready to work all the while, and others had the processor?"""
        used, ready = working(self.pid)
        return ready and used - self._used < seconds

    def _overdue(self) -> None:
        self._watch = None
        if not self._waiting or self._process is None:
            return
        first = next(iter(self._waiting.values()))
        waited = time.monotonic() - self._since
        if waited < first.seconds or (waited < STARVED_SECONDS and self._starved(first.seconds)):
            self._look()
            return
        if self._doubted is not first:  # its reply may lie there unread, where this process was held up itself
            self._doubted = first
            self._look()
            return
        log.error("worker %s: %s of table %s hangs: killed", self.name, first.operation, first.table or "-")
        self._kill(self._process)

    # -- the process ---------------------------------------------------------------------------------------------

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while True:
                size = HEAD.unpack(await process.stdout.readexactly(HEAD.size))[0]
                reply = self._decoder.decode(await process.stdout.readexactly(size))
                asked = self._waiting.pop(reply[0], None)
                self._first()
                if asked is not None and not asked.done.done():
                    asked.done.set_result(reply)
        except (asyncio.IncompleteReadError, ConnectionError, msgspec.DecodeError):
            if self._process is process and not self._closed:
                first = next(iter(self._waiting.values()), None)
                what = f"{first.operation} of table {first.table or '-'}" if first else "nothing"
                log.error("worker %s died at %s", self.name, what)
            self._kill(process)

    def _kill(self, process: asyncio.subprocess.Process) -> None:
        """Give a process up. What it was doing has failed; what waited behind that is asked again, of another."""
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        if self._process is process:
            self._process = None
            self.kills += 1
            failed = list(self._waiting.values())
            self._waiting.clear()
            for number, asked in enumerate(failed):
                if not asked.done.done():
                    asked.done.set_result((0, "not-here" if number else "killed", None, 0.0))

    async def close(self) -> None:
        self._closed = True
        process, self._process = self._process, None
        if self._watch is not None:
            self._watch.cancel()
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._reader is not None:
            await self._reader


class Pool:
    """Workers that hold tables, each table always the same one; one that sets tables up and plays records again; one
    that holds tables whose rules take so long that others should not wait for them; and workers that think."""

    def __init__(self, modules: tuple[str, ...], cores: int, rehearse: bool = True) -> None:
        self._rehearse = rehearse
        self.modules = modules
        self.holders = [Worker(modules, f"holder {n}", share=SHARE) for n in range(cores)]
        self.thinkers = [Worker(modules, f"thinker {n}", niceness=10) for n in range(cores)]
        self.maker = Worker(modules, "maker", niceness=2)
        self.patient = Worker(modules, "patient", niceness=5, share=PATIENT_SHARE)

    @property
    def workers(self) -> list[Worker]:
        return [*self.holders, *self.thinkers, self.maker, self.patient]

    def holder(self, table: str) -> Worker:
        return self.holders[_spread(table) % len(self.holders)]

    def thinker(self, table: str) -> Worker:
        """The least busy one that is ready; between equals always the same, which remembers the table."""
        start = _spread(table)
        order = [self.thinkers[(start + k) % len(self.thinkers)] for k in range(len(self.thinkers))]
        return min(order, key=lambda one: (one.cold, one.busy))

    async def make(self, operation: str, share: float = SETUP_SECONDS, **arguments: Any) -> Any:
        """Ask for what needs no table: setting one up, the menu, records."""
        return await self.maker.insist(operation, share=share, **arguments)

    def name_table(self) -> str:
        """A new table's id, such that a worker holds it that is up already. On a command line what begins with a dash
        is no id."""
        while (name := secrets.token_urlsafe(9)).startswith("-") or not self.holder(name).generation:
            pass
        return name

    async def start(self) -> None:
        """One that sets up and one that holds are enough for a first table: more would only hold each other up, and the
        browser."""
        await self.holders[0].start()
        await self.maker.start()

    async def warm(self) -> None:
        """What a first table needs, then the other holders, then the thinkers, for whom nobody waits: what they
        compile, the others only read. But not before whoever has started the server may see that table."""
        first, *others = self.holders
        if not self._rehearse:
            for worker in self.workers:
                worker.cold = False
            return
        await asyncio.gather(*(worker.call("ready") for worker in (first, self.maker)), return_exceptions=True)
        await asyncio.sleep(WARM_AFTER)
        await asyncio.gather(*(worker.call("ready") for worker in others), return_exceptions=True)
        for workers, answers in ((self.thinkers, REHEARSED), ([*self.holders, self.maker], 0)):
            for worker in workers:
                step = 0
                with contextlib.suppress(Problem, NotHere):
                    while await worker.call("warm", step=step, answers=answers):
                        step += 1
                worker.cold = False
        self.patient.cold = False

    async def close(self) -> None:
        await asyncio.gather(*(worker.close() for worker in self.workers))


def working(pid: int | None) -> tuple[float, bool]:
    """The processor time that a process has used, and whether it wants more; nothing where the system does not tell."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0, False
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK"), words[0] in "RD"


def _spread(table: str) -> int:
    return zlib.crc32(table.encode())
