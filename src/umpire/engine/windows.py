"""Windows: the one way to let players react at a named moment, in the order that a game's book gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from umpire.engine.decisions import Choose, Option
from umpire.engine.steps import Steps
from umpire.text import Text

if TYPE_CHECKING:
    from umpire.engine.battle import Battle

PASS = "pass"


def window(
    battle: Battle[Any],
    moment: str | Text,
    sides: Sequence[int],
    options: Callable[[int], Sequence[Option]],
    carry_out: Callable[[int, str], Steps[Any]],
    *,
    rules: tuple[str, ...] | str = (),
    about: str = "",
    most: int | None = None,
    until_pass: bool = True,
) -> Steps[int]:
    """Ask each side in order whether it reacts, and carry its reactions out at once; answers how many there were.

    A side is asked only while it has an option. With `until_pass` a side may react again until it passes; otherwise
    each is asked once. `most` bounds the reactions of the whole window.
    """
    done = 0
    for side in sides:
        while most is None or done < most:
            choices = list(options(side))
            if not choices:
                break
            choices.append(Option(PASS, Text("option.pass")))
            choice = yield Choose(side, moment, choices, rules, about)
            if choice == PASS:
                break
            done += 1
            yield from carry_out(side, choice)
            if not until_pass:
                break
    return done
