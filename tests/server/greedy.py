"""The tiny game with rules that can be made to work without end: what a stranger's set-up may ask for."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Iterator
from typing import Any

import tiny
from umpire.engine.battle import Battle
from umpire.engine.game import Setup, register
from umpire.engine.picture import Picture
from umpire.engine.steps import Steps, step


def start(setup: Setup) -> tiny.State:
    state = tiny.start(setup)
    state.used["kind"] = {"": 0, "dice": 1, "loop": 2, "native": 3}[setup.options.get("work", "")]
    state.agenda.clear()
    tiny.Battle_push(state, toil)
    return state


@step
def toil(battle: Battle[tiny.State]) -> Steps[None]:
    """Ask something, then do what was asked for."""
    yield from tiny.start_round(battle)  # the secret bids
    kind = battle.state.used["kind"]
    if kind == 1:
        battle.roll(10**9, "strike", "tiny.strike")
    while kind == 2:
        with contextlib.suppress(Exception):
            _forever()
    while kind == 3:
        time.sleep(100)  # no processor time, and no Python: only killing helps


def _forever() -> Iterator[int]:
    while True:
        pass


def picture(state: tiny.State) -> Picture:
    if len(state.pawns) > 398:
        raise KeyError("a")  # a set-up that can be made, but not looked at
    return tiny.picture(state)


GAME: Any = register(dataclasses.replace(tiny.GAME, id="greedy", start=start, picture=picture))
