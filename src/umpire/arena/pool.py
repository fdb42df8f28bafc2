"""Worker processes that lose nothing but the battle they were fighting when they died."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from umpire.arena.fighting import fight, start
from umpire.arena.fixtures import Fixture, Result, Series
from umpire.engine.game import find_game
from umpire.space.warm import warm


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _work(line: Connection, series: Series, home: str) -> None:
    """Fight the fixtures that come down the line until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever interrupts the run interrupts its parent
    import_module(home)
    gc.freeze()  # what was there before the fork stays: looking through it would only copy its pages
    while (fixture := line.recv()) is not None:
        line.send(fight(series, fixture))


class _Worker:
    def __init__(self, context: Any, series: Series, home: str) -> None:
        self.line, far = context.Pipe()
        self.process: BaseProcess = context.Process(target=_work, args=(far, series, home), daemon=True)
        self.process.start()
        far.close()
        self.fixture: Fixture | None = None

    def give(self, fixture: Fixture) -> None:
        self.fixture = fixture
        with suppress(OSError):  # dead already: taking its result will say so
            self.line.send(fixture)

    def take(self) -> Result | None:
        """The result of its fixture; None if the worker died over it."""
        try:
            found: Result = self.line.recv()
        except (EOFError, OSError):
            return None
        self.fixture = None
        return found

    def end(self) -> None:
        self.line.close()
        if self.process.is_alive():
            self.process.terminate()
        self.process.join()


def ready(series: Series) -> None:
    """Load what battles of this series read, once for all workers that are forked; what is wrong with it they tell."""
    with suppress(Exception):
        start(series, next(series.fixtures()))


def fight_all(series: Series, fixtures: Iterable[Fixture], jobs: int) -> Iterator[Result]:
    """Fight the fixtures on `jobs` processes; results come as they are done."""
    # A forked worker has the game and its geometry loaded; elsewhere it loads the game's module itself.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    home = find_game(series.game).state.__module__
    if home.startswith("umpire.games."):
        warm()
    todo = iter(fixtures)
    ready(series)
    workers: list[_Worker] = []

    def next_fixture(worker: _Worker) -> bool:
        fixture = next(todo, None)
        if fixture is None:
            return False
        worker.give(fixture)
        return True

    try:
        for fixture in todo:
            workers.append(_Worker(context, series, home))
            workers[-1].give(fixture)
            if len(workers) == jobs:
                break
        while workers:
            lines: dict[Any, _Worker] = {worker.line: worker for worker in workers}
            for line in wait(list(lines)):
                worker = lines[line]
                over = worker.fixture
                assert over is not None
                result = worker.take()
                if result is None:
                    worker.end()
                    workers.remove(worker)
                    code = worker.process.exitcode
                    result = Result(over.number, over.seed, over.who, error=f"the worker died (exit {code})")
                    worker = _Worker(context, series, home)
                    workers.append(worker)
                if not next_fixture(worker):
                    worker.end()
                    workers.remove(worker)
                yield result
    finally:
        for worker in workers:
            worker.end()
