"""One battle of a series, from its fixture alone: the same wherever and whenever it is fought."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from umpire.arena.fixtures import Fixture, Result, Series
from umpire.arena.wishing import Wisher
from umpire.engine.battle import Battle
from umpire.engine.beginning import battle
from umpire.engine.decisions import Decision, Json
from umpire.engine.dice import fair
from umpire.engine.game import find_game
from umpire.engine.rng import Rng, seed_of
from umpire.players import Player, play, player
from umpire.players.player import seat_seed


def start(series: Series, fixture: Fixture) -> Battle[Any]:
    """The battle of a fixture at its first question."""
    armies = [series.contestants[who].army for who in fixture.who]
    if series.level_lists and None in armies:
        muster = find_game(series.game).muster
        same = muster(Rng(seed_of("muster", series.game, fixture.seed))) if muster else None
        armies = [same if army is None else army for army in armies]
    given = None if None in armies else armies
    return battle(
        series.game,
        sides=given,
        scenario=series.scenario,
        seed=fixture.seed,
        options=dict(series.options),
        fairness=fair(("", ""), f"{series.salt} {fixture.seed}") if series.salt else None,
        without=list(series.without),
    )


def fight(series: Series, fixture: Fixture) -> Result:
    """Play it. Whatever goes wrong costs this battle alone and is told in its result."""
    result = Result(fixture.number, fixture.seed, fixture.who)
    began = time.perf_counter()
    fought: Battle[Any] | None = None
    wisher = Wisher(seed_of("wishes", series.game, fixture.seed))
    seats = []
    try:
        seats = [
            player(series.contestants[who].player, seat_seed(fixture.seed, side + 2 * who), seconds=None)
            for side, who in enumerate(fixture.who)
        ]
        fought = start(series, fixture)
        wisher.lists(fought)
        play(fought, [Wishing(seat, wisher) for seat in seats])
        assert fought.outcome is not None
        result.winner, result.score = fought.outcome.winner, fought.outcome.score
        result.first = first_turn(fought)
        result.tally = fought.game.tally(fought.state) if fought.game.tally else None
    except Exception as error:
        result.error = f"{type(error).__name__}: {' '.join(str(error).split())}"[:500]
    for seat in seats:
        seat.close()
    if fought is not None:
        result.decisions = len(fought.answers)
        result.fired = fired(fought, wisher.refused)
    result.seconds = time.perf_counter() - began
    return result


class Wishing(Player):
    """A seat whose player also says what it would wish: the umpire refuses most of it, and nothing changes."""

    def __init__(self, seat: Player, wisher: Wisher) -> None:
        super().__init__()
        self.seat, self.wisher = seat, wisher

    def choose(self, battle: Battle[Any], side: int, decision: Decision) -> Json:
        self.wisher.wish(battle, side, decision)
        return self.seat.choose(battle, side, decision)


def fired(battle: Battle[Any], refused: Mapping[str, int]) -> dict[str, int]:
    """How many times each rule decided something: in an event, or as the reason against a wish."""
    counts = dict(refused)
    for event in battle.events:
        for rule in event.rules:
            counts[rule] = counts.get(rule, 0) + 1
    return counts


def first_turn(battle: Battle[Any]) -> int | None:
    """The side that had the first turn, where the game says how to tell."""
    tell = battle.game.first_turn
    return tell(battle) if tell else None
