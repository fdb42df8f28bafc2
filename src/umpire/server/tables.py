"""All tables: made, found again after a restart, put away when nobody is there."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from typing import Any

import msgspec
from msgspec import Raw

from umpire.engine.dice import commit
from umpire.server.limits import DAY, Keep
from umpire.server.messages import Fork, NewTable, Seat
from umpire.server.pool import Pool
from umpire.server.problems import Problem, no_table
from umpire.server.seats import hashed, new_token
from umpire.server.storage import Store, StoredSeat, StoredTable
from umpire.server.table import Table

PUT_AWAY_AFTER = 900.0


class Tables:
    def __init__(self, store: Store, pool: Pool) -> None:
        self.store = store
        self.pool = pool
        self._open: dict[str, Table] = {}
        self._menu: bytes | None = None
        self._names: dict[str, Raw] = {}

    async def create(self, wish: NewTable) -> dict[str, Any]:
        """A new table from what somebody wishes; whatever the game refuses is told."""
        prepared = await self.pool.call(
            "prepare",
            game=wish.game,
            seed=secrets.randbits(62) if wish.seed is None else wish.seed,
            scenario=wish.scenario,
            options=wish.options,
            armies=[seat.army for seat in wish.seats],
            dice=wish.dice,
            without=wish.without,
        )
        armies: list[bytes] = prepared["armies"]
        return await self._seat(
            StoredTable(
                id=self.pool.name_table(),
                created=int(time.time()),
                game=wish.game,
                setup=prepared["setup"],
                secret=secrets.token_hex(16),
                watch="",
                guide=wish.guide,
                started=False,
                resigned=None,
                seats=[],
            ),
            wish.seats,
            armies,
        )

    async def fork(self, replay: dict[str, Any], wish: Fork) -> dict[str, Any]:
        """A new table in the middle of a recorded battle, with the dice of that record: nothing to commit to."""
        seats = [
            Seat(kind="person") if side == wish.side else Seat(kind="computer", level=wish.level) for side in (0, 1)
        ]
        return await self._seat(
            StoredTable(
                id=self.pool.name_table(),
                created=int(time.time()),
                game=replay["game"],
                setup=replay["setup"],
                secret="",
                watch="",
                guide=False,
                started=True,
                resigned=None,
                seats=[],
                answers=replay["answers"],
            ),
            seats,
            replay["armies"],
        )

    async def _seat(self, table: StoredTable, seats: list[Seat], armies: list[bytes]) -> dict[str, Any]:
        """Give out the links, keep only their hashes."""
        links = []
        for side, (seat, army) in enumerate(zip(seats, armies, strict=True)):
            token = None
            if seat.kind != "computer":
                token = new_token()
                links.append({"side": side, "token": token})
            table.seats.append(
                StoredSeat(
                    side=side,
                    kind=seat.kind,
                    token=hashed(token) if token is not None else None,
                    name=seat.name or "",
                    level=(seat.level or "normal") if seat.kind == "computer" else None,
                    army=army,
                )
            )
        watch = new_token()
        table.watch = hashed(watch)
        await self.store.create(table)
        return {
            "table": table.id,
            "links": links,
            "watch": watch,
            "commitment": commit(table.secret) if table.secret else "",
        }

    async def find(self, table: str) -> Table:
        """The one table of that id: of several who look for it at once, all get what the first has found."""
        if table not in self._open:
            kept = await self.store.load(table)
            if kept is None:
                raise no_table()
            names = await self._name(kept.game, table)
            self._open.setdefault(table, Table(kept, names, self.store, self.pool))
        return self._open[table]

    async def games(self) -> bytes:
        """The games and their menus, as JSON."""
        if self._menu is None:
            self._menu = await self.pool.call("games")
        return self._menu

    async def _name(self, game: str, table: str) -> Raw:
        """What a game is called, as JSON; the worker that will hold the table tells it."""
        if game not in self._names:
            self._names[game] = Raw(await self.pool.holder(table).insist("names", game=game))
        return self._names[game]

    async def summary(self, key: str) -> dict[str, Any]:
        """What anybody may know of a table."""
        table = await self.find(key)
        more: dict[str, Any] = {"scenario": None, "track": [], "outcome": None}
        if table.started:
            more = msgspec.json.decode(await table.read("summary"), type=dict[str, Raw])
        info = msgspec.json.decode(table.info(), type=dict[str, Raw])
        return {
            "table": key,
            **{name: info[name] for name in ("game", "names", "seats", "over", "started", "fairness")},
            "answers": len(table.answers),
            **more,
        }

    async def put_away(self) -> None:
        """Forget tables that nobody has sat at for a while; they are found again when somebody comes."""
        while True:
            await asyncio.sleep(PUT_AWAY_AFTER / 10)
            long_ago = time.monotonic() - PUT_AWAY_AFTER
            for table in list(self._open.values()):
                if not table.connections and table.idle_since < long_ago and not table.lock.locked():
                    del self._open[table.id]
                    await table.close()
                    with contextlib.suppress(Problem):
                        await self.pool.holder(table.id).insist("forget", table=table.id)

    async def clear_out(self, keep: Keep) -> None:
        """Remove, now and every day, what has been kept for long enough; never a table that somebody sits at."""
        while True:
            removed = await self.store.clear(keep.until(keep.finished), keep.until(keep.abandoned), self._open.keys())
            for key in removed:
                if key in self._open:  # somebody came while it went
                    await self._open.pop(key).close()
            await asyncio.sleep(DAY)

    async def close(self) -> None:
        for table in self._open.values():
            await table.close()
