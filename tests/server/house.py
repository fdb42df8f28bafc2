"""A real server in a process of its own, and players that talk to it over sockets."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

import tiny
from umpire.engine.dice import commit
from umpire.space.warm import warm

GAME = tiny.GAME.id
TESTS = Path(__file__).parents[1]
PATIENCE = 120.0
"""So long a test waits for an answer before it gives up: a busy machine is no fault."""
SCRIPT = """
import json, sys
from pathlib import Path
from umpire.server.net import NetLimits
from umpire.server.notices import Host, Mail
from umpire.server.seats import Rates
from umpire.server.serve import serve
wish = json.loads(sys.argv[1])
if wish.pop("rates") == "fast":
    wish["rates"] = Rates(messages=1e6, burst=1e6, chat=1e6, chat_burst=1e6)
    wish["net"] = NetLimits(frames=1e6, burst=1e6)
    wish["tables_at_once"] = 1e6
if "limits" in wish:
    wish["net"] = NetLimits(**wish.pop("limits"))
if "notices" in wish:
    mail = wish["notices"].pop("mail", None)
    wish["notices"] = Host(**wish["notices"], mail=Mail(*mail) if mail else None)
if "grace" in wish:
    import umpire.server.notices
    umpire.server.notices.GRACE = wish.pop("grace")
wish["data"], wish["modules"] = Path(wish["data"]), tuple(wish["modules"])
serve(**wish)
"""


class House:
    """A server that can be killed and started again on the same folder."""

    def __init__(
        self, data: Path, rates: str = "fast", cores: int = 1, modules: tuple[str, ...] = (GAME,), **more: Any
    ) -> None:
        usual = {"rates": rates, "cores": cores, "modules": modules, "port": 0, "rehearse": False}
        self.wish = {"data": str(data), **usual, **more}
        self.data = data
        self.said: list[str] = []
        self.start()

    def start(self) -> None:
        warm()  # what is compiled once must not come between a question and its answer
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, json.dumps(self.wish)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
            stderr=subprocess.PIPE,
            text=True,
        )
        stderr = self.process.stderr
        assert stderr is not None
        first = ""
        while not first.startswith("Umpire: "):
            first = stderr.readline()
            self.said.append(first)
            assert first, self.said
        self.address = first.split()[1].rstrip("/")
        threading.Thread(target=lambda: self.said.extend(stderr), daemon=True).start()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return httpx.get(self.address + path, timeout=PATIENCE, **more)

    def post(self, path: str, body: Any, **more: Any) -> httpx.Response:
        return self.send("POST", path, body, **more)

    def send(self, method: str, path: str, body: Any = b"", key: str = "", **more: Any) -> httpx.Response:
        content = body if isinstance(body, (bytes, str)) else json.dumps(body)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.request(method, self.address + path, content=content, timeout=PATIENCE, headers=headers, **more)

    def record(self, table: str, token: str) -> httpx.Response:
        return self.get(f"/api/records/{table}", headers={"Authorization": f"Bearer {token}"})

    def table(self, *kinds: str, **more: Any) -> dict[str, Any]:
        wish = {"game": GAME, "seats": [{"kind": kind} for kind in kinds or ("person", "person")], **more}
        reply = self.post("/api/tables", wish)
        assert reply.status_code == 200, reply.text
        made: dict[str, Any] = reply.json()
        return made

    def sit(self, table: dict[str, Any], side: int | None, **more: Any) -> Player:
        token = table["watch"] if side is None else next(x["token"] for x in table["links"] if x["side"] == side)
        return Player(self.address, table["table"], token, **more)


class Player:
    """One connection: remembers the last view and everything it was sent. It commits to its luck when it comes, and
    tells it when everybody has come."""

    def __init__(self, address: str, table: str, token: str, luck: str = "", hash: str | None = None) -> None:
        url = f"{address.replace('http', 'ws', 1)}/ws/{table}"
        self._open = contextlib.ExitStack()
        self.socket: ClientConnection = self._open.enter_context(connect(url, open_timeout=PATIENCE, max_size=None))
        self.luck = luck
        self.view: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.heard: list[dict[str, Any]] = []
        self.number = 0
        self.say("join", token=token, hash=hash if hash is not None else commit(luck) if luck else "")

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout))
        self.heard.append(message)
        if message["type"] in ("view", "update"):
            self.view = message["view"]
            self.table = self.view["table"]
        elif message["type"] == "table":
            self.table = message["table"]
        if self.luck and self.view and self.view["side"] in self.table["fairness"]["owing"]:
            luck, self.luck = self.luck, ""
            self.say("luck", luck=luck)
        return message

    def until(self, *kinds: str, timeout: float = PATIENCE) -> dict[str, Any]:
        end = time.monotonic() + timeout
        while True:
            message = self.hear(max(0.01, end - time.monotonic()))
            if message["type"] in kinds:
                return message

    def begun(self) -> dict[str, Any]:
        """The view of the battle as it begins, or as it stands."""
        while not (self.until("view") and self.table["started"]):
            pass
        return self.view

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request about the open question and wait for what answers it."""
        self.number += 1
        self.say(kind, id=self.number, n=self.view["answers"], **fields)
        while True:
            message = self.hear()
            if message.get("id") == self.number:
                return message

    def answer(self, answer: Any) -> dict[str, Any]:
        return self.ask("answer", answer=answer)

    def suggested(self) -> Any:
        reply = self.ask("suggest")
        assert reply["type"] == "suggestion", reply
        return reply["answer"]

    @property
    def asked(self) -> bool:
        return bool(self.view.get("decisions"))

    def close(self) -> None:
        self._open.close()


def step(players: Sequence[Player], answer: Any = None) -> Player:
    """Whoever is asked answers, and everybody hears of it; who it was."""
    latest = max(player.view["answers"] for player in players)
    for player in players:
        while player.view["answers"] < latest:
            player.hear()
    asked = next(player for player in players if player.asked)
    reply = asked.answer(asked.suggested() if answer is None else answer)
    assert reply["type"] == "update", reply
    for player in players:
        while player.view["answers"] <= latest:
            player.hear()
    return asked


def pair(running: House, **more: Any) -> tuple[dict[str, Any], Player, Player]:
    """A table of two people, both there."""
    made = running.table("person", "person", **more)
    first, second = running.sit(made, 0), running.sit(made, 1)
    for player in (first, second):
        player.begun()
    return made, first, second


@contextlib.contextmanager
def house(
    data: Path, rates: str = "fast", cores: int = 1, modules: tuple[str, ...] = (GAME,), **more: Any
) -> Iterator[House]:
    running = House(data, rates, cores, modules, **more)
    try:
        yield running
    finally:
        running.kill()
