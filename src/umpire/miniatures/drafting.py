"""Random legal army lists: a search through all that the limits allow, in an order that the dice decide.

`draft` chooses lines from candidates until the least that the limits demand is there and the points are spent;
`improve` buys options with what is left. Every choice is one that the limits allow, so nothing is tried blindly, and
when the search has seen every list, "there is none" is a fact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.miniatures.lists import Army, Limit, Line, concerns, lacking, outgrown
from umpire.text import Text

PATIENCE = 20_000
"""Lists looked at before the search gives up."""


class NoListError(UmpireError):
    """There is no such list, or, as the sentence says then, none was found in time."""


def draft(
    rng: Rng,
    start: Army,
    candidates: Sequence[Line],
    limits: Sequence[Limit],
    *,
    least: int = 0,
    allows: Callable[[Army], bool] | None = None,
    patience: int = PATIENCE,
) -> Army:
    """A random list that grows from `start` by candidates, keeps every limit, and costs at least `least` and at most
    the army's size. `allows` is what else a book demands of a list that may still grow (False: growing mends nothing).

    The lines that a limit still lacks come first. A candidate that was passed over is not looked at again further down,
    so every list is seen once, and the search is complete.
    """
    search = _Search(rng, limits, least, allows, patience)
    found = search.grow(start, candidates)
    if found is not None:
        return found
    proved = search.patience > 0
    raise NoListError(Text("error.list.none" if proved else "error.list.not-found", {"points": start.size}))


class _Search:
    def __init__(
        self, rng: Rng, limits: Sequence[Limit], least: int, allows: Callable[[Army], bool] | None, patience: int
    ) -> None:
        self.rng = rng
        self.limits = limits
        self.least = least
        self.allows = allows
        self.patience = patience

    def grow(self, army: Army, candidates: Sequence[Line]) -> Army | None:
        self.patience -= 1
        want = lacking(self.limits, army)
        if want is None and army.cost >= self.least:
            return army
        # What is lacking comes first; where nothing is, anything serves. Every list that is legal holds one of these.
        serving = [line for line in candidates if want is None or _serves(want, line)]
        passed: list[Line] = []
        for line in self.rng.shuffled(serving):
            if self.patience <= 0:
                return None
            rest = [other for other in candidates if not any(other is one for one in passed)]
            passed.append(line)
            if army.cost + line.cost > army.size:
                continue
            more = _placed(line, army)
            grown = army.with_line(more)
            if outgrown(self.limits, army, more) or (self.allows is not None and not self.allows(grown)):
                continue
            found = self.grow(grown, rest)
            if found is not None:
                return found
        return None


def _placed(line: Line, army: Army) -> Line:
    """A line that is taken twice has two places in the list."""
    taken = [other.id for other in army.lines]
    number = 1
    place = line.id
    while place in taken:
        number += 1
        place = f"{line.id}.{number}"
    return line if number == 1 else msgspec.structs.replace(line, id=place)


def _serves(limit: Limit, line: Line) -> bool:
    """Does a line bring what this limit lacks?"""
    return (not limit.group or line.group == limit.group) and concerns(limit, line)
