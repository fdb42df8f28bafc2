"""The data with which a battle opens: what a set-up says, the words of a scene, or a state that is written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from umpire import files
from umpire.engine.game import Game, Setup
from umpire.engine.merging import merged
from umpire.engine.state import State
from umpire.errors import UmpireError, fault
from umpire.rulebook.ledger import exists
from umpire.rulebook.proving import PROVING


def first_state(spec: Game, setup: Setup) -> State:
    if setup.state:
        return _with_state(spec, setup)
    return described_state(spec, setup)


def opening(spec: Game, setup: Setup) -> State:
    """The data before the first step, without the rules that are switched off."""
    state = first_state(spec, setup)
    state.without = (*setup.without, *PROVING)
    if state.without and spec.switch is not None:
        spec.switch(state)
    return state


def _with_state(spec: Game, setup: Setup) -> State:
    """A state that is written down, wholly or as far as a position does not say it."""
    told: Any = {}
    if setup.scene is not None:
        told = msgspec.json.decode(msgspec.json.encode(described_state(spec, setup)))
    data = merged(told, setup.state)
    files.finite({key: value for key, value in data.items() if key != "dice"}, "state")
    files.in_languages(data, "state")
    return files.convert(data, spec.state, "state")


def described_state(spec: Game, setup: Setup) -> State:
    """The state that a set-up or the words of a scene describe."""
    if setup.scene is None:
        return spec.start(setup)
    if spec.start_scene is None or spec.scene is None:
        raise fault("error.has-no-scenes", setup=setup.game)
    files.finite(setup.scene, "position")
    files.in_languages(setup.scene, "position")
    position = files.convert(setup.scene, spec.scene, "position")
    try:
        return spec.start_scene(position)
    except UmpireError as error:
        raise error.under("position") from None


def check_without(game: str, without: Sequence[str]) -> None:
    """Rules that are switched off must be rules of the game."""
    for rule in without:
        if rule.partition(".")[0] != game or not exists(rule):
            raise fault("error.has-no-rule-that-could", "without", game=game, rule=rule)
