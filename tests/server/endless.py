"""A game whose set-up never ends."""

from __future__ import annotations

import tiny
from umpire.engine.game import Game, Setup, register
from umpire.engine.rng import Rng


def resolve(setup: Setup, rng: Rng) -> Setup:
    while True:
        rng.random()


register(
    Game(
        **{name: getattr(tiny.GAME, name) for name in ("names", "state", "start", "picture", "name")},
        id="endless",
        resolve=resolve,
    )
)
