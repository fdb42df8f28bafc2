"""Many machines: the adapter to Ray, on a stand-in for Ray that runs everything at once."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import pytest

import tiny
from umpire import arena
from umpire.arena import Fixture, Result, Series, cluster
from umpire.errors import UmpireError


class FakeRay:
    """What the adapter asks of Ray. The task with this number is lost."""

    def __init__(self, lost: int = -1) -> None:
        self.lost = lost
        self.most = 0
        self._open: dict[int, Callable[[], Any]] = {}

    def is_initialized(self) -> bool:
        return True

    def put(self, value: Any) -> Any:
        return value

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def remote(self, function: Callable[..., Any]) -> Any:
        fake = self

        class Task:
            @staticmethod
            def remote(series: Series, fixture: Fixture) -> int:
                fake._open[fixture.number] = lambda: function(series, fixture)
                fake.most = max(fake.most, len(fake._open))
                return fixture.number

        return Task

    def wait(self, tasks: list[int], num_returns: int) -> tuple[list[int], list[int]]:
        return tasks[-num_returns:], tasks[:-num_returns]

    def get(self, task: int) -> Any:
        work = self._open.pop(task)
        if task == self.lost:
            raise ConnectionError("the machine is gone")
        return work()


def fought(series: Series, ray: FakeRay) -> list[Result]:
    results = sorted(cluster.fight_all(series, series.fixtures(), 2, ray), key=lambda result: result.number)
    for result in results:
        result.seconds = 0.0
    return results


def test_the_results_are_those_of_one_machine_and_few_tasks_are_open_at_once() -> None:
    series = Series(game=tiny.GAME.id, battles=7, seed=2)
    ray = FakeRay()
    _, here = arena.run(series)
    for result in here:
        result.seconds = 0.0
    assert fought(series, ray) == here
    assert ray.most == 2


def test_a_lost_task_costs_one_battle() -> None:
    results = fought(Series(game=tiny.GAME.id, battles=5, seed=2), FakeRay(lost=3))
    assert [result.error for result in results] == ["", "", "", "the worker died (ConnectionError)", ""]


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_the_extra_is_named() -> None:
    with pytest.raises(UmpireError, match=r"umpire-wargames\[cluster\]"):
        list(cluster.fight_all(Series(game=tiny.GAME.id, battles=1), [], 1))
