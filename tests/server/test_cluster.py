"""Three server processes on one PostgreSQL: any of them takes any connection, and one that is killed is not missed."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from server.house import House, Player, house, step
from umpire.server.cluster import Cluster, Elsewhere, key
from umpire.server.database import Database
from umpire.server.problems import Problem
from umpire.server.schema import StoredAnswer
from umpire.server.storage import Fenced, Store


@pytest.fixture
def three(tmp_path: Path, postgresql: str) -> Iterator[list[House]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(house(tmp_path / str(n), database=postgresql, modules=("tiny",))) for n in range(3)]


def seated(at: House, made: dict[str, Any], side: int, seconds: float = 10.0) -> Player:
    """Sit down, coming again as a browser does."""
    end = time.monotonic() + seconds
    while True:
        try:
            player = at.sit(made, side)
            player.begun()
            return player
        except (WebSocketException, OSError, EOFError):
            assert time.monotonic() < end
            time.sleep(0.2)


def test_a_killed_process_is_not_missed(three: list[House]) -> None:
    """Both players come to other processes than the one that holds their table, which is then killed."""
    holder, *others = three
    made = holder.table("person", "person", seed=1, options={"rounds": 30})
    players = [seated(at, made, side) for side, at in enumerate(others)]
    for _ in range(20):
        step(players)
    assert "umpire_relayed_total 1" in others[0].get("/metrics").text
    seen = [e for m in players[0].heard if m["type"] in ("view", "update") for e in m["view"]["events"]]
    assert others[0].get(f"/api/tables/{made['table']}").json()["answers"] == 20, "asked of the process that has it"
    holder.kill()
    killed = time.monotonic()
    again = [seated(at, made, side) for side, at in enumerate(others)]
    assert again[0].view["answers"] >= 20, "no acknowledged answer is lost"
    assert again[0].view["events"][: len(seen)] == seen, "and none doubled"
    for _ in range(5):
        step(again)
    assert time.monotonic() - killed < 15  # within 5 on a machine of its own: bench/server.py


def test_a_table_moves_when_its_process_is_told_to_end(three: list[House]) -> None:
    holder, other, _ = three
    made = holder.table("person", "person", seed=1)
    first = seated(holder, made, 0)
    holder.process.send_signal(signal.SIGTERM)
    with pytest.raises(WebSocketException):
        first.until("the end")
    again = seated(other, made, 0)
    assert again.answer("1")["type"] == "update"
    holder.process.wait(20)
    assert not any("Traceback" in line for line in holder.said), holder.said


def test_a_lease_is_one_process_s_and_a_late_writer_is_fenced(postgresql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from server.test_parts import kept

    async def scene() -> None:
        databases = [Database(postgresql), Database(postgresql)]
        one, two = (Cluster(database, f"http://{n}") for n, database in enumerate(databases))
        store, late = Store(databases[1]), Store(databases[0])
        for cluster in (one, two):
            await cluster.start()
        assert one.secret == two.secret != ""
        await store.create(kept())
        epoch = await one.claim("t")
        assert await one.claim("t") == epoch
        with pytest.raises(Elsewhere) as elsewhere:
            await two.claim("t")
        assert elsewhere.value.address == "http://0"
        with pytest.raises(Problem):
            await two.claim("none")
        await late.answer("t", epoch, 0, StoredAnswer(0, b"1"), "1")
        monkeypatch.setattr("umpire.server.cluster.LEASE", -1.0)  # the first has fallen silent
        assert await two.claim("t") == epoch + 1
        with pytest.raises(Fenced):
            await late.answer("t", epoch, 1, StoredAnswer(1, b"2"), "0")
        await store.answer("t", epoch + 1, 1, StoredAnswer(1, b"3"), "0")
        table = await store.load("t")
        assert table is not None
        assert [answer.answer for answer in table.answers] == [b"1", b"3"]
        await two.release(["t"])
        monkeypatch.undo()
        assert await one.claim("t") == epoch + 2
        await two.stop()
        assert await one.others() == 1
        for database in databases:
            database.close()

    asyncio.run(scene())


def test_a_key_is_made_once(database: Callable[[], Database]) -> None:
    async def scene() -> list[str]:
        opened = database()
        found = [await key(opened, "push", word) for word in ("a", "b")]
        opened.close()
        return found

    assert asyncio.run(scene()) == ["a", "a"]
