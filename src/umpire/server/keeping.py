"""Looking after kept tables without a server: `umpire tables`. It may run while one does."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from umpire.errors import UmpireError, fault
from umpire.server.database import Database
from umpire.server.serve import data_folder
from umpire.server.storage import Store
from umpire.text import say

T = TypeVar("T")


def _with(data: Path | None, database: str, work: Callable[[Store], Awaitable[T]]) -> T:
    folder = data or data_folder()
    if not database and not (folder / "tables.sqlite").is_file():
        raise fault("server.no-tables-are-kept-here", str(folder))
    store = Store(Database(database) if database else Database.in_folder(folder))

    async def run() -> T:
        return await work(store)

    with contextlib.closing(store):
        return asyncio.run(run())


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "table": row["id"],
        "game": row["game"],
        "created": _when(row["created"]),
        "moved": _when(row["moved"]),
        "visited": _when(row["visited"]),
        "answers": row["answers"],
        "started": bool(row["started"]),
        "over": row["over"],
        "stopped": msgspec.json.decode(row["stopped"]) if row["stopped"] else None,
        "waiting": [int(side) for side in row["waiting"]],
        "seats": [
            {"side": seat.side, "kind": seat.kind, "name": seat.name, "level": seat.level} for seat in row["seats"]
        ],
    }


def _when(seconds: int | None) -> str | None:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else None


def listed(data: Path | None, database: str, most: int) -> list[dict[str, Any]]:
    return [_row(row) for row in _with(data, database, lambda store: store.rows(most=most))]


def line(row: dict[str, Any], lang: str) -> str:
    standing = "over" if row["over"] else "stopped" if row["stopped"] else "on" if row["started"] else "waiting"
    stands = say(f"server.standing.{standing}", lang, "server")
    names = " – ".join(seat["name"] or seat["kind"] for seat in row["seats"])
    what = f"{row['table']:<16} {row['game']:<9} {row['created'][:16]}  {row['answers']:>5}"
    return f"{what}  {stands:<10} {names}"


def shown(data: Path | None, database: str, table: str) -> dict[str, Any]:
    from umpire.server import schema

    found = _with(data, database, lambda store: store.rows(schema.tables.c.id == table))
    if not found:
        raise _none(table)
    return _row(found[0])


def removed(data: Path | None, database: str, tables: Sequence[str]) -> list[str]:
    async def work(store: Store) -> list[str]:
        there = {row["id"] for row in await store.rows()}
        for table in tables:
            if table not in there:
                raise _none(table)
        return await store.remove(tables)

    return _with(data, database, work)


def exported(data: Path | None, database: str, table: str) -> str:
    kept = _with(data, database, lambda store: store.load(table))
    if kept is None:
        raise _none(table)
    from umpire.server.places import restored

    answers = [(one.side, one.answer, one.anew) for one in kept.answers]
    battle, stuck = restored(kept.setup, kept.checkpoint[1] if kept.checkpoint else None, answers)
    if stuck is not None:
        raise fault("error.said", table, said=stuck)
    return battle.record


def _none(table: str) -> UmpireError:
    return fault("server.there-no-such-table", table)
