"""Everything a server is made of, and the chores that it does by itself."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec

from umpire.server import push as pushing
from umpire.server.cluster import Cluster, key
from umpire.server.database import Database
from umpire.server.limits import Buckets, Keep
from umpire.server.metrics import Metrics, resident
from umpire.server.net import Doorkeeper, NetLimits
from umpire.server.notices import Host, Notices
from umpire.server.people import People
from umpire.server.pool import Pool
from umpire.server.problems import Problem, problem
from umpire.server.seats import Outbox, Rates
from umpire.server.storage import Store
from umpire.server.table import Table
from umpire.server.tables import Tables

log = logging.getLogger("umpire.server")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """`local`: only this machine may ask; `addresses`: where others in the local network reach this server.
    `database`: another than the folder's own. `address`: where other processes find this one. `password`: wanted for
    making tables. `admin`: the host's own key. `lobby`: open seats are listed. `notices`: what can be sent to whom."""

    data: Path
    local: bool = True
    addresses: tuple[str, ...] = ()
    keep: Keep = Keep()
    rates: Rates = Rates()
    tables_a_second: float = 2.0
    tables_at_once: float = 200.0
    database: str = ""
    address: str = ""
    password: str = ""
    admin: str = ""
    lobby: bool = True
    notices: Host = Host()
    net: NetLimits = NetLimits()


def closing() -> Problem:
    return problem("closing", "server.server-closing-come-back-in", 503)


class Hall:
    def __init__(self, settings: Settings, pool: Pool, keeper: Doorkeeper) -> None:
        self.settings = settings
        self.pool = pool
        self.keeper = keeper
        self.metrics = Metrics()
        self.database = Database(settings.database) if settings.database else Database.in_folder(settings.data)
        self.store = Store(self.database)
        self.cluster = Cluster(self.database, settings.address)
        self.notices = Notices(self.database, settings.notices, self.metrics.count)
        self.people = People(self.database, settings.notices, self.notices)
        self.tables = Tables(self.store, pool, self, self.cluster, settings.data)
        self.costly = Buckets(settings.tables_a_second, settings.tables_at_once)
        self.cheap = Buckets(rate=20.0, burst=400.0)
        self.slow_words = Buckets(rate=0.2, burst=20.0)
        """Passphrases, and the host's key, that may be tried."""
        self.draining = False
        self.sockets = 0

    # -- what tables tell ----------------------------------------------------------------------------------------

    def turned(self, table: Table) -> None:
        self.notices.turned(table)

    def came(self, table: Table, side: int) -> None:
        self.notices.came(table, side)

    def counted(self, what: str, seconds: float = 0.0) -> None:
        self.metrics.count(what, seconds)

    # -- living --------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        await self.cluster.start()
        private = await key(self.database, "push", pushing.new_key())
        contact = self.settings.notices.address or "mailto:umpire@localhost"
        self.notices.push = pushing.Pusher(private, contact, self.settings.notices.webhooks == "inside")
        work = (
            self.tables.put_away(), self.tables.clear_out(self.settings.keep), self.tables.watch_clocks(),
            self.pool.warm(), self.cluster.live(), self.notices.send_all(),
        )  # fmt: skip
        chores = [asyncio.create_task(_lasting(chore)) for chore in work]
        try:
            yield
        finally:
            self.draining = True
            for chore in chores:
                chore.cancel()
            await self.tables.close()
            await self.cluster.stop()
            await self.pool.close()
            self.store.close()

    async def ready(self) -> bool:
        """May clients be sent here?"""
        if self.draining or not self.pool.holders[0].generation:
            return False
        try:
            async with asyncio.timeout(2.0):
                await self.cluster.others()
        except Exception:
            return False
        return True

    def figures(self) -> str:
        gauges: list[tuple[str, str, Any]] = [
            ("up_seconds", "", round(time.time() - self.metrics.started)),
            ("tables_open", "", len(self.tables.open)),
            ("sockets", "", self.sockets),
            ("outbox_bytes", "", Outbox.everywhere),
            ("storage_waiting", "", self.database.waiting),
            ("storage_commits", "", self.database.writes),
            ("sockets_turned_away", "", self.keeper.turned_away),
            ("requests_too_slow", "", self.keeper.too_slow),
            ("sockets_cut_for_frames", "", self.keeper.frames_cut),
            ("tables_taken_over", "", self.cluster.taken_over),
            ("draining", "", int(self.draining)),
            ("memory_bytes", f'{{process="server",pid="{os.getpid()}"}}', resident()),
        ]
        for worker in self.pool.workers:
            if worker.pid is not None:
                label = f'{{process="{worker.name}",pid="{worker.pid}"}}'
                gauges.append(("memory_bytes", label, resident(worker.pid)))
        for name in ("busy", "kills", "generation", "cold"):
            gauges += [
                (f"worker_{name}", f'{{worker="{worker.name}"}}', int(getattr(worker, name)))
                for worker in self.pool.workers
            ]
        return self.metrics.text(gauges)


async def _lasting(chore: Any) -> None:
    """A chore that fails is told, and does not take the server down."""
    try:
        await chore
    except asyncio.CancelledError:
        raise
    except Exception:
        log.exception("a chore failed")
