"""Steps: a rule as a generator that yields questions and is sent answers, so that it reads as its paragraph does.

Nothing lives in a generator between two steps: a step starts from the data alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Sequence
from types import GeneratorType
from typing import Any, ParamSpec, TypeAlias, TypeVar, cast

from umpire.engine.decisions import Decision
from umpire.engine.state import Task
from umpire.errors import fault, unknown

T = TypeVar("T")
P = ParamSpec("P")

Ask: TypeAlias = Decision | Sequence[Decision]
"""One question, or one for each of several sides, answered in secret and carried out together."""

Steps: TypeAlias = Generator[Ask, Any, T]
"""What a step is: it yields questions, is sent answers, and returns a T."""

Outcome: TypeAlias = T | Steps[T]
"""What comes of a function that asks nothing, or of one that does."""

_STEPS: dict[str, Callable[..., Any]] = {}


def step(function: Callable[P, T]) -> Callable[P, T]:
    """Register a function as a step that can stand on an agenda, by the name of its chapter and its own."""
    module = function.__module__.removeprefix("umpire.games.").removeprefix("umpire.")
    name = f"{module}.{function.__qualname__}"
    if name in _STEPS and inspect.getsourcefile(_STEPS[name]) != inspect.getsourcefile(function):
        raise ValueError(f"two steps are named {name}")
    _STEPS[name] = function
    function.__step__ = name  # type: ignore[attr-defined]
    return function


def outcome(found: Outcome[T]) -> Steps[T]:
    """What comes of it, after its questions where it has some."""
    if isinstance(found, GeneratorType):
        return cast("T", (yield from found))
    return cast("T", found)


def step_name(function: Callable[..., Any]) -> str:
    try:
        return function.__step__  # type: ignore[attr-defined,no-any-return]
    except AttributeError:
        raise TypeError(f"{function!r} is not a step: decorate it with @step") from None


find_step: Callable[[str], Callable[..., Any]] = _STEPS.__getitem__
"""The step of that name: asked for at every step of every battle, so a bare look-up."""


def check_agenda(due: Sequence[Task], where: str) -> None:
    """Is every entry that somebody wrote down a step that there is, with what it needs to know?"""
    for n, task in enumerate(due):
        if task.step not in _STEPS:
            raise unknown("step", task.step, f"{where}.{n}")
        try:
            inspect.signature(_STEPS[task.step]).bind(None, *task.args)
        except TypeError:
            raise fault("error.scene.step", f"{where}.{n}", step=task.step, given=len(task.args)) from None


def agenda(*due: Callable[..., Any] | Sequence[Any]) -> list[Task]:
    """What is to be done in this order, each a step, or a step and its arguments; the next thing stands last."""
    entries = [(one, ()) if callable(one) else (one[0], one[1:]) for one in due]
    return [Task(step_name(step), tuple(args)) for step, args in reversed(entries)]
