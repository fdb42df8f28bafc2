"""Standing orders: answers that a player wants given for them, so that a battle over days is not a letter for every
reaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw

from umpire.server.problems import Problem

if TYPE_CHECKING:
    from umpire.server.table import Table

MOST = 100
"""So many answers are given in one go before somebody must look again."""


async def give(table: Table, side: int, orders: dict[str, Any]) -> None:
    """Keep a seat's orders, by the keys of the prompts they answer."""
    kept = msgspec.json.encode(orders)
    await table.store.seat(table.id, side, orders=kept)
    table.seats[side].orders = kept
    for connection in table.connections:
        if connection.side == side:
            connection.tell("orders", orders=Raw(kept))


def ordered(table: Table) -> tuple[int, bytes] | None:
    """What a standing order answers to an open question."""
    for side, prompt in zip(table.waiting, table.prompts, strict=False):
        seat = table.seats[side]
        if seat.orders and seat.kind == "person":
            found = msgspec.json.decode(seat.orders, type=dict[str, Raw]).get(prompt)
            if found is not None:
                return side, bytes(found)
    return None


async def follow(table: Table) -> None:
    """Give the answers that were ordered. What the rules refuse is asked after all."""
    for _ in range(MOST):
        async with table.lock:
            order = ordered(table)
            if order is None or table.over or table.gone:
                return
            side, answer = order
            try:
                result = await table.write(
                    "answer", side=side, n=len(table.answers), answer=answer, sides=table.sides(), anew=table.anew()
                )
                if "ruling" in result:
                    return
                await table.carried_out(side, result)
            except Problem:
                return
