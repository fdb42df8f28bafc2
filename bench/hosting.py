"""The server as a host runs it: six hundred tables of all games, kill -9 at fifty moments on either database and of
one of three processes, and how long others wait while somebody attacks.

`python bench/hosting.py [mixed|memory|kills|cluster|attacks] [N]` runs one part alone, with N tables or kills.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import itertools
import json
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"
# bench/server.py would shadow the tests' package `server`.
sys.path[:] = [str(TESTS), *(place for place in sys.path if Path(place or ".").resolve() != Path(__file__).parent)]

from websockets.asyncio.client import connect  # noqa: E402
from websockets.exceptions import WebSocketException  # noqa: E402

from server import postgres  # noqa: E402
from server.house import House, house, step  # noqa: E402
from server.house import Player as Seat  # noqa: E402

TABLES = 600
SECONDS = 60.0
PAUSE = (5.0, 10.0)
KILLS = 50


def _bench() -> Any:
    """The players of bench/server.py: its name is also that of the tests' package."""
    place = importlib.util.spec_from_file_location("bench_server", Path(__file__).with_name("server.py"))
    assert place is not None
    assert place.loader is not None
    module = sys.modules["bench_server"] = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


GONE = (WebSocketException, OSError, EOFError, TimeoutError)


def memory(running: House) -> dict[str, int]:
    """Bytes of each process of a server, by its name."""
    figures = running.get("/metrics").text.splitlines()
    rows = [line for line in figures if line.startswith("umpire_memory_bytes{")]
    return {line.split('"')[1]: int(line.split()[-1]) for line in rows}


# -- many tables ------------------------------------------------------------------------------------------------------


async def _mixed(
    running: House, games: list[str], tables: int, pause: tuple[float, float], long: float
) -> list[dict[str, Any]]:
    bench = _bench()
    async with contextlib.AsyncExitStack() as stack:
        await asyncio.sleep(1)
        before = memory(running)
        players: list[Any] = []
        made = []
        for number in range(tables):
            wish = {"game": games[number % len(games)], "seed": number, "seats": [{"kind": "person"}] * 2}
            reply = await asyncio.to_thread(running.post, "/api/tables", wish)
            assert reply.status_code == 200, reply.text
            made.append(reply.json())
        for table in made:
            for link in table["links"]:
                url = f"{running.address.replace('http', 'ws')}/ws/{table['table']}"
                opened = await stack.enter_async_context(connect(url, max_size=None, compression=None))
                await opened.send(json.dumps({"type": "join", "token": link["token"]}))
                players.append(bench.Player(opened))
                while (await players[-1].hear()).type != "view":
                    pass
        start, used = time.monotonic(), bench.spent(running)
        until = start + long
        await asyncio.gather(*(p.play(until, random.uniform(*pause), random.random()) for p in players))
        seconds, used = time.monotonic() - start, bench.spent(running) - used
        after = memory(running)
    took = sorted(1000 * t for p in players for t in p.took)
    errors = [error for p in players for error in p.errors]
    late = took[int(len(took) * 0.95)]
    grown = sum(after[name] - before.get(name, 0) for name in after if name.startswith(("holder", "server", "patient")))
    each = grown / tables / 1024**2
    name = f"{tables} tables of {len(games)} games"
    return [
        {"name": f"{name}: answers a table", "value": len(took) / tables, "unit": ""},
        {"name": f"{name}: answers", "value": len(took) / seconds, "unit": "/s"},
        {"name": f"{name}: processor time an answer", "value": 1000 * used / len(took), "unit": "ms"},
        {"name": f"{name}: median", "value": statistics.median(took), "unit": "ms"},
        {"name": f"{name}: 95 % within", "value": late, "unit": "ms", "bar": "< 200", "ok": late < 200},
        {"name": f"{name}: errors", "value": len(errors), "unit": "", "bar": "0", "ok": not errors},
        {"name": f"{name}: memory a table", "value": each, "unit": "MB", "bar": "<= 1.5", "ok": each <= 1.5},
    ]


def mixed(tables: int = TABLES, pause: tuple[float, float] = PAUSE, long: float = SECONDS) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        running = House(Path(folder), cores=2, rehearse=True)
        try:
            while '\numpire_worker_cold{worker="maker"} 0' not in running.get("/metrics").text:
                time.sleep(0.5)
            games = [game["id"] for game in running.get("/api/games").json() if game["id"] != "tiny"]
            return asyncio.run(_mixed(running, games, tables, pause, long))
        finally:
            running.kill()


# -- memory -----------------------------------------------------------------------------------------------------------


def private(running: House) -> dict[str, float]:
    """Megabytes that the server and each of its workers have for themselves; what they share with each other or with
    other programs (libraries, files) is not counted."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(running.process.pid)], capture_output=True, text=True, check=True
    )
    told = {}
    for process in [str(running.process.pid), *listed.stdout.split()]:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        told[process] = sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024
    return told


async def _played(running: House, stack: contextlib.AsyncExitStack, game: str, seeds: range) -> int:
    """Tables of a game, played to the end of their battles; both players stay. How many answers they gave."""
    bench = _bench()
    players = []
    for seed in seeds:
        wish = {"game": game, "seed": seed, "seats": [{"kind": "person"}] * 2}
        reply = await asyncio.to_thread(running.post, "/api/tables", wish)
        assert reply.status_code == 200, reply.text
        made = reply.json()
        for link in made["links"]:
            url = f"{running.address.replace('http', 'ws')}/ws/{made['table']}"
            opened = await stack.enter_async_context(connect(url, max_size=None))
            await opened.send(json.dumps({"type": "join", "token": link["token"]}))
            players.append(bench.Player(opened))
            while (await players[-1].hear()).type != "view":
                pass
    until = time.monotonic() + 3600.0
    await asyncio.gather(*(player.play(until, 0.0, 0.0) for player in players))
    assert all(player.view.outcome is not None for player in players)
    return sum(len(player.took) for player in players)


async def _memory(running: House, games: list[str], tables: int) -> list[dict[str, Any]]:
    figures, each, seeds = [], [], itertools.count()
    async with contextlib.AsyncExitStack() as stack:
        for game in games:
            told = []
            for many in (1, tables, tables):  # what the first of a game brings with it, and so many, and twice as many
                start = next(seeds) * 1000
                answers = await _played(running, stack, game, range(start, start + many))
                await asyncio.sleep(1.0)
                told.append(private(running))
            # A process that was started meanwhile (for tables that take long) is not what a table takes.
            each.append(sum(told[2][process] - told[1][process] for process in told[1]) / tables)
            name = f"memory of a played table: {game}"
            figures += [
                {"name": f"{name}: answers a table", "value": answers / tables, "unit": ""},
                {"name": name, "value": each[-1], "unit": "MB"},
            ]
            print(*figures[-2:], file=sys.stderr, flush=True)
    mean = statistics.mean(each)
    name = "memory of a played table: the mean"
    return [*figures, {"name": name, "value": mean, "unit": "MB", "bar": "<= 1.5", "ok": mean <= 1.5}]


def memory_of_played(tables: int = 10) -> list[dict[str, Any]]:
    """What one more table takes that has been played to the end of its battle, in all processes of the server: so many
    tables of each game, and then as many again."""
    with tempfile.TemporaryDirectory() as folder:
        running = House(Path(folder), cores=2, rehearse=True)
        try:
            while '\numpire_worker_cold{worker="maker"} 0' not in running.get("/metrics").text:
                time.sleep(0.5)
            games = [game["id"] for game in running.get("/api/games").json() if game["id"] != "tiny"]
            return asyncio.run(_memory(running, games, tables))
        finally:
            running.kill()


# -- kill -9 ----------------------------------------------------------------------------------------------------------


def _play(player: Seat, stop: threading.Event) -> None:
    with contextlib.suppress(*GONE):
        while player.view["outcome"] is None and not stop.is_set():
            if player.asked:
                player.answer(player.suggested())
            else:
                player.hear()


def _seen(player: Seat) -> list[Any]:
    return [event for m in player.heard if m["type"] in ("view", "update") for event in m["view"]["events"]]


def kills(count: int = KILLS, databases: tuple[str, ...] = ("SQLite", "PostgreSQL")) -> list[dict[str, Any]]:
    figures = []
    for database in databases:
        if database == "PostgreSQL" and postgres.server() is None:
            print("no PostgreSQL here", file=sys.stderr)
            continue
        url = {"database": postgres.new_database()} if database == "PostgreSQL" else {}
        acknowledged = lost = doubled = 0
        with tempfile.TemporaryDirectory() as folder, house(Path(folder), **url) as running:
            for _ in range(count):
                tables = [running.table("person", "person", options={"rounds": 500}) for _ in range(3)]
                players = [running.sit(made, side) for made in tables for side in (0, 1)]
                for player in players:
                    player.begun()
                stop = threading.Event()
                threads = [threading.Thread(target=_play, args=(player, stop), daemon=True) for player in players]
                for thread in threads:
                    thread.start()
                time.sleep(random.uniform(0.05, 1.2))
                running.kill()
                stop.set()
                for thread in threads:
                    thread.join(30)
                running.start()
                for number, player in enumerate(players):
                    again = running.sit(tables[number // 2], number % 2)
                    again.begun()
                    acknowledged += player.view["answers"]
                    lost += max(0, player.view["answers"] - again.view["answers"])
                    seen = _seen(player)
                    doubled += again.view["events"][: len(seen)] != seen
                    again.close()
        name = f"{count} kills on {database}"
        figures += [
            {"name": f"{name}: answers acknowledged", "value": acknowledged, "unit": ""},
            {"name": f"{name}: lost", "value": lost, "unit": "", "bar": "0", "ok": not lost},
            {"name": f"{name}: doubled or changed", "value": doubled, "unit": "", "bar": "0", "ok": not doubled},
        ]
    return figures


def cluster(count: int = 10) -> list[dict[str, Any]]:
    """One of three processes is killed again and again; how long until its table goes on elsewhere."""
    if postgres.server() is None:
        return []
    url = postgres.new_database()
    waits, lost = [], 0
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        three = [stack.enter_context(house(folder / str(n), database=url)) for n in range(3)]
        for number in range(count):
            holder, *others = three[number % 3 :] + three[: number % 3]
            made = holder.table("person", "person", options={"rounds": 500})
            players = [at.sit(made, side) for side, at in enumerate(others)]
            for player in players:
                player.begun()
            for _ in range(random.randrange(5, 60)):
                step(players)
            answers, seen = players[0].view["answers"], _seen(players[0])
            holder.kill()
            began = time.monotonic()
            again = [_again(at, made, side) for side, at in enumerate(others)]
            lost += again[0].view["answers"] < answers or again[0].view["events"][: len(seen)] != seen
            step(again)
            waits.append(time.monotonic() - began)
            holder.start()
    worst = max(waits)
    return [
        {"name": f"{count} of three processes killed: median", "value": statistics.median(waits), "unit": "s"},
        {"name": f"{count} of three processes killed: the longest", "value": worst, "unit": "s", "bar": "<= 5",
         "ok": worst <= 5},
        {"name": f"{count} of three processes killed: lost or doubled", "value": lost, "unit": "", "bar": "0",
         "ok": not lost},
    ]  # fmt: skip


def _again(at: House, made: dict[str, Any], side: int) -> Seat:
    """Come again as a browser does."""
    while True:
        try:
            player = at.sit(made, side)
            player.begun()
            return player
        except GONE:
            time.sleep(0.3)


# -- attacks ----------------------------------------------------------------------------------------------------------


class Others:
    """Somebody else's table, asked all the while; the longest wait."""

    def __init__(self, running: House) -> None:
        self.player = running.sit(running.table("person", "person", seed=1), 0)
        self.player.begun()
        self.longest = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)

    def _ask(self) -> None:
        while not self._stop.is_set():
            began = time.monotonic()
            self.player.ask("check", answer="1")
            self.longest = max(self.longest, time.monotonic() - began)
            time.sleep(0.01)

    def __enter__(self) -> Others:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(60)
        assert not self._thread.is_alive()


def attacks(_: int = 0) -> list[dict[str, Any]]:
    from server import test_attacks as known

    figures: list[dict[str, Any]] = []

    def told(name: str, running: House, attack: Any) -> None:
        before = sum(memory(running).values())
        with Others(running) as others:
            attack()
        grown = (sum(memory(running).values()) - before) / 1024**2
        figures.append({"name": f"{name}: others wait", "value": others.longest, "unit": "s", "bar": "<= 1",
                        "ok": others.longest <= 1.0})  # fmt: skip
        figures.append(
            {"name": f"{name}: memory grows", "value": grown, "unit": "MB", "bar": "< 300", "ok": grown < 300}
        )

    def floods() -> None:
        made = running.table("person", "person")
        for opening in (known.frame(b"x", 1, fin=False), b""):
            sock = known.handshake(running, made)
            with contextlib.suppress(OSError):
                sock.sendall(opening + (known.frame(b"", 0, fin=False) if opening else known.frame(b"", 9)) * 1_700_000)
            sock.close()

    def loops() -> None:
        for _ in range(3):
            _, second = known.bids(running, "loop")
            second.say("answer", id=1, n=1, answer="1")
        time.sleep(6)

    def setups() -> None:
        for _ in range(10):
            army = {"pawns": 1, "terrain": [{"x": 1.0, "y": 2.0, "kind": "wood"}] * 3000}
            running.post("/api/tables", {"game": "greedy", "seats": [{"kind": "person", "army": army}] * 2})

    def torn() -> None:
        army = {"kind": "person", "army": {"pawns": 200}}
        big = running.post("/api/tables", {"game": "tiny", "seats": [army] * 2, "seed": 1}).json()
        join = known.frame(json.dumps({"type": "join", "token": big["links"][0]["token"]}).encode())
        players = [running.sit(big, side) for side in (0, 1)]
        for player in players:
            player.begun()
        step(players)
        step(players)
        for _ in range(20):
            sock = known.handshake(running, big)
            with contextlib.suppress(OSError):
                sock.sendall(join + known.frame(b'{"type":"suggest","id":1,"n":0}') * 100_000)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, known.struct.pack("ii", 1, 0))
            sock.close()
        time.sleep(3)

    def halves() -> None:
        held = []
        for _ in range(1100):
            held.append(known.raw(running))
            held[-1].sendall(b"GET /api/games HTTP/1.1\r\nX-Slow: ")
        running.get("/health")
        for sock in held:
            sock.close()

    with tempfile.TemporaryDirectory() as folder:
        modules = ("tiny", "server.greedy")
        # Whoever looks how long it takes asks more often than a person may; the limits of sockets are the usual ones.
        with house(Path(folder), cores=2, modules=modules, limits={}) as running:
            for name, attack in (
                ("10 MB of empty frames, twice", floods), ("three tables whose rules never end", loops),
                ("ten set-ups of 3,000 terrain pieces", setups), ("20 torn sockets, 2,000,000 stale questions", torn),
                ("1,100 half-sent requests", halves),
            ):  # fmt: skip
                told(name, running, attack)
    return figures


PARTS = {"mixed": mixed, "memory": memory_of_played, "kills": kills, "cluster": cluster, "attacks": attacks}


def run() -> list[dict[str, Any]]:
    return [figure for part in PARTS.values() for figure in part()]


if __name__ == "__main__":
    chosen = sys.argv[1:2] or list(PARTS)
    for part in chosen:
        for figure in PARTS[part](*map(int, sys.argv[2:3])):  # type: ignore[operator]
            print(figure, flush=True)
