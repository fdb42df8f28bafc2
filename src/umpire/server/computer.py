"""The computer's seat: how long it thinks, and what it answers when it cannot."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.beginning import begin
from umpire.engine.decisions import Decision
from umpire.engine.game import Setup, find_game
from umpire.engine.rng import Rng, seed_of
from umpire.players.planner import OutOfTime, Planner
from umpire.server.loading import loads
from umpire.text import LANGUAGES, words

GRACE = 0.2
"""So long beyond its time may a thought that does not look at the clock go on, twice: then it is cut short."""
REHEARSAL = 0.02
"""Seconds for each answer that nobody waits for."""
AT_ONCE = words("server.time-was-up")


class Choice(msgspec.Struct, frozen=True):
    """`spare`: the thought was broken off, and what it worked on should be forgotten."""

    answer: Any
    text: dict[str, str]
    spare: bool = False


class TimeUp(BaseException):
    """The time is over, even for rules that catch whatever goes wrong."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """After so many seconds the planner is told that it is out of time, so that it takes the best it has found; a
    little later, and again and again, whatever is being done is broken off."""
    if not hasattr(signal, "setitimer"):  # Windows: there the whole process is given up in the end
        yield
        return
    told = False

    def ring(*_: Any) -> None:
        nonlocal told
        if loads.now:  # it rings again
            return
        if told:
            raise TimeUp
        told = True
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds + GRACE, GRACE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


class Computers:
    """The players of one battle: a plan that one has made lives on from answer to answer."""

    def __init__(self) -> None:
        self._players: dict[tuple[int, str], Planner] = {}

    def choose(self, battle: Battle[Any], side: int, ask: Decision, level: str, seconds: float) -> Choice:
        """What the computer answers. There is an answer before it begins to think, so there always is one."""
        spare = at_once(battle, side, ask)
        if (side, level) not in self._players:
            self._players[side, level] = Planner(level, seed_of("computer", battle.setup.seed, side))
        player = self._players[side, level]
        player.seconds = seconds
        try:
            with time_limit(seconds):
                answer = player.choose(battle, side, ask)
                why = player.explain()
        except (TimeUp, OutOfTime):
            return Choice(spare, AT_ONCE, spare=True)
        return Choice(answer, {lang: why[lang] for lang in LANGUAGES if lang in why})


def at_once(battle: Battle[Any], side: int, ask: Decision, turn: int = 0) -> Any:
    """A legal answer without thinking. The same battle gives the same one, each further `turn` another."""
    return ask.suggest(Rng(seed_of("at once", battle.setup.seed, len(battle.answers), side, turn)))


def rehearse(game: str, answers: int) -> None:
    """Play the first answers of a battle that nobody sees, so that all that is loaded at first use has been loaded."""
    setup = find_game(game).resolve(Setup(game=game, seed=1), Rng(seed_of("muster", game, 1)))
    battle = begin(setup)
    computers = Computers()
    for _ in range(answers):
        ask = battle.decision
        if ask is None:
            return
        battle.answer(computers.choose(battle, ask.side, ask, "easy", REHEARSAL).answer, ask.side)
