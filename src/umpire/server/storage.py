"""Tables as they are kept. Whatever changes a battle is written under the table's lease: a process that has lost it to
another (because it hung, or was cut off) writes nothing any more."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from typing import Any

import msgspec
import sqlalchemy as sql
from sqlalchemy import Connection, Table

from umpire.server import schema
from umpire.server.database import Database
from umpire.server.schema import StoredAnswer, StoredChat, StoredSeat, StoredTable

CHAT_SHOWN = 100
REPLAYS_KEPT = 500
BATCH = 20
"""So many old tables are removed in one transaction, so that nobody waits long."""

_flags = ("guide", "started", "listed")
_columns = [
    column.name for column in schema.tables.columns if column.name in StoredTable.__struct_fields__
]  # without the holder, which is the cluster's


class Fenced(Exception):  # noqa: N818 - a fact, not a fault
    """The table's lease is another process's now."""


class Store:
    def __init__(self, database: Database) -> None:
        self.database = database

    def close(self) -> None:
        self.database.close()

    # -- tables --------------------------------------------------------------------------------------------------

    async def create(self, table: StoredTable, holder: str = "") -> None:
        row = {name: getattr(table, name) for name in _columns} | {"holder": holder, "epoch": 1 if holder else 0}
        row |= {name: int(row[name]) for name in _flags}
        given = [
            {"table_id": table.id, "n": n, "side": one.side, "answer": one.answer, "anew": one.anew}
            for n, one in enumerate(table.answers)
        ]

        def work(db: Connection) -> None:
            db.execute(schema.tables.insert(), row)
            db.execute(schema.seats.insert(), [{"table_id": table.id, **_seat_row(seat)} for seat in table.seats])
            if given:
                db.execute(schema.answers.insert(), given)
            _visited(db, table.id, over=False)

        await self.database.write(work)

    async def load(self, table: str) -> StoredTable | None:
        return await self.database.read(lambda db: _load(db, table))

    async def start(self, table: str, epoch: int, setup: bytes, waiting: str) -> None:
        values = {"setup": setup, "started": 1, "waiting": waiting, "moved": int(time.time()), "listed": 0}
        await self.database.write(lambda db: _hold(db, table, epoch, **values))

    async def change(self, table: str, epoch: int, **values: Any) -> None:
        """Change what is kept of the table itself."""
        await self.database.write(lambda db: _hold(db, table, epoch, **values))

    async def seat(self, table: str, side: int, **values: Any) -> None:
        here = (schema.seats.c.table_id == table) & (schema.seats.c.side == side)
        row = {name: int(value) if isinstance(value, bool) else value for name, value in values.items()}
        await self.database.change(schema.seats.update().where(here).values(**row))

    async def answer(self, table: str, epoch: int, n: int, answer: StoredAnswer, waiting: str, **values: Any) -> None:
        """Keep the answer number `n`; that number must be free, so two histories can never be mixed."""
        row = {"table_id": table, "n": n, "side": answer.side, "answer": answer.answer, "anew": answer.anew}

        def work(db: Connection) -> None:
            _hold(db, table, epoch, waiting=waiting, moved=int(time.time()), **values)
            db.execute(schema.answers.insert(), row)

        await self.database.write(work)

    async def rewind(self, table: str, epoch: int, count: int, waiting: str, takebacks: int) -> None:
        """Keep only the first `count` answers."""
        given, saved = schema.answers.c, schema.checkpoints.c

        def work(db: Connection) -> None:
            _hold(db, table, epoch, waiting=waiting, takebacks=takebacks)
            db.execute(schema.answers.delete().where((given.table_id == table) & (given.n >= count)))
            db.execute(schema.checkpoints.delete().where((saved.table_id == table) & (saved.n > count)))

        await self.database.write(work)

    async def checkpoint(self, table: str, epoch: int, n: int, data: bytes, summary: bytes) -> None:
        def work(db: Connection) -> None:
            _hold(db, table, epoch, summary=summary)
            db.execute(schema.checkpoints.delete().where(schema.checkpoints.c.table_id == table))
            db.execute(schema.checkpoints.insert().values(table_id=table, n=n, data=data))

        await self.database.write(work)

    async def say(self, table: str, said: StoredChat) -> None:
        await self.database.change(schema.chat.insert(), {"table_id": table, **msgspec.structs.asdict(said)})

    async def visit(self, table: str, over: bool) -> None:
        """Somebody has come to the table, or its battle has ended: it grows old from now on."""

        await self.database.write(lambda db: _visited(db, table, over))

    # -- growing old ---------------------------------------------------------------------------------------------

    async def age(self, elapsed: float, most: float) -> int:
        """Note that the server has run for `elapsed` seconds more; how old it is now, in seconds that it has run. What
        it stood still counts too, up to `most`: a clock that was set wrong, or right again, makes nothing old."""
        now = int(time.time())

        def work(db: Connection) -> int:
            kept = db.execute(sql.select(schema.ages).where(schema.ages.c.id == 1)).first()
            if kept is None:
                db.execute(schema.ages.insert().values(id=1, lived=0, at=now))
                return 0
            passed = max(int(elapsed), min(now - kept.at, int(most)))
            db.execute(schema.ages.update().values(lived=kept.lived + passed, at=now))
            return int(kept.lived + passed)

        return await self.database.write(work)

    async def old(self, finished: int | None, abandoned: int | None) -> list[str]:
        """Tables whose battle has ended and that nobody has visited since the age `finished`, and others since
        `abandoned`; None: none of them."""
        visits, tables = schema.visits, schema.tables
        over, lived = sql.func.coalesce(visits.c.over, 0), sql.func.coalesce(visits.c.lived, 0)
        limits = [(1, finished), (0, abandoned)]
        wanted = [(over == ended) & (lived < limit) for ended, limit in limits if limit is not None]
        look = (
            sql.select(tables.c.id)
            .outerjoin(visits, visits.c.table_id == tables.c.id)
            .where(sql.or_(sql.false(), *wanted))
            .order_by(tables.c.id)
        )
        return await self.database.read(lambda db: list(db.execute(look).scalars()))

    async def remove(self, doomed: Collection[str], but: Collection[str] = (), since: int | None = None) -> list[str]:
        """Remove tables with everything that belongs to them, except those in `but` and those visited since the age
        `since`; which ones went."""

        def work(db: Connection) -> list[str]:
            found = sorted(table for table in doomed if table not in but)
            if since is not None:
                fresh = sql.select(schema.visits.c.table_id).where(
                    schema.visits.c.table_id.in_(found), schema.visits.c.lived >= since
                )
                spared = set(db.execute(fresh).scalars())
                found = [table for table in found if table not in spared]
            for kept in schema.OF_A_TABLE:
                db.execute(kept.delete().where(kept.c.table_id.in_(found)))
            db.execute(schema.tables.delete().where(schema.tables.c.id.in_(found)))
            return found

        return await self.database.write(work)

    # -- looking -------------------------------------------------------------------------------------------------

    async def rows(self, *where: Any, most: int | None = None) -> list[dict[str, Any]]:
        """Tables as rows, the newest first: what can be told of them without their battles."""
        return await self.database.read(lambda db: list(listed(db, *where, most=most)))

    # -- replays -------------------------------------------------------------------------------------------------

    async def keep_replay(self, replay: str, record: bytes) -> None:
        replays = schema.replays

        def work(db: Connection) -> None:
            db.execute(replays.insert().values(id=replay, created=int(time.time()), record=record))
            old = sql.select(replays.c.id).order_by(replays.c.created.desc()).offset(REPLAYS_KEPT)
            gone = list(db.execute(old.limit(1000)).scalars())
            db.execute(replays.delete().where(replays.c.id.in_(gone)))

        await self.database.write(work)

    async def replay(self, replay: str) -> bytes | None:
        look = sql.select(schema.replays.c.record).where(schema.replays.c.id == replay)
        found = await self.database.read(lambda db: db.execute(look).scalar())
        return None if found is None else bytes(found)


def listed(db: Connection, *where: Any, most: int | None = None) -> Iterator[dict[str, Any]]:
    tables, seats, visits = schema.tables.c, schema.seats.c, schema.visits.c
    given = sql.func.coalesce(
        sql.select(sql.func.max(schema.answers.c.n) + 1)
        .where(schema.answers.c.table_id == tables.id)
        .scalar_subquery(),
        0,
    )
    columns = (tables.id, tables.created, tables.game, tables.started, tables.resigned, tables.stopped, tables.clock)
    look = (
        sql.select(
            *columns, tables.listed, tables.waiting, tables.moved, tables.summary, visits.over,
            visits.at.label("visited"), given.label("answers"),
        )
        .outerjoin(schema.visits, visits.table_id == tables.id)
        .where(*where)
        .order_by(tables.created.desc(), tables.id)
        .limit(most)
    )  # fmt: skip
    rows = [dict(row) for row in db.execute(look).mappings()]
    sitting: dict[str, list[Any]] = {}
    who = sql.select(schema.seats).where(seats.table_id.in_([row["id"] for row in rows])).order_by(seats.side)
    for seat in db.execute(who):
        sitting.setdefault(seat.table_id, []).append(seat)
    for row in rows:
        yield row | {"over": bool(row["over"]), "seats": sitting.get(row["id"], [])}


def _seat_row(seat: StoredSeat) -> dict[str, Any]:
    return msgspec.structs.asdict(seat) | {"withheld": int(seat.withheld), "noticed": int(seat.noticed)}


def _hold(db: Connection, table: str, epoch: int, **values: Any) -> None:
    """Change the table's row while its lease is ours. The row stays locked until the transaction ends, so whoever takes
    the lease over waits for it, and finds what was written."""
    here = (schema.tables.c.id == table) & (schema.tables.c.epoch == epoch)
    if db.execute(schema.tables.update().where(here).values(**values)).rowcount != 1:
        raise Fenced(table)


def _visited(db: Connection, table: str, over: bool) -> None:
    lived = db.execute(sql.select(schema.ages.c.lived)).scalar() or 0
    db.execute(schema.visits.delete().where(schema.visits.c.table_id == table))
    row = {"table_id": table, "at": int(time.time()), "over": int(over), "lived": lived}
    db.execute(schema.visits.insert().values(**row))


def _load(db: Connection, table: str) -> StoredTable | None:
    row = db.execute(sql.select(schema.tables).where(schema.tables.c.id == table)).mappings().first()
    if row is None:
        return None

    def mine(of: Table, order: Any) -> sql.Select[Any]:
        return sql.select(of).where(of.c.table_id == table).order_by(order)

    seats = [
        StoredSeat(**{name: _plain(name, one[name]) for name in StoredSeat.__struct_fields__})
        for one in db.execute(mine(schema.seats, schema.seats.c.side)).mappings()
    ]
    answers = [
        StoredAnswer(one.side, bytes(one.answer), one.anew)
        for one in db.execute(mine(schema.answers, schema.answers.c.n))
    ]
    saved = db.execute(sql.select(schema.checkpoints).where(schema.checkpoints.c.table_id == table)).first()
    chat = db.execute(mine(schema.chat, schema.chat.c.n.desc()).limit(CHAT_SHOWN)).all()
    over = db.execute(sql.select(schema.visits.c.over).where(schema.visits.c.table_id == table)).scalar()
    return StoredTable(
        **{name: _plain(name, row[name]) for name in _columns},
        seats=seats,
        answers=answers,
        checkpoint=(saved.n, bytes(saved.data)) if saved is not None else None,
        chat=[StoredChat(one.n, one.side, one.name, one.text, one.at) for one in reversed(chat)],
        over=bool(over),
    )


def _plain(name: str, value: Any) -> Any:
    if name in ("guide", "started", "listed", "withheld", "noticed"):
        return bool(value)
    return bytes(value) if isinstance(value, memoryview) else value
