"""The tiny game with a rule that kills its process."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import tiny
from umpire.engine.battle import Battle
from umpire.engine.game import Setup, register
from umpire.engine.steps import Steps, step


def start(setup: Setup) -> tiny.State:
    state = tiny.start(setup)
    state.agenda.clear()
    tiny.Battle_push(state, fatal)
    return state


@step
def fatal(battle: Battle[tiny.State]) -> Steps[None]:
    yield from tiny.start_round(battle)
    os._exit(1)


GAME: Any = register(dataclasses.replace(tiny.GAME, id="hanging", start=start))
