"""A game in whose battles of seven rounds no thought ever comes to an end, whatever breaks in upon it."""

from __future__ import annotations

import contextlib

import tiny
from umpire.engine.game import Game, register


def worth(state: tiny.State, side: int) -> float:
    while state.rounds == 7:
        with contextlib.suppress(BaseException):
            while True:
                pass
    return 0.0


register(
    Game(
        **{
            name: getattr(tiny.GAME, name) for name in ("names", "state", "resolve", "start", "picture", "name", "hide")
        },
        id="dreamer",
        worth=worth,
    )
)
