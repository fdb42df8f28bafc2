"""What an answer leads to at once: a client may put both questions together, and a player answers them by one click."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, ChooseSeveral, Decision, Json

MOST = 24
"""A question with more options is put by itself."""
DEEP = 2
"""So many questions are looked at beyond the open one."""


class Follows(msgspec.Struct):
    """The question that an answer would lead to, and by its options the questions after it."""

    ask: Decision
    then: dict[str, Follows]


def ahead(
    battle: Battle[Any], side: int, deep: int = DEEP, enough: Callable[[], bool] = lambda: False
) -> Iterator[tuple[str, Follows | None]]:
    """For each option of the open question, in their order, what would be chosen next to carry it out; None where that
    is nothing. Only where the side could as well answer, look and take it back: no die has fallen, nothing hidden has
    come out. What has not been looked at to its end when it is `enough` is left out."""
    ask = battle.decision_for(side)
    several = isinstance(ask, ChooseSeveral) and ask.most == 1
    if not isinstance(ask, Choose) and not several:
        return
    assert isinstance(ask, (Choose, ChooseSeveral))
    for option in list(ask.options.values()):
        if enough():
            return
        answer: Json = [option.id] if several else option.id
        if option.passes or option.ends or option.vain or option.drag or not ask.check(answer).legal:
            continue
        trial = battle.fork()
        trial.answer(answer, side)
        follows = trial.decision_for(side) if trial.may_undo(side) and len(trial.decisions) == 1 else None
        if follows is None or follows.prompt.key not in battle.game.follows or not one_of_few(follows):
            yield option.id, None
            continue
        then = dict(ahead(trial, side, deep - 1, enough)) if deep > 1 else {}
        if then and enough():
            return
        yield option.id, Follows(follows, {key: after for key, after in then.items() if after is not None})


def one_of_few(ask: Decision) -> bool:
    """Is one thing chosen here, of a few?"""
    if isinstance(ask, ChooseSeveral):
        return ask.most == 1 < len(ask.options) <= MOST
    return isinstance(ask, Choose) and 1 < len(ask.options) <= MOST


def after(battle: Battle[Any], side: int, answers: Sequence[Json]) -> Battle[Any] | None:
    """The battle as it would be if a side answered this; None where it may not, or could not take it back."""
    trial = battle.fork()
    for answer in answers:
        ask = trial.decision_for(side)
        if ask is None or not ask.check(answer).legal:
            return None
        trial.answer(answer, side)
        if not trial.may_undo(side):
            return None
    return trial
