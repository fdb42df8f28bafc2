"""What must never happen: an acknowledged answer lost, a table changed by garbage, a server that stops."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import WebSocketException

import umpire
from server.fuzz import malformed, stream
from server.house import GAME, TESTS, House, Player, house
from umpire.engine.rng import Rng
from umpire.players.planner import Planner
from umpire.server.computer import Computers
from umpire.server.pool import Worker
from umpire.server.problems import Problem


def play(player: Player, stop: threading.Event) -> None:
    """Play one seat; what the player has seen is what the server must not lose."""
    # The server is killed under us: that is no failure.
    with contextlib.suppress(WebSocketException, OSError, EOFError, TimeoutError):
        while player.view["outcome"] is None and not stop.is_set():
            if player.asked:
                player.answer(player.suggested())
            else:
                player.hear()


@pytest.mark.parametrize("enough", [25, 600])
def test_kill_at_any_moment_and_restart_loses_no_acknowledged_answer(
    tmp_path: Path, database_url: str, enough: int
) -> None:
    with house(tmp_path, database=database_url) as running:
        tables = [running.table(*kinds, options={"rounds": 200}) for kinds in [("person", "person")] * 3]
        tables.append(running.table("person", "computer", options={"rounds": 200}))
        players = [running.sit(made, link["side"]) for made in tables for link in made["links"]]
        for player in players:
            player.until("view")
        stop = threading.Event()
        threads = [threading.Thread(target=play, args=(player, stop), daemon=True) for player in players]
        for thread in threads:
            thread.start()
        end = time.monotonic() + 60
        while sum(player.view["answers"] for player in players) < enough and time.monotonic() < end:
            time.sleep(0.001)
        running.kill()
        stop.set()
        for thread in threads:
            thread.join(30)
        running.start()
        for player in players:
            made = next(made for made in tables if made["table"] == player.table["id"])
            again = running.sit(made, player.view["side"])
            again.until("view")
            assert again.view["answers"] >= player.view["answers"] > 0
            seen = [e for m in player.heard if m["type"] in ("view", "update") for e in m["view"]["events"]]
            assert again.view["events"][: len(seen)] == seen
            if again.asked:
                assert again.answer(again.suggested())["type"] == "update", "the battle goes on"


def test_a_battle_goes_on_when_its_worker_dies(running: House) -> None:
    made = running.table("person", "person", seed=1)
    first, second = running.sit(made, 0), running.sit(made, 1)
    for player in (first, second):
        player.until("view")
    first.answer("2")
    workers = _workers(running)
    assert workers
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    reply = second.answer("1")
    if reply["type"] == "error":
        assert reply["code"] == "internal"
        reply = second.answer("1")
    assert reply["type"] == "update"
    assert reply["view"]["answers"] == 2


def test_an_interrupt_ends_everything_quietly(tmp_path: Path) -> None:
    with house(tmp_path) as running:
        made = running.table("person", "person", seed=1)
        player = running.sit(made, 0)
        player.until("view")
        workers = _workers(running)
        assert workers
        running.process.send_signal(signal.SIGINT)
        running.process.wait(15)
        assert not any("Traceback" in line for line in running.said), running.said
        end = time.monotonic() + 10
        while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < end:
            time.sleep(0.05)
        assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def _workers(running: House) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(running.process.pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def test_garbage_is_refused_and_changes_nothing(running: House) -> None:
    made = running.table("person", "person", seed=1)
    first, second = running.sit(made, 0), running.sit(made, 1)
    for player in (first, second):
        player.until("view")
    first.answer("2")
    second.until("update")
    before = {**second.view, "table": None}
    watcher = running.sit(made, None)
    watcher.until("view")
    for seed, player in enumerate((first, watcher)):  # neither is asked: the first has answered, the watcher never is
        for message in stream(seed, 1500):
            player.socket.send(message)
            assert _refusal(player)["type"] == "error"
    again = running.sit(made, 1)
    again.until("view")
    assert {**again.view, "table": None, "events": []} == {**before, "events": []}
    assert again.answer("1")["type"] == "update"


def test_garbage_from_the_side_that_is_asked_never_answers_for_it(running: House) -> None:
    made = running.table("person", "person", seed=1)
    first = running.sit(made, 0)
    first.until("view")
    rng = Rng(99)
    for _ in range(800):
        first.socket.send(malformed(rng))
        assert _refusal(first)["type"] in ("error", "ruling")
    assert running.get(f"/api/tables/{made['table']}").json()["answers"] == 0


def _refusal(player: Player) -> dict[str, object]:
    while True:
        message = player.hear()
        if message["type"] in ("view", "table"):  # a stale question brings a fresh view
            continue
        if message["type"] == "error":
            assert message["code"] in ("bad-message", "not-asked", "stale", "forbidden", "too-large", "refused"), (
                message
            )
            assert message["text"]["zh"]
            assert message["text"]["en"]
        return message


def test_a_message_too_large_is_refused(running: House) -> None:
    made = running.table("person", "person", seed=1)
    first = running.sit(made, 0)
    first.until("view")
    first.socket.send('{"type":"chat","text":"' + "x" * 70_000 + '"}')
    assert first.until("error")["code"] == "too-large"
    assert first.answer("1")["type"] == "update"


def test_who_goes_too_fast_is_told_so_and_cut_off_at_last(tmp_path: Path) -> None:
    with house(tmp_path, rates="usual") as running:
        made = running.table("person", "person", seed=1)
        first, second = running.sit(made, 0), running.sit(made, 1)
        for player in (first, second):
            player.until("view")
        for _ in range(600):
            first.say("reach", id=1, n=0)
        codes = [first.until("reach", "error").get("code") for _ in range(600)]
        assert codes.count("too-fast") > 100
        assert second.answer("1")["type"] == "update", "nobody else waits"
        with contextlib.suppress(WebSocketException):
            for _ in range(4000):
                first.say("chat", text="!")
        with pytest.raises(WebSocketException):
            first.until("the end")


AFRESH = """
import sys, msgspec
from umpire.engine.battle import Battle
for save, side, answer in msgspec.msgpack.decode(sys.stdin.buffer.read()):
    battle = Battle.load(save)
    ruling = battle.check(answer, side)
    assert ruling, (battle.decision, answer, str(ruling))
"""


@pytest.mark.parametrize("game", ["warcry", "aos", "conquest"])
def test_a_process_that_has_seen_no_battle_goes_on_with_a_saved_one(game: str) -> None:
    battle = umpire.battle(game, seed=2)
    saved = []
    while (ask := battle.decision) is not None and len(saved) < 60:
        answer = ask.suggest()
        saved.append((battle.save(), ask.side, answer))
        battle.answer(answer, ask.side)
    told = subprocess.run(
        [sys.executable, "-c", AFRESH], input=msgspec.msgpack.encode(saved), capture_output=True, check=False
    )
    assert told.returncode == 0, told.stderr.decode()[-2000:]


def _never_ends(*_: object) -> None:
    while True:
        pass


def _never_ends_and_catches_all(*_: object) -> None:
    while True:
        with contextlib.suppress(Exception):
            _never_ends()


@pytest.mark.parametrize("thought", [_never_ends, _never_ends_and_catches_all])
def test_a_thought_that_never_ends_has_an_answer_in_time(
    monkeypatch: pytest.MonkeyPatch, thought: Callable[..., None]
) -> None:
    monkeypatch.setattr("umpire.server.computer.Planner.choose", thought)
    battle = umpire.battle(GAME, seed=3)
    ask = battle.decision
    assert ask is not None
    choice = Computers().choose(battle, ask.side, ask, "normal", 0.1)
    assert choice.spare
    assert battle.check(choice.answer, ask.side)


def test_a_planner_that_overlooks_the_clock_gives_the_best_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told from outside that its time is over, and what it has weighed by then counts."""
    weighed = Planner._play
    plays = 0

    def slow(self: Planner, *more: Any) -> Any:
        nonlocal plays
        plays += 1
        return weighed(self, *more) if plays < 3 else _never_ends()

    monkeypatch.setattr("umpire.server.computer.Planner._play", slow)
    battle = umpire.battle(GAME, seed=3)
    ask = battle.decision
    assert ask is not None
    choice = Computers().choose(battle, ask.side, ask, "normal", 0.1)
    assert not choice.spare
    assert plays == 3  # two were weighed, the third had no end
    assert choice.text["en"]


def test_a_computer_whose_thoughts_hang_plays_on(tmp_path: Path) -> None:
    """Not even the alarm reaches it: the table does not wait, and the process is replaced."""
    with house(tmp_path, modules=("server.dreamer",)) as running:
        awake = running.sit(running.table("person", "person", game="dreamer", seed=3), 0)
        awake.until("view")
        awake.say("hint", id=1, n=0)
        awake.until("hint", timeout=120)  # the computers are ready to think
        made = running.table("person", "computer", game="dreamer", seed=3, options={"rounds": 7})
        player = running.sit(made, 0)
        player.until("view")
        player.answer(player.suggested())
        while player.view["answers"] < 4:
            if player.asked:
                player.answer(player.suggested())
            else:
                player.until("update", timeout=60)


def test_rules_that_never_end_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that does not answer is killed, and the next question starts another."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TESTS), *sys.path]))

    async def scene() -> None:
        worker = Worker(("server.endless",), "test")
        worker.cold = False
        try:
            with pytest.raises(Problem) as refused:
                await worker.call("prepare", 1.0, game="endless", seed=1, scenario=None, options={}, armies=[])
            assert refused.value.code == "internal"
            known = await worker.call("games")
            assert b"endless" in known
            assert worker.generation == 2
        finally:
            await worker.close()

    asyncio.run(scene())
