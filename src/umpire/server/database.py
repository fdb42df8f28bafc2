"""The database: SQLite in the tables' folder, or PostgreSQL for several processes. SQLAlchemy Core over either.

Every write returns when it is on the disk. All writes of a process go through one thread, in the order they were asked
for; those that come together share one transaction and one flush, so a hundred tables cost hardly more than one.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sql
from sqlalchemy import Connection, event

from umpire.errors import UmpireError, fault
from umpire.server import schema

T = TypeVar("T")
GROUP = 256
MIGRATING = 7_202_611
"""The advisory lock of PostgreSQL under which one process migrates while others wait."""

PAGES = 500
"""So many free pages are given back to the disk at once."""

Work = Callable[[Connection], Any]


class Database:
    def __init__(self, url: str) -> None:
        self.url = url
        try:
            self._engine = sql.create_engine(_driven(url), **_options(url))
        except (sql.exc.ArgumentError, ModuleNotFoundError) as error:
            raise _cannot_open(url, error) from None
        self.shared = self._engine.dialect.name == "postgresql"
        """Other processes may use it too."""
        if not self.shared:
            event.listen(self._engine, "connect", _durable)
        try:
            with self._engine.connect() as db:
                self._bring_up(db)
        except sql.exc.DatabaseError as error:
            raise _cannot_open(url, error.__cause__ or error) from None
        self.waiting = 0
        self.writes = 0
        self._work: queue.SimpleQueue[tuple[Work, Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="storage", daemon=True)
        self._thread.start()

    @classmethod
    def in_folder(cls, folder: Path) -> Database:
        return cls(f"sqlite:///{folder / 'tables.sqlite'}")

    def close(self) -> None:
        self._work.put(None)
        self._thread.join()
        self._engine.dispose()

    # -- versions ------------------------------------------------------------------------------------------------

    def _bring_up(self, db: Connection) -> None:
        """Make the schema where there is none, lead it forward where it is of an earlier version."""
        if self.shared:
            db.execute(sql.text(f"SELECT pg_advisory_lock({MIGRATING})"))
        there = set(sql.inspect(db).get_table_names())
        if "format" not in there:
            schema.meta.create_all(db)
            db.execute(schema.format_.insert().values(version=schema.FORMAT))
            db.execute(sql.text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
            db.execute(sql.text("INSERT INTO alembic_version VALUES (:head)"), {"head": schema.HEAD})
        else:
            version = db.execute(sql.select(schema.format_.c.version)).scalar()
            if version is None or version > schema.FORMAT:
                raise fault(
                    "server.kept-by-another-version-format", _safe(self.url), version=version, format=schema.FORMAT
                )
            if version < schema.FORMAT:
                from umpire.server.migrations import upgrade

                upgrade(db, None if "alembic_version" in there else "0001")
                db.commit()
                if not self.shared:  # so that what is removed later can be given back to the disk
                    db.exec_driver_sql("VACUUM")
        if self.shared:
            db.execute(sql.text(f"SELECT pg_advisory_unlock({MIGRATING})"))
        db.commit()

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

    def _write(self, group: list[tuple[Work, Future[Any]]]) -> None:
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
        self.writes += 1
        for (_, done), result in zip(group, results, strict=True):
            done.set_result(result)

    async def write(self, work: Callable[[Connection], T]) -> T:
        done: Future[T] = Future()
        self.waiting += 1
        self._work.put((work, done))
        try:
            return await asyncio.shield(asyncio.wrap_future(done))
        finally:
            self.waiting -= 1

    async def change(self, statement: Any, row: Any = None) -> int:
        """Carry one statement out; how many rows it touched."""
        return await self.write(lambda db: db.execute(statement, row).rowcount)

    async def read(self, look: Callable[[Connection], T]) -> T:
        def work() -> T:
            with self._engine.connect() as db:
                return look(db)

        return await asyncio.to_thread(work)

    async def tidy(self) -> None:
        """Give a little of what is free in the file back to the disk; PostgreSQL does so by itself."""
        if not self.shared:
            await self.write(_give_back)

    def now(self) -> Any:
        """The database's own clock, so that processes on several machines agree: seconds."""
        if self.shared:
            return sql.func.extract("epoch", sql.func.clock_timestamp())
        return (sql.func.julianday("now") - 2440587.5) * 86400.0


def _driven(url: str) -> str:
    """`postgresql://` means the driver that comes with Umpire."""
    for short in ("postgresql://", "postgres://"):
        if url.startswith(short):
            return "postgresql+psycopg://" + url.removeprefix(short)
    return url


def _options(url: str) -> dict[str, Any]:
    if url.startswith("sqlite"):
        return {}
    return {
        "pool_pre_ping": True,
        "pool_size": 8,
        "max_overflow": 8,
        # A process whose machine is gone must not hold locks for the two hours that TCP takes to notice.
        "connect_args": {
            "options": "-c idle_in_transaction_session_timeout=5000 -c tcp_keepalives_idle=5",
            "connect_timeout": 5,
        },
    }


def _durable(connection: Any, _: Any) -> None:
    """A write-ahead log, flushed to the disk at every commit; and pages that are free can be given back."""
    cursor = connection.cursor()
    for pragma in ("auto_vacuum=INCREMENTAL", "journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _give_back(db: Connection) -> None:
    free = db.exec_driver_sql("PRAGMA freelist_count").scalar() or 0
    cursor = db.connection.cursor()
    for _ in range(min(free, PAGES)):
        cursor.execute("PRAGMA incremental_vacuum(1)")  # Python takes one step of it, which is one page
    cursor.close()


def _safe(url: str) -> str:
    """The address without its password."""
    with contextlib.suppress(sql.exc.ArgumentError):
        return str(sql.make_url(url))  # SQLAlchemy hides passwords
    return "?"


def _cannot_open(url: str, error: object) -> UmpireError:
    said = " ".join(str(error).split())[:300]
    return fault("server.cannot-open-tables-kept-here", _safe(url), said=said)
