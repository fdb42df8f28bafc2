"""Roll-offs, amounts of dice, and who orders rules that take effect at once."""

from __future__ import annotations

import re

from umpire.engine.battle import Battle
from umpire.engine.throwing import rolled_off
from umpire.games.warcry.primitives import Amount
from umpire.games.warcry.state import State, seat

_DICE = re.compile(r"([1-9]?)D([36])")


def roll_off(battle: Battle[State], purpose: str) -> int:
    """Both roll a die, the higher wins; ties are rolled again (warcry.core.roll-off)."""
    return rolled_off(battle, "warcry.core.roll-off", purpose)


def d3(face: int) -> int:
    """warcry.core.d3: half a D6, rounded up."""
    return (face + 1) // 2


def d66(first: int, second: int) -> int:
    """warcry.core.d66: the first die is the tens, the second the units."""
    return 10 * first + second


def roll_d66(battle: Battle[State], purpose: str, side: int) -> int:
    """Two dice, one after the other."""
    first, second = battle.roll(2, purpose, "warcry.core.d66", side=side).faces
    return d66(first, second)


def passes(face: int, need: int) -> bool:
    """warcry.core.target-number: X+ is X or more."""
    return face >= need


def amount(battle: Battle[State], spec: Amount, value: int, purpose: str, side: int, who: str) -> int:
    """A number of content worked out: itself, the value of the ability's dice, or dice rolled now and added up."""
    if isinstance(spec, int):
        return spec
    sign = -1 if spec.startswith("-") else 1
    word = spec.lstrip("-")
    if word == "value":
        return sign * value
    if word == "half":
        return sign * ((value + 1) // 2)
    match = _DICE.fullmatch(word)
    assert match is not None
    count, sides = int(match[1] or 1), int(match[2])
    rule = "warcry.core.d3" if sides == 3 else "warcry.core.dice-sum"
    faces = battle.roll(count, purpose, rule, side=side, who=who).faces
    return sign * sum(d3(face) if sides == 3 else face for face in faces)


def give_wild(battle: Battle[State], side: int, dice: int, rule: str) -> None:
    """One player gains wild dice outside the initiative phase."""
    player = battle.state.players[side]
    player.wild += dice
    battle.emit("wild-given", rule, side=side, player=seat(side), gained=dice, wild=player.wild)


def orderer(battle: Battle[State], purpose: str) -> int:
    """Who puts simultaneous rules in order (warcry.core.sequencing).

    In the combat phase the player whose turn it is, in other phases the one with the initiative, else a roll-off.
    """
    state = battle.state
    if state.phase == "combat":
        return state.turn
    if state.phase in ("initiative", "reserve"):
        return state.initiative
    return roll_off(battle, purpose)
