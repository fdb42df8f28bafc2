"""The computers at a table: when they play, how they are asked, and what happens when they fail."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from typing import TYPE_CHECKING, Any

from umpire.server.pool import Pool, Worker
from umpire.server.problems import NotHere, Problem, internal
from umpire.server.schema import StoredSeat

if TYPE_CHECKING:
    from umpire.server.table import Table

log = logging.getLogger("umpire.server")

SECONDS = {"easy": 0.3, "normal": 1.0, "hard": 3.0}
"""The time of a computer for one answer."""
TRIES = 5
SLACK = 0.5
"""So many seconds beyond its time may a computer take for being told, for waiting its turn, for its answer's way."""
GIVEN_UP = 0.5
"""After so many more nobody waits for it."""
HANGS = 4.0
"""After so many seconds beyond its time a thinking process is taken for hung."""
WATCHED_PACE = 0.6
"""Seconds between the answers of two computers, so that people can follow."""


class Opponents:
    """The computer seats of one table. They think in processes of their own, and play under the table's lock."""

    def __init__(self, table: Table, pool: Pool) -> None:
        self._table = table
        self._pool = pool
        self._playing: asyncio.Task[None] | None = None
        self._told: dict[Worker, tuple[int, int, int]] = {}

    def _asked(self) -> StoredSeat | None:
        table = self._table
        if not table.started or table.over or table.stopped or table.gone:
            return None
        return next((table.seats[side] for side in table.waiting if table.plays(side)), None)

    def wake(self) -> None:
        """Let the computers play if it is their turn."""
        if (self._playing is None or self._playing.done()) and self._asked() is not None:
            self._playing = asyncio.create_task(self._play_on())

    def stop(self) -> None:
        if self._playing is not None:
            self._playing.cancel()

    async def _play_on(self) -> None:
        table = self._table
        tries = 0
        alone = all(seat.kind == "computer" for seat in table.seats)
        # Nobody looks on: it can wait, unless it plays for somebody who is late. Whoever comes back wakes it.
        while (seat := self._asked()) is not None and (table.connections or seat.kind != "computer"):
            if alone:
                await asyncio.sleep(WATCHED_PACE)
            try:
                await self._play(seat, tries)
                tries = 0
            except Problem as problem:
                tries += 1
                log.warning("table %s: the computer's answer failed: %s", table.id, problem)
                if tries >= TRIES:
                    for connection in table.connections:
                        connection.refuse(problem)
                    return
            except Exception:
                log.exception("table %s: the computer failed", table.id)
                return
            if table.stopped:
                return

    async def _play(self, seat: StoredSeat, tries: int) -> None:
        table, side = self._table, seat.side
        history, n = table.history, len(table.answers)
        thought = None
        if tries == 0 and not self._pool.thinker(table.id).cold:
            try:
                thought = await self.think(side, seat.level or "normal")
            except Problem:
                thought = None  # it thought too long or failed: any legal answer, then
        async with table.lock:
            if table.history != history or self._asked() is not seat:
                return
            result: dict[str, Any] = {"ruling": None}
            if thought is not None:
                answer = thought["answer"]
                try:
                    result = await table.write(
                        "answer", side=side, n=n, answer=answer, sides=table.sides(), anew=table.anew()
                    )
                except Problem as problem:
                    if problem.code == "stale":  # it thought about another question
                        return
                    raise
            if "ruling" in result:
                result = await table.write("auto", side=side, turn=tries, sides=table.sides(), anew=table.anew())
            await table.carried_out(side, result)
        table.go_on()

    async def think(self, side: int, level: str, patient: bool = False) -> dict[str, Any]:
        """Ask a thinking process. A table waits no longer for its computer because others think too: the busier they
        are, the less time each thought gets, and what has not been thought in time is given up, unless whoever has
        asked is `patient`."""
        table = self._table
        worker = self._pool.thinker(table.id)
        await worker.know(table.game)
        until = math.inf if worker.cold else time.monotonic() + SECONDS[level] + SLACK
        budget = SECONDS[level] / (1 + worker.busy)
        known = self._told.pop(worker, None)
        follows = known is not None and known[:2] == (worker.generation, table.history)
        since = known[2] if known is not None and follows else None
        for start in dict.fromkeys((since, None)):
            async with table.lock:
                history, answers = table.history, table.answers[:]
                saved = await table.write("save") if start is None else None
            told: Any = answers[start:]
            if saved is not None:
                told = {"setup": table.setup, "save": saved["data"], "answers": answers}
            thinking = asyncio.create_task(
                worker.call(
                    "think", SECONDS[level] + HANGS,
                    table=table.id, side=side, level=level, budget=budget, until=until, since=start or 0, told=told,
                )
            )  # fmt: skip
            thinking.add_done_callback(lambda task: task.cancelled() or task.exception())
            # Whoever gives a thought up leaves it to the worker's own limit whether the process must go too.
            left = until + GIVEN_UP - time.monotonic()
            await asyncio.wait({thinking}, timeout=None if patient else left)
            if not thinking.done():
                break
            try:
                thought: dict[str, Any] = thinking.result()
            except NotHere:
                continue
            self._told[worker] = worker.generation, history, len(answers)
            return thought
        raise internal()
