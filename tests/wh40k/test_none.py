""" "There is none" against brute force: Falling Back, charges, disembarking and an Aircraft's minimum move, in random
tight positions; a net of ends, each by the straight way and by ways with a bend, is laid over all that could do."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from umpire.errors import UmpireError
from umpire.games.wh40k import movement
from umpire.games.wh40k.aircraft import can_complete
from umpire.games.wh40k.charging import Reach
from umpire.games.wh40k.moving import KINDS, Limits, Mover
from umpire.games.wh40k.state import Unit
from umpire.games.wh40k.transports import NEAR, disembark_objections, exit_placer
from wh40k.builder import scene, solid, unit

Spot = tuple[float, float]


def strewn(rng: random.Random, count: int, far: float, apart: float, kept: list[Spot], near: float = 0.0) -> list[Spot]:
    """Places about (20, 15), none nearer to another, or to those given, than so much."""
    found: list[Spot] = []
    for _ in range(count * 8):
        angle, off = rng.uniform(0, math.tau), rng.uniform(near, far)
        spot = (round(20 + off * math.cos(angle), 3), round(15 + off * math.sin(angle), 3))
        if all(math.dist(spot, other) >= apart for other in (*kept, *found)):
            found.append(spot)
        if len(found) == count:
            break
    return found


def net(x: float, y: float, far: float, step: float) -> Iterator[Spot]:
    count = int(far / step)
    for i in range(-count, count + 1):
        for j in range(-count, count + 1):
            if math.hypot(i * step, j * step) <= far:
                yield round(x + i * step, 3), round(y + j * step, 3)


def some_way(mover: Mover, mine: Unit, ends: Iterator[Spot], rng: random.Random) -> Any:
    """A legal move of a single model to one of some ends, straight or by one or two bends."""
    (m,) = mine.models
    far = mover.limits.allowance
    for x, y in ends:
        ways: list[list[list[float]]] = [[]]
        spare = far - math.hypot(x - m.x, y - m.y)
        if spare < 0:
            continue
        ways += [
            [[round((m.x + x) / 2 + rng.uniform(-3, 3), 3), round((m.y + y) / 2 + rng.uniform(-3, 3), 3)]]
            for _ in range(4)
        ]
        for path in ways:
            answer = {"models": {m.id: {"x": x, "y": y, "path": path}}}
            if not mover.judge(answer):
                return answer
    return None


def check_fall_back(seed: int, step: float = 0.1) -> str:
    rng = random.Random(seed)
    move = rng.choice((2, 3, 4))
    ring = strewn(rng, rng.randrange(5, 16), 4.5, 1.0, [(20, 15)], 1.02)
    foes = [unit(f"b{n + 1}", spot) for n, spot in enumerate(ring)]
    with suppress(UmpireError):
        battle = scene(unit("a1", (20, 15), m=move), unit("a2", (40, 28)), *foes)
        state, mine = battle.state, battle.state.unit("a1")
        if not mine.engaged:
            return "unfit"
        if not movement.trapped(state, mine):
            return "found"
        mover = Mover(state, mine, movement._limits(mine, "fall-back", {"a1.1": float(move)}), "fall-back")
        assert some_way(mover, mine, net(20, 15, move, step), rng) is None, seed
        return "none"
    return "unfit"


def check_charge(seed: int, step: float = 0.1) -> str:
    rng = random.Random(seed)
    goal = (round(20 + rng.uniform(-3, 3), 3), round(15 + rng.uniform(4, 8), 3))
    others = strewn(rng, rng.randrange(4, 14), 9.0, 1.0, [(20, 15), goal], 1.02)
    mixed = [unit(f"{'ab'[rng.random() < 0.3]}{n + 2}", spot) for n, spot in enumerate(others)]
    walls = [solid("debris", 20 + rng.uniform(-4, 4), 15 + rng.uniform(1.5, 5), rng.uniform(1, 6), 0.6, 4)]
    with suppress(UmpireError):
        battle = scene(unit("a1", (20, 15)), unit("b1", goal), *mixed, phase="charge", terrain=walls[: seed % 2])
        mine = battle.state.unit("a1")
        if mine.engaged:
            return "unfit"
        reach = Reach(battle, mine, ["b1"])
        natural = max(2, min(12, math.ceil(math.dist((20, 15), goal) - 2.0) + rng.randrange(0, 3)))
        if not reach.fails(natural):
            return "found" if reach.way(natural)[1] is not None else "open"
        mover, _ = reach.way(natural)
        assert some_way(mover, mine, net(*goal, 2.05, step), rng) is None, seed
        return "none"
    return "unfit"


def check_disembark(seed: int, step: float = 0.05) -> str:
    rng = random.Random(seed)
    ring = strewn(rng, rng.randrange(10, 26), 6.6, 1.0, [], 3.0)
    near = [unit(f"{'ab'[rng.random() < 0.6]}{n + 3}", spot) for n, spot in enumerate(ring)]
    size = rng.choice((25.4, 40.0, 50.8))
    with suppress(UmpireError):
        truck = unit("a1", (20, 15), base=[100], keywords=["vehicle", "transport"], carries={"capacity": 9})
        crew = unit("a2", where="aboard", aboard="a1", began_aboard=True, base=[size])
        battle = scene(truck, crew, *near, unit("b1", (40, 28)))
        state, crew_ = battle.state, battle.state.unit("a2")
        if all(why.key != "reason.wh40k.no-place" for why in disembark_objections(state, crew_)):
            return "found"
        placer = exit_placer(state, crew_, crew_.models, state.unit("a1"), NEAR)
        (m,) = crew_.models
        for x, y in net(20, 15, 5.2, step):
            assert placer.judge({"models": {m.id: {"x": x, "y": y}}}), (seed, x, y)
        return "none"
    return "unfit"


def check_flight(seed: int, step: float = 0.2) -> str:
    rng = random.Random(seed)
    low = rng.uniform(3, 6)
    high = low + rng.uniform(0.1, 1.5)
    ring = strewn(rng, 40, high + 1.2, 1.0, [(20, 15)], max(1.1, low - 1.2))
    others = [unit(f"{'ab'[n % 2]}{n + 2}", spot) for n, spot in enumerate(ring)]
    with suppress(UmpireError):
        keywords = ["vehicle", "aircraft", "fly"]
        battle = scene(unit("a1", (20, 15), keywords=keywords, m=int(high) + 1, m_min=1), *others, unit("b1", (43, 1)))
        state, mine = battle.state, battle.state.unit("a1")
        words = KINDS["normal"]
        limits = Limits(high, words.rule, crossing=words.crossing, ending=words.ending, least=low)
        mover = Mover(state, mine, limits, "normal")
        if can_complete(mover):
            return "found"
        ends = (spot for spot in net(20, 15, high, step) if math.dist(spot, (20, 15)) >= low)
        assert some_way(mover, mine, ends, rng) is None, seed
        return "none"
    return "unfit"


CHECKS: dict[str, Callable[..., str]] = {
    "fall-back": check_fall_back,
    "charge": check_charge,
    "disembark": check_disembark,
    "flight": check_flight,
}


@pytest.mark.parametrize("what", CHECKS)
def test_there_is_none_only_where_a_net_finds_none(what: str) -> None:
    came = [CHECKS[what](seed, 0.4) for seed in range(24)]
    assert came.count("found") >= 2, came
    assert came.count("none") >= 1, came
