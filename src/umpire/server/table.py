"""A table: who sits at it, what they ask, and who is told. The battle itself lives on a worker's desk.

Whatever changes a battle happens under the table's lock, in this order: the worker carries it out, the storage has it
on the disk, everybody is told. What is refused or fails on the way has not happened. Once begun it is finished, even if
whoever asked for it is gone.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine, Iterable
from typing import Any, Protocol

import msgspec
from msgspec import Raw

from umpire.engine.dice import commit
from umpire.server import messages as said
from umpire.server import orders
from umpire.server.beginning import Beginning
from umpire.server.limits import Bucket
from umpire.server.opponents import Opponents
from umpire.server.pool import Pool
from umpire.server.problems import (
    Killed,
    NotHere,
    Problem,
    Slow,
    forbidden,
    internal,
    no_table,
    problem,
    too_slow,
    unauthorised,
)  # fmt: skip
from umpire.server.schema import StoredAnswer, StoredTable
from umpire.server.seats import Connection, chat_wire, opens, seat_wire
from umpire.server.storage import Fenced, Store
from umpire.server.timing import Timing
from umpire.text import words

log = logging.getLogger("umpire.server")

CHECKPOINT_EVERY = 50
WINDOWS = 8
"""So many windows may hold one seat: the newest is let in, and the oldest goes."""
WATCHERS = 48
STRIKES = 2
"""A table that has killed so many workers is set aside."""
WORK, WORK_BURST = 0.3, 6.0
"""Of a worker's processor time a table may use this share, and so many seconds at once, where other tables wait."""

STOPPED = words("server.set-aside")


class Watcher(Protocol):
    """Who wants to know what happens at tables: notices, counters."""

    def turned(self, table: Table) -> None:
        """Somebody else is asked now, or the battle is over."""

    def came(self, table: Table, side: int) -> None:
        """A player has come to their seat."""

    def counted(self, what: str, seconds: float = 0.0) -> None:
        """Something happened that is counted."""


class Table:
    def __init__(self, kept: StoredTable, names: Raw, store: Store, pool: Pool, watcher: Watcher) -> None:
        self.id = kept.id
        self.epoch = kept.epoch
        self.game = kept.game
        self.names = names
        self.setup = kept.setup
        self.guide = kept.guide
        self.secret = kept.secret
        self.watch = kept.watch
        self.seats = kept.seats
        self.started = kept.started
        self.resigned = kept.resigned
        self.chat = kept.chat
        self.answers = kept.answers
        self.takebacks = kept.takebacks
        self.stopped: dict[str, str] | None = msgspec.json.decode(kept.stopped) if kept.stopped else None
        self.timing = Timing(self, kept.clock)
        self.listed = kept.listed
        self.history = 0  # counts the times the battle went back: what was thought before is void
        self.waiting = [int(side) for side in kept.waiting]
        self.prompts: list[str] = []
        self.over = kept.over
        self.takeback: dict[str, int] | None = None
        self.connections: list[Connection] = []
        self.gone = False
        """It was closed, or is another process's now."""
        self.idle_since = time.monotonic()
        self.lock = asyncio.Lock()
        self.store = store
        self._pool = pool
        self._worker = pool.holder(kept.id)
        self._work = Bucket(WORK, WORK_BURST)
        self._strikes = 0
        self.watcher = watcher
        self.opponents = Opponents(self, pool)
        self.beginning = Beginning(self)
        self._background: set[asyncio.Task[Any]] = set()

    # -- the worker ----------------------------------------------------------------------------------------------

    async def load(self) -> dict[str, Any]:
        """Put the battle on the worker's desk, as it is stored. The lock is held."""
        kept = await self.store.load(self.id)
        if kept is None or kept.epoch != self.epoch:
            raise no_table()
        self.answers = kept.answers
        standing: dict[str, Any] = await self.ask(
            "load",
            setup=kept.setup,
            save=kept.checkpoint[1] if kept.checkpoint else None,
            answers=kept.answers,
            resigned=kept.resigned,
            why="clock" if self.timing.lost else "resigned",
            stopped=self.stopped,
        )
        if standing["stopped"] and not self.stopped:
            log.error("table %s cannot be loaded: %s", self.id, standing["stopped"]["en"])
        self.stand(standing)
        return standing

    def stand(self, standing: dict[str, Any]) -> None:
        self.waiting = standing["waiting"]
        self.prompts = standing["prompts"]
        self.over = standing["over"]
        self.stopped = standing["stopped"]

    async def ask(self, operation: str, **arguments: Any) -> Any:
        """Ask the worker. What takes too long where others wait is asked of one where only such tables are."""
        for _ in range(3):
            worker = self._worker
            try:
                await worker.know(self.game)
                result, took = await worker.timed(operation, table=self.id, **arguments)
            except Slow:
                if worker is self._pool.patient:
                    await self._struck(operation)
                    raise too_slow() from None
                self._move()
                if operation != "load":
                    raise NotHere from None
            except Killed:
                await self._struck(operation)
                raise
            else:
                if not self._work.spend(took) and worker.busy:  # who keeps a worker busy lets others go first
                    await asyncio.sleep(min(0.5, -self._work.left / WORK))
                return result
        raise internal()

    def _move(self) -> None:
        log.warning("table %s needs much time: it moves where nobody else waits for it", self.id)
        self.watcher.counted("tables_moved")
        old, self._worker = self._worker, self._pool.patient
        if old is not self._worker:
            self.spawn(old.insist("forget", table=self.id))

    async def _struck(self, operation: str) -> None:
        """A worker died of this table, or would not have come to an end: the second time it is set aside, and never
        tried again."""
        self._strikes += 1
        log.error("table %s: its worker died or was stopped at %s (%d)", self.id, operation, self._strikes)
        self._worker = self._pool.patient
        if self._strikes >= STRIKES and self.stopped is None:
            self.stopped = STOPPED
            self.watcher.counted("tables_stopped")
            await self.store.change(self.id, self.epoch, stopped=msgspec.json.encode(STOPPED), waiting="")
            self.tell_table()

    async def write(self, operation: str, **arguments: Any) -> Any:
        """Ask the worker for a change; the lock is held."""
        for _ in range(3):
            try:
                return await self.ask(operation, **arguments)
            except NotHere:
                await self.load()
        raise internal()

    async def read(self, operation: str, **arguments: Any) -> Any:
        """Ask the worker something that changes nothing."""
        self.must_have_started()
        try:
            return await self.ask(operation, **arguments)
        except NotHere:
            async with self.lock:
                return await self.write(operation, **arguments)

    # -- telling -------------------------------------------------------------------------------------------------

    def info(self) -> bytes:
        """The table itself, as everybody may know it."""
        held = {connection.side for connection in self.connections}
        self.timing.run()
        return msgspec.json.encode(
            {
                "id": self.id,
                "game": self.game,
                "names": self.names,
                "guide": self.guide,
                "started": self.started,
                "watchers": sum(connection.side is None for connection in self.connections),
                "seats": [seat_wire(seat, seat.side in held) for seat in self.seats],
                "takeback": self.takeback,
                "over": self.over,
                "stopped": self.stopped,
                "clock": self.timing.clock.wire() if self.timing.clock else None,
                "fairness": {
                    "commitment": commit(self.secret) if self.secret else "",
                    "hashes": [seat.hash for seat in self.seats],
                    "owing": self.beginning.owing(),
                    "contributions": [seat.luck for seat in self.seats] if self.started else [],
                    "withheld": [seat.side for seat in self.seats if seat.withheld],
                    "secret": self.secret if self.over else "",
                },
            }
        )

    def sides(self) -> list[int | None]:
        return list(dict.fromkeys(connection.side for connection in self.connections))

    def tell_views(
        self,
        kind: str,
        views: Iterable[tuple[int | None, bytes]],
        to: Iterable[Connection],
        asker: Connection | None = None,
        number: int | None = None,
    ) -> None:
        """Send each its own view; the asker's carries the number of the request that brought it about."""
        info = self.info()
        ready = {side: b'"type":"%s","view":%s,"table":%s}}' % (kind.encode(), view[:-1], info) for side, view in views}
        for connection in to:
            if connection.side in ready:
                head = b'{"id":%d,' % number if connection is asker and number is not None else b"{"
                connection.send(head + ready[connection.side])

    def tell_table(self) -> None:
        message = b'{"type":"table","table":%s}' % self.info()
        for connection in self.connections:
            connection.send(message)

    # -- coming and going ----------------------------------------------------------------------------------------

    def admit(self, token: str) -> int | None:
        """Which side a token plays; None for the watch token."""
        for seat in self.seats:
            if opens(token, seat.token):
                return seat.side
        if opens(token, self.watch):
            return None
        raise unauthorised()

    async def join(self, connection: Connection, hashed: str) -> None:
        async with self.lock:
            if self.gone:
                raise problem("away", "server.table-moving-another-server", 503)
            if connection.outbox.ended:
                return
            self._make_room(connection.side)
            self.connections.append(connection)
            try:
                await self._welcome(connection, hashed)
            except BaseException:
                self.leave(connection)
                raise
            await self.store.visit(self.id, self.over)
            if connection.outbox.ended:  # they have gone again meanwhile
                self.leave(connection)
        if connection.side is not None:
            self.watcher.came(self, connection.side)
        self.go_on()

    def _make_room(self, side: int | None) -> None:
        """Places for seats are kept, however many watch; of the windows at one seat the oldest goes."""
        same = [connection for connection in self.connections if connection.side == side]
        if side is None and len(same) >= WATCHERS:
            raise problem("too-many", "server.no-more-room-watch-table", 409)
        if side is not None and len(same) >= WINDOWS:
            same[0].outbox.end(4409)
            self.connections.remove(same[0])

    async def _welcome(self, connection: Connection, hashed: str) -> None:
        seat = self.seats[connection.side] if connection.side is not None else None
        if self.started:
            standing = await self.write("views", sides=[connection.side])
            self.stand(standing)
            self.tell_views("view", standing["views"], [connection])
        else:
            await self.beginning.came(connection, hashed)
        for line in self.chat:
            connection.tell("chat", **chat_wire(line))
        if seat is not None and seat.orders:
            connection.tell("orders", orders=Raw(seat.orders))
        self.tell_table()

    def leave(self, connection: Connection) -> None:
        if connection in self.connections:
            self.connections.remove(connection)
            self.idle_since = time.monotonic()
            self.tell_table()
            self.watcher.turned(self)

    # -- what connections ask ------------------------------------------------------------------------------------

    async def finish(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do this to its end, even if whoever asked for it goes away meanwhile."""
        await asyncio.shield(self.spawn(work))

    def refresh(self, connection: Connection) -> None:
        """The whole view again, for somebody who has lost the thread; who asks again meanwhile gets one for all."""
        if not connection.stale:
            connection.stale = True
            self.spawn(self._refresh(connection))

    async def _refresh(self, connection: Connection) -> None:
        async with self.lock:
            connection.stale = False
            if self.started and connection in self.connections:
                standing = await self.write("views", sides=[connection.side])
                self.tell_views("view", standing["views"], [connection])

    async def answer(self, connection: Connection, side: int, message: said.Answer) -> None:
        self.must_have_started()
        async with self.lock:
            began = time.monotonic()
            result = await self.write(
                "answer", side=side, n=message.n, answer=bytes(message.answer), sides=self.sides(), anew=self.anew()
            )
            if "ruling" in result:
                connection.tell("ruling", id=message.id, ruling=Raw(result["ruling"]))
                return
            await self.carried_out(side, result, connection, message.id)
            self.watcher.counted("answers", time.monotonic() - began)
        self.go_on()

    def anew(self) -> int:
        """The number of the take-back after which the dice of the next answer are drawn anew; 0: they go on."""
        return self.takebacks if self.takebacks > max((one.anew for one in self.answers), default=0) else 0

    async def carried_out(
        self, side: int, result: dict[str, Any], asker: Connection | None = None, number: int | None = None
    ) -> None:
        """The worker has carried an answer out: keep it, then tell everybody. The lock is held."""
        given = StoredAnswer(side, result["answer"], self.anew())
        waiting = "".join(map(str, result["waiting"]))
        clock = self.timing.turn(result["waiting"], side)
        try:
            if result["answers"] != len(self.answers) + 1:
                raise RuntimeError(f"table {self.id}: {result['answers']} answers, {len(self.answers)} kept")
            await self.store.answer(self.id, self.epoch, len(self.answers), given, waiting, **clock)
            if result["over"]:
                await self.store.visit(self.id, over=True)
        except Exception as error:
            await self.not_kept("an answer", error)
        self.answers.append(given)
        self.takeback = None
        self.stand(result)
        self.tell_views("update", result["views"], self.connections, asker, number)
        if len(self.answers) % CHECKPOINT_EVERY == 0 or self.over:
            self.spawn(self._checkpoint())

    async def not_kept(self, what: str, error: Exception) -> None:
        """The storage did not take it, so it has not happened; what is in memory goes, and so does a table whose lease
        is another process's now."""
        if isinstance(error, Fenced):
            log.warning("table %s is another process's now", self.id)
            self.spawn(self.close())
        else:
            log.error("table %s: %s could not be kept", self.id, what, exc_info=error)
        await self._worker.insist("forget", table=self.id)
        raise internal() from None

    async def _checkpoint(self) -> None:
        async with self.lock:
            try:
                saved = await self.ask("save")
                summary = await self.ask("summary")
                await self.store.checkpoint(self.id, self.epoch, saved["answers"], saved["data"], summary)
            except (NotHere, Problem, Fenced):
                return  # without a checkpoint the battle is loaded from its answers

    # -- the end of a battle -------------------------------------------------------------------------------------

    async def end(self, side: int, why: str = "resigned") -> None:
        """A side gives up, or its time is up; -1: the time of the battle is up, and the score decides."""
        self.must_have_started()
        async with self.lock:
            result = await self.write("resign", side=side, why=why, sides=self.sides())
            clock = self.timing.turn([], None)
            try:
                await self.store.change(self.id, self.epoch, resigned=side, waiting="", **clock)
                await self.store.visit(self.id, over=True)
            except Exception as error:
                await self.not_kept("the end", error)
            self.resigned = side
            self.takeback = None
            self.stand(result)
            self.tell_views("update", result["views"], self.connections)
            self.spawn(self._checkpoint())
        self.watcher.turned(self)

    # -- going on ------------------------------------------------------------------------------------------------

    def plays(self, side: int) -> bool:
        """Does the computer answer for this side now?"""
        return self.seats[side].kind == "computer" or self.timing.plays_for(side)

    def go_on(self) -> None:
        """The battle stands at other questions: whoever is to act without being there acts, who is to know is told."""
        if orders.ordered(self) is not None:
            self.spawn(self._follow_orders())
            return
        self.opponents.wake()
        self.watcher.turned(self)

    async def _follow_orders(self) -> None:
        await orders.follow(self)
        self.opponents.wake()
        self.watcher.turned(self)

    def must_have_started(self) -> None:
        if not self.started:
            raise forbidden("server.battle-has-not-begun")

    # -- the end -------------------------------------------------------------------------------------------------

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._background.discard(task)
        if (
            not task.cancelled()
            and (error := task.exception()) is not None
            and not isinstance(error, Problem | NotHere)
        ):
            log.error("table %s: %r", self.id, error, exc_info=error)

    async def close(self) -> None:
        """Take the table away: everything about it is stored."""
        if self.gone:
            return
        await self.timing.keep()
        self.gone = True
        for connection in self.connections:
            connection.outbox.end()
        self.opponents.stop()
        others = [task for task in self._background if task is not asyncio.current_task()]
        await asyncio.gather(*others, return_exceptions=True)
