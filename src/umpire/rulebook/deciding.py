"""Where a rule decides that no reason, number, ability or step carries: a definition, a measure, a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


def decides(*rules: str) -> Callable[[F], F]:
    """Mark the one function that is a rule: `umpire rules ID` tells where it stands. It changes nothing."""

    def marked(function: F) -> F:
        return function

    return marked
