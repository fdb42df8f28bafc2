"""All tables: made, found again after a restart, put away when nobody is there."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw

from umpire.engine.dice import commit
from umpire.server import menus, schema
from umpire.server.clocks import Clock
from umpire.server.cluster import Cluster, Elsewhere
from umpire.server.limits import DAY, Keep
from umpire.server.messages import Fork, NewTable, Seat
from umpire.server.pool import Pool
from umpire.server.problems import NotHere, Problem, Slow, forbidden, internal, no_table, too_slow, unauthorised
from umpire.server.schema import StoredAnswer, StoredSeat, StoredTable
from umpire.server.seats import hashed, new_token, opens, tidy
from umpire.server.storage import BATCH, Store
from umpire.server.table import Table, Watcher

log = logging.getLogger("umpire.server")

PUT_AWAY_AFTER = 900.0
CLEARED_EVERY = 3600.0
KEPT_EVERY = 30.0
"""After so many seconds a running clock is noted, so that a crash costs nobody more."""
ADOPTED_EVERY = 2.0
NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")


class Tables:
    def __init__(
        self, store: Store, pool: Pool, watcher: Watcher, cluster: Cluster, folder: Path | None = None
    ) -> None:
        self._folder = folder
        self.store = store
        self.pool = pool
        self.watcher = watcher
        self.cluster = cluster
        self.open: dict[str, Table] = {}
        self._looking: dict[str, asyncio.Task[Table]] = {}
        self._menu: bytes | None = None
        self._names: dict[str, Raw] = {}

    # -- making --------------------------------------------------------------------------------------------------

    async def create(self, wish: NewTable) -> dict[str, Any]:
        """A new table from what somebody wishes; whatever the game refuses is told."""
        try:
            prepared = await self.pool.make(
                "prepare",
                game=wish.game,
                seed=secrets.randbits(62) if wish.seed is None else wish.seed,
                scenario=wish.scenario,
                options=wish.options,
                armies=[seat.army for seat in wish.seats],
                dice=wish.dice,
                without=wish.without,
            )
        except Slow:
            raise too_slow() from None
        armies: list[bytes] = prepared["armies"]
        table = StoredTable(
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
            clock=msgspec.json.encode(Clock.new(wish.clock)) if wish.clock else None,
            listed=wish.listed and sum(seat.kind == "open" for seat in wish.seats) == 1,
        )
        return await self._seat(table, wish.seats, armies)

    async def fork(self, replay: dict[str, Any], wish: Fork) -> dict[str, Any]:
        """A new table in the middle of a recorded battle, with the dice of that record: nothing to commit to."""
        seats = [
            Seat(kind="person") if side == wish.side else Seat(kind="computer", level=wish.level) for side in (0, 1)
        ]
        return await self.take_up(replay, seats)

    async def take_up(self, replay: dict[str, Any], seats: list[Seat]) -> dict[str, Any]:
        """A new table that goes on where something stands, with these seats."""
        table = StoredTable(
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
            answers=[StoredAnswer(*one) for one in replay["answers"]],
        )
        return await self._seat(table, seats, replay["armies"])

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
                    name=tidy(seat.name or ""),
                    level=(seat.level or "normal") if seat.kind == "computer" else None,
                    army=army,
                )
            )
        watch = new_token()
        table.watch = hashed(watch)
        table.epoch = 1 if self.cluster.shared else 0
        await self.store.create(table, self.cluster.id)
        self.watcher.counted("tables_made")
        return {
            "table": table.id,
            "links": links,
            "watch": watch,
            "commitment": commit(table.secret) if table.secret else "",
        }

    async def take_seat(self, key: str) -> dict[str, Any]:
        """Somebody from the lobby takes the open seat of a listed table: its link is theirs from now on."""
        table = await self.find(key)
        async with table.lock:
            seat = next((seat for seat in table.seats if seat.kind == "open"), None)
            if seat is None or not table.listed or table.started:
                raise forbidden("server.seat-taken")
            token = new_token()
            await self.store.seat(key, seat.side, token=hashed(token))
            await self.store.change(key, table.epoch, listed=0)
            seat.token, table.listed = hashed(token), False
        return {"table": key, "links": [{"side": seat.side, "token": token}], "watch": "", "commitment": ""}

    # -- finding -------------------------------------------------------------------------------------------------

    async def find(self, table: str) -> Table:
        """The one table of that id: of several who look for it at once, all get what the first has found."""
        found = self.open.get(table)
        if found is not None and not found.gone:
            return found
        if not NAME.fullmatch(table):
            raise no_table()
        looking = self._looking.get(table)
        if looking is None:
            looking = self._looking[table] = asyncio.create_task(self._find(table))
            looking.add_done_callback(
                lambda task: (self._looking.pop(table, None), task.cancelled() or task.exception())
            )
        return await asyncio.shield(looking)

    async def _find(self, table: str) -> Table:
        epoch = await self.cluster.claim(table)
        kept = await self.store.load(table)
        if kept is None:
            raise no_table()
        if kept.epoch != epoch:
            raise internal()
        names = await self._name(kept.game)
        self.open[table] = Table(kept, names, self.store, self.pool, self.watcher)
        return self.open[table]

    async def games(self) -> bytes:
        """The games and their menus, as JSON."""
        if self._menu is None:
            # Games that came with this very process are not told by any file.
            folder = self._folder if not self.pool.modules else None
            menu = await asyncio.to_thread(menus.kept, folder) if folder else None
            if menu is None:
                menu = await self.pool.make("games", share=0.0)
                if folder:
                    await asyncio.to_thread(menus.keep, folder, menu)
            self._menu = menu
        return self._menu

    async def _name(self, game: str) -> Raw:
        """What a game is called, as JSON."""
        if game not in self._names:
            self._names[game] = Raw(await self.pool.make("names", share=0.0, game=game))
        return self._names[game]

    async def summary(self, key: str) -> dict[str, Any]:
        """What anybody may know of a table."""
        table = await self.find(key)
        more: dict[str, Any] = {"scenario": None, "track": [], "outcome": None}
        if table.started:
            more = msgspec.json.decode(await table.read("summary"), type=dict[str, Raw])
        info = msgspec.json.decode(table.info(), type=dict[str, Raw])
        told = ("game", "names", "seats", "over", "started", "fairness", "clock", "stopped")
        return {"table": key, **{name: info[name] for name in told}, "answers": len(table.answers), **more}

    async def brief(self, row: dict[str, Any]) -> dict[str, Any]:
        """What can be told of a table without its battle."""
        summary = msgspec.json.decode(row["summary"], type=dict[str, Raw]) if row["summary"] else {}
        table = self.open.get(row["id"])
        held = {connection.side for connection in table.connections} if table else set()
        seats = [
            {
                **{name: getattr(seat, name) for name in ("side", "kind", "name", "level")},
                "army": Raw(bytes(seat.army)),
                "connected": seat.side in held,
            }
            for seat in row["seats"]
        ]
        clock = msgspec.json.decode(row["clock"], type=Clock) if row["clock"] else None
        return {
            "table": row["id"],
            "game": row["game"],
            "names": await self._name(row["game"]),
            "created": row["created"],
            "moved": row["moved"],
            "visited": row["visited"],
            "answers": row["answers"],
            "started": bool(row["started"]),
            "over": row["over"],
            "stopped": row["stopped"] is not None,
            "waiting": [int(side) for side in row["waiting"]],
            "seats": seats,
            "clock": clock.wire() if clock else None,
            "scenario": summary.get("scenario"),
            "track": summary.get("track") or [],
            "outcome": summary.get("outcome"),
        }

    async def lobby(self) -> list[dict[str, Any]]:
        rows = await self.store.rows(schema.tables.c.listed == 1, schema.tables.c.started == 0, most=100)
        return [await self.brief(row) for row in rows]

    @staticmethod
    def side_of(kept: StoredTable, token: str) -> int | None:
        """Which side a token plays at a table; None: it watches."""
        for seat in kept.seats:
            if opens(token, seat.token):
                return seat.side
        if not opens(token, kept.watch):
            raise unauthorised()
        return None

    # -- chores --------------------------------------------------------------------------------------------------

    async def put_away(self) -> None:
        """Forget tables that nobody has sat at for a while; they are found again when somebody comes."""
        while True:
            await asyncio.sleep(PUT_AWAY_AFTER / 10)
            long_ago = time.monotonic() - PUT_AWAY_AFTER
            for table in list(self.open.values()):
                ticking = table.timing.ticks
                if not table.connections and not ticking and table.idle_since < long_ago and not table.lock.locked():
                    await self._put_away(table)

    async def _put_away(self, table: Table) -> None:
        self.open.pop(table.id, None)
        await table.close()
        await self.cluster.release([table.id])
        for worker in (self.pool.holder(table.id), self.pool.patient):
            if worker.generation:
                with contextlib.suppress(Problem):
                    await worker.insist("forget", table=table.id)

    async def watch_clocks(self) -> None:
        """Look every second whose time is up; note now and then how much is left; find tables whose clock should run
        and that nobody holds, after a restart or when another process has died."""
        noted = adopted = 0.0
        while True:
            now = time.monotonic()
            if now - adopted > ADOPTED_EVERY and (self.cluster.shared or not adopted):
                adopted = now
                for key in await self.cluster.orphans():
                    with contextlib.suppress(Problem, Elsewhere):
                        await self._adopt(key)
            ticking = [table for table in self.open.values() if table.timing.ticks]
            for table in ticking:
                with contextlib.suppress(Problem, NotHere):
                    await table.timing.look()
                if now - noted > KEPT_EVERY:
                    await table.timing.keep()
            if now - noted > KEPT_EVERY:
                noted = now
            for key in [table.id for table in self.open.values() if table.gone]:
                self.open.pop(key, None)
            await asyncio.sleep(1.0)

    async def _adopt(self, key: str) -> None:
        table = await self.find(key)
        async with table.lock:
            await table.load()
        table.go_on()

    async def clear_out(self, keep: Keep) -> None:
        """Remove, now and every hour, what has been kept for long enough."""
        noted = time.monotonic()
        while True:
            now = time.monotonic()
            await self.clear(keep, now - noted)
            noted = now
            await asyncio.sleep(CLEARED_EVERY)

    async def clear(self, keep: Keep, elapsed: float) -> None:
        """Remove what is old, now that the server has run for so many seconds more; never a table that somebody sits
        at. In small lots, so that nobody waits long, and each is told in the log."""
        age = await self.store.age(elapsed, DAY)
        finished, abandoned = keep.since(keep.finished, age), keep.since(keep.abandoned, age)
        old = await self.store.old(finished, abandoned)
        limits = [limit for limit in (finished, abandoned) if limit is not None]
        for start in range(0, len(old), BATCH):
            gone = await self.store.remove(old[start : start + BATCH], self.open.keys(), max(limits, default=None))
            if gone:
                log.info("removed %d tables that nobody came back to: %s", len(gone), " ".join(gone))
            await self.store.database.tidy()
            await asyncio.sleep(0.05)

    async def remove(self, keys: Collection[str]) -> list[str]:
        """Take tables away for good, whoever sits at them."""
        for key in keys:
            table = self.open.pop(key, None)
            if table is not None:
                await table.close()
        gone = await self.store.remove(list(keys))
        log.info("removed by the host: %s", " ".join(gone))
        return gone

    async def close(self) -> None:
        held = list(self.open)
        await asyncio.gather(*(table.close() for table in self.open.values()))
        await self.cluster.release(held)
