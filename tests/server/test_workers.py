"""The time of a worker: what counts as a table's own, and what is the machine's."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.house import GAME, TESTS
from umpire.server import menus, pool
from umpire.server.computer import time_limit
from umpire.server.loading import loads
from umpire.server.pool import Pool, Worker
from umpire.server.problems import Killed, Problem
from umpire.server.tables import Tables
from umpire.server.worker import Alarm, TooLong


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TESTS), *sys.path]))


def _forever() -> None:
    while True:
        pass


def test_an_alarm_that_rings_too_late_harms_nobody() -> None:
    before = signal.getsignal(signal.SIGPROF)
    try:
        alarm = Alarm()
        with pytest.raises(TooLong), alarm.at_most(0.05):
            _forever()
        signal.raise_signal(signal.SIGPROF)  # a last one, that was on its way
        with alarm.at_most(30.0):
            pass
        assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    finally:
        signal.signal(signal.SIGPROF, before)


def _busy(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_loading_geometry_is_nobodys_time_and_is_not_broken_off() -> None:
    def load_and(work: Callable[[], None]) -> None:
        with loads.around():
            _busy(0.3)
        work()

    before = signal.getsignal(signal.SIGPROF)
    try:
        alarm = Alarm()
        with alarm.at_most(0.1):
            load_and(lambda: _busy(0.02))
        with pytest.raises(TooLong), alarm.at_most(0.1):
            load_and(_forever)
        with time_limit(0.05), loads.around():
            _busy(0.4)
    finally:
        signal.signal(signal.SIGPROF, before)


def test_loading_a_game_is_nobodys_time() -> None:
    """Not even in a process that was started anew because another was killed."""

    async def scene() -> None:
        worker = Worker((GAME,), "test", share=0.001)
        worker.cold = False
        wish: dict[str, Any] = {"game": "warcry", "seed": 1, "scenario": None, "options": {}, "armies": [None, None]}
        try:
            for generation in (1, 2):
                await worker.know("warcry")
                await worker.know("warcry")
                assert worker.generation == generation
                prepared = await worker.call("prepare", share=30.0, **wish)
                assert prepared["setup"]
                assert worker.pid is not None
                os.kill(worker.pid, signal.SIGKILL)
                while worker.pid is not None:
                    await asyncio.sleep(0.01)
            with pytest.raises(Problem) as refused:
                await worker.know("chess")
            assert refused.value.code == "refused"
            assert "chess" not in worker._knows
        finally:
            await worker.close()

    asyncio.run(scene())


def test_a_worker_that_gets_no_processor_is_not_taken_for_hung(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is ready and others run: its own clock counts. One that sleeps, or has used its time, is killed."""
    clock = {"used": 0.0, "ready": True}
    monkeypatch.setattr(pool, "working", lambda pid: (clock["used"], bool(clock["ready"])))

    async def scene() -> None:
        worker = Worker(("server.endless",), "test")
        worker.cold = False
        try:
            await worker.call("names", game="endless")
            asking = asyncio.create_task(
                worker.call("prepare", 0.1, game="endless", seed=1, scenario=None, options={}, armies=[])
            )
            await asyncio.sleep(1.0)
            assert not asking.done()
            clock["used"] = 0.2
            with pytest.raises(Killed):
                await asking
        finally:
            await worker.close()

    asyncio.run(scene())


def test_what_a_process_has_used_is_told() -> None:
    used, ready = pool.working(os.getpid())
    assert ready
    assert abs(used - time.process_time()) < 1.0
    assert pool.working(None) == (0.0, False)


def test_the_menus_are_worked_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And again when anything that they are made of has changed."""
    asked = []

    class Maker(Pool):
        async def make(self, operation: str, share: float = 0.0, **arguments: Any) -> Any:
            asked.append(operation)
            return b"[%d]" % len(asked)

    def told(modules: tuple[str, ...] = ()) -> bytes:
        kept: Any = None
        return asyncio.run(Tables(kept, Maker(modules, 1), kept, kept, tmp_path).games())

    assert told() == b"[1]"
    assert told() == b"[1]"
    assert told((GAME,)) == b"[2]", "a game that came with the process is in no file"
    assert told() == b"[1]"
    monkeypatch.setattr(menus, "fingerprint", lambda: "another version")
    assert told() == b"[3]"
    assert told() == b"[3]"
    assert len(asked) == 3
