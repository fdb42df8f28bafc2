"""One battle of a series, from its fixture alone: the same wherever and whenever it is fought."""

from __future__ import annotations

import time
from typing import Any

from umpire.arena.fixtures import Fixture, Result, Series
from umpire.engine.battle import Battle, battle
from umpire.engine.dice import fair
from umpire.engine.game import find_game
from umpire.engine.rng import Rng, seed_of
from umpire.players import play, player
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
    )


def fight(series: Series, fixture: Fixture) -> Result:
    """Play it. Whatever goes wrong costs this battle alone and is told in its result."""
    result = Result(fixture.number, fixture.seed, fixture.who)
    began = time.perf_counter()
    fought: Battle[Any] | None = None
    seats = []
    try:
        seats = [
            player(series.contestants[who].player, seat_seed(fixture.seed, side + 2 * who), seconds=None)
            for side, who in enumerate(fixture.who)
        ]
        fought = start(series, fixture)
        play(fought, seats)
        assert fought.outcome is not None
        result.winner, result.score = fought.outcome.winner, fought.outcome.score
        result.first = first_turn(fought)
    except Exception as error:
        result.error = f"{type(error).__name__}: {' '.join(str(error).split())}"[:500]
    for seat in seats:
        seat.close()
    if fought is not None:
        result.decisions = len(fought.answers)
        result.fired = fired(fought)
    result.seconds = time.perf_counter() - began
    return result


def fired(battle: Battle[Any]) -> dict[str, int]:
    """How many events named each rule."""
    counts: dict[str, int] = {}
    for event in battle.events:
        for rule in event.rules:
            counts[rule] = counts.get(rule, 0) + 1
    return counts


def first_turn(battle: Battle[Any]) -> int | None:
    """The side that had the first turn, where the game says how to tell."""
    tell = battle.game.first_turn
    return tell(battle) if tell else None
