"""The clock of one table as it runs: counted when somebody looks, kept now and then, and what happens when it falls."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from umpire.server.clocks import Clock
from umpire.server.storage import Fenced

if TYPE_CHECKING:
    from umpire.server.table import Table


class Timing:
    def __init__(self, table: Table, kept: bytes | None) -> None:
        self._table = table
        self.clock = msgspec.json.decode(kept, type=Clock) if kept else None
        self._ran = time.monotonic()  # until when the clock's time has been counted

    @property
    def ticks(self) -> bool:
        """Does somebody's time run?"""
        return self.clock is not None and bool(self.clock.asked) and not self._table.over

    @property
    def lost(self) -> bool:
        """Was the battle lost by it?"""
        return self.clock is not None and self.clock.lost is not None

    def run(self) -> None:
        """Count the time that has passed."""
        now = time.monotonic()
        if self.clock is not None:
            self.clock.run(now - self._ran)
        self._ran = now

    def turn(self, waiting: list[int], answered: int | None) -> dict[str, bytes]:
        """Others are asked now: what is to be kept of the clock."""
        self.run()
        if self.clock is None:
            return {}
        people = [side for side in waiting if self._table.seats[side].kind != "computer"]
        self.clock.turn(people, answered)
        return {"clock": msgspec.json.encode(self.clock)}

    async def keep(self) -> None:
        self.run()
        table = self._table
        if self.clock is not None and not table.gone:
            try:
                await table.store.change(table.id, table.epoch, clock=msgspec.json.encode(self.clock))
            except Fenced:
                table.spawn(table.close())

    async def look(self) -> None:
        """Has somebody's time run out?"""
        self.run()
        clock, table = self.clock, self._table
        if clock is None or table.over or table.stopped or table.lock.locked():
            return
        for side in clock.over():
            if clock.rules.falls == "lose":
                clock.lost = side
                await table.end(-1 if clock.rules.kind == "battle" else side, "clock")
                return
            if side not in clock.fell:
                clock.fell.append(side)
                table.tell_table()
                table.watcher.turned(table)
        if clock.rules.falls == "computer":
            table.opponents.wake()

    def plays_for(self, side: int) -> bool:
        """Does the computer answer for this side, because its time is over?"""
        return self.clock is not None and self.clock.rules.falls == "computer" and side in self.clock.over()

    def fell(self, side: int) -> bool:
        return self.clock is not None and side in self.clock.fell
