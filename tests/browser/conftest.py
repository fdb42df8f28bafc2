"""A server with the drill field, and a Chromium that draws in software."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.table import Table
from umpire.space.warm import warm

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "src" / "umpire" / "server" / "static" / "index.html"
SCRIPT = """
import sys
from pathlib import Path
import field
from umpire.server.serve import serve
serve(port=0, data=Path(sys.argv[1]), modules=("field",), cores=1)
"""
FAILED = pytest.StashKey[bool]()
FLAGS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-compositing",  # without a graphics card that draws every page twice
)


SERVER_SAID: list[str] = []
"""What the server wrote of its workers and its faults, line by line."""


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    assert STATIC.is_file(), "the table is not built: run `make`"
    warm()  # what is compiled once must not come between a click and its answer
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path_factory.mktemp("tables"))],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said = ""
    while not said.startswith("Umpire: "):
        said = process.stderr.readline()
        assert said, "the server did not start"
    threading.Thread(target=SERVER_SAID.extend, args=(process.stderr,), daemon=True).start()
    yield said.split()[1].rstrip("/")
    process.terminate()
    process.wait(20)


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield running
        running.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" and report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture
def open_page(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Callable[..., Table]]:
    """Open a window of its own; at the end of the test none of them may have complained. Of a test that failed it is
    told what its windows showed and what was said last."""
    tables: list[Table] = []

    def opened(lang: str = "en", **context: Any) -> Table:
        tables.append(Table(browser, address, lang, **context))
        return tables[-1]

    yield opened
    if request.node.stash.get(FAILED, False):
        for table in tables:
            print(table.last_seen())
        print("the server:", *SERVER_SAID[-20:], sep="\n  ")
    complaints = [line for table in tables for line in table.complaints]
    for table in tables:
        table.context.close()
    assert complaints == []


@pytest.fixture
def new_table(address: str) -> Callable[..., dict[str, Any]]:
    def made(game: str, *kinds: str, **more: Any) -> dict[str, Any]:
        seats = [{"kind": kind, **({"level": "easy"} if kind == "computer" else {})} for kind in kinds]
        reply = httpx.post(f"{address}/api/tables", json={"game": game, "seed": 7, "seats": seats, **more}, timeout=60)
        assert reply.status_code == 200, reply.text
        table: dict[str, Any] = reply.json()
        return table

    return made


@pytest.fixture
def first_battle(address: str) -> Callable[..., dict[str, Any]]:
    """A table with the small armies of a game's first battle, against the computer."""

    def made(game: str, **more: Any) -> dict[str, Any]:
        menu = next(menu for menu in httpx.get(f"{address}/api/games", timeout=60).json() if menu["id"] == game)
        first = menu["library"]["first"]
        seats = [{"kind": "person"}, {"kind": "computer", "level": "easy"}]
        for seat, army in zip(seats, first["armies"], strict=True):
            seat["army"] = army
        wish = {"game": game, "seed": 7, "seats": seats, "options": first["options"], **more}
        reply = httpx.post(f"{address}/api/tables", json=wish, timeout=60)
        assert reply.status_code == 200, reply.text
        table: dict[str, Any] = reply.json()
        return table

    return made
