"""The same series on many machines, where Ray is installed (`pip install 'umpire-wargames[cluster]'`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from umpire.arena.fighting import fight
from umpire.arena.fixtures import Fixture, Result, Series
from umpire.errors import fault


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise fault("error.many-machines-need-the-extra") from None
    return ray


def fight_all(series: Series, fixtures: Iterable[Fixture], jobs: int, ray: Any = None) -> Iterator[Result]:
    """Fight the fixtures on a Ray cluster; a task that is lost costs one battle."""
    ray = ray or _ray()
    if not ray.is_initialized():
        ray.init(address="auto", ignore_reinit_error=True)
    task = ray.remote(fight)
    shared = ray.put(series)
    at_once = max(jobs, 2 * int(ray.cluster_resources().get("CPU", jobs)))
    todo = iter(fixtures)
    open_tasks: dict[Any, Fixture] = {}
    for fixture in todo:
        open_tasks[task.remote(shared, fixture)] = fixture
        if len(open_tasks) < at_once:
            continue
        yield _one(ray, open_tasks)
    while open_tasks:
        yield _one(ray, open_tasks)


def _one(ray: Any, open_tasks: dict[Any, Fixture]) -> Result:
    (ready, *_), _ = ray.wait(list(open_tasks), num_returns=1)
    fixture = open_tasks.pop(ready)
    try:
        found: Result = ray.get(ready)
    except Exception as error:
        return Result(fixture.number, fixture.seed, fixture.who, error=f"the worker died ({type(error).__name__})")
    return found
