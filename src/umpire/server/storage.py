"""Where tables are kept. SQLAlchemy Core over SQLite now; another database joins by its URL.

Every write returns when it is on the disk. Writes that come together share one transaction and one flush, so a hundred
tables cost hardly more than one.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sql
from sqlalchemy import Column, Connection, Integer, LargeBinary, MetaData, String, Table, event

from umpire.errors import UmpireError

T = TypeVar("T")
GROUP = 256
CHAT_SHOWN = 100
REPLAYS_KEPT = 500
FORMAT = 1

_meta = MetaData()
_tables = Table(
    "tables",
    _meta,
    Column("id", String(32), primary_key=True),
    Column("created", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    Column("setup", LargeBinary, nullable=False),
    Column("secret", String(64), nullable=False),
    Column("watch", String(64), nullable=False),
    Column("guide", Integer, nullable=False),
    Column("started", Integer, nullable=False),
    Column("resigned", Integer),
)
_seats = Table(
    "seats",
    _meta,
    Column("table_id", String(32), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("token", String(64)),
    Column("name", String(64), nullable=False),
    Column("level", String(16)),
    Column("army", LargeBinary, nullable=False),
    Column("luck", String(64), nullable=False),
)
_answers = Table(
    "answers",
    _meta,
    Column("table_id", String(32), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("side", Integer, nullable=False),
    Column("answer", LargeBinary, nullable=False),
)
_checkpoints = Table(
    "checkpoints",
    _meta,
    Column("table_id", String(32), primary_key=True),
    Column("n", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
_chat = Table(
    "chat",
    _meta,
    Column("table_id", String(32), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("side", Integer),
    Column("name", String(64), nullable=False),
    Column("text", String(2000), nullable=False),
    Column("at", Integer, nullable=False),
)
_visits = Table(
    "visits",
    _meta,
    Column("table_id", String(32), primary_key=True),
    Column("at", Integer, nullable=False),
    Column("over", Integer, nullable=False),
)
_replays = Table(
    "replays",
    _meta,
    Column("id", String(32), primary_key=True),
    Column("created", Integer, nullable=False),
    Column("record", LargeBinary, nullable=False),
)
_format = Table("format", _meta, Column("version", Integer, primary_key=True))


class StoredSeat(msgspec.Struct):
    """A seat as it is kept: its token only as a hash, `army` as the JSON of a text."""

    side: int
    kind: str
    token: str | None
    name: str = ""
    level: str | None = None
    army: bytes = b"null"
    luck: str = ""


class StoredChat(msgspec.Struct):
    n: int
    side: int | None
    name: str
    text: str
    at: int


class StoredTable(msgspec.Struct):
    """A table as it is kept, and everything a battle goes on from: set-up, checkpoint, answers."""

    id: str
    created: int
    game: str
    setup: bytes
    secret: str
    watch: str
    guide: bool
    started: bool
    resigned: int | None
    seats: list[StoredSeat]
    answers: list[tuple[int, bytes]] = []
    checkpoint: tuple[int, bytes] | None = None
    chat: list[StoredChat] = []


class Store:
    """All writes go through one thread, in the order they were asked for."""

    def __init__(self, url: str) -> None:
        self._engine = sql.create_engine(url)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _durable)
        try:
            _meta.create_all(self._engine)
            with self._engine.begin() as db:
                version = db.execute(sql.select(_format.c.version)).scalar()
                if version is None:
                    db.execute(_format.insert().values(version=FORMAT))
        except sql.exc.DatabaseError as error:
            raise UmpireError(
                f"cannot open the tables kept here: {error.__cause__}", url, f"打不开保存的桌子：{error.__cause__}"
            ) from None
        if version not in (None, FORMAT):
            raise UmpireError(
                f"kept by another version (format {version}, not {FORMAT})", url, f"由另一版本保存（格式 {version}）"
            )
        self._work: queue.SimpleQueue[tuple[Callable[[Connection], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="storage", daemon=True)
        self._thread.start()

    @classmethod
    def in_folder(cls, folder: Path) -> Store:
        return cls(f"sqlite:///{folder / 'tables.sqlite'}")

    def close(self) -> None:
        self._work.put(None)
        self._thread.join()
        self._engine.dispose()

    # -- the writing thread --------------------------------------------------------------------------------------

    def _write_all(self) -> None:
        while True:
            first = self._work.get()
            if first is None:
                return
            group = [first]
            last = False
            while len(group) < GROUP and not self._work.empty():
                job = self._work.get()
                if job is None:
                    last = True
                    break
                group.append(job)
            self._write(group)
            if last:
                return

    def _write(self, group: list[tuple[Callable[[Connection], Any], Future[Any]]]) -> None:
        try:
            with self._engine.begin() as db:
                results = [work(db) for work, _ in group]
        except Exception as error:
            if len(group) == 1:
                group[0][1].set_exception(error)
                return
            for job in group:  # one of them is at fault: the others must not suffer for it
                self._write([job])
            return
        for (_, done), result in zip(group, results, strict=True):
            done.set_result(result)

    async def _run(self, work: Callable[[Connection], T]) -> T:
        done: Future[T] = Future()
        self._work.put((work, done))
        return await asyncio.shield(asyncio.wrap_future(done))

    # -- tables --------------------------------------------------------------------------------------------------

    async def create(self, table: StoredTable) -> None:
        def work(db: Connection) -> None:
            row = {
                column.name: getattr(table, column.name)
                for column in _tables.columns
                if column.name not in ("guide", "started")
            }
            db.execute(_tables.insert().values(**row, guide=int(table.guide), started=int(table.started)))
            db.execute(_seats.insert(), [{"table_id": table.id, **msgspec.structs.asdict(s)} for s in table.seats])
            if table.answers:
                rows = [
                    {"table_id": table.id, "n": n, "side": side, "answer": answer}
                    for n, (side, answer) in enumerate(table.answers)
                ]
                db.execute(_answers.insert(), rows)

        await self._run(work)

    async def load(self, table: str) -> StoredTable | None:
        def work() -> StoredTable | None:
            with self._engine.connect() as db:
                return _load(db, table)

        return await asyncio.to_thread(work)

    async def start(self, table: str, setup: bytes) -> None:
        change = _tables.update().where(_tables.c.id == table).values(setup=setup, started=1)
        await self._run(lambda db: _execute(db, change))

    async def seat(self, table: str, side: int, **values: Any) -> None:
        here = (_seats.c.table_id == table) & (_seats.c.side == side)
        await self._run(lambda db: _execute(db, _seats.update().where(here).values(**values)))

    async def resign(self, table: str, side: int) -> None:
        change = _tables.update().where(_tables.c.id == table).values(resigned=side)
        await self._run(lambda db: _execute(db, change))

    async def answer(self, table: str, n: int, side: int, answer: bytes) -> None:
        """Keep the answer number `n`; that number must be free, so two histories can never be mixed."""
        row = {"table_id": table, "n": n, "side": side, "answer": answer}
        await self._run(lambda db: _execute(db, _answers.insert(), row))

    async def rewind(self, table: str, count: int) -> None:
        """Keep only the first `count` answers."""

        def work(db: Connection) -> None:
            db.execute(_answers.delete().where((_answers.c.table_id == table) & (_answers.c.n >= count)))
            db.execute(_checkpoints.delete().where((_checkpoints.c.table_id == table) & (_checkpoints.c.n > count)))

        await self._run(work)

    async def checkpoint(self, table: str, n: int, data: bytes) -> None:
        def work(db: Connection) -> None:
            db.execute(_checkpoints.delete().where(_checkpoints.c.table_id == table))
            db.execute(_checkpoints.insert().values(table_id=table, n=n, data=data))

        await self._run(work)

    async def say(self, table: str, said: StoredChat) -> None:
        row = {"table_id": table, **msgspec.structs.asdict(said)}
        await self._run(lambda db: _execute(db, _chat.insert(), row))

    async def visit(self, table: str, over: bool) -> None:
        """Somebody has come to the table, or its battle has ended: it grows old from now on."""

        def work(db: Connection) -> None:
            db.execute(_visits.delete().where(_visits.c.table_id == table))
            db.execute(_visits.insert().values(table_id=table, at=int(time.time()), over=int(over)))

        await self._run(work)

    async def clear(self, finished: int | None, abandoned: int | None, but: Collection[str]) -> list[str]:
        """Remove tables whose battle has ended and that nobody has visited since the second `finished`, and others
        since `abandoned`; None: none of them. Those in `but` stay."""
        visited, over = sql.func.coalesce(_visits.c.at, _tables.c.created), sql.func.coalesce(_visits.c.over, 0)
        limits = [(1, finished), (0, abandoned)]
        old = [(over == ended) & (visited < limit) for ended, limit in limits if limit is not None]
        look = (
            sql.select(_tables.c.id)
            .outerjoin(_visits, _visits.c.table_id == _tables.c.id)
            .where(sql.or_(sql.false(), *old))
        )

        def work(db: Connection) -> list[str]:
            found = [table for table in db.execute(look).scalars() if table not in but]
            for table in found:
                for kept in (_seats, _answers, _checkpoints, _chat, _visits):
                    db.execute(kept.delete().where(kept.c.table_id == table))
                db.execute(_tables.delete().where(_tables.c.id == table))
            return found

        return await self._run(work)

    # -- replays -------------------------------------------------------------------------------------------------

    async def keep_replay(self, replay: str, record: bytes) -> None:
        def work(db: Connection) -> None:
            db.execute(_replays.insert().values(id=replay, created=int(time.time()), record=record))
            old = sql.select(_replays.c.id).order_by(_replays.c.created.desc()).offset(REPLAYS_KEPT)
            db.execute(_replays.delete().where(_replays.c.id.in_(old.scalar_subquery())))

        await self._run(work)

    async def replay(self, replay: str) -> bytes | None:
        def work() -> bytes | None:
            with self._engine.connect() as db:
                return db.execute(sql.select(_replays.c.record).where(_replays.c.id == replay)).scalar()

        return await asyncio.to_thread(work)


def _durable(connection: Any, _: Any) -> None:
    """A write-ahead log, flushed to the disk at every commit."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _execute(db: Connection, statement: Any, row: dict[str, Any] | None = None) -> None:
    db.execute(statement, row)


def _load(db: Connection, table: str) -> StoredTable | None:
    row = db.execute(sql.select(_tables).where(_tables.c.id == table)).mappings().first()
    if row is None:
        return None

    def mine(of: Table, order: Any) -> sql.Select[Any]:
        return sql.select(of).where(of.c.table_id == table).order_by(order)

    seats = [
        StoredSeat(**{name: one[name] for name in StoredSeat.__struct_fields__})
        for one in db.execute(mine(_seats, _seats.c.side)).mappings()
    ]
    answers = [(one.side, bytes(one.answer)) for one in db.execute(mine(_answers, _answers.c.n))]
    saved = db.execute(sql.select(_checkpoints).where(_checkpoints.c.table_id == table)).first()
    chat = db.execute(mine(_chat, _chat.c.n.desc()).limit(CHAT_SHOWN)).all()
    return StoredTable(
        **{**row, "guide": bool(row["guide"]), "started": bool(row["started"]), "setup": bytes(row["setup"])},
        seats=seats,
        answers=answers,
        checkpoint=(saved.n, bytes(saved.data)) if saved is not None else None,
        chat=[StoredChat(one.n, one.side, one.name, one.text, one.at) for one in reversed(chat)],
    )
