"""Characteristic Tests: one die against one value, equal or under succeeds (conquest.dice.*)."""

from __future__ import annotations

from collections.abc import Sequence

from umpire.engine.battle import Battle
from umpire.engine.decisions import Confirm
from umpire.engine.dice import Roll
from umpire.engine.rulings import applies
from umpire.engine.steps import Steps
from umpire.engine.throwing import rolled_off
from umpire.rulebook.deciding import decides

from .hooks import Reroll
from .state import State


@decides("conquest.dice.d6", "conquest.dice.roll-low", "conquest.dice.characteristic-test")
def succeeds(face: int, value: float, without: Sequence[str] = ()) -> bool:
    """conquest.dice.roll-low: 1 always succeeds, 6 always fails."""
    if not applies("conquest.dice.auto-pass-fail", without):
        return face <= value
    return face == 1 or (face <= value and face != 6)


def saves(face: int, defense: float, evasion: float) -> bool:
    """One die against both values; at 0 and 0 not even a 1 saves (conquest.volley.defense.zero)."""
    best = max(defense, evasion)
    return best > 0 and succeeds(face, best)


def rules_shown(faces: Sequence[int], value: float) -> tuple[str, ...]:
    """The rule that decides a die whatever the value: 1 always succeeds, 6 always fails."""
    decided = any((face == 1 and value < 1) or (face == 6 and value >= 6) for face in faces)
    return ("conquest.dice.auto-pass-fail",) if decided else ()


def opposed(found: Sequence[Reroll]) -> bool:
    """Do some of these re-roll successes and others failures (conquest.dice.reroll.cancel)?"""
    against = any(r.which in ("successes", "ones") for r in found)
    return against and any(r.which in ("failures", "sixes") for r in found)


def standing(found: Sequence[Reroll], partial: str) -> tuple[list[Reroll], bool]:
    """The re-rolls left once opposed ones have cancelled, and whether any did.

    The book cancels all; the table option lets a full re-roll stand against a partial one.
    """
    if not opposed(found):
        return list(found), False
    if partial == "full-stands":
        full = [r for r in found if r.which in ("successes", "failures")]
        if full and not opposed(full):
            return full, True
    return [], True


def chosen(face: int, success: bool, which: str) -> bool:
    """Is this die one of those that a rule re-rolls?"""
    match which:
        case "failures":
            return not success
        case "successes":
            return success
        case "ones":
            return face == 1
        case _:
            return face == 6


def rerolled(
    battle: Battle[State],
    roll: Roll,
    good: Sequence[bool],
    found: Sequence[Reroll],
    side: int,
) -> Steps[Roll]:
    """Re-roll what the rules order or allow: each die once at most, the new face stands (conquest.dice.reroll)."""
    cancels = battle.state.applies("conquest.dice.reroll.cancel")
    left, cancelled = standing(found, battle.state.options.partial_rerolls) if cancels else (list(found), False)
    if cancelled:
        battle.emit("reroll-cancelled", "conquest.dice.reroll.cancel", *(r.rule for r in found))
    for reroll in left:
        which = [
            i
            for i, (face, fine) in enumerate(zip(roll.faces, good, strict=True))
            if not roll.rerolled(i) and chosen(face, fine, reroll.which)
        ]
        if not which:
            continue
        if reroll.may and not (yield Confirm(side, "ask.reroll", reroll.rule, roll.who)):
            continue
        roll = battle.reroll(roll, which, reroll.rule)
        battle.emit("rerolled", "conquest.dice.reroll", "conquest.dice.reroll.once", reroll.rule, count=len(which))
    return roll


def roll_off(battle: Battle[State], why: str) -> int:
    """The side with the lower die; equal dice are thrown again (conquest.dice.roll-off)."""
    winner = rolled_off(battle, "conquest.dice.roll-off", lowest=True)
    battle.emit("roll-off", "conquest.dice.roll-off", why, side=winner, player=f"side.{winner}")
    return winner
