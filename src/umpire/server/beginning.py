"""Before a battle: who has come, what each adds to the dice, and how it begins.

Whoever sits down commits to their luck by its hash; once everybody has come they tell it, and nobody could have chosen
theirs to fit another's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from umpire.engine.dice import commit
from umpire.server.problems import NotHere, forbidden, internal

if TYPE_CHECKING:
    from umpire.server.seats import Connection
    from umpire.server.table import Table


class Beginning:
    def __init__(self, table: Table) -> None:
        self._table = table

    def complete(self, seated: bool = True) -> bool:
        """Has everybody come? A watcher alone starts only what two computers play."""
        kinds = [seat.kind for seat in self._table.seats]
        return "open" not in kinds and (seated or all(kind == "computer" for kind in kinds))

    def owing(self) -> list[int]:
        """Who has committed to luck and is to tell it now, since everybody has come."""
        if self._table.started or not self.complete():
            return []
        return [seat.side for seat in self._table.seats if seat.hash and not seat.luck and not seat.withheld]

    async def came(self, connection: Connection, hashed: str) -> None:
        """Somebody sits down or looks on: the battle begins with the last of them. The lock is held."""
        table = self._table
        seat = table.seats[connection.side] if connection.side is not None else None
        if seat is not None:
            kind = "person" if seat.kind == "open" else seat.kind
            # Who comes back from elsewhere may commit anew, until anybody's luck has been told; another window may not.
            late = any(one.luck or one.withheld for one in table.seats)
            others = any(one.side == seat.side for one in table.connections if one is not connection)
            committed = seat.hash if late or (others and seat.hash) else hashed or seat.hash
            await table.store.seat(table.id, seat.side, kind=kind, hash=committed)
            seat.kind, seat.hash = kind, committed
        if self.complete(seat is not None) and not self.owing():
            await self._begin()
        else:
            await self._show_before(connection)

    async def tell_luck(self, side: int, luck: str | None) -> None:
        """A player tells the luck they have committed to, or that they cannot."""
        table = self._table
        async with table.lock:
            seat = table.seats[side]
            if luck is not None and luck == seat.luck:
                return  # another window has told it already
            if side not in self.owing():
                raise forbidden("server.no-luck-wanted-now")
            if luck is not None and commit(luck) != seat.hash:
                raise forbidden("server.not-luck-that-you-have")
            await table.store.seat(table.id, side, luck=luck or "", withheld=luck is None)
            seat.luck, seat.withheld = luck or "", luck is None
            if not self.owing():
                await self._begin()
            table.tell_table()
        table.go_on()

    async def _show_before(self, connection: Connection) -> None:
        table = self._table
        absent = [one.side for one in table.seats if one.kind == "open"] or self.owing()
        before = await self._asked("preview", setup=table.setup, side=connection.side, waiting=absent)
        table.tell_views("view", [(connection.side, before)], [connection])

    async def _begin(self) -> None:
        """Everybody has come, and has added to the dice: the battle begins. The lock is held."""
        table = self._table
        result = await self._asked(
            "begin",
            setup=table.setup,
            secret=table.secret,
            luck=[seat.luck for seat in table.seats],
            hashes=[seat.hash or (commit(seat.luck) if seat.luck else "") for seat in table.seats],
            withheld=[seat.side for seat in table.seats if seat.withheld],
            sides=table.sides(),
        )
        waiting = "".join(map(str, result["waiting"]))
        await table.store.start(table.id, table.epoch, result["setup"], waiting)
        table.setup = result["setup"]
        table.started = True
        table.stand(result)
        if table.timing.turn(table.waiting, None):
            table.spawn(table.timing.keep())
        table.tell_views("view", result["views"], table.connections)
        table.watcher.counted("battles_begun")

    async def _asked(self, operation: str, **arguments: Any) -> Any:
        """Ask the worker what needs no battle on its desk yet: a table that has moved to another asks once more."""
        for _ in range(2):
            try:
                return await self._table.ask(operation, **arguments)
            except NotHere:
                continue
        raise internal()
