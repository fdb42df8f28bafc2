"""The way that a ruling shows is the way that is gone: in random battles of every game, to the same end and cost."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import umpire
from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.rng import Rng
from umpire.server.desk import Desk

GAMES = ("warcry", "aos", "conquest")
MOST = 30
"""So many moves of a game are looked at."""

Route = dict[str, list[dict[str, Any]]]


def way(ask: Decision, answer: Any) -> Route:
    found: Route = msgspec.to_builtins(ask.route(answer))
    return found


def goal(answer: Any, route: Route, rng: Rng) -> Any:
    """A goal near the end of a way."""
    if "edge" in answer:
        return None
    end = next(iter(route.values()))[-1]
    return {"to": {"x": round(end["x"] + rng.uniform(-2, 2), 3), "y": round(end["y"] + rng.uniform(-2, 2), 3)}}


def standing(battle: Battle[Any]) -> dict[str, tuple[float, float]]:
    return {piece.id: (piece.x, piece.y) for piece in battle.game.picture(battle.state).pieces}


def told_end(battle: Battle[Any], since: int) -> tuple[float, float] | None:
    """Where the event of the move says that it ended; questions about the formation may come first."""
    for _ in range(20):
        for event in battle.events[since:]:
            if {"x", "y"} <= set(event.facts):
                return event.facts["x"], event.facts["y"]
        assert battle.decision is not None
        battle.answer(battle.decision.suggest())
    return None


@pytest.mark.parametrize("game", GAMES)
def test_a_route_leads_where_the_answer_does(game: str) -> None:
    seen = goals = bent = 0
    for seed in range(1, 10):
        battle = umpire.battle(game, seed=seed)
        rng = Rng(seed)
        while (ask := battle.decision) is not None and seen < MOST * seed // 3:
            answer = ask.suggest(rng)
            route = way(ask, answer)
            wish = goal(answer, route, rng) if route else None
            if wish is not None and ask.check(wish):
                goals += 1
                answer, route = wish, way(ask, wish)
            if not route:
                battle.answer(answer, ask.side)
                continue
            since = len(battle.events)
            battle.answer(answer, ask.side)
            seen += 1
            bent += any(len(legs) > 1 for legs in route.values())
            ends = {key: (legs[-1]["x"], legs[-1]["y"]) for key, legs in route.items()}
            if game == "aos":
                after = standing(battle)
                left = {key: at for key, at in ends.items() if key in after}
                assert left == {key: pytest.approx(after[key], abs=0.002) for key in left}
            else:
                assert next(iter(ends.values())) == pytest.approx(told_end(battle, since), abs=0.002)
            limit = ask.form.limit
            if limit is not None:
                for legs in route.values():
                    assert sum(leg.get("cost", 0.0) for leg in legs) <= limit + 0.01
    assert seen >= MOST
    assert goals
    assert bent


@pytest.mark.parametrize("game", GAMES)
def test_a_check_carries_the_way_of_what_is_legal(game: str) -> None:
    """Of the answer itself, or of the nearest that is legal; null where nothing moves."""
    desk = Desk()
    prepared = desk.prepare(game, 3, None, {}, [None, None])
    desk.begin("t", prepared["setup"], "secret", ["", ""], [0])
    battle = desk._place("t").battle
    rng = Rng(5)
    shown = refused = 0

    def checked(ask: Decision, answer: Any) -> dict[str, Any]:
        said = desk.check("t", ask.side, len(battle.answers), msgspec.json.encode(answer))
        ruling: dict[str, Any] = msgspec.json.decode(said)
        return ruling

    while (ask := battle.decision) is not None and (shown < 5 or refused < 3):
        answer = ask.suggest(rng)
        ruling = checked(ask, answer)
        assert ruling["legal"]
        assert ruling["path"] == way(ask, answer)
        shown += bool(ruling["path"])
        if ask.kind == "move":
            ruling = checked(ask, {"to": {"x": 3.0, "y": 3.0}})
            if ruling["nearest"] is not None:
                assert ruling["path"] == way(ask, ruling["nearest"])
                refused += bool(ruling["path"])
            elif not ruling["legal"]:
                assert ruling["path"] == {}
        battle.answer(answer, ask.side)
    assert shown >= 5
    assert refused >= 3


def test_legs_can_be_given_back_as_an_answer() -> None:
    for game in ("warcry", "conquest"):
        battle = umpire.battle(game, seed=4)
        rng = Rng(1)
        again = 0
        while (ask := battle.decision) is not None and again < 12:
            answer = ask.suggest(rng)
            for legs in way(ask, answer).values():
                assert ask.check({**answer, "path": legs})
                again += 1
            battle.answer(answer, ask.side)
        assert again == 12
