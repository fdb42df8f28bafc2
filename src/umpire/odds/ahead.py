"""What an answer leads to: the battle itself is taken to the very dice that the answer makes fall.

What stands between an answer and its dice (a target that is the only one, a bonus that a reaction gives) is thus never
worked out twice, and where few dice fall every throw of them is played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision, Json, TypeDice
from umpire.odds.dice import throws
from umpire.odds.outcomes import Outcomes

T = TypeVar("T")

Reply = Callable[[Decision], Json]
"""How a question on the way is taken to be answered; None where the way ends."""

MOST_QUESTIONS = 12


def to_dice(battle: Battle[Any], answer: Json, side: int, reply: Reply) -> Battle[Any] | None:
    """A fork in which the answer is given and the first dice after it are wanted; None if none fall."""
    ahead = battle.before_dice()
    ahead.answer(answer, side)
    return go_on(ahead, reply)


def go_on(ahead: Battle[Any], reply: Reply) -> Battle[Any] | None:
    """On to the next dice that are wanted."""
    for _ in range(MOST_QUESTIONS):
        ask = ahead.decision
        if ask is None:
            return None
        if isinstance(ask, TypeDice):
            return ahead
        given = reply(ask)
        if given is None:
            return None
        ahead.answer(given, ask.side)
    return None


def wanted(ahead: Battle[Any]) -> tuple[str, int]:
    """What the dice are for, and how many."""
    ask = ahead.decision
    assert isinstance(ask, TypeDice)
    return ask.prompt.args["purpose"], ask.count


def every_throw(ahead: Battle[Any], read: Callable[[Battle[Any]], T]) -> Outcomes[T]:
    """Every throw of the dice that are wanted is played; what came of each is read from a battle that went on."""
    ask = ahead.decision
    assert isinstance(ask, TypeDice)
    found = []
    for faces, p in throws(ask.count, ask.sides).items():
        thrown = ahead.fork()
        thrown.answer(list(faces), ask.side)
        found.append((read(thrown), p))
    return Outcomes.merge(found)


def every_fact(ahead: Battle[Any], kind: str, fact: str) -> Outcomes[Any]:
    """What the first event of a kind that follows tells, for every throw of the dice that are wanted."""
    before = len(ahead.events)

    def read(thrown: Battle[Any]) -> Any:
        return next(event.facts[fact] for event in thrown.events[before:] if event.kind == kind)

    return every_throw(ahead, read)
