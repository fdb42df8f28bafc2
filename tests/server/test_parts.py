"""The server's parts on their own: storage, limits, who may ask, ports and folders."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sql

from umpire.errors import UmpireError
from umpire.server.guard import Guard
from umpire.server.limits import DAY, Bucket, Buckets, Keep
from umpire.server.messages import Answer, Measure, Point, read_message
from umpire.server.problems import Problem
from umpire.server.seats import hashed, new_token, opens
from umpire.server.serve import keep_to_ourselves, listen
from umpire.server.storage import Store, StoredChat, StoredSeat, StoredTable
from umpire.server.tables import Tables


def kept(key: str = "t") -> StoredTable:
    return StoredTable(
        id=key, created=1, game="tiny", setup=b"{}", secret="s", watch="w", guide=True, started=False, resigned=None,
        seats=[StoredSeat(side, "person", hashed(str(side)), army=b'{"zh":"a","en":"b"}') for side in (0, 1)],
    )  # fmt: skip


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    async def scene() -> None:
        store = Store.in_folder(tmp_path)
        await store.create(kept())
        await asyncio.gather(*(store.answer("t", n, n % 2, b"%d" % n) for n in range(300)))
        await store.checkpoint("t", 250, b"early")
        await store.checkpoint("t", 290, b"late")
        await store.seat("t", 1, name="Ada", luck="x")
        await store.start("t", b'{"a":1}')
        await store.say("t", StoredChat(0, None, "", "hello", 5))
        await store.resign("t", 1)
        store.close()
        again = Store.in_folder(tmp_path)
        table = await again.load("t")
        assert table is not None
        assert table.answers == [(n % 2, b"%d" % n) for n in range(300)]
        assert table.checkpoint == (290, b"late")
        assert table.seats[1] == msgspec.structs.replace(kept().seats[1], name="Ada", luck="x")
        assert (table.setup, table.started, table.guide, table.resigned) == (b'{"a":1}', True, True, 1)
        assert [line.text for line in table.chat] == ["hello"]
        await again.rewind("t", 289)
        table = await again.load("t")
        assert table is not None
        assert len(table.answers) == 289
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

        async def insist(self, operation: str, game: str) -> bytes:
            await asyncio.sleep(0.01)
            if self.failures:
                self.failures -= 1
                raise Problem("internal", "", "")
            return b'{"zh":"a","en":"b"}'

        def holder(self, table: str) -> Helpers:
            return self

    async def scene() -> list[object]:
        tables = Tables(Shelf(), Helpers())  # type: ignore[arg-type]
        first = asyncio.gather(*(tables.find("t") for _ in range(3)), return_exceptions=True)
        await asyncio.sleep(0.005)
        return [*(await first), await tables.find("t")]

    found = [one for one in asyncio.run(scene()) if not isinstance(one, Problem)]
    assert len(found) == 3
    assert all(one is found[0] for one in found)


def test_one_bad_write_does_not_spoil_those_it_came_with(tmp_path: Path) -> None:
    async def scene() -> None:
        store = Store.in_folder(tmp_path)
        await store.create(kept())
        writes = [store.answer("t", n, 0, b"1") for n in (0, 1, 1, 2)]
        results = await asyncio.gather(*writes, return_exceptions=True)
        assert [type(result) for result in results] == [type(None), type(None), sql.exc.IntegrityError, type(None)]
        table = await store.load("t")
        assert table is not None
        assert len(table.answers) == 3
        store.close()

    asyncio.run(scene())


def test_answers_are_flushed_at_every_commit(tmp_path: Path) -> None:
    store = Store.in_folder(tmp_path)
    with store._engine.connect() as db:
        assert db.execute(sql.text("PRAGMA synchronous")).scalar() == 2
        assert db.execute(sql.text("PRAGMA journal_mode")).scalar() == "wal"
    store.close()


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_text("not a database, but long enough to be taken for one" * 50)
    with pytest.raises(UmpireError, match="cannot open"):
        Store.in_folder(tmp_path)


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    store = Store.in_folder(tmp_path)
    with store._engine.begin() as db:
        db.execute(sql.text("UPDATE format SET version = 99"))
    store.close()
    with pytest.raises(UmpireError, match="format 99"):
        Store.in_folder(tmp_path)


def test_replays_are_kept_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpire.server.storage.REPLAYS_KEPT", 2)

    async def scene() -> list[bytes | None]:
        store = Store.in_folder(tmp_path)
        for n in range(3):
            monkeypatch.setattr("umpire.server.storage.time.time", lambda n=n: n)
            await store.keep_replay(f"r{n}", b"%d" % n)
        found = [await store.replay(f"r{n}") for n in range(3)]
        store.close()
        return found

    assert asyncio.run(scene()) == [None, b"1", b"2"]


NOW = 1000 * DAY


def test_old_tables_are_removed_and_live_ones_never(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finished ones after 30 days, others after 90, counted from the last visit, or the making if nobody ever came."""

    async def scene(keep: Keep) -> list[str]:
        store = Store.in_folder(tmp_path)
        tables = Tables(store, None)  # type: ignore[arg-type]
        names = [f"{kind}{days}" for kind in ("over", "left", "new") for days in (29, 31, 89, 91)]
        for name in [*names, "live"]:
            made = msgspec.structs.replace(kept(name), created=NOW - (int(name[-2:]) if name != "live" else 900) * DAY)
            await store.create(made)
            await store.answer(name, 0, 0, b"1")
            await store.say(name, StoredChat(0, None, "", "hello", 5))
            if not name.startswith("new"):
                monkeypatch.setattr("umpire.server.storage.time.time", lambda made=made: made.created)
                await store.visit(name, over=False)
                await store.visit(name, over=name.startswith(("over", "live")))
        monkeypatch.setattr("umpire.server.storage.time.time", lambda: NOW)
        tables._open["live"] = None  # type: ignore[assignment]
        chore = asyncio.create_task(tables.clear_out(keep))
        await asyncio.sleep(0)
        await store.visit("left91", over=False)  # whatever was asked before this has been done
        chore.cancel()
        gone = [name for name in [*names, "live"] if await store.load(name) is None]
        with store._engine.connect() as db:
            for part in ("answers", "seats", "chat"):
                rows = set(db.execute(sql.text(f"SELECT table_id FROM {part}")).scalars())
                assert rows == {*names, "live"} - set(gone)
        store.close()
        return gone

    assert asyncio.run(scene(Keep())) == ["over31", "over89", "over91", "left91", "new91"]
    (tmp_path / "tables.sqlite").unlink()
    assert asyncio.run(scene(Keep(finished=0, abandoned=0))) == []


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
