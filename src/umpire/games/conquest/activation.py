"""The activation under way: which actions were taken, how many are left."""

from __future__ import annotations

from typing import Any

import msgspec

from .state import Activation, State


def change(state: State, **changes: Any) -> None:
    """Note something about the activation under way."""
    if state.activation is not None:
        state.activation = msgspec.structs.replace(state.activation, **changes)


def begin(state: State, activation: Activation) -> None:
    """Start an activation; one that is under way waits for its end."""
    if state.activation is not None:
        state.waiting.append(state.activation)
    state.activation = activation


def end(state: State) -> None:
    """The activation is over; one that waited goes on."""
    state.activation = state.waiting.pop() if state.waiting else None


def can_still_act(state: State) -> bool:
    """Is another action to come after the one under way?"""
    now = state.activation
    return now is not None and not now.ended and len(now.actions) < now.allowed


def end_actions(state: State) -> None:
    """The remaining actions are lost."""
    change(state, ended=True)
