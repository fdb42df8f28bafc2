"""What connections say to their table: each message is carried out, or refused with a Problem."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw

from umpire.server import messages as said
from umpire.server import orders, takebacks
from umpire.server.problems import Problem, forbidden, too_fast
from umpire.server.schema import StoredChat
from umpire.server.seats import Connection, chat_wire, tidy
from umpire.server.storage import CHAT_SHOWN

if TYPE_CHECKING:
    from umpire.server.table import Table


async def hear(table: Table, connection: Connection, message: said.Message) -> None:
    """Carry out one message; raises the Problem that refuses it."""
    side = connection.side
    match message:
        case said.Answer():
            await table.finish(table.answer(connection, _seat(side), message))
        case said.Check() | said.Reach() | said.Suggest() | said.Ahead():
            await look(table, connection, _seat(side), message)
        case said.Hint():
            await table.read("suggest", side=_seat(side), n=message.n)  # refuses who is not asked
            if connection.hinting:
                raise too_fast()
            connection.hinting = True
            table.spawn(hint(table, connection, _seat(side), message.id))
        case said.Measure():
            start, end = msgspec.to_builtins([message.start, message.end])
            measured = await table.read("measure", side=side, start=start, end=end)
            connection.send(b'{"type":"measured","id":%d,%s' % (message.id, measured[1:]))
        case said.Luck():
            await table.finish(table.beginning.tell_luck(_seat(side), message.luck))
        case said.Undo():
            await table.finish(takebacks.undo(table, _seat(side), message.n))
        case said.Takeback(accept=None):
            await table.finish(takebacks.ask(table, _seat(side)))
        case said.Takeback():
            await table.finish(takebacks.decide(table, _seat(side), bool(message.accept)))
        case said.Resign():
            await table.finish(table.end(_seat(side)))
        case said.Chat():
            await say(table, connection, message.text)
        case said.Orders():
            await table.finish(orders.give(table, _seat(side), message.orders))
            table.go_on()
        case said.Rename():
            seat = table.seats[_seat(side)]
            name = tidy(message.name)
            await table.store.seat(table.id, seat.side, name=name)
            seat.name = name
            table.tell_table()


async def look(table: Table, connection: Connection, side: int, message: said.About) -> None:
    asked: dict[str, Any] = {"side": side, "n": message.n}
    match message:
        case said.Check():
            first = [bytes(answer) for answer in message.first]
            ruling = await table.read("check", answer=bytes(message.answer), first=first, **asked)
            connection.tell("ruling", id=message.id, ruling=Raw(ruling))
        case said.Reach():
            connection.tell("reach", id=message.id, regions=Raw(await table.read("reach", **asked)))
        case said.Suggest():
            connection.tell("suggestion", id=message.id, answer=Raw(await table.read("suggest", **asked)))
        case said.Ahead():
            connection.tell("ahead", id=message.id, ahead=Raw(await table.read("ahead", **asked)))


async def hint(table: Table, connection: Connection, side: int, number: int) -> None:
    """While the computer thinks about it, the player may go on."""
    try:
        thought = await table.opponents.think(side, "normal", patient=True)
        connection.tell("hint", id=number, answer=Raw(thought["answer"]), text=thought["text"])
    except Problem as problem:
        connection.refuse(problem, number)
    finally:
        connection.hinting = False


async def say(table: Table, connection: Connection, text: str) -> None:
    if not connection.chat.take():
        raise too_fast()
    async with table.lock:
        seat = table.seats[connection.side] if connection.side is not None else None
        line = StoredChat(
            n=table.chat[-1].n + 1 if table.chat else 0,
            side=connection.side,
            name=seat.name if seat is not None else "",
            text=tidy(text),
            at=int(time.time()),
        )
        await table.store.say(table.id, line)
        table.chat = [*table.chat, line][-CHAT_SHOWN:]
        for other in table.connections:
            other.tell("chat", **chat_wire(line))


def _seat(side: int | None) -> int:
    if side is None:
        raise forbidden("server.somebody-who-watches-cannot-do")
    return side
