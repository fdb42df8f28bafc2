"""Usage ledgers: once a phase, turn, round or battle, for a unit or an army."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from umpire.engine.state import State


def count(state: State, what: str, per: str, who: str | int = "") -> int:
    """How often has this been used in the current period?"""
    return state.used.get(f"{per}/{who}/{what}", 0)


def spend(state: State, what: str, per: str, who: str | int = "", amount: int = 1) -> int:
    """Note one use more; answers how many there are now."""
    entry = f"{per}/{who}/{what}"
    state.used[entry] = total = state.used.get(entry, 0) + amount
    return total


def clear(state: State, per: str) -> None:
    """The period ends: its counts start anew."""
    prefix = per + "/"
    if any(entry.startswith(prefix) for entry in state.used):
        state.used = {entry: n for entry, n in state.used.items() if not entry.startswith(prefix)}
