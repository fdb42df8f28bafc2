"""Several server processes on one PostgreSQL: which of them holds a table.

A table lives in one process at a time. Its row names the holder, and each process says every second that it lives;
whoever needs a table whose holder has fallen silent takes it over, with the next epoch. Whatever the old holder still
wants to write carries the old epoch and is refused (`storage.Fenced`), so two histories of a battle can never be told.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Collection
from typing import Any

import sqlalchemy as sql
from sqlalchemy import Connection

from umpire.server import schema
from umpire.server.database import Database
from umpire.server.problems import no_table

log = logging.getLogger("umpire.server")

BEAT = 1.0
LEASE = 3.0
"""A process that has been silent for so many seconds has lost its tables."""
FORGOTTEN = 3600.0


class Elsewhere(Exception):  # noqa: N818 - a signal, not an error
    """Another process holds that table."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class Cluster:
    """This process among the others. On a database of its own it is alone, and holds everything."""

    def __init__(self, database: Database, address: str = "") -> None:
        self.database = database
        self.shared = database.shared
        self.id = secrets.token_hex(8) if self.shared else ""
        self.address = address
        self.secret = ""
        self.taken_over = 0

    async def start(self) -> None:
        """Be known to the others, and know the word by which they know each other."""
        if not self.shared:
            return
        self.secret = await key(self.database, "cluster", secrets.token_urlsafe(24))
        await self._beat()

    async def live(self) -> None:
        while self.shared:
            await asyncio.sleep(BEAT)
            try:
                await self._beat()
            except Exception as error:
                log.error("the database cannot be reached: %s", error)

    async def _beat(self) -> None:
        processes, now = schema.processes, self.database.now()

        def work(db: Connection) -> None:
            mine = processes.c.id == self.id
            if not db.execute(processes.update().where(mine).values(beat=now)).rowcount:
                db.execute(processes.insert().values(id=self.id, address=self.address, beat=now))
                db.execute(processes.delete().where(processes.c.beat < now - FORGOTTEN))

        await self.database.write(work)

    def _living(self) -> Any:
        return schema.processes.c.beat > self.database.now() - LEASE

    async def claim(self, table: str) -> int:
        """Hold this table: its epoch; or `Elsewhere`."""
        tables, processes = schema.tables.c, schema.processes
        look = sql.select(tables.holder, tables.epoch).where(tables.id == table)

        def work(db: Connection) -> int | str:
            row = db.execute(look.with_for_update() if self.shared else look).first()
            if row is None:
                raise no_table()
            if not self.shared or row.holder == self.id:
                return int(row.epoch)
            if row.holder:
                other = sql.select(processes.c.address).where(processes.c.id == row.holder, self._living())
                address = db.execute(other).scalar()
                if address is not None:
                    return str(address)
                log.warning("table %s: its process is silent, taken over", table)
                self.taken_over += 1
            change = schema.tables.update().where(tables.id == table).values(holder=self.id, epoch=row.epoch + 1)
            db.execute(change)
            return int(row.epoch) + 1

        held = await self.database.write(work)
        if isinstance(held, str):
            raise Elsewhere(held)
        return held

    async def release(self, tables: Collection[str]) -> None:
        """Let others have these tables at once."""
        if self.shared and tables:
            here = (schema.tables.c.holder == self.id) & schema.tables.c.id.in_(list(tables))
            await self.database.change(schema.tables.update().where(here).values(holder=""))

    async def orphans(self) -> list[str]:
        """Tables whose clock runs and that nobody holds: somebody must look at it."""
        tables = schema.tables.c
        alive = sql.select(schema.processes.c.id).where(self._living())
        look = sql.select(tables.id).where(
            tables.clock.is_not(None), tables.started == 1, tables.waiting != "",
            tables.holder.not_in(alive) if self.shared else sql.true(),
        )  # fmt: skip
        return await self.database.read(lambda db: list(db.execute(look.limit(200)).scalars()))

    async def others(self) -> int:
        """How many processes live, this one included."""
        if not self.shared:
            return 1
        look = sql.select(sql.func.count()).select_from(schema.processes).where(self._living())
        found = await self.database.read(lambda db: db.execute(look).scalar())
        return found or 0

    async def stop(self) -> None:
        if self.shared:
            await self.database.change(schema.processes.delete().where(schema.processes.c.id == self.id))


async def key(database: Database, name: str, new: str) -> str:
    """A secret of this host, made when it is first wanted: of several who make it at once, one has made it."""
    keys = schema.keys
    look = sql.select(keys.c.value).where(keys.c.name == name)

    def work(db: Connection) -> str:
        found = db.execute(look).scalar()
        if found is None:
            db.execute(keys.insert().values(name=name, value=new))
            return new
        return str(found)

    try:
        return await database.write(work)
    except sql.exc.IntegrityError:
        return str(await database.read(lambda db: db.execute(look).scalar()))
