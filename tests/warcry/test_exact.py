"""What Warcry says cannot be done is worked out, not sampled: random tight positions against a fine net."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.errors import UmpireError
from umpire.games.warcry import falling, move
from umpire.games.warcry.legs import Tracer
from umpire.games.warcry.placing import body, can_stand
from umpire.games.warcry.state import State, engaged
from warcry.builder import fighter, piece, scene


def crowded(seed: int) -> Battle[State] | None:
    """A fighter with many enemies about it, on the floor or on a small deck, walls beside it."""
    rng = random.Random(seed)
    high = 3.0 if rng.random() < 0.3 else 0.0
    parts: list[dict[str, Any]] = [{"rect": [0, 0, 4.4, 4.2], "top": 3}] if high else []
    for _ in range(rng.randrange(0, 3)):
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.8, 1.6)
        rect = [far * math.cos(angle), far * math.sin(angle), rng.uniform(0.2, 1.5), rng.uniform(0.2, 1.5)]
        parts.append({"rect": rect, "floor": high, "top": high + 2})
    enemies: list[dict[str, Any]] = []
    for n in range(rng.randrange(4, 8)):
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(1.02, 2.6)
        spot = fighter(f"b{n}", 15 + far * math.cos(angle), 11 + far * math.sin(angle), high, activations=1)
        try:
            scene(fighter("a1", 15, 11, high), *enemies, spot, pieces=[piece(*parts)] if parts else [])
        except UmpireError:
            continue
        enemies.append(spot)
    if not enemies:
        return None
    try:
        return scene(
            fighter("a1", 15, 11, high), *enemies, active="a1", pieces=[piece(*parts)] if parts else [], dice=[]
        )
    except UmpireError:
        return None


def check_disengage(seed: int, step: float) -> str:
    battle = crowded(seed)
    if battle is None:
        return "no position"
    state = battle.state
    one = state.fighter("a1")
    if not engaged(state, one) or state.ground.blocked(one.base):
        return "no position"
    tracer = Tracer(state, one, move.DISENGAGE, disengage=True)
    found = move.way_out(state, one)
    if found is not None:
        assert not tracer.run(found["path"]).reasons, seed
        return "out"
    reach = int(move.DISENGAGE / step)
    for i in range(-reach, reach + 1):
        for k in range(-reach, reach + 1):
            leg = {"how": "walk", "x": round(15 + i * step, 3), "y": round(11 + k * step, 3)}
            assert tracer.run([leg]).reasons, (seed, leg)
    return "surrounded"


@pytest.mark.rule("warcry.disengage.end")
def test_surrounded_is_a_fact() -> None:
    told = [check_disengage(seed, 0.15) for seed in range(30)]
    assert told.count("out") >= 5
    assert told.count("surrounded") >= 2


@pytest.mark.rule("warcry.disengage.end")
def test_a_step_of_a_seventh_of_an_inch_is_a_disengage() -> None:
    # Four enemies half an inch from it all round, but for the way it came: 1.0 inch from b1 and nobody behind.
    ring = [
        fighter(f"b{n}", 15 + x, 11 + y, activations=1) for n, (x, y) in enumerate([(1.86, 0), (0, 2.05), (0, -2.05)])
    ]
    battle = scene(fighter("a1", 15, 11), *ring, fighter("b9", 12.87, 11, activations=1), active="a1")
    way = move.way_out(battle.state, battle.state.fighter("a1"))
    assert way is not None
    assert battle.check("disengage").legal


def check_landing(seed: int, step: float) -> str:
    """A fighter on a tower that a crowd stands round: is there anywhere to come down?"""
    rng = random.Random(seed)
    tower = piece({"rect": [0, 0, 1.6, 1.6], "top": 4})
    crowd: list[dict[str, Any]] = []
    base = rng.choice((25.4, 32.0, 40.0))
    for n in range(90):
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.8, 4.2)
        spot = fighter(f"b{n}", 15 + far * math.cos(angle), 11 + far * math.sin(angle), base=base)
        try:
            scene(*crowd, spot, pieces=[tower])
        except UmpireError:
            continue
        crowd.append(spot)
    try:
        state: State = scene(fighter("a1", 15, 11, 4, base=base), *crowd, pieces=[tower]).state
    except UmpireError:
        return "no position"
    one = state.fighter("a1")
    found = falling.find_landing(state, one)
    if found is not None:
        assert not falling.landing_reasons(state, one, found), seed
        return "lands"
    reach = int((falling.FALL_REACH + base / 50.8) / step) + 1
    for i in range(-reach, reach + 1):
        for k in range(-reach, reach + 1):
            spot_there = body(one, round(15 + i * step, 3), round(11 + k * step, 3), 0.0)
            if can_stand(state, spot_there, ("a1",)):
                assert falling.landing_reasons(state, one, spot_there), (seed, i, k)
    return "nowhere"


@pytest.mark.rule("warcry.move.fall-placement")
def test_nowhere_to_land_is_a_fact() -> None:
    told = [check_landing(seed, 0.1) for seed in range(4)]
    assert "lands" in told


@pytest.mark.rule("warcry.move.action")
def test_the_nearest_place_to_a_wish_is_the_nearest() -> None:
    """A rider dragged far past a wall is not left at the wall: round its end he comes much nearer."""
    wall = piece({"rect": [0, 0, 0.4, 3], "top": 4})
    terrain = [{"piece": "piece", "x": 12, "y": 11}]
    battle = scene(
        fighter("a1", 10, 11, move=8), fighter("b1", 25, 3), active="a1", pieces=[wall], terrain=terrain, dice=[]
    )
    battle.answer("move")
    wish = {"to": {"x": 28, "y": 11}}
    ruling = battle.check(wish)
    assert not ruling.legal
    assert ruling.nearest is not None
    end = ruling.nearest["path"][-1]
    assert battle.check(ruling.nearest).legal
    assert math.hypot(end["x"] - 28, end["y"] - 11) < 11.1  # 16.7 at the wall; the whole move round it leaves 11.08
