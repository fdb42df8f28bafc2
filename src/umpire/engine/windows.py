"""Windows: the one way to let players react at a named moment, in the order that a game's book gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from umpire.engine.decisions import Choose, Option
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.text import Text

if TYPE_CHECKING:
    from umpire.engine.battle import Battle

PASS = "pass"


def window(
    battle: Battle[Any],
    prompt: str | Text,
    sides: Sequence[int],
    options: Callable[[int], Sequence[Option]],
    carry_out: Callable[[int, str], Steps[Any]],
    *,
    rules: tuple[str, ...] | str = (),
    about: str = "",
    refuse: Callable[[int, str], list[Reason]] | None = None,
    alternate: bool = False,
    most: int | None = None,
) -> Steps[int]:
    """Ask sides in order whether they react, and carry each reaction out at once; answers how many there were.

    A side is asked only while it has an option. By default a side reacts until it passes, and then the next does; with
    `alternate` they take turns until all have passed one after the other. `most` bounds the reactions of the window.
    """
    done = turn = passed = 0
    while passed < len(sides) and (most is None or done < most):
        side = sides[turn % len(sides)]
        choices = battle.know(partial(_choices, options, side))
        choice = PASS
        if choices:
            choice = yield Choose(side, prompt, choices, rules, about, _refuses(refuse, side))
        if choice == PASS:
            passed += 1
            turn += 1
            continue
        done += 1
        yield from carry_out(side, choice)
        if alternate:
            passed = 0
            turn += 1
    return done


def _choices(options: Callable[[int], Sequence[Option]], side: int) -> Sequence[Option]:
    """What a side can react with, or not; nothing, where it can only pass."""
    found = options(side)
    return (*found, Option(PASS, Text("option.pass"), passes=True)) if found else ()


def _refuses(refuse: Callable[[int, str], list[Reason]] | None, side: int) -> Callable[[str], list[Reason]] | None:
    return None if refuse is None else lambda wish: refuse(side, wish)
