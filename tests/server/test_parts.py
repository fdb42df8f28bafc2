"""The server's parts on their own: storage, limits, who may ask, ports and folders."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sql
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from server.house import house
from umpire.engine.record import verify
from umpire.errors import UmpireError
from umpire.server import schema
from umpire.server.database import Database
from umpire.server.guard import Guard
from umpire.server.limits import DAY, Bucket, Buckets, Keep
from umpire.server.messages import Answer, Measure, Point, read_message
from umpire.server.problems import Problem
from umpire.server.schema import StoredAnswer, StoredChat, StoredSeat, StoredTable
from umpire.server.seats import hashed, new_token, opens
from umpire.server.serve import keep_to_ourselves, listen
from umpire.server.storage import Fenced, Store
from umpire.server.tables import Tables


def kept(key: str = "t") -> StoredTable:
    return StoredTable(
        id=key, created=1, game="tiny", setup=b"{}", secret="s", watch="w", guide=True, started=False, resigned=None,
        seats=[StoredSeat(side, "person", hashed(str(side)), army=b'{"zh":"a","en":"b"}') for side in (0, 1)],
    )  # fmt: skip


def given(n: int) -> StoredAnswer:
    return StoredAnswer(n % 2, b"%d" % n, n // 100)


def test_what_is_kept_comes_back(database: Callable[[], Database]) -> None:
    async def scene() -> None:
        store = Store(database())
        await store.create(kept())
        await asyncio.gather(*(store.answer("t", 0, n, given(n), "1") for n in range(300)))
        await store.checkpoint("t", 0, 250, b"early", b"{}")
        await store.checkpoint("t", 0, 290, b"late", b'{"track":[]}')
        await store.seat("t", 1, name="Ada", luck="x", withheld=True)
        await store.start("t", 0, b'{"a":1}', "01")
        await store.say("t", StoredChat(0, None, "", "hello", 5))
        await store.change("t", 0, resigned=1)
        with pytest.raises(Fenced):
            await store.change("t", 7, resigned=0)
        store.close()
        again = Store(database())
        table = await again.load("t")
        assert table is not None
        assert table.answers == [given(n) for n in range(300)]
        assert table.checkpoint == (290, b"late")
        assert table.seats[1] == msgspec.structs.replace(kept().seats[1], name="Ada", luck="x", withheld=True)
        assert (table.setup, table.started, table.guide, table.resigned) == (b'{"a":1}', True, True, 1)
        assert (table.waiting, table.summary) == ("01", b'{"track":[]}')
        assert [line.text for line in table.chat] == ["hello"]
        assert [(row["id"], row["answers"], len(row["seats"])) for row in await again.rows()] == [("t", 300, 2)]
        await again.rewind("t", 0, 289, "0", 1)
        table = await again.load("t")
        assert table is not None
        assert (len(table.answers), table.takebacks) == (289, 1)
        assert table.checkpoint is None, "a checkpoint of what was taken back is of no use"
        assert await again.load("other") is None
        again.close()

    asyncio.run(scene())


def test_a_table_is_found_once_even_if_a_first_look_failed() -> None:
    class Shelf:
        async def load(self, key: str) -> StoredTable:
            await asyncio.sleep(0)
            return kept(key)

    class Helpers:
        failures = 1

        async def insist(self, operation: str, game: str, share: float) -> bytes:
            await asyncio.sleep(0.01)
            if self.failures:
                self.failures -= 1
                raise Problem("internal", {})
            return b'{"zh":"a","en":"b"}'

        def holder(self, table: str) -> Helpers:
            return self

        make = insist

    class Alone:
        async def claim(self, table: str) -> int:
            return 0

    async def scene() -> list[object]:
        tables = Tables(Shelf(), Helpers(), None, Alone())  # type: ignore[arg-type]
        failed = await asyncio.gather(*(tables.find("t") for _ in range(3)), return_exceptions=True)
        assert all(isinstance(one, Problem) for one in failed)
        return [*await asyncio.gather(*(tables.find("t") for _ in range(2))), await tables.find("t")]

    found = asyncio.run(scene())
    assert len(found) == 3
    assert all(one is found[0] for one in found)


def test_one_bad_write_does_not_spoil_those_it_came_with(database: Callable[[], Database]) -> None:
    async def scene() -> None:
        store = Store(database())
        await store.create(kept())
        writes = [store.answer("t", 0, n, given(0), "0") for n in (0, 1, 1, 2)]
        results = await asyncio.gather(*writes, return_exceptions=True)
        assert [type(result) for result in results] == [type(None), type(None), sql.exc.IntegrityError, type(None)]
        table = await store.load("t")
        assert table is not None
        assert len(table.answers) == 3
        store.close()

    asyncio.run(scene())


def test_answers_are_flushed_at_every_commit(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    with database._engine.connect() as db:
        assert db.execute(sql.text("PRAGMA synchronous")).scalar() == 2
        assert db.execute(sql.text("PRAGMA journal_mode")).scalar() == "wal"
    database.close()


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_text("not a database, but long enough to be taken for one" * 50)
    with pytest.raises(UmpireError, match="cannot open"):
        Database.in_folder(tmp_path)


@pytest.mark.parametrize(
    "url", ["postgresql://u:hush@127.0.0.1:1/none", "nonsense://x", "nonsense", "sqlite:////no/such/x"]
)
def test_a_database_that_is_not_there_is_told_in_one_line(url: str) -> None:
    with pytest.raises(UmpireError, match="cannot open") as told:
        Database(url)
    assert "hush" not in str(told.value)
    assert "\n" not in str(told.value)


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    with database._engine.begin() as db:
        db.execute(sql.text("UPDATE format SET version = 99"))
    database.close()
    with pytest.raises(UmpireError, match="format 99"):
        Database.in_folder(tmp_path)


def test_replays_are_kept_within_bounds(database: Callable[[], Database], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpire.server.storage.REPLAYS_KEPT", 2)

    async def scene() -> list[bytes | None]:
        store = Store(database())
        for n in range(3):
            monkeypatch.setattr("umpire.server.storage.time.time", lambda n=n: n)
            await store.keep_replay(f"r{n}", b"%d" % n)
        found = [await store.replay(f"r{n}") for n in range(3)]
        store.close()
        return found

    assert asyncio.run(scene()) == [None, b"1", b"2"]


async def lived(store: Store, days: float) -> int:
    """So many days the server has run."""
    return await store.age(days * DAY, 0)


def test_old_tables_are_removed_and_live_ones_never(
    database: Callable[[], Database], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Finished ones after 30 days, others after 90, counted from the last visit, or the making if nobody ever came."""
    caplog.set_level("INFO", "umpire.server")

    async def scene(keep: Keep) -> list[str]:
        store = Store(database())
        await store.remove([row["id"] for row in await store.rows()])
        tables = Tables(store, None, None, None)  # type: ignore[arg-type]
        tables.open["live"] = None  # type: ignore[assignment]
        names = [f"{kind}{days}" for days in (91, 89, 31, 29) for kind in ("over", "left", "new")]
        last = 91
        await store.create(kept("live"))
        for name in names:
            await lived(store, last - int(name[-2:]))
            last = int(name[-2:])
            await store.create(kept(name))
            await store.answer(name, 0, 0, given(0), "0")
            await store.say(name, StoredChat(0, None, "", "hello", 5))
            if not name.startswith("new"):
                await store.visit(name, over=False)
                await store.visit(name, over=name.startswith("over"))
        await lived(store, last)
        await tables.clear(keep, 0.0)
        gone = [name for name in [*names, "live"] if await store.load(name) is None]
        with store.database._engine.connect() as db:
            for part in ("answers", "seats", "chat"):
                rows = set(db.execute(sql.text(f"SELECT table_id FROM {part}")).scalars())
                assert rows - {"live"} == set(names) - set(gone)
        store.close()
        return gone

    assert sorted(asyncio.run(scene(Keep()))) == ["left91", "new91", "over31", "over89", "over91"]
    assert "over31" in caplog.text, "what goes is told"
    assert asyncio.run(scene(Keep(finished=0, abandoned=0))) == []


def test_a_clock_that_jumps_makes_nothing_old(
    database: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A year ahead and back again, over restarts: at most a day each time that the server stood still."""
    now = time.time()

    async def scene() -> list[int]:
        store = Store(database())
        await store.remove([row["id"] for row in await store.rows()])
        await store.create(kept())
        ages = []
        for jump in (0, 365, -365, 365, 0):
            monkeypatch.setattr("umpire.server.storage.time.time", lambda jump=jump: now + jump * DAY)
            await Tables(store, None, None, None).clear(Keep(), 0.0)  # type: ignore[arg-type]
            ages.append(await store.age(0, 0))
        assert await store.load("t") is not None
        store.close()
        return [age - ages[0] for age in ages]

    assert asyncio.run(scene()) == [0, DAY, DAY, 2 * DAY, 2 * DAY]


def test_many_old_tables_go_in_small_lots_and_the_file_shrinks(tmp_path: Path) -> None:
    """Nobody waits long meanwhile: what others write gets in between."""

    async def scene() -> tuple[float, int, int]:
        store = Store(Database.in_folder(tmp_path))
        big = b"x" * 4000
        for n in range(400):
            await store.create(msgspec.structs.replace(kept(f"t{n}"), setup=big, answers=[StoredAnswer(0, big)] * 3))
        await store.create(kept("kept"))
        await lived(store, 0)
        await lived(store, 100)
        await store.visit("kept", over=False)
        await store.database.write(lambda db: db.exec_driver_sql("SELECT 1"))
        full = sum(file.stat().st_size for file in tmp_path.iterdir())
        chore = asyncio.create_task(Tables(store, None, None, None).clear(Keep(), 0.0))  # type: ignore[arg-type]
        longest = 0.0
        while len(await store.rows()) > 1:
            began = time.monotonic()
            await store.seat("kept", 0, name="Ada")
            longest = max(longest, time.monotonic() - began)
            await asyncio.sleep(0.01)
        await chore
        with store.database._engine.connect() as db:
            db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        left = sum(file.stat().st_size for file in tmp_path.iterdir())
        store.close()
        return longest, full, left

    longest, full, left = asyncio.run(scene())
    assert longest < 10.0  # it was 51 s
    assert left < full / 4


VERSION_1 = Path(__file__).parent / "version1"


def test_tables_of_version_1_are_led_forward_and_played_on(tmp_path: Path) -> None:
    """The database as the first version has left it: the schema becomes today's to the last column, and every table of
    it goes on."""
    file = sqlite3.connect(tmp_path / "tables.sqlite")
    file.executescript((VERSION_1 / "tables.sql").read_text())
    file.close()
    links = json.loads((VERSION_1 / "links.json").read_text())
    database = Database.in_folder(tmp_path)
    with database._engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db), schema.meta) == []
        assert db.execute(sql.text("SELECT version_num FROM alembic_version")).scalar() == schema.HEAD
    database.close()
    Database.in_folder(tmp_path).close()
    with house(tmp_path) as running:
        first = running.sit(links["open"]["made"], 0)
        first.begun()
        assert first.view["answers"] == links["open"]["answers"]
        assert [seat["name"] for seat in first.table["seats"]] == ["Ada", ""]
        assert first.until("chat")["text"] == "你好"
        second = running.sit(links["open"]["made"], 1)
        second.begun()
        asked = first if first.asked else second
        assert asked.answer(asked.suggested())["type"] == "update"
        over = links["over"]["made"]
        record = running.record(over["table"], over["links"][0]["token"])
        assert verify(record.text).same, "with the dice that fell then"
        assert verify(record.text).fair
        waiting = links["waiting"]["made"]
        second = running.sit(waiting, 1, luck="w")
        assert second.begun()["answers"] == 0
        assert second.table["fairness"]["contributions"] == ["z", ""], "one luck was told: no other is chosen any more"


def test_a_new_database_has_the_schema_of_one_that_was_led_forward(database: Callable[[], Database]) -> None:
    opened = database()
    with opened._engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db), schema.meta) == []
    opened.close()


def test_a_bucket_empties_and_fills(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("umpire.server.limits.time.monotonic", lambda: now)
    bucket = Bucket(rate=2.0, burst=3.0)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    now += 100
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_many_strangers_do_not_fill_the_memory() -> None:
    buckets = Buckets(rate=0.0, burst=1.0, most=3)
    assert [buckets.take(key) for key in "aab"] == [True, False, True]
    assert [buckets.take(key) for key in "cde"] == [True] * 3
    assert len(buckets._buckets) == 3


def test_tokens_are_random_and_only_their_hash_is_kept() -> None:
    token = new_token()
    assert token != new_token()
    assert len(token) >= 22, "128 bits"
    assert opens(token, hashed(token))
    assert not opens(token, hashed(new_token()))
    assert not opens("", None)
    assert token not in hashed(token)


@pytest.mark.parametrize(
    ("local", "headers", "refused"),
    [
        (True, {"host": "localhost:8642"}, False),
        (True, {"host": "127.0.0.1:8642", "origin": "http://127.0.0.1:8642"}, False),
        (True, {"host": "[::1]:8642", "origin": "http://localhost:5173"}, False),
        (True, {"host": "evil.example:8642"}, True),
        (True, {"host": "localhost:8642", "origin": "http://evil.example"}, True),
        (True, {"host": "[", "origin": "http://["}, True),
        (True, {"host": "localhost:8642", "origin": "http://[bad"}, True),
        (False, {"host": "umpire.example", "origin": "http://[bad"}, True),
        (True, {}, True),
        (False, {"host": "umpire.example"}, False),
        (False, {"host": "umpire.example", "origin": "https://umpire.example"}, False),
        (False, {"host": "umpire.example", "origin": "http://localhost:8642"}, True),
        (False, {"host": "umpire.example", "origin": "null"}, True),
    ],
)
def test_who_may_ask(local: bool, headers: dict[str, str], refused: bool) -> None:
    async def app(*_: object) -> None:
        return None

    assert (Guard(app, local).refuses(headers) is not None) is refused


def test_messages_are_read_strictly() -> None:
    message = read_message('{"type":"answer","id":1,"n":2,"answer":{"path":[]}}')
    assert isinstance(message, Answer)
    assert bytes(message.answer) == b'{"path":[]}'
    measure = read_message('{"type":"measure","id":1,"from":"p1","to":{"x":1,"y":2}}')
    assert isinstance(measure, Measure)
    assert measure.end == Point(x=1, y=2)
    for bad in (
        '{"type":"answer","id":1,"n":2}',
        '{"type":"answer","id":"1","n":2,"answer":1}',
        '{"type":"answer","id":1,"n":2,"answer":1,"side":1}',
        '{"type":"measure","id":1,"from":"p1","to":{"x":1e9,"y":2}}',
        b"\xff\xfe",
    ):
        with pytest.raises(Problem) as refused:
            read_message(bad)
        assert refused.value.code == "bad-message"


def test_a_taken_port_is_told_or_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with pytest.raises(UmpireError, match="--port"):
            listen("127.0.0.1", taken)
        monkeypatch.setattr("umpire.server.serve.PORT", taken)
        with listen("127.0.0.1", None) as second:
            assert second.getsockname()[1] != taken
    with pytest.raises(UmpireError):
        listen("no.such.host.invalid", 1)
    assert isinstance(first, socket.socket)


def test_one_folder_has_one_server(tmp_path: Path) -> None:
    with keep_to_ourselves(tmp_path / "new"), pytest.raises(UmpireError, match="another Umpire server"):
        keep_to_ourselves(tmp_path / "new")
    keep_to_ourselves(tmp_path / "new").close()
    (tmp_path / "file").write_text("")
    with pytest.raises(UmpireError, match="cannot write"):
        keep_to_ourselves(tmp_path / "file")
