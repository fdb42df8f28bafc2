"""Heads or tails, best of three: a game of somebody else's, with a player and a reader of purses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose
from umpire.engine.events import Outcome
from umpire.engine.game import Game, Setup, register
from umpire.engine.picture import Picture
from umpire.engine.rng import Rng
from umpire.engine.rulings import Ruling
from umpire.engine.state import State as BaseState
from umpire.engine.state import Task
from umpire.engine.steps import Steps, step, step_name
from umpire.players import Player
from umpire.text import catalogue

catalogue("coin").update(
    {
        "ask.call": {"zh": "猜正反", "en": "Call it"},
        "heads": {"zh": "正面", "en": "heads"},
        "tails": {"zh": "反面", "en": "tails"},
        "event.tossed": {"zh": "{side} 猜 {call}", "en": "{side} calls {call}"},
    }
)


class State(BaseState, kw_only=True):
    score: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    tosses: int = 0


class Purse(msgspec.Struct):
    coins: int


@step
def toss(battle: Battle[State]) -> Steps[None]:
    """Sides call in turn; 4 or more is heads; the first with two points wins."""
    state = battle.state
    side = state.tosses % 2
    call = yield Choose(side, "ask.call", ["heads", "tails"], "coin.call")
    heads = battle.roll(1, "toss", "coin.toss", side=side).faces[0] >= 4
    state.tosses += 1
    state.score[side if heads == (call == "heads") else 1 - side] += 1
    battle.emit("tossed", "coin.toss", side=side, call=call)
    if max(state.score) < 2:
        battle.push(toss)
    else:
        score = tuple(float(points) for points in state.score)
        state.outcome = Outcome(state.score.index(2), score, ("coin.win",))


def resolve(setup: Setup, rng: Rng) -> Setup:
    """Who brings no purse is given one."""
    while len(setup.sides) < 2:
        setup.sides.append({"coins": 3})
    return setup


def check(purse: Any, without: Any = ()) -> Ruling:
    return Ruling(purse.coins > 0)


GAME = register(
    Game(
        id="coin",
        names={"zh": "掷币", "en": "Coin"},
        state=State,
        resolve=resolve,
        start=lambda setup: State(agenda=[Task(step_name(toss))]),
        picture=lambda state: Picture(10.0, 10.0, score=tuple(float(s) for s in state.score)),
        name=lambda state, key: None,
        roster=Purse,
        check_roster=check,
    )
)


class Heads(Player):
    """Always calls heads."""

    name = "heads"

    def choose(self, battle: Battle[Any], side: int, decision: Any) -> Any:
        return "heads"


def purse(path: Path) -> dict[str, Any] | None:
    """A file that says how many coins there are."""
    if path.suffix != ".purse":
        return None
    return {"game": "coin", "name": "purse", "roster": {"coins": int(path.read_text())}}
