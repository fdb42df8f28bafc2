"""A table: who sits at it, what they ask, and who is told. The battle itself lives on a worker's desk.

Whatever changes a battle happens under the table's lock, in this order: the worker carries it out, the storage has it
on the disk, everybody is told. What is refused or fails on the way has not happened.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Raw

from umpire.engine.dice import commit
from umpire.server import messages as said
from umpire.server.opponents import Opponents
from umpire.server.pool import Pool
from umpire.server.problems import NotHere, Problem, forbidden, internal, no_table, too_fast
from umpire.server.seats import Connection, opens, seat_wire
from umpire.server.storage import CHAT_SHOWN, Store, StoredChat, StoredTable

log = logging.getLogger("umpire.server")

CHECKPOINT_EVERY = 50
CONNECTIONS = 64
LUCK = 64
"""So many characters may a player add to the dice."""


class Table:
    def __init__(self, kept: StoredTable, names: Raw, store: Store, pool: Pool) -> None:
        self.id = kept.id
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
        self.history = 0  # counts the times the battle went back: what was thought before is void
        self.waiting: list[int] = []
        self.over = False
        self.takeback: dict[str, int] | None = None
        self.connections: list[Connection] = []
        self.idle_since = time.monotonic()
        self.lock = asyncio.Lock()
        self._store = store
        self._holder = pool.holder(kept.id)
        self._opponents = Opponents(self, pool)
        self._background: set[asyncio.Task[None]] = set()

    # -- the worker ----------------------------------------------------------------------------------------------

    async def _load(self) -> dict[str, Any]:
        """Put the battle on the worker's desk, as it is stored."""
        kept = await self._store.load(self.id)
        if kept is None:
            raise no_table()
        self.answers = kept.answers
        standing: dict[str, Any] = await self._holder.insist(
            "load",
            table=self.id,
            setup=kept.setup,
            save=kept.checkpoint[1] if kept.checkpoint else None,
            answers=kept.answers,
            resigned=kept.resigned,
        )
        self._stand(standing)
        return standing

    def _stand(self, standing: dict[str, Any]) -> None:
        self.waiting = standing["waiting"]
        self.over = standing["over"]

    async def write(self, operation: str, **arguments: Any) -> Any:
        """Ask the worker for a change; the lock is held."""
        for _ in range(2):
            try:
                return await self._holder.call(operation, table=self.id, **arguments)
            except NotHere:
                await self._load()
        raise internal()

    async def read(self, operation: str, **arguments: Any) -> Any:
        """Ask the worker something that changes nothing."""
        if not self.started:
            raise forbidden("对战还没有开始", "the battle has not begun")
        try:
            return await self._holder.call(operation, table=self.id, **arguments)
        except NotHere:
            async with self.lock:
                return await self.write(operation, **arguments)

    # -- telling -------------------------------------------------------------------------------------------------

    def info(self) -> bytes:
        """The table itself, as everybody may know it."""
        held = {connection.side for connection in self.connections}
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
                "fairness": {
                    "commitment": commit(self.secret) if self.secret else "",
                    "contributions": [seat.luck for seat in self.seats] if self.started else [],
                    "secret": self.secret if self.over else "",
                },
            }
        )

    def sides(self) -> list[int | None]:
        return list(dict.fromkeys(connection.side for connection in self.connections))

    def _tell_views(
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

    def _tell_table(self) -> None:
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
        raise Problem("unauthorised", "链接不对：没有这个座位", "wrong link: it opens no seat at this table", 401)

    async def join(self, connection: Connection, luck: str) -> None:
        async with self.lock:
            if len(self.connections) >= CONNECTIONS:
                raise Problem("too-many", "这张桌子人满了", "this table is full", 409)
            self.connections.append(connection)
            try:
                await self._welcome(connection, luck)
            except BaseException:
                self.leave(connection)
                raise
            await self._store.visit(self.id, self.over)
        self._opponents.wake()

    async def _welcome(self, connection: Connection, luck: str) -> None:
        seat = self.seats[connection.side] if connection.side is not None else None
        if seat is not None and not self.started:
            kind = "person" if seat.kind == "open" else seat.kind
            luck = seat.luck or luck[:LUCK]  # another window does not take back what the first has added
            await self._store.seat(self.id, seat.side, kind=kind, luck=luck)
            seat.kind, seat.luck = kind, luck
        if self.started:
            standing = await self.write("views", sides=[connection.side])
            self._stand(standing)
            self._tell_views("view", standing["views"], [connection])
        elif self._complete(seat is not None):
            await self._begin()
        else:
            absent = [one.side for one in self.seats if one.kind == "open"]
            before = await self._holder.insist("preview", setup=self.setup, side=connection.side, waiting=absent)
            self._tell_views("view", [(connection.side, before)], [connection])
        for line in self.chat:
            connection.tell("chat", **_chat_wire(line))
        self._tell_table()

    def _complete(self, seated: bool) -> bool:
        """Has everybody come? A watcher alone starts only what two computers play."""
        kinds = [seat.kind for seat in self.seats]
        return "open" not in kinds and (seated or all(kind == "computer" for kind in kinds))

    async def _begin(self) -> None:
        """Everybody has come, and has added to the dice: the battle begins."""
        result = await self._holder.insist(
            "begin",
            table=self.id,
            setup=self.setup,
            secret=self.secret,
            luck=[seat.luck for seat in self.seats],
            sides=self.sides(),
        )
        await self._store.start(self.id, result["setup"])
        self.setup = result["setup"]
        self.started = True
        self._stand(result)
        self._tell_views("view", result["views"], self.connections)

    def leave(self, connection: Connection) -> None:
        if connection in self.connections:
            self.connections.remove(connection)
            self.idle_since = time.monotonic()
            self._tell_table()

    # -- what connections ask ------------------------------------------------------------------------------------

    async def hear(self, connection: Connection, message: said.Message) -> None:
        """Carry out one message; raises the Problem that refuses it."""
        side = connection.side
        match message:
            case said.Answer():
                await self._answer(connection, _seat(side), message)
            case said.Check() | said.Odds() | said.Reach() | said.Suggest():
                await self._look(connection, _seat(side), message)
            case said.Hint():
                await self.read("suggest", side=_seat(side), n=message.n)  # refuses who is not asked
                if connection.hinting:
                    raise too_fast()
                connection.hinting = True
                self._spawn(self._hint(connection, _seat(side), message.id))
            case said.Measure():
                start, end = msgspec.to_builtins([message.start, message.end])
                measured = await self.read("measure", side=side, start=start, end=end)
                connection.send(b'{"type":"measured","id":%d,%s' % (message.id, measured[1:]))
            case said.Undo():
                await self._undo(_seat(side), message.n)
            case said.Takeback(accept=None):
                await self._ask_takeback(_seat(side))
            case said.Takeback():
                await self._decide_takeback(_seat(side), bool(message.accept))
            case said.Resign():
                await self._resign(_seat(side))
            case said.Chat():
                await self._say(connection, message.text)
            case said.Rename():
                seat = self.seats[_seat(side)]
                name = _tidy(message.name)
                await self._store.seat(self.id, seat.side, name=name)
                seat.name = name
                self._tell_table()

    async def refresh(self, connection: Connection) -> None:
        """The whole view again, for somebody who has lost the thread."""
        async with self.lock:
            standing = await self.write("views", sides=[connection.side])
            self._tell_views("view", standing["views"], [connection])

    async def _answer(self, connection: Connection, side: int, message: said.Answer) -> None:
        self._must_have_started()
        answer = bytes(message.answer)
        async with self.lock:
            result = await self.write("answer", side=side, n=message.n, answer=answer, sides=self.sides())
            if "ruling" in result:
                connection.tell("ruling", id=message.id, ruling=Raw(result["ruling"]))
                return
            await self.carried_out(side, answer, result, connection, message.id)
        self._opponents.wake()

    async def carried_out(
        self,
        side: int,
        answer: bytes,
        result: dict[str, Any],
        asker: Connection | None = None,
        number: int | None = None,
    ) -> None:
        """The worker has carried an answer out: keep it, then tell everybody. The lock is held."""
        try:
            if result["answers"] != len(self.answers) + 1:
                raise RuntimeError(f"table {self.id}: {result['answers']} answers, {len(self.answers)} kept")
            await self._store.answer(self.id, len(self.answers), side, answer)
            if result["over"]:
                await self._store.visit(self.id, over=True)
        except Exception:
            log.exception("an answer could not be kept")
            await self._holder.insist("forget", table=self.id)
            raise internal() from None
        self.answers.append((side, answer))
        self.takeback = None
        self._stand(result)
        self._tell_views("update", result["views"], self.connections, asker, number)
        if len(self.answers) % CHECKPOINT_EVERY == 0:
            self._spawn(self._checkpoint())

    async def _checkpoint(self) -> None:
        async with self.lock:
            try:
                saved = await self._holder.call("save", table=self.id)
                await self._store.checkpoint(self.id, saved["answers"], saved["data"])
            except (NotHere, Problem):
                return  # without a checkpoint the battle is loaded from its answers

    async def _look(self, connection: Connection, side: int, message: said.About) -> None:
        asked: dict[str, Any] = {"side": side, "n": message.n}
        match message:
            case said.Check():
                ruling = await self.read("check", answer=bytes(message.answer), **asked)
                connection.tell("ruling", id=message.id, ruling=Raw(ruling))
            case said.Odds():
                odds = await self.read("odds", answer=bytes(message.answer), **asked)
                connection.tell("odds", id=message.id, odds=Raw(odds))
            case said.Reach():
                connection.tell("reach", id=message.id, regions=Raw(await self.read("reach", **asked)))
            case said.Suggest():
                connection.tell("suggestion", id=message.id, answer=Raw(await self.read("suggest", **asked)))

    async def _hint(self, connection: Connection, side: int, number: int) -> None:
        """While the computer thinks about it, the player may go on."""
        try:
            thought = await self._opponents.think(side, "normal")
            connection.tell("hint", id=number, answer=Raw(thought["answer"]), text=thought["text"])
        except Problem as problem:
            connection.refuse(problem, number)
        finally:
            connection.hinting = False

    # -- going back ----------------------------------------------------------------------------------------------

    async def _undo(self, side: int, n: int) -> None:
        self._must_have_started()
        async with self.lock:
            result = await self.write("undo", side=side, n=n, sides=self.sides())
            await self._went_back(result)
        self._opponents.wake()

    async def _went_back(self, result: dict[str, Any]) -> None:
        try:
            await self._store.rewind(self.id, result["answers"])
        except Exception:
            log.exception("going back could not be kept")
            await self._holder.insist("forget", table=self.id)
            raise internal() from None
        del self.answers[result["answers"] :]
        self.history += 1
        self.takeback = None
        self._stand(result)
        self._tell_views("view", result["views"], self.connections)

    async def _ask_takeback(self, side: int) -> None:
        self._must_have_started()
        async with self.lock:
            if self.over:
                raise forbidden("对战已经结束", "the battle is over")
            count = await self.write("takeback", side=side)
            if all(seat.kind == "computer" for seat in self.seats if seat.side != side):
                await self._went_back(await self.write("rewind", count=count, sides=self.sides()))
            else:
                self.takeback = {"side": side, "answers": count}
                self._tell_table()
        self._opponents.wake()

    async def _decide_takeback(self, side: int, accept: bool) -> None:
        async with self.lock:
            if self.takeback is None:
                raise forbidden("没有人请求悔棋", "nobody asks for a take-back")
            if not accept:  # the asker too may drop it
                self.takeback = None
                self._tell_table()
                return
            if self.takeback["side"] == side:
                raise forbidden("须由对方同意", "the other side must agree")
            count = self.takeback["answers"]
            await self._went_back(await self.write("rewind", count=count, sides=self.sides()))
        self._opponents.wake()

    async def _resign(self, side: int) -> None:
        self._must_have_started()
        async with self.lock:
            result = await self.write("resign", side=side, sides=self.sides())
            try:
                await self._store.resign(self.id, side)
                await self._store.visit(self.id, over=True)
            except Exception:
                log.exception("a resignation could not be kept")
                await self._holder.insist("forget", table=self.id)
                raise internal() from None
            self.resigned = side
            self.takeback = None
            self._stand(result)
            self._tell_views("update", result["views"], self.connections)

    async def _say(self, connection: Connection, text: str) -> None:
        if not connection.chat.take():
            raise too_fast()
        async with self.lock:
            seat = self.seats[connection.side] if connection.side is not None else None
            line = StoredChat(
                n=self.chat[-1].n + 1 if self.chat else 0,
                side=connection.side,
                name=seat.name if seat is not None else "",
                text=_tidy(text),
                at=int(time.time()),
            )
            await self._store.say(self.id, line)
            self.chat = [*self.chat, line][-CHAT_SHOWN:]
            for other in self.connections:
                other.tell("chat", **_chat_wire(line))

    def _must_have_started(self) -> None:
        if not self.started:
            raise forbidden("对战还没有开始", "the battle has not begun")

    # -- the end -------------------------------------------------------------------------------------------------

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def close(self) -> None:
        """Take the table away: everything about it is stored."""
        for connection in self.connections:
            connection.outbox.put_nowait(None)
        self._opponents.stop()
        await asyncio.gather(*self._background, return_exceptions=True)


def _seat(side: int | None) -> int:
    if side is None:
        raise forbidden("观战者不能这样做", "somebody who watches cannot do that")
    return side


def _tidy(text: str) -> str:
    """Without control characters, which could make one line look like another."""
    return "".join(c if c.isprintable() else " " for c in text).strip()


def _chat_wire(line: StoredChat) -> dict[str, Any]:
    return {"n": line.n, "from": line.side, "name": line.name, "text": line.text, "at": line.at}
