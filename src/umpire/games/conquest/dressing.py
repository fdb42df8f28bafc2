"""Who stands where in a new formation: what its owner may still choose once its ranks and files are settled."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose
from umpire.engine.steps import Steps

from . import formation, ranked
from .state import Regiment, Stand, State

Spots = Mapping[str, tuple[int, int]]
"""Rank and file of those stands whose place is settled."""

Make = Callable[[int, Spots], tuple[Stand, ...] | None]
"""All stands in their places, given the first file of the last rank and what is settled; None if that is illegal."""


def dress(battle: Battle[State], regiment: Regiment, files: int, make: Make) -> Steps[tuple[Stand, ...]]:
    """Ask the owner where a short last rank, the Command Stand and the Character stand, as far as there is a choice."""
    count = len(regiment.stands)
    starts = ranked.rear_starts(count, files)
    rears = battle.know(lambda: {start: made for start in starts if (made := make(start, {})) is not None})
    if not rears:
        return regiment.stands
    rule = "conquest.regiment.incomplete-rear-rank"
    start = yield from _file(regiment, "ask.rear-place", list(rears), rule, regiment.id)
    stands = rears[start]
    settled: dict[str, tuple[int, int]] = {}
    leaders = [s for s in stands if s.command] + [s for s in stands if s.character and not regiment.own]
    for stand in leaders:
        places = formation.centre_files(files) if stand.command else range(files)
        found = battle.know(functools.partial(_open_to, stand, stands, start, settled, places, make))
        open_to = {next(s.file for s in stands if s.id == stand.id): stands, **found}
        prompt, rule = ("ask.character-place", "conquest.character.position")
        if stand.command:
            prompt, rule = ("ask.command-place", "conquest.regiment.command-stand.position")
        file = yield from _file(regiment, prompt, list(open_to), rule, stand.character or stand.id)
        settled[stand.id] = (0, file)
        stands = open_to[file]
    return stands


def _open_to(
    stand: Stand, stands: tuple[Stand, ...], start: int, settled: Spots, places: Iterable[int], make: Make
) -> dict[int, tuple[Stand, ...]]:
    """The files of the front that a stand may have, and who stands where then."""
    taken = [file for _, file in settled.values()]
    tries = ((file, make(start, {**settled, stand.id: (0, file)})) for file in places if file not in taken)
    return {file: made for file, made in tries if made is not None}


def _file(regiment: Regiment, prompt: str, files: list[int], rule: str, about: str) -> Steps[int]:
    """One of these files, the first of them where nobody is asked."""
    if len(files) < 2:
        return files[0]
    options = formation.file_options(sorted(files))
    answer = yield Choose(
        regiment.side, prompt, options, rule, about, formation.no_file(files, rule), default=str(files[0] + 1)
    )
    return int(answer) - 1
