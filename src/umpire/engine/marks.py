"""Checkpoints: where a battle can go back to, and the answers that lead on from there."""

from __future__ import annotations

import msgspec

from umpire.engine.decisions import Json
from umpire.engine.state import State

UNMARKED = 1 << 62
"""A checkpoint after so many answers is never reached: a battle that is only thought of makes none."""


class Answer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a side answered; `dice` for faces typed in by people. `rolled` and `shown` count what had come to light
    before it, `events` what had happened. With `anew` other dice were taken before it than those that had been seen:
    it is the first answer after that many take-backs."""

    side: int
    answer: Json
    dice: bool = False
    rolled: int = 0
    shown: int = 0
    events: int = 0
    anew: int = 0


SPARSE, CLOSE = 16, 4
"""A battle that goes on and never back is marked after so many answers; one that has gone back once, and so may again,
after fewer; one that has been forked, at every step."""


LIVE, MIDST, LAST = 0, 1, 2
"""Answers are given for the first time, again, or again and for the last time before the moment gone back to. Where
dice are typed in, only the last puts a mark: before it, those for later answers lie ready. Else each does: the moment
gone back to may be in the midst of a step, and whoever goes back to it once will do so again."""


NEAR = 4
"""So many of the last checkpoints are all kept; those before them lie the further apart the longer ago they are."""


class Mark(msgspec.Struct, frozen=True):
    """A checkpoint: the data at the start of a step, never changed again, and what had been answered and told then.
    So many steps were taken `ahead` of it before one asked something: going back there, the mark moves up to it."""

    state: State
    answers: int
    events: int
    ahead: int = 0


def thin(marks: list[Mark]) -> None:
    """Let checkpoints go that lie close together and far back: a long battle keeps a few more than a short one, and
    going back by so many answers gives at most about half as many again."""
    now = marks[-1].answers
    for k in range(len(marks) - NEAR, 0, -1):
        if 2 * (marks[k + 1].answers - marks[k - 1].answers) <= now - marks[k + 1].answers:
            del marks[k]
