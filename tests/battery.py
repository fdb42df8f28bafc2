"""What the battery and the games' own tests share: play at random, garble answers, step through a battle."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import umpire
from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.rng import Rng

ENDLESS = 20_000
"""No battle asks so many questions: one that does would never end."""


def steps(battle: Battle[Any], rng: Rng) -> Iterator[tuple[Decision, Any]]:
    """Play a battle at random to its end, handing out each question and the answer that is about to be given."""
    for _ in range(ENDLESS):
        decisions = battle.decisions
        if not decisions:
            return
        ask = decisions[rng.below(len(decisions))]
        answer = ask.suggest(rng)
        yield ask, answer
        battle.answer(answer, ask.side)
    raise AssertionError(f"{battle.game.id} seed {battle.setup.seed}: {ENDLESS} questions and no end")


def play(battle: Battle[Any], rng: Rng) -> Battle[Any]:
    for _ in steps(battle, rng):
        pass
    return battle


def new(game: str, seed: int) -> Battle[Any]:
    return umpire.battle(game, seed=seed)


JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 7, 3.5, 1e9, "", "x", "pass", "__class__", [], ["x"], [1], [None], {}, {"x": 1},
    {"x": 1e5, "y": -1e5}, {"x": "a", "y": 2}, {"path": []}, {"path": [{}]}, {"path": [{"x": 1e5, "y": 1e5}]},
    {"path": "north"}, {"path": [{"x": None, "y": [1]}]}, {"models": {}}, {"models": {"x": {"x": 1, "y": 1}}},
    {"to": {"x": 1e5, "y": 1e5}}, {"to": "there"}, {"to": {}}, {"stay": "maybe"}, [[]], [{}], {"": 3}, "战",
)  # fmt: skip


def garble(answer: Any, rng: Rng) -> Any:
    """Something like this answer, but probably wrong."""
    answer = copy.deepcopy(answer)
    kind = rng.below(4)
    if kind == 0 or answer is None or isinstance(answer, bool):
        return copy.deepcopy(rng.choice(JUNK))
    if isinstance(answer, str):
        return answer[:-1] if kind == 1 else answer + rng.choice(["x", " ", "0"])
    if isinstance(answer, (int, float)):
        return answer + rng.choice([1000, -1000, 0.5])
    if isinstance(answer, list):
        if answer and kind == 1:
            return answer[:-1]
        return [*answer, rng.choice(JUNK)] if kind == 2 or not answer else [answer[0], *answer]
    if isinstance(answer, dict) and answer:
        key = rng.choice(list(answer))
        if kind == 1:
            del answer[key]
        else:
            answer[key] = garble(answer[key], rng)
    return answer
