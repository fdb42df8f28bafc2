"""Going back: an answer undone while nothing has come of it, and take-backs to which the other side agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from umpire.server.problems import forbidden

if TYPE_CHECKING:
    from umpire.server.table import Table


async def undo(table: Table, side: int, n: int) -> None:
    table.must_have_started()
    async with table.lock:
        result = await table.write("undo", side=side, n=n, sides=table.sides())
        await went_back(table, result)
    table.go_on()


async def went_back(table: Table, result: dict[str, Any]) -> None:
    """The battle stands where it stood before. Where dice had fallen since, others will fall."""
    takebacks = table.takebacks + bool(result["fell"])
    try:
        waiting = "".join(map(str, result["waiting"]))
        await table.store.rewind(table.id, table.epoch, result["answers"], waiting, takebacks)
    except Exception as error:
        await table.not_kept("going back", error)
    del table.answers[result["answers"] :]
    table.takebacks = takebacks
    table.history += 1
    table.takeback = None
    table.stand(result)
    table.timing.turn(table.waiting, None)
    table.tell_views("view", result["views"], table.connections)


async def ask(table: Table, side: int) -> None:
    table.must_have_started()
    async with table.lock:
        if table.over:
            raise forbidden("server.battle-over")
        count = await table.write("takeback", side=side)
        if all(seat.kind == "computer" for seat in table.seats if seat.side != side):
            await went_back(table, await table.write("rewind", count=count, sides=table.sides()))
        else:
            table.takeback = {"side": side, "answers": count}
            table.tell_table()
    table.go_on()


async def decide(table: Table, side: int, accept: bool) -> None:
    async with table.lock:
        if table.takeback is None:
            raise forbidden("server.nobody-asks-for-take-back")
        if not accept:  # the asker too may drop it
            table.takeback = None
            table.tell_table()
            return
        if table.takeback["side"] == side:
            raise forbidden("server.other-side-must-agree")
        count = table.takeback["answers"]
        await went_back(table, await table.write("rewind", count=count, sides=table.sides()))
    table.go_on()
