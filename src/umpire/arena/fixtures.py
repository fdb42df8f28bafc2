"""Who meets whom: contestants, the fixtures between them, and the result of each battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.game import Tally
from umpire.errors import fault


class Contestant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player with an army; without one, the battle's seed musters it."""

    player: str
    army: Any = None
    name: str = ""

    @property
    def label(self) -> str:
        return self.name or self.player


class Fixture(msgspec.Struct, frozen=True, omit_defaults=True):
    """One battle to be played: `who` sits on side 0 and on side 1, by their place among the contestants."""

    number: int
    seed: int
    who: tuple[int, int]


class Result(msgspec.Struct, omit_defaults=True):
    """What became of a fixture. `winner` and `first` are sides; `first` had the first turn, where the game tells."""

    number: int
    seed: int
    who: tuple[int, int]
    winner: int | None = None
    score: tuple[float, ...] = ()
    decisions: int = 0
    seconds: float = 0.0
    first: int | None = None
    tally: Tally | None = None
    fired: dict[str, int] = {}
    error: str = ""

    @property
    def points(self) -> tuple[float, float]:
        """1 for a win, half for a draw, by side."""
        if self.winner is None:
            return (0.5, 0.5)
        return (1.0, 0.0) if self.winner == 0 else (0.0, 1.0)


class Series(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Many battles of one game: what decides every result, so that equal series have equal results."""

    game: str
    battles: int
    seed: int = 0
    contestants: tuple[Contestant, ...] = (Contestant("random"), Contestant("random"))
    meetings: tuple[tuple[int, int], ...] = ((0, 1),)
    """The pairs that meet; each plays `battles` battles."""
    scenario: Any = None
    options: dict[str, Any] = {}
    without: tuple[str, ...] = ()
    """Rules that are switched off."""
    level_lists: bool = False
    """Both sides of a battle lead the same list, mustered by its seed."""
    salt: str = ""
    """A secret from which the dice of every battle come, so that no contestant can work them out from its seed."""

    def fixtures(self) -> Iterator[Fixture]:
        """Unequal contestants play each seed twice, sides swapped; equal ones need a seed for every battle."""
        number = 0
        for a, b in self.meetings:
            swap = self.contestants[a] != self.contestants[b]
            for i in range(self.battles):
                pair, odd = divmod(i, 2) if swap else (i, 0)
                yield Fixture(number, self.seed + pair, (b, a) if odd else (a, b))
                number += 1


def matchup(game: str, battles: int, seed: int, a: Contestant, b: Contestant, **more: Any) -> Series:
    """Two contestants against each other."""
    return Series(game=game, battles=battles, seed=seed, contestants=(a, b), **more)


def round_robin(game: str, battles: int, seed: int, contestants: Sequence[Contestant], **more: Any) -> Series:
    """Each against each."""
    if len(contestants) < 2:
        raise fault("error.a-round-robin-needs-two")
    meetings = tuple((a, b) for a in range(len(contestants)) for b in range(a + 1, len(contestants)))
    return Series(game=game, battles=battles, seed=seed, contestants=tuple(contestants), meetings=meetings, **more)


def mirror(game: str, battles: int, seed: int, contestants: Sequence[Contestant], **more: Any) -> Series:
    """Each against itself with the same list on both sides: what is left is the advantage of the seat and of the
    first turn."""
    meetings = tuple((i, i) for i in range(len(contestants)))
    return Series(
        game=game,
        battles=battles,
        seed=seed,
        contestants=tuple(contestants),
        meetings=meetings,
        level_lists=True,
        **more,
    )
