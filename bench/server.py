"""The server under load: a hundred tables at once, a drag's legality, start-up, and fifty thousand bad messages.

`python bench/server.py [GAME]` runs it alone; without a game the first that can be played.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

TESTS = Path(__file__).parents[1] / "tests"
# This very file would shadow a package `server`.
sys.path[:0] = [str(TESTS), str(TESTS / "server")]

from fuzz import stream  # noqa: E402
from house import House, house  # noqa: E402

TABLES = 100
SECONDS = 20.0
THINK = 1.0
"""Random players at a table take this long for a decision on average; a person takes longer."""
FUZZ = 50_000


class View(msgspec.Struct):
    answers: int
    decisions: list[Any] = []
    outcome: Any = None


class Told(msgspec.Struct):
    """As much of a message as a random player reads."""

    type: str
    id: int | None = None
    view: View | None = None
    answer: msgspec.Raw = msgspec.Raw(b"")
    code: str = ""


told = msgspec.json.Decoder(Told)


class Player:
    """A seat that answers at random and notes how long each answer took to come back."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.view = View(0)
        self.number = 0
        self.took: list[float] = []
        self.errors: list[str] = []

    async def hear(self) -> Told:
        message = told.decode(await self.socket.recv())
        if message.view is not None:
            self.view = message.view
        return message

    async def ask(self, kind: str, answer: bytes | None = None) -> Told:
        self.number += 1
        more = b',"answer":' + answer if answer is not None else b""
        text = b'{"type":"%s","id":%d,"n":%d%s}' % (kind.encode(), self.number, self.view.answers, more)
        await self.socket.send(text.decode())
        while (message := await self.hear()).id != self.number:
            pass
        return message

    async def play(self, until: float, think: float, phase: float) -> None:
        await asyncio.sleep(think * phase)
        while time.monotonic() < until and self.view.outcome is None:
            if not self.view.decisions:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(until - time.monotonic()):
                        await self.hear()
                continue
            suggestion = await self.ask("suggest")
            if suggestion.type != "suggestion":
                self.errors.append(suggestion.code)
                continue
            await asyncio.sleep(think)
            start = time.perf_counter()
            reply = await self.ask("answer", bytes(suggestion.answer))
            self.took.append(time.perf_counter() - start)
            if reply.type != "update":
                self.errors.append(reply.code or reply.type)


@contextlib.asynccontextmanager
async def seated(running: House, tables: int, game: str) -> AsyncIterator[list[Player]]:
    async with contextlib.AsyncExitStack() as stack:
        players = []
        for number in range(tables):
            made = running.table("person", "person", game=game, seed=number)
            for link in made["links"]:
                url = f"{running.address.replace('http', 'ws')}/ws/{made['table']}"
                socket = await stack.enter_async_context(connect(url, max_size=None, compression=None))
                await socket.send(json.dumps({"type": "join", "token": link["token"]}))
                player = Player(socket)
                while (await player.hear()).type != "view":
                    pass
                players.append(player)
        yield players


def spent(running: House) -> float:
    """Seconds of processor time that the server and its workers have used."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(running.process.pid)], capture_output=True, text=True, check=True
    )
    ticks = 0
    for process in [str(running.process.pid), *listed.stdout.split()]:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def many_tables(running: House, game: str, tables: int, think: float) -> list[dict[str, Any]]:
    async with seated(running, tables, game) as players:
        start, before = time.monotonic(), spent(running)
        until = start + SECONDS
        await asyncio.gather(*(p.play(until, think, n / len(players)) for n, p in enumerate(players)))
        seconds, used = time.monotonic() - start, spent(running) - before
    took = sorted(1000 * t for p in players for t in p.took)
    errors = [error for p in players for error in p.errors]
    name = f"{tables} tables of {game}" + ("" if think else ", no pause")
    median = statistics.median(took)
    return [
        {"name": f"{name}: answers", "value": len(took) / seconds, "unit": "/s"},
        {"name": f"{name}: processor time an answer", "value": 1000 * used / len(took), "unit": "ms"},
        {
            "name": f"{name}: median answer",
            "value": median,
            "unit": "ms",
            **({"bar": "< 100", "ok": median < 100} if think else {}),
        },
        {"name": f"{name}: 95th percentile", "value": took[int(len(took) * 0.95)], "unit": "ms"},
        {"name": f"{name}: errors", "value": len(errors), "unit": "", "bar": "0", "ok": not errors},
    ]


async def drag(running: House, game: str) -> list[dict[str, Any]]:
    """How soon a dragged piece hears whether it may stand there."""
    took = []
    async with seated(running, 1, game) as players:
        while len(took) < 300 and any(p.view.outcome is None for p in players):
            player = next((p for p in players if p.view.decisions), None)
            if player is None:
                await asyncio.gather(*(p.hear() for p in players))
                continue
            answer = bytes((await player.ask("suggest")).answer)
            if player.view.decisions[0]["kind"] in ("move", "place"):
                for _ in range(5):
                    start = time.perf_counter()
                    await player.ask("check", answer)
                    took.append(1000 * (time.perf_counter() - start))
            before = player.view.answers
            await player.ask("answer", answer)
            for other in players:
                while other.view.answers <= before:
                    await other.hear()
    median = statistics.median(took)
    return [{"name": f"{game}: a drag's legality", "value": median, "unit": "ms", "bar": "< 50", "ok": median < 50}]


def fuzz(running: House) -> list[dict[str, Any]]:
    """Bad messages from a side that is not asked and from a watcher: each must be refused, none may change a thing."""
    made = running.table("person", "person", seed=1)
    first, second, watcher = running.sit(made, 0), running.sit(made, 1), running.sit(made, None)
    for player in (first, second, watcher):
        player.until("view")
    first.answer("2")
    before = {**second.until("update")["view"], "table": None, "events": None}
    watcher.until("update")
    refused = 0
    for seed, player in enumerate((first, watcher)):
        for message in stream(seed, FUZZ // 2):
            player.socket.send(message)
            reply = player.until("error", "ruling", "update", "suggestion", "reach", "hint", "measured")
            refused += reply["type"] == "error" and reply["code"] != "internal" and bool(reply["text"]["zh"])
    again = running.sit(made, 1)
    after = {**again.until("view")["view"], "table": None, "events": None}
    same = json.dumps(before, sort_keys=True) == json.dumps(after, sort_keys=True)
    alive = again.answer("1")["type"] == "update" and running.process.poll() is None
    return [
        {
            "name": "bad messages refused",
            "value": refused,
            "unit": f"of {FUZZ}",
            "bar": f"{FUZZ}",
            "ok": refused == FUZZ,
        },
        {
            "name": "table unchanged, server up",
            "value": int(same and alive),
            "unit": "",
            "bar": "1",
            "ok": same and alive,
        },
    ]


def first_response() -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        with house(Path(folder), cores=2, rehearse=True) as running:
            running.get("/api/rules/warcry.none")
            page = time.perf_counter() - start
            made = running.table("person", "person")
            running.sit(made, 0).until("view")
            table = time.perf_counter() - start
    return [
        {"name": "from start to first response", "value": page, "unit": "s", "bar": "< 1.5", "ok": page < 1.5},
        {"name": "from start to a first view", "value": table, "unit": "s", "bar": "< 3", "ok": table < 3},
    ]


DRAWN = """async () => {
    const frame = () => new Promise(requestAnimationFrame);
    while (!window.umpireLens) await frame();
    await new Promise((done) => { umpireLens.listeners.add(done); umpireLens.invalidate(); });
    const gl = document.querySelector(".board canvas").getContext("webgl2"), pixel = new Uint8Array(4);
    gl.readPixels(gl.drawingBufferWidth / 2, gl.drawingBufferHeight / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    await frame();
    return pixel[3];
}"""
"""Ends when the board has drawn a frame: a pixel of it can be read, and the browser goes on to the next."""
FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
WINDOW = {"width": 1440, "height": 900}


class Waiting:
    """What a person has waited for since the start, by name."""

    def __init__(self) -> None:
        self.took: dict[str, list[float]] = {}
        self._start = 0.0

    def start(self) -> None:
        self._start = time.perf_counter()

    def note(self, what: str) -> None:
        self.took.setdefault(what, []).append(time.perf_counter() - self._start)

    def first_table(self, page: Any) -> None:
        """From the start page by one click to the table."""
        page.wait_for_selector("button.card.main")
        self.note("page")
        page.click("button.card.main")
        page.wait_for_selector(".board canvas", state="attached")
        self.note("view")
        assert page.evaluate(DRAWN) == 255
        self.note("table drawn")

    def figures(self, how: str) -> list[dict[str, Any]]:
        figures = [
            {"name": f"{how}: from start to {what}", "value": statistics.median(times), "unit": "s"}
            for what, times in self.took.items()
        ]
        drawn = figures[-1]["value"]
        figures[-1] |= {"bar": "< 3", "ok": drawn < 3}
        return figures


def first_table(rounds: int = 3) -> list[dict[str, Any]]:
    """What a person waits for between `make play` on a prepared machine and the table on the screen: with a browser
    that is open already, and with one that Umpire starts and that has never run before. Without a graphics card it
    draws in software."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        return []
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return _in_open_browser(playwright, chromium, rounds) + _in_new_browser(playwright, chromium, rounds)


def _in_open_browser(playwright: Any, chromium: str, rounds: int) -> list[dict[str, Any]]:
    waiting = Waiting()
    with playwright.chromium.launch(executable_path=chromium, args=list(FLAGS)) as browser:
        for _ in range(rounds):
            page = browser.new_page(viewport=WINDOW)
            page.set_content("<p>elsewhere</p>")
            with tempfile.TemporaryDirectory() as folder:
                waiting.start()
                process = subprocess.Popen(
                    [sys.executable, "-m", "umpire.cli", "serve", "--port", "0", "--data", folder],
                    stderr=subprocess.PIPE,
                    text=True,
                )
                try:
                    assert process.stderr is not None
                    page.goto(process.stderr.readline().split()[1])
                    waiting.first_table(page)
                finally:
                    process.terminate()
                    process.wait(20)
                    page.close()
    return waiting.figures("browser open")


def _in_new_browser(playwright: Any, chromium: str, rounds: int) -> list[dict[str, Any]]:
    """As `make play` does it: Umpire starts the browser, which is then led by its debugging port."""
    waiting = Waiting()
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            profile = Path(folder) / "browser"
            size = f"--window-size={WINDOW['width']},{WINDOW['height']}"
            flags = (*FLAGS, "--headless", size, "--remote-debugging-port=0", f"--user-data-dir={profile}")
            waiting.start()
            process = subprocess.Popen(
                [sys.executable, "-m", "umpire.cli"],
                env={**os.environ, "BROWSER": " ".join((chromium, *flags, "%s")), "XDG_DATA_HOME": folder},
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # so that the browser ends with it
            )
            try:
                port = _debugging_port(profile)
                browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
                waiting.first_table(browser.contexts[0].pages[0])
            finally:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(20)
    return waiting.figures("browser started too")


def _debugging_port(profile: Path, seconds: float = 20.0) -> int:
    told = profile / "DevToolsActivePort"
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if told.exists() and (lines := told.read_text().splitlines()):
            return int(lines[0])
        time.sleep(0.01)
    raise TimeoutError(f"{told}: the browser has not started")


def play_games(running: House) -> Iterator[str]:
    """The games that can be played, or the tests' tiny one."""
    known = [game["id"] for game in running.get("/api/games").json()]
    yield from ([game for game in known if game != "tiny"] or known)


def run(game: str | None = None) -> list[dict[str, Any]]:
    figures = first_response() + first_table()
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), cores=2, rehearse=True) as running:
        chosen = game or next(play_games(running))
        figures += asyncio.run(many_tables(running, chosen, TABLES, THINK))
        figures += asyncio.run(drag(running, chosen))
        figures += fuzz(running)
    return figures


if __name__ == "__main__":
    for figure in run(sys.argv[1] if len(sys.argv) > 1 else None):
        print(figure)
